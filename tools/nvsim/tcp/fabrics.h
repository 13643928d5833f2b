/* SPDX-License-Identifier: GPL-2.0-only */
/* The Fabrics commands (NVMe Base 2.x, section 6): Connect, properties, Disconnect. */
#ifndef TOOLS_NVSIM_TCP_FABRICS_H
#define TOOLS_NVSIM_TCP_FABRICS_H

struct request;

void fabrics_run(struct request *r);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Admin commands: those that are the transport's business, and what a controller behind a fabric says
 * of itself beyond what the model says. All else is the model's.
 */
#ifndef TOOLS_NVSIM_TCP_ADMIN_H
#define TOOLS_NVSIM_TCP_ADMIN_H

struct request;

/* The controller is enabled. */
void admin_run(struct request *r);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* What the commands of nvsim share: their entry points, exit statuses, and how they fail. */
#ifndef TOOLS_NVSIM_NVSIM_H
#define TOOLS_NVSIM_NVSIM_H

#include <argp.h>
#include <stdint.h>

#include "engine/model/image.h"

enum {
	STATUS_FINE = 0,
	STATUS_FAILED = 1, /* the system or the drive refused */
	STATUS_USAGE = 2, /* what was given is wrong */
};

/* Each parses its own options; argv[0] is "nvsim COMMAND". Return: the exit status. */
int create_main(int argc, char **argv);
int info_main(int argc, char **argv);
int log_main(int argc, char **argv);
int reset_main(int argc, char **argv);
int fail_main(int argc, char **argv);
int serve_main(int argc, char **argv);

/* Ends the program with one line that begins with the command, and STATUS_USAGE. */
__attribute__((noreturn, format(printf, 2, 3))) void usage_error(const struct argp_state *state,
								 const char *fmt, ...);

/* The one FILE of a command, in its option parser: for keys that are not its own. Return: as it does. */
error_t parse_file(int key, char *arg, const struct argp_state *state, const char **path);

/* Parses with argp; usage errors end the program. */
void parse_arguments(const struct argp *argp, int argc, char **argv, void *input);

/* What was printed has to arrive. Return: STATUS_FINE, or STATUS_FAILED after one line. */
int flush_output(void);

/* Prints "nvsim: @why". Return: STATUS_USAGE where the file is not what it should be, else FAILED. */
int report_failure(int err, const char *why);

/*
 * with_drive - do something with a drive, or say why not
 * @look: at a moment of it: needs no permission to write and changes nothing
 * @body: gets the open drive and @arg; owns nothing, for it is left where the file fails
 *
 * Return: what @body returns, or what to exit with after one line.
 */
int with_drive(const char *path, bool look, int (*body)(struct model *m, void *arg), void *arg);

/* One admin command without data to the drive, or with. Return: NVMe status, 0: success. */
uint16_t admin(struct model *m, uint8_t opcode, uint32_t nsid, uint32_t cdw10, uint32_t cdw11,
	       void *data, uint32_t len);

#endif

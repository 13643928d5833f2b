// SPDX-License-Identifier: GPL-2.0-only
// nvsim log: fetches a log page as any host does, with Get Log Page, and prints it.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "engine/model/model.h"
#include "engine/status.h"
#include "tools/nvsim/decode.h"
#include "tools/nvsim/nvsim.h"
#include "tools/nvsim/parse.h"

static const char doc[] = "Print a log page of a drive; the drive may be in use.\v"
			  "PAGE:\n"
			  "  smart        02h  health, data units, commands\n"
			  "  fdp-configs  20h  FDP configurations\n"
			  "  fdp-usage    21h  who uses which reclaim unit handle\n"
			  "  fdp-stats    22h  bytes of host and media, erased bytes\n"
			  "  fdp-events   23h  host events; --controller: the controller's\n"
			  "  ocp          C0h  OCP extended SMART\n\n"
			  "  nvsim log drive.nvsim fdp-stats\n"
			  "  nvsim log drive.nvsim 02h --raw=binary >smart.bin";

enum log_option {
	OPT_CONTROLLER = 0x100,
};

static const struct argp_option options[] = {
	{ "raw", 'r', "hex|binary", OPTION_ARG_OPTIONAL, "Its bytes: as a hex dump, or as they are",
	  0 },
	{ "controller", OPT_CONTROLLER, 0, 0, "fdp-events: those of the controller", 0 },
	{ 0 },
};

enum {
	GET_LOG_PAGE = 0x02,
	ALL_NAMESPACES = -1,
	MAX_BYTES = 65536, /* any page of the model's */
};

struct arguments {
	const char *path;
	const struct page *page;
	enum {
		DECODED,
		HEX,
		BINARY
	} format;
	bool controller;
	/* what was fetched */
	uint8_t *data;
	uint32_t len;
	uint16_t nvme_status;
};

static void parse_page(struct argp_state *state, struct arguments *a, const char *arg)
{
	size_t len = strlen(arg);
	unsigned long number = 0;
	uint64_t value;
	char *end;

	/* 02h, as the specification writes them, or 0x02 */
	if (len > 1 && strchr("hH", arg[len - 1])) {
		number = strtoul(arg, &end, 16);
		if (end != arg + len - 1)
			number = 0;
	} else if (parse_number(arg, &value) && value < 256) {
		number = value;
	}
	for (const struct page *p = pages; p->name; p++)
		if (!strcmp(p->name, arg) || p->lid == number)
			a->page = p;
	if (!a->page)
		usage_error(state,
			    "%s: unknown; one of smart (02h), fdp-configs (20h), fdp-usage (21h), "
			    "fdp-stats (22h), fdp-events (23h), ocp (C0h)",
			    arg);
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case 'r':
		a->format = HEX;
		if (arg && !strcmp(arg, "binary"))
			a->format = BINARY;
		else if (arg && strcmp(arg, "hex"))
			usage_error(state, "--raw=%s: unknown; one of hex, binary", arg);
		return 0;
	case OPT_CONTROLLER:
		a->controller = true;
		return 0;
	case ARGP_KEY_ARG:
		if (!a->path)
			a->path = arg;
		else if (!a->page)
			parse_page(state, a, arg);
		else
			usage_error(state, "%s: one PAGE at a time", arg);
		return 0;
	case ARGP_KEY_END:
		if (!a->path || !a->page)
			usage_error(state, "no %s given", a->path ? "PAGE" : "FILE");
		if (a->controller && !a->page->events)
			usage_error(state, "--controller goes with fdp-events only");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* Return: NVMe status. Base 2.x, "Get Log Page": NUMD, the specific parameter, the endurance group. */
static uint16_t get_log(struct model *m, const struct page *p, bool host, uint8_t *data,
			uint32_t len)
{
	uint32_t dwords = len / 4 - 1;
	uint32_t cdw10 = p->lid | (p->events && host) << 8 | (dwords & 0xffff) << 16;
	uint32_t cdw11 = dwords >> 16 | (p->group ? MODEL_ENDGID << 16 : 0);

	return admin(m, GET_LOG_PAGE, p->group ? 0 : ALL_NAMESPACES, cdw10, cdw11, data, len);
}

/* A page whose first bytes say how long it is, is fetched again, whole. Return: the NVMe status. */
static int fetch(struct model *m, void *arg)
{
	struct arguments *a = arg;
	const struct page *p = a->page;
	uint16_t status = get_log(m, p, !a->controller, a->data, p->bytes);

	a->len = p->bytes;
	if (!status && p->whole) {
		a->len = p->whole(a->data);
		if (a->len > MAX_BYTES)
			a->len = MAX_BYTES;
		status = get_log(m, p, !a->controller, a->data, a->len);
	}
	a->nvme_status = status;
	return STATUS_FINE;
}

static void dump(const uint8_t *data, uint32_t len)
{
	for (uint32_t i = 0; i < len; i += 16) {
		printf("%04x:", i);
		for (uint32_t j = i; j < i + 16 && j < len; j++)
			printf(" %02x", data[j]);
		putchar('\n');
	}
}

static int print(const struct arguments *a, const uint8_t *data, uint32_t len)
{
	if (a->format == BINARY && isatty(STDOUT_FILENO)) {
		fprintf(stderr,
			"nvsim: standard output is a terminal; give --raw=hex, or a file\n");
		return STATUS_USAGE;
	}
	if (a->format == BINARY)
		fwrite(data, 1, len, stdout);
	else if (a->format == HEX)
		dump(data, len);
	else
		a->page->print(data, len);
	return flush_output();
}

int log_main(int argc, char **argv)
{
	static const struct argp argp = { options, parse_option, "FILE PAGE", doc, 0, 0, 0 };
	static uint8_t data[MAX_BYTES];
	struct arguments a = { .data = data };
	char text[128];
	int status;

	parse_arguments(&argp, argc, argv, &a);
	status = with_drive(a.path, true, fetch, &a);
	if (status)
		return status;
	if (!a.nvme_status)
		return print(&a, data, a.len);
	status_describe(a.nvme_status, text, sizeof(text));
	fprintf(stderr, "nvsim: %s: log page %02Xh: %s\n", a.path, a.page->lid, text);
	return STATUS_FAILED;
}

// SPDX-License-Identifier: GPL-2.0-only
// nvsim fail: sets faults, lists them, takes them away. engine/model/faults.c makes them strike.
#include "tools/nvsim/fail.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "engine/model/model.h"
#include "engine/status.h"
#include "tools/nvsim/nvsim.h"
#include "tools/nvsim/parse.h"

enum {
	UNRECOVERED_READ_ERROR = STATUS_DNR | 0x281,
	INTERNAL_ERROR = 0x006,
	MAX_STATUS = 0x7fff,
	OP_READ = 2,
};
#define ANY UINT32_MAX
#define ALWAYS UINT64_MAX

static const char doc[] =
	"Make commands of a drive fail. Faults add up; each command meets them in the order in "
	"which "
	"they were set, until one ends it. The drive may be in use.\v"
	"KIND:\n"
	"  read-error      reads end with Unrecovered Read Error\n"
	"  internal-error  Internal Error\n"
	"  hang            the command never ends\n"
	"  delay=TIME      it ends later\n"
	"  status=CODE     it ends with a status field, SCT and SC: 0x281\n"
	"  power[=CODE]    power states cannot be set (Feature Not Changeable)\n"
	"  drop            the connection ends (nvsim serve)\n"
	"  reset           the controller resets, all connections end (nvsim serve)\n\n"
	"  nvsim fail drive.nvsim read-error --lba=1000-1007\n"
	"  nvsim fail drive.nvsim delay=5ms --opcode=write --every=100\n"
	"  nvsim fail drive.nvsim --list";

enum fail_option {
	OPT_LBA = 0x100,
	OPT_OPCODE,
	OPT_EVERY,
	OPT_TIMES,
	OPT_LIST,
	OPT_CLEAR,
};

static const struct argp_option options[] = {
	{ "lba", OPT_LBA, "N[-M]", 0, "Logical blocks that it covers (all)", 1 },
	{ "opcode", OPT_OPCODE, "NAME", 0,
	  "read, write, flush, deallocate, write-zeroes or any (any; read-error: read)", 1 },
	{ "every", OPT_EVERY, "N", 0, "Each Nth command that matches (1)", 1 },
	{ "times", OPT_TIMES, "N", 0, "So often, then no more (always)", 1 },
	{ "list", OPT_LIST, 0, 0, "Show the faults that are set", 2 },
	{ "clear", OPT_CLEAR, 0, 0, "Take them all away", 2 },
	{ 0 },
};

static const struct opcode {
	const char *name;
	uint32_t opcode;
} opcodes[] = {
	{ "flush", 0x00 },	  { "write", 0x01 },	  { "read", OP_READ },
	{ "write-zeroes", 0x08 }, { "deallocate", 0x09 }, { "any", ANY },
};

static const struct kind {
	const char *name;
	bool value; /* =VALUE is needed */
	struct model_fault fault;
} kinds[] = {
	{ "read-error", false, { .kind = MODEL_FAULT_STATUS, .status = UNRECOVERED_READ_ERROR } },
	{ "internal-error", false, { .kind = MODEL_FAULT_STATUS, .status = INTERNAL_ERROR } },
	{ "hang", false, { .kind = MODEL_FAULT_HANG } },
	{ "delay", true, { .kind = MODEL_FAULT_DELAY } },
	{ "status", true, { .kind = MODEL_FAULT_STATUS } },
	{ "power", false, { .kind = MODEL_FAULT_POWER } },
	{ "drop", false, { .kind = MODEL_FAULT_DROP } },
	{ "reset", false, { .kind = MODEL_FAULT_RESET } },
};

struct arguments {
	const char *path;
	const struct kind *kind;
	bool list, clear, opcode_given, lba_given, details;
	struct model_fault fault;
};

static void parse_value(struct argp_state *state, struct arguments *a, const char *arg,
			const char *value)
{
	struct model_fault *f = &a->fault;
	uint64_t status;

	if (f->kind == MODEL_FAULT_DELAY) {
		if (!parse_time(value, &f->delay_ns) || !f->delay_ns)
			usage_error(state, "%s: not a time; write delay=5ms", arg);
		return;
	}
	if (f->kind == MODEL_FAULT_HANG || f->kind >= MODEL_FAULT_DROP ||
	    (f->status && f->kind == MODEL_FAULT_STATUS))
		usage_error(state, "%s: %s takes no value", arg, a->kind->name);
	if (!parse_number(value, &status) || !status || status > MAX_STATUS)
		usage_error(state, "%s: not a status field; 0x001 to 0x7fff, such as 0x281", arg);
	f->status = status;
}

static void parse_kind(struct argp_state *state, struct arguments *a, const char *arg)
{
	const char *value = strchr(arg, '=');
	size_t len = value ? (size_t)(value - arg) : strlen(arg);

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strlen(kinds[i].name) == len && !strncmp(kinds[i].name, arg, len))
			a->kind = &kinds[i];
	if (!a->kind)
		usage_error(state,
			    "%s: unknown; one of read-error, internal-error, hang, delay=TIME, "
			    "status=CODE, power, drop, reset",
			    arg);
	a->fault.kind = a->kind->fault.kind;
	a->fault.status = a->kind->fault.status;
	if (value)
		parse_value(state, a, arg, value + 1);
	else if (a->kind->value)
		usage_error(state, "%s: needs a value, %s=%s", arg, arg,
			    a->fault.kind == MODEL_FAULT_DELAY ? "TIME" : "CODE");
}

static void parse_opcode(struct argp_state *state, struct arguments *a, const char *arg)
{
	for (size_t i = 0; i < sizeof(opcodes) / sizeof(opcodes[0]); i++) {
		if (strcmp(opcodes[i].name, arg))
			continue;
		a->fault.opcode = opcodes[i].opcode;
		a->opcode_given = true;
		return;
	}
	usage_error(
		state,
		"--opcode=%s: unknown; one of read, write, flush, deallocate, write-zeroes, any",
		arg);
}

static uint64_t parse_count(struct argp_state *state, const char *name, const char *arg)
{
	uint64_t value;

	if (!parse_number(arg, &value) || !value || value == ALWAYS)
		usage_error(state, "--%s=%s: not a number from 1 on", name, arg);
	return value;
}

static void check(struct argp_state *state, struct arguments *a)
{
	if (!a->path)
		usage_error(state, "no FILE given");
	if (!a->kind && !a->list && !a->clear)
		usage_error(state, "no KIND given; or --list, --clear");
	if ((a->list || a->clear) && (a->kind || a->details || (a->list && a->clear)))
		usage_error(state, "--list and --clear stand alone");
	if (!a->kind)
		return;
	if (!strcmp(a->kind->name, "read-error")) {
		if (a->opcode_given && a->fault.opcode != OP_READ)
			usage_error(state,
				    "--opcode: read-error strikes reads only; for others give "
				    "internal-error, or status=0x280, a Write Fault");
		a->fault.opcode = OP_READ;
	}
	if (a->fault.kind == MODEL_FAULT_POWER && (a->opcode_given || a->lba_given))
		usage_error(state,
			    "power: concerns no I/O command; --lba and --opcode do not apply");
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	a->details |= key >= OPT_LBA && key <= OPT_TIMES;
	switch (key) {
	case OPT_LBA:
		a->lba_given = true;
		if (!parse_range(arg, &a->fault.first, &a->fault.last))
			usage_error(state, "--lba=%s: not logical blocks; write 8 or 8-15", arg);
		return 0;
	case OPT_OPCODE:
		parse_opcode(state, a, arg);
		return 0;
	case OPT_EVERY:
		a->fault.every = parse_count(state, "every", arg);
		return 0;
	case OPT_TIMES:
		a->fault.left = parse_count(state, "times", arg);
		return 0;
	case OPT_LIST:
		a->list = true;
		return 0;
	case OPT_CLEAR:
		a->clear = true;
		return 0;
	case ARGP_KEY_ARG:
		if (!a->path)
			a->path = arg;
		else if (!a->kind)
			parse_kind(state, a, arg);
		else
			usage_error(state, "%s: one KIND at a time", arg);
		return 0;
	case ARGP_KEY_END:
		check(state, a);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

void fail_clear(struct model *m)
{
	model_lock(m);
	__atomic_store_n(&m->s->nr_faults, 0, __ATOMIC_RELAXED);
	memset(m->s->fault, 0, sizeof(m->s->fault));
	model_unlock(m);
}

/* Return: false: no room is left. */
static bool add(struct model *m, const struct model_fault *f)
{
	uint32_t nr;

	model_lock(m);
	nr = m->s->nr_faults;
	if (nr < MODEL_MAX_FAULTS) {
		m->s->fault[nr] = *f;
		__atomic_store_n(&m->s->nr_faults, nr + 1, __ATOMIC_RELEASE);
	}
	model_unlock(m);
	return nr < MODEL_MAX_FAULTS;
}

static const char *opcode_name(uint32_t opcode, char buf[24])
{
	for (size_t i = 0; i < sizeof(opcodes) / sizeof(opcodes[0]); i++)
		if (opcodes[i].opcode == opcode)
			return opcodes[i].name;
	snprintf(buf, 24, "opcode %02Xh", opcode);
	return buf;
}

static void print_effect(const struct model_fault *f)
{
	char text[128];

	switch (f->kind) {
	case MODEL_FAULT_HANG:
		printf("hang");
		break;
	case MODEL_FAULT_DELAY:
		printf("end %g %s later", f->delay_ns / (f->delay_ns < 1000000 ? 1e3 : 1e6),
		       f->delay_ns < 1000000 ? "us" : "ms");
		break;
	case MODEL_FAULT_POWER:
		printf("power states cannot be set");
		break;
	case MODEL_FAULT_DROP:
		printf("the connection ends");
		break;
	case MODEL_FAULT_RESET:
		printf("the controller resets");
		break;
	default:
		status_describe((int)f->status, text, sizeof(text));
		printf("%s", text);
	}
}

static void print_fault(uint32_t number, const struct model_fault *f)
{
	char buf[24];

	printf("%2u  %s: ", number,
	       f->kind == MODEL_FAULT_POWER ? "set features" : opcode_name(f->opcode, buf));
	print_effect(f);
	if (f->first || f->last != UINT64_MAX)
		printf(", blocks %" PRIu64 " to %" PRIu64, f->first, f->last);
	if (f->every > 1)
		printf(", 1 of %" PRIu64, f->every);
	printf("; %" PRIu64 " matched", f->matched);
	if (f->left != ALWAYS)
		printf(", %" PRIu64 " times left", f->left);
	putchar('\n');
}

static void list(struct model *m)
{
	struct model_fault faults[MODEL_MAX_FAULTS];
	uint32_t nr;

	model_lock(m);
	nr = m->s->nr_faults;
	memcpy(faults, m->s->fault, sizeof(faults));
	model_unlock(m);
	for (uint32_t i = 0; i < nr; i++)
		print_fault(i, &faults[i]);
	if (!nr)
		printf("no faults\n");
}

/* A block that the drive does not have would never be met. */
static bool within(const struct arguments *a, const struct model_geometry *g)
{
	uint64_t blocks = g->pages << (MODEL_PAGE_SHIFT - g->lba_shift);

	if (!a->lba_given || a->fault.last < blocks)
		return true;
	fprintf(stderr,
		"nvsim: %s: --lba: block %" PRIu64 " is beyond the drive; its last is %" PRIu64
		"\n",
		a->path, a->fault.last, blocks - 1);
	return false;
}

static int run(struct model *m, void *arg)
{
	const struct arguments *a = arg;

	if (a->list) {
		list(m);
		return flush_output();
	}
	if (a->clear) {
		fail_clear(m);
		return STATUS_FINE;
	}
	if (!within(a, m->g))
		return STATUS_USAGE;
	if (add(m, &a->fault))
		return STATUS_FINE;
	fprintf(stderr, "nvsim: %s: has %d faults, no more fit; --clear takes them away\n", a->path,
		MODEL_MAX_FAULTS);
	return STATUS_FAILED;
}

int fail_main(int argc, char **argv)
{
	static const struct argp argp = { options, parse_option, "FILE [KIND]", doc, 0, 0, 0 };
	struct arguments a = {
		.fault = { .opcode = ANY, .last = UINT64_MAX, .every = 1, .left = ALWAYS }
	};

	parse_arguments(&argp, argc, argv, &a);
	return with_drive(a.path, a.list, run, &a);
}

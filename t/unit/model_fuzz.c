// SPDX-License-Identifier: GPL-2.0-only
/*
 * The model drive against commands that no host would send and against damaged images: mutations of
 * valid ones, for FUZZ_SECONDS (4) of processor time. An oracle of its own knows each block's content,
 * which commands must succeed, and the counters. FUZZ_SEED chooses the run and FUZZ_ITERATION one step
 * of it: a step follows from these two alone. A child does the work, and its parent says in which step
 * it died.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/bytes.h"
#include "engine/model/controller.h"
#include "engine/model/ftl.h"
#include "engine/model/model.h"
#include "t/unit/chance.h"
#include "t/unit/tap.h"

enum {
	ARENA = 4 << 20, /* above MDTS; longer buffers are announced, too, but must not be used */
	LOOK = 256 << 10, /* as much of a buffer is looked at afterwards */
	BEFORE = 64, /* bytes before a buffer that must stay as they are */
	GUARD = 0xa5,
	STREAM_COMMANDS = 3000, /* on a new drive */
	IMAGE_COMMANDS = 200, /* on a drive that was opened from a damaged image */
	IMAGES = 7, /* of 8 steps are images, the others streams */
	BASES = 8,
	PATIENCE_S = 60, /* for a step: what takes longer hangs */
	DEFAULT_SEED = 1,
};

#define BLOCK_SHIFT(r) ((r)->m->g->lba_shift)
#define LONG_NS (4 * 3600 * 1000000000ULL)
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Seen by both processes. */
static struct progress {
	uint64_t iteration, commands, succeeded, relocated, opened, refused;
} * progress;

/* A drive and what has to be on it. */
struct run {
	struct model *m;
	uint8_t *shadow;
	struct model_counters counters;
	struct model_command_counts commands;
};

/* What lies before the data of an image that the program made, and how long the file is. */
struct image {
	uint8_t *bytes;
	size_t len;
	uint64_t file_bytes;
	struct model_header h; /* as it was before any change */
};

static char dir[] = "/tmp/model-fuzz-XXXXXX", path[64];
static uint8_t *arena, *before; /* the arena ends where no access is allowed */
static struct image bases[BASES];

/* --- chance ------------------------------------------------------------------------------- */

/* Numbers at which programs go wrong; @size: one that means something here. */
static uint32_t odd_number(uint32_t size)
{
	switch (below(8)) {
	case 0:
		return 0;
	case 1:
		return below(8);
	case 2:
		return 1U << below(32);
	case 3:
		return (1U << below(32)) - 1;
	case 4:
		return UINT32_MAX - below(4);
	case 5:
		return size + below(3) - 1;
	case 6:
		return below(size);
	}
	return rnd();
}

__attribute__((format(printf, 2, 3))) static void must(bool fine, const char *format, ...)
{
	va_list args;

	if (fine)
		return;
	printf("# ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	fflush(stdout);
	_exit(1);
}

static void must_command(bool fine, const char *what, const struct nvme_uring_cmd *c,
			 const struct model_result *r)
{
	must(fine,
	     "%s: opcode %02x flags %x nsid %x addr %s data_len %u cdw10 %x %x %x %x %x %x, "
	     "status %x due %" PRIu64,
	     what, c->opcode, c->flags, c->nsid, c->addr ? "given" : "0", c->data_len, c->cdw10,
	     c->cdw11, c->cdw12, c->cdw13, c->cdw14, c->cdw15, r->status, r->due);
}

/* --- the oracle --------------------------------------------------------------------------- */

static uint64_t slba_of(const struct nvme_uring_cmd *c)
{
	return (uint64_t)c->cdw11 << 32 | c->cdw10;
}

static uint32_t blocks_of(const struct nvme_uring_cmd *c)
{
	return (c->cdw12 & 0xffff) + 1;
}

static bool on_drive(const struct run *r, uint64_t slba, uint64_t blocks)
{
	uint64_t size = r->m->g->pages * MODEL_PAGE >> BLOCK_SHIFT(r);

	return slba < size && blocks <= size && slba + blocks <= size;
}

static bool is_placed(const struct nvme_uring_cmd *c)
{
	return (c->cdw12 >> 20 & 0xf) == 2;
}

static bool good_directive(const struct run *r, const struct nvme_uring_cmd *c)
{
	return !(c->cdw12 >> 20 & 0xf) || (is_placed(c) && r->m->g->fdp == 2);
}

static bool good_transfer(const struct run *r, const struct nvme_uring_cmd *c)
{
	uint64_t bytes = (uint64_t)blocks_of(c) << BLOCK_SHIFT(r);

	return bytes <= 2 << 20 && c->addr && c->data_len == bytes &&
	       on_drive(r, slba_of(c), blocks_of(c));
}

static void get_range(uint32_t i, uint64_t *slba, uint32_t *blocks, const uint8_t *data)
{
	memcpy(blocks, data + i * 16 + 4, sizeof(*blocks));
	memcpy(slba, data + i * 16 + 8, sizeof(*slba));
}

static bool good_ranges(const struct run *r, const struct nvme_uring_cmd *c)
{
	uint32_t nr = (c->cdw10 & 0xff) + 1, blocks;
	uint64_t slba;

	if (!(c->cdw11 & 4))
		return true;
	if (!c->addr || c->data_len < nr * 16)
		return false;
	for (uint32_t i = 0; i < nr; i++) {
		get_range(i, &slba, &blocks, controller_data(c));
		if (blocks && !on_drive(r, slba, blocks))
			return false;
	}
	return true;
}

/* Placement identifiers that I/O Management Send names. */
static bool good_pids(const struct run *r, const struct nvme_uring_cmd *c)
{
	uint32_t nr = (c->cdw10 >> 16) + 1;
	uint16_t pid;

	if (nr > MODEL_MAX_RUHS || !c->addr || c->data_len < nr * 2)
		return false;
	for (uint32_t i = 0; i < nr; i++) {
		memcpy(&pid, controller_data(c) + i * 2, sizeof(pid));
		if (pid >= r->m->g->ruhs)
			return false;
	}
	return true;
}

static bool good_management(const struct run *r, const struct nvme_uring_cmd *c)
{
	uint32_t operation = c->cdw10 & 0xff;

	if (r->m->g->fdp != 2 || operation > 1)
		return false;
	return !operation || c->opcode == OP_IO_MGMT_RECEIVE || good_pids(r, c);
}

/* Must this I/O command succeed? */
static bool is_good(const struct run *r, const struct nvme_uring_cmd *c)
{
	bool good = !(c->flags & 3) && c->nsid == 1;

	switch (c->opcode) {
	case OP_FLUSH:
		return !(c->flags & 3) && (c->nsid == 1 || c->nsid == UINT32_MAX);
	case OP_READ:
		return good && good_transfer(r, c);
	case OP_WRITE:
		return good && good_transfer(r, c) && good_directive(r, c);
	case OP_WRITE_ZEROES:
		return good && on_drive(r, slba_of(c), blocks_of(c)) && good_directive(r, c);
	case OP_DSM:
		return good && good_ranges(r, c);
	case OP_IO_MGMT_RECEIVE:
	case OP_IO_MGMT_SEND:
		return good && good_management(r, c);
	}
	return false;
}

/* Host bytes are counted for a handle and for an identifier. */
static void expect_bytes(struct run *r, const struct nvme_uring_cmd *c, uint64_t bytes)
{
	uint32_t pid = c->cdw13 >> 16;
	bool known = is_placed(c) && pid < r->m->g->ruhs;

	r->counters.host_bytes += bytes;
	r->counters.ruh_bytes[known ? pid : 0] += bytes;
	if (known)
		r->commands.pid_bytes[pid] += bytes;
	else
		r->commands.default_bytes += bytes;
}

static void expect_zeros(struct run *r, const struct nvme_uring_cmd *c)
{
	uint64_t bytes = (uint64_t)blocks_of(c) << BLOCK_SHIFT(r);

	memset(r->shadow + (slba_of(c) << BLOCK_SHIFT(r)), 0, bytes);
	r->commands.zeroed_blocks += blocks_of(c);
	r->commands.bad_pids += is_placed(c) && c->cdw13 >> 16 >= r->m->g->ruhs;
	if (c->cdw12 & 1 << 25) {
		/* Deallocates: writes parts of two pages at the most, where these held something. */
		bytes = r->m->s->counters.host_bytes - r->counters.host_bytes;
		must(bytes < 2 * MODEL_PAGE, "a deallocation wrote %" PRIu64 " bytes", bytes);
	}
	expect_bytes(r, c, bytes);
}

static void expect_ranges(struct run *r, const struct nvme_uring_cmd *c)
{
	uint32_t nr = c->cdw11 & 4 ? (c->cdw10 & 0xff) + 1 : 0, blocks;
	uint64_t slba;

	for (uint32_t i = 0; i < nr; i++) {
		uint64_t from, to;

		get_range(i, &slba, &blocks, controller_data(c));
		if (!blocks)
			continue;
		from = ((slba << BLOCK_SHIFT(r)) + MODEL_PAGE - 1) / MODEL_PAGE;
		to = ((slba + blocks) << BLOCK_SHIFT(r)) / MODEL_PAGE;
		if (from < to)
			memset(r->shadow + from * MODEL_PAGE, 0, (to - from) * MODEL_PAGE);
	}
	r->commands.deallocates++;
}

/* The command did what it says. */
static void expect_effects(struct run *r, const struct nvme_uring_cmd *c)
{
	uint64_t at = slba_of(c) << BLOCK_SHIFT(r), bytes = c->data_len;

	switch (c->opcode) {
	case OP_FLUSH:
		r->commands.flushes++;
		break;
	case OP_READ:
		r->commands.reads++;
		r->commands.read_blocks += blocks_of(c);
		break;
	case OP_WRITE:
		memcpy(r->shadow + at, controller_data(c), bytes);
		r->commands.writes++;
		r->commands.written_blocks += blocks_of(c);
		r->commands.bad_pids += is_placed(c) && c->cdw13 >> 16 >= r->m->g->ruhs;
		expect_bytes(r, c, bytes);
		break;
	case OP_WRITE_ZEROES:
		expect_zeros(r, c);
		break;
	case OP_DSM:
		expect_ranges(r, c);
	}
}

/* Statuses that the drive has; a fault may have any. */
static bool known_status(const struct run *r, uint16_t status)
{
	static const uint16_t known[] = {
		0,
		SC_INVALID_OPCODE,
		SC_INVALID_FIELD,
		SC_INVALID_NAMESPACE,
		SC_COMMAND_SEQUENCE,
		SC_DATA_LENGTH,
		SC_FDP_DISABLED,
		SC_LBA_OUT_OF_RANGE,
		SC_INVALID_LOG_PAGE,
		SC_NOT_SAVEABLE,
		SC_NOT_CHANGEABLE,
	};

	if (r->m->s->nr_faults)
		return true;
	for (size_t i = 0; i < COUNT(known); i++)
		if (status == known[i])
			return true;
	return false;
}

/* How much of its buffer a command may fill. */
static uint64_t reply_limit(const struct nvme_uring_cmd *c, bool admin)
{
	if (!admin)
		return c->opcode == OP_READ		 ? c->data_len
		       : c->opcode == OP_IO_MGMT_RECEIVE ? (c->cdw11 + 1ULL) * 4
							 : 0;
	switch (c->opcode) {
	case OP_IDENTIFY:
		return 4096;
	case OP_GET_LOG_PAGE:
		return ((c->cdw11 & 0xffffULL) << 16 | c->cdw10 >> 16) * 4 + 4;
	case OP_GET_FEATURES:
		return (c->cdw10 & 0xff) == 0x1e ? (c->cdw11 >> 16 & 0xff) * 2 : 0;
	}
	return 0;
}

/* What the arena held there before the command. */
static uint8_t *before_of(const uint8_t *data)
{
	return before + (data - arena);
}

/* Nothing was changed around the buffer, nor in it where the command has no say. */
static void check_buffer(const struct nvme_uring_cmd *c, const struct model_result *result,
			 bool admin)
{
	uint32_t len = c->data_len < ARENA ? c->data_len : ARENA;
	uint64_t limit = result->status ? 0 : reply_limit(c, admin);
	uint8_t *data = arena + ARENA - len;

	for (uint32_t i = 1; i <= BEFORE; i++)
		must_command(data[-(int)i] == GUARD, "bytes before the buffer", c, result);
	if (!c->addr)
		limit = 0;
	if (limit > len)
		limit = len;
	memcpy(before_of(data), data, limit);
	must_command(!memcmp(before_of(data), data, len < LOOK ? len : LOOK),
		     "a buffer that it must not change", c, result);
}

static void check_times(const struct run *r, const struct nvme_uring_cmd *c,
			const struct model_result *result)
{
	if (!r->m->g->timing && !r->m->s->nr_faults)
		must_command(!result->due && !result->taken_up, "no time passes", c, result);
	if (result->taken_up)
		must_command(result->due >= result->taken_up, "ends before it began", c, result);
}

/* The shadow as the drive is now. */
static void take_over(struct run *r)
{
	for (uint64_t i = 0; i < r->m->g->pages; i++) {
		if (r->m->map[i] == MODEL_NONE)
			memset(r->shadow + i * MODEL_PAGE, 0, MODEL_PAGE);
		else
			memcpy(r->shadow + i * MODEL_PAGE, r->m->data + i * MODEL_PAGE, MODEL_PAGE);
	}
	r->counters = r->m->s->counters;
	r->commands = r->m->s->commands;
}

static void check_result(struct run *r, const struct nvme_uring_cmd *c,
			 const struct model_result *result, bool good)
{
	bool done = !result->status && result->due != MODEL_NEVER;

	must_command(known_status(r, result->status), "a status of its own", c, result);
	if (!r->m->s->nr_faults)
		must_command(done == good, good ? "fails" : "succeeds", c, result);
	if (r->m->s->nr_faults && result->due == MODEL_NEVER) {
		/* It hangs, or an injected delay has no end: only the drive knows. */
		take_over(r);
		return;
	}
	progress->succeeded += done;
	if (!done)
		return;
	must_command(good, "succeeds", c, result);
	if (c->opcode == OP_READ)
		must_command(!memcmp(controller_data(c), r->shadow + (slba_of(c) << BLOCK_SHIFT(r)),
				     c->data_len),
			     "reads what is not there", c, result);
	expect_effects(r, c);
}

/* A part of a log page is that part of the whole, and zeros follow it. */
static void check_log(const struct run *r, const struct nvme_uring_cmd *c,
		      const struct model_result *result)
{
	static uint8_t page[MODEL_PAGE];
	struct nvme_uring_cmd whole = *c;
	struct model_result ignored;
	uint64_t offset = (uint64_t)c->cdw13 << 32 | c->cdw12, limit = reply_limit(c, true);

	if (!c->addr || r->m->g->timing)
		return;
	whole.addr = (uintptr_t)page;
	whole.data_len = sizeof(page);
	whole.cdw10 = (c->cdw10 & 0xffff) | 1023 << 16;
	whole.cdw11 = c->cdw11 & 0xffff0000;
	whole.cdw12 = whole.cdw13 = 0;
	model_admin(r->m, &whole, &ignored);
	for (uint32_t i = 0; i < c->data_len && i < limit && i < LOOK; i++)
		must_command(controller_data(c)[i] ==
				     (offset + i < sizeof(page) ? page[offset + i] : 0),
			     "a part of a log page differs", c, result);
}

static void issue(struct run *r, const struct nvme_uring_cmd *c, bool admin)
{
	bool good = !admin && is_good(r, c);
	struct model_result result;

	progress->commands++;
	if (!admin) {
		model_io(r->m, c, &result);
		check_result(r, c, &result, good);
	} else {
		model_admin(r->m, c, &result);
		must_command(known_status(r, result.status), "a status of its own", c, &result);
		progress->succeeded += !result.status;
		if (c->opcode == OP_GET_LOG_PAGE && !result.status)
			check_log(r, c, &result);
	}
	check_buffer(c, &result, admin);
	check_times(r, c, &result);
}

static void check_units(const struct run *r, const uint32_t *valid)
{
	const struct model *m = r->m;
	uint64_t programmed = m->s->counters.erased_pages;
	uint32_t unused = 0;

	for (uint32_t i = 0; i < m->g->rus; i++) {
		const struct model_unit *u = &m->unit[i];

		unused += u->state == MODEL_UNIT_FREE;
		programmed += u->written;
		must(u->state == MODEL_UNIT_FREE || u->valid == valid[i],
		     "unit %u holds %u valid pages, says %u", i, valid[i], u->valid);
		must(u->written <= m->g->ru_pages && (u->state != MODEL_UNIT_FREE || !u->written),
		     "unit %u has %u pages written in state %u", i, u->written, u->state);
		must((u->state == MODEL_UNIT_OPEN) ==
			     (u->state != MODEL_UNIT_FREE && m->s->frontier[u->frontier] == i),
		     "unit %u and its frontier disagree", i);
	}
	must(unused == m->s->free_units, "%u units are free, says %u", unused, m->s->free_units);
	must(programmed == m->s->counters.host_pages + m->s->counters.relocated_pages,
	     "programs do not add up");
}

/* The map, the units and the counters add up, without ftl_rebuild's help. */
static void check_drive(const struct run *r)
{
	const struct model *m = r->m;
	uint32_t *valid = calloc(m->g->rus, sizeof(*valid));
	uint64_t mapped = 0;

	for (uint64_t i = 0; i < m->g->pages; i++) {
		uint32_t ppn = m->map[i];

		if (ppn == MODEL_NONE)
			continue;
		mapped++;
		must(ppn < m->g->rus * m->g->ru_pages && m->reverse[ppn] == i &&
			     ppn % m->g->ru_pages < m->unit[ppn / m->g->ru_pages].written,
		     "page %" PRIu64 " is mapped to %u", i, ppn);
		valid[ppn / m->g->ru_pages]++;
	}
	must(mapped == m->s->mapped_pages, "%" PRIu64 " pages are mapped, says %" PRIu64, mapped,
	     m->s->mapped_pages);
	check_units(r, valid);
	must(m->s->step.kind == MODEL_STEP_NONE, "a step is left");
	free(valid);
}

static void check_content(const struct run *r)
{
	const struct model *m = r->m;
	static const uint8_t zeros[MODEL_PAGE];

	for (uint64_t i = 0; i < m->g->pages; i++) {
		const uint8_t *page = m->map[i] == MODEL_NONE ? zeros : m->data + i * MODEL_PAGE;

		must(!memcmp(page, r->shadow + i * MODEL_PAGE, MODEL_PAGE),
		     "page %" PRIu64 " holds something else", i);
	}
}

/* Counters that the oracle does not follow are the drive's. */
static void check_counters(const struct run *r)
{
	struct model_counters counters = r->counters;
	struct model_command_counts commands = r->commands;
	const struct model_state *s = r->m->s;

	counters.host_pages = s->counters.host_pages;
	counters.relocated_pages = s->counters.relocated_pages;
	counters.erased_units = s->counters.erased_units;
	counters.erased_pages = s->counters.erased_pages;
	commands.deallocated_pages = s->commands.deallocated_pages;
	commands.media_errors = s->commands.media_errors;
	commands.power_state_changes = s->commands.power_state_changes;
	must(!memcmp(&counters, &s->counters, sizeof(counters)), "bytes are counted wrongly");
	must(!memcmp(&commands, &s->commands, sizeof(commands)), "commands are counted wrongly");
}

/* --- commands ----------------------------------------------------------------------------- */

/* Valid ones but for their aim; data_len 0 for I/O: as long as its blocks. */
static const struct nvme_uring_cmd io_corpus[] = {
	{ .opcode = OP_FLUSH },
	{ .opcode = OP_FLUSH, .nsid = UINT32_MAX },
	{ .opcode = OP_READ },
	{ .opcode = OP_READ, .cdw12 = 7 },
	{ .opcode = OP_READ, .cdw12 = 511 },
	{ .opcode = OP_WRITE },
	{ .opcode = OP_WRITE, .cdw12 = 2 },
	{ .opcode = OP_WRITE, .cdw12 = 15 },
	{ .opcode = OP_WRITE, .cdw12 = 511 },
	{ .opcode = OP_WRITE, .cdw12 = 511 },
	{ .opcode = OP_WRITE, .cdw12 = 511 },
	{ .opcode = OP_WRITE, .cdw12 = 511 },
	{ .opcode = OP_WRITE, .cdw12 = 63 },
	{ .opcode = OP_WRITE, .cdw12 = 40 },
	{ .opcode = OP_WRITE, .cdw12 = 2 << 20 | 3, .cdw13 = 1 << 16 },
	{ .opcode = OP_WRITE, .cdw12 = 2 << 20 | 7, .cdw13 = 3 << 16 },
	{ .opcode = OP_WRITE_ZEROES, .cdw12 = 9 },
	{ .opcode = OP_WRITE_ZEROES, .cdw12 = 1 << 25 | 30 },
	{ .opcode = OP_WRITE_ZEROES, .cdw12 = 1 << 25 | 2 << 20 | 1, .cdw13 = 2 << 16 },
	{ .opcode = OP_DSM, .cdw10 = 0, .cdw11 = 4, .data_len = 16 },
	{ .opcode = OP_DSM, .cdw10 = 15, .cdw11 = 4, .data_len = 256 },
	{ .opcode = OP_DSM, .cdw10 = 255, .cdw11 = 4, .data_len = 4096 },
	{ .opcode = OP_IO_MGMT_RECEIVE, .cdw10 = 1, .cdw11 = 1023, .data_len = 4096 },
	{ .opcode = OP_IO_MGMT_SEND, .cdw10 = 1, .data_len = 2 },
	{ .opcode = OP_IO_MGMT_SEND, .cdw10 = 3 << 16 | 1, .data_len = 8 },
};

static const struct nvme_uring_cmd admin_corpus[] = {
	{ .opcode = OP_IDENTIFY, .cdw10 = 0, .data_len = 4096 },
	{ .opcode = OP_IDENTIFY, .cdw10 = 1, .data_len = 4096 },
	{ .opcode = OP_IDENTIFY, .cdw10 = 3, .data_len = 4096 },
	{ .opcode = OP_IDENTIFY, .cdw10 = 8, .data_len = 4096 },
	{ .opcode = OP_GET_LOG_PAGE, .cdw10 = 127 << 16 | 0x02, .data_len = 512 },
	{ .opcode = OP_GET_LOG_PAGE,
	  .cdw10 = 255 << 16 | 0x20,
	  .cdw11 = 1 << 16,
	  .data_len = 1024 },
	{ .opcode = OP_GET_LOG_PAGE,
	  .cdw10 = 511 << 16 | 0x21,
	  .cdw11 = 1 << 16,
	  .data_len = 2048 },
	{ .opcode = OP_GET_LOG_PAGE, .cdw10 = 15 << 16 | 0x22, .cdw11 = 1 << 16, .data_len = 64 },
	{ .opcode = OP_GET_LOG_PAGE,
	  .cdw10 = 1023 << 16 | 1 << 8 | 0x23,
	  .cdw11 = 1 << 16,
	  .data_len = 4096 },
	{ .opcode = OP_GET_LOG_PAGE, .cdw10 = 127 << 16 | 0xc0, .data_len = 512 },
	{ .opcode = OP_SET_FEATURES, .cdw10 = 0x02, .cdw11 = 1 },
	{ .opcode = OP_SET_FEATURES, .cdw10 = 0x07, .cdw11 = 0x30003 },
	{ .opcode = OP_SET_FEATURES, .cdw10 = 0x0b, .cdw11 = 0x1f },
	{ .opcode = OP_SET_FEATURES, .cdw10 = 0x1d, .cdw11 = 1, .cdw12 = 1 },
	{ .opcode = OP_SET_FEATURES, .cdw10 = 0x1e, .cdw11 = 2 << 16, .cdw12 = 1, .data_len = 2 },
	{ .opcode = OP_GET_FEATURES, .cdw10 = 0x02 },
	{ .opcode = OP_GET_FEATURES, .cdw10 = 3 << 8 | 0x07 },
	{ .opcode = OP_GET_FEATURES, .cdw10 = 0x1d, .cdw11 = 1 },
	{ .opcode = OP_GET_FEATURES, .cdw10 = 0x1e, .cdw11 = 4 << 16, .data_len = 8 },
};

/* A first block for so many: anywhere, or at an edge of the drive. */
static uint64_t aim(const struct run *r, uint32_t blocks)
{
	uint64_t size = r->m->g->pages * MODEL_PAGE >> BLOCK_SHIFT(r);
	uint64_t last = size > blocks ? size - blocks : 0;

	switch (below(8)) {
	case 0:
		return last + below(4) - 1;
	case 1:
		return below(4);
	case 2:
		return below(last + 1) & ~7ULL;
	}
	return below(last + 1);
}

static void mutate_command(const struct run *r, struct nvme_uring_cmd *c)
{
	uint32_t *const dwords[] = { &c->cdw10, &c->cdw11, &c->cdw12, &c->cdw13,   &c->cdw14,
				     &c->cdw15, &c->cdw2,  &c->cdw3,  &c->data_len };
	uint32_t size = r->m->g->pages, *dword = dwords[below(COUNT(dwords))];

	switch (below(11)) {
	case 0:
		c->opcode = rnd();
		break;
	case 1:
		c->flags = rnd();
		break;
	case 2:
		c->nsid = odd_number(1);
		break;
	case 3:
		c->addr = 0;
		break;
	case 4:
		c->data_len = odd_number(4096);
		break;
	case 5:
	case 6:
		*dword ^= 1U << below(32);
		break;
	case 7:
		*dword = (*dword & 0xffff0000) | (odd_number(size) & 0xffff);
		break;
	case 8:
		c->cdw12 = below(300) * 4; /* an offset in a log page */
		break;
	case 9:
		*dword = *dwords[below(COUNT(dwords))];
		break;
	default:
		*dword = odd_number(size);
	}
}

/* What the data of the command mean, mostly in range; or blocks that all differ. */
static void fill_data(const struct run *r, const struct nvme_uring_cmd *c, bool admin,
		      uint8_t *data, uint32_t len)
{
	uint64_t word = (uint64_t)rnd() << 32 | rnd();

	for (uint32_t at = 0; at + 8 <= len && len <= 2 << 20; at += len < 4096 ? 8 : 512) {
		memcpy(data + at, &word, 8);
		word += 0x9e3779b97f4a7c15ULL;
	}
	if (admin) {
		for (uint32_t i = 0; i < len && i < 256; i++)
			data[i] = below(8) ? below(2) * 3 : rnd();
	} else if (c->opcode == OP_DSM) {
		bool wild = !below(8);

		for (uint32_t i = 0; (i + 1) * 16 <= len && i < 256; i++) {
			uint32_t blocks = wild ? odd_number(64) : below(12);

			bytes_put32(data + i * 16 + 4, blocks);
			bytes_put64(data + i * 16 + 8, wild ? aim(r, blocks) : below(aim(r, 64)));
		}
	} else if (c->opcode == OP_IO_MGMT_SEND) {
		for (uint32_t i = 0; i + 2 <= len && i < 512; i += 2)
			bytes_put16(data + i,
				    below(32) ? below(r->m->g->ruhs) : odd_number(r->m->g->ruhs));
	}
}

/* Where the data lie: their end is the arena's, so that a byte too many is an access too many. */
static void place_data(const struct run *r, struct nvme_uring_cmd *c, bool admin)
{
	uint32_t len = c->data_len;
	uint8_t *data;

	/* The host vouches for its buffer: only transfers check how long it may be. */
	if (len > ARENA) {
		if (admin || c->opcode == OP_IO_MGMT_RECEIVE)
			c->data_len = ARENA;
		len = ARENA;
	}
	data = arena + ARENA - len;
	fill_data(r, c, admin, data, len);
	memset(data - BEFORE, GUARD, BEFORE);
	memcpy(before_of(data - BEFORE), data - BEFORE, BEFORE + (len <= 2 << 20 ? len : LOOK));
	c->addr = c->addr ? (uintptr_t)data : 0;
}

static void make_io(const struct run *r, struct nvme_uring_cmd *c)
{
	*c = io_corpus[below(COUNT(io_corpus))];
	if ((c->cdw12 & 0xffff) == 511 && below(8))
		c->cdw12 -= below(511);
	if (c->opcode == OP_DSM && c->cdw10 == 255 && below(8))
		c->cdw10 = below(4);
	if (c->opcode == OP_READ || c->opcode == OP_WRITE || c->opcode == OP_WRITE_ZEROES) {
		uint32_t blocks = blocks_of(c);
		uint64_t slba = aim(r, blocks);

		c->cdw10 = slba;
		c->cdw11 = slba >> 32;
		if (c->opcode != OP_WRITE_ZEROES)
			c->data_len = blocks << BLOCK_SHIFT(r);
	}
}

/* Half of the commands stay as they are, so that the drive has a life. */
static void fuzz_command(struct run *r)
{
	bool admin = !below(6);
	struct nvme_uring_cmd c;

	if (admin)
		c = admin_corpus[below(COUNT(admin_corpus))];
	else
		make_io(r, &c);
	if (!c.nsid)
		c.nsid = 1;
	c.addr = 1;
	if (below(2))
		for (uint32_t n = 1 + below(3); n; n--)
			mutate_command(r, &c);
	place_data(r, &c, admin);
	issue(r, &c, admin);
}

/* As nsvim fail would make it. */
static void inject_fault(struct model_state *s)
{
	static const uint32_t opcodes[] = { OP_READ, OP_WRITE, OP_DSM, OP_FLUSH, UINT32_MAX };
	uint32_t i = below(3);

	s->fault[i] = (struct model_fault){ .kind = 1 + below(4),
					    .opcode = opcodes[below(COUNT(opcodes))],
					    .first = below(2) ? 0 : below(500),
					    .last = below(2) ? UINT64_MAX : below(1000),
					    .every = 1 + below(4),
					    .left = below(2) ? UINT64_MAX : below(20),
					    .delay_ns = odd_number(1000000),
					    .status = below(2) ? 0x4281 : 0 };
	s->nr_faults = below(4) ? i + 1 : 0;
}

static void fuzz_commands(struct run *r, uint32_t nr, bool faults)
{
	for (uint32_t i = 0; i < nr; i++) {
		if (faults && !below(100))
			inject_fault(r->m->s);
		fuzz_command(r);
	}
	check_drive(r);
	check_counters(r);
	check_content(r);
}

/* --- drives ------------------------------------------------------------------------------- */

static void random_states(struct model_geometry *g)
{
	uint32_t mw = 10000 + below(2000) * 10;

	g->nr_power_states = 1 + below(5);
	for (uint32_t i = 0; i < g->nr_power_states; i++) {
		g->power[i] = (struct model_power_state){ .max_mw = mw,
							  .idle_mw = mw / (2 + below(4)),
							  .entry_us = below(5000),
							  .exit_us = below(5000),
							  .operational = !i || below(3) };
		mw -= below(mw / 20) * 10;
	}
}

/* One that can be made, small; all kinds occur. */
static struct model_geometry random_drive(void)
{
	struct model_geometry g;
	char why[MODEL_WHY_LEN];

	do {
		g = (struct model_geometry){ .pages = 256 + below(500),
					     .lba_shift = below(2) ? 9 : 12,
					     .ru_pages = 4 << below(4),
					     .reserve = 1 + below(3),
					     .fdp = below(3),
					     .ruh_type = 1 + below(2),
					     .timing = !below(3),
					     .seed = rnd(),
					     .created = 1 };
		if (g.fdp)
			g.ruhs = below(8) ? 1 + below(8) : MODEL_MAX_RUHS;
		g.dies = 1 + below(g.ru_pages);
		if (below(2))
			random_states(&g);
		why[0] = '\0';
	} while (model_plan(&g, why));
	g.rus += below(4) ? 0 : below(40);
	must(!model_plan(&g, why), "more units, and then: %s", why);
	return g;
}

static void open_drive(struct run *r)
{
	char why[MODEL_WHY_LEN] = "";

	must(!model_open(path, &r->m, why), "does not open: %s", why);
}

static void close_drive(struct run *r)
{
	model_close(r->m);
	free(r->shadow);
}

static void make_drive(struct run *r, const struct model_geometry *g)
{
	char why[MODEL_WHY_LEN] = "";

	unlink(path);
	must(!model_create(path, g, why), "is not made: %s", why);
	open_drive(r);
	r->shadow = malloc(g->pages * MODEL_PAGE);
	take_over(r);
}

static void reopen(struct run *r)
{
	model_close(r->m);
	open_drive(r);
	check_drive(r);
	check_counters(r);
	check_content(r);
}

/* A new drive, and thousands of commands. */
static void fuzz_stream(void)
{
	struct model_geometry g = random_drive();
	bool faults = !below(4);
	struct run r = { 0 };

	make_drive(&r, &g);
	for (int part = 0; part < 3; part++) {
		fuzz_commands(&r, STREAM_COMMANDS / 3, faults);
		reopen(&r);
	}
	progress->relocated += r.m->s->counters.relocated_pages;
	close_drive(&r);
}

/* Any geometry is refused, or is whole: planning it once more changes nothing. */
static void fuzz_plan(void)
{
	struct model_geometry g = bases[below(BASES)].h.geometry, again;
	char why[MODEL_WHY_LEN] = "";
	uint8_t *bytes = (uint8_t *)&g;

	for (uint32_t n = 1 + below(6); n; n--) {
		uint32_t value = odd_number(g.pages);
		size_t at = below(4) ? offsetof(struct model_geometry, power) : sizeof(g);

		memcpy(bytes + below(at / 4) * 4, &value, 4);
	}
	if (model_plan(&g, why)) {
		must(*why && !strchr(why, '\n'), "a geometry is refused without a reason");
		return;
	}
	again = g;
	must(!model_plan(&again, why), "a geometry was whole, and then: %s", why);
	must(!memcmp(&again, &g, sizeof(g)), "a whole geometry changes");
}

/* --- images ------------------------------------------------------------------------------- */

/* CRC-32C of the header, as the image has it; our own. */
static void fix_checksum(uint8_t *bytes)
{
	struct model_header *h = (struct model_header *)bytes;
	uint32_t crc = ~0U;

	h->checksum = 0;
	for (size_t i = 0; i < sizeof(*h) * 8; i++) {
		bool bit = bytes[i / 8] >> i % 8 & 1;

		crc = crc >> 1 ^ ((crc & 1) != bit ? 0x82f63b78 : 0);
	}
	h->checksum = ~crc;
}

/* Of an image that lies in memory. */
struct parts {
	const struct model_geometry *g; /* as the image was made */
	struct model_state *s;
	struct model_unit *unit;
	uint32_t *map, *reverse;
};

static struct parts parts_of(const struct image *image)
{
	return (struct parts){
		.g = &image->h.geometry,
		.s = (struct model_state *)(image->bytes + image->h.state),
		.unit = (struct model_unit *)(image->bytes + image->h.units),
		.map = (uint32_t *)(image->bytes + image->h.map),
		.reverse = (uint32_t *)(image->bytes + image->h.reverse),
	};
}

/* Counters that add up, so that what lies deeper is reached. */
static void fix_counters(struct image *image)
{
	struct parts p = parts_of(image);
	struct model_counters *c = &p.s->counters;
	uint64_t programmed = c->erased_pages;

	for (uint32_t i = 0; i < p.g->rus; i++)
		if (p.unit[i].state != MODEL_UNIT_FREE)
			programmed += p.unit[i].written;
	c->host_pages = programmed - c->relocated_pages;
	c->host_bytes = 0;
	for (uint32_t i = 0; i < MODEL_MAX_RUHS; i++)
		c->host_bytes += c->ruh_bytes[i];
}

/* One of the file's parts: offset and length. */
static size_t some_part(const struct image *image, size_t *len)
{
	const struct model_header *h = &image->h;
	const size_t parts[][2] = {
		{ 0, sizeof(*h) },
		{ h->state, offsetof(struct model_state, staging) },
		{ h->state + offsetof(struct model_state, counters),
		  sizeof(struct model_state) - offsetof(struct model_state, counters) },
		{ h->state + offsetof(struct model_state, power), sizeof(struct model_power) },
		{ h->units, h->geometry.rus * sizeof(struct model_unit) },
		{ h->map, h->geometry.pages * 4 },
		{ h->reverse, (size_t)h->geometry.rus * h->geometry.ru_pages * 4 },
		{ h->buffer, h->geometry.buffer_pages * 8 },
	};
	uint32_t i = below(COUNT(parts));

	*len = parts[i][1];
	return parts[i][0];
}

static void change_words(struct image *image)
{
	size_t len, at = some_part(image, &len);
	uint32_t *word = (uint32_t *)(image->bytes + at);

	for (uint32_t n = 1 + below(4); n; n--) {
		size_t i = below(len / 4);

		switch (below(4)) {
		case 0:
			word[i] ^= 1U << below(32);
			break;
		case 1:
			word[i] = word[below(len / 4)];
			break;
		case 2:
			word[i] += below(3) - 1;
			break;
		default:
			word[i] = odd_number(image->h.geometry.pages);
		}
	}
}

static void change_range(struct image *image)
{
	size_t len, at = some_part(image, &len), from = below(len), nr = below(len - from) + 1;
	const struct image *other = &bases[below(BASES)];

	at += from;
	switch (below(4)) {
	case 0:
		memset(image->bytes + at, 0, nr);
		break;
	case 1:
		memset(image->bytes + at, 0xff, nr);
		break;
	default: /* another drive's */
		if (at + nr <= other->len)
			memcpy(image->bytes + at, other->bytes + at, nr);
	}
}

static void change_units(struct image *image)
{
	struct parts p = parts_of(image);
	uint32_t many = below(3) ? 1 + below(4) : p.g->rus;

	for (uint32_t n = 0; n < many; n++) {
		struct model_unit *u = &p.unit[many == p.g->rus ? n : below(p.g->rus)];

		u->state = below(16) ? below(3) : rnd();
		u->frontier = below(p.g->ruhs + 2);
		if (!below(4))
			u->written = odd_number(p.g->ru_pages);
	}
}

/* A process was killed in the middle of a change; of one that makes sense, or nearly. */
static void change_step(struct image *image)
{
	struct parts p = parts_of(image);
	struct model_counters *c = &p.s->counters;
	uint32_t unit = below(p.g->rus), lpn = below(p.g->pages), moved = below(2);

	p.s->step = (struct model_step){
		.kind = below(16) ? MODEL_STEP_PLACE + below(2) : rnd(),
		.lpn = lpn,
		.unit = unit,
		.ppn = unit * p.g->ru_pages + p.unit[unit].written,
		.staged = below(2),
		.host_bytes = c->host_bytes + (moved ? 0 : MODEL_PAGE),
		.host_pages = c->host_pages + !moved,
		.relocated_pages = c->relocated_pages + moved,
		.ruh_bytes = c->ruh_bytes[0] + (moved ? 0 : MODEL_PAGE),
		.erased_units = c->erased_units + 1,
		.erased_pages = c->erased_pages + p.unit[unit].written,
	};
	if (!below(4))
		p.s->step.ppn = odd_number(p.g->rus * p.g->ru_pages);
	if (!below(4))
		p.s->step.lpn = odd_number(p.g->pages);
	if (!below(4))
		p.s->step.unit = odd_number(p.g->rus);
	if (!below(4))
		p.s->step.ruh = odd_number(p.g->ruhs);
}

/* Another drive's content, without a contradiction: any units full, partly written, open or free. */
static void scatter(struct image *image)
{
	struct parts p = parts_of(image);
	uint32_t unused = below(3) * below(8), full = below(5), dense = below(8), lpn = 0;

	memset(p.map, 0xff, p.g->pages * sizeof(*p.map));
	for (uint32_t i = 0; i < p.g->rus; i++) {
		struct model_unit *u = &p.unit[i];

		*u = (struct model_unit){ .state = MODEL_UNIT_CLOSED,
					  .frontier = below(p.g->ruhs) };
		u->written = below(4) < full ? p.g->ru_pages : below(p.g->ru_pages + 1);
		if (below(32) < unused)
			u->state = MODEL_UNIT_FREE;
		else if (i <= p.g->ruhs && u->written < p.g->ru_pages && below(2)) {
			u->state = MODEL_UNIT_OPEN;
			u->frontier = i;
		}
		if (u->state == MODEL_UNIT_FREE)
			continue;
		for (uint32_t at = 0; at < u->written && lpn < p.g->pages; at++) {
			if (below(8) < dense)
				continue;
			p.reverse[i * p.g->ru_pages + at] = lpn;
			p.map[lpn++] = i * p.g->ru_pages + at;
		}
	}
	if (!below(8))
		p.unit[below(p.g->rus)].frontier = odd_number(p.g->ruhs * 2);
	if (!below(8))
		p.unit[below(p.g->rus)].state = MODEL_UNIT_OPEN;
	memset(&p.s->counters, 0, sizeof(p.s->counters));
	memset(&p.s->step, 0, sizeof(p.s->step));
}

/* Figures that stand at the geometry's beginning: sizes and numbers of things. */
static void change_geometry(struct image *image)
{
	struct model_header *h = (struct model_header *)image->bytes;
	uint32_t *word = (uint32_t *)&h->geometry;

	word += below(offsetof(struct model_geometry, power) / 4);
	*word = below(2) ? odd_number(image->h.geometry.pages) : *word + below(3) - 1;
}

/* What follows from the map and the units, and what indexes something. */
static void change_state(struct image *image)
{
	struct model_state *s = parts_of(image).s;
	uint32_t *const words[] = {
		&s->next_free,	 &s->free_units,	&s->unplaced,	 &s->nr_faults,
		&s->gc_die,	 &s->power.operational, &s->power.state, &s->turns,
		&s->frontier[0], &s->frontier[1],
	};
	uint64_t *const numbers[] = {
		&s->mapped_pages,	  &s->nr_events,
		&s->buffer_head,	  &s->gc_debt,
		&s->gc_horizon,		  &s->power.stalled_until,
		&s->power.gate_until,	  &s->power.drawn,
		&s->power.last_seen,	  &s->power.interval_start,
		&s->die[0].program_until, &s->die[0].read_until,
	};

	*words[below(COUNT(words))] = odd_number(image->h.geometry.rus);
	*numbers[below(COUNT(numbers))] = (uint64_t)odd_number(100) << below(33);
}

static void change_faults(struct image *image)
{
	inject_fault(parts_of(image).s);
}

static void change_image(struct image *image)
{
	static void (*const changes[])(struct image *) = {
		change_words, change_words, change_geometry, change_state, change_range,
		change_units, change_step,  scatter,	     scatter,	   change_faults,
	};

	for (uint32_t n = below(2) ? 1 : 1 + below(4); n; n--)
		changes[below(COUNT(changes))](image);
	if (below(4))
		fix_counters(image);
	if (below(8))
		fix_checksum(image->bytes);
	if (below(16))
		return;
	switch (below(4)) { /* cut off, or grown */
	case 0:
		image->file_bytes = below(image->file_bytes);
		break;
	case 1:
		image->file_bytes = below(image->len);
		break;
	case 2:
		image->file_bytes = below(sizeof(struct model_header) + 2);
		break;
	default:
		image->file_bytes += 1 + below(10000);
	}
}

static void write_image(const struct image *image)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	size_t len = image->len < image->file_bytes ? image->len : image->file_bytes;

	must(fd >= 0 && pwrite(fd, image->bytes, len, 0) == (ssize_t)len &&
		     !ftruncate(fd, image->file_bytes),
	     "%s: %s", path, strerror(errno));
	close(fd);
}

/* No time in the image keeps the host waiting for ever. */
static void check_patience(const struct run *r)
{
	struct nvme_uring_cmd c = { .opcode = OP_READ,
				    .nsid = 1,
				    .addr = (uintptr_t)arena,
				    .data_len = 1 << BLOCK_SHIFT(r) };
	struct model_result result;

	if (r->m->s->nr_faults)
		return;
	model_io(r->m, &c, &result);
	must_command(result.due < model_now(r->m) + LONG_NS, "takes hours", &c, &result);
	memcpy(before, arena, c.data_len);
}

/* Opening a damaged image says what is wrong, or gives a drive that works. */
static void fuzz_image(void)
{
	const struct image *base = &bases[below(BASES)];
	char why[MODEL_WHY_LEN] = "";
	struct image image = *base;
	struct run r = { 0 };
	int ret;

	image.bytes = malloc(image.len);
	memcpy(image.bytes, base->bytes, image.len);
	change_image(&image);
	write_image(&image);
	free(image.bytes);
	ret = model_open(path, &r.m, why);
	if (ret) {
		must(ret == -EINVAL && strlen(why) > strlen(path) && !strchr(why, '\n'),
		     "refused as %d: %s", ret, why);
		progress->refused++;
		return;
	}
	progress->opened++;
	r.shadow = malloc(r.m->g->pages * MODEL_PAGE);
	check_drive(&r);
	check_patience(&r);
	take_over(&r);
	fuzz_commands(&r, IMAGE_COMMANDS, false);
	reopen(&r);
	close_drive(&r);
}

/* A drive after some life, as the program leaves it. */
static void make_base(struct image *image, uint32_t commands)
{
	struct model_geometry g = random_drive();
	struct run r = { 0 };
	int fd;

	make_drive(&r, &g);
	fuzz_commands(&r, commands, false);
	image->h = *r.m->header;
	image->len = image->h.data;
	image->file_bytes = image->h.file_bytes;
	image->bytes = malloc(image->len);
	close_drive(&r);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	must(pread(fd, image->bytes, image->len, 0) == (ssize_t)image->len, "cannot be read");
	close(fd);
}

/* --- all of it ---------------------------------------------------------------------------- */

static void step(uint64_t iteration)
{
	progress->iteration = iteration;
	alarm(PATIENCE_S);
	start_step(iteration);
	fuzz_plan();
	if (iteration % (IMAGES + 1))
		fuzz_image();
	else
		fuzz_stream();
}

/* The child. The first steps make the images that the others change. */
static void work(clock_t seconds, const char *only)
{
	clock_t end = clock() + seconds * CLOCKS_PER_SEC;

	for (uint32_t i = 0; i < BASES; i++) {
		alarm(PATIENCE_S);
		start_step(~(uint64_t)i);
		make_base(&bases[i], i * 200);
	}
	if (only)
		step(strtoull(only, NULL, 0));
	for (uint64_t i = 0; !only && (i < 16 || clock() < end); i++)
		step(i);
	_exit(0);
}

static void make_arena(void)
{
	size_t page = sysconf(_SC_PAGESIZE), len = page + ARENA + page;

	progress = mmap(NULL, sizeof(*progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			-1, 0);
	arena = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	arena += page;
	mprotect(arena + ARENA, page, PROT_NONE);
	before = calloc(1, ARENA + BEFORE);
	before += BEFORE;
}

static bool ended_well(int status)
{
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return true;
	if (WIFSIGNALED(status))
		printf("# %s\n",
		       WTERMSIG(status) == SIGALRM ? "hangs" : strsignal(WTERMSIG(status)));
	printf("# once more: FUZZ_SEED=%" PRIu64 " FUZZ_ITERATION=%" PRIu64 "\n", seed,
	       progress->iteration);
	return false;
}

int main(void)
{
	const char *seconds = getenv("FUZZ_SECONDS"), *only = getenv("FUZZ_ITERATION");
	const char *asked = getenv("FUZZ_SEED");
	int status = -1;
	pid_t child;

	seed = asked ? strtoull(asked, NULL, 0) : DEFAULT_SEED;
	if (!mkdtemp(dir)) {
		printf("Bail out! %s: %s\n", dir, strerror(errno));
		return 1;
	}
	snprintf(path, sizeof(path), "%s/drive.nvsim", dir);
	make_arena();
	printf("# seed %" PRIu64 "\n", seed);
	fflush(stdout);
	child = fork();
	if (!child)
		work(seconds ? atoi(seconds) : 4, only);
	waitpid(child, &status, 0);
	ok(ended_well(status), "the drive stands mutated commands and images");
	printf("# %" PRIu64 " steps: %" PRIu64 " commands, %" PRIu64 " of them succeeded, %" PRIu64
	       " relocations; %" PRIu64 " images opened, %" PRIu64 " refused\n",
	       progress->iteration + 1, progress->commands, progress->succeeded,
	       progress->relocated, progress->opened, progress->refused);
	if (!only) {
		ok(progress->succeeded > progress->commands / 4 &&
			   progress->succeeded < progress->commands * 9 / 10,
		   "commands of both kinds");
		ok(progress->relocated > 1000, "garbage was collected");
		ok(progress->opened && progress->refused > progress->opened / 10,
		   "images of both kinds");
	}
	unlink(path);
	rmdir(dir);
	return done_testing();
}

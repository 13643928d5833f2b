/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The model drive's file: what lies where in it, who may touch it when, and how it survives the
 * death of a process at any instruction. Private to engine/model and to nvsim.
 *
 * The file, in order, each part starting on a page: header (fixed at creation), state, reclaim
 * units, map, reverse map, write buffer, which unit is next, data. Data lie by logical address: a relocation moves no
 * bytes. All of it is mapped and shared; so what a process stored before it was killed is there.
 *
 * Truth is in the map and in the units' state and write pointer. Valid counts, frontiers and the
 * number of free units follow from them and are rebuilt when a holder of the lock has died. Counters
 * do not follow from anything: each step that changes one is written down first (model_step).
 */
#ifndef ENGINE_MODEL_IMAGE_H
#define ENGINE_MODEL_IMAGE_H

#include <pthread.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "engine/model/model.h"

#define MODEL_MAGIC "NVSIM\r\n\x1a"

enum {
	MODEL_VERSION = 2,
	MODEL_PAGE = 4096, /* bytes of a map entry, a NAND page, a page of the file */
	MODEL_PAGE_SHIFT = 12,
	MODEL_MAX_RUHS = 128,
	MODEL_MAX_DIES = 1024,
	MODEL_MAX_CHANNELS = 64,
	MODEL_MAX_POWER_STATES = 32,
	MODEL_MAX_FAULTS = 32,
	MODEL_MAX_EVENTS = 63, /* that log page 23h can hold */
	MODEL_MAX_SPINNERS = 64,
};

/* Not a page: an entry of the map without data, a frontier without a unit. */
#define MODEL_NONE UINT32_MAX

enum model_ruh_type {
	MODEL_INITIALLY_ISOLATED = 1, /* the codes of log page 20h */
	MODEL_PERSISTENTLY_ISOLATED = 2,
};

struct model_power_state {
	uint32_t max_mw; /* milliwatts that it never exceeds */
	uint32_t idle_mw; /* what it draws without I/O; the rest is for operations */
	uint32_t entry_us, exit_us;
	uint32_t operational;
	uint32_t reserved;
};

/* What nvsim create decides. Times in ns, energies in nJ. */
struct model_geometry {
	uint64_t pages; /* capacity in map entries of 4 KiB */
	uint32_t lba_shift; /* 9 or 12 */
	uint32_t ru_pages; /* pages of a reclaim unit */
	uint32_t rus; /* reclaim units, over-provisioning included */
	uint32_t reserve; /* units that are always free */
	uint32_t ruhs; /* reclaim unit handles; 1 without FDP */
	uint32_t ruh_type; /* enum model_ruh_type */
	uint32_t fdp; /* 0: not supported; 1: supported, disabled; 2: enabled */
	uint32_t dies, channels;
	uint32_t buffer_pages; /* write buffer */
	uint32_t timing; /* 0: everything ends at once */
	uint32_t t_read, t_program, t_erase; /* a page, a page, a unit's part on one die */
	uint32_t t_transfer; /* a page over a channel */
	uint32_t e_read, e_program, e_erase; /* a page, a page, a whole unit */
	uint32_t nr_power_states;
	struct model_power_state power[MODEL_MAX_POWER_STATES];
	uint64_t seed;
	double scale; /* of a preset: how many times the real drive's parallelism */
	char preset[32]; /* "" when every figure was given */
	char serial[20], model[40],
		firmware[8]; /* ASCII, padded with spaces, as Identify has them */
	uint64_t created; /* seconds since 1970 */
};

struct model_header {
	char magic[8];
	uint32_t version;
	uint32_t checksum; /* CRC-32C of the header with this field 0 */
	uint64_t file_bytes;
	uint64_t state, units, map, reverse, buffer, data; /* offsets in the file, bytes */
	uint64_t next_units;
	struct model_geometry geometry;
};

enum model_unit_state {
	MODEL_UNIT_FREE,
	MODEL_UNIT_OPEN, /* a frontier: its owner's writes or relocations go there */
	MODEL_UNIT_CLOSED, /* full, or closed early by a reclaim unit handle update */
};

/* Whose data a unit takes. Host frontiers are 0 .. ruhs-1, GC frontiers follow. */
struct model_unit {
	uint32_t valid; /* pages that the map points to */
	uint32_t written; /* write pointer */
	uint16_t state;
	uint16_t frontier; /* index into model_state.frontier of the one that opened it */
};

/*
 * Exact counts over the drive's life. Bytes the host wrote, bytes the media took, and so on.
 * media_pages = host_pages + relocated_pages, always; the sum of ruh_bytes is host_bytes.
 */
struct model_counters {
	uint64_t host_bytes; /* HBMW */
	uint64_t
		host_pages; /* programs that host writes caused (512-byte writes take whole pages) */
	uint64_t relocated_pages; /* programs of garbage collection */
	uint64_t erased_units;
	uint64_t erased_pages; /* that were programmed in them */
	uint64_t ruh_bytes[MODEL_MAX_RUHS];
};

/* Counted by the command, by whoever holds the lock; a killed command is not counted. */
struct model_command_counts {
	uint64_t reads, writes; /* commands */
	uint64_t read_blocks, written_blocks; /* logical blocks */
	uint64_t deallocated_pages, zeroed_blocks;
	uint64_t flushes, deallocates;
	uint64_t pid_bytes[MODEL_MAX_RUHS]; /* written with that placement identifier */
	uint64_t default_bytes; /* written without one */
	uint64_t bad_pids; /* writes with an identifier that does not exist */
	uint64_t media_errors; /* injected */
	uint64_t power_state_changes;
};

/* The change under way, written down before it is made: recovery makes it again. */
enum model_step_kind {
	MODEL_STEP_NONE,
	MODEL_STEP_PLACE,
	MODEL_STEP_ERASE,
};

struct model_step {
	uint32_t kind;
	uint32_t lpn, ppn; /* PLACE: the page and where it goes */
	uint32_t unit;
	uint32_t ruh; /* PLACE by the host */
	uint32_t staged; /* PLACE: the page's data stand in model_state.staging */
	uint64_t host_bytes, host_pages, relocated_pages, ruh_bytes; /* afterwards */
	uint64_t erased_units, erased_pages; /* afterwards */
};

struct model_die {
	uint64_t read_until; /* ns, CLOCK_MONOTONIC */
	uint64_t program_until;
};

/* Of power: energies in nJ since the drive was powered on (its first opener). */
struct model_power {
	uint32_t state; /* in force */
	uint32_t operational; /* the last state that was */
	uint64_t stalled_until; /* a transition ends */
	uint64_t gate_until; /* the energy of all operations so far has been drawn */
	uint64_t read_gate_until; /* ... of the reads: they go before programs */
	uint64_t on_since, last_seen;
	uint64_t drawn; /* by operations, some of it still ahead until gate_until */
	uint64_t base; /* drawn without operations, up to last_seen */
	uint64_t interval_start, interval_drawn; /* the second under way */
	uint32_t interval_mw; /* mean of the last whole second */
	uint32_t max_interval_mw; /* the most of these */
	uint32_t workload_hint; /* of feature 02h; of no consequence */
	uint32_t reserved;
	uint64_t life_energy_mj; /* of power-ons that have ended */
};

enum model_fault_kind {
	MODEL_FAULT_NONE,
	MODEL_FAULT_STATUS, /* end with a status */
	MODEL_FAULT_HANG, /* never end */
	MODEL_FAULT_DELAY, /* end later by delay_ns */
	MODEL_FAULT_POWER, /* refuse Set Features, Power Management */
	/* of the connection, where the drive is served over a network */
	MODEL_FAULT_DROP, /* it ends */
	MODEL_FAULT_RESET, /* the controller resets: all of them end */
};

struct model_fault {
	uint32_t kind;
	uint32_t opcode; /* of an I/O command; UINT32_MAX: any */
	uint64_t first, last; /* logical blocks that it covers */
	uint64_t every; /* each n-th command that matches; 1: all */
	uint64_t left; /* how often it still strikes; UINT64_MAX: always */
	uint64_t matched; /* commands that matched so far */
	uint64_t delay_ns;
	uint32_t status;
	uint32_t reserved;
};

/* An FDP event as log page 23h prints it: 64 bytes, little-endian. */
struct model_event {
	uint8_t bytes[64];
};

struct model_state {
	pthread_mutex_t lock; /* robust, process-shared; made anew by the first opener */
	uint16_t initialised; /* the lock is */
	uint16_t preallocated; /* the file takes up all its space at once */
	uint32_t turns; /* odd: the lock is held, or its holder left in the middle of something */
	struct model_step step;
	uint8_t staging[MODEL_PAGE]; /* data of the page that is being written */
	struct model_counters counters;
	struct model_command_counts commands;
	uint32_t frontier[2 * MODEL_MAX_RUHS]; /* unit or MODEL_NONE */
	uint32_t free_units;
	uint32_t unplaced; /* the last host write named no handle */
	uint32_t next_free; /* where to look for a free unit first: wear is even */
	uint64_t mapped_pages;
	/* timing */
	struct model_die die[MODEL_MAX_DIES];
	uint64_t channel_until[MODEL_MAX_CHANNELS];
	uint64_t buffer_head; /* pages that ever went through the write buffer */
	uint64_t gc_debt; /* ns of die time that relocations still have to take */
	uint64_t gc_horizon; /* host pages over which they take it */
	uint32_t gc_die;
	uint32_t async_events; /* feature 0Bh as the host set it; the model sends none */
	struct model_power power;
	struct model_fault fault[MODEL_MAX_FAULTS];
	uint32_t nr_faults; /* entries in use; 0 keeps the hot path short */
	uint32_t host_event_mask[MODEL_MAX_RUHS]; /* FDP host events enabled, a bit a type */
	uint64_t nr_events; /* ever; the ring holds the last MODEL_MAX_EVENTS */
	struct model_event event[MODEL_MAX_EVENTS];
	/* Threads that spin for a completion now: their ids, 0: none. */
	int32_t spinner[MODEL_MAX_SPINNERS];
	uint64_t recoveries; /* deaths of a lock holder that were repaired */
	uint64_t power_ons;
	char boot_id
		[40]; /* of the host when it was powered on: CLOCK_MONOTONIC starts anew with it */
	uint64_t unsafe; /* first openings that found a step half done */
};

/* A handle: one thread's. Pointers lead into the mapping. */
struct model {
	int fd;
	uint8_t *base;
	const struct model_header *header;
	const struct model_geometry *g;
	struct model_state *s;
	struct model_unit *unit;
	uint32_t *map; /* logical page -> physical page or MODEL_NONE */
	uint32_t *reverse; /* physical page -> logical page that was written there */
	uint64_t *buffer; /* when each slot of the write buffer is free again, ns */
	uint8_t *data;
	uint32_t *victims; /* see units.h */
	uint64_t *vacant, *vacant_sum; /* there, too */
	uint32_t leaves; /* of that */
	uint32_t victim; /* the unit that is being collected, or MODEL_NONE */
	uint32_t nr_frontiers; /* host and GC */
	bool still; /* a copy of one moment: nothing to lock, nothing reaches the file */
	/* mapping.h has these: the file has failed, and how a command that meets that ends. */
	bool failed, explained, holds; /* the lock */
	uint32_t armed;
	pthread_t thread; /* that opened it, and so uses it */
	sigjmp_buf way_out;
	char why[MODEL_WHY_LEN];
	struct model_header copy; /* what header and g point to: a foreign hand cannot change it */
};

/*
 * model_plan - make a geometry whole and check it
 * @g: what is 0 gets its default
 * @why: MODEL_WHY_LEN bytes; on failure one line with what would be right
 *
 * Return: 0 or -EINVAL.
 */
int model_plan(struct model_geometry *g, char *why);

/*
 * Nobody else is attached, and nobody gets in before model_close: for what no other may see half
 * done. Return: 0 or -EBUSY.
 */
int model_claim(struct model *m);

/* To be the drive's one controller for hosts; others may be attached. Return: 0 or -EBUSY. */
int model_claim_service(struct model *m);

/*
 * Take and give back the drive. Everything in model_state but the spinners, and the unit tables,
 * maps and buffer, belong to the holder. Taking it repairs what a dead holder left.
 */
void model_lock(struct model *m);
void model_unlock(struct model *m);

/* CLOCK_MONOTONIC in ns; 0 with timing off, so that such a drive reads no clock. */
uint64_t model_now(const struct model *m);

/* Frontiers of garbage collection follow the host's: one, or one a handle. */
static inline uint32_t model_gc_frontier(const struct model *m, uint32_t victims_frontier)
{
	uint32_t ruhs = m->g->ruhs;

	if (m->g->ruh_type != MODEL_PERSISTENTLY_ISOLATED)
		return ruhs;
	return victims_frontier < ruhs ? ruhs + victims_frontier : victims_frontier;
}

#endif

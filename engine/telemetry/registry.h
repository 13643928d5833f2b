/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What all jobs of a run know of each other while telemetry is on: the devices, the jobs on each, the
 * groups of jobs that run together, the drive's counters at their edges, the samples. Memory that
 * fio's parent makes and its job processes and threads share. Sends no command, writes no file.
 */
#ifndef ENGINE_TELEMETRY_REGISTRY_H
#define ENGINE_TELEMETRY_REGISTRY_H

#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/admin.h"
#include "engine/telemetry/log_pages.h"
#include "engine/telemetry/meter.h"
#include "engine/placement.h"
#include "engine/power/power.h"
#include "engine/telemetry/snapshot.h"
#include "engine/target.h"

enum {
	REGISTRY_DEVICES = 128,
	REGISTRY_JOBS = 4096, /* of a device; fio's own limit */
	REGISTRY_GROUPS = 256, /* of a device; what comes later is counted with the last */
	REGISTRY_SAMPLES =
		1 << 15, /* of a device; then every other one goes, and half as many come */
};

enum registry_state {
	JOB_EXPECTED, /* fio's parent knows of it */
	JOB_RUNNING,
	JOB_DONE,
	JOB_FAILED, /* in its set-up, or with an error */
	JOB_KILLED, /* its process went without a word */
};

/* One job on one device. */
struct registry_job {
	struct meter meter __attribute__((aligned(128)));
	uint32_t number; /* fio's thread number, from 1 */
	uint32_t state; /* enum registry_state */
	uint32_t group; /* index, while it runs and after */
	int32_t pid;
	char name[64];
	int32_t error; /* errno that fio has for it at its end */
	char placement[128], select[64]; /* as its options ask; "": none */
	bool fio_places; /* fio's own placement options are in use */
	uint16_t nr_pids; /* identifiers of nvme_placement=, in the order of their turns */
	uint16_t pid_list[PLACEMENT_MAX];
};

/* Jobs that run on a device together: from the first one's start to the last one's end. */
struct registry_group {
	struct snapshot begin, ramp_end, end, settle;
	bool open; /* it has begun, and not ended */
	bool interrupted; /* by a signal */
	bool ramp_is_over; /* for all that ran when it was for the last: ramp_end stays */
	uint32_t ramps_over; /* jobs whose ramp time was over at ramp_end */
	struct power_facts power; /* what nvme_power_state= did */
	uint32_t nr_handles; /* what Reclaim Unit Handle Status said at its begin */
	struct placement_handle handle[FDP_HANDLES_MAX];
	int32_t handles_result; /* 0, -errno, a status, or SNAPSHOT_NOT_ASKED */
};

/* The drive and the run at one moment. */
struct registry_sample {
	uint64_t at_ns; /* CLOCK_MONOTONIC */
	uint32_t group;
	uint16_t temperature; /* kelvins; 0: not known */
	uint8_t power_state, throttle_status;
	bool has_fdp, has_power_state, has_energy, has_interval_power;
	uint32_t throttle_count; /* transitions, both thermal management temperatures */
	u128 host_bytes, media_bytes; /* log 22h */
	uint64_t energy_uj;
	uint32_t interval_power_uw;
	uint64_t media_errors;
	uint64_t completed[METER_DIRECTIONS]; /* bytes of all jobs since they began */
	uint64_t completed_ios;
	double in_flight; /* mean since the last sample */
};

struct registry_device {
	pthread_mutex_t lock; /* robust; of all that is not atomic or one thread's own */
	pthread_mutex_t lead; /* robust; who holds it samples */
	uint32_t wake; /* a futex: changes when a sampler has to look */
	char key[TARGET_NAME_LEN]; /* target.node: what makes it the same device */
	char name[256]; /* as the user gave it */
	char label[TARGET_NAME_LEN]; /* what %d becomes */
	char file[PATH_MAX]; /* the sidecar */
	char wished[PATH_MAX]; /* as nvme_telemetry= had it */
	char path[PATH_MAX]; /* of a model drive's file; of a device's generic node */
	char controller[64]; /* /dev/nvmeX, or "" */
	bool is_model;
	uint32_t nsid, lba_shift;
	uint64_t bytes, max_transfer;
	uint32_t interval_ms; /* 0: no samples */
	uint32_t settle_ms;
	struct admin_identity identity;
	int32_t identity_result;
	struct drive_questions questions;
	bool asked; /* the once-only questions are: OCP's log, the configuration */
	int32_t configuration_result, ocp_result;
	struct fdp_configuration configuration;
	uint32_t fio_bytes; /* see metering.offset */
	uint32_t nr_jobs, nr_groups, nr_samples;
	uint64_t sample_every_ms; /* interval_ms, doubled each time that the samples overflow */
	uint64_t samples_dropped;
	uint8_t stream[65536]; /* of an identifier: its place in meter.placed */
	struct registry_group group[REGISTRY_GROUPS];
	struct registry_sample sample[REGISTRY_SAMPLES];
	struct registry_job job[REGISTRY_JOBS];
};

/* Remember which process is fio's parent. Call it before any other. */
void registry_init(void);

/* In fio's parent? Only what it makes is shared by the jobs. */
bool registry_in_parent(void);

/* The device with @key (target.node), or NULL. */
struct registry_device *registry_find(const char *key);

/* The @i-th device, or NULL behind the last. */
struct registry_device *registry_device(uint32_t i);

/* A new device with @key, zeroed. Return: NULL: no memory, or REGISTRY_DEVICES are there. */
struct registry_device *registry_add(const char *key);

/* The job with fio's @number on a device, or NULL. */
struct registry_job *registry_find_job(struct registry_device *d, uint32_t number);

/* A new one, JOB_EXPECTED. Return: NULL: REGISTRY_JOBS are there. */
struct registry_job *registry_add_job(struct registry_device *d, uint32_t number, const char *name);

/* The device's lock; a holder that died is no obstacle. */
void registry_lock(struct registry_device *d);
void registry_unlock(struct registry_device *d);

/* Take the lead if nobody has it. Return: true: it is the caller's. */
bool registry_try_lead(struct registry_device *d);
void registry_leave_lead(struct registry_device *d);

/* Jobs that run now; those whose process is gone become JOB_KILLED. Under the lock. */
uint32_t registry_running(struct registry_device *d);

/*
 * No process of the run is left: what was running was killed. For a guardian, who knows it before the
 * system shows them as dead. Under the lock.
 */
void registry_all_gone(struct registry_device *d);

/* A sample more; when there are too many, every other one goes. Under the lock or in the lead. */
void registry_add_sample(struct registry_device *d, const struct registry_sample *s);

#endif

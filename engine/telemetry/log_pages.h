/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the log pages of a drive say, out of their little-endian bytes. Reads no drive.
 * Layouts: NVMe Base 2.1 and 2.3 (02h, 20h, 22h), OCP Datacenter NVMe SSD 2.0 (C0h).
 */
#ifndef ENGINE_TELEMETRY_LOG_PAGES_H
#define ENGINE_TELEMETRY_LOG_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Counters of a drive's life have 128 bits. */
typedef unsigned __int128 u128;

enum {
	LOG_SMART = 0x02,
	LOG_FDP_CONFIGURATIONS = 0x20,
	LOG_FDP_STATISTICS = 0x22,
	LOG_OCP_SMART = 0xc0,
	SMART_BYTES = 512,
	FDP_STATISTICS_BYTES = 64,
	OCP_BYTES = 512,
	FDP_CONFIGURATIONS_BYTES = 8192, /* more than a few configurations take */
	FDP_HANDLES_MAX = 128,
	DATA_UNIT_BYTES = 512000, /* SMART counts in thousands of 512 bytes */
};

/* 22h, bytes: of the whole endurance group, over the life of its configuration. */
struct fdp_statistics {
	u128 host_bytes; /* HBMW: written by hosts */
	u128 media_bytes; /* MBMW: written to the media */
	u128 erased_bytes; /* MBE */
};

/* 02h */
struct smart_log {
	uint8_t critical_warning; /* bits */
	uint8_t spare, spare_threshold, used; /* percent */
	uint16_t temperature; /* kelvins; 0: not given */
	uint16_t sensor[8]; /* kelvins; 0: there is none */
	u128 units_read, units_written; /* of DATA_UNIT_BYTES, rounded up */
	u128 host_reads, host_writes; /* commands */
	u128 power_on_hours, unsafe_shutdowns, media_errors, error_entries;
	uint32_t warning_minutes, critical_minutes; /* above these temperatures */
	uint32_t throttle_count[2], throttle_seconds[2]; /* thermal management 1 and 2 */
	bool has_interval_power; /* NVMe 2.3 */
	uint32_t interval_power_uw; /* microwatts, mean of the last second */
};

/* C0h: what is used of it. */
struct ocp_log {
	u128 media_written, media_read; /* bytes */
	uint64_t uncorrectable_reads;
	uint8_t throttle_count, throttle_status;
	uint8_t free_blocks; /* percent */
	uint64_t power_state_changes;
};

/* 20h: one configuration. */
struct fdp_configuration {
	uint16_t nr_handles, identifiers; /* RUH, and the most identifiers of a namespace */
	uint32_t groups; /* reclaim groups */
	uint32_t namespaces; /* at the most */
	uint64_t unit_bytes; /* RUNS */
	uint8_t type[FDP_HANDLES_MAX]; /* RUHT: 1 initially, 2 persistently isolated */
};

u128 log_u128(const uint8_t *at);

/* Of FDP_STATISTICS_BYTES, SMART_BYTES. */
void log_read_fdp_statistics(const uint8_t *page, struct fdp_statistics *out);
void log_read_smart(const uint8_t *page, struct smart_log *out);

/* Return: false when these OCP_BYTES are not OCP's: another vendor's page has the same number. */
bool log_read_ocp(const uint8_t *page, struct ocp_log *out);

/*
 * log_read_fdp_configuration - one configuration of page 20h
 * @size: bytes of @page that were read
 *
 * Return: false when there is none with this @index.
 */
bool log_read_fdp_configuration(const uint8_t *page, size_t size, uint32_t index,
				struct fdp_configuration *out);

/* "340282366920938463463374607431768211455". @text: U128_TEXT bytes. Return: @text. */
enum {
	U128_TEXT = 40
};
char *u128_text(u128 value, char *text);

#endif

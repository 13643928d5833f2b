// SPDX-License-Identifier: GPL-2.0-only
// Decodes log pages: offsets are the specifications'.
#include "engine/telemetry/log_pages.h"

#include <string.h>

#include "engine/bytes.h"

u128 log_u128(const uint8_t *at)
{
	return (u128)bytes_get64(at + 8) << 64 | bytes_get64(at);
}

void log_read_fdp_statistics(const uint8_t *page, struct fdp_statistics *out)
{
	out->host_bytes = log_u128(page);
	out->media_bytes = log_u128(page + 16);
	out->erased_bytes = log_u128(page + 32);
}

/* A power value of NVMe 2.3: 16 bits, and a scale of 0.1 mW or 10 mW. Return: false without one. */
static bool read_power(uint32_t raw, uint32_t *uw)
{
	static const uint32_t scale_uw[4] = { 0, 100, 10000, 0 };

	*uw = (raw & 0xffff) * scale_uw[raw >> 16 & 3];
	return *uw; /* 0 is no drive's power: not given */
}

void log_read_smart(const uint8_t *page, struct smart_log *out)
{
	memset(out, 0, sizeof(*out));
	out->critical_warning = page[0];
	out->temperature = bytes_get16(page + 1);
	out->spare = page[3];
	out->spare_threshold = page[4];
	out->used = page[5];
	out->units_read = log_u128(page + 32);
	out->units_written = log_u128(page + 48);
	out->host_reads = log_u128(page + 64);
	out->host_writes = log_u128(page + 80);
	out->power_on_hours = log_u128(page + 128);
	out->unsafe_shutdowns = log_u128(page + 144);
	out->media_errors = log_u128(page + 160);
	out->error_entries = log_u128(page + 176);
	out->warning_minutes = bytes_get32(page + 192);
	out->critical_minutes = bytes_get32(page + 196);
	for (int i = 0; i < 8; i++)
		out->sensor[i] = bytes_get16(page + 200 + 2 * i);
	for (int i = 0; i < 2; i++) {
		out->throttle_count[i] = bytes_get32(page + 216 + 4 * i);
		out->throttle_seconds[i] = bytes_get32(page + 224 + 4 * i);
	}
	out->has_interval_power = read_power(bytes_get32(page + 240), &out->interval_power_uw);
}

/* Alike from either end? */
static bool same_bytes(const uint8_t *a, const uint8_t *b, size_t n)
{
	size_t same = 0;

	if (!memcmp(a, b, n))
		return true;
	while (same < n && a[same] == b[n - 1 - same])
		same++;
	return same == n;
}

bool log_read_ocp(const uint8_t *page, struct ocp_log *out)
{
	/* C5AF1028-EABF-F2A4-9C4F-6F7CC914D5AF, little-endian; QEMU (10.0) has it as it is read */
	static const uint8_t guid[16] = { 0xaf, 0xd5, 0x14, 0xc9, 0x7c, 0x6f, 0x4f, 0x9c,
					  0xa4, 0xf2, 0xbf, 0xea, 0x28, 0x10, 0xaf, 0xc5 };

	if (!same_bytes(page + 496, guid, sizeof(guid)))
		return false;
	out->media_written = log_u128(page);
	out->media_read = log_u128(page + 16);
	out->uncorrectable_reads = bytes_get64(page + 56);
	out->throttle_count = page[96];
	out->throttle_status = page[97];
	out->free_blocks = page[120];
	out->power_state_changes = bytes_get64(page + 200);
	return true;
}

bool log_read_fdp_configuration(const uint8_t *page, size_t size, uint32_t index,
				struct fdp_configuration *out)
{
	enum {
		HEADER = 16,
		DESCRIPTOR = 64, /* and 4 bytes a handle */
	};
	size_t at = HEADER;

	memset(out, 0, sizeof(*out));
	if (size < HEADER || index > bytes_get16(page))
		return false;
	for (; index && at + DESCRIPTOR <= size && bytes_get16(page + at); index--)
		at += bytes_get16(page + at);
	if (index || at + DESCRIPTOR > size)
		return false;
	out->groups = bytes_get32(page + at + 4);
	out->nr_handles = bytes_get16(page + at + 8);
	out->identifiers = bytes_get16(page + at + 10) + 1;
	out->namespaces = bytes_get32(page + at + 12);
	out->unit_bytes = bytes_get64(page + at + 16);
	for (uint32_t i = 0; i < out->nr_handles && i < FDP_HANDLES_MAX; i++)
		if (at + DESCRIPTOR + 4 * i < size)
			out->type[i] = page[at + DESCRIPTOR + 4 * i];
	return true;
}

char *u128_text(u128 value, char *text)
{
	char digits[U128_TEXT], *d = digits + sizeof(digits);

	*--d = '\0';
	do
		*--d = (char)('0' + (int)(value % 10));
	while (value /= 10);
	return memcpy(text, d, digits + sizeof(digits) - d);
}

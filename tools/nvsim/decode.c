// SPDX-License-Identifier: GPL-2.0-only
// Log pages, field by field. Offsets: NVMe Base 2.1, figures "SMART / Health Information Log Page",
// "FDP Configurations", "Reclaim Unit Handle Usage", "FDP Statistics", "FDP Events"; OCP Datacenter
// NVMe SSD Specification 2.0, "SMART / Health Information Extended".
#include "tools/nvsim/decode.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* A number of 1 to 16 bytes; what does not fit into 64 bits is shown as much. */
struct field {
	const char *name;
	uint16_t offset, bytes;
	const char *unit;
};

static uint64_t number(const uint8_t *data, uint32_t offset, uint32_t bytes)
{
	uint64_t value = 0;

	if (bytes > 8)
		bytes = 8;
	for (uint32_t i = bytes; i--;)
		value = value << 8 | data[offset + i];
	return value;
}

static bool is_huge(const uint8_t *data, const struct field *f)
{
	for (uint32_t i = 8; i < f->bytes; i++)
		if (data[f->offset + i])
			return true;
	return false;
}

static void print_fields(const struct field *f, const uint8_t *data)
{
	for (; f->name; f++) {
		printf("%-36s ", f->name);
		if (is_huge(data, f))
			printf("2^64 or more");
		else
			printf("%" PRIu64, number(data, f->offset, f->bytes));
		printf("%s%s\n", f->unit ? " " : "", f->unit ? f->unit : "");
	}
}

/* NVMe 2.3: 16 bits, and a scale of 0.1 or of 10 mW. */
static double interval_watts(uint32_t value)
{
	static const double scales[] = { 0, 1e-4, 1e-2, 0 };

	return (value & 0xffff) * scales[value >> 16 & 3];
}

static void print_smart(const uint8_t *data, uint32_t len)
{
	static const struct field fields[] = {
		{ "critical warning", 0, 1, NULL },
		{ "composite temperature", 1, 2, "K" },
		{ "available spare", 3, 1, "%" },
		{ "available spare threshold", 4, 1, "%" },
		{ "percentage used", 5, 1, "%" },
		{ "data units read", 32, 16, "x 512,000 bytes" },
		{ "data units written", 48, 16, "x 512,000 bytes" },
		{ "host read commands", 64, 16, NULL },
		{ "host write commands", 80, 16, NULL },
		{ "controller busy time", 96, 16, "min" },
		{ "power cycles", 112, 16, NULL },
		{ "power-on hours", 128, 16, "h" },
		{ "unsafe shutdowns", 144, 16, NULL },
		{ "media and data integrity errors", 160, 16, NULL },
		{ "error log entries", 176, 16, NULL },
		{ "operational lifetime energy", 232, 8, "Wh" },
		{ 0 },
	};

	print_fields(fields, data);
	printf("%-36s %.2f W\n", "interval power", interval_watts(number(data, 240, 4)));
}

static void print_ocp(const uint8_t *data, uint32_t len)
{
	static const struct field fields[] = {
		{ "physical media units written", 0, 16, "bytes" },
		{ "physical media units read", 16, 16, "bytes" },
		{ "uncorrectable read errors", 56, 8, NULL },
		{ "incomplete shutdowns", 112, 4, NULL },
		{ "thermal throttling events", 96, 1, NULL },
		{ "free blocks", 120, 1, "%" },
		{ "namespace utilisation", 152, 8, "blocks" },
		{ "power state changes", 200, 8, NULL },
		{ "log page version", 494, 2, NULL },
		{ 0 },
	};

	print_fields(fields, data);
	printf("%-36s ", "log page GUID");
	for (int i = 15; i >= 0; i--)
		printf("%02x", data[496 + i]);
	putchar('\n');
}

static void print_stats(const uint8_t *data, uint32_t len)
{
	static const struct field fields[] = {
		{ "host bytes with metadata written", 0, 16, "bytes" },
		{ "media bytes with metadata written", 16, 16, "bytes" },
		{ "media bytes erased", 32, 16, "bytes" },
		{ 0 },
	};
	double host = (double)number(data, 0, 8), media = (double)number(data, 16, 8);

	print_fields(fields, data);
	if (host > 0)
		printf("%-36s %.3f\n", "WAF", media / host);
}

static uint32_t configs_bytes(const uint8_t *data)
{
	uint32_t bytes = number(data, 4, 4);

	return bytes < 16 ? 16 : (bytes + 3) & ~3U;
}

static void print_config(const uint8_t *d, uint32_t index)
{
	static const char *const types[] = { "reserved", "initially isolated",
					     "persistently isolated" };
	uint32_t nruh = number(d, 8, 2);

	printf("configuration %u:%s\n", index, d[2] & 0x80 ? "" : " not valid");
	printf("  reclaim groups                     %" PRIu64 ", identifier bits %u\n",
	       number(d, 4, 4), d[2] & 0xf);
	printf("  reclaim unit nominal size          %" PRIu64 " bytes\n", number(d, 16, 8));
	printf("  placement identifiers at most      %" PRIu64 "\n", number(d, 10, 2) + 1);
	printf("  namespaces                         %" PRIu64 "\n", number(d, 12, 4));
	printf("  estimated reclaim unit time limit  %" PRIu64 " s\n", number(d, 24, 4));
	printf("  volatile write cache               %s\n", d[2] & 0x10 ? "yes" : "no");
	printf("  reclaim unit handles               %u\n", nruh);
	for (uint32_t i = 0; i < nruh; i++)
		printf("    %3u %s\n", i, types[d[64 + 4 * i] < 3 ? d[64 + 4 * i] : 0]);
}

static void print_configs(const uint8_t *data, uint32_t len)
{
	uint32_t nr = number(data, 0, 2) + 1, at = 16;

	for (uint32_t i = 0; i < nr && at + 64 <= len; i++) {
		uint32_t bytes = number(data, at, 2);

		if (bytes < 64 || at + bytes > len || 64 + 4 * number(data, at + 8, 2) > bytes) {
			printf("configuration %u: its length of %u bytes has no sense\n", i, bytes);
			return;
		}
		print_config(data + at, i);
		at += bytes;
	}
}

static uint32_t usage_bytes(const uint8_t *data)
{
	return 8 + 8 * number(data, 0, 2);
}

static void print_usage(const uint8_t *data, uint32_t len)
{
	static const char *const users[] = { "unused", "host", "controller" };

	printf("%-8s %s\n", "HANDLE", "USED BY");
	for (uint32_t i = 0; 8 + 8 * (i + 1) <= len; i++) {
		uint8_t attribute = data[8 + 8 * i];

		printf("%-8u %s\n", i, attribute < 3 ? users[attribute] : "reserved");
	}
}

static uint32_t events_bytes(const uint8_t *data)
{
	return 64 + 64 * number(data, 0, 4);
}

static const char *event_name(uint8_t type)
{
	switch (type) {
	case 0x00:
		return "reclaim unit not fully written";
	case 0x01:
		return "reclaim unit time limit exceeded";
	case 0x02:
		return "controller reset modified handles";
	case 0x03:
		return "invalid placement identifier";
	case 0x80:
		return "media reallocated";
	case 0x81:
		return "handle implicitly modified";
	default:
		return "unknown event";
	}
}

static void print_event(const uint8_t *e)
{
	uint64_t ms = number(e, 4, 6);
	time_t seconds = ms / 1000;
	char when[32] = "-";
	struct tm tm;

	if (ms && gmtime_r(&seconds, &tm))
		strftime(when, sizeof(when), "%F %T", &tm);
	printf("%s.%03u  %02Xh %s", when, (unsigned int)(ms % 1000), e[0], event_name(e[0]));
	if (e[1] & 1)
		printf(", identifier %" PRIu64, number(e, 2, 2));
	if (e[1] & 4)
		printf(", handle %" PRIu64, number(e, 34, 2));
	putchar('\n');
}

static void print_events(const uint8_t *data, uint32_t len)
{
	uint32_t nr = number(data, 0, 4);

	printf("%u events, times are UTC\n", nr);
	for (uint32_t i = 0; i < nr && 64 * (i + 2) <= len; i++)
		print_event(data + 64 * (i + 1));
}

const struct page pages[] = {
	{ "smart", 0x02, false, false, 512, NULL, print_smart },
	{ "fdp-configs", 0x20, true, false, 16, configs_bytes, print_configs },
	{ "fdp-usage", 0x21, true, false, 8, usage_bytes, print_usage },
	{ "fdp-stats", 0x22, true, false, 64, NULL, print_stats },
	{ "fdp-events", 0x23, true, true, 64, events_bytes, print_events },
	{ "ocp", 0xc0, false, false, 512, NULL, print_ocp },
	{ 0 },
};

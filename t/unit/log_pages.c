// SPDX-License-Identifier: GPL-2.0-only
// Log pages as a drive sends them, byte by byte; and 128-bit numbers as text.
#include "engine/telemetry/log_pages.h"
#include "t/unit/tap.h"

static void put(uint8_t *at, int bytes, uint64_t value)
{
	for (int i = 0; i < bytes; i++)
		at[i] = value >> (8 * i);
}

static void test_text(void)
{
	char text[U128_TEXT];

	is_str(u128_text(0, text), "0", "0");
	is_str(u128_text((u128)1 << 64, text), "18446744073709551616", "2^64");
	is_str(u128_text(~(u128)0, text), "340282366920938463463374607431768211455", "2^128 - 1");
}

static void test_fdp(void)
{
	uint8_t page[FDP_STATISTICS_BYTES] = { 0 };
	struct fdp_statistics s;

	put(page, 8, 0xfffffffffffff000);
	put(page + 8, 8, 1);
	put(page + 16, 8, 0x1000);
	put(page + 24, 8, 2);
	put(page + 32, 8, 7);
	log_read_fdp_statistics(page, &s);
	ok(s.host_bytes == ((u128)1 << 64) + 0xfffffffffffff000, "22h: HBMW has 128 bits");
	ok(s.media_bytes == ((u128)2 << 64) + 0x1000, "22h: MBMW");
	ok(s.erased_bytes == 7, "22h: MBE");
	ok(s.media_bytes - s.host_bytes == 0x2000, "a difference across 2^64");
}

static void test_smart(void)
{
	uint8_t page[SMART_BYTES] = { 0 };
	struct smart_log s;

	page[0] = 0x02;
	put(page + 1, 2, 313);
	page[3] = 97;
	page[5] = 4;
	put(page + 32, 8, 10);
	put(page + 48, 8, 20);
	put(page + 160, 8, 3);
	put(page + 192, 4, 5);
	put(page + 200, 2, 320);
	put(page + 216, 4, 6);
	put(page + 220, 4, 7);
	put(page + 224, 4, 8);
	log_read_smart(page, &s);
	ok(s.temperature == 313 && s.sensor[0] == 320, "02h: temperatures");
	ok(s.critical_warning == 2 && s.spare == 97 && s.used == 4, "02h: health");
	ok(s.units_read == 10 && s.units_written == 20, "02h: data units");
	ok(s.media_errors == 3 && s.warning_minutes == 5, "02h: errors, minutes above a limit");
	ok(s.throttle_count[0] == 6 && s.throttle_count[1] == 7 && s.throttle_seconds[0] == 8,
	   "02h: thermal management");
	ok(!s.has_interval_power, "02h: no power before NVMe 2.3");
	put(page + 240, 4, 1 << 16 | 12345);
	log_read_smart(page, &s);
	ok(s.has_interval_power, "02h: interval power is given");
	is_int(s.interval_power_uw, 1234500, "... in 0.1 mW");
	put(page + 240, 4, 2 << 16 | 850);
	log_read_smart(page, &s);
	is_int(s.interval_power_uw, 8500000, "... in 10 mW");
}

static void test_ocp(void)
{
	static const uint8_t guid[16] = { 0xaf, 0xd5, 0x14, 0xc9, 0x7c, 0x6f, 0x4f, 0x9c,
					  0xa4, 0xf2, 0xbf, 0xea, 0x28, 0x10, 0xaf, 0xc5 };
	uint8_t page[OCP_BYTES] = { 0 };
	struct ocp_log o;

	put(page, 8, 123);
	put(page + 8, 8, 1);
	put(page + 16, 8, 456);
	page[96] = 3;
	page[97] = 1;
	page[120] = 40;
	put(page + 200, 8, 9);
	ok(!log_read_ocp(page, &o), "C0h without OCP's GUID is another vendor's");
	memcpy(page + 496, guid, sizeof(guid));
	ok(log_read_ocp(page, &o), "C0h with it is read");
	for (int i = 0; i < 16; i++)
		page[496 + i] = guid[15 - i];
	ok(log_read_ocp(page, &o), "... in the other order too");
	page[496]++;
	ok(!log_read_ocp(page, &o), "... but not with a byte that differs");
	memcpy(page + 496, guid, sizeof(guid));
	ok(log_read_ocp(page, &o), "C0h as the specification has it");
	ok(o.media_written == ((u128)1 << 64) + 123 && o.media_read == 456, "C0h: media units");
	ok(o.throttle_count == 3 && o.throttle_status == 1 && o.free_blocks == 40 &&
		   o.power_state_changes == 9,
	   "C0h: throttling, free blocks, power state changes");
}

static void describe(uint8_t *d, uint16_t size, uint16_t handles, uint64_t unit, uint8_t type)
{
	put(d, 2, size);
	d[2] = 0x80;
	put(d + 4, 4, 1);
	put(d + 8, 2, handles);
	put(d + 10, 2, handles - 1);
	put(d + 12, 4, 2);
	put(d + 16, 8, unit);
	for (int i = 0; i < handles; i++)
		d[64 + 4 * i] = type;
}

static void test_configurations(void)
{
	uint8_t page[256] = { 0 };
	struct fdp_configuration c;

	put(page, 2, 1); /* two, 0-based */
	describe(page + 16, 72, 2, 1 << 24, 1);
	describe(page + 16 + 72, 80, 4, 1 << 30, 2);
	ok(log_read_fdp_configuration(page, sizeof(page), 0, &c), "20h: the first configuration");
	ok(c.nr_handles == 2 && c.identifiers == 2 && c.unit_bytes == 1 << 24 && c.type[1] == 1,
	   "... its handles and units");
	ok(log_read_fdp_configuration(page, sizeof(page), 1, &c), "20h: the second one");
	ok(c.nr_handles == 4 && c.unit_bytes == 1 << 30 && c.type[3] == 2 && c.groups == 1 &&
		   c.namespaces == 2,
	   "... its handles and units");
	ok(!log_read_fdp_configuration(page, sizeof(page), 2, &c), "20h: there is no third one");
	ok(!log_read_fdp_configuration(page, 60, 0, &c), "20h: a page that is cut");
	put(page + 16, 2, 0);
	ok(!log_read_fdp_configuration(page, sizeof(page), 1, &c), "20h: a descriptor of no size");
}

int main(void)
{
	test_text();
	test_fdp();
	test_smart();
	test_ocp();
	test_configurations();
	return done_testing();
}

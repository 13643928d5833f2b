// SPDX-License-Identifier: GPL-2.0-only
/*
 * The model drive's controller, command by command: data, statuses, and the bytes of every data
 * structure, which libnvme's layouts read here, not our own. Then commands of random bits.
 */
#include <errno.h>
#include <nvme/types.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/bytes.h"
#include "engine/model/controller.h"
#include "engine/model/model.h"
#include "t/unit/tap.h"

static char dir[] = "/tmp/model-controller-XXXXXX";
static char path[64];
static struct model *drive;
static struct model_result result;
static uint8_t buffer[4 << 20];

static uint64_t random_state = 88172645463325252ULL;

static uint32_t rnd(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state >> 32;
}

/* A drive of 4 MiB, 64 units, 4 handles. */
static struct model_geometry small(uint32_t lba_shift, uint32_t fdp, uint32_t timing)
{
	return (struct model_geometry){ .pages = 1024,
					.lba_shift = lba_shift,
					.ru_pages = 32,
					.rus = 64,
					.fdp = fdp,
					.ruhs = fdp ? 4 : 1,
					.timing = timing,
					.seed = 7 };
}

static void open_drive(struct model_geometry g)
{
	char why[MODEL_WHY_LEN] = "";

	if (drive)
		model_close(drive);
	drive = NULL;
	unlink(path);
	if (model_plan(&g, why) || model_create(path, &g, why) || model_open(path, &drive, why)) {
		printf("Bail out! %s\n", why);
		exit(1);
	}
}

static uint16_t io(struct nvme_uring_cmd c)
{
	if (!c.nsid)
		c.nsid = MODEL_NSID;
	model_io(drive, &c, &result);
	return result.status;
}

static uint16_t admin(struct nvme_uring_cmd c)
{
	if (!c.addr && c.data_len)
		c.addr = (uintptr_t)buffer;
	model_admin(drive, &c, &result);
	return result.status;
}

static struct nvme_uring_cmd rw(uint8_t opcode, uint64_t slba, uint32_t blocks, void *data)
{
	return (struct nvme_uring_cmd){ .opcode = opcode,
					.nsid = MODEL_NSID,
					.addr = (uintptr_t)data,
					.data_len = data ? blocks << drive->g->lba_shift : 0,
					.cdw10 = (uint32_t)slba,
					.cdw11 = slba >> 32,
					.cdw12 = blocks - 1 };
}

/* Write blocks of one byte. */
static uint16_t fill(uint64_t slba, uint32_t blocks, uint8_t byte)
{
	memset(buffer, byte, blocks << drive->g->lba_shift);
	return io(rw(OP_WRITE, slba, blocks, buffer));
}

static uint16_t write_pid(uint64_t slba, uint16_t pid)
{
	struct nvme_uring_cmd c = rw(OP_WRITE, slba, 1, buffer);

	c.cdw12 |= 2 << 20;
	c.cdw13 = (uint32_t)pid << 16;
	return io(c);
}

/* Do the blocks read as that byte, all of them? What surrounds the buffer must not change. */
static bool reads_as(uint64_t slba, uint32_t blocks, uint8_t byte)
{
	size_t len = blocks << drive->g->lba_shift;
	uint8_t *all = malloc(len + 2);
	bool same;

	memset(all, 0x5a, len + 2);
	same = !io(rw(OP_READ, slba, blocks, all + 1)) && all[0] == 0x5a && all[len + 1] == 0x5a;
	for (size_t i = 1; i <= len && same; i++)
		same = all[i] == byte;
	free(all);
	return same;
}

static uint16_t deallocate(uint64_t slba, uint32_t blocks)
{
	struct nvme_dsm_range range = { 0, htole32(blocks), htole64(slba) };

	return io((struct nvme_uring_cmd){ .opcode = OP_DSM,
					   .addr = (uintptr_t)&range,
					   .data_len = sizeof(range),
					   .cdw11 = 4 });
}

/* Get Log Page into the buffer, which held other bytes before. */
static uint16_t get_log(uint8_t id, uint32_t bytes, uint64_t offset)
{
	memset(buffer, 0x5a, sizeof(buffer));
	return admin((struct nvme_uring_cmd){ .opcode = OP_GET_LOG_PAGE,
					      .data_len = bytes,
					      .cdw10 = id | (bytes / 4 - 1) << 16 | 1 << 8,
					      .cdw11 = (bytes / 4 - 1) >> 16 | MODEL_ENDGID << 16,
					      .cdw12 = (uint32_t)offset,
					      .cdw13 = offset >> 32 });
}

static uint16_t get_feature(uint32_t id, uint32_t select, uint32_t cdw11)
{
	return admin((struct nvme_uring_cmd){
		.opcode = OP_GET_FEATURES, .cdw10 = id | select << 8, .cdw11 = cdw11 });
}

static uint16_t set_feature(uint32_t id, uint32_t cdw11)
{
	return admin(
		(struct nvme_uring_cmd){ .opcode = OP_SET_FEATURES, .cdw10 = id, .cdw11 = cdw11 });
}

static uint16_t identify(uint32_t cns, uint32_t nsid)
{
	memset(buffer, 0x5a, 8192);
	return admin((struct nvme_uring_cmd){
		.opcode = OP_IDENTIFY, .nsid = nsid, .cdw10 = cns, .data_len = 4096 });
}

static void test_data(void)
{
	open_drive(small(12, 0, 0));
	ok(reads_as(0, 512, 0), "a new drive reads as zeros, 2 MiB at once");
	is_int(fill(3, 1, 1), 0, "a write of one page");
	is_int(fill(1023, 1, 2), 0, "the last page");
	ok(reads_as(3, 1, 1) && reads_as(1023, 1, 2), "both read back");
	ok(reads_as(2, 1, 0) && reads_as(4, 1, 0), "their neighbours are untouched");
	is_int(fill(100, 512, 3), 0, "2 MiB, MDTS");
	ok(reads_as(100, 512, 3), "read back");
	is_int(deallocate(101, 2), 0, "deallocate two pages");
	ok(reads_as(100, 1, 3) && reads_as(101, 2, 0) && reads_as(103, 1, 3),
	   "they read as zeros, those beside them not");
	is_int(drive->s->commands.deallocated_pages, 2, "counted");
	is_int(io(rw(OP_WRITE_ZEROES, 103, 2, NULL)), 0, "Write Zeroes");
	ok(reads_as(103, 2, 0) && reads_as(105, 1, 3), "zeros there, not beyond");
	ok(drive->map[103] != MODEL_NONE, "zeros were written");
	is_int(io((struct nvme_uring_cmd){
		       .opcode = OP_WRITE_ZEROES, .cdw10 = 103, .cdw12 = 1 | 1 << 25 }),
	       0, "Write Zeroes that deallocates");
	ok(drive->map[103] == MODEL_NONE && drive->map[105] != MODEL_NONE, "it does");
	is_int(io(rw(OP_WRITE_ZEROES, 0, 1024, NULL)), 0, "Write Zeroes of the drive, past MDTS");
	ok(reads_as(100, 512, 0) && reads_as(1023, 1, 0), "all zeros");
	is_int(drive->s->mapped_pages, 1024, "all mapped");
	is_int(result.due, 0, "a drive without timing ends commands at once");
}

/* What a page's other blocks held before it was deallocated must not come back. */
static void test_small_blocks(void)
{
	struct model_command_counts *n;

	open_drive(small(9, 0, 0));
	n = &drive->s->commands;
	is_int(fill(0, 16, 0xaa), 0, "512-byte blocks: two pages");
	is_int(deallocate(0, 16), 0, "deallocated");
	is_int(fill(3, 1, 0xbb), 0, "one block of the first");
	ok(reads_as(0, 3, 0) && reads_as(3, 1, 0xbb) && reads_as(4, 4, 0),
	   "the rest of its page is zeros, not what was there once");
	is_int(fill(5, 1, 0xcc), 0, "another block of the page");
	ok(reads_as(3, 1, 0xbb) && reads_as(4, 1, 0) && reads_as(5, 1, 0xcc), "both are there");
	is_int(drive->s->counters.host_bytes, 18 * 512, "host bytes");
	is_int(drive->s->counters.host_pages, 4, "a part of a page programs a whole one");
	is_int(fill(17, 4096, 0xdd), 0, "2 MiB across 513 pages");
	ok(reads_as(17, 4096, 0xdd) && reads_as(16, 1, 0) && reads_as(4113, 1, 0),
	   "read back, neither more nor less");
	is_int(deallocate(20, 30), 0, "deallocate blocks 20 to 49");
	ok(reads_as(20, 4, 0xdd) && reads_as(24, 24, 0) && reads_as(48, 2, 0xdd),
	   "only the whole pages in it are forgotten");
	is_int(io((struct nvme_uring_cmd){
		       .opcode = OP_WRITE_ZEROES, .cdw10 = 60, .cdw12 = 99 | 1 << 25 }),
	       0, "Write Zeroes with deallocation, blocks 60 to 159");
	ok(reads_as(59, 1, 0xdd) && reads_as(60, 100, 0) && reads_as(160, 1, 0xdd),
	   "zeros there exactly");
	ok(drive->map[60 / 8] != MODEL_NONE && drive->map[64 / 8] == MODEL_NONE,
	   "parts were written, whole pages forgotten");
	is_int(io((struct nvme_uring_cmd){
		       .opcode = OP_WRITE_ZEROES, .cdw10 = 163, .cdw12 = 1 | 1 << 25 }),
	       0, "within one page");
	ok(reads_as(162, 1, 0xdd) && reads_as(163, 2, 0) && reads_as(165, 1, 0xdd), "likewise");
	is_int(n->default_bytes, drive->s->counters.host_bytes,
	       "what went without an identifier is all of it");
	is_int(n->written_blocks, 16 + 2 + 4096, "blocks written: Write Zeroes do not count");
	is_int(n->zeroed_blocks, 102, "they are counted apart");
}

static void test_statuses(void)
{
	static uint8_t ranges[2 * 16];
	static const struct {
		struct nvme_uring_cmd c;
		uint16_t status;
		const char *name;
	} cases[] = {
		{ { .opcode = 0x03 }, 0x4001, "no such opcode" },
		{ { .opcode = 0xff }, 0x4001, "opcode FFh" },
		{ { .opcode = OP_READ, .nsid = 2, .data_len = 4096 }, 0x400b, "namespace 2" },
		{ { .opcode = OP_READ, .nsid = UINT32_MAX, .data_len = 4096 },
		  0x400b,
		  "Read of all namespaces" },
		{ { .opcode = OP_FLUSH, .nsid = UINT32_MAX }, 0, "Flush of all namespaces" },
		{ { .opcode = OP_FLUSH }, 0, "Flush" },
		{ { .opcode = OP_READ, .flags = 1, .data_len = 4096 }, 0x4002, "fused" },
		{ { .opcode = OP_READ, .data_len = 8192 }, 0x400f, "more data than blocks" },
		{ { .opcode = OP_READ, .data_len = 512 }, 0x400f, "less data than blocks" },
		{ { .opcode = OP_WRITE, .data_len = 0 }, 0x400f, "a write without data" },
		{ { .opcode = OP_READ, .data_len = 4096, .cdw10 = 1024 }, 0x4080, "past the end" },
		{ { .opcode = OP_READ, .data_len = 8192, .cdw10 = 1023, .cdw12 = 1 },
		  0x4080,
		  "across the end" },
		{ { .opcode = OP_WRITE, .data_len = 4096, .cdw10 = ~0U, .cdw11 = ~0U },
		  0x4080,
		  "the last address of all" },
		{ { .opcode = OP_READ, .data_len = 2 << 20, .cdw12 = 512 }, 0x4002, "above MDTS" },
		{ { .opcode = OP_READ, .data_len = 256 << 20, .cdw12 = 0xffff },
		  0x4002,
		  "the longest there is" },
		{ { .opcode = OP_WRITE, .data_len = 4096, .cdw12 = 1 << 20 }, 0x4002, "streams" },
		{ { .opcode = OP_WRITE, .data_len = 4096, .cdw12 = 2 << 20 },
		  0x4002,
		  "data placement without FDP" },
		{ { .opcode = OP_WRITE_ZEROES, .cdw12 = 3 << 20 }, 0x4002, "a directive, zeroes" },
		{ { .opcode = OP_WRITE_ZEROES, .cdw10 = 1, .cdw12 = 1023 },
		  0x4080,
		  "Write Zeroes across the end" },
		{ { .opcode = OP_DSM, .data_len = 16, .cdw10 = 1, .cdw11 = 4 },
		  0x400f,
		  "two ranges announced, one given" },
		{ { .opcode = OP_DSM, .data_len = 16, .cdw11 = 4 },
		  0x4080,
		  "a range across the end" },
		{ { .opcode = OP_DSM, .data_len = 16, .cdw11 = 3 }, 0, "a hint" },
		{ { .opcode = OP_IO_MGMT_RECEIVE, .data_len = 64, .cdw10 = 1, .cdw11 = 15 },
		  0x4001,
		  "I/O Management Receive without FDP" },
		{ { .opcode = OP_IO_MGMT_SEND, .data_len = 2, .cdw10 = 1 },
		  0x4001,
		  "I/O Management Send without FDP" },
	};

	open_drive(small(12, 0, 0));
	fill(0, 8, 9);
	bytes_put32(ranges + 4, 2);
	bytes_put64(ranges + 8, 1023);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct nvme_uring_cmd c = cases[i].c;

		c.addr = (uintptr_t)(c.opcode == OP_DSM ? ranges : buffer);
		is_int(io(c), cases[i].status, cases[i].name);
	}
	is_int(io((struct nvme_uring_cmd){ .opcode = OP_READ, .data_len = 4096 }), 0x400f,
	       "a buffer at address 0");
	is_int(admin((struct nvme_uring_cmd){ .opcode = 0x0c }), 0x4001, "no such admin opcode");
	ok(reads_as(0, 8, 9), "none of them changed data");
}

static void test_identify_controller(void)
{
	const struct nvme_id_ctrl *id = (const void *)buffer;
	struct model_geometry g = small(12, 2, 0);

	g.nr_power_states = 3;
	g.power[0] = (struct model_power_state){ 25000, 5000, 100, 200, 1, 0 };
	g.power[1] = (struct model_power_state){ 12340, 4325, 300, 400, 1, 0 };
	g.power[2] = (struct model_power_state){ 70, 65, 2000, 8000, 0, 0 };
	memcpy(g.serial, "S123", 4);
	open_drive(g);
	is_int(identify(0x01, 0), 0, "Identify Controller");
	ok(!memcmp(id->sn, "S123                ", 20), "serial number, padded");
	ok(!memcmp(id->mn, "nvsim ", 6), "model number");
	is_int(id->mdts, 9, "MDTS: 2 MiB");
	is_int(le32toh(id->ver), 0x20000, "version 2.0");
	is_int(le32toh(id->ctratt), NVME_CTRL_CTRATT_ENDURANCE_GROUPS | NVME_CTRL_CTRATT_FDPS,
	       "CTRATT");
	is_int(le16toh(id->oncs), NVME_CTRL_ONCS_DSM | NVME_CTRL_ONCS_WRITE_ZEROES, "ONCS");
	is_int(id->lpa & 4, 4, "log pages have offsets");
	is_int(le32toh(id->nn), 1, "one namespace");
	is_int(le16toh(id->endgidmax), 1, "one endurance group");
	is_int(id->sqes << 8 | id->cqes, 0x6644, "queue entry sizes");
	is_int(id->vwc, 6, "no volatile write cache");
	is_int(bytes_get64(id->tnvmcap), 4 << 20, "capacity");
	ok(!strncmp(id->subnqn, "nqn.2014-08.org.nvmexpress:uuid:", 32) &&
		   strlen(id->subnqn) == 68 && id->subnqn[46] == '8',
	   "subsystem name: %s", id->subnqn);
	is_int(id->npss, 2, "NPSS");
	is_int(le16toh(id->psd[0].mp), 2500, "PS0: 25 W");
	is_int(id->psd[0].flags, 0, "operational, in units of 0.01 W");
	is_int(le32toh(id->psd[0].enlat) * 1000 + le32toh(id->psd[0].exlat), 100200, "latencies");
	is_int(le16toh(id->psd[0].idlp), 500, "idle power");
	is_int(id->psd[0].ips >> 6, 2, "in units of 0.01 W");
	is_int(le16toh(id->psd[0].actp), 2500, "active power");
	is_int(id->psd[0].apws, 2 << 6 | 2, "in units of 0.01 W, of sequential writes");
	is_int(le16toh(id->psd[1].mp), 1234, "PS1");
	is_int(le16toh(id->psd[1].idlp), 43250, "idle 4.325 W");
	is_int(id->psd[1].ips >> 6, 1, "in units of 0.0001 W");
	is_int(id->psd[1].rrt << 8 | id->psd[1].rwl, 0x101, "second in throughput and latency");
	is_int(id->psd[2].flags, 2, "PS2 is not operational");
	is_int(le16toh(id->psd[2].mp), 7, "0.07 W");
	is_int(buffer[4096], 0x5a, "no more than 4096 bytes");
	memset(buffer, 0x5a, 4096);
	is_int(admin((struct nvme_uring_cmd){ .opcode = OP_IDENTIFY, .cdw10 = 1, .data_len = 64 }),
	       0, "a short buffer");
	ok(!memcmp(buffer + 4, "S123", 4) && buffer[64] == 0x5a, "gets as much as it holds");
}

static void test_identify_namespace(void)
{
	const struct nvme_id_ns *ns = (const void *)buffer;
	const struct nvme_ns_id_desc *desc = (const void *)buffer;

	open_drive(small(9, 2, 0));
	fill(0, 12, 1);
	is_int(identify(0x00, 1), 0, "Identify Namespace");
	is_int(le64toh(ns->nsze), 8192, "NSZE in blocks of 512");
	is_int(le64toh(ns->ncap), 8192, "NCAP");
	is_int(le64toh(ns->nuse), 16, "NUSE: two pages");
	is_int(ns->nlbaf << 8 | ns->flbas, 0, "one format");
	is_int(ns->lbaf[0].ds, 9, "of 512 bytes");
	is_int(le16toh(ns->lbaf[0].ms), 0, "without metadata");
	is_int(ns->dlfeat, 9, "deallocated blocks read as zeros");
	is_int(ns->nsfeat & NVME_NS_FEAT_IO_OPT, NVME_NS_FEAT_IO_OPT, "has preferred sizes");
	is_int(le16toh(ns->npwg), 7, "writes of 8 blocks");
	is_int(le16toh(ns->npda), 7, "deallocation of 8 blocks");
	is_int(le16toh(ns->endgid), 1, "endurance group 1");
	is_int(identify(0x00, UINT32_MAX), 0x400b, "not of all namespaces");
	is_int(identify(0x00, 0), 0x400b, "nor of none");
	is_int(identify(0x02, 0), 0, "list of namespaces");
	ok(le32toh(*(uint32_t *)buffer) == 1 && !bytes_get64(buffer + 4), "it is 1");
	is_int(identify(0x02, 1), 0, "list after 1");
	is_int(bytes_get64(buffer), 0, "it is empty");
	is_int(identify(0x02, UINT32_MAX), 0x400b, "list after FFFFFFFFh");
	is_int(identify(0x03, 1), 0, "identification descriptors");
	ok(desc->nidt == NVME_NIDT_UUID && desc->nidl == 16 && desc->nid[6] >> 4 == 8 &&
		   desc->nid[8] >> 6 == 2,
	   "a UUID, version 8");
	ok(buffer[20] == NVME_NIDT_CSI && buffer[21] == 1 && !buffer[24] &&
		   !bytes_get64(buffer + 25),
	   "the NVM command set, and no more");
	is_int(identify(0x05, 1), 0, "command set's namespace");
	is_int(identify(0x06, 0), 0, "command set's controller");
	is_int(identify(0x08, 1), 0, "independent namespace");
	is_int(buffer[14], 1, "ready");
	is_int(identify(0x10, 0), 0x4002, "allocated namespaces: Invalid Field");
	is_int(identify(0xff, 0), 0x4002, "CNS FFh");
	is_int(admin((struct nvme_uring_cmd){
		       .opcode = OP_IDENTIFY, .cdw10 = 6, .cdw11 = 2U << 24, .data_len = 4096 }),
	       0x4002, "of zones");
}

static void test_smart(void)
{
	const struct nvme_smart_log *smart = (const void *)buffer;

	open_drive(small(12, 0, 0));
	for (int i = 0; i < 125; i++)
		fill(i, 1, 1);
	reads_as(0, 1, 1);
	is_int(get_log(0x02, 512, 0), 0, "SMART");
	is_int(smart->temperature[0] | smart->temperature[1] << 8, 313, "temperature");
	is_int(bytes_get64(smart->data_units_written), 1, "125 pages are one data unit exactly");
	is_int(bytes_get64(smart->data_units_read), 1, "one page is one, too: rounded up");
	is_int(bytes_get64(smart->host_writes), 125, "writes");
	is_int(bytes_get64(smart->host_reads), 1, "reads");
	is_int(bytes_get64(smart->power_cycles), 1, "power cycles");
	is_int(bytes_get64(smart->media_errors), 0, "media errors");
	is_int(smart->avail_spare, 100, "spare");
	fill(200, 1, 1);
	is_int(get_log(0x02, 1024, 0), 0, "SMART, more than there is");
	is_int(bytes_get64(smart->data_units_written), 2, "the 126th page begins another unit");
	ok(buffer[512] == 0 && buffer[1023] == 0 && buffer[1024] == 0x5a, "zeros after its end");
	is_int(get_log(0x02, 4, 64), 0, "with an offset");
	ok(buffer[0] == 1 && buffer[4] == 0x5a, "the reads, 4 bytes");
	is_int(get_log(0x02, 4, 512), 0, "at its end");
	is_int(get_log(0x02, 4, 516), 0x4002, "past its end");
	is_int(get_log(0x02, 4, 1ULL << 40), 0x4002, "far past its end");
	is_int(get_log(0x02, 4, 2), 0x4002, "within a dword");
	is_int(get_log(0x03, 512, 0), 0x4109, "no such log page");
	is_int(get_log(0x22, 64, 0), 0x4109, "no FDP, no FDP logs");
	is_int(admin((struct nvme_uring_cmd){ .opcode = OP_GET_LOG_PAGE, .nsid = 2, .cdw10 = 2 }),
	       0x400b, "SMART of namespace 2");
}

static void test_ocp(void)
{
	static const uint8_t guid[16] = { 0xaf, 0xd5, 0x14, 0xc9, 0x7c, 0x6f, 0x4f, 0x9c,
					  0xa4, 0xf2, 0xbf, 0xea, 0x28, 0x10, 0xaf, 0xc5 };

	open_drive(small(12, 0, 0));
	fill(0, 100, 1);
	is_int(get_log(0xc0, 512, 0), 0, "OCP SMART");
	ok(!memcmp(buffer + 496, guid, 16), "its GUID");
	is_int(bytes_get64(buffer), 409600, "media bytes written");
	is_int(buffer[120], 93, "60 of 64 units are free");
	is_int(bytes_get64(buffer + 152), 100, "blocks in use");
}

static void test_fdp_logs(void)
{
	const struct nvme_fdp_config_log *configs = (const void *)buffer;
	const struct nvme_fdp_config_desc *d = configs->configs;
	const struct nvme_fdp_stats_log *stats = (const void *)buffer;
	const struct model_counters *n;

	open_drive(small(12, 2, 0));
	n = &drive->s->counters;
	is_int(get_log(0x20, 96, 0), 0, "FDP configurations");
	is_int(le16toh(configs->n), 0, "one");
	is_int(le32toh(configs->size), 16 + 64 + 4 * 4, "size");
	is_int(le16toh(d->size), 80, "its size");
	is_int(d->fdpa, 0x80, "valid, no bits for reclaim groups");
	is_int(le32toh(d->nrg), 1, "one reclaim group");
	is_int(le16toh(d->nruh), 4, "handles");
	is_int(le16toh(d->maxpids), 3, "placement identifiers, 0-based");
	is_int(le64toh(d->runs), 32 * 4096, "bytes of a unit");
	is_int(d->ruhs[3].ruht, MODEL_INITIALLY_ISOLATED, "initially isolated");
	is_int(get_log(0x21, 40, 0), 0, "handle usage");
	ok(buffer[0] == 4 && buffer[8] == 1 && buffer[32] == 1, "all are the host's");
	for (int i = 0; i < 5000; i++)
		write_pid(rnd() % 1024, i % 4);
	is_int(get_log(0x22, 64, 0), 0, "statistics");
	is_int(bytes_get64(stats->hbmw), 5000 * 4096L, "host bytes");
	ok(n->relocated_pages > 0, "garbage was collected");
	is_int(bytes_get64(stats->mbmw), (5000 + n->relocated_pages) * 4096, "media bytes");
	is_int(bytes_get64(stats->mbe), n->erased_pages * 4096, "erased bytes");
	is_int(drive->s->commands.pid_bytes[3], 1250 * 4096, "bytes of identifier 3");
	is_int(n->ruh_bytes[3], 1250 * 4096, "bytes of handle 3");
	is_int(admin((struct nvme_uring_cmd){ .opcode = OP_GET_LOG_PAGE,
					      .data_len = 64,
					      .cdw10 = 0x22 | 15 << 16,
					      .cdw11 = 2 << 16 }),
	       0x4002, "endurance group 2");
	open_drive(small(12, 1, 0));
	is_int(get_log(0x20, 96, 0), 0, "FDP disabled: configurations");
	is_int(get_log(0x21, 40, 0), 0x4029, "no handle usage");
	is_int(get_log(0x22, 64, 0), 0x4029, "no statistics");
	is_int(get_log(0x23, 64, 0), 0x4029, "no events");
	is_int(io((struct nvme_uring_cmd){ .opcode = OP_IO_MGMT_RECEIVE, .cdw10 = 1 }), 0x4029,
	       "no handle status");
	is_int(io((struct nvme_uring_cmd){ .opcode = OP_IO_MGMT_SEND, .cdw10 = 1 }), 0x4029,
	       "no handle update");
	is_int(get_feature(0x1d, 0, 1), 0, "the feature can be read");
	is_int(result.dw0, 0, "it is off");
}

static uint16_t ruh_status(uint32_t bytes)
{
	memset(buffer, 0x5a, 4096);
	return io((struct nvme_uring_cmd){ .opcode = OP_IO_MGMT_RECEIVE,
					   .addr = (uintptr_t)buffer,
					   .data_len = bytes,
					   .cdw10 = 1,
					   .cdw11 = bytes / 4 - 1 });
}

static uint16_t ruh_update(uint32_t nr, uint32_t bytes, const uint16_t *pids)
{
	return io((struct nvme_uring_cmd){ .opcode = OP_IO_MGMT_SEND,
					   .addr = (uintptr_t)pids,
					   .data_len = bytes,
					   .cdw10 = 1 | (nr - 1) << 16 });
}

static void test_handles(void)
{
	static const uint16_t all[4] = { 0, 1, 2, 3 }, bad[2] = { 1, 4 };
	const struct nvme_fdp_ruh_status *status = (const void *)buffer;

	open_drive(small(9, 2, 0));
	write_pid(0, 1);
	write_pid(8, 1);
	is_int(ruh_status(16 + 4 * 32), 0, "handle status");
	is_int(le16toh(status->nruhsd), 4, "four descriptors");
	is_int(le16toh(status->ruhss[1].pid) << 8 | le16toh(status->ruhss[1].ruhid), 0x101,
	       "identifier 1 is handle 1");
	is_int(le64toh(status->ruhss[0].ruamw), 256, "a fresh unit, in blocks of 512");
	is_int(le64toh(status->ruhss[1].ruamw), 240, "two pages less");
	is_int(ruh_status(16), 0, "the header alone");
	ok(buffer[14] == 4 && buffer[16] == 0x5a, "and no more");
	is_int(ruh_status(20), 0, "in the middle of a descriptor");
	ok(buffer[20] == 0x5a, "not beyond the buffer");
	is_int(ruh_update(2, 4, bad), 0x4002, "an update with a wrong identifier");
	ruh_status(4096);
	is_int(le64toh(status->ruhss[1].ruamw), 240, "changes nothing");
	is_int(ruh_update(4, 6, all), 0x400f, "four identifiers in 6 bytes");
	is_int(ruh_update(65536, 8, all), 0x4002, "65536 identifiers");
	is_int(ruh_update(4, 8, all), 0, "an update of all");
	ruh_status(4096);
	is_int(le64toh(status->ruhss[1].ruamw), 256, "handle 1 has a fresh unit");
	is_int(io((struct nvme_uring_cmd){ .opcode = OP_IO_MGMT_SEND, .cdw10 = 0 }), 0, "MO 0");
	is_int(io((struct nvme_uring_cmd){ .opcode = OP_IO_MGMT_SEND, .cdw10 = 2 }), 0x4002,
	       "MO 2");
	is_int(io((struct nvme_uring_cmd){ .opcode = OP_IO_MGMT_RECEIVE, .cdw10 = 2 }), 0x4002,
	       "MO 2 of Receive");
}

/* Feature 1Eh. */
static uint16_t fdp_events(uint8_t opcode, uint32_t handle, uint32_t nr, uint32_t enable)
{
	return admin((struct nvme_uring_cmd){ .opcode = opcode,
					      .nsid = 1,
					      .data_len = nr * 2,
					      .cdw10 = 0x1e,
					      .cdw11 = handle | nr << 16,
					      .cdw12 = enable });
}

static void test_events(void)
{
	static const uint16_t two = 2;
	const struct nvme_fdp_events_log *log = (const void *)buffer;
	const struct nvme_fdp_event *e = log->events;

	open_drive(small(12, 2, 0));
	is_int(write_pid(0, 99), 0, "a wrong identifier is no error");
	is_int(drive->s->counters.ruh_bytes[0], 4096, "its data go to handle 0");
	is_int(drive->s->commands.bad_pids, 1, "it is counted");
	is_int(get_log(0x23, 4096, 0), 0, "events");
	is_int(le32toh(log->n), 0, "none, as none are enabled");
	buffer[0] = 3;
	buffer[1] = 7;
	is_int(fdp_events(OP_SET_FEATURES, 0, 2, 1), 0x4002, "no such event type");
	is_int(fdp_events(OP_SET_FEATURES, 4, 1, 1), 0x4002, "no such handle");
	is_int(fdp_events(OP_SET_FEATURES, 0, 0, 1), 0x4002, "no event types at all");
	is_int(fdp_events(OP_SET_FEATURES, 0, 1, 1), 0, "wrong identifiers, handle 0");
	buffer[0] = 0;
	is_int(fdp_events(OP_SET_FEATURES, 2, 1, 1), 0, "units not full, handle 2");
	memset(buffer, 0x5a, 64);
	is_int(fdp_events(OP_GET_FEATURES, 0, 4, 0), 0, "read back");
	is_int(result.dw0, 2, "two types are supported");
	ok(buffer[0] == 0 && buffer[1] == 0 && buffer[2] == 3 && buffer[3] == 1 && !buffer[7] &&
		   buffer[8] == 0x5a,
	   "00h is off, 03h on, and no more bytes than asked for");
	write_pid(5, 77);
	write_pid(6, 2);
	ruh_update(1, 2, &two);
	is_int(get_log(0x23, 4096, 0), 0, "events");
	is_int(le32toh(log->n), 2, "two");
	is_int(e[0].type, NVME_FDP_EVENT_PID, "a wrong identifier");
	is_int(e[0].flags, 7, "all fields are valid");
	is_int(le16toh(e[0].pid), 77, "which");
	is_int(le32toh(e[0].nsid), 1, "where");
	is_int(e[0].ruhid, 0, "written to handle 0");
	ok(labs((long)(bytes_get64((const uint8_t *)&e[0].ts) << 16 >> 16) / 1000 - time(NULL)) <
		   60,
	   "when");
	is_int(e[1].type << 8 | e[1].ruhid, 2, "then a unit of handle 2 was not full");
	for (int i = 0; i < 70; i++)
		write_pid(0, 100 + i);
	is_int(get_log(0x23, 4096, 0), 0, "after 72");
	is_int(le32toh(log->n), 63, "the last 63");
	is_int(le16toh(e[62].pid), 169, "the newest at the end");
	is_int(le16toh(e[0].pid), 107, "the oldest first");
	is_int(admin((struct nvme_uring_cmd){ .opcode = OP_GET_LOG_PAGE,
					      .data_len = 64,
					      .cdw10 = 0x23 | 15 << 16,
					      .cdw11 = 1 << 16 }),
	       0, "events of the controller");
	is_int(le32toh(log->n), 0, "none");
}

static void test_features(void)
{
	open_drive(small(12, 2, 0));
	is_int(get_feature(0x02, 0, 0), 0, "power management");
	is_int(result.dw0, 0, "state 0");
	is_int(set_feature(0x02, 2 | 3 << 5), 0, "state 2, workload hint 3");
	is_int(get_feature(0x02, 0, 0), 0, "read back");
	is_int(result.dw0, 2 | 3 << 5, "state and hint");
	get_feature(0x02, 1, 0);
	is_int(result.dw0, 0, "the default");
	get_feature(0x02, 2, 0);
	is_int(result.dw0, 0, "nothing is saved");
	get_feature(0x02, 3, 0);
	is_int(result.dw0, 4, "changeable, not saveable");
	is_int(get_feature(0x02, 4, 0), 0x4002, "a reserved Select");
	is_int(set_feature(0x02, 4), 0x4002, "state 4 of 4");
	is_int(set_feature(0x02, 31), 0x4002, "state 31");
	is_int(set_feature(0x02 | 1U << 31, 1), 0x410d, "saving");
	get_feature(0x02, 0, 0);
	is_int(result.dw0, 2 | 3 << 5, "refused ones change nothing");
	is_int(drive->s->commands.power_state_changes, 1, "one change");
	is_int(get_feature(0x1d, 0, 1), 0, "FDP");
	is_int(result.dw0, 1, "enabled, configuration 0");
	is_int(get_feature(0x1d, 0, 2), 0x4002, "of group 2");
	is_int(result.dw0, 0, "and no result then");
	is_int(set_feature(0x1d, 1), 0x400c, "cannot be changed while there is a namespace");
	is_int(set_feature(0x1d, 2), 0x4002, "of group 2");
	is_int(set_feature(0x07, 0x00030400), 0, "queues");
	is_int(result.dw0, 0x0003007e, "as many as there are");
	is_int(set_feature(0x07, 0xffff), 0x4002, "65536 queues");
	is_int(set_feature(0x0b, 0x1f), 0, "asynchronous events");
	get_feature(0x0b, 0, 0);
	is_int(result.dw0, 0x1f, "kept");
	is_int(get_feature(0x06, 0, 0), 0x4002, "no volatile write cache");
	is_int(get_feature(0x0c, 0, 0), 0x4002, "no APST");
	is_int(set_feature(0xff, 0), 0x4002, "no feature FFh");
	open_drive(small(12, 0, 0));
	is_int(get_feature(0x1d, 0, 1), 0x4002, "without FDP: not its feature");
	is_int(fdp_events(OP_GET_FEATURES, 0, 1, 0), 0x4002, "nor its events");
}

static struct model_fault *inject(uint32_t kind, uint32_t opcode, uint64_t first, uint64_t last)
{
	struct model_fault *f = &drive->s->fault[0];

	*f = (struct model_fault){ .kind = kind,
				   .opcode = opcode,
				   .first = first,
				   .last = last,
				   .every = 1,
				   .left = UINT64_MAX };
	drive->s->nr_faults = 1;
	return f;
}

static void test_faults(void)
{
	struct model_fault *f;
	uint64_t reads;

	open_drive(small(12, 0, 0));
	fill(0, 16, 1);
	reads = drive->s->commands.reads;
	inject(MODEL_FAULT_STATUS, OP_READ, 5, 6)->status = 0x4281;
	memset(buffer, 0x5a, 16384);
	is_int(io(rw(OP_READ, 3, 4, buffer)), 0x4281, "a read that touches the bad blocks");
	ok(buffer[0] == 0x5a && buffer[16383] == 0x5a, "transfers no data");
	ok(reads_as(3, 2, 1) && reads_as(7, 1, 1), "reads beside them are whole");
	is_int(fill(5, 1, 2), 0, "so are writes");
	is_int(drive->s->commands.media_errors, 1, "one media error");
	is_int(drive->s->commands.reads, reads + 2, "the failed read is not counted");
	f = inject(MODEL_FAULT_STATUS, UINT32_MAX, 0, UINT64_MAX);
	f->every = 3;
	f->left = 2;
	is_int(fill(5, 1, 3) + fill(5, 1, 4), 0, "every third command: two are spared");
	is_int(fill(5, 1, 5), 6, "the third: Internal Error");
	ok(reads_as(5, 1, 4), "did not write");
	is_int(io((struct nvme_uring_cmd){ .opcode = OP_FLUSH }), 0, "the fifth");
	is_int(io((struct nvme_uring_cmd){ .opcode = OP_FLUSH }), 6, "the sixth");
	for (int i = 0; i < 3; i++)
		io((struct nvme_uring_cmd){ .opcode = OP_FLUSH });
	is_int(result.status, 0, "the ninth no more: it was to strike twice");
	inject(MODEL_FAULT_HANG, OP_WRITE, 8, 8);
	is_int(fill(8, 1, 7), 0, "a command that hangs has no status");
	ok(result.due == MODEL_NEVER && reads_as(8, 1, 1), "never ends, writes nothing");
	inject(MODEL_FAULT_HANG, OP_DSM, 8, 8);
	deallocate(9, 1);
	ok(result.due == 0, "a deallocation elsewhere");
	deallocate(7, 2);
	ok(result.due == MODEL_NEVER, "one of that block");
	inject(MODEL_FAULT_DELAY, OP_WRITE, 0, UINT64_MAX)->delay_ns = 5000000000000;
	is_int(fill(8, 1, 9), 0, "a delayed write");
	ok(result.due > 5000000000000 && result.due != MODEL_NEVER && reads_as(8, 1, 9),
	   "writes and ends later, with no timing either");
	inject(MODEL_FAULT_DELAY, OP_WRITE, 0, UINT64_MAX)->delay_ns = UINT64_MAX;
	fill(8, 1, 9);
	ok(result.due == MODEL_NEVER, "by more than time has: never");
	inject(MODEL_FAULT_POWER, 0, 0, 0);
	is_int(set_feature(0x02, 1), 0x410e, "a refused power state");
	get_feature(0x02, 0, 0);
	is_int(result.dw0, 0, "is not set");
	is_int(io((struct nvme_uring_cmd){ .opcode = OP_FLUSH }), 0, "I/O goes on");
	drive->s->nr_faults = 0;
	is_int(set_feature(0x02, 1), 0, "without the fault it is");
}

/* Not how long things take, which is timing.c's, but that each command asks. */
static void test_timing(void)
{
	const struct nvme_smart_log *smart = (const void *)buffer;
	struct model_geometry g = small(9, 0, 1);
	uint64_t start;

	g.t_read = 100000000; /* 0.1 s, and so on: above what a busy host adds */
	g.t_program = 200000000;
	g.t_transfer = 10000000;
	open_drive(g);
	fill(0, 8, 1);
	start = model_now(drive);
	ok(result.due > start - 5000000000 && result.due <= start + g.t_transfer,
	   "a write is heard of after its transfer");
	start = model_now(drive);
	reads_as(8, 8, 0);
	ok(result.due >= start + g.t_transfer && result.due < start + g.t_read,
	   "an unmapped page costs its transfer only");
	start = model_now(drive);
	reads_as(3, 1, 1);
	ok(result.due >= start + g.t_read + g.t_transfer, "a part of a page costs a page's read");
	start = model_now(drive);
	fill(3, 1, 2);
	ok(result.due >= start + g.t_read + g.t_transfer, "writing a part of one reads it first");
	is_int(get_log(0x02, 512, 0), 0, "SMART");
	is_int(le32toh(*(const uint32_t *)&buffer[240]) >> 16, 1, "interval power has a scale");
	is_int(bytes_get64(smart->power_on_hours), 0, "powered on just now");
}

/* Every second block, the other half is another process's: pages come to be while both write. */
static void write_half(struct model *m, uint32_t half)
{
	uint8_t block[512];

	memset(block, 0x10 + half, sizeof(block));
	for (uint32_t slba = half; slba < 8192; slba += 2) {
		struct nvme_uring_cmd c = rw(OP_WRITE, slba, 1, block);

		c.data_len = sizeof(block);
		model_io(m, &c, &result);
	}
}

static void test_shared(void)
{
	char why[MODEL_WHY_LEN] = "";
	uint32_t wrong = 0;
	int status = -1;
	pid_t child;

	open_drive(small(9, 0, 0));
	fflush(stdout);
	child = fork();
	if (!child) {
		struct model *m;

		if (model_open(path, &m, why))
			_exit(1);
		write_half(m, 1);
		_exit(0);
	}
	write_half(drive, 0);
	waitpid(child, &status, 0);
	is_int(status, 0, "another process writes the other half of each page");
	for (uint32_t slba = 0; slba < 8192; slba++)
		wrong += !reads_as(slba, 1, 0x10 + slba % 2);
	is_int(wrong, 0, "neither loses a block to the other");
	is_int(drive->s->counters.host_bytes, 4 << 20, "nor a byte of the counters");
	is_int(drive->s->commands.writes, 8192, "nor a command");
}

/* Mostly small numbers, so that commands come past the first check. */
static uint32_t field(void)
{
	switch (rnd() % 4) {
	case 0:
		return rnd();
	case 1:
		return rnd() % 4096;
	case 2:
		return 1U << rnd() % 32;
	}
	return rnd() % 8;
}

static void random_command(struct nvme_uring_cmd *c)
{
	static const uint8_t opcode[] = { 0x00, 0x01, 0x02, 0x06, 0x08, 0x09, 0x0a, 0x12, 0x1d };
	static const uint32_t lengths[] = { 0, 2, 16, 512, 4096, 8192, 65536 };

	memset(c, 0, sizeof(*c));
	c->opcode = rnd() % 16 ? opcode[rnd() % sizeof(opcode)] : rnd();
	c->flags = rnd() % 16 ? 0 : rnd();
	c->nsid = rnd() % 16 ? 1 : field();
	c->data_len = lengths[rnd() % 7];
	c->cdw10 = field();
	c->cdw11 = rnd() % 2 ? 0 : field();
	c->cdw12 = field() | (rnd() % 4 ? 0 : 2 << 20);
	c->cdw13 = field() << (rnd() % 2 ? 16 : 0);
	c->cdw14 = rnd() % 8 ? 0 : field();
}

/* The buffer is exactly as long as the command says: the sanitizer sees what goes beyond. */
static void fuzz(struct model_geometry g, const char *name)
{
	const struct model_counters *n;
	char why[MODEL_WHY_LEN] = "";
	uint64_t succeeded = 0, bytes = 0, pids;

	open_drive(g);
	for (int i = 0; i < 60000; i++) {
		struct nvme_uring_cmd c;
		uint8_t *data;

		random_command(&c);
		data = malloc(c.data_len ? c.data_len : 1);
		for (uint32_t at = 0; at < c.data_len && at < 4096; at++)
			data[at] = at % 4 < 2 ? rnd() % 16 : 0;
		c.addr = (uintptr_t)data;
		(i % 4 ? model_io : model_admin)(drive, &c, &result);
		succeeded += !result.status;
		free(data);
	}
	n = &drive->s->counters;
	pids = drive->s->commands.default_bytes;
	for (int i = 0; i < MODEL_MAX_RUHS; i++) {
		bytes += n->ruh_bytes[i];
		pids += drive->s->commands.pid_bytes[i];
	}
	ok(succeeded > 1000 && n->host_pages > 1000, "%s: %lu random commands succeeded", name,
	   (unsigned long)succeeded);
	ok(bytes == n->host_bytes && pids == n->host_bytes, "%s: bytes add up", name);
	model_close(drive);
	drive = NULL;
	ok(!model_open(path, &drive, why), "%s: the image is sound%s", name, why);
}

int main(void)
{
	if (!mkdtemp(dir)) {
		printf("Bail out! %s: %s\n", dir, strerror(errno));
		return 1;
	}
	snprintf(path, sizeof(path), "%s/drive.nvsim", dir);
	test_data();
	test_small_blocks();
	test_statuses();
	test_identify_controller();
	test_identify_namespace();
	test_smart();
	test_ocp();
	test_fdp_logs();
	test_handles();
	test_events();
	test_features();
	test_faults();
	test_timing();
	test_shared();
	fuzz(small(12, 0, 0), "4096-byte blocks");
	fuzz(small(9, 2, 0), "512-byte blocks, FDP");
	fuzz(small(9, 2, 1), "with timing");
	model_close(drive);
	unlink(path);
	rmdir(dir);
	return done_testing();
}

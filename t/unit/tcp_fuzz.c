// SPDX-License-Identifier: GPL-2.0-only
/*
 * nvsim serve against hosts that no one would write: mutations of what a good host says, for
 * FUZZ_SECONDS (4). The server must live, serve a good host now and then, stay within its memory, and
 * end well. FUZZ_SEED chooses the run and FUZZ_ITERATION one step of it: what a step sends follows
 * from these two alone (and from the transfer tags that the server chose).
 */
#include <fcntl.h>
#include <inttypes.h>
#include <time.h>

#include "t/unit/chance.h"
#include "t/unit/tcp_client.h"

enum {
	LONGEST = PDU_COMMAND_LEN + (16 << 10),
	STEP_PDUS = 10,
	HEALTH = 64, /* steps from one good host to the next */
	MAX_TAGS = 16,
	MEMORY_KB = 1 << 20, /* I/O queues hold 64 MiB each; a sanitizer keeps what was freed */
	DEFAULT_SEED = 1,
};

/* What a host says; the cases are in the order in which a good one would. */
enum script {
	SAY_ICREQ,
	SAY_CONNECT,
	SAY_ENABLE,
	SAY_GET_PROPERTY,
	SAY_ADMIN,
	SAY_WRITE,
	SAY_WRITE_CAPSULE,
	SAY_READ,
	SAY_DATA,
	SAY_TERM,
	SAY_NOISE,
	SCRIPT,
};

static struct client_server server;
static struct {
	uint64_t steps, pdus, responses, succeeded, terminations, transfers;
} count;

/* R2Ts of this connection that have not been answered. */
static struct {
	uint16_t cid, tag;
	uint32_t length;
} tags[MAX_TAGS];
static uint32_t nr_tags;

static uint32_t odd_number(void)
{
	switch (below(6)) {
	case 0:
		return below(8);
	case 1:
		return 1U << below(32);
	case 2:
		return (1U << below(32)) - 1;
	case 3:
		return UINT32_MAX - below(4);
	case 4:
		return below(200);
	}
	return rnd();
}

/* --- good PDUs ----------------------------------------------------------------------------- */

static uint32_t say_connect(uint8_t *p, uint16_t qid)
{
	struct client_connect c = client_good(&server, qid);

	c.sqsize = 1 + below(127);
	c.attributes = below(2) << 2;
	c.kato = below(4) ? 0 : below(3000);
	return client_build_connect(p, &c);
}

static uint32_t say_property(uint8_t *p, uint8_t type)
{
	static const uint16_t offsets[] = { 0x14, 0x14, 0x14, 0x00, 0x08, 0x1c, 0x20 };
	const struct client_sqe c = { .opcode = 0x7f,
				      .fctype = type,
				      .cid = below(8),
				      .cdw10 = below(4) == 0,
				      .cdw11 = offsets[below(type ? 7 : 3)],
				      .cdw12 = below(8) ? 0x460001 : rnd() };

	return client_build(p, &c, NULL, 0);
}

static uint32_t say_admin(uint8_t *p)
{
	static const uint8_t opcodes[] = { 0x02, 0x06, 0x08, 0x09, 0x0a, 0x0c, 0x18, 0x7f };
	static const uint8_t numbers[] = { 0, 1, 2, 3, 7, 11, 15, 0x1d, 0x1e, 0x20, 0x22, 0xc0 };
	struct client_sqe c = { .opcode = opcodes[below(8)],
				.fctype = below(10),
				.cid = below(40),
				.nsid = below(3),
				.cdw10 = numbers[below(12)],
				.cdw11 = below(2) ? 1 : odd_number(),
				.length = below(3) ? 4096 : 0 };

	if (c.opcode == 0x02)
		c.cdw10 |= 0x7f << 16;
	if (c.opcode == 0x08)
		c.cdw10 = below(40) << 16 | below(5);
	return client_build(p, &c, NULL, 0);
}

static uint32_t say_io(uint8_t *p, uint8_t opcode, bool capsule)
{
	static uint8_t data[8192];
	uint32_t blocks = capsule ? 1 + below(2) : 1 + below(below(8) ? 16 : 512);
	const struct client_sqe c = { .opcode = opcode,
				      .cid = below(64),
				      .nsid = 1,
				      .cdw10 = below(4000),
				      .cdw12 = blocks - 1,
				      .length = blocks * 4096 };

	return client_build(p, &c, data, capsule ? blocks * 4096 : 0);
}

/* The next part of what the server is waiting for. */
static uint32_t say_data(uint8_t *p)
{
	uint32_t i = below(nr_tags), len = below(2) ? 4096 : below(12288) & ~3U;

	client_header(p, PDU_H2C_DATA, PDU_DATA_LEN, PDU_DATA_LEN, 0);
	memset(p + PDU_COMMON, 0, len + 16);
	if (nr_tags) {
		len = tags[i].length < 12288 ? tags[i].length : len;
		bytes_put16(p + 8, tags[i].cid);
		bytes_put16(p + 10, tags[i].tag);
		p[1] = len == tags[i].length ? PDU_LAST : 0;
		tags[i] = tags[--nr_tags];
	}
	bytes_put32(p + 4, PDU_DATA_LEN + len);
	bytes_put32(p + 16, len);
	return PDU_DATA_LEN + len;
}

static uint32_t say(uint8_t *p, enum script what, uint16_t qid)
{
	switch (what) {
	case SAY_ICREQ:
		memset(p, 0, PDU_IC_LEN);
		client_header(p, PDU_ICREQ, PDU_IC_LEN, 0, PDU_IC_LEN);
		p[10] = below(4) ? 0 : below(32);
		return PDU_IC_LEN;
	case SAY_CONNECT:
		return say_connect(p, qid);
	case SAY_ENABLE:
		return say_property(p, 0);
	case SAY_GET_PROPERTY:
		return say_property(p, 4);
	case SAY_ADMIN:
		return say_admin(p);
	case SAY_WRITE:
		return say_io(p, 1, false);
	case SAY_WRITE_CAPSULE:
		return say_io(p, below(4) ? 1 : 9, true);
	case SAY_READ:
		return say_io(p, below(4) ? 2 : 0, false);
	case SAY_DATA:
		return say_data(p);
	case SAY_TERM:
		memset(p, 0, PDU_TERM_LEN);
		client_header(p, PDU_H2C_TERM, PDU_TERM_LEN, 0, PDU_TERM_LEN);
		return PDU_TERM_LEN;
	default:
		for (uint32_t i = 0; i < 64; i++)
			p[i] = rnd();
		return 1 + below(64);
	}
}

/* --- worse ones ---------------------------------------------------------------------------- */

static uint32_t mutate(uint8_t *p, uint32_t len)
{
	uint32_t header = len < 128 ? len : 128;

	for (uint32_t n = 1 + below(3); n; n--) {
		uint32_t at = below(header);

		switch (below(7)) {
		case 0:
			p[at] ^= 1 << below(8);
			break;
		case 1:
			p[at] = odd_number();
			break;
		case 2: /* a word */
			if (header >= 4)
				bytes_put32(p + (below(header / 4) * 4), odd_number());
			break;
		case 3: /* one of the lengths */
			p[2 + below(2)] = odd_number();
			break;
		case 4:
			bytes_put32(p + 4, below(2) ? len + below(9) - 4 : odd_number());
			break;
		case 5: /* SGL */
			if (header >= 48)
				bytes_put32(p + (below(2) ? 40 : 44), odd_number());
			break;
		default: /* cut off, or more of it */
			len = below(2) ? 1 + below(len) : len + below(16);
			header = len < 128 ? len : 128;
		}
	}
	return len;
}

static void look_at_answer(const struct client_pdu *p)
{
	switch (p->type) {
	case PDU_RESPONSE:
		count.responses++;
		count.succeeded += !bytes_get16(p->bytes + 22);
		break;
	case PDU_C2H_DATA:
		count.succeeded += p->flags & PDU_SUCCESS ? 1 : 0;
		count.responses += p->flags & PDU_SUCCESS ? 1 : 0;
		break;
	case PDU_C2H_TERM:
		count.terminations++;
		break;
	case PDU_R2T:
		count.transfers++;
		if (nr_tags == MAX_TAGS)
			nr_tags--;
		tags[nr_tags].cid = bytes_get16(p->bytes + 8);
		tags[nr_tags].tag = bytes_get16(p->bytes + 10);
		tags[nr_tags++].length = bytes_get32(p->bytes + 16);
		break;
	}
}

/* Takes what came so far. Return: false: the connection has ended. */
static bool listen_to(int fd, int patience_ms)
{
	struct pollfd poller = { .fd = fd, .events = POLLIN };
	struct client_pdu p;

	while (poll(&poller, 1, patience_ms) > 0) {
		if (!client_receive(fd, &p))
			return false;
		look_at_answer(&p);
	}
	return true;
}

/* In up to three parts. */
static bool send_parts(int fd, const uint8_t *p, uint32_t len)
{
	uint32_t sent = 0;

	while (sent < len) {
		uint32_t part = below(3) ? len - sent : 1 + below(len - sent);
		ssize_t n = send(fd, p + sent, part, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n <= 0)
			return false;
		sent += n;
	}
	return true;
}

/* Each connection is mostly as it should be up to a place, then anything. */
static void talk(int fd, uint16_t qid)
{
	static uint8_t pdu[LONGEST + 64];
	uint32_t good = below(STEP_PDUS), nr = good + 1 + below(STEP_PDUS);

	nr_tags = 0;
	for (uint32_t i = 0; i < nr; i++) {
		enum script what = i <= SAY_ENABLE ? i : SAY_ENABLE + below(SCRIPT - SAY_ENABLE);
		uint32_t len;

		if (i == SAY_ENABLE && qid)
			what = SAY_WRITE;
		if (i < good && what >= SAY_TERM)
			what = SAY_READ;
		if (i >= good && !below(4))
			what = below(SCRIPT);
		len = say(pdu, what, qid);
		if (i >= good && below(2))
			len = mutate(pdu, len);
		count.pdus++;
		if (!send_parts(fd, pdu, len) || !listen_to(fd, below(4) ? 0 : 1))
			return;
	}
	listen_to(fd, 1);
}

static void hang_up(int fd)
{
	const struct linger now = { .l_onoff = 1 };

	if (!below(4))
		setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
	close(fd);
}

/* --- the run ------------------------------------------------------------------------------- */

static bool alive(void)
{
	int status;

	return waitpid(server.pid, &status, WNOHANG) == 0;
}

/* A good host gets what it asks for. */
static bool healthy(void)
{
	const struct client_sqe identify = { .opcode = 6, .cid = 3, .cdw10 = 1, .length = 4096 };
	int admin = client_admin(&server, 0);
	struct client_pdu p;
	bool fine;

	if (admin < 0)
		return false;
	client_command(admin, &identify, NULL, 0);
	fine = client_receive(admin, &p) && p.type == PDU_C2H_DATA && p.data_len == 4096;
	close(admin);
	return fine;
}

/* Half of them with a good admin queue beside the connection that is not. */
static bool step(uint64_t iteration)
{
	uint16_t qid;
	int admin = -1, fd;

	start_step(iteration);
	count.steps++;
	qid = below(2) ? 1 + below(5) : 0;
	if (qid)
		admin = client_admin(&server, 0);
	fd = client_dial(&server);
	talk(fd, qid);
	hang_up(fd);
	if (admin >= 0)
		close(admin);
	return alive() && (iteration % HEALTH || healthy());
}

static uint64_t peak_memory(void)
{
	char path[64], line[256];
	uint64_t kb = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)server.pid);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "VmHWM: %" SCNu64, &kb) == 1)
			break;
	if (f)
		fclose(f);
	return kb;
}

static bool run(time_t seconds, const char *only)
{
	time_t end = time(NULL) + seconds;
	bool fine = true;

	if (only)
		return step(strtoull(only, NULL, 0)) && healthy();
	for (uint64_t i = 0; fine && (i < 64 || time(NULL) < end); i++) {
		fine = step(i);
		if (!fine)
			printf("# once more: FUZZ_SEED=%" PRIu64 " FUZZ_ITERATION=%" PRIu64 "\n",
			       seed, i);
	}
	return fine && healthy();
}

int main(void)
{
	const char *seconds = getenv("FUZZ_SECONDS"), *only = getenv("FUZZ_ITERATION");
	const char *asked = getenv("FUZZ_SEED");
	uint64_t kb;

	seed = asked ? strtoull(asked, NULL, 0) : DEFAULT_SEED;
	printf("# seed %" PRIu64 "\n", seed);
	client_start(&server, "--timing=none");
	ok(run(seconds ? atoi(seconds) : 4, only), "the server stands mutated PDUs");
	kb = peak_memory();
	printf("# %" PRIu64 " connections, %" PRIu64 " PDUs: %" PRIu64 " responses, %" PRIu64
	       " of success, %" PRIu64 " R2Ts, %" PRIu64 " terminations; %" PRIu64 " MiB\n",
	       count.steps, count.pdus, count.responses, count.succeeded, count.transfers,
	       count.terminations, kb >> 10);
	ok(kb < MEMORY_KB, "... within its memory");
	if (!only)
		ok(count.succeeded > count.steps / 4 && count.terminations > count.steps / 20 &&
			   count.transfers,
		   "... PDUs of all kinds");
	is_int(client_stop(&server, SIGTERM), 0, "... and ends well");
	client_show_errors(&server);
	client_clean(&server);
	return done_testing();
}

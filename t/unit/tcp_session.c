// SPDX-License-Identifier: GPL-2.0-only
/*
 * nvsim serve, spoken to byte by byte: the connection's state machine, Connect and its refusals, data in
 * the capsule, by R2T and back, completions that wait until they are due, the end. What a kernel does
 * with it is for a test in the VM.
 */
#include <time.h>

#include "t/unit/tcp_client.h"

enum {
	FES_AT = 8, /* in a C2HTermReq */
	BLOCK = 4096,
	OP_WRITE = 1,
	OP_READ = 2,
};

static struct client_server server;

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000ULL + t.tv_nsec / 1000000;
}

/* The server ends the connection with this fatal error status. */
static void is_terminated(int fd, uint16_t fes, const char *name)
{
	struct client_pdu p;
	bool told = client_receive(fd, &p) && p.type == PDU_C2H_TERM;

	is_int(told ? bytes_get16(p.bytes + FES_AT) : -1, fes, name);
	ok(client_is_closed(fd), "... and the connection ends");
	close(fd);
}

/* How often the server's messages have @what in them. */
static int said(const char *what)
{
	FILE *f = fopen(server.err, "r");
	char line[512];
	int n = 0;

	while (f && fgets(line, sizeof(line), f))
		n += strstr(line, what) != NULL;
	if (f)
		fclose(f);
	return n;
}

static int dial_ic(void)
{
	struct client_pdu p;
	int fd = client_dial(&server);

	if (!client_icreq(fd, &p))
		client_fatal("ICReq");
	return fd;
}

/* --- initialization ------------------------------------------------------------------------ */

static void test_icreq(void)
{
	uint8_t ic[PDU_IC_LEN] = { 0 };
	struct client_pdu p;
	int fd = client_dial(&server);

	ok(client_icreq(fd, &p) && p.type == PDU_ICRESP && p.len == PDU_IC_LEN, "ICReq: ICResp");
	is_int(bytes_get16(p.bytes + 8), 0, "... format 0");
	is_int(p.bytes[11], 0, "... no digests");
	is_int(bytes_get32(p.bytes + 12), PDU_MAX_H2C_DATA, "... MAXH2CDATA");
	client_header(ic, PDU_ICREQ, PDU_IC_LEN, 0, PDU_IC_LEN);
	client_send(fd, ic, sizeof(ic));
	is_terminated(fd, FES_SEQUENCE, "a second ICReq");

	fd = client_dial(&server);
	ic[8] = 1;
	client_send(fd, ic, sizeof(ic));
	is_terminated(fd, FES_UNSUPPORTED, "another format");
}

static void test_bytewise(void)
{
	uint8_t ic[PDU_IC_LEN] = { 0 };
	struct client_pdu p;
	int fd = client_dial(&server);

	client_header(ic, PDU_ICREQ, PDU_IC_LEN, 0, PDU_IC_LEN);
	for (size_t i = 0; i < sizeof(ic); i++) {
		client_send(fd, ic + i, 1);
		if (i % 32 == 0)
			usleep(1000);
	}
	ok(client_receive(fd, &p) && p.type == PDU_ICRESP, "an ICReq that comes byte by byte");
	close(fd);
}

/* Headers that are wrong, each on a connection of its own. */
static void test_headers(void)
{
	static const struct wrong {
		uint8_t type, hlen, pdo;
		uint32_t plen;
		uint16_t fes;
		const char *name;
	} wrong[] = {
		{ PDU_R2T, 24, 0, 24, FES_HEADER, "a type that only controllers send" },
		{ 0xff, 24, 0, 24, FES_HEADER, "a type that does not exist" },
		{ PDU_COMMAND, 71, 0, 72, FES_HEADER, "a header length that is not the type's" },
		{ PDU_COMMAND, 72, 0, 71, FES_HEADER, "shorter than its header" },
		{ PDU_COMMAND, 72, 0, 80, FES_HEADER, "data without an offset" },
		{ PDU_COMMAND, 72, 74, 80, FES_HEADER, "an offset that is no dword" },
		{ PDU_COMMAND, 72, 72, 72 + 8196, FES_HEADER, "more data than a capsule may have" },
		{ PDU_COMMAND, 72, 72, 0xffffffff, FES_HEADER, "four gigabytes" },
		{ PDU_H2C_DATA, 24, 24, 24, FES_HEADER, "H2CData without data" },
		{ PDU_H2C_DATA, 24, 24, 24 + (128 << 10) + 4, FES_HEADER, "more than MAXH2CDATA" },
		{ PDU_H2C_DATA, 24, 24, 32, FES_HEADER, "data that nobody asked for" },
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		uint8_t pdu[80] = { 0 };
		int fd = dial_ic();

		client_header(pdu, wrong[i].type, wrong[i].hlen, wrong[i].pdo, wrong[i].plen);
		client_send(fd, pdu, 32);
		is_terminated(fd, wrong[i].fes, wrong[i].name);
	}
}

static void test_order(void)
{
	const struct client_sqe c = { .opcode = 0x06, .cdw10 = 1, .length = 4096 };
	int fd = client_dial(&server);

	client_command(fd, &c, NULL, 0);
	is_terminated(fd, FES_SEQUENCE, "a command before ICReq");
	fd = dial_ic();
	client_command(fd, &c, NULL, 0);
	is_int(client_status(fd, NULL), 0x400c, "Identify before Connect: Command Sequence Error");
	close(fd);
}

/* --- Connect ------------------------------------------------------------------------------- */

static void refused(const struct client_connect *c, int status, long where, const char *name)
{
	uint64_t result = 0;
	int fd = dial_ic();

	is_int(client_connect(fd, c, &result), status, name);
	if (where >= 0)
		is_int((long)result, where, "... and where");
	close(fd);
}

static void test_connect(void)
{
	struct client_connect c = client_good(&server, 0);
	int admin, fd;

	c.recfmt = 1;
	refused(&c, 0x4180, -1, "Connect: another format");
	c = client_good(&server, 0);
	c.subnqn = "nqn.2026-12.org.example:none";
	refused(&c, 0x4182, 0x10100, "... another subsystem");
	is_int(said("refused: it wants nqn.2026-12.org.example:none, and this is nqn.2014-08."), 1,
	       "... said");
	c = client_good(&server, 0);
	c.hostnqn = "";
	refused(&c, 0x4182, 0x10200, "... no host");
	c = client_good(&server, 0);
	c.sqsize = 0;
	refused(&c, 0x4182, 44, "... a queue of one entry");
	c.sqsize = 128;
	refused(&c, 0x4182, 44, "... of too many");
	c = client_good(&server, 0);
	c.length = 1020;
	refused(&c, 0x400f, -1, "... data cut short");
	c = client_good(&server, 0);
	c.cntlid = 5;
	refused(&c, 0x4182, 0x10010, "... a controller that there is not");
	c = client_good(&server, 1);
	refused(&c, 0x4182, 0x10010, "... an I/O queue without a controller");

	admin = client_admin(&server, 0);
	ok(admin >= 0, "Connect of an admin queue");
	c = client_good(&server, 0);
	refused(&c, 0x181, -1, "... a second one: Controller Busy");
	c = client_good(&server, 5);
	refused(&c, 0x4182, 42, "... an I/O queue beyond --queues");
	c = client_good(&server, 1);
	c.hostnqn = "nqn.2026-12.org.example:other";
	refused(&c, 0x4184, -1, "... of another host");
	c = client_good(&server, 1);
	fd = client_queue(&server, &c);
	ok(fd >= 0, "Connect of an I/O queue");
	refused(&c, 0x400c, -1, "... the same once more");
	is_int(client_connect(fd, &c, NULL), 0x400c, "... on a connection that is a queue");
	close(admin);
	ok(client_is_closed(fd), "the admin queue goes, and with it the I/O queues");
	close(fd);
}

/* Connections that are no queue so far, more than --queues=4 and the admin queue leave room for. */
static void test_storm(void)
{
	struct client_pdu p;
	int fd[20], refused = 0, admin = -1;

	for (int i = 0; i < 20; i++)
		fd[i] = client_dial(&server);
	for (int i = 0; i < 20; i++)
		refused += !client_icreq(fd[i], &p);
	/* It may not have noticed yet that those of the test before are gone. */
	ok(refused >= 7 && refused < 20, "twenty connections that are no queue: some are refused");
	is_int(said("connections refused: there are 13"), 1, "... said once");
	for (int i = 0; i < 20; i++)
		close(fd[i]);
	for (int i = 0; i < 1000 && (admin = client_admin(&server, 0)) < 0; i++)
		usleep(1000);
	ok(admin >= 0, "... and afterwards a host is welcome");
	close(admin);
}

/* --- admin commands ------------------------------------------------------------------------ */

static void test_properties(int admin)
{
	uint64_t value;

	is_int(client_get_property(admin, 0x00, 8, &value), 0, "Property Get: CAP");
	is_int((long)(value & 0xffff), 127, "... 128 entries");
	is_int(client_get_property(admin, 0x1c, 4, &value), 0, "Property Get: CSTS");
	is_int((long)value, 1, "... ready");
	is_int(client_get_property(admin, 0x1c, 8, &value), 0x4002, "... with a wrong size");
	is_int(client_get_property(admin, 0x30, 4, &value), 0x4002, "... that there is not");
	is_int(client_set_property(admin, 0x08, 1), 0x4002, "Property Set: the version");
}

static void test_admin(void)
{
	const struct client_sqe identify = { .opcode = 6, .cid = 3, .cdw10 = 1, .length = 4096 };
	const struct client_sqe event = { .opcode = 0x0c, .cid = 20 };
	const struct client_sqe queues = {
		.opcode = 9, .cid = 4, .cdw10 = 7, .cdw11 = 63 << 16 | 63
	};
	const struct client_sqe keep_alive = { .opcode = 0x18, .cid = 5 };
	const struct client_sqe abort_event = { .opcode = 8, .cid = 6, .cdw10 = 20 << 16 };
	int admin = client_admin(&server, 0);
	struct client_pdu p;
	uint64_t result;

	test_properties(admin);
	client_command(admin, &identify, NULL, 0);
	ok(client_receive(admin, &p) && p.type == PDU_C2H_DATA && p.data_len == 4096,
	   "Identify: C2HData");
	is_int(p.flags, PDU_LAST | PDU_SUCCESS, "... which says that it succeeded");
	is_int(bytes_get16(p.bytes + 8), 3, "... of this command");
	is_int(bytes_get32(p.bytes + p.data + 1792), 516, "... IOCCSZ");
	is_str((char *)p.bytes + p.data + 768, server.nqn, "... SUBNQN");
	client_command(admin, &queues, NULL, 0);
	is_int(client_status(admin, &result), 0, "Set Features: 64 queues");
	is_int((long)result, 3 << 16 | 3, "... four there are");
	for (int i = 0; i < 4; i++)
		client_command(admin, &event, NULL, 0);
	client_command(admin, &keep_alive, NULL, 0);
	is_int(client_status(admin, NULL), 0,
	       "four event requests are held; Keep Alive is answered");
	client_command(admin, &event, NULL, 0);
	is_int(client_status(admin, NULL), 0x4105, "... a fifth is one too many");
	client_command(admin, &abort_event, NULL, 0);
	is_int(client_status(admin, NULL), 0x0007, "Abort: an event request ends");
	is_int(client_status(admin, &result), 0, "... and so does Abort");
	is_int((long)result, 0, "... with success");
	close(admin);
}

/* --- I/O ----------------------------------------------------------------------------------- */

static bool send_data(int fd, uint16_t cid, uint16_t ttag, uint32_t offset, uint32_t len,
		      const uint8_t *data, bool last)
{
	uint8_t h[PDU_DATA_LEN] = { 0 };

	client_header(h, PDU_H2C_DATA, PDU_DATA_LEN, PDU_DATA_LEN, PDU_DATA_LEN + len);
	h[1] = last ? PDU_LAST : 0;
	bytes_put16(h + 8, cid);
	bytes_put16(h + 10, ttag);
	bytes_put32(h + 12, offset);
	bytes_put32(h + 16, len);
	return client_send(fd, h, sizeof(h)) && client_send(fd, data, len);
}

static void test_capsule(int io)
{
	const struct client_sqe w = { .opcode = OP_WRITE, .cid = 1, .nsid = 1, .cdw10 = 8 };
	const struct client_sqe r = {
		.opcode = OP_READ, .cid = 2, .nsid = 1, .cdw10 = 8, .length = BLOCK
	};
	uint8_t block[BLOCK];
	struct client_pdu p;

	memset(block, 0x5a, sizeof(block));
	client_command(io, &w, block, BLOCK);
	is_int(client_status(io, NULL), 0, "a write with its data in the capsule");
	client_command(io, &r, NULL, 0);
	ok(client_receive(io, &p) && p.type == PDU_C2H_DATA &&
		   p.flags == (PDU_LAST | PDU_SUCCESS) && p.data_len == BLOCK &&
		   !memcmp(p.bytes + p.data, block, BLOCK),
	   "a read returns them");
}

/* Return: the transfer tag of the R2T that a write of 64 KiB gets. */
static int ask_to_write(int io, uint16_t cid)
{
	const struct client_sqe w = {
		.opcode = OP_WRITE, .cid = cid, .nsid = 1, .cdw10 = 16, .cdw12 = 15, .length = 65536
	};
	struct client_pdu p;

	client_command(io, &w, NULL, 0);
	if (!client_receive(io, &p) || p.type != PDU_R2T || bytes_get16(p.bytes + 8) != cid ||
	    bytes_get32(p.bytes + 12) || bytes_get32(p.bytes + 16) != 65536)
		return -1;
	return bytes_get16(p.bytes + 10);
}

static void test_r2t(int io)
{
	const struct client_sqe r = {
		.opcode = OP_READ, .cid = 2, .nsid = 1, .cdw10 = 16, .cdw12 = 15, .length = 65536
	};
	static uint8_t data[65536];
	struct client_pdu p;
	int first = ask_to_write(io, 10), second = ask_to_write(io, 11);

	ok(first >= 0 && second >= 0 && first != second, "two writes get an R2T each");
	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = i * 7 >> 3;
	send_data(io, 11, second, 0, 65536, data, true);
	is_int(client_status(io, NULL), 0, "the second one's data come first");
	memset(data, 0x33, 1000);
	send_data(io, 10, first, 0, 1000, data, false);
	send_data(io, 10, first, 1000, 64536, data + 1000, true);
	is_int(client_status(io, NULL), 0, "... the first one's in two parts");
	client_command(io, &r, NULL, 0);
	ok(client_receive(io, &p) && p.data_len == 65536 &&
		   !memcmp(p.bytes + p.data, data, sizeof(data)),
	   "... and they are there");
}

/* Data that are not what was asked for, each on a new controller. */
static void test_wrong_data(void)
{
	static const struct wrong {
		uint16_t cid;
		int tag;
		uint32_t offset, len;
		bool last;
		uint16_t fes;
		const char *name;
	} wrong[] = {
		{ 10, 1, 0, 65536, true, FES_HEADER, "H2CData: another transfer tag" },
		{ 10, 9999, 0, 65536, true, FES_HEADER, "... none that there may be" },
		{ 11, 0, 0, 65536, true, FES_HEADER, "... another command" },
		{ 10, 0, 4096, 4096, false, FES_RANGE, "... not from the beginning on" },
		{ 10, 0, 0, 65540, true, FES_RANGE, "... too much" },
		{ 10, 0, 0, 65536, false, FES_HEADER, "... all, but not marked as the last" },
		{ 10, 0, 0, 4096, true, FES_HEADER, "... marked as the last too early" },
	};
	static uint8_t data[65540];

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct client_connect c = client_good(&server, 1);
		int admin = client_admin(&server, 0), io = client_queue(&server, &c);
		int tag = ask_to_write(io, 10);

		send_data(io, wrong[i].cid, tag + wrong[i].tag, wrong[i].offset, wrong[i].len, data,
			  wrong[i].last);
		is_terminated(io, wrong[i].fes, wrong[i].name);
		close(admin);
	}
}

static void test_refusals(int io)
{
	struct client_sqe c = {
		.opcode = OP_READ, .cid = 2, .nsid = 1, .cdw12 = 511, .length = (2 << 20) + BLOCK
	};
	uint8_t pdu[PDU_COMMAND_LEN + BLOCK], block[BLOCK] = { 0 };

	client_command(io, &c, NULL, 0);
	is_int(client_status(io, NULL), 0x4002, "more than MDTS");
	c.length = BLOCK;
	client_command(io, &c, NULL, 0);
	is_int(client_status(io, NULL), 0x400f, "a length that is not the blocks'");
	c.cdw10 = 1 << 30;
	c.cdw12 = 0;
	client_command(io, &c, NULL, 0);
	is_int(client_status(io, NULL), 0x4080, "beyond the drive");
	c.opcode = 0xc1;
	c.length = 0;
	client_command(io, &c, NULL, 0);
	is_int(client_status(io, NULL), 0x4001, "an opcode that there is not");
	c = (struct client_sqe){ .opcode = OP_WRITE, .cid = 3, .nsid = 1 };
	client_build(pdu, &c, block, BLOCK);
	bytes_put64(pdu + PDU_COMMON + 24, 4);
	client_send(io, pdu, sizeof(pdu));
	is_int(client_status(io, NULL), 0x4016, "an offset into the capsule");
	client_build(pdu, &c, block, BLOCK);
	bytes_put32(pdu + PDU_COMMON + 32, 512);
	client_send(io, pdu, sizeof(pdu));
	is_int(client_status(io, NULL), 0x400f, "a capsule with more data than the command says");
	client_build(pdu, &c, block, BLOCK);
	pdu[PDU_COMMON + 1] = 0;
	client_send(io, pdu, sizeof(pdu));
	is_int(client_status(io, NULL), 0x4002, "a PRP instead of an SGL");
}

static void test_flow_control(void)
{
	struct client_connect c = client_good(&server, 2);
	const struct client_sqe r = { .opcode = OP_READ, .cid = 2, .nsid = 1, .length = BLOCK };
	struct client_pdu p;
	int io;

	c.attributes = 0;
	io = client_queue(&server, &c);
	client_command(io, &r, NULL, 0);
	ok(client_receive(io, &p) && p.type == PDU_C2H_DATA && p.flags == PDU_LAST,
	   "with flow control a read's data do not say that it succeeded");
	ok(client_receive(io, &p) && p.type == PDU_RESPONSE, "... a response does");
	is_int(bytes_get16(p.bytes + 16), 2, "... with the head of the submission queue");
	is_int(bytes_get16(p.bytes + 18), 2, "... and the queue's identifier");
	close(io);
}

/* More than may be held in memory, and nobody reads: another queue is served meanwhile. */
static void test_memory(int io)
{
	struct client_connect c = client_good(&server, 3);
	struct client_sqe r = { .opcode = OP_READ, .nsid = 1, .cdw12 = 511, .length = 2 << 20 };
	struct client_pdu p;
	int greedy, n = 0;

	c.sqsize = 127;
	greedy = client_queue(&server, &c);
	for (r.cid = 0; r.cid < 100; r.cid++)
		client_command(greedy, &r, NULL, 0);
	test_capsule(io);
	for (; n < 100 && client_receive(greedy, &p) && p.data_len == 2 << 20; n++)
		;
	is_int(n, 100, "200 MiB that were asked for at once come");
	close(greedy);
}

static void test_too_many(void)
{
	struct client_connect c = client_good(&server, 4);
	struct client_sqe w = { .opcode = OP_WRITE, .nsid = 1, .length = BLOCK };
	struct client_pdu p;
	int io, n = 0;

	c.sqsize = 3;
	io = client_queue(&server, &c);
	for (w.cid = 0; w.cid < 5; w.cid++)
		client_command(io, &w, NULL, 0);
	while (client_receive(io, &p) && p.type == PDU_R2T)
		n++;
	ok(n <= 4 && p.type == PDU_C2H_TERM, "five commands for a queue of four entries");
	is_int(bytes_get16(p.bytes + FES_AT), FES_SEQUENCE, "... end it");
	close(io);
}

static void test_io(void)
{
	struct client_connect c = client_good(&server, 1);
	int admin = client_admin(&server, 0), io = client_queue(&server, &c);

	test_capsule(io);
	test_r2t(io);
	test_refusals(io);
	test_flow_control();
	test_memory(io);
	test_too_many();
	test_capsule(io);
	is_int(client_set_property(admin, 0x14, 0x460000), 0, "CC.EN = 0");
	ok(client_is_closed(io), "... ends the I/O queues");
	is_int(client_set_property(admin, 0x14, 0x460001), 0, "... the admin queue lives");
	close(io);
	close(admin);
}

/* --- time ---------------------------------------------------------------------------------- */

static void test_due(void)
{
	struct client_connect c = client_good(&server, 1);
	const struct client_sqe r = { .opcode = OP_READ, .cid = 2, .nsid = 1, .length = BLOCK };
	const struct client_sqe flush = { .opcode = 0, .cid = 3, .nsid = 1 };
	int admin = client_admin(&server, 0), io = client_queue(&server, &c);
	uint64_t start = now_ms();
	struct client_pdu p;

	client_nvsim(&server, "fail", "delay=300ms", "--opcode=read", NULL);
	client_command(io, &r, NULL, 0);
	client_command(io, &flush, NULL, 0);
	is_int(client_status(io, NULL), 0, "a command that is due later does not hold up others");
	ok(client_receive(io, &p) && p.type == PDU_C2H_DATA, "... and comes");
	ok(now_ms() - start >= 300, "... not before its time");

	client_command(io, &r, NULL, 0);
	usleep(100000);
	kill(server.pid, SIGTERM);
	ok(client_receive(io, &p) && p.type == PDU_C2H_DATA, "SIGTERM: it is still answered");
	ok(client_is_closed(io), "... and then is the end");
	is_int(client_stop(&server, 0), 0, "... with exit status 0");
	close(io);
	close(admin);
}

static void test_hang(void)
{
	struct client_connect c = client_good(&server, 1);
	const struct client_sqe r = { .opcode = OP_READ, .cid = 2, .nsid = 1, .length = BLOCK };
	const struct client_sqe abort_read = { .opcode = 8, .cid = 6, .cdw10 = 2 << 16 | 1 };
	int admin = client_admin(&server, 0), io = client_queue(&server, &c);

	client_nvsim(&server, "fail", "--clear", NULL, NULL);
	client_nvsim(&server, "fail", "hang", NULL, NULL);
	client_command(io, &r, NULL, 0);
	usleep(100000);
	client_command(admin, &abort_read, NULL, 0);
	is_int(client_status(admin, NULL), 0, "Abort of a command that hangs");
	is_int(client_status(io, NULL), 0x0007, "... which ends as aborted");
	client_nvsim(&server, "fail", "--clear", NULL, NULL);
	client_nvsim(&server, "fail", "drop", "--times=1", NULL);
	client_command(io, &r, NULL, 0);
	ok(client_is_closed(io), "nvsim fail drop: the connection ends");
	close(io);
	io = client_queue(&server, &c);
	ok(io >= 0, "... and only this one");
	client_nvsim(&server, "fail", "reset", "--times=1", NULL);
	client_command(io, &r, NULL, 0);
	ok(client_is_closed(io) && client_is_closed(admin), "nvsim fail reset: all of them end");
	close(io);
	close(admin);
}

static void test_keep_alive(void)
{
	const struct client_sqe keep_alive = { .opcode = 0x18, .cid = 5 };
	int admin = client_admin(&server, 1000);
	uint64_t start = now_ms();

	for (int i = 0; i < 6; i++) {
		usleep(500000);
		client_command(admin, &keep_alive, NULL, 0);
		if (client_status(admin, NULL))
			break;
	}
	ok(now_ms() - start >= 3000, "Keep Alive keeps it alive");
	start = now_ms();
	ok(client_is_closed(admin), "without it the controller goes");
	ok(now_ms() - start >= 1000, "... not before the timeout");
	close(admin);
}

int main(void)
{
	client_start(&server, "--timing=none");
	test_icreq();
	test_bytewise();
	test_headers();
	test_order();
	test_connect();
	test_storm();
	test_admin();
	test_io();
	test_wrong_data();
	test_due();
	client_serve(&server);
	test_hang();
	test_keep_alive();
	is_int(client_stop(&server, SIGINT), 0, "SIGINT: exit status 0");
	client_show_errors(&server);
	client_clean(&server);
	return done_testing();
}

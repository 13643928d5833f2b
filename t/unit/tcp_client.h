/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A host of NVMe over TCP that says exactly what a test wants, right or wrong, to a server that is
 * started here. For one source file of a program.
 */
#ifndef T_UNIT_TCP_CLIENT_H
#define T_UNIT_TCP_CLIENT_H

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/bytes.h"
#include "tools/nvsim/tcp/pdu.h"
#include "t/unit/tap.h"

enum {
	CLIENT_PATIENCE_MS = 20000, /* for what must come, on a busy machine */
	CLIENT_PDU = PDU_IC_LEN + (3 << 20), /* the longest that a server sends */
};

struct client_server {
	char dir[32], file[64], err[64], nqn[256];
	const char *nvsim;
	pid_t pid;
	uint16_t port;
};

/* A PDU that came. */
struct client_pdu {
	uint8_t type, flags;
	uint32_t len, data, data_len;
	uint8_t *bytes;
};

struct client_sqe {
	uint8_t opcode, fctype;
	uint16_t cid;
	uint32_t nsid, cdw10, cdw11, cdw12, length; /* of data not in the capsule */
};

static uint8_t client_buffer[CLIENT_PDU];

__attribute__((unused)) static void client_fatal(const char *what)
{
	printf("Bail out! %s: %s\n", what, strerror(errno));
	exit(1);
}

/* --- the server ---------------------------------------------------------------------------- */

/* Runs nvsim with up to five words. Return: its exit status. */
__attribute__((unused)) static int client_nvsim(const struct client_server *s, const char *a,
						const char *b, const char *c, const char *d)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		if (!freopen("/dev/null", "w", stdout))
			_exit(1);
		execl(s->nvsim, s->nvsim, a, s->file, b, c, d, (char *)NULL);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* On a port of its own. */
__attribute__((unused)) static void client_serve(struct client_server *s)
{
	char line[512] = "";
	int out[2];
	FILE *from;

	if (pipe(out))
		client_fatal("pipe");
	fflush(stdout);
	s->pid = fork();
	if (!s->pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL); /* not longer than the test */
		dup2(out[1], STDOUT_FILENO);
		if (!freopen(s->err, "a", stderr))
			_exit(1);
		execl(s->nvsim, s->nvsim, "serve", s->file, "--listen=127.0.0.1:0", "--queues=4",
		      (char *)NULL);
		_exit(127);
	}
	close(out[1]);
	from = fdopen(out[0], "r");
	if (!fgets(line, sizeof(line), from) || !strstr(line, " -s ") ||
	    sscanf(strstr(line, " -s "), " -s %hu -n %255s", &s->port, s->nqn) != 2)
		client_fatal("nvsim serve");
	fclose(from);
}

/* A drive in a folder of its own, and its server. @option: of nvsim create */
__attribute__((unused)) static void client_start(struct client_server *s, const char *option)
{
	const char *build = getenv("BUILD");
	static char nvsim[4096];

	snprintf(nvsim, sizeof(nvsim), "%s/nvsim", build ? build : "build");
	s->nvsim = nvsim;
	if (access(nvsim, X_OK)) {
		printf("1..0 # SKIP %s is not built\n", nvsim);
		exit(0);
	}
	strcpy(s->dir, "/tmp/tcp-client-XXXXXX");
	if (!mkdtemp(s->dir))
		client_fatal("mkdtemp");
	snprintf(s->file, sizeof(s->file), "%s/drive.nvsim", s->dir);
	snprintf(s->err, sizeof(s->err), "%s/server.err", s->dir);
	if (client_nvsim(s, "create", "--capacity=16M", "--seed=1", option))
		client_fatal("nvsim create");
	client_serve(s);
}

/* Return: the exit status; -signal where one killed it. */
__attribute__((unused)) static int client_stop(struct client_server *s, int number)
{
	int status;

	kill(s->pid, number);
	waitpid(s->pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* What the server said that is not about a connection: a sanitizer, most likely. */
__attribute__((unused)) static void client_show_errors(const struct client_server *s)
{
	FILE *f = fopen(s->err, "r");
	char line[512];

	while (f && fgets(line, sizeof(line), f))
		if (strncmp(line, "nvsim serve: 127", 16))
			printf("# %s", line);
	if (f)
		fclose(f);
}

__attribute__((unused)) static void client_clean(struct client_server *s)
{
	unlink(s->file);
	unlink(s->err);
	rmdir(s->dir);
}

/* --- bytes --------------------------------------------------------------------------------- */

__attribute__((unused)) static int client_dial(const struct client_server *s)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(s->port) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof(to)))
		client_fatal("connect");
	return fd;
}

/* Return: false: the server has ended the connection. */
__attribute__((unused)) static bool client_send(int fd, const void *bytes, size_t len)
{
	return send(fd, bytes, len, MSG_NOSIGNAL) == (ssize_t)len;
}

static bool client_read(int fd, uint8_t *to, size_t len)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	ssize_t n;

	for (; len; len -= n, to += n) {
		if (poll(&p, 1, CLIENT_PATIENCE_MS) <= 0)
			return false;
		n = recv(fd, to, len, 0);
		if (n <= 0)
			return false;
	}
	return true;
}

/* Return: false: the connection has ended, or nothing came. */
__attribute__((unused)) static bool client_receive(int fd, struct client_pdu *p)
{
	uint8_t *b = client_buffer;

	*p = (struct client_pdu){ .bytes = b };
	if (!client_read(fd, b, PDU_COMMON))
		return false;
	p->type = b[0];
	p->flags = b[1];
	p->len = bytes_get32(b + 4);
	if (p->len < PDU_COMMON || p->len > CLIENT_PDU)
		return false;
	p->data = b[3] ? b[3] : b[2];
	p->data_len = p->len > p->data ? p->len - p->data : 0;
	return client_read(fd, b + PDU_COMMON, p->len - PDU_COMMON);
}

/* Did the server end the connection, having sent nothing or only a termination? */
__attribute__((unused)) static bool client_is_closed(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	uint8_t byte;

	return poll(&p, 1, CLIENT_PATIENCE_MS) > 0 && recv(fd, &byte, 1, 0) <= 0;
}

/* --- PDUs ---------------------------------------------------------------------------------- */

__attribute__((unused)) static void client_header(uint8_t *at, uint8_t type, uint8_t hlen,
						  uint8_t pdo, uint32_t plen)
{
	at[0] = type;
	at[1] = 0;
	at[2] = hlen;
	at[3] = pdo;
	bytes_put32(at + 4, plen);
}

__attribute__((unused)) static bool client_icreq(int fd, struct client_pdu *answer)
{
	uint8_t ic[PDU_IC_LEN] = { 0 };

	client_header(ic, PDU_ICREQ, PDU_IC_LEN, 0, PDU_IC_LEN);
	return client_send(fd, ic, sizeof(ic)) && client_receive(fd, answer);
}

/* A capsule; @capsule bytes of data come along. @at: PDU_COMMAND_LEN and these. Return: its length. */
__attribute__((unused)) static uint32_t client_build(uint8_t *at, const struct client_sqe *c,
						     const void *data, uint32_t capsule)
{
	uint8_t *sqe = at + PDU_COMMON;

	memset(at, 0, PDU_COMMAND_LEN);
	client_header(at, PDU_COMMAND, PDU_COMMAND_LEN, capsule ? PDU_COMMAND_LEN : 0,
		      PDU_COMMAND_LEN + capsule);
	sqe[0] = c->opcode;
	sqe[1] = 0x40;
	bytes_put16(sqe + 2, c->cid);
	bytes_put32(sqe + 4, c->nsid);
	if (c->opcode == 0x7f)
		sqe[4] = c->fctype;
	bytes_put32(sqe + 32, capsule ? capsule : c->length);
	sqe[39] = capsule ? 0x01 : 0x5a;
	bytes_put32(sqe + 40, c->cdw10);
	bytes_put32(sqe + 44, c->cdw11);
	bytes_put32(sqe + 48, c->cdw12);
	if (capsule)
		memcpy(at + PDU_COMMAND_LEN, data, capsule);
	return PDU_COMMAND_LEN + capsule;
}

__attribute__((unused)) static bool client_command(int fd, const struct client_sqe *c,
						   const void *data, uint32_t capsule)
{
	uint8_t pdu[PDU_COMMAND_LEN + (16 << 10)];

	return client_send(fd, pdu, client_build(pdu, c, data, capsule));
}

/* Return: the status of the response that comes next, or -1: something else came. */
__attribute__((unused)) static int client_status(int fd, uint64_t *result)
{
	struct client_pdu p;

	if (!client_receive(fd, &p) || p.type != PDU_RESPONSE)
		return -1;
	if (result)
		*result = bytes_get64(p.bytes + 8);
	return bytes_get16(p.bytes + 22) >> 1;
}

/* What a Connect says; as a good host would, but for what the test changes. */
struct client_connect {
	uint16_t recfmt, qid, sqsize, cntlid;
	uint8_t attributes;
	uint32_t kato;
	const char *subnqn, *hostnqn;
	uint32_t length;
};

__attribute__((unused)) static struct client_connect client_good(const struct client_server *s,
								 uint16_t qid)
{
	return (struct client_connect){
		.qid = qid,
		.sqsize = 31,
		.cntlid = qid ? 1 : 0xffff,
		.attributes = 1 << 2,
		.subnqn = s->nqn,
		.hostnqn = "nqn.2026-12.org.example:test",
		.length = 1024,
	};
}

__attribute__((unused)) static uint32_t client_build_connect(uint8_t *pdu,
							     const struct client_connect *c)
{
	const struct client_sqe sqe = { .opcode = 0x7f, .fctype = 1, .cid = 7 };
	uint8_t data[1024] = { 0 };

	bytes_put16(data + 16, c->cntlid);
	snprintf((char *)data + 256, 256, "%s", c->subnqn);
	snprintf((char *)data + 512, 256, "%s", c->hostnqn);
	client_build(pdu, &sqe, data, c->length);
	bytes_put16(pdu + PDU_COMMON + 40, c->recfmt);
	bytes_put16(pdu + PDU_COMMON + 42, c->qid);
	bytes_put16(pdu + PDU_COMMON + 44, c->sqsize);
	pdu[PDU_COMMON + 46] = c->attributes;
	bytes_put32(pdu + PDU_COMMON + 48, c->kato);
	return PDU_COMMAND_LEN + c->length;
}

/* Return: as client_status(). */
__attribute__((unused)) static int client_connect(int fd, const struct client_connect *c,
						  uint64_t *result)
{
	uint8_t pdu[PDU_COMMAND_LEN + 1024];

	client_send(fd, pdu, client_build_connect(pdu, c));
	return client_status(fd, result);
}

/* A queue that is ready. */
__attribute__((unused)) static int client_queue(const struct client_server *s,
						const struct client_connect *c)
{
	struct client_pdu p;
	int fd = client_dial(s);

	if (!client_icreq(fd, &p) || client_connect(fd, c, NULL)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Property Set of four bytes. Return: the status. */
__attribute__((unused)) static int client_set_property(int fd, uint32_t offset, uint32_t value)
{
	const struct client_sqe c = {
		.opcode = 0x7f, .fctype = 0, .cid = 9, .cdw11 = offset, .cdw12 = value
	};

	client_command(fd, &c, NULL, 0);
	return client_status(fd, NULL);
}

/* Property Get. @size: 4 or 8 bytes */
__attribute__((unused)) static int client_get_property(int fd, uint32_t offset, uint32_t size,
						       uint64_t *value)
{
	const struct client_sqe c = {
		.opcode = 0x7f, .fctype = 4, .cid = 9, .cdw10 = size == 8, .cdw11 = offset
	};

	client_command(fd, &c, NULL, 0);
	return client_status(fd, value);
}

/* The admin queue of a controller that is enabled, or -1. A host that just left may still be there. */
__attribute__((unused)) static int client_admin(const struct client_server *s, uint32_t kato)
{
	struct client_connect c = client_good(s, 0);
	int fd = -1;

	c.kato = kato;
	for (int i = 0; i < 100 && fd < 0; i++) {
		fd = client_queue(s, &c);
		if (fd < 0)
			usleep(50000);
	}
	if (fd >= 0 && client_set_property(fd, 0x14, 0x460001)) {
		close(fd);
		return -1;
	}
	return fd;
}

#endif

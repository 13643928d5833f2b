// SPDX-License-Identifier: GPL-2.0-only
// nvsim serve: the model drive for Linux' own NVMe driver. Options and the socket; tcp/ has the rest.
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/model/mapping.h"
#include "engine/model/model.h"
#include "tools/nvsim/nvsim.h"
#include "tools/nvsim/parse.h"
#include "tools/nvsim/tcp/server.h"

#define DISCOVERY_NQN "nqn.2014-08.org.nvmexpress.discovery"

enum {
	MAX_HOSTS = 64,
	BACKLOG = 64,
	DEFAULT_QUEUES = 8,
	ID_SUBNQN = 768, /* in Identify Controller */
	OP_IDENTIFY_COMMAND = 0x06,
	CNS_CONTROLLER = 0x01,
};

static const char doc[] =
	"Make a drive a controller that Linux' NVMe driver connects to, by NVMe over TCP: then "
	"there "
	"are /dev/nvmeX and /dev/ngXnY for every program. One host at a time.\v"
	"Serves until SIGTERM, SIGINT or SIGHUP; what was under way is answered first. The drive "
	"may be "
	"in\n"
	"use otherwise, too. nvsim fail works while it is served.\n\n"
	"  nvsim serve drive.nvsim\n"
	"  nvme connect -t tcp -a 127.0.0.1 -s 4420 -n NQN     (as root; it prints the NQN)";

enum serve_option {
	OPT_LISTEN = 0x100,
	OPT_NQN,
	OPT_QUEUES,
	OPT_ALLOW_HOST,
};

static const struct argp_option options[] = {
	{ "listen", OPT_LISTEN, "ADDRESS[:PORT]", 0,
	  "Where hosts connect (127.0.0.1:4420); port 0: one that is free. There is no "
	  "authentication: whoever reaches another address than loopback has the drive",
	  1 },
	{ "nqn", OPT_NQN, "NQN", 0,
	  "The subsystem's name (the drive's own, from its serial number)", 1 },
	{ "queues", OPT_QUEUES, "N", 0, "I/O queues, 1 to 64 (8)", 1 },
	{ "allow-host", OPT_ALLOW_HOST, "NQN", 0,
	  "Only hosts of this name may connect; repeat it for more (all)", 1 },
	{ 0 },
};

struct arguments {
	const char *path, *listen;
	const char *hosts[MAX_HOSTS];
	struct server_settings set;
	char nqn[SERVER_NQN];
};

/* nqn.YYYY-MM. and more, without blanks (NVMe Base 2.x, "NVMe Qualified Names"). */
static bool is_nqn(const char *text)
{
	int year, month, at = 0;

	if (strlen(text) >= SERVER_NQN || sscanf(text, "nqn.%4d-%2d.%n", &year, &month, &at) != 2 ||
	    at != 12 || !text[at])
		return false;
	for (; *text; text++)
		if (*text <= ' ' || *text > '~')
			return false;
	return month >= 1 && month <= 12;
}

static const char *parse_nqn(struct argp_state *state, const char *name, const char *arg)
{
	if (!is_nqn(arg))
		usage_error(state, "--%s=%s: not an NVMe Qualified Name; nqn.YYYY-MM.DOMAIN:TEXT",
			    name, arg);
	return arg;
}

static uint32_t parse_queues(struct argp_state *state, const char *arg)
{
	uint64_t value;

	if (!parse_number(arg, &value) || !value || value > SERVER_MAX_QUEUES)
		usage_error(state, "--queues=%s: not a number from 1 to %d", arg,
			    SERVER_MAX_QUEUES);
	return value;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case OPT_LISTEN:
		a->listen = arg;
		return 0;
	case OPT_NQN:
		if (!strcmp(arg, DISCOVERY_NQN))
			usage_error(state, "--nqn=%s: the name of discovery; a drive needs another",
				    arg);
		a->set.nqn = parse_nqn(state, "nqn", arg);
		return 0;
	case OPT_QUEUES:
		a->set.queues = parse_queues(state, arg);
		return 0;
	case OPT_ALLOW_HOST:
		if (a->set.nr_hosts == MAX_HOSTS)
			usage_error(state, "--allow-host: %d of them at most", MAX_HOSTS);
		a->hosts[a->set.nr_hosts++] = parse_nqn(state, "allow-host", arg);
		return 0;
	default:
		return parse_file(key, arg, state, &a->path);
	}
}

/* --- the socket ---------------------------------------------------------------------------- */

/* ADDRESS, ADDRESS:PORT, [ADDRESS]:PORT. Return: false: not one of these. */
static bool split_address(const char *text, char *address, size_t len, const char **port)
{
	bool brackets = *text == '[';
	const char *end = brackets ? strchr(text, ']') : strrchr(text, ':');
	uint64_t number;
	size_t n;

	text += brackets;
	*port = "4420";
	if (brackets && !end)
		return false;
	n = end ? (size_t)(end - text) : strlen(text);
	if (end && end[brackets]) {
		if (end[brackets] != ':' || !end[brackets + 1])
			return false;
		*port = end + brackets + 1;
	}
	if (!parse_number(*port, &number) || number > UINT16_MAX)
		return false;
	if (!n || n >= len || (!brackets && memchr(text, ':', n)))
		return false;
	memcpy(address, text, n);
	address[n] = '\0';
	return true;
}

static bool is_loopback(const char *address)
{
	return !strncmp(address, "127.", 4) || !strcmp(address, "::1");
}

static int bind_socket(const struct addrinfo *at)
{
	int fd = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1;

	if (fd < 0)
		return -errno;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(fd, at->ai_addr, at->ai_addrlen) || listen(fd, BACKLOG)) {
		on = -errno;
		close(fd);
		return on;
	}
	return fd;
}

/* Return: the listening socket, or -1 after one line; then @status is what to exit with. */
static int open_listener(const char *text, int *status)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE };
	struct addrinfo *found;
	char address[256];
	const char *port;
	int fd;

	*status = STATUS_USAGE;
	if (!split_address(text, address, sizeof(address), &port) ||
	    getaddrinfo(address, port, &hints, &found)) {
		fprintf(stderr,
			"nvsim serve: --listen=%s: not an address of this machine; write "
			"127.0.0.1:4420 or [::1]:4420\n",
			text);
		return -1;
	}
	fd = bind_socket(found);
	freeaddrinfo(found);
	if (fd >= 0)
		return fd;
	fprintf(stderr, "nvsim serve: --listen=%s: %s\n", text, strerror(-fd));
	*status = STATUS_FAILED;
	return -1;
}

/* An address to connect to: a wildcard is none. */
static const char *to_connect(const char *host)
{
	if (!strcmp(host, "0.0.0.0"))
		return "127.0.0.1";
	return strcmp(host, "::") ? host : "::1";
}

/* What a user has to know to connect, on one line each. Return: the exit status. */
static int announce(const struct arguments *a, int listener)
{
	struct sockaddr_storage bound;
	socklen_t len = sizeof(bound);
	char host[64] = "?", port[8] = "?";

	if (!getsockname(listener, (struct sockaddr *)&bound, &len))
		getnameinfo((struct sockaddr *)&bound, len, host, sizeof(host), port, sizeof(port),
			    NI_NUMERICHOST | NI_NUMERICSERV);
	printf("%s: served; nvme connect -t tcp -a %s -s %s -n %s\n", a->path, to_connect(host),
	       port, a->set.nqn);
	if (!is_loopback(host))
		fprintf(stderr,
			"nvsim serve: %s is not loopback: whoever reaches it can read and write "
			"the "
			"drive%s\n",
			host, a->set.nr_hosts ? ", by naming itself one of --allow-host" : "");
	return flush_output();
}

/* --- the command --------------------------------------------------------------------------- */

/* The drive's own name. */
static void find_nqn(struct model *m, struct arguments *a)
{
	uint8_t page[4096] = { 0 };

	if (a->set.nqn)
		return;
	admin(m, OP_IDENTIFY_COMMAND, 0, CNS_CONTROLLER, 0, page, sizeof(page));
	memcpy(a->nqn, page + ID_SUBNQN, sizeof(a->nqn) - 1);
	a->set.nqn = a->nqn;
}

static int serve(struct model *m, struct arguments *a)
{
	int status, ret, listener;
	sigset_t ends;

	if (model_claim_service(m)) {
		fprintf(stderr,
			"nvsim serve: %s: is served already; a drive has one controller (fuser -v "
			"%s)\n",
			a->path, a->path);
		return STATUS_FAILED;
	}
	listener = open_listener(a->listen, &status);
	if (listener < 0)
		return status;
	find_nqn(m, a);
	server_hold_signals(&ends);
	status = announce(a, listener);
	if (status) {
		close(listener);
		return status;
	}
	ret = server_run(m, listener, &a->set);
	if (!ret)
		return STATUS_FINE;
	if (ret == -EIO && model_failure(m))
		fprintf(stderr, "nvsim serve: %s: %s\n", a->path, model_failure(m));
	else
		fprintf(stderr, "nvsim serve: %s\n", strerror(-ret));
	return STATUS_FAILED;
}

int serve_main(int argc, char **argv)
{
	static const struct argp argp = { options, parse_option, "FILE", doc, 0, 0, 0 };
	struct arguments a = { .listen = "127.0.0.1", .set.queues = DEFAULT_QUEUES };
	char why[MODEL_WHY_LEN];
	struct model *m;
	int ret;

	parse_arguments(&argp, argc, argv, &a);
	a.set.hosts = a.hosts;
	a.set.path = a.path;
	ret = model_open(a.path, &m, why);
	if (ret)
		return report_failure(ret, why);
	if (*why)
		fprintf(stderr, "nvsim serve: %s\n", why);
	ret = serve(m, &a);
	model_close(m);
	return ret;
}

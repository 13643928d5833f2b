// SPDX-License-Identifier: GPL-2.0-only
/* fio as a child, see fio.h. */
#include "tools/fio-curve/fio.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "tools/fio-curve/signals.h"
#include "tools/fio-peak/alloc.h"

enum {
	TICK_MS = 1000,
	GUARDIAN_MS = 5000,
	EXEC_FAILED = 127,
};

/* A pipe that fio writes to, read in lines; a carriage return ends one, too. */
struct stream {
	int fd;
	char line[512];
	size_t len;
};

struct child {
	pid_t pid;
	struct stream out, err;
	int stop; /* the first signal that asked us to stop */
	bool ended;
	int status;
	double iops;
	struct fio_end *end;
};

/* Status lines: "... [r=8337,w=3677 IOPS][eta 00m:03s]"; k and M are decimal. */
double fio_eta_iops(const char *line)
{
	const char *end = strstr(line, " IOPS]"), *at = end;
	double iops = 0;

	while (at && at > line && *at != '[')
		at--;
	if (!at || at == line)
		return -1;
	while (at < end) {
		char *unit;

		at += strcspn(at, "=") + 1;
		if (at > end)
			break;
		iops += strtod(at, &unit) * (*unit == 'k' ? 1e3 : *unit == 'M' ? 1e6 : 1);
		at = unit;
	}
	return iops;
}

static void on_line(struct child *c, struct stream *s)
{
	double iops;

	s->line[s->len] = 0;
	s->len = 0;
	if (s == &c->err) {
		if (!*c->end->said)
			snprintf(c->end->said, sizeof(c->end->said), "%.255s", s->line);
		return;
	}
	iops = fio_eta_iops(s->line);
	if (iops >= 0)
		c->iops = iops;
}

static void read_stream(struct child *c, struct stream *s)
{
	char buffer[4096];
	ssize_t got;

	while (s->fd >= 0 && (got = read(s->fd, buffer, sizeof(buffer))) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return;
		for (ssize_t i = 0; i < got; i++) {
			bool ends = buffer[i] == '\n' || buffer[i] == '\r';

			if (ends && s->len)
				on_line(c, s);
			else if (!ends && s->len < sizeof(s->line) - 1)
				s->line[s->len++] = buffer[i];
		}
	}
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

/* In the child. fio has a group of its own: what the terminal sends reaches it through us only. */
__attribute__((noreturn)) static void become_fio(const struct command *c, pid_t parent, int out,
						 int err)
{
	int null = open("/dev/null", O_RDONLY);

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGINT);
	if (getppid() != parent)
		_exit(EXEC_FAILED);
	signals_restore();
	dup2(null, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	execvp(c->arg[0], c->arg);
	dprintf(STDERR_FILENO, "%s: cannot be run: %s\n", c->arg[0], strerror(errno));
	_exit(EXEC_FAILED);
}

static int start(const struct command *c, struct child *child)
{
	int out[2] = { -1, -1 }, err[2] = { -1, -1 };
	pid_t self = getpid();

	if (pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC) || (child->pid = fork()) < 0) {
		snprintf(child->end->said, sizeof(child->end->said), "cannot start a process: %s",
			 strerror(errno));
		for (int i = 0; i < 2; i++) {
			if (out[i] >= 0)
				close(out[i]);
			if (err[i] >= 0)
				close(err[i]);
		}
		return -1;
	}
	if (!child->pid)
		become_fio(c, self, out[1], err[1]);
	close(out[1]);
	close(err[1]);
	fcntl(out[0], F_SETFL, O_NONBLOCK);
	fcntl(err[0], F_SETFL, O_NONBLOCK);
	child->out.fd = out[0];
	child->err.fd = err[0];
	return 0;
}

/* The engine's guardians restore the power state and finish the sidecar of a fio that was killed. */
static bool is_guardian(int pid)
{
	char *path = alloc_printf("/proc/%d/comm", pid);
	FILE *f = fopen(path, "re");
	char name[32] = "";

	free(path);
	if (f && !fgets(name, sizeof(name), f))
		*name = 0;
	if (f)
		fclose(f);
	return !strcmp(name, "nvmept-guardian\n");
}

/* Return: how many of our children are guardians; ends the others, which are jobs of fio's. */
static int end_jobs(void)
{
	char *path = alloc_printf("/proc/self/task/%d/children", getpid());
	FILE *f = fopen(path, "re");
	int guardians = 0, pid;

	while (f && fscanf(f, "%d", &pid) == 1) {
		if (is_guardian(pid))
			guardians++;
		else
			kill(pid, SIGKILL);
	}
	if (f)
		fclose(f);
	free(path);
	return guardians;
}

/*
 * Whatever descends from a killed fio and outlived it is our child now. Ends the jobs, and gives the
 * guardians the time that they need; one may wait for another fio on the same drive.
 */
static void end_orphans(void)
{
	const struct timespec pause = { .tv_nsec = 10000000 };

	for (int turns = GUARDIAN_MS / 10; waitpid(-1, NULL, WNOHANG) >= 0 && turns > 0;) {
		if (end_jobs())
			turns--;
		nanosleep(&pause, NULL);
	}
}

/* A guardian ends a moment after its fio, by itself: here those of the points before. */
static void reap(void)
{
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
}

static void on_signal(struct child *c, const struct fio_watch *w, int signal)
{
	if (signal == SIGCHLD) {
		c->ended |= waitpid(c->pid, &c->status, WNOHANG) == c->pid;
		return;
	}
	if (c->stop) {
		kill(c->pid, SIGKILL);
		return;
	}
	c->stop = signal;
	kill(c->pid, SIGINT);
	if (w->stopping)
		w->stopping(w->ctx);
}

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void watch(struct child *c, const struct fio_watch *w)
{
	uint64_t next = now_ms() + TICK_MS;

	while (!c->ended) {
		struct pollfd fds[] = { { c->out.fd, POLLIN, 0 },
					{ c->err.fd, POLLIN, 0 },
					{ w->signals, POLLIN, 0 } };
		uint64_t now = now_ms();
		int signal;

		if (now >= next) {
			if (w->tick)
				w->tick(w->ctx, c->iops);
			next = now + TICK_MS;
		}
		poll(fds, 3, (int)(next - now));
		read_stream(c, &c->out);
		read_stream(c, &c->err);
		while (!c->ended && (signal = signals_next(w->signals)))
			on_signal(c, w, signal);
	}
	read_stream(c, &c->out);
	read_stream(c, &c->err);
}

void fio_run(const struct command *c, const struct fio_watch *w, struct fio_end *end)
{
	struct child child = { .iops = -1, .end = end, .out.fd = -1, .err.fd = -1 };

	*end = (struct fio_end){ .status = -1 };
	if (start(c, &child))
		return;
	watch(&child, w);
	if (child.out.fd >= 0)
		close(child.out.fd);
	if (child.err.fd >= 0)
		close(child.err.fd);
	end->signal = child.stop;
	if (WIFEXITED(child.status))
		end->status = WEXITSTATUS(child.status);
	else
		end->killed = WTERMSIG(child.status);
	if (end->killed)
		end_orphans();
	reap();
}

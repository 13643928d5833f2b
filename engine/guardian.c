// SPDX-License-Identifier: GPL-2.0-only
// Starts processes that outlive fio. The run's end is the end of file of a pipe made in fio's parent:
// every process of the run holds its other end by having been forked, and by nothing that a kill
// could leave behind.
#include "engine/guardian.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	MAX_DUTIES = 64,
	FIRST_OWN_FD = 3,
};

struct duty {
	uint32_t ready; /* what follows is whole */
	guardian_duty *run;
	void *context;
};

static struct {
	uint32_t nr;
	uint32_t started;
	struct duty duty[MAX_DUTIES];
} * run;

static int run_end[2] = { -1, -1 }; /* the pipe; only forking ever copies it */
static int kept = -1; /* in a guardian: the one descriptor of fio's that it has */

void guardian_init(void)
{
	void *p;

	if (run || pipe2(run_end, O_CLOEXEC))
		return;
	p = mmap(NULL, sizeof(*run), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (p != MAP_FAILED) {
		run = p;
		return;
	}
	close(run_end[0]);
	close(run_end[1]);
}

/* --- becoming a guardian -------------------------------------------------------------------- */

static void ignore_signals(void)
{
	static const int deaf_to[] = { SIGINT,	SIGTERM, SIGHUP,  SIGQUIT, SIGPIPE,
				       SIGUSR1, SIGUSR2, SIGALRM, SIGCHLD };
	const struct sigaction ignore = { .sa_handler = SIG_IGN };
	sigset_t none;

	for (size_t i = 0; i < sizeof(deaf_to) / sizeof(deaf_to[0]); i++)
		sigaction(deaf_to[i], &ignore, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Close all but two descriptors (-1: none). */
static void close_all_but(int a, int b)
{
	int low = a < b ? a : b, high = a < b ? b : a;
	int from = 0;

	if (low >= from) {
		if (low > from)
			close_range(from, low - 1, 0);
		from = low + 1;
	}
	if (high >= from) {
		if (high > from)
			close_range(from, high - 1, 0);
		from = high + 1;
	}
	close_range(from, ~0U, 0);
}

/* Return: the descriptor moved out of the way of 0 to 2. */
static int lift(int fd)
{
	return fd < 0 ? fd : fcntl(fd, F_DUPFD_CLOEXEC, FIRST_OWN_FD);
}

/* Return: 0 or -errno. @keep (then in kept) and @answer are the only ones of fio's that stay open. */
static int leave_fio(int keep, int *answer)
{
	int null;

	kept = lift(keep);
	*answer = lift(*answer);
	if (*answer < 0)
		return -errno;
	close_all_but(kept, *answer);
	null = open("/dev/null", O_RDWR); /* 0 */
	if (null < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0 || chdir("/"))
		return -errno;
	prctl(PR_SET_NAME, "nvmept-guardian");
	return 0;
}

/* In the guardian, which never returns. _exit: fio's atexit functions are none of ours. */
static void __attribute__((noreturn))
be_guardian(const struct guardian_plan *plan, int keep, int answer)
{
	int ret = leave_fio(keep, &answer);

	if (!ret)
		ret = plan->prepare ? plan->prepare(plan->context) : 0;
	if (answer >= 0) {
		/* EPIPE: who asked has been killed, which is what a guardian is there for. */
		if (write(answer, &ret, sizeof(ret)) < 0 && errno != EPIPE && !ret)
			ret = -errno;
		close(answer);
	}
	if (!ret)
		plan->work(plan->context);
	_exit(ret != 0);
}

static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return 0; /* fio's parent may have SIGCHLD ignored */
	return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : -EAGAIN;
}

/* What the guardian says of its preparation. Return: 0 or -errno. */
static int hear(int fd)
{
	int said = 0;
	ssize_t n;

	do
		n = read(fd, &said, sizeof(said));
	while (n < 0 && errno == EINTR);
	return n == sizeof(said) ? said : -ECHILD;
}

/* The one between fio and the guardian: it ends at once, so that fio has no child to wait for. */
static void __attribute__((noreturn))
be_between(const struct guardian_plan *plan, int keep, int answer)
{
	pid_t pid;

	ignore_signals();
	setsid();
	pid = fork();
	if (!pid)
		be_guardian(plan, keep, answer);
	_exit(pid < 0);
}

static int spawn(const struct guardian_plan *plan, int keep)
{
	int answer[2], ret;
	pid_t pid;

	if (pipe2(answer, O_CLOEXEC))
		return -errno;
	pid = fork();
	if (!pid)
		be_between(plan, keep, answer[1]);
	ret = pid < 0 ? -errno : 0;
	close(answer[1]);
	if (!ret)
		ret = wait_for(pid);
	if (!ret)
		ret = hear(answer[0]);
	close(answer[0]);
	return ret;
}

int guardian_spawn(const struct guardian_plan *plan)
{
	return spawn(plan, plan->part_of_run ? run_end[1] : -1);
}

/* --- the run's guardian ----------------------------------------------------------------------- */

static void wait_for_end_of_run(void)
{
	char byte;

	while (read(kept, &byte, 1) < 0 && errno == EINTR)
		;
}

static bool is_known(uint32_t nr, guardian_duty *duty, const void *context)
{
	for (uint32_t i = 0; i < nr; i++)
		if (run->duty[i].run == duty && run->duty[i].context == context &&
		    __atomic_load_n(&run->duty[i].ready, __ATOMIC_ACQUIRE))
			return true;
	return false;
}

static uint32_t nr_duties(void)
{
	uint32_t nr = __atomic_load_n(&run->nr, __ATOMIC_ACQUIRE);

	return nr < MAX_DUTIES ? nr : MAX_DUTIES;
}

static void do_duties(void *context)
{
	uint32_t nr;

	wait_for_end_of_run();
	nr = nr_duties();
	for (uint32_t i = 0; i < nr; i++) {
		const struct duty *d = &run->duty[i];

		/* Two jobs may have added the same at the same moment. */
		if (__atomic_load_n(&d->ready, __ATOMIC_ACQUIRE) &&
		    !is_known(i, d->run, d->context))
			d->run(d->context);
	}
}

static int start_run_guardian(void)
{
	const struct guardian_plan plan = { .work = do_duties };
	uint32_t started = 0;
	int ret;

	if (!__atomic_compare_exchange_n(&run->started, &started, 1, false, __ATOMIC_ACQ_REL,
					 __ATOMIC_ACQUIRE))
		return 0;
	ret = spawn(&plan, run_end[0]);
	if (ret)
		__atomic_store_n(&run->started, 0, __ATOMIC_RELEASE);
	return ret;
}

int guardian_at_end(guardian_duty *duty, void *context)
{
	uint32_t i;

	if (!run)
		return -ENOMEM;
	if (!is_known(nr_duties(), duty, context)) {
		i = __atomic_fetch_add(&run->nr, 1, __ATOMIC_ACQ_REL);
		if (i >= MAX_DUTIES)
			return -ENOSPC;
		run->duty[i].run = duty;
		run->duty[i].context = context;
		__atomic_store_n(&run->duty[i].ready, 1, __ATOMIC_RELEASE);
	}
	return start_run_guardian();
}

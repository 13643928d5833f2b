// SPDX-License-Identifier: GPL-2.0-only
// NVMe Base 2.x: "Power Management" (Feature 02h), "Power State Descriptor".
#include "engine/power/state.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/status.h"

enum {
	FEATURE_NOT_CHANGEABLE = 0x10e, /* SCT and SC */
	POWER_ON_STATE = 0, /* in force after a reset, where nothing was saved */
};

int power_refuse(char *why, int err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why, TARGET_WHY_LEN, format, args);
	va_end(args);
	return err;
}

/* FNV-1a over a text. */
static uint64_t add_text(uint64_t h, const char *text)
{
	do
		h = (h ^ (unsigned char)*text) * 0x100000001b3ULL;
	while (*text++);
	return h;
}

/*
 * A serial number is not enough: makers repeat them, a subsystem's controllers share one, and a copy of
 * a model drive has the same.
 */
static void name_controller(struct power_controller *c)
{
	const struct admin_identity *id = &c->identity;
	uint64_t h = 0xcbf29ce484222325ULL ^ id->controller_id;
	char serial[sizeof(id->serial)];
	size_t n = 0;

	h = add_text(add_text(add_text(h, id->serial), id->model), id->subsystem);
	if (c->target->model)
		h = add_text(h, c->target->node);
	for (const char *s = id->serial; *s; s++)
		serial[n++] = (*s >= '0' && *s <= '9') || ((*s | 0x20) >= 'a' && (*s | 0x20) <= 'z')
				      ? *s
				      : '_';
	serial[n] = '\0';
	snprintf(c->name, sizeof(c->name), "%s-%016" PRIx64, serial, h);
}

static int find_path(struct power_controller *c, char *why)
{
	char *path;

	if (!c->target->model) {
		snprintf(c->path, sizeof(c->path), "/dev/%s", c->target->node);
		return 0;
	}
	path = realpath(c->target->name, NULL);
	if (path && strlen(path) < sizeof(c->path) && !strchr(path, '\n')) {
		snprintf(c->path, sizeof(c->path), "%s", path);
		free(path);
		return 0;
	}
	free(path);
	return power_refuse(
		why, -ENAMETOOLONG,
		"%s: its path cannot be written down for a later repair: too long, or with a line "
		"break in it",
		c->target->name);
}

int power_state_identify(struct power_controller *c, const struct target *t, char *why)
{
	char text[160];
	int ret;

	memset(c, 0, sizeof(*c));
	c->target = t;
	ret = admin_identity(t->model, t->fd, &c->identity);
	if (ret) {
		status_describe(ret, text, sizeof(text));
		return power_refuse(why, -status_errno(ret), "%s: Identify failed: %s", t->name,
				    text);
	}
	name_controller(c);
	return find_path(c, why);
}

/* "0, 1, 2": the operational ones. */
static const char *list_operational(const struct admin_identity *id, char *text, size_t size)
{
	size_t n = 0;

	*text = '\0';
	for (uint32_t i = 0; i < id->nr_power_states && n < size; i++)
		if (id->power[i].operational)
			n += snprintf(text + n, size - n, "%s%u", n ? ", " : "", i);
	return text;
}

int power_state_check(const struct power_controller *c, uint32_t state, bool force, char *why)
{
	const struct admin_identity *id = &c->identity;
	const char *name = c->target->name;
	char list[128];

	if (target_live_paths(c->target) > 1)
		return power_refuse(
			why, -EOPNOTSUPP,
			"%s: nvme_power_state=%u: several controllers lead to it, and each has a "
			"power state of its own",
			name, state);
	if (id->nr_power_states <= 1 && !force)
		return power_refuse(
			why, -EOPNOTSUPP,
			"%s: nvme_power_state=%u: the controller has one power state only (NPSS "
			"0): there is nothing to choose",
			name, state);
	if (state >= id->nr_power_states && id->nr_power_states > 1)
		return power_refuse(
			why, -EINVAL,
			"%s: nvme_power_state=%u: the controller has power states 0 to %u", name,
			state, id->nr_power_states - 1);
	if (state < id->nr_power_states && !id->power[state].operational && !force) {
		snprintf(why, TARGET_WHY_LEN,
			 "%.200s: nvme_power_state=%u: this state is not operational, the drive "
			 "leaves "
			 "it at the first I/O; operational are %.100s; nvme_power_force=1 sets it "
			 "all "
			 "the same",
			 name, state, list_operational(id, list, sizeof(list)));
		return -EINVAL;
	}
	return 0;
}

/* What a refused Get or Set Features means. Return: -errno. */
static int explain(const struct power_controller *c, const char *command, int ret, char *why)
{
	const char *name = c->target->name;
	char text[160];

	if (ret == -EACCES || ret == -EPERM) {
		snprintf(why, TARGET_WHY_LEN,
			 "%s: %s, Power Management: no permission: the kernel lets CAP_SYS_ADMIN "
			 "alone do it; run as root",
			 name, command);
		return -EACCES;
	}
	status_describe(ret, text, sizeof(text));
	if (ret > 0 && (ret & 0x7ff) == FEATURE_NOT_CHANGEABLE)
		snprintf(why, TARGET_WHY_LEN,
			 "%s: %s, Power Management: %s: the drive does not let its power state be "
			 "changed",
			 name, command, text);
	else
		snprintf(why, TARGET_WHY_LEN, "%s: %s, Power Management: %s", name, command, text);
	return -status_errno(ret);
}

int power_state_get(const struct power_controller *c, uint32_t *value, char *why)
{
	int ret = admin_get_power(c->target->model, c->target->fd, value);

	return ret ? explain(c, "Get Features", ret, why) : 0;
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

int power_state_set(const struct power_controller *c, uint32_t value, uint64_t *ns, char *why)
{
	uint64_t begin = now_ns();
	int ret = admin_set_power(c->target->model, c->target->fd, value);
	uint32_t got;

	if (ns)
		*ns = now_ns() - begin;
	if (ret)
		return explain(c, "Set Features", ret, why);
	ret = power_state_get(c, &got, why);
	if (ret || POWER_PS(got) == POWER_PS(value))
		return ret;
	return power_refuse(
		why, -EIO,
		"%s: the drive took Set Features, Power Management, but state %u is in force, not "
		"%u",
		c->target->name, POWER_PS(got), POWER_PS(value));
}

/*
 * May the state in force be replaced by the one that was found? It may be what was asked for, or what a
 * reset or an I/O has made of that. Else another program has set it since.
 */
static bool is_ours(const struct journal *j, uint32_t value)
{
	return POWER_PS(value) == POWER_PS(j->asked) || j->fleeting ||
	       POWER_PS(value) == POWER_ON_STATE;
}

int power_state_restore(const struct power_controller *c, const struct journal *j, uint32_t *value,
			char *why)
{
	uint32_t got;
	int ret = power_state_get(c, &got, why);

	if (ret)
		return ret;
	if (value)
		*value = got;
	if (POWER_PS(got) == POWER_PS(j->found))
		return POWER_RESTORED;
	if (!is_ours(j, got))
		return POWER_LEFT;
	ret = power_state_set(c, j->found, NULL, why);
	return ret ? ret : POWER_RESTORED;
}

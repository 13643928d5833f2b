// SPDX-License-Identifier: GPL-2.0-only
// Finds a namespace's controller by sysfs. With multipath that is one of several: the first that is
// live answers for all, since the logs that matter are the endurance group's.
#include "engine/telemetry/source.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/model/model.h"

static bool is_controller(const char *name)
{
	unsigned instance;
	int len = 0;

	return sscanf(name, "nvme%u%n", &instance, &len) == 1 && !name[len];
}

static bool is_live(const char *subsystem, const char *controller)
{
	char path[PATH_MAX + 300], state[16] = "";
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s/state", subsystem, controller);
	f = fopen(path, "re");
	if (!f)
		return false;
	if (!fgets(state, sizeof(state), f))
		state[0] = '\0';
	fclose(f);
	return !strncmp(state, "live", 4);
}

/* A namespace hangs on its controller, or, with multipath, on a subsystem that has controllers. */
static void find_controller(struct registry_device *d, const char *disk)
{
	char link[PATH_MAX], path[PATH_MAX], copy[PATH_MAX];
	struct dirent *entry;
	DIR *dir;

	snprintf(link, sizeof(link), "/sys/class/block/%s/device", disk);
	if (!realpath(link, path))
		return;
	memcpy(copy, path, sizeof(copy));
	if (is_controller(basename(copy))) {
		memcpy(copy, path, sizeof(copy));
		snprintf(d->controller, sizeof(d->controller), "/dev/%.50s", basename(copy));
		return;
	}
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		if (!is_controller(entry->d_name) || !is_live(path, entry->d_name))
			continue;
		snprintf(d->controller, sizeof(d->controller), "/dev/%.50s", entry->d_name);
		break;
	}
	if (dir)
		closedir(dir);
}

void source_locate(struct registry_device *d, const struct target *t, const char *name)
{
	d->is_model = t->model;
	if (d->is_model) {
		/* A guardian works in another folder. */
		if (!realpath(name, d->path))
			snprintf(d->path, sizeof(d->path), "%s", name);
		return;
	}
	snprintf(d->path, sizeof(d->path), "/dev/%s", t->node);
	find_controller(d, t->disk);
}

int source_open(const struct registry_device *d, struct drive_source *out)
{
	char why[MODEL_WHY_LEN];

	out->model = NULL;
	out->fd = -1;
	if (d->is_model)
		return model_open(d->path, &out->model, why);
	if (*d->controller)
		out->fd = open(d->controller, O_RDONLY | O_CLOEXEC);
	if (out->fd < 0)
		out->fd = open(d->path, O_RDONLY | O_CLOEXEC);
	return out->fd < 0 ? -errno : 0;
}

void source_close(struct drive_source *s)
{
	if (s->model)
		model_close(s->model);
	if (s->fd >= 0)
		close(s->fd);
	s->model = NULL;
	s->fd = -1;
}

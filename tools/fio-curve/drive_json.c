// SPDX-License-Identifier: GPL-2.0-only
/* drive.json, see drive_json.h. */
#include "tools/fio-curve/drive_json.h"

#include <sys/utsname.h>
#include <unistd.h>

#include "tools/fio-curve/files.h"
#include "tools/fio-curve/runlog.h"
#include "tools/fio-curve/say.h"
#include "tools/fio-peak/alloc.h"

static const char *string(const json_t *drive, const char *name)
{
	const char *value = json_string_value(json_object_get(drive, name));

	return value ? value : "";
}

static bool has_identity(const struct target *t)
{
	return *t->model || *t->serial;
}

static bool same_drive(const json_t *drive, const struct target *t)
{
	if (!has_identity(t))
		return !strcmp(string(drive, "target"), t->path);
	return !strcmp(string(drive, "model"), t->model) &&
	       !strcmp(string(drive, "serial"), t->serial) &&
	       json_integer_value(json_object_get(drive, "capacity_bytes")) == (json_int_t)t->bytes;
}

char *drive_check(const char *path, const struct target *t)
{
	json_error_t error;
	json_t *drive;
	char *why = NULL;

	if (access(path, F_OK))
		return NULL;
	drive = json_load_file(path, 0, &error);
	if (!json_is_object(drive))
		why = alloc_printf("%s: is damaged; take it away, or use another --out", path);
	else if (!same_drive(drive, t))
		why = alloc_printf(
			"%s: results of another drive lie there (%s%s%s%s%s); use another label "
			"than %s, or another --out",
			path, string(drive, "target"), *string(drive, "model") ? " " : "",
			string(drive, "model"), *string(drive, "serial") ? ", serial " : "",
			string(drive, "serial"), t->label);
	json_decref(drive);
	return why;
}

static void say_difference(const json_t *drive, const char *path, const char *name, const char *now)
{
	if (strcmp(string(drive, name), now))
		say("%s: earlier points were measured with %s %s, those to come with %s", path,
		    name, string(drive, name), now);
}

/* null instead of "", which says nothing. */
static json_t *text_or_null(const char *text)
{
	return *text ? alloc_check(json_string(text)) : json_null();
}

static json_t *make(const struct settings *s, const struct target *t, const struct utsname *host,
		    const char *fio)
{
	json_t *drive = alloc_check(json_object()), *hosts = alloc_check(json_array());
	char now[24];

	json_object_set_new(drive, "fio-curve schema", json_integer(1));
	json_object_set_new(drive, "label", json_string(t->label));
	json_object_set_new(drive, "target", json_string(t->path));
	json_object_set_new(drive, "kind", json_string(target_kind_name(t)));
	json_object_set_new(drive, "model", text_or_null(t->model));
	json_object_set_new(drive, "serial", text_or_null(t->serial));
	json_object_set_new(drive, "firmware", text_or_null(t->firmware));
	json_object_set_new(drive, "capacity_bytes",
			    t->bytes ? json_integer((json_int_t)t->bytes) : json_null());
	json_object_set_new(drive, "host", json_string(host->nodename));
	json_object_set_new(drive, "kernel", json_string(host->release));
	json_object_set_new(drive, "fio", json_string(fio));
	json_object_set_new(drive, "date", json_string(runlog_now(now)));
	for (size_t i = 0; i < s->hosts.nr; i++)
		json_array_append_new(hosts, json_string(s->hosts.name[i]));
	json_object_set_new(drive, "clients", hosts);
	return drive;
}

char *drive_write(const char *path, const struct settings *s, const struct target *t,
		  const char *fio)
{
	struct utsname host;
	json_error_t error;
	json_t *drive;
	char *why = NULL;

	uname(&host);
	drive = json_load_file(path, 0, &error);
	if (drive) {
		say_difference(drive, path, "fio", fio);
		say_difference(drive, path, "kernel", host.release);
		say_difference(drive, path, "firmware", t->firmware);
	} else {
		drive = make(s, t, &host, fio);
		why = file_write_json(path, drive);
	}
	json_decref(drive);
	return why;
}

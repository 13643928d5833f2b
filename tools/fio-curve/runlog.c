// SPDX-License-Identifier: GPL-2.0-only
/* run.json, see runlog.h. */
#include "tools/fio-curve/runlog.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

#include "tools/fio-curve/files.h"
#include "tools/fio-curve/settings.h"
#include "tools/fio-peak/alloc.h"

#define SCHEMA 1

char *runlog_open(const char *path, struct runlog *log)
{
	json_error_t error;

	*log = (struct runlog){ .path = alloc_string(path) };
	if (access(path, F_OK)) {
		log->root = alloc_check(json_pack("{s:i, s:s, s:[]}", "fio-curve schema", SCHEMA,
						  "version", CURVE_VERSION, "points"));
		return NULL;
	}
	log->root = json_load_file(path, 0, &error);
	if (json_is_array(json_object_get(log->root, "points")))
		return NULL;
	runlog_close(log);
	return alloc_printf("%s: is not what fio-curve wrote; take it away, or use another --out",
			    path);
}

void runlog_close(struct runlog *log)
{
	json_decref(log->root);
	free(log->path);
	*log = (struct runlog){ 0 };
}

json_t *runlog_point(struct runlog *log, const char *name)
{
	json_t *points = json_object_get(log->root, "points"), *point;
	size_t i;

	json_array_foreach(points, i, point)
	{
		const char *known = json_string_value(json_object_get(point, "point"));

		if (known && !strcmp(known, name))
			return point;
	}
	point = alloc_check(json_pack("{s:s}", "point", name));
	json_array_append_new(points, point);
	return point;
}

char *runlog_save(const struct runlog *log)
{
	return file_write_json(log->path, log->root);
}

const char *runlog_now(char text[24])
{
	time_t now = time(NULL);
	struct tm tm;

	strftime(text, 24, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
	return text;
}

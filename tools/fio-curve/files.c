// SPDX-License-Identifier: GPL-2.0-only
/* Small files, see files.h. */
#include "tools/fio-curve/files.h"

#include <errno.h>
#include <unistd.h>
#include <sys/stat.h>

#include "tools/fio-peak/alloc.h"

char *file_read(const char *path)
{
	FILE *f = fopen(path, "re");
	char *text = NULL;
	size_t size = 0;

	if (!f)
		return NULL;
	if (getdelim(&text, &size, 0, f) < 0) {
		free(text);
		text = ferror(f) ? NULL : alloc_string("");
	}
	fclose(f);
	return text;
}

char *file_write(const char *path, const char *text)
{
	char *temporary = alloc_printf("%s.tmp", path), *why = NULL;
	FILE *f = fopen(temporary, "we");
	bool fine = f;

	if (f) {
		fine = fputs(text, f) >= 0 && !fflush(f);
		fine = !fclose(f) && fine;
	}
	fine = fine && !rename(temporary, path);
	if (!fine) {
		why = alloc_printf("%s: cannot be written: %s", path, strerror(errno));
		unlink(temporary);
	}
	free(temporary);
	return why;
}

char *file_write_json(const char *path, const json_t *json)
{
	char *text = alloc_check(json_dumps(json, JSON_INDENT(2) | JSON_REAL_PRECISION(9)));
	char *line = alloc_printf("%s\n", text), *why = file_write(path, line);

	free(text);
	free(line);
	return why;
}

char *folder_make(const char *path)
{
	char *copy = alloc_string(path), *why = NULL;

	for (char *slash = copy; slash && !why;) {
		slash = strchr(slash + 1, '/');
		if (slash)
			*slash = 0;
		if (*copy && mkdir(copy, 0777) && errno != EEXIST)
			why = alloc_printf("%s: cannot be made: %s", copy, strerror(errno));
		if (slash)
			*slash = '/';
	}
	free(copy);
	return why;
}

// SPDX-License-Identifier: GPL-2.0-only
/* See beside.h. */
#include "tools/fio-peak/beside.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/fio-peak/alloc.h"

char *find_beside(const char *const *places)
{
	char self[PATH_MAX], *slash, *path, *real;
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (len < 0)
		return NULL;
	self[len] = 0;
	slash = strrchr(self, '/');
	*slash = 0;
	for (; *places; places++) {
		path = strncmp(*places, "./", 2) ? alloc_printf("%s/%s", self, *places)
						 : alloc_string(*places);
		real = access(path, R_OK) ? NULL : realpath(path, NULL);
		free(path);
		if (real)
			return real;
	}
	return NULL;
}

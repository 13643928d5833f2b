// SPDX-License-Identifier: GPL-2.0-only
/* zlib reads what is not compressed as it is; without it gzip is refused as binary data. */
#include "source.h"
#include "alloc.h"

#include <errno.h>
#include <unistd.h>
#ifdef PEAK_ZLIB
#include <zlib.h>
#endif

struct source {
	int fd;
	bool cut;
#ifdef PEAK_ZLIB
	gzFile gz;
#endif
};

bool source_cut(const struct source *s)
{
	return s->cut;
}

#ifdef PEAK_ZLIB
struct source *source_open(int fd)
{
	struct source *s = alloc_zero(1, sizeof(*s));

	/* gzclose() closes what it got. */
	s->fd = dup(fd);
	s->gz = s->fd < 0 ? NULL : gzdopen(s->fd, "rb");
	alloc_check(s->gz);
	return s;
}

void source_close(struct source *s)
{
	gzclose(s->gz);
	free(s);
}

ssize_t source_read(void *ctx, unsigned char *to, size_t len)
{
	struct source *s = ctx;
	int n, code;

	errno = 0;
	n = gzread(s->gz, to, (unsigned int)len);
	gzerror(s->gz, &code);
	/* The last bytes come with success, the next call has none: then the end is missing. */
	if (code == Z_BUF_ERROR) {
		s->cut = true;
		return n > 0 ? n : 0;
	}
	if (n < 0)
		return code == Z_ERRNO && errno ? -errno : -EBADMSG;
	return n;
}
#else
struct source *source_open(int fd)
{
	struct source *s = alloc_zero(1, sizeof(*s));

	s->fd = fd;
	return s;
}

void source_close(struct source *s)
{
	free(s);
}

ssize_t source_read(void *ctx, unsigned char *to, size_t len)
{
	struct source *s = ctx;
	ssize_t n = read(s->fd, to, len);

	return n < 0 ? -errno : n;
}
#endif

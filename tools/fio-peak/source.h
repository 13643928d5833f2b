/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sources: the bytes of an open file, those of gzip unpacked on the way. Knows nothing of what the
 * bytes mean.
 */
#ifndef PEAK_SOURCE_H
#define PEAK_SOURCE_H

#include <stdbool.h>
#include <sys/types.h>

struct source;

/* source_open - of @fd, which stays the caller's. Close with source_close(). */
struct source *source_open(int fd);
void source_close(struct source *s);

/* source_read - for read_stream(), @ctx is the source. -EBADMSG: the compressed data is damaged. */
ssize_t source_read(void *ctx, unsigned char *to, size_t len);

/* source_cut - did compressed data end before its end? */
bool source_cut(const struct source *s);

#endif

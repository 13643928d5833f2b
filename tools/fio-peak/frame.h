/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Framing: finds JSON objects in an arbitrary stream of bytes and hands each over as strict JSON.
 * Knows the ways in which fio's output is not JSON; does not know what the members mean.
 */
#ifndef PEAK_FRAME_H
#define PEAK_FRAME_H

#include <stdbool.h>
#include <stddef.h>

struct frame;

/* A member with this name is added to every object that was open where the input was cut off. */
#define FRAME_CUT_KEY "fio-peak cut"

/**
 * struct frame_ops - what a frame reports.
 * @document: one object, as strict JSON in UTF-8; @json is the frame's and valid during the call.
 *            @cut: the input ended (or another document began) inside it; it was closed after its
 *            last complete member, see FRAME_CUT_KEY.
 * @skip:     is the member of this name (@len bytes, escapes as they are) of no use? It is left out then.
 *            NULL: all are of use.
 * @text:     one line that stands outside of documents (without its end; cut at 1023 bytes).
 */
struct frame_ops {
	void (*document)(void *ctx, const char *json, size_t len, bool cut);
	bool (*skip)(const char *name, size_t len);
	void (*text)(void *ctx, const char *line, size_t len);
};

/* frame_new - a frame that reports to @ops with @ctx. Free with frame_free(). */
struct frame *frame_new(const struct frame_ops *ops, void *ctx);
void frame_free(struct frame *f);

/* frame_feed - the next @len bytes (UTF-8 or any 8-bit text). Holds at most one document. */
void frame_feed(struct frame *f, const char *data, size_t len);

/* frame_end - the stream ended: reports what is pending. */
void frame_end(struct frame *f);

#endif

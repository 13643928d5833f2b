/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading: an open file -> the fio documents in it, one at a time, with what fio printed around
 * them. Knows encodings and fio's text lines; the meaning of the documents is result.h's.
 */
#ifndef PEAK_READ_H
#define PEAK_READ_H

#include <jansson.h>
#include <stdbool.h>
#include <sys/types.h>

#define READ_LINE 160

/* The member that tells our own JSON, see own.h. */
#define OWN_KEY "fio-peak schema"

/* What fio said in plain text between documents. */
struct read_text {
	unsigned int errors; /* lines in which fio reports an error */
	char first[READ_LINE]; /* the first of them */
	bool interrupted; /* "terminating on signal" */
};

/**
 * struct document - one fio document, valid during the callback.
 * @index: its place in the file, from 0.
 * @own:   it is not fio's but our own.
 * @cut:   the file ended inside it; result.c drops the job that is incomplete.
 * @text:  the lines since the document before.
 */
struct document {
	const json_t *root;
	const char *file;
	unsigned int index;
	bool cut, own;
	struct read_text text;
};

/**
 * struct read_report - what a file held.
 * @foreign: complete JSON objects that are not fio's.
 * @text:    lines after the last document.
 */
struct read_report {
	unsigned int documents;
	unsigned int foreign;
	unsigned int cut;
	unsigned long long bytes;
	bool binary;
	struct read_text text;
};

typedef void (*document_fn)(void *ctx, const struct document *doc);

/*
 * Gives up to @len bytes of a file. Return: how many, 0 at the end, or a negative errno.
 */
typedef ssize_t (*bytes_fn)(void *ctx, unsigned char *to, size_t len);

/* struct bytes_source - where the bytes come from. */
struct bytes_source {
	bytes_fn get;
	void *ctx;
};

/**
 * read_stream - call @fn for every fio document that @from holds.
 * @file: the name for messages and for struct document.
 * Memory: the largest document, twice (as text and parsed).
 * Return: 0, or the negative errno of @from.
 */
int read_stream(const struct bytes_source *from, const char *file, document_fn fn, void *ctx,
		struct read_report *report);

/* read_documents - the same from an open file as it is. */
int read_documents(int fd, const char *file, document_fn fn, void *ctx, struct read_report *report);

#endif

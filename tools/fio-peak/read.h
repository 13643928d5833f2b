/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading: an open file -> the fio documents in it, one at a time, with what fio printed around
 * them. Knows encodings and fio's text lines; the meaning of the documents is result.h's.
 */
#ifndef PEAK_READ_H
#define PEAK_READ_H

#include <jansson.h>
#include <stdbool.h>

#define READ_LINE 160

/* What fio said in plain text between documents. */
struct read_text {
	unsigned int errors; /* lines in which fio reports an error */
	char first[READ_LINE]; /* the first of them */
	bool interrupted; /* "terminating on signal" */
};

/**
 * struct document - one fio document, valid during the callback.
 * @index: its place in the file, from 0.
 * @cut:   the file ended inside it; result.c drops the job that is incomplete.
 * @text:  the lines since the document before.
 */
struct document {
	const json_t *root;
	const char *file;
	unsigned int index;
	bool cut;
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

/**
 * read_documents - call @fn for every fio document that @fd holds.
 * @file: the name for messages and for struct document.
 * Memory: the largest document, twice (as text and parsed).
 * Return: 0, or a negative errno of read().
 */
int read_documents(int fd, const char *file, document_fn fn, void *ctx, struct read_report *report);

#endif

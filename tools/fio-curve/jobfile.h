/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fio's job files: read, change, write. Options have one name here ("rw", never "readwrite"), and
 * [global] has gone into the sections that follow it, so that a section says all by itself. What the
 * options mean is for others.
 */
#ifndef CURVE_JOBFILE_H
#define CURVE_JOBFILE_H

#include <stddef.h>
#include <stdio.h>

/* @value: NULL where the file has the bare name, as in "stonewall". */
struct job_option {
	char *name, *value;
};

struct job_section {
	char *name;
	struct job_option *option;
	size_t nr, cap;
};

/**
 * struct jobfile - @remark goes on top of what is written, one comment of several lines.
 * @global: written as [global]; empty after reading.
 */
struct jobfile {
	char *remark;
	struct job_section global;
	struct job_section *section;
	size_t nr, cap;
};

/*
 * jobfile_read - read @path. Return: NULL, or what is wrong with it, the caller's to free. Refuses
 * what cannot be kept: include, and variables that fio would replace where it reads the file.
 */
char *jobfile_read(const char *path, struct jobfile *out);
void jobfile_free(struct jobfile *f);

/* jobfile_text - the file as fio reads it; the caller's to free. */
char *jobfile_text(const struct jobfile *f);

/* jobfile_section - the section @name, or NULL. */
struct job_section *jobfile_section(const struct jobfile *f, const char *name);

/* jobfile_add - a new section at the end, empty. */
struct job_section *jobfile_add(struct jobfile *f, const char *name);

/* section_copy - everything that @from has, into @to, which is empty. */
void section_copy(struct job_section *to, const struct job_section *from);

/* section_get - the value of an option; "" where it has none; NULL where it is not given. */
const char *section_get(const struct job_section *s, const char *name);

/* section_set - give it, once; @value NULL: the bare name. @name may be any that fio takes. */
void section_set(struct job_section *s, const char *name, const char *value);
__attribute__((format(printf, 3, 4))) void section_setf(struct job_section *s, const char *name,
							const char *fmt, ...);

/* section_unset - take it away; nothing happens where it is not given. */
void section_unset(struct job_section *s, const char *name);

/* section_clear - take everything away and free it. */
void section_clear(struct job_section *s);

/* section_flag - is an option on: given bare or as 1? fio's switches are. */
int section_flag(const struct job_section *s, const char *name);

#endif

// SPDX-License-Identifier: GPL-2.0-only
/* fio's job files, see jobfile.h. Sources: fio's HOWTO, "Job file format", and its parser. */
#include "tools/fio-curve/jobfile.h"

#include <ctype.h>
#include <errno.h>

#include "tools/fio-peak/alloc.h"

/* Names that mean the same to fio; the first is ours. Only options that we look at. */
static const char *const aliases[][2] = {
	{ "rw", "readwrite" },
	{ "bs", "blocksize" },
	{ "bsrange", "blocksize_range" },
	{ "runtime", "timeout" },
	{ "stonewall", "wait_for_previous" },
	{ "rate_iops", "rateiops" },
	{ "steadystate", "ss" },
	{ "steadystate_duration", "ss_dur" },
	{ "steadystate_ramp_time", "ss_ramp" },
	{ "io_size", "io_limit" },
	{ "offset", "file_offset" },
};

static const char *one_name(const char *name)
{
	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++)
		if (!strcmp(name, aliases[i][1]))
			return aliases[i][0];
	return name;
}

static struct job_option *find(const struct job_section *s, const char *name)
{
	name = one_name(name);
	for (size_t i = 0; i < s->nr; i++)
		if (!strcmp(s->option[i].name, name))
			return &s->option[i];
	return NULL;
}

const char *section_get(const struct job_section *s, const char *name)
{
	const struct job_option *o = find(s, name);

	return !o ? NULL : o->value ? o->value : "";
}

int section_flag(const struct job_section *s, const char *name)
{
	const char *value = section_get(s, name);

	return value && (!*value || !strcmp(value, "1"));
}

void section_set(struct job_section *s, const char *name, const char *value)
{
	struct job_option *o = find(s, name);

	if (!o) {
		s->option = alloc_grow(s->option, s->nr, &s->cap, sizeof(*s->option));
		o = &s->option[s->nr++];
		*o = (struct job_option){ .name = alloc_string(one_name(name)) };
	}
	free(o->value);
	o->value = value ? alloc_string(value) : NULL;
}

void section_setf(struct job_section *s, const char *name, const char *fmt, ...)
{
	char *value = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&value, fmt, ap) < 0)
		value = NULL;
	va_end(ap);
	section_set(s, name, alloc_check(value));
	free(value);
}

void section_unset(struct job_section *s, const char *name)
{
	struct job_option *o = find(s, name);

	if (!o)
		return;
	free(o->name);
	free(o->value);
	memmove(o, o + 1, (size_t)(&s->option[--s->nr] - o) * sizeof(*o));
}

void section_clear(struct job_section *s)
{
	while (s->nr)
		section_unset(s, s->option[s->nr - 1].name);
	free(s->option);
	free(s->name);
	*s = (struct job_section){ 0 };
}

void section_copy(struct job_section *to, const struct job_section *from)
{
	for (size_t i = 0; i < from->nr; i++)
		section_set(to, from->option[i].name, from->option[i].value);
}

struct job_section *jobfile_section(const struct jobfile *f, const char *name)
{
	for (size_t i = 0; i < f->nr; i++)
		if (!strcmp(f->section[i].name, name))
			return &f->section[i];
	return NULL;
}

struct job_section *jobfile_add(struct jobfile *f, const char *name)
{
	struct job_section *s;

	f->section = alloc_grow(f->section, f->nr, &f->cap, sizeof(*f->section));
	s = &f->section[f->nr++];
	*s = (struct job_section){ .name = alloc_string(name) };
	return s;
}

void jobfile_free(struct jobfile *f)
{
	section_clear(&f->global);
	while (f->nr)
		section_clear(&f->section[--f->nr]);
	free(f->section);
	free(f->remark);
	*f = (struct jobfile){ 0 };
}

/* Reading */

/* One file while it is read. @section: where options go; @common: [global] so far. */
struct reader {
	struct jobfile *file;
	struct job_section common, *section;
	const char *path;
	unsigned int line;
};

/* As in fio, the rest of an option's line is a comment. In place. */
static void cut_comment(char *line)
{
	line[strcspn(line, ";#")] = 0;
}

static char *strip(char *s)
{
	char *end = s + strlen(s);

	while (end > s && isspace((unsigned char)end[-1]))
		*--end = 0;
	while (isspace((unsigned char)*s))
		s++;
	return s;
}

/* "[name]" begins a section. As in fio, each that starts with "global" is common to what follows. */
static char *read_heading(struct reader *r, char *line)
{
	char *end = strchr(line, ']');

	if (!end || end == line + 1)
		return alloc_printf("%s:%u: \"%s\" is no section; write [name]", r->path, r->line,
				    line);
	*end = 0;
	if (!strncmp(line + 1, "global", 6)) {
		r->section = &r->common;
		return NULL;
	}
	if (jobfile_section(r->file, line + 1))
		return alloc_printf("%s:%u: a second section [%s]; each needs a name of its own",
				    r->path, r->line, line + 1);
	r->section = jobfile_add(r->file, line + 1);
	section_copy(r->section, &r->common);
	return NULL;
}

/* What fio replaces in any option. $jobnum and its like, in filename_format, it does not. */
static const char *keyword_in(const char *line)
{
	static const char *const names[] = { "$pagesize", "$mb_memory", "$ncpus" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strstr(line, names[i]))
			return names[i];
	return NULL;
}

/*
 * ${NAME} becomes what the environment has, as in fio.
 * @line: replaced by a new string if need be; the caller's to free
 * Return: NULL, or the name that the environment lacks.
 */
static const char *expand(char **line)
{
	size_t from = 0; /* what a value brings is not looked at */
	char *begin, *end;

	while ((begin = strstr(*line + from, "${")) && (end = strchr(begin, '}'))) {
		const char *value;
		char *longer;

		*end = 0;
		value = getenv(begin + 2);
		if (!value || !*value)
			return begin + 2;
		*begin = 0;
		from = begin - *line + strlen(value);
		longer = alloc_printf("%s%s%s", *line, value, end + 1);
		free(*line);
		*line = longer;
	}
	return NULL;
}

static char *take_option(struct reader *r, char *line)
{
	char *value = strchr(line, '=');

	if (!strncmp(line, "include", 7) && (isspace((unsigned char)line[7]) || !line[7]))
		return alloc_printf("%s:%u: include is not supported here; put the lines in",
				    r->path, r->line);
	if (keyword_in(line))
		return alloc_printf("%s:%u: \"%s\": %s is not supported here; write the value",
				    r->path, r->line, line, keyword_in(line));
	if (!r->section)
		return alloc_printf("%s:%u: option \"%s\" before the first [section]", r->path,
				    r->line, line);
	if (value)
		*value++ = 0;
	section_set(r->section, strip(line), value ? strip(value) : NULL);
	return NULL;
}

static char *read_option(struct reader *r, const char *line)
{
	char *whole = alloc_string(line), *why;
	const char *lacks = expand(&whole);

	if (lacks)
		why = alloc_printf(
			"%s:%u: \"%s\": the environment has no %s; set it: %s=VALUE fio-curve ...",
			r->path, r->line, line, lacks, lacks);
	else
		why = take_option(r, whole);
	free(whole);
	return why;
}

static char *read_line(struct reader *r, char *line)
{
	r->line++;
	line = strip(line);
	if (!*line || *line == '#' || *line == ';')
		return NULL;
	if (*line == '[')
		return read_heading(r, line);
	cut_comment(line);
	return read_option(r, strip(line));
}

char *jobfile_read(const char *path, struct jobfile *out)
{
	struct reader r = { .file = out, .path = path };
	FILE *f = fopen(path, "re");
	char *line = NULL, *why = NULL;
	size_t size = 0;

	*out = (struct jobfile){ 0 };
	if (!f)
		return alloc_printf("%s: cannot be opened: %s", path, strerror(errno));
	while (!why && getline(&line, &size, f) > 0)
		why = read_line(&r, line);
	if (!why && ferror(f))
		why = alloc_printf("%s: cannot be read: %s", path, strerror(errno));
	else if (!why && !out->nr)
		why = alloc_printf("%s: has no job section; expected a fio job file", path);
	free(line);
	fclose(f);
	section_clear(&r.common);
	if (why)
		jobfile_free(out);
	return why;
}

/* Writing */

static void write_section(FILE *out, const char *name, const struct job_section *s)
{
	fprintf(out, "\n[%s]\n", name);
	for (size_t i = 0; i < s->nr; i++)
		fprintf(out, "%s%s%s\n", s->option[i].name, s->option[i].value ? "=" : "",
			s->option[i].value ? s->option[i].value : "");
}

static void write_remark(FILE *out, const char *remark)
{
	fputs("# ", out);
	for (; *remark; remark++) {
		fputc(*remark, out);
		if (*remark == '\n')
			fputs("# ", out);
	}
	fputc('\n', out);
}

char *jobfile_text(const struct jobfile *f)
{
	char *text = NULL;
	size_t size;
	FILE *out = alloc_check(open_memstream(&text, &size));

	if (f->remark)
		write_remark(out, f->remark);
	if (f->global.nr)
		write_section(out, "global", &f->global);
	for (size_t i = 0; i < f->nr; i++)
		write_section(out, f->section[i].name, &f->section[i]);
	fclose(out);
	return alloc_check(text);
}

// SPDX-License-Identifier: GPL-2.0-only
/* fio's command line, see fio.h. All that a point needs stands in its job file, so it is short. */
#include "tools/fio-curve/fio.h"

#include "tools/fio-peak/alloc.h"

static void add(struct command *c, const char *arg)
{
	c->arg = alloc_grow(c->arg, c->nr + 1, &c->cap, sizeof(*c->arg));
	c->arg[c->nr++] = alloc_string(arg);
	c->arg[c->nr] = NULL;
}

static void add_pair(struct command *c, const char *option, const char *value)
{
	char *arg = alloc_printf("%s%s", option, value);

	add(c, arg);
	free(arg);
}

void fio_command(struct command *c, const char *fio, const char *job, const char *output,
		 bool readonly, const struct hosts *hosts)
{
	*c = (struct command){ 0 };
	add(c, fio);
	add(c, "--output-format=json+");
	add_pair(c, "--output=", output);
	add(c, "--eta=always");
	add(c, "--eta-newline=1");
	if (!hosts->nr) {
		if (readonly)
			add(c, "--readonly");
		add(c, job);
	}
	/* What follows a host is for that host. */
	for (size_t i = 0; i < hosts->nr; i++) {
		add_pair(c, "--client=", hosts->name[i]);
		if (readonly)
			add(c, "--readonly");
		add(c, job);
	}
}

void command_free(struct command *c)
{
	while (c->nr)
		free(c->arg[--c->nr]);
	free(c->arg);
	*c = (struct command){ 0 };
}

static void put_quoted(FILE *out, const char *arg)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789%+,-./:=@_";

	if (*arg && !arg[strspn(arg, plain)]) {
		fputs(arg, out);
		return;
	}
	fputc('\'', out);
	for (; *arg; arg++)
		if (*arg == '\'')
			fputs("'\\''", out);
		else
			fputc(*arg, out);
	fputc('\'', out);
}

char *command_text(const struct command *c)
{
	char *text = NULL;
	size_t size;
	FILE *out = alloc_check(open_memstream(&text, &size));

	for (size_t i = 0; i < c->nr; i++) {
		if (i)
			fputc(' ', out);
		put_quoted(out, c->arg[i]);
	}
	fclose(out);
	return alloc_check(text);
}

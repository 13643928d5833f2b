// SPDX-License-Identifier: GPL-2.0-only
/* The line for programs in our job files, see header.h. */
#include "tools/fio-curve/header.h"

#include <errno.h>

#include "tools/fio-curve/values.h"
#include "tools/fio-peak/alloc.h"

#define HEADER "# fio-peak: "
#define EXAMPLE HEADER "mode=curve shape=random destroys=no time=30+30s"

static const char *const modes[] = { "curve", "grid", "rated", "once", NULL };
static const char *const shapes[] = { "stream", "random", "mixed", NULL };
static const char *const yes_no[] = { "no", "yes", NULL };
static const char *const preconditions[] = { "fill", "random", "steady", NULL };

/* The place of @name in a list; -1: not there. */
static int place(const char *const *list, const char *name)
{
	for (int i = 0; list[i]; i++)
		if (!strcmp(list[i], name))
			return i;
	return -1;
}

char *precondition_parse(const char *text, unsigned int *out)
{
	char *copy = alloc_string(text), *rest = copy, *name, *why = NULL;

	*out = PRECONDITION_NONE;
	while (strcmp(text, "none") && !why && (name = strsep(&rest, ","))) {
		int nr = place(preconditions, name);

		if (nr < 0)
			why = alloc_printf("\"%s\" is unknown; none, or some of fill, random, "
					   "steady, such as fill,steady",
					   name);
		else
			*out |= 1U << nr;
	}
	if (*out & PRECONDITION_RANDOM)
		*out |= PRECONDITION_FILL;
	free(copy);
	return why;
}

/* "30+3600s", "2-passes", "1-pass". */
static bool parse_time(const char *value, struct header *h)
{
	char *copy = alloc_string(value), *plus = strchr(copy, '+'), *dash = strchr(copy, '-');
	uint64_t passes = 0;
	bool fine;

	if (plus) {
		*plus = 0;
		fine = value_ms(copy, &h->ramp_ms) && value_ms(plus + 1, &h->run_ms) && h->run_ms;
		h->timed = true;
	} else {
		if (dash)
			*dash = 0;
		fine = dash && !strncmp(dash + 1, "pass", 4) && value_number(copy, &passes) &&
		       passes && passes < 1000;
		h->passes = (unsigned int)passes;
	}
	free(copy);
	return fine;
}

enum key {
	KEY_MODE,
	KEY_SHAPE,
	KEY_DESTROYS,
	KEY_TIME,
	KEY_SHARES,
	KEY_GRID,
	KEY_PRECONDITION
};

static const char *const keys[] = { "mode",   "shape", "destroys",     "time",
				    "shares", "grid",  "precondition", NULL };

/* Return: whether @value is one that @key can have. */
static bool set_key(enum key key, const char *value, struct header *h)
{
	static const char *const *const lists[] = { modes, shapes, yes_no };
	int nr = key <= KEY_DESTROYS ? place(lists[key], value) : 0;
	char *why;

	if (nr < 0)
		return false;
	switch (key) {
	case KEY_MODE:
		h->mode = (enum mode)nr;
		return true;
	case KEY_SHAPE:
		h->shape = (enum shape)nr;
		return true;
	case KEY_DESTROYS:
		h->destroys = nr;
		return true;
	case KEY_TIME:
		return parse_time(value, h);
	case KEY_SHARES:
		free(h->shares);
		h->shares = alloc_string(value);
		return *value;
	case KEY_GRID:
		grid_free(&h->grid);
		why = grid_parse(value, &h->grid);
		free(why);
		return !why;
	default:
		why = precondition_parse(value, &h->precondition);
		free(why);
		return !why;
	}
}

static char *parse_word(char *word, const char *path, struct header *h, unsigned int *seen)
{
	char *value = strchr(word, '=');
	int key;

	if (value)
		*value++ = 0;
	key = place(keys, word);
	if (!value || key < 0)
		return alloc_printf("%s:2: \"%s\" is unknown; the keys are mode, shape, destroys, "
				    "time, shares, grid, precondition",
				    path, word);
	if (*seen & 1U << key)
		return alloc_printf("%s:2: %s= is there twice; write it once", path, word);
	if (!set_key((enum key)key, value, h))
		return alloc_printf("%s:2: %s=%s is not understood; such as %s", path, word, value,
				    EXAMPLE);
	*seen |= 1U << key;
	return NULL;
}

char *header_parse(const char *line, const char *path, struct header *out)
{
	unsigned int seen = 0;
	char *copy, *rest, *word, *why = NULL;

	*out = (struct header){ 0 };
	if (strncmp(line, HEADER, strlen(HEADER)))
		return alloc_printf("%s: line 2 does not say how to measure it; write %s", path,
				    EXAMPLE);
	copy = alloc_string(line + strlen(HEADER));
	rest = copy;
	while (!why && (word = strsep(&rest, " \t\n")))
		if (*word)
			why = parse_word(word, path, out, &seen);
	for (int key = KEY_MODE; !why && key <= KEY_TIME; key++)
		if (!(seen & 1U << key))
			why = alloc_printf("%s:2: %s= is missing; such as %s", path, keys[key],
					   EXAMPLE);
	free(copy);
	if (why)
		header_free(out);
	return why;
}

char *header_read(const char *path, struct header *out)
{
	FILE *f = fopen(path, "re");
	char *line = NULL, *why;
	size_t size = 0;
	ssize_t len = -1;

	*out = (struct header){ 0 };
	if (!f)
		return alloc_printf("%s: cannot be opened: %s", path, strerror(errno));
	for (int i = 0; i < 2; i++)
		len = getline(&line, &size, f);
	why = header_parse(len > 0 ? line : "", path, out);
	free(line);
	fclose(f);
	return why;
}

void header_free(struct header *h)
{
	free(h->shares);
	grid_free(&h->grid);
	*h = (struct header){ 0 };
}

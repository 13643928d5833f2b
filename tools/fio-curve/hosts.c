// SPDX-License-Identifier: GPL-2.0-only
/* Hosts, see hosts.h. Source: fio's HOWTO, "Client/Server": there a comma precedes the port. */
#include "tools/fio-curve/hosts.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>

#include "tools/fio-curve/values.h"
#include "tools/fio-peak/alloc.h"

static bool is_port(const char *text)
{
	uint64_t port;

	return value_number(text, &port) && port && port < 65536;
}

static bool is_name(const char *text)
{
	for (const char *c = text; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("-._", *c))
			return false;
	return *text && *text != '-';
}

/* fio's name for "[ADDRESS]", "[ADDRESS]:PORT"; NULL: it is none of them. */
static char *ipv6_name(const char *item)
{
	const char *end = strchr(item, ']');
	int len = end ? (int)(end - item - 1) : 0;

	if (!end || strspn(item + 1, "0123456789abcdefABCDEF:.") != (size_t)len || !len)
		return NULL;
	if (!end[1])
		return alloc_printf("ip6:%.*s", len, item + 1);
	if (end[1] != ':' || !is_port(end + 2))
		return NULL;
	return alloc_printf("ip6:%.*s,%s", len, item + 1, end + 2);
}

static char *fio_name(const char *item)
{
	char *copy, *port, *name = NULL;

	if (!strncmp(item, "sock:", 5))
		return item[5] ? alloc_string(item) : NULL;
	if (*item == '[')
		return ipv6_name(item);
	copy = alloc_string(item);
	port = strchr(copy, ':');
	if (port)
		*port++ = 0;
	if (is_name(copy) && (!port || is_port(port)))
		name = alloc_printf("%s%s%s", copy, port ? "," : "", port ? port : "");
	free(copy);
	return name;
}

static char *add(const char *item, struct hosts *h)
{
	char *name = fio_name(item);

	if (!name)
		return alloc_printf("\"%s\" is no host; write HOST, HOST:PORT, [IPV6]:PORT or "
				    "sock:PATH, with commas between",
				    item);
	for (size_t i = 0; i < h->nr; i++) {
		if (strcmp(h->name[i], name))
			continue;
		free(name);
		return alloc_printf("\"%s\" is there twice", item);
	}
	h->name = alloc_grow(h->name, h->nr, &h->cap, sizeof(*h->name));
	h->name[h->nr++] = name;
	return NULL;
}

static char *read_file(FILE *f, const char *path, struct hosts *h)
{
	char *line = NULL, *why = NULL;
	size_t size = 0;

	while (!why && getline(&line, &size, f) > 0) {
		char *item = line + strspn(line, " \t");

		item[strcspn(item, " \t\r\n#")] = 0;
		if (*item)
			why = add(item, h);
	}
	if (!why && !h->nr)
		why = alloc_printf("the file %s names no host", path);
	free(line);
	return why;
}

char *hosts_parse(const char *text, struct hosts *out)
{
	FILE *f = fopen(text, "re");
	char *copy, *rest, *item, *why = NULL;

	*out = (struct hosts){ 0 };
	if (f) {
		why = read_file(f, text, out);
		fclose(f);
	} else {
		copy = alloc_string(text);
		rest = copy;
		while (!why && (item = strsep(&rest, ",")))
			why = add(item, out);
		free(copy);
	}
	if (why)
		hosts_free(out);
	return why;
}

void hosts_free(struct hosts *h)
{
	while (h->nr)
		free(h->name[--h->nr]);
	free(h->name);
	*h = (struct hosts){ 0 };
}

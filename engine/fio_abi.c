// SPDX-License-Identifier: GPL-2.0-only
// Chooses the running fio's row of the layout table, builds its ops structure, checks itself.
#include "engine/fio_abi.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static const struct fio_layout rows[] = {
#include "engine/fio_layouts.h"
#include "engine/fio_layouts_derived.h"
};

#define NR_ROWS (sizeof(rows) / sizeof(rows[0]))

struct fio_layout fio_abi;

/* The structure that fio sees. Larger than any release's. */
static _Alignas(16) unsigned char ops[512];
static const struct fio_layout *chosen; /* whose ops layout @ops has */
static bool bound;

size_t fio_abi_rows(const struct fio_layout **out)
{
	*out = rows;
	return NR_ROWS;
}

/* "fio-3.33", "fio-3.42-135-gf5344384": the string is data that fio exports. */
static const char *running_release(void)
{
	const char *version = dlsym(RTLD_DEFAULT, "fio_version_string");

	if (!version || strncmp(version, "fio-", 4))
		return NULL;
	return version + 4;
}

/* A git build's "3.42-135-g..." belongs to the rows of 3.42; the self-check decides. */
static bool row_matches(const struct fio_layout *row, const char *release)
{
	size_t len = strlen(row->release);

	return !strncmp(row->release, release, len) && (!release[len] || release[len] == '-');
}

static const struct fio_layout *find_row(const char *release)
{
	for (size_t i = 0; release && i < NR_ROWS; i++)
		if (row_matches(&rows[i], release))
			return &rows[i];
	return NULL;
}

static void refuse_release(const char *release)
{
	char known[NR_ROWS * 8] = "";
	size_t len = 0;

	for (size_t i = 0; i < NR_ROWS; i++)
		len += snprintf(known + len, sizeof(known) - len, " %s", rows[i].release);
	log_err("nvmept: this fio is \"%s\"; nvmept knows the structures of fio%s only. To add it: "
		"ci/fio-layout FIO_SRC >> engine/fio_layouts.h, then make\n",
		release ? release : "unknown", known);
}

#define PUT(row, field, value) memcpy(ops + (row)->field, &(value), sizeof(value))

static void build_ops(const struct fio_layout *row, const struct fio_hooks *h)
{
	int version = row->ops_version;
	int flags = h->flags | 1 << row->flag_no_offload;

	if (row->flag_sets_issue_time)
		flags |= 1 << row->flag_sets_issue_time;
	if (row->flag_multi_range_trim && row->io_u_number_trim)
		flags |= 1 << row->flag_multi_range_trim;
	PUT(row, ops_name, h->name);
	PUT(row, ops_version_off, version);
	PUT(row, ops_flags, flags);
	PUT(row, ops_init, h->init);
	PUT(row, ops_post_init, h->post_init);
	PUT(row, ops_queue, h->queue);
	PUT(row, ops_commit, h->commit);
	PUT(row, ops_getevents, h->getevents);
	PUT(row, ops_event, h->event);
	PUT(row, ops_cleanup, h->cleanup);
	PUT(row, ops_open_file, h->open_file);
	PUT(row, ops_close_file, h->close_file);
	PUT(row, ops_invalidate, h->invalidate);
	PUT(row, ops_unlink_file, h->unlink_file);
	PUT(row, ops_get_file_size, h->get_file_size);
	PUT(row, ops_io_u_init, h->io_u_init);
	if (row->ops_fdp_fetch_ruhs)
		PUT(row, ops_fdp_fetch_ruhs, h->fdp_fetch_ruhs);
	PUT(row, ops_option_struct_size, h->option_struct_size);
	PUT(row, ops_options, h->options);
}

void *fio_abi_ops(const struct fio_hooks *hooks)
{
	const char *release = running_release();

	if (chosen)
		return ops;
	chosen = find_row(release);
	if (!chosen) {
		refuse_release(release);
		return NULL;
	}
	build_ops(chosen, hooks);
	return ops;
}

int fio_abi_bind(struct thread_data *td)
{
	const char *release = running_release();

	if (bound)
		return 0;
	for (const struct fio_layout *row = rows; row < rows + NR_ROWS; row++) {
		if (row->ops_version != chosen->ops_version || !row_matches(row, release))
			continue;
		if (*(void **)((char *)td + row->td_io_ops) != ops)
			continue;
		fio_abi = *row;
		bound = true;
		return 0;
	}
	log_err("nvmept: this fio calls itself \"%s\" but its structures are not those of that "
		"release. Make its row: ci/fio-layout FIO_SRC >> engine/fio_layouts.h, then make\n",
		release);
	return -EPROTO;
}

const uint64_t *fio_abi_find_bytes(struct thread_data *td, const uint64_t ios[3],
				   const uint64_t bytes[3])
{
	enum {
		/* From the engine's own word to there, no release's structure is shorter. */
		WORDS_BEHIND_IO_OPS_DATA = 240,
		WORDS = 12,
	};
	const uint64_t want[WORDS] = {
		ios[0],	  ios[1],   ios[2],   ios[0],	ios[1],	  ios[2],
		bytes[0], bytes[1], bytes[2], bytes[0], bytes[1], bytes[2],
	};
	const uint64_t *at = &FIO_FIELD(td, td_io_ops_data, const uint64_t);

	for (const uint64_t *end = at + WORDS_BEHIND_IO_OPS_DATA - WORDS; at < end; at++)
		if (!memcmp(at, want, sizeof(want)))
			return at + 6;
	return NULL;
}

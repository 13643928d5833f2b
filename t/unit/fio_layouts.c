// SPDX-License-Identifier: GPL-2.0-only
// The derived rows of the layout table follow rules; the measured rows must follow them too.
#include "engine/fio_abi.h"
#include "t/unit/tap.h"

/* fio's side, for fio_abi.c: no fio runs here. */
ssize_t log_err(const char *format, ...)
{
	return 0;
}

/* clang-format off */
static const struct fio_layout derived[] = {
#include "engine/fio_layouts_derived.h"
	ROWS_31("3.33", FLAGS(0), TAIL(192056)),
	{ .release = "3.41", OPS(39, 288, 0), FLAGS(0), TAIL(191608), PLACEMENT(288, 216),
	  THREAD_DATA(3560, 188184, 188384, 189472), IO_U(80, 152, 160), MULTI_TRIM(0, 68),
	  FIO_FILE(184) },
};
/* clang-format on */

static const struct fio_layout *derived_row(const char *release)
{
	for (size_t i = sizeof(derived) / sizeof(derived[0]); i--;)
		if (!strcmp(derived[i].release, release))
			return &derived[i];
	return NULL;
}

/* But for its origin a row is the same however it came about. */
static bool same_offsets(const struct fio_layout *measured, struct fio_layout other)
{
	other.release = measured->release;
	other.measured = true;
	return !memcmp(measured, &other, sizeof(other));
}

/* A row that would make the plugin write outside of what fio gives it. */
static bool plausible(const struct fio_layout *r)
{
	return r->ops_size <= 512 && r->ops_options + 8 <= r->ops_size && r->ops_queue &&
	       r->ops_getevents && r->ops_event && r->flag_no_offload && r->td_io_ops_data &&
	       r->io_u_index && r->io_u_xfer_buf && r->file_engine_data && r->o_td_ddir;
}

int main(void)
{
	const struct fio_layout *rows;
	size_t nr = fio_abi_rows(&rows);

	ok(nr >= 15, "the table has a row for each release from 3.28 to 3.42");
	for (size_t i = 0; i < nr; i++) {
		const struct fio_layout *twin = derived_row(rows[i].release);

		ok(plausible(&rows[i]), "the row of %s has all that the plugin needs",
		   rows[i].release);
		if (rows[i].measured && ok(twin != NULL, "%s can be derived", rows[i].release))
			ok(same_offsets(&rows[i], *twin), "deriving %s gives what was measured",
			   rows[i].release);
	}
	return done_testing();
}

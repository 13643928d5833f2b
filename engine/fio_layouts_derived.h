/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows for fio releases whose sources Debian does not carry (any more), on x86-64. The offsets of
 * struct thread_data, io_u and fio_file were measured once on trees of these releases, and compared
 * with the release's binary for 3.39; the rest follows from the neighbours that ci/fio-layout
 * measures: t/unit/fio_layouts.c derives those in the same way and compares. A release's row moves to
 * fio_layouts.h once its tree is at hand. The self-check in fio_abi.c guards all of them.
 *
 * TAIL: from last_issue to the end of struct thread_data 3.33, 3.39 and 3.41 are alike. Where no tail
 * is given it is not known: fio then replays logs without their pauses and says less of a failed
 * set-up.
 */
/* clang-format off */
#define TAIL(sizeof_td) .td_last_issue = (sizeof_td) - 896, .td_verror = (sizeof_td) - 128

/* @cancel: 8 while the ops have a cancel hook (before 3.41), else 0. */
#define OPS(version, size, cancel)                                                                 \
	.ops_version = version, .ops_size = size, .ops_name = 16, .ops_version_off = 24,           \
	.ops_flags = 28, .ops_init = 48, .ops_post_init = 56, .ops_queue = 72, .ops_commit = 80,   \
	.ops_getevents = 88, .ops_event = 96, .ops_cleanup = 112 + (cancel),                       \
	.ops_open_file = 120 + (cancel), .ops_close_file = 128 + (cancel),                         \
	.ops_invalidate = 136 + (cancel), .ops_unlink_file = 144 + (cancel),                       \
	.ops_get_file_size = 152 + (cancel), .ops_io_u_init = 192 + (cancel),                      \
	.ops_option_struct_size = (size) - 16, .ops_options = (size) - 8

#define THREAD_DATA(eo, files, error, io_ops)                                                      \
	.td_eo = eo, .td_thread_number = (eo) + 16, .td_files = files, .td_error = error,          \
	.td_io_ops = io_ops,                                                                       \
	.td_io_ops_data = (io_ops) + 16, .o_name = 104, .o_td_ddir = 176, .o_iodepth = 208,        \
	.o_min_bs = 368, .o_max_bs = 392, .o_nr_files = 496

#define IO_U(offset, error, index)                                                                 \
	.io_u_issue_time = 16, .io_u_file = 32, .io_u_ddir = 44, .io_u_offset = offset,            \
	.io_u_buf = (offset) + 16, .io_u_xfer_buf = (offset) + 32,                                 \
	.io_u_xfer_buflen = (offset) + 40, .io_u_error = error, .io_u_index = index

#define FIO_FILE(engine_data)                                                                      \
	.file_filetype = 16, .file_fd = 20, .file_name = 40, .file_real_file_size = 48,            \
	.file_engine_data = engine_data

#define FLAGS(shift) .flag_no_offload = 15 + (shift), .flag_sets_issue_time = 16 + (shift)

/* fio's own placement options, since 3.34. */
#define PLACEMENT(size, dtype) .ops_fdp_fetch_ruhs = (size) - 24, .io_u_dtype = dtype

#define MULTI_TRIM(shift, number_trim) \
	.flag_multi_range_trim = 19 + (shift), .io_u_number_trim = number_trim

#define ROWS_30(r) { .release = r, OPS(30, 264, 8), .flag_no_offload = 15, \
	THREAD_DATA(4208, 278200, 278400, 279320), IO_U(64, 136, 144), FIO_FILE(176) }
#define ROWS_31(r, ...) { .release = r, OPS(31, 264, 8), __VA_ARGS__, \
	THREAD_DATA(4216, 188832, 189032, 189952), IO_U(72, 144, 152), FIO_FILE(176) }
#define ROWS_32(r) { .release = r, OPS(32, 280, 8), FLAGS(0), TAIL(191168), PLACEMENT(280, 200), \
	THREAD_DATA(3280, 187896, 188096, 189064), IO_U(72, 144, 152), FIO_FILE(184) }
#define ROWS_33(r, ...) { .release = r, OPS(33, 288, 8), FLAGS(0), TAIL(191264), PLACEMENT(288, 200), \
	THREAD_DATA(3304, 187928, 188128, 189152), IO_U(72, 144, 148), __VA_ARGS__, FIO_FILE(184) }
#define ROWS_36(r, size) { .release = r, OPS(36, 288, 8), FLAGS(0), TAIL(size), PLACEMENT(288, 200), \
	THREAD_DATA(3520, 188144, 188344, 189376), IO_U(72, 144, 148), MULTI_TRIM(0, 60), FIO_FILE(192) }
#define ROWS_37(r) { .release = r, OPS(37, 296, 8), FLAGS(0), TAIL(191504), PLACEMENT(296, 200), \
	THREAD_DATA(3528, 188152, 188352, 189384), IO_U(72, 144, 148), MULTI_TRIM(0, 60), FIO_FILE(192) }
#define ROWS_39(r, eo, files, error, io_ops) { .release = r, OPS(39, 288, 0), FLAGS(1), PLACEMENT(288, 216), \
	THREAD_DATA(eo, files, error, io_ops), IO_U(80, 152, 160), MULTI_TRIM(1, 68), FIO_FILE(184) }

	ROWS_30("3.28"),
	ROWS_30("3.29"),
	ROWS_31("3.30", .flag_no_offload = 15),
	ROWS_31("3.31", FLAGS(0)),
	ROWS_31("3.32", FLAGS(0)),
	ROWS_32("3.34"),
	ROWS_32("3.35"),
	ROWS_33("3.36", .flag_multi_range_trim = 0),
	ROWS_33("3.37", MULTI_TRIM(0, 60)),
	ROWS_36("3.38", 191488),
	ROWS_36("3.39", 191496),
	ROWS_37("3.40"),
	ROWS_39("3.42", 3584, 188232, 188432, 189520),
	/* after 3.42, as of fio-3.42-135: calls itself 3.42 too; the self-check tells them apart */
	ROWS_39("3.42", 3616, 188264, 188464, 189560),

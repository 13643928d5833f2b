// SPDX-License-Identifier: GPL-2.0-only
// Prints the layout row of the fio release whose headers it is compiled with.
// Built by ci/fio-layout only; not a part of the plugin.
#include <stdio.h>
#include <stddef.h>
#include "fio.h"
#include "ioengines.h"
#include "parse.h"
#include "optgroup.h"

#define OFF(field, type, member) printf("\t\t." #field " = %zu,\n", offsetof(type, member))
#define OPT(field, member) OFF(field, struct thread_data, o.member)

/* A bit number: the flags moved in 3.42 without a new version number. */
#define BIT(field, flag) printf("\t\t." #field " = %d,\n", __builtin_ctz(flag))

/* What engine/fio_abi.h declares of struct fio_option is the same in every release so far. */
_Static_assert(sizeof(struct fio_option) == 1512 && offsetof(struct fio_option, off1) == 28 &&
		       offsetof(struct fio_option, cb) == 104 &&
		       offsetof(struct fio_option, help) == 112 &&
		       offsetof(struct fio_option, def) == 120 &&
		       offsetof(struct fio_option, posval) == 128 &&
		       offsetof(struct fio_option, category) == 1464 &&
		       offsetof(struct fio_option, group) == 1472,
	       "struct fio_option changed: engine/fio_abi.h must learn of it");
_Static_assert(sizeof(struct value_pair) == 40 && offsetof(struct value_pair, oval) == 8 &&
		       offsetof(struct value_pair, help) == 16,
	       "struct value_pair changed: engine/fio_abi.h must learn of it");
_Static_assert(FIO_OPT_C_ENGINE == 64, "FIO_OPT_C_ENGINE changed");
_Static_assert(FIO_OPT_STR_STORE == 6 && FIO_OPT_INT == 8 && FIO_OPT_BOOL == 10,
	       "the option types changed");
_Static_assert(FIO_TYPE_CHAR == 3 && DDIR_READ == 0 && DDIR_WRITE == 1 && DDIR_TRIM == 2 &&
		       DDIR_SYNC == 3 && TD_DDIR_WRITE == 2 && TD_DDIR_TRIM == 8,
	       "an enumeration changed");
_Static_assert(FIO_Q_COMPLETED == 0 && FIO_Q_QUEUED == 1 && FIO_Q_BUSY == 2,
	       "enum fio_q_status changed");

static void print_ops(void)
{
	printf("\t\t.ops_size = %zu,\n", sizeof(struct ioengine_ops));
	OFF(ops_name, struct ioengine_ops, name);
	OFF(ops_version_off, struct ioengine_ops, version);
	OFF(ops_flags, struct ioengine_ops, flags);
	OFF(ops_init, struct ioengine_ops, init);
	OFF(ops_post_init, struct ioengine_ops, post_init);
	OFF(ops_queue, struct ioengine_ops, queue);
	OFF(ops_commit, struct ioengine_ops, commit);
	OFF(ops_getevents, struct ioengine_ops, getevents);
	OFF(ops_event, struct ioengine_ops, event);
	OFF(ops_cleanup, struct ioengine_ops, cleanup);
	OFF(ops_open_file, struct ioengine_ops, open_file);
	OFF(ops_close_file, struct ioengine_ops, close_file);
	OFF(ops_invalidate, struct ioengine_ops, invalidate);
	OFF(ops_unlink_file, struct ioengine_ops, unlink_file);
	OFF(ops_get_file_size, struct ioengine_ops, get_file_size);
	OFF(ops_io_u_init, struct ioengine_ops, io_u_init);
#if FIO_IOOPS_VERSION >= 32
	OFF(ops_fdp_fetch_ruhs, struct ioengine_ops, fdp_fetch_ruhs);
#endif
	OFF(ops_option_struct_size, struct ioengine_ops, option_struct_size);
	OFF(ops_options, struct ioengine_ops, options);
}

static void print_flags(void)
{
	BIT(flag_no_offload, FIO_NO_OFFLOAD);
#if FIO_IOOPS_VERSION >= 31
	/* 3.31 added it without a new version number; 3.30 has no such bit. */
	BIT(flag_sets_issue_time, FIO_ASYNCIO_SETS_ISSUE_TIME);
#endif
#if FIO_IOOPS_VERSION >= 36
	BIT(flag_multi_range_trim, FIO_MULTI_RANGE_TRIM);
#endif
}

static void print_thread_data(void)
{
	OFF(td_eo, struct thread_data, eo);
	OFF(td_thread_number, struct thread_data, thread_number);
	OFF(td_files, struct thread_data, files);
	OFF(td_error, struct thread_data, error);
	OFF(td_io_ops, struct thread_data, io_ops);
	OFF(td_io_ops_data, struct thread_data, io_ops_data);
	OFF(td_last_issue, struct thread_data, last_issue);
	OFF(td_verror, struct thread_data, verror);
	OPT(o_name, name);
	OPT(o_td_ddir, td_ddir);
	OPT(o_iodepth, iodepth);
	OPT(o_min_bs, min_bs);
	OPT(o_max_bs, max_bs);
	OPT(o_nr_files, nr_files);
}

static void print_io_u(void)
{
	OFF(io_u_issue_time, struct io_u, issue_time);
	OFF(io_u_file, struct io_u, file);
	OFF(io_u_ddir, struct io_u, ddir);
	OFF(io_u_offset, struct io_u, offset);
	OFF(io_u_buf, struct io_u, buf);
	OFF(io_u_xfer_buf, struct io_u, xfer_buf);
	OFF(io_u_xfer_buflen, struct io_u, xfer_buflen);
	OFF(io_u_error, struct io_u, error);
	OFF(io_u_index, struct io_u, index);
#if FIO_IOOPS_VERSION >= 36
	OFF(io_u_number_trim, struct io_u, number_trim);
#endif
#if FIO_IOOPS_VERSION >= 32
	OFF(io_u_dtype, struct io_u, dtype);
	_Static_assert(offsetof(struct io_u, dspec) == offsetof(struct io_u, dtype) + 4,
		       "dspec does not follow dtype");
#endif
}

int main(void)
{
	printf("\t{\n\t\t.release = \"%s\",\n\t\t.measured = true,\n", FIO_RELEASE);
	printf("\t\t.ops_version = %d,\n", FIO_IOOPS_VERSION);
	print_ops();
	print_flags();
	print_thread_data();
	print_io_u();
	OFF(file_filetype, struct fio_file, filetype);
	OFF(file_fd, struct fio_file, fd);
	OFF(file_name, struct fio_file, file_name);
	OFF(file_real_file_size, struct fio_file, real_file_size);
	OFF(file_engine_data, struct fio_file, engine_data);
	printf("\t},\n");
	return 0;
}

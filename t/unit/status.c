// SPDX-License-Identifier: GPL-2.0-only
/*
 * Status codes: names, errnos, descriptions, and which of two results is the worse. Pure
 * functions, no device.
 */
#include <errno.h>
#include <string.h>

#include "engine/status.h"
#include "t/unit/tap.h"

/* What fio users rely on: status field, errno, name. */
static const struct {
	int res, err;
	const char *name;
} known[] = {
	{ 0x000, 0, "Successful Completion" },
	{ 0x001, EOPNOTSUPP, "Invalid Command Opcode" },
	{ 0x002, EINVAL, "Invalid Field in Command" },
	{ 0x004, EIO, "Data Transfer Error" },
	{ 0x006, EIO, "Internal Error" },
	{ 0x007, EIO, "Command Abort Requested" },
	{ 0x00b, ENODEV, "Invalid Namespace or Format" },
	{ 0x00f, EINVAL, "Data SGL Length Invalid" },
	{ 0x01d, EBUSY, "Sanitize In Progress" },
	{ 0x020, EROFS, "Namespace is Write Protected" },
	{ 0x029, EOPNOTSUPP, "FDP Disabled" },
	{ 0x080, ENOSPC, "LBA Out of Range" },
	{ 0x081, ENOSPC, "Capacity Exceeded" },
	{ 0x083, EBUSY, "Reservation Conflict" },
	{ 0x109, EOPNOTSUPP, "Invalid Log Page" },
	{ 0x10e, EOPNOTSUPP, "Feature Not Changeable" },
	{ 0x129, EOPNOTSUPP, "I/O Command Set Not Supported" },
	{ 0x180, EINVAL, "Conflicting Attributes" },
	{ 0x181, EINVAL, "Invalid Protection Information" },
	{ 0x182, EROFS, "Attempted Write to Read Only Range" },
	{ 0x1b9, ENOSPC, "Zone Is Full" },
	{ 0x280, EIO, "Write Fault" },
	{ 0x281, EIO, "Unrecovered Read Error" },
	{ 0x282, EILSEQ, "End-to-end Guard Check Error" },
	{ 0x283, EILSEQ, "End-to-end Application Tag Check Error" },
	{ 0x284, EILSEQ, "End-to-end Reference Tag Check Error" },
	{ 0x285, EILSEQ, "Compare Failure" },
	{ 0x286, EACCES, "Access Denied" },
	{ 0x287, EIO, "Deallocated or Unwritten Logical Block" },
	{ 0x303, EAGAIN, "Asymmetric Access Transition" },
	{ 0x370, ENXIO, "Host Pathing Error" },
	{ 0x371, EIO, "Command Aborted By Host" },
	/* not in the table: the kind is named, the job may go on */
	{ 0x0c5, EIO, "Vendor Specific" },
	{ 0x1ff, EIO, "Vendor Specific" },
	{ 0x700, EIO, "Vendor Specific" },
	{ 0x07f, EIO, "Unknown Generic Command Status" },
	{ 0x2bf, EIO, "Unknown Media and Data Integrity Error" },
	{ 0x37f, EIO, "Unknown Path Related Status" },
	{ 0x480, EIO, "Reserved Status Code Type" },
};

static void test_known(void)
{
	char name[80];

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		snprintf(name, sizeof(name), "%03xh is %s", known[i].res, known[i].name);
		is_str(status_find(known[i].res)->name, known[i].name, name);
		snprintf(name, sizeof(name), "%03xh: errno %s", known[i].res,
			 known[i].err ? strerrorname_np(known[i].err) : "0");
		is_int(status_errno(known[i].res), known[i].err, name);
		/* CRD, More and DNR say how to retry, not what failed */
		if (status_find(known[i].res | 0x7800) != status_find(known[i].res))
			ok(false, "%03xh: the upper bits are ignored", known[i].res);
	}
}

/* All 2048 codes: never NULL, never success by accident, a text for each that fits its buffer. */
static void test_all(void)
{
	int null = 0, success = 0, cut = 0, empty = 0, wrong = 0;
	char buf[128];

	for (int sf = 0; sf < 0x800; sf++) {
		const struct nvme_status *s = status_find(sf);

		if (!s || !s->name || !s->advice) {
			null++;
			continue;
		}
		success += (s->err == 0) != (sf == 0);
		empty += !s->name[0] || (sf && !s->advice[0]);
		wrong += s->sct != STATUS_SCT(sf) && s->sct != 7;
		status_describe(sf | STATUS_DNR | STATUS_MORE, buf, sizeof(buf));
		cut += buf[strlen(buf) - 1] != ')';
	}
	is_int(null, 0, "every code has an entry");
	is_int(success, 0, "only 0 is success");
	is_int(empty, 0, "every code has a name and an advice");
	is_int(wrong, 0, "every code gets an entry of its own type, or the vendor's");
	is_int(cut, 0, "every description fits into 128 bytes");
}

static void test_describe(void)
{
	char buf[128], tiny[8];

	status_describe(0x4080, buf, sizeof(buf));
	is_str(buf, "LBA Out of Range (SCT 0h SC 80h, DNR)", "a status with DNR");
	status_describe(0x2281, buf, sizeof(buf));
	is_str(buf, "Unrecovered Read Error (SCT 2h SC 81h, More)", "a status with More");
	status_describe(0x47c7, buf, sizeof(buf));
	is_str(buf, "Vendor Specific (SCT 7h SC C7h, DNR)", "an unknown code keeps its numbers");
	status_describe(0, buf, sizeof(buf));
	is_str(buf, "Successful Completion (SCT 0h SC 00h)", "success");
	status_describe(-ENODEV, buf, sizeof(buf));
	is_str(buf, "ENODEV: the device is gone", "an errno of the kernel's");
	status_describe(-EDOM, buf, sizeof(buf));
	is_str(buf, "errno 33: Numerical argument out of domain", "an errno without an entry");
	status_describe(0x4080, tiny, sizeof(tiny));
	is_str(tiny, "LBA Out", "a short buffer is cut and terminated");
}

static void test_negative(void)
{
	is_int(status_errno(0), 0, "0 is no error");
	is_int(status_errno(-EINVAL), EINVAL, "-EINVAL is EINVAL");
	is_int(status_errno(-ENODEV), ENODEV, "-ENODEV is ENODEV");
	is_int(status_errno(-EINTR), EIO, "-EINTR, a cancelled command, is EIO");
	is_int(status_errno(-EDOM), EDOM, "an errno without an entry is kept");
	is_str(status_advice(0), "", "success needs no advice");
	ok(strstr(status_advice(-EACCES), "root"), "-EACCES says who may");
	ok(strstr(status_advice(0x4080), "offset="), "LBA Out of Range says what to look at");
	ok(status_advice(-EDOM)[0], "an errno without an entry has an advice");
}

static void test_worse(void)
{
	/* from best to worst; every pair, both ways round */
	static const int order[] = { 0, 0x281, 0x4281, 0x282, 0x4080, -EAGAIN, -ENODEV };
	const int n = sizeof(order) / sizeof(order[0]);
	int wrong = 0;

	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			wrong += status_worse(order[i], order[j]) != order[i > j ? i : j];
	is_int(wrong, 0, "status_worse() keeps the documented order");
	is_int(status_worse(0x280, 0x281), 0x280, "of two alike the first stays");
	is_int(status_worse(0x281, 0x280), 0x281, "... whichever it is");
}

int main(void)
{
	test_known();
	test_all();
	test_describe();
	test_negative();
	test_worse();
	return done_testing();
}

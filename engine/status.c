// SPDX-License-Identifier: GPL-2.0-only
/*
 * Status codes: names, what they mean, what to do, and which errno they become.
 *
 * Names and values: NVMe Base Specification 2.x, section "Status Field Definition" (figures
 * "Generic Command Status Values", "Command Specific Status Values", "Media and Data Integrity
 * Error Values", "Path Related Status Values"), NVM Command Set 1.x and Zoned Namespace Command
 * Set 1.x for the values from 80h. Where command sets share a value, the NVM one is meant.
 *
 * How the errno is chosen. fio asks it three questions:
 *  - may the job go on? continue_on_error= spares EIO and EILSEQ only (unless ignore_error= says
 *    more), so these two are for errors of one I/O, and everything that will meet the next I/O as
 *    well gets another errno and ends the job at once instead of filling it with failures;
 *  - is it wrong data? fio counts EILSEQ as a verify error, all else as a read or write error;
 *  - is the device full? fill_device= ends a job without an error at ENOSPC.
 *
 * Where this differs from the kernel's own block devices (nvme_error_status() and
 * blk_status_to_errno()), which have to please file systems and dm-multipath:
 *  - media errors: EIO, not ENODATA, since fio would take that for a fatal error;
 *  - Compare Failure: EILSEQ, not ENODATA: it is wrong data, not a bad medium;
 *  - LBA Out of Range: ENOSPC, not EREMOTEIO, which names no cause;
 *  - Access Denied: EACCES, read-only range and write protection: EROFS, not ENODATA or EIO;
 *  - invalid field, conflicting attributes: EINVAL, invalid namespace: ENODEV, not EOPNOTSUPP;
 *  - Invalid Protection Information: EINVAL, not EILSEQ: the command did not suit the format and
 *    no data was compared;
 *  - reservation conflict: EBUSY, not EBADE, whose text ("Invalid exchange") helps nobody.
 */
#include "engine/status.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum {
	GENERIC,
	SPECIFIC,
	MEDIA,
	PATH,
	VENDOR = 7
};

/* Advice that many codes share. */
#define OUR_BUG "the engine should not send such a command: please report it"
#define NOT_IO "an answer to an admin command that the engine does not send for I/O"
#define ONE_LOST "this I/O was lost; see the kernel log (dmesg) for a reset, abort or timeout"
#define WAIT "wait until the drive has finished and run again"
#define DAMAGED "data on the drive does not match its protection information"
#define ZONES "the engine does not follow zones: use fio's zonemode=zbd on the block device"

/*
 * Aborted and timed-out commands (07h, 08h, 71h) are EIO, not ETIMEDOUT: the device usually comes
 * back after its reset, and continue_on_error= must be able to carry a job over that. A device
 * that does not come back answers with Host Pathing Error or -ENODEV, which are fatal.
 */
static const struct nvme_status table[] = {
	{ GENERIC, 0x00, "Successful Completion", "", 0 },
	{ GENERIC, 0x01, "Invalid Command Opcode", "the drive lacks this command", EOPNOTSUPP },
	{ GENERIC, 0x02, "Invalid Field in Command",
	  "the drive refuses a parameter: is the block size above its limit (MDTS)?", EINVAL },
	{ GENERIC, 0x03, "Command ID Conflict", "a fault of the NVMe driver or the drive", EIO },
	{ GENERIC, 0x04, "Data Transfer Error", "the bus or the fabric failed: see dmesg", EIO },
	{ GENERIC, 0x05, "Commands Aborted due to Power Loss Notification",
	  "the drive is losing power", EIO },
	{ GENERIC, 0x06, "Internal Error", "the drive's own fault: see nvme error-log", EIO },
	{ GENERIC, 0x07, "Command Abort Requested", ONE_LOST, EIO },
	{ GENERIC, 0x08, "Command Aborted due to SQ Deletion", ONE_LOST, EIO },
	{ GENERIC, 0x09, "Command Aborted due to Failed Fused Command", OUR_BUG, EIO },
	{ GENERIC, 0x0a, "Command Aborted due to Missing Fused Command", OUR_BUG, EIO },
	{ GENERIC, 0x0b, "Invalid Namespace or Format",
	  "the namespace was deleted, detached or reformatted meanwhile", ENODEV },
	{ GENERIC, 0x0c, "Command Sequence Error", "the drive must be set up first", EINVAL },
	{ GENERIC, 0x0d, "Invalid SGL Segment Descriptor", OUR_BUG, EINVAL },
	{ GENERIC, 0x0e, "Invalid Number of SGL Descriptors", "use a smaller block size", EINVAL },
	{ GENERIC, 0x0f, "Data SGL Length Invalid",
	  "the transfer's length does not match its number of blocks: please report it", EINVAL },
	{ GENERIC, 0x10, "Metadata SGL Length Invalid",
	  "the metadata's length does not match the format: please report it", EINVAL },
	{ GENERIC, 0x11, "SGL Descriptor Type Invalid", OUR_BUG, EINVAL },
	{ GENERIC, 0x12, "Invalid Use of Controller Memory Buffer", OUR_BUG, EINVAL },
	{ GENERIC, 0x13, "PRP Offset Invalid", OUR_BUG, EINVAL },
	{ GENERIC, 0x14, "Atomic Write Unit Exceeded", "use a smaller block size", EINVAL },
	{ GENERIC, 0x15, "Operation Denied", "the drive is locked or lacks a permission", EACCES },
	{ GENERIC, 0x16, "SGL Offset Invalid", OUR_BUG, EINVAL },
	{ GENERIC, 0x18, "Host Identifier Inconsistent Format", NOT_IO, EINVAL },
	{ GENERIC, 0x19, "Keep Alive Timer Expired", "the fabric connection was lost", EIO },
	{ GENERIC, 0x1a, "Keep Alive Timeout Invalid", NOT_IO, EINVAL },
	{ GENERIC, 0x1b, "Command Aborted due to Preempt and Abort",
	  "another host took the reservation: see nvme resv-report", EBUSY },
	{ GENERIC, 0x1c, "Sanitize Failed", "repeat the sanitize operation first", EIO },
	{ GENERIC, 0x1d, "Sanitize In Progress", WAIT, EBUSY },
	{ GENERIC, 0x1e, "SGL Data Block Granularity Invalid", OUR_BUG, EINVAL },
	{ GENERIC, 0x1f, "Command Not Supported for Queue in CMB", OUR_BUG, EINVAL },
	{ GENERIC, 0x20, "Namespace is Write Protected",
	  "lift its write protection (feature 84h, or the drive is worn out)", EROFS },
	{ GENERIC, 0x21, "Command Interrupted", "the drive was busy: a retry may work", EIO },
	{ GENERIC, 0x22, "Transient Transport Error", "the fabric failed: a retry may work", EIO },
	{ GENERIC, 0x23, "Command Prohibited by Command and Feature Lockdown",
	  "the drive's lockdown forbids this command", EACCES },
	{ GENERIC, 0x24, "Admin Command Media Not Ready", WAIT, EAGAIN },
	{ GENERIC, 0x25, "Invalid Key Tag", "the key for this range is not loaded", EACCES },
	{ GENERIC, 0x26, "Host Dispersed Namespace Support Not Enabled",
	  "the host must enable dispersed namespaces first", EOPNOTSUPP },
	{ GENERIC, 0x27, "Host Identifier Not Initialized", NOT_IO, EINVAL },
	{ GENERIC, 0x28, "Incorrect Key", "the key for this range is wrong", EACCES },
	{ GENERIC, 0x29, "FDP Disabled",
	  "flexible data placement is off: enable it in the endurance group (nvme fdp)",
	  EOPNOTSUPP },
	{ GENERIC, 0x2a, "Invalid Placement Handle List", NOT_IO, EINVAL },
	{ GENERIC, 0x80, "LBA Out of Range",
	  "beyond the namespace's end: is offset= or size= too large, or was it resized?", ENOSPC },
	{ GENERIC, 0x81, "Capacity Exceeded", "the thinly provisioned namespace is full", ENOSPC },
	{ GENERIC, 0x82, "Namespace Not Ready", WAIT, EAGAIN },
	{ GENERIC, 0x83, "Reservation Conflict",
	  "another host holds a reservation: see nvme resv-report", EBUSY },
	{ GENERIC, 0x84, "Format In Progress", WAIT, EBUSY },

	{ SPECIFIC, 0x00, "Completion Queue Invalid", NOT_IO, EIO },
	{ SPECIFIC, 0x01, "Invalid Queue Identifier", NOT_IO, EIO },
	{ SPECIFIC, 0x02, "Invalid Queue Size", NOT_IO, EIO },
	{ SPECIFIC, 0x03, "Abort Command Limit Exceeded", NOT_IO, EIO },
	{ SPECIFIC, 0x05, "Asynchronous Event Request Limit Exceeded", NOT_IO, EIO },
	{ SPECIFIC, 0x06, "Invalid Firmware Slot", NOT_IO, EINVAL },
	{ SPECIFIC, 0x07, "Invalid Firmware Image", NOT_IO, EINVAL },
	{ SPECIFIC, 0x08, "Invalid Interrupt Vector", NOT_IO, EIO },
	{ SPECIFIC, 0x09, "Invalid Log Page", "the drive lacks this log page", EOPNOTSUPP },
	{ SPECIFIC, 0x0a, "Invalid Format", NOT_IO, EINVAL },
	{ SPECIFIC, 0x0b, "Firmware Activation Requires Conventional Reset", NOT_IO, EIO },
	{ SPECIFIC, 0x0c, "Invalid Queue Deletion", NOT_IO, EIO },
	{ SPECIFIC, 0x0d, "Feature Identifier Not Saveable", "set it without saving", EOPNOTSUPP },
	{ SPECIFIC, 0x0e, "Feature Not Changeable", "the drive keeps this feature fixed",
	  EOPNOTSUPP },
	{ SPECIFIC, 0x0f, "Feature Not Namespace Specific", OUR_BUG, EINVAL },
	{ SPECIFIC, 0x10, "Firmware Activation Requires NVM Subsystem Reset", NOT_IO, EIO },
	{ SPECIFIC, 0x11, "Firmware Activation Requires Controller Level Reset", NOT_IO, EIO },
	{ SPECIFIC, 0x12, "Firmware Activation Requires Maximum Time Violation", NOT_IO, EIO },
	{ SPECIFIC, 0x13, "Firmware Activation Prohibited", NOT_IO, EIO },
	{ SPECIFIC, 0x14, "Overlapping Range", NOT_IO, EINVAL },
	{ SPECIFIC, 0x15, "Namespace Insufficient Capacity", NOT_IO, ENOSPC },
	{ SPECIFIC, 0x16, "Namespace Identifier Unavailable", NOT_IO, EINVAL },
	{ SPECIFIC, 0x18, "Namespace Already Attached", NOT_IO, EINVAL },
	{ SPECIFIC, 0x19, "Namespace Is Private", NOT_IO, EINVAL },
	{ SPECIFIC, 0x1a, "Namespace Not Attached", "attach it: nvme attach-ns", ENODEV },
	{ SPECIFIC, 0x1b, "Thin Provisioning Not Supported", NOT_IO, EOPNOTSUPP },
	{ SPECIFIC, 0x1c, "Controller List Invalid", NOT_IO, EINVAL },
	{ SPECIFIC, 0x1d, "Device Self-test In Progress", WAIT, EBUSY },
	{ SPECIFIC, 0x1e, "Boot Partition Write Prohibited", NOT_IO, EROFS },
	{ SPECIFIC, 0x1f, "Invalid Controller Identifier", NOT_IO, EINVAL },
	{ SPECIFIC, 0x20, "Invalid Secondary Controller State", NOT_IO, EINVAL },
	{ SPECIFIC, 0x21, "Invalid Number of Controller Resources", NOT_IO, EINVAL },
	{ SPECIFIC, 0x22, "Invalid Resource Identifier", NOT_IO, EINVAL },
	{ SPECIFIC, 0x23, "Sanitize Prohibited While Persistent Memory Region is Enabled", NOT_IO,
	  EBUSY },
	{ SPECIFIC, 0x24, "ANA Group Identifier Invalid", NOT_IO, EINVAL },
	{ SPECIFIC, 0x25, "ANA Attach Failed", NOT_IO, EIO },
	{ SPECIFIC, 0x26, "Insufficient Capacity", NOT_IO, ENOSPC },
	{ SPECIFIC, 0x27, "Namespace Attachment Limit Exceeded", NOT_IO, EINVAL },
	{ SPECIFIC, 0x28, "Prohibition of Command Execution Not Supported", NOT_IO, EOPNOTSUPP },
	{ SPECIFIC, 0x29, "I/O Command Set Not Supported", "not an NVM namespace", EOPNOTSUPP },
	{ SPECIFIC, 0x2a, "I/O Command Set Not Enabled", "not an NVM namespace", EOPNOTSUPP },
	{ SPECIFIC, 0x2b, "I/O Command Set Combination Rejected", NOT_IO, EINVAL },
	{ SPECIFIC, 0x2c, "Invalid I/O Command Set", NOT_IO, EINVAL },
	{ SPECIFIC, 0x2d, "Identifier Unavailable", NOT_IO, EINVAL },
	{ SPECIFIC, 0x3e, "Invalid Power Limit", "outside the drive's range", EINVAL },
	{ SPECIFIC, 0x80, "Conflicting Attributes", OUR_BUG, EINVAL },
	{ SPECIFIC, 0x81, "Invalid Protection Information",
	  "the command does not suit the namespace's protection format", EINVAL },
	{ SPECIFIC, 0x82, "Attempted Write to Read Only Range", "part of it is read only", EROFS },
	{ SPECIFIC, 0x83, "Command Size Limit Exceeded",
	  "use a smaller block size: the drive limits this command", EINVAL },
	{ SPECIFIC, 0x84, "Invalid Command ID", NOT_IO, EINVAL },
	{ SPECIFIC, 0x85, "Incompatible Namespace or Format", NOT_IO, EINVAL },
	{ SPECIFIC, 0x86, "Fast Copy Not Possible", NOT_IO, EOPNOTSUPP },
	{ SPECIFIC, 0x87, "Overlapping I/O Range", NOT_IO, EINVAL },
	{ SPECIFIC, 0x88, "Namespace Not Reachable", NOT_IO, ENXIO },
	{ SPECIFIC, 0x89, "Insufficient Resources", "the drive has no room for it now", EBUSY },
	{ SPECIFIC, 0xb6, "Invalid Zone Operation Request", ZONES, EINVAL },
	{ SPECIFIC, 0xb7, "ZRWA Resources Unavailable", ZONES, EBUSY },
	{ SPECIFIC, 0xb8, "Zone Boundary Error", ZONES, EINVAL },
	{ SPECIFIC, 0xb9, "Zone Is Full", ZONES, ENOSPC },
	{ SPECIFIC, 0xba, "Zone Is Read Only", ZONES, EROFS },
	{ SPECIFIC, 0xbb, "Zone Is Offline", ZONES, EIO },
	{ SPECIFIC, 0xbc, "Zone Invalid Write", ZONES, EINVAL },
	{ SPECIFIC, 0xbd, "Too Many Active Zones", ZONES, EBUSY },
	{ SPECIFIC, 0xbe, "Too Many Open Zones", ZONES, EBUSY },
	{ SPECIFIC, 0xbf, "Invalid Zone State Transition", ZONES, EINVAL },

	{ MEDIA, 0x80, "Write Fault", "the drive could not write: see nvme smart-log", EIO },
	{ MEDIA, 0x81, "Unrecovered Read Error", "the data is lost: see nvme smart-log", EIO },
	{ MEDIA, 0x82, "End-to-end Guard Check Error", DAMAGED, EILSEQ },
	{ MEDIA, 0x83, "End-to-end Application Tag Check Error", DAMAGED, EILSEQ },
	{ MEDIA, 0x84, "End-to-end Reference Tag Check Error", DAMAGED, EILSEQ },
	{ MEDIA, 0x85, "Compare Failure", "the drive holds other data", EILSEQ },
	{ MEDIA, 0x86, "Access Denied", "the range is locked (TCG Opal?) or reserved", EACCES },
	{ MEDIA, 0x87, "Deallocated or Unwritten Logical Block",
	  "write the drive before reading it", EIO },
	{ MEDIA, 0x88, "End-to-End Storage Tag Check Error", DAMAGED, EILSEQ },

	/*
	 * Paths. Only what says "no way to the namespace" is ENXIO, and fatal. EAGAIN would ask
	 * for a retry that fio does not make, except where the specification sets a time for it.
	 */
	{ PATH, 0x00, "Internal Path Error", ONE_LOST, EIO },
	{ PATH, 0x01, "Asymmetric Access Persistent Loss", "this path is lost for good", ENXIO },
	{ PATH, 0x02, "Asymmetric Access Inaccessible", "use another path to it", ENXIO },
	{ PATH, 0x03, "Asymmetric Access Transition", WAIT, EAGAIN },
	{ PATH, 0x60, "Controller Pathing Error", ONE_LOST, EIO },
	{ PATH, 0x70, "Host Pathing Error",
	  "no path to the namespace: was the device removed, or is its controller dead?", ENXIO },
	{ PATH, 0x71, "Command Aborted By Host", ONE_LOST, EIO },
};

/* Codes the table lacks, by status code type. Vendor codes (C0h and up in types 0-3) apart. */
static const struct nvme_status unknown[8] = {
	[GENERIC] = { GENERIC, 0xff, "Unknown Generic Command Status", NOT_IO, EIO },
	[SPECIFIC] = { SPECIFIC, 0xff, "Unknown Command Specific Status", NOT_IO, EIO },
	[MEDIA] = { MEDIA, 0xff, "Unknown Media and Data Integrity Error",
		    "see nvme smart-log and nvme error-log", EIO },
	[PATH] = { PATH, 0xff, "Unknown Path Related Status", ONE_LOST, EIO },
	[4] = { 4, 0xff, "Reserved Status Code Type", "a fault of the drive", EIO },
	[5] = { 5, 0xff, "Reserved Status Code Type", "a fault of the drive", EIO },
	[6] = { 6, 0xff, "Reserved Status Code Type", "a fault of the drive", EIO },
	[VENDOR] = { VENDOR, 0xff, "Vendor Specific", "ask the drive's manual", EIO },
};

/*
 * Errors that never reached a device, as nvme_uring_cmd_io() and the block layer give them.
 * EINTR is how the driver reports a request that it cancelled (timeout, then reset): the same
 * event as Command Aborted By Host, so the same errno.
 */
static const struct kernel_error {
	int res;
	const char *name;
	const char *text;
	const char *advice;
	int err;
} kernel_errors[] = {
	{ EINVAL, "EINVAL", "the kernel refused the command",
	  "the block size is above the kernel's limit, or no path to the device is alive", EINVAL },
	{ EACCES, "EACCES", "the kernel does not allow the command",
	  "passthrough needs root (CAP_SYS_ADMIN); from Linux 6.2 write access to the node",
	  EACCES },
	{ EPERM, "EPERM", "the kernel does not allow the command", "passthrough needs root",
	  EPERM },
	{ ENODEV, "ENODEV", "the device is gone", "was it removed or reset?", ENODEV },
	{ ENXIO, "ENXIO", "the device is gone", "was it removed or reset?", ENXIO },
	{ EINTR, "EINTR", "the kernel cancelled the command",
	  "a timeout or a controller reset: see dmesg", EIO },
	{ ECANCELED, "ECANCELED", "the command was cancelled", ONE_LOST, EIO },
	{ ETIMEDOUT, "ETIMEDOUT", "the device did not answer in time", "see dmesg", ETIMEDOUT },
	{ EAGAIN, "EAGAIN", "the kernel had no free request", "use a smaller iodepth", EAGAIN },
	{ ENOMEM, "ENOMEM", "no memory for the command", "use a smaller iodepth or bs", ENOMEM },
	{ EFAULT, "EFAULT", "the buffer cannot be mapped",
	  "fio has no memory for it? lower bs= or iodepth=, or raise ulimit -v", EFAULT },
	{ EOPNOTSUPP, "EOPNOTSUPP", "the kernel lacks NVMe passthrough through io_uring",
	  "Linux 5.19 or later is needed", EOPNOTSUPP },
	{ ENOTTY, "ENOTTY", "the node takes no such command", "use a namespace: /dev/ngXnY",
	  ENOTTY },
	{ EIO, "EIO", "input/output error", "see dmesg", EIO },
	{ EBUSY, "EBUSY", "the device is busy", "see dmesg", EBUSY },
};

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

const struct nvme_status *status_find(unsigned int sf)
{
	unsigned int sct = STATUS_SCT(sf), sc = STATUS_SC(sf);

	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (table[i].sct == sct && table[i].sc == sc)
			return &table[i];
	return &unknown[sc >= 0xc0 && sct <= PATH ? VENDOR : sct];
}

static const struct kernel_error *kernel_error_find(int err)
{
	for (size_t i = 0; i < ARRAY_SIZE(kernel_errors); i++)
		if (kernel_errors[i].res == err)
			return &kernel_errors[i];
	return NULL;
}

int status_errno(int res)
{
	const struct kernel_error *k;

	if (res >= 0)
		return status_find(res)->err;
	k = kernel_error_find(-res);
	return k ? k->err : -res;
}

const char *status_advice(int res)
{
	const struct kernel_error *k;

	if (res >= 0)
		return status_find(res)->advice;
	k = kernel_error_find(-res);
	return k ? k->advice : "see dmesg";
}

void status_describe(int res, char *buf, size_t len)
{
	const struct kernel_error *k;
	char text[64];

	if (res >= 0) {
		snprintf(buf, len, "%s (SCT %Xh SC %02Xh%s%s)", status_find(res)->name,
			 STATUS_SCT(res), STATUS_SC(res), res & STATUS_MORE ? ", More" : "",
			 res & STATUS_DNR ? ", DNR" : "");
		return;
	}
	k = kernel_error_find(-res);
	if (k)
		snprintf(buf, len, "%s: %s", k->name, k->text);
	else
		snprintf(buf, len, "errno %d: %s", -res, strerror_r(-res, text, sizeof(text)));
}

/* How bad a result is: see status_worse(). */
static int severity(int res)
{
	if (res == 0)
		return 0;
	if (res == -ENODEV || res == -ENXIO)
		return 6;
	if (res < 0)
		return 5;
	switch (status_find(res)->err) {
	case EIO:
		return res & STATUS_DNR ? 2 : 1;
	case EILSEQ:
		return 3;
	default:
		return 4;
	}
}

int status_worse(int a, int b)
{
	return severity(b) > severity(a) ? b : a;
}

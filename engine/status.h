/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the result of an NVMe command means: its name in the specification, what to do about it,
 * and the errno that fio gets for it. Knows nothing of fio, sends no command.
 */
#ifndef ENGINE_STATUS_H
#define ENGINE_STATUS_H

#include <stddef.h>
#include <stdint.h>

/*
 * The status field as io_uring_cmd hands it over (cqe->res > 0): the completion queue entry's
 * dword 3, bits 31:17, moved down (NVMe Base 2.x, "Completion Queue Entry: Status Field").
 */
#define STATUS_SC(sf) ((sf)&0xff)
#define STATUS_SCT(sf) (((sf) >> 8) & 0x7)
#define STATUS_CRD(sf) (((sf) >> 11) & 0x3)
#define STATUS_MORE 0x2000
#define STATUS_DNR 0x4000

struct nvme_status {
	uint8_t sct, sc;
	const char *name; /* as in the specification */
	const char *advice; /* what it means for the user, or what to do: one clause, never NULL */
	int err; /* errno, positive; 0 for success only */
};

/**
 * status_find() - look a status field up
 * @sf: status field; the bits above SCT are ignored
 *
 * Return: the entry, never NULL. A code that the table lacks gets the entry of its kind (reserved
 * or vendor specific, per status code type); that entry's @sc is not the one asked for.
 */
const struct nvme_status *status_find(unsigned int sf);

/**
 * status_errno() - the errno that stands for a result
 * @res: cqe->res: 0, -errno, or a status field
 *
 * Return: 0 or a positive errno. status.c says how they are chosen.
 */
int status_errno(int res);

/**
 * status_advice() - what to do about a result, as one clause without a full stop
 * @res: as in status_errno()
 *
 * Return: a string that lives as long as the program; "" for success.
 */
const char *status_advice(int res);

/**
 * status_describe() - name a result: "LBA Out of Range (SCT 0h SC 80h, DNR)", "ENODEV: ..."
 * @res: as in status_errno()
 * @buf: filled and always terminated, cut where it is too short (128 bytes hold every text)
 * @len: its size in bytes, at least 1
 */
void status_describe(int res, char *buf, size_t len);

/**
 * status_worse() - the result of one I/O that was split into several commands
 * @a: result so far
 * @b: result of one more part
 *
 * From best to worst: success; an I/O error that may be retried (DNR clear); one that may not;
 * wrong data (EILSEQ); a refusal that will meet every further I/O as well (range, field,
 * protection, reservation, path); an errno of the kernel's, so that no device answered; the device
 * is gone (-ENODEV, -ENXIO). Of two alike the first stays, as in the block layer's bio chains.
 *
 * Return: @a or @b.
 */
int status_worse(int a, int b);

#endif

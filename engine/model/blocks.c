// SPDX-License-Identifier: GPL-2.0-only
/*
 * Commands on logical blocks: Read, Write, Write Zeroes, Dataset Management, Flush (NVM Command Set
 * 1.x, section 3). Moves the data, asks ftl.h where they go and timing.h when they are there.
 *
 * Data lie by logical address. A read copies them after it looked the map up and let go of the lock; a
 * write hands them to the flash translation layer page by page, so that a page is written or is not.
 */
#include "engine/model/controller.h"

#include "engine/model/ftl.h"
#include "engine/model/mapping.h"
#include "engine/model/placement.h"
#include "engine/model/timing.h"

enum {
	DEAC = 1 << 25, /* Write Zeroes, CDW12: Deallocate */
	DSM_DEALLOCATE = 1 << 2, /* Dataset Management, CDW11: AD */
	LONG_PAGES = 1 << CONTROLLER_MDTS, /* as many are handled before others get the lock */
};

/* Logical blocks as bytes of the drive's data. */
struct span {
	uint64_t offset, bytes;
};

/* A Dataset Management range as the host gives it. */
struct range {
	uint32_t attributes, blocks;
	uint64_t slba;
};

static inline uint64_t end_of(const struct span *s)
{
	return s->offset + s->bytes;
}

static inline uint32_t first_page(const struct span *s)
{
	return s->offset >> MODEL_PAGE_SHIFT;
}

static inline uint16_t find_span(const struct model *m, uint64_t slba, uint64_t blocks,
				 struct span *s)
{
	uint64_t size = controller_blocks(m->g);

	if (slba >= size || blocks > size - slba)
		return SC_LBA_OUT_OF_RANGE;
	s->offset = slba << m->g->lba_shift;
	s->bytes = blocks << m->g->lba_shift;
	return 0;
}

static inline uint16_t find_blocks(const struct model *m, const struct nvme_uring_cmd *c,
				   struct span *s)
{
	return find_span(m, (uint64_t)c->cdw11 << 32 | c->cdw10, (c->cdw12 & 0xffff) + 1, s);
}

/* As find_blocks, for a command with data. nvmet-tcp, too, refuses a length that is not NLB's. */
static inline uint16_t find_transfer(const struct model *m, const struct nvme_uring_cmd *c,
				     struct span *s)
{
	uint32_t bytes = ((c->cdw12 & 0xffff) + 1) << m->g->lba_shift;

	if (bytes > CONTROLLER_MAX_TRANSFER)
		return SC_INVALID_FIELD;
	if (bytes != controller_room(c))
		return SC_DATA_LENGTH;
	return find_blocks(m, c, s);
}

/* From @s->offset to the end of the page or of the span. */
static inline uint32_t part(const struct span *s)
{
	uint32_t left = MODEL_PAGE - (s->offset & (MODEL_PAGE - 1));

	return s->bytes < left ? s->bytes : left;
}

/* What was not mapped reads as zeros, whatever lies there. */
static void copy_out(const struct model *m, struct span s, const bool *mapped, uint32_t pages,
		     uint8_t *to)
{
	for (uint32_t i = 0; i < pages; i++) {
		uint32_t len = part(&s);

		if (mapped[i])
			memcpy(to, m->data + s.offset, len);
		else
			memset(to, 0, len);
		to += len;
		s.offset += len;
		s.bytes -= len;
	}
}

uint16_t blocks_read(struct model *m, const struct nvme_uring_cmd *c, struct model_result *r)
{
	bool mapped[CONTROLLER_MAX_PAGES];
	struct span s;
	uint16_t status = find_transfer(m, c, &s);
	uint32_t first, pages;
	uint64_t start;

	if (status)
		return status;
	first = first_page(&s);
	pages = ((end_of(&s) - 1) >> MODEL_PAGE_SHIFT) - first + 1;
	model_lock(m);
	start = controller_take_up(m, r);
	for (uint32_t i = 0; i < pages; i++) {
		uint32_t ppn = m->map[first + i];
		uint64_t there;

		mapped[i] = ppn != MODEL_NONE;
		there = mapped[i] ? timing_read(m, start, ppn)
				  : timing_read_nothing(m, start, first + i);
		r->due = controller_later(r->due, there);
	}
	m->s->commands.reads++;
	m->s->commands.read_blocks += s.bytes >> m->g->lba_shift;
	model_unlock(m);
	copy_out(m, s, mapped, pages, controller_data(c));
	return 0;
}

static const uint8_t zeros[MODEL_PAGE];

/*
 * The page that @s starts in, as it is when @len bytes from there are @from. What was mapped has to be
 * read for that. Return: when the whole is there.
 */
static uint64_t compose_page(struct model *m, const struct span *s, const uint8_t *from,
			     uint32_t len, uint8_t *page, uint64_t start)
{
	uint32_t lpn = first_page(s), ppn = m->map[lpn];
	const uint8_t *old = m->data + ((uint64_t)lpn << MODEL_PAGE_SHIFT);

	memcpy(page, ppn == MODEL_NONE ? zeros : old, MODEL_PAGE);
	memcpy(page + (s->offset & (MODEL_PAGE - 1)), from, len);
	return ppn == MODEL_NONE ? start : timing_read(m, start, ppn);
}

/* Write a span. @from NULL: zeros. */
static uint64_t place(struct model *m, struct span s, const uint8_t *from, uint32_t ruh,
		      uint64_t start)
{
	uint8_t composed[MODEL_PAGE];
	uint64_t due = 0;

	while (s.bytes) {
		const uint8_t *page = from ? from : zeros;
		uint32_t len = part(&s), ppn;
		uint64_t there = start;

		if (len < MODEL_PAGE) {
			there = compose_page(m, &s, page, len, composed, start);
			page = composed;
		}
		ppn = ftl_write(m, first_page(&s), ruh, len, page);
		due = controller_later(due, timing_write(m, there, ppn));
		if (from)
			from += len;
		s.offset += len;
		s.bytes -= len;
	}
	return due;
}

/*
 * A page that holds nothing may lie in a hole of the file. That the file system has no room for it is
 * found out before anything is written down.
 */
static inline uint16_t make_room(struct model *m, const struct span *s)
{
	uint32_t page = first_page(s), end = (end_of(s) + MODEL_PAGE - 1) >> MODEL_PAGE_SHIFT;

	while (page < end && m->map[page] != MODEL_NONE)
		page++;
	if (__builtin_expect(page == end, 1))
		return 0;
	return mapping_make_room(m, s->offset, s->bytes) ? SC_CAPACITY_EXCEEDED : 0;
}

/* The page and its entry in the map lie anywhere: they are fetched while the lock is taken. */
static inline void fetch_ahead(const struct model *m, const struct span *s)
{
	__builtin_prefetch(&m->map[first_page(s)]);
	__builtin_prefetch(m->data + s->offset, 1);
	__builtin_prefetch(m->data + s->offset + 64, 1); /* more of it the processor does itself */
}

uint16_t blocks_write(struct model *m, const struct nvme_uring_cmd *c, struct model_result *r)
{
	const uint8_t *from = controller_data(c);
	struct span s;
	uint16_t status = find_transfer(m, c, &s);

	if (!status)
		status = placement_check(m, c);
	if (status)
		return status;
	fetch_ahead(m, &s);
	model_lock(m);
	status = make_room(m, &s);
	if (!status) {
		r->due = place(m, s, from, placement_handle(m, c), controller_take_up(m, r));
		placement_count(m, c, s.bytes);
		placement_report(m, c);
		m->s->commands.writes++;
		m->s->commands.written_blocks += s.bytes >> m->g->lba_shift;
	}
	model_unlock(m);
	return status;
}

/* Others get a turn between the pieces of what may be long. */
static void let_others(struct model *m)
{
	model_unlock(m);
	model_lock(m);
}

/* The first LONG_PAGES pages of the span; the span begins after them then. */
static struct span split(struct span *s)
{
	uint64_t end = ((uint64_t)first_page(s) + LONG_PAGES) << MODEL_PAGE_SHIFT;
	struct span piece = *s;

	if (end < end_of(s))
		piece.bytes = end - s->offset;
	s->offset += piece.bytes;
	s->bytes -= piece.bytes;
	return piece;
}

/* Forget the whole pages in a span. The caller holds the lock, which others get in between. */
static void deallocate(struct model *m, const struct span *s)
{
	uint32_t lpn = (s->offset + MODEL_PAGE - 1) >> MODEL_PAGE_SHIFT;
	uint32_t end = end_of(s) >> MODEL_PAGE_SHIFT;

	for (uint32_t done = 0; lpn < end; lpn++) {
		m->s->commands.deallocated_pages += ftl_deallocate(m, lpn);
		if (++done % LONG_PAGES == 0)
			let_others(m);
	}
}

/* A part of a page at one end of a span is zeroed, but where it reads as zeros already. */
static uint64_t zero_part(struct model *m, const struct nvme_uring_cmd *c, const struct span *s,
			  uint64_t start)
{
	uint64_t due;

	if (!s->bytes || m->map[first_page(s)] == MODEL_NONE)
		return 0;
	due = place(m, *s, NULL, placement_handle(m, c), start);
	placement_count(m, c, s->bytes);
	return due;
}

/* Write Zeroes with DEAC. */
static uint64_t zero_by_deallocating(struct model *m, const struct nvme_uring_cmd *c,
				     const struct span *s, uint64_t start)
{
	struct span head = *s, tail = *s;
	uint64_t due;

	head.bytes = part(s) < MODEL_PAGE ? part(s) : 0;
	tail.bytes = s->bytes > head.bytes ? end_of(s) & (MODEL_PAGE - 1) : 0;
	tail.offset = end_of(s) - tail.bytes;
	deallocate(m, s);
	due = zero_part(m, c, &head, start);
	return controller_later(due, zero_part(m, c, &tail, start));
}

/* Write Zeroes without DEAC: a write, of up to 256 MiB. Return: the status. */
static uint16_t zero_by_writing(struct model *m, const struct nvme_uring_cmd *c, struct span s,
				uint64_t start, uint64_t *due)
{
	while (s.bytes) {
		struct span piece = split(&s);
		uint16_t status = make_room(m, &piece);

		if (status)
			return status;
		*due = controller_later(*due, place(m, piece, NULL, placement_handle(m, c), start));
		placement_count(m, c, piece.bytes);
	}
	return 0;
}

uint16_t blocks_write_zeroes(struct model *m, const struct nvme_uring_cmd *c,
			     struct model_result *r)
{
	struct span s;
	uint16_t status = find_blocks(m, c, &s);
	uint64_t start;

	if (!status)
		status = placement_check(m, c);
	if (status)
		return status;
	model_lock(m);
	start = controller_take_up(m, r);
	if (c->cdw12 & DEAC)
		r->due = zero_by_deallocating(m, c, &s, start);
	else
		status = zero_by_writing(m, c, s, start, &r->due);
	r->due = controller_later(r->due, start);
	placement_report(m, c);
	if (!status)
		m->s->commands.zeroed_blocks += s.bytes >> m->g->lba_shift;
	model_unlock(m);
	return status;
}

/* Copies the ranges: the host could change them after they were checked. */
static uint16_t find_ranges(const struct model *m, const struct nvme_uring_cmd *c, struct span *s)
{
	uint32_t nr = (c->cdw10 & 0xff) + 1;
	struct range range;

	if (controller_room(c) < nr * sizeof(range))
		return SC_DATA_LENGTH;
	for (uint32_t i = 0; i < nr; i++) {
		uint64_t blocks;

		memcpy(&range, controller_data(c) + i * sizeof(range), sizeof(range));
		s[i] = (struct span){ 0 };
		blocks = le32toh(range.blocks);
		if (blocks && find_span(m, le64toh(range.slba), blocks, &s[i]))
			return SC_LBA_OUT_OF_RANGE;
	}
	return 0;
}

/* Without AD the ranges are hints for which the model has no use. */
uint16_t blocks_dsm(struct model *m, const struct nvme_uring_cmd *c, struct model_result *r)
{
	struct span s[CONTROLLER_MAX_RANGES];
	uint32_t nr = c->cdw11 & DSM_DEALLOCATE ? (c->cdw10 & 0xff) + 1 : 0;
	uint16_t status = nr ? find_ranges(m, c, s) : 0;

	if (status)
		return status;
	model_lock(m);
	r->due = controller_take_up(m, r);
	for (uint32_t i = 0; i < nr; i++)
		deallocate(m, &s[i]);
	m->s->commands.deallocates++;
	model_unlock(m);
	return 0;
}

uint16_t blocks_flush(struct model *m, const struct nvme_uring_cmd *c, struct model_result *r)
{
	model_lock(m);
	r->due = timing_flush(m, controller_take_up(m, r));
	m->s->commands.flushes++;
	model_unlock(m);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Get and Set Features (NVMe Base 2.x): power management (02h), queues (07h), asynchronous events
 * (0Bh), Flexible Data Placement (1Dh) and its events (1Eh). None can be saved. There is no volatile
 * write cache, so feature 06h is refused as the specification says.
 */
#include "engine/model/controller.h"

#include "engine/model/faults.h"
#include "engine/model/placement.h"
#include "engine/model/power.h"

enum {
	SELECT_CURRENT,
	SELECT_DEFAULT,
	SELECT_SAVED, /* that of a feature which cannot be saved is the default */
	SELECT_CAPABILITIES,
};

/* Capabilities, as Get Features returns them */
enum {
	OF_NAMESPACE = 1 << 1,
	CHANGEABLE = 1 << 2,
};

enum {
	MAX_QUEUES = 127, /* of submission and of completion; the front end may offer fewer */
	FDP_ON = 1 << 0, /* FDPE, with configuration 0 */
	EVENT_ENABLED = 1 << 0, /* in an event type's descriptor */
};

#define SAVE (1U << 31) /* CDW10 of Set Features */

static uint16_t get_power(struct model *m, const struct nvme_uring_cmd *c, bool initial,
			  struct model_result *r)
{
	if (!initial)
		r->dw0 = m->s->power.state | (m->s->power.workload_hint & 7) << 5;
	return 0;
}

static uint16_t set_power(struct model *m, const struct nvme_uring_cmd *c, struct model_result *r)
{
	uint32_t state = c->cdw11 & 0x1f;
	uint16_t status;

	if (state >= m->g->nr_power_states)
		return SC_INVALID_FIELD;
	status = m->s->nr_faults ? faults_refuse_power(m) : 0;
	if (status)
		return status;
	power_set(m, model_now(m), state);
	m->s->power.workload_hint = c->cdw11 >> 5 & 7;
	return 0;
}

/* What there are: how many of them a host once asked for does not matter. */
static uint16_t get_queues(struct model *m, const struct nvme_uring_cmd *c, bool initial,
			   struct model_result *r)
{
	r->dw0 = (MAX_QUEUES - 1) << 16 | (MAX_QUEUES - 1);
	return 0;
}

static uint32_t at_most(uint32_t value, uint32_t limit)
{
	return value < limit ? value : limit;
}

static uint16_t set_queues(struct model *m, const struct nvme_uring_cmd *c, struct model_result *r)
{
	uint32_t submission = c->cdw11 & 0xffff, completion = c->cdw11 >> 16; /* 0-based */

	if (submission == 0xffff || completion == 0xffff)
		return SC_INVALID_FIELD;
	r->dw0 = at_most(completion, MAX_QUEUES - 1) << 16 | at_most(submission, MAX_QUEUES - 1);
	return 0;
}

static uint16_t get_events(struct model *m, const struct nvme_uring_cmd *c, bool initial,
			   struct model_result *r)
{
	r->dw0 = initial ? 0 : m->s->async_events;
	return 0;
}

static uint16_t set_events(struct model *m, const struct nvme_uring_cmd *c, struct model_result *r)
{
	m->s->async_events = c->cdw11;
	return 0;
}

static uint16_t check_group(const struct model *m, const struct nvme_uring_cmd *c)
{
	return m->g->fdp && (c->cdw11 & 0xffff) == MODEL_ENDGID ? 0 : SC_INVALID_FIELD;
}

static uint16_t get_fdp(struct model *m, const struct nvme_uring_cmd *c, bool initial,
			struct model_result *r)
{
	r->dw0 = m->g->fdp == 2 ? FDP_ON : 0;
	return check_group(m, c);
}

/* Only an endurance group without namespaces can be changed, and ours always has one. */
static uint16_t set_fdp(struct model *m, const struct nvme_uring_cmd *c, struct model_result *r)
{
	uint16_t status = check_group(m, c);

	return status ? status : SC_COMMAND_SEQUENCE;
}

static const uint8_t event_types[] = { PLACEMENT_UNIT_NOT_FULL, PLACEMENT_INVALID_PID };

enum {
	NR_EVENT_TYPES = sizeof(event_types)
};

static bool event_exists(uint8_t type)
{
	return memchr(event_types, type, NR_EVENT_TYPES) != NULL;
}

/* Of a placement handle: CDW11 bits 15:0; the number of event types: bits 23:16. */
static uint16_t check_fdp_events(const struct model *m, const struct nvme_uring_cmd *c)
{
	if (!m->g->fdp)
		return SC_INVALID_FIELD;
	if (c->nsid != MODEL_NSID)
		return SC_INVALID_NAMESPACE;
	if (m->g->fdp != 2)
		return SC_FDP_DISABLED;
	if ((c->cdw11 & 0xffff) >= m->g->ruhs || !(c->cdw11 >> 16 & 0xff))
		return SC_INVALID_FIELD;
	return 0;
}

static uint16_t get_fdp_events(struct model *m, const struct nvme_uring_cmd *c, bool initial,
			       struct model_result *r)
{
	uint16_t status = check_fdp_events(m, c);
	uint8_t descriptor[NR_EVENT_TYPES][2];
	uint32_t enabled;

	if (status)
		return status;
	enabled = initial ? 0 : m->s->host_event_mask[c->cdw11 & 0xffff];
	for (uint32_t i = 0; i < NR_EVENT_TYPES; i++) {
		descriptor[i][0] = event_types[i];
		descriptor[i][1] = enabled >> event_types[i] & 1 ? EVENT_ENABLED : 0;
	}
	controller_reply(c, descriptor, sizeof(descriptor), (c->cdw11 >> 16 & 0xff) * 2);
	r->dw0 = NR_EVENT_TYPES;
	return 0;
}

static uint16_t set_fdp_events(struct model *m, const struct nvme_uring_cmd *c,
			       struct model_result *r)
{
	uint16_t status = check_fdp_events(m, c);
	uint32_t nr = c->cdw11 >> 16 & 0xff, types = 0, *mask;

	if (status)
		return status;
	if (controller_room(c) < nr)
		return SC_DATA_LENGTH;
	for (uint32_t i = 0; i < nr; i++) {
		uint8_t type = controller_data(c)[i];

		if (!event_exists(type))
			return SC_INVALID_FIELD;
		types |= 1U << type;
	}
	mask = &m->s->host_event_mask[c->cdw11 & 0xffff];
	*mask = c->cdw12 & 1 ? *mask | types : *mask & ~types;
	return 0;
}

static const struct feature {
	uint8_t id;
	uint8_t capabilities;
	uint16_t (*get)(struct model *m, const struct nvme_uring_cmd *c, bool initial,
			struct model_result *r);
	controller_command *set;
} features[] = {
	{ 0x02, CHANGEABLE, get_power, set_power },
	{ 0x07, CHANGEABLE, get_queues, set_queues },
	{ 0x0b, CHANGEABLE, get_events, set_events },
	{ 0x1d, 0, get_fdp, set_fdp },
	{ 0x1e, CHANGEABLE | OF_NAMESPACE, get_fdp_events, set_fdp_events },
};

static const struct feature *find_feature(const struct nvme_uring_cmd *c)
{
	for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++) {
		if (features[i].id == (c->cdw10 & 0xff))
			return &features[i];
	}
	return NULL;
}

uint16_t features_get(struct model *m, const struct nvme_uring_cmd *c, struct model_result *r)
{
	const struct feature *feature = find_feature(c);
	uint32_t select = c->cdw10 >> 8 & 7;
	uint16_t status;

	if (!feature || select > SELECT_CAPABILITIES)
		return SC_INVALID_FIELD;
	if (select == SELECT_CAPABILITIES) {
		r->dw0 = feature->capabilities;
		return 0;
	}
	status = feature->get(m, c, select != SELECT_CURRENT, r);
	if (status)
		r->dw0 = 0;
	return status;
}

uint16_t features_set(struct model *m, const struct nvme_uring_cmd *c, struct model_result *r)
{
	const struct feature *feature = find_feature(c);

	if (!feature)
		return SC_INVALID_FIELD;
	if (c->cdw10 & SAVE)
		return SC_NOT_SAVEABLE;
	return feature->set(m, c, r);
}

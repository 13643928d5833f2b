/* SPDX-License-Identifier: GPL-2.0-only */
/* Conditions as members of a point in our own JSON, to and fro. */
#ifndef PEAK_CONDITIONS_JSON_H
#define PEAK_CONDITIONS_JSON_H

#include "conditions.h"

#include <jansson.h>

/* conditions_put - add what is known to the point's object @o. */
void conditions_put(json_t *o, const struct conditions *c);

/* conditions_get - the reverse; what is not there is unknown. */
void conditions_get(struct conditions *c, const json_t *o);

#endif

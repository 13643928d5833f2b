// SPDX-License-Identifier: GPL-2.0-only
/* See conditions.h. */
#include "conditions.h"

#include <stdlib.h>
#include <string.h>

double conditions_watts(const struct conditions *c)
{
	bool rated = !c->watts_source || !strcmp(c->watts_source, "rated");

	return rated || c->watts_shared ? 0 : c->watts;
}

void conditions_free(struct conditions *c)
{
	free(c->steady);
	free(c->size);
	free(c->waf_source);
	free(c->waf_doubts);
	free(c->waf_why_not);
	free(c->watts_source);
	free(c->placement);
	free(c->model);
	free(c->firmware);
	free(c->host);
	free(c->kernel);
}

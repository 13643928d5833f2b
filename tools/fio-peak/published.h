/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Published: the figures of reviews, jobs/published/REVIEW/DRIVE.json, by label. Finds the folder beside
 * the program and marks what comes from it. The files are our own JSON (own.h).
 */
#ifndef PEAK_PUBLISHED_H
#define PEAK_PUBLISHED_H

#include "group.h"
#include "label.h"

/**
 * published_read - append what reviews printed, with " (published)" behind the drives' names.
 * @list: labels with commas between them: a drive ("cm7-r", of all reviews that have it), a review
 * ("sn861-7.68tb", all its drives), one of both ("sn861-7.68tb/cm7-r"), "all".
 * @input: number of the points' input. @by: names the workloads instead, unless it is empty.
 * @part: put the review before the workloads' names, so that each is a comparison of its own; @f has
 * nothing else.
 * Return: NULL, or one line that says what is wrong (the caller's to free).
 */
char *published_read(struct folded *f, const char *list, unsigned int input,
		     const struct group_by *by, bool part);

/* published_all - is "all" one of the labels? */
bool published_all(const char *list);

#endif

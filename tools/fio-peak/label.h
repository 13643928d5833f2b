/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Labels: which drive and workload a point belongs to, from what the user named, where the file
 * lay and the job's name. Guesses are made here and nowhere else.
 */
#ifndef PEAK_LABEL_H
#define PEAK_LABEL_H

#include "fold.h"
#include "group.h"

/**
 * struct input - one argument of the command line.
 * @label: the user's name for the drive, or NULL.
 * @name:  what the path alone suggests (folder's or file's name without extension).
 * @drive_folder: the folder is one drive of our results layout.
 */
struct input {
	char *arg, *label, *path, *name;
	bool folder, drive_folder;
};

/* input_init - split "LABEL=PATH" (unless a file of that whole name exists) and name it. */
void input_init(struct input *in, const char *arg);
void input_free(struct input *in);

/**
 * label_points - name drive and workload of points @first to the last, all of input @in.
 * Folder <drive>/<family>/<workload>/x.json, x being max, a percentage or a place in a grid, or with max.json
 * beside it, or with a drive.json or run.json of the drive: as they say. Several folders that ran the same jobs
 * and nothing beside them: each is a drive. Else the input is the drive and the job's name the
 * workload. Points of our own JSON keep their names; LABEL takes the drive's place, or with several
 * drives stands before it.
 * @by: names the workloads instead, unless it is empty.
 */
void label_points(struct folded *f, size_t first, const struct input *in,
		  const struct group_by *by);

/*
 * label_families - where points of different families have the same workload, put the family before its
 * name: vdbench/randread-4k is not enterprise/randread-4k. On different drives nas/ is enterprise/ over a
 * network, and reduction/ any family with other data.
 */
void label_families(struct folded *f);

/*
 * label_unknown - "--OPTION=VALUE: no such drive; there are a, b", of the points' drives or workloads.
 * The caller's to free.
 */
char *label_unknown(const struct folded *f, const char *option, const char *value, bool drives);

/**
 * label_conflict - do two of @nr inputs share a drive's name that the user did not give to both, or are
 * they one file for the same drive?
 * Return: NULL, or a message (the caller's to free).
 */
char *label_conflict(const struct folded *f, const struct input *inputs, unsigned int nr);

#endif

/* tools/ossa/batch/contents.h: what is in files, and whether that is what was in them before. */
#ifndef OSSA_BATCH_CONTENTS_H
#define OSSA_BATCH_CONTENTS_H

#include "batch/asset.h"

/* A file as the system describes it. */
typedef struct file_stamp {
	bool is_there; /* a regular file; what is not has no contents to compare */
	uint64_t bytes;
	int64_t seconds; /* of its last change */
	long nanoseconds;
} file_stamp;

file_stamp batch_stamp(const char *path);
bool batch_stamps_equal(const file_stamp *a, const file_stamp *b);

/* Called between parts of a long file, so that other work goes on. */
typedef struct batch_pause {
	void (*call)(void *user);
	void *user;
} batch_pause;

/* Files with path, bytes, time of change (where `with_time`) and hash, as a JSON array; those that
   are not there are left out, and hashes that cannot be had within `seconds` (INFINITY: all can).
   NULL where a file cannot be read or there is no memory. */
json_t *batch_describe_files(const path_list *files, bool with_time, double seconds, batch_pause pause);

/* Whether all files of such an array are as they were: by size and time, and by their bytes where
   the time differs or `verify` asks for it; without a hash they then count as changed. */
bool batch_files_unchanged(json_t *files, bool verify, batch_pause pause);

#endif

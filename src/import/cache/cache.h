/* import/cache/cache.h: a point cache (PC2, MDD, Maya): positions of the same vertices over time,
   without faces. */
#ifndef OSSAI_IMPORT_CACHE_H
#define OSSAI_IMPORT_CACHE_H

#include "scene/builder.h"

typedef struct ossai_cache ossai_cache;

/* An open cache. PC2 and MDD are views of the file's bytes, whose frames follow each other; others
   give their frames by a function and own what `data` points to. */
struct ossai_cache {
	const ossai_source *source;
	size_t frame_count, vertex_count;

	/* frames that follow each other in the file, or NULL */
	const uint8_t *positions; /* frame_count x vertex_count x 3 floats, wholly inside the file */
	bool big_endian;
	const uint8_t *times; /* frame_count floats, seconds; NULL: none */

	/* frames that lie elsewhere */
	ossa_status (*read_frame)(ossa_context *context, const ossai_cache *cache, size_t frame, float *positions);
	/* releases `data`; NULL: nothing to release */
	void (*close)(ossa_context *context, ossai_cache *cache);
	void *data;
	const double *seconds; /* frame_count; NULL: none */
	/* whether a file is one of those that the cache is read from, besides the source; NULL: there
	   are no others */
	bool (*includes)(const ossai_cache *cache, const char *path);

	double frames_per_sample; /* without times: how many frames lie between two */
};

typedef ossa_status (*ossai_cache_opener)(ossa_context *context, const ossai_source *source, ossai_cache *cache);

/* Opens; nothing stays allocated after a failure. Errors: OSSA_ERROR_INPUT where the file is not of
   the format, is cut off, or holds no frames. `source` stays valid until the end. */
ossa_status ossai_pc2_open(ossa_context *context, const ossai_source *source, ossai_cache *cache);
ossa_status ossai_mdd_open(ossa_context *context, const ossai_source *source, ossai_cache *cache);

/* Warns of bytes after the frames that the header declares: "cache-bytes-left". */
void ossai_cache_check_end(ossa_context *context, const ossai_source *source, size_t end);

/* The V x 3 positions of one frame. Errors: OSSA_ERROR_INPUT naming frame, vertex and byte where
   one is not finite. */
ossa_status ossai_cache_frame(ossa_context *context, const ossai_cache *cache, size_t frame, float *positions);

/* Whether the file has times that increase. */
bool ossai_cache_is_timed(const ossai_cache *cache);

/* Seconds of all frames from 0 on, strictly increasing: evenly at `frames_per_second` where the
   file's do not increase. */
void ossai_cache_times(ossa_context *context, const ossai_cache *cache, double frames_per_second, double *times);

void ossai_cache_close(ossa_context *context, ossai_cache *cache);

#endif

/* scene/cache.h: a point cache (PC2, MDD): positions of the same vertices over time, without faces. */
#ifndef OSSAI_SCENE_CACHE_H
#define OSSAI_SCENE_CACHE_H

#include "scene/builder.h"

/* A cache in a file's bytes: a view, nothing is copied. Its arrays lie wholly inside the file. */
typedef struct ossai_cache {
	const ossai_source *source;
	size_t frame_count, vertex_count;
	const uint8_t *positions; /* frame_count x vertex_count x 3 floats */
	const uint8_t *times;     /* frame_count floats, seconds; NULL: they follow each other evenly */
	double frames_per_sample; /* without times: how many frames lie between two */
	bool big_endian;
} ossai_cache;

typedef ossa_status (*ossai_cache_opener)(ossa_context *context, const ossai_source *source, ossai_cache *cache);

/* Opens a view. Errors: OSSA_ERROR_INPUT where the file is not of the format, is cut off, or holds no frames. */
ossa_status ossai_pc2_open(ossa_context *context, const ossai_source *source, ossai_cache *cache);
ossa_status ossai_mdd_open(ossa_context *context, const ossai_source *source, ossai_cache *cache);

/* The positions of all frames. Errors: OSSA_ERROR_INPUT naming frame, vertex and byte where one is not finite. */
ossa_status ossai_cache_positions(ossa_context *context, const ossai_cache *cache, float *positions);

/* Seconds of all frames from 0 on, strictly increasing: evenly at `frames_per_second` where the file's are not so. */
void ossai_cache_times(ossa_context *context, const ossai_cache *cache, double frames_per_second, double *times);

#endif

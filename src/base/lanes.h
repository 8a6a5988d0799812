/* base/lanes.h: four doubles that are computed with at once.

   Place in the path: below everything. GCC and Clang make vector instructions of the arithmetic, of
   whatever width the processor has; every lane is rounded as a double by itself, so that the result
   does not depend on it. For code inside OSSAI_CLONES. Values are passed by address: by value the
   calling convention would depend on the processor. */
#ifndef OSSAI_BASE_LANES_H
#define OSSAI_BASE_LANES_H

#include <string.h>

enum { OSSAI_LANES = 4 };
typedef double ossai_lanes __attribute__((vector_size(32)));

/* The least multiple of the lanes that is not below `count`. */
static inline size_t ossai_lanes_up(size_t count) { return (count + OSSAI_LANES - 1) / OSSAI_LANES * OSSAI_LANES; }

static inline void ossai_lanes_load(const double *at, ossai_lanes *lanes) { memcpy(lanes, at, sizeof *lanes); }
static inline void ossai_lanes_store(const ossai_lanes *lanes, double *at) { memcpy(at, lanes, sizeof *lanes); }

/* The first `count` of four, the others 0. */
static inline void ossai_lanes_load_some(const double *at, size_t count, ossai_lanes *lanes)
{
	*lanes = (ossai_lanes){0};
	for (size_t i = 0; i < count; i++) (*lanes)[i] = at[i];
}

/* In a fixed order. */
static inline double ossai_lanes_sum(const ossai_lanes *lanes)
{
	return ((*lanes)[0] + (*lanes)[1]) + ((*lanes)[2] + (*lanes)[3]);
}

#endif

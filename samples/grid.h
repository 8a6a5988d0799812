/* samples/grid.h: samples of a field on a regular grid, kept only in bricks near its zero.

   Place in the path: field (flesh.c) -> grid -> skin (skin.c). */
#ifndef OSSA_SAMPLES_GRID_H
#define OSSA_SAMPLES_GRID_H

#include "samples/flesh.h"

enum {
	BRICK = 8, /* grid points on a side of a brick */
	BRICK_POINTS = BRICK * BRICK * BRICK,
	BLOCK = BRICK + 1, /* a brick and the first points of the bricks after it */
	BLOCK_POINTS = BLOCK * BLOCK * BLOCK
};

typedef struct ossai_brick {
	uint32_t x, y, z;              /* in bricks */
	size_t first_cone, cone_count; /* the cones that matter in it and a step around */
} ossai_brick;

typedef struct ossai_grid {
	const ossai_flesh *flesh;
	ossai_vec3 origin; /* of point 0 0 0 */
	double step;
	size_t brick_count, brick_capacity;
	ossai_brick *bricks;
	size_t cone_count, cone_capacity;
	uint16_t *cones;   /* the bricks' lists */
	float *values;     /* brick_count x BRICK_POINTS, x fastest */
	size_t slot_count; /* a power of two */
	uint32_t *slots;   /* brick coordinates -> brick, open addressing; OSSA_NONE where free */
} ossai_grid;

/* Samples the flesh of one piece with the given step and repairs the samples (see
   ossai_grid_fill). */
ossa_status ossai_grid_build(ossa_context *context, const ossai_flesh *flesh, int piece, double step, ossai_grid *grid);
void ossai_grid_free(ossa_context *context, ossai_grid *grid);

/* The brick at brick coordinates, or OSSA_NONE. */
uint32_t ossai_grid_find(const ossai_grid *grid, uint32_t x, uint32_t y, uint32_t z);

/* Copies a brick's values and the first ones of its upper neighbours: BLOCK^3 values, x fastest. */
void ossai_grid_block(const ossai_grid *grid, size_t index, float *block);

/* Which of the 8 corners of a cell of a block are inside: bit i is the corner (i & 1, i >> 1 & 1, i
   >> 2). */
static inline unsigned ossai_block_corners(const float *block, int x, int y, int z)
{
	unsigned mask = 0;
	for (int i = 0; i < 8; i++) {
		const int at = x + (i & 1) + BLOCK * (y + (i >> 1 & 1) + BLOCK * (z + (i >> 2)));
		mask |= (unsigned)(block[at] < 0) << i;
	}
	return mask;
}

#endif

/* voxels/brick_cells.h: sets of the cells of a brick of 8 x 8 x 8: bit x + 8 y of layer z.

   Place in the path: below voxel_holes. */
#ifndef OSSAI_VOXELS_BRICK_CELLS_H
#define OSSAI_VOXELS_BRICK_CELLS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { OSSAI_BRICK_LAYERS = 8 };

/* grows `part` to the connected component of it within `within` */
static inline void ossai_cells_grow(const uint64_t *within, uint64_t *part)
{
	const uint64_t left = 0x0101010101010101ULL;
	bool grows = true;
	while (grows) {
		grows = false;
		for (int z = 0; z < OSSAI_BRICK_LAYERS; z++) {
			const uint64_t p = part[z];
			uint64_t next = p | (p << 1 & ~left) | (p >> 1 & ~(left << 7)) | p << 8 | p >> 8;
			if (z > 0) next |= part[z - 1];
			if (z + 1 < OSSAI_BRICK_LAYERS) next |= part[z + 1];
			next &= within[z];
			grows = grows || next != p;
			part[z] = next;
		}
	}
}

/* the first cell that is in `of` and not in `without`; -1: none */
static inline int ossai_cells_first(const uint64_t *of, const uint64_t *without)
{
	for (int z = 0; z < OSSAI_BRICK_LAYERS; z++) {
		const uint64_t left = of[z] & ~(without ? without[z] : 0);
		if (left) return 64 * z + __builtin_ctzll(left);
	}
	return -1;
}

static inline int ossai_cells_last(const uint64_t *of)
{
	for (int z = OSSAI_BRICK_LAYERS; z-- > 0;) {
		if (of[z]) return 64 * z + 63 - __builtin_clzll(of[z]);
	}
	return -1;
}

/* the median cell, by index */
static inline int ossai_cells_median(const uint64_t *of)
{
	int count = 0;
	for (int z = 0; z < OSSAI_BRICK_LAYERS; z++) count += __builtin_popcountll(of[z]);
	count /= 2;
	for (int z = 0; z < OSSAI_BRICK_LAYERS; z++) {
		uint64_t bits = of[z];
		const int own = __builtin_popcountll(bits);
		for (; count < own; count--) {
			if (count == 0) return 64 * z + __builtin_ctzll(bits);
			bits &= bits - 1;
		}
		count -= own;
	}
	return -1;
}

/* the bits of the block of 2 x 2 x 2 cells that contains a cell */
static inline void ossai_cells_small_block(int cell, const uint64_t *within, uint64_t *block)
{
	const uint64_t four = 0x0303ULL << (cell % 64 & ~9);
	memset(block, 0, OSSAI_BRICK_LAYERS * sizeof *block);
	for (int z = cell / 64 & ~1; z <= (cell / 64 | 1); z++) block[z] = four & within[z];
}

#endif

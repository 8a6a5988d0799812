/* motion/frame_sums.h: moments and errors of a rig for frames that are read one at a time.

   Place in the path: a rig's weights, frames of a stream -> here -> moments, errors.
   Input: skin weights, frames.
   Output: the moments of the frames, and the errors of given motions.

   Frames are taken four at a time as a tile, in which the four values of each coordinate are
   adjacent, so that one pass over the vertices serves four frames and every vertex is loaded once.
   Sums of a bone are made by one task in vertex order, those over all vertices in ranges of a fixed
   order: the same bytes for any number of threads. */
#ifndef OSSAI_MOTION_FRAME_SUMS_H
#define OSSAI_MOTION_FRAME_SUMS_H

#include "base/csr.h"
#include "motion/moments.h"

enum { OSSAI_TILE_FRAMES = 4 };

/* Weights and rest of the vertices in use, by bone and by vertex. */
typedef struct ossai_skin_lists {
	size_t bone_count;
	size_t used_count;
	uint32_t *used;     /* U: vertices that a face uses */
	double (*rest)[4];  /* U: normalised x y z 1 */
	size_t *first;      /* U + 1: a vertex's influences */
	uint16_t *bone;     /* by influence */
	double *weight;     /* by influence; their sum is 1 */
	ossai_csr of_bone;  /* B: a bone's vertices as indices into `used`, rising */
	double (*share)[4]; /* weight times rest */
	double (*mass)[4];  /* B: sum of the shares */
} ossai_skin_lists;

/* Makes the lists; arrays are the arena's. */
ossa_status ossai_skin_lists_make(
	ossai_arena *arena, const ossai_posed_surface *surface, const ossai_bone_weights *weights, ossai_skin_lists *lists);

/* Four frames of a stream. */
typedef struct ossai_frame_tile {
	float *positions;                     /* U x 3 x 4 */
	ossai_vec3 center[OSSAI_TILE_FRAMES]; /* of the used vertices, in the frames' units */
	double square[OSSAI_TILE_FRAMES];     /* sum of squared distances from there, in diagonals */
} ossai_frame_tile;

/* Errors of four frames, in diagonals. */
typedef struct ossai_tile_errors {
	double square[OSSAI_TILE_FRAMES], sum[OSSAI_TILE_FRAMES]; /* of |e|^2 and |e| */
	double largest2[OSSAI_TILE_FRAMES];
	uint32_t worst[OSSAI_TILE_FRAMES]; /* vertex */
} ossai_tile_errors;

/* How many doubles of scratch the sums over vertices need, for `tile_count` tiles. */
size_t ossai_tile_scratch(size_t used_count, size_t tile_count);

/* Fills a tile from four frames of V x 3 floats (the same one may stand for several); `scale`: the
   diagonal. */
void ossai_tile_fill(ossa_context *context, const ossai_skin_lists *lists, const float *const *frames, double scale,
	ossai_frame_tile *tile, double *scratch);

/* C of the moments (motion/moments.h) for `pose_count` frames in tiles: B x 4 x K x 3. */
void ossai_tile_targets(ossa_context *context, const ossai_skin_lists *lists, const ossai_frame_tile *tiles, size_t pose_count,
	double scale, double *c);

/* The errors of the bones' motions. `motion` is of `pose_count` poses in tiles; `matrices`: space
   for B x 48 doubles a tile. `vertex_square` (V, or NULL): each vertex' sum of |e|^2 over the poses
   is added to it. */
void ossai_tile_errors_make(ossa_context *context, const ossai_skin_lists *lists, const ossai_frame_tile *tiles, double scale,
	const ossai_bone_motion *motion, double *matrices, double *scratch, ossai_tile_errors *errors, double *vertex_square);

#endif

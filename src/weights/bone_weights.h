/* weights/bone_weights.h: skinning weights while they are being solved for, and the motion of the
   bones they blend.

   Place in the path: parts -> here -> least_squares, locality, motion/refine; at the end rounded to
   ossa_weights. */
#ifndef OSSAI_WEIGHTS_BONE_WEIGHTS_H
#define OSSAI_WEIGHTS_BONE_WEIGHTS_H

#include "surface/posed_surface.h"
#include <ossa/rig.h>

/* Maximum number of weights of a vertex in a rig (ossa_weights). */
enum { OSSAI_INFLUENCES_MAX = 64 };

/* Smaller weights are outside a bone's support, whose patches are counted. */
#define OSSAI_SUPPORT_WEIGHT 1e-4

/* V x width pairs in double precision; the first count[v] of a vertex are used, each > 0, their sum
   1. */
typedef struct ossai_bone_weights {
	size_t vertex_count;
	size_t bone_count;
	size_t width;   /* maximum number of influences of a vertex */
	uint16_t *bone; /* V x width */
	double *value;  /* V x width */
	uint8_t *count; /* V */
} ossai_bone_weights;

/* One rigid motion per bone and pose, rest -> pose in the normalised units of the posed surface. */
typedef struct ossai_bone_motion {
	size_t bone_count;
	size_t pose_count;
	ossai_rigid *rigid; /* B x K: all poses of a bone are consecutive */
} ossai_bone_motion;

ossa_status ossai_bone_weights_new(
	ossai_arena *arena, size_t vertex_count, size_t bone_count, size_t width, ossai_bone_weights *weights);

/* Takes the weights of a rig, as wide as it has influences, of the vertices in use (V), each
   vertex's sum 1; `to` is new. */
void ossai_bone_weights_load(const ossa_weights *from, const uint8_t *used, ossai_bone_weights *to);
void ossai_bone_weights_copy(const ossai_bone_weights *from, ossai_bone_weights *to);

/* Every vertex of `to`, of the same width, gets the weights of the one that stands for it; none
   where that is OSSA_NONE. */
void ossai_bone_weights_lift(const ossai_bone_weights *few, const uint32_t *stands_for, ossai_bone_weights *to);

/* Keeps a bone among the vertex's largest weights, descending, as many as the width; of equal ones
   those of lower index come first. */
void ossai_bone_weights_keep(ossai_bone_weights *weights, size_t vertex, uint32_t bone, double value);
/* Gives a vertex the largest of `count` weights, as many as the width, without rounding errors,
   their sum 1. Of equal ones those of lower index come first; bones differ. */
void ossai_bone_weights_take(
	ossai_bone_weights *weights, size_t vertex, size_t count, const uint32_t *bone, const double *value);
/* The same for the weights that each vertex has in `from`, which may be `to` itself; vertices
   without any stay as they are. */
void ossai_bone_weights_narrow(const ossai_bone_weights *from, ossai_bone_weights *to);
ossa_status ossai_bone_motion_new(ossai_arena *arena, size_t bone_count, size_t pose_count, ossai_bone_motion *motion);
void ossai_bone_motion_copy(const ossai_bone_motion *from, ossai_bone_motion *to);

/* Assigns every vertex wholly to the cluster of the largest face around it. */
void ossai_bone_weights_from_clusters(
	const ossai_posed_surface *surface, const uint32_t *cluster_of_face, ossai_bone_weights *weights);

/* The best rigid motion of every cluster of faces. */
ossa_status ossai_bone_motion_from_clusters(
	ossa_context *context, const ossai_posed_surface *surface, const uint32_t *cluster_of_face, ossai_bone_motion *motion);

/* Adds to `square` the squared error of a face whose corners follow one rigid motion (K), each by a
   third of its area, over all poses. */
void ossai_add_face_error(const ossai_posed_surface *surface, size_t face, const ossai_rigid *motion, double *square);

/* The best rigid motion of every bone's own faces: those that follow it most of all bones. A
   bone without faces stays where it is; faces without weights are `root`'s. Errors:
   OSSA_ERROR_MEMORY. */
ossa_status ossai_bone_motion_from_weights(ossa_context *context, const ossai_posed_surface *surface,
	const ossai_bone_weights *weights, uint32_t root, ossai_bone_motion *motion);

/* Sum over used vertices and poses of the squared error of linear blend skinning. Unit:
   size^2. */
double ossai_blend_error(ossa_context *context, const ossai_posed_surface *surface, const ossai_bone_weights *weights,
	const ossai_bone_motion *motion, double *scratch_ranges);
size_t ossai_blend_error_ranges(const ossai_posed_surface *surface);

/* Gives every vertex that is welded to another one (`first_of_vertex`; NULL: none) the weights of
   that one. */
void ossai_bone_weights_spread(const uint32_t *first_of_vertex, ossai_bone_weights *weights);

/* Fills `to`, zeroed and at least as wide, with floats that sum to 1 as closely as floats can:
   the largest takes the rounding error. Vertex v gets those of place[v] (NULL: v). Bone b becomes
   new_bone[b] (NULL: stays b); weights come in descending. A vertex without any follows bone
   0. */
void ossai_bone_weights_round(
	const ossai_bone_weights *from, const uint32_t *place, const uint32_t *new_bone, ossa_weights *to);

static inline double ossai_bone_weight_of(const ossai_bone_weights *weights, size_t vertex, uint32_t bone)
{
	const size_t at = vertex * weights->width;
	for (size_t i = 0; i < weights->count[vertex]; i++) {
		if (weights->bone[at + i] == bone) return weights->value[at + i];
	}
	return 0;
}

#endif

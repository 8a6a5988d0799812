/* methods/refit.h: the state of ossa_rig_fit_motion: made by refit_prepare.c, used by refit.c. */
#ifndef OSSAI_METHODS_REFIT_H
#define OSSAI_METHODS_REFIT_H

#include "motion/frame_sums.h"
#include "motion/hierarchy.h"
#include <ossa/motion.h>

/* Of so many frames one is fitted in sequence, and the others in parallel. */
enum { OSSAI_REFIT_CHAIN = 8 };

/* Weights of vertices, and the moments and motion of the current batch. */
typedef struct ossai_refit_blend {
	ossai_skin_lists lists;
	ossai_moments moments;
	ossai_bone_motion motion;
} ossai_refit_blend;

/* Sums of errors over the frames so far, in diagonals of the rest. */
typedef struct ossai_refit_totals {
	double square, sum, largest2;
	int64_t vertex, frame;
	double *vertex_square; /* V, or NULL where not needed */
} ossai_refit_totals;

typedef struct ossai_refit {
	ossa_context *context;
	ossai_arena *arena;
	const ossa_rig *rig;
	ossa_frame_stream *stream;
	size_t bones, frames, batch;
	ossai_posed_surface surface; /* the rest, without poses */
	ossai_tree tree;
	ossai_hierarchy hierarchy;
	ossai_refit_blend bound, free;
	bool wants_free;
	bool keeps_hinges;
	ossai_vec3 *hinge; /* B: the axes of hinges that are kept, else 0; NULL: none is */
	float *read[OSSAI_TILE_FRAMES];
	ossai_frame_tile *tiles;
	double rest_square;     /* sum |v|^2 of the rest about its center */
	double *target;         /* of each frame of the batch: sum |v|^2 */
	ossai_vec3 *target_sum; /* 0, as frames are relative to their centroids */
	ossai_mat3 *rotations;  /* of each frame of the batch: B */
	ossai_mat3 *last;       /* B: of the frame before the batch */
	double *scratch, *matrices;
	ossai_tile_errors *errors;
	ossai_refit_totals bound_totals, free_totals;
	ossa_motion_fit *fit;
	bool is_free;         /* a face: its bones move freely */
	size_t body_count;    /* 0: the rig is one tree */
	bool has_common_root; /* bodies stand under a root that moves no vertex */
	struct ossai_refit_body *bodies;
} ossai_refit;

/* A body with a root of its own, as a rig of its bones alone. */
typedef struct ossai_refit_body {
	ossai_refit own;
	uint32_t *bone; /* of the body: which of the rig */
} ossai_refit_body;

/* The errors of the fit again, where the rig has corrective shapes: the bones are fitted without
   them (refit_shapes.c). Errors: OSSA_ERROR_MEMORY, those of reading frames. */
ossa_status ossai_refit_measure_shapes(ossai_refit *refit);

/* Checks that a stream has frames, of as many vertices as the rig's mesh. Errors:
   OSSA_ERROR_INPUT. */
ossa_status ossai_check_frames_of(ossa_context *context, const ossa_rig *rig, const ossa_frame_stream *stream);

/* Checks the input and allocates: everything in the arena but the moments (ossai_moments_end on
   both blends, also after a failure) and the arrays of the fit. Reads context, arena, rig, stream,
   bones, frames, wants_free, fit. */
ossa_status ossai_refit_prepare(ossai_refit *refit);

/* ---- refit_bodies.c ---- */

/* Fills bodies and body_count, where the rig has several under a root that moves no vertex, or
   joints that slide. Errors:
   OSSA_ERROR_INPUT (bodies share vertices), OSSA_ERROR_MEMORY. */
ossa_status ossai_refit_find_bodies(ossai_refit *refit);

/* The sums of a batch of `count` frames for a body, and the motion of its bones back. */
void ossai_refit_body_load(const ossai_refit *refit, size_t count, ossai_refit_body *body);
void ossai_refit_body_store(ossai_refit *refit, size_t count, const ossai_refit_body *body);

/* Joints that slide slide, and never turn, in place of the free motion of the bodies that begin at
   them. */
void ossai_refit_keep_slides(ossai_refit *refit, size_t count);

/* The common root stays where it is in the world. */
void ossai_refit_hold_root(ossai_refit *refit, size_t count);

#endif

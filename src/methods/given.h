/* methods/given.h: the state of ossa_rig_fit_weights: made by given_load.c, used by given.c,
   extended by given_add.c, stored by given_store.c. */
#ifndef OSSAI_METHODS_GIVEN_H
#define OSSAI_METHODS_GIVEN_H

#include "motion/refine.h"

#include <ossa/fit.h>

/* Bones are the rig's; positions are in the units of the surface. Arrays are the arena's. */
typedef struct ossai_given {
	ossa_context *context;
	ossai_arena *arena;
	ossa_rig *rig;
	const ossa_fit_options *options;
	const ossa_fit_locks *locks; /* never NULL */
	ossa_frames *frames;         /* the key frames */
	const size_t *key;           /* which these are; NULL: all */
	ossai_posed_surface surface;
	ossai_tree tree;
	ossai_vec3 *joint;        /* B */
	ossai_vec3 *anchor;       /* B: the joints as they were */
	uint8_t *movable;         /* B: joints that may move */
	size_t given_count;       /* bones of the rig; those behind them are helpers */
	ossai_bone_weights known; /* as the rig has them */
	ossai_bone_weights begin; /* with helpers: what is known of the weights */
	ossai_arena helpers;      /* holds the fit with helpers */
	ossai_weight_prior prior;
	ossai_fit fit;
	ossai_rounds rounds;
	double error; /* the sum of squared errors that is left */
} ossai_given;

/* Reads the key frames of the stream and brings the rig into the units of the fit; frames are to be
   freed also after a failure. Errors: those of ossa_rig_fit_weights. */
ossa_status ossai_given_load(ossai_given *given, ossa_frame_stream *stream);

/* What comes after frames, key and surface: brings the rig into the units of these. */
ossa_status ossai_given_load_rig(ossai_given *given);

/* Fits the rotations to weights and joints as they are, where the options say `motion`; `*error`:
   the sum of squared errors. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_given_fit_rotations(ossai_given *given, double *error);

/* Solves for weights, and rotations and joints as the options say; `*error`: the sum of
   squared errors before and after. */
ossa_status ossai_given_solve_weights(ossai_given *given, double *error);

/* Adds helper bones, at most as many as the options say, each of which lowers the error by its
   worth. `*error`: of the fit as it is, and then of the fit with them. Errors: OSSA_ERROR_MEMORY,
   OSSA_ERROR_CANCELLED. */
ossa_status ossai_given_add_bones(ossai_given *given, double *error);

/* Stores weights and joints in the rig. Errors: OSSA_ERROR_MEMORY; the rig is then as it was. */
ossa_status ossai_given_store(ossai_given *given, ossa_fit_facts *facts);

#endif

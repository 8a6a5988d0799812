/* methods/shape_fit.h: what the stages of corrective shapes share (shapes.c is their outline).

   Place in the path: a rig with its motion, frames -> here -> morph targets with drivers. */
#ifndef OSSAI_METHODS_SHAPE_FIT_H
#define OSSAI_METHODS_SHAPE_FIT_H

#include "base/context.h"
#include "math/vec.h"

#include <ossa/shapes.h>

enum {
	OSSAI_SHAPE_BLOCKS = 5,
	/* three axes, two directions, three beginnings of the ramp */
	OSSAI_SHAPE_RAMPS = 18
};

/* The ramps of one joint that a shape may follow, and the vertices that it may move. */
typedef struct ossai_shape_joint {
	size_t count; /* of ramps; 0: the joint hardly turns */
	ossa_driver ramp[OSSAI_SHAPE_RAMPS];
	double *weight; /* count x F */
	size_t vertex_count;
	uint32_t *vertex; /* rising: those that the bone or its parent moves */
	/* the best ramp, and by how much it would lower the squared error of frames left out; -1: not
	   known since the error changed */
	size_t best;
	double gain;
} ossai_shape_joint;

/* A shape that was found. */
typedef struct ossai_shape {
	uint32_t bone;
	ossa_driver driver;
	const double *weight; /* F */
	size_t count;
	uint32_t *vertex; /* count, rising */
	ossai_vec3 *delta;
} ossai_shape;

typedef struct ossai_shape_work {
	ossa_context *context;
	ossai_arena *arena;
	const ossa_rig *rig;
	ossa_frame_stream *stream;
	double worth;  /* share of the squared error that the bones leave */
	double *least; /* V: worth times that of a vertex: what a shape must gain there */
	double enough; /* the same of all vertices: what a shape must gain in all */
	size_t vertices, bones, frames, blocks;
	size_t *frame;    /* F: which of the stream's */
	uint8_t *block;   /* F: rising from 0 */
	uint8_t *used;    /* V: a face has it */
	double *matrices; /* F x B x 12: skinning */
	/* V x F x 3: what the rig with the shapes so far leaves of the frames */
	float *error;
	double *square;           /* V: sums of |error|^2 over the frames */
	double total;             /* of all vertices */
	ossai_shape_joint *joint; /* B */
} ossai_shape_work;

/* The blend of the bones' rotations of a vertex: what a displacement at rest becomes in frame k. */
ossai_mat3 ossai_shape_blend(const ossai_shape_work *work, size_t vertex, size_t k);

/* Ramps and vertices of all joints. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_shape_joints_make(ossai_shape_work *work);

/* The best ramp of every joint whose gain is not known. Displacements are taken as if blends were
   rotations times a scale. */
void ossai_shape_search(ossai_shape_work *work);

/* Fits a shape of a joint's best ramp, of those vertices that are worth it. Returns by how much it
   lowers the squared error of frames that are left out. Fills `shape`, count 0 where there are
   none, with arrays of the arena. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_shape_try(ossai_shape_work *work, uint32_t bone, ossai_shape *shape, double *gain);

/* Takes a shape off the error (sign -1) or adds it again (1); then `square` and `total`. */
void ossai_shape_apply(ossai_shape_work *work, const ossai_shape *shape, double sign);

/* Fits the displacements of one shape again to what all others leave. */
void ossai_shape_refit(ossai_shape_work *work, ossai_shape *shape);

#endif

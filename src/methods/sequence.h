/* methods/sequence.h: the method of mesh animations, for the files that it is written in.

   Used by: sequence.c (the recipe), sequence_published.c (the stages as printed). */
#ifndef OSSAI_METHODS_SEQUENCE_H
#define OSSAI_METHODS_SEQUENCE_H

#include "methods/moving.h"

#include <ossa/sequence.h>

/* What the stages hand to each other. */
typedef struct ossai_sequence {
	ossai_moving_work moving;
	double alpha;

	/* tree: the seeds, and all vertices of parts that have too few; the joints' virtual markers too */
	size_t marker_count;
	uint32_t *marker_vertex, *marker_part;
	ossai_vec3 *position; /* joints, B x K: over time, of constant bone lengths */
} ossai_sequence;

/* Fills what the stages begin with, but for the arena. Warning "fewer-seeds". */
void ossai_sequence_begin(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames,
	const ossa_sequence_options *own, ossai_sequence *sequence);

/* A stage by name. */
ossa_status ossai_sequence_run(ossai_sequence *sequence, const char *name, ossa_status (*stage)(ossai_sequence *sequence));

/* ---- sequence_published.c: each stage as E. de Aguiar and others 2008 print it ---- */

/* 5.1: parts as bones, the tree of the longest boundaries, the motion of each part's seeds. In: parts. Out: graph, tree, fit, markers. */
ossa_status ossai_sequence_tree(ossai_sequence *sequence);

/* 5.2 and the lengths of 6: joints of least variation, on bones of constant lengths. Out: joint_of_pair, joint, position. */
ossa_status ossai_sequence_joints(ossai_sequence *sequence);

/* 6: rotations by cyclic coordinate descent. Out: fit.motion; free_fit, made. */
ossa_status ossai_sequence_motion(ossai_sequence *sequence);

/* 7: heat of every frame, averaged. Out: fit, free_fit. */
ossa_status ossai_sequence_weights(ossai_sequence *sequence);

#endif

/* methods/sequence.h: the method for mesh animations, for its own files.

   Used by: sequence.c (the outlines), sequence_published.c (the published stages). */
#ifndef OSSAI_METHODS_SEQUENCE_H
#define OSSAI_METHODS_SEQUENCE_H

#include "methods/moving.h"

#include <ossa/sequence.h>

/* What the stages pass on: the work of all methods for motion, and what only this one has. */
typedef struct ossai_sequence {
	ossai_moving_work moving;
	double alpha;

	/* tree: virtual markers, the seeds of parts or all vertices of parts with few seeds */
	size_t marker_count;
	uint32_t *marker_vertex, *marker_part;
	ossai_vec3 *position; /* joints, B x K: of each pose, of constant bone lengths */
} ossai_sequence;

/* Fills what the stages begin with, except the arena. Warning "fewer-seeds". */
void ossai_sequence_begin(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames,
	const ossa_sequence_options *own, ossai_sequence *sequence);

/* ---- sequence_published.c: the stages as E. de Aguiar and others 2008 print them ---- */

/* 5.1: parts become bones, joined into the tree of the longest boundaries; the motion of each part
   is that of its seeds. Fills graph, tree, fit, markers. Warning "beyond-the-paper". */
ossa_status ossai_sequence_tree(ossai_sequence *sequence);

/* 5.2 and the lengths of 6: joints of least variation, on bones of constant lengths. Fills
   joint_of_pair, joint, position. */
ossa_status ossai_sequence_joints(ossai_sequence *sequence);

/* 6: rotations by cyclic coordinate descent. Makes free_fit; updates fit. */
ossa_status ossai_sequence_motion(ossai_sequence *sequence);

/* 7: bone heat averaged over all frames. Updates fit, free_fit. */
ossa_status ossai_sequence_weights(ossai_sequence *sequence);

#endif

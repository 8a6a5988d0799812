/* tests/support/creature.h: a sample creature as input of the stages: posed surface, and the true
   tree, joints, motion and weights in its units. */
#ifndef OSSA_TEST_CREATURE_H
#define OSSA_TEST_CREATURE_H

#include "support/surfaces.h"

typedef struct test_creature {
	test_surface t; /* arrays are in its arena */
	ossa_rig *rig;  /* the truth in mesh units */
	ossai_tree tree;
	ossai_vec3 *joint, *tail;
	ossai_bone_motion motion;
	ossai_bone_weights weights;
} test_creature;

test_creature test_creature_make(int threads, ossa_sample_kind kind, int faces, int frames);
void test_creature_end(test_creature *creature);

/* RMS in percent of the diagonal when the true motion moves `weights`. */
double test_creature_replay(test_creature *creature, const ossai_bone_weights *weights);

#endif

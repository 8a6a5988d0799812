/* tests/support/walker.h: a skeleton with the roles of a human that goes over the ground. */
#ifndef OSSA_TEST_WALKER_H
#define OSSA_TEST_WALKER_H

#include "support/support.h"

/* What its hips do over the ground in a second, and how they sway. */
typedef struct test_walk {
	size_t frames;    /* 0: 61 */
	bool has_root;    /* a bone above the hips */
	double ahead;     /* along z over the whole motion, metres */
	double turn;      /* about y over the whole motion, degrees */
	double sway;      /* metres to either side, two steps over the motion */
	double sway_turn; /* degrees */
	double drift;     /* degrees that joints turn more at the end than at the beginning */
} test_walk;

/* A skeleton without a mesh and its motion of one second; the hips are 1 m above the feet. */
ossa_rig *test_walker(ossa_context *context, const test_walk *walk);

/* The frame in the world of the bone of that name. */
ossai_rigid test_joint_at(const ossa_rig *rig, const ossa_clip *clip, const char *bone, size_t frame);

#endif

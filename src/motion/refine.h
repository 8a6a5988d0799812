/* motion/refine.h: alternates between fitting weights to bones and bones to weights.

   Place in the path: first weights and motion of the clusters -> here, prune -> tree, joints,
   hierarchy.
   Input: weights and motion.
   Output: the same, of lower error.
   Source: Le & Deng 2012, 2014 for the alternation.
   Departures: bone motion is fitted to moments, so that only the weights cost time for each vertex;
   weights are chosen from the bones nearby; and each round begins from extrapolated motion
   (momentum), which saves more than half of the rounds. */
#ifndef OSSAI_MOTION_REFINE_H
#define OSSAI_MOTION_REFINE_H

#include "motion/hierarchy.h"
#include "weights/weight_prior.h"

struct ossai_fit_companion;

/* What is being fitted: weights and motion are improved in place. */
typedef struct ossai_fit {
	ossa_context *context;
	const ossai_posed_surface *surface;
	ossai_bone_weights weights;
	ossai_bone_weights spare; /* space for the next weights */
	ossai_bone_motion motion;
	ossai_bone_motion last;          /* space for the motion of the round before */
	double *slot_cost;               /* scratch of the pruning, V x width */
	const ossai_weight_prior *prior; /* weights that are known; NULL: none */
	/* other characters that get the same weights; the surface has them as companions too */
	size_t companion_count;
	struct ossai_fit_companion *companions;
} ossai_fit;

/* Takes the arrays of a fit of at most `bone_count` bones from the arena. */
ossa_status ossai_fit_new(ossa_context *context, ossai_arena *arena, const ossai_posed_surface *surface, size_t bone_count,
	size_t influences, ossai_fit *fit);
void ossai_fit_copy(const ossai_fit *from, ossai_fit *to);

/* Sum of squared errors of the fit as it is, and of its companions. */
ossa_status ossai_fit_error(ossai_fit *fit, double *error);

/* Solves the weights again, once; see ossai_weights_improve for `closed` and `open`. Errors:
   OSSA_ERROR_MEMORY. */
ossa_status ossai_fit_weights(ossai_fit *fit, const uint8_t *closed, const uint8_t *open);

/* The same once for all bones, with `reach` bones from anywhere: see ossai_weight_bounds. */
ossa_status ossai_fit_far_weights(ossai_fit *fit, size_t reach);

/* Makes every bone's support connected, weights of what lost a bone solved again. Errors:
   OSSA_ERROR_MEMORY. */
ossa_status ossai_fit_connect(ossai_fit *fit);

/* The price of leaving known weights (weight_prior.h) where this sum of squared errors is left. */
double ossai_fit_price(const ossai_fit *fit, double error);

/* Fits the free bones to the weights, once; `*error` (NULL: not wanted) becomes the sum of squared
   errors. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_fit_motion(ossai_fit *fit, double *error);

/* Rounds of weights -> free bones until `rounds` are done, or a round changes the RMS by less than
   `least` of itself. With `local` every bone's support is connected at the end (and made so every
   few rounds, which raises the error: such rounds are compared with each other, too). */
ossa_status ossai_fit_alternate(ossai_fit *fit, int rounds, double least, bool local);

/* How far an alternation has come. */
typedef struct ossai_rounds {
	int done;
	double share;       /* momentum: of the last step that is added before a round */
	double error;       /* the sum of squared errors after the last round */
	double local_error; /* after the last one that made supports connected */
	bool has_converged;
} ossai_rounds;

ossai_rounds ossai_rounds_begin(void);

/* Which joints of a hierarchy move, and what holds them. */
typedef struct ossai_joint_rules {
	const uint8_t *movable; /* B; NULL: all joints but the root's */
	/* B: a penalty keeps the joints near these: see ossai_hierarchy_place_joints */
	const ossai_vec3 *anchor;
	double hold;
} ossai_joint_rules;

/* A character whose weights are those of another one's fit. Its own fit has a surface of the same
   vertices and a motion; its weights are lent to it by each call about the other fit, and no other
   calls may change them. */
typedef struct ossai_fit_companion {
	ossai_fit *fit;
	ossai_hierarchy hierarchy;
	ossai_joint_rules joints;
} ossai_fit_companion;

/* Rounds of weights -> joints -> rotations of a hierarchy, until `most` are done in all, or a round
   changes the RMS by less than `least` of itself; every few rounds the bones' supports are made
   connected, where `local`. joints: NULL: all stay. Joints and rotations of companions follow the
   same weights by their own rules, and errors are sums over all. Can be called again with a larger
   `most`: the result is that of one call. */
ossa_status ossai_fit_alternate_hierarchy(ossai_fit *fit, ossai_hierarchy *hierarchy, const ossai_joint_rules *joints, int most,
	double least, bool local, ossai_rounds *rounds);

/* The same for weights that stay: rounds of joints -> rotations. */
ossa_status ossai_fit_joints(
	ossai_fit *fit, ossai_hierarchy *hierarchy, const ossai_joint_rules *joints, int most, double least, ossai_rounds *rounds);

/* The same where the moments of the weights are known: of the fit its motion alone is used. */
ossa_status ossai_fit_joints_to(ossai_fit *fit, const ossai_moments *moments, ossai_hierarchy *hierarchy,
	const ossai_joint_rules *joints, int most, double least, ossai_rounds *rounds);

/* After the last round of a hierarchy: every bone's support is connected. */
ossa_status ossai_fit_end_hierarchy(
	ossai_fit *fit, ossai_hierarchy *hierarchy, const ossai_joint_rules *joints, ossai_rounds *rounds);

/* Weights below this are dropped where supports are kept connected: they are not visible. */
#define OSSAI_LEAST_WEIGHT 1e-3

/* Times that vertices may take bones from anywhere after the rounds, and from how many. */
enum { OSSAI_FAR_TIMES = 3, OSSAI_FAR_BONES = 8 };

#endif

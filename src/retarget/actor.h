/* retarget/actor.h: a rig as retargeting sees it: where its body looks to, its legs, its soles, the
   ground that it stands on.

   Place in the path: a rig whose bones have roles -> here -> alignment, legs, hands.
   Input: joints at rest, roles, the mesh where there is one.
   Output: ossai_actor. */
#ifndef OSSAI_RETARGET_ACTOR_H
#define OSSAI_RETARGET_ACTOR_H

#include "base/context.h"
#include "retarget/body_frame.h"

enum { OSSAI_ACTOR_LEGS = 4, OSSAI_ACTOR_ARMS = 2 };

/* A limb of two segments and its end; OSSA_NONE: there is no such bone. Where a segment has several
   bones these are the first of each. */
typedef struct ossai_actor_limb {
	ossa_body_part part[4]; /* of upper, lower, end and tip */
	int side;
	uint32_t upper, lower, end, tip;
	double length; /* from the upper joint over the lower one to the end */
} ossai_actor_limb;

/* A vertex of a foot that may touch the ground, moved by one bone. */
typedef struct ossai_sole_point {
	uint32_t bone;
	ossai_vec3 position; /* at rest */
	ossai_vec3 local;    /* in the bone's frame */
} ossai_sole_point;

typedef struct ossai_actor_leg {
	ossai_actor_limb limb;
	double ankle; /* height of its joint over the ground at rest */
	size_t sole_count;
	/* its outermost vertices in all directions, by bone; without a mesh the joints of foot and toes */
	ossai_sole_point *sole;
} ossai_actor_leg;

typedef struct ossai_actor {
	const ossa_rig *rig;
	ossa_role *role; /* B */
	ossai_body_frame frame;
	size_t leg_count; /* those with all three joints; the ones behind first */
	ossai_actor_leg leg[OSSAI_ACTOR_LEGS];
	size_t arm_count;
	ossai_actor_limb arm[OSSAI_ACTOR_ARMS];
	double leg_length; /* mean over the legs */
	ossai_vec3 pelvis; /* midway between the first joints of the legs behind, at rest */
	bool has_ground;   /* its mesh tells how high the ground is */
	double ground;     /* along up: the lowest point of the feet at rest */
	double height;     /* of the mesh, or of the joints */
} ossai_actor;

/* Fills an actor. Sides of roles that the feet contradict, as in files that name limbs from the
   viewer's side, are exchanged in the actor (warning "sides-exchanged"). name: what messages call
   the rig.
   Errors: OSSA_ERROR_INPUT where hips or a whole leg are missing; OSSA_ERROR_MEMORY.
   Ownership: the arena. */
ossa_status ossai_find_actor(
	ossai_arena *arena, const char *name, const ossa_rig *rig, const ossa_role *role, ossai_actor *actor);

/* of a bone, at rest */
static inline ossai_vec3 ossai_rest_joint(const ossai_actor *a, uint32_t bone)
{
	return ossai_v3_of(a->rig->skeleton.bones[bone].joint);
}

/* along the body's up */
static inline double ossai_height_of(const ossai_actor *a, ossai_vec3 p) { return ossai_dot(a->frame.up, p); }

/* what of a vector is horizontal */
static inline ossai_vec3 ossai_level(const ossai_actor *a, ossai_vec3 p)
{
	return ossai_madd(p, -ossai_height_of(a, p), a->frame.up);
}

#endif

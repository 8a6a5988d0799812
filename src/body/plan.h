/* body/plan.h: body plans as data: which bones a kind of body has, and where their joints are.

   Place in the path: below body/joints. A plan has a row for each bone, with its parent.

   Places are chosen from what rigged characters of games measure (docs/bodies.md says
   how). For comparison the proportions of adults, as shares of the stature: hip 0.53, knee 0.285,
   ankle 0.039, shoulder 0.818 (D. A. Winter, Biomechanics and Motor Control of Human Movement,
   2009). */
#ifndef OSSAI_BODY_PLAN_H
#define OSSAI_BODY_PLAN_H

#include "body/form.h"

/* Which part of a body a bone lies along, and how places on it are counted. */
typedef enum ossai_region {
	/* 0 midway between the hip joints, 1 where the neck is narrowest, above that along the head; of an
	   animal 1 where the neck begins */
	OSSAI_REGION_TRUNK,
	/* 0 the shoulder, 1 the tip; -1 on the axis of the trunk; of a quadruped the top of the scapula; of
	   a bird the wing */
	OSSAI_REGION_ARM,
	/* 0 the hip, 1 the ankle, 2 the tip of the foot; of an animal 1 the tip */
	OSSAI_REGION_LEG,
	/* of an animal: 0 where the neck begins, 1 the joint of the head */
	OSSAI_REGION_NECK,
	/* 0 where it leaves the body, 1 the tip */
	OSSAI_REGION_TAIL,
	OSSAI_REGION_EAR
} ossai_region;

typedef struct ossai_plan_bone {
	ossa_body_part part;
	int number;   /* 1, 2 ... of several of that part; 0: there is one */
	int parent;   /* row; of a pair's bone the parent on the same side; -1: the root */
	bool is_pair; /* one left, one right */
	ossai_region region;
	ossai_range place; /* of its joint */
	/* the limb bends there: a bend of its axis tells more of the place than its mean */
	bool is_bend;
	/* of legs of quadrupeds: the place is so much farther out where the logarithm of the limb's radius
	   over its length is larger by 1: thick legs have short feet */
	double by_thickness;
	/* several bones from there to the end of the region, each as long as so many of its radii; 0: one */
	double girths;
} ossai_plan_bone;

typedef struct ossai_body_plan {
	ossa_body_kind kind;
	size_t bone_count;
	const ossai_plan_bone *bone;
} ossai_body_plan;

extern const ossai_body_plan ossai_human_plan, ossai_quadruped_plan, ossai_theropod_plan, ossai_bird_plan;

/* Whether bones of the plan lie along limbs of a kind: an ear of a human is a limb of its own. */
bool ossai_plan_has_limb(const ossai_body_plan *plan, ossai_limb_kind kind);

#endif

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
	/* 0 midway between the hip joints, 1 where the neck is narrowest, above that along the head */
	OSSAI_REGION_TRUNK,
	/* 0 the shoulder, 1 the tip; -1 on the axis of the trunk */
	OSSAI_REGION_ARM,
	/* 0 the hip, 1 the ankle, 2 the tip of the foot */
	OSSAI_REGION_LEG
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
} ossai_plan_bone;

typedef struct ossai_body_plan {
	ossa_body_kind kind;
	size_t bone_count;
	const ossai_plan_bone *bone;
} ossai_body_plan;

extern const ossai_body_plan ossai_human_plan;

#endif

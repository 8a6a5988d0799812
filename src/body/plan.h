/* body/plan.h: body plans as data: what a kind of body looks like, and where its joints are.

   Place in the path: below body/recognize and body/joints. A plan says in which range each trait of
   a figure lies, and which bones the body has: a row for each, with its parent. Adding a body is
   adding tables.

   Ranges and places are chosen from what rigged characters of games measure (docs/bodies.md says
   how). For comparison the proportions of adults, as shares of the stature: hip 0.53, knee 0.285,
   ankle 0.039, shoulder 0.818 (D. A. Winter, Biomechanics and Motor Control of Human Movement,
   2009). */
#ifndef OSSAI_BODY_PLAN_H
#define OSSAI_BODY_PLAN_H

#include "math/vec.h"

#include <ossa/body.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is measured of a figure with two pairs of limbs and a head. Heights are shares of the
   figure's height above its lowest point; lengths and horizontal distances shares of its height. */
typedef enum ossai_trait {
	OSSAI_TRAIT_FOOT_HEIGHT,     /* mean of the tips of the hind pair */
	OSSAI_TRAIT_HAND_HEIGHT,     /* of the front pair */
	OSSAI_TRAIT_HEAD_HEIGHT,     /* of its tip */
	OSSAI_TRAIT_HIP_HEIGHT,      /* of the junction of the hind pair */
	OSSAI_TRAIT_SHOULDER_HEIGHT, /* of the junction of the front pair */
	OSSAI_TRAIT_TRUNK_LENGTH,    /* along the curve, between the two junctions */
	OSSAI_TRAIT_TRUNK_SLANT,     /* horizontal distance between them */
	OSSAI_TRAIT_HEAD_SLANT,      /* from the hind junction to the tip of the head */
	OSSAI_TRAIT_LEG_LENGTH,      /* along the curve, from tip to junction */
	OSSAI_TRAIT_ARM_LENGTH,
	OSSAI_TRAIT_HEAD_LENGTH, /* from its tip to the front junction */
	OSSAI_TRAIT_FOOT_SPREAD, /* horizontal distance of the tips of a pair */
	OSSAI_TRAIT_HAND_SPREAD,
	OSSAI_TRAIT_LEG_RATIO, /* logarithm of the ratio of the lengths of a pair */
	OSSAI_TRAIT_ARM_RATIO,
	OSSAI_TRAIT_COUNT
} ossai_trait;

typedef struct ossai_range {
	double mean, deviation;
} ossai_range;

/* The normal density. */
static inline double ossai_range_density(ossai_range range, double value)
{
	const double z = (value - range.mean) / range.deviation;
	return exp(-z * z / 2) / (range.deviation * sqrt(2 * OSSAI_PI));
}

/* The share of traits that cannot be measured as they are: a pose, clothes or a fault of the curve
   hide them. */
static const double ossai_trait_hidden = 0.03;

/* The logarithm of a trait's density under the plan over the uniform one on 0..1. */
static inline double ossai_trait_likelihood(ossai_range range, double value)
{
	return log((1 - ossai_trait_hidden) * ossai_range_density(range, value) + ossai_trait_hidden);
}

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
	ossai_range trait[OSSAI_TRAIT_COUNT];
	size_t bone_count; /* 0: joints follow from the shape alone */
	const ossai_plan_bone *bone;
} ossai_body_plan;

extern const ossai_body_plan ossai_human_plan, ossai_quadruped_plan;

#endif

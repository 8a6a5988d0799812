/* samples/creature.h: what a creature is before it has a surface: bones with their range of motion,
   and flesh around them.

   Place in the path: tables (creatures.c) -> creature -> field (flesh.c), rig and motion
   (motion.c). */
#ifndef OSSA_SAMPLES_CREATURE_H
#define OSSA_SAMPLES_CREATURE_H

#include "math/vec.h"
#include <ossa/rig.h>

enum { CREATURE_BONES = 48, CREATURE_LIMBS = 64, CREATURE_CUTS = 4, CREATURE_LINKAGES = 4, LIMB_POINTS = 13, LIMB_BONES = 12 };

/* A bone: where it is at rest, and how far it may turn about up to three axes (world axes at rest,
   degrees). */
typedef struct creature_bone {
	char name[64];
	int parent; /* -1 for the root, bone 0; parents come first */
	ossa_joint_kind kind;
	ossai_vec3 joint, tail;
	ossai_vec3 axes[3]; /* of a universal joint that of its parent, then its own */
	/* the range of motion: the angles swing between these; of a sliding joint its displacement
	   along the first axis, in units */
	double low[3], high[3];
	int like;        /* the bone whose angles it repeats; itself where it moves on its own */
	bool goes_round; /* its first angle goes once from `low` to `high`, a full circle */
	double twist;    /* a hinge that turns by so much of the twist of `like`; else 0 */
	int skin_below;  /* the twist bone from which the skin comes to it; 0: its parent */
	/* FREE: the half axes of the patch that it holds, and how far it slides to both sides */
	ossai_vec3 reach, slide;
} creature_bone;

/* Flesh along a curve of points with radii, or a rounded box; it belongs to `bones`, in order along
   the curve. */
typedef struct creature_limb {
	int bone_count;
	int bones[LIMB_BONES];
	int point_count;
	ossai_vec3 points[LIMB_POINTS];
	double radii[LIMB_POINTS];
	ossai_vec3 flat; /* the cross-section's scale along the world's axes, 1 for round */
	/* half sizes of a box around points[0] whose edges have radii[0]; 0 for none */
	ossai_vec3 box;
	double blend; /* width over which it melts into the limbs before it */
	int piece;    /* limbs of one piece make one closed surface */
} creature_limb;

/* A four-bar linkage: a crank and a rocker on one bone, and a coupler, the crank's child, that a
   pin joins to the rocker. The three turn about parallel axes; the pin is no joint of the tree. */
typedef struct creature_linkage {
	int crank, coupler, rocker;
	ossai_vec3 pin;
} creature_linkage;

/* Everything beyond `at` along an axis is cut away: the surface is open there. */
typedef struct creature_cut {
	int axis;
	double at;
	int side; /* +1: what is above goes, -1: what is below goes */
} creature_cut;

typedef struct ossai_creature {
	int bone_count, limb_count, cut_count, piece_count, linkage_count;
	creature_bone bones[CREATURE_BONES];
	creature_limb limbs[CREATURE_LIMBS];
	creature_cut cuts[CREATURE_CUTS];
	creature_linkage linkages[CREATURE_LINKAGES];
} ossai_creature;

/* The bone from which the skin comes to another one. */
static inline int creature_skin_parent(const creature_bone *bone)
{
	return bone->skin_below > 0 ? bone->skin_below : bone->parent;
}

/* Where flesh passes from one bone to another: at the joint of that which is below; from a twist
   bone at the beginning of its parent at its tail. */
static inline ossai_vec3 creature_crossing(const ossai_creature *creature, int near_bone, int far_bone)
{
	const creature_bone *a = &creature->bones[near_bone], *b = &creature->bones[far_bone];
	if (a->twist != 0 && a->like == a->parent) return a->tail;
	return b->parent == near_bone || a->twist != 0 || b->twist != 0 ? b->joint : a->joint;
}

/* Fills `creature` with the one of the given ossa_sample_kind. */
void ossai_creature_build(int kind, ossai_creature *creature);

#endif

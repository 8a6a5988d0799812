/* skeleton/from_curve/curve_joints.h: how many joints each chain of a curve gets, and where along
   it.

   Place in the path: below skeleton/from_curve/curve_bones. */
#ifndef OSSAI_SKELETON_FROM_CURVE_CURVE_JOINTS_H
#define OSSAI_SKELETON_FROM_CURVE_CURVE_JOINTS_H

#include "skeleton/from_curve/joint_energy.h"

/* The joints of a chain. The first joint of a leaf is where the limb leaves the body, or the root
   where the chain continues the root's bone. The last joint of a chain between two junctions is its
   end. */
typedef struct ossai_chain_joints {
	size_t count; /* 0: the chain is part of its parent's bone */
	double *arc;  /* rising */
} ossai_chain_joints;

/* Why there are fewer bones than wanted. */
typedef enum ossai_bone_shortage {
	OSSAI_SHORTAGE_NONE,
	OSSAI_SHORTAGE_IMAGE,  /* what is left to give is less than two mirrored chains would take */
	OSSAI_SHORTAGE_FULL,   /* a chain has as many bones as one may have */
	OSSAI_SHORTAGE_CROWDED /* bones would be too short for how thick the limbs are */
} ossai_bone_shortage;

/* Fills `joints`, one per chain, and `with_root`: the chain that continues the root's bone, so that
   its first joint is the root; OSSA_NONE.
   wanted: bones in all, with the root; 0: as many as save their price (joint_energy.h), or of each
   chain as many as `fixed` says (0: no number; NULL: none is fixed). Mirrored chains get the same.
   `total`: how many bones there are, and `shortage` why they are fewer than wanted.
   Errors: OSSA_ERROR_MEMORY.  Cost: chains x (samples^3 + bones x samples^2). */
ossa_status ossai_chain_joints_place(ossai_arena *arena, const ossai_chains *chains, const ossai_joint_weights *weights,
	size_t wanted, const size_t *fixed, ossai_chain_joints *joints, uint32_t *with_root, size_t *total,
	ossai_bone_shortage *shortage);

#endif

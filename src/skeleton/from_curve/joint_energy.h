/* skeleton/from_curve/joint_energy.h: what joints along a limb cost.

   Place in the path: curve_chains -> here -> joint_places -> curve_joints.
   Input: a chain with points and radii.
   Output: the cost of every bone and every joint between its samples.

   Lengths are measured in radii: ds = dx / r(x) along the curve, L is the limb's whole length so.
   k bones cost

      E = sum over bones  [ l^2 / L  +  bend * integral of (d / r)^2 ds ]
        - sum over joints [ narrowing * depth ]
        + price * k

   length     l of a bone: even bones are cheapest, shorter ones where the limb is thin.
   bend       d is how far the curve lies from the bone: joints lie at elbows and knees.
   narrowing  depth is the share by which the limb is narrower at a joint than at its widest before
              and after it: joints lie at necks, wrists, ankles.
   price      the least that one more bone must save where the number of bones is not given. A
              straight limb gets sqrt(L / price) of them.

   The weights are calibrated by scripts/calibrate_joints; docs/results.md has the table. */
#ifndef OSSAI_SKELETON_FROM_CURVE_JOINT_ENERGY_H
#define OSSAI_SKELETON_FROM_CURVE_JOINT_ENERGY_H

#include "skeleton/from_curve/curve_chains.h"

/* Samples of a chain, and the most bones that one gets. */
enum { OSSAI_CHAIN_SAMPLES = 40, OSSAI_CHAIN_BONES = 20 };

typedef struct ossai_joint_weights {
	double bend, narrowing, price;
	/* Differences of energy that noise on a surface makes: joints are means over all their
	   places, each weighted by exp(-E / noise). */
	double noise;
	/* A radius counts at least so much, in sizes of the shape: the legs of a spider have no more
	   joints than those of a human. */
	double least_radius;
	/* A limb's last bone is at least this long, in radii at its joint: heads have no joint in their
	   middle. */
	double last_bone;
} ossai_joint_weights;

extern const ossai_joint_weights ossai_joint_weights_calibrated;

/* The energy of one limb, or the mean of two mirrored ones. */
typedef struct ossai_joint_energy {
	double length; /* in radii, of the longer one */
	/* of a bone from one sample to another; INFINITY where there may be none */
	double bone[OSSAI_CHAIN_SAMPLES + 1][OSSAI_CHAIN_SAMPLES + 1];
	double joint[OSSAI_CHAIN_SAMPLES + 1];
} ossai_joint_energy;

/* Fills `energy` for `size` chains (1, or 2 that are mirror images). start: of each of all chains,
   the arc length where its first sample is. Cost: samples^3. */
void ossai_joint_energy_of(const ossai_joint_weights *weights, const ossai_chains *chains, size_t size, const uint32_t *chain,
	const double *start, ossai_joint_energy *energy);

/* The arc length at which a chain's limb begins: outside of the ball of its junction and of the
   body, which may be wider than that. */
double ossai_limb_start(const ossai_chains *chains, uint32_t chain);

#endif

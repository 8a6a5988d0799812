/* body/limb_pair.h: the axes of two limbs that are left and right alike.

   Place in the path: body/limb_axis -> here -> body/measures, body/quadruped_measures.
   Input: a figure, the ends of both limbs, of which one may be hidden.
   Output: both axes, and where they part. */
#ifndef OSSAI_BODY_LIMB_PAIR_H
#define OSSAI_BODY_LIMB_PAIR_H

#include "body/limb_axis.h"
#include "body/recognize.h"

typedef struct ossai_limb_pair_view {
	const ossai_figure *figure;
	ossai_sections *sections;
	ossai_mirror plane; /* parts left from right */
	ossai_vec3 left;    /* unit */
} ossai_limb_pair_view;

/* The plane that parts left from right: that of symmetry, else the one through a node of the
   trunk. */
ossai_mirror ossai_limb_pair_plane(
	const ossai_figure *figure, const ossai_mirror *mirror, ossai_vec3 left, uint32_t trunk_node);

/* Makes the axes of the left and the right limb, from their tips to a node. Of `end` one may be
   OSSAI_LIMB_HIDDEN: that limb is the mirror image of the other one.
   Cost: samples x the proxy's faces. */
void ossai_limb_pair_make(const ossai_limb_pair_view *view, const size_t end[2], uint32_t node, ossai_limb_axis axis[2]);

/* The sample of limb k above the last one, from the tip, whose section stays on its side of the
   middle between both limbs: boots and knees that touch are below it. */
size_t ossai_limb_pair_parting(const ossai_limb_axis axis[2], ossai_vec3 left, int k);

#endif

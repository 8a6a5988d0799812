/* skeleton/from_curve/cut_sides.c: see cut_sides.h. */
#include "skeleton/from_curve/cut_sides.h"

#include "weights/bone_segments.h"

/* added to the distance of the nearest bone: the radius of a cut; share of the size */
static const double cut_near = 0.02;

static double distance_to_bone(const ossai_curve_bones *bones, uint32_t bone, ossai_vec3 p)
{
	const ossai_segment segment = {bone, bones->joint[bone], bones->tail[bone]};
	return ossai_distance(p, ossai_segment_nearest(&segment, p));
}

static ossai_cut_sides sides_of(const ossai_curve_bones *bones, const uint32_t *depth, ossai_vec3 center)
{
	const ossai_tree *tree = &bones->tree;
	ossai_cut_sides sides = {{tree->root, tree->root}};
	for (int side = 0; side < 2; side++) {
		double best = INFINITY;
		for (size_t i = 0; i < tree->bone_count; i++) {
			const uint32_t b = tree->order[i];
			const size_t steps = side == 0 ? 1 : ossai_tree_steps(tree->parent, depth, sides.bones[0], b);
			const double cost = (distance_to_bone(bones, b, center) + cut_near) / (double)steps;
			if (steps == 0 || cost >= best) continue;
			best = cost;
			sides.bones[side] = b;
		}
	}
	return sides;
}

ossa_status ossai_cut_sides_find(
	ossai_arena *arena, const ossai_curve *curve, const ossai_curve_bones *bones, ossai_cut_sides **sides)
{
	*sides = NULL;
	if (curve->cut_count == 0) return OSSA_OK;
	*sides = ossai_arena_new(arena, curve->cut_count, sizeof **sides);
	const uint32_t *depth = *sides ? ossai_tree_depths(arena, &bones->tree) : NULL;
	if (!depth) return ossa_context_error(arena->context)->status;
	for (size_t i = 0; i < curve->cut_count; i++) (*sides)[i] = sides_of(bones, depth, curve->cuts[i].center);
	return OSSA_OK;
}

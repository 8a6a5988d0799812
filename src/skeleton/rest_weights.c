/* skeleton/rest_weights.c: see rest_weights.h. */
#include "skeleton/rest_weights.h"

#include "weights/anchors.h"
#include "weights/geodesic_weights.h"
#include "weights/heat.h"
#include "weights/locality.h"

ossai_rest_weights_options ossai_rest_weights_default(void)
{
	const ossai_heat_options heat = ossai_heat_default();
	return (ossai_rest_weights_options){.kind = OSSAI_REST_WEIGHTS_HEAT,
		.influences = heat.influences,
		.poses = heat.poses,
		.heat = heat.heat,
		.power = ossai_geodesic_default().power,
		.local = heat.local};
}

/* ---- segments ---- */

/* the direction from the joint to the patch's centroid; the tail is as far along it as the patch
   extends */
static ossa_status find_tails(
	ossai_arena *arena, const ossai_posed_surface *surface, const ossai_rest_bones *bones, ossai_vec3 **tail)
{
	const size_t count = bones->tree->bone_count;
	*tail = ossai_arena_new(arena, count, sizeof **tail);
	ossai_vec3 *direction = *tail ? ossai_arena_zero(arena, count, sizeof *direction) : NULL;
	double *reach = direction ? ossai_arena_zero(arena, count, sizeof *reach) : NULL;
	if (!reach) return ossa_context_error(arena->context)->status;
	const uint32_t *bone_of_vertex = bones->bone_of_vertex;
	for (size_t v = 0; bone_of_vertex && v < surface->vertex_count; v++) {
		const uint32_t b = bone_of_vertex[v];
		if (b >= count || !surface->used[v]) continue;
		direction[b] = ossai_madd(
			direction[b], surface->vertex_area[v], ossai_sub(ossai_rest_point(surface, v), bones->joint[b]));
	}
	for (size_t b = 0; b < count; b++) direction[b] = ossai_unit(direction[b], ossai_v3(0, 0, 0));
	for (size_t v = 0; bone_of_vertex && v < surface->vertex_count; v++) {
		const uint32_t b = bone_of_vertex[v];
		if (b >= count || !surface->used[v]) continue;
		const double along = ossai_dot(direction[b], ossai_sub(ossai_rest_point(surface, v), bones->joint[b]));
		reach[b] = along > reach[b] ? along : reach[b];
	}
	for (size_t b = 0; b < count; b++) (*tail)[b] = ossai_madd(bones->joint[b], reach[b], direction[b]);
	return OSSA_OK;
}

ossa_status ossai_rest_segments(
	ossai_arena *arena, const ossai_posed_surface *surface, const ossai_rest_bones *bones, ossai_bone_segments *segments)
{
	const ossai_tree *tree = bones->tree;
	*segments = (ossai_bone_segments){.bone_count = tree->bone_count};
	/* one for every bone that has a parent, one for every leaf */
	segments->list = ossai_arena_new(arena, 2 * tree->bone_count, sizeof *segments->list);
	uint8_t *has_children = segments->list ? ossai_arena_zero(arena, tree->bone_count, 1) : NULL;
	if (!has_children) return ossa_context_error(arena->context)->status;
	const ossai_vec3 *tail = bones->tail;
	ossai_vec3 *found = NULL;
	if (!tail) OSSAI_TRY(find_tails(arena, surface, bones, &found));
	if (!tail) tail = found;
	for (uint32_t b = 0; b < tree->bone_count; b++) {
		const uint32_t parent = tree->parent[b];
		if (parent == OSSA_NONE) continue;
		has_children[parent] = 1;
		segments->list[segments->count++] = (ossai_segment){parent, bones->joint[parent], bones->joint[b]};
	}
	for (uint32_t b = 0; b < tree->bone_count; b++) {
		if (!has_children[b]) segments->list[segments->count++] = (ossai_segment){b, bones->joint[b], tail[b]};
	}
	return OSSA_OK;
}

/* ---- weights ---- */

/* by the voxels that the balls along a bone cover */
static ossa_status cover(ossai_arena *arena, ossai_arena *scratch, const ossai_posed_surface *surface,
	const ossai_bone_segments *segments, const ossai_rest_weights_options *options, ossai_bone_weights *weights)
{
	const ossai_voxel_options voxel_options = ossai_voxel_options_default();
	ossai_voxels voxels;
	ossai_anchor_ball *balls;
	size_t count;
	OSSAI_TRY(ossai_bone_segments_check(arena->context, segments));
	OSSAI_TRY(ossai_voxels_make(scratch, surface, &voxel_options, &voxels));
	OSSAI_TRY(ossai_anchor_balls_of_segments(scratch, &voxels, segments, &count, &balls));
	OSSAI_TRY(ossai_anchor_weights(arena, &voxels, count, balls, surface, segments, options->influences, weights));
	return options->local ? ossai_locality_enforce(arena->context, surface, NULL, NULL, OSSAI_SUPPORT_WEIGHT, weights)
						  : OSSA_OK;
}

ossa_status ossai_rest_weights(ossai_arena *arena, const ossai_posed_surface *surface, const ossai_rest_bones *bones,
	const ossai_bone_motion *motion, const ossai_rest_weights_options *options, ossai_bone_weights *weights)
{
	ossai_arena scratch = ossai_arena_begin(arena->context);
	ossai_bone_segments segments;
	ossa_status status = ossai_rest_segments(&scratch, surface, bones, &segments);
	if (status == OSSA_OK && options->kind == OSSAI_REST_WEIGHTS_GEODESIC) {
		const ossai_geodesic_options geodesic = {
			.influences = options->influences, .power = options->power, .local = options->local};
		status = ossai_geodesic_weights(arena, surface, &segments, &geodesic, weights);
	} else if (status == OSSA_OK && options->kind == OSSAI_REST_WEIGHTS_COVERAGE) {
		status = cover(arena, &scratch, surface, &segments, options, weights);
	} else if (status == OSSA_OK) {
		const ossai_heat_options heat = {options->influences, options->poses, options->heat, options->local};
		status = ossai_heat_weights(arena, surface, &segments, motion, &heat, weights);
	}
	ossai_arena_end(&scratch);
	return status;
}

/* methods/volume_refined.c: the stages of the method of volumes where they go past the paper.

   Input: the mesh in a canonical frame, so that its voxels do not change when it is turned.
   Output: bones on a curve, a chain for every limb; weights by heat.
   Departures from L. Wade and R. Parent 2002: the paths lead to the tips of the limbs, which are found on a proxy of the surface
   (curve/tips.h), in place of all extreme points, where there are such tips; the path tree is a curve, cleaned as the contraction's is; joints lie where limbs bend, narrow
   and end; heat weighs. */
#include "curve/clean.h"
#include "methods/volume.h"
#include "skeleton/bone_levels.h"
#include "skeleton/from_curve/curve_bones.h"
#include "skeleton/from_curve/joints_inside.h"
#include "skeleton/from_curve/limb_weights.h"
#include "medial/tree_curve.h"

static ossai_vec3 to_mesh_axes(const ossai_volume *v, ossai_vec3 p) { return ossai_from_canonical(&v->frame, p); }

ossa_status ossai_refined_prepare(ossai_volume *v)
{
	ossai_still_work *still = &v->still;
	OSSAI_TRY(ossai_still_prepare(still));
	ossai_posed_surface *s = &still->surface;
	v->rest = s->rest;
	v->frame = ossai_canonical_frame_of(s->rest, s->face_count, s->triangles);
	double *own = ossai_arena_new(still->arena, s->vertex_count, 3 * sizeof *own);
	if (!own) return ossa_context_error(still->context)->status;
	for (size_t i = 0; i < s->vertex_count; i++) {
		ossai_v3_store(ossai_to_canonical(&v->frame, ossai_rest_point(s, i)), own + 3 * i);
		for (int k = 0; k < 3; k++) own[3 * i + k] = ossai_round_length(own[3 * i + k]);
	}
	s->rest = own;
	return OSSA_OK;
}

/* what tips, symmetry and heat are found on */
ossa_status ossai_refined_proxy(ossai_volume *v)
{
	ossai_still_work *still = &v->still;
	const ossai_proxy_options options = ossai_proxy_default();
	OSSAI_TRY(ossai_proxy_make(still->arena, &still->surface, &options, &v->proxy));
	if (v->own.symmetry != OSSA_SYMMETRY_OFF) OSSAI_TRY(ossai_mirror_find(still->arena, &v->proxy, &v->mirror));
	const ossai_mesh_view mesh = ossai_proxy_view(&v->proxy);
	OSSAI_TRY(ossai_clearance_make(still->arena, &mesh, true, &v->clearance));
	return ossai_tips_find(still->arena, &v->proxy, &v->mirror, v->own.spurs / 100, &v->tips);
}

ossa_status ossai_refined_voxels(ossai_volume *v)
{
	ossai_still_work *still = &v->still;
	ossai_voxel_options options = ossai_voxel_options_default();
	options.size = v->own.voxel_size;
	options.peel = true;
	return ossai_voxels_make(still->arena, &still->surface, &options, &v->voxels);
}

/* Whether the tips of the surface are limbs of the voxels: not of a ring, a lump or a box, whose corners are none, and not where the file
   holds more than the part that the voxels keep. */
static bool has_limb_tips(const ossai_volume *v)
{
	return ossai_tips_are_limbs(&v->tips) && v->tips.limb_count > 1 && v->voxels.part_count == 1;
}

/* a path to the tip of each limb; where there are no such tips, the paper's paths */
ossa_status ossai_refined_paths(ossai_volume *v)
{
	if (!has_limb_tips(v)) return ossai_published_paths(v);
	ossai_arena *arena = v->still.arena;
	OSSAI_TRY(ossai_path_tree_to(arena, &v->voxels, &v->medial, v->tips.limb_count, v->tips.point, &v->paths));
	return ossai_path_tree_smooth(arena, OSSAI_VOLUME_SMOOTHING, &v->paths);
}

/* the end that is lowest, or the node nearest to a point */
static uint32_t choose_root(const ossai_volume *v)
{
	const ossai_posed_surface *s = &v->still.surface;
	const ossai_vec3 up = ossai_mat3_mul_v(&v->frame.axes, ossai_v3(0, 1, 0));
	const ossai_vec3 point = ossai_to_canonical(
		&v->frame, ossai_scale(ossai_sub(ossai_v3_of(v->own.root.point), s->rest_center), 1 / s->scale));
	uint32_t best = 0;
	double least = INFINITY;
	for (uint32_t i = 0; i < v->curve.node_count; i++) {
		const ossai_vec3 node = v->curve.node[i];
		const double cost = v->own.root.kind == OSSA_ROOT_LOWEST ? ossai_dot(node, up) : ossai_distance(node, point);
		if (cost >= least) continue;
		least = cost;
		best = i;
	}
	return best;
}

ossa_status ossai_refined_curve(ossai_volume *v)
{
	ossai_still_work *still = &v->still;
	const ossai_clean_shape shape = {.clearance = &v->clearance,
		.mirror = &v->mirror,
		.tips = &v->tips,
		/* of other parts' tips nothing is spurious here */
		.least = v->voxels.part_count == 1 ? v->own.spurs / 100 : 0,
		.ends_are_deep = true};
	OSSAI_TRY(ossai_tree_curve_make(still->arena, &v->voxels, &v->paths, &v->proxy, &v->curve));
	OSSAI_TRY(ossai_curve_clean(still->arena, &shape, &v->curve, &v->root_node));
	if (v->own.root.kind != OSSA_ROOT_CENTER) v->root_node = choose_root(v);
	return OSSA_OK;
}

ossa_status ossai_refined_bones(ossai_volume *v)
{
	ossai_still_work *still = &v->still;
	ossai_curve_bones_options options = ossai_curve_bones_default();
	ossai_curve_bones bones;
	OSSAI_TRY(ossai_still_bone_count(&v->still, &v->proxy, &v->tips, &v->curve, (size_t)v->own.bones, &options.bones));
	options.symmetry = v->own.symmetry;
	OSSAI_TRY(ossai_curve_bones_place(still->arena, &v->proxy, &v->curve, v->root_node, &v->mirror, &options, &bones));
	OSSAI_TRY(ossai_cut_sides_find(still->arena, &v->curve, &bones, &v->sides));
	v->tree = bones.tree;
	v->joint = bones.joint;
	v->tail = bones.tail;
	v->mirrored = bones.mirrored;
	if (v->own.levels > 1) {
		v->last_level = ossai_arena_new(still->arena, bones.tree.bone_count, 1);
		if (!v->last_level) return ossa_context_error(still->context)->status;
		OSSAI_TRY(
			ossai_bone_levels(still->arena, &v->tree, v->joint, v->tail, v->mirrored, (size_t)v->own.levels, v->last_level));
	}
	const ossai_mesh_view mesh = ossai_posed_surface_view(&still->surface);
	return ossai_joints_keep_inside(still->context, &mesh, v->paths.node_count, v->paths.node, v->tree.bone_count, v->joint);
}

static ossa_status weigh_by_segments(ossai_volume *v)
{
	ossai_still_work *still = &v->still;
	const ossai_rest_bones rest = {&v->tree, v->joint, v->tail, NULL};
	ossai_bone_segments segments;
	ossai_anchor_ball *balls;
	size_t count;
	OSSAI_TRY(ossai_rest_segments(still->arena, &still->surface, &rest, &segments));
	OSSAI_TRY(ossai_anchor_balls_of_segments(still->arena, &v->voxels, &segments, &count, &balls));
	return ossai_volume_weigh_by_coverage(v, count, balls, &segments);
}

ossa_status ossai_refined_weights(ossai_volume *v)
{
	ossai_still_work *still = &v->still;
	if (v->own.weights == OSSA_WEIGHTS_COVERAGE) return weigh_by_segments(v);
	OSSAI_TRY(ossai_volume_weigh_by_distance(v));
	return ossai_limb_weights_part(still->context, &v->tree, v->curve.cut_count, v->sides, &v->weights);
}

void ossai_refined_turn_back(ossai_volume *v)
{
	v->still.surface.rest = v->rest;
	for (size_t b = 0; b < v->tree.bone_count; b++) {
		v->joint[b] = to_mesh_axes(v, v->joint[b]);
		v->tail[b] = to_mesh_axes(v, v->tail[b]);
	}
	for (size_t i = 0; i < v->curve.cut_count; i++) v->curve.cuts[i].center = to_mesh_axes(v, v->curve.cuts[i].center);
}

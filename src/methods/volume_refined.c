/* methods/volume_refined.c: the stages of the method of volumes where they depart from the paper.

   Input: a mesh of any resolution, with any faults.
   Output: joints on a curve, a chain for each limb; weights by heat.
   Departures from L. Wade and R. Parent 2002: the mesh is turned into its canonical frame, so that
   its voxels do not depend on its orientation; paths lead to the tips of limbs (curve/tips.h),
   where there are any, and not to all extreme points; the path tree is a curve, cleaned as that of
   the contraction (curve/clean.h); joints lie where limbs begin, bend and end, and are symmetric;
   weights are found by heat. */
#include "medial/tree_curve.h"
#include "methods/pieces/find_props.h"
#include "methods/volume.h"
#include "skeleton/bone_levels.h"
#include "skeleton/from_curve/curve_bones.h"
#include "skeleton/from_curve/joints_inside.h"
#include "skeleton/from_curve/root_choice.h"

static ossai_vec3 to_mesh_axes(const ossai_volume *v, ossai_vec3 p) { return ossai_from_canonical(&v->frame, p); }

/* the points of a surface in the canonical frame */
static double *turn_points(const ossai_volume *v, const ossai_posed_surface *s)
{
	double *own = ossai_arena_new(v->still.arena, s->vertex_count, 3 * sizeof *own);
	for (size_t i = 0; own && i < s->vertex_count; i++) {
		ossai_v3_store(ossai_to_canonical(&v->frame, ossai_rest_point(s, i)), own + 3 * i);
		for (int k = 0; k < 3; k++) own[3 * i + k] = ossai_round_length(own[3 * i + k]);
	}
	return own;
}

/* the whole and the shape, which are one where there are no props */
static ossa_status turn(ossai_volume *v)
{
	ossai_still_work *still = &v->still;
	const ossai_posed_surface *shape = ossai_still_shape(still);
	v->rest = still->surface.rest;
	v->frame = ossai_canonical_frame_of(shape->rest, shape->face_count, shape->triangles);
	still->surface.rest = turn_points(v, &still->surface);
	if (!still->surface.rest) return ossa_context_error(still->context)->status;
	if (!still->props) return OSSA_OK;
	ossai_props *props = ossai_arena_new(still->arena, 1, sizeof *props);
	if (!props) return ossa_context_error(still->context)->status;
	*props = *still->props;
	props->shape.rest = turn_points(v, shape);
	still->props = props;
	return props->shape.rest ? OSSA_OK : ossa_context_error(still->context)->status;
}

ossa_status ossai_volume_refined_prepare(ossai_volume *v)
{
	OSSAI_TRY(ossai_still_prepare(&v->still));
	return turn(v);
}

static ossa_status make_proxy(ossai_still_work *still, const void *arg)
{
	const ossa_volume_options *own = arg;
	const ossai_proxy_options options = ossai_proxy_default();
	OSSAI_TRY(ossai_proxy_make(still->arena, ossai_still_shape(still), &options, &still->proxy));
	return ossai_still_measure(still, own->symmetry, own->spurs / 100);
}

static ossa_status run_proxy(ossai_still_work *still, const void *arg)
{
	return OSSAI_STAGE(still->context, "proxy", make_proxy(still, arg));
}

/* voxels by their centers: those that faces only touch would make thin limbs thicker */
static ossa_status make_voxels(ossai_volume *v)
{
	ossai_still_work *still = &v->still;
	ossai_voxel_options options = ossai_voxel_options_default();
	options.size = v->own.voxel_size;
	return ossai_voxels_make_peeled(still->arena, ossai_still_shape(still), &options, &v->voxels);
}

static ossa_status find_inside(ossai_volume *v)
{
	ossa_context *context = v->still.context;
	OSSAI_TRY(OSSAI_STAGE(context, "voxels", make_voxels(v)));
	return OSSAI_STAGE(context, "medial surface", ossai_volume_medial(v));
}

ossa_status ossai_volume_refined_shape(ossai_volume *v)
{
	ossai_still_beside beside;
	if (ossai_memory_left(v->still.context) < SIZE_MAX) {
		/* voxels are as small as the memory that is left allows */
		OSSAI_TRY(run_proxy(&v->still, &v->own));
		return find_inside(v);
	}
	OSSAI_TRY(ossai_still_beside_begin(&v->still, run_proxy, &v->own, &beside));
	return ossai_still_beside_end(&beside, find_inside(v), &v->still);
}

/* Whether the tips of the surface are limbs of the voxels: those of a ring, a lump or a box are
   not, and tips may be on parts of the shape that the voxels leave out. */
static bool has_limb_tips(const ossai_volume *v)
{
	const ossai_tips *tips = &v->still.tips;
	return ossai_tips_are_limbs(tips) && tips->limb_count > 1 && v->voxels.part_count == 1;
}

/* a path to each tip of a limb; without such tips, to the extreme points */
ossa_status ossai_volume_refined_paths(ossai_volume *v)
{
	const ossai_tips *tips = &v->still.tips;
	ossai_arena *arena = v->still.arena;
	if (has_limb_tips(v)) {
		OSSAI_TRY(ossai_path_tree_to(arena, &v->voxels, &v->medial, tips->limb_count, tips->point, &v->paths));
	} else {
		OSSAI_TRY(ossai_path_tree_from_heart(arena, &v->voxels, &v->medial, v->own.closeness, &v->paths));
	}
	return ossai_path_tree_smooth(arena, OSSAI_VOLUME_SMOOTHING, &v->paths);
}

/* the lowest node, or the one nearest to a point */
static uint32_t choose_root(const ossai_volume *v)
{
	const ossai_posed_surface *s = &v->still.surface;
	const ossai_curve *curve = &v->still.curve;
	const ossai_vec3 up = ossai_mat3_mul_v(&v->frame.axes, ossai_v3(0, 1, 0));
	const ossai_vec3 point = ossai_to_canonical(
		&v->frame, ossai_scale(ossai_sub(ossai_v3_of(v->own.root.point), s->rest_center), 1 / s->scale));
	const ossa_root_kind kind = v->own.root.kind;
	return ossai_root_choose(kind, kind == OSSA_ROOT_LOWEST ? up : point, curve->node_count, curve->node, NULL);
}

/* of several parts of voxels one is kept, and the tips may be on the others: then no branch counts
   as spurious */
ossa_status ossai_volume_refined_curve(ossai_volume *v)
{
	ossai_still_work *still = &v->still;
	OSSAI_TRY(ossai_tree_curve_make(still->arena, &v->voxels, &v->paths, &still->proxy, &still->curve));
	OSSAI_TRY(ossai_still_clean(still, v->voxels.part_count == 1 ? v->own.spurs / 100 : 0, true));
	if (still->curve.cut_count > 0) ossai_still_warn_of_cuts(still, to_mesh_axes(v, still->curve.cuts[0].center));
	if (v->own.root.kind != OSSA_ROOT_CENTER) still->root = choose_root(v);
	return OSSA_OK;
}

/* ---- props ---- */

/* a body's root is its hips */
static ossa_body_kind body_of(const ossai_volume *v)
{
	return v->own.root.kind == OSSA_ROOT_CENTER ? v->own.body : OSSA_BODY_NONE;
}

bool ossai_volume_may_have_props(const ossai_volume *v)
{
	return v->own.props && ossai_still_may_have_props(&v->still, body_of(v), v->own.bones, &v->own.landmarks);
}

/* by contraction, whose curve needs no voxels */
ossa_status ossai_volume_find_props(ossai_volume *v, const ossai_props **props)
{
	ossai_still_work in_mesh_axes = v->still;
	ossa_contraction_options options = ossa_contraction_default();
	ossai_figure figure;
	ossai_body body;
	options.body = body_of(v);
	options.symmetry = v->own.symmetry;
	OSSAI_TRY(ossai_still_recognize(&v->still, &v->frame.axes, options.body, &figure, &body));
	in_mesh_axes.surface.rest = v->rest;
	return ossai_props_find(&in_mesh_axes, &options, &v->frame.axes, &figure, &body, props);
}

ossa_status ossai_volume_leave_out(ossai_volume *v, const ossai_props *props)
{
	v->still.surface.rest = v->rest;
	ossai_still_leave_out(&v->still, props);
	return turn(v);
}

/* ---- skeleton ---- */

static ossa_status place_joints(ossai_volume *v, size_t count)
{
	ossai_still_work *still = &v->still;
	ossai_curve_bones_options options = ossai_curve_bones_default();
	ossai_curve_bones bones;
	options.bones = count;
	options.symmetry = v->own.symmetry;
	options.landmarks = &v->own.landmarks;
	OSSAI_TRY(ossai_still_place_bones(still, &v->frame.axes, body_of(v), &options, &bones));
	OSSAI_TRY(ossai_cut_sides_find(still->arena, &still->curve, &bones, &still->sides));
	v->tree = bones.tree;
	v->joint = bones.joint;
	v->tail = bones.tail;
	v->mirrored = bones.mirrored;
	v->role = bones.role;
	v->deviation = bones.deviation;
	return OSSA_OK;
}

static ossa_status find_levels(ossai_volume *v)
{
	ossai_arena *arena = v->still.arena;
	if (v->own.levels == 1) return OSSA_OK;
	v->last_level = ossai_arena_new(arena, v->tree.bone_count, 1);
	if (!v->last_level) return ossa_context_error(v->still.context)->status;
	return ossai_bone_levels(arena, &v->tree, v->joint, v->tail, v->mirrored, (size_t)v->own.levels, v->last_level);
}

/* the proxy, which joints were placed in, may be a shell that encloses more than the surface
   does */
ossa_status ossai_volume_refined_skeleton(ossai_volume *v)
{
	ossai_still_work *still = &v->still;
	OSSAI_TRY(place_joints(v, ossai_still_bone_count(still, (size_t)v->own.bones)));
	OSSAI_TRY(find_levels(v));
	const ossai_mesh_view mesh = ossai_posed_surface_view(ossai_still_shape(still));
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

ossa_status ossai_volume_refined_weights(ossai_volume *v)
{
	ossai_still_work *still = &v->still;
	if (v->own.weights == OSSA_WEIGHTS_COVERAGE) {
		OSSAI_TRY(weigh_by_segments(v));
		return ossai_still_weigh_props(still, v->role, &v->weights);
	}
	OSSAI_TRY(ossai_volume_weigh_by_distance(v));
	return ossai_still_weigh_pieces(still, v->own.rigid_pieces, &v->tree, v->role, &v->weights);
}

void ossai_volume_refined_turn_back(ossai_volume *v)
{
	ossai_curve *curve = &v->still.curve;
	v->still.surface.rest = v->rest;
	for (size_t b = 0; b < v->tree.bone_count; b++) {
		v->joint[b] = to_mesh_axes(v, v->joint[b]);
		v->tail[b] = to_mesh_axes(v, v->tail[b]);
	}
	for (size_t i = 0; i < curve->cut_count; i++) curve->cuts[i].center = to_mesh_axes(v, curve->cuts[i].center);
}

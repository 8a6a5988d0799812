/* methods/volume.c: a rig from one mesh without motion, by the voxels that it encloses.

   In: a mesh, any polygons at all.  Out: a rig without a clip.
   Source: L. Wade and R. Parent, Automated generation of control skeletons for use in animation, The Visual Computer 2002: fill the shape with
   voxels, find the ridge of their depths, cover it with a tree of deep paths, split that into segments, put joints between them, anchor the
   vertices to the segments that cover their voxels. With `refine` 0 that is all. What goes past it: the tree is a curve, on which joints lie
   where limbs begin, bend, narrow and end, alike on both sides; heat weighs; coarser skeletons are nested in the rig. */
#include <ossa/volume.h>

#include "curve/junctions.h"
#include "curve/tree.h"
#include "methods/volume_parts.h"
#include "rig/assemble.h"
#include "skeleton/bone_levels.h"
#include "skeleton/from_curve/joints_inside.h"
#include "skeleton/from_curve/limb_weights.h"
#include "medial/tree_curve.h"
#include "medial/tree_trim.h"
#include "weights/anchors.h"

#include <string.h>

/* a branch comes out of the balls of the rest by this share of their radii, and by this of the diagonal: found on characters with artists'
   skeletons, where 0.3 and 0.03 leave corners of bodies, 1.2 and 0.06 take feet */
static const double branch_reach = 0.5, branch_least = 0.04;
/* or, where thin limbs are looked at, by so many of its own radii: a finger */
static const double branch_slender = 2.5;

typedef struct volume {
	ossai_volume stages; /* first, so that a stage finds the rest */
	ossai_curve curve;   /* joints: on a curve */
	ossai_tree tree;     /* of bones */
	ossai_vec3 *joint, *tail;
	ossai_cut_sides *sides; /* of the curve's cuts */
	uint32_t *mirrored;     /* B, or NULL */
	ossai_mat3 *frame;      /* B: the paper's; NULL: the rig finds its own */
	uint32_t *bone_of_node; /* of the path tree; NULL: joints are on a curve */
	uint8_t *last_level;    /* B; NULL: one level alone */
	ossai_bone_weights weights;
} volume;

static bool refines(const volume *v) { return v->stages.own.refine > 0; }

static bool weighs_by_coverage(const volume *v)
{
	return v->stages.own.weights == OSSA_WEIGHTS_COVERAGE || (v->stages.own.weights == OSSA_WEIGHTS_AUTO && !refines(v));
}

/* ---- proxy ---- */

/* what tips, symmetry and heat are found on */
static ossa_status make_proxy(ossai_recipe *r)
{
	volume *v = (volume *)r;
	const ossai_proxy_options options = ossai_proxy_default();
	OSSAI_TRY(ossai_proxy_make(r->arena, &r->surface, &options, &v->stages.proxy));
	if (v->stages.own.symmetry == OSSA_SYMMETRY_OFF) return OSSA_OK;
	return ossai_mirror_find(r->arena, &v->stages.proxy, &v->stages.mirror);
}

/* ---- joints between segments ---- */

/* a place of the mesh as the stages see it; of the lowest end the way up */
static ossai_vec3 root_place(const volume *v)
{
	const ossai_posed_surface *s = &v->stages.recipe.surface;
	const ossai_vec3 up = ossai_v3(0, 1, 0);
	if (v->stages.own.root.kind == OSSA_ROOT_LOWEST) return refines(v) ? ossai_mat3_mul_v(&v->stages.frame.axes, up) : up;
	const ossai_vec3 place = ossai_scale(ossai_sub(ossai_v3_of(v->stages.own.root.point), s->rest_center), 1 / s->scale);
	return refines(v) ? ossai_to_canonical(&v->stages.frame, place) : place;
}

static ossa_status take_segments(volume *v)
{
	ossai_recipe *r = &v->stages.recipe;
	const size_t levels = (size_t)v->stages.own.levels;
	ossai_volume_bones bones;
	OSSAI_TRY(ossai_volume_split(r));
	OSSAI_TRY(ossai_volume_bones_make(
		r->arena, &v->stages.tree, &v->stages.graph, v->stages.own.root.kind, root_place(v), levels, &bones));
	v->tree = bones.tree;
	v->joint = bones.joint;
	v->tail = bones.tail;
	v->frame = bones.frame;
	v->bone_of_node = bones.bone_of_node;
	if (levels == 1) return OSSA_OK;
	v->last_level = ossai_arena_new(r->arena, bones.tree.bone_count, 1);
	if (!v->last_level) return ossa_context_error(r->context)->status;
	for (size_t b = 0; b < bones.tree.bone_count; b++) v->last_level[b] = (uint8_t)(levels - 1 - bones.level[b]);
	return OSSA_OK;
}

/* ---- joints on a curve ---- */

/* the end that is lowest, or the node nearest to a place */
static uint32_t choose_node(const volume *v)
{
	const ossai_curve *curve = &v->curve;
	const ossai_vec3 place = root_place(v);
	uint32_t best = 0;
	double least = INFINITY;
	for (uint32_t i = 0; i < curve->node_count; i++) {
		const double cost = v->stages.own.root.kind == OSSA_ROOT_LOWEST ? ossai_dot(curve->node[i], place)
																		: ossai_distance(curve->node[i], place);
		if (cost >= least) continue;
		least = cost;
		best = i;
	}
	return best;
}

static ossa_status take_curve(volume *v)
{
	ossai_recipe *r = &v->stages.recipe;
	const ossa_volume_options *own = &v->stages.own;
	ossai_curve_bones_options options = ossai_curve_bones_default();
	ossai_curve_bones bones;
	uint32_t root;
	options.bones = (size_t)own->bones;
	options.symmetry = own->symmetry;
	OSSAI_TRY(ossai_tree_curve_make(r->arena, &v->stages.voxels, &v->stages.tree, &v->stages.proxy, &v->curve));
	OSSAI_TRY(ossai_tree_trim(r->arena, branch_reach, branch_least, own->adaptive ? branch_slender : INFINITY, &v->curve));
	/* the branches that are none are gone, of thin ones those alone */
	OSSAI_TRY(ossai_curve_prune(r->arena, own->adaptive ? -INFINITY : own->spurs, &v->stages.mirror, &v->curve));
	OSSAI_TRY(ossai_curve_merge_junctions(r->arena, &v->curve));
	if (v->stages.own.root.kind == OSSA_ROOT_CENTER) OSSAI_TRY(ossai_curve_middle(r->arena, &v->curve, &root));
	else root = choose_node(v);
	OSSAI_TRY(ossai_curve_bones_place(r->arena, &v->stages.proxy, &v->curve, root, &v->stages.mirror, &options, &bones));
	v->tree = bones.tree;
	v->joint = bones.joint;
	v->tail = bones.tail;
	v->mirrored = bones.mirrored;
	OSSAI_TRY(ossai_cut_sides_find(r->arena, &v->curve, &bones, &v->sides));
	if (own->levels == 1) return OSSA_OK;
	v->last_level = ossai_arena_new(r->arena, bones.tree.bone_count, 1);
	if (!v->last_level) return ossa_context_error(r->context)->status;
	return ossai_bone_levels(r->arena, &v->tree, v->joint, v->tail, v->mirrored, (size_t)own->levels, v->last_level);
}

static ossa_status place_bones(ossai_recipe *r)
{
	volume *v = (volume *)r;
	OSSAI_TRY(ossai_volume_uses_segments(&v->stages.own) ? take_segments(v) : take_curve(v));
	if (!refines(v)) return OSSA_OK;
	const ossai_path_tree *tree = &v->stages.tree;
	return ossai_joints_keep_inside(r->context, &r->surface, tree->node_count, tree->node, v->tree.bone_count, v->joint);
}

/* ---- weights ---- */

/* the paper's balls are those of the path tree */
static ossa_status balls_of_tree(volume *v, size_t *count, ossai_anchor_ball **balls)
{
	const ossai_path_tree *tree = &v->stages.tree;
	*count = tree->node_count;
	*balls = ossai_arena_new(v->stages.recipe.arena, *count, sizeof **balls);
	if (!*balls) return ossa_context_error(v->stages.recipe.context)->status;
	for (size_t i = 0; i < *count; i++) (*balls)[i] = (ossai_anchor_ball){tree->voxel[i], v->bone_of_node[i]};
	return OSSA_OK;
}

static ossa_status weigh_by_coverage(volume *v)
{
	ossai_recipe *r = &v->stages.recipe;
	const ossai_rest_bones rest = {&v->tree, v->joint, v->tail, NULL};
	ossai_bone_segments segments;
	ossai_anchor_ball *balls;
	size_t count;
	OSSAI_TRY(ossai_rest_segments(r->arena, &r->surface, &rest, &segments));
	if (v->bone_of_node) OSSAI_TRY(balls_of_tree(v, &count, &balls));
	else OSSAI_TRY(ossai_anchor_balls_of_segments(r->arena, &v->stages.voxels, &segments, &count, &balls));
	return ossai_anchor_weights(
		r->arena, &v->stages.voxels, count, balls, &r->surface, &segments, (size_t)v->stages.own.influences, &v->weights);
}

static ossa_status weigh(ossai_recipe *r)
{
	volume *v = (volume *)r;
	const ossa_volume_options *own = &v->stages.own;
	if (weighs_by_coverage(v)) return weigh_by_coverage(v);
	ossai_rest_weights_options options = ossai_rest_weights_default();
	options.kind = ossai_recipe_rest_kind(own->weights);
	options.influences = (size_t)own->influences;
	options.power = own->power;
	options.local = own->local;
	const ossai_rest_bones bones = {&v->tree, v->joint, v->tail, NULL};
	OSSAI_TRY(ossai_still_weigh(r, &v->stages.proxy, &bones, &options, &v->weights));
	return refines(v) ? ossai_limb_weights_part(r->context, &v->tree, v->curve.cut_count, v->sides, &v->weights) : OSSA_OK;
}

/* ---- the rig ---- */

/* all that the rig takes in the axes of the mesh */
static void turn_back(volume *v)
{
	const ossai_volume *stages = &v->stages;
	const ossai_mat3 back = ossai_mat3_transpose(&stages->frame.axes);
	v->stages.recipe.surface.rest = v->stages.rest;
	for (size_t b = 0; b < v->tree.bone_count; b++) {
		v->joint[b] = ossai_volume_from_canonical(stages, v->joint[b]);
		v->tail[b] = ossai_volume_from_canonical(stages, v->tail[b]);
		if (v->frame && refines(v)) v->frame[b] = ossai_mat3_mul(&back, &v->frame[b]);
	}
	for (size_t i = 0; i < v->curve.cut_count; i++) {
		v->curve.cuts[i].center = ossai_volume_from_canonical(stages, v->curve.cuts[i].center);
	}
}

/* the paper's frames have z along the bone, the rig's y; x is across the plane of the bone and its parent in both */
static void turn_frames(const volume *v, ossa_rig *rig)
{
	for (size_t i = 0; v->frame && i < rig->skeleton.bone_count; i++) {
		const ossai_mat3 *f = &v->frame[v->tree.order[i]];
		ossai_mat3 own;
		for (int k = 0; k < 3; k++) {
			own.m[k][0] = f->m[k][0];
			own.m[k][1] = f->m[k][2];
			own.m[k][2] = -f->m[k][1];
		}
		ossai_quat_store(ossai_mat3_quat(&own), rig->skeleton.bones[i].orientation);
	}
}

/* levels that would be the one before again are none */
static void drop_same_levels(ossa_context *context, ossa_rig *rig)
{
	const int wanted = rig->level_count;
	bool ends[UINT8_MAX + 1] = {false}; /* a bone's last level */
	uint8_t place[UINT8_MAX + 1];
	for (size_t b = 1; b < rig->skeleton.bone_count; b++) ends[rig->last_level[b]] = true;
	rig->level_count = 1;
	for (int level = 0; level < wanted; level++) {
		place[level] = (uint8_t)(rig->level_count - 1);
		rig->level_count += level + 1 < wanted && ends[level];
	}
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) rig->last_level[b] = place[rig->last_level[b]];
	if (rig->level_count == wanted) return;
	ossai_warn(context, "fewer-levels", wanted - rig->level_count,
		"%d levels of articulation were wanted and %d made: others would have the bones of the one before", wanted,
		rig->level_count);
}

static ossa_status keep_levels(const volume *v, ossa_rig *rig)
{
	const size_t bones = rig->skeleton.bone_count;
	if (!v->last_level) return OSSA_OK;
	rig->last_level = ossa_alloc(v->stages.recipe.context, bones, 1);
	if (!rig->last_level) return ossa_context_error(v->stages.recipe.context)->status;
	for (size_t i = 0; i < bones; i++) rig->last_level[i] = v->last_level[v->tree.order[i]];
	rig->level_count = v->stages.own.levels;
	drop_same_levels(v->stages.recipe.context, rig);
	return OSSA_OK;
}

static ossa_status assemble(volume *v, ossa_rig **rig)
{
	ossai_recipe *r = &v->stages.recipe;
	turn_back(v);
	ossai_still_warn_of_cuts(r, &v->curve);
	const ossai_findings findings = {.method = "volume",
		.mesh = r->mesh,
		.surface = &r->surface,
		.tree = &v->tree,
		.joint = v->joint,
		.tail = v->tail,
		.weights = &v->weights,
		.influences = v->stages.own.influences};
	OSSAI_TRY(ossai_rig_assemble(r->context, &findings, rig));
	turn_frames(v, *rig);
	OSSAI_TRY(keep_levels(v, *rig));
	OSSAI_TRY(ossai_still_keep_cuts(r, &v->curve, &v->tree, 0, v->sides, *rig));
	if (refines(v) && v->stages.own.bones == 0 && v->stages.own.segments == 0) {
		OSSAI_TRY(ossai_still_drop_idle(r, &v->tree, v->mirrored, NULL, rig));
	}
	OSSAI_TRY(ossai_recipe_tell_idle(r, *rig));
	return ossai_recipe_tell_outside(r, *rig);
}

static ossa_status run(ossai_recipe *r, ossa_rig **rig)
{
	volume *v = (volume *)r;
	OSSAI_TRY(ossai_volume_find_tree(r));
	if (refines(v) || !weighs_by_coverage(v)) OSSAI_TRY(ossai_recipe_run(r, "proxy", make_proxy));
	OSSAI_TRY(ossai_recipe_run(r, "skeleton", place_bones));
	OSSAI_TRY(ossai_recipe_run(r, "weights", weigh));
	return assemble(v, rig);
}

/* names as they are shown, with their usual share of the time */
static const ossai_plan_step plan[] = {
	{"prepare", 5}, {"voxels", 25}, {"medial surface", 20}, {"path tree", 10}, {"proxy", 20}, {"skeleton", 5}, {"weights", 15}};

ossa_status ossa_rig_from_volume(
	ossa_context *context, const ossa_mesh *mesh, const ossa_volume_options *options, ossa_rig **rig)
{
	volume work = {.stages = {.own = options ? *options : ossa_volume_default()}};
	*rig = NULL;
	OSSAI_TRY(ossai_volume_options_check(context, &work.stages.own));
	OSSAI_TRY(ossai_still_check_weights(context, "volume", work.stages.own.weights));
	ossai_volume_warn_unused(context, &work.stages.own);
	ossai_volume_begin(context, mesh, &work.stages);
	return ossai_recipe_make(&work.stages.recipe, plan, sizeof plan / sizeof plan[0], run, rig);
}

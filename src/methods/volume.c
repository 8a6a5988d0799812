/* methods/volume.c: a rig from one mesh without motion, by the voxels that it encloses.

   Input: a mesh, any polygons at all.
   Output: a rig without a clip.
   Source: L. Wade and R. Parent, Automated generation of control skeletons for use in animation,
   The Visual Computer 2002: fill the shape with voxels, find the ridges of their distance field,
   cover them with a tree of paths, split that into segments, put joints between them, anchor
   vertices to the segments that cover their voxels.
   Departures: those of run_published in volume_published.c, those of run_refined in
   volume_refined.c. */
#include "methods/volume.h"

#include "rig/assemble.h"
#include "rig/levels.h"

#include <string.h>

/* ---- weights ---- */

ossa_status ossai_volume_weigh_by_coverage(
	ossai_volume *v, size_t count, ossai_anchor_ball *balls, const ossai_bone_segments *segments)
{
	ossai_still_work *still = &v->still;
	return ossai_anchor_weights(
		still->arena, &v->voxels, count, balls, &still->surface, segments, (size_t)v->own.influences, &v->weights);
}

ossa_status ossai_volume_weigh_by_distance(ossai_volume *v)
{
	ossai_rest_weights_options options = ossai_rest_weights_default();
	options.kind = ossai_rest_weights_kind_of(v->own.weights);
	options.influences = (size_t)v->own.influences;
	options.power = v->own.power;
	options.local = v->own.local;
	const ossai_rest_bones bones = {&v->tree, v->joint, v->tail, NULL};
	return ossai_still_weigh(&v->still, &bones, &options, &v->weights);
}

/* ---- the rig ---- */

static ossa_status keep_levels(const ossai_volume *v, ossa_rig *rig)
{
	const size_t bones = rig->skeleton.bone_count;
	if (!v->last_level) return OSSA_OK;
	rig->last_level = ossa_alloc(v->still.context, bones, 1);
	if (!rig->last_level) return ossa_context_error(v->still.context)->status;
	for (size_t i = 0; i < bones; i++) rig->last_level[i] = v->last_level[v->tree.order[i]];
	rig->level_count = v->own.levels;
	ossai_rig_drop_same_levels(v->still.context, rig);
	return OSSA_OK;
}

static ossa_status assemble(ossai_volume *v, ossa_rig **rig)
{
	ossai_still_work *still = &v->still;
	const ossai_findings findings = {.method = "volume",
		.mesh = still->mesh,
		.surface = &still->surface,
		.tree = &v->tree,
		.joint = v->joint,
		.tail = v->tail,
		.role = v->role,
		.deviation = v->deviation,
		.body = &still->body,
		.weights = &v->weights,
		.influences = (int)v->weights.width};
	OSSAI_TRY(ossai_rig_assemble(still->context, &findings, rig));
	return keep_levels(v, *rig);
}

static ossa_status assemble_published(ossai_volume *v, ossa_rig **rig)
{
	OSSAI_TRY(assemble(v, rig));
	ossai_volume_published_frames(v, *rig);
	return ossai_still_warn_of_bones(&v->still, *rig);
}

static ossa_status assemble_refined(ossai_volume *v, ossa_rig **rig)
{
	ossai_still_work *still = &v->still;
	ossai_volume_refined_turn_back(v);
	OSSAI_TRY(assemble(v, rig));
	OSSAI_TRY(ossai_still_keep_cuts(still, &v->tree, 0, *rig));
	if (v->own.bones == 0) OSSAI_TRY(ossai_still_drop_idle(still, &v->tree, v->mirrored, NULL, rig));
	return ossai_still_warn_of_bones(still, *rig);
}

/* ---- the outlines ---- */

/* the stages as the progress display shows them, with their usual shares of the time */
static const ossai_plan_step published_plan[] = {{"prepare", 10}, {"voxels", 40}, {"medial surface", 16}, {"path tree", 17},
	{"segments", 1}, {"skeleton", 1}, {"weights", 15}, {NULL, 0}};

static ossa_status run_published(ossai_volume *v, ossa_rig **rig)
{
	ossa_context *context = v->still.context;
	OSSAI_TRY(OSSAI_STAGE(context, "prepare", ossai_volume_published_prepare(v)));
	OSSAI_TRY(OSSAI_STAGE(context, "voxels", ossai_volume_published_voxels(v)));
	OSSAI_TRY(OSSAI_STAGE(context, "medial surface", ossai_volume_medial(v)));
	OSSAI_TRY(OSSAI_STAGE(context, "path tree", ossai_volume_published_paths(v)));
	OSSAI_TRY(OSSAI_STAGE(context, "segments", ossai_volume_published_segments(v)));
	OSSAI_TRY(OSSAI_STAGE(context, "skeleton", ossai_volume_published_skeleton(v)));
	OSSAI_TRY(OSSAI_STAGE(context, "weights", ossai_volume_published_weights(v)));
	return assemble_published(v, rig);
}

static const ossai_plan_step refined_plan[] = {{"prepare", 3}, {"voxels", 10}, {"medial surface", 3}, {"proxy", 53},
	{"path tree", 3}, {"curve", 5}, {"props", 0}, {"skeleton", 6}, {"weights", 17}, {NULL, 0}};

static ossa_status make_curve(ossai_volume *v)
{
	ossa_context *context = v->still.context;
	OSSAI_TRY(ossai_volume_refined_shape(v));
	OSSAI_TRY(OSSAI_STAGE(context, "path tree", ossai_volume_refined_paths(v)));
	return OSSAI_STAGE(context, "curve", ossai_volume_refined_curve(v));
}

/* props are found by the curve of the whole, and the curve is made again without them */
static ossa_status leave_props_out(ossai_volume *v, const ossai_warnings *before)
{
	ossa_context *context = v->still.context;
	const ossai_props *props;
	OSSAI_TRY(OSSAI_STAGE(context, "props", ossai_volume_find_props(v, &props)));
	if (!props) return OSSA_OK;
	ossai_warnings_restore(context, before);
	OSSAI_TRY(ossai_volume_leave_out(v, props));
	return make_curve(v);
}

static ossa_status make_body_curve(ossai_volume *v)
{
	if (!ossai_volume_may_have_props(v)) return make_curve(v);
	ossai_warnings *before = ossai_warnings_save(v->still.context);
	if (!before) return ossa_context_error(v->still.context)->status;
	ossa_status status = make_curve(v);
	if (status == OSSA_OK) status = leave_props_out(v, before);
	ossa_free(v->still.context, before);
	return status;
}

static ossa_status run_refined(ossai_volume *v, ossa_rig **rig)
{
	ossa_context *context = v->still.context;
	OSSAI_TRY(OSSAI_STAGE(context, "prepare", ossai_volume_refined_prepare(v)));
	OSSAI_TRY(make_body_curve(v));
	OSSAI_TRY(OSSAI_STAGE(context, "skeleton", ossai_volume_refined_skeleton(v)));
	OSSAI_TRY(OSSAI_STAGE(context, "weights", ossai_volume_refined_weights(v)));
	return assemble_refined(v, rig);
}

/* ---- the whole ---- */

ossa_status ossa_rig_from_volume(
	ossa_context *context, const ossa_mesh *mesh, const ossa_volume_options *options, ossa_rig **rig)
{
	if (rig) *rig = NULL;
	OSSAI_NEED(context, mesh, rig);
	ossai_volume work = {.own = options ? *options : ossa_volume_default()};
	ossai_pipeline pipeline;
	OSSAI_TRY(ossai_volume_begin(context, mesh, &work));
	OSSAI_TRY(ossai_still_check_weights(context, "volume", work.own.weights));
	const bool is_refined = work.own.refine > 0;
	ossai_pipeline_begin(context, is_refined ? refined_plan : published_plan, &pipeline);
	work.still.arena = &pipeline.arena;
	const ossa_status status = is_refined ? run_refined(&work, rig) : run_published(&work, rig);
	return ossai_pipeline_end(&pipeline, status, rig);
}

/* methods/still.c: see still.h. */
#include "methods/still.h"

#include "body/landmarks.h"
#include "curve/clean.h"
#include "rig/bone_names.h"
#include "rig/levels.h"
#include "skeleton/from_curve/limb_weights.h"
#include "weights/rigid_pieces.h"
#include "weights/transfer.h"

#include <string.h>

/* ---- shape ---- */

/* the scale is the spread, because the diagonal of the box changes when the shape is turned */
ossa_status ossai_still_prepare(ossai_still_work *work)
{
	ossai_posed_surface *s = &work->surface;
	work->body.kind = work->body.runner_up = OSSA_BODY_NONE;
	OSSAI_TRY(ossai_posed_surface_make_shape(work->context, work->arena, work->mesh, s));
	const double spread = ossai_posed_surface_spread(s);
	if (spread > 0) ossai_posed_surface_rescale(s, OSSAI_SIZE_OF_SPREAD * spread * s->scale);
	for (size_t i = 0; i < 3 * s->vertex_count; i++) s->rest[i] = ossai_round_length(s->rest[i]);
	return OSSA_OK;
}

bool ossai_still_may_have_props(const ossai_still_work *work, ossa_body_kind kind, int bones, const ossa_landmarks *landmarks)
{
	return kind != OSSA_BODY_NONE && bones == 0 && work->surface.piece_count > 1 && !ossai_landmarks_first(landmarks);
}

void ossai_still_leave_out(ossai_still_work *work, const ossai_props *props)
{
	ossai_posed_surface *s = &work->surface;
	const ossai_vec3 move = ossai_scale(ossai_sub(s->rest_center, props->shape.rest_center), 1 / s->scale);
	for (size_t v = 0; v < s->vertex_count; v++) ossai_v3_store(ossai_add(ossai_rest_point(s, v), move), s->rest + 3 * v);
	s->rest_center = props->shape.rest_center;
	ossai_posed_surface_rescale(s, props->shape.scale);
	for (size_t i = 0; i < 3 * s->vertex_count; i++) s->rest[i] = ossai_round_length(s->rest[i]);
	work->props = props;
	ossai_warn(work->context, "props", (int64_t)props->count,
		"without %zu piece%s, the largest near (%.4g, %.4g, %.4g), the shape is likelier a body (e^%.1f to 1): %s one bone%s, "
		"as "
		"what it holds or wears; `no-props` takes %s for parts of the body",
		props->count, props->count == 1 ? "" : "s", props->place.x, props->place.y, props->place.z, props->gain,
		props->count == 1 ? "it follows" : "they follow", props->count == 1 ? "" : " each", props->count == 1 ? "it" : "them");
}

/* ---- proxy ---- */

ossa_status ossai_still_measure(ossai_still_work *work, ossa_symmetry_kind symmetry, double least)
{
	const ossai_mesh_view mesh = ossai_proxy_view(&work->proxy);
	OSSAI_TRY(ossai_clearance_make(work->arena, &mesh, true, &work->clearance));
	if (symmetry != OSSA_SYMMETRY_OFF) OSSAI_TRY(ossai_mirror_find(work->arena, &work->proxy, &work->clearance, &work->mirror));
	return ossai_tips_find(work->arena, &work->proxy, &work->mirror, least, &work->tips);
}

/* ---- beside ---- */

static ossa_status run_beside(ossa_context *context, void *arg)
{
	ossai_still_beside *b = arg;
	b->arena = ossai_arena_begin(context);
	b->own.context = context;
	b->own.arena = &b->arena;
	return b->stage(&b->own, b->arg);
}

ossa_status ossai_still_beside_begin(
	const ossai_still_work *work, ossai_still_stage *stage, const void *arg, ossai_still_beside *beside)
{
	*beside = (ossai_still_beside){.own = *work, .stage = stage, .arg = arg};
	beside->task = ossai_task_begin(work->context, run_beside, beside);
	return beside->task ? OSSA_OK : ossa_context_error(work->context)->status;
}

ossa_status ossai_still_beside_end(ossai_still_beside *beside, ossa_status status, ossai_still_work *work)
{
	if (status == OSSA_OK) status = ossai_task_end(beside->task);
	else ossai_task_drop(beside->task);
	/* that of the task is gone */
	beside->arena.context = work->context;
	if (status == OSSA_OK) {
		work->proxy = beside->own.proxy;
		work->clearance = beside->own.clearance;
		work->mirror = beside->own.mirror;
		work->tips = beside->own.tips;
		ossai_arena_take(work->arena, &beside->arena);
	}
	ossai_arena_end(&beside->arena);
	return status;
}

/* ---- curve ---- */

ossa_status ossai_still_clean(ossai_still_work *work, double least, bool ends_are_deep)
{
	const ossai_clean_shape shape = {.clearance = &work->clearance,
		.mirror = &work->mirror,
		.tips = &work->tips,
		.least = least,
		.ends_are_deep = ends_are_deep};
	return ossai_curve_clean(work->arena, &shape, &work->curve, &work->root);
}

/* ---- weights ---- */

ossa_status ossai_still_check_weights(ossa_context *context, const char *method, int weights)
{
	if (weights != OSSA_WEIGHTS_LEAST_SQUARES) return OSSA_OK;
	return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL,
		"weights by least squares are fitted to motion, and the method %s has none: use heat, geodesic or coverage", method);
}

ossa_status ossai_still_skin_make(ossai_still_work *work, ossai_posed_surface *skin)
{
	const ossai_proxy *proxy = &work->proxy;
	ossai_arena scratch = ossai_arena_begin(work->context);
	ossa_mesh *mesh = NULL;
	float *positions = ossai_arena_new(&scratch, proxy->vertex_count, 3 * sizeof *positions);
	ossa_status status = positions ? OSSA_OK : ossa_context_error(work->context)->status;
	for (size_t i = 0; positions && i < 3 * proxy->vertex_count; i++) positions[i] = (float)proxy->positions[i];
	if (status == OSSA_OK) {
		status = ossa_mesh_create(work->context, proxy->vertex_count, positions, proxy->face_count, proxy->triangles, &mesh);
	}
	if (status == OSSA_OK) status = ossai_posed_surface_make(work->context, work->arena, mesh, NULL, true, skin);
	/* the mesh is freed, the proxy stays; where rounding to floats has welded vertices, the skin
	   has triangles of its own */
	if (status == OSSA_OK && !skin->first_of_vertex) skin->triangles = proxy->triangles;
	ossa_mesh_free(work->context, mesh);
	ossai_arena_end(&scratch);
	return status;
}

ossa_status ossai_still_carry(ossai_still_work *work, const ossai_posed_surface *skin, ossai_bone_weights *found,
	size_t influences, ossai_bone_weights *weights)
{
	ossai_bone_weights_spread(skin->first_of_vertex, found);
	OSSAI_TRY(ossai_bone_weights_new(work->arena, work->surface.vertex_count, found->bone_count, influences, weights));
	return ossai_weights_transfer(work->context, &work->proxy, found, &work->surface, weights);
}

ossa_status ossai_still_weigh(ossai_still_work *work, const ossai_rest_bones *bones, const ossai_rest_weights_options *options,
	ossai_bone_weights *weights)
{
	const size_t count = bones->tree->bone_count;
	ossai_vec3 *joint = ossai_arena_new(work->arena, count, sizeof *joint);
	ossai_vec3 *tail = ossai_arena_new(work->arena, count, sizeof *tail);
	if (!joint || !tail) return ossa_context_error(work->context)->status;
	ossai_posed_surface skin;
	OSSAI_TRY(ossai_still_skin_make(work, &skin));
	for (size_t b = 0; b < count; b++) {
		joint[b] = ossai_still_to_skin(&skin, bones->joint[b]);
		tail[b] = ossai_still_to_skin(&skin, bones->tail[b]);
	}
	const ossai_rest_bones in_skin = {bones->tree, joint, tail, NULL};
	ossai_bone_weights found;
	OSSAI_TRY(ossai_rest_weights(work->arena, &skin, &in_skin, NULL, options, &found));
	return ossai_still_carry(work, &skin, &found, options->influences, weights);
}

ossa_status ossai_still_weigh_pieces(
	ossai_still_work *work, bool rigid, const ossai_tree *tree, const ossa_role *role, ossai_bone_weights *weights)
{
	size_t count;
	const uint8_t *is_prop = work->props ? work->props->is_prop : NULL;
	OSSAI_TRY(ossai_limb_weights_part(work->context, tree, work->curve.cut_count, work->sides, weights));
	if (rigid) OSSAI_TRY(ossai_rigid_pieces_keep(work->arena, &work->surface, is_prop, weights, &count));
	return ossai_still_weigh_props(work, role, weights);
}

ossa_status ossai_still_weigh_props(ossai_still_work *work, const ossa_role *role, ossai_bone_weights *weights)
{
	return work->props ? ossai_props_follow(work->arena, &work->surface, work->props, role, weights) : OSSA_OK;
}

/* ---- idle bones ---- */

typedef struct idle_bones {
	uint8_t *moves;     /* B: some vertex */
	uint8_t *stays;     /* B: because its image does */
	uint8_t *removed;   /* B */
	uint32_t *children; /* B: those that stay, in place of removed ones the children of these */
	uint32_t *image;    /* B: itself where it has none */
} idle_bones;

static size_t mark_removed(const ossa_skeleton *skeleton, idle_bones *idle)
{
	size_t count = 0;
	memset(idle->children, 0, skeleton->bone_count * sizeof *idle->children);
	for (size_t b = skeleton->bone_count; b-- > 1;) {
		idle->removed[b] = !idle->moves[b] && !idle->stays[b] && idle->children[b] < 2;
		count += idle->removed[b];
		idle->children[skeleton->bones[b].parent] += idle->removed[b] ? idle->children[b] : 1;
	}
	return count;
}

/* a bone that is idle on one side only, because the mesh is less symmetric than the shape, stays on
   both */
static size_t find_removed(const ossa_skeleton *skeleton, idle_bones *idle)
{
	for (;;) {
		const size_t count = mark_removed(skeleton, idle);
		bool is_symmetric = true;
		for (size_t b = 1; b < skeleton->bone_count; b++) {
			if (!idle->removed[b] || idle->removed[idle->image[b]]) continue;
			idle->stays[b] = 1;
			is_symmetric = false;
		}
		if (is_symmetric) return count;
	}
}

static ossa_status take_idle(
	ossai_still_work *work, const ossa_rig *rig, const ossai_tree *tree, const uint32_t *mirrored, idle_bones *idle)
{
	const size_t bones = rig->skeleton.bone_count;
	uint32_t *place = ossai_arena_new(work->arena, bones, sizeof *place);
	idle->stays = ossai_arena_zero(work->arena, bones, 1);
	idle->removed = ossai_arena_zero(work->arena, bones, 1);
	idle->children = ossai_arena_new(work->arena, bones, sizeof *idle->children);
	idle->image = ossai_arena_new(work->arena, bones, sizeof *idle->image);
	if (!place || !idle->stays || !idle->removed || !idle->children || !idle->image)
		return ossa_context_error(work->context)->status;
	OSSAI_TRY(ossai_find_moving_bones(work->arena, &work->surface, rig, &idle->moves));
	if (work->has_common_root) idle->moves[0] = 1;
	/* programs that take a body ask for all of its bones */
	for (size_t b = 0; b < bones; b++) idle->stays[b] = rig->skeleton.bones[b].role.part != OSSA_PART_NONE;
	for (uint32_t i = 0; i < bones; i++) place[tree->order[i]] = i;
	for (uint32_t i = 0; i < bones; i++) {
		const uint32_t image = mirrored ? mirrored[tree->order[i]] : OSSA_NONE;
		idle->image[i] = image == OSSA_NONE ? i : place[image];
	}
	return OSSA_OK;
}

ossa_status ossai_still_drop_idle(
	ossai_still_work *work, const ossai_tree *tree, const uint32_t *mirrored, uint32_t *order, ossa_rig **rig)
{
	const size_t bones = (*rig)->skeleton.bone_count;
	idle_bones idle;
	OSSAI_TRY(take_idle(work, *rig, tree, mirrored, &idle));
	const size_t count = find_removed(&(*rig)->skeleton, &idle);
	for (size_t b = 0, kept = 0; order && b < bones; b++) {
		if (!idle.removed[b]) order[kept++] = tree->order[b];
	}
	if (count == 0) return OSSA_OK;
	ossa_rig *fewer;
	OSSAI_TRY(ossai_rig_without(work->context, *rig, idle.removed, &fewer));
	ossa_rig_free(work->context, *rig);
	*rig = fewer;
	ossai_warn(work->context, "fewer-bones", (int64_t)count,
		"%zu of %zu bones would move no vertex and %s left out: the mesh has too few vertices for the details of its shape; "
		"`bones N` keeps %s",
		count, bones, count == 1 ? "was" : "were", count == 1 ? "it" : "them");
	return ossai_rig_name_bones(work->context, *rig, OSSA_NAMES_BODY);
}

ossa_status ossai_still_warn_of_bones(const ossai_still_work *work, const ossa_rig *rig)
{
	OSSAI_TRY(ossai_warn_of_idle_bones(work->arena, &work->surface, work->has_common_root, rig));
	return ossai_warn_of_outside_joints(work->arena, work->has_common_root, work->is_flat, rig);
}

/* ---- shapes without limbs ---- */

/* whether a closed surface of one piece has handles: its Euler characteristic is less than 2, that
   of a ball */
static bool has_handles(const ossai_proxy *proxy)
{
	if (proxy->kind != OSSA_PROXY_SURFACE || !proxy->is_closed || proxy->link_count > 0) return false;
	return proxy->vertex_count < proxy->face_count / 2 + 2;
}

bool ossai_still_has_limbs(const ossai_still_work *work)
{
	return work->curve.cut_count > 0 || has_handles(&work->proxy) || ossai_tips_are_limbs(&work->tips);
}

size_t ossai_still_bone_count(const ossai_still_work *work, size_t wanted)
{
	if (wanted > 0 || ossai_still_has_limbs(work)) return wanted;
	ossai_warn(work->context, "no-limbs", 0,
		"the shape has no limbs: nothing that protrudes from it is long for its girth; it gets one bone, or more by `bones N`");
	return 1;
}

/* ---- loops ---- */

void ossai_still_warn_of_cuts(const ossai_still_work *work, ossai_vec3 first)
{
	const ossai_posed_surface *s = &work->surface;
	const ossai_vec3 at = ossai_madd(s->rest_center, s->scale, first);
	ossai_warn(work->context, "loop-cut", (int64_t)work->curve.cut_count,
		"the shape has loops that were cut to make a tree of bones, the first near (%.4g, %.4g, %.4g)", at.x, at.y, at.z);
}

ossa_status ossai_still_keep_cuts(const ossai_still_work *work, const ossai_tree *tree, uint32_t first, ossa_rig *rig)
{
	const ossai_posed_surface *s = &work->surface;
	const ossai_curve *curve = &work->curve;
	if (curve->cut_count == 0) return OSSA_OK;
	int32_t *place = ossai_arena_new(work->arena, tree->bone_count, sizeof *place);
	ossa_loop *loops = place ? ossai_new(work->context, rig->loop_count + curve->cut_count, sizeof *loops) : NULL;
	if (!loops) return ossa_context_error(work->context)->status;
	/* the bones of the rig are in the order of the tree */
	for (size_t b = 0; b < tree->bone_count; b++) place[tree->order[b]] = (int32_t)b;
	if (rig->loop_count > 0) memcpy(loops, rig->loops, rig->loop_count * sizeof *loops);
	ossa_free(work->context, rig->loops);
	rig->loops = loops;
	for (size_t i = 0; i < curve->cut_count; i++) {
		ossa_loop *loop = &loops[rig->loop_count++];
		ossai_v3_store(ossai_madd(s->rest_center, s->scale, curve->cuts[i].center), loop->center);
		for (int side = 0; side < 2; side++) loop->bones[side] = place[first + work->sides[i].bones[side]];
	}
	return OSSA_OK;
}

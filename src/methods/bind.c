/* methods/bind.c: a skeleton bound to a mesh by its shape.

   Input: bones of any origin, a mesh.
   Output: a rig of both, with weights by bone heat.
   Source: see ossa/fit.h. */
#include "base/options.h"
#include "mesh/bounds.h"
#include "methods/rig_warnings.h"
#include "query/inside.h"
#include "rig/copy_bones.h"
#include "rig/pose.h"
#include "rig/transfer_place.h"
#include "skeleton/rest_weights.h"

#include <ossa/fit.h>

/* How many of these units are one of the mesh's: metres, centimetres, millimetres, inches and
   feet in each other, the likelier first. */
static const double units[] = {1, 0.01, 100, 0.1, 10, 0.001, 1000, 0.0254, 1 / 0.0254, 0.0254 * 12, 1 / (0.0254 * 12)};

/* A skeleton lies in a mesh where this share of its joints is in the box of the mesh, widened by a
   share of its diagonal, and its own box is not smaller than a share of that one. */
static const double most_joints = 0.9, margin = 0.05, least_size = 0.05;
/* in another unit than its own this share of its joints is to be inside of the surface, too: in
   some unit every skeleton fits the box */
static const double least_inside = 0.5;

typedef struct binding {
	ossa_context *context;
	ossai_arena *arena;
	const ossa_mesh *mesh;
	const ossa_bind_options *options;
	ossa_rig *rig;
} binding;

/* ---- place ---- */

/* the share of joints inside of the box; 0 where the skeleton is much smaller */
static double share_inside(const ossa_skeleton *skeleton, const ossai_bounds *box, const ossai_placing *at)
{
	const double wide = margin * box->diagonal;
	ossai_vec3 least = {INFINITY, INFINITY, INFINITY}, most = {-INFINITY, -INFINITY, -INFINITY};
	size_t inside = 0;
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		const ossai_vec3 p = ossai_madd(at->move, at->scale, ossai_v3_of(skeleton->bones[b].joint));
		least = ossai_v3(fmin(least.x, p.x), fmin(least.y, p.y), fmin(least.z, p.z));
		most = ossai_v3(fmax(most.x, p.x), fmax(most.y, p.y), fmax(most.z, p.z));
		inside += ossai_bounds_contain(box, p, wide);
	}
	const bool is_small = skeleton->bone_count > 2 && ossai_distance(least, most) < least_size * box->diagonal;
	return is_small ? 0 : (double)inside / (double)skeleton->bone_count;
}

/* Place `index`: every unit where the skeleton rests, then, as files of motion may have their
   root at the origin, where it begins to move. False past the last. */
static bool place_at(const binding *b, size_t index, ossai_placing *at)
{
	const size_t count = sizeof units / sizeof *units;
	const ossa_clip *clip = b->rig->clip;
	if (index >= (clip && clip->frame_count > 0 ? 2 * count : count)) return false;
	*at = (ossai_placing){units[index % count], {0, 0, 0}};
	if (index < count) return true;
	const ossai_vec3 begins = ossai_v3_of(clip->root_positions), rests = ossai_v3_of(b->rig->skeleton.bones[0].joint);
	at->move = ossai_scale(ossai_sub(begins, rests), at->scale);
	return true;
}

/* whether enough joints are inside of the surface */
static ossa_status check_inside(const binding *b, const ossai_placing *at, bool *fits)
{
	const ossa_skeleton *skeleton = &b->rig->skeleton;
	const ossai_mesh_view view = ossai_view_of_mesh(b->mesh);
	double *points = ossai_arena_new(b->arena, skeleton->bone_count, 3 * sizeof *points);
	uint8_t *inside = ossai_arena_new(b->arena, skeleton->bone_count, sizeof *inside);
	size_t count = 0;
	if (!points || !inside) return ossa_context_error(b->context)->status;
	for (size_t i = 0; i < skeleton->bone_count; i++) {
		ossai_v3_store(ossai_madd(at->move, at->scale, ossai_v3_of(skeleton->bones[i].joint)), points + 3 * i);
	}
	OSSAI_TRY(ossai_find_inside(b->context, &view, skeleton->bone_count, points, inside));
	for (size_t i = 0; i < skeleton->bone_count; i++) count += inside[i];
	*fits = (double)count >= least_inside * (double)skeleton->bone_count;
	return OSSA_OK;
}

/* Of the places where the skeleton lies in the mesh the largest: a smaller one would lie there,
   too. Its scale is 0 where there is none. */
static ossa_status find_place(const binding *b, const ossai_bounds *box, ossai_placing *best)
{
	ossai_placing at;
	best->scale = 0;
	for (size_t index = 0; place_at(b, index, &at); index++) {
		bool fits = false;
		if (!(at.scale > best->scale) || share_inside(&b->rig->skeleton, box, &at) < most_joints) continue;
		OSSAI_TRY(check_inside(b, &at, &fits));
		if (fits) *best = at;
	}
	return OSSA_OK;
}

static ossa_status refuse_place(const binding *b, const ossai_bounds *box)
{
	const ossai_placing here = {1, {0, 0, 0}};
	return ossai_fail(b->context, OSSA_ERROR_INPUT, NULL,
		"the skeleton does not lie in the mesh: %.0f %% of its joints are in the mesh's box, in no usual unit %.0f %%. Bring "
		"it to the place, size and axes of the mesh (`input-unit` and `input-up` say what the mesh's file does not)",
		100 * share_inside(&b->rig->skeleton, box, &here), 100 * most_joints);
}

/* the motions are where they are already */
static void move_bones(const ossai_placing *at, ossa_skeleton *skeleton)
{
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		ossa_bone *bone = &skeleton->bones[b];
		ossai_v3_store(ossai_add(ossai_v3_of(bone->joint), at->move), bone->joint);
		ossai_v3_store(ossai_add(ossai_v3_of(bone->tail), at->move), bone->tail);
	}
}

static ossa_status place(binding *b)
{
	const ossai_bounds box = ossai_bounds_make(b->mesh->vertex_count, b->mesh->positions);
	ossai_placing at = {1, {0, 0, 0}};
	if (share_inside(&b->rig->skeleton, &box, &at) >= most_joints) return OSSA_OK;
	if (b->options->place) OSSAI_TRY(find_place(b, &box, &at));
	if (!b->options->place || !(at.scale > 0)) return refuse_place(b, &box);
	const ossai_placing placing = {at.scale, {0, 0, 0}};
	ossai_rig_place(&placing, b->rig);
	move_bones(&at, &b->rig->skeleton);
	ossai_warn(b->context, "skeleton-placed", (int64_t)b->rig->skeleton.bone_count,
		"joints lay outside of the mesh: the skeleton is now %.4g times as large, and moved by (%.4g, %.4g, %.4g)", at.scale,
		at.move.x, at.move.y, at.move.z);
	return OSSA_OK;
}

/* ---- weights ---- */

static ossa_status weigh(binding *b)
{
	ossai_posed_surface surface;
	ossai_tree tree;
	ossai_bone_weights weights;
	const ossa_skeleton *skeleton = &b->rig->skeleton;
	const size_t bones = skeleton->bone_count;
	OSSAI_TRY(ossai_posed_surface_make(b->context, b->arena, b->mesh, NULL, true, &surface));
	OSSAI_TRY(ossai_tree_of_skeleton(b->arena, skeleton, &tree));
	ossai_vec3 *joint = ossai_arena_new(b->arena, bones, sizeof *joint), *tail = ossai_arena_new(b->arena, bones, sizeof *tail);
	if (!joint || !tail) return ossa_context_error(b->context)->status;
	for (uint32_t i = 0; i < bones; i++) {
		joint[i] = ossai_posed_surface_units(&surface, skeleton->bones[i].joint);
		tail[i] = ossai_posed_surface_units(&surface, skeleton->bones[i].tail);
	}
	ossai_rest_weights_options options = ossai_rest_weights_default();
	options.influences = (size_t)b->options->influences;
	options.local = true;
	const ossai_rest_bones rest_bones = {&tree, joint, tail, NULL};
	OSSAI_TRY(ossai_rest_weights(b->arena, &surface, &rest_bones, NULL, &options, &weights));
	ossai_bone_weights_spread(surface.first_of_vertex, &weights);
	ossai_bone_weights_round(&weights, NULL, NULL, &b->rig->weights);
	return ossai_warn_of_idle_bones(b->arena, &surface, true, b->rig);
}

/* ---- the whole ---- */

static ossa_status check(ossa_context *context, const ossa_rig *rig, const ossa_mesh *mesh)
{
	OSSAI_TRY(ossai_rig_check_whole(context, rig));
	OSSAI_TRY(ossa_mesh_validate(context, mesh));
	if (rig->skeleton.bone_count > 0 && mesh->triangle_count > 0) return OSSA_OK;
	return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "there are %zu bones and %zu triangles: bones are bound to a surface",
		rig->skeleton.bone_count, mesh->triangle_count);
}

static ossa_status bind(binding *b, const ossa_rig *rig)
{
	OSSAI_TRY(ossa_rig_create(b->context, b->mesh, rig->skeleton.bone_count, b->options->influences, &b->rig));
	OSSAI_TRY(ossai_rig_copy_bones(b->context, rig, b->rig));
	OSSAI_TRY(place(b));
	return weigh(b);
}

ossa_status ossa_rig_bind(
	ossa_context *context, const ossa_rig *rig, const ossa_mesh *mesh, const ossa_bind_options *options, ossa_rig **bound)
{
	if (bound) *bound = NULL;
	OSSAI_NEED(context, rig, mesh, bound);
	const ossa_bind_options used = options ? *options : ossa_bind_default();
	OSSAI_TRY(ossa_options_check(context, ossa_bind_option_table(), &used));
	OSSAI_TRY(check(context, rig, mesh));
	ossai_arena arena = ossai_arena_begin(context);
	binding b = {.context = context, .arena = &arena, .mesh = mesh, .options = &used};
	ossai_stage_begin(context, "bind");
	const ossa_status status = bind(&b, rig);
	ossai_stage_end(context);
	ossai_arena_end(&arena);
	if (status == OSSA_OK) *bound = b.rig;
	else ossa_rig_free(context, b.rig);
	return status;
}

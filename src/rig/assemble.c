/* rig/assemble.c: see assemble.h. */
#include "rig/assemble.h"

#include "rig/bone_names.h"
#include "rig/pose.h"
#include "skeleton/frames.h"

#include <stdio.h>
#include <string.h>

typedef struct assembly {
	ossa_context *context;
	const ossai_findings *f;
	ossa_rig *rig;
	uint32_t *new_index; /* bone of the findings -> bone of the rig */
} assembly;

/* largest turn against the parent over the poses */
static double turn_degrees(const ossai_bone_motion *motion, uint32_t bone, uint32_t parent)
{
	double most = 0;
	for (size_t k = 0; k < motion->pose_count; k++) {
		const ossai_mat3 up = ossai_mat3_transpose(&motion->rigid[parent * motion->pose_count + k].r);
		const ossai_mat3 turn = ossai_mat3_mul(&up, &motion->rigid[bone * motion->pose_count + k].r);
		const double angle = ossai_quat_angle(ossai_mat3_quat(&turn));
		most = angle > most ? angle : most;
	}
	return most * 180 / OSSAI_PI;
}

void ossai_bone_classify(const ossai_turning *turning, const double noise[9], ossa_bone *to)
{
	ossai_vec3 axis[2];
	to->kind = ossai_joint_kind_find(turning, noise, axis);
	ossai_v3_store(axis[0], to->axis);
	ossai_v3_store(axis[1], to->second_axis);
	memset(to->axis_limits, 0, sizeof to->axis_limits);
	to->turn_deviation = ossai_turn_deviation(noise, to->kind, axis[0]);
	to->turn_degrees = turn_degrees(turning->motion, turning->b, turning->a);
}

static void fill_bone(const assembly *a, uint32_t found, ossa_bone *bone)
{
	const ossai_tree *tree = a->f->tree;
	const ossai_posed_surface *s = a->f->surface;
	const uint32_t pair = tree->pair[found];
	bone->parent = tree->parent[found] == OSSA_NONE ? -1 : (int32_t)a->new_index[tree->parent[found]];
	ossai_v3_store(ossai_posed_surface_place(s, a->f->joint[found]), bone->joint);
	bone->kind = bone->parent < 0 ? OSSA_JOINT_ROOT : OSSA_JOINT_UNKNOWN;
	if (pair != OSSA_NONE) bone->fit_residual = a->f->joint_of_pair[pair].residual * s->scale;
	if (a->f->role) bone->role = a->f->role[found];
	if (a->f->deviation) bone->deviation = a->f->deviation[found] * s->scale;
	if (a->f->tail) ossai_v3_store(ossai_posed_surface_place(s, a->f->tail[found]), bone->tail);
}

/* the kind of a joint is classified by the motion that is written */
static ossa_status classify_bones(const assembly *a, ossai_arena *arena)
{
	const ossai_findings *f = a->f;
	ossai_bone_core *core = ossai_arena_new(arena, f->tree->bone_count, sizeof *core);
	if (!core) return ossa_context_error(a->context)->status;
	double poses;
	OSSAI_TRY(ossai_bone_cores_make(arena, f->surface, f->weights, f->motion, core));
	OSSAI_TRY(ossai_independent_poses_of(arena, f->motion, f->tree->parent, core, &poses));
	for (uint32_t b = 0; b < f->tree->bone_count; b++) {
		double noise[9];
		if (f->tree->parent[b] == OSSA_NONE) continue;
		const ossai_turning turning = {f->motion, f->tree->parent[b], b, poses};
		ossai_turn_noise(core, turning.a, b, f->motion->pose_count, noise);
		ossai_bone_classify(&turning, noise, &a->rig->skeleton.bones[a->new_index[b]]);
	}
	return OSSA_OK;
}

static void fill_skeleton(const assembly *a)
{
	const ossai_tree *tree = a->f->tree;
	for (size_t i = 0; i < tree->bone_count; i++) {
		fill_bone(a, tree->order[i], &a->rig->skeleton.bones[i]);
	}
	ossai_skeleton_frames(&a->rig->skeleton, a->rig->mesh, &a->rig->weights, a->f->tail != NULL);
}

/* the largest weight first; equal ones by bone */
static void sort_weights(ossai_bone_weights *w)
{
	for (size_t v = 0; v < w->vertex_count; v++) {
		uint16_t *bone = w->bone + v * w->width;
		double *value = w->value + v * w->width;
		for (size_t i = 1; i < w->count[v]; i++) {
			const uint16_t b = bone[i];
			const double x = value[i];
			size_t at = i;
			for (; at > 0 && (value[at - 1] < x || (value[at - 1] == x && bone[at - 1] > b)); at--) {
				value[at] = value[at - 1];
				bone[at] = bone[at - 1];
			}
			value[at] = x;
			bone[at] = b;
		}
	}
}

/* weights found for a welded surface are copied to every vertex */
static void finish_weights(const assembly *a, ossai_bone_weights *w)
{
	sort_weights(w);
	ossai_bone_weights_spread(a->f->surface->first_of_vertex, w);
}

/* the joint's frame in pose k, in mesh units */
static ossai_rigid world_frame(const ossai_moving_skeleton *from, size_t i, size_t k)
{
	const ossai_posed_surface *s = from->surface;
	const uint32_t found = from->order[i];
	const ossai_rigid *x = &from->motion->rigid[found * from->motion->pose_count + k];
	const ossai_mat3 rest = ossai_quat_matrix(ossai_quat_of(from->skeleton->bones[i].orientation));
	const ossai_vec3 at = ossai_rigid_point(x, from->joint[found]);
	return (ossai_rigid){ossai_mat3_mul(&x->r, &rest), ossai_madd(s->pose_center[k], s->scale, at)};
}

void ossai_clip_fill(const ossai_moving_skeleton *from, size_t k, ossai_rigid *world, ossa_clip *clip)
{
	const size_t n = clip->bone_count;
	for (size_t i = 0; i < n; i++) {
		const int32_t parent = from->skeleton->bones[i].parent;
		world[i] = world_frame(from, i, k);
		ossai_rigid local = world[i];
		if (parent >= 0) {
			const ossai_rigid up = ossai_rigid_inverse(&world[parent]);
			local = ossai_rigid_mul(&up, &world[i]);
		}
		ossai_quat q = ossai_mat3_quat(&local.r);
		double *to = clip->rotations + (k * n + i) * 4;
		/* consistent signs over time, so that programs which blend keys take the shorter
		   rotation */
		ossai_quat_store_after(q, k > 0 ? to - 4 * n : NULL, to);
		if (clip->translations) ossai_v3_store(local.t, clip->translations + (k * n + i) * 3);
		if (parent < 0) ossai_v3_store(local.t, clip->root_positions + 3 * k);
	}
}

ossa_status ossai_clip_load(
	ossai_arena *arena, const ossa_rig *rig, const ossai_posed_surface *surface, const size_t *frame, ossai_bone_motion *motion)
{
	const size_t bones = motion->bone_count, poses = surface->pose_count;
	double *matrices = ossai_arena_new(arena, bones, 12 * sizeof *matrices);
	if (!matrices) return ossa_context_error(arena->context)->status;
	for (size_t k = 0; k < poses; k++) {
		ossai_skin_matrices(rig, rig->clip, frame ? frame[k] : k, matrices);
		for (size_t b = 0; b < bones; b++) {
			ossai_rigid x = ossai_rigid_of(matrices + 12 * b);
			const ossai_vec3 center = ossai_rigid_point(&x, surface->rest_center);
			x.t = ossai_scale(ossai_sub(center, surface->pose_center[k]), 1 / surface->scale);
			motion->rigid[b * poses + k] = x;
		}
	}
	return OSSA_OK;
}

static ossa_status fill_clip(const assembly *a, const ossai_bone_motion *motion, bool translations, ossa_clip **result)
{
	const size_t n = motion->bone_count;
	ossai_rigid *world = ossai_new(a->context, n, sizeof *world);
	if (!world) return ossa_context_error(a->context)->status;
	const ossa_status status = ossa_clip_create(a->context, motion->pose_count, n, translations, result);
	if (status == OSSA_OK) {
		ossa_clip *clip = *result;
		snprintf(clip->name, sizeof clip->name, "%s", a->f->frames->name[0] ? a->f->frames->name : "poses");
		memcpy(clip->times, a->f->frames->times, motion->pose_count * sizeof *clip->times);
		const ossai_moving_skeleton from = {a->f->surface, a->f->tree->order, a->f->joint, &a->rig->skeleton, motion};
		for (size_t k = 0; k < motion->pose_count; k++) ossai_clip_fill(&from, k, world, clip);
	}
	ossa_free(a->context, world);
	return status;
}

static ossa_status fill_free_bones(const assembly *a)
{
	const ossai_findings *f = a->f;
	if (!f->free_motion) return OSSA_OK;
	OSSAI_TRY(fill_clip(a, f->free_motion, true, &a->rig->free_clip));
	ossa_weights *w = &a->rig->free_weights;
	const size_t pairs = f->mesh->vertex_count * (size_t)f->influences;
	w->influences = f->influences;
	w->bones = ossa_alloc(a->context, pairs, sizeof *w->bones);
	w->values = ossa_alloc(a->context, pairs, sizeof *w->values);
	if (!w->bones || !w->values) return ossa_context_error(a->context)->status;
	w->vertex_count = f->mesh->vertex_count;
	ossai_bone_weights_round(f->free_weights, f->surface->place_of_vertex, a->new_index, w);
	return OSSA_OK;
}

/* the bone nearer to the root first */
static ossa_status fill_loops(const assembly *a)
{
	const ossai_findings *f = a->f;
	if (f->loop_count == 0) return OSSA_OK;
	a->rig->loops = ossai_new(a->context, f->loop_count, sizeof *a->rig->loops);
	if (!a->rig->loops) return ossa_context_error(a->context)->status;
	for (size_t i = 0; i < f->loop_count; i++) {
		const int32_t first = (int32_t)a->new_index[f->loops[i].a], second = (int32_t)a->new_index[f->loops[i].b];
		ossa_loop *loop = &a->rig->loops[a->rig->loop_count++];
		*loop = (ossa_loop){.bones = {first < second ? first : second, first < second ? second : first}};
		ossai_v3_store(ossai_posed_surface_place(f->surface, f->loops[i].place), loop->center);
	}
	return OSSA_OK;
}

static ossa_status fill_rig(assembly *a)
{
	const ossai_findings *f = a->f;
	for (size_t i = 0; i < f->tree->bone_count; i++) a->new_index[f->tree->order[i]] = (uint32_t)i;
	snprintf(a->rig->method, sizeof a->rig->method, "%s", f->method);
	ossai_bone_weights_round(f->weights, f->surface->place_of_vertex, a->new_index, &a->rig->weights);
	if (f->body) a->rig->body = *f->body;
	fill_skeleton(a);
	OSSAI_TRY(fill_loops(a));
	ossai_arena arena = ossai_arena_begin(a->context);
	const ossa_status status = f->motion ? classify_bones(a, &arena) : OSSA_OK;
	ossai_arena_end(&arena);
	OSSAI_TRY(status);
	OSSAI_TRY(ossai_rig_name_bones(a->context, a->rig, OSSA_NAMES_BODY));
	if (!f->motion) return OSSA_OK;
	OSSAI_TRY(fill_clip(a, f->motion, false, &a->rig->clip));
	return fill_free_bones(a);
}

/* warns of vertices that no face uses; vertices at seams share a point and do not count */
static void warn_of_loose(const assembly *a)
{
	const ossai_posed_surface *s = a->f->surface;
	size_t loose = 0, first = 0;
	for (size_t v = s->vertex_count; v-- > 0;) {
		const size_t place = ossai_surface_vertex(s, v);
		if (s->used[s->first_of_vertex ? s->first_of_vertex[place] : place]) continue;
		loose++;
		first = v;
	}
	if (loose == 0) return;
	ossai_warn(a->context, "loose-vertices", (int64_t)loose,
		"%zu of %zu vertices, the first number %zu, are in no face: they follow the root", loose, s->vertex_count, first);
}

ossa_status ossai_rig_assemble(ossa_context *context, const ossai_findings *findings, ossa_rig **rig)
{
	*rig = NULL;
	assembly a = {.context = context, .f = findings};
	finish_weights(&a, findings->weights);
	if (findings->free_motion) finish_weights(&a, findings->free_weights);
	a.new_index = ossai_new(context, findings->tree->bone_count, sizeof *a.new_index);
	if (!a.new_index) return ossa_context_error(context)->status;
	ossa_status status = ossa_rig_create(context, findings->mesh, findings->tree->bone_count, findings->influences, &a.rig);
	if (status == OSSA_OK) status = fill_rig(&a);
	if (status == OSSA_OK) warn_of_loose(&a);
	ossa_free(context, a.new_index);
	if (status == OSSA_OK) *rig = a.rig;
	else ossa_rig_free(context, a.rig);
	return status;
}

/* rig/flatten.c: see flatten.h.

   The bone that is the head: with M_j = sum of area w_j [v 1]^T [v 1] over the skin of bone j, the
   whole moves by C = sum_j X_j M_j in a frame, and the squared distance of bone b's motion to it is
   |X_b|^2_M - 2 X_b . C but for what is the same for all bones: linear in bones and frames. */
#include "rig/flatten.h"

#include "rig/pose.h"
#include "rig/rebuild.h"
#include "skeleton/naming/shared_skin.h"

#include <stdio.h>

/* of [v 1]: 4 x 4, by area and weight */
typedef struct skin_moments {
	double m[4][4];
} skin_moments;

bool ossai_skeleton_is_free(const ossa_skeleton *skeleton)
{
	for (size_t b = 1; b < skeleton->bone_count; b++) {
		if (skeleton->bones[b].kind != OSSA_JOINT_FREE) return false;
	}
	return skeleton->bone_count > 1;
}

/* ---- the skin of each bone ---- */

static void add_vertex(const double at[4], double weight, skin_moments *to)
{
	for (int i = 0; i < 4; i++) {
		for (int j = 0; j < 4; j++) to->m[i][j] += weight * at[i] * at[j];
	}
}

/* about `center`; all: B */
static void sum_skin(const ossa_rig *rig, const double *area, ossai_vec3 center, skin_moments *all)
{
	const ossa_weights *weights = &rig->weights;
	for (size_t v = 0; v < weights->vertex_count; v++) {
		const ossai_vec3 p = ossai_sub(ossai_v3_of_float(rig->mesh->positions + 3 * v), center);
		const double at[4] = {p.x, p.y, p.z, 1};
		for (size_t i = v * (size_t)weights->influences; i < (v + 1) * (size_t)weights->influences; i++) {
			if (weights->values[i] > 0) add_vertex(at, area[v] * (double)weights->values[i], &all[weights->bones[i]]);
		}
	}
}

/* ---- the head ---- */

/* the skinning matrix for positions about `center`; moved stays about the origin */
static void about(ossai_vec3 center, double x[12])
{
	for (int r = 0; r < 3; r++) x[4 * r + 3] += x[4 * r] * center.x + x[4 * r + 1] * center.y + x[4 * r + 2] * center.z;
}

/* to += x m */
static void add_moved(const double *x, const skin_moments *m, double to[12])
{
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 4; c++) {
			for (int k = 0; k < 4; k++) to[4 * r + c] += x[4 * r + k] * m->m[k][c];
		}
	}
}

static double dot(const double a[12], const double b[12])
{
	double sum = 0;
	for (int i = 0; i < 12; i++) sum += a[i] * b[i];
	return sum;
}

/* Adds a frame's distance of each bone's motion to the whole's. x: B x 12. */
static void add_distances(size_t bones, const skin_moments *skin, const skin_moments *all, const double *x, double *distance)
{
	double whole[12] = {0};
	for (size_t b = 0; b < bones; b++) add_moved(x + 12 * b, &skin[b], whole);
	for (size_t b = 0; b < bones; b++) {
		double alone[12] = {0};
		add_moved(x + 12 * b, all, alone);
		distance[b] += dot(x + 12 * b, alone) - 2 * dot(x + 12 * b, whole);
	}
}

static ossa_status find_head(
	ossai_arena *arena, const ossa_rig *rig, const skin_moments *skin, ossai_vec3 center, uint32_t *head)
{
	const size_t bones = rig->skeleton.bone_count;
	double *x = ossai_arena_new(arena, bones, 12 * sizeof *x);
	double *distance = ossai_arena_zero(arena, bones, sizeof *distance);
	if (!x || !distance) return ossa_context_error(arena->context)->status;
	skin_moments all = {0};
	for (size_t b = 0; b < bones; b++) {
		for (int i = 0; i < 16; i++) all.m[i / 4][i % 4] += skin[b].m[i / 4][i % 4];
	}
	for (size_t k = 0; k < rig->clip->frame_count; k++) {
		ossai_skin_matrices(rig, rig->clip, k, x);
		for (size_t b = 0; b < bones; b++) about(center, x + 12 * b);
		add_distances(bones, skin, &all, x, distance);
	}
	*head = 0;
	for (uint32_t b = 1; b < bones; b++) *head = distance[b] < distance[*head] ? b : *head;
	return OSSA_OK;
}

/* ---- the bones ---- */

static ossa_bone flat_bone(const ossa_bone *old, const skin_moments *skin, ossai_vec3 center, size_t number)
{
	const bool is_head = number == 0;
	const double mass = skin->m[3][3];
	const ossai_vec3 mean = mass > 0 ? ossai_v3(skin->m[0][3] / mass, skin->m[1][3] / mass, skin->m[2][3] / mass)
									 : ossai_sub(ossai_v3_of(old->joint), center);
	ossa_bone bone = {.parent = is_head ? -1 : 0,
		.kind = is_head ? OSSA_JOINT_ROOT : OSSA_JOINT_FREE,
		.role = {.part = OSSA_PART_NONE},
		.orientation = {0, 0, 0, 1}};
	if (is_head) snprintf(bone.name, sizeof bone.name, "head");
	else snprintf(bone.name, sizeof bone.name, "face_%02zu", number);
	ossai_v3_store(ossai_add(center, mean), bone.joint);
	return bone;
}

static ossa_status put_bones(ossai_arena *arena, const skin_moments *skin, ossai_vec3 center, uint32_t head, ossa_rig *rig)
{
	const size_t bones = rig->skeleton.bone_count;
	ossai_rebuilt to = {.count = bones,
		.moves = true,
		.bone = ossai_arena_new(arena, bones, sizeof *to.bone),
		.source = ossai_arena_new(arena, bones, sizeof *to.source)};
	if (!to.bone || !to.source) return ossa_context_error(arena->context)->status;
	for (uint32_t i = 0; i < bones; i++) {
		const uint32_t b = to.source[i] = i == 0 ? head : i <= head ? i - 1 : i;
		to.bone[i] = flat_bone(&rig->skeleton.bones[b], &skin[b], center, i);
	}
	return ossai_rig_rebuild(arena->context, &to, rig);
}

/* ---- the whole ---- */

/* the free bones' in place of the hierarchy's */
static void take_free(ossa_context *context, ossa_rig *rig)
{
	if (rig->free_clip) {
		ossa_clip_free(context, rig->clip);
		rig->clip = rig->free_clip;
		rig->free_clip = NULL;
	}
	if (rig->free_weights.vertex_count == 0) return;
	ossa_free(context, rig->weights.bones);
	ossa_free(context, rig->weights.values);
	rig->weights = rig->free_weights;
	rig->free_weights = (ossa_weights){0};
}

static ossa_status flatten(ossai_arena *arena, ossa_rig *rig)
{
	const double *area = ossai_vertex_areas(arena, rig->mesh);
	skin_moments *skin = ossai_arena_zero(arena, rig->skeleton.bone_count, sizeof *skin);
	const ossai_vec3 center = ossai_v3_of(rig->skeleton.bones[0].joint);
	uint32_t head;
	if (!area || !skin) return ossa_context_error(arena->context)->status;
	sum_skin(rig, area, center, skin);
	OSSAI_TRY(find_head(arena, rig, skin, center, &head));
	return put_bones(arena, skin, center, head, rig);
}

ossa_status ossai_rig_flatten(ossa_context *context, ossa_rig *rig)
{
	take_free(context, rig);
	ossai_arena arena = ossai_arena_begin(context);
	const ossa_status status = flatten(&arena, rig);
	ossai_arena_end(&arena);
	return status;
}

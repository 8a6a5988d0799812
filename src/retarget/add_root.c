/* retarget/add_root.c: a root bone on the ground for a rig whose hips are the root.

   Place in the path: a rig -> here -> motions whose travel is on the root bone.
   Input: a rig.
   Output: the same with one bone more, before all others: ossa_rig_add_root. It has no weights and
   rests on the ground under the old root, with the axes of the mesh, as Unreal Engine's does. Nothing
   that the rig moves moves differently. */
#include "retarget/travel.h"
#include "rig/clips.h"
#include "rig/pose.h"

#include <ossa/clip.h>
#include <stdio.h>
#include <string.h>

typedef struct adding {
	ossa_context *context;
	ossa_rig *rig;
	ossai_vec3 ground; /* where the new bone is */
	ossa_bone *bones;  /* B + 1 */
	uint8_t *last_level;
	ossai_clips clips;
	ossa_clip *free_clip;
} adding;

/* under the old root, as low as the lowest joint or vertex */
static ossai_vec3 find_ground(const ossa_rig *rig, ossai_vec3 up)
{
	const ossai_vec3 root = ossai_v3_of(rig->skeleton.bones[0].joint);
	double drop = 0;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++)
		drop = fmax(drop, ossai_dot(ossai_sub(root, ossai_v3_of(rig->skeleton.bones[b].joint)), up));
	for (size_t v = 0; v < rig->mesh->vertex_count; v++)
		drop = fmax(drop, ossai_dot(ossai_sub(root, ossai_v3_of_float(rig->mesh->positions + 3 * v)), up));
	return ossai_madd(root, -drop, up);
}

static void name_root(const ossa_rig *rig, char name[64])
{
	strcpy(name, "root");
	for (unsigned number = 2; ossa_rig_bone(rig, name) >= 0; number++) snprintf(name, 64, "root_%u", number);
}

static ossa_status make_bones(adding *a)
{
	const size_t count = a->rig->skeleton.bone_count;
	a->bones = ossa_alloc(a->context, count + 1, sizeof *a->bones);
	if (!a->bones) return ossa_context_error(a->context)->status;
	memcpy(a->bones + 1, a->rig->skeleton.bones, count * sizeof *a->bones);
	for (size_t b = 1; b <= count; b++) a->bones[b].parent++;
	a->bones[1].kind = OSSA_JOINT_UNKNOWN;
	a->bones[0] = (ossa_bone){
		.parent = -1, .kind = OSSA_JOINT_ROOT, .role = {.part = OSSA_PART_NONE}, .orientation = {0, 0, 0, 1}};
	name_root(a->rig, a->bones[0].name);
	ossai_v3_store(a->ground, a->bones[0].joint);
	memcpy(a->bones[0].tail, a->bones[1].joint, sizeof a->bones[0].tail);
	if (!a->rig->last_level) return OSSA_OK;
	a->last_level = ossa_alloc(a->context, count + 1, 1);
	if (!a->last_level) return ossa_context_error(a->context)->status;
	memcpy(a->last_level + 1, a->rig->last_level, count);
	a->last_level[0] = a->last_level[1];
	return OSSA_OK;
}

static void fill_frame(const adding *a, const ossa_clip *old, size_t frame, ossa_clip *clip)
{
	const size_t count = old->bone_count, to = frame * (count + 1);
	ossai_quat_store(ossai_quat_identity(), clip->rotations + 4 * to);
	memcpy(clip->rotations + 4 * (to + 1), old->rotations + 4 * frame * count, 4 * count * sizeof(double));
	ossai_v3_store(a->ground, clip->root_positions + 3 * frame);
	ossai_v3_store(a->ground, clip->translations + 3 * to);
	const ossai_vec3 root = ossai_v3_of(old->root_positions + 3 * frame);
	ossai_v3_store(ossai_sub(root, a->ground), clip->translations + 3 * (to + 1));
	for (size_t b = 1; b < count; b++) {
		const ossai_vec3 place = old->translations ? ossai_v3_of(old->translations + 3 * (frame * count + b))
												   : ossai_rest_offset(a->rig->skeleton.bones, b);
		ossai_v3_store(place, clip->translations + 3 * (to + 1 + b));
	}
}

static ossa_status extend_clip(void *user, const ossa_clip *old, ossa_clip **clip)
{
	const adding *a = user;
	OSSAI_TRY(ossa_clip_create(a->context, old->frame_count, old->bone_count + 1, true, clip));
	memcpy((*clip)->name, old->name, sizeof old->name);
	memcpy((*clip)->times, old->times, old->frame_count * sizeof *old->times);
	for (size_t f = 0; f < old->frame_count; f++) fill_frame(a, old, f, *clip);
	return OSSA_OK;
}

static void renumber(ossa_weights *weights)
{
	for (size_t i = 0; i < weights->vertex_count * (size_t)weights->influences; i++)
		weights->bones[i] = (uint16_t)(weights->values[i] > 0 ? weights->bones[i] + 1 : 0);
}

/* nothing fails any more */
static void put_in_place(adding *a)
{
	ossa_rig *rig = a->rig;
	ossa_free(a->context, rig->skeleton.bones);
	ossa_free(a->context, rig->last_level);
	ossai_clips_free(a->context, rig);
	ossa_clip_free(a->context, rig->free_clip);
	rig->skeleton.bones = a->bones;
	rig->skeleton.bone_count++;
	rig->last_level = a->last_level;
	ossai_clips_put(rig, &a->clips);
	rig->free_clip = a->free_clip;
	renumber(&rig->weights);
	renumber(&rig->free_weights);
	for (size_t i = 0; i < 2 * rig->loop_count; i++) rig->loops[i / 2].bones[i % 2]++;
	for (size_t i = 0; i < rig->dependency_count; i++) {
		rig->dependencies[i].bone++;
		rig->dependencies[i].driver++;
	}
}

static ossa_status make_parts(adding *a)
{
	OSSAI_TRY(make_bones(a));
	OSSAI_TRY(ossai_clips_change(a->context, a->rig, extend_clip, a, &a->clips));
	return a->rig->free_clip ? extend_clip(a, a->rig->free_clip, &a->free_clip) : OSSA_OK;
}

ossa_status ossa_rig_add_root(ossa_context *context, ossa_rig *rig, bool *added)
{
	if (added) *added = false;
	OSSAI_NEED(context, rig);
	OSSAI_TRY(ossai_rig_check_whole(context, rig));
	adding a = {.context = context, .rig = rig};
	uint32_t hips = 0;
	ossai_vec3 up = {0, 1, 0};
	if (rig->skeleton.bone_count == 0) return OSSA_OK;
	ossai_arena arena = ossai_arena_begin(context);
	ossa_status status = ossai_find_carried(&arena, rig, &hips, &up);
	ossai_arena_end(&arena);
	if (status != OSSA_OK || hips > 0) return status;
	if (rig->skeleton.bone_count > UINT16_MAX)
		return ossai_fail(context, OSSA_ERROR_LIMIT, NULL, "the rig has as many bones as it can hold: none can be added");
	a.ground = find_ground(rig, up);
	status = make_parts(&a);
	if (status == OSSA_OK) {
		put_in_place(&a);
		if (added) *added = true;
		return OSSA_OK;
	}
	ossa_free(context, a.bones);
	ossa_free(context, a.last_level);
	ossai_clips_drop(context, &a.clips);
	ossa_clip_free(context, a.free_clip);
	return status;
}

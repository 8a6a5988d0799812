/* rig/validate.c: checks that a rig is what include/ossa/rig.h promises.

   Place in the path: after every method, reader and edit, in tests and fuzzing.
   Input: a rig.
   Output: the first fault.
   Properties that only a method can promise (+Y along the bone) are not required of rigs that come
   from files. */
#include "math/vec.h"
#include "base/context.h"
#include "body/names.h"
#include "rig/dependencies.h"
#include "rig/pose.h"
#include "rig/validate_joint.h"

#include <ossa/rig.h>
#include <stdlib.h>
#include <string.h>

/* of weights' sums and unit lengths: what float weights and stored quaternions keep */
static const double TOLERANCE = 1e-6;

#define FAULT(...) ossai_fail(context, OSSA_ERROR_INPUT, NULL, __VA_ARGS__)

static bool is_finite(const double *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!isfinite(values[i])) return false;
	}
	return true;
}

static bool is_text(const char *text, size_t size) { return memchr(text, 0, size) != NULL; }

static bool is_name(const char *name, size_t size)
{
	if (!is_text(name, size) || !name[0]) return false;
	return name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")] == 0;
}

static ossa_status check_role(ossa_context *context, const ossa_bone *bone, size_t b)
{
	const ossa_role *role = &bone->role;
	if (role->part == OSSA_PART_NONE) return OSSA_OK;
	const bool is_part = strcmp(ossa_body_part_name(role->part), ossa_body_part_name(OSSA_PART_NONE)) != 0;
	if (is_part && abs(role->side) <= 1 && role->number >= 0 && role->number <= OSSAI_ROLE_NUMBER_MAX && role->limb >= 0 &&
		role->limb <= OSSAI_ROLE_NUMBER_MAX)
		return OSSA_OK;
	return FAULT("bone %zu (%s) cannot be the part %d, side %d, number %d of a body", b, bone->name, (int)role->part,
		role->side, role->number);
}

static ossa_status check_bone(ossa_context *context, const ossa_bone *bone, size_t b)
{
	if (!is_name(bone->name, sizeof bone->name)) {
		return FAULT("bone %zu has no name of the letters A-Z a-z 0-9 _ -", b);
	}
	if (b == 0 && bone->parent != -1) return FAULT("bone 0 (%s) must be the root, without a parent", bone->name);
	if (b > 0 && (bone->parent < 0 || (size_t)bone->parent >= b)) {
		return FAULT("bone %zu (%s) has the parent %d, which is not a bone before it", b, bone->name, (int)bone->parent);
	}
	const bool is_misplaced = bone->kind == OSSA_JOINT_ROOT && b > 0 && bone->parent != 0;
	if ((int)bone->kind < OSSA_JOINT_UNKNOWN || bone->kind > OSSA_JOINT_PRISMATIC || is_misplaced) {
		return FAULT("bone %zu (%s) cannot have the joint kind %d", b, bone->name, (int)bone->kind);
	}
	if (!is_finite(bone->joint, 3) || !is_finite(bone->tail, 3)) {
		return FAULT("bone %zu (%s) has a joint or tail that is not finite", b, bone->name);
	}
	if (!ossai_is_unit(bone->orientation, 4)) {
		return FAULT("bone %zu (%s) has an orientation that is not a unit quaternion", b, bone->name);
	}
	if (!(bone->turn_degrees >= 0 && bone->fit_residual >= 0) || !is_finite(&bone->turn_degrees, 1) ||
		!is_finite(&bone->fit_residual, 1)) {
		return FAULT("bone %zu (%s) has a turn or residual that is not a number from 0 on", b, bone->name);
	}
	if (!(bone->deviation >= 0) || !isfinite(bone->deviation) || !(bone->turn_deviation >= 0) ||
		!isfinite(bone->turn_deviation)) {
		return FAULT("bone %zu (%s) has a deviation that is not a number from 0 on", b, bone->name);
	}
	const double *modelled = bone->modelled;
	bool was_posed = false;
	for (int k = 0; k < 7; k++) was_posed = was_posed || modelled[k] != 0;
	if (was_posed && !(ossai_is_unit(modelled, 4) && is_finite(modelled + 4, 3)))
		return FAULT("bone %zu (%s) was modelled in a pose that is no rotation and translation", b, bone->name);
	OSSAI_TRY(check_role(context, bone, b));
	return ossai_check_joint(context, bone, b);
}

static int compare_names(const void *a, const void *b)
{
	const ossa_bone *const *first = a, *const *second = b;
	return strcmp((*first)->name, (*second)->name);
}

static ossa_status check_names_unique(ossa_context *context, const ossa_skeleton *skeleton)
{
	const ossa_bone **order = ossai_new(context, skeleton->bone_count, sizeof *order);
	if (!order) return ossa_context_error(context)->status;
	for (size_t b = 0; b < skeleton->bone_count; b++) order[b] = &skeleton->bones[b];
	qsort(order, skeleton->bone_count, sizeof *order, compare_names);
	ossa_status status = OSSA_OK;
	for (size_t b = 1; b < skeleton->bone_count && status == OSSA_OK; b++) {
		if (compare_names(&order[b - 1], &order[b]) == 0) status = FAULT("two bones are called %s", order[b]->name);
	}
	ossa_free(context, order);
	return status;
}

static ossa_status check_skeleton(ossa_context *context, const ossa_skeleton *skeleton)
{
	if (skeleton->bone_count == 0 || !skeleton->bones) return FAULT("the rig has no bones");
	if (skeleton->bone_count > UINT16_MAX + 1) return FAULT("%zu bones are more than weights can name", skeleton->bone_count);
	for (size_t b = 0; b < skeleton->bone_count; b++) OSSAI_TRY(check_bone(context, &skeleton->bones[b], b));
	return check_names_unique(context, skeleton);
}

/* the first rule that the weights of one vertex break, or NULL */
static const char *vertex_fault(const uint16_t *bones, const float *values, int influences, size_t bone_count)
{
	double sum = 0;
	for (int i = 0; i < influences; i++) {
		if (!(values[i] >= 0)) return "has a weight that is negative or not a number";
		if (i > 0 && values[i] > values[i - 1]) return "has weights that are not sorted from the largest";
		if (bones[i] >= bone_count) return "is weighted to a bone that is not there";
		if (values[i] == 0 && bones[i] != 0) return "has an unused weight that is not of bone 0";
		for (int j = 0; j < i && values[i] > 0; j++) {
			if (bones[j] == bones[i]) return "is weighted to one bone twice";
		}
		sum += values[i];
	}
	return fabs(sum - 1) <= TOLERANCE ? NULL : "has weights whose sum is not 1";
}

static ossa_status check_weights(ossa_context *context, const ossa_weights *weights, size_t vertex_count, size_t bone_count)
{
	if (weights->vertex_count != vertex_count) {
		return FAULT("the weights are for %zu vertices, the mesh has %zu", weights->vertex_count, vertex_count);
	}
	if (weights->influences < 1 || !weights->bones || !weights->values) return FAULT("the rig has no weights");
	for (size_t v = 0; v < vertex_count; v++) {
		const size_t first = v * (size_t)weights->influences;
		const char *fault = vertex_fault(weights->bones + first, weights->values + first, weights->influences, bone_count);
		if (!fault) continue;
		ossai_place place = OSSAI_NOWHERE;
		place.vertex = (int64_t)v;
		return ossai_fail(context, OSSA_ERROR_INPUT, &place, "%s", fault);
	}
	return OSSA_OK;
}

/* the first rule that a frame of the clip breaks, or NULL */
static const char *frame_fault(const ossa_clip *clip, size_t frame)
{
	const size_t bone_count = clip->bone_count;
	if (!isfinite(clip->times[frame])) return "has a time that is not finite";
	if (frame > 0 && !(clip->times[frame] > clip->times[frame - 1])) return "is not later than the one before";
	if (!is_finite(clip->root_positions + 3 * frame, 3)) return "has a root position that is not finite";
	if (clip->translations && !is_finite(clip->translations + 3 * bone_count * frame, 3 * bone_count)) {
		return "has a translation that is not finite";
	}
	if (clip->morph_weights && !is_finite(clip->morph_weights + clip->morph_count * frame, clip->morph_count)) {
		return "has a weight of a morph target that is not finite";
	}
	const double *now = clip->rotations + 4 * bone_count * frame;
	for (size_t b = 0; b < bone_count; b++) {
		if (!ossai_is_unit(now + 4 * b, 4)) return "has a rotation that is not a unit quaternion";
		if (frame == 0) continue;
		const double *before = now - 4 * bone_count;
		/* half a turn is neither sign's */
		if (ossai_quat_dot(ossai_quat_of(now + 4 * b), ossai_quat_of(before + 4 * b)) < -TOLERANCE) {
			return "has a rotation of the other sign than the one before";
		}
	}
	return NULL;
}

static ossa_status check_clip(ossa_context *context, const ossa_rig *rig, const ossa_clip *clip)
{
	const size_t bone_count = rig->skeleton.bone_count;
	if (!clip) return OSSA_OK;
	if (!is_text(clip->name, sizeof clip->name)) return FAULT("the motion's name is not terminated");
	if (clip->bone_count != bone_count) {
		return FAULT("the motion is for %zu bones, the skeleton has %zu", clip->bone_count, bone_count);
	}
	if (!clip->times || !clip->rotations || !clip->root_positions || (clip->morph_count > 0 && !clip->morph_weights))
		return FAULT("the motion lacks an array");
	if (clip->morph_count > rig->mesh->morph_count) {
		return FAULT(
			"the motion has weights of %zu morph targets, the mesh has %zu", clip->morph_count, rig->mesh->morph_count);
	}
	for (size_t f = 0; f < clip->frame_count; f++) {
		const char *fault = frame_fault(clip, f);
		if (!fault) continue;
		ossai_place place = OSSAI_NOWHERE;
		place.frame = (int64_t)f;
		return ossai_fail(context, OSSA_ERROR_INPUT, &place, "%s", fault);
	}
	return OSSA_OK;
}

static ossa_status check_merges(ossa_context *context, const ossa_rig *rig)
{
	if (rig->merge_count > 0 && !rig->merges) return FAULT("the merges are missing");
	for (size_t f = 0; rig->face_clusters && f < rig->mesh->triangle_count; f++) {
		const uint32_t cluster = rig->face_clusters[f];
		if (cluster > f || rig->face_clusters[cluster] != cluster) {
			return FAULT("face %zu is in cluster %u, which is not named by its smallest face", f, cluster);
		}
	}
	for (size_t i = 0; i < rig->merge_count; i++) {
		const ossa_merge *merge = &rig->merges[i];
		if (merge->kept >= merge->gone || merge->gone >= rig->mesh->triangle_count) {
			return FAULT("merge %zu joins %u and %u, which are not two faces, the smaller first", i, merge->kept, merge->gone);
		}
		if (!isfinite(merge->error) || merge->error < 0)
			return FAULT("merge %zu has an error that is not a number from 0 on", i);
		const double before = i > 0 ? rig->merges[i - 1].error : 0;
		if (merge->error < before - TOLERANCE * (1 + before)) return FAULT("merge %zu is cheaper than the one before", i);
	}
	return OSSA_OK;
}

static ossa_status check_loops(ossa_context *context, const ossa_rig *rig)
{
	if (rig->loop_count > 0 && !rig->loops) return FAULT("the loops are missing");
	for (size_t i = 0; i < rig->loop_count; i++) {
		const ossa_loop *loop = &rig->loops[i];
		for (int k = 0; k < 3; k++) {
			if (!isfinite(loop->center[k])) return FAULT("loop %zu is cut at a position that is not finite", i);
		}
		for (int side = 0; side < 2; side++) {
			const int32_t bone = loop->bones[side];
			if (bone < 0 || (size_t)bone >= rig->skeleton.bone_count) return FAULT("loop %zu names bone %d", i, bone);
		}
	}
	return OSSA_OK;
}

static ossa_status check_dependencies(ossa_context *context, const ossa_rig *rig)
{
	size_t which;
	if (rig->dependency_count == 0) return OSSA_OK;
	if (!rig->dependencies) return FAULT("the dependencies of bones are missing");
	const char *fault = ossai_dependencies_fault(&rig->skeleton, rig->dependency_count, rig->dependencies, &which);
	return fault ? FAULT("dependency %zu of bones %s", which, fault) : OSSA_OK;
}

static ossa_status check_levels(ossa_context *context, const ossa_rig *rig)
{
	if (rig->level_count < 0 || rig->level_count > UINT8_MAX) return FAULT("%d levels are not possible", rig->level_count);
	if (rig->level_count > 0 && !rig->last_level) return FAULT("the bones' levels are missing");
	for (size_t b = 0; rig->level_count > 0 && b < rig->skeleton.bone_count; b++) {
		if (rig->last_level[b] < rig->level_count) continue;
		return FAULT("bone %zu is of level %d of %d", b, rig->last_level[b], rig->level_count);
	}
	return OSSA_OK;
}

static ossa_status check_body(ossa_context *context, const ossa_body *body)
{
	if (body->kind <= OSSA_BODY_NONE && (int)body->kind >= 0) return OSSA_OK;
	if (!ossa_body_is_known(body)) return FAULT("there is no kind %d of bodies", (int)body->kind);
	if (!isfinite(body->score) || !isfinite(body->runner_up_score) || !isfinite(body->front_odds))
		return FAULT("the score of the body is not finite");
	if (!ossai_is_unit(body->up, 3) || !ossai_is_unit(body->front, 3))
		return FAULT("the body's up or front is not a unit vector");
	return OSSA_OK;
}

ossa_status ossai_rig_check_whole(ossa_context *context, const ossa_rig *rig)
{
	const ossa_mesh *mesh = rig->mesh;
	const ossa_skeleton *skeleton = &rig->skeleton;
	if (!mesh) return FAULT("the rig has no mesh");
	if ((mesh->vertex_count > 0 && !mesh->positions) || (mesh->triangle_count > 0 && !mesh->triangles)) {
		return FAULT("the rig's mesh lacks its positions or triangles");
	}
	if (skeleton->bone_count > 0 && !skeleton->bones)
		return FAULT("the rig has %zu bones, and they are NULL", skeleton->bone_count);
	if (rig->weights.vertex_count > 0 && (!rig->weights.bones || !rig->weights.values))
		return FAULT("the rig's weights are NULL");
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		const int32_t parent = skeleton->bones[b].parent;
		if (b == 0 ? parent == -1 : parent >= 0 && (size_t)parent < b) continue;
		return FAULT(
			"bone %zu has the parent %d: the root is bone 0, with -1, and parents come before their children", b, (int)parent);
	}
	return check_dependencies(context, rig);
}

ossa_status ossai_rig_check_faces(ossa_context *context, const ossa_rig *rig)
{
	const ossa_mesh *mesh = rig->mesh;
	ossai_place place = OSSAI_NOWHERE;
	OSSAI_TRY(ossai_rig_check_whole(context, rig));
	for (size_t i = 0; i < 3 * mesh->vertex_count; i++) {
		place.vertex = (int64_t)(i / 3);
		if (!isfinite(mesh->positions[i])) return ossai_fail(context, OSSA_ERROR_INPUT, &place, "its position is not finite");
	}
	for (size_t i = 0; i < 3 * mesh->triangle_count; i++) {
		if (mesh->triangles[i] < mesh->vertex_count) continue;
		return FAULT("triangle %zu has the vertex %u of a mesh of %zu", i / 3, mesh->triangles[i], mesh->vertex_count);
	}
	return OSSA_OK;
}

static ossa_status check_other_clips(ossa_context *context, const ossa_rig *rig)
{
	if (rig->other_clip_count > 0 && !rig->clip)
		return FAULT("the rig has %zu other clips and no first", rig->other_clip_count);
	if (rig->other_clip_count > 0 && !rig->other_clips) return FAULT("the other clips are missing");
	for (size_t i = 0; i < rig->other_clip_count; i++) {
		if (!rig->other_clips[i]) return FAULT("the other clip %zu is missing", i);
		OSSAI_TRY(check_clip(context, rig, rig->other_clips[i]));
	}
	return OSSA_OK;
}

ossa_status ossa_rig_validate(ossa_context *context, const ossa_rig *rig)
{
	OSSAI_NEED(context, rig);
	if (!is_text(rig->method, sizeof rig->method)) return FAULT("the method's name is not terminated");
	if (!rig->mesh) return FAULT("the rig has no mesh");
	OSSAI_TRY(ossa_mesh_validate(context, rig->mesh));
	const size_t vertex_count = rig->mesh->vertex_count, bone_count = rig->skeleton.bone_count;
	OSSAI_TRY(check_skeleton(context, &rig->skeleton));
	OSSAI_TRY(check_weights(context, &rig->weights, vertex_count, bone_count));
	if (rig->free_weights.vertex_count > 0) {
		OSSAI_TRY(check_weights(context, &rig->free_weights, vertex_count, bone_count));
	}
	OSSAI_TRY(check_clip(context, rig, rig->clip));
	OSSAI_TRY(check_other_clips(context, rig));
	OSSAI_TRY(check_clip(context, rig, rig->free_clip));
	OSSAI_TRY(check_merges(context, rig));
	OSSAI_TRY(check_loops(context, rig));
	OSSAI_TRY(check_dependencies(context, rig));
	OSSAI_TRY(check_levels(context, rig));
	return check_body(context, &rig->body);
}

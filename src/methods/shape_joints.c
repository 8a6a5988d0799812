/* methods/shape_joints.c: which functions of a joint's turn a corrective shape may follow.

   Place in the path: stage of shapes.c.
   Input: a rig and its clip.
   Output: ramps about up to three axes of each joint (a hinge's own, else the principal axes of its
   rotation vectors), to both sides, each to the farthest angle from 0, from one third and from two
   thirds of it; vertices near the joint. Ramps of several beginnings add up to any function of the
   angle that is linear in between. */
#include "math/rigid_fit.h"
#include "math/turn_path.h"
#include "methods/shape_fit.h"
#include "rig/hinge.h"
#include "rig/shapes.h"
#include "rig/turns.h"

#include <string.h>

/* Degrees. A shape of a joint that turns less would come and go whole with a small pose of an
   animator, as a proxy of the motion of other joints. Errors of left out frames would be a little
   lower with 2 (of eleven characters two by 7 %, the others by less than 1 %), and higher with 10
   (five by 4 to 22 %). */
static const double LEAST_ANGLE = 5;
enum { BEGINNINGS = 3 };

/* in the mesh's axes at rest; returns how many */
static int find_axes(const ossa_rig *rig, size_t bone, double axis[3][3])
{
	const ossa_bone *own = &rig->skeleton.bones[bone];
	const ossa_clip *clip = rig->clip;
	double sum[9] = {0}, values[3], v[9];
	if (own->kind == OSSA_JOINT_HINGE) {
		memcpy(axis[0], own->axis, sizeof axis[0]);
		return 1;
	}
	const ossai_quat back = ossai_quat_conjugate(ossai_rest_rotation(rig->skeleton.bones, bone));
	for (size_t f = 0; f < clip->frame_count; f++) {
		const ossai_vec3 r = ossai_quat_log(ossai_turn_in(clip, f, bone, back));
		const double a[3] = {r.x, r.y, r.z};
		for (int i = 0; i < 9; i++) sum[i] += a[i / 3] * a[i % 3];
	}
	ossai_symmetric_eigen(3, sum, values, v);
	const ossai_mat3 frame = ossai_quat_matrix(ossai_quat_unit(ossai_quat_of(own->orientation)));
	for (int k = 0; k < 3; k++) ossai_v3_store(ossai_mat3_mul_v(&frame, ossai_v3(v[k], v[3 + k], v[6 + k])), axis[k]);
	return 3;
}

static void add_ramps(ossai_shape_joint *joint, const char *bone, const double axis[3], double farthest)
{
	if (fabs(farthest) < LEAST_ANGLE) return;
	for (int i = 0; i < BEGINNINGS; i++) {
		ossa_driver *ramp = &joint->ramp[joint->count++];
		memcpy(ramp->bone, bone, sizeof ramp->bone);
		memcpy(ramp->axis, axis, sizeof ramp->axis);
		ramp->from = i == 0 ? 0 : farthest * i / BEGINNINGS; /* never -0 */
		ramp->to = farthest;
	}
}

static ossa_status find_ramps(ossai_shape_work *w, size_t bone, ossai_shape_joint *joint)
{
	const ossa_rig *rig = w->rig;
	double axis[3][3];
	const int axes = find_axes(rig, bone, axis);
	for (int a = 0; a < axes; a++) {
		double least = 0, most = 0;
		for (size_t f = 0; f < rig->clip->frame_count; f++) {
			const double angle = ossai_driver_angle(rig, bone, axis[a], rig->clip, f);
			least = fmin(least, angle);
			most = fmax(most, angle);
		}
		add_ramps(joint, rig->skeleton.bones[bone].name, axis[a], most);
		add_ramps(joint, rig->skeleton.bones[bone].name, axis[a], least);
	}
	joint->weight = ossai_arena_new(w->arena, joint->count * w->frames, sizeof *joint->weight);
	if (!joint->weight) return ossa_context_error(w->context)->status;
	for (size_t r = 0; r < joint->count; r++) {
		for (size_t k = 0; k < w->frames; k++)
			joint->weight[r * w->frames + k] = ossai_driver_weight(
				&joint->ramp[r], ossai_driver_angle(rig, bone, joint->ramp[r].axis, rig->clip, w->frame[k]));
	}
	return OSSA_OK;
}

static bool is_near(const ossai_shape_work *w, size_t vertex, size_t bone)
{
	const ossa_weights *weights = &w->rig->weights;
	const int32_t parent = w->rig->skeleton.bones[bone].parent;
	const size_t first = vertex * (size_t)weights->influences;
	for (size_t i = first; i < first + (size_t)weights->influences; i++) {
		if (weights->values[i] > 0 && (weights->bones[i] == bone || weights->bones[i] == parent)) return true;
	}
	return false;
}

static ossa_status list_vertices(ossai_shape_work *w, size_t bone, ossai_shape_joint *joint)
{
	for (size_t v = 0; v < w->vertices; v++) joint->vertex_count += w->used[v] && is_near(w, v, bone);
	joint->vertex = ossai_arena_new(w->arena, joint->vertex_count, sizeof *joint->vertex);
	if (!joint->vertex) return ossa_context_error(w->context)->status;
	for (size_t v = 0, at = 0; v < w->vertices; v++) {
		if (w->used[v] && is_near(w, v, bone)) joint->vertex[at++] = (uint32_t)v;
	}
	return OSSA_OK;
}

ossa_status ossai_shape_joints_make(ossai_shape_work *w)
{
	w->joint = ossai_arena_zero(w->arena, w->bones, sizeof *w->joint);
	if (!w->joint) return ossa_context_error(w->context)->status;
	for (size_t b = 0; b < w->bones; b++) {
		const ossa_bone *bone = &w->rig->skeleton.bones[b];
		w->joint[b].gain = -1;
		/* a body that turns in the room bends nothing */
		if (bone->parent < 0 || bone->kind == OSSA_JOINT_ROOT) continue;
		OSSAI_TRY(find_ramps(w, b, &w->joint[b]));
		if (w->joint[b].count > 0) OSSAI_TRY(list_vertices(w, b, &w->joint[b]));
	}
	return OSSA_OK;
}

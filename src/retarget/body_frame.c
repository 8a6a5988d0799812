/* retarget/body_frame.c: see body_frame.h. */
#include "retarget/body_frame.h"

#include "conventions/find_roles.h"

#include <ossa/mesh.h>

enum { LEFT = 1, RIGHT = -1 };

/* ---- bones by role ---- */

size_t ossai_bones_of(
	const ossa_skeleton *skeleton, const ossa_role *role, ossa_body_part part, int side, uint32_t *bones, size_t space)
{
	size_t count = 0;
	for (size_t b = 0; b < skeleton->bone_count && count < space; b++) {
		if (role[b].part != part || role[b].side != side) continue;
		size_t at = count++;
		for (; at > 0 && role[bones[at - 1]].number > role[b].number; at--) bones[at] = bones[at - 1];
		bones[at] = (uint32_t)b;
	}
	return count;
}

uint32_t ossai_bone_of(const ossa_skeleton *skeleton, const ossa_role *role, ossa_body_part part, int side)
{
	const int32_t bone = ossai_bone_of_role(role, skeleton->bone_count, part, side);
	return bone < 0 ? OSSA_NONE : (uint32_t)bone;
}

/* ---- axes ---- */

typedef struct finder {
	const ossa_skeleton *skeleton;
	const ossa_role *role;
} finder;

static bool joint_of(const finder *f, ossa_body_part part, int side, ossai_vec3 *joint)
{
	const uint32_t bone = ossai_bone_of(f->skeleton, f->role, part, side);
	if (bone != OSSA_NONE) *joint = ossai_v3_of(f->skeleton->bones[bone].joint);
	return bone != OSSA_NONE;
}

static bool pair_of(const finder *f, ossa_body_part part, ossai_vec3 *left, ossai_vec3 *right)
{
	return joint_of(f, part, LEFT, left) && joint_of(f, part, RIGHT, right);
}

/* from the feet to where the legs begin */
static bool along_legs(const finder *f, ossa_body_part thigh, ossa_body_part foot, ossai_vec3 *up)
{
	ossai_vec3 left, right, left_foot, right_foot;
	if (!pair_of(f, thigh, &left, &right) || !pair_of(f, foot, &left_foot, &right_foot)) return false;
	*up = ossai_sub(ossai_add(left, right), ossai_add(left_foot, right_foot));
	return true;
}

static bool rough_up(const finder *f, ossai_vec3 *up)
{
	ossai_vec3 hips, head;
	if (along_legs(f, OSSA_PART_BACK_UPPER_LEG, OSSA_PART_BACK_FOOT, up)) return true;
	if (along_legs(f, OSSA_PART_FRONT_UPPER_LEG, OSSA_PART_FRONT_FOOT, up)) return true;
	if (!joint_of(f, OSSA_PART_HIPS, 0, &hips) || !joint_of(f, OSSA_PART_HEAD, 0, &head))
		return along_legs(f, OSSA_PART_UPPER_LEG, OSSA_PART_FOOT, up);
	*up = ossai_sub(head, hips);
	return true;
}

static ossai_vec3 nearest_axis(ossai_vec3 v)
{
	const double x = fabs(v.x), y = fabs(v.y), z = fabs(v.z);
	if (x > y && x > z) return ossai_v3(copysign(1, v.x), 0, 0);
	return y >= z ? ossai_v3(0, copysign(1, v.y), 0) : ossai_v3(0, 0, copysign(1, v.z));
}

bool ossai_find_body_frame(const ossa_skeleton *skeleton, const ossa_role *role, ossai_body_frame *frame)
{
	const finder f = {skeleton, role};
	ossai_vec3 up, left, right;
	if (!rough_up(&f, &up) || !(ossai_length(up) > 0)) return false;
	if (!pair_of(&f, OSSA_PART_UPPER_LEG, &left, &right) && !pair_of(&f, OSSA_PART_BACK_UPPER_LEG, &left, &right) &&
		!pair_of(&f, OSSA_PART_UPPER_ARM, &left, &right))
		return false;
	frame->up = nearest_axis(up);
	const ossai_vec3 across = ossai_sub(left, right);
	const ossai_vec3 level = ossai_madd(across, -ossai_dot(across, frame->up), frame->up);
	if (!(ossai_length(level) > 0)) return false;
	frame->left = ossai_unit(level, level);
	frame->front = ossai_cross(frame->left, frame->up);
	return true;
}

ossai_vec3 ossai_to_body(const ossai_body_frame *frame, ossai_vec3 v)
{
	return ossai_v3(ossai_dot(frame->left, v), ossai_dot(frame->up, v), ossai_dot(frame->front, v));
}

ossai_vec3 ossai_from_body(const ossai_body_frame *frame, ossai_vec3 v)
{
	return ossai_madd(ossai_madd(ossai_scale(frame->left, v.x), v.y, frame->up), v.z, frame->front);
}

/* Both frames are right-handed, so that the axis of a rotation changes like a vector. */
ossai_quat ossai_turn_to_body(const ossai_body_frame *frame, ossai_quat turn)
{
	const ossai_vec3 v = ossai_to_body(frame, ossai_v3(turn.x, turn.y, turn.z));
	return (ossai_quat){v.x, v.y, v.z, turn.w};
}

ossai_quat ossai_turn_from_body(const ossai_body_frame *frame, ossai_quat turn)
{
	const ossai_vec3 v = ossai_from_body(frame, ossai_v3(turn.x, turn.y, turn.z));
	return (ossai_quat){v.x, v.y, v.z, turn.w};
}

/* export/joints.c: see joints.h. */
#include "export/joints.h"

#include "rig/hinge.h"
#include "rig/slides.h"

#include <math.h>
#include <string.h>

/* radians: frames that differ by more are separate poses, as ossa_rig_find_limits has it */
static const double farthest_step = OSSAI_PI / 2;
/* of a length: the error of rotating it there and back */
static const double rounding = 1e-12;
/* degrees: less is no turn, or no crossing of a limit */
static const double still = 0.01, touching = 1e-3;
/* degrees: what ossa/rig.h allows */
static const double widest = 360;

/* ---- the rest pose ---- */

/* a bone's rotation against its parent's frame at rest */
static ossai_quat rest_rotation(const ossa_bone *bones, size_t b)
{
	const ossai_quat own = ossai_quat_unit(ossai_quat_of(bones[b].orientation));
	if (bones[b].parent < 0) return own;
	const ossai_quat parent = ossai_quat_unit(ossai_quat_of(bones[bones[b].parent].orientation));
	return ossai_quat_mul(ossai_quat_conjugate(parent), own);
}

/* a point in the frame of a bone at rest */
static void local_position(const ossa_bone *bone, const double *point, double *local)
{
	const ossai_mat3 frame = ossai_quat_matrix(ossai_quat_unit(ossai_quat_of(bone->orientation)));
	const ossai_vec3 offset = ossai_sub(ossai_v3_of(point), ossai_v3_of(bone->joint));
	ossai_v3_store(ossai_mat3_tmul_v(&frame, offset), local);
	/* rounding errors read as 0 */
	for (int k = 0; k < 3; k++) local[k] = fabs(local[k]) > rounding * ossai_length(offset) ? local[k] : 0;
}

void ossai_joint_end(const ossa_bone *bone, double position[3]) { local_position(bone, bone->tail, position); }

/* of a hinge the half turn that exchanges x and its axis, as a direction that is less than a right
   angle from x; else none */
static ossai_quat after_turn(const ossa_bone *bone)
{
	const ossai_vec3 x = ossai_v3(1, 0, 0), axis = ossai_hinge_axis(bone);
	if (!(ossai_length2(axis) > 0) || ossai_length(ossai_cross(axis, x)) < rounding) return ossai_quat_identity();
	const ossai_vec3 between = ossai_unit(ossai_add(x, axis.x < 0 ? ossai_scale(axis, -1) : axis), x);
	return (ossai_quat){between.x, between.y, between.z, 0};
}

static void find_rest(const ossa_bone *bones, size_t b, ossai_joints *joints)
{
	static const double none[3] = {0, 0, 0};
	const ossai_quat after = after_turn(&bones[b]);
	ossai_euler_near(ossai_quat_mul(rest_rotation(bones, b), after), OSSAI_EULER_ZYX, none, joints->rest[b]);
	ossai_euler_near(after, OSSAI_EULER_ZYX, none, joints->after[b]);
	if (bones[b].parent < 0) memcpy(joints->position[b], bones[b].joint, sizeof joints->position[b]);
	else local_position(&bones[bones[b].parent], bones[b].joint, joints->position[b]);
}

static void find_box(const ossa_bone *bones, size_t b, ossai_joints *joints)
{
	const ossa_bone *bone = &bones[b];
	double axis[3];
	joints->slides[b] = bone->kind == OSSA_JOINT_PRISMATIC && bone->parent >= 0 && bone->has_limits;
	if (!joints->slides[b]) return;
	ossai_v3_store(ossai_slide_axis(bones, b), axis);
	for (int k = 0; k < 3; k++) {
		const double one = axis[k] * bone->slide_limits[0], other = axis[k] * bone->slide_limits[1];
		joints->places[b][k][0] = joints->position[b][k] + fmin(one, other);
		joints->places[b][k][1] = joints->position[b][k] + fmax(one, other);
	}
}

static void find_leaves(const ossa_skeleton *skeleton, ossai_joints *joints)
{
	/* marked first: a leaf is no one's parent */
	memset(joints->leaves, 0, skeleton->bone_count * sizeof *joints->leaves);
	for (size_t b = 1; b < skeleton->bone_count; b++) joints->leaves[skeleton->bones[b].parent] = 1;
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		if (joints->leaves[b] == 0) joints->leaves[joints->leaf_count++] = (uint32_t)b;
	}
}

/* ---- motion ---- */

/* a bone's turn against the rest pose in a frame */
static ossai_quat turn_at(const ossa_clip *clip, size_t b, ossai_quat back, size_t frame)
{
	const double *local = clip->rotations + 4 * (frame * clip->bone_count + b);
	return ossai_quat_mul(back, ossai_quat_unit(ossai_quat_of(local)));
}

static int find_order(const ossa_rig *rig, size_t b)
{
	const ossai_quat back = ossai_quat_conjugate(rest_rotation(rig->skeleton.bones, b));
	ossai_euler_locks locks = {{0}};
	const ossa_bone *bone = &rig->skeleton.bones[b];
	if (bone->kind == OSSA_JOINT_HINGE || (bone->has_limits && !bone->limits_of_motion)) return OSSAI_EULER_XYZ;
	for (size_t i = 0; i < ossa_rig_clip_count(rig); i++) {
		const ossa_clip *clip = ossa_rig_clip_at(rig, i);
		for (size_t f = 0; f < clip->frame_count; f++) ossai_euler_watch(&locks, turn_at(clip, b, back, f));
	}
	return ossai_euler_choose(&locks, OSSAI_EULER_XYZ);
}

/* those of a clip, from frame `first` of all on */
static void find_turns(const ossa_rig *rig, const ossa_clip *clip, size_t first, size_t b, ossai_joints *joints)
{
	static const double none[3] = {0, 0, 0};
	const ossai_quat back = ossai_quat_conjugate(rest_rotation(rig->skeleton.bones, b));
	const ossai_quat after = after_turn(&rig->skeleton.bones[b]), before_it = ossai_quat_conjugate(after);
	const ossai_euler_order order = ossai_euler_orders[joints->order[b]];
	const double *before = none;
	ossai_quat last = ossai_quat_identity();
	for (size_t f = 0; f < clip->frame_count; f++) {
		const size_t at = (first + f) * joints->count + b;
		const ossai_quat turn = ossai_quat_mul(before_it, ossai_quat_mul(turn_at(clip, b, back, f), after));
		const bool leaps = ossai_quat_angle(ossai_quat_mul(ossai_quat_conjugate(last), turn)) > farthest_step;
		ossai_euler_near(turn, order, leaps ? none : before, joints->turns[at]);
		before = joints->turns[at];
		last = turn;
	}
}

/* ---- limits ---- */

/* degrees between which a joint turns about an axis, rest included */
static void range_of_turns(const ossai_joints *joints, size_t b, int axis, double *least, double *most)
{
	*least = *most = 0;
	for (size_t f = 0; f < joints->frame_count; f++) {
		const double turn = joints->turns[f * joints->count + b][axis];
		*least = fmin(*least, turn);
		*most = fmax(*most, turn);
	}
}

/* limits of turns in an order of the joint's own, as ossa_rig_find_limits finds them for XYZ */
static void limit_turns(ossai_joints *joints, size_t b, double slack)
{
	for (int axis = 0; axis < 3; axis++) {
		double least, most;
		range_of_turns(joints, b, axis, &least, &most);
		joints->limits[b][axis][0] = fmax(least - slack, -widest);
		joints->limits[b][axis][1] = fmin(most + slack, widest);
	}
}

/* about x the hinge's own, about y and z how far its motion is off its axis; limits of a motion
   contain its errors */
static void limit_hinge(const ossa_bone *bone, ossai_joints *joints, size_t b)
{
	double range[3][2], limits[2];
	for (int axis = 0; axis < 3; axis++) range_of_turns(joints, b, axis, &range[axis][0], &range[axis][1]);
	ossai_hinge_limits(bone, limits);
	const bool turned = ossai_hinge_axis(bone).x < 0, widen = bone->limits_of_motion;
	const double least = turned ? -limits[1] : limits[0], most = turned ? -limits[0] : limits[1];
	memcpy(joints->limits[b], range, sizeof range);
	joints->limits[b][0][0] = widen ? fmin(least, range[0][0]) : least;
	joints->limits[b][0][1] = widen ? fmax(most, range[0][1]) : most;
}

/* where a range is known, from the rig or its motion, and the motion keeps to it; returns whether
   the motion leaves one */
static bool switch_limits(const ossa_rig *rig, ossai_joints *joints, size_t b)
{
	const ossa_bone *bone = &rig->skeleton.bones[b];
	bool turns = false, leaves = false, outside[3];
	for (int axis = 0; axis < 3; axis++) {
		double least, most;
		range_of_turns(joints, b, axis, &least, &most);
		turns = turns || most - least > still;
		outside[axis] = least < joints->limits[b][axis][0] - touching || most > joints->limits[b][axis][1] + touching;
	}
	for (int axis = 0; axis < 3; axis++) {
		const bool is_off = (bone->kind == OSSA_JOINT_HINGE && axis > 0) || bone->kind == OSSA_JOINT_PRISMATIC;
		const bool known = bone->has_limits || is_off || (turns && bone->parent >= 0);
		joints->limited[b][axis] = known && !outside[axis];
		leaves = leaves || (known && outside[axis]);
	}
	return leaves;
}

static ossa_status find_limits(ossai_arena *arena, const ossa_rig *rig, double slack, ossai_joints *joints)
{
	/* the caller's bones do not change */
	ossa_rig limited = *rig;
	limited.skeleton.bones = ossai_arena_new(arena, joints->count, sizeof *limited.skeleton.bones);
	if (!limited.skeleton.bones) return ossa_context_error(arena->context)->status;
	memcpy(limited.skeleton.bones, rig->skeleton.bones, joints->count * sizeof *limited.skeleton.bones);
	OSSAI_TRY(ossa_rig_find_limits(arena->context, &limited, slack));
	int64_t leaving = 0;
	for (size_t b = 0; b < joints->count; b++) {
		memcpy(joints->limits[b], limited.skeleton.bones[b].limits, sizeof joints->limits[b]);
		if (rig->skeleton.bones[b].kind == OSSA_JOINT_HINGE) limit_hinge(&limited.skeleton.bones[b], joints, b);
		else if (joints->order[b] != OSSAI_EULER_XYZ) limit_turns(joints, b, slack);
		leaving += switch_limits(rig, joints, b);
	}
	if (leaving > 0) {
		ossai_warn(arena->context, "limits-left", leaving,
			"the motion turns joints farther than their limits: limits that it leaves are switched off in the file");
	}
	return OSSA_OK;
}

ossa_status ossai_joints_find(ossai_arena *arena, const ossa_rig *rig, double slack, bool own_orders, ossai_joints *joints)
{
	const size_t count = rig->skeleton.bone_count;
	*joints = (ossai_joints){.count = count};
	for (size_t i = 0; i < ossa_rig_clip_count(rig); i++) joints->frame_count += ossa_rig_clip_at(rig, i)->frame_count;
	const bool moves = joints->frame_count > 0;
	joints->position = ossai_arena_new(arena, count, sizeof *joints->position);
	joints->rest = ossai_arena_new(arena, count, sizeof *joints->rest);
	joints->after = ossai_arena_new(arena, count, sizeof *joints->after);
	joints->order = ossai_arena_zero(arena, count, sizeof *joints->order);
	joints->limits = ossai_arena_new(arena, count, sizeof *joints->limits);
	joints->limited = ossai_arena_new(arena, count, sizeof *joints->limited);
	joints->places = ossai_arena_zero(arena, count, sizeof *joints->places);
	joints->slides = ossai_arena_zero(arena, count, sizeof *joints->slides);
	joints->leaves = ossai_arena_new(arena, count, sizeof *joints->leaves);
	if (moves) joints->turns = ossai_arena_new(arena, joints->frame_count * count, sizeof *joints->turns);
	if (!joints->position || !joints->rest || !joints->after || !joints->order || !joints->limits || !joints->limited ||
		!joints->leaves || !joints->places || !joints->slides || (moves && !joints->turns)) {
		return ossa_context_error(arena->context)->status;
	}
	for (size_t b = 0; b < count; b++) {
		find_rest(rig->skeleton.bones, b, joints);
		find_box(rig->skeleton.bones, b, joints);
		if (moves && own_orders) joints->order[b] = find_order(rig, b);
		for (size_t i = 0, first = 0; i < ossa_rig_clip_count(rig); i++) {
			find_turns(rig, ossa_rig_clip_at(rig, i), first, b, joints);
			first += ossa_rig_clip_at(rig, i)->frame_count;
		}
	}
	find_leaves(&rig->skeleton, joints);
	return find_limits(arena, rig, slack, joints);
}

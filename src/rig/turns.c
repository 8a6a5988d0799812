/* rig/turns.c: measures what joints do in a motion, relative to their rest poses.

   Place in the path: after motion, under limits, edits and export.
   Input: a rig, a clip.
   Output: ranges, axes, violations of limits.

   A joint's rotation relative to its rest pose (its turn) is decomposed into rotations about the
   frame's own axes, rest^-1 local = Rz Ry Rx. Of the equivalent triples the one nearest to that of
   the frame before is taken (math/euler.h), so that a range is the angle that the joint covers and
   does not jump where the arc tangent does. */
#include "rig/turns.h"

#include "base/context.h"
#include "math/euler.h"
#include "math/turn_path.h"
#include "rig/hinge.h"
#include "rig/slides.h"
#include "rig/universal_joint.h"

#include <ossa/edit_motion.h>
#include <stdio.h>
#include <string.h>

/* radians: frames that differ by more are separate poses, not a path from one to the next */
static const double FARTHEST_STEP = OSSAI_PI / 2;
/* radians: less than a hundredth of a degree in all frames is no turn */
static const double STILL = 0.01 * OSSAI_PI / 180;
/* degrees beyond a limit that are rounding of files */
static const double TOUCHING = 0.01;

ossai_quat ossai_rest_rotation(const ossa_bone *bones, size_t bone)
{
	const ossai_quat own = ossai_quat_unit(ossai_quat_of(bones[bone].orientation));
	if (bones[bone].parent < 0) return own;
	const ossai_quat parent = ossai_quat_unit(ossai_quat_of(bones[bones[bone].parent].orientation));
	return ossai_quat_mul(ossai_quat_conjugate(parent), own);
}

ossai_quat ossai_turn_in(const ossa_clip *clip, size_t frame, size_t bone, ossai_quat back)
{
	const double *local = clip->rotations + (frame * clip->bone_count + bone) * 4;
	return ossai_quat_mul(back, ossai_quat_unit(ossai_quat_of(local)));
}

static bool is_bone(const ossa_rig *rig, size_t bone) { return rig && rig->skeleton.bones && bone < rig->skeleton.bone_count; }

bool ossa_rig_turn_range(const ossa_rig *rig, const ossa_clip *clip, size_t bone, double range[3][2])
{
	double unwanted[3][2];
	if (!range) range = unwanted;
	memset(range, 0, 3 * sizeof range[0]);
	if (!is_bone(rig, bone)) return false;
	if (!clip) clip = rig->clip;
	if (!clip) return false;
	const ossai_quat back = ossai_quat_conjugate(ossai_rest_rotation(rig->skeleton.bones, bone));
	ossai_quat last = ossai_quat_identity();
	double angles[3] = {0, 0, 0};
	bool turns = false;
	for (size_t f = 0; f < clip->frame_count; f++) {
		const ossai_quat turn = ossai_turn_in(clip, f, bone, back);
		const bool leaps = ossai_quat_angle(ossai_quat_mul(ossai_quat_conjugate(last), turn)) > FARTHEST_STEP;
		const double near[3] = {leaps ? 0 : angles[0], leaps ? 0 : angles[1], leaps ? 0 : angles[2]};
		ossai_euler_near(turn, OSSAI_EULER_ZYX, near, angles);
		for (int axis = 0; axis < 3; axis++) {
			range[axis][0] = fmin(range[axis][0], angles[axis]);
			range[axis][1] = fmax(range[axis][1], angles[axis]);
		}
		turns = turns || ossai_quat_angle(turn) > STILL;
		last = turn;
	}
	if (!turns) memset(range, 0, 3 * sizeof range[0]);
	return turns;
}

/* ---- the axis of bending ---- */

/* orients `axis` so that the motion is larger about it than against it */
static ossai_vec3 with_the_motion(const ossa_clip *clip, size_t bone, ossai_quat back, ossai_vec3 axis)
{
	double least = 0, most = 0;
	for (size_t f = 0; f < clip->frame_count; f++) {
		const double angle = ossai_dot(ossai_quat_log(ossai_turn_in(clip, f, bone, back)), axis);
		least = fmin(least, angle);
		most = fmax(most, angle);
	}
	return most < -least ? ossai_scale(axis, -1) : axis;
}

/* the direction in which the rotation vectors are longest, by the power method from the longest of
   them; 0 where none is */
static ossai_vec3 main_axis(const ossa_clip *clip, size_t bone, ossai_quat back)
{
	enum { ROUNDS = 100 };
	ossai_mat3 sum = {{{0}}};
	ossai_vec3 longest = {0, 0, 0};
	for (size_t f = 0; f < clip->frame_count; f++) {
		const ossai_vec3 r = ossai_quat_log(ossai_turn_in(clip, f, bone, back));
		const double v[3] = {r.x, r.y, r.z};
		for (int i = 0; i < 3; i++) {
			for (int j = 0; j < 3; j++) sum.m[i][j] += v[i] * v[j];
		}
		if (ossai_length2(r) > ossai_length2(longest)) longest = r;
	}
	const ossai_vec3 none = {0, 0, 0};
	if (ossai_length(longest) <= STILL) return none;
	ossai_vec3 axis = ossai_unit(longest, none);
	for (int round = 0; round < ROUNDS; round++) axis = ossai_unit(ossai_mat3_mul_v(&sum, axis), axis);
	return axis;
}

bool ossa_rig_bend_axis(const ossa_rig *rig, const ossa_clip *clip, size_t bone, double axis[3])
{
	if (axis) memset(axis, 0, 3 * sizeof *axis);
	if (!is_bone(rig, bone)) return false;
	const ossa_bone *own = &rig->skeleton.bones[bone];
	if (!clip) clip = rig->clip;
	const ossai_quat back = ossai_quat_conjugate(ossai_rest_rotation(rig->skeleton.bones, bone));
	ossai_vec3 found = ossai_hinge_axis(own);
	if (own->kind != OSSA_JOINT_HINGE && clip) found = main_axis(clip, bone, back);
	if (clip) found = with_the_motion(clip, bone, back, found);
	if (axis) ossai_v3_store(found, axis);
	return ossai_length2(found) > 0.5;
}

/* ---- limits ---- */

/* each angle about the frame's own axes clamped to its range */
static ossai_quat within_box(const ossa_bone *bone, ossai_quat turn, double *past)
{
	double center[3], angles[3];
	for (int axis = 0; axis < 3; axis++) center[axis] = 0.5 * (bone->limits[axis][0] + bone->limits[axis][1]);
	/* of all equivalent triples the one nearest to the center of the limits: whole turns are
	   allowed where limits contain them */
	ossai_euler_near(turn, OSSAI_EULER_ZYX, center, angles);
	*past = 0;
	for (int axis = 0; axis < 3; axis++) {
		const double inside = fmax(bone->limits[axis][0], fmin(bone->limits[axis][1], angles[axis]));
		*past = fmax(*past, fabs(angles[axis] - inside));
		angles[axis] = inside;
	}
	return ossai_euler_quat(angles, OSSAI_EULER_ZYX);
}

/* the turn about the axis alone, within the hinge's limits: where that is off the box, as a slanted
   axis may be by the two other angles, the axis counts */
static ossai_quat within_hinge(const ossa_bone *bone, ossai_quat turn, double *past)
{
	double limits[2], past_box, past_axis;
	const ossai_vec3 axis = ossai_hinge_axis(bone);
	ossai_hinge_limits(bone, limits);
	const double angle = ossai_hinge_angle(turn, axis, 0.5 * (limits[0] + limits[1]));
	const double inside = fmax(limits[0], fmin(limits[1], angle));
	const ossai_quat own = ossai_quat_axis_angle(axis, inside * OSSAI_PI / 180);
	within_box(bone, turn, &past_box);
	within_box(bone, own, &past_axis);
	*past = fmax(fabs(angle - inside), past_box - past_axis);
	return own;
}

/* the same about two axes. Limits that are known about these count, and the box only for what is
   off the joint: a turn that the joint can make keeps its angles where they are inside */
static ossai_quat within_universal(const ossa_bone *bone, ossai_quat turn, double *past)
{
	const ossai_quat frame = ossai_universal_frame(bone);
	double limits[2][2], center[2], degrees[2], off, past_box, past_own;
	ossai_universal_limits(bone, limits);
	for (int i = 0; i < 2; i++) center[i] = 0.5 * (limits[i][0] + limits[i][1]);
	ossai_universal_angles(frame, turn, center, degrees, &off);
	*past = 0;
	for (int i = 0; i < 2; i++) {
		const double inside = fmax(limits[i][0], fmin(limits[i][1], degrees[i]));
		*past = fmax(*past, fabs(degrees[i] - inside));
		degrees[i] = inside;
	}
	const ossai_quat own = ossai_universal_turn(frame, degrees);
	within_box(bone, turn, &past_box);
	within_box(bone, own, &past_own);
	*past = fmax(*past, past_box - past_own);
	return own;
}

ossai_quat ossai_turn_within_limits(const ossa_bone *bone, ossai_quat turn, double *past)
{
	ossai_quat inside = within_box(bone, turn, past);
	if (*past > TOUCHING && bone->kind == OSSA_JOINT_HINGE) inside = within_hinge(bone, turn, past);
	if (bone->kind == OSSA_JOINT_UNIVERSAL) inside = within_universal(bone, turn, past);
	if (*past > TOUCHING) return inside;
	*past = 0;
	return turn;
}

/* a slide is beyond its limits by more than what rounding to floats of a file makes of it */
static double slide_rounding(const ossa_bone *bone) { return 1e-5 * (bone->slide_limits[1] - bone->slide_limits[0]); }

static ossa_limit_facts slide_past_limits(const ossa_rig *rig, const ossa_clip *clip, size_t bone, size_t first, size_t last)
{
	ossa_limit_facts facts = {0};
	const ossa_bone *own = &rig->skeleton.bones[bone];
	const double rounding = slide_rounding(own);
	for (size_t f = first; f <= last && f < clip->frame_count; f++) {
		double past;
		ossai_slide_within_limits(own, ossai_slide_in(rig, clip, f, bone), &past);
		if (past <= rounding) continue;
		facts.frame_count++;
		if (past <= facts.most_distance) continue;
		facts.most_distance = past;
		facts.most_frame = f;
	}
	return facts;
}

ossa_limit_facts ossa_rig_past_limits(const ossa_rig *rig, const ossa_clip *clip, size_t bone, size_t first, size_t last)
{
	ossa_limit_facts facts = {0};
	if (!is_bone(rig, bone)) return facts;
	const ossa_bone *own = &rig->skeleton.bones[bone];
	if (!clip) clip = rig->clip;
	if (!clip || !own->has_limits) return facts;
	if (own->kind == OSSA_JOINT_PRISMATIC) return slide_past_limits(rig, clip, bone, first, last);
	const ossai_quat back = ossai_quat_conjugate(ossai_rest_rotation(rig->skeleton.bones, bone));
	for (size_t f = first; f <= last && f < clip->frame_count; f++) {
		double past;
		ossai_turn_within_limits(own, ossai_turn_in(clip, f, bone, back), &past);
		facts.frame_count += past > 0;
		if (past <= facts.most_degrees) continue;
		facts.most_degrees = past;
		facts.most_frame = f;
	}
	return facts;
}

/* joints of one kind that a motion takes past their limits, farther than another did */
typedef struct past_limits {
	size_t count, worst; /* joints; which of them */
	ossa_limit_facts facts;
} past_limits;

static double most_of(const ossa_limit_facts *facts) { return fmax(facts->most_degrees, facts->most_distance); }

static void add_past(const ossa_rig *rig, const ossa_clip *before, const ossa_clip *clip, size_t b, past_limits *past)
{
	const ossa_limit_facts now = ossa_rig_past_limits(rig, clip, b, 0, SIZE_MAX);
	const bool slides = rig->skeleton.bones[b].kind == OSSA_JOINT_PRISMATIC;
	ossa_limit_facts old = {0};
	if (before) old = ossa_rig_past_limits(rig, before, b, 0, SIZE_MAX);
	const double touching = slides ? slide_rounding(&rig->skeleton.bones[b]) : TOUCHING;
	const bool goes_farther = most_of(&now) > most_of(&old) + touching;
	if (now.frame_count == 0 || (now.frame_count <= old.frame_count && !goes_farther)) return;
	if (past->count == 0 || most_of(&now) > most_of(&past->facts)) {
		past->facts = now;
		past->worst = b;
	}
	past->count++;
}

/* nothing where none does */
static void describe_past(const ossa_rig *rig, const ossa_clip *clip, const past_limits *past, bool slide, char text[256])
{
	const bool many = past->count > 1;
	text[0] = 0;
	if (past->count == 0) return;
	snprintf(text, 256, "%zu joint%s %s%s past the limits, the farthest %.63s by %.3g %s in frame %zu of %zu", past->count,
		many ? "s" : "", slide ? "slide" : "turn", many ? "" : "s", rig->skeleton.bones[past->worst].name,
		most_of(&past->facts), slide ? "units of the mesh" : "degrees", past->facts.most_frame + 1, clip->frame_count);
}

size_t ossa_rig_warn_past_limits(ossa_context *context, const ossa_rig *rig, const ossa_clip *before, const ossa_clip *clip)
{
	past_limits turns = {0}, slides = {0};
	char turned[256], slid[256];
	if (rig && !clip) clip = rig->clip;
	if (!context || !rig || !clip) return 0;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++)
		add_past(rig, before, clip, b, rig->skeleton.bones[b].kind == OSSA_JOINT_PRISMATIC ? &slides : &turns);
	const size_t count = turns.count + slides.count;
	describe_past(rig, clip, &turns, false, turned);
	describe_past(rig, clip, &slides, true, slid);
	if (count > 0) {
		ossai_warn(context, "past-limits", (int64_t)count, "%s%s%s", turned, turned[0] && slid[0] ? "; " : "", slid);
	}
	return count;
}

/* ---- as values ---- */

void ossa_turn_of_degrees(const double degrees[3], double rotation[4])
{
	if (degrees && rotation) ossai_quat_store(ossai_euler_quat(degrees, OSSAI_EULER_ZYX), rotation);
}

void ossa_turn_about(const double axis[3], double degrees, double rotation[4])
{
	if (!axis || !rotation) return;
	const ossai_vec3 none = {0, 0, 0}, unit = ossai_unit(ossai_v3_of(axis), none);
	const bool turns = ossai_length2(unit) > 0;
	ossai_quat_store(turns ? ossai_quat_axis_angle(unit, degrees * (OSSAI_PI / 180)) : ossai_quat_identity(), rotation);
}

void ossa_rig_turn(const ossa_rig *rig, const ossa_clip *clip, size_t frame, size_t bone, double rotation[4], double degrees[3])
{
	if (rotation) ossai_quat_store(ossai_quat_identity(), rotation);
	if (degrees) memset(degrees, 0, 3 * sizeof *degrees);
	if (rig && !clip) clip = rig->clip;
	if (!rig || !clip || frame >= clip->frame_count || bone >= clip->bone_count) return;
	const ossai_quat local = ossai_quat_unit(ossai_quat_of(clip->rotations + 4 * (frame * clip->bone_count + bone)));
	const ossai_quat rest = ossai_rest_rotation(rig->skeleton.bones, bone);
	const ossai_quat turn = ossai_quat_mul(ossai_quat_conjugate(rest), local);
	if (rotation) ossai_quat_store(turn, rotation);
	if (degrees) ossai_euler_near(turn, OSSAI_EULER_ZYX, (const double[3]){0, 0, 0}, degrees);
}

/* tests/support/people.c: see people.h. */
#include "support/people.h"

#include "support/boxes.h"

#include <stdio.h>
#include <string.h>

enum { MOST_BOXES = 250, NO_PARENT = -1, VERTICES_OF_BOX = 8 };

/* ---- names ---- */

typedef struct naming {
	const char *side[2];
	const char *part[PERSON_PARTS]; /* * stands for the side */
} naming;

static const naming namings[PERSON_NUMBERS] = {
	[PERSON_BODY] = {{"L", "R"},
		{"pelvis", "spine_01", "spine_02", "spine_03", "neck", "head", "clavicle_*", "upperarm_*", "lowerarm_*", "hand_*",
			"thigh_*", "calf_*", "foot_*", "toe_*"}},
	[PERSON_MIXAMO] = {{"Left", "Right"},
		{"mixamorig_Hips", "mixamorig_Spine", "mixamorig_Spine1", "mixamorig_Spine2", "mixamorig_Neck", "mixamorig_Head",
			"mixamorig_*Shoulder", "mixamorig_*Arm", "mixamorig_*ForeArm", "mixamorig_*Hand", "mixamorig_*UpLeg",
			"mixamorig_*Leg", "mixamorig_*Foot", "mixamorig_*ToeBase"}},
	[PERSON_UNREAL] = {{"l", "r"},
		{"pelvis", "spine_01", "spine_02", "spine_03", "neck_01", "head", "clavicle_*", "upperarm_*", "lowerarm_*", "hand_*",
			"thigh_*", "calf_*", "foot_*", "ball_*"}},
	[PERSON_VRM] = {{"left", "right"},
		{"hips", "spine", "chest", "upperChest", "neck", "head", "*Shoulder", "*UpperArm", "*LowerArm", "*Hand", "*UpperLeg",
			"*LowerLeg", "*Foot", "*Toes"}},
	[PERSON_UNITY] = {{"Left", "Right"},
		{"Hips", "Spine", "Chest", "UpperChest", "Neck", "Head", "*Shoulder", "*UpperArm", "*LowerArm", "*Hand", "*UpperLeg",
			"*LowerLeg", "*Foot", "*Toes"}},
	[PERSON_BIPED] = {{"L", "R"},
		{"Bip01_Pelvis", "Bip01_Spine", "Bip01_Spine1", "Bip01_Spine2", "Bip01_Neck", "Bip01_Head", "Bip01_*_Clavicle",
			"Bip01_*_UpperArm", "Bip01_*_Forearm", "Bip01_*_Hand", "Bip01_*_Thigh", "Bip01_*_Calf", "Bip01_*_Foot",
			"Bip01_*_Toe0"}},
};

static void print_name(const person_form *form, person_part part, int side, size_t bone, char name[64])
{
	if (form->names == PERSON_NUMBERS) {
		snprintf(name, 64, "bone_%02zu", bone + 1);
		return;
	}
	const char *pattern = namings[form->names].part[part];
	const size_t before = strcspn(pattern, "*");
	const char *after = pattern[before] ? pattern + before + 1 : "",
			   *word = pattern[before] ? namings[form->names].side[side] : "";
	snprintf(name, 64, "%.*s%s%s", (int)before, pattern, word, after);
}

/* ---- bones ---- */

typedef struct builder {
	person_form form;
	size_t count;
	test_box box[MOST_BOXES];
	char name[MOST_BOXES][64];
	person *person;
} builder;

static int add_box(builder *b, int parent, ossai_vec3 joint, ossai_vec3 tail, double radius)
{
	test_box *box = &b->box[b->count];
	assert_true(b->count < MOST_BOXES);
	box->name = b->name[b->count];
	box->parent = parent == NO_PARENT ? NULL : b->name[parent];
	ossai_v3_store(joint, box->joint);
	ossai_v3_store(tail, box->tail);
	box->radius = radius;
	return (int)b->count++;
}

static int add_part(builder *b, person_part part, int side, int parent, ossai_vec3 joint, ossai_vec3 tail, double radius)
{
	b->person->bone[part][side] = (uint32_t)b->count;
	print_name(&b->form, part, side, b->count, b->name[b->count]);
	return add_box(b, parent, joint, tail, radius);
}

static ossai_vec3 mirrored(ossai_vec3 v, int side) { return ossai_v3(side ? -v.x : v.x, v.y, v.z); }

static ossai_vec3 beyond(ossai_vec3 from, double length, double x, double y, double z)
{
	return ossai_madd(from, length, ossai_v3(x, y, z));
}

static void add_fingers(builder *b, int hand, int side, ossai_vec3 palm)
{
	static const char *const fingers[] = {"thumb", "index", "middle", "ring", "pinky"};
	for (int finger = 0; finger < b->form.fingers; finger++) {
		ossai_vec3 at = ossai_add(palm, ossai_v3(0, 0, 0.03 - 0.015 * finger));
		int parent = hand;
		for (int k = 0; k < 3; k++) {
			const ossai_vec3 next = ossai_add(at, mirrored(ossai_v3(0.012, -0.015, 0), side));
			snprintf(b->name[b->count], 64, "%s_%02d_%s", fingers[finger], k + 1, side ? "R" : "L");
			parent = add_box(b, parent, at, next, 0.005);
			at = next;
		}
	}
}

static void add_arm(builder *b, int side, int chest)
{
	const double length = b->form.arm;
	const ossai_vec3 neck = mirrored(ossai_v3(0.03, 1.40, 0), side), shoulder = mirrored(ossai_v3(0.17, 1.42, -0.01), side);
	const ossai_vec3 elbow = ossai_madd(shoulder, length, mirrored(ossai_v3(0.19, -0.20, -0.01), side));
	const ossai_vec3 wrist = ossai_madd(elbow, length, mirrored(ossai_v3(0.18, -0.18, 0.02), side));
	const ossai_vec3 tip = ossai_add(wrist, mirrored(ossai_v3(0.07, -0.08, 0.01), side));
	int bone = add_part(b, PERSON_CLAVICLE, side, chest, neck, shoulder, 0.03);
	bone = add_part(b, PERSON_UPPER_ARM, side, bone, shoulder, elbow, 0.04);
	bone = add_part(b, PERSON_LOWER_ARM, side, bone, elbow, wrist, 0.03);
	bone = add_part(b, PERSON_HAND, side, bone, wrist, tip, 0.03);
	add_fingers(b, bone, side, tip);
}

/* knees bend a little ahead, ankles are behind them */
static void add_leg(builder *b, int side, int hips, double hip_height)
{
	const ossai_vec3 hip = mirrored(ossai_v3(0.09, hip_height, 0), side);
	const ossai_vec3 knee = ossai_madd(hip, b->form.thigh, mirrored(ossai_v3(0.015, -0.42, 0.015), side));
	const ossai_vec3 ankle = ossai_madd(knee, b->form.calf, mirrored(ossai_v3(0.005, -0.41, -0.035), side));
	const ossai_vec3 ball = ossai_madd(ankle, b->form.foot, mirrored(ossai_v3(0.01, -0.06, 0.13), side));
	const ossai_vec3 tip = ossai_madd(ball, b->form.foot, mirrored(ossai_v3(0.005, -0.005, 0.07), side));
	const ossai_vec3 middle = ossai_lerp(knee, ankle, 0.5);
	int bone = add_part(b, PERSON_THIGH, side, hips, hip, knee, 0.06);
	bone = add_part(b, PERSON_CALF, side, bone, knee, b->form.split_calves ? middle : ankle, 0.045);
	if (b->form.split_calves) {
		snprintf(b->name[bone], 64, "calf_01_%s", side ? "R" : "L");
		snprintf(b->name[b->count], 64, "calf_02_%s", side ? "R" : "L");
		bone = add_box(b, bone, middle, ankle, 0.04);
	}
	bone = add_part(b, PERSON_FOOT, side, bone, ankle, ball, 0.03);
	add_part(b, PERSON_TOES, side, bone, ball, tip, 0.02);
}

static void add_trunk(builder *b)
{
	const int spines = b->form.spines;
	ossai_vec3 at = ossai_v3(0, 1.05, 0);
	const ossai_vec3 neck = ossai_v3(0, 1.45, -0.01), head = ossai_v3(0, 1.55, 0.01), top = ossai_v3(0, 1.75, 0.02);
	const int hips = add_part(b, PERSON_HIPS, 0, NO_PARENT, ossai_v3(0, 0.95, 0), at, 0.1);
	int bone = hips;
	for (int i = 0; i < spines; i++) {
		const ossai_vec3 next = ossai_lerp(ossai_v3(0, 1.05, 0), neck, (i + 1.0) / spines);
		bone = add_part(b, (person_part)(PERSON_SPINE_1 + i), 0, bone, at, next, 0.1);
		at = next;
	}
	const int chest = bone;
	bone = add_part(b, PERSON_NECK, 0, chest, neck, head, 0.04);
	bone = add_part(b, PERSON_HEAD, 0, bone, head, top, 0.08);
	for (int i = 0; i < b->form.strands; i++) {
		snprintf(b->name[b->count], 64, "hair_%02d", i + 1);
		add_box(b, bone, top, beyond(top, 0.1, cos(i), 0.5, sin(i)), 0.005);
	}
	add_arm(b, 0, chest);
	add_arm(b, 1, chest);
	add_leg(b, 0, hips, 0.92);
	add_leg(b, 1, hips, 0.92);
}

/* frames of bones are not those of the mesh, nor of each other */
static void turn_frames(ossa_skeleton *skeleton)
{
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		const double x = (double)b;
		ossai_quat_store(ossai_quat_exp(ossai_v3(0.3 * x, 1, -0.2 * x)), skeleton->bones[b].orientation);
	}
}

person person_make(ossa_context *context, person_form form)
{
	person p = {.context = context};
	static builder b;
	double *lengths[] = {&form.thigh, &form.calf, &form.foot, &form.arm};
	memset(&b, 0, sizeof b);
	memset(p.bone, 0xff, sizeof p.bone);
	for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) *lengths[i] = *lengths[i] > 0 ? *lengths[i] : 1;
	form.spines = form.spines > 0 ? form.spines : 2;
	b.form = form;
	b.person = &p;
	add_trunk(&b);
	assert_ok(context, test_boxes_rig(context, b.count, b.box, &p.rig));
	turn_frames(&p.rig->skeleton);
	return p;
}

void person_end(person *p) { ossa_rig_free(p->context, p->rig); }

/* ---- rest ---- */

static bool is_below(const ossa_skeleton *skeleton, size_t bone, size_t above)
{
	int32_t b = (int32_t)bone;
	while (b >= 0 && (size_t)b != above) b = skeleton->bones[b].parent;
	return b >= 0;
}

static void turn_about(double *point, ossai_vec3 center, const ossai_mat3 *turn)
{
	ossai_v3_store(ossai_add(center, ossai_mat3_mul_v(turn, ossai_sub(ossai_v3_of(point), center))), point);
}

void person_bend(person *p, person_part part, int side, ossai_vec3 axis, double degrees)
{
	ossa_skeleton *skeleton = &p->rig->skeleton;
	const uint32_t bone = p->bone[part][side];
	const ossai_quat turn = ossai_quat_axis_angle(axis, degrees * OSSAI_PI / 180);
	const ossai_mat3 matrix = ossai_quat_matrix(turn);
	const ossai_vec3 center = ossai_v3_of(skeleton->bones[bone].joint);
	assert_null(p->rig->clip);
	for (size_t b = bone; b < skeleton->bone_count; b++) {
		ossa_bone *own = &skeleton->bones[b];
		if (!is_below(skeleton, b, bone)) continue;
		turn_about(own->joint, center, &matrix);
		turn_about(own->tail, center, &matrix);
		ossai_quat_store(ossai_quat_mul(turn, ossai_quat_of(own->orientation)), own->orientation);
		for (size_t v = b * VERTICES_OF_BOX; v < (b + 1) * VERTICES_OF_BOX; v++) {
			float *at = p->rig->mesh->positions + 3 * v;
			const ossai_vec3 from = ossai_sub(ossai_v3_of_float(at), center);
			const ossai_vec3 to = ossai_add(center, ossai_mat3_mul_v(&matrix, from));
			at[0] = (float)to.x;
			at[1] = (float)to.y;
			at[2] = (float)to.z;
		}
	}
}

void person_move(person *p, double scale, ossai_quat turn)
{
	ossa_rig *rig = p->rig;
	ossai_mat3 matrix = ossai_quat_matrix(turn);
	for (int i = 0; i < 9; i++) matrix.m[i / 3][i % 3] *= scale;
	for (size_t v = 0; v < rig->mesh->vertex_count; v++) {
		float *at = rig->mesh->positions + 3 * v;
		const ossai_vec3 to = ossai_mat3_mul_v(&matrix, ossai_v3_of_float(at));
		at[0] = (float)to.x;
		at[1] = (float)to.y;
		at[2] = (float)to.z;
	}
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		ossa_bone *bone = &rig->skeleton.bones[b];
		turn_about(bone->joint, ossai_v3(0, 0, 0), &matrix);
		turn_about(bone->tail, ossai_v3(0, 0, 0), &matrix);
		ossai_quat_store(ossai_quat_mul(turn, ossai_quat_of(bone->orientation)), bone->orientation);
	}
	for (size_t f = 0; rig->clip && f < rig->clip->frame_count; f++) {
		double *rotation = rig->clip->rotations + 4 * f * rig->clip->bone_count;
		turn_about(rig->clip->root_positions + 3 * f, ossai_v3(0, 0, 0), &matrix);
		ossai_quat_store(ossai_quat_mul(turn, ossai_quat_of(rotation)), rotation);
	}
}

/* ---- motion ---- */

static ossai_quat about(double x, double y, double z, double degrees)
{
	return ossai_quat_axis_angle(ossai_unit(ossai_v3(x, y, z), ossai_v3(1, 0, 0)), degrees * OSSAI_PI / 180);
}

/* how a part turns against its parent in the walk, in the person's own axes: about its left, legs
   go back */
static ossai_quat walk_turn(person_part part, int side, double phase)
{
	const double step = sin(phase + (side ? OSSAI_PI : 0)), lift = cos(phase + (side ? OSSAI_PI : 0));
	const double out = side ? -1 : 1;
	switch (part) {
	case PERSON_HIPS: return about(0, 1, 0, 6 * sin(phase));
	case PERSON_SPINE_1: return about(1, 0.3, 0, 5 + 2 * sin(2 * phase));
	case PERSON_SPINE_2: return about(0, 1, 0.2, -9 * sin(phase));
	case PERSON_NECK: return about(1, 0, 0, -4);
	case PERSON_HEAD: return about(0.2, 1, 0, 8 * cos(phase));
	case PERSON_CLAVICLE: return about(0, 0, out, 3 * step);
	case PERSON_UPPER_ARM: return about(1, 0, 0.3 * out, -25 * step);
	case PERSON_LOWER_ARM: return about(-0.7, -0.7 * out, 0, 40 + 15 * step);
	case PERSON_HAND: return about(0, 0, 1, 10 * step);
	case PERSON_THIGH: return about(1, 0, 0, 25 * step - 5);
	case PERSON_CALF: return about(1, 0, 0, 15 + 25 * (1 + lift) / 2);
	case PERSON_FOOT: return about(1, 0, 0, -12 - 10 * step);
	case PERSON_TOES: return about(1, 0, 0, -6 - 6 * step);
	default: return ossai_quat_identity();
	}
}

static void fill_walk(person *p, double seconds)
{
	ossa_clip *clip = p->rig->clip;
	const ossa_bone *bones = p->rig->skeleton.bones;
	for (size_t f = 0; f < clip->frame_count; f++) {
		clip->times[f] = seconds * (double)f / (double)clip->frame_count;
		const double phase = 4 * OSSAI_PI * (double)f / (double)clip->frame_count;
		ossai_quat turn[MOST_BOXES];
		for (size_t b = 0; b < clip->bone_count; b++) turn[b] = ossai_quat_identity();
		for (int part = 0; part < PERSON_PARTS; part++) {
			for (int side = 0; side < 2; side++) {
				if (p->bone[part][side] != OSSA_NONE) turn[p->bone[part][side]] = walk_turn((person_part)part, side, phase);
			}
		}
		for (size_t b = 0; b < clip->bone_count; b++) {
			ossai_quat above = ossai_quat_identity();
			if (bones[b].parent >= 0) above = ossai_quat_conjugate(ossai_quat_of(bones[bones[b].parent].orientation));
			ossai_quat local = ossai_quat_mul(above, ossai_quat_mul(turn[b], ossai_quat_of(bones[b].orientation)));
			double *rotation = clip->rotations + 4 * (f * clip->bone_count + b);
			if (f > 0 && ossai_quat_dot(local, ossai_quat_of(rotation - 4 * clip->bone_count)) < 0)
				local = ossai_quat_negate(local);
			ossai_quat_store(local, rotation);
		}
		ossai_v3_store(ossai_add(ossai_v3_of(bones[0].joint), ossai_v3(0, 0, clip->times[f])), clip->root_positions + 3 * f);
	}
}

/* lowest vertex of a posed mesh */
static double lowest_of(const person *p, const float *positions, ossai_vec3 up)
{
	double low = INFINITY;
	for (size_t v = 0; v < p->rig->mesh->vertex_count; v++)
		low = fmin(low, ossai_dot(up, ossai_v3_of_float(positions + 3 * v)));
	return low;
}

static double lowest_in_frame(const person *p, const ossa_clip *clip, size_t frame, ossai_vec3 up, float *positions)
{
	assert_ok(p->context, ossa_rig_pose(p->context, p->rig, NULL, clip, frame, positions));
	return lowest_of(p, positions, up);
}

void person_walk(person *p, size_t frames)
{
	ossa_context *context = p->context;
	float *positions = ossa_alloc(context, p->rig->mesh->vertex_count, 3 * sizeof *positions);
	const ossai_vec3 up = ossai_v3(0, 1, 0);
	const double ground = lowest_of(p, p->rig->mesh->positions, up);
	assert_non_null(positions);
	assert_ok(context, ossa_clip_create(context, frames, p->rig->skeleton.bone_count, false, &p->rig->clip));
	snprintf(p->rig->clip->name, sizeof p->rig->clip->name, "walk");
	fill_walk(p, 1.5);
	for (size_t f = 0; f < frames; f++)
		p->rig->clip->root_positions[3 * f + 1] += ground - lowest_in_frame(p, p->rig->clip, f, up, positions);
	ossa_free(context, positions);
	assert_ok(context, ossa_rig_validate(context, p->rig));
}

/* ---- what is measured ---- */

static ossai_rigid world_of(const person *p, const ossa_clip *clip, size_t frame, uint32_t bone)
{
	double *worlds = ossa_alloc(p->context, p->rig->skeleton.bone_count, 12 * sizeof *worlds);
	assert_non_null(worlds);
	ossa_rig_joint_matrices(p->rig, clip, frame, worlds);
	const ossai_rigid world = ossai_rigid_of(worlds + 12 * (size_t)bone);
	ossa_free(p->context, worlds);
	return world;
}

ossai_vec3 person_joint(const person *p, const ossa_clip *clip, size_t frame, person_part part, int side)
{
	if (!clip) return ossai_v3_of(p->rig->skeleton.bones[p->bone[part][side]].joint);
	return world_of(p, clip, frame, p->bone[part][side]).t;
}

ossai_quat person_turn(const person *p, const ossa_clip *clip, size_t frame, person_part part, int side)
{
	const uint32_t bone = p->bone[part][side];
	const ossai_rigid world = world_of(p, clip, frame, bone);
	const ossai_quat rest = ossai_quat_of(p->rig->skeleton.bones[bone].orientation);
	return ossai_quat_mul(ossai_mat3_quat(&world.r), ossai_quat_conjugate(rest));
}

static double angle_between(ossai_vec3 a, ossai_vec3 b)
{
	a = ossai_unit(a, a);
	b = ossai_unit(b, b);
	return 360 / OSSAI_PI * atan2(ossai_length(ossai_sub(a, b)), ossai_length(ossai_add(a, b)));
}

double person_difference(const person *p, const ossa_clip *clip, const person *q, ossai_quat turn, bool with_trunk)
{
	static const person_part segments[][2] = {{PERSON_HIPS, PERSON_NECK}, {PERSON_NECK, PERSON_HEAD},
		{PERSON_UPPER_ARM, PERSON_LOWER_ARM}, {PERSON_LOWER_ARM, PERSON_HAND}, {PERSON_THIGH, PERSON_CALF},
		{PERSON_CALF, PERSON_FOOT}, {PERSON_FOOT, PERSON_TOES}};
	const ossai_mat3 matrix = ossai_quat_matrix(turn);
	double most = 0;
	assert_int_equal(clip->frame_count, q->rig->clip->frame_count);
	for (size_t i = with_trunk ? 0 : 2; i < sizeof segments / sizeof segments[0]; i++) {
		for (size_t k = 0; k < 2 * clip->frame_count; k++) {
			const size_t f = k / 2;
			const int side = i < 2 ? 0 : (int)(k % 2);
			const ossai_vec3 own = ossai_sub(
				person_joint(p, clip, f, segments[i][1], side), person_joint(p, clip, f, segments[i][0], side));
			const ossai_vec3 other = ossai_sub(
				person_joint(q, q->rig->clip, f, segments[i][1], side), person_joint(q, q->rig->clip, f, segments[i][0], side));
			most = fmax(most, angle_between(own, ossai_mat3_mul_v(&matrix, other)));
		}
	}
	return most;
}

double person_lowest(const person *p, const ossa_clip *clip, ossai_vec3 up)
{
	double low = INFINITY;
	if (!clip) return lowest_of(p, p->rig->mesh->positions, up);
	float *positions = ossa_alloc(p->context, p->rig->mesh->vertex_count, 3 * sizeof *positions);
	assert_non_null(positions);
	for (size_t f = 0; f < clip->frame_count; f++) low = fmin(low, lowest_in_frame(p, clip, f, up, positions));
	ossa_free(p->context, positions);
	return low;
}

/* Sine of the bend of a hinge: positive in the direction in which it bends in the walk. The upper
   segment carries the axis, which at rest is `axis`. */
static double bend_of(const person *p, const ossa_clip *clip, size_t f, const person_part part[3], int side, ossai_vec3 axis)
{
	const ossai_vec3 middle = person_joint(p, clip, f, part[1], side);
	const ossai_vec3 upper = ossai_sub(middle, person_joint(p, clip, f, part[0], side));
	const ossai_vec3 lower = ossai_sub(person_joint(p, clip, f, part[2], side), middle);
	const ossai_mat3 turn = ossai_quat_matrix(person_turn(p, clip, f, part[0], side));
	const ossai_vec3 cross = ossai_cross(upper, lower);
	return ossai_dot(cross, ossai_mat3_mul_v(&turn, axis)) / (ossai_length(upper) * ossai_length(lower));
}

void person_bends_forward(const person *p, const ossa_clip *clip)
{
	static const person_part leg[3] = {PERSON_THIGH, PERSON_CALF, PERSON_FOOT};
	static const person_part arm[3] = {PERSON_UPPER_ARM, PERSON_LOWER_ARM, PERSON_HAND};
	const double slack = sin(0.5 * OSSAI_PI / 180);
	for (size_t f = 0; f < clip->frame_count; f++) {
		for (int side = 0; side < 2; side++) {
			const ossai_vec3 along = ossai_sub(
				person_joint(p, NULL, 0, PERSON_LOWER_ARM, side), person_joint(p, NULL, 0, PERSON_UPPER_ARM, side));
			const ossai_vec3 elbow = ossai_unit(ossai_cross(along, ossai_v3(0, 0, 1)), along);
			assert_true(bend_of(p, clip, f, leg, side, ossai_v3(1, 0, 0)) > -slack);
			assert_true(bend_of(p, clip, f, arm, side, elbow) > -slack);
		}
	}
}

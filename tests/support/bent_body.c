/* tests/support/bent_body.c: see bent_body.h. */
#include "support/bent_body.h"

#include "support/boxes.h"
#include "support/still.h"
#include "support/support.h"

#include <ossa/rest_pose.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEFT = 1, RIGHT = -1 };

/* ---- a body that stands bent ---- */

/* where a bone is, and its bones' names without the side; x is to the body's left, y up, z ahead;
   of bones with a side the left one */
static const struct {
	const char *name, *parent;
	ossa_role role; /* side 1: there is one on the right, too */
	double joint[3], tail[3], radius;
} plan[] = {
	{"hips", NULL, {OSSA_PART_HIPS, 0, 0, 0}, {0, 0.95, 0}, {0, 1.1, 0}, 0.1},
	{"spine", "hips", {OSSA_PART_SPINE, 0, 0, 0}, {0, 1.1, 0}, {0, 1.5, 0.02}, 0.1},
	{"neck", "spine", {OSSA_PART_NECK, 0, 0, 0}, {0, 1.5, 0.02}, {0, 1.6, 0.04}, 0.05},
	{"head", "neck", {OSSA_PART_HEAD, 0, 0, 0}, {0, 1.6, 0.04}, {0, 1.8, 0.05}, 0.09},
	{"clavicle", "spine", {OSSA_PART_CLAVICLE, 1, 0, 0}, {0.03, 1.42, 0}, {0.18, 1.44, -0.01}, 0.03},
	{"upperarm", "clavicle", {OSSA_PART_UPPER_ARM, 1, 0, 0}, {0.18, 1.44, -0.01}, {0.32, 1.2, -0.05}, 0.04},
	{"lowerarm", "upperarm", {OSSA_PART_LOWER_ARM, 1, 0, 0}, {0.32, 1.2, -0.05}, {0.38, 1.0, 0.1}, 0.035},
	{"hand", "lowerarm", {OSSA_PART_HAND, 1, 0, 0}, {0.38, 1.0, 0.1}, {0.39, 0.93, 0.16}, 0.03},
	{"thumb_01", "hand", {OSSA_PART_THUMB, 1, 1, 0}, {0.36, 0.98, 0.14}, {0.33, 0.95, 0.18}, 0.01},
	{"index_01", "hand", {OSSA_PART_INDEX, 1, 1, 0}, {0.38, 0.93, 0.17}, {0.37, 0.9, 0.2}, 0.01},
	{"index_02", "index_01", {OSSA_PART_INDEX, 1, 2, 0}, {0.37, 0.9, 0.2}, {0.35, 0.88, 0.21}, 0.01},
	{"middle_01", "hand", {OSSA_PART_MIDDLE, 1, 1, 0}, {0.39, 0.92, 0.16}, {0.39, 0.88, 0.19}, 0.01},
	{"middle_02", "middle_01", {OSSA_PART_MIDDLE, 1, 2, 0}, {0.39, 0.88, 0.19}, {0.37, 0.86, 0.2}, 0.01},
	{"ring_01", "hand", {OSSA_PART_RING, 1, 1, 0}, {0.4, 0.92, 0.15}, {0.4, 0.88, 0.17}, 0.01},
	{"thigh", "hips", {OSSA_PART_UPPER_LEG, 1, 0, 0}, {0.1, 0.9, 0}, {0.2, 0.5, 0.12}, 0.06},
	{"calf", "thigh", {OSSA_PART_LOWER_LEG, 1, 0, 0}, {0.2, 0.5, 0.12}, {0.25, 0.1, 0}, 0.05},
	{"foot", "calf", {OSSA_PART_FOOT, 1, 0, 0}, {0.25, 0.1, 0}, {0.27, 0.03, 0.14}, 0.03},
	{"toes", "foot", {OSSA_PART_TOES, 1, 0, 0}, {0.27, 0.03, 0.14}, {0.28, 0.03, 0.2}, 0.02},
};
enum { PLAN = sizeof plan / sizeof plan[0], MOST = 2 * PLAN };

/* facing some way, with Y or Z up */
test_body_axes test_body_facing(double degrees, bool z_up)
{
	const double angle = degrees * OSSAI_PI / 180, s = sin(angle), c = cos(angle);
	const ossai_vec3 up = z_up ? ossai_v3(0, 0, 1) : ossai_v3(0, 1, 0);
	const ossai_vec3 front = z_up ? ossai_v3(s, -c, 0) : ossai_v3(s, 0, c);
	return (test_body_axes){ossai_cross(up, front), up, front};
}

static ossai_vec3 place(const test_body_axes *axes, const double p[3], int side)
{
	const ossai_vec3 high = ossai_madd(ossai_scale(axes->left, side == RIGHT ? -p[0] : p[0]), p[1], axes->up);
	return ossai_madd(high, p[2], axes->front);
}

typedef struct boxes {
	test_box box[MOST];
	char names[MOST][16], parents[MOST][16];
	ossa_role role[MOST];
	size_t count;
} boxes;

static void name_side(const char *name, int side, char *text)
{
	snprintf(text, 16, "%s%s", name, side == LEFT ? "_L" : side == RIGHT ? "_R" : "");
}

static void add_box(boxes *b, const test_body_axes *axes, size_t row, int side)
{
	const size_t at = b->count++;
	const char *parent = plan[row].parent;
	name_side(plan[row].name, side, b->names[at]);
	bool is_paired = false;
	for (size_t i = 0; parent && i < PLAN; i++) is_paired |= strcmp(plan[i].name, parent) == 0 && plan[i].role.side != 0;
	name_side(parent ? parent : "", is_paired ? side : 0, b->parents[at]);
	b->box[at] = (test_box){.name = b->names[at], .parent = parent ? b->parents[at] : NULL, .radius = plan[row].radius};
	ossai_v3_store(place(axes, plan[row].joint, side), b->box[at].joint);
	ossai_v3_store(place(axes, plan[row].tail, side), b->box[at].tail);
	b->role[at] = plan[row].role;
	b->role[at].side = side;
}

/* every bone with a frame of its own, so that nothing is right by chance */
static void turn_frames(ossa_rig *rig)
{
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		const ossai_quat q = {0.1 * (double)(b % 7), 0.3 - 0.05 * (double)(b % 5), 0.2, 0.8};
		ossai_quat_store(ossai_quat_unit(q), rig->skeleton.bones[b].orientation);
	}
}

/* without the parts from `first_left_out` to the last, where that is not NONE */
ossa_rig *test_bent_body_without(
	ossa_context *context, const test_body_axes *axes, ossa_body_part first_left_out, ossa_body_part last)
{
	boxes b = {.count = 0};
	ossa_rig *rig;
	for (size_t row = 0; row < PLAN; row++) {
		const ossa_role *role = &plan[row].role;
		if (first_left_out != OSSA_PART_NONE && role->part >= first_left_out && role->part <= last) continue;
		add_box(&b, axes, row, role->side);
		if (role->side != 0) add_box(&b, axes, row, RIGHT);
	}
	assert_ok(context, test_boxes_rig(context, b.count, b.box, &rig));
	for (size_t i = 0; i < b.count; i++) rig->skeleton.bones[i].role = b.role[i];
	turn_frames(rig);
	return rig;
}

ossa_rig *test_bent_body(ossa_context *context, const test_body_axes *axes)
{
	return test_bent_body_without(context, axes, OSSA_PART_NONE, OSSA_PART_NONE);
}

/* a quarter of every vertex follows the bone's parent */
void test_soften_weights(ossa_context *context, ossa_rig *rig)
{
	const size_t count = rig->weights.vertex_count;
	uint16_t *bones = ossa_alloc(context, 2 * count, sizeof *bones);
	float *values = ossa_alloc(context, 2 * count, sizeof *values);
	for (size_t v = 0; v < count; v++) {
		const int32_t parent = rig->skeleton.bones[rig->weights.bones[v]].parent;
		bones[2 * v] = rig->weights.bones[v];
		values[2 * v] = parent < 0 ? 1 : 0.75F;
		if (parent < 0) continue;
		bones[2 * v + 1] = (uint16_t)parent;
		values[2 * v + 1] = 0.25F;
	}
	ossa_free(context, rig->weights.bones);
	ossa_free(context, rig->weights.values);
	rig->weights = (ossa_weights){count, 2, bones, values};
}

/* every joint turned by its own number, more in later frames */
void test_move_joints(ossa_context *context, ossa_rig *rig, size_t frames)
{
	assert_ok(context, ossa_clip_of_rest(context, rig, frames, 24, &rig->clip));
	for (size_t i = rig->skeleton.bone_count; i < frames * rig->skeleton.bone_count; i++) {
		double *to = rig->clip->rotations + 4 * i;
		const double share = (double)(i / rig->skeleton.bone_count);
		const ossai_vec3 axis = ossai_unit(ossai_v3(1, 0.3, 0.1 * (double)(i % 11)), ossai_v3(1, 0, 0));
		const ossai_quat turn = ossai_quat_axis_angle(axis, 0.1 * share);
		ossai_quat_store(ossai_quat_unit(ossai_quat_mul(ossai_quat_of(to), turn)), to);
	}
	for (size_t f = 0; f < frames; f++) rig->clip->root_positions[3 * f] += 0.1 * (double)f;
}

/* ---- what is measured ---- */

ossai_vec3 test_joint(const ossa_rig *rig, const char *name) { return ossai_v3_of(test_bone(rig, name)->joint); }

ossai_vec3 test_bone_direction(const ossa_rig *rig, const char *from, const char *to)
{
	return ossai_unit(ossai_sub(test_joint(rig, to), test_joint(rig, from)), ossai_v3(0, 0, 0));
}

static ossai_vec3 to_tail(const ossa_rig *rig, const char *name)
{
	const ossa_bone *bone = test_bone(rig, name);
	return ossai_unit(ossai_sub(ossai_v3_of(bone->tail), ossai_v3_of(bone->joint)), ossai_v3(0, 0, 0));
}

static const char *sided(const char *name, int side)
{
	static char texts[8][24];
	static int next;
	char *text = texts[next++ % 8];
	name_side(name, side, text);
	return text;
}

void test_assert_limbs(const ossa_rig *rig, const test_body_axes *axes, int pose)
{
	static const char *const arm[][2] = {{"upperarm", "lowerarm"}, {"lowerarm", "hand"}, {"hand", "middle_01"},
		{"index_01", "index_02"}, {"middle_01", "middle_02"}};
	static const char *const tips[] = {"index_02", "middle_02", "ring_01"};
	static const char *const leg[][2] = {{"thigh", "calf"}, {"calf", "foot"}};
	const double half = sqrt(0.5);
	for (int side = LEFT; side >= RIGHT; side -= 2) {
		const ossai_vec3 out = ossai_scale(axes->left, side);
		const ossai_vec3 goal = pose == OSSA_REST_T ? out : ossai_madd(ossai_scale(out, half), -half, axes->up);
		for (size_t i = 0; i < 5; i++)
			assert_near_vec3(test_bone_direction(rig, sided(arm[i][0], side), sided(arm[i][1], side)), goal, 1e-9);
		for (size_t i = 0; i < 3; i++) assert_near_vec3(to_tail(rig, sided(tips[i], side)), goal, 1e-9);
		for (size_t i = 0; i < 2; i++) {
			const ossai_vec3 down = ossai_scale(axes->up, -1);
			assert_near_vec3(test_bone_direction(rig, sided(leg[i][0], side), sided(leg[i][1], side)), down, 1e-9);
		}
	}
}

/* by which rotation a bone's frame differs from that in another rig */
ossai_quat test_turn_since(const ossa_rig *rig, const ossa_rig *before, const char *name)
{
	const ossai_quat now = ossai_quat_of(test_bone(rig, name)->orientation);
	return ossai_quat_mul(now, ossai_quat_conjugate(ossai_quat_of(test_bone(before, name)->orientation)));
}

double test_farthest(const float *a, const float *b, size_t count)
{
	double most = 0;
	for (size_t v = 0; v < count; v++)
		most = fmax(most, ossai_distance(ossai_v3_of_float(a + 3 * v), ossai_v3_of_float(b + 3 * v)));
	return most;
}

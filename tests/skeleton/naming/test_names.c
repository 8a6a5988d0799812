/* tests/skeleton/naming/test_names.c: names of body parts by rules: of known skeletons, moved,
   rotated, mirrored, shuffled and damaged, of shapes that are no bodies, and of rigs that ossa made
   of artists' characters. */
#include "math/vec.h"
#include "rig/bone_names.h"
#include "samples/samples.h"
#include "support/boxes.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

enum { BONES_MAX = 64 };

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* names before and after, by bone */
typedef struct naming {
	size_t count;
	char before[BONES_MAX][64], after[BONES_MAX][64];
} naming;

static void remember(const ossa_rig *rig, char names[BONES_MAX][64])
{
	assert_true(rig->skeleton.bone_count <= BONES_MAX);
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) memcpy(names[b], rig->skeleton.bones[b].name, 64);
}

/* names the rig and checks what holds for all names */
static void name_rig(ossa_context *context, ossa_rig *rig, naming *names)
{
	names->count = rig->skeleton.bone_count;
	remember(rig, names->before);
	assert_ok(context, ossai_rig_name_bones(context, rig, OSSA_NAMES_BODY));
	assert_ok(context, ossa_rig_validate(context, rig));
	remember(rig, names->after);
}

static const char *name_of(const naming *names, const char *before)
{
	for (size_t b = 0; b < names->count; b++) {
		if (strcmp(names->before[b], before) == 0) return names->after[b];
	}
	fail_msg("there is no bone %s", before);
	return NULL;
}

static bool has_number(const char *name) { return strncmp(name, "bone_", 5) == 0 || strcmp(name, "root") == 0; }

/* pairs of words, the bone's own name and the one expected, "#" for a number; "x-l y_L" holds for
   the right side too */
static void assert_names(const naming *names, const char *const *expected)
{
	for (; expected[0]; expected += 2) {
		char bone[64], name[64];
		for (int side = 0; side < 2; side++) {
			snprintf(bone, sizeof bone, "%s", expected[0]);
			snprintf(name, sizeof name, "%s", expected[1]);
			const size_t length = strlen(bone), end = strlen(name);
			const bool paired = length > 2 && strcmp(bone + length - 2, "-l") == 0;
			if (side == 1 && !paired) break;
			if (side == 1) bone[length - 1] = 'r';
			if (side == 1 && name[end - 1] == 'L') name[end - 1] = 'R';
			const char *found = name_of(names, bone);
			if (strcmp(name, "#") == 0 ? has_number(found) : strcmp(found, name) == 0) continue;
			fail_msg("%s is called %s, not %s", bone, found, name);
		}
	}
}

/* ---- known skeletons ---- */

static ossa_rig *make_sample(ossa_context *context, int kind)
{
	ossa_sample_options options = ossa_sample_default();
	options.kind = kind;
	options.faces = 2500;
	options.frames = 1;
	ossa_sample *sample;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	ossa_rig *rig = sample->rig;
	sample->rig = NULL;
	ossa_sample_free(context, sample);
	return rig;
}

static const char *const sample_biped[] = {"hips", "pelvis", "spine", "spine_01", "chest", "spine_02", "neck", "neck_01",
	"head", "head", "upperarm-l", "upperarm_L", "forearm-l", "lowerarm_L", "hand-l", "hand_L", "thigh-l", "thigh_L", "shin-l",
	"calf_L", "foot-l", "foot_L", "toe-l", "toe_L", NULL};
static const char *const sample_quadruped[] = {"hips", "spine_01", "spine-1", "spine_02", "spine-2", "spine_03", "chest",
	"spine_04", "neck-1", "neck_01", "neck-2", "neck_02", "head", "head", "tail-1", "tail_01", "tail-4", "tail_04",
	"upperarm-l", "upperleg_front_L", "forearm-l", "lowerleg_front_L", "wrist-l", "foot_front_L", "forepaw-l", "toe_front_L",
	"thigh-l", "upperleg_back_L", "shin-l", "lowerleg_back_L", "hock-l", "foot_back_L", "hindpaw-l", "toe_back_L", NULL};
static const char *const sample_hand[] = {"palm", "hand", "thumb-1", "thumb_01", "thumb-3", "thumb_03", "index-1", "index_01",
	"index-2", "index_02", "middle-1", "middle_01", "ring-2", "ring_02", "little-1", "pinky_01", "little-3", "pinky_03", NULL};
static const char *const sample_octopus[] = {"mantle", "#", "arm-1-1", "arm_1_01", "arm-1-4", "arm_1_04", "arm-2-1", "arm_2_01",
	"arm-5-3", "arm_5_03", "arm-8-2", "arm_8_02", NULL};
static const char *const sample_snake[] = {
	"head", "spine_01", "neck-4", "spine_02", "body", "spine_06", "tail-1", "spine_07", "tail-6", "spine_12", NULL};
static const char *const sample_pieces[] = {"hips", "pelvis", "spine", "spine_01", "chest", "spine_02", "head", "head",
	"upperarm-l", "upperarm_L", "forearm-l", "lowerarm_L", "hand-l", "hand_L", "thigh-l", "thigh_L", "shin-l", "calf_L",
	"foot-l", "foot_L", NULL};
static const char *const sample_tube[] = {"tube-1", "spine_01", "tube-2", "spine_02", "tube-4", "spine_04", NULL};
/* a jacket stands on nothing */
static const char *const sample_open[] = {"chest", "#", "hips", "#", "upperarm-l", "#", "forearm-l", "#", NULL};
static const char *const *const samples[] = {[OSSA_SAMPLE_TUBE] = sample_tube,
	[OSSA_SAMPLE_BIPED] = sample_biped,
	[OSSA_SAMPLE_QUADRUPED] = sample_quadruped,
	[OSSA_SAMPLE_HAND] = sample_hand,
	[OSSA_SAMPLE_OCTOPUS] = sample_octopus,
	[OSSA_SAMPLE_SNAKE] = sample_snake,
	[OSSA_SAMPLE_PIECES] = sample_pieces,
	[OSSA_SAMPLE_OPEN] = sample_open};
enum { SAMPLES = sizeof samples / sizeof samples[0] };

static void every_sample_is_named_as_by_eye(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (int kind = 0; kind < SAMPLES; kind++) {
		ossa_rig *rig = make_sample(context, kind);
		naming names;
		name_rig(context, rig, &names);
		assert_names(&names, samples[kind]);
		ossa_rig_free(context, rig);
	}
	test_context_end(context);
}

static void numbers_are_given_where_they_are_asked_for(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_sample(context, OSSA_SAMPLE_BIPED);
	assert_ok(context, ossai_rig_name_bones(context, rig, OSSA_NAMES_NUMBERS));
	assert_string_equal(rig->skeleton.bones[0].name, "root");
	assert_string_equal(rig->skeleton.bones[7].name, "bone_07");
	assert_ok(context, ossa_rig_validate(context, rig));
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* ---- the same body elsewhere ---- */

/* position -> size * turn about +Y * mirror in x * position + offset, for mesh and joints */
typedef struct placement {
	double degrees, size, offset[3];
	bool mirrored;
} placement;

static ossai_vec3 place(const placement *p, ossai_vec3 x)
{
	const double angle = p->degrees * OSSAI_PI / 180;
	if (p->mirrored) x.x = -x.x;
	const ossai_vec3 turned = {x.x * cos(angle) + x.z * sin(angle), x.y, x.z * cos(angle) - x.x * sin(angle)};
	return ossai_madd(ossai_v3_of(p->offset), p->size, turned);
}

static void place_rig(ossa_rig *rig, const placement *p)
{
	for (size_t v = 0; v < rig->mesh->vertex_count; v++) {
		float *at = rig->mesh->positions + 3 * v;
		const ossai_vec3 to = place(p, ossai_v3_of_float(at));
		at[0] = (float)to.x;
		at[1] = (float)to.y;
		at[2] = (float)to.z;
	}
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		ossa_bone *bone = &rig->skeleton.bones[b];
		/* hinges' axes are not turned here */
		bone->kind = b == 0 ? OSSA_JOINT_ROOT : OSSA_JOINT_BALL;
		memset(bone->axis, 0, sizeof bone->axis);
		ossai_v3_store(place(p, ossai_v3_of(bone->joint)), bone->joint);
		ossai_v3_store(place(p, ossai_v3_of(bone->tail)), bone->tail);
	}
}

/* left and right exchanged in a name's end */
static void exchange_side(char *name)
{
	char *end = name + strlen(name) - 1;
	if (end > name && end[-1] == '_' && (*end == 'L' || *end == 'R')) *end = *end == 'L' ? 'R' : 'L';
}

static void check_placements(int kind, size_t count, const placement *placements)
{
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_sample(context, kind);
	naming names, placed;
	name_rig(context, rig, &names);
	for (size_t i = 0; i < count; i++) {
		ossa_rig *other = make_sample(context, kind);
		place_rig(other, &placements[i]);
		name_rig(context, other, &placed);
		for (size_t b = 0; b < names.count; b++) {
			if (placements[i].mirrored) exchange_side(placed.after[b]);
			assert_string_equal(names.after[b], placed.after[b]);
		}
		ossa_rig_free(context, other);
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* a turned octopus or snake has no front, so that +Z decides: those are moved and scaled only */
static void names_do_not_depend_on_placement(void **state)
{
	(void)state;
	static const placement placements[] = {{0, 100, {30, -50, 7}, false}, {0, 0.001, {0, 0, 0}, false},
		{20, 1, {1, 2, 3}, false}, {90, 1, {1, 2, 3}, false}, {137, 1, {1, 2, 3}, false}, {180, 1, {1, 2, 3}, false},
		{270, 1, {1, 2, 3}, false}};
	for (int kind = 0; kind < SAMPLES; kind++) {
		const bool has_front = kind == OSSA_SAMPLE_BIPED || kind == OSSA_SAMPLE_QUADRUPED || kind == OSSA_SAMPLE_PIECES ||
			kind == OSSA_SAMPLE_HAND;
		/* a biped anywhere; the others at two sizes and at one angle */
		const size_t turned = kind == OSSA_SAMPLE_BIPED || test_is_long() ? COUNT(placements) : 3;
		check_placements(kind, has_front ? turned : 2, placements);
	}
}

static void mirrored_bodies_exchange_left_and_right(void **state)
{
	(void)state;
	static const placement mirrored[] = {{0, 1, {0, 0, 0}, true}, {65, 3, {1, 0, 1}, true}};
	static const int kinds[] = {
		OSSA_SAMPLE_BIPED, OSSA_SAMPLE_QUADRUPED, OSSA_SAMPLE_PIECES, OSSA_SAMPLE_HAND, OSSA_SAMPLE_SNAKE};
	for (int i = 0; i < 5; i++) check_placements(kinds[i], kinds[i] == OSSA_SAMPLE_BIPED ? 2 : 1, mirrored);
}

/* vertices and triangles in another order: only sums change in their last digits */
static void names_do_not_depend_on_order(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (int kind = 0; kind < SAMPLES; kind++) {
		ossa_rig *rig = make_sample(context, kind), *other = make_sample(context, kind);
		const size_t vertices = rig->mesh->vertex_count, triangles = rig->mesh->triangle_count;
		const int pairs = rig->weights.influences;
		for (size_t v = 0; v < vertices; v++) {
			const size_t to = vertices - 1 - v;
			memcpy(other->mesh->positions + 3 * to, rig->mesh->positions + 3 * v, 3 * sizeof(float));
			memcpy(other->weights.bones + to * (size_t)pairs, rig->weights.bones + v * (size_t)pairs,
				(size_t)pairs * sizeof(uint16_t));
			memcpy(other->weights.values + to * (size_t)pairs, rig->weights.values + v * (size_t)pairs,
				(size_t)pairs * sizeof(float));
		}
		for (size_t i = 0; i < 3 * triangles; i++) {
			other->mesh->triangles[3 * triangles - 1 - i] = (uint32_t)vertices - 1 - rig->mesh->triangles[i];
		}
		naming names, shuffled;
		name_rig(context, rig, &names);
		/* the mesh is not consistent any more: its polygons have not changed */
		assert_ok(context, ossai_rig_name_bones(context, other, OSSA_NAMES_BODY));
		remember(other, shuffled.after);
		for (size_t b = 0; b < names.count; b++) assert_string_equal(names.after[b], shuffled.after[b]);
		ossa_rig_free(context, rig);
		ossa_rig_free(context, other);
	}
	test_context_end(context);
}

/* ---- bodies of boxes ---- */

static void check_boxes(const test_box *boxes, size_t count, const char *const *expected)
{
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	naming names;
	assert_ok(context, test_boxes_rig(context, count, boxes, &rig));
	name_rig(context, rig, &names);
	assert_names(&names, expected);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* a person in T pose that looks along +Z */
#define TRUNK                                                                                                                  \
	{"hips", NULL, {0, 0.95, 0}, {0, 1.15, 0}, 0.12}, {"chest", "hips", {0, 1.15, 0}, {0, 1.45, 0}, 0.14},                     \
	{                                                                                                                          \
		"head", "chest", {0, 1.45, 0}, {0, 1.8, 0}, 0.1                                                                        \
	}
#define LEG_AND_ARM(side, x)                                                                                                   \
	{"thigh" side, "hips", {0.1 * x, 0.92, 0}, {0.1 * x, 0.5, 0.02}, 0.08},                                                    \
		{"shin" side, "thigh" side, {0.1 * x, 0.5, 0.02}, {0.1 * x, 0.1, -0.02}, 0.05},                                        \
		{"foot" side, "shin" side, {0.1 * x, 0.04, -0.05}, {0.1 * x, 0.04, 0.2}, 0.04},                                        \
		{"arm" side, "chest", {0.16 * x, 1.4, 0}, {0.43 * x, 1.4, 0}, 0.05},                                                   \
	{                                                                                                                          \
		"elbow" side, "arm" side, {0.43 * x, 1.4, 0}, {0.7 * x, 1.4, 0.02}, 0.04                                               \
	}
#define HAND(side, x)                                                                                                          \
	{                                                                                                                          \
		"hand" side, "elbow" side, {0.7 * x, 1.4, 0.02}, {0.84 * x, 1.4, 0.02}, 0.035                                          \
	}

static const char *const person[] = {"hips", "pelvis", "chest", "spine_01", "head", "head", "thigh-l", "thigh_L", "shin-l",
	"calf_L", "foot-l", "foot_L", "arm-l", "upperarm_L", "elbow-l", "lowerarm_L", "hand-l", "hand_L", NULL};

static void a_person_in_t_pose_is_named(void **state)
{
	(void)state;
	static const test_box boxes[] = {TRUNK, LEG_AND_ARM("-l", 1), HAND("-l", 1), LEG_AND_ARM("-r", -1), HAND("-r", -1)};
	check_boxes(boxes, COUNT(boxes), person);
}

/* the left foot and the right hand have no bones of their own, the right shin has two, and one arm
   hangs */
static void damaged_sides_keep_what_is_there(void **state)
{
	(void)state;
	static const test_box boxes[] = {TRUNK, {"thigh-l", "hips", {0.1, 0.92, 0}, {0.1, 0.5, 0.02}, 0.08},
		{"shin-l", "thigh-l", {0.1, 0.5, 0.02}, {0.1, 0, 0}, 0.05}, {"arm-l", "chest", {0.18, 1.4, 0}, {0.22, 1.12, 0}, 0.05},
		{"elbow-l", "arm-l", {0.22, 1.12, 0}, {0.24, 0.84, 0.03}, 0.04},
		{"hand-l", "elbow-l", {0.24, 0.84, 0.03}, {0.24, 0.7, 0.04}, 0.035},
		{"thigh-r", "hips", {-0.1, 0.92, 0}, {-0.1, 0.5, 0.02}, 0.08},
		{"shin-r1", "thigh-r", {-0.1, 0.5, 0.02}, {-0.1, 0.3, 0}, 0.05},
		{"shin-r2", "shin-r1", {-0.1, 0.3, 0}, {-0.1, 0.1, -0.02}, 0.05},
		{"foot-r", "shin-r2", {-0.1, 0.04, -0.05}, {-0.1, 0.04, 0.2}, 0.04},
		{"arm-r", "chest", {-0.16, 1.4, 0}, {-0.43, 1.4, 0}, 0.05},
		{"elbow-r", "arm-r", {-0.43, 1.4, 0}, {-0.84, 1.4, 0.02}, 0.04}};
	static const char *const expected[] = {"hips", "pelvis", "thigh-r", "thigh_R", "shin-r1", "calf_01_R", "shin-r2",
		"calf_02_R", "foot-r", "foot_R", "arm-r", "upperarm_R", "elbow-r", "lowerarm_R", "arm-l", "upperarm_L", "elbow-l",
		"lowerarm_L", NULL};
	check_boxes(boxes, COUNT(boxes), expected);
}

#define FINGER(side, x, number, z)                                                                                             \
	{"finger" number side, "hand" side, {0.84 * x, 1.4, z}, {0.90 * x, 1.4, z * 1.2}, 0.008},                                  \
	{                                                                                                                          \
		"tip" number side, "finger" number side, {0.90 * x, 1.4, z * 1.2}, {0.96 * x, 1.4, z * 1.4}, 0.008                     \
	}

static void fingers_are_numbered_where_they_are_not_five(void **state)
{
	(void)state;
	static const test_box boxes[] = {TRUNK, LEG_AND_ARM("-l", 1), HAND("-l", 1), FINGER("-l", 1, "1", 0.04),
		FINGER("-l", 1, "2", 0.0), FINGER("-l", 1, "3", -0.04), LEG_AND_ARM("-r", -1), HAND("-r", -1),
		FINGER("-r", -1, "1", 0.04), FINGER("-r", -1, "2", 0.0), FINGER("-r", -1, "3", -0.04)};
	check_boxes(boxes, COUNT(boxes), person);
	static const char *const fingers[] = {
		"finger1-l", "finger_1_01_L", "tip1-l", "finger_1_02_L", "finger2-l", "finger_2_01_L", "tip3-l", "finger_3_02_L", NULL};
	check_boxes(boxes, COUNT(boxes), fingers);
}

#define THUMB(side, x)                                                                                                         \
	{"thumb1" side, "hand" side, {0.76 * x, 1.4, 0.05}, {0.79 * x, 1.4, 0.10}, 0.01},                                          \
	{                                                                                                                          \
		"thumb2" side, "thumb1" side, {0.79 * x, 1.4, 0.10}, {0.82 * x, 1.4, 0.145}, 0.01                                      \
	}

static void five_fingers_have_names(void **state)
{
	(void)state;
	static const test_box boxes[] = {TRUNK, LEG_AND_ARM("-l", 1), HAND("-l", 1), THUMB("-l", 1), FINGER("-l", 1, "1", 0.04),
		FINGER("-l", 1, "2", 0.015), FINGER("-l", 1, "3", -0.01), FINGER("-l", 1, "4", -0.035), LEG_AND_ARM("-r", -1),
		HAND("-r", -1), THUMB("-r", -1), FINGER("-r", -1, "1", 0.04), FINGER("-r", -1, "2", 0.015),
		FINGER("-r", -1, "3", -0.01), FINGER("-r", -1, "4", -0.035)};
	check_boxes(boxes, COUNT(boxes), person);
	static const char *const fingers[] = {"thumb1-l", "thumb_01_L", "thumb2-l", "thumb_02_L", "finger1-l", "index_01_L",
		"tip1-l", "index_02_L", "finger2-l", "middle_01_L", "finger3-l", "ring_01_L", "tip4-l", "pinky_02_L", NULL};
	check_boxes(boxes, COUNT(boxes), fingers);
}

/* feet that look along -Z: what is at +X is the right side then */
static void feet_tell_the_front(void **state)
{
	(void)state;
	test_box boxes[] = {TRUNK, LEG_AND_ARM("-l", -1), HAND("-l", -1), LEG_AND_ARM("-r", 1), HAND("-r", 1)};
	for (size_t b = 0; b < COUNT(boxes); b++) {
		boxes[b].joint[2] = -boxes[b].joint[2];
		boxes[b].tail[2] = -boxes[b].tail[2];
	}
	check_boxes(boxes, COUNT(boxes), person);
}

static void a_tail_of_one_that_stands_upright_is_recognized(void **state)
{
	(void)state;
	static const test_box boxes[] = {TRUNK, LEG_AND_ARM("-l", 1), HAND("-l", 1), LEG_AND_ARM("-r", -1), HAND("-r", -1),
		{"tail1", "hips", {0, 0.95, -0.14}, {0, 0.8, -0.4}, 0.05}, {"tail2", "tail1", {0, 0.8, -0.4}, {0, 0.75, -0.7}, 0.04}};
	check_boxes(boxes, COUNT(boxes), person);
	static const char *const tail[] = {"tail1", "tail_01", "tail2", "tail_02", NULL};
	check_boxes(boxes, COUNT(boxes), tail);
}

/* Z up, as in many files: lying on its back it does not stand, and nothing may be called a leg */
static void one_that_lies_has_numbers(void **state)
{
	(void)state;
	test_box boxes[] = {TRUNK, LEG_AND_ARM("-l", 1), HAND("-l", 1), LEG_AND_ARM("-r", -1), HAND("-r", -1)};
	for (size_t b = 0; b < COUNT(boxes); b++) {
		for (int end = 0; end < 2; end++) {
			double *p = end ? boxes[b].tail : boxes[b].joint;
			const double y = p[1];
			p[1] = p[2];
			p[2] = -y;
		}
	}
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	naming names;
	assert_ok(context, test_boxes_rig(context, COUNT(boxes), boxes, &rig));
	name_rig(context, rig, &names);
	for (size_t b = 0; b < names.count; b++) assert_true(has_number(names.after[b]));
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* legs that arch: knees above the body, feet on the ground */
#define ARCH(side, number, x, z)                                                                                               \
	{"upper" number side, "body", {0.2 * x, 0.3, 0.3 * z}, {0.6 * x, 0.5, 0.8 * z}, 0.03},                                     \
	{                                                                                                                          \
		"lower" number side, "upper" number side, {0.6 * x, 0.5, 0.8 * z}, {0.9 * x, 0, 1.2 * z}, 0.02                         \
	}

static void legs_of_many_are_counted_from_the_front(void **state)
{
	(void)state;
	static const test_box boxes[] = {{"body", NULL, {0, 0.3, -0.3}, {0, 0.3, 0.2}, 0.15}, ARCH("-l", "3", 1, -0.9),
		ARCH("-l", "1", 1, 0.9), ARCH("-l", "2", 1, 0), ARCH("-r", "1", -1, 0.9), ARCH("-r", "2", -1, 0),
		ARCH("-r", "3", -1, -0.9)};
	static const char *const expected[] = {"upper1-l", "leg_1_01_L", "lower1-l", "leg_1_02_L", "upper2-l", "leg_2_01_L",
		"lower3-l", "leg_3_02_L", "body", "#", NULL};
	check_boxes(boxes, COUNT(boxes), expected);
}

/* a table: four legs, and only +Z to distinguish front and back, which is not enough */
static void a_table_has_no_front(void **state)
{
	(void)state;
	static const test_box boxes[] = {{"top", NULL, {0, 0.7, -0.6}, {0, 0.7, 0.6}, 0.05},
		{"leg1-l", "top", {0.4, 0.68, 0.5}, {0.4, 0, 0.5}, 0.05}, {"leg2-l", "top", {0.4, 0.68, -0.5}, {0.4, 0, -0.5}, 0.05},
		{"leg1-r", "top", {-0.4, 0.68, 0.5}, {-0.4, 0, 0.5}, 0.05},
		{"leg2-r", "top", {-0.4, 0.68, -0.5}, {-0.4, 0, -0.5}, 0.05}};
	static const char *const expected[] = {"top", "#", "leg1-l", "#", "leg2-l", "#", NULL};
	check_boxes(boxes, COUNT(boxes), expected);
}

static void nothing_is_found_in_little(void **state)
{
	(void)state;
	static const test_box one[] = {{"only", NULL, {0, 0, 0}, {0, 1, 0}, 0.1}};
	static const test_box two[] = {{"a", NULL, {0, 0, 0}, {0, 1, 0}, 0.1}, {"b", "a", {0, 1, 0}, {0, 2, 0}, 0.1}};
	/* all at one point: no length anywhere */
	static const test_box point[] = {
		{"a", NULL, {0, 0, 0}, {0, 0, 0}, 0}, {"b", "a", {0, 0, 0}, {0, 0, 0}, 0}, {"c", "a", {0, 0, 0}, {0, 0, 0}, 0}};
	check_boxes(one, COUNT(one), (const char *const[]){"only", "#", NULL});
	check_boxes(two, COUNT(two), (const char *const[]){"a", "#", "b", "#", NULL});
	check_boxes(point, COUNT(point), (const char *const[]){"a", "#", "b", "#", "c", "#", NULL});
}

static void a_skeleton_without_a_mesh_has_numbers(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh;
	ossa_rig *rig;
	assert_ok(context, ossa_mesh_create(context, 0, NULL, 0, NULL, &mesh));
	assert_ok(context, ossa_rig_create(context, mesh, 3, 1, &rig));
	rig->skeleton.bones[0].parent = -1;
	assert_ok(context, ossai_rig_name_bones(context, rig, OSSA_NAMES_BODY));
	assert_string_equal(rig->skeleton.bones[2].name, "bone_02");
	ossa_rig_free(context, rig);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* ---- faults ---- */

typedef struct box_table {
	const test_box *boxes;
	size_t count;
} box_table;

static ossa_status sweep_body(ossa_context *context, void *arg)
{
	const box_table *table = arg;
	ossa_rig *rig;
	ossa_status status = test_boxes_rig(context, table->count, table->boxes, &rig);
	if (status != OSSA_OK) return status;
	status = ossai_rig_name_bones(context, rig, OSSA_NAMES_BODY);
	/* all new, or all as they were */
	for (size_t b = 0; b < table->count; b++) {
		assert_int_equal(strcmp(rig->skeleton.bones[b].name, table->boxes[b].name) == 0, status != OSSA_OK);
	}
	ossa_rig_free(context, rig);
	return status;
}

static void names_stay_where_memory_is_short(void **state)
{
	(void)state;
	static const test_box walker[] = {{"hip", NULL, {0, 0.95, 0}, {0, 1.15, 0}, 0.12},
		{"chest", "hip", {0, 1.15, 0}, {0, 1.45, 0}, 0.14}, {"top", "chest", {0, 1.45, 0}, {0, 1.8, 0}, 0.1},
		{"thigh-l", "hip", {0.1, 0.92, 0}, {0.1, 0.5, 0.02}, 0.08}, {"shin-l", "thigh-l", {0.1, 0.5, 0.02}, {0.1, 0, 0}, 0.05},
		{"thigh-r", "hip", {-0.1, 0.92, 0}, {-0.1, 0.5, 0.02}, 0.08},
		{"shin-r", "thigh-r", {-0.1, 0.5, 0.02}, {-0.1, 0, 0}, 0.05}, {"arm-l", "chest", {0.16, 1.4, 0}, {0.5, 1.4, 0}, 0.05},
		{"arm-r", "chest", {-0.16, 1.4, 0}, {-0.5, 1.4, 0}, 0.05}};
	static const test_box crawler[] = {{"body", NULL, {0, 0.3, -0.3}, {0, 0.3, 0.2}, 0.15}, ARCH("-l", "3", 1, -0.9),
		ARCH("-l", "1", 1, 0.9), ARCH("-l", "2", 1, 0), ARCH("-r", "1", -1, 0.9), ARCH("-r", "2", -1, 0),
		ARCH("-r", "3", -1, -0.9)};
	static const test_box worm[] = {{"a", NULL, {0, 0.1, 0}, {0, 0.1, 1}, 0.1}, {"b", "a", {0, 0.1, 1}, {0, 0.1, 2}, 0.1},
		{"c", "b", {0, 0.1, 2}, {0, 0.1, 3}, 0.1}};
	box_table tables[] = {{walker, COUNT(walker)}, {crawler, COUNT(crawler)}, {worm, COUNT(worm)}};
	for (int i = 0; i < 3; i++) test_allocation_sweep(sweep_body, &tables[i], SIZE_MAX, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_sample_is_named_as_by_eye),
		cmocka_unit_test(numbers_are_given_where_they_are_asked_for),
		cmocka_unit_test(names_do_not_depend_on_placement),
		cmocka_unit_test(mirrored_bodies_exchange_left_and_right),
		cmocka_unit_test(names_do_not_depend_on_order),
		cmocka_unit_test(a_person_in_t_pose_is_named),
		cmocka_unit_test(damaged_sides_keep_what_is_there),
		cmocka_unit_test(fingers_are_numbered_where_they_are_not_five),
		cmocka_unit_test(five_fingers_have_names),
		cmocka_unit_test(feet_tell_the_front),
		cmocka_unit_test(a_tail_of_one_that_stands_upright_is_recognized),
		cmocka_unit_test(one_that_lies_has_numbers),
		cmocka_unit_test(legs_of_many_are_counted_from_the_front),
		cmocka_unit_test(a_table_has_no_front),
		cmocka_unit_test(nothing_is_found_in_little),
		cmocka_unit_test(a_skeleton_without_a_mesh_has_numbers),
		cmocka_unit_test(names_stay_where_memory_is_short),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

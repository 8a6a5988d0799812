/* tests/body/test_theropod_joints.c: the joints of a theropod and a bird of boxes, where a rigger
   would put them. */
#include "support/shapes.h"
#include "support/still.h"
#include "support/support.h"

#include <stdio.h>

/* a box and its mirror image across x = 0 */
static void put_pair(test_shape *shape, ossai_vec3 low, ossai_vec3 high)
{
	test_shape_box(shape, low, high, true);
	test_shape_box(shape, ossai_v3(-high.x, low.y, low.z), ossai_v3(-low.x, high.y, high.z), true);
}

/* An animal of boxes on two legs, which faces +Z: its back 1 high, its belly at 0.6; the legs are
   0.12 thick, and end in feet. */
static test_shape *make_walker(void)
{
	test_shape *shape = test_shape_new();
	test_shape_box(shape, ossai_v3(-0.16, 0.6, -0.4), ossai_v3(0.16, 1, 0.45), true);
	test_shape_box(shape, ossai_v3(-0.08, 0.8, 0.4), ossai_v3(0.08, 1.25, 0.6), true);
	test_shape_box(shape, ossai_v3(-0.08, 1.1, 0.5), ossai_v3(0.08, 1.28, 1.05), true);
	test_shape_box(shape, ossai_v3(-0.05, 0.75, -1.4), ossai_v3(0.05, 0.9, -0.35), true);
	put_pair(shape, ossai_v3(0.06, 0, -0.06), ossai_v3(0.16, 0.7, 0.06));
	put_pair(shape, ossai_v3(0.06, 0, -0.06), ossai_v3(0.16, 0.07, 0.25));
	return shape;
}

static ossa_rig *make_theropod(ossa_context *context, double scale)
{
	test_shape *shape = make_walker();
	put_pair(shape, ossai_v3(0.07, 0.15, 0.32), ossai_v3(0.15, 0.7, 0.4));
	for (size_t i = 0; i < 3 * shape->vertex_count; i++) shape->positions[i] *= (float)scale;
	return test_body_rig(context, test_shape_mesh(context, shape), OSSA_BODY_THEROPOD);
}

static ossa_rig *make_bird(ossa_context *context)
{
	test_shape *shape = make_walker();
	put_pair(shape, ossai_v3(0.1, 0.88, 0), ossai_v3(1.6, 0.94, 0.3));
	return test_body_rig(context, test_shape_mesh(context, shape), OSSA_BODY_BIRD);
}

static void joints_are_where_riggers_put_them(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		double at[3];
	} expected[] = {{"pelvis", {0, 0.8, 0}}, {"spine_01", {0, 0.83, 0.13}}, {"spine_02", {0, 0.88, 0.28}},
		{"neck", {0, 0.95, 0.42}}, {"head", {0, 1.15, 0.65}}, {"thigh_L", {0.11, 0.76, 0}}, {"calf_L", {0.11, 0.47, 0}},
		{"foot_L", {0.11, 0.25, 0}}, {"toe_L", {0.11, 0.07, 0.02}}, {"upperarm_L", {0.11, 0.6, 0.36}},
		{"lowerarm_L", {0.11, 0.44, 0.36}}, {"hand_L", {0.11, 0.29, 0.36}}, {"tail_01", {0, 0.83, -0.4}}};
	ossa_context *context = test_context(0);
	ossa_rig *rig = make_theropod(context, 1);
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
		test_check_joint(rig, expected[i].name, expected[i].at, 0.15);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void assert_parents(const ossa_rig *rig, size_t count, const char *const parents[][2])
{
	for (size_t i = 0; i < count; i++) {
		const ossa_bone *bone = test_bone(rig, parents[i][0]);
		assert_string_equal(rig->skeleton.bones[bone->parent].name, parents[i][1]);
	}
}

/* all limbs of such a body may meet in one node of the curve: it has a spine all the same, and each
   limb exactly its segments */
static void bones_hang_in_their_order(void **state)
{
	(void)state;
	static const char *const theropod[][2] = {{"spine_01", "pelvis"}, {"spine_02", "spine_01"}, {"upperarm_L", "spine_02"},
		{"hand_R", "lowerarm_R"}, {"thigh_R", "pelvis"}, {"toe_L", "foot_L"}, {"tail_01", "pelvis"}};
	static const char *const bird[][2] = {{"spine_02", "spine_01"}, {"wing_01_L", "spine_02"}, {"wing_02_R", "wing_01_R"},
		{"wing_03_L", "wing_02_L"}, {"foot_R", "calf_R"}, {"toe_R", "foot_R"}};
	ossa_context *context = test_context(0);
	ossa_rig *rig = make_theropod(context, 1);
	assert_parents(rig, sizeof theropod / sizeof *theropod, theropod);
	ossa_rig_free(context, rig);
	rig = make_bird(context);
	assert_parents(rig, sizeof bird / sizeof *bird, bird);
	for (size_t b = 0; b < rig->skeleton.bone_count; b++)
		assert_true(rig->skeleton.bones[b].role.part != OSSA_PART_WING || rig->skeleton.bones[b].role.number <= 3);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void wings_have_their_joints(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_rig *rig = make_bird(context);
	const double shoulder = test_bone(rig, "wing_01_L")->joint[0], elbow = test_bone(rig, "wing_02_L")->joint[0];
	const double wrist = test_bone(rig, "wing_03_L")->joint[0];
	assert_true(shoulder > 0.02 && shoulder < 0.35);
	assert_near((elbow - shoulder) / (1.6 - shoulder), 0.3, 0.05);
	assert_near((wrist - shoulder) / (1.6 - shoulder), 0.66, 0.05);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* a bird that flies and shows no leg has its hips behind the wings, and no bones of legs */
static void a_bird_without_legs(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	test_shape *shape = test_shape_new();
	test_shape_box(shape, ossai_v3(-0.1, -0.1, -0.4), ossai_v3(0.1, 0.1, 0.4), true);
	test_shape_box(shape, ossai_v3(-0.05, -0.05, 0.35), ossai_v3(0.05, 0.05, 0.8), true);
	test_shape_box(shape, ossai_v3(-0.12, -0.02, -0.8), ossai_v3(0.12, 0.02, -0.35), true);
	put_pair(shape, ossai_v3(0.05, 0, -0.05), ossai_v3(1.6, 0.05, 0.25));
	ossa_rig *rig = test_body_rig(context, test_shape_mesh(context, shape), OSSA_BODY_BIRD);
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		const ossa_body_part part = rig->skeleton.bones[b].role.part;
		assert_true(part < OSSA_PART_UPPER_LEG || part > OSSA_PART_TOES);
	}
	const double wing = test_bone(rig, "wing_01_L")->joint[2], ahead = test_bone(rig, "head")->joint[2] > wing ? 1 : -1;
	assert_true(ahead * test_bone(rig, "pelvis")->joint[2] < ahead * wing - 0.05);
	assert_true(ahead * test_bone(rig, "neck_01")->joint[2] > ahead * test_bone(rig, "spine_02")->joint[2]);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void sides_are_mirror_images(void **state)
{
	(void)state;
	static const char *const names[] = {"thigh", "calf", "foot", "toe", "upperarm", "lowerarm", "hand"};
	ossa_context *context = test_context(0);
	ossa_rig *rig = make_theropod(context, 1);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char name[64];
		snprintf(name, sizeof name, "%s_L", names[i]);
		const ossa_bone *left = test_bone(rig, name);
		snprintf(name, sizeof name, "%s_R", names[i]);
		const ossa_bone *right = test_bone(rig, name);
		assert_near_vec3(ossai_v3_of(left->joint), ossai_v3(-right->joint[0], right->joint[1], right->joint[2]), 1e-3);
		assert_true(left->deviation > 0.02 && left->deviation < 0.3);
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void scale_changes_nothing(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_rig *small = make_theropod(context, 1), *large = make_theropod(context, 128);
	assert_int_equal(small->skeleton.bone_count, large->skeleton.bone_count);
	for (size_t b = 0; b < small->skeleton.bone_count; b++) {
		const ossa_bone *a = &small->skeleton.bones[b], *c = &large->skeleton.bones[b];
		assert_string_equal(a->name, c->name);
		assert_near_vec3(ossai_scale(ossai_v3_of(c->joint), 1.0 / 128), ossai_v3_of(a->joint), 1e-6);
	}
	ossa_rig_free(context, small);
	ossa_rig_free(context, large);
	test_context_end(context);
}

/* the T. rex of the corpus has a spine from its hips to its neck, and its head ahead of these */
static void a_tyrannosaur_has_a_spine(void **state)
{
	(void)state;
	const char *path = test_corpus("characters/q_trex/rest.obj");
	if (!path) return;
	ossa_context *context = test_context(0);
	ossa_mesh *mesh = NULL;
	ossa_contraction_options options = ossa_contraction_default();
	ossa_rig *rig;
	assert_ok(context, ossa_read_mesh(context, path, NULL, &mesh));
	assert_ok(context, ossa_rig_from_contraction(context, mesh, &options, &rig));
	assert_int_equal(rig->body.kind, OSSA_BODY_THEROPOD);
	const double hips = test_bone(rig, "pelvis")->joint[2], low = test_bone(rig, "spine_01")->joint[2];
	const double high = test_bone(rig, "spine_02")->joint[2], neck = test_bone(rig, "neck")->joint[2];
	assert_true(hips < low && low < high && high < neck && neck < test_bone(rig, "head")->joint[2]);
	ossa_rig_free(context, rig);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(joints_are_where_riggers_put_them),
		cmocka_unit_test(bones_hang_in_their_order), cmocka_unit_test(wings_have_their_joints),
		cmocka_unit_test(sides_are_mirror_images), cmocka_unit_test(scale_changes_nothing),
		cmocka_unit_test(a_tyrannosaur_has_a_spine), cmocka_unit_test(a_bird_without_legs)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

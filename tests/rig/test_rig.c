/* tests/rig/test_rig.c: making, posing and checking rigs: a tube of two bones, and every rule of
   ossa/rig.h violated once. */
#include "base/context.h"
#include "math/vec.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

/* an arm along y in the plane z = 0, two quads: the lower belongs to the root, the upper to its
   child, the middle to both */
static const float ARM[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0, 1, 2, 0};
static const uint32_t ARM_FACES[] = {0, 1, 3, 0, 3, 2, 2, 3, 5, 2, 5, 4};
enum { ARM_VERTICES = 6, ARM_TRIANGLES = 4 };

static void set_weights(ossa_weights *weights, size_t vertex, uint16_t a, float wa, uint16_t b, float wb)
{
	weights->bones[2 * vertex] = a;
	weights->values[2 * vertex] = wa;
	weights->bones[2 * vertex + 1] = b;
	weights->values[2 * vertex + 1] = wb;
}

/* the child's frame at rest is turned about y, so that nothing works by luck of identity */
static void fill_arm(ossa_rig *rig)
{
	ossa_bone *bones = rig->skeleton.bones;
	strcpy(bones[0].name, "root");
	strcpy(bones[1].name, "elbow");
	bones[0].parent = -1;
	bones[0].kind = OSSA_JOINT_ROOT;
	bones[1].kind = OSSA_JOINT_HINGE;
	memcpy(bones[0].joint, (double[]){0.5, 0, 0}, sizeof bones[0].joint);
	memcpy(bones[0].tail, (double[]){0.5, 1, 0}, sizeof bones[0].tail);
	memcpy(bones[1].joint, (double[]){0.5, 1, 0}, sizeof bones[1].joint);
	memcpy(bones[1].tail, (double[]){0.5, 2, 0}, sizeof bones[1].tail);
	bones[0].orientation[3] = 1;
	ossai_quat_store(ossai_quat_axis_angle(ossai_v3(0, 1, 0), OSSAI_PI / 2), bones[1].orientation);
	bones[1].axis[2] = 1;
	for (size_t v = 0; v < ARM_VERTICES; v++) {
		if (v < 2) set_weights(&rig->weights, v, 0, 1, 0, 0);
		else if (v < 4) set_weights(&rig->weights, v, 0, 0.5f, 1, 0.5f);
		else set_weights(&rig->weights, v, 1, 1, 0, 0);
	}
}

/* frame 0: rest; frame 1: the elbow turned a quarter about z, the whole moved by (10, 0, 0) */
static void fill_clip(const ossa_rig *rig, ossa_clip *clip)
{
	const ossai_quat rest = ossai_quat_of(rig->skeleton.bones[1].orientation);
	const ossai_quat bent = ossai_quat_mul(ossai_quat_axis_angle(ossai_v3(0, 0, 1), OSSAI_PI / 2), rest);
	clip->times[1] = 1;
	clip->rotations[3] = clip->rotations[8 + 3] = 1;
	ossai_quat_store(rest, clip->rotations + 4);
	ossai_quat_store(bent, clip->rotations + 12);
	clip->root_positions[0] = 0.5;
	clip->root_positions[3] = 10.5;
}

static ossa_status make_arm(ossa_context *context, ossa_rig **rig)
{
	ossa_mesh *mesh = NULL;
	*rig = NULL;
	ossa_status status = ossa_mesh_create(context, ARM_VERTICES, ARM, ARM_TRIANGLES, ARM_FACES, &mesh);
	if (status == OSSA_OK) status = ossa_rig_create(context, mesh, 2, 2, rig);
	ossa_mesh_free(context, mesh);
	if (status != OSSA_OK) return status;
	fill_arm(*rig);
	status = ossa_clip_create(context, 2, 2, false, &(*rig)->clip);
	if (status == OSSA_OK) fill_clip(*rig, (*rig)->clip);
	if (status == OSSA_OK) return OSSA_OK;
	ossa_rig_free(context, *rig);
	*rig = NULL;
	return status;
}

static void assert_positions(const float *found, const double *expected, size_t count)
{
	for (size_t i = 0; i < count; i++) assert_near(found[i], expected[i], 1e-6);
}

static void empty_rig_has_room(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh;
	ossa_rig *rig;
	assert_ok(context, ossa_mesh_create(context, ARM_VERTICES, ARM, ARM_TRIANGLES, ARM_FACES, &mesh));
	assert_ok(context, ossa_rig_create(context, mesh, 3, 4, &rig));
	assert_ptr_not_equal(rig->mesh, mesh);
	assert_int_equal(rig->skeleton.bone_count, 3);
	assert_int_equal(rig->weights.vertex_count, ARM_VERTICES);
	assert_true(rig->weights.values[4 * ARM_VERTICES - 1] == 0);
	assert_null(rig->clip);
	ossa_rig_free(context, rig);
	assert_fails(context, ossa_rig_create(context, mesh, 70000, 4, &rig), OSSA_ERROR_LIMIT, "70000 bones");
	assert_null(rig);
	assert_fails(context, ossa_rig_create(context, mesh, 3, 0, &rig), OSSA_ERROR_ARGUMENT, "0 weights");
	ossa_clip *clip;
	assert_fails(context, ossa_clip_create(context, SIZE_MAX / 4, 8, false, &clip), OSSA_ERROR_LIMIT, NULL);
	assert_null(clip);
	ossa_mesh_free(context, mesh);
	ossa_rig_free(context, NULL);
	ossa_clip_free(context, NULL);
	test_context_end(context);
}

static void rest_pose_is_the_mesh(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, make_arm(context, &rig));
	float positions[3 * ARM_VERTICES];
	double expected[3 * ARM_VERTICES];
	for (int i = 0; i < 3 * ARM_VERTICES; i++) expected[i] = ARM[i];
	assert_ok(context, ossa_rig_pose(context, rig, NULL, NULL, 0, positions));
	assert_positions(positions, expected, 3 * ARM_VERTICES);
	assert_ok(context, ossa_rig_pose(context, rig, NULL, rig->clip, 0, positions));
	assert_positions(positions, expected, 3 * ARM_VERTICES);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void bent_elbow_moves_what_it_carries(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, make_arm(context, &rig));
	double matrices[24];
	ossa_rig_joint_matrices(rig, rig->clip, 1, matrices);
	assert_near(matrices[12 + 3], 10.5, 1e-12);
	assert_near(matrices[12 + 7], 1, 1e-12);
	/* (x, y) about the elbow at (0.5, 1) turns to (0.5 - (y - 1), 1 + (x - 0.5)); the middle is
	   half way */
	const double expected[] = {10, 0, 0, 11, 0, 0, 10.25, 0.75, 0, 10.75, 1.25, 0, 9.5, 0.5, 0, 9.5, 1.5, 0};
	float positions[3 * ARM_VERTICES];
	assert_ok(context, ossa_rig_pose(context, rig, NULL, rig->clip, 1, positions));
	assert_positions(positions, expected, 3 * ARM_VERTICES);
	assert_fails(context, ossa_rig_pose(context, rig, NULL, rig->clip, 2, positions), OSSA_ERROR_ARGUMENT, "no frame 2");
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void free_bones_move_by_their_translations(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, make_arm(context, &rig));
	assert_ok(context, ossa_clip_create(context, 2, 2, true, &rig->free_clip));
	fill_clip(rig, rig->free_clip);
	/* in frame 1 the elbow slides by 3 along y of the root */
	memcpy(rig->free_clip->translations + 9, (double[]){0, 4, 0}, 3 * sizeof(double));
	const double expected[] = {10, 0, 0, 11, 0, 0, 10.25, 2.25, 0, 10.75, 2.75, 0, 9.5, 3.5, 0, 9.5, 4.5, 0};
	float positions[3 * ARM_VERTICES];
	assert_ok(context, ossa_rig_pose(context, rig, NULL, rig->free_clip, 1, positions));
	assert_positions(positions, expected, 3 * ARM_VERTICES);
	assert_ok(context, ossa_rig_validate(context, rig));
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void other_weights_can_be_posed(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, make_arm(context, &rig));
	uint16_t bones[ARM_VERTICES] = {0};
	float values[ARM_VERTICES] = {1, 1, 1, 1, 1, 1}, positions[3 * ARM_VERTICES];
	ossa_weights rigid = {ARM_VERTICES, 1, bones, values};
	double expected[3 * ARM_VERTICES];
	for (int i = 0; i < 3 * ARM_VERTICES; i++) expected[i] = ARM[i] + (i % 3 == 0 ? 10 : 0);
	assert_ok(context, ossa_rig_pose(context, rig, &rigid, rig->clip, 1, positions));
	assert_positions(positions, expected, 3 * ARM_VERTICES);
	bones[4] = 2;
	assert_fails(context, ossa_rig_pose(context, rig, &rigid, NULL, 0, positions), OSSA_ERROR_INPUT, "vertex 4: is weighted");
	rigid.vertex_count = 5;
	assert_fails(context, ossa_rig_pose(context, rig, &rigid, NULL, 0, positions), OSSA_ERROR_INPUT, "for 5 vertices");
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* a random tree of bones and weights, posed in ranges, is the same for any number of threads */
static void threads_do_not_matter(void **state)
{
	(void)state;
	enum { N = 20000 };
	float *positions = malloc(3 * N * sizeof *positions), *posed = malloc(2 * 3 * N * sizeof *posed);
	for (uint32_t i = 0; i < 3 * N; i++) positions[i] = (float)(i * 2654435761u >> 8) / 16777216.0f;
	for (int run = 0; run < 2; run++) {
		ossa_context *context = test_context(run ? 8 : 1);
		ossa_mesh *mesh;
		ossa_rig *rig;
		assert_ok(context, ossa_mesh_create(context, N, positions, 0, NULL, &mesh));
		assert_ok(context, ossa_rig_create(context, mesh, 2, 2, &rig));
		ossa_mesh_free(context, mesh);
		fill_arm(rig);
		for (size_t v = 0; v < N; v++) set_weights(&rig->weights, v, 0, 0.75f, 1, 0.25f);
		assert_ok(context, ossa_clip_create(context, 2, 2, false, &rig->clip));
		fill_clip(rig, rig->clip);
		assert_ok(context, ossa_rig_pose(context, rig, NULL, rig->clip, 1, posed + 3 * N * run));
		ossa_rig_free(context, rig);
		test_context_end(context);
	}
	assert_memory_equal(posed, posed + 3 * N, 3 * N * sizeof *posed);
	free(positions);
	free(posed);
}

/* ---- every rule broken once ---- */

static void set_limits(ossa_rig *rig, int axis, double least, double largest)
{
	rig->skeleton.bones[1].has_limits = true;
	rig->skeleton.bones[1].limits[axis][0] = least;
	rig->skeleton.bones[1].limits[axis][1] = largest;
}

static void break_root(ossa_rig *rig) { rig->skeleton.bones[0].parent = 0; }
static void break_parent(ossa_rig *rig) { rig->skeleton.bones[1].parent = 1; }
static void break_second_root(ossa_rig *rig) { rig->skeleton.bones[1].parent = -1; }
static void break_name(ossa_rig *rig) { strcpy(rig->skeleton.bones[1].name, "left arm"); }
static void break_empty_name(ossa_rig *rig) { rig->skeleton.bones[1].name[0] = 0; }
static void break_endless_name(ossa_rig *rig) { memset(rig->skeleton.bones[1].name, 'a', 64); }
static void break_same_name(ossa_rig *rig) { strcpy(rig->skeleton.bones[1].name, "root"); }
static void break_kind(ossa_rig *rig) { rig->skeleton.bones[1].kind = OSSA_JOINT_PRISMATIC + 1; }
static void break_joint(ossa_rig *rig) { rig->skeleton.bones[1].joint[2] = NAN; }
static void break_tail(ossa_rig *rig) { rig->skeleton.bones[0].tail[0] = INFINITY; }
static void break_orientation(ossa_rig *rig) { rig->skeleton.bones[0].orientation[3] = 1.00001; }
static void break_axis(ossa_rig *rig) { rig->skeleton.bones[1].axis[2] = 0; }
static void break_no_hinge(ossa_rig *rig) { rig->skeleton.bones[1].kind = OSSA_JOINT_BALL; }
static void break_turn(ossa_rig *rig) { rig->skeleton.bones[1].turn_degrees = NAN; }
static void break_limit_sign(ossa_rig *rig) { set_limits(rig, 1, 10, 20); }
static void break_limit_range(ossa_rig *rig) { set_limits(rig, 0, -361, 0); }
static void break_limit_nan(ossa_rig *rig) { set_limits(rig, 2, -1, NAN); }
static void break_limit_unknown(ossa_rig *rig) { rig->skeleton.bones[1].limits[1][1] = 20; }
static void break_bones(ossa_rig *rig) { rig->skeleton.bone_count = 0; }
static void break_weight_count(ossa_rig *rig) { rig->weights.vertex_count = 5; }
static void break_weight_sum(ossa_rig *rig) { rig->weights.values[0] = 1.00001f; }
static void break_weight_sign(ossa_rig *rig) { set_weights(&rig->weights, 3, 0, 1.5f, 1, -0.5f); }
static void break_weight_nan(ossa_rig *rig) { rig->weights.values[4] = NAN; }
static void break_weight_order(ossa_rig *rig) { set_weights(&rig->weights, 3, 0, 0.25f, 1, 0.75f); }
static void break_weight_bone(ossa_rig *rig) { set_weights(&rig->weights, 3, 0, 0.5f, 2, 0.5f); }
static void break_weight_twice(ossa_rig *rig) { set_weights(&rig->weights, 3, 1, 0.5f, 1, 0.5f); }
static void break_weight_unused(ossa_rig *rig) { set_weights(&rig->weights, 0, 0, 1, 1, 0); }
static void break_times(ossa_rig *rig) { rig->clip->times[1] = 0; }
static void break_rotation(ossa_rig *rig) { rig->clip->rotations[3] = 0; }
static void break_rotation_nan(ossa_rig *rig) { rig->clip->rotations[0] = NAN; }
static void break_sign(ossa_rig *rig) { rig->clip->rotations[8 + 3] = -1; }
static void break_root_position(ossa_rig *rig) { rig->clip->root_positions[5] = NAN; }
static void break_clip_bones(ossa_rig *rig) { rig->clip->bone_count = 1; }
static void break_mesh(ossa_rig *rig) { rig->mesh->positions[2] = NAN; }
static void break_method(ossa_rig *rig) { memset(rig->method, 'm', sizeof rig->method); }
static void break_merge(ossa_rig *rig) { rig->merges[1] = (ossa_merge){2, 2, 0}; }
static void break_merge_range(ossa_rig *rig) { rig->merges[1].gone = ARM_TRIANGLES; }
static void break_merge_error(ossa_rig *rig) { rig->merges[1].error = NAN; }
static void break_merge_order(ossa_rig *rig) { rig->merges[0].error = 1; }

static const struct {
	void (*spoil)(ossa_rig *rig);
	const char *words;
} RULES[] = {
	{break_root, "must be the root"},
	{break_parent, "parent 1"},
	{break_second_root, "parent -1"},
	{break_name, "no name"},
	{break_empty_name, "no name"},
	{break_endless_name, "no name"},
	{break_same_name, "two bones are called root"},
	{break_kind, "kind"},
	{break_joint, "not finite"},
	{break_tail, "not finite"},
	{break_orientation, "unit quaternion"},
	{break_axis, "unit axis"},
	{break_no_hinge, "no hinge"},
	{break_turn, "turn"},
	{break_limit_sign, "limits of 10 to 20 degrees about y"},
	{break_limit_range, "-361"},
	{break_limit_nan, "about z"},
	{break_limit_unknown, "not said to be known"},
	{break_bones, "no bones"},
	{break_weight_count, "5 vertices"},
	{break_weight_sum, "vertex 0: has weights whose sum"},
	{break_weight_sign, "vertex 3: has a weight that is negative"},
	{break_weight_nan, "vertex 2: has a weight that is negative"},
	{break_weight_order, "not sorted"},
	{break_weight_bone, "not there"},
	{break_weight_twice, "twice"},
	{break_weight_unused, "unused"},
	{break_times, "frame 2: is not later"},
	{break_rotation, "frame 1: has a rotation"},
	{break_rotation_nan, "unit quaternion"},
	{break_sign, "frame 2: has a rotation of the other sign"},
	{break_root_position, "root position"},
	{break_clip_bones, "for 1 bones"},
	{break_mesh, NULL},
	{break_method, "method"},
	{break_merge, "merge 1"},
	{break_merge_range, "merge 1"},
	{break_merge_error, "merge 1"},
	{break_merge_order, "cheaper"},
};

static void every_rule_is_checked(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (size_t i = 0; i < sizeof RULES / sizeof RULES[0]; i++) {
		ossa_rig *rig;
		assert_ok(context, make_arm(context, &rig));
		rig->merges = ossa_alloc(context, 2, sizeof *rig->merges);
		rig->merge_count = 2;
		rig->merges[0] = (ossa_merge){0, 1, 0.25};
		rig->merges[1] = (ossa_merge){2, 3, 0.5};
		assert_ok(context, ossa_rig_validate(context, rig));
		RULES[i].spoil(rig);
		assert_fails(context, ossa_rig_validate(context, rig), OSSA_ERROR_INPUT, RULES[i].words);
		ossa_rig_free(context, rig);
	}
	test_context_end(context);
}

static ossa_status use_all(ossa_context *context, void *arg)
{
	(void)arg;
	ossa_rig *rig = NULL;
	float positions[3 * ARM_VERTICES];
	OSSAI_TRY(make_arm(context, &rig));
	ossa_status status = ossa_clip_create(context, 2, 2, true, &rig->free_clip);
	if (status == OSSA_OK) {
		fill_clip(rig, rig->free_clip);
		status = ossa_rig_validate(context, rig);
	}
	if (status == OSSA_OK) status = ossa_rig_pose(context, rig, NULL, rig->clip, 1, positions);
	ossa_rig_free(context, rig);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	assert_true(test_allocation_sweep(use_all, NULL, SIZE_MAX, 1) > 15);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty_rig_has_room),
		cmocka_unit_test(rest_pose_is_the_mesh),
		cmocka_unit_test(bent_elbow_moves_what_it_carries),
		cmocka_unit_test(free_bones_move_by_their_translations),
		cmocka_unit_test(other_weights_can_be_posed),
		cmocka_unit_test(threads_do_not_matter),
		cmocka_unit_test(every_rule_is_checked),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

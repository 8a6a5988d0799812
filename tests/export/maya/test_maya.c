/* tests/export/maya/test_maya.c: Maya scripts: their contents, and what they build with a mock
   of Maya (tests/maya). */
#include "base/context.h"
#include "math/euler.h"
#include "support/compare.h"
#include "support/hinge.h"
#include "support/maya.h"
#include "support/rich_rig.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* corners get one of a few normals, some none */
static void add_normals(ossa_context *context, ossa_mesh *mesh)
{
	static const float normals[] = {0, 0, 1, 1, 0, 0, 0, 0.6f, 0.8f};
	mesh->normals = ossa_alloc(context, 9, sizeof *normals);
	mesh->corner_normal = ossa_alloc(context, mesh->corner_count, sizeof *mesh->corner_normal);
	assert_non_null(mesh->normals);
	assert_non_null(mesh->corner_normal);
	memcpy(mesh->normals, normals, sizeof normals);
	mesh->normal_count = 3;
	for (size_t c = 0; c < mesh->corner_count; c++) mesh->corner_normal[c] = c % 7 == 0 ? OSSA_NONE : (uint32_t)(c % 3);
}

static void rig_is_built(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_write_options options = ossa_write_default();
	ossa_rig *rig;
	options.leaf_bones = true;
	assert_ok(context, test_rich_rig(context, 1000, 6, 4, &rig));
	add_normals(context, rig->mesh);
	/* a face without a corner's UV gets none in Maya; its others stay */
	rig->mesh->corner_texcoord[4] = OSSA_NONE;
	test_maya_write(context, rig, "rich", &options);
	test_maya_judge("rich", 181);
	/* the creature has names with hyphens */
	assert_int_equal(ossa_context_warning_count(context), 1);
	assert_string_equal(ossa_context_warning(context, 0)->code, "maya-names");
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* other axes, units and joint frames say the same thing in other numbers */
static void conventions_are_reported(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_write_options options = ossa_write_default();
	ossa_rig *rig;
	options.up = OSSA_UP_Z;
	options.unit = 0.0254;
	options.bone_axis = 0;
	assert_ok(context, test_rich_rig(context, 1000, 4, 6, &rig));
	add_normals(context, rig->mesh);
	test_maya_write(context, rig, "inches", &options);
	test_maya_judge("inches", 181);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void free_bones_are_keyed(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 4, 4, &rig));
	const size_t bones = rig->skeleton.bone_count, count = rig->clip->frame_count * bones * 3;
	rig->clip->translations = ossa_alloc(context, count, sizeof *rig->clip->translations);
	assert_non_null(rig->clip->translations);
	for (size_t i = 0; i < count; i++) rig->clip->translations[i] = 0.01 * (double)(i % 23);
	test_maya_write(context, rig, "free", NULL);
	test_maya_judge("free", 181);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* ---- gimbal lock ---- */

/* two bones, two triangles; the second turns by `turn_of(frame)` against its rest pose, which is no
   simple one */
static ossa_rig *make_elbow(ossa_context *context, size_t frames, ossai_quat (*turn_of)(size_t))
{
	static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 1, 2, 0, 0, 2, 1};
	static const uint32_t triangles[] = {0, 1, 2, 3, 4, 5};
	ossa_mesh *mesh;
	ossa_rig *rig;
	assert_ok(context, ossa_mesh_create(context, 6, positions, 2, triangles, &mesh));
	assert_ok(context, ossa_rig_create(context, mesh, 2, 1, &rig));
	ossa_mesh_free(context, mesh);
	const ossai_quat orientations[2] = {{0.5, -0.5, 0.5, 0.5}, ossai_quat_unit((ossai_quat){0.3, 0.9, -0.2, 0.4})};
	for (size_t b = 0; b < 2; b++) {
		ossa_bone *bone = &rig->skeleton.bones[b];
		snprintf(bone->name, sizeof bone->name, "%s", b == 0 ? "upper" : "lower");
		bone->parent = (int32_t)b - 1;
		bone->kind = b == 0 ? OSSA_JOINT_ROOT : OSSA_JOINT_BALL;
		bone->joint[1] = (double)b;
		bone->tail[1] = (double)b + 1;
		ossai_quat_store(orientations[b], bone->orientation);
	}
	for (size_t v = 0; v < 6; v++) {
		rig->weights.bones[v] = v >= 3;
		rig->weights.values[v] = 1;
	}
	assert_ok(context, ossa_clip_create(context, frames, 2, false, &rig->clip));
	const ossai_quat rest = ossai_quat_mul(ossai_quat_conjugate(orientations[0]), orientations[1]);
	for (size_t f = 0; f < frames; f++) {
		rig->clip->times[f] = (double)f / 30;
		ossai_quat_store(orientations[0], rig->clip->rotations + 8 * f);
		ossai_quat turn = ossai_quat_unit(ossai_quat_mul(rest, turn_of(f)));
		const bool flips = f > 0 && ossai_quat_dot(turn, ossai_quat_of(rig->clip->rotations + 8 * f - 4)) < 0;
		ossai_quat_store(flips ? ossai_quat_negate(turn) : turn, rig->clip->rotations + 8 * f + 4);
	}
	return rig;
}

/* around y twice and once back: exactly through the lock at 90 and 270 degrees */
static ossai_quat through_the_lock(size_t frame)
{
	const double degrees[3] = {0, 10.0 * (frame < 72 ? (double)frame : 144 - (double)frame), 0};
	return ossai_euler_quat(degrees, OSSAI_EULER_ZYX);
}

/* to the lock, then around in it */
static ossai_quat in_the_lock(size_t frame)
{
	const double degrees[3] = {frame < 9 ? 0 : 8.0 * (double)(frame - 9), frame < 9 ? 10.0 * (double)frame : 90, 0};
	return ossai_euler_quat(degrees, OSSAI_EULER_ZYX);
}

/* a steady turn about a slanted axis, many times around */
static ossai_quat many_times_around(size_t frame)
{
	return ossai_quat_axis_angle(ossai_unit(ossai_v3(1, 0.2, 0.1), ossai_v3(1, 0, 0)), 0.3 * (double)frame);
}

static void check_elbow(const char *name, size_t frames, ossai_quat (*turn_of)(size_t), double largest_step)
{
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_elbow(context, frames, turn_of);
	test_maya_write(context, rig, name, NULL);
	test_maya_judge(name, largest_step);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void lock_is_passed_smoothly(void **state)
{
	(void)state;
	check_elbow("through", 145, through_the_lock, 10.001);
	check_elbow("in-lock", 60, in_the_lock, 10.001);
	check_elbow("around", 100, many_times_around, 25);
}

/* ---- limits ---- */

/* the lines of a script that hold `word` */
static size_t count_lines(const char *path, const char *word)
{
	char line[4096];
	size_t count = 0;
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	while (fgets(line, sizeof line, file)) count += strstr(line, word) != NULL;
	fclose(file);
	return count;
}

static void limits_hold_where_they_are_known(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_elbow(context, 10, through_the_lock);
	ossa_write_options options = ossa_write_default();
	options.limit_slack = 7;
	test_maya_write(context, rig, "limited", &options);
	/* y turns from 0 to 90, the root not at all: its wide limits are there, but off */
	assert_int_equal(count_lines(test_path("limited.py"), "(\"lower\", (-7, 7), (-7, 97), (-7, 7), (True, True, True))"), 1);
	assert_int_equal(count_lines(test_path("limited.py"), "(False, False, False)),"), 1);
	test_maya_judge("limited", 11);

	/* limits of the rig's own, which the motion leaves about y: that one is off, with a warning */
	ossa_bone *lower = &rig->skeleton.bones[1];
	lower->has_limits = true;
	for (int k = 0; k < 3; k++) {
		lower->limits[k][0] = -20;
		lower->limits[k][1] = 20;
	}
	test_maya_write(context, rig, "narrow", NULL);
	assert_int_equal(
		count_lines(test_path("narrow.py"), "(\"lower\", (-20, 20), (-20, 20), (-20, 20), (True, False, True))"), 1);
	assert_int_equal(ossa_context_warning_count(context), 1);
	assert_string_equal(ossa_context_warning(context, 0)->code, "limits-left");
	test_maya_judge("narrow", 11);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static double up_to_72(size_t frame) { return 8.0 * (double)frame; }

/* about x in the script, whatever its axis is */
static double on_lines(const void *user, size_t hinge, size_t frame)
{
	static const double ratio[] = {1, -1.5, 0.5}, offset[] = {0, 0, 10};
	const double *beside = user;
	return ratio[hinge] * (15 * sin((double)frame) + 40 * sin(0.3 * (double)frame)) + offset[hinge] +
		(hinge == 2 ? *beside * sin((double)(7 * frame)) : 0);
}

/* rotateX of two joints is an expression, which the judge evaluates against the frames; keys stay
   of what is not on the line any more */
static void dependent_bones_have_expressions(void **state)
{
	(void)state;
	static const int32_t parents[] = {0, 1, 0};
	static const ossa_dependency lines[] = {{2, 1, -1.5, 0, 0, 0, {0}}, {3, 1, 0.5, 10, 0.05, 0, {0}}};
	ossa_context *context = test_context(1);
	for (int step = 0; step < 2; step++) {
		const double beside = step;
		ossa_rig *rig = test_hinges_rig(context, 3, parents, 12, on_lines, &beside);
		assert_ok(context, ossa_rig_set_dependencies(context, rig, 2, lines));
		test_maya_write(context, rig, "driven", NULL);
		const size_t same = count_lines(test_path("driven.py"), "\"hinge_1\", 1.5, 0),");
		assert_int_equal(same + count_lines(test_path("driven.py"), "\"hinge_1\", -1.5, 0),"), 1);
		assert_int_equal(count_lines(test_path("driven.py"), "    (\"hinge_3\", \"hinge_1\", "), 1 - step);
		assert_int_equal(test_warned(context, "drivers-left"), step);
		test_maya_judge("driven", 120);
		ossa_rig_free(context, rig);
	}
	test_context_end(context);
}

/* rotateX of two joints is an expression of the twist of a ball in an order of its own; without its
   line the keys stay */
static void twist_bones_have_expressions(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_sample_of_kind(context, OSSA_SAMPLE_ARMS, 1000, 24);
	test_maya_write(context, sample->rig, "twisted", NULL);
	assert_int_equal(count_lines(test_path("twisted.py"), "    (\"forearm_twist_l\", \"hand_l\", "), 1);
	assert_int_equal(test_warned(context, "drivers-left"), 0);
	test_maya_judge("twisted", 120);
	sample->rig->dependencies[1].ratio += 0.1;
	test_maya_write(context, sample->rig, "twisted", NULL);
	assert_int_equal(count_lines(test_path("twisted.py"), "    (\"forearm_twist_l\", \"hand_l\", "), 0);
	assert_int_equal(test_warned(context, "drivers-left"), 1);
	test_maya_judge("twisted", 120);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void hinges_have_one_limit(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_write_options options = ossa_write_default();
	options.limit_slack = 0;
	ossa_rig *rig = test_hinge_rig(context, ossai_v3(-0.6, 0.8, 0), 10, up_to_72);
	test_maya_write(context, rig, "hinge", &options);
	assert_int_equal(count_lines(test_path("hinge.py"), "(\"lower\", (-72, 0), "), 1);
	assert_int_equal(count_lines(test_path("hinge.py"), "(True, True, True)),"), 1);
	test_maya_judge("hinge", 8.001);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* ---- odd rigs ---- */

/* the number of rotateOrder that a script gives a joint */
static int order_in(const char *path, const char *joint)
{
	char line[4096], start[96];
	int order = -1;
	snprintf(start, sizeof start, "    (\"%s\", ", joint);
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	while (order < 0 && fgets(line, sizeof line, file)) {
		const char *last = strrchr(line, ',');
		if (strncmp(line, start, strlen(start)) != 0 || !last) continue;
		for (last--; *last != ' '; last--) {
		}
		order = (int)strtol(last, NULL, 10);
	}
	fclose(file);
	return order;
}

static ossai_quat far_about_y(size_t frame)
{
	const double degrees[3] = {5, 8.0 * (double)frame, -10};
	return ossai_euler_quat(degrees, OSSAI_EULER_ZYX);
}

static ossai_quat far_about_x(size_t frame)
{
	const double degrees[3] = {8.0 * (double)frame, 5, -10};
	return ossai_euler_quat(degrees, OSSAI_EULER_ZYX);
}

/* xyz unless y, the second, passes a right angle; limits then refer to that order, and contain the
   motion */
static void orders_keep_away_from_gimbal_lock(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_elbow(context, 20, far_about_y);
	test_maya_write(context, rig, "own-order", NULL);
	assert_int_equal(order_in(test_path("own-order.py"), "upper"), 0);
	const int order = order_in(test_path("own-order.py"), "lower");
	assert_true(order > 0 && ossai_euler_orders[order].axis[1] != 1);
	assert_int_equal(ossa_context_warning_count(context), 0);
	assert_int_equal(count_lines(test_path("own-order.py"), "(True, True, True)"), 1);
	test_maya_judge("own-order", 20);
	/* limits of the rig's own mean turns in the order xyz */
	rig->skeleton.bones[1].has_limits = true;
	for (int k = 0; k < 3; k++) {
		rig->skeleton.bones[1].limits[k][0] = -360;
		rig->skeleton.bones[1].limits[k][1] = 360;
	}
	test_maya_write(context, rig, "own-limits", NULL);
	assert_int_equal(order_in(test_path("own-limits.py"), "lower"), 0);
	test_maya_judge("own-limits", 181);
	ossa_rig_free(context, rig);

	rig = make_elbow(context, 20, far_about_x);
	test_maya_write(context, rig, "usual-order", NULL);
	assert_int_equal(order_in(test_path("usual-order.py"), "lower"), 0);
	test_maya_judge("usual-order", 11);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* names that Maya would change; one of them would then be like another's */
static void names_are_maya_s(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_elbow(context, 3, through_the_lock);
	strcpy(rig->skeleton.bones[0].name, "arm-L");
	strcpy(rig->skeleton.bones[1].name, "arm_L");
	strcpy(rig->mesh->name, "2nd arm");
	test_maya_write(context, rig, "names", NULL);
	assert_int_equal(count_lines(test_path("names.py"), "(\"arm_L_2\", None"), 1);
	assert_int_equal(count_lines(test_path("names.py"), "(\"arm_L\", \"arm_L_2\""), 1);
	assert_int_equal(count_lines(test_path("names.py"), "NAME = \"_2nd_arm\""), 1);
	assert_string_equal(ossa_context_warning(context, 0)->code, "maya-names");
	test_maya_judge("names", 11);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* without motion; and a face that has only two different corners */
static void still_rig_is_built(void **state)
{
	(void)state;
	static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
	static const uint32_t triangles[] = {0, 1, 2, 1, 1, 2};
	ossa_context *context = test_context(1);
	ossa_mesh *mesh;
	ossa_rig *rig;
	assert_ok(context, ossa_mesh_create(context, 3, positions, 2, triangles, &mesh));
	assert_ok(context, ossa_rig_create(context, mesh, 1, 1, &rig));
	ossa_mesh_free(context, mesh);
	strcpy(rig->skeleton.bones[0].name, "root");
	rig->skeleton.bones[0].parent = -1;
	rig->skeleton.bones[0].kind = OSSA_JOINT_ROOT;
	rig->skeleton.bones[0].tail[1] = 1;
	rig->skeleton.bones[0].orientation[3] = 1;
	for (size_t v = 0; v < 3; v++) rig->weights.values[v] = 1;
	test_maya_write(context, rig, "still", NULL);
	test_maya_judge("still", 1);
	assert_int_equal(ossa_context_warning_count(context), 1);
	assert_string_equal(ossa_context_warning(context, 0)->code, "maya-faces");
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void mesh_alone_is_built(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 4, 4, &rig));
	assert_ok(context, ossa_write_mesh(context, rig->mesh, NULL, test_path("alone.py"), NULL));
	assert_ok(context, ossa_write_mesh(context, rig->mesh, NULL, test_path("alone.obj"), NULL));
	test_maya_judge("alone", 1);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* ---- memory ---- */

static void failing_allocations_are_survived(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 4, 4, &rig));
	ossa_write_options options = ossa_write_default();
	options.leaf_bones = true;
	test_sweep_write(&(test_writing){.rig = rig, .options = &options}, "sweep.py", 6);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rig_is_built),
		cmocka_unit_test(conventions_are_reported),
		cmocka_unit_test(free_bones_are_keyed),
		cmocka_unit_test(lock_is_passed_smoothly),
		cmocka_unit_test(limits_hold_where_they_are_known),
		cmocka_unit_test(hinges_have_one_limit),
		cmocka_unit_test(dependent_bones_have_expressions),
		cmocka_unit_test(twist_bones_have_expressions),
		cmocka_unit_test(orders_keep_away_from_gimbal_lock),
		cmocka_unit_test(names_are_maya_s),
		cmocka_unit_test(still_rig_is_built),
		cmocka_unit_test(mesh_alone_is_built),
		cmocka_unit_test(failing_allocations_are_survived),
	};
	return cmocka_run_group_tests(tests, test_find_python, NULL);
}

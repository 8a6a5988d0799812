/* tests/methods/pieces/test_contraction_pieces.c: pieces of a mesh that are rigged separately: each
   as it would be alone, under a common root; eyes and buttons; messages. */
#include "support/pieces.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* bones of the prefix are those of the rig of the piece alone, moved */
static void assert_as_alone(const ossa_rig *rig, const char *prefix, const ossa_rig *alone, const double by[3])
{
	assert_int_equal(test_pieces_count(rig, prefix), alone->skeleton.bone_count);
	for (size_t b = 0; b < alone->skeleton.bone_count; b++) {
		char name[128];
		snprintf(name, sizeof name, "%s%s", prefix, alone->skeleton.bones[b].name);
		const int32_t found = ossa_rig_bone(rig, name);
		if (found < 0) fail_msg("no bone %s", name);
		for (int k = 0; k < 3; k++) {
			const double off = rig->skeleton.bones[found].joint[k] - by[k] - alone->skeleton.bones[b].joint[k];
			if (!(fabs(off) < 1e-3)) fail_msg("%s is %g off", name, off);
		}
	}
}

/* ---- two animals ---- */

static void each_is_rigged_as_if_alone(void **state)
{
	(void)state;
	/* steps of floats: translations by these are exact */
	const double by[3] = {4, 0, 0.5}, here[3] = {0, 0, 0};
	ossa_context *context = test_context(2);
	ossa_sample *biped = test_pieces_sample(context, OSSA_SAMPLE_BIPED),
				*animal = test_pieces_sample(context, OSSA_SAMPLE_QUADRUPED);
	test_shape *s = test_shape_new();
	test_pieces_add(s, animal->rig->mesh, 0, 0, 0);
	test_pieces_add(s, biped->rig->mesh, by[0], by[1], by[2]);
	const size_t first = animal->rig->mesh->vertex_count;
	ossa_mesh *both = test_pieces_mesh(context, s);
	ossa_contraction_options options = test_pieces_options();
	ossa_rig *rig = test_pieces_rig(context, both, &options);
	assert_no_warnings(context);
	/* the common root moves nothing, and is on the ground between the two */
	const ossa_bone *root = rig->skeleton.bones;
	assert_string_equal(root->name, "root");
	assert_true(root->joint[0] > 1 && root->joint[0] < 3);
	assert_near(root->joint[1], 0, 0.05);
	assert_int_equal(rig->skeleton.bones[1].parent, 0);
	assert_int_equal(rig->skeleton.bones[2].parent, 0);
	assert_true(rig->skeleton.bones[3].parent > 0);
	/* the larger one comes first: they are nearly as large */
	const bool swapped = test_pieces_count(rig, "piece_1_thigh") > 0;
	const char *of_animal = swapped ? "piece_2_" : "piece_1_", *of_biped = swapped ? "piece_1_" : "piece_2_";
	test_pieces_assert_own(rig, of_animal, 0, first);
	test_pieces_assert_own(rig, of_biped, first, both->vertex_count);
	ossa_rig *alone = test_pieces_rig(context, animal->rig->mesh, &options);
	assert_as_alone(rig, of_animal, alone, here);
	ossa_rig_free(context, alone);
	alone = test_pieces_rig(context, biped->rig->mesh, &options);
	assert_as_alone(rig, of_biped, alone, by);
	assert_true(swapped || test_pieces_count(rig, "piece_2_thigh") > 0);
	ossa_rig_free(context, alone);
	ossa_rig_free(context, rig);
	ossa_mesh_free(context, both);
	free(s);
	ossa_sample_free(context, animal);
	ossa_sample_free(context, biped);
	test_context_end(context);
}

/* as many bones as requested, in proportion to what the shapes suggest; what one cannot use the
   other gets */
static void bones_are_distributed(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *octopus = test_pieces_sample(context, OSSA_SAMPLE_OCTOPUS),
				*tube = test_pieces_sample(context, OSSA_SAMPLE_TUBE);
	test_shape *s = test_shape_new();
	test_pieces_add(s, octopus->rig->mesh, 0, 0, 0);
	test_pieces_add(s, tube->rig->mesh, 0, 3, 0);
	ossa_mesh *both = test_pieces_mesh(context, s);
	ossa_contraction_options options = test_pieces_options();
	ossa_rig *rig = test_pieces_rig(context, both, &options);
	const size_t all = rig->skeleton.bone_count, of_octopus = test_pieces_count(rig, "piece_1_");
	assert_true(of_octopus > 20 && all - of_octopus > 3);
	ossa_rig_free(context, rig);
	static const int WANTED[] = {1, 37};
	for (size_t i = 0; i < sizeof WANTED / sizeof WANTED[0]; i++) {
		options.bones = WANTED[i];
		rig = test_pieces_rig(context, both, &options);
		assert_int_equal(rig->skeleton.bone_count, WANTED[i]);
		const size_t part = test_pieces_count(rig, "piece_1_");
		if (WANTED[i] > 20) assert_near((double)part / WANTED[i], (double)of_octopus / (double)all, 0.1);
		assert_true((test_warned(context, "pieces-along") > 0) == (WANTED[i] < 3));
		ossa_rig_free(context, rig);
	}
	options.bones = 20;
	options.refine = 0;
	rig = test_pieces_rig(context, both, &options);
	assert_int_equal(rig->skeleton.bone_count, 20);
	ossa_rig_free(context, rig);
	ossa_mesh_free(context, both);
	free(s);
	ossa_sample_free(context, tube);
	ossa_sample_free(context, octopus);
	test_context_end(context);
}

/* ---- eyes and buttons ---- */

/* the weights of a piece's vertices are all alike, and those of bones of the body */
static void assert_goes_along(const ossa_rig *rig, size_t first, size_t end)
{
	const size_t width = (size_t)rig->weights.influences;
	for (size_t v = first; v < end; v++) {
		assert_memory_equal(rig->weights.values + v * width, rig->weights.values + first * width, width * sizeof(float));
		assert_memory_equal(rig->weights.bones + v * width, rig->weights.bones + first * width, width * sizeof(uint16_t));
	}
	assert_int_not_equal(strncmp(rig->skeleton.bones[rig->weights.bones[first * width]].name, "piece", 5), 0);
}

static void eyes_are_rigid_and_buttons_go_along(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *biped = test_pieces_sample(context, OSSA_SAMPLE_BIPED);
	const ossa_mesh *body = biped->rig->mesh;
	test_shape *s = test_shape_new();
	test_pieces_add(s, body, 0, 0, 0);
	const ossai_vec3 face = test_pieces_front(body, 0.05, 1.78, 0.06);
	for (int side = -1; side <= 1; side += 2) {
		const ossai_vec3 eye = ossai_v3(side * 0.05, face.y, face.z);
		test_shape_ball(s, eye, 0.03, 6, INFINITY);
		test_shape_ball(s, ossai_v3(eye.x, eye.y, eye.z + 0.03), 0.012, 4, INFINITY);
	}
	const size_t buttons = s->vertex_count;
	for (int i = 0; i < 2; i++) test_shape_ball(s, test_pieces_front(body, 0, 1.3 - 0.1 * i, 0.06), 0.004, 3, INFINITY);
	ossa_mesh *mesh = test_pieces_mesh(context, s);
	ossa_contraction_options options = test_pieces_options();
	options.proxy_size = 1000;
	ossa_rig *rig = test_pieces_rig(context, mesh, &options);
	/* the body keeps its names, and each eye is a child of the head, each pupil of its eye */
	assert_int_equal(test_pieces_count(rig, "piece_"), 4);
	assert_true(test_pieces_count(rig, "thigh") > 0 && strcmp(rig->skeleton.bones[0].name, "root") != 0);
	for (int side = 0; side < 2; side++) {
		const int32_t eye = ossa_rig_bone(rig, side ? "piece_2_L" : "piece_2_R");
		const int32_t pupil = ossa_rig_bone(rig, side ? "piece_4_L" : "piece_4_R");
		assert_true(eye > 0 && pupil > 0);
		assert_near(rig->skeleton.bones[eye].joint[0], side ? 0.05 : -0.05, 1e-3);
		assert_int_equal(rig->skeleton.bones[pupil].parent, eye);
		assert_string_equal(rig->skeleton.bones[rig->skeleton.bones[eye].parent].name, "head");
	}
	const size_t half = buttons + (mesh->vertex_count - buttons) / 2;
	assert_goes_along(rig, buttons, half);
	assert_goes_along(rig, half, mesh->vertex_count);
	ossa_rig_free(context, rig);
	/* all of them, if one likes; or none */
	options.along_below = 0;
	rig = test_pieces_rig(context, mesh, &options);
	assert_int_equal(test_pieces_count(rig, "piece_"), 6);
	ossa_rig_free(context, rig);
	options.along_below = options.rigid_below = 20;
	rig = test_pieces_rig(context, mesh, &options);
	assert_int_equal(test_pieces_count(rig, "piece_"), 0);
	ossa_rig_free(context, rig);
	ossa_mesh_free(context, mesh);
	free(s);
	ossa_sample_free(context, biped);
	test_context_end(context);
}

/* ---- progress ---- */

enum { HEARD = 4000 };

/* fractions heard of one stage */
typedef struct listener {
	const char *stage;
	size_t count;
	double heard[HEARD];
} listener;

static bool listen(void *user, const char *stage, double fraction)
{
	listener *l = user;
	if (strcmp(stage, l->stage) == 0 && l->count < HEARD) l->heard[l->count++] = fraction;
	return true;
}

static void assert_moves_on(const ossa_mesh *mesh, const char *stage)
{
	listener *l = calloc(1, sizeof *l);
	assert_non_null(l);
	l->stage = stage;
	ossa_context_options wanted = ossa_context_default();
	wanted.progress = listen;
	wanted.progress_user = l;
	/* of several threads whose work is heard is a matter of chance */
	wanted.threads = 1;
	ossa_context *context;
	assert_int_equal(ossa_context_create(&wanted, &context), OSSA_OK);
	ossa_contraction_options options = test_pieces_options();
	options.proxy_size = 150;
	options.symmetry = 0;
	ossa_rig *rig;
	assert_ok(context, ossa_rig_from_contraction(context, mesh, &options, &rig));
	const double begin = l->heard[0], end = l->heard[l->count - 1], half = l->heard[l->count / 2];
	assert_true(l->count >= 10 && end > begin);
	if (!(half > begin + 0.25 * (end - begin) && half < begin + 0.75 * (end - begin))) {
		fail_msg("%s goes from %g to %g, and is at %g at half of its progress", stage, begin, end, half);
	}
	ossa_rig_free(context, rig);
	ossa_context_free(context);
	free(l);
}

/* ten things alike: a stage moves on with each of them, and does not stand still behind the
   first */
static void progress_goes_over_all_pieces(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	test_shape *s = test_shape_new();
	for (int i = 0; i < 10; i++) test_shape_box(s, ossai_v3(0, 3 * i, 0), ossai_v3(4 + 0.1 * i, 3 * i + 1, 1), true);
	ossa_mesh *mesh = test_pieces_mesh(context, s);
	static const char *const STAGES[] = {"proxy", "contraction", "curve", "weights"};
	for (size_t i = 0; i < sizeof STAGES / sizeof STAGES[0]; i++) assert_moves_on(mesh, STAGES[i]);
	ossa_mesh_free(context, mesh);
	free(s);
	test_context_end(context);
}

/* ---- the rest ---- */

static void options_that_have_no_part_are_reported(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *tube = test_pieces_sample(context, OSSA_SAMPLE_TUBE);
	ossa_contraction_options options = test_pieces_options();
	options.join = 5;
	ossa_rig_free(context, test_pieces_rig(context, tube->rig->mesh, &options));
	assert_non_null(strstr(test_warning_text(context, "unused-options"), "`join-distance`"));
	options = test_pieces_options();
	options.pieces = 0;
	options.rigid_below = 5;
	ossa_rig_free(context, test_pieces_rig(context, tube->rig->mesh, &options));
	assert_non_null(strstr(test_warning_text(context, "unused-options"), "`rigid-below`"));
	ossa_sample_free(context, tube);
	test_context_end(context);
}

/* two boxes, a small one, a face of no area */
static ossa_mesh *make_boxes(ossa_context *context)
{
	test_shape *s = test_shape_new();
	test_shape_box(s, ossai_v3(0, 0, 0), ossai_v3(4, 1, 1), true);
	test_shape_box(s, ossai_v3(0, 3, 0), ossai_v3(4, 4, 1), true);
	test_shape_box(s, ossai_v3(1, 1.05, 0.4), ossai_v3(1.2, 1.25, 0.6), true);
	static const float line[] = {0, 5, 0, 1, 5, 0, 2, 5, 0};
	memcpy(s->positions + 3 * s->vertex_count, line, sizeof line);
	for (uint32_t k = 0; k < 3; k++) s->triangles[3 * s->face_count + k] = (uint32_t)s->vertex_count + k;
	s->vertex_count += 3;
	s->face_count++;
	ossa_mesh *mesh = test_pieces_mesh(context, s);
	free(s);
	return mesh;
}

static ossa_status sweep_body(ossa_context *context, void *arg)
{
	ossa_rig *rig;
	ossa_contraction_options options = test_pieces_options();
	options.proxy_size = 150;
	options.bones = 9;
	const ossa_status status = ossa_rig_from_contraction(context, arg, &options, &rig);
	if (status == OSSA_OK) ossa_rig_free(context, rig);
	else assert_null(rig);
	return status;
}

/* without a number of bones, and renamed */
static ossa_status sweep_names(ossa_context *context, void *arg)
{
	ossa_rig *rig;
	ossa_contraction_options options = test_pieces_options();
	options.proxy_size = 150;
	ossa_status status = ossa_rig_from_contraction(context, arg, &options, &rig);
	if (status == OSSA_OK) status = ossa_rig_name_bones(context, rig, OSSA_NAMES_BODY);
	ossa_rig_free(context, rig);
	return status;
}

static void memory_may_fail_anywhere(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = make_boxes(context);
	assert_true(test_allocation_sweep(sweep_body, mesh, 10, 97) > 200);
	ossa_mesh_free(context, mesh);
	test_shape *s = test_shape_new();
	test_pieces_add_floor(s, -0.1, 9);
	for (int i = 0; i < 2; i++) test_shape_box(s, ossai_v3(0, 3 * i, 0), ossai_v3(4, 3 * i + 1, 1), true);
	mesh = test_pieces_mesh(context, s);
	free(s);
	assert_true(test_allocation_sweep(sweep_names, mesh, 10, 97) > 200);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void the_same_bytes_for_any_threads(void **state)
{
	(void)state;
	ossa_rig *rigs[2];
	ossa_context *contexts[2];
	for (int i = 0; i < 2; i++) {
		contexts[i] = test_context(i == 0 ? 1 : 3);
		ossa_mesh *mesh = make_boxes(contexts[i]);
		ossa_contraction_options options = test_pieces_options();
		options.proxy_size = 300;
		rigs[i] = test_pieces_rig(contexts[i], mesh, &options);
		ossa_mesh_free(contexts[i], mesh);
	}
	const size_t bones = rigs[0]->skeleton.bone_count, pairs = rigs[0]->weights.vertex_count * 4;
	assert_int_equal(bones, rigs[1]->skeleton.bone_count);
	assert_memory_equal(rigs[0]->skeleton.bones, rigs[1]->skeleton.bones, bones * sizeof(ossa_bone));
	assert_memory_equal(rigs[0]->weights.values, rigs[1]->weights.values, pairs * sizeof(float));
	/* the small box is rigid and a child of the first long one */
	const int32_t small = ossa_rig_bone(rigs[0], "piece_3");
	assert_true(small > 0 && rigs[0]->skeleton.bones[rigs[0]->skeleton.bones[small].parent].joint[1] < 1);
	for (int i = 0; i < 2; i++) {
		ossa_rig_free(contexts[i], rigs[i]);
		test_context_end(contexts[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(each_is_rigged_as_if_alone), cmocka_unit_test(bones_are_distributed),
		cmocka_unit_test(eyes_are_rigid_and_buttons_go_along), cmocka_unit_test(progress_goes_over_all_pieces),
		cmocka_unit_test(options_that_have_no_part_are_reported), cmocka_unit_test(memory_may_fail_anywhere),
		cmocka_unit_test(the_same_bytes_for_any_threads)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

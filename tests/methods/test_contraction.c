/* tests/methods/test_contraction.c: rigs of meshes without motion: obvious limbs, the paper's
   own procedure, loops, weights, motion, bad input. */
#include "support/shapes.h"
#include "support/still.h"
#include "support/support.h"
#include "weights/bone_segments.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FACES = 4000 };

static ossa_rig *rig_of(ossa_context *context, const ossa_mesh *mesh, const ossa_contraction_options *options)
{
	ossa_rig *rig;
	assert_ok(context, ossa_rig_from_contraction(context, mesh, options, &rig));
	assert_ok(context, ossa_rig_validate(context, rig));
	return rig;
}

/* ---- what is found ---- */

/* each limb has its end and moves no vertex of its neighbours */
static void limbs_are_found(void **state)
{
	(void)state;
	/* a quadruped has ears and a muzzle beside legs and tail; a biped arms, legs, head; limbs as
	   bends count them, 0: not checked */
	static const struct {
		int kind;
		size_t least, most, limbs;
	} shapes[] = {{OSSA_SAMPLE_OCTOPUS, 9, 9, 6}, {OSSA_SAMPLE_QUADRUPED, 6, 8, 0}, {OSSA_SAMPLE_HAND, 5, 6, 5},
		{OSSA_SAMPLE_BIPED, 5, 7, 0}, {OSSA_SAMPLE_TUBE, 1, 2, 0}, {OSSA_SAMPLE_SNAKE, 1, 3, 0}};
	ossa_context *context = test_context(0);
	for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
		ossa_sample *sample = test_sample(context, shapes[i].kind, FACES);
		ossa_rig *rig = rig_of(context, sample->rig->mesh, NULL);
		ossa_metrics metrics;
		assert_ok(context, ossa_rig_measure(context, rig, NULL, NULL, NULL, &metrics));
		const size_t leaves = test_leaf_count(rig);
		if (leaves < shapes[i].least || leaves > shapes[i].most || metrics.joints_inside < 1) {
			fail_msg(
				"creature %d: %zu ends, %.0f %% of the joints inside", shapes[i].kind, leaves, 100 * metrics.joints_inside);
		}
		assert_null(rig->clip);
		assert_int_equal(rig->loop_count, 0);
		if (shapes[i].limbs > 0) {
			ossa_bend bend;
			assert_ok(context, ossa_rig_measure_bend(context, rig, NULL, NULL, &bend));
			assert_true((size_t)bend.limbs >= shapes[i].limbs && bend.leak_percent == 0);
		}
		ossa_rig_free(context, rig);
		ossa_sample_free(context, sample);
	}
	test_context_end(context);
}

/* a robot of boxes with gaps between: a node in a gap does not go on into the next box, and limbs
   do not run back */
static void limbs_of_pieces_do_not_double_back(void **state)
{
	(void)state;
	static const double boxes[10][6] = {{-0.25, 0.8, -0.15, 0.25, 1.6, 0.15}, {-0.15, 1.62, -0.15, 0.15, 1.92, 0.15},
		{0.27, 1.425, -0.075, 0.87, 1.575, 0.075}, {0.89, 1.44, -0.06, 1.49, 1.56, 0.06}, {0.05, 0.38, -0.09, 0.23, 0.78, 0.09},
		{0.06, -0.04, -0.08, 0.22, 0.36, 0.08}, {-0.87, 1.425, -0.075, -0.27, 1.575, 0.075},
		{-1.49, 1.44, -0.06, -0.89, 1.56, 0.06}, {-0.23, 0.38, -0.09, -0.05, 0.78, 0.09},
		{-0.22, -0.04, -0.08, -0.06, 0.36, 0.08}};
	ossa_context *context = test_context(1);
	test_shape *s = test_shape_new();
	for (size_t i = 0; i < 10; i++) test_shape_box(s, ossai_v3_of(boxes[i]), ossai_v3_of(boxes[i] + 3), true);
	ossa_mesh *mesh;
	assert_ok(context, ossa_mesh_create(context, s->vertex_count, s->positions, s->face_count, s->triangles, &mesh));
	ossa_contraction_options options = ossa_contraction_default();
	options.bones = 30;
	ossa_rig *rig = rig_of(context, mesh, &options);
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		const int32_t parent = rig->skeleton.bones[b].parent, before = parent < 0 ? -1 : rig->skeleton.bones[parent].parent;
		if (before < 0 || test_child_count(rig, (size_t)parent) != 1) continue;
		const ossai_vec3 there = ossai_v3_of(rig->skeleton.bones[parent].joint);
		const ossai_vec3 here = ossai_unit(ossai_sub(ossai_v3_of(rig->skeleton.bones[b].joint), there), ossai_v3(0, 0, 0));
		const ossai_vec3 last = ossai_unit(ossai_sub(there, ossai_v3_of(rig->skeleton.bones[before].joint)), ossai_v3(0, 0, 0));
		assert_true(ossai_dot(here, last) > -0.5);
	}
	ossa_rig_free(context, rig);
	ossa_mesh_free(context, mesh);
	free(s);
	test_context_end(context);
}

/* enforced on what is symmetric: no bone more or less, none without vertices, arms on either side
   of one spine */
static void enforcing_symmetry_keeps_what_is_symmetric(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_BIPED, FACES);
	ossa_contraction_options options = ossa_contraction_default();
	ossa_rig *detected = rig_of(context, sample->rig->mesh, &options);
	options.symmetry = 2;
	ossa_context_reset(context);
	ossa_rig *enforced = rig_of(context, sample->rig->mesh, &options);
	assert_no_warnings(context);
	assert_int_equal(enforced->skeleton.bone_count, detected->skeleton.bone_count);
	for (size_t b = 0; b < detected->skeleton.bone_count; b++) {
		const char *name = detected->skeleton.bones[b].name;
		if (ossa_rig_bone(enforced, name) < 0) fail_msg("no bone %s", name);
	}
	ossa_rig_free(context, detected);
	ossa_rig_free(context, enforced);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ... and on others: it is enforced, with a warning about the distance of the shape from symmetry;
   no warning unless it was requested */
static void enforcing_symmetry_reports_what_is_not(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_HAND, FACES);
	ossa_contraction_options options = ossa_contraction_default();
	options.proxy_size = 3000;
	ossa_rig_free(context, rig_of(context, sample->rig->mesh, &options));
	assert_int_equal(test_warned(context, "not-symmetric"), 0);
	options.symmetry = 2;
	ossa_rig_free(context, rig_of(context, sample->rig->mesh, &options));
	assert_int_equal(test_warned(context, "not-symmetric"), 1);
	double mean, share;
	const char *text = strstr(test_warning_text(context, "not-symmetric"), "image is ");
	assert_non_null(text);
	assert_int_equal(sscanf(text, "image is %lf %% of the size, and %lf %%", &mean, &share), 2);
	/* a thumb is a fifth of a hand, and longer than wide: its image lies in the air */
	assert_true(mean > 1 && mean < 8);
	assert_true(share > 5 && share < 60);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* stubby legs are limbs, each, and ears and horns none; a head does not go on into one of them */
static void stubby_legs_are_limbs_and_ears_are_none(void **state)
{
	(void)state;
	static const struct {
		const char *path;
		size_t leaves;
	} shapes[] = {{"static/odedstein/spot/spot_low_resolution.obj", 5}, {"static/odedstein/koala/koala_low_resolution.obj", 5}};
	for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
		const char *path = test_corpus(shapes[i].path);
		if (!path) return;
		ossa_context *context = test_context(0);
		ossa_mesh *mesh = NULL;
		ossa_rig *rig;
		assert_ok(context, ossa_read_mesh(context, path, NULL, &mesh));
		assert_ok(context, ossa_rig_from_contraction(context, mesh, NULL, &rig));
		assert_int_equal(test_leaf_count(rig), shapes[i].leaves);
		/* both look along z: as many joints on either side of it */
		int sides = 0;
		for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
			const double x = rig->skeleton.bones[b].joint[0], off = 0.02 * test_mesh_diagonal(mesh);
			sides += (x > off) - (x < -off);
		}
		assert_int_equal(sides, 0);
		ossa_rig_free(context, rig);
		ossa_mesh_free(context, mesh);
		test_context_end(context);
	}
}

static void as_many_bones_as_asked(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_BIPED, FACES);
	for (int bones = 16; bones <= 40; bones += 12) {
		ossa_contraction_options options = ossa_contraction_default();
		options.bones = bones;
		ossa_rig *rig = rig_of(context, sample->rig->mesh, &options);
		assert_int_equal(rig->skeleton.bone_count, bones);
		ossa_rig_free(context, rig);
	}
	assert_no_warnings(context);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void the_paper_takes_control_points(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_OCTOPUS, FACES);
	ossa_contraction_options options = ossa_contraction_default();
	options.refine = 0;
	ossa_rig *rig = rig_of(context, sample->rig->mesh, &options);
	assert_int_equal(rig->skeleton.bone_count, 24);
	assert_in_range(test_leaf_count(rig), 8, 10);
	ossa_rig_free(context, rig);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* two boxes: hardly a point is left of each */
static void the_paper_reports_where_points_are_too_few(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	test_shape *s = test_shape_new();
	for (int i = 0; i < 2; i++) test_shape_box(s, ossai_v3(0, 2 * i, 0), ossai_v3(1, 2 * i + 1, 1), true);
	ossa_mesh *mesh;
	assert_ok(context, ossa_mesh_create(context, s->vertex_count, s->positions, s->face_count, s->triangles, &mesh));
	for (int pieces = 0; pieces < 2; pieces++) {
		ossa_contraction_options options = ossa_contraction_default();
		options.refine = 0;
		options.pieces = pieces;
		ossa_context_reset(context);
		ossa_rig_free(context, rig_of(context, mesh, &options));
		assert_int_equal(test_warned(context, "fewer-bones"), 0);
		options.bones = 20;
		ossa_rig *rig = rig_of(context, mesh, &options);
		assert_true(rig->skeleton.bone_count < 20);
		assert_int_equal(test_warned(context, "fewer-bones"), 20 - rig->skeleton.bone_count);
		assert_non_null(strstr(test_warning_text(context, "fewer-bones"), "16 vertices, has no more points left"));
		ossa_rig_free(context, rig);
	}
	ossa_mesh_free(context, mesh);
	free(s);
	test_context_end(context);
}

/* vertices in no face move, if at all, by the root alone, with a warning; a copy of one that is in
   a face moves as that one */
static void vertices_in_no_face_are_reported(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	test_shape *s = test_shape_new();
	test_shape_box(s, ossai_v3(0, 0, 0), ossai_v3(4, 1, 1), true);
	const size_t box = s->vertex_count;
	static const float others[3][3] = {{9, 9, 9}, {2, 2, 2}, {0, 0, 0}};
	static const size_t counts[] = {0, 2, 3};
	memcpy(s->positions + 3 * box, others, sizeof others);
	ossa_mesh *mesh;
	ossa_rig *rig;
	/* counts of one context add up */
	for (size_t i = 0; i < 3; i++) {
		const size_t more = counts[i];
		assert_ok(context, ossa_mesh_create(context, box + more, s->positions, s->face_count, s->triangles, &mesh));
		rig = rig_of(context, mesh, NULL);
		assert_int_equal(test_warned(context, "loose-vertices"), 2 * i);
		for (size_t v = box; v < box + 2 && more; v++) {
			assert_int_equal(rig->weights.bones[v * (size_t)rig->weights.influences], 0);
		}
		ossa_rig_free(context, rig);
		ossa_mesh_free(context, mesh);
	}
	assert_non_null(strstr(test_warning_text(context, "loose-vertices"), "2 of 10 vertices, the first number 8"));
	free(s);
	test_context_end(context);
}

/* a ring of 32 x 12 squares, its outside facing out */
static ossa_mesh *make_ring(ossa_context *context)
{
	enum { AROUND = 32, ACROSS = 12 };
	float positions[3 * AROUND * ACROSS];
	uint32_t triangles[6 * AROUND * ACROSS];
	const double pi = acos(-1);
	for (uint32_t i = 0; i < AROUND; i++) {
		for (uint32_t j = 0; j < ACROSS; j++) {
			const double a = 2 * pi * i / AROUND, b = 2 * pi * j / ACROSS, r = 1 + 0.25 * cos(b);
			const uint32_t v = i * ACROSS + j, side = (i + 1) % AROUND * ACROSS + j, up = i * ACROSS + (j + 1) % ACROSS,
						   both = (i + 1) % AROUND * ACROSS + (j + 1) % ACROSS;
			positions[3 * v] = (float)(r * cos(a));
			positions[3 * v + 1] = (float)(0.25 * sin(b));
			positions[3 * v + 2] = (float)(r * sin(a));
			const uint32_t faces[6] = {v, up, side, side, up, both};
			memcpy(triangles + 6 * v, faces, sizeof faces);
		}
	}
	ossa_mesh *mesh;
	assert_ok(context, ossa_mesh_create(context, AROUND * ACROSS, positions, 2 * AROUND * ACROSS, triangles, &mesh));
	return mesh;
}

static void a_ring_is_cut_and_that_is_reported(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_mesh *mesh = make_ring(context);
	ossa_rig *rig = rig_of(context, mesh, NULL);
	assert_int_equal(test_warned(context, "loop-cut"), 1);
	assert_int_equal(rig->loop_count, 1);
	const ossa_loop *loop = &rig->loops[0];
	/* inside of the ring, between bones that are no neighbours in the tree */
	assert_near(hypot(loop->center[0], loop->center[2]), 1, 0.15);
	assert_near(loop->center[1], 0, 0.1);
	assert_int_not_equal(loop->bones[0], loop->bones[1]);
	assert_int_not_equal(rig->skeleton.bones[loop->bones[0]].parent, loop->bones[1]);
	assert_int_not_equal(rig->skeleton.bones[loop->bones[1]].parent, loop->bones[0]);
	/* stored in files, in their axes */
	static char text[1 << 21];
	ossa_write_options options = ossa_write_default();
	options.up = OSSA_UP_Z;
	const char *path = test_path("ring.json");
	assert_ok(context, ossa_write_rig(context, rig, path, &options));
	test_read_bytes(path, text, sizeof text - 1);
	const char *message = strstr(text, "\"loops\": [\n{\"center\": [");
	double center[3];
	assert_non_null(message);
	assert_int_equal(
		sscanf(strstr(message, ": ["), ": [\n{\"center\": [%lf, %lf, %lf]", &center[0], &center[1], &center[2]), 3);
	assert_near(center[0], loop->center[0], 1e-9);
	assert_near(center[1], -loop->center[2], 1e-9);
	assert_near(center[2], loop->center[1], 1e-9);
	rig->loops[0].bones[1] = 1000;
	assert_fails(context, ossa_rig_validate(context, rig), OSSA_ERROR_INPUT, "names bone 1000");
	ossa_rig_free(context, rig);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* ---- weights ---- */

static void every_kind_of_weights_holds_limbs(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_OCTOPUS, FACES);
	for (int weights = OSSA_WEIGHTS_HEAT; weights <= OSSA_WEIGHTS_COVERAGE; weights++) {
		ossa_contraction_options options = ossa_contraction_default();
		options.weights = weights;
		ossa_rig *rig = rig_of(context, sample->rig->mesh, &options);
		assert_ok(context, ossa_rig_validate(context, rig));
		/* a vertex is moved most by a bone that is near to it: a limb by its own */
		const double most = 0.15 * test_mesh_diagonal(sample->rig->mesh);
		const ossa_weights *w = &rig->weights;
		for (size_t v = 0; v < w->vertex_count; v++) {
			const ossa_bone *bone = &rig->skeleton.bones[w->bones[v * (size_t)w->influences]];
			const ossai_segment segment = {0, ossai_v3_of(bone->joint), ossai_v3_of(bone->tail)};
			const ossai_vec3 p = ossai_v3_of_float(rig->mesh->positions + 3 * v);
			assert_near_vec3(p, ossai_segment_nearest(&segment, p), most);
		}
		ossa_rig_free(context, rig);
	}
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- motion ---- */

static void frames_move_the_rig(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_BIPED, FACES);
	ossa_frame_stream *stream = NULL;
	assert_ok(context, ossa_frame_stream_of_frames(context, sample->frames, &stream));
	ossa_rig_options options = ossa_rig_default();
	strcpy(options.method, "contraction");
	options.key_frames = 2;
	ossa_rig_result made;
	assert_ok(context, ossa_rig_make(context, &(ossa_rig_input){sample->rig->mesh, stream}, &options, &made));
	assert_ok(context, ossa_rig_validate(context, made.rig));
	assert_int_equal(made.rig->clip->frame_count, 4);
	assert_true(made.hierarchy.rms_percent < 3);
	ossa_rig_result_free(context, &made);
	ossa_frame_stream_free(context, stream);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- bad input ---- */

static void what_has_no_surface_is_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const float point[] = {1, 2, 3, 1, 2, 3, 1, 2, 3}, line[] = {0, 0, 0, 1, 1, 1, 2, 2, 2};
	const uint32_t face[] = {0, 1, 2};
	ossa_mesh *mesh;
	ossa_rig *rig;
	assert_ok(context, ossa_mesh_create(context, 3, point, 1, face, &mesh));
	assert_fails(context, ossa_rig_from_contraction(context, mesh, NULL, &rig), OSSA_ERROR_INPUT, "one point");
	assert_null(rig);
	ossa_mesh_free(context, mesh);
	assert_ok(context, ossa_mesh_create(context, 3, point, 0, face, &mesh));
	assert_fails(context, ossa_rig_from_contraction(context, mesh, NULL, &rig), OSSA_ERROR_INPUT, "no faces");
	ossa_mesh_free(context, mesh);
	/* a line has no area, but an extent: a rig or a reason, never silence */
	assert_ok(context, ossa_mesh_create(context, 3, line, 1, face, &mesh));
	const ossa_status status = ossa_rig_from_contraction(context, mesh, NULL, &rig);
	if (status == OSSA_OK) {
		assert_ok(context, ossa_rig_validate(context, rig));
		ossa_rig_free(context, rig);
	} else assert_int_equal(status, OSSA_ERROR_INPUT);
	ossa_contraction_options options = ossa_contraction_default();
	options.weights = OSSA_WEIGHTS_LEAST_SQUARES;
	assert_fails(context, ossa_rig_from_contraction(context, mesh, &options, &rig), OSSA_ERROR_ARGUMENT, "least squares");
	options = ossa_contraction_default();
	options.growth = 0.5;
	assert_fails(context, ossa_rig_from_contraction(context, mesh, &options, &rig), OSSA_ERROR_ARGUMENT, "growth");
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(limbs_are_found), cmocka_unit_test(limbs_of_pieces_do_not_double_back),
		cmocka_unit_test(enforcing_symmetry_keeps_what_is_symmetric), cmocka_unit_test(enforcing_symmetry_reports_what_is_not),
		cmocka_unit_test(stubby_legs_are_limbs_and_ears_are_none), cmocka_unit_test(as_many_bones_as_asked),
		cmocka_unit_test(the_paper_takes_control_points), cmocka_unit_test(the_paper_reports_where_points_are_too_few),
		cmocka_unit_test(vertices_in_no_face_are_reported), cmocka_unit_test(a_ring_is_cut_and_that_is_reported),
		cmocka_unit_test(every_kind_of_weights_holds_limbs), cmocka_unit_test(frames_move_the_rig),
		cmocka_unit_test(what_has_no_surface_is_refused)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

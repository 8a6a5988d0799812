/* tests/methods/test_examples_bad_input.c: difficult shapes and poses: each gives a valid rig or
   a clear error. */
#include "samples/samples.h"
#include "math/vec.h"
#include "support/support.h"

#include <string.h>

/* GRID: squares along a side of a sheet */
enum { GRID = 6, SHEET_VERTICES = (GRID + 1) * (GRID + 1), SHEET_FACES = 2 * GRID * GRID };

/* A rest mesh and its poses, written by hand into arrays large enough for every case. */
typedef struct shape {
	size_t vertices, faces, frames;
	float rest[3 * 1024];
	uint32_t triangles[3 * 1024];
	float poses[4][3 * 1024];
} shape;

static uint32_t add_vertex(shape *s, float x, float y, float z)
{
	const float at[3] = {x, y, z};
	memcpy(s->rest + 3 * s->vertices, at, sizeof at);
	return (uint32_t)s->vertices++;
}

static void add_face(shape *s, uint32_t a, uint32_t b, uint32_t c)
{
	const uint32_t face[3] = {a, b, c};
	memcpy(s->triangles + 3 * s->faces++, face, sizeof face);
}

/* poses that bend everything above y = 0 about z, a little more in each */
static void bend(shape *s, size_t frames)
{
	s->frames = frames;
	for (size_t f = 0; f < frames; f++) {
		const double angle = 0.4 * (double)(f + 1);
		for (size_t v = 0; v < s->vertices; v++) {
			const float *from = s->rest + 3 * v;
			float *to = s->poses[f] + 3 * v;
			const bool turns = from[1] > 0;
			to[0] = turns ? (float)(cos(angle) * (double)from[0] - sin(angle) * (double)from[1]) : from[0];
			to[1] = turns ? (float)(sin(angle) * (double)from[0] + cos(angle) * (double)from[1]) : from[1];
			to[2] = from[2];
		}
	}
}

/* a flat sheet from (-1, -1) to (1, 1) */
static void make_sheet(shape *s)
{
	memset(s, 0, sizeof *s);
	for (int y = 0; y <= GRID; y++) {
		for (int x = 0; x <= GRID; x++) add_vertex(s, 2.0F * (float)x / GRID - 1, 2.0F * (float)y / GRID - 1, 0);
	}
	for (uint32_t y = 0; y < GRID; y++) {
		for (uint32_t x = 0; x < GRID; x++) {
			const uint32_t a = y * (GRID + 1) + x, c = a + GRID + 2;
			add_face(s, a, a + 1, c);
			add_face(s, a, c, c - 1);
		}
	}
	bend(s, 3);
}

/* a tetrahedron around (x, y, z) */
static void add_tetrahedron(shape *s, float x, float y, float z, float size)
{
	const uint32_t a = add_vertex(s, x, y, z), b = add_vertex(s, x + size, y, z);
	const uint32_t c = add_vertex(s, x, y + size, z), d = add_vertex(s, x, y, z + size);
	add_face(s, a, c, b);
	add_face(s, a, b, d);
	add_face(s, b, c, d);
	add_face(s, a, d, c);
}

/* ---- what a rig of it must be ---- */

static void check_finite(const double *values, size_t count)
{
	for (size_t i = 0; i < count; i++) assert_true(isfinite(values[i]));
}

static void check_clip(const ossa_clip *clip)
{
	const size_t slots = clip->frame_count * clip->bone_count;
	check_finite(clip->rotations, 4 * slots);
	check_finite(clip->root_positions, 3 * clip->frame_count);
	if (clip->translations) check_finite(clip->translations, 3 * slots);
}

static bool has_extent(const ossa_mesh *mesh)
{
	for (size_t i = 3; i < 3 * mesh->vertex_count; i++) {
		if (mesh->positions[i] != mesh->positions[i % 3]) return true;
	}
	return false;
}

static void check_rig(ossa_context *context, const ossa_rig *rig, const ossa_frames *frames)
{
	ossa_metrics metrics;
	assert_ok(context, ossa_rig_validate(context, rig));
	check_clip(rig->clip);
	check_clip(rig->free_clip);
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		const ossa_bone *bone = &rig->skeleton.bones[b];
		check_finite(bone->joint, 3);
		check_finite(bone->tail, 3);
		check_finite(bone->axis, 3);
		assert_true(isfinite(bone->turn_degrees) && isfinite(bone->fit_residual));
	}
	assert_int_equal(rig->clip->frame_count, frames->frame_count);
	assert_ok(context, ossa_rig_measure(context, rig, NULL, NULL, frames, &metrics));
	/* a shape without extent has nothing to measure by */
	assert_true(isfinite(metrics.rms_percent) || !has_extent(rig->mesh));
	assert_true(metrics.weight_sum_error <= 1e-6);
}

/* what options every shape is rigged with */
static const ossa_examples_options all_options[] = {
	{.bones = 1, .influences = 4, .link_pieces = true, .local = true, .refine = 30},
	{.bones = 3, .influences = 4, .link_pieces = true, .local = true, .refine = 30},
	{.bones = 3, .influences = 4, .link_pieces = true, .local = true, .refine = 0},
	{.bones = 3, .influences = 4, .link_pieces = false, .lloyd = 3, .local = false, .area_weighting = true, .refine = 5},
	{.bones = 500, .influences = 8, .link_pieces = true, .local = true, .refine = 2},
	{.bones = 0, .influences = 1, .link_pieces = true, .local = true, .refine = 30},
};

/* the shape as mesh and frames of the context */
static void make_input(ossa_context *context, const shape *s, ossa_mesh **mesh, ossa_frames **frames)
{
	assert_ok(context, ossa_mesh_create(context, s->vertices, s->rest, s->faces, s->triangles, mesh));
	assert_ok(context, ossa_frames_create(context, s->frames, s->vertices, 24, frames));
	for (size_t f = 0; f < s->frames; f++) {
		memcpy((*frames)->positions + 3 * f * s->vertices, s->poses[f], 3 * s->vertices * sizeof(float));
	}
}

/* rigs the shape with every set of options; the last rig's RMS is not reported: a shape may have no
   answer */
static void check_shape(const shape *s)
{
	ossa_context *context = test_context(1);
	ossa_mesh *mesh;
	ossa_frames *frames;
	make_input(context, s, &mesh, &frames);
	for (size_t i = 0; i < sizeof all_options / sizeof all_options[0]; i++) {
		ossa_rig *rig;
		ossa_examples_options options = all_options[i];
		options.cookie = ossa_examples_default().cookie;
		ossa_context_reset(context);
		assert_ok(context, ossa_rig_from_examples(context, mesh, frames, &options, &rig));
		check_rig(context, rig, frames);
		/* a number of bones that is not reached is a warning */
		const int asked = all_options[i].bones, made = (int)rig->skeleton.bone_count;
		if (asked > 0 && asked != made) assert_true(ossa_context_warning_count(context) > 0);
		ossa_rig_free(context, rig);
	}
	ossa_mesh_free(context, mesh);
	ossa_frames_free(context, frames);
	test_context_end(context);
}

static void check_refused(const shape *s, const char *words)
{
	ossa_context *context = test_context(1);
	ossa_mesh *mesh;
	ossa_frames *frames;
	make_input(context, s, &mesh, &frames);
	ossa_rig *rig;
	assert_fails(context, ossa_rig_from_examples(context, mesh, frames, NULL, &rig), OSSA_ERROR_INPUT, words);
	assert_null(rig);
	ossa_mesh_free(context, mesh);
	ossa_frames_free(context, frames);
	test_context_end(context);
}

/* ---- poses ---- */

static void one_pose_is_enough(void **state)
{
	(void)state;
	shape s;
	make_sheet(&s);
	s.frames = 1;
	check_shape(&s);
}

static void poses_may_equal_the_rest(void **state)
{
	(void)state;
	shape s;
	make_sheet(&s);
	for (size_t f = 0; f < s.frames; f++) memcpy(s.poses[f], s.rest, sizeof s.rest);
	check_shape(&s);
}

static void poses_may_be_rigid(void **state)
{
	(void)state;
	shape s;
	make_sheet(&s);
	for (size_t v = 0; v < s.vertices; v++) {
		s.poses[0][3 * v + 1] = s.rest[3 * v + 1] + 5;
		s.poses[0][3 * v] = s.rest[3 * v];
	}
	s.frames = 1;
	check_shape(&s);
}

static void poses_may_collapse_to_a_point(void **state)
{
	(void)state;
	shape s;
	make_sheet(&s);
	memset(s.poses, 0, sizeof s.poses);
	check_shape(&s);
}

static void poses_may_be_mirrored(void **state)
{
	(void)state;
	shape s;
	make_sheet(&s);
	for (size_t v = 0; v < s.vertices; v++) s.poses[0][3 * v] = -s.rest[3 * v];
	check_shape(&s);
}

static void poses_may_lie_far_away(void **state)
{
	(void)state;
	shape s;
	make_sheet(&s);
	for (size_t i = 0; i < 3 * s.vertices; i++) s.poses[1][i] += 1e6F;
	for (size_t i = 0; i < 3 * s.vertices; i++) s.poses[2][i] *= 1e6F;
	check_shape(&s);
}

static void poses_that_are_no_numbers_are_refused(void **state)
{
	(void)state;
	shape s;
	make_sheet(&s);
	s.poses[1][3 * 7 + 2] = NAN;
	check_refused(&s, "frame 2");
	check_refused(&s, "vertex 7");
	s.poses[1][3 * 7 + 2] = INFINITY;
	check_refused(&s, "vertex 7");
}

static void poses_are_needed(void **state)
{
	(void)state;
	shape s;
	make_sheet(&s);
	s.frames = 0;
	check_refused(&s, "no poses");
}

/* ---- shapes ---- */

static void one_triangle_is_a_bone(void **state)
{
	(void)state;
	shape s = {.frames = 0};
	add_face(&s, add_vertex(&s, 0, 0, 0), add_vertex(&s, 1, 0, 0), add_vertex(&s, 0, 1, 0));
	bend(&s, 2);
	check_shape(&s);
}

static void two_triangles_fold(void **state)
{
	(void)state;
	shape s = {.frames = 0};
	const uint32_t a = add_vertex(&s, -1, 0, 0), b = add_vertex(&s, 1, 0, 0);
	add_face(&s, a, b, add_vertex(&s, 0, 1, 0));
	add_face(&s, b, a, add_vertex(&s, 0, -1, 0));
	bend(&s, 3);
	check_shape(&s);
}

static void faces_without_area_join_any(void **state)
{
	(void)state;
	shape s;
	make_sheet(&s);
	for (uint32_t i = 0; i < 20; i++) add_face(&s, i, i, i + 1);
	for (uint32_t i = 0; i < 20; i++) add_face(&s, i, i, i);
	add_face(&s, 0, 1, 2); /* on one line */
	check_shape(&s);
}

static void rest_of_one_point_is_refused(void **state)
{
	(void)state;
	shape s;
	make_sheet(&s);
	for (size_t i = 0; i < 3 * s.vertices; i++) s.rest[i] = 0.25F;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh;
	ossa_frames *frames;
	ossa_rig *rig;
	make_input(context, &s, &mesh, &frames);
	assert_fails(context, ossa_rig_from_examples(context, mesh, frames, NULL, &rig), OSSA_ERROR_INPUT, "one point");
	assert_null(rig);
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void all_vertices_may_lie_on_a_line(void **state)
{
	(void)state;
	shape s;
	make_sheet(&s);
	for (size_t v = 0; v < s.vertices; v++) s.rest[3 * v] = 0;
	bend(&s, 3);
	check_shape(&s);
}

/* 200 faces on one edge: all pairs of them are neighbours */
static void a_fan_around_one_edge_is_rigged(void **state)
{
	(void)state;
	shape s = {.frames = 0};
	const uint32_t a = add_vertex(&s, 0, -0.5F, 0), b = add_vertex(&s, 0, 0.5F, 0);
	for (int i = 0; i < 200; i++) {
		const double angle = 2 * OSSAI_PI * i / 200;
		add_face(&s, a, b, add_vertex(&s, (float)cos(angle), 0.1F, (float)sin(angle)));
	}
	bend(&s, 2);
	check_shape(&s);
}

static void many_pieces_are_rigged(void **state)
{
	(void)state;
	shape s = {.frames = 0};
	for (int i = 0; i < 63; i++) add_tetrahedron(&s, (float)(i % 8), (float)(i / 8) - 4, 0, 0.5F);
	bend(&s, 2);
	check_shape(&s);
}

static void faces_may_be_there_twice(void **state)
{
	(void)state;
	shape s;
	make_sheet(&s);
	const size_t once = s.faces;
	for (size_t f = 0; f < once; f++) add_face(&s, s.triangles[3 * f], s.triangles[3 * f + 1], s.triangles[3 * f + 2]);
	/* and turned inside out */
	for (size_t f = 0; f < once; f++) add_face(&s, s.triangles[3 * f + 1], s.triangles[3 * f], s.triangles[3 * f + 2]);
	check_shape(&s);
}

/* unused vertices may be anywhere, also where they would spoil the bounding box */
static void vertices_may_be_unused(void **state)
{
	(void)state;
	shape s = {.frames = 0};
	add_vertex(&s, 1e6F, 1e6F, 1e6F);
	add_tetrahedron(&s, 0, -0.5F, 0, 1);
	add_vertex(&s, -1e6F, 0, 0);
	add_tetrahedron(&s, 1, 0.5F, 0, 1);
	add_vertex(&s, 0, 0, 0);
	bend(&s, 3);
	check_shape(&s);
}

static void faces_are_needed(void **state)
{
	(void)state;
	shape s = {.frames = 0};
	add_vertex(&s, 0, 0, 0);
	bend(&s, 1);
	check_refused(&s, "no faces");
}

/* floats from the smallest to the largest that squares still hold in double */
static void any_scale_is_rigged(void **state)
{
	(void)state;
	static const float scales[] = {1e-38F, 1e-30F, 1e-12F, 1e12F, 1e30F, 1e37F};
	for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
		shape s;
		make_sheet(&s);
		for (size_t k = 0; k < 3 * s.vertices; k++) s.rest[k] *= scales[i];
		for (size_t k = 0; k < 3 * s.vertices; k++) s.poses[0][k] *= scales[i];
		s.frames = 1;
		check_shape(&s);
	}
}

/* a creature with faces of all sizes: one vertex pulled away by a million diagonals in one pose */
static void one_lost_vertex_leaves_a_rig(void **state)
{
	(void)state;
	shape s;
	make_sheet(&s);
	s.poses[0][3 * 40] = 1e7F;
	s.poses[1][3 * 40 + 1] = -1e7F;
	check_shape(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_pose_is_enough),
		cmocka_unit_test(poses_may_equal_the_rest),
		cmocka_unit_test(poses_may_be_rigid),
		cmocka_unit_test(poses_may_collapse_to_a_point),
		cmocka_unit_test(poses_may_be_mirrored),
		cmocka_unit_test(poses_may_lie_far_away),
		cmocka_unit_test(poses_that_are_no_numbers_are_refused),
		cmocka_unit_test(poses_are_needed),
		cmocka_unit_test(one_triangle_is_a_bone),
		cmocka_unit_test(two_triangles_fold),
		cmocka_unit_test(faces_without_area_join_any),
		cmocka_unit_test(rest_of_one_point_is_refused),
		cmocka_unit_test(all_vertices_may_lie_on_a_line),
		cmocka_unit_test(a_fan_around_one_edge_is_rigged),
		cmocka_unit_test(many_pieces_are_rigged),
		cmocka_unit_test(faces_may_be_there_twice),
		cmocka_unit_test(vertices_may_be_unused),
		cmocka_unit_test(faces_are_needed),
		cmocka_unit_test(any_scale_is_rigged),
		cmocka_unit_test(one_lost_vertex_leaves_a_rig),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

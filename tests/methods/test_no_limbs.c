/* tests/methods/test_no_limbs.c: shapes without limbs get one bone and a warning, from every
   method for one mesh; shapes with limbs, however stubby, and loops do not. */
#include "support/proxies.h"
#include "support/shapes.h"
#include "support/still.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FACES = 4000, SIDES = 48 };

static const char *const methods[] = {"contraction", "volume", "auto"};

typedef struct outcome {
	size_t bones;
	bool is_warned;        /* "no-limbs" */
	bool warns_of_outside; /* "curve-outside", where a point of the curve is no joint */
} outcome;

/* method: its name, or "auto"; bones: 0 for as many as the shape has */
static outcome rig(const ossa_mesh *mesh, const char *method, int bones)
{
	ossa_context *context = test_context(0);
	ossa_rig_options options = ossa_rig_default();
	strcpy(options.method, method);
	assert_ok(context, ossa_method_options_create(context, &options.methods));
	char text[16];
	snprintf(text, sizeof text, "%d", bones);
	if (bones > 0) assert_ok(context, ossa_rig_option_set(context, &options, "bones", text));
	ossa_rig_result result;
	assert_ok(context, ossa_rig_make(context, &(ossa_rig_input){mesh, NULL}, &options, &result));
	assert_ok(context, ossa_rig_validate(context, result.rig));
	const outcome got = {result.rig->skeleton.bone_count, *test_warning_text(context, "no-limbs") != 0,
		*test_warning_text(context, "curve-outside") != 0};
	ossa_rig_free(context, result.rig);
	ossa_method_options_free(context, options.methods);
	test_context_end(context);
	return got;
}

/* the `number`th of several shapes is rigged by each method in a long run, in a usual one by one of
   them in turn */
static bool is_rigged(size_t number, size_t method) { return test_is_long() || number % 2 == method; }

/* by_choice: let the library choose too, which rigs it by both methods once more */
static void assert_no_limbs(const char *name, const ossa_mesh *mesh, size_t number, bool by_choice)
{
	for (size_t i = 0; i < (by_choice ? 3 : 2); i++) {
		if (!by_choice && !is_rigged(number, i)) continue;
		const outcome got = rig(mesh, methods[i], 0);
		if (got.bones == 1 && got.is_warned && !got.warns_of_outside) continue;
		fail_msg("%s, %s: %zu bones, %s%s", name, methods[i], got.bones, got.is_warned ? "warned" : "not warned",
			got.warns_of_outside ? " of the curve too" : "");
	}
}

static void assert_limbs(const char *name, const ossa_mesh *mesh, size_t number)
{
	for (size_t i = 0; i < 2; i++) {
		if (!is_rigged(number, i)) continue;
		const outcome got = rig(mesh, methods[i], 0);
		if (got.bones > 1 && !got.is_warned) continue;
		fail_msg("%s, %s: %zu bones, %s", name, methods[i], got.bones, got.is_warned ? "warned" : "not warned");
	}
}

/* ---- shapes ---- */

static test_shape *box_of(double x, double y, double z)
{
	test_shape *shape = test_shape_new();
	test_shape_box(shape, ossai_v3(0, 0, 0), ossai_v3(x, y, z), true);
	return shape;
}

static test_shape *ball_of(double x, double y, double z)
{
	test_shape *shape = test_shape_new();
	test_shape_ball(shape, ossai_v3(0, 0, 0), 1, 16, 2);
	for (size_t v = 0; v < shape->vertex_count; v++) {
		float *p = shape->positions + 3 * v;
		p[0] *= (float)x;
		p[1] *= (float)y;
		/* an egg has a blunt end and a pointed one */
		p[2] *= (float)(z * (p[2] > 0 ? 1.25 : 1));
	}
	return shape;
}

static void add_quad(test_shape *shape, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
	memcpy(shape->triangles + 3 * shape->face_count, (uint32_t[]){a, b, c, a, c, d}, 6 * sizeof(uint32_t));
	shape->face_count += 2;
}

static double flat(double x, double y)
{
	(void)x;
	(void)y;
	return 0;
}

/* a main peak, a lower one, ridges */
static double mountain(double x, double y)
{
	const double peak = 0.35 * exp(-8 * (x * x + y * y)),
				 side = 0.2 * exp(-20 * ((x - 0.5) * (x - 0.5) + (y + 0.3) * (y + 0.3)));
	return peak + side + 0.03 * sin(9 * x) * cos(7 * y);
}

static double valley(double x, double y)
{
	(void)y;
	return 0.5 * x * x;
}

/* a square from -1 to 1, in cells x cells squares */
static test_shape *field_of(double (*height)(double, double), uint32_t cells)
{
	test_shape *shape = test_shape_new();
	for (uint32_t j = 0; j <= cells; j++) {
		for (uint32_t i = 0; i <= cells; i++) {
			const double x = 2.0 * i / cells - 1, y = 2.0 * j / cells - 1;
			float *p = shape->positions + 3 * shape->vertex_count++;
			p[0] = (float)x;
			p[1] = (float)y;
			p[2] = (float)height(x, y);
		}
	}
	for (uint32_t j = 0; j < cells; j++) {
		for (uint32_t i = 0; i < cells; i++) {
			const uint32_t a = j * (cells + 1) + i;
			add_quad(shape, a, a + 1, a + cells + 2, a + cells + 1);
		}
	}
	return shape;
}

/* adds points around the z axis at each radius and height of a profile, which begins and ends on
   the axis (radius 0) */
static test_shape *revolved(size_t count, const double (*profile)[2])
{
	test_shape *shape = test_shape_new();
	for (size_t i = 0; i < count; i++) {
		for (uint32_t k = 0; k < SIDES; k++) {
			const double angle = 2 * OSSAI_PI * k / SIDES;
			float *p = shape->positions + 3 * shape->vertex_count++;
			p[0] = (float)(profile[i][0] * cos(angle));
			p[1] = (float)(profile[i][0] * sin(angle));
			p[2] = (float)profile[i][1];
		}
	}
	for (uint32_t i = 0; i + 1 < count; i++) {
		for (uint32_t k = 0; k < SIDES; k++) {
			const uint32_t a = i * SIDES + k, b = i * SIDES + (k + 1) % SIDES;
			uint32_t *t = shape->triangles + 3 * shape->face_count;
			if (profile[i][0] > 0 && profile[i + 1][0] > 0) add_quad(shape, a, b, b + SIDES, a + SIDES);
			else
				memcpy(t, profile[i][0] > 0 ? (uint32_t[]){a, b, a + SIDES} : (uint32_t[]){a, b + SIDES, a + SIDES},
					3 * sizeof *t),
					shape->face_count++;
		}
	}
	return shape;
}

static test_shape *cup(void)
{
	static const double profile[][2] = {{0, 0}, {0.2, 0}, {0.4, 0}, {0.44, 0.25}, {0.47, 0.5}, {0.5, 0.75}, {0.52, 1},
		{0.47, 1}, {0.45, 0.75}, {0.42, 0.5}, {0.39, 0.25}, {0.36, 0.05}, {0.2, 0.05}, {0, 0.05}};
	return revolved(sizeof profile / sizeof *profile, profile);
}

static test_shape *bottle(void)
{
	static const double profile[][2] = {{0, 0}, {0.2, 0}, {0.4, 0}, {0.4, 0.25}, {0.4, 0.5}, {0.4, 0.75}, {0.4, 1}, {0.3, 1.2},
		{0.13, 1.35}, {0.1, 1.5}, {0.1, 1.75}, {0.1, 2}, {0.1, 2.25}, {0, 2.25}};
	return revolved(sizeof profile / sizeof *profile, profile);
}

static test_shape *dumbbell(void)
{
	static const double profile[][2] = {{0, -1.3}, {0.2, -1.25}, {0.35, -1}, {0.2, -0.75}, {0.1, -0.65}, {0.1, -0.4},
		{0.1, -0.2}, {0.1, 0}, {0.1, 0.2}, {0.1, 0.4}, {0.1, 0.65}, {0.2, 0.75}, {0.35, 1}, {0.2, 1.25}, {0, 1.3}};
	return revolved(sizeof profile / sizeof *profile, profile);
}

/* four diameters long, with round ends, bent by a right angle */
static test_shape *bent_tube(void)
{
	enum { COUNT = 20 };
	/* half the sine of 0, 22.5 ... 90 degrees */
	static const double quarter[] = {0, 0.19134, 0.35355, 0.46194, 0.5};
	const double length = 4, bend = length / (OSSAI_PI / 2);
	double profile[COUNT][2];
	for (int i = 0; i < 5; i++) {
		profile[i][0] = profile[COUNT - 1 - i][0] = quarter[i];
		profile[i][1] = 0.5 - quarter[4 - i];
		profile[COUNT - 1 - i][1] = length - profile[i][1];
	}
	for (int i = 5; i < COUNT - 5; i++) {
		profile[i][0] = 0.5;
		profile[i][1] = 0.5 + (length - 1) * (i - 4) / (COUNT - 9);
	}
	test_shape *shape = revolved(COUNT, (const double(*)[2])profile);
	for (size_t v = 0; v < shape->vertex_count; v++) {
		float *p = shape->positions + 3 * v;
		const double angle = p[2] / bend, out = bend + p[0];
		p[0] = (float)(out * cos(angle));
		p[2] = (float)(out * sin(angle));
	}
	return shape;
}

/* a round body with stubs of this length and radius along the axes x and y */
static test_shape *stubs(double length, double radius)
{
	test_shape *shape = test_shape_new();
	test_shape_ball(shape, ossai_v3(0, 0, 0), 0.5, 16, 2);
	for (int i = 0; i < 4; i++) {
		const double side = i % 2 ? -1 : 1, outer = side * (0.5 + length), inner = side * 0.2;
		const double low = fmin(outer, inner), high = fmax(outer, inner);
		if (i < 2) test_shape_box(shape, ossai_v3(low, -radius, -radius), ossai_v3(high, radius, radius), true);
		else test_shape_box(shape, ossai_v3(-radius, low, -radius), ossai_v3(radius, high, radius), true);
	}
	return shape;
}

/* ---- tests ---- */

static void shapes_without_limbs_get_one_bone(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	const struct {
		const char *name;
		test_shape *shape;
	} cases[] = {{"pizza box", box_of(1, 1, 0.12)}, {"cube", box_of(1, 1, 1)}, {"flat grid", field_of(flat, 40)},
		{"mountain", field_of(mountain, 60)}, {"coarse mountain", field_of(mountain, 30)}, {"valley", field_of(valley, 30)},
		{"cup", cup()}, {"ball", ball_of(1, 1, 0.9)}, {"egg", ball_of(1, 1, 1.1)}, {"slab of paper", box_of(1, 1.414, 0.01)},
		{"card 2:1", box_of(2, 1, 0.05)}, {"card 3:1", box_of(3, 1, 0.05)}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		ossa_mesh *mesh = test_shape_mesh(context, cases[i].shape);
		/* every third one lies between its neighbors */
		if (!test_is_long() && i % 3 == 1 && i > 1) {
			ossa_mesh_free(context, mesh);
			continue;
		}
		/* of the choice, the thickest and the flat grid tell as much as all */
		assert_no_limbs(cases[i].name, mesh, i, i == 1 || i == 2 || test_is_long());
		ossa_mesh_free(context, mesh);
	}
	test_context_end(context);
}

static void a_number_of_bones_divides_a_cube(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_mesh *mesh = test_shape_mesh(context, box_of(1, 1, 1));
	const outcome by_contraction = rig(mesh, "contraction", 8), by_volume = rig(mesh, "volume", 8);
	assert_true(by_contraction.bones > 1 && !by_contraction.is_warned);
	assert_true(by_volume.bones > 1 && !by_volume.is_warned);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void long_things_are_limbs(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	const struct {
		const char *name;
		test_shape *shape;
	} cases[] = {{"dumbbell", dumbbell()}, {"bottle", bottle()}, {"plank", box_of(4, 1, 0.3)}, {"bent tube", bent_tube()}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		ossa_mesh *mesh = test_shape_mesh(context, cases[i].shape);
		assert_limbs(cases[i].name, mesh, i);
		ossa_mesh_free(context, mesh);
	}
	test_context_end(context);
}

static void creatures_have_limbs(void **state)
{
	(void)state;
	static const int kinds[] = {
		OSSA_SAMPLE_OCTOPUS, OSSA_SAMPLE_QUADRUPED, OSSA_SAMPLE_HAND, OSSA_SAMPLE_BIPED, OSSA_SAMPLE_TUBE, OSSA_SAMPLE_SNAKE};
	ossa_context *context = test_context(0);
	/* test_contraction and test_volume_limbs count the limbs of all; the last have the fewest */
	for (size_t i = test_is_long() ? 0 : 3; i < sizeof kinds / sizeof *kinds; i++) {
		ossa_sample *sample = test_sample(context, kinds[i], FACES);
		char name[32];
		snprintf(name, sizeof name, "creature %d", kinds[i]);
		assert_limbs(name, sample->rig->mesh, i);
		ossa_sample_free(context, sample);
	}
	test_context_end(context);
}

static void a_stubby_cow_has_limbs(void **state)
{
	(void)state;
	const char *path = test_corpus("static/odedstein/spot/spot_low_resolution.obj");
	if (!path) return;
	ossa_context *context = test_context(0);
	ossa_mesh *mesh = NULL;
	assert_ok(context, ossa_read_mesh(context, path, NULL, &mesh));
	assert_limbs("cow", mesh, 0);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void a_loop_is_not_one_bone(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossai_arena arena = ossai_arena_begin(context);
	const ossai_proxy ring = test_torus(&arena, 60, 16, 0.08);
	test_shape *shape = test_shape_new();
	shape->vertex_count = ring.vertex_count;
	shape->face_count = ring.face_count;
	for (size_t i = 0; i < 3 * ring.vertex_count; i++) shape->positions[i] = (float)ring.positions[i];
	memcpy(shape->triangles, ring.triangles, 3 * ring.face_count * sizeof *ring.triangles);
	ossa_mesh *mesh = test_shape_mesh(context, shape);
	assert_limbs("torus", mesh, 1);
	ossa_mesh_free(context, mesh);
	ossai_arena_end(&arena);
	test_context_end(context);
}

/* the same girth, more and more length: a longer stub is never less of a limb */
static void stubs_become_limbs_as_they_grow(void **state)
{
	(void)state;
	static const double lengths[] = {0.05, 0.1, 0.2, 0.3, 0.45, 0.6};
	enum { COUNT = sizeof lengths / sizeof *lengths };
	ossa_context *context = test_context(0);
	for (size_t m = 0; m < 2; m++) {
		bool had = false;
		for (size_t i = 0; i < COUNT; i += test_is_long() ? 1 : i == 0 ? 3 : 2) {
			ossa_mesh *mesh = test_shape_mesh(context, stubs(lengths[i], 0.15));
			const outcome got = rig(mesh, methods[m], 0);
			ossa_mesh_free(context, mesh);
			print_message("%s: %g -> %zu bones\n", methods[m], lengths[i], got.bones);
			assert_int_equal(got.is_warned, got.bones == 1);
			assert_true(got.bones > 1 || !had);
			had = got.bones > 1;
			if (i == 0) assert_false(had);
			if (i + 1 == COUNT) assert_true(had);
		}
	}
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shapes_without_limbs_get_one_bone),
		cmocka_unit_test(a_number_of_bones_divides_a_cube),
		cmocka_unit_test(long_things_are_limbs),
		cmocka_unit_test(creatures_have_limbs),
		cmocka_unit_test(a_stubby_cow_has_limbs),
		cmocka_unit_test(a_loop_is_not_one_bone),
		cmocka_unit_test(stubs_become_limbs_as_they_grow),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

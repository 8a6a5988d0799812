/* tests/methods/bodies/test_still_bodies.c: several bodies in one mesh that does not move: each is
   rigged as if it were alone, and a body with its things stays one. */
#include "methods/bodies/bodies.h"
#include "support/faults.h"
#include "support/pieces.h"
#include "support/still.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FACES = 2400 };

/* how far creatures stand from each other, in diagonals of the first */
static const double APART = 1.2;

/* Creatures in a row. */
typedef struct scene {
	ossa_context *context;
	test_shape *shape;
	double size;
	size_t count;
	size_t first[8]; /* vertex of each; and the end of the last */
} scene;

static scene begin(int threads) { return (scene){.context = test_context(threads), .shape = test_shape_new()}; }

static void end(scene *s)
{
	free(s->shape);
	test_context_end(s->context);
}

static void add(scene *s, int kind)
{
	ossa_sample *sample = test_sample(s->context, kind, FACES);
	if (s->count == 0) s->size = test_mesh_diagonal(sample->rig->mesh);
	test_pieces_add(s->shape, sample->rig->mesh, APART * s->size * (double)s->count, 0, 0);
	s->first[++s->count] = s->shape->vertex_count;
	ossa_sample_free(s->context, sample);
}

static void add_box(scene *s, ossai_vec3 center, ossai_vec3 half)
{
	const ossai_vec3 from = ossai_scale(ossai_sub(center, half), s->size), to = ossai_scale(ossai_add(center, half), s->size);
	test_shape_box(s->shape, from, to, true);
}

static ossa_rig_result make(scene *s, const ossa_rig_options *options)
{
	ossa_mesh *mesh = test_pieces_mesh(s->context, s->shape);
	ossa_rig_result made;
	ossa_context_reset(s->context);
	assert_ok(s->context, ossa_rig_make(s->context, &(ossa_rig_input){.mesh = mesh}, options, &made));
	assert_ok(s->context, ossa_rig_validate(s->context, made.rig));
	ossa_mesh_free(s->context, mesh);
	return made;
}

static size_t count_bodies(const ossa_rig_result *made) { return ossai_rig_body_count(&made->rig->skeleton); }

/* the rig of the i-th creature by itself, at the place that it has in the row */
static ossa_rig_result make_alone(scene *s, int kind, double x)
{
	scene alone = {.context = s->context, .shape = test_shape_new(), .size = s->size};
	ossa_sample *sample = test_sample(s->context, kind, FACES);
	test_pieces_add(alone.shape, sample->rig->mesh, x, 0, 0);
	ossa_sample_free(s->context, sample);
	const ossa_rig_result made = make(&alone, NULL);
	free(alone.shape);
	return made;
}

/* bones of a body: from its root to before the next one */
static size_t root_of(const ossa_rig *rig, size_t body)
{
	for (size_t b = 1; b < rig->skeleton.bone_count; b++) {
		if (ossai_is_body_root(&rig->skeleton.bones[b]) && body-- == 0) return b;
	}
	return rig->skeleton.bone_count;
}

static void assert_as_alone(scene *s, const ossa_rig *rig, size_t body, int kind)
{
	ossa_rig_result alone = make_alone(s, kind, APART * s->size * (double)body);
	const size_t first = root_of(rig, body), count = root_of(rig, body + 1) - first, width = (size_t)rig->weights.influences;
	assert_int_equal(count, alone.rig->skeleton.bone_count);
	for (size_t b = 0; b < count; b++) {
		const ossa_bone *own = &rig->skeleton.bones[first + b], *other = &alone.rig->skeleton.bones[b];
		char name[64];
		snprintf(name, sizeof name, "body_%zu_%.40s", body + 1, other->name);
		assert_string_equal(own->name, name);
		assert_int_equal(own->role.part, other->role.part);
		assert_true(ossai_distance(ossai_v3_of(own->joint), ossai_v3_of(other->joint)) < 1e-9);
	}
	const size_t other_width = (size_t)alone.rig->weights.influences;
	for (size_t v = s->first[body]; v < s->first[body + 1]; v++) {
		for (size_t i = 0; i < width && rig->weights.values[v * width + i] > 0; i++) {
			const size_t at = (v - s->first[body]) * other_width + i;
			assert_true(rig->weights.values[v * width + i] == alone.rig->weights.values[at]);
			assert_int_equal(rig->weights.bones[v * width + i], first + alone.rig->weights.bones[at]);
		}
	}
	ossa_rig_result_free(s->context, &alone);
}

static void each_is_rigged_as_if_alone(void **state)
{
	(void)state;
	for (int threads = 1; threads <= 3; threads += 2) {
		scene s = begin(threads);
		add(&s, OSSA_SAMPLE_BIPED);
		add(&s, OSSA_SAMPLE_QUADRUPED);
		ossa_rig_result made = make(&s, NULL);
		assert_int_equal(count_bodies(&made), 2);
		assert_non_null(strstr(made.reason, "2 bodies that do not touch"));
		assert_int_equal(test_warned(s.context, "props"), 0);
		assert_int_equal(made.rig->skeleton.bones[0].parent, -1);
		assert_as_alone(&s, made.rig, 0, OSSA_SAMPLE_BIPED);
		assert_as_alone(&s, made.rig, 1, OSSA_SAMPLE_QUADRUPED);
		ossa_rig_result_free(s.context, &made);
		end(&s);
	}
}

static void copies_are_as_many_bodies(void **state)
{
	(void)state;
	scene s = begin(2);
	for (int i = 0; i < 4; i++) add(&s, OSSA_SAMPLE_BIPED);
	ossa_rig_result made = make(&s, NULL);
	assert_int_equal(count_bodies(&made), 4);
	assert_as_alone(&s, made.rig, 3, OSSA_SAMPLE_BIPED);
	ossa_rig_result_free(s.context, &made);
	end(&s);
}

/* which bone all vertices from one on follow */
static const ossa_bone *bone_of(const ossa_rig *rig, size_t first)
{
	const size_t width = (size_t)rig->weights.influences;
	const uint16_t bone = rig->weights.bones[first * width];
	for (size_t v = first; v < rig->mesh->vertex_count; v++) {
		assert_int_equal(rig->weights.bones[v * width], bone);
		assert_true(rig->weights.values[v * width] == 1);
	}
	return &rig->skeleton.bones[bone];
}

static void a_floor_is_a_body_of_one_bone(void **state)
{
	(void)state;
	scene s = begin(2);
	add(&s, OSSA_SAMPLE_BIPED);
	add(&s, OSSA_SAMPLE_QUADRUPED);
	const size_t floor = s.shape->vertex_count;
	double low = INFINITY;
	ossa_mesh *mesh = test_pieces_mesh(s.context, s.shape);
	for (size_t v = 0; v < mesh->vertex_count; v++) low = fmin(low, mesh->positions[3 * v + 1]);
	ossa_mesh_free(s.context, mesh);
	/* both stand on it */
	test_pieces_add_floor(s.shape, low, 3 * s.size);
	ossa_rig_result made = make(&s, NULL);
	assert_int_equal(count_bodies(&made), 3);
	assert_non_null(strstr(made.reason, "2 bodies that do not touch and 1 of one bone"));
	assert_string_equal(bone_of(made.rig, floor)->name, "body_3");
	assert_as_alone(&s, made.rig, 1, OSSA_SAMPLE_QUADRUPED);
	ossa_rig_result_free(s.context, &made);
	end(&s);
}

static void small_things_go_with_the_nearest_body(void **state)
{
	(void)state;
	scene s = begin(2);
	add(&s, OSSA_SAMPLE_BIPED);
	add(&s, OSSA_SAMPLE_BIPED);
	const size_t ball = s.shape->vertex_count;
	add_box(&s, ossai_v3(1.5, 0.3, 0), ossai_v3(0.04, 0.04, 0.04));
	ossa_rig_result made = make(&s, NULL);
	assert_int_equal(count_bodies(&made), 2);
	const ossa_bone *bone = bone_of(made.rig, ball);
	assert_true(strncmp(bone->name, "body_2_", 7) == 0);
	ossa_rig_result_free(s.context, &made);
	end(&s);
}

/* how many faces a thing has says nothing: a pebble of many, a rock larger than both bodies */
static void things_may_have_many_faces(void **state)
{
	(void)state;
	const double radius[] = {0.01, 0.9};
	for (int is_large = 0; is_large < 2; is_large++) {
		scene s = begin(2);
		add(&s, OSSA_SAMPLE_BIPED);
		add(&s, OSSA_SAMPLE_QUADRUPED);
		const size_t ball = s.shape->vertex_count;
		const ossai_vec3 at = is_large ? ossai_v3(4, 0, 0) : ossai_v3(0.6, 0.1, 0);
		test_shape_ball(s.shape, ossai_scale(at, s.size), radius[is_large] * s.size, 40, INFINITY);
		ossa_rig_result made = make(&s, NULL);
		assert_int_equal(count_bodies(&made), is_large ? 3 : 2);
		if (is_large) assert_string_equal(bone_of(made.rig, ball)->name, "body_3");
		else assert_int_not_equal(made.rig->weights.bones[ball * (size_t)made.rig->weights.influences], 0);
		assert_as_alone(&s, made.rig, 1, OSSA_SAMPLE_QUADRUPED);
		ossa_rig_result_free(s.context, &made);
		end(&s);
	}
}

/* what a person says is about one body; and things are no bodies */
static void one_body_stays_one(void **state)
{
	(void)state;
	scene s = begin(2);
	ossa_rig_options options = ossa_rig_default();
	add(&s, OSSA_SAMPLE_BIPED);
	const size_t box = s.shape->vertex_count;
	add_box(&s, ossai_v3(1, 0.3, 0), ossai_v3(0.2, 0.3, 0.2));
	add_box(&s, ossai_v3(-1, 0.3, 0), ossai_v3(0.2, 0.3, 0.2));
	ossa_rig_result made = make(&s, NULL);
	assert_int_equal(count_bodies(&made), 0);
	assert_true(made.rig->skeleton.bones[0].role.part == OSSA_PART_HIPS);
	bone_of(made.rig, box + (s.shape->vertex_count - box) / 2);
	ossa_rig_result_free(s.context, &made);
	add(&s, OSSA_SAMPLE_BIPED);
	options.roots = OSSA_ROOTS_ONE;
	made = make(&s, &options);
	assert_int_equal(count_bodies(&made), 0);
	assert_true(test_warned(s.context, "props") > 0);
	assert_int_equal(test_warned(s.context, "unused-option"), 0);
	ossa_rig_result_free(s.context, &made);
	options = ossa_rig_default();
	assert_ok(s.context, ossa_method_options_create(s.context, &options.methods));
	ossa_contraction_options *own = ossa_method_options_of(options.methods, "contraction");
	strcpy(options.method, "contraction");
	own->bones = 20;
	made = make(&s, &options);
	assert_int_equal(made.rig->skeleton.bone_count, 20);
	ossa_rig_result_free(s.context, &made);
	own->bones = 0;
	own->body = OSSA_BODY_HUMAN;
	made = make(&s, &options);
	assert_int_equal(count_bodies(&made), 0);
	ossa_rig_result_free(s.context, &made);
	ossa_method_options_free(s.context, options.methods);
	end(&s);
}

static ossa_status rig_in(ossa_context *context, void *arg)
{
	const ossa_mesh *mesh = arg;
	ossa_rig_result made;
	const ossa_status status = ossa_rig_make(context, &(ossa_rig_input){.mesh = mesh}, NULL, &made);
	if (status == OSSA_OK) assert_int_equal(count_bodies(&made), 2);
	else assert_null(made.rig);
	ossa_rig_result_free(context, &made);
	return status;
}

static void memory_may_end_anywhere(void **state)
{
	(void)state;
	scene s = begin(1);
	add(&s, OSSA_SAMPLE_BIPED);
	add(&s, OSSA_SAMPLE_BIPED);
	ossa_mesh *mesh = test_pieces_mesh(s.context, s.shape);
	assert_true(test_allocation_sweep(rig_in, mesh, 0, test_is_long() ? 97 : 997) > 1000);
	ossa_mesh_free(s.context, mesh);
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_is_rigged_as_if_alone),
		cmocka_unit_test(copies_are_as_many_bodies),
		cmocka_unit_test(a_floor_is_a_body_of_one_bone),
		cmocka_unit_test(small_things_go_with_the_nearest_body),
		cmocka_unit_test(things_may_have_many_faces),
		cmocka_unit_test(one_body_stays_one),
		cmocka_unit_test(memory_may_end_anywhere),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

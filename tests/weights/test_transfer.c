/* tests/weights/test_transfer.c: weights of a proxy on the surface that it approximates: exact
   at its vertices, interpolated between them. */
#include "support/creature.h"
#include "support/support.h"
#include "weights/transfer.h"

/* two triangles over a unit square in the surface's units, bone b wholly at corner b */
typedef struct square {
	double positions[12];
	uint32_t triangles[6], of_vertex[64];
	ossai_proxy proxy;
	ossai_bone_weights weights;
} square;

static void make_square(test_surface *t, square *q)
{
	const double corners[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
	const uint32_t faces[6] = {0, 1, 2, 0, 2, 3};
	*q = (square){.proxy = {.vertex_count = 4, .face_count = 2}};
	for (size_t i = 0; i < 12; i++) q->positions[i] = corners[i];
	for (size_t i = 0; i < 6; i++) q->triangles[i] = faces[i];
	q->proxy.positions = q->positions;
	q->proxy.triangles = q->triangles;
	q->proxy.of_vertex = q->of_vertex;
	assert_ok(t->context, ossai_bone_weights_new(&t->arena, 4, 4, 2, &q->weights));
	for (uint16_t v = 0; v < 4; v++) {
		q->weights.count[v] = 1;
		q->weights.bone[2 * v] = v;
		q->weights.value[2 * v] = 1;
	}
}

/* a surface of one face whose vertices lie where the test wants them, in the proxy's units */
static test_surface surface_at(const ossai_vec3 *points)
{
	float positions[9];
	const uint32_t face[3] = {0, 1, 2};
	for (size_t i = 0; i < 3; i++) {
		positions[3 * i] = (float)points[i].x;
		positions[3 * i + 1] = (float)points[i].y;
		positions[3 * i + 2] = (float)points[i].z;
	}
	test_surface t = test_surface_make(1, 3, positions, 1, face, 1, NULL);
	for (size_t i = 0; i < 3; i++) ossai_v3_store(points[i], t.s.rest + 3 * i);
	return t;
}

static void places_blend_the_corners_of_their_face(void **state)
{
	(void)state;
	/* above the middle of an edge; inside of a face; beyond a corner */
	const ossai_vec3 points[3] = {{0.5, 0, 0.3}, {0.75, 0.5, 0}, {2, 2, 0}};
	test_surface t = surface_at(points);
	square q;
	make_square(&t, &q);
	q.of_vertex[0] = 0;
	q.of_vertex[1] = 1;
	q.of_vertex[2] = 2;
	ossai_bone_weights to;
	assert_ok(t.context, ossai_bone_weights_new(&t.arena, 3, 4, 3, &to));
	assert_ok(t.context, ossai_weights_transfer(t.context, &q.proxy, &q.weights, &t.s, &to));
	assert_int_equal(to.count[0], 2);
	assert_near(ossai_bone_weight_of(&to, 0, 0), 0.5, 1e-12);
	assert_near(ossai_bone_weight_of(&to, 0, 1), 0.5, 1e-12);
	assert_int_equal(to.count[1], 3);
	assert_near(ossai_bone_weight_of(&to, 1, 0), 0.25, 1e-12);
	assert_near(ossai_bone_weight_of(&to, 1, 1), 0.25, 1e-12);
	assert_near(ossai_bone_weight_of(&to, 1, 2), 0.5, 1e-12);
	assert_int_equal(to.count[2], 1);
	assert_int_equal(to.bone[2 * 3], 2);
	test_surface_end(&t);
}

static void the_largest_stay_and_sum_to_one(void **state)
{
	(void)state;
	const ossai_vec3 points[3] = {{0.7, 0.4, 0}, {0, 0, 0}, {1, 0, 0}};
	test_surface t = surface_at(points);
	square q;
	make_square(&t, &q);
	q.of_vertex[0] = 0;
	q.of_vertex[1] = 0;
	q.of_vertex[2] = OSSA_NONE;
	ossai_bone_weights to;
	assert_ok(t.context, ossai_bone_weights_new(&t.arena, 3, 4, 2, &to));
	assert_ok(t.context, ossai_weights_transfer(t.context, &q.proxy, &q.weights, &t.s, &to));
	/* 0.3, 0.3 and 0.4: of equal ones the first is kept */
	assert_int_equal(to.count[0], 2);
	assert_int_equal(to.bone[0], 2);
	assert_int_equal(to.bone[1], 0);
	assert_near(to.value[0], 4.0 / 7, 1e-12);
	assert_near(to.value[0] + to.value[1], 1, 1e-12);
	/* a vertex without a representative */
	assert_int_equal(to.count[2], 0);
	test_surface_end(&t);
}

static void a_surface_that_stands_for_itself_keeps_its_weights(void **state)
{
	(void)state;
	test_creature c = test_creature_make(2, OSSA_SAMPLE_BIPED, 2000, 1);
	const ossai_posed_surface *s = &c.t.s;
	uint32_t *same = ossai_arena_new(&c.t.arena, s->vertex_count, sizeof *same);
	for (uint32_t v = 0; v < s->vertex_count; v++) same[v] = s->used[v] ? v : OSSA_NONE;
	const ossai_proxy proxy = {.vertex_count = s->vertex_count,
		.face_count = s->face_count,
		.positions = s->rest,
		.triangles = (uint32_t *)s->triangles,
		.of_vertex = same};
	ossai_bone_weights to;
	assert_ok(c.t.context, ossai_bone_weights_new(&c.t.arena, s->vertex_count, c.weights.bone_count, c.weights.width, &to));
	assert_ok(c.t.context, ossai_weights_transfer(c.t.context, &proxy, &c.weights, s, &to));
	for (size_t v = 0; v < s->vertex_count; v++) {
		for (uint32_t b = 0; b < c.weights.bone_count; b++) {
			assert_near(ossai_bone_weight_of(&to, v, b), ossai_bone_weight_of(&c.weights, v, b), 1e-4);
		}
	}
	test_creature_end(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(places_blend_the_corners_of_their_face),
		cmocka_unit_test(the_largest_stay_and_sum_to_one),
		cmocka_unit_test(a_surface_that_stands_for_itself_keeps_its_weights)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

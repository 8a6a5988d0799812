/* tests/methods/test_map_joints.c: where a joint is in another shape: affine maps of the skin
   around are found, and where the skin does not determine one, a similarity. */
#include "methods/characters/characters.h"

#include "support/support.h"

enum { POINTS = 24 };

/* a surface and weights that have what a map reads: rest, used, two bones of which each point
   follows both */
typedef struct skin {
	double rest[3 * POINTS], value[2 * POINTS];
	uint16_t bone[2 * POINTS];
	uint8_t used[POINTS], count[POINTS];
	ossai_posed_surface surface;
	ossai_bone_weights weights;
} skin;

static void load_skin(skin *s, size_t count)
{
	for (size_t v = 0; v < count; v++) {
		s->used[v] = 1;
		s->count[v] = 2;
		s->bone[2 * v + 1] = 1;
		s->value[2 * v] = s->value[2 * v + 1] = 0.5;
	}
	s->surface = (ossai_posed_surface){.vertex_count = count, .used_count = count, .rest = s->rest, .used = s->used};
	s->weights = (ossai_bone_weights){count, 2, 2, s->bone, s->value, s->count};
}

static const ossai_rigid longer = {{{{1.4, 0.1, 0}, {-0.1, 0.9, 0.05}, {0, 0, 0.8}}}, {3, -2, 0.5}};

static void map_skin(const ossai_rigid *map, const skin *from, size_t count, skin *to)
{
	for (size_t v = 0; v < count; v++)
		ossai_v3_store(ossai_rigid_point(map, ossai_v3_of(from->rest + 3 * v)), to->rest + 3 * v);
	load_skin(to, count);
}

/* points of a block: the map is affine, but for the hundredth that the similarity weighs */
static void limbs_of_another_length_are_mapped(void **state)
{
	(void)state;
	skin from = {0}, to = {0};
	uint32_t random = 1;
	for (size_t i = 0; i < 3 * POINTS; i++) from.rest[i] = test_random_bits(&random) / 16777216.0 - 0.5;
	load_skin(&from, POINTS);
	map_skin(&longer, &from, POINTS, &to);
	const ossai_rigid found = ossai_map_around(&from.surface, &to.surface, &from.weights, 0, 1);
	for (size_t v = 0; v < POINTS; v++) {
		const ossai_vec3 p = ossai_v3_of(from.rest + 3 * v);
		assert_near_vec3(ossai_rigid_point(&found, p), ossai_rigid_point(&longer, p), 0.01);
	}
	/* the same shape: itself */
	const ossai_rigid same = ossai_map_around(&from.surface, &from.surface, &from.weights, 0, OSSA_NONE);
	for (size_t v = 0; v < POINTS; v++) {
		const ossai_vec3 p = ossai_v3_of(from.rest + 3 * v);
		assert_near_vec3(ossai_rigid_point(&same, p), p, 1e-12);
	}
}

/* a ring says nothing about its axis: turned, larger and moved, it takes what is there along */
static void a_ring_has_a_similarity(void **state)
{
	(void)state;
	skin from = {0}, to = {0};
	const double angle = 0.7, size = 1.7, c = size * cos(angle), s = size * sin(angle);
	const ossai_rigid map = {{{{c, 0, s}, {0, size, 0}, {-s, 0, c}}}, {1, 2, 3}};
	for (size_t v = 0; v < POINTS; v++) {
		from.rest[3 * v] = cos(0.3 * (double)v);
		from.rest[3 * v + 1] = sin(0.3 * (double)v);
	}
	load_skin(&from, POINTS);
	map_skin(&map, &from, POINTS, &to);
	const ossai_rigid found = ossai_map_around(&from.surface, &to.surface, &from.weights, 0, 1);
	const ossai_vec3 above = {0.1, 0.2, 0.9};
	assert_near_vec3(ossai_rigid_point(&found, above), ossai_rigid_point(&map, above), 1e-9);
}

/* bones that share no skin, and bones without any */
static void there_is_always_a_map(void **state)
{
	(void)state;
	skin from = {0}, to = {0};
	uint32_t random = 5;
	const ossai_rigid map = {{{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}}, {0, 1, 0}};
	for (size_t i = 0; i < 3 * POINTS; i++) from.rest[i] = test_random_bits(&random) / 16777216.0;
	load_skin(&from, POINTS);
	map_skin(&map, &from, POINTS, &to);
	for (size_t v = 0; v < POINTS; v++) {
		from.count[v] = 1;
		from.bone[2 * v] = v < POINTS / 2;
		from.value[2 * v] = 1;
	}
	const uint32_t bones[][2] = {{0, 1}, {1, OSSA_NONE}, {7, 8}, {7, OSSA_NONE}};
	for (size_t i = 0; i < 4; i++) {
		const ossai_rigid found = ossai_map_around(&from.surface, &to.surface, &from.weights, bones[i][0], bones[i][1]);
		const ossai_vec3 p = {0.3, 0.4, 0.5};
		assert_near_vec3(ossai_rigid_point(&found, p), ossai_rigid_point(&map, p), 1e-9);
	}
	/* all at one point */
	for (size_t i = 0; i < 3 * POINTS; i++) from.rest[i] = to.rest[i] = 0.25;
	const ossai_rigid found = ossai_map_around(&from.surface, &to.surface, &from.weights, 0, 1);
	assert_near_vec3(ossai_rigid_point(&found, ossai_v3(0.25, 0.25, 0.25)), ossai_v3(0.25, 0.25, 0.25), 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(limbs_of_another_length_are_mapped),
		cmocka_unit_test(a_ring_has_a_similarity), cmocka_unit_test(there_is_always_a_map)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

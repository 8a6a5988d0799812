/* tests/query/test_facing.c: the nearest face that looks the same way, against a search of all. */
#include "query/facing.h"
#include "support/support.h"

enum { FACES = 300, QUESTIONS = 500 };

typedef struct soup {
	float positions[9 * FACES], normals[3 * FACES], slack[FACES];
	uint32_t triangles[3 * FACES], owner[FACES];
} soup;

static double random_to(uint32_t *seed, double most) { return most * test_random_bits(seed) / 0x1p24; }

static void fill(soup *s, uint32_t *seed)
{
	for (uint32_t i = 0; i < 9 * FACES; i++) {
		s->positions[i] = (float)(random_to(seed, 0.2) + i / 9 % 7 * 0.1);
		s->triangles[i / 3] = i / 3;
	}
	const ossai_mesh_view mesh = ossai_view_of_floats(3 * FACES, s->positions, FACES, s->triangles);
	for (size_t f = 0; f < FACES; f++) {
		const ossai_vec3 normal = ossai_unit(ossai_view_face_normal(&mesh, f), ossai_v3(0, 0, 0));
		s->normals[3 * f] = (float)normal.x;
		s->normals[3 * f + 1] = (float)normal.y;
		s->normals[3 * f + 2] = (float)normal.z;
		s->slack[f] = (float)random_to(seed, 0.5);
		s->owner[f] = f % 3 < 2 ? (uint32_t)(f % 3) : OSSA_NONE;
	}
	/* one has no area */
	for (int i = 0; i < 3; i++) s->normals[i] = 0;
}

static uint32_t search_all(const soup *s, const ossai_facing_point *point, double distance)
{
	double best = distance * distance;
	uint32_t found = OSSA_NONE;
	for (uint32_t f = 0; f < FACES; f++) {
		const double cosine = ossai_dot(point->normal, ossai_v3_of_float(s->normals + 3 * f));
		const double distance2 = ossai_face_distance2(s->positions, s->triangles, f, point->position);
		const bool is_alike = cosine > 0 && acos(fmin(cosine, 1)) <= point->angle + (double)s->slack[f];
		if (!is_alike && point->angle < OSSAI_PI) continue;
		if (s->owner[f] != OSSA_NONE && point->owner != OSSA_NONE && s->owner[f] != point->owner) continue;
		if (distance2 > best || (distance2 == best && f > found)) continue;
		best = distance2;
		found = f;
	}
	return found;
}

static void it_is_the_nearest_of_all(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	static soup s;
	uint32_t seed = 7, found = 0;
	fill(&s, &seed);
	const ossai_mesh_view mesh = ossai_view_of_floats(3 * FACES, s.positions, FACES, s.triangles);
	ossai_face_tree tree;
	assert_ok(context, ossai_face_tree_make(&arena, &mesh, &tree));
	const ossai_facing facing = {&tree, s.normals, s.slack, s.owner};
	for (int i = 0; i < QUESTIONS; i++) {
		const ossai_vec3 point = ossai_v3(random_to(&seed, 1), random_to(&seed, 1), random_to(&seed, 1));
		const ossai_vec3 direction = ossai_v3(random_to(&seed, 2) - 1, random_to(&seed, 2) - 1, random_to(&seed, 2) - 1);
		const double angle = i % 8 == 0 ? OSSAI_PI : random_to(&seed, 2), distance = random_to(&seed, 0.5);
		const uint32_t owner = i % 3 < 2 ? (uint32_t)(i % 3) : OSSA_NONE;
		const ossai_facing_point asked = {point, ossai_unit(direction, ossai_v3(0, 0, 1)), angle, owner};
		const uint32_t face = ossai_facing_nearest(&facing, &asked, distance).face;
		assert_int_equal(face, search_all(&s, &asked, distance));
		found += face != OSSA_NONE;
	}
	/* neither always nor never */
	assert_in_range(found, QUESTIONS / 10, QUESTIONS * 9 / 10);
	const ossai_facing_point nowhere = {ossai_v3(0, 0, 0), ossai_v3(0, 0, 0), 3, OSSA_NONE};
	assert_int_equal(ossai_facing_nearest(&facing, &nowhere, 10).face, OSSA_NONE);
	ossai_arena_end(&arena);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(it_is_the_nearest_of_all)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

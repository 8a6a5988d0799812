/* tests/motion/test_bone_lengths.c: constant lengths by projection, against a search over
   lengths and positions. */
#include "motion/bone_lengths.h"

#include "support/support.h"
#include "support/surfaces.h"

#include <string.h>

enum { BONES = 4, POSES = 5, FRAMES = POSES + 1 };

/* 2 is the root; 0 and 1 are its children, 3 that of 1 */
typedef struct scene {
	uint32_t parent[BONES], pair[BONES], order[BONES];
	ossai_tree tree;
	ossai_vec3 joint[BONES], position[BONES * POSES];
	double length[BONES];
} scene;

static void scene_begin(scene *s, double shake, uint64_t seed)
{
	const uint32_t parent[BONES] = {2, 2, OSSA_NONE, 1};
	memcpy(s->parent, parent, sizeof parent);
	s->tree = (ossai_tree){BONES, 2, s->parent, s->pair, s->order};
	ossai_tree_sort(&s->tree);
	for (int b = 0; b < BONES; b++) {
		s->joint[b] = test_random_point(&seed, 1);
		for (int k = 0; k < POSES; k++) s->position[b * POSES + k] = ossai_add(s->joint[b], test_random_point(&seed, shake));
	}
}

static ossai_vec3 *place(scene *s, uint32_t b, int frame) { return frame ? &s->position[b * POSES + frame - 1] : &s->joint[b]; }

static void lengths_are_constant_and_least_squares(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 20; seed++) {
		scene given, s;
		scene_begin(&given, 0.2, seed);
		scene_begin(&s, 0.2, seed);
		ossai_bone_lengths_project(&s.tree, POSES, s.joint, s.position, s.length);
		assert_true(s.length[2] == 0);
		for (uint32_t b = 0; b < BONES; b++) {
			if (b == 2) continue;
			double sum = 0;
			for (int f = 0; f < FRAMES; f++) {
				const ossai_vec3 own = *place(&s, b, f), up = *place(&s, s.parent[b], f);
				assert_near(ossai_distance(own, up), s.length[b], 1e-12);
				sum += ossai_length2(ossai_sub(own, *place(&given, b, f)));
			}
			/* no other length, with the positions nearest to those given, has a smaller error */
			for (int i = -20; i <= 20; i++) {
				const double length = s.length[b] + 0.01 * i;
				double other = 0;
				for (int f = 0; f < FRAMES; f++) {
					const double gap = ossai_distance(*place(&given, b, f), *place(&s, s.parent[b], f)) - length;
					other += gap * gap;
				}
				assert_true(other >= sum - 1e-12);
			}
		}
		for (int f = 0; f < FRAMES; f++) assert_true(ossai_distance(*place(&s, 2, f), *place(&given, 2, f)) == 0);
	}
}

static void rigid_skeletons_stay(void **state)
{
	(void)state;
	scene given, s;
	scene_begin(&given, 0, 3);
	scene_begin(&s, 0, 3);
	ossai_bone_lengths_project(&s.tree, POSES, s.joint, s.position, s.length);
	for (uint32_t b = 0; b < BONES; b++) {
		for (int f = 0; f < FRAMES; f++) assert_near_vec3(*place(&s, b, f), *place(&given, b, f), 1e-12);
	}
}

/* a bone that never has a length, and one that has none in some frames */
static void joints_may_coincide(void **state)
{
	(void)state;
	scene s;
	scene_begin(&s, 0, 3);
	for (int f = 0; f < FRAMES; f++) *place(&s, 0, f) = *place(&s, 2, f);
	const ossai_vec3 up = *place(&s, 2, 2);
	*place(&s, 1, 0) = *place(&s, 2, 0);
	*place(&s, 1, 2) = up;
	ossai_bone_lengths_project(&s.tree, POSES, s.joint, s.position, s.length);
	assert_true(s.length[0] == 0);
	for (int f = 0; f < FRAMES; f++) {
		assert_true(ossai_distance(*place(&s, 0, f), *place(&s, 2, f)) == 0);
		assert_near(ossai_distance(*place(&s, 1, f), *place(&s, 2, f)), s.length[1], 1e-12);
	}
	/* the direction of the frame before; at the beginning that of the first frame that has one */
	assert_near_vec3(*place(&s, 1, 2), *place(&s, 1, 1), 1e-12);
	assert_near_vec3(*place(&s, 1, 0), *place(&s, 1, 1), 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lengths_are_constant_and_least_squares),
		cmocka_unit_test(rigid_skeletons_stay),
		cmocka_unit_test(joints_may_coincide),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

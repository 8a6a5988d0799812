/* tests/voxels/test_voxel_peel.c: voxels without the layer that faces only touch: which are
   kept, and that the topology does not change. */
#include "support/shapes.h"
#include "support/support.h"
#include "voxels/voxels.h"

#include <ossa/mesh.h>
#include <stdlib.h>

static ossai_voxels voxels_of(test_surface *t, double size, bool peel)
{
	const ossai_voxel_options options = {.size = size};
	ossai_voxels v;
	assert_ok(t->context, (peel ? ossai_voxels_make_peeled : ossai_voxels_make)(&t->arena, &t->s, &options, &v));
	test_check_voxels(&v);
	return v;
}

/* a point of the shape in the surface's units */
static ossai_vec3 placed(const test_surface *t, ossai_vec3 p)
{
	return ossai_scale(ossai_sub(p, t->s.rest_center), 1 / t->s.scale);
}

static bool has_voxel_at(const ossai_voxels *v, ossai_vec3 p)
{
	const ossai_vec3 q = ossai_scale(ossai_sub(p, v->origin), 1 / v->step);
	const size_t x = (size_t)llrint(q.x), y = (size_t)llrint(q.y), z = (size_t)llrint(q.z);
	return v->of_cell[x + v->size[0] * (y + (size_t)v->size[1] * z)] != OSSA_NONE;
}

static void a_ball_is_what_its_centers_say(void **state)
{
	(void)state;
	test_shape *s = test_shape_new();
	test_shape_ball(s, ossai_v3(0.1, 0.2, 0.3), 1, 40, INFINITY);
	for (int soup = 0; soup < 2; soup++) {
		if (soup) test_shape_soup(s, true);
		test_surface t = test_shape_surface(1, s);
		const ossai_vec3 center = placed(&t, ossai_v3(0.1, 0.2, 0.3));
		const double radius = 1 / t.s.scale, volume = 4.0 / 3 * OSSAI_PI * radius * radius * radius;
		for (double size = 0.1; size > 0.02; size *= 0.7) {
			const ossai_voxels fat = voxels_of(&t, size, false), v = voxels_of(&t, size, true);
			const double one = v.step * v.step * v.step;
			/* whatever the size; with what faces touch it is larger the larger voxels are */
			assert_near((double)v.count * one / volume, 1, 0.8 * size);
			assert_true((double)fat.count * one / volume > 1 + 0.5 * size * 4);
			for (uint32_t i = 0; i < v.count; i++) {
				assert_near_vec3(ossai_voxel_center(&v, i), center, radius * (1 + 1e-3));
			}
		}
		test_surface_end(&t);
	}
	free(s);
}

/* a base with two bars on it, half a voxel apart */
static void limbs_side_by_side_come_apart(void **state)
{
	(void)state;
	test_shape *s = test_shape_new();
	test_shape_box(s, ossai_v3(0, 0, 0), ossai_v3(1, 0.2, 0.3), true);
	test_shape_box(s, ossai_v3(0, 0.15, 0), ossai_v3(0.4875, 1, 0.3), true);
	test_shape_box(s, ossai_v3(0.5125, 0.15, 0), ossai_v3(1, 1, 0.3), true);
	test_surface t = test_shape_surface(1, s);
	const ossai_voxels fat = voxels_of(&t, 0.05, false), v = voxels_of(&t, 0.05, true);
	for (double y = 0.3; y < 1; y += 0.1) {
		const ossai_vec3 gap = placed(&t, ossai_v3(0.5, y, 0.15));
		assert_true(has_voxel_at(&fat, gap));
		/* where a center lies in the gap, which it does or not */
		const ossai_vec3 q = ossai_scale(ossai_sub(gap, v.origin), 1 / v.step);
		if (fabs(q.x - nearbyint(q.x)) < 0.2) assert_false(has_voxel_at(&v, gap));
	}
	assert_int_equal(v.part_count, 1);
	test_surface_end(&t);
	free(s);
}

/* rods and sheets thinner than a voxel stay connected, and so does what is attached to them */
static void thin_limbs_stay(void **state)
{
	(void)state;
	test_shape *s = test_shape_new();
	test_shape_box(s, ossai_v3(0, 0, 0), ossai_v3(0.3, 0.3, 0.3), true);
	test_shape_box(s, ossai_v3(0.28, 0.147, 0.147), ossai_v3(0.9, 0.153, 0.153), true);
	test_shape_box(s, ossai_v3(0.88, 0.05, 0.05), ossai_v3(1.1, 0.25, 0.25), true);
	test_surface t = test_shape_surface(1, s);
	for (double size = 0.06; size > 0.01; size *= 0.83) {
		const ossai_voxels v = voxels_of(&t, size, true);
		assert_int_equal(v.part_count, 1);
		for (double x = 0.36; x < 0.82; x += 0.02) {
			bool any = false;
			for (int k = 0; k < 9; k++) {
				const ossai_vec3 off = ossai_v3(0, (k % 3 - 1) * v.step, (k / 3 - 1) * v.step);
				any = any || has_voxel_at(&v, ossai_add(placed(&t, ossai_v3(x, 0.15, 0.15)), off));
			}
			assert_true(any);
		}
	}
	test_surface_end(&t);
	free(s);
}

/* faces within another closed piece are no border: nothing is dug along them */
static void pieces_that_overlap_are_one_solid(void **state)
{
	(void)state;
	test_shape *s = test_shape_new();
	test_shape_box(s, ossai_v3(0, 0, 0), ossai_v3(1, 0.5, 0.5), true);
	test_shape_ball(s, ossai_v3(1, 0.25, 0.25), 0.2, 30, INFINITY);
	test_surface t = test_shape_surface(1, s);
	const ossai_voxels v = voxels_of(&t, 0.02, true);
	for (double x = 0.1; x < 0.95; x += 0.05) {
		for (double y = 0.1; y < 0.45; y += 0.05) assert_true(has_voxel_at(&v, placed(&t, ossai_v3(x, y, 0.25))));
	}
	test_surface_end(&t);
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_ball_is_what_its_centers_say),
		cmocka_unit_test(limbs_side_by_side_come_apart),
		cmocka_unit_test(thin_limbs_stay),
		cmocka_unit_test(pieces_that_overlap_are_one_solid),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

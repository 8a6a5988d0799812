/* tests/skeleton/from_curve/test_joints_inside.c: joints beside a box are moved into it, by no more
   than is needed. */
#include "skeleton/from_curve/joints_inside.h"
#include "support/shapes.h"
#include "support/support.h"

#include <stdlib.h>

/* a box from -1 to 1, with its faces outwards or inwards */
static ossai_mesh_view box_of(test_shape *shape, bool is_outward)
{
	test_shape_box(shape, ossai_v3(-1, -1, -1), ossai_v3(1, 1, 1), is_outward);
	return ossai_view_of_floats(shape->vertex_count, shape->positions, shape->face_count, shape->triangles);
}

static void keep(bool is_outward, size_t place_count, const ossai_vec3 *places, size_t count, ossai_vec3 *joints)
{
	ossa_context *context = test_context(1);
	test_shape *shape = test_shape_new();
	const ossai_mesh_view mesh = box_of(shape, is_outward);
	assert_ok(context, ossai_joints_keep_inside(context, &mesh, place_count, places, count, joints));
	free(shape);
	test_context_end(context);
}

static const ossai_vec3 places[] = {{0, 0, 0}, {0.5, 0, 0}, {3, 0, 0}};

static void joints_outside_are_moved_inside(void **state)
{
	(void)state;
	for (int is_outward = 0; is_outward < 2; is_outward++) {
		ossai_vec3 joints[] = {{0.9, 0.9, 0.9}, {2.5, 0, 0}, {0, -1.01, 0}};
		keep(is_outward, 3, places, 3, joints);
		assert_near(ossai_distance(joints[0], ossai_v3(0.9, 0.9, 0.9)), 0, 0);
		/* towards the nearest place inside: the third is outside. A step is a sixteenth of 2, and
		   three more are made than lead inside */
		assert_true(joints[1].x < 1 - 2 * 3 / 16.0 + 1e-9 && joints[1].x >= 1 - 2 * 4 / 16.0 - 1e-9);
		assert_true(joints[1].y == 0 && joints[1].z == 0);
		/* a joint that lies just beside the skin stays close to it */
		assert_true(joints[2].y > -0.82 && joints[2].y < -0.74);
	}
}

static void without_a_place_inside_joints_stay(void **state)
{
	(void)state;
	ossai_vec3 joints[] = {{2, 0, 0}};
	keep(true, 1, places + 2, 1, joints);
	assert_near(joints[0].x, 2, 0);
	keep(true, 0, NULL, 1, joints);
	assert_near(joints[0].x, 2, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(joints_outside_are_moved_inside), cmocka_unit_test(without_a_place_inside_joints_stay)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* tests/rig/test_pose_dual.c: dual quaternion skinning against known properties: rigid motions
   stay rigid, twists keep their thickness, the mean of two motions is the middle of their screw,
   and the result does not depend on frames. */
#include "rig/pose_dual.h"

#include "math/vec.h"
#include "samples/samples.h"
#include "support/support.h"

#include <string.h>

typedef struct two_bones {
	ossa_weights weights;
	uint16_t bones[2];
	float values[2];
} two_bones;

static void weigh(two_bones *t, float first)
{
	*t = (two_bones){.weights = {.vertex_count = 1, .influences = 2}, .bones = {0, 1}, .values = {first, 1 - first}};
	t->weights.bones = t->bones;
	t->weights.values = t->values;
}

static ossai_rigid turned_about(ossai_vec3 axis, double degrees, ossai_vec3 center, ossai_vec3 move)
{
	const ossai_quat q = ossai_quat_axis_angle(ossai_unit(axis, ossai_v3(0, 0, 1)), degrees * OSSAI_PI / 180);
	ossai_rigid x = {ossai_quat_matrix(q), {0, 0, 0}};
	x.t = ossai_add(move, ossai_sub(center, ossai_mat3_mul_v(&x.r, center)));
	return x;
}

static ossai_vec3 skin(const two_bones *t, const ossai_rigid *a, const ossai_rigid *b, ossai_vec3 p)
{
	double matrix[12];
	ossai_dual_quat duals[2];
	const float position[3] = {(float)p.x, (float)p.y, (float)p.z};
	ossai_rigid_store(a, matrix);
	duals[0] = ossai_dual_quat_of(matrix);
	ossai_rigid_store(b, matrix);
	duals[1] = ossai_dual_quat_of(matrix);
	return ossai_dual_skin_vertex(position, &t->weights, 0, duals);
}

/* the mean of two motions: half of the screw from one to the other */
static void the_middle_is_that_of_the_screw(void **state)
{
	two_bones t;
	(void)state;
	weigh(&t, 0.5F);
	for (int i = 1; i < 12; i++) {
		const ossai_vec3 axis = ossai_v3(1, 0.2 * i, -0.5), center = ossai_v3(0.3, -0.2 * i, 0.7);
		const ossai_vec3 along = ossai_scale(ossai_unit(axis, axis), 0.4);
		const ossai_rigid a = turned_about(ossai_v3(0, 1, 0.1 * i), 25.0 * i, ossai_v3(0.1, 0.2, 0.3), ossai_v3(1, 2, 3));
		const ossai_rigid whole = turned_about(axis, 14.0 * i, center, along);
		const ossai_rigid half = turned_about(axis, 7.0 * i, center, ossai_scale(along, 0.5));
		const ossai_rigid b = ossai_rigid_mul(&a, &whole), middle = ossai_rigid_mul(&a, &half);
		const ossai_vec3 p = ossai_v3(0.5, 0.25, -0.75);
		assert_near_vec3(skin(&t, &a, &b, p), ossai_rigid_point(&middle, p), 1e-6);
	}
}

/* what linear blending makes of a twist by 180 degrees is a point */
static void twists_keep_their_thickness(void **state)
{
	two_bones t;
	(void)state;
	for (int i = 0; i <= 10; i++) {
		weigh(&t, (float)i / 10);
		const ossai_rigid still = {ossai_mat3_identity(), {0, 0, 0}};
		const ossai_rigid twist = turned_about(ossai_v3(1, 0, 0), 179, ossai_v3(0, 0, 0), ossai_v3(0, 0, 0));
		const ossai_vec3 p = skin(&t, &still, &twist, ossai_v3(2, 1, 0));
		assert_near(p.x, 2, 1e-6);
		assert_near(hypot(p.y, p.z), 1, 1e-6);
	}
}

/* all bones moved by one motion more: so is every vertex, whatever its weights */
static void frames_do_not_matter(void **state)
{
	two_bones t;
	const ossai_rigid more = turned_about(ossai_v3(0.3, 1, 2), 200, ossai_v3(1, 1, 1), ossai_v3(-3, 0, 2));
	const ossai_rigid a = turned_about(ossai_v3(1, 0, 0), 70, ossai_v3(0, 1, 0), ossai_v3(0, 0.5, 0));
	const ossai_rigid b = turned_about(ossai_v3(0, 1, 1), -110, ossai_v3(1, 0, 0), ossai_v3(0, 0, 0.5));
	const ossai_rigid more_a = ossai_rigid_mul(&more, &a), more_b = ossai_rigid_mul(&more, &b);
	const ossai_vec3 p = ossai_v3(0.5, -0.25, 0.125);
	(void)state;
	weigh(&t, 0.625F);
	assert_near_vec3(skin(&t, &more_a, &more_b, p), ossai_rigid_point(&more, skin(&t, &a, &b, p)), 1e-6);
	/* translations alone blend as they always did */
	const ossai_rigid left = {ossai_mat3_identity(), {1, 0, 0}}, up = {ossai_mat3_identity(), {0, 2, 0}};
	assert_near_vec3(skin(&t, &left, &up, p), ossai_add(p, ossai_v3(0.625, 0.75, 0)), 1e-6);
}

static void opposite_turns_leave_something(void **state)
{
	two_bones t;
	const ossai_rigid a = turned_about(ossai_v3(1, 0, 0), 180, ossai_v3(0, 0, 0), ossai_v3(0, 0, 0));
	const ossai_rigid b = {ossai_mat3_identity(), {0, 0, 0}};
	(void)state;
	weigh(&t, 0.5F);
	const ossai_vec3 p = skin(&t, &a, &b, ossai_v3(1, 1, 1));
	assert_true(isfinite(p.x));
	assert_near(ossai_length(p), sqrt(3), 1e-6);
}

/* of a whole rig: at rest both blends are the rest; vertices of one bone are where linear blending
   has them, in every pose */
static void rigs_are_posed_by_it(void **state)
{
	ossa_context *context = test_context(2);
	ossa_sample_options options = ossa_sample_default();
	ossa_sample *sample;
	(void)state;
	options.faces = 2000;
	options.frames = 3;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	const ossa_rig *rig = sample->rig;
	const size_t vertices = rig->mesh->vertex_count;
	float *linear = ossa_alloc(context, vertices, 3 * sizeof *linear), *dual = ossa_alloc(context, vertices, 3 * sizeof *dual);
	assert_ok(context, ossa_rig_pose_by(context, rig, NULL, NULL, 0, OSSA_BLEND_DUAL_QUATERNIONS, dual));
	for (size_t i = 0; i < 3 * vertices; i++) assert_near(dual[i], rig->mesh->positions[i], 1e-5);
	double apart = 0;
	for (size_t f = 0; f < 3; f++) {
		assert_ok(context, ossa_rig_pose(context, rig, NULL, rig->clip, f, linear));
		assert_ok(context, ossa_rig_pose_by(context, rig, NULL, rig->clip, f, OSSA_BLEND_DUAL_QUATERNIONS, dual));
		for (size_t v = 0; v < vertices; v++) {
			const double off = ossai_distance(ossai_v3_of_float(linear + 3 * v), ossai_v3_of_float(dual + 3 * v));
			if (rig->weights.values[v * (size_t)rig->weights.influences] > 0.99999F) assert_true(off < 1e-5);
			apart = fmax(apart, off);
		}
	}
	assert_true(apart > 1e-3);
	ossa_free(context, linear);
	ossa_free(context, dual);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_middle_is_that_of_the_screw),
		cmocka_unit_test(twists_keep_their_thickness), cmocka_unit_test(frames_do_not_matter),
		cmocka_unit_test(opposite_turns_leave_something), cmocka_unit_test(rigs_are_posed_by_it)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* tests/weights/test_symmetry.c: evidence of both sides against poses that are mirrored in truth,
   weights and joints of counterparts, bones that are removed. */
#include "support/support.h"
#include "support/surfaces.h"
#include "weights/residuals.h"
#include "weights/symmetry.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 6, VERTICES = 2 * SIDE + 1, POSES = 3, BONES = 5 };

/* Points in pairs v, SIDE + v at both sides of a plane, and one on it; bones 0 and 1 of the sides,
   2 central, 3 and 4 of the sides; in each pose everything is anywhere. */
typedef struct both_sides {
	test_surface t;
	uint32_t counterpart[VERTICES], image[BONES];
	ossai_symmetry symmetry;
	ossai_bone_motion motion;
} both_sides;

static both_sides *begin(both_sides *b, bool has_mirrored)
{
	float rest[3 * VERTICES], *poses = calloc((size_t)(has_mirrored ? 2 : 1) * POSES * 3 * VERTICES, sizeof *poses);
	uint32_t faces[3 * (VERTICES - 2)];
	uint64_t random = 7;
	*b = (both_sides){.image = {1, 0, 2, 4, 3}};
	b->symmetry.plane = (ossai_mirror){
		.exists = true, .normal = ossai_unit(ossai_v3(1, 0.4, -0.2), ossai_v3(1, 0, 0)), .offset = 0.1};
	for (uint32_t v = 0; v < VERTICES; v++) {
		b->counterpart[v] = v < SIDE ? v + SIDE : v < 2 * SIDE ? v - SIDE : v;
		ossai_vec3 p = test_random_point(&random, 1);
		const double off = b->symmetry.plane.offset - ossai_dot(b->symmetry.plane.normal, p);
		if (v >= SIDE && v < 2 * SIDE) p = ossai_mirror_point(&b->symmetry.plane, ossai_v3_of_float(rest + 3 * (v - SIDE)));
		if (v == 2 * SIDE) p = ossai_madd(p, off, b->symmetry.plane.normal);
		rest[3 * v] = (float)p.x, rest[3 * v + 1] = (float)p.y, rest[3 * v + 2] = (float)p.z;
	}
	for (uint32_t f = 0; f + 2 < VERTICES; f++) memcpy(faces + 3 * f, (uint32_t[3]){f, f + 1, f + 2}, 3 * sizeof *faces);
	b->t = test_surface_make(1, VERTICES, rest, VERTICES - 2, faces, (has_mirrored ? 2 : 1) * POSES, poses);
	free(poses);
	ossai_posed_surface *s = &b->t.s;
	/* the plane in the surface's own units */
	ossai_mirror *plane = &b->symmetry.plane;
	plane->offset = (plane->offset - ossai_dot(plane->normal, s->rest_center)) / s->scale;
	b->symmetry.counterpart = b->counterpart;
	b->symmetry.counterparts_of = s;
	b->symmetry.image = b->image;
	for (size_t v = 0; v < VERTICES; v++) {
		for (size_t k = 0; k < POSES; k++)
			ossai_v3_store(test_random_point(&random, 1), s->poses + 3 * (v * s->pose_count + k));
	}
	assert_ok(b->t.context, ossai_bone_motion_new(&b->t.arena, BONES, s->pose_count, &b->motion));
	for (size_t i = 0; i < BONES; i++) {
		for (size_t k = 0; k < POSES; k++) {
			b->motion.rigid[i * s->pose_count + k] = (ossai_rigid){
				ossai_quat_matrix(test_random_turn(&random, 2)), test_random_point(&random, 1)};
		}
	}
	return b;
}

/* the plain way: every pose again, mirrored */
static void add_mirrored_poses(both_sides *b)
{
	ossai_posed_surface *s = &b->t.s;
	for (size_t v = 0; v < VERTICES; v++) {
		for (size_t k = 0; k < POSES; k++) {
			const ossai_vec3 image = ossai_mirror_point(&b->symmetry.plane, ossai_pose_point(s, b->counterpart[v], k));
			ossai_v3_store(image, s->poses + 3 * (v * s->pose_count + POSES + k));
		}
	}
	ossai_bone_motion own = {BONES, POSES, ossai_arena_new(&b->t.arena, BONES, POSES * sizeof *own.rigid)};
	for (size_t i = 0; i < BONES; i++)
		memcpy(own.rigid + i * POSES, b->motion.rigid + i * s->pose_count, POSES * sizeof *own.rigid);
	ossai_mirrored_motion(&b->symmetry, &own, POSES, &b->motion);
}

static void evidence_is_that_of_mirrored_poses(void **state)
{
	(void)state;
	both_sides shared, plain;
	const uint16_t bones[] = {4, 0, 2, 1};
	ossai_residuals of_shared, of_plain;
	begin(&shared, false);
	shared.t.s.symmetry = &shared.symmetry;
	begin(&plain, true);
	add_mirrored_poses(&plain);
	assert_ok(shared.t.context, ossai_residuals_make(&shared.t.arena, &shared.t.s, &shared.motion, &of_shared));
	assert_ok(plain.t.context, ossai_residuals_make(&plain.t.arena, &plain.t.s, &plain.motion, &of_plain));
	for (size_t v = 0; v < VERTICES; v++) {
		double g[16], h[16];
		ossai_residuals_gram(&of_shared, v, 4, bones, g);
		ossai_residuals_gram(&of_plain, v, 4, bones, h);
		/* a mean, not a sum; the rest is symmetric to the rounding of floats */
		for (int i = 0; i < 16; i++) assert_near(2 * g[i], h[i], 1e-5);
	}
	test_surface_end(&shared.t);
	test_surface_end(&plain.t);
}

static void mirrored_motion_moves_mirrored_points(void **state)
{
	(void)state;
	both_sides b;
	uint64_t random = 3;
	begin(&b, true);
	add_mirrored_poses(&b);
	const size_t poses = b.t.s.pose_count;
	for (uint32_t i = 0; i < BONES; i++) {
		const ossai_vec3 p = test_random_point(&random, 1), q = ossai_mirror_point(&b.symmetry.plane, p);
		const ossai_vec3 moved = ossai_rigid_point(&b.motion.rigid[b.image[i] * poses + 1], q);
		const ossai_vec3 image = ossai_rigid_point(&b.motion.rigid[i * poses + POSES + 1], p);
		assert_near_vec3(image, ossai_mirror_point(&b.symmetry.plane, moved), 1e-12);
	}
	test_surface_end(&b.t);
}

static void give(ossai_bone_weights *w, size_t v, size_t count, const uint16_t *bone, const double *value)
{
	w->count[v] = (uint8_t)count;
	memcpy(w->bone + v * w->width, bone, count * sizeof *bone);
	memcpy(w->value + v * w->width, value, count * sizeof *value);
}

static void counterparts_share_weights(void **state)
{
	(void)state;
	both_sides b;
	ossai_bone_weights w;
	begin(&b, false);
	b.t.s.symmetry = &b.symmetry;
	assert_ok(b.t.context, ossai_bone_weights_new(&b.t.arena, VERTICES, BONES, 3, &w));
	for (size_t v = 0; v < VERTICES; v++) give(&w, v, 2, (uint16_t[]){0, 3}, (double[]){0.75, 0.25});
	/* on the plane: 0.8 of a side, 0.2 central: the pair and the central one are three */
	give(&w, 2 * SIDE, 2, (uint16_t[]){0, 2}, (double[]){0.8, 0.2});
	ossai_share_weights(&b.t.s, &w);
	assert_near(ossai_bone_weight_of(&w, 1, 0), 0.75, 0);
	assert_near(ossai_bone_weight_of(&w, SIDE + 1, 1), 0.75, 0);
	assert_near(ossai_bone_weight_of(&w, SIDE + 1, 4), 0.25, 0);
	assert_near(ossai_bone_weight_of(&w, 2 * SIDE, 0), 0.4, 1e-15);
	assert_near(ossai_bone_weight_of(&w, 2 * SIDE, 1), 0.4, 1e-15);
	assert_near(ossai_bone_weight_of(&w, 2 * SIDE, 2), 0.2, 1e-15);
	/* two pairs are four, of which three do not stay: one pair alone */
	give(&w, 2 * SIDE, 2, (uint16_t[]){0, 3}, (double[]){0.6, 0.4});
	ossai_share_weights(&b.t.s, &w);
	assert_int_equal(w.count[2 * SIDE], 2);
	assert_near(ossai_bone_weight_of(&w, 2 * SIDE, 1), 0.5, 1e-15);
	test_assert_simplex(&b.t.s, &w);
	/* of a surface that stands for another, counterparts are evidence alone */
	ossai_posed_surface other = b.t.s;
	other.poses = NULL;
	b.symmetry.counterparts_of = &other;
	assert_null(ossai_shared_symmetry(&b.t.s));
	test_surface_end(&b.t);
}

static void joints_are_images(void **state)
{
	(void)state;
	uint32_t image[4] = {1, 0, 2, OSSA_NONE};
	const ossai_symmetry s = {.plane = {.normal = {1, 0, 0}, .offset = 0.5}, .image = image};
	ossai_vec3 joint[4] = {{0, 1, 0}, {1.2, 1.2, 0}, {0.7, 3, 1}, {9, 9, 9}};
	ossai_share_joints(&s, 4, joint);
	assert_near_vec3(joint[0], ossai_v3(-0.1, 1.1, 0), 1e-15);
	assert_near_vec3(joint[1], ossai_v3(1.1, 1.1, 0), 1e-15);
	assert_near_vec3(joint[2], ossai_v3(0.5, 3, 1), 1e-15);
	assert_near_vec3(joint[3], ossai_v3(9, 9, 9), 0);
}

/* the last bone takes the number of the one that goes */
static void images_follow_new_numbers(void **state)
{
	(void)state;
	uint32_t image[5] = {4, 2, 1, 3, 0};
	const ossai_symmetry s = {.image = image};
	ossai_symmetry_renumber(&s, 3, 4);
	assert_memory_equal(image, ((uint32_t[4]){3, 2, 1, 0}), 4 * sizeof *image);
	ossai_symmetry_renumber(&s, 2, 3);
	/* 1 has lost its image, 3 is 2 now */
	assert_memory_equal(image, ((uint32_t[3]){2, OSSA_NONE, 0}), 3 * sizeof *image);
	uint32_t central[3] = {1, 0, 2};
	const ossai_symmetry t = {.image = central};
	ossai_symmetry_renumber(&t, 1, 2);
	assert_memory_equal(central, ((uint32_t[2]){OSSA_NONE, 1}), 2 * sizeof *central);
	ossai_symmetry_renumber(NULL, 0, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(evidence_is_that_of_mirrored_poses),
		cmocka_unit_test(mirrored_motion_moves_mirrored_points),
		cmocka_unit_test(counterparts_share_weights),
		cmocka_unit_test(joints_are_images),
		cmocka_unit_test(images_follow_new_numbers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

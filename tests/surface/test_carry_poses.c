/* tests/surface/test_carry_poses.c: poses of one shape for another: the same shape gets the poses
   themselves, a larger one larger poses, however both stand. */
#include "surface/carry_poses.h"

#include "samples/samples.h"
#include "support/compare.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

/* the largest distance between poses, as shares of the diagonal, each about its centroid; those of
   the first `scale` times as large */
static double farthest(const ossa_frames *a, double scale, const float *b, double diagonal)
{
	double most = 0;
	for (size_t k = 0; k < a->frame_count; k++) {
		ossai_vec3 mean[2] = {{0, 0, 0}, {0, 0, 0}};
		const float *p = a->positions + 3 * k * a->vertex_count, *q = b + 3 * k * a->vertex_count;
		for (size_t v = 0; v < a->vertex_count; v++) {
			mean[0] = ossai_madd(mean[0], 1 / (double)a->vertex_count, ossai_v3_of_float(p + 3 * v));
			mean[1] = ossai_madd(mean[1], 1 / (double)a->vertex_count, ossai_v3_of_float(q + 3 * v));
		}
		for (size_t v = 0; v < a->vertex_count; v++) {
			const ossai_vec3 own = ossai_scale(ossai_sub(ossai_v3_of_float(p + 3 * v), mean[0]), scale);
			most = fmax(most, ossai_distance(own, ossai_sub(ossai_v3_of_float(q + 3 * v), mean[1])));
		}
	}
	return most / diagonal;
}

/* carries the poses of a sample to its rest, `scale` times as large and turned about z */
static double carried(int kind, double scale, double angle)
{
	ossa_context *context = test_context(2);
	ossa_sample *sample = test_sample_of_kind(context, kind, 1500, 11);
	ossai_arena arena = ossai_arena_begin(context);
	const size_t vertices = sample->rig->mesh->vertex_count;
	ossai_posed_surface from, to;
	ossa_mesh *other;
	assert_ok(context, ossa_mesh_copy(context, sample->rig->mesh, &other));
	for (size_t v = 0; v < vertices; v++) {
		float *p = other->positions + 3 * v;
		const double x = (double)p[0], y = (double)p[1];
		p[0] = (float)(scale * (cos(angle) * x - sin(angle) * y));
		p[1] = (float)(scale * (sin(angle) * x + cos(angle) * y));
		p[2] = (float)(scale * (double)p[2]);
	}
	assert_ok(context, ossai_posed_surface_make(context, &arena, sample->rig->mesh, sample->frames, true, &from));
	assert_ok(context, ossai_posed_surface_make(context, &arena, other, NULL, true, &to));
	/* as characters are: both are in sizes of their own */
	float *positions = ossai_arena_new(&arena, vertices, 11 * 3 * sizeof *positions);
	assert_ok(context, ossai_carry_poses(context, &from, &to, positions));
	const double most = farthest(sample->frames, scale, positions, to.scale);
	ossai_arena_end(&arena);
	ossa_mesh_free(context, other);
	ossa_sample_free(context, sample);
	test_context_end(context);
	return most;
}

static void the_same_shape_gets_the_poses_themselves(void **state)
{
	(void)state;
	assert_true(carried(OSSA_SAMPLE_BIPED, 1, 0) < 1e-5);
	/* pieces that slide against each other */
	assert_true(carried(OSSA_SAMPLE_PIECES, 1, 0) < 1e-5);
}

static void size_and_place_of_the_rest_do_not_matter(void **state)
{
	(void)state;
	assert_true(carried(OSSA_SAMPLE_BIPED, 40, 0) < 1e-5);
}

static void a_turned_rest_takes_the_same_poses(void **state)
{
	(void)state;
	assert_true(carried(OSSA_SAMPLE_BIPED, 1, 1.6) < 1e-5);
	assert_true(carried(OSSA_SAMPLE_BIPED, 3, 0.7) < 1e-5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_same_shape_gets_the_poses_themselves),
		cmocka_unit_test(size_and_place_of_the_rest_do_not_matter), cmocka_unit_test(a_turned_rest_takes_the_same_poses)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

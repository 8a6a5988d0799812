/* tests/query/test_inside.c: which points a mesh encloses, some of its faces turned over. */
#include "query/inside.h"
#include "support/still.h"
#include "support/support.h"

#include <string.h>

enum { FACES = 2000, POINTS = 200 };

/* every third face turned over */
static void turn_some(ossa_mesh *mesh)
{
	for (size_t f = 0; f < mesh->triangle_count; f += 3) {
		uint32_t *t = mesh->triangles + 3 * f;
		const uint32_t second = t[1];
		t[1] = t[2];
		t[2] = second;
	}
}

/* half way from vertices to the joint of the trunk: most are inside of it */
static void place_points(const ossa_sample *sample, double *points)
{
	const ossa_mesh *mesh = sample->rig->mesh;
	for (size_t i = 0; i < POINTS; i++) {
		const float *p = mesh->positions + 3 * (i * mesh->vertex_count / POINTS);
		for (int k = 0; k < 3; k++) points[3 * i + (size_t)k] = 0.5 * (p[k] + sample->rig->skeleton.bones[0].joint[k]);
	}
}

static void turned_faces_change_no_side(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_QUADRUPED, FACES);
	double points[3 * POINTS];
	uint8_t wanted[POINTS], found[POINTS];
	size_t inside = 0;
	place_points(sample, points);
	const ossai_mesh_view mesh = ossai_view_of_mesh(sample->rig->mesh);
	assert_ok(context, ossai_find_inside(context, &mesh, POINTS, points, wanted));
	for (int i = 0; i < POINTS; i++) inside += wanted[i];
	assert_true(inside > 20 && inside < POINTS - 20);
	turn_some(sample->rig->mesh);
	assert_ok(context, ossai_find_inside(context, &mesh, POINTS, points, found));
	assert_memory_equal(found, wanted, sizeof wanted);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void consistent_meshes_stay_as_they_are(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_PIECES, FACES);
	const ossai_mesh_view mesh = ossai_view_of_mesh(sample->rig->mesh);
	ossai_mesh_view consistent;
	assert_ok(context, ossai_consistent_view(&arena, &mesh, &consistent));
	assert_ptr_equal(consistent.triangles, mesh.triangles);
	/* all faces turned over are consistent, too */
	ossa_mesh *inward = test_mesh_inside_out(context, sample->rig->mesh);
	const ossai_mesh_view other = ossai_view_of_mesh(inward);
	assert_ok(context, ossai_consistent_view(&arena, &other, &consistent));
	assert_ptr_equal(consistent.triangles, other.triangles);
	turn_some(sample->rig->mesh);
	assert_ok(context, ossai_consistent_view(&arena, &mesh, &consistent));
	assert_ptr_not_equal(consistent.triangles, mesh.triangles);
	assert_int_equal(consistent.face_count, mesh.face_count);
	ossa_mesh_free(context, inward);
	ossa_sample_free(context, sample);
	ossai_arena_end(&arena);
	test_context_end(context);
}

static ossa_status sweep_inside(ossa_context *context, void *arg)
{
	const ossai_mesh_view mesh = ossai_view_of_mesh(arg);
	const double points[] = {100, 0, 0};
	uint8_t inside;
	return ossai_find_inside(context, &mesh, 1, points, &inside);
}

static void memory_may_fail_anywhere(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_TUBE, 1000);
	turn_some(sample->rig->mesh);
	assert_true(test_allocation_sweep(sweep_inside, sample->rig->mesh, 100, 1) > 5);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(turned_faces_change_no_side),
		cmocka_unit_test(consistent_meshes_stay_as_they_are), cmocka_unit_test(memory_may_fail_anywhere)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

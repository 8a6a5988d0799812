/* tests/methods/test_volume_stages.c: the stages of rigs from volumes for inspection, bad input,
   failing memory, cancelled work. */
#include "support/still.h"
#include "support/support.h"

#include <ossa/volume_stages.h>

#include <stdio.h>
#include <string.h>

enum { FACES = 4000 };

/* ---- the stages ---- */

static void the_stages_tell_what_they_see(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_OCTOPUS, FACES);
	ossa_volume_stages s;
	assert_ok(context, ossa_volume_stages_make(context, sample->rig->mesh, NULL, &s));
	assert_in_range(s.interior_count, 20000, 200000);
	assert_in_range(s.path_count, 8, 14);
	assert_true(s.extreme_count >= s.path_count);
	assert_true(s.medial_count < s.interior_count);
	assert_in_range(s.segment_count, 16, s.node_count - 1);
	assert_int_equal(s.part_count, 1);
	for (size_t i = 1; i < s.node_count; i++) assert_true(s.parents[i] < i);
	for (size_t i = 0; i < 2 * s.segment_count; i++) assert_true(s.segments[i] < s.node_count);
	assert_ok(context, ossa_volume_stages_write(context, &s, test_folder()));
	static char text[1 << 20];
	text[test_read_bytes(test_path("segments.obj"), text, sizeof text - 1)] = 0;
	size_t lines = 0;
	for (const char *at = strstr(text, "\nl "); at; at = strstr(at + 1, "\nl ")) lines++;
	assert_int_equal(lines, s.segment_count);
	ossa_mesh *mesh;
	assert_fails(context, ossa_read_mesh(context, test_path("medial.ply"), NULL, &mesh), OSSA_ERROR_INPUT, NULL);
	assert_fails(context, ossa_volume_stages_write(context, &s, "/nowhere/at/all"), OSSA_ERROR_WRITE, "/nowhere/at/all");
	ossa_volume_stages_free(context, &s);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- bad input ---- */

static void what_has_no_surface_is_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const float point[] = {1, 2, 3, 1, 2, 3, 1, 2, 3}, line[] = {0, 0, 0, 1, 1, 1, 2, 2, 2};
	const uint32_t face[] = {0, 1, 2};
	ossa_mesh *mesh;
	ossa_rig *rig;
	assert_ok(context, ossa_mesh_create(context, 3, point, 1, face, &mesh));
	assert_fails(context, ossa_rig_from_volume(context, mesh, NULL, &rig), OSSA_ERROR_INPUT, "one point");
	assert_null(rig);
	ossa_mesh_free(context, mesh);
	assert_ok(context, ossa_mesh_create(context, 3, line, 1, face, &mesh));
	assert_fails(context, ossa_rig_from_volume(context, mesh, NULL, &rig), OSSA_ERROR_INPUT, NULL);
	ossa_volume_options options = ossa_volume_default();
	options.weights = OSSA_WEIGHTS_LEAST_SQUARES;
	assert_fails(context, ossa_rig_from_volume(context, mesh, &options, &rig), OSSA_ERROR_ARGUMENT, "least squares");
	options = ossa_volume_default();
	options.closeness = 0;
	assert_fails(context, ossa_rig_from_volume(context, mesh, &options, &rig), OSSA_ERROR_ARGUMENT, "closeness");
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* a rig and a coarser level of it */
static ossa_status make_and_free(ossa_context *context, const ossa_mesh *mesh, int refine)
{
	ossa_rig *rig, *coarser;
	ossa_volume_options options = ossa_volume_default();
	options.levels = 2;
	options.voxel_size = 0.04;
	options.refine = refine;
	ossa_status status = ossa_rig_from_volume(context, mesh, &options, &rig);
	if (status != OSSA_OK) {
		assert_null(rig);
		return status;
	}
	status = ossa_rig_of_level(context, rig, 1, &coarser);
	if (status == OSSA_OK) ossa_rig_free(context, coarser);
	else assert_null(coarser);
	ossa_rig_free(context, rig);
	return status;
}

static ossa_status sweep_refined(ossa_context *context, void *mesh) { return make_and_free(context, mesh, 1); }

static ossa_status sweep_paper(ossa_context *context, void *mesh) { return make_and_free(context, mesh, 0); }

static ossa_status sweep_stages(ossa_context *context, void *mesh)
{
	ossa_volume_stages stages;
	ossa_volume_options options = ossa_volume_default();
	options.voxel_size = 0.04;
	const ossa_status status = ossa_volume_stages_make(context, mesh, &options, &stages);
	if (status != OSSA_OK) assert_null(stages.voxels);
	ossa_volume_stages_free(context, &stages);
	return status;
}

static void memory_may_fail_anywhere(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_TUBE, 1000);
	assert_true(test_allocation_sweep(sweep_refined, sample->rig->mesh, 20, 79) > 200);
	assert_true(test_allocation_sweep(sweep_paper, sample->rig->mesh, 20, 7) > 50);
	assert_true(test_allocation_sweep(sweep_stages, sample->rig->mesh, 20, 7) > 20);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void it_can_be_stopped(void **state)
{
	(void)state;
	ossa_context_options options = ossa_context_default();
	options.progress = test_stop_midway;
	ossa_context *context;
	assert_int_equal(ossa_context_create(&options, &context), OSSA_OK);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_TUBE, 1000);
	ossa_rig *rig;
	assert_fails(context, ossa_rig_from_volume(context, sample->rig->mesh, NULL, &rig), OSSA_ERROR_CANCELLED, NULL);
	assert_null(rig);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_stages_tell_what_they_see),
		cmocka_unit_test(what_has_no_surface_is_refused), cmocka_unit_test(memory_may_fail_anywhere),
		cmocka_unit_test(it_can_be_stopped)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

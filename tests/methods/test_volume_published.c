/* tests/methods/test_volume_published.c: volumes as published (--refine 0): segments, closeness,
   anchors, and what is said where the paper defines nothing. The stages are held against the
   paper's formulas by tests/oracles/volume.py. */
#include "samples/samples.h"
#include "support/shapes.h"
#include "support/support.h"

#include <ossa/volume_stages.h>

#include <stdlib.h>
#include <string.h>

static ossa_volume_options published(void)
{
	ossa_volume_options options = ossa_volume_default();
	options.refine = 0;
	options.voxel_size = 0.02;
	return options;
}

static ossa_sample *sample_of(ossa_context *context, int kind)
{
	ossa_sample_options options = ossa_sample_default();
	options.kind = kind;
	options.faces = 3000;
	ossa_sample *sample = NULL;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	return sample;
}

/* how often the warning was counted in a run; 0: not at all */
static int64_t count_on(const ossa_mesh *mesh, const ossa_volume_options *options, const char *code)
{
	ossa_context *context = test_context(1);
	ossa_rig *rig = NULL;
	assert_ok(context, ossa_rig_from_volume(context, mesh, options, &rig));
	assert_ok(context, ossa_rig_validate(context, rig));
	int64_t count = 0;
	for (size_t i = 0; i < ossa_context_warning_count(context); i++) {
		const ossa_warning *warning = ossa_context_warning(context, i);
		if (strcmp(warning->code, code) == 0) count += warning->count;
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
	return count;
}

static int64_t count_of(int kind, const ossa_volume_options *options, const char *code)
{
	ossa_context *context = test_context(1);
	ossa_sample *sample = sample_of(context, kind);
	const int64_t count = count_on(sample->rig->mesh, options, code);
	ossa_sample_free(context, sample);
	test_context_end(context);
	return count;
}

/* ---- stages ---- */

static size_t paths_at(const ossa_mesh *mesh, double closeness)
{
	ossa_context *context = test_context(1);
	ossa_volume_options options = published();
	options.voxel_size = 0.01;
	options.closeness = closeness;
	ossa_volume_stages s;
	assert_ok(context, ossa_volume_stages_make(context, mesh, &options, &s));
	const size_t count = s.path_count;
	/* one end more than extensions, however close */
	assert_true(s.extreme_count > count);
	ossa_volume_stages_free(context, &s);
	test_context_end(context);
	return count;
}

static void finer_closeness_makes_more_paths(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = sample_of(context, OSSA_SAMPLE_QUADRUPED);
	const ossa_mesh *mesh = sample->rig->mesh;
	assert_int_equal(paths_at(mesh, 0.3), 5);
	assert_in_range(paths_at(mesh, 0.1), 5, 8);
	assert_true(paths_at(mesh, 0.05) > paths_at(mesh, 0.1));
	assert_true(paths_at(mesh, 0.01) > 2 * paths_at(mesh, 0.1));
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void segments_are_as_many_at_any_size(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = sample_of(context, OSSA_SAMPLE_QUADRUPED);
	const double sizes[3] = {0.02, 0.01, 0.005};
	for (int i = 0; i < 3; i++) {
		ossa_volume_options options = published();
		ossa_volume_stages s;
		options.voxel_size = sizes[i];
		assert_ok(context, ossa_volume_stages_make(context, sample->rig->mesh, &options, &s));
		assert_in_range(s.segment_count, 30, 42);
		ossa_volume_stages_free(context, &s);
	}
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* every voxel has a set, of segments in rising order, and no set is there twice or unused */
static void every_voxel_has_anchors(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = sample_of(context, OSSA_SAMPLE_OCTOPUS);
	const ossa_volume_options options = published();
	ossa_volume_stages s;
	assert_ok(context, ossa_volume_stages_make(context, sample->rig->mesh, &options, &s));
	uint32_t next = 0;
	for (size_t i = 0; i < s.interior_count; i++) {
		assert_true(s.anchors[i] <= next);
		next += s.anchors[i] == next;
	}
	assert_int_equal(next, s.set_count);
	for (size_t a = 0; a < s.set_count; a++) {
		assert_true(s.set_starts[a] < s.set_starts[a + 1]);
		for (uint32_t i = s.set_starts[a]; i < s.set_starts[a + 1]; i++) {
			assert_true(s.set_segments[i] < s.segment_count);
			assert_true(i == s.set_starts[a] || s.set_segments[i - 1] < s.set_segments[i]);
		}
	}
	ossa_volume_stages_free(context, &s);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static int influences_of(const ossa_mesh *mesh, int influences)
{
	ossa_context *context = test_context(1);
	ossa_volume_options options = published();
	ossa_rig *rig;
	options.influences = influences;
	assert_ok(context, ossa_rig_from_volume(context, mesh, &options, &rig));
	const int most = rig->weights.influences;
	ossa_rig_free(context, rig);
	test_context_end(context);
	return most;
}

static void all_anchors_are_kept(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = sample_of(context, OSSA_SAMPLE_OCTOPUS);
	assert_true(influences_of(sample->rig->mesh, 0) > 4);
	assert_int_equal(influences_of(sample->rig->mesh, 3), 3);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- what the paper does not define ---- */

static void what_the_paper_defines_goes_without_saying(void **state)
{
	(void)state;
	static const char *const codes[] = {"paper-options", "paper-pieces", "paper-surface", "paper-segments"};
	const ossa_volume_options options = published();
	for (size_t i = 0; i < 4; i++) assert_int_equal(count_of(OSSA_SAMPLE_QUADRUPED, &options, codes[i]), 0);
}

static void options_that_are_not_the_papers_are_reported(void **state)
{
	(void)state;
	ossa_volume_options options = published();
	options.closeness = 0.05;
	assert_int_equal(count_of(OSSA_SAMPLE_TUBE, &options, "paper-options"), 0);
	options.closeness = 0.04;
	assert_int_equal(count_of(OSSA_SAMPLE_TUBE, &options, "paper-options"), 1);
	options.levels = 2;
	options.influences = 4;
	assert_int_equal(count_of(OSSA_SAMPLE_TUBE, &options, "paper-options"), 3);
	options.root.kind = OSSA_ROOT_LOWEST;
	options.max_fraction = 2;
	assert_int_equal(count_of(OSSA_SAMPLE_TUBE, &options, "paper-options"), 5);
	options.weights = OSSA_WEIGHTS_HEAT; /* of which the paper says no number of influences */
	assert_int_equal(count_of(OSSA_SAMPLE_TUBE, &options, "paper-options"), 5);
	options.refine = 1;
	assert_int_equal(count_of(OSSA_SAMPLE_TUBE, &options, "paper-options"), 0);
}

static void open_surfaces_are_reported(void **state)
{
	(void)state;
	ossa_volume_options options = published();
	assert_int_equal(count_of(OSSA_SAMPLE_OPEN, &options, "paper-surface"), 1);
	options.refine = 1;
	assert_int_equal(count_of(OSSA_SAMPLE_OPEN, &options, "paper-surface"), 0);
}

static ossa_mesh *mesh_of(ossa_context *context, const test_shape *shape)
{
	ossa_mesh *mesh = NULL;
	assert_ok(
		context, ossa_mesh_create(context, shape->vertex_count, shape->positions, shape->face_count, shape->triangles, &mesh));
	return mesh;
}

/* two boxes; a ball, whose medial surface is one voxel */
static void parts_and_points_are_reported(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	test_shape *boxes = test_shape_new(), *round = test_shape_new();
	const ossa_volume_options options = published();
	test_shape_box(boxes, ossai_v3(0, 0, 0), ossai_v3(3, 1, 1), true);
	ossa_mesh *one = mesh_of(context, boxes);
	test_shape_box(boxes, ossai_v3(5, 0, 0), ossai_v3(6, 1, 1), true);
	ossa_mesh *two = mesh_of(context, boxes);
	test_shape_ball(round, ossai_v3(0, 0, 0), 1, 20, INFINITY);
	ossa_mesh *ball = mesh_of(context, round);
	assert_int_equal(count_on(one, &options, "paper-pieces"), 0);
	assert_int_equal(count_on(one, &options, "paper-segments"), 0);
	assert_int_equal(count_on(two, &options, "paper-pieces"), 2);
	assert_int_equal(count_on(ball, &options, "paper-segments"), 1);
	ossa_mesh_free(context, one);
	ossa_mesh_free(context, two);
	ossa_mesh_free(context, ball);
	free(boxes);
	free(round);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(finer_closeness_makes_more_paths),
		cmocka_unit_test(segments_are_as_many_at_any_size), cmocka_unit_test(every_voxel_has_anchors),
		cmocka_unit_test(all_anchors_are_kept), cmocka_unit_test(what_the_paper_defines_goes_without_saying),
		cmocka_unit_test(options_that_are_not_the_papers_are_reported), cmocka_unit_test(open_surfaces_are_reported),
		cmocka_unit_test(parts_and_points_are_reported)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

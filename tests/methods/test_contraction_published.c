/* tests/methods/test_contraction_published.c: contraction as M. Madaras prints it: its stages for
   inspection, what its paper does not define, bad input, failing memory. */
#include "support/still.h"
#include "support/support.h"

#include <ossa/contraction_stages.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FACES = 4000 };

static ossa_contraction_options published(void)
{
	ossa_contraction_options options = ossa_contraction_default();
	options.refine = 0;
	return options;
}

/* how often a warning of this code was given for a rig with these options */
static int64_t warned_of(
	ossa_context *context, const ossa_mesh *mesh, const ossa_contraction_options *options, const char *code)
{
	ossa_rig *rig;
	ossa_context_reset(context);
	assert_ok(context, ossa_rig_from_contraction(context, mesh, options, &rig));
	ossa_rig_free(context, rig);
	return test_warned(context, code);
}

/* ---- the stages ---- */

static void the_stages_are_those_of_the_paper(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_QUADRUPED, FACES);
	ossa_contraction_stages s;
	assert_ok(context, ossa_contraction_stages_make(context, sample->rig->mesh, NULL, &s));
	assert_int_equal(s.piece_count, 1);
	assert_int_equal(s.join_count + s.split_count, 0);
	assert_int_equal(s.point_count, 24);
	assert_int_equal(s.curve_count, 23);
	assert_true(s.step_count > 4 && s.pulls[0] == 0 && s.pulls[1] > 0);
	for (size_t i = 2; i <= s.step_count; i++) {
		assert_near(s.pulls[i], 2 * s.pulls[i - 1], 1e-12 * s.pulls[i]);
		assert_true(s.area_shares[i] < s.area_shares[i - 1]);
	}
	assert_true(fabs(s.volume_shares[s.step_count]) <= 1e-6);
	for (size_t v = 0; v < s.vertex_count; v++) assert_true(s.graph_points[v] < s.point_count);
	for (size_t i = 0; i < s.point_count; i++) assert_true(s.volumes[i] <= s.volumes[s.root]);
	ossa_contraction_stages_free(context, &s);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static size_t count_lines(const char *path, const char *begin)
{
	static char text[1 << 20];
	size_t lines = 0;
	text[test_read_bytes(path, text, sizeof text - 1)] = 0;
	for (const char *at = strstr(text, begin); at; at = strstr(at + 1, begin)) lines++;
	return lines;
}

/* every step is a mesh that can be read again */
static void the_stages_are_written(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_PIECES, 2000);
	ossa_contraction_stages s;
	assert_ok(context, ossa_contraction_stages_make(context, sample->rig->mesh, NULL, &s));
	assert_true(s.piece_count > 1 && s.join_count + 1 >= s.piece_count);
	assert_int_equal(test_warned(context, "paper-pieces"), s.piece_count);
	assert_ok(context, ossa_contraction_stages_write(context, &s, test_folder()));
	assert_int_equal(count_lines(test_path("graph.obj"), "\nl "), s.join_count);
	assert_int_equal(count_lines(test_path("curve.obj"), "\nl "), s.curve_count + s.cut_count);
	for (size_t step = 0; step <= s.step_count; step++) {
		char name[32];
		ossa_mesh *mesh;
		snprintf(name, sizeof name, step ? "step-%02zu.obj" : "graph.obj", step);
		assert_ok(context, ossa_read_mesh(context, test_path(name), NULL, &mesh));
		assert_int_equal(mesh->vertex_count, s.vertex_count);
		assert_int_equal(mesh->polygon_count, s.face_count);
		ossa_mesh_free(context, mesh);
	}
	assert_fails(context, ossa_contraction_stages_write(context, &s, "/nowhere/at/all"), OSSA_ERROR_WRITE, "/nowhere/at/all");
	ossa_contraction_stages_free(context, &s);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- what the paper does not define ---- */

static void options_beyond_the_paper_are_named(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_QUADRUPED, 2000);
	const ossa_mesh *mesh = sample->rig->mesh;
	ossa_contraction_options options = published();
	assert_int_equal(warned_of(context, mesh, &options, "paper-options"), 0);
	assert_int_equal(warned_of(context, mesh, &options, "paper-surface"), 0);
	options.flow = OSSA_FLOW_IMPLICIT;
	options.growth = 1;
	options.steps = 3;
	options.center = false;
	options.weights = OSSA_WEIGHTS_HEAT;
	options.proxy = OSSA_PROXY_SURFACE;
	assert_int_equal(warned_of(context, mesh, &options, "paper-options"), 5);
	/* three steps leave some volume */
	assert_int_equal(test_warned(context, "paper-contraction"), 1);
	assert_non_null(strstr(test_warning_text(context, "paper-contraction"), "all steps are used"));
	options = ossa_contraction_default();
	options.flow = OSSA_FLOW_LEAST_SQUARES;
	assert_int_equal(warned_of(context, mesh, &options, "paper-options"), 0);
	options.growth = 0.5;
	ossa_rig *rig;
	assert_fails(context, ossa_rig_from_contraction(context, mesh, &options, &rig), OSSA_ERROR_ARGUMENT, "must not shrink");
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void surfaces_beyond_the_paper_are_named(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	const ossa_contraction_options options = published();
	ossa_sample *open = test_sample(context, OSSA_SAMPLE_OPEN, 2000);
	assert_int_equal(warned_of(context, open->rig->mesh, &options, "paper-surface"), 1);
	assert_int_equal(test_warned(context, "paper-pieces"), 0);
	ossa_sample_free(context, open);
	ossa_sample *pieces = test_sample(context, OSSA_SAMPLE_PIECES, 2000);
	assert_true(warned_of(context, pieces->rig->mesh, &options, "paper-pieces") > 1);
	ossa_contraction_options refined = ossa_contraction_default();
	assert_int_equal(warned_of(context, pieces->rig->mesh, &refined, "paper-pieces"), 0);
	ossa_sample_free(context, pieces);
	test_context_end(context);
}

static void splitting_says_what_it_cannot(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_QUADRUPED, 2000);
	ossa_contraction_options options = published();
	ossa_rig *rig;
	options.split = 100;
	assert_fails(
		context, ossa_rig_from_contraction(context, sample->rig->mesh, &options, &rig), OSSA_ERROR_INPUT, "none would be left");
	options.split = -1;
	assert_int_equal(warned_of(context, sample->rig->mesh, &options, "paper-split"), 0);
	options.refine = 1;
	assert_int_equal(warned_of(context, sample->rig->mesh, &options, "unused-options"), 1);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- failing memory ---- */

static ossa_status sweep_stages(ossa_context *context, void *mesh)
{
	ossa_contraction_stages stages;
	ossa_contraction_options options = ossa_contraction_default();
	options.split = -1;
	options.steps = 3;
	const ossa_status status = ossa_contraction_stages_make(context, mesh, &options, &stages);
	if (status != OSSA_OK) assert_null(stages.positions);
	ossa_contraction_stages_free(context, &stages);
	return status;
}

static void memory_may_fail_anywhere(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_PIECES, 1000);
	assert_true(test_allocation_sweep(sweep_stages, sample->rig->mesh, 20, 7) > 20);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_stages_are_those_of_the_paper),
		cmocka_unit_test(the_stages_are_written), cmocka_unit_test(options_beyond_the_paper_are_named),
		cmocka_unit_test(surfaces_beyond_the_paper_are_named), cmocka_unit_test(splitting_says_what_it_cannot),
		cmocka_unit_test(memory_may_fail_anywhere)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

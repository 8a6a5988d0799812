/* tests/methods/test_examples_published.c: example poses as published (--refine 0): the root, and
   what is said where the paper defines nothing. The figures are held against the paper's formulas
   by tests/judge/judge_examples. */
#include "parts/part_centers.h"
#include "samples/samples.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <string.h>

static ossa_sample *sample_of(ossa_context *context, int kind, int frames)
{
	ossa_sample_options options = ossa_sample_default();
	options.kind = kind;
	options.faces = 1500;
	options.frames = frames;
	ossa_sample *sample = NULL;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	return sample;
}

/* how often the warning was counted in a run; 0: not at all */
static int64_t count_of(int kind, int frames, const ossa_examples_options *options, const char *code)
{
	ossa_context *context = test_context(1);
	ossa_sample *sample = sample_of(context, kind, frames);
	ossa_rig *rig = NULL;
	assert_ok(context, ossa_rig_from_examples(context, sample->rig->mesh, sample->frames, options, &rig));
	assert_ok(context, ossa_rig_validate(context, rig));
	int64_t count = 0;
	for (size_t i = 0; i < ossa_context_warning_count(context); i++) {
		const ossa_warning *warning = ossa_context_warning(context, i);
		if (strcmp(warning->code, code) == 0) count += warning->count;
	}
	ossa_rig_free(context, rig);
	ossa_sample_free(context, sample);
	test_context_end(context);
	return count;
}

static ossa_examples_options published(int bones)
{
	ossa_examples_options options = ossa_examples_default();
	options.bones = bones;
	options.refine = 0;
	return options;
}

static void what_the_paper_defines_goes_without_saying(void **state)
{
	(void)state;
	static const char *const codes[] = {"paper-options", "paper-pieces", "paper-weights", "paper-joints"};
	const ossa_examples_options options = published(10);
	for (size_t i = 0; i < 4; i++) assert_int_equal(count_of(OSSA_SAMPLE_QUADRUPED, 5, &options, codes[i]), 0);
}

/* 3 equations a pose */
static void fewer_equations_than_bones_are_reported(void **state)
{
	(void)state;
	ossa_examples_options options = published(6);
	assert_int_equal(count_of(OSSA_SAMPLE_QUADRUPED, 2, &options, "paper-weights"), 0);
	options.bones = 7;
	assert_int_equal(count_of(OSSA_SAMPLE_QUADRUPED, 2, &options, "paper-weights"), 1);
	options.refine = 3;
	assert_int_equal(count_of(OSSA_SAMPLE_QUADRUPED, 2, &options, "paper-weights"), 0);
}

/* the elimination begins with 64 bones at most */
static void more_bones_than_the_elimination_takes_are_reported(void **state)
{
	(void)state;
	ossa_examples_options options = published(64);
	assert_int_equal(count_of(OSSA_SAMPLE_QUADRUPED, 22, &options, "paper-weights"), 0);
	options.bones = 65;
	assert_int_equal(count_of(OSSA_SAMPLE_QUADRUPED, 22, &options, "paper-weights"), 1);
}

static void options_that_are_not_the_papers_are_reported(void **state)
{
	(void)state;
	ossa_examples_options options = published(8);
	options.influences = 4;
	assert_int_equal(count_of(OSSA_SAMPLE_TUBE, 5, &options, "paper-options"), 0);
	options.influences = 5;
	assert_int_equal(count_of(OSSA_SAMPLE_TUBE, 5, &options, "paper-options"), 1);
	options.local = false;
	assert_int_equal(count_of(OSSA_SAMPLE_TUBE, 5, &options, "paper-options"), 2);
	options.weights = OSSA_WEIGHTS_HEAT;
	assert_int_equal(count_of(OSSA_SAMPLE_TUBE, 5, &options, "paper-options"), 3);
}

static void several_pieces_are_reported(void **state)
{
	(void)state;
	ossa_examples_options options = published(12);
	assert_true(count_of(OSSA_SAMPLE_PIECES, 5, &options, "paper-pieces") > 1);
	options.link_pieces = false;
	assert_true(count_of(OSSA_SAMPLE_PIECES, 5, &options, "paper-pieces") > 1);
	/* pieces that nothing links share no vertex */
	assert_true(count_of(OSSA_SAMPLE_PIECES, 5, &options, "paper-joints") > 0);
}

/* a strip of 12 x 1 squares whose faces are in three parts by their place; the middle one is
   nearest */
static void part_in_the_middle_is_nearest(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 12, 1, 2);
	const size_t faces = t.s.face_count;
	uint32_t part[64];
	assert_true(faces <= 64);
	double low = INFINITY, high = -INFINITY;
	for (size_t v = 0; v < t.s.vertex_count; v++) {
		low = fmin(low, ossai_rest_point(&t.s, v).x);
		high = fmax(high, ossai_rest_point(&t.s, v).x);
	}
	for (size_t f = 0; f < faces; f++) {
		double x = 0;
		for (int k = 0; k < 3; k++) x += ossai_rest_point(&t.s, t.s.triangles[3 * f + k]).x / 3;
		const double share = (x - low) / (high - low);
		part[f] = share < 0.3 ? 0 : share < 0.6 ? 1 : 2;
	}
	/* the fourth has no face */
	const double *distance = ossai_part_distances(&t.arena, &t.s, 4, part);
	assert_non_null(distance);
	assert_true(distance[1] < distance[2] && distance[2] < distance[0] && isinf(distance[3]));
	test_surface_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_the_paper_defines_goes_without_saying),
		cmocka_unit_test(fewer_equations_than_bones_are_reported),
		cmocka_unit_test(more_bones_than_the_elimination_takes_are_reported),
		cmocka_unit_test(options_that_are_not_the_papers_are_reported),
		cmocka_unit_test(several_pieces_are_reported),
		cmocka_unit_test(part_in_the_middle_is_nearest),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

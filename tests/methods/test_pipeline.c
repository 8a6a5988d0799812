/* tests/methods/test_pipeline.c: stages are measured and can be cancelled; a failed pipeline leaves
   no rig. */
#include "methods/pipeline.h"
#include "support/support.h"

#include <ossa/ossa.h>
#include <string.h>

static const ossai_plan_step plan[] = {{"first", 1}, {"second", 3}, {NULL, 0}};

static ossa_status count_call(int *calls, ossa_status status)
{
	++*calls;
	return status;
}

static void stages_are_measured_by_name(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_pipeline pipeline;
	int calls = 0;
	ossai_pipeline_begin(context, plan, &pipeline);
	assert_int_equal(OSSAI_STAGE(context, "first", count_call(&calls, OSSA_OK)), OSSA_OK);
	assert_int_equal(OSSAI_STAGE(context, "second", count_call(&calls, OSSA_ERROR_INPUT)), OSSA_ERROR_INPUT);
	assert_int_equal(ossai_pipeline_end(&pipeline, OSSA_OK, NULL), OSSA_OK);
	assert_int_equal(calls, 2);
	assert_int_equal(ossa_context_stage_count(context), 2);
	assert_string_equal(ossa_context_stage(context, 0)->name, "first");
	assert_string_equal(ossa_context_stage(context, 1)->name, "second");
	test_context_end(context);
}

typedef struct listener {
	double fraction;
	const char *stop_at;
} listener;

static bool listen(void *user, const char *stage, double fraction)
{
	listener *l = user;
	l->fraction = fraction;
	return !l->stop_at || strcmp(stage, l->stop_at) != 0;
}

static void a_cancelled_stage_is_not_called(void **state)
{
	(void)state;
	listener heard = {.stop_at = "second"};
	ossa_context_options options = ossa_context_default();
	options.progress = listen;
	options.progress_user = &heard;
	ossa_context *context;
	assert_int_equal(ossa_context_create(&options, &context), OSSA_OK);
	ossai_pipeline pipeline;
	int calls = 0;
	ossai_pipeline_begin(context, plan, &pipeline);
	assert_int_equal(OSSAI_STAGE(context, "first", count_call(&calls, OSSA_OK)), OSSA_OK);
	assert_int_equal(OSSAI_STAGE(context, "second", count_call(&calls, OSSA_OK)), OSSA_ERROR_CANCELLED);
	assert_int_equal(calls, 1);
	/* the first is a quarter of the plan */
	assert_near(heard.fraction, 0.25, 1e-12);
	ossai_pipeline_end(&pipeline, OSSA_ERROR_CANCELLED, NULL);
	ossa_context_free(context);
}

static void a_failure_leaves_no_rig(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
	const uint32_t triangle[] = {0, 1, 2};
	ossa_mesh *mesh;
	assert_ok(context, ossa_mesh_create(context, 3, positions, 1, triangle, &mesh));
	for (int fails = 0; fails < 2; fails++) {
		ossai_pipeline pipeline;
		ossa_rig *rig;
		ossai_pipeline_begin(context, plan, &pipeline);
		assert_ok(context, ossa_rig_create(context, mesh, 1, 1, &rig));
		/* the arena ends with the pipeline: the context of the test would miss the block */
		assert_non_null(ossai_arena_new(&pipeline.arena, 100, 8));
		const ossa_status status = fails ? OSSA_ERROR_LIMIT : OSSA_OK;
		assert_int_equal(ossai_pipeline_end(&pipeline, status, &rig), status);
		assert_int_equal(rig == NULL, fails);
		ossa_rig_free(context, rig);
	}
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(stages_are_measured_by_name),
		cmocka_unit_test(a_cancelled_stage_is_not_called), cmocka_unit_test(a_failure_leaves_no_rig)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

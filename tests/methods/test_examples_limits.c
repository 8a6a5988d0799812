/* tests/methods/test_examples_limits.c: the method of example poses cancelled at each call of its
   progress function, without memory, and with a limit of it. */
#include "support/examples.h"
#include "support/support.h"

/* What a progress function saw, and after how many calls it stops the work. */
typedef struct watch {
	size_t calls, stop_at;
	double last;
	bool fell;
} watch;

static bool see_progress(void *user, const char *stage, double fraction)
{
	watch *w = user;
	w->fell |= !(fraction >= w->last && fraction <= 1) || !stage[0];
	w->last = fraction;
	return ++w->calls != w->stop_at;
}

static ossa_context *watched_context(watch *w)
{
	ossa_context_options options = ossa_context_default();
	options.threads = 1;
	options.progress = see_progress;
	options.progress_user = w;
	ossa_context *context;
	assert_int_equal(ossa_context_create(&options, &context), OSSA_OK);
	return context;
}

static void every_progress_call_can_cancel(void **state)
{
	(void)state;
	ossa_context *maker = test_context(1);
	ossa_sample *sample = test_examples_sample(maker, OSSA_SAMPLE_TUBE, 1000, 3, 1);
	watch w = {0};
	ossa_context *context = watched_context(&w);
	const ossa_examples_options options = test_examples_bones(6);
	ossa_rig *rig = test_examples_rig(context, sample->rig->mesh, sample->frames, &options);
	ossa_rig_free(context, rig);
	const size_t calls = w.calls;
	assert_false(w.fell);
	assert_true(calls > 20 && w.last > 0.8);
	for (size_t at = 1; at <= calls; at += at < 40 || test_is_long() ? 1 : 7) {
		w = (watch){.stop_at = at};
		ossa_context_reset(context);
		assert_fails(context, ossa_rig_from_examples(context, sample->rig->mesh, sample->frames, &options, &rig),
			OSSA_ERROR_CANCELLED, "stopped");
		assert_null(rig);
		assert_int_equal(ossa_context_bytes(context), 0);
		assert_int_equal(w.calls, at);
	}
	test_context_end(context);
	ossa_sample_free(maker, sample);
	test_context_end(maker);
}

/* what the sweep rigs: the sample's own context lends its mesh and frames */
typedef struct sweep {
	ossa_sample *sample;
	ossa_examples_options options;
} sweep;

static ossa_status rig_and_free(ossa_context *context, void *arg)
{
	const sweep *s = arg;
	ossa_rig *rig;
	const ossa_status status = ossa_rig_from_examples(context, s->sample->rig->mesh, s->sample->frames, &s->options, &rig);
	if (status != OSSA_OK) assert_null(rig);
	ossa_rig_free(context, rig);
	return status;
}

static void failing_allocations_leave_nothing(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	sweep s = {test_examples_sample(context, OSSA_SAMPLE_TUBE, 1000, 2, 1), test_examples_bones(4)};
	const size_t refined = test_allocation_sweep(rig_and_free, &s, 40, 13);
	s.options.refine = 0;
	s.options.lloyd = 1;
	const size_t plain = test_allocation_sweep(rig_and_free, &s, 40, 13);
	assert_true(refined > 50 && plain > 50);
	ossa_sample_free(context, s.sample);
	test_context_end(context);
}

static void memory_limits_are_kept(void **state)
{
	(void)state;
	ossa_context *maker = test_context(1);
	ossa_sample *sample = test_examples_quadruped(maker);
	const ossa_examples_options examples = test_examples_bones(10);
	ossa_rig *rig = test_examples_rig(maker, sample->rig->mesh, sample->frames, &examples);
	ossa_rig_free(maker, rig);
	for (size_t limit = 1000; limit < 100000000; limit *= 3) {
		ossa_context_options options = ossa_context_default();
		options.memory_limit = limit;
		ossa_context *context;
		assert_int_equal(ossa_context_create(&options, &context), OSSA_OK);
		const ossa_status status = ossa_rig_from_examples(context, sample->rig->mesh, sample->frames, &examples, &rig);
		assert_true(ossa_context_peak_bytes(context) <= limit);
		if (status != OSSA_OK) {
			assert_int_equal(status, OSSA_ERROR_LIMIT);
			assert_null(rig);
		}
		ossa_rig_free(context, rig);
		test_context_end(context);
	}
	ossa_sample_free(maker, sample);
	test_context_end(maker);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_progress_call_can_cancel),
		cmocka_unit_test(failing_allocations_leave_nothing),
		cmocka_unit_test(memory_limits_are_kept),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

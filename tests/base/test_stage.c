/* tests/base/test_stage.c: progress that never decreases, cancelling, and the cost of stages. */
#include "base/context.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

/* What the callback heard. */
typedef struct listener {
	int calls, stop_at; /* stops at this call; 0: never */
	double last, fell;  /* largest fall of the fraction */
	char stage[64];
} listener;

static bool listen(void *user, const char *stage, double fraction)
{
	listener *l = user;
	l->calls++;
	if (l->last - fraction > l->fell) l->fell = l->last - fraction;
	l->last = fraction;
	snprintf(l->stage, sizeof l->stage, "%s", stage);
	return l->calls != l->stop_at;
}

static ossa_context *listened_context(listener *l)
{
	ossa_context_options options = ossa_context_default();
	options.progress = listen;
	options.progress_user = l;
	options.threads = 1;
	ossa_context *context;
	assert_int_equal(ossa_context_create(&options, &context), OSSA_OK);
	return context;
}

/* equal items of a stage each have their share of its progress, and the next stage has its own */
static void parts_of_a_stage_follow_each_other(void **state)
{
	(void)state;
	listener l = {0};
	ossa_context *context = listened_context(&l);
	static const ossai_plan_step steps[] = {{"cut", 1}, {"sew", 1}};
	ossai_plan(context, steps, 2);
	ossai_stage_begin(context, "cut");
	for (int i = 0; i < 4; i++) {
		ossai_progress_part(context, i / 4.0, (i + 1) / 4.0);
		assert_ok(context, ossai_progress(context, 0.5));
		assert_near(l.last, (i + 0.5) / 8, 1e-12);
	}
	ossai_stage_end(context);
	ossai_stage_begin(context, "sew");
	assert_ok(context, ossai_progress(context, 0.5));
	assert_near(l.last, 0.75, 1e-12);
	ossai_stage_end(context);
	ossa_context_free(context);
}

static void planned_stages_are_one_rising_fraction(void **state)
{
	(void)state;
	listener l = {0};
	ossa_context *context = listened_context(&l);
	static const ossai_plan_step steps[] = {{"read", 1}, {"cluster", 2}, {"write", 1}};
	ossai_plan(context, steps, 3);
	ossai_stage_begin(context, "read");
	assert_ok(context, ossai_progress(context, 0.5));
	assert_near(l.last, 0.125, 1e-12);
	assert_string_equal(l.stage, "read");
	ossai_stage_end(context);
	ossai_stage_begin(context, "cluster");
	for (int i = 0; i <= 1000; i++) assert_ok(context, ossai_progress(context, i / 1000.0));
	assert_near(l.last, 0.75, 1e-12);
	/* a stage that starts over does not fall back */
	assert_ok(context, ossai_progress(context, 0));
	ossai_stage_end(context);
	ossai_stage_begin(context, "write");
	assert_ok(context, ossai_progress(context, 1));
	assert_near(l.last, 1, 1e-12);
	ossai_stage_end(context);
	assert_true(l.fell == 0);
	/* some hundred times at most, however often the stage reports */
	assert_true(l.calls > 100 && l.calls < 300);
	test_context_end(context);
}

static void a_plan_ends_with_a_reset(void **state)
{
	(void)state;
	listener l = {0};
	ossa_context *context = listened_context(&l);
	static const ossai_plan_step steps[] = {{"read", 1}, {"cluster", 3}};
	ossai_plan(context, steps, 2);
	ossai_stage_begin(context, "cluster");
	assert_ok(context, ossai_progress(context, 1));
	ossai_stage_end(context);
	ossa_context_reset(context);
	assert_int_equal(ossa_context_stage_count(context), 0);
	/* without a plan every stage goes from 0 to 1 */
	for (int i = 0; i < 2; i++) {
		ossai_stage_begin(context, i ? "b" : "a");
		assert_ok(context, ossai_progress(context, 0));
		assert_near(l.last, 0, 1e-12);
		assert_ok(context, ossai_progress(context, 0.5));
		assert_near(l.last, 0.5, 1e-12);
		ossai_stage_end(context);
	}
	test_context_end(context);
}

/* polling is no step: it is called every time, and the fraction does not change */
static void asking_reports_nothing_new(void **state)
{
	(void)state;
	listener l = {.stop_at = 5};
	ossa_context *context = listened_context(&l);
	static const ossai_plan_step steps[] = {{"cluster", 1}, {"write", 3}};
	ossai_plan(context, steps, 2);
	ossai_stage_begin(context, "cluster");
	assert_ok(context, ossai_progress(context, 0.5));
	for (int i = 0; i < 3; i++) {
		assert_ok(context, ossai_ask(context));
		assert_near(l.last, 0.125, 1e-12);
		assert_string_equal(l.stage, "cluster");
	}
	assert_int_equal(l.calls, 4);
	assert_fails(context, ossai_ask(context), OSSA_ERROR_CANCELLED, "during cluster");
	ossai_stage_end(context);
	test_context_end(context);
}

static void cancelling_is_an_error(void **state)
{
	(void)state;
	listener l = {.stop_at = 3};
	ossa_context *context = listened_context(&l);
	ossai_stage_begin(context, "cluster");
	int reports = 0;
	while (ossai_progress(context, reports / 10.0) == OSSA_OK) reports++;
	assert_int_equal(reports, 2);
	assert_fails(context, ossa_context_error(context)->status, OSSA_ERROR_CANCELLED, "during cluster");
	ossai_stage_end(context);
	test_context_end(context);
}

static const ossa_stage_cost *cost_of(const ossa_context *context, const char *name)
{
	for (size_t i = 0; i < ossa_context_stage_count(context); i++) {
		if (strcmp(ossa_context_stage(context, i)->name, name) == 0) return ossa_context_stage(context, i);
	}
	fail_msg("there is no stage %s", name);
	return NULL;
}

static void spin(double seconds)
{
	double wall, cpu, begin;
	ossa_context *context = test_context(1);
	ossai_run_seconds(context, &begin, &cpu);
	do ossai_run_seconds(context, &wall, &cpu);
	while (wall - begin < seconds);
	test_context_end(context);
}

static void costs_are_those_of_the_stage_alone(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (int i = 0; i < 2; i++) {
		ossai_stage_begin(context, "outer");
		void *small = ossa_alloc(context, 1000, 1);
		ossai_stage_begin(context, "inner");
		void *large = ossa_alloc(context, 5000, 1);
		spin(0.02);
		ossa_free(context, large);
		ossai_stage_end(context);
		ossa_free(context, small);
		ossai_stage_end(context);
	}
	ossai_stage_begin(context, "after");
	ossai_stage_end(context);
	ossai_stage_end(context); /* one too many is harmless */
	assert_int_equal(ossa_context_stage_count(context), 3);
	assert_true(cost_of(context, "inner")->wall_seconds >= 0.04);
	assert_true(cost_of(context, "outer")->wall_seconds < cost_of(context, "inner")->wall_seconds);
	assert_int_equal(cost_of(context, "inner")->peak_bytes, 6000);
	assert_int_equal(cost_of(context, "outer")->peak_bytes, 6000);
	assert_int_equal(cost_of(context, "after")->peak_bytes, 0);
	double wall, cpu;
	ossai_run_seconds(context, &wall, &cpu);
	assert_true(wall >= 0.04 && cpu >= 0);
	test_context_end(context);
}

static void too_many_and_too_deep_stages_are_harmless(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	char name[32];
	for (int i = 0; i < 100; i++) {
		snprintf(name, sizeof name, "stage-%d", i);
		ossai_stage_begin(context, name);
		if (i % 2) ossai_stage_end(context);
	}
	assert_ok(context, ossai_progress(context, 0.5));
	for (int i = 0; i < 60; i++) ossai_stage_end(context);
	assert_true(ossa_context_stage_count(context) <= 100);
	assert_null(ossa_context_stage(context, ossa_context_stage_count(context)));
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_of_a_stage_follow_each_other),
		cmocka_unit_test(planned_stages_are_one_rising_fraction),
		cmocka_unit_test(a_plan_ends_with_a_reset),
		cmocka_unit_test(asking_reports_nothing_new),
		cmocka_unit_test(cancelling_is_an_error),
		cmocka_unit_test(costs_are_those_of_the_stage_alone),
		cmocka_unit_test(too_many_and_too_deep_stages_are_harmless),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

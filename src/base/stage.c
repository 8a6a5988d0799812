/* base/stage.c: the cost of stages, the progress of a command, and whether the user wants to stop.

   Place in the path: below everything.
   Input: begin, progress, end.
   Output: the stage table, calls of the progress callback. */
#include "base/context_state.h"
#include "base/clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* the least progress of a stage between two calls of the callback */
static const double PROGRESS_STEP = 0.005;

void ossai_plan(ossa_context *context, const ossai_plan_step *steps, size_t count)
{
	context->plan = steps;
	context->plan_count = count;
	context->plan_total = context->plan_done = context->plan_share = 0;
	if (context->window_size == 0) context->reported = 0;
	for (size_t i = 0; i < count; i++) context->plan_total += steps[i].share;
}

void ossai_plan_window(ossa_context *context, double begin, double end)
{
	const bool is_inner = context->outer_size > 0;
	context->window_begin = is_inner ? context->outer_begin + context->outer_size * begin : begin;
	context->window_size = is_inner ? context->outer_size * (end - begin) : end - begin;
	if (context->window_begin == 0) context->reported = 0;
}

void ossai_plan_outer(ossa_context *context, double begin, double end)
{
	context->outer_begin = begin;
	context->outer_size = end - begin;
}

static size_t stage_index(ossa_context *context, const char *name)
{
	for (size_t i = 0; i < context->stage_count; i++) {
		if (strcmp(context->stages[i].name, name) == 0) return i;
	}
	if (context->stage_count == OSSAI_STAGES_MAX) return OSSAI_STAGES_MAX - 1;
	ossa_stage_cost *stage = &context->stages[context->stage_count];
	memset(stage, 0, sizeof *stage);
	snprintf(stage->name, sizeof stage->name, "%s", name);
	return context->stage_count++;
}

/* the shares of all steps before the one called `name` are done when it begins */
static void plan_enter(ossa_context *context, const char *name)
{
	double done = 0;
	for (size_t i = 0; i < context->plan_count; i++) {
		if (strcmp(context->plan[i].name, name) == 0) {
			context->plan_done = done;
			context->plan_share = context->plan[i].share;
			return;
		}
		done += context->plan[i].share;
	}
}

void ossai_stage_begin(ossa_context *context, const char *name)
{
	if (context->depth < OSSAI_STAGE_DEPTH_MAX) {
		ossai_running_stage *running = &context->running[context->depth];
		running->index = stage_index(context, name);
		running->wall_begin = ossai_wall_seconds();
		running->cpu_begin = ossai_context_cpu(context);
		running->wall_inner = running->cpu_inner = 0;
		running->peak_before = context->stage_peak;
		context->stage_peak = context->bytes;
		context->reported_of_stage = -1;
		ossai_progress_part(context, 0, 0);
		plan_enter(context, name);
	}
	context->depth++;
}

void ossai_stage_end(ossa_context *context)
{
	if (context->depth == 0) return;
	context->depth--;
	if (context->depth >= OSSAI_STAGE_DEPTH_MAX) return;
	const ossai_running_stage *running = &context->running[context->depth];
	ossa_stage_cost *stage = &context->stages[running->index];
	const double wall = ossai_wall_seconds() - running->wall_begin;
	const double cpu = ossai_context_cpu(context) - running->cpu_begin;
	stage->wall_seconds += wall - running->wall_inner;
	stage->cpu_seconds += cpu - running->cpu_inner;
	if (context->stage_peak > stage->peak_bytes) stage->peak_bytes = context->stage_peak;
	if (running->peak_before > context->stage_peak) context->stage_peak = running->peak_before;
	if (context->depth > 0) {
		ossai_running_stage *outer = &context->running[context->depth - 1];
		outer->wall_inner += wall;
		outer->cpu_inner += cpu;
	}
}

void ossai_stages_add(ossa_context *context, const ossa_context *from)
{
	for (size_t i = 0; i < from->stage_count; i++) {
		const ossa_stage_cost *own = &from->stages[i];
		ossa_stage_cost *stage = &context->stages[stage_index(context, own->name)];
		stage->wall_seconds += own->wall_seconds;
		stage->cpu_seconds += own->cpu_seconds;
		if (own->peak_bytes > stage->peak_bytes) stage->peak_bytes = own->peak_bytes;
	}
}

void ossai_progress_part(ossa_context *context, double begin, double end)
{
	context->part_begin = begin;
	context->part_size = end - begin;
}

ossa_status ossai_progress(ossa_context *context, double fraction)
{
	if (!context->options.progress) return OSSA_OK;
	if (context->part_size > 0) fraction = context->part_begin + context->part_size * fraction;
	/* a step too small to show, except to the begin and the end */
	if (fraction > 0 && fraction < 1 && fabs(fraction - context->reported_of_stage) < PROGRESS_STEP) return OSSA_OK;
	context->reported_of_stage = fraction;
	const bool planned = context->plan_total > 0;
	double whole = planned ? (context->plan_done + context->plan_share * fraction) / context->plan_total : fraction;
	if (whole > 1) whole = 1;
	const bool in_window = context->window_size > 0;
	if (in_window) whole = context->window_begin + context->window_size * whole;
	if (!planned && !in_window && fraction == 0) context->reported = 0;
	if (whole < context->reported) whole = context->reported;
	context->reported = whole;
	return ossai_ask(context);
}

const char *ossai_stage_running(const ossa_context *context)
{
	const size_t depth = context->depth < OSSAI_STAGE_DEPTH_MAX ? context->depth : OSSAI_STAGE_DEPTH_MAX;
	return depth > 0 ? context->stages[context->running[depth - 1].index].name : "";
}

ossa_status ossai_ask(ossa_context *context)
{
	if (!context->options.progress) return OSSA_OK;
	const char *name = ossai_stage_running(context);
	if (context->options.progress(context->options.progress_user, name, context->reported)) return OSSA_OK;
	return ossai_fail(context, OSSA_ERROR_CANCELLED, NULL, "stopped on request during %s", name[0] ? name : "work");
}

void ossai_run_seconds(const ossa_context *context, double *wall_seconds, double *cpu_seconds)
{
	*wall_seconds = ossai_wall_seconds() - context->wall_begin;
	*cpu_seconds = ossai_cpu_seconds() - context->cpu_begin;
}

size_t ossa_context_stage_count(const ossa_context *context) { return context ? context->stage_count : 0; }

const ossa_stage_cost *ossa_context_stage(const ossa_context *context, size_t index)
{
	return index < ossa_context_stage_count(context) ? &context->stages[index] : NULL;
}

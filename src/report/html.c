/* report/html.c: the report for people: one file with everything in it, for any browser, without
   network or script.

   Place in the path: the end.
   Input: a report, and what the context kept of the run.
   Output: HTML that is well-formed XML too. Read this file as the page's outline; its sections are
   html_numbers.c, html_pictures.c, html_plots.c, html_retarget.c, html_skeleton.c. */
#include "report/html.h"
#include "base/file.h"
#include "metrics/errors.h"
#include "rig/pose.h"
#include <ossa/ossa.h>

#include <math.h>
#include <string.h>

enum { CURVE_LEVELS = 400 };

/* ---- facts ---- */

/* the cost of the run, before pictures add to it */
static ossa_status keep_stages(ossai_arena *arena, ossai_report_facts *f)
{
	f->stage_count = ossa_context_stage_count(f->context);
	f->stages = ossai_arena_new(arena, f->stage_count, sizeof *f->stages);
	if (!f->stages) return ossa_context_error(f->context)->status;
	for (size_t i = 0; i < f->stage_count; i++) f->stages[i] = *ossa_context_stage(f->context, i);
	return OSSA_OK;
}

static ossa_status measure_frames(ossai_arena *arena, ossai_report_facts *f)
{
	const size_t bones = f->rig->skeleton.bone_count;
	if (!f->report->frames || !f->rig->clip || f->rig->mesh->vertex_count == 0) {
		if (f->report->bone_rms) f->bone_rms = ossai_arena_new(arena, bones, sizeof *f->bone_rms);
		if (f->bone_rms) memcpy(f->bone_rms, f->report->bone_rms, bones * sizeof *f->bone_rms);
		return f->report->bone_rms && !f->bone_rms ? ossa_context_error(f->context)->status : OSSA_OK;
	}
	f->frame_count = ossa_frame_stream_frame_count(f->report->frames);
	f->frame_errors = ossai_arena_new(arena, f->frame_count, sizeof *f->frame_errors);
	f->bone_rms = f->frame_errors ? ossai_arena_new(arena, bones, sizeof *f->bone_rms) : NULL;
	if (!f->bone_rms) return ossa_context_error(f->context)->status;
	OSSAI_TRY(ossai_rig_errors(f->context, f->rig, NULL, NULL, f->report->frames, f->frame_errors, f->bone_rms));
	for (size_t i = 1; i < f->frame_count; i++) {
		if (f->frame_errors[i].max_percent > f->frame_errors[f->worst_frame].max_percent) f->worst_frame = i;
	}
	return OSSA_OK;
}

static ossa_status find_curve(ossai_arena *arena, ossai_report_facts *f)
{
	const ossa_report *report = f->report;
	const size_t poses = report->key_frame_count > 0 ? report->key_frame_count : report->frame_count;
	if (f->rig->merge_count == 0 || poses == 0) return OSSA_OK;
	f->curve_bones = ossai_arena_new(arena, CURVE_LEVELS, sizeof *f->curve_bones);
	f->curve_errors = f->curve_bones ? ossai_arena_new(arena, CURVE_LEVELS, sizeof *f->curve_errors) : NULL;
	if (!f->curve_errors) return ossa_context_error(f->context)->status;
	return ossai_merge_curve(f->context, f->rig, poses, CURVE_LEVELS, f->curve_bones, f->curve_errors, &f->curve_count);
}

static ossa_status gather(ossa_context *context, ossai_arena *arena, const ossa_report *report, ossai_report_facts *f)
{
	*f = (ossai_report_facts){.context = context, .report = report, .rig = report->rig};
	OSSAI_TRY(keep_stages(arena, f));
	OSSAI_TRY(ossai_report_pieces(context, report->rig->mesh, &f->piece_count));
	OSSAI_TRY(measure_frames(arena, f));
	return find_curve(arena, f);
}

/* ---- the page ---- */

/* the page is shared with others: paths on this machine are private */
static const char *title_of(const ossai_report_facts *f)
{
	const char *input = f->report->input, *slash = input ? strrchr(input, '/') : NULL;
	if (slash && slash[1]) return slash + 1;
	if (input && input[0]) return input;
	return f->rig->mesh->name[0] ? f->rig->mesh->name : "Rig";
}

static void put_head(ossai_page *page, const ossai_report_facts *f)
{
	/* nothing but this file may be loaded */
	ossai_page_markup(page,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src "
		"'unsafe-inline'\"/>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
		"<meta name=\"generator\" content=\"ossa " OSSA_VERSION "\"/>\n<title>");
	ossai_page_words(page, title_of(f));
	ossai_page_markup(page, ": rig report</title>\n<style>\n");
	ossai_page_markup(page, ossai_html_style());
	ossai_page_markup(page, "</style>\n</head>\n");
}

static void put_body(ossai_page *page, const ossai_report_facts *f)
{
	ossai_page_markup(page, "<body><main>\n<header><h1>");
	ossai_page_words(page, title_of(f));
	ossai_page_markup(page, "</h1>\n");
	ossai_html_lead(page, f);
	ossai_page_markup(page, "</header>\n<section class=\"top\">\n");
	ossai_html_portrait(page, f);
	ossai_page_markup(page, "<div><h2>In numbers</h2>\n");
	ossai_html_numbers(page, f);
	ossai_page_markup(page, "</div></section>\n");
	ossai_html_warnings(page, f);
	ossai_html_pictures(page, f);
	ossai_html_errors(page, f);
	ossai_html_retarget(page, f);
	ossai_html_nearness(page, f);
	ossai_html_skeleton(page, f);
	ossai_html_costs(page, f);
	ossai_page_markup(page,
		"<footer>Written by ossa " OSSA_VERSION ". The same numbers for machines: a report whose name ends in "
		"<code>.json</code>. Frames are counted from 1, vertices from 0.</footer>\n</main></body></html>\n");
}

ossa_status ossa_report_html(ossa_context *context, const ossa_report *report, char **text)
{
	if (text) *text = NULL;
	OSSAI_NEED(context, report, text);
	OSSAI_NEED(context, report->rig);
	OSSAI_TRY(ossai_rig_check_faces(context, report->rig));
	ossai_arena arena = ossai_arena_begin(context);
	ossai_report_facts facts;
	ossa_status status = gather(context, &arena, report, &facts);
	if (status == OSSA_OK) {
		ossai_page page = ossai_page_begin(context);
		put_head(&page, &facts);
		put_body(&page, &facts);
		status = ossai_page_end(&page, text);
	}
	ossai_arena_end(&arena);
	return status;
}

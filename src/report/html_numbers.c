/* report/html_numbers.c: numbers, warnings and comparisons in words.

   Place in the path: the HTML report.
   Input: its facts.
   Output: sections of the page. */
#include "report/html.h"
#include "report/words.h"

#include <math.h>
#include <string.h>

static void put_count(ossai_page *page, size_t count, const char *one, const char *many)
{
	ossai_page_format(page, "%zu %s", count, count == 1 ? one : many);
}

void ossai_html_lead(ossai_page *page, const ossai_report_facts *f)
{
	const ossa_mesh *mesh = f->rig->mesh;
	ossai_page_markup(page, "<p class=\"lead\">A rig of ");
	put_count(page, f->rig->skeleton.bone_count, "bone", "bones");
	if (mesh->vertex_count == 0) ossai_page_markup(page, " without a mesh");
	else {
		ossai_page_markup(page, " for a mesh of ");
		put_count(page, mesh->vertex_count, "vertex", "vertices");
		ossai_page_markup(page, " and ");
		put_count(page, mesh->polygon_count, "face", "faces");
		ossai_page_markup(page, " in ");
		put_count(page, f->piece_count, "piece", "pieces");
	}
	if (!f->rig->clip) ossai_page_markup(page, ", without motion");
	else {
		ossai_page_markup(page, ", moving through ");
		put_count(page, f->rig->clip->frame_count, "frame", "frames");
	}
	ossai_page_markup(page, ".</p>\n");
}

/* ---- metrics ---- */

static double field_value(const ossa_metric_field *field, const void *values)
{
	const char *at = (const char *)values + field->offset;
	if (field->type == 'i') return *(const int *)at;
	if (field->type == 'l') return (double)*(const int64_t *)at;
	return *(const double *)at;
}

static double metric_value(const ossa_metrics *metrics, const char *name)
{
	for (size_t i = 0; i < ossa_metric_field_count(); i++) {
		const ossa_metric_field *field = ossa_metric_field_at(i);
		if (strcmp(field->name, name) == 0) return field_value(field, metrics);
	}
	return NAN;
}

/* the word, and a sign of another shape for each */
static void put_verdict(ossai_page *page, ossai_verdict verdict, const char *advice)
{
	static const char *const marks[] = {"", "<b class=\"good\">&#9679; good</b>", "<b class=\"fair\">&#9670; fair</b>",
		"<b class=\"poor\">&#9650; look here</b>"};
	ossai_page_markup(page, marks[verdict]);
	if (verdict != OSSAI_VERDICT_FAIR && verdict != OSSAI_VERDICT_POOR) return;
	ossai_page_markup(page, "<small>");
	ossai_page_advice(page, advice);
	ossai_page_markup(page, "</small>");
}

static void put_row(ossai_page *page, const char *title, const char *meaning, double value, const char *unit)
{
	ossai_page_markup(page, "<tr><th scope=\"row\">");
	ossai_page_words(page, title);
	ossai_page_markup(page, "<small>");
	ossai_page_words(page, meaning);
	ossai_page_markup(page, "</small></th><td class=\"number\">");
	ossai_page_number(page, value, 3);
	if (!isnan(value)) ossai_page_words(page, unit);
}

/* where the largest error is */
static void put_place(ossai_page *page, const ossai_metric_words *words, const ossa_metrics *metrics)
{
	if (strcmp(words->name, "max_percent") != 0 || metrics->max_vertex < 0) return;
	ossai_page_format(
		page, "<small>vertex %lld in frame %lld</small>", (long long)metrics->max_vertex, (long long)metrics->max_frame + 1);
}

/* bones of several pieces cannot help having weights on several */
static ossai_verdict judge(const ossai_report_facts *f, const ossai_metric_words *words, double value)
{
	const bool scattered = f->piece_count > 1 && strcmp(words->name, "disconnected_supports") == 0;
	return scattered ? OSSAI_VERDICT_NONE : ossai_metric_judge(words, value);
}

static void put_metric(ossai_page *page, const ossai_report_facts *f, const ossai_metric_words *words)
{
	const ossa_metrics *metrics = &f->report->hierarchy;
	const double value = metric_value(metrics, words->name);
	if (isnan(value)) return;
	put_row(page, words->title, words->meaning, words->factor * value, words->unit);
	put_place(page, words, metrics);
	ossai_page_markup(page, "</td><td>");
	put_verdict(page, judge(f, words, value), words->advice);
	ossai_page_markup(page, "</td></tr>\n");
}

/* what bones could do that are in no tree */
static void put_free_bones(ossai_page *page, const ossai_report_facts *f)
{
	const double value = f->report->free_bones.rms_percent;
	if (isnan(value)) return;
	put_row(page, "Error of free bones", "the same without a skeleton to hold the bones together: what the tree costs", value,
		" %");
	ossai_page_markup(page, "</td><td></td></tr>\n");
}

void ossai_html_numbers(ossai_page *page, const ossai_report_facts *f)
{
	if (f->rig->mesh->vertex_count == 0) {
		ossai_page_markup(page, "<p>A skeleton alone has no skin whose errors or weights could be measured.</p>\n");
		return;
	}
	if (isnan(f->report->hierarchy.rms_percent)) {
		ossai_page_markup(page,
			"<p>There are no frames to compare with, so weights and joints alone are judged. Bend the rig and look: "
			"numbers cannot tell whether it is what you want.</p>\n");
	}
	ossai_page_markup(page, "<table class=\"numbers\">\n");
	for (size_t i = 0; i < ossai_metric_words_count(); i++) {
		put_metric(page, f, ossai_metric_words_at(i));
		if (i == 0) put_free_bones(page, f);
	}
	ossai_page_markup(page, "</table>\n");
}

/* ---- warnings ---- */

static void put_warning(ossai_page *page, const ossa_warning *warning)
{
	const char *advice = ossa_warning_advice(warning->code);
	ossai_page_markup(page, "<li><b>");
	ossai_page_words(page, warning->code);
	ossai_page_markup(page, "</b>");
	if (warning->counted[0]) {
		ossai_page_format(page, " <span class=\"muted\">%lld ", (long long)warning->count);
		ossai_page_words(page, warning->counted);
		ossai_page_markup(page, "</span>");
	}
	ossai_page_markup(page, "<br/>");
	ossai_page_words(page, warning->message);
	if (advice[0]) {
		ossai_page_markup(page, "<br/><em>What to do:</em> ");
		ossai_page_advice(page, advice);
		ossai_page_markup(page, ".");
	}
	ossai_page_markup(page, "</li>\n");
}

void ossai_html_warnings(ossai_page *page, const ossai_report_facts *f)
{
	const size_t count = ossa_context_warning_count(f->context);
	ossai_page_markup(page, "<section><h2>Warnings</h2>\n");
	if (count == 0) ossai_page_markup(page, "<p>None: nothing had to be repaired, left out or guessed.</p>\n");
	else ossai_page_markup(page, "<ul class=\"warnings\">\n");
	for (size_t i = 0; i < count; i++) put_warning(page, ossa_context_warning(f->context, i));
	if (count > 0) ossai_page_markup(page, "</ul>\n");
	ossai_page_markup(page, "</section>\n");
}

/* ---- another skeleton ---- */

void ossai_html_nearness(ossai_page *page, const ossai_report_facts *f)
{
	if (!f->report->nearness) return;
	ossai_page_markup(page,
		"<section><h2>Against another skeleton</h2>\n<p>Distances are in sides of the box around the other's mesh.</p>\n"
		"<table class=\"numbers\">\n");
	for (size_t i = 0; i < ossa_nearness_field_count(); i++) {
		const ossa_metric_field *field = ossa_nearness_field_at(i);
		put_row(page, field->name, field->help, field_value(field, f->report->nearness), "");
		ossai_page_markup(page, "</td></tr>\n");
	}
	ossai_page_markup(page, "</table></section>\n");
}

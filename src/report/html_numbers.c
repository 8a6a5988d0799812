/* report/html_numbers.c: numbers, warnings and comparisons in words.

   Place in the path: the HTML report.
   Input: its facts.
   Output: sections of the page. */
#include "report/html.h"

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

/* the word, and a sign of another shape for each */
static void put_verdict(ossai_page *page, ossa_metric_verdict verdict, const char *advice)
{
	static const char *const marks[] = {"", "<b class=\"good\">&#9679; good</b>", "<b class=\"fair\">&#9670; fair</b>",
		"<b class=\"poor\">&#9650; look here</b>"};
	ossai_page_markup(page, marks[verdict]);
	if (verdict != OSSA_METRIC_FAIR && verdict != OSSA_METRIC_POOR) return;
	ossai_page_markup(page, "<small>");
	ossai_page_advice(page, advice);
	ossai_page_markup(page, "</small>");
}

/* a row up to its value, whose cell stays open */
static void put_row(ossai_page *page, const char *title, const char *help, const ossa_metric_field *field, const void *values)
{
	char text[OSSAI_NUMBER_TEXT];
	const bool is_percent = field->unit[0] == '%';
	ossa_metric_print(field, values, text, sizeof text);
	ossai_page_markup(page, "<tr><th scope=\"row\">");
	ossai_page_words(page, title);
	ossai_page_markup(page, "<small>");
	ossai_page_words(page, help);
	/* the reference of a share */
	if (is_percent && field->unit[1]) ossai_page_format(page, ", in %s", field->unit);
	ossai_page_markup(page, "</small></th><td class=\"number\">");
	ossai_page_words(page, text);
	if (!isnan(ossa_metric_value(field, values))) {
		ossai_page_format(page, "%s%s", field->unit[0] ? " " : "", is_percent ? "%" : field->unit);
	}
}

/* where it is: "at vertex 12, in frame 4" */
static void put_details(ossai_page *page, const ossa_metric_table *table, const ossa_metric_field *field, const void *values)
{
	bool is_first = true;
	for (size_t i = 0; i < table->count; i++) {
		const ossa_metric_field *detail = &table->fields[i];
		char text[OSSAI_NUMBER_TEXT];
		if (!detail->detail_of || strcmp(detail->detail_of, field->name) != 0) continue;
		ossa_metric_print(detail, values, text, sizeof text);
		ossai_page_format(page, "%s%s %s", is_first ? "<small>" : ", ", detail->title, text);
		is_first = false;
	}
	if (!is_first) ossai_page_markup(page, "</small>");
}

/* bones of several pieces cannot help having weights on several */
static ossa_metric_verdict judge(const ossai_report_facts *f, const ossa_metric_field *field)
{
	const bool scattered = f->piece_count > 1 && strcmp(field->name, "disconnected_supports") == 0;
	return scattered ? OSSA_METRIC_NOT_JUDGED : ossa_metric_judge(field, &f->report->hierarchy);
}

static void put_metric(ossai_page *page, const ossai_report_facts *f, const ossa_metric_field *field)
{
	const ossa_metrics *metrics = &f->report->hierarchy;
	if (field->detail_of || isnan(ossa_metric_value(field, metrics))) return;
	put_row(page, field->title, field->help, field, metrics);
	put_details(page, ossa_metrics_table(), field, metrics);
	ossai_page_markup(page, "</td><td>");
	put_verdict(page, judge(f, field), field->advice);
	ossai_page_markup(page, "</td></tr>\n");
}

/* the error of bones without a hierarchy */
static void put_free_bones(ossai_page *page, const ossai_report_facts *f)
{
	const ossa_metric_field *field = ossa_metric_find(ossa_metrics_table(), "rms_percent");
	if (isnan(f->report->free_bones.rms_percent)) return;
	put_row(page, "RMS error of free bones",
		"the same for bones that move independently: the difference is the cost of the hierarchy", field,
		&f->report->free_bones);
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
			"<p>There are no frames to compare with, so only weights and joints are evaluated. Bend the rig and look at it: "
			"numbers cannot say whether it is what you want.</p>\n");
	}
	ossai_page_markup(page, "<table class=\"numbers\">\n");
	for (size_t i = 0; i < ossa_metrics_table()->count; i++) {
		put_metric(page, f, &ossa_metrics_table()->fields[i]);
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
		"<section><h2>Against another skeleton</h2>\n<p>Distances are in units of the largest side of the bounding box of the "
		"other's mesh.</p>\n"
		"<table class=\"numbers\">\n");
	for (size_t i = 0; i < ossa_nearness_table()->count; i++) {
		const ossa_metric_field *field = &ossa_nearness_table()->fields[i];
		put_row(page, field->title, field->help, field, f->report->nearness);
		ossai_page_markup(page, "</td></tr>\n");
	}
	ossai_page_markup(page, "</table></section>\n");
}

/* report/html_plots.c: plots of errors by frame and bone, of the gain of more bones, and of the
   cost of the run.

   Place in the path: the HTML report.
   Input: its facts.
   Output: sections of the page. */
#include "base/heap.h"
#include "report/html.h"
#include "report/plot.h"

#include <ossa/method.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BONES_SHOWN = 24, STAGES_SHOWN = 30 };

/* ---- by frame ---- */

static void put_frames(ossai_page *page, const ossai_report_facts *f)
{
	if (!f->frame_errors || f->frame_count < 2 || page->status != OSSA_OK) return;
	double *rms = ossai_new(f->context, f->frame_count, 2 * sizeof *rms);
	if (!ossai_page_check(page, rms ? OSSA_OK : ossa_context_error(f->context)->status)) return;
	double *most = rms + f->frame_count;
	for (size_t i = 0; i < f->frame_count; i++) {
		rms[i] = f->frame_errors[i].rms_percent;
		most[i] = f->frame_errors[i].max_percent;
	}
	const ossai_plot plot = {.title = "error by frame",
		.x_name = "frame",
		.y_name = "% of the diagonal",
		.unit = " %",
		.count = f->frame_count,
		.y = rms,
		.top = most,
		.y_words = "RMS",
		.top_words = "largest",
		.mark = NAN};
	ossai_page_markup(page, "<figure><h3>By frame</h3>\n");
	ossai_plot_lines(page, &plot);
	ossai_page_markup(page,
		"<figcaption><i class=\"key first\"></i>RMS over the vertices, <i class=\"key second\"></i>the worst vertex. "
		"Peaks are poses that the rig cannot reproduce.");
	const size_t items = ossai_plot_items_per_column(&plot);
	if (items > 1) ossai_page_format(page, " Each column shows the least and the largest of up to %zu frames.", items);
	ossai_page_markup(page, "</figcaption></figure>\n");
	ossa_free(f->context, rms);
}

/* ---- by bone ---- */

static void put_bone_bars(ossai_page *page, const ossai_report_facts *f, const ossai_heap_entry *bones, size_t count)
{
	ossai_bar bars[BONES_SHOWN];
	const size_t shown = count < BONES_SHOWN ? count : BONES_SHOWN;
	for (size_t i = 0; i < shown; i++) {
		bars[i] = (ossai_bar){f->rig->skeleton.bones[bones[i].item].name, bones[i].key};
	}
	ossai_page_markup(page, "<figure><h3>By bone</h3>\n");
	ossai_plot_bars(page, "error by bone", " %", shown, bars);
	ossai_page_markup(page, "<figcaption>The skin that follows each bone most, RMS over the frames, in % of the diagonal.");
	if (count > shown) {
		ossai_page_format(page, " The %zu other bones are at ", count - shown);
		ossai_page_number(page, bones[shown].key, 3);
		ossai_page_markup(page, " % or less; the table of the skeleton has them all.");
	}
	ossai_page_markup(page, "</figcaption></figure>\n");
}

static void put_bones(ossai_page *page, const ossai_report_facts *f)
{
	const size_t bones = f->rig->skeleton.bone_count;
	if (!f->bone_rms || page->status != OSSA_OK) return;
	ossai_heap_entry *ranked = ossai_new(f->context, bones, sizeof *ranked);
	if (!ossai_page_check(page, ranked ? OSSA_OK : ossa_context_error(f->context)->status)) return;
	size_t count = 0;
	for (size_t b = 0; b < bones; b++) {
		if (isfinite(f->bone_rms[b])) ranked[count++] = (ossai_heap_entry){f->bone_rms[b], (uint32_t)b};
	}
	qsort(ranked, count, sizeof *ranked, ossai_heap_compare_falling);
	if (count > 0) put_bone_bars(page, f, ranked, count);
	ossa_free(f->context, ranked);
}

/* ---- by the number of bones ---- */

static void put_curve(ossai_page *page, const ossai_report_facts *f)
{
	if (f->curve_count < 2) return;
	const ossai_plot plot = {.title = "error by the number of bones",
		.x_name = "bones",
		.y_name = "% of the diagonal",
		.unit = " %",
		.count = f->curve_count,
		.x = f->curve_bones,
		.y = f->curve_errors,
		.y_words = "RMS",
		.logarithmic = true,
		.mark = (double)f->rig->skeleton.bone_count,
		.mark_words = "this rig"};
	ossai_page_markup(page, "<figure><h3>By the number of bones</h3>\n");
	ossai_plot_lines(page, &plot);
	ossai_page_markup(page,
		"<figcaption>The error of this many rigid parts, RMS over the surface, from the merge hierarchy of the faces. Where "
		"the "
		"curve is steep, more <code>bones</code> pay; where it is flat, they do not. Blended weights and refinement give a "
		"smaller error.</figcaption></figure>\n");
}

void ossai_html_errors(ossai_page *page, const ossai_report_facts *f)
{
	if (!f->frame_errors && !f->bone_rms && f->curve_count < 2) return;
	ossai_page_markup(page, "<section><h2>Where the errors are</h2>\n<div class=\"plots\">\n");
	put_frames(page, f);
	put_bones(page, f);
	put_curve(page, f);
	ossai_page_markup(page, "</div></section>\n");
}

/* ---- costs ---- */

static void put_seconds(ossai_page *page, const ossai_report_facts *f)
{
	const ossa_report *report = f->report;
	ossai_page_markup(page, "<p>");
	ossai_page_number(page, report->wall_seconds, 3);
	ossai_page_markup(page, " seconds, ");
	ossai_page_number(page, report->cpu_seconds, 3);
	ossai_page_markup(page, " of processors");
	if (report->peak_resident_bytes > 0) {
		ossai_page_markup(page, ", ");
		ossai_page_number(page, (double)report->peak_resident_bytes / 1e6, 3);
		ossai_page_markup(page, " MB of memory at most");
	}
	ossai_page_markup(page, ".</p>\n");
}

/* how the method works; a rig from a file may be of another program's */
static void put_method(ossai_page *page, const char *name)
{
	const ossa_method *method = ossa_method_find(name);
	if (!method) {
		ossai_page_words(page, strcmp(name, "file") == 0 ? "The rig was read from a file." : name);
		return;
	}
	ossai_page_markup(page, "By ");
	ossai_page_words(page, method->name);
	ossai_page_markup(page, " (");
	ossai_page_words(page, method->source);
	ossai_page_markup(page, "): ");
	ossai_page_words(page, method->help);
	ossai_page_markup(page, ".");
}

void ossai_html_costs(ossai_page *page, const ossai_report_facts *f)
{
	ossai_bar bars[STAGES_SHOWN];
	const size_t shown = f->stage_count < STAGES_SHOWN ? f->stage_count : STAGES_SHOWN;
	const char *reason = f->report->reason;
	ossai_page_markup(page, "<section><h2>How it was made</h2>\n<p>");
	put_method(page, f->rig->method);
	ossai_page_markup(page, "</p>\n");
	if (reason && reason[0]) {
		ossai_page_markup(page, "<p>Why this method: ");
		ossai_page_words(page, reason);
		ossai_page_markup(page, ".</p>\n");
	}
	put_seconds(page, f);
	for (size_t i = 0; i < shown; i++) bars[i] = (ossai_bar){f->stages[i].name, fmax(f->stages[i].wall_seconds, 0)};
	if (shown > 0) {
		ossai_page_markup(page, "<figure class=\"plain\"><h3>Seconds by stage</h3>\n");
		ossai_plot_bars(page, "seconds by stage", " s", shown, bars);
		ossai_page_markup(page, "</figure>\n");
	}
	ossai_page_markup(page, "</section>\n");
}

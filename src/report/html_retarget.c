/* report/html_retarget.c: how a motion came over from another body.

   Place in the path: the HTML report.
   Input: its facts.
   Output: a section of the page. */
#include "report/html.h"

#include <math.h>
#include <string.h>

/* What a row shows: a number of the rig, and what the source has. */
typedef struct foot_row {
	const char *title, *help, *unit;
	double value, source;
} foot_row;

static void put_number(ossai_page *page, double value, const char *unit)
{
	ossai_page_markup(page, "<td class=\"number\">");
	/* no minus before a zero that was rounded */
	ossai_page_place(page, fabs(value) < 0.005 ? 0 : value);
	ossai_page_format(page, "%s</td>", unit);
}

static void put_feet(ossai_page *page, const ossa_retarget_facts *facts)
{
	const foot_row rows[] = {
		{"Lowest point of the feet", "over the ground, in % of the height; below it negative", " %", facts->lowest_percent,
			facts->source_lowest_percent},
		{"Sliding", "mean level speed of a foot that stands, in legs a second", "", facts->slide, facts->source_slide},
	};
	ossai_page_markup(page,
		"<table class=\"facts\">\n<thead><tr><th scope=\"col\">Feet</th><th scope=\"col\">Here</th><th "
		"scope=\"col\">In the motion\'s own body</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		ossai_page_format(page, "<tr><th scope=\"row\">%s<small>%s</small></th>", rows[i].title, rows[i].help);
		put_number(page, rows[i].value, rows[i].unit);
		put_number(page, rows[i].source, rows[i].unit);
		ossai_page_markup(page, "</tr>\n");
	}
	ossai_page_format(page,
		"<tr><th scope=\"row\">Steps kept<small>times that a foot stands, as high as there within 5 %% of the leg"
		"</small></th><td class=\"number\">%zu</td><td class=\"number\">%zu</td></tr>\n</tbody></table>\n",
		facts->steps_kept, facts->steps);
}

static void put_segment(ossai_page *page, const char *name, const ossa_retarget_segment *segment, bool has_rest)
{
	ossai_page_format(page, "<tr><th scope=\"row\">%s</th>", name);
	put_number(page, segment->mean, "");
	put_number(page, segment->p95, "");
	if (has_rest) put_number(page, segment->rest, "");
	ossai_page_markup(page, has_rest ? "</tr>\n" : "<td></td></tr>\n");
}

static void put_segments(ossai_page *page, const ossa_retarget_facts *facts)
{
	const ossa_retarget_segment all = {.mean = facts->mean_degrees, .p95 = facts->p95_degrees};
	ossai_page_markup(page,
		"<p>Degrees between the directions of each part in both bodies, each in its own body\'s axes. Feet of another build "
		"keep their own pitch at rest.</p>\n<table class=\"facts\">\n<thead><tr><th scope=\"col\">Direction of</th><th "
		"scope=\"col\">Mean</th><th scope=\"col\">95 % of frames below</th><th scope=\"col\">At rest</th></tr></thead>\n"
		"<tbody>\n");
	for (size_t i = 0; i < facts->segment_count; i++) {
		char name[OSSA_BODY_TEXT];
		const ossa_retarget_segment *segment = &facts->segments[i];
		put_segment(page, ossa_retarget_segment_print(segment, name, sizeof name), segment, true);
	}
	put_segment(page, "all", &all, false);
	ossai_page_markup(page, "</tbody></table>\n");
}

static void put_matches(ossai_page *page, const ossai_report_facts *f)
{
	const ossa_retarget_facts *facts = f->report->retarget;
	const bool by_name = facts->match == OSSA_RETARGET_NAMES;
	const char *motion = f->report->motion, *slash = motion ? strrchr(motion, '/') : NULL;
	ossai_page_markup(page, "<p>");
	if (motion) ossai_page_words(page, slash && slash[1] ? slash + 1 : motion);
	ossai_page_format(page, "%s%zu bones follow those of %s", motion ? ": " : "", facts->matched,
		by_name ? "equal names" : "the same part of the body");
	if (facts->unmatched > 0) ossai_page_format(page, ", %zu keep their pose at rest", facts->unmatched);
	ossai_page_markup(page, ".");
	if (!by_name) {
		ossai_page_markup(page, " Bones are known here by ");
		ossai_page_words(page, facts->rig_names);
		ossai_page_markup(page, ", there by ");
		ossai_page_words(page, facts->source_names);
		ossai_page_markup(page, ". The legs are ");
		ossai_page_number(page, facts->scale, 3);
		ossai_page_markup(page, " times as long, and the path ");
		ossai_page_number(page, facts->stride, 3);
		ossai_page_markup(page, " times.");
	}
	if (facts->limited_frames > 0) ossai_page_format(page, " Limits stopped joints in %zu frames.", facts->limited_frames);
	ossai_page_markup(page, "</p>\n");
}

void ossai_html_retarget(ossai_page *page, const ossai_report_facts *f)
{
	const ossa_retarget_facts *facts = f->report->retarget;
	if (!facts) return;
	ossai_page_markup(page, "<section><h2>Motion of another body</h2>\n");
	put_matches(page, f);
	if (facts->match == OSSA_RETARGET_ROLES) {
		put_feet(page, facts);
		put_segments(page, facts);
	}
	ossai_page_markup(page, "</section>\n");
}

/* report/html.h: what the parts of the HTML report share: the facts, gathered once, and the
   sections.

   Place in the path: the end.
   Input: a report, the context's stages and warnings.
   Output: one page. */
#ifndef OSSAI_REPORT_HTML_H
#define OSSAI_REPORT_HTML_H

#include "report/page.h"
#include <ossa/picture.h>
#include <ossa/report.h>

/* Arrays live in the arena of the caller. */
typedef struct ossai_report_facts {
	ossa_context *context;
	const ossa_report *report;
	const ossa_rig *rig;
	size_t stage_count;
	ossa_stage_cost *stages; /* before the report drew anything */
	uint32_t piece_count;
	size_t frame_count;             /* of the frames below */
	ossa_frame_error *frame_errors; /* NULL where there are no frames to measure against */
	double *bone_rms;               /* B, or NULL */
	size_t worst_frame;             /* of the largest error */
	size_t curve_count;
	/* RMS of rigid parts by their number, ascending; NULL without a merge hierarchy */
	double *curve_bones, *curve_errors;
} ossai_report_facts;

/* The page's look (html_style.c). */
const char *ossai_html_style(void);

/* html_numbers.c */
void ossai_html_lead(ossai_page *page, const ossai_report_facts *facts);
void ossai_html_numbers(ossai_page *page, const ossai_report_facts *facts);
void ossai_html_warnings(ossai_page *page, const ossai_report_facts *facts);
void ossai_html_nearness(ossai_page *page, const ossai_report_facts *facts);

/* html_pictures.c: the rest pose; the others */
void ossai_html_portrait(ossai_page *page, const ossai_report_facts *facts);
void ossai_html_pictures(ossai_page *page, const ossai_report_facts *facts);

/* html_plots.c */
void ossai_html_errors(ossai_page *page, const ossai_report_facts *facts);
void ossai_html_costs(ossai_page *page, const ossai_report_facts *facts);

/* html_retarget.c */
void ossai_html_retarget(ossai_page *page, const ossai_report_facts *facts);

/* html_skeleton.c */
void ossai_html_skeleton(ossai_page *page, const ossai_report_facts *facts);

/* The error of rigid parts by their number: the levels of the rig's merge hierarchy from one part
   on, at most `capacity`. The RMS is in percent of the diagonal, over the surface and `pose_count`
   poses. Returns how many levels there are. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_merge_curve(ossa_context *context, const ossa_rig *rig, size_t pose_count, size_t capacity, double *parts,
	double *errors, size_t *count);

/* Connected pieces of a mesh (json.c). */
ossa_status ossai_report_pieces(ossa_context *context, const ossa_mesh *mesh, uint32_t *piece_count);

#endif

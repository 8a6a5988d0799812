/* report/html_skeleton.c: the skeleton as a tree: names, kinds, turns, limits, errors.

   Place in the path: the HTML report.
   Input: its facts.
   Output: a section of the page. */
#include "report/html.h"

#include <math.h>

enum { DEPTH_SHOWN = 24 };

/* "-12 to 63"; whole degrees */
static void put_range(ossai_page *page, const double range[2])
{
	/* no minus before a zero that was rounded */
	ossai_page_format(page, "%d to %d", (int)(rint(range[0]) + 0.0), (int)(rint(range[1]) + 0.0));
}

/* its turn in the motion, and its limits where they were set */
static void put_turns(ossai_page *page, const ossai_report_facts *f, size_t index)
{
	const ossa_bone *bone = &f->rig->skeleton.bones[index];
	double turns[3][2];
	const bool moves = f->rig->clip && index > 0, is_limited = bone->has_limits && !bone->limits_of_motion;
	if (moves) ossa_rig_turn_range(f->rig, NULL, index, turns);
	for (int k = 0; k < 3; k++) {
		ossai_page_markup(page, "<td class=\"number\">");
		if (moves) put_range(page, turns[k]);
		if (is_limited) ossai_page_markup(page, "<small>limit ");
		if (is_limited) put_range(page, bone->limits[k]);
		ossai_page_markup(page, is_limited ? "</small></td>" : "</td>");
	}
}

static void put_bone(ossai_page *page, const ossai_report_facts *f, size_t index, size_t depth)
{
	const ossa_bone *bone = &f->rig->skeleton.bones[index];
	const int indent = (int)(depth < DEPTH_SHOWN ? depth : DEPTH_SHOWN);
	ossai_page_format(page, "<tr><th scope=\"row\" style=\"padding-left:%dem\">%s", indent + 1, indent > 0 ? "&#8627; " : "");
	ossai_page_words(page, bone->name);
	ossai_page_format(page, "</th><td>%s</td>", ossa_joint_kind_name(bone->kind));
	put_turns(page, f, index);
	if (f->bone_rms) {
		ossai_page_markup(page, "<td class=\"number\">");
		if (isfinite(f->bone_rms[index])) ossai_page_number(page, f->bone_rms[index], 3);
		ossai_page_markup(page, "</td>");
	}
	ossai_page_markup(page, "</tr>\n");
}

/* children after their parent and before its next sibling */
static void put_tree(ossai_page *page, const ossai_report_facts *f)
{
	const ossa_skeleton *skeleton = &f->rig->skeleton;
	const size_t count = skeleton->bone_count;
	if (page->status != OSSA_OK) return;
	uint32_t *memory = ossa_alloc(f->context, 4 * count, sizeof *memory);
	if (!ossai_page_check(page, memory ? OSSA_OK : ossa_context_error(f->context)->status)) return;
	uint32_t *last_child = memory, *sibling = memory + count, *stack = memory + 2 * count, *depth = memory + 3 * count;
	for (size_t b = 0; b < count; b++) last_child[b] = OSSA_NONE;
	for (size_t b = 1; b < count; b++) {
		const int32_t parent = skeleton->bones[b].parent;
		sibling[b] = last_child[parent];
		last_child[parent] = (uint32_t)b;
		depth[b] = depth[parent] + 1;
	}
	size_t stacked = 0;
	if (count > 0) stack[stacked++] = 0;
	while (stacked > 0) {
		const uint32_t bone = stack[--stacked];
		put_bone(page, f, bone, depth[bone]);
		for (uint32_t child = last_child[bone]; child != OSSA_NONE; child = sibling[child]) stack[stacked++] = child;
	}
	ossa_free(f->context, memory);
}

void ossai_html_skeleton(ossai_page *page, const ossai_report_facts *f)
{
	ossai_page_markup(page,
		"<section><h2>Skeleton</h2>\n<p>Turns in the motion against the rest pose, and limits where they were set, in degrees "
		"about each "
		"joint's own axes. <b>hinge</b>: turns about one axis; <b>ball</b>: about several; <b>welded</b>: never.</p>\n"
		"<div class=\"scroll\" tabindex=\"0\"><table class=\"tree\">\n<thead><tr><th scope=\"col\">Bone</th><th "
		"scope=\"col\">Kind</th>"
		"<th scope=\"col\">About x</th><th scope=\"col\">y</th><th scope=\"col\">z</th>");
	if (f->bone_rms) ossai_page_markup(page, "<th scope=\"col\">Error, %</th>");
	ossai_page_markup(page, "</tr></thead>\n<tbody>\n");
	put_tree(page, f);
	ossai_page_markup(page, "</tbody></table></div></section>\n");
}

/* report/html_skeleton.c: the skeleton as a tree: names, kinds, turns, limits, errors.

   Place in the path: the HTML report.
   Input: its facts.
   Output: a section of the page. */
#include "report/html.h"

#include <math.h>

enum { DEPTH_SHOWN = 24 };

/* the columns that hold something */
typedef struct tree_columns {
	bool kinds, turns, roles, doubts;
} tree_columns;

/* joints have kinds from motion, turns in it, or limits that were set */
static tree_columns choose_columns(const ossa_rig *rig)
{
	tree_columns columns = {.turns = rig->clip != NULL};
	for (size_t b = 1; b < rig->skeleton.bone_count; b++) {
		const ossa_bone *bone = &rig->skeleton.bones[b];
		columns.kinds = columns.kinds || bone->kind != OSSA_JOINT_UNKNOWN;
		columns.turns = columns.turns || (bone->has_limits && !bone->limits_of_motion);
	}
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		columns.roles = columns.roles || rig->skeleton.bones[b].role.part != OSSA_PART_NONE;
		columns.doubts = columns.doubts || rig->skeleton.bones[b].deviation > 0;
	}
	return columns;
}

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

/* empty where nothing is known */
static void put_doubt(ossai_page *page, const ossa_bone *bone)
{
	ossai_page_markup(page, "<td class=\"number\">");
	if (bone->deviation > 0) ossai_page_number(page, bone->deviation, 3);
	ossai_page_markup(page, "</td>");
}

/* of a joint that slides with its limits, in units of the mesh */
static void put_kind(ossai_page *page, const ossa_bone *bone)
{
	ossai_page_format(page, "<td>%s", ossa_joint_kind_name(bone->kind));
	if (bone->kind == OSSA_JOINT_PRISMATIC && bone->has_limits) {
		ossai_page_markup(page, " <small>");
		ossai_page_number(page, bone->slide_limits[0], 3);
		ossai_page_markup(page, " to ");
		ossai_page_number(page, bone->slide_limits[1], 3);
		ossai_page_markup(page, "</small>");
	}
	ossai_page_markup(page, "</td>");
}

static void put_bone(ossai_page *page, const ossai_report_facts *f, tree_columns columns, size_t index, size_t depth)
{
	const ossa_bone *bone = &f->rig->skeleton.bones[index];
	char role[OSSA_BODY_TEXT];
	const int indent = (int)(depth < DEPTH_SHOWN ? depth : DEPTH_SHOWN);
	ossai_page_format(page, "<tr><th scope=\"row\" style=\"padding-left:%dem\">%s", indent + 1, indent > 0 ? "&#8627; " : "");
	ossai_page_words(page, bone->name);
	ossai_page_markup(page, "</th>");
	if (columns.roles) ossai_page_format(page, "<td>%s</td>", ossa_role_print(bone->role, role, sizeof role));
	if (columns.doubts) put_doubt(page, bone);
	if (columns.kinds) put_kind(page, bone);
	if (columns.turns) put_turns(page, f, index);
	if (f->bone_rms) {
		ossai_page_markup(page, "<td class=\"number\">");
		if (isfinite(f->bone_rms[index])) ossai_page_number(page, f->bone_rms[index], 3);
		ossai_page_markup(page, "</td>");
	}
	ossai_page_markup(page, "</tr>\n");
}

/* children after their parent and before its next sibling */
static void put_tree(ossai_page *page, const ossai_report_facts *f, tree_columns columns)
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
		put_bone(page, f, columns, bone, depth[bone]);
		for (uint32_t child = last_child[bone]; child != OSSA_NONE; child = sibling[child]) stack[stacked++] = child;
	}
	ossa_free(f->context, memory);
}

static void put_body(ossai_page *page, const ossa_body *body)
{
	char text[OSSA_BODY_TEXT];
	if (!ossa_body_is_known(body)) return;
	ossai_page_format(page, "<p>Recognized in the shape: %s. ", ossa_body_print(body, text, sizeof text));
	ossai_page_format(page, "It faces %s.</p>\n", ossa_body_front_print(body, text, sizeof text));
}

void ossai_html_skeleton(ossai_page *page, const ossai_report_facts *f)
{
	const tree_columns columns = choose_columns(f->rig);
	ossai_page_markup(page, "<section><h2>Skeleton</h2>\n");
	put_body(page, &f->rig->body);
	if (columns.turns) {
		ossai_page_markup(page,
			"<p>Turns in the motion against the rest pose, and limits where they were set, in degrees about each joint's own "
			"axes.");
		if (columns.kinds) {
			ossai_page_markup(page, " <b>hinge</b>: turns about one axis; <b>ball</b>: about several; <b>welded</b>: never.");
		}
		ossai_page_markup(page, "</p>\n");
	}
	ossai_page_markup(
		page, "<div class=\"scroll\" tabindex=\"0\"><table class=\"tree\">\n<thead><tr><th scope=\"col\">Bone</th>");
	if (columns.roles) ossai_page_markup(page, "<th scope=\"col\">Part</th>");
	if (columns.doubts) ossai_page_markup(page, "<th scope=\"col\">Sure within, units</th>");
	if (columns.kinds) ossai_page_markup(page, "<th scope=\"col\">Kind</th>");
	if (columns.turns) {
		ossai_page_markup(page, "<th scope=\"col\">About x</th><th scope=\"col\">y</th><th scope=\"col\">z</th>");
	}
	if (f->bone_rms) ossai_page_markup(page, "<th scope=\"col\">Error, %</th>");
	ossai_page_markup(page, "</tr></thead>\n<tbody>\n");
	put_tree(page, f, columns);
	ossai_page_markup(page, "</tbody></table></div></section>\n");
}

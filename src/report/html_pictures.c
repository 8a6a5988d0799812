/* report/html_pictures.c: pictures in the page: the rest, the bones, the worst frame, joints bent.

   Place in the path: the HTML report.
   Input: its facts.
   Output: pictures as PNG data, on no background so that they suit any page. */
#include "report/html.h"
#include <ossa/edit_motion.h>
#include "report/palette.h"
#include "report/ramp.h"

#include <math.h>
#include <string.h>

enum { BENDS = 3, RAMP_STEPS = 32, NAME_SIZE = 64 };

static const double bend_degrees = 60;
/* the share of the skin that a joint must move for a picture of its bend */
static const double least_share = 0.02, most_share = 0.9;

/* One picture and its caption. */
typedef struct shot {
	const ossa_clip *clip; /* NULL: the rig's */
	int frame;
	ossa_picture_color color;
	bool skeleton;
	int width, height;
	const char *words; /* the subject */
} shot;

static void put_image(ossai_page *page, const ossai_report_facts *f, const ossa_picture *picture, const char *words)
{
	uint8_t *bytes = NULL;
	size_t size = 0;
	if (!ossai_page_check(page, ossa_picture_png(f->context, picture, &bytes, &size))) return;
	ossai_page_format(page, "<img width=\"%zu\" height=\"%zu\" alt=\"", picture->width, picture->height);
	ossai_page_words(page, words);
	ossai_page_markup(page, "\" src=\"data:image/png;base64,");
	ossai_page_bytes(page, bytes, size);
	ossai_page_markup(page, "\"/>\n");
	ossa_free(f->context, bytes);
}

/* returns the largest value of the ramp */
static double put_shot(ossai_page *page, const ossai_report_facts *f, const shot *s)
{
	if (page->status != OSSA_OK) return 0;
	ossa_picture_options options = ossa_picture_default();
	options.width = s->width;
	options.height = s->height;
	options.color = s->color;
	options.skeleton = s->skeleton;
	options.transparent = true;
	options.legend = false;
	const ossa_picture_subject subject = {.rig = f->rig, .clip = s->clip, .frames = f->report->frames};
	ossa_picture *picture = NULL;
	if (!ossai_page_check(page, ossa_picture_draw(f->context, &subject, &s->frame, 1, &options, &picture))) return 0;
	put_image(page, f, picture, s->words);
	const double largest = picture->largest;
	ossa_picture_free(f->context, picture);
	return largest;
}

void ossai_html_portrait(ossai_page *page, const ossai_report_facts *f)
{
	if (f->rig->mesh->vertex_count == 0) return;
	const shot rest = {NULL, -1, OSSA_PICTURE_MATERIALS, true, 620, 470, "the rest pose with its skeleton"};
	const shot bones = {NULL, -1, OSSA_PICTURE_BONES, false, 620, 470, "the rest pose coloured by bones"};
	ossai_page_markup(page, "<div class=\"portraits\">\n<figure class=\"picture\">\n");
	put_shot(page, f, &rest);
	ossai_page_markup(page,
		"<figcaption>The rest pose and the skeleton; the root is yellow.</figcaption></figure>\n"
		"<figure class=\"picture\">\n");
	put_shot(page, f, &bones);
	ossai_page_markup(
		page, "<figcaption>The skin in the colours of its bones; soft borders are blends.</figcaption></figure></div>\n");
}

/* ---- the worst frame ---- */

/* the ramp from 0 to `top` as SVG: backgrounds of style sheets are not printed */
static void put_ramp(ossai_page *page, double top)
{
	ossai_encoding encoding;
	ossai_encoding_fill(&encoding);
	ossai_page_markup(page,
		"<svg class=\"ramp\" viewBox=\"0 0 320 12\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"colours from 0 to ");
	ossai_page_number(page, top, 3);
	ossai_page_markup(page, " %\">");
	for (int i = 0; i < RAMP_STEPS; i++) {
		const ossai_light light = ossai_color_light(ossai_ramp_color(i / (RAMP_STEPS - 1.0)));
		ossai_page_format(page, "<rect x=\"%d\" width=\"%d\" height=\"12\" fill=\"#%02x%02x%02x\"/>", i * 320 / RAMP_STEPS,
			320 / RAMP_STEPS + 1, ossai_encode(&encoding, light.r), ossai_encode(&encoding, light.g),
			ossai_encode(&encoding, light.b));
	}
	ossai_page_markup(page, "</svg>\n");
}

static void put_worst(ossai_page *page, const ossai_report_facts *f)
{
	const int frame = (int)f->worst_frame;
	const shot error = {NULL, frame, OSSA_PICTURE_ERROR, false, 560, 440, "the frame of the largest error, coloured by error"};
	ossai_page_markup(page, "<section><h2>The worst frame</h2>\n<div class=\"pictures\">\n<figure class=\"picture\">\n");
	const double largest = put_shot(page, f, &error);
	ossai_page_markup(page, "<figcaption><span class=\"scale\">0 ");
	put_ramp(page, largest);
	ossai_page_number(page, largest, 3);
	ossai_page_format(page,
		" %%</span> Frame %d, that of the largest error: the distance of each vertex from the input, in %% of the diagonal.",
		frame + 1);
	ossai_page_markup(page, "</figcaption></figure>\n");
	const shot bones = {NULL, frame, OSSA_PICTURE_BONES, true, 560, 440, "the same frame with its skeleton"};
	ossai_page_markup(page, "<figure class=\"picture\">\n");
	put_shot(page, f, &bones);
	ossai_page_format(
		page, "<figcaption>Frame %d with its skeleton, coloured by bones.</figcaption></figure></div></section>\n", frame + 1);
}

/* ---- bends ---- */

/* whether two bones are one limb's left and right: names that differ behind the last '_' alone */
static bool are_left_and_right(const char *a, const char *b)
{
	const char *end = strrchr(a, '_');
	const size_t length = end ? (size_t)(end - a) + 1 : 0;
	return length > 1 && strlen(a) == length + 1 && strlen(b) == length + 1 && strncmp(a, b, length) == 0;
}

/* the share of the skin that follows each bone and its descendants */
static void sum_skin(const ossa_rig *rig, double *share)
{
	const size_t slots = rig->weights.vertex_count * (size_t)rig->weights.influences;
	for (size_t i = 0; i < slots; i++) share[rig->weights.bones[i]] += rig->weights.values[i];
	for (size_t b = rig->skeleton.bone_count - 1; b > 0; b--) share[rig->skeleton.bones[b].parent] += share[b];
	const double whole = share[0] > 0 ? share[0] : 1;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) share[b] /= whole;
}

/* The joints whose bends are most informative: those that move some but not nearly all of the skin,
   by descending range of motion, then by descending skin; of left and right one, and none next to
   another. Returns how many. */
static size_t choose_joints(const ossa_rig *rig, const double *share, size_t chosen[BENDS])
{
	size_t count = 0;
	while (count < BENDS) {
		size_t best = SIZE_MAX;
		for (size_t b = 1; b < rig->skeleton.bone_count; b++) {
			const ossa_bone *bone = &rig->skeleton.bones[b];
			bool taken = share[b] < least_share || share[b] > most_share;
			for (size_t i = 0; i < count; i++) {
				const ossa_bone *known = &rig->skeleton.bones[chosen[i]];
				const bool next_to = bone->parent == (int32_t)chosen[i] || known->parent == (int32_t)b;
				taken = taken || chosen[i] == b || next_to || are_left_and_right(bone->name, known->name);
			}
			if (taken) continue;
			const ossa_bone *other = best == SIZE_MAX ? NULL : &rig->skeleton.bones[best];
			const bool farther = other && bone->turn_degrees > other->turn_degrees + 1e-6;
			const bool same = other && fabs(bone->turn_degrees - other->turn_degrees) <= 1e-6;
			if (!other || farther || (same && share[b] > share[best] + 1e-9)) best = b;
		}
		if (best == SIZE_MAX) break;
		chosen[count++] = best;
	}
	return count;
}

/* the direction in which it bends in the motion, else about its own x */
static ossa_status bend_joint(const ossai_report_facts *f, size_t bone, ossa_clip **bent)
{
	double axis[3];
	ossa_clip *rest = NULL;
	if (!ossa_rig_bend_axis(f->rig, NULL, bone, axis)) axis[0] = 1;
	ossa_motion_edit edit = ossa_motion_edit_default(OSSA_MOTION_TURN, bone);
	ossa_turn_about(axis, bend_degrees, edit.rotation);
	OSSAI_TRY(ossa_clip_of_rest(f->context, f->rig, 1, 24, &rest));
	const ossa_status status = ossa_motion_edit_apply(f->context, f->rig, rest, 1, &edit, bent);
	ossa_clip_free(f->context, rest);
	return status;
}

static void put_bend(ossai_page *page, const ossai_report_facts *f, size_t bone)
{
	ossa_clip *bent = NULL;
	if (page->status != OSSA_OK || !ossai_page_check(page, bend_joint(f, bone, &bent))) return;
	const shot bend = {bent, 0, OSSA_PICTURE_BONES, false, 420, 360, "one joint bent, coloured by bones"};
	ossai_page_markup(page, "<figure class=\"picture\">\n");
	put_shot(page, f, &bend);
	ossai_page_markup(page, "<figcaption>");
	ossai_page_words(page, f->rig->skeleton.bones[bone].name);
	ossai_page_format(page, " bent by %d degrees from rest.</figcaption></figure>\n", (int)bend_degrees);
	ossa_clip_free(f->context, bent);
}

static void put_bends(ossai_page *page, const ossai_report_facts *f)
{
	size_t chosen[BENDS];
	if (page->status != OSSA_OK) return;
	double *share = ossa_alloc(f->context, f->rig->skeleton.bone_count, sizeof *share);
	if (!ossai_page_check(page, share ? OSSA_OK : ossa_context_error(f->context)->status)) return;
	sum_skin(f->rig, share);
	const size_t count = choose_joints(f->rig, share, chosen);
	if (count > 0) {
		ossai_page_markup(page,
			"<section><h2>Joints bent</h2>\n<p>The quality of weights shows when a joint bends: look for skin that tears, "
			"collapses or moves along with the wrong limb.</p>\n<div class=\"pictures\">\n");
	}
	for (size_t i = 0; i < count; i++) put_bend(page, f, chosen[i]);
	if (count > 0) ossai_page_markup(page, "</div></section>\n");
	ossa_free(f->context, share);
}

void ossai_html_pictures(ossai_page *page, const ossai_report_facts *f)
{
	if (f->rig->mesh->vertex_count == 0) return;
	if (f->frame_errors) put_worst(page, f);
	put_bends(page, f);
}

/* skeleton/from_motion/piece_slides.c: see piece_slides.h. */
#include "skeleton/from_motion/piece_slides.h"

#include "base/csr.h"
#include "base/order.h"
#include "skeleton/from_motion/joint_kind.h"
#include "skeleton/from_motion/joints.h"
#include "skeleton/from_motion/slide_contact.h"
#include "skeleton/from_motion/slide_fit.h"

#include <stdlib.h>
#include <string.h>

/* what moves rigidly: a piece, or a cluster of one that bends */
typedef struct part {
	uint32_t piece;
	double area, size, noise;
	ossai_slide_body body;
} part;

typedef struct finder {
	ossa_context *context;
	ossai_arena *arena;
	const ossai_piece_clusters *of;
	ossai_slide_measure measure;
	size_t part_count;
	part *parts;
	uint32_t *part_of_face, *part_of_cluster;
	ossai_bone_motion motion; /* of the parts */
	ossai_csr faces;          /* of each part */
	ossai_rigid *relative;    /* K: of the current pair */
	double *distance;         /* K: likewise */
	double *sorted;           /* K + 1: scratch */
} finder;

static ossa_status last_error(const finder *f) { return ossa_context_error(f->context)->status; }

/* ---- rigid parts ---- */

/* mean squares over the area of pieces: by their clusters, and by one motion each */
typedef struct piece_error {
	double area, by_clusters, whole;
	size_t vertices, clusters;
} piece_error;

/* Akaike's criterion: one motion in place of those of the clusters, where these explain no more
   than so many numbers explain of noise */
static bool is_rigid(const piece_error *e)
{
	if (e->clusters < 2 || !(e->area > 0)) return true;
	const double whole = e->whole / e->area, apart = e->by_clusters / e->area;
	return 3 * (double)e->vertices * log((whole + 1e-20) / (apart + 1e-20)) < 12 * (double)(e->clusters - 1);
}

static ossa_status measure_pieces(const finder *f, piece_error *errors)
{
	const ossai_posed_surface *s = &f->of->surface;
	ossai_bone_motion whole;
	OSSAI_TRY(ossai_bone_motion_new(f->arena, s->piece_count, s->pose_count, &whole));
	OSSAI_TRY(ossai_bone_motion_from_clusters(f->context, s, s->piece_of_face, &whole));
	for (size_t face = 0; face < s->face_count; face++) {
		piece_error *e = &errors[s->piece_of_face[face]];
		e->area += s->face_area[face];
		ossai_add_face_error(s, face, whole.rigid + s->piece_of_face[face] * s->pose_count, &e->whole);
	}
	for (size_t c = 0; c < f->of->count; c++) {
		const ossai_piece_cluster *own = &f->of->items[c];
		errors[own->piece].clusters++;
		errors[own->piece].by_clusters += own->area * own->noise * own->noise * (double)s->pose_count;
	}
	for (size_t v = 0; v < s->vertex_count; v++) {
		if (s->used[v] && s->piece_of_vertex[v] != OSSA_NONE) errors[s->piece_of_vertex[v]].vertices++;
	}
	return OSSA_OK;
}

static ossa_status find_parts(finder *f)
{
	const ossai_posed_surface *s = &f->of->surface;
	piece_error *errors = ossai_arena_zero(f->arena, s->piece_count, sizeof *errors);
	uint32_t *of_piece = ossai_arena_new(f->arena, s->piece_count, sizeof *of_piece);
	f->part_of_cluster = ossai_arena_new(f->arena, f->of->count, sizeof *f->part_of_cluster);
	if (!errors || !of_piece || !f->part_of_cluster) return last_error(f);
	OSSAI_TRY(measure_pieces(f, errors));
	for (size_t p = 0; p < s->piece_count; p++) of_piece[p] = OSSA_NONE;
	for (size_t c = 0; c < f->of->count; c++) {
		const uint32_t piece = f->of->items[c].piece;
		const bool whole = is_rigid(&errors[piece]);
		if (!whole || of_piece[piece] == OSSA_NONE) of_piece[piece] = (uint32_t)f->part_count++;
		f->part_of_cluster[c] = of_piece[piece];
	}
	for (size_t face = 0; face < s->face_count; face++)
		f->part_of_face[face] = f->part_of_cluster[f->of->cluster_of_face[face]];
	OSSAI_TRY(ossai_csr_of_keys(f->arena, f->part_count, s->face_count, f->part_of_face, &f->faces));
	OSSAI_TRY(ossai_bone_motion_new(f->arena, f->part_count, s->pose_count, &f->motion));
	return ossai_bone_motion_from_clusters(f->context, s, f->part_of_face, &f->motion);
}

static void measure_part(const finder *f, uint32_t number)
{
	const ossai_posed_surface *s = &f->of->surface;
	part *p = &f->parts[number];
	ossai_vec3 sum = {0, 0, 0};
	for (uint32_t i = f->faces.start[number]; i < f->faces.start[number + 1]; i++) {
		const uint32_t face = f->faces.item[i];
		p->piece = s->piece_of_face[face];
		p->area += s->face_area[face];
		for (size_t k = 0; k < 3; k++)
			sum = ossai_madd(sum, s->face_area[face] / 3, ossai_rest_point(s, s->triangles[3 * (size_t)face + k]));
		ossai_add_face_error(s, face, f->motion.rigid + number * s->pose_count, &p->noise);
	}
	const double share = p->area > 0 ? 1 / p->area : 0;
	p->body.center = ossai_scale(sum, share);
	p->noise = sqrt(p->noise * share / (double)s->pose_count);
	for (uint32_t i = f->faces.start[number]; i < f->faces.start[number + 1]; i++) {
		const uint32_t face = f->faces.item[i];
		for (size_t k = 0; k < 3; k++) {
			double x[3];
			ossai_v3_store(ossai_sub(ossai_rest_point(s, s->triangles[3 * (size_t)face + k]), p->body.center), x);
			for (int r = 0; r < 9; r++) p->body.m[r] += s->face_area[face] / 3 * share * x[r / 3] * x[r % 3];
		}
	}
	p->size = sqrt(p->body.m[0] + p->body.m[4] + p->body.m[8]);
}

/* ---- one pair ---- */

/* how B moves in A's frame */
static void relative_motion(const finder *f, uint32_t a, uint32_t b)
{
	const size_t poses = f->of->surface.pose_count;
	for (size_t k = 0; k < poses; k++) {
		const ossai_rigid back = ossai_rigid_inverse(&f->motion.rigid[a * poses + k]);
		f->relative[k] = ossai_rigid_mul(&back, &f->motion.rigid[b * poses + k]);
	}
}

/* Places along the axis that differ by more than twice what is unsure, the rest among them. Two
   define a line, each other one says that it is one. */
static size_t count_places(const finder *f, double unsure)
{
	const size_t poses = f->of->surface.pose_count;
	size_t count = 1;
	memcpy(f->sorted, f->distance, poses * sizeof *f->sorted);
	f->sorted[poses] = 0;
	qsort(f->sorted, poses + 1, sizeof *f->sorted, ossai_compare_doubles);
	double last = f->sorted[0];
	for (size_t k = 1; k <= poses; k++) {
		if (!(f->sorted[k] - last > 2 * unsure)) continue;
		last = f->sorted[k];
		count++;
	}
	return count;
}

static ossa_status is_held(const finder *f, uint32_t a, uint32_t b, const ossai_piece_slide *slide, bool *is)
{
	const ossai_csr *faces = &f->faces;
	const ossai_slide_pair pair = {.surface = &f->of->surface,
		.face_count = {ossai_csr_size(faces, a), ossai_csr_size(faces, b)},
		.faces = {faces->item + faces->start[a], faces->item + faces->start[b]},
		.axis = slide->axis,
		.size = f->parts[b].size,
		.slack = slide->slack,
		.pose_count = f->of->surface.pose_count,
		.distance = f->distance};
	ossai_arena scratch = ossai_arena_begin(f->context);
	const ossa_status status = ossai_slide_is_held(&scratch, &pair, is);
	ossai_arena_end(&scratch);
	return status;
}

/* `slide` has the parts, the place and the area where they touch */
static ossa_status try_slide(finder *f, ossai_piece_slide *slide, bool *slides)
{
	const bool turned = f->parts[slide->part[0]].area < f->parts[slide->part[1]].area;
	const uint32_t a = slide->part[turned], b = slide->part[!turned];
	const part *large = &f->parts[a], *small = &f->parts[b];
	const double play = f->measure.slack * (small->size + OSSAI_JOINT_NOISE);
	const double slack2 = large->noise * large->noise + small->noise * small->noise + play * play;
	relative_motion(f, a, b);
	const ossai_slide_fit fit = ossai_slide_fit_to(f->of->surface.pose_count, f->relative, &small->body, f->distance);
	const double free2 = fit.spread2 + slack2;
	const double doubt = fmax(small->size, OSSAI_JOINT_NOISE);
	const double gap = ossai_joint_fit_soft(&f->motion, a, b, slide->place, doubt, OSSAI_JOINT_NOISE).residual;
	const double slip2 = f->measure.joint_share * f->measure.joint_share * fit.spread2 + slack2;
	const double joint = fmax(ossai_joined_odds(gap * gap, slack2, free2), ossai_joined_odds(gap * gap, slip2, free2));
	slide->axis = fit.axis;
	slide->slack = sqrt(slack2);
	slide->odds = ossai_joined_odds(fit.residual2, slack2, free2) - fmax(joint, 0);
	*slides = slide->odds > 0 && 2 * ((double)count_places(f, slide->slack) - 2) * slide->odds > OSSAI_STRONG_EVIDENCE;
	return *slides ? is_held(f, a, b, slide, slides) : OSSA_OK;
}

/* ---- all pairs ---- */

/* contacts of two parts, nearest first */
static void describe(const finder *f, const ossai_piece_contact *first, size_t count, ossai_piece_slide *slide)
{
	const ossai_posed_surface *s = &f->of->surface;
	const bool turned = f->parts[first->a].piece > f->parts[first->b].piece;
	const uint32_t a = turned ? first->b : first->a, b = turned ? first->a : first->b;
	*slide = (ossai_piece_slide){
		.a = f->parts[a].piece, .b = f->parts[b].piece, .part = {a, b}, .place = ossai_piece_contacts_middle(s, first, count)};
	for (size_t i = 0; i < count; i++) slide->area += s->face_area[first[i].face];
}

static int compare_pieces(const void *a, const void *b)
{
	const ossai_piece_slide *x = a, *y = b;
	if (x->a != y->a) return x->a < y->a ? -1 : 1;
	if (x->b != y->b) return x->b < y->b ? -1 : 1;
	if (x->odds != y->odds) return x->odds > y->odds ? -1 : 1;
	return x->part[0] != y->part[0] ? (x->part[0] < y->part[0] ? -1 : 1)
									: (x->part[1] > y->part[1]) - (x->part[1] < y->part[1]);
}

static int compare_areas(const void *a, const void *b)
{
	const ossai_piece_slide *x = a, *y = b;
	return x->area != y->area ? (x->area > y->area ? -1 : 1) : compare_pieces(a, b);
}

/* the best of each two pieces, the largest contact first */
static void keep_best(ossai_piece_slides *slides)
{
	size_t kept = 0;
	qsort(slides->items, slides->count, sizeof *slides->items, compare_pieces);
	for (size_t i = 0; i < slides->count; i++) {
		const ossai_piece_slide *own = &slides->items[i];
		if (kept == 0 || own->a != slides->items[kept - 1].a || own->b != slides->items[kept - 1].b)
			slides->items[kept++] = *own;
	}
	slides->count = kept;
	qsort(slides->items, slides->count, sizeof *slides->items, compare_areas);
}

static ossa_status try_pairs(finder *f, size_t count, ossai_piece_contact *touches, ossai_piece_slides *slides)
{
	ossai_piece_contacts_sort(touches, count);
	for (size_t i = 0, alike; i < count; i += alike) {
		ossai_piece_slide slide;
		bool is_slide;
		alike = ossai_piece_contacts_alike(touches + i, count - i);
		describe(f, touches + i, alike, &slide);
		OSSAI_TRY(try_slide(f, &slide, &is_slide));
		if (is_slide) slides->items[slides->count++] = slide;
	}
	keep_best(slides);
	return OSSA_OK;
}

static ossa_status find(finder *f, size_t contact_count, const ossai_piece_contact *contacts, ossai_piece_slides *slides)
{
	OSSAI_TRY(find_parts(f));
	f->parts = ossai_arena_zero(f->arena, f->part_count, sizeof *f->parts);
	ossai_piece_contact *touches = ossai_arena_new(f->arena, contact_count, sizeof *touches);
	f->distance = ossai_arena_new(f->arena, f->of->surface.pose_count, sizeof *f->distance);
	f->relative = ossai_arena_new(f->arena, f->of->surface.pose_count, sizeof *f->relative);
	slides->items = ossai_arena_new(f->arena, contact_count, sizeof *slides->items);
	f->sorted = ossai_arena_new(f->arena, f->of->surface.pose_count + 1, sizeof *f->sorted);
	if (!f->parts || !touches || !f->distance || !f->relative || !f->sorted || !slides->items) return last_error(f);
	for (uint32_t p = 0; p < f->part_count; p++) measure_part(f, p);
	for (size_t i = 0; i < contact_count; i++) {
		const uint32_t a = f->part_of_cluster[contacts[i].a], b = f->part_of_cluster[contacts[i].b];
		touches[i] = contacts[i];
		touches[i].a = a < b ? a : b;
		touches[i].b = a < b ? b : a;
	}
	return try_pairs(f, contact_count, touches, slides);
}

ossa_status ossai_piece_slides_find(ossai_arena *arena, const ossai_piece_clusters *clusters, size_t contact_count,
	const ossai_piece_contact *contacts, ossai_slide_measure measure, ossai_piece_slides *slides)
{
	finder f = {.context = arena->context, .arena = arena, .of = clusters, .measure = measure};
	*slides = (ossai_piece_slides){0};
	slides->part_of_face = f.part_of_face = ossai_arena_new(arena, clusters->surface.face_count, sizeof *f.part_of_face);
	return f.part_of_face ? find(&f, contact_count, contacts, slides) : last_error(&f);
}

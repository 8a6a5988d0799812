/* methods/pieces/contraction_pieces.c: the outlines of contraction for a mesh whose pieces are
   rigged separately.

   Input: a prepared mesh of several pieces.
   Output: one rig.
   A piece that is large enough passes through all stages as if it were alone, in a scale of its
   own. The skeletons of several are children of a common root, which is on the ground below their
   center. Pieces that are mirror images of each other get images of one skeleton. Small pieces are
   rigid, or follow the nearest skin (methods/pieces/pieces.h). */
#include "methods/pieces/apart.h"

#include <math.h>
#include <string.h>

/* Pieces that get bones, at most: where a number of bones is given, and where none is; then also
   those that are rigid. */
enum { MOST_PIECES = 256, USUAL_PIECES = 192, USUAL_RIGID = 64 };
/* progress of the stage "proxy": what is done when proxies are made */
/* vertices of a proxy, at least, and of all proxies, at most: a multiple of those of one */
enum { FEWEST_VERTICES = 500, PROXIES = 8 };

/* ---- prepare ---- */

/* as many vertices as the piece would have alone; where that is too many in all, in proportion to
   the pieces' lengths */
static int proxy_size_of(const ossai_apart *a, size_t place)
{
	const double wanted = a->whole->own.proxy_size;
	double sum = 0;
	for (size_t i = 0; i < a->pieces.skeletons; i++) sum += sqrt(a->pieces.piece[i].area);
	const double share = fmin(1, PROXIES * sqrt(a->pieces.piece[place].area) / sum);
	return (int)fmax(fmin(wanted, FEWEST_VERTICES), wanted * share);
}

static ossa_status begin_piece(ossai_apart *a, size_t place)
{
	ossai_still_work *still = &a->whole->still;
	ossai_contraction *c = &a->each[place];
	*c = (ossai_contraction){.own = a->whole->own, .is_piece = true};
	c->own.proxy_size = proxy_size_of(a, place);
	c->own.join = 0;
	OSSAI_TRY(ossai_piece_mesh(still->arena, still->mesh, &a->pieces, place, &a->vertices[place], &a->meshes[place]));
	c->still = (ossai_still_work){.context = still->context, .arena = still->arena, .mesh = a->meshes[place]};
	return ossai_still_prepare(&c->still);
}

/* without warnings: those about the faces were given for the whole mesh */
static ossa_status begin_pieces(ossai_apart *a)
{
	ossa_context *context = a->whole->still.context;
	ossai_warnings *before = ossai_warnings_save(context);
	ossa_status status = before ? OSSA_OK : ossa_context_error(context)->status;
	for (size_t i = 0; status == OSSA_OK && i < a->pieces.skeletons; i++) status = begin_piece(a, i);
	if (before) ossai_warnings_restore(context, before);
	ossa_free(context, before);
	return status;
}

/* callers who give no number of bones get no more than engines support; callers who give one, or
   the size of the smallest rigid piece, get what they ask for */
static ossai_piece_limits limits_of(const ossa_contraction_options *own)
{
	const bool is_usual = own->bones == 0 && own->along_below == ossa_contraction_default().along_below;
	return (ossai_piece_limits){.bone_below = own->rigid_below / 100,
		.along_below = own->along_below / 100,
		.most = own->bones > 0 ? MOST_PIECES : USUAL_PIECES,
		.most_rigid = is_usual ? USUAL_RIGID : SIZE_MAX,
		.bones = own->bones > 0 ? (size_t)own->bones : OSSAI_APART_BONES};
}

static ossa_status prepare(ossai_apart *a)
{
	ossai_still_work *still = &a->whole->still;
	const ossai_piece_limits limits = limits_of(&a->whole->own);
	OSSAI_TRY(ossai_pieces_find(still->arena, &still->surface, &limits, &a->pieces));
	const size_t count = a->mesh_count = a->pieces.skeletons;
	a->each = ossai_arena_zero(still->arena, count, sizeof *a->each);
	a->vertices = ossai_arena_zero(still->arena, count, sizeof *a->vertices);
	a->first = ossai_arena_zero(still->arena, count + a->pieces.bones, sizeof *a->first);
	a->meshes = ossai_arena_zero(still->arena, count, sizeof *a->meshes);
	if (!a->each || !a->vertices || !a->first || !a->meshes) return ossa_context_error(still->context)->status;
	OSSAI_TRY(begin_pieces(a));
	ossai_apart_warn_of_roles(a);
	return OSSA_OK;
}

/* ---- stages of each piece ---- */

/* all pieces that are no mirror images; progress runs from `begin` to `end` */
static ossa_status for_each(ossai_apart *a, double begin, double end, ossai_contraction_stage *stage)
{
	for (size_t i = 0; i < a->pieces.skeletons; i++) {
		ossai_apart_set_subject(a, i, begin, end);
		if (a->pieces.piece[i].image == OSSA_NONE) OSSAI_TRY(stage(&a->each[i]));
	}
	ossai_apart_clear_subject(a, end);
	return OSSA_OK;
}

/* a piece with hardly any surface becomes rigid */
static void stiffen(ossai_apart *a, size_t place)
{
	const size_t behind = a->pieces.skeletons - 1 - place;
	ossa_mesh *mesh = a->meshes[place];
	memmove(a->each + place, a->each + place + 1, behind * sizeof *a->each);
	memmove(a->meshes + place, a->meshes + place + 1, behind * sizeof *a->meshes);
	memmove(a->vertices + place, a->vertices + place + 1, behind * sizeof *a->vertices);
	a->meshes[place + behind] = mesh;
	ossai_pieces_stiffen(&a->pieces, place);
}

static ossa_status make_proxies(ossai_apart *a, double end, ossai_contraction_stage *make)
{
	ossa_status status = OSSA_OK;
	for (size_t i = 0; i < a->pieces.skeletons;) {
		ossai_apart_set_subject(a, i, 0, end);
		status = make(&a->each[i]);
		if (status != OSSA_OK && (status != OSSA_ERROR_INPUT || a->pieces.skeletons == 1)) return status;
		if (status == OSSA_OK) i++;
		else stiffen(a, i);
	}
	ossai_apart_clear_subject(a, end);
	return OSSA_OK;
}

static ossa_status published_proxies(ossai_apart *a) { return make_proxies(a, 1, ossai_contraction_published_proxy); }

/* images are found before anything is measured: they get the skeletons of their originals */
static ossa_status refined_proxies(ossai_apart *a)
{
	OSSAI_TRY(make_proxies(a, 1, ossai_contraction_refined_proxy));
	return a->whole->own.symmetry != OSSA_SYMMETRY_OFF ? ossai_apart_find_images(a) : OSSA_OK;
}

static ossa_status published_contract(ossai_apart *a) { return for_each(a, 0, 1, ossai_contraction_published_contract); }
static ossa_status refined_contract(ossai_apart *a) { return for_each(a, 0, 1, ossai_contraction_refined_contract); }

/* shares the paper's number of control points among the pieces by their lengths; each gets one at
   least */
static void share_points(ossai_apart *a)
{
	const size_t count = a->pieces.skeletons,
				 all = a->whole->own.bones > 0 ? (size_t)a->whole->own.bones : OSSAI_PUBLISHED_POINTS;
	const size_t others = ossai_pieces_other_bones(&a->pieces) + count;
	const double rest = all > others ? (double)(all - others) : 0;
	double sum = 0, given = 0, before = 0;
	for (size_t i = 0; i < count; i++) sum += sqrt(a->pieces.piece[i].area);
	for (size_t i = 0; i < count; i++) {
		given += sqrt(a->pieces.piece[i].area);
		const double until = nearbyint(rest * given / sum);
		a->each[i].own.bones = 1 + (int)(until - before);
		before = until;
	}
}

static ossa_status published_curves(ossai_apart *a)
{
	share_points(a);
	return for_each(a, 0, 1, ossai_contraction_published_curve);
}

static ossa_status refined_curves(ossai_apart *a) { return for_each(a, 0, 1, ossai_contraction_refined_curve); }

/* ---- the outlines ---- */

static ossa_status run_published(ossai_apart *a, ossa_rig **rig)
{
	ossa_context *context = a->whole->still.context;
	OSSAI_TRY(OSSAI_STAGE(context, "prepare", prepare(a)));
	OSSAI_TRY(OSSAI_STAGE(context, "proxy", published_proxies(a)));
	OSSAI_TRY(OSSAI_STAGE(context, "contraction", published_contract(a)));
	OSSAI_TRY(OSSAI_STAGE(context, "curve", published_curves(a)));
	OSSAI_TRY(OSSAI_STAGE(context, "skeleton", ossai_apart_published_skeletons(a)));
	OSSAI_TRY(OSSAI_STAGE(context, "weights", ossai_apart_weigh(a, ossai_contraction_published_weights)));
	return ossai_apart_assemble_published(a, rig);
}

static ossa_status run_refined(ossai_apart *a, ossa_rig **rig)
{
	ossa_context *context = a->whole->still.context;
	OSSAI_TRY(OSSAI_STAGE(context, "prepare", prepare(a)));
	OSSAI_TRY(OSSAI_STAGE(context, "proxy", refined_proxies(a)));
	OSSAI_TRY(OSSAI_STAGE(context, "contraction", refined_contract(a)));
	OSSAI_TRY(OSSAI_STAGE(context, "curve", refined_curves(a)));
	OSSAI_TRY(OSSAI_STAGE(context, "skeleton", ossai_apart_refined_skeletons(a)));
	OSSAI_TRY(OSSAI_STAGE(context, "weights", ossai_apart_weigh(a, ossai_contraction_refined_weights)));
	return ossai_apart_assemble_refined(a, rig);
}

/* ---- the whole ---- */

static void end(ossai_apart *a)
{
	ossai_apart_clear_subject(a, 0);
	for (size_t i = 0; a->meshes && i < a->mesh_count; i++) ossa_mesh_free(a->whole->still.context, a->meshes[i]);
}

ossa_status ossai_contraction_pieces_published(ossai_contraction *whole, ossa_rig **rig)
{
	ossai_apart a = {.whole = whole};
	const ossa_status status = run_published(&a, rig);
	end(&a);
	return status;
}

ossa_status ossai_contraction_pieces_refined(ossai_contraction *whole, ossa_rig **rig)
{
	ossai_apart a = {.whole = whole};
	const ossa_status status = run_refined(&a, rig);
	end(&a);
	return status;
}

/* methods/pieces/contraction_pieces.c: pieces of a mesh, each contracted and rigged for itself, and the one rig that they become.

   Place in the path: pieces, contraction's stages -> here -> the rig.
   A piece that is large enough goes through all stages as if it were alone, on a scale of its own. The skeletons of several hang under a common
   root, on the ground below their middle. Pieces that are images of each other get images of one skeleton. What is small is rigid, or
   moves with the skin beside it (methods/pieces/pieces.h). */
#include "methods/pieces/apart.h"

#include <math.h>
#include <string.h>

/* pieces that get bones at most: of a number that is given, and where none is; then most of one bone, too */
enum { MOST_PIECES = 256, USUAL_PIECES = 192, USUAL_RIGID = 64 };
/* of the stage of that name: what finding images leaves of it */
static const double PROXIES_SHARE = 0.9;
/* proxies: no piece has fewer vertices, and all together so many times those of one */
enum { FEWEST_VERTICES = 500, PROXIES = 8 };

/* ---- prepare ---- */

/* as many as it would have alone, unless all together would have too many: then as their sizes are */
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

/* quietly: what is odd about faces was told of the whole */
static ossa_status begin_pieces(ossai_apart *a)
{
	ossa_context *context = a->whole->still.context;
	ossai_warnings *told = ossai_warnings_save(context);
	ossa_status status = told ? OSSA_OK : ossa_context_error(context)->status;
	for (size_t i = 0; status == OSSA_OK && i < a->pieces.skeletons; i++) status = begin_piece(a, i);
	if (told) ossai_warnings_restore(context, told);
	ossa_free(context, told);
	return status;
}

/* who gives no number of bones is spared more than engines take; who gives one, or says how small the smallest rigid piece is, has thought
   about it */
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
	ossai_apart_tell_roles(a);
	return OSSA_OK;
}

/* ---- proxy ---- */

/* what has hardly a surface is rigid */
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

static ossa_status make_proxies(ossai_apart *a, ossai_contraction_stage *make)
{
	ossa_status status = OSSA_OK;
	for (size_t i = 0; i < a->pieces.skeletons;) {
		ossai_apart_turn_to(a, i, 0, PROXIES_SHARE);
		status = make(&a->each[i]);
		if (status != OSSA_OK && (status != OSSA_ERROR_INPUT || a->pieces.skeletons == 1)) return status;
		if (status == OSSA_OK) i++;
		else stiffen(a, i);
	}
	ossai_apart_turn_away(a, PROXIES_SHARE);
	return OSSA_OK;
}

static ossa_status published_proxies(ossai_apart *a) { return make_proxies(a, ossai_contraction_published_proxy); }

static ossa_status refined_proxies(ossai_apart *a)
{
	OSSAI_TRY(make_proxies(a, ossai_contraction_refined_proxy));
	return a->whole->own.symmetry != OSSA_SYMMETRY_OFF ? ossai_apart_find_images(a) : OSSA_OK;
}

/* ---- contraction, curve ---- */

static ossa_status for_each(ossai_apart *a, ossai_contraction_stage *stage)
{
	for (size_t i = 0; i < a->pieces.skeletons; i++) {
		ossai_apart_turn_to(a, i, 0, 1);
		if (a->pieces.piece[i].image == OSSA_NONE) OSSAI_TRY(stage(&a->each[i]));
	}
	ossai_apart_turn_away(a, 1);
	return OSSA_OK;
}

static ossa_status contract(ossai_apart *a) { return for_each(a, ossai_contraction_contract); }

/* the paper's control points: as the size of pieces is, each one at least */
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
	return for_each(a, ossai_contraction_published_curve);
}

static ossa_status refined_curves(ossai_apart *a) { return for_each(a, ossai_contraction_refined_curve); }

/* ---- weights ---- */

static ossa_status published_weights(ossai_apart *a) { return ossai_apart_weigh(a, ossai_contraction_published_weights); }

static ossa_status refined_weights(ossai_apart *a) { return ossai_apart_weigh(a, ossai_contraction_refined_weights); }

/* ---- the whole ---- */

static ossa_status run(ossai_apart *a, const char *name, ossa_status (*stage)(ossai_apart *apart))
{
	ossa_context *context = a->whole->still.context;
	const ossa_status entered = ossai_stage_enter(context, name);
	return ossai_stage_leave(context, entered == OSSA_OK ? stage(a) : entered);
}

static ossa_status run_published(ossai_apart *a, ossa_rig **rig)
{
	OSSAI_TRY(run(a, "prepare", prepare));
	OSSAI_TRY(run(a, "proxy", published_proxies));
	OSSAI_TRY(run(a, "contraction", contract));
	OSSAI_TRY(run(a, "curve", published_curves));
	OSSAI_TRY(run(a, "skeleton", ossai_apart_published_skeletons));
	OSSAI_TRY(run(a, "weights", published_weights));
	return ossai_apart_assemble_published(a, rig);
}

static ossa_status run_refined(ossai_apart *a, ossa_rig **rig)
{
	OSSAI_TRY(run(a, "prepare", prepare));
	OSSAI_TRY(run(a, "proxy", refined_proxies));
	OSSAI_TRY(run(a, "contraction", contract));
	OSSAI_TRY(run(a, "curve", refined_curves));
	OSSAI_TRY(run(a, "skeleton", ossai_apart_refined_skeletons));
	OSSAI_TRY(run(a, "weights", refined_weights));
	return ossai_apart_assemble_refined(a, rig);
}

static void end(ossai_apart *a)
{
	ossai_apart_turn_away(a, 0);
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

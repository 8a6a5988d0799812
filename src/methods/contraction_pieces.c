/* methods/contraction_pieces.c: pieces of a mesh, each contracted and rigged for itself, and the one rig that they become.

   Place in the path: pieces, contraction's stages -> here -> the rig.
   A piece that is large enough goes through all stages as if it were alone, on a scale of its own. The skeletons of several hang under a common
   root, on the ground below their middle. Pieces that are images of each other get images of one skeleton. What is small is rigid, or
   moves with the skin beside it (methods/pieces.h). */
#include "methods/apart.h"
#include "surface/room.h"

#include <math.h>
#include <string.h>

/* pieces that get bones at most */
enum { MOST_PIECES = 256 };
/* proxies: no piece has fewer vertices, and all together so many times those of one */
enum { FEWEST_VERTICES = 500, PROXIES = 8 };
/* images: points looked at, and how far they may be from the other's surface on average; share of its diagonal */
enum { IMAGE_POINTS = 250 };
static const double SAME_SURFACE = 0.01;

/* ---- prepare ---- */

/* as many as it would have alone, unless all together would have too many: then as their sizes are */
static int proxy_size_of(const ossai_apart *a, size_t place)
{
	const double wanted = a->whole.own.proxy_size;
	double sum = 0;
	for (size_t i = 0; i < a->pieces.skeletons; i++) sum += sqrt(a->pieces.piece[i].area);
	const double share = fmin(1, PROXIES * sqrt(a->pieces.piece[place].area) / sum);
	return (int)fmax(fmin(wanted, FEWEST_VERTICES), wanted * share);
}

static ossa_status begin_piece(ossai_apart *a, size_t place)
{
	ossai_recipe *r = &a->whole.recipe;
	ossai_contraction *c = &a->each[place];
	*c = (ossai_contraction){.own = a->whole.own};
	c->own.proxy_size = proxy_size_of(a, place);
	c->own.join = 0;
	OSSAI_TRY(ossai_piece_mesh(r->arena, r->mesh, &a->pieces, place, &a->vertices[place], &a->meshes[place]));
	c->recipe = (ossai_recipe){.context = r->context,
		.arena = r->arena,
		.method = r->method,
		.mesh = a->meshes[place],
		.options = {.influences = r->options.influences}};
	return ossai_still_prepare(&c->recipe);
}

static ossa_status prepare(ossai_recipe *r)
{
	ossai_apart *a = (ossai_apart *)r;
	const ossai_piece_limits limits = {.bone_below = a->whole.own.rigid_below / 100,
		.along_below = a->whole.own.along_below / 100,
		.most = MOST_PIECES,
		.bones = (size_t)a->whole.own.bones};
	OSSAI_TRY(ossai_pieces_find(r->arena, &r->surface, &limits, &a->pieces));
	const size_t count = a->mesh_count = a->pieces.skeletons;
	a->each = ossai_arena_zero(r->arena, count, sizeof *a->each);
	a->vertices = ossai_arena_zero(r->arena, count, sizeof *a->vertices);
	a->first = ossai_arena_zero(r->arena, count + a->pieces.bones, sizeof *a->first);
	a->meshes = ossai_arena_zero(r->arena, count, sizeof *a->meshes);
	if (!a->each || !a->vertices || !a->first || !a->meshes) return ossa_context_error(r->context)->status;
	for (size_t i = 0; i < count; i++) OSSAI_TRY(begin_piece(a, i));
	if (a->pieces.too_many == 0) return OSSA_OK;
	ossai_warn(r->context, "pieces-along", (int64_t)a->pieces.too_many,
		"%zu of %zu pieces, the smallest, get no bones of their own, or there would be too many: they move with the piece "
		"nearest to "
		"them",
		a->pieces.too_many, a->pieces.count);
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

/* the proxies of all, as one for the plane of symmetry */
static ossa_status join_proxies(ossai_arena *arena, const ossai_apart *a, ossai_proxy *all)
{
	*all = (ossai_proxy){.piece_count = 1};
	for (size_t i = 0; i < a->pieces.skeletons; i++) {
		all->vertex_count += a->each[i].proxy.vertex_count;
		all->face_count += a->each[i].proxy.face_count;
	}
	all->positions = ossai_arena_new(arena, all->vertex_count, 3 * sizeof *all->positions);
	all->triangles = ossai_arena_new(arena, all->face_count, 3 * sizeof *all->triangles);
	if (!all->positions || !all->triangles) return ossa_context_error(arena->context)->status;
	size_t vertices = 0, faces = 0;
	for (size_t i = 0; i < a->pieces.skeletons; i++) {
		const ossai_proxy *p = &a->each[i].proxy;
		for (size_t v = 0; v < p->vertex_count; v++) {
			ossai_v3_store(ossai_to_whole(a, i, ossai_v3_of(p->positions + 3 * v)), all->positions + 3 * (vertices + v));
		}
		for (size_t k = 0; k < 3 * p->face_count; k++) all->triangles[3 * faces + k] = (uint32_t)vertices + p->triangles[k];
		vertices += p->vertex_count;
		faces += p->face_count;
	}
	return OSSA_OK;
}

/* whether the mirror lays the surface of one piece on that of another */
static ossa_status lies_on(ossai_arena *arena, const ossai_apart *a, size_t from, size_t to, bool *lies)
{
	const ossai_proxy *p = &a->each[from].proxy;
	const size_t step = p->vertex_count / IMAGE_POINTS + 1;
	double sum = 0;
	size_t count = 0;
	ossai_room room;
	OSSAI_TRY(ossai_room_make(arena, &a->each[to].proxy, false, &room));
	for (size_t v = 0; v < p->vertex_count; v += step, count++) {
		sum += ossai_room_nearest(&room, ossai_to_image(a, from, to, ossai_v3_of(p->positions + 3 * v)), NULL, NULL);
	}
	*lies = count > 0 && sum <= SAME_SURFACE * (double)count;
	return OSSA_OK;
}

static ossa_status match_piece(ossai_arena *arena, ossai_apart *a, uint32_t place, uint8_t *taken)
{
	ossai_piece *piece = a->pieces.piece;
	for (uint32_t i = 0; i < place; i++) {
		if (taken[i] || !ossai_pieces_are_images(&a->whole.mirror, &piece[i], &piece[place])) continue;
		bool lies = true;
		if (place < a->pieces.skeletons) OSSAI_TRY(lies_on(arena, a, i, place, &lies));
		if (!lies) continue;
		piece[place].image = i;
		taken[i] = taken[place] = 1;
		return OSSA_OK;
	}
	return OSSA_OK;
}

static ossa_status find_images(ossai_arena *scratch, ossai_apart *a)
{
	const size_t count = a->pieces.skeletons + a->pieces.bones;
	ossai_proxy all;
	uint8_t *taken = ossai_arena_zero(scratch, count, 1);
	if (!taken) return ossa_context_error(scratch->context)->status;
	OSSAI_TRY(join_proxies(scratch, a, &all));
	OSSAI_TRY(ossai_mirror_find(scratch, &all, &a->whole.mirror));
	for (uint32_t i = 1; i < count && a->whole.mirror.exists; i++) OSSAI_TRY(match_piece(scratch, a, i, taken));
	return OSSA_OK;
}

static ossa_status make_proxies(ossai_recipe *r)
{
	ossai_apart *a = (ossai_apart *)r;
	ossa_status status = OSSA_OK;
	for (size_t i = 0; i < a->pieces.skeletons;) {
		status = ossai_contraction_proxy(&a->each[i].recipe);
		if (status != OSSA_OK && (status != OSSA_ERROR_INPUT || a->pieces.skeletons == 1)) return status;
		if (status == OSSA_OK) i++;
		else stiffen(a, i);
	}
	if (!ossai_contraction_refines(&a->whole) || a->whole.own.symmetry == OSSAI_SYMMETRY_OFF) return OSSA_OK;
	ossai_arena scratch = ossai_arena_begin(r->context);
	status = find_images(&scratch, a);
	ossai_arena_end(&scratch);
	return status;
}

/* ---- contraction, curve ---- */

static ossa_status for_each(ossai_apart *a, ossai_recipe_stage stage)
{
	for (size_t i = 0; i < a->pieces.skeletons; i++) {
		if (a->pieces.piece[i].image == OSSA_NONE) OSSAI_TRY(stage(&a->each[i].recipe));
	}
	return OSSA_OK;
}

static ossa_status contract(ossai_recipe *r) { return for_each((ossai_apart *)r, ossai_contraction_contract); }

/* the paper's control points: as the size of pieces is, each one at least */
static void share_points(ossai_apart *a)
{
	const size_t count = a->pieces.skeletons,
				 all = a->whole.own.bones > 0 ? (size_t)a->whole.own.bones : OSSAI_PUBLISHED_POINTS;
	const size_t others = a->pieces.bones + (count > 1 ? 1 : 0) + count;
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

static ossa_status collapse(ossai_recipe *r)
{
	ossai_apart *a = (ossai_apart *)r;
	if (!ossai_contraction_refines(&a->whole)) share_points(a);
	return for_each(a, ossai_contraction_collapse);
}

/* ---- the whole ---- */

static ossa_status run(ossai_apart *a, ossa_rig **rig)
{
	ossai_recipe *r = &a->whole.recipe;
	OSSAI_TRY(ossai_recipe_run(r, "prepare", prepare));
	OSSAI_TRY(ossai_recipe_run(r, "proxy", make_proxies));
	OSSAI_TRY(ossai_recipe_run(r, "contraction", contract));
	OSSAI_TRY(ossai_recipe_run(r, "curve", collapse));
	OSSAI_TRY(ossai_recipe_run(r, "skeleton", ossai_apart_place));
	OSSAI_TRY(ossai_recipe_run(r, "weights", ossai_apart_weigh));
	return ossai_apart_assemble(a, rig);
}

ossa_status ossai_contraction_of_pieces(ossai_contraction *whole, ossa_rig **rig)
{
	ossai_apart a = {.whole = *whole};
	const ossa_status status = run(&a, rig);
	for (size_t i = 0; a.meshes && i < a.mesh_count; i++) ossa_mesh_free(whole->recipe.context, a.meshes[i]);
	return status;
}

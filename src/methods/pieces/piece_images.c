/* methods/pieces/piece_images.c: the plane of symmetry of pieces that are rigged separately, and
   which of them are mirror images of each other.

   Place in the path: the proxies of all pieces -> here -> contraction_pieces. */
#include "methods/pieces/apart.h"
#include "query/clearance.h"

#include <math.h>
#include <stdlib.h>

/* points of a proxy that are compared with its image, about so many; and their mean distance from
   it, at most: a share of the size */
enum { IMAGE_POINTS = 250 };
static const double SAME_SURFACE = 0.01;
/* of so many of the largest pieces planes of symmetry are tried, and so many planes are measured */
enum { PLANE_PIECES = 48, PLANES = 4 };

/* ---- the plane ---- */

/* the proxies of all pieces as one */
static ossa_status join_proxies(ossai_arena *arena, const ossai_apart *a, ossai_proxy *all)
{
	*all = (ossai_proxy){.piece_count = 1};
	for (size_t i = 0; i < a->pieces.skeletons; i++) {
		all->vertex_count += a->each[i].still.proxy.vertex_count;
		all->face_count += a->each[i].still.proxy.face_count;
	}
	all->positions = ossai_arena_new(arena, all->vertex_count, 3 * sizeof *all->positions);
	all->triangles = ossai_arena_new(arena, all->face_count, 3 * sizeof *all->triangles);
	if (!all->positions || !all->triangles) return ossa_context_error(arena->context)->status;
	size_t vertices = 0, faces = 0;
	for (size_t i = 0; i < a->pieces.skeletons; i++) {
		const ossai_proxy *p = &a->each[i].still.proxy;
		for (size_t v = 0; v < p->vertex_count; v++) {
			ossai_v3_store(ossai_to_whole(a, i, ossai_v3_of(p->positions + 3 * v)), all->positions + 3 * (vertices + v));
		}
		for (size_t k = 0; k < 3 * p->face_count; k++) all->triangles[3 * faces + k] = (uint32_t)vertices + p->triangles[k];
		vertices += p->vertex_count;
		faces += p->face_count;
	}
	return OSSA_OK;
}

/* the number of pairs of pieces that are images of each other in the plane */
static size_t count_images(const ossai_pieces *p, size_t count, const ossai_mirror *mirror)
{
	uint8_t taken[PLANE_PIECES] = {0};
	size_t pairs = 0;
	for (size_t i = 1; i < count; i++) {
		for (size_t k = 0; k < i && !taken[i]; k++) {
			if (taken[k] || !ossai_pieces_are_images(mirror, &p->piece[k], &p->piece[i])) continue;
			taken[i] = taken[k] = 1;
			pairs++;
		}
	}
	return pairs;
}

/* the plane between the centers of two pieces */
static ossai_mirror plane_between(const ossai_piece *a, const ossai_piece *b)
{
	const ossai_vec3 across = ossai_sub(b->center, a->center);
	ossai_mirror plane = {.exists = ossai_length(across) > 0, .normal = ossai_unit(across, ossai_v3(1, 0, 0))};
	plane.offset = ossai_dot(plane.normal, ossai_scale(ossai_add(a->center, b->center), 0.5));
	return plane;
}

typedef struct choice {
	size_t images, order;
	ossai_mirror plane;
} choice;

static int by_images(const void *left, const void *right)
{
	const choice *a = left, *b = right;
	if (a->images != b->images) return a->images > b->images ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

/* A round shape has many planes of symmetry: the one with the most pairs of pieces is taken, such
   as the eyes of a round head. */
static ossa_status choose_plane(
	ossai_arena *scratch, const ossai_proxy *all, const ossai_clearance *clearance, const ossai_pieces *p, ossai_mirror *mirror)
{
	const size_t with_bones = p->skeletons + p->bones, count = with_bones < PLANE_PIECES ? with_bones : PLANE_PIECES;
	const size_t most = count_images(p, count, mirror);
	choice *choices = ossai_arena_new(scratch, count * count, sizeof *choices);
	size_t made = 0;
	if (!choices) return ossa_context_error(scratch->context)->status;
	for (size_t i = 1; i < count; i++) {
		for (size_t k = 0; k < i; k++) {
			const ossai_mirror plane = plane_between(&p->piece[k], &p->piece[i]);
			const size_t images = count_images(p, count, &plane);
			if (images > most) choices[made++] = (choice){images, i * count + k, plane};
		}
	}
	qsort(choices, made, sizeof *choices, by_images);
	for (size_t i = 0; i < made && i < PLANES; i++) {
		OSSAI_TRY(ossai_mirror_measure(scratch, all, clearance, &choices[i].plane));
		if (!choices[i].plane.exists) continue;
		*mirror = choices[i].plane;
		return OSSA_OK;
	}
	return OSSA_OK;
}

/* ---- images ---- */

/* whether the mirrored surface of one piece lies on that of another */
static bool lies_on(const ossai_apart *a, size_t from, size_t to, const ossai_clearance *other)
{
	const ossai_proxy *p = &a->each[from].still.proxy;
	const size_t step = p->vertex_count / IMAGE_POINTS + 1;
	double sum = 0;
	size_t count = 0;
	for (size_t v = 0; v < p->vertex_count; v += step, count++) {
		sum += ossai_clearance_nearest(other, ossai_to_image(a, from, to, ossai_v3_of(p->positions + 3 * v)), NULL, NULL);
	}
	return count > 0 && sum <= SAME_SURFACE * (double)count;
}

static ossa_status match_piece(ossai_arena *scratch, ossai_apart *a, uint32_t place, uint8_t *taken)
{
	ossai_piece *piece = a->pieces.piece;
	const bool has_surface = place < a->pieces.skeletons; /* pieces of one bone have no proxy */
	const ossai_mesh_view mesh = has_surface ? ossai_proxy_view(&a->each[place].still.proxy)
											 : (ossai_mesh_view){.positions = NULL};
	ossai_clearance own = {.group = NULL};
	for (uint32_t i = 0; i < place; i++) {
		if (taken[i] || !ossai_pieces_are_images(&a->whole->still.mirror, &piece[i], &piece[place])) continue;
		/* made when first needed */
		if (has_surface && !own.group) OSSAI_TRY(ossai_clearance_make(scratch, &mesh, false, &own));
		if (has_surface && !lies_on(a, i, place, &own)) continue;
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
	ossai_clearance clearance;
	const ossai_mesh_view mesh = ossai_proxy_view(&all);
	OSSAI_TRY(ossai_clearance_make(scratch, &mesh, false, &clearance));
	OSSAI_TRY(ossai_mirror_find(scratch, &all, &clearance, &a->whole->still.mirror));
	if (a->whole->still.mirror.exists) OSSAI_TRY(choose_plane(scratch, &all, &clearance, &a->pieces, &a->whole->still.mirror));
	for (uint32_t i = 1; i < count && a->whole->still.mirror.exists; i++) {
		ossai_arena of_piece = ossai_arena_begin(scratch->context);
		const ossa_status status = match_piece(&of_piece, a, i, taken);
		ossai_arena_end(&of_piece);
		OSSAI_TRY(status);
	}
	return OSSA_OK;
}

ossa_status ossai_apart_find_images(ossai_apart *a)
{
	ossai_arena scratch = ossai_arena_begin(a->whole->still.context);
	const ossa_status status = find_images(&scratch, a);
	ossai_arena_end(&scratch);
	return status;
}

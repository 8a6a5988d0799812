/* weights/match_pieces.c: see match_pieces.h. */
#include "weights/match_pieces.h"

#include "base/csr.h"
#include "query/facing.h"

#include <string.h>

typedef struct box {
	double low[3], high[3];
} box;

/* one of both surfaces, a tree for each piece */
typedef struct side {
	const ossai_pieces_view *pieces;
	ossai_csr points;    /* of each piece */
	uint32_t *triangles; /* in the order of the pieces */
	box *box;
	ossai_face_tree *tree;
	uint32_t *nearest; /* of each piece: that of the other surface, or OSSA_NONE */
} side;

/* ---- pieces ---- */

static void grow(box *b, ossai_vec3 p)
{
	const double at[3] = {p.x, p.y, p.z};
	for (int k = 0; k < 3; k++) {
		b->low[k] = ossai_lesser(b->low[k], at[k]);
		b->high[k] = ossai_larger(b->high[k], at[k]);
	}
}

static void find_boxes(side *s)
{
	for (size_t i = 0; i < s->pieces->piece_count; i++) {
		s->box[i] = (box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
		for (uint32_t k = s->points.start[i]; k < s->points.start[i + 1]; k++) {
			grow(&s->box[i], ossai_view_point(s->pieces->view, s->points.item[k]));
		}
	}
}

static ossa_status make_trees(ossai_arena *arena, side *s, const ossai_csr *faces)
{
	const ossai_mesh_view *whole = s->pieces->view;
	for (size_t i = 0; i < whole->face_count; i++) {
		memcpy(s->triangles + 3 * i, whole->triangles + 3 * (size_t)faces->item[i], 3 * sizeof *s->triangles);
	}
	for (size_t i = 0; i < s->pieces->piece_count; i++) {
		ossai_mesh_view piece = *whole;
		piece.triangles = s->triangles + 3 * (size_t)faces->start[i];
		piece.face_count = ossai_csr_size(faces, i);
		OSSAI_TRY(ossai_face_tree_make(arena, &piece, &s->tree[i]));
	}
	return OSSA_OK;
}

static ossa_status make_side(ossai_arena *arena, const ossai_pieces_view *pieces, side *s)
{
	const ossai_mesh_view *view = pieces->view;
	const size_t count = pieces->piece_count;
	s->pieces = pieces;
	uint32_t *piece_of_face = ossai_arena_new(arena, view->face_count, sizeof *piece_of_face);
	s->triangles = ossai_arena_new(arena, view->face_count, 3 * sizeof *s->triangles);
	s->box = ossai_arena_new(arena, count, sizeof *s->box);
	s->tree = ossai_arena_new(arena, count, sizeof *s->tree);
	s->nearest = ossai_arena_new(arena, count, sizeof *s->nearest);
	if (!piece_of_face || !s->triangles || !s->box || !s->tree || !s->nearest)
		return ossa_context_error(arena->context)->status;
	for (size_t f = 0; f < view->face_count; f++) piece_of_face[f] = pieces->piece_of_point[view->triangles[3 * f]];
	ossai_csr faces;
	OSSAI_TRY(ossai_csr_of_keys(arena, count, view->face_count, piece_of_face, &faces));
	OSSAI_TRY(ossai_csr_of_keys(arena, count, view->vertex_count, pieces->piece_of_point, &s->points));
	find_boxes(s);
	return make_trees(arena, s, &faces);
}

/* ---- distances ---- */

/* Hausdorff's distance is at least that between two sides of the boxes */
static double least_distance(const box *a, const box *b)
{
	double most = 0;
	for (int k = 0; k < 3; k++) {
		most = ossai_larger(most, ossai_larger(fabs(a->low[k] - b->low[k]), fabs(a->high[k] - b->high[k])));
	}
	return most;
}

/* the largest distance of a point of a piece from a tree, or any that is more than `enough` */
static double farthest(const side *s, size_t piece, const ossai_face_tree *tree, double enough)
{
	const ossai_facing any = {.tree = tree};
	double most = 0;
	for (uint32_t k = s->points.start[piece]; k < s->points.start[piece + 1] && !(most > enough); k++) {
		const ossai_facing_point p = {ossai_view_point(s->pieces->view, s->points.item[k]), {0, 0, 0}, OSSAI_PI, OSSA_NONE};
		most = ossai_larger(most, sqrt(ossai_facing_nearest(&any, &p, INFINITY).distance2));
	}
	return most;
}

static void find_nearest(const side *s, const side *other, double distance)
{
	for (size_t a = 0; a < s->pieces->piece_count; a++) {
		double best = distance;
		s->nearest[a] = OSSA_NONE;
		for (uint32_t b = 0; b < other->pieces->piece_count; b++) {
			const bool is_first = s->nearest[a] == OSSA_NONE;
			const double least = least_distance(&s->box[a], &other->box[b]);
			if (least > best || (least == best && !is_first)) continue;
			double found = farthest(s, a, &other->tree[b], best);
			if (!(found > best)) found = ossai_larger(found, farthest(other, b, &s->tree[a], best));
			if (found > best || (found == best && !is_first)) continue;
			best = found;
			s->nearest[a] = b;
		}
	}
}

static ossa_status run(
	ossai_arena *arena, const ossai_pieces_view *of, const ossai_pieces_view *others, double distance, uint32_t *copy_of)
{
	side a, b;
	OSSAI_TRY(make_side(arena, of, &a));
	OSSAI_TRY(make_side(arena, others, &b));
	find_nearest(&a, &b, distance);
	find_nearest(&b, &a, distance);
	for (uint32_t i = 0; i < of->piece_count; i++) {
		const uint32_t other = a.nearest[i];
		copy_of[i] = other != OSSA_NONE && b.nearest[other] == i ? other : OSSA_NONE;
	}
	return OSSA_OK;
}

ossa_status ossai_match_pieces_make(
	ossa_context *context, const ossai_pieces_view *of, const ossai_pieces_view *others, double distance, uint32_t *copy_of)
{
	ossai_arena scratch = ossai_arena_begin(context);
	const ossa_status status = run(&scratch, of, others, distance, copy_of);
	ossai_arena_end(&scratch);
	return status;
}

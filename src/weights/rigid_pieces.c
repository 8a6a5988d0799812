/* weights/rigid_pieces.c: see rigid_pieces.h. */
#include "weights/rigid_pieces.h"

#include "base/csr.h"

#include <string.h>

/* The log odds that a piece is rigid whose weights differ from their mean by at most s: LIKELY -
   LESS s. s is a sum over bones of absolute differences: 0 where all vertices agree, 2 where none
   do. */
static const double LIKELY = 2.35, LESS = 1.94;

typedef struct piece_weights {
	const ossai_posed_surface *surface;
	ossai_bone_weights *weights;
	ossai_csr vertices; /* of each piece */
	double *mean;       /* B: of the piece's weights over its surface */
} piece_weights;

static uint32_t vertex_at(const piece_weights *p, size_t piece, size_t i)
{
	return p->vertices.item[p->vertices.start[piece] + i];
}

static void take_mean(const piece_weights *p, size_t piece)
{
	const ossai_bone_weights *w = p->weights;
	const size_t count = ossai_csr_size(&p->vertices, piece);
	double area = 0;
	memset(p->mean, 0, w->bone_count * sizeof *p->mean);
	for (size_t i = 0; i < count; i++) area += p->surface->vertex_area[vertex_at(p, piece, i)];
	for (size_t i = 0; i < count; i++) {
		const size_t v = vertex_at(p, piece, i), at = v * w->width;
		/* a piece without area counts its vertices */
		const double share = area > 0 ? p->surface->vertex_area[v] / area : 1 / (double)count;
		for (size_t k = 0; k < w->count[v]; k++) p->mean[w->bone[at + k]] += share * w->value[at + k];
	}
}

/* sum over all bones of |weight - mean|; bones that do not move the vertex add their means */
static double differs(const piece_weights *p, size_t v)
{
	const ossai_bone_weights *w = p->weights;
	double sum = 1;
	for (size_t k = 0; k < w->count[v]; k++) {
		const double mean = p->mean[w->bone[v * w->width + k]];
		sum += fabs(w->value[v * w->width + k] - mean) - mean;
	}
	return sum;
}

static bool is_rigid(const piece_weights *p, size_t piece)
{
	double most = 0;
	for (size_t i = 0; i < ossai_csr_size(&p->vertices, piece); i++) most = fmax(most, differs(p, vertex_at(p, piece, i)));
	return LIKELY - LESS * most > 0;
}

static void make_rigid(const piece_weights *p, size_t piece)
{
	ossai_bone_weights *w = p->weights;
	uint16_t bone = 0;
	for (size_t b = 1; b < w->bone_count; b++) {
		if (p->mean[b] > p->mean[bone]) bone = (uint16_t)b;
	}
	for (size_t i = 0; i < ossai_csr_size(&p->vertices, piece); i++) {
		const size_t v = vertex_at(p, piece, i);
		w->count[v] = 1;
		w->bone[v * w->width] = bone;
		w->value[v * w->width] = 1;
	}
}

static bool is_asked(const uint8_t *is_out, size_t piece) { return !is_out || !is_out[piece]; }

/* area: by piece, zeroed */
static size_t find_largest(const ossai_posed_surface *surface, const uint8_t *is_out, double *area)
{
	size_t largest = SIZE_MAX;
	for (size_t f = 0; f < surface->face_count; f++) area[surface->piece_of_face[f]] += surface->face_area[f];
	for (size_t i = 0; i < surface->piece_count; i++) {
		if (is_asked(is_out, i) && (largest == SIZE_MAX || area[i] > area[largest])) largest = i;
	}
	return largest;
}

ossa_status ossai_rigid_pieces_keep(
	ossai_arena *arena, const ossai_posed_surface *surface, const uint8_t *is_out, ossai_bone_weights *weights, size_t *count)
{
	piece_weights p = {.surface = surface, .weights = weights};
	*count = 0;
	if (surface->piece_count < 2) return OSSA_OK;
	p.mean = ossai_arena_new(arena, weights->bone_count, sizeof *p.mean);
	double *area = ossai_arena_zero(arena, surface->piece_count, sizeof *area);
	if (!p.mean || !area) return ossa_context_error(arena->context)->status;
	OSSAI_TRY(ossai_csr_of_keys(arena, surface->piece_count, surface->vertex_count, surface->piece_of_vertex, &p.vertices));
	const size_t largest = find_largest(surface, is_out, area);
	for (size_t i = 0; i < surface->piece_count; i++) {
		if (i == largest || !is_asked(is_out, i)) continue;
		take_mean(&p, i);
		if (!is_rigid(&p, i)) continue;
		make_rigid(&p, i);
		++*count;
	}
	return OSSA_OK;
}

/* surface/coarse_surface.c: see coarse_surface.h. */
#include "surface/coarse_surface.h"

#include "base/csr.h"
#include "mesh/pairs.h"
#include "mesh/pieces.h"
#include "surface/collapse_vertices.h"

#include <string.h>

/* ---- the surface ---- */

/* numbers the vertices that are left, in their order; `name` (V) gets the numbers */
static void copy_vertices(const ossai_posed_surface *fine, const ossai_collapsed *left, uint32_t *name, ossai_posed_surface *s)
{
	uint32_t count = 0;
	for (uint32_t v = 0; v < fine->vertex_count; v++) {
		if (left->stands_for[v] != v) continue;
		memcpy(s->rest + 3 * (size_t)count, fine->rest + 3 * (size_t)v, 3 * sizeof *s->rest);
		memcpy(s->poses + 3 * s->pose_count * count, fine->poses + 3 * s->pose_count * v, 3 * s->pose_count * sizeof *s->poses);
		name[v] = count++;
	}
}

static ossa_status make_surface(ossa_context *context, ossai_arena *arena, const ossai_posed_surface *fine,
	const ossai_collapsed *left, uint32_t *name, ossai_posed_surface *s)
{
	uint32_t *triangles = ossai_arena_new(arena, left->face_count, 3 * sizeof *triangles);
	*s = *fine;
	s->vertex_count = left->vertex_count;
	s->face_count = left->face_count;
	s->first_of_vertex = NULL;
	OSSAI_TRY(ossai_posed_surface_take_arrays(arena, s));
	s->pose_center = fine->pose_center;
	if (!triangles) return ossa_context_error(context)->status;
	copy_vertices(fine, left, name, s);
	for (size_t i = 0; i < 3 * left->face_count; i++) triangles[i] = name[left->triangles[i]];
	s->triangles = triangles;
	ossai_posed_surface_mark_used(s);
	ossai_posed_surface_sum(context, s);
	OSSAI_TRY(ossai_adjacency_make(context, arena, s->vertex_count, s->face_count, s->triangles, &s->adjacency));
	s->patch_start = s->adjacency.vertex_start;
	s->patch_neighbor = s->adjacency.vertex_neighbor;
	return ossai_pieces_make(
		context, s->vertex_count, s->face_count, s->triangles, s->piece_of_face, s->piece_of_vertex, &s->piece_count);
}

/* ---- faces ---- */

/* faces that are gone follow their neighbours, from those that are left on */
static ossa_status spread_faces(
	ossa_context *context, const ossai_posed_surface *fine, const ossai_collapsed *left, uint32_t *of_face)
{
	ossai_arena scratch = ossai_arena_begin(context);
	ossai_csr next;
	uint32_t *queue = ossai_arena_new(&scratch, fine->face_count, sizeof *queue);
	ossa_status status = queue ? OSSA_OK : ossa_context_error(context)->status;
	if (status == OSSA_OK) {
		status = ossai_csr_of_edges(
			&scratch, fine->face_count, fine->adjacency.face_pair_count, fine->adjacency.face_pairs, &next);
	}
	size_t count = 0;
	for (uint32_t f = 0; status == OSSA_OK && f < left->face_count; f++) queue[count++] = left->face[f];
	for (size_t at = 0; at < count; at++) {
		const uint32_t f = queue[at];
		for (uint32_t i = next.start[f]; i < next.start[f + 1]; i++) {
			const uint32_t g = next.item[i];
			if (of_face[g] != OSSA_NONE) continue;
			of_face[g] = of_face[f];
			queue[count++] = g;
		}
	}
	ossai_arena_end(&scratch);
	return status;
}

/* faces that meet others in a vertex alone: any face of the vertex that stands for a corner */
static ossa_status place_others(
	ossa_context *context, const ossai_posed_surface *fine, const ossai_coarse_surface *coarse, uint32_t *of_face)
{
	const ossai_posed_surface *s = &coarse->surface;
	ossai_arena scratch = ossai_arena_begin(context);
	ossai_vertex_faces around;
	const ossa_status status = ossai_vertex_faces_make(
		context, &scratch, s->vertex_count, s->face_count, s->triangles, &around);
	for (size_t f = 0; status == OSSA_OK && f < fine->face_count; f++) {
		for (size_t i = 0; i < 3 && of_face[f] == OSSA_NONE; i++) {
			const uint32_t v = coarse->of_vertex[fine->triangles[3 * f + i]];
			if (v != OSSA_NONE && around.start[v] < around.start[v + 1]) of_face[f] = around.faces[around.start[v]];
		}
		if (of_face[f] == OSSA_NONE) of_face[f] = 0;
	}
	ossai_arena_end(&scratch);
	return status;
}

static ossa_status place_faces(
	ossa_context *context, const ossai_posed_surface *fine, const ossai_collapsed *left, ossai_coarse_surface *coarse)
{
	for (size_t f = 0; f < fine->face_count; f++) coarse->of_face[f] = OSSA_NONE;
	for (uint32_t f = 0; f < left->face_count; f++) coarse->of_face[left->face[f]] = f;
	OSSAI_TRY(spread_faces(context, fine, left, coarse->of_face));
	return place_others(context, fine, coarse, coarse->of_face);
}

/* ---- links ---- */

static ossa_status carry_links(
	ossa_context *context, ossai_arena *arena, const ossai_posed_surface *fine, ossai_coarse_surface *coarse)
{
	ossai_posed_surface *s = &coarse->surface;
	ossai_arena scratch = ossai_arena_begin(context);
	ossai_pair *pairs = ossai_arena_new(&scratch, fine->link_count + 1, sizeof *pairs);
	ossa_status status = pairs ? OSSA_OK : ossa_context_error(context)->status;
	size_t count = 0;
	for (size_t i = 0; pairs && i < fine->link_count; i++) {
		const uint32_t a = coarse->of_face[fine->links[2 * i]], b = coarse->of_face[fine->links[2 * i + 1]];
		if (a != b) pairs[count++] = ossai_pair_of(a, b, 0);
	}
	if (status == OSSA_OK) status = ossai_pairs_sort(context, pairs, count, s->face_count);
	if (status == OSSA_OK) status = ossai_pairs_unique(arena, pairs, count, &s->links, &s->link_count);
	ossai_arena_end(&scratch);
	return status;
}

/* ---- all ---- */

static ossa_status name_vertices(ossa_context *context, ossai_arena *arena, const ossai_posed_surface *fine,
	const ossai_collapsed *left, ossai_coarse_surface *coarse)
{
	ossai_arena scratch = ossai_arena_begin(context);
	uint32_t *name = ossai_arena_new(&scratch, fine->vertex_count, sizeof *name);
	ossa_status status = name ? make_surface(context, arena, fine, left, name, &coarse->surface)
							  : ossa_context_error(context)->status;
	for (size_t v = 0; status == OSSA_OK && v < fine->vertex_count; v++) {
		const uint32_t to = left->stands_for[v];
		/* faces that name a vertex twice are gone from the first round on */
		const bool has_face = to != OSSA_NONE && coarse->surface.used[name[to]];
		coarse->of_vertex[v] = has_face ? name[to] : OSSA_NONE;
	}
	ossai_arena_end(&scratch);
	return status;
}

ossa_status ossai_coarse_surface_make(
	ossa_context *context, ossai_arena *arena, const ossai_posed_surface *fine, size_t wanted, ossai_coarse_surface *coarse)
{
	*coarse = (ossai_coarse_surface){.of_vertex = ossai_arena_new(arena, fine->vertex_count, sizeof *coarse->of_vertex),
		.of_face = ossai_arena_new(arena, fine->face_count, sizeof *coarse->of_face)};
	if (!coarse->of_vertex || !coarse->of_face) return ossa_context_error(context)->status;
	ossai_arena scratch = ossai_arena_begin(context);
	ossai_collapsed left;
	ossa_status status = ossai_collapse_vertices(context, &scratch, fine, wanted, &left);
	if (status == OSSA_OK) status = name_vertices(context, arena, fine, &left, coarse);
	if (status == OSSA_OK) status = place_faces(context, fine, &left, coarse);
	if (status == OSSA_OK) status = carry_links(context, arena, fine, coarse);
	ossai_arena_end(&scratch);
	return status;
}

/* mesh/adjacency.c: the edges of a triangle mesh by counting sort, and what follows from them.

   Place in the path: first stage on the surface.
   Input: triangles.
   Output: ossai_adjacency, ossai_vertex_faces.
   All follows from the edges sorted by their two vertices, in linear time. */
#include "mesh/adjacency.h"
#include "base/csr.h"
#include "mesh/pairs.h"

/* More faces than this on one edge are chained in order: all pairs would be quadratic. */
enum { ALL_PAIRS_MAX = 16 };

static size_t gather_edges(size_t face_count, const uint32_t *triangles, ossai_pair *edges)
{
	size_t count = 0;
	for (size_t f = 0; f < face_count; f++) {
		for (int k = 0; k < 3; k++) {
			const uint32_t a = triangles[3 * f + k], b = triangles[3 * f + (k + 1) % 3];
			if (a != b) edges[count++] = ossai_pair_of(a, b, (uint32_t)f);
		}
	}
	return count;
}

/* sorted edges give every vertex its smaller neighbours first, both kinds rising: no further sort
   is needed */
static ossa_status make_neighbors(ossai_arena *arena, const ossai_pair *edges, size_t count, ossai_adjacency *adjacency)
{
	ossai_csr neighbors;
	OSSAI_TRY(ossai_csr_begin(arena, adjacency->vertex_count, &neighbors));
	for (size_t i = 0; i < count; i = ossai_pairs_run_end(edges, count, i)) {
		ossai_csr_count(&neighbors, edges[i].first);
		ossai_csr_count(&neighbors, edges[i].second);
	}
	OSSAI_TRY(ossai_csr_take_items(arena, &neighbors));
	for (size_t i = 0; i < count; i = ossai_pairs_run_end(edges, count, i)) {
		ossai_csr_put(&neighbors, edges[i].first, edges[i].second);
		ossai_csr_put(&neighbors, edges[i].second, edges[i].first);
	}
	adjacency->vertex_start = neighbors.start;
	adjacency->vertex_neighbor = neighbors.item;
	return OSSA_OK;
}

/* moves the different faces of a run to its front (a face that repeats a vertex meets its own
   edge twice) */
static size_t unique_faces(ossai_pair *run, size_t size)
{
	size_t count = 1;
	for (size_t i = 1; i < size; i++) {
		if (run[i].tag != run[count - 1].tag) run[count++].tag = run[i].tag;
	}
	/* the rest repeats the last, so that a second call finds the same */
	for (size_t i = count; i < size; i++) run[i].tag = run[count - 1].tag;
	return count;
}

/* the pairs of faces on the edges, unsorted and with repeats; `pairs` NULL only counts them */
static size_t gather_pairs(ossai_pair *edges, size_t count, ossai_pair *pairs, uint8_t *face_on_border, size_t *crowded)
{
	size_t pair_count = 0;
	*crowded = 0;
	for (size_t begin = 0, end; begin < count; begin = end) {
		end = ossai_pairs_run_end(edges, count, begin);
		const ossai_pair *run = edges + begin;
		const size_t faces = unique_faces(edges + begin, end - begin);
		const size_t reach = faces <= ALL_PAIRS_MAX ? faces : 1;
		if (faces == 1) face_on_border[run[0].tag] = 1;
		*crowded += faces > ALL_PAIRS_MAX;
		for (size_t i = 0; i < faces; i++) {
			for (size_t j = i + 1; j < faces && j - i <= reach; j++, pair_count++) {
				if (pairs) pairs[pair_count] = ossai_pair_of(run[i].tag, run[j].tag, 0);
			}
		}
	}
	return pair_count;
}

static ossa_status make_face_pairs(ossa_context *context, ossai_arena *arena, ossai_arena *scratch, ossai_pair *edges,
	size_t count, ossai_adjacency *adjacency)
{
	size_t crowded = 0;
	adjacency->face_on_border = ossai_arena_zero(arena, adjacency->face_count, 1);
	if (!adjacency->face_on_border) return ossa_context_error(context)->status;
	const size_t most = gather_pairs(edges, count, NULL, adjacency->face_on_border, &crowded);
	ossai_pair *pairs = ossai_arena_new(scratch, most, sizeof *pairs);
	if (!pairs) return ossa_context_error(context)->status;
	gather_pairs(edges, count, pairs, adjacency->face_on_border, &crowded);
	if (crowded > 0) {
		ossai_warn(context, "crowded-edge", (int64_t)crowded,
			"more than %d faces meet in one edge: only faces next to each other in the file are taken as neighbours there",
			(int)ALL_PAIRS_MAX);
	}
	OSSAI_TRY(ossai_pairs_sort(context, pairs, most, adjacency->face_count));
	return ossai_pairs_unique(arena, pairs, most, &adjacency->face_pairs, &adjacency->face_pair_count);
}

static ossa_status check_counts(ossa_context *context, size_t vertex_count, size_t face_count)
{
	/* six neighbours a face at most: their number must fit the 32 bits of the starts */
	if (face_count <= (UINT32_MAX - 1) / 6 && vertex_count < UINT32_MAX) return OSSA_OK;
	return ossai_fail(context, OSSA_ERROR_LIMIT, NULL,
		"%zu faces over %zu vertices are more than the %u faces that can be handled", face_count, vertex_count,
		(UINT32_MAX - 1) / 6);
}

/* with_faces: also which faces are next to each other */
static ossa_status make(
	ossa_context *context, ossai_arena *arena, const uint32_t *triangles, bool with_faces, ossai_adjacency *adjacency)
{
	const size_t faces = adjacency->face_count;
	OSSAI_TRY(check_counts(context, adjacency->vertex_count, faces));
	ossai_arena scratch = ossai_arena_begin(context);
	ossa_status status = OSSA_OK;
	ossai_pair *edges = ossai_arena_new(&scratch, faces, 3 * sizeof *edges);
	if (edges) {
		const size_t count = gather_edges(faces, triangles, edges);
		status = ossai_pairs_sort(context, edges, count, adjacency->vertex_count);
		if (status == OSSA_OK) status = make_neighbors(arena, edges, count, adjacency);
		if (status == OSSA_OK && with_faces) status = make_face_pairs(context, arena, &scratch, edges, count, adjacency);
	} else {
		status = ossa_context_error(context)->status;
	}
	ossai_arena_end(&scratch);
	return status;
}

ossa_status ossai_adjacency_make(ossa_context *context, ossai_arena *arena, size_t vertex_count, size_t face_count,
	const uint32_t *triangles, ossai_adjacency *adjacency)
{
	*adjacency = (ossai_adjacency){.vertex_count = vertex_count, .face_count = face_count};
	return make(context, arena, triangles, true, adjacency);
}

ossa_status ossai_adjacency_make_of_vertices(ossa_context *context, ossai_arena *arena, size_t vertex_count, size_t face_count,
	const uint32_t *triangles, ossai_adjacency *adjacency)
{
	*adjacency = (ossai_adjacency){.vertex_count = vertex_count, .face_count = face_count};
	return make(context, arena, triangles, false, adjacency);
}

static size_t gather_polygon_edges(const ossa_mesh *mesh, const uint32_t *first, ossai_pair *edges)
{
	size_t count = 0;
	for (size_t p = 0; p < mesh->polygon_count; p++) {
		const size_t begin = mesh->polygon_start[p], end = mesh->polygon_start[p + 1];
		for (size_t c = begin; c < end; c++) {
			uint32_t a = mesh->corner_vertex[c], b = mesh->corner_vertex[c + 1 < end ? c + 1 : begin];
			if (first) {
				a = first[a];
				b = first[b];
			}
			if (a != b) edges[count++] = ossai_pair_of(a, b, 0);
		}
	}
	return count;
}

ossa_status ossai_polygon_neighbors_make(ossa_context *context, ossai_arena *arena, const ossa_mesh *mesh,
	const uint32_t *first_of_vertex, uint32_t **start, uint32_t **neighbor)
{
	ossai_adjacency made = {.vertex_count = mesh->vertex_count};
	OSSAI_TRY(check_counts(context, mesh->vertex_count, mesh->triangle_count));
	ossai_arena scratch = ossai_arena_begin(context);
	ossai_pair *edges = ossai_arena_new(&scratch, mesh->corner_count, sizeof *edges);
	ossa_status status = edges ? OSSA_OK : ossa_context_error(context)->status;
	const size_t count = edges ? gather_polygon_edges(mesh, first_of_vertex, edges) : 0;
	if (status == OSSA_OK) status = ossai_pairs_sort(context, edges, count, mesh->vertex_count);
	if (status == OSSA_OK) status = make_neighbors(arena, edges, count, &made);
	ossai_arena_end(&scratch);
	*start = made.vertex_start;
	*neighbor = made.vertex_neighbor;
	return status;
}

ossa_status ossai_vertex_faces_make(ossa_context *context, ossai_arena *arena, size_t vertex_count, size_t face_count,
	const uint32_t *triangles, ossai_vertex_faces *around)
{
	*around = (ossai_vertex_faces){NULL, NULL};
	OSSAI_TRY(check_counts(context, vertex_count, face_count));
	ossai_csr faces;
	OSSAI_TRY(ossai_csr_begin(arena, vertex_count, &faces));
	for (size_t i = 0; i < 3 * face_count; i++) ossai_csr_count(&faces, triangles[i]);
	OSSAI_TRY(ossai_csr_take_items(arena, &faces));
	for (size_t i = 0; i < 3 * face_count; i++) ossai_csr_put(&faces, triangles[i], (uint32_t)(i / 3));
	*around = (ossai_vertex_faces){faces.start, faces.item};
	return OSSA_OK;
}

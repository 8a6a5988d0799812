/* mesh/seams.c: see seams.h. */
#include "mesh/seams.h"

#include "base/union_find.h"
#include "mesh/pairs.h"

typedef struct seams {
	ossai_arena *arena; /* of temporaries */
	const ossai_mesh_view *mesh;
	uint8_t *used;     /* V */
	uint32_t *place;   /* V: the smallest vertex at the same position */
	uint32_t *first;   /* V: the smallest vertex of the same point, or a parent on the way to it */
	ossai_pair *edges; /* open ones; tag: the corner that they begin at, 3 face + corner */
	size_t edge_count;
} seams;

static uint32_t next_corner(uint32_t corner) { return corner % 3 == 2 ? corner - 2 : corner + 1; }

static ossa_status take_arrays(seams *s)
{
	const size_t vertices = s->mesh->vertex_count, corners = 3 * s->mesh->face_count;
	s->used = ossai_arena_zero(s->arena, vertices, sizeof *s->used);
	s->place = ossai_arena_new(s->arena, vertices, sizeof *s->place);
	s->first = ossai_arena_new(s->arena, vertices, sizeof *s->first);
	s->edges = ossai_arena_new(s->arena, corners, sizeof *s->edges);
	if (!s->used || !s->place || !s->first || !s->edges) return ossa_context_error(s->arena->context)->status;
	for (size_t i = 0; i < corners; i++) s->used[s->mesh->triangles[i]] = 1;
	return OSSA_OK;
}

static bool has_three_places(const seams *s, size_t face)
{
	const uint32_t *corner = s->mesh->triangles + 3 * face;
	const uint32_t a = s->place[corner[0]], b = s->place[corner[1]], c = s->place[corner[2]];
	return a != b && b != c && c != a;
}

/* edges that one face has, as pairs of places; faces that are less than a triangle have none */
static ossa_status find_open_edges(seams *s)
{
	const uint32_t *triangles = s->mesh->triangles;
	size_t count = 0;
	for (uint32_t i = 0; i < 3 * s->mesh->face_count; i++) {
		if (has_three_places(s, i / 3)) s->edges[count++] = ossai_pair_of(triangles[i], triangles[next_corner(i)], i);
	}
	OSSAI_TRY(ossai_pairs_sort(s->arena->context, s->edges, count, s->mesh->vertex_count));
	for (size_t begin = 0, end; begin < count; begin = end) {
		end = ossai_pairs_run_end(s->edges, count, begin);
		const ossai_pair edge = s->edges[begin];
		if (end > begin + 1) continue;
		s->edges[s->edge_count++] = ossai_pair_of(s->place[edge.first], s->place[edge.second], edge.tag);
	}
	return ossai_pairs_sort(s->arena->context, s->edges, s->edge_count, s->mesh->vertex_count);
}

/* of the ends of an open edge the one that is at `place` */
static uint32_t end_at(const seams *s, uint32_t corner, uint32_t place)
{
	const uint32_t begin = s->mesh->triangles[corner];
	return s->place[begin] == place ? begin : s->mesh->triangles[next_corner(corner)];
}

static void join_ends(seams *s)
{
	for (size_t begin = 0, end; begin < s->edge_count; begin = end) {
		end = ossai_pairs_run_end(s->edges, s->edge_count, begin);
		const ossai_pair edge = s->edges[begin];
		for (size_t i = begin + 1; i < end; i++) {
			ossai_union_join(s->first, end_at(s, edge.tag, edge.first), end_at(s, s->edges[i].tag, edge.first));
			ossai_union_join(s->first, end_at(s, edge.tag, edge.second), end_at(s, s->edges[i].tag, edge.second));
		}
	}
}

/* triangles over the smallest vertices of all points, numbered without gaps */
static ossa_status make_weld(seams *s, ossai_arena *arena, ossai_weld *weld)
{
	const size_t corners = 3 * s->mesh->face_count;
	uint32_t *triangles = ossai_arena_new(s->arena, corners, sizeof *triangles);
	if (!triangles) return ossa_context_error(arena->context)->status;
	for (size_t i = 0; i < corners; i++) triangles[i] = ossai_union_find(s->first, s->mesh->triangles[i]);
	for (uint32_t v = 0; v < s->mesh->vertex_count; v++) s->used[v] = s->used[v] && ossai_union_find(s->first, v) == v;
	ossai_mesh_view joined = *s->mesh;
	joined.triangles = triangles;
	OSSAI_TRY(ossai_weld_make(arena, &joined, s->used, weld));
	for (size_t i = 0; i < corners; i++) weld->point_of_vertex[s->mesh->triangles[i]] = weld->point_of_vertex[triangles[i]];
	return OSSA_OK;
}

static ossa_status weld_seams(seams *s, ossai_arena *arena, ossai_weld *weld)
{
	const float *positions = ossai_view_floats(s->arena, s->mesh);
	if (!positions && s->mesh->vertex_count > 0) return ossa_context_error(arena->context)->status;
	size_t others;
	OSSAI_TRY(take_arrays(s));
	ossai_union_begin(s->first, s->mesh->vertex_count);
	OSSAI_TRY(ossai_weld_vertices(arena->context, s->mesh->vertex_count, s->used, positions, 0, NULL, s->place, &others));
	if (others > 0) {
		OSSAI_TRY(find_open_edges(s));
		join_ends(s);
	}
	return make_weld(s, arena, weld);
}

ossa_status ossai_seams_weld(ossai_arena *arena, const ossai_mesh_view *mesh, ossai_weld *weld)
{
	ossai_arena scratch = ossai_arena_begin(arena->context);
	seams s = {.arena = &scratch, .mesh = mesh};
	const ossa_status status = weld_seams(&s, arena, weld);
	ossai_arena_end(&scratch);
	return status;
}

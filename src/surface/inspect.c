/* surface/inspect.c: counts and measures of a surface.

   Used by: ossa_mesh_inspect, `ossa inspect`.
   Input: a mesh.
   Output: ossa_mesh_facts. */
#include "base/context.h"
#include "math/vec.h"
#include "mesh/bounds.h"
#include "mesh/pairs.h"
#include "mesh/pieces.h"

#include <ossa/inspect.h>

static void count_polygons(const ossa_mesh *mesh, ossa_mesh_facts *facts)
{
	for (size_t p = 0; p < mesh->polygon_count; p++) {
		const uint32_t corners = mesh->polygon_start[p + 1] - mesh->polygon_start[p];
		facts->polygons_by_corners[corners <= 3 ? 0 : corners == 4 ? 1 : 2]++;
	}
}

static void measure_triangles(const ossa_mesh *mesh, ossa_mesh_facts *facts)
{
	/* volumes of the tetrahedra to the box's center, so that no large numbers cancel away from
	   the origin */
	const ossai_vec3 middle = ossai_lerp(ossai_v3_of(facts->minimum), ossai_v3_of(facts->maximum), 0.5);
	for (size_t t = 0; t < mesh->triangle_count; t++) {
		const uint32_t *v = mesh->triangles + 3 * t;
		ossai_vec3 p[3];
		for (int k = 0; k < 3; k++) p[k] = ossai_sub(ossai_v3_of_float(mesh->positions + 3 * (size_t)v[k]), middle);
		const ossai_vec3 a = ossai_sub(p[1], p[0]), b = ossai_sub(p[2], p[0]), c = ossai_sub(p[2], p[1]);
		const double doubled_area = ossai_length(ossai_cross(a, b));
		const double longest2 = fmax(ossai_length2(a), fmax(ossai_length2(b), ossai_length2(c)));
		/* float coordinates carry 24 bits: a height below 1e-7 of the longest edge is none */
		facts->degenerate_triangles += doubled_area <= 1e-7 * longest2;
		facts->area += 0.5 * doubled_area;
		facts->volume += ossai_dot(p[0], ossai_cross(p[1], p[2])) / 6;
	}
}

/* the edges of all triangles but those that repeat a vertex: folded flat, they join nothing;
   returns their number */
static size_t list_edges(const ossa_mesh *mesh, ossai_pair *edges)
{
	size_t count = 0;
	for (size_t t = 0; t < mesh->triangle_count; t++) {
		const uint32_t *v = mesh->triangles + 3 * t;
		if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) continue;
		for (int k = 0; k < 3; k++) edges[count++] = ossai_pair_of(v[k], v[(k + 1) % 3], (uint32_t)t);
	}
	return count;
}

static ossa_status count_edges(ossa_context *context, ossai_arena *arena, const ossa_mesh *mesh, ossa_mesh_facts *facts)
{
	ossai_pair *edges = ossai_arena_new(arena, 3 * mesh->triangle_count, sizeof *edges);
	if (!edges) return ossa_context_error(context)->status;
	const size_t count = list_edges(mesh, edges);
	OSSAI_TRY(ossai_pairs_sort(context, edges, count, mesh->vertex_count));
	for (size_t begin = 0, end; begin < count; begin = end) {
		end = ossai_pairs_run_end(edges, count, begin);
		facts->edges++;
		facts->border_edges += end - begin == 1;
		facts->crowded_edges += end - begin > 2;
	}
	return OSSA_OK;
}

static ossa_status count_pieces(ossa_context *context, ossai_arena *arena, const ossa_mesh *mesh, ossa_mesh_facts *facts)
{
	uint32_t *of_face = ossai_arena_new(arena, mesh->triangle_count, sizeof *of_face);
	uint32_t *of_vertex = ossai_arena_new(arena, mesh->vertex_count, sizeof *of_vertex);
	if (!of_face || !of_vertex) return ossa_context_error(context)->status;
	uint32_t pieces = 0;
	OSSAI_TRY(
		ossai_pieces_make(context, mesh->vertex_count, mesh->triangle_count, mesh->triangles, of_face, of_vertex, &pieces));
	facts->pieces = pieces;
	for (size_t v = 0; v < mesh->vertex_count; v++) facts->unused_vertices += of_vertex[v] == OSSA_NONE;
	return OSSA_OK;
}

ossa_status ossa_mesh_inspect(ossa_context *context, const ossa_mesh *mesh, ossa_mesh_facts *facts)
{
	if (facts) *facts = (ossa_mesh_facts){.pieces = 0};
	OSSAI_NEED(context, mesh, facts);
	OSSAI_TRY(ossa_mesh_validate(context, mesh));
	const ossai_bounds bounds = ossai_bounds_make(mesh->vertex_count, mesh->positions);
	ossai_v3_store(bounds.minimum, facts->minimum);
	ossai_v3_store(bounds.maximum, facts->maximum);
	facts->diagonal = bounds.diagonal;
	count_polygons(mesh, facts);
	measure_triangles(mesh, facts);
	ossai_arena arena = ossai_arena_begin(context);
	ossa_status status = count_edges(context, &arena, mesh, facts);
	if (status == OSSA_OK) status = count_pieces(context, &arena, mesh, facts);
	ossai_arena_end(&arena);
	return status;
}

/* query/inside.c: see inside.h. */
#include "query/inside.h"

#include "mesh/orient.h"
#include "query/winding_numbers.h"

ossa_status ossai_consistent_view(ossai_arena *arena, const ossai_mesh_view *mesh, ossai_mesh_view *consistent)
{
	const double *positions = mesh->positions;
	*consistent = *mesh;
	if (!positions) {
		double *copy = ossai_arena_new(arena, mesh->vertex_count, 3 * sizeof *copy);
		if (!copy) return ossa_context_error(arena->context)->status;
		for (size_t v = 0; v < mesh->vertex_count; v++) ossai_v3_store(ossai_view_point(mesh, v), copy + 3 * v);
		positions = copy;
	}
	ossai_oriented oriented;
	OSSAI_TRY(ossai_orient(arena, mesh->vertex_count, positions, mesh->face_count, mesh->triangles, &oriented));
	if (oriented.mixed_faces == 0) return OSSA_OK;
	*consistent = ossai_view_of_doubles(oriented.point_count, oriented.points, oriented.face_count, oriented.triangles);
	return OSSA_OK;
}

static ossa_status wind(ossa_context *context, const ossai_mesh_view *mesh, size_t point_count, const double *points,
	double *windings, uint8_t *inside, bool *any_outside)
{
	OSSAI_TRY(ossai_winding_numbers_fast(context, mesh, point_count, points, windings));
	*any_outside = false;
	for (size_t i = 0; i < point_count; i++) {
		inside[i] = ossai_winding_is_inside(windings[i]);
		if (!inside[i]) *any_outside = true;
	}
	return OSSA_OK;
}

ossa_status ossai_find_inside(
	ossa_context *context, const ossai_mesh_view *mesh, size_t point_count, const double *points, uint8_t *inside)
{
	ossai_mesh_view consistent;
	bool any_outside = false;
	ossai_arena scratch = ossai_arena_begin(context);
	double *windings = ossai_arena_new(&scratch, point_count, sizeof *windings);
	ossa_status status = windings ? OSSA_OK : ossa_context_error(context)->status;
	if (status == OSSA_OK) status = wind(context, mesh, point_count, points, windings, inside, &any_outside);
	if (status == OSSA_OK && any_outside) {
		status = ossai_consistent_view(&scratch, mesh, &consistent);
		if (status == OSSA_OK && consistent.triangles != mesh->triangles)
			status = wind(context, &consistent, point_count, points, windings, inside, &any_outside);
	}
	ossai_arena_end(&scratch);
	return status;
}

/* mesh/view.c: see view.h. */
#include "mesh/view.h"

const float *ossai_view_floats(ossai_arena *arena, const ossai_mesh_view *mesh)
{
	if (!mesh->positions) return mesh->floats;
	float *floats = ossai_arena_new(arena, mesh->vertex_count, 3 * sizeof *floats);
	for (size_t i = 0; floats && i < 3 * mesh->vertex_count; i++) floats[i] = (float)mesh->positions[i];
	return floats;
}

void ossai_view_vertex_areas(const ossai_mesh_view *mesh, double *area)
{
	for (size_t v = 0; v < mesh->vertex_count; v++) area[v] = 0;
	for (size_t f = 0; f < mesh->face_count; f++) {
		const double third = ossai_length(ossai_view_face_normal(mesh, f)) / 6;
		for (size_t k = 0; k < 3; k++) area[mesh->triangles[3 * f + k]] += third;
	}
}

/* mesh/view.c: see view.h. */
#include "mesh/view.h"

const float *ossai_view_floats(ossai_arena *arena, const ossai_mesh_view *mesh)
{
	if (!mesh->positions) return mesh->floats;
	float *floats = ossai_arena_new(arena, mesh->vertex_count, 3 * sizeof *floats);
	for (size_t i = 0; floats && i < 3 * mesh->vertex_count; i++) floats[i] = (float)mesh->positions[i];
	return floats;
}

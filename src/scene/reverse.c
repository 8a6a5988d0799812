/* scene/reverse.c: see reverse.h. */
#include "scene/reverse.h"
#include "scene/sets.h"

void ossai_reverse_corners(const ossa_mesh *mesh, uint32_t *corners)
{
	for (size_t p = 0; p < mesh->polygon_count; p++) {
		size_t i = mesh->polygon_start[p] + 1, k = mesh->polygon_start[p + 1] - 1;
		for (; i < k; i++, k--) {
			const uint32_t corner = corners[i];
			corners[i] = corners[k];
			corners[k] = corner;
		}
	}
}

void ossai_reverse_triangles(const ossa_mesh *mesh, uint32_t *triangle_corners)
{
	for (size_t p = 0, t = 0; p < mesh->polygon_count; p++) {
		const uint32_t first = mesh->polygon_start[p], count = mesh->polygon_start[p + 1] - first;
		for (size_t i = 0; i < count - 2; i++, t++) {
			uint32_t *corner = triangle_corners + 3 * t;
			for (int k = 0; k < 3; k++) {
				if (corner[k] != first) corner[k] = first + first + count - corner[k];
			}
			const uint32_t second = corner[1];
			corner[1] = corner[2];
			corner[2] = second;
		}
	}
}

void ossai_mesh_reverse(ossa_mesh *mesh)
{
	ossai_reverse_corners(mesh, mesh->corner_vertex);
	for (size_t s = 0; s < ossai_uv_count(mesh); s++) ossai_reverse_corners(mesh, *ossai_uv_slot_of(mesh, s).of_corner);
	if (mesh->corner_normal) ossai_reverse_corners(mesh, mesh->corner_normal);
	ossai_reverse_triangles(mesh, mesh->triangle_corners);
	for (size_t i = 0; i < 3 * mesh->triangle_count; i++) mesh->triangles[i] = mesh->corner_vertex[mesh->triangle_corners[i]];
}

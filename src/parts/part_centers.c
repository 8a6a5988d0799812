/* parts/part_centers.c: see part_centers.h. */
#include "parts/part_centers.h"

static ossai_vec3 face_center(const ossai_posed_surface *surface, size_t face)
{
	const uint32_t *t = surface->triangles + 3 * face;
	const ossai_vec3 sum = ossai_add(ossai_rest_point(surface, t[0]), ossai_rest_point(surface, t[1]));
	return ossai_scale(ossai_add(sum, ossai_rest_point(surface, t[2])), 1.0 / 3);
}

double *ossai_part_distances(
	ossai_arena *arena, const ossai_posed_surface *surface, size_t part_count, const uint32_t *part_of_face)
{
	double *area = ossai_arena_zero(arena, part_count, sizeof *area);
	ossai_vec3 *center = ossai_arena_zero(arena, part_count, sizeof *center), whole = {0, 0, 0};
	if (!area || !center) return NULL;
	for (size_t f = 0; f < surface->face_count; f++) {
		const uint32_t part = part_of_face[f];
		const ossai_vec3 at = face_center(surface, f);
		area[part] += surface->face_area[f];
		center[part] = ossai_madd(center[part], surface->face_area[f], at);
		whole = ossai_madd(whole, surface->face_area[f], at);
	}
	whole = ossai_scale(whole, surface->area > 0 ? 1 / surface->area : 0);
	/* the areas are not needed again */
	for (size_t p = 0; p < part_count; p++) {
		const bool has_area = area[p] > 0;
		area[p] = has_area ? ossai_distance(ossai_scale(center[p], 1 / area[p]), whole) : INFINITY;
	}
	return area;
}

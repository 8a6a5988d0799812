/* mesh/gradients.c: deformation gradients at vertices.

   Place in the path: beside normals.
   Input and output: arrays of the caller. */
#include "mesh/gradients.h"
#include "math/affine.h"

#include <string.h>

/* columns: two edges and the normal, as long as the root of the area so that it stretches as they
   do; the area, or 0 where the triangle has none */
static double frame_of(const uint32_t *triangle, const float *positions, ossai_mat3 *frame)
{
	const ossai_vec3 a = ossai_v3_of_float(positions + 3 * (size_t)triangle[0]);
	const ossai_vec3 p = ossai_sub(ossai_v3_of_float(positions + 3 * (size_t)triangle[1]), a);
	const ossai_vec3 q = ossai_sub(ossai_v3_of_float(positions + 3 * (size_t)triangle[2]), a);
	const ossai_vec3 cross = ossai_cross(p, q);
	const double twice = ossai_length(cross);
	if (!(twice > 1e-12 * (ossai_dot(p, p) + ossai_dot(q, q)))) return 0;
	const ossai_vec3 n = ossai_scale(cross, 1 / sqrt(twice));
	*frame = (ossai_mat3){{{p.x, q.x, n.x}, {p.y, q.y, n.y}, {p.z, q.z, n.z}}};
	return twice / 2;
}

/* adds the map of one triangle, weighted by its area, to the sums of its vertices */
static void add_triangle(
	const uint32_t *triangle, const uint32_t *first, const float *from, const float *to, ossai_mat3 *sums, double *areas)
{
	ossai_mat3 after;
	ossai_rigid before = ossai_affine_identity(), back;
	const double area = frame_of(triangle, from, &before.r);
	if (area == 0 || frame_of(triangle, to, &after) == 0 || !ossai_affine_inverse(&before, &back)) return;
	const ossai_mat3 map = ossai_mat3_mul(&after, &back.r);
	for (size_t k = 0; k < 3; k++) {
		const size_t v = first ? first[triangle[k]] : triangle[k];
		for (size_t i = 0; i < 3; i++) {
			for (size_t j = 0; j < 3; j++) sums[v].m[i][j] += area * map.m[i][j];
		}
		areas[v] += area;
	}
}

ossa_status ossai_vertex_gradients(ossa_context *context, size_t vertex_count, size_t triangle_count, const uint32_t *triangles,
	const uint32_t *first_of_vertex, const float *from, const float *to, ossai_mat3 *gradients)
{
	double *areas = ossa_alloc(context, vertex_count, sizeof *areas);
	if (!areas) return ossa_context_error(context)->status;
	memset(gradients, 0, vertex_count * sizeof *gradients);
	for (size_t t = 0; t < triangle_count; t++) add_triangle(triangles + 3 * t, first_of_vertex, from, to, gradients, areas);
	/* the first of those that count as one is the smallest: it is not divided before the others
	   take from it */
	for (size_t v = vertex_count; v-- > 0;) {
		const size_t first = first_of_vertex ? first_of_vertex[v] : v;
		if (!(areas[first] > 0)) {
			gradients[v] = ossai_mat3_identity();
			continue;
		}
		for (size_t i = 0; i < 3; i++) {
			for (size_t j = 0; j < 3; j++) gradients[v].m[i][j] = gradients[first].m[i][j] / areas[first];
		}
	}
	ossa_free(context, areas);
	return OSSA_OK;
}

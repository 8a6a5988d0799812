/* export/gltf/kept_carry.c: moves points with a surface beside which they were.

   Place in the path: inside the GLB writer, for coarser levels.
   Input: a mesh where it is and where it was, points where they were.
   Output: the points: one that was at p, near x of the surface, is at x' + G (p - x), where x' is
   where x is now and G the gradient of the surface's deformation at the corners around x. */
#include "export/gltf/kept.h"
#include "math/triangle.h"
#include "mesh/gradients.h"
#include "query/face_tree.h"

#include <string.h>

typedef struct carrying {
	ossai_face_tree tree; /* of the surface as it was */
	const uint32_t *triangles;
	const float *before, *now;
	const ossai_mat3 *gradients;
	const uint32_t *group_of_face; /* all of one */
} carrying;

static void carry(const carrying *c, const float *from, float *to)
{
	const ossai_near_face all = {OSSA_NONE, HUGE_VAL};
	const ossai_vec3 p = ossai_v3_of_float(from);
	const uint32_t *face = c->triangles +
		3 * (size_t)ossai_face_tree_nearest(&c->tree, c->group_of_face, p, OSSA_NONE, all).face;
	ossai_vec3 corner[3], sum = {0, 0, 0};
	double share[3];
	for (size_t k = 0; k < 3; k++) corner[k] = ossai_v3_of_float(c->before + 3 * (size_t)face[k]);
	ossai_nearest_on_triangle(corner, p, share);
	for (size_t k = 0; k < 3; k++) {
		const ossai_vec3 offset = ossai_mat3_mul_v(&c->gradients[face[k]], ossai_sub(p, corner[k]));
		sum = ossai_madd(sum, share[k], ossai_add(ossai_v3_of_float(c->now + 3 * (size_t)face[k]), offset));
	}
	to[0] = (float)sum.x;
	to[1] = (float)sum.y;
	to[2] = (float)sum.z;
}

ossa_status ossai_kept_carry(
	ossai_arena *arena, const ossa_mesh *mesh, const float *before, size_t count, const float *from, float *to)
{
	const ossai_mesh_view view = ossai_view_of_floats(mesh->vertex_count, before, mesh->triangle_count, mesh->triangles);
	carrying c = {.triangles = mesh->triangles, .before = before, .now = mesh->positions};
	if (count > 0) memcpy(to, from, 3 * count * sizeof *to);
	const bool has_moved = memcmp(before, mesh->positions, 3 * mesh->vertex_count * sizeof *before) != 0;
	if (!has_moved || mesh->triangle_count == 0) return OSSA_OK;
	ossai_mat3 *gradients = ossai_arena_new(arena, mesh->vertex_count, sizeof *gradients);
	uint32_t *groups = ossai_arena_zero(arena, mesh->triangle_count, sizeof *groups);
	if (!gradients || !groups) return ossa_context_error(arena->context)->status;
	OSSAI_TRY(ossai_vertex_gradients(
		arena->context, mesh->vertex_count, mesh->triangle_count, mesh->triangles, NULL, before, mesh->positions, gradients));
	OSSAI_TRY(ossai_face_tree_make(arena, &view, &c.tree));
	ossai_face_tree_set_groups(&c.tree, groups);
	c.gradients = gradients;
	c.group_of_face = groups;
	for (size_t i = 0; i < count; i++) carry(&c, from + 3 * i, to + 3 * i);
	return OSSA_OK;
}

/* retarget/repose_normals.c: normals and morph targets of a mesh whose vertices were moved by blends.

   Place in the path: inside repose.h.
   Input: normals by corner, a blend for every vertex.
   Output: the same, rotated as their vertices. A file may use one normal for many vertices; where
   these rotate differently it becomes several, in the order of the old ones. */
#include "retarget/repose.h"
#include "scene/mesh.h"

#include <stdlib.h>
#include <string.h>

typedef struct corner {
	uint32_t normal, vertex, number;
} corner;

static int compare_corners(const void *a, const void *b)
{
	const corner *p = a, *q = b;
	if (p->normal != q->normal) return p->normal < q->normal ? -1 : 1;
	if (p->vertex != q->vertex) return p->vertex < q->vertex ? -1 : 1;
	return (p->number > q->number) - (p->number < q->number);
}

/* the corners that have a normal, those of one normal and vertex together */
static corner *sorted_corners(ossai_arena *arena, const ossa_mesh *mesh, size_t *count)
{
	corner *corners = ossai_arena_new(arena, mesh->corner_count, sizeof *corners);
	*count = 0;
	for (size_t c = 0; corners && c < mesh->corner_count; c++) {
		if (mesh->corner_normal[c] == OSSA_NONE) continue;
		corners[(*count)++] = (corner){mesh->corner_normal[c], mesh->corner_vertex[c], (uint32_t)c};
	}
	if (corners) qsort(corners, *count, sizeof *corners, compare_corners);
	return corners;
}

static void rotate(const ossa_rig *rig, const ossai_dual_quat *duals, const corner *c, float to[3])
{
	const ossai_mat3 r = ossai_quat_matrix(ossai_dual_blend(&rig->weights, c->vertex, duals).turn);
	const ossai_vec3 n = ossai_mat3_mul_v(&r, ossai_v3_of_float(rig->mesh->normals + 3 * (size_t)c->normal));
	to[0] = (float)n.x;
	to[1] = (float)n.y;
	to[2] = (float)n.z;
}

ossa_status ossai_repose_normals(ossai_arena *arena, const ossa_rig *rig, const ossai_dual_quat *duals, ossa_mesh *mesh)
{
	const ossa_mesh *from = rig->mesh;
	if (!from->normals || !from->corner_normal) return OSSA_OK;
	size_t count;
	const corner *corners = sorted_corners(arena, from, &count);
	float *normals = ossai_arena_new(arena, count, 3 * sizeof *normals);
	uint32_t *normal_of_corner = ossai_arena_new(arena, from->corner_count, sizeof *normal_of_corner);
	if (!corners || !normals || !normal_of_corner) return ossa_context_error(arena->context)->status;
	memset(normal_of_corner, 0xff, from->corner_count * sizeof *normal_of_corner);
	size_t made = 0;
	for (size_t i = 0; i < count; i++) {
		const bool same_normal = i > 0 && corners[i].normal == corners[i - 1].normal;
		const bool same_vertex = same_normal && corners[i].vertex == corners[i - 1].vertex;
		if (!same_vertex) {
			float *to = normals + 3 * made;
			rotate(rig, duals, &corners[i], to);
			made += !same_normal || !ossai_same_floats(to, to - 3, 3);
		}
		normal_of_corner[corners[i].number] = (uint32_t)(made - 1);
	}
	mesh->normals = normals;
	mesh->normal_count = made;
	mesh->corner_normal = normal_of_corner;
	return OSSA_OK;
}

ossa_status ossai_repose_morphs(ossai_arena *arena, const ossa_rig *rig, const ossai_dual_quat *duals, ossa_mesh *mesh)
{
	if (mesh->morph_count == 0) return OSSA_OK;
	ossa_morph *morphs = ossai_morphs_borrow(arena, mesh);
	if (!morphs) return ossa_context_error(arena->context)->status;
	for (size_t m = 0; m < mesh->morph_count; m++) {
		/* its angles are against the old pose */
		morphs[m].driver.bone[0] = 0;
		for (size_t i = 0; i < morphs[m].count; i++) {
			const ossai_mat3 r = ossai_quat_matrix(ossai_dual_blend(&rig->weights, morphs[m].vertices[i], duals).turn);
			float *delta = morphs[m].deltas + 3 * i;
			const ossai_vec3 turned = ossai_mat3_mul_v(&r, ossai_v3_of_float(delta));
			delta[0] = (float)turned.x;
			delta[1] = (float)turned.y;
			delta[2] = (float)turned.z;
		}
	}
	mesh->morphs = morphs;
	return OSSA_OK;
}

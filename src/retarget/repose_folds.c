/* retarget/repose_folds.c: triangles that a rest pose turned over.

   Place in the path: inside repose.h.
   Input: triangles before and after, the blends that moved their corners.
   Output: a count. */
#include "retarget/repose.h"

static ossai_vec3 area_of(const ossa_mesh *mesh, size_t triangle)
{
	const uint32_t *t = mesh->triangles + 3 * triangle;
	const ossai_vec3 a = ossai_v3_of_float(mesh->positions + 3 * (size_t)t[0]);
	const ossai_vec3 b = ossai_v3_of_float(mesh->positions + 3 * (size_t)t[1]);
	const ossai_vec3 c = ossai_v3_of_float(mesh->positions + 3 * (size_t)t[2]);
	return ossai_cross(ossai_sub(b, a), ossai_sub(c, a));
}

int64_t ossai_count_folds(const ossa_rig *before, const ossai_dual_quat *duals, const ossa_mesh *after)
{
	int64_t count = 0;
	for (size_t t = 0; t < after->triangle_count; t++) {
		const ossai_vec3 old = area_of(before->mesh, t), now = area_of(after, t);
		ossai_vec3 rotated = {0, 0, 0};
		for (size_t k = 0; k < 3; k++) {
			const ossai_dual_quat blend = ossai_dual_blend(&before->weights, before->mesh->triangles[3 * t + k], duals);
			const ossai_mat3 r = ossai_quat_matrix(blend.turn);
			rotated = ossai_add(rotated, ossai_mat3_mul_v(&r, old));
		}
		count += ossai_length2(old) > 0 && !(ossai_dot(rotated, now) > 0);
	}
	return count;
}

/* motion/seed_motion.c: see seed_motion.h. */
#include "motion/seed_motion.h"

#include "math/rigid_fit.h"

#include <string.h>

/* of one part in one pose: sum q, sum p q^T (p at rest, q posed) */
typedef struct correlation {
	ossai_vec3 q;
	double pq[9];
} correlation;

typedef struct rest_sum {
	double count;
	ossai_vec3 p;
} rest_sum;

static void add_vertex(const ossai_posed_surface *s, uint32_t vertex, rest_sum *rest, correlation *poses)
{
	const ossai_vec3 p = ossai_rest_point(s, vertex);
	rest->count += 1;
	rest->p = ossai_add(rest->p, p);
	for (size_t k = 0; k < s->pose_count; k++) {
		const ossai_vec3 q = ossai_pose_point(s, vertex, k);
		const double a[3] = {p.x, p.y, p.z}, b[3] = {q.x, q.y, q.z};
		poses[k].q = ossai_add(poses[k].q, q);
		for (int i = 0; i < 9; i++) poses[k].pq[i] += a[i / 3] * b[i % 3];
	}
}

static ossai_rigid fit(const rest_sum *rest, const correlation *pose)
{
	ossai_rigid x = {ossai_mat3_identity(), {0, 0, 0}};
	if (rest->count == 0) return x;
	const double sum[3] = {rest->p.x, rest->p.y, rest->p.z}, to[3] = {pose->q.x, pose->q.y, pose->q.z};
	double m[9];
	for (int i = 0; i < 9; i++) m[i] = pose->pq[i] - sum[i / 3] * to[i % 3] / rest->count;
	x.r = ossai_quat_matrix(ossai_rigid_rotation(m));
	x.t = ossai_scale(ossai_sub(pose->q, ossai_mat3_mul_v(&x.r, rest->p)), 1 / rest->count);
	return x;
}

ossa_status ossai_seed_motion_fit(ossa_context *context, const ossai_posed_surface *surface, size_t count,
	const uint32_t *vertex, const uint32_t *part, ossai_bone_motion *motion)
{
	const size_t parts = motion->bone_count, poses = surface->pose_count;
	ossai_arena arena = ossai_arena_begin(context);
	rest_sum *rest = ossai_arena_zero(&arena, parts, sizeof *rest);
	correlation *sums = ossai_arena_zero(&arena, parts, poses * sizeof *sums);
	const bool all = rest && sums;
	for (size_t i = 0; all && i < count; i++) {
		if (part[i] < parts) add_vertex(surface, vertex[i], &rest[part[i]], sums + part[i] * poses);
	}
	for (size_t i = 0; all && i < parts * poses; i++) motion->rigid[i] = fit(&rest[i / poses], &sums[i]);
	ossai_arena_end(&arena);
	return all ? OSSA_OK : ossa_context_error(context)->status;
}

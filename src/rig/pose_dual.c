/* rig/pose_dual.c: see pose_dual.h. */
#include "rig/pose_dual.h"

ossai_dual_quat ossai_dual_quat_of(const double *matrix)
{
	const ossai_rigid x = ossai_rigid_of(matrix);
	ossai_dual_quat d = {.turn = ossai_quat_unit(ossai_mat3_quat(&x.r))};
	const ossai_quat move = {0.5 * x.t.x, 0.5 * x.t.y, 0.5 * x.t.z, 0};
	d.dual = ossai_quat_mul(move, d.turn);
	return d;
}

static void add(ossai_quat *to, double scale, ossai_quat q)
{
	to->x += scale * q.x;
	to->y += scale * q.y;
	to->z += scale * q.z;
	to->w += scale * q.w;
}

ossai_vec3 ossai_dual_skin_vertex(
	const float *position, const ossa_weights *weights, size_t vertex, const ossai_dual_quat *duals)
{
	const size_t first = vertex * (size_t)weights->influences;
	const ossai_dual_quat *pivot = &duals[weights->bones[first]];
	ossai_dual_quat sum = {{0, 0, 0, 0}, {0, 0, 0, 0}};
	for (size_t i = first; i < first + (size_t)weights->influences; i++) {
		const ossai_dual_quat *d = &duals[weights->bones[i]];
		const double w = (double)weights->values[i];
		if (w == 0) continue;
		const double scale = ossai_quat_dot(d->turn, pivot->turn) < 0 ? -w : w;
		add(&sum.turn, scale, d->turn);
		add(&sum.dual, scale, d->dual);
	}
	/* opposite rotations of the same weight cancel */
	const double length2 = ossai_quat_dot(sum.turn, sum.turn);
	if (!(length2 > 1e-24)) {
		sum = *pivot;
	} else {
		const double scale = 1 / sqrt(length2);
		const ossai_dual_quat all = sum;
		sum = (ossai_dual_quat){{0, 0, 0, 0}, {0, 0, 0, 0}};
		add(&sum.turn, scale, all.turn);
		add(&sum.dual, scale, all.dual);
	}
	const ossai_mat3 r = ossai_quat_matrix(sum.turn);
	const ossai_quat move = ossai_quat_mul(sum.dual, ossai_quat_conjugate(sum.turn));
	const ossai_vec3 turned = ossai_mat3_mul_v(&r, ossai_v3_of_float(position));
	return ossai_add(turned, ossai_scale(ossai_v3(move.x, move.y, move.z), 2));
}

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

ossai_dual_quat ossai_dual_blend(const ossa_weights *weights, size_t vertex, const ossai_dual_quat *duals)
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
	if (!(length2 > 1e-24)) return *pivot;
	const double scale = 1 / sqrt(length2);
	ossai_dual_quat unit = {{0, 0, 0, 0}, {0, 0, 0, 0}};
	add(&unit.turn, scale, sum.turn);
	add(&unit.dual, scale, sum.dual);
	return unit;
}

ossai_vec3 ossai_dual_point(const ossai_dual_quat *dual, ossai_vec3 p)
{
	const ossai_mat3 r = ossai_quat_matrix(dual->turn);
	const ossai_quat move = ossai_quat_mul(dual->dual, ossai_quat_conjugate(dual->turn));
	return ossai_add(ossai_mat3_mul_v(&r, p), ossai_scale(ossai_v3(move.x, move.y, move.z), 2));
}

ossai_vec3 ossai_dual_skin_vertex(
	const float *position, const ossa_weights *weights, size_t vertex, const ossai_dual_quat *duals)
{
	const ossai_dual_quat blend = ossai_dual_blend(weights, vertex, duals);
	return ossai_dual_point(&blend, ossai_v3_of_float(position));
}

/* math/affine.c: inverse, decomposition and interpolation of affine maps.

   Place in the path: below the readers of scenes.
   Input and output: plain values.
   Source of the interpolation: K. Shoemake, Animating Rotation with Quaternion Curves, SIGGRAPH
   1985. */
#include "math/affine.h"

bool ossai_affine_inverse(const ossai_rigid *map, ossai_rigid *inverse)
{
	const double det = ossai_mat3_det(&map->r);
	if (!isfinite(det) || fabs(det) < 1e-280) return false;
	ossai_rigid found;
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			/* the cofactor of [j][i]; its sign comes with the cyclic indices */
			const int r0 = (j + 1) % 3, r1 = (j + 2) % 3, c0 = (i + 1) % 3, c1 = (i + 2) % 3;
			found.r.m[i][j] = (map->r.m[r0][c0] * map->r.m[r1][c1] - map->r.m[r0][c1] * map->r.m[r1][c0]) / det;
		}
	}
	found.t = ossai_scale(ossai_mat3_mul_v(&found.r, map->t), -1);
	if (!ossai_affine_is_finite(&found)) return false;
	*inverse = found;
	return true;
}

ossai_mat3 ossai_affine_rotation(const ossai_mat3 *map, double *scale)
{
	ossai_vec3 x = ossai_v3(map->m[0][0], map->m[1][0], map->m[2][0]), y = ossai_v3(map->m[0][1], map->m[1][1], map->m[2][1]);
	if (scale) *scale = cbrt(fabs(ossai_mat3_det(map)));
	x = ossai_unit(x, ossai_v3(1, 0, 0));
	y = ossai_madd(y, -ossai_dot(x, y), x);
	y = ossai_unit(y, ossai_unit(ossai_cross(ossai_v3(x.z, x.x, x.y), x), ossai_v3(0, 1, 0)));
	const ossai_vec3 z = ossai_cross(x, y);
	return (ossai_mat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
}

bool ossai_affine_split(const ossai_rigid *map, ossai_quat *turn, double scale[3])
{
	ossai_vec3 axis[3];
	ossai_mat3 rotation;
	for (int k = 0; k < 3; k++) {
		const ossai_vec3 column = ossai_v3(map->r.m[0][k], map->r.m[1][k], map->r.m[2][k]);
		scale[k] = ossai_length(column) * (k == 0 && ossai_mat3_det(&map->r) < 0 ? -1 : 1);
		if (scale[k] == 0) return false;
		axis[k] = ossai_scale(column, 1 / scale[k]);
		rotation.m[0][k] = axis[k].x;
		rotation.m[1][k] = axis[k].y;
		rotation.m[2][k] = axis[k].z;
	}
	for (int k = 0; k < 3; k++) {
		if (!(fabs(ossai_dot(axis[k], axis[(k + 1) % 3])) < 1e-6)) return false;
	}
	*turn = ossai_mat3_quat(&rotation);
	return true;
}

ossai_vec3 ossai_affine_normal(const ossai_mat3 *map, ossai_vec3 normal)
{
	const ossai_rigid turn = {*map, {0, 0, 0}};
	ossai_rigid inverse;
	if (!ossai_affine_inverse(&turn, &inverse)) return normal;
	return ossai_unit(ossai_mat3_tmul_v(&inverse.r, normal), normal);
}

bool ossai_affine_is_same(const ossai_rigid *a, const ossai_rigid *b, double length, double tolerance)
{
	double size = 0, difference = 0;
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			size = fmax(size, fabs(a->r.m[i][j]));
			difference = fmax(difference, fabs(a->r.m[i][j] - b->r.m[i][j]));
		}
	}
	return difference <= tolerance * size && ossai_distance(a->t, b->t) <= tolerance * size * length;
}

bool ossai_affine_is_finite(const ossai_rigid *map)
{
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			if (!isfinite(map->r.m[i][j])) return false;
		}
	}
	return isfinite(map->t.x) && isfinite(map->t.y) && isfinite(map->t.z);
}

ossai_quat ossai_quat_slerp(ossai_quat p, ossai_quat q, double s)
{
	double cosine = ossai_quat_dot(p, q);
	if (cosine < 0) {
		q = ossai_quat_negate(q);
		cosine = -cosine;
	}
	const double angle = acos(fmin(cosine, 1)), sine = sin(angle);
	const double u = sine > 1e-6 ? sin((1 - s) * angle) / sine : 1 - s, v = sine > 1e-6 ? sin(s * angle) / sine : s;
	return (ossai_quat){u * p.x + v * q.x, u * p.y + v * q.y, u * p.z + v * q.z, u * p.w + v * q.w};
}

ossai_rigid ossai_affine_between(const ossai_rigid *a, const ossai_rigid *b, double s)
{
	/* each is a rotation times a stretch; the second is upper triangular and is interpolated
	   linearly */
	const ossai_mat3 p = ossai_affine_rotation(&a->r, NULL), q = ossai_affine_rotation(&b->r, NULL);
	const ossai_mat3 p_back = ossai_mat3_transpose(&p), q_back = ossai_mat3_transpose(&q);
	ossai_mat3 stretch = ossai_mat3_mul(&p_back, &a->r);
	const ossai_mat3 other = ossai_mat3_mul(&q_back, &b->r);
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) stretch.m[i][j] += s * (other.m[i][j] - stretch.m[i][j]);
	}
	const ossai_mat3 turn = ossai_quat_matrix(ossai_quat_slerp(ossai_mat3_quat(&p), ossai_mat3_quat(&q), s));
	return (ossai_rigid){ossai_mat3_mul(&turn, &stretch), ossai_lerp(a->t, b->t, s)};
}

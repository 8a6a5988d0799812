/* math/vec.h: three-vectors, 3x3 matrices (rows) and unit quaternions (x y z w) in double
   precision.

   Place in the path: above base, below everything that knows space. Plain values, no state. */
#ifndef OSSAI_MATH_VEC_H
#define OSSAI_MATH_VEC_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ossai_vec3 {
	double x, y, z;
} ossai_vec3;

typedef struct ossai_mat3 {
	double m[3][3]; /* m[row][column] */
} ossai_mat3;

typedef struct ossai_quat {
	double x, y, z, w;
} ossai_quat;

/* p -> r p + t */
typedef struct ossai_rigid {
	ossai_mat3 r;
	ossai_vec3 t;
} ossai_rigid;

#define OSSAI_PI 3.14159265358979323846

/* fmin and fmax without their treatment of NaN, which makes them calls */
static inline double ossai_lesser(double a, double b) { return a < b ? a : b; }
static inline double ossai_larger(double a, double b) { return a > b ? a : b; }

/* Moving, turning and scaling a shape changes the last digits of its coordinates, which could
   change one of many choices and so all later ones: of lengths about 1 this keeps the 24 bits
   that a float has. */
static inline double ossai_round_length(double x) { return nearbyint(x * 0x1p24) / 0x1p24; }

/* Whether all numbers are the same (a NaN is like nothing). */
static inline bool ossai_same_floats(const float *a, const float *b, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!(a[i] == b[i])) return false;
	}
	return true;
}
static inline bool ossai_same_doubles(const double *a, const double *b, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!(a[i] == b[i])) return false;
	}
	return true;
}

static inline ossai_vec3 ossai_v3(double x, double y, double z) { return (ossai_vec3){x, y, z}; }
static inline ossai_vec3 ossai_v3_of(const double *a) { return (ossai_vec3){a[0], a[1], a[2]}; }
static inline ossai_vec3 ossai_v3_of_float(const float *a) { return (ossai_vec3){a[0], a[1], a[2]}; }
static inline void ossai_v3_store(ossai_vec3 v, double *a)
{
	a[0] = v.x;
	a[1] = v.y;
	a[2] = v.z;
}
static inline ossai_vec3 ossai_add(ossai_vec3 a, ossai_vec3 b) { return ossai_v3(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline ossai_vec3 ossai_sub(ossai_vec3 a, ossai_vec3 b) { return ossai_v3(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline ossai_vec3 ossai_scale(ossai_vec3 a, double s) { return ossai_v3(a.x * s, a.y * s, a.z * s); }
/* a + s b */
static inline ossai_vec3 ossai_madd(ossai_vec3 a, double s, ossai_vec3 b)
{
	return ossai_v3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}
static inline double ossai_dot(ossai_vec3 a, ossai_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline ossai_vec3 ossai_cross(ossai_vec3 a, ossai_vec3 b)
{
	return ossai_v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline double ossai_length2(ossai_vec3 a) { return ossai_dot(a, a); }
static inline double ossai_length(ossai_vec3 a) { return sqrt(ossai_dot(a, a)); }
static inline double ossai_distance(ossai_vec3 a, ossai_vec3 b) { return ossai_length(ossai_sub(a, b)); }

/* The point of the segment from a to b that is nearest to p; a and b themselves at the ends. */
static inline ossai_vec3 ossai_nearest_on_segment(ossai_vec3 a, ossai_vec3 b, ossai_vec3 p)
{
	const ossai_vec3 ab = ossai_sub(b, a);
	const double length2 = ossai_length2(ab), along = ossai_dot(ossai_sub(p, a), ab);
	if (!(along > 0)) return a;
	if (along >= length2) return b;
	return ossai_madd(a, along / length2, ab);
}
/* `fallback` where a has no direction */
static inline ossai_vec3 ossai_unit(ossai_vec3 a, ossai_vec3 fallback)
{
	const double length = ossai_length(a);
	return length > 1e-300 ? ossai_scale(a, 1 / length) : fallback;
}
/* Number i of `count` directions that are spread evenly over all: a Fibonacci lattice. The first
   half of them is a half sphere. */
ossai_vec3 ossai_spread_direction(size_t i, size_t count);
static inline ossai_vec3 ossai_lerp(ossai_vec3 a, ossai_vec3 b, double t) { return ossai_madd(a, t, ossai_sub(b, a)); }

static inline ossai_mat3 ossai_mat3_identity(void) { return (ossai_mat3){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}; }
static inline ossai_vec3 ossai_mat3_mul_v(const ossai_mat3 *a, ossai_vec3 v)
{
	return ossai_v3(a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
		a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z, a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z);
}
/* transpose(a) v */
static inline ossai_vec3 ossai_mat3_tmul_v(const ossai_mat3 *a, ossai_vec3 v)
{
	return ossai_v3(a->m[0][0] * v.x + a->m[1][0] * v.y + a->m[2][0] * v.z,
		a->m[0][1] * v.x + a->m[1][1] * v.y + a->m[2][1] * v.z, a->m[0][2] * v.x + a->m[1][2] * v.y + a->m[2][2] * v.z);
}
static inline ossai_mat3 ossai_mat3_mul(const ossai_mat3 *a, const ossai_mat3 *b)
{
	ossai_mat3 c;
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			c.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
		}
	}
	return c;
}
static inline ossai_mat3 ossai_mat3_transpose(const ossai_mat3 *a)
{
	ossai_mat3 c;
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) c.m[i][j] = a->m[j][i];
	}
	return c;
}
static inline double ossai_mat3_det(const ossai_mat3 *a)
{
	return a->m[0][0] * (a->m[1][1] * a->m[2][2] - a->m[1][2] * a->m[2][1]) -
		a->m[0][1] * (a->m[1][0] * a->m[2][2] - a->m[1][2] * a->m[2][0]) +
		a->m[0][2] * (a->m[1][0] * a->m[2][1] - a->m[1][1] * a->m[2][0]);
}

static inline ossai_vec3 ossai_rigid_point(const ossai_rigid *a, ossai_vec3 p)
{
	return ossai_add(ossai_mat3_mul_v(&a->r, p), a->t);
}
/* first b, then a */
static inline ossai_rigid ossai_rigid_mul(const ossai_rigid *a, const ossai_rigid *b)
{
	return (ossai_rigid){ossai_mat3_mul(&a->r, &b->r), ossai_rigid_point(a, b->t)};
}
static inline bool ossai_mat3_same(const ossai_mat3 *a, const ossai_mat3 *b)
{
	for (int i = 0; i < 9; i++) {
		if (!(a->m[i / 3][i % 3] == b->m[i / 3][i % 3])) return false;
	}
	return true;
}
static inline bool ossai_rigid_same(const ossai_rigid *a, const ossai_rigid *b)
{
	return ossai_mat3_same(&a->r, &b->r) && a->t.x == b->t.x && a->t.y == b->t.y && a->t.z == b->t.z;
}
static inline ossai_rigid ossai_rigid_inverse(const ossai_rigid *a)
{
	const ossai_mat3 r = ossai_mat3_transpose(&a->r);
	return (ossai_rigid){r, ossai_scale(ossai_mat3_mul_v(&r, a->t), -1)};
}

static inline ossai_quat ossai_quat_identity(void) { return (ossai_quat){0, 0, 0, 1}; }
static inline ossai_quat ossai_quat_of(const double *a) { return (ossai_quat){a[0], a[1], a[2], a[3]}; }
static inline void ossai_quat_store(ossai_quat q, double *a)
{
	a[0] = q.x;
	a[1] = q.y;
	a[2] = q.z;
	a[3] = q.w;
}
static inline double ossai_quat_dot(ossai_quat a, ossai_quat b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
static inline ossai_quat ossai_quat_unit(ossai_quat q)
{
	const double length = sqrt(ossai_quat_dot(q, q));
	if (!(length > 1e-300)) return ossai_quat_identity();
	return (ossai_quat){q.x / length, q.y / length, q.z / length, q.w / length};
}
static inline ossai_quat ossai_quat_negate(ossai_quat q) { return (ossai_quat){-q.x, -q.y, -q.z, -q.w}; }
/* Stores q or -q, which are one rotation: the one on the side of `before`, that of the frame before
   (NULL: there is none), so that programs which blend keys take the shorter arc. */
static inline void ossai_quat_store_after(ossai_quat q, const double *before, double *to)
{
	ossai_quat_store(before && ossai_quat_dot(q, ossai_quat_of(before)) < 0 ? ossai_quat_negate(q) : q, to);
}
static inline ossai_quat ossai_quat_conjugate(ossai_quat q) { return (ossai_quat){-q.x, -q.y, -q.z, q.w}; }
/* first b, then a */
static inline ossai_quat ossai_quat_mul(ossai_quat a, ossai_quat b)
{
	return (ossai_quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
		a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
ossai_mat3 ossai_quat_matrix(ossai_quat q);             /* q need not be unit */
ossai_quat ossai_mat3_quat(const ossai_mat3 *rotation); /* unit, w >= 0 */
ossai_quat ossai_quat_axis_angle(ossai_vec3 unit_axis, double radians);
ossai_quat ossai_quat_exp(ossai_vec3 rotation_vector); /* radians times axis */
/* shortest rotation of unit vector a onto unit vector b */
ossai_quat ossai_quat_between(ossai_vec3 a, ossai_vec3 b);
/* angle of the rotation, 0 to pi */
double ossai_quat_angle(ossai_quat q);

/* ossa_clip's 12 doubles: rows of [R | t] */
static inline void ossai_rigid_store(const ossai_rigid *a, double *m)
{
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) m[4 * i + j] = a->r.m[i][j];
	}
	m[3] = a->t.x;
	m[7] = a->t.y;
	m[11] = a->t.z;
}
static inline ossai_rigid ossai_rigid_of(const double *m)
{
	ossai_rigid a;
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) a.r.m[i][j] = m[4 * i + j];
	}
	a.t = ossai_v3(m[3], m[7], m[11]);
	return a;
}

#endif

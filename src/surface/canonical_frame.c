/* surface/canonical_frame.c: see canonical_frame.h. */
#include "surface/canonical_frame.h"

#include "math/rigid_fit.h"

#include <string.h>

static double face_of(const double *points, const uint32_t *corner, ossai_vec3 *middle)
{
	const ossai_vec3 a = ossai_v3_of(points + 3 * (size_t)corner[0]), b = ossai_v3_of(points + 3 * (size_t)corner[1]);
	const ossai_vec3 c = ossai_v3_of(points + 3 * (size_t)corner[2]);
	*middle = ossai_scale(ossai_add(a, ossai_add(b, c)), 1.0 / 3);
	return ossai_length(ossai_cross(ossai_sub(b, a), ossai_sub(c, a))) / 2;
}

/* the covariance of the area: that of a triangle is that of its corners over 12, about its
   centroid */
static void add_second_moments(const double *points, const uint32_t *corner, ossai_vec3 center, double *moments)
{
	ossai_vec3 middle;
	const double area = face_of(points, corner, &middle);
	const ossai_vec3 out = ossai_sub(middle, center);
	const double at[3] = {out.x, out.y, out.z};
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) moments[3 * i + j] += area * at[i] * at[j];
	}
	for (int k = 0; k < 3; k++) {
		const ossai_vec3 r = ossai_sub(ossai_v3_of(points + 3 * (size_t)corner[k]), middle);
		const double q[3] = {r.x, r.y, r.z};
		for (int i = 0; i < 3; i++) {
			for (int j = 0; j < 3; j++) moments[3 * i + j] += area * q[i] * q[j] / 12;
		}
	}
}

/* the third moments of the area along the axes: over a triangle the mean of x^3 is m^3 + m sum
   r^2 / 4 + sum r^3 / 30, r being the corners relative to the centroid m */
static void add_third_moments(const double *points, const uint32_t *corner, const ossai_canonical_frame *frame, double *third)
{
	ossai_vec3 middle;
	const double area = face_of(points, corner, &middle);
	for (int i = 0; i < 3; i++) {
		const ossai_vec3 axis = ossai_v3_of(frame->axes.m[i]);
		const double m = ossai_dot(axis, ossai_sub(middle, frame->center));
		double square = 0, cube = 0;
		for (int k = 0; k < 3; k++) {
			const double r = ossai_dot(axis, ossai_sub(ossai_v3_of(points + 3 * (size_t)corner[k]), middle));
			square += r * r;
			cube += r * r * r;
		}
		third[i] += area * (m * m * m + m * square / 4 + cube / 30);
	}
}

/* directs each axis by the sign of its skewness, so that the axes of a mirror image are mirrored */
static void direct(ossai_mat3 *axes, const double *third, const double *spread)
{
	double lopsided[3];
	int least = 0;
	for (int i = 0; i < 3; i++) {
		lopsided[i] = spread[i] > 0 ? fabs(third[i]) / (spread[i] * sqrt(spread[i])) : 0;
		if (lopsided[i] < lopsided[least]) least = i;
	}
	for (int i = 0; i < 3; i++) {
		/* two to their heavier side, one to its lighter */
		const bool is_against = (third[i] < 0) != (i == least);
		for (int j = 0; is_against && j < 3; j++) axes->m[i][j] = -axes->m[i][j];
	}
}

ossai_canonical_frame ossai_canonical_frame_of(const double *points, size_t face_count, const uint32_t *triangles)
{
	ossai_canonical_frame frame = {ossai_v3(0, 0, 0), ossai_mat3_identity()};
	double area = 0, moments[9] = {0}, values[3], vectors[9], third[3] = {0};
	ossai_vec3 middle;
	for (size_t f = 0; f < face_count; f++) {
		const double a = face_of(points, triangles + 3 * f, &middle);
		frame.center = ossai_madd(frame.center, a, middle);
		area += a;
	}
	if (!(area > 0)) return (ossai_canonical_frame){ossai_v3(0, 0, 0), ossai_mat3_identity()};
	frame.center = ossai_scale(frame.center, 1 / area);
	for (size_t f = 0; f < face_count; f++) add_second_moments(points, triangles + 3 * f, frame.center, moments);
	for (int i = 0; i < 9; i++) moments[i] /= area;
	ossai_symmetric_eigen(3, moments, values, vectors);
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) frame.axes.m[i][j] = vectors[3 * j + i];
	}
	for (size_t f = 0; f < face_count; f++) add_third_moments(points, triangles + 3 * f, &frame, third);
	for (int i = 0; i < 3; i++) third[i] /= area;
	direct(&frame.axes, third, values);
	return frame;
}

/* ---- order ---- */

/* Bits of a digit, so that its counts stay in the nearest cache. */
enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

typedef struct placed_point {
	uint64_t key; /* rises with the place */
	uint32_t index;
} placed_point;

/* a number's bits as an integer that is ordered alike: those of a negative one are all turned, of
   another one the sign alone */
static uint64_t rising_bits(double value)
{
	uint64_t bits;
	/* + 0: never -0 */
	value += 0.0;
	memcpy(&bits, &value, sizeof bits);
	return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

/* one stable pass by the digit that begins at this bit; false, and nothing is done, where all have
   the same */
static bool sort_by_digit(const placed_point *from, placed_point *to, size_t count, unsigned shift)
{
	uint32_t counts[DIGITS + 1] = {0};
	for (size_t i = 0; i < count; i++) counts[(from[i].key >> shift) % DIGITS + 1]++;
	if (count == 0 || counts[(from[0].key >> shift) % DIGITS + 1] == count) return false;
	for (size_t d = 0; d < DIGITS; d++) counts[d + 1] += counts[d];
	for (size_t i = 0; i < count; i++) to[counts[(from[i].key >> shift) % DIGITS]++] = from[i];
	return true;
}

ossa_status ossai_canonical_order(ossa_context *context, size_t point_count, const double *points, uint32_t *order)
{
	ossai_arena scratch = ossai_arena_begin(context);
	placed_point *list = ossai_arena_new(&scratch, point_count, sizeof *list);
	placed_point *other = list ? ossai_arena_new(&scratch, point_count, sizeof *other) : NULL;
	if (!other) {
		ossai_arena_end(&scratch);
		return ossa_context_error(context)->status;
	}
	for (uint32_t i = 0; i < point_count; i++) {
		list[i] = (placed_point){rising_bits(ossai_canonical_place(ossai_v3_of(points + 3 * (size_t)i))), i};
	}
	for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS) {
		if (!sort_by_digit(list, other, point_count, shift)) continue;
		placed_point *const sorted = other;
		other = list;
		list = sorted;
	}
	for (size_t i = 0; i < point_count; i++) order[i] = list[i].index;
	ossai_arena_end(&scratch);
	return OSSA_OK;
}

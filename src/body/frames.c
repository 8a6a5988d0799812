/* body/frames.c: see frames.h. */
#include "body/frames.h"

#include "math/rigid_fit.h"

/* Most files have +Y up, some +Z; figures that lie on their side or hang are rare. */
static const struct up_choice {
	int axis;
	double sign, odds; /* logarithm */
} ups[] = {{1, 1, 0}, {2, 1, -4}, {2, -1, -9}, {0, 1, -9}, {0, -1, -9}, {1, -1, -9}};

/* The larger part of files have figures that look along +Z, or where Z is up along -Y. */
static const double USUAL_FRONT = 0.5;

/* Most bodies are symmetric in their rest pose: sides other than those of the plane of symmetry. */
static const double OTHER_SIDES = -1.5;

/* A plane of symmetry parts left from right only where it is upright: its normal is horizontal to
   within this sine. */
static const double UPRIGHT = 0.2;

ossai_moments ossai_moments_of(const ossai_proxy *proxy)
{
	ossai_moments m = {.scale = 0};
	const double share = 1 / fmax((double)proxy->vertex_count, 1);
	for (size_t v = 0; v < proxy->vertex_count; v++)
		m.center = ossai_madd(m.center, share, ossai_v3_of(proxy->positions + 3 * v));
	for (size_t v = 0; v < proxy->vertex_count; v++) {
		const ossai_vec3 d = ossai_sub(ossai_v3_of(proxy->positions + 3 * v), m.center);
		const double at[3] = {d.x, d.y, d.z};
		for (int i = 0; i < 9; i++) m.covariance[i] += share * at[i / 3] * at[i % 3];
	}
	m.scale = sqrt(m.covariance[0] + m.covariance[4] + m.covariance[8]);
	return m;
}

static void measure_extent(const ossai_proxy *proxy, ossai_frame *frame)
{
	double low = INFINITY, high = -INFINITY;
	for (size_t v = 0; v < proxy->vertex_count; v++) {
		const double at = ossai_dot(frame->up, ossai_v3_of(proxy->positions + 3 * v));
		low = ossai_lesser(low, at);
		high = ossai_larger(high, at);
	}
	frame->low = low;
	frame->height = high - low;
}

/* the two principal axes of the surface in the plane across `up`, the longer one first */
static void find_principal(const ossai_moments *moments, ossai_vec3 up, ossai_vec3 axis[2])
{
	const ossai_vec3 u = ossai_unit(ossai_cross(up, fabs(up.x) < 0.7 ? ossai_v3(1, 0, 0) : ossai_v3(0, 1, 0)), up);
	const ossai_vec3 v = ossai_cross(up, u), row[2] = {u, v};
	double flat[4], values[2], vectors[4];
	for (int i = 0; i < 4; i++) {
		const double *c = moments->covariance;
		const ossai_vec3 b = row[i % 2];
		const ossai_vec3 image = {
			c[0] * b.x + c[1] * b.y + c[2] * b.z, c[3] * b.x + c[4] * b.y + c[5] * b.z, c[6] * b.x + c[7] * b.y + c[8] * b.z};
		flat[i] = ossai_dot(row[i / 2], image);
	}
	ossai_symmetric_eigen(2, flat, values, vectors);
	for (int k = 0; k < 2; k++) axis[k] = ossai_madd(ossai_scale(u, vectors[k]), vectors[2 + k], v);
}

/* a frame and the one that faces the other way */
static void put_pair(const ossai_figure *figure, const ossai_frame *upright, ossai_vec3 side, double odds, ossai_frame *two)
{
	const bool is_z_up = fabs(ossai_dot(upright->up, figure->axis[2])) > 0.5;
	const ossai_vec3 level = ossai_madd(side, -ossai_dot(side, upright->up), upright->up);
	for (int k = 0; k < 2; k++) {
		two[k] = *upright;
		two[k].left = ossai_unit(ossai_scale(level, 1 - 2 * k), side);
		two[k].front = ossai_scale(ossai_cross(two[k].left, two[k].up), figure->hand);
		const double along = is_z_up ? -ossai_dot(two[k].front, figure->axis[1]) : ossai_dot(two[k].front, figure->axis[2]);
		two[k].odds += odds + USUAL_FRONT * along;
	}
}

size_t ossai_frames_find(const ossai_figure *figure, const ossai_moments *moments, ossai_frame frames[OSSAI_FRAMES])
{
	size_t count = 0;
	const ossai_mirror *mirror = figure->mirror;
	for (size_t i = 0; i < sizeof ups / sizeof ups[0]; i++) {
		ossai_frame upright = {.up = ossai_scale(figure->axis[ups[i].axis], ups[i].sign), .odds = ups[i].odds};
		measure_extent(figure->proxy, &upright);
		const bool is_parted = mirror && mirror->exists && fabs(ossai_dot(mirror->normal, upright.up)) < UPRIGHT;
		const double odds = is_parted ? OTHER_SIDES : 0;
		ossai_vec3 principal[2];
		find_principal(moments, upright.up, principal);
		if (is_parted) put_pair(figure, &upright, mirror->normal, 0, frames + count);
		if (is_parted) count += 2;
		for (int k = 0; k < 2; k++, count += 2) put_pair(figure, &upright, principal[k], odds, frames + count);
		for (int k = 0; k < 3; k++) {
			if (k == ups[i].axis) continue;
			put_pair(figure, &upright, figure->axis[k], odds, frames + count);
			count += 2;
		}
	}
	return count;
}

/* body/frames.c: see frames.h. */
#include "body/frames.h"

#include "math/rigid_fit.h"

/* Most files have +Y up, some +Z; figures that lie on their side or hang are rare. */
static const struct up_choice {
	int axis;
	double sign, odds; /* logarithm */
} ups[] = {{1, 1, 0}, {2, 1, -4}, {2, -1, -9}, {0, 1, -9}, {0, -1, -9}, {1, -1, -9}};

/* Figures that stand in no axis of the file, in each direction that is tried: of a hundred files none
   did, so that all directions together are as likely as one in a hundred. */
static const double IN_NO_AXIS = -9;

/* Directions of up that are tried around the normal of the plane of symmetry: feet that are 2.5
   degrees off are level to within the deviations of forms. */
enum { AROUND = 72 };

/* Logarithm of the odds of the front that most files have (body/figure.h). */
static const double USUAL_FRONT = 0.5;

/* Most bodies are symmetric in their rest pose: sides other than those of the plane of symmetry. */
static const double OTHER_SIDES = -1.5;

/* A plane of symmetry parts left from right only where it is upright: its normal is horizontal to
   within this sine, and along the axis from side to side. */
static const double UPRIGHT = 0.2;

ossai_spread_moments ossai_spread_moments_of(const ossai_proxy *proxy)
{
	ossai_spread_moments m = {.scale = 0};
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
static void find_principal(const ossai_spread_moments *moments, ossai_vec3 up, ossai_vec3 axis[2])
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
	const ossai_vec3 level = ossai_madd(side, -ossai_dot(side, upright->up), upright->up);
	const ossai_mirror *mirror = figure->mirror;
	for (int k = 0; k < 2; k++) {
		two[k] = *upright;
		two[k].left = ossai_unit(ossai_scale(level, 1 - 2 * k), side);
		two[k].front = ossai_scale(ossai_cross(two[k].left, two[k].up), figure->hand);
		two[k].is_symmetric = mirror && mirror->exists && ossai_length(ossai_cross(mirror->normal, two[k].left)) < UPRIGHT;
		two[k].odds += odds + USUAL_FRONT * ossai_figure_usual_front(figure, two[k].up, two[k].front);
	}
}

/* what frames have in common that are upright in one way */
typedef struct upright_frames {
	const ossai_figure *figure;
	ossai_frame upright;
	ossai_frame *frame; /* the next ones */
	size_t count;
} upright_frames;

static void put(upright_frames *u, ossai_vec3 side, double odds)
{
	put_pair(u->figure, &u->upright, side, odds, u->frame + u->count);
	u->count += 2;
}

/* the sides of one direction of up; axis: of the file, 3: none. Returns the number of frames. */
static size_t put_upright(
	const ossai_figure *figure, const ossai_spread_moments *moments, ossai_vec3 up, int axis, double odds, ossai_frame *frame)
{
	upright_frames u = {.figure = figure, .upright = {.up = up, .odds = odds}, .frame = frame};
	const ossai_mirror *mirror = figure->mirror;
	measure_extent(figure->proxy, &u.upright);
	const bool is_parted = mirror && mirror->exists && fabs(ossai_dot(mirror->normal, up)) < UPRIGHT;
	const double other = is_parted ? OTHER_SIDES : 0;
	ossai_vec3 principal[2];
	find_principal(moments, up, principal);
	if (is_parted) put(&u, mirror->normal, 0);
	for (int k = 0; k < 2; k++) put(&u, principal[k], other);
	for (int k = 0; k < 3 && axis < 3; k++) {
		if (k != axis) put(&u, figure->axis[k], other);
	}
	return u.count;
}

/* up in no axis of the file: anywhere in the plane of symmetry, else along a principal axis */
static size_t put_askew(const ossai_figure *figure, const ossai_spread_moments *moments, ossai_frame *frames)
{
	const ossai_mirror *mirror = figure->mirror;
	size_t count = 0;
	if (mirror && mirror->exists) {
		ossai_vec3 principal[2];
		find_principal(moments, mirror->normal, principal);
		for (int k = 0; k < AROUND; k++) {
			const double angle = 2 * OSSAI_PI * k / AROUND;
			ossai_frame upright = {.odds = IN_NO_AXIS};
			upright.up = ossai_madd(ossai_scale(principal[0], cos(angle)), sin(angle), principal[1]);
			measure_extent(figure->proxy, &upright);
			put_pair(figure, &upright, mirror->normal, 0, frames + count);
			count += 2;
		}
		return count;
	}
	double matrix[9], values[3], vectors[9];
	for (int i = 0; i < 9; i++) matrix[i] = moments->covariance[i];
	ossai_symmetric_eigen(3, matrix, values, vectors);
	for (int k = 0; k < 6; k++) {
		const ossai_vec3 axis = {vectors[k / 2], vectors[3 + k / 2], vectors[6 + k / 2]};
		count += put_upright(figure, moments, ossai_scale(axis, 1 - 2 * (k % 2)), 3, IN_NO_AXIS, frames + count);
	}
	return count;
}

size_t ossai_frames_find(const ossai_figure *figure, const ossai_spread_moments *moments, ossai_frame frames[OSSAI_FRAMES])
{
	size_t count = 0;
	for (size_t i = 0; i < sizeof ups / sizeof ups[0]; i++) {
		const ossai_vec3 up = ossai_scale(figure->axis[ups[i].axis], ups[i].sign);
		count += put_upright(figure, moments, up, ups[i].axis, ups[i].odds, frames + count);
	}
	return count + put_askew(figure, moments, frames + count);
}

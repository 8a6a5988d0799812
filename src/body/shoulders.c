/* body/shoulders.c: see shoulders.h. */
#include "body/shoulders.h"

#include "body/plan.h"

/* In heights of the throat: how far below it the joint is, and how far from the middle; how far
   from where the arm leaves the trunk along its axis, and off that. */
static const ossai_range BELOW = {0.036, 0.034}, ASIDE = {0.152, 0.046};
static const double ALONG = 0.055, OFF = 0.019;

/* The product of normal distributions that each know one coordinate: normal equations. */
typedef struct product {
	double a[3][3], b[3];
} product;

/* multiplies by the density of dot(along, p), whose mean is that of `at` */
static void multiply(product *p, ossai_vec3 along, ossai_vec3 at, double deviation)
{
	const double w = 1 / (deviation * deviation), n[3] = {along.x, along.y, along.z}, level = ossai_dot(along, at);
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) p->a[i][j] += w * n[i] * n[j];
		p->b[i] += w * n[i] * level;
	}
}

/* its mean, and the root of the sum of its three variances */
static ossai_vec3 mean_of(const product *p, double *deviation)
{
	const double(*a)[3] = p->a, *b = p->b;
	const ossai_vec3 r0 = {a[0][0], a[0][1], a[0][2]}, r1 = {a[1][0], a[1][1], a[1][2]}, r2 = {a[2][0], a[2][1], a[2][2]};
	const ossai_vec3 c0 = ossai_cross(r1, r2), c1 = ossai_cross(r2, r0), c2 = ossai_cross(r0, r1);
	const ossai_vec3 sum = ossai_madd(ossai_madd(ossai_scale(c0, b[0]), b[1], c1), b[2], c2);
	const double determinant = ossai_dot(r0, c0);
	*deviation = sqrt((c0.x + c1.y + c2.z) / determinant);
	return ossai_scale(sum, 1 / determinant);
}

ossai_vec3 ossai_shoulder_find(const ossai_shoulder_view *view, double *deviation)
{
	const ossai_vec3 edge = view->arm->point[view->begin], before = view->arm->point[view->begin - view->begin / 6];
	const ossai_vec3 along = ossai_unit(ossai_sub(edge, before), view->side);
	const ossai_vec3 across = ossai_unit(ossai_cross(along, view->front), view->up);
	product p = {.b = {0}};
	multiply(&p, along, edge, ALONG * view->unit);
	multiply(&p, across, edge, OFF * view->unit);
	multiply(&p, ossai_cross(along, across), edge, OFF * view->unit);
	multiply(&p, view->up, ossai_madd(view->throat, -BELOW.mean * view->unit, view->up), BELOW.deviation * view->unit);
	multiply(&p, view->side, ossai_madd(view->throat, ASIDE.mean * view->unit, view->side), ASIDE.deviation * view->unit);
	return mean_of(&p, deviation);
}

/* report/surface_point.c: values between a triangle's corners: see surface_point.h. */
#include "report/surface_point.h"

#include <string.h>

/* a corner whose smooth normal turns further than this from the face's is a crease */
static const double crease_cosine = 0.4;
/* half a step of the codes: less cannot be seen */
static const double clear = 0.5 / 255;
/* samples of a pixel are 1 / sqrt(8) of it apart: holes are tested with textures as sharp as
   that */
static const double sample_spacing = 0.35355339059327;

/* perspective weights of a triangle's corners at a point of the image, in coordinates: within the
   triangle, or also beyond it */
static void corner_weights(
	const ossai_raster_point *const *p, double x, double y, bool within, double *weights, double *nearness)
{
	double sum = 0, total = 0;
	for (int i = 0; i < 3; i++) {
		const ossai_raster_point *a = p[(i + 1) % 3], *b = p[(i + 2) % 3];
		weights[i] = (a->x - x) * (b->y - y) - (a->y - y) * (b->x - x);
		total += weights[i];
	}
	for (int i = 0; i < 3; i++) {
		const double share = weights[i] / total;
		weights[i] = (within ? fmax(share, 0) : share) * p[i]->nearness;
		sum += weights[i];
	}
	for (int i = 0; i < 3; i++) weights[i] /= sum;
	*nearness = sum;
}

/* spacing: of the lookups, in pixels */
static ossai_look_spot spot_at(uint32_t triangle, const ossai_raster_point *const *corners, double x, double y, double spacing)
{
	ossai_look_spot spot = {.triangle = triangle};
	const double step = spacing * OSSAI_RASTER_PIXEL;
	double here[3], nearness;
	corner_weights(corners, x, y, true, spot.weights, &nearness);
	corner_weights(corners, x, y, false, here, &nearness);
	corner_weights(corners, x + step, y, false, spot.across, &nearness);
	corner_weights(corners, x, y + step, false, spot.down, &nearness);
	for (int i = 0; i < 3; i++) {
		spot.across[i] -= here[i];
		spot.down[i] -= here[i];
	}
	return spot;
}

/* p: the triangle's points; face: its normal */
static void add_look(
	const ossai_looks *looks, const ossai_look_spot *spot, const ossai_vec3 *p, ossai_vec3 face, ossai_surface_point *point)
{
	const ossai_look look = ossai_look_at(looks, spot);
	point->alpha = look.alpha;
	memcpy(point->color, look.color, sizeof point->color);
	memcpy(point->emission, look.emission, sizeof point->emission);
	const ossai_vec3 normal = ossai_unit(point->normal, face);
	point->normal = ossai_look_normal(looks, spot, p, normal);
}

ossai_surface_point ossai_surface_point_at(const ossai_shade_job *job, uint32_t triangle, double x, double y)
{
	const ossai_solid *s = job->solid;
	const uint32_t *t = s->triangles + 3 * (size_t)triangle;
	const ossai_raster_point *const corners[3] = {&job->points[t[0]], &job->points[t[1]], &job->points[t[2]]};
	double weights[3], nearness;
	corner_weights(corners, x, y, true, weights, &nearness);
	ossai_vec3 p[3];
	for (int i = 0; i < 3; i++) p[i] = ossai_v3_of_float(s->positions + 3 * (size_t)t[i]);
	const ossai_vec3 zero = ossai_v3(0, 0, 0);
	const ossai_vec3 face = ossai_unit(ossai_cross(ossai_sub(p[1], p[0]), ossai_sub(p[2], p[0])), zero);
	ossai_surface_point point = {.position = zero, .normal = zero, .alpha = 1, .distance = 1 / nearness};
	for (int i = 0; i < 3; i++) {
		const ossai_vec3 smooth = ossai_v3_of_float(s->normals + 3 * (size_t)t[i]);
		const bool crease = ossai_dot(smooth, face) < crease_cosine;
		point.position = ossai_madd(point.position, weights[i], p[i]);
		point.normal = ossai_madd(point.normal, weights[i], crease ? face : smooth);
		point.color[0] += weights[i] * s->colors[t[i]].r;
		point.color[1] += weights[i] * s->colors[t[i]].g;
		point.color[2] += weights[i] * s->colors[t[i]].b;
	}
	if (s->face_colors) {
		const ossai_light *color = &s->face_colors[triangle];
		point.color[0] = color->r;
		point.color[1] = color->g;
		point.color[2] = color->b;
	}
	if (s->looks) {
		const ossai_look_spot spot = spot_at(triangle, corners, x, y, 1);
		add_look(s->looks, &spot, p, face, &point);
	}
	point.normal = ossai_unit(point.normal, ossai_sub(job->eye, point.position));
	return point;
}

bool ossai_surface_shows(const void *arg, uint32_t triangle, double x, double y)
{
	const ossai_shade_job *job = arg;
	const ossai_looks *looks = job->solid->looks;
	const uint32_t *t = job->solid->triangles + 3 * (size_t)triangle;
	const ossai_raster_point *const corners[3] = {&job->points[t[0]], &job->points[t[1]], &job->points[t[2]]};
	const ossai_look_spot spot = spot_at(triangle, corners, x, y, sample_spacing);
	const double alpha = ossai_look_alpha(looks, &spot);
	if (looks->kinds[triangle] & OSSAI_LOOK_MASK)
		return alpha >= looks->materials[looks->material[triangle]].plain.alpha_cutoff;
	return job->of_veils ? alpha > clear && alpha < 1 - clear : alpha >= 1 - clear;
}

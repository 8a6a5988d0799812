/* surface/sheets.c: see sheets.h.

   The principal axes of the faces give thickness and length. Projected along the thinnest axis, a
   sheet fills the convex hull of its corners; a paper figure is flat, too, but has limbs. */
#include "surface/sheets.h"

#include "math/symmetric_eigen.h"

#include <stdlib.h>

/* root mean square extents against that along the longest axis: a sheet has less across it, and
   more along the second axis than a strip. A card of 3 x 1 x 0.05 has 0.029 across it, a plank of 4
   x 1 x 0.3, which bends, 0.13 */
static const double THICK = 0.03, WIDE = 0.25;
/* share of the convex hull: the floor of an L-shaped room and a floor with a hole fill more,
   figures less */
static const double FILLS = 0.65;

typedef struct point {
	double x, y;
} point;

typedef struct sheet {
	const ossai_posed_surface *surface;
	size_t count; /* of faces */
	const uint32_t *faces;
	double spread[3]; /* root mean square extents along the axes, the largest first */
	ossai_vec3 axis[3];
	double area; /* of one side */
} sheet;

static ossai_vec3 corner_of(const sheet *s, size_t i, size_t k)
{
	return ossai_rest_point(s->surface, s->surface->triangles[3 * (size_t)s->faces[i] + k]);
}

static ossai_vec3 middle_of(const sheet *s)
{
	ossai_vec3 sum = {0, 0, 0};
	double area = 0;
	for (size_t i = 0; i < s->count; i++) {
		const double own = s->surface->face_area[s->faces[i]];
		for (size_t k = 0; k < 3; k++) sum = ossai_madd(sum, own / 3, corner_of(s, i, k));
		area += own;
	}
	return area > 0 ? ossai_scale(sum, 1 / area) : sum;
}

/* of one side: the vector areas of the two sides of a slab cancel out, those of a single sheet do
   not */
static void measure_area(sheet *s)
{
	ossai_vec3 sum = {0, 0, 0};
	s->area = 0;
	for (size_t i = 0; i < s->count; i++) {
		const ossai_vec3 a = corner_of(s, i, 0);
		const ossai_vec3 across = ossai_cross(ossai_sub(corner_of(s, i, 1), a), ossai_sub(corner_of(s, i, 2), a));
		sum = ossai_madd(sum, 0.5, across);
		s->area += ossai_length(across) / 2;
	}
	if (ossai_length(sum) < s->area / 2) s->area /= 2;
}

/* principal axes of the corners, each weighted by a third of its faces' areas */
static ossa_status measure_axes(ossai_arena *scratch, sheet *s)
{
	const ossai_vec3 middle = middle_of(s);
	double moments[9] = {0}, vectors[9], area = 0;
	for (size_t i = 0; i < s->count; i++) {
		const double third = s->surface->face_area[s->faces[i]] / 3;
		for (size_t k = 0; k < 3; k++) {
			const ossai_vec3 off = ossai_sub(corner_of(s, i, k), middle);
			const double x[3] = {off.x, off.y, off.z};
			for (int r = 0; r < 9; r++) moments[r] += third * x[r / 3] * x[r % 3];
		}
		area += 3 * third;
	}
	ossai_eigen eigen;
	OSSAI_TRY(ossai_eigen_make(scratch->context, scratch, 3, moments, &eigen));
	OSSAI_TRY(ossai_eigen_vectors(scratch->context, &eigen, 3, vectors));
	for (int k = 0; k < 3; k++) {
		s->axis[k] = ossai_v3(vectors[k], vectors[3 + k], vectors[6 + k]);
		s->spread[k] = area > 0 ? sqrt(fmax(0, eigen.values[k]) / area) : 0;
	}
	return OSSA_OK;
}

static int by_place(const void *left, const void *right)
{
	const point *a = left, *b = right;
	if (a->x != b->x) return a->x < b->x ? -1 : 1;
	return a->y < b->y ? -1 : a->y > b->y;
}

static double turn(point a, point b, point c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

/* the area of the convex hull: its lower and its upper chain, from left to right (A. M. Andrew
   1979) */
static double hull_area(size_t count, point *points, point *chain)
{
	double area = 0;
	qsort(points, count, sizeof *points, by_place);
	for (int side = 1; side >= -1; side -= 2) {
		size_t kept = 0;
		for (size_t i = 0; i < count; i++) {
			while (kept > 1 && side * turn(chain[kept - 2], chain[kept - 1], points[i]) <= 0) kept--;
			chain[kept++] = points[i];
		}
		for (size_t i = 1; i < kept; i++) area += side * (chain[i - 1].x * chain[i].y - chain[i].x * chain[i - 1].y) / 2;
	}
	return fabs(area);
}

static ossa_status fills_hull(ossai_arena *scratch, const sheet *s, bool *fills)
{
	const size_t count = 3 * s->count;
	point *points = ossai_arena_new(scratch, count, sizeof *points);
	point *chain = ossai_arena_new(scratch, count, sizeof *chain);
	if (!points || !chain) return ossa_context_error(scratch->context)->status;
	for (size_t i = 0; i < count; i++) {
		const ossai_vec3 p = corner_of(s, i / 3, i % 3);
		points[i] = (point){ossai_dot(p, s->axis[0]), ossai_dot(p, s->axis[1])};
	}
	*fills = s->area >= FILLS * hull_area(count, points, chain);
	return OSSA_OK;
}

static ossa_status judge(ossai_arena *scratch, sheet *s, bool *is)
{
	OSSAI_TRY(measure_axes(scratch, s));
	if (!(s->spread[2] <= THICK * s->spread[0] && s->spread[1] >= WIDE * s->spread[0])) return OSSA_OK;
	measure_area(s);
	return fills_hull(scratch, s, is);
}

ossa_status ossai_is_sheet(
	ossai_arena *arena, const ossai_posed_surface *surface, size_t count, const uint32_t *faces, bool *is)
{
	sheet s = {.surface = surface, .count = count, .faces = faces};
	ossai_arena scratch = ossai_arena_begin(arena->context);
	*is = false;
	const ossa_status status = judge(&scratch, &s, is);
	ossai_arena_end(&scratch);
	return status;
}

/* proxy/isotropic_flip.c: flips until the triangles are Delaunay: see isotropic.h. */
#include "proxy/isotropic.h"

#include <string.h>

/* An edge whose dihedral angle is larger than that of this cosine is flipped only where the new
   edge stays close to the surface ... */
static const double CREASE = 0.85;
/* ... to within this share of its length. */
static const double CREASE_REACH = 0.03;
enum { FLIP_PASSES = 6 };

/* cotangent of the angle at `at` between two points */
static double cotangent(ossai_vec3 at, ossai_vec3 x, ossai_vec3 y)
{
	const ossai_vec3 u = ossai_sub(x, at), w = ossai_sub(y, at);
	const double along = ossai_dot(u, w), across = ossai_length(ossai_cross(u, w));
	static const double MOST = 1e8;
	return across * MOST > fabs(along) ? along / across : copysign(MOST, along);
}

/* Twice the area over the square of the longest side: 0.87 for an equilateral triangle, 0 for a
   degenerate one. */
static double roundness(ossai_vec3 a, ossai_vec3 b, ossai_vec3 c)
{
	const ossai_vec3 ab = ossai_sub(b, a), bc = ossai_sub(c, b), ca = ossai_sub(a, c);
	const double longest2 = fmax(ossai_length2(ab), fmax(ossai_length2(bc), ossai_length2(ca)));
	return longest2 > 0 ? ossai_length(ossai_cross(ab, ca)) / longest2 : 0;
}

/* where the surface is not flat a Delaunay flip may make a face of three collinear points, which no
   other pass can repair */
static bool flip_makes_sliver(const ossai_vec3 *p)
{
	static const double SLIVER = 0.05;
	const double after = fmin(roundness(p[0], p[3], p[2]), roundness(p[1], p[2], p[3]));
	return after < SLIVER && after <= fmin(roundness(p[0], p[1], p[2]), roundness(p[1], p[0], p[3]));
}

/* whether the edge may be flipped to c - d: it stays on the surface and no face folds over */
static bool flip_keeps_shape(const ossai_isotropic *e, uint32_t h, const ossai_vec3 *p)
{
	const ossai_half_edges *m = &e->mesh;
	const ossai_vec3 left = ossai_edge_normal(m, h / 3), right = ossai_edge_normal(m, m->twin[h] / 3);
	const ossai_vec3 both = ossai_add(left, right);
	const ossai_vec3 new_a = ossai_cross(ossai_sub(p[3], p[0]), ossai_sub(p[2], p[0]));
	const ossai_vec3 new_b = ossai_cross(ossai_sub(p[2], p[1]), ossai_sub(p[3], p[1]));
	if (!(ossai_dot(new_a, both) > 0) || !(ossai_dot(new_b, both) > 0)) return false;
	if (ossai_dot(left, right) > CREASE * sqrt(ossai_length2(left) * ossai_length2(right))) return true;
	const ossai_vec3 before = ossai_scale(ossai_add(p[0], p[1]), 0.5), after = ossai_scale(ossai_add(p[2], p[3]), 0.5);
	const double was = ossai_isotropic_follow(e, m->vertex[h], before).distance2;
	const double becomes = ossai_isotropic_follow(e, ossai_edge_across(m, h), after).distance2;
	const double reach2 = CREASE_REACH * CREASE_REACH * ossai_edge_length2(m, h);
	return becomes <= (was > reach2 ? was : reach2);
}

/* whether the angles across the edge sum to more than half a circle: the other diagonal is the
   Delaunay one */
static bool is_flip_wanted(const ossai_vec3 *p)
{
	static const double ROUNDING = -1e-3;
	/* most are acute, and need no more */
	const double left = ossai_dot(ossai_sub(p[0], p[2]), ossai_sub(p[1], p[2]));
	const double right = ossai_dot(ossai_sub(p[0], p[3]), ossai_sub(p[1], p[3]));
	if (left >= 0 && right >= 0) return false;
	return cotangent(p[2], p[0], p[1]) + cotangent(p[3], p[0], p[1]) < ROUNDING;
}

/* What the tests say of an edge depends on its two faces alone: a pass tests only the edges of
   faces around which something has changed since. */
static void look_again(ossai_isotropic *e, uint32_t face, uint8_t pass)
{
	e->due[face] = pass;
	for (uint32_t h = 3 * face; h < 3 * face + 3; h++) {
		if (e->mesh.twin[h] != OSSA_NONE) e->due[e->mesh.twin[h] / 3] = pass;
	}
}

static bool try_flip(ossai_isotropic *e, uint32_t h, uint8_t pass)
{
	ossai_half_edges *m = &e->mesh;
	const uint32_t twin = m->twin[h];
	const ossai_vec3 p[4] = {ossai_edge_point(m, m->vertex[h]), ossai_edge_point(m, ossai_edge_end(m, h)),
		ossai_edge_point(m, ossai_edge_across(m, h)), ossai_edge_point(m, ossai_edge_across(m, twin))};
	if (!is_flip_wanted(p) || flip_makes_sliver(p) || !flip_keeps_shape(e, h, p)) return false;
	const bool is_flipped = ossai_edge_flip(m, h);
	/* or else the other diagonal is an edge, which may be flipped elsewhere */
	look_again(e, h / 3, (uint8_t)(pass + 1));
	look_again(e, twin / 3, (uint8_t)(pass + 1));
	return is_flipped;
}

void ossai_isotropic_flip(ossai_isotropic *e)
{
	const ossai_half_edges *m = &e->mesh;
	memset(e->due, 0, m->face_count);
	for (int pass = 0; pass < FLIP_PASSES; pass++) {
		size_t count = 0;
		for (uint32_t f = 0; f < m->face_count; f++) {
			for (uint32_t h = 3 * f; e->due[f] >= pass && h < 3 * f + 3; h++) {
				if (m->twin[h] != OSSA_NONE && ossai_edge_is_first(m, h)) count += try_flip(e, h, (uint8_t)pass);
			}
		}
		if (count == 0) return;
	}
}

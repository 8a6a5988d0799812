/* scene/triangulate.c: polygons into triangles: always two fewer than a polygon has corners.

   Place in the path: the end of every reader.
   Input: an ossa_mesh's polygons.
   Output: its triangles and triangle_corners.
   Sources: M. Newell's normal (I. Sutherland et al., A Characterization of Ten Hidden-Surface
   Algorithms, 1974); ear clipping after G. Meisters, Polygons Have Ears, 1975. A polygon that
   crosses itself or is too large to search is still filled: with ears that may overlap. */
#include "scene/mesh.h"

#include "math/vec.h"

/* Points tested for lying in an ear, per corner of a polygon, before the rest is cut without tests:
   bounds the time for polygons of tens of thousands of corners. */
enum { TESTS_PER_CORNER = 4096 };

/* One polygon being cut, projected to a plane where it turns counter-clockwise. Arrays are large
   enough for the largest polygon. */
typedef struct ring {
	const ossa_mesh *mesh;
	uint32_t first; /* corner of the mesh */
	uint32_t size;  /* corners that are left */
	double (*points)[2];
	uint32_t *next, *previous;
	uint8_t *convex; /* the corner turns left */
	int64_t tests_left;
} ring;

static ossai_vec3 corner_position(const ossa_mesh *mesh, uint32_t corner)
{
	return ossai_v3_of_float(mesh->positions + 3 * (size_t)mesh->corner_vertex[corner]);
}

/* twice the area of the polygon times its unit normal, about its first corner so that positions far
   from the origin lose no digits */
static ossai_vec3 newell_normal(const ossa_mesh *mesh, uint32_t first, uint32_t size)
{
	const ossai_vec3 origin = corner_position(mesh, first);
	ossai_vec3 normal = {0, 0, 0}, a = {0, 0, 0};
	for (uint32_t i = 1; i < size; i++) {
		const ossai_vec3 b = ossai_sub(corner_position(mesh, first + i), origin);
		normal = ossai_add(normal, ossai_cross(a, b));
		a = b;
	}
	return normal;
}

static void emit(ossa_mesh *mesh, uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t *corners = mesh->triangle_corners + 3 * mesh->triangle_count;
	uint32_t *triangle = mesh->triangles + 3 * mesh->triangle_count;
	mesh->triangle_count++;
	corners[0] = a;
	corners[1] = b;
	corners[2] = c;
	for (int k = 0; k < 3; k++) triangle[k] = mesh->corner_vertex[corners[k]];
}

/* ---- quads ---- */

/* whether the two triangles at a diagonal face the same side: false for the outer diagonal of a
   concave quad */
static bool agree(ossai_vec3 a, ossai_vec3 b, ossai_vec3 c, ossai_vec3 d)
{
	const ossai_vec3 diagonal = ossai_sub(c, a);
	const ossai_vec3 one = ossai_cross(ossai_sub(b, a), diagonal), other = ossai_cross(diagonal, ossai_sub(d, a));
	return ossai_dot(one, other) > 0;
}

static void cut_quad(ossa_mesh *mesh, uint32_t first)
{
	ossai_vec3 p[4];
	for (uint32_t i = 0; i < 4; i++) p[i] = corner_position(mesh, first + i);
	const bool good_02 = agree(p[0], p[1], p[2], p[3]), good_13 = agree(p[1], p[2], p[3], p[0]);
	const bool shorter_02 = ossai_length2(ossai_sub(p[2], p[0])) <= ossai_length2(ossai_sub(p[3], p[1]));
	if (good_02 == good_13 ? shorter_02 : good_02) {
		emit(mesh, first, first + 1, first + 2);
		emit(mesh, first, first + 2, first + 3);
	} else {
		emit(mesh, first, first + 1, first + 3);
		emit(mesh, first + 1, first + 2, first + 3);
	}
}

/* ---- larger polygons ---- */

/* twice the signed area: positive where a, b, c turn left */
static double turn(const double a[2], const double b[2], const double c[2])
{
	return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static bool same_point(const double a[2], const double b[2]) { return a[0] == b[0] && a[1] == b[1]; }

static double corner_turn(const ring *r, uint32_t i)
{
	return turn(r->points[r->previous[i]], r->points[i], r->points[r->next[i]]);
}

/* false where the polygon has no plane: all its corners on one line */
static bool project(ring *r)
{
	const ossai_vec3 normal = newell_normal(r->mesh, r->first, r->size);
	const double n[3] = {normal.x, normal.y, normal.z};
	int axis = 0;
	for (int k = 1; k < 3; k++) {
		if (fabs(n[k]) > fabs(n[axis])) axis = k;
	}
	if (!(fabs(n[axis]) > 0)) return false;
	/* leaving out the normal's largest axis keeps coordinates exact; the order of the other two
	   keeps the turning sense */
	const int u = (axis + (n[axis] > 0 ? 1 : 2)) % 3, v = (axis + (n[axis] > 0 ? 2 : 1)) % 3;
	for (uint32_t i = 0; i < r->size; i++) {
		const float *p = r->mesh->positions + 3 * (size_t)r->mesh->corner_vertex[r->first + i];
		r->points[i][0] = p[u];
		r->points[i][1] = p[v];
		r->next[i] = i + 1 < r->size ? i + 1 : 0;
		r->previous[i] = i > 0 ? i - 1 : r->size - 1;
	}
	for (uint32_t i = 0; i < r->size; i++) r->convex[i] = corner_turn(r, i) > 0;
	return true;
}

/* no other corner lies in the triangle at corner i or on its border; only corners that do not turn
   left can be the first in */
static bool is_ear(ring *r, uint32_t i)
{
	if (!r->convex[i]) return false;
	const double *a = r->points[r->previous[i]], *b = r->points[i], *c = r->points[r->next[i]];
	for (uint32_t j = r->next[r->next[i]]; j != r->previous[i]; j = r->next[j]) {
		r->tests_left--;
		if (r->convex[j]) continue;
		const double *p = r->points[j];
		/* the two sides of a keyhole share points with the ear without being in it */
		if (same_point(p, a) || same_point(p, b) || same_point(p, c)) continue;
		if (turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0) return false;
	}
	return true;
}

static void clip(ring *r, ossa_mesh *mesh, uint32_t i)
{
	const uint32_t before = r->previous[i], after = r->next[i];
	emit(mesh, r->first + before, r->first + i, r->first + after);
	r->next[before] = after;
	r->previous[after] = before;
	r->size--;
	r->convex[before] = corner_turn(r, before) > 0;
	r->convex[after] = corner_turn(r, after) > 0;
}

/* the next corner from `start` on that can be cut; where none is an ear, one that at least turns
   left; *exact says which */
static uint32_t find_ear(ring *r, uint32_t start, bool *exact)
{
	uint32_t i = start;
	*exact = true;
	for (uint32_t tried = 0; tried < r->size && r->tests_left > 0; tried++, i = r->next[i]) {
		r->tests_left--;
		if (is_ear(r, i)) return i;
	}
	/* what is left may be a line (harmless), or the polygon crosses itself */
	r->tests_left -= r->size;
	bool flat = true;
	i = start;
	for (uint32_t tried = 0; tried < r->size && flat; tried++, i = r->next[i]) flat = corner_turn(r, i) == 0;
	*exact = flat;
	i = start;
	for (uint32_t tried = 0; tried < r->size; tried++, i = r->next[i]) {
		if (r->convex[i]) return i;
	}
	return start;
}

/* true where every triangle lies inside */
static bool cut_polygon(ring *r, ossa_mesh *mesh, uint32_t first, uint32_t size)
{
	r->first = first;
	r->size = size;
	r->tests_left = (int64_t)TESTS_PER_CORNER * size;
	bool exact = project(r);
	if (!exact) {
		for (uint32_t i = 1; i + 1 < size; i++) emit(mesh, first, first + i, first + i + 1);
		return true;
	}
	uint32_t at = 0;
	while (r->size > 3) {
		bool good = true;
		/* without tests left any corner is cut, in order: linear time */
		const uint32_t ear = r->tests_left > 0 ? find_ear(r, at, &good) : at;
		exact &= good && r->tests_left > 0;
		/* going on two corners further makes rounder triangles than a fan */
		at = r->next[r->next[ear]];
		clip(r, mesh, ear);
	}
	clip(r, mesh, at);
	return exact;
}

/* ---- all polygons ---- */

static ossa_status make_ring(ossai_arena *arena, const ossa_mesh *mesh, ring *r)
{
	uint32_t largest = 0;
	for (size_t i = 0; i < mesh->polygon_count; i++) {
		const uint32_t size = mesh->polygon_start[i + 1] - mesh->polygon_start[i];
		if (size > largest) largest = size;
	}
	*r = (ring){.mesh = mesh};
	if (largest <= 4) return OSSA_OK;
	r->points = ossai_arena_new(arena, largest, sizeof *r->points);
	r->next = ossai_arena_new(arena, largest, sizeof *r->next);
	r->previous = ossai_arena_new(arena, largest, sizeof *r->previous);
	r->convex = ossai_arena_new(arena, largest, sizeof *r->convex);
	const bool good = r->points && r->next && r->previous && r->convex;
	return good ? OSSA_OK : ossa_context_error(arena->context)->status;
}

static void cut_all(ossa_context *context, ring *r, ossa_mesh *mesh)
{
	int64_t inexact = 0;
	size_t first_inexact = 0;
	for (size_t i = 0; i < mesh->polygon_count; i++) {
		const uint32_t first = mesh->polygon_start[i], size = mesh->polygon_start[i + 1] - first;
		if (size == 3) emit(mesh, first, first + 1, first + 2);
		else if (size == 4) cut_quad(mesh, first);
		else if (!cut_polygon(r, mesh, first, size) && inexact++ == 0) first_inexact = i;
	}
	if (inexact) {
		ossai_warn(context, "polygon-overlaps", inexact,
			"polygon %zu crosses itself or is too large to be cut into triangles without overlap", first_inexact);
	}
}

static void drop_triangles(ossa_context *context, ossa_mesh *mesh)
{
	ossa_free(context, mesh->triangles);
	ossa_free(context, mesh->triangle_corners);
	mesh->triangles = mesh->triangle_corners = NULL;
	mesh->triangle_count = 0;
}

ossa_status ossa_mesh_triangulate(ossa_context *context, ossa_mesh *mesh)
{
	OSSAI_NEED(context, mesh);
	drop_triangles(context, mesh);
	OSSAI_TRY(ossai_mesh_check_polygons(context, mesh));
	const size_t count = mesh->corner_count - 2 * mesh->polygon_count;
	ossai_arena arena = ossai_arena_begin(context);
	ring r;
	ossa_status status = make_ring(&arena, mesh, &r);
	if (status == OSSA_OK) {
		mesh->triangles = ossai_new(context, count, 3 * sizeof *mesh->triangles);
		mesh->triangle_corners = ossai_new(context, count, 3 * sizeof *mesh->triangle_corners);
		if (!mesh->triangles || !mesh->triangle_corners) status = ossa_context_error(context)->status;
	}
	if (status == OSSA_OK) cut_all(context, &r, mesh);
	else drop_triangles(context, mesh);
	ossai_arena_end(&arena);
	return status;
}

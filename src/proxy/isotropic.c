/* proxy/isotropic.c: see isotropic.h. */
#include "proxy/isotropic.h"

#include "base/heap.h"
#include "proxy/coarsen.h"
#include "proxy/quadric.h"

static const double SHORT = 4.0 / 5, LONG = 4.0 / 3;
/* Weight of the neighbours' centroid against the planes around a vertex: it decides where the
   vertex goes along them, and hardly matters across. */
static const double PULL = 0.1;
/* An edge whose dihedral angle is larger than that of this cosine is flipped only where the new
   edge stays close to the surface ... */
static const double CREASE = 0.85;
/* ... to within this share of its length. */
static const double CREASE_REACH = 0.03;
/* A point is not projected back to a surface that is farther away than this share of the edge
   length, or of the size. */
static const double PROJECTION_MOST = 0.25;
enum { FLIP_PASSES = 6 };

ossa_status ossai_isotropic_begin(ossai_arena *arena, const ossai_half_edges *target, size_t spare, ossai_isotropic *e)
{
	*e = (ossai_isotropic){.context = arena->context, .target = target};
	OSSAI_TRY(ossai_half_edges_copy(arena, target, spare, &e->mesh));
	const size_t capacity = e->mesh.vertex_capacity;
	e->target_face = ossai_arena_new(arena, capacity, sizeof *e->target_face);
	e->size = ossai_arena_new(arena, capacity, sizeof *e->size);
	e->merged = ossai_arena_new(arena, capacity, sizeof *e->merged);
	e->moved = ossai_arena_new(arena, capacity, 3 * sizeof *e->moved);
	e->new_vertex = ossai_arena_new(arena, capacity, sizeof *e->new_vertex);
	e->new_face = ossai_arena_new(arena, e->mesh.face_capacity, sizeof *e->new_face);
	e->of_target = ossai_arena_new(arena, target->vertex_count, sizeof *e->of_target);
	/* every edge, and six more for each split */
	e->heap = ossai_arena_new(arena, 3 * target->face_count + 6 * spare, sizeof *e->heap);
	const bool all = e->target_face && e->size && e->merged && e->moved && e->new_vertex && e->new_face && e->of_target &&
		e->heap;
	if (!all) return ossa_context_error(arena->context)->status;
	for (uint32_t v = 0; v < target->vertex_count; v++) {
		e->target_face[v] = target->out[v] / 3;
		e->merged[v] = e->of_target[v] = v;
	}
	return OSSA_OK;
}

static double edge_size(const ossai_isotropic *e, uint32_t h)
{
	return 0.5 * (e->size[e->mesh.vertex[h]] + e->size[ossai_edge_end(&e->mesh, h)]);
}

static void project(ossai_isotropic *e, uint32_t v, ossai_spot spot)
{
	e->target_face[v] = spot.face;
	ossai_v3_store(spot.point, e->mesh.positions + 3 * (size_t)v);
}

/* the point of the target that is reached by walking over it from a vertex towards a point */
static ossai_spot follow(const ossai_isotropic *e, uint32_t from, ossai_vec3 to)
{
	static const double NEAR = 0.1;
	const ossai_vec3 begin = ossai_edge_point(&e->mesh, from);
	const ossai_spot spot = ossai_walk_to(e->target, e->target_face[from], to);
	if (spot.distance2 <= NEAR * NEAR * ossai_length2(ossai_sub(to, begin))) return spot;
	const ossai_spot slow = ossai_walk_along(e->target, e->target_face[from], begin, to);
	return slow.distance2 < spot.distance2 ? slow : spot;
}

/* ---- collapse ---- */

static void add_fan_planes(const ossai_half_edges *m, uint32_t v, ossai_vec3 origin, ossai_quadric *q)
{
	uint32_t h = m->out[v];
	const uint32_t first = h;
	do {
		const ossai_vec3 normal = ossai_edge_normal(m, h / 3);
		const double size = ossai_length(normal);
		if (size > 0) {
			const ossai_vec3 at = ossai_sub(ossai_edge_point(m, v), origin);
			ossai_quadric_add_plane(q, ossai_scale(normal, 1 / size), at, size);
		}
		h = ossai_edge_turn(m, h);
	} while (h != OSSA_NONE && h != first);
}

/* position of the merged vertex: on the border where one of the two is, else where the planes
   around them meet */
static ossai_vec3 merged_position(const ossai_half_edges *m, uint32_t a, uint32_t b)
{
	const ossai_vec3 at = ossai_edge_point(m, a), end = ossai_edge_point(m, b);
	if (ossai_on_border(m, b)) return end;
	if (ossai_on_border(m, a)) return at;
	const ossai_vec3 midpoint = ossai_scale(ossai_add(at, end), 0.5);
	ossai_quadric q = {0};
	add_fan_planes(m, a, midpoint, &q);
	add_fan_planes(m, b, midpoint, &q);
	const ossai_vec3 step = ossai_quadric_best(&q, ossai_v3(0, 0, 0), 1e-2);
	return ossai_length2(step) <= ossai_length2(ossai_sub(end, at)) ? ossai_add(midpoint, step) : midpoint;
}

static void try_collapse(ossai_isotropic *e, uint32_t h, double cosine)
{
	ossai_half_edges *m = &e->mesh;
	const uint32_t a = m->vertex[h], b = ossai_edge_end(m, h);
	ossai_ring ring_a, ring_b;
	ossai_ring_make(m, a, &ring_a);
	ossai_ring_make(m, b, &ring_b);
	if (!ossai_collapse_allowed(m, h, &ring_a, &ring_b)) return;
	const double size = e->size[a] < e->size[b] ? e->size[a] : e->size[b];
	ossai_spot spot = ossai_walk_to(e->target, e->target_face[b], merged_position(m, a, b));
	const double most = LONG * size;
	if (ossai_ring_gets_long(m, &ring_a, a, spot.point, most * most)) return;
	if (ossai_ring_gets_long(m, &ring_b, b, spot.point, most * most)) return;
	if (spot.distance2 > size * size || !ossai_collapse_keeps_normals(m, h, spot.point, cosine)) return;
	ossai_edge_collapse(m, h);
	project(e, b, spot);
	e->size[b] = size;
	e->merged[a] = b;
}

void ossai_isotropic_collapse(ossai_isotropic *e, double cosine)
{
	for (uint32_t h = 0; h < 3 * e->mesh.face_count; h++) {
		if (!ossai_edge_is_first(&e->mesh, h)) continue;
		const double least = SHORT * edge_size(e, h);
		if (ossai_edge_length2(&e->mesh, h) < least * least) try_collapse(e, h, cosine);
	}
}

/* ---- split ---- */

static void split_edge(ossai_isotropic *e, uint32_t h)
{
	ossai_half_edges *m = &e->mesh;
	const uint32_t a = m->vertex[h], b = ossai_edge_end(m, h);
	const ossai_vec3 midpoint = ossai_scale(ossai_add(ossai_edge_point(m, a), ossai_edge_point(m, b)), 0.5);
	const ossai_spot from_a = follow(e, a, midpoint), from_b = follow(e, b, midpoint);
	ossai_spot spot = from_b.distance2 < from_a.distance2 ? from_b : from_a;
	/* an edge that leaves the surface is split at its midpoint all the same, or its halves might
	   never get shorter */
	if (spot.distance2 > PROJECTION_MOST * PROJECTION_MOST * ossai_edge_length2(m, h)) spot.point = midpoint;
	const uint32_t v = ossai_edge_split(m, h, midpoint);
	project(e, v, spot);
	e->size[v] = 0.5 * (e->size[a] + e->size[b]);
	e->merged[v] = v;
}

/* sort key of edges: squared length over size, quantised, so that edges of equal length to within
   rounding, as many of a regular mesh are, are taken in the order of their indices */
static double share2(const ossai_isotropic *e, uint32_t h)
{
	static const double STEPS = 1 << 12;
	const double size = edge_size(e, h);
	return nearbyint(STEPS * ossai_edge_length2(&e->mesh, h) / (size * size)) / STEPS;
}

static void push_long(const ossai_isotropic *e, ossai_heap *heap, uint32_t h)
{
	const double share = share2(e, h);
	if (share > LONG * LONG) ossai_heap_push(heap, -share, h);
}

void ossai_isotropic_split(ossai_isotropic *e)
{
	const ossai_half_edges *m = &e->mesh;
	ossai_heap heap = {.entries = e->heap};
	for (uint32_t h = 0; h < 3 * m->face_count; h++) {
		if (ossai_edge_is_first(m, h)) push_long(e, &heap, h);
	}
	/* longest first: the edge is the longest of both its faces, which so become rounder */
	while (heap.count > 0 && ossai_has_capacity(m)) {
		const uint32_t h = heap.entries[0].item, added = 3 * (uint32_t)m->face_count;
		const double key = heap.entries[0].key;
		ossai_heap_pop(&heap);
		if (share2(e, h) != -key) continue;
		const bool has_twin = m->twin[h] != OSSA_NONE;
		split_edge(e, h);
		/* the halves, the edges across, and those that now belong to a new face */
		push_long(e, &heap, h);
		for (uint32_t k = 0; k < 3; k++) push_long(e, &heap, added + k);
		for (uint32_t k = 1; k < 3 && has_twin; k++) push_long(e, &heap, added + 3 + k);
	}
}

/* ---- flip ---- */

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
	const double was = follow(e, m->vertex[h], before).distance2;
	const double becomes = follow(e, ossai_edge_across(m, h), after).distance2;
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

static bool try_flip(ossai_isotropic *e, uint32_t h)
{
	ossai_half_edges *m = &e->mesh;
	if (m->twin[h] == OSSA_NONE) return false;
	const ossai_vec3 p[4] = {ossai_edge_point(m, m->vertex[h]), ossai_edge_point(m, ossai_edge_end(m, h)),
		ossai_edge_point(m, ossai_edge_across(m, h)), ossai_edge_point(m, ossai_edge_across(m, m->twin[h]))};
	return is_flip_wanted(p) && !flip_makes_sliver(p) && flip_keeps_shape(e, h, p) && ossai_edge_flip(m, h);
}

void ossai_isotropic_flip(ossai_isotropic *e)
{
	for (int pass = 0; pass < FLIP_PASSES; pass++) {
		size_t count = 0;
		for (uint32_t h = 0; h < 3 * e->mesh.face_count; h++) {
			if (ossai_edge_is_first(&e->mesh, h)) count += try_flip(e, h);
		}
		if (count == 0) return;
	}
}

/* ---- smooth ---- */

/* the target of smoothing: the centroid of the neighbours, along the planes around the vertex */
static ossai_vec3 smoothing_target(const ossai_half_edges *m, uint32_t v)
{
	const ossai_vec3 at = ossai_edge_point(m, v);
	const uint32_t first = m->out[v];
	ossai_vec3 sum = {0, 0, 0};
	double count = 0;
	uint32_t h = first;
	do {
		sum = ossai_add(sum, ossai_sub(ossai_edge_point(m, ossai_edge_end(m, h)), at));
		count++;
		h = ossai_edge_turn(m, h);
	} while (h != OSSA_NONE && h != first);
	ossai_quadric q = {0};
	add_fan_planes(m, v, at, &q);
	return ossai_add(at, ossai_quadric_best(&q, ossai_scale(sum, 1 / count), PULL));
}

/* whether no face around the vertex is inverted when it moves */
static bool keeps_faces(const ossai_half_edges *m, uint32_t v, ossai_vec3 position)
{
	const uint32_t first = m->out[v];
	uint32_t h = first;
	do {
		const ossai_vec3 at = ossai_edge_point(m, ossai_edge_end(m, h));
		const ossai_vec3 side = ossai_sub(ossai_edge_point(m, ossai_edge_across(m, h)), at);
		const ossai_vec3 before = ossai_cross(side, ossai_sub(ossai_edge_point(m, v), at));
		if (ossai_dot(before, ossai_cross(side, ossai_sub(position, at))) < 0) return false;
		h = ossai_edge_turn(m, h);
	} while (h != OSSA_NONE && h != first);
	return true;
}

void ossai_isotropic_smooth(ossai_isotropic *e)
{
	ossai_half_edges *m = &e->mesh;
	for (uint32_t v = 0; v < m->vertex_count; v++) {
		if (m->out[v] == OSSA_NONE) continue;
		const ossai_vec3 position = ossai_on_border(m, v) ? ossai_edge_point(m, v) : smoothing_target(m, v);
		ossai_v3_store(position, e->moved + 3 * (size_t)v);
	}
	for (uint32_t v = 0; v < m->vertex_count; v++) {
		if (m->out[v] == OSSA_NONE || ossai_on_border(m, v)) continue;
		const ossai_spot spot = ossai_walk_to(e->target, e->target_face[v], ossai_v3_of(e->moved + 3 * (size_t)v));
		if (keeps_faces(m, v, spot.point)) project(e, v, spot);
	}
}

/* ---- fit ---- */

/* by how much the surface bulges over a face: at its centroid, along its normal */
static ossai_vec3 bulge_over(const ossai_isotropic *e, uint32_t face)
{
	const ossai_half_edges *m = &e->mesh;
	const uint32_t *t = m->vertex + 3 * (size_t)face;
	const ossai_vec3 a = ossai_edge_point(m, t[0]), b = ossai_edge_point(m, t[1]), c = ossai_edge_point(m, t[2]);
	const ossai_vec3 midpoint = ossai_scale(ossai_add(a, ossai_add(b, c)), 1.0 / 3);
	const ossai_vec3 normal = ossai_unit(ossai_edge_normal(m, face), ossai_v3(0, 0, 0));
	ossai_spot best = ossai_walk_to(e->target, e->target_face[t[0]], midpoint);
	for (int k = 1; k < 3; k++) {
		const ossai_spot spot = ossai_walk_to(e->target, e->target_face[t[k]], midpoint);
		if (spot.distance2 < best.distance2) best = spot;
	}
	/* a bulge higher than this share of the face's width is another part of the surface */
	static const double HIGHEST = 0.3;
	const double most = HIGHEST * ossai_distance(a, b), height = ossai_dot(ossai_sub(best.point, midpoint), normal);
	return ossai_scale(normal, height > most ? most : height < -most ? -most : height);
}

void ossai_isotropic_fit(ossai_isotropic *e)
{
	ossai_half_edges *m = &e->mesh;
	/* the mean height of a paraboloid over a triangle is 3/4 of its height at the centroid */
	static const double MEAN = 0.75;
	for (size_t i = 0; i < 3 * m->vertex_count; i++) e->moved[i] = 0;
	for (size_t v = 0; v < m->vertex_count; v++) e->size[v] = 0;
	for (uint32_t f = 0; f < m->face_count; f++) {
		const double area = ossai_length(ossai_edge_normal(m, f));
		const ossai_vec3 bulge = ossai_scale(bulge_over(e, f), MEAN * area);
		for (size_t k = 0; k < 3; k++) {
			const uint32_t v = m->vertex[3 * (size_t)f + k];
			ossai_v3_store(ossai_add(ossai_v3_of(e->moved + 3 * (size_t)v), bulge), e->moved + 3 * (size_t)v);
			e->size[v] += area;
		}
	}
	for (uint32_t v = 0; v < m->vertex_count; v++) {
		if (ossai_on_border(m, v) || !(e->size[v] > 0)) continue;
		const ossai_vec3 position = ossai_madd(ossai_edge_point(m, v), 1 / e->size[v], ossai_v3_of(e->moved + 3 * (size_t)v));
		if (keeps_faces(m, v, position)) ossai_v3_store(position, m->positions + 3 * (size_t)v);
	}
}

/* ---- pack ---- */

void ossai_isotropic_pack(ossai_isotropic *e)
{
	ossai_half_edges *m = &e->mesh;
	const size_t count = m->vertex_count;
	ossai_half_edges_pack(m, e->new_vertex, e->new_face);
	for (size_t v = 0; v < e->target->vertex_count; v++)
		e->of_target[v] = e->new_vertex[ossai_merged_into(e->merged, e->of_target[v])];
	for (size_t v = 0; v < count; v++) {
		const uint32_t to = e->new_vertex[v];
		if (to == OSSA_NONE) continue;
		e->target_face[to] = e->target_face[v];
		e->size[to] = e->size[v];
	}
	for (uint32_t v = 0; v < m->vertex_count; v++) e->merged[v] = v;
}

/* proxy/isotropic.c: see isotropic.h. */
#include "proxy/isotropic.h"

#include "base/heap.h"
#include "proxy/coarsen.h"
#include "proxy/quadric.h"

static const double SHORT = 4.0 / 5, LONG = 4.0 / 3;
/* Weight of the neighbours' centroid against the planes around a vertex: it decides where the
   vertex goes along them, and hardly matters across. */
static const double PULL = 0.1;
/* A point is not projected back to a surface that is farther away than this share of the edge
   length, or of the size. */
static const double PROJECTION_MOST = 0.25;
/* A face's unit normal, and twice its area: 0, and no normal, of a degenerate one. */
typedef struct ossai_face_plane {
	ossai_vec3 normal;
	double size;
} ossai_face_plane;

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
	e->due = ossai_arena_new(arena, e->mesh.face_capacity, sizeof *e->due);
	e->plane = ossai_arena_new(arena, e->mesh.face_capacity, sizeof *e->plane);
	const bool all = e->target_face && e->size && e->merged && e->moved && e->new_vertex && e->new_face && e->of_target &&
		e->heap && e->due && e->plane;
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

ossai_spot ossai_isotropic_follow(const ossai_isotropic *e, uint32_t from, ossai_vec3 to)
{
	static const double NEAR = 0.1;
	const ossai_vec3 begin = ossai_edge_point(&e->mesh, from);
	const ossai_spot spot = ossai_walk_to(e->target, e->target_face[from], to);
	if (spot.distance2 <= NEAR * NEAR * ossai_length2(ossai_sub(to, begin))) return spot;
	const ossai_spot slow = ossai_walk_along(e->target, e->target_face[from], begin, to);
	return slow.distance2 < spot.distance2 ? slow : spot;
}

static ossai_face_plane plane_of(const ossai_half_edges *m, size_t face)
{
	const ossai_vec3 normal = ossai_edge_normal(m, face);
	const double size = ossai_length(normal);
	return (ossai_face_plane){size > 0 ? ossai_scale(normal, 1 / size) : normal, size};
}

/* ---- collapse ---- */

static void add_fan_planes(const ossai_half_edges *m, uint32_t v, ossai_vec3 origin, ossai_quadric *q)
{
	uint32_t h = m->out[v];
	const uint32_t first = h;
	const ossai_vec3 at = ossai_sub(ossai_edge_point(m, v), origin);
	do {
		const ossai_face_plane plane = plane_of(m, h / 3);
		if (plane.size > 0) ossai_quadric_add_plane(q, plane.normal, at, plane.size);
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
	const ossai_spot from_a = ossai_isotropic_follow(e, a, midpoint), from_b = ossai_isotropic_follow(e, b, midpoint);
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

/* ---- smooth ---- */

/* the target of smoothing: the centroid of the neighbours, along the planes around the vertex */
static ossai_vec3 smoothing_target(const ossai_isotropic *e, uint32_t v)
{
	const ossai_half_edges *m = &e->mesh;
	const ossai_vec3 at = ossai_edge_point(m, v);
	const uint32_t first = m->out[v];
	ossai_vec3 sum = {0, 0, 0};
	ossai_quadric q = {0};
	double count = 0;
	uint32_t h = first;
	do {
		const ossai_face_plane *plane = &e->plane[h / 3];
		if (plane->size > 0) ossai_quadric_add_plane(&q, plane->normal, ossai_v3(0, 0, 0), plane->size);
		sum = ossai_add(sum, ossai_sub(ossai_edge_point(m, ossai_edge_end(m, h)), at));
		count++;
		h = ossai_edge_turn(m, h);
	} while (h != OSSA_NONE && h != first);
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
	for (size_t f = 0; f < m->face_count; f++) {
		if (m->vertex[3 * f] != OSSA_NONE) e->plane[f] = plane_of(m, f);
	}
	for (uint32_t v = 0; v < m->vertex_count; v++) {
		if (m->out[v] == OSSA_NONE) continue;
		const ossai_vec3 position = ossai_on_border(m, v) ? ossai_edge_point(m, v) : smoothing_target(e, v);
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
		/* from where a walk has begun it would end at the same spot */
		const uint32_t from = e->target_face[t[k]];
		if (from == e->target_face[t[0]] || (k == 2 && from == e->target_face[t[1]])) continue;
		const ossai_spot spot = ossai_walk_to(e->target, from, midpoint);
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

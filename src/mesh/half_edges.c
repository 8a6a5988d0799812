/* mesh/half_edges.c: see half_edges.h.

   The link condition is that of T. Dey, H. Edelsbrunner, S. Guha, D. Nekhayev, Topology
   Preserving Edge Contraction, 1999. */
#include "mesh/half_edges.h"

#include <string.h>

/* ---- rings ---- */

void ossai_ring_make(const ossai_half_edges *m, uint32_t v, ossai_ring *ring)
{
	const uint32_t first = m->out[v];
	uint32_t h = first, last;
	ring->count = 0;
	ring->is_border = m->twin[first] == OSSA_NONE;
	do {
		ring->neighbors[ring->count++] = ossai_edge_end(m, h);
		if (ring->count > OSSAI_RING_MOST) return;
		last = h;
		h = ossai_edge_turn(m, h);
	} while (h != OSSA_NONE && h != first);
	if (ring->is_border) ring->neighbors[ring->count++] = ossai_edge_across(m, last);
}

/* whether the edge from `at` to a vertex gets too long when its begin moves to `position` */
static bool gets_long(const ossai_half_edges *m, uint32_t to, ossai_vec3 at, ossai_vec3 position, double most2)
{
	const ossai_vec3 p = ossai_edge_point(m, to);
	const double after = ossai_length2(ossai_sub(p, position));
	return after > most2 && after > ossai_length2(ossai_sub(p, at));
}

bool ossai_ring_gets_long(const ossai_half_edges *m, const ossai_ring *ring, uint32_t from, ossai_vec3 position, double most2)
{
	const ossai_vec3 at = ossai_edge_point(m, from);
	for (uint32_t i = 0; i < ring->count; i++) {
		if (gets_long(m, ring->neighbors[i], at, position, most2)) return true;
	}
	return false;
}

bool ossai_fan_gets_long(const ossai_half_edges *m, uint32_t v, ossai_vec3 position, double most2)
{
	const ossai_vec3 at = ossai_edge_point(m, v);
	const uint32_t first = m->out[v];
	uint32_t h = first, last, count = 0;
	do {
		if (++count > OSSAI_RING_MOST || gets_long(m, ossai_edge_end(m, h), at, position, most2)) return true;
		last = h;
		h = ossai_edge_turn(m, h);
	} while (h != OSSA_NONE && h != first);
	/* the last neighbour of an open fan has no half-edge that ends there */
	return h == OSSA_NONE && gets_long(m, ossai_edge_across(m, last), at, position, most2);
}

static bool in_ring(const ossai_ring *ring, uint32_t v)
{
	for (uint32_t i = 0; i < ring->count; i++) {
		if (ring->neighbors[i] == v) return true;
	}
	return false;
}

/* whether the vertex has fewer neighbours than a face around it needs once it has lost one: three
   faces or fewer, at a border one */
static bool is_ear(const ossai_half_edges *m, uint32_t v)
{
	const uint32_t first = m->out[v], most = m->twin[first] == OSSA_NONE ? 1 : 3;
	uint32_t h = first;
	for (uint32_t i = 0; i < most; i++) {
		h = ossai_edge_turn(m, h);
		if (h == OSSA_NONE || h == first) return true;
	}
	return false;
}

bool ossai_collapse_allowed(const ossai_half_edges *m, uint32_t h, const ossai_ring *begin, const ossai_ring *end)
{
	if (begin->count > OSSAI_RING_MOST || end->count > OSSAI_RING_MOST) return false;
	const bool on_border = m->twin[h] == OSSA_NONE;
	/* an inner edge whose two ends are on borders */
	if (!on_border && begin->is_border && end->is_border) return false;
	const uint32_t other = ossai_edge_end(m, h);
	uint32_t common = 0, joining = 0;
	for (uint32_t i = 0; i < begin->count; i++) {
		common += in_ring(end, begin->neighbors[i]);
		joining += begin->neighbors[i] == other;
	}
	/* cuts may leave two edges between the same two vertices: neither may be collapsed */
	if (common != (on_border ? 1 : 2) || joining != 1) return false;
	return !is_ear(m, ossai_edge_across(m, h)) && (on_border || !is_ear(m, ossai_edge_across(m, m->twin[h])));
}

/* tests the fan of the half-edge's begin, without the faces that have both ends, with the begin
   moved to `position` */
static bool fan_keeps_normals(const ossai_half_edges *m, uint32_t first, uint32_t other, ossai_vec3 position, double cosine)
{
	uint32_t h = first;
	do {
		const uint32_t b = ossai_edge_end(m, h), c = ossai_edge_across(m, h);
		if (b != other && c != other) {
			const ossai_vec3 at = ossai_edge_point(m, b), side = ossai_sub(ossai_edge_point(m, c), at);
			const ossai_vec3 before = ossai_cross(side, ossai_sub(ossai_edge_point(m, m->vertex[h]), at));
			const ossai_vec3 after = ossai_cross(side, ossai_sub(position, at));
			const double scale = sqrt(ossai_length2(before) * ossai_length2(after));
			/* a face that had no area has no normal to keep */
			if (ossai_dot(before, after) < cosine * scale) return false;
		}
		h = ossai_edge_turn(m, h);
	} while (h != OSSA_NONE && h != first);
	return true;
}

bool ossai_collapse_keeps_normals(const ossai_half_edges *m, uint32_t h, ossai_vec3 position, double cosine)
{
	const uint32_t a = m->vertex[h], b = ossai_edge_end(m, h);
	return fan_keeps_normals(m, m->out[a], b, position, cosine) && fan_keeps_normals(m, m->out[b], a, position, cosine);
}

/* ---- changes ---- */

static void glue(ossai_half_edges *m, uint32_t a, uint32_t b)
{
	if (a != OSSA_NONE) m->twin[a] = b;
	if (b != OSSA_NONE) m->twin[b] = a;
}

/* removes the half-edge's face, whose other two edges become one; returns a half-edge of the
   adjacent face that begins where the removed one ended */
static uint32_t fold_face(ossai_half_edges *m, uint32_t h)
{
	const uint32_t next = ossai_edge_next(h), before = ossai_edge_before(h), corner = m->vertex[before];
	/* `left` runs from the opposite corner to the end, `right` from the new end to the opposite
	   corner */
	const uint32_t left = m->twin[next], right = m->twin[before];
	glue(m, left, right);
	/* a fan of the corner that began here begins with `left` now: at a border, because that has
	   no opposite half-edge now */
	if (m->out[corner] / 3 == h / 3) m->out[corner] = left != OSSA_NONE ? left : ossai_edge_next(right);
	m->vertex[h] = m->vertex[next] = m->vertex[before] = OSSA_NONE;
	m->live_faces--;
	return right != OSSA_NONE ? right : ossai_edge_next(left);
}

void ossai_edge_collapse(ossai_half_edges *m, uint32_t h)
{
	const uint32_t a = m->vertex[h], b = ossai_edge_end(m, h), t = m->twin[h], first = m->out[a];
	/* the fans become one, which at a border begins where the one at the border did */
	uint32_t begin = ossai_on_border(m, b) ? m->out[b] : ossai_on_border(m, a) ? first : h, at = first;
	do {
		m->vertex[at] = b;
		at = ossai_edge_turn(m, at);
	} while (at != OSSA_NONE && at != first);
	m->out[a] = OSSA_NONE;
	m->live_vertices--;
	const uint32_t begin_h = fold_face(m, h), begin_t = t == OSSA_NONE ? OSSA_NONE : fold_face(m, t);
	if (begin / 3 == h / 3) begin = begin_h;
	else if (t != OSSA_NONE && begin / 3 == t / 3) begin = begin_t;
	m->out[b] = begin;
}

uint32_t ossai_edge_split(ossai_half_edges *m, uint32_t h, ossai_vec3 position)
{
	const uint32_t middle = (uint32_t)m->vertex_count++, t = m->twin[h];
	const uint32_t next = ossai_edge_next(h), before = ossai_edge_before(h);
	const uint32_t b = m->vertex[next], c = m->vertex[before], far = 3 * (uint32_t)m->face_count++;
	ossai_v3_store(position, m->positions + 3 * (size_t)middle);
	m->live_vertices++;
	m->live_faces++;
	/* face (a b c) becomes (a middle c) and, at `far`, (middle b c) */
	m->vertex[far] = middle;
	m->vertex[far + 1] = b;
	m->vertex[far + 2] = c;
	m->twin[far] = OSSA_NONE;
	glue(m, far + 1, m->twin[next]);
	m->vertex[next] = middle;
	glue(m, next, far + 2);
	if (m->out[b] == next) m->out[b] = far + 1;
	m->out[middle] = far;
	if (t == OSSA_NONE) return middle;
	/* and face (b a d) becomes (middle a d) and, at `near`, (b middle d) */
	const uint32_t end = ossai_edge_before(t), d = m->vertex[end], near = 3 * (uint32_t)m->face_count++;
	m->live_faces++;
	m->vertex[near] = b;
	m->vertex[near + 1] = middle;
	m->vertex[near + 2] = d;
	glue(m, near, far);
	glue(m, near + 2, m->twin[end]);
	if (m->out[d] == end) m->out[d] = near + 2;
	glue(m, near + 1, end);
	if (m->out[b] == t) m->out[b] = near;
	m->vertex[t] = middle;
	return middle;
}

static bool are_joined(const ossai_half_edges *m, uint32_t a, uint32_t b)
{
	ossai_ring ring;
	ossai_ring_make(m, a, &ring);
	if (ring.count <= OSSAI_RING_MOST) return in_ring(&ring, b);
	ossai_ring_make(m, b, &ring);
	return ring.count > OSSAI_RING_MOST || in_ring(&ring, a);
}

bool ossai_edge_flip(ossai_half_edges *m, uint32_t h)
{
	const uint32_t t = m->twin[h], next = ossai_edge_next(h), turned = ossai_edge_next(t);
	const uint32_t a = m->vertex[h], b = m->vertex[t], c = ossai_edge_across(m, h), d = ossai_edge_across(m, t);
	if (are_joined(m, c, d)) return false;
	const uint32_t to_d = m->twin[turned], to_c = m->twin[next];
	/* (a b c) becomes (a d c), (b a d) becomes (b c d) */
	m->vertex[next] = d;
	m->vertex[turned] = c;
	m->twin[h] = m->twin[t] = OSSA_NONE;
	glue(m, h, to_d);
	glue(m, t, to_c);
	glue(m, next, turned);
	if (m->out[a] == turned) m->out[a] = h;
	if (m->out[b] == next) m->out[b] = t;
	return true;
}

/* ---- memory ---- */

ossa_status ossai_half_edges_allocate_faces(ossai_arena *arena, size_t count, ossai_half_edges *mesh)
{
	if (count > UINT32_MAX / 3 - 1) {
		return ossai_fail(arena->context, OSSA_ERROR_LIMIT, NULL, "%zu faces are more than can be remeshed", count);
	}
	mesh->face_capacity = count;
	mesh->vertex = ossai_arena_new(arena, count, 3 * sizeof *mesh->vertex);
	mesh->twin = mesh->vertex ? ossai_arena_new(arena, count, 3 * sizeof *mesh->twin) : NULL;
	return mesh->twin ? OSSA_OK : ossa_context_error(arena->context)->status;
}

ossa_status ossai_half_edges_allocate_vertices(ossai_arena *arena, size_t count, ossai_half_edges *mesh)
{
	if (count >= UINT32_MAX) {
		return ossai_fail(arena->context, OSSA_ERROR_LIMIT, NULL, "%zu vertices are more than can be remeshed", count);
	}
	mesh->vertex_capacity = count;
	mesh->positions = ossai_arena_new(arena, count, 3 * sizeof *mesh->positions);
	mesh->out = mesh->positions ? ossai_arena_new(arena, count, sizeof *mesh->out) : NULL;
	return mesh->out ? OSSA_OK : ossa_context_error(arena->context)->status;
}

ossa_status ossai_half_edges_copy(ossai_arena *arena, const ossai_half_edges *from, size_t spare, ossai_half_edges *copy)
{
	*copy = (ossai_half_edges){0};
	OSSAI_TRY(ossai_half_edges_allocate_faces(arena, from->face_count + 2 * spare, copy));
	OSSAI_TRY(ossai_half_edges_allocate_vertices(arena, from->vertex_count + spare, copy));
	memcpy(copy->positions, from->positions, from->vertex_count * 3 * sizeof *copy->positions);
	memcpy(copy->out, from->out, from->vertex_count * sizeof *copy->out);
	memcpy(copy->vertex, from->vertex, from->face_count * 3 * sizeof *copy->vertex);
	memcpy(copy->twin, from->twin, from->face_count * 3 * sizeof *copy->twin);
	copy->vertex_count = from->vertex_count;
	copy->face_count = from->face_count;
	copy->live_vertices = from->live_vertices;
	copy->live_faces = from->live_faces;
	return OSSA_OK;
}

static void move_face(ossai_half_edges *m, size_t from, size_t to, const uint32_t *new_vertex, const uint32_t *new_face)
{
	for (size_t k = 0; k < 3; k++) {
		const uint32_t t = m->twin[3 * from + k];
		m->vertex[3 * to + k] = new_vertex[m->vertex[3 * from + k]];
		m->twin[3 * to + k] = t == OSSA_NONE ? OSSA_NONE : 3 * new_face[t / 3] + t % 3;
	}
}

void ossai_half_edges_pack(ossai_half_edges *m, uint32_t *new_vertex, uint32_t *new_face)
{
	uint32_t vertices = 0, faces = 0;
	for (size_t v = 0; v < m->vertex_count; v++) new_vertex[v] = m->out[v] == OSSA_NONE ? OSSA_NONE : vertices++;
	for (size_t f = 0; f < m->face_count; f++) new_face[f] = m->vertex[3 * f] == OSSA_NONE ? OSSA_NONE : faces++;
	for (size_t v = 0; v < m->vertex_count; v++) {
		const uint32_t to = new_vertex[v], h = m->out[v];
		if (to == OSSA_NONE) continue;
		memmove(m->positions + 3 * (size_t)to, m->positions + 3 * v, 3 * sizeof *m->positions);
		m->out[to] = 3 * new_face[h / 3] + h % 3;
	}
	for (size_t f = 0; f < m->face_count; f++) {
		if (new_face[f] != OSSA_NONE) move_face(m, f, new_face[f], new_vertex, new_face);
	}
	m->vertex_count = m->live_vertices = vertices;
	m->face_count = m->live_faces = faces;
}

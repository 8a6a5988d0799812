/* surface/geodesic.c: see geodesic.h.

   Source: E. W. Dijkstra, A Note on Two Problems in Connexion with Graphs, 1959, with many sources at once. */
#include "surface/geodesic.h"

/* ---- ways ---- */

typedef struct way_maker {
	const ossai_posed_surface *surface;
	double bend;
	ossai_vec3 *normal; /* V; zero where there is none */
	ossai_edge_graph *ways;
	bool writing;     /* first all ways are counted, then written */
	uint32_t *cursor; /* V: how many ways, or where the next one goes */
} way_maker;

static void sum_normals(const ossai_posed_surface *s, ossai_vec3 *normal)
{
	for (size_t v = 0; v < s->vertex_count; v++) normal[v] = ossai_v3(0, 0, 0);
	for (size_t f = 0; f < s->face_count; f++) {
		const uint32_t *t = s->triangles + 3 * f;
		const ossai_vec3 a = ossai_rest_point(s, t[0]), b = ossai_rest_point(s, t[1]), c = ossai_rest_point(s, t[2]);
		const ossai_vec3 n = ossai_cross(ossai_sub(b, a), ossai_sub(c, a));
		for (int i = 0; i < 3; i++) normal[t[i]] = ossai_add(normal[t[i]], n);
	}
	for (size_t v = 0; v < s->vertex_count; v++) normal[v] = ossai_unit(normal[v], ossai_v3(0, 0, 0));
}

static double with_bend(const way_maker *m, uint32_t a, uint32_t b, double length)
{
	/* a corner of faces without area has no normal to turn */
	if (m->bend == 0 || ossai_length2(m->normal[a]) == 0 || ossai_length2(m->normal[b]) == 0) return length;
	return sqrt(length * length + m->bend * m->bend * ossai_length2(ossai_sub(m->normal[a], m->normal[b])));
}

static double straight(const way_maker *m, uint32_t a, uint32_t b)
{
	return ossai_distance(ossai_rest_point(m->surface, a), ossai_rest_point(m->surface, b));
}

static void add_one_way(const way_maker *m, uint32_t a, uint32_t b, double length)
{
	const uint32_t at = m->cursor[a]++;
	if (!m->writing) return;
	m->ways->neighbor[at] = b;
	m->ways->length[at] = length;
}

static void add_way(const way_maker *m, uint32_t a, uint32_t b, double length)
{
	if (a == b) return;
	add_one_way(m, a, b, length);
	add_one_way(m, b, a, length);
}

static void add_edges(const way_maker *m)
{
	const ossai_adjacency *x = &m->surface->adjacency;
	for (uint32_t v = 0; v < x->vertex_count; v++) {
		for (uint32_t i = x->vertex_start[v]; i < x->vertex_start[v + 1]; i++) {
			const uint32_t other = x->vertex_neighbor[i];
			if (other > v) add_way(m, v, other, with_bend(m, v, other, straight(m, v, other)));
		}
	}
}

/* the corners that two faces share, and the one that each has for itself; false where they do not share exactly two */
static bool split_corners(const uint32_t *a, const uint32_t *b, uint32_t shared[2], uint32_t own[2])
{
	int shares = 0, owns = 0;
	for (int i = 0; i < 3; i++) {
		const bool is_shared = a[i] == b[0] || a[i] == b[1] || a[i] == b[2];
		if (is_shared && shares == 2) return false;
		if (is_shared) shared[shares++] = a[i];
		else own[0] = a[i];
	}
	for (int i = 0; i < 3 && shares == 2; i++) {
		if (b[i] == shared[0] || b[i] == shared[1]) continue;
		own[1] = b[i];
		owns++;
	}
	return shares == 2 && owns == 1 && shared[0] != shared[1];
}

/* Length of the straight way from one own corner to the other once the two faces lie in one plane; negative where it does not
   cross the shared edge: the way around along the edges is then the shortest. */
static double unfolded(const ossai_posed_surface *s, const uint32_t shared[2], const uint32_t own[2])
{
	const ossai_vec3 origin = ossai_rest_point(s, shared[0]);
	const ossai_vec3 edge = ossai_sub(ossai_rest_point(s, shared[1]), origin);
	const double length = ossai_length(edge);
	if (!(length > 0)) return -1;
	double along[2], height[2];
	for (int i = 0; i < 2; i++) {
		const ossai_vec3 p = ossai_sub(ossai_rest_point(s, own[i]), origin);
		along[i] = ossai_dot(p, edge) / length;
		height[i] = ossai_length(ossai_cross(p, edge)) / length;
	}
	const double sum = height[0] + height[1];
	if (!(sum > 0)) return -1;
	const double crossing = (along[0] * height[1] + along[1] * height[0]) / sum;
	return crossing > 0 && crossing < length ? hypot(sum, along[1] - along[0]) : -1;
}

static void add_crossings(const way_maker *m)
{
	const ossai_posed_surface *s = m->surface;
	for (size_t i = 0; i < s->adjacency.face_pair_count; i++) {
		const uint32_t *pair = s->adjacency.face_pairs + 2 * i;
		uint32_t shared[2] = {0, 0}, own[2] = {0, 0};
		if (!split_corners(s->triangles + 3 * (size_t)pair[0], s->triangles + 3 * (size_t)pair[1], shared, own)) continue;
		const double length = unfolded(s, shared, own);
		if (length >= 0) add_way(m, own[0], own[1], with_bend(m, own[0], own[1], length));
	}
}

/* between the corners of two linked faces that are nearest to each other; the normals of two pieces say nothing of a bend */
static void add_links(const way_maker *m)
{
	const ossai_posed_surface *s = m->surface;
	for (size_t i = 0; i < s->link_count; i++) {
		const uint32_t *a = s->triangles + 3 * (size_t)s->links[2 * i], *b = s->triangles + 3 * (size_t)s->links[2 * i + 1];
		double best = INFINITY;
		int at = 0;
		for (int k = 0; k < 9; k++) {
			const double length = straight(m, a[k / 3], b[k % 3]);
			if (!(length < best)) continue;
			best = length;
			at = k;
		}
		add_way(m, a[at / 3], b[at % 3], best);
	}
}

static void add_all(const way_maker *m)
{
	add_edges(m);
	add_crossings(m);
	add_links(m);
}

ossa_status ossai_edge_graph_make(
	ossa_context *context, ossai_arena *arena, const ossai_posed_surface *surface, double bend, ossai_edge_graph *ways)
{
	const size_t vertices = surface->vertex_count;
	const ossai_adjacency *x = &surface->adjacency;
	const size_t most = x->vertex_start[vertices] + 2 * (x->face_pair_count + surface->link_count);
	if (most >= UINT32_MAX)
		return ossai_fail(context, OSSA_ERROR_LIMIT, NULL, "the surface has too many edges to measure ways on it");
	way_maker maker = {.surface = surface, .bend = bend, .ways = ways};
	*ways = (ossai_edge_graph){.vertex_count = vertices};
	ossai_arena scratch = ossai_arena_begin(context);
	maker.normal = ossai_arena_new(&scratch, vertices, sizeof *maker.normal);
	ways->start = ossai_arena_zero(arena, vertices + 3, sizeof *ways->start);
	ways->neighbor = ossai_arena_new(arena, most, sizeof *ways->neighbor);
	ways->length = ossai_arena_new(arena, most, sizeof *ways->length);
	const bool all = maker.normal && ways->start && ways->neighbor && ways->length;
	if (all) {
		sum_normals(surface, maker.normal);
		/* counts, two places on, become starts, one place on, which writing moves into place */
		maker.cursor = ways->start + 2;
		add_all(&maker);
		for (size_t v = 0; v < vertices; v++) ways->start[v + 2] += ways->start[v + 1];
		maker.cursor = ways->start + 1;
		maker.writing = true;
		add_all(&maker);
	}
	ossai_arena_end(&scratch);
	return all ? OSSA_OK : ossa_context_error(context)->status;
}

/* ---- reach ---- */

ossa_status ossai_distance_field_make(ossai_arena *arena, const ossai_edge_graph *ways, ossai_distance_field *reach)
{
	reach->distance = ossai_arena_new(arena, ways->vertex_count, sizeof *reach->distance);
	reach->source = ossai_arena_new(arena, ways->vertex_count, sizeof *reach->source);
	/* each vertex is left once, over each of its ways, and each may be a source */
	const size_t most = ways->vertex_count + ways->start[ways->vertex_count];
	reach->heap.entries = ossai_arena_new(arena, most, sizeof *reach->heap.entries);
	if (!reach->distance || !reach->source || !reach->heap.entries) return ossa_context_error(arena->context)->status;
	ossai_distance_field_clear(ways, reach);
	return OSSA_OK;
}

void ossai_distance_field_clear(const ossai_edge_graph *ways, ossai_distance_field *reach)
{
	for (size_t v = 0; v < ways->vertex_count; v++) {
		reach->distance[v] = INFINITY;
		reach->source[v] = OSSA_NONE;
	}
	reach->heap.count = 0;
}

static void come_nearer(ossai_distance_field *reach, uint32_t vertex, double distance, uint32_t source)
{
	if (!(distance < reach->distance[vertex])) return;
	reach->distance[vertex] = distance;
	reach->source[vertex] = source;
	ossai_heap_push(&reach->heap, distance, vertex);
}

void ossai_distance_field_add(const ossai_edge_graph *ways, size_t count, const uint32_t *vertices, uint32_t first, ossai_distance_field *reach)
{
	for (size_t i = 0; i < count; i++) come_nearer(reach, vertices[i], 0, first + (uint32_t)i);
	while (reach->heap.count > 0) {
		const ossai_heap_entry top = reach->heap.entries[0];
		ossai_heap_pop(&reach->heap);
		if (top.key > reach->distance[top.item]) continue;
		for (uint32_t i = ways->start[top.item]; i < ways->start[top.item + 1]; i++) {
			come_nearer(reach, ways->neighbor[i], top.key + ways->length[i], reach->source[top.item]);
		}
	}
}

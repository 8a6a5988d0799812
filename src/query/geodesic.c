/* query/geodesic.c: see geodesic.h. */
#include "query/geodesic.h"

void ossai_nearest_corners(const ossai_mesh_view *mesh, const uint32_t *faces, uint32_t corner[2])
{
	const uint32_t *a = mesh->triangles + 3 * (size_t)faces[0], *b = mesh->triangles + 3 * (size_t)faces[1];
	double best = INFINITY;
	corner[0] = a[0];
	corner[1] = b[0];
	for (int i = 0; i < 9; i++) {
		const double distance = ossai_distance(ossai_view_point(mesh, a[i / 3]), ossai_view_point(mesh, b[i % 3]));
		if (!(distance < best)) continue;
		best = distance;
		corner[0] = a[i / 3];
		corner[1] = b[i % 3];
	}
}

typedef struct edge_maker {
	const ossai_mesh_view *mesh;
	const ossai_adjacency *adjacency;
	ossai_face_links links;
	double bend;
	ossai_vec3 *normal; /* V; zero where there is none */
	ossai_edge_graph *graph;
	bool writing; /* first all edges are counted, then written */
} edge_maker;

static void sum_normals(const ossai_mesh_view *mesh, ossai_vec3 *normal)
{
	for (size_t v = 0; v < mesh->vertex_count; v++) normal[v] = ossai_v3(0, 0, 0);
	for (size_t f = 0; f < mesh->face_count; f++) {
		const uint32_t *t = mesh->triangles + 3 * f;
		const ossai_vec3 n = ossai_view_face_normal(mesh, f);
		for (int i = 0; i < 3; i++) normal[t[i]] = ossai_add(normal[t[i]], n);
	}
	for (size_t v = 0; v < mesh->vertex_count; v++) normal[v] = ossai_unit(normal[v], ossai_v3(0, 0, 0));
}

static double with_bend(const edge_maker *m, uint32_t a, uint32_t b, double length)
{
	/* a corner of faces without area has no normal to turn */
	if (m->bend == 0 || ossai_length2(m->normal[a]) == 0 || ossai_length2(m->normal[b]) == 0) return length;
	return sqrt(length * length + m->bend * m->bend * ossai_length2(ossai_sub(m->normal[a], m->normal[b])));
}

static double straight(const edge_maker *m, uint32_t a, uint32_t b)
{
	return ossai_distance(ossai_view_point(m->mesh, a), ossai_view_point(m->mesh, b));
}

static void add_one_edge(const edge_maker *m, uint32_t a, uint32_t b, double length)
{
	ossai_csr *neighbors = &m->graph->neighbors;
	if (!m->writing) {
		ossai_csr_count(neighbors, a);
		return;
	}
	const uint32_t at = ossai_csr_next(neighbors, a);
	neighbors->item[at] = b;
	m->graph->length[at] = length;
}

static void add_edge(const edge_maker *m, uint32_t a, uint32_t b, double length)
{
	if (a == b) return;
	add_one_edge(m, a, b, length);
	add_one_edge(m, b, a, length);
}

static void add_mesh_edges(const edge_maker *m)
{
	const ossai_adjacency *x = m->adjacency;
	for (uint32_t v = 0; v < x->vertex_count; v++) {
		for (uint32_t i = x->vertex_start[v]; i < x->vertex_start[v + 1]; i++) {
			const uint32_t other = x->vertex_neighbor[i];
			if (other > v) add_edge(m, v, other, with_bend(m, v, other, straight(m, v, other)));
		}
	}
}

/* the corners that two faces share, and the third corner of each; false where they do not share
   exactly two */
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

/* Length of the straight path from one own corner to the other once the two faces lie in one
   plane; negative where it does not cross the shared edge: the path around along the edges is
   then the shortest. */
static double unfolded(const ossai_mesh_view *mesh, const uint32_t shared[2], const uint32_t own[2])
{
	const ossai_vec3 origin = ossai_view_point(mesh, shared[0]);
	const ossai_vec3 edge = ossai_sub(ossai_view_point(mesh, shared[1]), origin);
	const double length = ossai_length(edge);
	if (!(length > 0)) return -1;
	double along[2], height[2];
	for (int i = 0; i < 2; i++) {
		const ossai_vec3 p = ossai_sub(ossai_view_point(mesh, own[i]), origin);
		along[i] = ossai_dot(p, edge) / length;
		height[i] = ossai_length(ossai_cross(p, edge)) / length;
	}
	const double sum = height[0] + height[1];
	if (!(sum > 0)) return -1;
	const double crossing = (along[0] * height[1] + along[1] * height[0]) / sum;
	return crossing > 0 && crossing < length ? hypot(sum, along[1] - along[0]) : -1;
}

static void add_crossings(const edge_maker *m)
{
	const uint32_t *triangles = m->mesh->triangles;
	for (size_t i = 0; i < m->adjacency->face_pair_count; i++) {
		const uint32_t *pair = m->adjacency->face_pairs + 2 * i;
		uint32_t shared[2] = {0, 0}, own[2] = {0, 0};
		if (!split_corners(triangles + 3 * (size_t)pair[0], triangles + 3 * (size_t)pair[1], shared, own)) continue;
		const double length = unfolded(m->mesh, shared, own);
		if (length >= 0) add_edge(m, own[0], own[1], with_bend(m, own[0], own[1], length));
	}
}

/* the normals of two pieces do not measure bending */
static void add_links(const edge_maker *m)
{
	for (size_t i = 0; i < m->links.count; i++) {
		uint32_t end[2];
		ossai_nearest_corners(m->mesh, m->links.faces + 2 * i, end);
		add_edge(m, end[0], end[1], straight(m, end[0], end[1]));
	}
}

static void add_all(const edge_maker *m)
{
	add_mesh_edges(m);
	add_crossings(m);
	add_links(m);
}

static ossa_status make_graph(ossai_arena *arena, edge_maker *m)
{
	ossai_edge_graph *graph = m->graph;
	OSSAI_TRY(ossai_csr_begin(arena, m->mesh->vertex_count, &graph->neighbors));
	add_all(m);
	OSSAI_TRY(ossai_csr_take_items(arena, &graph->neighbors));
	graph->length = ossai_arena_new(arena, graph->neighbors.start[m->mesh->vertex_count + 1], sizeof *graph->length);
	if (!graph->length) return ossa_context_error(arena->context)->status;
	m->writing = true;
	add_all(m);
	return OSSA_OK;
}

ossa_status ossai_geodesic_graph_make(ossai_arena *arena, const ossai_mesh_view *mesh, const ossai_adjacency *adjacency,
	ossai_face_links links, double bend, ossai_edge_graph *graph)
{
	edge_maker maker = {.mesh = mesh, .adjacency = adjacency, .links = links, .bend = bend, .graph = graph};
	*graph = (ossai_edge_graph){.length = NULL};
	ossai_arena scratch = ossai_arena_begin(arena->context);
	maker.normal = ossai_arena_new(&scratch, mesh->vertex_count, sizeof *maker.normal);
	ossa_status status = maker.normal ? OSSA_OK : ossa_context_error(arena->context)->status;
	if (status == OSSA_OK) {
		sum_normals(mesh, maker.normal);
		status = make_graph(arena, &maker);
	}
	ossai_arena_end(&scratch);
	return status;
}

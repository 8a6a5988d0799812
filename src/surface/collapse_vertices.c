/* surface/collapse_vertices.c: see collapse_vertices.h.

   A vertex u collapses into its neighbour v: faces of both vanish, other faces of u get v. In each
   round every vertex offers its cheapest collapse; the offers are accepted cheapest first, where no
   accepted one has changed what they were judged by. So a round is a few linear passes. */
#include "surface/collapse_vertices.h"

#include "base/radix_sort.h"

#include <math.h>
#include <string.h>

/* of the offers of a round, the cheapest are considered: more would take collapses that are cheap
   for their vertex and dear for the surface */
static const double considered_share = 0.75;

enum { FREE, KEPT, LOCKED };

typedef struct collapse {
	ossa_context *context;
	const ossai_posed_surface *fine;
	ossai_collapsed *left;
	double *mass;   /* V: vertices that one stands for */
	uint32_t *into; /* V: where a vertex would collapse to */
	uint32_t *name; /* V: the number of a vertex in this round */
	uint8_t *state; /* V */
	uint32_t *stamp, stamps;
	ossai_heap_entry *offers, *space;
	/* of this round, vertices by their numbers in it */
	ossai_adjacency adjacency;
	ossai_vertex_faces around;
	size_t numbered;  /* vertices that were left before it, then those that are */
	uint32_t *vertex; /* of each number: the vertex of the fine surface */
	uint32_t *triangles;
} collapse;

/* ---- which collapses keep the topology ---- */

static uint32_t degree(const collapse *c, uint32_t v)
{
	return c->adjacency.vertex_start[v + 1] - c->adjacency.vertex_start[v];
}

/* around an inner vertex of a manifold there are as many faces as neighbours */
static bool is_on_border(const collapse *c, uint32_t v) { return c->around.start[v + 1] - c->around.start[v] != degree(c, v); }

static uint32_t faces_of_edge(const collapse *c, uint32_t u, uint32_t v)
{
	uint32_t count = 0;
	for (uint32_t i = c->around.start[u]; i < c->around.start[u + 1]; i++) {
		const uint32_t *t = c->triangles + 3 * (size_t)c->around.faces[i];
		count += t[0] == v || t[1] == v || t[2] == v;
	}
	return count;
}

/* Neighbours of both; those of u are stamped. Where one of them would lose its only face, more than
   there can be. */
static uint32_t common_neighbors(const collapse *c, uint32_t v)
{
	uint32_t count = 0;
	for (uint32_t i = c->adjacency.vertex_start[v]; i < c->adjacency.vertex_start[v + 1]; i++) {
		const uint32_t w = c->adjacency.vertex_neighbor[i];
		if (c->stamp[w] != c->stamps) continue;
		if (c->around.start[w + 1] - c->around.start[w] < 2) return OSSA_NONE;
		count++;
	}
	return count;
}

/* The link condition: u and v have no other common neighbours than the third corners of the faces
   at their edge. Borders collapse along themselves only, and no piece below a closed surface of
   four faces or an open one of one. */
static bool keeps_topology(const collapse *c, uint32_t u, uint32_t v)
{
	const uint32_t faces = faces_of_edge(c, u, v);
	const bool u_border = is_on_border(c, u), v_border = is_on_border(c, v);
	if (u_border && (!v_border || faces != 1)) return false;
	if (degree(c, v) <= (v_border ? 2u : 3u)) return false;
	return common_neighbors(c, v) == faces;
}

/* ---- offers ---- */

static void offer(const collapse *c, uint32_t u, ossai_heap_entry *cheapest)
{
	const uint32_t at = c->vertex[u];
	const ossai_vec3 p = ossai_rest_point(c->fine, at);
	*cheapest = (ossai_heap_entry){INFINITY, u};
	for (uint32_t i = c->adjacency.vertex_start[u]; i < c->adjacency.vertex_start[u + 1]; i++) {
		const uint32_t v = c->adjacency.vertex_neighbor[i], to = c->vertex[v];
		const double both = c->mass[at] * c->mass[to] / (c->mass[at] + c->mass[to]);
		const double cost = both * ossai_length2(ossai_sub(p, ossai_rest_point(c->fine, to)));
		if (c->mass[to] < c->mass[at] || !(cost < cheapest->key) || !keeps_topology(c, u, v)) continue;
		cheapest->key = cost;
		c->into[u] = v;
	}
}

static size_t list_offers(collapse *c)
{
	size_t count = 0;
	for (uint32_t u = 0; u < c->left->vertex_count; u++) {
		c->stamps++;
		for (uint32_t i = c->adjacency.vertex_start[u]; i < c->adjacency.vertex_start[u + 1]; i++) {
			c->stamp[c->adjacency.vertex_neighbor[i]] = c->stamps;
		}
		offer(c, u, &c->offers[count]);
		count += c->offers[count].key < INFINITY;
	}
	ossai_radix_sort(c->offers, c->space, count);
	return count;
}

static void mark(collapse *c, uint32_t v, uint8_t state)
{
	for (uint32_t i = c->adjacency.vertex_start[v]; i < c->adjacency.vertex_start[v + 1]; i++) {
		uint8_t *mark = &c->state[c->adjacency.vertex_neighbor[i]];
		if (*mark < state) *mark = state;
	}
	c->state[v] = LOCKED;
}

/* Accepted collapses are independent: none has an end next to a vertex that another one removes,
   and none removes a neighbour of a vertex that another one collapses into. */
static size_t accept(collapse *c, size_t offers, size_t most)
{
	size_t count = 0;
	memset(c->state, FREE, c->left->vertex_count);
	for (size_t i = 0; i < offers && count < most; i++) {
		const uint32_t u = c->offers[i].item, v = c->into[u];
		if (c->state[u] != FREE || c->state[v] == LOCKED) continue;
		mark(c, v, KEPT);
		mark(c, u, LOCKED);
		c->left->stands_for[c->vertex[u]] = c->vertex[v];
		c->mass[c->vertex[v]] += c->mass[c->vertex[u]];
		count++;
	}
	return count;
}

/* ---- rounds ---- */

/* numbers the vertices that are left, in their order */
static ossa_status begin_round(collapse *c, ossai_arena *arena)
{
	ossai_collapsed *left = c->left;
	uint32_t count = 0;
	for (size_t i = 0; i < c->numbered; i++) {
		const uint32_t v = c->vertex[i];
		if (left->stands_for[v] != v) continue;
		c->vertex[count] = v;
		c->name[v] = count++;
	}
	c->numbered = count;
	left->vertex_count = count;
	for (size_t i = 0; i < 3 * left->face_count; i++) c->triangles[i] = c->name[left->triangles[i]];
	OSSAI_TRY(ossai_adjacency_make_of_vertices(c->context, arena, count, left->face_count, c->triangles, &c->adjacency));
	return ossai_vertex_faces_make(c->context, arena, count, left->face_count, c->triangles, &c->around);
}

/* the corners of faces as they are now; faces that name a vertex twice are gone */
static void collapse_faces(collapse *c)
{
	ossai_collapsed *left = c->left;
	size_t count = 0;
	for (size_t f = 0; f < left->face_count; f++) {
		uint32_t *to = left->triangles + 3 * count;
		for (size_t i = 0; i < 3; i++) to[i] = left->stands_for[left->triangles[3 * f + i]];
		left->face[count] = left->face[f];
		count += to[0] != to[1] && to[1] != to[2] && to[2] != to[0];
	}
	left->face_count = count;
}

static ossa_status run_round(collapse *c, size_t wanted, bool *any)
{
	ossai_arena arena = ossai_arena_begin(c->context);
	ossa_status status = begin_round(c, &arena);
	*any = false;
	if (status == OSSA_OK && c->left->vertex_count > wanted) {
		const size_t offers = list_offers(c), considered = (size_t)ceil(considered_share * (double)offers);
		const size_t gone = accept(c, considered, c->left->vertex_count - wanted);
		*any = gone > 0;
		c->left->vertex_count -= gone;
		collapse_faces(c);
	}
	ossai_arena_end(&arena);
	return status == OSSA_OK ? ossai_ask(c->context) : status;
}

/* a vertex stands for another one that has collapsed later */
static void follow(ossai_collapsed *left, size_t vertex_count)
{
	for (size_t v = 0; v < vertex_count; v++) {
		uint32_t to = left->stands_for[v];
		while (to != OSSA_NONE && left->stands_for[to] != to) to = left->stands_for[to];
		left->stands_for[v] = to;
	}
}

static ossa_status take_arrays(ossai_arena *arena, ossai_arena *scratch, collapse *c)
{
	const size_t vertices = c->fine->vertex_count, faces = c->fine->face_count;
	c->left->triangles = ossai_arena_new(arena, faces, 3 * sizeof *c->left->triangles);
	c->left->face = ossai_arena_new(arena, faces, sizeof *c->left->face);
	c->left->stands_for = ossai_arena_new(arena, vertices, sizeof *c->left->stands_for);
	c->mass = ossai_arena_new(scratch, vertices, sizeof *c->mass);
	c->into = ossai_arena_new(scratch, vertices, sizeof *c->into);
	c->name = ossai_arena_new(scratch, vertices, sizeof *c->name);
	c->vertex = ossai_arena_new(scratch, vertices, sizeof *c->vertex);
	c->state = ossai_arena_new(scratch, vertices, sizeof *c->state);
	c->stamp = ossai_arena_zero(scratch, vertices, sizeof *c->stamp);
	c->offers = ossai_arena_new(scratch, vertices, sizeof *c->offers);
	c->space = ossai_arena_new(scratch, vertices, sizeof *c->space);
	c->triangles = ossai_arena_new(scratch, faces, 3 * sizeof *c->triangles);
	const bool all = c->left->triangles && c->left->face && c->left->stands_for && c->mass && c->into && c->name && c->vertex &&
		c->state && c->stamp && c->offers && c->space && c->triangles;
	return all ? OSSA_OK : ossa_context_error(arena->context)->status;
}

static void begin(collapse *c)
{
	const ossai_posed_surface *fine = c->fine;
	c->left->face_count = fine->face_count;
	memcpy(c->left->triangles, fine->triangles, 3 * fine->face_count * sizeof *fine->triangles);
	for (uint32_t f = 0; f < fine->face_count; f++) c->left->face[f] = f;
	for (uint32_t v = 0; v < fine->vertex_count; v++) {
		c->left->stands_for[v] = fine->used[v] ? v : OSSA_NONE;
		c->mass[v] = 1;
		if (fine->used[v]) c->vertex[c->numbered++] = v;
	}
	/* the input may have some: they would count as neighbours of what they touch */
	collapse_faces(c);
}

ossa_status ossai_collapse_vertices(
	ossa_context *context, ossai_arena *arena, const ossai_posed_surface *fine, size_t wanted, ossai_collapsed *left)
{
	*left = (ossai_collapsed){0};
	collapse c = {.context = context, .fine = fine, .left = left};
	ossai_arena scratch = ossai_arena_begin(context);
	ossa_status status = take_arrays(arena, &scratch, &c);
	if (status == OSSA_OK) begin(&c);
	for (bool any = true; status == OSSA_OK && any;) status = run_round(&c, wanted, &any);
	if (status == OSSA_OK) follow(left, fine->vertex_count);
	ossai_arena_end(&scratch);
	return status;
}

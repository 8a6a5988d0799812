/* surface/carry_poses.c: see carry_poses.h. */
#include "surface/carry_poses.h"

#include "base/union_find.h"
#include "math/rigid_fit.h"
#include "math/sparse.h"
#include "mesh/gradients.h"
#include "mesh/pairs.h"

#include <string.h>

/* poses that are solved for together: their coordinates are whole groups of right-hand sides */
enum { BATCH = 8, GROUPS = 3 * BATCH / OSSAI_SPARSE_WIDTH };

typedef struct carrying {
	ossa_context *context;
	ossai_arena *arena;
	const ossai_posed_surface *from, *to;
	ossai_mat3 turn; /* the rest of `to` as it stands in `from` ... */
	double ratio;    /* ... and how much larger it is */
	size_t edge_count;
	uint32_t *edge; /* edge_count x 2: the lower vertex first, rising, unique */
	ossai_sparse *system;
	float *rest, *pose;       /* V x 3: of `from` */
	ossai_mat3 *gradients;    /* BATCH x V */
	double *x;                /* GROUPS x V x width */
	size_t first_pose, batch; /* of the batch */
	float *positions;
} carrying;

/* ---- edges of the surface, and links between its pieces ---- */

/* of two linked faces the corners that are closest */
static ossai_pair link_edge(const ossai_posed_surface *s, size_t link)
{
	const uint32_t *a = s->triangles + 3 * (size_t)s->links[2 * link], *b = s->triangles + 3 * (size_t)s->links[2 * link + 1];
	ossai_pair best = ossai_pair_of(a[0], b[0], 0);
	double least = INFINITY;
	for (int i = 0; i < 9; i++) {
		const uint32_t p = a[i / 3], q = b[i % 3];
		const double distance = ossai_distance(ossai_rest_point(s, p), ossai_rest_point(s, q));
		if (!(distance < least) || p == q) continue;
		least = distance;
		best = ossai_pair_of(p, q, 0);
	}
	return best;
}

static ossa_status list_edges(carrying *c)
{
	const ossai_posed_surface *s = c->to;
	const ossai_adjacency *a = &s->adjacency;
	size_t count = 0;
	ossai_pair *pairs = ossai_arena_new(c->arena, a->vertex_start[s->vertex_count] / 2 + s->link_count, sizeof *pairs);
	if (!pairs) return ossa_context_error(c->context)->status;
	for (uint32_t v = 0; v < s->vertex_count; v++) {
		for (uint32_t i = a->vertex_start[v]; i < a->vertex_start[v + 1]; i++) {
			if (a->vertex_neighbor[i] > v) pairs[count++] = ossai_pair_of(v, a->vertex_neighbor[i], 0);
		}
	}
	for (size_t link = 0; link < s->link_count; link++) {
		const ossai_pair edge = link_edge(s, link);
		/* faces that share a vertex are at one place there */
		if (edge.first != edge.second) pairs[count++] = edge;
	}
	OSSAI_TRY(ossai_pairs_sort(c->context, pairs, count, s->vertex_count));
	return ossai_pairs_unique(c->arena, pairs, count, &c->edge, &c->edge_count);
}

/* ---- the system: the graph's Laplacian, with one vertex of each connected graph held ---- */

/* in each connected set of vertices the first one is 1 */
static ossa_status mark_held(const carrying *c, uint8_t *held)
{
	const size_t vertices = c->to->vertex_count;
	uint32_t *set = ossai_arena_new(c->arena, vertices, sizeof *set);
	if (!set) return ossa_context_error(c->context)->status;
	ossai_union_begin(set, vertices);
	for (size_t e = 0; e < c->edge_count; e++) ossai_union_join(set, c->edge[2 * e], c->edge[2 * e + 1]);
	for (uint32_t v = 0; v < vertices; v++) held[v] = set[v] == v;
	return OSSA_OK;
}

static ossa_status factorise(carrying *c)
{
	const size_t vertices = c->to->vertex_count, entries = vertices + c->edge_count;
	uint32_t *start = ossai_arena_zero(c->arena, vertices + 1, sizeof *start);
	uint32_t *row = ossai_arena_new(c->arena, entries, sizeof *row);
	double *value = ossai_arena_new(c->arena, entries, sizeof *value);
	uint8_t *held = ossai_arena_new(c->arena, vertices, 1);
	if (!start || !row || !value || !held) return ossa_context_error(c->context)->status;
	OSSAI_TRY(mark_held(c, held));
	size_t e = 0, at = 0;
	for (uint32_t v = 0; v < vertices; v++) {
		start[v] = (uint32_t)at;
		row[at] = v;
		value[at++] = held[v];
		for (; e < c->edge_count && c->edge[2 * e] == v; e++) {
			row[at] = c->edge[2 * e + 1];
			value[at++] = -1;
		}
	}
	start[vertices] = (uint32_t)at;
	for (size_t i = 0; i < 2 * c->edge_count; i++) value[start[c->edge[i]]]++;
	const ossai_sparse_pattern pattern = {vertices, start, row};
	OSSAI_TRY(ossai_sparse_analyse(c->context, &pattern, &c->system));
	return ossai_sparse_factorise(c->system, value);
}

/* ---- poses ---- */

/* the rotation of the rests against each other, and the ratio of their spreads */
static void find_turn(carrying *c)
{
	double m[9] = {0}, from = 0, to = 0;
	for (size_t v = 0; v < c->to->vertex_count; v++) {
		if (!c->to->used[v]) continue;
		for (int i = 0; i < 9; i++) m[i] += c->to->rest[3 * v + i / 3] * c->from->rest[3 * v + i % 3];
		from += ossai_length2(ossai_rest_point(c->from, v));
		to += ossai_length2(ossai_rest_point(c->to, v));
	}
	c->ratio = sqrt(to / from);
	c->turn = ossai_quat_matrix(ossai_rigid_rotation(m));
}

static void take_floats(const ossai_posed_surface *s, const double *from, size_t stride, float *to)
{
	for (size_t i = 0; i < 3 * s->vertex_count; i++) to[i] = (float)from[i / 3 * stride + i % 3];
}

static ossa_status find_gradients(carrying *c)
{
	const ossai_posed_surface *s = c->from;
	for (size_t k = 0; k < c->batch; k++) {
		take_floats(s, s->poses + 3 * (c->first_pose + k), 3 * s->pose_count, c->pose);
		OSSAI_TRY(ossai_vertex_gradients(c->context, s->vertex_count, s->face_count, s->triangles, s->first_of_vertex, c->rest,
			c->pose, c->gradients + k * s->vertex_count));
	}
	return OSSA_OK;
}

static double *unknown(const carrying *c, size_t pose, size_t vertex, size_t i)
{
	const size_t side = 3 * pose + i;
	return c->x + (side / OSSAI_SPARSE_WIDTH * c->to->vertex_count + vertex) * OSSAI_SPARSE_WIDTH + side % OSSAI_SPARSE_WIDTH;
}

/* the edge from a to b in a pose: by the gradients, and what the source's edge does beside */
static ossai_vec3 carried_edge(const carrying *c, size_t k, uint32_t a, uint32_t b)
{
	const ossai_posed_surface *s = c->from;
	const ossai_mat3 *g = c->gradients + k * s->vertex_count;
	const ossai_vec3 own = ossai_sub(ossai_rest_point(c->to, b), ossai_rest_point(c->to, a));
	const ossai_vec3 other = ossai_sub(ossai_rest_point(s, b), ossai_rest_point(s, a));
	const ossai_vec3 moved = ossai_sub(ossai_pose_point(s, b, c->first_pose + k), ossai_pose_point(s, a, c->first_pose + k));
	const ossai_vec3 more = ossai_madd(ossai_mat3_mul_v(&c->turn, own), -c->ratio, other);
	const ossai_vec3 turned = ossai_add(ossai_mat3_mul_v(&g[a], more), ossai_mat3_mul_v(&g[b], more));
	return ossai_madd(ossai_scale(moved, c->ratio), 0.5, turned);
}

static void fill_pose(void *arg, size_t begin, size_t end)
{
	const carrying *c = arg;
	for (size_t k = begin; k < end; k++) {
		for (size_t e = 0; e < c->edge_count; e++) {
			const uint32_t a = c->edge[2 * e], b = c->edge[2 * e + 1];
			double edge[3];
			ossai_v3_store(carried_edge(c, k, a, b), edge);
			for (size_t i = 0; i < 3; i++) {
				*unknown(c, k, a, i) -= edge[i];
				*unknown(c, k, b, i) += edge[i];
			}
		}
	}
}

static void store_pose(void *arg, size_t begin, size_t end)
{
	const carrying *c = arg;
	const ossai_posed_surface *s = c->to;
	for (size_t k = begin; k < end; k++) {
		ossai_vec3 mean = {0, 0, 0};
		float *to = c->positions + 3 * (c->first_pose + k) * s->vertex_count;
		for (size_t v = 0; v < s->vertex_count; v++) {
			if (s->used[v]) mean = ossai_add(mean, ossai_v3(*unknown(c, k, v, 0), *unknown(c, k, v, 1), *unknown(c, k, v, 2)));
		}
		mean = ossai_scale(mean, 1 / (double)s->used_count);
		for (size_t v = 0; v < s->vertex_count; v++) {
			const size_t first = s->first_of_vertex ? s->first_of_vertex[v] : v;
			ossai_vec3 p = ossai_v3(*unknown(c, k, first, 0), *unknown(c, k, first, 1), *unknown(c, k, first, 2));
			p = s->used[first] ? ossai_sub(p, mean) : ossai_rest_point(s, v);
			p = ossai_madd(s->rest_center, s->scale, p);
			to[3 * v] = (float)p.x;
			to[3 * v + 1] = (float)p.y;
			to[3 * v + 2] = (float)p.z;
		}
	}
}

static ossa_status carry(carrying *c)
{
	const size_t vertices = c->to->vertex_count;
	c->rest = ossai_arena_new(c->arena, vertices, 3 * sizeof *c->rest);
	c->pose = ossai_arena_new(c->arena, vertices, 3 * sizeof *c->pose);
	c->gradients = ossai_arena_new(c->arena, vertices, BATCH * sizeof *c->gradients);
	c->x = ossai_arena_new(c->arena, vertices, GROUPS * OSSAI_SPARSE_WIDTH * sizeof *c->x);
	if (!c->rest || !c->pose || !c->gradients || !c->x) return ossa_context_error(c->context)->status;
	OSSAI_TRY(list_edges(c));
	OSSAI_TRY(factorise(c));
	find_turn(c);
	take_floats(c->from, c->from->rest, 3, c->rest);
	for (c->first_pose = 0; c->first_pose < c->from->pose_count; c->first_pose += BATCH) {
		const size_t left = c->from->pose_count - c->first_pose;
		c->batch = left < BATCH ? left : BATCH;
		memset(c->x, 0, vertices * GROUPS * OSSAI_SPARSE_WIDTH * sizeof *c->x);
		OSSAI_TRY(find_gradients(c));
		ossai_parallel_for(c->context, c->batch, 1, fill_pose, c);
		OSSAI_TRY(ossai_sparse_solve(c->system, GROUPS, c->x));
		ossai_parallel_for(c->context, c->batch, 1, store_pose, c);
		OSSAI_TRY(ossai_progress(c->context, (double)c->first_pose / (double)c->from->pose_count));
	}
	return OSSA_OK;
}

ossa_status ossai_carry_poses(
	ossa_context *context, const ossai_posed_surface *from, const ossai_posed_surface *to, float *positions)
{
	ossai_arena arena = ossai_arena_begin(context);
	carrying c = {.context = context, .arena = &arena, .from = from, .to = to, .positions = positions};
	const ossa_status status = carry(&c);
	ossai_sparse_end(c.system);
	ossai_arena_end(&arena);
	return status;
}

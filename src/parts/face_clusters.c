/* parts/face_clusters.c: see face_clusters.h.

   A cluster has a slot number 0 .. F-1. An edge joins two clusters and is in the priority queue
   once; its key is a lower bound of the error of their union, and it is stale when either cluster
   has grown since. When two clusters merge, the one with fewer edges passes them to the other; an
   edge that becomes parallel to another one is removed and its bound is kept. */
#include "parts/face_clusters.h"

#include "base/union_find.h"
#include "base/heap.h"
#include "parts/pair_map.h"
#include "parts/rigid_error.h"

#include <string.h>

#define NO_HALF UINT32_MAX

enum { EDGE_GRAIN = 512, SLOTS_PER_BLOCK = 256 };

typedef struct cluster_edge {
	uint32_t cluster[2];
	uint32_t version[2]; /* of the clusters when `pose` was last 0 */
	double partial;      /* error summed over the poses before `pose` */
	uint32_t pose;       /* poses computed so far, up to the padded pose count */
	uint32_t alive;
} cluster_edge;

typedef struct cluster {
	/* NULL while it is a single face: its state is made when needed */
	double *state;
	uint32_t version;               /* merges so far */
	uint32_t name;                  /* smallest face */
	uint32_t first_half, last_half; /* list of half-edges 2 * edge + side */
	uint32_t degree;                /* edges alive */
} cluster;

typedef struct clustering {
	ossa_context *context;
	ossai_arena *arena;
	const ossai_posed_surface *surface;
	const uint8_t *wanted; /* F, or NULL: all */
	size_t pose_count, state_size;
	cluster *clusters;
	cluster_edge *edges;
	uint32_t *next_half;
	size_t edge_count;
	ossai_pair_map map;
	ossai_heap heap;
	double **free_states; /* states released by merged clusters */
	size_t free_count;
	double *scratch[2]; /* states of single faces */
	ossai_merge_hierarchy *hierarchy;
} clustering;

/* ---- states ---- */

static const double *state_of(const clustering *c, uint32_t index, double *scratch)
{
	if (c->clusters[index].state) return c->clusters[index].state;
	ossai_ref_face(c->surface, index, scratch);
	return scratch;
}

static double *take_state(clustering *c)
{
	if (c->free_count == 0) {
		double *block = ossai_arena_new(c->arena, SLOTS_PER_BLOCK, c->state_size * sizeof *block);
		if (!block) return NULL;
		for (size_t i = SLOTS_PER_BLOCK; i-- > 0;) c->free_states[c->free_count++] = block + i * c->state_size;
	}
	return c->free_states[--c->free_count];
}

/* ---- building ---- */

static void append_half(clustering *c, uint32_t index, uint32_t half)
{
	cluster *at = &c->clusters[index];
	c->next_half[half] = NO_HALF;
	if (at->first_half == NO_HALF) at->first_half = half;
	else c->next_half[at->last_half] = half;
	at->last_half = half;
}

static void add_edge(clustering *c, uint32_t a, uint32_t b)
{
	const uint64_t key = ossai_pair_key(a, b);
	if (c->wanted && (!c->wanted[a] || !c->wanted[b])) return;
	if (a == b || c->map.keys[ossai_pair_find(&c->map, key)] == key) return;
	const uint32_t edge = (uint32_t)c->edge_count++;
	c->edges[edge] = (cluster_edge){.cluster = {a, b}, .alive = 1};
	ossai_pair_put(&c->map, a, b, edge);
	append_half(c, a, 2 * edge);
	append_half(c, b, 2 * edge + 1);
	c->clusters[a].degree++;
	c->clusters[b].degree++;
}

static ossa_status take_arrays(clustering *c, size_t pair_count)
{
	const size_t face_count = c->surface->face_count;
	size_t slots = 16;
	while (slots < 2 * pair_count) slots *= 2;
	c->map.mask = slots - 1;
	c->map.keys = ossai_arena_zero(c->arena, slots, sizeof *c->map.keys);
	c->map.edges = ossai_arena_new(c->arena, slots, sizeof *c->map.edges);
	c->clusters = ossai_arena_new(c->arena, face_count, sizeof *c->clusters);
	c->edges = ossai_arena_new(c->arena, pair_count, sizeof *c->edges);
	c->next_half = ossai_arena_new(c->arena, pair_count, 2 * sizeof *c->next_half);
	c->heap.entries = ossai_arena_new(c->arena, pair_count, sizeof *c->heap.entries);
	c->free_states = ossai_arena_new(c->arena, face_count / 2 + SLOTS_PER_BLOCK, sizeof *c->free_states);
	c->scratch[0] = ossai_arena_new(c->arena, c->state_size, sizeof(double));
	c->scratch[1] = ossai_arena_new(c->arena, c->state_size, sizeof(double));
	const bool all = c->map.keys && c->map.edges && c->clusters && c->edges && c->next_half && c->heap.entries &&
		c->free_states && c->scratch[0] && c->scratch[1];
	return all ? OSSA_OK : ossa_context_error(c->context)->status;
}

static void add_edges(clustering *c)
{
	const ossai_adjacency *adjacency = &c->surface->adjacency;
	for (size_t f = 0; f < c->surface->face_count; f++) {
		c->clusters[f] = (cluster){.name = (uint32_t)f, .first_half = NO_HALF, .last_half = NO_HALF};
	}
	for (size_t i = 0; i < adjacency->face_pair_count; i++) {
		add_edge(c, adjacency->face_pairs[2 * i], adjacency->face_pairs[2 * i + 1]);
	}
	const size_t link_count = c->surface->link_pieces ? c->surface->link_count : 0;
	for (size_t i = 0; i < link_count; i++) add_edge(c, c->surface->links[2 * i], c->surface->links[2 * i + 1]);
}

typedef struct first_keys_job {
	clustering *c;
	double *scratch; /* two states for each range */
} first_keys_job;

static void first_keys(void *arg, size_t begin, size_t end)
{
	const first_keys_job *job = arg;
	clustering *c = job->c;
	double *a = job->scratch + begin / EDGE_GRAIN * 2 * c->state_size, *b = a + c->state_size;
	for (size_t i = begin; i < end; i++) {
		cluster_edge *edge = &c->edges[i];
		ossai_ref_face(c->surface, edge->cluster[0], a);
		ossai_ref_face(c->surface, edge->cluster[1], b);
		size_t pose = 0;
		edge->partial = ossai_ref_union_error(c->pose_count, a, b, 0, INFINITY, &pose);
		edge->pose = (uint32_t)pose;
		c->heap.entries[i] = (ossai_heap_entry){edge->partial, (uint32_t)i};
	}
}

/* the first keys of all edges, in parallel; the scratch memory is released before the merging
   begins */
static ossa_status compute_first_keys(clustering *c)
{
	const size_t ranges = c->edge_count / EDGE_GRAIN + 1;
	first_keys_job job = {c, ossai_new(c->context, ranges, 2 * c->state_size * sizeof(double))};
	if (!job.scratch) return ossa_context_error(c->context)->status;
	ossai_parallel_for(c->context, c->edge_count, EDGE_GRAIN, first_keys, &job);
	ossa_free(c->context, job.scratch);
	c->hierarchy->evaluations = c->edge_count;
	c->heap.count = c->edge_count;
	ossai_heap_build(&c->heap);
	return OSSA_OK;
}

/* ---- merging ---- */

static bool is_stale(const clustering *c, const cluster_edge *edge)
{
	return c->clusters[edge->cluster[0]].version != edge->version[0] ||
		c->clusters[edge->cluster[1]].version != edge->version[1];
}

/* computes the union's error up to the point where it exceeds `bound`; true where it is complete */
static bool evaluate(clustering *c, cluster_edge *edge, double bound)
{
	if (is_stale(c, edge)) {
		edge->version[0] = c->clusters[edge->cluster[0]].version;
		edge->version[1] = c->clusters[edge->cluster[1]].version;
		edge->partial = 0;
		edge->pose = 0;
	}
	size_t pose = edge->pose;
	const double *a = state_of(c, edge->cluster[0], c->scratch[0]);
	const double *b = state_of(c, edge->cluster[1], c->scratch[1]);
	edge->partial = ossai_ref_union_error(c->pose_count, a, b, edge->partial, bound, &pose);
	edge->pose = (uint32_t)pose;
	c->hierarchy->evaluations++;
	return pose >= ossai_ref_stride(c->pose_count);
}

/* the state of `gone` is added to that of `kept`; a single face gets a state of its own */
static ossa_status merge_states(clustering *c, uint32_t kept, uint32_t gone)
{
	cluster *to = &c->clusters[kept], *from = &c->clusters[gone];
	if (!to->state && from->state) {
		/* the sum does not depend on the order: reuse the existing state */
		to->state = from->state;
		from->state = NULL;
		ossai_ref_face(c->surface, kept, c->scratch[0]);
		ossai_ref_add(c->pose_count, to->state, c->scratch[0]);
		return OSSA_OK;
	}
	if (!to->state) {
		to->state = take_state(c);
		if (!to->state) return ossa_context_error(c->context)->status;
		ossai_ref_face(c->surface, kept, to->state);
	}
	ossai_ref_add(c->pose_count, to->state, state_of(c, gone, c->scratch[1]));
	if (from->state) c->free_states[c->free_count++] = from->state;
	from->state = NULL;
	return OSSA_OK;
}

/* passes the edges of `gone` to `kept`; costs the number of edges of `gone` */
static void move_edges(clustering *c, uint32_t kept, uint32_t gone)
{
	uint32_t half = c->clusters[gone].first_half;
	while (half != NO_HALF) {
		const uint32_t next = c->next_half[half], edge_index = half / 2;
		cluster_edge *edge = &c->edges[edge_index];
		const uint32_t side = half & 1, other = edge->cluster[1 - side];
		if (edge->alive) {
			ossai_pair_remove(&c->map, gone, other);
			const size_t slot = ossai_pair_find(&c->map, ossai_pair_key(kept, other));
			if (other == kept || c->map.keys[slot] != 0) {
				/* the merged edge itself, or parallel to one that stays */
				edge->alive = 0;
				c->clusters[other].degree--;
			} else {
				edge->cluster[side] = kept;
				edge->version[side] = UINT32_MAX; /* stale, whatever the version of `kept` */
				ossai_pair_put(&c->map, kept, other, edge_index);
				append_half(c, kept, half);
				c->clusters[kept].degree++;
			}
		}
		half = next;
	}
	c->clusters[gone].first_half = NO_HALF;
}

static ossa_status merge(clustering *c, cluster_edge *edge, double error)
{
	uint32_t kept = edge->cluster[0], gone = edge->cluster[1];
	if (c->clusters[kept].degree < c->clusters[gone].degree) {
		const uint32_t swap = kept;
		kept = gone;
		gone = swap;
	}
	OSSAI_TRY(merge_states(c, kept, gone));
	cluster *to = &c->clusters[kept], *from = &c->clusters[gone];
	const bool kept_first = to->name < from->name;
	ossai_merge_hierarchy *h = c->hierarchy;
	h->merges[h->count++] = (ossa_merge){kept_first ? to->name : from->name, kept_first ? from->name : to->name, error};
	to->name = kept_first ? to->name : from->name;
	to->version++;
	move_edges(c, kept, gone);
	return OSSA_OK;
}

static ossa_status merge_all(clustering *c)
{
	double error = 0; /* of the last merge: the sequence is monotone */
	while (c->heap.count > 0) {
		cluster_edge *edge = &c->edges[c->heap.entries[0].item];
		if (!edge->alive) {
			ossai_heap_pop(&c->heap);
			continue;
		}
		const bool whole = !is_stale(c, edge) && edge->pose >= ossai_ref_stride(c->pose_count);
		const double key = c->heap.entries[0].key;
		if (!whole) {
			const double second = ossai_heap_second_key(&c->heap, INFINITY);
			evaluate(c, edge, second);
			/* the earlier bound still holds: the union only grew */
			ossai_heap_replace_top(&c->heap, edge->partial > key ? edge->partial : key);
			continue;
		}
		ossai_heap_pop(&c->heap);
		error = key > error ? key : error;
		OSSAI_TRY(merge(c, edge, error));
		if (c->hierarchy->count % 4096 == 0) {
			OSSAI_TRY(ossai_progress(c->context, (double)c->hierarchy->count / (double)c->surface->face_count));
		}
	}
	return OSSA_OK;
}

ossa_status ossai_face_clusters_of_some(ossa_context *context, ossai_arena *arena, const ossai_posed_surface *surface,
	const uint8_t *wanted, ossai_merge_hierarchy *hierarchy)
{
	*hierarchy = (ossai_merge_hierarchy){.face_count = surface->face_count};
	hierarchy->merges = ossai_arena_new(arena, surface->face_count, sizeof *hierarchy->merges);
	if (!hierarchy->merges) return ossa_context_error(context)->status;
	ossai_arena temporary = ossai_arena_begin(context);
	clustering c = {.context = context,
		.arena = &temporary,
		.surface = surface,
		.wanted = wanted,
		.pose_count = surface->pose_count,
		.state_size = ossai_ref_size(surface->pose_count),
		.hierarchy = hierarchy};
	ossa_status status = take_arrays(&c, surface->adjacency.face_pair_count + surface->link_count);
	if (status == OSSA_OK) {
		add_edges(&c);
		status = compute_first_keys(&c);
	}
	if (status == OSSA_OK) status = merge_all(&c);
	ossai_arena_end(&temporary);
	return status;
}

ossa_status ossai_face_clusters_make(
	ossa_context *context, ossai_arena *arena, const ossai_posed_surface *surface, ossai_merge_hierarchy *hierarchy)
{
	return ossai_face_clusters_of_some(context, arena, surface, NULL, hierarchy);
}

size_t ossai_merge_hierarchy_level(
	const ossai_merge_hierarchy *hierarchy, const ossai_posed_surface *surface, size_t clusters, double tolerance)
{
	size_t level = 0;
	if (clusters > 0 && clusters < hierarchy->face_count) level = hierarchy->face_count - clusters;
	if (tolerance > 0) {
		/* the error is a sum over poses of integrals over the surface; the tolerance an RMS over
		   both */
		const double most = tolerance * tolerance * (double)surface->pose_count * surface->area;
		while (level < hierarchy->count && hierarchy->merges[level].error <= most) level++;
	}
	return level < hierarchy->count ? level : hierarchy->count;
}

static uint32_t find_root(uint32_t *parent, uint32_t face)
{
	while (parent[face] != face) face = parent[face] = parent[parent[face]];
	return face;
}

size_t ossai_merge_hierarchy_cut(
	const ossai_merge_hierarchy *hierarchy, size_t level, uint32_t *scratch, uint32_t *cluster_of_face)
{
	/* names are smallest faces, so `gone` never becomes a root again */
	for (size_t f = 0; f < hierarchy->face_count; f++) scratch[f] = (uint32_t)f;
	for (size_t i = 0; i < level; i++) scratch[hierarchy->merges[i].gone] = hierarchy->merges[i].kept;
	uint32_t count = 0;
	for (size_t f = 0; f < hierarchy->face_count; f++) {
		const uint32_t root = find_root(scratch, (uint32_t)f);
		/* the root is the smallest face of its cluster, so it is visited first */
		cluster_of_face[f] = root == f ? count++ : cluster_of_face[root];
	}
	return count;
}

void ossai_merges_rename(size_t count, ossa_merge *merges, size_t face_count, uint32_t *name, uint32_t *parent)
{
	for (uint32_t f = 0; f < face_count; f++) parent[f] = f;
	for (size_t i = 0; i < count; i++) {
		const uint32_t a = ossai_union_find(parent, merges[i].kept), b = ossai_union_find(parent, merges[i].gone);
		const uint32_t low = name[a] < name[b] ? name[a] : name[b], high = name[a] < name[b] ? name[b] : name[a];
		parent[b] = a;
		name[a] = low;
		merges[i].kept = low;
		merges[i].gone = high;
	}
}

/* weights/geodesic_weights.c: see geodesic_weights.h. */
#include "weights/geodesic_weights.h"

#include "base/heap.h"
#include "weights/heat_sources.h"
#include "weights/locality.h"

#include <ossa/mesh.h>

/* distances are at least this share of the size, so that the inverse at the bone's own
   point is finite */
static const double shortest = 1e-4;
/* vertices settled by Dijkstra's algorithm between two reports of progress */
enum { SETTLED_PER_REPORT = 1 << 16 };

/* The closest bones of every point found so far, `width` slots a point. */
typedef struct labels {
	size_t width;
	uint16_t *bone;
	double *distance;
	uint8_t *count; /* slots in use */
	/* item: point x width + slot; entries whose key is not the slot's distance any more are
	   outdated */
	ossai_heap heap;
	size_t capacity;
} labels;

typedef struct walker {
	ossa_context *context;
	ossai_arena *arena; /* of temporaries */
	const ossai_posed_surface *surface;
	const ossai_bone_segments *segments;
	const ossai_geodesic_options *options;
	ossai_interior interior;
	ossai_heat_sources sources;
	ossai_edge_graph graph; /* along the edges, and over the links from piece to piece */
	labels labels;
} walker;

ossai_geodesic_options ossai_geodesic_default(void) { return (ossai_geodesic_options){.influences = 4, .power = 4}; }

/* ---- the graph ---- */

static ossai_vec3 point_of(const walker *w, uint32_t point) { return ossai_v3_of(w->interior.positions + 3 * (size_t)point); }

/* edges between pieces: those given, or one for each link of the surface; returns the new count */
static size_t join_pieces(const walker *w, uint32_t *edge, size_t count)
{
	const ossai_mesh_view mesh = ossai_interior_view(&w->interior);
	const size_t joins = w->options->joins ? w->options->join_count : w->surface->link_count;
	for (size_t i = 0; i < joins; i++) {
		uint32_t *ends = edge + 2 * count;
		if (w->options->joins) {
			for (size_t k = 0; k < 2; k++) ends[k] = w->interior.weld.point_of_vertex[w->options->joins[2 * i + k]];
		} else ossai_nearest_corners(&mesh, w->surface->links + 2 * i, ends);
		count += ends[0] != ends[1] && ends[0] != OSSA_NONE && ends[1] != OSSA_NONE;
	}
	return count;
}

static ossa_status make_graph(walker *w)
{
	const ossai_laplacian *l = &w->interior.laplacian;
	const size_t joins = w->options->joins ? w->options->join_count : w->surface->link_count;
	uint32_t *edge = ossai_arena_new(w->arena, l->edge_count + joins, 2 * sizeof *edge);
	if (!edge) return ossa_context_error(w->context)->status;
	size_t count = 0;
	for (uint32_t p = 0; p < l->vertex_count; p++) {
		for (uint32_t i = l->start[p] + 1; i < l->start[p + 1]; i++, count++) {
			edge[2 * count] = p;
			edge[2 * count + 1] = l->row[i];
		}
	}
	count = join_pieces(w, edge, count);
	return ossai_edge_graph_of_points(w->arena, w->interior.point_count, w->interior.positions, count, edge, &w->graph);
}

/* ---- labels ---- */

/* the slot to write: the bone's own, a free one, or that of the farthest bone; width where all are
   nearer */
static size_t slot_for(const labels *l, uint32_t point, uint32_t bone, double distance)
{
	const size_t at = (size_t)point * l->width;
	size_t farthest = 0;
	for (size_t i = 0; i < l->count[point]; i++) {
		if (l->bone[at + i] == bone) return distance < l->distance[at + i] ? i : l->width;
		if (l->distance[at + i] > l->distance[at + farthest]) farthest = i;
	}
	if (l->count[point] < l->width) return l->count[point];
	return distance < l->distance[at + farthest] ? farthest : l->width;
}

/* a bone reaches a point over a path of this length */
static ossa_status reach(walker *w, uint32_t point, uint32_t bone, double distance)
{
	labels *l = &w->labels;
	const size_t slot = slot_for(l, point, bone, distance), at = (size_t)point * l->width + slot;
	if (slot == l->width) return OSSA_OK;
	OSSAI_TRY(ossai_reserve(w->context, &l->heap.entries, &l->capacity, l->heap.count + 1, sizeof *l->heap.entries));
	if (slot == l->count[point]) l->count[point]++;
	l->bone[at] = (uint16_t)bone;
	l->distance[at] = distance;
	ossai_heap_push(&l->heap, distance, (uint32_t)at);
	return OSSA_OK;
}

/* as published: from the vertex nearest to each bone's point */
static ossa_status seed_points(walker *w)
{
	for (size_t i = 0; i < w->segments->count; i++) {
		const ossai_segment *s = &w->segments->list[i];
		uint32_t nearest = 0;
		double best = INFINITY;
		for (uint32_t p = 0; p < w->interior.point_count; p++) {
			const double distance = ossai_distance(point_of(w, p), s->from);
			if (distance >= best) continue;
			best = distance;
			nearest = p;
		}
		OSSAI_TRY(reach(w, nearest, s->bone, best));
	}
	return OSSA_OK;
}

/* from every vertex that has the bone as its nearest visible one; where none is visible to any,
   from all */
static ossa_status seed_regions(walker *w)
{
	const ossai_heat_sources *s = &w->sources;
	bool seen = false;
	ossai_heat_sources_fill(w->context, &w->interior, NULL, OSSAI_REST_POSE, 1, &w->sources);
	for (uint32_t p = 0; p < s->point_count; p++) seen |= s->rate[p] > 0;
	for (uint32_t p = 0; p < s->point_count; p++) {
		if (seen && !(s->rate[p] > 0)) continue;
		/* the rate is 1 / distance^2 */
		const double distance = 1 / sqrt(ossai_heat_rate_of(s, point_of(w, p), 1));
		for (size_t i = 0; i < s->count[p]; i++) OSSAI_TRY(reach(w, p, s->bone[(size_t)p * OSSAI_HEAT_TIES + i], distance));
	}
	return OSSA_OK;
}

/* Dijkstra's search (math/shortest_paths.h), but of the few nearest bones of each point and not
   of the nearest alone */
static ossa_status settle_all(walker *w)
{
	labels *l = &w->labels;
	const ossai_csr *around = &w->graph.neighbors;
	const double all = (double)l->width * (double)w->interior.point_count;
	size_t settled = 0;
	while (l->heap.count > 0) {
		const ossai_heap_entry nearest = l->heap.entries[0];
		ossai_heap_pop(&l->heap);
		if (nearest.key != l->distance[nearest.item]) continue;
		if (++settled % SETTLED_PER_REPORT == 0) OSSAI_TRY(ossai_progress(w->context, (double)settled / all));
		const uint32_t point = (uint32_t)(nearest.item / l->width), bone = l->bone[nearest.item];
		for (uint32_t i = around->start[point]; i < around->start[point + 1]; i++) {
			OSSAI_TRY(reach(w, around->item[i], bone, nearest.key + w->graph.length[i]));
		}
	}
	return OSSA_OK;
}

static ossa_status make_labels(walker *w)
{
	labels *l = &w->labels;
	const size_t points = w->interior.point_count;
	l->width = w->options->influences < w->segments->bone_count ? w->options->influences : w->segments->bone_count;
	if (points > UINT32_MAX / l->width) {
		return ossai_fail(
			w->context, OSSA_ERROR_LIMIT, NULL, "%zu vertices with %zu influences are too many", points, l->width);
	}
	l->bone = ossai_arena_new(w->arena, points, l->width * sizeof *l->bone);
	l->distance = ossai_arena_new(w->arena, points, l->width * sizeof *l->distance);
	l->count = ossai_arena_zero(w->arena, points, sizeof *l->count);
	return l->bone && l->distance && l->count ? OSSA_OK : ossa_context_error(w->context)->status;
}

/* ---- weights ---- */

static void weigh_vertex(const walker *w, size_t vertex, uint32_t point, ossai_bone_weights *weights)
{
	const labels *l = &w->labels;
	const double *distance = l->distance + (size_t)point * l->width;
	double nearest = INFINITY, sum = 0;
	for (size_t i = 0; i < l->count[point]; i++) nearest = fmin(nearest, fmax(distance[i], shortest));
	/* relative to the nearest, so that powers of it do not overflow */
	for (size_t i = 0; i < l->count[point]; i++) {
		const double value = pow(nearest / fmax(distance[i], shortest), w->options->power);
		if (!(value > 1e-9)) continue;
		ossai_bone_weights_keep(weights, vertex, l->bone[(size_t)point * l->width + i], value);
		sum += value;
	}
	for (size_t i = 0; i < weights->count[vertex]; i++) weights->value[vertex * weights->width + i] /= sum;
}

static ossa_status weigh(walker *w, ossai_arena *arena, ossai_bone_weights *weights)
{
	OSSAI_TRY(
		ossai_bone_weights_new(arena, w->surface->vertex_count, w->segments->bone_count, w->options->influences, weights));
	for (size_t v = 0; v < w->surface->vertex_count; v++) {
		const uint32_t point = w->interior.weld.point_of_vertex[v];
		if (point != OSSA_NONE) weigh_vertex(w, v, point, weights);
	}
	if (!w->options->local) return OSSA_OK;
	return ossai_locality_enforce(w->context, w->surface, NULL, NULL, OSSAI_SUPPORT_WEIGHT, weights);
}

static ossa_status run(walker *w, ossai_arena *arena, ossai_bone_weights *weights)
{
	OSSAI_TRY(ossai_bone_segments_check(w->context, w->segments));
	OSSAI_TRY(ossai_interior_make(w->arena, w->surface, &w->interior));
	OSSAI_TRY(make_graph(w));
	OSSAI_TRY(make_labels(w));
	OSSAI_TRY(ossai_heat_sources_make(w->arena, w->interior.point_count, w->segments, &w->sources));
	OSSAI_TRY(w->options->points ? seed_points(w) : seed_regions(w));
	OSSAI_TRY(settle_all(w));
	return weigh(w, arena, weights);
}

ossa_status ossai_geodesic_weights(ossai_arena *arena, const ossai_posed_surface *surface, const ossai_bone_segments *segments,
	const ossai_geodesic_options *options, ossai_bone_weights *weights)
{
	ossai_arena temporary = ossai_arena_begin(arena->context);
	walker w = {.context = arena->context, .arena = &temporary, .surface = surface, .segments = segments, .options = options};
	const ossa_status status = run(&w, arena, weights);
	ossa_free(arena->context, w.labels.heap.entries);
	ossai_arena_end(&temporary);
	return status;
}

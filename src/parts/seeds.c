/* parts/seeds.c: see seeds.h.

   Farthest-point starts (T. Gonzalez, Clustering to Minimize the Maximum Intercluster Distance,
   1985), then the rounds of S. Lloyd, Least Squares Quantization in PCM, 1982, on shortest paths
   over the surface. */
#include "parts/seeds.h"

#include <string.h>

enum { ROUNDS = 8, SEEDS_PER_LOOK = 32 };

/* the length that one radian between normals adds to an edge, in rest diagonals: about the radius
   of a limb, so that half way around it is as long as 1.5 times as much along it */
static const double bend_length = 0.04;

/* of the time of the whole stage */
static const double stage_share = 0.4;

typedef struct seeder {
	ossa_context *context;
	const ossai_posed_surface *surface;
	ossai_edge_graph graph;
	ossai_path_lengths field;
	ossai_heap farthest; /* vertices by their distance as it once was; it only falls */
	ossai_seeds *seeds;
	ossai_vec3 *center; /* of each patch */
	double *weight;
	double *nearest; /* of a patch's vertices to its center, squared */
} seeder;

static ossa_status allocate(ossai_arena *scratch, size_t wanted, seeder *s)
{
	const size_t vertices = s->surface->vertex_count;
	OSSAI_TRY(ossai_posed_surface_geodesics(scratch, s->surface, bend_length, &s->graph));
	OSSAI_TRY(ossai_path_lengths_make(scratch, &s->graph, &s->field));
	s->farthest.entries = ossai_arena_new(scratch, vertices, sizeof *s->farthest.entries);
	s->center = ossai_arena_new(scratch, wanted, sizeof *s->center);
	s->weight = ossai_arena_new(scratch, wanted, sizeof *s->weight);
	s->nearest = ossai_arena_new(scratch, wanted, sizeof *s->nearest);
	return s->farthest.entries && s->center && s->weight && s->nearest ? OSSA_OK : ossa_context_error(s->context)->status;
}

static void add_seed(seeder *s, uint32_t vertex)
{
	ossai_seeds *seeds = s->seeds;
	seeds->vertex[seeds->count] = vertex;
	ossai_path_lengths_add(&s->graph, 1, &vertex, (uint32_t)seeds->count, &s->field);
	seeds->count++;
}

/* ---- start ---- */

/* the vertex of every piece farthest from the centroid of all, the pieces by descending area */
static ossa_status start_pieces(ossai_arena *scratch, seeder *s)
{
	const ossai_posed_surface *x = s->surface;
	const size_t pieces = x->piece_count;
	double *area = ossai_arena_zero(scratch, pieces, sizeof *area),
		   *farthest = ossai_arena_zero(scratch, pieces, sizeof *farthest);
	uint32_t *tip = ossai_arena_new(scratch, pieces, sizeof *tip);
	ossai_heap largest = {ossai_arena_new(scratch, pieces, sizeof *largest.entries), 0};
	if (!area || !farthest || !tip || !largest.entries) return ossa_context_error(s->context)->status;
	for (size_t f = 0; f < x->face_count; f++) area[x->piece_of_face[f]] += x->face_area[f];
	for (uint32_t v = 0; v < x->vertex_count; v++) {
		if (!x->used[v]) continue;
		const uint32_t p = x->piece_of_vertex[v];
		const double distance = ossai_length2(ossai_rest_point(x, v));
		if (distance < farthest[p]) continue;
		farthest[p] = distance;
		tip[p] = v;
	}
	for (uint32_t p = 0; p < pieces; p++) {
		if (area[p] > 0) ossai_heap_push(&largest, -area[p], p);
	}
	for (; largest.count > 0 && s->seeds->count < pieces; ossai_heap_pop(&largest)) add_seed(s, tip[largest.entries[0].item]);
	return OSSA_OK;
}

/* the used vertex farthest from the centroid of all */
static uint32_t find_tip(const seeder *s)
{
	uint32_t tip = OSSA_NONE;
	double farthest = -1;
	for (uint32_t v = 0; v < s->surface->vertex_count; v++) {
		const double distance = ossai_length2(ossai_rest_point(s->surface, v));
		if (!s->surface->used[v] || distance <= farthest) continue;
		farthest = distance;
		tip = v;
	}
	return tip;
}

/* each next seed is the vertex farthest from all seeds before */
static ossa_status add_farthest(seeder *s, size_t wanted)
{
	ossai_heap *h = &s->farthest;
	h->count = 0;
	for (uint32_t v = 0; v < s->surface->vertex_count; v++) {
		if (s->surface->used[v]) h->entries[h->count++] = (ossai_heap_entry){-s->field.distance[v], v};
	}
	ossai_heap_build(h);
	while (h->count > 0 && s->seeds->count < wanted) {
		const ossai_heap_entry top = h->entries[0];
		const double now = -s->field.distance[top.item];
		if (now > top.key) {
			ossai_heap_replace_top(h, now);
			continue;
		}
		if (now >= 0) break;
		if (s->seeds->count % SEEDS_PER_LOOK == 0) OSSAI_TRY(ossai_ask(s->context));
		add_seed(s, top.item);
	}
	return OSSA_OK;
}

/* ---- rounds ---- */

static void find_centers(seeder *s)
{
	const ossai_posed_surface *x = s->surface;
	const size_t count = s->seeds->count;
	memset(s->center, 0, count * sizeof *s->center);
	memset(s->weight, 0, count * sizeof *s->weight);
	for (size_t v = 0; v < x->vertex_count; v++) {
		const uint32_t c = s->field.source[v];
		if (c == OSSA_NONE || !x->used[v]) continue;
		s->center[c] = ossai_madd(s->center[c], x->vertex_area[v], ossai_rest_point(x, v));
		s->weight[c] += x->vertex_area[v];
	}
	for (size_t c = 0; c < count; c++) {
		if (s->weight[c] > 0) s->center[c] = ossai_scale(s->center[c], 1 / s->weight[c]);
		else s->center[c] = ossai_rest_point(x, s->seeds->vertex[c]);
	}
}

/* moves each seed to the vertex of its patch nearest to the patch's centroid; returns whether any
   moved */
static bool move_seeds(seeder *s)
{
	const ossai_posed_surface *x = s->surface;
	bool moved = false;
	/* a seed stays where no vertex is nearer, by more than rounding */
	for (size_t c = 0; c < s->seeds->count; c++) {
		const ossai_vec3 p = ossai_rest_point(x, s->seeds->vertex[c]);
		s->nearest[c] = ossai_length2(ossai_sub(p, s->center[c])) * (1 - 1e-9);
	}
	for (uint32_t v = 0; v < x->vertex_count; v++) {
		const uint32_t c = s->field.source[v];
		if (c == OSSA_NONE || !x->used[v]) continue;
		const double distance = ossai_length2(ossai_sub(ossai_rest_point(x, v), s->center[c]));
		if (distance >= s->nearest[c]) continue;
		s->nearest[c] = distance;
		s->seeds->vertex[c] = v;
		moved = true;
	}
	return moved;
}

static ossa_status relax(seeder *s)
{
	for (int round = 0; round < ROUNDS; round++) {
		find_centers(s);
		if (!move_seeds(s)) break;
		ossai_path_lengths_clear(&s->field);
		ossai_path_lengths_add(&s->graph, s->seeds->count, s->seeds->vertex, 0, &s->field);
		OSSAI_TRY(ossai_progress(s->context, stage_share * (1 + round) / (1.0 + ROUNDS)));
	}
	return OSSA_OK;
}

static ossa_status choose(ossai_arena *scratch, size_t wanted, seeder *s)
{
	OSSAI_TRY(allocate(scratch, wanted, s));
	if (s->surface->piece_count > 1 && s->surface->piece_count <= wanted / 2) OSSAI_TRY(start_pieces(scratch, s));
	if (s->seeds->count == 0) add_seed(s, find_tip(s));
	OSSAI_TRY(add_farthest(s, wanted));
	OSSAI_TRY(ossai_progress(s->context, stage_share / (1.0 + ROUNDS)));
	return relax(s);
}

ossa_status ossai_seeds_choose(
	ossa_context *context, ossai_arena *arena, const ossai_posed_surface *surface, size_t wanted_count, ossai_seeds *seeds)
{
	*seeds = (ossai_seeds){0};
	if (surface->used_count == 0) return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "there is no face to choose seeds on");
	const size_t most = wanted_count < surface->used_count ? wanted_count : surface->used_count;
	const size_t wanted = most > 0 ? most : 1;
	seeds->vertex = ossai_arena_new(arena, wanted, sizeof *seeds->vertex);
	if (!seeds->vertex) return ossa_context_error(context)->status;
	ossai_arena scratch = ossai_arena_begin(context);
	seeder s = {.context = context, .surface = surface, .seeds = seeds};
	const ossa_status status = choose(&scratch, wanted, &s);
	ossai_arena_end(&scratch);
	return status;
}

/* ---- seeds and parts ---- */

ossa_status ossai_place_seeds(ossa_context *context, const ossai_posed_surface *surface, const ossai_seeds *seeds,
	const uint32_t *part_of_face, uint32_t *part_of_seed)
{
	ossai_arena scratch = ossai_arena_begin(context);
	uint32_t *seed_at = ossai_arena_new(&scratch, surface->vertex_count, sizeof *seed_at);
	uint32_t *found = ossai_arena_new(&scratch, seeds->count, sizeof *found);
	double *area = ossai_arena_new(&scratch, seeds->count, sizeof *area);
	const bool all = seed_at && found && area;
	if (all) {
		memset(seed_at, 0xff, surface->vertex_count * sizeof *seed_at);
		for (uint32_t i = 0; i < seeds->count; i++) {
			seed_at[seeds->vertex[i]] = i;
			found[i] = OSSA_NONE;
			area[i] = -1;
		}
		for (size_t i = 0; i < 3 * surface->face_count; i++) {
			const uint32_t seed = seed_at[surface->triangles[i]], part = part_of_face[i / 3];
			if (seed == OSSA_NONE || found[seed] == part_of_seed[seed]) continue;
			if (part != part_of_seed[seed] && surface->face_area[i / 3] <= area[seed]) continue;
			found[seed] = part;
			area[seed] = surface->face_area[i / 3];
		}
		memcpy(part_of_seed, found, seeds->count * sizeof *found);
	}
	ossai_arena_end(&scratch);
	return all ? OSSA_OK : ossa_context_error(context)->status;
}

/* volume/tree_curve.c: see tree_curve.h. Ways through the interior are measured in steps of 3, 4 and 5 thirds of a voxel, by buckets: a node's
   ball begins as far ahead as its radius is smaller than the largest. */
#include "volume/tree_curve.h"

#include "volume/loops.h"

#include <ossa/mesh.h>
#include <string.h>

/* Steps over a face, an edge and a corner; one bucket for each key that can be open at a time. */
enum { STEP_FACE = 3, STEP_EDGE = 4, STEP_CORNER = 5, BUCKETS = 6 };
/* How many voxels around a place outside are looked at. */
enum { RINGS = 3 };

typedef struct spreading {
	const ossai_voxels *voxels;
	uint32_t *key, *next, *previous; /* N: next and previous in a bucket */
	uint32_t head[BUCKETS];
	uint32_t *node_of_voxel;
	size_t open;
} spreading;

static void take_out(spreading *s, uint32_t voxel)
{
	const uint32_t before = s->previous[voxel], after = s->next[voxel];
	if (before == OSSA_NONE) s->head[s->key[voxel] % BUCKETS] = after;
	else s->next[before] = after;
	if (after != OSSA_NONE) s->previous[after] = before;
	s->open--;
}

static void put_in(spreading *s, uint32_t voxel, uint32_t key, uint32_t node)
{
	uint32_t *head = &s->head[key % BUCKETS];
	s->key[voxel] = key;
	s->node_of_voxel[voxel] = node;
	s->next[voxel] = *head;
	s->previous[voxel] = OSSA_NONE;
	if (*head != OSSA_NONE) s->previous[*head] = voxel;
	*head = voxel;
	s->open++;
}

/* nearer than so far; what is done has its final key and is never nearer */
static void offer(spreading *s, uint32_t voxel, uint32_t key, uint32_t node)
{
	if (key >= s->key[voxel]) return;
	if (s->key[voxel] != OSSA_NONE) take_out(s, voxel);
	put_in(s, voxel, key, node);
}

static void spread_from(spreading *s, uint32_t voxel)
{
	static const uint32_t steps[4] = {0, STEP_FACE, STEP_EDGE, STEP_CORNER};
	const ossai_voxels *v = s->voxels;
	const uint32_t cell = v->cell[voxel];
	const int64_t row = v->size[0], slice = row * v->size[1];
	for (int z = -1; z <= 1; z++) {
		for (int y = -1; y <= 1; y++) {
			for (int x = -1; x <= 1; x++) {
				const uint32_t other = v->of_cell[(int64_t)cell + x + y * row + z * slice];
				if (other == OSSA_NONE || other == voxel) continue;
				offer(s, other, s->key[voxel] + steps[(x != 0) + (y != 0) + (z != 0)], s->node_of_voxel[voxel]);
			}
		}
	}
}

/* nodes by the key that they begin with: counted, so that ties keep their order */
static ossa_status sort_nodes(
	ossai_arena *scratch, const ossai_voxels *voxels, const ossai_path_tree *tree, uint32_t **order, uint32_t *key)
{
	double largest = 0;
	for (size_t i = 0; i < tree->node_count; i++) largest = fmax(largest, tree->radius[i]);
	uint32_t most = 0;
	for (size_t i = 0; i < tree->node_count; i++) {
		key[i] = (uint32_t)lrint(STEP_FACE * (largest - tree->radius[i]) / voxels->step);
		if (key[i] > most) most = key[i];
	}
	uint32_t *start = ossai_arena_zero(scratch, (size_t)most + 2, sizeof *start);
	*order = ossai_arena_new(scratch, tree->node_count, sizeof **order);
	if (!start || !*order) return ossa_context_error(scratch->context)->status;
	for (size_t i = 0; i < tree->node_count; i++) start[key[i] + 1]++;
	for (size_t k = 1; k <= most; k++) start[k] += start[k - 1];
	for (uint32_t i = 0; i < tree->node_count; i++) (*order)[start[key[i]]++] = i;
	return OSSA_OK;
}

static void spread(spreading *s, const ossai_path_tree *tree, const uint32_t *order, const uint32_t *key)
{
	size_t begun = 0;
	for (uint32_t now = tree->node_count > 0 ? key[order[0]] : 0; s->open > 0 || begun < tree->node_count; now++) {
		for (; begun < tree->node_count && key[order[begun]] == now; begun++) {
			offer(s, tree->voxel[order[begun]], now, order[begun]);
		}
		while (s->head[now % BUCKETS] != OSSA_NONE) {
			const uint32_t voxel = s->head[now % BUCKETS];
			take_out(s, voxel);
			spread_from(s, voxel);
		}
	}
}

static ossa_status share(ossai_arena *scratch, const ossai_voxels *voxels, const ossai_path_tree *tree, uint32_t *node_of_voxel)
{
	spreading s = {.voxels = voxels, .node_of_voxel = node_of_voxel};
	uint32_t *key = ossai_arena_new(scratch, tree->node_count, sizeof *key), *order;
	s.key = ossai_arena_new(scratch, voxels->count, sizeof *s.key);
	s.next = ossai_arena_new(scratch, voxels->count, sizeof *s.next);
	s.previous = ossai_arena_new(scratch, voxels->count, sizeof *s.previous);
	if (!key || !s.key || !s.next || !s.previous) return ossa_context_error(scratch->context)->status;
	OSSAI_TRY(sort_nodes(scratch, voxels, tree, &order, key));
	for (int i = 0; i < BUCKETS; i++) s.head[i] = OSSA_NONE;
	for (size_t i = 0; i < voxels->count; i++) {
		s.key[i] = OSSA_NONE;
		node_of_voxel[i] = 0;
	}
	spread(&s, tree, order, key);
	return OSSA_OK;
}

ossa_status ossai_tree_shares(
	ossai_arena *arena, const ossai_voxels *voxels, const ossai_path_tree *tree, uint32_t *node_of_voxel)
{
	ossai_arena scratch = ossai_arena_begin(arena->context);
	const ossa_status status = share(&scratch, voxels, tree, node_of_voxel);
	ossai_arena_end(&scratch);
	return status;
}

/* ---- vertices ---- */

/* the interior voxel whose center is nearest, within a few around the place; OSSA_NONE: there is none */
static uint32_t voxel_near(const ossai_voxels *voxels, ossai_vec3 p)
{
	int64_t at[3], size[3];
	const ossai_vec3 q = ossai_scale(ossai_sub(p, voxels->origin), 1 / voxels->step);
	const double place[3] = {q.x, q.y, q.z};
	for (int k = 0; k < 3; k++) {
		size[k] = voxels->size[k];
		if (!(place[k] > -RINGS && place[k] < (double)size[k] + RINGS)) return OSSA_NONE;
		at[k] = llrint(place[k]);
	}
	uint32_t best = OSSA_NONE;
	double least = INFINITY;
	for (int64_t z = at[2] - RINGS; z <= at[2] + RINGS; z++) {
		for (int64_t y = at[1] - RINGS; y <= at[1] + RINGS; y++) {
			for (int64_t x = at[0] - RINGS; x <= at[0] + RINGS; x++) {
				if (x < 0 || y < 0 || z < 0 || x >= size[0] || y >= size[1] || z >= size[2]) continue;
				const uint32_t voxel = voxels->of_cell[x + size[0] * (y + size[1] * z)];
				if (voxel == OSSA_NONE) continue;
				const double far = ossai_length2(ossai_sub(q, ossai_v3((double)x, (double)y, (double)z)));
				if (far >= least) continue;
				least = far;
				best = voxel;
			}
		}
	}
	return best;
}

static uint32_t node_near(const ossai_path_tree *tree, ossai_vec3 p)
{
	uint32_t best = 0;
	double least = INFINITY;
	for (uint32_t i = 0; i < tree->node_count; i++) {
		const double far = ossai_distance(p, tree->node[i]) - tree->radius[i];
		if (far >= least) continue;
		least = far;
		best = i;
	}
	return best;
}

/* vertices of pieces that were left out go to the nearest ball */
static void give_vertices(const ossai_voxels *voxels, const ossai_path_tree *tree, const uint32_t *node_of_voxel,
	const ossai_proxy *proxy, ossai_curve *curve)
{
	for (size_t v = 0; v < proxy->vertex_count; v++) {
		const ossai_vec3 p = ossai_v3_of(proxy->positions + 3 * v);
		const uint32_t voxel = voxel_near(voxels, p);
		curve->node_of_vertex[v] = voxel == OSSA_NONE ? node_near(tree, p) : node_of_voxel[voxel];
	}
	for (size_t f = 0; f < proxy->face_count; f++) {
		const uint32_t *t = proxy->triangles + 3 * f;
		const ossai_vec3 a = ossai_v3_of(proxy->positions + 3 * (size_t)t[0]);
		const ossai_vec3 ab = ossai_sub(ossai_v3_of(proxy->positions + 3 * (size_t)t[1]), a);
		const ossai_vec3 ac = ossai_sub(ossai_v3_of(proxy->positions + 3 * (size_t)t[2]), a);
		const double third = ossai_length(ossai_cross(ab, ac)) / 6;
		for (int k = 0; k < 3; k++) curve->area[curve->node_of_vertex[t[k]]] += third;
	}
}

/* ---- the curve ---- */

static ossa_status take_arrays(ossai_arena *arena, const ossai_path_tree *tree, const ossai_proxy *proxy, ossai_curve *curve)
{
	const size_t count = tree->node_count;
	*curve = (ossai_curve){.node_count = count, .vertex_count = proxy->vertex_count};
	curve->node = ossai_arena_new(arena, count, sizeof *curve->node);
	curve->radius = ossai_arena_new(arena, count, sizeof *curve->radius);
	curve->area = ossai_arena_zero(arena, count, sizeof *curve->area);
	curve->volume = ossai_arena_zero(arena, count, sizeof *curve->volume);
	curve->edge = ossai_arena_new(arena, count, 2 * sizeof *curve->edge);
	curve->node_of_vertex = ossai_arena_new(arena, proxy->vertex_count, sizeof *curve->node_of_vertex);
	if (!curve->node || !curve->radius || !curve->area || !curve->volume || !curve->edge || !curve->node_of_vertex) {
		return ossa_context_error(arena->context)->status;
	}
	memcpy(curve->node, tree->node, count * sizeof *curve->node);
	memcpy(curve->radius, tree->radius, count * sizeof *curve->radius);
	for (uint32_t i = 0; i < count; i++) {
		if (tree->parent[i] == OSSA_NONE) continue;
		curve->edge[2 * curve->edge_count] = tree->parent[i];
		curve->edge[2 * curve->edge_count++ + 1] = i;
	}
	return OSSA_OK;
}

ossa_status ossai_tree_curve_make(
	ossai_arena *arena, const ossai_voxels *voxels, const ossai_path_tree *tree, const ossai_proxy *proxy, ossai_curve *curve)
{
	OSSAI_TRY(take_arrays(arena, tree, proxy, curve));
	ossai_arena scratch = ossai_arena_begin(arena->context);
	uint32_t *node_of_voxel = ossai_arena_new(&scratch, voxels->count, sizeof *node_of_voxel);
	ossa_status status = node_of_voxel ? share(&scratch, voxels, tree, node_of_voxel)
									   : ossa_context_error(arena->context)->status;
	if (status == OSSA_OK) {
		const double one = voxels->step * voxels->step * voxels->step;
		for (size_t i = 0; i < voxels->count; i++) curve->volume[node_of_voxel[i]] += one;
		give_vertices(voxels, tree, node_of_voxel, proxy, curve);
		status = ossai_volume_loops_find(arena, voxels, tree, node_of_voxel, curve);
	}
	ossai_arena_end(&scratch);
	return status == OSSA_OK ? ossai_curve_sort_edges(arena, curve) : status;
}

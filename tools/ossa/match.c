/* tools/ossa/match.c: vertex correspondence of a rig's mesh and the rest mesh.

   Place in the path: the top, for `ossa compare`.
   Input: a rig and the rest mesh of the same surface, poses.
   Output: for each vertex of the rest mesh the corresponding one of the rig's. In order where
   they agree; else by position, since programs split vertices at seams and reorder them. A tree
   of medians (Bentley 1975) finds the nearest. Of several at one position that are weighted
   differently (two parts that touch) the one is taken whose trajectory in the poses is nearest to
   that of the rest's vertex. */
#include "command.h"

#include <math.h>
#include <string.h>

/* the largest distance of corresponding vertices, in diagonals of the rest mesh: files keep six
   digits, programs convert units */
#define MATCH_TOLERANCE 1e-4

/* vertices within this distance of the nearest, in diagonals, count as at its position */
#define SAME_PLACE 1e-6

/* the most different weights at one position that are compared */
enum { CANDIDATES_MAX = 32 };

static const float *position_of(const ossa_mesh *mesh, size_t vertex) { return mesh->positions + 3 * vertex; }

static double distance2(const float *a, const float *b)
{
	double sum = 0;
	for (int k = 0; k < 3; k++) sum += ((double)a[k] - b[k]) * ((double)a[k] - b[k]);
	return sum;
}

static double diagonal2(const ossa_mesh *mesh)
{
	float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		for (int k = 0; k < 3; k++) {
			low[k] = fminf(low[k], position_of(mesh, v)[k]);
			high[k] = fmaxf(high[k], position_of(mesh, v)[k]);
		}
	}
	return mesh->vertex_count > 0 ? distance2(low, high) : 0;
}

static bool same_order(const ossa_mesh *rest, const ossa_mesh *other, double limit2)
{
	if (rest->vertex_count != other->vertex_count) return false;
	for (size_t v = 0; v < rest->vertex_count; v++) {
		if (distance2(position_of(rest, v), position_of(other, v)) > limit2) return false;
	}
	return true;
}

/* ---- the tree: order[begin .. end) has its median on axis depth % 3 in the middle, halves on
   either side ---- */

typedef struct median_tree {
	const ossa_mesh *mesh;
	uint32_t *order;
} median_tree;

static void swap(uint32_t *a, uint32_t *b)
{
	const uint32_t kept = *a;
	*a = *b;
	*b = kept;
}

/* selects the median into the middle, smaller ones before it, larger ones behind it (Hoare 1961) */
static void select_middle(const median_tree *tree, size_t begin, size_t end, int axis)
{
	const size_t middle = begin + (end - begin) / 2;
	while (end - begin > 1) {
		const float pivot = position_of(tree->mesh, tree->order[begin + (end - begin) / 2])[axis];
		size_t i = begin, j = end - 1;
		for (;;) {
			while (position_of(tree->mesh, tree->order[i])[axis] < pivot) i++;
			while (position_of(tree->mesh, tree->order[j])[axis] > pivot) j--;
			if (i >= j) break;
			swap(&tree->order[i++], &tree->order[j--]);
		}
		/* all before i are <= pivot, all after j are >= pivot */
		if (middle <= j && j + 1 < end) end = j + 1;
		else if (middle >= i && i > begin) begin = i;
		else return;
	}
}

static void build(const median_tree *tree, size_t begin, size_t end, int axis)
{
	if (end - begin < 2) return;
	const size_t middle = begin + (end - begin) / 2;
	select_middle(tree, begin, end, axis);
	build(tree, begin, middle, (axis + 1) % 3);
	build(tree, middle + 1, end, (axis + 1) % 3);
}

typedef struct nearest_vertex {
	uint32_t vertex;
	double distance2;
} nearest_vertex;

static void search(const median_tree *tree, size_t begin, size_t end, int axis, const float *point, nearest_vertex *nearest)
{
	if (begin >= end) return;
	const size_t middle = begin + (end - begin) / 2;
	const uint32_t vertex = tree->order[middle];
	const float *position = position_of(tree->mesh, vertex);
	const double found2 = distance2(point, position);
	if (found2 < nearest->distance2) *nearest = (nearest_vertex){vertex, found2};
	const double offset = (double)point[axis] - position[axis];
	const int next = (axis + 1) % 3;
	if (offset <= 0) search(tree, begin, middle, next, point, nearest);
	else search(tree, middle + 1, end, next, point, nearest);
	if (offset * offset >= nearest->distance2) return;
	if (offset <= 0) search(tree, middle + 1, end, next, point, nearest);
	else search(tree, begin, middle, next, point, nearest);
}

/* ---- several at one position ---- */

/* vertices at one position whose weights differ: the first of the mesh of each different weights */
typedef struct counterparts {
	const ossa_weights *weights;
	size_t count;
	uint32_t vertices[CANDIDATES_MAX];
} counterparts;

static bool same_weights(const ossa_weights *weights, uint32_t a, uint32_t b)
{
	const size_t pairs = (size_t)weights->influences;
	return memcmp(weights->bones + a * pairs, weights->bones + b * pairs, pairs * sizeof *weights->bones) == 0 &&
		memcmp(weights->values + a * pairs, weights->values + b * pairs, pairs * sizeof *weights->values) == 0;
}

static void add_counterpart(counterparts *found, uint32_t vertex)
{
	for (size_t i = 0; i < found->count; i++) {
		if (!same_weights(found->weights, found->vertices[i], vertex)) continue;
		if (vertex < found->vertices[i]) found->vertices[i] = vertex;
		return;
	}
	if (found->count < CANDIDATES_MAX) found->vertices[found->count++] = vertex;
}

static void gather(
	const median_tree *tree, size_t begin, size_t end, int axis, const float *point, double reach2, counterparts *found)
{
	if (begin >= end) return;
	const size_t middle = begin + (end - begin) / 2;
	const float *position = position_of(tree->mesh, tree->order[middle]);
	if (distance2(point, position) <= reach2) add_counterpart(found, tree->order[middle]);
	const double offset = (double)point[axis] - position[axis];
	const int next = (axis + 1) % 3;
	if (offset <= 0 || offset * offset <= reach2) gather(tree, begin, middle, next, point, reach2, found);
	if (offset >= 0 || offset * offset <= reach2) gather(tree, middle + 1, end, next, point, reach2, found);
}

/* ---- the match ---- */

/* the inputs and the result */
typedef struct matching {
	command_run *run;
	const ossa_mesh *rest;
	const ossa_rig *rig;
	const ossa_frames *frames; /* of the rest's vertices, as many as the rig's clip has; or NULL */
	double diagonal;           /* of the rest */
	median_tree tree;          /* of the rig's mesh */
	uint32_t *match;           /* by vertex of the rest */
	/* where there is a choice */
	size_t choice_count;
	struct choice {
		uint32_t vertex, counterpart;
		double cost; /* summed over the poses: square of the distance */
	} * choices;
} matching;

/* counts vertices of faces without a counterpart within the limit; theirs is OSSA_NONE */
static size_t match_by_position(const matching *m, const bool *used)
{
	const double limit = MATCH_TOLERANCE * m->diagonal;
	size_t lost = 0;
	for (size_t v = 0; v < m->rest->vertex_count; v++) {
		/* just over the limit: vertices at the limit still count */
		nearest_vertex nearest = {OSSA_NONE, nextafter(limit * limit, INFINITY)};
		search(&m->tree, 0, m->tree.mesh->vertex_count, 0, position_of(m->rest, v), &nearest);
		lost += nearest.vertex == OSSA_NONE && used[v];
		m->match[v] = nearest.vertex;
	}
	return lost;
}

static void find_counterparts(const matching *m, size_t vertex, counterparts *found)
{
	const float *point = position_of(m->rest, vertex);
	const double reach = sqrt(distance2(point, position_of(m->tree.mesh, m->match[vertex]))) + SAME_PLACE * m->diagonal;
	*found = (counterparts){.weights = &m->rig->weights};
	gather(&m->tree, 0, m->tree.mesh->vertex_count, 0, point, reach * reach, found);
}

/* lists them; with `choices` NULL counts them */
static void list_choices(matching *m)
{
	counterparts found;
	m->choice_count = 0;
	for (size_t v = 0; v < m->rest->vertex_count; v++) {
		if (m->match[v] == OSSA_NONE) continue;
		find_counterparts(m, v, &found);
		if (found.count == 1) m->match[v] = found.vertices[0];
		if (found.count < 2) continue;
		for (size_t i = 0; i < found.count; i++, m->choice_count++) {
			if (m->choices) m->choices[m->choice_count] = (struct choice){(uint32_t)v, found.vertices[i], 0};
		}
	}
}

/* the distance of each candidate from the rest's vertex over all poses */
static ossa_status judge_choices(const matching *m)
{
	const ossa_clip *clip = m->rig->clip;
	float *posed = ossa_alloc(m->run->context, m->rig->mesh->vertex_count, 3 * sizeof *posed);
	ossa_status status = posed ? OSSA_OK : OSSA_ERROR_MEMORY;
	for (size_t f = 0; f < clip->frame_count && status == OSSA_OK; f++) {
		const float *wanted = m->frames->positions + 3 * f * m->rest->vertex_count;
		status = ossa_rig_pose(m->run->context, m->rig, NULL, clip, f, posed);
		for (size_t i = 0; i < m->choice_count && status == OSSA_OK; i++) {
			struct choice *choice = &m->choices[i];
			choice->cost += distance2(posed + 3 * (size_t)choice->counterpart, wanted + 3 * (size_t)choice->vertex);
		}
	}
	ossa_free(m->run->context, posed);
	return status;
}

/* of a vertex's candidates, which are adjacent in the list, the cheapest; of equal ones the first
   of the mesh */
static void take_best(const matching *m)
{
	for (size_t i = 0; i < m->choice_count;) {
		const struct choice *best = &m->choices[i], *first = best;
		for (; i < m->choice_count && m->choices[i].vertex == first->vertex; i++) {
			const struct choice *other = &m->choices[i];
			if (other->cost < best->cost || (other->cost <= best->cost && other->counterpart < best->counterpart)) best = other;
		}
		m->match[best->vertex] = best->counterpart;
	}
}

static ossa_status choose_counterparts(matching *m)
{
	list_choices(m);
	if (m->choice_count == 0) return OSSA_OK;
	m->choices = ossa_alloc(m->run->context, m->choice_count, sizeof *m->choices);
	if (!m->choices) return OSSA_ERROR_MEMORY;
	list_choices(m);
	ossa_status status = m->frames && m->rig->clip ? judge_choices(m) : OSSA_OK;
	if (status == OSSA_OK) take_best(m);
	ossa_free(m->run->context, m->choices);
	return status;
}

static ossa_status match_with_tree(matching *m, bool *used)
{
	const ossa_mesh *rest = m->rest, *other = m->rig->mesh;
	for (size_t v = 0; v < other->vertex_count; v++) m->tree.order[v] = (uint32_t)v;
	for (size_t i = 0; i < 3 * rest->triangle_count; i++) used[rest->triangles[i]] = true;
	build(&m->tree, 0, other->vertex_count, 0);
	const size_t lost = match_by_position(m, used);
	const ossa_status status = lost == 0 ? choose_counterparts(m) : OSSA_OK;
	for (size_t v = 0; v < rest->vertex_count; v++) m->match[v] = m->match[v] == OSSA_NONE ? 0 : m->match[v];
	if (lost == 0) return status;
	return command_fail(m->run, OSSA_ERROR_INPUT,
		"%zu of the %zu vertices of %s are nowhere in the mesh of %s (%zu vertices): is it a rig of another mesh, or was it "
		"scaled or turned?",
		lost, rest->vertex_count, m->run->files.values[1], m->run->files.values[0], other->vertex_count);
}

ossa_status command_match_vertices(
	command_run *run, const ossa_mesh *rest, const ossa_frames *frames, const ossa_rig *rig, uint32_t *match)
{
	matching m = {.run = run, .rest = rest, .rig = rig, .frames = frames, .match = match};
	m.diagonal = sqrt(diagonal2(rest));
	if (same_order(rest, rig->mesh, MATCH_TOLERANCE * MATCH_TOLERANCE * m.diagonal * m.diagonal)) {
		for (size_t v = 0; v < rest->vertex_count; v++) match[v] = (uint32_t)v;
		return OSSA_OK;
	}
	m.tree = (median_tree){rig->mesh, ossa_alloc(run->context, rig->mesh->vertex_count, sizeof *m.tree.order)};
	bool *used = ossa_alloc(run->context, rest->vertex_count, sizeof *used);
	ossa_status status = OSSA_ERROR_MEMORY;
	if (m.tree.order && used) status = match_with_tree(&m, used);
	ossa_free(run->context, m.tree.order);
	ossa_free(run->context, used);
	return status;
}

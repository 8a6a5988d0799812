/* medial/tree_trim.c: see tree_trim.h. */
#include "medial/tree_trim.h"

#include <ossa/mesh.h>
#include <stdlib.h>

/* a branch that ends, and how far it comes out of the rest */
typedef struct branch {
	double out;
	double least; /* how far it has to */
	uint32_t branching, leaf;
} branch;

typedef struct trimming {
	ossai_curve *curve;
	double reach, least, slender;
	uint32_t *start, *neighbor;
	uint32_t *branch_of; /* C: the leaf whose branch a node is on; OSSA_NONE */
	branch *branches;
	size_t count;
} trimming;

/* marks the nodes from a leaf to the branching before it; false where the curve is a path */
static bool follow(trimming *t, uint32_t leaf)
{
	uint32_t from = OSSA_NONE, node = leaf;
	double radii = 0, count = 0;
	while (ossai_curve_degree(t->start, node) < 3) {
		if (node != leaf && ossai_curve_degree(t->start, node) == 1) return false;
		t->branch_of[node] = leaf;
		radii += t->curve->radius[node];
		count++;
		const uint32_t next = ossai_curve_onward(t->start, t->neighbor, from, node);
		from = node;
		node = next;
	}
	t->branches[t->count++] = (branch){-INFINITY, fmin(t->least, t->slender * radii / count), node, leaf};
	return true;
}

static double radius_at(const trimming *t, uint32_t node) { return t->curve->radius[node]; }

/* how far a ball comes out of the one of the rest that holds it best; negative where that is too little to count */
static double out_of_rest(const trimming *t, uint32_t node, const branch *b)
{
	const ossai_curve *curve = t->curve;
	double least = INFINITY;
	for (uint32_t i = 0; i < curve->node_count; i++) {
		if (t->branch_of[i] == b->leaf) continue;
		const double far = ossai_distance(curve->node[i], curve->node[node]) + radius_at(t, node) - radius_at(t, i);
		least = fmin(least, far - fmax(b->least, t->reach * radius_at(t, i)));
		if (least < 0) return least;
	}
	return least;
}

static int by_branching(const void *x, const void *y)
{
	const branch *a = x, *b = y;
	if (a->branching != b->branching) return a->branching < b->branching ? -1 : 1;
	if (a->out != b->out) return a->out < b->out ? -1 : 1;
	return a->leaf < b->leaf ? -1 : a->leaf > b->leaf;
}

/* measures all branches: from the leaf inwards, until one ball is enough */
static void measure(trimming *t)
{
	for (size_t i = 0; i < t->count; i++) {
		branch *b = &t->branches[i];
		uint32_t from = OSSA_NONE, node = b->leaf;
		while (node != b->branching && b->out < 0) {
			b->out = fmax(b->out, out_of_rest(t, node, b));
			const uint32_t next = ossai_curve_onward(t->start, t->neighbor, from, node);
			from = node;
			node = next;
		}
	}
}

static ossa_status begin(ossai_arena *scratch, trimming *t)
{
	const size_t count = t->curve->node_count;
	OSSAI_TRY(ossai_curve_neighbors(scratch, t->curve, &t->start, &t->neighbor));
	t->branch_of = ossai_arena_new(scratch, count, sizeof *t->branch_of);
	t->branches = ossai_arena_new(scratch, count, sizeof *t->branches);
	if (!t->branch_of || !t->branches) return ossa_context_error(scratch->context)->status;
	for (size_t i = 0; i < count; i++) t->branch_of[i] = OSSA_NONE;
	for (uint32_t i = 0; i < count; i++) {
		if (ossai_curve_degree(t->start, i) == 1 && !follow(t, i)) t->count = 0;
	}
	measure(t);
	qsort(t->branches, t->count, sizeof *t->branches, by_branching);
	return OSSA_OK;
}

/* takes the branch that comes out least from each branching that keeps two ways without it: what was covered by it may come out then, and is
   measured anew */
static ossa_status trim_once(ossai_arena *arena, ossai_arena *scratch, trimming *t, bool *changed)
{
	OSSAI_TRY(begin(scratch, t));
	uint32_t *into = ossai_arena_new(scratch, t->curve->node_count, sizeof *into);
	if (!into) return ossa_context_error(arena->context)->status;
	for (uint32_t i = 0; i < t->curve->node_count; i++) into[i] = i;
	*changed = false;
	for (size_t i = 0; i < t->count; i++) {
		const branch *b = &t->branches[i];
		if (b->out >= 0 || (i > 0 && t->branches[i - 1].branching == b->branching)) continue;
		for (uint32_t node = 0; node < t->curve->node_count; node++) {
			if (t->branch_of[node] == b->leaf) into[node] = b->branching;
		}
		*changed = true;
	}
	return *changed ? ossai_curve_merge(arena, into, t->curve) : OSSA_OK;
}

ossa_status ossai_tree_trim(ossai_arena *arena, double reach, double least, double slender, ossai_curve *curve)
{
	ossa_status status = OSSA_OK;
	for (bool changed = true; status == OSSA_OK && changed;) {
		ossai_arena scratch = ossai_arena_begin(arena->context);
		trimming t = {.curve = curve, .reach = reach, .least = least, .slender = slender};
		status = trim_once(arena, &scratch, &t, &changed);
		ossai_arena_end(&scratch);
	}
	return status;
}

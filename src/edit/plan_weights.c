/* edit/plan_weights.c: the weights of a planned rig: copied or split.

   Place in the path: part of plan.c.
   Input: weights of the old bones.
   Output: the same vertices' of the new bones. */
#include "edit/plan_parts.h"

#include "rig/weight_pairs.h"

#include <string.h>

enum { PAIRS_MAX = 64 }; /* of a vertex */

/* where both parts do not fit the larger takes the weight: both move alike */
static void join_parts(ossai_weight_pairs *pairs, uint32_t part, uint32_t half)
{
	size_t a = SIZE_MAX, b = SIZE_MAX;
	for (size_t i = 0; i < pairs->count; i++) {
		if (pairs->bone[i] == part) a = i;
		if (pairs->bone[i] == half) b = i;
	}
	if (a == SIZE_MAX || b == SIZE_MAX) return;
	const size_t kept = pairs->value[a] >= pairs->value[b] ? a : b, gone = kept == a ? b : a;
	pairs->value[kept] += pairs->value[gone];
	pairs->count--;
	pairs->bone[gone] = pairs->bone[pairs->count];
	pairs->value[gone] = pairs->value[pairs->count];
}

/* rounding of many edits must not add up */
static void normalise(ossai_weight_pairs *pairs)
{
	static const double WRONG = 2e-7;
	double sum = 0;
	for (size_t i = 0; i < pairs->count; i++) sum += (double)(float)pairs->value[i];
	if (fabs(sum - 1) <= WRONG) return;
	for (size_t i = 0; i < pairs->count; i++) pairs->value[i] /= sum;
}

static void move_vertex(const ossai_replan *r, size_t vertex, ossa_weights *w)
{
	const ossai_tree_plan *plan = r->plan;
	const size_t width = (size_t)w->influences, from = vertex * width;
	ossai_weight_pairs pairs;
	pairs.count = 0;
	const uint32_t half = plan->share ? r->rank[plan->half] : OSSA_NONE;
	uint32_t part = OSSA_NONE;
	for (size_t k = from; k < from + width; k++) {
		const double value = (double)w->values[k];
		if (!(value > 0)) continue;
		const uint32_t to = r->rank[plan->successor[w->bones[k]]];
		const double share = plan->share && plan->divided == w->bones[k] ? (double)plan->share[vertex] : 0;
		if (share > 0) ossai_weight_pairs_add(&pairs, half, share * value);
		if (share > 0) part = to;
		if (share < 1) ossai_weight_pairs_add(&pairs, to, (1 - share) * value);
	}
	if (pairs.count > width) join_parts(&pairs, part, half);
	normalise(&pairs);
	ossai_weight_pairs_sort(&pairs);
	ossai_weight_pairs_store(&pairs, pairs.count, 1, w, vertex);
}

ossa_status ossai_replan_weights(const ossai_replan *r, ossa_weights *weights)
{
	if (weights->influences > PAIRS_MAX) {
		return ossai_fail(r->arena->context, OSSA_ERROR_LIMIT, NULL,
			"%d weights a vertex are more than the %d that can be edited", weights->influences, (int)PAIRS_MAX);
	}
	for (size_t v = 0; v < weights->vertex_count; v++) move_vertex(r, v, weights);
	return OSSA_OK;
}

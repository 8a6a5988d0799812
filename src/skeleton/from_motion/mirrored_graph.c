/* skeleton/from_motion/mirrored_graph.c: see mirrored_graph.h. */
#include "skeleton/from_motion/mirrored_graph.h"

#include <stdlib.h>

static int compare_pairs(const void *left, const void *right)
{
	const ossai_bone_pair *a = left, *b = right;
	if (a->a != b->a) return a->a < b->a ? -1 : 1;
	return a->b < b->b ? -1 : a->b > b->b;
}

static ossai_bone_pair pair_of(uint32_t a, uint32_t b) { return (ossai_bone_pair){.a = a < b ? a : b, .b = a < b ? b : a}; }

uint32_t ossai_bone_graph_find(const ossai_bone_graph *graph, uint32_t a, uint32_t b)
{
	const ossai_bone_pair key = pair_of(a, b);
	const ossai_bone_pair *found = bsearch(&key, graph->pairs, graph->pair_count, sizeof key, compare_pairs);
	return found ? (uint32_t)(found - graph->pairs) : OSSA_NONE;
}

/* half of what a pair has, with the prior where the pair or its image has it */
static ossai_bone_pair half_of(const ossai_bone_pair *from, uint32_t a, uint32_t b, ossai_vec3 prior)
{
	ossai_bone_pair half = pair_of(a, b);
	half.mass = 0.5 * from->mass;
	half.shared = 0.5 * from->shared;
	half.contact = 0.5 * from->contact;
	half.prior = prior;
	return half;
}

/* both by what they share, or by their contact where neither shares a vertex */
static void add_half(const ossai_bone_pair *half, ossai_bone_pair *to)
{
	const double own = to->shared + half->shared > 0 ? to->shared : to->contact;
	const double other = to->shared + half->shared > 0 ? half->shared : half->contact;
	to->prior = ossai_scale(ossai_add(ossai_scale(to->prior, own), ossai_scale(half->prior, other)), 1 / (own + other));
	to->mass += half->mass;
	to->shared += half->shared;
	to->contact += half->contact;
}

/* halves of every pair and its image, and pairs of central bones; returns how many */
static size_t list_halves(const ossai_symmetry *s, const ossai_bone_graph *graph, ossai_bone_pair *list)
{
	size_t count = 0;
	for (size_t i = 0; i < graph->pair_count; i++) {
		const ossai_bone_pair *p = &graph->pairs[i];
		const bool is_lone = ossai_is_lone(s, p->a) || ossai_is_lone(s, p->b);
		const uint32_t a = is_lone ? p->a : s->image[p->a], b = is_lone ? p->b : s->image[p->b];
		list[count++] = half_of(p, p->a, p->b, p->prior);
		list[count++] = half_of(p, a, b, is_lone ? p->prior : ossai_mirror_point(&s->plane, p->prior));
	}
	for (uint32_t a = 0; a < graph->bone_count; a++) {
		for (uint32_t b = a + 1; b < graph->bone_count; b++) {
			if (!ossai_is_central(s, a) || !ossai_is_central(s, b) || ossai_bone_graph_find(graph, a, b) != OSSA_NONE) continue;
			list[count] = pair_of(a, b);
			list[count++].prior = ossai_scale(ossai_add(graph->center[a], graph->center[b]), 0.5);
		}
	}
	return count;
}

ossa_status ossai_bone_graph_mirror(ossai_arena *arena, const ossai_symmetry *s, ossai_bone_graph *graph)
{
	size_t central = 0, count = 0;
	for (uint32_t b = 0; b < graph->bone_count; b++) central += ossai_is_central(s, b);
	ossai_bone_pair *list = ossai_arena_new(arena, 2 * graph->pair_count + central * central, sizeof *list);
	if (!list) return ossa_context_error(arena->context)->status;
	const size_t halves = list_halves(s, graph, list);
	if (halves > 0) qsort(list, halves, sizeof *list, compare_pairs);
	for (size_t i = 0; i < halves; i++) {
		if (count > 0 && compare_pairs(&list[count - 1], &list[i]) == 0) add_half(&list[i], &list[count - 1]);
		else list[count++] = list[i];
	}
	graph->pairs = list;
	graph->pair_count = count;
	ossai_share_joints(s, graph->bone_count, graph->center);
	return OSSA_OK;
}

void ossai_pair_joints_mirror(const ossai_symmetry *s, const ossai_bone_graph *graph, ossai_joint *joint_of_pair)
{
	for (uint32_t i = 0; i < graph->pair_count; i++) {
		const ossai_bone_pair *p = &graph->pairs[i];
		if (ossai_is_lone(s, p->a) || ossai_is_lone(s, p->b)) continue;
		const uint32_t other = ossai_bone_graph_find(graph, s->image[p->a], s->image[p->b]);
		if (other < i) continue;
		ossai_vec3 *own = &joint_of_pair[i].position, *image = &joint_of_pair[other].position;
		*own = ossai_scale(ossai_add(*own, ossai_mirror_point(&s->plane, *image)), 0.5);
		*image = other == i ? *own : ossai_mirror_point(&s->plane, *own);
		joint_of_pair[other].residual = joint_of_pair[i].residual;
		joint_of_pair[other].prior_distance = joint_of_pair[i].prior_distance;
	}
}

/* skeleton/from_curve/limb_weights.c: see limb_weights.h. */
#include "skeleton/from_curve/limb_weights.h"

#include "skeleton/tree_chains.h"

/* which bones are of different limbs */
typedef struct parting {
	ossai_tree_chains chains;
	const uint32_t *depth;
	size_t cut_count;
	const ossai_cut_sides *sides;
} parting;

/* the weights of the current vertex; capacity for every bone */
typedef struct blend {
	uint32_t *bone;
	double *value, *loss;
	size_t count;
} blend;

/* whether a cut between the bones' limbs makes the path from one to the other shorter than through
   the tree; limbs that were cut where both begin meet only there */
static bool meet_at_cut(const parting *p, uint32_t one, uint32_t other)
{
	const uint32_t *parent = p->chains.parent, *chain = p->chains.chain;
	for (size_t i = 0; i < 2 * p->cut_count; i++) {
		const uint32_t a = p->sides[i / 2].bones[i % 2], b = p->sides[i / 2].bones[1 - i % 2];
		if (chain[a] != chain[one] || chain[b] != chain[other] || parent[a] == parent[b]) continue;
		const size_t over = ossai_tree_steps(parent, p->depth, one, a) + 1 + ossai_tree_steps(parent, p->depth, b, other);
		if (over < ossai_tree_steps(parent, p->depth, one, other)) return true;
	}
	return false;
}

static bool are_apart(const parting *p, uint32_t one, uint32_t other)
{
	return ossai_bones_apart(&p->chains, one, other) && !meet_at_cut(p, one, other);
}

static bool holds_apart(const parting *p, const ossai_bone_weights *weights, size_t vertex)
{
	const uint16_t *bone = weights->bone + vertex * weights->width;
	for (size_t i = 1; i < weights->count[vertex]; i++) {
		for (size_t j = 0; j < i; j++) {
			if (are_apart(p, bone[i], bone[j])) return true;
		}
	}
	return false;
}

/* the weight that every bone returns: as much as bones of other limbs have; whether any does */
static bool find_losses(const parting *p, blend *b)
{
	bool any = false;
	for (size_t i = 0; i < b->count; i++) {
		double rival = 0; /* the largest of those of other limbs */
		for (size_t j = 0; j < b->count; j++) {
			if (b->value[j] > rival && are_apart(p, b->bone[i], b->bone[j])) rival = b->value[j];
		}
		b->loss[i] = rival < b->value[i] ? rival : b->value[i];
		any = any || b->loss[i] > 0;
	}
	return any;
}

static void give(blend *b, uint32_t bone, double value)
{
	size_t slot = 0;
	while (slot < b->count && b->bone[slot] != bone) slot++;
	if (slot == b->count) {
		b->bone[b->count] = bone;
		b->value[b->count] = 0;
		b->loss[b->count++] = 0;
	}
	b->value[slot] += value;
}

/* bones of limbs have parents */
static void pass_on(const parting *p, blend *b)
{
	const size_t count = b->count;
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		if (!(b->loss[i] > 0)) continue;
		b->value[i] -= b->loss[i];
		give(b, p->chains.parent[b->bone[i]], b->loss[i]);
	}
	for (size_t i = 0; i < b->count; i++) {
		if (!(b->value[i] > 0)) continue;
		b->bone[kept] = b->bone[i];
		b->value[kept++] = b->value[i];
	}
	b->count = kept;
}

static void part_vertex(const parting *p, size_t vertex, blend *b, ossai_bone_weights *weights)
{
	const size_t at = vertex * weights->width;
	b->count = weights->count[vertex];
	for (size_t i = 0; i < b->count; i++) {
		b->bone[i] = weights->bone[at + i];
		b->value[i] = weights->value[at + i];
	}
	/* every round removes one of two bones of different limbs and moves weight towards the root */
	while (find_losses(p, b)) pass_on(p, b);
	ossai_bone_weights_take(weights, vertex, b->count, b->bone, b->value);
}

ossa_status ossai_limb_weights_part(
	ossa_context *context, const ossai_tree *tree, size_t cut_count, const ossai_cut_sides *sides, ossai_bone_weights *weights)
{
	ossai_arena scratch = ossai_arena_begin(context);
	parting p = {.cut_count = cut_count, .sides = sides};
	blend b = {.bone = ossai_arena_new(&scratch, tree->bone_count, sizeof *b.bone),
		.value = ossai_arena_new(&scratch, tree->bone_count, sizeof *b.value),
		.loss = ossai_arena_new(&scratch, tree->bone_count, sizeof *b.loss)};
	p.depth = ossai_tree_depths(&scratch, tree);
	ossa_status status = b.bone && b.value && b.loss && p.depth ? OSSA_OK : ossa_context_error(context)->status;
	if (status == OSSA_OK) status = ossai_tree_chains_find(&scratch, tree->bone_count, tree->parent, tree->order, &p.chains);
	for (size_t v = 0; status == OSSA_OK && p.chains.limb_count > 1 && v < weights->vertex_count; v++) {
		if (holds_apart(&p, weights, v)) part_vertex(&p, v, &b, weights);
	}
	ossai_arena_end(&scratch);
	return status;
}

/* skeleton/limb_weights.c: see limb_weights.h. */
#include "skeleton/limb_weights.h"

#include "skeleton/tree_chains.h"

/* what is less than this of a vertex is rounding */
static const double least_weight = 1e-5;

/* the weights of one vertex at work; room for every bone */
typedef struct blend {
	uint32_t *bone;
	double *value, *loss;
	size_t count;
} blend;

static bool holds_apart(const ossai_chains *chains, const ossai_bone_weights *weights, size_t vertex)
{
	const uint16_t *bone = weights->bone + vertex * weights->width;
	for (size_t i = 1; i < weights->count[vertex]; i++) {
		for (size_t j = 0; j < i; j++) {
			if (ossai_bones_apart(chains, bone[i], bone[j])) return true;
		}
	}
	return false;
}

/* what every bone gives away: as much as is apart from it; whether any does */
static bool find_losses(const ossai_chains *chains, blend *b)
{
	bool any = false;
	for (size_t i = 0; i < b->count; i++) {
		double rival = 0; /* the largest of those that are apart */
		for (size_t j = 0; j < b->count; j++) {
			if (b->value[j] > rival && ossai_bones_apart(chains, b->bone[i], b->bone[j])) rival = b->value[j];
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
static void pass_on(const ossai_chains *chains, blend *b)
{
	const size_t count = b->count;
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		if (!(b->loss[i] > 0)) continue;
		b->value[i] -= b->loss[i];
		give(b, chains->parent[b->bone[i]], b->loss[i]);
	}
	for (size_t i = 0; i < b->count; i++) {
		if (!(b->value[i] > 0)) continue;
		b->bone[kept] = b->bone[i];
		b->value[kept++] = b->value[i];
	}
	b->count = kept;
}

/* the largest first, equal ones by bone */
static void take_largest(blend *b, size_t vertex, ossai_bone_weights *weights)
{
	const size_t at = vertex * weights->width;
	double total = 0;
	size_t taken = 0;
	for (; taken < weights->width && taken < b->count; taken++) {
		size_t best = taken;
		for (size_t i = taken + 1; i < b->count; i++) {
			const bool larger = b->value[i] > b->value[best];
			if (larger || (b->value[i] == b->value[best] && b->bone[i] < b->bone[best])) best = i;
		}
		if (taken > 0 && b->value[best] < least_weight) break;
		const uint32_t bone = b->bone[best];
		const double value = b->value[best];
		b->bone[best] = b->bone[taken];
		b->value[best] = b->value[taken];
		weights->bone[at + taken] = (uint16_t)bone;
		weights->value[at + taken] = value;
		total += value;
	}
	for (size_t i = 0; i < taken; i++) weights->value[at + i] /= total;
	weights->count[vertex] = (uint8_t)taken;
}

static void part_vertex(const ossai_chains *chains, size_t vertex, blend *b, ossai_bone_weights *weights)
{
	const size_t at = vertex * weights->width;
	b->count = weights->count[vertex];
	for (size_t i = 0; i < b->count; i++) {
		b->bone[i] = weights->bone[at + i];
		b->value[i] = weights->value[at + i];
	}
	/* every round leaves one of two that are apart and moves weight towards the root */
	while (find_losses(chains, b)) pass_on(chains, b);
	take_largest(b, vertex, weights);
}

ossa_status ossai_limb_weights_part(ossa_context *context, const ossai_tree *tree, ossai_bone_weights *weights)
{
	ossai_arena scratch = ossai_arena_begin(context);
	ossai_chains chains;
	blend b = {.bone = ossai_arena_new(&scratch, tree->bone_count, sizeof *b.bone),
		.value = ossai_arena_new(&scratch, tree->bone_count, sizeof *b.value),
		.loss = ossai_arena_new(&scratch, tree->bone_count, sizeof *b.loss)};
	ossa_status status = b.bone && b.value && b.loss ? OSSA_OK : ossa_context_error(context)->status;
	if (status == OSSA_OK) status = ossai_chains_find(&scratch, tree->bone_count, tree->parent, tree->order, &chains);
	for (size_t v = 0; status == OSSA_OK && chains.limb_count > 1 && v < weights->vertex_count; v++) {
		if (holds_apart(&chains, weights, v)) part_vertex(&chains, v, &b, weights);
	}
	ossai_arena_end(&scratch);
	return status;
}

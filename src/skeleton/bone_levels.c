/* skeleton/bone_levels.c: see bone_levels.h.

   The rotation of a joint moves its descendants by an amount proportional to their extent. Where a
   joint close above it rotates instead, the error is proportional to the distance of the two
   joints. The smaller of both is the cost of removing the joint from a chain; a limb beside others
   has no joint that could replace its own. */
#include "skeleton/bone_levels.h"

#include <ossa/mesh.h>

typedef struct thinning {
	const ossai_tree *tree;
	const ossai_vec3 *joint, *tail;
	uint32_t *above;    /* B: nearest ancestor that is left */
	uint32_t *children; /* B: number of children that are left */
	double *reach;      /* B: length of the longest path from the joint to a leaf */
	uint8_t *is_there;
	size_t left;
} thinning;

static ossa_status begin(ossai_arena *scratch, thinning *t)
{
	const size_t count = t->tree->bone_count;
	t->above = ossai_arena_new(scratch, count, sizeof *t->above);
	t->children = ossai_arena_zero(scratch, count, sizeof *t->children);
	t->reach = ossai_arena_new(scratch, count, sizeof *t->reach);
	t->is_there = ossai_arena_new(scratch, count, 1);
	if (!t->above || !t->children || !t->reach || !t->is_there) return ossa_context_error(scratch->context)->status;
	for (size_t b = 0; b < count; b++) {
		t->above[b] = t->tree->parent[b];
		t->reach[b] = ossai_distance(t->joint[b], t->tail[b]);
		t->is_there[b] = 1;
		if (t->above[b] != OSSA_NONE) t->children[t->above[b]]++;
	}
	for (size_t i = count; i-- > 1;) {
		const uint32_t bone = t->tree->order[i], parent = t->tree->parent[bone];
		const double length = ossai_distance(t->joint[parent], t->joint[bone]) + t->reach[bone];
		if (length > t->reach[parent]) t->reach[parent] = length;
	}
	t->left = count;
	return OSSA_OK;
}

static double loss_of(const thinning *t, uint32_t bone)
{
	const uint32_t parent = t->above[bone];
	if (t->children[parent] > 1) return t->reach[bone];
	return fmin(t->reach[bone], ossai_distance(t->joint[bone], t->joint[parent]));
}

/* the bone of least cost, of pairs the cost of both; OSSA_NONE where only the root is left */
static uint32_t least_cost(const thinning *t, const uint32_t *mirrored)
{
	uint32_t best = OSSA_NONE;
	double least = INFINITY;
	for (uint32_t b = 0; b < t->tree->bone_count; b++) {
		if (!t->is_there[b] || b == t->tree->root) continue;
		const uint32_t other = mirrored ? mirrored[b] : OSSA_NONE;
		double loss = loss_of(t, b);
		if (other != OSSA_NONE && other != t->tree->root && t->is_there[other]) loss = fmax(loss, loss_of(t, other));
		if (loss >= least) continue;
		least = loss;
		best = b;
	}
	return best;
}

static void leave_out(thinning *t, uint32_t bone, uint8_t level, uint8_t *last_level)
{
	if (bone == OSSA_NONE || bone == t->tree->root || !t->is_there[bone]) return;
	const uint32_t parent = t->above[bone];
	t->is_there[bone] = 0;
	t->left--;
	last_level[bone] = level;
	t->children[parent] += t->children[bone] - 1;
	for (size_t b = 0; b < t->tree->bone_count; b++) {
		if (t->above[b] == bone) t->above[b] = parent;
	}
}

ossa_status ossai_bone_levels(ossai_arena *scratch, const ossai_tree *tree, const ossai_vec3 *joint, const ossai_vec3 *tail,
	const uint32_t *mirrored, size_t levels, uint8_t *last_level)
{
	thinning t = {.tree = tree, .joint = joint, .tail = tail};
	OSSAI_TRY(begin(scratch, &t));
	for (size_t b = 0; b < tree->bone_count; b++) last_level[b] = (uint8_t)(levels - 1);
	size_t wanted = tree->bone_count;
	for (uint8_t level = 0; (size_t)level + 1 < levels; level++) {
		wanted = (wanted + 1) / 2;
		while (t.left > wanted) {
			const uint32_t bone = least_cost(&t, mirrored);
			const uint32_t other = mirrored ? mirrored[bone] : OSSA_NONE;
			leave_out(&t, bone, level, last_level);
			leave_out(&t, other, level, last_level);
		}
	}
	return OSSA_OK;
}

/* methods/moving_idle.c: bones that move nothing and hold nothing are left out.

   Place in the path: hierarchy, weights by shape -> here -> free bones, the rig.
   Bones that all move skin while they are free may lose it to their neighbours once they are joined, or once weights go by where bones
   are. At an end of the tree such a bone is only in the way of who animates; between others it is a pivot, and stays. */
#include "methods/moving.h"

#include "motion/prune.h"

#include <string.h>

typedef struct ends {
	uint8_t *idle;      /* B: moves no vertex */
	uint8_t *going;     /* B */
	uint32_t *children; /* B: that stay */
} ends;

static void mark_idle(const ossai_moving_work *m, uint8_t *idle)
{
	const ossai_bone_weights *w = &m->fit.weights;
	memset(idle, 1, w->bone_count);
	for (size_t v = 0; v < w->vertex_count; v++) {
		for (size_t i = 0; m->surface.used[v] && i < w->count[v]; i++) {
			if (w->value[v * w->width + i] > OSSAI_IDLE_WEIGHT) idle[w->bone[v * w->width + i]] = 0;
		}
	}
}

/* from the leaves on, then from the root while it holds one bone alone, which is the root without it; returns how many go */
static size_t mark_ends(ossai_tree *tree, ends *e)
{
	size_t count = 0;
	for (size_t i = tree->bone_count; i-- > 1;) {
		const uint32_t b = tree->order[i];
		e->going[b] = e->idle[b] && e->children[b] == 0;
		count += e->going[b];
		e->children[tree->parent[b]] += !e->going[b];
	}
	for (size_t i = 0; i + 1 < tree->bone_count && e->idle[tree->root] && e->children[tree->root] == 1; i++) {
		uint32_t heir = tree->order[1];
		for (size_t at = 1; tree->parent[heir] != tree->root || e->going[heir]; at++) heir = tree->order[at];
		e->going[tree->root] = 1;
		tree->parent[heir] = tree->pair[heir] = OSSA_NONE;
		tree->root = heir;
		count++;
	}
	return count;
}

/* the last bone takes the number of the one that is gone, as in the fits */
static void strike_from_tree(ossai_tree *tree, ossai_vec3 *joint, const uint8_t *going)
{
	for (uint32_t b = (uint32_t)tree->bone_count; b-- > 0;) {
		if (!going[b]) continue;
		const uint32_t last = (uint32_t)--tree->bone_count;
		tree->parent[b] = tree->parent[last];
		tree->pair[b] = tree->pair[last];
		joint[b] = joint[last];
		for (size_t i = 0; i < tree->bone_count; i++) {
			if (tree->parent[i] == last) tree->parent[i] = b;
		}
		if (tree->root == last) tree->root = b;
	}
	ossai_tree_sort(tree);
}

static ossa_status strike(ossai_moving_work *m, const uint8_t *going)
{
	strike_from_tree(&m->tree, m->joint, going);
	ossai_fit_strike(&m->fit, going);
	if (m->has_free_weights) return ossai_fit_remove(&m->free_fit, going);
	ossai_fit_strike(&m->free_fit, going);
	return OSSA_OK;
}

ossa_status ossai_moving_drop_ends(ossai_moving_work *m)
{
	const size_t bones = m->tree.bone_count;
	ends e = {ossai_arena_new(m->arena, bones, sizeof *e.idle), ossai_arena_zero(m->arena, bones, sizeof *e.going),
		ossai_arena_zero(m->arena, bones, sizeof *e.children)};
	if (!e.idle || !e.going || !e.children) return ossa_context_error(m->context)->status;
	mark_idle(m, e.idle);
	const size_t count = mark_ends(&m->tree, &e);
	if (count > 0) OSSAI_TRY(strike(m, e.going));
	m->dropped += count;
	if (m->dropped == 0) return OSSA_OK;
	ossai_warn(m->context, "fewer-bones", (int64_t)m->dropped,
		"%zu of %zu bones would move no vertex and %s left out: what is left follows the poses as well without %s", m->dropped,
		m->dropped + m->tree.bone_count, m->dropped == 1 ? "was" : "were", m->dropped == 1 ? "it" : "them");
	return OSSA_OK;
}

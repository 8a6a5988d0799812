/* methods/moving_idle.c: removes bones that move no vertex and have no children.

   Place in the path: hierarchy, weights by shape -> here -> free bones, the rig.
   Free bones that all move some skin may lose it to their neighbours when they are connected, or
   when weights follow from the positions of bones. At an end of the tree such a bone is of no use
   to an animator; between others it is a pivot, and stays. */
#include "methods/moving.h"

#include "motion/prune.h"
#include "weights/symmetry.h"

#include <string.h>

typedef struct ends {
	uint8_t *idle;      /* B: moves no vertex */
	uint8_t *removed;   /* B */
	uint32_t *children; /* B: those that stay */
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

/* from the leaves, then from the root while it has one child, which becomes the root; returns how
   many are removed */
static size_t mark_ends(ossai_tree *tree, ends *e)
{
	size_t count = 0;
	for (size_t i = tree->bone_count; i-- > 1;) {
		const uint32_t b = tree->order[i];
		e->removed[b] = e->idle[b] && e->children[b] == 0;
		count += e->removed[b];
		e->children[tree->parent[b]] += !e->removed[b];
	}
	for (size_t i = 0; i + 1 < tree->bone_count && e->idle[tree->root] && e->children[tree->root] == 1; i++) {
		uint32_t heir = tree->order[1];
		for (size_t at = 1; tree->parent[heir] != tree->root || e->removed[heir]; at++) heir = tree->order[at];
		e->removed[tree->root] = 1;
		tree->parent[heir] = tree->pair[heir] = OSSA_NONE;
		tree->root = heir;
		count++;
	}
	return count;
}

/* the last bone takes the number of the removed one, as in the fits */
static void remove_from_tree(const ossai_moving_work *m, ossai_tree *tree, const uint8_t *removed)
{
	for (uint32_t b = (uint32_t)tree->bone_count; b-- > 0;) {
		if (!removed[b]) continue;
		const uint32_t last = (uint32_t)--tree->bone_count;
		tree->parent[b] = tree->parent[last];
		tree->pair[b] = tree->pair[last];
		m->joint[b] = m->joint[last];
		if (m->anchor) m->anchor[b] = m->anchor[last];
		if (m->deviation) m->deviation[b] = m->deviation[last];
		if (m->named) m->named[b] = m->named[last];
		for (size_t i = 0; i < tree->bone_count; i++) {
			if (tree->parent[i] == last) tree->parent[i] = b;
		}
		if (tree->root == last) tree->root = b;
	}
	ossai_tree_sort(tree);
}

ossa_status ossai_moving_remove_bones(ossai_moving_work *m, const uint8_t *removed)
{
	const size_t bones = m->tree.bone_count;
	remove_from_tree(m, &m->tree, removed);
	ossai_fit_strike(&m->fit, removed);
	if (m->has_free_weights) OSSAI_TRY(ossai_fit_remove(&m->free_fit, removed));
	else ossai_fit_strike(&m->free_fit, removed);
	size_t last = bones - 1;
	for (size_t b = bones; b-- > 0;) {
		if (removed[b]) ossai_symmetry_renumber(m->surface.symmetry, b, last--);
	}
	return OSSA_OK;
}

ossa_status ossai_moving_drop_ends(ossai_moving_work *m)
{
	const size_t bones = m->tree.bone_count;
	ends e = {ossai_arena_new(m->arena, bones, sizeof *e.idle), ossai_arena_zero(m->arena, bones, sizeof *e.removed),
		ossai_arena_zero(m->arena, bones, sizeof *e.children)};
	if (!e.idle || !e.removed || !e.children) return ossa_context_error(m->context)->status;
	mark_idle(m, e.idle);
	const size_t count = mark_ends(&m->tree, &e);
	if (count > 0) OSSAI_TRY(ossai_moving_remove_bones(m, e.removed));
	m->dropped += count;
	if (m->dropped == 0) return OSSA_OK;
	ossai_warn(m->context, "fewer-bones", (int64_t)m->dropped,
		"%zu of %zu bones would move no vertex and %s left out: the rig follows the poses as well without %s", m->dropped,
		m->dropped + m->tree.bone_count, m->dropped == 1 ? "was" : "were", m->dropped == 1 ? "it" : "them");
	return OSSA_OK;
}

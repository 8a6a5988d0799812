/* edit/solve_weights.c: the weights of vertices near some bones, for given motions: no vertex can
   be improved, and the support of every bone is connected in each piece.

   Place in the path: solve_moving -> here -> solve_store. */
#include "edit/solve_work.h"

#include "weights/locality.h"
#include "weights/coordinate_descent.h"

#include <string.h>

static void mark_around(const ossai_posed_surface *s, size_t v, uint8_t *pending)
{
	pending[v] = 1;
	for (uint32_t e = s->adjacency.vertex_start[v]; e < s->adjacency.vertex_start[v + 1]; e++) {
		pending[s->adjacency.vertex_neighbor[e]] = 1;
	}
}

/* vertices that a marked bone moves, and those next to them */
static void mark_vertices(const ossai_solve_work *w, const uint8_t *marked, uint8_t *pending)
{
	for (size_t v = 0; v < w->surface->vertex_count; v++) {
		bool any = w->surface->used[v] && w->weights.count[v] == 0;
		for (size_t i = 0; i < w->weights.count[v]; i++) any = any || marked[w->weights.bone[v * w->weights.width + i]];
		if (any) mark_around(w->surface, v, pending);
	}
}

/* bones whose patches may have changed: the marked ones, and those of vertices that
   changed */
static void mark_open(const ossai_solve_work *w, const uint8_t *marked, uint8_t *open)
{
	const size_t width = w->weights.width;
	memcpy(open, marked, w->bones);
	for (size_t v = 0; v < w->surface->vertex_count; v++) {
		if (!w->changed[v]) continue;
		for (size_t i = 0; i < w->before.count[v]; i++) open[w->before.bone[v * width + i]] = 1;
		for (size_t i = 0; i < w->weights.count[v]; i++) open[w->weights.bone[v * width + i]] = 1;
	}
	for (size_t b = 0; b < w->bones && w->bounds->weights_locked; b++) open[b] &= !w->bounds->weights_locked[b];
}

/* the remaining weights compensate for removed ones; locked ones stay */
static void fill_up(const ossai_solve_work *w, size_t v)
{
	const ossai_bone_weights *weights = &w->weights;
	double left = 1, sum = 0;
	for (size_t i = v * weights->width; i < v * weights->width + weights->count[v]; i++) {
		if (w->bounds->weights_locked && w->bounds->weights_locked[weights->bone[i]]) left -= weights->value[i];
		else sum += weights->value[i];
	}
	for (size_t i = v * weights->width; i < v * weights->width + weights->count[v]; i++) {
		if (!w->bounds->weights_locked || !w->bounds->weights_locked[weights->bone[i]]) weights->value[i] *= left / sum;
	}
}

/* Whether a vertex has other bones for the weight that is removed: those left there, unless locked,
   or those that the solver finds. */
static bool can_cut(const ossai_solve_work *w, const uint8_t *scattered, size_t v, bool is_closed)
{
	const ossai_bone_weights *weights = &w->weights;
	size_t locked = 0, others = 0;
	double lost = 0;
	for (size_t i = v * weights->width; i < v * weights->width + weights->count[v]; i++) {
		if (scattered[i]) lost += weights->value[i];
		else if (w->bounds->weights_locked && w->bounds->weights_locked[weights->bone[i]]) locked++;
		else others++;
	}
	if (others > 0) return true;
	/* the solver would find the same again */
	if (is_closed) return false;
	return locked == 0 || (locked < weights->width && lost >= 1.01 * OSSAI_DESCENT_LEAST);
}

/* patches that are cut off: scratch of ossai_solve_weights */
typedef struct cuts {
	uint8_t *open;      /* B */
	uint8_t *scattered; /* V x width */
	/* V: vertices that were cut once: what is cut from them again is gone, or the solver would find
	   it in every round */
	uint8_t *was_cut;
	uint8_t *closed; /* V: these */
} cuts;

/* false where nothing can be cut */
static bool cut(ossai_solve_work *w, cuts *c, uint8_t *pending)
{
	ossai_bone_weights *weights = &w->weights;
	bool any = false;
	for (size_t v = 0; v < weights->vertex_count; v++) {
		const size_t first = v * weights->width, count = weights->count[v];
		size_t kept = 0;
		if (w->fixed[v] || !can_cut(w, c->scattered, v, c->was_cut[v])) continue;
		for (size_t i = first; i < first + count; i++) {
			if (c->scattered[i]) continue;
			weights->bone[first + kept] = weights->bone[i];
			weights->value[first + kept++] = weights->value[i];
		}
		if (kept == count) continue;
		weights->count[v] = (uint8_t)kept;
		c->closed[v] = c->was_cut[v];
		c->was_cut[v] = w->changed[v] = 1;
		any = true;
		fill_up(w, v);
		mark_around(w->surface, v, pending);
	}
	return any;
}

static ossa_status finish(ossai_solve_work *w, const uint8_t *closed, uint8_t *pending)
{
	const ossai_descent_bounds bounds = {w->bounds->weights_locked, w->fixed, closed};
	const size_t poses = w->surface->pose_count, keys = w->keys->pose_count;
	for (size_t i = 0; w->key && i < w->bones * keys; i++) {
		w->key_motion.rigid[i] = w->motion.rigid[i / keys * poses + w->key[i % keys]];
	}
	const ossai_bone_motion *motion = w->key ? &w->key_motion : &w->motion;
	return ossai_weights_descend(w->context, w->keys, motion, &bounds, pending, w->changed, &w->weights);
}

ossa_status ossai_solve_weights(ossai_solve_work *w, const uint8_t *marked, uint8_t *pending, bool local)
{
	const size_t vertices = w->surface->vertex_count;
	cuts c = {ossai_arena_zero(w->arena, w->bones, 1), ossai_arena_new(w->arena, vertices, w->weights.width),
		ossai_arena_zero(w->arena, vertices, 1), ossai_arena_zero(w->arena, vertices, 1)};
	if (!c.open || !c.scattered || !c.was_cut || !c.closed) return ossa_context_error(w->context)->status;
	w->weights_solved = true;
	mark_vertices(w, marked, pending);
	OSSAI_TRY(finish(w, NULL, pending));
	/* each round takes bones from vertices, and from the second time on they do not come back */
	while (local) {
		size_t count;
		mark_open(w, marked, c.open);
		memset(c.scattered, 0, vertices * w->weights.width);
		OSSAI_TRY(ossai_locality_scattered(w->context, w->surface, &w->weights, c.open, c.scattered, &count));
		if (count == 0 || !cut(w, &c, pending)) break;
		OSSAI_TRY(finish(w, c.closed, pending));
	}
	return OSSA_OK;
}

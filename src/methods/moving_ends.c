/* methods/moving_ends.c: ends of the tree that are not worth a bone go.

   Place in the path: hierarchy, pivots -> here -> joints inside, the rig.
   How many bones stay is judged by what the free bones leave. A hierarchy leaves more, as its
   joints hold: an end that mends a little of the free bones' error may be lost in that. So ends are
   judged again by the error of the hierarchy, the one that is missed least first. Bones between
   others stay: their children would move. */
#include "methods/moving.h"

#include "motion/prune.h"
#include "weights/symmetry.h"

#include <string.h>

/* rounds of weights, joints and rotations after an end is removed */
enum { ROUNDS = 3 };

typedef struct ends {
	uint8_t *is_end; /* B */
	double *cost;    /* B: what the error would be larger by without the end; of a pair the mean */
} ends;

static uint32_t image_of(const ossai_moving_work *m, uint32_t bone) { return ossai_image_of(m->surface.symmetry, bone); }

/* ends whose image is one, too: both go, or none */
static void find_ends(const ossai_moving_work *m, uint8_t *is_end)
{
	const size_t bones = m->tree.bone_count;
	memset(is_end, 1, bones);
	for (uint32_t b = 0; b < bones; b++) {
		const uint32_t parent = m->tree.parent[b];
		if (parent == OSSA_NONE) is_end[b] = is_end[image_of(m, b)] = 0;
		else is_end[parent] = is_end[image_of(m, parent)] = 0;
	}
}

/* the end that is missed least; OSSA_NONE: there is none */
static ossa_status find_cheapest(ossai_moving_work *m, const ends *e, uint32_t *cheapest)
{
	find_ends(m, e->is_end);
	OSSAI_TRY(ossai_fit_costs(&m->fit, e->is_end, m->tree.parent, e->cost));
	*cheapest = OSSA_NONE;
	for (uint32_t b = 0; b < m->tree.bone_count; b++) {
		if (e->is_end[b] && (*cheapest == OSSA_NONE || e->cost[b] < e->cost[*cheapest])) *cheapest = b;
	}
	return OSSA_OK;
}

/* its parent takes the skin */
static void hand_over(uint32_t bone, uint32_t parent, ossai_bone_weights *w)
{
	for (size_t v = 0; v < w->vertex_count; v++) {
		uint16_t *bones = w->bone + v * w->width;
		double *values = w->value + v * w->width;
		size_t own = 0, above = 0;
		while (own < w->count[v] && bones[own] != bone) own++;
		while (above < w->count[v] && bones[above] != parent) above++;
		if (own == w->count[v]) continue;
		bones[own] = (uint16_t)parent;
		if (above == w->count[v]) continue;
		values[above] += values[own];
		bones[own] = bones[--w->count[v]];
		values[own] = values[w->count[v]];
	}
}

/* and weights, joints and rotations follow */
static ossa_status remove_end(ossai_moving_work *m, const ends *e, uint32_t bone)
{
	ossai_hierarchy hierarchy = {&m->tree, m->joint, m->surface.symmetry};
	const ossai_joint_rules joints = {.anchor = m->anchor, .hold = ossai_moving_hold(m)};
	const uint32_t both[] = {bone, image_of(m, bone)};
	memset(e->is_end, 0, m->tree.bone_count);
	for (size_t i = 0; i < 2; i++) {
		hand_over(both[i], m->tree.parent[both[i]], &m->fit.weights);
		e->is_end[both[i]] = 1;
	}
	OSSAI_TRY(ossai_moving_remove_bones(m, e->is_end));
	m->rounds = ossai_rounds_begin();
	return ossai_fit_alternate_hierarchy(
		&m->fit, &hierarchy, &joints, ROUNDS, OSSAI_MOVING_LEAST_GAIN, m->options.local, &m->rounds);
}

ossa_status ossai_moving_prune_ends(ossai_moving_work *m, bool *has_any)
{
	const size_t bones = m->tree.bone_count;
	*has_any = false;
	if (!(m->goal.worth.most > 0)) return OSSA_OK;
	const ends e = {ossai_arena_new(m->arena, bones, 1), ossai_arena_new(m->arena, bones, sizeof *e.cost)};
	if (!e.is_end || !e.cost) return ossa_context_error(m->context)->status;
	for (;;) {
		uint32_t cheapest;
		OSSAI_TRY(ossai_ask(m->context));
		OSSAI_TRY(find_cheapest(m, &e, &cheapest));
		if (cheapest == OSSA_NONE) return OSSA_OK;
		if (e.cost[cheapest] >= ossai_bone_worth_at(&m->goal.worth, m->rounds.error)) return OSSA_OK;
		OSSAI_TRY(remove_end(m, &e, cheapest));
		*has_any = true;
	}
}

/* edit/solve_rest.c: solves a rig without motion after edits: weights by the rest positions of its
   bones.

   Place in the path: solve_load -> here -> solve_store. A rig whose weights are those of bone heat,
   wherever nothing is stale, has them everywhere again: solving some bones is solving all. Of any
   other rig, one that an artist painted say, only the vertices change that a stale bone moves, or
   is to move: they follow the stale bones by heat, and the others share the rest in the old
   proportions. */
#include "edit/solve_work.h"

#include "skeleton/rest_weights.h"

#include <string.h>

/* weights this close to heat's at this share of the vertices count as heat's */
static const double like_heat = 0.02, most_alike = 0.9;

typedef struct resting {
	ossai_solve_work *w;
	ossai_bone_weights found; /* by heat */
	uint8_t *stale;           /* B: stale, or with a changed segment */
	bool is_heat;             /* the rig's own were too */
} resting;

static bool touches(const resting *r, const ossai_bone_weights *weights, size_t v)
{
	for (size_t i = 0; i < weights->count[v]; i++) {
		if (r->stale[weights->bone[v * weights->width + i]]) return true;
	}
	return weights->count[v] == 0;
}

static double difference(const ossai_bone_weights *a, const ossai_bone_weights *b, size_t v)
{
	double most = 0;
	for (size_t i = v * a->width; i < v * a->width + a->count[v]; i++) {
		most = fmax(most, fabs(a->value[i] - ossai_bone_weight_of(b, v, a->bone[i])));
	}
	return most;
}

static bool is_like_heat(const resting *r)
{
	const ossai_solve_work *w = r->w;
	size_t looked = 0, alike = 0;
	for (size_t v = 0; v < w->surface->vertex_count; v++) {
		if (!w->surface->used[v] || touches(r, &w->before, v) || touches(r, &r->found, v)) continue;
		looked++;
		alike += fmax(difference(&w->before, &r->found, v), difference(&r->found, &w->before, v)) < like_heat;
	}
	return (double)alike >= most_alike * (double)looked;
}

/* The new weights of the vertex without locked bones: pairs and their sum. */
typedef struct mixture {
	size_t count;
	uint16_t bone[2 * OSSAI_INFLUENCES_MAX];
	double value[2 * OSSAI_INFLUENCES_MAX];
	double sum;
} mixture;

/* the pairs of a vertex whose bones are stale, or are not; scaled */
static void add_pairs(const resting *r, const ossai_bone_weights *from, size_t v, bool stale, double scale, mixture *m)
{
	for (size_t i = v * from->width; i < v * from->width + from->count[v]; i++) {
		if ((r->stale[from->bone[i]] != 0) != stale || ossai_solve_is_locked(r->w, from->bone[i])) continue;
		m->bone[m->count] = from->bone[i];
		m->value[m->count++] = scale * from->value[i];
		m->sum += scale * from->value[i];
	}
}

static double sum_of_fresh(const resting *r, const ossai_bone_weights *from, size_t v)
{
	double sum = 0;
	for (size_t i = v * from->width; i < v * from->width + from->count[v]; i++) {
		if (!r->stale[from->bone[i]] && !ossai_solve_is_locked(r->w, from->bone[i])) sum += from->value[i];
	}
	return sum;
}

static void mix(const resting *r, size_t v, mixture *m)
{
	const ossai_solve_work *w = r->w;
	const double fresh = sum_of_fresh(r, &w->before, v);
	m->count = 0;
	m->sum = 0;
	add_pairs(r, &r->found, v, true, 1, m);
	if (r->is_heat || !(fresh > 0)) add_pairs(r, &r->found, v, false, 1, m);
	else if (m->sum < 1) add_pairs(r, &w->before, v, false, (1 - m->sum) / fresh, m);
}

/* locked bones keep their weights, the others share the rest */
static void weigh(const resting *r, size_t v)
{
	ossai_solve_work *w = r->w;
	ossai_bone_weights *to = &w->weights;
	mixture m;
	double left = 1;
	size_t locked = 0;
	uint16_t bone[OSSAI_INFLUENCES_MAX];
	double value[OSSAI_INFLUENCES_MAX];
	mix(r, v, &m);
	for (size_t i = v * to->width; i < v * to->width + to->count[v]; i++) {
		if (!ossai_solve_is_locked(w, to->bone[i])) continue;
		bone[locked] = to->bone[i];
		value[locked++] = to->value[i];
		left -= to->value[i];
	}
	if (!(m.sum > 0) || locked >= to->width || (locked > 0 && left < 1e-6)) return;
	ossai_bone_weights kept = *to;
	kept.width = to->width - locked;
	kept.bone = to->bone + v * to->width;
	kept.value = to->value + v * to->width;
	uint8_t count = 0;
	kept.count = &count;
	for (size_t i = 0; i < m.count; i++) ossai_bone_weights_keep(&kept, 0, m.bone[i], m.value[i]);
	double sum = 0;
	for (size_t i = 0; i < count; i++) sum += kept.value[i];
	for (size_t i = 0; i < count; i++) kept.value[i] *= left / sum;
	to->count[v] = count;
	for (size_t i = 0; i < locked; i++) ossai_bone_weights_keep(to, v, bone[i], value[i]);
	w->changed[v] = 1;
}

/* a re-parented bone changes its old and its new parent; both halves of a bone are changed */
static ossa_status mark_stale(resting *r)
{
	const ossai_solve_work *w = r->w;
	r->stale = ossai_arena_new(w->arena, w->bones, 1);
	if (!r->stale) return ossa_context_error(w->context)->status;
	memcpy(r->stale, w->stale, w->bones);
	for (uint32_t b = 0; b < w->bones; b++) {
		const ossa_bone *old = &w->rig->skeleton.bones[b];
		const bool has_moved = ossai_distance(ossai_posed_surface_units(w->surface, old->joint), w->joint[b]) > 0;
		if ((!has_moved && !w->is_rehung[b]) || w->tree.parent[b] == OSSA_NONE) continue;
		r->stale[b] = r->stale[w->tree.parent[b]] = 1;
		if (old->parent >= 0) r->stale[old->parent] = 1;
	}
	return OSSA_OK;
}

ossa_status ossai_solve_rest(ossai_solve_work *w)
{
	resting r = {.w = w};
	ossai_rest_weights_options options = ossai_rest_weights_default();
	options.influences = w->weights.width;
	options.local = true;
	OSSAI_TRY(ossai_solve_splits(w));
	OSSAI_TRY(ossai_solve_parents(w));
	OSSAI_TRY(mark_stale(&r));
	const ossai_rest_bones bones = {&w->tree, w->joint, w->tail, NULL};
	OSSAI_TRY(ossai_rest_weights(w->arena, w->surface, &bones, NULL, &options, &r.found));
	r.is_heat = is_like_heat(&r);
	w->weights_solved = true;
	for (size_t v = 0; v < w->surface->vertex_count; v++) {
		if (!w->surface->used[v] || w->fixed[v]) continue;
		if (r.is_heat || touches(&r, &w->weights, v) || touches(&r, &r.found, v)) weigh(&r, v);
	}
	return OSSA_OK;
}

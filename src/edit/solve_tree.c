/* edit/solve_tree.c: joint positions and parents, as far as edits require it and bounds allow.

   Place in the path: solve_load, solve_split -> here -> motion, weights.
   The cost of a joint is that used when a rig is made: its residual under the free motions of its
   two bones, and its distance from the prior by shape (skeleton/from_motion/joints.h). Without
   motion the shape alone decides. */
#include "edit/solve_work.h"

#include "motion/free_bones.h"
#include "skeleton/from_motion/bone_graph.h"
#include "skeleton/from_motion/joints.h"

#include <string.h>

enum { FREE_SWEEPS = 3 };

static bool is_pair(const ossai_edit_pair *pair, uint32_t a, uint32_t b)
{
	return (pair->a == a && pair->b == b) || (pair->a == b && pair->b == a);
}

static bool is_forbidden(const ossai_solve_work *w, uint32_t a, uint32_t b)
{
	for (size_t i = 0; i < w->bounds->forbidden_count; i++) {
		if (is_pair(&w->bounds->forbidden[i], a, b)) return true;
	}
	return false;
}

/* the bones' free motion, for the given weights */
static ossa_status free_motion(const ossai_solve_work *w, ossai_bone_motion *motion)
{
	ossai_moments moments;
	OSSAI_TRY(ossai_bone_motion_new(w->arena, w->bones, w->surface->pose_count, motion));
	ossai_bone_motion_copy(&w->motion, motion);
	ossa_status status = ossai_moments_make(w->context, w->surface, &w->weights, &moments);
	if (status == OSSA_OK) status = ossai_free_bones_fit(w->context, &moments, FREE_SWEEPS, motion);
	ossai_moments_end(&moments);
	return status;
}

/* ---- joints ---- */

static bool asks_for_joint(const ossai_solve_work *w, uint32_t b)
{
	const bool is_locked = w->bounds->joint_locked && w->bounds->joint_locked[b];
	return w->tree.parent[b] != OSSA_NONE && !is_locked && ((w->stale[b] & OSSAI_STALE_JOINT) || w->is_half[b]);
}

ossa_status ossai_solve_joints(ossai_solve_work *w)
{
	ossai_bone_motion motion;
	bool any = false;
	for (uint32_t b = 0; b < w->bones; b++) any = any || asks_for_joint(w, b);
	if (!any || !w->frames) return OSSA_OK;
	OSSAI_TRY(free_motion(w, &motion));
	for (uint32_t b = 0; b < w->bones; b++) {
		if (!asks_for_joint(w, b)) continue;
		const ossai_joint joint = ossai_joint_fit_soft(
			&motion, w->tree.parent[b], b, w->prior[b], OSSAI_JOINT_DOUBT, OSSAI_JOINT_NOISE);
		w->joint[b] = w->anchor[b] = joint.position;
		w->residual[b] = joint.residual;
		w->joints_solved = true;
	}
	return OSSA_OK;
}

ossa_status ossai_solve_place_joints(ossai_solve_work *w)
{
	ossai_moments moments;
	ossai_hierarchy hierarchy = {&w->tree, w->joint, NULL};
	uint8_t *movable = ossai_arena_zero(w->arena, w->bones, 1);
	bool any = false;
	if (!movable) return ossa_context_error(w->context)->status;
	for (uint32_t b = 0; b < w->bones; b++) {
		movable[b] = asks_for_joint(w, b);
		if (!movable[b]) w->anchor[b] = w->joint[b];
		any = any || movable[b];
	}
	if (!any) return OSSA_OK;
	ossa_status status = ossai_moments_make(w->context, w->surface, &w->weights, &moments);
	const double hold = OSSAI_JOINT_HOLD * moments.vertex_count;
	if (status == OSSA_OK) {
		status = ossai_hierarchy_place_some(w->context, &moments, &hierarchy, &w->motion, movable, w->anchor, hold);
	}
	ossai_moments_end(&moments);
	return status;
}

/* ---- other parents ---- */

typedef struct parent_search {
	ossai_solve_work *w;
	ossai_bone_graph graph;
	ossai_bone_motion motion; /* free; with frames */
	uint8_t *below;           /* B: the bone and its descendants */
	double *path;             /* B */
	double best;
	uint32_t child, parent; /* OSSA_NONE: none is allowed */
	ossai_joint joint;
} parent_search;

static void mark_below(const ossai_solve_work *w, uint32_t bone, uint8_t *below)
{
	memset(below, 0, w->bones);
	for (size_t i = 0; i < w->bones; i++) {
		const uint32_t b = w->tree.order[i], parent = w->tree.parent[b];
		below[b] = b == bone || (parent != OSSA_NONE && below[parent]);
	}
}

static void try_edge(parent_search *r, uint32_t a, uint32_t b, ossai_vec3 prior, double price)
{
	ossai_solve_work *w = r->w;
	if (r->below[a] == r->below[b] || is_forbidden(w, a, b)) return;
	const uint32_t child = r->below[a] ? a : b, parent = r->below[a] ? b : a;
	ossai_joint joint = {.position = prior};
	double cost = ossai_distance(prior, w->joint[child]) + price;
	if (w->frames) {
		joint = ossai_joint_fit_soft(&r->motion, parent, child, prior, OSSAI_JOINT_DOUBT, OSSAI_JOINT_NOISE);
		cost = joint.residual + OSSAI_JOINT_PRIOR_PRICE * joint.prior_distance + price;
	}
	if (!(cost < r->best)) return;
	r->best = cost;
	r->child = child;
	r->parent = parent;
	r->joint = joint;
}

/* shortest paths over touching bones, from center to center: from `first` to all others */
static void find_paths(const ossai_bone_graph *graph, uint32_t first, double *path)
{
	bool moved = true;
	for (size_t b = 0; b < graph->bone_count; b++) path[b] = b == first ? 0 : INFINITY;
	while (moved) {
		moved = false;
		for (size_t i = 0; i < graph->pair_count; i++) {
			const uint32_t a = graph->pairs[i].a, b = graph->pairs[i].b;
			const double length = ossai_distance(graph->center[a], graph->center[b]);
			const uint32_t near = path[a] < path[b] ? a : b, far = near == a ? b : a;
			if (!(path[near] + length < path[far])) continue;
			path[far] = path[near] + length;
			moved = true;
		}
	}
}

/* connects `from`, which is below, to a bone that is not: the nearest along the body, else in
   space; joined where the parts met before */
static void try_paths(parent_search *r, uint32_t from, ossai_vec3 met)
{
	const ossai_bone_graph *graph = &r->graph;
	find_paths(graph, from, r->path);
	for (uint32_t b = 0; b < graph->bone_count; b++) {
		const double air = 10 + ossai_distance(graph->center[from], graph->center[b]);
		if (!r->below[b]) try_edge(r, from, b, met, r->path[b] < INFINITY ? r->path[b] : air);
	}
}

static void find_edge(parent_search *r, uint32_t bone)
{
	const ossai_bone_graph *graph = &r->graph;
	r->best = INFINITY;
	r->child = r->parent = OSSA_NONE;
	for (size_t i = 0; i < graph->pair_count; i++) try_edge(r, graph->pairs[i].a, graph->pairs[i].b, graph->pairs[i].prior, 0);
	/* no bones that may be joined touch: first the bone as it is with its subtree */
	const ossai_vec3 met = r->w->joint[bone];
	if (r->child == OSSA_NONE) try_paths(r, bone, met);
	const bool is_found = r->child != OSSA_NONE;
	for (uint32_t a = 0; a < graph->bone_count && !is_found; a++) {
		if (r->below[a]) try_paths(r, a, met);
	}
}

/* reverses the path from `bone` down to `child`, which becomes the child of the other one: joints
   stay between the bones they connect */
static void reparent(parent_search *r, uint32_t bone)
{
	ossai_solve_work *w = r->w;
	uint32_t at = r->child, parent = r->parent;
	ossai_vec3 joint = w->bounds->joint_locked && w->bounds->joint_locked[at] ? w->joint[at] : r->joint.position;
	double residual = r->joint.residual;
	while (at != OSSA_NONE) {
		const uint32_t next = at == bone ? OSSA_NONE : w->tree.parent[at];
		const ossai_vec3 old = w->joint[at];
		const double old_residual = w->residual[at];
		w->tree.parent[at] = parent;
		w->joint[at] = w->prior[at] = joint;
		w->residual[at] = residual;
		w->is_rehung[at] = 1;
		joint = old;
		residual = old_residual;
		parent = at;
		at = next;
	}
	w->tree_solved = true;
}

/* parents first, else in the order of the rig */
static void sort_bones(ossai_tree *tree, uint8_t *done)
{
	memset(done, 0, tree->bone_count);
	for (size_t count = 0; count < tree->bone_count;) {
		uint32_t b = 0;
		while (done[b] || (tree->parent[b] != OSSA_NONE && !done[tree->parent[b]])) b++;
		done[b] = 1;
		tree->order[count++] = b;
	}
}

static ossa_status solve_parent(parent_search *r, uint32_t bone)
{
	ossai_solve_work *w = r->w;
	const ossa_bone *bones = w->rig->skeleton.bones;
	mark_below(w, bone, r->below);
	find_edge(r, bone);
	if (r->child == OSSA_NONE) {
		return ossai_fail(w->context, OSSA_ERROR_INPUT, NULL,
			"%s may not be the child of %s, and every other pair by which it or its descendants could be connected is "
			"forbidden, too: allow one of them again",
			bones[bone].name, bones[w->tree.parent[bone]].name);
	}
	if (r->child == bone && r->parent == w->tree.parent[bone]) return OSSA_OK;
	reparent(r, bone);
	sort_bones(&w->tree, r->below);
	return OSSA_OK;
}

/* a child of a split bone goes to the half whose joint with it fits better */
static void choose_half(parent_search *r, uint32_t upper, uint32_t half)
{
	ossai_solve_work *w = r->w;
	for (uint32_t c = 0; c < w->bones; c++) {
		const uint32_t parent = w->tree.parent[c];
		if (c == half || (parent != upper && parent != half)) continue;
		mark_below(w, c, r->below);
		r->best = INFINITY;
		r->child = OSSA_NONE;
		try_edge(r, parent, c, w->joint[c], 0);
		try_edge(r, parent == upper ? half : upper, c, w->joint[c], 0);
		if (r->child == OSSA_NONE || r->parent == parent) continue;
		w->tree.parent[c] = r->parent;
		w->is_rehung[c] = 1;
		w->tree_solved = true;
		sort_bones(&w->tree, r->below);
	}
}

static bool asks_for_parent(const ossai_solve_work *w, uint32_t b)
{
	const uint32_t parent = w->tree.parent[b];
	return parent != OSSA_NONE && ((w->stale[b] & OSSAI_STALE_PARENT) || is_forbidden(w, parent, b));
}

ossa_status ossai_solve_parents(ossai_solve_work *w)
{
	parent_search r = {.w = w};
	bool any = false;
	for (uint32_t b = 0; b < w->bones; b++) any = any || asks_for_parent(w, b) || w->is_half[b];
	if (!any) return OSSA_OK;
	r.below = ossai_arena_new(w->arena, w->bones, sizeof *r.below);
	r.path = ossai_arena_new(w->arena, w->bones, sizeof *r.path);
	if (!r.below || !r.path) return ossa_context_error(w->context)->status;
	OSSAI_TRY(ossai_bone_graph_make(w->arena, w->surface, &w->weights, false, &r.graph));
	if (w->frames) OSSAI_TRY(free_motion(w, &r.motion));
	for (uint32_t b = 0; b < w->bones && w->frames; b++) {
		if (w->is_half[b]) choose_half(&r, w->tree.parent[b], b);
	}
	for (uint32_t b = 0; b < w->bones; b++) {
		if (asks_for_parent(w, b)) OSSAI_TRY(solve_parent(&r, b));
	}
	/* re-rooting may have made a forbidden pair parent and child again */
	for (uint32_t b = 0; b < w->bones; b++) {
		if (w->tree.parent[b] == OSSA_NONE || !is_forbidden(w, w->tree.parent[b], b)) continue;
		return ossai_fail(w->context, OSSA_ERROR_INPUT, NULL,
			"%s would have to be the child of %s, which is forbidden: allow that, or another pair",
			w->rig->skeleton.bones[b].name, w->rig->skeleton.bones[w->tree.parent[b]].name);
	}
	return OSSA_OK;
}

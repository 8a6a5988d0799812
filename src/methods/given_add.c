/* methods/given_add.c: helper bones under given ones, as many as lower the error by their worth.

   Place in the path: inside given, after the weights of the given bones.
   Input: a fit of given bones, frames.
   Output: the same fit with more bones behind the given ones.
   A part of a bone's skin that has a motion of its own (motion/skin_part.h) gets a bone under it,
   whose joint is where both motions agree best, near the border of the part. Weights, rotations and
   the new joints are solved again; the bone stays if the RMS of the whole falls by its worth, as
   bones stay where a rig is pruned (motion/prune.h). */
#include "methods/given.h"

#include "motion/skin_part.h"
#include "skeleton/from_motion/joints.h"

#include <string.h>

/* places that are tried before there is none that is worth a bone */
enum { TRIES = 3 };

/* a part, and whose it is */
typedef struct helper_part {
	const ossai_skin_part *skin;
	uint32_t bone;
	uint8_t *member; /* V */
} helper_part;

/* ---- a fit with one bone more ---- */

/* the mean of the part's vertices on its border; of all where it has none */
static ossai_vec3 border_of(const ossai_given *g, const helper_part *part)
{
	const ossai_posed_surface *surface = &g->surface;
	ossai_vec3 sum[2] = {{0, 0, 0}, {0, 0, 0}};
	double count[2] = {0, 0};
	for (size_t v = 0; v < surface->vertex_count; v++) {
		if (!part->member[v]) continue;
		bool is_border = false;
		for (uint32_t e = surface->patch_start[v]; e < surface->patch_start[v + 1]; e++)
			is_border |= !part->member[surface->patch_neighbor[e]];
		sum[is_border] = ossai_add(sum[is_border], ossai_rest_point(surface, v));
		count[is_border]++;
	}
	const size_t which = count[1] > 0;
	return ossai_scale(sum[which], 1 / count[which]);
}

static ossa_status place_joint(ossai_arena *arena, const ossai_given *g, const helper_part *part, ossai_vec3 *joint)
{
	const size_t poses = g->surface.pose_count;
	ossai_bone_motion two;
	OSSAI_TRY(ossai_bone_motion_new(arena, 2, poses, &two));
	memcpy(two.rigid, part->skin->left, poses * sizeof *two.rigid);
	memcpy(two.rigid + poses, part->skin->motion, poses * sizeof *two.rigid);
	*joint = ossai_joint_fit_soft(&two, 0, 1, border_of(g, part), OSSAI_JOINT_DOUBT, OSSAI_JOINT_NOISE).position;
	return OSSA_OK;
}

static ossa_status extend_skeleton(const ossai_given *g, const helper_part *part, ossai_given *to)
{
	const size_t old = g->tree.bone_count;
	OSSAI_TRY(ossai_tree_new(to->arena, old + 1, &to->tree));
	to->joint = ossai_arena_new(to->arena, old + 1, sizeof *to->joint);
	to->anchor = ossai_arena_new(to->arena, old + 1, sizeof *to->anchor);
	to->movable = ossai_arena_new(to->arena, old + 1, sizeof *to->movable);
	if (!to->joint || !to->anchor || !to->movable) return ossa_context_error(g->context)->status;
	memcpy(to->tree.parent, g->tree.parent, old * sizeof *to->tree.parent);
	memcpy(to->joint, g->joint, old * sizeof *to->joint);
	memcpy(to->anchor, g->anchor, old * sizeof *to->anchor);
	for (size_t b = 0; b <= old; b++) {
		const bool is_given = b < g->given_count;
		to->movable[b] = is_given ? g->options->joints && g->movable[b] : true;
	}
	to->tree.root = g->tree.root;
	to->tree.parent[old] = part->bone;
	ossai_tree_sort(&to->tree);
	OSSAI_TRY(place_joint(to->arena, g, part, &to->joint[old]));
	to->anchor[old] = to->joint[old];
	return OSSA_OK;
}

/* what the new bone begins with is also what it keeps where the motion says nothing */
static ossa_status extend_weights(const ossai_given *g, const helper_part *part, ossai_given *to)
{
	const ossai_bone_weights *known = g->prior.weights, *now = &g->fit.weights;
	const size_t vertices = known->vertex_count, old = g->tree.bone_count, poses = g->surface.pose_count;
	const size_t width = known->width > now->width ? known->width : now->width;
	OSSAI_TRY(ossai_fit_new(g->context, to->arena, &to->surface, old + 1, now->width, &to->fit));
	OSSAI_TRY(ossai_bone_weights_new(to->arena, vertices, old + 1, width, &to->begin));
	ossai_bone_weights_copy(now, &to->fit.weights);
	to->fit.weights.bone_count = old + 1;
	ossai_skin_part_hand_over(part->skin, part->bone, (uint32_t)old, &to->fit.weights);
	for (size_t v = 0; v < vertices; v++) {
		const ossai_bone_weights *from = part->member[v] ? &to->fit.weights : known;
		to->begin.count[v] = from->count[v];
		memcpy(to->begin.bone + v * width, from->bone + v * from->width, from->count[v] * sizeof *from->bone);
		memcpy(to->begin.value + v * width, from->value + v * from->width, from->count[v] * sizeof *from->value);
	}
	memcpy(to->fit.motion.rigid, g->fit.motion.rigid, old * poses * sizeof *to->fit.motion.rigid);
	memcpy(to->fit.motion.rigid + part->bone * poses, part->skin->left, poses * sizeof *to->fit.motion.rigid);
	memcpy(to->fit.motion.rigid + old * poses, part->skin->motion, poses * sizeof *to->fit.motion.rigid);
	return OSSA_OK;
}

static ossa_status extend_locks(const ossai_given *g, ossai_given *to)
{
	const size_t old = g->tree.bone_count;
	if (!g->prior.locked) return OSSA_OK;
	uint8_t *locked = ossai_arena_zero(to->arena, old + 1, 1);
	if (!locked) return ossa_context_error(g->context)->status;
	memcpy(locked, g->prior.locked, old);
	to->prior.locked = locked;
	return OSSA_OK;
}

/* what points into the fit itself */
static void point_into(ossai_given *g)
{
	g->prior.weights = &g->begin;
	g->fit.prior = &g->prior;
	g->fit.surface = &g->surface;
}

static ossa_status extend(const ossai_given *g, const helper_part *part, ossai_arena *arena, ossai_given *to)
{
	*to = *g;
	to->arena = arena;
	OSSAI_TRY(extend_skeleton(g, part, to));
	OSSAI_TRY(extend_weights(g, part, to));
	OSSAI_TRY(extend_locks(g, to));
	point_into(to);
	return OSSA_OK;
}

/* ---- as many as are worth it ---- */

static double least_gain(const ossai_given *g)
{
	const double worth = g->options->worth / 100 * g->surface.diagonal;
	return worth * worth * (double)g->surface.used_count * (double)g->surface.pose_count;
}

static ossa_status try_bone(ossai_given *g, const helper_part *part, double *error, bool *is_taken)
{
	ossai_arena arena = ossai_arena_begin(g->context);
	ossai_given more;
	double now = *error;
	ossa_status status = extend(g, part, &arena, &more);
	if (status == OSSA_OK) status = ossai_given_solve_weights(&more, &now);
	*is_taken = status == OSSA_OK && *error - now >= least_gain(g);
	if (!*is_taken) {
		ossai_arena_end(&arena);
		return status;
	}
	/* nothing of the fit before is needed any more */
	ossai_arena_end(&g->helpers);
	*g = more;
	g->helpers = arena;
	g->arena = &g->helpers;
	point_into(g);
	*error = now;
	return OSSA_OK;
}

/* marks what gives nothing away: vertices that keep weights, bones that do or were tried */
static void mark_kept(const ossai_given *g, const uint8_t *tried, uint8_t *kept, uint8_t *closed)
{
	for (size_t v = 0; v < g->surface.vertex_count; v++) kept[v] = ossai_weight_prior_keeps(&g->prior, v);
	for (size_t b = 0; b < g->tree.bone_count; b++) closed[b] = tried[b] || (g->prior.locked && g->prior.locked[b]);
}

/* the part of the largest gain; its skin NULL: there is none */
static ossa_status find_part(ossai_arena *arena, const ossai_given *g, const uint8_t *tried, helper_part *part)
{
	const size_t bones = g->tree.bone_count, vertices = g->surface.vertex_count;
	*part = (helper_part){.member = ossai_arena_zero(arena, vertices, 1)};
	uint8_t *kept = ossai_arena_new(arena, vertices, 1), *closed = ossai_arena_new(arena, bones, 1);
	ossai_skin_part *parts = ossai_arena_new(arena, bones, sizeof *parts);
	if (!part->member || !kept || !closed || !parts) return ossa_context_error(g->context)->status;
	mark_kept(g, tried, kept, closed);
	OSSAI_TRY(ossai_skin_parts_find(arena, &g->surface, &g->fit.weights, &g->fit.motion, kept, closed, parts));
	const size_t best = ossai_skin_parts_best(parts, bones);
	if (best == bones) return OSSA_OK;
	part->skin = &parts[best];
	part->bone = (uint32_t)best;
	for (size_t i = 0; i < part->skin->count; i++) part->member[part->skin->vertex[i]] = 1;
	return OSSA_OK;
}

static ossa_status find_and_try(ossai_given *g, uint8_t *tried, double *error, bool *is_taken, bool *is_over)
{
	ossai_arena arena = ossai_arena_begin(g->context);
	helper_part part;
	*is_taken = false;
	ossa_status status = find_part(&arena, g, tried, &part);
	*is_over = status != OSSA_OK || !part.skin;
	if (!*is_over) status = try_bone(g, &part, error, is_taken);
	if (!*is_over) tried[part.bone] = !*is_taken;
	ossai_arena_end(&arena);
	return status;
}

ossa_status ossai_given_add_bones(ossai_given *g, double *error)
{
	const size_t most = g->tree.bone_count + (size_t)g->options->add_bones;
	bool is_taken = false, is_over = false;
	uint8_t *tried = ossa_alloc(g->context, most, 1);
	if (!tried) return ossa_context_error(g->context)->status;
	memset(tried, 0, most);
	ossa_status status = OSSA_OK;
	for (int tries = 0; status == OSSA_OK && !is_over && tries < TRIES && g->tree.bone_count < most;) {
		status = find_and_try(g, tried, error, &is_taken, &is_over);
		tries = is_taken ? 0 : tries + 1;
		/* beside a new bone others may gain that did not */
		if (is_taken) memset(tried, 0, most);
	}
	ossa_free(g->context, tried);
	return status;
}

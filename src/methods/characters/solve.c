/* methods/characters/solve.c: weights on the sum over all characters, joints and motion of each.

   Place in the path: inside of characters, after the draft.
   Source: as methods/given.c, whose rounds these are: the base's fit, with those of the others as
   companions (motion/refine.h, weights/companions.h). */
#include "methods/characters/characters.h"

#include "math/affine.h"
#include "skeleton/from_motion/joints.h"

#include <string.h>

/* solves, each with joints that begin where the others have them */
enum { TIMES = 2 };
static const double least_gain = 1e-3;

/* ---- load ---- */

static ossa_status load_member(ossai_characters *c, ossai_member *m)
{
	static const ossa_fit_locks none = {0};
	m->given = (ossai_given){.context = c->context,
		.arena = c->arena,
		.rig = m->rig,
		.options = &c->fit,
		.locks = &none,
		.frames = m->keys,
		.key = m->which,
		.surface = m->surface};
	return ossai_given_load_rig(&m->given);
}

static ossai_joint_rules rules_of(const ossai_given *g)
{
	return (ossai_joint_rules){g->movable, g->anchor, OSSAI_JOINT_HOLD * (double)g->surface.used_count};
}

/* the others that move, as companions of the base */
static ossa_status add_companions(ossai_characters *c)
{
	ossai_given *lead = &c->members[c->base].given;
	ossai_fit_companion *fits = ossai_arena_new(c->arena, c->count, sizeof *fits);
	ossai_companion *items = ossai_arena_new(c->arena, c->count, sizeof *items);
	ossai_companions *companions = ossai_arena_zero(c->arena, 1, sizeof *companions);
	if (!fits || !items || !companions) return ossa_context_error(c->context)->status;
	for (size_t i = 0; i < c->count; i++) {
		ossai_given *g = &c->members[i].given;
		if (i == c->base || g->surface.pose_count == 0) continue;
		fits[companions->count] = (ossai_fit_companion){&g->fit, {&g->tree, g->joint, NULL}, rules_of(g)};
		items[companions->count++] = (ossai_companion){&g->surface, &g->fit.motion};
	}
	companions->item = items;
	lead->surface.companions = companions;
	lead->fit.companions = fits;
	lead->fit.companion_count = companions->count;
	return OSSA_OK;
}

/* ---- joints that a character does not move ---- */

/* by how much the poses of a member tell where a joint is: the squared difference of the turns of
   bone and parent, summed */
static double turns_about(const ossai_given *g, uint32_t bone, uint32_t parent)
{
	const ossai_bone_motion *motion = &g->fit.motion;
	double sum = 0;
	for (size_t k = 0; k < motion->pose_count; k++) {
		const ossai_mat3 *a = &motion->rigid[bone * motion->pose_count + k].r;
		const ossai_mat3 *b = &motion->rigid[parent * motion->pose_count + k].r;
		for (int i = 0; i < 9; i++)
			sum += (a->m[i / 3][i % 3] - b->m[i / 3][i % 3]) * (a->m[i / 3][i % 3] - b->m[i / 3][i % 3]);
	}
	return sum;
}

/* a joint as a character has it, in the shape of the base, times how much it turns there */
typedef struct turned_joint {
	double turns;
	ossai_vec3 joint;
} turned_joint;

/* the map of a joint between a character and the base, which is the same in itself */
static ossai_rigid map_between(const ossai_characters *c, size_t from, size_t to, uint32_t bone, uint32_t parent)
{
	const ossai_given *lead = &c->members[c->base].given;
	if (from == to) return ossai_affine_identity();
	return ossai_map_around(&c->members[from].given.surface, &c->members[to].given.surface, &lead->fit.weights, bone, parent);
}

/* Where all have the joint of a bone, each by how much it turns there. Those of the others are
   mapped to the base, summed there once, and the sum is mapped to each: the cost is linear in
   characters, where maps from each to each would be as many as pairs. The own joint is taken as it
   is: two maps that were fitted, there and back, are not quite the identity. */
static void expect_joint(const ossai_characters *c, uint32_t bone, uint32_t parent, turned_joint *of)
{
	turned_joint all = {0, {0, 0, 0}};
	for (size_t i = 0; i < c->count; i++) {
		const ossai_given *g = &c->members[i].given;
		of[i] = (turned_joint){turns_about(g, bone, parent), {0, 0, 0}};
		if (!(of[i].turns > 0)) continue;
		const ossai_rigid map = map_between(c, i, c->base, bone, parent);
		of[i].joint = ossai_scale(ossai_rigid_point(&map, g->joint[bone]), of[i].turns);
		all.turns += of[i].turns;
		all.joint = ossai_add(all.joint, of[i].joint);
	}
	for (size_t i = 0; i < c->count && all.turns > 0; i++) {
		const ossai_given *g = &c->members[i].given;
		const ossai_rigid map = map_between(c, c->base, i, bone, parent);
		/* an affine map of a sum of points, of which its translation counts as many */
		ossai_vec3 sum = ossai_mat3_mul_v(&map.r, ossai_sub(all.joint, of[i].joint));
		sum = ossai_madd(sum, all.turns - of[i].turns, map.t);
		g->anchor[bone] = ossai_scale(ossai_madd(sum, of[i].turns, g->joint[bone]), 1 / all.turns);
	}
}

/* the anchors, which hold joints as far as a character's own poses say little; a still one's joints
   are there */
static ossa_status expect_joints(const ossai_characters *c)
{
	const ossai_given *lead = &c->members[c->base].given;
	turned_joint *of = ossai_arena_new(c->arena, c->count, sizeof *of);
	if (!of) return ossa_context_error(c->context)->status;
	for (uint32_t b = 0; b < lead->tree.bone_count; b++) {
		if (lead->tree.parent[b] != OSSA_NONE) expect_joint(c, b, lead->tree.parent[b], of);
	}
	for (size_t i = 0; i < c->count; i++) {
		const ossai_given *g = &c->members[i].given;
		if (g->surface.pose_count == 0) memcpy(g->joint, g->anchor, g->tree.bone_count * sizeof *g->joint);
	}
	return OSSA_OK;
}

/* ---- the solve ---- */

/* rotations of all for weights and joints as they are; errors of each */
static ossa_status measure(ossai_characters *c, bool is_before, double *sum)
{
	const ossai_given *lead = &c->members[c->base].given;
	*sum = 0;
	for (size_t i = 0; i < c->count; i++) {
		ossai_member *m = &c->members[i];
		double *error = is_before ? &m->carried : &m->solved;
		if (m->given.surface.pose_count == 0) continue;
		m->given.fit.weights = lead->fit.weights;
		OSSAI_TRY(ossai_given_fit_rotations(&m->given, error));
		*sum += *error;
	}
	return OSSA_OK;
}

/* joints and rotations of each for weights that stay */
static ossa_status solve_joints(ossai_characters *c)
{
	for (size_t i = 0; i < c->count; i++) {
		ossai_given *g = &c->members[i].given;
		ossai_hierarchy hierarchy = {&g->tree, g->joint, NULL};
		const ossai_joint_rules rules = rules_of(g);
		if (g->surface.pose_count == 0) continue;
		OSSAI_TRY(ossai_fit_joints(&g->fit, &hierarchy, &rules, c->fit.refine, least_gain, &g->rounds));
	}
	return OSSA_OK;
}

static ossa_status solve(ossai_characters *c)
{
	double error;
	ossai_given *lead = &c->members[c->base].given;
	OSSAI_TRY(add_companions(c));
	OSSAI_TRY(measure(c, true, &error));
	for (int time = 0; time < TIMES && c->solves_joints; time++) {
		if (c->solves_weights) OSSAI_TRY(ossai_given_solve_weights(lead, &error));
		else OSSAI_TRY(solve_joints(c));
		OSSAI_TRY(expect_joints(c));
		OSSAI_TRY(measure(c, false, &error));
	}
	if (c->solves_joints) OSSAI_TRY(solve_joints(c));
	return measure(c, false, &error);
}

ossa_status ossai_characters_solve(ossai_characters *c)
{
	ossai_stage_begin(c->context, "characters");
	ossa_status status = OSSA_OK;
	for (size_t i = 0; i < c->count && status == OSSA_OK; i++) status = load_member(c, &c->members[i]);
	if (status == OSSA_OK && c->moves) status = solve(c);
	ossai_stage_end(c->context);
	return status;
}

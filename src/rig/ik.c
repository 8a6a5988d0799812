/* rig/ik.c: inverse kinematics of a chain of joints.

   Place in the path: posing by hand.
   Input: a pose, the target of a point.
   Output: the pose, with rotations of the chain's bones.
   Source: damped least squares: C. Wampler, Manipulator Inverse Kinematic Solutions Based on Vector
   Formulations and Damped Least-Squares Methods, 1986.

   Every iteration takes the smallest rotations that move the point towards its target, by the
   Jacobian of its position, and keeps them where they do. Joints with limits rotate by the three
   angles that limits are given in, each clamped to its range: a clamped angle is fixed, and the
   others make up for it in the same iteration. Hinges rotate by one angle about their axis, with
   limits or without: their two other angles have no range. What a pose turns them beside it stays.
   Other joints without limits rotate about any axis. A dependent bone has no angle of its own: its
   column is part of its driver's, or it stays where the driver is not in the chain. */
#include <ossa/ik.h>

#include "base/context.h"
#include "rig/drive.h"
#include "rig/ik_followers.h"
#include "rig/ik_loops.h"
#include "rig/pose.h"

#include <string.h>

enum { ROUNDS_MAX = 200, AXES = OSSAI_IK_AXES };

/* of the chain's length: the tolerance; and the least gain of an iteration */
static const double near_enough = 1e-6, least_gain = 1e-9;
/* radians of one joint in one iteration */
static const double largest_turn = 0.35;
/* of the mean square of the derivatives: initial damping, and the damping at which it gives up */
static const double first_damping = 1e-3, most_damping = 1e4;
/* radians that a straight chain is bent to begin with */
static const double first_bend = 0.05;

typedef struct chain {
	ossa_context *context;
	size_t count;
	ossai_ik_link *links, *tried;
	ossai_rigid above; /* world frame of the parent of the highest bone */
	ossai_vec3 end;    /* the point, in the lowest one's frame */
	ossai_vec3 goal;
	double length;
	/* count x AXES: axes of rotation in the world, and the columns of the Jacobian */
	ossai_vec3 *axis, *column;
	double *turn;     /* count x AXES, radians */
	uint8_t *is_held; /* count x AXES */
	ossai_ik_followers followers;
} chain;

/* ---- forward ---- */

static ossai_vec3 place_links(const chain *c, ossai_ik_link *links)
{
	ossai_rigid up = c->above;
	for (size_t i = c->count; i-- > 0;) {
		const ossai_rigid local = {ossai_quat_matrix(links[i].local), links[i].offset};
		links[i].world = ossai_rigid_mul(&up, &local);
		up = links[i].world;
	}
	return ossai_rigid_point(&links[0].world, c->end);
}

/* ---- effect of rotations ---- */

/* the world rotation that a link's own is relative to */
static const ossai_mat3 *above(const chain *c, size_t i) { return i + 1 < c->count ? &c->links[i + 1].world.r : &c->above.r; }

static double find_columns(chain *c, ossai_vec3 point)
{
	double sum = 0;
	for (size_t i = 0; i < c->count; i++) {
		ossai_ik_link_axes(&c->links[i], above(c, i), c->axis + AXES * i);
		for (size_t a = AXES * i; a < AXES * (i + 1); a++) {
			c->column[a] = ossai_cross(c->axis[a], ossai_sub(point, c->links[i].world.t));
		}
	}
	ossai_ik_join_columns(&c->followers, c->links, c->axis, c->column);
	for (size_t a = 0; a < AXES * c->count; a++) sum += ossai_length2(c->column[a]);
	return sum;
}

/* ---- one round ---- */

/* y of (J J^T + damping) y = error, over the free angles */
static ossai_vec3 solve(const chain *c, ossai_vec3 error, double damping)
{
	double a[6] = {damping, 0, 0, damping, 0, damping};
	for (size_t i = 0; i < AXES * c->count; i++) {
		const ossai_vec3 d = c->column[i];
		if (c->is_held[i]) continue;
		a[0] += d.x * d.x;
		a[1] += d.x * d.y;
		a[2] += d.x * d.z;
		a[3] += d.y * d.y;
		a[4] += d.y * d.z;
		a[5] += d.z * d.z;
	}
	const double xx = a[3] * a[5] - a[4] * a[4], xy = a[2] * a[4] - a[1] * a[5], xz = a[1] * a[4] - a[2] * a[3];
	const double yy = a[0] * a[5] - a[2] * a[2], yz = a[1] * a[2] - a[0] * a[4], zz = a[0] * a[3] - a[1] * a[1];
	const double det = a[0] * xx + a[1] * xy + a[2] * xz;
	if (!(det > 0)) return ossai_v3(0, 0, 0);
	return ossai_scale(ossai_v3(xx * error.x + xy * error.y + xz * error.z, xy * error.x + yy * error.y + yz * error.z,
						   xz * error.x + yz * error.y + zz * error.z),
		1 / det);
}

/* clamps angles that would leave their range; the remaining error is left to the others. Returns
   whether any was clamped */
static bool hold_at_limits(chain *c, double share, ossai_vec3 *error)
{
	bool any = false;
	for (size_t i = 0; i < AXES * c->count; i++) {
		const ossai_ik_link *l = &c->links[i / AXES];
		const double to = l->angle[i % AXES] + share * c->turn[i] * 180 / OSSAI_PI;
		if (!l->has_ranges || c->is_held[i] || (to >= l->low[i % AXES] && to <= l->high[i % AXES])) continue;
		const double end = to < l->low[i % AXES] ? l->low[i % AXES] : l->high[i % AXES];
		c->turn[i] = (end - l->angle[i % AXES]) * OSSAI_PI / 180;
		c->is_held[i] = 1;
		*error = ossai_madd(*error, -c->turn[i], c->column[i]);
		any = true;
	}
	return any;
}

/* the smallest rotations towards the target that limits allow */
static void find_turns(chain *c, ossai_vec3 error, double damping)
{
	memset(c->is_held, 0, AXES * c->count);
	for (bool again = true; again;) {
		const ossai_vec3 y = solve(c, error, damping);
		double most = largest_turn;
		for (size_t i = 0; i < AXES * c->count; i++) {
			if (c->is_held[i]) continue;
			c->turn[i] = ossai_dot(c->column[i], y);
			most = fmax(most, fabs(c->turn[i]));
		}
		again = hold_at_limits(c, largest_turn / most, &error);
		for (size_t i = 0; i < AXES * c->count && !again; i++) c->turn[i] *= c->is_held[i] ? 1 : largest_turn / most;
	}
}

/* one step: true where the distance decreased */
static bool try_step(chain *c, double damping, ossai_vec3 *point)
{
	const ossai_vec3 error = ossai_sub(c->goal, *point);
	const double before = ossai_length(error);
	find_turns(c, error, damping);
	memcpy(c->tried, c->links, c->count * sizeof *c->links);
	for (size_t i = 0; i < c->count; i++) ossai_ik_link_turn(&c->tried[i], above(c, i), c->turn + AXES * i);
	ossai_ik_follow(&c->followers, c->links, c->tried);
	const ossai_vec3 there = place_links(c, c->tried);
	const double after = ossai_distance(there, c->goal);
	if (!(after < before - least_gain * c->length) && !(after < near_enough * c->length && after < before)) return false;
	memcpy(c->links, c->tried, c->count * sizeof *c->links);
	*point = there;
	return true;
}

/* one iteration: true where the distance decreased; damping grows until it does */
static bool improve(chain *c, ossai_vec3 *point, double *damping)
{
	const double square = find_columns(c, *point) / AXES;
	while (*damping < most_damping) {
		if (try_step(c, *damping * square + 1e-300, point)) {
			*damping = fmax(*damping / 8, 1e-9);
			return true;
		}
		*damping *= 4;
	}
	return false;
}

static int approach(chain *c, ossai_vec3 *point, int rounds)
{
	double damping = first_damping;
	while (rounds < ROUNDS_MAX && ossai_distance(*point, c->goal) > near_enough * c->length) {
		rounds++;
		if (!improve(c, point, &damping)) break;
	}
	return rounds;
}

/* ---- chains that are stretched straight ---- */

/* every second one in the opposite direction, about the perpendicular axis with the wider range */
static void bend(chain *c)
{
	for (size_t i = 0; i < c->count; i++) {
		ossai_ik_link *l = &c->links[i];
		if (ossai_ik_is_follower(&c->followers, i)) continue;
		memset(c->turn, 0, AXES * c->count * sizeof *c->turn);
		const double side = i % 2 == 0 ? first_bend : -first_bend;
		if (!l->has_ranges) {
			const ossai_mat3 *r = &l->world.r;
			ossai_v3_store(ossai_scale(ossai_v3(r->m[0][0], r->m[1][0], r->m[2][0]), side), c->turn + AXES * i);
			ossai_ik_link_turn(l, above(c, i), c->turn + AXES * i);
			continue;
		}
		/* of hinges the latter is 0 */
		const double range_x = l->high[0] - l->low[0], range_z = l->high[2] - l->low[2];
		const size_t a = range_x >= range_z ? 0 : 2;
		const bool up = l->high[a] - l->angle[a] >= l->angle[a] - l->low[a];
		c->turn[AXES * i + a] = up ? first_bend : -first_bend;
		ossai_ik_link_turn(l, above(c, i), c->turn + AXES * i);
	}
}

/* where no rotation helps, restarts nearby; kept if that ends closer to the target */
static int unbend(chain *c, ossai_ik_link *kept, ossai_vec3 *point, int rounds)
{
	memcpy(kept, c->links, c->count * sizeof *kept);
	ossai_vec3 there;
	bend(c);
	ossai_ik_follow(&c->followers, kept, c->links);
	there = place_links(c, c->links);
	rounds = approach(c, &there, rounds);
	if (ossai_distance(there, c->goal) < ossai_distance(*point, c->goal) - near_enough * c->length) {
		*point = there;
		return rounds;
	}
	memcpy(c->links, kept, c->count * sizeof *kept);
	return rounds;
}

/* ---- the chain of a rig ---- */

/* how many bones turn: from `lowest` up */
static size_t count_links(const ossa_rig *rig, const ossa_ik_goal *goal, int32_t lowest)
{
	size_t count = 0;
	for (int32_t b = lowest; b >= 0; b = rig->skeleton.bones[b].parent) {
		const bool wanted = goal->chain > 0 ? count < (size_t)goal->chain : rig->skeleton.bones[b].parent >= 0;
		if (!wanted) break;
		count++;
	}
	return count;
}

static ossa_status begin_chain(
	ossai_arena *arena, const ossa_rig *rig, const ossa_clip *clip, size_t frame, int32_t lowest, chain *c)
{
	double *matrices = ossai_arena_new(arena, rig->skeleton.bone_count, 12 * sizeof *matrices);
	c->links = ossai_arena_new(arena, c->count, sizeof *c->links);
	c->tried = ossai_arena_new(arena, c->count, sizeof *c->tried);
	c->axis = ossai_arena_new(arena, c->count, AXES * sizeof *c->axis);
	c->column = ossai_arena_new(arena, c->count, AXES * sizeof *c->column);
	c->turn = ossai_arena_zero(arena, c->count, AXES * sizeof *c->turn);
	c->is_held = ossai_arena_zero(arena, c->count, AXES);
	const bool all = matrices && c->links && c->tried && c->axis && c->column && c->turn && c->is_held;
	if (!all) return ossa_context_error(arena->context)->status;
	ossa_rig_joint_matrices(rig, clip, frame, matrices);
	int32_t b = lowest;
	for (size_t i = 0; i < c->count; i++, b = rig->skeleton.bones[b].parent)
		ossai_ik_link_begin(rig, clip, frame, (uint32_t)b, &c->links[i]);
	c->above = b >= 0 ? ossai_rigid_of(matrices + 12 * (size_t)b) : (ossai_rigid){ossai_mat3_identity(), {0, 0, 0}};
	OSSAI_TRY(ossai_ik_followers_find(arena, rig, clip, frame, c->count, c->links, &c->followers));
	c->length = ossai_length(c->end);
	for (size_t i = 0; i + 1 < c->count; i++) c->length += ossai_length(c->links[i].offset);
	return OSSA_OK;
}

/* dependent bones outside the chain follow first; those in it are stored as the others */
static void store(const chain *c, const ossa_rig *rig, ossa_clip *clip, size_t frame, ossa_ik_facts *facts)
{
	for (size_t i = 0; i < c->count; i++) {
		const size_t bone = c->links[i].bone;
		const ossai_quat before = ossai_quat_of(clip->rotations + 4 * (frame * clip->bone_count + bone));
		ossai_drive(rig, clip, frame, bone, ossai_quat_unit(before), c->links[i].local);
	}
	for (size_t i = 0; i < c->count; i++) {
		const ossai_ik_link *l = &c->links[i];
		double *to = clip->rotations + 4 * (frame * clip->bone_count + l->bone);
		const bool turned = ossai_quat_dot(l->local, ossai_quat_of(to)) < 0;
		ossai_quat_store(turned ? ossai_quat_negate(l->local) : l->local, to);
		facts->limited_count += ossai_ik_link_is_limited(l);
	}
}

static ossa_status check(
	ossa_context *context, const ossa_rig *rig, const ossa_ik_goal *goal, const ossa_clip *clip, size_t frame)
{
	const size_t bones = rig->skeleton.bone_count;
	if (goal->bone >= bones) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "there is no bone %zu: the skeleton has %zu, counted from 0",
			goal->bone, bones);
	}
	if (goal->chain < 0) {
		return ossai_fail(
			context, OSSA_ERROR_ARGUMENT, NULL, "%d bones cannot turn: at least 1, or 0 for all below the root", goal->chain);
	}
	if (!clip || clip->bone_count != bones || frame >= clip->frame_count) {
		return ossai_fail(
			context, OSSA_ERROR_ARGUMENT, NULL, "there is no frame %zu of a motion of the rig's %zu bones", frame, bones);
	}
	if (!isfinite(goal->position[0]) || !isfinite(goal->position[1]) || !isfinite(goal->position[2])) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "the target is not finite");
	}
	return OSSA_OK;
}

/* the chain from `lowest` up, where it is in loops: is_in_loops, and nothing otherwise */
static ossa_status reach_in_loops(ossai_arena *arena, const ossa_rig *rig, const ossa_ik_goal *goal, int32_t lowest,
	size_t count, ossa_clip *clip, size_t frame, ossa_ik_facts *facts, bool *is_in_loops)
{
	uint8_t *turns = ossai_arena_zero(arena, rig->skeleton.bone_count, 1);
	uint8_t *loops = ossai_arena_zero(arena, rig->loop_count, 1);
	if (!turns || !loops) return ossa_context_error(arena->context)->status;
	for (int32_t b = lowest; count > 0; count--, b = rig->skeleton.bones[b].parent) turns[b] = b > 0;
	*is_in_loops = ossai_ik_mark_loops(rig, turns, loops);
	if (!*is_in_loops) return OSSA_OK;
	double length = 0;
	OSSAI_TRY(ossai_ik_reach_in_loops(arena, rig, goal, turns, loops, clip, frame, &facts->distance));
	for (size_t b = 1; b < rig->skeleton.bone_count; b++) {
		ossai_ik_link link;
		if (!turns[b]) continue;
		ossai_ik_link_begin(rig, clip, frame, (uint32_t)b, &link);
		length += ossai_length(link.offset);
		facts->limited_count += ossai_ik_link_is_limited(&link);
		facts->bone_count++;
	}
	facts->is_reached = facts->distance <= near_enough * length;
	return OSSA_OK;
}

static ossa_status reach(
	ossai_arena *arena, const ossa_rig *rig, const ossa_ik_goal *goal, ossa_clip *clip, size_t frame, ossa_ik_facts *facts)
{
	const ossa_bone *bone = &rig->skeleton.bones[goal->bone];
	const int32_t lowest = goal->of_joint ? bone->parent : (int32_t)goal->bone;
	chain c = {.context = arena->context, .goal = ossai_v3_of(goal->position), .count = count_links(rig, goal, lowest)};
	if (c.count == 0) {
		return ossai_fail(arena->context, OSSA_ERROR_ARGUMENT, NULL,
			"no bone above %s may turn: give a longer chain to turn the root", bone->name);
	}
	bool is_in_loops = false;
	OSSAI_TRY(reach_in_loops(arena, rig, goal, lowest, c.count, clip, frame, facts, &is_in_loops));
	if (is_in_loops) return OSSA_OK;
	const ossai_mat3 frame_of_bone = ossai_quat_matrix(ossai_quat_of(bone->orientation));
	c.end = goal->of_joint ? ossai_ik_offset(rig, clip, frame, goal->bone)
						   : ossai_mat3_tmul_v(&frame_of_bone, ossai_sub(ossai_v3_of(bone->tail), ossai_v3_of(bone->joint)));
	OSSAI_TRY(begin_chain(arena, rig, clip, frame, lowest, &c));
	ossai_ik_link *kept = ossai_arena_new(arena, c.count, sizeof *kept);
	if (!kept) return ossa_context_error(arena->context)->status;
	ossai_vec3 point = place_links(&c, c.links);
	facts->rounds = approach(&c, &point, 0);
	if (ossai_distance(point, c.goal) > near_enough * c.length) facts->rounds = unbend(&c, kept, &point, facts->rounds);
	facts->bone_count = c.count;
	facts->distance = ossai_distance(point, c.goal);
	facts->is_reached = facts->distance <= near_enough * c.length;
	if (facts->rounds > 0) store(&c, rig, clip, frame, facts);
	return OSSA_OK;
}

ossa_status ossa_rig_reach(
	ossa_context *context, const ossa_rig *rig, const ossa_ik_goal *goal, ossa_clip *clip, size_t frame, ossa_ik_facts *facts)
{
	ossa_ik_facts own;
	if (!facts) facts = &own;
	*facts = (ossa_ik_facts){0};
	OSSAI_NEED(context, rig, goal, clip);
	OSSAI_TRY(ossai_rig_check_whole(context, rig));
	ossai_arena arena = ossai_arena_begin(context);
	ossa_status status = check(context, rig, goal, clip, frame);
	if (status == OSSA_OK) status = reach(&arena, rig, goal, clip, frame, facts);
	ossai_arena_end(&arena);
	return status;
}

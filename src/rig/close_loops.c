/* rig/close_loops.c: joints of loops turn until the loops are closed.

   Place in the path: posing, edits of a motion.
   Input: a rig's loops, a motion before and after it was edited, the joints that were posed.
   Output: the motion, with rotations of the other joints of the loops.
   Loops that have a bone in common are closed at once, by ties.h. Newton's steps find the nearest
   solution, and a crank that turned far has others near: so the edit is gone through in small
   steps, and the loops are closed after each. */
#include <ossa/loops.h>

#include "base/union_find.h"
#include "math/affine.h"
#include "rig/drive.h"
#include "rig/pose.h"
#include "rig/ik_link.h"
#include "rig/ties.h"
#include "rig/turns.h"

#include <string.h>

enum { STEPS_MAX = 72 };

/* radians of any joint of a loop in a step */
static const double LARGEST_STEP = 5 * OSSAI_PI / 180;
/* of the lengths of a loop's bones: ossa_loop_facts */
static const double OPEN = 1e-6;
/* radians: what rounding turns */
static const double STILL = 1e-9;
/* degrees, as ossa_limit_facts has it */
static const double PAST_LIMITS = 0.01;

typedef struct closing {
	ossa_context *context;
	const ossa_rig *rig;
	const ossa_clip *before; /* or NULL */
	const uint8_t *posed;    /* or NULL */
	ossa_clip *clip;
	uint8_t *on_loop;  /* loops x B: the bones between the two and where their paths meet */
	double *length;    /* of each loop */
	uint32_t *group;   /* union-find over loops: they have a bone in common */
	uint8_t *is_near;  /* B: on a loop of the group */
	uint8_t *turns;    /* B: of these, the joints that may turn */
	ossai_quat *after; /* B: as the edits have them */
	double *rotations; /* B x 4: the same */
	ossai_tie *ties;   /* the group's */
	size_t *loop_of_tie;
	double *gap;
	ossa_loop_facts *facts;
} closing;

static double *rotation_of(const ossa_clip *clip, size_t frame, size_t bone)
{
	return clip->rotations + 4 * (frame * clip->bone_count + bone);
}

static ossai_quat local_of(const ossa_clip *clip, size_t frame, size_t bone)
{
	return ossai_quat_unit(ossai_quat_of(rotation_of(clip, frame, bone)));
}

/* ---- gaps ---- */

static ossai_rigid world_of(const ossa_rig *rig, const ossa_clip *clip, size_t frame, int32_t bone)
{
	ossai_rigid world = {ossai_mat3_identity(), {0, 0, 0}};
	for (; bone >= 0; bone = rig->skeleton.bones[bone].parent) {
		const ossai_rigid local = {
			ossai_quat_matrix(local_of(clip, frame, (size_t)bone)), ossai_ik_offset(rig, clip, frame, (size_t)bone)};
		world = ossai_rigid_mul(&local, &world);
	}
	return world;
}

double ossa_rig_loop_gap(const ossa_rig *rig, const ossa_clip *clip, size_t frame, size_t loop)
{
	if (rig && !clip) clip = rig->clip;
	if (!rig || !clip || loop >= rig->loop_count || frame >= clip->frame_count) return 0;
	const ossai_tie tie = ossai_tie_of_loop(rig, &rig->loops[loop]);
	ossai_vec3 place[2];
	for (int end = 0; end < 2; end++) {
		const ossai_rigid world = world_of(rig, clip, frame, tie.bone[end]);
		place[end] = ossai_rigid_point(&world, tie.point[end]);
	}
	return ossai_distance(place[0], place[1]);
}

/* of the pose before the edits */
static void keep_gap(const closing *c, size_t frame, ossai_tie *tie)
{
	if (!c->before) return;
	const ossai_rigid world[2] = {
		world_of(c->rig, c->before, frame, tie->bone[0]), world_of(c->rig, c->before, frame, tie->bone[1])};
	ossai_tie_keep_gap(world, tie);
}

/* ---- loops ---- */

static void find_loops(closing *c)
{
	const ossa_skeleton *skeleton = &c->rig->skeleton;
	const size_t bones = skeleton->bone_count;
	for (uint32_t i = 0; i < c->rig->loop_count; i++) {
		uint8_t *own = c->on_loop + i * bones;
		c->group[i] = i;
		for (size_t b = 1; b < bones; b++) {
			own[b] = ossai_is_on_loop(skeleton, &c->rig->loops[i], (int32_t)b);
			if (own[b]) c->length[i] += ossai_length(ossai_rest_offset(skeleton->bones, b));
		}
		for (uint32_t k = 0; k < i; k++) {
			bool meet = false;
			for (size_t b = 1; b < bones && !meet; b++) meet = own[b] && c->on_loop[k * bones + b];
			if (meet) ossai_union_join(c->group, k, i);
		}
	}
}

/* ---- one group in one frame ---- */

static bool has_posed_dependent(const closing *c, size_t frame, size_t bone)
{
	for (size_t i = 0; i < c->rig->dependency_count; i++) {
		const ossa_dependency *d = &c->rig->dependencies[i];
		if (d->driver == (int32_t)bone && c->posed[frame * c->clip->bone_count + (size_t)d->bone]) return true;
	}
	return false;
}

static bool may_turn(const closing *c, size_t frame, size_t bone)
{
	if (!ossai_joint_may_turn(&c->rig->skeleton.bones[bone])) return false;
	if (!c->posed) return true;
	return !c->posed[frame * c->clip->bone_count + bone] && !has_posed_dependent(c, frame, bone);
}

/* ties, bones and joints of a group; returns the number of ties */
static size_t begin_group(closing *c, uint32_t root, size_t frame)
{
	const size_t bones = c->clip->bone_count;
	size_t count = 0;
	memset(c->is_near, 0, bones);
	memset(c->turns, 0, bones);
	for (uint32_t i = 0; i < c->rig->loop_count; i++) {
		if (ossai_union_find(c->group, i) != root) continue;
		for (size_t b = 0; b < bones; b++) c->is_near[b] |= c->on_loop[i * bones + b];
		c->loop_of_tie[count] = i;
		c->ties[count] = ossai_tie_of_loop(c->rig, &c->rig->loops[i]);
		keep_gap(c, frame, &c->ties[count++]);
	}
	for (size_t b = 0; b < bones; b++) c->turns[b] = c->is_near[b] && may_turn(c, frame, b);
	return count;
}

static double turned_by(const closing *c, size_t frame, size_t bone)
{
	const ossai_quat before = local_of(c->before, frame, bone), after = local_of(c->clip, frame, bone);
	return ossai_quat_angle(ossai_quat_mul(ossai_quat_conjugate(before), after));
}

static bool has_moved(const closing *c, size_t frame, size_t bone)
{
	if (turned_by(c, frame, bone) > STILL) return true;
	const ossai_vec3 was = ossai_ik_offset(c->rig, c->before, frame, bone), is = ossai_ik_offset(c->rig, c->clip, frame, bone);
	return ossai_distance(was, is) > 0;
}

/* how many steps the edit is gone through in; 0: nothing moved */
static int count_steps(const closing *c, size_t frame)
{
	double most = 0;
	bool any = !c->before;
	for (size_t b = 0; b < c->clip->bone_count && c->before; b++) {
		if (!c->is_near[b]) continue;
		any = any || has_moved(c, frame, b);
		most = fmax(most, turned_by(c, frame, b));
	}
	return !any ? 0 : (int)fmin(fmax(ceil(most / LARGEST_STEP), 1), STEPS_MAX);
}

/* a part of the edits on top of what the joints have turned since */
static void advance(const closing *c, size_t frame, int step, int steps)
{
	for (size_t b = 0; b < c->clip->bone_count; b++) {
		if (!c->is_near[b]) continue;
		const ossai_quat before = local_of(c->before, frame, b), after = c->after[b];
		const ossai_quat from = ossai_quat_slerp(before, after, (double)(step - 1) / steps);
		const ossai_quat to = ossai_quat_slerp(before, after, (double)step / steps);
		const ossai_quat more = ossai_quat_mul(ossai_quat_conjugate(from), to);
		const ossai_quat now = step == 1 ? before : local_of(c->clip, frame, b);
		const bool is_exact = step == steps && !c->turns[b];
		ossai_quat_store(is_exact ? after : ossai_quat_unit(ossai_quat_mul(now, more)), rotation_of(c->clip, frame, b));
	}
}

static void count(const closing *c, size_t frame, size_t tie_count)
{
	for (size_t i = 0; i < tie_count; i++) {
		const size_t loop = c->loop_of_tie[i];
		if (c->gap[i] <= OPEN * c->length[loop]) {
			c->facts->closed_count++;
			continue;
		}
		c->facts->open_count++;
		if (!(c->gap[i] > c->facts->widest)) continue;
		c->facts->widest = c->gap[i];
		c->facts->widest_loop = loop;
		c->facts->widest_frame = frame;
	}
}

static bool is_within_limits(const closing *c, size_t frame)
{
	for (size_t b = 0; b < c->clip->bone_count; b++) {
		const ossa_bone *bone = &c->rig->skeleton.bones[b];
		double past;
		if (!c->turns[b] || !bone->has_limits) continue;
		const ossai_quat back = ossai_quat_conjugate(ossai_rest_rotation(c->rig->skeleton.bones, b));
		ossai_turn_within_limits(bone, ossai_turn_in(c->clip, frame, b, back), &past);
		if (past > PAST_LIMITS) return false;
	}
	return true;
}

static ossa_status go_through(closing *c, size_t frame, int steps, size_t ties, bool has_limits)
{
	for (size_t b = 0; b < c->clip->bone_count; b++) {
		if (c->is_near[b]) ossai_quat_store(c->after[b], rotation_of(c->clip, frame, b));
	}
	for (int step = 1; step <= steps; step++) {
		if (c->before) advance(c, frame, step, steps);
		ossai_arena scratch = ossai_arena_begin(c->context);
		const ossa_status status = ossai_ties_close(
			&scratch, c->rig, c->clip, frame, ties, c->ties, c->turns, has_limits, c->gap);
		ossai_arena_end(&scratch);
		OSSAI_TRY(status);
	}
	return OSSA_OK;
}

/* A pose is within limits whichever way round a joint came to it: limits count on the way only
   where it is not. */
static ossa_status close_group(closing *c, uint32_t root, size_t frame)
{
	const size_t ties = begin_group(c, root, frame);
	const int steps = count_steps(c, frame);
	if (steps == 0) return OSSA_OK;
	for (size_t b = 0; b < c->clip->bone_count; b++) {
		c->after[b] = local_of(c->clip, frame, b);
		ossai_quat_store(c->after[b], c->rotations + 4 * b);
	}
	OSSAI_TRY(go_through(c, frame, steps, ties, false));
	if (!is_within_limits(c, frame)) OSSAI_TRY(go_through(c, frame, steps, ties, true));
	/* dependent bones that are on no loop follow, by what the joints turned beside the edits */
	ossai_drive_others(c->rig, c->clip, frame, c->turns, c->rotations);
	count(c, frame, ties);
	return OSSA_OK;
}

/* ---- the whole ---- */

/* consistent signs over time, as ossa_clip requires */
static void make_continuous(ossa_clip *clip)
{
	const size_t row = 4 * clip->bone_count;
	for (size_t i = row; i < row * clip->frame_count; i += 4) {
		const ossai_quat now = ossai_quat_of(clip->rotations + i);
		if (ossai_quat_dot(now, ossai_quat_of(clip->rotations + i - row)) < 0)
			ossai_quat_store(ossai_quat_negate(now), clip->rotations + i);
	}
}

static ossa_status close_all(ossai_arena *arena, closing *c)
{
	const size_t bones = c->rig->skeleton.bone_count, loops = c->rig->loop_count;
	c->on_loop = ossai_arena_zero(arena, loops, bones);
	c->length = ossai_arena_zero(arena, loops, sizeof *c->length);
	c->group = ossai_arena_new(arena, loops, sizeof *c->group);
	c->is_near = ossai_arena_new(arena, bones, 1);
	c->turns = ossai_arena_new(arena, bones, 1);
	c->after = ossai_arena_new(arena, bones, sizeof *c->after);
	c->rotations = ossai_arena_new(arena, bones, 4 * sizeof *c->rotations);
	c->ties = ossai_arena_new(arena, loops, sizeof *c->ties);
	c->loop_of_tie = ossai_arena_new(arena, loops, sizeof *c->loop_of_tie);
	c->gap = ossai_arena_new(arena, loops, sizeof *c->gap);
	const bool all = c->on_loop && c->length && c->group && c->is_near && c->turns && c->after && c->rotations && c->ties &&
		c->loop_of_tie && c->gap;
	if (!all) return ossa_context_error(c->context)->status;
	find_loops(c);
	for (size_t f = 0; f < c->clip->frame_count; f++) {
		for (uint32_t i = 0; i < loops; i++) {
			if (ossai_union_find(c->group, i) == i) OSSAI_TRY(close_group(c, i, f));
		}
	}
	make_continuous(c->clip);
	return OSSA_OK;
}

static ossa_status check(ossa_context *context, const ossa_rig *rig, const ossa_clip *before, const ossa_clip *clip)
{
	const size_t bones = rig->skeleton.bone_count;
	if (clip->bone_count != bones || (before && before->bone_count != bones)) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "the motion is for %zu bones, the skeleton has %zu",
			clip->bone_count != bones ? clip->bone_count : before->bone_count, bones);
	}
	if (!before || before->frame_count == clip->frame_count) return OSSA_OK;
	return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "the motion before the edits has %zu frames, after them %zu",
		before->frame_count, clip->frame_count);
}

ossa_status ossa_rig_close_loops(ossa_context *context, const ossa_rig *rig, const ossa_clip *before, const uint8_t *posed,
	ossa_clip *clip, ossa_loop_facts *facts)
{
	ossa_loop_facts own;
	if (!facts) facts = &own;
	*facts = (ossa_loop_facts){0};
	OSSAI_NEED(context, rig, clip);
	OSSAI_TRY(ossai_rig_check_whole(context, rig));
	OSSAI_TRY(check(context, rig, before, clip));
	if (rig->loop_count == 0) return OSSA_OK;
	ossai_arena arena = ossai_arena_begin(context);
	closing c = {.context = context, .rig = rig, .before = before, .posed = posed, .clip = clip, .facts = facts};
	const ossa_status status = close_all(&arena, &c);
	ossai_arena_end(&arena);
	return status;
}

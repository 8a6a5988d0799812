/* metrics/nearness.c: how near a skeleton is to another one, as the field measures it.

   Place in the path: after the rig.
   Input: two rigs of one shape.
   Output: ossa_nearness. */
#include "base/context.h"
#include "math/assignment.h"
#include "rig/pose.h"
#include "rig/turns.h"
#include "mesh/bounds.h"

#include <ossa/metrics.h>
#include <string.h>

/* joints that turn less say nothing of their place */
static const double least_turn = 10;
/* a joint counts as found within this share of the side */
static const double near_share = 0.05;
enum { POINTS_PER_BONE = 20 };

typedef struct points {
	size_t count;
	ossai_vec3 *at;
} points;

typedef struct comparing {
	ossa_context *context;
	ossai_arena arena;
	const ossa_rig *rig, *truth;
	bool has_motion; /* both have, of as many frames */
	double side;
	size_t judged_count;
	uint32_t *judged; /* joints of the truth */
	points ours, true_joints, our_bones, true_bones;
} comparing;

/* largest angle between a joint's rotation and its rest, both against the parent, in degrees */
static double turn_of(const ossa_rig *rig, size_t bone)
{
	const ossai_quat rest = ossai_rest_rotation(rig->skeleton.bones, bone);
	double least_cosine = 1;
	for (size_t f = 0; f < rig->clip->frame_count; f++) {
		const ossai_quat turned = ossai_quat_of(rig->clip->rotations + 4 * (f * rig->clip->bone_count + bone));
		least_cosine = fmin(least_cosine, fabs(ossai_quat_dot(rest, turned)));
	}
	return 2 * acos(fmin(1, least_cosine)) * 180 / OSSAI_PI;
}

static ossa_status choose_judged(comparing *c)
{
	const ossa_weights *weights = &c->truth->weights;
	const size_t bones = c->truth->skeleton.bone_count;
	uint8_t *moves = ossai_arena_zero(&c->arena, bones, 1);
	c->judged = ossai_arena_new(&c->arena, bones, sizeof *c->judged);
	if (!moves || !c->judged) return ossa_context_error(c->context)->status;
	for (size_t i = 0; i < weights->vertex_count * (size_t)weights->influences; i++) {
		if (weights->values[i] > 0) moves[weights->bones[i]] = 1;
	}
	for (size_t b = 0; b < bones; b++) {
		if (moves[b] && (!c->has_motion || turn_of(c->truth, b) >= least_turn)) c->judged[c->judged_count++] = (uint32_t)b;
	}
	if (c->judged_count > 0) return OSSA_OK;
	return ossai_fail(c->context, OSSA_ERROR_INPUT, NULL,
		c->has_motion ? "no joint of the true rig turns by %g degrees or more" : "no joint of the true rig moves a vertex",
		least_turn);
}

/* ---- points ---- */

static ossa_status new_points(comparing *c, size_t count, points *made)
{
	made->at = ossai_arena_new(&c->arena, count, sizeof *made->at);
	return made->at ? OSSA_OK : ossa_context_error(c->context)->status;
}

static void add_bone(points *line, ossai_vec3 from, ossai_vec3 to)
{
	for (int i = 0; i < POINTS_PER_BONE; i++) {
		const double t = (double)i / (POINTS_PER_BONE - 1);
		line->at[line->count++] = ossai_add(ossai_scale(from, 1 - t), ossai_scale(to, t));
	}
}

static ossai_vec3 joint_of(const ossa_rig *rig, size_t bone) { return ossai_v3_of(rig->skeleton.bones[bone].joint); }

/* points along the lines from joints to the nearest joints above them that are in `chosen`; the
   joints alone where there is no line */
static ossa_status bone_points(
	comparing *c, const ossa_rig *rig, const uint32_t *chosen, size_t count, const points *joints, points *made)
{
	uint8_t *is_chosen = ossai_arena_zero(&c->arena, rig->skeleton.bone_count, 1);
	OSSAI_TRY(new_points(c, count * POINTS_PER_BONE, made));
	if (!is_chosen) return ossa_context_error(c->context)->status;
	for (size_t i = 0; i < count; i++) is_chosen[chosen ? chosen[i] : i] = 1;
	for (size_t i = 0; i < count; i++) {
		const size_t bone = chosen ? chosen[i] : i;
		int32_t above = rig->skeleton.bones[bone].parent;
		while (above >= 0 && !is_chosen[above]) above = rig->skeleton.bones[above].parent;
		if (above >= 0) add_bone(made, joint_of(rig, (size_t)above), joint_of(rig, bone));
	}
	if (made->count == 0) *made = *joints;
	return OSSA_OK;
}

static ossa_status gather_points(comparing *c)
{
	OSSAI_TRY(new_points(c, c->rig->skeleton.bone_count, &c->ours));
	OSSAI_TRY(new_points(c, c->judged_count, &c->true_joints));
	for (size_t b = 0; b < c->rig->skeleton.bone_count; b++) c->ours.at[c->ours.count++] = joint_of(c->rig, b);
	for (size_t i = 0; i < c->judged_count; i++) c->true_joints.at[c->true_joints.count++] = joint_of(c->truth, c->judged[i]);
	OSSAI_TRY(bone_points(c, c->rig, NULL, c->ours.count, &c->ours, &c->our_bones));
	return bone_points(c, c->truth, c->judged, c->judged_count, &c->true_joints, &c->true_bones);
}

/* ---- distances ---- */

/* mean distance from points to the nearest of others, in sides */
static double mean_nearest(const comparing *c, const points *from, const points *to)
{
	double sum = 0;
	for (size_t i = 0; i < from->count; i++) {
		double least = INFINITY;
		for (size_t k = 0; k < to->count; k++) least = fmin(least, ossai_length2(ossai_sub(from->at[i], to->at[k])));
		sum += sqrt(least);
	}
	return sum / (double)from->count / c->side;
}

/* ---- one to one ---- */

/* our joint and the true one that it is matched with; as many as the fewer of both */
typedef struct match {
	uint32_t ours, truth;
} match;

static ossa_status match_joints(comparing *c, match *matches, size_t count)
{
	const bool ours_fewer = c->ours.count < c->true_joints.count;
	const points *rows = ours_fewer ? &c->ours : &c->true_joints, *columns = ours_fewer ? &c->true_joints : &c->ours;
	double *cost = ossai_arena_new(&c->arena, rows->count * columns->count, sizeof *cost);
	uint32_t *column_of_row = ossai_arena_new(&c->arena, rows->count, sizeof *column_of_row);
	if (!cost || !column_of_row) return ossa_context_error(c->context)->status;
	for (size_t i = 0; i < rows->count; i++) {
		for (size_t k = 0; k < columns->count; k++) {
			cost[i * columns->count + k] = ossai_length(ossai_sub(rows->at[i], columns->at[k]));
		}
	}
	OSSAI_TRY(ossai_assign(&c->arena, rows->count, columns->count, cost, column_of_row));
	for (uint32_t i = 0; i < count; i++) {
		matches[i] = ours_fewer ? (match){i, column_of_row[i]} : (match){column_of_row[i], i};
	}
	return OSSA_OK;
}

static ossai_vec3 world_joint(const double *matrices, size_t bone)
{
	return (ossai_vec3){matrices[12 * bone + 3], matrices[12 * bone + 7], matrices[12 * bone + 11]};
}

static ossa_status measure_motion(comparing *c, const match *matches, size_t count, ossa_nearness *nearness)
{
	double *ours = ossai_arena_new(&c->arena, c->rig->skeleton.bone_count, 12 * sizeof *ours);
	double *theirs = ossai_arena_new(&c->arena, c->truth->skeleton.bone_count, 12 * sizeof *theirs);
	const size_t frames = c->rig->clip->frame_count;
	double sum = 0;
	if (!ours || !theirs) return ossa_context_error(c->context)->status;
	for (size_t f = 0; f < frames; f++) {
		ossa_rig_joint_matrices(c->rig, c->rig->clip, f, ours);
		ossa_rig_joint_matrices(c->truth, c->truth->clip, f, theirs);
		for (size_t i = 0; i < count; i++) {
			const ossai_vec3 there = world_joint(theirs, c->judged[matches[i].truth]);
			sum += ossai_length(ossai_sub(world_joint(ours, matches[i].ours), there));
		}
	}
	nearness->jacc_percent = 100 * sum / (double)(frames * count) / c->side;
	return OSSA_OK;
}

static ossa_status measure_matches(comparing *c, ossa_nearness *nearness)
{
	const size_t count = c->ours.count < c->true_joints.count ? c->ours.count : c->true_joints.count;
	match *matches = ossai_arena_new(&c->arena, count, sizeof *matches);
	if (!matches) return ossa_context_error(c->context)->status;
	OSSAI_TRY(match_joints(c, matches, count));
	size_t found = 0;
	for (size_t i = 0; i < count; i++) {
		const ossai_vec3 displacement = ossai_sub(c->ours.at[matches[i].ours], c->true_joints.at[matches[i].truth]);
		found += ossai_length(displacement) < near_share * c->side;
	}
	nearness->joint_precision_5 = (double)found / (double)c->ours.count;
	nearness->joint_recall_5 = (double)found / (double)c->true_joints.count;
	return c->has_motion ? measure_motion(c, matches, count, nearness) : OSSA_OK;
}

static ossa_status compare(comparing *c, ossa_nearness *nearness)
{
	if (c->rig->skeleton.bone_count == 0) {
		return ossai_fail(c->context, OSSA_ERROR_INPUT, NULL, "the rig has no joints to compare");
	}
	OSSAI_TRY(choose_judged(c));
	OSSAI_TRY(gather_points(c));
	nearness->truth_joints = (int)c->judged_count;
	nearness->true_to_ours = mean_nearest(c, &c->true_joints, &c->ours);
	nearness->cd_j2j = (nearness->true_to_ours + mean_nearest(c, &c->ours, &c->true_joints)) / 2;
	nearness->cd_j2b = (mean_nearest(c, &c->ours, &c->true_bones) + mean_nearest(c, &c->true_joints, &c->our_bones)) / 2;
	nearness->cd_b2b = (mean_nearest(c, &c->our_bones, &c->true_bones) + mean_nearest(c, &c->true_bones, &c->our_bones)) / 2;
	return measure_matches(c, nearness);
}

static ossa_status check_rig(ossa_context *context, const ossa_rig *rig)
{
	OSSAI_TRY(ossai_rig_check_fit(context, rig, &rig->weights, rig->clip));
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		const ossa_bone *bone = &rig->skeleton.bones[b];
		for (int k = 0; k < 3; k++) {
			if (isfinite(bone->joint[k]) && isfinite(bone->tail[k])) continue;
			return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "the joint or tail of bone %zu is not finite", b);
		}
	}
	return OSSA_OK;
}

ossa_status ossa_rig_nearness(ossa_context *context, const ossa_rig *rig, const ossa_rig *truth, ossa_nearness *nearness)
{
	if (nearness) *nearness = (ossa_nearness){0, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
	OSSAI_NEED(context, rig, truth, nearness);
	OSSAI_TRY(check_rig(context, rig));
	OSSAI_TRY(check_rig(context, truth));
	comparing c = {.context = context, .arena = ossai_arena_begin(context), .rig = rig, .truth = truth};
	const ossa_clip *clip = rig->clip, *true_clip = truth->clip;
	c.has_motion = clip && true_clip && clip->frame_count > 0 && clip->frame_count == true_clip->frame_count;
	c.side = ossai_bounds_make(truth->mesh->vertex_count, truth->mesh->positions).largest_side;
	const ossa_status status = compare(&c, nearness);
	ossai_arena_end(&c.arena);
	return status;
}

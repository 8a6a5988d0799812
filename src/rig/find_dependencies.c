/* rig/find_dependencies.c: finds dependent bones: hinges whose angle is a linear function of
   another hinge's, or of the twist of a ball or universal joint about the hinge's axis.

   Place in the path: a finished rig with motion -> here -> the rig's dependencies.
   Input: hinges, how sure their angles are, motions.
   Output: dependencies, each with one driver.
   The angle of a hinge b is on a line, r a + o, where a is the angle of a hinge nearer to the root
   or, for one that turns about its length (a twist bone), the twist of any joint about b's axis
   (hinge.h). Two questions are asked of each pair; s = s_b + |r| s_a is how unsure both angles are.
   - Is b on the line? The mean square of the residual in units of s, l, must not show a second
     dimension by Akaike's criterion (joint_kind.h): l - 1 - log max(l, 1) < 2, up to 2.1 s. A twist
     is unsure by s_a / cos(swing / 2), so its frames count by the square of that cosine.
   - Is it chance? With N independent poses (independent_poses.h; hinges with a driver do not
     count), p numbers of the line and the variance v of b's angle, a free b is less likely than
     the line by log(1 + v / s^2) - max(l - 1, 0) for each of N - p poses: twice the logarithm of
     the ratio of likelihoods. It must exceed 2 log M, as the best of M drivers is taken, by 6:
     strong evidence (R. Kass, A. Raftery, Bayes Factors, JASA 90, 1995).
   So one pose shows nothing, nor does one motion in many frames, in which all hinges go together.
   Bones are tried from the root outwards, and what is driven drives nothing: there are no chains,
   and no circles. */
#include "base/context.h"
#include "mesh/bounds.h"
#include "rig/dependencies.h"
#include "rig/driver_line.h"
#include "rig/hinge.h"
#include "rig/pose.h"
#include "rig/turns.h"
#include "skeleton/from_motion/independent_poses.h"
#include "skeleton/from_motion/joint_kind.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct hinge {
	uint32_t bone;
	size_t depth;
	double unsure;          /* degrees */
	double *angle;          /* F, degrees */
	uint32_t driver;        /* bone, or OSSA_NONE */
	double axis[3];         /* the driver's, as of ossa_dependency */
	ossai_driver_line line; /* where it has a driver */
	size_t driver_count;    /* that it could have had */
} hinge;

typedef struct finding {
	ossai_arena *arena;
	const ossa_rig *rig;
	size_t frame_count; /* of all motions */
	size_t hinge_count;
	hinge *hinges;            /* from the root outwards */
	double *unsure;           /* B: how unsure turns are, degrees */
	double *twist, *sureness; /* F: of the joint that is tried */
	double poses;             /* independent ones */
} finding;

/* ---- hinges ---- */

static size_t depth_of(const ossa_skeleton *skeleton, size_t bone)
{
	size_t depth = 0;
	for (int32_t up = skeleton->bones[bone].parent; up >= 0; up = skeleton->bones[up].parent) depth++;
	return depth;
}

static double length_of(const ossa_bone *bone) { return ossai_distance(ossai_v3_of(bone->joint), ossai_v3_of(bone->tail)); }

/* of rigs from files by what a bone's length allows */
static double unsure_of(const ossa_rig *rig, double diagonal, size_t b)
{
	const ossa_bone *bone = &rig->skeleton.bones[b];
	double noise[9];
	if (bone->turn_deviation > 0) return bone->turn_deviation;
	ossai_turn_noise_of_lengths(length_of(bone) / diagonal, length_of(&rig->skeleton.bones[bone->parent]) / diagonal, noise);
	return ossai_turn_deviation(noise, bone->kind, ossai_v3_of(bone->axis));
}

static double diagonal_of(const ossa_mesh *mesh)
{
	const double diagonal = ossai_bounds_make(mesh->vertex_count, mesh->positions).diagonal;
	return diagonal > 0 ? diagonal : 1;
}

static ossa_status follow(const finding *f, hinge *h)
{
	h->angle = ossai_arena_new(f->arena, f->frame_count, sizeof *h->angle);
	if (!h->angle) return ossa_context_error(f->arena->context)->status;
	double *at = h->angle;
	for (size_t i = 0; i < ossa_rig_clip_count(f->rig); i++) {
		const ossa_clip *clip = ossa_rig_clip_at(f->rig, i);
		ossai_hinge_follow(f->rig, clip, h->bone, at);
		at += clip->frame_count;
	}
	return OSSA_OK;
}

static void sort_by_depth(hinge *hinges, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		const hinge moved = hinges[i];
		size_t at = i;
		for (; at > 0 && hinges[at - 1].depth > moved.depth; at--) hinges[at] = hinges[at - 1];
		hinges[at] = moved;
	}
}

static ossa_status collect(finding *f)
{
	const ossa_skeleton *skeleton = &f->rig->skeleton;
	const double diagonal = diagonal_of(f->rig->mesh);
	for (size_t i = 0; i < ossa_rig_clip_count(f->rig); i++) f->frame_count += ossa_rig_clip_at(f->rig, i)->frame_count;
	f->hinges = ossai_arena_zero(f->arena, skeleton->bone_count, sizeof *f->hinges);
	f->unsure = ossai_arena_zero(f->arena, skeleton->bone_count, sizeof *f->unsure);
	f->twist = ossai_arena_new(f->arena, f->frame_count, sizeof *f->twist);
	f->sureness = ossai_arena_new(f->arena, f->frame_count, sizeof *f->sureness);
	if (!f->hinges || !f->unsure || !f->twist || !f->sureness) return ossa_context_error(f->arena->context)->status;
	for (size_t b = 1; b < skeleton->bone_count; b++) {
		f->unsure[b] = unsure_of(f->rig, diagonal, b);
		if (skeleton->bones[b].kind != OSSA_JOINT_HINGE) continue;
		hinge *h = &f->hinges[f->hinge_count++];
		*h = (hinge){.bone = (uint32_t)b, .depth = depth_of(skeleton, b), .unsure = f->unsure[b], .driver = OSSA_NONE};
		OSSAI_TRY(follow(f, h));
	}
	sort_by_depth(f->hinges, f->hinge_count);
	return OSSA_OK;
}

/* ---- independent poses ---- */

/* the turns of joints in a frame of all motions: v = 2 sin(angle / 2) axis; 0 of those with a
   driver */
static void turns_in(const finding *f, const uint8_t *goes_with, size_t frame, ossai_vec3 *v)
{
	size_t i = 0;
	for (; frame >= ossa_rig_clip_at(f->rig, i)->frame_count; i++) frame -= ossa_rig_clip_at(f->rig, i)->frame_count;
	const ossa_clip *clip = ossa_rig_clip_at(f->rig, i);
	for (size_t b = 1; b < clip->bone_count; b++) {
		if (goes_with[b]) continue;
		const ossai_quat back = ossai_quat_conjugate(ossai_rest_rotation(f->rig->skeleton.bones, b));
		const ossai_quat turn = ossai_turn_in(clip, frame, b, back);
		v[b] = ossai_scale(ossai_v3(turn.x, turn.y, turn.z), turn.w < 0 ? -2 : 2);
	}
}

static ossa_status count_poses(finding *f)
{
	const size_t width = f->rig->skeleton.bone_count;
	const size_t frames = f->frame_count < OSSAI_COUNTED_POSES ? f->frame_count : OSSAI_COUNTED_POSES;
	ossai_vec3 *rows = ossai_arena_zero(f->arena, frames + 1, width * sizeof *rows);
	double *variance = ossai_arena_new(f->arena, width, sizeof *variance);
	uint8_t *goes_with = ossai_arena_zero(f->arena, width, 1);
	if (!rows || !variance || !goes_with) return ossa_context_error(f->arena->context)->status;
	for (size_t i = 0; i < f->hinge_count; i++) goes_with[f->hinges[i].bone] = f->hinges[i].driver != OSSA_NONE;
	/* the last row is the rest pose */
	for (size_t k = 0; k < frames; k++) turns_in(f, goes_with, k * f->frame_count / frames, rows + k * width);
	for (size_t b = 0; b < width; b++) {
		const double unsure = f->unsure[b] * OSSAI_PI / 180;
		variance[b] = f->rig->skeleton.bones[b].kind == OSSA_JOINT_HINGE ? unsure * unsure : 3 * unsure * unsure;
	}
	f->poses = ossai_independent_poses(frames + 1, width, rows, variance);
	return OSSA_OK;
}

/* ---- drivers ---- */

/* the first part of the kind of limb, or the trunk, to which a part belongs */
static ossa_body_part limb_of(ossa_body_part part)
{
	static const ossa_body_part first[] = {OSSA_PART_HIPS, OSSA_PART_CLAVICLE, OSSA_PART_UPPER_LEG, OSSA_PART_FRONT_UPPER_LEG,
		OSSA_PART_BACK_UPPER_LEG, OSSA_PART_TAIL};
	size_t i = sizeof first / sizeof first[0] - 1;
	while (i > 0 && part < first[i]) i--;
	return part >= OSSA_PART_TAIL ? part : first[i];
}

/* What moves the arms of a dancer alike is the dance and no mechanism: limbs of a body have no
   driver in each other, whatever their motion shows. */
static bool are_limbs_apart(const finding *f, uint32_t a, uint32_t b)
{
	const ossa_role first = f->rig->skeleton.bones[a].role, second = f->rig->skeleton.bones[b].role;
	if (first.part == OSSA_PART_NONE || second.part == OSSA_PART_NONE) return false;
	return limb_of(first.part) != limb_of(second.part) || first.side * second.side < 0 || first.limb != second.limb;
}

/* takes the driver where it is the best so far, by Akaike's criterion */
static void try_driver(const finding *f, const ossai_driver *a, hinge *own, double *best)
{
	ossai_driver_line found;
	own->driver_count++;
	if (!ossai_driver_line_find(a, f->frame_count, own->angle, own->unsure, &found)) return;
	const double criterion = ossai_driver_line_share(&found) + 2 * found.parameters;
	if (!(criterion < *best)) return;
	*best = criterion;
	own->driver = a->bone;
	own->line = found;
	memcpy(own->axis, a->axis, sizeof own->axis);
}

/* whether a hinge turns about its length rather than across it: one of a twist bone */
static bool is_along(const ossa_bone *bone)
{
	const ossai_vec3 length = ossai_sub(ossai_v3_of(bone->tail), ossai_v3_of(bone->joint)), axis = ossai_v3_of(bone->axis);
	return fabs(ossai_dot(length, axis)) > ossai_length(ossai_cross(length, axis));
}

static bool may_twist(const ossa_bone *bone)
{
	return bone->parent >= 0 && (bone->kind == OSSA_JOINT_BALL || bone->kind == OSSA_JOINT_UNIVERSAL);
}

/* of another joint about the axis of a hinge */
static ossai_driver twist_of(const finding *f, uint32_t bone, const hinge *own)
{
	ossai_driver a = {.bone = bone, .unsure = sqrt(3) * f->unsure[bone], .angle = f->twist, .sureness = f->sureness};
	const ossa_bone *bones = f->rig->skeleton.bones;
	ossai_v3_store(ossai_unit(ossai_v3_of(bones[own->bone].axis), ossai_v3(1, 0, 0)), a.axis);
	ossa_dependency as = {.driver = (int32_t)bone};
	memcpy(as.driver_axis, a.axis, sizeof a.axis);
	const ossai_vec3 axis = ossai_driver_axis(bones, &as);
	size_t at = 0;
	for (size_t i = 0; i < ossa_rig_clip_count(f->rig); i++) {
		const ossa_clip *clip = ossa_rig_clip_at(f->rig, i);
		ossai_twist_follow(f->rig, clip, bone, axis, f->twist + at, f->sureness + at);
		at += clip->frame_count;
	}
	return a;
}

/* of the hinges that are nearer to the root and go with no other, and of the joints that twist */
static void find_driver(const finding *f, size_t b)
{
	hinge *own = &f->hinges[b];
	double best = INFINITY;
	for (size_t i = 0; i < b; i++) {
		const hinge *h = &f->hinges[i];
		if (h->driver != OSSA_NONE || are_limbs_apart(f, h->bone, own->bone)) continue;
		try_driver(f, &(ossai_driver){.bone = h->bone, .unsure = h->unsure, .angle = h->angle}, own, &best);
	}
	const bool is_twist_bone = is_along(&f->rig->skeleton.bones[own->bone]);
	for (uint32_t i = 1; i < f->rig->skeleton.bone_count && is_twist_bone; i++) {
		if (!may_twist(&f->rig->skeleton.bones[i]) || are_limbs_apart(f, i, own->bone)) continue;
		const ossai_driver a = twist_of(f, i, own);
		try_driver(f, &a, own, &best);
	}
}

/* by twice the logarithm of the likelihood ratio; a residual below what is unsure earns nothing */
static bool is_chance(const finding *f, const hinge *h)
{
	const ossai_driver_line *l = &h->line;
	const double worse = fmax(ossai_driver_line_share(l) - 1, 0);
	const double evidence = (f->poses - l->parameters) * (log(1 + l->variance / (l->unsure * l->unsure)) - worse);
	return !(evidence > 2 * log((double)h->driver_count) + OSSAI_STRONG_EVIDENCE);
}

/* ---- what it costs ---- */

static bool is_below(const ossa_skeleton *skeleton, int32_t bone, int32_t above)
{
	while (bone > above) bone = skeleton->bones[bone].parent;
	return bone == above;
}

/* the RMS distance of all vertices for a radian about the hinge: the lever of what is below it, at
   rest */
static double lever_of(const ossa_rig *rig, const uint8_t *moves, const ossa_bone *bone)
{
	const ossa_weights *w = &rig->weights;
	double sum = 0;
	for (size_t v = 0; v < w->vertex_count; v++) {
		double weight = 0;
		for (size_t i = v * (size_t)w->influences; i < (v + 1) * (size_t)w->influences; i++) {
			if (w->values[i] > 0 && moves[w->bones[i]]) weight += (double)w->values[i];
		}
		const ossai_vec3 arm = ossai_sub(ossai_v3_of_float(rig->mesh->positions + 3 * v), ossai_v3_of(bone->joint));
		sum += weight * weight * ossai_length2(ossai_cross(ossai_v3_of(bone->axis), arm));
	}
	return w->vertex_count > 0 ? sqrt(sum / (double)w->vertex_count) : 0;
}

static double cost_of(const finding *f, const hinge *h, uint8_t *moves)
{
	const ossa_skeleton *skeleton = &f->rig->skeleton;
	for (size_t b = 0; b < skeleton->bone_count; b++) moves[b] = is_below(skeleton, (int32_t)b, (int32_t)h->bone);
	return sqrt(h->line.error) * OSSAI_PI / 180 * lever_of(f->rig, moves, &skeleton->bones[h->bone]);
}

/* ---- the whole ---- */

static ossa_status store(const finding *f, ossa_rig *rig)
{
	ossa_dependency *list = ossai_arena_new(f->arena, f->hinge_count, sizeof *list);
	uint8_t *moves = ossai_arena_new(f->arena, rig->skeleton.bone_count, 1);
	size_t count = 0;
	if (!list || !moves) return ossa_context_error(f->arena->context)->status;
	for (size_t i = 0; i < f->hinge_count; i++) {
		const hinge *h = &f->hinges[i];
		if (h->driver == OSSA_NONE || is_chance(f, h)) continue;
		list[count++] = (ossa_dependency){.bone = (int32_t)h->bone,
			.driver = (int32_t)h->driver,
			.ratio = h->line.ratio,
			.offset_degrees = h->line.parameters > 1 ? h->line.offset : 0,
			.error_degrees = sqrt(h->line.error),
			.cost = cost_of(f, h, moves),
			.driver_axis = {h->axis[0], h->axis[1], h->axis[2]}};
	}
	return ossa_rig_set_dependencies(f->arena->context, rig, count, list);
}

static ossa_status find(finding *f, ossa_rig *rig)
{
	OSSAI_TRY(collect(f));
	if (f->hinge_count > 0 && f->frame_count > 0) {
		for (size_t b = 0; b < f->hinge_count; b++) find_driver(f, b);
		OSSAI_TRY(count_poses(f));
	}
	return store(f, rig);
}

ossa_status ossa_rig_find_dependencies(ossa_context *context, ossa_rig *rig)
{
	OSSAI_NEED(context, rig);
	OSSAI_TRY(ossai_rig_check_fit(context, rig, &rig->weights, NULL));
	for (size_t i = 0; i < ossa_rig_clip_count(rig); i++)
		OSSAI_TRY(ossai_rig_check_fit(context, rig, &rig->weights, ossa_rig_clip_at(rig, i)));
	ossai_arena arena = ossai_arena_begin(context);
	finding f = {.arena = &arena, .rig = rig};
	const ossa_status status = find(&f, rig);
	ossai_arena_end(&arena);
	return status;
}

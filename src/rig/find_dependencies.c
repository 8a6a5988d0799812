/* rig/find_dependencies.c: finds dependent bones: hinges whose angle is a linear function of
   another hinge's.

   Place in the path: a finished rig with motion -> here -> the rig's dependencies.
   Input: hinges, how sure their angles are, motions.
   Output: dependencies, each with one driver that is nearer to the root.
   Hinge b turns as a does where b's angle is r a + o in all frames. Two questions are asked of each
   pair:
   - Is that so within what the angles are unsure? With the errors of both, s = s_b + |r| s_a, and l
     the mean square of the residual in units of s: the 2 x 2 covariance of both angles has rank 1
     rather than 2 by Akaike's criterion as in joint_kind.h, l - 1 - log max(l, 1) < 2: up to 2.1 s.
   - Or is it chance? The motion has N independent poses (independent_poses.h); hinges that go with
     another one do not count. Where b turned freely,
     with variance v, its angle would be as near to the line in N - p of them, p the numbers of the
     line, with a likelihood that is lower by the factor (1 + v / s^2)^((N - p) / 2). Twice the
     logarithm must exceed 2 log M, as the best of M drivers is taken, by 6: strong evidence (R.
     Kass, A. Raftery, Bayes Factors, JASA 90, 1995).
   So one pose shows nothing, nor does one motion in many frames: in it all hinges go with each
   other. The offset is 0 where a line through the rest pose is as good as unsure angles can tell.
   Bones are tried from the root outwards, and their drivers are those that are not driven: as
   lines of lines are lines, there are no chains, and no circles. */
#include "base/context.h"
#include "mesh/bounds.h"
#include "rig/dependencies.h"
#include "rig/hinge.h"
#include "rig/pose.h"
#include "rig/turns.h"
#include "skeleton/from_motion/independent_poses.h"
#include "skeleton/from_motion/joint_kind.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct line {
	double ratio, offset;
	double square;  /* mean of the squared residual, square degrees */
	int parameters; /* 1: through the rest pose; 2: with an offset */
} line;

typedef struct hinge {
	uint32_t bone;
	size_t depth;
	double unsure;       /* degrees */
	double *angle;       /* F, degrees */
	double sum, square;  /* over the frames, of it and its square */
	int32_t driver;      /* of the hinges, or -1 */
	line line;           /* where it has a driver */
	size_t driver_count; /* that it could have had */
} hinge;

typedef struct finding {
	ossai_arena *arena;
	const ossa_rig *rig;
	size_t frame_count; /* of all motions */
	size_t hinge_count;
	hinge *hinges;  /* from the root outwards */
	double *unsure; /* B: how unsure turns are, degrees */
	double poses;   /* independent ones */
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
	for (size_t k = 0; k < f->frame_count; k++) {
		h->sum += h->angle[k];
		h->square += h->angle[k] * h->angle[k];
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
	if (!f->hinges || !f->unsure) return ossa_context_error(f->arena->context)->status;
	for (size_t b = 1; b < skeleton->bone_count; b++) {
		f->unsure[b] = unsure_of(f->rig, diagonal, b);
		if (skeleton->bones[b].kind != OSSA_JOINT_HINGE) continue;
		hinge *h = &f->hinges[f->hinge_count++];
		*h = (hinge){.bone = (uint32_t)b, .depth = depth_of(skeleton, b), .unsure = f->unsure[b], .driver = -1};
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
	for (size_t i = 0; i < f->hinge_count; i++) goes_with[f->hinges[i].bone] = f->hinges[i].driver >= 0;
	/* the last row is the rest pose */
	for (size_t k = 0; k < frames; k++) turns_in(f, goes_with, k * f->frame_count / frames, rows + k * width);
	for (size_t b = 0; b < width; b++) {
		const double unsure = f->unsure[b] * OSSAI_PI / 180;
		variance[b] = f->rig->skeleton.bones[b].kind == OSSA_JOINT_HINGE ? unsure * unsure : 3 * unsure * unsure;
	}
	f->poses = ossai_independent_poses(frames + 1, width, rows, variance);
	return OSSA_OK;
}

/* ---- lines ---- */

/* the least squares; false where a's angle does not change */
static bool fit(const finding *f, const hinge *a, const hinge *b, int parameters, line *found)
{
	const double n = (double)f->frame_count, mean_a = parameters > 1 ? a->sum / n : 0, mean_b = parameters > 1 ? b->sum / n : 0;
	double both = 0;
	for (size_t k = 0; k < f->frame_count; k++) both += a->angle[k] * b->angle[k];
	const double aa = a->square - n * mean_a * mean_a, bb = b->square - n * mean_b * mean_b, ab = both - n * mean_a * mean_b;
	if (!(aa > 0)) return false;
	*found = (line){.ratio = ab / aa, .parameters = parameters, .square = fmax(bb - ab * ab / aa, 0) / n};
	found->offset = mean_b - found->ratio * mean_a;
	return found->ratio != 0;
}

static double unsure_beside(const hinge *a, const hinge *b, const line *l) { return b->unsure + fabs(l->ratio) * a->unsure; }

/* of units of what the angles are unsure */
static double share_of(const hinge *a, const hinge *b, const line *l)
{
	const double unsure = unsure_beside(a, b, l);
	return l->square / (unsure * unsure);
}

static bool line_of(const finding *f, const hinge *a, const hinge *b, line *found)
{
	for (int parameters = 1; parameters <= 2; parameters++) {
		if (!fit(f, a, b, parameters, found)) continue;
		const double share = share_of(a, b, found);
		if (share - 1 - log(fmax(share, 1)) < 2) return true;
	}
	return false;
}

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
static bool are_limbs_apart(const finding *f, const hinge *a, const hinge *b)
{
	const ossa_bone *bones = f->rig->skeleton.bones;
	const ossa_role first = bones[a->bone].role, second = bones[b->bone].role;
	if (first.part == OSSA_PART_NONE || second.part == OSSA_PART_NONE) return false;
	return limb_of(first.part) != limb_of(second.part) || first.side * second.side < 0 || first.limb != second.limb;
}

/* the best of those that are nearer to the root and go with no other, by Akaike's criterion */
static void find_driver(const finding *f, size_t b)
{
	hinge *own = &f->hinges[b];
	double best = INFINITY;
	for (size_t a = 0; a < b; a++) {
		line found;
		if (f->hinges[a].driver >= 0 || are_limbs_apart(f, &f->hinges[a], own)) continue;
		own->driver_count++;
		if (!line_of(f, &f->hinges[a], own, &found)) continue;
		const double criterion = share_of(&f->hinges[a], own, &found) + 2 * found.parameters;
		if (!(criterion < best)) continue;
		best = criterion;
		own->driver = (int32_t)a;
		own->line = found;
	}
}

/* twice the logarithm of the likelihood ratio; the rest pose is one of the angles */
static bool is_chance(const finding *f, const hinge *h)
{
	const hinge *driver = &f->hinges[h->driver];
	const double n = (double)f->frame_count + 1, mean = h->sum / n, variance = h->square / n - mean * mean;
	const double unsure = unsure_beside(driver, h, &h->line);
	const double evidence = (f->poses - h->line.parameters) * log(1 + variance / (unsure * unsure));
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
	return sqrt(h->line.square) * OSSAI_PI / 180 * lever_of(f->rig, moves, &skeleton->bones[h->bone]);
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
		if (h->driver < 0 || is_chance(f, h)) continue;
		list[count++] = (ossa_dependency){.bone = (int32_t)h->bone,
			.driver = (int32_t)f->hinges[h->driver].bone,
			.ratio = h->line.ratio,
			.offset_degrees = h->line.parameters > 1 ? h->line.offset : 0,
			.error_degrees = sqrt(h->line.square),
			.cost = cost_of(f, h, moves)};
	}
	return ossa_rig_set_dependencies(f->arena->context, rig, count, list);
}

static ossa_status find(finding *f, ossa_rig *rig)
{
	OSSAI_TRY(collect(f));
	if (f->hinge_count > 1 && f->frame_count > 0) {
		for (size_t b = 1; b < f->hinge_count; b++) find_driver(f, b);
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

/* retarget/by_role.c: see by_role.h.

   Place in the path: two actors -> clip.
   Input: bodies of the same kind, the motion of one.
   Output: a clip for the bones of the other.

   Directions of limbs, relative to each body's own axes, become those of the source; the pelvis
   goes the source's path times the ratio of the legs, and feet stand where the source's stand. */
#include "retarget/by_role.h"

#include "retarget/align.h"
#include "retarget/feet.h"
#include "retarget/hands.h"
#include "retarget/pairs.h"
#include "retarget/smooth_turns.h"

#include <string.h>

typedef struct retargeting {
	ossa_context *context;
	ossai_arena arena;
	const ossai_actor *target, *source;
	const ossa_retarget_options *options;
	const uint32_t *forced;
	ossai_pairs pairs;
	ossai_quat *align; /* B */
	ossai_legs *legs;
	ossai_vec3 *foot_turns; /* F x legs */
	ossai_hands hands;
	ossai_moved moved;
	double *worlds;   /* of the source in the current frame: B x 12 */
	ossai_quat *turn; /* of its bones since their rest, in the target's axes */
	size_t limited_frames;
} retargeting;

static ossa_status prepare(retargeting *r)
{
	const ossa_skeleton *target = &r->target->rig->skeleton, *source = &r->source->rig->skeleton;
	r->align = ossai_arena_new(&r->arena, target->bone_count, sizeof *r->align);
	r->worlds = ossai_arena_new(&r->arena, source->bone_count, 12 * sizeof *r->worlds);
	r->turn = ossai_arena_new(&r->arena, source->bone_count, sizeof *r->turn);
	if (!r->align || !r->worlds || !r->turn) return ossa_context_error(r->context)->status;
	OSSAI_TRY(ossai_find_pairs(&r->arena, target, r->target->role, source, r->source->role, r->forced, &r->pairs));
	OSSAI_TRY(ossai_moved_begin(&r->arena, r->target, &r->moved));
	ossai_align_rests(r->target, r->source, r->align);
	for (size_t i = 0; i < target->bone_count; i++) {
		const uint32_t b = r->moved.order[i], carrier = r->moved.carrier[b];
		if (r->target->role[b].part == OSSA_PART_NONE && carrier != OSSA_NONE) r->align[b] = r->align[carrier];
	}
	return ossai_find_hands(&r->arena, r->target, r->source, r->legs->scale, &r->hands);
}

/* ---- a frame ---- */

static void turn_source(retargeting *r)
{
	const ossa_skeleton *source = &r->source->rig->skeleton;
	for (size_t b = 0; b < source->bone_count; b++) {
		const ossai_rigid world = ossai_rigid_of(r->worlds + 12 * b);
		const ossai_quat rest = ossai_quat_of(source->bones[b].orientation);
		const ossai_quat turn = ossai_quat_mul(ossai_mat3_quat(&world.r), ossai_quat_conjugate(rest));
		r->turn[b] = ossai_carry_turn(r->target, r->source, turn);
	}
}

/* the mean turn of the source's bones that a bone follows */
static ossai_quat mean_turn(const retargeting *r, size_t bone)
{
	const ossai_share *share = r->pairs.share + r->pairs.first[bone];
	const size_t count = r->pairs.first[bone + 1] - r->pairs.first[bone];
	ossai_quat sum = {0, 0, 0, 0};
	for (size_t i = 0; i < count; i++) {
		const ossai_quat q = r->turn[share[i].bone];
		const double s = ossai_quat_dot(q, r->turn[share[0].bone]) < 0 ? -share[i].share : share[i].share;
		sum = (ossai_quat){sum.x + s * q.x, sum.y + s * q.y, sum.z + s * q.z, sum.w + s * q.w};
	}
	return ossai_quat_unit(sum);
}

/* the turn of a bone without a role relative to what carries it: that of the source's bone of its
   name against its parent */
static ossai_quat extra_turn(const retargeting *r, size_t bone)
{
	const uint32_t twin = r->pairs.twin[bone];
	const int32_t above = twin == OSSA_NONE ? -1 : r->source->rig->skeleton.bones[twin].parent;
	if (above < 0 || r->moved.carrier[bone] == OSSA_NONE) return ossai_quat_identity();
	const ossai_quat turn = ossai_quat_mul(ossai_quat_conjugate(r->turn[above]), r->turn[twin]);
	const ossai_quat align = r->align[bone];
	return ossai_quat_unit(ossai_quat_mul(ossai_quat_conjugate(align), ossai_quat_mul(turn, align)));
}

/* the target with the directions of the source, its hips on the source's path */
static void follow(retargeting *r, size_t frame)
{
	ossa_rig_joint_matrices(r->source->rig, r->source->rig->clip, frame, r->worlds);
	turn_source(r);
	const size_t count = r->target->rig->skeleton.bone_count;
	for (size_t b = 0; b < count; b++) {
		r->moved.turns[b] = r->pairs.first[b + 1] > r->pairs.first[b];
		if (r->moved.turns[b]) r->moved.turn[b] = ossai_quat_unit(ossai_quat_mul(mean_turn(r, b), r->align[b]));
		else r->moved.extra[b] = extra_turn(r, b);
	}
	ossai_moved_place(&r->moved, ossai_place_hips(r->legs, &r->moved, r->worlds));
}

/* progress, from time to time; `pass` of all passes over the frames */
static ossa_status frame_done(retargeting *r, int pass, size_t frame)
{
	enum { PASSES = 3, FRAMES_BETWEEN_REPORTS = 256 };
	const size_t frames = r->source->rig->clip->frame_count;
	if (frame % FRAMES_BETWEEN_REPORTS != 0) return OSSA_OK;
	return ossai_progress(r->context, (pass + (double)frame / (double)frames) / PASSES);
}

/* what needs all frames: the stride, and how feet turn where they would be below the ground */
static ossa_status look_ahead(retargeting *r)
{
	const size_t frames = r->source->rig->clip->frame_count, legs = r->legs->count;
	ossai_vec3 *scratch = ossai_arena_new(&r->arena, frames * legs, sizeof *scratch);
	r->foot_turns = ossai_arena_new(&r->arena, frames * legs, sizeof *r->foot_turns);
	if (!scratch || !r->foot_turns) return ossa_context_error(r->context)->status;
	for (size_t f = 0; f < frames; f++) {
		OSSAI_TRY(frame_done(r, 0, f));
		follow(r, f);
		ossai_add_step(r->legs, &r->moved, r->worlds);
	}
	ossai_find_stride(r->legs);
	for (size_t f = 0; f < frames && r->options->plant_feet; f++) {
		OSSAI_TRY(frame_done(r, 1, f));
		follow(r, f);
		ossai_level_feet(r->legs, &r->moved, r->worlds, r->foot_turns + legs * f);
	}
	if (r->options->plant_feet) ossai_smooth_turns(r->source->rig->clip->times, frames, legs, r->foot_turns, scratch);
	return OSSA_OK;
}

static ossa_status carry_motion(retargeting *r, ossa_clip **clip)
{
	const ossa_clip *motion = r->source->rig->clip;
	OSSAI_TRY(prepare(r));
	OSSAI_TRY(
		ossa_clip_create(r->context, motion->frame_count, r->target->rig->skeleton.bone_count, r->moved.has_slides, clip));
	memcpy((*clip)->name, motion->name, sizeof motion->name);
	memcpy((*clip)->times, motion->times, motion->frame_count * sizeof *motion->times);
	OSSAI_TRY(look_ahead(r));
	for (size_t f = 0; f < motion->frame_count; f++) {
		OSSAI_TRY(frame_done(r, 2, f));
		follow(r, f);
		if (r->options->plant_feet) ossai_place_feet(r->legs, &r->moved, r->worlds, r->foot_turns + r->legs->count * f);
		if (r->options->clear_hands) ossai_clear_hands(&r->hands, &r->moved, r->worlds);
		r->limited_frames += ossai_moved_store(&r->moved, f, *clip);
	}
	return OSSA_OK;
}

/* ---- what is missing ---- */

/* arms to the hands, legs to the feet, the head: without them people see that something stands still */
static bool is_limb(ossa_body_part part)
{
	return part == OSSA_PART_HEAD || (part >= OSSA_PART_UPPER_ARM && part <= OSSA_PART_HAND) ||
		(part >= OSSA_PART_UPPER_LEG && part <= OSSA_PART_FOOT) ||
		(part >= OSSA_PART_FRONT_UPPER_LEG && part <= OSSA_PART_FRONT_FOOT) ||
		(part >= OSSA_PART_BACK_UPPER_LEG && part <= OSSA_PART_BACK_FOOT);
}

static void warn_unmatched(const retargeting *r, const char *source_name)
{
	const ossa_bone *bones = r->target->rig->skeleton.bones;
	size_t count = 0, first = 0;
	for (size_t b = 0; b < r->target->rig->skeleton.bone_count; b++) {
		if (r->pairs.first[b + 1] > r->pairs.first[b] || r->forced[b] != OSSA_NONE || !is_limb(r->target->role[b].part))
			continue;
		if (count++ == 0) first = b;
	}
	if (count == 0) return;
	ossai_warn(r->context, "motion-unmatched", (int64_t)count,
		"%s: limbs of the rig have no counterpart there and keep their rest pose, e.g. %s", source_name, bones[first].name);
}

ossa_status ossai_retarget_by_role(ossa_context *context, ossai_legs *legs, const ossa_retarget_options *options,
	const uint32_t *forced, const char *source_name, ossa_clip **clip, ossa_retarget_facts *facts)
{
	retargeting r = {.context = context,
		.arena = ossai_arena_begin(context),
		.target = legs->target,
		.source = legs->source,
		.legs = legs,
		.options = options,
		.forced = forced};
	*clip = NULL;
	const ossa_status status = carry_motion(&r, clip);
	facts->matched = r.pairs.target_count;
	facts->source_unused = r.pairs.source_unused;
	facts->scale = legs->scale;
	facts->stride = legs->stride;
	facts->limited_frames = r.limited_frames;
	if (status == OSSA_OK) warn_unmatched(&r, source_name);
	else {
		ossa_clip_free(context, *clip);
		*clip = NULL;
	}
	ossai_arena_end(&r.arena);
	return status;
}

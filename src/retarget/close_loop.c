/* retarget/close_loop.c: makes the last frame of a motion its first again.

   Place in the path: a rig and a motion of it -> here -> a motion to repeat.
   Input: the travel (travel.h), which a loop continues.
   Output: a clip: ossa_clip_close_loop. The difference between the last frame and the first grows
   linearly from minus its half to its half while it is removed: rotations and positions get a
   constant speed more, so that the motion has no corner that it did not have. */
#include "retarget/travel.h"

#include "rig/pose.h"

typedef struct closing {
	ossai_arena *arena;
	const ossa_rig *rig;
	ossa_clip *clip;
	ossa_clip_gap *gap;
	ossai_travel travel;
	ossai_rigid *grounds; /* F */
	uint8_t *is_top;      /* B: above the hips, the hips, or a child of those above: closed in the world */
	ossai_rigid *worlds;  /* B x F: of those */
} closing;

/* what is removed from a bone: a rotation vector in its own frame, a step of its position */
typedef struct difference {
	ossai_vec3 turn, step;
} difference;

/* -1/2 in the first frame, 1/2 in the last */
static double share_at(const ossa_clip *clip, size_t frame)
{
	const double first = clip->times[0], last = clip->times[clip->frame_count - 1];
	return (clip->times[frame] - first) / (last - first) - 0.5;
}

/* the shortest rotation vector of a rotation */
static ossai_vec3 rotation_vector(ossai_quat q)
{
	if (q.w < 0) q = ossai_quat_negate(q);
	const ossai_vec3 v = ossai_v3(q.x, q.y, q.z);
	const double sine = ossai_length(v);
	/* 2 atan(s / w) / s is 2 for small angles */
	return ossai_scale(v, sine > 1e-9 ? 2 * atan2(sine, q.w) / sine : 2);
}

static difference difference_of(const ossai_rigid *begin, const ossai_rigid *end)
{
	const ossai_mat3 back = ossai_mat3_transpose(&begin->r), turned = ossai_mat3_mul(&back, &end->r);
	return (difference){rotation_vector(ossai_mat3_quat(&turned)), ossai_sub(end->t, begin->t)};
}

/* ---- places in the clip ---- */

static ossai_rigid place_of(const closing *c, size_t frame, size_t bone)
{
	const ossa_clip *clip = c->clip;
	const size_t at = frame * clip->bone_count + bone;
	ossai_rigid place = {ossai_quat_matrix(ossai_quat_of(clip->rotations + 4 * at)), {0, 0, 0}};
	if (bone == 0) place.t = ossai_v3_of(clip->root_positions + 3 * frame);
	else if (clip->translations) place.t = ossai_v3_of(clip->translations + 3 * at);
	else place.t = ossai_rest_offset(c->rig->skeleton.bones, bone);
	return place;
}

static void store_place(const closing *c, size_t frame, size_t bone, const ossai_rigid *place)
{
	ossa_clip *clip = c->clip;
	const size_t at = frame * clip->bone_count + bone;
	ossai_quat q = ossai_mat3_quat(&place->r);
	double *turn = clip->rotations + 4 * at;
	ossai_quat_store_after(q, frame > 0 ? turn - 4 * clip->bone_count : NULL, turn);
	if (bone == 0) ossai_v3_store(place->t, clip->root_positions + 3 * frame);
	if (clip->translations) ossai_v3_store(place->t, clip->translations + 3 * at);
}

/* ---- closing ---- */

static void note_gap(const closing *c, size_t bone, const difference *d)
{
	const double degrees = ossai_length(d->turn) * 180 / OSSAI_PI;
	if (bone == c->travel.hips) c->gap->distance = ossai_length(d->step);
	if (degrees <= c->gap->degrees) return;
	c->gap->degrees = degrees;
	c->gap->bone = bone;
}

static ossai_rigid without(const difference *d, double share, ossai_rigid place)
{
	const ossai_mat3 turn = ossai_quat_matrix(ossai_quat_exp(ossai_scale(d->turn, -share)));
	return (ossai_rigid){ossai_mat3_mul(&place.r, &turn), ossai_madd(place.t, -share, d->step)};
}

static void close_against_parent(const closing *c, size_t bone)
{
	const size_t last = c->clip->frame_count - 1;
	const ossai_rigid begin = place_of(c, 0, bone), end = place_of(c, last, bone);
	const difference d = difference_of(&begin, &end);
	note_gap(c, bone, &d);
	for (size_t f = 0; f <= last; f++) {
		const ossai_rigid place = without(&d, share_at(c->clip, f), place_of(c, f, bone));
		store_place(c, f, bone, &place);
	}
}

static ossai_rigid over_ground(const closing *c, size_t frame, const ossai_rigid *world)
{
	const ossai_rigid back = ossai_rigid_inverse(&c->grounds[frame]);
	return ossai_rigid_mul(&back, world);
}

static double size_of(const closing *c, const difference *d)
{
	return ossai_length2(d->step) + c->travel.height * c->travel.height * ossai_length2(d->turn);
}

/* the hips go with the ground, and so do the bones beside and above them that do so more than they
   stay: a root that carries the body or stays behind, targets of the feet */
static void close_in_world(closing *c, size_t bone)
{
	const size_t last = c->clip->frame_count - 1;
	ossai_rigid *world = c->worlds + bone * c->clip->frame_count;
	const ossai_rigid carried = over_ground(c, last, &world[last]);
	const difference still = difference_of(&world[0], &world[last]), moving = difference_of(&world[0], &carried);
	const bool goes = bone == c->travel.hips || size_of(c, &moving) < size_of(c, &still);
	note_gap(c, bone, goes ? &moving : &still);
	for (size_t f = 0; f <= last; f++) {
		const double share = share_at(c->clip, f);
		if (!goes) {
			world[f] = without(&still, share, world[f]);
			continue;
		}
		const ossai_rigid place = without(&moving, share, over_ground(c, f, &world[f]));
		world[f] = ossai_rigid_mul(&c->grounds[f], &place);
	}
}

/* the worlds of the upper bones from the clip, or back into it */
static void find_worlds(const closing *c, size_t bone)
{
	const int32_t parent = c->rig->skeleton.bones[bone].parent;
	const size_t frames = c->clip->frame_count;
	for (size_t f = 0; f < frames; f++) {
		const ossai_rigid own = place_of(c, f, bone);
		c->worlds[bone * frames + f] = parent < 0 ? own : ossai_rigid_mul(&c->worlds[(size_t)parent * frames + f], &own);
	}
}

static void store_worlds(const closing *c, size_t bone)
{
	const int32_t parent = c->rig->skeleton.bones[bone].parent;
	const size_t frames = c->clip->frame_count;
	for (size_t f = 0; f < frames; f++) {
		ossai_rigid place = c->worlds[bone * frames + f];
		if (parent >= 0) {
			const ossai_rigid back = ossai_rigid_inverse(&c->worlds[(size_t)parent * frames + f]);
			place = ossai_rigid_mul(&back, &place);
		}
		store_place(c, f, bone, &place);
	}
}

static void mark_top(const closing *c)
{
	const ossa_bone *bones = c->rig->skeleton.bones;
	for (int32_t b = bones[c->travel.hips].parent; b >= 0; b = bones[b].parent) c->is_top[b] = 2;
	for (size_t b = 0; b < c->clip->bone_count; b++) {
		if (!c->is_top[b] && bones[b].parent >= 0 && c->is_top[bones[b].parent] == 2) c->is_top[b] = 1;
	}
	c->is_top[0] |= 1;
}

/* weights of morph targets, too */
static void close_morphs(const ossa_clip *clip)
{
	const size_t count = clip->morph_count, last = (clip->frame_count - 1) * count;
	for (size_t m = 0; clip->morph_weights && m < count; m++) {
		const double gap = clip->morph_weights[last + m] - clip->morph_weights[m];
		for (size_t f = 0; f < clip->frame_count; f++) clip->morph_weights[f * count + m] -= share_at(clip, f) * gap;
	}
}

static ossa_status close_clip(closing *c)
{
	const size_t frames = c->clip->frame_count, bones = c->clip->bone_count;
	c->grounds = ossai_arena_new(c->arena, frames, sizeof *c->grounds);
	c->is_top = ossai_arena_zero(c->arena, bones, 1);
	if (!c->grounds || !c->is_top) return ossa_context_error(c->arena->context)->status;
	OSSAI_TRY(ossai_travel_find(c->arena, c->rig, c->clip, &c->travel));
	c->gap->travels = c->travel.moves;
	c->gap->turns = c->travel.turns;
	for (size_t f = 0; f < frames; f++) c->grounds[f] = ossai_travel_at(&c->travel, f);
	mark_top(c);
	/* the upper bones are most often few and the first */
	size_t last_top = 0;
	for (size_t b = 0; b < bones; b++) last_top = c->is_top[b] ? b : last_top;
	c->worlds = ossai_arena_new(c->arena, (last_top + 1) * frames, sizeof *c->worlds);
	if (!c->worlds) return ossa_context_error(c->arena->context)->status;
	for (size_t b = 0; b < bones; b++) {
		if (c->is_top[b]) find_worlds(c, b);
	}
	for (size_t b = 0; b < bones; b++) {
		if (c->is_top[b]) close_in_world(c, b);
		else close_against_parent(c, b);
	}
	for (size_t b = 0; b < bones; b++) {
		if (c->is_top[b]) store_worlds(c, b);
	}
	close_morphs(c->clip);
	return OSSA_OK;
}

ossa_status ossa_clip_close_loop(
	ossa_context *context, const ossa_rig *rig, const ossa_clip *clip, ossa_clip **closed, ossa_clip_gap *gap)
{
	ossa_clip_gap unwanted;
	if (closed) *closed = NULL;
	if (!gap) gap = &unwanted;
	*gap = (ossa_clip_gap){0};
	OSSAI_NEED(context, rig, closed);
	if (!clip) clip = rig->clip;
	OSSAI_TRY(ossai_rig_check_whole(context, rig));
	if (!clip || clip->frame_count < 2 || rig->skeleton.bone_count == 0)
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "a loop needs a motion of two frames or more");
	OSSAI_TRY(ossai_rig_check_fit(context, rig, &rig->weights, clip));
	OSSAI_TRY(ossa_clip_copy(context, clip, closed));
	ossai_arena arena = ossai_arena_begin(context);
	closing c = {.arena = &arena, .rig = rig, .clip = *closed, .gap = gap};
	const ossa_status status = close_clip(&c);
	ossai_arena_end(&arena);
	if (status == OSSA_OK) return OSSA_OK;
	ossa_clip_free(context, *closed);
	*closed = NULL;
	return status;
}

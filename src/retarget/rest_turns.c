/* retarget/rest_turns.c: see rest_turns.h.

   The poses are those that programs mean: T is the T-pose of VRM 1.0 (vrm-specification,
   VRMC_vrm-1.0, tpose: arms, hands and four fingers along the body's side axis, shoulders low as at
   rest, feet flat) and of Unity's humanoids, which it follows; A has the arms 45 degrees lower, in
   the frontal plane. We keep what these say about roll (palms down, thumbs 45 degrees ahead) out:
   a roll would twist the skin of the arm, and the smallest turn of a palm that faces the thigh
   makes it face down.

   turn(bone) = smallest(turn(parent) segment -> goal) turn(parent), where segment is the direction
   from the bone's joint to the next one of the limb. */
#include "retarget/rest_turns.h"

#include "conventions/find_roles.h"
#include "retarget/body_frame.h"
#include "retarget/repose.h"

#include <string.h>

enum { LEFT = 1, RIGHT = -1 };

/* of the skeleton's size: joints nearer than this to where they have to be are there. A file's
   floats round positions by 6e-8 of their size, and a joint depends on some of them. */
static const double THERE = 1e-6;

/* A body that faces an axis of the file nearly faces it: arms of a T are then on the axis, as
   programs expect. Joints that are found from a shape say where a body faces within 0.6 degrees (27
   of 27 symmetric bodies; half of them 0.04); bodies that stand otherwise are 1.1 or more off. */
static const double FACING = 1 * OSSAI_PI / 180;

/* what a bone turns to */
typedef struct rest_aim {
	enum { WITH_PARENT, ALONG, UNTURNED } kind;
	ossai_vec3 segment, goal; /* ALONG: at rest; unit */
} rest_aim;

typedef struct aiming {
	ossa_context *context;
	ossai_arena *arena;
	const ossa_rig *rig;
	const ossa_bone *bones;
	size_t count;
	ossa_skeleton skeleton;
	const ossa_role *role; /* B: of the body that is aimed; other bones have none */
	ossai_body_frame frame;
	rest_aim *aim; /* B */
	uint32_t *above;
	int64_t others; /* bodies that are no human */
} aiming;

static ossai_vec3 joint(const aiming *a, uint32_t bone) { return ossai_v3_of(a->bones[bone].joint); }

/* ---- one limb ---- */

static void aim_at(const aiming *a, uint32_t bone, ossai_vec3 end, ossai_vec3 goal)
{
	a->aim[bone] = (rest_aim){ALONG, ossai_sub(end, joint(a, bone)), goal};
}

static bool is_below(const aiming *a, uint32_t bone, uint32_t upper)
{
	int32_t up = (int32_t)bone;
	while (up >= 0 && up != (int32_t)upper) up = a->bones[up].parent;
	return up >= 0;
}

/* lays the joints from `first` down to `last` on a line; false where `last` is not below `first` */
static bool aim_path(const aiming *a, uint32_t first, uint32_t last, ossai_vec3 goal)
{
	if (!is_below(a, last, first)) return false;
	for (uint32_t b = last; b != first; b = (uint32_t)a->bones[b].parent)
		aim_at(a, (uint32_t)a->bones[b].parent, joint(a, b), goal);
	return true;
}

static ossa_status missing(const aiming *a, ossa_body_part part, int side)
{
	char words[64];
	ossa_role_print((ossa_role){.part = part, .side = side}, words, sizeof words);
	return ossai_fail(a->context, OSSA_ERROR_INPUT, NULL, "the body has no %s: a T or A is of two whole arms and legs", words);
}

static ossa_status not_below(const aiming *a, uint32_t upper, uint32_t lower)
{
	return ossai_fail(a->context, OSSA_ERROR_INPUT, NULL,
		"%s is not below %s in the tree of bones, so they are no limb: connect them (`ossa edit`, \"connect %s %s\")",
		a->bones[lower].name, a->bones[upper].name, a->bones[lower].name, a->bones[upper].name);
}

static uint32_t bone_of(const aiming *a, ossa_body_part part, int side)
{
	return ossai_bone_of(&a->skeleton, a->role, part, side);
}

/* The first bones of three parts of a limb; the last may be missing, and on both sides the lower
   one. */
typedef struct limb {
	uint32_t upper, lower, end;
} limb;

static ossa_status find_limb(const aiming *a, ossa_body_part upper, ossa_body_part lower, ossa_body_part end, int side, limb *l)
{
	*l = (limb){bone_of(a, upper, side), bone_of(a, lower, side), bone_of(a, end, side)};
	if (l->upper == OSSA_NONE) return missing(a, upper, side);
	if (l->lower != OSSA_NONE) return OSSA_OK;
	if (bone_of(a, lower, -side) != OSSA_NONE) return missing(a, lower, side);
	l->lower = l->upper;
	return OSSA_OK;
}

static bool is_limb(const ossa_role *role) { return role->part >= OSSA_PART_UPPER_ARM && role->part <= OSSA_PART_TOES; }

/* The nearest ancestor that is not of a limb: trees that were found from motion may have the trunk
   or a leg below the other leg. */
static uint32_t above_limbs(const aiming *a, uint32_t bone)
{
	int32_t up = a->bones[bone].parent;
	while (up >= 0 && is_limb(&a->role[up])) up = a->bones[up].parent;
	return up < 0 ? OSSA_NONE : (uint32_t)up;
}

/* Two segments on a line. A foot or hand that inverse kinematics move hangs elsewhere in the tree,
   and stays at the end of its limb. */
static ossa_status aim_limb(const aiming *a, const limb *l, ossai_vec3 goal)
{
	if (!aim_path(a, l->upper, l->lower, goal)) return not_below(a, l->upper, l->lower);
	a->above[l->upper] = above_limbs(a, l->upper);
	if (l->end == OSSA_NONE || aim_path(a, l->lower, l->end, goal)) return OSSA_OK;
	if (is_below(a, l->lower, l->end)) return not_below(a, l->lower, l->end);
	aim_at(a, l->lower, joint(a, l->end), goal);
	a->above[l->end] = l->lower;
	return OSSA_OK;
}

/* ---- hands ---- */

static void aim_finger(const aiming *a, ossa_body_part part, int side, ossai_vec3 goal)
{
	enum { MOST = 8 };
	uint32_t bones[MOST];
	const size_t count = ossai_bones_of(&a->skeleton, a->role, part, side, bones, MOST);
	for (size_t i = 0; i + 1 < count; i++) {
		if (!aim_path(a, bones[i], bones[i + 1], goal)) return;
	}
	if (count > 0) aim_at(a, bones[count - 1], ossai_v3_of(a->bones[bones[count - 1]].tail), goal);
}

/* children that are no finger: a slot for a weapon, a mitten */
static bool has_other_child(const aiming *a, uint32_t hand)
{
	for (size_t b = hand + 1; b < a->count; b++) {
		if (a->bones[b].parent == (int32_t)hand && a->role[b].part == OSSA_PART_NONE) return true;
	}
	return false;
}

/* the mean of the vertices that follow the bone most; its joint where there are none */
static ossai_vec3 center_of_skin(const aiming *a, uint32_t bone)
{
	const ossa_weights *weights = &a->rig->weights;
	ossai_vec3 sum = {0, 0, 0};
	double count = 0;
	for (size_t v = 0; v < a->rig->mesh->vertex_count; v++) {
		if (weights->bones[v * (size_t)weights->influences] != bone) continue;
		sum = ossai_add(sum, ossai_v3_of_float(a->rig->mesh->positions + 3 * v));
		count++;
	}
	return count > 0 ? ossai_scale(sum, 1 / count) : joint(a, bone);
}

/* The palm points to the middle finger's knuckle; with one or two fingers, whose knuckles are to the
   side of it, to the mean of their tips; with a thumb alone to its own skin, without any to its tail.
   False where that is not known. */
static bool end_of_palm(const aiming *a, uint32_t hand, int side, ossai_vec3 *end)
{
	enum { MOST = 8 };
	uint32_t bones[MOST];
	ossai_vec3 sum = {0, 0, 0};
	int fingers = 0;
	for (ossa_body_part part = OSSA_PART_INDEX; part <= OSSA_PART_LITTLE; part++) {
		const size_t count = ossai_bones_of(&a->skeleton, a->role, part, side, bones, MOST);
		if (count == 0) continue;
		sum = ossai_add(sum, ossai_v3_of(a->bones[bones[count - 1]].tail));
		fingers++;
	}
	const uint32_t middle = bone_of(a, OSSA_PART_MIDDLE, side);
	if (fingers > 2 && middle != OSSA_NONE) *end = joint(a, middle);
	else if (fingers > 0) *end = ossai_scale(sum, 1 / (double)fingers);
	else if (bone_of(a, OSSA_PART_THUMB, side) != OSSA_NONE) *end = center_of_skin(a, hand);
	else *end = ossai_v3_of(a->bones[hand].tail);
	return fingers > 0 || !has_other_child(a, hand);
}

/* An arm goes to the side that it is on: names of arms and legs may contradict each other. */
static ossai_vec3 outward(const aiming *a, int side)
{
	const uint32_t own = bone_of(a, OSSA_PART_UPPER_ARM, side), other = bone_of(a, OSSA_PART_UPPER_ARM, -side);
	const bool is_left = ossai_dot(ossai_sub(joint(a, own), joint(a, other)), a->frame.left) >= 0;
	return is_left ? a->frame.left : ossai_scale(a->frame.left, -1);
}

static ossa_status aim_arm(const aiming *a, int pose, int side)
{
	limb l;
	OSSAI_TRY(find_limb(a, OSSA_PART_UPPER_ARM, OSSA_PART_LOWER_ARM, OSSA_PART_HAND, side, &l));
	const double half = 0.70710678118654752440, out = pose == OSSA_REST_A ? half : 1, down = pose == OSSA_REST_A ? half : 0;
	const ossai_vec3 goal = ossai_madd(ossai_scale(outward(a, side), out), -down, a->frame.up);
	OSSAI_TRY(aim_limb(a, &l, goal));
	if (l.end == OSSA_NONE) {
		aim_at(a, l.lower, ossai_v3_of(a->bones[l.lower].tail), goal);
		return OSSA_OK;
	}
	ossai_vec3 end;
	if (end_of_palm(a, l.end, side, &end)) aim_at(a, l.end, end, goal);
	for (ossa_body_part finger = OSSA_PART_INDEX; finger <= OSSA_PART_LITTLE; finger++) aim_finger(a, finger, side, goal);
	return OSSA_OK;
}

/* ---- legs ---- */

static bool has_legs(const aiming *a)
{
	for (size_t b = 0; b < a->count; b++) {
		const ossa_body_part part = a->role[b].part;
		if (part == OSSA_PART_UPPER_LEG || part == OSSA_PART_LOWER_LEG) return true;
	}
	return false;
}

static ossa_status aim_leg(const aiming *a, int side)
{
	limb l;
	OSSAI_TRY(find_limb(a, OSSA_PART_UPPER_LEG, OSSA_PART_LOWER_LEG, OSSA_PART_FOOT, side, &l));
	OSSAI_TRY(aim_limb(a, &l, ossai_scale(a->frame.up, -1)));
	if (l.end != OSSA_NONE) a->aim[l.end].kind = UNTURNED;
	return OSSA_OK;
}

/* ---- the trunk ---- */

static bool is_trunk(const ossa_role *role) { return role->part >= OSSA_PART_HIPS && role->part <= OSSA_PART_CLAVICLE; }

/* the trunk stays as it is */
static void keep_trunk(const aiming *a)
{
	for (uint32_t b = 0; b < a->count; b++) {
		if (!is_trunk(&a->role[b])) continue;
		a->aim[b].kind = UNTURNED;
		a->above[b] = above_limbs(a, b);
	}
}

/* ---- all bones ---- */

/* all bones, each after the one above it; false where there is a circle */
static bool sort_bones(const aiming *a, uint32_t *order, uint8_t *is_sorted)
{
	size_t count = 0;
	for (size_t before = SIZE_MAX; count < a->count && count != before;) {
		before = count;
		for (uint32_t b = 0; b < a->count; b++) {
			if (is_sorted[b] || (a->above[b] != OSSA_NONE && !is_sorted[a->above[b]])) continue;
			is_sorted[b] = 1;
			order[count++] = b;
		}
	}
	return count == a->count;
}

static void turn_bones(const aiming *a, ossai_rest_turns *turns)
{
	const double there = THERE * ossai_skeleton_size(&a->skeleton);
	turns->any = false;
	for (size_t i = 0; i < a->count; i++) {
		const uint32_t b = turns->order[i], above = a->above[b];
		const rest_aim *aim = &a->aim[b];
		ossai_quat *turn = &turns->turn[b];
		*turn = above == OSSA_NONE || aim->kind == UNTURNED ? ossai_quat_identity() : turns->turn[above];
		const double length = ossai_length(aim->segment);
		if (aim->kind != ALONG || !(length > there)) continue;
		const ossai_mat3 r = ossai_quat_matrix(*turn);
		const ossai_vec3 now = ossai_scale(ossai_mat3_mul_v(&r, aim->segment), 1 / length);
		*turn = ossai_quat_unit(ossai_quat_mul(ossai_quat_between(now, aim->goal), *turn));
		turns->any = turns->any || ossai_distance(aim->segment, ossai_scale(aim->goal, length)) > there;
	}
}

static void face_axis(ossai_body_frame *frame)
{
	const ossai_vec3 left = frame->left;
	const ossai_vec3 axes[3] = {{copysign(1, left.x), 0, 0}, {0, copysign(1, left.y), 0}, {0, 0, copysign(1, left.z)}};
	for (int k = 0; k < 3; k++) {
		if (ossai_length(ossai_cross(left, axes[k])) > sin(FACING)) continue;
		frame->left = axes[k];
		frame->front = ossai_cross(axes[k], frame->up);
	}
}

/* one body: that of all bones that have roles */
static ossa_status aim_body(aiming *a, int pose)
{
	for (int side = LEFT; side >= RIGHT; side -= LEFT - RIGHT) {
		limb l;
		OSSAI_TRY(find_limb(a, OSSA_PART_UPPER_ARM, OSSA_PART_LOWER_ARM, OSSA_PART_HAND, side, &l));
	}
	if (!ossai_find_body_frame(&a->skeleton, a->role, &a->frame)) {
		return ossai_fail(a->context, OSSA_ERROR_INPUT, NULL,
			"which way the body faces is not known: it needs two legs, or hips, head and two arms");
	}
	face_axis(&a->frame);
	keep_trunk(a);
	for (int side = LEFT; side >= RIGHT; side -= LEFT - RIGHT) {
		OSSAI_TRY(aim_arm(a, pose, side));
		if (has_legs(a)) OSSAI_TRY(aim_leg(a, side));
	}
	return OSSA_OK;
}

static ossa_status refuse(const aiming *a, ossa_body_kind kind)
{
	if (kind == OSSA_BODY_NONE) {
		return ossai_fail(a->context, OSSA_ERROR_INPUT, NULL,
			"T and A are poses of humans; which part of a body a bone is is not known here");
	}
	return ossai_fail(a->context, OSSA_ERROR_INPUT, NULL, "T and A are poses of humans; what was recognized here is %s",
		ossa_body_kind_name(kind));
}

/* of one tree `kind` says what it is; of several bodies the roles of each do */
static bool may_be_human(const aiming *a, uint32_t root, ossa_body_kind kind)
{
	if (root == 0) return kind == OSSA_BODY_HUMAN || kind == OSSA_BODY_NONE;
	return ossai_partial_kind_of_roles(a->role, a->count) == OSSA_BODY_HUMAN;
}

/* every human, each as if it were alone; other bodies stay as they are */
static ossa_status aim(aiming *a, const ossai_body_trees *bodies, int pose)
{
	ossa_role *own = ossai_arena_new(a->arena, a->count, sizeof *own);
	if (!own) return ossa_context_error(a->context)->status;
	int64_t posed = 0, others = 0;
	a->role = own;
	for (uint32_t b = 0; b < a->count; b++) {
		if (bodies->body[b] != b || !ossai_roles_of_body(bodies, a->count, b, own)) continue;
		const bool is_human = may_be_human(a, b, bodies->kind);
		if (is_human) OSSAI_TRY(aim_body(a, pose));
		posed += is_human;
		others += !is_human;
	}
	a->others = others;
	return posed > 0 ? OSSA_OK : refuse(a, bodies->kind == OSSA_BODY_HUMAN ? OSSA_BODY_NONE : bodies->kind);
}

ossa_status ossai_find_rest_turns(
	ossai_arena *arena, const ossa_rig *rig, const ossai_body_trees *bodies, int pose, ossai_rest_turns *turns)
{
	const size_t count = rig->skeleton.bone_count;
	aiming a = {.context = arena->context,
		.arena = arena,
		.rig = rig,
		.bones = rig->skeleton.bones,
		.count = count,
		.skeleton = rig->skeleton};
	a.aim = ossai_arena_zero(arena, count, sizeof *a.aim);
	a.above = turns->above = ossai_arena_new(arena, count, sizeof *turns->above);
	turns->order = ossai_arena_new(arena, count, sizeof *turns->order);
	turns->turn = ossai_arena_new(arena, count, sizeof *turns->turn);
	uint8_t *is_sorted = ossai_arena_zero(arena, count, sizeof *is_sorted);
	if (!a.aim || !a.above || !turns->order || !turns->turn || !is_sorted) return ossa_context_error(arena->context)->status;
	for (size_t b = 0; b < count; b++) a.above[b] = a.bones[b].parent < 0 ? OSSA_NONE : (uint32_t)a.bones[b].parent;
	OSSAI_TRY(aim(&a, bodies, pose));
	turns->others = a.others;
	if (!sort_bones(&a, turns->order, is_sorted)) {
		return ossai_fail(arena->context, OSSA_ERROR_INPUT, NULL, "feet and legs are below each other in the tree of bones");
	}
	turn_bones(&a, turns);
	return OSSA_OK;
}

/* retarget/actor.c: see actor.h. */
#include "retarget/actor.h"

#include <string.h>

enum { LEFT = 1, RIGHT = -1, DIRECTIONS = 96 };

/* The limbs of all bodies that have two or four legs. */
static const ossa_body_part leg_parts[][4] = {
	{OSSA_PART_UPPER_LEG, OSSA_PART_LOWER_LEG, OSSA_PART_FOOT, OSSA_PART_TOES},
	{OSSA_PART_BACK_UPPER_LEG, OSSA_PART_BACK_LOWER_LEG, OSSA_PART_BACK_FOOT, OSSA_PART_BACK_TOES},
	{OSSA_PART_FRONT_UPPER_LEG, OSSA_PART_FRONT_LOWER_LEG, OSSA_PART_FRONT_FOOT, OSSA_PART_FRONT_TOES},
};
static const ossa_body_part arm_parts[4] = {OSSA_PART_UPPER_ARM, OSSA_PART_LOWER_ARM, OSSA_PART_HAND, OSSA_PART_MIDDLE};

/* ---- limbs ---- */

static bool find_limb(const ossai_actor *a, const ossa_body_part part[4], int side, ossai_actor_limb *limb)
{
	const ossa_skeleton *skeleton = &a->rig->skeleton;
	memcpy(limb->part, part, sizeof limb->part);
	limb->side = side;
	limb->upper = ossai_bone_of(skeleton, a->role, part[0], side);
	limb->lower = ossai_bone_of(skeleton, a->role, part[1], side);
	limb->end = ossai_bone_of(skeleton, a->role, part[2], side);
	limb->tip = ossai_bone_of(skeleton, a->role, part[3], side);
	limb->length = 0;
	if (limb->upper == OSSA_NONE || limb->lower == OSSA_NONE || limb->end == OSSA_NONE) return false;
	const ossai_vec3 knee = ossai_rest_joint(a, limb->lower);
	limb->length = ossai_distance(ossai_rest_joint(a, limb->upper), knee) +
		ossai_distance(knee, ossai_rest_joint(a, limb->end));
	return limb->length > 0;
}

static void find_limbs(ossai_actor *a)
{
	ossai_vec3 sum = {0, 0, 0};
	double length = 0;
	a->leg_count = a->arm_count = 0;
	for (size_t i = 0; i < sizeof leg_parts / sizeof leg_parts[0] && a->leg_count < OSSAI_ACTOR_LEGS; i++) {
		for (int side = LEFT; side >= RIGHT; side -= 2) {
			ossai_actor_leg *leg = &a->leg[a->leg_count];
			if (!find_limb(a, leg_parts[i], side, &leg->limb)) continue;
			a->leg_count++;
			length += leg->limb.length;
		}
	}
	for (int side = LEFT; side >= RIGHT; side -= 2) a->arm_count += find_limb(a, arm_parts, side, &a->arm[a->arm_count]);
	a->leg_length = a->leg_count > 0 ? length / (double)a->leg_count : 0;
	const size_t behind = a->leg_count < 2 ? a->leg_count : 2;
	for (size_t i = 0; i < behind; i++) sum = ossai_add(sum, ossai_rest_joint(a, a->leg[i].limb.upper));
	if (behind > 0) a->pelvis = ossai_scale(sum, 1 / (double)behind);
}

/* ---- soles ---- */

/* the bone that moves a vertex most */
static uint32_t main_bone(const ossa_weights *weights, size_t vertex)
{
	return weights->values[vertex * (size_t)weights->influences] > 0 ? weights->bones[vertex * (size_t)weights->influences]
																	 : OSSA_NONE;
}

/* B: the leg that a bone is the foot of, or a part of that foot; leg_count: of none */
static uint8_t *feet_of_bones(ossai_arena *arena, const ossai_actor *a)
{
	const ossa_skeleton *skeleton = &a->rig->skeleton;
	uint8_t *foot = ossai_arena_new(arena, skeleton->bone_count, 1);
	for (size_t b = 0; foot && b < skeleton->bone_count; b++) {
		const int32_t parent = skeleton->bones[b].parent;
		foot[b] = parent < 0 ? (uint8_t)a->leg_count : foot[parent];
		for (size_t i = 0; i < a->leg_count; i++) {
			if (b == a->leg[i].limb.end || b == a->leg[i].limb.tip) foot[b] = (uint8_t)i;
		}
	}
	return foot;
}

static ossai_sole_point sole_point(const ossai_actor *a, uint32_t bone, ossai_vec3 position)
{
	const ossa_bone *own = &a->rig->skeleton.bones[bone];
	const ossai_mat3 frame = ossai_quat_matrix(ossai_quat_of(own->orientation));
	const ossai_vec3 local = ossai_mat3_tmul_v(&frame, ossai_sub(position, ossai_v3_of(own->joint)));
	return (ossai_sole_point){bone, position, local};
}

/* Marks the outermost vertices of each bone of a foot in each direction: others never touch the
   ground first. outermost: DIRECTIONS x B, space; is_kept: V, zeroed. */
static void keep_outermost(const ossai_actor *a, const uint8_t *foot, uint32_t *outermost, uint8_t *is_kept)
{
	const float *positions = a->rig->mesh->positions;
	const size_t bones = a->rig->skeleton.bone_count;
	ossai_vec3 directions[DIRECTIONS];
	for (size_t i = 0; i < DIRECTIONS; i++) directions[i] = ossai_spread_direction(i, DIRECTIONS);
	for (size_t i = 0; i < DIRECTIONS * bones; i++) outermost[i] = OSSA_NONE;
	for (size_t v = 0; v < a->rig->mesh->vertex_count; v++) {
		const uint32_t bone = main_bone(&a->rig->weights, v);
		if (bone == OSSA_NONE || foot[bone] == a->leg_count) continue;
		for (size_t i = 0; i < DIRECTIONS; i++) {
			uint32_t *best = &outermost[i * bones + bone];
			const ossai_vec3 d = directions[i], p = ossai_v3_of_float(positions + 3 * v);
			if (*best == OSSA_NONE || ossai_dot(d, p) > ossai_dot(d, ossai_v3_of_float(positions + 3 * *best)))
				*best = (uint32_t)v;
		}
	}
	for (size_t i = 0; i < DIRECTIONS * bones; i++) {
		if (outermost[i] != OSSA_NONE) is_kept[outermost[i]] = 1;
	}
}

static void add_joint(const ossai_actor *a, ossai_actor_leg *leg, uint32_t bone)
{
	if (bone != OSSA_NONE) leg->sole[leg->sole_count++] = sole_point(a, bone, ossai_rest_joint(a, bone));
}

/* the kept vertices of a leg's foot, by bone; where there are none its joints */
static ossa_status find_sole(ossai_arena *arena, ossai_actor *a, const uint8_t *foot, size_t at, const uint8_t *is_kept)
{
	const ossa_mesh *mesh = a->rig->mesh;
	ossai_actor_leg *leg = &a->leg[at];
	size_t kept = 0;
	for (size_t v = 0; v < mesh->vertex_count; v++) kept += is_kept[v] && foot[main_bone(&a->rig->weights, v)] == at;
	leg->sole_count = 0;
	leg->sole = ossai_arena_new(arena, kept + 2, sizeof *leg->sole);
	if (!leg->sole) return ossa_context_error(arena->context)->status;
	for (size_t b = 0; b < a->rig->skeleton.bone_count; b++) {
		for (size_t v = 0; v < mesh->vertex_count && foot[b] == at; v++) {
			if (is_kept[v] && main_bone(&a->rig->weights, v) == b)
				leg->sole[leg->sole_count++] = sole_point(a, (uint32_t)b, ossai_v3_of_float(mesh->positions + 3 * v));
		}
	}
	a->has_ground = a->has_ground && kept > 0;
	if (kept > 0) return OSSA_OK;
	add_joint(a, leg, leg->limb.end);
	add_joint(a, leg, leg->limb.tip);
	return OSSA_OK;
}

/* The vertices of each foot; without a mesh its joints. */
static ossa_status find_soles(ossai_arena *arena, ossai_actor *a)
{
	const uint8_t *foot = feet_of_bones(arena, a);
	uint32_t *outermost = ossai_arena_new(arena, a->rig->skeleton.bone_count, DIRECTIONS * sizeof *outermost);
	uint8_t *is_kept = ossai_arena_zero(arena, a->rig->mesh->vertex_count, 1);
	if (!foot || !outermost || !is_kept) return ossa_context_error(arena->context)->status;
	keep_outermost(a, foot, outermost, is_kept);
	a->has_ground = a->leg_count > 0;
	for (size_t i = 0; i < a->leg_count; i++) OSSAI_TRY(find_sole(arena, a, foot, i, is_kept));
	return OSSA_OK;
}

static void find_ground(ossai_actor *a)
{
	a->ground = INFINITY;
	for (size_t i = 0; i < a->leg_count; i++) {
		for (size_t k = 0; k < a->leg[i].sole_count; k++) {
			a->ground = fmin(a->ground, ossai_height_of(a, a->leg[i].sole[k].position));
		}
	}
	for (size_t i = 0; i < a->leg_count; i++)
		a->leg[i].ankle = ossai_height_of(a, ossai_rest_joint(a, a->leg[i].limb.end)) - a->ground;
}

static void find_height(ossai_actor *a)
{
	double low = INFINITY, high = -INFINITY;
	for (size_t v = 0; v < a->rig->mesh->vertex_count; v++) {
		const double h = ossai_height_of(a, ossai_v3_of_float(a->rig->mesh->positions + 3 * v));
		low = fmin(low, h);
		high = fmax(high, h);
	}
	for (size_t b = 0; b < a->rig->skeleton.bone_count && a->rig->mesh->vertex_count == 0; b++) {
		low = fmin(low, ossai_height_of(a, ossai_rest_joint(a, (uint32_t)b)));
		high = fmax(high, ossai_height_of(a, ossai_rest_joint(a, (uint32_t)b)));
	}
	a->height = high - low;
}

/* ---- sides ---- */

/* How far the feet reach ahead of the ankles, knees of people in front of the line from hip to
   ankle: negative where the body looks the other way, and so its sides are exchanged. */
static double reach_ahead(const ossai_actor *a)
{
	double sum = 0;
	for (size_t i = 0; i < a->leg_count; i++) {
		const ossai_actor_leg *leg = &a->leg[i];
		const ossai_vec3 ankle = ossai_rest_joint(a, leg->limb.end);
		double ahead = 0, behind = 0;
		for (size_t k = 0; k < leg->sole_count; k++) {
			const double reach = ossai_dot(a->frame.front, ossai_sub(leg->sole[k].position, ankle));
			ahead = fmax(ahead, reach);
			behind = fmin(behind, reach);
		}
		sum += ahead + behind;
		if (leg->limb.part[0] != OSSA_PART_UPPER_LEG) continue;
		const ossai_vec3 middle = ossai_lerp(ossai_rest_joint(a, leg->limb.upper), ankle, 0.5);
		sum += ossai_dot(a->frame.front, ossai_sub(ossai_rest_joint(a, leg->limb.lower), middle));
	}
	return sum;
}

static ossa_status correct_sides(ossai_arena *arena, const char *name, ossai_actor *a)
{
	if (reach_ahead(a) >= 0) return OSSA_OK;
	for (size_t b = 0; b < a->rig->skeleton.bone_count; b++) a->role[b].side = -a->role[b].side;
	a->frame.left = ossai_scale(a->frame.left, -1);
	a->frame.front = ossai_scale(a->frame.front, -1);
	ossai_warn(arena->context, "sides-exchanged", 1,
		"%s: its feet point the other way than its left and right say: these are exchanged", name);
	find_limbs(a);
	return find_soles(arena, a);
}

ossa_status ossai_find_actor(
	ossai_arena *arena, const char *name, const ossa_rig *rig, const ossa_role *role, ossai_actor *actor)
{
	const ossai_place place = ossai_in_file(name);
	*actor = (ossai_actor){.rig = rig};
	actor->role = ossai_arena_new(arena, rig->skeleton.bone_count, sizeof *role);
	if (!actor->role) return ossa_context_error(arena->context)->status;
	memcpy(actor->role, role, rig->skeleton.bone_count * sizeof *role);
	find_limbs(actor);
	if (ossai_bone_of(&rig->skeleton, role, OSSA_PART_HIPS, 0) == OSSA_NONE)
		return ossai_fail(arena->context, OSSA_ERROR_INPUT, &place, "no bone is known to be the hips");
	if (actor->leg_count < 2 || !ossai_find_body_frame(&rig->skeleton, role, &actor->frame)) {
		return ossai_fail(arena->context, OSSA_ERROR_INPUT, &place,
			"thigh, shin and foot are not known on both sides, so that nobody can say where it faces");
	}
	OSSAI_TRY(find_soles(arena, actor));
	OSSAI_TRY(correct_sides(arena, name, actor));
	find_ground(actor);
	find_height(actor);
	return OSSA_OK;
}

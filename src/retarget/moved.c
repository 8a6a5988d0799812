/* retarget/moved.c: see moved.h. */
#include "retarget/moved.h"

#include "rig/pose.h"
#include "rig/turns.h"

#include <string.h>

/* The parts that a part follows in a body, the nearest first, on the same side or medial. */
typedef struct follows {
	ossa_body_part part, before[3];
} follows;

static const follows order[] = {
	{OSSA_PART_SPINE, {OSSA_PART_HIPS}},
	{OSSA_PART_NECK, {OSSA_PART_SPINE, OSSA_PART_HIPS}},
	{OSSA_PART_HEAD, {OSSA_PART_NECK, OSSA_PART_SPINE, OSSA_PART_HIPS}},
	{OSSA_PART_CLAVICLE, {OSSA_PART_SPINE, OSSA_PART_HIPS}},
	{OSSA_PART_UPPER_ARM, {OSSA_PART_CLAVICLE, OSSA_PART_SPINE, OSSA_PART_HIPS}},
	{OSSA_PART_LOWER_ARM, {OSSA_PART_UPPER_ARM}},
	{OSSA_PART_HAND, {OSSA_PART_LOWER_ARM}},
	{OSSA_PART_THUMB, {OSSA_PART_HAND}},
	{OSSA_PART_INDEX, {OSSA_PART_HAND}},
	{OSSA_PART_MIDDLE, {OSSA_PART_HAND}},
	{OSSA_PART_RING, {OSSA_PART_HAND}},
	{OSSA_PART_LITTLE, {OSSA_PART_HAND}},
	{OSSA_PART_UPPER_LEG, {OSSA_PART_HIPS}},
	{OSSA_PART_LOWER_LEG, {OSSA_PART_UPPER_LEG}},
	{OSSA_PART_FOOT, {OSSA_PART_LOWER_LEG}},
	{OSSA_PART_TOES, {OSSA_PART_FOOT}},
	{OSSA_PART_FRONT_UPPER_LEG, {OSSA_PART_CLAVICLE, OSSA_PART_SPINE, OSSA_PART_HIPS}},
	{OSSA_PART_FRONT_LOWER_LEG, {OSSA_PART_FRONT_UPPER_LEG}},
	{OSSA_PART_FRONT_FOOT, {OSSA_PART_FRONT_LOWER_LEG}},
	{OSSA_PART_FRONT_TOES, {OSSA_PART_FRONT_FOOT}},
	{OSSA_PART_BACK_UPPER_LEG, {OSSA_PART_HIPS}},
	{OSSA_PART_BACK_LOWER_LEG, {OSSA_PART_BACK_UPPER_LEG}},
	{OSSA_PART_BACK_FOOT, {OSSA_PART_BACK_LOWER_LEG}},
	{OSSA_PART_BACK_TOES, {OSSA_PART_BACK_FOOT}},
	{OSSA_PART_TAIL, {OSSA_PART_HIPS}},
};

/* ---- carriers ---- */

/* the bone of a part with the highest number below `below` */
static uint32_t last_bone(const ossai_actor *a, ossa_body_part part, int side, int below)
{
	uint32_t found = OSSA_NONE;
	for (size_t b = 0; b < a->rig->skeleton.bone_count; b++) {
		const ossa_role role = a->role[b];
		if (role.part != part || role.side != side || role.number >= below) continue;
		if (found == OSSA_NONE || role.number > a->role[found].number) found = (uint32_t)b;
	}
	return found;
}

static uint32_t bone_before(const ossai_actor *a, size_t bone)
{
	enum { ANY = 1 << 20 };
	const ossa_role role = a->role[bone];
	if (role.number > 1) {
		const uint32_t same = last_bone(a, role.part, role.side, role.number);
		if (same != OSSA_NONE) return same;
	}
	for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
		if (order[i].part != role.part) continue;
		for (size_t k = 0; k < 3 && order[i].before[k] != OSSA_PART_NONE; k++) {
			uint32_t found = last_bone(a, order[i].before[k], role.side, ANY);
			if (found == OSSA_NONE) found = last_bone(a, order[i].before[k], 0, ANY);
			if (found != OSSA_NONE) return found;
		}
	}
	return OSSA_NONE;
}

/* whether a bone is `above`, or carried by it over any number of bones */
static bool is_carried_by(const uint32_t *carrier, uint32_t bone, uint32_t above)
{
	for (; bone != OSSA_NONE; bone = carrier[bone]) {
		if (bone == above) return true;
	}
	return false;
}

static bool has_vertices(const ossa_weights *weights, uint32_t bone)
{
	const size_t count = weights->vertex_count * (size_t)weights->influences;
	for (size_t i = 0; i < count; i++) {
		if (weights->bones[i] == bone && weights->values[i] > 0) return true;
	}
	return false;
}

/* Of the bones above the hips the topmost one that is a part of the body, as in files whose root is
   the chest; the hips where there is none. */
static uint32_t body_root(const ossai_moved *m)
{
	uint32_t root = m->hips;
	for (uint32_t b = m->carrier[m->hips]; b != OSSA_NONE; b = m->carrier[b]) {
		if (m->actor->role[b].part != OSSA_PART_NONE) root = b;
	}
	return root;
}

/* The hips carry what is above them up to `root`; what is above that does not move. */
static void carry_from_hips(ossai_moved *m, uint32_t root)
{
	uint32_t above = m->carrier[m->hips], below = m->hips;
	m->has_slides = m->has_slides || m->carrier[root] != OSSA_NONE;
	m->carrier[m->hips] = OSSA_NONE;
	while (below != root) {
		const uint32_t next = m->carrier[above];
		m->carrier[above] = below;
		m->is_carried_up[above] = 1;
		below = above;
		above = next;
	}
}

static void find_carriers(ossai_moved *m, uint8_t *is_above_body)
{
	const ossai_actor *a = m->actor;
	const ossa_bone *bones = a->rig->skeleton.bones;
	const size_t count = a->rig->skeleton.bone_count;
	for (size_t b = 0; b < count; b++) m->carrier[b] = bones[b].parent < 0 ? OSSA_NONE : (uint32_t)bones[b].parent;
	const uint32_t root = body_root(m);
	for (uint32_t b = m->carrier[root]; b != OSSA_NONE; b = m->carrier[b]) is_above_body[b] = 1;
	for (size_t b = 0; b < count; b++) {
		const uint32_t parent = m->carrier[b];
		const bool stays = is_carried_by(m->carrier, m->hips, (uint32_t)b);
		uint32_t before = stays ? OSSA_NONE : bone_before(a, b);
		/* what the root of a file carries beside the body, such as loose clothes, goes with it */
		if (before == OSSA_NONE && !stays && parent != OSSA_NONE && is_above_body[parent] &&
			has_vertices(&a->rig->weights, (uint32_t)b))
			before = m->hips;
		if (before == OSSA_NONE || is_carried_by(m->carrier, (uint32_t)b, before) ||
			is_carried_by(m->carrier, before, (uint32_t)b))
			continue;
		m->carrier[b] = before;
		m->has_slides = true;
	}
	carry_from_hips(m, root);
}

/* bones after their carriers, else in their own order */
static void find_order(ossai_moved *m, uint8_t *is_done)
{
	const size_t count = m->actor->rig->skeleton.bone_count;
	for (size_t done = 0; done < count;) {
		for (size_t b = 0; b < count; b++) {
			if (is_done[b] || (m->carrier[b] != OSSA_NONE && !is_done[m->carrier[b]])) continue;
			is_done[b] = 1;
			m->order[done++] = (uint32_t)b;
		}
	}
}

ossa_status ossai_moved_begin(ossai_arena *arena, const ossai_actor *actor, ossai_moved *moved)
{
	const size_t count = actor->rig->skeleton.bone_count;
	*moved = (ossai_moved){.actor = actor};
	moved->hips = ossai_bone_of(&actor->rig->skeleton, actor->role, OSSA_PART_HIPS, 0);
	moved->carrier = ossai_arena_new(arena, count, sizeof *moved->carrier);
	moved->order = ossai_arena_new(arena, count, sizeof *moved->order);
	moved->is_carried_up = ossai_arena_zero(arena, count, 1);
	moved->turns = ossai_arena_zero(arena, count, 1);
	moved->extra = ossai_arena_new(arena, count, sizeof *moved->extra);
	moved->turn = ossai_arena_new(arena, count, sizeof *moved->turn);
	moved->world = ossai_arena_new(arena, count, sizeof *moved->world);
	moved->joint = ossai_arena_new(arena, count, sizeof *moved->joint);
	uint8_t *is_above_body = ossai_arena_zero(arena, count, 1), *is_done = ossai_arena_zero(arena, count, 1);
	if (!moved->carrier || !moved->order || !moved->is_carried_up || !moved->turns || !moved->extra || !moved->turn ||
		!moved->world || !moved->joint || !is_above_body || !is_done)
		return ossa_context_error(arena->context)->status;
	for (size_t b = 0; b < count; b++) moved->extra[b] = ossai_quat_identity();
	find_carriers(moved, is_above_body);
	find_order(moved, is_done);
	return OSSA_OK;
}

/* ---- a frame ---- */

/* a vector after a rotation: v + 2 u x (u x v + w v) */
static ossai_vec3 turned(ossai_quat q, ossai_vec3 v)
{
	const ossai_vec3 u = ossai_v3(q.x, q.y, q.z);
	return ossai_madd(v, 2, ossai_cross(u, ossai_madd(ossai_cross(u, v), q.w, v)));
}

void ossai_moved_place(ossai_moved *m, ossai_vec3 hips)
{
	const ossa_bone *bones = m->actor->rig->skeleton.bones;
	for (size_t i = 0; i < m->actor->rig->skeleton.bone_count; i++) {
		const uint32_t b = m->order[i], carrier = m->carrier[b];
		const ossai_vec3 rest = ossai_v3_of(bones[b].joint);
		if (carrier == OSSA_NONE) {
			if (!m->turns[b]) m->turn[b] = ossai_quat_identity();
			m->joint[b] = b == m->hips ? hips : rest;
			continue;
		}
		if (!m->turns[b]) m->turn[b] = ossai_quat_mul(m->turn[carrier], m->extra[b]);
		/* a parent holds the joint of the child that carries it */
		const ossai_quat turn = m->turn[m->is_carried_up[b] ? b : carrier];
		const ossai_vec3 offset = ossai_sub(rest, ossai_v3_of(bones[carrier].joint));
		m->joint[b] = ossai_add(m->joint[carrier], turned(turn, offset));
	}
}

void ossai_moved_turn_part(ossai_moved *m, ossa_body_part part, int side, ossai_quat turn)
{
	for (size_t b = 0; b < m->actor->rig->skeleton.bone_count; b++) {
		if (m->actor->role[b].part == part && m->actor->role[b].side == side)
			m->turn[b] = ossai_quat_unit(ossai_quat_mul(turn, m->turn[b]));
	}
}

/* the local rotation, within the limits that a person or a file has set; limits of a motion are no
   bounds of another */
static ossai_quat within_limits(const ossa_bone *bones, size_t b, ossai_quat local, bool *is_limited)
{
	double past = 0;
	if (!bones[b].has_limits || bones[b].limits_of_motion || bones[b].parent < 0) return local;
	const ossai_quat rest = ossai_rest_rotation(bones, b);
	const ossai_quat turn = ossai_quat_unit(ossai_quat_mul(ossai_quat_conjugate(rest), local));
	const ossai_quat limited = ossai_turn_within_limits(&bones[b], turn, &past);
	if (past == 0) return local;
	*is_limited = true;
	return ossai_quat_unit(ossai_quat_mul(rest, limited));
}

/* where a joint is in its parent's frame: as at rest where the parent carries it, or it its parent */
static ossai_vec3 place_of(const ossai_moved *m, size_t b)
{
	const ossa_bone *bones = m->actor->rig->skeleton.bones;
	const uint32_t parent = (uint32_t)bones[b].parent;
	if (bones[b].parent < 0) return m->joint[b];
	if (m->carrier[b] == parent || m->carrier[parent] == b) return ossai_rest_offset(bones, b);
	return turned(ossai_quat_conjugate(m->world[parent]), ossai_sub(m->joint[b], m->joint[parent]));
}

bool ossai_moved_store(ossai_moved *m, size_t frame, ossa_clip *clip)
{
	const ossa_bone *bones = m->actor->rig->skeleton.bones;
	bool is_limited = false;
	ossai_v3_store(m->joint[0], clip->root_positions + 3 * frame);
	for (size_t b = 0; b < clip->bone_count; b++) {
		const size_t at = frame * clip->bone_count + b;
		const int32_t parent = bones[b].parent;
		ossai_quat own = ossai_quat_unit(ossai_quat_mul(m->turn[b], ossai_quat_of(bones[b].orientation)));
		if (parent >= 0) {
			const ossai_quat above = m->world[parent];
			own = ossai_quat_unit(ossai_quat_mul(ossai_quat_conjugate(above), own));
			own = within_limits(bones, b, own, &is_limited);
			m->world[b] = ossai_quat_mul(above, own);
		} else m->world[b] = own;
		double *rotation = clip->rotations + 4 * at;
		ossai_quat_store_after(own, frame > 0 ? rotation - 4 * clip->bone_count : NULL, rotation);
		if (clip->translations) ossai_v3_store(place_of(m, b), clip->translations + 3 * at);
	}
	return is_limited;
}

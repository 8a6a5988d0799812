/* retarget/hands.c: see hands.h. */
#include "retarget/hands.h"

#include "retarget/two_bones.h"

#include <string.h>

enum { DIRECTIONS = 24, ROUNDS = 3 };

/* of an arm's length: how far it stretches */
static const double most_reach = 0.999;

/* The vertices that a bone moves most, in the bone's rest pose: between two planes across the bone,
   and within one plane for each of some directions across it. */
struct ossai_hull {
	uint32_t bone;
	ossai_vec3 along;
	ossai_vec3 across[DIRECTIONS];
	double low, high;           /* along, from the joint */
	double support[DIRECTIONS]; /* across */
};

/* ---- at rest ---- */

static bool is_of_body(ossa_role role)
{
	return role.part == OSSA_PART_HIPS || role.part == OSSA_PART_SPINE || role.part == OSSA_PART_UPPER_LEG;
}

/* trunks stand upright whatever their bones do; thighs lead to the knee */
static ossai_vec3 axis_of(const ossai_actor *a, uint32_t bone)
{
	const ossa_role role = a->role[bone];
	const uint32_t knee = ossai_bone_of(&a->rig->skeleton, a->role, OSSA_PART_LOWER_LEG, role.side);
	if (role.part != OSSA_PART_UPPER_LEG || knee == OSSA_NONE) return a->frame.up;
	return ossai_unit(ossai_sub(ossai_rest_joint(a, knee), ossai_rest_joint(a, bone)), a->frame.up);
}

static void begin_hull(const ossai_actor *a, uint32_t bone, ossai_hull *hull)
{
	*hull = (ossai_hull){.bone = bone, .along = axis_of(a, bone), .low = INFINITY, .high = -INFINITY};
	const ossai_vec3 left = ossai_unit(
		ossai_madd(a->frame.left, -ossai_dot(a->frame.left, hull->along), hull->along), a->frame.front);
	const ossai_vec3 front = ossai_cross(left, hull->along);
	for (int i = 0; i < DIRECTIONS; i++) {
		const double angle = 2 * OSSAI_PI * i / DIRECTIONS;
		hull->across[i] = ossai_madd(ossai_scale(left, cos(angle)), sin(angle), front);
		hull->support[i] = -INFINITY;
	}
}

static void add_vertex(ossai_hull *hull, ossai_vec3 p)
{
	hull->low = fmin(hull->low, ossai_dot(hull->along, p));
	hull->high = fmax(hull->high, ossai_dot(hull->along, p));
	for (int i = 0; i < DIRECTIONS; i++) hull->support[i] = fmax(hull->support[i], ossai_dot(hull->across[i], p));
}

/* B: the arm whose hand, or a part of it, a bone is; arm_count: of none */
static void mark_hands(const ossai_actor *a, uint8_t *hand)
{
	for (size_t b = 0; b < a->rig->skeleton.bone_count; b++) {
		const int32_t parent = a->rig->skeleton.bones[b].parent;
		hand[b] = parent < 0 ? (uint8_t)a->arm_count : hand[parent];
		for (size_t i = 0; i < a->arm_count; i++) {
			if (a->arm[i].end == b) hand[b] = (uint8_t)i;
		}
	}
}

/* Whether a vertex is of the hand, and not of what it holds: as near to the wrist as half of the
   lower arm is long. */
static bool is_of_hand(const ossai_outline *o, const uint8_t *hand, size_t vertex, size_t arm)
{
	const ossai_actor *a = o->actor;
	const ossai_vec3 wrist = ossai_rest_joint(a, a->arm[arm].end);
	const double half = 0.5 * ossai_distance(ossai_rest_joint(a, a->arm[arm].lower), wrist);
	if (hand[a->rig->weights.bones[vertex * (size_t)a->rig->weights.influences]] != arm) return false;
	return ossai_distance(wrist, ossai_v3_of_float(a->rig->mesh->positions + 3 * vertex)) <= half;
}

static void find_centers(ossai_outline *o, const uint8_t *hand)
{
	const ossa_mesh *mesh = o->actor->rig->mesh;
	for (size_t i = 0; i < o->actor->arm_count; i++) {
		ossai_vec3 sum = {0, 0, 0};
		size_t count = 0;
		for (size_t v = 0; v < mesh->vertex_count; v++) {
			if (!is_of_hand(o, hand, v, i)) continue;
			sum = ossai_add(sum, ossai_v3_of_float(mesh->positions + 3 * v));
			count++;
		}
		o->center[i] = count > 0 ? ossai_scale(sum, 1 / (double)count) : ossai_rest_joint(o->actor, o->actor->arm[i].end);
	}
}

static ossa_status find_outline(ossai_arena *arena, const ossai_actor *actor, ossai_outline *outline)
{
	const size_t bones = actor->rig->skeleton.bone_count;
	const ossa_weights *weights = &actor->rig->weights;
	uint8_t *hand = ossai_arena_new(arena, bones, 1);
	uint32_t *hull_of = ossai_arena_new(arena, bones, sizeof *hull_of);
	*outline = (ossai_outline){.actor = actor, .hulls = ossai_arena_new(arena, bones, sizeof *outline->hulls)};
	if (!hand || !hull_of || !outline->hulls) return ossa_context_error(arena->context)->status;
	if (actor->rig->mesh->vertex_count == 0) return OSSA_OK;
	mark_hands(actor, hand);
	find_centers(outline, hand);
	for (size_t b = 0; b < bones; b++) {
		hull_of[b] = is_of_body(actor->role[b]) ? (uint32_t)outline->hull_count++ : OSSA_NONE;
		if (hull_of[b] != OSSA_NONE) begin_hull(actor, (uint32_t)b, &outline->hulls[hull_of[b]]);
	}
	for (size_t v = 0; v < actor->rig->mesh->vertex_count; v++) {
		const uint32_t hull = hull_of[weights->bones[v * (size_t)weights->influences]];
		if (hull == OSSA_NONE) continue;
		ossai_hull *own = &outline->hulls[hull];
		add_vertex(own, ossai_sub(ossai_v3_of_float(actor->rig->mesh->positions + 3 * v), ossai_rest_joint(actor, own->bone)));
	}
	return OSSA_OK;
}

/* ---- in a frame ---- */

/* How deep a point is in a prism, and the nearest direction out, at rest. */
static double depth_in(const ossai_hull *hull, ossai_vec3 p, ossai_vec3 *out)
{
	const double along = ossai_dot(hull->along, p);
	double least = INFINITY;
	if (along < hull->low || along > hull->high) return 0;
	for (int i = 0; i < DIRECTIONS; i++) {
		const double depth = hull->support[i] - ossai_dot(hull->across[i], p);
		if (depth >= least) continue;
		least = depth;
		*out = hull->across[i];
	}
	/* near its ends a prism fades, so that a hand does not jump */
	return fmax(0, fmin(least, fmin(along - hull->low, hull->high - along)));
}

/* the deepest that a point is in any prism, and the way out in the frame */
static double deepest(const ossai_outline *o, const ossai_place_of_bone *places, ossai_vec3 point, ossai_vec3 *out)
{
	double most = 0;
	for (size_t i = 0; i < o->hull_count; i++) {
		const ossai_place_of_bone *at = &places[o->hulls[i].bone];
		ossai_vec3 local = {0, 0, 0};
		const double depth = depth_in(&o->hulls[i], ossai_mat3_tmul_v(&at->turn, ossai_sub(point, at->joint)), &local);
		if (depth <= most) continue;
		most = depth;
		*out = ossai_mat3_mul_v(&at->turn, local);
	}
	return most;
}

/* the middle of a hand in a frame */
static ossai_vec3 center_at(const ossai_outline *o, const ossai_place_of_bone *places, size_t arm)
{
	const uint32_t hand = o->actor->arm[arm].end;
	const ossai_vec3 offset = ossai_sub(o->center[arm], ossai_rest_joint(o->actor, hand));
	return ossai_add(places[hand].joint, ossai_mat3_mul_v(&places[hand].turn, offset));
}

/* how deep the source's hand of the same side is in its own body, in the target's size */
static double source_depth(const ossai_hands *h, int side)
{
	for (size_t i = 0; i < h->source.actor->arm_count; i++) {
		ossai_vec3 out;
		if (h->source.actor->arm[i].side != side) continue;
		return h->scale * deepest(&h->source, h->source_places, center_at(&h->source, h->source_places, i), &out);
	}
	return 0;
}

static void place_source(const ossai_hands *h, const double *worlds)
{
	const ossa_skeleton *skeleton = &h->source.actor->rig->skeleton;
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		const ossai_rigid world = ossai_rigid_of(worlds + 12 * b);
		const ossai_mat3 rest = ossai_quat_matrix(ossai_quat_of(skeleton->bones[b].orientation));
		const ossai_mat3 back = ossai_mat3_transpose(&rest);
		h->source_places[b] = (ossai_place_of_bone){ossai_mat3_mul(&world.r, &back), world.t};
	}
}

static void place_target(const ossai_hands *h, const ossai_moved *moved)
{
	for (size_t b = 0; b < h->target.actor->rig->skeleton.bone_count; b++)
		h->places[b] = (ossai_place_of_bone){ossai_quat_matrix(moved->turn[b]), moved->joint[b]};
}

void ossai_clear_hands(const ossai_hands *h, ossai_moved *moved, const double *worlds)
{
	const ossai_actor *target = h->target.actor;
	if (h->target.hull_count == 0) return;
	if (h->source.hull_count > 0) place_source(h, worlds);
	place_target(h, moved);
	for (size_t i = 0; i < target->arm_count; i++) {
		const ossai_actor_limb *arm = &target->arm[i];
		const double allowed = fmax(h->rest_depth[i], source_depth(h, arm->side));
		ossai_vec3 center = center_at(&h->target, h->places, i), moved_by = {0, 0, 0};
		/* out of one prism it may be in the next */
		for (int round = 0; round < ROUNDS; round++) {
			ossai_vec3 out = {0, 0, 0};
			const double depth = deepest(&h->target, h->places, ossai_add(center, moved_by), &out) - allowed;
			if (!(depth > 0)) break;
			moved_by = ossai_madd(moved_by, depth, out);
		}
		if (!(ossai_length(moved_by) > 0)) continue;
		/* elbows bend to the back */
		ossai_reach(
			moved, arm, ossai_add(moved->joint[arm->end], moved_by), most_reach, ossai_scale(target->frame.front, -1), false);
		ossai_moved_place(moved, moved->joint[moved->hips]);
	}
}

ossa_status ossai_find_hands(
	ossai_arena *arena, const ossai_actor *target, const ossai_actor *source, double scale, ossai_hands *h)
{
	const ossa_skeleton *skeleton = &target->rig->skeleton;
	*h = (ossai_hands){.scale = scale};
	OSSAI_TRY(find_outline(arena, target, &h->target));
	OSSAI_TRY(find_outline(arena, source, &h->source));
	h->places = ossai_arena_new(arena, skeleton->bone_count, sizeof *h->places);
	h->source_places = ossai_arena_new(arena, source->rig->skeleton.bone_count, sizeof *h->source_places);
	if (!h->places || !h->source_places) return ossa_context_error(arena->context)->status;
	for (size_t b = 0; b < skeleton->bone_count; b++)
		h->places[b] = (ossai_place_of_bone){ossai_mat3_identity(), ossai_rest_joint(target, (uint32_t)b)};
	for (size_t i = 0; i < target->arm_count; i++) {
		ossai_vec3 out;
		h->rest_depth[i] = deepest(&h->target, h->places, center_at(&h->target, h->places, i), &out);
	}
	return OSSA_OK;
}

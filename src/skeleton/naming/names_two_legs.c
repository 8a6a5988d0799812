/* skeleton/naming/names_two_legs.c: names for people, robots, birds: what stands on two legs.

   Place in the path: inside names_standing.c.
   Input: a stance with two legs.
   Output: names. */
#include "skeleton/naming/stance.h"

#include <stdio.h>

/* of the diagonal: arms are at least this long */
static const double arm_least = 0.1;
/* soles lie this much of a leg's length ahead of the shanks, or they are no evidence */
static const double sole_least = 0.03;
/* of a leg's height: what is between these is shank; feet may be big */
static const double shank[2] = {0.35, 0.7};
enum { FINGERS_LEAST = 3 };

/* positions along a leg or an arm where trunk, upper and lower part end; bones' centers measured on
   people, toys and robots: thighs to 0.32, calves 0.47 to 0.75, feet from 0.84 on; upper arms to
   0.26, lower ones 0.47 to 0.66, hands from 0.84 on */
#define LEG -1, 0.42, 0.80
#define ARM 0.04, 0.38, 0.75

static bool measure_arms(const ossai_stance *s, ossai_limb *a, ossai_limb *b)
{
	const double longer = fmax(a->reach, b->reach), shorter = fmin(a->reach, b->reach);
	/* unless one has lost its first bones to the trunk */
	if (a->count == b->count && !ossai_sizes_are_alike(shorter, longer)) return false;
	ossai_limb_measure_reach(a, s->naming->body, longer);
	ossai_limb_measure_reach(b, s->naming->body, longer);
	ossai_limb_balance(a, b);
	return true;
}

/* ---- two legs ---- */

/* the path from a leaf to the first bone on the plane of symmetry; that bone */
static double path_to_medial(const ossai_naming *n, uint32_t end, uint32_t *medial)
{
	const ossai_body *body = n->body;
	uint32_t b = end, last = end;
	for (; b != OSSA_NONE && n->ends_below[b] == 0 && ossai_side_of(n, b) != 0; b = body->up[b]) last = b;
	*medial = b;
	return body->reach[end] - (body->reach[last] - ossai_distance(body->tip[last], ossai_body_seam(body, last)));
}

/* the longest limb on a side that is no leg and is attached to a medial bone */
static uint32_t find_arm(const ossai_naming *n, int side)
{
	const ossai_body *body = n->body;
	uint32_t best = OSSA_NONE;
	double longest = arm_least;
	for (uint32_t b = 0; b < body->bone_count; b++) {
		if (!ossai_is_end(body, b) || b == body->anchor || n->ends_below[b] > 0 || ossai_side_of(n, b) != side) continue;
		uint32_t medial;
		const double length = path_to_medial(n, b, &medial);
		if (medial == OSSA_NONE || ossai_side_of(n, medial) != 0 || !(length > longest)) continue;
		longest = length;
		best = b;
	}
	return best;
}

/* the leaves in the subtree of every bone */
static ossa_status count_ends(const ossai_naming *n, uint32_t **result)
{
	const ossai_body *body = n->body;
	uint32_t *count = ossai_arena_zero(n->arena, body->bone_count, sizeof *count);
	if (!count) return ossa_context_error(n->arena->context)->status;
	for (size_t i = body->bone_count; i-- > 1;) {
		const uint32_t bone = body->order[i];
		if (ossai_is_end(body, bone)) count[bone] = 1;
		count[body->up[bone]] += count[bone];
	}
	*result = count;
	return OSSA_OK;
}

/* how many bones of an arm come before its fingers: up to the last one with several of them as
   descendants */
static size_t count_without_fingers(const ossai_limb *arm, const uint32_t *ends)
{
	size_t last = arm->count;
	while (last > 0 && ends[arm->bones[last - 1]] < FINGERS_LEAST) last--;
	return last;
}

/* arms end in the parents of their fingers, if both have as many */
static ossa_status part_fingers(ossai_stance *s, ossai_limb arms[2])
{
	const ossai_body *body = s->naming->body;
	uint32_t *ends = NULL, hands[2];
	size_t count[2];
	OSSAI_TRY(count_ends(s->naming, &ends));
	for (int i = 0; i < 2; i++) {
		count[i] = count_without_fingers(&arms[i], ends);
		/* a hand is not the arm's first bone */
		if (count[i] < 2 || count[i] == arms[i].count) return OSSA_OK;
		hands[i] = arms[i].bones[count[i] - 1];
	}
	bool named;
	const char *const sides[2] = {ossai_side_suffix(1), ossai_side_suffix(-1)};
	OSSAI_TRY(ossai_name_fingers(s->naming, hands, s->front, sides, &named));
	for (int i = 0; i < 2 && named; i++) {
		arms[i].count = count[i];
		arms[i].reach = 0;
		for (size_t b = 0; b < count[i]; b++) {
			arms[i].reach = fmax(arms[i].reach, ossai_distance(arms[i].root, body->tip[arms[i].bones[b]]));
		}
	}
	return OSSA_OK;
}

static ossa_status name_arms(ossai_stance *s, const uint32_t ends[2], ossai_limb arms[2])
{
	static const ossai_limb_words words = {"arm", "upperarm", "lowerarm", "hand", NULL, "", ARM};
	for (int i = 0; i < 2; i++) {
		if (ends[i] == OSSA_NONE) continue;
		OSSAI_TRY(ossai_limb_trace(s->naming, ends[i], i == 0 ? 1 : -1, &arms[i]));
	}
	/* one arm alone could be anything */
	if (arms[0].count == 0 || arms[1].count == 0) {
		arms[0].count = arms[1].count = 0;
		return OSSA_OK;
	}
	OSSAI_TRY(part_fingers(s, arms));
	if (!measure_arms(s, &arms[0], &arms[1])) {
		arms[0].count = arms[1].count = 0;
		return OSSA_OK;
	}
	for (int i = 0; i < 2; i++) ossai_limb_name(s->naming, &arms[i], &words, s->front);
	return OSSA_OK;
}

static ossa_status name_upright_trunk(ossai_stance *s, const ossai_limb arms[2])
{
	size_t count;
	uint32_t *bones;
	OSSAI_TRY(ossai_stance_spine(s, s->leg, arms, ossai_v3(0, 1, 0), &count, &bones));
	if (count == 1) snprintf(s->naming->names[bones[0]], BONE_NAME_SIZE, "torso");
	if (count < 2) return OSSA_OK;
	const bool pelvis = bones[0] == s->leg[0].trunk && bones[0] == s->leg[1].trunk;
	if (pelvis) snprintf(s->naming->names[bones[0]], BONE_NAME_SIZE, "pelvis");
	ossai_name_chain(s->naming, "spine", count - pelvis, bones + pelvis, "");
	return OSSA_OK;
}

/* what stands up on the plane of symmetry beyond the arms */
static ossa_status name_upright_head(ossai_stance *s, uint32_t end, const ossai_limb arms[2])
{
	ossai_limb head;
	if (end == OSSA_NONE) return OSSA_OK;
	OSSAI_TRY(ossai_limb_trace(s->naming, end, 0, &head));
	if (head.count == 0) return OSSA_OK;
	const double shoulders = (arms[0].root.y + arms[1].root.y) / 2;
	if (head.tip.y > shoulders && head.tip.y > fmax(s->leg[0].root.y, s->leg[1].root.y)) ossai_name_head(s->naming, &head);
	return OSSA_OK;
}

static bool stands_upright(const ossai_stance *s, const ossai_limb arms[2])
{
	const ossai_vec3 hips = ossai_lerp(s->leg[0].root, s->leg[1].root, 0.5),
					 shoulders = ossai_lerp(arms[0].root, arms[1].root, 0.5);
	const ossai_vec3 trunk = ossai_sub(shoulders, hips);
	return trunk.y > 0 && ossai_is_steep(trunk.y, ossai_length(trunk));
}

ossa_status ossai_name_two_legs(ossai_stance *s)
{
	static const ossai_limb_words words = {"leg", "thigh", "calf", "foot", "toe", "", LEG};
	ossai_naming *n = s->naming;
	const ossai_vec3 up = {0, 1, 0}, forward = ossai_cross(n->body->across, up);
	if (!ossai_stance_measure_legs(s, &s->leg[0], &s->leg[1])) return OSSA_OK;
	const double ahead = ossai_stance_soles_ahead(s, shank, forward);
	ossai_stance_face(s, fabs(ahead) > sole_least ? ahead > 0 : ossai_faces_forward(forward));
	for (int i = 0; i < 2; i++) ossai_limb_name(n, &s->leg[i], &words, s->front);
	const uint32_t arm_ends[2] = {find_arm(n, 1), find_arm(n, -1)};
	ossai_mark_ends(n, arm_ends, 2);
	const uint32_t head = ossai_stance_farthest_end(s, up), back = ossai_stance_farthest_end(s, ossai_scale(s->front, -1));
	const uint32_t tail = back == head ? OSSA_NONE : back;
	ossai_mark_ends(n, (const uint32_t[]){head, tail}, 2);
	ossai_limb arms[2] = {{.count = 0}, {.count = 0}};
	OSSAI_TRY(name_arms(s, arm_ends, arms));
	if (arms[0].count == 0 || !stands_upright(s, arms)) return OSSA_OK;
	OSSAI_TRY(name_upright_trunk(s, arms));
	OSSAI_TRY(name_upright_head(s, head, arms));
	return ossai_stance_name_tail(s, tail, &s->leg[0], &s->leg[1]);
}

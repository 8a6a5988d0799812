/* skeleton/names_standing.c: names for bodies that stand on legs in pairs: people, birds, horses, spiders.

   Place in the path: inside names.c.  In: a naming whose body is measured.  Out: names; false where the shape is not sure. */
#include "skeleton/limbs.h"

#include <stdio.h>

/* of the widest foot's way from the plane: what is nearer is in the middle */
static const double middle_share = 0.3;
/* a leg falls at least this much per length of it */
static const double steep_least = 0.5;
/* of the diagonal: legs and arms are at least this long */
static const double leg_least = 0.08, arm_least = 0.1;
/* arms of a pair differ by at most this factor, legs too, once what the trunk took is counted */
static const double pair_most = 1.7;
/* soles lie this much of a leg's length ahead of the shanks, or they say nothing */
static const double sole_least = 0.03;
/* of a leg's height: what is between these is shank, what is below the last sole. Two legs may have big feet; of four the upper
   parts of hind legs lie ahead. */
static const double shank_of_two[2] = {0.35, 0.7}, shank_of_four[2] = {0.15, 0.45}, sole_high = 0.12;
/* places along a leg or an arm where the upper and the lower part end; bones' centers, measured on people, toys, horses, dogs and
   foxes: thighs to 0.32, calves 0.47 to 0.75, feet from 0.84 on; upper arms to 0.26, lower ones 0.47 to 0.66, hands from 0.84 on; of
   four legs upper parts to 0.31, lower ones 0.36 to 0.69, what is beyond hock or wrist from 0.74 on */
#define LEG_OF_TWO 0.42, 0.80
#define LEG_OF_FOUR 0.34, 0.70
#define ARM 0.38, 0.75
/* front and hind legs stand this far apart, of the diagonal */
static const double legs_apart = 0.12;
/* a trunk stands upright where it rises this much per length */
static const double upright_least = 0.5;
/* what tells front and back must say it this clearly */
static const double front_least = 0.5;

enum { LEGS_MAX = 32 };

typedef struct stance {
	ossai_naming *naming;
	size_t leg_count;
	size_t foot[LEGS_MAX]; /* left ones first, each side from front to back once that is known */
	ossai_limb leg[LEGS_MAX];
	ossai_vec3 front;
} stance;

static size_t pair_count(const stance *s) { return s->leg_count / 2; }

/* ---- which feet, and what they hang on ---- */

static bool find_legs(stance *s)
{
	const ossai_body *body = s->naming->body;
	double widest = 0;
	for (size_t i = 0; i < body->foot_count; i++) widest = fmax(widest, fabs(ossai_body_offset(body, body->feet[i].sole)));
	s->naming->side_least = middle_share * widest;
	for (int side = 1; side >= -1; side -= 2) {
		for (size_t i = 0; i < body->foot_count; i++) {
			if (ossai_side_of_point(s->naming, body->feet[i].sole) != side) continue;
			if (s->leg_count == LEGS_MAX) return false;
			s->foot[s->leg_count++] = i;
		}
	}
	return s->leg_count > 0;
}

static ossai_vec3 sole(const stance *s, size_t leg) { return s->naming->body->feet[s->foot[leg]].sole; }

/* any bone of each foot will do to find the trunk */
static uint32_t find_trunk(const stance *s)
{
	const ossai_body *body = s->naming->body;
	uint32_t ends[LEGS_MAX];
	for (size_t i = 0; i < s->leg_count; i++) {
		for (uint32_t b = 0; b < body->bone_count; b++) {
			if (body->foot_of_bone[b] == s->foot[i]) ends[i] = b;
		}
	}
	const uint32_t between = ossai_trunk_between(s->naming, s->leg_count, ends, true);
	if (between != OSSA_NONE) return between;
	/* legs that meet in one of their thighs: the trunk is what has the most surface in the middle */
	uint32_t best = OSSA_NONE;
	for (uint32_t b = 0; b < body->bone_count; b++) {
		if (ossai_side_of(s->naming, b) != 0) continue;
		if (best == OSSA_NONE || body->share[b] > body->share[best]) best = b;
	}
	return best;
}

/* true for a chain that carries: long enough, and it falls */
static bool carries(const ossai_limb *leg)
{
	return leg->count > 0 && leg->length >= leg_least && leg->root.y >= steep_least * leg->length;
}

static ossa_status trace_legs(stance *s)
{
	for (size_t i = 0; i < s->leg_count; i++) {
		const ossai_foot *foot = &s->naming->body->feet[s->foot[i]];
		const int side = i < pair_count(s) ? 1 : -1;
		s->leg[i] = (ossai_limb){.side = side, .trunk = s->naming->body->anchor};
		if (foot->bone != OSSA_NONE) OSSAI_TRY(ossai_limb_trace(s->naming, foot->bone, side, &s->leg[i]));
	}
	return OSSA_OK;
}

static bool all_carry(const stance *s)
{
	for (size_t i = 0; i < s->leg_count; i++) {
		if (!carries(&s->leg[i])) return false;
	}
	return true;
}

/* half way between where a leg's first bone blends with the trunk and where its skin ends above */
static double hip_height(const stance *s, const ossai_limb *leg)
{
	const ossai_body *body = s->naming->body;
	const double center = body->center[leg->bones[0]].y, low = body->low[leg->bones[0]];
	return low < center ? (leg->root.y + 2 * center - low) / 2 : leg->root.y;
}

/* legs of a pair are measured from the higher hip: one may have lost its first bones to the trunk */
static bool measure_legs(const stance *s, ossai_limb *a, ossai_limb *b)
{
	if (a->count == 0 || b->count == 0) return false;
	const double left = hip_height(s, a), right = hip_height(s, b), higher = fmax(left, right), lower = fmin(left, right);
	if (a->count == b->count && higher > pair_most * lower) return false;
	ossai_limb_measure_height(a, s->naming->body, higher);
	ossai_limb_measure_height(b, s->naming->body, higher);
	return true;
}

static bool measure_arms(const stance *s, ossai_limb *a, ossai_limb *b)
{
	const double longer = fmax(a->reach, b->reach), shorter = fmin(a->reach, b->reach);
	if (a->count == b->count && longer > pair_most * shorter) return false;
	ossai_limb_measure_reach(a, s->naming->body, longer);
	ossai_limb_measure_reach(b, s->naming->body, longer);
	return true;
}

/* ---- the front ---- */

static bool is_own(const ossai_body *body, const ossai_limb *leg, size_t vertex)
{
	const uint32_t bone = body->weights->bones[vertex * (size_t)body->weights->influences];
	for (size_t i = 0; i < leg->count; i++) {
		if (leg->bones[i] == bone) return true;
	}
	return false;
}

/* widens [least, most] by what of the edge a-b lies between two heights */
static void add_edge(ossai_vec3 a, ossai_vec3 b, double low, double high, ossai_vec3 front, double *least, double *most)
{
	if (a.y > b.y) {
		const ossai_vec3 swapped = a;
		a = b;
		b = swapped;
	}
	if (b.y < low || a.y > high) return;
	const double rise = b.y - a.y, from = a.y < low ? (low - a.y) / rise : 0, to = b.y > high ? (high - a.y) / rise : 1;
	const double begin = ossai_dot(front, ossai_lerp(a, b, from)), end = ossai_dot(front, ossai_lerp(a, b, to));
	*least = fmin(*least, fmin(begin, end));
	*most = fmax(*most, fmax(begin, end));
}

/* the middle of what a leg has between two heights, along `front`; false where there is nothing */
static bool middle_of_slab(const stance *s, const ossai_limb *leg, double low, double high, ossai_vec3 front, double *middle)
{
	const ossai_body *body = s->naming->body;
	double least = INFINITY, most = -INFINITY;
	for (size_t i = 0; i < 3 * body->mesh->triangle_count; i++) {
		const size_t first = i - i % 3;
		const uint32_t a = body->mesh->triangles[i], b = body->mesh->triangles[first + (i + 1) % 3];
		if (!is_own(body, leg, a) || !is_own(body, leg, b)) continue;
		add_edge(ossai_body_point(body, a), ossai_body_point(body, b), low, high, front, &least, &most);
	}
	*middle = (least + most) / 2;
	return least <= most;
}

/* how far a leg's sole lies ahead of its shank, as a share of the leg's height */
static double sole_ahead(const stance *s, size_t leg, double shank_low, double shank_high, ossai_vec3 front)
{
	const ossai_limb *l = &s->leg[leg];
	const double height = l->root.y;
	double shank, sole;
	if (!(height > 0) || !middle_of_slab(s, l, shank_low * height, shank_high * height, front, &shank)) return 0;
	return middle_of_slab(s, l, 0, sole_high * height, front, &sole) ? (sole - shank) / height : 0;
}

static double soles_ahead(const stance *s, const double shank[2], ossai_vec3 front)
{
	double sum = 0;
	for (size_t i = 0; i < s->leg_count; i++) sum += sole_ahead(s, i, shank[0], shank[1], front);
	return sum / (double)s->leg_count;
}

/* +Z, or +X of what lies across it */
static bool faces_forward(ossai_vec3 front) { return fabs(front.z) > 1e-9 ? front.z > 0 : front.x > 0; }

static void swap_sides(stance *s)
{
	ossai_body *body = s->naming->body;
	body->across = ossai_scale(body->across, -1);
	body->middle = -body->middle;
	const size_t pairs = pair_count(s);
	for (size_t i = 0; i < pairs; i++) {
		const size_t foot = s->foot[i];
		const ossai_limb leg = s->leg[i];
		s->foot[i] = s->foot[i + pairs];
		s->leg[i] = s->leg[i + pairs];
		s->foot[i + pairs] = foot;
		s->leg[i + pairs] = leg;
	}
	for (size_t i = 0; i < s->leg_count; i++) s->leg[i].side = i < pairs ? 1 : -1;
}

/* turns the body so that `across` points to its left; legs from front to back */
static void face(stance *s, bool forward)
{
	if (!forward) swap_sides(s);
	const ossai_vec3 up = {0, 1, 0};
	s->front = ossai_cross(s->naming->body->across, up);
	for (size_t begin = 0; begin < s->leg_count; begin += pair_count(s)) {
		for (size_t i = begin + 1; i < begin + pair_count(s); i++) {
			for (size_t j = i; j > begin && ossai_dot(s->front, sole(s, j)) > ossai_dot(s->front, sole(s, j - 1)); j--) {
				const size_t foot = s->foot[j];
				const ossai_limb leg = s->leg[j];
				s->foot[j] = s->foot[j - 1];
				s->leg[j] = s->leg[j - 1];
				s->foot[j - 1] = foot;
				s->leg[j - 1] = leg;
			}
		}
	}
}

/* ---- limbs in the middle: head and tail ---- */

/* the end of the limb in the middle, no leg, that reaches farthest along `direction`: of its branches the largest */
static uint32_t farthest_end(const stance *s, ossai_vec3 direction)
{
	const ossai_body *body = s->naming->body;
	uint32_t best = OSSA_NONE;
	for (uint32_t b = 0; b < body->bone_count; b++) {
		if (!ossai_is_end(body, b) || b == body->anchor || s->naming->ends_below[b] > 0) continue;
		if (ossai_side_of(s->naming, b) != 0) continue;
		if (best == OSSA_NONE || ossai_dot(direction, body->tip[b]) > ossai_dot(direction, body->tip[best])) best = b;
	}
	if (best == OSSA_NONE) return best;
	while (body->up[best] != body->anchor && s->naming->ends_below[body->up[best]] == 0) best = body->up[best];
	return ossai_heavy_end(s->naming, best);
}

static void mark_ends(ossai_naming *naming, const uint32_t *ends, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (ends[i] != OSSA_NONE) ossai_end_mark(naming, ends[i]);
	}
}

/* ---- two legs ---- */

/* the way from an end to the first bone in the middle; that bone */
static double way_to_middle(const ossai_naming *n, uint32_t end, uint32_t *middle)
{
	const ossai_body *body = n->body;
	uint32_t b = end, last = end;
	for (; b != OSSA_NONE && n->ends_below[b] == 0 && ossai_side_of(n, b) != 0; b = body->up[b]) last = b;
	*middle = b;
	return body->reach[end] - (body->reach[last] - ossai_distance(body->tip[last], ossai_body_seam(body, last)));
}

/* the longest end on a side that is no leg and hangs on the middle */
static uint32_t find_arm(const ossai_naming *n, int side)
{
	const ossai_body *body = n->body;
	uint32_t best = OSSA_NONE;
	double longest = arm_least;
	for (uint32_t b = 0; b < body->bone_count; b++) {
		if (!ossai_is_end(body, b) || b == body->anchor || n->ends_below[b] > 0 || ossai_side_of(n, b) != side) continue;
		uint32_t middle;
		const double length = way_to_middle(n, b, &middle);
		if (middle == OSSA_NONE || ossai_side_of(n, middle) != 0 || !(length > longest)) continue;
		longest = length;
		best = b;
	}
	return best;
}

static ossa_status name_arms(stance *s, const uint32_t ends[2], ossai_limb arms[2])
{
	static const ossai_limb_words words = {"arm", "upperarm", "lowerarm", "hand", NULL, "", ARM};
	for (int i = 0; i < 2; i++) {
		if (ends[i] == OSSA_NONE) continue;
		OSSAI_TRY(ossai_limb_trace(s->naming, ends[i], i == 0 ? 1 : -1, &arms[i]));
	}
	/* one arm alone could be anything */
	if (arms[0].count == 0 || arms[1].count == 0 || !measure_arms(s, &arms[0], &arms[1])) {
		arms[0].count = arms[1].count = 0;
		return OSSA_OK;
	}
	for (int i = 0; i < 2; i++) ossai_limb_name(s->naming, &arms[i], &words, s->front);
	return OSSA_OK;
}

/* the bones in the middle that lie on both ways: between the left limbs and between the right ones */
static ossa_status find_spine(stance *s, const ossai_limb *from, const ossai_limb *to, size_t *count, uint32_t **bones)
{
	size_t left_count, right_count;
	uint32_t *left, *right;
	OSSAI_TRY(ossai_way_between(s->naming, from[0].trunk, to[0].trunk, &left_count, &left));
	OSSAI_TRY(ossai_way_between(s->naming, from[1].trunk, to[1].trunk, &right_count, &right));
	*count = 0;
	for (size_t i = 0; i < left_count; i++) {
		bool both = false;
		for (size_t j = 0; j < right_count; j++) both = both || right[j] == left[i];
		if (both && ossai_side_of(s->naming, left[i]) == 0) left[(*count)++] = left[i];
	}
	*bones = left;
	return OSSA_OK;
}

static ossa_status name_upright_trunk(stance *s, const ossai_limb arms[2])
{
	size_t count;
	uint32_t *bones;
	OSSAI_TRY(find_spine(s, s->leg, arms, &count, &bones));
	if (count == 1) snprintf(s->naming->names[bones[0]], BONE_NAME_SIZE, "torso");
	if (count < 2) return OSSA_OK;
	const bool pelvis = bones[0] == s->leg[0].trunk && bones[0] == s->leg[1].trunk;
	if (pelvis) snprintf(s->naming->names[bones[0]], BONE_NAME_SIZE, "pelvis");
	ossai_name_chain(s->naming, "spine", count - pelvis, bones + pelvis, "");
	return OSSA_OK;
}

/* what stands up in the middle beyond the arms */
static ossa_status name_upright_head(stance *s, uint32_t end, const ossai_limb arms[2])
{
	ossai_limb head;
	if (end == OSSA_NONE) return OSSA_OK;
	OSSAI_TRY(ossai_limb_trace(s->naming, end, 0, &head));
	if (head.count == 0) return OSSA_OK;
	const double shoulders = (arms[0].root.y + arms[1].root.y) / 2;
	if (head.tip.y > shoulders && head.tip.y > fmax(s->leg[0].root.y, s->leg[1].root.y)) ossai_name_head(s->naming, &head);
	return OSSA_OK;
}

static ossa_status name_tail(stance *s, uint32_t end, double behind)
{
	ossai_limb tail;
	if (end == OSSA_NONE) return OSSA_OK;
	OSSAI_TRY(ossai_limb_trace(s->naming, end, 0, &tail));
	if (tail.count > 0 && ossai_dot(s->front, tail.tip) < behind && tail.length >= arm_least) {
		ossai_name_chain(s->naming, "tail", tail.count, tail.bones, "");
	}
	return OSSA_OK;
}

static bool stands_upright(const stance *s, const ossai_limb arms[2])
{
	const ossai_vec3 hips = ossai_lerp(s->leg[0].root, s->leg[1].root, 0.5),
					 shoulders = ossai_lerp(arms[0].root, arms[1].root, 0.5);
	const ossai_vec3 trunk = ossai_sub(shoulders, hips);
	return trunk.y > 0 && trunk.y >= upright_least * ossai_length(trunk);
}

static ossa_status name_biped(stance *s)
{
	static const ossai_limb_words words = {"leg", "thigh", "calf", "foot", "toe", "", LEG_OF_TWO};
	ossai_naming *n = s->naming;
	const ossai_vec3 up = {0, 1, 0}, forward = ossai_cross(n->body->across, up);
	if (!measure_legs(s, &s->leg[0], &s->leg[1])) return OSSA_OK;
	const double ahead = soles_ahead(s, shank_of_two, forward);
	face(s, fabs(ahead) > sole_least ? ahead > 0 : faces_forward(forward));
	for (int i = 0; i < 2; i++) ossai_limb_name(n, &s->leg[i], &words, s->front);
	const uint32_t arm_ends[2] = {find_arm(n, 1), find_arm(n, -1)};
	mark_ends(n, arm_ends, 2);
	const uint32_t head = farthest_end(s, up), back = farthest_end(s, ossai_scale(s->front, -1));
	const uint32_t tail = back == head ? OSSA_NONE : back;
	mark_ends(n, (const uint32_t[]){head, tail}, 2);
	ossai_limb arms[2] = {{.count = 0}, {.count = 0}};
	OSSAI_TRY(name_arms(s, arm_ends, arms));
	const double behind = ossai_dot(s->front, ossai_lerp(s->leg[0].root, s->leg[1].root, 0.5)) - arm_least;
	if (arms[0].count == 0 || !stands_upright(s, arms)) return OSSA_OK;
	OSSAI_TRY(name_upright_trunk(s, arms));
	OSSAI_TRY(name_upright_head(s, head, arms));
	return name_tail(s, tail, behind);
}

/* ---- four legs ---- */

static double clamp(double low, double x, double high) { return x < low ? low : x > high ? high : x; }

/* positive: `forward` is the front */
static double front_of_four(const stance *s, ossai_vec3 forward, uint32_t ahead, uint32_t behind)
{
	const ossai_body *body = s->naming->body;
	const double trunk = body->center[body->anchor].y, soles = soles_ahead(s, shank_of_four, forward);
	double rise = 0;
	if (ahead != OSSA_NONE) rise += body->tip[ahead].y - trunk;
	if (behind != OSSA_NONE) rise -= body->tip[behind].y - trunk;
	return clamp(-1.5, soles / 0.06, 1.5) + clamp(-1.5, rise / 0.12, 1.5) + (faces_forward(forward) ? 0.25 : -0.25);
}

static ossa_status name_four_ends(stance *s, uint32_t ahead, uint32_t behind)
{
	ossai_limb head = {.count = 0};
	const double front = (ossai_dot(s->front, sole(s, 0)) + ossai_dot(s->front, sole(s, 2))) / 2;
	const double back = (ossai_dot(s->front, sole(s, 1)) + ossai_dot(s->front, sole(s, 3))) / 2;
	if (ahead != OSSA_NONE) OSSAI_TRY(ossai_limb_trace(s->naming, ahead, 0, &head));
	if (head.count > 0 && ossai_dot(s->front, head.tip) > front - 0.05) ossai_name_head(s->naming, &head);
	return name_tail(s, behind, back + 0.05);
}

static ossa_status name_quadruped(stance *s)
{
	static const ossai_limb_words words[2] = {{"leg", "upperleg", "lowerleg", "foot", "toe", "_front", LEG_OF_FOUR},
		{"leg", "upperleg", "lowerleg", "foot", "toe", "_back", LEG_OF_FOUR}};
	ossai_naming *n = s->naming;
	const ossai_vec3 up = {0, 1, 0}, forward = ossai_cross(n->body->across, up);
	face(s, true);
	const double left = ossai_dot(forward, ossai_sub(sole(s, 0), sole(s, 1)));
	const double right = ossai_dot(forward, ossai_sub(sole(s, 2), sole(s, 3)));
	if (fmin(left, right) < legs_apart) return OSSA_OK;
	uint32_t ahead = farthest_end(s, forward), behind = farthest_end(s, ossai_scale(forward, -1));
	if (ahead == behind) {
		/* the only end: it lies ahead or behind of the trunk's middle */
		const bool back = ahead != OSSA_NONE &&
			ossai_dot(forward, n->body->tip[ahead]) < ossai_dot(forward, n->body->center[n->body->anchor]);
		if (back) ahead = OSSA_NONE;
		else behind = OSSA_NONE;
	}
	const double vote = front_of_four(s, forward, ahead, behind);
	if (fabs(vote) < front_least) return OSSA_OK;
	face(s, vote > 0);
	const uint32_t head = vote > 0 ? ahead : behind, tail = vote > 0 ? behind : ahead;
	mark_ends(n, (const uint32_t[]){head, tail}, 2);
	OSSAI_TRY(trace_legs(s));
	for (int i = 0; i < 2; i++) {
		if (!measure_legs(s, &s->leg[i], &s->leg[i + 2])) continue;
		ossai_limb_name(n, &s->leg[i], &words[i], s->front);
		ossai_limb_name(n, &s->leg[i + 2], &words[i], s->front);
	}
	size_t count;
	uint32_t *spine;
	OSSAI_TRY(find_spine(s, (ossai_limb[]){s->leg[1], s->leg[3]}, (ossai_limb[]){s->leg[0], s->leg[2]}, &count, &spine));
	if (count == 1) snprintf(n->names[spine[0]], BONE_NAME_SIZE, "torso");
	else ossai_name_chain(n, "spine", count, spine, "");
	return name_four_ends(s, head, tail);
}

/* ---- more ---- */

static void name_crawler(stance *s)
{
	const ossai_vec3 up = {0, 1, 0};
	face(s, faces_forward(ossai_cross(s->naming->body->across, up)));
	for (size_t i = 0; i < s->leg_count; i++) {
		char word[32];
		snprintf(word, sizeof word, "leg_%zu", i % pair_count(s) + 1);
		ossai_name_chain(s->naming, word, s->leg[i].count, s->leg[i].bones, ossai_side_suffix(s->leg[i].side));
	}
}

static ossa_status name_legs(stance *s)
{
	ossai_ends_clear(s->naming);
	for (size_t i = 0; i < s->leg_count; i++) {
		const uint32_t bone = s->naming->body->feet[s->foot[i]].bone;
		if (bone != OSSA_NONE) ossai_end_mark(s->naming, bone);
	}
	OSSAI_TRY(trace_legs(s));
	if (s->leg_count <= 4 && !all_carry(s)) return OSSA_OK;
	if (s->leg_count == 2) return name_biped(s);
	if (s->leg_count == 4) return name_quadruped(s);
	name_crawler(s);
	return OSSA_OK;
}

bool ossai_name_standing(ossai_naming *naming, ossa_status *status)
{
	stance s = {.naming = naming};
	ossai_body_mirror(naming->body);
	if (!naming->body->mirrored || !find_legs(&s)) return false;
	const uint32_t trunk = find_trunk(&s);
	if (trunk == OSSA_NONE) return false;
	ossai_body_hang(naming->body, trunk);
	*status = name_legs(&s);
	return true;
}

/* skeleton/naming/stance.c: see stance.h. */
#include "skeleton/naming/stance.h"

/* of the widest foot's distance from the plane: what is nearer is medial */
static const double middle_share = 0.3, middle_share_of_many = 0.2;
/* of the diagonal: legs and tails are at least this long */
static const double leg_least = 0.08, tail_least = 0.1;
/* of a leg's height: what is below is its sole */
static const double sole_high = 0.12;
/* of the diagonal: what lies this far beyond the shoulders is no trunk; tails begin this far behind
   the hips */
static const double trunk_beyond = 0.03, tail_behind = 0.04;

static size_t pair_count(const ossai_stance *s) { return s->leg_count / 2; }

/* ---- feet and the trunk above them ---- */

ossai_vec3 ossai_stance_sole(const ossai_stance *s, size_t leg) { return s->naming->body->feet[s->foot[leg]].sole; }

bool ossai_stance_find_legs(ossai_stance *s)
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
	if (s->leg_count > 4) s->naming->side_least = middle_share_of_many * widest;
	size_t left = 0;
	for (; left < s->leg_count && ossai_body_offset(body, ossai_stance_sole(s, left)) > 0; left++) {
	}
	return s->leg_count > 0 && 2 * left == s->leg_count;
}

/* any bone of each foot serves to find the trunk */
uint32_t ossai_stance_trunk(const ossai_stance *s)
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
	/* legs that meet in one of their thighs: the trunk is the medial bone with the most surface */
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
	return leg->count > 0 && leg->length >= leg_least && leg->root.y > 0 && ossai_is_steep(leg->root.y, leg->length);
}

ossa_status ossai_stance_trace(ossai_stance *s)
{
	for (size_t i = 0; i < s->leg_count; i++) {
		const ossai_foot *foot = &s->naming->body->feet[s->foot[i]];
		const int side = i < pair_count(s) ? 1 : -1;
		s->leg[i] = (ossai_limb){.side = side, .trunk = s->naming->body->anchor};
		if (foot->bone != OSSA_NONE) OSSAI_TRY(ossai_limb_trace(s->naming, foot->bone, side, &s->leg[i]));
	}
	return OSSA_OK;
}

bool ossai_stance_carries(const ossai_stance *s)
{
	for (size_t i = 0; i < s->leg_count; i++) {
		if (!carries(&s->leg[i])) return false;
	}
	return true;
}

/* half way between where a leg's first bone blends with the trunk and where its skin ends above */
static double hip_height(const ossai_stance *s, const ossai_limb *leg)
{
	const ossai_body *body = s->naming->body;
	const double center = body->center[leg->bones[0]].y, low = body->low[leg->bones[0]];
	return low < center ? (leg->root.y + 2 * center - low) / 2 : leg->root.y;
}

/* legs of a pair are measured from the higher hip: one may have lost its first bones to the
   trunk */
bool ossai_stance_measure_legs(const ossai_stance *s, ossai_limb *a, ossai_limb *b)
{
	if (a->count == 0 || b->count == 0) return false;
	const double left = hip_height(s, a), right = hip_height(s, b), higher = fmax(left, right), lower = fmin(left, right);
	/* unless one has lost its first bones to the trunk */
	if (a->count == b->count && !ossai_sizes_are_alike(lower, higher)) return false;
	ossai_limb_measure_height(a, s->naming->body, higher);
	ossai_limb_measure_height(b, s->naming->body, higher);
	ossai_limb_balance(a, b);
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

/* what of a leg lies between two heights, along `front` */
typedef struct leg_slab {
	double least, most;
	double sum, length; /* of edges, weighed by their length */
} leg_slab;

/* adds what of the edge a-b lies between two heights */
static void add_edge(ossai_vec3 a, ossai_vec3 b, const double heights[2], ossai_vec3 front, leg_slab *slab)
{
	if (a.y > b.y) {
		const ossai_vec3 swapped = a;
		a = b;
		b = swapped;
	}
	if (b.y < heights[0] || a.y > heights[1]) return;
	const double rise = b.y - a.y;
	const ossai_vec3 begin = a.y < heights[0] ? ossai_lerp(a, b, (heights[0] - a.y) / rise) : a;
	const ossai_vec3 end = b.y > heights[1] ? ossai_lerp(a, b, (heights[1] - a.y) / rise) : b;
	const double from = ossai_dot(front, begin), to = ossai_dot(front, end), length = ossai_distance(begin, end);
	slab->least = fmin(slab->least, fmin(from, to));
	slab->most = fmax(slab->most, fmax(from, to));
	slab->sum += length * (from + to) / 2;
	slab->length += length;
}

static leg_slab measure_slab(const ossai_stance *s, const ossai_limb *leg, double low, double high, ossai_vec3 front)
{
	const ossai_body *body = s->naming->body;
	const double heights[2] = {low * leg->root.y, high * leg->root.y};
	leg_slab slab = {INFINITY, -INFINITY, 0, 0};
	for (size_t i = 0; i < 3 * body->mesh->triangle_count; i++) {
		const uint32_t a = body->mesh->triangles[i], b = body->mesh->triangles[i - i % 3 + (i + 1) % 3];
		if (!is_own(body, leg, a) || !is_own(body, leg, b)) continue;
		add_edge(ossai_body_point(body, a), ossai_body_point(body, b), heights, front, &slab);
	}
	return slab;
}

/* by how much the midpoint between a leg's heel and toes lies ahead of its shank, as a share of the
   leg's height */
static double sole_ahead(const ossai_stance *s, const ossai_limb *leg, const double shank_heights[2], ossai_vec3 front)
{
	const leg_slab shank = measure_slab(s, leg, shank_heights[0], shank_heights[1], front);
	const leg_slab sole = measure_slab(s, leg, 0, sole_high, front);
	if (!(leg->root.y > 0) || !(shank.length > 0) || !(sole.length > 0)) return 0;
	return ((sole.least + sole.most) / 2 - shank.sum / shank.length) / leg->root.y;
}

double ossai_stance_soles_ahead(const ossai_stance *s, const double shank[2], ossai_vec3 front)
{
	double sum = 0;
	for (size_t i = 0; i < s->leg_count; i++) sum += sole_ahead(s, &s->leg[i], shank, front);
	return sum / (double)s->leg_count;
}

/* +Z, or +X perpendicular to it */
bool ossai_faces_forward(ossai_vec3 front) { return fabs(front.z) > 1e-9 ? front.z > 0 : front.x > 0; }

static void swap_sides(ossai_stance *s)
{
	ossai_body *body = s->naming->body;
	body->across = ossai_scale(body->across, -1);
	body->offset = -body->offset;
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
void ossai_stance_face(ossai_stance *s, bool forward)
{
	if (!forward) swap_sides(s);
	const ossai_vec3 up = {0, 1, 0};
	s->front = ossai_cross(s->naming->body->across, up);
	for (size_t begin = 0; begin < s->leg_count; begin += pair_count(s)) {
		for (size_t i = begin + 1; i < begin + pair_count(s); i++) {
			for (size_t j = i;
				 j > begin && ossai_dot(s->front, ossai_stance_sole(s, j)) > ossai_dot(s->front, ossai_stance_sole(s, j - 1));
				 j--) {
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

/* ---- limbs on the plane of symmetry: head and tail ---- */

/* the leaf of the medial limb, no leg, that reaches farthest along `direction`: of its branches the
   largest */
uint32_t ossai_stance_farthest_end(const ossai_stance *s, ossai_vec3 direction)
{
	const ossai_body *body = s->naming->body;
	uint32_t best = OSSA_NONE;
	for (uint32_t b = 0; b < body->bone_count; b++) {
		if (b == body->anchor || s->naming->ends_below[b] > 0 || ossai_side_of(s->naming, b) != 0) continue;
		if (best == OSSA_NONE || ossai_dot(direction, body->tip[b]) > ossai_dot(direction, body->tip[best])) best = b;
	}
	if (best == OSSA_NONE) return best;
	while (body->up[best] != body->anchor && s->naming->ends_below[body->up[best]] == 0) best = body->up[best];
	return ossai_heavy_end(s->naming, best);
}

void ossai_mark_ends(ossai_naming *naming, const uint32_t *ends, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (ends[i] != OSSA_NONE) ossai_end_mark(naming, ends[i]);
	}
}

/* the medial bones that lie on both paths: between the left limbs and between the right ones. A
   bone whose center is beyond the second pair along `along` carries a head or a neck. */
ossa_status ossai_stance_spine(
	ossai_stance *s, const ossai_limb *from, const ossai_limb *to, ossai_vec3 along, size_t *count, uint32_t **bones)
{
	const double beyond = ossai_dot(along, ossai_lerp(to[0].root, to[1].root, 0.5)) + trunk_beyond;
	size_t left_count, right_count;
	uint32_t *left, *right;
	OSSAI_TRY(ossai_path_between(s->naming, from[0].trunk, to[0].trunk, &left_count, &left));
	OSSAI_TRY(ossai_path_between(s->naming, from[1].trunk, to[1].trunk, &right_count, &right));
	*count = 0;
	for (size_t i = 0; i < left_count; i++) {
		bool both = false;
		for (size_t j = 0; j < right_count; j++) both = both || right[j] == left[i];
		if (!both || ossai_side_of(s->naming, left[i]) != 0) continue;
		if (ossai_dot(along, s->naming->body->center[left[i]]) < beyond) left[(*count)++] = left[i];
	}
	*bones = left;
	return OSSA_OK;
}

/* what leaves the body backwards: from the first bone on that lies behind the hips */
ossa_status ossai_stance_name_tail(ossai_stance *s, uint32_t end, const ossai_limb *left_hip, const ossai_limb *right_hip)
{
	ossai_limb tail;
	if (end == OSSA_NONE) return OSSA_OK;
	OSSAI_TRY(ossai_limb_trace(s->naming, end, 0, &tail));
	const double hips = ossai_dot(s->front, ossai_lerp(left_hip->root, right_hip->root, 0.5));
	size_t first = 0;
	for (; first < tail.count; first++) {
		if (ossai_dot(s->front, s->naming->body->center[tail.bones[first]]) < hips - tail_behind) break;
	}
	if (first == tail.count || tail.length < tail_least) return OSSA_OK;
	ossai_name_chain(s->naming, "tail", tail.count - first, tail.bones + first, "");
	return OSSA_OK;
}

/* skeleton/naming/names_chains.c: names for shapes that are chains around a body, or one chain:
   hands, octopuses, snakes.

   Place in the path: inside names.c.
   Input: a naming whose body is measured.
   Output: names; false where the shape is not sure. */
#include "skeleton/naming/limbs.h"

#include <stdio.h>
#include <string.h>

/* of the surface: fingers and arms have each at least so much, all together at least the second
   share */
static const double ray_surface = 0.01, rays_surface = 0.25;
/* of the longest: a leaf that reaches less far is no limb of a star */
static const double end_least = 0.5;
/* fingers point in the same direction: the mean of their directions is this long, where 1 is
   parallel */
static const double fan_least = 0.75;
/* the thumb stands off its neighbour this many times wider than any two fingers */
static const double thumb_gap = 1.3;
/* fingers stand apart by at least this share of the mean gap between them; the longest is at most
   so much longer than the shortest */
static const double finger_gap = 0.3, finger_most = 1.9;
/* gaps between the arms of a star, as shares of an even one */
static const double gap_least = 0.4, gap_most = 1.7;
/* an arm lies where its last bone does, and all of it rises or falls by less than this share of its
   length: feet lie too, at the end of legs */
static const double steep_most = 0.85;
/* a chain without limbs has this share of the surface, and is this many times longer than thick */
static const double chain_share = 0.75, slender_least = 8;
/* what branches off a chain is shorter than this share of its length, or has less than that of its
   surface */
static const double branch_most = 0.2, branch_surface = 0.05;
/* of a chain's length: how far the centroid of its surface must be from its midpoint to make one
   end the thicker */
static const double thicker_least = 0.02;

/* bones at a chain's ends with less or more of the mean bone's surface are tongues or heads */
static const double end_small = 0.15, end_large = 2.2;

enum { RAYS_MAX = 32, FINGERS = 5, FINGERS_LEAST = 3, STAR_LEAST = 5, CHAIN_LEAST = 3 };

/* ---- rays: ends around a body ---- */

typedef struct ray {
	uint32_t end;
	double angle;   /* to sort by */
	double length;  /* of the length from the body to the tip */
	ossai_vec3 out; /* from the body's center to the tip */
} ray;

/* leaves whose distance along the tree from the bone `center` is large */
static size_t make_rays(const ossai_body *body, uint32_t center, size_t count, const uint32_t *ends, ray *rays)
{
	const ossai_vec3 from = body->center[center];
	const double begin = center == body->anchor
		? 0
		: body->reach[center] - ossai_distance(body->tip[center], ossai_body_seam(body, center));
	double longest = 0;
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) longest = fmax(longest, body->reach[ends[i]] - begin);
	for (size_t i = 0; i < count; i++) {
		const double length = body->reach[ends[i]] - begin;
		if (length < end_least * longest) continue;
		rays[kept++] = (ray){.end = ends[i], .length = length, .out = ossai_sub(body->tip[ends[i]], from)};
	}
	return kept;
}

/* all leaves far from the body, where the tree is rooted; 0 where there are too many */
static size_t find_rays(ossai_naming *naming, ray rays[RAYS_MAX])
{
	ossai_body *body = naming->body;
	uint32_t ends[RAYS_MAX];
	size_t count = 0;
	for (uint32_t b = 0; b < body->bone_count; b++) {
		if (!ossai_is_end(body, b)) continue;
		if (count == RAYS_MAX) return 0;
		ends[count++] = b;
	}
	const uint32_t trunk = count > 2 ? ossai_trunk_between(naming, count, ends, false) : OSSA_NONE;
	if (trunk == OSSA_NONE) return 0;
	ossai_body_reroot(body, trunk);
	return make_rays(body, trunk, count, ends, rays);
}

static void sort_rays(ray *rays, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		for (size_t j = i; j > 0 && rays[j].angle < rays[j - 1].angle; j--) {
			const ray swapped = rays[j];
			rays[j] = rays[j - 1];
			rays[j - 1] = swapped;
		}
	}
}

static double longest_to_shortest(const ray *rays, size_t count)
{
	double shortest = INFINITY, longest = 0;
	for (size_t i = 0; i < count; i++) {
		shortest = fmin(shortest, rays[i].length);
		longest = fmax(longest, rays[i].length);
	}
	return longest / shortest;
}

/* the limbs that end in the rays; false where they have too little of the surface to be what the
   body is */
static bool trace_rays(ossai_naming *naming, const ray *rays, size_t count, ossai_limb *limbs, ossa_status *status)
{
	double whole = 0, least = INFINITY;
	ossai_ends_clear(naming);
	for (size_t i = 0; i < count; i++) ossai_end_mark(naming, rays[i].end);
	for (size_t i = 0; i < count; i++) {
		*status = ossai_limb_trace(naming, rays[i].end, 0, &limbs[i]);
		if (*status != OSSA_OK) return false;
		double share = 0;
		for (size_t b = 0; b < limbs[i].count; b++) share += naming->body->share[limbs[i].bones[b]];
		whole += share;
		least = fmin(least, share);
	}
	return least > ray_surface && whole > rays_surface;
}

/* ---- hands ---- */

/* the direction perpendicular to `along` in which the rays spread most: the longest of the pairs'
   differences */
static ossai_vec3 spread_of(const ray *rays, size_t count, ossai_vec3 along)
{
	ossai_vec3 widest = {0, 0, 0};
	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < i; j++) {
			const ossai_vec3 d = ossai_sub(rays[i].out, rays[j].out);
			const ossai_vec3 across = ossai_madd(d, -ossai_dot(d, along), along);
			if (ossai_length(across) > ossai_length(widest)) widest = across;
		}
	}
	return ossai_unit(widest, ossai_v3(0, 0, 0));
}

/* sorts five rays from thumb to little finger; false where they are no hand */
static bool order_fingers(ray rays[FINGERS])
{
	ossai_vec3 sum = {0, 0, 0};
	for (int i = 0; i < FINGERS; i++) sum = ossai_add(sum, ossai_unit(rays[i].out, ossai_v3(0, 0, 0)));
	if (ossai_length(sum) < fan_least * FINGERS) return false;
	const ossai_vec3 along = ossai_unit(sum, ossai_v3(0, 1, 0)), across = spread_of(rays, FINGERS, along);
	for (int i = 0; i < FINGERS; i++) rays[i].angle = atan2(ossai_dot(across, rays[i].out), ossai_dot(along, rays[i].out));
	sort_rays(rays, FINGERS);
	if (rays[FINGERS - 1].angle - rays[FINGERS - 2].angle > rays[1].angle - rays[0].angle) {
		/* the thumb comes first */
		for (int i = 0; i < FINGERS; i++) rays[i].angle = -rays[i].angle;
		sort_rays(rays, FINGERS);
	}
	double widest = 0, narrowest = INFINITY;
	for (int i = 2; i < FINGERS; i++) {
		widest = fmax(widest, rays[i].angle - rays[i - 1].angle);
		narrowest = fmin(narrowest, rays[i].angle - rays[i - 1].angle);
		if (ossai_dot(along, rays[i].out) < ossai_dot(along, rays[0].out)) return false;
	}
	if (ossai_dot(along, rays[1].out) < ossai_dot(along, rays[0].out)) return false;
	const double mean = (rays[FINGERS - 1].angle - rays[1].angle) / (FINGERS - 2);
	return rays[1].angle - rays[0].angle > thumb_gap * widest && narrowest > finger_gap * mean &&
		longest_to_shortest(rays + 1, FINGERS - 1) < finger_most;
}

static const char *const finger_words[FINGERS] = {"thumb", "index", "middle", "ring", "pinky"};

/* the leaves in the subtree of a hand */
static size_t find_fingers(const ossai_body *body, uint32_t hand, ray rays[RAYS_MAX])
{
	uint32_t ends[RAYS_MAX];
	size_t count = 0;
	for (uint32_t b = 0; b < body->bone_count && count < RAYS_MAX; b++) {
		uint32_t above = b;
		while (above != OSSA_NONE && above != hand) above = body->up[above];
		if (above == hand && b != hand && ossai_is_end(body, b)) ends[count++] = b;
	}
	return make_rays(body, hand, count, ends, rays);
}

static ossa_status name_rays(ossai_naming *naming, const ray *rays, size_t count, bool clear, const char *side)
{
	/* one of them carries the arm's mark already */
	for (size_t i = 0; i < count; i++) {
		if (naming->ends_below[rays[i].end] == 0) ossai_end_mark(naming, rays[i].end);
	}
	for (size_t i = 0; i < count; i++) {
		ossai_limb finger;
		char word[32];
		if (clear) snprintf(word, sizeof word, "%s", finger_words[i]);
		else snprintf(word, sizeof word, "finger_%zu", i + 1);
		OSSAI_TRY(ossai_limb_trace(naming, rays[i].end, 0, &finger));
		ossai_name_chain(naming, word, finger.count, finger.bones, side);
	}
	return OSSA_OK;
}

ossa_status ossai_name_fingers(
	ossai_naming *naming, const uint32_t hands[2], ossai_vec3 front, const char *const sides[2], bool *named)
{
	ray rays[2][RAYS_MAX];
	const size_t count = find_fingers(naming->body, hands[0], rays[0]);
	*named = count >= FINGERS_LEAST && find_fingers(naming->body, hands[1], rays[1]) == count;
	if (!*named) return OSSA_OK;
	bool clear = count == FINGERS;
	for (int h = 0; h < 2; h++) clear = clear && order_fingers(rays[h]);
	for (int h = 0; h < 2; h++) {
		if (!clear) {
			for (size_t i = 0; i < count; i++) rays[h][i].angle = -ossai_dot(front, rays[h][i].out);
			sort_rays(rays[h], count);
		}
		OSSAI_TRY(name_rays(naming, rays[h], count, clear, sides[h]));
	}
	return OSSA_OK;
}

bool ossai_name_hand(ossai_naming *naming, ossa_status *status)
{
	ray rays[RAYS_MAX];
	ossai_limb limbs[FINGERS];
	if (find_rays(naming, rays) != FINGERS || !order_fingers(rays)) return false;
	if (!trace_rays(naming, rays, FINGERS, limbs, status)) return false;
	for (int i = 0; i < FINGERS; i++) ossai_name_chain(naming, finger_words[i], limbs[i].count, limbs[i].bones, "");
	snprintf(naming->names[naming->body->anchor], BONE_NAME_SIZE, "hand");
	return true;
}

/* ---- stars ---- */

static bool lies_flat(const ossai_body *body, const ray *arm)
{
	const ossai_vec3 along = ossai_sub(body->tip[arm->end], ossai_body_seam(body, arm->end));
	return !ossai_is_steep(along.y, ossai_length(along)) && fabs(arm->out.y) < steep_most * ossai_length(arm->out);
}

/* sorts rays by their direction seen from above; false where they do not spread evenly */
static bool order_star(const ossai_body *body, ray *rays, size_t count)
{
	const double even = 2 * OSSAI_PI / (double)count;
	size_t flat = 0;
	for (size_t i = 0; i < count; i++) {
		/* from a quarter of a gap before +Z, over +X: so neither a ray at +Z nor two beside it are
		   close to the start of the order */
		rays[i].angle = fmod(atan2(rays[i].out.x, rays[i].out.z) + even / 4 + 2 * OSSAI_PI, 2 * OSSAI_PI);
		flat += lies_flat(body, &rays[i]);
	}
	sort_rays(rays, count);
	for (size_t i = 0; i < count; i++) {
		const double next = i + 1 < count ? rays[i + 1].angle : rays[0].angle + 2 * OSSAI_PI;
		if (next - rays[i].angle < gap_least * even || next - rays[i].angle > gap_most * even) return false;
	}
	return 3 * flat >= 2 * count && ossai_sizes_are_alike(1, longest_to_shortest(rays, count));
}

bool ossai_name_star(ossai_naming *naming, ossa_status *status)
{
	ray rays[RAYS_MAX];
	const size_t count = find_rays(naming, rays);
	ossai_limb limbs[RAYS_MAX];
	if (count < STAR_LEAST || !order_star(naming->body, rays, count)) return false;
	if (!trace_rays(naming, rays, count, limbs, status)) return false;
	for (size_t i = 0; i < count; i++) {
		char word[32];
		snprintf(word, sizeof word, "arm_%zu", i + 1);
		ossai_name_chain(naming, word, limbs[i].count, limbs[i].bones, "");
	}
	return true;
}

/* ---- one chain ---- */

/* removes bones at the ends that are not part of a chain of uniform thickness */
static void cut_ends(const ossai_body *body, size_t *count, uint32_t **bones)
{
	double mean = 0;
	for (size_t i = 0; i < *count; i++) mean += body->share[(*bones)[i]] / (double)*count;
	for (; *count > 0; (*count)--) {
		const double share = body->share[(*bones)[*count - 1]] / mean;
		if (share > end_small && share < end_large) break;
	}
	for (; *count > 0; (*count)--, (*bones)++) {
		const double share = body->share[(*bones)[0]] / mean;
		if (share > end_small && share < end_large) break;
	}
}

static uint32_t farthest_bone(const ossai_body *body)
{
	uint32_t farthest = 0;
	for (uint32_t b = 1; b < body->bone_count; b++) {
		if (body->reach[b] > body->reach[farthest]) farthest = b;
	}
	return farthest;
}

/* the longest path from the chain to the end of a side branch; the tree is rooted at the chain's
   beginning */
static double longest_branch(const ossai_body *body, size_t count, const uint32_t *bones, double *path)
{
	double longest = 0;
	for (size_t b = 0; b < body->bone_count; b++) path[b] = -1;
	for (size_t i = 0; i < count; i++) path[bones[i]] = 0;
	for (size_t i = 0; i < body->bone_count; i++) {
		const uint32_t bone = body->order[i];
		if (path[bone] == 0) continue;
		path[bone] = path[body->up[bone]] + ossai_distance(body->center[bone], body->center[body->up[bone]]);
		if (body->beyond[bone] > branch_surface) longest = fmax(longest, path[bone]);
	}
	return longest;
}

/* no step reverses the direction of the one before */
static bool runs_on(const ossai_body *body, size_t count, const uint32_t *bones)
{
	for (size_t i = 2; i < count; i++) {
		const ossai_vec3 before = ossai_sub(body->center[bones[i - 1]], body->center[bones[i - 2]]);
		if (ossai_dot(before, ossai_sub(body->center[bones[i]], body->center[bones[i - 1]])) <= 0) return false;
	}
	return true;
}

/* the position of the surface's centroid along the chain, as a share of its length */
static double middle_of_surface(const ossai_body *body, size_t count, const uint32_t *bones)
{
	double path = 0, sum = 0, whole = body->share[bones[0]];
	for (size_t i = 1; i < count; i++) {
		path += ossai_distance(body->center[bones[i]], body->center[bones[i - 1]]);
		sum += path * body->share[bones[i]];
		whole += body->share[bones[i]];
	}
	return sum / (whole * path);
}

static bool begins_thin(const ossai_body *body, size_t count, const uint32_t *bones)
{
	const double skew = middle_of_surface(body, count, bones) - 0.5;
	if (fabs(skew) > thicker_least) return skew > 0;
	const ossai_vec3 d = ossai_sub(body->center[bones[count - 1]], body->center[bones[0]]);
	return fabs(d.z) > 1e-9 ? d.z > 0 : d.y != 0 ? d.y > 0 : d.x > 0;
}

bool ossai_name_spine(ossai_naming *naming, ossa_status *status)
{
	ossai_body *body = naming->body;
	/* the diameter of the tree: from the bone farthest from any to the one farthest from that */
	ossai_body_reroot(body, 0);
	const uint32_t begin = farthest_bone(body);
	ossai_body_reroot(body, begin);
	const uint32_t end = farthest_bone(body);
	const double length = body->reach[end];
	size_t count;
	uint32_t *bones;
	*status = ossai_path_between(naming, begin, end, &count, &bones);
	if (*status != OSSA_OK || count < CHAIN_LEAST) return false;
	double share = 0;
	for (size_t i = 0; i < count; i++) share += body->share[bones[i]];
	/* the radius of a tube of this length and surface */
	const double radius = body->area / (2 * OSSAI_PI * length);
	if (share < chain_share || length < slender_least * radius || !runs_on(body, count, bones)) return false;
	if (longest_branch(body, count, bones, body->scratch) > branch_most * length) return false;
	cut_ends(body, &count, &bones);
	if (count < CHAIN_LEAST) return false;
	if (begins_thin(body, count, bones)) {
		for (size_t i = 0; i < count / 2; i++) {
			const uint32_t swapped = bones[i];
			bones[i] = bones[count - 1 - i];
			bones[count - 1 - i] = swapped;
		}
	}
	ossai_name_chain(naming, "spine", count, bones, "");
	return true;
}

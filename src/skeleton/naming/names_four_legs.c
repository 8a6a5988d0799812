/* skeleton/naming/names_four_legs.c: names for horses, dogs, lions: what stands on four legs.

   Place in the path: inside names_standing.c.
   Input: a stance with four legs.
   Output: names. */
#include "skeleton/naming/stance.h"

#include <stdio.h>

/* front and hind legs stand this far apart, of the diagonal */
static const double legs_apart = 0.12;
/* of a leg's height: what is between these is shank; the upper parts of hind legs lie ahead */
static const double shank[2] = {0.15, 0.45};
/* evidence for front and back must be at least this strong */
static const double front_least = 0.5;
/* positions along a leg where upper and lower part end; bones' centers measured on horses, dogs,
   foxes and lions: upper parts to 0.31, lower ones 0.36 to 0.69, what is beyond hock or wrist from
   0.74 on */
#define LEG -1, 0.34, 0.70

static double clamp(double low, double x, double high) { return x < low ? low : x > high ? high : x; }

/* positive: `forward` is the front */
static double front_of_four(const ossai_stance *s, ossai_vec3 forward, uint32_t ahead, uint32_t behind)
{
	const ossai_body *body = s->naming->body;
	const double trunk = body->center[body->anchor].y, soles = ossai_stance_soles_ahead(s, shank, forward);
	double rise = 0;
	if (ahead != OSSA_NONE) rise += body->tip[ahead].y - trunk;
	if (behind != OSSA_NONE) rise -= body->tip[behind].y - trunk;
	return clamp(-1.5, soles / 0.06, 1.5) + clamp(-1.5, rise / 0.12, 1.5) + (ossai_faces_forward(forward) ? 0.25 : -0.25);
}

static ossa_status name_four_ends(ossai_stance *s, uint32_t ahead, uint32_t behind)
{
	ossai_limb head = {.count = 0};
	const double front = (ossai_dot(s->front, ossai_stance_sole(s, 0)) + ossai_dot(s->front, ossai_stance_sole(s, 2))) / 2;
	if (ahead != OSSA_NONE) OSSAI_TRY(ossai_limb_trace(s->naming, ahead, 0, &head));
	if (head.count > 0 && ossai_dot(s->front, head.tip) > front - 0.05) ossai_name_head(s->naming, &head);
	return ossai_stance_name_tail(s, behind, &s->leg[1], &s->leg[3]);
}

ossa_status ossai_name_four_legs(ossai_stance *s)
{
	static const ossai_limb_words words[2] = {{"leg", "upperleg", "lowerleg", "foot", "toe", "_front", LEG},
		{"leg", "upperleg", "lowerleg", "foot", "toe", "_back", LEG}};
	ossai_naming *n = s->naming;
	const ossai_vec3 up = {0, 1, 0}, forward = ossai_cross(n->body->across, up);
	ossai_stance_face(s, true);
	const double left = ossai_dot(forward, ossai_sub(ossai_stance_sole(s, 0), ossai_stance_sole(s, 1)));
	const double right = ossai_dot(forward, ossai_sub(ossai_stance_sole(s, 2), ossai_stance_sole(s, 3)));
	if (fmin(left, right) < legs_apart) return OSSA_OK;
	uint32_t ahead = ossai_stance_farthest_end(s, forward), behind = ossai_stance_farthest_end(s, ossai_scale(forward, -1));
	if (ahead == behind) {
		/* the only leaf: it lies ahead of or behind the trunk's center */
		const bool back = ahead != OSSA_NONE &&
			ossai_dot(forward, n->body->tip[ahead]) < ossai_dot(forward, n->body->center[n->body->anchor]);
		if (back) ahead = OSSA_NONE;
		else behind = OSSA_NONE;
	}
	const double vote = front_of_four(s, forward, ahead, behind);
	if (fabs(vote) < front_least) return OSSA_OK;
	ossai_stance_face(s, vote > 0);
	const uint32_t head = vote > 0 ? ahead : behind, tail = vote > 0 ? behind : ahead;
	ossai_mark_ends(n, (const uint32_t[]){head, tail}, 2);
	OSSAI_TRY(ossai_stance_trace(s));
	for (int i = 0; i < 2; i++) {
		if (!ossai_stance_measure_legs(s, &s->leg[i], &s->leg[i + 2])) continue;
		ossai_limb_name(n, &s->leg[i], &words[i], s->front);
		ossai_limb_name(n, &s->leg[i + 2], &words[i], s->front);
	}
	size_t count;
	uint32_t *spine;
	OSSAI_TRY(ossai_stance_spine(
		s, (ossai_limb[]){s->leg[1], s->leg[3]}, (ossai_limb[]){s->leg[0], s->leg[2]}, s->front, &count, &spine));
	if (count == 1) snprintf(n->names[spine[0]], BONE_NAME_SIZE, "torso");
	else ossai_name_chain(n, "spine", count, spine, "");
	return name_four_ends(s, head, tail);
}

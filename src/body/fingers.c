/* body/fingers.c: see fingers.h. */
#include "body/fingers.h"

/* Shares of the hand's length, from the wrist to the tip of the arm: how persistent a fingertip is,
   at least and as far as that tells its length; how far from the wrist it is at most, and how far
   behind it, as thumbs may point back. Measured on nine hands: fingers 0.13 to 0.6, other maxima up
   to 0.10. */
static const double PERSISTENT = 0.12, LONGEST = 0.6, REACH = 1.45, BEHIND = 0.15;

/* The knuckle is so many times as far from the tip as the skin between the fingers, to which the
   persistence reaches. Chosen, as is the next. */
static const double KNUCKLE = 1.4;

/* Where the bones of a finger begin, as shares of its length from the knuckle. */
static const double PHALANX[OSSAI_PHALANGES] = {0, 0.45, 0.75};

/* Bands of the surface from a fingertip to the skin between fingers. */
enum { BANDS = 6 };

typedef struct candidate {
	uint32_t vertex; /* of the proxy */
	double length;   /* to the skin between fingers */
} candidate;

ossa_status ossai_finger_search_make(ossai_arena *arena, const ossai_proxy *proxy, ossai_finger_search *search)
{
	uint32_t *edge;
	size_t count;
	OSSAI_TRY(ossai_proxy_edges(arena, proxy, &edge, &count));
	OSSAI_TRY(ossai_edge_graph_of_points(arena, proxy->vertex_count, proxy->positions, count, edge, &search->graph));
	search->distance = ossai_arena_new(arena, proxy->vertex_count, sizeof *search->distance);
	if (!search->distance) return ossa_context_error(arena->context)->status;
	return ossai_path_front_make(arena, &search->graph, &search->front);
}

/* the means of the surface at even distances from a tip, the tip first; bands without vertices
   repeat the one before */
static double take_axis(const ossai_figure *figure, ossai_finger_search *search, const candidate *c, ossai_vec3 *axis)
{
	const ossai_proxy *proxy = figure->proxy;
	size_t count[BANDS + 1] = {0};
	double radius = 0, members = 0;
	ossai_path_lengths_from(&search->graph, c->vertex, &search->front, search->distance);
	for (int b = 0; b <= BANDS; b++) axis[b] = ossai_v3(0, 0, 0);
	for (size_t v = 0; v < proxy->vertex_count; v++) {
		const double at = search->distance[v] / c->length * BANDS + 0.5;
		if (!(at < BANDS + 1)) continue;
		axis[(int)at] = ossai_add(axis[(int)at], ossai_v3_of(proxy->positions + 3 * v));
		count[(int)at]++;
	}
	for (int b = 0; b <= BANDS; b++)
		axis[b] = count[b] > 0 ? ossai_scale(axis[b], 1 / (double)count[b]) : axis[b > 0 ? b - 1 : 0];
	axis[0] = ossai_v3_of(proxy->positions + 3 * (size_t)c->vertex);
	for (size_t v = 0; v < proxy->vertex_count; v++) {
		const double at = search->distance[v] / c->length * BANDS + 0.5;
		if (!(at >= BANDS / 3 && at < BANDS)) continue;
		radius += ossai_distance(axis[(int)at], ossai_v3_of(proxy->positions + 3 * v));
		members++;
	}
	return members > 0 ? radius / members : c->length / 4;
}

/* the point of the axis at a share of its length from the tip, continued straight */
static ossai_vec3 on_axis(const ossai_vec3 *axis, double share)
{
	const double at = share * BANDS;
	if (at < BANDS) return ossai_lerp(axis[(int)at], axis[(int)at + 1], at - (int)at);
	/* the last band has some of the neighbours */
	const ossai_vec3 step = ossai_scale(ossai_sub(axis[BANDS - 1], axis[BANDS / 3]), 1.0 / (BANDS - 1 - BANDS / 3));
	return ossai_madd(axis[BANDS - 1], at - (BANDS - 1), step);
}

static void place_bones(const ossai_figure *figure, ossai_finger_search *search, const candidate *c, ossai_finger *finger)
{
	ossai_vec3 axis[BANDS + 1];
	finger->radius = take_axis(figure, search, c, axis);
	finger->tip = axis[0];
	for (int i = 0; i < OSSAI_PHALANGES; i++) finger->joint[i] = on_axis(axis, KNUCKLE * (1 - PHALANX[i]));
}

/* how far a finger is beside the thumb: off the direction `along`, at the middle joint, as knuckles
   are continued from it */
static double beside(const ossai_finger *thumb, const ossai_finger *finger, ossai_vec3 along)
{
	const ossai_vec3 apart = ossai_sub(finger->joint[1], thumb->joint[1]);
	return ossai_length(ossai_madd(apart, -ossai_dot(apart, along), along));
}

static void swap(ossai_finger *a, ossai_finger *b)
{
	const ossai_finger other = *a;
	*a = *b;
	*b = other;
}

static ossai_vec3 direction_of(const ossai_finger *finger)
{
	return ossai_unit(ossai_sub(finger->tip, finger->joint[1]), ossai_v3(0, 0, 0));
}

/* The thumb points away from the others: its direction has the smallest sum of cosines with theirs. */
static size_t find_thumb(const ossai_fingers *f, ossai_vec3 sum)
{
	size_t thumb = 0;
	for (size_t i = 1; i < f->count; i++) {
		if (ossai_dot(direction_of(&f->finger[i]), sum) < ossai_dot(direction_of(&f->finger[thumb]), sum)) thumb = i;
	}
	return thumb;
}

/* the thumb, then the others by how far they are beside it */
static void put_in_order(ossai_fingers *f)
{
	ossai_vec3 sum = {0, 0, 0};
	for (size_t i = 0; i < f->count; i++) sum = ossai_add(sum, direction_of(&f->finger[i]));
	swap(&f->finger[0], &f->finger[find_thumb(f, sum)]);
	const ossai_vec3 along = ossai_unit(ossai_sub(sum, direction_of(&f->finger[0])), ossai_v3(1, 0, 0));
	for (size_t i = 1; i < f->count; i++) {
		for (size_t k = i; k > 1; k--) {
			if (beside(&f->finger[0], &f->finger[k - 1], along) <= beside(&f->finger[0], &f->finger[k], along)) break;
			swap(&f->finger[k - 1], &f->finger[k]);
		}
	}
}

/* the fingertips of a hand, in the order of the tips: the most persistent first; returns their
   number, which may be larger than OSSAI_FINGERS */
static size_t list_tips(
	const ossai_figure *figure, ossai_vec3 wrist, ossai_vec3 along, ossai_vec3 tip, candidate *candidates, bool *has_arm)
{
	const ossai_tips *tips = figure->tips;
	const double hand = ossai_distance(wrist, tip);
	size_t count = 0;
	for (size_t i = 0; i < tips->count && tips->persistence[i] >= PERSISTENT * hand; i++) {
		const ossai_vec3 off = ossai_sub(tips->point[i], wrist);
		if (ossai_length(off) > REACH * hand || ossai_dot(off, along) < -BEHIND * hand) continue;
		if (count < OSSAI_FINGERS) candidates[count] = (candidate){tips->vertex[i], fmin(tips->persistence[i], LONGEST * hand)};
		*has_arm |= ossai_distance(tips->point[i], tip) <= 1e-9 * hand;
		count++;
	}
	return count;
}

/* the persistence of the arm's tip is the length of the arm: it is as long as the longest other */
static void shorten_first(size_t count, candidate *candidates)
{
	double longest = 0;
	for (size_t i = 1; i < count; i++) longest = fmax(longest, candidates[i].length);
	candidates[0].length = fmin(candidates[0].length, longest);
}

void ossai_fingers_find(const ossai_figure *figure, ossai_finger_search *search, ossai_vec3 wrist, ossai_vec3 along,
	ossai_vec3 tip, ossai_fingers *fingers)
{
	candidate candidates[OSSAI_FINGERS];
	bool has_arm = false;
	size_t count = list_tips(figure, wrist, along, tip, candidates, &has_arm);
	*fingers = (ossai_fingers){.count = 0};
	if (!has_arm || count < 2 || count > OSSAI_FINGERS) return;
	shorten_first(count, candidates);
	/* of two the larger one is all fingers but the thumb */
	const size_t first = count == 2 ? 1 : 0;
	for (size_t i = first; i < count; i++) place_bones(figure, search, &candidates[i], &fingers->finger[i - first]);
	fingers->count = count - first;
	if (fingers->count > 1) put_in_order(fingers);
}

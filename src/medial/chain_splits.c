/* medial/chain_splits.c: see chain_splits.h. */
#include "medial/chain_splits.h"

#include "base/heap.h"
#include "medial/chain_counts.h"
#include "medial/narrowing.h"

#include <ossa/mesh.h>
#include <stdlib.h>

typedef struct splitter {
	const ossai_path_tree *tree;
	const ossai_graph_chains *chains;
	const ossai_skeletal_options *options;
	ossai_chain_limits limits;
	ossai_stretch *list;
	size_t count;
	ossai_heap heap; /* the stretch of each pair that comes first; key: - error */
	uint32_t splits; /* so far */
	double *radius;  /* of each point */
	double *stack;   /* room for chain_counts */
	ossai_narrowing_room room;
} splitter;

/* A part that is parted evenly may be longer or shorter by this share. */
static const double UNEVEN = 0.4;

static double length_of(const splitter *s, const ossai_stretch *stretch)
{
	return s->chains->arc[stretch->end] - s->chains->arc[stretch->begin];
}

static void measure(const splitter *s, ossai_stretch *stretch)
{
	stretch->worst = ossai_stretch_worst(s->tree, s->chains, stretch->begin, stretch->end, &stretch->error);
}

/* ---- pairs ---- */

static bool has_twin(uint32_t self, const ossai_stretch *stretch)
{
	return stretch->twin != OSSA_NONE && stretch->twin != self;
}

static void part_twins(splitter *s, uint32_t one)
{
	if (has_twin(one, &s->list[one])) s->list[s->list[one].twin].twin = OSSA_NONE;
	s->list[one].twin = OSSA_NONE;
}

static void set_twins(splitter *s, uint32_t one, uint32_t other, bool is_turned)
{
	s->list[one].twin = other;
	s->list[other].twin = one;
	s->list[one].is_turned = s->list[other].is_turned = is_turned;
}

static bool can_split(const ossai_stretch *stretch) { return stretch->end - stretch->begin > 1; }

/* whether a pair is to be split; both of it or none */
static bool wants_split(const splitter *s, const ossai_stretch *one, const ossai_stretch *other)
{
	const double length = (length_of(s, one) + length_of(s, other)) / 2;
	const double error = one->error > other->error ? one->error : other->error;
	if (!can_split(one) || !can_split(other) || length < s->limits.lower) return false;
	return s->options->refine ? one->parts > 1 : length > s->limits.upper || error > s->limits.tolerance;
}

/* puts what may be split later into the heap: the one of a pair that comes first stands for both. Called once for each pair. */
static void offer(splitter *s, uint32_t one)
{
	if (has_twin(one, &s->list[one])) {
		const uint32_t other = s->list[one].twin;
		if (other < one) one = other;
		/* one of them is too short to be split with the other */
		if (can_split(&s->list[one]) != can_split(&s->list[s->list[one].twin])) {
			const uint32_t longer = can_split(&s->list[one]) ? one : s->list[one].twin;
			part_twins(s, one);
			one = longer;
		}
	}
	const uint32_t twin = s->list[one].twin;
	const ossai_stretch *stretch = &s->list[one], *other = twin == OSSA_NONE ? stretch : &s->list[twin];
	if (!wants_split(s, stretch, other)) return;
	ossai_heap_push(&s->heap, -(stretch->error > other->error ? stretch->error : other->error), one);
}

/* ---- where ---- */

/* where an even division into the parts that a stretch asks for has a border nearest to its middle, as a share of its length */
static double even_share(const ossai_stretch *stretch)
{
	return stretch->parts > 1 ? (double)(stretch->parts / 2) / stretch->parts : 0.5;
}

/* 0: as good as straight, 1: bent */
static double bend_of(const splitter *s, const ossai_stretch *stretch)
{
	const double bend = s->limits.tolerance > 0 ? stretch->error / s->limits.tolerance - 0.5 : 1;
	return bend < 0 ? 0 : bend > 1 ? 1 : bend;
}

/* the share of a stretch's length where it is split: at the farthest point; the straighter, the more where it narrows near `base` */
static double share_of(const splitter *s, const ossai_stretch *stretch, double base)
{
	const double *arc = s->chains->arc, length = length_of(s, stretch);
	const double farthest = length > 0 ? (arc[stretch->worst] - arc[stretch->begin]) / length : 0.5;
	const double bend = bend_of(s, stretch);
	if (bend == 1) return farthest;
	const double reach = UNEVEN / (stretch->parts > 2 ? stretch->parts : 2);
	const double straight = ossai_narrowing(
		&s->room, stretch->end - stretch->begin + 1, arc + stretch->begin, s->radius + stretch->begin, base, reach);
	return straight + bend * (farthest - straight);
}

/* the point between the ends nearest to a share of the length */
static uint32_t point_at(const splitter *s, const ossai_stretch *stretch, double share)
{
	const double *arc = s->chains->arc, at = arc[stretch->begin] + share * length_of(s, stretch);
	uint32_t low = stretch->begin, high = stretch->end;
	while (high - low > 1) {
		const uint32_t middle = low + (high - low) / 2;
		if (arc[middle] <= at) low = middle;
		else high = middle;
	}
	const uint32_t nearest = at - arc[low] > arc[high] - at ? high : low;
	return nearest <= stretch->begin ? stretch->begin + 1 : nearest >= stretch->end ? stretch->end - 1 : nearest;
}

/* How many of a stretch's edges the two sides of a split get: by what each needs, at a bend where one of them bends again more. */
typedef struct sides {
	uint32_t before, after;
} sides;

static sides parts_of_sides(const splitter *s, const ossai_stretch *stretch, double share)
{
	if (stretch->parts < 2) return (sides){1, 1};
	if (bend_of(s, stretch) > 0) {
		const uint32_t point = point_at(s, stretch, share);
		const double before = ossai_stretch_needs(s->tree, s->chains, &s->limits, stretch->begin, point, s->stack);
		const double after = ossai_stretch_needs(s->tree, s->chains, &s->limits, point, stretch->end, s->stack);
		share = before / (before + after);
	}
	uint32_t before = (uint32_t)(share * stretch->parts + 0.5);
	if (before < 1) before = 1;
	if (before >= stretch->parts) before = stretch->parts - 1;
	return (sides){before, stretch->parts - before};
}

/* parts a stretch at a point: it keeps the beginning. Gives the number of the rest. */
static uint32_t split_at(splitter *s, uint32_t one, uint32_t point, sides parts)
{
	ossai_stretch *first = &s->list[one], *rest = &s->list[s->count];
	*rest = *first;
	rest->begin = first->end = point;
	first->parts = parts.before;
	rest->parts = parts.after;
	first->order = s->splits;
	measure(s, first);
	measure(s, rest);
	return (uint32_t)s->count++;
}

static void split_alone(splitter *s, uint32_t one)
{
	const ossai_stretch stretch = s->list[one];
	const bool refine = s->options->refine;
	const double share = refine ? share_of(s, &stretch, even_share(&stretch)) : 0.5;
	const uint32_t point = refine ? point_at(s, &stretch, share) : stretch.worst;
	const uint32_t rest = split_at(s, one, point, parts_of_sides(s, &stretch, share));
	offer(s, one);
	offer(s, rest);
}

/* what lies across the plane: in its middle */
static void split_across(splitter *s, uint32_t one)
{
	const ossai_stretch stretch = s->list[one];
	const uint32_t half = (stretch.parts + 1) / 2, rest = split_at(s, one, point_at(s, &stretch, 0.5), (sides){half, half});
	set_twins(s, one, rest, true);
	offer(s, one);
}

static void split_pair(splitter *s, uint32_t one)
{
	const ossai_stretch first = s->list[one], second = s->list[first.twin];
	const bool turned = first.is_turned;
	const double base = even_share(&first), own = share_of(s, &first, base);
	const double image = share_of(s, &second, turned ? 1 - base : base);
	const double share = (own + (turned ? 1 - image : image)) / 2;
	const sides parts = parts_of_sides(s, &first, share);
	const sides turned_parts = {parts.after, parts.before};
	const uint32_t rest = split_at(s, one, point_at(s, &first, share), parts);
	const uint32_t other_rest = split_at(
		s, first.twin, point_at(s, &second, turned ? 1 - share : share), turned ? turned_parts : parts);
	set_twins(s, one, turned ? other_rest : first.twin, turned);
	set_twins(s, rest, turned ? first.twin : other_rest, turned);
	offer(s, one);
	offer(s, rest);
}

/* ---- all ---- */

/* `edges`: of each chain, or NULL */
static void begin(splitter *s, const uint32_t *edges)
{
	for (uint32_t c = 0; c < s->chains->count; c++) {
		const ossai_graph_chain *chain = &s->chains->chain[c];
		const uint32_t image = chain->mirrored;
		/* what lies in the middle is no pair, what lies across is one with itself */
		const bool alone = image == OSSA_NONE || s->chains->chain[image].mirrored != c || (image == c && !chain->is_turned);
		s->list[c] = (ossai_stretch){.chain = c,
			.begin = chain->begin,
			.end = chain->begin + chain->count - 1,
			.twin = alone ? OSSA_NONE : image,
			.is_turned = chain->is_turned};
		measure(s, &s->list[c]);
	}
	s->count = s->chains->count;
	for (uint32_t c = 0; c < s->chains->count; c++) {
		const uint32_t twin = s->list[c].twin;
		s->list[c].parts = edges ? edges[c] : 1;
		if (twin == OSSA_NONE || twin >= c) offer(s, c);
	}
}

static void split_all(splitter *s)
{
	const size_t most = s->options->segments;
	while (s->heap.count > 0) {
		const uint32_t one = s->heap.entries[0].item;
		const size_t more = has_twin(one, &s->list[one]) ? 2 : 1;
		ossai_heap_pop(&s->heap);
		/* a single one may still fit */
		if (most > 0 && s->count + more > most) continue;
		s->splits++;
		if (more == 2) split_pair(s, one);
		else if (s->list[one].twin == one) split_across(s, one);
		else split_alone(s, one);
	}
}

static int by_place(const void *x, const void *y)
{
	const ossai_stretch *a = x, *b = y;
	return a->begin < b->begin ? -1 : a->begin > b->begin;
}

static ossa_status run(ossai_arena *scratch, splitter *s)
{
	const size_t points = s->chains->point_count;
	s->heap.entries = ossai_arena_new(scratch, points, sizeof *s->heap.entries);
	s->radius = ossai_arena_new(scratch, points, sizeof *s->radius);
	if (!s->heap.entries || !s->radius) return ossa_context_error(scratch->context)->status;
	OSSAI_TRY(ossai_narrowing_room_make(scratch, points, &s->room));
	for (size_t i = 0; i < points; i++) s->radius[i] = s->tree->radius[s->chains->node[i]];
	uint32_t *edges = NULL;
	if (s->options->refine) {
		s->stack = ossai_arena_new(scratch, points, 6 * sizeof *s->stack);
		edges = ossai_arena_new(scratch, s->chains->count, sizeof *edges);
		if (!s->stack || !edges) return ossa_context_error(scratch->context)->status;
		OSSAI_TRY(ossai_chain_counts(scratch, s->tree, s->chains, &s->limits, s->stack, edges));
	}
	begin(s, edges);
	split_all(s);
	qsort(s->list, s->count, sizeof *s->list, by_place);
	return OSSA_OK;
}

ossa_status ossai_chain_splits_make(ossai_arena *arena, const ossai_path_tree *tree, const ossai_graph_chains *chains,
	const ossai_skeletal_options *options, size_t *count, ossai_stretch **stretches)
{
	splitter s = {.tree = tree, .chains = chains, .options = options};
	s.limits.lower = options->min_fraction * tree->heart_radius;
	s.limits.upper = options->max_fraction * tree->heart_radius;
	s.limits.tolerance = options->tolerance * tree->heart_radius;
	/* an edge between every two points at most */
	s.list = ossai_arena_new(arena, chains->point_count, sizeof *s.list);
	if (!s.list) return ossa_context_error(arena->context)->status;
	ossai_arena scratch = ossai_arena_begin(arena->context);
	const ossa_status status = run(&scratch, &s);
	ossai_arena_end(&scratch);
	*count = s.count;
	*stretches = s.list;
	return status;
}

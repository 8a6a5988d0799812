/* medial/node_shares.c: see node_shares.h.

   A node's ball starts with an offset, the largest radius less its own. Each voxel has one
   number: the length of a path to it and the node that it comes from. The least over all paths is
   found by sweeps over the rows of voxels, forward and backward, each row from the four before
   it, until nothing changes; rows that no change can reach are skipped. Where the numbers do not
   fit, voxels are processed by their keys, one at a time. */
#include "medial/node_shares.h"

#include "base/clones.h"
#include "base/search.h"

#include <ossa/mesh.h>

/* Steps over a face, an edge and a corner; one bucket for each key that can be open at a time. */
enum { STEP_FACE = 3, STEP_EDGE = 4, STEP_CORNER = 5, BUCKETS = 6 };
/* Numbers without a voxel between stretches. */
enum { GAP = 2 };

typedef struct sharing {
	const ossai_voxels *voxels;
	const ossai_voxel_rows *rows;
	const ossai_path_tree *tree;
	uint32_t *key; /* of nodes: where their balls begin */
	/* key and node of each voxel: those of stretches, with gaps before, between and behind;
	   then nodes alone */
	uint32_t *number;
	uint32_t one;    /* a key of 1 as a number */
	uint32_t limit;  /* no number is as large */
	uint32_t *swept; /* rows: the last sweep that changed one */
} sharing;

static ossa_status find_keys(ossai_arena *scratch, sharing *s)
{
	const ossai_path_tree *tree = s->tree;
	double largest = 0;
	s->key = ossai_arena_new(scratch, tree->node_count, sizeof *s->key);
	if (!s->key) return ossa_context_error(scratch->context)->status;
	for (size_t i = 0; i < tree->node_count; i++) largest = fmax(largest, tree->radius[i]);
	for (size_t i = 0; i < tree->node_count; i++) {
		s->key[i] = (uint32_t)lrint(STEP_FACE * (largest - tree->radius[i]) / s->voxels->step);
	}
	return OSSA_OK;
}

/* ---- sweeps ---- */

static inline uint32_t lesser(uint32_t a, uint32_t b) { return a < b ? a : b; }

static inline uint32_t *numbers_of(const sharing *s, uint32_t stretch)
{
	return s->number + s->rows->voxel[stretch] + (size_t)GAP * (stretch + 1);
}

/* paths along a stretch, in both directions */
static inline void go_along(uint32_t *number, uint32_t count, uint32_t step)
{
	for (uint32_t i = 1; i < count; i++) number[i] = lesser(number[i], number[i - 1] + step);
	for (uint32_t i = count; i-- > 1;) number[i - 1] = lesser(number[i - 1], number[i] + step);
}

/* paths from a stretch to an adjacent one; returns a bit that changed */
static inline uint32_t go_across(
	const uint32_t *restrict from, uint32_t *restrict to, uint32_t count, uint32_t straight, uint32_t slanted)
{
	uint32_t changed = 0;
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t *at = from + i;
		const uint32_t side = lesser(at[-1], at[1]) + slanted, next = lesser(lesser(at[0] + straight, side), to[i]);
		changed |= next ^ to[i];
		to[i] = next;
	}
	return changed;
}

/* paths from a row to an adjacent one */
static inline uint32_t go_to_row(const sharing *s, size_t from, size_t to, uint32_t straight, uint32_t slanted)
{
	const ossai_voxel_rows *rows = s->rows;
	uint32_t a = rows->first[from], b = rows->first[to], changed = 0;
	while (a < rows->first[from + 1] && b < rows->first[to + 1]) {
		const uint32_t a_end = ossai_stretch_end(rows, a), b_end = ossai_stretch_end(rows, b);
		/* over corners too */
		const uint32_t begin = rows->begin[b] + 1 > rows->begin[a] ? rows->begin[b] : rows->begin[a] - 1;
		const uint32_t end = lesser(a_end + 1, b_end);
		if (begin < end) {
			const uint32_t *numbers = numbers_of(s, a) + ((int64_t)begin - rows->begin[a]);
			changed |= go_across(numbers, numbers_of(s, b) + (begin - rows->begin[b]), end - begin, straight, slanted);
		}
		if (a_end < b_end) a++;
		else b++;
	}
	return changed;
}

/* one row from the four before it, or behind it, of which some have changed since */
OSSAI_CLONES static bool sweep_row(const sharing *s, size_t row, uint32_t sweep, int64_t direction)
{
	const int64_t slice = s->voxels->size[1], steps[4] = {1, slice, slice - 1, slice + 1};
	const uint32_t face = STEP_FACE * s->one, edge = STEP_EDGE * s->one, corner = STEP_CORNER * s->one;
	uint32_t changed = 0;
	for (int i = 0; i < 4; i++) {
		const size_t other = (size_t)((int64_t)row - direction * steps[i]);
		if (s->swept[other] + 1 < sweep) continue;
		changed |= i < 2 ? go_to_row(s, other, row, face, edge) : go_to_row(s, other, row, edge, corner);
	}
	if (!changed) return false;
	for (uint32_t i = s->rows->first[row]; i < s->rows->first[row + 1]; i++) {
		go_along(numbers_of(s, i), s->rows->voxel[i + 1] - s->rows->voxel[i], face);
	}
	return true;
}

static bool sweep_all(const sharing *s, uint32_t sweep, bool forward)
{
	const size_t rows = (size_t)s->voxels->size[1] * s->voxels->size[2];
	bool changed = false;
	for (size_t i = 0; i < rows; i++) {
		const size_t row = forward ? i : rows - 1 - i;
		if (s->rows->first[row] == s->rows->first[row + 1] || !sweep_row(s, row, sweep, forward ? 1 : -1)) continue;
		s->swept[row] = sweep;
		changed = true;
	}
	return changed;
}

/* the stretch of a voxel, and its row */
static uint32_t stretch_of(const sharing *s, uint32_t voxel, size_t *row)
{
	const ossai_voxel_rows *rows = s->rows;
	*row = s->voxels->cell[voxel] / s->voxels->size[0];
	const uint32_t begin = rows->first[*row], count = rows->first[*row + 1] - begin;
	return begin + (uint32_t)ossai_search_index(rows->voxel + begin, count, voxel);
}

/* sets the numbers of nodes at their voxels */
static void plant(const sharing *s)
{
	for (uint32_t i = 0; i < s->tree->node_count; i++) {
		size_t row;
		const uint32_t voxel = s->tree->voxel[i], stretch = stretch_of(s, voxel, &row), begin = s->rows->voxel[stretch];
		uint32_t *number = numbers_of(s, stretch);
		if (s->key[i] < s->limit / s->one) number[voxel - begin] = lesser(number[voxel - begin], s->key[i] * s->one + i);
		go_along(number, s->rows->voxel[stretch + 1] - begin, STEP_FACE * s->one);
		/* both directions must sweep */
		s->swept[row] = 1;
	}
}

/* numbers to nodes, voxels side by side; false where one is missing */
static bool take_nodes(const sharing *s)
{
	uint32_t *node = s->number;
	for (uint32_t i = 0; i < s->rows->count; i++) {
		const uint32_t *number = numbers_of(s, i), count = s->rows->voxel[i + 1] - s->rows->voxel[i];
		for (uint32_t k = 0; k < count; k++) {
			if (number[k] >= s->limit) return false;
			*node++ = number[k] & (s->one - 1);
		}
	}
	return true;
}

static ossa_status share_by_sweeps(ossai_arena *scratch, sharing *s, int bits, bool *done)
{
	const size_t row_count = (size_t)s->voxels->size[1] * s->voxels->size[2];
	int node_bits = 0;
	while ((s->tree->node_count - 1) >> node_bits) node_bits++;
	*done = false;
	/* a key and the step behind it */
	if (bits - node_bits < 4) return OSSA_OK;
	s->one = 1U << node_bits;
	s->limit = (uint32_t)((1ULL << bits) - 1) - STEP_CORNER * s->one;
	s->swept = ossai_arena_zero(scratch, row_count, sizeof *s->swept);
	if (!s->swept) return ossa_context_error(scratch->context)->status;
	const size_t numbers = s->voxels->count + GAP * (s->rows->count + 1);
	for (size_t i = 0; i < numbers; i++) s->number[i] = s->limit;
	plant(s);
	bool changed = true;
	for (uint32_t sweep = 1; changed || sweep < 3; sweep++) {
		changed = sweep_all(s, sweep, sweep % 2 == 1);
		OSSAI_TRY(ossai_ask(scratch->context));
	}
	*done = take_nodes(s);
	return OSSA_OK;
}

/* ---- one voxel at a time ---- */

typedef struct spreading {
	const ossai_voxels *voxels;
	uint32_t *key, *next, *previous; /* N: next and previous in a bucket */
	uint32_t head[BUCKETS];
	uint32_t *node_of_voxel;
	size_t open;
} spreading;

static void take_out(spreading *s, uint32_t voxel)
{
	const uint32_t before = s->previous[voxel], after = s->next[voxel];
	if (before == OSSA_NONE) s->head[s->key[voxel] % BUCKETS] = after;
	else s->next[before] = after;
	if (after != OSSA_NONE) s->previous[after] = before;
	s->open--;
}

static void put_in(spreading *s, uint32_t voxel, uint32_t key)
{
	uint32_t *head = &s->head[key % BUCKETS];
	s->key[voxel] = key;
	s->next[voxel] = *head;
	s->previous[voxel] = OSSA_NONE;
	if (*head != OSSA_NONE) s->previous[*head] = voxel;
	*head = voxel;
	s->open++;
}

/* nearer than before, or equally near to an earlier node; finished voxels have their final key */
static void offer(spreading *s, uint32_t voxel, uint32_t key, uint32_t node)
{
	if (key > s->key[voxel] || (key == s->key[voxel] && node >= s->node_of_voxel[voxel])) return;
	s->node_of_voxel[voxel] = node;
	if (key == s->key[voxel]) return;
	if (s->key[voxel] != OSSA_NONE) take_out(s, voxel);
	put_in(s, voxel, key);
}

static void spread_from(spreading *s, uint32_t voxel)
{
	static const uint32_t steps[4] = {0, STEP_FACE, STEP_EDGE, STEP_CORNER};
	const ossai_voxels *v = s->voxels;
	const uint32_t cell = v->cell[voxel];
	const int64_t row = v->size[0], slice = row * v->size[1];
	for (int z = -1; z <= 1; z++) {
		for (int y = -1; y <= 1; y++) {
			for (int x = -1; x <= 1; x++) {
				const uint32_t other = v->of_cell[(int64_t)cell + x + y * row + z * slice];
				if (other == OSSA_NONE || other == voxel) continue;
				offer(s, other, s->key[voxel] + steps[(x != 0) + (y != 0) + (z != 0)], s->node_of_voxel[voxel]);
			}
		}
	}
}

/* nodes by their keys: counted */
static ossa_status sort_nodes(ossai_arena *scratch, const sharing *s, uint32_t **order)
{
	const size_t count = s->tree->node_count;
	uint32_t most = 0;
	for (size_t i = 0; i < count; i++) most = s->key[i] > most ? s->key[i] : most;
	uint32_t *start = ossai_arena_zero(scratch, (size_t)most + 2, sizeof *start);
	*order = ossai_arena_new(scratch, count, sizeof **order);
	if (!start || !*order) return ossa_context_error(scratch->context)->status;
	for (size_t i = 0; i < count; i++) start[s->key[i] + 1]++;
	for (size_t k = 1; k <= most; k++) start[k] += start[k - 1];
	for (uint32_t i = 0; i < count; i++) (*order)[start[s->key[i]]++] = i;
	return OSSA_OK;
}

static ossa_status share_by_keys(ossai_arena *scratch, const sharing *s)
{
	const size_t count = s->voxels->count, nodes = s->tree->node_count;
	spreading p = {.voxels = s->voxels, .node_of_voxel = s->number};
	uint32_t *order;
	p.key = ossai_arena_new(scratch, count, sizeof *p.key);
	p.next = p.key ? ossai_arena_new(scratch, count, sizeof *p.next) : NULL;
	p.previous = p.next ? ossai_arena_new(scratch, count, sizeof *p.previous) : NULL;
	if (!p.previous) return ossa_context_error(scratch->context)->status;
	OSSAI_TRY(sort_nodes(scratch, s, &order));
	for (int i = 0; i < BUCKETS; i++) p.head[i] = OSSA_NONE;
	for (size_t i = 0; i < count; i++) p.key[i] = OSSA_NONE;
	size_t begun = 0;
	for (uint32_t now = s->key[order[0]]; p.open > 0 || begun < nodes; now++) {
		for (; begun < nodes && s->key[order[begun]] == now; begun++)
			offer(&p, s->tree->voxel[order[begun]], now, order[begun]);
		while (p.head[now % BUCKETS] != OSSA_NONE) {
			const uint32_t voxel = p.head[now % BUCKETS];
			take_out(&p, voxel);
			spread_from(&p, voxel);
		}
	}
	return OSSA_OK;
}

/* ---- both ---- */

static ossa_status share(ossai_arena *scratch, sharing *s, int bits)
{
	bool done;
	OSSAI_TRY(find_keys(scratch, s));
	OSSAI_TRY(share_by_sweeps(scratch, s, bits, &done));
	return done ? OSSA_OK : share_by_keys(scratch, s);
}

ossa_status ossai_node_shares(ossai_arena *arena, const ossai_voxels *voxels, const ossai_voxel_rows *rows,
	const ossai_path_tree *tree, int bits, uint32_t **node_of_voxel)
{
	sharing s = {.voxels = voxels, .rows = rows, .tree = tree};
	s.number = ossai_arena_new(arena, voxels->count + GAP * (rows->count + 1), sizeof *s.number);
	if (!s.number) return ossa_context_error(arena->context)->status;
	ossai_arena scratch = ossai_arena_begin(arena->context);
	const ossa_status status = share(&scratch, &s, bits);
	ossai_arena_end(&scratch);
	*node_of_voxel = s.number;
	return status;
}

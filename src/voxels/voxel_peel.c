/* voxels/voxel_peel.c: removes cells that faces touch but whose centers lie outside.

   Place in the path: part of voxel_cells.h.
   Input: interior and touched cells.
   Output: a subset of them with the same topology.
   Source: simple points, whose removal preserves topology: G. Bertrand and G. Malandain, A New
   Characterization of Three-Dimensional Simple Points, 1994.

   Cells that faces touch thicken a shape by 3/4 of a cell on all sides, so that limbs touch what is
   next to them the sooner the larger cells are. A touched cell is removed where its center is
   outside, it is simple, and it is next to a cell whose center is inside, so that limbs without
   such cells stay. Cells are removed in the order of their distance outside, farthest first.
   A center is inside where, on most of the three axis-parallel lines through it, faces have been
   entered more often than left. */
#include "voxels/voxel_cells.h"

#include "base/csr.h"

#include <ossa/mesh.h>
#include <string.h>

enum { BLOCK = 27, CENTER = 13, LEVELS = 64 };
/* A face that touches a cell crosses one of the axis-parallel lines through its center within this
   many cells, unless it ends there: farther outside all centers count alike. */
static const double REACH = 1.5;

/* Lines are shifted from the centers by this much, in cells, and by sqrt 2 times as much in the
   other direction, so that none meets an edge: axis-aligned shapes have edges there, and edges
   between corners on a lattice have no irrational slope. */
static const double OFF = 1.3e-6;

/* The crossings of lines along an axis with faces. */
typedef struct passes {
	ossai_csr lines; /* places in `at` */
	float *at;       /* in cells; -at - 1: looking along the axis, where the line comes out */
} passes;

typedef struct peeling {
	const ossai_oriented *surface;
	ossai_cells *cells;
	const uint64_t *touched;
	passes along[3];
	uint32_t *rank; /* of each word: touched cells before it */
	uint32_t touched_count;
	/* touched cells: how far outside the center is, in cells, along the axis where that is least;
	   0: inside */
	float *side;
	uint64_t *inside;     /* bits: cells whose centers are inside */
	uint32_t count;       /* the number of touched cells that are not */
	size_t *cell;         /* those cells, the farthest outside first */
	uint32_t *list_index; /* touched cells: their index in that list; OSSA_NONE */
} peeling;

/* ---- which side ---- */

static uint32_t number_of(const peeling *s, uint32_t x, uint32_t y, uint32_t z)
{
	const size_t word = ((size_t)z * s->cells->size[1] + y) * s->cells->row_words + x / 64;
	const uint64_t below = s->touched[word] & ((1ULL << x % 64) - 1);
	return s->rank[word] + (uint32_t)__builtin_popcountll(below);
}

static bool is_set(const ossai_cells *cells, const uint64_t *bits, uint32_t x, uint32_t y, uint32_t z)
{
	return bits[((size_t)z * cells->size[1] + y) * cells->row_words + x / 64] >> x % 64 & 1;
}

static size_t line_of(const peeling *s, int axis, uint32_t u, uint32_t v)
{
	return u + (size_t)s->cells->size[(axis + 1) % 3] * v;
}

/* counts the lines along an axis that cross a face, or lists the crossings; corners in cells */
static void pass_lines(peeling *s, int axis, double corner[3][3])
{
	const int u = (axis + 1) % 3, v = (axis + 2) % 3;
	const double off[3] = {0.5 + OFF, 0.5 + sqrt(2) * OFF, 0},
				 area = (corner[1][u] - corner[0][u]) * (corner[2][v] - corner[0][v]) -
		(corner[1][v] - corner[0][v]) * (corner[2][u] - corner[0][u]);
	int32_t low[2], high[2];
	for (int k = 0; k < 2; k++) {
		const int w = k == 0 ? u : v;
		low[k] = (int32_t)fmax(0, ceil(fmin(corner[0][w], fmin(corner[1][w], corner[2][w])) - off[k]));
		high[k] = (int32_t)fmin(s->cells->size[w] - 1.0, floor(fmax(corner[0][w], fmax(corner[1][w], corner[2][w])) - off[k]));
	}
	if (area == 0) return;
	passes *to = &s->along[axis];
	for (int32_t a = low[0]; a <= high[0]; a++) {
		for (int32_t b = low[1]; b <= high[1]; b++) {
			double at = 0, least = INFINITY;
			for (int k = 0; k < 3; k++) {
				const double *p = corner[(k + 1) % 3], *q = corner[(k + 2) % 3];
				const double share = ((p[u] - a - off[0]) * (q[v] - b - off[1]) - (p[v] - b - off[1]) * (q[u] - a - off[0])) /
					area;
				least = fmin(least, share);
				at += share * corner[k][axis];
			}
			if (!(least >= 0)) continue;
			const size_t line = line_of(s, axis, (uint32_t)a, (uint32_t)b);
			at = fmax(at, 0);
			if (to->at) to->at[ossai_csr_next(&to->lines, line)] = (float)(area > 0 ? -at - 1 : at);
			else ossai_csr_count(&to->lines, line);
		}
	}
}

static void pass_faces(peeling *s)
{
	const double origin[3] = {s->cells->origin.x, s->cells->origin.y, s->cells->origin.z};
	for (size_t f = 0; f < s->surface->face_count; f++) {
		double corner[3][3];
		for (int i = 0; i < 9; i++) {
			const double *p = s->surface->points + 3 * (size_t)s->surface->triangles[3 * f + (size_t)i / 3];
			corner[i / 3][i % 3] = (p[i % 3] - origin[i % 3]) / s->cells->step;
		}
		for (int axis = 0; axis < 3; axis++) pass_lines(s, axis, corner);
	}
}

static ossa_status find_passes(ossai_arena *scratch, peeling *s)
{
	const uint32_t *size = s->cells->size;
	for (int axis = 0; axis < 3; axis++) {
		OSSAI_TRY(ossai_csr_begin(scratch, (size_t)size[(axis + 1) % 3] * size[(axis + 2) % 3], &s->along[axis].lines));
	}
	pass_faces(s);
	for (int axis = 0; axis < 3; axis++) {
		size_t total;
		OSSAI_TRY(ossai_csr_lay_out(scratch->context, &s->along[axis].lines, &total));
		s->along[axis].at = ossai_arena_new(scratch, total, sizeof(float));
		if (!s->along[axis].at) return ossa_context_error(scratch->context)->status;
	}
	pass_faces(s);
	return OSSA_OK;
}

/* how many more times than left the surface is entered before a center on a line; `near` becomes
   the distance to the nearest face where that is less */
static int entered(const passes *p, size_t line, double center, double *near)
{
	int count = 0;
	for (uint32_t i = p->lines.start[line]; i < p->lines.start[line + 1]; i++) {
		const bool leaves = p->at[i] < 0;
		const double at = leaves ? -p->at[i] - 1 : p->at[i];
		if (at < center) count += leaves ? -1 : 1;
		*near = fmin(*near, fabs(at - center));
	}
	return count;
}

static float side_of(const peeling *s, uint32_t x, uint32_t y, uint32_t z)
{
	const uint32_t at[3] = {x, y, z};
	double near = REACH;
	int votes = 0;
	for (int axis = 0; axis < 3; axis++) {
		const size_t line = line_of(s, axis, at[(axis + 1) % 3], at[(axis + 2) % 3]);
		votes += entered(&s->along[axis], line, at[axis] + 0.5, &near) != 0;
	}
	return votes > 1 ? 0 : (float)fmax(near, 1e-6);
}

static ossa_status number_touched(ossai_arena *scratch, peeling *s)
{
	const size_t words = ossai_cell_rows(s->cells) * s->cells->row_words;
	s->rank = ossai_arena_new(scratch, words, sizeof *s->rank);
	s->inside = s->rank ? ossai_arena_new(scratch, words, sizeof *s->inside) : NULL;
	if (!s->inside) return ossa_context_error(scratch->context)->status;
	for (size_t w = 0; w < words; w++) {
		s->rank[w] = s->touched_count;
		s->touched_count += (uint32_t)__builtin_popcountll(s->touched[w]);
	}
	s->side = ossai_arena_new(scratch, s->touched_count, sizeof *s->side);
	s->cell = s->side ? ossai_arena_new(scratch, s->touched_count, sizeof *s->cell) : NULL;
	s->list_index = s->cell ? ossai_arena_new(scratch, s->touched_count, sizeof *s->list_index) : NULL;
	return s->list_index ? OSSA_OK : ossa_context_error(scratch->context)->status;
}

static void find_sides(peeling *s)
{
	const ossai_cells *cells = s->cells;
	uint32_t number = 0;
	for (size_t row = 0; row < ossai_cell_rows(cells); row++) {
		const uint32_t y = (uint32_t)(row % cells->size[1]), z = (uint32_t)(row / cells->size[1]);
		for (uint32_t w = 0; w < cells->row_words; w++) {
			for (uint64_t bits = s->touched[row * cells->row_words + w]; bits; bits &= bits - 1) {
				s->side[number++] = side_of(s, 64 * w + (uint32_t)__builtin_ctzll(bits), y, z);
			}
		}
	}
}

/* the farther outside the lower */
static int level_of(float side)
{
	const double level = LEVELS * (1 - side / REACH);
	return level < 0 ? 0 : level < LEVELS - 1 ? (int)level : LEVELS - 1;
}

/* marks cells whose centers are inside; lists the other touched cells, the farthest outside
   first */
static void list_outside(peeling *s)
{
	const size_t words = ossai_cell_rows(s->cells) * s->cells->row_words;
	uint32_t start[LEVELS + 1] = {0};
	for (uint32_t i = 0; i < s->touched_count; i++) {
		s->list_index[i] = OSSA_NONE;
		if (s->side[i] > 0) start[level_of(s->side[i]) + 1]++;
	}
	for (int i = 0; i < LEVELS; i++) start[i + 1] += start[i];
	s->count = start[LEVELS];
	uint32_t number = 0;
	for (size_t w = 0; w < words; w++) {
		s->inside[w] = s->cells->bits[w];
		for (uint64_t bits = s->touched[w]; bits; bits &= bits - 1, number++) {
			if (!(s->side[number] > 0)) continue;
			s->list_index[number] = start[level_of(s->side[number])]++;
			s->cell[s->list_index[number]] = 64 * w + (size_t)__builtin_ctzll(bits);
			s->inside[w] &= ~(bits & -bits);
		}
	}
}

/* ---- removal ---- */

/* Blocks of 27 cells are bits: x fastest, then y, then z; those with the least and largest x, y, z,
   and the 18-neighbourhood of the center. */
enum { ALL = (1 << BLOCK) - 1, X_LOW = 0x1249249, X_HIGH = X_LOW << 2, Y_LOW = 0x1c0e07, Y_HIGH = Y_LOW << 6 };
enum { CORNERS = 1 << 0 | 1 << 2 | 1 << 6 | 1 << 8 | 1 << 18 | 1 << 20 | 1 << 24 | 1 << 26 };
enum { SIDES = 1 << 4 | 1 << 10 | 1 << 12 | 1 << 14 | 1 << 16 | 1 << 22, NEAR = ALL & ~CORNERS & ~(1 << CENTER) };

/* the 27 cells around one that is not in the outermost layer, as bits: x fastest, then y, then z */
static uint32_t block_at(const ossai_cells *cells, const uint64_t *bits, uint32_t x, size_t row)
{
	uint32_t block = 0;
	for (int i = 0; i < 9; i++) {
		const size_t other = row + (size_t)(i / 3) * cells->size[1] + (size_t)(i % 3) - cells->size[1] - 1;
		const uint64_t *words = bits + other * cells->row_words;
		const uint32_t first = x - 1, shift = first % 64;
		uint64_t three = words[first / 64] >> shift;
		if (shift > 61) three |= words[first / 64 + 1] << (64 - shift);
		block |= (uint32_t)(three & 7) << 3 * i;
	}
	return block;
}

static uint32_t along_x(uint32_t cells) { return (cells & ~(uint32_t)X_HIGH) << 1 | (cells & ~(uint32_t)X_LOW) >> 1; }

static uint32_t along_y(uint32_t cells) { return (cells & ~(uint32_t)Y_HIGH) << 3 | (cells & ~(uint32_t)Y_LOW) >> 3; }

static uint32_t along_z(uint32_t cells) { return (cells << 9 & ALL) | cells >> 9; }

/* whether the set cells of a block are 26-connected */
static bool is_one_object(uint32_t object)
{
	for (uint32_t part = object & -object, before = 0; part != before;) {
		before = part;
		uint32_t around = part | along_x(part);
		around |= along_y(around);
		part = (around | along_z(around)) & object;
		if (part == object) return true;
	}
	return false;
}

/* whether the cells of `wanted` are 6-connected within `ground` */
static bool is_one_ground(uint32_t ground, uint32_t wanted)
{
	for (uint32_t part = wanted & -wanted, before = 0; part != before;) {
		before = part;
		part |= (along_x(part) | along_y(part) | along_z(part)) & ground;
		if (!(wanted & ~part)) return true;
	}
	return false;
}

/* whether a cell is simple: object and background are connected around it as they are through it */
static bool is_simple(uint32_t block)
{
	const uint32_t object = block & ~(1U << CENTER), ground = ~block & NEAR, open = ground & SIDES;
	return object && open && is_one_ground(ground, open) && is_one_object(object);
}

/* cells waiting to be tested: each at most once */
typedef struct queue {
	uint32_t *list;
	uint8_t *waits;
	uint32_t first, count, capacity;
} queue;

static void push(queue *q, uint32_t item)
{
	if (q->waits[item]) return;
	q->waits[item] = 1;
	const uint32_t end = q->first + q->count++;
	q->list[end < q->capacity ? end : end - q->capacity] = item;
}

static uint32_t take(queue *q)
{
	const uint32_t item = q->list[q->first];
	q->first = q->first + 1 < q->capacity ? q->first + 1 : 0;
	q->count--;
	q->waits[item] = 0;
	return item;
}

/* queues the neighbours of a removed cell, which may have become removable */
static void push_neighbors(const peeling *s, uint32_t block, uint32_t x, size_t row, queue *q)
{
	const uint32_t y = (uint32_t)(row % s->cells->size[1]), z = (uint32_t)(row / s->cells->size[1]);
	for (uint32_t left = block & ~(1u << CENTER); left; left &= left - 1) {
		const uint32_t k = (uint32_t)__builtin_ctz(left), a = x + k % 3 - 1, b = y + k / 3 % 3 - 1, c = z + k / 9 - 1;
		if (!is_set(s->cells, s->touched, a, b, c)) continue;
		const uint32_t list_index = s->list_index[number_of(s, a, b, c)];
		if (list_index != OSSA_NONE) push(q, list_index);
	}
}

static void peel_all(peeling *s, queue *q)
{
	ossai_cells *cells = s->cells;
	for (uint32_t i = 0; i < s->count; i++) push(q, i);
	while (q->count > 0) {
		const size_t bit = s->cell[take(q)], word = bit / 64, row = word / cells->row_words;
		const uint32_t x = (uint32_t)(bit - 64 * row * cells->row_words);
		if (!(cells->bits[word] >> bit % 64 & 1) || !block_at(cells, s->inside, x, row)) continue;
		const uint32_t block = block_at(cells, cells->bits, x, row);
		if (!is_simple(block)) continue;
		cells->bits[word] &= ~(1ULL << bit % 64);
		push_neighbors(s, block, x, row, q);
	}
}

ossa_status ossai_cells_peel(ossai_arena *scratch, const ossai_oriented *surface, const uint64_t *touched, ossai_cells *cells)
{
	peeling s = {.surface = surface, .cells = cells, .touched = touched};
	OSSAI_TRY(number_touched(scratch, &s));
	OSSAI_TRY(find_passes(scratch, &s));
	find_sides(&s);
	list_outside(&s);
	queue q = {.capacity = s.count};
	q.list = ossai_arena_new(scratch, s.count, sizeof *q.list);
	q.waits = ossai_arena_zero(scratch, s.count, 1);
	if (!q.list || !q.waits) return ossa_context_error(scratch->context)->status;
	peel_all(&s, &q);
	return OSSA_OK;
}

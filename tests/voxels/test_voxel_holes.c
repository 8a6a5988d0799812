/* tests/voxels/test_voxel_holes.c: boxes with a hole: cells that are connected with the outside
   through it are decided by winding numbers, the same as each by itself. */
#include "support/support.h"
#include "voxels/voxel_cells.h"

#include <string.h>

/* cells along each side of the grid; of the box, WALL to SIZE - WALL */
enum { SIZE = 40, WALL = 5 };

typedef struct bench {
	ossa_context *context;
	ossai_arena arena;
	ossai_oriented surface;
	ossai_cells cells;
	ossai_winding_tree *tree;
	size_t face_count;
	double positions[3 * 16];
	uint32_t triangles[3 * 24];
} bench;

static void add_quad(bench *b, uint32_t p, uint32_t q, uint32_t r, uint32_t s)
{
	const uint32_t two[] = {p, q, r, p, r, s};
	for (size_t i = 0; i < 6; i++) b->triangles[3 * b->face_count + i] = two[i];
	b->face_count += 2;
}

/* a box whose lid, at the largest z, has a square hole of half the size `hole`; 1: no lid; off
   cells' centers and corners */
static void make_box(bench *b, double hole)
{
	const double low = WALL + 0.3, high = SIZE - WALL - 0.3, middle = SIZE / 2.0, half = hole * (high - middle);
	b->face_count = 0;
	for (uint32_t i = 0; i < 8; i++) {
		for (uint32_t k = 0; k < 3; k++) b->positions[3 * i + k] = i >> k & 1 ? high : low;
	}
	for (uint32_t i = 0; i < 4; i++) {
		b->positions[24 + 3 * i] = middle + (i & 1 ? half : -half);
		b->positions[25 + 3 * i] = middle + (i & 2 ? half : -half);
		b->positions[26 + 3 * i] = high;
	}
	add_quad(b, 0, 2, 3, 1);
	add_quad(b, 0, 1, 5, 4);
	add_quad(b, 2, 6, 7, 3);
	add_quad(b, 0, 4, 6, 2);
	add_quad(b, 1, 3, 7, 5);
	if (hole >= 1) return;
	add_quad(b, 4, 5, 9, 8);
	add_quad(b, 5, 7, 11, 9);
	add_quad(b, 7, 6, 10, 11);
	add_quad(b, 6, 4, 8, 10);
}

static void begin(bench *b, int threads, double hole)
{
	b->context = test_context(threads);
	b->arena = ossai_arena_begin(b->context);
	make_box(b, hole);
	assert_ok(b->context, ossai_orient(&b->arena, 12, b->positions, b->face_count, b->triangles, &b->surface));
	b->cells = (ossai_cells){.size = {SIZE, SIZE, SIZE}, .row_words = 1, .step = 1};
	b->cells.bits = ossai_arena_zero(&b->arena, SIZE * SIZE, sizeof *b->cells.bits);
	assert_non_null(b->cells.bits);
	assert_ok(b->context, ossai_cells_touch(&b->arena, &b->surface, &b->cells));
	const ossai_mesh_view mesh = ossai_oriented_view(&b->surface);
	assert_ok(b->context, ossai_winding_tree_make(&b->arena, &mesh, &b->tree));
}

static void end(bench *b)
{
	ossai_arena_end(&b->arena);
	test_context_end(b->context);
}

static bool is_set(const ossai_cells *cells, uint32_t x, uint32_t y, uint32_t z) { return cells->bits[z * SIZE + y] >> x & 1; }

static void fill_holes(bench *b)
{
	ossai_runs runs;
	assert_ok(b->context, ossai_runs_make(&b->arena, &b->cells, false, &runs));
	/* the hole joins inside and outside */
	assert_int_equal(runs.set_count, 1);
	assert_ok(b->context, ossai_cells_fill_holes(&b->arena, b->tree, &runs, 0, 1, &b->cells));
}

/* the cell's own winding number; cells near the border between inside and outside may be on either
   side */
static void assert_sides(const bench *b, size_t least_inside)
{
	size_t inside = 0;
	for (uint32_t z = 0; z < SIZE; z++) {
		for (uint32_t y = 0; y < SIZE; y++) {
			for (uint32_t x = 0; x < SIZE; x++) {
				const ossai_vec3 center = ossai_v3(x + 0.5, y + 0.5, z + 0.5);
				const double winding = fabs(ossai_winding_tree_at(b->tree, center));
				if (winding > 0.6) assert_true(is_set(&b->cells, x, y, z));
				inside += winding > 0.6;
				const bool is_far = x < WALL || y < WALL || z < WALL || x >= SIZE - WALL || y >= SIZE - WALL ||
					z >= SIZE - WALL;
				if (is_far && winding < 0.45) assert_false(is_set(&b->cells, x, y, z));
			}
		}
	}
	assert_true(inside >= least_inside);
}

static void holes_of_any_size_do_no_harm(void **state)
{
	(void)state;
	const double holes[] = {0.1, 0.3, 0.6, 0.9, 1};
	for (size_t i = 0; i < 5; i++) {
		bench b;
		begin(&b, 2, holes[i]);
		fill_holes(&b);
		/* of 30 x 30 x 30 cells in the box, with all of its lid missing, most */
		assert_sides(&b, 20000);
		end(&b);
	}
}

static void the_same_bits_for_any_threads(void **state)
{
	(void)state;
	static uint64_t first[SIZE * SIZE];
	for (int threads = 1; threads <= 4; threads++) {
		bench b;
		begin(&b, threads, 0.5);
		fill_holes(&b);
		if (threads == 1) memcpy(first, b.cells.bits, sizeof first);
		else assert_memory_equal(first, b.cells.bits, sizeof first);
		end(&b);
	}
}

/* a floor and a wall: winding numbers above a half are nowhere, and nothing is inside */
static void an_open_sheet_has_no_inside(void **state)
{
	(void)state;
	bench b;
	begin(&b, 1, 1);
	b.face_count = 4;
	assert_ok(b.context, ossai_orient(&b.arena, 12, b.positions, b.face_count, b.triangles, &b.surface));
	memset(b.cells.bits, 0, SIZE * SIZE * sizeof *b.cells.bits);
	assert_ok(b.context, ossai_cells_touch(&b.arena, &b.surface, &b.cells));
	const ossai_mesh_view mesh = ossai_oriented_view(&b.surface);
	assert_ok(b.context, ossai_winding_tree_make(&b.arena, &mesh, &b.tree));
	uint64_t before[SIZE * SIZE];
	memcpy(before, b.cells.bits, sizeof before);
	fill_holes(&b);
	assert_memory_equal(before, b.cells.bits, sizeof before);
	end(&b);
}

/* A sheet folded to this angle: how many cells are inside, and the largest winding number of a cell
   that is open. */
static size_t inside_fold(double degrees, double *deepest)
{
	bench b;
	begin(&b, 1, 1);
	const double half = degrees / 2 * OSSAI_PI / 180, length = 18, low = WALL + 0.3, high = SIZE - WALL - 0.3,
				 middle = SIZE / 2.0;
	for (uint32_t i = 0; i < 6; i++) {
		const double side = i < 2 ? 0 : i < 4 ? 1 : -1;
		const ossai_vec3 p = ossai_v3(
			middle + side * length * sin(half), i % 2 ? high : low, low + fabs(side) * length * cos(half));
		ossai_v3_store(p, b.positions + 3 * i);
	}
	b.face_count = 0;
	add_quad(&b, 0, 2, 3, 1);
	add_quad(&b, 0, 1, 5, 4);
	assert_ok(b.context, ossai_orient(&b.arena, 12, b.positions, b.face_count, b.triangles, &b.surface));
	memset(b.cells.bits, 0, SIZE * SIZE * sizeof *b.cells.bits);
	assert_ok(b.context, ossai_cells_touch(&b.arena, &b.surface, &b.cells));
	const ossai_mesh_view mesh = ossai_oriented_view(&b.surface);
	assert_ok(b.context, ossai_winding_tree_make(&b.arena, &mesh, &b.tree));
	uint64_t before[SIZE * SIZE];
	memcpy(before, b.cells.bits, sizeof before);
	*deepest = 0;
	for (uint32_t i = 0; i < SIZE * SIZE * SIZE; i++) {
		const uint32_t x = i % SIZE, y = i / SIZE % SIZE, z = i / SIZE / SIZE;
		if (is_set(&b.cells, x, y, z)) continue;
		*deepest = fmax(*deepest, fabs(ossai_winding_tree_at(b.tree, ossai_v3(x + 0.5, y + 0.5, z + 0.5))));
	}
	fill_holes(&b);
	size_t count = 0;
	for (size_t i = 0; i < SIZE * SIZE; i++) count += (size_t)__builtin_popcountll(b.cells.bits[i] & ~before[i]);
	end(&b);
	return count;
}

/* A fold holds something where a winding number in it is over 0.75, in an infinite one of a right
   angle; then all that is over 0.52. */
static void wide_folds_have_no_inside(void **state)
{
	(void)state;
	size_t empty = 0, full = 0;
	for (double degrees = 50; degrees < 130; degrees += 4) {
		double deepest;
		const size_t count = inside_fold(degrees, &deepest);
		if (deepest < 0.745) assert_int_equal(count, 0);
		if (deepest > 0.755) assert_true(count > 500);
		empty += deepest < 0.745;
		full += deepest > 0.755;
	}
	assert_true(empty > 2 && full > 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(holes_of_any_size_do_no_harm),
		cmocka_unit_test(the_same_bits_for_any_threads),
		cmocka_unit_test(an_open_sheet_has_no_inside),
		cmocka_unit_test(wide_folds_have_no_inside),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* tests/medial/test_node_shares.c: voxels as runs along rows; handles against the Euler number
   counted one by one; the nodes of voxels against shortest paths by relaxation, for any number
   of bits. */
#include "medial/node_shares.h"

#include "support/support.h"
#include "support/volumes.h"

#include <stdlib.h>
#include <string.h>

static const double EXPOSURE = 0.12, CLOSENESS = 0.1;

typedef struct shared {
	ossa_context *context;
	ossai_arena arena;
	ossai_voxels voxels;
	ossai_voxel_rows rows;
	ossai_path_tree tree;
} shared;

static void begin(shared *s)
{
	s->context = test_context(1);
	s->arena = ossai_arena_begin(s->context);
}

static void end(shared *s)
{
	ossai_arena_end(&s->arena);
	test_context_end(s->context);
}

static void make_rows(shared *s) { assert_ok(s->context, ossai_voxel_rows_make(&s->arena, &s->voxels, &s->rows)); }

/* voxels that are there with a probability, of those the largest set */
static void draw_random(shared *s, uint32_t columns, uint32_t side, double share, uint32_t seed)
{
	char *text = malloc((size_t)columns * side * side + 1);
	for (uint32_t i = 0; i < columns * side * side; i++) text[i] = test_random_bits(&seed) < share * (1 << 24) ? '#' : '.';
	text[columns * side * side] = 0;
	s->voxels = test_voxels_drawn(&s->arena, columns, side, side, text);
	free(text);
}

/* a tree is its nodes alone here: every so many voxels one, with any radius */
static void scatter_nodes(shared *s, uint32_t every, double largest, uint32_t seed)
{
	const size_t count = (s->voxels.count - 1) / every + 1;
	s->tree = (ossai_path_tree){.node_count = count,
		.voxel = ossai_arena_new(&s->arena, count, sizeof *s->tree.voxel),
		.radius = ossai_arena_new(&s->arena, count, sizeof *s->tree.radius)};
	for (uint32_t i = 0; i < count; i++) {
		s->tree.voxel[i] = (uint32_t)(test_random_bits(&seed) % s->voxels.count);
		s->tree.radius[i] = largest * s->voxels.step * test_random_bits(&seed) / (1 << 24);
	}
}

/* ---- rows ---- */

static void check_rows(const shared *s)
{
	uint32_t voxel = 0;
	for (uint32_t row = 0; row < s->voxels.size[1] * s->voxels.size[2]; row++) {
		for (uint32_t i = s->rows.first[row]; i < s->rows.first[row + 1]; i++) {
			assert_int_equal(s->rows.voxel[i], voxel);
			size_t wrong = 0;
			for (uint32_t x = s->rows.begin[i]; x < ossai_stretch_end(&s->rows, i); x++) {
				wrong += s->voxels.cell[voxel++] != row * s->voxels.size[0] + x;
			}
			assert_int_equal(wrong, 0);
			/* nothing continues beyond */
			assert_int_equal(s->voxels.of_cell[row * s->voxels.size[0] + ossai_stretch_end(&s->rows, i)], OSSA_NONE);
		}
	}
	assert_int_equal(voxel, s->voxels.count);
	assert_int_equal(s->rows.first[s->voxels.size[1] * s->voxels.size[2]], s->rows.count);
	assert_int_equal(s->rows.voxel[s->rows.count], s->voxels.count);
}

/* Corners, edges and faces of voxels are counted by the first voxel that has them. A part is
   identified by the sides of the voxel that it lies on: side[k] -1 or 1, or 0 where it runs along
   axis k. */
static bool is_first(const ossai_voxels *v, int64_t cell, const int side[3])
{
	const int64_t step[3] = {1, v->size[0], (int64_t)v->size[0] * v->size[1]};
	for (int which = 1; which < 8; which++) {
		int64_t other = cell;
		bool is_other = true;
		for (int k = 0; k < 3; k++) {
			if (!(which >> k & 1)) continue;
			is_other = is_other && side[k] != 0;
			other += side[k] * step[k];
		}
		if (is_other && other < cell && v->of_cell[other] != OSSA_NONE) return false;
	}
	return true;
}

static int64_t count_handles(const ossai_voxels *v)
{
	int64_t characteristic = 0;
	for (size_t i = 0; i < v->count; i++) {
		characteristic--;
		for (int part = 0; part < 27; part++) {
			const int side[3] = {part % 3 - 1, part / 3 % 3 - 1, part / 9 - 1};
			const int axes = (side[0] == 0) + (side[1] == 0) + (side[2] == 0);
			if (axes == 3 || !is_first(v, v->cell[i], side)) continue;
			characteristic += axes == 1 ? -1 : 1;
		}
	}
	return 1 - characteristic;
}

static int64_t handles_of(shared *s)
{
	int64_t handles;
	assert_ok(s->context, ossai_voxel_handles(&s->arena, &s->voxels, &s->rows, &handles));
	return handles;
}

static void handles_are_counted(void **state)
{
	(void)state;
	/* a block, a ring, two rings */
	static const struct {
		uint32_t columns, rows, layers;
		const char *text;
		int64_t handles;
	} drawn[] = {{2, 2, 2, "########", 0}, {3, 3, 1, "####.####", 1}, {5, 3, 1, "######.#.######", 2}, {1, 1, 1, "#", 0}};
	for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++) {
		shared s;
		begin(&s);
		s.voxels = test_voxels_drawn(&s.arena, drawn[i].columns, drawn[i].rows, drawn[i].layers, drawn[i].text);
		make_rows(&s);
		check_rows(&s);
		assert_int_equal(handles_of(&s), drawn[i].handles);
		end(&s);
	}
	/* rows of one word and of several; thin ones that meet at corners, and hollows */
	static const uint32_t sides[] = {5, 12, 61, 62, 63, 70};
	for (uint32_t i = 0; i < 18; i++) {
		shared s;
		begin(&s);
		draw_random(&s, sides[i % 6], 14, 0.2 + 0.3 * (i / 6), i + 1);
		make_rows(&s);
		check_rows(&s);
		assert_int_equal(handles_of(&s), count_handles(&s.voxels));
		end(&s);
	}
}

/* ---- shares ---- */

/* shortest paths to each voxel with their nodes, by relaxation until none decreases */
static uint64_t *relax(const shared *s)
{
	const ossai_voxels *v = &s->voxels;
	uint64_t *number = malloc(v->count * sizeof *number);
	double largest = 0;
	for (size_t i = 0; i < v->count; i++) number[i] = UINT64_MAX / 2;
	for (size_t i = 0; i < s->tree.node_count; i++) largest = fmax(largest, s->tree.radius[i]);
	for (size_t i = 0; i < s->tree.node_count; i++) {
		const uint64_t own = (uint64_t)lrint(3 * (largest - s->tree.radius[i]) / v->step) << 32 | i;
		if (own < number[s->tree.voxel[i]]) number[s->tree.voxel[i]] = own;
	}
	for (bool changed = true; changed;) {
		changed = false;
		for (size_t i = 0; i < v->count; i++) {
			for (int k = 0; k < 27; k++) {
				const int x = k % 3 - 1, y = k / 3 % 3 - 1, z = k / 9 - 1;
				const uint32_t other =
					v->of_cell[v->cell[i] + (int64_t)x + v->size[0] * ((int64_t)y + v->size[1] * (int64_t)z)];
				if (other == OSSA_NONE || k == 13) continue;
				const uint64_t next = number[other] + ((uint64_t)(2 + x * x + y * y + z * z) << 32);
				if (next >= number[i]) continue;
				number[i] = next;
				changed = true;
			}
		}
	}
	return number;
}

static void check_shares(shared *s)
{
	/* with few bits nodes do not fit, or keys, or nothing */
	static const int bits[] = {32, 20, 16, 12, 10, 8};
	uint64_t *number = relax(s);
	for (size_t b = 0; b < sizeof bits / sizeof *bits; b++) {
		uint32_t *node;
		assert_ok(s->context, ossai_node_shares(&s->arena, &s->voxels, &s->rows, &s->tree, bits[b], &node));
		size_t wrong = 0;
		for (size_t i = 0; i < s->voxels.count; i++) wrong += node[i] != (uint32_t)number[i];
		assert_int_equal(wrong, 0);
	}
	free(number);
}

static void shares_are_those_of_the_least_ways(void **state)
{
	(void)state;
	/* mazes, whose paths turn back often, and solid shapes; few nodes and many, some of them
	   coinciding */
	static const double density[] = {0.13, 0.3, 0.6, 1};
	for (uint32_t i = 0; i < 24; i++) {
		shared s;
		begin(&s);
		draw_random(&s, 6 + i, 6 + i, density[i % 4], i + 7);
		make_rows(&s);
		scatter_nodes(&s, i % 3 == 0 ? 1000000 : i % 3 == 1 ? 50 : 3, i % 2 ? 0 : 10, i);
		check_shares(&s);
		end(&s);
	}
}

static void shares_of_trees(void **state)
{
	(void)state;
	const test_volume volumes[] = {test_volume_torus(0.5, 0.1), test_volume_ball(0.5)};
	const ossai_mat3 turn = ossai_mat3_identity();
	for (int i = 0; i < 2; i++) {
		shared s;
		ossai_medial medial;
		begin(&s);
		s.voxels = test_voxels_of(&s.arena, &volumes[i], &turn, 0.04);
		make_rows(&s);
		assert_ok(s.context, ossai_medial_make(&s.arena, &s.voxels, EXPOSURE, &medial));
		assert_ok(s.context, ossai_path_tree_make(&s.arena, &s.voxels, &medial, CLOSENESS, &s.tree));
		check_shares(&s);
		end(&s);
	}
}

static ossa_status sweep(ossa_context *context, void *arg)
{
	const shared *s = arg;
	ossai_arena arena = ossai_arena_begin(context);
	ossai_voxel_rows rows;
	uint32_t *node;
	int64_t handles;
	ossa_status status = ossai_voxel_rows_make(&arena, &s->voxels, &rows);
	if (status == OSSA_OK) status = ossai_voxel_handles(&arena, &s->voxels, &rows, &handles);
	if (status == OSSA_OK) status = ossai_node_shares(&arena, &s->voxels, &rows, &s->tree, OSSAI_SHARE_BITS, &node);
	if (status == OSSA_OK) status = ossai_node_shares(&arena, &s->voxels, &rows, &s->tree, 8, &node);
	ossai_arena_end(&arena);
	return status;
}

static void memory_may_fail(void **state)
{
	(void)state;
	shared s;
	begin(&s);
	draw_random(&s, 9, 9, 0.5, 3);
	scatter_nodes(&s, 2, 3, 4);
	assert_true(test_allocation_sweep(sweep, &s, 100, 1) >= 13);
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(handles_are_counted),
		cmocka_unit_test(shares_are_those_of_the_least_ways),
		cmocka_unit_test(shares_of_trees),
		cmocka_unit_test(memory_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

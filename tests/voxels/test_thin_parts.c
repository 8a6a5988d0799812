/* tests/voxels/test_thin_parts.c: which voxels of drawn shapes are thin: rods that grow from blocks, just thin and long enough and just not. */
#include "support/support.h"
#include "support/volumes.h"
#include "voxels/fine_voxels.h"

#include <string.h>

enum { SIZE = 33, BLOCK = 12, MIDDLE = 16 };

typedef struct bench {
	ossa_context *context;
	ossai_arena arena;
	char drawing[SIZE * SIZE * SIZE + 1];
	ossai_voxels voxels;
	ossai_voxel_parts parts;
} bench;

static void fill(bench *b, const int *low, const int *high)
{
	for (int z = low[2]; z < high[2]; z++) {
		for (int y = low[1]; y < high[1]; y++)
			memset(b->drawing + (z * SIZE + y) * SIZE + low[0], '#', (size_t)(high[0] - low[0]));
	}
}

/* a block at the low end of x, and a rod of a square section that grows out of its middle */
static bench *begin(int thick, int length)
{
	static bench b;
	b.context = test_context(1);
	b.arena = ossai_arena_begin(b.context);
	memset(b.drawing, '.', sizeof b.drawing - 1);
	const int from = MIDDLE - thick / 2, block = MIDDLE - BLOCK / 2;
	fill(&b, (int[]){0, block, block}, (int[]){BLOCK, block + BLOCK, block + BLOCK});
	fill(&b, (int[]){BLOCK, from, from}, (int[]){BLOCK + length, from + thick, from + thick});
	return &b;
}

static void find(bench *b, uint32_t length, uint32_t margin)
{
	b->voxels = test_voxels_drawn(&b->arena, SIZE, SIZE, SIZE, b->drawing);
	assert_ok(b->context, ossai_thin_parts(&b->arena, &b->voxels, 2, length, margin, &b->parts));
}

static void end(bench *b)
{
	ossai_arena_end(&b->arena);
	test_context_end(b->context);
}

/* how many voxels are in parts; `first`: the least x of them, counted in the drawing */
static size_t count_thin(const bench *b, int *first)
{
	size_t count = 0;
	uint32_t least = UINT32_MAX, low = UINT32_MAX;
	for (uint32_t v = 0; v < b->voxels.count; v++) {
		uint32_t at[3];
		ossai_voxel_at(&b->voxels, v, at);
		if (at[0] < low) low = at[0];
		if (b->parts.of_voxel[v] == OSSA_NONE) continue;
		assert_true(b->parts.of_voxel[v] < b->parts.count);
		count++;
		if (at[0] < least) least = at[0];
	}
	*first = count ? (int)(least - low) : -1;
	return count;
}

/* rods up to four voxels thick are, whatever else is there; the corners of the block are not */
static void rods_are_thin_and_blocks_are_not(void **state)
{
	(void)state;
	for (int thick = 1; thick <= 7; thick++) {
		bench *b = begin(thick, 15);
		int first;
		find(b, 6, 0);
		const size_t count = count_thin(b, &first);
		if (thick <= 4) {
			assert_int_equal(b->parts.count, 1);
			/* all but what balls of the block cover */
			assert_true(first >= BLOCK && first <= BLOCK + 2);
			assert_true(count >= (size_t)(thick * thick * 12) && count <= (size_t)(thick * thick * 15));
		}
		if (thick >= 6) assert_int_equal(b->parts.count, 0);
		end(b);
	}
}

/* a stub that is as long as is asked for, and one that is shorter by a voxel */
static void short_stubs_are_left_out(void **state)
{
	(void)state;
	bench *b = begin(2, 12);
	int first;
	find(b, 6, 0);
	count_thin(b, &first);
	end(b);
	const uint32_t length = (uint32_t)(BLOCK + 12 - first);
	for (uint32_t less = 0; less < 2; less++) {
		b = begin(2, 12);
		find(b, length + less, 0);
		assert_int_equal(b->parts.count, less ? 0 : 1);
		end(b);
	}
}

/* each step of the margin reaches one voxel farther into the block */
static void the_margin_is_what_limbs_grow_from(void **state)
{
	(void)state;
	int without = 0;
	for (uint32_t margin = 0; margin <= 4; margin++) {
		bench *b = begin(3, 15);
		int first;
		find(b, 6, margin);
		count_thin(b, &first);
		if (margin == 0) without = first;
		assert_int_equal(first, without - (int)margin);
		end(b);
	}
}

/* two rods on either side of the block are two parts, in the order of their first voxels; a block alone has none */
static void parts_are_numbered_in_their_order(void **state)
{
	(void)state;
	bench *b = begin(2, 15);
	fill(b, (int[]){4, MIDDLE, MIDDLE + BLOCK / 2}, (int[]){6, MIDDLE + 2, SIZE});
	find(b, 6, 0);
	assert_int_equal(b->parts.count, 2);
	uint32_t next = 0;
	for (uint32_t v = 0; v < b->voxels.count; v++) {
		const uint32_t part = b->parts.of_voxel[v];
		if (part != OSSA_NONE && part >= next) assert_int_equal(part, next++);
	}
	end(b);
	b = begin(2, 0);
	find(b, 1, 3);
	assert_int_equal(b->parts.count, 0);
	end(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rods_are_thin_and_blocks_are_not),
		cmocka_unit_test(short_stubs_are_left_out),
		cmocka_unit_test(the_margin_is_what_limbs_grow_from),
		cmocka_unit_test(parts_are_numbered_in_their_order),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

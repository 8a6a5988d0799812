/* tests/support/limbs.c: see limbs.h. */
#include "support/limbs.h"

#include "support/support.h"

ossai_chains test_limbs(ossai_arena *arena, size_t count, size_t points, const double *numbers)
{
	ossai_chains chains = {.count = count, .root_count = count};
	chains.chain = ossai_arena_zero(arena, count, sizeof *chains.chain);
	chains.point = ossai_arena_new(arena, count * points, sizeof *chains.point);
	chains.arc = ossai_arena_new(arena, count * points, sizeof *chains.arc);
	chains.radius = ossai_arena_new(arena, count * points, sizeof *chains.radius);
	chains.node = ossai_arena_zero(arena, count * points, sizeof *chains.node);
	assert_true(chains.chain && chains.point && chains.arc && chains.radius && chains.node);
	for (size_t i = 0; i < count * points; i++) {
		chains.point[i] = ossai_v3_of(numbers + 4 * i);
		chains.radius[i] = numbers[4 * i + 3];
		chains.arc[i] = i % points == 0 ? 0 : chains.arc[i - 1] + ossai_distance(chains.point[i - 1], chains.point[i]);
	}
	for (size_t c = 0; c < count; c++) {
		chains.chain[c] = (ossai_chain){.parent = OSSA_NONE,
			.begin = (uint32_t)(c * points),
			.count = (uint32_t)points,
			.is_leaf = true,
			.length = chains.arc[(c + 1) * points - 1],
			.mirrored = OSSA_NONE,
			.volume = 1,
			.place = (double)c};
	}
	return chains;
}

ossai_chains test_straight_limb(ossai_arena *arena, double length)
{
	const double numbers[] = {0, 0, 0, 1, length, 0, 0, 1};
	return test_limbs(arena, 1, 2, numbers);
}

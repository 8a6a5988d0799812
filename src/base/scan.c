/* base/scan.c: tests of all values of a long array: see scan.h.

   Place in the path: below everything.  The loops have no branches, so that the compiler takes
   several values at once; they test for a fault only once in a block. */
#include "base/scan.h"
#include "base/clones.h"

#include <string.h>

/* values of a block */
enum { BLOCK = 4096 };

static size_t block_size(size_t count, size_t begin) { return count - begin < BLOCK ? count - begin : BLOCK; }

OSSAI_CLONES static uint32_t any_not_finite(const float *values, size_t count)
{
	uint32_t bad = 0;
	for (size_t i = 0; i < count; i++) {
		uint32_t bits;
		memcpy(&bits, values + i, sizeof bits);
		bad |= (uint32_t)((bits & 0x7F800000) == 0x7F800000);
	}
	return bad;
}

bool ossai_all_finite(const float *values, size_t count)
{
	uint32_t bad = 0;
	for (size_t i = 0; i < count && !bad; i += BLOCK) bad = any_not_finite(values + i, block_size(count, i));
	return !bad;
}

OSSAI_CLONES static uint32_t any_outside(const float *values, size_t count, float low, float high)
{
	uint32_t bad = 0;
	for (size_t i = 0; i < count; i++) bad |= (uint32_t)(values[i] >= low && values[i] <= high ? 0 : 1);
	return bad;
}

bool ossai_all_within(const float *values, size_t count, float low, float high)
{
	uint32_t bad = 0;
	for (size_t i = 0; i < count && !bad; i += BLOCK) bad = any_outside(values + i, block_size(count, i), low, high);
	return !bad;
}

/* beyond `last`, and not the one beyond it that is allowed */
OSSAI_CLONES static uint32_t any_above(const uint32_t *indices, size_t count, uint32_t last, uint32_t allowed)
{
	uint32_t bad = 0;
	for (size_t i = 0; i < count; i++) bad |= (uint32_t)(indices[i] > last) & (uint32_t)(indices[i] != allowed);
	return bad;
}

static bool all_none(const uint32_t *indices, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (indices[i] != UINT32_MAX) return false;
	}
	return true;
}

bool ossai_all_below(const uint32_t *indices, size_t count, size_t limit, bool allow_none)
{
	if (limit == 0) return count == 0 || (allow_none && all_none(indices, count));
	const uint32_t last = limit > UINT32_MAX ? UINT32_MAX : (uint32_t)(limit - 1), allowed = allow_none ? UINT32_MAX : last;
	uint32_t bad = 0;
	for (size_t i = 0; i < count && !bad; i += BLOCK) bad = any_above(indices + i, block_size(count, i), last, allowed);
	return !bad;
}

OSSAI_CLONES static uint32_t any_falling(const uint32_t *values, size_t count, uint32_t step)
{
	uint32_t bad = 0;
	for (size_t i = 0; i < count; i++) {
		bad |= (uint32_t)(values[i + 1] < values[i]) | (uint32_t)(values[i + 1] - values[i] < step);
	}
	return bad;
}

bool ossai_all_rising(const uint32_t *values, size_t count, uint32_t step)
{
	uint32_t bad = 0;
	const size_t pairs = count > 0 ? count - 1 : 0;
	for (size_t i = 0; i < pairs && !bad; i += BLOCK) bad = any_falling(values + i, block_size(pairs, i), step);
	return !bad;
}

/* query/morton.c: see morton.h. */
#include "query/morton.h"

#include <math.h>
#include <string.h>

enum { AXIS_BITS = 16, DIGIT_BITS = 12, DIGITS = 1 << DIGIT_BITS };

/* puts two free bits after each of the lowest 16 */
static uint64_t spread_bits(uint64_t x)
{
	x = (x | x << 32) & 0x00ff00000000ffffULL;
	x = (x | x << 16) & 0x00ff0000ff0000ffULL;
	x = (x | x << 8) & 0xf00f00f00f00f00fULL;
	x = (x | x << 4) & 0x30c30c30c30c30c3ULL;
	return (x | x << 2) & 0x9249249249249249ULL;
}

/* one scale for all axes, that of the longest */
static void make_codes(size_t count, const float *points, uint64_t *codes)
{
	float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
	for (size_t i = 0; i < 3 * count; i++) {
		const size_t k = i % 3;
		if (points[i] < low[k]) low[k] = points[i];
		if (points[i] > high[k]) high[k] = points[i];
	}
	double side = 0;
	for (int k = 0; k < 3; k++) side = fmax(side, (double)high[k] - low[k]);
	const double scale = side > 0 ? ((1 << AXIS_BITS) - 1) / side : 0;
	for (size_t i = 0; i < count; i++) {
		uint64_t code = 0;
		for (int k = 0; k < 3; k++) code |= spread_bits((uint64_t)((points[3 * i + k] - (double)low[k]) * scale)) << k;
		codes[i] = code;
	}
}

/* one stable pass over a digit of the codes */
static void sort_digit(
	size_t count, int shift, const uint64_t *codes, const uint32_t *order, uint64_t *codes_out, uint32_t *order_out)
{
	size_t start[DIGITS + 1] = {0};
	for (size_t i = 0; i < count; i++) start[(codes[i] >> shift & (DIGITS - 1)) + 1]++;
	for (size_t d = 0; d < DIGITS; d++) start[d + 1] += start[d];
	for (size_t i = 0; i < count; i++) {
		const size_t to = start[codes[i] >> shift & (DIGITS - 1)]++;
		codes_out[to] = codes[i];
		order_out[to] = order[i];
	}
}

ossa_status ossai_morton_order(ossa_context *context, size_t count, const float *points, uint32_t *order, uint64_t *codes)
{
	ossai_arena scratch = ossai_arena_begin(context);
	uint64_t *other_codes = ossai_arena_new(&scratch, count, sizeof *other_codes);
	uint32_t *other_order = other_codes ? ossai_arena_new(&scratch, count, sizeof *other_order) : NULL;
	if (other_order && count > 0) {
		make_codes(count, points, codes);
		for (size_t i = 0; i < count; i++) order[i] = (uint32_t)i;
		/* an even number of passes ends where it began */
		for (int shift = 0; shift < 3 * AXIS_BITS; shift += 2 * DIGIT_BITS) {
			sort_digit(count, shift, codes, order, other_codes, other_order);
			sort_digit(count, shift + DIGIT_BITS, other_codes, other_order, codes, order);
		}
	}
	ossai_arena_end(&scratch);
	return other_order ? OSSA_OK : ossa_context_error(context)->status;
}

uint32_t ossai_morton_split(const uint64_t *codes, uint32_t begin, uint32_t end)
{
	const uint64_t differ = codes[begin] ^ codes[end - 1];
	if (differ == 0) return begin + (end - begin) / 2;
	uint64_t bit = 1;
	while (differ >> 1 >= bit) bit <<= 1;
	/* the first code with that bit */
	uint32_t low = begin, high = end - 1;
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		if (codes[middle] & bit) high = middle;
		else low = middle + 1;
	}
	return low;
}

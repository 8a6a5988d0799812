/* weights/top_weights.c: see top_weights.h. */
#include "weights/top_weights.h"

/* slots beside those wanted: measured, a vertex of 500 bones over 16 poses never needs more */
enum { SPARE_SLOTS = 8 };

ossa_status ossai_top_weights_make(ossai_arena *arena, size_t point_count, size_t influences, ossai_top_weights *top)
{
	*top = (ossai_top_weights){.point_count = point_count, .width = influences + SPARE_SLOTS};
	top->bone = ossai_arena_new(arena, point_count, top->width * sizeof *top->bone);
	top->sum = ossai_arena_new(arena, point_count, top->width * sizeof *top->sum);
	top->count = ossai_arena_zero(arena, point_count, sizeof *top->count);
	const bool all = top->bone && top->sum && top->count;
	return all ? OSSA_OK : ossa_context_error(arena->context)->status;
}

void ossai_top_weights_add(ossai_top_weights *top, size_t point, uint32_t bone, double value)
{
	uint16_t *bones = top->bone + point * top->width;
	float *sums = top->sum + point * top->width;
	const size_t count = top->count[point];
	size_t smallest = 0;
	for (size_t i = 0; i < count; i++) {
		if (bones[i] == bone) {
			sums[i] += (float)value;
			return;
		}
		if (sums[i] < sums[smallest]) smallest = i;
	}
	if (count < top->width) {
		bones[count] = (uint16_t)bone;
		sums[count] = (float)value;
		top->count[point]++;
		return;
	}
	if ((double)sums[smallest] >= value) return;
	bones[smallest] = (uint16_t)bone;
	sums[smallest] = (float)value;
}

/* the index of the largest sum among the slots that come after (sum, bone) in descending order;
   width: none */
static size_t next_largest(const ossai_top_weights *top, size_t point, float sum, int32_t bone)
{
	const uint16_t *bones = top->bone + point * top->width;
	const float *sums = top->sum + point * top->width;
	size_t best = top->width;
	for (size_t i = 0; i < top->count[point]; i++) {
		if (sums[i] > sum || (sums[i] == sum && bones[i] <= bone)) continue;
		if (best == top->width || sums[i] > sums[best] || (sums[i] == sums[best] && bones[i] < bones[best])) best = i;
	}
	return best;
}

bool ossai_top_weights_take(
	const ossai_top_weights *top, size_t point, double least, size_t vertex, ossai_bone_weights *weights)
{
	const size_t at = vertex * weights->width;
	float sum = INFINITY;
	int32_t bone = -1;
	double total = 0;
	size_t count = 0;
	for (size_t slot; count < weights->width && (slot = next_largest(top, point, sum, bone)) < top->width; count++) {
		sum = top->sum[point * top->width + slot];
		bone = top->bone[point * top->width + slot];
		weights->bone[at + count] = (uint16_t)bone;
		weights->value[at + count] = sum;
		total += sum;
	}
	/* weights descend: what is too small is at the end */
	while (count > 1 && weights->value[at + count - 1] < least * total) total -= weights->value[at + --count];
	for (size_t i = 0; i < count; i++) weights->value[at + i] /= total;
	weights->count[vertex] = (uint8_t)count;
	return count > 0;
}

/* skeleton/from_curve/root_choice.c: see root_choice.h. */
#include "skeleton/from_curve/root_choice.h"

uint32_t ossai_root_choose(
	ossa_root_kind kind, ossai_vec3 by, size_t count, const ossai_vec3 *node, const uint8_t *is_candidate)
{
	uint32_t best = 0;
	double least = INFINITY;
	for (uint32_t i = 0; i < count; i++) {
		if (is_candidate && !is_candidate[i]) continue;
		const double cost = kind == OSSA_ROOT_LOWEST ? ossai_dot(node[i], by) : ossai_distance(node[i], by);
		if (cost >= least) continue;
		least = cost;
		best = i;
	}
	return best;
}

/* curve/clean.c: see clean.h. */
#include "curve/clean.h"

#include "curve/junctions.h"
#include "curve/largest_ball.h"
#include "curve/limb_ends.h"
#include "curve/tree.h"

ossa_status ossai_curve_clean(ossai_arena *arena, const ossai_clean_shape *shape, ossai_curve *curve, uint32_t *root)
{
	OSSAI_TRY(ossai_curve_cut_loops(arena, curve));
	OSSAI_TRY(ossai_curve_take_tips(arena, shape->tips, curve));
	OSSAI_TRY(ossai_curve_prune(arena, shape->least, shape->mirror, curve));
	if (!shape->ends_are_deep) OSSAI_TRY(ossai_curve_shorten_ends(arena, curve));
	OSSAI_TRY(ossai_curve_find_balls(arena, shape->clearance, curve));
	OSSAI_TRY(ossai_curve_center_junctions(arena, shape->clearance, curve));
	return ossai_curve_central_node(arena, curve, root);
}

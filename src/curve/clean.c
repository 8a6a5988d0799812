/* curve/clean.c: see clean.h. */
#include "curve/clean.h"

#include "curve/junctions.h"
#include "curve/largest_ball.h"
#include "curve/limb_ends.h"
#include "curve/prune.h"
#include "curve/tree.h"

/* limbs that the curve has lost before it came here */
static void warn_of_lost_limbs(ossa_context *context, const ossai_tips *tips, const ossai_curve *curve)
{
	if (curve->node_count != 1 || !ossai_tips_are_limbs(tips)) return;
	ossai_warn(context, "limbs-lost", (int64_t)tips->limb_count,
		"the curve skeleton is a single point, though the shape has %zu limb%s: the rig has one bone there", tips->limb_count,
		tips->limb_count == 1 ? "" : "s");
}

ossa_status ossai_curve_clean(ossai_arena *arena, const ossai_clean_shape *shape, ossai_curve *curve, uint32_t *root)
{
	OSSAI_TRY(ossai_curve_cut_loops(arena, curve));
	OSSAI_TRY(ossai_curve_take_tips(arena, shape->tips, curve));
	OSSAI_TRY(ossai_curve_prune(arena, shape->least, shape->mirror, curve));
	if (!shape->ends_are_deep) OSSAI_TRY(ossai_curve_shorten_ends(arena, curve));
	OSSAI_TRY(ossai_curve_find_balls(arena, shape->clearance, curve));
	OSSAI_TRY(ossai_curve_center_junctions(arena, shape->clearance, curve));
	warn_of_lost_limbs(arena->context, shape->tips, curve);
	return ossai_curve_central_node(arena, curve, root);
}

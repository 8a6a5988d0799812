/* body/plan.c: see plan.h. */
#include "body/plan.h"

static ossai_region region_of(ossai_limb_kind kind)
{
	switch (kind) {
	case OSSAI_LIMB_ARM:
	case OSSAI_LIMB_WING: return OSSAI_REGION_ARM;
	case OSSAI_LIMB_LEG: return OSSAI_REGION_LEG;
	case OSSAI_LIMB_TAIL: return OSSAI_REGION_TAIL;
	case OSSAI_LIMB_EAR: return OSSAI_REGION_EAR;
	default: return OSSAI_REGION_TRUNK;
	}
}

bool ossai_plan_has_limb(const ossai_body_plan *plan, ossai_limb_kind kind)
{
	for (size_t b = 0; b < plan->bone_count; b++) {
		if (plan->bone[b].region == region_of(kind)) return true;
	}
	return false;
}

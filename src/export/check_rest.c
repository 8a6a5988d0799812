/* export/check_rest.c: see check_rest.h. */
#include "export/check_rest.h"

#include <ossa/rest_pose.h>

/* degrees: half way from a T to an A */
static const double NEARER_TO_OTHER = 22.5;

ossa_status ossai_check_rest(ossa_context *context, const char *title, const ossa_rig *rig, int wanted)
{
	double degrees;
	OSSAI_TRY(ossa_rig_rest_angle(context, rig, wanted, &degrees));
	if (!(degrees > NEARER_TO_OTHER)) return OSSA_OK;
	const bool is_t = wanted == OSSA_REST_T;
	ossai_warn(context, "rest-pose", 1,
		"%s expects humans at rest in %s, from which the arms of this one are %.0f degrees away", title, is_t ? "a T" : "an A",
		degrees);
	return OSSA_OK;
}

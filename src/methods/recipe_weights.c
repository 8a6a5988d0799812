/* methods/recipe_weights.c: weights without refinement: fitted once, as published, or by where the bones are.

   Place in the path: parts or hierarchy -> weights/, skeleton/rest_weights -> here -> skeleton, the rig. */
#include "methods/recipe.h"

#include "weights/least_squares.h"
#include "weights/locality.h"

/* ---- fitted to the poses ---- */

ossa_status ossai_recipe_fit_weights(ossai_recipe *r)
{
	ossai_fit *fit = &r->fit;
	OSSAI_TRY(ossai_weights_eliminate(r->context, &r->surface, &fit->motion, NULL, &fit->weights));
	if (!r->options.local) return OSSA_OK;
	ossai_allowed_bones allowed;
	OSSAI_TRY(ossai_influence_maps(r->arena, &r->surface, &fit->weights, &allowed));
	OSSAI_TRY(ossai_weights_eliminate(r->context, &r->surface, &fit->motion, &allowed, &fit->weights));
	return ossai_locality_enforce(r->context, &r->surface, &fit->motion, OSSAI_SUPPORT_WEIGHT, &fit->weights);
}

ossa_status ossai_recipe_first_weights(ossai_recipe *r)
{
	OSSAI_TRY(ossai_recipe_spread_weights(r));
	return ossai_recipe_refines(r) ? OSSA_OK : ossai_recipe_fit_weights(r);
}

/* ---- by where the bones are ---- */

static ossa_status solve(ossai_recipe *r)
{
	ossai_rest_weights_options options = ossai_rest_weights_default();
	options.kind = ossai_recipe_rest_kind(r->options.weights);
	options.influences = (size_t)r->options.influences;
	options.local = r->options.local;
	if (r->options.weight_poses > 0) options.poses = (size_t)r->options.weight_poses;
	const ossai_rest_bones bones = {&r->tree, r->joint, NULL, r->graph.bone_of_vertex};
	ossai_bone_weights weights;
	OSSAI_TRY(ossai_rest_weights(r->arena, &r->surface, &bones, &r->fit.motion, &options, &weights));
	ossai_bone_weights_copy(&weights, &r->fit.weights);
	return OSSA_OK;
}

/* the rotations that suit the new weights best, the joints where they are */
static ossa_status turn_bones(ossai_recipe *r)
{
	enum { SWEEPS = 3, NEWTON = 8 };
	ossai_moments moments;
	ossai_hierarchy hierarchy = {&r->tree, r->joint};
	ossa_status status = ossai_moments_make(r->context, &r->surface, &r->fit.weights, &moments);
	if (status == OSSA_OK) status = ossai_hierarchy_fit(r->context, &moments, &hierarchy, SWEEPS, NEWTON, &r->fit.motion);
	ossai_moments_end(&moments);
	return status;
}

ossa_status ossai_recipe_reweigh(ossai_recipe *r)
{
	double error;
	OSSAI_TRY(solve(r));
	if (ossai_recipe_refines(r)) OSSAI_TRY(turn_bones(r));
	ossai_fit_copy(&r->fit, &r->free_fit);
	return ossai_fit_motion(&r->free_fit, &error);
}

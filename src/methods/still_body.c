/* methods/still_body.c: the bones of a recognized body, or of a curve.

   Place in the path: curve -> here -> weights, for every method for one mesh. */
#include "body/roles.h"
#include "methods/still.h"
#include "skeleton/from_curve/body_bones.h"

/* what a body lacks that was asked for by name */
static ossa_status refuse(const ossai_still_work *work, const ossai_figure *figure)
{
	return ossai_fail(work->context, OSSA_ERROR_INPUT, NULL,
		"the shape is no such body: that has a head and two pairs of limbs, and %zu limb%s found; `body auto` rigs it by its "
		"shape alone",
		figure->end_count, figure->end_count == 1 ? " was" : "s were");
}

/* Odds of 9 to 1 and more are no doubt. */
static const double SURE = 9;

static void warn_of_front(const ossai_still_work *work, const ossai_body *body)
{
	const double odds = exp(body->front_odds);
	if (odds >= SURE) return;
	ossai_warn(work->context, "front-doubtful", 0,
		"neither feet nor hands show which way the body faces (%.1f to 1 for the way that was taken): left and right may be "
		"exchanged",
		odds);
}

/* ---- bodies whose joints follow from the shape, but not their number ---- */

enum { LIMBS = 2 * OSSAI_FORM_LIMBS + 1 };

/* The bones of a quadruped's spine, from the hips to the shoulders. */
enum { SPINE = 2 };

/* the ends of limbs whose number of bones is known */
static size_t find_limbs(const ossai_figure *figure, const ossai_body *body, ossai_curve_limb *limb)
{
	size_t count = 0;
	for (size_t l = 0; l < body->form->limb_count; l++) {
		const size_t bones = ossai_limb_bones(body->form, &body->form->limb[l]);
		for (int side = 0; side < 2 && bones > 0; side++) {
			const size_t end = body->end[l][side];
			if (end != OSSAI_LIMB_HIDDEN) limb[count++] = (ossai_curve_limb){figure->end[end].node, bones};
		}
	}
	return count;
}

/* where the trunk is rooted: between the hind legs */
static uint32_t root_of(const ossai_still_work *work, const ossai_body *body)
{
	const bool has_hips = body->form->kind == OSSA_BODY_QUADRUPED || body->form->kind == OSSA_BODY_THEROPOD ||
		body->form->kind == OSSA_BODY_BIRD;
	return has_hips && body->hip_node != OSSA_NONE ? body->hip_node : work->root;
}

static ossa_status take_roles(
	const ossai_still_work *work, const ossai_figure *figure, const ossai_body *body, ossai_curve_bones *bones)
{
	uint32_t leaf[OSSAI_FORM_LIMBS][2];
	for (size_t l = 0; l < body->form->limb_count; l++) {
		for (int side = 0; side < 2; side++) {
			const size_t end = body->end[l][side];
			leaf[l][side] = end == OSSAI_LIMB_HIDDEN ? OSSA_NONE : bones->bone_of_vertex[figure->end[end].vertex];
		}
	}
	bones->role = ossai_arena_new(work->arena, bones->tree.bone_count, sizeof *bones->role);
	if (!bones->role) return ossa_context_error(work->context)->status;
	return ossai_body_roles(work->arena, body, bones->tree.bone_count, bones->tree.parent, leaf, bones->role);
}

static ossa_status place_limbs(ossai_still_work *work, const ossai_figure *figure, const ossai_body *body,
	const ossai_curve_bones_options *options, ossai_curve_bones *bones)
{
	ossai_curve_limb limb[LIMBS];
	ossai_curve_bones_options own = *options;
	own.limb = limb;
	own.limb_count = find_limbs(figure, body, limb);
	work->root = root_of(work, body);
	if (body->form->kind == OSSA_BODY_QUADRUPED && body->shoulder_node != OSSA_NONE)
		limb[own.limb_count++] = (ossai_curve_limb){body->shoulder_node, SPINE};
	OSSAI_TRY(ossai_curve_bones_place(work->arena, &work->proxy, &work->curve, work->root, &work->mirror, &own, bones));
	return take_roles(work, figure, body, bones);
}

ossa_status ossai_still_place_bones(ossai_still_work *work, const ossai_mat3 *axes, ossa_body_kind kind,
	const ossai_curve_bones_options *options, ossai_curve_bones *bones)
{
	ossai_figure figure;
	ossai_body body = {.form = NULL};
	if (kind != OSSA_BODY_NONE && options->bones == 0) {
		OSSAI_TRY(ossai_figure_make(work->arena, &work->proxy, &work->curve, &work->tips, &work->mirror, axes, &figure));
		OSSAI_TRY(ossai_body_recognize(work->arena, &figure, kind, &body));
		if (!body.form && kind != OSSA_BODY_AUTO) return refuse(work, &figure);
	}
	if (body.plan) {
		warn_of_front(work, &body);
		const ossai_mirror mirror = ossai_bones_mirror(work->context, &work->mirror, options->symmetry);
		return ossai_body_bones_make(work->arena, &figure, &body, work->root, &mirror, options, bones);
	}
	if (body.form) return place_limbs(work, &figure, &body, options, bones);
	return ossai_curve_bones_place(work->arena, &work->proxy, &work->curve, work->root, &work->mirror, options, bones);
}

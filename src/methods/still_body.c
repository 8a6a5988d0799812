/* methods/still_body.c: the bones of a recognized body, or of a curve.

   Place in the path: curve -> here -> weights, for every method for one mesh. */
#include "methods/still.h"
#include "body/limb_odds.h"
#include "body/landmarks.h"
#include "body/names.h"
#include "skeleton/from_curve/body_bones.h"

/* Who names the body outweighs odds of a thousand to one against it, which a strange pose or
   strange proportions may have; beyond that the shape is another one. */
static const double WORD = 6.9;

static ossa_status refuse_few(const ossai_still_work *work, const ossai_figure *figure, ossa_body_kind kind)
{
	return ossai_fail(work->context, OSSA_ERROR_INPUT, NULL,
		"the shape is no %s: that has a head and two pairs of limbs, and %zu limb%s found; `body auto` rigs it by its shape "
		"alone",
		ossa_body_kind_name(kind), figure->end_count, figure->end_count == 1 ? " was" : "s were");
}

/* refuses a body that was asked for by name and is none, and says of a doubtful one which limbs
   are */
static ossa_status check_named(const ossai_still_work *work, const ossai_figure *figure, const ossai_body *body)
{
	char limbs[192], odds[48];
	if (body->score >= 0) return OSSA_OK;
	ossai_limb_odds_print(figure, body, limbs, sizeof limbs);
	ossa_odds_print(body->score, odds, sizeof odds);
	const char *name = ossa_body_kind_name(body->plan->kind), *colon = limbs[0] ? ": " : "";
	if (body->score < -WORD) {
		return ossai_fail(work->context, OSSA_ERROR_INPUT, NULL,
			"the shape is no %s (%s)%s%s; `body auto` rigs it by its shape alone", name, odds, colon, limbs);
	}
	ossai_warn(work->context, "body-doubtful", 0, "the shape fits %s less than no body (%s)%s%s", name, odds, colon, limbs);
	return OSSA_OK;
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

/* the likeliest of the other kinds */
static void find_runner_up(const ossai_figure *figure, ossa_body *found)
{
	for (int kind = OSSA_BODY_NONE + 1; kind < OSSAI_BODY_KINDS; kind++) {
		ossai_body other;
		if (kind == (int)found->kind) continue;
		ossai_body_recognize(figure, (ossa_body_kind)kind, &other);
		if (!other.plan || (found->runner_up != OSSA_BODY_NONE && other.score <= found->runner_up_score)) continue;
		found->runner_up = (ossa_body_kind)kind;
		found->runner_up_score = other.score;
	}
}

/* what is kept with the rig, in the axes of the mesh */
static void keep_body(const ossai_figure *figure, const ossai_body *body, const ossai_mat3 *axes, ossa_body *kept)
{
	const ossai_mat3 identity = ossai_mat3_identity();
	*kept = (ossa_body){.kind = OSSA_BODY_NONE, .runner_up = OSSA_BODY_NONE};
	if (!body->plan) return;
	kept->kind = body->plan->kind;
	kept->score = body->score;
	kept->front_odds = body->front_odds;
	ossai_v3_store(ossai_mat3_tmul_v(axes ? axes : &identity, body->up), kept->up);
	ossai_v3_store(ossai_mat3_tmul_v(axes ? axes : &identity, body->front), kept->front);
	find_runner_up(figure, kept);
}

/* the landmarks in the axes and lengths of the surface; whether there are any */
static bool take_marks(
	const ossai_still_work *work, const ossai_mat3 *axes, const ossa_landmarks *landmarks, ossai_marks *marks)
{
	const ossai_posed_surface *s = &work->surface;
	*marks = (ossai_marks){0};
	for (int i = 0; landmarks && i < OSSA_LANDMARK_COUNT; i++) {
		const ossai_vec3 p = ossai_scale(ossai_sub(ossai_v3_of(landmarks->point[i].point), s->rest_center), 1 / s->scale);
		marks->is_set[i] = landmarks->point[i].choice != 0;
		marks->at[i] = axes ? ossai_mat3_mul_v(axes, p) : p;
	}
	return landmarks && ossai_landmarks_first(landmarks);
}

/* who sets landmarks says that it is a human */
static ossa_status check_kind(const ossai_still_work *work, ossa_body_kind *kind)
{
	if (*kind == OSSA_BODY_AUTO) *kind = OSSA_BODY_HUMAN;
	if (*kind == OSSA_BODY_HUMAN) return OSSA_OK;
	return ossai_fail(work->context, OSSA_ERROR_ARGUMENT, NULL,
		"landmarks are points of a human body: leave them out, or `body %s`", ossa_body_kind_name(*kind));
}

ossa_status ossai_still_place_bones(ossai_still_work *work, const ossai_mat3 *axes, ossa_body_kind kind,
	const ossai_curve_bones_options *options, ossai_curve_bones *bones)
{
	ossai_figure figure;
	ossai_body body = {.plan = NULL};
	ossai_marks marks;
	const bool has_marks = take_marks(work, axes, options->landmarks, &marks) && options->bones == 0;
	if (has_marks) OSSAI_TRY(check_kind(work, &kind));
	if (kind != OSSA_BODY_NONE && options->bones == 0) {
		OSSAI_TRY(ossai_figure_make(work->arena, &work->proxy, &work->curve, &work->tips, &work->mirror, axes, &figure));
		ossai_body_recognize(&figure, kind, &body);
		if (!body.plan && kind != OSSA_BODY_AUTO) return refuse_few(work, &figure, kind);
		if (kind != OSSA_BODY_AUTO) OSSAI_TRY(check_named(work, &figure, &body));
		if (has_marks) OSSAI_TRY(ossai_marks_check(work->context, &figure, &marks, &body));
	}
	keep_body(&figure, &body, axes, &work->body);
	if (body.plan && body.plan->bone_count > 0) {
		warn_of_front(work, &body);
		const ossai_mirror mirror = ossai_bones_mirror(work->context, &work->mirror, options->symmetry);
		return ossai_body_bones_make(work->arena, &figure, &body, work->root, &mirror, &marks, options, bones);
	}
	return ossai_curve_bones_place(work->arena, &work->proxy, &work->curve, work->root, &work->mirror, options, bones);
}

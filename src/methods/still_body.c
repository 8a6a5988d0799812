/* methods/still_body.c: the bones of a recognized body, or of a curve.

   Place in the path: curve -> here -> weights, for every method for one mesh. */
#include "methods/still.h"
#include "body/limb_odds.h"
#include "body/landmarks.h"
#include "body/names.h"
#include "body/roles.h"
#include "skeleton/from_curve/body_bones.h"

/* Who names the body outweighs odds of a thousand to one against it, which a strange pose or
   strange proportions may have; beyond that the shape is another one. */
static const double WORD = 6.9;

static ossa_status refuse_few(const ossai_still_work *work, const ossai_figure *figure, ossa_body_kind kind)
{
	return ossai_fail(work->context, OSSA_ERROR_INPUT, NULL,
		"the shape is no %s: of its %zu limb%s too few are where such a body has them; `body auto` rigs it by its shape alone",
		ossa_body_kind_name(kind), figure->end_count, figure->end_count == 1 ? "" : "s");
}

/* Another kind has to be likelier by more, a thousand million to one: forms do not model what is
   exceptional in their kind. */
static const double WORD_AGAINST_KINDS = 20.7;

/* refuses a body that was asked for by name and is none, or another one, and says of a doubtful one
   which limbs are */
static ossa_status check_named(const ossai_still_work *work, const ossai_body *body)
{
	char limbs[192], odds[48];
	const char *name = ossa_body_kind_name(body->form->kind);
	const double best = fmax(body->runner_up_score, 0), against = body->score - best;
	const char *other = best > 0 ? ossa_body_kind_name(body->runner_up) : "no body";
	if (against >= 0) return OSSA_OK;
	ossai_limb_odds_print(body, limbs, sizeof limbs);
	ossa_odds_print(-against, odds, sizeof odds);
	const char *colon = limbs[0] ? ": " : "";
	if (body->score < -WORD || against < -WORD_AGAINST_KINDS) {
		return ossai_fail(work->context, OSSA_ERROR_INPUT, NULL,
			"the shape is no %s: it is likelier %s (%s)%s%s; leave out `body %s`", name, other, odds, colon, limbs, name);
	}
	ossai_warn(work->context, "body-doubtful", 0, "the shape is likelier %s than %s (%s)%s%s", other, name, odds, colon, limbs);
	return OSSA_OK;
}

/* of a kind that nobody named, where another one, or none, is nearly as likely */
static void warn_of_kind(const ossai_still_work *work, const ossai_body *body)
{
	const double odds = exp(body->kind_odds);
	if (odds >= OSSAI_SURE_ODDS) return;
	const char *name = ossa_body_kind_name(body->form->kind);
	const ossa_body_kind other = body->runner_up_score > 0 ? body->runner_up : OSSA_BODY_NONE;
	const char *other_name = ossa_body_kind_name(other);
	ossai_warn(work->context, "body-doubtful", 0,
		"the shape was rigged as %s, but may be %s (%.1f to 1 against that and all others): `body %s` or `body %s` insists",
		name, other == OSSA_BODY_NONE ? "no body" : other_name, odds, name, other_name);
}

static void warn_of_front(const ossai_still_work *work, const ossai_body *body)
{
	const double odds = exp(body->front_odds);
	if (odds >= OSSAI_SURE_ODDS) return;
	ossai_warn(work->context, "front-doubtful", 0,
		"neither feet nor hands show which way the body faces (%.1f to 1 for the way that was taken): left and right may be "
		"exchanged",
		odds);
}

/* The largest logarithm of odds that is kept. */
static const double CERTAIN = 100;

/* what is kept with the rig, in the axes of the mesh */
static void keep_body(const ossai_body *body, const ossai_mat3 *axes, ossa_body *kept)
{
	const ossai_mat3 identity = ossai_mat3_identity();
	*kept = (ossa_body){.kind = OSSA_BODY_NONE, .runner_up = OSSA_BODY_NONE};
	if (!body->form) return;
	kept->kind = body->form->kind;
	kept->score = body->score;
	/* infinite where no other front is possible */
	kept->front_odds = fmin(body->front_odds, CERTAIN);
	ossai_v3_store(ossai_mat3_tmul_v(axes ? axes : &identity, body->up), kept->up);
	ossai_v3_store(ossai_mat3_tmul_v(axes ? axes : &identity, body->front), kept->front);
	kept->kind_odds = fmin(body->kind_odds, CERTAIN);
	if (!isfinite(body->runner_up_score)) return;
	kept->runner_up = body->runner_up;
	kept->runner_up_score = body->runner_up_score;
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

/* the end of the wrist of a hand, hidden where it shows none */
static size_t wrist_of(const ossai_body *body)
{
	for (size_t l = 0; l < body->form->limb_count; l++) {
		if (body->form->limb[l].kind == OSSAI_LIMB_WRIST) return body->end[l][0];
	}
	return OSSAI_LIMB_HIDDEN;
}

/* where the trunk is rooted: between the hind legs; a hand at its wrist */
static uint32_t root_of(const ossai_still_work *work, const ossai_figure *figure, const ossai_body *body)
{
	const size_t wrist = wrist_of(body);
	if (wrist != OSSAI_LIMB_HIDDEN) return figure->end[wrist].node;
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

/* whether a bone is of the palm: it is of the hand, as the root is, and leads to fingers */
static bool is_palm(const ossai_curve_bones *bones, uint32_t bone)
{
	bool leads = false;
	for (uint32_t b = 0; b < bones->tree.bone_count; b++) leads |= bones->tree.parent[b] == bone;
	return leads && bone != bones->tree.root && bones->role[bone].part == bones->role[bones->tree.root].part;
}

/* What is between the wrist and the fingers is one bone, the root: takes out one of the palm that
   is a child of the root. False where there is none. */
static bool merge_palm(size_t vertex_count, ossai_curve_bones *bones)
{
	ossai_tree *tree = &bones->tree;
	uint32_t out = 0;
	while (out < tree->bone_count && !(is_palm(bones, out) && tree->parent[out] == tree->root)) out++;
	if (out == tree->bone_count) return false;
	const uint32_t root = tree->root;
	bones->tail[root] = bones->tail[out];
	for (uint32_t b = 0; b < tree->bone_count; b++) {
		if (tree->parent[b] == out) tree->parent[b] = root;
	}
	for (size_t v = 0; v < vertex_count; v++) {
		if (bones->bone_of_vertex[v] == out) bones->bone_of_vertex[v] = root;
		if (bones->bone_of_vertex[v] > out) bones->bone_of_vertex[v]--;
	}
	tree->bone_count--;
	for (uint32_t b = 0; b < tree->bone_count; b++) {
		const uint32_t from = b < out ? b : b + 1, parent = tree->parent[from];
		tree->parent[b] = parent != OSSA_NONE && parent > out ? parent - 1 : parent;
		const uint32_t image = bones->mirrored[from];
		bones->mirrored[b] = image != OSSA_NONE && image > out ? image - 1 : image == out ? OSSA_NONE : image;
		bones->joint[b] = bones->joint[from];
		bones->tail[b] = bones->tail[from];
		bones->radius[b] = bones->radius[from];
		bones->role[b] = bones->role[from];
	}
	tree->root = root > out ? root - 1 : root;
	return true;
}

static ossa_status place_limbs(ossai_still_work *work, const ossai_figure *figure, const ossai_body *body,
	const ossai_curve_bones_options *options, ossai_curve_bones *bones)
{
	ossai_curve_limb limb[LIMBS];
	ossai_curve_bones_options own = *options;
	own.limb = limb;
	own.limb_count = find_limbs(figure, body, limb);
	work->root = root_of(work, figure, body);
	if (body->form->kind == OSSA_BODY_QUADRUPED && body->shoulder_node != OSSA_NONE)
		limb[own.limb_count++] = (ossai_curve_limb){body->shoulder_node, SPINE};
	OSSAI_TRY(ossai_curve_bones_place(work->arena, &work->proxy, &work->curve, work->root, &work->mirror, &own, bones));
	OSSAI_TRY(take_roles(work, figure, body, bones));
	while (wrist_of(body) != OSSAI_LIMB_HIDDEN && merge_palm(work->proxy.vertex_count, bones)) {
	}
	ossai_tree_sort(&bones->tree);
	return OSSA_OK;
}

ossa_status ossai_still_recognize(
	ossai_still_work *work, const ossai_mat3 *axes, ossa_body_kind kind, ossai_figure *figure, ossai_body *body)
{
	*body = (ossai_body){.form = NULL};
	OSSAI_TRY(ossai_figure_make(work->arena, &work->proxy, &work->curve, &work->tips, &work->mirror, axes, figure));
	return ossai_still_has_limbs(work) ? ossai_body_recognize(work->arena, figure, kind, body) : OSSA_OK;
}

ossa_status ossai_still_place_bones(ossai_still_work *work, const ossai_mat3 *axes, ossa_body_kind kind,
	const ossai_curve_bones_options *options, ossai_curve_bones *bones)
{
	ossai_figure figure;
	ossai_body body = {.form = NULL};
	ossai_marks marks;
	const bool has_marks = take_marks(work, axes, options->landmarks, &marks) && options->bones == 0;
	if (has_marks) OSSAI_TRY(check_kind(work, &kind));
	if (kind != OSSA_BODY_NONE && options->bones == 0) {
		OSSAI_TRY(ossai_figure_make(work->arena, &work->proxy, &work->curve, &work->tips, &work->mirror, axes, &figure));
		if (has_marks) ossai_marks_tell(&marks, &figure);
		OSSAI_TRY(ossai_body_recognize(work->arena, &figure, kind, &body));
		if (!body.form && kind != OSSA_BODY_AUTO) return refuse_few(work, &figure, kind);
		if (kind != OSSA_BODY_AUTO) OSSAI_TRY(check_named(work, &body));
		else if (body.form) warn_of_kind(work, &body);
		if (has_marks) OSSAI_TRY(ossai_marks_check(work->context, &figure, &marks, &body));
	}
	keep_body(&body, axes, &work->body);
	if (body.plan) {
		if (body.plan->kind == OSSA_BODY_HUMAN) warn_of_front(work, &body);
		const ossai_mirror mirror = ossai_bones_mirror(work->context, &work->mirror, options->symmetry);
		return ossai_body_bones_make(work->arena, &figure, &body, work->root, &mirror, &marks, options, bones);
	}
	if (body.form) return place_limbs(work, &figure, &body, options, bones);
	return ossai_curve_bones_place(work->arena, &work->proxy, &work->curve, work->root, &work->mirror, options, bones);
}

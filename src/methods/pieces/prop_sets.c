/* methods/pieces/prop_sets.c: see prop_sets.h. */
#include "methods/pieces/prop_sets.h"

#include <string.h>

/* As long as no set is a body: a machine is none, whatever is taken out of it, and time would be
   lost. */
enum { TRIES_BLIND = 8 };

static ossa_status last_error(const ossai_prop_search *s) { return ossa_context_error(s->work->context)->status; }

/* odds: the logarithm of those that each end is the limb it is taken for; -INFINITY: it is none.
   Returns what the limbs lack of strong evidence: a body that is explained lacks nothing. */
static double explain(const ossai_figure *figure, const ossai_body *body, double *odds)
{
	double lack = 0;
	for (size_t e = 0; e < figure->end_count; e++) odds[e] = -INFINITY;
	if (!body->form) return INFINITY;
	for (size_t l = 0; l < body->form->limb_count; l++) {
		const ossai_limb *limb = &body->form->limb[l];
		for (int side = 0; side < (limb->is_pair ? 2 : 1); side++) {
			const size_t end = body->end[l][side];
			if (end != OSSAI_LIMB_HIDDEN) odds[end] = body->odds[l][side];
			/* one that most such bodies do not show need not be there */
			const double known = end == OSSAI_LIMB_HIDDEN ? (limb->share > 0.5 ? 0 : OSSAI_STRONG_LOG_ODDS) : odds[end];
			lack += fmax(OSSAI_STRONG_LOG_ODDS - known, 0);
		}
	}
	return lack;
}

void ossai_prop_items_sort(size_t count, double *odds, uint32_t *item)
{
	for (size_t i = 1; i < count; i++) {
		const double own_odds = odds[i];
		const uint32_t own = item[i];
		size_t at = i;
		for (; at > 0 && odds[at - 1] > own_odds; at--) {
			odds[at] = odds[at - 1];
			item[at] = item[at - 1];
		}
		odds[at] = own_odds;
		item[at] = own;
	}
}

/* whether its kind is likelier than all others by positive evidence, or a person says so */
static bool is_sure(const ossai_prop_search *s, const ossai_body *body)
{
	return s->options->body != OSSA_BODY_AUTO || (body->form && body->kind_odds >= OSSAI_POSITIVE_LOG_ODDS);
}

void ossai_prop_set_describe(ossai_prop_search *s, const ossai_still_work *work, const ossai_mat3 *axes,
	const ossai_figure *figure, const ossai_body *body, ossai_prop_set *set)
{
	double odds[OSSAI_FIGURE_ENDS];
	ossai_vec3 tip[OSSAI_FIGURE_ENDS];
	const double lack = explain(figure, body, odds);
	set->is_body = body->form != NULL;
	set->is_sure = is_sure(s, body);
	set->is_explained = lack == 0 && set->is_sure;
	set->score = set->is_body ? ossai_body_limb_score(figure, body) - lack : 0;
	set->count = figure->end_count;
	for (size_t e = 0; e < figure->end_count; e++) {
		const ossai_vec3 own = axes ? ossai_mat3_tmul_v(axes, figure->end[e].tip) : figure->end[e].tip;
		double place[3];
		ossai_v3_store(ossai_posed_surface_place(&work->surface, own), place);
		tip[e] = ossai_posed_surface_units(&s->work->surface, place);
	}
	ossai_prop_items_near(&s->items, set->is_out, figure->end_count, tip, set->item);
	memset(set->is_limb, 0, sizeof set->is_limb);
	for (size_t e = 0; e < figure->end_count; e++) set->is_limb[set->item[e]] |= odds[e] >= OSSAI_STRONG_LOG_ODDS;
	ossai_prop_items_sort(set->count, odds, set->item);
	for (uint32_t item = 0; item < s->items.count && !body->form; item++) {
		if (!set->is_out[item]) set->item[set->count++] = item;
	}
}

static ossa_status contract(ossai_contraction *c)
{
	OSSAI_TRY(ossai_still_prepare(&c->still));
	OSSAI_TRY(ossai_contraction_refined_proxy(c));
	OSSAI_TRY(ossai_contraction_refined_contract(c));
	return ossai_contraction_refined_curve(c);
}

ossa_status ossai_prop_set_mesh(const ossai_prop_search *s, const uint8_t *is_out, ossai_arena *arena, ossa_mesh **mesh)
{
	const ossa_mesh *whole = s->work->mesh;
	size_t count = 0;
	uint32_t *triangles = ossai_arena_new(arena, whole->triangle_count, 3 * sizeof *triangles);
	*mesh = NULL;
	if (!triangles) return ossa_context_error(arena->context)->status;
	for (size_t f = 0; f < whole->triangle_count; f++) {
		if (is_out[ossai_prop_item_of_face(&s->items, f)]) continue;
		memcpy(triangles + 3 * count++, whole->triangles + 3 * f, 3 * sizeof *triangles);
	}
	if (count == 0) return OSSA_OK;
	return ossa_mesh_create(arena->context, whole->vertex_count, whole->positions, count, triangles, mesh);
}

/* ---- trials ---- */

/* A set that is evaluated beside others; what is recognized stays until it is described. */
struct ossai_prop_trial {
	ossai_task *task; /* NULL: none */
	const ossai_prop_search *search;
	uint8_t is_out[OSSAI_PROP_ITEMS];
	ossai_arena arena;
	ossa_mesh *mesh;
	ossai_contraction part;
	ossai_figure figure;
	ossai_body body;
	bool is_recognized;
};

static ossa_status run_trial(ossa_context *context, void *arg)
{
	ossai_prop_trial *t = arg;
	const ossa_contraction_options *options = t->search->options;
	t->arena = ossai_arena_begin(context);
	OSSAI_TRY(ossai_prop_set_mesh(t->search, t->is_out, &t->arena, &t->mesh));
	if (!t->mesh) return OSSA_OK;
	t->part = (ossai_contraction){.own = *options, .is_piece = true};
	t->part.still = (ossai_still_work){.context = context, .arena = &t->arena, .mesh = t->mesh};
	OSSAI_TRY(contract(&t->part));
	OSSAI_TRY(ossai_still_recognize(&t->part.still, NULL, options->body, &t->figure, &t->body));
	t->is_recognized = true;
	return OSSA_OK;
}

static void end_trial(const ossai_prop_search *s, ossai_prop_trial *t)
{
	t->task = NULL;
	ossa_mesh_free(s->work->context, t->mesh);
	/* that of the task is gone */
	t->arena.context = s->work->context;
	ossai_arena_end(&t->arena);
}

static ossai_prop_trial *find_trial(const ossai_prop_search *s, const uint8_t *is_out)
{
	for (size_t i = 0; i < OSSAI_PROP_BESIDE; i++) {
		ossai_prop_trial *t = &s->trials[i];
		if (t->task && memcmp(t->is_out, is_out, s->items.count) == 0) return t;
	}
	return NULL;
}

static size_t tries_left(const ossai_prop_search *s) { return (s->is_blind ? TRIES_BLIND : OSSAI_PROP_TRIES) - s->tries; }

static ossa_status begin_trial(ossai_prop_search *s, const uint8_t *is_out)
{
	ossai_prop_trial *free = NULL;
	size_t running = 0;
	for (size_t i = 0; i < OSSAI_PROP_BESIDE; i++) {
		if (s->trials[i].task) running++;
		else free = &s->trials[i];
	}
	if (!free || running >= tries_left(s)) return OSSA_OK;
	memset(free, 0, sizeof *free);
	free->search = s;
	memcpy(free->is_out, is_out, sizeof free->is_out);
	free->task = ossai_task_begin(s->work->context, run_trial, free);
	return free->task ? OSSA_OK : last_error(s);
}

ossa_status ossai_prop_set_begin(ossai_prop_search *s, const ossai_prop_set *set)
{
	if (ossai_prop_set_find(s, set->is_out) || find_trial(s, set->is_out)) return OSSA_OK;
	return begin_trial(s, set->is_out);
}

void ossai_prop_sets_drop(ossai_prop_search *s)
{
	for (size_t i = 0; s->trials && i < OSSAI_PROP_BESIDE; i++) {
		if (!s->trials[i].task) continue;
		ossai_task_drop(s->trials[i].task);
		end_trial(s, &s->trials[i]);
	}
}

ossa_status ossai_prop_sets_new(ossai_prop_search *s)
{
	s->tried = ossai_arena_new(s->work->arena, OSSAI_PROP_TRIES, sizeof *s->tried);
	s->trials = s->tried ? ossai_arena_zero(s->work->arena, OSSAI_PROP_BESIDE, sizeof *s->trials) : NULL;
	return s->trials ? OSSA_OK : last_error(s);
}

const ossai_prop_set *ossai_prop_set_find(const ossai_prop_search *s, const uint8_t *is_out)
{
	for (size_t i = 0; i < s->tries; i++) {
		if (memcmp(s->tried[i].is_out, is_out, s->items.count) == 0) return &s->tried[i];
	}
	return NULL;
}

static ossa_status take_trial(ossai_prop_search *s, ossai_prop_trial *t, ossai_prop_set *set)
{
	const ossa_status status = ossai_task_end(t->task);
	if (status == OSSA_OK && t->is_recognized) ossai_prop_set_describe(s, &t->part.still, NULL, &t->figure, &t->body, set);
	end_trial(s, t);
	return status == OSSA_ERROR_INPUT || status == OSSA_ERROR_LIMIT ? OSSA_OK : status;
}

ossa_status ossai_prop_set_evaluate(ossai_prop_search *s, ossai_prop_set *set)
{
	const ossai_prop_set *tried = ossai_prop_set_find(s, set->is_out);
	set->score = -INFINITY;
	set->is_body = set->is_sure = set->is_explained = false;
	if (tried) *set = *tried;
	if (tried || tries_left(s) == 0) return OSSA_OK;
	/* whatever else runs, this one comes first */
	if (!find_trial(s, set->is_out)) ossai_prop_sets_drop(s);
	OSSAI_TRY(ossai_prop_set_begin(s, set));
	OSSAI_TRY(take_trial(s, find_trial(s, set->is_out), set));
	/* nothing is taken out of a body so that it is none */
	if (!set->is_body) set->score = -INFINITY;
	s->is_blind = s->is_blind && !set->is_body;
	s->tried[s->tries++] = *set;
	return OSSA_OK;
}

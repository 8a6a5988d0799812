/* methods/pieces/find_props.c: see find_props.h.

   What a body holds hides its limbs: a sword makes an arm longer than the other one, a shield
   stands where a hand ends. So the question is one to the shape: is it likelier a body without the
   piece? Pieces are tried where ends of the figure are on them, those first that are no limb. The
   one without which the likelihood is largest is taken out, until every limb is explained. Then
   what touches such a prop is taken out where that is likelier: the grip beside a blade
   (docs/bodies.md, Props). */
#include "methods/pieces/find_props.h"

#include "methods/pieces/prop_items.h"

#include <string.h>

/* Positive and strong evidence: logarithms of odds that are 2 and 6 on the scale of Kass and
   Raftery (twice as much). */
static const double POSITIVE = 1, STRONG = 3;

/* So many sets are tried at most, and as long as none is a body: a machine is none, whatever is
   taken out of it, and time would be lost. */
enum { TRIES_MOST = 24, TRIES_BLIND = 8 };

/* What a shape without some items is. */
typedef struct prop_set {
	uint8_t is_out[OSSAI_PROP_ITEMS];
	double score; /* that it is a body; 0: it is none; -INFINITY: it has no curve */
	bool is_explained;
	/* items with ends of the figure, those first that explain least; of no body all others, too,
	   the largest first; one may be there twice */
	size_t count;
	uint32_t item[OSSAI_FIGURE_ENDS + OSSAI_PROP_ITEMS];
} prop_set;

typedef struct prop_search {
	ossai_still_work *work;
	const ossa_contraction_options *options;
	ossai_prop_items items;
	size_t tries;  /* sets that were evaluated */
	bool is_blind; /* none of them is a body yet */
	/* by item that others are copies of: the score without it, when it was last tried */
	double without[OSSAI_PROP_ITEMS];
} prop_search;

static ossa_status last_error(const prop_search *s) { return ossa_context_error(s->work->context)->status; }

/* ---- what a set is ---- */

/* the logarithm of the odds that each end is the limb it is taken for; -INFINITY: it is none */
static bool explain(const ossai_figure *figure, const ossai_body *body, double *odds)
{
	bool is_explained = true;
	for (size_t e = 0; e < figure->end_count; e++) odds[e] = -INFINITY;
	if (!body->form) return false;
	for (size_t l = 0; l < body->form->limb_count; l++) {
		for (int side = 0; side < (body->form->limb[l].is_pair ? 2 : 1); side++) {
			const size_t end = body->end[l][side];
			const bool is_hidden = end == OSSAI_LIMB_HIDDEN;
			if (is_hidden ? body->form->limb[l].share > 0.5 : body->odds[l][side] < STRONG) is_explained = false;
			if (!is_hidden) odds[end] = body->odds[l][side];
		}
	}
	return is_explained;
}

/* sorts items by odds, by insertion */
static void sort(size_t count, double *odds, uint32_t *item)
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

/* work: of the set, or of the whole; axes: its axes */
static void describe(prop_search *s, const ossai_still_work *work, const ossai_mat3 *axes, const ossai_figure *figure,
	const ossai_body *body, prop_set *set)
{
	double odds[OSSAI_FIGURE_ENDS];
	ossai_vec3 tip[OSSAI_FIGURE_ENDS];
	set->is_explained = explain(figure, body, odds);
	set->score = body->form ? ossai_body_limb_score(figure, body) : 0;
	set->count = figure->end_count;
	for (size_t e = 0; e < figure->end_count; e++) {
		const ossai_vec3 own = axes ? ossai_mat3_tmul_v(axes, figure->end[e].tip) : figure->end[e].tip;
		double place[3];
		ossai_v3_store(ossai_posed_surface_place(&work->surface, own), place);
		tip[e] = ossai_posed_surface_units(&s->work->surface, place);
	}
	ossai_prop_items_near(&s->items, set->is_out, figure->end_count, tip, set->item);
	sort(set->count, odds, set->item);
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

static ossa_status recognize(prop_search *s, ossai_arena *scratch, const ossa_mesh *mesh, prop_set *set)
{
	ossai_contraction part = {.own = *s->options, .is_piece = true};
	ossai_figure figure;
	ossai_body body;
	part.still = (ossai_still_work){.context = scratch->context, .arena = scratch, .mesh = mesh};
	OSSAI_TRY(contract(&part));
	OSSAI_TRY(ossai_still_recognize(&part.still, NULL, s->options->body, &figure, &body));
	describe(s, &part.still, NULL, &figure, &body, set);
	return OSSA_OK;
}

/* all vertices, so that they are those of the whole, and the faces that are in */
static ossa_status make_mesh(const prop_search *s, const uint8_t *is_out, ossai_arena *scratch, ossa_mesh **mesh)
{
	const ossa_mesh *whole = s->work->mesh;
	size_t count = 0;
	uint32_t *triangles = ossai_arena_new(scratch, whole->triangle_count, 3 * sizeof *triangles);
	*mesh = NULL;
	if (!triangles) return last_error(s);
	for (size_t f = 0; f < whole->triangle_count; f++) {
		if (is_out[ossai_prop_item_of_face(&s->items, f)]) continue;
		memcpy(triangles + 3 * count++, whole->triangles + 3 * f, 3 * sizeof *triangles);
	}
	if (count == 0) return OSSA_OK;
	return ossa_mesh_create(s->work->context, whole->vertex_count, whole->positions, count, triangles, mesh);
}

/* set: what is out is given; what cannot be contracted is no body, nor what is too much to try */
static ossa_status evaluate(prop_search *s, prop_set *set)
{
	ossa_mesh *mesh;
	set->score = -INFINITY;
	set->is_explained = false;
	if (s->tries == (s->is_blind ? TRIES_BLIND : TRIES_MOST)) return OSSA_OK;
	s->tries++;
	ossai_arena scratch = ossai_arena_begin(s->work->context);
	ossa_status status = make_mesh(s, set->is_out, &scratch, &mesh);
	if (status == OSSA_OK && mesh) status = recognize(s, &scratch, mesh, set);
	s->is_blind = s->is_blind && !(set->score > 0);
	ossa_mesh_free(s->work->context, mesh);
	ossai_arena_end(&scratch);
	return status == OSSA_ERROR_INPUT ? OSSA_OK : status;
}

/* ---- the search ---- */

/* whether it, or a copy of it, was tried before */
static bool is_before(const prop_search *s, const prop_set *set, size_t i)
{
	const uint32_t *copy_of = s->items.copy_of;
	for (size_t j = 0; j < i; j++) {
		if (copy_of[set->item[j]] == copy_of[set->item[i]]) return true;
	}
	return false;
}

/* Takes out the item with an end that hides the body most. In the first round all are tried, unless
   one explains the body by strong evidence; later those first that did most for it before, and
   strong evidence is enough. found: whether there is one. */
static ossa_status find_next(prop_search *s, prop_set *set, bool *found)
{
	const bool is_first = s->tries == 0;
	const double enough = set->score + STRONG;
	double order[OSSAI_FIGURE_ENDS + OSSAI_PROP_ITEMS];
	prop_set best = {.score = -INFINITY};
	for (size_t i = 0; i < set->count; i++) order[i] = is_first ? 0 : -s->without[s->items.copy_of[set->item[i]]];
	sort(set->count, order, set->item);
	for (size_t i = 0; i < set->count; i++) {
		prop_set without = *set;
		if (is_before(s, set, i)) continue;
		if (best.score >= enough && (best.is_explained || !is_first)) break;
		ossai_prop_items_cut(&s->items, set->item[i], without.is_out);
		OSSAI_TRY(evaluate(s, &without));
		s->without[s->items.copy_of[set->item[i]]] = without.score;
		if (without.score > best.score) best = without;
	}
	*found = best.score >= set->score + POSITIVE;
	if (*found) *set = best;
	return OSSA_OK;
}

/* What touches a prop needs less evidence to be one, as a guard beside a blade, or goes with what
   it holds: the grip with the guard. Items smaller than the largest prop, until nothing changes. */
static ossa_status take_touching(prop_search *s, prop_set *set)
{
	const uint32_t count = (uint32_t)s->items.count;
	uint32_t largest = 0;
	while (!set->is_out[largest]) largest++;
	for (uint32_t item = largest, left = count; left > 0; left--) {
		prop_set without = *set;
		item = item + 1 < count ? item + 1 : largest;
		const bool is_copy = s->items.copy_of[item] != item;
		if (is_copy || set->is_out[item] || !ossai_prop_items_cut(&s->items, item, without.is_out)) continue;
		OSSAI_TRY(evaluate(s, &without));
		if (without.score < set->score + POSITIVE) continue;
		*set = without;
		left = count;
	}
	return OSSA_OK;
}

/* ---- the result ---- */

/* the shape without props */
static ossa_status make_shape(prop_search *s, const uint8_t *is_out, ossai_posed_surface *shape)
{
	ossai_still_work body = {.context = s->work->context, .arena = s->work->arena};
	ossa_mesh *mesh;
	OSSAI_TRY(make_mesh(s, is_out, s->work->arena, &mesh));
	body.mesh = mesh;
	ossa_status status = ossai_still_prepare(&body);
	uint32_t *triangles = ossai_arena_new(s->work->arena, mesh->triangle_count, 3 * sizeof *triangles);
	if (!triangles) status = last_error(s);
	if (status == OSSA_OK) {
		/* the mesh is freed, the surface stays */
		memcpy(triangles, body.surface.triangles, 3 * mesh->triangle_count * sizeof *triangles);
		*shape = body.surface;
		shape->triangles = triangles;
	}
	ossa_mesh_free(s->work->context, mesh);
	return status;
}

static ossa_status keep(prop_search *s, const uint8_t *is_out, double gain, const ossai_props **result)
{
	const ossai_posed_surface *surface = &s->work->surface;
	ossai_props *props = ossai_arena_zero(s->work->arena, 1, sizeof *props);
	uint8_t *is_prop = ossai_arena_new(s->work->arena, surface->piece_count, 1);
	if (!props || !is_prop) return last_error(s);
	*props = (ossai_props){
		.pieces = s->items.pieces, .item_count = s->items.count, .touches = s->items.touches, .is_prop = is_prop, .gain = gain};
	for (size_t i = 0; i < props->pieces.count; i++) {
		const ossai_piece *piece = &props->pieces.piece[i];
		is_prop[piece->number] = is_out[s->items.of_piece[piece->number]];
		if (!is_prop[piece->number] || piece->role == OSSAI_PIECE_ALONG) continue;
		if (props->count++ == 0) props->place = ossai_posed_surface_place(surface, piece->center);
	}
	*result = props;
	return make_shape(s, is_out, &props->shape);
}

static ossa_status search(prop_search *s, prop_set *set, const ossai_props **props)
{
	const double before = set->score;
	bool found = true;
	while (found && !set->is_explained) OSSAI_TRY(find_next(s, set, &found));
	if (set->score - before < STRONG) return OSSA_OK;
	OSSAI_TRY(take_touching(s, set));
	return keep(s, set->is_out, set->score - before, props);
}

ossa_status ossai_props_find(ossai_still_work *work, const ossa_contraction_options *options, const ossai_mat3 *axes,
	const ossai_figure *figure, const ossai_body *body, const ossai_props **props)
{
	double odds[OSSAI_FIGURE_ENDS];
	prop_search s = {.work = work, .options = options, .is_blind = !body->form};
	prop_set set = {.count = 0};
	*props = NULL;
	if (explain(figure, body, odds)) return OSSA_OK;
	ossai_warnings *before = ossai_warnings_save(work->context);
	if (!before) return last_error(&s);
	ossa_status status = ossai_prop_items_make(work->arena, &work->surface, &s.items);
	if (status == OSSA_OK && s.items.count > 0) {
		describe(&s, work, axes, figure, body, &set);
		status = search(&s, &set, props);
	}
	ossai_warnings_restore(work->context, before);
	ossa_free(work->context, before);
	return status;
}

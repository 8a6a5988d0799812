/* methods/pieces/find_props.c: see find_props.h.

   What a body holds hides its limbs: a sword makes an arm longer than the other one, a shield
   stands where a hand ends. So the question is one to the shape: is it likelier a body without the
   piece, and are its limbs explained then? Pieces are tried where ends of the figure are on them,
   those first that are no limb. What hides the body most is taken out, until every limb is
   explained. Then what touches such a prop is taken out where that is likelier: the grip beside a
   blade (docs/bodies.md, Props). */
#include "methods/pieces/find_props.h"

#include "methods/pieces/prop_sets.h"

#include <string.h>

/* Of items without an end so many are tried in a round. */
enum { TRIES_OTHERS = 4 };

static ossa_status last_error(const ossai_prop_search *s) { return ossa_context_error(s->work->context)->status; }

/* ---- the search ---- */

static size_t count_copies(const ossai_prop_search *s, uint32_t item)
{
	size_t copies = 0;
	for (size_t i = 0; i < s->items.count; i++) copies += s->items.copy_of[i] == s->items.copy_of[item];
	return copies;
}

/* whether explained limbs end on it and on each of its copies: a pair of wings, not a grip */
static bool are_limbs(const ossai_prop_search *s, const ossai_prop_set *set, uint32_t item)
{
	for (size_t i = 0; i < s->items.count; i++) {
		if (s->items.copy_of[i] == s->items.copy_of[item] && !set->is_limb[i]) return false;
	}
	return count_copies(s, item) > 1;
}

/* whether it need not be tried: it, or a copy of it, was, or they are limbs */
static bool is_left_in(const ossai_prop_search *s, const ossai_prop_set *set, size_t i)
{
	const uint32_t *copy_of = s->items.copy_of;
	if (are_limbs(s, set, set->item[i])) return true;
	for (size_t j = 0; j < i; j++) {
		if (copy_of[set->item[j]] == copy_of[set->item[i]]) return true;
	}
	return false;
}

static double area_out(const ossai_prop_search *s, const ossai_prop_set *set)
{
	double sum = 0;
	for (size_t i = 0; i < s->items.count; i++) sum += set->is_out[i] ? s->items.area[i] : 0;
	return sum;
}

/* Of two that are explained the one that leaves more of the shape, unless the other one is likelier
   by strong evidence: a pole is a snake, too. */
static bool is_better(const ossai_prop_search *s, const ossai_prop_set *a, const ossai_prop_set *b)
{
	const bool are_alike = a->is_explained && b->is_explained && fabs(a->score - b->score) < OSSAI_STRONG_LOG_ODDS;
	return are_alike ? area_out(s, a) < area_out(s, b) : a->score > b->score;
}

/* the best so far of what is tried in place of a set */
static ossa_status try_set(ossai_prop_search *s, ossai_prop_set *tried, ossai_prop_set *best)
{
	OSSAI_TRY(ossai_prop_set_evaluate(s, tried));
	if (is_better(s, tried, best)) *best = *tried;
	return OSSA_OK;
}

/* Begins with those from number i on that are tried next, one for each thread. */
static ossa_status begin_items(ossai_prop_search *s, const ossai_prop_set *set, size_t i)
{
	const bool is_limited = ossai_memory_left(s->work->context) < SIZE_MAX;
	size_t left = is_limited ? 1 : (size_t)ossa_context_threads(s->work->context);
	for (; i < set->count && left > 0; i++) {
		ossai_prop_set next = *set;
		if (is_left_in(s, set, i)) continue;
		ossai_prop_items_cut(&s->items, set->item[i], true, next.is_out);
		OSSAI_TRY(ossai_prop_set_begin(s, &next));
		left--;
	}
	return OSSA_OK;
}

/* Takes out an item with an end, and its copies. In the first round all are tried, unless one
   explains the body by strong evidence; later those first that did most for it before, and strong
   evidence is enough. */
static ossa_status try_items(ossai_prop_search *s, ossai_prop_set *set, bool is_first, ossai_prop_set *best)
{
	const double enough = set->score + OSSAI_STRONG_LOG_ODDS;
	double order[OSSAI_FIGURE_ENDS + OSSAI_PROP_ITEMS];
	for (size_t i = 0; i < set->count; i++) order[i] = is_first ? 0 : -s->without[s->items.copy_of[set->item[i]]];
	ossai_prop_items_sort(set->count, order, set->item);
	for (size_t i = 0; i < set->count; i++) {
		ossai_prop_set without = *set;
		if (is_left_in(s, set, i)) continue;
		if (best->score >= enough && (best->is_explained || !is_first)) break;
		OSSAI_TRY(begin_items(s, set, i));
		ossai_prop_items_cut(&s->items, set->item[i], true, without.is_out);
		OSSAI_TRY(try_set(s, &without, best));
		s->without[s->items.copy_of[set->item[i]]] = without.score;
	}
	ossai_prop_sets_drop(s);
	return OSSA_OK;
}

/* Takes out one of an odd number of copies: bodies have pairs of them. */
static ossa_status try_odd_copies(ossai_prop_search *s, const ossai_prop_set *set, ossai_prop_set *best)
{
	for (uint32_t item = 0; item < s->items.count; item++) {
		const size_t copies = count_copies(s, item);
		if (copies < 3 || copies % 2 == 0) continue;
		ossai_prop_set without = *set;
		ossai_prop_items_cut(&s->items, item, false, without.is_out);
		OSSAI_TRY(try_set(s, &without, best));
	}
	return OSSA_OK;
}

/* Takes out all but what is connected: one of several bodies, or what stands on nothing. Parts that
   have less than half of the largest one's area are none. */
static ossa_status try_parts(ossai_prop_search *s, const ossai_prop_set *set, ossai_prop_set *best)
{
	const size_t count = s->items.count;
	uint8_t part[OSSAI_PROP_ITEMS], seen[OSSAI_PROP_ITEMS] = {0};
	double most = 0;
	for (uint32_t from = 0; from < count; from++) {
		most = fmax(most, ossai_prop_items_reach(&s->items, set->is_out, from, part));
	}
	for (uint32_t from = 0; from < count; from++) {
		ossai_prop_set only = *set;
		if (seen[from]) continue;
		const double area = ossai_prop_items_reach(&s->items, set->is_out, from, part);
		/* a copy of it is as good */
		for (size_t i = 0; i < count; i++) seen[i] |= part[i] || s->items.copy_of[i] == s->items.copy_of[from];
		for (size_t i = 0; i < count; i++) only.is_out[i] = !part[i];
		const bool is_all = memchr(only.is_out, 1, count) == NULL;
		if (!is_all && 2 * area >= most) OSSAI_TRY(try_set(s, &only, best));
	}
	return OSSA_OK;
}

/* Takes out an item without an end, where that explains the body: what stands close to a limb may
   hide it. Of the largest few, as hardly one of them does. */
static ossa_status try_others(ossai_prop_search *s, const ossai_prop_set *set, ossai_prop_set *best)
{
	size_t left = TRIES_OTHERS;
	for (uint32_t item = 0; item < s->items.count && left > 0; item++) {
		ossai_prop_set without = *set;
		if (set->is_out[item] || s->items.copy_of[item] != item) continue;
		ossai_prop_items_cut(&s->items, item, true, without.is_out);
		left -= ossai_prop_set_find(s, without.is_out) == NULL;
		OSSAI_TRY(ossai_prop_set_evaluate(s, &without));
		if (without.is_explained && is_better(s, &without, best)) *best = without;
	}
	return OSSA_OK;
}

/* Takes out what hides the body most. found: whether there is something. */
static ossa_status find_next(ossai_prop_search *s, ossai_prop_set *set, bool *found)
{
	const bool is_first = s->tries == 0;
	ossai_prop_set best = {.score = -INFINITY};
	if (is_first) OSSAI_TRY(try_parts(s, set, &best));
	OSSAI_TRY(try_items(s, set, is_first, &best));
	if (is_first && !best.is_explained) OSSAI_TRY(try_odd_copies(s, set, &best));
	if (!set->is_explained && best.score < set->score + OSSAI_POSITIVE_LOG_ODDS) OSSAI_TRY(try_others(s, set, &best));
	*found = best.score >= set->score + OSSAI_POSITIVE_LOG_ODDS;
	if (*found) *set = best;
	return OSSA_OK;
}

static double largest_out(const ossai_prop_search *s, const ossai_prop_set *set)
{
	double most = 0;
	for (size_t i = 0; i < s->items.count; i++) {
		if (set->is_out[i]) most = fmax(most, s->items.pieces.piece[i].size);
	}
	return most;
}

/* Cuts an item off that is in, is no larger than a prop and touches one. */
static bool cut_touching(const ossai_prop_search *s, double most, uint32_t item, ossai_prop_set *set)
{
	const bool is_copy = s->items.copy_of[item] != item;
	if (is_copy || set->is_out[item] || s->items.pieces.piece[item].size > most) return false;
	return ossai_prop_items_cut(&s->items, item, true, set->is_out);
}

/* All at once that touches a prop, or what touches one, but what there are several of: guard and
   grip of a blade, one of which alone may look like a thumb. */
static ossa_status take_all_touching(ossai_prop_search *s, double most, ossai_prop_set *set)
{
	const uint32_t count = (uint32_t)s->items.count;
	ossai_prop_set all = *set;
	for (uint32_t item = 0, left = count; left > 0; left--, item = (item + 1) % count) {
		ossai_prop_set next = all;
		if (count_copies(s, item) > 1 || !cut_touching(s, most, item, &next)) continue;
		all = next;
		left = count;
	}
	OSSAI_TRY(ossai_prop_set_evaluate(s, &all));
	if (all.score >= set->score + OSSAI_POSITIVE_LOG_ODDS) *set = all;
	return OSSA_OK;
}

/* What touches a prop needs less evidence to be one, as a guard beside a blade, or goes with what
   it holds: the grip with the guard. But for a limb that the other side has, too: a hand touches
   what it holds. Items not larger than the largest prop, until nothing changes. */
static ossa_status take_touching(ossai_prop_search *s, ossai_prop_set *set)
{
	const uint32_t count = (uint32_t)s->items.count;
	const double most = largest_out(s, set);
	OSSAI_TRY(take_all_touching(s, most, set));
	for (uint32_t item = 0, left = count; left > 0; left--, item = (item + 1) % count) {
		ossai_prop_set without = *set;
		if (!cut_touching(s, most, item, &without)) continue;
		OSSAI_TRY(ossai_prop_set_evaluate(s, &without));
		if (without.score < set->score + (are_limbs(s, set, item) ? OSSAI_STRONG_LOG_ODDS : OSSAI_POSITIVE_LOG_ODDS)) continue;
		*set = without;
		left = count;
	}
	return OSSA_OK;
}

/* ---- the result ---- */

/* the shape without props */
static ossa_status make_shape(ossai_prop_search *s, const uint8_t *is_out, ossai_posed_surface *shape)
{
	ossai_still_work body = {.context = s->work->context, .arena = s->work->arena};
	ossa_mesh *mesh;
	OSSAI_TRY(ossai_prop_set_mesh(s, is_out, s->work->arena, &mesh));
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

static ossa_status keep(ossai_prop_search *s, const uint8_t *is_out, double gain, const ossai_props **result)
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

static ossa_status search(ossai_prop_search *s, ossai_prop_set *set, const ossai_props **props)
{
	/* it may be no body */
	const double before = fmax(set->score, 0);
	bool found = true;
	do OSSAI_TRY(find_next(s, set, &found));
	while (found && !set->is_explained);
	if (!set->is_sure || set->score - before < OSSAI_STRONG_LOG_ODDS) return OSSA_OK;
	OSSAI_TRY(take_touching(s, set));
	return keep(s, set->is_out, set->score - before, props);
}

/* whether an end that is no limb is on another item than the largest */
static bool has_strange_ends(const ossai_prop_search *s, const ossai_prop_set *set)
{
	uint32_t largest = 0;
	for (uint32_t i = 1; i < s->items.count; i++) {
		if (s->items.area[i] > s->items.area[largest]) largest = i;
	}
	for (size_t i = 0; i < set->count; i++) {
		if (!set->is_limb[set->item[i]] && set->item[i] != largest) return true;
	}
	return false;
}

static ossa_status ask(
	ossai_prop_search *s, const ossai_mat3 *axes, const ossai_figure *figure, const ossai_body *body, const ossai_props **props)
{
	ossai_prop_set set = {.count = 0};
	OSSAI_TRY(ossai_prop_items_make(s->work->arena, &s->work->surface, &s->items));
	if (s->items.count == 0) return OSSA_OK;
	OSSAI_TRY(ossai_prop_sets_new(s));
	ossai_prop_set_describe(s, s->work, axes, figure, body, &set);
	if (set.is_explained && !has_strange_ends(s, &set)) return OSSA_OK;
	return search(s, &set, props);
}

ossa_status ossai_props_find(ossai_still_work *work, const ossa_contraction_options *options, const ossai_mat3 *axes,
	const ossai_figure *figure, const ossai_body *body, const ossai_props **props)
{
	ossai_prop_search s = {.work = work, .options = options, .is_blind = !body->form};
	*props = NULL;
	ossai_warnings *before = ossai_warnings_save(work->context);
	if (!before) return last_error(&s);
	const ossa_status status = ask(&s, axes, figure, body, props);
	ossai_prop_sets_drop(&s);
	ossai_warnings_restore(work->context, before);
	ossa_free(work->context, before);
	return status;
}

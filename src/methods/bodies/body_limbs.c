/* methods/bodies/body_limbs.c: bodies that are limbs of one.

   Place in the path: body_parts -> here -> body_parts.
   Input: bodies by motion, and which of them touch at rest.
   Output: the same, limbs joined.
   Whether a piece is a limb is a question to the shape at rest: the logarithm of the likelihood
   that it is such a body, over that of none (body/recognize.h), with the piece, less that without
   it and that of a piece that is a body itself; and an end of the body has to be in it. Of bodies
   that touch each other the largest is considered first, alone and with all of them; the others are
   put in or taken out one by one (docs/roots.md, Limbs that come off). */
#include "methods/bodies/bodies.h"

#include "base/union_find.h"
#include "body/form.h"
#include "body/recognize.h"
#include "mesh/bounds.h"
#include "methods/rest_rig.h"

#include <math.h>
#include <string.h>

/* What is smaller than this share of the largest body is no limb, and is not asked about. */
static const double LEAST_SIZE = 0.1;
/* A limb reaches out of the largest body by at least this share of its size; by as little as that
   a leg does of the other one. */
static const double LEAST_REACH = 0.25;
/* So many of what touches, the largest, are asked about: no body has more limbs. */
enum { ITEMS_MOST = 2 * OSSAI_FORM_LIMBS };

/* A set of bodies as one body. */
typedef struct limb_set {
	ossa_rig *rest; /* of its rest shape; NULL: it has none */
	double score;   /* the logarithm of its likelihood over that of no body */
} limb_set;

typedef struct limb_search {
	ossai_arena *arena, *scratch;
	const ossa_mesh *mesh;
	ossai_body_faces *bodies;
	ossai_body_part *part; /* by body: its mesh */
	double *size;          /* by body: the diagonal of its box */
	uint32_t *touching;    /* by body: the first of those that touch it, over others */
	uint8_t *is_done;      /* by body: of a figure, no figure's largest, or touches nothing */
	uint8_t *is_refused;   /* by body: with all that touch it, it is no body */
	uint32_t *figure;      /* by body: the largest of those that it is one with */
	/* the figure that is considered */
	uint32_t largest;
	ossa_body_kind kind;
	uint8_t *is_in, *alone; /* by body: of it; a set of one */
	limb_set set;
	size_t item_count;
	uint32_t item[ITEMS_MOST]; /* what touches it and is large enough, the largest first */
} limb_search;

static ossa_status last_error(const limb_search *s) { return ossa_context_error(s->scratch->context)->status; }

/* ---- what touches ---- */

/* what flies apart by more than its size is no limb */
static bool may_be_limb(const limb_search *s, const ossai_body_touch *touch)
{
	return touch->gap <= fmin(s->size[touch->a], s->size[touch->b]);
}

/* all that touch nothing are done */
static void leave_others(const limb_search *s)
{
	memset(s->is_done, 1, s->bodies->count);
	for (size_t i = 0; i < s->bodies->touch_count; i++) {
		const ossai_body_touch *touch = &s->bodies->touch[i];
		if (may_be_limb(s, touch)) s->is_done[touch->a] = s->is_done[touch->b] = 0;
	}
}

static void find_touching(const limb_search *s)
{
	ossai_union_begin(s->touching, s->bodies->count);
	for (size_t i = 0; i < s->bodies->touch_count; i++) {
		const ossai_body_touch *touch = &s->bodies->touch[i];
		const bool is_open = !s->is_done[touch->a] && !s->is_done[touch->b];
		if (is_open && may_be_limb(s, touch)) ossai_union_join(s->touching, touch->a, touch->b);
	}
}

static void find_items(limb_search *s)
{
	const uint32_t own = ossai_union_find(s->touching, s->largest);
	s->item_count = 0;
	for (uint32_t b = 0; b < s->bodies->count; b++) {
		const bool touches = b != s->largest && !s->is_done[b] && ossai_union_find(s->touching, b) == own;
		if (!touches || s->size[b] < LEAST_SIZE * s->size[s->largest]) continue;
		if (s->item_count == ITEMS_MOST && s->size[b] <= s->size[s->item[ITEMS_MOST - 1]]) continue;
		size_t at = s->item_count < ITEMS_MOST ? s->item_count++ : ITEMS_MOST - 1;
		for (; at > 0 && s->size[s->item[at - 1]] < s->size[b]; at--) s->item[at] = s->item[at - 1];
		s->item[at] = b;
	}
}

/* the largest body that nothing is known of yet; OSSA_NONE */
static uint32_t find_largest(const limb_search *s)
{
	uint32_t best = OSSA_NONE;
	for (uint32_t b = 0; b < s->bodies->count; b++) {
		if (!s->is_done[b] && (best == OSSA_NONE || s->size[b] > s->size[best])) best = b;
	}
	return best;
}

/* ---- how likely a set is a body ---- */

static void set_end(const limb_search *s, limb_set *set)
{
	ossa_rig_free(s->scratch->context, set->rest);
	*set = (limb_set){.rest = NULL};
}

/* the rest shape of the bodies of a set alone */
static ossa_status make_mesh(const limb_search *s, const uint8_t *is_in, ossai_arena *scratch, const ossa_mesh **mesh)
{
	const size_t faces = s->mesh->triangle_count;
	uint32_t *of_face = ossai_arena_new(scratch, faces, sizeof *of_face);
	ossai_body_part both[2];
	if (!of_face) return last_error(s);
	for (size_t f = 0; f < faces; f++) of_face[f] = !is_in[s->bodies->of_face[f]];
	OSSAI_TRY(ossai_body_faces_split(scratch, s->mesh, &(ossai_body_faces){.count = 2, .of_face = of_face}, both));
	*mesh = both[0].mesh;
	return OSSA_OK;
}

/* kind: AUTO: the likeliest */
static ossa_status set_make(const limb_search *s, const uint8_t *is_in, ossa_body_kind kind, limb_set *set)
{
	ossa_context *context = s->scratch->context;
	const ossai_rest_wish wish = {.body = kind};
	ossai_arena scratch = ossai_arena_begin(context);
	const ossa_mesh *mesh = NULL;
	*set = (limb_set){.rest = NULL, .score = -INFINITY};
	ossa_status status = make_mesh(s, is_in, &scratch, &mesh);
	if (status == OSSA_OK) status = ossai_rest_rig_make(context, mesh, &wish, &set->rest);
	/* a shape that is refused as this kind is none */
	if (status == OSSA_ERROR_INPUT) status = OSSA_OK;
	if (status == OSSA_OK && set->rest && set->rest->body.kind != OSSA_BODY_NONE) set->score = set->rest->body.score;
	ossai_arena_end(&scratch);
	return status;
}

/* Whether a set is a body of its kind without doubt: the odds are those of that kind against all
   others, also where a set was made of a kind that was named. A person's word leaves no doubt. */
static bool is_sure(const limb_search *s, const limb_set *set)
{
	return set->score > 0 && (s->bodies->wanted != OSSA_BODY_AUTO || set->rest->body.kind_odds >= log(OSSAI_SURE_ODDS));
}

static void put_all(const limb_search *s, uint8_t is_in)
{
	for (size_t i = 0; i < s->item_count; i++) s->is_in[s->item[i]] = is_in;
}

/* what touches the largest: without it they are hardly a body either */
static void refuse(const limb_search *s)
{
	const uint32_t own = ossai_union_find(s->touching, s->largest);
	for (uint32_t b = 0; b < s->bodies->count; b++) {
		if (ossai_union_find(s->touching, b) == own) s->is_refused[b] = 1;
	}
}

/* All that touch, where the largest is no body by itself, or they are likelier one of its kind. */
static ossa_status begin_set(limb_search *s, bool *is_body)
{
	limb_set all;
	memset(s->is_in, 0, s->bodies->count);
	s->is_in[s->largest] = 1;
	OSSAI_TRY(set_make(s, s->is_in, s->bodies->wanted, &s->set));
	*is_body = is_sure(s, &s->set);
	if (!*is_body && s->is_refused[s->largest]) return OSSA_OK;
	if (*is_body) s->kind = s->set.rest->body.kind;
	put_all(s, 1);
	const ossa_status status = set_make(s, s->is_in, *is_body ? s->kind : s->bodies->wanted, &all);
	if (status == OSSA_OK && (*is_body ? all.score - s->set.score >= OSSAI_STRONG_LOG_ODDS : is_sure(s, &all))) {
		*is_body = true;
		s->kind = all.rest->body.kind;
		set_end(s, &s->set);
		s->set = all;
		return OSSA_OK;
	}
	set_end(s, &all);
	put_all(s, 0);
	if (!*is_body) refuse(s);
	return status;
}

/* ---- limbs ---- */

static double distance_to(const ossa_mesh *mesh, ossai_vec3 point)
{
	double least = INFINITY;
	for (size_t v = 0; v < mesh->vertex_count; v++)
		least = fmin(least, ossai_distance(point, ossai_v3_of_float(mesh->positions + 3 * v)));
	return least;
}

static bool is_end(const ossa_skeleton *skeleton, size_t bone)
{
	if (skeleton->bones[bone].role.part == OSSA_PART_NONE) return false;
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		const ossa_bone *other = &skeleton->bones[b];
		if (other->parent == (int32_t)bone && other->role.part != OSSA_PART_NONE) return false;
	}
	return true;
}

/* whether a limb of the rest shape ends in a body, out of the largest one */
static bool reaches_out(const limb_search *s, const ossa_rig *rest, uint32_t item)
{
	for (size_t bone = 0; rest && bone < rest->skeleton.bone_count; bone++) {
		const ossai_vec3 tip = ossai_v3_of(rest->skeleton.bones[bone].tail);
		if (!is_end(&rest->skeleton, bone)) continue;
		const double trunk = distance_to(s->part[s->largest].mesh, tip);
		if (trunk >= LEAST_REACH * s->size[item] && distance_to(s->part[item].mesh, tip) < trunk) return true;
	}
	return false;
}

/* of a body of its own, whatever kind the whole is */
static ossa_status measure_alone(const limb_search *s, uint32_t item, double *score)
{
	limb_set set;
	memset(s->alone, 0, s->bodies->count);
	s->alone[item] = 1;
	const ossa_status status = set_make(s, s->alone, OSSA_BODY_AUTO, &set);
	*score = fmax(set.score, 0);
	set_end(s, &set);
	return status;
}

/* In or out: in where one body is likelier than two, and the item a limb of it. */
static ossa_status try_item(limb_search *s, uint32_t item)
{
	limb_set other;
	double alone = 0;
	const bool was_in = s->is_in[item];
	s->is_in[item] = !was_in;
	ossa_status status = set_make(s, s->is_in, s->kind, &other);
	const limb_set *with = was_in ? &s->set : &other, *without = was_in ? &other : &s->set;
	s->is_in[item] = with->score - without->score >= OSSAI_STRONG_LOG_ODDS && reaches_out(s, with->rest, item);
	if (status == OSSA_OK && s->is_in[item]) {
		status = measure_alone(s, item, &alone);
		s->is_in[item] = with->score - without->score - alone >= OSSAI_STRONG_LOG_ODDS;
	}
	if (s->is_in[item] != was_in) {
		const limb_set swap = s->set;
		s->set = other;
		other = swap;
	}
	set_end(s, &other);
	return status;
}

/* ---- one body of them ---- */

static void take_figure(const limb_search *s)
{
	for (size_t i = 0; i < s->item_count; i++) {
		const uint32_t item = s->item[i];
		if (!s->is_in[item]) continue;
		s->figure[item] = s->largest;
		s->is_done[item] = 1;
		s->bodies->joined++;
		s->bodies->kind = s->kind;
	}
}

/* is_body: whether there was one to consider */
static ossa_status find_figure(limb_search *s, bool *is_body)
{
	bool has_limbs = false;
	find_touching(s);
	find_items(s);
	*is_body = false;
	if (s->item_count == 0) return OSSA_OK;
	OSSAI_TRY(begin_set(s, is_body));
	for (size_t i = 0; i < s->item_count && *is_body; i++) OSSAI_TRY(try_item(s, s->item[i]));
	for (size_t i = 0; i < s->item_count; i++) has_limbs = has_limbs || s->is_in[s->item[i]];
	/* what it has become in the end is a body without doubt, too */
	if (has_limbs && is_sure(s, &s->set)) take_figure(s);
	return OSSA_OK;
}

/* Figures one after the other, the largest first; none is left where so many of the largest are
   none. */
static ossa_status find_figures(limb_search *s)
{
	size_t none = 0;
	for (s->largest = find_largest(s); s->largest != OSSA_NONE && none < ITEMS_MOST; s->largest = find_largest(s)) {
		bool is_body;
		const ossa_status status = find_figure(s, &is_body);
		set_end(s, &s->set);
		if (status != OSSA_OK) return status;
		none = is_body ? 0 : none + 1;
		s->is_done[s->largest] = 1;
	}
	return OSSA_OK;
}

/* bodies of a figure become one, and all are numbered by their first faces again */
static ossa_status join(const limb_search *s)
{
	ossai_body_faces *bodies = s->bodies;
	uint32_t count = 0;
	uint32_t *of_figure = ossai_arena_new(s->scratch, bodies->count, sizeof *of_figure);
	bodies->number = ossai_arena_new(s->arena, bodies->count, sizeof *bodies->number);
	if (!of_figure || !bodies->number) return last_error(s);
	for (size_t b = 0; b < bodies->count; b++) of_figure[b] = OSSA_NONE;
	/* they were in that order before */
	for (size_t b = 0; b < bodies->count; b++) {
		uint32_t *own = &of_figure[s->figure[b]];
		if (*own == OSSA_NONE) *own = count++;
		bodies->number[b] = *own;
	}
	for (size_t f = 0; f < s->mesh->triangle_count; f++) bodies->of_face[f] = bodies->number[bodies->of_face[f]];
	bodies->count = count;
	return OSSA_OK;
}

static ossa_status search(limb_search *s)
{
	const size_t count = s->bodies->count;
	s->part = ossai_arena_new(s->scratch, count, sizeof *s->part);
	s->size = ossai_arena_new(s->scratch, count, sizeof *s->size);
	s->touching = ossai_arena_new(s->scratch, count, sizeof *s->touching);
	s->figure = ossai_arena_new(s->scratch, count, sizeof *s->figure);
	s->is_done = ossai_arena_new(s->scratch, count, 1);
	s->is_refused = ossai_arena_zero(s->scratch, count, 1);
	s->is_in = ossai_arena_zero(s->scratch, count, 1);
	s->alone = ossai_arena_zero(s->scratch, count, 1);
	const bool ready = s->part && s->size && s->touching && s->figure && s->is_done && s->is_refused && s->is_in && s->alone;
	if (!ready) return last_error(s);
	OSSAI_TRY(ossai_body_faces_split(s->scratch, s->mesh, s->bodies, s->part));
	for (uint32_t b = 0; b < count; b++) {
		s->figure[b] = b;
		s->size[b] = ossai_bounds_make(s->part[b].mesh->vertex_count, s->part[b].mesh->positions).diagonal;
	}
	leave_others(s);
	OSSAI_TRY(find_figures(s));
	return s->bodies->joined > 0 ? join(s) : OSSA_OK;
}

ossa_status ossai_body_limbs_join(ossai_arena *arena, const ossa_mesh *mesh, ossai_body_faces *bodies)
{
	if (bodies->wanted == OSSA_BODY_NONE || bodies->touch_count == 0) return OSSA_OK;
	ossai_arena scratch = ossai_arena_begin(arena->context);
	limb_search s = {.arena = arena, .scratch = &scratch, .mesh = mesh, .bodies = bodies};
	const ossa_status status = search(&s);
	ossai_arena_end(&scratch);
	return status;
}

/* methods/bodies/body_limbs.c: bodies that are limbs of one.

   Place in the path: body_parts -> here -> body_parts.
   Input: bodies by motion, and which of them touch at rest.
   Output: the same, limbs joined.
   Whether a piece is a limb is a question to the shape at rest: the logarithm of the likelihood
   that it is such a body, over that of none (body/recognize.h), with the piece, less that without
   it and that of a piece that is a body itself. A leg adds 9, a sword takes as much away. The set
   of pieces begins with all that touch, or with the largest alone, whichever is likelier a body;
   then each is put in or taken out (docs/roots.md, Limbs that come off). */
#include "methods/bodies/bodies.h"

#include "base/union_find.h"
#include "body/recognize.h"
#include "mesh/bounds.h"
#include "methods/rest_rig.h"

#include <math.h>
#include <string.h>

/* Strong evidence: the logarithm of odds that is 6 on the scale of Kass and Raftery (twice it). */
static const double STRONG = 3;
/* What is smaller than this share of all that touches is no limb, and is not asked about. */
static const double LEAST_SIZE = 0.1;

typedef struct limb_search {
	ossai_arena *arena, *scratch;
	const ossa_mesh *mesh;
	ossa_body_kind kind; /* of the set */
	ossai_body_faces *bodies;
	ossai_body_part *part;  /* by body: its mesh */
	uint8_t *is_in, *alone; /* by body: of the set; of one body */
	double score;           /* of the set; 0: no body without doubt */
	uint32_t largest;       /* the body that the set is about */
	size_t item_count;
	/* others that it touches, or that touch these, and are large enough; the largest first */
	uint32_t *item;
} limb_search;

static ossa_status last_error(const limb_search *s) { return ossa_context_error(s->scratch->context)->status; }

/* ---- what touches ---- */

static double size_of(const ossa_mesh *mesh) { return ossai_bounds_make(mesh->vertex_count, mesh->positions).diagonal; }

/* those that touch the largest, or each other on the way to it, the larger first */
static ossa_status find_items(limb_search *s)
{
	const size_t count = s->bodies->count;
	uint32_t *set = ossai_arena_new(s->scratch, count, sizeof *set);
	double *size = ossai_arena_new(s->scratch, count, sizeof *size);
	s->item = ossai_arena_new(s->scratch, count, sizeof *s->item);
	if (!set || !size || !s->item) return last_error(s);
	ossai_union_begin(set, count);
	for (size_t i = 0; i < s->bodies->touch_count; i++)
		ossai_union_join(set, s->bodies->touch[2 * i], s->bodies->touch[2 * i + 1]);
	for (uint32_t b = 0; b < count; b++) {
		size[b] = size_of(s->part[b].mesh);
		if (size[b] > size[s->largest]) s->largest = b;
	}
	const uint32_t own = ossai_union_find(set, s->largest);
	for (uint32_t b = 0; b < count; b++) {
		if (b == s->largest || ossai_union_find(set, b) != own || size[b] < LEAST_SIZE * size[s->largest]) continue;
		size_t at = s->item_count++;
		for (; at > 0 && size[s->item[at - 1]] < size[b]; at--) s->item[at] = s->item[at - 1];
		s->item[at] = b;
	}
	return OSSA_OK;
}

/* ---- how likely a set is a body ---- */

/* the rest shape of the bodies of a set alone */
static ossa_status make_set(const limb_search *s, const uint8_t *is_in, ossai_arena *scratch, ossai_body_part *part)
{
	const size_t faces = s->mesh->triangle_count;
	uint32_t *of_face = ossai_arena_new(scratch, faces, sizeof *of_face);
	ossai_body_part both[2];
	if (!of_face) return last_error(s);
	for (size_t f = 0; f < faces; f++) of_face[f] = !is_in[s->bodies->of_face[f]];
	OSSAI_TRY(ossai_body_faces_split(scratch, s->mesh, &(ossai_body_faces){.count = 2, .of_face = of_face}, both));
	*part = both[0];
	return OSSA_OK;
}

/* the logarithm of the likelihood of a body over that of none; 0 where it is none without doubt */
static ossa_status measure(
	const limb_search *s, const uint8_t *is_in, ossa_body_kind wanted, double *score, ossa_body_kind *kind)
{
	ossa_context *context = s->scratch->context;
	const ossai_rest_wish wish = {.body = wanted};
	ossai_arena scratch = ossai_arena_begin(context);
	ossai_body_part part = {.mesh = NULL};
	ossa_rig *rest = NULL;
	ossa_status status = make_set(s, is_in, &scratch, &part);
	if (status == OSSA_OK) status = ossai_rest_rig_make(context, part.mesh, &wish, &rest);
	/* it is not the body that a person insists on: nor is it a limb */
	if (status == OSSA_ERROR_INPUT) status = OSSA_OK;
	const bool is_body = rest && rest->body.kind != OSSA_BODY_NONE && rest->body.score > 0 &&
		(wanted != OSSA_BODY_AUTO || rest->body.kind_odds >= log(OSSAI_SURE_ODDS));
	*score = is_body ? rest->body.score : 0;
	*kind = is_body ? rest->body.kind : OSSA_BODY_NONE;
	ossa_rig_free(context, rest);
	ossai_arena_end(&scratch);
	return status;
}

static ossa_status measure_set(const limb_search *s, double *score, ossa_body_kind *kind)
{
	return measure(s, s->is_in, s->bodies->wanted, score, kind);
}

/* of a body of its own; what a person insists on is about the whole */
static ossa_status measure_alone(const limb_search *s, uint32_t item, double *score)
{
	ossa_body_kind kind;
	memset(s->alone, 0, s->bodies->count);
	s->alone[item] = 1;
	return measure(s, s->alone, OSSA_BODY_AUTO, score, &kind);
}

static void put_all(const limb_search *s, uint8_t is_in)
{
	for (size_t i = 0; i < s->item_count; i++) s->is_in[s->item[i]] = is_in;
}

/* all that touch, or the largest alone */
static ossa_status begin_set(limb_search *s)
{
	double score;
	ossa_body_kind kind;
	s->is_in[s->largest] = 1;
	OSSAI_TRY(measure_set(s, &s->score, &s->kind));
	put_all(s, 1);
	OSSAI_TRY(measure_set(s, &score, &kind));
	if (score - s->score >= STRONG) {
		s->score = score;
		s->kind = kind;
	} else put_all(s, 0);
	return OSSA_OK;
}

/* In or out: in where one body is likelier than two. */
static ossa_status try_item(limb_search *s, uint32_t item)
{
	double score, alone = 0;
	ossa_body_kind kind;
	const bool was_in = s->is_in[item];
	s->is_in[item] = !was_in;
	OSSAI_TRY(measure_set(s, &score, &kind));
	const double gain = was_in ? s->score - score : score - s->score;
	if (gain >= STRONG) OSSAI_TRY(measure_alone(s, item, &alone));
	const bool is_in = gain - alone >= STRONG;
	s->is_in[item] = is_in;
	if (is_in == was_in) return OSSA_OK;
	s->score = score;
	s->kind = kind;
	return OSSA_OK;
}

/* ---- one body of them ---- */

/* bodies of the set become one, and all are numbered by their first faces again */
static ossa_status join_set(const limb_search *s)
{
	ossai_body_faces *bodies = s->bodies;
	uint32_t count = 0, set = OSSA_NONE;
	bodies->number = ossai_arena_new(s->arena, bodies->count, sizeof *bodies->number);
	if (!bodies->number) return last_error(s);
	/* they were in that order before */
	for (size_t b = 0; b < bodies->count; b++) {
		const bool is_first = !s->is_in[b] || set == OSSA_NONE;
		bodies->number[b] = is_first ? count++ : set;
		if (s->is_in[b]) set = bodies->number[b];
	}
	for (size_t f = 0; f < s->mesh->triangle_count; f++) bodies->of_face[f] = bodies->number[bodies->of_face[f]];
	bodies->joined = bodies->count - count;
	bodies->count = count;
	bodies->kind = s->kind;
	return OSSA_OK;
}

static ossa_status search(limb_search *s)
{
	s->part = ossai_arena_new(s->scratch, s->bodies->count, sizeof *s->part);
	s->is_in = ossai_arena_zero(s->scratch, s->bodies->count, 1);
	s->alone = ossai_arena_new(s->scratch, s->bodies->count, 1);
	if (!s->part || !s->is_in || !s->alone) return last_error(s);
	OSSAI_TRY(ossai_body_faces_split(s->scratch, s->mesh, s->bodies, s->part));
	OSSAI_TRY(find_items(s));
	if (s->item_count == 0) return OSSA_OK;
	OSSAI_TRY(begin_set(s));
	for (size_t i = 0; i < s->item_count && s->score > 0; i++) OSSAI_TRY(try_item(s, s->item[i]));
	for (size_t i = 0; i < s->item_count; i++) {
		if (s->is_in[s->item[i]]) return join_set(s);
	}
	return OSSA_OK;
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

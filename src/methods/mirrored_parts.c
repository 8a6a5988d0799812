/* methods/mirrored_parts.c: see mirrored_parts.h. */
#include "methods/mirrored_parts.h"

#include "parts/rigid_error.h"
#include "weights/bone_weights.h"

#include <stdlib.h>
#include <string.h>

/* A part and its image, or a central or lone one alone. */
typedef struct orbit {
	bool is_pair, is_lone, is_gone;
	double *own, *image; /* states of the rigid error */
	double error;        /* of own, and of image where it is a pair */
} orbit;

/* what merging two orbits adds to the error, for each part less */
typedef struct merger {
	double cost;
	bool flips; /* the second one's image comes to the first one's own */
} merger;

/* which parts of two orbits meet */
enum { SAME_SIDES = 1, OTHER_SIDES = 2 };

typedef struct merging {
	const ossai_posed_surface *surface;
	size_t poses, state_size, width; /* width: parts of the draft and one for none */
	uint32_t *label;                 /* V: own * width + other */
	uint32_t *orbit_of;              /* width x width, of labels with own <= other: OSSA_NONE */
	uint8_t *flipped;                /* width x width */
	size_t count, parts;             /* of orbits; of parts that are left */
	orbit *orbits;
	uint8_t *touches; /* count x count: SAME_SIDES, OTHER_SIDES or both */
	merger *mergers;  /* count x count */
	double *scratch, *nothing;
} merging;

/* ---- labels ---- */

static uint32_t first_label(const merging *m, uint32_t label)
{
	const uint32_t own = label / (uint32_t)m->width, other = label % (uint32_t)m->width;
	return own <= other ? label : other * (uint32_t)m->width + own;
}

static ossa_status label_vertices(ossai_arena *scratch, merging *m, const uint32_t *part_of_face, const uint32_t *region)
{
	const ossai_posed_surface *s = m->surface;
	ossai_bone_weights first;
	OSSAI_TRY(ossai_bone_weights_new(scratch, s->vertex_count, m->width - 1, 1, &first));
	ossai_bone_weights_from_clusters(s, part_of_face, &first);
	m->label = ossai_arena_new(scratch, s->vertex_count, sizeof *m->label);
	if (!m->label) return ossa_context_error(scratch->context)->status;
	for (size_t v = 0; v < s->vertex_count; v++) {
		const uint32_t other = region[v] == OSSA_NONE ? (uint32_t)m->width - 1 : first.bone[region[v]];
		m->label[v] = s->used[v] ? first.bone[v] * (uint32_t)m->width + other : OSSA_NONE;
	}
	return OSSA_OK;
}

/* that of two of its corners, or of the first */
static uint32_t label_of_face(const merging *m, size_t f)
{
	const uint32_t *t = m->surface->triangles + 3 * f;
	return m->label[t[1]] == m->label[t[2]] ? m->label[t[1]] : m->label[t[0]];
}

/* ---- orbits ---- */

static double error_of(const merging *m, const double *a, const double *b)
{
	size_t pose = 0;
	return ossai_ref_union_error(m->poses, a, b, 0, INFINITY, &pose);
}

static void measure(const merging *m, orbit *o)
{
	o->error = error_of(m, o->own, m->nothing) + (o->is_pair ? error_of(m, o->image, m->nothing) : 0);
}

static ossa_status take_arrays(ossai_arena *scratch, merging *m)
{
	const size_t n = m->count;
	double *states = ossai_arena_zero(scratch, 2 * n, m->state_size * sizeof *states);
	m->orbits = ossai_arena_zero(scratch, n, sizeof *m->orbits);
	m->touches = ossai_arena_zero(scratch, n, n * sizeof *m->touches);
	m->mergers = ossai_arena_new(scratch, n, n * sizeof *m->mergers);
	m->scratch = ossai_arena_new(scratch, 3, m->state_size * sizeof *m->scratch);
	m->nothing = ossai_arena_zero(scratch, 1, m->state_size * sizeof *m->nothing);
	if (!states || !m->orbits || !m->touches || !m->mergers || !m->scratch || !m->nothing)
		return ossa_context_error(scratch->context)->status;
	for (size_t i = 0; i < n; i++) {
		m->orbits[i].own = states + 2 * i * m->state_size;
		m->orbits[i].image = m->orbits[i].own + m->state_size;
	}
	return OSSA_OK;
}

static void add_faces(const merging *m)
{
	for (size_t f = 0; f < m->surface->face_count; f++) {
		const uint32_t label = label_of_face(m, f), first = first_label(m, label);
		orbit *o = &m->orbits[m->orbit_of[first]];
		ossai_ref_face(m->surface, f, m->scratch);
		ossai_ref_add(m->poses, label == first ? o->own : o->image, m->scratch);
	}
}

static void touch(const merging *m, uint32_t v, uint32_t w)
{
	const uint32_t a = m->label[v], b = m->label[w];
	if (a == b || a == OSSA_NONE || b == OSSA_NONE) return;
	const uint32_t first_a = first_label(m, a), first_b = first_label(m, b);
	const uint32_t p = m->orbit_of[first_a], q = m->orbit_of[first_b];
	const uint8_t sides = (a == first_a) == (b == first_b) ? SAME_SIDES : OTHER_SIDES;
	m->touches[p * m->count + q] |= sides;
	if (p != q) m->touches[q * m->count + p] |= sides;
}

static void find_touching(const merging *m)
{
	const ossai_posed_surface *s = m->surface;
	for (uint32_t v = 0; v < s->vertex_count; v++) {
		for (uint32_t i = s->adjacency.vertex_start[v]; i < s->adjacency.vertex_start[v + 1]; i++)
			touch(m, v, s->adjacency.vertex_neighbor[i]);
	}
	for (size_t i = 0; s->link_pieces && i < s->link_count; i++)
		touch(m, s->triangles[3 * (size_t)s->links[2 * i]], s->triangles[3 * (size_t)s->links[2 * i + 1]]);
}

static ossa_status make_orbits(ossai_arena *scratch, merging *m)
{
	m->orbit_of = ossai_arena_new(scratch, m->width, m->width * sizeof *m->orbit_of);
	m->flipped = ossai_arena_zero(scratch, m->width, m->width * sizeof *m->flipped);
	if (!m->orbit_of || !m->flipped) return ossa_context_error(scratch->context)->status;
	for (size_t i = 0; i < m->width * m->width; i++) m->orbit_of[i] = OSSA_NONE;
	for (size_t v = 0; v < m->surface->vertex_count; v++) {
		const uint32_t first = m->label[v] == OSSA_NONE ? 0 : first_label(m, m->label[v]);
		if (m->label[v] != OSSA_NONE && m->orbit_of[first] == OSSA_NONE) m->orbit_of[first] = (uint32_t)m->count++;
	}
	OSSAI_TRY(take_arrays(scratch, m));
	for (size_t i = 0; i < m->width * m->width; i++) {
		if (m->orbit_of[i] == OSSA_NONE) continue;
		orbit *o = &m->orbits[m->orbit_of[i]];
		o->is_lone = i % m->width == m->width - 1;
		o->is_pair = !o->is_lone && i / m->width != i % m->width;
		m->parts += o->is_pair ? 2 : 1;
	}
	add_faces(m);
	for (size_t i = 0; i < m->count; i++) measure(m, &m->orbits[i]);
	find_touching(m);
	return OSSA_OK;
}

/* ---- merging ---- */

/* both sides of an orbit as one state */
static const double *whole(const merging *m, const orbit *o, double *sum)
{
	memcpy(sum, o->own, m->state_size * sizeof *sum);
	if (o->is_pair) ossai_ref_add(m->poses, sum, o->image);
	return sum;
}

static merger merger_of(const merging *m, size_t p, size_t q)
{
	const orbit *a = &m->orbits[p], *b = &m->orbits[q];
	double *sum = m->scratch, *other = m->scratch + m->state_size;
	if (a->is_lone != b->is_lone || (p == q && !a->is_pair)) return (merger){INFINITY, false};
	if (p == q) return (merger){error_of(m, a->own, a->image) - a->error, false};
	const double before = a->error + b->error;
	if (a->is_pair && b->is_pair) {
		const uint8_t touches = m->touches[p * m->count + q];
		const double same = touches & SAME_SIDES ? error_of(m, a->own, b->own) + error_of(m, a->image, b->image) : INFINITY;
		const double flipped = touches & OTHER_SIDES ? error_of(m, a->own, b->image) + error_of(m, a->image, b->own) : INFINITY;
		return (merger){0.5 * (fmin(same, flipped) - before), flipped < same};
	}
	const double all = error_of(m, whole(m, a, sum), whole(m, b, other));
	return (merger){(all - before) / (a->is_pair || b->is_pair ? 2 : 1), false};
}

static void update(const merging *m, size_t p)
{
	for (size_t q = 0; q < m->count; q++) {
		const bool may = m->touches[p * m->count + q] && !m->orbits[p].is_gone && !m->orbits[q].is_gone;
		const merger none = {INFINITY, false};
		/* the first is the smaller one */
		m->mergers[p < q ? p * m->count + q : q * m->count + p] = may ? merger_of(m, p < q ? p : q, p < q ? q : p) : none;
	}
}

/* the sides where an orbit meets others, seen from one that it is merged with */
static uint8_t seen_sides(uint8_t sides, bool flips)
{
	return flips ? (uint8_t)((sides & SAME_SIDES ? OTHER_SIDES : 0) | (sides & OTHER_SIDES ? SAME_SIDES : 0)) : sides;
}

static void relabel(const merging *m, size_t from, size_t to, bool flips)
{
	for (size_t i = 0; i < m->width * m->width; i++) {
		if (m->orbit_of[i] != from) continue;
		m->orbit_of[i] = (uint32_t)to;
		m->flipped[i] ^= flips;
	}
}

static void merge(merging *m, size_t p, size_t q, bool flips)
{
	orbit *a = &m->orbits[p], *b = &m->orbits[q];
	const size_t before = (a->is_pair ? 2 : 1) + (p == q ? 0 : b->is_pair ? 2 : 1);
	if (p != q && a->is_pair && b->is_pair) {
		ossai_ref_add(m->poses, a->own, flips ? b->image : b->own);
		ossai_ref_add(m->poses, a->image, flips ? b->own : b->image);
	} else {
		whole(m, a, m->scratch);
		if (p != q) ossai_ref_add(m->poses, m->scratch, whole(m, b, m->scratch + m->state_size));
		memcpy(a->own, m->scratch, m->state_size * sizeof *a->own);
		a->is_pair = false;
	}
	measure(m, a);
	m->parts -= before - (a->is_pair ? 2 : 1);
	if (p == q) return;
	b->is_gone = true;
	relabel(m, q, p, flips);
	for (size_t i = 0; i < m->count; i++) {
		const uint8_t sides = seen_sides(m->touches[q * m->count + i], flips);
		if (i != q && i != p) m->touches[p * m->count + i] |= sides, m->touches[i * m->count + p] |= sides;
	}
}

/* the cheapest merger; false where nothing is left to merge */
static bool merge_cheapest(merging *m)
{
	size_t best = 0;
	for (size_t i = 1; i < m->count * m->count; i++) {
		if (i / m->count <= i % m->count && m->mergers[i].cost < m->mergers[best].cost) best = i;
	}
	if (!(m->mergers[best].cost < INFINITY)) return false;
	const size_t p = best / m->count, q = best % m->count;
	merge(m, p, q, m->mergers[best].flips);
	update(m, q);
	update(m, p);
	return true;
}

/* A symmetric rig needs a central bone for its root: where there is no such part, the pair that
   adds the least error becomes one. */
static void make_central(merging *m)
{
	size_t best = m->count;
	double least = INFINITY;
	for (size_t i = 0; i < m->count; i++) {
		const orbit *o = &m->orbits[i];
		if (!o->is_gone && !o->is_pair && !o->is_lone) return;
		const double cost = o->is_gone ? INFINITY : merger_of(m, i, i).cost;
		if (!(cost < least)) continue;
		least = cost;
		best = i;
	}
	if (best < m->count) merge(m, best, best, false);
}

/* ---- the parts ---- */

static ossa_status number_parts(ossai_arena *arena, ossai_arena *scratch, const merging *m, ossai_mirrored_parts *parts)
{
	uint32_t *number = ossai_arena_new(scratch, m->count, sizeof *number);
	parts->of_vertex = ossai_arena_new(arena, m->surface->vertex_count, sizeof *parts->of_vertex);
	parts->image = ossai_arena_new(arena, m->parts, sizeof *parts->image);
	if (!number || !parts->of_vertex || !parts->image) return ossa_context_error(arena->context)->status;
	for (size_t i = 0; i < m->count; i++) {
		const orbit *o = &m->orbits[i];
		const uint32_t at = number[i] = (uint32_t)parts->count;
		if (o->is_gone) continue;
		parts->image[at] = o->is_lone ? OSSA_NONE : at + o->is_pair;
		if (o->is_pair) parts->image[at + 1] = at;
		parts->count += o->is_pair ? 2 : 1;
	}
	for (size_t v = 0; v < m->surface->vertex_count; v++) {
		parts->of_vertex[v] = OSSA_NONE;
		if (m->label[v] == OSSA_NONE) continue;
		const uint32_t first = first_label(m, m->label[v]), i = m->orbit_of[first];
		const bool is_image = (m->label[v] != first) != m->flipped[first];
		parts->of_vertex[v] = number[i] + (m->orbits[i].is_pair && is_image);
	}
	return OSSA_OK;
}

static ossa_status make(ossai_arena *arena, ossai_arena *scratch, merging *m, const uint32_t *part_of_face,
	const uint32_t *region, size_t most, ossai_mirrored_parts *parts)
{
	OSSAI_TRY(label_vertices(scratch, m, part_of_face, region));
	OSSAI_TRY(make_orbits(scratch, m));
	for (size_t i = 0; i < m->count * m->count; i++) m->mergers[i] = (merger){INFINITY, false};
	for (size_t i = 0; i < m->count; i++) update(m, i);
	while (m->parts > most && merge_cheapest(m)) OSSAI_TRY(ossai_ask(arena->context));
	make_central(m);
	return number_parts(arena, scratch, m, parts);
}

ossa_status ossai_mirrored_parts_make(ossai_arena *arena, const ossai_posed_surface *surface, size_t part_count,
	const uint32_t *part_of_face, const uint32_t *region, size_t most, ossai_mirrored_parts *parts)
{
	*parts = (ossai_mirrored_parts){0};
	ossai_arena scratch = ossai_arena_begin(arena->context);
	merging m = {.surface = surface,
		.poses = surface->pose_count,
		.state_size = ossai_ref_size(surface->pose_count),
		.width = part_count + 1};
	const ossa_status status = make(arena, &scratch, &m, part_of_face, region, most, parts);
	ossai_arena_end(&scratch);
	return status;
}

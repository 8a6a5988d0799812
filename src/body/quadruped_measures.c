/* body/quadruped_measures.c: see quadruped_measures.h. */
#include "body/quadruped_measures.h"
#include "body/plan_lines.h"

#include "body/limb_pair.h"

#include <ossa/mesh.h>

#include <stdlib.h>

enum { SAMPLES = OSSAI_AXIS_SAMPLES };

/* Belly and back are medians over so many sections of the middle half between hind and front legs. */
enum { SECTIONS = 11 };

/* Where no section cuts the trunk: the height of the back, as a share of the figure's, and that of
   the belly in units. A back that is lower than the least one is none. */
static const double LEAST_BACK = 0.05, USUAL_BACK = 0.85, USUAL_BELLY = 0.42;

/* The back over a pair of legs is measured so far inward from them, as a neck may rise over them;
   in units. */
static const double INWARD = 0.1;

static const size_t *ends_of(const ossai_body *body, ossai_limb_kind kind)
{
	for (size_t l = 0; l < body->form->limb_count; l++) {
		if (body->form->limb[l].kind == kind) return body->end[l];
	}
	return NULL;
}

static bool shows(const size_t *pair) { return pair && (pair[0] != OSSAI_LIMB_HIDDEN || pair[1] != OSSAI_LIMB_HIDDEN); }

/* the node at which an ear's path meets that of the head */
static uint32_t ear_node(const ossai_quadruped_measures *m, const size_t *ears)
{
	const ossai_body_limbs *limbs = &m->body->limbs;
	const size_t ear = ears[0] == OSSAI_LIMB_HIDDEN ? ears[1] : ears[0];
	const size_t leg = limbs->arm[0] == OSSAI_LIMB_HIDDEN ? limbs->arm[1] : limbs->arm[0];
	return ossai_figure_meet(m->figure, ear, limbs->head, leg);
}

static void measure_axes(ossai_quadruped_measures *m)
{
	const ossai_body *body = m->body;
	const ossai_mirror plane = ossai_limb_pair_plane(m->figure, m->mirror, body->left, body->shoulder_node);
	const ossai_limb_pair_view pair = {m->figure, &m->sections, plane, body->left};
	const size_t *ears = ends_of(body, OSSAI_LIMB_EAR), *tail = ends_of(body, OSSAI_LIMB_TAIL);
	ossai_limb_pair_make(&pair, body->limbs.leg, body->hip_node, m->leg);
	ossai_limb_pair_make(&pair, body->limbs.arm, body->shoulder_node, m->arm);
	m->has_head = body->limbs.head != OSSAI_LIMB_HIDDEN;
	/* where the head shows no end an ear's is that of the head */
	m->has_ears = m->has_head && shows(ears);
	m->has_tail = shows(tail);
	if (m->has_ears) ossai_limb_pair_make(&pair, ears, ear_node(m, ears), m->ear);
	if (m->has_head) ossai_limb_axis_make(m->figure, &m->sections, body->limbs.head, body->shoulder_node, body->left, &m->head);
	if (m->has_tail) ossai_limb_axis_make(m->figure, &m->sections, tail[0], body->hip_node, body->left, &m->tail);
	for (int k = 0; k < 2; k++) {
		m->parting[0][k] = ossai_limb_pair_parting(m->leg, body->left, k);
		m->parting[1][k] = ossai_limb_pair_parting(m->arm, body->left, k);
	}
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double median(size_t count, double *values)
{
	qsort(values, count, sizeof *values, compare);
	return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* the heights over the floor of the section of the trunk across the front, so far ahead of the
   origin; false: there is none */
static bool cut_trunk(ossai_quadruped_measures *m, double ahead, double *belly, double *back)
{
	const ossai_body *body = m->body;
	const ossai_vec3 at = ossai_madd(m->middle, ahead - ossai_dot(body->front, m->middle), body->front);
	const ossai_section section = ossai_section_at(&m->sections, at, body->front, body->up);
	*belly = section.least - body->low;
	*back = section.most - body->low;
	return section.radius > 0;
}

static double mean_ahead(const ossai_quadruped_measures *m, const ossai_limb_axis axis[2], const size_t at[2])
{
	return ossai_dot(m->body->front, ossai_lerp(axis[0].point[at[0]], axis[1].point[at[1]], 0.5));
}

static void measure_trunk(ossai_quadruped_measures *m)
{
	static const size_t tips[2] = {0, 0};
	const double from = mean_ahead(m, m->leg, tips), to = mean_ahead(m, m->arm, tips);
	double belly[SECTIONS], back[SECTIONS], under, over;
	size_t count = 0;
	for (int i = 0; i < SECTIONS; i++) {
		const double share = 0.25 + 0.5 * i / (SECTIONS - 1);
		if (cut_trunk(m, from + share * (to - from), &belly[count], &back[count])) count++;
	}
	const double least = LEAST_BACK * m->body->height;
	m->unit = count > 0 ? fmax(median(count, back), least) : USUAL_BACK * m->body->height;
	m->belly = count > 0 ? median(count, belly) / m->unit : USUAL_BELLY;
	const double inward = INWARD * m->unit;
	const double over_legs[2] = {mean_ahead(m, m->leg, m->parting[0]) + inward, mean_ahead(m, m->arm, m->parting[1]) - inward};
	for (int pair = 0; pair < 2; pair++) m->back[pair] = cut_trunk(m, over_legs[pair], &under, &over) ? over / m->unit : 1;
}

ossa_status ossai_quadruped_measure(ossai_arena *arena, const ossai_figure *figure, const ossai_body *body,
	const ossai_mirror *mirror, ossai_quadruped_measures *measures)
{
	*measures = (ossai_quadruped_measures){.figure = figure, .body = body, .mirror = mirror};
	const ossai_mesh_view mesh = ossai_proxy_view(figure->proxy);
	OSSAI_TRY(ossai_sections_make(arena, &mesh, &measures->sections));
	const ossai_vec3 *node = figure->curve->node;
	measures->middle = ossai_lerp(node[body->hip_node], node[body->shoulder_node], 0.5);
	if (mirror->exists) measures->middle = ossai_lerp(measures->middle, ossai_mirror_point(mirror, measures->middle), 0.5);
	measure_axes(measures);
	measure_trunk(measures);
	measures->muzzle = measures->has_head ? measures->head.point[0] : ossai_plan_lines_front(figure->proxy, body, mirror);
	return OSSA_OK;
}

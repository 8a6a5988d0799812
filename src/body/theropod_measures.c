/* body/theropod_measures.c: see theropod_measures.h. */
#include "body/theropod_measures.h"
#include "body/plan_lines.h"

#include "body/frames.h"
#include "body/limb_pair.h"

#include <ossa/mesh.h>

static bool shows(const size_t pair[2]) { return pair[0] != OSSAI_LIMB_HIDDEN || pair[1] != OSSAI_LIMB_HIDDEN; }

/* the end of the tail, hidden where it shows none */
static size_t tail_of(const ossai_body *body)
{
	for (size_t l = 0; l < body->form->limb_count; l++) {
		if (body->form->limb[l].kind == OSSAI_LIMB_TAIL) return body->end[l][0];
	}
	return OSSAI_LIMB_HIDDEN;
}

/* the node of the trunk from which the head and the tail go out */
static uint32_t trunk_node(const ossai_theropod_measures *m)
{
	return m->has_legs ? m->body->hip_node : m->body->shoulder_node;
}

static void measure_axes(ossai_theropod_measures *m)
{
	const ossai_body *body = m->body;
	const ossai_mirror plane = ossai_limb_pair_plane(m->figure, m->mirror, body->left, trunk_node(m));
	const ossai_limb_pair_view pair = {m->figure, &m->sections, plane, body->left};
	const size_t tail = tail_of(body), head = body->limbs.head;
	m->has_head = head != OSSAI_LIMB_HIDDEN;
	m->has_tail = tail != OSSAI_LIMB_HIDDEN;
	if (m->has_legs) ossai_limb_pair_make(&pair, body->limbs.leg, body->hip_node, m->leg);
	if (m->has_arms) ossai_limb_pair_make(&pair, body->limbs.arm, body->shoulder_node, m->arm);
	if (m->has_head) ossai_limb_axis_make(m->figure, &m->sections, head, trunk_node(m), body->left, &m->head);
	if (m->has_tail) ossai_limb_axis_make(m->figure, &m->sections, tail, trunk_node(m), body->left, &m->tail);
	for (int k = 0; k < 2 && m->has_legs; k++) m->leg_parting[k] = ossai_limb_pair_parting(m->leg, body->left, k);
	const bool are_alike = m->mirror->exists;
	for (int k = 0; k < 2 && m->has_arms; k++)
		m->arm_begin[k] = ossai_limb_axis_begin(&m->arm[k], are_alike ? &m->arm[1 - k] : NULL);
}

/* the section of the trunk across the front, where the legs leave it */
static void measure_back(ossai_theropod_measures *m)
{
	const ossai_body *body = m->body;
	const ossai_vec3 legs = ossai_lerp(m->leg[0].point[m->leg_parting[0]], m->leg[1].point[m->leg_parting[1]], 0.5);
	const ossai_vec3 at = ossai_madd(m->middle, ossai_dot(body->front, ossai_sub(legs, m->middle)), body->front);
	const ossai_section section = ossai_section_at(&m->sections, at, body->front, body->up);
	m->back = section.radius > 0 ? section.most : ossai_dot(body->up, m->middle);
}

ossa_status ossai_theropod_measure(ossai_arena *arena, const ossai_figure *figure, const ossai_body *body,
	const ossai_mirror *mirror, ossai_theropod_measures *measures)
{
	*measures = (ossai_theropod_measures){.figure = figure, .body = body, .mirror = mirror};
	ossai_theropod_measures *m = measures;
	const ossai_mesh_view mesh = ossai_proxy_view(figure->proxy);
	OSSAI_TRY(ossai_sections_make(arena, &mesh, &m->sections));
	m->has_legs = shows(body->limbs.leg);
	m->has_arms = shows(body->limbs.arm);
	m->unit = ossai_spread_moments_of(figure->proxy).scale;
	m->middle = figure->curve->node[trunk_node(m)];
	if (mirror->exists) m->middle = ossai_lerp(m->middle, ossai_mirror_point(mirror, m->middle), 0.5);
	measure_axes(m);
	if (m->has_legs) measure_back(m);
	m->muzzle = m->has_head ? m->head.point[0] : ossai_plan_lines_front(m->figure->proxy, m->body, m->mirror);
	return OSSA_OK;
}

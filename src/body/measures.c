/* body/measures.c: see measures.h. */
#include "body/measures.h"

#include "body/limb_pair.h"
#include "body/shoulders.h"

#include <ossa/mesh.h>

/* Lengths are shares of the height from the floor to the neck; measured on rigged characters. */

/* The height at which arms leave the trunk, over that of the neck. */
static const ossai_range ARMS_UNDER_NECK = {0.88, 0.06};

/* The logarithm of the head's share of the figure's height. */
static const ossai_range HEAD_SHARE = {-1.6, 0.8};

/* Hidden legs stand so far beside the middle, their toes so far ahead of it, their ankles so high. */
static const double HIDDEN_SIDE = 0.08, HIDDEN_TOES = 0.1, HIDDEN_ANKLE = 0.055;

enum { SAMPLES = OSSAI_AXIS_SAMPLES };

/* Legs that clothes hide: straight ones from the floor to where hips are expected. */
static void imagine_leg(const ossai_body_measures *m, int k, ossai_limb_axis *leg)
{
	const ossai_vec3 up = m->body->up, under = ossai_madd(m->throat, -m->unit, up);
	const ossai_vec3 foot = ossai_madd(
		ossai_madd(under, HIDDEN_SIDE * m->unit, ossai_measures_side(m, k)), HIDDEN_TOES * m->unit, m->body->front);
	const ossai_vec3 ankle = ossai_madd(
		ossai_madd(under, HIDDEN_SIDE * m->unit, ossai_measures_side(m, k)), HIDDEN_ANKLE * m->unit, up);
	const double rise = ossai_hips_expected(&m->build).mean - HIDDEN_ANKLE, sole = ossai_distance(foot, ankle) / m->unit;
	leg->step = (sole + rise) * m->unit / SAMPLES;
	for (int i = 0; i <= SAMPLES; i++) {
		const double over = i * leg->step - sole * m->unit;
		leg->point[i] = over > 0 ? ossai_madd(ankle, over, up) : ossai_lerp(ankle, foot, -over / (sole * m->unit));
		leg->along[i] = over > 0 ? up : ossai_unit(ossai_sub(ankle, foot), up);
		leg->radius[i] = HIDDEN_SIDE * m->unit / 2;
		leg->inward[i] = ossai_dot(ossai_measures_side(m, k), leg->point[i]) - leg->radius[i];
	}
}

/* the logarithm of how likely the neck is at a height, by that at which the arms leave the trunk */
static double odds_of_neck(const ossai_body *body, double arms, double height)
{
	const double least = 1e-6 * body->height;
	const double under = (arms / fmax(height, least) - ARMS_UNDER_NECK.mean) / ARMS_UNDER_NECK.deviation;
	const double share = fmax(body->height - height, least) / body->height;
	const double head = (log(share) - HEAD_SHARE.mean) / HEAD_SHARE.deviation;
	return -(under * under + head * head) / 2;
}

/* where the neck is narrowest, by what is known of its height */
static void find_throat(ossai_body_measures *m)
{
	const ossai_body *body = m->body;
	double arms = 0, odds[SAMPLES + 1];
	for (int k = 0; k < 2; k++) {
		m->arm_begin[k] = ossai_limb_axis_begin(&m->arm[k], m->mirror->exists ? &m->arm[1 - k] : NULL);
		arms += (ossai_dot(body->up, m->arm[k].point[m->arm_begin[k]]) - body->low) / 2;
	}
	for (int i = 0; i <= SAMPLES; i++) odds[i] = odds_of_neck(body, arms, ossai_dot(body->up, m->head.point[i]) - body->low);
	m->neck = ossai_limb_axis_neck(&m->head, odds);
	m->throat = ossai_measures_middle(m, m->head.point[m->neck]);
	m->unit = ossai_dot(body->up, m->throat) - body->low;
}

/* the geometric mean of the arm's radius beyond the hand */
static double arm_radius(const ossai_limb_axis *arm, size_t begin)
{
	double sum = 0;
	for (size_t i = begin / 4; i <= begin; i++) sum += log(arm->radius[i]);
	return exp(sum / (double)(begin - begin / 4 + 1));
}

static void find_shoulders(ossai_body_measures *m)
{
	const ossai_body *body = m->body;
	double radius = 0;
	for (int k = 0; k < 2; k++) {
		const ossai_shoulder_view view = {.arm = &m->arm[k],
			.begin = m->arm_begin[k],
			.throat = m->throat,
			.up = body->up,
			.front = body->front,
			.side = ossai_measures_side(m, k),
			.unit = m->unit};
		m->shoulder[k] = ossai_shoulder_find(&view, &m->shoulder_deviation[k]);
		radius += arm_radius(&m->arm[k], m->arm_begin[k]) / 2;
	}
	const double apart = fabs(ossai_dot(body->left, ossai_sub(m->shoulder[0], m->shoulder[1])));
	m->build.head = 1 - m->unit / body->height;
	m->build.breadth = (apart / 2 + radius) / body->height;
}

static void measure_axes(ossai_body_measures *m)
{
	const ossai_body *body = m->body;
	const ossai_limb_pair_view pair = {
		m->figure, &m->sections, ossai_limb_pair_plane(m->figure, m->mirror, body->left, body->shoulder_node), body->left};
	ossai_limb_axis_make(m->figure, &m->sections, body->limbs.head, body->shoulder_node, body->left, &m->head);
	ossai_limb_pair_make(&pair, body->limbs.arm, body->shoulder_node, m->arm);
	find_throat(m);
	find_shoulders(m);
	for (int k = 0; k < 2 && ossai_body_hides_legs(body); k++) imagine_leg(m, k, &m->leg[k]);
	if (!ossai_body_hides_legs(body)) ossai_limb_pair_make(&pair, body->limbs.leg, body->hip_node, m->leg);
}

ossa_status ossai_body_measure_limbs(ossai_arena *arena, const ossai_figure *figure, const ossai_body *body,
	const ossai_mirror *mirror, ossai_body_measures *measures)
{
	*measures = (ossai_body_measures){.figure = figure, .body = body, .mirror = mirror};
	const ossai_mesh_view mesh = ossai_proxy_view(figure->proxy);
	OSSAI_TRY(ossai_sections_make(arena, &mesh, &measures->sections));
	measure_axes(measures);
	for (int k = 0; k < 2; k++) measures->parting[k] = ossai_limb_pair_parting(measures->leg, body->left, k);
	return OSSA_OK;
}

/* tests/quality/body_measures.c: what is measured of recognized bodies, and where their joints were
   put; for scripts/calibrate_bodies, calibrate_quadrupeds, calibrate_theropods and calibrate_forms.

   usage: body_measures [--surface] MESH...
          body_measures --forms

   Prints one JSON object for each mesh, on a line of its own; lengths are in units of the mesh. Of
   what has no plan it has the figure alone. --surface: with the vertices and faces of the proxy.
   --forms: the forms of bodies that the library has, a JSON list. */
#include "body/measures.h"
#include "body/frames.h"
#include "body/front.h"
#include "body/joints.h"
#include "body/quadruped_measures.h"
#include "body/theropod_measures.h"
#include "curves_of_meshes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_vector(const char *name, ossai_vec3 v) { printf(",\n\"%s\":[%.9g,%.9g,%.9g]", name, v.x, v.y, v.z); }

static void print_point(const ossai_posed_surface *s, const char *name, ossai_vec3 point)
{
	print_vector(name, ossai_madd(s->rest_center, s->scale, point));
}

/* rows of a point, its direction, the radius there, and the least of the section along `side` */
static void print_axis(const ossai_posed_surface *s, const char *name, const ossai_limb_axis *axis, ossai_vec3 side)
{
	printf(",\n\"%s\":[", name);
	for (int i = 0; i <= OSSAI_AXIS_SAMPLES; i++) {
		const ossai_vec3 p = ossai_madd(s->rest_center, s->scale, axis->point[i]), d = axis->along[i];
		const double inward = s->scale * axis->inward[i] + ossai_dot(side, s->rest_center);
		printf("%s[%.7g,%.7g,%.7g,%.7g,%.7g,%.7g,%.7g,%.7g]", i > 0 ? "," : "", p.x, p.y, p.z, d.x, d.y, d.z,
			s->scale * axis->radius[i], inward);
	}
	printf("]");
}

static void print_frame(const ossai_posed_surface *s, const ossai_body *body)
{
	print_vector("up", body->up);
	print_vector("left", body->left);
	print_vector("front", body->front);
	printf(
		",\n\"low\":%.9g,\"height\":%.9g", s->scale * body->low + ossai_dot(body->up, s->rest_center), s->scale * body->height);
}

static void print_measures(const ossai_posed_surface *s, const ossai_body_measures *m)
{
	const ossai_body *body = m->body;
	print_frame(s, body);
	print_point(s, "throat", m->throat);
	printf(",\n\"unit\":%.9g", s->scale * m->unit);
	printf(",\"hidden\":%d,\"score\":%.9g,\"neck\":%zu", ossai_body_hides_legs(body), body->score, m->neck);
	printf(",\"begin\":[%zu,%zu],\"parting\":[%zu,%zu]", m->arm_begin[0], m->arm_begin[1], m->parting[0], m->parting[1]);
	printf(",\"mirror\":[%d,%.9g,%.9g,%.9g,%.9g]", m->mirror->exists, m->mirror->normal.x, m->mirror->normal.y,
		m->mirror->normal.z, s->scale * m->mirror->offset + ossai_dot(m->mirror->normal, s->rest_center));
	for (int k = 0; k < 2; k++) {
		print_axis(s, k == 0 ? "leg_L" : "leg_R", &m->leg[k], ossai_measures_side(m, k));
		print_axis(s, k == 0 ? "arm_L" : "arm_R", &m->arm[k], ossai_measures_side(m, k));
	}
	print_axis(s, "head", &m->head, body->left);
}

static void print_quadruped(const ossai_posed_surface *s, const ossai_quadruped_measures *m)
{
	print_frame(s, m->body);
	print_point(s, "middle", m->middle);
	printf(",\n\"unit\":%.9g,\"belly\":%.9g,\"back\":[%.9g,%.9g]", s->scale * m->unit, m->belly, m->back[0], m->back[1]);
	printf(",\"parting\":[[%zu,%zu],[%zu,%zu]]", m->parting[0][0], m->parting[0][1], m->parting[1][0], m->parting[1][1]);
	for (int k = 0; k < 2; k++) {
		const ossai_vec3 side = ossai_scale(m->body->left, 1 - 2 * k);
		print_axis(s, k == 0 ? "leg_L" : "leg_R", &m->leg[k], side);
		print_axis(s, k == 0 ? "arm_L" : "arm_R", &m->arm[k], side);
	}
	if (m->has_head) print_axis(s, "head", &m->head, m->body->left);
}

static void print_theropod(const ossai_posed_surface *s, const ossai_theropod_measures *m)
{
	print_frame(s, m->body);
	print_point(s, "middle", m->middle);
	printf(",\n\"unit\":%.9g,\"back\":%.9g", s->scale * m->unit, s->scale * m->back + ossai_dot(m->body->up, s->rest_center));
	printf(
		",\"parting\":[%zu,%zu],\"begin\":[%zu,%zu]", m->leg_parting[0], m->leg_parting[1], m->arm_begin[0], m->arm_begin[1]);
	for (int k = 0; k < 2; k++) {
		const ossai_vec3 side = ossai_scale(m->body->left, 1 - 2 * k);
		if (m->has_legs) print_axis(s, k == 0 ? "leg_L" : "leg_R", &m->leg[k], side);
		if (m->has_arms) print_axis(s, k == 0 ? "arm_L" : "arm_R", &m->arm[k], side);
	}
	if (m->has_head) print_axis(s, "head", &m->head, m->body->left);
	if (m->has_tail) print_axis(s, "tail", &m->tail, m->body->left);
}

static void print_joints(const ossai_posed_surface *s, const ossai_body_joints *joints)
{
	printf(",\n\"joints\":[");
	for (size_t b = 0; b < joints->count; b++) {
		const ossai_body_joint *j = &joints->bone[b];
		const ossai_vec3 p = ossai_madd(s->rest_center, s->scale, j->joint);
		printf("%s[%d,%d,%d,%.9g,%.9g,%.9g,%.9g]", b > 0 ? "," : "", (int)j->role.part, j->role.side, j->role.number, p.x, p.y,
			p.z, s->scale * j->deviation);
	}
	printf("]");
}

static void print_surface(const ossai_posed_surface *s, const ossai_proxy *proxy)
{
	printf(",\n\"vertices\":[");
	for (size_t v = 0; v < proxy->vertex_count; v++) {
		const ossai_vec3 p = ossai_madd(s->rest_center, s->scale, ossai_v3_of(proxy->positions + 3 * v));
		printf("%s[%.7g,%.7g,%.7g]", v > 0 ? "," : "", p.x, p.y, p.z);
	}
	printf("],\n\"faces\":[");
	for (size_t f = 0; f < proxy->face_count; f++) {
		const uint32_t *v = proxy->triangles + 3 * f;
		printf("%s[%u,%u,%u]", f > 0 ? "," : "", v[0], v[1], v[2]);
	}
	printf("]");
}

/* what forms of bodies are made of: tips with their persistence, moments of the surface, slimness,
   in the axes of the file and units of the shape */
static void print_figure(const ossai_figure *figure, const ossai_body *body)
{
	const ossai_spread_moments m = ossai_spread_moments_of(figure->proxy);
	printf(",\n\"form\":\"%s\",\"form_score\":%.9g,\"slimness\":%.9g", body->form ? body->form->name : "", body->score,
		ossai_figure_slimness(figure));
	printf(",\n\"covariance\":[");
	for (int i = 0; i < 9; i++) printf("%s%.9g", i > 0 ? "," : "", m.covariance[i] / (m.scale * m.scale));
	ossai_frame frames[OSSAI_FRAMES];
	printf("],\n\"frames\":[");
	const size_t count = ossai_frames_find(figure, &m, frames);
	for (size_t i = 0; i < count; i++) {
		const ossai_frame *f = &frames[i];
		printf("%s[%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%d]", i > 0 ? "," : "", f->left.x, f->left.y,
			f->left.z, f->up.x, f->up.y, f->up.z, f->front.x, f->front.y, f->front.z, f->odds,
			(f->low - ossai_dot(f->up, m.center)) / m.scale, f->is_symmetric);
	}
	printf("],\n\"tips\":[");
	for (size_t e = 0; e < figure->end_count; e++) {
		const ossai_vec3 p = ossai_scale(ossai_sub(figure->end[e].tip, m.center), 1 / m.scale);
		printf("%s[%.9g,%.9g,%.9g,%.9g]", e > 0 ? "," : "", p.x, p.y, p.z, log(figure->end[e].persistence / m.scale));
	}
	printf("]");
	printf(",\n\"paths\":[");
	for (size_t a = 0; a < figure->end_count; a++) {
		for (size_t b = 0; b < figure->end_count; b++) {
			const double length = figure->end[a].distance[figure->end[b].node] / m.scale;
			printf("%s%.9g", a + b > 0 ? "," : "", length);
		}
	}
	printf("]");
}

static ossa_status print_plan_measures(ossai_still_work *work, const ossai_figure *figure, const ossai_body *body)
{
	ossai_body_measures *human = ossai_arena_new(work->arena, 1, sizeof *human);
	ossai_quadruped_measures *quadruped = ossai_arena_new(work->arena, 1, sizeof *quadruped);
	ossai_theropod_measures *theropod = ossai_arena_new(work->arena, 1, sizeof *theropod);
	if (!human || !quadruped || !theropod) return ossa_context_error(work->context)->status;
	switch (body->plan->kind) {
	case OSSA_BODY_HUMAN:
		OSSAI_TRY(ossai_body_measure_limbs(work->arena, figure, body, &work->mirror, human));
		print_measures(&work->surface, human);
		print_point(&work->surface, "shoulder_node", figure->curve->node[body->shoulder_node]);
		return OSSA_OK;
	case OSSA_BODY_QUADRUPED:
		OSSAI_TRY(ossai_quadruped_measure(work->arena, figure, body, &work->mirror, quadruped));
		print_quadruped(&work->surface, quadruped);
		return OSSA_OK;
	default:
		OSSAI_TRY(ossai_theropod_measure(work->arena, figure, body, &work->mirror, theropod));
		print_theropod(&work->surface, theropod);
		return OSSA_OK;
	}
}

/* how far hind and fore feet are ahead, what is known of that */
static void print_feet(const ossai_figure *figure, const ossai_body *body)
{
	const char *comma = "";
	printf(",\n\"front_odds\":%.9g,\"feet\":[", body->front_odds);
	for (int pair = 0; pair < 2; pair++) {
		double ahead;
		if (!ossai_body_feet_ahead(figure, body, pair == 1, &ahead)) continue;
		printf("%s%.9g", comma, ahead);
		comma = ",";
	}
	printf("]");
}

static ossa_status print_plan(ossai_still_work *work, const ossai_figure *figure, const ossai_body *body)
{
	ossai_body_joints *joints = ossai_arena_new(work->arena, 1, sizeof *joints);
	if (!joints) return ossa_context_error(work->context)->status;
	OSSAI_TRY(print_plan_measures(work, figure, body));
	print_feet(figure, body);
	OSSAI_TRY(ossai_body_joints_find(work->arena, figure, body, &work->mirror, false, joints));
	print_joints(&work->surface, joints);
	return OSSA_OK;
}

static ossa_status print_body(ossai_still_work *work, const char *path, bool with_surface)
{
	ossai_figure figure;
	ossai_body body;
	OSSAI_TRY(ossai_figure_make(work->arena, &work->proxy, &work->curve, &work->tips, &work->mirror, NULL, &figure));
	const ossai_figure seen = figure; /* recognition may add an end */
	OSSAI_TRY(ossai_body_recognize(work->arena, &figure, OSSA_BODY_AUTO, &body));
	const bool is_human = body.plan && body.plan->kind == OSSA_BODY_HUMAN;
	printf("{\"mesh\": \"%s\", \"human\": %s", path, is_human ? "true" : "false");
	print_figure(&seen, &body);
	if (body.plan) OSSAI_TRY(print_plan(work, &figure, &body));
	if (with_surface) print_surface(&work->surface, &work->proxy);
	printf("}\n");
	return OSSA_OK;
}

static void print_range(ossai_range r) { printf("[%.9g,%.9g]", r.mean, r.deviation); }

static void print_forms(void)
{
	for (size_t f = 0; f < ossai_form_count; f++) {
		const ossai_form *form = &ossai_forms[f];
		printf("%s{\"name\":\"%s\",\"kind\":\"%s\",\"odds\":%.9g,\"slimness\":", f > 0 ? ",\n" : "[", form->name,
			ossa_body_kind_name(form->kind), form->odds);
		print_range(form->slimness);
		for (int k = 0; k < 3; k++) {
			printf("%s", k == 0 ? ",\"spread\":[" : ",");
			print_range(form->spread[k]);
		}
		printf("],\"limbs\":[");
		for (size_t l = 0; l < form->limb_count; l++) {
			const ossai_limb *limb = &form->limb[l];
			printf("%s{\"kind\":%d,\"number\":%d,\"pair\":%s,\"ground\":%s,\"share\":%.9g,\"at\":[", l > 0 ? "," : "",
				(int)limb->kind, limb->number, limb->is_pair ? "true" : "false", limb->from_ground ? "true" : "false",
				limb->share);
			for (int k = 0; k < 4; k++) {
				if (k > 0) printf(",");
				print_range(k < 3 ? limb->at[k] : limb->persistence);
			}
			printf("]}");
		}
		printf("]}");
	}
	printf("]\n");
}

/* user: whether to print the surface, too */
static ossa_status print_recognized(ossai_contraction *made, const char *path, void *user)
{
	return print_body(&made->still, path, *(const bool *)user);
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "--forms") == 0) {
		print_forms();
		return EXIT_SUCCESS;
	}
	bool with_surface = argc > 1 && strcmp(argv[1], "--surface") == 0;
	const int first = with_surface ? 2 : 1;
	if (argc <= first) {
		fprintf(stderr, "usage: body_measures [--surface] MESH...\n");
		return EXIT_FAILURE;
	}
	return print_curves("body_measures", argc - first, argv + first, print_recognized, &with_surface);
}

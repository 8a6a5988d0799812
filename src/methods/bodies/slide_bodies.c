/* methods/bodies/slide_bodies.c: bodies that slide on others, as joints of rigs.

   Place in the path: make_bodies, a rig for each body -> here -> join_rigs.
   Input: rigs of bodies, which rigid parts of them slide (skeleton/from_motion/piece_slides.h).
   Output: in which order they are joined, and by which bones.
   What bodies do was measured on clusters of few faces; it is measured again by the bones of the
   rigs, with the same odds. */
#include "methods/bodies/bodies.h"

#include "math/rigid_fit.h"
#include "rig/pose.h"
#include "rig/rebuild.h"
#include "skeleton/naming/shared_skin.h"
#include "weights/bone_weights.h"

#include <math.h>
#include <string.h>

typedef struct sliding {
	ossa_context *context;
	ossai_arena *arena;
	const ossai_body_parts *parts;
	ossa_rig *const *rigs;
} sliding;

static ossa_status last_error(const sliding *s) { return ossa_context_error(s->context)->status; }

/* ---- which bones ---- */

/* the bone with the largest weight on the faces of a rigid part of a body */
static ossa_status find_bone(const sliding *s, uint32_t body, uint32_t part, uint32_t *bone)
{
	const ossa_rig *rig = s->rigs[body];
	const ossa_weights *weights = &rig->weights;
	const size_t width = (size_t)weights->influences;
	double *sum = ossai_arena_zero(s->arena, rig->skeleton.bone_count, sizeof *sum);
	if (!sum) return last_error(s);
	for (size_t f = 0; f < rig->mesh->triangle_count; f++) {
		if (s->parts->part_of_face[s->parts->items[body].triangles[f]] != part) continue;
		for (size_t i = 0; i < 3 * width; i++) {
			const size_t at = (size_t)rig->mesh->triangles[3 * f + i / width] * width + i % width;
			sum[weights->bones[at]] += (double)weights->values[at];
		}
	}
	*bone = 0;
	for (uint32_t b = 1; b < rig->skeleton.bone_count; b++) *bone = sum[b] > sum[*bone] ? b : *bone;
	return OSSA_OK;
}

/* ---- how they move ---- */

/* the skin of a bone: mass, center, mean of (x - center)(x - center)^T */
typedef struct bone_skin {
	double mass;
	ossai_vec3 center;
	double m[9];
} bone_skin;

static ossa_status measure_skin(const sliding *s, const ossa_rig *rig, uint32_t bone, bone_skin *to)
{
	const ossa_weights *weights = &rig->weights;
	const double *area = ossai_vertex_areas(s->arena, rig->mesh);
	*to = (bone_skin){.center = ossai_v3_of(rig->skeleton.bones[bone].joint)};
	if (!area) return last_error(s);
	ossai_vec3 sum = {0, 0, 0};
	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < weights->vertex_count * (size_t)weights->influences; i++) {
			const size_t v = i / (size_t)weights->influences;
			const double w = area[v] * (double)weights->values[i];
			double x[3];
			if (weights->bones[i] != bone || !(w > 0)) continue;
			const ossai_vec3 p = ossai_v3_of_float(rig->mesh->positions + 3 * v);
			if (round == 0) {
				to->mass += w;
				sum = ossai_madd(sum, w, p);
				continue;
			}
			ossai_v3_store(ossai_sub(p, to->center), x);
			for (int k = 0; k < 9; k++) to->m[k] += w / to->mass * x[k / 3] * x[k % 3];
		}
		if (to->mass > 0) to->center = ossai_scale(sum, 1 / to->mass);
	}
	return OSSA_OK;
}

/* of one bone in the frame of another at rest */
typedef struct slide_fit {
	ossai_vec3 axis; /* unit, toward the farthest place */
	double range[2]; /* along it */
	double residual2, spread2;
} slide_fit;

/* F: how a bone moves in the frame of another one */
static ossa_status relative_motion(
	const sliding *s, const ossa_rig *rig, uint32_t bone, const ossa_rig *up, uint32_t up_bone, ossai_rigid *x)
{
	double *own = ossai_arena_new(s->arena, rig->skeleton.bone_count, 12 * sizeof *own);
	double *other = ossai_arena_new(s->arena, up->skeleton.bone_count, 12 * sizeof *other);
	if (!own || !other) return last_error(s);
	for (size_t k = 0; k < rig->clip->frame_count; k++) {
		ossai_skin_matrices(rig, rig->clip, k, own);
		ossai_skin_matrices(up, up->clip, k, other);
		const ossai_rigid there = ossai_rigid_of(other + 12 * (size_t)up_bone), back = ossai_rigid_inverse(&there);
		const ossai_rigid here = ossai_rigid_of(own + 12 * (size_t)bone);
		x[k] = ossai_rigid_mul(&back, &here);
	}
	return OSSA_OK;
}

/* mean square of (R - I) x over the skin */
static double turned_square(const ossai_mat3 *r, const double *m)
{
	double sum = 0;
	for (int i = 0; i < 3; i++) {
		double off[3];
		for (int k = 0; k < 3; k++) off[k] = r->m[i][k] - (i == k ? 1 : 0);
		for (int k = 0; k < 9; k++) sum += off[k / 3] * m[k] * off[k % 3];
	}
	return fmax(sum, 0);
}

static void fit_slide(size_t frames, const ossai_rigid *x, const bone_skin *skin, slide_fit *fit)
{
	double s[9] = {0}, values[3], vectors[9], turns = 0, square = 0, along2 = 0;
	ossai_vec3 mean = {0, 0, 0};
	*fit = (slide_fit){.range = {0, 0}};
	for (size_t k = 0; k < frames; k++) {
		double v[3];
		const ossai_vec3 offset = ossai_sub(ossai_rigid_point(&x[k], skin->center), skin->center);
		ossai_v3_store(offset, v);
		for (int i = 0; i < 9; i++) s[i] += v[i / 3] * v[i % 3];
		mean = ossai_add(mean, offset);
		square += ossai_length2(offset);
		turns += turned_square(&x[k].r, skin->m);
	}
	ossai_symmetric_eigen(3, s, values, vectors);
	fit->axis = ossai_unit(ossai_v3(vectors[0], vectors[3], vectors[6]), ossai_v3(1, 0, 0));
	for (size_t k = 0; k < frames; k++) {
		const double d = ossai_dot(fit->axis, ossai_sub(ossai_rigid_point(&x[k], skin->center), skin->center));
		along2 += d * d;
		fit->range[0] = fmin(fit->range[0], d);
		fit->range[1] = fmax(fit->range[1], d);
	}
	const double count = (double)frames;
	fit->residual2 = (fmax(square - along2, 0) + turns) / count;
	fit->spread2 = (square + turns) / (count + 1) - ossai_length2(mean) / ((count + 1) * (count + 1));
	if (fit->range[1] >= -fit->range[0]) return;
	const double least = fit->range[0];
	fit->axis = ossai_scale(fit->axis, -1);
	fit->range[0] = -fit->range[1];
	fit->range[1] = -least;
}

/* within the slack rather than anywhere within the spread, as in piece_slides.c */
static bool is_slide(const slide_fit *fit, double slack)
{
	const double slack2 = slack * slack, free2 = fit->spread2 + slack2;
	return log(free2 / slack2) - fit->residual2 / slack2 + fit->residual2 / free2 > 0;
}

/* ---- the joint ---- */

static void set_joint(const slide_fit *fit, ossa_bone *bone)
{
	bone->kind = OSSA_JOINT_PRISMATIC;
	ossai_v3_store(fit->axis, bone->axis);
	bone->has_limits = bone->limits_of_motion = true;
	memset(bone->limits, 0, sizeof bone->limits);
	memcpy(bone->slide_limits, fit->range, sizeof bone->slide_limits);
	bone->turn_degrees = 0;
	bone->fit_residual = sqrt(fit->residual2);
}

/* how far the skin of a bone reaches from a point; 0 where it does not */
static double reach_of(const ossa_rig *rig, uint32_t bone, ossai_vec3 from, ossai_vec3 direction)
{
	const ossa_weights *weights = &rig->weights;
	double most = 0;
	for (size_t i = 0; i < weights->vertex_count * (size_t)weights->influences; i++) {
		if (weights->bones[i] != bone || !(weights->values[i] > 0)) continue;
		const ossai_vec3 p = ossai_v3_of_float(rig->mesh->positions + 3 * (i / (size_t)weights->influences));
		most = fmax(most, ossai_dot(direction, ossai_sub(p, from)));
	}
	return most;
}

/* A root without children points out of what holds it: along the axis, to the side of that one's
   skin on which its own is halfway on its way, as far as its skin reaches there. */
static ossa_status point_out(
	const sliding *s, const slide_fit *fit, const bone_skin *own, const bone_skin *holder, ossa_rig *rig)
{
	const size_t count = rig->skeleton.bone_count;
	const ossai_vec3 joint = ossai_v3_of(rig->skeleton.bones[0].joint);
	const ossai_vec3 halfway = ossai_madd(own->center, 0.5 * (fit->range[0] + fit->range[1]), fit->axis);
	const bool with_axis = ossai_dot(fit->axis, ossai_sub(halfway, holder->center)) >= 0;
	const ossai_vec3 out = with_axis ? fit->axis : ossai_scale(fit->axis, -1);
	const double reach = reach_of(rig, 0, joint, out);
	if (count > 1 || !(reach > 0)) return OSSA_OK;
	uint32_t source = 0;
	ossa_bone bone = rig->skeleton.bones[0];
	ossai_v3_store(ossai_madd(joint, reach, out), bone.tail);
	const ossai_rebuilt to = {.count = 1, .bone = &bone, .source = &source, .keep_tails = true};
	return ossai_rig_rebuild(s->context, &to, rig);
}

static ossa_status try_slide(const sliding *s, const ossai_body_slide *slide, ossai_rig_part *part)
{
	ossa_rig *rig = s->rigs[slide->body], *up = s->rigs[slide->up];
	uint32_t bone;
	bone_skin skin, holder;
	slide_fit fit;
	OSSAI_TRY(find_bone(s, slide->body, slide->part, &bone));
	OSSAI_TRY(find_bone(s, slide->up, slide->up_part, &part->up_bone));
	if (!rig->clip || !up->clip) return OSSA_OK;
	ossai_rigid *x = ossai_arena_new(s->arena, rig->clip->frame_count, sizeof *x);
	if (!x) return last_error(s);
	OSSAI_TRY(measure_skin(s, rig, bone, &skin));
	OSSAI_TRY(measure_skin(s, up, part->up_bone, &holder));
	OSSAI_TRY(relative_motion(s, rig, bone, up, part->up_bone, x));
	fit_slide(rig->clip->frame_count, x, &skin, &fit);
	if (!is_slide(&fit, slide->slack)) return OSSA_OK;
	double joint[3];
	ossai_v3_store(slide->place, joint);
	OSSAI_TRY(ossai_rig_reroot(s->context, bone, joint, rig));
	OSSAI_TRY(point_out(s, &fit, &skin, &holder, rig));
	set_joint(&fit, &rig->skeleton.bones[0]);
	part->slides = true;
	return OSSA_OK;
}

ossa_status ossai_bodies_slide(ossai_arena *arena, const ossai_body_parts *parts, ossa_rig *const *rigs, ossai_rig_part *order)
{
	const sliding s = {.context = arena->context, .arena = arena, .parts = parts, .rigs = rigs};
	ossai_rig_part *own = ossai_arena_zero(arena, parts->count, sizeof *own);
	size_t *place = ossai_arena_new(arena, parts->count, sizeof *place), count = 0;
	if (!own || !place) return last_error(&s);
	for (size_t i = 0; i < parts->count; i++) {
		own[i] = (ossai_rig_part){.rig = rigs[i],
			.vertices = parts->items[i].vertices,
			.triangles = parts->items[i].triangles,
			.number = (uint32_t)i + 1};
	}
	for (size_t i = 0; i < parts->slide_count; i++) OSSAI_TRY(try_slide(&s, &parts->slides[i], &own[parts->slides[i].body]));
	for (size_t i = 0; i < parts->count; i++) {
		if (own[i].slides) continue;
		place[i] = count;
		order[count++] = own[i];
	}
	/* what they slide on comes first in the list */
	uint32_t number = 0;
	for (size_t i = 0; i < parts->slide_count; i++) {
		ossai_rig_part *part = &own[parts->slides[i].body];
		if (!part->slides) continue;
		part->up = place[parts->slides[i].up];
		part->number = ++number;
		place[parts->slides[i].body] = count;
		order[count++] = *part;
	}
	return OSSA_OK;
}

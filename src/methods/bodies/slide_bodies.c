/* methods/bodies/slide_bodies.c: bodies that slide on others, as joints of rigs.

   Place in the path: make_bodies, a rig for each body -> here -> join_rigs.
   Input: rigs of bodies, which rigid parts of them slide (skeleton/from_motion/piece_slides.h).
   Output: in which order they are joined, and by which bones.
   What bodies do was measured on clusters of few faces, which decided that they slide; axis and way
   are measured again by the bones of the rigs, and that these show the slide too. */
#include "methods/bodies/bodies.h"

#include "rig/pose.h"
#include "rig/rebuild.h"
#include "skeleton/from_motion/slide_fit.h"
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

/* what a bone moves, by area and weight */
static ossa_status measure_skin(const sliding *s, const ossa_rig *rig, uint32_t bone, ossai_slide_body *to)
{
	const ossa_weights *weights = &rig->weights;
	const double *area = ossai_vertex_areas(s->arena, rig->mesh);
	if (!area) return last_error(s);
	*to = (ossai_slide_body){.center = ossai_skin_center(rig, area, bone)};
	double mass = 0;
	for (size_t i = 0; i < weights->vertex_count * (size_t)weights->influences; i++) {
		const size_t v = i / (size_t)weights->influences;
		const double w = area[v] * (double)weights->values[i];
		double x[3];
		if (weights->bones[i] != bone || !(w > 0)) continue;
		mass += w;
		ossai_v3_store(ossai_sub(ossai_v3_of_float(rig->mesh->positions + 3 * v), to->center), x);
		for (int k = 0; k < 9; k++) to->m[k] += w * x[k / 3] * x[k % 3];
	}
	for (int k = 0; k < 9 && mass > 0; k++) to->m[k] /= mass;
	return OSSA_OK;
}

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

/* Within the slack rather than anywhere within the spread. That it is no joint, no chance, and held
   was decided by the clusters: the bones are those that these parts became. */
static bool is_slide(const ossai_slide_fit *fit, double slack)
{
	return ossai_joined_odds(fit->residual2, slack * slack, fit->spread2 + slack * slack) > 0;
}

/* ---- the joint ---- */

static void set_joint(const ossai_slide_fit *fit, const double range[2], ossa_bone *bone)
{
	bone->kind = OSSA_JOINT_PRISMATIC;
	ossai_v3_store(fit->axis, bone->axis);
	bone->has_limits = bone->limits_of_motion = true;
	memset(bone->limits, 0, sizeof bone->limits);
	memcpy(bone->slide_limits, range, sizeof bone->slide_limits);
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
static ossa_status point_out(const sliding *s, ossai_vec3 axis, ossai_vec3 halfway, ossai_vec3 holder, ossa_rig *rig)
{
	const size_t count = rig->skeleton.bone_count;
	const ossai_vec3 joint = ossai_v3_of(rig->skeleton.bones[0].joint);
	const bool with_axis = ossai_dot(axis, ossai_sub(halfway, holder)) >= 0;
	const ossai_vec3 out = with_axis ? axis : ossai_scale(axis, -1);
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
	ossai_slide_body skin, holder;
	double range[2] = {0, 0};
	OSSAI_TRY(find_bone(s, slide->body, slide->part, &bone));
	OSSAI_TRY(find_bone(s, slide->up, slide->up_part, &part->up_bone));
	if (!rig->clip || !up->clip) return OSSA_OK;
	const size_t frames = rig->clip->frame_count;
	ossai_rigid *x = ossai_arena_new(s->arena, frames, sizeof *x);
	double *distance = ossai_arena_new(s->arena, frames, sizeof *distance);
	if (!x || !distance) return last_error(s);
	OSSAI_TRY(measure_skin(s, rig, bone, &skin));
	OSSAI_TRY(measure_skin(s, up, part->up_bone, &holder));
	OSSAI_TRY(relative_motion(s, rig, bone, up, part->up_bone, x));
	const ossai_slide_fit fit = ossai_slide_fit_to(frames, x, &skin, distance);
	if (!is_slide(&fit, slide->slack)) return OSSA_OK;
	for (size_t k = 0; k < frames; k++) {
		range[0] = fmin(range[0], distance[k]);
		range[1] = fmax(range[1], distance[k]);
	}
	double joint[3];
	ossai_v3_store(slide->place, joint);
	OSSAI_TRY(ossai_rig_reroot(s->context, bone, joint, rig));
	const ossai_vec3 halfway = ossai_madd(skin.center, 0.5 * (range[0] + range[1]), fit.axis);
	OSSAI_TRY(point_out(s, fit.axis, halfway, holder.center, rig));
	set_joint(&fit, range, &rig->skeleton.bones[0]);
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

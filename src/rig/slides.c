/* rig/slides.c: see slides.h. */
#include "rig/slides.h"

#include "rig/pose.h"
#include "rig/turns.h"

#include <math.h>
#include <string.h>

ossai_vec3 ossai_slide_axis(const ossa_bone *bones, size_t bone)
{
	const ossa_bone *own = &bones[bone];
	if (own->kind != OSSA_JOINT_PRISMATIC || own->parent < 0) return ossai_v3(0, 0, 0);
	const ossai_mat3 frame = ossai_quat_matrix(ossai_quat_unit(ossai_quat_of(bones[own->parent].orientation)));
	return ossai_mat3_tmul_v(&frame, ossai_v3_of(own->axis));
}

double ossai_slide_in(const ossa_rig *rig, const ossa_clip *clip, size_t frame, size_t bone)
{
	const ossa_bone *bones = rig->skeleton.bones;
	if (!clip || !clip->translations || bones[bone].parent < 0) return 0;
	const double *at = clip->translations + 3 * (frame * clip->bone_count + bone);
	return ossai_dot(ossai_slide_axis(bones, bone), ossai_sub(ossai_v3_of(at), ossai_rest_offset(bones, bone)));
}

void ossai_slide_put(const ossa_rig *rig, ossa_clip *clip, size_t frame, size_t bone, double distance)
{
	const ossa_bone *bones = rig->skeleton.bones;
	const ossai_vec3 at = ossai_madd(ossai_rest_offset(bones, bone), distance, ossai_slide_axis(bones, bone));
	ossai_v3_store(at, clip->translations + 3 * (frame * clip->bone_count + bone));
}

static void widen(const ossa_rig *rig, const ossa_clip *clip, size_t bone, double range[2])
{
	for (size_t f = 0; f < clip->frame_count; f++) {
		const double distance = ossai_slide_in(rig, clip, f, bone);
		range[0] = fmin(range[0], distance);
		range[1] = fmax(range[1], distance);
	}
}

bool ossa_rig_slide_range(const ossa_rig *rig, const ossa_clip *clip, size_t bone, double range[2])
{
	if (!range) return false;
	range[0] = range[1] = 0;
	if (!rig || !rig->skeleton.bones || bone >= rig->skeleton.bone_count) return false;
	if (rig->skeleton.bones[bone].kind != OSSA_JOINT_PRISMATIC) return false;
	if (!clip) clip = rig->clip;
	if (clip) widen(rig, clip, bone, range);
	return range[1] > range[0];
}

void ossai_slide_range(const ossa_rig *rig, size_t bone, double range[2])
{
	range[0] = range[1] = 0;
	for (size_t i = 0; i < ossa_rig_clip_count(rig); i++) widen(rig, ossa_rig_clip_at(rig, i), bone, range);
}

double ossai_slide_within_limits(const ossa_bone *bone, double distance, double *past)
{
	const double inside = bone->has_limits ? fmin(fmax(distance, bone->slide_limits[0]), bone->slide_limits[1]) : distance;
	*past = fabs(distance - inside);
	return inside;
}

bool ossai_rig_slides(const ossa_skeleton *skeleton)
{
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		if (skeleton->bones[b].kind == OSSA_JOINT_PRISMATIC) return true;
	}
	return false;
}

/* ---- free motion as that of joints ---- */

typedef struct projecting {
	const ossa_rig *rig;
	ossa_clip *clip;
	ossai_vec3 *center;       /* B: of the skin of bones that slide, in their own frame */
	ossai_rigid *was, *world; /* B: of a frame */
} projecting;

/* by weight; the joint where the bone moves no vertex */
static ossa_status find_centers(ossai_arena *arena, projecting *p)
{
	const ossa_weights *weights = &p->rig->weights;
	const size_t bones = p->rig->skeleton.bone_count, width = (size_t)weights->influences;
	double *mass = ossai_arena_zero(arena, bones, sizeof *mass);
	if (!mass) return ossa_context_error(arena->context)->status;
	for (size_t i = 0; i < weights->vertex_count * width; i++) {
		const double w = (double)weights->values[i];
		const uint16_t b = weights->bones[i];
		if (!(w > 0)) continue;
		p->center[b] = ossai_madd(p->center[b], w, ossai_v3_of_float(p->rig->mesh->positions + 3 * (i / width)));
		mass[b] += w;
	}
	for (size_t b = 0; b < bones; b++) {
		const ossai_rigid rest = ossai_rest_frame(&p->rig->skeleton.bones[b]), back = ossai_rigid_inverse(&rest);
		const ossai_vec3 at = mass[b] > 0 ? ossai_scale(p->center[b], 1 / mass[b]) : rest.t;
		p->center[b] = ossai_rigid_point(&back, at);
	}
	return OSSA_OK;
}

static ossai_rigid local_of(const projecting *p, size_t frame, size_t b)
{
	const size_t at = frame * p->clip->bone_count + b;
	const ossai_vec3 t = p->rig->skeleton.bones[b].parent < 0 ? ossai_v3_of(p->clip->root_positions + 3 * frame)
															  : ossai_v3_of(p->clip->translations + 3 * at);
	return (ossai_rigid){ossai_quat_matrix(ossai_quat_unit(ossai_quat_of(p->clip->rotations + 4 * at))), t};
}

static void put_rotation(const projecting *p, size_t frame, size_t b, ossai_quat q)
{
	double *to = p->clip->rotations + 4 * (frame * p->clip->bone_count + b);
	ossai_quat_store_after(q, frame > 0 ? to - 4 * p->clip->bone_count : NULL, to);
}

/* the parent's frame is new, the bone's the old one */
static void slide(const projecting *p, size_t frame, size_t b)
{
	const ossa_bone *bones = p->rig->skeleton.bones;
	const ossai_rigid up = ossai_rigid_inverse(&p->world[bones[b].parent]);
	const ossai_quat rest = ossai_rest_rotation(bones, b);
	const ossai_mat3 turn = ossai_quat_matrix(rest);
	const ossai_vec3 there = ossai_rigid_point(&up, ossai_rigid_point(&p->was[b], p->center[b]));
	const ossai_vec3 at_rest = ossai_add(ossai_rest_offset(bones, b), ossai_mat3_mul_v(&turn, p->center[b]));
	put_rotation(p, frame, b, rest);
	ossai_slide_put(p->rig, p->clip, frame, b, ossai_dot(ossai_slide_axis(bones, b), ossai_sub(there, at_rest)));
}

static void project_frame(const projecting *p, size_t frame)
{
	const ossa_bone *bones = p->rig->skeleton.bones;
	for (size_t b = 0; b < p->clip->bone_count; b++) {
		const ossai_rigid local = local_of(p, frame, b);
		p->was[b] = bones[b].parent < 0 ? local : ossai_rigid_mul(&p->was[bones[b].parent], &local);
	}
	for (size_t b = 0; b < p->clip->bone_count; b++) {
		const int32_t parent = bones[b].parent;
		if (parent >= 0 && bones[b].kind == OSSA_JOINT_PRISMATIC) slide(p, frame, b);
		else if (parent >= 0 && !ossai_rigid_same(&p->world[parent], &p->was[parent])) {
			const ossai_mat3 back = ossai_mat3_transpose(&p->world[parent].r), r = ossai_mat3_mul(&back, &p->was[b].r);
			put_rotation(p, frame, b, ossai_mat3_quat(&r));
		}
		const ossai_rigid local = local_of(p, frame, b);
		p->world[b] = parent < 0 ? local : ossai_rigid_mul(&p->world[parent], &local);
	}
}

ossa_status ossai_slides_project(ossa_context *context, const ossa_rig *rig, ossa_clip *clip)
{
	if (!clip || !clip->translations || !ossai_rig_slides(&rig->skeleton)) return OSSA_OK;
	ossai_arena arena = ossai_arena_begin(context);
	const size_t bones = rig->skeleton.bone_count;
	projecting p = {.rig = rig, .clip = clip};
	p.center = ossai_arena_zero(&arena, bones, sizeof *p.center);
	p.was = ossai_arena_new(&arena, bones, sizeof *p.was);
	p.world = ossai_arena_new(&arena, bones, sizeof *p.world);
	ossa_status status = p.center && p.was && p.world ? find_centers(&arena, &p) : ossa_context_error(context)->status;
	for (size_t f = 0; status == OSSA_OK && f < clip->frame_count; f++) project_frame(&p, f);
	ossai_arena_end(&arena);
	return status;
}

/* methods/moving_limbs.c: parts of the motion, cut where the limbs of the rest shape meet.

   Place in the path: parts -> here -> weights.
   Input: the rig of the rest shape, whose bones are those of a body.
   Output: parts that lie on one of its bones each.
   Motion that is similar or small makes one part of the skin on both sides of a joint. At the
   body's joints it may part all the same: pruning joins again what moves together. */
#include "methods/moving.h"

#include <string.h>

/* the bone with the largest sum of weights at a face's corners; of equal ones the first */
static uint32_t bone_of_face(const ossa_weights *w, const uint32_t *corner)
{
	enum { MOST = 3 * OSSAI_INFLUENCES_MAX };
	uint32_t bone[MOST], best = 0;
	double sum[MOST];
	size_t count = 0;
	for (size_t i = 0; i < 3 * (size_t)w->influences; i++) {
		const size_t at = corner[i / (size_t)w->influences] * (size_t)w->influences + i % (size_t)w->influences;
		size_t k = 0;
		while (k < count && bone[k] != w->bones[at]) k++;
		if (k == count) sum[count++] = 0;
		bone[k] = w->bones[at];
		sum[k] += (double)w->values[at];
	}
	for (uint32_t k = 1; k < count; k++) {
		if (sum[k] > sum[best] || (sum[k] == sum[best] && bone[k] < bone[best])) best = k;
	}
	return bone[best];
}

/* faces of a coarse surface stand for several: the bone of most of them, by area */
static ossa_status find_coarse_bones(const ossai_moving_work *m, const ossa_rig *rest, ossai_arena *scratch, uint32_t *bone_of)
{
	const ossai_posed_surface *whole = &m->fine;
	const size_t bones = rest->skeleton.bone_count, faces = m->surface.face_count;
	double *area = ossai_arena_zero(scratch, faces, bones * sizeof *area);
	if (!area) return ossa_context_error(m->context)->status;
	for (size_t f = 0; f < whole->face_count; f++) {
		const size_t to = m->coarse.of_face[f];
		if (to != OSSA_NONE) area[to * bones + bone_of_face(&rest->weights, whole->triangles + 3 * f)] += whole->face_area[f];
	}
	for (size_t f = 0; f < faces; f++) {
		bone_of[f] = 0;
		for (uint32_t b = 1; b < bones; b++) {
			if (area[f * bones + b] > area[f * bones + bone_of[f]]) bone_of[f] = b;
		}
	}
	return OSSA_OK;
}

static ossa_status find_bones(const ossai_moving_work *m, const ossa_rig *rest, ossai_arena *scratch, uint32_t *bone_of)
{
	if (m->is_coarse) return find_coarse_bones(m, rest, scratch, bone_of);
	for (size_t f = 0; f < m->surface.face_count; f++) bone_of[f] = bone_of_face(&rest->weights, m->surface.triangles + 3 * f);
	return OSSA_OK;
}

/* a number for each pair of part and bone that has a face, in the order of faces */
static ossa_status number_pairs(ossai_moving_work *m, size_t bones, ossai_arena *scratch, const uint32_t *bone_of)
{
	const size_t faces = m->surface.face_count;
	uint32_t *number = ossai_arena_new(scratch, m->part_count, bones * sizeof *number);
	if (!number) return ossa_context_error(m->context)->status;
	memset(number, 0xff, m->part_count * bones * sizeof *number);
	m->part_count = 0;
	for (size_t f = 0; f < faces; f++) {
		uint32_t *pair = &number[m->part_of_face[f] * bones + bone_of[f]];
		if (*pair == OSSA_NONE) *pair = (uint32_t)m->part_count++;
		m->part_of_face[f] = *pair;
	}
	return OSSA_OK;
}

ossa_status ossai_moving_cut_at_limbs(ossai_moving_work *m)
{
	const ossa_rig *rest = NULL;
	if (m->rest.get) OSSAI_TRY(m->rest.get(m->rest.arg, &rest));
	if (!rest) return OSSA_OK;
	ossai_arena scratch = ossai_arena_begin(m->context);
	uint32_t *bone_of = ossai_arena_new(&scratch, m->surface.face_count, sizeof *bone_of);
	ossa_status status = bone_of ? OSSA_OK : ossa_context_error(m->context)->status;
	if (status == OSSA_OK) status = find_bones(m, rest, &scratch, bone_of);
	if (status == OSSA_OK) status = number_pairs(m, rest->skeleton.bone_count, &scratch, bone_of);
	ossai_arena_end(&scratch);
	return status;
}

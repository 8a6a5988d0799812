/* edit/split_parts.c: the two parts of a bone's faces that move most differently: see
   split_parts.h. */
#include "edit/split_parts.h"

#include "base/union_find.h"
#include "parts/face_clusters.h"
#include "parts/rigid_error.h"

#include <string.h>

/* the least share of the bone's area of a half */
static const double least_half = 0.1;
enum { LLOYD_ROUNDS = 8 };

/* the hierarchy's last merge of two clusters that each have some of the bone's area; the second
   becomes the lower half. False: none */
static bool part_by_merges(ossai_splitting *s, size_t count, const ossa_merge *merges, uint32_t *set, double *area)
{
	const ossai_posed_surface *surface = s->w->surface;
	size_t last = count;
	const uint32_t *cluster = s->w->rig->face_clusters;
	const bool stored = merges == s->w->rig->merges && cluster;
	for (uint32_t f = 0; f < surface->face_count; f++) {
		set[f] = stored ? cluster[f] : f;
		area[f] = 0;
	}
	for (size_t f = 0; f < surface->face_count; f++) area[set[f]] += s->part[f] == OTHER ? 0 : surface->face_area[f];
	for (size_t i = 0; i < count; i++) {
		if (fmin(area[merges[i].kept], area[merges[i].gone]) >= least_half * s->area) last = i;
		area[merges[i].kept] += area[merges[i].gone];
	}
	if (last == count) return false;
	for (size_t i = 0; i < last; i++) set[merges[i].gone] = merges[i].kept;
	for (uint32_t f = 0; f < surface->face_count; f++) {
		if (s->part[f] != OTHER && ossai_union_find(set, f) == merges[last].gone) s->part[f] = LOWER;
	}
	return true;
}

ossa_status ossai_split_find_parts(ossai_splitting *s, bool *found)
{
	ossai_solve_work *w = s->w;
	const size_t faces = w->surface->face_count;
	uint32_t *set = ossai_arena_new(w->arena, faces, sizeof *set);
	double *area = ossai_arena_new(w->arena, faces, sizeof *area);
	uint8_t *wanted = ossai_arena_new(w->arena, faces, sizeof *wanted);
	if (!set || !area || !wanted) return ossa_context_error(w->context)->status;
	*found = w->rig->merge_count > 0 && part_by_merges(s, w->rig->merge_count, w->rig->merges, set, area);
	if (*found) return OSSA_OK;
	ossai_merge_hierarchy hierarchy;
	for (size_t f = 0; f < faces; f++) wanted[f] = s->part[f] != OTHER;
	OSSAI_TRY(ossai_face_clusters_of_some(w->context, w->arena, w->surface, wanted, &hierarchy));
	*found = part_by_merges(s, hierarchy.count, hierarchy.merges, set, area);
	return OSSA_OK;
}

ossa_status ossai_split_fit_halves(ossai_splitting *s)
{
	const ossai_posed_surface *surface = s->w->surface;
	const size_t poses = surface->pose_count, size = ossai_ref_size(poses);
	double *states = ossa_alloc(s->w->context, 3, size * sizeof *states);
	if (!states) return ossa_context_error(s->w->context)->status;
	for (size_t f = 0; f < surface->face_count; f++) {
		if (s->part[f] == OTHER) continue;
		ossai_ref_face(surface, f, states + 2 * size);
		ossai_ref_add(poses, states + s->part[f] * size, states + 2 * size);
	}
	for (size_t i = 0; i < 2 * poses; i++) s->motion[i] = ossai_ref_motion(poses, states + i / poses * size, i % poses);
	ossa_free(s->w->context, states);
	return OSSA_OK;
}

double ossai_split_vertex_error(const ossai_splitting *s, size_t v, size_t half)
{
	const ossai_posed_surface *surface = s->w->surface;
	double sum = 0;
	for (size_t k = 0; k < surface->pose_count; k++) {
		const ossai_vec3 there = ossai_rigid_point(&s->motion[half * surface->pose_count + k], ossai_rest_point(surface, v));
		sum += ossai_length2(ossai_sub(there, ossai_pose_point(surface, v, k)));
	}
	return sum;
}

static double face_error(const ossai_splitting *s, size_t f, size_t half)
{
	const uint32_t *t = s->w->surface->triangles + 3 * f;
	return ossai_split_vertex_error(s, t[0], half) + ossai_split_vertex_error(s, t[1], half) +
		ossai_split_vertex_error(s, t[2], half);
}

ossa_status ossai_split_assign_parts(ossai_splitting *s)
{
	const size_t faces = s->w->surface->face_count;
	for (int round = 0; round < LLOYD_ROUNDS; round++) {
		size_t moved = 0;
		OSSAI_TRY(ossai_split_fit_halves(s));
		for (size_t f = 0; f < faces; f++) {
			if (s->part[f] == OTHER) continue;
			const uint8_t better = face_error(s, f, LOWER) < face_error(s, f, UPPER) ? LOWER : UPPER;
			moved += better != s->part[f];
			s->part[f] = better;
		}
		if (moved == 0) return OSSA_OK;
	}
	return ossai_split_fit_halves(s);
}

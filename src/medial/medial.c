/* medial/medial.c: see medial.h. The outline: exposure and ascents of all voxels
   (medial_slopes.c) -> without unevenness that starts at ridges along the skin -> one set
   (medial_connect.c). */
#include "medial/medial.h"

#include "medial/medial_work.h"

#include <ossa/mesh.h>
#include <string.h>

enum { GRAIN = 2048 };

/* Unevenness extends along the skin from where a ridge leaves it. The slope of an ascent is
   measured over at least so many voxels, because over one step it is that of the grid, and at most
   so many, because farther up it is that of another part. Without either the medial surfaces of
   an octopus and of a shark are others. */
static const double FRINGE_NEAR = 2, FRINGE_FAR = 8;

/* Largest error of depths next to the skin, where the depth is 1. */
static const double SKIN_DEPTH = 2, SKIN_ERROR = 0.5;

static void stars_make(ossai_star *stars)
{
	static const uint8_t ORDER[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
	for (int i = 0; i < OSSAI_NEIGHBORS; i++) stars[i].count = 0;
	for (int k = 0; k < 48; k++) {
		int step[3] = {0, 0, 0};
		uint8_t cone[3];
		for (int i = 0; i < 3; i++) {
			const int axis = ORDER[k / 8][i];
			step[axis] = (k >> axis) & 1 ? 1 : -1;
			cone[i] = (uint8_t)ossai_neighbor_of_step(step[0], step[1], step[2]);
		}
		for (int i = 0; i < 3; i++) {
			ossai_star *at = &stars[cone[i]];
			memcpy(at->cone[at->count++], cone, sizeof cone);
		}
	}
}

/* whether the ascent from a voxel is too steep for a ridge: on an exposed one the slope is 1 - 2
   exposure at most */
static bool is_fringe(const ossai_medial_work *work, uint32_t v)
{
	const ossai_voxels *voxels = work->voxels;
	const double radius = sqrt(voxels->distance2[v]), error = radius < SKIN_DEPTH ? SKIN_ERROR : 0;
	for (uint32_t w = v; work->up[w] != OSSAI_MEDIAL_TOP;) {
		w = ossai_medial_up(work, w);
		const double distance = sqrt(ossai_medial_between(voxels, v, w));
		if (distance < FRINGE_NEAR) continue;
		if (sqrt(voxels->distance2[w]) - radius >= (1 - work->least) * distance - error) return true;
		if (distance > FRINGE_FAR) return false;
	}
	return false;
}

static void trim_range(void *arg, size_t begin, size_t end)
{
	ossai_medial_work *work = arg;
	for (size_t v = begin; v < end; v++) {
		if (work->is[v] && is_fringe(work, (uint32_t)v)) work->is[v] = OSSAI_MEDIAL_IS_NOT;
	}
}

/* ---- all of it ---- */

static ossa_status collect(ossai_arena *arena, const ossai_medial_work *work, ossai_medial *medial)
{
	const size_t count = work->voxels->count;
	size_t kept = 0;
	for (size_t v = 0; v < count; v++) kept += work->is[v] != OSSAI_MEDIAL_IS_NOT;
	medial->count = kept;
	medial->voxel = ossai_arena_new(arena, kept, sizeof *medial->voxel);
	medial->exposure = medial->voxel ? ossai_arena_new(arena, kept, sizeof *medial->exposure) : NULL;
	if (!medial->exposure) return ossa_context_error(arena->context)->status;
	kept = 0;
	for (uint32_t v = 0; v < count; v++) {
		medial->of_voxel[v] = OSSA_NONE;
		if (work->is[v] == OSSAI_MEDIAL_IS_NOT) continue;
		medial->voxel[kept] = v;
		medial->exposure[kept] = work->is[v] == OSSAI_MEDIAL_EXPOSED ? ossai_medial_exposure(work, v) : 0;
		medial->of_voxel[v] = (uint32_t)kept++;
	}
	return OSSA_OK;
}

static ossa_status make(ossai_arena *arena, ossai_arena *scratch, ossai_medial_work *work, ossai_medial *medial)
{
	ossa_context *context = arena->context;
	const size_t count = work->voxels->count;
	*medial = (ossai_medial){.of_voxel = ossai_arena_new(arena, count, sizeof *medial->of_voxel)};
	/* until indices are known */
	work->set = medial->of_voxel;
	work->up = work->set ? ossai_arena_new(scratch, count, sizeof *work->up) : NULL;
	work->is = work->up ? ossai_arena_new(scratch, count, sizeof *work->is) : NULL;
	if (!work->is) return ossa_context_error(context)->status;
	OSSAI_TRY(ossai_voxel_rows_make(scratch, work->voxels, &work->rows));
	OSSAI_TRY(ossai_progress(context, 0));
	ossai_medial_measure(context, work);
	ossai_parallel_for(context, count, GRAIN, trim_range, work);
	OSSAI_TRY(ossai_progress(context, 0.6));
	OSSAI_TRY(ossai_medial_connect(scratch, work));
	OSSAI_TRY(ossai_progress(context, 0.9));
	return collect(arena, work, medial);
}

ossai_medial_work ossai_medial_begin(const ossai_voxels *voxels, double exposure)
{
	ossai_medial_work work = {
		.voxels = voxels, .around = ossai_neighbors_of(voxels), .centroid = ossai_voxels_centroid(voxels), .least = exposure};
	stars_make(work.stars);
	return work;
}

ossa_status ossai_medial_make(ossai_arena *arena, const ossai_voxels *voxels, double exposure, ossai_medial *medial)
{
	ossai_medial_work work = ossai_medial_begin(voxels, exposure);
	ossai_arena scratch = ossai_arena_begin(arena->context);
	const ossa_status status = make(arena, &scratch, &work, medial);
	ossai_arena_end(&scratch);
	return status;
}

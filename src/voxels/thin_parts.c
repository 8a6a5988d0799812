/* voxels/thin_parts.c: which limbs are too thin for their voxels.

   Place in the path: part of fine_voxels.h.
   Input: voxels.
   Output: parts to refine.
   Source: the opening of mathematical morphology (G. Matheron, Random Sets and Integral Geometry,
   1975): voxels that no ball of a given size within the shape covers are thin.
   Departures: residues at edges and corners of thick parts are dropped. */
#include "voxels/fine_voxels.h"
#include "voxels/neighbors.h"

#include <ossa/mesh.h>
#include <string.h>

typedef struct thinning {
	const ossai_voxels *voxels;
	ossai_neighbors around;
	uint8_t *is_thin;
	uint32_t *queue;
	double deep2; /* voxels with a larger squared distance are deep */
	double
		/* voxels of a larger one have only deep neighbours: distances of neighbours differ by at
		   most sqrt 3 */
		rim2;
} thinning;

static uint32_t neighbor(const thinning *t, uint32_t voxel, int i)
{
	return t->voxels->of_cell[(size_t)((int64_t)t->voxels->cell[voxel] + t->around.offset[i])];
}

/* whether a voxel is deep and has a neighbour that is not */
static bool is_rim(const thinning *t, uint32_t voxel)
{
	const double distance2 = t->voxels->distance2[voxel];
	if (!(distance2 > t->deep2) || distance2 > t->rim2) return false;
	for (int i = 0; i < OSSAI_NEIGHBORS; i++) {
		/* a deep voxel has no neighbour outside */
		if (!(t->voxels->distance2[neighbor(t, voxel, i)] > t->deep2)) return true;
	}
	return false;
}

/* voxels that the ball of a voxel covers, to within a voxel, are not thin */
static void cover(const thinning *t, uint32_t voxel)
{
	const ossai_voxels *v = t->voxels;
	const double radius = sqrt((double)v->distance2[voxel]) + 1;
	const int64_t reach = (int64_t)radius;
	uint32_t at[3];
	ossai_voxel_at(v, voxel, at);
	for (int64_t z = -reach; z <= reach; z++) {
		for (int64_t y = -reach; y <= reach; y++) {
			const double rest = radius * radius - (double)(z * z + y * y);
			const int64_t row_y = at[1] + y, row_z = at[2] + z;
			if (rest < 0 || row_y < 0 || row_z < 0 || row_y >= v->size[1] || row_z >= v->size[2]) continue;
			const int64_t half = (int64_t)sqrt(rest), low = at[0] - half, high = at[0] + half;
			const uint32_t *row = v->of_cell + (size_t)(row_z * v->size[1] + row_y) * v->size[0];
			for (int64_t x = low < 0 ? 0 : low; x <= high && x < v->size[0]; x++) {
				if (row[x] != OSSA_NONE) t->is_thin[row[x]] = 0;
			}
		}
	}
}

/* labels the connected component of a voxel; returns the longest side of its bounding box */
static uint32_t number_part(const thinning *t, uint32_t seed, uint32_t part, uint32_t *of_voxel)
{
	uint32_t low[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX}, high[3] = {0, 0, 0}, longest = 0;
	size_t end = 0;
	t->queue[end++] = seed;
	of_voxel[seed] = part;
	for (size_t q = 0; q < end; q++) {
		uint32_t at[3];
		ossai_voxel_at(t->voxels, t->queue[q], at);
		for (int k = 0; k < 3; k++) {
			if (at[k] < low[k]) low[k] = at[k];
			if (at[k] > high[k]) high[k] = at[k];
		}
		for (int i = 0; i < OSSAI_NEIGHBORS; i++) {
			const uint32_t to = neighbor(t, t->queue[q], i);
			if (to == OSSA_NONE || !t->is_thin[to] || of_voxel[to] != OSSA_NONE) continue;
			of_voxel[to] = part;
			t->queue[end++] = to;
		}
	}
	for (int k = 0; k < 3; k++) longest = high[k] - low[k] + 1 > longest ? high[k] - low[k] + 1 : longest;
	return longest;
}

/* drops components that are too short */
static void drop_short(const thinning *t, uint32_t length, uint32_t *of_voxel)
{
	memset(of_voxel, 0xff, t->voxels->count * sizeof *of_voxel);
	for (uint32_t v = 0; v < t->voxels->count; v++) {
		if (!t->is_thin[v] || of_voxel[v] != OSSA_NONE) continue;
		if (number_part(t, v, v, of_voxel) >= length) continue;
		/* labelled by their seed, which no other part has */
		of_voxel[v] = v;
		t->queue[0] = v;
		size_t end = 1;
		t->is_thin[v] = 0;
		for (size_t q = 0; q < end; q++) {
			for (int i = 0; i < OSSAI_NEIGHBORS; i++) {
				const uint32_t to = neighbor(t, t->queue[q], i);
				if (to == OSSA_NONE || !t->is_thin[to]) continue;
				t->is_thin[to] = 0;
				t->queue[end++] = to;
			}
		}
	}
}

/* adds the voxels within this many steps */
static void widen(const thinning *t, uint32_t margin)
{
	size_t begin = 0, end = 0;
	for (uint32_t v = 0; v < t->voxels->count; v++) {
		if (t->is_thin[v]) t->queue[end++] = v;
	}
	for (uint32_t step = 0; step < margin; step++) {
		const size_t last = end;
		for (; begin < last; begin++) {
			for (int i = 0; i < OSSAI_NEIGHBORS; i++) {
				const uint32_t to = neighbor(t, t->queue[begin], i);
				if (to == OSSA_NONE || t->is_thin[to]) continue;
				t->is_thin[to] = 1;
				t->queue[end++] = to;
			}
		}
	}
}

static void find_parts(const thinning *t, uint32_t length, uint32_t margin, ossai_voxel_parts *parts)
{
	const size_t count = t->voxels->count;
	memset(t->is_thin, 1, count);
	for (uint32_t v = 0; v < count; v++) {
		if (t->voxels->distance2[v] > t->deep2) t->is_thin[v] = 0;
		if (is_rim(t, v)) cover(t, v);
	}
	drop_short(t, length, parts->of_voxel);
	widen(t, margin);
	memset(parts->of_voxel, 0xff, count * sizeof *parts->of_voxel);
	for (uint32_t v = 0; v < count; v++) {
		if (t->is_thin[v] && parts->of_voxel[v] == OSSA_NONE) number_part(t, v, parts->count++, parts->of_voxel);
	}
}

ossa_status ossai_thin_parts(
	ossai_arena *arena, const ossai_voxels *voxels, double depth, uint32_t length, uint32_t margin, ossai_voxel_parts *parts)
{
	*parts = (ossai_voxel_parts){0};
	ossai_arena scratch = ossai_arena_begin(arena->context);
	/* deep voxels have all of their neighbours inside */
	thinning t = {.voxels = voxels, .around = ossai_neighbors_of(voxels), .deep2 = fmax(depth * depth, 3)};
	t.rim2 = pow(sqrt(t.deep2) + 1.7321, 2);
	parts->of_voxel = ossai_arena_new(arena, voxels->count, sizeof *parts->of_voxel);
	t.is_thin = parts->of_voxel ? ossai_arena_new(&scratch, voxels->count, 1) : NULL;
	t.queue = t.is_thin ? ossai_arena_new(&scratch, voxels->count, sizeof *t.queue) : NULL;
	if (t.queue) find_parts(&t, length, margin, parts);
	ossai_arena_end(&scratch);
	return t.queue ? OSSA_OK : ossa_context_error(arena->context)->status;
}

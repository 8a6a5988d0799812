/* parts/lloyd.c: see lloyd.h. */
#include "parts/lloyd.h"

#include "base/csr.h"
#include "base/heap.h"
#include "parts/rigid_error.h"

#include <string.h>

typedef struct lloyd {
	const ossai_posed_surface *surface;
	size_t clusters, state_size;
	double *states;      /* clusters + 1 states; the last is scratch */
	ossai_rigid *motion; /* clusters x K */
	uint32_t *seed;      /* face that fits its cluster best */
	double *seed_error;
	ossai_csr neighbors;   /* of faces, over edges and links */
	uint32_t (*offers)[2]; /* face, cluster */
	size_t offer_count;
	ossai_heap heap;
	uint32_t *old;
} lloyd;

/* error of a face that moves with a cluster, summed over the poses: exact for linear functions on
   the triangle */
static double face_error(const lloyd *l, size_t face, size_t cluster)
{
	const ossai_posed_surface *s = l->surface;
	const uint32_t *t = s->triangles + 3 * face;
	double sum = 0;
	for (size_t k = 0; k < s->pose_count; k++) {
		const ossai_rigid *x = &l->motion[cluster * s->pose_count + k];
		ossai_vec3 center = {0, 0, 0};
		for (int i = 0; i < 3; i++) {
			const ossai_vec3 d = ossai_sub(ossai_rigid_point(x, ossai_rest_point(s, t[i])), ossai_pose_point(s, t[i], k));
			sum += ossai_length2(d);
			center = ossai_add(center, d);
		}
		sum += ossai_length2(center); /* 9 |mean|^2 */
	}
	return s->face_area[face] / 12 * sum;
}

static void fit_clusters(lloyd *l, const uint32_t *cluster_of_face)
{
	const size_t poses = l->surface->pose_count;
	double *face = l->states + l->clusters * l->state_size;
	memset(l->states, 0, l->clusters * l->state_size * sizeof *l->states);
	for (size_t f = 0; f < l->surface->face_count; f++) {
		ossai_ref_face(l->surface, f, face);
		ossai_ref_add(poses, l->states + cluster_of_face[f] * l->state_size, face);
	}
	for (size_t c = 0; c < l->clusters; c++) {
		for (size_t k = 0; k < poses; k++) l->motion[c * poses + k] = ossai_ref_motion(poses, l->states + c * l->state_size, k);
		l->seed_error[c] = INFINITY;
	}
	for (uint32_t f = 0; f < l->surface->face_count; f++) {
		const uint32_t c = cluster_of_face[f];
		const double area = l->surface->face_area[f];
		/* per area, so that a small face does not win by being small */
		const double error = area > 0 ? face_error(l, f, c) / area : 1e300;
		if (!(error < l->seed_error[c])) continue;
		l->seed_error[c] = error;
		l->seed[c] = f;
	}
}

static void offer(lloyd *l, uint32_t face, uint32_t cluster)
{
	l->offers[l->offer_count][0] = face;
	l->offers[l->offer_count][1] = cluster;
	ossai_heap_push(&l->heap, face_error(l, face, cluster), (uint32_t)l->offer_count++);
}

/* every face is taken by the cluster that it fits best among those that reach it first */
static void grow(lloyd *l, uint32_t *cluster_of_face)
{
	memcpy(l->old, cluster_of_face, l->surface->face_count * sizeof *l->old);
	memset(cluster_of_face, 0xff, l->surface->face_count * sizeof *cluster_of_face);
	l->offer_count = l->heap.count = 0;
	for (uint32_t c = 0; c < l->clusters; c++) ossai_heap_push(&l->heap, -1, (uint32_t)l->offer_count++);
	for (uint32_t c = 0; c < l->clusters; c++) {
		l->offers[c][0] = l->seed[c];
		l->offers[c][1] = c;
	}
	while (l->heap.count > 0) {
		const uint32_t *taken = l->offers[l->heap.entries[0].item];
		const uint32_t face = taken[0], cluster = taken[1];
		ossai_heap_pop(&l->heap);
		if (cluster_of_face[face] != OSSA_NONE) continue;
		cluster_of_face[face] = cluster;
		for (uint32_t i = l->neighbors.start[face]; i < l->neighbors.start[face + 1]; i++) {
			if (cluster_of_face[l->neighbors.item[i]] == OSSA_NONE) offer(l, l->neighbors.item[i], cluster);
		}
	}
	/* faces that no seed reaches (an unlinked piece without one) keep their cluster */
	for (size_t f = 0; f < l->surface->face_count; f++) {
		if (cluster_of_face[f] == OSSA_NONE) cluster_of_face[f] = l->old[f];
	}
}

static ossa_status list_neighbours(ossai_arena *arena, lloyd *l)
{
	const ossai_posed_surface *s = l->surface;
	const struct {
		const uint32_t *pairs;
		size_t count;
	} lists[2] = {{s->adjacency.face_pairs, s->adjacency.face_pair_count}, {s->links, s->link_pieces ? s->link_count : 0}};
	OSSAI_TRY(ossai_csr_begin(arena, s->face_count, &l->neighbors));
	for (int n = 0; n < 2; n++) {
		for (size_t i = 0; i < 2 * lists[n].count; i++) ossai_csr_count(&l->neighbors, lists[n].pairs[i]);
	}
	OSSAI_TRY(ossai_csr_take_items(arena, &l->neighbors));
	for (int n = 0; n < 2; n++) {
		for (size_t i = 0; i < lists[n].count; i++) {
			const uint32_t *pair = lists[n].pairs + 2 * i;
			ossai_csr_put(&l->neighbors, pair[0], pair[1]);
			ossai_csr_put(&l->neighbors, pair[1], pair[0]);
		}
	}
	return OSSA_OK;
}

static ossa_status take_arrays(ossai_arena *arena, lloyd *l)
{
	const ossai_posed_surface *s = l->surface;
	const size_t ends = 2 * (s->adjacency.face_pair_count + s->link_count);
	l->states = ossai_arena_new(arena, l->clusters + 1, l->state_size * sizeof *l->states);
	l->motion = ossai_arena_new(arena, l->clusters, s->pose_count * sizeof *l->motion);
	l->seed = ossai_arena_zero(arena, l->clusters, sizeof *l->seed);
	l->seed_error = ossai_arena_new(arena, l->clusters, sizeof *l->seed_error);
	l->offers = ossai_arena_new(arena, ends + l->clusters, sizeof *l->offers);
	l->heap.entries = ossai_arena_new(arena, ends + l->clusters, sizeof *l->heap.entries);
	l->old = ossai_arena_new(arena, s->face_count, sizeof *l->old);
	const bool all = l->states && l->motion && l->seed && l->seed_error && l->offers && l->heap.entries && l->old;
	return all ? OSSA_OK : ossa_context_error(arena->context)->status;
}

ossa_status ossai_lloyd(
	ossa_context *context, const ossai_posed_surface *surface, size_t cluster_count, int rounds, uint32_t *cluster_of_face)
{
	ossai_arena arena = ossai_arena_begin(context);
	lloyd l = {.surface = surface, .clusters = cluster_count, .state_size = ossai_ref_size(surface->pose_count)};
	ossa_status status = take_arrays(&arena, &l);
	if (status == OSSA_OK) status = list_neighbours(&arena, &l);
	for (int round = 0; status == OSSA_OK && round < rounds; round++) {
		fit_clusters(&l, cluster_of_face);
		grow(&l, cluster_of_face);
		status = ossai_progress(context, (double)round / rounds);
	}
	ossai_arena_end(&arena);
	return status;
}

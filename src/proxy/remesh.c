/* proxy/remesh.c: see remesh.h.

   The outline: the surface becomes a manifold mesh; a very fine one is coarsened; then rounds of
   collapses, splits, flips and smoothing follow, first for one edge length everywhere, then for
   lengths that follow the thickness. The vertex that corresponds to an input vertex is the one it
   was merged into by all collapses, then the nearest one by steps over edges. */
#include "proxy/remesh.h"

#include "proxy/coarsen.h"
#include "proxy/edge_sizes.h"
#include "proxy/isotropic.h"

#include <string.h>

/* A surface of more than this many times the vertices wanted is coarsened to that first. */
enum { TARGET_TIMES = 4 };
/* Four vertices: a tetrahedron. */
enum { WANTED_LEAST = 4 };
enum { FIRST_ROUNDS = 2, ROUNDS = 6 };
/* The cosine of the angle by which a face may turn in a collapse, at first and at last. */
static const double TURN_FIRST = 0.6, TURN_LAST = 0.2;

typedef struct remesher {
	ossa_context *context;
	ossai_arena scratch;
	size_t wanted;
	ossai_half_edges *target;
	const ossai_manifold *manifold;
	uint32_t *merged;     /* of the manifold's vertices: what they were merged into by coarsening */
	uint32_t *new_vertex; /* ... and their numbers in the target */
	ossai_isotropic remeshed;
} remesher;

static double surface_area(const ossai_half_edges *m)
{
	double sum = 0;
	for (size_t f = 0; f < m->face_count; f++) sum += 0.5 * ossai_length(ossai_edge_normal(m, f));
	return sum;
}

ossa_status ossai_fail_without_area(ossa_context *context, size_t face_count)
{
	return ossai_fail(context, OSSA_ERROR_INPUT, NULL,
		"no face has an area (%zu face%s): these are lines or points, not a surface; look at the scale and at what was "
		"exported",
		face_count, face_count == 1 ? "" : "s");
}

static ossa_status make_target(remesher *r)
{
	const ossai_half_edges *m = r->target;
	if (!(surface_area(m) > 0)) return ossai_fail_without_area(r->context, m->face_count);
	r->merged = ossai_arena_new(&r->scratch, m->vertex_count, sizeof *r->merged);
	r->new_vertex = r->merged ? ossai_arena_new(&r->scratch, m->vertex_count, sizeof *r->new_vertex) : NULL;
	uint32_t *new_face = r->new_vertex ? ossai_arena_new(&r->scratch, m->face_count, sizeof *new_face) : NULL;
	if (!new_face) return ossa_context_error(r->context)->status;
	OSSAI_TRY(ossai_coarsen(r->context, r->target, TARGET_TIMES * r->wanted, r->merged));
	ossai_half_edges_pack(r->target, r->new_vertex, new_face);
	return OSSA_OK;
}

/* scales all target lengths so that the number of vertices approaches what is wanted */
static void correct_sizes(ossai_isotropic *e, size_t wanted)
{
	const double share = sqrt((double)e->mesh.live_vertices / (double)wanted);
	const double factor = share < 0.7 ? 0.7 : share > 1.4 ? 1.4 : share;
	for (size_t v = 0; v < e->mesh.vertex_count; v++) e->size[v] *= factor;
}

static ossa_status run_rounds(remesher *r)
{
	ossai_isotropic *e = &r->remeshed;
	const double length = ossai_edge_length_for(surface_area(r->target), r->wanted);
	for (size_t v = 0; v < e->mesh.vertex_count; v++) e->size[v] = length;
	for (int round = 0; round < ROUNDS; round++) {
		OSSAI_TRY(ossai_progress(r->context, (double)round / ROUNDS));
		if (round == FIRST_ROUNDS) OSSAI_TRY(ossai_edge_sizes(e, r->wanted));
		if (round > FIRST_ROUNDS) correct_sizes(e, r->wanted);
		ossai_isotropic_collapse(e, round < 2 ? TURN_FIRST : TURN_LAST);
		ossai_isotropic_split(e);
		ossai_isotropic_flip(e);
		ossai_isotropic_smooth(e);
		ossai_isotropic_flip(e);
		ossai_isotropic_pack(e);
	}
	ossai_isotropic_fit(e);
	return OSSA_OK;
}

/* from `v` over edges as long as the distance to the point decreases */
static uint32_t nearest_over_edges(const ossai_half_edges *m, uint32_t v, ossai_vec3 point)
{
	uint32_t best = v;
	double best2 = ossai_length2(ossai_sub(ossai_edge_point(m, v), point));
	for (;;) {
		ossai_ring ring;
		const uint32_t from = best;
		ossai_ring_make(m, from, &ring);
		for (uint32_t i = 0; i < ring.count; i++) {
			const double distance2 = ossai_length2(ossai_sub(ossai_edge_point(m, ring.neighbors[i]), point));
			if (distance2 < best2) {
				best2 = distance2;
				best = ring.neighbors[i];
			}
		}
		if (best == from) return best;
	}
}

static ossa_status copy_result(
	remesher *r, ossai_arena *arena, size_t vertex_count, const double *positions, ossai_isotropic_mesh *made)
{
	const ossai_half_edges *m = &r->remeshed.mesh;
	made->vertex_count = m->vertex_count;
	made->face_count = m->face_count;
	made->positions = ossai_arena_new(arena, m->vertex_count, 3 * sizeof *made->positions);
	made->triangles = made->positions ? ossai_arena_new(arena, m->face_count, 3 * sizeof *made->triangles) : NULL;
	made->of_vertex = made->triangles ? ossai_arena_new(arena, vertex_count, sizeof *made->of_vertex) : NULL;
	if (!made->of_vertex) return ossa_context_error(r->context)->status;
	memcpy(made->positions, m->positions, m->vertex_count * 3 * sizeof *made->positions);
	memcpy(made->triangles, m->vertex, m->face_count * 3 * sizeof *made->triangles);
	for (size_t v = 0; v < vertex_count; v++) {
		const uint32_t own = r->manifold->of_vertex[v];
		made->of_vertex[v] = OSSA_NONE;
		if (own == OSSA_NONE) continue;
		const uint32_t stand = r->remeshed.of_target[r->new_vertex[ossai_merged_into(r->merged, own)]];
		made->of_vertex[v] = nearest_over_edges(m, stand, ossai_v3_of(positions + 3 * v));
	}
	return OSSA_OK;
}

ossa_status ossai_remesh_manifold(ossai_arena *arena, ossai_half_edges *mesh, const ossai_manifold *manifold,
	size_t vertex_count, const double *positions, size_t wanted, ossai_isotropic_mesh *made)
{
	*made = (ossai_isotropic_mesh){0};
	remesher r = {.context = arena->context,
		.scratch = ossai_arena_begin(arena->context),
		.wanted = wanted < WANTED_LEAST ? WANTED_LEAST : wanted,
		.target = mesh,
		.manifold = manifold};
	ossa_status status = make_target(&r);
	if (status == OSSA_OK) status = ossai_isotropic_begin(&r.scratch, r.target, 4 * r.wanted, &r.remeshed);
	if (status == OSSA_OK) status = run_rounds(&r);
	if (status == OSSA_OK) status = copy_result(&r, arena, vertex_count, positions, made);
	ossai_arena_end(&r.scratch);
	return status;
}

ossa_status ossai_remesh(ossai_arena *arena, size_t vertex_count, const double *positions, size_t face_count,
	const uint32_t *triangles, size_t wanted, ossai_isotropic_mesh *made)
{
	ossai_half_edges mesh;
	ossai_manifold manifold;
	ossai_arena scratch = ossai_arena_begin(arena->context);
	ossa_status status = ossai_manifold_make(&scratch, vertex_count, positions, face_count, triangles, &mesh, &manifold);
	if (status == OSSA_OK) {
		status = ossai_remesh_manifold(arena, &mesh, &manifold, vertex_count, positions, wanted, made);
	}
	ossai_arena_end(&scratch);
	return status;
}

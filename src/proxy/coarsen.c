/* proxy/coarsen.c: see coarsen.h. */
#include "proxy/coarsen.h"

#include "proxy/quadric.h"

/* From pass to pass the length up to which edges collapse grows by this factor. */
static const double GROWTH = 1.3;
/* The cosine of the angle by which a face may turn in a pass. On crumpled surfaces, where a pass
   finds hardly any edge, faces may turn further in later passes. */
static const double TURN_COSINES[] = {0.5, 0.2, -0.3, -1.1};
enum { TURN_COUNT = sizeof TURN_COSINES / sizeof TURN_COSINES[0], PASS_MOST = 64 };
/* A collapse makes no edge longer than this multiple of the pass's length, or than the edges it
   replaces. */
static const double LONGEST = 1.7;
/* Weight of the edge's midpoint against the quadrics. */
static const double PULL = 1e-3;
/* Weight of the planes along a border against those of faces. */
static const double BORDER_WEIGHT = 4;

typedef struct coarsener {
	ossai_half_edges *m;
	ossai_quadric *quadrics; /* V */
	uint32_t *merged;
	size_t wanted;
	uint32_t *faces; /* those that are left, rising, when a pass begins */
	size_t face_count;
} coarsener;

uint32_t ossai_merged_into(uint32_t *merged, uint32_t v)
{
	while (merged[v] != v) {
		merged[v] = merged[merged[v]];
		v = merged[v];
	}
	return v;
}

static void add_to(coarsener *c, uint32_t v, ossai_vec3 normal, ossai_vec3 point, double weight)
{
	ossai_quadric_add_plane(&c->quadrics[v], normal, point, weight);
}

static void make_quadrics(coarsener *c)
{
	const ossai_half_edges *m = c->m;
	for (uint32_t f = 0; f < m->face_count; f++) {
		const ossai_vec3 normal = ossai_edge_normal(m, f);
		const double size = ossai_length(normal);
		if (!(size > 0)) continue;
		const ossai_vec3 unit = ossai_scale(normal, 1 / size);
		for (uint32_t h = 3 * f; h < 3 * f + 3; h++) {
			const uint32_t a = m->vertex[h], b = ossai_edge_end(m, h);
			const ossai_vec3 at = ossai_edge_point(m, a);
			add_to(c, a, unit, at, size);
			if (m->twin[h] != OSSA_NONE) continue;
			/* preserves the border: a plane through the border edge, perpendicular to the face */
			const ossai_vec3 along = ossai_sub(ossai_edge_point(m, b), at);
			const ossai_vec3 side = ossai_unit(ossai_cross(along, unit), ossai_v3(0, 0, 0));
			add_to(c, a, side, at, BORDER_WEIGHT * ossai_length2(along));
			add_to(c, b, side, at, BORDER_WEIGHT * ossai_length2(along));
		}
	}
}

/* the position of the merged vertex: a border vertex does not move inwards */
static ossai_vec3 merged_position(const coarsener *c, uint32_t a, uint32_t b)
{
	const ossai_vec3 at = ossai_edge_point(c->m, a), end = ossai_edge_point(c->m, b);
	const bool is_border = ossai_on_border(c->m, a);
	if (is_border != ossai_on_border(c->m, b)) return is_border ? at : end;
	ossai_quadric q = c->quadrics[a];
	ossai_quadric_add(&q, &c->quadrics[b]);
	const ossai_vec3 midpoint = ossai_scale(ossai_add(at, end), 0.5), best = ossai_quadric_best(&q, midpoint, PULL);
	/* nearly parallel planes may intersect far away */
	return ossai_length2(ossai_sub(best, midpoint)) <= ossai_length2(ossai_sub(end, at)) ? best : midpoint;
}

static bool try_collapse(coarsener *c, uint32_t h, double most2, double cosine)
{
	ossai_half_edges *m = c->m;
	const uint32_t a = m->vertex[h], b = ossai_edge_end(m, h);
	const ossai_vec3 position = merged_position(c, a, b);
	/* most edges that may not be collapsed fail here, often at the first neighbour */
	if (ossai_fan_gets_long(m, a, position, most2) || ossai_fan_gets_long(m, b, position, most2)) return false;
	ossai_ring ring_a, ring_b;
	ossai_ring_make(m, a, &ring_a);
	ossai_ring_make(m, b, &ring_b);
	if (!ossai_collapse_allowed(m, h, &ring_a, &ring_b)) return false;
	if (!ossai_collapse_keeps_normals(m, h, position, cosine)) return false;
	ossai_edge_collapse(m, h);
	ossai_v3_store(position, m->positions + 3 * (size_t)b);
	ossai_quadric_add(&c->quadrics[b], &c->quadrics[a]);
	c->merged[a] = b;
	return true;
}

/* drops the faces that are gone, so that a pass costs what is left, not what there was */
static void list_faces(coarsener *c)
{
	size_t kept = 0;
	for (size_t i = 0; i < c->face_count; i++) {
		if (c->m->vertex[3 * (size_t)c->faces[i]] != OSSA_NONE) c->faces[kept++] = c->faces[i];
	}
	c->face_count = kept;
}

/* collapses edges up to a length, in index order; returns how many */
static size_t run_pass(coarsener *c, double length, double cosine)
{
	const double length2 = length * length, most2 = LONGEST * LONGEST * length2;
	size_t count = 0;
	list_faces(c);
	for (size_t i = 0; i < c->face_count; i++) {
		for (uint32_t h = 3 * c->faces[i]; h < 3 * c->faces[i] + 3; h++) {
			if (c->m->live_vertices <= c->wanted) return count;
			if (!ossai_edge_is_first(c->m, h) || ossai_edge_length2(c->m, h) > length2) continue;
			count += try_collapse(c, h, most2, cosine);
		}
	}
	return count;
}

static double mean_length(const ossai_half_edges *m)
{
	double sum = 0;
	for (uint32_t h = 0; h < 3 * m->face_count; h++) sum += sqrt(ossai_edge_length2(m, h));
	return sum / (3 * (double)m->face_count);
}

static ossa_status run_passes(ossa_context *context, coarsener *c)
{
	double length = 0.7 * mean_length(c->m);
	size_t turn = 0;
	for (int pass = 0; pass < PASS_MOST && c->m->live_vertices > c->wanted; pass++) {
		const size_t before = c->m->live_vertices, count = run_pass(c, length, TURN_COSINES[turn]);
		OSSAI_TRY(ossai_progress(context, 0));
		/* a pass that finds hardly any edge though they are long: the remaining surface is
		   crumpled */
		if (count < before / 50 && turn + 1 < TURN_COUNT && pass > 3) turn++;
		length *= GROWTH;
	}
	return OSSA_OK;
}

ossa_status ossai_coarsen(ossa_context *context, ossai_half_edges *mesh, size_t wanted, uint32_t *merged)
{
	for (uint32_t v = 0; v < mesh->vertex_count; v++) merged[v] = v;
	if (mesh->live_vertices <= wanted) return OSSA_OK;
	ossai_arena scratch = ossai_arena_begin(context);
	coarsener c = {.m = mesh, .merged = merged, .wanted = wanted};
	c.quadrics = ossai_arena_zero(&scratch, mesh->vertex_count, sizeof *c.quadrics);
	c.faces = c.quadrics ? ossai_arena_new(&scratch, mesh->face_count, sizeof *c.faces) : NULL;
	ossa_status status = c.faces ? OSSA_OK : ossa_context_error(context)->status;
	if (status == OSSA_OK) {
		c.face_count = mesh->face_count;
		for (uint32_t f = 0; f < mesh->face_count; f++) c.faces[f] = f;
		make_quadrics(&c);
		status = run_passes(context, &c);
	}
	ossai_arena_end(&scratch);
	return status;
}

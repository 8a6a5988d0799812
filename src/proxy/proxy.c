/* proxy/proxy.c: see proxy.h.

   The surface, welded and as a manifold (mesh/manifold.h), decides which kind of proxy is made;
   each kind has a file of its own. */
#include "proxy/proxy.h"

#include "mesh/manifold.h"
#include "surface/canonical_frame.h"
#include "mesh/pairs.h"
#include "proxy/proxy_links.h"
#include "proxy/remesh.h"
#include "proxy/shell.h"
#include "mesh/weld.h"

#include <stdio.h>

ossai_proxy_options ossai_proxy_default(void)
{
	return (ossai_proxy_options){.kind = OSSA_PROXY_AUTO, .vertices = 8000, .join_distance = -1, .split_distance = 0};
}

/* Vertices of a shell's isosurface for each vertex wanted. */
enum { ISOSURFACE_TIMES = 2 };

/* What a proxy is made from. */
typedef struct source {
	const ossai_posed_surface *surface;
	const ossai_proxy_options *options;
	ossai_weld weld;
	double *points; /* of the weld, x 3: in the canonical frame */
	ossai_canonical_frame frame;
	ossai_half_edges mesh;
	ossai_manifold manifold;
	ossai_face_joins joins; /* while the manifold is made, in the canonical frame */
	/* of the input, which look to the other side than most of their piece */
	size_t mixed_faces;
} source;

/* sorts points into a canonical order, whatever the input's was */
static ossa_status sort_points(ossai_arena *scratch, ossai_arena *passing, source *s)
{
	ossai_weld *w = &s->weld;
	const size_t points = w->point_count;
	uint32_t *order = ossai_arena_new(passing, points, sizeof *order);
	uint32_t *new_index = ossai_arena_new(passing, points, sizeof *new_index);
	uint32_t *vertex = ossai_arena_new(scratch, points, sizeof *vertex);
	double *ordered = ossai_arena_new(scratch, points, 3 * sizeof *ordered);
	if (!order || !new_index || !vertex || !ordered) return ossa_context_error(scratch->context)->status;
	OSSAI_TRY(ossai_canonical_order(scratch->context, points, s->points, order));
	for (uint32_t i = 0; i < points; i++) {
		new_index[order[i]] = i;
		vertex[i] = w->vertex_of_point[order[i]];
		for (int k = 0; k < 3; k++) ordered[3 * (size_t)i + k] = s->points[3 * (size_t)order[i] + k];
	}
	for (size_t v = 0; v < s->surface->vertex_count; v++) {
		if (w->point_of_vertex[v] != OSSA_NONE) w->point_of_vertex[v] = new_index[w->point_of_vertex[v]];
	}
	for (size_t i = 0; i < 3 * s->surface->face_count; i++) w->triangles[i] = new_index[w->triangles[i]];
	w->vertex_of_point = vertex;
	s->points = ordered;
	return OSSA_OK;
}

/* the half-edges' new numbers in what is known of them */
static ossa_status renumber_joins(ossai_arena *scratch, size_t faces, const uint32_t *new_half_edge, ossai_face_joins *joins)
{
	if (!joins->twin) return OSSA_OK;
	uint32_t *twin = ossai_arena_new(scratch, faces, 3 * sizeof *twin);
	if (!twin) return ossa_context_error(scratch->context)->status;
	for (size_t h = 0; h < 3 * faces; h++) {
		twin[new_half_edge[h]] = joins->twin[h] == OSSA_NONE ? OSSA_NONE : new_half_edge[joins->twin[h]];
	}
	joins->twin = twin;
	return OSSA_OK;
}

/* each face begins at its lowest corner; faces are sorted by their first two */
static ossa_status sort_faces(ossai_arena *scratch, ossai_arena *passing, source *s)
{
	ossai_weld *w = &s->weld;
	const size_t faces = s->surface->face_count;
	uint32_t *triangles = ossai_arena_new(scratch, faces, 3 * sizeof *triangles);
	uint32_t *new_half_edge = ossai_arena_new(passing, faces, 3 * sizeof *new_half_edge);
	ossai_pair *pairs = ossai_arena_new(passing, faces, sizeof *pairs);
	if (!triangles || !new_half_edge || !pairs) return ossa_context_error(scratch->context)->status;
	for (uint32_t f = 0; f < faces; f++) {
		const uint32_t *t = w->triangles + 3 * (size_t)f;
		const uint32_t first = t[0] <= t[1] && t[0] <= t[2] ? 0 : t[1] <= t[2] ? 1 : 2;
		pairs[f] = (ossai_pair){t[first], t[(first + 1) % 3], 3 * f + first};
	}
	OSSAI_TRY(ossai_pairs_sort(scratch->context, pairs, faces, w->point_count));
	for (uint32_t f = 0; f < faces; f++) {
		const uint32_t from = pairs[f].tag / 3, first = pairs[f].tag % 3;
		for (uint32_t k = 0; k < 3; k++) {
			const uint32_t h = 3 * from + (first + k) % 3;
			new_half_edge[h] = 3 * f + k;
			triangles[3 * f + k] = w->triangles[h];
		}
	}
	w->triangles = triangles;
	return renumber_joins(passing, faces, new_half_edge, &s->joins);
}

/* orients faces outward, because what follows depends a little on where a face begins, and sorts
   points and faces into a canonical order, whatever the input's was */
static ossa_status sort_canonically(ossai_arena *scratch, ossai_arena *passing, source *s)
{
	OSSAI_TRY(
		ossai_manifold_orient(passing, s->weld.point_count, s->points, s->surface->face_count, s->weld.triangles, &s->joins));
	s->mixed_faces = s->joins.counts.mixed_faces;
	OSSAI_TRY(sort_points(scratch, passing, s));
	return sort_faces(scratch, passing, s);
}

static ossa_status make_manifold(ossai_arena *scratch, bool is_canonical, source *s)
{
	ossai_arena passing = ossai_arena_begin(scratch->context);
	ossa_status status = is_canonical ? sort_canonically(scratch, &passing, s) : OSSA_OK;
	if (status == OSSA_OK) {
		status = ossai_manifold_make_joined(scratch, s->weld.point_count, s->points, s->surface->face_count, s->weld.triangles,
			&s->joins, &s->mesh, &s->manifold);
	}
	s->joins.twin = NULL;
	ossai_arena_end(&passing);
	return status;
}

static ossa_status take_source(ossai_arena *scratch, source *s)
{
	const ossai_mesh_view mesh = ossai_posed_surface_view(s->surface);
	OSSAI_TRY(ossai_weld_make(scratch, &mesh, s->surface->used, &s->weld));
	s->points = ossai_arena_new(scratch, s->weld.point_count, 3 * sizeof *s->points);
	if (!s->points) return ossa_context_error(scratch->context)->status;
	for (size_t i = 0; i < s->weld.point_count; i++) {
		ossai_v3_store(ossai_rest_point(s->surface, s->weld.vertex_of_point[i]), s->points + 3 * i);
	}
	s->frame = (ossai_canonical_frame){ossai_v3(0, 0, 0), ossai_mat3_identity()};
	/* the paper's graph is the mesh as it is */
	const bool is_canonical = s->options->kind != OSSA_PROXY_NONE;
	if (is_canonical) s->frame = ossai_canonical_frame_of(s->points, s->surface->face_count, s->weld.triangles);
	for (size_t i = 0; is_canonical && i < s->weld.point_count; i++) {
		ossai_v3_store(ossai_to_canonical(&s->frame, ossai_v3_of(s->points + 3 * i)), s->points + 3 * i);
		for (size_t k = 0; k < 3; k++) s->points[3 * i + k] = ossai_round_length(s->points[3 * i + k]);
	}
	OSSAI_TRY(make_manifold(scratch, is_canonical, s));
	if (!is_canonical) s->mixed_faces = s->manifold.mixed_faces;
	if (s->surface->area > 0) return OSSA_OK;
	return ossai_fail_without_area(scratch->context, s->surface->face_count);
}

/* ---- kinds ---- */

/* a clean surface of one piece is remeshed itself; any other becomes a shell, with a warning */
static ossa_proxy_kind choose_kind(ossa_context *context, const ossai_manifold *m)
{
	char reason[160];
	if (m->crowded_edges > 0) {
		snprintf(reason, sizeof reason, "%zu edge%s more than two faces", m->crowded_edges,
			m->crowded_edges == 1 ? " has" : "s have");
	} else if (m->border_edges > 0) {
		snprintf(reason, sizeof reason, "it is open: %zu edge%s one face", m->border_edges,
			m->border_edges == 1 ? " has" : "s have");
	} else if (m->twisted_edges > 0) {
		snprintf(reason, sizeof reason, "its faces have no two sides: they cannot all be turned outwards");
	} else if (m->piece_count > 1) {
		snprintf(reason, sizeof reason, "it is of %u pieces; `pieces separate` rigs each", m->piece_count);
	} else {
		return OSSA_PROXY_SURFACE;
	}
	ossai_warn(context, "proxy-shell", 1,
		"the surface does not enclose one body (%s): the skeleton is found in its outer shell", reason);
	return OSSA_PROXY_SHELL;
}

static void warn_of_mixed_faces(ossa_context *context, size_t mixed, size_t faces)
{
	if (mixed == 0) return;
	ossai_warn(context, "mixed-faces", (int64_t)mixed,
		"%zu of %zu faces %s to the other side than most of those they are connected to; the rig is found as if they did not",
		mixed, faces, mixed == 1 ? "looks" : "look");
}

/* of_vertex, from the proxy vertex of each point */
static ossa_status map_vertices(ossai_arena *arena, const source *s, const uint32_t *of_point, ossai_proxy *proxy)
{
	const size_t count = s->surface->vertex_count;
	proxy->of_vertex = ossai_arena_new(arena, count, sizeof *proxy->of_vertex);
	if (!proxy->of_vertex) return ossa_context_error(arena->context)->status;
	const uint32_t *first = s->surface->first_of_vertex;
	for (size_t v = 0; v < count; v++) {
		/* welded vertices have the position of the first one */
		const uint32_t point = s->weld.point_of_vertex[first ? first[v] : v];
		proxy->of_vertex[v] = point == OSSA_NONE ? OSSA_NONE : of_point[point];
	}
	return OSSA_OK;
}

static ossa_status take_remeshed(ossai_arena *arena, const source *s, const ossai_isotropic_mesh *made, ossai_proxy *proxy)
{
	proxy->vertex_count = made->vertex_count;
	proxy->face_count = made->face_count;
	proxy->positions = made->positions;
	proxy->triangles = made->triangles;
	return map_vertices(arena, s, made->of_vertex, proxy);
}

/* the surface as it is: undoes the cuts that made it a manifold, orients faces alike and removes
   duplicates */
static ossa_status take_points(ossai_arena *arena, ossai_arena *scratch, const source *s, ossai_proxy *proxy)
{
	const ossai_half_edges *m = &s->mesh;
	uint32_t *of_point = ossai_arena_new(scratch, s->weld.point_count, sizeof *of_point);
	proxy->positions = of_point ? ossai_arena_new(arena, s->weld.point_count, 3 * sizeof *proxy->positions) : NULL;
	proxy->triangles = proxy->positions ? ossai_arena_new(arena, m->face_count, 3 * sizeof *proxy->triangles) : NULL;
	if (!proxy->triangles) return ossa_context_error(arena->context)->status;
	for (size_t i = 0; i < s->weld.point_count; i++) {
		of_point[i] = OSSA_NONE;
		if (s->manifold.of_vertex[i] == OSSA_NONE) continue;
		ossai_v3_store(ossai_v3_of(s->points + 3 * i), proxy->positions + 3 * proxy->vertex_count);
		of_point[i] = (uint32_t)proxy->vertex_count++;
	}
	proxy->face_count = m->face_count;
	for (size_t i = 0; i < 3 * m->face_count; i++) {
		proxy->triangles[i] = of_point[s->manifold.vertex_of[m->vertex[i]]];
	}
	return map_vertices(arena, s, of_point, proxy);
}

/* the isosurface is as regular as its grid: it is made finer than wanted, then remeshed */
static ossa_status take_shell(ossai_arena *arena, ossai_arena *scratch, const source *s, ossai_isotropic_mesh *made)
{
	const size_t points = s->weld.point_count, wanted = s->options->vertices;
	ossai_isotropic_mesh skin;
	OSSAI_TRY(ossai_shell_make(
		scratch, points, s->points, s->surface->face_count, s->weld.triangles, ISOSURFACE_TIMES * wanted, &skin));
	OSSAI_TRY(ossai_remesh(arena, skin.vertex_count, skin.positions, skin.face_count, skin.triangles, wanted, made));
	uint32_t *of_point = ossai_arena_new(arena, points, sizeof *of_point);
	if (!of_point) return ossa_context_error(arena->context)->status;
	for (size_t i = 0; i < points; i++) {
		of_point[i] = skin.of_vertex[i] == OSSA_NONE ? OSSA_NONE : made->of_vertex[skin.of_vertex[i]];
	}
	made->of_vertex = of_point;
	return OSSA_OK;
}

static ossa_status make_kind(ossai_arena *arena, ossai_arena *scratch, source *s, ossai_proxy *proxy)
{
	const size_t wanted = s->options->vertices, points = s->weld.point_count;
	const ossai_manifold *m = &s->manifold;
	ossai_isotropic_mesh made;
	/* cut edges are borders of a remeshed surface, and edges of three faces of one that is taken as
	   it is */
	proxy->is_closed = m->border_edges == 0 && m->crowded_edges == 0 && m->twisted_edges == 0;
	if (proxy->kind == OSSA_PROXY_NONE) return take_points(arena, scratch, s, proxy);
	if (proxy->kind == OSSA_PROXY_SHELL) {
		OSSAI_TRY(take_shell(arena, scratch, s, &made));
		proxy->is_closed = true;
	} else {
		OSSAI_TRY(ossai_remesh_manifold(arena, &s->mesh, m, points, s->points, wanted, &made));
	}
	return take_remeshed(arena, s, &made, proxy);
}

static double mean_edge(const ossai_proxy *proxy)
{
	double sum = 0;
	for (size_t i = 0; i < 3 * proxy->face_count; i++) {
		const size_t next = i % 3 == 2 ? i - 2 : i + 1;
		const ossai_vec3 a = ossai_v3_of(proxy->positions + 3 * (size_t)proxy->triangles[i]);
		const ossai_vec3 b = ossai_v3_of(proxy->positions + 3 * (size_t)proxy->triangles[next]);
		sum += ossai_length(ossai_sub(b, a));
	}
	return proxy->face_count ? sum / (3 * (double)proxy->face_count) : 0;
}

/* back from the canonical frame, without the last digits, which depend on the order of the input;
   where the frame is left-handed, faces must turn over to look outward */
static void turn_back(const ossai_canonical_frame *frame, ossai_proxy *proxy)
{
	for (size_t i = 0; i < proxy->vertex_count; i++) {
		double *p = proxy->positions + 3 * i;
		ossai_v3_store(ossai_from_canonical(frame, ossai_v3_of(p)), p);
		for (int k = 0; k < 3; k++) p[k] = ossai_round_length(p[k]);
	}
	if (ossai_mat3_det(&frame->axes) > 0) return;
	for (size_t f = 0; f < proxy->face_count; f++) {
		uint32_t *t = proxy->triangles + 3 * f, second = t[1];
		t[1] = t[2];
		t[2] = second;
	}
}

ossa_status ossai_proxy_make(
	ossai_arena *arena, const ossai_posed_surface *surface, const ossai_proxy_options *options, ossai_proxy *proxy)
{
	source s = {.surface = surface, .options = options};
	ossai_arena scratch = ossai_arena_begin(arena->context);
	*proxy = (ossai_proxy){.kind = options->kind};
	ossa_status status = take_source(&scratch, &s);
	if (status == OSSA_OK) warn_of_mixed_faces(arena->context, s.mixed_faces, surface->face_count);
	if (status == OSSA_OK && options->kind == OSSA_PROXY_AUTO) proxy->kind = choose_kind(arena->context, &s.manifold);
	if (status == OSSA_OK) status = make_kind(arena, &scratch, &s, proxy);
	if (status == OSSA_OK) {
		const bool is_isotropic = proxy->kind != OSSA_PROXY_NONE;
		status = ossai_proxy_link(arena, options->join_distance, options->split_distance, is_isotropic, proxy);
	}
	proxy->edge_length = mean_edge(proxy);
	if (status == OSSA_OK && options->kind != OSSA_PROXY_NONE) turn_back(&s.frame, proxy);
	ossai_arena_end(&scratch);
	return status;
}

size_t ossai_proxy_pairs(const ossai_proxy *proxy, ossai_pair *pairs)
{
	size_t count = 0;
	for (size_t i = 0; i < 3 * proxy->face_count; i++) {
		const uint32_t a = proxy->triangles[i], b = proxy->triangles[i % 3 == 2 ? i - 2 : i + 1];
		if (a != b) pairs[count++] = ossai_pair_of(a, b, (uint32_t)i);
	}
	for (size_t i = 0; i < proxy->link_count; i++) {
		const uint32_t a = proxy->links[2 * i], b = proxy->links[2 * i + 1];
		if (a != b) pairs[count++] = ossai_pair_of(a, b, (uint32_t)(3 * proxy->face_count));
	}
	return count;
}

ossa_status ossai_proxy_edges(ossai_arena *arena, const ossai_proxy *proxy, uint32_t **edge, size_t *count)
{
	ossai_pair *pairs = ossai_arena_new(arena, 3 * proxy->face_count + proxy->link_count, sizeof *pairs);
	if (!pairs) return ossa_context_error(arena->context)->status;
	const size_t all = ossai_proxy_pairs(proxy, pairs);
	OSSAI_TRY(ossai_pairs_sort(arena->context, pairs, all, proxy->vertex_count));
	return ossai_pairs_unique(arena, pairs, all, edge, count);
}

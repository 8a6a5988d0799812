/* surface/proxy.c: see proxy.h. */
#include "surface/proxy.h"

#include "surface/pieces.h"
#include "surface/remesh.h"
#include "surface/weld.h"

#include <string.h>

ossai_proxy_options ossai_proxy_default(void)
{
	return (ossai_proxy_options){.kind = OSSAI_PROXY_AUTO, .vertices = 8000, .join_distance = -1, .split_distance = 0};
}

/* the surface as it is, its vertices at one point as one */
static ossa_status take_points(
	ossai_arena *arena, const ossai_posed_surface *surface, const ossai_weld *weld, ossai_proxy *proxy)
{
	proxy->kind = OSSAI_PROXY_NONE;
	proxy->vertex_count = weld->point_count;
	proxy->face_count = surface->face_count;
	proxy->of_vertex = weld->point_of_vertex;
	proxy->triangles = weld->triangles;
	proxy->positions = ossai_arena_new(arena, weld->point_count, 3 * sizeof *proxy->positions);
	if (!proxy->positions) return ossa_context_error(arena->context)->status;
	for (size_t i = 0; i < weld->point_count; i++) {
		memcpy(proxy->positions + 3 * i, surface->rest + 3 * (size_t)weld->vertex_of_point[i], 3 * sizeof *proxy->positions);
	}
	return OSSA_OK;
}

/* the points remeshed */
static ossa_status take_remeshed(ossai_arena *arena, const ossai_posed_surface *surface, size_t wanted, ossai_proxy *proxy)
{
	const ossai_proxy points = *proxy;
	ossai_even_mesh made;
	OSSAI_TRY(ossai_remesh(arena, points.vertex_count, points.positions, points.face_count, points.triangles, wanted, &made));
	proxy->kind = OSSAI_PROXY_SURFACE;
	proxy->vertex_count = made.vertex_count;
	proxy->face_count = made.face_count;
	proxy->positions = made.positions;
	proxy->triangles = made.triangles;
	proxy->of_vertex = ossai_arena_new(arena, surface->vertex_count, sizeof *proxy->of_vertex);
	if (!proxy->of_vertex) return ossa_context_error(arena->context)->status;
	for (size_t v = 0; v < surface->vertex_count; v++) {
		const uint32_t point = points.of_vertex[v];
		proxy->of_vertex[v] = point == OSSA_NONE ? OSSA_NONE : made.of_vertex[point];
	}
	return OSSA_OK;
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

static ossa_status count_pieces(ossai_arena *scratch, ossai_proxy *proxy)
{
	uint32_t *piece_of_face = ossai_arena_new(scratch, proxy->face_count, sizeof *piece_of_face);
	if (!piece_of_face) return ossa_context_error(scratch->context)->status;
	return ossai_pieces_make(
		scratch->context, proxy->vertex_count, proxy->face_count, proxy->triangles, piece_of_face, NULL, &proxy->piece_count);
}

ossa_status ossai_proxy_make(
	ossai_arena *arena, const ossai_posed_surface *surface, const ossai_proxy_options *options, ossai_proxy *proxy)
{
	ossai_weld weld;
	*proxy = (ossai_proxy){0};
	OSSAI_TRY(ossai_weld_make(arena, surface, &weld));
	OSSAI_TRY(take_points(arena, surface, &weld, proxy));
	if (options->kind != OSSAI_PROXY_NONE) OSSAI_TRY(take_remeshed(arena, surface, options->vertices, proxy));
	proxy->edge_length = mean_edge(proxy);
	ossai_arena scratch = ossai_arena_begin(arena->context);
	const ossa_status status = count_pieces(&scratch, proxy);
	ossai_arena_end(&scratch);
	return status;
}

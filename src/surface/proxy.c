/* surface/proxy.c: see proxy.h. */
#include "surface/proxy.h"

#include "surface/weld.h"

#include <string.h>

ossai_proxy_options ossai_proxy_default(void)
{
	return (ossai_proxy_options){.kind = OSSAI_PROXY_AUTO, .vertices = 8000, .join_distance = -1, .split_distance = 0};
}

/* the surface as it is, its vertices at one point as one */
static ossa_status take_surface(ossai_arena *arena, const ossai_posed_surface *surface, ossai_proxy *proxy)
{
	ossai_weld weld;
	OSSAI_TRY(ossai_weld_make(arena, surface, &weld));
	proxy->kind = OSSAI_PROXY_NONE;
	proxy->vertex_count = weld.point_count;
	proxy->face_count = surface->face_count;
	proxy->of_vertex = weld.point_of_vertex;
	proxy->triangles = weld.triangles;
	proxy->positions = ossai_arena_new(arena, weld.point_count, 3 * sizeof *proxy->positions);
	if (!proxy->positions) return ossa_context_error(arena->context)->status;
	for (size_t i = 0; i < weld.point_count; i++) {
		memcpy(proxy->positions + 3 * i, surface->rest + 3 * (size_t)weld.vertex_of_point[i], 3 * sizeof *proxy->positions);
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

ossa_status ossai_proxy_make(
	ossai_arena *arena, const ossai_posed_surface *surface, const ossai_proxy_options *options, ossai_proxy *proxy)
{
	(void)options;
	*proxy = (ossai_proxy){.piece_count = surface->piece_count};
	OSSAI_TRY(take_surface(arena, surface, proxy));
	proxy->edge_length = mean_edge(proxy);
	return OSSA_OK;
}

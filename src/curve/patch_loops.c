/* curve/patch_loops.c: see patch_loops.h. */
#include "curve/patch_loops.h"

#include "base/search.h"

#include <ossa/mesh.h>

static ossai_vec3 vertex_of(const ossai_proxy *proxy, uint32_t vertex)
{
	return ossai_v3_of(proxy->positions + 3 * (size_t)vertex);
}

/* the index of `to` among the neighbours of `from`; OSSA_NONE where no edge joins them */
static uint32_t slot_of(const ossai_patch_loops *loops, uint32_t from, uint32_t to)
{
	const uint32_t begin = loops->start[from], count = loops->start[from + 1] - begin;
	const uint32_t *own = loops->neighbor + begin;
	const size_t at = ossai_search_index(own, count, to);
	return at < count && own[at] == to ? begin + (uint32_t)at : OSSA_NONE;
}

static void add_line(ossai_patch_loops *loops, uint32_t a, uint32_t b, ossai_vec3 from, ossai_vec3 to)
{
	const double length = ossai_distance(from, to);
	const ossai_vec3 midpoint = ossai_lerp(from, to, 0.5);
	const uint32_t slots[2] = {slot_of(loops, a, b), slot_of(loops, b, a)};
	for (int i = 0; i < 2; i++) {
		if (slots[i] == OSSA_NONE) continue;
		loops->center[slots[i]] = ossai_madd(loops->center[slots[i]], length, midpoint);
		loops->length[slots[i]] += length;
	}
}

/* a face between patches: lines from the middles of its edges; they meet in its center where it
   has three patches */
static void add_face(ossai_patch_loops *loops, const ossai_proxy *proxy, const uint32_t *node_of_vertex, const uint32_t *t)
{
	const ossai_vec3 p[3] = {vertex_of(proxy, t[0]), vertex_of(proxy, t[1]), vertex_of(proxy, t[2])};
	const uint32_t n[3] = {node_of_vertex[t[0]], node_of_vertex[t[1]], node_of_vertex[t[2]]};
	if (n[0] == n[1] && n[1] == n[2]) return;
	const ossai_vec3 center = ossai_scale(ossai_add(p[0], ossai_add(p[1], p[2])), 1.0 / 3);
	const bool all_differ = n[0] != n[1] && n[1] != n[2] && n[2] != n[0];
	for (int k = 0; k < 3; k++) {
		const int next = (k + 1) % 3, last = (k + 2) % 3;
		const ossai_vec3 midpoint = ossai_lerp(p[k], p[next], 0.5);
		if (all_differ) add_line(loops, n[k], n[next], midpoint, center);
		else if (n[k] != n[next] && n[next] == n[last])
			add_line(loops, n[k], n[next], midpoint, ossai_lerp(p[k], p[last], 0.5));
	}
}

/* means of the patches: each corner of a face bears a third of it */
static ossa_status patch_centers(
	ossai_arena *arena, const ossai_proxy *proxy, const ossai_curve *curve, ossai_patch_loops *loops)
{
	double *area = ossai_arena_zero(arena, curve->node_count, sizeof *area);
	if (!area) return ossa_context_error(arena->context)->status;
	for (size_t f = 0; f < proxy->face_count; f++) {
		const uint32_t *t = proxy->triangles + 3 * f;
		const ossai_vec3 p[3] = {vertex_of(proxy, t[0]), vertex_of(proxy, t[1]), vertex_of(proxy, t[2])};
		const double third = ossai_length(ossai_cross(ossai_sub(p[1], p[0]), ossai_sub(p[2], p[0]))) / 6;
		for (int k = 0; k < 3; k++) {
			const uint32_t node = curve->node_of_vertex[t[k]];
			area[node] += third;
			loops->patch_center[node] = ossai_madd(loops->patch_center[node], third, p[k]);
		}
	}
	for (size_t i = 0; i < curve->node_count; i++) {
		loops->patch_center[i] = area[i] > 0 ? ossai_scale(loops->patch_center[i], 1 / area[i]) : curve->node[i];
	}
	return OSSA_OK;
}

ossa_status ossai_patch_loops_make(
	ossai_arena *arena, const ossai_proxy *proxy, const ossai_curve *curve, ossai_patch_loops *loops)
{
	*loops = (ossai_patch_loops){.node_count = curve->node_count};
	OSSAI_TRY(ossai_curve_neighbors(arena, curve, &loops->start, &loops->neighbor));
	loops->center = ossai_arena_zero(arena, curve->edge_count, 2 * sizeof *loops->center);
	loops->length = ossai_arena_zero(arena, curve->edge_count, 2 * sizeof *loops->length);
	loops->patch_center = ossai_arena_zero(arena, curve->node_count, sizeof *loops->patch_center);
	if (!loops->center || !loops->length || !loops->patch_center) return ossa_context_error(arena->context)->status;
	for (size_t f = 0; f < proxy->face_count; f++) add_face(loops, proxy, curve->node_of_vertex, proxy->triangles + 3 * f);
	for (size_t i = 0; i < 2 * curve->edge_count; i++) {
		if (loops->length[i] > 0) loops->center[i] = ossai_scale(loops->center[i], 1 / loops->length[i]);
	}
	return patch_centers(arena, proxy, curve, loops);
}

void ossai_patch_measure(const ossai_proxy *proxy, ossai_curve *curve)
{
	for (size_t i = 0; i < curve->node_count; i++) curve->area[i] = curve->volume[i] = 0;
	for (size_t f = 0; f < proxy->face_count; f++) {
		const uint32_t *t = proxy->triangles + 3 * f;
		const ossai_vec3 p[3] = {vertex_of(proxy, t[0]), vertex_of(proxy, t[1]), vertex_of(proxy, t[2])};
		const ossai_vec3 normal = ossai_cross(ossai_sub(p[1], p[0]), ossai_sub(p[2], p[0]));
		for (int k = 0; k < 3; k++) {
			const uint32_t node = curve->node_of_vertex[t[k]];
			curve->area[node] += ossai_length(normal) / 6;
			curve->volume[node] += ossai_dot(ossai_sub(p[0], curve->node[node]), normal) / 18;
		}
	}
	for (size_t i = 0; i < curve->node_count; i++) curve->volume[i] = curve->volume[i] > 0 ? curve->volume[i] : 0;
}

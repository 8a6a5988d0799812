/* weights/transfer.c: see transfer.h. */
#include "weights/transfer.h"

#include "math/triangle.h"
#include "weights/blend.h"

enum { VERTEX_GRAIN = 512 };

typedef struct transfer {
	const ossai_proxy *proxy;
	const ossai_bone_weights *from;
	const ossai_posed_surface *surface;
	ossai_bone_weights *to;
	ossai_vertex_faces around;
} transfer;

static ossai_vec3 proxy_point(const ossai_proxy *proxy, uint32_t vertex)
{
	return ossai_v3_of(proxy->positions + 3 * (size_t)vertex);
}

static void carry_vertex(const transfer *t, size_t vertex)
{
	const uint32_t correspondent = t->proxy->of_vertex[vertex];
	const ossai_vec3 p = ossai_rest_point(t->surface, vertex);
	uint32_t corner[3] = {correspondent, correspondent, correspondent};
	double share[3] = {1, 0, 0}, best = INFINITY;
	ossai_weight_blend sum = {.count = 0};
	for (size_t i = t->around.start[correspondent]; i < t->around.start[correspondent + 1]; i++) {
		const uint32_t *face = t->proxy->triangles + 3 * (size_t)t->around.faces[i];
		const ossai_vec3 corners[3] = {
			proxy_point(t->proxy, face[0]), proxy_point(t->proxy, face[1]), proxy_point(t->proxy, face[2])};
		double shares[3];
		const double distance = ossai_length2(ossai_sub(p, ossai_nearest_on_triangle(corners, p, shares)));
		if (distance >= best) continue;
		best = distance;
		for (int k = 0; k < 3; k++) {
			corner[k] = face[k];
			share[k] = shares[k];
		}
	}
	for (int k = 0; k < 3; k++) ossai_weight_blend_add(t->from, corner[k], share[k], &sum);
	ossai_bone_weights_take(t->to, vertex, sum.count, sum.bone, sum.value);
}

static void carry(void *arg, size_t begin, size_t end)
{
	const transfer *t = arg;
	for (size_t v = begin; v < end; v++) {
		t->to->count[v] = 0;
		if (t->proxy->of_vertex[v] != OSSA_NONE) carry_vertex(t, v);
	}
}

ossa_status ossai_weights_transfer(ossa_context *context, const ossai_proxy *proxy, const ossai_bone_weights *from,
	const ossai_posed_surface *surface, ossai_bone_weights *to)
{
	ossai_arena scratch = ossai_arena_begin(context);
	transfer t = {.proxy = proxy, .from = from, .surface = surface, .to = to};
	const ossa_status status = ossai_vertex_faces_make(
		context, &scratch, proxy->vertex_count, proxy->face_count, proxy->triangles, &t.around);
	if (status == OSSA_OK) ossai_parallel_for(context, surface->vertex_count, VERTEX_GRAIN, carry, &t);
	ossai_arena_end(&scratch);
	return status;
}

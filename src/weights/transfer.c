/* weights/transfer.c: see transfer.h. */
#include "weights/transfer.h"

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

/* the nearest point of a face, as barycentric coordinates. C. Ericson, Real-Time Collision
   Detection, 2005, 5.1.5. */
static ossai_vec3 nearest_on_face(const ossai_vec3 corner[3], ossai_vec3 p, double share[3])
{
	const ossai_vec3 ab = ossai_sub(corner[1], corner[0]), ac = ossai_sub(corner[2], corner[0]);
	const ossai_vec3 ap = ossai_sub(p, corner[0]);
	const double d00 = ossai_dot(ab, ab), d01 = ossai_dot(ab, ac), d11 = ossai_dot(ac, ac);
	const double d20 = ossai_dot(ap, ab), d21 = ossai_dot(ap, ac), det = d00 * d11 - d01 * d01;
	double best = INFINITY;
	if (det > 1e-14 * d00 * d11) {
		const double v = (d11 * d20 - d01 * d21) / det, w = (d00 * d21 - d01 * d20) / det;
		if (v >= 0 && w >= 0 && v + w <= 1) {
			share[0] = 1 - v - w;
			share[1] = v;
			share[2] = w;
			return ossai_madd(ossai_madd(corner[0], v, ab), w, ac);
		}
	}
	ossai_vec3 nearest = corner[0];
	for (int i = 0; i < 3; i++) {
		const int j = (i + 1) % 3;
		const ossai_vec3 direction = ossai_sub(corner[j], corner[i]);
		const double length2 = ossai_length2(direction), along = ossai_dot(ossai_sub(p, corner[i]), direction);
		const double t = along <= 0 || length2 <= 0 ? 0 : along >= length2 ? 1 : along / length2;
		const ossai_vec3 q = ossai_madd(corner[i], t, direction);
		const double distance = ossai_length2(ossai_sub(p, q));
		if (distance >= best) continue;
		best = distance;
		nearest = q;
		share[i] = 1 - t;
		share[j] = t;
		share[(i + 2) % 3] = 0;
	}
	return nearest;
}

/* accumulates bones and weights: the corners of a face have at most 3 widths of them */
typedef struct blend {
	uint32_t bone[3 * OSSAI_INFLUENCES_MAX];
	double value[3 * OSSAI_INFLUENCES_MAX];
	size_t count;
} blend;

static void add_corner(const ossai_bone_weights *from, uint32_t vertex, double share, blend *sum)
{
	const size_t at = (size_t)vertex * from->width;
	for (size_t i = 0; share > 0 && i < from->count[vertex]; i++) {
		size_t slot = 0;
		while (slot < sum->count && sum->bone[slot] != from->bone[at + i]) slot++;
		if (slot == sum->count) {
			sum->bone[sum->count] = from->bone[at + i];
			sum->value[sum->count++] = 0;
		}
		sum->value[slot] += share * from->value[at + i];
	}
}

static void carry_vertex(const transfer *t, size_t vertex)
{
	const uint32_t correspondent = t->proxy->of_vertex[vertex];
	const ossai_vec3 p = ossai_rest_point(t->surface, vertex);
	uint32_t corner[3] = {correspondent, correspondent, correspondent};
	double share[3] = {1, 0, 0}, best = INFINITY;
	blend sum = {.count = 0};
	for (size_t i = t->around.start[correspondent]; i < t->around.start[correspondent + 1]; i++) {
		const uint32_t *face = t->proxy->triangles + 3 * (size_t)t->around.faces[i];
		const ossai_vec3 corners[3] = {
			proxy_point(t->proxy, face[0]), proxy_point(t->proxy, face[1]), proxy_point(t->proxy, face[2])};
		double shares[3];
		const double distance = ossai_length2(ossai_sub(p, nearest_on_face(corners, p, shares)));
		if (distance >= best) continue;
		best = distance;
		for (int k = 0; k < 3; k++) {
			corner[k] = face[k];
			share[k] = shares[k];
		}
	}
	for (int k = 0; k < 3; k++) add_corner(t->from, corner[k], share[k], &sum);
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

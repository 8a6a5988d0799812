/* query/winding_rays.c: generalised winding numbers of few points by the faces that a ray meets:
   see winding_rays.h.

   Source: A. Jacobson, L. Kavan and O. Sorkine-Hornung, Robust Inside-Outside Segmentation, 2013:
   surfaces with the same border have winding numbers that differ by whole turns. Sweep the border
   along -x to infinity: together with the surface that is closed, and a ray along +x never meets
   what was swept. So the winding number is the signed number of faces that the ray meets, plus
   the solid angle of each border edge's swept strip: that of the spherical triangle of its two ends
   and -x. Each face is read once, and tested for the few points whose ray may meet it.

   Ties: the point is moved by an infinitesimal step along y and a far smaller one along z, which
   decides on which side of an edge it is. Crossings and strips take the same side, so that a ray
   through an edge, or through a border, counts as often as it should. */
#include "query/winding_rays.h"

#include "base/csr.h"
#include "base/heap.h"
#include "base/order.h"
#include "base/search.h"

#include <stdlib.h>

enum { FACE_GRAIN = 16384 };

/* An edge that as many more faces pass from begin to end than the other way. */
typedef struct border_edge {
	uint32_t begin, end;
	int32_t times;
} border_edge;

typedef struct ray_job {
	const ossai_mesh_view *mesh;
	size_t point_count;
	const double *points;
	const double *z;       /* N, rising */
	const uint32_t *order; /* N: the point of each z */
	int32_t *crossings;    /* of each range of faces, N */
	const border_edge *border;
	size_t border_count;
	double *numbers;
} ray_job;

/* ---- the border ---- */

/* the edges of each vertex to larger ones: twice the other vertex, plus 1 where a face passes it
   from there */
static ossa_status gather_edges(ossai_arena *scratch, const ossai_mesh_view *mesh, ossai_csr *edges)
{
	OSSAI_TRY(ossai_csr_begin(scratch, mesh->vertex_count, edges));
	for (size_t pass = 0; pass < 2; pass++) {
		for (size_t f = 0; f < mesh->face_count; f++) {
			const uint32_t *t = mesh->triangles + 3 * f;
			for (int k = 0; k < 3; k++) {
				const uint32_t a = t[k], b = t[k == 2 ? 0 : k + 1];
				if (a == b) continue;
				const uint32_t least = a < b ? a : b, item = a < b ? 2 * b : 2 * a + 1;
				if (pass == 0) ossai_csr_count(edges, least);
				else ossai_csr_put(edges, least, item);
			}
		}
		if (pass == 0) OSSAI_TRY(ossai_csr_take_items(scratch, edges));
	}
	return OSSA_OK;
}

static void sort_items(uint32_t *item, size_t count)
{
	enum { INSERTION_MOST = 32 };
	if (count > INSERTION_MOST) {
		qsort(item, count, sizeof *item, ossai_compare_indices);
		return;
	}
	for (size_t i = 1; i < count; i++) {
		const uint32_t moving = item[i];
		size_t at = i;
		for (; at > 0 && item[at - 1] > moving; at--) item[at] = item[at - 1];
		item[at] = moving;
	}
}

/* the border edges; false where there are more than `most` */
static bool find_border(const ossai_csr *edges, size_t most, border_edge *border, size_t *count)
{
	*count = 0;
	for (uint32_t v = 0; v < edges->row_count; v++) {
		uint32_t *item = edges->item + edges->start[v];
		const size_t size = ossai_csr_size(edges, v);
		sort_items(item, size);
		for (size_t i = 0; i < size;) {
			const uint32_t other = item[i] / 2;
			int32_t times = 0;
			for (; i < size && item[i] / 2 == other; i++) times += item[i] % 2 ? -1 : 1;
			if (times == 0) continue;
			if (*count == most) return false;
			border[(*count)++] = (border_edge){v, other, times};
		}
	}
	return true;
}

/* the length of v less its part along x, without cancellation */
static double beyond_x(ossai_vec3 v)
{
	const double length = ossai_length(v);
	return v.x > 0 ? (v.y * v.y + v.z * v.z) / (length + v.x) : length - v.x;
}

/* a corner that the ray meets is moved aside, as the point is the other way */
static ossai_vec3 aside(ossai_vec3 v) { return v.y == 0 && v.z == 0 && v.x > 0 ? ossai_v3(v.x, -1, 0) : v; }

/* half of the solid angle of the triangle of two corners, relative to the point, and -x */
static double strip_angle(ossai_vec3 a, ossai_vec3 b)
{
	const double size = beyond_x(a) * beyond_x(b);
	a = aside(a);
	b = aside(b);
	const double re = size + a.y * b.y + a.z * b.z, im = a.z * b.y - a.y * b.z;
	if (im != 0 || re >= 0) return im == 0 ? 0 : atan2(im, re);
	/* in one plane with the ray: on the side to which the point is moved */
	const double side = a.z != b.z ? b.z - a.z : a.y - b.y;
	return side < 0 ? -OSSAI_PI : side > 0 ? OSSAI_PI : 0;
}

static void strip_range(void *arg, size_t begin, size_t end)
{
	const ray_job *job = arg;
	const size_t ranges = (job->mesh->face_count + FACE_GRAIN - 1) / FACE_GRAIN;
	for (size_t p = begin; p < end; p++) {
		const ossai_vec3 point = ossai_v3_of(job->points + 3 * p);
		double angle = 0;
		int64_t turns = 0;
		for (size_t i = 0; i < job->border_count; i++) {
			const border_edge *e = &job->border[i];
			const ossai_vec3 a = ossai_sub(ossai_view_point(job->mesh, e->begin), point);
			const ossai_vec3 b = ossai_sub(ossai_view_point(job->mesh, e->end), point);
			angle += e->times * strip_angle(a, b);
		}
		for (size_t r = 0; r < ranges; r++) turns += job->crossings[r * job->point_count + p];
		job->numbers[p] = (double)turns + angle / (2 * OSSAI_PI);
	}
}

/* ---- crossings ---- */

/* 1 where the edge passes the point on the side of larger y upwards (along z), -1 downwards */
static inline int passes(ossai_vec3 a, ossai_vec3 b)
{
	if ((a.z > 0) == (b.z > 0)) return 0;
	const double side = a.y * b.z - a.z * b.y;
	return b.z > 0 ? side > 0 : -(side < 0);
}

/* 1 where the ray along +x leaves through the face, -1 where it enters; corners relative to the
   point */
static inline int crossing(ossai_vec3 a, ossai_vec3 b, ossai_vec3 c)
{
	const int turn = passes(a, b) + passes(b, c) + passes(c, a);
	if (turn == 0) return 0;
	return turn * ossai_dot(a, ossai_cross(b, c)) > 0 ? turn : 0;
}

static void cross_range(void *arg, size_t begin, size_t end)
{
	const ray_job *job = arg;
	const size_t count = job->point_count;
	int32_t *crossings = job->crossings + begin / FACE_GRAIN * count;
	for (size_t f = begin; f < end; f++) {
		const ossai_vec3 a = ossai_view_corner(job->mesh, f, 0), b = ossai_view_corner(job->mesh, f, 1);
		const ossai_vec3 c = ossai_view_corner(job->mesh, f, 2);
		const double ab_low = a.z < b.z ? a.z : b.z, ab_high = a.z > b.z ? a.z : b.z;
		const double low = ab_low < c.z ? ab_low : c.z, high = ab_high > c.z ? ab_high : c.z;
		for (size_t i = ossai_search_first(job->z, count, low); i < count && job->z[i] < high; i++) {
			const ossai_vec3 p = ossai_v3_of(job->points + 3 * (size_t)job->order[i]);
			crossings[job->order[i]] += crossing(ossai_sub(a, p), ossai_sub(b, p), ossai_sub(c, p));
		}
	}
}

/* ---- the whole ---- */

static ossa_status sort_points(ossai_arena *scratch, ray_job *job)
{
	const size_t count = job->point_count;
	ossai_heap_entry *list = ossai_arena_new(scratch, count, sizeof *list);
	double *z = list ? ossai_arena_new(scratch, count, sizeof *z) : NULL;
	uint32_t *order = z ? ossai_arena_new(scratch, count, sizeof *order) : NULL;
	if (!order) return ossa_context_error(scratch->context)->status;
	for (size_t p = 0; p < count; p++) list[p] = (ossai_heap_entry){job->points[3 * p + 2], (uint32_t)p};
	qsort(list, count, sizeof *list, ossai_heap_compare_rising);
	for (size_t i = 0; i < count; i++) {
		z[i] = list[i].key;
		order[i] = list[i].item;
	}
	job->z = z;
	job->order = order;
	return OSSA_OK;
}

static ossa_status make_border(ossai_arena *scratch, const ossai_mesh_view *mesh, size_t most, ray_job *job, bool *is_short)
{
	ossai_csr edges;
	border_edge *border = ossai_arena_new(scratch, most, sizeof *border);
	if (!border) return ossa_context_error(scratch->context)->status;
	OSSAI_TRY(gather_edges(scratch, mesh, &edges));
	*is_short = find_border(&edges, most, border, &job->border_count);
	job->border = border;
	return OSSA_OK;
}

static ossa_status run(ossai_arena *scratch, size_t border_most, ray_job *job, bool *made)
{
	ossa_context *context = scratch->context;
	const size_t ranges = (job->mesh->face_count + FACE_GRAIN - 1) / FACE_GRAIN;
	OSSAI_TRY(make_border(scratch, job->mesh, border_most, job, made));
	if (!*made) return OSSA_OK;
	OSSAI_TRY(sort_points(scratch, job));
	job->crossings = ossai_arena_zero(scratch, ranges * job->point_count, sizeof *job->crossings);
	if (!job->crossings) return ossa_context_error(context)->status;
	ossai_parallel_for(context, job->mesh->face_count, FACE_GRAIN, cross_range, job);
	ossai_parallel_for(context, job->point_count, 16, strip_range, job);
	return OSSA_OK;
}

ossa_status ossai_winding_numbers_by_rays(ossa_context *context, const ossai_mesh_view *mesh, size_t border_most,
	size_t point_count, const double *points, double *numbers, bool *made)
{
	*made = false;
	/* twice a vertex must fit 32 bits, and an edge begins at each corner */
	if (mesh->vertex_count > UINT32_MAX / 2 || mesh->face_count > UINT32_MAX / 3) return OSSA_OK;
	ray_job job = {.mesh = mesh, .point_count = point_count, .points = points, .numbers = numbers};
	ossai_arena scratch = ossai_arena_begin(context);
	const ossa_status status = run(&scratch, border_most, &job, made);
	ossai_arena_end(&scratch);
	return status;
}

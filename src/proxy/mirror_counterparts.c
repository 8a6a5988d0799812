/* proxy/mirror_counterparts.c: see mirror_counterparts.h. */
#include "proxy/mirror_counterparts.h"

#include "query/nearest_point.h"

/* of the size: the error of the search for a plane, and less in each step down to that of rounding:
   where half of the vertices agree as closely, the others do not move the plane */
static const double NEAR = 1e-2, NEAREST = 1e-6, NEARER = 0.3;
/* of the mean edge at a vertex: nearer to its mirrored position than this is its counterpart */
static const double NEAR_EDGE = 0.5;

/* ---- the plane ---- */

ossa_status ossai_mirror_refine(ossa_context *context, size_t count, const double *points, double near, ossai_mirror *mirror)
{
	ossai_arena scratch = ossai_arena_begin(context);
	double *images = ossai_arena_new(&scratch, count, 3 * sizeof *images);
	uint32_t *nearest = ossai_arena_new(&scratch, count, sizeof *nearest);
	ossa_status status = images && nearest ? OSSA_OK : ossa_context_error(context)->status;
	for (size_t v = 0; status == OSSA_OK && v < count; v++)
		ossai_v3_store(ossai_mirror_point(mirror, ossai_v3_of(points + 3 * v)), images + 3 * v);
	if (status == OSSA_OK) status = ossai_nearest_points(context, count, points, count, images, nearest);
	ossai_vec3 across = {0, 0, 0}, center = {0, 0, 0};
	size_t pairs = 0;
	for (size_t v = 0; status == OSSA_OK && v < count; v++) {
		const ossai_vec3 p = ossai_v3_of(points + 3 * v), q = ossai_v3_of(points + 3 * (size_t)nearest[v]);
		if (ossai_distance(q, ossai_v3_of(images + 3 * v)) > near) continue;
		const double apart = ossai_dot(mirror->normal, ossai_sub(p, q));
		across = ossai_madd(across, apart > 0 ? 1 : -1, ossai_sub(p, q));
		center = ossai_madd(center, 0.5, ossai_add(p, q));
		pairs++;
	}
	if (status == OSSA_OK && 2 * pairs >= count && ossai_length(across) > near) {
		mirror->normal = ossai_unit(across, mirror->normal);
		mirror->offset = ossai_dot(mirror->normal, ossai_scale(center, 1 / (double)pairs));
	}
	ossai_arena_end(&scratch);
	return status;
}

/* the vertices in use and their numbers */
typedef struct used_points {
	size_t count;
	double *points;   /* count x 3 */
	uint32_t *vertex; /* count */
} used_points;

static ossa_status list_used(ossai_arena *arena, const ossai_posed_surface *surface, used_points *list)
{
	*list = (used_points){.points = ossai_arena_new(arena, surface->used_count, 3 * sizeof *list->points),
		.vertex = ossai_arena_new(arena, surface->used_count, sizeof *list->vertex)};
	if (!list->points || !list->vertex) return ossa_context_error(arena->context)->status;
	for (uint32_t v = 0; v < surface->vertex_count; v++) {
		if (!surface->used[v]) continue;
		ossai_v3_store(ossai_rest_point(surface, v), list->points + 3 * list->count);
		list->vertex[list->count++] = v;
	}
	return OSSA_OK;
}

static ossa_status find_plane(ossai_arena *scratch, const ossai_posed_surface *surface, ossai_mirror *mirror)
{
	ossai_proxy proxy;
	used_points used;
	ossai_proxy_options options = ossai_proxy_default();
	options.kind = OSSA_PROXY_NONE;
	OSSAI_TRY(ossai_proxy_make(scratch, surface, &options, &proxy));
	OSSAI_TRY(ossai_mirror_find(scratch, &proxy, NULL, mirror));
	if (!mirror->exists) return OSSA_OK;
	OSSAI_TRY(list_used(scratch, surface, &used));
	double near = NEAR;
	while (near > NEAREST) {
		OSSAI_TRY(ossai_mirror_refine(scratch->context, used.count, used.points, near, mirror));
		near *= NEARER;
	}
	return OSSA_OK;
}

ossa_status ossai_mirror_of_surface(ossai_arena *arena, const ossai_posed_surface *surface, ossai_mirror *mirror)
{
	*mirror = (ossai_mirror){.normal = {1, 0, 0}, .error = INFINITY, .off_share = 1};
	ossai_arena scratch = ossai_arena_begin(arena->context);
	const ossa_status status = find_plane(&scratch, surface, mirror);
	ossai_arena_end(&scratch);
	return status;
}

/* ---- counterparts ---- */

static double mean_edge(const ossai_posed_surface *surface, size_t v)
{
	const ossai_adjacency *a = &surface->adjacency;
	const uint32_t begin = a->vertex_start[v], end = a->vertex_start[v + 1];
	double sum = 0;
	for (uint32_t i = begin; i < end; i++)
		sum += ossai_distance(ossai_rest_point(surface, v), ossai_rest_point(surface, a->vertex_neighbor[i]));
	return end > begin ? sum / (double)(end - begin) : 0;
}

static void take_counterparts(const ossai_posed_surface *surface, const ossai_mirror *mirror, const used_points *used,
	const uint32_t *nearest, uint32_t *counterpart, ossai_counterparts *counterparts)
{
	double square = 0;
	for (size_t i = 0; i < used->count; i++) {
		const uint32_t v = used->vertex[i], other = used->vertex[nearest[i]];
		const ossai_vec3 image = ossai_mirror_point(mirror, ossai_rest_point(surface, v));
		const double off = ossai_distance(image, ossai_rest_point(surface, other));
		/* of both, or one would have a counterpart that has none */
		const double near = NEAR_EDGE * fmin(mean_edge(surface, v), mean_edge(surface, other));
		if (nearest[nearest[i]] != i || !(off < near)) continue;
		counterpart[v] = other;
		square += off * off;
		counterparts->count++;
	}
	counterparts->distance = counterparts->count > 0 ? sqrt(square / (double)counterparts->count) : 0;
}

ossa_status ossai_mirror_counterparts(ossai_arena *arena, const ossai_posed_surface *surface, const ossai_mirror *mirror,
	uint32_t *counterpart, ossai_counterparts *counterparts)
{
	*counterparts = (ossai_counterparts){0};
	for (size_t v = 0; v < surface->vertex_count; v++) counterpart[v] = OSSA_NONE;
	ossai_arena scratch = ossai_arena_begin(arena->context);
	used_points used;
	ossa_status status = list_used(&scratch, surface, &used);
	double *images = ossai_arena_new(&scratch, surface->used_count, 3 * sizeof *images);
	uint32_t *nearest = ossai_arena_new(&scratch, surface->used_count, sizeof *nearest);
	if (status == OSSA_OK && (!images || !nearest)) status = ossa_context_error(arena->context)->status;
	for (size_t i = 0; status == OSSA_OK && i < used.count; i++)
		ossai_v3_store(ossai_mirror_point(mirror, ossai_v3_of(used.points + 3 * i)), images + 3 * i);
	if (status == OSSA_OK) status = ossai_nearest_points(arena->context, used.count, used.points, used.count, images, nearest);
	if (status == OSSA_OK) take_counterparts(surface, mirror, &used, nearest, counterpart, counterparts);
	ossai_arena_end(&scratch);
	return status;
}

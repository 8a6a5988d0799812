/* weights/anchors.c: see anchors.h. */
#include "weights/anchors.h"

#include "base/csr.h"
#include "query/nearest_point.h"
#include "weights/anchor_sets.h"

#include <ossa/mesh.h>

enum { VERTEX_GRAIN = 512 };

/* ---- the voxel of a point ---- */

/* the voxel whose cell contains a point; OSSA_NONE */
static uint32_t voxel_at(const ossai_voxels *voxels, ossai_vec3 point)
{
	const ossai_vec3 at = ossai_scale(ossai_sub(point, voxels->origin), 1 / voxels->step);
	const double x = floor(at.x + 0.5), y = floor(at.y + 0.5), z = floor(at.z + 0.5);
	const uint32_t *size = voxels->size;
	if (!(x >= 0 && y >= 0 && z >= 0 && x < size[0] && y < size[1] && z < size[2])) return OSSA_NONE;
	return voxels->of_cell[((size_t)z * size[1] + (size_t)y) * size[0] + (size_t)x];
}

/* the nearest voxels of points that are in none: only voxels on the boundary can be nearest */
static ossa_status find_nearest(
	ossai_arena *scratch, const ossai_voxels *voxels, size_t count, double *points, const uint32_t *item, uint32_t *voxel)
{
	double *centers = ossai_arena_new(scratch, voxels->count, 3 * sizeof *centers);
	uint32_t *border = ossai_arena_new(scratch, voxels->count, sizeof *border);
	uint32_t *nearest = ossai_arena_new(scratch, count, sizeof *nearest);
	if (!centers || !border || !nearest) return ossa_context_error(scratch->context)->status;
	size_t border_count = 0;
	for (uint32_t v = 0; v < voxels->count; v++) {
		if (voxels->distance2[v] > 1) continue;
		ossai_v3_store(ossai_voxel_center(voxels, v), centers + 3 * border_count);
		border[border_count++] = v;
	}
	OSSAI_TRY(ossai_nearest_points(scratch->context, border_count, centers, count, points, nearest));
	for (size_t i = 0; i < count; i++) voxel[item[i]] = border[nearest[i]];
	return OSSA_OK;
}

static bool is_finite(ossai_vec3 p) { return isfinite(p.x) && isfinite(p.y) && isfinite(p.z); }

static ossa_status find_voxels(
	ossai_arena *scratch, const ossai_voxels *voxels, size_t count, const double *points, uint32_t *voxel)
{
	size_t outside = 0;
	for (size_t i = 0; i < count; i++) {
		const ossai_vec3 point = ossai_v3_of(points + 3 * i);
		voxel[i] = is_finite(point) ? voxel_at(voxels, point) : 0;
		outside += voxel[i] == OSSA_NONE;
	}
	if (outside == 0) return OSSA_OK;
	double *lost = ossai_arena_new(scratch, outside, 3 * sizeof *lost);
	uint32_t *item = ossai_arena_new(scratch, outside, sizeof *item);
	if (!lost || !item) return ossa_context_error(scratch->context)->status;
	size_t at = 0;
	for (uint32_t i = 0; i < count; i++) {
		if (voxel[i] != OSSA_NONE) continue;
		ossai_v3_store(ossai_v3_of(points + 3 * (size_t)i), lost + 3 * at);
		item[at++] = i;
	}
	return find_nearest(scratch, voxels, outside, lost, item, voxel);
}

ossa_status ossai_anchor_voxels(
	ossa_context *context, const ossai_voxels *voxels, size_t count, const double *points, uint32_t *voxel)
{
	ossai_arena scratch = ossai_arena_begin(context);
	const ossa_status status = find_voxels(&scratch, voxels, count, points, voxel);
	ossai_arena_end(&scratch);
	return status;
}

/* ---- balls of segments ---- */

/* the parameters between which a segment lies in the box of all cells; false: nowhere */
static bool clip(const ossai_voxels *voxels, const ossai_segment *s, double share[2])
{
	const double from[3] = {s->from.x, s->from.y, s->from.z}, to[3] = {s->to.x, s->to.y, s->to.z};
	const double origin[3] = {voxels->origin.x, voxels->origin.y, voxels->origin.z};
	share[0] = 0;
	share[1] = 1;
	if (!is_finite(s->from) || !is_finite(s->to)) return false;
	for (int k = 0; k < 3; k++) {
		const double low = origin[k] - voxels->step / 2, high = low + voxels->size[k] * voxels->step,
					 direction = to[k] - from[k];
		if (direction == 0) {
			if (from[k] < low || from[k] > high) return false;
			continue;
		}
		const double a = (low - from[k]) / direction, b = (high - from[k]) / direction;
		share[0] = fmax(share[0], fmin(a, b));
		share[1] = fmin(share[1], fmax(a, b));
	}
	return share[0] <= share[1];
}

/* the number of sample points of a segment, half a voxel apart; 0: it is far from all voxels */
static size_t steps_of(const ossai_voxels *voxels, const ossai_segment *s, double share[2])
{
	if (!clip(voxels, s, share)) return 0;
	return (size_t)((share[1] - share[0]) * ossai_distance(s->from, s->to) / voxels->step * 2) + 2;
}

typedef struct ball_maker {
	const ossai_voxels *voxels;
	const ossai_bone_segments *segments;
	size_t count;
	ossai_anchor_ball *list;
	size_t missed; /* segments that pass through no voxel: their midpoints */
	double *middle;
	uint32_t *bone;
} ball_maker;

static void add_segment(ball_maker *m, const ossai_segment *s)
{
	double share[2];
	const size_t steps = steps_of(m->voxels, s, share), first = m->count;
	for (size_t i = 0; i < steps; i++) {
		const double t = share[0] + (share[1] - share[0]) * (double)i / (double)(steps - 1);
		const uint32_t voxel = voxel_at(m->voxels, ossai_lerp(s->from, s->to, t));
		if (voxel == OSSA_NONE || (m->count > first && m->list[m->count - 1].voxel == voxel)) continue;
		m->list[m->count++] = (ossai_anchor_ball){voxel, s->bone};
	}
	if (m->count > first) return;
	ossai_v3_store(ossai_lerp(s->from, s->to, 0.5), m->middle + 3 * m->missed);
	m->bone[m->missed++] = s->bone;
}

static ossa_status make_balls(ossai_arena *arena, ossai_arena *scratch, ball_maker *m)
{
	double share[2];
	size_t most = m->segments->count;
	for (size_t i = 0; i < m->segments->count; i++) most += steps_of(m->voxels, &m->segments->list[i], share);
	m->list = ossai_arena_new(arena, most, sizeof *m->list);
	m->middle = ossai_arena_new(scratch, m->segments->count, 3 * sizeof *m->middle);
	m->bone = ossai_arena_new(scratch, m->segments->count, sizeof *m->bone);
	uint32_t *voxel = ossai_arena_new(scratch, m->segments->count, sizeof *voxel);
	if (!m->list || !m->middle || !m->bone || !voxel) return ossa_context_error(arena->context)->status;
	for (size_t i = 0; i < m->segments->count; i++) add_segment(m, &m->segments->list[i]);
	OSSAI_TRY(ossai_anchor_voxels(arena->context, m->voxels, m->missed, m->middle, voxel));
	for (size_t i = 0; i < m->missed; i++) m->list[m->count++] = (ossai_anchor_ball){voxel[i], m->bone[i]};
	return OSSA_OK;
}

ossa_status ossai_anchor_balls_of_segments(ossai_arena *arena, const ossai_voxels *voxels, const ossai_bone_segments *segments,
	size_t *ball_count, ossai_anchor_ball **balls)
{
	ossai_arena scratch = ossai_arena_begin(arena->context);
	ball_maker m = {.voxels = voxels, .segments = segments};
	const ossa_status status = make_balls(arena, &scratch, &m);
	ossai_arena_end(&scratch);
	*ball_count = m.count;
	*balls = m.list;
	return status;
}

/* ---- weights ---- */

typedef struct weigher {
	const ossai_posed_surface *surface;
	const ossai_bone_segments *segments;
	ossai_csr segments_of; /* each bone */
	ossai_segment *sorted; /* by bone */
	const ossai_bone_sets *sets;
	uint32_t *set; /* V */
	ossai_bone_weights *weights;
} weigher;

static ossa_status sort_segments(ossai_arena *scratch, weigher *w)
{
	const size_t bones = w->segments->bone_count, count = w->segments->count;
	const ossai_segment *list = w->segments->list;
	size_t total;
	w->sorted = ossai_arena_new(scratch, count, sizeof *w->sorted);
	if (!w->sorted) return ossa_context_error(scratch->context)->status;
	OSSAI_TRY(ossai_csr_begin(scratch, bones, &w->segments_of));
	for (size_t i = 0; i < count; i++) ossai_csr_count(&w->segments_of, list[i].bone);
	OSSAI_TRY(ossai_csr_lay_out(scratch->context, &w->segments_of, &total));
	for (size_t i = 0; i < count; i++) w->sorted[ossai_csr_next(&w->segments_of, list[i].bone)] = list[i];
	return OSSA_OK;
}

static double distance_to(const weigher *w, uint32_t bone, ossai_vec3 p)
{
	double least = INFINITY;
	for (uint32_t i = w->segments_of.start[bone]; i < w->segments_of.start[bone + 1]; i++) {
		const double distance = ossai_distance(ossai_segment_nearest(&w->sorted[i], p), p);
		if (distance < least) least = distance;
	}
	return least;
}

/* the weights of section 3.4.3 for the bones of a set */
static void weigh_vertex(const weigher *w, size_t vertex)
{
	const ossai_bone_set *list = w->sets->list;
	const ossai_vec3 p = ossai_rest_point(w->surface, vertex);
	const uint32_t set = w->set[vertex];
	double total = 0, kept = 0;
	for (uint32_t s = set; s != 0; s = list[s].rest) total += distance_to(w, list[s].bone, p);
	for (uint32_t s = set; s != 0; s = list[s].rest) {
		double value = 1;
		if (list[set].size > 1 && total > 0) {
			value = (total - distance_to(w, list[s].bone, p)) / ((list[set].size - 1) * total);
		}
		if (value > 0) ossai_bone_weights_keep(w->weights, vertex, list[s].bone, value);
	}
	const size_t first = vertex * w->weights->width, count = w->weights->count[vertex];
	for (size_t i = 0; i < count; i++) kept += w->weights->value[first + i];
	for (size_t i = 0; i < count; i++) w->weights->value[first + i] /= kept;
}

/* where there are no balls */
static void follow_nearest(const weigher *w, size_t vertex)
{
	const ossai_vec3 p = ossai_rest_point(w->surface, vertex);
	uint32_t nearest = 0;
	for (uint32_t b = 1; b < w->segments->bone_count; b++) {
		if (distance_to(w, b, p) < distance_to(w, nearest, p)) nearest = b;
	}
	ossai_bone_weights_keep(w->weights, vertex, nearest, 1);
}

static void weigh_range(void *arg, size_t begin, size_t end)
{
	const weigher *w = arg;
	for (size_t v = begin; v < end; v++) {
		if (!w->surface->used[v]) continue;
		if (w->set[v] == 0) follow_nearest(w, v);
		else weigh_vertex(w, v);
	}
}

/* the set of each vertex's voxel, and the size of the largest */
static ossa_status find_sets(ossai_arena *scratch, weigher *w, const ossai_voxels *voxels, const uint32_t *set, size_t *most)
{
	const size_t count = w->surface->vertex_count;
	w->set = ossai_arena_new(scratch, count, sizeof *w->set);
	if (!w->set) return ossa_context_error(scratch->context)->status;
	OSSAI_TRY(ossai_anchor_voxels(scratch->context, voxels, count, w->surface->rest, w->set));
	for (size_t v = 0; v < count; v++) {
		w->set[v] = set[w->set[v]];
		if (w->surface->used[v] && w->sets->list[w->set[v]].size > *most) *most = w->sets->list[w->set[v]].size;
	}
	return OSSA_OK;
}

static ossa_status weigh(
	ossai_arena *arena, ossai_arena *scratch, weigher *w, const ossai_voxels *voxels, const uint32_t *set, size_t influences)
{
	size_t width = 1;
	OSSAI_TRY(sort_segments(scratch, w));
	OSSAI_TRY(find_sets(scratch, w, voxels, set, &width));
	if (influences > 0) width = influences;
	if (width > OSSAI_INFLUENCES_MAX) width = OSSAI_INFLUENCES_MAX;
	OSSAI_TRY(ossai_bone_weights_new(arena, w->surface->vertex_count, w->segments->bone_count, width, w->weights));
	ossai_parallel_for(arena->context, w->surface->vertex_count, VERTEX_GRAIN, weigh_range, w);
	return OSSA_OK;
}

ossa_status ossai_anchor_weights(ossai_arena *arena, const ossai_voxels *voxels, size_t ball_count,
	const ossai_anchor_ball *balls, const ossai_posed_surface *surface, const ossai_bone_segments *segments, size_t influences,
	ossai_bone_weights *weights)
{
	ossa_context *context = arena->context;
	OSSAI_TRY(ossai_bone_segments_check(context, segments));
	ossai_arena scratch = ossai_arena_begin(context);
	ossai_bone_sets sets;
	weigher w = {.surface = surface, .segments = segments, .sets = &sets, .weights = weights};
	ossa_status status = ossai_bone_sets_begin(context, segments->bone_count, &sets);
	uint32_t *set = status == OSSA_OK ? ossai_arena_new(&scratch, voxels->count, sizeof *set) : NULL;
	if (status == OSSA_OK && !set) status = ossa_context_error(context)->status;
	if (status == OSSA_OK) {
		status = ossai_anchor_sets_make(context, voxels, segments->bone_count, ball_count, balls, &sets, set);
	}
	if (status == OSSA_OK) status = weigh(arena, &scratch, &w, voxels, set, influences);
	ossai_bone_sets_end(&sets);
	ossai_arena_end(&scratch);
	return status;
}

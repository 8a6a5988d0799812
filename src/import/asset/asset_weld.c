/* import/asset/asset_weld.c: vertices that have the same place at rest and in every frame become one.

   Place in the path: the end of reading an animation.  In: a mesh and its frames, with a vertex for every corner where files cut their
   surfaces for UVs, normals or meshes.  Out: both with fewer vertices, of each group the first, in their order; corners keep UVs and
   normals.

   Vertices are compared in the order of one number each, a sum of all their coordinates with fixed factors: those that are one have
   (about) the same, and of others hardly any has. */
#include "import/asset/asset_parts.h"

#include "surface/bounds.h"

#include <stdlib.h>
#include <string.h>

/* places nearer than this share of the diagonal are one */
static const double near_share = 1e-7;

/* how many vertices of about the same number are looked at: more is not a surface but a trap */
enum { LOOKED_AT_MAX = 256, VERTICES_PER_RANGE = 4096 };

typedef struct ranked {
	double number;
	uint32_t vertex;
} ranked;

typedef struct welding {
	ossa_context *context;
	ossai_arena arena;
	ossa_mesh *mesh;
	ossa_frames *frames;
	double near;
	ranked *order;
	uint32_t *kept; /* by vertex: the first vertex of its group */
	uint32_t *to;   /* by vertex: its index behind */
} welding;

/* ---- the number of a vertex ---- */

/* a factor between 0.5 and 1 of every coordinate of every frame, the same in every run */
static double factor(uint64_t index)
{
	uint64_t x = (index + 1) * UINT64_C(0x9E3779B97F4A7C15);
	x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	x ^= x >> 27;
	return 0.5 + (double)(x >> 40) / 33554432.0;
}

static void add_numbers(welding *w, const float *positions, uint64_t frame)
{
	const double x = factor(3 * frame), y = factor(3 * frame + 1), z = factor(3 * frame + 2);
	for (size_t v = 0; v < w->mesh->vertex_count; v++) {
		const float *p = positions + 3 * v;
		w->order[v].number += x * (double)p[0] + y * (double)p[1] + z * (double)p[2];
	}
}

static int compare_ranked(const void *a, const void *b)
{
	const ranked *p = a, *q = b;
	if (p->number != q->number) return p->number < q->number ? -1 : 1;
	return (p->vertex > q->vertex) - (p->vertex < q->vertex);
}

static void rank_vertices(welding *w)
{
	const size_t count = w->mesh->vertex_count, frames = w->frames->frame_count;
	for (size_t v = 0; v < count; v++) w->order[v] = (ranked){0, (uint32_t)v};
	add_numbers(w, w->mesh->positions, 0);
	for (size_t f = 0; f < frames; f++) add_numbers(w, w->frames->positions + 3 * f * count, f + 1);
	qsort(w->order, count, sizeof *w->order, compare_ranked);
}

/* ---- groups ---- */

static bool is_near(const float *p, const float *q, double near)
{
	for (int k = 0; k < 3; k++) {
		if (!(fabs((double)p[k] - (double)q[k]) <= near)) return false;
	}
	return true;
}

static bool is_one(const welding *w, size_t a, size_t b)
{
	const size_t count = w->mesh->vertex_count;
	if (!is_near(w->mesh->positions + 3 * a, w->mesh->positions + 3 * b, w->near)) return false;
	for (size_t f = 0; f < w->frames->frame_count; f++) {
		const float *positions = w->frames->positions + 3 * f * count;
		if (!is_near(positions + 3 * a, positions + 3 * b, w->near)) return false;
	}
	return true;
}

/* each vertex to the first group that it fits, else a group of its own; groups are named by the vertex that began them */
static void group_vertices(welding *w)
{
	const size_t count = w->mesh->vertex_count;
	/* no coordinate differs by more than `near`, and no factor is more than 1 */
	const double window = 3 * w->near * (double)(w->frames->frame_count + 1);
	for (size_t i = 0; i < count; i++) {
		const uint32_t v = w->order[i].vertex;
		w->kept[v] = v;
		size_t looked = 0;
		for (size_t k = i; k-- > 0 && looked < LOOKED_AT_MAX; looked++) {
			if (w->order[i].number - w->order[k].number > window) break;
			const uint32_t first = w->kept[w->order[k].vertex];
			if (!is_one(w, v, first)) continue;
			w->kept[v] = first;
			break;
		}
	}
}

/* groups are named by their smallest vertex instead, whose place they keep */
static ossa_status name_groups(welding *w)
{
	const size_t count = w->mesh->vertex_count;
	uint32_t *smallest = ossai_arena_new(&w->arena, count, sizeof *smallest);
	if (!smallest) return ossa_context_error(w->context)->status;
	memset(smallest, 0xff, count * sizeof *smallest);
	for (size_t v = 0; v < count; v++) {
		if (smallest[w->kept[v]] == OSSA_NONE) smallest[w->kept[v]] = (uint32_t)v;
	}
	for (size_t v = 0; v < count; v++) w->kept[v] = smallest[w->kept[v]];
	return OSSA_OK;
}

/* Corners of one polygon stay different vertices: the later one leaves its group. Returns how many polygons have such corners. */
static int64_t part_polygons(welding *w)
{
	const ossa_mesh *mesh = w->mesh;
	int64_t parted = 0;
	/* `to` tells which corner of the polygon at work had a group */
	for (size_t v = 0; v < mesh->vertex_count; v++) w->to[v] = OSSA_NONE;
	for (size_t p = 0; p < mesh->polygon_count; p++) {
		bool found = false;
		for (uint32_t c = mesh->polygon_start[p]; c < mesh->polygon_start[p + 1]; c++) {
			const uint32_t v = mesh->corner_vertex[c], group = w->kept[v];
			const uint32_t other = w->to[group];
			/* the group's name was seen in this polygon, at another vertex */
			const bool seen = other != OSSA_NONE && other >= mesh->polygon_start[p] && other < c;
			if (seen && mesh->corner_vertex[other] != v) {
				found = true;
				if (group != v) w->kept[v] = v;
				else w->kept[mesh->corner_vertex[other]] = mesh->corner_vertex[other];
			}
			w->to[w->kept[v]] = c;
		}
		parted += found;
	}
	return parted;
}

/* ---- the smaller mesh ---- */

static int64_t count_lost_colors(const welding *w)
{
	int64_t lost = 0;
	for (size_t v = 0; w->mesh->colors && v < w->mesh->vertex_count; v++) {
		const float *own = w->mesh->colors + 4 * v, *first = w->mesh->colors + 4 * (size_t)w->kept[v];
		lost += !ossai_same_floats(own, first, 4);
	}
	return lost;
}

/* moves what stays to the front; `values` numbers of each vertex */
static void pack(const welding *w, float *array, size_t values)
{
	for (size_t v = 0; array && v < w->mesh->vertex_count; v++) {
		if (w->kept[v] == v) memmove(array + values * w->to[v], array + values * v, values * sizeof *array);
	}
}

static void shrink(ossa_context *context, float **array, size_t count, size_t size)
{
	/* where that fails the array stays larger than it must be */
	void *smaller = *array ? ossai_resize(context, *array, count, size) : NULL;
	if (smaller) *array = smaller;
}

static void pack_all(welding *w, size_t count)
{
	ossa_mesh *mesh = w->mesh;
	ossa_frames *frames = w->frames;
	const size_t before = mesh->vertex_count;
	for (size_t f = 0; f < frames->frame_count; f++) {
		float *from = frames->positions + 3 * f * before;
		pack(w, from, 3);
		memmove(frames->positions + 3 * f * count, from, 3 * count * sizeof *from);
	}
	pack(w, mesh->positions, 3);
	pack(w, mesh->colors, 4);
	for (size_t c = 0; c < mesh->corner_count; c++) mesh->corner_vertex[c] = w->to[w->kept[mesh->corner_vertex[c]]];
	for (size_t i = 0; i < 3 * mesh->triangle_count; i++) mesh->triangles[i] = w->to[w->kept[mesh->triangles[i]]];
	mesh->vertex_count = frames->vertex_count = count;
	shrink(w->context, &frames->positions, frames->frame_count * count, 3 * sizeof(float));
	shrink(w->context, &mesh->positions, count, 3 * sizeof(float));
	shrink(w->context, &mesh->colors, count, 4 * sizeof(float));
}

static ossa_status weld(welding *w)
{
	const size_t before = w->mesh->vertex_count;
	w->order = ossai_arena_new(&w->arena, before, sizeof *w->order);
	w->kept = ossai_arena_new(&w->arena, before, sizeof *w->kept);
	w->to = ossai_arena_new(&w->arena, before, sizeof *w->to);
	if (!w->order || !w->kept || !w->to) return ossa_context_error(w->context)->status;
	w->near = near_share * ossai_bounds_make(before, w->mesh->positions).diagonal;
	rank_vertices(w);
	group_vertices(w);
	OSSAI_TRY(name_groups(w));
	const int64_t parted = part_polygons(w), lost = count_lost_colors(w);
	size_t count = 0;
	for (size_t v = 0; v < before; v++) {
		if (w->kept[v] == v) w->to[v] = (uint32_t)count++;
	}
	if (parted > 0) {
		ossai_warn(w->context, "degenerate-faces", parted,
			"%s: faces have corners that are at one place in every frame; such faces "
			"are kept",
			w->mesh->name);
	}
	if (lost > 0) {
		ossai_warn(w->context, "colors-merged", lost, "%s: vertices of other colours were joined with the first at their place",
			w->mesh->name);
	}
	if (count < before) pack_all(w, count);
	return OSSA_OK;
}

ossa_status ossai_frames_weld(ossa_context *context, ossa_mesh *mesh, ossa_frames *frames)
{
	welding w = {.context = context, .arena = ossai_arena_begin(context), .mesh = mesh, .frames = frames};
	const ossa_status status = weld(&w);
	ossai_arena_end(&w.arena);
	return status;
}

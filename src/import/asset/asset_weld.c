/* import/asset/asset_weld.c: welds vertices that have the same position at rest and in every frame.

   Place in the path: the beginning of reading an animation.
   Input: a mesh with a vertex for every corner where files cut their surfaces for UVs, normals or
   meshes, and its frames, one at a time.
   Output: the mesh with fewer vertices, of each group the first, in their order; corners keep UVs
   and normals.

   Groups are made at rest and split where a frame separates them, so frames are read once, and none
   where no two vertices coincide. Vertices are compared in the order of one number each, a sum of
   their coordinates with fixed factors: welded ones have (about) the same, and hardly any others
   do. */
#include "import/asset/asset_parts.h"
#include "scene/document.h"
#include "scene/mesh.h"

#include "base/heap.h"
#include "mesh/bounds.h"

#include <stdlib.h>
#include <string.h>

/* positions closer than this share of the diagonal coincide */
static const double near_share = 1e-7;
/* of the coordinates in a vertex's number; none is more than 1 */
static const double factors[3] = {0.8191725133961645, 0.6180339887498949, 0.9241388730045916};

/* the most vertices of about the same number that are compared: more is malicious */
enum { LOOKED_AT_MAX = 256 };

typedef struct welding {
	ossa_context *context;
	ossai_arena arena;
	ossa_mesh *mesh;
	double near;
	ossai_heap_entry *order; /* vertices in groups of two and more, group after group */
	size_t order_count;
	uint32_t *kept; /* by vertex: the first vertex of its group */
	uint32_t *to;   /* by vertex: its index after */
} welding;

/* ---- groups ---- */

static bool is_near(const welding *w, const float *positions, uint32_t a, uint32_t b)
{
	for (size_t k = 0; k < 3; k++) {
		if (!(fabs((double)positions[3 * (size_t)a + k] - (double)positions[3 * (size_t)b + k]) <= w->near)) return false;
	}
	return true;
}

/* each vertex to the first group that it fits, else a group of its own; groups are named by the
   vertex that began them */
static void group_by_position(welding *w, const float *positions, ossai_heap_entry *order, size_t count)
{
	/* no coordinate differs by more than `near` */
	const double window = 3 * w->near;
	for (size_t i = 0; i < count; i++) {
		const float *p = positions + 3 * (size_t)order[i].item;
		order[i].key = factors[0] * (double)p[0] + factors[1] * (double)p[1] + factors[2] * (double)p[2];
	}
	qsort(order, count, sizeof *order, ossai_heap_compare_rising);
	for (size_t i = 0; i < count; i++) {
		const uint32_t v = order[i].item;
		w->kept[v] = v;
		for (size_t k = i; k-- > 0 && i - k <= LOOKED_AT_MAX && order[i].key - order[k].key <= window;) {
			const uint32_t first = w->kept[order[k].item];
			if (!is_near(w, positions, v, first)) continue;
			w->kept[v] = first;
			break;
		}
	}
}

/* puts each group's vertices behind each other */
static void sort_by_group(const welding *w, ossai_heap_entry *order, size_t count)
{
	for (size_t i = 0; i < count; i++) order[i].key = w->kept[order[i].item];
	qsort(order, count, sizeof *order, ossai_heap_compare_rising);
}

static size_t group_end(const welding *w, size_t begin)
{
	const uint32_t group = w->kept[w->order[begin].item];
	size_t end = begin + 1;
	while (end < w->order_count && w->kept[w->order[end].item] == group) end++;
	return end;
}

/* splits the groups that these positions separate */
static void part_groups(welding *w, const float *positions)
{
	for (size_t begin = 0, end; begin < w->order_count; begin = end) {
		end = group_end(w, begin);
		bool parts = false;
		for (size_t i = begin; i < end && !parts; i++) {
			parts = !is_near(w, positions, w->order[i].item, w->kept[w->order[i].item]);
		}
		if (!parts) continue;
		group_by_position(w, positions, w->order + begin, end - begin);
		sort_by_group(w, w->order + begin, end - begin);
	}
}

/* single vertices stay so */
static void drop_single(welding *w)
{
	size_t count = 0;
	for (size_t begin = 0, end; begin < w->order_count; begin = end) {
		end = group_end(w, begin);
		if (end - begin < 2) continue;
		memmove(w->order + count, w->order + begin, (end - begin) * sizeof *w->order);
		count += end - begin;
	}
	w->order_count = count;
}

static ossa_status group_vertices(welding *w, size_t frame_count, ossa_frame_function read, void *user)
{
	const size_t count = w->mesh->vertex_count;
	for (size_t v = 0; v < count; v++) w->order[v].item = (uint32_t)v;
	w->order_count = count;
	group_by_position(w, w->mesh->positions, w->order, count);
	sort_by_group(w, w->order, count);
	drop_single(w);
	if (w->order_count == 0) return OSSA_OK;
	float *positions = ossai_arena_new(&w->arena, count, 3 * sizeof *positions);
	if (!positions) return ossa_context_error(w->context)->status;
	for (size_t f = 0; f < frame_count && w->order_count > 0; f++) {
		OSSAI_TRY(read(user, f, positions));
		OSSAI_TRY(ossai_progress(w->context, (double)f / (double)frame_count));
		part_groups(w, positions);
		drop_single(w);
	}
	return OSSA_OK;
}

/* groups are then named by their smallest vertex, whose index they keep */
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

/* Corners of one polygon stay different vertices: the later one leaves its group. Returns how many
   polygons have such corners. */
static int64_t part_polygons(welding *w)
{
	const ossa_mesh *mesh = w->mesh;
	int64_t split = 0;
	/* `to` holds which corner of the current polygon had a group */
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
		split += found;
	}
	return split;
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

/* moves what is kept to the front; `values` numbers of each vertex */
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

static void pack_mesh(const welding *w, size_t count)
{
	ossa_mesh *mesh = w->mesh;
	pack(w, mesh->positions, 3);
	pack(w, mesh->colors, 4);
	for (size_t c = 0; c < mesh->corner_count; c++) mesh->corner_vertex[c] = w->to[w->kept[mesh->corner_vertex[c]]];
	for (size_t i = 0; i < 3 * mesh->triangle_count; i++) mesh->triangles[i] = w->to[w->kept[mesh->triangles[i]]];
	mesh->vertex_count = count;
	shrink(w->context, &mesh->positions, count, 3 * sizeof(float));
	shrink(w->context, &mesh->colors, count, 4 * sizeof(float));
}

static void tell(const welding *w, int64_t split)
{
	const int64_t lost = count_lost_colors(w);
	if (split > 0) {
		ossai_warn(w->context, "degenerate-faces", split,
			"%s: faces have corners that coincide in every frame; such faces are kept", w->mesh->name);
	}
	if (lost > 0) {
		ossai_warn(w->context, "colors-merged", lost,
			"%s: vertices of other colours were welded to the first at their position", w->mesh->name);
	}
}

/* the vertices that are kept, in their order */
static ossa_status list_kept(const welding *w, ossai_arena *arena, size_t *count, uint32_t **list)
{
	const size_t before = w->mesh->vertex_count;
	*list = ossai_arena_new(arena, before, sizeof **list);
	if (!*list) return ossa_context_error(w->context)->status;
	*count = 0;
	for (size_t v = 0; v < before; v++) {
		if (w->kept[v] != v) continue;
		w->to[v] = (uint32_t)*count;
		(*list)[(*count)++] = (uint32_t)v;
	}
	return OSSA_OK;
}

static ossa_status weld(
	welding *w, ossai_arena *arena, size_t frame_count, ossa_frame_function read, void *user, size_t *count, uint32_t **list)
{
	const size_t before = w->mesh->vertex_count;
	w->order = ossai_arena_new(&w->arena, before, sizeof *w->order);
	w->kept = ossai_arena_new(&w->arena, before, sizeof *w->kept);
	w->to = ossai_arena_new(&w->arena, before, sizeof *w->to);
	if (!w->order || !w->kept || !w->to) return ossa_context_error(w->context)->status;
	w->near = near_share * ossai_bounds_make(before, w->mesh->positions).diagonal;
	OSSAI_TRY(group_vertices(w, frame_count, read, user));
	OSSAI_TRY(name_groups(w));
	const int64_t split = part_polygons(w);
	OSSAI_TRY(list_kept(w, arena, count, list));
	tell(w, split);
	if (*count == before) return OSSA_OK;
	ossai_morphs_weld(w->mesh, w->kept, w->to);
	if (w->mesh->document) ossai_document_weld(w->mesh->document, w->kept, w->to, *count);
	pack_mesh(w, *count);
	return OSSA_OK;
}

ossa_status ossai_mesh_weld(ossai_arena *arena, ossa_mesh *mesh, size_t frame_count, ossa_frame_function read, void *user,
	size_t *kept_count, uint32_t **kept)
{
	welding w = {.context = arena->context, .arena = ossai_arena_begin(arena->context), .mesh = mesh};
	const ossa_status status = weld(&w, arena, frame_count, read, user, kept_count, kept);
	ossai_arena_end(&w.arena);
	return status;
}

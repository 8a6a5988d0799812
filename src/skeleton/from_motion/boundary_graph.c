/* skeleton/from_motion/boundary_graph.c: see boundary_graph.h. */
#include "skeleton/from_motion/boundary_graph.h"

#include "skeleton/from_motion/spanning_tree.h"

#include "mesh/pairs.h"

typedef struct graph_build {
	const ossai_posed_surface *surface;
	const uint32_t *part_of_face;
	ossai_bone_graph *graph;
	/* pairs of parts; tag: index into the surface's pairs of faces, its links after the others */
	ossai_pair *contacts;
	size_t contact_count;
	uint32_t *seen; /* F: the last pair of parts that counted a face, from 1 */
} graph_build;

/* ---- parts ---- */

static ossai_vec3 face_center(const ossai_posed_surface *surface, size_t face)
{
	const uint32_t *corner = surface->triangles + 3 * face;
	const ossai_vec3 two = ossai_add(ossai_rest_point(surface, corner[0]), ossai_rest_point(surface, corner[1]));
	return ossai_scale(ossai_add(two, ossai_rest_point(surface, corner[2])), 1.0 / 3);
}

static ossa_status find_centers(ossai_arena *temporary, graph_build *build)
{
	const ossai_posed_surface *surface = build->surface;
	ossai_bone_graph *graph = build->graph;
	ossai_vec3 *plain = ossai_arena_zero(temporary, graph->bone_count, sizeof *plain);
	size_t *count = ossai_arena_zero(temporary, graph->bone_count, sizeof *count);
	if (!plain || !count) return ossa_context_error(temporary->context)->status;
	for (size_t f = 0; f < surface->face_count; f++) {
		const uint32_t part = build->part_of_face[f];
		if (part == OSSA_NONE) continue;
		const ossai_vec3 center = face_center(surface, f);
		graph->area[part] += surface->face_area[f];
		graph->center[part] = ossai_madd(graph->center[part], surface->face_area[f], center);
		plain[part] = ossai_add(plain[part], center);
		count[part]++;
	}
	for (size_t b = 0; b < graph->bone_count; b++) {
		if (graph->area[b] > 0) graph->center[b] = ossai_scale(graph->center[b], 1 / graph->area[b]);
		else if (count[b] > 0) graph->center[b] = ossai_scale(plain[b], 1 / (double)count[b]);
	}
	return OSSA_OK;
}

/* the part of the largest face around a vertex, the first of equal ones */
static ossa_status find_parts(ossai_arena *temporary, graph_build *build)
{
	const ossai_posed_surface *surface = build->surface;
	double *largest = ossai_arena_new(temporary, surface->vertex_count, sizeof *largest);
	if (!largest) return ossa_context_error(temporary->context)->status;
	for (size_t v = 0; v < surface->vertex_count; v++) {
		largest[v] = -1;
		build->graph->bone_of_vertex[v] = OSSA_NONE;
	}
	for (size_t i = 0; i < 3 * surface->face_count; i++) {
		const uint32_t v = surface->triangles[i], part = build->part_of_face[i / 3];
		if (part == OSSA_NONE || !(surface->face_area[i / 3] > largest[v])) continue;
		largest[v] = surface->face_area[i / 3];
		build->graph->bone_of_vertex[v] = part;
	}
	return OSSA_OK;
}

/* ---- contacts ---- */

/* the two faces of a contact */
static const uint32_t *faces_of(const ossai_posed_surface *surface, size_t contact)
{
	const size_t edges = surface->adjacency.face_pair_count;
	return contact < edges ? surface->adjacency.face_pairs + 2 * contact : surface->links + 2 * (contact - edges);
}

static ossa_status list_contacts(ossai_arena *temporary, graph_build *build)
{
	const size_t count = build->surface->adjacency.face_pair_count + build->surface->link_count;
	build->contacts = ossai_arena_new(temporary, count, sizeof *build->contacts);
	build->seen = ossai_arena_zero(temporary, build->surface->face_count, sizeof *build->seen);
	if (!build->contacts || !build->seen) return ossa_context_error(temporary->context)->status;
	for (size_t i = 0; i < count; i++) {
		const uint32_t *faces = faces_of(build->surface, i);
		const uint32_t a = build->part_of_face[faces[0]], b = build->part_of_face[faces[1]];
		if (a == b || a == OSSA_NONE || b == OSSA_NONE) continue;
		build->contacts[build->contact_count++] = ossai_pair_of(a, b, (uint32_t)i);
	}
	return ossai_pairs_sort(temporary->context, build->contacts, build->contact_count, build->graph->bone_count);
}

static bool has_corner(const uint32_t *corner, uint32_t vertex)
{
	return corner[0] == vertex || corner[1] == vertex || corner[2] == vertex;
}

/* a boundary while it is summed: its curve's length and first moment, and the plain sum for curves
   without length */
typedef struct boundary {
	double length, count;
	ossai_vec3 moment, sum;
} boundary;

static void add_edges(const ossai_posed_surface *surface, const uint32_t *faces, boundary *sum)
{
	const uint32_t *one = surface->triangles + 3 * (size_t)faces[0], *other = surface->triangles + 3 * (size_t)faces[1];
	for (size_t i = 0; i < 3; i++) {
		const uint32_t a = one[i], b = one[(i + 1) % 3];
		if (a == b || !has_corner(other, a) || !has_corner(other, b)) continue;
		const ossai_vec3 p = ossai_rest_point(surface, a), q = ossai_rest_point(surface, b), midpoint = ossai_lerp(p, q, 0.5);
		const double length = ossai_distance(p, q);
		sum->length += length;
		sum->moment = ossai_madd(sum->moment, length, midpoint);
		sum->count += 1;
		sum->sum = ossai_add(sum->sum, midpoint);
	}
}

static void add_link(const ossai_posed_surface *surface, const uint32_t *faces, boundary *sum)
{
	sum->count += 1;
	sum->sum = ossai_add(sum->sum, ossai_lerp(face_center(surface, faces[0]), face_center(surface, faces[1]), 0.5));
}

/* one pair of parts from the run [begin, end) of their contacts; links count only where there is no
   edge */
static ossai_bone_pair sum_run(graph_build *build, size_t begin, size_t end, uint32_t stamp)
{
	const size_t edges = build->surface->adjacency.face_pair_count;
	const ossai_pair *contact = build->contacts + begin;
	/* stable sorting left the edges before the links */
	const bool meet = contact->tag < edges;
	boundary sum = {0, 0, {0, 0, 0}, {0, 0, 0}};
	double triangles = 0;
	for (size_t i = begin; i < end; i++) {
		const size_t tag = build->contacts[i].tag;
		if (meet && tag >= edges) break;
		const uint32_t *faces = faces_of(build->surface, tag);
		for (int side = 0; side < 2; side++) {
			triangles += build->seen[faces[side]] != stamp;
			build->seen[faces[side]] = stamp;
		}
		if (meet) add_edges(build->surface, faces, &sum);
		else add_link(build->surface, faces, &sum);
	}
	const ossai_vec3 prior = sum.length > 0 ? ossai_scale(sum.moment, 1 / sum.length)
											: ossai_scale(sum.sum, 1 / (sum.count > 0 ? sum.count : 1));
	return (ossai_bone_pair){.a = contact->first,
		.b = contact->second,
		.mass = sum.length,
		.contact = meet ? triangles : triangles / (triangles + 1),
		.prior = prior};
}

static ossa_status list_pairs(ossai_arena *arena, graph_build *build)
{
	const size_t count = build->contact_count;
	ossai_bone_graph *graph = build->graph;
	size_t runs = 0;
	for (size_t i = 0; i < count; i = ossai_pairs_run_end(build->contacts, count, i)) runs++;
	graph->pairs = ossai_arena_new(arena, runs, sizeof *graph->pairs);
	if (!graph->pairs) return ossa_context_error(arena->context)->status;
	for (size_t i = 0, end; i < count; i = end) {
		end = ossai_pairs_run_end(build->contacts, count, i);
		graph->pairs[graph->pair_count] = sum_run(build, i, end, (uint32_t)graph->pair_count + 1);
		graph->pair_count++;
	}
	return OSSA_OK;
}

static ossa_status make_graph(ossai_arena *arena, ossai_arena *temporary, graph_build *build)
{
	ossai_bone_graph *graph = build->graph;
	graph->bone_of_vertex = ossai_arena_new(arena, build->surface->vertex_count, sizeof *graph->bone_of_vertex);
	graph->center = ossai_arena_zero(arena, graph->bone_count, sizeof *graph->center);
	graph->area = ossai_arena_zero(arena, graph->bone_count, sizeof *graph->area);
	if (!graph->bone_of_vertex || !graph->center || !graph->area) return ossa_context_error(arena->context)->status;
	OSSAI_TRY(find_centers(temporary, build));
	OSSAI_TRY(find_parts(temporary, build));
	OSSAI_TRY(list_contacts(temporary, build));
	return list_pairs(arena, build);
}

ossa_status ossai_boundary_graph_make(ossai_arena *arena, const ossai_posed_surface *surface, const uint32_t *part_of_face,
	size_t part_count, ossai_bone_graph *graph)
{
	*graph = (ossai_bone_graph){.bone_count = part_count};
	ossai_arena temporary = ossai_arena_begin(arena->context);
	graph_build build = {.surface = surface, .part_of_face = part_of_face, .graph = graph};
	const ossa_status status = make_graph(arena, &temporary, &build);
	ossai_arena_end(&temporary);
	return status;
}

/* ---- tree ---- */

ossa_status ossai_boundary_tree_make(
	ossai_arena *arena, const ossai_posed_surface *surface, const ossai_bone_graph *graph, ossai_tree *tree)
{
	double *cost = ossai_new(arena->context, graph->pair_count, sizeof *cost);
	if (!cost) return ossa_context_error(arena->context)->status;
	for (size_t i = 0; i < graph->pair_count; i++) cost[i] = -graph->pairs[i].contact;
	const ossa_status status = ossai_spanning_tree_make(
		arena, graph, cost, ossai_spanning_tree_root(surface, graph), NULL, tree);
	ossa_free(arena->context, cost);
	return status;
}

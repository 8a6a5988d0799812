/* export/gltf/kept_successors.c: which new bone moves what an old joint of a kept glTF file moved.

   Place in the path: inside the GLB writer, for children of old joints (kept_orphans.c).
   Input: the old weights, from the file, and the new ones, of the same vertices.
   Output: by joint the bone that shares most of its skin: the sum over vertices of area times old
   weight times new weight. */
#include "export/gltf/kept.h"
#include "mesh/view.h"

#include <math.h>
#include <string.h>

typedef struct successors {
	ossai_arena *arena;
	const ossai_kept *kept;
	ossai_gltf *gltf;
	double *area;     /* by vertex of the mesh */
	uint8_t *is_seen; /* by vertex: a vertex counts once, however often the file has it */
	double *skin;     /* by node of the document: the area that it moves, weighted */
	/* by node: the nearest at or below it that moves skin, or OSSA_NONE; how many steps away */
	uint32_t *source, *steps;
	uint32_t *row;  /* by node: which row of `shared`, or OSSA_NONE */
	double *shared; /* rows x bones */
} successors;

/* ---- what joints move ---- */

/* whether a vertex of the finest mesh comes for the first time */
static bool is_new(successors *s, size_t vertex)
{
	if (vertex >= s->kept->finest->mesh->vertex_count || s->is_seen[vertex]) return false;
	s->is_seen[vertex] = 1;
	return true;
}

static bool take_skin(void *user, size_t vertex, size_t count, const uint32_t *node, const float *weight)
{
	successors *s = user;
	if (!is_new(s, vertex)) return true;
	for (size_t k = 0; k < count; k++) {
		if (node[k] != OSSA_NONE && weight[k] > 0 && isfinite(weight[k]))
			s->skin[node[k]] += s->area[vertex] * (double)weight[k];
	}
	return true;
}

static bool take_shared(void *user, size_t vertex, size_t count, const uint32_t *node, const float *weight)
{
	successors *s = user;
	const ossa_weights *own = &s->kept->finest->weights;
	const size_t width = (size_t)own->influences, bones = s->kept->finest->skeleton.bone_count;
	if (!is_new(s, vertex)) return true;
	for (size_t k = 0; k < count; k++) {
		if (node[k] == OSSA_NONE || s->row[node[k]] == OSSA_NONE || !(weight[k] > 0) || !isfinite(weight[k])) continue;
		double *shared = s->shared + s->row[node[k]] * bones;
		for (size_t i = vertex * width; i < (vertex + 1) * width; i++)
			shared[own->bones[i]] += s->area[vertex] * (double)weight[k] * (double)own->values[i];
	}
	return true;
}

static ossa_status read_all(
	successors *s, bool (*take)(void *user, size_t vertex, size_t count, const uint32_t *node, const float *weight))
{
	const ossai_kept_taker taker = {take, s};
	const size_t vertices = s->kept->finest->mesh->vertex_count, meshes = s->kept->document->mesh_count - s->kept->lod_count;
	if (vertices > 0) memset(s->is_seen, 0, vertices);
	return ossai_kept_read_weights(s->gltf, s->kept->document, 0, meshes, &taker, NULL);
}

/* ---- joints that move nothing ---- */

/* fewer steps; of as many the larger skin */
static bool is_nearer(const successors *s, uint32_t node, uint32_t source, uint32_t steps)
{
	if (s->source[node] == OSSA_NONE || steps != s->steps[node]) return s->source[node] == OSSA_NONE || steps < s->steps[node];
	return s->skin[source] > s->skin[s->source[node]];
}

/* What a joint that moves no vertex of its own moves is the skin of the nearest joint below it. */
static void find_sources(successors *s)
{
	const uint32_t *parent = s->kept->parent;
	for (uint32_t n = 0; n < s->kept->document->node_count; n++) {
		if (!(s->skin[n] > 0)) continue;
		s->source[n] = n;
		uint32_t steps = 1;
		for (uint32_t at = parent[n]; at != OSSA_NONE && !(s->skin[at] > 0) && is_nearer(s, at, n, steps); at = parent[at]) {
			s->source[at] = n;
			s->steps[at] = steps++;
		}
	}
}

/* where no joint at or below one moves skin, the nearest above does; OSSA_NONE */
static uint32_t source_of(const successors *s, uint32_t joint)
{
	uint32_t at = joint;
	while (at != OSSA_NONE && s->source[at] == OSSA_NONE) at = s->kept->parent[at];
	return at != OSSA_NONE ? s->source[at] : OSSA_NONE;
}

/* ---- all ---- */

static ossa_status make_arrays(successors *s)
{
	const size_t vertices = s->kept->finest->mesh->vertex_count, nodes = s->kept->document->node_count;
	s->area = ossai_arena_zero(s->arena, vertices, sizeof *s->area);
	s->is_seen = ossai_arena_new(s->arena, vertices, 1);
	s->skin = ossai_arena_zero(s->arena, nodes, sizeof *s->skin);
	s->source = ossai_arena_new(s->arena, nodes, sizeof *s->source);
	s->steps = ossai_arena_zero(s->arena, nodes, sizeof *s->steps);
	s->row = ossai_arena_new(s->arena, nodes, sizeof *s->row);
	if (!s->area || !s->is_seen || !s->skin || !s->source || !s->steps || !s->row)
		return ossa_context_error(s->arena->context)->status;
	if (nodes > 0) memset(s->source, 0xFF, nodes * sizeof *s->source);
	if (nodes > 0) memset(s->row, 0xFF, nodes * sizeof *s->row);
	const ossai_mesh_view view = ossai_view_of_mesh(s->kept->finest->mesh);
	ossai_view_vertex_areas(&view, s->area);
	return OSSA_OK;
}

/* a row for each joint whose skin is asked for */
static ossa_status make_rows(successors *s, size_t count, const uint32_t *joints)
{
	uint32_t rows = 0;
	for (size_t i = 0; i < count; i++) {
		const uint32_t source = source_of(s, joints[i]);
		if (source != OSSA_NONE && s->row[source] == OSSA_NONE) s->row[source] = rows++;
	}
	s->shared = ossai_arena_zero(s->arena, rows, s->kept->finest->skeleton.bone_count * sizeof *s->shared);
	return s->shared ? OSSA_OK : ossa_context_error(s->arena->context)->status;
}

static uint32_t most_shared(const successors *s, uint32_t source)
{
	const size_t bones = s->kept->finest->skeleton.bone_count;
	uint32_t best = OSSA_NONE;
	double most = 0;
	for (uint32_t b = 0; b < bones && source != OSSA_NONE; b++) {
		const double shared = s->shared[s->row[source] * bones + b];
		if (!(shared > most)) continue;
		most = shared;
		best = b;
	}
	return best;
}

static ossa_status find(successors *s, size_t count, const uint32_t *joints, uint32_t *bones)
{
	OSSAI_TRY(make_arrays(s));
	OSSAI_TRY(read_all(s, take_skin));
	find_sources(s);
	OSSAI_TRY(make_rows(s, count, joints));
	OSSAI_TRY(read_all(s, take_shared));
	for (size_t i = 0; i < count; i++) bones[i] = most_shared(s, source_of(s, joints[i]));
	return OSSA_OK;
}

ossa_status ossai_kept_find_successors(ossai_kept *kept, size_t count, const uint32_t *joints, uint32_t *bones)
{
	ossai_kept_file file;
	ossai_arena scratch = ossai_arena_begin(kept->writer->context);
	ossa_status status = ossai_kept_open_file(kept, &file);
	if (status == OSSA_OK) {
		successors s = {.arena = &scratch, .kept = kept, .gltf = &file.gltf};
		status = find(&s, count, joints, bones);
		ossai_kept_close_file(&file);
	}
	ossai_arena_end(&scratch);
	return status;
}

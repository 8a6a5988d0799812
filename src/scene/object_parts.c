/* scene/object_parts.c: a mesh for each object of a mesh: see objects.h.

   Place in the path: called by writers of formats with nodes.
   Input: a mesh with objects.
   Output: for each a mesh with what its polygons use (object_part.c). */
#include "math/affine.h"
#include "scene/names.h"
#include "scene/object_part.h"
#include "scene/sets.h"

#include <string.h>

static ossa_status last_error(const ossai_splitting *s) { return ossa_context_error(s->arena->context)->status; }

/* ---- what belongs to which object ---- */

/* by vertex: the object of its first polygon; one without any: that of the vertex before it */
static void find_objects(const ossa_mesh *mesh, uint32_t *object_of)
{
	for (size_t v = 0; v < mesh->vertex_count; v++) object_of[v] = OSSA_NONE;
	for (size_t p = 0; p < mesh->polygon_count; p++) {
		for (size_t c = mesh->polygon_start[p]; c < mesh->polygon_start[p + 1]; c++) {
			uint32_t *object = &object_of[mesh->corner_vertex[c]];
			if (*object == OSSA_NONE) *object = mesh->polygon_object[p];
		}
	}
	uint32_t before = mesh->polygon_count > 0 ? mesh->polygon_object[0] : 0;
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		if (object_of[v] == OSSA_NONE) object_of[v] = before;
		before = object_of[v];
	}
}

static ossa_status sort_all(ossai_splitting *s)
{
	const ossa_mesh *mesh = s->mesh;
	uint32_t *object_of = ossai_arena_new(&s->scratch, mesh->vertex_count, sizeof *object_of);
	size_t most = mesh->vertex_count > mesh->normal_count ? mesh->vertex_count : mesh->normal_count;
	for (size_t i = 0; i < ossai_uv_count(mesh); i++) {
		if (ossai_uvs_at(mesh, i).count > most) most = ossai_uvs_at(mesh, i).count;
	}
	s->numbers = ossai_arena_new(&s->scratch, most, sizeof *s->numbers);
	if (!object_of || !s->numbers) return last_error(s);
	if (most > 0) memset(s->numbers, 0xff, most * sizeof *s->numbers);
	find_objects(mesh, object_of);
	OSSAI_TRY(ossai_csr_of_keys(&s->scratch, mesh->object_count, mesh->vertex_count, object_of, &s->vertices));
	return ossai_csr_of_keys(&s->scratch, mesh->object_count, mesh->polygon_count, mesh->polygon_object, &s->polygons);
}

/* ---- all objects ---- */

static void find_axes(ossai_part_job *job, const ossa_object *object)
{
	const ossai_rigid own = ossai_rigid_of(object->transform), none = ossai_affine_identity();
	ossai_quat turn;
	double scale[3];
	if (job->s->axes == OSSAI_AXES_MESH || ossai_rigid_same(&own, &none)) return;
	if (job->s->axes == OSSAI_AXES_RIGHT_ANGLED && !ossai_affine_split(&own, &turn, scale)) return;
	job->is_moved = ossai_affine_inverse(&own, &job->back);
	if (job->is_moved) job->part->transform = own;
}

static ossa_status make_parts(ossai_splitting *s, ossai_object_parts *parts)
{
	const ossa_mesh *mesh = s->mesh;
	ossa_mesh *meshes = ossai_arena_new(s->arena, mesh->object_count, sizeof *meshes);
	char(*names)[64] = ossai_arena_new(&s->scratch, mesh->object_count, sizeof *names);
	parts->items = ossai_arena_new(s->arena, mesh->object_count, sizeof *parts->items);
	if (!meshes || !names || !parts->items) return last_error(s);
	OSSAI_TRY(sort_all(s));
	for (size_t o = 0; o < mesh->object_count; o++) {
		if (ossai_csr_size(&s->polygons, o) == 0) continue;
		ossai_object_part *part = &parts->items[parts->count];
		*part = (ossai_object_part){
			.mesh = &meshes[parts->count], .object = &mesh->objects[o], .transform = ossai_affine_identity()};
		ossai_part_job job = {.s = s,
			.polygons = s->polygons.item + s->polygons.start[o],
			.mesh = &meshes[parts->count],
			.part = part,
			.back = ossai_affine_identity()};
		find_axes(&job, &mesh->objects[o]);
		OSSAI_TRY(ossai_object_part_take(&job, o));
		const char *name = mesh->objects[o].name[0] ? mesh->objects[o].name : mesh->name;
		memcpy(names[parts->count++], name, sizeof *names);
	}
	OSSAI_TRY(ossai_names_apart(s->arena->context, parts->count, names));
	for (size_t i = 0; i < parts->count; i++) memcpy(meshes[i].name, names[i], sizeof *names);
	return ossai_object_morphs(s->arena, mesh, parts, meshes);
}

/* the mesh as its only part */
static ossa_status take_whole(ossai_arena *arena, const ossa_mesh *mesh, const float *positions, ossai_object_parts *parts)
{
	parts->items = ossai_arena_new(arena, 1, sizeof *parts->items);
	if (!parts->items) return ossa_context_error(arena->context)->status;
	parts->items[0] = (ossai_object_part){.mesh = mesh, .positions = positions, .transform = ossai_affine_identity()};
	parts->count = 1;
	return OSSA_OK;
}

ossa_status ossai_objects_split(
	ossai_arena *arena, const ossa_mesh *mesh, const float *positions, ossai_axes axes, ossai_object_parts *parts)
{
	*parts = (ossai_object_parts){0};
	if (mesh->object_count == 0 || mesh->polygon_count == 0) return take_whole(arena, mesh, positions, parts);
	ossai_splitting s = {
		.arena = arena, .scratch = ossai_arena_begin(arena->context), .mesh = mesh, .positions = positions, .axes = axes};
	const ossa_status status = make_parts(&s, parts);
	ossai_arena_end(&s.scratch);
	return status;
}

/* ---- what belongs to a part's vertices ---- */

ossa_status ossai_object_weights(
	ossai_arena *arena, const ossai_object_part *part, const ossa_weights *weights, ossa_weights *own)
{
	*own = *weights;
	if (!part->vertices) return OSSA_OK;
	const size_t width = (size_t)weights->influences, count = part->mesh->vertex_count;
	own->vertex_count = count;
	own->bones = ossai_arena_new(arena, count, width * sizeof *own->bones);
	own->values = ossai_arena_new(arena, count, width * sizeof *own->values);
	if (!own->bones || !own->values) return ossa_context_error(arena->context)->status;
	for (size_t i = 0; i < count; i++) {
		const size_t from = width * part->vertices[i];
		memcpy(own->bones + width * i, weights->bones + from, width * sizeof *own->bones);
		memcpy(own->values + width * i, weights->values + from, width * sizeof *own->values);
	}
	return OSSA_OK;
}

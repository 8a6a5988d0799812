/* scene/builder_names.c: the materials and objects of a mesh that grows, by their names: see
   builder.h.

   Place in the path: between the readers of formats and ossa_mesh. */
#include "scene/builder.h"

#include <string.h>

/* names with others between them */
typedef struct name_list {
	const char *first;
	size_t step, count;
} name_list;

static const char *name_at(const name_list *list, size_t index) { return list->first + index * list->step; }

static size_t slot_of(const ossai_name_table *table, const name_list *list, const char *name)
{
	uint64_t hash = UINT64_C(14695981039346656037);
	for (const char *at = name; *at; at++) hash = (hash ^ (unsigned char)*at) * UINT64_C(1099511628211);
	size_t slot = (size_t)(hash ^ hash >> 32) & (table->slot_count - 1);
	while (table->slots[slot] != OSSA_NONE) {
		if (strcmp(name_at(list, table->slots[slot]), name) == 0) break;
		slot = (slot + 1) & (table->slot_count - 1);
	}
	return slot;
}

/* at most half of the table is in use, so that searches stay short */
static ossa_status grow(ossa_context *context, ossai_name_table *table, const name_list *list)
{
	if (2 * (list->count + 1) <= table->slot_count) return OSSA_OK;
	const size_t count = table->slot_count ? 2 * table->slot_count : 16;
	uint32_t *slots = ossai_resize(context, table->slots, count, sizeof *slots);
	if (!slots) return ossa_context_error(context)->status;
	table->slots = slots;
	table->slot_count = count;
	memset(slots, 0xFF, count * sizeof *slots);
	for (size_t i = 0; i < list->count; i++) slots[slot_of(table, list, name_at(list, i))] = (uint32_t)i;
	return OSSA_OK;
}

/* ---- materials ---- */

static name_list materials_of(const ossa_mesh *mesh)
{
	return (name_list){(const char *)mesh->materials, sizeof mesh->materials[0], mesh->material_count};
}

ossa_status ossai_builder_material(ossai_builder *builder, ossai_word name)
{
	ossa_mesh *mesh = builder->mesh;
	if (builder->parts != OSSAI_PARTS_ALL) return OSSA_OK;
	char kept[64];
	ossai_name_copy(kept, name);
	name_list list = materials_of(mesh);
	OSSAI_TRY(grow(builder->context, &builder->material_names, &list));
	uint32_t *slot = &builder->material_names.slots[slot_of(&builder->material_names, &list, kept)];
	if (*slot == OSSA_NONE) {
		OSSAI_TRY(ossai_reserve(
			builder->context, &mesh->materials, &builder->material_capacity, mesh->material_count, sizeof mesh->materials[0]));
		memcpy(mesh->materials[mesh->material_count], kept, sizeof kept);
		*slot = (uint32_t)mesh->material_count++;
	}
	if (!mesh->polygon_material) {
		mesh->polygon_material = ossai_new(builder->context, builder->polygon_capacity, sizeof *mesh->polygon_material);
		if (!mesh->polygon_material) return ossa_context_error(builder->context)->status;
		for (size_t i = 0; i < mesh->polygon_count; i++) mesh->polygon_material[i] = OSSA_NONE;
	}
	builder->material = *slot;
	return OSSA_OK;
}

uint32_t ossai_builder_find_material(const ossai_builder *builder, ossai_word name)
{
	char kept[64];
	const name_list list = materials_of(builder->mesh);
	if (list.count == 0) return OSSA_NONE;
	ossai_name_copy(kept, name);
	return builder->material_names.slots[slot_of(&builder->material_names, &list, kept)];
}

/* ---- objects ---- */

static name_list objects_of(const ossa_mesh *mesh)
{
	return (name_list){(const char *)mesh->objects, sizeof mesh->objects[0], mesh->object_count};
}

static ossa_status add_object(ossai_builder *builder, const char name[64])
{
	ossa_mesh *mesh = builder->mesh;
	OSSAI_TRY(ossai_reserve(
		builder->context, &mesh->objects, &builder->object_capacity, mesh->object_count, sizeof mesh->objects[0]));
	ossa_object *object = &mesh->objects[mesh->object_count++];
	*object = (ossa_object){.transform = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
	memcpy(object->name, name, sizeof object->name);
	return OSSA_OK;
}

ossa_status ossai_builder_object(ossai_builder *builder, ossai_word name)
{
	ossa_mesh *mesh = builder->mesh;
	if (builder->parts != OSSAI_PARTS_ALL) return OSSA_OK;
	char kept[64];
	ossai_name_copy(kept, name);
	const name_list list = objects_of(mesh);
	OSSAI_TRY(grow(builder->context, &builder->object_names, &list));
	uint32_t *slot = &builder->object_names.slots[slot_of(&builder->object_names, &list, kept)];
	if (*slot == OSSA_NONE) {
		*slot = (uint32_t)mesh->object_count;
		OSSAI_TRY(add_object(builder, kept));
	}
	/* a run without polygons is replaced by the next */
	const bool is_empty = builder->run_count > 0 && builder->runs[builder->run_count - 1].polygon == mesh->polygon_count;
	if (!is_empty) {
		OSSAI_TRY(
			ossai_reserve(builder->context, &builder->runs, &builder->run_capacity, builder->run_count, sizeof *builder->runs));
		builder->run_count++;
	}
	builder->runs[builder->run_count - 1] = (ossai_object_run){mesh->polygon_count, *slot};
	return OSSA_OK;
}

void ossai_builder_forget_objects(ossai_builder *builder)
{
	builder->run_count = 0;
	builder->mesh->object_count = 0;
	if (builder->object_names.slots)
		memset(builder->object_names.slots, 0xFF, builder->object_names.slot_count * sizeof *builder->object_names.slots);
}

/* The object of each polygon, by its number of those that have polygons; these move to the front.
   Those before the first run are of an object of the mesh's name. */
static ossa_status fill_objects(ossai_builder *builder)
{
	ossa_mesh *mesh = builder->mesh;
	uint32_t *number = ossai_new(builder->context, mesh->object_count + 1, sizeof *number);
	mesh->polygon_object = ossai_new(builder->context, mesh->polygon_count, sizeof *mesh->polygon_object);
	ossa_object *objects = ossai_new(builder->context, mesh->object_count + 1, sizeof *objects);
	const bool whole = number && mesh->polygon_object && objects;
	size_t run = 0, used = 0;
	if (whole) memset(number, 0xFF, (mesh->object_count + 1) * sizeof *number);
	for (size_t p = 0; whole && p < mesh->polygon_count; p++) {
		while (run < builder->run_count && builder->runs[run].polygon <= p) run++;
		const uint32_t own = run > 0 ? builder->runs[run - 1].object : (uint32_t)mesh->object_count;
		if (number[own] == OSSA_NONE) {
			objects[used] = mesh->objects[run > 0 ? own : 0];
			if (run == 0) memcpy(objects[used].name, mesh->name, sizeof mesh->name);
			number[own] = (uint32_t)used++;
		}
		mesh->polygon_object[p] = number[own];
	}
	ossa_free(builder->context, number);
	if (!whole) {
		ossa_free(builder->context, objects);
		return ossa_context_error(builder->context)->status;
	}
	ossa_free(builder->context, mesh->objects);
	mesh->objects = objects;
	mesh->object_count = used;
	return OSSA_OK;
}

/* whether a vertex is of polygons of two objects */
static ossa_status find_shared(ossai_builder *builder, bool *shared)
{
	const ossa_mesh *mesh = builder->mesh;
	uint32_t *object_of = ossai_new(builder->context, mesh->vertex_count, sizeof *object_of);
	if (!object_of) return ossa_context_error(builder->context)->status;
	memset(object_of, 0xFF, mesh->vertex_count * sizeof *object_of);
	*shared = false;
	for (size_t p = 0; p < mesh->polygon_count && !*shared; p++) {
		for (size_t c = mesh->polygon_start[p]; c < mesh->polygon_start[p + 1]; c++) {
			uint32_t *object = &object_of[mesh->corner_vertex[c]];
			if (*object == OSSA_NONE) *object = mesh->polygon_object[p];
			*shared = *shared || *object != mesh->polygon_object[p];
		}
	}
	ossa_free(builder->context, object_of);
	return OSSA_OK;
}

ossa_status ossai_builder_end_objects(ossai_builder *builder)
{
	ossa_mesh *mesh = builder->mesh;
	bool is_one = builder->run_count == 0;
	if (!is_one) OSSAI_TRY(fill_objects(builder));
	is_one = is_one || mesh->object_count < 2;
	/* a surface is not cut because its faces have different names */
	if (!is_one && builder->are_groups) OSSAI_TRY(find_shared(builder, &is_one));
	if (!is_one) return OSSA_OK;
	ossa_free(builder->context, mesh->objects);
	ossa_free(builder->context, mesh->polygon_object);
	mesh->objects = NULL;
	mesh->polygon_object = NULL;
	mesh->object_count = 0;
	return OSSA_OK;
}

/* scene/builder_names.c: the materials and objects of a mesh that grows, by what the file
   knows them by: see builder.h.

   Place in the path: between the readers of formats and ossa_mesh. */
#include "scene/builder.h"

#include <string.h>

static size_t slot_of(const ossai_key_table *table, ossai_word key)
{
	uint64_t hash = UINT64_C(14695981039346656037);
	for (size_t i = 0; i < key.size; i++) hash = (hash ^ (unsigned char)key.bytes[i]) * UINT64_C(1099511628211);
	size_t slot = (size_t)(hash ^ hash >> 32) & (table->slot_count - 1);
	while (table->slots[slot] != OSSA_NONE) {
		if (ossai_words_are_same(table->keys[table->slots[slot]], key)) break;
		slot = (slot + 1) & (table->slot_count - 1);
	}
	return slot;
}

/* at most half of the table is in use, so that searches stay short */
static ossa_status grow(ossa_context *context, ossai_key_table *table)
{
	OSSAI_TRY(ossai_reserve(context, &table->keys, &table->key_capacity, table->key_count, sizeof *table->keys));
	if (2 * (table->key_count + 1) <= table->slot_count) return OSSA_OK;
	const size_t count = table->slot_count ? 2 * table->slot_count : 16;
	uint32_t *slots = ossai_resize(context, table->slots, count, sizeof *slots);
	if (!slots) return ossa_context_error(context)->status;
	table->slots = slots;
	table->slot_count = count;
	memset(slots, 0xFF, count * sizeof *slots);
	for (size_t i = 0; i < table->key_count; i++) slots[slot_of(table, table->keys[i])] = (uint32_t)i;
	return OSSA_OK;
}

/* the number of a key, which is a new one where it is as large as the count was before */
static uint32_t add_key(ossai_key_table *table, ossai_word key)
{
	uint32_t *slot = &table->slots[slot_of(table, key)];
	if (*slot == OSSA_NONE) {
		*slot = (uint32_t)table->key_count;
		table->keys[table->key_count++] = key;
	}
	return *slot;
}

/* ---- materials ---- */

static ossa_status begin_polygon_materials(ossai_builder *builder)
{
	ossa_mesh *mesh = builder->mesh;
	if (mesh->polygon_material) return OSSA_OK;
	mesh->polygon_material = ossai_new(builder->context, builder->polygon_capacity, sizeof *mesh->polygon_material);
	if (!mesh->polygon_material) return ossa_context_error(builder->context)->status;
	for (size_t i = 0; i < mesh->polygon_count; i++) mesh->polygon_material[i] = OSSA_NONE;
	return OSSA_OK;
}

ossa_status ossai_builder_material(ossai_builder *builder, ossai_word key, ossai_word name)
{
	ossa_mesh *mesh = builder->mesh;
	if (builder->parts != OSSAI_PARTS_ALL) return OSSA_OK;
	OSSAI_TRY(grow(builder->context, &builder->material_keys));
	OSSAI_TRY(ossai_reserve(
		builder->context, &mesh->materials, &builder->material_capacity, mesh->material_count, sizeof mesh->materials[0]));
	OSSAI_TRY(begin_polygon_materials(builder));
	builder->material = add_key(&builder->material_keys, key);
	if (builder->material == mesh->material_count) ossai_name_copy(mesh->materials[mesh->material_count++], name);
	return OSSA_OK;
}

uint32_t ossai_builder_find_material(const ossai_builder *builder, ossai_word key)
{
	const ossai_key_table *table = &builder->material_keys;
	return table->key_count > 0 ? table->slots[slot_of(table, key)] : OSSA_NONE;
}

/* ---- objects ---- */

static ossa_status add_object(ossai_builder *builder, ossai_word name)
{
	ossa_mesh *mesh = builder->mesh;
	OSSAI_TRY(ossai_reserve(
		builder->context, &mesh->objects, &builder->object_capacity, mesh->object_count, sizeof mesh->objects[0]));
	ossa_object *object = &mesh->objects[mesh->object_count++];
	*object = (ossa_object){.transform = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
	ossai_name_copy(object->name, name);
	return OSSA_OK;
}

ossa_status ossai_builder_object(ossai_builder *builder, ossai_word name)
{
	ossa_mesh *mesh = builder->mesh;
	if (builder->parts != OSSAI_PARTS_ALL) return OSSA_OK;
	OSSAI_TRY(grow(builder->context, &builder->object_keys));
	/* by its whole name, of which the mesh has the first bytes; writers make these apart */
	const uint32_t object = add_key(&builder->object_keys, name);
	if (object == mesh->object_count) OSSAI_TRY(add_object(builder, name));
	/* a run without polygons is replaced by the next */
	const bool is_empty = builder->run_count > 0 && builder->runs[builder->run_count - 1].polygon == mesh->polygon_count;
	if (!is_empty) {
		OSSAI_TRY(
			ossai_reserve(builder->context, &builder->runs, &builder->run_capacity, builder->run_count, sizeof *builder->runs));
		builder->run_count++;
	}
	builder->runs[builder->run_count - 1] = (ossai_object_run){mesh->polygon_count, object};
	return OSSA_OK;
}

void ossai_builder_forget_objects(ossai_builder *builder)
{
	builder->run_count = 0;
	builder->mesh->object_count = 0;
	ossai_key_table *keys = &builder->object_keys;
	if (keys->slots) memset(keys->slots, 0xFF, keys->slot_count * sizeof *keys->slots);
	keys->key_count = 0;
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

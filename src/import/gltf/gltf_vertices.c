/* import/gltf/gltf_vertices.c: the vertices of a glTF mesh and what moves them.

   Place in the path: inside the glTF reader, after the plan of a mesh.
   Input: attributes and morph targets of each block of vertices.
   Output: the blocks one after the other in the mesh's arrays, in the node's space.
   Source: glTF 2.0 specification, 3.7.2 (attributes, morph targets) and 3.7.3 (joints, weights). */
#include "base/scan.h"
#include "import/gltf/gltf_mesh.h"
#include "scene/sets.h"

#include <stdio.h>
#include <string.h>

/* the begin of a block of an array; an empty array may be NULL */
static float *offset_by(float *array, size_t offset) { return array ? array + offset : NULL; }

/* `*array_pointer` is memory of the context for `count` items. */
static ossa_status allocate(const ossai_gltf_plan *plan, void *array_pointer, size_t count, size_t size)
{
	void *array = ossai_new(plan->document->context, count, size);
	memcpy(array_pointer, &array, sizeof array);
	return array ? OSSA_OK : ossa_context_error(plan->document->context)->status;
}

/* the accessor of an attribute, which must have an element for each vertex; `width` 0: any */
static ossa_status open_attribute(const ossai_gltf_plan *plan, const json_t *attributes, const char *name, size_t width,
	size_t vertex_count, ossai_gltf_accessor *accessor)
{
	size_t index;
	OSSAI_TRY(ossai_gltf_index(plan->document, attributes, name, "accessors", &index));
	OSSAI_TRY(ossai_gltf_open_accessor(plan->document, index, width, accessor));
	if (accessor->run.count == vertex_count) return OSSA_OK;
	return ossai_asset_fail(
		plan->document->asset, "%s has %zu elements for %zu vertices", name, accessor->run.count, vertex_count);
}

/* ---- where vertices are, and how they look ---- */

static ossa_status read_positions(const ossai_gltf_plan *plan, const ossai_gltf_block *block, ossa_mesh *mesh)
{
	float *to = offset_by(mesh->positions, 3 * block->vertex);
	OSSAI_TRY(ossai_gltf_floats(plan->document, &block->positions, to, 3));
	return ossai_gltf_check_finite(plan->document, &block->positions, to, 3 * block->count);
}

/* values that do not affect the shape are repaired where they are not finite */
static ossa_status read_look(
	const ossai_gltf_plan *plan, const ossai_gltf_block *block, const char *name, size_t width, float *to)
{
	ossai_gltf_accessor accessor;
	OSSAI_TRY(open_attribute(plan, block->attributes, name, width, block->count, &accessor));
	OSSAI_TRY(ossai_gltf_floats(plan->document, &accessor, to, width));
	const size_t repaired = ossai_gltf_repair_finite(to, width * block->count);
	if (repaired > 0) {
		ossai_warn(plan->document->context, "attribute-not-finite", (int64_t)repaired,
			"%s: colours, texture coordinates or normals that are not finite are taken as 0", plan->document->source->path);
	}
	return OSSA_OK;
}

/* glTF's origin is the upper left, the mesh's the lower left */
static ossa_status read_texcoords(const ossai_gltf_plan *plan, const ossai_gltf_block *block, size_t set, ossa_mesh *mesh)
{
	char name[32];
	float *to = offset_by(*ossai_uv_slot_of(mesh, set).texcoords, 2 * block->texcoord[set]);
	snprintf(name, sizeof name, "TEXCOORD_%zu", set);
	OSSAI_TRY(read_look(plan, block, name, 2, to));
	for (size_t i = 0; i < block->count; i++) to[2 * i + 1] = 1 - to[2 * i + 1];
	return OSSA_OK;
}

/* some exporters write lights beyond white */
static void clamp_colors(const ossai_gltf_plan *plan, float *values, size_t count)
{
	int64_t clamped = 0;
	if (ossai_all_within(values, count, 0, 1)) return;
	for (size_t i = 0; i < count; i++) {
		if (values[i] >= 0 && values[i] <= 1) continue;
		values[i] = values[i] > 1 ? 1 : 0;
		clamped++;
	}
	ossai_warn(plan->document->context, "colors-clamped", clamped, "%s: colours below 0 or above 1 are taken as 0 or 1",
		plan->document->source->path);
}

/* white where only other blocks have colours, opaque where they have three numbers */
static ossa_status read_colors(const ossai_gltf_plan *plan, const ossai_gltf_block *block, size_t set, ossa_mesh *mesh)
{
	char name[32];
	float *to = offset_by(ossai_colors_at(mesh, set), 4 * block->vertex), *values = to;
	size_t index = SIZE_MAX, width = 4;
	snprintf(name, sizeof name, "COLOR_%zu", set);
	if (set < block->color_count) OSSAI_TRY(ossai_gltf_index(plan->document, block->attributes, name, "accessors", &index));
	if (index != SIZE_MAX && ossai_gltf_width(plan->document, index) == 3) width = 3;
	if (width == 3) OSSAI_TRY(ossai_gltf_scratch(plan->document, &values, block->count, 3 * sizeof *values));
	if (index != SIZE_MAX) OSSAI_TRY(read_look(plan, block, name, width, values));
	for (size_t i = 0; i < block->count && (width == 3 || index == SIZE_MAX); i++) {
		for (size_t k = 0; k < 4; k++) to[4 * i + k] = width == 3 && k < 3 ? values[3 * i + k] : 1;
	}
	clamp_colors(plan, to, 4 * block->count);
	return OSSA_OK;
}

static ossa_status allocate_sets(const ossai_gltf_plan *plan, ossa_mesh *mesh)
{
	for (size_t set = 0; set < plan->uv_count && plan->texcoord_count[set] > 0; set++) {
		const ossai_uv_slot slot = ossai_uv_slot_of(mesh, set);
		if (set > 0) mesh->more_uv_count++;
		*slot.count = plan->texcoord_count[set];
		OSSAI_TRY(allocate(plan, slot.texcoords, *slot.count, 2 * sizeof **slot.texcoords));
	}
	for (size_t set = 0; set < plan->color_count; set++) {
		if (set > 0) mesh->more_color_count++;
		OSSAI_TRY(allocate(plan, ossai_color_slot_of(mesh, set), plan->vertex_count, 4 * sizeof(float)));
	}
	return OSSA_OK;
}

ossa_status ossai_gltf_fill_vertices(const ossai_gltf_plan *plan, ossa_mesh *mesh)
{
	OSSAI_TRY(allocate(plan, &mesh->positions, plan->vertex_count, 3 * sizeof *mesh->positions));
	if (plan->normal_count > 0) OSSAI_TRY(allocate(plan, &mesh->normals, plan->normal_count, 3 * sizeof *mesh->normals));
	OSSAI_TRY(allocate_sets(plan, mesh));
	mesh->vertex_count = plan->vertex_count;
	mesh->normal_count = plan->normal_count;
	for (size_t b = 0; b < plan->block_count; b++) {
		const ossai_gltf_block *block = &plan->blocks[b];
		OSSAI_TRY(read_positions(plan, block, mesh));
		if (block->has_normals) OSSAI_TRY(read_look(plan, block, "NORMAL", 3, offset_by(mesh->normals, 3 * block->normal)));
		for (size_t set = 0; set < block->uv_count; set++) OSSAI_TRY(read_texcoords(plan, block, set, mesh));
		for (size_t set = 0; set < plan->color_count; set++) OSSAI_TRY(read_colors(plan, block, set, mesh));
	}
	return OSSA_OK;
}

/* ---- joints and weights ---- */

/* Some exporters write joints as floats. */
static ossa_status read_joints(
	const ossai_gltf_plan *plan, const ossai_gltf_accessor *accessor, const char *name, uint32_t *to, size_t step)
{
	if (accessor->run.component != OSSAI_GLTF_F32) return ossai_gltf_integers(plan->document, accessor, to, step);
	float *values;
	OSSAI_TRY(ossai_gltf_scratch(plan->document, &values, accessor->run.count, 4 * sizeof *values));
	OSSAI_TRY(ossai_gltf_floats(plan->document, accessor, values, 4));
	for (size_t i = 0; i < 4 * accessor->run.count; i++) {
		const float value = values[i];
		if (!(value >= 0 && value < 65536.0F && value == floorf(value))) {
			return ossai_asset_fail(
				plan->document->asset, "%s of vertex %zu is %g, not the number of a joint", name, i / 4, (double)value);
		}
		to[i / 4 * step + i % 4] = (uint32_t)value;
	}
	ossai_warn(plan->document->context, "joints-as-floats", (int64_t)accessor->run.count,
		"%s: joints are stored as floats, which glTF does not allow; they are taken as whole numbers",
		plan->document->source->path);
	return OSSA_OK;
}

static ossa_status read_set(const ossai_gltf_plan *plan, const ossai_gltf_block *block, size_t set, ossai_asset_mesh *mesh)
{
	const size_t step = mesh->influences, at = block->vertex * step + 4 * set;
	ossai_gltf_accessor joints, weights;
	char name[32];
	snprintf(name, sizeof name, "JOINTS_%zu", set);
	OSSAI_TRY(open_attribute(plan, block->attributes, name, 4, block->count, &joints));
	OSSAI_TRY(read_joints(plan, &joints, name, mesh->joints + at, step));
	snprintf(name, sizeof name, "WEIGHTS_%zu", set);
	OSSAI_TRY(open_attribute(plan, block->attributes, name, 4, block->count, &weights));
	/* integers are normalised even if the file does not say so */
	weights.run.normalized = true;
	return ossai_gltf_floats(plan->document, &weights, mesh->weights + at, step);
}

/* pairs that a block does not have */
static void clear_sets(const ossai_gltf_block *block, ossai_asset_mesh *mesh)
{
	const size_t used = 4 * block->set_count, rest = mesh->influences - used;
	for (size_t i = 0; i < block->count && rest > 0; i++) {
		const size_t at = (block->vertex + i) * mesh->influences + used;
		memset(mesh->joints + at, 0, rest * sizeof *mesh->joints);
		memset(mesh->weights + at, 0, rest * sizeof *mesh->weights);
	}
}

static ossa_status fill_weights(const ossai_gltf_plan *plan, ossai_asset_mesh *mesh)
{
	ossai_arena *arena = &plan->document->asset->arena;
	mesh->influences = 4 * plan->set_count;
	if (mesh->influences == 0) return OSSA_OK;
	OSSAI_TRY(ossai_gltf_charge(plan->document, plan->vertex_count, 2 * mesh->influences));
	mesh->joints = ossai_arena_new(arena, plan->vertex_count, mesh->influences * sizeof *mesh->joints);
	mesh->weights = ossai_arena_new(arena, plan->vertex_count, mesh->influences * sizeof *mesh->weights);
	if (!mesh->joints || !mesh->weights) return ossa_context_error(plan->document->context)->status;
	for (size_t b = 0; b < plan->block_count; b++) {
		const ossai_gltf_block *block = &plan->blocks[b];
		for (size_t set = 0; set < block->set_count; set++) OSSAI_TRY(read_set(plan, block, set, mesh));
		clear_sets(block, mesh);
	}
	return OSSA_OK;
}

/* ---- morph targets ---- */

/* a block's differences, or zeros where it has no such target */
static ossa_status read_deltas(const ossai_gltf_plan *plan, const ossai_gltf_block *block, size_t index, float *deltas)
{
	const json_t *target = json_array_get(block->targets, index);
	ossai_gltf_accessor accessor;
	float *to = deltas + 3 * block->vertex;
	if (!json_object_get(target, "POSITION")) {
		memset(to, 0, 3 * block->count * sizeof *to);
		return OSSA_OK;
	}
	OSSAI_TRY(open_attribute(plan, target, "POSITION", 3, block->count, &accessor));
	OSSAI_TRY(ossai_gltf_floats(plan->document, &accessor, to, 3));
	return ossai_gltf_check_finite(plan->document, &accessor, to, 3 * block->count);
}

/* the node's weights go before the mesh's */
static double target_weight(const ossai_gltf_plan *plan, const json_t *node, size_t index)
{
	const json_t *weights = json_object_get(node, "weights");
	if (!json_is_array(weights)) weights = json_object_get(plan->item, "weights");
	return json_number_value(json_array_get(weights, index));
}

/* of ossa's own files: what the weights in their animations were made by */
static ossa_status fill_drivers(const ossai_gltf_plan *plan, ossai_asset_mesh *mesh)
{
	const json_t *list = json_object_get(ossai_gltf_extras(plan->item), "drivers"), *item;
	size_t i, target;
	json_array_foreach(list, i, item)
	{
		const char *bone = json_string_value(json_object_get(item, "bone"));
		if (!bone || !ossai_gltf_is_whole(json_object_get(item, "target"), &target) || target >= mesh->target_count) continue;
		ossa_driver *driver = ossai_arena_zero(&plan->document->asset->arena, 1, sizeof *driver);
		if (!driver) return ossa_context_error(plan->document->context)->status;
		ossai_name_copy(driver->bone, (ossai_word){bone, strlen(bone)});
		ossai_gltf_numbers(item, "axis", 3, driver->axis);
		driver->from = json_number_value(json_object_get(item, "from"));
		driver->to = json_number_value(json_object_get(item, "to"));
		mesh->targets[target].driver = driver;
	}
	return OSSA_OK;
}

static ossa_status fill_targets(const ossai_gltf_plan *plan, const json_t *node, ossai_asset_mesh *mesh)
{
	ossai_gltf *document = plan->document;
	const json_t *names = json_object_get(json_object_get(plan->item, "extras"), "targetNames");
	OSSAI_TRY(ossai_gltf_charge(document, plan->target_count, 3 * plan->vertex_count));
	OSSAI_TRY(ossai_gltf_keep(document, &mesh->targets, plan->target_count, sizeof *mesh->targets));
	for (size_t t = 0; t < plan->target_count; t++) {
		ossai_asset_target *target = &mesh->targets[t];
		target->weight = target_weight(plan, node, t);
		OSSAI_TRY(ossai_gltf_text_of(document, json_array_get(names, t), &target->name));
		target->deltas = ossai_arena_new(&document->asset->arena, plan->vertex_count, 3 * sizeof *target->deltas);
		if (!target->deltas) return ossa_context_error(document->context)->status;
		for (size_t b = 0; b < plan->block_count; b++) OSSAI_TRY(read_deltas(plan, &plan->blocks[b], t, target->deltas));
		mesh->target_count++;
	}
	return fill_drivers(plan, mesh);
}

/* ---- seams ---- */

/* Which vertices are copies, as ossa's own files state; ossai_asset_finish accepts only what fits.
   They are written for meshes whose primitives share all vertices. */
static ossa_status fill_copies(const ossai_gltf_plan *plan, ossai_asset_mesh *mesh)
{
	ossai_gltf *document = plan->document;
	const json_t *extras = ossai_gltf_extras(plan->item);
	ossai_gltf_accessor accessor;
	size_t own, index;
	mesh->own_count = plan->vertex_count;
	if (plan->block_count != 1 || !json_object_get(extras, "copies")) return OSSA_OK;
	OSSAI_TRY(ossai_gltf_whole(document, extras, "vertices", plan->vertex_count, &own));
	OSSAI_TRY(ossai_gltf_index(document, extras, "copies", "accessors", &index));
	if (own > plan->vertex_count || ossai_gltf_width(document, index) != 1) return OSSA_OK;
	OSSAI_TRY(ossai_gltf_open_accessor(document, index, 1, &accessor));
	if (accessor.run.count != plan->vertex_count - own) return OSSA_OK;
	mesh->copy_of = ossai_arena_new(&document->asset->arena, accessor.run.count, sizeof *mesh->copy_of);
	if (!mesh->copy_of) return ossa_context_error(document->context)->status;
	mesh->own_count = own;
	return ossai_gltf_integers(document, &accessor, mesh->copy_of, 1);
}

ossa_status ossai_gltf_fill_motion(const ossai_gltf_plan *plan, const json_t *node, ossai_asset_mesh *mesh)
{
	OSSAI_TRY(fill_weights(plan, mesh));
	OSSAI_TRY(fill_targets(plan, node, mesh));
	return fill_copies(plan, mesh);
}

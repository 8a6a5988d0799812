/* export/fbx/fbx_objects.c: the objects of an FBX file.

   Place in the path: inside the FBX writer, before anything is written.
   Input: the mesh, the rig, the materials that there will be.
   Output: a part for each object, with its name, weights and materials. */
#include "export/fbx/fbx.h"
#include "scene/mesh.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

static ossa_status last_error(const ossai_fbx_writer *writer) { return ossa_context_error(writer->context)->status; }

/* Models are identified by their names in several programs: an object's own, unless a bone has
   it. */
static ossa_status name_parts(ossai_fbx_writer *writer)
{
	json_t *bones = json_object();
	for (size_t b = 0; bones && b < writer->joints.count; b++)
		json_object_set_new(bones, writer->rig->skeleton.bones[b].name, json_true());
	for (size_t i = 0; bones && i < writer->part_count; i++) {
		ossai_fbx_part *part = &writer->parts[i];
		const char *own = part->mesh->name[0] ? part->mesh->name : "mesh";
		snprintf(part->name, sizeof part->name, "%s", own);
		if (json_object_get(bones, part->name)) snprintf(part->name, sizeof part->name, "%s_mesh", own);
	}
	json_decref(bones);
	if (bones) return OSSA_OK;
	return ossai_fail(writer->context, OSSA_ERROR_MEMORY, NULL, "there is no memory left for the names of objects");
}

/* An only object has all materials, also those that no face has. */
static ossa_status number_materials(ossai_fbx_writer *writer, ossai_fbx_part *part)
{
	const size_t slots = writer->mesh->material_count + 1;
	uint32_t count = 0;
	part->material = ossai_arena_new(&writer->arena, slots, sizeof *part->material);
	if (!part->material) return last_error(writer);
	for (size_t m = 0; m < slots; m++)
		part->material[m] = writer->part_count == 1 && m < writer->material_count ? 0 : OSSA_NONE;
	for (size_t p = 0; part->mesh->polygon_material && p < part->mesh->polygon_count; p++)
		part->material[ossai_material_slot(part->mesh, p)] = 0;
	for (size_t m = 0; m < slots; m++) {
		if (part->material[m] != OSSA_NONE) part->material[m] = count++;
	}
	return OSSA_OK;
}

ossa_status ossai_fbx_find_parts(ossai_fbx_writer *writer)
{
	ossai_object_parts found;
	OSSAI_TRY(ossai_objects_split(&writer->arena, writer->mesh, writer->positions, OSSAI_AXES_RIGHT_ANGLED, &found));
	OSSAI_TRY(ossai_objects_take_off_morphs(&writer->arena, &found));
	writer->part_count = writer->mesh->vertex_count > 0 ? found.count : 0;
	writer->parts = ossai_arena_zero(&writer->arena, found.count, sizeof *writer->parts);
	if (!writer->parts) return last_error(writer);
	for (size_t i = 0; i < writer->part_count; i++) {
		const ossai_object_part *from = &found.items[i];
		ossai_fbx_part *part = &writer->parts[i];
		part->index = i;
		part->mesh = from->mesh;
		part->positions = from->positions ? from->positions : from->mesh->positions;
		part->place = (ossai_rigid){from->transform.r, ossai_scale(from->transform.t, writer->scale)};
		part->first_shape = writer->shape_count;
		part->morphs = from->morphs;
		writer->shape_count += part->mesh->morph_count;
		writer->shaped_count += part->mesh->morph_count > 0;
		if (writer->rig) OSSAI_TRY(ossai_object_weights(&writer->arena, from, &writer->rig->weights, &part->weights));
		OSSAI_TRY(number_materials(writer, part));
	}
	return name_parts(writer);
}

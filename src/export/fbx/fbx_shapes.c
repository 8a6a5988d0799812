/* export/fbx/fbx_shapes.c: the morph targets of an FBX file: a blend shape, a channel for each
   target, and what the target adds.

   Place in the path: inside the FBX writer, after the mesh.
   Input: the mesh's morph targets.
   Output: deformers of the geometry; every channel is at its weight at rest.
   Source: as Blender's exporter lays them out (fbx.c); Autodesk FBX SDK documentation,
   FbxBlendShape, FbxBlendShapeChannel, FbxShape. */
#include "export/fbx/fbx.h"

#include <string.h>

static void put_shape(ossai_fbx_writer *writer, const ossai_fbx_part *part, size_t index)
{
	const ossa_morph *morph = &part->mesh->morphs[index];
	const size_t m = part->first_shape + index;
	/* Blender reads no file with a shape without vertices: one that moves none moves the first by
	   nothing */
	const bool is_still = morph->count == 0;
	const size_t count = is_still ? 1 : morph->count;
	ossai_fbx_begin(writer, "Geometry");
	ossai_fbx_long(writer, ossai_fbx_id(OSSAI_FBX_SHAPE, m));
	ossai_fbx_name(writer, morph->name, "Geometry");
	ossai_fbx_text(writer, "Shape");
	ossai_fbx_int_record(writer, "Version", 100);
	ossai_fbx_begin(writer, "Indexes");
	uint8_t *array = ossai_fbx_array(writer, 'i', count);
	for (size_t i = 0; array && i < count; i++) ossai_fbx_put_int(array, i, is_still ? 0 : (int32_t)morph->vertices[i]);
	ossai_fbx_end(writer);
	ossai_fbx_begin(writer, "Vertices");
	array = ossai_fbx_array(writer, 'd', 3 * count);
	for (size_t i = 0; array && i < 3 * count; i++)
		ossai_fbx_put_double(array, i, is_still ? 0 : (double)morph->deltas[i] * writer->scale);
	ossai_fbx_end(writer);
	/* programs want as many; zeros leave the turns of normals to them */
	ossai_fbx_begin(writer, "Normals");
	array = ossai_fbx_array(writer, 'd', 3 * count);
	for (size_t i = 0; array && i < 3 * count; i++) ossai_fbx_put_double(array, i, 0);
	ossai_fbx_end(writer);
	ossai_fbx_end(writer);
	ossai_fbx_link_objects(writer, ossai_fbx_id(OSSAI_FBX_SHAPE, m), ossai_fbx_id(OSSAI_FBX_SHAPE_CHANNEL, m), NULL);
}

static void put_channel(ossai_fbx_writer *writer, const ossai_fbx_part *part, size_t index)
{
	const size_t m = part->first_shape + index;
	ossai_fbx_begin(writer, "Deformer");
	ossai_fbx_long(writer, ossai_fbx_id(OSSAI_FBX_SHAPE_CHANNEL, m));
	ossai_fbx_name(writer, part->mesh->morphs[index].name, "SubDeformer");
	ossai_fbx_text(writer, "BlendShapeChannel");
	ossai_fbx_int_record(writer, "Version", 100);
	ossai_fbx_begin(writer, "DeformPercent");
	ossai_fbx_double(writer, 100 * part->mesh->morphs[index].weight);
	ossai_fbx_end(writer);
	ossai_fbx_begin(writer, "FullWeights");
	uint8_t *array = ossai_fbx_array(writer, 'd', 1);
	if (array) ossai_fbx_put_double(array, 0, 100);
	ossai_fbx_end(writer);
	ossai_fbx_end(writer);
	ossai_fbx_link_objects(
		writer, ossai_fbx_id(OSSAI_FBX_SHAPE_CHANNEL, m), ossai_fbx_id(OSSAI_FBX_BLEND_SHAPE, part->index), NULL);
}

void ossai_fbx_put_shapes(ossai_fbx_writer *writer, const ossai_fbx_part *part)
{
	if (part->mesh->morph_count == 0) return;
	ossai_fbx_begin(writer, "Deformer");
	ossai_fbx_long(writer, ossai_fbx_id(OSSAI_FBX_BLEND_SHAPE, part->index));
	ossai_fbx_name(writer, part->mesh->name, "Deformer");
	ossai_fbx_text(writer, "BlendShape");
	ossai_fbx_int_record(writer, "Version", 100);
	ossai_fbx_end(writer);
	ossai_fbx_link_objects(
		writer, ossai_fbx_id(OSSAI_FBX_BLEND_SHAPE, part->index), ossai_fbx_id(OSSAI_FBX_GEOMETRY, part->index), NULL);
	for (size_t m = 0; m < part->mesh->morph_count; m++) put_channel(writer, part, m);
	for (size_t m = 0; m < part->mesh->morph_count; m++) put_shape(writer, part, m);
}

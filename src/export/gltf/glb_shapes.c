/* export/gltf/glb_shapes.c: what moves morph targets in a GLB.

   Place in the path: inside the GLB writer.
   Input: a mesh whose morph targets have drivers, or weights in a clip.
   Output: the drivers, in ossa's own extras of the mesh, and the weights in each frame, which every
   viewer plays. */
#include "export/gltf/glb.h"
#include "rig/shapes.h"

static json_t *driver_item(const ossa_morph *shape, size_t target)
{
	const ossa_driver *driver = &shape->driver;
	return json_pack("{s:I,s:o,s:o,s:f,s:f}", "target", (json_int_t)target, "bone", ossai_glb_text(driver->bone), "axis",
		ossai_glb_numbers(driver->axis, 3), "from", driver->from, "to", driver->to);
}

ossa_status ossai_glb_put_drivers(ossai_glb_writer *writer, const ossa_mesh *mesh, json_t *extras)
{
	json_t *list = json_array();
	size_t wanted = 0;
	for (size_t m = 0; m < mesh->morph_count; m++) {
		if (!mesh->morphs[m].driver.bone[0]) continue;
		json_array_append_new(list, driver_item(&mesh->morphs[m], m));
		wanted++;
	}
	const bool is_whole = list && json_array_size(list) == wanted;
	if (is_whole && wanted > 0) json_object_set(json_object_get(extras, "ossa"), "drivers", list);
	json_decref(list);
	return is_whole ? OSSA_OK : ossai_glb_no_memory(writer->context);
}

static size_t whole_morph(const ossai_glb_shape_node *node, size_t target)
{
	return node->morphs ? node->morphs[target] : target;
}

bool ossai_glb_moves_shapes(const ossai_glb_shapes *shapes, const ossa_clip *clip, size_t index)
{
	const ossai_glb_shape_node *node = &shapes->nodes[index];
	for (size_t t = 0; t < node->target_count; t++) {
		if (ossai_shape_moves(shapes->rig, whole_morph(node, t), clip)) return true;
	}
	return false;
}

ossa_status ossai_glb_put_shape_weights(
	ossai_glb_writer *writer, const ossai_glb_shapes *shapes, const ossa_clip *clip, size_t index, size_t *accessor)
{
	const ossai_glb_shape_node *node = &shapes->nodes[index];
	const size_t targets = node->target_count;
	float *weights = ossai_glb_put_array(writer, OSSAI_GLB_SCALAR, clip->frame_count * targets, OSSAI_GLB_DATA, accessor);
	if (!weights) return ossa_context_error(writer->context)->status;
	for (size_t f = 0; f < clip->frame_count; f++) {
		for (size_t t = 0; t < targets; t++)
			weights[f * targets + t] = (float)ossai_shape_weight(shapes->rig, whole_morph(node, t), clip, f);
	}
	return OSSA_OK;
}

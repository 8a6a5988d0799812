/* export/usd/usd_morphs.c: the morph targets of a USD file.

   Place in the path: inside the USD writer, in the mesh.
   Input: the mesh's morph targets.
   Output: a BlendShape prim for each, with the points that it moves alone, and its whole name as
   the token by which animations drive it. Weights are nowhere but in a SkelAnimation: where any
   is not 0 at rest, or moves, every animation holds them, and a file without one gets one for
   them alone. Where there is no rig either, they need a Skeleton, which has a joint that moves
   nothing, as in Blender's files (usd_blend_shape_utils.cc, ensure_blend_shape_skeleton).
   Source: OpenUSD, UsdSkelBlendShape, UsdSkelBindingAPI, UsdSkelAnimation. */
#include "export/usd/usd.h"
#include "rig/shapes.h"
#include "scene/mesh.h"
#include "scene/names.h"

#include <string.h>

static void put_offsets(ossai_usd *usd, const ossa_morph *morph)
{
	static const float nothing[3] = {0, 0, 0};
	/* without indices a shape would have to move every point: one that moves none moves the first
	   by nothing */
	ossai_usd_open_list(usd, "uniform vector3f[] offsets");
	for (size_t i = 0; i < morph->count; i++) ossai_usd_floats(usd, morph->deltas + 3 * i, 3);
	if (morph->count == 0) ossai_usd_floats(usd, nothing, 3);
	ossai_usd_close_list(usd, NULL);
	ossai_usd_open_list(usd, "uniform int[] pointIndices");
	for (size_t i = 0; i < morph->count; i++) ossai_usd_unsigned(usd, morph->vertices[i]);
	if (morph->count == 0) ossai_usd_unsigned(usd, 0);
	ossai_usd_close_list(usd, NULL);
}

static void put_names(ossai_usd *usd, const ossa_mesh *mesh)
{
	ossai_usd_open_list(usd, "uniform token[] blendShapes");
	for (size_t m = 0; m < mesh->morph_count; m++) ossai_usd_text(usd, mesh->morphs[m].name);
	ossai_usd_close_list(usd, NULL);
}

static bool moves(const ossa_rig *rig, const ossa_clip *clip)
{
	size_t m = 0;
	while (m < rig->mesh->morph_count && !ossai_shape_moves(rig, m, clip)) m++;
	return m < rig->mesh->morph_count;
}

static void put_values_at_rest(ossai_usd *usd, const ossa_mesh *mesh)
{
	ossai_usd_open_list(usd, "float[] blendShapeWeights");
	for (size_t m = 0; m < mesh->morph_count; m++) {
		const float weight = (float)mesh->morphs[m].weight;
		ossai_usd_floats(usd, &weight, 1);
	}
	ossai_usd_close_list(usd, NULL);
}

void ossai_usd_put_weights(ossai_usd *usd, const ossa_rig *rig, const ossa_mesh *mesh, const ossa_clip *clip)
{
	if (!moves(rig, clip)) {
		ossai_usd_put_rest_weights(usd, mesh);
		return;
	}
	put_names(usd, mesh);
	/* what is seen at no time of the motion is their value at rest, without which TinyUSDZ refuses
	   the file */
	put_values_at_rest(usd, mesh);
	ossai_usd_open_samples(usd, "float[] blendShapeWeights");
	for (size_t f = 0; f < clip->frame_count; f++) {
		ossai_usd_begin_sample(usd, clip->times[f]);
		for (size_t m = 0; m < mesh->morph_count; m++) {
			const float weight = (float)ossai_shape_weight(rig, m, clip, f);
			ossai_usd_floats(usd, &weight, 1);
		}
		ossai_usd_end_sample(usd);
	}
	ossai_usd_close(usd);
}

void ossai_usd_put_rest_weights(ossai_usd *usd, const ossa_mesh *mesh)
{
	if (!ossai_morphs_weigh(mesh)) return;
	put_names(usd, mesh);
	put_values_at_rest(usd, mesh);
}

void ossai_usd_put_rest_animation(ossai_usd *usd, const ossa_mesh *mesh)
{
	ossai_usd_line(usd, "rel skel:animationSource = </%s/Skeleton/Animation>", usd->root.text);
	ossai_usd_open_prim(usd, "SkelAnimation", "Animation", NULL);
	ossai_usd_put_rest_weights(usd, mesh);
	ossai_usd_close(usd);
}

void ossai_usd_put_morph_skeleton(ossai_usd *usd, const ossa_mesh *mesh)
{
	static const char identity[] = "((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))";
	ossai_usd_open_prim(usd, "Skeleton", "Skeleton", "\"SkelBindingAPI\"");
	ossai_usd_line(usd, "uniform token[] joints = [\"rest\"]");
	ossai_usd_line(usd, "uniform matrix4d[] bindTransforms = [%s]", identity);
	ossai_usd_line(usd, "uniform matrix4d[] restTransforms = [%s]", identity);
	ossai_usd_put_rest_animation(usd, mesh);
	ossai_usd_close(usd);
}

ossa_status ossai_usd_name_morphs(ossai_usd *usd, const ossa_mesh **mesh)
{
	const size_t count = (*mesh)->morph_count;
	if (count == 0) return OSSA_OK;
	ossa_mesh *own = ossai_arena_new(&usd->arena, 1, sizeof *own);
	ossa_morph *morphs = ossai_arena_new(&usd->arena, count, sizeof *morphs);
	char(*names)[64] = ossai_arena_new(&usd->arena, count, sizeof *names);
	if (!own || !morphs || !names) return ossa_context_error(usd->context)->status;
	for (size_t m = 0; m < count; m++) memcpy(names[m], (*mesh)->morphs[m].name, sizeof *names);
	OSSAI_TRY(ossai_names_apart(usd->context, count, names));
	for (size_t m = 0; m < count; m++) {
		morphs[m] = (*mesh)->morphs[m];
		memcpy(morphs[m].name, names[m], sizeof morphs[m].name);
	}
	*own = **mesh;
	own->morphs = morphs;
	*mesh = own;
	return OSSA_OK;
}

void ossai_usd_bind_morphs(ossai_usd *usd, const ossa_mesh *mesh, const ossai_usd_name *names)
{
	ossai_usd_open_list(usd, "uniform token[] skel:blendShapes");
	for (size_t m = 0; m < mesh->morph_count; m++) ossai_usd_text(usd, mesh->morphs[m].name);
	ossai_usd_close_list(usd, NULL);
	ossai_usd_open_list(usd, "rel skel:blendShapeTargets");
	for (size_t m = 0; m < mesh->morph_count; m++) {
		ossai_usd_item(usd);
		ossai_print_format(&usd->printer, "</%s/%s/", usd->root.text, usd->mesh.text);
		ossai_print_text(&usd->printer, names[m].text);
		ossai_print_char(&usd->printer, '>');
	}
	ossai_usd_close_list(usd, NULL);
}

void ossai_usd_put_morphs(ossai_usd *usd, const ossa_mesh *mesh, const ossai_usd_name *names)
{
	for (size_t m = 0; m < mesh->morph_count; m++) {
		ossai_usd_open_prim(usd, "BlendShape", names[m].text, NULL);
		put_offsets(usd, &mesh->morphs[m]);
		ossai_usd_close(usd);
	}
}

/* export/usd/usd_morphs.c: the morph targets of a USD file.

   Place in the path: inside the USD writer, in the mesh.
   Input: the mesh's morph targets.
   Output: a BlendShape prim for each, with the points that it moves alone, and its whole name as
   the token by which animations drive it. No animation does: all weights are 0.
   Source: OpenUSD, UsdSkelBlendShape, UsdSkelBindingAPI. */
#include "export/usd/usd.h"

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

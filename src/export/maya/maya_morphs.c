/* export/maya/maya_morphs.c: the morph targets of a Maya script.

   Place in the path: inside the Maya writer, after the mesh.
   Input: the mesh's morph targets.
   Output: MORPHS, from which the script makes a blendShape node: the points that each target moves,
   and what it adds to them, and its weight at rest. */
#include "export/maya/maya.h"

static void put_morph(ossai_maya_writer *writer, const ossa_morph *morph, const char *name)
{
	char weight[40];
	fprintf(writer->stream, "    (\"%s\", \"\"\"\n", name);
	writer->column = 0;
	for (size_t i = 0; i < morph->count; i++) ossai_maya_index(writer, morph->vertices[i]);
	ossai_maya_new_line(writer);
	fputs("\"\"\", \"\"\"\n", writer->stream);
	for (size_t i = 0; i < 3 * morph->count; i++) ossai_maya_number(writer, (double)morph->deltas[i], 9);
	ossai_maya_new_line(writer);
	ossai_maya_print(weight, morph->weight, 17);
	fprintf(writer->stream, "\"\"\", %s),\n", weight);
}

ossa_status ossai_maya_put_morphs(ossai_maya_writer *writer)
{
	const ossa_mesh *mesh = writer->part->mesh;
	size_t changed;
	const ossai_maya_name *names = ossai_maya_name_morphs(writer, mesh, &changed);
	if (!names) return ossa_context_error(writer->context)->status;
	fputs("\n# name of a target, the points that it moves, and x y z that it adds to each, its weight at rest\nMORPHS = [\n",
		writer->stream);
	for (size_t m = 0; m < mesh->morph_count; m++) put_morph(writer, &mesh->morphs[m], names[m]);
	fputs("]\n", writer->stream);
	return OSSA_OK;
}

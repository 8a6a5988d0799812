/* export/collada/collada_morphs.c: the morph targets of a Collada file.

   Place in the path: inside the Collada writer, after the geometry.
   Input: the mesh's morph targets, and the order in which the geometry's polygons are written.
   Output: a geometry for each target, with all vertices and polygons as programs want them, and a
   <morph> on the mesh's geometry with the weights at rest.
   The skin names the geometry, not the morph as Collada has it, and nothing names the morph:
   Blender writes files like that, and finds no mesh where a skin names a morph. ossa's own extra
   says that this is meant. No layout suits assimp 5.2, which reads no file with a <morph>. */
#include "export/collada/collada.h"

static const char *name_target(size_t index, const char *lead, char id[OSSAI_COLLADA_ID])
{
	snprintf(id, OSSAI_COLLADA_ID, "%sossa-target-%zu", lead, index + 1);
	return id;
}

/* ---- geometries ---- */

static void put_moved_positions(ossai_collada *file, const ossa_morph *morph, const float *positions, const char *id)
{
	const size_t count = file->mesh->vertex_count;
	const ossai_collada_source source = {id, "float_array", "float", "XYZ", count, 3};
	ossai_collada_open_source(file, &source);
	for (size_t v = 0, next = 0; v < count; v++) {
		const bool moves = next < morph->count && morph->vertices[next] == v;
		for (size_t k = 0; k < 3; k++) {
			const float added = moves ? morph->deltas[3 * next + k] : 0;
			ossai_markup_float(&file->markup, positions[3 * v + k] + added);
		}
		next += moves;
	}
	ossai_collada_close_source(file, &source);
}

/* one list, as assimp takes no target of several */
static void put_polygons(ossai_collada *file, const uint32_t *order, const char *vertices)
{
	const ossa_mesh *mesh = file->mesh;
	const uint32_t *start = mesh->polygon_start;
	ossai_markup *markup = &file->markup;
	ossai_markup_open(markup, "polylist", NULL);
	ossai_markup_attribute_index(markup, "count", mesh->polygon_count);
	ossai_markup_empty(markup, "input", "semantic", "VERTEX", "source", vertices, "offset", "0", NULL);
	ossai_markup_open(markup, "vcount", NULL);
	for (size_t i = 0; i < mesh->polygon_count; i++) ossai_markup_index(markup, start[order[i] + 1] - start[order[i]]);
	ossai_markup_close(markup, "vcount");
	ossai_markup_open(markup, "p", NULL);
	for (size_t i = 0; i < mesh->polygon_count; i++) {
		for (size_t c = start[order[i]]; c < start[order[i] + 1]; c++) ossai_markup_index(markup, mesh->corner_vertex[c]);
	}
	ossai_markup_close(markup, "p");
	ossai_markup_close(markup, "polylist");
}

static void put_target(ossai_collada *file, size_t index, const float *positions, const uint32_t *order)
{
	const ossa_morph *morph = &file->mesh->morphs[index];
	ossai_markup *markup = &file->markup;
	char id[OSSAI_COLLADA_ID], source[OSSAI_COLLADA_ID + 16], vertices[OSSAI_COLLADA_ID + 64], url[OSSAI_COLLADA_ADDRESS];
	name_target(index, "", id);
	snprintf(source, sizeof source, "%s-positions", id);
	snprintf(vertices, sizeof vertices, "%s-vertices%s", id, file->suffix);
	snprintf(url, sizeof url, "%s%s", id, file->suffix);
	ossai_markup_open(markup, "geometry", "id", url, NULL);
	ossai_collada_put_name(file, morph->name);
	ossai_markup_open(markup, "mesh", NULL);
	put_moved_positions(file, morph, positions, source);
	ossai_markup_open(markup, "vertices", "id", vertices, NULL);
	snprintf(url, sizeof url, "#%s%s", source, file->suffix);
	ossai_markup_empty(markup, "input", "semantic", "POSITION", "source", url, NULL);
	ossai_markup_close(markup, "vertices");
	snprintf(url, sizeof url, "#%s", vertices);
	if (file->mesh->polygon_count > 0) put_polygons(file, order, url);
	ossai_markup_close(markup, "mesh");
	ossai_collada_put_whole_name(file, morph->name);
	ossai_markup_close(markup, "geometry");
}

void ossai_collada_put_targets(ossai_collada *file, const float *positions, const uint32_t *order)
{
	for (size_t m = 0; m < file->mesh->morph_count; m++) put_target(file, m, positions, order);
}

/* ---- the controller ---- */

static void put_target_ids(ossai_collada *file)
{
	char stem[OSSAI_COLLADA_ID], id[OSSAI_COLLADA_ID];
	const size_t count = file->mesh->morph_count;
	const ossai_collada_source source = {"ossa-targets", "IDREF_array", "IDREF", "MORPH_TARGET", count, 1};
	ossai_collada_open_source(file, &source);
	for (size_t m = 0; m < count; m++)
		ossai_markup_word(&file->markup, ossai_collada_part_id(file, name_target(m, "", stem), id));
	ossai_collada_close_source(file, &source);
}

static void put_target_weights(ossai_collada *file)
{
	const size_t count = file->mesh->morph_count;
	const ossai_collada_source source = {"ossa-target-weights", "float_array", "float", "MORPH_WEIGHT", count, 1};
	ossai_collada_open_source(file, &source);
	for (size_t m = 0; m < count; m++) ossai_markup_double(&file->markup, file->mesh->morphs[m].weight);
	ossai_collada_close_source(file, &source);
}

void ossai_collada_put_morph(ossai_collada *file)
{
	ossai_markup *markup = &file->markup;
	char id[OSSAI_COLLADA_ID];
	ossai_collada_part_id(file, "ossa-morph", id);
	ossai_markup_open(markup, "controller", "id", id, "name", "morph", NULL);
	ossai_collada_part_id(file, "#ossa-geometry", id);
	ossai_markup_open(markup, "morph", "source", id, "method", "NORMALIZED", NULL);
	put_target_ids(file);
	put_target_weights(file);
	ossai_markup_open(markup, "targets", NULL);
	ossai_collada_part_id(file, "#ossa-targets", id);
	ossai_markup_empty(markup, "input", "semantic", "MORPH_TARGET", "source", id, NULL);
	ossai_collada_part_id(file, "#ossa-target-weights", id);
	ossai_markup_empty(markup, "input", "semantic", "MORPH_WEIGHT", "source", id, NULL);
	ossai_markup_close(markup, "targets");
	ossai_markup_close(markup, "morph");
	ossai_collada_open_extra(file);
	ossai_markup_text_element(markup, "of", "geometry");
	ossai_collada_close_extra(file);
	ossai_markup_close(markup, "controller");
}

/* export/maya/maya_data.c: the numbers of a mesh and its weights, as the Maya script's blocks.

   Place in the path: inside the Maya writer.
   Input: the mesh, the rig's weights.
   Output: PLACE, POINTS, FACE_SIZES, FACE_VERTICES, UVS, FACE_UVS, MORE_UVS, NORMALS, FACE_NORMALS,
   COLORS, MORE_COLORS, MATERIALS, WEIGHTS. */
#include "export/maya/maya.h"
#include "math/affine.h"
#include "math/euler.h"
#include "scene/sets.h"

#include <ctype.h>

/* the faces that Maya accepts: corners that repeat the one before are left out, then faces of fewer
   than three corners */
typedef struct maya_faces {
	size_t face_count, corner_count;
	uint32_t *polygon; /* face_count: of the mesh */
	uint32_t *start;   /* face_count + 1: into corners */
	uint32_t *corners; /* corner_count: of the mesh */
} maya_faces;

/* ---- faces ---- */

static void add_face(const ossa_mesh *mesh, size_t polygon, maya_faces *faces)
{
	const size_t first = mesh->polygon_start[polygon], end = mesh->polygon_start[polygon + 1];
	size_t count = faces->corner_count;
	for (size_t c = first; c < end; c++) {
		const size_t before = c > first ? c - 1 : end - 1;
		if (mesh->corner_vertex[c] != mesh->corner_vertex[before]) faces->corners[count++] = (uint32_t)c;
	}
	if (count - faces->corner_count < 3) return;
	faces->polygon[faces->face_count++] = (uint32_t)polygon;
	faces->start[faces->face_count] = (uint32_t)count;
	faces->corner_count = count;
}

static ossa_status find_faces(ossai_maya_writer *writer, maya_faces *faces)
{
	const ossa_mesh *mesh = writer->part->mesh;
	*faces = (maya_faces){0};
	faces->polygon = ossai_arena_new(&writer->arena, mesh->polygon_count, sizeof *faces->polygon);
	faces->start = ossai_arena_zero(&writer->arena, mesh->polygon_count + 1, sizeof *faces->start);
	faces->corners = ossai_arena_new(&writer->arena, mesh->corner_count, sizeof *faces->corners);
	if (!faces->polygon || !faces->start || !faces->corners) return ossa_context_error(writer->context)->status;
	for (size_t p = 0; p < mesh->polygon_count; p++) add_face(mesh, p, faces);
	const size_t lost = mesh->polygon_count - faces->face_count;
	if (lost > 0) {
		ossai_warn(writer->context, "maya-faces", (int64_t)lost,
			"faces with fewer than three different corners cannot be in a Maya mesh: they are left out of the script");
	}
	return OSSA_OK;
}

static void put_faces(ossai_maya_writer *writer, const maya_faces *faces)
{
	ossai_maya_begin_block(writer, "FACE_SIZES");
	for (size_t f = 0; f < faces->face_count; f++) ossai_maya_index(writer, faces->start[f + 1] - faces->start[f]);
	ossai_maya_end_block(writer);
	ossai_maya_begin_block(writer, "FACE_VERTICES");
	for (size_t i = 0; i < faces->corner_count; i++)
		ossai_maya_index(writer, writer->part->mesh->corner_vertex[faces->corners[i]]);
	ossai_maya_end_block(writer);
}

/* ---- what corners have besides ---- */

/* the index of each corner, -1 for none */
static void put_corner_indices(ossai_maya_writer *writer, const char *name, const maya_faces *faces, const uint32_t *indices)
{
	ossai_maya_begin_block(writer, name);
	for (size_t i = 0; indices && i < faces->corner_count; i++) {
		const uint32_t index = indices[faces->corners[i]];
		if (index == OSSA_NONE) ossai_maya_number(writer, -1, 9);
		else ossai_maya_index(writer, index);
	}
	ossai_maya_end_block(writer);
}

static void put_floats(ossai_maya_writer *writer, const char *name, const float *values, size_t count)
{
	ossai_maya_begin_block(writer, name);
	for (size_t i = 0; values && i < count; i++) ossai_maya_number(writer, (double)values[i], 9);
	ossai_maya_end_block(writer);
}

/* the numbers of a block without its name */
static void put_text(ossai_maya_writer *writer, const float *values, size_t count)
{
	fputs("\"\"\"\n", writer->stream);
	writer->column = 0;
	for (size_t i = 0; i < count; i++) ossai_maya_number(writer, (double)values[i], 9);
	ossai_maya_new_line(writer);
	fputs("\"\"\"", writer->stream);
}

static void put_more_uvs(ossai_maya_writer *writer, const maya_faces *faces)
{
	const ossa_mesh *mesh = writer->part->mesh;
	fputs("\n# further sets: name, u v each, and for every face corner which of them\nMORE_UVS = [\n", writer->stream);
	for (size_t set = 1; set < ossai_uv_count(mesh); set++) {
		char name[80];
		ossai_uv_set_name(mesh, set, "map", name);
		for (char *at = name; *at; at++) *at = isalnum((unsigned char)*at) ? *at : '_';
		const ossai_uvs uvs = ossai_uvs_at(mesh, set);
		fprintf(writer->stream, "    (\"%s\", ", name);
		put_text(writer, uvs.texcoords, 2 * uvs.count);
		fputs(", \"\"\"\n", writer->stream);
		for (size_t i = 0; i < faces->corner_count; i++) {
			const uint32_t index = uvs.of_corner[faces->corners[i]];
			if (index == OSSA_NONE) ossai_maya_number(writer, -1, 9);
			else ossai_maya_index(writer, index);
		}
		ossai_maya_new_line(writer);
		fputs("\"\"\"),\n", writer->stream);
	}
	fputs("]\n", writer->stream);
}

static void put_more_colors(ossai_maya_writer *writer)
{
	const ossa_mesh *mesh = writer->part->mesh;
	fputs("\n# further sets of colours\nMORE_COLORS = [\n", writer->stream);
	for (size_t set = 1; set < ossai_color_count(mesh); set++) {
		fputs("    ", writer->stream);
		put_text(writer, ossai_colors_at(mesh, set), 4 * mesh->vertex_count);
		fputs(",\n", writer->stream);
	}
	fputs("]\n", writer->stream);
}

/* where the object is: its translation, its angles (rotate order xyz) and its scale, or None */
static void put_place(ossai_maya_writer *writer)
{
	static const double zero[3] = {0, 0, 0};
	const ossai_rigid none = ossai_affine_identity(), *place = &writer->part->transform;
	double position[3], degrees[3], scale[3];
	ossai_quat turn;
	fputs("PLACE = ", writer->stream);
	if (ossai_rigid_same(place, &none) || !ossai_affine_split(place, &turn, scale)) {
		fputs("None\n", writer->stream);
		return;
	}
	ossai_v3_store(place->t, position);
	ossai_euler_near(turn, OSSAI_EULER_ZYX, zero, degrees);
	fputc('(', writer->stream);
	ossai_maya_tuple(writer, position, 3, 12);
	fputs(", ", writer->stream);
	ossai_maya_tuple(writer, degrees, 3, 12);
	fputs(", ", writer->stream);
	ossai_maya_tuple(writer, scale, 3, 12);
	fputs(")\n", writer->stream);
}

static void put_attributes(ossai_maya_writer *writer, const maya_faces *faces)
{
	const ossa_mesh *mesh = writer->part->mesh;
	fputs("\n# u v each, and for every face corner which of them (-1: none)\n", writer->stream);
	put_floats(writer, "UVS", mesh->corner_texcoord ? mesh->texcoords : NULL, 2 * mesh->texcoord_count);
	put_corner_indices(writer, "FACE_UVS", faces, mesh->corner_texcoord);
	put_more_uvs(writer, faces);
	fputs("\n# x y z each, and for every face corner which of them (-1: Maya's own)\n", writer->stream);
	put_floats(writer, "NORMALS", writer->with_normals ? mesh->normals : NULL, 3 * mesh->normal_count);
	put_corner_indices(writer, "FACE_NORMALS", faces, writer->with_normals ? mesh->corner_normal : NULL);
	fputs("\n# red green blue alpha of each point, linear\n", writer->stream);
	put_floats(writer, "COLORS", mesh->colors, 4 * mesh->vertex_count);
	put_more_colors(writer);
}

/* ---- materials ---- */

/* the faces of one material as runs: first last first last ... */
static void put_material(ossai_maya_writer *writer, const maya_faces *faces, uint32_t material)
{
	const uint32_t *of_polygon = writer->part->mesh->polygon_material;
	size_t count = 0;
	for (size_t f = 0; f < faces->face_count; f++) count += of_polygon[faces->polygon[f]] == material;
	if (count == 0) return;
	fprintf(writer->stream, "    (\"%s\", \"\"\"\n", material == OSSA_NONE ? "" : ossai_maya_material_name(writer, material));
	writer->column = 0;
	for (size_t f = 0; f < faces->face_count; f++) {
		const bool own = of_polygon[faces->polygon[f]] == material;
		const bool before = f > 0 && of_polygon[faces->polygon[f - 1]] == material;
		const bool after = f + 1 < faces->face_count && of_polygon[faces->polygon[f + 1]] == material;
		if (own && !before) ossai_maya_index(writer, f);
		if (own && !after) ossai_maya_index(writer, f);
	}
	ossai_maya_new_line(writer);
	fputs("\"\"\"),\n", writer->stream);
}

static void put_materials(ossai_maya_writer *writer, const maya_faces *faces)
{
	fputs("\n# name (none: the scene's default) and its faces: first last, first last ...\nMATERIALS = [\n", writer->stream);
	if (writer->part->mesh->polygon_material) {
		for (size_t m = 0; m < writer->part->mesh->material_count; m++) put_material(writer, faces, (uint32_t)m);
		put_material(writer, faces, OSSA_NONE);
	}
	fputs("]\n", writer->stream);
}

ossa_status ossai_maya_put_mesh(ossai_maya_writer *writer)
{
	maya_faces faces;
	OSSAI_TRY(find_faces(writer, &faces));
	put_place(writer);
	fputs("\n# x y z of each point; how many corners each face has; the point of each corner\n", writer->stream);
	const ossai_object_part *part = writer->part;
	put_floats(writer, "POINTS", part->positions ? part->positions : part->mesh->positions, 3 * part->mesh->vertex_count);
	put_faces(writer, &faces);
	put_attributes(writer, &faces);
	put_materials(writer, &faces);
	return OSSA_OK;
}

/* ---- weights ---- */

ossa_status ossai_maya_put_weights(ossai_maya_writer *writer)
{
	ossa_weights own, *weights = writer->rig ? &own : NULL;
	if (weights) OSSAI_TRY(ossai_object_weights(&writer->arena, writer->part, &writer->rig->weights, &own));
	fputs("\n# one line for each point: joint (its number in JOINTS) and weight, joint and weight ...\n", writer->stream);
	ossai_maya_begin_block(writer, "WEIGHTS");
	for (size_t v = 0; weights && v < weights->vertex_count; v++) {
		const size_t first = v * (size_t)weights->influences;
		for (size_t i = first; i < first + (size_t)weights->influences; i++) {
			if (!(weights->values[i] > 0)) continue;
			/* all pairs stay on their vertex's line, however many there are */
			char text[40];
			ossai_maya_print(text, (double)weights->values[i], 9);
			fprintf(writer->stream, "%s%u %s", writer->column > 0 ? " " : "", (unsigned)weights->bones[i], text);
			writer->column = 1;
		}
		ossai_maya_new_line(writer);
	}
	ossai_maya_end_block(writer);
	return OSSA_OK;
}

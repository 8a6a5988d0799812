/* export/fbx/fbx_mesh.c: the mesh of an FBX file: geometry, the node that shows it.

   Place in the path: inside the FBX writer.
   Input: a mesh.
   Output: polygons with UVs, normals, colours and materials by corner or face, vertices in their
   own order. */
#include "export/fbx/fbx.h"
#include "math/vec.h"

#include <string.h>

/* ---- points and faces ---- */

static void put_points(ossai_fbx_writer *writer)
{
	const size_t count = 3 * writer->mesh->vertex_count;
	ossai_fbx_begin(writer, "Vertices");
	uint8_t *array = ossai_fbx_array(writer, 'd', count);
	for (size_t i = 0; array && i < count; i++) ossai_fbx_put_double(array, i, (double)writer->positions[i] * writer->scale);
	ossai_fbx_end(writer);
}

/* the last corner of a face is stored as -1 - vertex */
static void put_faces(ossai_fbx_writer *writer)
{
	const ossa_mesh *mesh = writer->mesh;
	ossai_fbx_begin(writer, "PolygonVertexIndex");
	uint8_t *array = ossai_fbx_array(writer, 'i', mesh->corner_count);
	for (size_t p = 0; array && p < mesh->polygon_count; p++) {
		for (size_t c = mesh->polygon_start[p]; c < mesh->polygon_start[p + 1]; c++) {
			const int32_t vertex = (int32_t)mesh->corner_vertex[c];
			ossai_fbx_put_int(array, c, c + 1 == mesh->polygon_start[p + 1] ? -1 - vertex : vertex);
		}
	}
	ossai_fbx_end(writer);
}

/* ---- layers: what corners and faces have besides ---- */

static void begin_layer(
	ossai_fbx_writer *writer, const char *name, const char *title, const char *mapping, const char *reference)
{
	ossai_fbx_begin(writer, name);
	ossai_fbx_int(writer, 0);
	ossai_fbx_int_record(writer, "Version", 101);
	ossai_fbx_text_record(writer, "Name", title);
	ossai_fbx_text_record(writer, "MappingInformationType", mapping);
	ossai_fbx_text_record(writer, "ReferenceInformationType", reference);
}

/* a face's own normal, for corners that have none */
static ossai_vec3 face_normal(const ossai_fbx_writer *writer, size_t polygon)
{
	const ossa_mesh *mesh = writer->mesh;
	const size_t first = mesh->polygon_start[polygon], end = mesh->polygon_start[polygon + 1];
	ossai_vec3 sum = {0, 0, 0};
	const ossai_vec3 origin = ossai_v3_of_float(writer->positions + 3 * (size_t)mesh->corner_vertex[first]);
	for (size_t c = first + 1; c + 1 < end; c++) {
		const ossai_vec3 a = ossai_v3_of_float(writer->positions + 3 * (size_t)mesh->corner_vertex[c]);
		const ossai_vec3 b = ossai_v3_of_float(writer->positions + 3 * (size_t)mesh->corner_vertex[c + 1]);
		sum = ossai_add(sum, ossai_cross(ossai_sub(a, origin), ossai_sub(b, origin)));
	}
	return ossai_unit(sum, ossai_v3(0, 1, 0));
}

static void put_normals(ossai_fbx_writer *writer)
{
	const ossa_mesh *mesh = writer->mesh;
	begin_layer(writer, "LayerElementNormal", "", "ByPolygonVertex", "Direct");
	ossai_fbx_begin(writer, "Normals");
	uint8_t *array = ossai_fbx_array(writer, 'd', 3 * mesh->corner_count);
	for (size_t p = 0; array && p < mesh->polygon_count; p++) {
		for (size_t c = mesh->polygon_start[p]; c < mesh->polygon_start[p + 1]; c++) {
			const uint32_t index = mesh->corner_normal[c];
			const ossai_vec3 n = index == OSSA_NONE ? face_normal(writer, p)
													: ossai_v3_of_float(mesh->normals + 3 * (size_t)index);
			double values[3];
			ossai_v3_store(n, values);
			for (size_t k = 0; k < 3; k++) ossai_fbx_put_double(array, 3 * c + k, values[k]);
		}
	}
	ossai_fbx_end(writer);
	ossai_fbx_end(writer);
}

/* corners without a UV get one more, (0, 0) */
static void put_texcoords(ossai_fbx_writer *writer)
{
	const ossa_mesh *mesh = writer->mesh;
	const size_t count = mesh->texcoord_count;
	begin_layer(writer, "LayerElementUV", OSSAI_FBX_UV_SET, "ByPolygonVertex", "IndexToDirect");
	ossai_fbx_begin(writer, "UV");
	uint8_t *array = ossai_fbx_array(writer, 'd', 2 * (count + 1));
	for (size_t i = 0; array && i < 2 * (count + 1); i++) {
		ossai_fbx_put_double(array, i, i < 2 * count ? (double)mesh->texcoords[i] : 0);
	}
	ossai_fbx_end(writer);
	ossai_fbx_begin(writer, "UVIndex");
	array = ossai_fbx_array(writer, 'i', mesh->corner_count);
	for (size_t c = 0; array && c < mesh->corner_count; c++) {
		const uint32_t index = mesh->corner_texcoord[c];
		ossai_fbx_put_int(array, c, (int32_t)(index == OSSA_NONE ? count : index));
	}
	ossai_fbx_end(writer);
	ossai_fbx_end(writer);
}

static void put_colors(ossai_fbx_writer *writer)
{
	const ossa_mesh *mesh = writer->mesh;
	const size_t count = 4 * mesh->vertex_count;
	begin_layer(writer, "LayerElementColor", "Col", "ByPolygonVertex", "IndexToDirect");
	ossai_fbx_begin(writer, "Colors");
	uint8_t *array = ossai_fbx_array(writer, 'd', count);
	for (size_t i = 0; array && i < count; i++) ossai_fbx_put_double(array, i, (double)mesh->colors[i]);
	ossai_fbx_end(writer);
	ossai_fbx_begin(writer, "ColorIndex");
	array = ossai_fbx_array(writer, 'i', mesh->corner_count);
	for (size_t c = 0; array && c < mesh->corner_count; c++) ossai_fbx_put_int(array, c, (int32_t)mesh->corner_vertex[c]);
	ossai_fbx_end(writer);
	ossai_fbx_end(writer);
}

static void put_face_materials(ossai_fbx_writer *writer)
{
	const ossa_mesh *mesh = writer->mesh;
	begin_layer(writer, "LayerElementMaterial", "", "ByPolygon", "IndexToDirect");
	ossai_fbx_begin(writer, "Materials");
	uint8_t *array = ossai_fbx_array(writer, 'i', mesh->polygon_count);
	for (size_t p = 0; array && p < mesh->polygon_count; p++) {
		const uint32_t index = mesh->polygon_material[p];
		ossai_fbx_put_int(array, p, (int32_t)(index == OSSA_NONE ? mesh->material_count : index));
	}
	ossai_fbx_end(writer);
	ossai_fbx_end(writer);
}

static void put_layer_entry(ossai_fbx_writer *writer, const char *type)
{
	ossai_fbx_begin(writer, "LayerElement");
	ossai_fbx_text_record(writer, "Type", type);
	ossai_fbx_int_record(writer, "TypedIndex", 0);
	ossai_fbx_end(writer);
}

void ossai_fbx_put_geometry(ossai_fbx_writer *writer)
{
	const ossa_mesh *mesh = writer->mesh;
	ossai_fbx_begin(writer, "Geometry");
	ossai_fbx_long(writer, ossai_fbx_id(OSSAI_FBX_GEOMETRY, 0));
	ossai_fbx_name(writer, mesh->name[0] ? mesh->name : "mesh", "Geometry");
	ossai_fbx_text(writer, "Mesh");
	ossai_fbx_int_record(writer, "GeometryVersion", 124);
	put_points(writer);
	put_faces(writer);
	if (writer->with_normals) put_normals(writer);
	if (mesh->corner_texcoord) put_texcoords(writer);
	if (mesh->colors) put_colors(writer);
	if (mesh->polygon_material) put_face_materials(writer);
	ossai_fbx_begin(writer, "Layer");
	ossai_fbx_int(writer, 0);
	ossai_fbx_int_record(writer, "Version", 100);
	if (writer->with_normals) put_layer_entry(writer, "LayerElementNormal");
	if (mesh->corner_texcoord) put_layer_entry(writer, "LayerElementUV");
	if (mesh->colors) put_layer_entry(writer, "LayerElementColor");
	if (mesh->polygon_material) put_layer_entry(writer, "LayerElementMaterial");
	ossai_fbx_end(writer);
	ossai_fbx_end(writer);
}

/* ---- the node ---- */

void ossai_fbx_put_mesh_model(ossai_fbx_writer *writer, const char *name)
{
	const int64_t id = ossai_fbx_id(OSSAI_FBX_MESH, 0);
	ossai_fbx_begin_model(writer, id, name, "Mesh");
	ossai_fbx_end_model(writer, id, ossai_fbx_id(OSSAI_FBX_ROOT, 0));
	ossai_fbx_link_objects(writer, ossai_fbx_id(OSSAI_FBX_GEOMETRY, 0), id, NULL);
}

/* export/fbx/fbx_mesh.c: the mesh of an FBX file: geometry, the node that shows it.

   Place in the path: inside the FBX writer.
   Input: a mesh.
   Output: polygons with UVs, normals, colours and materials by corner or face, vertices in their
   own order. */
#include "export/fbx/fbx.h"
#include "math/affine.h"
#include "math/color.h"
#include "math/euler.h"
#include "scene/mesh.h"
#include "scene/sets.h"

#include <stdio.h>
#include <string.h>

/* ---- points and faces ---- */

static void put_points(ossai_fbx_writer *writer, const ossai_fbx_part *part)
{
	const size_t count = 3 * part->mesh->vertex_count;
	ossai_fbx_begin(writer, "Vertices");
	uint8_t *array = ossai_fbx_array(writer, 'd', count);
	for (size_t i = 0; array && i < count; i++) ossai_fbx_put_double(array, i, (double)part->positions[i] * writer->scale);
	ossai_fbx_end(writer);
}

/* the last corner of a face is stored as -1 - vertex */
static void put_faces(ossai_fbx_writer *writer, const ossai_fbx_part *part)
{
	const ossa_mesh *mesh = part->mesh;
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
	ossai_fbx_writer *writer, const char *name, size_t set, const char *title, const char *mapping, const char *reference)
{
	ossai_fbx_begin(writer, name);
	ossai_fbx_int(writer, (int32_t)set);
	ossai_fbx_int_record(writer, "Version", 101);
	ossai_fbx_text_record(writer, "Name", title);
	ossai_fbx_text_record(writer, "MappingInformationType", mapping);
	ossai_fbx_text_record(writer, "ReferenceInformationType", reference);
}

/* a face's own normal, for corners that have none */
static ossai_vec3 face_normal(const ossai_fbx_part *part, size_t polygon)
{
	const ossa_mesh *mesh = part->mesh;
	const size_t first = mesh->polygon_start[polygon], end = mesh->polygon_start[polygon + 1];
	ossai_vec3 sum = {0, 0, 0};
	const ossai_vec3 origin = ossai_v3_of_float(part->positions + 3 * (size_t)mesh->corner_vertex[first]);
	for (size_t c = first + 1; c + 1 < end; c++) {
		const ossai_vec3 a = ossai_v3_of_float(part->positions + 3 * (size_t)mesh->corner_vertex[c]);
		const ossai_vec3 b = ossai_v3_of_float(part->positions + 3 * (size_t)mesh->corner_vertex[c + 1]);
		sum = ossai_add(sum, ossai_cross(ossai_sub(a, origin), ossai_sub(b, origin)));
	}
	return ossai_unit(sum, ossai_v3(0, 1, 0));
}

static void put_normals(ossai_fbx_writer *writer, const ossai_fbx_part *part)
{
	const ossa_mesh *mesh = part->mesh;
	begin_layer(writer, "LayerElementNormal", 0, "", "ByPolygonVertex", "Direct");
	ossai_fbx_begin(writer, "Normals");
	uint8_t *array = ossai_fbx_array(writer, 'd', 3 * mesh->corner_count);
	for (size_t p = 0; array && p < mesh->polygon_count; p++) {
		for (size_t c = mesh->polygon_start[p]; c < mesh->polygon_start[p + 1]; c++) {
			const uint32_t index = mesh->corner_normal[c];
			const ossai_vec3 n = index == OSSA_NONE ? face_normal(part, p)
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
static void put_texcoords(ossai_fbx_writer *writer, const ossa_mesh *mesh, size_t set)
{
	char title[80];
	const ossai_uvs uvs = ossai_uvs_at(mesh, set);
	ossai_uv_set_name(mesh, set, OSSAI_FBX_UV_SET, title);
	begin_layer(writer, "LayerElementUV", set, title, "ByPolygonVertex", "IndexToDirect");
	ossai_fbx_begin(writer, "UV");
	uint8_t *array = ossai_fbx_array(writer, 'd', 2 * (uvs.count + 1));
	for (size_t i = 0; array && i < 2 * (uvs.count + 1); i++) {
		ossai_fbx_put_double(array, i, i < 2 * uvs.count ? (double)uvs.texcoords[i] : 0);
	}
	ossai_fbx_end(writer);
	ossai_fbx_begin(writer, "UVIndex");
	array = ossai_fbx_array(writer, 'i', mesh->corner_count);
	for (size_t c = 0; array && c < mesh->corner_count; c++) {
		const uint32_t index = uvs.of_corner[c];
		ossai_fbx_put_int(array, c, (int32_t)(index == OSSA_NONE ? uvs.count : index));
	}
	ossai_fbx_end(writer);
	ossai_fbx_end(writer);
}

/* in sRGB, as Blender takes them */
static void put_colors(ossai_fbx_writer *writer, const ossa_mesh *mesh, size_t set)
{
	char title[32] = "Col";
	const float *colors = ossai_colors_at(mesh, set);
	const size_t count = 4 * mesh->vertex_count;
	if (set > 0) snprintf(title, sizeof title, "Col_%zu", set + 1);
	begin_layer(writer, "LayerElementColor", set, title, "ByPolygonVertex", "IndexToDirect");
	ossai_fbx_begin(writer, "Colors");
	uint8_t *array = ossai_fbx_array(writer, 'd', count);
	for (size_t i = 0; array && i < count; i++)
		ossai_fbx_put_double(array, i, (double)(i % 4 == 3 ? colors[i] : ossai_srgb_of_linear(colors[i])));
	ossai_fbx_end(writer);
	ossai_fbx_begin(writer, "ColorIndex");
	array = ossai_fbx_array(writer, 'i', mesh->corner_count);
	for (size_t c = 0; array && c < mesh->corner_count; c++) ossai_fbx_put_int(array, c, (int32_t)mesh->corner_vertex[c]);
	ossai_fbx_end(writer);
	ossai_fbx_end(writer);
}

static void put_face_materials(ossai_fbx_writer *writer, const ossai_fbx_part *part)
{
	const ossa_mesh *mesh = part->mesh;
	begin_layer(writer, "LayerElementMaterial", 0, "", "ByPolygon", "IndexToDirect");
	ossai_fbx_begin(writer, "Materials");
	uint8_t *array = ossai_fbx_array(writer, 'i', mesh->polygon_count);
	for (size_t p = 0; array && p < mesh->polygon_count; p++)
		ossai_fbx_put_int(array, p, (int32_t)part->material[ossai_material_slot(mesh, p)]);
	ossai_fbx_end(writer);
	ossai_fbx_end(writer);
}

static void put_layer_entry(ossai_fbx_writer *writer, const char *type, size_t set)
{
	ossai_fbx_begin(writer, "LayerElement");
	ossai_fbx_text_record(writer, "Type", type);
	ossai_fbx_int_record(writer, "TypedIndex", (int32_t)set);
	ossai_fbx_end(writer);
}

/* further sets of UVs and colours are in layers of their own */
static void put_layers(ossai_fbx_writer *writer, const ossa_mesh *mesh)
{
	const size_t uvs = ossai_uv_count(mesh), colors = ossai_color_count(mesh);
	for (size_t set = 0; set == 0 || set < uvs || set < colors; set++) {
		ossai_fbx_begin(writer, "Layer");
		ossai_fbx_int(writer, (int32_t)set);
		ossai_fbx_int_record(writer, "Version", 100);
		if (set == 0 && writer->with_normals) put_layer_entry(writer, "LayerElementNormal", 0);
		if (set < uvs) put_layer_entry(writer, "LayerElementUV", set);
		if (set < colors) put_layer_entry(writer, "LayerElementColor", set);
		if (set == 0 && mesh->polygon_material) put_layer_entry(writer, "LayerElementMaterial", 0);
		ossai_fbx_end(writer);
	}
}

void ossai_fbx_put_geometry(ossai_fbx_writer *writer, const ossai_fbx_part *part)
{
	const ossa_mesh *mesh = part->mesh;
	ossai_fbx_begin(writer, "Geometry");
	ossai_fbx_long(writer, ossai_fbx_id(OSSAI_FBX_GEOMETRY, part->index));
	ossai_fbx_name(writer, mesh->name[0] ? mesh->name : "mesh", "Geometry");
	ossai_fbx_text(writer, "Mesh");
	ossai_fbx_int_record(writer, "GeometryVersion", 124);
	put_points(writer, part);
	put_faces(writer, part);
	if (writer->with_normals) put_normals(writer, part);
	for (size_t set = 0; set < ossai_uv_count(mesh); set++) put_texcoords(writer, mesh, set);
	for (size_t set = 0; set < ossai_color_count(mesh); set++) put_colors(writer, mesh, set);
	if (mesh->polygon_material) put_face_materials(writer, part);
	put_layers(writer, mesh);
	ossai_fbx_end(writer);
}

/* ---- the node ---- */

static void put_place(ossai_fbx_writer *writer, const ossai_rigid *place)
{
	static const double zero[3] = {0, 0, 0};
	const ossai_rigid none = ossai_affine_identity();
	double position[3], degrees[3], scale[3];
	ossai_quat turn;
	if (ossai_rigid_same(place, &none) || !ossai_affine_split(place, &turn, scale)) return;
	ossai_v3_store(place->t, position);
	ossai_euler_near(turn, OSSAI_EULER_ZYX, zero, degrees);
	ossai_fbx_p_vector(writer, "Lcl Translation", "Lcl Translation", "A", position);
	ossai_fbx_p_vector(writer, "Lcl Rotation", "Lcl Rotation", "A", degrees);
	ossai_fbx_p_vector(writer, "Lcl Scaling", "Lcl Scaling", "A", scale);
}

void ossai_fbx_put_mesh_model(ossai_fbx_writer *writer, const ossai_fbx_part *part)
{
	const int64_t id = ossai_fbx_id(OSSAI_FBX_MESH, part->index);
	ossai_fbx_begin_model(writer, id, part->name, "Mesh");
	put_place(writer, &part->place);
	ossai_fbx_end_model(writer, id, ossai_fbx_id(OSSAI_FBX_ROOT, 0));
	ossai_fbx_link_objects(writer, ossai_fbx_id(OSSAI_FBX_GEOMETRY, part->index), id, NULL);
}

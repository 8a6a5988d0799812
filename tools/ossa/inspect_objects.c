/* tools/ossa/inspect_objects.c: what a mesh was made of: its objects, and its sets of UVs and
   colours.

   Place in the path: part of `ossa inspect`.
   Input: a mesh.
   Output: lines, or JSON. */
#include "inspect.h"

#include <math.h>
#include <stdlib.h>

/* more are counted */
enum { OBJECTS_SHOWN = 40 };

/* how many faces each object has; NULL where memory is short */
static size_t *count_faces(const ossa_mesh *mesh)
{
	size_t *faces = calloc(mesh->object_count + 1, sizeof *faces);
	for (size_t p = 0; faces && mesh->object_count > 0 && p < mesh->polygon_count; p++) faces[mesh->polygon_object[p]]++;
	return faces;
}

static bool mirrors(const double *m)
{
	return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) + m[2] * (m[4] * m[9] - m[5] * m[8]) < 0;
}

/* whether a 4 x 4 matrix is the identity */
static bool is_identity(const double *m)
{
	for (int i = 0; i < 16; i++) {
		if (m[i] != (i % 5 == 0 ? 1 : 0)) return false;
	}
	return true;
}

static void print_object(const ossa_object *object, size_t faces)
{
	const double *m = object->transform;
	printf("  %-30s %zu face%s", object->name, faces, faces == 1 ? "" : "s");
	if (!is_identity(m)) {
		printf(", at %.4g %.4g %.4g", m[3], m[7], m[11]);
		double scale[3];
		for (int k = 0; k < 3; k++) scale[k] = sqrt(m[k] * m[k] + m[4 + k] * m[4 + k] + m[8 + k] * m[8 + k]);
		const bool is_scaled = fabs(scale[0] - 1) > 1e-4 || fabs(scale[1] - 1) > 1e-4 || fabs(scale[2] - 1) > 1e-4;
		if (is_scaled) printf(", scale %.4g %.4g %.4g", scale[0], scale[1], scale[2]);
		/* a turn makes one mirrored axis of any other */
		if (mirrors(m)) printf(", mirrored");
	}
	putchar('\n');
}

void inspect_print_objects(const ossa_mesh *mesh)
{
	if (mesh->object_count > 0) printf("%-12s %zu\n", "objects", mesh->object_count);
	size_t *faces = count_faces(mesh);
	for (size_t i = 0; faces && i < mesh->object_count && i < OBJECTS_SHOWN; i++) print_object(&mesh->objects[i], faces[i]);
	free(faces);
	if (mesh->object_count > OBJECTS_SHOWN) printf("  and %zu more\n", mesh->object_count - OBJECTS_SHOWN);
	if (mesh->more_uv_count > 0) {
		printf("%-12s %zu\n", "UV sets", 1 + mesh->more_uv_count);
		printf("  %-30s %zu UVs\n", mesh->uv_name[0] ? mesh->uv_name : "1", mesh->texcoord_count);
	}
	for (size_t i = 0; i < mesh->more_uv_count; i++) {
		char number[32];
		snprintf(number, sizeof number, "%zu", i + 2);
		printf(
			"  %-30s %zu UVs\n", mesh->more_uvs[i].name[0] ? mesh->more_uvs[i].name : number, mesh->more_uvs[i].texcoord_count);
	}
	if (mesh->more_color_count > 0) printf("%-12s %zu\n", "colour sets", 1 + mesh->more_color_count);
}

json_t *inspect_objects_as_json(const ossa_mesh *mesh)
{
	json_t *list = json_array();
	size_t *faces = count_faces(mesh);
	for (size_t i = 0; i < mesh->object_count; i++) {
		json_t *transform = json_array();
		for (int k = 0; k < 16; k++) json_array_append_new(transform, command_json_real(mesh->objects[i].transform[k]));
		json_array_append_new(list,
			json_pack("{s:s, s:I, s:o}", "name", mesh->objects[i].name, "faces", (json_int_t)(faces ? faces[i] : 0),
				"transform", transform));
	}
	free(faces);
	return list;
}

json_t *inspect_uv_sets_as_json(const ossa_mesh *mesh)
{
	json_t *list = json_array();
	if (mesh->corner_texcoord)
		json_array_append_new(list, json_pack("{s:s, s:I}", "name", mesh->uv_name, "uvs", (json_int_t)mesh->texcoord_count));
	for (size_t i = 0; i < mesh->more_uv_count; i++)
		json_array_append_new(
			list, json_pack("{s:s, s:I}", "name", mesh->more_uvs[i].name, "uvs", (json_int_t)mesh->more_uvs[i].texcoord_count));
	return list;
}

/* export/obj.c: Wavefront OBJ meshes as text.

   Place in the path: a writer of the registry.
   Input: a checked mesh, perhaps with other positions.
   Output: an .obj with the mesh's objects, polygons, first UVs, normals and material names, and
   where it is known how these look a library beside it (mtl.c); nine digits give every float back
   exactly. All vertices come first, in the mesh's order: the faces of an object name those that
   are its own. */
#include "export/export.h"
#include "export/mtl.h"
#include "export/print.h"
#include "base/csr.h"
#include "base/file.h"
#include "math/color.h"
#include "scene/names.h"

#include <string.h>

/* `lead` and then `count` numbers */
static void print_floats(ossai_printer *printer, const char *lead, const float *values, size_t count)
{
	ossai_print_text(printer, lead);
	for (size_t i = 0; i < count; i++) {
		ossai_print_char(printer, ' ');
		ossai_print_float(printer, values[i]);
	}
}

/* colours follow the position, in sRGB, as MeshLab and Blender write them */
static void print_vertices(ossai_printer *printer, const ossa_mesh *mesh, const float *positions)
{
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		print_floats(printer, "v", positions + 3 * v, 3);
		float color[3];
		for (size_t k = 0; mesh->colors && k < 3; k++) color[k] = ossai_srgb_of_linear(mesh->colors[4 * v + k]);
		if (mesh->colors) print_floats(printer, "", color, 3);
		ossai_print_char(printer, '\n');
	}
}

static void print_list(ossai_printer *printer, const char *lead, const float *values, size_t count, size_t width)
{
	for (size_t i = 0; i < count; i++) {
		print_floats(printer, lead, values + width * i, width);
		ossai_print_char(printer, '\n');
	}
}

/* "v", "v/vt", "v//vn" or "v/vt/vn", counted from 1 */
static void print_corner(ossai_printer *printer, const ossa_mesh *mesh, size_t corner, bool with_normals)
{
	const uint32_t texcoord = mesh->corner_texcoord ? mesh->corner_texcoord[corner] : OSSA_NONE;
	const uint32_t normal = with_normals ? mesh->corner_normal[corner] : OSSA_NONE;
	ossai_print_char(printer, ' ');
	ossai_print_unsigned(printer, (uint64_t)mesh->corner_vertex[corner] + 1);
	if (texcoord == OSSA_NONE && normal == OSSA_NONE) return;
	ossai_print_char(printer, '/');
	if (texcoord != OSSA_NONE) ossai_print_unsigned(printer, (uint64_t)texcoord + 1);
	if (normal == OSSA_NONE) return;
	ossai_print_char(printer, '/');
	ossai_print_unsigned(printer, (uint64_t)normal + 1);
}

static void print_face(ossai_printer *printer, const ossa_mesh *mesh, size_t p, bool with_normals, uint32_t *material)
{
	const uint32_t own = mesh->polygon_material ? mesh->polygon_material[p] : OSSA_NONE;
	if (own != *material)
		ossai_print_format(printer, "usemtl %s\n", own < mesh->material_count ? mesh->materials[own] : "none");
	*material = own;
	ossai_print_char(printer, 'f');
	for (size_t c = mesh->polygon_start[p]; c < mesh->polygon_start[p + 1]; c++) print_corner(printer, mesh, c, with_normals);
	ossai_print_char(printer, '\n');
}

/* objects: the polygons of each, or NULL where there is one */
static void print_faces(
	ossai_printer *printer, const ossa_mesh *mesh, bool with_normals, const ossai_csr *objects, char (*names)[64])
{
	uint32_t material = OSSA_NONE;
	for (size_t p = 0; p < mesh->polygon_count && !objects; p++) print_face(printer, mesh, p, with_normals, &material);
	for (size_t o = 0; objects && o < mesh->object_count; o++) {
		if (ossai_csr_size(objects, o) == 0) continue;
		ossai_print_format(printer, "o %s\n", names[o]);
		for (size_t i = objects->start[o]; i < objects->start[o + 1]; i++)
			print_face(printer, mesh, objects->item[i], with_normals, &material);
	}
}

/* different names, in one line each */
static ossa_status sort_objects(ossai_arena *arena, const ossa_mesh *mesh, ossai_csr *objects, char (**names)[64])
{
	*names = ossai_arena_new(arena, mesh->object_count, sizeof **names);
	if (!*names) return ossa_context_error(arena->context)->status;
	for (size_t o = 0; o < mesh->object_count; o++) {
		memcpy((*names)[o], mesh->objects[o].name, sizeof **names);
		for (char *at = (*names)[o]; *at; at++) *at = *at == '\n' || *at == '\r' ? ' ' : *at;
	}
	OSSAI_TRY(ossai_names_apart(arena->context, mesh->object_count, *names));
	return ossai_csr_of_keys(arena, mesh->object_count, mesh->polygon_count, mesh->polygon_object, objects);
}

/* library: the name of the one beside it, or NULL; objects: NULL where there is one */
static ossa_status write_text(ossa_context *context, const ossa_mesh *mesh, const float *positions, const char *path,
	const char *library, const ossai_csr *objects, char (*names)[64])
{
	ossai_output output;
	OSSAI_TRY(ossai_output_begin(context, path, &output));
	/* normals belong to the mesh's own positions */
	const bool with_normals = mesh->corner_normal && !positions;
	ossai_printer printer;
	ossai_print_begin(&printer, output.stream);
	if (library) ossai_print_format(&printer, "mtllib %s\n", library);
	if (mesh->name[0] && !objects) ossai_print_format(&printer, "o %s\n", mesh->name);
	print_vertices(&printer, mesh, positions ? positions : mesh->positions);
	if (mesh->corner_texcoord) print_list(&printer, "vt", mesh->texcoords, mesh->texcoord_count, 2);
	if (with_normals) print_list(&printer, "vn", mesh->normals, mesh->normal_count, 3);
	print_faces(&printer, mesh, with_normals, objects, names);
	ossai_print_end(&printer);
	return ossai_output_commit(&output);
}

static ossa_status write_file(
	ossa_context *context, const ossa_mesh *mesh, const float *positions, const char *path, const char *library)
{
	ossai_arena arena = ossai_arena_begin(context);
	ossai_csr objects;
	char(*names)[64] = NULL;
	const bool has_objects = mesh->object_count > 1;
	ossa_status status = has_objects ? sort_objects(&arena, mesh, &objects, &names) : OSSA_OK;
	if (status == OSSA_OK) status = write_text(context, mesh, positions, path, library, has_objects ? &objects : NULL, names);
	ossai_arena_end(&arena);
	return status;
}

ossa_status ossai_obj_write_mesh(
	ossa_context *context, const ossa_mesh *mesh, const float *positions, const char *path, const ossa_write_options *options)
{
	char library[OSSAI_PATH_SIZE];
	ossai_batch batch;
	if (!mesh->appearance || mesh->material_count == 0) return write_file(context, mesh, positions, path, NULL);
	/* numbered poses share their images */
	const bool is_pose = positions != NULL;
	const ossa_image_names images = is_pose ? OSSA_IMAGE_NAMES_KEEP : options->image_names;
	ossai_batch_begin(context, &batch);
	ossa_status status = ossai_mtl_write(context, mesh, path, is_pose, images, library);
	if (status == OSSA_OK) status = write_file(context, mesh, positions, path, ossai_file_name(library));
	return ossai_batch_end(&batch, status);
}

/* export/obj.c: Wavefront OBJ meshes as text.

   Place in the path: a writer of the registry.
   Input: a checked mesh, perhaps with other positions.
   Output: an .obj with the mesh's objects, polygons, first UVs, normals and material names, and
   where it is known how these look a library beside it (mtl.c); nine digits give every float back
   exactly. All vertices come first, in the mesh's order: the faces of an object name those that
   are its own. Or a file for each of its parts, with one library. */
#include "export/export.h"
#include "export/mtl.h"
#include "export/obj.h"
#include "export/print.h"
#include "base/csr.h"
#include "base/file.h"
#include "math/color.h"
#include "scene/names.h"

#include <string.h>

typedef struct obj_writer {
	ossai_printer printer;
	const ossa_mesh *mesh;
	const float *positions; /* in place of its own, or NULL */
	bool with_normals, has_objects;
	char (*material_names)[64], (*object_names)[64];
	ossai_csr objects; /* the polygons of each, where there are several */
	uint32_t material; /* of the last face */
} obj_writer;

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

static void print_face(obj_writer *to, size_t p)
{
	ossai_printer *printer = &to->printer;
	const ossa_mesh *mesh = to->mesh;
	const uint32_t own = mesh->polygon_material ? mesh->polygon_material[p] : OSSA_NONE;
	if (own != to->material)
		ossai_print_format(printer, "usemtl %s\n", own < mesh->material_count ? to->material_names[own] : "none");
	to->material = own;
	ossai_print_char(printer, 'f');
	for (size_t c = mesh->polygon_start[p]; c < mesh->polygon_start[p + 1]; c++)
		print_corner(printer, mesh, c, to->with_normals);
	ossai_print_char(printer, '\n');
}

static void print_faces(obj_writer *to)
{
	const ossa_mesh *mesh = to->mesh;
	const ossai_csr *objects = &to->objects;
	to->material = OSSA_NONE;
	for (size_t p = 0; p < mesh->polygon_count && !to->has_objects; p++) print_face(to, p);
	for (size_t o = 0; to->has_objects && o < mesh->object_count; o++) {
		if (ossai_csr_size(objects, o) == 0) continue;
		ossai_print_format(&to->printer, "o %s\n", to->object_names[o]);
		for (size_t i = objects->start[o]; i < objects->start[o + 1]; i++) print_face(to, objects->item[i]);
	}
}

/* different names, in one line each */
static ossa_status sort_objects(ossai_arena *arena, obj_writer *to)
{
	const ossa_mesh *mesh = to->mesh;
	char(*names)[64] = ossai_arena_new(arena, mesh->object_count, sizeof *names);
	if (!names) return ossa_context_error(arena->context)->status;
	for (size_t o = 0; o < mesh->object_count; o++) {
		memcpy(names[o], mesh->objects[o].name, sizeof *names);
		for (char *at = names[o]; *at; at++) *at = *at == '\n' || *at == '\r' ? ' ' : *at;
	}
	to->object_names = names;
	OSSAI_TRY(ossai_names_apart(arena->context, mesh->object_count, names));
	return ossai_csr_of_keys(arena, mesh->object_count, mesh->polygon_count, mesh->polygon_object, &to->objects);
}

/* library: the name of the one beside it, or NULL */
static ossa_status write_text(obj_writer *to, ossa_context *context, const char *path, const char *library)
{
	const ossa_mesh *mesh = to->mesh;
	ossai_output output;
	OSSAI_TRY(ossai_output_begin(context, path, &output));
	ossai_print_begin(&to->printer, output.stream);
	if (library) ossai_print_format(&to->printer, "mtllib %s\n", library);
	if (mesh->name[0] && !to->has_objects) ossai_print_format(&to->printer, "o %s\n", mesh->name);
	print_vertices(&to->printer, mesh, to->positions ? to->positions : mesh->positions);
	if (mesh->corner_texcoord) print_list(&to->printer, "vt", mesh->texcoords, mesh->texcoord_count, 2);
	if (to->with_normals) print_list(&to->printer, "vn", mesh->normals, mesh->normal_count, 3);
	print_faces(to);
	ossai_print_end(&to->printer);
	return ossai_output_commit(&output);
}

/* with the library where it is known how materials look; numbered poses share its images */
static ossa_status write_files(obj_writer *to, ossa_context *context, const char *path, ossa_image_names images)
{
	char library[OSSAI_PATH_SIZE];
	ossai_batch batch;
	const bool is_pose = to->positions != NULL;
	if (!to->mesh->appearance || to->mesh->material_count == 0) return write_text(to, context, path, NULL);
	ossai_batch_begin(context, &batch);
	ossa_status status = ossai_mtl_write(
		context, to->mesh, path, is_pose ? path : NULL, is_pose ? OSSA_IMAGE_NAMES_KEEP : images, to->material_names, library);
	if (status == OSSA_OK) status = write_text(to, context, path, ossai_file_name(library));
	return ossai_batch_end(&batch, status);
}

ossa_status ossai_obj_write_mesh(
	ossa_context *context, const ossa_mesh *mesh, const float *positions, const char *path, const ossa_write_options *options)
{
	ossai_arena arena = ossai_arena_begin(context);
	obj_writer *to = ossai_arena_zero(&arena, 1, sizeof *to);
	ossa_status status = to ? OSSA_OK : ossa_context_error(context)->status;
	if (to) {
		/* normals belong to the mesh's own positions */
		to->with_normals = mesh->corner_normal && !positions;
		to->has_objects = mesh->object_count > 1;
		to->mesh = mesh;
		to->positions = positions;
		status = ossai_material_names(&arena, mesh, &to->material_names);
	}
	if (status == OSSA_OK && to->has_objects) status = sort_objects(&arena, to);
	if (status == OSSA_OK) status = write_files(to, context, path, options->image_names);
	ossai_arena_end(&arena);
	return status;
}

/* the library of all parts, after the file that they are beside */
static ossa_status write_parts(obj_writer *to, ossa_context *context, const ossa_mesh *mesh, const ossai_object_parts *parts,
	const char *const *paths, const char *output, ossa_image_names images)
{
	char library[OSSAI_PATH_SIZE] = "";
	if (mesh->appearance && mesh->material_count > 0)
		OSSAI_TRY(ossai_mtl_write(context, mesh, paths[0], output, images, to->material_names, library));
	for (size_t i = 0; i < parts->count; i++) {
		to->mesh = parts->items[i].mesh;
		to->with_normals = to->mesh->corner_normal != NULL;
		OSSAI_TRY(write_text(to, context, paths[i], library[0] ? ossai_file_name(library) : NULL));
	}
	return OSSA_OK;
}

ossa_status ossai_obj_write_parts(ossa_context *context, const ossa_mesh *mesh, const ossai_object_parts *parts,
	const char *const *paths, const char *output, ossa_image_names images)
{
	ossai_arena arena = ossai_arena_begin(context);
	ossai_batch batch;
	ossai_batch_begin(context, &batch);
	obj_writer *to = ossai_arena_zero(&arena, 1, sizeof *to);
	ossa_status status = to ? ossai_material_names(&arena, mesh, &to->material_names) : ossa_context_error(context)->status;
	if (status == OSSA_OK && parts->count > 0) status = write_parts(to, context, mesh, parts, paths, output, images);
	status = ossai_batch_end(&batch, status);
	ossai_arena_end(&arena);
	return status;
}

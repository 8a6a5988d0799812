/* export/obj.c: Wavefront OBJ meshes as text.

   Place in the path: a writer of the registry.  In: a checked mesh, perhaps with other positions.  Out: an .obj with the
   mesh's polygons, UVs, normals and material names; nine digits give every float back exactly. */
#include "export/export.h"
#include "base/file.h"
#include "math/color.h"

#include <stdio.h>
#include <string.h>

/* `lead` and then `count` numbers on one line, with a point whatever the locale says */
static void print_floats(FILE *stream, const char *lead, const float *values, size_t count)
{
	fputs(lead, stream);
	for (size_t i = 0; i < count; i++) {
		char text[32];
		snprintf(text, sizeof text, " %.9g", (double)values[i]);
		char *comma = strchr(text, ',');
		if (comma) *comma = '.';
		fputs(text, stream);
	}
}

/* colours follow the position, in sRGB, as MeshLab and Blender write them */
static void print_vertices(FILE *stream, const ossa_mesh *mesh, const float *positions)
{
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		print_floats(stream, "v", positions + 3 * v, 3);
		float color[3];
		for (size_t k = 0; mesh->colors && k < 3; k++) color[k] = ossai_srgb_of_linear(mesh->colors[4 * v + k]);
		if (mesh->colors) print_floats(stream, "", color, 3);
		fputc('\n', stream);
	}
}

static void print_list(FILE *stream, const char *lead, const float *values, size_t count, size_t width)
{
	for (size_t i = 0; i < count; i++) {
		print_floats(stream, lead, values + width * i, width);
		fputc('\n', stream);
	}
}

/* "v", "v/vt", "v//vn" or "v/vt/vn", counted from 1 */
static void print_corner(FILE *stream, const ossa_mesh *mesh, size_t corner, bool with_normals)
{
	const uint32_t texcoord = mesh->corner_texcoord ? mesh->corner_texcoord[corner] : OSSA_NONE;
	const uint32_t normal = with_normals ? mesh->corner_normal[corner] : OSSA_NONE;
	fprintf(stream, " %zu", (size_t)mesh->corner_vertex[corner] + 1);
	if (texcoord != OSSA_NONE) fprintf(stream, "/%zu", (size_t)texcoord + 1);
	if (normal != OSSA_NONE) fprintf(stream, texcoord != OSSA_NONE ? "/%zu" : "//%zu", (size_t)normal + 1);
}

static void print_faces(FILE *stream, const ossa_mesh *mesh, bool with_normals)
{
	uint32_t material = OSSA_NONE;
	for (size_t p = 0; p < mesh->polygon_count; p++) {
		const uint32_t own = mesh->polygon_material ? mesh->polygon_material[p] : OSSA_NONE;
		if (own != material) {
			fprintf(stream, "usemtl %s\n", own < mesh->material_count ? mesh->materials[own] : "none");
			material = own;
		}
		fputc('f', stream);
		for (size_t c = mesh->polygon_start[p]; c < mesh->polygon_start[p + 1]; c++)
			print_corner(stream, mesh, c, with_normals);
		fputc('\n', stream);
	}
}

ossa_status ossai_obj_write_mesh(
	ossa_context *context, const ossa_mesh *mesh, const float *positions, const char *path, const ossa_write_options *options)
{
	(void)options;
	ossai_output output;
	OSSAI_TRY(ossai_output_begin(context, path, &output));
	/* normals belong to the mesh's own positions */
	const bool with_normals = mesh->corner_normal && !positions;
	if (mesh->name[0]) fprintf(output.stream, "o %s\n", mesh->name);
	print_vertices(output.stream, mesh, positions ? positions : mesh->positions);
	if (mesh->corner_texcoord) print_list(output.stream, "vt", mesh->texcoords, mesh->texcoord_count, 2);
	if (with_normals) print_list(output.stream, "vn", mesh->normals, mesh->normal_count, 3);
	print_faces(output.stream, mesh, with_normals);
	return ossai_output_commit(&output);
}

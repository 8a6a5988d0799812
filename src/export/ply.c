/* export/ply.c: Stanford PLY meshes, binary little-endian.

   Place in the path: a writer of the registry.
   Input: a checked mesh, perhaps with other positions.
   Output: a .ply with positions, colours and polygons.  PLY has no common way to hold UVs of
   corners or materials: they are left out. */
#include "export/bytes.h"
#include "export/export.h"
#include "export/print.h"
#include "base/file.h"
#include "math/color.h"

#include <math.h>
#include <stdio.h>

static void print_header(FILE *stream, const ossa_mesh *mesh)
{
	fprintf(stream, "ply\nformat binary_little_endian 1.0\ncomment made by ossa\nelement vertex %zu\n", mesh->vertex_count);
	fputs("property float x\nproperty float y\nproperty float z\n", stream);
	if (mesh->colors) {
		fputs("property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uchar alpha\n", stream);
	}
	fprintf(stream, "element face %zu\nproperty list uint uint vertex_indices\nend_header\n", mesh->polygon_count);
}

static uint8_t color_byte(float value)
{
	const float bounded = value > 0 ? (value < 1 ? value : 1) : 0;
	return (uint8_t)lrintf(bounded * 255);
}

static void write_vertices(ossai_printer *printer, const ossa_mesh *mesh, const float *positions)
{
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		uint8_t row[16];
		for (size_t k = 0; k < 3; k++) ossai_bytes_put_u32(row + 4 * k, ossai_bytes_of_float(positions[3 * v + k]));
		for (size_t k = 0; mesh->colors && k < 3; k++) row[12 + k] = color_byte(ossai_srgb_of_linear(mesh->colors[4 * v + k]));
		if (mesh->colors) row[15] = color_byte(mesh->colors[4 * v + 3]);
		ossai_print_bytes(printer, (const char *)row, mesh->colors ? 16 : 12);
	}
}

static void write_faces(ossai_printer *printer, const ossa_mesh *mesh)
{
	uint8_t bytes[4];
	for (size_t p = 0; p < mesh->polygon_count; p++) {
		ossai_bytes_put_u32(bytes, mesh->polygon_start[p + 1] - mesh->polygon_start[p]);
		ossai_print_bytes(printer, (const char *)bytes, 4);
		for (size_t c = mesh->polygon_start[p]; c < mesh->polygon_start[p + 1]; c++) {
			ossai_bytes_put_u32(bytes, mesh->corner_vertex[c]);
			ossai_print_bytes(printer, (const char *)bytes, 4);
		}
	}
}

ossa_status ossai_ply_write_mesh(
	ossa_context *context, const ossa_mesh *mesh, const float *positions, const char *path, const ossa_write_options *options)
{
	(void)options;
	ossai_output output;
	OSSAI_TRY(ossai_output_begin(context, path, &output));
	print_header(output.stream, mesh);
	ossai_printer printer;
	ossai_print_begin(&printer, output.stream);
	write_vertices(&printer, mesh, positions ? positions : mesh->positions);
	write_faces(&printer, mesh);
	ossai_print_end(&printer);
	return ossai_output_commit(&output);
}

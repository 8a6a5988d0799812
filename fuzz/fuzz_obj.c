/* fuzz/fuzz_obj.c: any bytes as OBJ, and as the material library and image that it names. */
#include "fuzz.h"
#include "base/file.h"

#include <string.h>

/* reads the data as the only file in memory, "input", which can name itself */
static void read_beside(const uint8_t *data, size_t size)
{
	const ossai_source source = {.path = "input", .bytes = data, .size = size};
	ossa_context *context = fuzz_begin();
	ossa_files *files = NULL;
	ossa_mesh *mesh = NULL;
	fuzz_require(ossa_files_create(context, &files) == OSSA_OK, "no files");
	fuzz_require(ossa_files_add(files, "input", data, size) == OSSA_OK, "no file");
	ossa_context_use_files(context, files);
	if (ossai_obj_read(context, &source, OSSAI_PARTS_ALL, &mesh) == OSSA_OK) {
		fuzz_require(ossa_mesh_validate(context, mesh) == OSSA_OK, ossa_context_error(context)->message);
	}
	ossa_mesh_free(context, mesh);
	ossa_context_use_files(context, NULL);
	ossa_files_free(files);
	fuzz_end(context);
}

/* what is taken as a pose of itself is what the reader reads */
static void read_as_pose(const uint8_t *data, size_t size)
{
	const ossai_source source = {.path = "input", .bytes = data, .size = size};
	ossa_context *context = fuzz_begin();
	ossai_arena arena = ossai_arena_begin(context);
	ossai_face_text faces;
	bool is_plain;
	if (ossai_obj_find_faces(&arena, &source, &faces, &is_plain) == OSSA_OK && is_plain) {
		float *positions = ossai_arena_new(&arena, faces.vertex_count + 1, 3 * sizeof *positions);
		ossa_mesh *mesh = NULL;
		fuzz_require(positions != NULL, "no memory");
		if (ossai_obj_read_pose(&source, &faces, faces.vertex_count, positions) &&
			ossai_obj_read(context, &source, OSSAI_PARTS_FACES, &mesh) == OSSA_OK) {
			fuzz_require(mesh->vertex_count == faces.vertex_count, "another number of vertices");
			fuzz_require(
				memcmp(mesh->positions, positions, 3 * faces.vertex_count * sizeof *positions) == 0, "other positions");
		}
		ossa_mesh_free(context, mesh);
	}
	ossai_arena_end(&arena);
	fuzz_end(context);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_beside(data, size);
	read_as_pose(data, size);
	return fuzz_mesh(ossai_obj_detect, ossai_obj_read, data, size);
}

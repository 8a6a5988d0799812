/* fuzz/fuzz_obj.c: any bytes as OBJ, and as the material library and image that it names. */
#include "fuzz.h"
#include "base/file.h"

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_beside(data, size);
	return fuzz_mesh(ossai_obj_detect, ossai_obj_read, data, size);
}

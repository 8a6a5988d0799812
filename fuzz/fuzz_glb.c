/* fuzz/fuzz_glb.c: any bytes as glTF: a mesh and a rig that are whole, or a message. */
#include "import/glb.h"
#include <ossa/ossa.h>

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good, const char *what)
{
	if (good) return;
	fprintf(stderr, "fuzz: %s\n", what);
	abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	ossa_context_options options = ossa_context_default();
	options.threads = 1;
	options.memory_limit = (size_t)256 << 20;
	ossa_context *context = NULL;
	ossa_mesh *mesh;
	ossa_rig *rig;
	require(ossa_context_create(&options, &context) == OSSA_OK, "no context");
	if (ossai_glb_mesh_of_bytes(context, "input", data, size, &mesh) == OSSA_OK) {
		require(ossa_mesh_validate(context, mesh) == OSSA_OK, ossa_context_error(context)->message);
	} else {
		require(!mesh && ossa_context_error(context)->message[0], "a failure with a result, or without a message");
	}
	if (ossai_glb_rig_of_bytes(context, "input", data, size, &rig) == OSSA_OK) {
		require(ossa_rig_validate(context, rig) == OSSA_OK, ossa_context_error(context)->message);
	} else {
		require(!rig && ossa_context_error(context)->message[0], "a failure with a result, or without a message");
	}
	ossa_mesh_free(context, mesh);
	ossa_rig_free(context, rig);
	require(ossa_context_bytes(context) == 0, "bytes were not given back");
	ossa_context_free(context);
	return 0;
}

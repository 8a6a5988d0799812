/* fuzz/fuzz_alembic.c: any bytes as Alembic: meshes that are whole and samples of finite
   positions, or a message. */
#include "fuzz.h"
#include "import/alembic/alembic.h"

#include <math.h>

static void read_samples(ossa_context *context, const ossai_asset *asset, const ossai_asset_mesh *mesh)
{
	float *positions = ossa_alloc(context, mesh->mesh->vertex_count, 3 * sizeof *positions);
	for (size_t s = 0; positions && s < mesh->sample_count; s++) {
		if (mesh->read_sample(asset->reader, mesh, s, positions) != OSSA_OK) continue;
		for (size_t i = 0; i < 3 * mesh->mesh->vertex_count; i++)
			fuzz_require(isfinite(positions[i]), "a position is not finite");
	}
	ossa_free(context, positions);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const ossai_source source = {"input", data, size};
	ossa_context *context = fuzz_begin();
	ossai_asset asset;
	if (size > 0) ossai_alembic_detect(data, size);
	if (ossai_asset_open(context, &source, ossai_alembic_read_asset, NULL, &asset) == OSSA_OK) {
		fuzz_require(asset.mesh_count > 0, "an asset without meshes");
		for (size_t i = 0; i < asset.mesh_count; i++) {
			fuzz_require(ossa_mesh_validate(context, asset.meshes[i].mesh) == OSSA_OK, ossa_context_error(context)->message);
			read_samples(context, &asset, &asset.meshes[i]);
		}
		ossa_mesh *mesh = NULL;
		ossa_frames *frames = NULL;
		if (ossai_asset_animation(&asset, NULL, &mesh, &frames) == OSSA_OK) {
			fuzz_require(ossa_mesh_validate(context, mesh) == OSSA_OK, ossa_context_error(context)->message);
			if (frames) fuzz_require(ossa_frames_validate(context, frames) == OSSA_OK, ossa_context_error(context)->message);
		}
		ossa_mesh_free(context, mesh);
		ossa_frames_free(context, frames);
		ossai_asset_close(&asset);
	} else fuzz_require(ossa_context_error(context)->message[0], "a failure without a message");
	fuzz_end(context);
	return 0;
}

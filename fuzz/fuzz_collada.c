/* fuzz/fuzz_collada.c: any bytes as Collada: a rig, a mesh and frames that are whole, or a
   message. */
#include "fuzz.h"
#include "import/collada/collada.h"

static void read_rig(ossa_context *context, const ossai_source *source)
{
	ossai_asset asset;
	ossa_rig *rig = NULL;
	ossa_clip_facts *clips = NULL;
	size_t count = 0;
	if (ossai_asset_open(context, source, ossai_collada_read_asset, NULL, &asset) != OSSA_OK) {
		fuzz_require(ossa_context_error(context)->message[0], "a failure without a message");
		return;
	}
	if (ossai_asset_clips(&asset, &count, &clips) == OSSA_OK) fuzz_require((clips != NULL) == (count > 0), "clips");
	if (ossai_asset_rig(&asset, NULL, &rig) == OSSA_OK) {
		fuzz_require(ossa_rig_validate(context, rig) == OSSA_OK, ossa_context_error(context)->message);
	}
	ossa_free(context, clips);
	ossa_rig_free(context, rig);
	ossai_asset_close(&asset);
}

static void read_animation(ossa_context *context, const ossai_source *source)
{
	ossai_asset asset;
	ossa_mesh *mesh = NULL;
	ossa_frames *frames = NULL;
	if (ossai_asset_open(context, source, ossai_collada_read_asset, NULL, &asset) != OSSA_OK) return;
	if (ossai_asset_animation(&asset, NULL, &mesh, &frames) == OSSA_OK) {
		fuzz_require(ossa_mesh_validate(context, mesh) == OSSA_OK, ossa_context_error(context)->message);
		if (frames) fuzz_require(ossa_frames_validate(context, frames) == OSSA_OK, ossa_context_error(context)->message);
	}
	ossa_mesh_free(context, mesh);
	ossa_frames_free(context, frames);
	ossai_asset_close(&asset);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const ossai_source source = {"input", data, size};
	ossa_context *context = fuzz_begin();
	if (size > 0) ossai_collada_detect(data, size);
	read_rig(context, &source);
	read_animation(context, &source);
	fuzz_end(context);
	return 0;
}

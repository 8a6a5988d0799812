/* fuzz/fuzz.h: what the fuzz targets share: a context that notices leaks, and the rule that
   whatever is read is valid. */
#ifndef OSSA_FUZZ_H
#define OSSA_FUZZ_H

#include "import/asset/asset.h"
#include "import/readers.h"
#include <ossa/ossa.h>

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void fuzz_require(bool good, const char *what)
{
	if (good) return;
	fprintf(stderr, "fuzz: %s\n", what);
	abort();
}

/* A memory limit turns sizes that a small file cannot back up into errors instead of swapping. */
static inline ossa_context *fuzz_begin(void)
{
	ossa_context_options options = ossa_context_default();
	options.threads = 1;
	options.memory_limit = (size_t)256 << 20;
	ossa_context *context = NULL;
	fuzz_require(ossa_context_create(&options, &context) == OSSA_OK, "no context");
	return context;
}

static inline void fuzz_end(ossa_context *context)
{
	fuzz_require(ossa_context_bytes(context) == 0, "bytes were not released");
	ossa_context_free(context);
}

/* Reads the data as a mesh, whole and as a pose; it must be whole, or refused with a message. */
static inline int fuzz_mesh(ossai_detector detect, ossai_mesh_reader read, const uint8_t *data, size_t size)
{
	const ossai_source source = {"input", data, size};
	ossa_context *context = fuzz_begin();
	if (size > 0) detect(data, size);
	for (int parts = OSSAI_PARTS_POSITIONS; parts <= OSSAI_PARTS_ALL; parts++) {
		ossa_mesh *mesh;
		const ossa_status status = read(context, &source, (ossai_parts)parts, &mesh);
		if (status == OSSA_OK && parts == OSSAI_PARTS_ALL) {
			fuzz_require(ossa_mesh_validate(context, mesh) == OSSA_OK, ossa_context_error(context)->message);
		}
		fuzz_require((status == OSSA_OK) == (mesh != NULL), "a failure with a result");
		fuzz_require(status == OSSA_OK || ossa_context_error(context)->message[0], "a failure without a message");
		ossa_mesh_free(context, mesh);
	}
	fuzz_end(context);
	return 0;
}

/* Opens the data as a cache and copies all of it. */
static inline int fuzz_cache(ossai_detector detect, ossai_cache_opener open, const uint8_t *data, size_t size)
{
	const ossai_source source = {"input", data, size};
	ossa_context *context = fuzz_begin();
	ossai_cache cache;
	if (size > 0) detect(data, size);
	if (open(context, &source, &cache) == OSSA_OK) {
		ossa_frames *frames;
		if (ossa_frames_create(context, cache.frame_count, cache.vertex_count, 24, &frames) == OSSA_OK) {
			ossai_cache_times(context, &cache, 24, frames->times);
			ossa_status status = OSSA_OK;
			for (size_t i = 0; i < cache.frame_count && status == OSSA_OK; i++) {
				status = ossai_cache_frame(context, &cache, i, frames->positions + 3 * i * cache.vertex_count);
			}
			if (status == OSSA_OK) {
				fuzz_require(ossa_frames_validate(context, frames) == OSSA_OK, ossa_context_error(context)->message);
			}
		}
		ossa_frames_free(context, frames);
		ossai_cache_close(context, &cache);
	}
	fuzz_end(context);
	return 0;
}

/* The outcome of one of the results that an asset can give. */
static inline void fuzz_result(ossa_context *context, ossa_status status, const void *result)
{
	fuzz_require(status == OSSA_OK || !result, "a failure with a result");
	fuzz_require(status == OSSA_OK || ossa_context_error(context)->message[0], "a failure without a message");
}

static inline void fuzz_asset_mesh(ossa_context *context, ossai_asset *asset)
{
	ossa_mesh *mesh = NULL;
	const ossa_status status = ossai_asset_mesh_at_rest(asset, &mesh);
	fuzz_result(context, status, mesh);
	if (mesh) fuzz_require(ossa_mesh_validate(context, mesh) == OSSA_OK, ossa_context_error(context)->message);
	ossa_mesh_free(context, mesh);
}

static inline void fuzz_asset_rig(ossa_context *context, ossai_asset *asset)
{
	const ossa_read_options options = ossa_read_default();
	ossa_rig *rig = NULL;
	const ossa_status status = ossai_asset_rig(asset, &options, &rig);
	fuzz_result(context, status, rig);
	if (rig) fuzz_require(ossa_rig_validate(context, rig) == OSSA_OK, ossa_context_error(context)->message);
	ossa_rig_free(context, rig);
}

static inline void fuzz_asset_animation(ossa_context *context, ossai_asset *asset)
{
	const ossa_read_options options = ossa_read_default();
	ossa_mesh *mesh = NULL;
	ossa_frames *frames = NULL;
	const ossa_status status = ossai_asset_animation(asset, &options, &mesh, &frames);
	fuzz_result(context, status, mesh);
	fuzz_result(context, status, frames);
	if (mesh) fuzz_require(ossa_mesh_validate(context, mesh) == OSSA_OK, ossa_context_error(context)->message);
	if (frames) {
		fuzz_require(frames->vertex_count == mesh->vertex_count, "frames of another mesh");
		fuzz_require(ossa_frames_validate(context, frames) == OSSA_OK, ossa_context_error(context)->message);
	}
	ossa_mesh_free(context, mesh);
	ossa_frames_free(context, frames);
}

static inline void fuzz_asset_clips(ossa_context *context, ossai_asset *asset)
{
	size_t count = 0;
	ossa_clip_facts *clips = NULL;
	const ossa_status status = ossai_asset_clips(asset, &count, &clips);
	fuzz_result(context, status, clips);
	for (size_t i = 0; i < count; i++) fuzz_require(clips[i].seconds >= 0, "a clip that ends before it begins");
	ossa_free(context, clips);
}

/* Opens the data as a file of scenes and asks for all that it can give. */
static inline int fuzz_asset(ossai_asset_reader read, const uint8_t *data, size_t size)
{
	static void (*const results[])(ossa_context *, ossai_asset *) = {
		fuzz_asset_mesh, fuzz_asset_rig, fuzz_asset_animation, fuzz_asset_clips};
	const ossai_source source = {"input", data, size};
	ossa_context *context = fuzz_begin();
	for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
		ossai_asset asset;
		const ossa_status status = ossai_asset_open(context, &source, read, NULL, &asset);
		fuzz_result(context, status, NULL);
		if (status != OSSA_OK) break;
		results[i](context, &asset);
		ossai_asset_close(&asset);
	}
	fuzz_end(context);
	return 0;
}

#endif

/* import/asset/asset_animation.c: all frames of an asset's animation in one value.

   Place in the path: the end of the asset layer, above asset_frames.c.
   Input: an asset, the user's options.
   Output: the mesh at rest and ossa_frames of its vertices, welding those that always coincide
   unless they are to be kept. */
#include "import/asset/asset_parts.h"

static ossa_status read_all(ossa_context *context, ossai_asset_motion *motion, ossa_frames *frames)
{
	for (size_t f = 0; f < frames->frame_count; f++) {
		frames->times[f] = ossai_asset_motion_time(motion, f);
		OSSAI_TRY(ossai_asset_motion_frame(motion, f, frames->positions + 3 * f * frames->vertex_count));
		OSSAI_TRY(ossai_progress(context, (double)(f + 1) / (double)frames->frame_count));
	}
	return OSSA_OK;
}

static ossa_status make_frames(ossa_context *context, ossai_asset_motion *motion, size_t vertex_count, ossa_frames **frames)
{
	OSSAI_TRY(ossa_frames_create(context, ossai_asset_motion_count(motion), vertex_count, 1, frames));
	ossai_asset_motion_name(motion, (*frames)->name);
	(*frames)->morphs_at_rest = ossai_asset_motion_morph_count(motion) > 0;
	return read_all(context, motion, *frames);
}

static ossa_status take_frames(
	ossai_asset *asset, const ossa_read_options *options, bool joins, ossa_mesh **mesh, ossa_frames **frames)
{
	ossai_asset_motion *motion;
	*mesh = NULL;
	*frames = NULL;
	OSSAI_TRY(ossai_asset_refuse_several(asset, options));
	OSSAI_TRY(ossai_asset_motion_begin(asset, options, mesh, &motion));
	ossai_asset_motion_warn(motion, *mesh);
	if (ossai_asset_motion_count(motion) == 0) return OSSA_OK;
	ossa_status status = joins ? ossai_asset_motion_weld(motion, *mesh) : OSSA_OK;
	if (status == OSSA_OK) status = make_frames(asset->context, motion, (*mesh)->vertex_count, frames);
	if (status == OSSA_OK) ossai_asset_note_frames(*mesh, *frames, options);
	if (status == OSSA_OK) return OSSA_OK;
	ossa_mesh_free(asset->context, *mesh);
	ossa_frames_free(asset->context, *frames);
	*mesh = NULL;
	*frames = NULL;
	return status;
}

ossa_status ossai_asset_frames(ossai_asset *asset, const ossa_read_options *options, ossa_mesh **mesh, ossa_frames **frames)
{
	return take_frames(asset, options, false, mesh, frames);
}

ossa_status ossai_asset_animation(ossai_asset *asset, const ossa_read_options *options, ossa_mesh **mesh, ossa_frames **frames)
{
	return take_frames(asset, options, !options || !options->keep_vertices, mesh, frames);
}

/* methods/given_load.c: key frames and a given rig in the units of a fit.

   Place in the path: a rig, a stream -> here -> given.
   Input: a rig of the stream's mesh, what of it stays.
   Output: posed surface, tree, joints, weights that are known. */
#include "methods/given.h"

#include "methods/refit.h"
#include "rig/assemble.h"
#include "rig/pose.h"
#include "scene/frame_stream.h"

/* ---- checks ---- */

static ossa_status check_shares(const ossai_given *g)
{
	const float *share = g->locks->vertices;
	for (size_t v = 0; share && v < g->rig->mesh->vertex_count; v++) {
		if (share[v] >= 0 && share[v] <= 1) continue;
		return ossai_fail(g->context, OSSA_ERROR_ARGUMENT, NULL,
			"vertex %zu keeps %g of its weights: a share from 0 to 1 is wanted", v, (double)share[v]);
	}
	return OSSA_OK;
}

static ossa_status check(const ossai_given *g, const ossa_frame_stream *stream)
{
	const ossa_rig *rig = g->rig;
	const size_t frames = ossa_frame_stream_frame_count(stream);
	OSSAI_TRY(ossai_rig_check_faces(g->context, rig));
	OSSAI_TRY(ossa_rig_validate(g->context, rig));
	OSSAI_TRY(ossai_rig_check_fit(g->context, rig, &rig->weights, NULL));
	if (rig->skeleton.bone_count == 0 || rig->mesh->triangle_count == 0) {
		return ossai_fail(g->context, OSSA_ERROR_INPUT, NULL,
			"the rig has %zu bones and %zu triangles: weights are solved for bones of a surface", rig->skeleton.bone_count,
			rig->mesh->triangle_count);
	}
	OSSAI_TRY(ossai_check_frames_of(g->context, rig, stream));
	if (!g->options->motion && (!rig->clip || rig->clip->frame_count != frames)) {
		return ossai_fail(g->context, OSSA_ERROR_INPUT, NULL,
			"the rig's own motion is to stay, but it has %zu frames and there are %zu to fit",
			rig->clip ? rig->clip->frame_count : 0, frames);
	}
	return check_shares(g);
}

/* ---- the rig ---- */

static ossa_status load_skeleton(ossai_given *g)
{
	const size_t bones = g->given_count = g->rig->skeleton.bone_count;
	OSSAI_TRY(ossai_tree_of_skeleton(g->arena, &g->rig->skeleton, &g->tree));
	g->joint = ossai_arena_new(g->arena, bones, sizeof *g->joint);
	g->anchor = ossai_arena_new(g->arena, bones, sizeof *g->anchor);
	g->movable = ossai_arena_new(g->arena, bones, sizeof *g->movable);
	if (!g->joint || !g->anchor || !g->movable) return ossa_context_error(g->context)->status;
	for (size_t b = 0; b < bones; b++) {
		g->joint[b] = g->anchor[b] = ossai_posed_surface_units(&g->surface, g->rig->skeleton.bones[b].joint);
		g->movable[b] = !g->locks->joints || !g->locks->joints[b];
	}
	return OSSA_OK;
}

static ossa_status load_weights(ossai_given *g)
{
	const ossa_weights *from = &g->rig->weights;
	const size_t bones = g->rig->skeleton.bone_count, most = (size_t)g->options->influences;
	const bool keeps = g->locks->vertices || g->locks->weights;
	/* what is kept needs its place */
	const size_t width = keeps && (size_t)from->influences > most ? (size_t)from->influences : most;
	OSSAI_TRY(ossai_bone_weights_new(g->arena, from->vertex_count, bones, (size_t)from->influences, &g->known));
	ossai_bone_weights_load(from, g->surface.used, &g->known);
	OSSAI_TRY(ossai_fit_new(g->context, g->arena, &g->surface, bones, width, &g->fit));
	ossai_bone_weights_narrow(&g->known, &g->fit.weights);
	g->prior = (ossai_weight_prior){.weights = &g->known, .kept = g->locks->vertices, .locked = g->locks->weights};
	g->fit.prior = &g->prior;
	return OSSA_OK;
}

static ossa_status load_motion(ossai_given *g)
{
	ossai_bone_motion *motion = &g->fit.motion;
	if (!g->options->motion) return ossai_clip_load(g->arena, g->rig, &g->surface, g->key, motion);
	return ossai_bone_motion_from_weights(g->context, &g->surface, &g->fit.weights, g->tree.root, motion);
}

ossa_status ossai_given_load_rig(ossai_given *g)
{
	OSSAI_TRY(load_skeleton(g));
	OSSAI_TRY(load_weights(g));
	return load_motion(g);
}

ossa_status ossai_given_load(ossai_given *g, ossa_frame_stream *stream)
{
	OSSAI_TRY(check(g, stream));
	OSSAI_TRY(
		ossai_frame_stream_take_keys(g->arena, stream, g->rig->mesh, (size_t)g->options->key_frames, &g->frames, &g->key));
	OSSAI_TRY(ossai_posed_surface_make(g->context, g->arena, g->rig->mesh, g->frames, true, &g->surface));
	return ossai_given_load_rig(g);
}

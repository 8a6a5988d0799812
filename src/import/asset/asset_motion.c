/* import/asset/asset_motion.c: the motion of a rig out of an asset.

   Place in the path: inside the asset layer, below asset_rig.c.
   Input: bones, the chosen animation.
   Output: the rig's clip. Bones rotate and translate; scale, shear and mirroring are dropped with a
   warning. Morph targets have their weights in it. */
#include "import/asset/asset_parts.h"
#include "scene/document.h"

#include "mesh/bounds.h"

#include <string.h>

/* a bone's offset counts as constant within this share of the rig's diagonal */
static const double constant_offset = 1e-5;

/* a joint's map that differs more than this from its rotation, in any entry, is more than a
   rotation */
static const double stretched_map = 1e-3;

/* What the steps below share. */
typedef struct mover {
	ossai_asset *asset;
	const ossai_bones *bones;
	ossa_rig *rig;
	double diagonal;
	double *reach; /* by bone: how far its points are from its joint at rest */
	ossai_rigid *frames;
	uint8_t *is_wanted;  /* by node: it moves a bone */
	int64_t still;       /* animations that move no bone */
	const char *example; /* the name of the first of these */
} mover;

/* the loss where joints are scaled, sheared or mirrored */
typedef struct stretch {
	const double *reach; /* by bone */
	int64_t frames;      /* in which joints are stretched */
	double most;         /* largest distance by which a point may be off */
} stretch;

/* an upper bound of the map's norm; sets the map's largest entry */
static double norm_bound(const ossai_mat3 *map, double *largest)
{
	double rows[3] = {0, 0, 0}, columns[3] = {0, 0, 0}, squares = 0;
	*largest = 0;
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			const double entry = fabs(map->m[i][j]);
			rows[i] += entry;
			columns[j] += entry;
			squares += entry * entry;
			*largest = fmax(*largest, entry);
		}
	}
	const double row = fmax(fmax(rows[0], rows[1]), rows[2]), column = fmax(fmax(columns[0], columns[1]), columns[2]);
	return fmin(sqrt(squares), sqrt(row * column));
}

/* bones' rigid frames in the current pose; the rest of the nodes' maps cannot be represented */
static void bone_frames(const ossai_bones *bones, const ossai_pose *pose, ossai_rigid *frames, stretch *lost)
{
	bool is_stretched = false;
	for (size_t b = 0; b < bones->count; b++) {
		frames[b] = bones->bind[b];
		if (bones->node[b] == OSSA_NONE) continue;
		const ossai_rigid map = ossai_rigid_mul(&pose->world[bones->node[b]], &bones->offset[b]);
		frames[b] = (ossai_rigid){ossai_affine_rotation(&map.r, NULL), map.t};
		ossai_mat3 rest = map.r;
		double largest;
		for (int i = 0; i < 9; i++) rest.m[i / 3][i % 3] -= frames[b].r.m[i / 3][i % 3];
		const double norm = norm_bound(&rest, &largest);
		if (largest <= stretched_map) continue;
		is_stretched = true;
		lost->most = fmax(lost->most, norm * lost->reach[b]);
	}
	lost->frames += is_stretched;
}

/* one frame's local rotations, with signs that follow the frame before, and local offsets */
static void store_frame(const ossai_bones *bones, const ossai_rigid *frames, size_t frame, ossa_clip *clip)
{
	ossai_v3_store(frames[0].t, clip->root_positions + 3 * frame);
	for (size_t b = 0; b < bones->count; b++) {
		ossai_rigid local = frames[b];
		if (bones->parent[b] >= 0) {
			const ossai_rigid back = ossai_rigid_inverse(&frames[bones->parent[b]]);
			local = ossai_rigid_mul(&back, &frames[b]);
		}
		ossai_quat q = ossai_mat3_quat(&local.r);
		double *out = clip->rotations + (frame * bones->count + b) * 4;
		ossai_quat_store_after(q, frame > 0 ? out - 4 * bones->count : NULL, out);
		ossai_v3_store(local.t, clip->translations + (frame * bones->count + b) * 3);
	}
}

/* whether every bone but the root keeps its offset at rest in all frames */
static bool lengths_are_constant(const ossai_bones *bones, const ossa_clip *clip, double tolerance)
{
	for (size_t b = 1; b < clip->bone_count; b++) {
		const ossai_rigid back = ossai_rigid_inverse(&bones->bind[bones->parent[b]]);
		const ossai_vec3 rest = ossai_rigid_point(&back, bones->bind[b].t);
		for (size_t f = 0; f < clip->frame_count; f++) {
			const ossai_vec3 offset = ossai_v3_of(clip->translations + (f * clip->bone_count + b) * 3);
			if (!(ossai_distance(offset, rest) <= tolerance)) return false;
		}
	}
	return true;
}

/* of the mesh, or of the joints where there is no mesh */
static double rig_diagonal(const mover *a)
{
	if (a->rig->mesh->vertex_count > 0) {
		return ossai_bounds_make(a->rig->mesh->vertex_count, a->rig->mesh->positions).diagonal;
	}
	double length = 0;
	for (size_t b = 1; b < a->bones->count; b++) {
		length = fmax(length, ossai_distance(a->bones->bind[b].t, a->bones->bind[0].t));
	}
	return length;
}

/* by bone: the largest distance of a vertex that it moves from its joint; without a mesh the
   skeleton's size for all */
static double *find_reach(const mover *a, double diagonal)
{
	const ossa_rig *rig = a->rig;
	const size_t influences = (size_t)rig->weights.influences;
	double *reach = ossai_arena_zero(&a->asset->arena, a->bones->count, sizeof *reach);
	for (size_t b = 0; reach && rig->mesh->vertex_count == 0 && b < a->bones->count; b++) reach[b] = diagonal;
	for (size_t i = 0; reach && i < rig->mesh->vertex_count * influences; i++) {
		if (rig->weights.values[i] <= 0) continue;
		const uint16_t bone = rig->weights.bones[i];
		const ossai_vec3 p = ossai_v3_of_float(rig->mesh->positions + 3 * (i / influences));
		reach[bone] = fmax(reach[bone], ossai_distance(p, a->bones->bind[bone].t));
	}
	return reach;
}

static void warn_stretch(const mover *a, const stretch *lost, double diagonal)
{
	if (lost->frames == 0) return;
	ossai_warn(a->asset->context, "scale-dropped", lost->frames,
		"%s: joints are scaled, sheared or mirrored in some frames; bones only rotate and translate, so that points may be "
		"off by "
		"up to %.3g %% of the diagonal",
		a->asset->path, diagonal > 0 ? 100 * lost->most / diagonal : 0);
}

static ossa_status fill_clip(mover *a, const ossai_take *take, ossa_clip *clip)
{
	ossa_context *context = a->asset->context;
	ossai_pose pose;
	stretch lost = {.reach = a->reach};
	OSSAI_TRY(ossai_pose_begin(a->asset, &pose));
	const char *name = take->name ? take->name : "";
	ossai_name_copy(clip->name, (ossai_word){name, strlen(name)});
	/* motion may begin before 0, but not in files that ossa writes */
	const double begin = fmin(take->times[0], 0);
	for (size_t f = 0; f < clip->frame_count; f++) {
		ossai_pose_move(&pose, take, take->times[f]);
		bone_frames(a->bones, &pose, a->frames, &lost);
		clip->times[f] = take->times[f] - begin;
		store_frame(a->bones, a->frames, f, clip);
		if (clip->morph_weights)
			ossai_asset_morph_weights(a->asset, &pose, pose.weights, clip->morph_weights + f * clip->morph_count);
	}
	warn_stretch(a, &lost, a->diagonal);
	if (lengths_are_constant(a->bones, clip, constant_offset * a->diagonal)) {
		ossa_free(context, clip->translations);
		clip->translations = NULL;
	}
	return OSSA_OK;
}

/* NULL where the animation moves neither bones nor morph targets */
static ossa_status read_clip(mover *a, const ossa_read_options *options, size_t index, ossa_clip **clip)
{
	ossai_asset *asset = a->asset;
	ossai_take take;
	OSSAI_TRY(ossai_take_make(asset, options, index, a->is_wanted, OSSAI_SHAPES_MOVING, &take));
	if (take.frame_count == 0) {
		if (a->still++ == 0) a->example = take.name;
		return OSSA_OK;
	}
	OSSAI_TRY(ossai_asset_charge(asset, take.frame_count, a->bones->count * 8 * sizeof(double)));
	OSSAI_TRY(ossa_clip_create(asset->context, take.frame_count, a->bones->count, true, clip));
	if (take.moves_shapes) {
		const size_t morphs = a->rig->mesh->morph_count;
		OSSAI_TRY(ossai_asset_charge(asset, take.frame_count, morphs * sizeof(double)));
		OSSAI_TRY(ossa_clip_add_morphs(asset->context, *clip, morphs));
	}
	OSSAI_TRY(fill_clip(a, &take, *clip));
	if (a->rig->mesh->document && take.moves_shapes && take.is_whole)
		ossai_document_note_morphs(a->rig->mesh->document, index, take.frame_count,
			take.times[take.frame_count - 1] - take.times[0], (*clip)->morph_count, (*clip)->morph_weights);
	return OSSA_OK;
}

static ossa_status begin(mover *a)
{
	ossai_asset *asset = a->asset;
	a->diagonal = rig_diagonal(a);
	a->reach = find_reach(a, a->diagonal);
	a->frames = ossai_arena_new(&asset->arena, a->bones->count, sizeof *a->frames);
	a->is_wanted = ossai_arena_zero(&asset->arena, asset->node_count, 1);
	if (!a->reach || !a->frames || !a->is_wanted) return ossa_context_error(asset->context)->status;
	for (size_t b = 0; b < a->bones->count; b++) {
		if (a->bones->node[b] != OSSA_NONE) a->is_wanted[a->bones->node[b]] = 1;
	}
	ossai_asset_mark_above(asset, a->is_wanted);
	return OSSA_OK;
}

/* the clips go into the rig one by one, so that it owns them after a failure too */
static ossa_status read_clips(mover *a, const ossa_read_options *options, const ossai_chosen_clips *chosen)
{
	ossa_rig *rig = a->rig;
	const size_t others = chosen->count > 1 ? chosen->count - 1 : 0;
	/* finds out that there are no frames to choose from */
	if (chosen->count == 0) return read_clip(a, options, a->asset->clip_count, &rig->clip);
	if (others > 0) rig->other_clips = ossa_alloc(a->asset->context, others, sizeof *rig->other_clips);
	if (others > 0 && !rig->other_clips) return ossa_context_error(a->asset->context)->status;
	for (size_t i = 0; i < chosen->count; i++) {
		ossa_clip *clip = NULL;
		if (rig->mesh->document) ossai_document_read_clip(rig->mesh->document, chosen->clips[i]);
		const ossa_status status = read_clip(a, options, chosen->clips[i], &clip);
		if (clip && rig->clip) rig->other_clips[rig->other_clip_count++] = clip;
		else if (clip) rig->clip = clip;
		OSSAI_TRY(status);
	}
	return OSSA_OK;
}

ossa_status ossai_asset_move_rig(ossai_asset *asset, const ossai_bones *bones, const ossa_read_options *options, ossa_rig *rig)
{
	mover a = {.asset = asset, .bones = bones, .rig = rig};
	ossai_chosen_clips chosen;
	OSSAI_TRY(ossai_asset_choose_clips(asset, options, &chosen));
	OSSAI_TRY(begin(&a));
	OSSAI_TRY(read_clips(&a, options, &chosen));
	/* what moves beside joints stays in a file that is kept: writers of other formats warn then */
	if (chosen.count > 1 && a.still > 0 && !rig->mesh->document) {
		ossai_warn(asset->context, "clips-left-out", a.still,
			"%s: animations that move no joint are not in the rig, the first \"%s\"", asset->path, a.example ? a.example : "");
	}
	return OSSA_OK;
}

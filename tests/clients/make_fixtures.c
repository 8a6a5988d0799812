/* tests/clients/make_fixtures.c: the files that other programs are asked to read.

   usage: make_fixtures FOLDER.  For each file that moves NAME.pc2 holds what ossa itself says of
   the vertices: the rest pose, then every frame. */
#include "base/context.h"
#include "math/vec.h"
#include "samples/samples.h"
#include "support/dressed.h"
#include "support/morphs.h"
#include "support/rich_rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* a cache of the rest pose and the frames */
static ossa_status write_rest_and(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames, const char *path)
{
	const size_t size = 3 * mesh->vertex_count;
	ossa_frames *all;
	OSSAI_TRY(ossa_frames_create(context, frames->frame_count + 1, mesh->vertex_count, 24, &all));
	memcpy(all->positions, mesh->positions, size * sizeof *all->positions);
	memcpy(all->positions + size, frames->positions, frames->frame_count * size * sizeof *all->positions);
	const ossa_status status = ossa_write_frames(context, NULL, all, path, NULL);
	ossa_frames_free(context, all);
	return status;
}

static ossa_status write_cache(ossa_context *context, const ossa_rig *rig, const char *path)
{
	ossa_frames *frames;
	OSSAI_TRY(ossa_rig_frames(context, rig, NULL, &frames));
	const ossa_status status = write_rest_and(context, rig->mesh, frames, path);
	ossa_frames_free(context, frames);
	return status;
}

/* writes the rig and what it does, and gives it back; `name` is a GLB's unless it has an ending */
static ossa_status finish(ossa_context *context, ossa_rig *rig, bool leaf_bones, const char *folder, const char *name)
{
	char path[1024];
	ossa_write_options options = ossa_write_default();
	options.leaf_bones = leaf_bones;
	snprintf(path, sizeof path, "%s/%s%s", folder, name, strchr(name, '.') ? "" : ".glb");
	ossa_status status = ossa_write_rig(context, rig, path, &options);
	snprintf(path, sizeof path, "%s/%.*s.pc2", folder, (int)strcspn(name, "."), name);
	if (status == OSSA_OK) status = write_cache(context, rig, path);
	ossa_rig_free(context, rig);
	return status;
}

/* `rate`: keys a second */
static ossa_status make_creature(ossa_context *context, int kind, double rate, const char *folder, const char *name)
{
	ossa_sample_options options = ossa_sample_default();
	ossa_sample *sample;
	options.kind = kind;
	options.faces = 4000;
	options.frames = 8;
	OSSAI_TRY(ossa_sample_create(context, &options, &sample));
	ossa_rig *rig = sample->rig;
	sample->rig = NULL;
	ossa_sample_free(context, sample);
	for (size_t f = 0; f < rig->clip->frame_count; f++) rig->clip->times[f] = (double)f / rate;
	return finish(context, rig, true, folder, name);
}

/* the same motion without bones: each frame a morph target; as few vertices move in most frames,
   both kinds of accessors are met */
static ossa_status make_morph(ossa_context *context, const ossa_rig *rig, const char *folder)
{
	char path[1024];
	ossa_frames *frames;
	OSSAI_TRY(ossa_rig_frames(context, rig, NULL, &frames));
	for (size_t i = 0; i < 3 * frames->vertex_count; i++) {
		/* in the second frame the upper half rests */
		float *now = frames->positions + 3 * frames->vertex_count + i;
		if (i / 3 < frames->vertex_count / 2) *now = rig->mesh->positions[i];
	}
	memcpy(frames->positions, rig->mesh->positions, 3 * frames->vertex_count * sizeof *frames->positions);
	snprintf(path, sizeof path, "%s/morph.glb", folder);
	ossa_status status = ossa_write_frames(context, rig->mesh, frames, path, NULL);
	snprintf(path, sizeof path, "%s/morph-parts.gltf", folder);
	if (status == OSSA_OK) status = ossa_write_frames(context, rig->mesh, frames, path, NULL);
	for (int i = 0; i < 2 && status == OSSA_OK; i++) {
		snprintf(path, sizeof path, "%s/%s.pc2", folder, i == 0 ? "morph" : "morph-parts");
		status = write_rest_and(context, rig->mesh, frames, path);
	}
	ossa_frames_free(context, frames);
	return status;
}

/* the rest pose, then every target at weight 1, and the targets' names */
static ossa_status write_shapes(ossa_context *context, const ossa_mesh *mesh, const char *folder)
{
	char path[1024];
	const size_t size = 3 * mesh->vertex_count;
	ossa_frames *shapes;
	OSSAI_TRY(ossa_frames_create(context, mesh->morph_count + 1, mesh->vertex_count, 24, &shapes));
	snprintf(path, sizeof path, "%s/morphs.names", folder);
	FILE *names = fopen(path, "w");
	for (size_t f = 0; f <= mesh->morph_count; f++) {
		memcpy(shapes->positions + f * size, mesh->positions, size * sizeof *shapes->positions);
		if (f == 0) continue;
		test_apply_morph(&mesh->morphs[f - 1], 1, shapes->positions + f * size);
		if (names) fprintf(names, "%s\n", mesh->morphs[f - 1].name);
	}
	const bool written = names && fclose(names) == 0;
	if (!written) (void)ossai_fail(context, OSSA_ERROR_WRITE, NULL, "%s cannot be written", path);
	snprintf(path, sizeof path, "%s/morphs.shapes.pc2", folder);
	const ossa_status status = written ? ossa_write_frames(context, NULL, shapes, path, NULL) : OSSA_ERROR_WRITE;
	ossa_frames_free(context, shapes);
	return status;
}

/* a rig that moves, whose mesh has targets */
static ossa_status make_targets(ossa_context *context, const char *folder)
{
	static const char *const files[] = {"morphs.glb", "morphs.fbx", "morphs.dae", "morphs-old.dae", "morphs.usda"};
	ossa_rig *rig;
	OSSAI_TRY(test_rich_rig(context, 1000, 2, 4, &rig));
	char path[1024];
	test_add_morphs(context, rig->mesh);
	ossa_status status = write_shapes(context, rig->mesh, folder);
	snprintf(path, sizeof path, "%s/morphs.pc2", folder);
	if (status == OSSA_OK) status = write_cache(context, rig, path);
	for (size_t i = 0; status == OSSA_OK && i < sizeof files / sizeof files[0]; i++) {
		ossa_write_options options = ossa_write_default();
		if (strstr(files[i], "old")) options.collada = OSSA_COLLADA_1_4_1;
		snprintf(path, sizeof path, "%s/%s", folder, files[i]);
		status = ossa_write_rig(context, rig, path, &options);
	}
	ossa_rig_free(context, rig);
	return status;
}

/* the same with targets that move, too: every vertex in every frame is where the cache says */
static ossa_status make_moving_targets(ossa_context *context, const char *folder)
{
	static const char *const files[] = {"morphs-moving.glb", "morphs-moving.fbx", "morphs-moving.usda"};
	ossa_rig *rig;
	OSSAI_TRY(test_rich_rig(context, 1000, 6, 4, &rig));
	char path[1024];
	test_add_morphs(context, rig->mesh);
	test_move_morphs(context, rig->mesh, rig->clip);
	snprintf(path, sizeof path, "%s/morphs-moving.pc2", folder);
	ossa_status status = write_cache(context, rig, path);
	for (size_t i = 0; status == OSSA_OK && i < sizeof files / sizeof files[0]; i++) {
		snprintf(path, sizeof path, "%s/%s", folder, files[i]);
		status = ossa_write_rig(context, rig, path, NULL);
	}
	ossa_rig_free(context, rig);
	return status;
}

/* bones and motion, no mesh */
static ossa_status make_skeleton(ossa_context *context, const ossa_rig *rig, const char *folder)
{
	char path[1024];
	ossa_mesh *empty;
	OSSAI_TRY(ossa_mesh_create(context, 0, NULL, 0, NULL, &empty));
	ossa_rig bare = *rig;
	bare.mesh = empty;
	bare.weights.vertex_count = 0;
	bare.free_weights.vertex_count = 0;
	bare.merge_count = 0;
	ossa_write_options options = ossa_write_default();
	options.leaf_bones = true;
	snprintf(path, sizeof path, "%s/skeleton.glb", folder);
	ossa_status status = ossa_write_rig(context, &bare, path, &options);
	/* without motion there is no binary part at all */
	bare.clip = NULL;
	snprintf(path, sizeof path, "%s/skeleton-still.glb", folder);
	if (status == OSSA_OK) status = ossa_write_rig(context, &bare, path, &options);
	snprintf(path, sizeof path, "%s/skeleton-still.gltf", folder);
	if (status == OSSA_OK) status = ossa_write_rig(context, &bare, path, &options);
	snprintf(path, sizeof path, "%s/skeleton-still.usda", folder);
	if (status == OSSA_OK) status = ossa_write_rig(context, &bare, path, &options);
	ossa_mesh_free(context, empty);
	return status;
}

/* NAME.bvh, and NAME.heads: a line "FRAME BONE x y z" for each joint in each frame */
static ossa_status make_bvh(ossa_context *context, const ossa_rig *rig, const char *folder, const char *name)
{
	char path[1024];
	snprintf(path, sizeof path, "%s/%s.bvh", folder, name);
	OSSAI_TRY(ossa_write_rig(context, rig, path, NULL));
	const size_t count = rig->skeleton.bone_count;
	double *matrices = ossa_alloc(context, count, 12 * sizeof *matrices);
	if (!matrices) return ossa_context_error(context)->status;
	snprintf(path, sizeof path, "%s/%s.heads", folder, name);
	FILE *stream = fopen(path, "w");
	for (size_t f = 0; stream && f < rig->clip->frame_count; f++) {
		ossa_rig_joint_matrices(rig, rig->clip, f, matrices);
		for (size_t b = 0; b < count; b++) {
			const double *m = matrices + 12 * b;
			fprintf(stream, "%zu %s %.9g %.9g %.9g\n", f, rig->skeleton.bones[b].name, m[3], m[7], m[11]);
		}
	}
	ossa_free(context, matrices);
	const bool written = stream && fclose(stream) == 0;
	return written ? OSSA_OK : ossai_fail(context, OSSA_ERROR_WRITE, NULL, "%s cannot be written", path);
}

/* a BVH whose joints turn in orders of their own: each far about one axis of the world */
static ossa_status make_orders(ossa_context *context, const char *folder)
{
	ossa_rig *rig;
	OSSAI_TRY(test_rich_rig(context, 1000, 12, 4, &rig));
	const ossa_bone *bones = rig->skeleton.bones;
	for (size_t i = rig->clip->bone_count; i < rig->clip->frame_count * rig->clip->bone_count; i++) {
		const size_t b = i % rig->clip->bone_count, f = i / rig->clip->bone_count;
		if (bones[b].parent < 0) continue;
		const ossai_vec3 axis = ossai_unit(ossai_v3(b % 3 == 0 ? 1 : 0.05, b % 3 == 1, b % 3 == 2), ossai_v3(1, 0, 0));
		const ossai_quat turn = ossai_quat_axis_angle(axis, 0.2 * (double)f);
		const ossai_quat above = ossai_quat_of(bones[bones[b].parent].orientation), own = ossai_quat_of(bones[b].orientation);
		const ossai_quat local = ossai_quat_mul(ossai_quat_conjugate(above), ossai_quat_mul(turn, own));
		const ossai_quat before = ossai_quat_of(rig->clip->rotations + 4 * (i - rig->clip->bone_count));
		const bool flips = ossai_quat_dot(before, local) < 0;
		ossai_quat_store(ossai_quat_unit(flips ? ossai_quat_negate(local) : local), rig->clip->rotations + 4 * i);
	}
	const ossa_status status = make_bvh(context, rig, folder, "orders");
	ossa_rig_free(context, rig);
	return status;
}

/* NAME.usda, whose poses are in NAME.pc2 */
static ossa_status make_usd(ossa_context *context, const ossa_rig *rig, bool leaf_bones, const char *folder, const char *name)
{
	char path[1024];
	ossa_write_options options = ossa_write_default();
	options.leaf_bones = leaf_bones;
	snprintf(path, sizeof path, "%s/%s.usda", folder, name);
	return ossa_write_rig(context, rig, path, &options);
}

/* a mesh and points over time, which three.js does not move */
static ossa_status make_usd_meshes(ossa_context *context, const ossa_rig *rig, const char *folder)
{
	char path[1024];
	ossa_frames *frames;
	snprintf(path, sizeof path, "%s/usd-mesh.usda", folder);
	OSSAI_TRY(ossa_write_mesh(context, rig->mesh, NULL, path, NULL));
	OSSAI_TRY(ossa_rig_frames(context, rig, NULL, &frames));
	snprintf(path, sizeof path, "%s/usd-frames.usda", folder);
	const ossa_status status = ossa_write_frames(context, rig->mesh, frames, path, NULL);
	ossa_frames_free(context, frames);
	return status;
}

/* materials with all kinds of textures; the images are no whole PNG files */
static ossa_status make_usd_materials(ossa_context *context, const char *folder)
{
	char path[1024];
	ossa_mesh *mesh = test_dressed(context);
	snprintf(path, sizeof path, "%s/usd-materials.usda", folder);
	const ossa_status status = ossa_write_mesh(context, mesh, NULL, path, NULL);
	ossa_mesh_free(context, mesh);
	return status;
}

/* what a rig can be besides a GLB */
static ossa_status make_others(ossa_context *context, const char *folder)
{
	ossa_rig *rig;
	OSSAI_TRY(test_rich_rig(context, 1000, 8, 4, &rig));
	ossa_status status = make_morph(context, rig, folder);
	if (status == OSSA_OK) status = make_skeleton(context, rig, folder);
	if (status == OSSA_OK) status = make_bvh(context, rig, folder, "rich");
	if (status == OSSA_OK) status = make_usd(context, rig, true, folder, "rich");
	if (status == OSSA_OK) status = make_usd_meshes(context, rig, folder);
	if (status == OSSA_OK) status = make_usd_materials(context, folder);
	if (status == OSSA_OK) status = ossa_rig_find_limits(context, rig, 5);
	if (status != OSSA_OK) ossa_rig_free(context, rig);
	return status == OSSA_OK ? finish(context, rig, true, folder, "two-parts.gltf") : status;
}

/* corrective shapes, which move with the joints that they follow */
static ossa_status make_shapes(ossa_context *context, const char *folder, const char *name)
{
	ossa_sample_options options = ossa_sample_default();
	ossa_shape_options wish = ossa_shape_default();
	ossa_sample *sample;
	ossa_frame_stream *stream = NULL;
	options.kind = OSSA_SAMPLE_BIPED;
	options.faces = 2000;
	options.frames = 8;
	options.bulge = 2;
	wish.add_shapes = 4;
	OSSAI_TRY(ossa_sample_create(context, &options, &sample));
	ossa_rig *rig = sample->rig;
	ossa_status status = ossa_frame_stream_of_frames(context, sample->frames, &stream);
	if (status == OSSA_OK) status = ossa_rig_add_shapes(context, rig, stream, &wish, NULL, NULL);
	if (status == OSSA_OK && ossa_rig_shape_count(rig) == 0)
		status = ossai_fail(context, OSSA_ERROR_INPUT, NULL, "the sample has no shapes");
	ossa_frame_stream_free(context, stream);
	sample->rig = NULL;
	ossa_sample_free(context, sample);
	if (status == OSSA_OK) return finish(context, rig, true, folder, name);
	ossa_rig_free(context, rig);
	return status;
}

static ossa_status make_all(ossa_context *context, const char *folder)
{
	ossa_rig *rig;
	char path[1024];
	OSSAI_TRY(test_rich_rig(context, 1000, 8, 4, &rig));
	snprintf(path, sizeof path, "%s/mesh.glb", folder);
	const ossa_status status = ossa_write_mesh(context, rig->mesh, NULL, path, NULL);
	OSSAI_TRY(finish(context, rig, true, folder, "rich"));
	OSSAI_TRY(status);
	OSSAI_TRY(test_rich_rig(context, 1000, 8, 6, &rig));
	OSSAI_TRY(finish(context, rig, false, folder, "six-influences"));
	OSSAI_TRY(test_rich_rig(context, 1000, 8, 8, &rig));
	OSSAI_TRY(finish(context, rig, true, folder, "eight-influences"));
	OSSAI_TRY(make_others(context, folder));
	OSSAI_TRY(make_targets(context, folder));
	OSSAI_TRY(make_moving_targets(context, folder));
	OSSAI_TRY(make_orders(context, folder));
	OSSAI_TRY(make_shapes(context, folder, "follow.glb"));
	OSSAI_TRY(make_shapes(context, folder, "follow.fbx"));
	OSSAI_TRY(test_rich_rig(context, 1000, 8, 4, &rig));
	ossa_status freed = test_rich_rig_slides(context, rig);
	if (freed == OSSA_OK) freed = make_bvh(context, rig, folder, "free-bones");
	if (freed == OSSA_OK) freed = make_usd(context, rig, false, folder, "free-bones");
	OSSAI_TRY(finish(context, rig, true, folder, "free-bones"));
	OSSAI_TRY(freed);
	OSSAI_TRY(make_creature(context, OSSA_SAMPLE_QUADRUPED, 24, folder, "quadruped"));
	/* Godot 3 takes glTF's motion at 15 moments a second, whatever the keys are */
	OSSAI_TRY(make_creature(context, OSSA_SAMPLE_QUADRUPED, 15, folder, "keys-at-15"));
	OSSAI_TRY(make_creature(context, OSSA_SAMPLE_HAND, 24, folder, "hand"));
	/* bones that slide under one, in every format that Blender moves them in */
	OSSAI_TRY(make_creature(context, OSSA_SAMPLE_FACE, 24, folder, "face.dae"));
	OSSAI_TRY(make_creature(context, OSSA_SAMPLE_FACE, 24, folder, "face.fbx"));
	OSSAI_TRY(make_creature(context, OSSA_SAMPLE_FACE, 24, folder, "face.usda"));
	return make_creature(context, OSSA_SAMPLE_FACE, 24, folder, "face");
}

int main(int count, char **arguments)
{
	ossa_context *context;
	if (count != 2 || ossa_context_create(NULL, &context) != OSSA_OK) {
		fprintf(stderr, "usage: make_fixtures FOLDER\n");
		return 2;
	}
	const ossa_status status = make_all(context, arguments[1]);
	if (status != OSSA_OK) fprintf(stderr, "make_fixtures: %s\n", ossa_context_error(context)->message);
	ossa_context_free(context);
	return status == OSSA_OK ? 0 : 1;
}

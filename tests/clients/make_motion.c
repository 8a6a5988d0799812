/* tests/clients/make_motion.c: FBX and BVH, which other programs read from ossa or write for it.

   usage: make_motion write FOLDER
              FBX files, each with NAME.pc2: ossa's vertices at rest and in every frame
          make_motion read FILE...
              what ossa reads: FILE.mdd of a mesh that moves, FILE.heads of a skeleton alone: the
              bones' names, then for each frame its time and the joints' positions */
#include "base/context.h"
#include "samples/samples.h"
#include "support/rich_rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- write ---- */

/* a cache of the rest pose and the frames */
static ossa_status write_cache(ossa_context *context, const ossa_rig *rig, const char *path)
{
	const size_t size = 3 * rig->mesh->vertex_count;
	ossa_frames *frames, *all;
	OSSAI_TRY(ossa_rig_frames(context, rig, NULL, &frames));
	ossa_status status = ossa_frames_create(context, frames->frame_count + 1, rig->mesh->vertex_count, 24, &all);
	if (status == OSSA_OK) {
		memcpy(all->positions, rig->mesh->positions, size * sizeof *all->positions);
		memcpy(all->positions + size, frames->positions, frames->frame_count * size * sizeof *all->positions);
		status = ossa_write_frames(context, NULL, all, path, NULL);
		ossa_frames_free(context, all);
	}
	ossa_frames_free(context, frames);
	return status;
}

/* writes the rig and what it does, and gives it back */
static ossa_status finish(
	ossa_context *context, ossa_rig *rig, const ossa_write_options *options, const char *folder, const char *name)
{
	char path[1024];
	snprintf(path, sizeof path, "%s/%s.fbx", folder, name);
	ossa_status status = ossa_write_rig(context, rig, path, options);
	snprintf(path, sizeof path, "%s/%s.pc2", folder, name);
	if (status == OSSA_OK) status = write_cache(context, rig, path);
	ossa_rig_free(context, rig);
	return status;
}

static ossa_status write_all(ossa_context *context, const char *folder)
{
	ossa_rig *rig;
	ossa_write_options options = ossa_write_default();
	options.leaf_bones = true;
	OSSAI_TRY(test_rich_rig(context, 1000, 8, 4, &rig));
	OSSAI_TRY(finish(context, rig, &options, folder, "fbx-rich"));
	OSSAI_TRY(test_rich_rig(context, 1000, 8, 6, &rig));
	OSSAI_TRY(finish(context, rig, NULL, folder, "fbx-six-influences"));
	options.up = OSSA_UP_Z;
	options.unit = 0.0254;
	options.bone_axis = 0;
	OSSAI_TRY(test_rich_rig(context, 1000, 8, 4, &rig));
	OSSAI_TRY(finish(context, rig, &options, folder, "fbx-conventions"));
	OSSAI_TRY(test_rich_rig(context, 1000, 8, 4, &rig));
	OSSAI_TRY(test_rich_rig_slides(context, rig));
	return finish(context, rig, NULL, folder, "fbx-free-bones");
}

/* ---- read ---- */

static ossa_status write_heads(ossa_context *context, const ossa_rig *rig, const char *path)
{
	double *matrices = ossa_alloc(context, rig->skeleton.bone_count, 12 * sizeof *matrices);
	FILE *stream = matrices ? fopen(path, "w") : NULL;
	if (!stream) {
		ossa_free(context, matrices);
		return ossai_fail(context, OSSA_ERROR_WRITE, NULL, "%s cannot be written", path);
	}
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) fprintf(stream, "%s ", rig->skeleton.bones[b].name);
	for (size_t f = 0; rig->clip && f < rig->clip->frame_count; f++) {
		ossa_rig_joint_matrices(rig, rig->clip, f, matrices);
		fprintf(stream, "\n%.9g", rig->clip->times[f]);
		for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
			const double *m = matrices + 12 * b;
			fprintf(stream, " %.9g %.9g %.9g", m[3], m[7], m[11]);
		}
	}
	ossa_free(context, matrices);
	fclose(stream);
	return OSSA_OK;
}

static ossa_status read_skeleton(ossa_context *context, const char *file)
{
	char path[1024];
	ossa_rig *rig;
	OSSAI_TRY(ossa_read_rig(context, file, NULL, &rig));
	snprintf(path, sizeof path, "%s.heads", file);
	const ossa_status status = write_heads(context, rig, path);
	ossa_rig_free(context, rig);
	return status;
}

static ossa_status read_mesh(ossa_context *context, const char *file)
{
	char path[1024];
	ossa_mesh *mesh;
	ossa_frames *frames;
	OSSAI_TRY(ossa_read_animation(context, file, NULL, &mesh, &frames));
	snprintf(path, sizeof path, "%s.mdd", file);
	const ossa_status status = frames ? ossa_write_frames(context, NULL, frames, path, NULL)
									  : ossai_fail(context, OSSA_ERROR_INPUT, NULL, "%s does not move", file);
	ossa_mesh_free(context, mesh);
	ossa_frames_free(context, frames);
	return status;
}

static ossa_status read_file(ossa_context *context, const char *file)
{
	const ossa_read_format *format;
	OSSAI_TRY(ossa_read_detect(context, file, &format));
	return format->reads_mesh ? read_mesh(context, file) : read_skeleton(context, file);
}

int main(int count, char **arguments)
{
	ossa_context *context;
	if (count < 3 || ossa_context_create(NULL, &context) != OSSA_OK) {
		fprintf(stderr, "usage: make_motion write FOLDER | read FILE...\n");
		return 2;
	}
	const bool writes = strcmp(arguments[1], "write") == 0;
	ossa_status status = writes ? write_all(context, arguments[2]) : OSSA_OK;
	for (int i = 2; !writes && i < count && status == OSSA_OK; i++) status = read_file(context, arguments[i]);
	if (status != OSSA_OK) fprintf(stderr, "make_motion: %s\n", ossa_context_error(context)->message);
	ossa_context_free(context);
	return status == OSSA_OK ? 0 : 1;
}

/* tests/clients/make_fixtures.c: the files that other programs are asked to read.

   usage: make_fixtures FOLDER.  For each NAME.glb with a skin NAME.pc2 holds what ossa itself says of the vertices: the rest pose,
   then every frame. */
#include "base/context.h"
#include "samples/samples.h"
#include "support/rich_rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* every bone wanders a little along its own axes */
static ossa_status free_bones(ossa_context *context, ossa_rig *rig)
{
	ossa_clip *clip = rig->clip;
	const size_t bones = clip->bone_count, count = clip->frame_count * bones * 3;
	double *translations = ossa_alloc(context, count, sizeof *translations);
	if (!translations) return ossa_context_error(context)->status;
	for (size_t i = 0; i < count; i++) {
		const size_t frame = i / (bones * 3), bone = i / 3 % bones;
		translations[i] = bone == 0 ? clip->root_positions[3 * frame + i % 3] : 0.02 * (double)(i * 7 % 23);
	}
	clip->translations = translations;
	return OSSA_OK;
}

static ossa_status write_frames(ossa_context *context, const ossa_rig *rig, const char *path)
{
	ossa_frames *frames;
	OSSAI_TRY(ossa_frames_create(context, rig->clip->frame_count + 1, rig->mesh->vertex_count, 24, &frames));
	ossa_status status = OSSA_OK;
	for (size_t f = 0; f < frames->frame_count && status == OSSA_OK; f++) {
		float *positions = frames->positions + f * frames->vertex_count * 3;
		status = ossa_rig_pose(context, rig, NULL, f > 0 ? rig->clip : NULL, f > 0 ? f - 1 : 0, positions);
	}
	if (status == OSSA_OK) status = ossa_write_frames(context, NULL, frames, path, NULL);
	ossa_frames_free(context, frames);
	return status;
}

/* writes the rig and what it does, and gives it back */
static ossa_status finish(ossa_context *context, ossa_rig *rig, bool leaf_bones, const char *folder, const char *name)
{
	char path[1024];
	ossa_write_options options = ossa_write_default();
	options.leaf_bones = leaf_bones;
	snprintf(path, sizeof path, "%s/%s.glb", folder, name);
	ossa_status status = ossa_write_rig(context, rig, path, &options);
	snprintf(path, sizeof path, "%s/%s.pc2", folder, name);
	if (status == OSSA_OK) status = write_frames(context, rig, path);
	ossa_rig_free(context, rig);
	return status;
}

static ossa_status make_creature(ossa_context *context, int kind, const char *folder, const char *name)
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
	return finish(context, rig, true, folder, name);
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
	OSSAI_TRY(test_rich_rig(context, 1000, 8, 4, &rig));
	const ossa_status freed = free_bones(context, rig);
	OSSAI_TRY(finish(context, rig, true, folder, "free-bones"));
	OSSAI_TRY(freed);
	OSSAI_TRY(make_creature(context, OSSA_SAMPLE_QUADRUPED, folder, "quadruped"));
	return make_creature(context, OSSA_SAMPLE_HAND, folder, "hand");
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

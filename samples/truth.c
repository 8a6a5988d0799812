/* samples/truth.c: a creature on disk: what a method is given, and the truth it is judged by.

   Place in the path: sample -> folder.
   Output: rest.obj, pose-1.obj ..., truth.glb, truth.json. */
#include "samples/samples.h"
#include "base/context.h"
#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_SIZE = 4096 };

static ossa_status make_path(ossa_context *context, const char *folder, const char *name, char path[PATH_SIZE])
{
	const int length = snprintf(path, PATH_SIZE, "%s/%s", folder, name);
	if (length < PATH_SIZE) return OSSA_OK;
	return ossai_fail(
		context, OSSA_ERROR_WRITE, NULL, "the path of %s in this folder is longer than %d bytes", name, PATH_SIZE - 1);
}

static ossa_status make_folder(ossa_context *context, const char *folder)
{
	struct stat state;
	if (mkdir(folder, 0777) == 0 || (errno == EEXIST && stat(folder, &state) == 0 && S_ISDIR(state.st_mode))) return OSSA_OK;
	const ossai_place place = {.file = folder, .line = -1, .offset = -1, .vertex = -1, .frame = -1};
	return ossai_fail(context, OSSA_ERROR_WRITE, &place, "cannot make this folder: %s", strerror(errno));
}

static void write_point(FILE *stream, double x, double y, double z) { fprintf(stream, "[%.9g, %.9g, %.9g]", x, y, z); }

/* vertices that a bone holds with any weight */
static size_t influenced(const ossa_weights *weights, size_t bone)
{
	size_t count = 0;
	for (size_t i = 0; i < weights->vertex_count * (size_t)weights->influences; i++) {
		count += weights->bones[i] == bone && weights->values[i] > 0;
	}
	return count;
}

static void write_joints(FILE *stream, const ossa_rig *rig)
{
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		const ossa_bone *bone = &rig->skeleton.bones[b];
		fprintf(stream, "%s\n  {\"name\": \"%s\", \"parent\": %d, \"rest\": ", b ? "," : "", bone->name, (int)bone->parent);
		write_point(stream, bone->joint[0], bone->joint[1], bone->joint[2]);
		fprintf(stream, ", \"influences\": %zu, \"moves_degrees\": %.2f}", influenced(&rig->weights, b), bone->turn_degrees);
	}
}

static void write_joint_positions(FILE *stream, const ossa_rig *rig, double *matrices)
{
	for (size_t f = 0; f < rig->clip->frame_count; f++) {
		ossa_rig_joint_matrices(rig, rig->clip, f, matrices);
		fprintf(stream, "%s\n  [", f ? "," : "");
		for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
			const double *m = matrices + 12 * b;
			if (b) fprintf(stream, ", ");
			write_point(stream, m[3], m[7], m[11]);
		}
		fprintf(stream, "]");
	}
}

static ossa_status write_truth(ossa_context *context, const ossa_rig *rig, const char *path)
{
	double *matrices = ossai_new(context, 12 * rig->skeleton.bone_count, sizeof *matrices);
	if (!matrices) return ossa_context_error(context)->status;
	ossai_output output;
	ossa_status status = ossai_output_begin(context, path, &output);
	if (status == OSSA_OK) {
		fprintf(output.stream, "{\"source\": \"%s\", \"frames\": %zu, \"vertices\": %zu, \"triangles\": %zu,\n \"times\": [",
			rig->mesh->name, rig->clip->frame_count, rig->mesh->vertex_count, rig->mesh->triangle_count);
		for (size_t f = 0; f < rig->clip->frame_count; f++)
			fprintf(output.stream, "%s%.9g", f ? ", " : "", rig->clip->times[f]);
		fprintf(output.stream, "],\n \"joints\": [");
		write_joints(output.stream, rig);
		fprintf(output.stream, "],\n \"joint_world_positions\": [");
		write_joint_positions(output.stream, rig, matrices);
		fprintf(output.stream, "]}\n");
		status = ossai_output_commit(&output);
	}
	ossa_free(context, matrices);
	return status;
}

/* removes the poses that an earlier sample with more frames left: a shell's pose-*.obj would take
   them for this one's */
static ossa_status remove_later_poses(ossa_context *context, const char *folder, size_t frame_count)
{
	char path[PATH_SIZE], name[64];
	for (size_t f = frame_count + 1;; f++) {
		snprintf(name, sizeof name, "pose-%zu.obj", f);
		OSSAI_TRY(make_path(context, folder, name, path));
		if (remove(path) != 0) return OSSA_OK;
	}
}

ossa_status ossa_sample_write(ossa_context *context, const ossa_sample *sample, const char *folder)
{
	char path[PATH_SIZE], name[64];
	const ossa_frames *frames = sample->frames;
	OSSAI_TRY(make_folder(context, folder));
	OSSAI_TRY(make_path(context, folder, "rest.obj", path));
	OSSAI_TRY(ossa_write_mesh(context, sample->rig->mesh, NULL, path, NULL));
	for (size_t f = 0; f < frames->frame_count; f++) {
		snprintf(name, sizeof name, "pose-%zu.obj", f + 1);
		OSSAI_TRY(make_path(context, folder, name, path));
		OSSAI_TRY(ossa_write_mesh(context, sample->rig->mesh, frames->positions + 3 * f * frames->vertex_count, path, NULL));
		OSSAI_TRY(ossai_progress(context, (double)(f + 1) / (double)(frames->frame_count + 1)));
	}
	OSSAI_TRY(remove_later_poses(context, folder, frames->frame_count));
	OSSAI_TRY(make_path(context, folder, "truth.glb", path));
	OSSAI_TRY(ossa_write_rig(context, sample->rig, path, NULL));
	OSSAI_TRY(make_path(context, folder, "truth.json", path));
	return write_truth(context, sample->rig, path);
}

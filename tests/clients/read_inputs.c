/* tests/clients/read_inputs.c: reads files that Blender made (make_inputs.py) and compares them
   with what Blender says itself: every vertex of every frame within 1e-4 of the diagonal, and of
   rigs every bone's name, parent and place in every frame.

   usage: read_inputs NAME.truth.json... */
#include <ossa/ossa.h>

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double tolerance = 1e-4;

typedef struct truth {
	char folder[512];
	json_t *root;
	size_t frame_count, vertex_count;
	double *positions; /* F x V x 3 */
	double diagonal;
} truth;

static void read_point(const json_t *value, double *to)
{
	for (size_t k = 0; k < 3; k++) to[k] = json_number_value(json_array_get(value, k));
}

static bool load_truth(const char *path, truth *t)
{
	*t = (truth){.root = json_load_file(path, 0, NULL)};
	const json_t *frames = json_object_get(t->root, "frames");
	t->frame_count = json_array_size(frames);
	t->vertex_count = json_array_size(json_array_get(frames, 0));
	const char *slash = strrchr(path, '/');
	snprintf(t->folder, sizeof t->folder, "%.*s", slash ? (int)(slash - path + 1) : 0, path);
	t->positions = calloc(t->frame_count * t->vertex_count + 1, 3 * sizeof *t->positions);
	if (t->vertex_count == 0 || !t->positions) return false;
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
	for (size_t i = 0; i < t->frame_count * t->vertex_count; i++) {
		double *p = t->positions + 3 * i;
		read_point(json_array_get(json_array_get(frames, i / t->vertex_count), i % t->vertex_count), p);
		for (int k = 0; k < 3 && i < t->vertex_count; k++) {
			low[k] = fmin(low[k], p[k]);
			high[k] = fmax(high[k], p[k]);
		}
	}
	t->diagonal = sqrt(pow(high[0] - low[0], 2) + pow(high[1] - low[1], 2) + pow(high[2] - low[2], 2));
	return true;
}

/* ---- vertices ---- */

static double distance(const double *a, const float *b)
{
	return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

/* how far a vertex of the truth is from one that was read, at most over all frames */
static double worst_of_pair(const truth *t, size_t vertex, const ossa_frames *frames, size_t found)
{
	double worst = 0;
	for (size_t f = 0; f < t->frame_count; f++) {
		const double *a = t->positions + 3 * (f * t->vertex_count + vertex);
		worst = fmax(worst, distance(a, frames->positions + 3 * (f * frames->vertex_count + found)));
	}
	return worst;
}

/* each vertex against the one nearest in the first frame */
static double worst_vertex(const truth *t, const ossa_frames *frames)
{
	double worst = 0;
	for (size_t v = 0; v < t->vertex_count; v++) {
		double nearest = INFINITY;
		size_t found = 0;
		for (size_t i = 0; i < frames->vertex_count; i++) {
			const double away = distance(t->positions + 3 * v, frames->positions + 3 * i);
			if (away < nearest) found = i;
			nearest = fmin(nearest, away);
		}
		worst = fmax(worst, worst_of_pair(t, v, frames, found));
	}
	return worst / t->diagonal;
}

static bool judge_frames(const truth *t, const ossa_frames *frames, const char *path)
{
	if (frames->frame_count != t->frame_count || frames->vertex_count != t->vertex_count) {
		printf("inputs: %s: %zu frames of %zu vertices instead of %zu of %zu FAILED\n", path, frames->frame_count,
			frames->vertex_count, t->frame_count, t->vertex_count);
		return false;
	}
	const double worst = worst_vertex(t, frames);
	const bool good = worst <= tolerance;
	printf("inputs: %s: %zu frames, %zu vertices, worst vertex %.1e of the diagonal%s\n", path, frames->frame_count,
		frames->vertex_count, worst, good ? "" : " FAILED");
	return good;
}

/* ---- bones ---- */

/* ossa's letters for names: others become '_' */
static void clean_name(const char *name, char out[64])
{
	snprintf(out, 64, "%s", name ? name : "");
	for (char *c = out; *c; c++) {
		const bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || *c == '_' ||
			*c == '-';
		if (!plain) *c = '_';
	}
}

static size_t find_bone(const ossa_rig *rig, const char *name)
{
	char clean[64];
	clean_name(name, clean);
	size_t b = 0;
	while (b < rig->skeleton.bone_count && strcmp(rig->skeleton.bones[b].name, clean) != 0) b++;
	return b;
}

static bool same_parent(const ossa_rig *rig, size_t bone, const char *parent)
{
	const int32_t found = rig->skeleton.bones[bone].parent;
	return parent ? found >= 0 && (size_t)found == find_bone(rig, parent) : found < 0;
}

static double worst_bone(const truth *t, const ossa_rig *rig, const json_t *heads, size_t bone)
{
	double *matrices = calloc(rig->skeleton.bone_count, 12 * sizeof *matrices), worst = 0;
	for (size_t f = 0; f < t->frame_count && matrices; f++) {
		double head[3];
		read_point(json_array_get(heads, f), head);
		ossa_rig_joint_matrices(rig, rig->clip, f, matrices);
		const double *m = matrices + 12 * bone;
		worst = fmax(worst, sqrt(pow(m[3] - head[0], 2) + pow(m[7] - head[1], 2) + pow(m[11] - head[2], 2)));
	}
	free(matrices);
	return worst / t->diagonal;
}

static bool judge_bones(const truth *t, const ossa_rig *rig, const char *path)
{
	const json_t *bones = json_object_get(t->root, "bones");
	if (rig->skeleton.bone_count != json_array_size(bones) || !rig->clip || rig->clip->frame_count != t->frame_count) {
		printf("inputs: %s: %zu bones, %zu frames FAILED\n", path, rig->skeleton.bone_count,
			rig->clip ? rig->clip->frame_count : 0);
		return false;
	}
	double worst = 0;
	for (size_t i = 0; i < json_array_size(bones); i++) {
		const json_t *bone = json_array_get(bones, i);
		const char *name = json_string_value(json_object_get(bone, "name"));
		const size_t b = find_bone(rig, name);
		if (b == rig->skeleton.bone_count || !same_parent(rig, b, json_string_value(json_object_get(bone, "parent")))) {
			printf("inputs: %s: bone %s is not there, or has another parent FAILED\n", path, name);
			return false;
		}
		worst = fmax(worst, worst_bone(t, rig, json_object_get(bone, "heads"), b));
	}
	const bool good = worst <= tolerance;
	printf("inputs: %s: %zu bones, names and parents equal, worst joint %.1e of the diagonal%s\n", path, json_array_size(bones),
		worst, good ? "" : " FAILED");
	return good;
}

/* ---- files ---- */

static ossa_status judge_scene(
	ossa_context *context, const truth *t, const char *path, const ossa_read_options *options, bool *good)
{
	ossa_mesh *mesh = NULL;
	ossa_frames *frames = NULL;
	ossa_rig *rig = NULL;
	ossa_status status = ossa_read_animation(context, path, options, &mesh, &frames);
	if (status == OSSA_OK && !frames) printf("inputs: %s: nothing moves FAILED\n", path);
	if (status == OSSA_OK) *good = frames && judge_frames(t, frames, path);
	if (status == OSSA_OK && json_array_size(json_object_get(t->root, "bones")) > 0) {
		status = ossa_read_rig(context, path, options, &rig);
		if (status == OSSA_OK) *good = judge_bones(t, rig, path) && *good;
	}
	ossa_rig_free(context, rig);
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, mesh);
	return status;
}

static ossa_status judge_motion(
	ossa_context *context, const truth *t, const char *path, const ossa_read_options *options, bool *good)
{
	ossa_rig *rig;
	const ossa_status status = ossa_read_rig(context, path, options, &rig);
	if (status == OSSA_OK) *good = judge_bones(t, rig, path);
	ossa_rig_free(context, rig);
	return status;
}

/* a cache, or numbered meshes whose first is the rest mesh */
static ossa_status judge_poses(
	ossa_context *context, const truth *t, const char *path, const ossa_read_options *options, bool *good)
{
	ossa_mesh *mesh = NULL;
	ossa_frames *frames = NULL;
	ossa_status status = OSSA_OK;
	const char *number = strchr(path, '#');
	if (number) {
		char first[1024];
		snprintf(first, sizeof first, "%.*s1%s", (int)(number - path), path, number + 1);
		status = ossa_read_mesh(context, first, options, &mesh);
	}
	if (status == OSSA_OK) status = ossa_read_frames(context, mesh, 1, &path, false, options, &frames);
	if (status == OSSA_OK) *good = judge_frames(t, frames, path);
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, mesh);
	return status;
}

/* whether this build of ossa reads files of the path's ending at all: FBX needs assimp */
static bool is_read(const char *path)
{
	const char *ending = strrchr(path, '.') + 1;
	if (strcmp(ending, "gltf") == 0) return true;
	for (size_t i = 0; i < ossa_read_format_count(); i++) {
		if (strcmp(ossa_read_format_at(i)->name, ending) == 0) return true;
	}
	return false;
}

static bool judge_file(ossa_context *context, const truth *t, const json_t *file)
{
	char path[1024];
	const char *kind = json_string_value(json_object_get(file, "kind"));
	snprintf(path, sizeof path, "%s%s", t->folder, json_string_value(json_object_get(file, "path")));
	if (!is_read(path)) {
		printf("inputs: %s: skipped: this build does not read the format\n", path);
		return true;
	}
	ossa_read_options options = ossa_read_default();
	options.input_up = (int)json_integer_value(json_object_get(file, "up"));
	options.input_unit = json_number_value(json_object_get(file, "unit"));
	bool good = false;
	ossa_status status;
	if (strcmp(kind, "scene") == 0) status = judge_scene(context, t, path, &options, &good);
	else if (strcmp(kind, "motion") == 0) status = judge_motion(context, t, path, &options, &good);
	else status = judge_poses(context, t, path, &options, &good);
	if (status != OSSA_OK) printf("inputs: %s FAILED\n", ossa_context_error(context)->message);
	return good && status == OSSA_OK;
}

int main(int count, char **arguments)
{
	ossa_context *context;
	if (count < 2 || ossa_context_create(NULL, &context) != OSSA_OK) {
		fprintf(stderr, "usage: read_inputs NAME.truth.json...\n");
		return 2;
	}
	bool good = true;
	for (int i = 1; i < count; i++) {
		truth t;
		const bool loaded = load_truth(arguments[i], &t);
		const json_t *files = json_object_get(t.root, "files");
		if (!loaded || json_array_size(files) == 0) printf("inputs: %s: cannot be read FAILED\n", arguments[i]);
		good = good && loaded && json_array_size(files) > 0;
		for (size_t f = 0; loaded && f < json_array_size(files); f++)
			good = judge_file(context, &t, json_array_get(files, f)) && good;
		free(t.positions);
		json_decref(t.root);
	}
	ossa_context_free(context);
	return good ? 0 : 1;
}

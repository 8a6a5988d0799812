/* studio/server/rig_file.c: a rig in a file, bit by bit as it is in memory.

   Place in the path: what a session keeps between jobs and runs.  A header of JSON (names, counts,
   bones, loops), then the arrays, each from a multiple of 8 bytes on.  Formats for exchange split
   vertices or round; replayed edits need exactly the rig they were made on. */
#include "server.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char magic[16] = "ossa session 1\n";

enum { ARRAYS_MAX = 32 };

/* one array of a rig: the address of its pointer, and its size where it exists */
typedef struct rig_array {
	const char *name;
	void **data;
	size_t size;
} rig_array;

typedef struct array_list {
	size_t count;
	rig_array items[ARRAYS_MAX];
} array_list;

static void add_array(array_list *list, const char *name, void *array, size_t count, size_t size)
{
	list->items[list->count++] = (rig_array){name, array, count * size};
}

static void add_clip(array_list *list, const char *const names[4], ossa_clip *clip)
{
	if (!clip) return;
	const size_t turns = clip->frame_count * clip->bone_count;
	add_array(list, names[0], &clip->times, clip->frame_count, sizeof(double));
	add_array(list, names[1], &clip->rotations, turns, 4 * sizeof(double));
	add_array(list, names[2], &clip->root_positions, clip->frame_count, 3 * sizeof(double));
	add_array(list, names[3], &clip->translations, turns, 3 * sizeof(double));
}

static void add_weights(array_list *list, const char *bones, const char *values, ossa_weights *weights)
{
	const size_t count = weights->vertex_count * (size_t)weights->influences;
	add_array(list, bones, &weights->bones, count, sizeof(uint16_t));
	add_array(list, values, &weights->values, count, sizeof(float));
}

/* every array of a rig whose counts are known */
static array_list list_arrays(ossa_rig *rig)
{
	static const char *const motion[4] = {"times", "rotations", "roots", "translations"};
	static const char *const free_motion[4] = {"free_times", "free_rotations", "free_roots", "free_translations"};
	array_list list = {0};
	ossa_mesh *mesh = rig->mesh;
	add_array(&list, "positions", &mesh->positions, mesh->vertex_count, 3 * sizeof(float));
	add_array(&list, "colors", &mesh->colors, mesh->vertex_count, 4 * sizeof(float));
	add_array(&list, "polygon_start", &mesh->polygon_start, mesh->polygon_count + 1, sizeof(uint32_t));
	add_array(&list, "polygon_material", &mesh->polygon_material, mesh->polygon_count, sizeof(uint32_t));
	add_array(&list, "corner_vertex", &mesh->corner_vertex, mesh->corner_count, sizeof(uint32_t));
	add_array(&list, "corner_texcoord", &mesh->corner_texcoord, mesh->corner_count, sizeof(uint32_t));
	add_array(&list, "corner_normal", &mesh->corner_normal, mesh->corner_count, sizeof(uint32_t));
	add_array(&list, "triangles", &mesh->triangles, mesh->triangle_count, 3 * sizeof(uint32_t));
	add_array(&list, "triangle_corners", &mesh->triangle_corners, mesh->triangle_count, 3 * sizeof(uint32_t));
	add_array(&list, "texcoords", &mesh->texcoords, mesh->texcoord_count, 2 * sizeof(float));
	add_array(&list, "normals", &mesh->normals, mesh->normal_count, 3 * sizeof(float));
	add_array(&list, "materials", &mesh->materials, mesh->material_count, sizeof mesh->materials[0]);
	add_weights(&list, "weight_bones", "weights", &rig->weights);
	add_weights(&list, "free_weight_bones", "free_weights", &rig->free_weights);
	add_clip(&list, motion, rig->clip);
	add_clip(&list, free_motion, rig->free_clip);
	add_array(&list, "merges", &rig->merges, rig->merge_count, sizeof(ossa_merge));
	add_array(&list, "face_clusters", &rig->face_clusters, mesh->triangle_count, sizeof(uint32_t));
	add_array(&list, "last_level", &rig->last_level, rig->skeleton.bone_count, 1);
	return list;
}

/* ---- the head ---- */

static json_t *bone_json(const ossa_bone *bone)
{
	return json_pack("{s:s, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:b, s:b, s:o, s:o, s:o, s:[iiii]}", "name", bone->name,
		"parent", bone->parent, "kind", (int)bone->kind, "joint", studio_reals(bone->joint, 3), "tail",
		studio_reals(bone->tail, 3), "orientation", studio_reals(bone->orientation, 4), "axis", studio_reals(bone->axis, 3),
		"turn", studio_real(bone->turn_degrees), "has_limits", bone->has_limits, "limits_of_motion", bone->limits_of_motion,
		"limits", studio_reals(&bone->limits[0][0], 6), "residual", studio_real(bone->fit_residual), "deviation",
		studio_real(bone->deviation), "role", (int)bone->role.part, bone->role.side, bone->role.number, bone->role.limb);
}

static json_t *clip_json(const ossa_clip *clip)
{
	if (!clip) return json_null();
	return json_pack(
		"{s:s, s:I, s:I}", "name", clip->name, "frames", (json_int_t)clip->frame_count, "bones", (json_int_t)clip->bone_count);
}

static json_t *mesh_json(const ossa_mesh *mesh)
{
	return json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "name", mesh->name, "vertices", (json_int_t)mesh->vertex_count,
		"polygons", (json_int_t)mesh->polygon_count, "corners", (json_int_t)mesh->corner_count, "triangles",
		(json_int_t)mesh->triangle_count, "texcoords", (json_int_t)mesh->texcoord_count, "normals",
		(json_int_t)mesh->normal_count, "materials", (json_int_t)mesh->material_count);
}

static json_t *body_json(const ossa_body *body)
{
	return json_pack("{s:i, s:o, s:i, s:o, s:o, s:o, s:o}", "kind", (int)body->kind, "score", studio_real(body->score),
		"runner_up", (int)body->runner_up, "runner_up_score", studio_real(body->runner_up_score), "front_odds",
		studio_real(body->front_odds), "up", studio_reals(body->up, 3), "front", studio_reals(body->front, 3));
}

static json_t *make_head(const ossa_rig *rig, const array_list *arrays)
{
	json_t *bones = json_array(), *loops = json_array(), *there = json_array();
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) json_array_append_new(bones, bone_json(&rig->skeleton.bones[b]));
	for (size_t i = 0; i < rig->loop_count; i++) {
		const ossa_loop *loop = &rig->loops[i];
		json_array_append_new(loops,
			json_pack("{s:o, s:[ii]}", "center", studio_reals(loop->center, 3), "bones", loop->bones[0], loop->bones[1]));
	}
	for (size_t i = 0; i < arrays->count; i++) {
		if (*arrays->items[i].data) json_array_append_new(there, json_string(arrays->items[i].name));
	}
	return json_pack("{s:s, s:o, s:o, s:o, s:i, s:i, s:I, s:o, s:o, s:I, s:i, s:o, s:o}", "method", rig->method, "mesh",
		mesh_json(rig->mesh), "bones", bones, "loops", loops, "influences", rig->weights.influences, "free_influences",
		rig->free_weights.influences, "free_vertices", (json_int_t)rig->free_weights.vertex_count, "clip", clip_json(rig->clip),
		"free_clip", clip_json(rig->free_clip), "merges", (json_int_t)rig->merge_count, "levels", rig->level_count, "arrays",
		there, "body", body_json(&rig->body));
}

/* ---- saving ---- */

static bool put(FILE *file, const void *bytes, size_t size)
{
	static const char zeros[8] = {0};
	const size_t pad = (8 - size % 8) % 8;
	return fwrite(bytes, 1, size, file) == size && fwrite(zeros, 1, pad, file) == pad;
}

static bool put_rig(FILE *file, const array_list *arrays, const char *head)
{
	const uint64_t size = strlen(head);
	bool good = put(file, magic, sizeof magic) && put(file, &size, sizeof size) && put(file, head, (size_t)size);
	for (size_t i = 0; good && i < arrays->count; i++) {
		const rig_array *array = &arrays->items[i];
		if (*array->data) good = put(file, *array->data, array->size);
	}
	return good;
}

ossa_status studio_rig_save(ossa_context *context, const ossa_rig *rig, const char *path, char *message, size_t size)
{
	(void)context;
	ossa_rig seen = *rig;
	const array_list arrays = list_arrays(&seen);
	json_t *head = make_head(rig, &arrays);
	char *text = head ? json_dumps(head, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
	json_decref(head);
	if (!text) {
		snprintf(message, size, "out of memory for a rig's head");
		return OSSA_ERROR_MEMORY;
	}
	FILE *file = fopen(path, "wb");
	bool good = file && put_rig(file, &arrays, text);
	if (file) good = fclose(file) == 0 && good;
	const int reason = errno;
	free(text);
	if (good) return OSSA_OK;
	unlink(path);
	snprintf(message, size, "the session cannot be kept: %s", strerror(reason));
	return OSSA_ERROR_WRITE;
}

/* ---- loading ---- */

typedef struct rig_source {
	ossa_context *context;
	FILE *file;
	uint64_t left; /* bytes of the file */
	json_t *head;
	ossa_rig *rig;
} rig_source;

static bool get(rig_source *source, void *bytes, size_t size)
{
	char pad[8];
	const size_t more = (8 - size % 8) % 8;
	if (size + more > source->left) return false;
	source->left -= size + more;
	return fread(bytes, 1, size, source->file) == size && fread(pad, 1, more, source->file) == more;
}

/* a count cannot exceed the size of the file */
static bool get_count(const rig_source *source, const json_t *object, const char *key, size_t *count)
{
	const json_int_t number = json_integer_value(json_object_get(object, key));
	*count = (size_t)number;
	return number >= 0 && (uint64_t)number <= source->left;
}

static void get_text(const json_t *object, const char *key, char *text, size_t size)
{
	const char *value = json_string_value(json_object_get(object, key));
	snprintf(text, size, "%s", value ? value : "");
}

static void get_reals(const json_t *object, const char *key, double *values, size_t count)
{
	const json_t *list = json_object_get(object, key);
	for (size_t i = 0; i < count; i++) {
		const json_t *value = json_array_get(list, i);
		values[i] = json_is_number(value) ? json_number_value(value) : NAN;
	}
}

static double get_real(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);
	return json_is_number(value) ? json_number_value(value) : NAN;
}

static void get_bone(const json_t *object, ossa_bone *bone)
{
	get_text(object, "name", bone->name, sizeof bone->name);
	bone->parent = (int32_t)json_integer_value(json_object_get(object, "parent"));
	bone->kind = (ossa_joint_kind)json_integer_value(json_object_get(object, "kind"));
	get_reals(object, "joint", bone->joint, 3);
	get_reals(object, "tail", bone->tail, 3);
	get_reals(object, "orientation", bone->orientation, 4);
	get_reals(object, "axis", bone->axis, 3);
	bone->turn_degrees = get_real(object, "turn");
	bone->has_limits = json_is_true(json_object_get(object, "has_limits"));
	bone->limits_of_motion = json_is_true(json_object_get(object, "limits_of_motion"));
	get_reals(object, "limits", &bone->limits[0][0], 6);
	bone->fit_residual = get_real(object, "residual");
	bone->deviation = json_object_get(object, "deviation") ? get_real(object, "deviation") : 0;
	const json_t *role = json_object_get(object, "role");
	bone->role.part = (ossa_body_part)json_integer_value(json_array_get(role, 0));
	bone->role.side = (int)json_integer_value(json_array_get(role, 1));
	bone->role.number = (int)json_integer_value(json_array_get(role, 2));
	bone->role.limb = (int)json_integer_value(json_array_get(role, 3));
}

/* nothing in sessions of older versions */
static void get_body(const json_t *object, ossa_body *body)
{
	body->kind = body->runner_up = OSSA_BODY_NONE;
	if (!object) return;
	body->kind = (ossa_body_kind)json_integer_value(json_object_get(object, "kind"));
	body->score = get_real(object, "score");
	body->runner_up = (ossa_body_kind)json_integer_value(json_object_get(object, "runner_up"));
	body->runner_up_score = get_real(object, "runner_up_score");
	body->front_odds = get_real(object, "front_odds");
	get_reals(object, "up", body->up, 3);
	get_reals(object, "front", body->front, 3);
}

static bool make_bones(rig_source *source)
{
	const json_t *bones = json_object_get(source->head, "bones"), *loops = json_object_get(source->head, "loops");
	ossa_skeleton *skeleton = &source->rig->skeleton;
	skeleton->bone_count = json_array_size(bones);
	skeleton->bones = ossa_alloc(source->context, skeleton->bone_count + 1, sizeof(ossa_bone));
	for (size_t b = 0; skeleton->bones && b < skeleton->bone_count; b++)
		get_bone(json_array_get(bones, b), &skeleton->bones[b]);
	source->rig->loop_count = json_array_size(loops);
	if (source->rig->loop_count == 0) return skeleton->bones != NULL;
	source->rig->loops = ossa_alloc(source->context, source->rig->loop_count, sizeof(ossa_loop));
	for (size_t i = 0; source->rig->loops && i < source->rig->loop_count; i++) {
		const json_t *loop = json_array_get(loops, i), *pair = json_object_get(loop, "bones");
		get_reals(loop, "center", source->rig->loops[i].center, 3);
		for (size_t k = 0; k < 2; k++) source->rig->loops[i].bones[k] = (int32_t)json_integer_value(json_array_get(pair, k));
	}
	return skeleton->bones && source->rig->loops;
}

static bool make_clip(rig_source *source, const char *key, ossa_clip **clip)
{
	const json_t *object = json_object_get(source->head, key);
	if (!json_is_object(object)) return true;
	*clip = ossa_alloc(source->context, 1, sizeof **clip);
	if (!*clip) return false;
	get_text(object, "name", (*clip)->name, sizeof(*clip)->name);
	return get_count(source, object, "frames", &(*clip)->frame_count) &&
		get_count(source, object, "bones", &(*clip)->bone_count);
}

static bool make_mesh(rig_source *source)
{
	const json_t *object = json_object_get(source->head, "mesh");
	ossa_mesh *mesh = ossa_alloc(source->context, 1, sizeof *mesh);
	source->rig->mesh = mesh;
	if (!mesh) return false;
	get_text(object, "name", mesh->name, sizeof mesh->name);
	return get_count(source, object, "vertices", &mesh->vertex_count) &&
		get_count(source, object, "polygons", &mesh->polygon_count) &&
		get_count(source, object, "corners", &mesh->corner_count) &&
		get_count(source, object, "triangles", &mesh->triangle_count) &&
		get_count(source, object, "texcoords", &mesh->texcoord_count) &&
		get_count(source, object, "normals", &mesh->normal_count) &&
		get_count(source, object, "materials", &mesh->material_count);
}

static bool get_influences(const rig_source *source, const char *key, int *influences)
{
	*influences = (int)json_integer_value(json_object_get(source->head, key));
	return *influences >= 0 && *influences <= 65535;
}

/* everything but the arrays */
static bool make_rig(rig_source *source)
{
	ossa_rig *rig = source->rig = ossa_alloc(source->context, 1, sizeof *source->rig);
	if (!rig || !make_mesh(source) || !make_bones(source)) return false;
	get_text(source->head, "method", rig->method, sizeof rig->method);
	rig->weights.vertex_count = rig->mesh->vertex_count;
	rig->level_count = (int)json_integer_value(json_object_get(source->head, "levels"));
	get_body(json_object_get(source->head, "body"), &rig->body);
	return get_influences(source, "influences", &rig->weights.influences) &&
		get_influences(source, "free_influences", &rig->free_weights.influences) &&
		get_count(source, source->head, "free_vertices", &rig->free_weights.vertex_count) &&
		get_count(source, source->head, "merges", &rig->merge_count) && make_clip(source, "clip", &rig->clip) &&
		make_clip(source, "free_clip", &rig->free_clip);
}

static bool is_there(const json_t *names, const char *name)
{
	for (size_t i = 0; i < json_array_size(names); i++) {
		if (strcmp(json_string_value(json_array_get(names, i)), name) == 0) return true;
	}
	return false;
}

static bool get_arrays(rig_source *source)
{
	const array_list arrays = list_arrays(source->rig);
	const json_t *names = json_object_get(source->head, "arrays");
	for (size_t i = 0; i < arrays.count; i++) {
		const rig_array *array = &arrays.items[i];
		if (!is_there(names, array->name)) continue;
		if (array->size > source->left) return false;
		*array->data = ossa_alloc(source->context, array->size + 1, 1);
		if (!*array->data || !get(source, *array->data, array->size)) return false;
	}
	return true;
}

static bool get_head(rig_source *source)
{
	char begin[sizeof magic];
	uint64_t size = 0;
	if (!get(source, begin, sizeof begin) || memcmp(begin, magic, sizeof magic) != 0) return false;
	if (!get(source, &size, sizeof size) || size > source->left) return false;
	char *text = malloc((size_t)size + 8);
	if (text && get(source, text, (size_t)size)) source->head = json_loadb(text, (size_t)size, 0, NULL);
	free(text);
	return source->head != NULL;
}

ossa_status studio_rig_load(ossa_context *context, const char *path, ossa_rig **rig, char *message, size_t size)
{
	struct stat facts;
	rig_source source = {.context = context, .file = fopen(path, "rb")};
	*rig = NULL;
	if (source.file && fstat(fileno(source.file), &facts) == 0) source.left = (uint64_t)facts.st_size;
	bool good = source.file && get_head(&source) && make_rig(&source) && get_arrays(&source);
	json_decref(source.head);
	if (source.file) fclose(source.file);
	if (good) {
		const ossa_rig *made = source.rig;
		const ossa_status status = made->skeleton.bone_count > 0 ? ossa_rig_validate(context, made)
																 : ossa_mesh_validate(context, made->mesh);
		good = status == OSSA_OK;
	}
	*rig = source.rig;
	if (good) return OSSA_OK;
	ossa_rig_free(context, source.rig);
	*rig = NULL;
	snprintf(message, size, "a file of the session is missing or damaged (%s): open the input again", path);
	return OSSA_ERROR_INPUT;
}

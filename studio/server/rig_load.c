/* studio/server/rig_load.c: a rig from a file of rig_file.c, bit by bit as it was in memory.

   Place in the path: what jobs and requests take from a session's folder.  Sizes are checked
   against the file before anything is allocated, and the rig is validated as a whole. */
#include "rig_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
	if (json_object_get(object, "second_axis")) get_reals(object, "second_axis", bone->second_axis, 3);
	if (json_object_get(object, "axis_limits")) get_reals(object, "axis_limits", &bone->axis_limits[0][0], 4);
	if (json_object_get(object, "slide_limits")) get_reals(object, "slide_limits", bone->slide_limits, 2);
	if (json_object_get(object, "modelled")) get_reals(object, "modelled", bone->modelled, 7);
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

/* nothing in sessions of older versions */
static bool make_dependencies(rig_source *source)
{
	const json_t *list = json_object_get(source->head, "dependencies");
	ossa_rig *rig = source->rig;
	const size_t count = json_array_size(list);
	if (count == 0) return true;
	rig->dependencies = ossa_alloc(source->context, count, sizeof *rig->dependencies);
	if (!rig->dependencies) return false;
	rig->dependency_count = count;
	for (size_t i = 0; i < count; i++) {
		const json_t *item = json_array_get(list, i);
		rig->dependencies[i] = (ossa_dependency){(int32_t)json_integer_value(json_object_get(item, "bone")),
			(int32_t)json_integer_value(json_object_get(item, "driver")), get_real(item, "ratio"), get_real(item, "offset"),
			get_real(item, "error"), get_real(item, "cost"), {0}};
		if (json_object_get(item, "driver_axis")) get_reals(item, "driver_axis", rig->dependencies[i].driver_axis, 3);
	}
	return true;
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

static bool make_clip(rig_source *source, const json_t *object, ossa_clip **clip)
{
	if (!json_is_object(object)) return true;
	*clip = ossa_alloc(source->context, 1, sizeof **clip);
	if (!*clip) return false;
	get_text(object, "name", (*clip)->name, sizeof(*clip)->name);
	return get_count(source, object, "frames", &(*clip)->frame_count) &&
		get_count(source, object, "bones", &(*clip)->bone_count);
}

static bool make_clips(rig_source *source)
{
	ossa_rig *rig = source->rig;
	const json_t *others = json_object_get(source->head, "other_clips");
	const size_t count = json_array_size(others);
	if (count > 0) rig->other_clips = ossa_alloc(source->context, count, sizeof *rig->other_clips);
	if (count > 0 && !rig->other_clips) return false;
	rig->other_clip_count = count;
	for (size_t i = 0; i < count; i++) {
		if (!make_clip(source, json_array_get(others, i), &rig->other_clips[i]) || !rig->other_clips[i]) return false;
	}
	return make_clip(source, json_object_get(source->head, "clip"), &rig->clip) &&
		make_clip(source, json_object_get(source->head, "free_clip"), &rig->free_clip);
}

static void get_pieces(const json_t *list, ossa_piece_roles *pieces)
{
	pieces->skeletons = (size_t)json_integer_value(json_array_get(list, 0));
	pieces->rigid = (size_t)json_integer_value(json_array_get(list, 1));
	pieces->along = (size_t)json_integer_value(json_array_get(list, 2));
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
	if (!rig || !make_mesh(source) || !make_bones(source) || !make_dependencies(source)) return false;
	get_text(source->head, "method", rig->method, sizeof rig->method);
	rig->weights.vertex_count = rig->mesh->vertex_count;
	rig->level_count = (int)json_integer_value(json_object_get(source->head, "levels"));
	get_body(json_object_get(source->head, "body"), &rig->body);
	get_pieces(json_object_get(source->head, "pieces"), &rig->pieces);
	return get_influences(source, "influences", &rig->weights.influences) &&
		get_influences(source, "free_influences", &rig->free_weights.influences) &&
		get_count(source, source->head, "free_vertices", &rig->free_weights.vertex_count) &&
		get_count(source, source->head, "merges", &rig->merge_count) && make_clips(source);
}

static bool get_array(rig_source *source, const rig_array *array)
{
	if (array->size > source->left) return false;
	*array->data = ossa_alloc(source->context, array->size + 1, 1);
	return *array->data && get(source, *array->data, array->size);
}

/* those that the file names, in its order, which is that of the list */
static bool get_arrays(rig_source *source)
{
	const rig_array_list arrays = rig_file_arrays(source->rig);
	const json_t *names = json_object_get(source->head, "arrays");
	bool good = arrays.items != NULL;
	size_t at = 0;
	for (size_t i = 0; good && i < arrays.count; i++) {
		const char *name = json_string_value(json_array_get(names, at));
		if (!name || strcmp(name, arrays.items[i].name) != 0) continue;
		good = get_array(source, &arrays.items[i]);
		at++;
	}
	free(arrays.items);
	return good && at == json_array_size(names);
}

static bool get_head(rig_source *source)
{
	char begin[RIG_FILE_MAGIC];
	uint64_t size = 0;
	if (!get(source, begin, sizeof begin) || memcmp(begin, rig_file_magic, sizeof begin) != 0) return false;
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

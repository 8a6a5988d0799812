/* studio/server/rig_file.c: a rig in a file, bit by bit as it is in memory.

   Place in the path: what a session keeps between jobs and runs.  A header of JSON (names, counts,
   bones, loops), then the arrays, each from a multiple of 8 bytes on.  Formats for exchange split
   vertices or round; replayed edits need exactly the rig they were made on. */
#include "rig_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char rig_file_magic[RIG_FILE_MAGIC] = "ossa session 1\n";

enum { ARRAYS_OF_A_RIG = 32, ARRAYS_OF_A_CLIP = 4 };

static void add_array(rig_array_list *list, const char *name, void *array, size_t count, size_t size)
{
	rig_array *item = &list->items[list->count++];
	*item = (rig_array){.data = array, .size = count * size};
	snprintf(item->name, sizeof item->name, "%s", name);
}

/* arrays "free_times", "free_rotations" ...; `prefix` "" for the rig's own clip */
static void add_clip(rig_array_list *list, const char *prefix, ossa_clip *clip)
{
	static const char *const names[ARRAYS_OF_A_CLIP] = {"times", "rotations", "roots", "translations"};
	if (!clip) return;
	const size_t frames = clip->frame_count, turns = frames * clip->bone_count;
	void *const arrays[] = {&clip->times, &clip->rotations, &clip->root_positions, &clip->translations};
	const size_t counts[] = {frames, 4 * turns, 3 * frames, 3 * turns};
	for (size_t i = 0; i < ARRAYS_OF_A_CLIP; i++) {
		char name[40];
		snprintf(name, sizeof name, "%s%s", prefix, names[i]);
		add_array(list, name, arrays[i], counts[i], sizeof(double));
	}
}

static void add_other_clips(rig_array_list *list, const ossa_rig *rig)
{
	for (size_t i = 0; i < rig->other_clip_count; i++) {
		char prefix[32];
		snprintf(prefix, sizeof prefix, "other_%zu_", i);
		add_clip(list, prefix, rig->other_clips[i]);
	}
}

static void add_weights(rig_array_list *list, const char *bones, const char *values, ossa_weights *weights)
{
	const size_t count = weights->vertex_count * (size_t)weights->influences;
	add_array(list, bones, &weights->bones, count, sizeof(uint16_t));
	add_array(list, values, &weights->values, count, sizeof(float));
}

static void add_mesh(rig_array_list *list, ossa_mesh *mesh)
{
	add_array(list, "positions", &mesh->positions, mesh->vertex_count, 3 * sizeof(float));
	add_array(list, "colors", &mesh->colors, mesh->vertex_count, 4 * sizeof(float));
	add_array(list, "polygon_start", &mesh->polygon_start, mesh->polygon_count + 1, sizeof(uint32_t));
	add_array(list, "polygon_material", &mesh->polygon_material, mesh->polygon_count, sizeof(uint32_t));
	add_array(list, "corner_vertex", &mesh->corner_vertex, mesh->corner_count, sizeof(uint32_t));
	add_array(list, "corner_texcoord", &mesh->corner_texcoord, mesh->corner_count, sizeof(uint32_t));
	add_array(list, "corner_normal", &mesh->corner_normal, mesh->corner_count, sizeof(uint32_t));
	add_array(list, "triangles", &mesh->triangles, mesh->triangle_count, 3 * sizeof(uint32_t));
	add_array(list, "triangle_corners", &mesh->triangle_corners, mesh->triangle_count, 3 * sizeof(uint32_t));
	add_array(list, "texcoords", &mesh->texcoords, mesh->texcoord_count, 2 * sizeof(float));
	add_array(list, "normals", &mesh->normals, mesh->normal_count, 3 * sizeof(float));
	add_array(list, "materials", &mesh->materials, mesh->material_count, sizeof mesh->materials[0]);
}

rig_array_list rig_file_arrays(ossa_rig *rig)
{
	rig_array_list list = {0, calloc(ARRAYS_OF_A_RIG + ARRAYS_OF_A_CLIP * rig->other_clip_count, sizeof(rig_array))};
	if (!list.items) return list;
	add_mesh(&list, rig->mesh);
	add_weights(&list, "weight_bones", "weights", &rig->weights);
	add_weights(&list, "free_weight_bones", "free_weights", &rig->free_weights);
	add_clip(&list, "", rig->clip);
	add_clip(&list, "free_", rig->free_clip);
	add_other_clips(&list, rig);
	add_array(&list, "merges", &rig->merges, rig->merge_count, sizeof(ossa_merge));
	add_array(&list, "face_clusters", &rig->face_clusters, rig->mesh->triangle_count, sizeof(uint32_t));
	add_array(&list, "last_level", &rig->last_level, rig->skeleton.bone_count, 1);
	return list;
}

/* ---- the head ---- */

static json_t *bone_json(const ossa_bone *bone)
{
	return json_pack("{s:s, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:b, s:b, s:o, s:o, s:o, s:[iiii], s:o, s:o, s:o, s:o}", "name",
		bone->name, "parent", bone->parent, "kind", (int)bone->kind, "joint", studio_reals(bone->joint, 3), "tail",
		studio_reals(bone->tail, 3), "orientation", studio_reals(bone->orientation, 4), "axis", studio_reals(bone->axis, 3),
		"turn", studio_real(bone->turn_degrees), "has_limits", bone->has_limits, "limits_of_motion", bone->limits_of_motion,
		"limits", studio_reals(&bone->limits[0][0], 6), "residual", studio_real(bone->fit_residual), "deviation",
		studio_real(bone->deviation), "role", (int)bone->role.part, bone->role.side, bone->role.number, bone->role.limb,
		"modelled", studio_reals(bone->modelled, 7), "second_axis", studio_reals(bone->second_axis, 3), "axis_limits",
		studio_reals(&bone->axis_limits[0][0], 4), "slide_limits", studio_reals(bone->slide_limits, 2));
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

static json_t *other_clips_json(const ossa_rig *rig)
{
	json_t *clips = json_array();
	for (size_t i = 0; i < rig->other_clip_count; i++) json_array_append_new(clips, clip_json(rig->other_clips[i]));
	return clips;
}

static json_t *make_head(const ossa_rig *rig, const rig_array_list *arrays)
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
	return json_pack("{s:s, s:o, s:o, s:o, s:i, s:i, s:I, s:o, s:o, s:I, s:i, s:o, s:o, s:o, s:o, s:[III]}", "method",
		rig->method, "mesh", mesh_json(rig->mesh), "bones", bones, "loops", loops, "influences", rig->weights.influences,
		"free_influences", rig->free_weights.influences, "free_vertices", (json_int_t)rig->free_weights.vertex_count, "clip",
		clip_json(rig->clip), "free_clip", clip_json(rig->free_clip), "merges", (json_int_t)rig->merge_count, "levels",
		rig->level_count, "arrays", there, "dependencies", studio_dependencies_json(rig), "body", body_json(&rig->body),
		"other_clips", other_clips_json(rig), "pieces", (json_int_t)rig->pieces.skeletons, (json_int_t)rig->pieces.rigid,
		(json_int_t)rig->pieces.along);
}

/* ---- saving ---- */

static bool put(FILE *file, const void *bytes, size_t size)
{
	static const char zeros[8] = {0};
	const size_t pad = (8 - size % 8) % 8;
	return fwrite(bytes, 1, size, file) == size && fwrite(zeros, 1, pad, file) == pad;
}

static bool put_rig(FILE *file, const rig_array_list *arrays, const char *head)
{
	const uint64_t size = strlen(head);
	bool good = put(file, rig_file_magic, sizeof rig_file_magic) && put(file, &size, sizeof size) &&
		put(file, head, (size_t)size);
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
	const rig_array_list arrays = rig_file_arrays(&seen);
	json_t *head = arrays.items ? make_head(rig, &arrays) : NULL;
	char *text = head ? json_dumps(head, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
	json_decref(head);
	if (!text) {
		free(arrays.items);
		snprintf(message, size, "out of memory for a rig's head");
		return OSSA_ERROR_MEMORY;
	}
	FILE *file = fopen(path, "wb");
	bool good = file && put_rig(file, &arrays, text);
	if (file) good = fclose(file) == 0 && good;
	const int reason = errno;
	free(text);
	free(arrays.items);
	if (good) return OSSA_OK;
	unlink(path);
	snprintf(message, size, "the session cannot be kept: %s", strerror(reason));
	return OSSA_ERROR_WRITE;
}

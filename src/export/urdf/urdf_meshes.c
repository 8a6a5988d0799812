/* export/urdf/urdf_meshes.c: the skin of a rig as one mesh for each link.

   Place in the path: inside the URDF writer, before the file that names them.
   Input: a mesh with weights.
   Output: OBJ files in the rig's space, "NAME_LINK.obj", one for each bone that has faces.

   Links are rigid: a face goes with the bone that has the largest share of its corners. A file that
   is there already is written over where the old URDF names it, else the new one gets a number. */
#include "export/urdf/urdf.h"

#include "base/uri.h"
#include "export/image_files.h"
#include "export/obj.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* the most names that are tried */
enum { MOST_NAMES = 999 };

/* ---- which faces ---- */

/* shares: zeros by bone, before and after */
static uint32_t bone_of_polygon(const ossa_rig *rig, size_t polygon, double *shares)
{
	const ossa_mesh *mesh = rig->mesh;
	const ossa_weights *weights = &rig->weights;
	const size_t width = (size_t)weights->influences;
	uint32_t best = 0;
	for (int pass = 0; pass < 3; pass++) {
		for (size_t c = mesh->polygon_start[polygon]; c < mesh->polygon_start[polygon + 1]; c++) {
			for (size_t i = mesh->corner_vertex[c] * width; i < (mesh->corner_vertex[c] + 1) * width; i++) {
				const uint32_t bone = weights->bones[i];
				if (pass == 0) shares[bone] += (double)weights->values[i];
				if (pass == 1 && (shares[bone] > shares[best] || (shares[bone] == shares[best] && bone < best))) best = bone;
				if (pass == 2) shares[bone] = 0;
			}
		}
	}
	return best;
}

/* the mesh with the bones as its objects, without morph targets */
static ossa_status sort_faces(ossai_urdf *file, ossa_mesh *mesh)
{
	const ossa_skeleton *skeleton = &file->rig->skeleton;
	*mesh = *file->rig->mesh;
	mesh->morph_count = 0;
	mesh->object_count = skeleton->bone_count;
	mesh->objects = ossai_arena_zero(&file->arena, skeleton->bone_count, sizeof *mesh->objects);
	mesh->polygon_object = ossai_arena_new(&file->arena, mesh->polygon_count, sizeof *mesh->polygon_object);
	double *shares = ossai_arena_zero(&file->arena, skeleton->bone_count, sizeof *shares);
	if (!mesh->objects || !mesh->polygon_object || !shares) return ossa_context_error(file->context)->status;
	for (size_t b = 0; b < skeleton->bone_count; b++)
		memcpy(mesh->objects[b].name, skeleton->bones[b].name, sizeof mesh->objects[b].name);
	for (size_t p = 0; p < mesh->polygon_count; p++) mesh->polygon_object[p] = bone_of_polygon(file->rig, p, shares);
	return OSSA_OK;
}

static void warn_of_skin(const ossai_urdf *file)
{
	const ossa_weights *weights = &file->rig->weights;
	int64_t count = 0;
	for (size_t v = 0; v < weights->vertex_count && weights->influences > 1; v++)
		count += weights->values[v * (size_t)weights->influences + 1] > 0;
	if (count == 0) return;
	ossai_warn(file->context, "skin-split", count,
		"%s: links are rigid, but vertices follow several bones: each face goes with the one that its corners follow most",
		file->path);
}

/* ---- names of files ---- */

/* whether the old file at the path says `"name"` */
static bool names_file(const ossai_file *old, const char *name)
{
	char quoted[OSSAI_PATH_SIZE + 2];
	const size_t size = (size_t)snprintf(quoted, sizeof quoted, "\"%s\"", name);
	for (size_t i = 0; i + size <= old->size; i++) {
		if (old->bytes[i] == '"' && memcmp(old->bytes + i, quoted, size) == 0) return true;
	}
	return false;
}

/* letters that mean the same in paths, addresses and XML */
static void keep_plain(char *name)
{
	for (; *name; name++) {
		if (!isalnum((unsigned char)*name) && !strchr("_-.", *name)) *name = '_';
	}
}

static ossa_status find_name(const ossai_urdf *file, const ossai_file *old, const char *bone, char path[OSSAI_PATH_SIZE])
{
	const char *whole = ossai_file_name(file->path), *dot = strrchr(whole, '.');
	const int folder = (int)(whole - file->path);
	const bool by_output = file->options->image_names == OSSA_IMAGE_NAMES_OUTPUT;
	char stem[OSSAI_PATH_SIZE], behind[16] = "";
	snprintf(stem, sizeof stem, "%.*s", (int)(dot && !by_output ? dot - whole : (ptrdiff_t)strlen(whole)), whole);
	keep_plain(stem);
	for (int number = 1; number <= MOST_NAMES; number++) {
		if (number > 1) snprintf(behind, sizeof behind, "-%d", number);
		const int length = snprintf(
			path, OSSAI_PATH_SIZE, "%.*s%s%c%s%s.obj", folder, file->path, stem, by_output ? '.' : '_', bone, behind);
		if (length >= OSSAI_PATH_SIZE) break;
		if (by_output || names_file(old, path + folder) || !ossai_file_exists(file->context, path)) return OSSA_OK;
	}
	const ossai_place place = ossai_in_file(file->path);
	return ossai_fail(file->context, OSSA_ERROR_WRITE, &place, "no name is left for the mesh of \"%s\" beside it", bone);
}

static ossa_status name_files(ossai_urdf *file, const ossai_object_parts *parts, const ossa_mesh *mesh, const char **paths)
{
	ossai_file old = {0};
	ossa_status status = OSSA_OK;
	const bool is_there = ossai_file_exists(file->context, file->path) &&
		ossai_file_open_output(file->context, file->path, &old) == OSSA_OK;
	for (size_t i = 0; i < parts->count && status == OSSA_OK; i++) {
		const size_t bone = (size_t)(parts->items[i].object - mesh->objects);
		char path[OSSAI_PATH_SIZE], *copy;
		status = find_name(file, &old, mesh->objects[bone].name, path);
		if (status != OSSA_OK) break;
		copy = ossai_arena_new(&file->arena, strlen(path) + 1, 1);
		if (!copy) status = ossa_context_error(file->context)->status;
		else file->meshes[bone] = ossai_file_name(paths[i] = strcpy(copy, path));
	}
	if (is_there) ossai_file_close(file->context, &old);
	return status;
}

/* ---- the whole ---- */

ossa_status ossai_urdf_write_meshes(ossai_urdf *file)
{
	ossa_mesh mesh;
	ossai_object_parts parts;
	file->meshes = ossai_arena_zero(&file->arena, file->rig->skeleton.bone_count, sizeof *file->meshes);
	file->solids = ossai_arena_zero(&file->arena, file->rig->skeleton.bone_count, sizeof *file->solids);
	if (!file->meshes || !file->solids) return ossa_context_error(file->context)->status;
	if (file->rig->mesh->polygon_count == 0) return OSSA_OK;
	OSSAI_TRY(sort_faces(file, &mesh));
	OSSAI_TRY(ossai_objects_split(&file->arena, &mesh, NULL, OSSAI_AXES_MESH, &parts));
	const char **paths = ossai_arena_zero(&file->arena, parts.count, sizeof *paths);
	if (!paths) return ossa_context_error(file->context)->status;
	OSSAI_TRY(name_files(file, &parts, &mesh, paths));
	for (size_t i = 0; i < parts.count; i++) {
		const size_t bone = (size_t)(parts.items[i].object - mesh.objects);
		const ossai_rigid frame = ossai_urdf_rest(&file->rig->skeleton.bones[bone]);
		OSSAI_TRY(ossai_urdf_weigh(file->context, parts.items[i].mesh, &frame, &file->solids[bone]));
	}
	warn_of_skin(file);
	return ossai_obj_write_parts(file->context, &mesh, &parts, paths, file->path, file->options->image_names);
}

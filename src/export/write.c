/* export/write.c: the registry of everything that can be written.

   Place in the path: last.
   Input: a rig, mesh or frames and a path.
   Output: a file. The path's ending picks the writer; the value is validated and converted to the
   axes, units and joint frames asked for first, so that no writer gets an invalid one or has to
   convert anything. */
#include "export/conventions.h"
#include "export/export.h"
#include "export/losses.h"
#include "rig/clips.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* a format and the functions that write it; NULL where it cannot hold that kind of thing */
typedef struct writer {
	ossa_write_format format;
	ossa_status (*rig)(ossa_context *, const ossa_rig *, const char *, const ossa_write_options *);
	ossa_status (*mesh)(ossa_context *, const ossa_mesh *, const float *, const char *, const ossa_write_options *);
	ossa_status (*frames)(ossa_context *, const ossa_mesh *, const ossa_frames *, const char *, const ossa_write_options *);
	bool holds_a_motion; /* one, where the format does not write all clips */
	ossai_holdings holds;
	bool is_z_up; /* z up and in metres, whatever the options say */
	/* whether the file that a mesh came from is written again; NULL: never */
	bool (*keeps)(const ossa_mesh *, const ossa_frames *);
	/* whether a path may be written to; NULL: nothing to check */
	ossa_status (*check)(ossa_context *, const char *);
} writer;

static const writer writers[] = {
	{.format = {"glb", "glTF 2.0 binary", ".glb", true, true, true, true, true, true},
		.rig = ossai_glb_write_rig,
		.mesh = ossai_glb_write_mesh,
		.frames = ossai_glb_write_frames,
		.keeps = ossai_glb_can_keep_mesh,
		.holds.morphs = true,
		.format.moves_morphs = true,
		.holds.sets = true,
		.holds.looks = true},
	{.format = {"gltf", "glTF 2.0", ".gltf", true, true, true, true, true, true},
		.rig = ossai_glb_write_rig,
		.mesh = ossai_glb_write_mesh,
		.frames = ossai_glb_write_frames,
		.keeps = ossai_glb_can_keep_mesh,
		.holds.morphs = true,
		.format.moves_morphs = true,
		.check = ossai_glb_check_pair,
		.holds.sets = true,
		.holds.looks = true},
	{.format = {"vrm", "VRM 1.0", ".vrm", false, false, true, false, false, true},
		.rig = ossai_vrm_write_rig,
		.holds.morphs = true,
		.format.moves_morphs = true,
		.holds.sets = true,
		.holds.looks = true},
	{.format = {"collada", "Collada", ".dae", true, false, true, true},
		.rig = ossai_collada_write_rig,
		.holds.no_loops = true,
		.mesh = ossai_collada_write_mesh,
		.holds.morphs = true,
		.holds.sets = true,
		.holds.looks = true},
	{.format = {"usda", "ASCII USD", ".usda", true, true, true, true},
		.rig = ossai_usd_write_rig,
		.holds.no_loops = true,
		.holds.no_dependencies = true,
		.mesh = ossai_usd_write_mesh,
		.frames = ossai_usd_write_frames,
		.holds.no_limits = true,
		.holds.morphs = true,
		.format.moves_morphs = true,
		.holds.sets = true,
		.holds.looks = true},
	{.format = {"bvh", "Biovision hierarchy", ".bvh", false, false, true},
		.rig = ossai_bvh_write_rig,
		.holds.no_loops = true,
		.holds.no_dependencies = true,
		.holds.no_limits = true,
		.holds_a_motion = true},
	{.format = {"obj", "Wavefront OBJ", ".obj", true, false, false}, .mesh = ossai_obj_write_mesh},
	{.format = {"ply", "Stanford PLY", ".ply", true, false, false},
		.mesh = ossai_ply_write_mesh,
		.holds.no_uvs = true,
		.holds.looks_lost = "UVs, materials and images",
		.holds.one_object = true},
	{.format = {"fbx", "Autodesk FBX", ".fbx", true, false, true, true},
		.rig = ossai_fbx_write_rig,
		.holds.no_loops = true,
		.holds.no_dependencies = true,
		.mesh = ossai_fbx_write_mesh,
		.holds.morphs = true,
		.format.moves_morphs = true,
		.holds.sets = true,
		.holds.looks = true},
	{.format = {"maya", "Maya script", ".py", true, false, true},
		.rig = ossai_maya_write_rig,
		.holds.no_loops = true,
		.mesh = ossai_maya_write_mesh,
		.holds_a_motion = true,
		.holds.morphs = true,
		.format.moves_morphs = true,
		.holds.looks_lost = "what materials look like: they have names alone",
		.holds.sets = true},
	{.format = {"urdf", "URDF robot description", ".urdf", false, false, true},
		.rig = ossai_urdf_write_rig,
		.holds.no_loops = true,
		.holds.mesh_beside = true,
		.is_z_up = true},
	{.format = {"pc2", "PC2 point cache", ".pc2", false, true, false}, .frames = ossai_pc2_write_frames},
	{.format = {"mdd", "MDD point cache", ".mdd", false, true, false}, .frames = ossai_mdd_write_frames},
	{.format = {"json", "JSON table", ".json", false, false, true}, .rig = ossai_json_write_rig, .holds_a_motion = true},
	{.format = {"weights-csv", "CSV of weights", ".weights.csv", false, false, true}, .rig = ossai_weights_csv_write_rig},
	{.format = {"skeleton-csv", "CSV of bones", ".skeleton.csv", false, false, true}, .rig = ossai_skeleton_csv_write_rig},
};
enum { WRITER_COUNT = sizeof writers / sizeof writers[0] };

size_t ossa_write_format_count(void) { return WRITER_COUNT; }

const ossa_write_format *ossa_write_format_at(size_t index) { return index < WRITER_COUNT ? &writers[index].format : NULL; }

/* how many characters of the name the longest of the endings joined by '|' takes, in either case;
   0: it has none of them */
static size_t ending_of(const char *name, const char *endings)
{
	const size_t length = strlen(name);
	size_t longest = 0;
	for (const char *at = endings; *at;) {
		const size_t size = strcspn(at, "|");
		if (size > longest && length > size && strncasecmp(name + length - size, at, size) == 0) longest = size;
		at += size;
		if (*at == '|') at++;
	}
	return longest;
}

/* ".skeleton.csv" is tested before ".csv" */
static const writer *writer_of_path(const char *path)
{
	const writer *found = NULL;
	size_t longest = 0;
	for (size_t i = 0; i < WRITER_COUNT; i++) {
		const size_t size = ending_of(path, writers[i].format.endings);
		if (size <= longest) continue;
		found = &writers[i];
		longest = size;
	}
	return found;
}

/* what a writer must be able to hold */
typedef enum content { CONTENT_ANY, CONTENT_RIG, CONTENT_MESH, CONTENT_FRAMES } content;

static bool holds(const writer *candidate, content wanted)
{
	switch (wanted) {
	case CONTENT_RIG: return candidate->rig != NULL;
	case CONTENT_MESH: return candidate->mesh != NULL;
	case CONTENT_FRAMES: return candidate->frames != NULL;
	case CONTENT_ANY: break;
	}
	return true;
}

/* the writer for a path, or an error that lists possible endings */
static ossa_status find_writer(ossa_context *context, const char *path, content wanted, const writer **found)
{
	static const char *const names[] = {"this", "a rig", "a mesh", "frames"};
	*found = writer_of_path(path);
	if (*found && holds(*found, wanted)) return OSSA_OK;
	char endings[256] = "";
	for (size_t i = 0; i < WRITER_COUNT; i++) {
		const size_t used = strlen(endings);
		if (!holds(&writers[i], wanted)) continue;
		snprintf(endings + used, sizeof endings - used, "%s%s", used ? ", " : "", writers[i].format.endings);
	}
	const char *title = *found ? (*found)->format.title : "a file of this ending";
	const ossai_place place = ossai_in_file(path);
	*found = NULL;
	return ossai_fail(context, OSSA_ERROR_ARGUMENT, &place, "ossa cannot write %s as %s; give it one of the endings %s",
		names[wanted], title, endings);
}

ossa_status ossa_write_detect(ossa_context *context, const char *path, const ossa_write_format **format)
{
	const writer *found;
	if (format) *format = NULL;
	OSSAI_NEED(context, path);
	OSSAI_TRY(find_writer(context, path, CONTENT_ANY, &found));
	if (format) *format = &found->format;
	return OSSA_OK;
}

ossa_status ossa_write_check(ossa_context *context, const char *path)
{
	OSSAI_NEED(context, path);
	const writer *found;
	OSSAI_TRY(find_writer(context, path, CONTENT_ANY, &found));
	return found->check && !ossa_write_is_numbered(path) ? found->check(context, path) : OSSA_OK;
}

bool ossa_write_keeps(const ossa_mesh *mesh, const ossa_frames *frames, const char *path)
{
	const writer *found = path && !ossa_write_is_numbered(path) ? writer_of_path(path) : NULL;
	return mesh && found && found->keeps && found->keeps(mesh, frames);
}

/* with all its motions, or with its first where the format holds no more */
static ossa_status write_clips(
	ossa_context *context, const writer *to, const ossa_rig *rig, const char *path, const ossa_write_options *options)
{
	ossa_rig first = *rig;
	if (to->format.writes_clips || rig->other_clip_count == 0) return to->rig(context, rig, path, options);
	ossai_clips_put(&first, &(ossai_clips){.clip = rig->clip});
	if (to->holds_a_motion)
		ossai_warn(context, "clips-left-out", (int64_t)rig->other_clip_count,
			"%s: holds one motion, \"%s\"; the others are left out, the first \"%s\"", path, rig->clip->name,
			rig->other_clips[0]->name);
	return to->rig(context, &first, path, options);
}

/* a mesh or frames that are not put into the file that they are from */
static ossa_status warn_of_still_scene(
	ossa_context *context, const writer *to, const ossai_prepared *prepared, const char *path)
{
	const bool is_kept = !prepared->positions && to->keeps && to->keeps(prepared->mesh, prepared->frames);
	return is_kept ? OSSA_OK : ossai_warn_of_still_scene(context, &to->format, &to->holds, prepared->mesh, path);
}

/* the options in the axes and units of a format that has no others */
static const ossa_write_options *with_own_axes(
	ossa_context *context, const writer *to, const char *path, const ossa_write_options *options, ossa_write_options *own)
{
	if (!to->is_z_up) return options;
	if (options->unit != 1)
		ossai_warn(context, "unit-fixed", 1, "%s: lengths of this format are metres: `unit` is left out", path);
	*own = *options;
	own->up = OSSA_UP_Z;
	own->unit = 1;
	return own;
}

ossa_status ossa_write_rig(ossa_context *context, const ossa_rig *rig, const char *path, const ossa_write_options *options)
{
	OSSAI_NEED(context, rig, path);
	const writer *found;
	const ossa_write_options usual = ossa_write_default();
	if (!options) options = &usual;
	OSSAI_TRY(find_writer(context, path, CONTENT_RIG, &found));
	OSSAI_TRY(ossa_options_check(context, ossa_write_option_table(), options));
	OSSAI_TRY(ossa_rig_validate(context, rig));
	ossai_prepared prepared;
	ossa_write_options own;
	options = with_own_axes(context, found, path, options, &own);
	ossa_status status = ossai_prepare_rig(context, rig, options, &prepared);
	if (status == OSSA_OK) status = ossai_warn_of_rig_scene(context, &found->format, &found->holds, rig, path);
	if (status == OSSA_OK) status = write_clips(context, found, prepared.rig, path, options);
	if (status == OSSA_OK) ossai_warn_of_mesh(context, &found->format, &found->holds, rig->mesh, path);
	if (status == OSSA_OK) ossai_warn_of_shapes(context, &found->format, &found->holds, prepared.rig, path);
	if (status == OSSA_OK) ossai_warn_of_limits(context, &found->holds, rig, path);
	if (status == OSSA_OK) ossai_warn_of_loops(context, &found->holds, rig, path);
	if (status == OSSA_OK) ossai_warn_of_dependencies(context, &found->holds, rig, path);
	ossai_prepared_end(&prepared);
	return status;
}

static ossa_status check_positions(ossa_context *context, const float *positions, size_t vertex_count)
{
	for (size_t i = 0; positions && i < 3 * vertex_count; i++) {
		if (isfinite(positions[i])) continue;
		ossai_place place = OSSAI_NOWHERE;
		place.vertex = (int64_t)(i / 3);
		return ossai_fail(context, OSSA_ERROR_INPUT, &place, "the position is not finite");
	}
	return OSSA_OK;
}

ossa_status ossa_write_mesh(
	ossa_context *context, const ossa_mesh *mesh, const float *positions, const char *path, const ossa_write_options *options)
{
	OSSAI_NEED(context, mesh, path);
	const writer *found;
	OSSAI_TRY(find_writer(context, path, CONTENT_MESH, &found));
	const ossa_write_options usual = ossa_write_default();
	if (!options) options = &usual;
	OSSAI_TRY(ossa_options_check(context, ossa_write_option_table(), options));
	OSSAI_TRY(ossa_mesh_validate(context, mesh));
	OSSAI_TRY(check_positions(context, positions, mesh->vertex_count));
	ossai_prepared prepared;
	ossa_status status = ossai_prepare_mesh(context, mesh, positions, options, &prepared);
	if (status == OSSA_OK) status = warn_of_still_scene(context, found, &prepared, path);
	if (status == OSSA_OK) status = found->mesh(context, prepared.mesh, prepared.positions, path, options);
	if (status == OSSA_OK) ossai_warn_of_mesh(context, &found->format, &found->holds, mesh, path);
	ossai_prepared_end(&prepared);
	return status;
}

/* checks that each is valid and that they belong together */
static ossa_status check_frames(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames)
{
	OSSAI_TRY(ossa_frames_validate(context, frames));
	if (!mesh) return OSSA_OK;
	OSSAI_TRY(ossa_mesh_validate(context, mesh));
	if (mesh->vertex_count == frames->vertex_count) return OSSA_OK;
	return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "the frames are of %zu vertices, the mesh has %zu",
		frames->vertex_count, mesh->vertex_count);
}

ossa_status ossa_write_frames(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames, const char *path,
	const ossa_write_options *options)
{
	OSSAI_NEED(context, frames, path);
	const writer *found;
	const bool numbered = ossa_write_is_numbered(path);
	OSSAI_TRY(find_writer(context, path, numbered ? CONTENT_MESH : CONTENT_FRAMES, &found));
	const ossa_write_options usual = ossa_write_default();
	if (!options) options = &usual;
	OSSAI_TRY(ossa_options_check(context, ossa_write_option_table(), options));
	OSSAI_TRY(check_frames(context, mesh, frames));
	ossai_prepared prepared;
	ossa_status status = ossai_prepare_frames(context, mesh, frames, options, &prepared);
	if (status == OSSA_OK && mesh && !numbered) status = warn_of_still_scene(context, found, &prepared, path);
	if (status == OSSA_OK && numbered) {
		status = ossai_write_sequence(context, found->mesh, prepared.mesh, prepared.frames, path, options);
	} else if (status == OSSA_OK) {
		status = found->frames(context, prepared.mesh, prepared.frames, path, options);
	}
	if (status == OSSA_OK && mesh) ossai_warn_of_objects(context, &found->format, &found->holds, mesh, path);
	ossai_prepared_end(&prepared);
	return status;
}

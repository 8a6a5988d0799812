/* import/read.c: the registry of everything that can be read, and the calls that read one mesh or
   one rig.

   Place in the path: file → mesh or rig; everything behind include/ossa/read.h but the frames
   (read_frames.c).
   Input: a path.
   Output: what the format's reader makes. */
#include "import/registry.h"
#include "import/sequence.h"

#include "import/alembic/alembic.h"
#include "import/fbx/assimp.h"
#include "import/bvh.h"
#include "import/collada/collada.h"
#include "import/fbx/fbx_guard.h"
#include "import/gltf/gltf.h"
#include "import/maya/maya_cache.h"
#include "import/orient.h"

#include <stdio.h>
#include <string.h>

/* In the order in which they are tried: those with an unmistakable beginning first. */
static const ossai_read_entry entries[] = {
	{.format = {"glb", "glTF 2.0", true, true, true},
		.ending = ".glb",
		.detect = ossai_gltf_detect,
		.keeps_order = true,
		.read_asset = ossai_gltf_read_asset},
	{.format = {"abc", "Alembic", true, true, true},
		.ending = ".abc",
		.detect = ossai_alembic_detect,
		.keeps_order = true,
		.read_asset = ossai_alembic_read_asset},
	{.format = {"dae", "Collada", true, true, true},
		.ending = ".dae",
		.detect = ossai_collada_detect,
		.keeps_order = true,
		.read_asset = ossai_collada_read_asset},
	{.format = {"ply", "Stanford PLY", true, true, false},
		.ending = ".ply",
		.detect = ossai_ply_detect,
		.read_mesh = ossai_ply_read,
		.keeps_order = true},
	{.format = {"pc2", "PC2 point cache", false, true, false},
		.ending = ".pc2",
		.detect = ossai_pc2_detect,
		.open_cache = ossai_pc2_open},
	{.format = {"mc", "Maya geometry cache", false, true, false},
		.ending = ".mc",
		.detect = ossai_maya_detect,
		.open_cache = ossai_maya_open},
	{.format = {"off", "Geomview OFF", true, true, false},
		.ending = ".off",
		.detect = ossai_off_detect,
		.read_mesh = ossai_off_read,
		.keeps_order = true},
	{.format = {"stl", "STL", true, false, false}, .ending = ".stl", .detect = ossai_stl_detect, .read_mesh = ossai_stl_read},
	{.format = {"mdd", "MDD point cache", false, true, false},
		.ending = ".mdd",
		.detect = ossai_mdd_detect,
		.open_cache = ossai_mdd_open},
	{.format = {"obj", "Wavefront OBJ", true, true, false},
		.ending = ".obj",
		.detect = ossai_obj_detect,
		.read_mesh = ossai_obj_read,
		.find_faces = ossai_obj_find_faces,
		.read_pose = ossai_obj_read_pose,
		.keeps_order = true},
	{.format = {"bvh", "BVH motion", false, false, true},
		.ending = ".bvh",
		.detect = ossai_bvh_detect,
		.read_asset = ossai_bvh_read_asset},
#ifdef OSSA_ASSIMP
	{.format = {"fbx", "Autodesk FBX", true, true, true},
		.ending = ".fbx",
		.detect = ossai_fbx_detect,
		.keeps_order = true,
		.read_asset = ossai_fbx_read_asset},
#endif
};
enum { ENTRY_COUNT = sizeof entries / sizeof entries[0] };

/* Formats of other programs that people try: what to do instead. */
static const struct {
	const char *beginning, *name;
} unknown_formats[] = {
#ifndef OSSA_ASSIMP
	{"Kaydara FBX Binary", "FBX (this build has no FBX: install libassimp-dev and build ossa again)"},
	{"; FBX ", "FBX (this build has no FBX: install libassimp-dev and build ossa again)"},
#endif
	{"BLENDER", "a Blender scene"},
	{"<?xml", "XML, but not Collada (X3D, ...)"},
	{"PK\003\004", "a ZIP archive (3MF, USDZ, ...)"},
	{"#usda", "USD"},
	{"PXR-USDC", "USD"},
};

/* ---- the list of formats ---- */

size_t ossa_read_format_count(void) { return ENTRY_COUNT; }

const ossa_read_format *ossa_read_format_at(size_t index) { return index < ENTRY_COUNT ? &entries[index].format : NULL; }

static const ossai_read_entry *entry_by_content(const ossai_source *source)
{
	for (size_t i = 0; i < ENTRY_COUNT; i++) {
		if (entries[i].detect(source->bytes, source->size)) return &entries[i];
	}
	return NULL;
}

/* what the file's name promises; the reader then says what is wrong with it */
static const ossai_read_entry *entry_by_ending(const char *path)
{
	const char *dot = strrchr(ossai_file_name(path), '.');
	for (size_t i = 0; dot && i < ENTRY_COUNT; i++) {
		const char *ending = entries[i].ending;
		size_t k = 0;
		while (ending[k] && (dot[k] | 32) == (ending[k] | 32)) k++;
		if (!ending[k] && !dot[k]) return &entries[i];
	}
	return NULL;
}

/* what a file of another program is, or NULL */
static const char *stranger_by_content(const ossai_source *source)
{
	for (size_t i = 0; i < sizeof unknown_formats / sizeof unknown_formats[0]; i++) {
		const size_t size = strlen(unknown_formats[i].beginning);
		if (source->size >= size && memcmp(source->bytes, unknown_formats[i].beginning, size) == 0)
			return unknown_formats[i].name;
	}
	return NULL;
}

static ossa_status unknown_format(ossa_context *context, const ossai_source *source, const char *stranger)
{
	const ossai_place place = ossai_in_file(source->path);
	if (source->size == 0) return ossai_fail(context, OSSA_ERROR_INPUT, &place, "is empty: export it again");
	char known[256] = "";
	for (size_t i = 0, used = 0; i < ENTRY_COUNT && used < sizeof known; i++) {
		used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", entries[i].format.name);
	}
	if (stranger) {
		return ossai_fail(
			context, OSSA_ERROR_INPUT, &place, "is %s, which ossa does not read: export it as one of %s", stranger, known);
	}
	return ossai_fail(
		context, OSSA_ERROR_INPUT, &place, "is of no format that ossa reads (by its content): use one of %s", known);
}

ossa_status ossai_read_entry_for(ossa_context *context, const ossai_source *source, const ossai_read_entry **entry)
{
	*entry = source->size > 0 ? entry_by_content(source) : NULL;
	if (*entry) return OSSA_OK;
	const char *stranger = stranger_by_content(source);
	if (source->size > 0 && !stranger) *entry = entry_by_ending(source->path);
	return *entry ? OSSA_OK : unknown_format(context, source, stranger);
}

/* opens a file, or the first of those that a pattern ("walk_####.obj") stands for; its path lives
   in the arena */
static ossa_status open_first(ossai_arena *arena, const char *path, ossai_file *file, ossai_source *source)
{
	if (ossai_sequence_is(arena->context, path)) {
		const char *const *paths;
		size_t count;
		OSSAI_TRY(ossai_sequence_expand(arena, path, &count, &paths));
		path = paths[0];
	}
	OSSAI_TRY(ossai_file_open(arena->context, path, file));
	*source = (ossai_source){path, file->bytes, file->size, file->mapped};
	return OSSA_OK;
}

ossa_status ossa_read_detect(ossa_context *context, const char *path, const ossa_read_format **format)
{
	if (format) *format = NULL;
	OSSAI_NEED(context, path);
	ossai_reading_begin(context);
	ossai_arena arena = ossai_arena_begin(context);
	ossai_file file = {.bytes = NULL};
	ossai_source source;
	ossa_status status = open_first(&arena, path, &file, &source);
	const ossai_read_entry *entry;
	if (status == OSSA_OK) status = ossai_read_entry_for(context, &source, &entry);
	if (status == OSSA_OK && format) *format = &entry->format;
	ossai_file_close(context, &file);
	ossai_arena_end(&arena);
	return status;
}

/* ---- what is asked for ---- */

/* what a call wants of a file, and where it goes */
typedef struct request {
	const ossa_read_options *options;
	ossa_mesh **mesh;
	ossa_frames **frames;
	ossa_rig **rig;
	size_t *clip_count;
	ossa_clip_facts **clips;
	bool *has_rig;
	size_t *item_count;
	ossa_scene_item **items;
} request;

typedef ossa_status (*request_reader)(
	ossa_context *context, const ossai_source *source, const ossai_read_entry *entry, const request *wanted);

/* opens the file, finds its format, reads, closes */
static ossa_status read_file(
	ossa_context *context, const char *path, const ossa_read_options *options, request_reader read, request wanted)
{
	const ossa_read_options used = options ? *options : ossa_read_default();
	ossai_file file = {.bytes = NULL};
	ossai_source source;
	const ossai_read_entry *entry;
	wanted.options = &used;
	OSSAI_TRY(ossa_options_check(context, ossa_read_option_table(), &used));
	ossai_reading_begin(context);
	ossai_arena arena = ossai_arena_begin(context);
	ossa_status status = open_first(&arena, path, &file, &source);
	ossai_stage_begin(context, "read");
	if (status == OSSA_OK) status = ossai_read_entry_for(context, &source, &entry);
	if (status == OSSA_OK) status = read(context, &source, entry, &wanted);
	ossai_stage_end(context);
	ossai_file_close(context, &file);
	ossai_arena_end(&arena);
	return status;
}

/* what is asked of a format of scenes */
typedef ossa_status (*asset_user)(ossai_asset *asset, const request *wanted);

static ossa_status use_asset(
	ossa_context *context, const ossai_source *source, const ossai_read_entry *entry, const request *wanted, asset_user use)
{
	ossai_asset asset;
	OSSAI_TRY(ossai_asset_open(context, source, entry->read_asset, wanted->options, &asset));
	const ossa_status status = use(&asset, wanted);
	ossai_asset_close(&asset);
	return status;
}

static ossa_status asset_mesh(ossai_asset *asset, const request *wanted)
{
	return ossai_asset_mesh_at_rest(asset, wanted->mesh);
}

static ossa_status asset_animation(ossai_asset *asset, const request *wanted)
{
	return ossai_asset_animation(asset, wanted->options, wanted->mesh, wanted->frames);
}

static ossa_status asset_rig(ossai_asset *asset, const request *wanted)
{
	return ossai_asset_rig(asset, wanted->options, wanted->rig);
}

static ossa_status asset_contents(ossai_asset *asset, const request *wanted)
{
	if (wanted->has_rig) OSSAI_TRY(ossai_asset_has_rig(asset, wanted->has_rig));
	return ossai_asset_clips(asset, wanted->clip_count, wanted->clips);
}

static ossa_status asset_items(ossai_asset *asset, const request *wanted)
{
	return ossai_asset_list_items(asset, wanted->item_count, wanted->items);
}

static ossa_status holds_no(ossa_context *context, const ossai_source *source, const ossai_read_entry *entry, const char *what)
{
	const ossai_place place = ossai_in_file(source->path);
	return ossai_fail(context, OSSA_ERROR_INPUT, &place, "is %s, which holds %s", entry->format.title, what);
}

/* ---- the calls ---- */

static ossa_status read_mesh(
	ossa_context *context, const ossai_source *source, const ossai_read_entry *entry, const request *wanted)
{
	if (entry->read_asset) return use_asset(context, source, entry, wanted, asset_mesh);
	if (!entry->read_mesh) {
		return holds_no(context, source, entry, "positions without faces: give the rest mesh first and this file as its poses");
	}
	OSSAI_TRY(entry->read_mesh(context, source, OSSAI_PARTS_ALL, wanted->mesh));
	const ossa_status status = ossai_orient_mesh(context, ossai_orientation_of(wanted->options), source->path, *wanted->mesh);
	if (status == OSSA_OK) return OSSA_OK;
	ossa_mesh_free(context, *wanted->mesh);
	*wanted->mesh = NULL;
	return status;
}

ossa_status ossai_read_mesh(ossa_context *context, const ossai_source *source, const ossai_read_entry *entry,
	const ossa_read_options *options, ossa_mesh **mesh)
{
	return read_mesh(context, source, entry, &(request){.options = options, .mesh = mesh});
}

ossa_status ossa_read_mesh(ossa_context *context, const char *path, const ossa_read_options *options, ossa_mesh **mesh)
{
	if (mesh) *mesh = NULL;
	OSSAI_NEED(context, path, mesh);
	return read_file(context, path, options, read_mesh, (request){.mesh = mesh});
}

static ossa_status read_animation(
	ossa_context *context, const ossai_source *source, const ossai_read_entry *entry, const request *wanted)
{
	if (entry->read_asset) return use_asset(context, source, entry, wanted, asset_animation);
	return read_mesh(context, source, entry, wanted);
}

/* numbered files: the first is the rest, all are frames */
static ossa_status read_sequence(
	ossa_context *context, const char *path, const ossa_read_options *options, ossa_mesh **mesh, ossa_frames **frames)
{
	OSSAI_TRY(ossa_read_mesh(context, path, options, mesh));
	const ossa_status status = ossa_read_frames(context, *mesh, 1, &path, false, options, frames);
	if (status == OSSA_OK) return OSSA_OK;
	ossa_mesh_free(context, *mesh);
	*mesh = NULL;
	return status;
}

ossa_status ossa_read_animation(
	ossa_context *context, const char *path, const ossa_read_options *options, ossa_mesh **mesh, ossa_frames **frames)
{
	ossa_mesh *unwanted_mesh = NULL;
	ossa_frames *unwanted_frames = NULL;
	if (!mesh) mesh = &unwanted_mesh;
	if (!frames) frames = &unwanted_frames;
	*mesh = NULL;
	*frames = NULL;
	OSSAI_NEED(context, path);
	const ossa_status status = ossai_sequence_is(context, path)
		? read_sequence(context, path, options, mesh, frames)
		: read_file(context, path, options, read_animation, (request){.mesh = mesh, .frames = frames});
	ossa_mesh_free(context, unwanted_mesh);
	ossa_frames_free(context, unwanted_frames);
	return status;
}

static ossa_status read_rig(
	ossa_context *context, const ossai_source *source, const ossai_read_entry *entry, const request *wanted)
{
	if (entry->read_asset) return use_asset(context, source, entry, wanted, asset_rig);
	return holds_no(context, source, entry, "no rig: give a glTF, Collada or FBX file");
}

ossa_status ossa_read_rig(ossa_context *context, const char *path, const ossa_read_options *options, ossa_rig **rig)
{
	if (rig) *rig = NULL;
	OSSAI_NEED(context, path, rig);
	return read_file(context, path, options, read_rig, (request){.rig = rig});
}

static ossa_status read_contents(
	ossa_context *context, const ossai_source *source, const ossai_read_entry *entry, const request *wanted)
{
	return entry->read_asset ? use_asset(context, source, entry, wanted, asset_contents) : OSSA_OK;
}

ossa_status ossa_read_contents(ossa_context *context, const char *path, bool *has_rig, size_t *count, ossa_clip_facts **clips)
{
	size_t unwanted_count;
	ossa_clip_facts *unwanted_clips = NULL;
	if (!count) count = &unwanted_count;
	if (!clips) clips = &unwanted_clips;
	if (has_rig) *has_rig = false;
	*count = 0;
	*clips = NULL;
	OSSAI_NEED(context, path);
	const request wanted = {.has_rig = has_rig, .clip_count = count, .clips = clips};
	const ossa_status status = read_file(context, path, NULL, read_contents, wanted);
	ossa_free(context, unwanted_clips);
	return status;
}

static ossa_status read_items(
	ossa_context *context, const ossai_source *source, const ossai_read_entry *entry, const request *wanted)
{
	return entry->read_asset ? use_asset(context, source, entry, wanted, asset_items) : OSSA_OK;
}

ossa_status ossa_read_scene(ossa_context *context, const char *path, size_t *count, ossa_scene_item **items)
{
	size_t unwanted_count;
	ossa_scene_item *unwanted_items = NULL;
	if (!count) count = &unwanted_count;
	if (!items) items = &unwanted_items;
	*count = 0;
	*items = NULL;
	OSSAI_NEED(context, path);
	const ossa_status status = read_file(context, path, NULL, read_items, (request){.item_count = count, .items = items});
	ossa_free(context, unwanted_items);
	return status;
}

/* export/collada/collada.c: Collada files, 1.5 and 1.4.1, the outline.

   Place in the path: a writer of the registry.
   Input: a checked rig or mesh in the axes and units to write.
   Output: a .dae that the schemas of Khronos accept, built from what Blender, three.js, assimp and
   Godot agree on: joints with one matrix that the animation replaces, names of joints as sids, a
   <skeleton> at the skin. In 1.5 each joint has three turns about its frame's own axes after the
   matrix, zero at rest, and the kinematics say how far each may go (degrees). What Collada has no
   element for (kinds, tails, names that it forbids ...) is in <extra type="ossa">, so that ossa
   reads its own rigs back completely. No date is written but the first of 1970: the same rig gives
   the same bytes.
   Where the mesh has images 1.4.1 is the default: Godot 3 finds none in 1.5, assimp 5.2 refuses
   the file.
   Source: COLLADA digital asset schema, releases 1.4.1 (2008) and 1.5.0 (2008). */
#include "export/collada/collada.h"

#include "export/export.h"

#include <string.h>

/* libxml2, which most programs read with, refuses deeper files */
enum { DEEPEST_ELEMENT = 256 };
/* elements around and within the innermost bone's: nodes have one for each bone, links six */
enum { AROUND_NODES = 6, AROUND_LINKS = 7, LEVELS_OF_LINKS = 6 };

static const char date[] = "1970-01-01T00:00:00Z";

static const char *unit_name(double unit)
{
	static const struct {
		double unit;
		const char *name;
	} known[] = {{1, "meter"}, {0.01, "centimeter"}, {0.001, "millimeter"}, {0.0254, "inch"}, {0.3048, "foot"}};
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		if (unit == known[i].unit) return known[i].name;
	}
	return "unit";
}

static void put_asset(ossai_collada *file)
{
	ossai_markup *markup = &file->markup;
	const bool z_up = file->options->up == OSSA_UP_Z;
	ossai_markup_open(markup, "asset", NULL);
	ossai_markup_open(markup, "contributor", NULL);
	ossai_markup_text_element(markup, "authoring_tool", "ossa");
	ossai_markup_close(markup, "contributor");
	ossai_markup_text_element(markup, "created", date);
	ossai_markup_text_element(markup, "modified", date);
	ossai_markup_open(markup, "unit", "name", unit_name(file->options->unit), NULL);
	ossai_markup_attribute_double(markup, "meter", file->options->unit);
	ossai_markup_close(markup, "unit");
	ossai_markup_text_element(markup, "up_axis", z_up ? "Z_UP" : "Y_UP");
	ossai_markup_close(markup, "asset");
}

static void put_scene(ossai_collada *file)
{
	ossai_markup_open(&file->markup, "scene", NULL);
	ossai_markup_empty(&file->markup, "instance_visual_scene", "url", "#ossa-scene", NULL);
	if (file->kinematics) ossai_collada_put_kinematics_instance(file);
	ossai_markup_close(&file->markup, "scene");
}

/* three.js reads the first library of a kind alone */
static ossa_status put_controllers(ossai_collada *file)
{
	bool has_morphs = false;
	for (size_t i = 0; i < file->parts.count; i++) has_morphs = has_morphs || file->parts.items[i].mesh->morph_count > 0;
	if (!has_morphs && !file->rig) return OSSA_OK;
	ossai_markup_open(&file->markup, "library_controllers", NULL);
	for (size_t i = 0; i < file->parts.count; i++) {
		ossai_collada_select(file, i);
		if (file->mesh->morph_count > 0) ossai_collada_put_morph(file);
		if (file->rig) OSSAI_TRY(ossai_collada_put_skin(file));
	}
	ossai_collada_select(file, 0);
	ossai_markup_close(&file->markup, "library_controllers");
	return OSSA_OK;
}

static ossa_status put_document(ossai_collada *file)
{
	static const char *const spaces[] = {
		"http://www.collada.org/2005/11/COLLADASchema", "http://www.collada.org/2008/03/COLLADASchema"};
	ossai_markup_open(&file->markup, "COLLADA", "xmlns", spaces[file->newer], "version", file->newer ? "1.5.0" : "1.4.1", NULL);
	put_asset(file);
	if (file->mesh) OSSAI_TRY(ossai_collada_put_meshes(file));
	if (file->mesh) OSSAI_TRY(put_controllers(file));
	if (file->clip) ossai_collada_put_animation(file);
	/* nodes before kinematics: both have the sids of axes, and three.js takes the first in the file
	   for the node's */
	ossai_collada_put_nodes(file);
	if (file->kinematics) ossai_collada_put_kinematics(file);
	put_scene(file);
	ossai_markup_close(&file->markup, "COLLADA");
	return OSSA_OK;
}

/* deep skeletons make deep files */
static void check_depth(ossai_collada *file)
{
	file->kinematics = file->newer && file->rig;
	if (file->deepest > DEEPEST_ELEMENT - AROUND_NODES) {
		ossai_warn(file->context, "collada-deep", 1,
			"a chain of %d bones makes XML of more levels than most programs read; glTF has no such bound", file->deepest);
	}
	if (file->kinematics && file->deepest * LEVELS_OF_LINKS > DEEPEST_ELEMENT - AROUND_LINKS) {
		file->kinematics = false;
		ossai_warn(file->context, "collada-kinematics", 1,
			"joint limits are written for ossa alone: a chain of %d bones makes Collada's kinematics deeper than programs read",
			file->deepest);
	}
}

static ossa_status write_parts(ossai_collada *file, const char *path)
{
	OSSAI_TRY(ossai_collada_write_images(file, path));
	OSSAI_TRY(ossai_markup_begin(file->context, path, &file->markup));
	const ossa_status status = put_document(file);
	if (status == OSSA_OK) return ossai_markup_commit(&file->markup);
	ossai_markup_abort(&file->markup);
	return status;
}

/* the file and its images, or none */
static ossa_status write_file(ossai_collada *file, const float *positions, const char *path)
{
	ossai_batch batch;
	if (file->mesh) {
		OSSAI_TRY(ossai_objects_split(&file->arena, file->mesh, positions, OSSAI_AXES_OWN, &file->parts));
		OSSAI_TRY(ossai_objects_take_off_morphs(&file->arena, &file->parts));
		ossai_collada_select(file, 0);
	}
	OSSAI_TRY(ossai_collada_name(file));
	check_depth(file);
	ossai_batch_begin(file->context, &batch);
	return ossai_batch_end(&batch, write_parts(file, path));
}

static bool has_images(const ossa_mesh *mesh) { return mesh && mesh->appearance && mesh->appearance->image_count > 0; }

static void begin(ossa_context *context, const ossa_mesh *mesh, const ossa_write_options *options, ossai_collada *file)
{
	memset(file, 0, sizeof *file);
	file->context = context;
	file->arena = ossai_arena_begin(context);
	file->options = options;
	file->mesh = mesh->vertex_count > 0 ? mesh : NULL;
	file->newer = options->collada == OSSA_COLLADA_1_5 || (options->collada == OSSA_COLLADA_AUTO && !has_images(file->mesh));
}

/* Every joint is written with limits: for bones without, they are measured here, in the frames that
   are written. */
static ossa_status find_limits(ossai_collada *file, ossa_rig *rig)
{
	const size_t count = rig->skeleton.bone_count;
	ossa_bone *bones = ossai_arena_new(&file->arena, count, sizeof *bones);
	if (!bones) return ossa_context_error(file->context)->status;
	memcpy(bones, rig->skeleton.bones, count * sizeof *bones);
	rig->skeleton.bones = bones;
	return ossa_rig_find_limits(file->context, rig, file->options->limit_slack);
}

ossa_status ossai_collada_write_rig(
	ossa_context *context, const ossa_rig *rig, const char *path, const ossa_write_options *options)
{
	ossai_collada file;
	ossa_rig limited = *rig;
	begin(context, rig->mesh, options, &file);
	file.rig = &limited;
	file.clip = rig->clip && rig->clip->frame_count > 0 ? rig->clip : NULL;
	ossa_status status = find_limits(&file, &limited);
	if (status == OSSA_OK) status = write_file(&file, NULL, path);
	ossai_arena_end(&file.arena);
	return status;
}

ossa_status ossai_collada_write_mesh(
	ossa_context *context, const ossa_mesh *mesh, const float *positions, const char *path, const ossa_write_options *options)
{
	ossai_collada file;
	begin(context, mesh, options, &file);
	const ossa_status status = write_file(&file, positions, path);
	ossai_arena_end(&file.arena);
	return status;
}

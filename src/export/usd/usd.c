/* export/usd/usd.c: ASCII USD files (.usda), the outline.

   Place in the path: a writer of the registry.
   Input: a checked rig, mesh or frames.
   Output: one prim that holds all: for a rig a SkelRoot with Skeleton, SkelAnimation and a Mesh
   for each object; for a mesh with morph targets the same with the Meshes alone; else an Xform
   with Meshes, whose points have time samples where there are frames. The file says its axis and
   unit; time codes are frames where these are even. Names become identifiers of letters, digits
   and '_', as USD wants ("arm-l" becomes "arm_l").
   Source: OpenUSD, crate-free text format and schemas UsdGeom, UsdSkel, UsdShade. */
#include "export/export.h"
#include "export/image_files.h"
#include "export/usd/usd.h"
#include "scene/mesh.h"
#include "scene/sets.h"

#include <string.h>

/* what is written */
typedef struct content {
	const ossa_rig *rig; /* or NULL */
	const ossa_mesh *mesh;
	const float *positions;
	const ossa_frames *frames;
} content;

/* time codes of a second: one for each frame where frames are even, so that they are whole numbers;
   else 24 */
static void choose_rate(ossai_usd *usd, const double *times, size_t count)
{
	usd->rate = 24;
	usd->first_time = count > 0 && times[0] < 0 ? times[0] : 0;
	if (count < 2) return;
	const double step = (times[count - 1] - times[0]) / (double)(count - 1);
	for (size_t f = 0; f < count; f++) {
		if (fabs(times[f] - times[0] - step * (double)f) > 1e-4 * step) return;
	}
	/* 1 / 0.041666667 means 24 */
	const double rate = 1 / step, whole = rint(rate);
	usd->rate = fabs(rate - whole) < 1e-5 * rate ? whole : rate;
}

static void put_key(ossai_usd *usd, const char *key) { ossai_print_format(&usd->printer, "    %s = ", key); }

static void put_number(ossai_usd *usd, const char *key, double value)
{
	put_key(usd, key);
	ossai_print_double(&usd->printer, value);
	ossai_print_char(&usd->printer, '\n');
}

static void put_time(ossai_usd *usd, const char *key, double seconds)
{
	put_key(usd, key);
	ossai_usd_time(usd, seconds);
	ossai_print_char(&usd->printer, '\n');
}

static void put_header(ossai_usd *usd, const double *times, size_t count)
{
	ossai_print_text(&usd->printer, "#usda 1.0\n(\n");
	ossai_print_format(&usd->printer, "    defaultPrim = \"%s\"\n    doc = \"made by ossa\"\n", usd->root.text);
	if (count > 0) {
		put_time(usd, "startTimeCode", times[0]);
		put_time(usd, "endTimeCode", times[count - 1]);
		put_number(usd, "framesPerSecond", usd->rate);
		put_number(usd, "timeCodesPerSecond", usd->rate);
	}
	put_number(usd, "metersPerUnit", usd->options->unit);
	ossai_print_format(&usd->printer, "    upAxis = \"%s\"\n)\n\n", usd->options->up == OSSA_UP_Z ? "Z" : "Y");
}

/* the prims of objects, with those that are there beside them; an only mesh is called "Mesh" */
static ossa_status name_parts(ossai_usd *usd, const ossai_object_parts *parts, ossai_usd_name **names)
{
	static const char *const taken[] = {"Skeleton", "Materials"};
	enum { TAKEN = sizeof taken / sizeof taken[0] };
	*names = ossai_arena_new(&usd->arena, TAKEN + parts->count, sizeof **names);
	if (!*names) return ossa_context_error(usd->context)->status;
	for (size_t i = 0; i < TAKEN; i++) ossai_usd_set_name(*names + i, taken[i]);
	for (size_t i = 0; i < parts->count; i++)
		ossai_usd_set_name(*names + TAKEN + i, parts->items[i].object ? parts->items[i].mesh->name : "Mesh");
	OSSAI_TRY(ossai_usd_make_names(usd->context, TAKEN + parts->count, *names));
	*names += TAKEN;
	return OSSA_OK;
}

static ossa_status put_meshes(ossai_usd *usd, const content *what)
{
	ossai_object_parts parts;
	ossai_usd_name *names, *materials;
	/* frames are in the mesh's axes */
	const ossai_axes axes = what->frames ? OSSAI_AXES_MESH : OSSAI_AXES_OWN;
	OSSAI_TRY(ossai_objects_split(&usd->arena, what->mesh, what->positions, axes, &parts));
	if (!what->frames) OSSAI_TRY(ossai_objects_take_off_morphs(&usd->arena, &parts));
	OSSAI_TRY(name_parts(usd, &parts, &names));
	for (size_t i = 0; i < parts.count; i++) {
		ossa_weights weights;
		usd->mesh = names[i];
		if (what->rig) OSSAI_TRY(ossai_object_weights(&usd->arena, &parts.items[i], &what->rig->weights, &weights));
		OSSAI_TRY(ossai_usd_put_mesh(usd, &parts.items[i], what->rig ? &weights : NULL, what->frames));
	}
	if (what->mesh->material_count == 0) return OSSA_OK;
	OSSAI_TRY(ossai_usd_name_children(usd, what->mesh, &materials));
	ossai_usd_put_materials(usd, what->mesh, materials);
	return OSSA_OK;
}

static ossa_status put_content(ossai_usd *usd, const content *what)
{
	const double *times = what->frames ? what->frames->times : what->rig && what->rig->clip ? what->rig->clip->times : NULL;
	const size_t count = what->frames ? what->frames->frame_count : times ? what->rig->clip->frame_count : 0;
	choose_rate(usd, times, count);
	put_header(usd, times, count);
	/* blend shapes, too, are valid below a SkelRoot alone */
	const bool has_morphs = what->mesh->morph_count > 0 && !what->frames, has_skel = what->rig || has_morphs;
	ossai_usd_open_prim(usd, has_skel ? "SkelRoot" : "Xform", usd->root.text, has_skel ? "\"SkelBindingAPI\"" : NULL);
	if (what->rig) OSSAI_TRY(ossai_usd_put_skeleton(usd, what->rig, what->mesh));
	else if (has_morphs && ossai_morphs_weigh(what->mesh)) ossai_usd_put_morph_skeleton(usd, what->mesh);
	if (what->mesh->vertex_count > 0) OSSAI_TRY(put_meshes(usd, what));
	ossai_usd_close(usd);
	return OSSA_OK;
}

static ossa_status write_file(ossai_usd *usd, const content *what, const char *path)
{
	content named = *what;
	OSSAI_TRY(ossai_usd_name_morphs(usd, &named.mesh));
	ossai_usd_set_name(&usd->root, what->mesh->name[0] ? what->mesh->name : "model");
	OSSAI_TRY(ossai_usd_make_names(usd->context, 1, &usd->root));
	usd->uv_count = ossai_uv_count(what->mesh);
	if (what->rig) OSSAI_TRY(ossai_usd_make_joints(usd, &what->rig->skeleton));
	const ossa_appearance *appearance = what->mesh->appearance;
	if (appearance) OSSAI_TRY(ossai_write_images(&usd->arena, appearance, path, usd->options->image_names, &usd->images));
	OSSAI_TRY(ossai_output_begin(usd->context, path, &usd->output));
	ossai_print_begin(&usd->printer, usd->output.stream);
	const ossa_status status = put_content(usd, &named);
	ossai_print_end(&usd->printer);
	if (status == OSSA_OK) return ossai_output_commit(&usd->output);
	ossai_output_abort(&usd->output);
	return status;
}

static ossa_status write(ossa_context *context, const content *what, const char *path, const ossa_write_options *options)
{
	ossai_usd usd = {.context = context, .options = options, .arena = ossai_arena_begin(context)};
	ossai_batch batch;
	ossai_batch_begin(context, &batch);
	const ossa_status status = ossai_batch_end(&batch, write_file(&usd, what, path));
	ossai_arena_end(&usd.arena);
	return status;
}

ossa_status ossai_usd_write_rig(ossa_context *context, const ossa_rig *rig, const char *path, const ossa_write_options *options)
{
	return write(context, &(content){.rig = rig, .mesh = rig->mesh}, path, options);
}

ossa_status ossai_usd_write_mesh(
	ossa_context *context, const ossa_mesh *mesh, const float *positions, const char *path, const ossa_write_options *options)
{
	return write(context, &(content){.mesh = mesh, .positions = positions}, path, options);
}

ossa_status ossai_usd_write_frames(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames, const char *path,
	const ossa_write_options *options)
{
	if (!mesh) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "a USD file of frames needs the mesh whose vertices move");
	}
	return write(context, &(content){.mesh = mesh, .frames = frames}, path, options);
}

/* export/losses.c: see losses.h. */
#include "export/losses.h"

#include "export/export.h"
#include "export/scene_left_out.h"
#include "rig/clip_morphs.h"
#include "rig/shapes.h"
#include "scene/document.h"
#include "scene/mesh.h"

void ossai_warn_of_shapes(
	ossa_context *context, const ossa_write_format *format, const ossai_holdings *holds, const ossa_rig *rig, const char *path)
{
	const size_t shapes = ossai_morphs_driven(rig->mesh), lost = ossai_shapes_lost(rig);
	if (lost > 0)
		ossai_warn(context, "shapes-unbound", (int64_t)lost,
			"%s: corrective shapes follow bones that the rig does not have: nothing moves them", path);
	if (shapes > lost && holds->morphs && !format->moves_morphs && rig->clip)
		ossai_warn(context, "shapes-still", (int64_t)(shapes - lost),
			"%s: files of this format are written with corrective shapes as morph targets that nothing moves", path);
}

void ossai_warn_of_limits(ossa_context *context, const ossai_holdings *holds, const ossa_rig *rig, const char *path)
{
	int64_t count = 0;
	for (size_t b = 0; holds->no_limits && b < rig->skeleton.bone_count; b++)
		count += rig->skeleton.bones[b].has_limits && !rig->skeleton.bones[b].limits_of_motion;
	if (count == 0) return;
	ossai_warn(context, "limits-left-out", count,
		"%s: files of this format are written without limits of joints: glTF, Collada, FBX and Maya scripts hold them", path);
}

void ossai_warn_of_loops(ossa_context *context, const ossai_holdings *holds, const ossa_rig *rig, const char *path)
{
	if (!holds->no_loops || rig->loop_count == 0) return;
	ossai_warn(context, "loops-left-out", (int64_t)rig->loop_count,
		"%s: files of this format are written without loops of joints: glTF files and JSON tables hold them", path);
}

void ossai_warn_of_dependencies(ossa_context *context, const ossai_holdings *holds, const ossa_rig *rig, const char *path)
{
	if (!holds->no_dependencies || rig->dependency_count == 0) return;
	ossai_warn(context, "dependencies-left-out", (int64_t)rig->dependency_count,
		"%s: files of this format are written without what drives dependent bones, whose motion is in them: glTF, Collada, "
		"Maya scripts, URDF and JSON tables hold it",
		path);
}

/* materials that have names alone look like nothing */
static void warn_of_looks(ossa_context *context, const ossai_holdings *holds, const ossa_mesh *mesh, const char *path)
{
	const size_t materials = mesh->appearance ? mesh->material_count : 0;
	const size_t count = materials + (holds->no_uvs ? ossa_mesh_uv_set_count(mesh) : 0);
	if (!holds->looks_lost || count == 0) return;
	ossai_warn(
		context, "looks-left-out", (int64_t)count, "%s: files of this format are written without %s", path, holds->looks_lost);
}

static bool has_mesh(const ossa_write_format *format, const ossai_holdings *holds)
{
	return format->writes_mesh || holds->mesh_beside;
}

void ossai_warn_of_objects(ossa_context *context, const ossa_write_format *format, const ossai_holdings *holds,
	const ossa_mesh *mesh, const char *path)
{
	const size_t more = (holds->no_uvs ? 0 : mesh->more_uv_count) + mesh->more_color_count;
	warn_of_looks(context, holds, mesh, path);
	if (has_mesh(format, holds) && !holds->sets && more > 0)
		ossai_warn(context, "sets-left-out", (int64_t)more,
			"%s: files of this format are written with one set of UVs and one of colours; the others are left out", path);
	if (holds->one_object && mesh->object_count > 1)
		ossai_warn(context, "objects-joined", (int64_t)mesh->object_count,
			"%s: files of this format hold no objects: all are one mesh, \"%s\" and the others", path, mesh->objects[0].name);
}

void ossai_warn_of_mesh(ossa_context *context, const ossa_write_format *format, const ossai_holdings *holds,
	const ossa_mesh *mesh, const char *path)
{
	if (has_mesh(format, holds) && !holds->morphs && mesh->morph_count > 0)
		ossai_warn(context, "morphs-left-out", (int64_t)mesh->morph_count,
			"%s: files of this format are written without morph targets: glTF, FBX, Collada, USD and Maya scripts hold them",
			path);
	ossai_warn_of_objects(context, format, holds, mesh, path);
}

/* targets that move in motions of the rig, where the format does not move them; or in the file that
   the mesh is from, where no motion has that */
static size_t count_still_morphs(const ossa_write_format *format, const ossa_rig *rig)
{
	size_t most = 0;
	for (size_t i = 0; i < ossa_rig_clip_count(rig); i++) {
		const size_t count = ossai_clip_moved_morphs(rig->mesh, ossa_rig_clip_at(rig, i));
		most = count > most ? count : most;
	}
	if (most > 0) return format->moves_morphs ? 0 : most;
	return rig->mesh->document ? rig->mesh->document->kept_morphs : 0;
}

ossa_status ossai_warn_of_rig_scene(
	ossa_context *context, const ossa_write_format *format, const ossai_holdings *holds, const ossa_rig *rig, const char *path)
{
	const ossa_mesh *mesh = rig->mesh;
	if (format->keeps_rigged && ossai_glb_can_keep(mesh)) return OSSA_OK;
	if (holds->looks) ossai_warn_of_loose_textures(context, mesh, path);
	OSSAI_TRY(ossai_warn_of_scene(context, mesh, path));
	const size_t lost = count_still_morphs(format, rig);
	if (lost > 0)
		ossai_warn(context, "shapes-dropped", (int64_t)lost,
			"%s: is written without the motion of morph targets; the mesh keeps its shape at rest", path);
	return OSSA_OK;
}

ossa_status ossai_warn_of_still_scene(ossa_context *context, const ossa_write_format *format, const ossai_holdings *holds,
	const ossa_mesh *mesh, const char *path)
{
	if (holds->looks) ossai_warn_of_loose_textures(context, mesh, path);
	return format->writes_mesh ? ossai_warn_of_scene(context, mesh, path) : OSSA_OK;
}

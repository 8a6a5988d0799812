/* export/fbx/fbx.c: FBX 7.4, binary: the outline.

   Place in the path: a writer of the registry.
   Input: a checked rig or mesh.
   Output: an .fbx as Blender's exporter lays it out, which the field's programs read.
   Joints: Lcl Translation, PreRotation (the rest pose), Lcl Rotation (the turn against it, in the
   file's Euler order XYZ, which is Rz Ry Rx), so that curves, limits (RotationMin, RotationMax) and
   a rig's own angles are the same numbers. Maya shows PreRotation as jointOrient.
   Lengths are centimetres, FBX's own unit, whatever --unit says: many programs ignore the unit.
   Source: Blender Foundation, FBX binary file format specification, 2013; Autodesk FBX SDK
   documentation, "Computing transformation matrices", for the order of a node's parts. */
#include "export/export.h"
#include "export/fbx/fbx.h"

#include <math.h>

int64_t ossai_fbx_time(double seconds) { return (int64_t)llround(seconds * (double)OSSAI_FBX_SECOND); }

/* ---- head ---- */

/* the time is constant: the same rig gives the same bytes */
static void put_time_stamp(ossai_fbx_writer *writer)
{
	static const struct {
		const char *name;
		int32_t value;
	} parts[] = {{"Version", 1000}, {"Year", 1970}, {"Month", 1}, {"Day", 1}, {"Hour", 10}, {"Minute", 0}, {"Second", 0},
		{"Millisecond", 0}};
	ossai_fbx_begin(writer, "CreationTimeStamp");
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) ossai_fbx_int_record(writer, parts[i].name, parts[i].value);
	ossai_fbx_end(writer);
}

/* FileId, CreationTime and the file's foot belong together */
static void put_head(ossai_fbx_writer *writer)
{
	static const uint8_t id[16] = {
		0x28, 0xB3, 0x2A, 0xEB, 0xB6, 0x24, 0xCC, 0xC2, 0xBF, 0xC8, 0xB0, 0x2A, 0xA9, 0x2B, 0xFC, 0xF1};
	ossai_fbx_begin(writer, "FBXHeaderExtension");
	ossai_fbx_int_record(writer, "FBXHeaderVersion", 1003);
	ossai_fbx_int_record(writer, "FBXVersion", 7400);
	ossai_fbx_int_record(writer, "EncryptionType", 0);
	put_time_stamp(writer);
	ossai_fbx_text_record(writer, "Creator", "ossa");
	ossai_fbx_end(writer);
	ossai_fbx_begin(writer, "FileId");
	ossai_fbx_raw(writer, id, sizeof id);
	ossai_fbx_end(writer);
	ossai_fbx_text_record(writer, "CreationTime", "1970-01-01 10:00:00:000");
	ossai_fbx_text_record(writer, "Creator", "ossa");
}

/* ---- settings ---- */

/* frames per second of even steps; 0 where they are not even */
static double rate_of(const ossa_clip *clip)
{
	if (!clip || clip->frame_count < 2) return 24;
	const double step = (clip->times[clip->frame_count - 1] - clip->times[0]) / (double)(clip->frame_count - 1);
	for (size_t f = 1; f < clip->frame_count; f++) {
		if (fabs(clip->times[f] - clip->times[f - 1] - step) > 1e-3 * step) return 0;
	}
	return 1 / step;
}

/* FBX's number for a rate: 14 is any */
static int32_t time_mode(double rate)
{
	static const struct {
		double rate;
		int32_t mode;
	} modes[] = {{120, 1}, {100, 2}, {60, 3}, {50, 4}, {48, 5}, {30, 6}, {25, 10}, {24, 11}, {96, 15}, {72, 16}};
	for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
		if (fabs(rate - modes[i].rate) < 1e-3 * rate) return modes[i].mode;
	}
	return 14;
}

static void put_time_settings(ossai_fbx_writer *writer)
{
	const ossa_clip *clip = writer->rig && writer->rig->clip && writer->rig->clip->frame_count > 0 ? writer->rig->clip : NULL;
	const double rate = rate_of(clip);
	ossai_fbx_p_int(writer, "TimeMode", "enum", "", time_mode(rate > 0 ? rate : 24));
	ossai_fbx_p_time(writer, "TimeSpanStart", clip ? clip->times[0] : 0);
	ossai_fbx_p_time(writer, "TimeSpanStop", clip ? clip->times[clip->frame_count - 1] : 1);
	ossai_fbx_p_double(writer, "CustomFrameRate", "double", "Number", "", rate > 0 ? rate : 24);
}

static void put_settings(ossai_fbx_writer *writer)
{
	const bool z_up = writer->options->up == OSSA_UP_Z;
	ossai_fbx_begin(writer, "GlobalSettings");
	ossai_fbx_int_record(writer, "Version", 1000);
	ossai_fbx_begin(writer, "Properties70");
	ossai_fbx_p_int(writer, "UpAxis", "int", "Integer", z_up ? 2 : 1);
	ossai_fbx_p_int(writer, "UpAxisSign", "int", "Integer", 1);
	/* towards the viewer: z, or -y */
	ossai_fbx_p_int(writer, "FrontAxis", "int", "Integer", z_up ? 1 : 2);
	ossai_fbx_p_int(writer, "FrontAxisSign", "int", "Integer", z_up ? -1 : 1);
	ossai_fbx_p_int(writer, "CoordAxis", "int", "Integer", 0);
	ossai_fbx_p_int(writer, "CoordAxisSign", "int", "Integer", 1);
	ossai_fbx_p_int(writer, "OriginalUpAxis", "int", "Integer", -1);
	ossai_fbx_p_int(writer, "OriginalUpAxisSign", "int", "Integer", 1);
	ossai_fbx_p_double(writer, "UnitScaleFactor", "double", "Number", "", 1);
	ossai_fbx_p_double(writer, "OriginalUnitScaleFactor", "double", "Number", "", 1);
	put_time_settings(writer);
	ossai_fbx_end(writer);
	ossai_fbx_end(writer);
}

static void put_documents(ossai_fbx_writer *writer)
{
	ossai_fbx_begin(writer, "Documents");
	ossai_fbx_int_record(writer, "Count", 1);
	ossai_fbx_begin(writer, "Document");
	ossai_fbx_long(writer, ossai_fbx_id(OSSAI_FBX_DOCUMENT, 0));
	ossai_fbx_text(writer, "Scene");
	ossai_fbx_text(writer, "Scene");
	ossai_fbx_begin(writer, "RootNode");
	ossai_fbx_long(writer, 0);
	ossai_fbx_end(writer);
	ossai_fbx_end(writer);
	ossai_fbx_end(writer);
	ossai_fbx_begin(writer, "References");
	ossai_fbx_end(writer);
}

/* ---- definitions: how many objects of each kind follow ---- */

typedef struct definition {
	const char *name;
	size_t count;
} definition;

static void put_definitions(ossai_fbx_writer *writer)
{
	const size_t bones = writer->joints.count, limbs = bones + writer->end_count;
	const bool has_mesh = writer->mesh->vertex_count > 0, has_skin = has_mesh && bones > 0;
	const size_t meshes = writer->part_count;
	size_t stacks, curve_nodes, shape_curves;
	ossai_fbx_count_motion(writer, &stacks, &curve_nodes, &shape_curves);
	const definition definitions[] = {{"GlobalSettings", 1}, {"NodeAttribute", limbs},
		{"Geometry", meshes + writer->shape_count}, {"Model", limbs + meshes}, {"Pose", has_skin},
		{"Deformer", (has_skin ? meshes * (bones + 1) : 0) + writer->shape_count + writer->shaped_count},
		{"Material", writer->material_count}, {"Texture", writer->texture_count}, {"Video", writer->video_count},
		{"AnimationStack", stacks}, {"AnimationLayer", stacks}, {"AnimationCurveNode", curve_nodes + shape_curves},
		{"AnimationCurve", 3 * curve_nodes + shape_curves}};
	size_t total = 0;
	for (size_t i = 0; i < sizeof definitions / sizeof definitions[0]; i++) total += definitions[i].count;
	ossai_fbx_begin(writer, "Definitions");
	ossai_fbx_int_record(writer, "Version", 100);
	ossai_fbx_int_record(writer, "Count", (int32_t)total);
	for (size_t i = 0; i < sizeof definitions / sizeof definitions[0]; i++) {
		if (definitions[i].count == 0) continue;
		ossai_fbx_begin(writer, "ObjectType");
		ossai_fbx_text(writer, definitions[i].name);
		ossai_fbx_int_record(writer, "Count", (int32_t)definitions[i].count);
		ossai_fbx_end(writer);
	}
	ossai_fbx_end(writer);
}

/* ---- objects and what belongs to what ---- */

static void put_objects(ossai_fbx_writer *writer)
{
	ossai_fbx_begin(writer, "Objects");
	for (size_t i = 0; i < writer->part_count; i++) {
		ossai_fbx_put_geometry(writer, &writer->parts[i]);
		ossai_fbx_put_mesh_model(writer, &writer->parts[i]);
		ossai_fbx_put_shapes(writer, &writer->parts[i]);
	}
	ossai_fbx_put_bones(writer);
	if (writer->part_count > 0 && writer->joints.count > 0) ossai_fbx_put_bind_pose(writer);
	for (size_t i = 0; i < writer->part_count && writer->joints.count > 0; i++) ossai_fbx_put_skin(writer, &writer->parts[i]);
	ossai_fbx_put_materials(writer);
	if (writer->joints.turns) ossai_fbx_put_motion(writer);
	ossai_fbx_end(writer);
}

static void put_links(ossai_fbx_writer *writer)
{
	ossai_fbx_begin(writer, "Connections");
	for (size_t i = 0; i < writer->link_count; i++) {
		const ossai_fbx_link *link = &writer->links[i];
		ossai_fbx_begin(writer, "C");
		ossai_fbx_text(writer, link->property ? "OP" : "OO");
		ossai_fbx_long(writer, link->child);
		ossai_fbx_long(writer, link->parent);
		if (link->property) ossai_fbx_text(writer, link->property);
		ossai_fbx_end(writer);
	}
	ossai_fbx_end(writer);
}

/* for old programs: the current animation */
static void put_takes(ossai_fbx_writer *writer)
{
	ossai_fbx_begin(writer, "Takes");
	ossai_fbx_text_record(writer, "Current", "");
	ossai_fbx_end(writer);
}

/* ---- the file ---- */

static ossa_status prepare(ossai_fbx_writer *writer)
{
	writer->arena = ossai_arena_begin(writer->context);
	writer->scale = 100 * writer->options->unit;
	if (writer->rig)
		OSSAI_TRY(ossai_joints_find(&writer->arena, writer->rig, writer->options->limit_slack, false, &writer->joints));
	writer->end_count = writer->options->leaf_bones ? writer->joints.leaf_count : 0;
	for (size_t i = 0; i < ossa_rig_clip_count(writer->rig); i++) {
		const ossa_clip *clip = ossa_rig_clip_at(writer->rig, i);
		writer->moves_all = writer->moves_all || (clip->frame_count > 0 && clip->translations);
	}
	OSSAI_TRY(ossai_fbx_plan_materials(writer));
	return ossai_fbx_find_parts(writer);
}

static ossa_status write_file(ossai_fbx_writer *writer, const char *path)
{
	writer->status = prepare(writer);
	if (writer->status != OSSA_OK) return ossai_fbx_save(writer, path);
	ossai_fbx_start(writer);
	put_head(writer);
	put_settings(writer);
	put_documents(writer);
	put_definitions(writer);
	put_objects(writer);
	put_links(writer);
	put_takes(writer);
	ossai_fbx_warn_of_materials(writer, path);
	return ossai_fbx_save(writer, path);
}

/* a rig, or a mesh alone; normals belong to the mesh's own positions */
static ossa_status write_values(ossa_context *context, const ossa_rig *rig, const ossa_mesh *mesh, const float *positions,
	const char *path, const ossa_write_options *options)
{
	ossai_fbx_writer writer = {.context = context,
		.rig = rig,
		.mesh = mesh,
		.positions = positions,
		.with_normals = mesh->corner_normal && !positions,
		.options = options};
	return write_file(&writer, path);
}

ossa_status ossai_fbx_write_rig(ossa_context *context, const ossa_rig *rig, const char *path, const ossa_write_options *options)
{
	return write_values(context, rig, rig->mesh, NULL, path, options);
}

ossa_status ossai_fbx_write_mesh(
	ossa_context *context, const ossa_mesh *mesh, const float *positions, const char *path, const ossa_write_options *options)
{
	return write_values(context, NULL, mesh, positions, path, options);
}

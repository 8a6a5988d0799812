/* export/maya/maya.c: a Python script that builds the rig in Maya, the outline.

   Place in the path: a writer of the registry.
   Input: a checked rig or mesh.
   Output: a .py for Maya 2020 and newer (Python 2.7 and 3): first what a user may want to change,
   then the numbers, then one function for each step.
   Source: Autodesk Maya, Technical Documentation, commands and nodes. Of a joint it says, for row
   vectors,
       matrix = S RO R JO IS T,
   which for column vectors, without scales, is translate, then jointOrient, then rotate; with
   rotate order xyz that is
       local = T JO Rz Ry Rx.
   So jointOrient carries the rest pose, rotate is 0 at rest, and its angles are the ones of
   ossa_bone's limits. Segment scale compensation (IS) is off, so that a scale that a user gives to
   a joint reaches its children, as in every other format. */
#include "export/export.h"
#include "export/maya/maya.h"
#include "base/format.h"

#include <math.h>
#include <string.h>

/* a line of a block ends after this column */
enum { LINE_END = 110 };

/* ---- text ---- */

void ossai_maya_begin_block(ossai_maya_writer *writer, const char *name)
{
	fprintf(writer->stream, "%s = \"\"\"\n", name);
	writer->column = 0;
}

void ossai_maya_new_line(ossai_maya_writer *writer)
{
	if (writer->column > 0) fputc('\n', writer->stream);
	writer->column = 0;
}

void ossai_maya_end_block(ossai_maya_writer *writer)
{
	ossai_maya_new_line(writer);
	fputs("\"\"\"\n", writer->stream);
}

static void put_word(ossai_maya_writer *writer, const char *text)
{
	const int size = (int)strlen(text);
	if (writer->column + 1 + size > LINE_END) ossai_maya_new_line(writer);
	if (writer->column > 0) fputc(' ', writer->stream);
	writer->column += size + (writer->column > 0);
	fputs(text, writer->stream);
}

void ossai_maya_print(char text[40], double value, int digits)
{
	ossai_format(text, 40, "%.*g", digits, value == 0 ? 0 : value);
}

void ossai_maya_number(ossai_maya_writer *writer, double value, int digits)
{
	char text[40];
	ossai_maya_print(text, value, digits);
	put_word(writer, text);
}

void ossai_maya_index(ossai_maya_writer *writer, size_t index)
{
	char text[40];
	snprintf(text, sizeof text, "%zu", index);
	put_word(writer, text);
}

void ossai_maya_tuple(ossai_maya_writer *writer, const double *values, int count, int digits)
{
	for (int i = 0; i < count; i++) {
		char text[40];
		ossai_maya_print(text, values[i], digits);
		fprintf(writer->stream, "%s%s", i > 0 ? ", " : "(", text);
	}
	fputc(')', writer->stream);
}

/* ---- names ---- */

/* letters, digits and _, no digit first: the name that Maya would make of it */
static void maya_name(ossai_maya_name name, const char *wanted, const char *fallback)
{
	size_t used = 0;
	if (!wanted[0]) wanted = fallback;
	if (wanted[0] >= '0' && wanted[0] <= '9') name[used++] = '_';
	for (; *wanted && used < 64; wanted++) {
		const char c = *wanted;
		const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
		name[used++] = good ? c : '_';
	}
	name[used] = 0;
}

static bool is_taken(const ossai_maya_name *names, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(names[i], name) == 0) return true;
	}
	return false;
}

/* stores a name, with a number appended if one of `count` has it; that is rare, so linear search
   suffices */
static void claim_name(ossai_maya_name *names, size_t count, size_t index, const char *wanted)
{
	ossai_maya_name name;
	snprintf(name, sizeof name, "%s", wanted);
	for (unsigned number = 2; is_taken(names, count, name); number++) snprintf(name, sizeof name, "%.64s_%u", wanted, number);
	memcpy(names[index], name, sizeof name);
}

/* unique names that Maya keeps, first for those that it keeps as they are, `fallback` where one is
   empty; returns how many are others than wanted. `names` is zero */
static size_t make_names(const char *const *wanted, size_t count, const char *fallback, ossai_maya_name *names)
{
	size_t changed = 0;
	ossai_maya_name name;
	for (size_t i = 0; i < count; i++) {
		maya_name(name, wanted[i], fallback);
		if (strcmp(name, wanted[i]) == 0 && !is_taken(names, i, name)) memcpy(names[i], name, sizeof name);
	}
	for (size_t i = 0; i < count; i++) {
		if (names[i][0]) continue;
		maya_name(name, wanted[i], fallback);
		claim_name(names, count, i, name);
		changed++;
	}
	return changed;
}

ossai_maya_name *ossai_maya_name_morphs(ossai_maya_writer *writer, const ossa_mesh *mesh, size_t *changed)
{
	const char **wanted = ossai_arena_new(&writer->arena, mesh->morph_count, sizeof *wanted);
	ossai_maya_name *names = ossai_arena_zero(&writer->arena, mesh->morph_count, sizeof *names);
	if (!wanted || !names) return NULL;
	for (size_t m = 0; m < mesh->morph_count; m++) wanted[m] = mesh->morphs[m].name;
	*changed = make_names(wanted, mesh->morph_count, "morph", names);
	return names;
}

/* what motions and programs find by name: bones and morph targets */
static ossa_status name_known(ossai_maya_writer *writer)
{
	const ossa_mesh *mesh = writer->mesh;
	const char **bones = ossai_arena_new(&writer->arena, writer->bone_count, sizeof *bones);
	size_t changed_morphs;
	if (!bones || !ossai_maya_name_morphs(writer, mesh, &changed_morphs)) return ossa_context_error(writer->context)->status;
	for (size_t b = 0; b < writer->bone_count; b++) bones[b] = writer->rig->skeleton.bones[b].name;
	const size_t changed = make_names(bones, writer->bone_count, "joint", writer->names) + changed_morphs;
	if (changed == 0) return OSSA_OK;
	ossai_warn(writer->context, "maya-names", (int64_t)changed,
		"Maya's names have only letters, digits and _, and no digit first: joints or morph targets are called otherwise there");
	return OSSA_OK;
}

/* chooses all names */
static ossa_status find_names(ossai_maya_writer *writer)
{
	char name[sizeof(ossai_maya_name) + 4];
	writer->name_count = writer->bone_count + writer->end_count + writer->parts.count + writer->mesh->material_count;
	writer->names = ossai_arena_zero(&writer->arena, writer->name_count, sizeof *writer->names);
	if (!writer->names) return ossa_context_error(writer->context)->status;
	OSSAI_TRY(name_known(writer));
	size_t next = writer->bone_count;
	for (size_t i = 0; i < writer->end_count; i++) {
		snprintf(name, sizeof name, "%s_end", ossai_maya_bone_name(writer, writer->joints.leaves[i]));
		claim_name(writer->names, writer->name_count, next++, name);
	}
	for (size_t i = 0; i < writer->parts.count; i++) {
		maya_name(name, writer->parts.items[i].mesh->name, "rig");
		claim_name(writer->names, writer->name_count, next++, name);
	}
	for (size_t m = 0; m < writer->mesh->material_count; m++) {
		maya_name(name, writer->mesh->materials[m], "material");
		claim_name(writer->names, writer->name_count, next++, name);
	}
	return OSSA_OK;
}

/* ---- the file ---- */

/* the size of a joint's sphere: a hundredth of the model */
static double joint_radius(const ossai_maya_writer *writer)
{
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, sum = 0;
	const float *positions = writer->positions ? writer->positions : writer->mesh->positions;
	for (size_t i = 0; i < 3 * writer->mesh->vertex_count; i++) {
		low[i % 3] = fmin(low[i % 3], (double)positions[i]);
		high[i % 3] = fmax(high[i % 3], (double)positions[i]);
	}
	for (size_t i = 0; i < 3 * writer->bone_count; i++) {
		const double position = writer->rig->skeleton.bones[i / 3].joint[i % 3];
		low[i % 3] = fmin(low[i % 3], position);
		high[i % 3] = fmax(high[i % 3], position);
	}
	for (int k = 0; k < 3; k++) sum += high[k] > low[k] ? (high[k] - low[k]) * (high[k] - low[k]) : 0;
	return sum > 0 ? 0.01 * sqrt(sum) : 1;
}

static void put_head(ossai_maya_writer *writer)
{
	const char *name = ossai_maya_part_name(writer, 0);
	const ossa_clip *clip = writer->rig ? writer->rig->clip : NULL;
	fprintf(writer->stream,
		"# -*- coding: utf-8 -*-\n"
		"\"\"\"%s: %zu joints, %zu vertices, %zu faces, %zu frames. Written by ossa.\n\n"
		"Run it in Maya 2020 or newer: Script Editor, File > Source Script. It adds to the open scene.\n"
		"The functions behind the numbers are the steps; build() at the end calls them in order.\n\"\"\"\n",
		name, writer->bone_count, writer->mesh->vertex_count, writer->mesh->polygon_count, clip ? clip->frame_count : 0);
	fputs("import maya.api.OpenMaya as om\nimport maya.api.OpenMayaAnim as oma\nimport maya.cmds as cmds\n\n", writer->stream);
}

/* what a user may want to change */
static void put_settings(ossai_maya_writer *writer)
{
	char unit[40], radius[40];
	ossai_maya_print(unit, writer->options->unit, 12);
	ossai_maya_print(radius, joint_radius(writer), 3);
	fprintf(writer->stream, "NAME = \"%s\"\n", ossai_maya_part_name(writer, 0));
	fprintf(
		writer->stream, "UNIT_IN_METRES = %s  # how long one unit of the numbers below is; Maya's own unit is 0.01\n", unit);
	fprintf(writer->stream, "UP_AXIS = \"%s\"  # of the numbers; where the scene has another one the rig is turned\n",
		writer->options->up == OSSA_UP_Z ? "z" : "y");
	fprintf(writer->stream, "JOINT_RADIUS = %s  # how large joints are drawn\n", radius);
	fputs("USE_LIMITS = True  # False: joints turn as far as they like\n", writer->stream);
	fputs("USE_DRIVERS = True  # False: joints of DRIVEN have keys of their own\n", writer->stream);
	fprintf(writer->stream, "INFLUENCES = %d  # joints that move a vertex, at most\n\n",
		writer->rig ? writer->rig->weights.influences : 0);
}

/* the blocks of each object, under the same names one after the other, put away in OBJECTS */
static ossa_status put_objects(ossai_maya_writer *writer)
{
	fputs("\n# ---- objects: the blocks of each, which its steps take for its turn ----\n\nOBJECTS = []\n", writer->stream);
	fputs(
		"BLOCKS = (\"OBJECT\", \"PLACE\", \"POINTS\", \"FACE_SIZES\", \"FACE_VERTICES\", \"UVS\", \"FACE_UVS\", \"MORE_UVS\",\n"
		"          \"NORMALS\", \"FACE_NORMALS\", \"COLORS\", \"MORE_COLORS\", \"MATERIALS\", \"MORPHS\", \"WEIGHTS\")\n",
		writer->stream);
	for (size_t i = 0; i < writer->parts.count; i++) {
		writer->part = &writer->parts.items[i];
		if (i == 0) fputs("\nOBJECT = NAME\n", writer->stream);
		else fprintf(writer->stream, "\nOBJECT = \"%s\"\n", ossai_maya_part_name(writer, i));
		OSSAI_TRY(ossai_maya_put_mesh(writer));
		OSSAI_TRY(ossai_maya_put_morphs(writer));
		OSSAI_TRY(ossai_maya_put_weights(writer));
		fputs("OBJECTS.append(dict((block, globals()[block]) for block in BLOCKS))\n", writer->stream);
	}
	return OSSA_OK;
}

static ossa_status put_all(ossai_maya_writer *writer)
{
	if (writer->rig)
		OSSAI_TRY(ossai_joints_find(&writer->arena, writer->rig, writer->options->limit_slack, true, &writer->joints));
	writer->end_count = writer->options->leaf_bones ? writer->joints.leaf_count : 0;
	/* a skin moves what is at rest where the joints are: only objects without one have places */
	OSSAI_TRY(ossai_objects_split(&writer->arena, writer->mesh, writer->positions,
		writer->rig ? OSSAI_AXES_MESH : OSSAI_AXES_RIGHT_ANGLED, &writer->parts));
	OSSAI_TRY(ossai_objects_take_off_morphs(&writer->arena, &writer->parts));
	OSSAI_TRY(find_names(writer));
	put_head(writer);
	put_settings(writer);
	ossai_maya_put_joints(writer);
	OSSAI_TRY(put_objects(writer));
	ossai_maya_put_motion(writer);
	for (size_t i = 0; i < ossai_maya_step_count; i++) fputs(ossai_maya_steps[i], writer->stream);
	return OSSA_OK;
}

static ossa_status write_script(ossai_maya_writer *writer, const char *path)
{
	ossai_output output;
	OSSAI_TRY(ossai_output_begin(writer->context, path, &output));
	writer->stream = output.stream;
	writer->arena = ossai_arena_begin(writer->context);
	const ossa_status status = put_all(writer);
	ossai_arena_end(&writer->arena);
	if (status == OSSA_OK) return ossai_output_commit(&output);
	ossai_output_abort(&output);
	return status;
}

/* a rig, or a mesh alone; normals belong to the mesh's own positions */
static ossa_status write_values(ossa_context *context, const ossa_rig *rig, const ossa_mesh *mesh, const float *positions,
	const char *path, const ossa_write_options *options)
{
	ossai_maya_writer writer = {.context = context,
		.rig = rig,
		.mesh = mesh,
		.positions = positions,
		.with_normals = mesh->corner_normal && !positions,
		.options = options,
		.bone_count = rig ? rig->skeleton.bone_count : 0};
	return write_script(&writer, path);
}

ossa_status ossai_maya_write_rig(
	ossa_context *context, const ossa_rig *rig, const char *path, const ossa_write_options *options)
{
	return write_values(context, rig, rig->mesh, NULL, path, options);
}

ossa_status ossai_maya_write_mesh(
	ossa_context *context, const ossa_mesh *mesh, const float *positions, const char *path, const ossa_write_options *options)
{
	return write_values(context, NULL, mesh, positions, path, options);
}

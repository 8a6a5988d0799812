/* export/maya/maya_morphs.c: the morph targets of a Maya script.

   Place in the path: inside the Maya writer, after the mesh.
   Input: the mesh's morph targets.
   Output: MORPHS, from which the script makes a blendShape node: the points that each target moves,
   what it adds to them, and its weight at rest and over time. */
#include "export/maya/maya.h"
#include "math/vec.h"
#include "rig/clip_morphs.h"
#include "rig/shapes.h"

/* The axis in the frame that the joint's own rotation turns in, at rest: before its rotateAxis. */
static ossai_vec3 axis_of(const ossai_maya_writer *writer, const ossa_driver *driver, size_t bone)
{
	const ossai_quat after = ossai_euler_quat(writer->joints.after[bone], ossai_euler_orders[OSSAI_EULER_XYZ]);
	const ossai_quat world = ossai_quat_unit(ossai_quat_of(writer->rig->skeleton.bones[bone].orientation));
	const ossai_mat3 frame = ossai_quat_matrix(ossai_quat_mul(world, ossai_quat_conjugate(after)));
	return ossai_mat3_tmul_v(&frame, ossai_v3_of(driver->axis));
}

static void put_driver(ossai_maya_writer *writer, const ossa_morph *morph)
{
	const ossa_driver *driver = &morph->driver;
	const int32_t bone = writer->rig && driver->bone[0] ? ossa_rig_bone(writer->rig, driver->bone) : -1;
	if (bone < 0) {
		fputs("None", writer->stream);
		return;
	}
	double axis[3];
	char from[40], to[40];
	ossai_v3_store(axis_of(writer, driver, (size_t)bone), axis);
	ossai_maya_print(from, driver->from * OSSAI_PI / 180, 15);
	ossai_maya_print(to, driver->to * OSSAI_PI / 180, 15);
	fprintf(writer->stream, "(\"%s\", ", ossai_maya_bone_name(writer, (size_t)bone));
	ossai_maya_tuple(writer, axis, 3, 15);
	fprintf(writer->stream, ", %s, %s)", from, to);
}

/* the weight at each of TIMES of a target that no bone moves, or None */
static void put_weights(ossai_maya_writer *writer, size_t morph)
{
	const ossa_clip *clip = writer->joints.turns ? writer->rig->clip : NULL;
	const size_t whole = ossai_object_morph(writer->part, morph);
	if (!clip || !ossai_clip_moves_morph(writer->rig->mesh, clip, whole)) {
		fputs("None", writer->stream);
		return;
	}
	fputs("\"\"\"\n", writer->stream);
	writer->column = 0;
	for (size_t f = 0; f < clip->frame_count; f++)
		ossai_maya_number(writer, ossai_shape_weight(writer->rig, whole, clip, f), 9);
	ossai_maya_new_line(writer);
	fputs("\"\"\"", writer->stream);
}

static void put_morph(ossai_maya_writer *writer, size_t number, const char *name)
{
	const ossa_morph *morph = &writer->part->mesh->morphs[number];
	char weight[40];
	fprintf(writer->stream, "    (\"%s\", \"\"\"\n", name);
	writer->column = 0;
	for (size_t i = 0; i < morph->count; i++) ossai_maya_index(writer, morph->vertices[i]);
	ossai_maya_new_line(writer);
	fputs("\"\"\", \"\"\"\n", writer->stream);
	for (size_t i = 0; i < 3 * morph->count; i++) ossai_maya_number(writer, (double)morph->deltas[i], 9);
	ossai_maya_new_line(writer);
	ossai_maya_print(weight, morph->weight, 17);
	fprintf(writer->stream, "\"\"\", %s, ", weight);
	put_driver(writer, morph);
	fputs(", ", writer->stream);
	put_weights(writer, number);
	fputs("),\n", writer->stream);
}

ossa_status ossai_maya_put_morphs(ossai_maya_writer *writer)
{
	const ossa_mesh *mesh = writer->part->mesh;
	size_t changed;
	const ossai_maya_name *names = ossai_maya_name_morphs(writer, mesh, &changed);
	if (!names) return ossa_context_error(writer->context)->status;
	fputs("\n# name of a target, the points that it moves, and x y z that it adds to each, its weight at rest, what it "
		  "follows: a joint, an "
		  "axis, two angles (radians); its weight at each of TIMES\nMORPHS = [\n",
		writer->stream);
	for (size_t m = 0; m < mesh->morph_count; m++) put_morph(writer, m, names[m]);
	fputs("]\n", writer->stream);
	return OSSA_OK;
}

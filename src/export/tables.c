/* export/tables.c: rigs as tables for other programs: JSON with skeleton, weights and motion,
   weights and skeletons as CSV.

   Place in the path: writers of the registry.
   Input: a checked rig.
   Output: text from which every number reads back exactly. docs/tables.md says what each key and
   column means. */
#include "export/export.h"
#include "export/gltf/glb.h"
#include "export/print.h"
#include "base/file.h"
#include "rig/dependencies.h"
#include "rig/universal_joint.h"

#include <stdlib.h>

/* ---- JSON ---- */

typedef struct json_writer {
	ossa_context *context;
	ossai_printer printer;
	const ossa_rig *rig;
	const ossa_write_options *options;
} json_writer;

static void print_numbers(ossai_printer *printer, const double *values, size_t count)
{
	ossai_print_char(printer, '[');
	for (size_t i = 0; i < count; i++) {
		if (i > 0) ossai_print_text(printer, ", ");
		ossai_print_double(printer, values[i]);
	}
	ossai_print_char(printer, ']');
}

/* `count` rows of `width` numbers as [[...], [...]] */
static void print_rows(ossai_printer *printer, const double *values, size_t count, size_t width)
{
	ossai_print_char(printer, '[');
	for (size_t i = 0; i < count; i++) {
		if (i > 0) ossai_print_text(printer, ", ");
		print_numbers(printer, values + width * i, width);
	}
	ossai_print_char(printer, ']');
}

/* a string in quotes; what is not UTF-8 in it becomes '_' */
static ossa_status print_string(json_writer *w, const char *text)
{
	json_t *value = ossai_glb_text(text);
	char *quoted = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
	json_decref(value);
	if (!quoted) return ossai_glb_no_memory(w->context);
	ossai_print_text(&w->printer, quoted);
	free(quoted);
	return OSSA_OK;
}

static ossa_status print_head(json_writer *w)
{
	ossai_printer *printer = &w->printer;
	ossai_print_text(printer, "{\n\"format\": \"ossa rig\",\n\"version\": 1,\n\"method\": ");
	OSSAI_TRY(print_string(w, w->rig->method));
	ossai_print_text(printer, ",\n\"mesh\": ");
	OSSAI_TRY(print_string(w, w->rig->mesh->name));
	ossai_print_format(printer, ",\n\"up\": \"%s\",\n\"unit\": ", w->options->up == OSSA_UP_Z ? "z" : "y");
	ossai_print_double(printer, w->options->unit);
	ossai_print_format(printer, ",\n\"bone_axis\": \"%c\",\n", "xyz"[w->options->bone_axis]);
	return OSSA_OK;
}

/* last_level: -1 where levels are not known */
static void print_bone(ossai_printer *printer, const ossa_bone *bone, int last_level)
{
	ossai_print_format(printer, "{\"name\": \"%s\", \"parent\": %d, \"kind\": \"%s\", \"joint\": ", bone->name,
		(int)bone->parent, ossa_joint_kind_name(bone->kind));
	print_numbers(printer, bone->joint, 3);
	ossai_print_text(printer, ", \"tail\": ");
	print_numbers(printer, bone->tail, 3);
	ossai_print_text(printer, ", \"orientation\": ");
	print_numbers(printer, bone->orientation, 4);
	if (ossai_joint_has_axis(bone->kind)) {
		ossai_print_text(printer, ", \"axis\": ");
		print_numbers(printer, bone->axis, 3);
	}
	if (bone->kind == OSSA_JOINT_UNIVERSAL) {
		ossai_print_text(printer, ", \"second_axis\": ");
		print_numbers(printer, bone->second_axis, 3);
	}
	if (bone->has_limits) {
		ossai_print_text(printer, ", \"limits\": ");
		print_rows(printer, bone->limits[0], 3, 2);
	}
	if (bone->has_limits && bone->kind == OSSA_JOINT_PRISMATIC) {
		ossai_print_text(printer, ", \"slide_limits\": ");
		print_numbers(printer, bone->slide_limits, 2);
	}
	ossai_print_text(printer, ", \"turn_degrees\": ");
	ossai_print_double(printer, bone->turn_degrees);
	ossai_print_text(printer, ", \"fit_residual\": ");
	ossai_print_double(printer, bone->fit_residual);
	if (last_level >= 0) ossai_print_format(printer, ", \"last_level\": %d", last_level);
	if (bone->role.part != OSSA_PART_NONE) {
		ossai_print_format(printer, ", \"part\": \"%s\", \"side\": \"%s\", \"number\": %d, \"limb\": %d",
			ossa_body_part_name(bone->role.part), ossa_body_side_name(bone->role.side), bone->role.number, bone->role.limb);
	}
	if (bone->deviation > 0) {
		ossai_print_text(printer, ", \"deviation\": ");
		ossai_print_double(printer, bone->deviation);
	}
	ossai_print_char(printer, '}');
}

/* "[[bone, weight], ...]" of the pairs that are used */
static void print_vertex(ossai_printer *printer, const ossa_weights *weights, size_t vertex)
{
	const size_t first = vertex * (size_t)weights->influences;
	ossai_print_char(printer, '[');
	for (size_t i = first; i < first + (size_t)weights->influences && weights->values[i] > 0; i++) {
		if (i > first) ossai_print_text(printer, ", ");
		ossai_print_char(printer, '[');
		ossai_print_unsigned(printer, weights->bones[i]);
		ossai_print_text(printer, ", ");
		ossai_print_float(printer, weights->values[i]);
		ossai_print_char(printer, ']');
	}
	ossai_print_char(printer, ']');
}

/* a line for each frame */
static void print_frames(
	ossai_printer *printer, const char *key, const double *values, size_t frames, size_t bones, size_t width)
{
	ossai_print_format(printer, ",\n\"%s\": [", key);
	for (size_t f = 0; f < frames; f++) {
		ossai_print_text(printer, f > 0 ? ",\n" : "\n");
		print_rows(printer, values + f * bones * width, bones, width);
	}
	ossai_print_text(printer, "\n]");
}

static ossa_status print_clip(json_writer *w, const ossa_clip *clip)
{
	ossai_print_text(&w->printer, ",\n\"clip\": {\n\"name\": ");
	OSSAI_TRY(print_string(w, clip->name));
	ossai_print_text(&w->printer, ",\n\"times\": ");
	print_numbers(&w->printer, clip->times, clip->frame_count);
	ossai_print_text(&w->printer, ",\n\"root_positions\": ");
	print_rows(&w->printer, clip->root_positions, clip->frame_count, 3);
	print_frames(&w->printer, "rotations", clip->rotations, clip->frame_count, clip->bone_count, 4);
	if (clip->translations) {
		print_frames(&w->printer, "translations", clip->translations, clip->frame_count, clip->bone_count, 3);
	}
	ossai_print_text(&w->printer, "\n}");
	return OSSA_OK;
}

static void print_loops(ossai_printer *printer, const ossa_rig *rig)
{
	ossai_print_text(printer, ",\n\"loops\": [");
	for (size_t i = 0; i < rig->loop_count; i++) {
		const ossa_loop *loop = &rig->loops[i];
		ossai_print_text(printer, i > 0 ? ",\n{\"center\": " : "\n{\"center\": ");
		print_numbers(printer, loop->center, 3);
		ossai_print_format(printer, ", \"bones\": [%d, %d]}", (int)loop->bones[0], (int)loop->bones[1]);
	}
	ossai_print_text(printer, "\n]");
}

static void print_dependencies(ossai_printer *printer, const ossa_rig *rig)
{
	ossai_print_text(printer, ",\n\"dependencies\": [");
	for (size_t i = 0; i < rig->dependency_count; i++) {
		const ossa_dependency *d = &rig->dependencies[i];
		ossai_print_format(printer, i > 0 ? ",\n{\"bone\": %d, \"driver\": %d, " : "\n{\"bone\": %d, \"driver\": %d, ",
			(int)d->bone, (int)d->driver);
		ossai_print_text(printer, "\"ratio\": ");
		ossai_print_double(printer, d->ratio);
		ossai_print_text(printer, ", \"offset_degrees\": ");
		ossai_print_double(printer, d->offset_degrees);
		ossai_print_text(printer, ", \"error_degrees\": ");
		ossai_print_double(printer, d->error_degrees);
		ossai_print_text(printer, ", \"cost\": ");
		ossai_print_double(printer, d->cost);
		if (ossai_drives_by_twist(d)) {
			ossai_print_text(printer, ", \"driver_axis\": ");
			print_numbers(printer, d->driver_axis, 3);
		}
		ossai_print_char(printer, '}');
	}
	ossai_print_text(printer, "\n]");
}

static void print_body(ossai_printer *printer, const ossa_body *body)
{
	ossai_print_format(printer, ",\n\"body\": {\"kind\": \"%s\", \"score\": ", ossa_body_kind_name(body->kind));
	ossai_print_double(printer, body->score);
	ossai_print_format(printer, ", \"runner_up\": \"%s\", \"runner_up_score\": ", ossa_body_kind_name(body->runner_up));
	ossai_print_double(printer, body->runner_up_score);
	ossai_print_text(printer, ", \"front_odds\": ");
	ossai_print_double(printer, body->front_odds);
	ossai_print_text(printer, ", \"up\": ");
	print_numbers(printer, body->up, 3);
	ossai_print_text(printer, ", \"front\": ");
	print_numbers(printer, body->front, 3);
	ossai_print_char(printer, '}');
}

static ossa_status print_json(json_writer *w)
{
	const ossa_rig *rig = w->rig;
	OSSAI_TRY(print_head(w));
	ossai_print_text(&w->printer, "\"bones\": [");
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		ossai_print_text(&w->printer, b > 0 ? ",\n" : "\n");
		print_bone(&w->printer, &rig->skeleton.bones[b], rig->level_count > 0 ? rig->last_level[b] : -1);
	}
	ossai_print_text(&w->printer, "\n],\n\"weights\": [");
	for (size_t v = 0; v < rig->weights.vertex_count; v++) {
		ossai_print_text(&w->printer, v > 0 ? ",\n" : "\n");
		print_vertex(&w->printer, &rig->weights, v);
	}
	ossai_print_text(&w->printer, "\n]");
	if (rig->level_count > 0) ossai_print_format(&w->printer, ",\n\"levels\": %d", rig->level_count);
	if (rig->loop_count > 0) print_loops(&w->printer, rig);
	if (rig->dependency_count > 0) print_dependencies(&w->printer, rig);
	if (ossa_body_is_known(&rig->body)) print_body(&w->printer, &rig->body);
	if (rig->clip) OSSAI_TRY(print_clip(w, rig->clip));
	ossai_print_text(&w->printer, "\n}\n");
	return OSSA_OK;
}

ossa_status ossai_json_write_rig(
	ossa_context *context, const ossa_rig *rig, const char *path, const ossa_write_options *options)
{
	json_writer w = {.context = context, .rig = rig, .options = options};
	ossai_output output;
	OSSAI_TRY(ossai_output_begin(context, path, &output));
	ossai_print_begin(&w.printer, output.stream);
	const ossa_status status = print_json(&w);
	ossai_print_end(&w.printer);
	if (status == OSSA_OK) return ossai_output_commit(&output);
	ossai_output_abort(&output);
	return status;
}

/* ---- CSV ---- */

static void print_weight_rows(ossai_printer *printer, const ossa_rig *rig)
{
	const ossa_weights *weights = &rig->weights;
	ossai_print_text(printer, "vertex,bone,weight\n");
	for (size_t i = 0; i < weights->vertex_count * (size_t)weights->influences; i++) {
		if (!(weights->values[i] > 0)) continue;
		ossai_print_unsigned(printer, i / (size_t)weights->influences);
		ossai_print_char(printer, ',');
		ossai_print_text(printer, rig->skeleton.bones[weights->bones[i]].name);
		ossai_print_char(printer, ',');
		ossai_print_float(printer, weights->values[i]);
		ossai_print_char(printer, '\n');
	}
}

static void print_columns(ossai_printer *printer, const double *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		ossai_print_char(printer, ',');
		ossai_print_double(printer, values[i]);
	}
}

/* empty where they are not known */
static void print_role_columns(ossai_printer *printer, const ossa_bone *bone)
{
	if (bone->role.part == OSSA_PART_NONE) ossai_print_text(printer, ",,,,");
	else {
		ossai_print_format(printer, ",%s,%s,%d,%d", ossa_body_part_name(bone->role.part), ossa_body_side_name(bone->role.side),
			bone->role.number, bone->role.limb);
	}
	if (bone->deviation > 0) print_columns(printer, &bone->deviation, 1);
	else ossai_print_char(printer, ',');
}

static void print_bone_rows(ossai_printer *printer, const ossa_rig *rig)
{
	const ossa_bone *bones = rig->skeleton.bones;
	ossai_print_text(printer,
		"name,parent,kind,joint_x,joint_y,joint_z,tail_x,tail_y,tail_z,orientation_x,orientation_y,orientation_z,orientation_w,"
		"axis_x,axis_y,axis_z,turn_degrees,fit_residual,limit_x_min,limit_x_max,limit_y_min,limit_y_max,limit_z_min,limit_z_"
		"max,part,side,number,limb,deviation,slide_min,slide_max\n");
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		const ossa_bone *bone = &bones[b];
		ossai_print_format(printer, "%s,%s,%s", bone->name, bone->parent >= 0 ? bones[bone->parent].name : "",
			ossa_joint_kind_name(bone->kind));
		print_columns(printer, bone->joint, 3);
		print_columns(printer, bone->tail, 3);
		print_columns(printer, bone->orientation, 4);
		if (ossai_joint_has_axis(bone->kind)) print_columns(printer, bone->axis, 3);
		else ossai_print_text(printer, ",,,");
		print_columns(printer, &bone->turn_degrees, 1);
		print_columns(printer, &bone->fit_residual, 1);
		if (bone->has_limits) print_columns(printer, bone->limits[0], 6);
		else ossai_print_text(printer, ",,,,,,");
		print_role_columns(printer, bone);
		if (bone->has_limits && bone->kind == OSSA_JOINT_PRISMATIC) print_columns(printer, bone->slide_limits, 2);
		else ossai_print_text(printer, ",,");
		ossai_print_char(printer, '\n');
	}
}

static ossa_status write_table(
	ossa_context *context, const ossa_rig *rig, const char *path, void (*print)(ossai_printer *printer, const ossa_rig *rig))
{
	ossai_output output;
	ossai_printer printer;
	OSSAI_TRY(ossai_output_begin(context, path, &output));
	ossai_print_begin(&printer, output.stream);
	print(&printer, rig);
	ossai_print_end(&printer);
	return ossai_output_commit(&output);
}

ossa_status ossai_weights_csv_write_rig(
	ossa_context *context, const ossa_rig *rig, const char *path, const ossa_write_options *options)
{
	(void)options;
	return write_table(context, rig, path, print_weight_rows);
}

ossa_status ossai_skeleton_csv_write_rig(
	ossa_context *context, const ossa_rig *rig, const char *path, const ossa_write_options *options)
{
	(void)options;
	return write_table(context, rig, path, print_bone_rows);
}

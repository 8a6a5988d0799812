/* report/json.c: the report: what was done, how well, and at what cost, as JSON for machines.

   Place in the path: the end.
   Input: a rig, frames, and what the context kept of the run.
   Output: text or a file. The fields are described in docs/report.md and docs/metrics.md; metrics
   come from their table, so that a new one appears by itself. */
#include "base/clock.h"
#include "base/file.h"
#include "report/html.h"
#include "report/retarget.h"
#include "metrics/metrics.h"
#include "mesh/bounds.h"
#include "mesh/pieces.h"

#include "rig/dependencies.h"
#include "rig/pose.h"
#include "rig/universal_joint.h"
#include <ossa/ossa.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MERGES_SHOWN = 200, DIGITS = 9 };

static ossa_status measure_free_bones(
	ossa_context *context, const ossa_rig *rig, const ossa_frames *frames, ossa_metrics *metrics)
{
	const ossa_weights *weights = rig->free_weights.vertex_count > 0 ? &rig->free_weights : &rig->weights;
	return ossa_rig_measure(context, rig, weights, rig->free_clip, rig->free_clip ? frames : NULL, metrics);
}

ossa_status ossa_report_make(ossa_context *context, const ossa_rig *rig, const ossa_frames *frames, ossa_report *report)
{
	ossa_metrics hierarchy, free_bones;
	if (report) memset(report, 0, sizeof *report);
	OSSAI_NEED(context, rig, report);
	OSSAI_TRY(ossai_rig_check_whole(context, rig));
	if (rig->mesh->vertex_count == 0) {
		/* a skeleton alone has no errors */
		hierarchy = free_bones = ossai_no_metrics();
	} else {
		OSSAI_TRY(ossa_rig_measure(context, rig, NULL, NULL, rig->clip ? frames : NULL, &hierarchy));
		OSSAI_TRY(measure_free_bones(context, rig, frames, &free_bones));
	}
	ossa_report_fill(context, rig, frames ? frames->frame_count : 0, &hierarchy, &free_bones, report);
	return OSSA_OK;
}

void ossa_report_fill(ossa_context *context, const ossa_rig *rig, size_t frame_count, const ossa_metrics *hierarchy,
	const ossa_metrics *free_bones, ossa_report *report)
{
	if (!context || !report) return;
	*report = (ossa_report){.rig = rig,
		.hierarchy = hierarchy ? *hierarchy : ossai_no_metrics(),
		.free_bones = free_bones ? *free_bones : ossai_no_metrics(),
		.frame_count = frame_count};
	ossai_run_seconds(context, &report->wall_seconds, &report->cpu_seconds);
	report->peak_resident_bytes = ossai_peak_resident_bytes();
}

/* ---- values; NULL, which jansson passes on as a failure, where memory is short ---- */

/* null where the number is none: JSON knows neither NaN nor infinity */
static json_t *real(double value) { return isfinite(value) ? json_real(value) : json_null(); }

/* names may come from files in any encoding: what is not UTF-8 loses its bytes above 127 */
static json_t *text(const char *value)
{
	json_t *string = json_string(value);
	if (string) return string;
	char plain[512];
	size_t length = 0;
	for (; value[length] && length + 1 < sizeof plain; length++) plain[length] = (value[length] & 0x80) ? '?' : value[length];
	plain[length] = 0;
	return json_string(plain);
}

static json_t *vector(const double *v) { return json_pack("[o, o, o]", real(v[0]), real(v[1]), real(v[2])); }

/* indices keep -1 where there is none: programs index arrays with them */
static json_t *metric_value(const ossa_metric_field *field, const void *values)
{
	const double value = ossa_metric_value(field, values);
	if (field->type == OSSA_METRIC_DOUBLE) return real(value);
	return json_integer(isnan(value) ? -1 : (json_int_t)value);
}

static json_t *metrics_value(const ossa_metric_table *table, const void *values)
{
	json_t *object = json_object();
	for (size_t i = 0; object && i < table->count; i++) {
		const ossa_metric_field *field = &table->fields[i];
		if (json_object_set_new(object, field->name, metric_value(field, values)) == 0) continue;
		json_decref(object);
		return NULL;
	}
	return object;
}

/* what the bone is in a recognized body, and how sure its joint is; false where memory is short */
static bool add_role(const ossa_bone *bone, json_t *value)
{
	int failed = 0;
	if (bone->deviation > 0) failed |= json_object_set_new(value, "deviation", real(bone->deviation));
	if (bone->role.part == OSSA_PART_NONE) return failed == 0;
	failed |= json_object_set_new(value, "part", json_string(ossa_body_part_name(bone->role.part)));
	failed |= json_object_set_new(value, "side", json_string(ossa_body_side_name(bone->role.side)));
	failed |= json_object_set_new(value, "number", json_integer(bone->role.number));
	failed |= json_object_set_new(value, "limb", json_integer(bone->role.limb));
	return failed == 0;
}

static bool add_axes(const ossa_bone *bone, json_t *value)
{
	const bool is_universal = bone->kind == OSSA_JOINT_UNIVERSAL, slides = bone->kind == OSSA_JOINT_PRISMATIC;
	if (!ossai_joint_has_axis(bone->kind)) return true;
	if (json_object_set_new(value, "axis", vector(bone->axis)) != 0) return false;
	if (slides && bone->has_limits) {
		json_t *limits = json_pack("[o, o]", real(bone->slide_limits[0]), real(bone->slide_limits[1]));
		return json_object_set_new(value, "slide_limits", limits) == 0;
	}
	return !is_universal || json_object_set_new(value, "second_axis", vector(bone->second_axis)) == 0;
}

static json_t *bone_value(const ossa_report *report, size_t index)
{
	const ossa_bone *bone = &report->rig->skeleton.bones[index];
	json_t *value = json_pack("{s:o, s:i, s:s, s:o, s:o, s:o, s:o}", "name", text(bone->name), "parent", (int)bone->parent,
		"kind", ossa_joint_kind_name(bone->kind), "joint", vector(bone->joint), "tail", vector(bone->tail), "turn_degrees",
		real(bone->turn_degrees), "fit_residual", real(bone->fit_residual));
	if (value && report->bone_rms && json_object_set_new(value, "rms_percent", real(report->bone_rms[index])) != 0) {
		json_decref(value);
		return NULL;
	}
	if (value && add_role(bone, value) && add_axes(bone, value)) return value;
	json_decref(value);
	return NULL;
}

static json_t *merge_value(const ossa_report *report, size_t index)
{
	const ossa_rig *rig = report->rig;
	const size_t skipped = rig->merge_count > MERGES_SHOWN ? rig->merge_count - MERGES_SHOWN : 0;
	const ossa_merge *merge = &rig->merges[skipped + index];
	return json_pack("[I, I, o]", (json_int_t)merge->kept, (json_int_t)merge->gone, real(merge->error));
}

static json_t *loop_value(const ossa_report *report, size_t index)
{
	const ossa_rig *rig = report->rig;
	const ossa_loop *loop = &rig->loops[index];
	return json_pack("{s:o, s:[o, o]}", "center", vector(loop->center), "bones", text(rig->skeleton.bones[loop->bones[0]].name),
		text(rig->skeleton.bones[loop->bones[1]].name));
}

/* with the error of the whole where this bone is driven: that of a fitted motion grows by the
   square of its cost */
static json_t *dependency_value(const ossa_report *report, size_t index)
{
	const ossa_rig *rig = report->rig;
	const ossa_dependency *d = &rig->dependencies[index];
	const double diagonal = ossai_bounds_make(rig->mesh->vertex_count, rig->mesh->positions).diagonal;
	const double cost = diagonal > 0 ? 100 * d->cost / diagonal : NAN;
	json_t *value = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "bone", text(rig->skeleton.bones[d->bone].name), "driver",
		text(rig->skeleton.bones[d->driver].name), "ratio", real(d->ratio), "offset_degrees", real(d->offset_degrees),
		"error_degrees", real(d->error_degrees), "cost_percent", real(cost), "rms_percent",
		real(hypot(report->hierarchy.rms_percent, cost)));
	if (value && ossai_drives_by_twist(d)) json_object_set_new(value, "driver_axis", vector(d->driver_axis));
	return value;
}

typedef struct writing {
	ossa_context *context;
	const ossa_report *report;
} writing;

static json_t *bone_item(const writing *w, size_t index) { return bone_value(w->report, index); }
static json_t *merge_item(const writing *w, size_t index) { return merge_value(w->report, index); }
static json_t *loop_item(const writing *w, size_t index) { return loop_value(w->report, index); }
static json_t *dependency_item(const writing *w, size_t index) { return dependency_value(w->report, index); }

static json_t *stage_item(const writing *w, size_t index)
{
	const ossa_stage_cost *stage = ossa_context_stage(w->context, index);
	return json_pack("{s:o, s:o, s:o, s:I}", "name", text(stage->name), "wall_seconds", real(stage->wall_seconds),
		"cpu_seconds", real(stage->cpu_seconds), "peak_bytes", (json_int_t)stage->peak_bytes);
}

static json_t *warning_item(const writing *w, size_t index)
{
	const ossa_warning *warning = ossa_context_warning(w->context, index);
	return json_pack("{s:o, s:I, s:s, s:o, s:s}", "code", text(warning->code), "count", (json_int_t)warning->count, "counted",
		warning->counted, "message", text(warning->message), "advice", ossa_warning_advice(warning->code));
}

static json_t *list(const writing *w, size_t count, json_t *(*item)(const writing *w, size_t index))
{
	json_t *array = json_array();
	for (size_t i = 0; array && i < count; i++) {
		if (json_array_append_new(array, item(w, i)) == 0) continue;
		json_decref(array);
		return NULL;
	}
	return array;
}

static json_t *mesh_value(const ossa_mesh *mesh, uint32_t piece_count)
{
	return json_pack("{s:o, s:I, s:I, s:I, s:I}", "name", text(mesh->name), "vertices", (json_int_t)mesh->vertex_count,
		"polygons", (json_int_t)mesh->polygon_count, "faces", (json_int_t)mesh->triangle_count, "pieces",
		(json_int_t)piece_count);
}

/* what was recognized; nothing where that is not known */
static json_t *body_value(const ossa_body *body)
{
	if (!ossa_body_is_known(body)) return NULL;
	return json_pack("{s:s, s:o, s:s, s:o, s:o, s:o, s:o}", "kind", ossa_body_kind_name(body->kind), "score", real(body->score),
		"runner_up", ossa_body_kind_name(body->runner_up), "runner_up_score", real(body->runner_up_score), "front_odds",
		real(body->front_odds), "up", vector(body->up), "front", vector(body->front));
}

/* nothing where they were not rigged apart */
static json_t *pieces_value(const ossa_rig *rig)
{
	const ossa_piece_roles *p = &rig->pieces;
	if (p->skeletons == 0) return NULL;
	return json_pack(
		"{s:I, s:I, s:I}", "skeletons", (json_int_t)p->skeletons, "rigid", (json_int_t)p->rigid, "along", (json_int_t)p->along);
}

static json_t *report_value(const writing *w, uint32_t piece_count)
{
	const ossa_report *report = w->report;
	const ossa_rig *rig = report->rig;
	const ossa_method *method = ossa_method_find(rig->method);
	const size_t shown = rig->merge_count < MERGES_SHOWN ? rig->merge_count : MERGES_SHOWN;
	return json_pack("{s:s, s:o, s:s?, s:s?, s:o, s:o*, s:o, s:o*, s:I, s:o, s:o, s:o*, s:o*, s:o, s:{s:o, s:o}, s:I, s:o, "
					 "s:{s:I, s:o}, s:o, s:o}",
		"ossa", OSSA_VERSION, "method", text(rig->method), "method_title", method ? method->title : NULL, "method_source",
		method ? method->source : NULL, "mesh", mesh_value(rig->mesh, piece_count), "body", body_value(&rig->body), "bones",
		list(w, rig->skeleton.bone_count, bone_item), "pieces_apart", pieces_value(rig), "frames",
		(json_int_t)report->frame_count, "hierarchy", metrics_value(ossa_metrics_table(), &report->hierarchy), "free_bones",
		metrics_value(ossa_metrics_table(), &report->free_bones), "nearness",
		report->nearness ? metrics_value(ossa_nearness_table(), report->nearness) : NULL, "retarget",
		report->retarget ? ossai_retarget_value(report->retarget) : NULL, "stages",
		list(w, ossa_context_stage_count(w->context), stage_item), "seconds", "wall", real(report->wall_seconds), "cpu",
		real(report->cpu_seconds), "peak_resident_bytes", (json_int_t)report->peak_resident_bytes, "warnings",
		list(w, ossa_context_warning_count(w->context), warning_item), "merges", "count", (json_int_t)rig->merge_count, "last",
		list(w, shown, merge_item), "loops", list(w, rig->loop_count, loop_item), "dependencies",
		list(w, rig->dependency_count, dependency_item));
}

/* ---- text ---- */

/* the end of a list that holds nothing but numbers and null, from its '[' on; 0 where it holds
   more */
static size_t plain_list_end(const char *json)
{
	const size_t length = 1 + strspn(json + 1, " \n0123456789+-.eE,nul");
	return json[length] == ']' ? length : 0;
}

/* copies the text with every list of numbers on one line */
static void join_number_lists(const char *from, char *to)
{
	bool in_string = false;
	while (*from) {
		if (*from == '\\' && in_string) *to++ = *from++;
		else if (*from == '"') in_string = !in_string;
		const size_t end = *from == '[' && !in_string ? plain_list_end(from) : 0;
		for (size_t i = 0; i < end; i++, from++) {
			if (*from == ' ' || *from == '\n') continue;
			*to++ = *from;
			if (*from == ',') *to++ = ' ';
		}
		*to++ = *from++;
	}
	*to = 0;
}

static ossa_status no_memory(ossa_context *context)
{
	return ossai_fail(context, OSSA_ERROR_MEMORY, NULL, "no memory for the report's text");
}

ossa_status ossai_report_pieces(ossa_context *context, const ossa_mesh *mesh, uint32_t *piece_count)
{
	*piece_count = 0;
	if (mesh->vertex_count == 0) return OSSA_OK;
	uint32_t *piece_of_face = ossai_new(context, mesh->triangle_count, sizeof *piece_of_face);
	if (!piece_of_face) return ossa_context_error(context)->status;
	const ossa_status status = ossai_pieces_make(
		context, mesh->vertex_count, mesh->triangle_count, mesh->triangles, piece_of_face, NULL, piece_count);
	ossa_free(context, piece_of_face);
	return status;
}

ossa_status ossa_report_json(ossa_context *context, const ossa_report *report, char **result)
{
	if (result) *result = NULL;
	OSSAI_NEED(context, report, result);
	OSSAI_NEED(context, report->rig);
	OSSAI_TRY(ossai_rig_check_faces(context, report->rig));
	uint32_t piece_count = 0;
	OSSAI_TRY(ossai_report_pieces(context, report->rig->mesh, &piece_count));
	json_t *value = report_value(&(writing){context, report}, piece_count);
	if (!value) return no_memory(context);
	char *dump = json_dumps(value, JSON_INDENT(2) | JSON_REAL_PRECISION(DIGITS));
	json_decref(value);
	if (!dump) return no_memory(context);
	/* a number of a list takes at most as much space on one line as on its own */
	char *json = ossai_new(context, strlen(dump) + 2, 1);
	if (json) {
		join_number_lists(dump, json);
		strcat(json, "\n");
	}
	free(dump);
	*result = json;
	return json ? OSSA_OK : ossa_context_error(context)->status;
}

static bool ends_in(const char *path, const char *ending)
{
	const size_t length = strlen(path), size = strlen(ending);
	return length > size && strcasecmp(path + length - size, ending) == 0;
}

ossa_status ossa_report_write(ossa_context *context, const ossa_report *report, const char *path)
{
	OSSAI_NEED(context, report, path);
	char *text = NULL;
	const bool html = ends_in(path, ".html") || ends_in(path, ".htm") || ends_in(path, ".xhtml");
	OSSAI_TRY(html ? ossa_report_html(context, report, &text) : ossa_report_json(context, report, &text));
	const ossa_status status = ossai_output_text(context, path, text);
	ossa_free(context, text);
	return status;
}

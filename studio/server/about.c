/* studio/server/about.c: the capabilities of ossa as JSON: formats, methods and their options,
   metrics, texts of warnings.

   Place in the path: behind GET api/about; made once, when the server begins.  Everything is read
   from the library's tables. */
#include "server.h"

#include <stdlib.h>
#include <string.h>

static json_t *read_formats(void)
{
	json_t *list = json_array();
	for (size_t i = 0; i < ossa_read_format_count(); i++) {
		const ossa_read_format *format = ossa_read_format_at(i);
		json_array_append_new(list,
			json_pack("{s:s, s:s, s:b, s:b, s:b}", "name", format->name, "title", format->title, "mesh", format->reads_mesh,
				"frames", format->reads_frames, "rig", format->reads_rig));
	}
	return list;
}

static json_t *endings_json(const char *endings)
{
	json_t *list = json_array();
	while (*endings) {
		const size_t length = strcspn(endings, "|");
		json_array_append_new(list, json_stringn(endings, length));
		endings += length + (endings[length] == '|');
	}
	return list;
}

static json_t *write_formats(void)
{
	json_t *list = json_array();
	for (size_t i = 0; i < ossa_write_format_count(); i++) {
		const ossa_write_format *format = ossa_write_format_at(i);
		json_array_append_new(list,
			json_pack("{s:s, s:s, s:o, s:b, s:b, s:b, s:b}", "name", format->name, "title", format->title, "endings",
				endings_json(format->endings), "mesh", format->writes_mesh, "frames", format->writes_frames, "rig",
				format->writes_rig, "clips", format->writes_clips));
	}
	return list;
}

static json_t *methods_json(void)
{
	json_t *list = json_array();
	for (size_t i = 0; i <= ossa_method_count(); i++) json_array_append_new(list, studio_method_json(i));
	return list;
}

/* how a page shows a value: `first` + value; a share in percent */
static json_t *metrics_json(const ossa_metric_table *table)
{
	json_t *list = json_array();
	for (size_t i = 0; i < table->count; i++) {
		const ossa_metric_field *field = &table->fields[i];
		json_array_append_new(list,
			json_pack("{s:s, s:s, s:s, s:s, s:s*, s:s*, s:b, s:i, s:i}", "name", field->name, "title", field->title, "unit",
				field->unit, "help", field->help, "absent", field->absent, "detail_of", field->detail_of, "share",
				field->is_share, "first", field->first, "better", field->better));
	}
	return list;
}

char *studio_about_text(const studio_server *studio)
{
	json_t *about = json_pack(
		"{s:s, s:{s:o, s:o}, s:{s:o, s:o, s:o, s:o}, s:o, s:o, s:o, s:o, s:o, s:{s:I, s:I, s:i, s:i, s:i, s:I}}", "version",
		ossa_version().text, "formats", "read", read_formats(), "write", write_formats(), "options", "read",
		studio_table_json(ossa_read_option_table()), "write", studio_table_json(ossa_write_option_table()), "shape",
		studio_table_json(studio_shape_option_table()), "match", studio_table_json(ossa_retarget_option_table()), "targets",
		studio_targets_json(), "methods", methods_json(), "verbs", studio_verbs_json(), "metrics",
		metrics_json(ossa_metrics_table()), "warnings", studio_words_json(), "limits", "upload_bytes",
		(json_int_t)studio->options.upload_limit, "body_bytes", (json_int_t)STUDIO_BODY_LIMIT, "name_bytes",
		STUDIO_NAME_SIZE - 1, "jobs", STUDIO_JOBS_RUNNING, "removed_days", STUDIO_REMOVED_DAYS, "removed_bytes",
		(json_int_t)STUDIO_REMOVED_BYTES);
	char *text = about ? json_dumps(about, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
	json_decref(about);
	return text;
}

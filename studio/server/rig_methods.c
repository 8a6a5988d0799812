/* studio/server/rig_methods.c: a rig by the options that the page sends, and the methods with their
   options as the page shows them.

   Place in the path: behind the job "rig" and api/about.  The methods, their names and the choice
   among them are the library's (ossa/method.h); nothing of that is repeated here. */
#include "server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- from JSON ---- */

/* a value of JSON as the text that option tables read */
static const char *value_text(const json_t *value, char *text, size_t size)
{
	if (json_is_string(value)) return json_string_value(value);
	if (json_is_boolean(value)) return json_is_true(value) ? "yes" : "no";
	if (json_is_integer(value)) snprintf(text, size, "%lld", (long long)json_integer_value(value));
	else if (json_is_real(value)) snprintf(text, size, "%.17g", json_real_value(value));
	else return NULL;
	return text;
}

ossa_status studio_options_fill(studio_work *work, const ossa_option_table *table, void *options, const json_t *texts)
{
	const char *name;
	json_t *value;
	json_object_foreach((json_t *)texts, name, value)
	{
		char number[40];
		const char *text = value_text(value, number, sizeof number);
		if (!text) return studio_work_fail(work, OSSA_ERROR_ARGUMENT, "%.60s: give a text, a number or true or false", name);
		if (!ossa_option_find(table, name)) {
			return studio_work_fail(work, OSSA_ERROR_ARGUMENT, "there is no option \"%.60s\" here", name);
		}
		STUDIO_TRY(ossa_option_set(work->context, table, options, name, text));
	}
	return OSSA_OK;
}

static ossa_status set_options(studio_work *work, ossa_rig_options *options)
{
	const char *name;
	json_t *value;
	json_object_foreach(json_object_get(work->wanted, "options"), name, value)
	{
		char number[40];
		const char *text = value_text(value, number, sizeof number);
		if (!text) return studio_work_fail(work, OSSA_ERROR_ARGUMENT, "%.60s: give a text, a number or true or false", name);
		if (!ossa_rig_option_find(name)) {
			return studio_work_fail(work, OSSA_ERROR_ARGUMENT, "no method has an option \"%.60s\"", name);
		}
		STUDIO_TRY(ossa_rig_option_set(work->context, options, name, text));
	}
	return OSSA_OK;
}

static ossa_status set_method(studio_work *work, ossa_rig_options *options)
{
	const json_t *wanted = json_object_get(work->wanted, "method");
	if (!wanted) return OSSA_OK;
	const char *name = json_string_value(wanted);
	return ossa_rig_option_set(work->context, options, "method", name ? name : "");
}

static ossa_status run(studio_work *work, ossa_rig_options *options, const ossa_rig_input *input, ossa_rig_result *made)
{
	STUDIO_TRY(set_options(work, options));
	STUDIO_TRY(set_method(work, options));
	return ossa_rig_make(work->context, input, options, made);
}

ossa_status studio_make_rig(studio_work *work, const ossa_mesh *mesh, const ossa_frames *frames, ossa_rig_result *made)
{
	ossa_rig_options options = ossa_rig_default();
	ossa_rig_input input = {.mesh = mesh};
	*made = (ossa_rig_result){.rig = NULL};
	STUDIO_TRY(ossa_method_options_create(work->context, &options.methods));
	ossa_status status = OSSA_OK;
	if (frames->frame_count > 0) status = ossa_frame_stream_of_frames(work->context, frames, &input.frames);
	if (status == OSSA_OK) status = run(work, &options, &input, made);
	ossa_frame_stream_free(work->context, input.frames);
	ossa_method_options_free(work->context, options.methods);
	return status;
}

/* ---- as data ---- */

static json_t *choices_json(const char *choices)
{
	json_t *list = json_array();
	while (choices && *choices) {
		const size_t length = strcspn(choices, "|");
		json_array_append_new(list, json_stringn(choices, length));
		choices += length + (choices[length] == '|');
	}
	return list;
}

/* of a whole number the words for its first values, without the letter for a number */
static json_t *words_json(const ossa_option *option)
{
	const bool is_whole = option->type == OSSA_OPTION_INT && option->choices && option->choices[0];
	const bool has_choices = option->type == OSSA_OPTION_CHOICE || option->type == OSSA_OPTION_NAME;
	json_t *list = choices_json(is_whole || has_choices ? option->choices : "");
	if (is_whole) json_array_remove(list, json_array_size(list) - 1);
	return list;
}

json_t *studio_table_json(const ossa_option_table *table)
{
	static const char *const types[] = {"bool", "int", "double", "choice", "choice", "text", "text", "text"};
	json_t *list = json_array();
	for (size_t i = 0; i < table->count; i++) {
		const ossa_option *option = &table->options[i];
		char standard[OSSA_OPTION_TEXT_SIZE];
		bool is_common = true;
		const ossa_option_group *group = ossa_option_group_find(table->groups, option->name, &is_common);
		ossa_option_print(option, table->defaults, standard, sizeof standard);
		json_array_append_new(list,
			json_pack("{s:s, s:s, s:o, s:o, s:s, s:o, s:s, s:s, s:s, s:s, s:s, s:b}", "name", option->name, "type",
				types[option->type], "minimum", studio_real(option->minimum), "maximum", studio_real(option->maximum), "unit",
				option->unit, "choices", words_json(option), "form",
				option->type == OSSA_OPTION_TEXT && option->choices ? option->choices : "", "default", standard, "help",
				option->help, "source", option->source, "group", group ? group->title : "", "common", is_common));
	}
	return list;
}

static bool has_option(const json_t *options, const char *name)
{
	for (size_t i = 0; i < json_array_size(options); i++) {
		if (strcmp(json_string_value(json_object_get(json_array_get(options, i), "name")), name) == 0) return true;
	}
	return false;
}

/* options of all methods except --method, which the page's choice sets, and those that the method
   has itself: one text sets both */
static void add_shared_options(json_t *options)
{
	json_t *shared = studio_table_json(ossa_rig_option_table());
	for (size_t i = 0; i < json_array_size(shared); i++) {
		json_t *option = json_array_get(shared, i);
		const char *name = json_string_value(json_object_get(option, "name"));
		if (strcmp(name, "method") != 0 && !has_option(options, name)) json_array_append(options, option);
	}
	json_decref(shared);
}

json_t *studio_method_json(size_t index)
{
	static const ossa_method automatic = {.name = "auto",
		.title = "Automatic",
		.help = "the method that suits the input",
		.source = "",
		.takes_still = true,
		.takes_motion = true};
	const ossa_method *method = index == 0 ? &automatic : ossa_method_at(index - 1);
	if (!method) return NULL;
	json_t *options = method->option_table ? studio_table_json(method->option_table()) : json_array();
	add_shared_options(options);
	char help[512];
	const bool has_source = method->source[0] != 0;
	if (has_source) snprintf(help, sizeof help, "%s (%s)", method->help, method->source);
	else snprintf(help, sizeof help, "%s", method->help);
	/* every method accepts frames: one that takes no motion rigs the shape at rest, and the
	   motion is fitted to that rig */
	return json_pack("{s:s, s:s, s:s, s:b, s:b, s:o}", "name", method->name, "title", method->title, "help", help, "still",
		method->takes_still, "motion", 1, "options", options);
}

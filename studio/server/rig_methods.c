/* studio/server/rig_methods.c: the methods with the options of all of them, from texts as the page sends them.

   Place in the path: behind the job "rig" and api/about.  The option tables of the library tell names, ranges, defaults and help; nothing
   of that is written here. */
#include "server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct naming_options {
	int names; /* ossa_bone_names */
} naming_options;

struct studio_methods {
	ossa_animation_options animation;
	naming_options naming;
	ossa_examples_options examples;
	ossa_sequence_options sequence;
	ossa_contraction_options contraction;
	ossa_volume_options volume;
	const json_t *given; /* names and texts */
};

static const ossa_option_table *naming_table(void)
{
	static const naming_options defaults = {OSSA_NAMES_BODY};
	static const ossa_option options[] = {
		{"names", OSSA_OPTION_CHOICE, offsetof(naming_options, names), 0, 0, "", "body|numbers",
			"what bones are called: body parts where the shape tells them (thigh_L, spine_01), or bone_07 by number", ""},
	};
	static const ossa_option_table table = {"naming", options, 1, &defaults, 0};
	return &table;
}

/* in the order of ossa_method */
static const struct {
	const char *name, *title, *help;
	bool takes_still, takes_motion;
	const ossa_option_table *(*table)(void);
} methods[] = {
	{"auto", "Automatic", "the method that suits the input", true, true, NULL},
	{"examples", "Example poses", "parts that move rigidly over the poses become bones (Schaefer & Yuksel 2007)", false, true,
		ossa_examples_option_table},
	{"sequence", "Animation", "spectral clusters of how points move become bones (de Aguiar et al. 2008)", false, true,
		ossa_sequence_option_table},
	{"contraction", "Contraction", "the shape shrinks to a curve that becomes bones (Au et al. 2008, Madaras)", true, true,
		ossa_contraction_option_table},
	{"volume", "Volume", "paths through the inside of the shape become bones (Wade & Parent 2002)", true, true,
		ossa_volume_option_table},
};
enum { METHOD_COUNT = sizeof methods / sizeof methods[0] };

static void *options_of(studio_methods *all, ossa_method method)
{
	switch (method) {
	case OSSA_METHOD_EXAMPLES: return &all->examples;
	case OSSA_METHOD_SEQUENCE: return &all->sequence;
	case OSSA_METHOD_CONTRACTION: return &all->contraction;
	case OSSA_METHOD_VOLUME: return &all->volume;
	case OSSA_METHOD_AUTO: break;
	}
	return NULL;
}

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

/* into every table that knows it, as the command does */
static ossa_status set_option(studio_work *work, studio_methods *all, const char *name, const json_t *value)
{
	char number[40];
	bool is_known = false;
	const char *text = value_text(value, number, sizeof number);
	if (!text) return studio_work_fail(work, OSSA_ERROR_ARGUMENT, "%.60s: give a text, a number or true or false", name);
	const struct {
		const ossa_option_table *table;
		void *options;
	} shared[] = {{ossa_animation_option_table(), &all->animation}, {naming_table(), &all->naming}};
	for (size_t i = 0; i < 2; i++) {
		if (!ossa_option_find(shared[i].table, name)) continue;
		is_known = true;
		STUDIO_TRY(ossa_option_set(work->context, shared[i].table, shared[i].options, name, text));
	}
	for (size_t m = 1; m < METHOD_COUNT; m++) {
		if (!ossa_option_find(methods[m].table(), name)) continue;
		is_known = true;
		STUDIO_TRY(ossa_option_set(work->context, methods[m].table(), options_of(all, (ossa_method)m), name, text));
	}
	return is_known ? OSSA_OK : studio_work_fail(work, OSSA_ERROR_ARGUMENT, "no method has an option \"%.60s\"", name);
}

/* whether all options given mean something for a method; else the first that does not */
static bool serves(const studio_methods *all, ossa_method method, const char **first_other)
{
	const char *name;
	json_t *value;
	json_object_foreach((json_t *)all->given, name, value)
	{
		const bool is_shared = ossa_option_find(ossa_animation_option_table(), name) || ossa_option_find(naming_table(), name);
		if (is_shared || ossa_option_find(methods[method].table(), name)) continue;
		*first_other = name;
		return false;
	}
	return true;
}

static ossa_status set_method(studio_work *work, studio_methods *all)
{
	const json_t *wanted = json_object_get(work->wanted, "method");
	if (!wanted) return OSSA_OK;
	const char *name = json_string_value(wanted);
	for (size_t m = 0; name && m < METHOD_COUNT; m++) {
		if (strcmp(methods[m].name, name) != 0) continue;
		all->animation.method = (int)m;
		return OSSA_OK;
	}
	return studio_work_fail(work, OSSA_ERROR_ARGUMENT, "there is no method \"%.40s\"", name ? name : "");
}

ossa_status studio_methods_make(studio_work *work, studio_methods **made)
{
	studio_methods *all = *made = calloc(1, sizeof *all);
	if (!all) return studio_work_fail(work, OSSA_ERROR_MEMORY, "out of memory");
	all->animation = ossa_animation_default();
	all->examples = ossa_examples_default();
	all->sequence = ossa_sequence_default();
	all->contraction = ossa_contraction_default();
	all->volume = ossa_volume_default();
	all->given = json_object_get(work->wanted, "options");
	const char *name;
	json_t *value;
	json_object_foreach((json_t *)all->given, name, value) STUDIO_TRY(set_option(work, all, name, value));
	return set_method(work, all);
}

void studio_methods_free(studio_methods *all) { free(all); }

/* of two methods the one that has all options given, where the other has not; else auto. Refused: options of both */
static ossa_status choose(studio_work *work, studio_methods *all, ossa_method first, ossa_method second)
{
	const char *of_second = NULL, *of_first = NULL;
	const bool by_first = serves(all, first, &of_second), by_second = serves(all, second, &of_first);
	if (by_first != by_second) all->animation.method = (int)(by_first ? first : second);
	if (by_first || by_second) return OSSA_OK;
	if (strcmp(of_first, of_second) == 0) {
		return studio_work_fail(work, OSSA_ERROR_ARGUMENT, "%s has no meaning for this input", of_first);
	}
	return studio_work_fail(
		work, OSSA_ERROR_ARGUMENT, "%s and %s are of different methods; no method has both", of_first, of_second);
}

/* refuses what the method does not have, before the work begins */
static ossa_status settle_method(studio_work *work, studio_methods *all, bool is_still)
{
	const ossa_method method = (ossa_method)all->animation.method;
	const char *other = NULL;
	if (method != OSSA_METHOD_AUTO) {
		if (is_still && !methods[method].takes_still) {
			return studio_work_fail(work, OSSA_ERROR_INPUT,
				"the method %s needs motion, and there is one mesh that does not move: open poses of it too, or choose another "
				"method",
				methods[method].name);
		}
		if (serves(all, method, &other)) return OSSA_OK;
		return studio_work_fail(work, OSSA_ERROR_ARGUMENT, "%s has no meaning for the method %s", other, methods[method].name);
	}
	if (is_still) return choose(work, all, OSSA_METHOD_CONTRACTION, OSSA_METHOD_VOLUME);
	return choose(work, all, OSSA_METHOD_EXAMPLES, OSSA_METHOD_SEQUENCE);
}

static ossa_status run_moving(studio_work *work, const studio_methods *all, const ossa_method_options *options,
	const ossa_mesh *mesh, const ossa_frames *frames, ossa_animation_rig *made)
{
	ossa_frame_stream *stream = NULL;
	STUDIO_TRY(ossa_frame_stream_of_frames(work->context, frames, &stream));
	const ossa_status status = ossa_rig_from_animation(work->context, mesh, stream, &all->animation, options, made);
	ossa_frame_stream_free(work->context, stream);
	return status;
}

ossa_status studio_methods_run(studio_work *work, studio_methods *all, const ossa_mesh *mesh, const ossa_frames *frames,
	ossa_animation_rig *made, ossa_shape_choice *choice)
{
	const ossa_method_options options = {&all->examples, &all->sequence, &all->contraction, &all->volume};
	const bool is_still = frames->frame_count == 0;
	*made = (ossa_animation_rig){0};
	STUDIO_TRY(settle_method(work, all, is_still));
	if (is_still) {
		STUDIO_TRY(ossa_rig_from_shape(work->context, mesh, (ossa_method)all->animation.method, &options, choice, &made->rig));
	} else STUDIO_TRY(run_moving(work, all, &options, mesh, frames, made));
	if (all->naming.names == OSSA_NAMES_BODY) return OSSA_OK;
	return ossa_rig_name_bones(work->context, made->rig, (ossa_bone_names)all->naming.names);
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

json_t *studio_table_json(const ossa_option_table *table)
{
	static const char *const types[] = {"bool", "int", "double", "choice", "text", "text", "text"};
	json_t *list = json_array();
	for (size_t i = 0; i < table->count; i++) {
		const ossa_option *option = &table->options[i];
		char standard[OSSA_OPTION_TEXT_SIZE];
		const bool has_choices = option->type == OSSA_OPTION_CHOICE;
		ossa_option_print(option, table->defaults, standard, sizeof standard);
		json_array_append_new(list,
			json_pack("{s:s, s:s, s:o, s:o, s:s, s:o, s:s, s:s, s:s, s:s}", "name", option->name, "type", types[option->type],
				"minimum", studio_real(option->minimum), "maximum", studio_real(option->maximum), "unit", option->unit,
				"choices", choices_json(has_choices ? option->choices : ""), "form",
				option->type >= OSSA_OPTION_TEXT && option->choices ? option->choices : "", "default", standard, "help",
				option->help, "source", option->source));
	}
	return list;
}

size_t studio_method_count(void) { return METHOD_COUNT; }

json_t *studio_method_json(size_t index)
{
	json_t *options = methods[index].table ? studio_table_json(methods[index].table()) : json_array();
	json_t *animation = studio_table_json(ossa_animation_option_table()), *naming = studio_table_json(naming_table());
	/* "method" is what is being chosen */
	for (size_t i = 0; i < json_array_size(animation); i++) {
		json_t *option = json_array_get(animation, i);
		if (strcmp(json_string_value(json_object_get(option, "name")), "method") != 0 && methods[index].takes_motion) {
			json_array_append(options, option);
		}
	}
	json_array_extend(options, naming);
	json_decref(animation);
	json_decref(naming);
	return json_pack("{s:s, s:s, s:s, s:b, s:b, s:o}", "name", methods[index].name, "title", methods[index].title, "help",
		methods[index].help, "still", methods[index].takes_still, "motion", methods[index].takes_motion, "options", options);
}

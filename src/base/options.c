/* base/options.c: option tables: finding, setting from text, printing, checking.

   Place in the path: below everything.  In: a table and a struct.  Out: the struct's fields set, or an error that names
   the option, its range and what was given. */
#include "base/context.h"
#include <ossa/options.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const ossa_option *ossa_option_find(const ossa_option_table *table, const char *name)
{
	for (size_t i = 0; i < table->count; i++) {
		if (strcmp(table->options[i].name, name) == 0) return &table->options[i];
	}
	return NULL;
}

/* the index of `text` among names joined by '|', or -1 */
static int choice_index(const char *choices, const char *text)
{
	const size_t length = strlen(text);
	int index = 0;
	for (const char *at = choices; *at; index++) {
		const size_t size = strcspn(at, "|");
		if (size == length && strncmp(at, text, size) == 0) return index;
		at += size;
		if (*at == '|') at++;
	}
	return -1;
}

const ossa_option_group *ossa_option_group_find(const ossa_option_group *groups, const char *name, bool *is_common)
{
	for (; groups && groups->title; groups++) {
		const bool in_common = choice_index(groups->common, name) >= 0;
		if (!in_common && choice_index(groups->other, name) < 0) continue;
		if (is_common) *is_common = in_common;
		return groups;
	}
	return NULL;
}

static int choice_count(const char *choices)
{
	int count = *choices != 0;
	for (const char *at = choices; *at; at++) count += *at == '|';
	return count;
}

static int parse_bool(const char *text)
{
	static const char *const yes[] = {"", "yes", "true", "on", "1"}, *const no[] = {"no", "false", "off", "0"};
	for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++) {
		if (strcmp(text, yes[i]) == 0) return 1;
	}
	for (size_t i = 0; i < sizeof no / sizeof no[0]; i++) {
		if (strcmp(text, no[i]) == 0) return 0;
	}
	return -1;
}

static ossa_status refuse(ossa_context *context, const ossa_option *option, const char *text)
{
	const char *space = option->unit[0] ? " " : "";
	switch (option->type) {
	case OSSA_OPTION_BOOL:
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "--%s takes yes or no, not \"%s\"", option->name, text);
	case OSSA_OPTION_CHOICE:
		return ossai_fail(
			context, OSSA_ERROR_ARGUMENT, NULL, "--%s takes one of %s, not \"%s\"", option->name, option->choices, text);
	case OSSA_OPTION_INT:
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "--%s takes a whole number from %.0f to %.0f%s%s, not \"%s\"",
			option->name, option->minimum, option->maximum, space, option->unit, text);
	case OSSA_OPTION_TEXT:
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "--%s takes at most %d letters, not \"%s\"", option->name,
			OSSA_OPTION_TEXT_SIZE - 1, text);
	case OSSA_OPTION_DOUBLE: break;
	}
	return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "--%s takes a number from %g to %g%s%s, not \"%s\"", option->name,
		option->minimum, option->maximum, space, option->unit, text);
}

static bool in_range(const ossa_option *option, double value) { return value >= option->minimum && value <= option->maximum; }

ossa_status ossa_option_set(
	ossa_context *context, const ossa_option_table *table, void *options, const char *name, const char *text)
{
	const ossa_option *option = ossa_option_find(table, name);
	if (!option) return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "there is no option --%s", name);
	char *field = (char *)options + option->offset;
	char *end = NULL;
	if (option->type == OSSA_OPTION_BOOL) {
		const int value = parse_bool(text);
		if (value < 0) return refuse(context, option, text);
		*(bool *)field = value != 0;
	} else if (option->type == OSSA_OPTION_CHOICE) {
		const int value = choice_index(option->choices, text);
		if (value < 0) return refuse(context, option, text);
		*(int *)field = value;
	} else if (option->type == OSSA_OPTION_TEXT) {
		const size_t length = strlen(text);
		if (length >= OSSA_OPTION_TEXT_SIZE) return refuse(context, option, text);
		memcpy(field, text, length + 1);
	} else {
		const double value = strtod(text, &end);
		const bool whole = option->type == OSSA_OPTION_DOUBLE || value == floor(value);
		if (end == text || *end != 0 || !whole || !in_range(option, value)) return refuse(context, option, text);
		if (option->type == OSSA_OPTION_INT) *(int *)field = (int)value;
		else *(double *)field = value;
	}
	return OSSA_OK;
}

void ossa_option_print(const ossa_option *option, const void *options, char *text, size_t size)
{
	const char *field = (const char *)options + option->offset;
	switch (option->type) {
	case OSSA_OPTION_BOOL: snprintf(text, size, "%s", *(const bool *)field ? "yes" : "no"); return;
	case OSSA_OPTION_INT: snprintf(text, size, "%d", *(const int *)field); return;
	case OSSA_OPTION_DOUBLE: snprintf(text, size, "%g", *(const double *)field); return;
	case OSSA_OPTION_TEXT: snprintf(text, size, "%s", field); return;
	case OSSA_OPTION_CHOICE: break;
	}
	const char *at = option->choices;
	for (int i = *(const int *)field; i > 0 && *at; i--) {
		at += strcspn(at, "|");
		if (*at == '|') at++;
	}
	snprintf(text, size, "%.*s", (int)strcspn(at, "|"), at);
}

ossa_status ossa_options_check(ossa_context *context, const ossa_option_table *table, const void *options)
{
	for (size_t i = 0; i < table->count; i++) {
		const ossa_option *option = &table->options[i];
		const char *field = (const char *)options + option->offset;
		bool good = true;
		if (option->type == OSSA_OPTION_INT) good = in_range(option, *(const int *)field);
		if (option->type == OSSA_OPTION_DOUBLE) good = in_range(option, *(const double *)field);
		if (option->type == OSSA_OPTION_CHOICE) {
			const int value = *(const int *)field;
			good = value >= 0 && value < choice_count(option->choices);
		}
		if (option->type == OSSA_OPTION_TEXT) good = memchr(field, 0, OSSA_OPTION_TEXT_SIZE) != NULL;
		char text[64];
		if (!good) {
			if (option->type == OSSA_OPTION_CHOICE) snprintf(text, sizeof text, "%d", *(const int *)field);
			else if (option->type == OSSA_OPTION_TEXT) snprintf(text, sizeof text, "%.40s...", field);
			else ossa_option_print(option, options, text, sizeof text);
			return refuse(context, option, text);
		}
	}
	return OSSA_OK;
}

/* base/options.c: option tables: finding, setting from text, printing, checking.

   Place in the path: below everything.
   Input: a table and a struct.
   Output: the struct's fields set, or an error that names the option, its range and what was
   given. */
#include "base/options.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const ossa_option *ossa_option_find(const ossa_option_table *table, const char *name)
{
	for (size_t i = 0; table && name && i < table->count; i++) {
		if (strcmp(table->options[i].name, name) == 0) return &table->options[i];
	}
	return NULL;
}

const ossa_option_group *ossa_option_group_find(const ossa_option_group *groups, const char *name, bool *is_common)
{
	for (; groups && name && groups->title; groups++) {
		const bool in_common = ossai_choice_index(groups->common, name) >= 0;
		if (!in_common && ossai_choice_index(groups->other, name) < 0) continue;
		if (is_common) *is_common = in_common;
		return groups;
	}
	return NULL;
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
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "`%s` takes yes or no, not \"%s\"", option->name, text);
	case OSSA_OPTION_POINT: {
		const char *point = strrchr(option->choices, '|');
		const int length = point ? (int)(point - option->choices) : 0;
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL,
			"`%s` takes one of %.*s, or a point as three numbers %s with commas between them, not \"%s\"", option->name, length,
			option->choices, point ? point + 1 : option->choices, text);
	}
	case OSSA_OPTION_CHOICE:
	case OSSA_OPTION_NAME:
		return ossai_fail(
			context, OSSA_ERROR_ARGUMENT, NULL, "`%s` takes one of %s, not \"%s\"", option->name, option->choices, text);
	case OSSA_OPTION_INT:
		if (option->choices[0]) {
			return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL,
				"`%s` takes a whole number up to %.0f, or one of %s, not \"%s\"", option->name, option->maximum,
				option->choices, text);
		}
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "`%s` takes a whole number from %.0f to %.0f%s%s, not \"%s\"",
			option->name, option->minimum, option->maximum, space, option->unit, text);
	case OSSA_OPTION_TEXT:
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "`%s` takes at most %d letters, not \"%s\"", option->name,
			OSSA_OPTION_TEXT_SIZE - 1, text);
	case OSSA_OPTION_RANGE:
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "`%s` takes %s, the first not after the last, not \"%s\"",
			option->name, option->choices, text);
	case OSSA_OPTION_DOUBLE: break;
	}
	return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "`%s` takes a number from %g to %g%s%s, not \"%s\"", option->name,
		option->minimum, option->maximum, space, option->unit, text);
}

static bool in_range(const ossa_option *option, double value) { return value >= option->minimum && value <= option->maximum; }

/* of a whole number: the words for its first values */
static int count_words(const ossa_option *option) { return option->choices[0] ? ossai_choice_count(option->choices) - 1 : 0; }

static bool set_number(const ossa_option *option, const char *text, void *field)
{
	const int word = option->type == OSSA_OPTION_INT ? ossai_choice_index(option->choices, text) : -1;
	if (word >= 0 && word < count_words(option)) {
		*(int *)field = (int)option->minimum + word;
		return true;
	}
	/* strtod follows the locale, and takes hexadecimal numbers */
	ossai_text at = ossai_text_begin(NULL, option->name, text, strlen(text));
	double value;
	if (ossai_text_double(&at, &value) != OSSAI_NUMBER_OK || !ossai_text_ended(&at)) return false;
	const bool whole = option->type == OSSA_OPTION_DOUBLE || value == floor(value);
	if (!whole || !in_range(option, value)) return false;
	if (option->type == OSSA_OPTION_INT) *(int *)field = (int)value;
	else *(double *)field = value;
	return true;
}

/* of a NAME or a TEXT */
static bool fits(const ossa_option *option, const char *text)
{
	return strlen(text) < OSSA_OPTION_TEXT_SIZE &&
		(option->type == OSSA_OPTION_TEXT || ossai_choice_index(option->choices, text) >= 0);
}

ossa_status ossa_option_set(
	ossa_context *context, const ossa_option_table *table, void *options, const char *name, const char *text)
{
	OSSAI_NEED(context, table, options, name, text);
	const ossa_option *option = ossa_option_find(table, name);
	if (!option) return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "there is no option `%s`", name);
	void *field = (char *)options + option->offset;
	switch (option->type) {
	case OSSA_OPTION_RANGE: return ossai_range_parse(context, name, text, field);
	case OSSA_OPTION_POINT:
		return ossai_point_parse(context, option->choices, text, field) ? OSSA_OK : refuse(context, option, text);
	case OSSA_OPTION_INT:
	case OSSA_OPTION_DOUBLE: return set_number(option, text, field) ? OSSA_OK : refuse(context, option, text);
	case OSSA_OPTION_NAME:
	case OSSA_OPTION_TEXT:
		if (!fits(option, text)) return refuse(context, option, text);
		memcpy(field, text, strlen(text) + 1);
		return OSSA_OK;
	case OSSA_OPTION_BOOL:
	case OSSA_OPTION_CHOICE: break;
	}
	const bool is_choice = option->type == OSSA_OPTION_CHOICE;
	const int value = is_choice ? ossai_choice_index(option->choices, text) : parse_bool(text);
	if (value < 0) return refuse(context, option, text);
	if (is_choice) *(int *)field = value;
	else *(bool *)field = value != 0;
	return OSSA_OK;
}

/* by its word, where it has one */
static void print_whole(const ossa_option *option, int value, char *text, size_t size)
{
	const double word = value - option->minimum; /* any two ints apart */
	if (word >= 0 && word < count_words(option)) ossai_choice_print(option->choices, (int)word, text, size);
	else snprintf(text, size, "%d", value);
}

void ossa_option_print(const ossa_option *option, const void *options, char *text, size_t size)
{
	if (text && size > 0) text[0] = 0;
	if (!option || !options || !text) return;
	const void *field = (const char *)options + option->offset;
	switch (option->type) {
	case OSSA_OPTION_BOOL: snprintf(text, size, "%s", *(const bool *)field ? "yes" : "no"); return;
	case OSSA_OPTION_INT: print_whole(option, *(const int *)field, text, size); return;
	case OSSA_OPTION_DOUBLE: ossai_number_print(*(const double *)field, 6, text, size); return;
	case OSSA_OPTION_NAME:
	case OSSA_OPTION_TEXT: snprintf(text, size, "%s", (const char *)field); return;
	case OSSA_OPTION_RANGE: ossai_range_print(field, text, size); return;
	case OSSA_OPTION_POINT: ossai_point_print(option->choices, field, text, size); return;
	case OSSA_OPTION_CHOICE: ossai_choice_print(option->choices, *(const int *)field, text, size); return;
	}
}

static bool is_valid(const ossa_option *option, const void *field)
{
	switch (option->type) {
	case OSSA_OPTION_BOOL: return true;
	case OSSA_OPTION_INT: return in_range(option, *(const int *)field);
	case OSSA_OPTION_DOUBLE: return in_range(option, *(const double *)field);
	case OSSA_OPTION_NAME:
	case OSSA_OPTION_TEXT: return memchr(field, 0, OSSA_OPTION_TEXT_SIZE) && fits(option, field);
	case OSSA_OPTION_POINT: return ossai_point_is_valid(option->choices, field);
	case OSSA_OPTION_RANGE: {
		const ossa_range *range = field;
		return range->last == 0 || range->first <= range->last;
	}
	case OSSA_OPTION_CHOICE: break;
	}
	return *(const int *)field >= 0 && *(const int *)field < ossai_choice_count(option->choices);
}

static ossa_status refuse_value(ossa_context *context, const ossa_option *option, const void *options)
{
	const void *field = (const char *)options + option->offset;
	char text[80];
	/* a choice that has no name, or a text that has no end */
	const bool is_choice = option->type == OSSA_OPTION_CHOICE || option->type == OSSA_OPTION_POINT;
	const bool has_number = is_choice &&
		(*(const int *)field < 0 || *(const int *)field >= ossai_choice_count(option->choices));
	const bool is_text = option->type == OSSA_OPTION_NAME || option->type == OSSA_OPTION_TEXT;
	if (has_number) snprintf(text, sizeof text, "%d", *(const int *)field);
	else if (is_text && !memchr(field, 0, OSSA_OPTION_TEXT_SIZE)) snprintf(text, sizeof text, "%.40s...", (const char *)field);
	else ossa_option_print(option, options, text, sizeof text);
	return refuse(context, option, text);
}

static ossa_status check_cookie(ossa_context *context, const ossa_option_table *table, uint32_t cookie)
{
	if (cookie == table->cookie) return OSSA_OK;
	if (ossai_cookies_alike(cookie, table->cookie)) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL,
			"ossa_%s_options has %zu bytes, and in this version of the library %zu: compile with its headers", table->name,
			ossai_cookie_size(cookie), table->size);
	}
	return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL,
		"the %s options do not come from ossa_%s_default(): begin with what it gives and change that", table->name,
		table->name);
}

ossa_status ossa_options_check(ossa_context *context, const ossa_option_table *table, const void *options)
{
	OSSAI_NEED(context, table, options);
	if (table->cookie != 0) OSSAI_TRY(check_cookie(context, table, *(const uint32_t *)options));
	for (size_t i = 0; i < table->count; i++) {
		const ossa_option *option = &table->options[i];
		if (!is_valid(option, (const char *)options + option->offset)) return refuse_value(context, option, options);
	}
	return OSSA_OK;
}

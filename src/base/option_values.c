/* base/option_values.c: option values with a text form of their own: names of choices, ranges,
   points.

   Input: text as it was typed.
   Output: the value, or an error that names the option; and the text again. */
#include "base/options.h"
#include "base/text.h"
#include "base/format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- choices ---- */

int ossai_choice_index(const char *choices, const char *name)
{
	const size_t length = strlen(name);
	int index = 0;
	for (const char *at = choices; *at; index++) {
		const size_t size = strcspn(at, "|");
		if (size == length && strncmp(at, name, size) == 0) return index;
		at += size;
		if (*at == '|') at++;
	}
	return -1;
}

int ossai_choice_count(const char *choices)
{
	int count = *choices != 0;
	for (const char *at = choices; *at; at++) count += *at == '|';
	return count;
}

void ossai_choice_print(const char *choices, int index, char *text, size_t size)
{
	const char *at = choices;
	for (int i = index; i > 0 && *at; i--) {
		at += strcspn(at, "|");
		if (*at == '|') at++;
	}
	snprintf(text, size, "%.*s", (int)strcspn(at, "|"), at);
}

/* ---- ranges ---- */

/* one part up to ':' or the end; an empty one leaves the value as it is */
static bool parse_part(const char **at, size_t *value, bool *given)
{
	*given = **at >= '0' && **at <= '9';
	size_t number = 0;
	for (; **at >= '0' && **at <= '9'; (*at)++) {
		if (number > (SIZE_MAX - 9) / 10) return false;
		number = 10 * number + (size_t)(**at - '0');
	}
	if (*given) *value = number;
	return **at == ':' || **at == 0;
}

/* given: which of the three parts were there; false where the text has another form */
static bool parse_parts(const char *text, ossa_range *range, bool given[3])
{
	if (!parse_part(&text, &range->first, &given[0])) return false;
	if (*text == 0) {
		/* a number alone is the only one of the range */
		range->last = range->first;
		given[1] = given[0];
		return true;
	}
	text++;
	if (!parse_part(&text, &range->last, &given[1])) return false;
	if (*text == 0) return true;
	text++;
	return parse_part(&text, &range->step, &given[2]) && *text == 0;
}

ossa_status ossai_range_parse(ossa_context *context, const char *name, const char *text, ossa_range *range)
{
	const ossa_status bad = OSSA_ERROR_ARGUMENT;
	ossa_range parsed = {0, 0, 0};
	bool given[3] = {false, false, false};
	if (!parse_parts(text, &parsed, given)) {
		return ossai_fail(context, bad, NULL,
			"`%s %s`: is no range: give FIRST:LAST:STEP with whole numbers counted from 1, e.g. 10:50:2, 10: or 7", name, text);
	}
	if (given[2] && parsed.step == 0) {
		return ossai_fail(context, bad, NULL, "`%s %s`: the step is 0: give at least 1", name, text);
	}
	if ((given[0] && parsed.first == 0) || (given[1] && parsed.last == 0)) {
		return ossai_fail(context, bad, NULL, "`%s %s`: numbers are counted from 1; there is no 0", name, text);
	}
	if (parsed.last > 0 && parsed.first > parsed.last) {
		return ossai_fail(context, bad, NULL, "`%s %s`: the first comes after the last", name, text);
	}
	*range = parsed;
	return OSSA_OK;
}

void ossai_range_print(const ossa_range *range, char *text, size_t size)
{
	char first[24] = "", last[24] = "", step[24] = "";
	if (range->first > 0) snprintf(first, sizeof first, "%zu", range->first);
	if (range->last > 0) snprintf(last, sizeof last, "%zu", range->last);
	if (range->step > 0) snprintf(step, sizeof step, ":%zu", range->step);
	const bool is_one = range->first > 0 && range->first == range->last && !step[0];
	const bool is_all = !first[0] && !last[0] && !step[0];
	snprintf(text, size, "%s%s%s%s", first, is_one || is_all ? "" : ":", is_one ? "" : last, step);
}

/* ---- points ---- */

bool ossai_point_parse(ossa_context *context, const char *choices, const char *words, ossa_choice_or_point *value)
{
	const int last = ossai_choice_count(choices) - 1, index = ossai_choice_index(choices, words);
	ossa_choice_or_point parsed = {.choice = index};
	if (index < 0 || index == last) {
		ossai_text text = ossai_text_begin(context, choices, words, strlen(words));
		parsed.choice = last;
		for (int k = 0; k < 3; k++) {
			if (k > 0 && (ossai_text_ended(&text) || *text.at++ != ',')) return false;
			ossai_text_blanks(&text);
			if (ossai_text_double(&text, &parsed.point[k]) != OSSAI_NUMBER_OK) return false;
			ossai_text_blanks(&text);
		}
		if (!ossai_text_ended(&text)) return false;
	}
	*value = parsed;
	return true;
}

void ossai_number_print(double value, int digits, char *text, size_t size) { ossai_format(text, size, "%.*g", digits, value); }

void ossai_point_print(const char *choices, const ossa_choice_or_point *value, char *text, size_t size)
{
	const double *p = value->point;
	char numbers[3][32];
	if (value->choice != ossai_choice_count(choices) - 1) {
		ossai_choice_print(choices, value->choice, text, size);
		return;
	}
	for (int k = 0; k < 3; k++) ossai_number_print(p[k], 15, numbers[k], sizeof numbers[k]);
	snprintf(text, size, "%s,%s,%s", numbers[0], numbers[1], numbers[2]);
}

bool ossai_point_is_valid(const char *choices, const ossa_choice_or_point *value)
{
	const int last = ossai_choice_count(choices) - 1;
	if (value->choice < 0 || value->choice > last) return false;
	return value->choice < last || (isfinite(value->point[0]) && isfinite(value->point[1]) && isfinite(value->point[2]));
}

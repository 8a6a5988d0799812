/* tools/ossa/metrics.c: metrics on a terminal and in JSON, for every command that measures: made
   from the library's tables.

   Place in the path: the top.
   Input: a table of metrics and structs of it.
   Output: lines, JSON. */
#include "command.h"

#include <math.h>

static bool applies(const ossa_metric_field *field, const command_metrics *metrics)
{
	for (size_t c = 0; c < metrics->count; c++) {
		if (!isnan(ossa_metric_value(field, metrics->values[c]))) return true;
	}
	return false;
}

static void print_value(const ossa_metric_field *field, const command_metrics *metrics, const void *values)
{
	const double value = ossa_metric_value(field, values);
	char text[32];
	ossa_metric_print(field, values, text, sizeof text);
	if (field->type == OSSA_METRIC_BONE && metrics->skeleton && !isnan(value)) {
		printf(" %12s", metrics->skeleton->bones[(size_t)value].name);
	} else printf(" %12s", text);
}

void command_print_metrics(const command_metrics *metrics)
{
	if (metrics->titles[0]) {
		printf("%-24s", "");
		for (size_t c = 0; c < metrics->count; c++) printf(" %12s", metrics->titles[c]);
		putchar('\n');
	}
	for (size_t i = 0; i < metrics->table->count; i++) {
		const ossa_metric_field *field = &metrics->table->fields[i];
		if (!applies(field, metrics)) continue;
		printf("%s%-*s", field->detail_of ? "  " : "", field->detail_of ? 22 : 24, field->title);
		for (size_t c = 0; c < metrics->count; c++) print_value(field, metrics, metrics->values[c]);
		printf("%s%s\n", field->unit[0] ? "  " : "", field->unit);
	}
}

json_t *command_json_metrics(const ossa_metric_table *table, const void *values)
{
	json_t *object = json_object();
	for (size_t i = 0; i < table->count; i++) {
		const ossa_metric_field *field = &table->fields[i];
		const double value = ossa_metric_value(field, values);
		json_object_set_new(object, field->name,
			field->type == OSSA_METRIC_DOUBLE ? command_json_real(value) : json_integer(isnan(value) ? -1 : (json_int_t)value));
	}
	return object;
}

/* tools/ossa/cmd_help.c: `ossa help [COMMAND [TOPIC] | metrics]` and `ossa version`. */
#include "command_tables.h"

#include <string.h>

/* ---- metrics, which reports and tables of several commands show ---- */

static json_t *metrics_json(void)
{
	json_t *list = json_array();
	const ossa_metric_table *table;
	for (size_t t = 0; (table = ossa_metric_table_at(t)) != NULL; t++) {
		json_t *metrics = json_array();
		for (size_t i = 0; i < table->count; i++) {
			const ossa_metric_field *field = &table->fields[i];
			json_array_append_new(metrics,
				json_pack("{s:s, s:s, s:s, s:s, s:s*, s:s*}", "name", field->name, "title", field->title, "unit", field->unit,
					"help", field->help, "absent", field->absent, "detail_of", field->detail_of));
		}
		json_array_append_new(
			list, json_pack("{s:s, s:s, s:o}", "name", table->name, "title", table->title, "metrics", metrics));
	}
	return list;
}

static void print_metric(const ossa_metric_field *field)
{
	static const char *const better[] = {"; lower is better", "", "; higher is better"};
	char text[512];
	snprintf(text, sizeof text, "%s (%s)%s%s%s%s%s", field->title, field->name, field->unit[0] ? ", " : "", field->unit,
		better[field->better + 1], field->absent ? "; none where " : "", field->absent ? field->absent : "");
	fputs("  ", stdout);
	command_print_wrapped(stdout, text, 2, 2);
	fprintf(stdout, "    ");
	command_print_wrapped(stdout, field->help, 4, 4);
}

static ossa_status help_on_metrics(command_run *run)
{
	const ossa_metric_table *table;
	if (run->shared.json) return command_print_json(run, metrics_json());
	for (size_t t = 0; (table = ossa_metric_table_at(t)) != NULL; t++) {
		printf("%s%s: %s\n", t ? "\n" : "", table->name, table->title);
		for (size_t i = 0; i < table->count; i++) print_metric(&table->fields[i]);
	}
	return OSSA_OK;
}

/* ---- */

static ossa_status refuse_command(command_run *run, const char *name)
{
	const char *names[64] = {"metrics"};
	size_t count = 1;
	for (size_t i = 0; command_list[i] && count < 64; i++) names[count++] = command_list[i]->name;
	const char *nearest = ossa_nearest_name(name, names, count);
	return command_fail(run, OSSA_ERROR_ARGUMENT, "there is no command \"%s\"%s%s%s (see: ossa --help)", name,
		nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
}

static ossa_status run_help(command_run *run)
{
	if (run->files.count == 0) {
		command_print_overview(stdout);
		return OSSA_OK;
	}
	const char *name = run->files.values[0];
	if (strcmp(name, "metrics") == 0) return help_on_metrics(run);
	const command_definition *asked = command_find(name);
	if (!asked) return refuse_command(run, name);
	return command_help_on(run, asked, run->files.count > 1 ? run->files.values[1] : NULL);
}

static ossa_status run_version(command_run *run)
{
	if (run->shared.json) return command_print_json(run, json_pack("{s:s}", "version", ossa_version().text));
	printf("ossa %s\n", ossa_version().text);
	return OSSA_OK;
}

const command_definition command_help = {
	.name = "help",
	.summary = "explain a command, a topic of it, or the metrics",
	.usage = "[COMMAND [TOPIC] | metrics]",
	.details =
		"`ossa help rig weights` is the same as `ossa rig --help weights`. `ossa help metrics` explains every number that "
		"tables and reports show.",
	.examples = "ossa help rig\n"
				"ossa help rig all\n"
				"ossa help rig contraction\n"
				"ossa help metrics",
	.files_maximum = 2,
	.run = run_help,
};

const command_definition command_version = {
	.name = "version",
	.summary = "print the version",
	.usage = "",
	.run = run_version,
};

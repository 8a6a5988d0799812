/* tools/ossa/reports.c: --report of the commands that have it.

   Place in the path: the top.
   Input: paths, a report.
   Output: files: JSON for machines, HTML for people. */
#include "command.h"

#include <string.h>
#include <strings.h>

static bool ends_in(const char *path, const char *ending)
{
	const size_t length = strlen(path), size = strlen(ending);
	return length > size && strcasecmp(path + length - size, ending) == 0;
}

ossa_status command_check_reports(command_run *run, size_t text)
{
	for (size_t i = 0; i < run->texts[text].count; i++) {
		const char *path = run->texts[text].values[i];
		if (!ends_in(path, ".json") && !ends_in(path, ".html") && !ends_in(path, ".htm")) {
			return command_fail(run, OSSA_ERROR_ARGUMENT,
				"%s: a report is a page for people or JSON for machines; give it the ending .html or .json", path);
		}
		COMMAND_TRY(command_check_output(run, path));
	}
	return OSSA_OK;
}

ossa_status command_write_reports(command_run *run, size_t text, const ossa_report *report)
{
	for (size_t i = 0; i < run->texts[text].count; i++) {
		COMMAND_TRY(command_check(run));
		COMMAND_TRY(ossa_report_write(run->context, report, run->texts[text].values[i]));
	}
	return OSSA_OK;
}

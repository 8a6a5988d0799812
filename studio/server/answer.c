/* studio/server/answer.c: answers: JSON, files, refusals; and parsing of a request's query and
   body.

   Place in the path: below every handler. */
#include "server.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

studio_answer studio_answer_none(void) { return (studio_answer){.status = 500, .file = -1, .revision = -1}; }

void studio_answer_free(studio_answer *answer)
{
	free(answer->text);
	if (answer->file >= 0) close(answer->file);
	if (answer->stream) answer->stream->free(answer->stream);
	*answer = studio_answer_none();
}

void studio_answer_text(studio_answer *answer, const char *type, char *text, size_t size)
{
	studio_answer_free(answer);
	answer->status = 200;
	answer->type = type;
	answer->text = text;
	answer->size = size;
}

void studio_no_memory(studio_answer *answer)
{
	static const char said[] = "{\"error\": {\"code\": \"memory\", \"message\": \"out of memory\"}}\n";
	studio_answer_free(answer);
	answer->status = 507;
	answer->type = "application/json";
	answer->text = malloc(sizeof said);
	if (answer->text) memcpy(answer->text, said, sizeof said);
	answer->size = answer->text ? sizeof said - 1 : 0;
}

void studio_answer_json(studio_answer *answer, int status, json_t *value)
{
	char *text = value ? json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
	json_decref(value);
	if (!text) {
		studio_no_memory(answer);
		return;
	}
	studio_answer_text(answer, "application/json", text, strlen(text));
	answer->status = status;
}

void studio_refuse(studio_answer *answer, int status, const char *code, const char *format, ...)
{
	char message[640];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(message, sizeof message, format, arguments);
	va_end(arguments);
	/* it may quote what was sent, which need not be text */
	json_t *text = json_string(message);
	if (!text) text = json_string("the request is not UTF-8");
	studio_answer_json(answer, status, json_pack("{s:{s:s, s:o}}", "error", "code", code, "message", text));
}

void studio_answer_file(studio_answer *answer, const char *type, int file)
{
	struct stat facts;
	studio_answer_free(answer);
	if (file < 0 || fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode)) {
		if (file >= 0) close(file);
		studio_refuse(answer, 404, "input", "there is no such file");
		return;
	}
	answer->status = 200;
	answer->type = type;
	answer->file = file;
	answer->length = (uint64_t)facts.st_size;
}

json_t *studio_real(double value) { return isfinite(value) ? json_real(value) : json_null(); }

json_t *studio_metrics_json(const ossa_metric_table *table, const void *values)
{
	json_t *object = json_object();
	for (size_t i = 0; i < table->count; i++) {
		const ossa_metric_field *field = &table->fields[i];
		const double value = ossa_metric_value(field, values);
		json_object_set_new(object, field->name,
			field->type == OSSA_METRIC_DOUBLE ? studio_real(value) : json_integer(isnan(value) ? -1 : (json_int_t)value));
	}
	return object;
}

json_t *studio_reals(const double *values, size_t count)
{
	json_t *list = json_array();
	for (size_t i = 0; list && i < count; i++) {
		if (json_array_append_new(list, studio_real(values[i])) != 0) {
			json_decref(list);
			return NULL;
		}
	}
	return list;
}

const char *studio_status_code(ossa_status status)
{
	switch (status) {
	case OSSA_OK: return "";
	case OSSA_ERROR_ARGUMENT: return "argument";
	case OSSA_ERROR_INPUT: return "input";
	case OSSA_ERROR_READ: return "read";
	case OSSA_ERROR_WRITE: return "write";
	case OSSA_ERROR_MEMORY: return "memory";
	case OSSA_ERROR_LIMIT: return "limit";
	case OSSA_ERROR_CANCELLED: return "cancelled";
	}
	return "input";
}

bool studio_argument(
	const studio_request *request, const char *name, uint64_t absent, uint64_t maximum, uint64_t *value, studio_answer *answer)
{
	const char *text = request->argument ? request->argument(request->user, name) : NULL;
	*value = absent;
	if (!text) return true;
	char *end = NULL;
	errno = 0;
	const unsigned long long number = text[0] >= '0' && text[0] <= '9' ? strtoull(text, &end, 10) : 0;
	if (!end || *end || errno || number > maximum) {
		studio_refuse(answer, 400, "argument", "%s: give a whole number from 0 to %llu", name, (unsigned long long)maximum);
		return false;
	}
	*value = number;
	return true;
}

json_t *studio_body_json(const studio_request *request, studio_answer *answer)
{
	json_error_t error;
	json_t *value = json_loadb(request->body ? request->body : "", request->body_size, JSON_REJECT_DUPLICATES, &error);
	if (json_is_object(value)) return value;
	if (value) studio_refuse(answer, 400, "argument", "the body is no JSON object");
	else studio_refuse(answer, 400, "argument", "the body is no JSON: %s (line %d)", error.text, error.line);
	json_decref(value);
	return NULL;
}

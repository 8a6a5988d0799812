/* export/usd/usd_text.c: the text of a USD file: identifiers, prims, lists, time samples.

   Place in the path: inside the USD writer.
   Input: names and numbers.
   Output: text. Each time sample has a line of its own, as three.js wants. */
#include "export/usd/usd.h"
#include "base/format.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- identifiers ---- */

void ossai_usd_set_name(ossai_usd_name *name, const char *text) { snprintf(name->text, sizeof name->text - 16, "%s", text); }

static void make_identifier(ossai_usd_name *name)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
	char *text = name->text;
	for (char *at = text; *at; at++) {
		if (!strchr(plain, *at)) *at = '_';
	}
	if (text[0] && !(text[0] >= '0' && text[0] <= '9')) return;
	memmove(text + 1, text, strlen(text) + 1);
	text[0] = '_';
}

/* the names met so far, by hash */
typedef struct name_table {
	const ossai_usd_name *names;
	uint32_t *slots; /* index of a name, or OSSA_NONE */
	uint32_t *next;  /* by name: the number for the next equal name */
	size_t mask;
} name_table;

static uint32_t *find_slot(const name_table *table, const char *text)
{
	uint64_t hash = 14695981039346656037u;
	for (const char *at = text; *at; at++) hash = (hash ^ (uint8_t)*at) * 1099511628211u;
	size_t slot = (size_t)(hash ^ hash >> 32) & table->mask;
	while (table->slots[slot] != OSSA_NONE && strcmp(table->names[table->slots[slot]].text, text) != 0) {
		slot = (slot + 1) & table->mask;
	}
	return &table->slots[slot];
}

/* adds name `i`, with a number if its text is in use */
static void add_name(const name_table *table, ossai_usd_name *name, size_t i)
{
	uint32_t *slot = find_slot(table, name->text);
	const uint32_t namesake = *slot;
	const size_t length = strlen(name->text);
	while (*slot != OSSA_NONE) {
		snprintf(name->text + length, sizeof name->text - length, "_%u", (unsigned)table->next[namesake]++);
		slot = find_slot(table, name->text);
	}
	*slot = (uint32_t)i;
	table->next[i] = 2;
}

ossa_status ossai_usd_make_names(ossa_context *context, size_t count, ossai_usd_name *names)
{
	ossai_arena scratch = ossai_arena_begin(context);
	size_t size = 16;
	while (size < 2 * count) size *= 2;
	name_table table = {names, ossai_arena_new(&scratch, size, sizeof *table.slots),
		ossai_arena_new(&scratch, count, sizeof *table.next), size - 1};
	const bool ready = table.slots && table.next;
	if (ready) memset(table.slots, 0xff, size * sizeof *table.slots);
	for (size_t i = 0; ready && i < count; i++) {
		make_identifier(&names[i]);
		add_name(&table, &names[i], i);
	}
	ossai_arena_end(&scratch);
	return ready ? OSSA_OK : ossa_context_error(context)->status;
}

/* ---- lines ---- */

static void indent(ossai_usd *usd)
{
	for (int i = 0; i < usd->depth; i++) ossai_print_text(&usd->printer, "    ");
}

void ossai_usd_line(ossai_usd *usd, const char *format, ...)
{
	char text[1000];
	va_list arguments;
	va_start(arguments, format);
	ossai_vformat(text, sizeof text, format, arguments);
	va_end(arguments);
	indent(usd);
	ossai_print_text(&usd->printer, text);
	ossai_print_char(&usd->printer, '\n');
}

void ossai_usd_open_prim(ossai_usd *usd, const char *type, const char *name, const char *schemas)
{
	ossai_usd_line(usd, "def %s \"%s\"%s", type, name, schemas ? " (" : "");
	if (schemas) {
		ossai_usd_line(usd, "    prepend apiSchemas = [%s]", schemas);
		ossai_usd_line(usd, ")");
	}
	ossai_usd_line(usd, "{");
	usd->depth++;
}

void ossai_usd_close(ossai_usd *usd)
{
	usd->depth--;
	ossai_usd_line(usd, "}");
}

/* ---- lists ---- */

void ossai_usd_open_list(ossai_usd *usd, const char *declaration)
{
	indent(usd);
	ossai_print_text(&usd->printer, declaration);
	ossai_print_text(&usd->printer, " = [");
	usd->listed = false;
}

void ossai_usd_item(ossai_usd *usd)
{
	if (usd->listed) ossai_print_text(&usd->printer, ", ");
	usd->listed = true;
}

void ossai_usd_close_list(ossai_usd *usd, const char *metadata)
{
	ossai_print_text(&usd->printer, metadata ? "] (\n" : "]\n");
	if (!metadata) return;
	usd->depth++;
	ossai_usd_line(usd, "%s", metadata);
	usd->depth--;
	ossai_usd_line(usd, ")");
}

void ossai_usd_floats(ossai_usd *usd, const float *values, size_t count)
{
	ossai_usd_item(usd);
	for (size_t i = 0; i < count; i++) {
		if (count > 1) ossai_print_text(&usd->printer, i == 0 ? "(" : ", ");
		ossai_print_float(&usd->printer, values[i]);
	}
	if (count > 1) ossai_print_char(&usd->printer, ')');
}

void ossai_usd_unsigned(ossai_usd *usd, uint64_t value)
{
	ossai_usd_item(usd);
	ossai_print_unsigned(&usd->printer, value);
}

void ossai_usd_text(ossai_usd *usd, const char *text)
{
	char plain[64];
	ossai_name_copy(plain, (ossai_word){text, strlen(text)});
	const char quote = strchr(plain, '"') && !strchr(plain, '\'') ? '\'' : '"';
	ossai_usd_item(usd);
	ossai_print_char(&usd->printer, quote);
	for (const char *at = plain; *at; at++) {
		if (*at == quote || *at == '\\') ossai_print_char(&usd->printer, '\\');
		ossai_print_char(&usd->printer, *at);
	}
	ossai_print_char(&usd->printer, quote);
}

/* ---- single values ---- */

static void begin_value(ossai_usd *usd, const char *declaration)
{
	indent(usd);
	ossai_print_text(&usd->printer, declaration);
	ossai_print_text(&usd->printer, " = ");
}

void ossai_usd_numbers(ossai_usd *usd, const char *declaration, const double *values, size_t count)
{
	begin_value(usd, declaration);
	for (size_t i = 0; i < count; i++) {
		if (count > 1) ossai_print_text(&usd->printer, i == 0 ? "(" : ", ");
		ossai_print_double(&usd->printer, values[i]);
	}
	ossai_print_text(&usd->printer, count > 1 ? ")\n" : "\n");
}

/* three @ around names that have one */
void ossai_usd_asset(ossai_usd *usd, const char *declaration, const char *path)
{
	const char *mark = strchr(path, '@') ? "@@@" : "@";
	begin_value(usd, declaration);
	ossai_print_text(&usd->printer, mark);
	ossai_print_text(&usd->printer, "./");
	ossai_print_text(&usd->printer, path);
	ossai_print_text(&usd->printer, mark);
	ossai_print_char(&usd->printer, '\n');
}

/* ---- time samples ---- */

void ossai_usd_open_samples(ossai_usd *usd, const char *declaration)
{
	ossai_usd_line(usd, "%s.timeSamples = {", declaration);
	usd->depth++;
}

/* whole where the frames are even; never with an exponent */
void ossai_usd_time(ossai_usd *usd, double seconds)
{
	const double code = (seconds - usd->first_time) * usd->rate, whole = rint(code);
	const bool even = fabs(code - whole) < 1e-4 && fabs(whole) < 1e15;
	ossai_print_fixed(&usd->printer, even ? whole : code, even ? 0 : 9);
}

void ossai_usd_begin_sample(ossai_usd *usd, double seconds)
{
	indent(usd);
	ossai_usd_time(usd, seconds);
	ossai_print_text(&usd->printer, ": [");
	usd->listed = false;
}

void ossai_usd_end_sample(ossai_usd *usd) { ossai_print_text(&usd->printer, "],\n"); }

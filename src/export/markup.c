/* export/markup.c: see markup.h.

   Place in the path: under the writers of XML formats.
   Input: elements, text, numbers.
   Output: a file of indented XML in UTF-8. */
#include "export/markup.h"

#include <math.h>
#include <string.h>

enum { DEEPEST_INDENT = 24 };

static void put_text(ossai_markup *markup, const char *text) { ossai_print_text(&markup->printer, text); }

/* bytes of the UTF-8 character that begins here, 0 where there is none that XML allows */
static size_t character_size(const unsigned char *text)
{
	if (text[0] < 0x80) return text[0] >= 0x20 && text[0] != 0x7f ? 1 : 0;
	const size_t size = text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : 2;
	if (text[0] < 0xc2 || text[0] > 0xf4) return 0;
	uint32_t code = text[0] & (0x7fu >> size);
	for (size_t i = 1; i < size; i++) {
		if ((text[i] & 0xc0) != 0x80) return 0;
		code = code << 6 | (text[i] & 0x3fu);
	}
	/* too long for its character, a surrogate, beyond the last, or one of the two that XML leaves
	   out */
	const bool overlong = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
	const bool odd = (code >= 0xd800 && code < 0xe000) || code > 0x10ffff || code == 0xfffe || code == 0xffff;
	return overlong || odd ? 0 : size;
}

static void put_escaped(ossai_markup *markup, const char *text)
{
	while (*text) {
		const size_t size = character_size((const unsigned char *)text);
		if (size == 0) put_text(markup, "_");
		else if (*text == '&') put_text(markup, "&amp;");
		else if (*text == '<') put_text(markup, "&lt;");
		else if (*text == '>') put_text(markup, "&gt;");
		else if (*text == '"') put_text(markup, "&quot;");
		else ossai_print_bytes(&markup->printer, text, size);
		text += size > 0 ? size : 1;
	}
}

static void end_tag(ossai_markup *markup)
{
	if (markup->tag_open) put_text(markup, ">");
	markup->tag_open = false;
}

static void new_line(ossai_markup *markup)
{
	static const char tabs[DEEPEST_INDENT + 2] = "\n\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t";
	ossai_print_bytes(&markup->printer, tabs, 1 + (size_t)(markup->depth < DEEPEST_INDENT ? markup->depth : DEEPEST_INDENT));
}

ossa_status ossai_markup_begin(ossa_context *context, const char *path, ossai_markup *markup)
{
	markup->depth = 0;
	markup->tag_open = markup->in_line = false;
	OSSAI_TRY(ossai_output_begin(context, path, &markup->output));
	ossai_print_begin(&markup->printer, markup->output.stream);
	put_text(markup, "<?xml version=\"1.0\" encoding=\"utf-8\"?>");
	return OSSA_OK;
}

ossa_status ossai_markup_commit(ossai_markup *markup)
{
	put_text(markup, "\n");
	ossai_print_end(&markup->printer);
	return ossai_output_commit(&markup->output);
}

void ossai_markup_abort(ossai_markup *markup) { ossai_output_abort(&markup->output); }

void ossai_markup_attribute(ossai_markup *markup, const char *name, const char *value)
{
	put_text(markup, " ");
	put_text(markup, name);
	put_text(markup, "=\"");
	put_escaped(markup, value);
	put_text(markup, "\"");
}

void ossai_markup_attribute_index(ossai_markup *markup, const char *name, size_t value)
{
	char text[32];
	snprintf(text, sizeof text, "%zu", value);
	ossai_markup_attribute(markup, name, text);
}

void ossai_markup_attribute_doubles(ossai_markup *markup, const char *name, const double *values, size_t count)
{
	put_text(markup, " ");
	put_text(markup, name);
	put_text(markup, "=\"");
	for (size_t i = 0; i < count; i++) {
		if (i > 0) put_text(markup, " ");
		ossai_print_double(&markup->printer, values[i]);
	}
	put_text(markup, "\"");
}

void ossai_markup_attribute_double(ossai_markup *markup, const char *name, double value)
{
	ossai_markup_attribute_doubles(markup, name, &value, 1);
}

static void open_with(ossai_markup *markup, const char *element, va_list attributes)
{
	end_tag(markup);
	new_line(markup);
	put_text(markup, "<");
	put_text(markup, element);
	for (const char *name; (name = va_arg(attributes, const char *));) {
		ossai_markup_attribute(markup, name, va_arg(attributes, const char *));
	}
	markup->tag_open = true;
	markup->in_line = false;
	markup->depth++;
}

void ossai_markup_open(ossai_markup *markup, const char *element, ...)
{
	va_list attributes;
	va_start(attributes, element);
	open_with(markup, element, attributes);
	va_end(attributes);
}

void ossai_markup_close(ossai_markup *markup, const char *element)
{
	markup->depth--;
	if (markup->tag_open) {
		put_text(markup, "/>");
	} else {
		if (!markup->in_line) new_line(markup);
		put_text(markup, "</");
		put_text(markup, element);
		put_text(markup, ">");
	}
	markup->tag_open = markup->in_line = false;
}

void ossai_markup_empty(ossai_markup *markup, const char *element, ...)
{
	va_list attributes;
	va_start(attributes, element);
	open_with(markup, element, attributes);
	va_end(attributes);
	ossai_markup_close(markup, element);
}

void ossai_markup_text_element(ossai_markup *markup, const char *element, const char *text)
{
	ossai_markup_open(markup, element, NULL);
	ossai_markup_text(markup, text);
	ossai_markup_close(markup, element);
}

void ossai_markup_text(ossai_markup *markup, const char *text)
{
	end_tag(markup);
	markup->in_line = true;
	put_escaped(markup, text);
}

/* begins one more item of a list */
static ossai_printer *next_item(ossai_markup *markup)
{
	const bool first = markup->tag_open;
	end_tag(markup);
	markup->in_line = true;
	if (!first) ossai_print_char(&markup->printer, ' ');
	return &markup->printer;
}

void ossai_markup_word(ossai_markup *markup, const char *word) { ossai_print_text(next_item(markup), word); }

void ossai_markup_float(ossai_markup *markup, float value)
{
	ossai_print_float(next_item(markup), isfinite(value) ? value : 0);
}

void ossai_markup_double(ossai_markup *markup, double value) { ossai_print_double(next_item(markup), value); }

void ossai_markup_index(ossai_markup *markup, size_t value) { ossai_print_unsigned(next_item(markup), value); }

void ossai_markup_floats(ossai_markup *markup, const float *values, size_t count)
{
	for (size_t i = 0; i < count; i++) ossai_markup_float(markup, values[i]);
}

void ossai_markup_doubles(ossai_markup *markup, const double *values, size_t count)
{
	for (size_t i = 0; i < count; i++) ossai_markup_double(markup, values[i]);
}

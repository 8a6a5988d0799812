/* export/markup.h: XML as it is written, element by element, through a buffer.

   Nothing here fails: write errors are noticed when the output is committed. */
#ifndef OSSAI_EXPORT_MARKUP_H
#define OSSAI_EXPORT_MARKUP_H

#include "base/file.h"
#include "export/print.h"

#include <stdarg.h>

typedef struct ossai_markup {
	ossai_output output;
	int depth;     /* elements that are open */
	bool tag_open; /* the last tag still takes attributes */
	bool in_line;  /* the element that is open holds text, no elements */
	ossai_printer printer;
} ossai_markup;

/* Opens the file and writes the XML declaration. Then either `commit` or `abort`. */
ossa_status ossai_markup_begin(ossa_context *context, const char *path, ossai_markup *markup);
ossa_status ossai_markup_commit(ossai_markup *markup);
void ossai_markup_abort(ossai_markup *markup);

/* Opens an element with attributes: name, value, name, value ..., NULL. Values are escaped. */
void ossai_markup_open(ossai_markup *markup, const char *element, ...) __attribute__((sentinel));
void ossai_markup_attribute(ossai_markup *markup, const char *name, const char *value);
void ossai_markup_attribute_index(ossai_markup *markup, const char *name, size_t value);
void ossai_markup_attribute_double(ossai_markup *markup, const char *name, double value);
void ossai_markup_attribute_doubles(ossai_markup *markup, const char *name, const double *values, size_t count);
void ossai_markup_close(ossai_markup *markup, const char *element);

/* An element without content; one with text. */
void ossai_markup_empty(ossai_markup *markup, const char *element, ...) __attribute__((sentinel));
void ossai_markup_text_element(ossai_markup *markup, const char *element, const char *text);

/* Text in the element that is open: escaped; what is not UTF-8, or no character of XML, becomes
   '_'. */
void ossai_markup_text(ossai_markup *markup, const char *text);

/* The next items of a list in the element that is open, each with a space before it but the
   first. */
void ossai_markup_word(ossai_markup *markup, const char *word); /* as it is */
void ossai_markup_float(ossai_markup *markup, float value);     /* exactly; 0 where not finite */
void ossai_markup_double(ossai_markup *markup, double value);   /* exactly */
void ossai_markup_index(ossai_markup *markup, size_t value);
void ossai_markup_floats(ossai_markup *markup, const float *values, size_t count);
void ossai_markup_doubles(ossai_markup *markup, const double *values, size_t count);

#endif

/* base/format.h: printf as in the C locale, whatever the embedding program has set: the only place
   where the library makes text of numbers, in files, messages and reports alike. */
#ifndef OSSAI_BASE_FORMAT_H
#define OSSAI_BASE_FORMAT_H

#include <stdarg.h>
#include <stddef.h>

/* As snprintf and vsnprintf, with a decimal point. The calling thread's locale is set meanwhile,
   not the program's. */
int ossai_format(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
int ossai_vformat(char *text, size_t size, const char *format, va_list arguments) __attribute__((format(printf, 3, 0)));

#endif

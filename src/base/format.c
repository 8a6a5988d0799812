/* base/format.c: see format.h. */
#include "base/format.h"

#include <locale.h>
#include <stdio.h>

int ossai_vformat(char *text, size_t size, const char *format, va_list arguments)
{
	/* the C locale always exists, and takes no memory */
	const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0), own = uselocale(plain);
	const int used = vsnprintf(text, size, format, arguments);
	uselocale(own);
	freelocale(plain);
	return used;
}

int ossai_format(char *text, size_t size, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	const int used = ossai_vformat(text, size, format, arguments);
	va_end(arguments);
	return used;
}

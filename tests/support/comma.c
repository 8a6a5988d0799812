/* tests/support/comma.c: see comma.h. */
#include "support/comma.h"

#include "support/support.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has_comma(const char *name) { return setlocale(LC_NUMERIC, name) && strcmp(localeconv()->decimal_point, ",") == 0; }

static bool load_own(void)
{
	if (setenv("LOCPATH", test_folder(), 1) != 0) return false;
	const bool found = has_comma("de_DE.UTF-8");
	unsetenv("LOCPATH");
	return found;
}

/* takes a second, once */
static bool make_one(void)
{
	char command[1200];
	snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 '%s/de_DE.UTF-8' >/dev/null 2>&1", test_folder());
	return system(command) == 0 && load_own();
}

bool test_comma_begin(void)
{
	static const char *const locales[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "ru_RU.UTF-8"};
	for (size_t i = 0; i < sizeof locales / sizeof *locales; i++) {
		if (has_comma(locales[i])) return true;
	}
	/* one that was looked for in vain is not looked for again by the C library */
	if (access(test_path("de_DE.UTF-8"), F_OK) == 0 ? load_own() : make_one()) return true;
	test_comma_end();
	print_message("skipped: no locale with a decimal comma is installed, and localedef makes none\n");
	return false;
}

void test_comma_end(void) { setlocale(LC_NUMERIC, "C"); }

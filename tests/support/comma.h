/* tests/support/comma.h: a program that has set a locale with a decimal comma. */
#ifndef OSSA_TEST_COMMA_H
#define OSSA_TEST_COMMA_H

#include <stdbool.h>

/* Sets LC_NUMERIC to an installed locale with a decimal comma, or to one that localedef makes in
   the test folder. False, with a line that says so, where there is neither. */
bool test_comma_begin(void);
/* Sets LC_NUMERIC to the C locale again. */
void test_comma_end(void);

#endif

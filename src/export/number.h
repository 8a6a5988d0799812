/* export/number.h: numbers as text, the same in every locale. */
#ifndef OSSAI_EXPORT_NUMBER_H
#define OSSAI_EXPORT_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

enum { OSSAI_NUMBER_SIZE = 32 }; /* bytes of any number with its end */

/* Nine digits, without needless zeros: every float comes back exactly. What is not finite is written as 0. Returns the length. */
size_t ossai_number_float(char *text, double value);

/* As few digits as give this double back, at most 17. */
size_t ossai_number_double(char *text, double value);

size_t ossai_number_index(char *text, size_t value);

#endif

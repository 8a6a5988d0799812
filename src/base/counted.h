/* base/counted.h: what the counts of warnings count. */
#ifndef OSSAI_BASE_COUNTED_H
#define OSSAI_BASE_COUNTED_H

#include <stddef.h>
#include <stdint.h>

/* The word for `count` of what the warning counts: "vertices" or "vertex"; "" where it counts how
   often it was given. */
const char *ossai_counted_word(const char *code, int64_t count);

#endif

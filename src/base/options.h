/* base/options.h: what option structs and their tables are made of: the cookie, and fields with a
   text form of their own. */
#ifndef OSSAI_BASE_OPTIONS_H
#define OSSAI_BASE_OPTIONS_H

#include "base/context.h"
#include <ossa/options.h>

/* The first member of an options struct as its default function sets it: two letters that no other
   struct has, and the struct's size. So a call knows which struct it was given, and refuses memory
   that holds something else and structs of another version. Source: box2d's B2_SECRET_COOKIE. */
#define OSSAI_COOKIE(first, second, type) ((uint32_t)(first) << 24 | (uint32_t)(second) << 16 | (uint32_t)sizeof(type))

/* Whether two cookies are of the same struct, of whatever size. */
static inline bool ossai_cookies_alike(uint32_t a, uint32_t b) { return a >> 16 == b >> 16; }

/* The size of the struct. */
static inline size_t ossai_cookie_size(uint32_t cookie) { return cookie & 0xffff; }

/* For the head of a file with an option table: its CHOICE fields of this enum are read and
   written as int. */
#define OSSAI_CHOICE_ENUM(type) _Static_assert(sizeof(type) == sizeof(int), #type " is not as large as int")

/* Reads FIRST:LAST:STEP. `name`: of the option, for messages. Errors: OSSA_ERROR_ARGUMENT naming
   the text and what is wrong with it. */
ossa_status ossai_range_parse(ossa_context *context, const char *name, const char *text, ossa_range *range);

/* The shortest text that parses as the range: "10:50:2", "10:", "7", "" for all. */
void ossai_range_print(const ossa_range *range, char *text, size_t size);

/* Reads one of the names of `choices`, or X,Y,Z for the last one; false where it is neither. */
bool ossai_point_parse(ossa_context *context, const char *choices, const char *text, ossa_choice_or_point *value);
void ossai_point_print(const char *choices, const ossa_choice_or_point *value, char *text, size_t size);

/* With so many significant digits and a decimal point, whatever the locale. */
void ossai_number_print(double value, int digits, char *text, size_t size);

/* Whether the choice is one of `choices` and the point, where it is chosen, finite. */
bool ossai_point_is_valid(const char *choices, const ossa_choice_or_point *value);

/* Names joined by '|': the index of one (-1: there is none of that name), how many there are, and
   the text of one. */
int ossai_choice_index(const char *choices, const char *name);
int ossai_choice_count(const char *choices);
void ossai_choice_print(const char *choices, int index, char *text, size_t size);

#endif

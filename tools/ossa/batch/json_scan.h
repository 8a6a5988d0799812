/* tools/ossa/batch/json_scan.h: the members of a JSON text, without building values of it. */
#ifndef OSSA_BATCH_JSON_SCAN_H
#define OSSA_BATCH_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* A part of a text, as it is written there: a string has its quotes. */
typedef struct json_span {
	const char *begin, *end;
} json_span;

/* Called for each member of an object, or each item of an array (`key` empty); false stops. */
typedef bool (*json_visit)(void *user, json_span key, json_span value);

/* Visits the members of an object in their order. False where the text is not one JSON object (in
   UTF-8, without \u0000 and halves of surrogate pairs), a value is nested deeper than 64 levels, or
   a visit answered false. What the visits saw before is the caller's to forget. Numbers may be of
   any size. */
bool json_scan_object(json_span text, json_visit visit, void *user);

/* The same of an array. */
bool json_scan_array(json_span text, json_visit visit, void *user);

/* Whether a key or a string is written as this word, without escapes. Here, so that compilers know
   the word's length: it is asked of every key. */
static inline bool json_span_is(json_span string, const char *word)
{
	const size_t size = strlen(word);
	return (size_t)(string.end - string.begin) == size + 2 && memcmp(string.begin + 1, word, size) == 0;
}

bool json_span_is_string(json_span value);

/* The characters of a string, ended by 0, in `text`; how many, or SIZE_MAX where it is not a string
   or does not fit. */
size_t json_span_string(json_span value, char *text, size_t size);

/* The value of a number; `otherwise` of anything else. */
double json_span_number(json_span value, double otherwise);

#endif

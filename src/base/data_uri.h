/* base/data_uri.h: bytes that are in a URI itself.

   Place in the path: readers and writers of files that hold others as text.
   Input: data:[type][;parameters][;base64],DATA
   Output: bytes.
   Source: RFC 2397; RFC 4648. */
#ifndef OSSAI_BASE_DATA_URI_H
#define OSSAI_BASE_DATA_URI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether a text is such a URI. */
bool ossai_is_data_uri(const char *uri);

/* At most how many bytes one of so many characters holds. */
size_t ossai_data_uri_capacity(const char *uri, size_t length);

typedef enum ossai_data_uri_fault {
	OSSAI_DATA_URI_GOOD,
	OSSAI_DATA_URI_EMPTY,     /* it has no comma, and so no data */
	OSSAI_DATA_URI_NOT_BASE64 /* `at`: near which character of the data */
} ossai_data_uri_fault;

/* Writes the bytes of a URI of `length` characters, which begins with "data:", to `bytes`, which
   has the capacity above. `at` may be NULL. */
ossai_data_uri_fault ossai_data_uri_decode(const char *uri, size_t length, uint8_t *bytes, size_t *size, size_t *at);

#endif

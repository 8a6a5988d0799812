/* base/uri.h: the names by which files refer to other files beside them.

   Place in the path: readers and writers of formats of several files.
   Input: URIs, or paths, as a file has them.
   Output: paths on this machine, and back.

   The content of a file determines which other files are opened: only plain relative paths below
   its own folder are.
   Source: RFC 3986. */
#ifndef OSSAI_BASE_URI_H
#define OSSAI_BASE_URI_H

#include "base/context.h"

#include <stdbool.h>
#include <stddef.h>

enum { OSSAI_PATH_SIZE = 4096 };

/* 0 to 15, or -1. */
int ossai_hex_digit(char c);

/* Writes `text` with its %XX as bytes to `to`, which has capacity for it; anything that is no
   escape stays. Returns the number of bytes. */
size_t ossai_decode_percent(const char *text, size_t length, char *to);

/* The name as a URI: every byte but letters, digits and -._~/ as %XX. `uri` has space for three
   times its length and one. */
void ossai_encode_percent(const char *name, char *uri);

typedef enum ossai_uri_fault {
	OSSAI_URI_GOOD,
	OSSAI_URI_ELSEWHERE, /* it has a scheme: another machine, a drive */
	OSSAI_URI_OUTSIDE    /* not below the folder, where links lead, too, or no path at all */
} ossai_uri_fault;

/* The path that the URI names beside the file `own`. is_plain: it is a path already, in which '%'
   means itself and both slashes separate. */
ossai_uri_fault ossai_uri_path(const char *own, const char *uri, bool is_plain, char path[OSSAI_PATH_SIZE]);

/* The same for a file that is there. Of a path (is_plain) the last part alone is tried, too, beside
   `own`, as programs write paths of other machines. False: there is none. */
bool ossai_uri_find(const ossa_context *context, const char *own, const char *uri, bool is_plain, char path[OSSAI_PATH_SIZE]);

#endif

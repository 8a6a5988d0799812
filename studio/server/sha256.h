/* studio/server/sha256.h: a keyed hash of a text: HMAC with SHA-256. */
#ifndef STUDIO_SHA256_H
#define STUDIO_SHA256_H

#include <stddef.h>

enum { STUDIO_HASH_SIZE = 32 };

/* key_size: at most 64 */
void studio_keyed_hash(const unsigned char *key, size_t key_size, const char *text, unsigned char out[STUDIO_HASH_SIZE]);

#endif

/* tools/ossa/batch/siphash.h: 128 bits that stand for the bytes of a file. */
#ifndef OSSA_BATCH_SIPHASH_H
#define OSSA_BATCH_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

enum { BATCH_HASH_TEXT = 33 }; /* bytes of a hash in hexadecimal with its end */

typedef struct batch_hash {
	uint64_t low, high;
} batch_hash;

/* A hash of bytes that come in parts. */
typedef struct batch_hasher {
	uint64_t v[4];
	uint64_t size;
	uint8_t rest[8]; /* bytes that do not fill a word yet: size % 8 of them */
} batch_hasher;

void batch_hasher_begin(batch_hasher *hasher);
void batch_hasher_add(batch_hasher *hasher, const void *bytes, size_t size);
batch_hash batch_hasher_end(batch_hasher *hasher);

batch_hash batch_hash_of(const void *bytes, size_t size);

/* 32 digits, the bytes in the order of the published algorithm. */
void batch_hash_print(batch_hash hash, char text[BATCH_HASH_TEXT]);

#endif

/* tools/ossa/batch/siphash.c: SipHash-2-4 of 128 bits with the key 0.

   Place in the path: the command's batch, below all.
   Input: bytes.
   Output: a hash.
   Source: J.-P. Aumasson, D. J. Bernstein: SipHash: a fast short-input PRF, 2012; the variant of
   128 bits is its authors' of 2014. Without a secret key it is a plain hash: what changes by chance
   is found, and nobody gains by forging files of their own. */
#include "batch/siphash.h"

#include <string.h>

static uint64_t rotate(uint64_t x, int bits) { return x << bits | x >> (64 - bits); }

static void mix(uint64_t v[4], int rounds)
{
	for (int i = 0; i < rounds; i++) {
		v[0] += v[1], v[2] += v[3];
		v[1] = rotate(v[1], 13) ^ v[0], v[3] = rotate(v[3], 16) ^ v[2];
		v[0] = rotate(v[0], 32);
		v[2] += v[1], v[0] += v[3];
		v[1] = rotate(v[1], 17) ^ v[2], v[3] = rotate(v[3], 21) ^ v[0];
		v[2] = rotate(v[2], 32);
	}
}

/* little-endian on every machine */
static uint64_t word_at(const uint8_t *bytes)
{
	uint64_t word = 0;
	for (int i = 7; i >= 0; i--) word = word << 8 | bytes[i];
	return word;
}

static void add_word(uint64_t v[4], uint64_t word)
{
	v[3] ^= word;
	mix(v, 2);
	v[0] ^= word;
}

void batch_hasher_begin(batch_hasher *hasher)
{
	/* "somepseudorandomlygeneratedbytes" */
	*hasher = (batch_hasher){.v = {0x736f6d6570736575, 0x646f72616e646f6d ^ 0xee, 0x6c7967656e657261, 0x7465646279746573}};
}

void batch_hasher_add(batch_hasher *hasher, const void *bytes, size_t size)
{
	const uint8_t *at = bytes, *end = at + size;
	size_t filled = hasher->size % 8;
	hasher->size += size;
	if (filled > 0) {
		while (filled < 8 && at < end) hasher->rest[filled++] = *at++;
		if (filled < 8) return;
		add_word(hasher->v, word_at(hasher->rest));
	}
	for (; end - at >= 8; at += 8) add_word(hasher->v, word_at(at));
	memcpy(hasher->rest, at, (size_t)(end - at));
}

static uint64_t finish(uint64_t v[4])
{
	mix(v, 4);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

batch_hash batch_hasher_end(batch_hasher *hasher)
{
	memset(hasher->rest + hasher->size % 8, 0, 8 - hasher->size % 8);
	add_word(hasher->v, word_at(hasher->rest) | hasher->size << 56);
	batch_hash hash;
	hasher->v[2] ^= 0xee;
	hash.low = finish(hasher->v);
	hasher->v[1] ^= 0xdd;
	hash.high = finish(hasher->v);
	return hash;
}

batch_hash batch_hash_of(const void *bytes, size_t size)
{
	batch_hasher hasher;
	batch_hasher_begin(&hasher);
	batch_hasher_add(&hasher, bytes, size);
	return batch_hasher_end(&hasher);
}

void batch_hash_print(batch_hash hash, char text[BATCH_HASH_TEXT])
{
	static const char digits[] = "0123456789abcdef";
	for (int i = 0; i < 16; i++) {
		const uint64_t byte = (i < 8 ? hash.low : hash.high) >> 8 * (i % 8);
		text[2 * i] = digits[byte >> 4 & 15];
		text[2 * i + 1] = digits[byte & 15];
	}
	text[32] = 0;
}

/* studio/server/sha256.c: keyed hashes, by which server and page prove that they know the key.

   Place in the path: below proof.c.
   Source: FIPS 180-4, Secure Hash Standard (SHA-256); RFC 2104 (HMAC). */
#include "sha256.h"

#include <stdint.h>
#include <string.h>

enum { BLOCK = 64 };

static const uint32_t constants[64] = {0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
	0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1,
	0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
	0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354,
	0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585,
	0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee,
	0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turned(uint32_t x, int by) { return x >> by | x << (32 - by); }

/* section 6.2.2: one block into the eight words of the hash */
static void add_block(uint32_t hash[8], const unsigned char *block)
{
	uint32_t w[64], v[8];
	for (size_t i = 0; i < 16; i++) {
		w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
			block[4 * i + 3];
	}
	for (size_t i = 16; i < 64; i++) {
		const uint32_t a = w[i - 15], b = w[i - 2];
		w[i] = w[i - 16] + (turned(a, 7) ^ turned(a, 18) ^ a >> 3) + w[i - 7] + (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
	}
	memcpy(v, hash, sizeof v);
	for (size_t i = 0; i < 64; i++) {
		const uint32_t a = v[0], e = v[4];
		const uint32_t one = v[7] + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & v[5]) ^ (~e & v[6])) + constants[i] +
			w[i];
		const uint32_t two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
		memmove(v + 1, v, 7 * sizeof *v);
		v[4] += one;
		v[0] = one + two;
	}
	for (size_t i = 0; i < 8; i++) hash[i] += v[i];
}

/* of `first` blocks' bytes and then a text */
static void hash_bytes(const unsigned char first[BLOCK], const void *bytes, size_t size, unsigned char out[STUDIO_HASH_SIZE])
{
	uint32_t hash[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
	const unsigned char *at = bytes;
	const uint64_t bits = 8 * ((uint64_t)size + BLOCK);
	unsigned char last[2 * BLOCK] = {0};
	size_t left = size;
	add_block(hash, first);
	for (; left >= BLOCK; left -= BLOCK, at += BLOCK) add_block(hash, at);
	if (left > 0) memcpy(last, at, left);
	last[left] = 0x80;
	const size_t end = left < BLOCK - 8 ? BLOCK : 2 * BLOCK;
	for (size_t i = 0; i < 8; i++) last[end - 1 - i] = (unsigned char)(bits >> 8 * i);
	for (size_t i = 0; i < end; i += BLOCK) add_block(hash, last + i);
	for (size_t i = 0; i < STUDIO_HASH_SIZE; i++) out[i] = (unsigned char)(hash[i / 4] >> (24 - 8 * (i % 4)));
}

void studio_keyed_hash(const unsigned char *key, size_t key_size, const char *text, unsigned char out[STUDIO_HASH_SIZE])
{
	unsigned char inner[BLOCK], outer[BLOCK], hash[STUDIO_HASH_SIZE];
	for (size_t i = 0; i < BLOCK; i++) {
		const unsigned char byte = i < key_size ? key[i] : 0;
		inner[i] = byte ^ 0x36;
		outer[i] = byte ^ 0x5c;
	}
	hash_bytes(inner, text, strlen(text), hash);
	hash_bytes(outer, hash, sizeof hash, out);
}

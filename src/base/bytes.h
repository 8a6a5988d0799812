/* base/bytes.h: numbers in files of a given byte order, on any machine. */
#ifndef OSSAI_BASE_BYTES_H
#define OSSAI_BASE_BYTES_H

#include <stdint.h>
#include <string.h>

static inline uint32_t ossai_little_32(const uint8_t *at)
{
	return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline uint32_t ossai_big_32(const uint8_t *at)
{
	return (uint32_t)at[3] | (uint32_t)at[2] << 8 | (uint32_t)at[1] << 16 | (uint32_t)at[0] << 24;
}

static inline uint16_t ossai_little_16(const uint8_t *at) { return (uint16_t)(at[0] | at[1] << 8); }

static inline uint64_t ossai_little_64(const uint8_t *at)
{
	return (uint64_t)ossai_little_32(at) | (uint64_t)ossai_little_32(at + 4) << 32;
}

static inline uint64_t ossai_big_64(const uint8_t *at)
{
	return (uint64_t)ossai_big_32(at) << 32 | (uint64_t)ossai_big_32(at + 4);
}

static inline float ossai_float_of_bits(uint32_t bits)
{
	float value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

static inline double ossai_double_of_bits(uint64_t bits)
{
	double value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

#endif

/* export/bytes.h: numbers as bytes of a given order, whatever the machine's own. */
#ifndef OSSAI_EXPORT_BYTES_H
#define OSSAI_EXPORT_BYTES_H

#include <stdint.h>
#include <string.h>

static inline void ossai_bytes_put_u32(uint8_t *bytes, uint32_t value)
{
	for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)(value >> (8 * i));
}

static inline void ossai_bytes_put_u32_big(uint8_t *bytes, uint32_t value)
{
	for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)(value >> (24 - 8 * i));
}

static inline uint32_t ossai_bytes_of_float(float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	return bits;
}

#endif

/* base/data_uri.c: see data_uri.h. */
#include "base/data_uri.h"

#include "base/uri.h"

#include <string.h>

bool ossai_is_data_uri(const char *uri) { return strncmp(uri, "data:", 5) == 0; }

/* where the data begin; NULL: there are none. is_base64: else they are percent-encoded */
static const char *find_data(const char *uri, size_t length, bool *is_base64)
{
	static const char mark[] = ";base64";
	const char *comma = memchr(uri, ',', length);
	if (!comma) return NULL;
	*is_base64 = (size_t)(comma - uri) >= strlen(mark) && memcmp(comma - strlen(mark), mark, strlen(mark)) == 0;
	return comma + 1;
}

size_t ossai_data_uri_capacity(const char *uri, size_t length)
{
	bool is_base64;
	const char *data = find_data(uri, length, &is_base64);
	if (!data) return 0;
	const size_t left = length - (size_t)(data - uri);
	return is_base64 ? left / 4 * 3 + 3 : left;
}

/* 0 to 63 of base64's characters; 64 for others */
static void make_table(uint8_t table[256])
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	memset(table, 64, 256);
	for (uint8_t i = 0; i < 64; i++) table[(uint8_t)letters[i]] = i;
}

/* how many characters are good */
static size_t decode_base64(const char *text, size_t length, uint8_t *bytes, size_t *size)
{
	uint8_t table[256];
	size_t at = 0;
	make_table(table);
	for (*size = 0; at < length; at += 4) {
		/* the last group may be short: missing characters count as zeros */
		const size_t count = length - at < 4 ? length - at : 4;
		uint32_t bits = 0, faults = 0;
		for (size_t k = 0; k < 4; k++) {
			const uint32_t value = k < count ? table[(uint8_t)text[at + k]] : 0;
			faults |= value & 64;
			bits = bits << 6 | (value & 63);
		}
		if (faults) break;
		bytes[*size] = (uint8_t)(bits >> 16);
		bytes[*size + 1] = (uint8_t)(bits >> 8);
		bytes[*size + 2] = (uint8_t)bits;
		*size += count * 3 / 4;
	}
	return at;
}

ossai_data_uri_fault ossai_data_uri_decode(const char *uri, size_t length, uint8_t *bytes, size_t *size, size_t *at)
{
	bool is_base64;
	const char *data = find_data(uri, length, &is_base64);
	*size = 0;
	if (!data) return OSSAI_DATA_URI_EMPTY;
	size_t left = length - (size_t)(data - uri);
	if (!is_base64) {
		*size = ossai_decode_percent(data, left, (char *)bytes);
		return OSSAI_DATA_URI_GOOD;
	}
	while (left > 0 && data[left - 1] == '=') left--;
	const size_t good = decode_base64(data, left, bytes, size);
	if (at) *at = good;
	return good >= left ? OSSAI_DATA_URI_GOOD : OSSAI_DATA_URI_NOT_BASE64;
}

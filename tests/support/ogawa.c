/* tests/support/ogawa.c: see ogawa.h. */
#include "support/ogawa.h"

#include <stdlib.h>
#include <string.h>

void ogawa_append(ogawa_bytes *to, const void *bytes, size_t size)
{
	if (to->size + size > to->capacity) {
		to->capacity = 2 * (to->size + size) + 64;
		to->bytes = realloc(to->bytes, to->capacity);
		if (!to->bytes) abort();
	}
	if (size > 0) memcpy(to->bytes + to->size, bytes, size);
	to->size += size;
}

void ogawa_append_number(ogawa_bytes *to, uint64_t number, size_t size)
{
	unsigned char bytes[8];
	for (size_t i = 0; i < size; i++) bytes[i] = (unsigned char)(number >> 8 * i);
	ogawa_append(to, bytes, size);
}

static void append_double(ogawa_bytes *to, double value)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof bits);
	ogawa_append_number(to, bits, 8);
}

void ogawa_free(ogawa_bytes *bytes)
{
	free(bytes->bytes);
	*bytes = (ogawa_bytes){NULL, 0, 0};
}

/* ---- the container ---- */

ogawa_bytes ogawa_begin(void)
{
	ogawa_bytes file = {NULL, 0, 0};
	ogawa_append(&file, "Ogawa\0\0\1", 8);
	ogawa_append_number(&file, 0, 8);
	return file;
}

uint64_t ogawa_data(ogawa_bytes *file, const void *bytes, size_t size)
{
	const uint64_t position = file->size;
	if (size == 0) return UINT64_C(1) << 63;
	ogawa_append_number(file, size, 8);
	ogawa_append(file, bytes, size);
	return position | UINT64_C(1) << 63;
}

uint64_t ogawa_group(ogawa_bytes *file, size_t count, const uint64_t *children)
{
	const uint64_t position = file->size;
	if (count == 0) return 0;
	ogawa_append_number(file, count, 8);
	for (size_t i = 0; i < count; i++) ogawa_append_number(file, children[i], 8);
	return position;
}

void ogawa_end(ogawa_bytes *file, uint64_t root)
{
	file->bytes[5] = 0xFF;
	for (size_t i = 0; i < 8; i++) file->bytes[8 + i] = (unsigned char)(root >> 8 * i);
}

/* ---- properties ---- */

uint64_t ogawa_sample(ogawa_bytes *file, const void *bytes, size_t size)
{
	const uint64_t position = file->size;
	ogawa_append_number(file, size + 16, 8);
	ogawa_append_number(file, 0, 8);
	ogawa_append_number(file, 0, 8);
	ogawa_append(file, bytes, size);
	return position | UINT64_C(1) << 63;
}

static void append_name(ogawa_bytes *headers, const ogawa_property *p)
{
	const size_t size = (size_t)1 << p->hint;
	ogawa_append_number(headers, strlen(p->name), size);
	ogawa_append(headers, p->name, strlen(p->name));
	if (!p->metadata) return;
	ogawa_append_number(headers, strlen(p->metadata), size);
	ogawa_append(headers, p->metadata, strlen(p->metadata));
}

static uint32_t metadata_bits(const ogawa_property *p) { return (uint32_t)(p->metadata ? 255 : p->metadata_index) << 20; }

void ogawa_add(ogawa_bytes *file, ogawa_list *compound, const ogawa_property *p, size_t stored, const uint64_t *samples)
{
	uint64_t children[256];
	size_t count = 0;
	for (size_t i = 0; i < stored; i++) {
		children[count++] = samples[i];
		/* arrays of one dimension do not write it */
		if (p->kind == OGAWA_ARRAY) children[count++] = p->dimensions ? p->dimensions : UINT64_C(1) << 63;
	}
	compound->children[compound->count++] = ogawa_group(file, count, children);
	uint32_t info = (uint32_t)p->kind | (uint32_t)p->hint << 2 | (uint32_t)p->pod << 4 | (uint32_t)p->extent << 12;
	info |= metadata_bits(p) | 0x400;
	if (p->sampling) info |= 0x100;
	if (p->has_changes) info |= 0x200;
	if (p->is_constant) info |= 0x800;
	const size_t size = (size_t)1 << p->hint;
	ogawa_append_number(&compound->headers, info, 4);
	ogawa_append_number(&compound->headers, p->sample_count ? p->sample_count : stored, size);
	if (p->has_changes) {
		ogawa_append_number(&compound->headers, p->first, size);
		ogawa_append_number(&compound->headers, p->last, size);
	}
	if (p->sampling) ogawa_append_number(&compound->headers, (uint64_t)p->sampling, size);
	append_name(&compound->headers, p);
}

void ogawa_add_compound(ogawa_list *compound, const char *name, const char *metadata, uint64_t position)
{
	const ogawa_property p = {.name = name, .metadata = metadata};
	compound->children[compound->count++] = position;
	ogawa_append_number(&compound->headers, metadata_bits(&p), 4);
	append_name(&compound->headers, &p);
}

uint64_t ogawa_close_compound(ogawa_bytes *file, ogawa_list *compound)
{
	if (compound->count == 0) return 0;
	compound->children[compound->count++] = ogawa_data(file, compound->headers.bytes, compound->headers.size);
	ogawa_free(&compound->headers);
	return ogawa_group(file, compound->count, compound->children);
}

/* ---- objects ---- */

ogawa_list ogawa_object(uint64_t properties) { return (ogawa_list){.children = {properties}, .count = 1}; }

void ogawa_add_object(ogawa_list *object, const char *name, const char *metadata, int metadata_index, uint64_t position)
{
	object->children[object->count++] = position;
	ogawa_append_number(&object->headers, strlen(name), 4);
	ogawa_append(&object->headers, name, strlen(name));
	ogawa_append_number(&object->headers, metadata ? 255 : (uint64_t)metadata_index, 1);
	if (!metadata) return;
	ogawa_append_number(&object->headers, strlen(metadata), 4);
	ogawa_append(&object->headers, metadata, strlen(metadata));
}

uint64_t ogawa_close_object(ogawa_bytes *file, ogawa_list *object)
{
	/* the hashes of properties and children: readers do not look */
	for (int i = 0; i < 4; i++) ogawa_append_number(&object->headers, 0, 8);
	object->children[object->count++] = ogawa_data(file, object->headers.bytes, object->headers.size);
	ogawa_free(&object->headers);
	return ogawa_group(file, object->count, object->children);
}

/* ---- the archive ---- */

void ogawa_append_sampling(ogawa_bytes *samplings, double per_cycle, uint32_t count, const double *times)
{
	ogawa_append_number(samplings, 1000, 4);
	append_double(samplings, per_cycle);
	ogawa_append_number(samplings, count, 4);
	for (uint32_t i = 0; i < count; i++) append_double(samplings, times[i]);
}

void ogawa_append_metadata(ogawa_bytes *metadata, const char *text)
{
	ogawa_append_number(metadata, strlen(text), 1);
	ogawa_append(metadata, text, strlen(text));
}

void ogawa_archive(ogawa_bytes *file, uint64_t top, ogawa_bytes *samplings, ogawa_bytes *metadata)
{
	const unsigned char version[4] = {0, 0, 0, 0}, library[4] = {0x1B, 0x2A, 0, 0};
	const char *about = "_ai_Application=a test";
	uint64_t children[6];
	children[0] = ogawa_data(file, version, 4);
	children[1] = ogawa_data(file, library, 4);
	children[2] = top;
	children[3] = ogawa_data(file, about, strlen(about));
	children[4] = ogawa_data(file, samplings->bytes, samplings->size);
	children[5] = ogawa_data(file, metadata->bytes, metadata->size);
	ogawa_end(file, ogawa_group(file, 6, children));
	ogawa_free(samplings);
	ogawa_free(metadata);
}

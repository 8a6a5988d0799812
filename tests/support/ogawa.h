/* tests/support/ogawa.h: writes Alembic files (Ogawa) into memory, made from the layout alone: it
   shares nothing with the reader.

   A list is a compound of properties or an object while its children are added; closing it writes
   it and gives its position. */
#ifndef OSSA_TEST_OGAWA_H
#define OSSA_TEST_OGAWA_H

#include <stddef.h>
#include <stdint.h>

typedef struct ogawa_bytes {
	unsigned char *bytes;
	size_t size, capacity;
} ogawa_bytes;

void ogawa_append(ogawa_bytes *to, const void *bytes, size_t size);
void ogawa_append_number(ogawa_bytes *to, uint64_t number, size_t size); /* little-endian */
void ogawa_free(ogawa_bytes *bytes);

/* ---- the container ---- */

/* The header; then data and groups in any order; the end writes the root's position and marks the
   file as finished. */
ogawa_bytes ogawa_begin(void);
uint64_t ogawa_data(ogawa_bytes *file, const void *bytes, size_t size);
uint64_t ogawa_group(ogawa_bytes *file, size_t count, const uint64_t *children);
void ogawa_end(ogawa_bytes *file, uint64_t root);

/* ---- properties and objects ---- */

enum { OGAWA_BOOL, OGAWA_U8, OGAWA_I32 = 6, OGAWA_U32 = 5, OGAWA_F16 = 9, OGAWA_F32, OGAWA_F64, OGAWA_STRING };
enum { OGAWA_SCALAR = 1, OGAWA_ARRAY = 2 };

typedef struct ogawa_list {
	ogawa_bytes headers;
	uint64_t children[64];
	size_t count;
} ogawa_list;

/* What a header says of a property. Zero is: all samples stored, times number 0, no metadata,
   sizes in one byte. */
typedef struct ogawa_property {
	const char *name, *metadata; /* metadata: written into the header; NULL: the indexed one */
	int kind, pod, extent;
	int hint; /* 0, 1, 2: numbers of 1, 2, 4 bytes */
	int metadata_index;
	uint32_t sample_count; /* 0: as many as are stored */
	int is_constant, has_changes;
	uint32_t first, last; /* with has_changes */
	int sampling;         /* 0: not written */
	uint64_t dimensions;  /* data of an array's dimensions; 0: not written */
} ogawa_property;

/* Data of one sample: a key of zeros, then the bytes. */
uint64_t ogawa_sample(ogawa_bytes *file, const void *bytes, size_t size);

/* Adds a property whose stored samples are these (data of samples). */
void ogawa_add(ogawa_bytes *file, ogawa_list *compound, const ogawa_property *property, size_t stored, const uint64_t *samples);
void ogawa_add_compound(ogawa_list *compound, const char *name, const char *metadata, uint64_t position);
uint64_t ogawa_close_compound(ogawa_bytes *file, ogawa_list *compound);

/* An object's list begins with its properties. Names of children and metadata go into its
   headers; `metadata` NULL: index. */
ogawa_list ogawa_object(uint64_t properties);
void ogawa_add_object(ogawa_list *object, const char *name, const char *metadata, int metadata_index, uint64_t position);
uint64_t ogawa_close_object(ogawa_bytes *file, ogawa_list *object);

/* ---- the archive ---- */

/* Times: `count` of them, `per_cycle` (OGAWA_ACYCLIC: none). */
#define OGAWA_ACYCLIC (1.7976931348623157e308 / 32)
void ogawa_append_sampling(ogawa_bytes *samplings, double per_cycle, uint32_t count, const double *times);
void ogawa_append_metadata(ogawa_bytes *metadata, const char *text);

/* Writes the root and ends the file; both lists are freed. */
void ogawa_archive(ogawa_bytes *file, uint64_t top, ogawa_bytes *samplings, ogawa_bytes *metadata);

#endif

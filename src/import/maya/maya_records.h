/* import/maya/maya_records.h: an index of the files of a Maya cache: for each channel and time an
   array of positions. */
#ifndef OSSAI_IMPORT_MAYA_RECORDS_H
#define OSSAI_IMPORT_MAYA_RECORDS_H

#include "scene/builder.h"

/* Maya counts time in ticks. */
#define OSSAI_MAYA_TICKS_PER_SECOND 6000.0

/* One channel at one time. */
typedef struct ossai_maya_record {
	int64_t ticks;
	uint32_t channel, file;
	size_t offset; /* of its numbers in the file: count x 3, big-endian */
	size_t count;
	bool is_double;
} ossai_maya_record;

typedef struct ossai_maya_records {
	ossai_arena *arena; /* for everything */
	ossai_maya_record *items;
	size_t count, capacity;
	ossai_word *channels; /* names, in the order in which they are met */
	size_t channel_count, channel_capacity;
	uint32_t *slots; /* open hash table over the names */
	size_t slot_count;
	int64_t last_ticks; /* where the files say that the cache ends; INT64_MIN where none does */
} ossai_maya_records;

ossai_maya_records ossai_maya_records_begin(ossai_arena *arena);

/* Whether these are the first bytes of such a file. */
bool ossai_maya_is_records(const uint8_t *bytes, size_t size);

/* Adds what a file holds; `file` is kept in the records. Channels without vectors are ignored.
   Errors: OSSA_ERROR_INPUT where it is of another form or cut off. */
ossa_status ossai_maya_records_read(ossai_maya_records *records, const ossai_source *source, uint32_t file);

#endif

/* tools/ossa/batch/hash_table.h: from hashes to numbers. */
#ifndef OSSA_BATCH_HASH_TABLE_H
#define OSSA_BATCH_HASH_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Starts as {0}. Two texts of one hash of 64 bits are taken for one: among a million that happens
   once in 30 million manifests. */
typedef struct batch_table {
	uint64_t *keys; /* capacity; 0: free */
	uint32_t *values;
	size_t count, capacity;
} batch_table;

#define BATCH_TABLE_NONE UINT32_MAX

/* The value of a key, or BATCH_TABLE_NONE. */
uint32_t batch_table_find(const batch_table *table, uint64_t key);

/* Sets the value of a key, new or not. False where there is no memory. */
bool batch_table_set(batch_table *table, uint64_t key, uint32_t value);

void batch_table_free(batch_table *table);

#endif

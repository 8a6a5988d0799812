/* tools/ossa/batch/hash_table.c: open addressing with linear probing.

   Place in the path: the command's batch, below all.
   Input: hashes of 64 bits, which are spread evenly by themselves.
   Output: the number that belongs to each. */
#include "batch/hash_table.h"

#include <stdlib.h>

/* 0 marks a free place */
static uint64_t mark(uint64_t key) { return key ? key : 1; }

static size_t place_of(const batch_table *table, uint64_t key)
{
	size_t place = (size_t)key & (table->capacity - 1);
	while (table->keys[place] && table->keys[place] != key) place = (place + 1) & (table->capacity - 1);
	return place;
}

uint32_t batch_table_find(const batch_table *table, uint64_t key)
{
	if (table->capacity == 0) return BATCH_TABLE_NONE;
	const size_t place = place_of(table, mark(key));
	return table->keys[place] ? table->values[place] : BATCH_TABLE_NONE;
}

/* twice as many places */
static bool enlarge(batch_table *table)
{
	batch_table larger = {.count = table->count, .capacity = table->capacity ? 2 * table->capacity : 64};
	larger.keys = calloc(larger.capacity, sizeof *larger.keys);
	larger.values = malloc(larger.capacity * sizeof *larger.values);
	if (!larger.keys || !larger.values) {
		batch_table_free(&larger);
		return false;
	}
	for (size_t i = 0; i < table->capacity; i++) {
		if (!table->keys[i]) continue;
		const size_t place = place_of(&larger, table->keys[i]);
		larger.keys[place] = table->keys[i];
		larger.values[place] = table->values[i];
	}
	batch_table old = *table;
	*table = larger;
	batch_table_free(&old);
	return true;
}

bool batch_table_set(batch_table *table, uint64_t key, uint32_t value)
{
	if (4 * (table->count + 1) > 3 * table->capacity && !enlarge(table)) return false;
	const size_t place = place_of(table, mark(key));
	table->count += table->keys[place] == 0;
	table->keys[place] = mark(key);
	table->values[place] = value;
	return true;
}

void batch_table_free(batch_table *table)
{
	free(table->keys);
	free(table->values);
	*table = (batch_table){0};
}

/* base/csr.h: lists of many rows in two arrays (compressed sparse rows): neighbors of vertices,
   faces of pieces, vertices of bones.

   Place in the path: below everything that needs adjacency or groups.
   Input: pairs of a row and an item, in any order.
   Output: the items of each row, in the order in which they were given.

   A list is made in two passes over the same pairs: count every row, lay the rows out, put every
   item.
   ossai_csr_of_keys and ossai_csr_of_edges do all of it for the two most frequent kinds of
   pairs. */
#ifndef OSSAI_BASE_CSR_H
#define OSSAI_BASE_CSR_H

#include "base/context.h"

typedef struct ossai_csr {
	size_t row_count;
	/* row_count + 1: the items of row r are item[start[r]] .. item[start[r + 1] - 1] */
	uint32_t *start;
	uint32_t *item; /* start[row_count] */
} ossai_csr;

static inline uint32_t ossai_csr_size(const ossai_csr *csr, size_t row) { return csr->start[row + 1] - csr->start[row]; }

/* Takes the rows, all empty.  Errors: OSSA_ERROR_MEMORY.  Ownership: the arena's. */
ossa_status ossai_csr_begin(ossai_arena *arena, size_t row_count, ossai_csr *csr);

/* The first pass. Between the passes `start` holds counts shifted by two entries, then starts
   shifted by one, which the second pass moves to their final entries. */
static inline void ossai_csr_count(ossai_csr *csr, size_t row) { csr->start[row + 2]++; }

/* Between the passes: turns the counts into starts, and returns the number of items.
   Errors: OSSA_ERROR_LIMIT (2^32 items or more). */
ossa_status ossai_csr_lay_out(ossa_context *context, ossai_csr *csr, size_t *item_count);

/* The same, and takes `item`.  Errors: OSSA_ERROR_LIMIT, OSSA_ERROR_MEMORY. */
ossa_status ossai_csr_take_items(ossai_arena *arena, ossai_csr *csr);

/* The second pass: the index of the row's next item, in `item` or in parallel arrays. */
static inline uint32_t ossai_csr_next(ossai_csr *csr, size_t row) { return csr->start[row + 1]++; }

static inline void ossai_csr_put(ossai_csr *csr, size_t row, uint32_t item) { csr->item[ossai_csr_next(csr, row)] = item; }

/* The indices 0 .. count - 1 by their key, rising in each row; those whose key is OSSA_NONE are
   left out.
   Errors: OSSA_ERROR_LIMIT, OSSA_ERROR_MEMORY.  Cost: linear. */
ossa_status ossai_csr_of_keys(ossai_arena *arena, size_t row_count, size_t count, const uint32_t *key, ossai_csr *csr);

/* The neighbors of each node over undirected edges (E x 2), in the order of the edges: rising,
   where these are sorted and their smaller node comes first.  Errors: OSSA_ERROR_LIMIT,
   OSSA_ERROR_MEMORY.  Cost: linear. */
ossa_status ossai_csr_of_edges(ossai_arena *arena, size_t node_count, size_t edge_count, const uint32_t *edge, ossai_csr *csr);

#endif

/* parts/pair_map.h: pairs of clusters -> the edge that joins them: open addressing with linear
   probing.

   Place in the path: below face_clusters. */
#ifndef OSSAI_PARTS_PAIR_MAP_H
#define OSSAI_PARTS_PAIR_MAP_H

#include <stddef.h>
#include <stdint.h>

typedef struct ossai_pair_map {
	uint64_t *keys; /* 0: free; else pair + 1 */
	uint32_t *edges;
	size_t mask;
} ossai_pair_map;

static inline uint64_t ossai_pair_key(uint32_t a, uint32_t b)
{
	return (a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a) + 1;
}

static inline size_t ossai_pair_slot(const ossai_pair_map *map, uint64_t key)
{
	uint64_t h = key * 0x9E3779B97F4A7C15u;
	h ^= h >> 29;
	return (size_t)(h * 0xBF58476D1CE4E5B9u >> 20) & map->mask;
}

/* the slot that holds `key`, or the free slot where it belongs */
static inline size_t ossai_pair_find(const ossai_pair_map *map, uint64_t key)
{
	size_t slot = ossai_pair_slot(map, key);
	while (map->keys[slot] != 0 && map->keys[slot] != key) slot = (slot + 1) & map->mask;
	return slot;
}

static inline void ossai_pair_put(ossai_pair_map *map, uint32_t a, uint32_t b, uint32_t edge)
{
	const uint64_t key = ossai_pair_key(a, b);
	const size_t slot = ossai_pair_find(map, key);
	map->keys[slot] = key;
	map->edges[slot] = edge;
}

/* removes a pair and closes the gap, so that no probe run is cut */
static inline void ossai_pair_remove(ossai_pair_map *map, uint32_t a, uint32_t b)
{
	size_t gap = ossai_pair_find(map, ossai_pair_key(a, b));
	for (size_t at = (gap + 1) & map->mask; map->keys[at] != 0; at = (at + 1) & map->mask) {
		const size_t home = ossai_pair_slot(map, map->keys[at]);
		if (((at - home) & map->mask) < ((at - gap) & map->mask)) continue;
		map->keys[gap] = map->keys[at];
		map->edges[gap] = map->edges[at];
		gap = at;
	}
	map->keys[gap] = 0;
}

#endif

/* import/bvh_parts.h: what the hierarchy and the motion of a BVH file share while it is read. */
#ifndef OSSAI_IMPORT_BVH_PARTS_H
#define OSSAI_IMPORT_BVH_PARTS_H

#include "import/asset/asset.h"

/* one column of the motion: what a CHANNELS word says */
typedef struct ossai_bvh_column {
	uint32_t node;
	uint32_t op; /* 0: the position */
	int axis;
} ossai_bvh_column;

typedef struct ossai_bvh_reader {
	ossai_text text;
	ossai_asset *asset;
	ossai_asset_node *nodes; /* the context's until they are moved to the asset */
	ossai_vec3 *places;      /* of the joints at rest */
	bool *has_child;
	ossai_bvh_column *columns;
	size_t node_capacity, place_capacity, child_capacity, column_capacity, node_count, column_count;
} ossai_bvh_reader;

/* The next word, over line ends; a brace is a word of its own; size 0 at the file's end. */
ossai_word ossai_bvh_next_word(ossai_text *text);

/* Fails at the word just read: `wanted` must be there. */
ossa_status ossai_bvh_unexpected(const ossai_bvh_reader *reader, ossai_word word, const char *wanted);

/* Reads the frames behind MOTION into a clip of the asset (bvh_motion.c). Errors: OSSA_ERROR_INPUT,
   OSSA_ERROR_MEMORY. */
ossa_status ossai_bvh_read_motion(ossai_bvh_reader *reader);

#endif

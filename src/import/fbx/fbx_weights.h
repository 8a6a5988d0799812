/* import/fbx/fbx_weights.h: the weights that blend shapes have at rest, which assimp does not give.

   Place in the path: beside assimp, for files with shapes.
   Input: bytes that fbx_guard.c has passed.
   Output: weights by the names of models and channels. */
#ifndef OSSAI_IMPORT_FBX_WEIGHTS_H
#define OSSAI_IMPORT_FBX_WEIGHTS_H

#include "base/text.h"
#include "scene/builder.h"

/* a BlendShapeChannel */
typedef struct ossai_fbx_channel {
	int64_t id, geometry;
	ossai_word name;
	size_t number;  /* in the order of the file */
	double percent; /* DeformPercent */
	size_t full_count;
	double *full; /* FullWeights: at which percent each of its shapes is full; 0: one, at 100 */
} ossai_fbx_channel;

/* a model and a geometry of it */
typedef struct ossai_fbx_owner {
	ossai_word name;
	int64_t geometry;
} ossai_fbx_owner;

typedef struct ossai_fbx_weights {
	size_t channel_count, owner_count;
	ossai_fbx_channel *channels; /* with other weights than 0, by geometry and name */
	ossai_fbx_owner *owners;     /* of geometries that have such channels, by name */
} ossai_fbx_weights;

/* Binary and ASCII files. Errors: OSSA_ERROR_MEMORY. Ownership: the arena's, and the source's
   bytes. */
ossa_status ossai_fbx_read_weights(ossai_arena *arena, const ossai_source *source, ossai_fbx_weights *weights);

/* The weight at rest of a model's shape: `step` numbers the shapes of one name, from 0 on. 0 where
   the file says nothing. */
double ossai_fbx_weight(const ossai_fbx_weights *weights, const char *model, const char *channel, size_t step);

/* ---- between the files fbx_weights*.c ---- */

typedef struct ossai_fbx_link {
	int64_t child, parent;
} ossai_fbx_link;

typedef struct ossai_fbx_model {
	int64_t id;
	ossai_word name;
} ossai_fbx_model;

/* Passed along while a file is read: what it has is counted, and on the second way listed. */
typedef struct ossai_fbx_weigher {
	ossai_arena *arena;
	const ossai_source *source;
	ossai_fbx_weights *weights;
	bool is_counting;
	size_t link_count, model_count;
	ossai_fbx_link *links;
	ossai_fbx_model *models;
} ossai_fbx_weigher;

/* Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_fbx_weigh(ossai_fbx_weigher *w);

#endif

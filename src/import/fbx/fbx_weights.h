/* import/fbx/fbx_weights.h: the weights that blend shapes have at rest, the names of UV sets and
   how many custom properties there are, which assimp does not give.

   Place in the path: beside assimp, for files with meshes.
   Input: bytes that fbx_guard.c has passed.
   Output: weights by models and the names of channels, names of sets by models. Models are found by
   where they are in the tree: several may have one name. */
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

/* a LayerElementUV with a name */
typedef struct ossai_fbx_uv {
	int64_t geometry, set; /* the set's number in the file, from 0 on */
	size_t number;         /* in the order of the file */
	ossai_word name;
} ossai_fbx_uv;

/* a model and a geometry of it */
typedef struct ossai_fbx_owner {
	int64_t model, geometry;
} ossai_fbx_owner;

/* a model below another one, or below the root, whose id is 0 */
typedef struct ossai_fbx_child {
	int64_t parent, model;
	size_t number; /* in the order of the file */
	ossai_word name;
} ossai_fbx_child;

typedef struct ossai_fbx_weights {
	size_t channel_count, uv_count, owner_count, child_count;
	ossai_fbx_channel *channels; /* with other weights than 0, by geometry and name */
	ossai_fbx_uv *uvs;           /* by geometry and set */
	ossai_fbx_owner *owners;     /* of geometries that have such channels or sets, by model */
	ossai_fbx_child *children;   /* by parent and number; none where there are neither */
	size_t custom_count;         /* properties that a person added to objects */
	ossai_word custom_example;   /* the name of the first */
} ossai_fbx_weights;

/* Binary and ASCII files. Errors: OSSA_ERROR_MEMORY. Ownership: the arena's, and the source's
   bytes. */
ossa_status ossai_fbx_read_weights(ossai_arena *arena, const ossai_source *source, ossai_fbx_weights *weights);

/* The names of all models, in the order of the file, as they are in the source's bytes: NULL for
   fewer than two. Errors and ownership: as above. */
ossa_status ossai_fbx_list_names(ossai_arena *arena, const ossai_source *source, ossai_word **names, size_t *count);

enum { OSSAI_FBX_ROOT = 0 };

/* The model that is child `index` of another, counted from 0; NULL where there is none. */
const ossai_fbx_child *ossai_fbx_child_at(const ossai_fbx_weights *weights, int64_t parent, size_t index);

/* The weight at rest of a model's shape: `step` numbers the shapes of one name, from 0 on. 0 where
   the file says nothing. */
double ossai_fbx_weight(const ossai_fbx_weights *weights, int64_t model, const char *channel, size_t step);

/* The name of a model's UV set; of no bytes where the file does not say it. */
ossai_word ossai_fbx_uv_name(const ossai_fbx_weights *weights, int64_t model, size_t set);

/* ---- between the files fbx_weights*.c ---- */

typedef struct ossai_fbx_link {
	int64_t child, parent;
	size_t number; /* in the order of the file */
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
	/* of an ASCII file: the geometry and the UV set that the cursor is in; -1: in no set */
	int64_t geometry, set;
	size_t link_count, model_count;
	ossai_fbx_link *links;
	ossai_fbx_model *models;
} ossai_fbx_weigher;

/* Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_fbx_weigh(ossai_fbx_weigher *w);

#endif

/* import/alembic/alembic_parts.h: what the files of the Alembic reader share: the reader's state,
   and its two kinds of objects.

   alembic.c walks the objects, alembic_xform.c reads transforms, alembic_mesh.c meshes;
   alembic_archive.c and alembic_ogawa.c know the file below. */
#ifndef OSSAI_IMPORT_ALEMBIC_PARTS_H
#define OSSAI_IMPORT_ALEMBIC_PARTS_H

#include "import/alembic/alembic_archive.h"
#include "import/asset/asset.h"

enum { OSSAI_ALEMBIC_DEPTH = 256, OSSAI_ALEMBIC_PATH_SIZE = 256 };

/* An object on the path from the top to the current one. */
typedef struct ossai_alembic_level {
	ossai_word name;
	ossai_alembic_children children; /* still to come */
	uint32_t node;                   /* their parent, or OSSA_NONE */
} ossai_alembic_level;

/* Lives in the asset's arena, as long as the asset is open. */
typedef struct ossai_alembic_reader {
	ossai_asset *asset;
	ossai_alembic_archive archive;
	ossai_alembic_level *levels; /* OSSAI_ALEMBIC_DEPTH */
	size_t depth;
	size_t node_capacity, mesh_capacity, channel_capacity;
	ossai_asset_clip *clip;
	size_t skipped_count; /* curves, points, patches */
} ossai_alembic_reader;

/* OSSA_ERROR_INPUT about an object: the message begins with its path. */
ossa_status ossai_alembic_object_fail(const ossai_alembic_reader *reader, const ossai_alembic_object *object,
	const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Adds a transform as a node on `parent` (or at the root where it does not inherit), and its motion
   as channels. */
ossa_status ossai_alembic_read_xform(
	ossai_alembic_reader *reader, const ossai_alembic_object *object, uint32_t parent, uint32_t *node);

/* Adds a polygon mesh or the cage of a subdivision surface, attached to `node`. */
ossa_status ossai_alembic_read_mesh(ossai_alembic_reader *reader, const ossai_alembic_object *object, uint32_t node);

#endif

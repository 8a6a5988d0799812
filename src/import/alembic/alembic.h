/* import/alembic/alembic.h: Alembic files (.abc): meshes whose vertices move, under transforms that
   move.

   Place in the path: readers of scenes behind the registry.
   Input: an untrusted file.
   Output: an asset, or an error naming what is wrong. Read is the Ogawa container; the older one,
   HDF5, is refused by name. */
#ifndef OSSAI_IMPORT_ALEMBIC_H
#define OSSAI_IMPORT_ALEMBIC_H

#include "import/asset/asset.h"

/* Also for HDF5, so that the reader can say what to do. */
bool ossai_alembic_detect(const uint8_t *bytes, size_t size);

/* Transforms become nodes, their motion one clip; meshes are attached to them and keep their
   positions in the file until a sample is wanted. Faces come out counter-clockwise. Instances are
   read as copies.
   Errors: OSSA_ERROR_INPUT: broken, no polygon mesh, a mesh whose faces change. Warnings:
   "alembic-skipped" (curves, points, patches), "alembic-times", "alembic-attribute",
   "alembic-inherits". */
ossa_status ossai_alembic_read_asset(ossa_context *context, const ossai_source *source, ossai_asset *asset);

#endif

/* tools/ossa/batch/thumbnails.h: small pictures of rigs. */
#ifndef OSSA_BATCH_THUMBNAILS_H
#define OSSA_BATCH_THUMBNAILS_H

#include "batch/batch.h"
#include "batch/rows.h"

/* Draws the first `count` rigs of the rows' worst that have no picture yet, several at once, into
   thumbs/HASH.png of the state folder. A rig that cannot be drawn has none.
   Errors: OSSA_ERROR_WRITE, OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT, OSSA_ERROR_CANCELLED. */
ossa_status batch_thumbnails_draw(
	command_run *run, const batch_options *options, const batch_place *place, batch_rows *rows, size_t count);

/* The picture's path in the state folder. */
void batch_thumbnail_path(const batch_row *row, char *path, size_t size);

#endif

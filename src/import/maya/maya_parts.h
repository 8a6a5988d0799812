/* import/maya/maya_parts.h: what the files that read Maya caches share. */
#ifndef OSSAI_IMPORT_MAYA_PARTS_H
#define OSSAI_IMPORT_MAYA_PARTS_H

#include "import/maya/maya_cache.h"
#include "import/maya/maya_description.h"
#include "import/maya/maya_records.h"

/* What an open cache owns. */
typedef struct ossai_maya_cache {
	ossai_arena arena;
	const ossai_source *source; /* what was opened: one of the files, or the XML */
	const char *base;           /* path of the files without Frame, number and ending */
	ossai_maya_description description;
	bool is_described;
	const char **paths; /* of the files with positions */
	size_t path_count;
	ossai_file single; /* a file that is held open: the only one, where it is not the source */
	ossai_maya_records records;
	size_t channel_count;
	uint32_t *channels; /* taken, in order: index into the records' channels */
	size_t *first;      /* channel_count + 1: the first vertex of each */
	size_t frame_count;
	const ossai_maya_record **frames; /* frame_count x channel_count */
	double *seconds;
} ossai_maya_cache;

/* Reads the positions of a frame of the cache (maya_positions.c). Errors: OSSA_ERROR_INPUT,
   OSSA_ERROR_READ, OSSA_ERROR_MEMORY. */
ossa_status ossai_maya_read_frame(ossa_context *context, const ossai_cache *view, size_t frame, float *positions);

#endif

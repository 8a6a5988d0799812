/* import/maya/maya_description.h: the XML file beside a Maya cache: which files and channels there
   are. */
#ifndef OSSAI_IMPORT_MAYA_DESCRIPTION_H
#define OSSAI_IMPORT_MAYA_DESCRIPTION_H

#include "scene/builder.h"

typedef struct ossai_maya_description {
	bool has_file_per_frame;
	const char *ending; /* of the files: ".mc" or ".mcx" */
	size_t channel_count;
	ossai_word *channels; /* the names of those that hold positions, in order */
	size_t frame_count;   /* by the times of the channels; 0: unknown */
} ossai_maya_description;

/* Whether the first bytes are such a file's: XML with the root Autodesk_Cache_File. */
bool ossai_maya_is_description(const uint8_t *bytes, size_t size);

/* Reads one; what it points to is in the arena. Errors: OSSA_ERROR_INPUT with the line. */
ossa_status ossai_maya_description_read(ossai_arena *arena, const ossai_source *source, ossai_maya_description *description);

#endif

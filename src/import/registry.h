/* import/registry.h: the table of everything that can be read, for the files of import/. */
#ifndef OSSAI_IMPORT_REGISTRY_H
#define OSSAI_IMPORT_REGISTRY_H

#include "base/file.h"
#include "import/asset/asset.h"
#include "import/readers.h"
#include <ossa/read.h>

/* frames per second where neither file nor user sets them: film's */
#define OSSAI_DEFAULT_RATE 24.0

typedef struct ossai_read_entry {
	ossa_read_format format;
	const char *ending; /* ".obj": only to explain files whose content does not decide */
	ossai_detector detect;
	ossai_mesh_reader read_mesh;   /* NULL where the format holds none */
	ossai_cache_opener open_cache; /* NULL where the format is no cache */
	bool keeps_order;              /* vertices come in the same order in every export */
	/* for sequences of files of one mesh; both NULL where read_mesh is as fast */
	ossai_face_finder find_faces;
	ossai_pose_reader read_pose;
	/* scene formats: the only reader that they need; NULL for others */
	ossai_asset_reader read_asset;
} ossai_read_entry;

/* The entry that can explain a file best: by content, else by its ending. Errors: OSSA_ERROR_INPUT
   listing the formats known. */
ossa_status ossai_read_entry_for(ossa_context *context, const ossai_source *source, const ossai_read_entry **entry);

/* The result of ossa_read_mesh for an open file. */
ossa_status ossai_read_mesh(ossa_context *context, const ossai_source *source, const ossai_read_entry *entry,
	const ossa_read_options *options, ossa_mesh **mesh);

#endif

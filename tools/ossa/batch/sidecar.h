/* tools/ossa/batch/sidecar.h: the file beside an output that says what it was made of. */
#ifndef OSSA_BATCH_SIDECAR_H
#define OSSA_BATCH_SIDECAR_H

#include "batch/contents.h"

/* What an earlier run has left of an asset. */
typedef struct batch_sidecar {
	json_t *object; /* NULL: none */
	json_t *line;   /* of its report, borrowed */
	/* the work, its inputs and, of work that is done, the outputs are the same now */
	bool is_valid;
	bool is_done; /* else it has failed */
	int64_t sequence;
} batch_sidecar;

/* The sidecar of an asset: its first output with the ending .ossa.json. */
void batch_sidecar_path(const batch_asset *asset, char *path, size_t size);

/* Whether a path has the ending of sidecars, which no output may have. */
bool batch_is_sidecar(const char *path);

/* Reads it; what is missing or unreadable is no sidecar. verify: compare the bytes of all files. */
void batch_sidecar_read(const batch_asset *asset, bool verify, batch_pause pause, batch_sidecar *sidecar);
void batch_sidecar_free(batch_sidecar *sidecar);

/* Writes it: the line of the report and the files that were read. Gives 0, or the system's error.
   */
int batch_sidecar_write(const batch_asset *asset, json_t *inputs, json_t *line);

#endif

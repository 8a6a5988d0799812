/* tools/ossa/batch/asset.h: one asset of a manifest, ready to be rigged. */
#ifndef OSSA_BATCH_ASSET_H
#define OSSA_BATCH_ASSET_H

#include "batch/manifest.h"
#include "batch/siphash.h"

typedef struct batch_asset {
	const manifest_line *line;
	json_t *object; /* the line; NULL where it has a fault */
	char *id;
	path_list inputs, outputs; /* of "input(s)" and "output(s)" */
	path_list reads, writes;   /* all files, those of options too */
	/* of version, options and paths: what is done, but for the inputs' contents */
	batch_hash work;
	batch_hash asked; /* of the text of the line */
	const char *code; /* of a fault: "manifest"; NULL: none */
	char message[400];
} batch_asset;

/* Reads the line of an asset. What is wrong with it is in code and message.
   Errors: OSSA_ERROR_MEMORY.
   Ownership: batch_asset_free, also after a failure. */
ossa_status batch_asset_read(command_run *run, const manifest *made, size_t index, batch_asset *asset);
void batch_asset_free(batch_asset *asset);

/* Looks at those of its files that are links, which the manifest leaves to the work: a million
   files are not looked up for it. One that is written, or through which is read what a line
   writes, is a fault. */
void batch_asset_follow_links(const manifest *made, batch_asset *asset);

/* The words of `ossa rig` for the asset, ended by NULL: options, outputs, inputs. `threads` and
   `memory` (MB, 0: no limit) where the asset's options do not say them.
   Ownership: each and the list with free: batch_words_free. NULL where there is no memory. */
char **batch_asset_words(const batch_asset *asset, int threads, int memory);
void batch_words_free(char **words);

#endif

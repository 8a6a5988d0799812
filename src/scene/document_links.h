/* scene/document_links.h: the numbers by which the parts of a glTF file name each other.

   Place in the path: the reader checks them, the writer of kept files renumbers them.
   Input: a document's JSON.
   Output: a visit to each number of a kind.
   Source: glTF 2.0 specification, and of the extensions those that name accessors or
   nodes: EXT_mesh_gpu_instancing, MSFT_lod. Files that were compressed are kept expanded. */
#ifndef OSSAI_SCENE_DOCUMENT_LINKS_H
#define OSSAI_SCENE_DOCUMENT_LINKS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ossai_link {
	OSSAI_LINK_ACCESSOR,
	OSSAI_LINK_VIEW,
	OSSAI_LINK_BUFFER,
	OSSAI_LINK_NODE,
	OSSAI_LINK_MESH,
	OSSAI_LINK_SKIN
} ossai_link;

/* Called with the JSON value of each number, which it may set (json_integer_set) but not replace;
   false ends the visits. */
typedef bool (*ossai_link_visit)(void *user, json_t *number);

/* False where a visit said so, or something stands in the place of a number that is none. */
bool ossai_document_visit(json_t *root, ossai_link kind, ossai_link_visit visit, void *user);

/* The numbers of a node's coarser levels (MSFT_lod), from fine to coarse; NULL: it has none. */
json_t *ossai_document_lods(const json_t *node);

/* Notes what a node names as its coarser levels. By node, of which there are `count`: `base_of` the
   one that names it, and `level_of`, unless NULL, which level it is, from 1 on. */
void ossai_document_note_lods(const json_t *node, uint32_t number, size_t count, uint32_t *base_of, uint32_t *level_of);

/* Whether an extension that the file uses may name accessors, views or nodes in places that
   ossai_document_visit does not know. Then these must keep their numbers. */
bool ossai_document_has_strangers(const json_t *root);

#endif

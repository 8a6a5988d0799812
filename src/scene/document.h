/* scene/document.h: the file that a mesh came from, kept so that a writer of its format returns
   what ossa has no field for: materials, images, morph targets, cameras, extras.

   Place in the path: the reader of glTF makes it, the asset layer finds which vertex of the file
   became which of the mesh, the mesh carries it, the writer of glTF puts the rig into it.
   Input: a file's JSON and binary data.
   Output: the same, beside the mesh.

   Copies of a mesh share one document, which does not change once it has been read. */
#ifndef OSSAI_SCENE_DOCUMENT_H
#define OSSAI_SCENE_DOCUMENT_H

#include "base/context.h"
#include "math/vec.h"
#include <ossa/frames.h>
#include <ossa/mesh.h>
#include <ossa/rig.h>

#include <jansson.h>

typedef struct ossai_document_buffer {
	uint8_t *bytes;
	size_t size;
} ossai_document_buffer;

/* One mesh of the file at one of its nodes. Its vertices: those of its primitives one after the
   other; primitives that share vertices have them once. */
typedef struct ossai_document_mesh {
	uint32_t node, mesh;                     /* numbers in the file */
	size_t first_vertex, vertex_count;       /* in `vertex_of` */
	size_t first_primitive, primitive_count; /* in `primitive_vertex` */
	/* any affine map: the file's positions to the mesh's */
	ossai_rigid map;
	/* vertex_count: what takes vectors at a vertex to the mesh, where is_mapped is not */
	ossai_mat3 *turns;
	size_t target_count;
	uint32_t *target_morphs; /* by morph target of the file's mesh: the mesh's */
	bool is_mapped;          /* false: joints took its vertices each to another place */
	/* 0: it is shown; else which coarser level it is, behind the others while the file is written
	   (export/gltf/kept_lods.c) */
	uint32_t lod;
} ossai_document_mesh;

/* The weights of morph targets that were read with an animation, all of it. */
typedef struct ossai_document_morphs {
	size_t frame_count; /* 0: they were not read, or in part */
	double seconds;     /* between the first and the last frame */
	uint64_t digest;
} ossai_document_morphs;

struct ossa_document {
	ossa_context *context;
	size_t uses; /* meshes that share it */
	ossai_arena arena;
	const char *path; /* of the file: other files that it names are beside it */
	json_t *root;
	size_t expanded; /* parts of it that were compressed when it was read */
	size_t buffer_count;
	ossai_document_buffer *buffers; /* of the file's buffers, in the document's memory */
	size_t node_count;
	ossai_rigid *world; /* by node: affine, to the mesh's space at rest */

	size_t image_count;
	uint8_t *image_is_missing; /* by image of the file: its reader has said so */

	size_t mesh_count;
	ossai_document_mesh *meshes;
	/* by primitive: the first of its vertices in its mesh; SIZE_MAX: it is no part of the mesh */
	size_t *primitive_vertex;
	size_t source_count;
	uint32_t *vertex_of; /* source_count: by vertex of the file, the mesh's */
	size_t vertex_count; /* of the mesh, as it was read */
	float *positions;    /* vertex_count x 3: the mesh's, as they were read */
	size_t animation_count;
	char (*clip_names)[64]; /* by animation: of the clip or frames that are read from it */
	/* by animation: it is in the frames or clips that were read with the mesh */
	uint8_t *is_read;
	/* by animation: its frames were read, with its morph targets in them */
	uint8_t *is_sampled;
	/* by animation: seconds before the first of its frames, which is at 0 in the rig's motion */
	double *begin;
	ossai_document_morphs *morphs; /* by animation */
	/* targets that move in animations that were read, in neither the frames nor the clips */
	size_t kept_morphs;
	/* of the frames that were read with the mesh at their own keys; 0: there are none */
	uint64_t frames_digest;
	bool is_chosen; /* their animation was asked for by its name */
	/* from the file's axes and unit to the mesh's: the identity, unless others were asked for */
	ossai_rigid space;
};

/* An empty document with one use. NULL with the error set. */
ossa_document *ossai_document_new(ossa_context *context);

/* One more use, by a mesh of the same context; of NULL nothing. */
ossa_document *ossai_document_share(ossa_document *document);

/* One use less; after the last it is freed. NULL is allowed. */
void ossai_document_release(ossa_document *document);

/* An animation of the file was read as a clip of the mesh's rig; or its frames were, from `begin`
   seconds on, with or without its morph targets. Numbers that it does not have are none. */
void ossai_document_read_clip(ossa_document *document, size_t animation);
void ossai_document_read_frames(ossa_document *document, size_t animation, double begin, bool has_morphs);

/* Notes the weights of all frames of an animation (frame_count x morph_count); whether those of a
   clip are these, over the same time. Cost: reads them once. */
void ossai_document_note_morphs(
	ossa_document *document, size_t animation, size_t frame_count, double seconds, size_t morph_count, const double *weights);
bool ossai_document_has_morphs(const ossa_document *document, size_t animation, const ossa_clip *clip);

/* Notes frames of the mesh that are all keys of an animation; whether frames are these, unchanged.
   Cost: reads them once. */
void ossai_document_note_frames(ossa_document *document, const ossa_frames *frames, bool is_chosen);
bool ossai_document_has_frames(const ossa_document *document, const ossa_frames *frames);

/* The mesh's vertices were welded: `kept` names by vertex the one that stays in its place, `to` the
   new number of that. For documents that one mesh uses. */
void ossai_document_weld(ossa_document *document, const uint32_t *kept, const uint32_t *to, size_t vertex_count);

#endif

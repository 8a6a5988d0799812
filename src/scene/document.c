/* scene/document.c: how long the file behind a mesh is kept, its vertices when the mesh is welded,
   and what is counted in it.

   Place in the path: beside ossa_mesh.
   Input and output: ossa_document. */
#include "scene/document.h"
#include "scene/sets.h"

#include <stdio.h>
#include <math.h>
#include <string.h>

ossa_document *ossai_document_new(ossa_context *context)
{
	ossa_document *document = ossa_alloc(context, 1, sizeof *document);
	if (!document) return NULL;
	document->context = context;
	document->uses = 1;
	document->arena = ossai_arena_begin(context);
	return document;
}

ossa_document *ossai_document_share(ossa_document *document)
{
	if (document) document->uses++;
	return document;
}

void ossai_document_release(ossa_document *document)
{
	if (!document || --document->uses > 0) return;
	json_decref(document->root);
	ossai_arena_end(&document->arena);
	ossa_free(document->context, document);
}

void ossai_document_read_clip(ossa_document *document, size_t animation)
{
	if (animation < document->animation_count) document->is_read[animation] = 1;
}

void ossai_document_read_frames(ossa_document *document, size_t animation, double begin, bool has_morphs)
{
	ossai_document_read_clip(document, animation);
	if (animation >= document->animation_count) return;
	document->is_sampled[animation] = has_morphs;
	document->begin[animation] = begin;
}

/* FNV-1a over whole words */
static uint64_t digest_words(uint64_t digest, const void *data, size_t size)
{
	for (size_t at = 0; at + 4 <= size; at += 4) {
		uint32_t word;
		memcpy(&word, (const uint8_t *)data + at, 4);
		digest = (digest ^ word) * 1099511628211u;
	}
	return digest;
}

static uint64_t digest_morphs(size_t frame_count, size_t morph_count, const double *weights)
{
	return digest_words(14695981039346656037u + morph_count, weights, frame_count * morph_count * sizeof *weights);
}

void ossai_document_note_morphs(
	ossa_document *document, size_t animation, size_t frame_count, double seconds, size_t morph_count, const double *weights)
{
	if (animation >= document->animation_count) return;
	document->morphs[animation] = (ossai_document_morphs){
		frame_count, seconds, digest_morphs(frame_count, morph_count, weights)};
}

bool ossai_document_has_morphs(const ossa_document *document, size_t animation, const ossa_clip *clip)
{
	const ossai_document_morphs *noted = &document->morphs[animation];
	const size_t frames = clip->frame_count;
	if (frames == 0 || noted->frame_count != frames) return false;
	const double seconds = clip->times[frames - 1] - clip->times[0];
	return fabs(seconds - noted->seconds) <= 1e-6 * (1 + fabs(seconds)) &&
		noted->digest == digest_morphs(frames, clip->morph_count, clip->morph_weights);
}

static uint64_t digest_frames(const ossa_frames *frames)
{
	const size_t vertices = frames->vertex_count;
	uint64_t digest = digest_words(14695981039346656037u, frames->times, frames->frame_count * sizeof *frames->times);
	digest = digest_words(digest, frames->positions, 3 * frames->frame_count * vertices * sizeof *frames->positions);
	return digest == 0 ? 1 : digest;
}

void ossai_document_note_frames(ossa_document *document, const ossa_frames *frames, bool is_chosen)
{
	document->frames_digest = digest_frames(frames);
	document->is_chosen = is_chosen;
}

bool ossai_document_has_frames(const ossa_document *document, const ossa_frames *frames)
{
	return document->frames_digest != 0 && document->frames_digest == digest_frames(frames);
}

void ossai_document_weld(ossa_document *document, const uint32_t *kept, const uint32_t *to, size_t vertex_count)
{
	for (size_t v = 0; v < document->vertex_count; v++) {
		if (kept[v] == v) memmove(document->positions + 3 * (size_t)to[v], document->positions + 3 * v, 3 * sizeof(float));
	}
	for (size_t i = 0; i < document->source_count; i++) document->vertex_of[i] = to[kept[document->vertex_of[i]]];
	document->vertex_count = vertex_count;
}

/* the sets of a primitive are numbered from 0 on without a gap */
static size_t uv_sets_of(const json_t *primitive)
{
	char name[32];
	size_t count = 0;
	const json_t *attributes = json_object_get(primitive, "attributes");
	for (bool has = true; has; count += has) {
		snprintf(name, sizeof name, "TEXCOORD_%zu", count);
		has = json_object_get(attributes, name) != NULL;
	}
	return count;
}

size_t ossa_mesh_uv_set_count(const ossa_mesh *mesh)
{
	if (!mesh) return 0;
	const ossa_document *document = mesh->document;
	size_t most = ossai_uv_count(mesh), i;
	json_t *primitive;
	for (size_t m = 0; document && m < document->mesh_count; m++) {
		const json_t *item = json_array_get(json_object_get(document->root, "meshes"), document->meshes[m].mesh);
		json_array_foreach(json_object_get(item, "primitives"), i, primitive)
		{
			const size_t count = uv_sets_of(primitive);
			if (count > most) most = count;
		}
	}
	return most;
}

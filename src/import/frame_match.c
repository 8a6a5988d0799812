/* import/frame_match.c: frames of a mesh whose vertices are in another order, split at seams or
   joined.

   Place in the path: between read_frames.c and callers that have a mesh of their own.
   Input: the mesh, paths of frames, perhaps their own mesh at rest.
   Output: a stream of the mesh's vertices: each follows the corresponding vertex of the frames,
   which has the same position at rest. */
#include "scene/frame_stream.h"
#include "scene/mesh.h"
#include "scene/poses.h"
#include "surface/correspondence.h"

#include <string.h>

/* What such a stream reads from. */
typedef struct matched_frames {
	/* the frames' own mesh at rest; NULL where their first frame is it */
	ossa_mesh *other;
	ossa_frame_stream *frames; /* of the other's vertices */
	float *positions;          /* one of them */
	uint32_t *correspondence;  /* V: where each vertex of the mesh is among them */
	bool is_in_order;          /* the vertices are in the mesh's order */
} matched_frames;

/* The request. */
typedef struct match_request {
	ossa_context *context;
	const ossa_mesh *mesh;
	const char *rest; /* the file that shows the frames' mesh at rest */
	size_t path_count;
	const char *const *paths;
	bool keep_order;
	const ossa_read_options *options;
} match_request;

/* ---- the stream ---- */

static ossa_status read_matched(ossa_context *context, ossa_frame_stream *stream, size_t frame, float *positions)
{
	const matched_frames *matched = stream->data;
	OSSAI_TRY(ossa_frame_stream_read(context, matched->frames, frame, matched->positions));
	for (size_t v = 0; v < stream->vertex_count; v++) {
		memcpy(positions + 3 * v, matched->positions + 3 * (size_t)matched->correspondence[v], 3 * sizeof *positions);
	}
	return OSSA_OK;
}

static void free_matched(ossa_context *context, matched_frames *matched)
{
	if (!matched) return;
	ossa_frame_stream_free(context, matched->frames);
	ossa_mesh_free(context, matched->other);
	ossa_free(context, matched->positions);
	ossa_free(context, matched->correspondence);
	ossa_free(context, matched);
}

static void close_matched(ossa_context *context, ossa_frame_stream *stream) { free_matched(context, stream->data); }

static ossa_status make_stream(const match_request *request, matched_frames *matched, ossa_frame_stream **stream)
{
	OSSAI_TRY(ossai_frame_stream_over(request->context, matched->frames, request->mesh->vertex_count, stream));
	if (ossai_morphs_alike(request->mesh, matched->other)) {
		const ossa_status status = ossai_frame_stream_copy_morphs(request->context, matched->frames, *stream);
		if (status != OSSA_OK) {
			ossa_frame_stream_free(request->context, *stream);
			*stream = NULL;
			return status;
		}
	}
	(*stream)->read = read_matched;
	(*stream)->close = close_matched;
	(*stream)->data = matched;
	return OSSA_OK;
}

/* ---- the match ---- */

/* caches have no mesh: their first frame is taken for the rest, unless there is another */
static ossa_status open_frames(const match_request *request, matched_frames *matched)
{
	ossa_context *context = request->context;
	const ossa_read_format *format = NULL;
	OSSAI_TRY(ossa_read_detect(context, request->rest, &format));
	if (format->reads_mesh) OSSAI_TRY(ossa_read_mesh(context, request->rest, request->options, &matched->other));
	OSSAI_TRY(ossa_frame_stream_open(
		context, matched->other, request->path_count, request->paths, request->keep_order, request->options, &matched->frames));
	matched->positions = ossai_new(context, matched->frames->vertex_count, 3 * sizeof *matched->positions);
	matched->correspondence = ossai_new(context, request->mesh->vertex_count, sizeof *matched->correspondence);
	if (!matched->positions || !matched->correspondence) return ossa_context_error(context)->status;
	if (matched->frames->frame_count == 0) return OSSA_OK;
	/* frames that do not belong to their own mesh are detected in the first */
	return ossa_frame_stream_read(context, matched->frames, 0, matched->positions);
}

static ossa_status find_correspondence(const match_request *request, matched_frames *matched, size_t *missing)
{
	const ossa_mesh *other = matched->other;
	ossai_correspondence_target places = {.vertex_count = matched->frames->vertex_count, .positions = matched->positions};
	if (other)
		places = (ossai_correspondence_target){other->vertex_count, other->positions, other->triangle_count, other->triangles};
	OSSAI_TRY(ossai_correspondence_find(request->context, request->mesh, &places, matched->correspondence, missing));
	matched->is_in_order = places.vertex_count == request->mesh->vertex_count;
	for (size_t v = 0; v < request->mesh->vertex_count && matched->is_in_order; v++) {
		matched->is_in_order = matched->correspondence[v] == v;
	}
	return OSSA_OK;
}

static ossa_status no_correspondence(const match_request *request, size_t missing)
{
	const ossai_place place = ossai_in_file(request->rest);
	return ossai_fail(request->context, OSSA_ERROR_INPUT, &place,
		"its vertices are not those of the mesh %s, in any order: %zu of the %zu of %s have none at their position. Give "
		"frames of the same mesh, not scaled or rotated; if the first of them is not the rest pose, give the frames' own mesh "
		"at rest too",
		request->mesh->name, missing, request->mesh->vertex_count, request->mesh->name);
}

static ossa_status match_frames(const match_request *request, ossa_frame_stream **stream, size_t *missing)
{
	ossa_context *context = request->context;
	matched_frames *matched = ossa_alloc(context, 1, sizeof *matched);
	if (!matched) return ossa_context_error(context)->status;
	ossa_status status = open_frames(request, matched);
	if (status == OSSA_OK) status = find_correspondence(request, matched, missing);
	if (status == OSSA_OK && *missing > 0) status = no_correspondence(request, *missing);
	if (status == OSSA_OK) status = make_stream(request, matched, stream);
	if (status != OSSA_OK) {
		free_matched(context, matched);
	} else if (!matched->is_in_order) {
		ossai_warn(context, "vertices-matched", (int64_t)request->mesh->vertex_count,
			"%s: its vertices are not those of the mesh %s in their order; they were found by their rest positions",
			request->rest, request->mesh->name);
	}
	return status;
}

/* ---- as they are, or matched ---- */

static ossa_status open_as_they_are(const match_request *request, ossa_frame_stream **stream)
{
	ossa_context *context = request->context;
	OSSAI_TRY(ossa_frame_stream_open(
		context, request->mesh, request->path_count, request->paths, request->keep_order, request->options, stream));
	float *positions = ossai_new(context, request->mesh->vertex_count, 3 * sizeof *positions);
	ossa_status status = positions ? OSSA_OK : ossa_context_error(context)->status;
	/* files are checked when they are read */
	if (status == OSSA_OK && (*stream)->frame_count > 0) status = ossa_frame_stream_read(context, *stream, 0, positions);
	ossa_free(context, positions);
	if (status == OSSA_OK) return OSSA_OK;
	ossa_frame_stream_free(context, *stream);
	*stream = NULL;
	return status;
}

static const char *first_path(const match_request *request)
{
	const char *first = request->paths[0];
	for (size_t i = 1; i < request->path_count && !request->keep_order; i++) {
		if (ossai_natural_compare(request->paths[i], first) < 0) first = request->paths[i];
	}
	return first;
}

ossa_status ossa_frame_stream_open_matched(ossa_context *context, const ossa_mesh *mesh, const char *rest, size_t path_count,
	const char *const *paths, bool keep_order, const ossa_read_options *options, ossa_frame_stream **stream)
{
	if (stream) *stream = NULL;
	OSSAI_NEED(context, mesh, stream);
	match_request request = {context, mesh, rest, path_count, paths, keep_order, options};
	size_t missing = 0;
	if (rest && path_count > 0) return match_frames(&request, stream, &missing);
	ossai_warnings *before = ossai_warnings_save(context);
	if (!before) return ossa_context_error(context)->status;
	ossa_status status = open_as_they_are(&request, stream);
	if (status == OSSA_ERROR_INPUT && path_count > 0) {
		const ossa_error error = *ossa_context_error(context);
		ossai_warnings_restore(context, before);
		request.rest = first_path(&request);
		status = match_frames(&request, stream, &missing);
		/* where nothing could be matched, the first error is more helpful */
		const bool is_worse = missing == 0 && (status == OSSA_ERROR_INPUT || status == OSSA_ERROR_READ);
		if (is_worse) status = ossai_fail_again(context, &error);
	}
	ossa_free(context, before);
	return status;
}

/* export/gltf/kept_data.c: the binary data of a kept glTF file.

   Place in the path: inside the GLB writer, after the old rig was taken out.
   Input: the JSON as it is now, the document's buffers.
   Output: accessors and views that something names, in their order, and the runs of bytes that
   these views show, in one buffer. Bytes are not copied before the file is written. */
#include "export/gltf/kept.h"
#include "scene/document_links.h"

#include <stdlib.h>

/* ---- what is named ---- */

static bool mark(void *user, json_t *number)
{
	uint8_t *marks = user;
	marks[json_integer_value(number)] = 1;
	return true;
}

/* drops the items of a list that nothing of the kind names */
static ossa_status drop_unnamed(ossai_kept *kept, ossai_link kind, const char *list)
{
	json_t *root = kept->writer->root;
	const size_t count = json_array_size(json_object_get(root, list));
	uint8_t *stays = ossai_arena_zero(&kept->writer->arena, count, 1);
	if (!stays) return ossa_context_error(kept->writer->context)->status;
	ossai_document_visit(root, kind, mark, stays);
	OSSAI_TRY(ossai_kept_renumber(kept, kind, list, stays, NULL));
	return ossai_kept_own_items(kept, list);
}

/* ---- bytes ---- */

/* What a view shows. */
typedef struct run {
	json_t *view;
	size_t buffer, begin, end;
} run;

static int compare_runs(const void *a, const void *b)
{
	const run *p = a, *q = b;
	if (p->buffer != q->buffer) return p->buffer < q->buffer ? -1 : 1;
	if (p->begin != q->begin) return p->begin < q->begin ? -1 : 1;
	return p->end < q->end ? -1 : p->end > q->end;
}

static ossa_status list_runs(ossai_kept *kept, run **runs, size_t *count)
{
	json_t *views = json_object_get(kept->writer->root, "bufferViews"), *view;
	size_t i;
	*count = json_array_size(views);
	*runs = ossai_arena_new(&kept->writer->arena, *count, sizeof **runs);
	if (!*runs) return ossa_context_error(kept->writer->context)->status;
	json_array_foreach(views, i, view)
	{
		const size_t begin = json_object_get(view, "byteOffset") ? ossai_kept_number(view, "byteOffset") : 0;
		(*runs)[i] = (run){view, ossai_kept_number(view, "buffer"), begin, begin + ossai_kept_number(view, "byteLength")};
	}
	if (*count > 0) qsort(*runs, *count, sizeof **runs, compare_runs);
	return OSSA_OK;
}

/* a block of the file from a multiple of 4 on in its buffer, so that every view is aligned as it
   was */
static ossa_status put_block(ossai_kept *kept, size_t buffer, size_t begin, size_t end)
{
	ossai_glb_writer *writer = kept->writer;
	OSSAI_TRY(
		ossai_reserve(writer->context, &writer->blocks, &writer->block_capacity, writer->block_count, sizeof *writer->blocks));
	writer->blocks[writer->block_count++] = (ossai_glb_block){kept->document->buffers[buffer].bytes + begin, end - begin};
	writer->size += (end - begin + 3) & ~(size_t)3;
	return OSSA_OK;
}

static ossa_status take_runs(ossai_kept *kept, run *runs, size_t count)
{
	for (size_t i = 0; i < count;) {
		const size_t buffer = runs[i].buffer, begin = runs[i].begin & ~(size_t)3, at = kept->writer->size;
		size_t end = runs[i].end, last = i;
		/* those that overlap or follow without a gap lie in one block */
		for (; last < count && runs[last].buffer == buffer && runs[last].begin <= ((end + 3) & ~(size_t)3); last++) {
			if (runs[last].end > end) end = runs[last].end;
		}
		OSSAI_TRY(put_block(kept, buffer, begin, end));
		for (; i < last; i++) {
			json_t *offset = json_integer((json_int_t)(at + runs[i].begin - begin));
			if (json_object_set_new(runs[i].view, "byteOffset", offset) != 0 ||
				json_object_set_new(runs[i].view, "buffer", json_integer(0)) != 0)
				return ossai_glb_no_memory(kept->writer->context);
		}
	}
	return OSSA_OK;
}

ossa_status ossai_kept_take_data(ossai_kept *kept)
{
	run *runs;
	size_t count;
	json_t *root = kept->writer->root;
	if (ossai_document_has_strangers(root)) {
		OSSAI_TRY(ossai_kept_own_items(kept, "accessors"));
		OSSAI_TRY(ossai_kept_own_items(kept, "bufferViews"));
	} else {
		OSSAI_TRY(drop_unnamed(kept, OSSAI_LINK_ACCESSOR, "accessors"));
		OSSAI_TRY(drop_unnamed(kept, OSSAI_LINK_VIEW, "bufferViews"));
	}
	OSSAI_TRY(list_runs(kept, &runs, &count));
	json_object_del(root, "buffers");
	return take_runs(kept, runs, count);
}

/* base/file_set.c: files in memory: see ossa/files.h.

   Place in the path: below file.c, which opens files here in place of the disk.
   Input: names.
   Output: bytes. */
#include "base/context_state.h"
#include "base/file_set.h"

#include <string.h>

typedef struct entry {
	ossa_file file; /* the name is the set's */
	bool is_owned;  /* and so are the bytes: they were written */
} entry;

struct ossa_files {
	ossa_context *context;
	entry *entries;
	size_t count, capacity;
};

ossa_status ossa_files_create(ossa_context *context, ossa_files **files)
{
	if (files) *files = NULL;
	OSSAI_NEED(context, files);
	*files = ossa_alloc(context, 1, sizeof **files);
	if (!*files) return ossa_context_error(context)->status;
	(*files)->context = context;
	return OSSA_OK;
}

/* the index of the file of that name; the number of files where there is none */
static size_t find(const ossa_files *files, const char *name)
{
	size_t i = 0;
	while (i < files->count && strcmp(files->entries[i].file.name, name) != 0) i++;
	return i;
}

static void free_entry(const ossa_files *files, const entry *e)
{
	ossa_free(files->context, (void *)(uintptr_t)e->file.name);
	if (e->is_owned) ossa_free(files->context, (void *)(uintptr_t)e->file.bytes);
}

/* in place of one of the same name; where it fails nothing has changed */
static ossa_status put(ossa_files *files, const char *name, entry made)
{
	const size_t index = find(files, name), length = strlen(name) + 1;
	OSSAI_TRY(ossai_reserve(files->context, &files->entries, &files->capacity, files->count, sizeof *files->entries));
	char *copy = ossai_new(files->context, length, 1);
	if (!copy) return ossa_context_error(files->context)->status;
	memcpy(copy, name, length);
	made.file.name = copy;
	if (index < files->count) free_entry(files, &files->entries[index]);
	else files->count++;
	files->entries[index] = made;
	return OSSA_OK;
}

ossa_status ossa_files_add(ossa_files *files, const char *name, const void *bytes, size_t size)
{
	if (!files) return OSSA_ERROR_ARGUMENT;
	if (!name || !name[0]) {
		return ossai_fail(files->context, OSSA_ERROR_ARGUMENT, NULL, "a file in memory needs a name, such as \"any.glb\"");
	}
	if (!bytes && size > 0) {
		return ossai_fail(files->context, OSSA_ERROR_ARGUMENT, NULL, "\"%.200s\" has %zu bytes, and they are NULL", name, size);
	}
	const ossa_file file = {.bytes = bytes ? bytes : (const uint8_t *)"", .size = size};
	return put(files, name, (entry){file, false});
}

ossa_status ossai_files_store(ossa_files *files, const char *name, uint8_t *bytes, size_t size)
{
	const ossa_status status = put(files, name, (entry){{.bytes = bytes, .size = size}, true});
	if (status != OSSA_OK) ossa_free(files->context, bytes);
	return status;
}

/* out of the set; what was in it is the caller's */
static entry cut(ossa_files *files, size_t index)
{
	const entry found = files->entries[index];
	files->count--;
	memmove(files->entries + index, files->entries + index + 1, (files->count - index) * sizeof found);
	return found;
}

ossa_status ossai_files_rename(ossa_files *files, const char *from, const char *to)
{
	const size_t index = find(files, from);
	if (index == files->count) return OSSA_OK;
	OSSAI_TRY(put(files, to, files->entries[index]));
	/* its bytes have another name now, and replacing one did not move it */
	const entry old = cut(files, index);
	ossa_free(files->context, (void *)(uintptr_t)old.file.name);
	return OSSA_OK;
}

void ossai_files_remove(ossa_files *files, const char *name)
{
	const size_t index = find(files, name);
	if (index == files->count) return;
	const entry old = cut(files, index);
	free_entry(files, &old);
}

size_t ossa_files_count(const ossa_files *files) { return files ? files->count : 0; }

const ossa_file *ossa_files_at(const ossa_files *files, size_t index)
{
	return files && index < files->count ? &files->entries[index].file : NULL;
}

const ossa_file *ossa_files_find(const ossa_files *files, const char *name)
{
	return files && name ? ossa_files_at(files, find(files, name)) : NULL;
}

ossa_status ossa_files_take(ossa_files *files, const char *name, uint8_t **bytes, size_t *size)
{
	if (bytes) *bytes = NULL;
	if (size) *size = 0;
	if (!files) return OSSA_ERROR_ARGUMENT;
	OSSAI_NEED(files->context, name);
	const size_t index = find(files, name);
	if (index == files->count) {
		return ossai_fail(files->context, OSSA_ERROR_ARGUMENT, NULL, "there is no file \"%.200s\" in memory", name);
	}
	if (!files->entries[index].is_owned) {
		return ossai_fail(files->context, OSSA_ERROR_ARGUMENT, NULL,
			"\"%.200s\" was added and not written: its bytes are the caller's already", name);
	}
	const entry taken = cut(files, index);
	if (size) *size = taken.file.size;
	if (bytes) *bytes = (uint8_t *)(uintptr_t)taken.file.bytes;
	else ossa_free(files->context, (void *)(uintptr_t)taken.file.bytes);
	ossa_free(files->context, (void *)(uintptr_t)taken.file.name);
	return OSSA_OK;
}

void ossa_files_free(ossa_files *files)
{
	if (!files) return;
	ossa_context *context = files->context;
	if (context->files == files) context->files = NULL;
	for (size_t i = 0; i < files->count; i++) free_entry(files, &files->entries[i]);
	ossa_free(context, files->entries);
	ossa_free(context, files);
}

void ossa_context_use_files(ossa_context *context, ossa_files *files)
{
	if (context) context->files = files;
}

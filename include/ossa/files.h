/* ossa/files.h: files in memory: a set of named byte arrays that every call reads and writes in
   place of the disk.

   While a context uses a set, a path that a call is given is the name of a file of the set, and
   nothing on the disk is read, made or changed. So every format can be read and written in
   memory, files that belong together too: a .gltf and its .bin, a Maya cache and its description,
   numbered files. The type of a file that is read is found from its content, else from its
   ending; that of a file that is written from its ending, so "any.glb" is a sufficient name. */
#ifndef OSSA_FILES_H
#define OSSA_FILES_H

#include <ossa/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A set of files. It belongs to the context that it was made with and serves one caller at a
   time, as that does. */
typedef struct ossa_files ossa_files;

/* One file of a set. Valid until a file is written, added or taken, or the set is freed. */
typedef struct ossa_file {
	const char *name;
	/* never NULL; of files that were written followed by a 0 that does not count */
	const uint8_t *bytes;
	size_t size;
} ossa_file;

/* Makes an empty set.
   Errors: OSSA_ERROR_MEMORY.
   Ownership: ossa_files_free. */
OSSA_API ossa_status ossa_files_create(ossa_context *context, ossa_files **files);

/* Adds a file, or replaces that of the same name. The bytes are not copied: they must stay as they
   are while the set, or a stream of frames that was opened from it, is in use. Names are compared
   letter by letter; "poses/1.obj" is in the folder "poses/".
   Errors: OSSA_ERROR_ARGUMENT (no set, no name, bytes NULL with a size), OSSA_ERROR_MEMORY. */
OSSA_API ossa_status ossa_files_add(ossa_files *files, const char *name, const void *bytes, size_t size);

/* The files, in the order in which they were added. */
OSSA_API size_t ossa_files_count(const ossa_files *files);
OSSA_API const ossa_file *ossa_files_at(const ossa_files *files, size_t index);

/* The file of that name, or NULL. */
OSSA_API const ossa_file *ossa_files_find(const ossa_files *files, const char *name);

/* Removes a file that was written from the set and returns its bytes, which are the caller's
   (ossa_free). `bytes` NULL: they are freed. `size` may be NULL.
   Errors: OSSA_ERROR_ARGUMENT where there is none of that name, or its bytes are the caller's
   already. */
OSSA_API ossa_status ossa_files_take(ossa_files *files, const char *name, uint8_t **bytes, size_t *size);

/* Frees a set with the files written to it; the context that uses it works on the disk again.
   NULL is allowed. */
OSSA_API void ossa_files_free(ossa_files *files);

/* From now on the paths of all calls are names in `files`, made with the same context; NULL:
   paths on the disk, as at first. A stream of frames reads where the context does at the time of
   the call: do not change that while one is open. */
OSSA_API void ossa_context_use_files(ossa_context *context, ossa_files *files);

#ifdef __cplusplus
}
#endif
#endif

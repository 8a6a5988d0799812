/* base/file.c: the only file that opens files, on the disk or among those in memory that the
   context uses (file_set.c).

   Place in the path: below the readers and writers.
   Input: a path.
   Output: bytes; or a file that is there whole or not at all. */
#define _XOPEN_SOURCE 700 /* realpath */
#define _DEFAULT_SOURCE   /* madvise */
#include "base/context_state.h"
#include "base/file.h"
#include "base/file_set.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* what cannot be mapped (a pipe) is read piece by piece */
static ossa_status read_stream(ossa_context *context, const ossai_place *place, int descriptor, ossai_file *file)
{
	uint8_t *bytes = NULL;
	size_t size = 0, capacity = 0;
	for (;;) {
		if (ossai_reserve(context, &bytes, &capacity, size + 65536, 1) != OSSA_OK) break;
		const ssize_t got = read(descriptor, bytes + size, capacity - size);
		if (got < 0 && errno == EINTR) continue;
		if (got < 0) {
			ossai_fail(context, OSSA_ERROR_READ, place, "cannot be read: %s", strerror(errno));
			break;
		}
		if (got == 0 && size > 0) {
			*file = (ossai_file){bytes, size, false, false};
			return OSSA_OK;
		}
		if (got == 0) {
			ossa_free(context, bytes);
			*file = (ossai_file){(const uint8_t *)"", 0, false, false};
			return OSSA_OK;
		}
		size += (size_t)got;
	}
	ossa_free(context, bytes);
	return ossa_context_error(context)->status;
}

static ossa_status open_descriptor(ossa_context *context, const ossai_place *place, int descriptor, ossai_file *file)
{
	struct stat status;
	if (fstat(descriptor, &status) != 0) {
		return ossai_fail(context, OSSA_ERROR_READ, place, "cannot be read: %s", strerror(errno));
	}
	if (S_ISDIR(status.st_mode)) return ossai_fail(context, OSSA_ERROR_READ, place, "is a folder, not a file");
	if (!S_ISREG(status.st_mode)) return read_stream(context, place, descriptor, file);
	*file = (ossai_file){(const uint8_t *)"", 0, false, false};
	if (status.st_size == 0) return OSSA_OK;
	void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
	if (bytes == MAP_FAILED) return read_stream(context, place, descriptor, file);
	*file = (ossai_file){bytes, (size_t)status.st_size, true, false};
	return OSSA_OK;
}

ossa_status ossai_file_open_output(ossa_context *context, const char *path, ossai_file *file)
{
	const ossai_place place = ossai_in_file(path);
	*file = (ossai_file){NULL, 0, false, false};
	if (!path[0]) return ossai_fail(context, OSSA_ERROR_READ, NULL, "the name of the file to read is empty");
	if (context->files) {
		const ossa_file *found = ossa_files_find(context->files, path);
		if (!found) return ossai_fail(context, OSSA_ERROR_READ, &place, "is not among the files in memory");
		*file = (ossai_file){found->bytes, found->size, false, true};
		return OSSA_OK;
	}
	const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
	if (descriptor < 0) return ossai_fail(context, OSSA_ERROR_READ, &place, "cannot be opened: %s", strerror(errno));
	const ossa_status result = open_descriptor(context, &place, descriptor, file);
	close(descriptor);
	return result;
}

void ossai_file_close(ossa_context *context, ossai_file *file)
{
	if (file->mapped) munmap((void *)(uintptr_t)file->bytes, file->size);
	else if (file->size > 0 && !file->is_lent) ossa_free(context, (void *)(uintptr_t)file->bytes);
	*file = (ossai_file){NULL, 0, false, false};
}

void ossai_file_forget(const ossai_file *file, const uint8_t *begin, size_t size)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	if (!file->mapped || page == 0) return;
	const size_t offset = (size_t)(begin - file->bytes), first = (offset + page - 1) / page * page;
	const size_t last = (offset + size) / page * page;
	/* only advice: where it is not followed nothing is lost */
	if (last > first) (void)madvise((void *)(uintptr_t)(file->bytes + first), last - first, MADV_DONTNEED);
}

bool ossai_file_exists(const ossa_context *context, const char *path)
{
	struct stat status;
	if (context->files) return ossa_files_find(context->files, path) != NULL;
	return stat(path, &status) == 0;
}

static void name_opened(const ossa_context *context, const char *path)
{
	if (!context->files && path[0] && context->options.opened) context->options.opened(context->options.opened_user, path);
}

ossa_status ossai_file_open(ossa_context *context, const char *path, ossai_file *file)
{
	name_opened(context, path);
	return ossai_file_open_output(context, path, file);
}

bool ossai_file_is_input(const ossa_context *context, const char *path)
{
	const bool exists = ossai_file_exists(context, path);
	if (!exists) name_opened(context, path);
	return exists;
}

/* ---- writing ---- */

/* The bytes of a file that is written to memory, the C library's until they are whole. */
typedef struct ossai_written {
	char *bytes;
	size_t size;
} ossai_written;

static ossa_status cannot_write(ossai_output *output, int error)
{
	const ossai_place place = ossai_in_file(output->path);
	return ossai_fail(output->context, OSSA_ERROR_WRITE, &place, "cannot be written: %s", strerror(error));
}

static void free_written(ossai_output *output)
{
	free(output->written->bytes);
	ossa_free(output->context, output->written);
	output->written = NULL;
}

static ossa_status begin_in_memory(ossai_output *output)
{
	if (!output->path[0]) return cannot_write(output, ENOENT);
	snprintf(output->temporary, sizeof output->temporary, "%s.tmp", output->path);
	output->written = ossa_alloc(output->context, 1, sizeof *output->written);
	if (!output->written) return ossa_context_error(output->context)->status;
	output->stream = open_memstream(&output->written->bytes, &output->written->size);
	if (output->stream) return OSSA_OK;
	free_written(output);
	return ossai_fail(output->context, OSSA_ERROR_MEMORY, NULL, "out of memory");
}

/* the bytes go to the context, and with them a file to its set */
static ossa_status store_written(ossai_output *output, const char *name)
{
	const size_t size = output->written->size;
	uint8_t *bytes = ossai_new(output->context, size + 1, 1);
	if (!bytes) return ossa_context_error(output->context)->status;
	memcpy(bytes, output->written->bytes, size);
	bytes[size] = 0;
	return ossai_files_store(output->context->files, name, bytes, size);
}

/* a new file with the permissions of the one it will replace */
static FILE *open_temporary(const char *temporary, const struct stat *old)
{
	/* left by a run that was killed */
	remove(temporary);
	const int descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (descriptor < 0) return NULL;
	if (old) (void)!fchmod(descriptor, old->st_mode & 0777);
	FILE *stream = fdopen(descriptor, "wb");
	if (stream) return stream;
	close(descriptor);
	remove(temporary);
	return NULL;
}

/* a link stays, and what it points to is replaced */
static const char *target_of(const char *path, char target[PATH_MAX]) { return realpath(path, target) ? target : path; }

ossa_status ossai_output_begin(ossa_context *context, const char *path, ossai_output *output)
{
	*output = (ossai_output){.context = context};
	if ((size_t)snprintf(output->path, sizeof output->path, "%s", path) >= sizeof output->path) {
		return cannot_write(output, ENAMETOOLONG);
	}
	if (context->files) return begin_in_memory(output);
	if (!path[0]) return cannot_write(output, ENOENT);
	struct stat old;
	const bool exists = stat(path, &old) == 0;
	if (exists && S_ISDIR(old.st_mode)) return cannot_write(output, EISDIR);
	if (exists && access(path, W_OK) != 0) return cannot_write(output, errno);
	if (exists && !S_ISREG(old.st_mode)) {
		/* a pipe or device is written to, never replaced */
		output->stream = fopen(path, "wb");
		return output->stream ? OSSA_OK : cannot_write(output, errno);
	}
	/* beside a link's target, so that the rename stays on one file system; the process id keeps two
	   runs apart */
	char target[PATH_MAX];
	snprintf(output->temporary, sizeof output->temporary, "%s.tmp%ld", target_of(path, target), (long)getpid());
	output->stream = open_temporary(output->temporary, exists ? &old : NULL);
	return output->stream ? OSSA_OK : cannot_write(output, errno);
}

/* Why an earlier write failed: the stream does not keep it, so that more is written to the
   temporary, which will be removed. */
static int reason_of_failure(const ossai_output *output)
{
	static const char zeros[65536];
	/* a little of it may still fit */
	for (int i = 0; i < 16 && output->temporary[0]; i++) {
		if (write(fileno(output->stream), zeros, sizeof zeros) < 0 && errno != EINTR) return errno;
	}
	return EIO;
}

static void remove_file(ossa_context *context, const char *path)
{
	if (context->files) ossai_files_remove(context->files, path);
	else remove(path);
}

static void remove_temporary(const ossai_output *output)
{
	if (output->temporary[0]) remove_file(output->context, output->temporary);
}

/* leaves the rename to the end of the batch; false where memory is short */
static bool put_off(const ossai_output *output, ossai_batch *batch)
{
	const size_t first = strlen(output->temporary) + 1, second = strlen(output->path) + 1;
	if (ossai_reserve(output->context, &batch->renames, &batch->capacity, batch->count, sizeof *batch->renames) != OSSA_OK)
		return false;
	char *names = ossai_new(output->context, first + second, 1);
	if (!names) return false;
	memcpy(names, output->temporary, first);
	memcpy(names + first, output->path, second);
	batch->renames[batch->count++] = names;
	return true;
}

/* in a batch under the temporary's name, until its end */
static ossa_status commit_in_memory(ossai_output *output)
{
	ossai_batch *batch = output->context->batch;
	const bool failed = ferror(output->stream);
	/* only memory can be short */
	const bool is_short = fclose(output->stream) != 0 || failed;
	output->stream = NULL;
	ossa_status status = is_short ? ossai_fail(output->context, OSSA_ERROR_MEMORY, NULL, "out of memory")
								  : store_written(output, batch ? output->temporary : output->path);
	free_written(output);
	if (status != OSSA_OK || !batch || put_off(output, batch)) return status;
	remove_temporary(output);
	return ossa_context_error(output->context)->status;
}

static void tell_written(const ossa_context *context, const char *path)
{
	if (context->options.written && !context->files) context->options.written(context->options.written_user, path);
}

ossa_status ossai_output_commit(ossai_output *output)
{
	if (output->written) return commit_in_memory(output);
	ossai_batch *batch = output->context->batch;
	int error = ferror(output->stream) ? reason_of_failure(output) : 0;
	errno = 0;
	if (fflush(output->stream) != 0 && errno != 0) error = errno;
	if (fclose(output->stream) != 0 && error == 0) error = errno ? errno : EIO;
	output->stream = NULL;
	if (error == 0 && output->temporary[0] && batch) {
		if (put_off(output, batch)) return OSSA_OK;
		remove_temporary(output);
		return ossa_context_error(output->context)->status;
	}
	char target[PATH_MAX];
	if (error == 0 && output->temporary[0] && rename(output->temporary, target_of(output->path, target)) != 0) error = errno;
	if (error == 0) {
		tell_written(output->context, output->path);
		return OSSA_OK;
	}
	remove_temporary(output);
	return cannot_write(output, error);
}

void ossai_output_abort(ossai_output *output)
{
	if (!output->stream) return;
	fclose(output->stream);
	output->stream = NULL;
	if (output->written) free_written(output);
	else remove_temporary(output);
}

/* ---- files that appear together ---- */

void ossai_batch_begin(ossa_context *context, ossai_batch *batch)
{
	*batch = (ossai_batch){.context = context, .inner = context->batch != NULL};
	if (!batch->inner) context->batch = batch;
}

static ossa_status rename_file(ossa_context *context, const char *temporary, const char *path)
{
	if (context->files) return ossai_files_rename(context->files, temporary, path);
	char target[PATH_MAX];
	if (rename(temporary, target_of(path, target)) == 0) return OSSA_OK;
	const ossai_place place = ossai_in_file(path);
	return ossai_fail(context, OSSA_ERROR_WRITE, &place, "cannot be written: %s", strerror(errno));
}

/* of an entry of a batch: behind the temporary's name */
static const char *path_of(const char *rename) { return rename + strlen(rename) + 1; }

/* all or none: where one cannot be renamed, those that were are removed again */
static ossa_status rename_all(const ossai_batch *batch)
{
	for (size_t i = 0; i < batch->count; i++) {
		const ossa_status status = rename_file(batch->context, batch->renames[i], path_of(batch->renames[i]));
		if (status == OSSA_OK) continue;
		for (size_t k = 0; k < i; k++) remove_file(batch->context, path_of(batch->renames[k]));
		return status;
	}
	for (size_t i = 0; i < batch->count; i++) tell_written(batch->context, path_of(batch->renames[i]));
	return OSSA_OK;
}

ossa_status ossai_batch_end(ossai_batch *batch, ossa_status status)
{
	if (batch->inner) return status;
	batch->context->batch = NULL;
	if (status == OSSA_OK) status = rename_all(batch);
	for (size_t i = 0; i < batch->count; i++) {
		/* nothing is left under the name that it was renamed to */
		if (status != OSSA_OK) remove_file(batch->context, batch->renames[i]);
		ossa_free(batch->context, batch->renames[i]);
	}
	ossa_free(batch->context, batch->renames);
	return status;
}

const char *ossai_file_now(const ossa_context *context, const char *path)
{
	for (size_t i = context->batch ? context->batch->count : 0; i-- > 0;) {
		const char *temporary = context->batch->renames[i];
		if (strcmp(path_of(temporary), path) == 0) return temporary;
	}
	return path;
}

bool ossai_batch_has(const ossa_context *context, const char *path) { return ossai_file_now(context, path) != path; }

const char *ossai_file_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

ossa_status ossai_output_text(ossa_context *context, const char *path, const char *text)
{
	ossai_output output;
	OSSAI_TRY(ossai_output_begin(context, path, &output));
	fputs(text, output.stream);
	return ossai_output_commit(&output);
}

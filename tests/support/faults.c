/* tests/support/faults.c: see faults.h. */
#include "support/faults.h"

#include "support/support.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* a usual run of the tests fails one in so many of the allocations that a long one fails, and where
   there are very many, as many as this, evenly */
enum { SPARSER = 4, USUAL_RUNS = 8 };

/* ---- memory ---- */

typedef struct failing_allocator {
	size_t count, fail_at;
	bool and_all_after;
} failing_allocator;

static void *failing_resize(void *user, void *block, size_t size)
{
	failing_allocator *state = user;
	if (size == 0) {
		free(block);
		return NULL;
	}
	const size_t at = state->count++;
	const bool fails = state->and_all_after ? at >= state->fail_at : at == state->fail_at;
	return fails ? NULL : realloc(block, size);
}

/* one run of the body; true where an allocation failed in it */
static bool run_failing(ossa_context *context, failing_allocator *state, test_sweep_body body, void *arg)
{
	const size_t at = state->fail_at;
	const ossa_status status = body(context, arg);
	const bool failed = state->count > at;
	if (ossa_context_bytes(context) != 0) fail_msg("allocation %zu failed: bytes were not released", at);
	if (!failed) assert_ok(context, status);
	else if (status != OSSA_ERROR_MEMORY) fail_msg("allocation %zu failed: %s", at, ossa_status_name(status));
	ossa_context_reset(context);
	return failed;
}

/* how many allocations the body makes */
static size_t count_allocations(ossa_context *context, failing_allocator *state, test_sweep_body body, void *arg)
{
	*state = (failing_allocator){0, SIZE_MAX, false};
	run_failing(context, state, body, arg);
	return state->count;
}

/* of a usual run */
static size_t usual_step(size_t count, size_t stride)
{
	const size_t least = SPARSER * stride;
	return count / USUAL_RUNS > least ? count / USUAL_RUNS : least;
}

size_t test_allocation_sweep(test_sweep_body body, void *arg, size_t dense, size_t stride)
{
	failing_allocator state = {0, SIZE_MAX, false};
	ossa_context_options options = ossa_context_default();
	options.allocator = (ossa_allocator){failing_resize, &state};
	ossa_context *context = NULL;
	const bool is_usual = stride > 1 && !test_is_long();
	size_t count = SIZE_MAX, step = 1;
	bool failed = true;
	assert_int_equal(ossa_context_create(&options, &context), OSSA_OK);
	for (size_t at = 0; failed && at < count; at += step) {
		if (at == dense) {
			if (is_usual) count = count_allocations(context, &state, body, arg);
			step = is_usual ? usual_step(count, stride) : stride;
		}
		state = (failing_allocator){0, at, true};
		if (at < dense) run_failing(context, &state, body, arg);
		/* where they have not been counted, the last run is the one without a failure */
		state = (failing_allocator){0, at, false};
		failed = run_failing(context, &state, body, arg);
	}
	ossa_context_free(context);
	return count < SIZE_MAX ? count : state.count;
}

static void sweep_all(test_sweep_body body, void *arg, size_t least)
{
	const size_t count = test_allocation_sweep(body, arg, SIZE_MAX, 1);
	if (count < least) fail_msg("%zu allocations, not %zu or more", count, least);
}

static ossa_status read_mesh(ossa_context *context, void *path)
{
	ossa_mesh *mesh;
	const ossa_status status = ossa_read_mesh(context, path, NULL, &mesh);
	if (status != OSSA_OK) assert_null(mesh);
	ossa_mesh_free(context, mesh);
	return status;
}

static ossa_status read_rig(ossa_context *context, void *path)
{
	ossa_rig *rig;
	const ossa_status status = ossa_read_rig(context, path, NULL, &rig);
	if (status != OSSA_OK) assert_null(rig);
	ossa_rig_free(context, rig);
	return status;
}

typedef struct frames_job {
	const char *rest;
	size_t count;
	const char *const *paths;
} frames_job;

static ossa_status read_frames(ossa_context *context, void *arg)
{
	const frames_job *job = arg;
	ossa_mesh *mesh = NULL;
	ossa_frames *frames = NULL;
	ossa_status status = job->rest ? ossa_read_mesh(context, job->rest, NULL, &mesh) : OSSA_OK;
	if (status == OSSA_OK) status = ossa_read_frames(context, mesh, job->count, job->paths, false, NULL, &frames);
	if (status != OSSA_OK) assert_null(frames);
	ossa_mesh_free(context, mesh);
	ossa_frames_free(context, frames);
	return status;
}

void test_sweep_read_mesh(const char *path, size_t least) { sweep_all(read_mesh, (void *)(uintptr_t)path, least); }

void test_sweep_read_rig(const char *path, size_t least) { sweep_all(read_rig, (void *)(uintptr_t)path, least); }

void test_sweep_read_frames(const char *rest, size_t count, const char *const *paths, size_t least)
{
	sweep_all(read_frames, &(frames_job){rest, count, paths}, least);
}

/* ---- files ---- */

static ossa_status write_to(ossa_context *context, const test_writing *what, const char *path)
{
	if (what->rig) return ossa_write_rig(context, what->rig, path, what->options);
	if (what->frames) return ossa_write_frames(context, what->mesh, what->frames, path, what->options);
	return ossa_write_mesh(context, what->mesh, NULL, path, what->options);
}

/* how many files there are in the folder; they are removed */
static size_t empty_folder(const char *path)
{
	size_t count = 0;
	DIR *stream = opendir(path);
	assert_non_null(stream);
	for (struct dirent *entry; (entry = readdir(stream));) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
		char inner[1024];
		snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
		assert_int_equal(unlink(inner), 0);
		count++;
	}
	closedir(stream);
	return count;
}

typedef struct write_job {
	const test_writing *what;
	char folder[512], path[1024];
} write_job;

static ossa_status write_whole_or_not(ossa_context *context, void *arg)
{
	const write_job *job = arg;
	const ossa_status status = write_to(context, job->what, job->path);
	const size_t count = empty_folder(job->folder);
	if ((count > 0) != (status == OSSA_OK)) fail_msg("%s: %zu files, %s", job->path, count, ossa_status_name(status));
	return status;
}

void test_sweep_write(const test_writing *what, const char *name, size_t least)
{
	write_job job = {.what = what};
	snprintf(job.folder, sizeof job.folder, "%s", test_path("sweep-folder"));
	snprintf(job.path, sizeof job.path, "%s/%s", job.folder, name);
	assert_int_equal(mkdir(job.folder, 0700), 0);
	sweep_all(write_whole_or_not, &job, least);
	assert_int_equal(rmdir(job.folder), 0);
}

void test_full_disk(ossa_context *context, const test_writing *what, const char *name, const char *full, size_t capacity)
{
	struct rlimit before, small;
	const bool is_one = strcmp(full, name) == 0;
	const char *path = test_path(name), *other = test_path(full);
	if (is_one) test_file(name, "old", 0);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	small = before;
	small.rlim_cur = capacity;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	const ossa_status status = write_to(context, what, path);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_fails(context, status, OSSA_ERROR_WRITE, full);
	if (!is_one) {
		/* of two files that belong together there is neither */
		assert_int_equal(access(path, F_OK), -1);
		assert_int_equal(access(other, F_OK), -1);
		return;
	}
	test_assert_holds(path, "old");
}

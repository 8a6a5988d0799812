/* tests/support/faults.h: fault injection: every allocation fails once, and the disk is full. */
#ifndef OSSA_TEST_FAULTS_H
#define OSSA_TEST_FAULTS_H

#include <ossa/ossa.h>

/* ---- memory ---- */

/* What a sweep runs: it frees what it makes and answers the status of the call that failed. */
typedef ossa_status (*test_sweep_body)(ossa_context *context, void *arg);

/* Runs `body` with the first, second, third ... allocation failing, each of them alone and with
   all that follow, until none is left to fail and it answers OSSA_OK. Fails the test where a
   failing allocation leads to anything but OSSA_ERROR_MEMORY or leaves bytes alive. Tries every
   allocation up to `dense`, then every `stride`-th alone. Returns how many the body makes. */
size_t test_allocation_sweep(test_sweep_body body, void *arg, size_t dense, size_t stride);

/* Sweeps of every allocation of a public call; where it fails it must give nothing. They fail too
   where there are fewer than `least` allocations, because then it is not the call that the test
   means. `rest`: a mesh file, or NULL where frames need none. */
void test_sweep_read_mesh(const char *path, size_t least);
void test_sweep_read_rig(const char *path, size_t least);
void test_sweep_read_frames(const char *rest, size_t count, const char *const *paths, size_t least);

/* ---- files ---- */

/* What is written: a rig; or frames, of a mesh where the format needs one; or a mesh. `options`
   may be NULL. */
typedef struct test_writing {
	const ossa_rig *rig;
	const ossa_mesh *mesh;
	const ossa_frames *frames;
	const ossa_write_options *options;
} test_writing;

/* A sweep over writing a file of this name: while memory fails there is no file, no part of one
   and none beside it. */
void test_sweep_write(const test_writing *what, const char *name, size_t least);

/* Writes where a file may have `room` bytes, fewer than it needs: asserts OSSA_ERROR_WRITE, a
   message that names the file which did not fit (`full`), and that an older file of that name is
   as it was; where `full` is not `name` but written with it, that there is neither. */
void test_full_disk(ossa_context *context, const test_writing *what, const char *name, const char *full, size_t capacity);

#endif

/* tools/ossa/batch/lock.h: a file that says who works on something, on file systems that several
   machines share. */
#ifndef OSSA_BATCH_LOCK_H
#define OSSA_BATCH_LOCK_H

#include "batch/paths.h"

enum { LOCK_TEXT = 320 };

typedef struct batch_lock {
	char path[COMMAND_PATH_SIZE];  /* of the file that is held; "" where none is */
	char first[COMMAND_PATH_SIZE]; /* of the lock that was taken over, or "" */
} batch_lock;

/* Who holds a lock that could not be taken, and since when it is seen unchanged. */
typedef struct lock_holder {
	char text[LOCK_TEXT]; /* "" while nobody was seen */
	int64_t seconds;      /* the file's time by the clock of its machine: compared only */
	long nanoseconds;
	double seen; /* of command_clock: when it was seen first as it is */
} lock_holder;

typedef enum lock_result { LOCK_TAKEN, LOCK_TAKEN_OVER, LOCK_HELD, LOCK_FAILED } lock_result;

/* Tries to take the lock at `path`. A holder on this machine that is gone, or one elsewhere that
   gave no sign of life while this process watched it for `patience` seconds, loses it.
   holder: what an earlier try has seen, {0} at first. error: the system's, of LOCK_FAILED. */
lock_result batch_lock_take(const char *path, double patience, lock_holder *holder, batch_lock *lock, int *error);

/* The sign of life: to be given several times in the patience of others. */
void batch_lock_touch(const batch_lock *lock);

void batch_lock_release(batch_lock *lock);

/* "host 'a', process 12" of a holder. */
void batch_lock_describe(const lock_holder *holder, char *text, size_t size);

#endif

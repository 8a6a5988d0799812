/* scene/losses.h: what is lost of a file, in words for one warning: kinds with counts, and the name
   of one.

   Place in the path: below readers and writers.
   Input: counts.
   Output: "cameras 1 (\"Eye\"), lights 2". */
#ifndef OSSAI_SCENE_LOSSES_H
#define OSSAI_SCENE_LOSSES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ossai_losses {
	size_t count;     /* of all */
	bool has_example; /* one of them is named */
	char words[360];
} ossai_losses;

/* More of a kind: nothing where `count` is 0. `example`: the name of one, "" or NULL where none has
   a name; the first kind that has one shows it. */
void ossai_losses_add(ossai_losses *all, const char *kind, size_t count, const char *example);

#endif

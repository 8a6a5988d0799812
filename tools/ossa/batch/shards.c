/* tools/ossa/batch/shards.c: cuts a manifest into shards of about equal size.

   Place in the path: the command's batch, behind the manifest, before the run.
   Input: the sizes of all lines.
   Output: the lines of one shard.
   Source: R. L. Graham: Bounds on multiprocessing timing anomalies, 1969: each asset, from the
   largest on, goes to the shard that has least, which is at most 4/3 of the best division.

   Every shard computes the whole assignment, so that they need not talk. Lines of size 0, which are
   broken or have no file, go to the shard with fewest of them. */
#include "batch/shards.h"

#include <stdlib.h>
#include <string.h>

/* ---- which shard ---- */

/* a number of digits alone from 1 to 1,000,000, or 0 */
static uint32_t count_of(const char *text)
{
	const size_t length = text ? strlen(text) : 0;
	if (length == 0 || length > 7 || text[strspn(text, "0123456789")]) return 0;
	const unsigned long count = strtoul(text, NULL, 10);
	return count <= 1000000 ? (uint32_t)count : 0;
}

/* an array of tasks from any number on, in any steps */
static bool read_slurm(batch_shard *shard)
{
	const char *task = getenv("SLURM_ARRAY_TASK_ID"), *least = getenv("SLURM_ARRAY_TASK_MIN");
	const char *step = getenv("SLURM_ARRAY_TASK_STEP");
	const uint32_t count = count_of(getenv("SLURM_ARRAY_TASK_COUNT"));
	if (!task || !least || count == 0) return false;
	const long ahead = strtol(task, NULL, 10) - strtol(least, NULL, 10), pace = step ? strtol(step, NULL, 10) : 1;
	if (ahead < 0 || pace < 1 || ahead / pace >= (long)count) return false;
	*shard = (batch_shard){(uint32_t)(ahead / pace) + 1, count};
	return true;
}

ossa_status batch_shard_read(command_run *run, const char *text, batch_shard *shard)
{
	*shard = (batch_shard){1, 1};
	if (!text) {
		read_slurm(shard);
		return OSSA_OK;
	}
	char number[16];
	const size_t length = strcspn(text, "/");
	snprintf(number, sizeof number, "%.*s", length < sizeof number ? (int)length : 0, text);
	*shard = (batch_shard){count_of(number), text[length] ? count_of(text + length + 1) : 0};
	if (shard->number >= 1 && shard->number <= shard->count) return OSSA_OK;
	return command_fail(
		run, OSSA_ERROR_ARGUMENT, "--shard %.60s: is not a shard; give I/N with I from 1 to N, such as 3/16", text);
}

/* ---- its lines ---- */

/* a line in the order of the assignment: from the largest on, then as in the manifest */
typedef struct sized_line {
	uint64_t bytes;
	uint32_t index;
} sized_line;

static int by_size(const void *a, const void *b)
{
	const sized_line *first = a, *second = b;
	if (first->bytes != second->bytes) return first->bytes < second->bytes ? 1 : -1;
	return (first->index > second->index) - (first->index < second->index);
}

/* what a shard has, and its number from 0 on */
typedef struct load {
	uint64_t bytes;
	uint32_t shard;
} load;

static bool is_less(const load *a, const load *b) { return a->bytes != b->bytes ? a->bytes < b->bytes : a->shard < b->shard; }

/* the least load of a heap has grown */
static void sink(load *heap, uint32_t count)
{
	for (uint32_t at = 0;;) {
		uint32_t least = at;
		for (uint32_t child = 2 * at + 1; child <= 2 * at + 2 && child < count; child++) {
			if (is_less(&heap[child], &heap[least])) least = child;
		}
		if (least == at) return;
		const load lower = heap[least];
		heap[least] = heap[at];
		heap[at] = lower;
		at = least;
	}
}

/* a line that is not to be done has no size */
static uint64_t size_of(const manifest_line *line) { return line->fault == MANIFEST_FINE ? line->bytes : 0; }

/* keeps the shard's lines at the front of the list; how many they are */
static size_t assign(sized_line *list, size_t count, batch_shard shard, load *heap)
{
	size_t kept = 0, empty = 0;
	for (uint32_t s = 0; s < shard.count; s++) heap[s] = (load){0, s};
	for (size_t i = 0; i < count; i++) {
		const sized_line line = list[i];
		const uint32_t owner = line.bytes > 0 ? heap[0].shard : (uint32_t)(empty++ % shard.count);
		if (line.bytes > 0) {
			heap[0].bytes += line.bytes;
			sink(heap, shard.count);
		}
		if (owner + 1 == shard.number) list[kept++] = line;
	}
	return kept;
}

ossa_status batch_shard_lines(command_run *run, const manifest *made, batch_shard shard, uint32_t **lines, size_t *count)
{
	sized_line *list = malloc(made->count * sizeof *list);
	load *heap = malloc(shard.count * sizeof *heap);
	*lines = NULL;
	if (list && heap) {
		for (size_t i = 0; i < made->count; i++) list[i] = (sized_line){size_of(&made->lines[i]), (uint32_t)i};
		qsort(list, made->count, sizeof *list, by_size);
		*count = assign(list, made->count, shard, heap);
		*lines = malloc((*count + 1) * sizeof **lines);
	}
	for (size_t i = 0; *lines && i < *count; i++) (*lines)[i] = list[i].index;
	free(list);
	free(heap);
	return *lines ? OSSA_OK : batch_no_memory(run);
}

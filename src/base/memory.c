/* base/memory.c: all memory: overflow-checked, counted, limited, with arenas for the temporaries of
   a stage.

   Place in the path: below everything. Every block carries its size in front, so that the bytes
   alive are known. */
#include "base/context_state.h"

#include <string.h>

/* In front of every block; keeps what follows aligned for any type. */
typedef union block_head {
	size_t size; /* bytes asked for */
	max_align_t align;
} block_head;

/* In front of every block of an arena. */
typedef union arena_head {
	void *next;
	max_align_t align;
} arena_head;

static ossa_status check_size(ossa_context *context, size_t count, size_t size, size_t *bytes)
{
	if (size != 0 && count > (PTRDIFF_MAX - sizeof(block_head)) / size) {
		return ossai_fail(
			context, OSSA_ERROR_LIMIT, NULL, "%zu items of %zu bytes are more than this machine can address", count, size);
	}
	*bytes = count * size;
	return OSSA_OK;
}

static void count_bytes(ossa_context *context, size_t old_size, size_t new_size)
{
	context->bytes = context->bytes - old_size + new_size;
	if (context->bytes > context->peak_bytes) context->peak_bytes = context->bytes;
	if (context->bytes > context->stage_peak) context->stage_peak = context->bytes;
}

static ossa_status check_limit(ossa_context *context, size_t bytes)
{
	const size_t limit = context->options.memory_limit;
	if (limit == 0 || (bytes <= limit && context->bytes <= limit - bytes)) return OSSA_OK;
	return ossai_fail(context, OSSA_ERROR_LIMIT, NULL,
		"%zu more bytes would pass the memory limit of %zu bytes: raise the limit or use a smaller mesh or fewer frames", bytes,
		limit);
}

size_t ossai_memory_left(const ossa_context *context)
{
	const size_t limit = context->options.memory_limit;
	if (limit == 0) return SIZE_MAX;
	return context->bytes < limit ? limit - context->bytes : 0;
}

ossa_status ossai_foreign_take(ossa_context *context, size_t bytes)
{
	OSSAI_TRY(check_limit(context, bytes));
	count_bytes(context, 0, bytes);
	return OSSA_OK;
}

void ossai_foreign_give(ossa_context *context, size_t bytes) { count_bytes(context, bytes, 0); }

void *ossai_resize(ossa_context *context, void *block, size_t count, size_t size)
{
	size_t bytes = 0;
	if (check_size(context, count, size, &bytes) != OSSA_OK) return NULL;
	block_head *old_head = block ? (block_head *)block - 1 : NULL;
	const size_t old_size = old_head ? old_head->size : 0;
	if (bytes > old_size && check_limit(context, bytes - old_size) != OSSA_OK) return NULL;
	const ossa_allocator *allocator = &context->options.allocator;
	block_head *head = allocator->resize(allocator->user, old_head, bytes + sizeof *head);
	if (!head) {
		ossai_fail(context, OSSA_ERROR_MEMORY, NULL, "no memory for %zu bytes (%zu are in use)", bytes, context->bytes);
		return NULL;
	}
	head->size = bytes;
	count_bytes(context, old_size, bytes);
	return head + 1;
}

void *ossai_new(ossa_context *context, size_t count, size_t size) { return ossai_resize(context, NULL, count, size); }

void *ossa_alloc(ossa_context *context, size_t count, size_t size)
{
	void *block = context ? ossai_new(context, count, size) : NULL;
	if (block) memset(block, 0, count * size);
	return block;
}

void ossa_free(ossa_context *context, void *block)
{
	if (!context || !block) return;
	block_head *head = (block_head *)block - 1;
	count_bytes(context, head->size, 0);
	context->options.allocator.resize(context->options.allocator.user, head, 0);
}

ossa_status ossai_reserve(ossa_context *context, void *array_pointer, size_t *capacity, size_t count, size_t size)
{
	if (count < *capacity) return OSSA_OK;
	const size_t grown = count + count / 2 + 16;
	void *array;
	memcpy(&array, array_pointer, sizeof array);
	array = ossai_resize(context, array, grown, size);
	if (!array) return context->error.status;
	memcpy(array_pointer, &array, sizeof array);
	*capacity = grown;
	return OSSA_OK;
}

size_t ossa_context_bytes(const ossa_context *context) { return context ? context->bytes : 0; }
size_t ossa_context_peak_bytes(const ossa_context *context) { return context ? context->peak_bytes : 0; }

ossai_arena ossai_arena_begin(ossa_context *context) { return (ossai_arena){context, NULL}; }

void *ossai_arena_new(ossai_arena *arena, size_t count, size_t size)
{
	size_t bytes = 0;
	if (check_size(arena->context, count, size, &bytes) != OSSA_OK) return NULL;
	arena_head *head = ossai_new(arena->context, bytes + sizeof *head, 1);
	if (!head) return NULL;
	head->next = arena->first;
	arena->first = head;
	return head + 1;
}

void *ossai_arena_zero(ossai_arena *arena, size_t count, size_t size)
{
	void *block = ossai_arena_new(arena, count, size);
	if (block) memset(block, 0, count * size);
	return block;
}

ossa_status ossai_arena_reserve(ossai_arena *arena, void *array_pointer, size_t *capacity, size_t count, size_t size)
{
	if (count < *capacity) return OSSA_OK;
	const size_t grown = count + count / 2 + 8;
	void *old, *array = ossai_arena_new(arena, grown, size);
	if (!array) return ossa_context_error(arena->context)->status;
	memcpy(&old, array_pointer, sizeof old);
	if (count > 0) memcpy(array, old, count * size);
	memcpy(array_pointer, &array, sizeof array);
	*capacity = grown;
	return OSSA_OK;
}

void ossai_arena_end(ossai_arena *arena)
{
	while (arena->first) {
		arena_head *head = arena->first;
		arena->first = head->next;
		ossa_free(arena->context, head);
	}
}

void ossai_arena_take(ossai_arena *arena, ossai_arena *from)
{
	while (from->first) {
		arena_head *head = from->first;
		from->first = head->next;
		head->next = arena->first;
		arena->first = head;
	}
}

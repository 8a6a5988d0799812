/* methods/stage_arrays.c: see stage_arrays.h. */
#include "methods/stage_arrays.h"

#include <string.h>

ossa_status ossai_stage_arrays_take(ossa_context *context, size_t count, const ossai_stage_array *arrays)
{
	for (size_t i = 0; i < count; i++) {
		void *block = ossa_alloc(context, arrays[i].count > 0 ? arrays[i].count : 1, arrays[i].size);
		memcpy(arrays[i].address, &block, sizeof block);
		if (!block) return ossa_context_error(context)->status;
	}
	return OSSA_OK;
}

void ossai_stage_arrays_free(ossa_context *context, size_t count, const ossai_stage_array *arrays)
{
	for (size_t i = 0; i < count; i++) {
		void *block;
		memcpy(&block, arrays[i].address, sizeof block);
		ossa_free(context, block);
	}
}

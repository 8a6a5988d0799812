/* methods/stage_arrays.h: the arrays of a public value of stages, listed once: to take and to free.

   Used by: contraction_stages, volume_stages. */
#ifndef OSSAI_METHODS_STAGE_ARRAYS_H
#define OSSAI_METHODS_STAGE_ARRAYS_H

#include "base/context.h"

/* address: of the pointer to the array, whatever its type. */
typedef struct ossai_stage_array {
	void *address;
	size_t count, size;
} ossai_stage_array;

/* Allocates all, uninitialized; of no items one, so that NULL means that there is no memory. After
   a failure those before it are there. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_stage_arrays_take(ossa_context *context, size_t count, const ossai_stage_array *arrays);

/* Frees those that are there. */
void ossai_stage_arrays_free(ossa_context *context, size_t count, const ossai_stage_array *arrays);

#endif

/* tests/oracles/dump.h: arrays as JSON, for programs that print stages. */
#ifndef OSSA_TEST_ORACLES_DUMP_H
#define OSSA_TEST_ORACLES_DUMP_H

#include <ossa/ossa.h>

#include <jansson.h>

static inline json_t *dump_numbers(size_t count, const double *value)
{
	json_t *list = json_array();
	for (size_t i = 0; i < count; i++) json_array_append_new(list, json_real(value[i]));
	return list;
}

/* -1: none */
static inline json_t *dump_indices(size_t count, const uint32_t *value)
{
	json_t *list = json_array();
	for (size_t i = 0; i < count; i++)
		json_array_append_new(list, json_integer(value[i] == OSSA_NONE ? -1 : (json_int_t)value[i]));
	return list;
}

#endif

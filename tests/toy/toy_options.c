/* toy/toy_options.c: the options of the toy, as data. */
#include "toy/toy.h"

#include "base/options.h"

#include <stddef.h>

static const ossa_toy_options defaults = {.cookie = OSSAI_COOKIE('t', 'y', ossa_toy_options), .length = 50};

static const ossa_option fields[] = {
	{"toy-length", OSSA_OPTION_DOUBLE, offsetof(ossa_toy_options, length), 1, 100, "% of the diagonal", "",
		"how long the only bone is", "a toy's: any"},
};

static const ossa_option_table table = {"toy", fields, sizeof fields / sizeof fields[0], &defaults,
	.size = sizeof(ossa_toy_options), .cookie = OSSAI_COOKIE('t', 'y', ossa_toy_options)};

ossa_toy_options ossa_toy_default(void) { return defaults; }
const ossa_option_table *ossa_toy_option_table(void) { return &table; }

/* methods/rig_options.h: what is asked of a rig, as those who choose and make read it. Methods are meant by their index. */
#ifndef OSSAI_METHODS_RIG_OPTIONS_H
#define OSSAI_METHODS_RIG_OPTIONS_H

#include "base/context.h"
#include "methods/registry.h"

/* The method's option of that name, or NULL. */
const ossa_option *ossai_method_option(size_t method, const char *name);

/* Names of methods' options that were set by text. */
size_t ossai_given_count(const ossa_rig_options *options);
const char *ossai_given_at(const ossa_rig_options *options, size_t index);

/* The struct that the method works by. */
const void *ossai_options_of(const ossa_rig_options *options, size_t method);

#endif

/* methods/rig_options.h: the options of a rig, as choose.c and make_rig.c read them. `method` is
   the index of a method in the registry. */
#ifndef OSSAI_METHODS_RIG_OPTIONS_H
#define OSSAI_METHODS_RIG_OPTIONS_H

#include "base/context.h"
#include "methods/registry.h"

/* The method's option of that name, or NULL. */
const ossa_option *ossai_method_option(size_t method, const char *name);

/* The names of the methods' options that were set by text, in their order. */
size_t ossai_given_count(const ossa_rig_options *options);
const char *ossai_given_at(const ossa_rig_options *options, size_t index);

/* The options struct for the method. */
const void *ossai_options_of(const ossa_rig_options *options, size_t method);

/* The value of the method's option of that name, or NULL. */
const void *ossai_method_value(const ossa_rig_options *options, size_t method, const char *name);

#endif

/* methods/registry.c: the registry of methods, a row for each.

   Place in the path: the methods -> here -> choose, the command's help, the studio's form, reports.
   A new method needs its outline, its options, its header in include/ossa and a row here. A project
   that builds ossa with methods of its own puts their rows into a header that defines
   OSSAI_MORE_METHODS(ROW) in the form of METHODS below, and defines OSSA_MORE_METHODS as the path
   of that header, in quotes, for the compiler (as tests/toy does). */
#include "methods/registry.h"

#include "methods/draft.h"

#include <ossa/contraction.h>
#include <ossa/examples.h>
#include <ossa/sequence.h>
#include <ossa/volume.h>

#include <string.h>

#ifdef OSSA_MORE_METHODS
#include OSSA_MORE_METHODS
#else
#define OSSAI_MORE_METHODS(ROW)
#endif

static ossa_status by_examples(
	ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames, const void *options, ossa_rig **rig)
{
	return ossa_rig_from_examples(context, mesh, frames, options, rig);
}

static ossa_status by_sequence(
	ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames, const void *options, ossa_rig **rig)
{
	return ossa_rig_from_sequence(context, mesh, frames, options, rig);
}

static ossa_status by_contraction(
	ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames, const void *options, ossa_rig **rig)
{
	(void)frames;
	return ossa_rig_from_contraction(context, mesh, options, rig);
}

static ossa_status by_volume(
	ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames, const void *options, ossa_rig **rig)
{
	(void)frames;
	return ossa_rig_from_volume(context, mesh, options, rig);
}

/* a macro, because the names are the choices of --method, too */
/* clang-format off */
#define METHODS(ROW)                                                                                                           \
	ROW("examples",                                                                                                            \
		.method.title = "Example poses",                                                                                       \
		.method.help = "parts that move rigidly over the poses become bones; weights, joints and motion are fitted to "        \
		               "the poses",                                                                                            \
		.method.source = "Schaefer & Yuksel 2007",                                                                             \
		.method.takes_motion = true,                                                                                           \
		.method.option_table = ossa_examples_option_table,                                                                     \
		.is_tried = true,                                                                                                      \
		.make = by_examples,                                                                                                   \
		.draft = ossai_examples_draft)                                                                                         \
	ROW("sequence",                                                                                                            \
		.method.title = "Animation",                                                                                           \
		.method.help = "points that move alike become bones, by spectral clustering; bones keep their lengths, and weights "       \
		               "are fitted to the frames",                                                                             \
		.method.source = "de Aguiar et al. 2008",                                                                              \
		.method.takes_motion = true,                                                                                           \
		.method.option_table = ossa_sequence_option_table,                                                                     \
		.is_tried = true,                                                                                                      \
		.make = by_sequence,                                                                                                   \
		.draft = ossai_sequence_draft)                                                                                         \
	ROW("contraction",                                                                                                         \
		.method.title = "Contraction",                                                                                         \
		.method.help = "the shape shrinks to its curve skeleton, and joints are placed along its limbs",                       \
		.method.source = "Au et al. 2008, Madaras",                                                                            \
		.method.takes_still = true,                                                                                            \
		.method.option_table = ossa_contraction_option_table,                                                                  \
		.is_tried = true,                                                                                                      \
		.make = by_contraction)                                                                                                \
	ROW("volume",                                                                                                              \
		.method.title = "Volume",                                                                                              \
		.method.help = "the middle lines of the volume that the surface encloses become bones",                                   \
		.method.source = "Wade & Parent 2002",                                                                                 \
		.method.takes_still = true,                                                                                            \
		.method.option_table = ossa_volume_option_table,                                                                       \
		.is_tried = true,                                                                                                      \
		.make = by_volume)                                                                                                     \
	OSSAI_MORE_METHODS(ROW)
/* clang-format on */

#define ROW_OF(text, ...) {.method.name = text, __VA_ARGS__},
#define CHOICE_OF(text, ...) "|" text

static const ossai_method_row rows[] = {METHODS(ROW_OF)};
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

const char ossai_method_choices[] = "auto" METHODS(CHOICE_OF);

const ossai_method_row *ossai_method_row_at(size_t index) { return index < ROW_COUNT ? &rows[index] : NULL; }

size_t ossa_method_count(void) { return ROW_COUNT; }
const ossa_method *ossa_method_at(size_t index) { return index < ROW_COUNT ? &rows[index].method : NULL; }

size_t ossai_method_index(const char *name)
{
	size_t index = 0;
	while (index < ROW_COUNT && strcmp(rows[index].method.name, name) != 0) index++;
	return index;
}

const ossa_method *ossa_method_find(const char *name) { return name ? ossa_method_at(ossai_method_index(name)) : NULL; }

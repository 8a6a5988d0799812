/* methods/rig_options.c: the options that do not depend on the method, and those of all methods in
   one value.

   Input: names and texts, or typed structs.
   Output: options for ossa_rig_make, and the names that were set by text, which choose the
   method. */
#include "methods/rig_options.h"

#include "base/options.h"
#include "methods/option_rows.h"

#include <stddef.h>
#include <string.h>

static const ossa_rig_options defaults = {.cookie = OSSAI_COOKIE('r', 'i', ossa_rig_options),
	.method = "auto",
	.effort = OSSA_EFFORT_NORMAL,
	.articulation = OSSA_ARTICULATION_AUTO,
	.key_frames = 32,
	.names = OSSA_NAMES_BODY,
	.levels = 1,
	.root_bone = "auto"};

OSSAI_CHOICE_ENUM(ossa_articulation);
OSSAI_CHOICE_ENUM(ossa_body_kind);
OSSAI_CHOICE_ENUM(ossa_effort);
OSSAI_CHOICE_ENUM(ossa_roots);

#define FIELD(field) offsetof(ossa_rig_options, field)

static const ossa_option fields[] = {
	{"method", OSSA_OPTION_NAME, FIELD(method), 0, 0, "", ossai_method_choices,
		"how the rig is made; auto: moving input is rigged by each method for motion, and the rig with the smallest error "
		"is kept; one mesh by contraction, or by volume where many of those bones lie outside and fewer of its own",
		"ours: docs/results.md has the table"},
	{"effort", OSSA_OPTION_CHOICE, FIELD(effort), 0, 0, "", "fast|normal|best",
		"from motion: how much is tried; fast: one draft, where no method is named by examples; normal: one by each method, "
		"and "
		"of the one with the smaller error bones are exchanged; best: of each, before they are compared, too",
		"ours: docs/sequence.md has what each takes and gains"},
	{"reference", OSSA_OPTION_INT, FIELD(reference), OSSA_REFERENCE_AUTO, 1000000000, "", "auto|file|first|N",
		"whose shape is the rest pose: that of the rest mesh (file), of a frame by its number, counted from 1, or of the "
		"frame or mesh that is nearest to all others (auto)",
		"de Aguiar et al. 2008: the first frame"},
	{"key-frames", OSSA_OPTION_INT, FIELD(key_frames), 0, 1000000, "frames", "",
		"make skeleton and weights from at most this many frames that represent all, and fit the motion to every frame; 0: "
		"from all frames",
		"ours: most frames are like others"},
	{"names", OSSA_OPTION_CHOICE, FIELD(names), 0, 0, "", OSSA_NAMES_CHOICES,
		"names of bones: body parts (thigh_L), numbers, or another program's for a human",
		"ours: names that riggers search for, and numbers where the shape is ambiguous"},
	{"twist", OSSA_OPTION_INT, FIELD(twist), 0, OSSA_TWIST_MAX, "", "",
		"twist bones of each upper and lower arm and leg of a recognized body (upperarm_twist_01_L), for engines that spread "
		"the roll of a limb over them",
		"ours: none"},
	OSSAI_ROW_LEVELS(FIELD(levels)),
	{"root-bone", OSSA_OPTION_TEXT, FIELD(root_bone), 0, 0, "", "auto|center|NAME",
		"from motion: the bone that is the root; auto: the hips, where a body is recognized, else as center, the bone in the "
		"middle of the shape",
		"both papers: the bone in the middle"},
	{"articulation", OSSA_OPTION_CHOICE, FIELD(articulation), 0, 0, "", "auto|limbs|face",
		"from motion: limbs: a tree of joints about which bones turn, as the motion shows it; face: bones that turn and move "
		"freely, all under one, the head, each with its joint in the middle of its skin; auto: as limbs, but without `bones`, "
		"`root-bone` and `refine 0` a human's are joined as programs for humanoids expect, and those that never moved are "
		"added",
		"both papers: a tree"},
	{"roots", OSSA_OPTION_CHOICE, FIELD(roots), 0, 0, "", "auto|one",
		"people, props and floors in one file get trees of their own under a common root that moves no vertex (auto), or all "
		"are one tree (one)",
		"both papers: one tree"},
	{"complete", OSSA_OPTION_BOOL, FIELD(complete), 0, 1, "", "",
		"from motion: add the bones of the body that never moved (clavicles, toes, fingers), from the rest shape", "ours"},
	OSSAI_ROW_BODY(FIELD(body)),
	OSSAI_ROWS_LANDMARKS(FIELD(landmarks)),
};

static const ossa_option_group groups[] = {
	{"Method", "method", "effort"},
	{"Skeleton", "names|body", "articulation|roots|root-bone|complete|twist|levels|" OSSAI_LANDMARK_NAMES},
	{"Motion", "key-frames", "reference"},
	{NULL, NULL, NULL},
};

static const ossa_option_table table = {"rig", fields, sizeof fields / sizeof fields[0], &defaults,
	.size = sizeof(ossa_rig_options), .cookie = OSSAI_COOKIE('r', 'i', ossa_rig_options), .groups = groups};

ossa_rig_options ossa_rig_default(void) { return defaults; }
const ossa_option_table *ossa_rig_option_table(void) { return &table; }

/* ---- the options of all methods ---- */

struct ossa_method_options {
	void **structs;     /* one for each method */
	const char **given; /* names that were set by text, each once, in their order */
	size_t given_count;
};

/* an upper bound of the names that can be set */
static size_t count_names(void)
{
	size_t count = 0;
	for (size_t m = 0; m < ossa_method_count(); m++) count += ossa_method_at(m)->option_table()->count;
	return count;
}

static ossa_status fill(ossa_context *context, ossa_method_options *all)
{
	all->structs = ossa_alloc(context, ossa_method_count(), sizeof *all->structs);
	all->given = ossa_alloc(context, count_names(), sizeof *all->given);
	if (!all->structs || !all->given) return ossa_context_error(context)->status;
	for (size_t m = 0; m < ossa_method_count(); m++) {
		const ossa_option_table *own = ossa_method_at(m)->option_table();
		all->structs[m] = ossai_new(context, 1, own->size);
		if (!all->structs[m]) return ossa_context_error(context)->status;
		memcpy(all->structs[m], own->defaults, own->size);
	}
	return OSSA_OK;
}

ossa_status ossa_method_options_create(ossa_context *context, ossa_method_options **options)
{
	if (options) *options = NULL;
	OSSAI_NEED(context, options);
	ossa_method_options *all = *options = ossa_alloc(context, 1, sizeof *all);
	if (!all) return ossa_context_error(context)->status;
	const ossa_status status = fill(context, all);
	if (status == OSSA_OK) return OSSA_OK;
	ossa_method_options_free(context, all);
	*options = NULL;
	return status;
}

void ossa_method_options_free(ossa_context *context, ossa_method_options *options)
{
	if (!options) return;
	for (size_t m = 0; options->structs && m < ossa_method_count(); m++) ossa_free(context, options->structs[m]);
	ossa_free(context, options->structs);
	ossa_free(context, options->given);
	ossa_free(context, options);
}

void *ossa_method_options_of(ossa_method_options *options, const char *method)
{
	return options && ossa_method_find(method) ? options->structs[ossai_method_index(method)] : NULL;
}

/* ---- by name ---- */

const ossa_option *ossa_rig_option_find(const char *name)
{
	const ossa_option *found = ossa_option_find(&table, name);
	for (size_t m = 0; !found && m < ossa_method_count(); m++) found = ossai_method_option(m, name);
	return found;
}

static void note_given(ossa_method_options *all, const char *name)
{
	for (size_t i = 0; i < all->given_count; i++) {
		if (strcmp(all->given[i], name) == 0) return;
	}
	all->given[all->given_count++] = name;
}

ossa_status ossa_rig_option_set(ossa_context *context, ossa_rig_options *options, const char *name, const char *text)
{
	OSSAI_NEED(context, options, name, text);
	const ossa_option *option = ossa_rig_option_find(name);
	if (!option) return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "there is no option `%.60s`", name);
	const bool is_own = ossa_option_find(&table, name) != NULL;
	if (is_own) OSSAI_TRY(ossa_option_set(context, &table, options, name, text));
	if (is_own && !options->methods) return OSSA_OK;
	if (!options->methods) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL,
			"`%s` is an option of methods, and methods is NULL: create it with ossa_method_options_create", name);
	}
	for (size_t m = 0; m < ossa_method_count(); m++) {
		if (!ossai_method_option(m, name)) continue;
		const ossa_option_table *own = ossa_method_at(m)->option_table();
		OSSAI_TRY(ossa_option_set(context, own, options->methods->structs[m], name, text));
	}
	if (!is_own) note_given(options->methods, option->name);
	return OSSA_OK;
}

/* ---- for choose.c and make_rig.c ---- */

const ossa_option *ossai_method_option(size_t method, const char *name)
{
	return ossa_option_find(ossa_method_at(method)->option_table(), name);
}

size_t ossai_given_count(const ossa_rig_options *options) { return options->methods ? options->methods->given_count : 0; }
const char *ossai_given_at(const ossa_rig_options *options, size_t index) { return options->methods->given[index]; }

const void *ossai_options_of(const ossa_rig_options *options, size_t method)
{
	const bool is_named = strcmp(options->method, ossa_method_at(method)->name) == 0;
	if (options->method_options && is_named) return options->method_options;
	return options->methods ? options->methods->structs[method] : ossa_method_at(method)->option_table()->defaults;
}

const void *ossai_method_value(const ossa_rig_options *options, size_t method, const char *name)
{
	const ossa_option *option = ossai_method_option(method, name);
	return option ? (const char *)ossai_options_of(options, method) + option->offset : NULL;
}

/* methods/given_options.c: the options of solves for bones that are given, as data. */
#include "methods/option_rows.h"

#include <ossa/fit.h>

#define BIND(field) offsetof(ossa_bind_options, field)
#define FIT(field) offsetof(ossa_fit_options, field)

static const ossa_bind_options bind_defaults = {
	.cookie = OSSAI_COOKIE('b', 'd', ossa_bind_options), .influences = 4, .place = true};

static const ossa_fit_options fit_defaults = {.cookie = OSSAI_COOKIE('f', 't', ossa_fit_options),
	.weights = true,
	.joints = false,
	.motion = true,
	.influences = 4,
	.key_frames = 32,
	.refine = 60,
	.local = true,
	.add_bones = 0,
	.worth = OSSAI_USUAL_WORTH};

ossa_bind_options ossa_bind_default(void) { return bind_defaults; }
ossa_fit_options ossa_fit_default(void) { return fit_defaults; }

const ossa_option_table *ossa_bind_option_table(void)
{
	static const ossa_option options[] = {
		OSSAI_ROW_INFLUENCES(BIND(influences), "as many as every engine takes"),
		{"place", OSSA_OPTION_BOOL, BIND(place), 0, 1, "", "",
			"where the skeleton does not lie in the mesh try other units, and the place where its motion begins", "ours"},
	};
	static const ossa_option_table table = {"bind", options, sizeof options / sizeof options[0], &bind_defaults,
		.size = sizeof(ossa_bind_options), .cookie = OSSAI_COOKIE('b', 'd', ossa_bind_options)};
	return &table;
}

const ossa_option_table *ossa_fit_option_table(void)
{
	static const ossa_option options[] = {
		{"weights", OSSA_OPTION_BOOL, FIT(weights), 0, 1, "", "", "solve for weights", "ours"},
		{"joints", OSSA_OPTION_BOOL, FIT(joints), 0, 1, "", "", "move joints to where the motion has them", "ours"},
		{"motion", OSSA_OPTION_BOOL, FIT(motion), 0, 1, "", "", "fit the rotations too; off: the rig's own motion stays",
			"ours"},
		OSSAI_ROW_INFLUENCES(FIT(influences), "as many as every engine takes"),
		{"key-frames", OSSA_OPTION_INT, FIT(key_frames), 0, 1000000, "frames", "",
			"fit to no more frames than these, which represent all; 0: all", "ours"},
		{"refine", OSSA_OPTION_INT, FIT(refine), 1, 1000, "rounds", "", "the most rounds of each refinement", "ours"},
		OSSAI_ROW_LOCAL(FIT(local), "ours"),
		{"add-bones", OSSA_OPTION_INT, FIT(add_bones), 0, 1000, "bones", "",
			"add at most so many helper bones under the given ones, each of which lowers the error by `worth`", "ours"},
		{"worth", OSSA_OPTION_DOUBLE, FIT(worth), 0, 100, "% of the diagonal", "",
			"by how much a helper bone must lower the RMS error of the whole", "ours: as bones of rigs from motion"},
	};
	static const ossa_option_table table = {"fit", options, sizeof options / sizeof options[0], &fit_defaults,
		.size = sizeof(ossa_fit_options), .cookie = OSSAI_COOKIE('f', 't', ossa_fit_options)};
	return &table;
}

/* methods/examples_options.c: the options of the method of example poses, as data. */
#include <ossa/examples.h>

#include "methods/option_rows.h"

OSSAI_CHOICE_ENUM(ossa_parts_kind);
OSSAI_CHOICE_ENUM(ossa_weights_kind);
OSSAI_CHOICE_ENUM(ossa_symmetry_kind);

static const ossa_examples_options defaults = {.cookie = OSSAI_COOKIE('e', 'x', ossa_examples_options),
	.bones = 0,
	.tolerance = 0,
	.parts = OSSA_PARTS_CLUSTERS,
	.weights = OSSA_WEIGHTS_AUTO,
	.worth = OSSAI_USUAL_WORTH,
	.influences = 4,
	.link_pieces = true,
	.lloyd = 0,
	.local = true,
	.area_weighting = false,
	.symmetry = OSSA_SYMMETRY_OFF,
	.refine = 60};

#define FIELD(field) offsetof(ossa_examples_options, field)

static const ossa_option fields[] = {
	OSSAI_ROW_BONES(FIELD(bones), "the paper: given by the user, 12 to 29; it has no way to find the number"),
	{"tolerance", OSSA_OPTION_DOUBLE, FIELD(tolerance), 0, 100, "% of the diagonal", "",
		"merge parts while no part, moving rigidly, adds more than this to the RMS error of the whole; `bones` is then the "
		"most. 0: off, or 0.2 without `bones`",
		"the paper: in place of the number of bones, without a value; there of the error of one merge"},
	OSSAI_ROW_PARTS(FIELD(parts), "the paper: clusters"),
	OSSAI_ROW_WEIGHTS(FIELD(weights), "; auto: fitted to the frames by least squares", "the paper: least squares"),
	OSSAI_ROW_WORTH(FIELD(worth), "without `bones` and `tolerance`"),
	OSSAI_ROW_INFLUENCES(FIELD(influences), "the paper: 4"),
	OSSAI_ROW_LINK_PIECES(FIELD(link_pieces),
		"the paper: where wanted, along borders; here of closed pieces too, and influence maps cross links"),
	{"lloyd", OSSA_OPTION_INT, FIELD(lloyd), 0, 100, "", "",
		"rounds in which faces are assigned to parts again after the clustering",
		"the paper: an option, little gain; 10 lower its lion from 0.683 to 0.657 %"},
	OSSAI_ROW_LOCAL(
		FIELD(local), "the paper: by influence maps, which leave 3 of 19 supports of its lion in several patches (`refine 0`)"),
	{"area-weighting", OSSA_OPTION_BOOL, FIELD(area_weighting), 0, 1, "", "",
		"weight vertices by their area when bones are connected", "the paper: an option, no difference; used with `refine 0`"},
	OSSAI_ROW_SYMMETRY_MOTION(FIELD(symmetry)),
	OSSAI_ROW_REFINE_MOTION(FIELD(refine), "the procedure of the paper"),
};

static const ossa_option_group groups[] = {
	{"Skeleton", "bones", "tolerance|worth|symmetry"},
	{"Weights", "influences", "weights|local"},
	{"Pieces", "", "link-pieces"},
	{"Method", "", "refine|parts|lloyd|area-weighting"},
	{NULL, NULL, NULL},
};

static const ossa_option_table table = {"examples", fields, sizeof fields / sizeof fields[0], &defaults,
	.size = sizeof(ossa_examples_options), .cookie = OSSAI_COOKIE('e', 'x', ossa_examples_options), .groups = groups};

ossa_examples_options ossa_examples_default(void) { return defaults; }
const ossa_option_table *ossa_examples_option_table(void) { return &table; }

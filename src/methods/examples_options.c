/* methods/examples_options.c: the options of the method of example poses, as data. */
#include <ossa/examples.h>

#include "base/options.h"

OSSAI_CHOICE_ENUM(ossa_parts_kind);
OSSAI_CHOICE_ENUM(ossa_weights_kind);

static const ossa_examples_options defaults = {.cookie = OSSAI_COOKIE('e', 'x', ossa_examples_options),
	.bones = 0,
	.tolerance = 0,
	.parts = OSSA_PARTS_CLUSTERS,
	.weights = OSSA_WEIGHTS_AUTO,
	.worth = 0.05,
	.influences = 4,
	.link_pieces = true,
	.lloyd = 0,
	.local = true,
	.area_weighting = false,
	.refine = 30};

#define FIELD(field) offsetof(ossa_examples_options, field)

static const ossa_option fields[] = {
	{"bones", OSSA_OPTION_INT, FIELD(bones), 0, 500, "", "", "number of bones; 0: as many as the input needs",
		"the paper: given by the user, 12 to 29"},
	{"tolerance", OSSA_OPTION_DOUBLE, FIELD(tolerance), 0, 100, "% of the diagonal", "",
		"merge parts while none adds more than this to the RMS error of the whole by moving rigidly; `bones` is then the most. "
		"0: off, or 0.2 without `bones`",
		"the paper: instead of the number of bones"},
	{"parts", OSSA_OPTION_CHOICE, FIELD(parts), 0, 0, "", OSSA_PARTS_CHOICES,
		"how parts that move together are found: by merging faces (clusters) or by grouping seed vertices (spectral)",
		"the paper: clusters"},
	{"weights", OSSA_OPTION_CHOICE, FIELD(weights), 0, 0, "", OSSA_WEIGHTS_CHOICES,
		"how vertices are bound to bones; auto: fitted to the frames by least squares", "the paper: least squares"},
	{"worth", OSSA_OPTION_DOUBLE, FIELD(worth), 0, 100, "% of the diagonal", "",
		"without `bones` and `tolerance`: remove bones until each that is left lowers the RMS error by at least this; 0: a "
		"bone for each part. Not used with `refine 0`",
		"ours: 0.05 finds about as many as artists' skeletons have joints that move"},
	{"influences", OSSA_OPTION_INT, FIELD(influences), 1, 8, "", "", "most bones that move one vertex", "the paper: 4"},
	{"link-pieces", OSSA_OPTION_BOOL, FIELD(link_pieces), 0, 1, "", "",
		"let one bone hold several pieces of the mesh that are close together", "the paper: where wanted"},
	{"lloyd", OSSA_OPTION_INT, FIELD(lloyd), 0, 100, "", "",
		"rounds in which faces are assigned to parts again after the clustering", "the paper: little gain, an option"},
	{"local", OSSA_OPTION_BOOL, FIELD(local), 0, 1, "", "", "keep the vertices of every bone one connected patch",
		"the paper: yes"},
	{"area-weighting", OSSA_OPTION_BOOL, FIELD(area_weighting), 0, 1, "", "",
		"weight vertices by their area when bones are connected", "the paper: an option; used where refine is 0"},
	{"refine", OSSA_OPTION_INT, FIELD(refine), 0, 1000, "rounds", "",
		"most rounds of each refinement; 0: the procedure of the paper", "ours: ends by itself before"},
};

static const ossa_option_group groups[] = {
	{"Skeleton", "bones", "tolerance|worth"},
	{"Weights", "influences", "weights|local"},
	{"Pieces", "", "link-pieces"},
	{"Method", "", "refine|parts|lloyd|area-weighting"},
	{NULL, NULL, NULL},
};

static const ossa_option_table table = {"examples", fields, sizeof fields / sizeof fields[0], &defaults,
	.size = sizeof(ossa_examples_options), .cookie = OSSAI_COOKIE('e', 'x', ossa_examples_options), .groups = groups};

ossa_examples_options ossa_examples_default(void) { return defaults; }
const ossa_option_table *ossa_examples_option_table(void) { return &table; }

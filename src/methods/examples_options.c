/* methods/examples_options.c: the options of the method of example poses, as data. */
#include <ossa/examples.h>

#include "base/options.h"

OSSAI_CHOICE_ENUM(ossa_parts_kind);
OSSAI_CHOICE_ENUM(ossa_weights_kind);

static const ossa_examples_options defaults = {.cookie = OSSAI_COOKIE(ossa_examples_options),
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
	{"bones", OSSA_OPTION_INT, FIELD(bones), 0, 500, "", "",
		"number of bones, or with a tolerance the most; 0: as many as the tolerance needs",
		"the paper: given by the user, 12 to 29"},
	{"tolerance", OSSA_OPTION_DOUBLE, FIELD(tolerance), 0, 100, "% of the diagonal", "",
		"merge faces while no part adds more than this to the RMS of the whole by moving rigidly; 0: off, or 0.2 where no "
		"number of bones is given",
		"the paper: instead of the number of bones"},
	{"parts", OSSA_OPTION_CHOICE, FIELD(parts), 0, 0, "", OSSA_PARTS_CHOICES,
		"how parts that move together are found: by merging faces, or from the affinities of seeds", "the paper: clusters"},
	{"weights", OSSA_OPTION_CHOICE, FIELD(weights), 0, 0, "", OSSA_WEIGHTS_CHOICES,
		"how vertices are tied to bones; auto: fitted to the frames by least squares", "the paper: least squares"},
	{"worth", OSSA_OPTION_DOUBLE, FIELD(worth), 0, 100, "% of the diagonal", "",
		"without a number of bones and a tolerance: bones go until each lowers the RMS by this; 0: as many as parts are found; "
		"--refine 0 does not use it",
		"ours: 0.05 finds about as many as artists' skeletons have joints that move"},
	{"influences", OSSA_OPTION_INT, FIELD(influences), 1, 8, "", "", "most bones that move one vertex", "the paper: 4"},
	{"link-pieces", OSSA_OPTION_BOOL, FIELD(link_pieces), 0, 1, "", "",
		"let a bone hold several separate pieces of the mesh that lie close together", "the paper: where wanted"},
	{"lloyd", OSSA_OPTION_INT, FIELD(lloyd), 0, 100, "", "", "variational rounds that re-assign faces after the clustering",
		"the paper: little gain, an option"},
	{"local", OSSA_OPTION_BOOL, FIELD(local), 0, 1, "", "", "keep every bone's influence one connected patch",
		"the paper: yes"},
	{"area-weighting", OSSA_OPTION_BOOL, FIELD(area_weighting), 0, 1, "", "",
		"count a vertex by its area when bones are joined", "the paper: an option; used where refine is 0"},
	{"refine", OSSA_OPTION_INT, FIELD(refine), 0, 1000, "rounds", "",
		"most rounds of each refinement; 0: the paper's own procedure", "ours: ends by itself before"},
};

static const ossa_option_table table = {
	"examples", fields, sizeof fields / sizeof fields[0], &defaults, OSSAI_COOKIE(ossa_examples_options)};

ossa_examples_options ossa_examples_default(void) { return defaults; }
const ossa_option_table *ossa_examples_option_table(void) { return &table; }

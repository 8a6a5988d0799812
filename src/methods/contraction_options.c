/* methods/contraction_options.c: the options of the method of contracted meshes, as data. */
#include <ossa/contraction.h>

#include "base/options.h"

OSSAI_CHOICE_ENUM(ossa_proxy_kind);
OSSAI_CHOICE_ENUM(ossa_pieces_kind);
OSSAI_CHOICE_ENUM(ossa_flow_kind);
OSSAI_CHOICE_ENUM(ossa_symmetry_kind);
OSSAI_CHOICE_ENUM(ossa_weights_kind);

static const ossa_contraction_options defaults = {.cookie = OSSAI_COOKIE(ossa_contraction_options),
	.proxy_size = 8000,
	.growth = 3,
	.attraction = 1,
	.volume = 1e-6,
	.steps = 30,
	.rigid_below = 10,
	.along_below = 1,
	.flow = OSSA_FLOW_IMPLICIT,
	.shape = 1,
	.sampling = 0.1,
	.spurs = 5.5,
	.center = true,
	.symmetry = OSSA_SYMMETRY_DETECT,
	.weights = OSSA_WEIGHTS_AUTO,
	.power = 1,
	.influences = 4,
	.local = true,
	.refine = 1};

#define FIELD(field) offsetof(ossa_contraction_options, field)

static const ossa_option fields[] = {
	{"bones", OSSA_OPTION_INT, FIELD(bones), 0, 500, "", "",
		"number of bones; 0: as many as the shape tells (of methods for moving input: as many as the motion needs)",
		"the paper: 24 control points; as many with --refine 0"},
	{"proxy", OSSA_OPTION_CHOICE, FIELD(proxy), 0, 0, "", OSSA_PROXY_CHOICES,
		"what is contracted: the surface remeshed evenly, a closed shell around what it encloses, or the surface as it is; "
		"auto: the "
		"surface where it is closed and of one piece, else the shell",
		"the paper: none"},
	{"proxy-size", OSSA_OPTION_INT, FIELD(proxy_size), 100, 1000000, "vertices", "", "about how many vertices that has",
		"ours: the same shape gives the same skeleton at every resolution"},
	{"pieces", OSSA_OPTION_CHOICE, FIELD(pieces), 0, 0, "", OSSA_PIECES_CHOICES,
		"pieces of the mesh are rigged as one, or each for itself: under a common root, no vertex follows another piece's "
		"bones, and without --bones there are at most 256",
		"the paper: link"},
	{"rigid-below", OSSA_OPTION_DOUBLE, FIELD(rigid_below), 0, 100, "% of the largest piece's size", "",
		"pieces apart: a smaller piece is rigid: one bone in its middle, on the nearest bone of the piece beside it. Its size "
		"is "
		"how far its surface is from its middle (root mean square); 0: none is rigid, 100: all smaller than the largest",
		"ours"},
	{"along-below", OSSA_OPTION_DOUBLE, FIELD(along_below), 0, 100, "% of the largest piece's size", "",
		"pieces apart: a piece smaller than this gets no bone and moves with the skin nearest to it; 0: every piece gets "
		"bones. "
		"At the default, and without --bones, it rises where more than 64 pieces would be rigid",
		"ours"},
	{"join-distance", OSSA_OPTION_DOUBLE, FIELD(join), 0, 100, "% of the diagonal", "",
		"pieces whose vertices lie this near are joined; 0: as far as makes all one", "the paper: as far as makes all one"},
	{"split-distance", OSSA_OPTION_DOUBLE, FIELD(split), 0, 100, "% of the diagonal", "",
		"edges shorter than this are cut before all else, so that parts that should not hang together part; 0: none",
		"the paper: by hand"},
	{"flow", OSSA_OPTION_CHOICE, FIELD(flow), 0, 0, "", OSSA_FLOW_CHOICES,
		"which system a step of the contraction solves: the paper's, or one with a third of its fill",
		"the paper: least-squares"},
	{"pull", OSSA_OPTION_DOUBLE, FIELD(pull), 0, 1e6, "", "",
		"W_L at first, how much the surface contracts in a step; 0: chosen",
		"the paper: by hand; Au et al. 2008: 0.001 sqrt(mean area)"},
	{"growth", OSSA_OPTION_DOUBLE, FIELD(growth), 1, 10, "", "", "s_L, by how much that grows from step to step",
		"ours: fewer steps and fewer spurs than the paper's 2"},
	{"attraction", OSSA_OPTION_DOUBLE, FIELD(attraction), 1e-6, 1e6, "", "", "W_H at first, how much vertices hold their place",
		"the paper: 1"},
	{"volume", OSSA_OPTION_DOUBLE, FIELD(volume), 0, 1, "", "", "the contraction ends at this share of the first volume",
		"the paper: near 0; Au et al. 2008: 1e-6"},
	{"steps", OSSA_OPTION_INT, FIELD(steps), 1, 1000, "", "", "most steps of the contraction", "ours: ends by itself before"},
	{"shape", OSSA_OPTION_DOUBLE, FIELD(shape), 0, 1e6, "", "",
		"w_a, what a collapse of an edge costs for the shape that it changes", "Au et al. 2008: 1"},
	{"sampling", OSSA_OPTION_DOUBLE, FIELD(sampling), 0, 1e6, "", "", "w_b, what it costs for the long edges that it makes",
		"Au et al. 2008: 0.1"},
	{"merge-distance", OSSA_OPTION_DOUBLE, FIELD(merge), 0, 100, "% of the diagonal", "",
		"edges shorter than this collapse first; 0: chosen", "the paper: by hand"},
	{"spurs", OSSA_OPTION_DOUBLE, FIELD(spurs), 0, 100, "% of the size", "",
		"a branch where the surface protrudes by less than this, over the surface, is no limb", "ours"},
	{"center", OSSA_OPTION_BOOL, FIELD(center), 0, 1, "", "", "move control points into the middle of what they stand for",
		"the paper"},
	{"symmetry", OSSA_OPTION_CHOICE, FIELD(symmetry), 0, 0, "", OSSA_SYMMETRY_CHOICES,
		"what becomes of the shape's symmetry: nothing, symmetric bones where shape and curve are, or symmetric bones in any "
		"case",
		"ours: detect"},
	{"weights", OSSA_OPTION_CHOICE, FIELD(weights), 0, 0, "", OSSA_WEIGHTS_CHOICES,
		"how vertices are tied to bones: heat, by distance over the surface, or by the voxels that bones cover; auto: heat, "
		"with "
		"--refine 0 by distance (rigid: --influences 1)",
		"the paper: geodesic"},
	{"power", OSSA_OPTION_DOUBLE, FIELD(power), 0.1, 16, "", "", "geodesic weights: the power of 1 / distance", "the paper: 1"},
	{"influences", OSSA_OPTION_INT, FIELD(influences), 1, 8, "", "", "most bones that move one vertex",
		"ours: 4, as engines take"},
	{"local", OSSA_OPTION_BOOL, FIELD(local), 0, 1, "", "", "keep every bone's influence one connected patch", "ours"},
	{"refine", OSSA_OPTION_INT, FIELD(refine), 0, 1000, "rounds", "",
		"0: the paper's own procedure, and nothing that goes past it", "ours: joints where limbs begin, bend and end"},
};

static const ossa_option_table table = {
	"contraction", fields, sizeof fields / sizeof fields[0], &defaults, OSSAI_COOKIE(ossa_contraction_options)};

ossa_contraction_options ossa_contraction_default(void) { return defaults; }
const ossa_option_table *ossa_contraction_option_table(void) { return &table; }

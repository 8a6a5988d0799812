/* methods/contraction_options.c: the options of the method of contracted meshes, as data. */
#include "base/options.h"
#include "methods/contraction.h"

OSSAI_CHOICE_ENUM(ossa_proxy_kind);
OSSAI_CHOICE_ENUM(ossa_pieces_kind);
OSSAI_CHOICE_ENUM(ossa_flow_kind);
OSSAI_CHOICE_ENUM(ossa_symmetry_kind);
OSSAI_CHOICE_ENUM(ossa_weights_kind);

static const ossa_contraction_options defaults = {.cookie = OSSAI_COOKIE('c', 'o', ossa_contraction_options),
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
	{"bones", OSSA_OPTION_INT, FIELD(bones), 0, 500, "", "", "number of bones; 0: as many as the input needs",
		"the paper: 24 control points; as many with `refine 0`"},
	{"proxy", OSSA_OPTION_CHOICE, FIELD(proxy), 0, 0, "", OSSA_PROXY_CHOICES,
		"what is contracted: the surface after isotropic remeshing, a closed shell around what it encloses, or the surface as "
		"it is (none); auto: the surface where it is closed and of one piece, else the shell",
		"the paper: none"},
	{"proxy-size", OSSA_OPTION_INT, FIELD(proxy_size), 100, 1000000, "vertices", "", "about how many vertices the proxy has",
		"ours: the same shape gives the same skeleton at every resolution"},
	{"pieces", OSSA_OPTION_CHOICE, FIELD(pieces), 0, 0, "", OSSA_PIECES_CHOICES,
		"rig the pieces of the mesh as one (link), or each by itself under a common root (separate): no vertex then follows "
		"bones of another piece, and without `bones` there are at most 256",
		"the paper: link"},
	{"rigid-below", OSSA_OPTION_DOUBLE, FIELD(rigid_below), 0, 100, "% of the largest piece's size", "",
		"with `pieces separate`: a smaller piece is rigid: one bone in its middle, a child of the nearest bone of the piece "
		"beside it. The size of a piece is how far its surface is from its middle (root mean square). 0: none is rigid, 100: "
		"all but the largest",
		"ours"},
	{"along-below", OSSA_OPTION_DOUBLE, FIELD(along_below), 0, 100, "% of the largest piece's size", "",
		"with `pieces separate`: a smaller piece gets no bone and moves with the nearest skin; 0: every piece gets bones. At "
		"the default, and without `bones`, it rises where more than 64 pieces would be rigid",
		"ours"},
	{"join-distance", OSSA_OPTION_DOUBLE, FIELD(join), 0, 100, "% of the diagonal", "",
		"connect pieces whose vertices are this close to each other; 0: as close as connects all",
		"the paper: as far as makes all one"},
	{"split-distance", OSSA_OPTION_DOUBLE, FIELD(split), 0, 100, "% of the diagonal", "",
		"first cut edges shorter than this, to separate parts that should not be connected; 0: none", "the paper: by hand"},
	{"flow", OSSA_OPTION_CHOICE, FIELD(flow), 0, 0, "", OSSA_FLOW_CHOICES,
		"the linear system of a contraction step: that of the paper, or one with a third of its fill (implicit)",
		"the paper: least-squares"},
	{"pull", OSSA_OPTION_DOUBLE, FIELD(pull), 0, 1e6, "", "",
		"W_L of the first step: how strongly the surface contracts; 0: chosen",
		"the paper: by hand; Au et al. 2008: 0.001 sqrt(mean area)"},
	{"growth", OSSA_OPTION_DOUBLE, FIELD(growth), 1, 10, "", "", "s_L: the factor by which W_L grows from step to step",
		"ours: fewer steps and fewer spurs than the paper's 2"},
	{"attraction", OSSA_OPTION_DOUBLE, FIELD(attraction), 1e-6, 1e6, "", "",
		"W_H of the first step: how strongly vertices keep their place", "the paper: 1"},
	{"volume", OSSA_OPTION_DOUBLE, FIELD(volume), 0, 1, "", "", "end the contraction at this share of the first volume",
		"the paper: near 0; Au et al. 2008: 1e-6"},
	{"steps", OSSA_OPTION_INT, FIELD(steps), 1, 1000, "", "", "most steps of the contraction", "ours: ends by itself before"},
	{"shape", OSSA_OPTION_DOUBLE, FIELD(shape), 0, 1e6, "", "",
		"w_a: the cost of a change of the shape when an edge is collapsed", "Au et al. 2008: 1"},
	{"sampling", OSSA_OPTION_DOUBLE, FIELD(sampling), 0, 1e6, "", "", "w_b: the cost of the long edges that a collapse makes",
		"Au et al. 2008: 0.1"},
	{"merge-distance", OSSA_OPTION_DOUBLE, FIELD(merge), 0, 100, "% of the diagonal", "",
		"collapse edges shorter than this first; 0: chosen", "the paper: by hand"},
	{"spurs", OSSA_OPTION_DOUBLE, FIELD(spurs), 0, 100, "% of the size", "",
		"a branch is spurious, and removed, where no tip along it has this persistence: how far the surface protrudes there, "
		"measured over the surface. 0 removes none: every bump and all noise of the curve get bones",
		"ours"},
	{"center", OSSA_OPTION_BOOL, FIELD(center), 0, 1, "", "",
		"move the nodes of the curve to the middle of the vertices that they stand for", "the paper"},
	{"symmetry", OSSA_OPTION_CHOICE, FIELD(symmetry), 0, 0, "", OSSA_SYMMETRY_CHOICES,
		"what to do with the symmetry of the shape: nothing, keep it where shape and curve have it, or make the bones "
		"symmetric in any case",
		"ours: detect"},
	{"weights", OSSA_OPTION_CHOICE, FIELD(weights), 0, 0, "", OSSA_WEIGHTS_CHOICES,
		"how vertices are bound to bones: by heat, by distance over the surface (geodesic), or by the voxels that bones cover "
		"(coverage); auto: heat, with `refine 0` geodesic (rigid: `influences 1`)",
		"the paper: geodesic"},
	{"power", OSSA_OPTION_DOUBLE, FIELD(power), 0.1, 16, "", "", "geodesic weights: 1 / distance to this power",
		"the paper: 1"},
	{"influences", OSSA_OPTION_INT, FIELD(influences), 1, 8, "", "", "most bones that move one vertex",
		"ours: 4, as engines take"},
	{"local", OSSA_OPTION_BOOL, FIELD(local), 0, 1, "", "", "keep the vertices of every bone one connected patch", "ours"},
	{"refine", OSSA_OPTION_INT, FIELD(refine), 0, 1000, "rounds", "", "0: the procedure of the paper, without our refinements",
		"ours: joints where limbs begin, bend and end"},
};

static const ossa_option_group groups[] = {
	{"Skeleton", "bones|symmetry", "spurs|center"},
	{"Weights", "influences", "weights|power|local"},
	{"Pieces", "", "pieces|rigid-below|along-below|join-distance|split-distance"},
	{"Method", "", "refine|proxy|proxy-size|flow|pull|growth|attraction|volume|steps|shape|sampling|merge-distance"},
	{NULL, NULL, NULL},
};

static const ossa_option_table table = {"contraction", fields, sizeof fields / sizeof fields[0], &defaults,
	.size = sizeof(ossa_contraction_options), .cookie = OSSAI_COOKIE('c', 'o', ossa_contraction_options), .groups = groups};

ossa_contraction_options ossa_contraction_default(void) { return defaults; }
const ossa_option_table *ossa_contraction_option_table(void) { return &table; }

/* ---- what goes together ---- */

static void warn_unused(ossa_context *context, const ossa_contraction_options *o)
{
	static const char *const in_paper = "the paper has none of it: `refine 0`";
	static const char *const only_separate = "pieces are linked: `pieces separate`";
	const bool is_published = o->refine == 0;
	const bool by_distance = o->weights == OSSA_WEIGHTS_GEODESIC || (is_published && o->weights == OSSA_WEIGHTS_AUTO);
	const ossai_unused options[] = {{"spurs", is_published && o->spurs != defaults.spurs, in_paper},
		{"symmetry", is_published && o->symmetry == OSSA_SYMMETRY_ENFORCE, in_paper},
		{"join-distance", o->pieces == OSSA_PIECES_SEPARATE && o->join > 0, "`pieces separate` joins none"},
		{"rigid-below", o->pieces == OSSA_PIECES_LINK && o->rigid_below != defaults.rigid_below, only_separate},
		{"along-below", o->pieces == OSSA_PIECES_LINK && o->along_below != defaults.along_below, only_separate},
		{"power", o->power != defaults.power && !by_distance, OSSAI_UNUSED_POWER}};
	ossai_tell_unused(context, sizeof options / sizeof options[0], options);
}

ossa_status ossai_contraction_begin(ossa_context *context, const ossa_mesh *mesh, ossai_contraction *c)
{
	OSSAI_TRY(ossa_options_check(context, &table, &c->own));
	OSSAI_TRY(ossai_still_check_weights(context, "contraction", c->own.weights));
	warn_unused(context, &c->own);
	c->still = (ossai_still_work){.context = context, .mesh = mesh, .link_pieces = c->own.pieces == OSSA_PIECES_LINK};
	return OSSA_OK;
}

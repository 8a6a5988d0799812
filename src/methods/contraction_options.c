/* methods/contraction_options.c: the options of the method of contraction, as data, and which of
   them have no effect together. */
#include "methods/option_rows.h"
#include "methods/contraction_warnings.h"

#include <ossa/contraction_stages.h>

OSSAI_CHOICE_ENUM(ossa_proxy_kind);
OSSAI_CHOICE_ENUM(ossa_pieces_kind);
OSSAI_CHOICE_ENUM(ossa_flow_kind);
OSSAI_CHOICE_ENUM(ossa_symmetry_kind);
OSSAI_CHOICE_ENUM(ossa_body_kind);
OSSAI_CHOICE_ENUM(ossa_weights_kind);

static const ossa_contraction_options defaults = {.cookie = OSSAI_COOKIE('c', 'o', ossa_contraction_options),
	.proxy_size = 8000,
	.growth = 0,
	.attraction = 1,
	.volume = 1e-6,
	.steps = 30,
	.rigid_below = 10,
	.along_below = 1,
	.flow = OSSA_FLOW_AUTO,
	.shape = 1,
	.sampling = 0.1,
	.spurs = 5.5,
	.center = true,
	.rigid_pieces = true,
	.props = true,
	.symmetry = OSSA_SYMMETRY_DETECT,
	.weights = OSSA_WEIGHTS_AUTO,
	.power = 1,
	.influences = 4,
	.local = true,
	.refine = 1};

#define FIELD(field) offsetof(ossa_contraction_options, field)

/* the fields of the stages */
enum { STAGE_FIELDS = 13 };

static const ossa_option fields[] = {
	/* those of the stages up to the curve */
	OSSAI_ROW_BONES(FIELD(bones), "the paper: 24 control points; as many with `refine 0`"),
	{"join-distance", OSSA_OPTION_DOUBLE, FIELD(join), 0, 100, "% of the diagonal", "",
		"connect pieces whose vertices are closer to each other than this; 0: as far apart as it takes to connect all",
		"the paper: as far apart as it takes"},
	{"split-distance", OSSA_OPTION_DOUBLE, FIELD(split), -1, 100, "% of the diagonal", "",
		"first remove edges shorter than this, to separate parts that should not be connected: of the mesh with `refine 0`, "
		"else "
		"of those that join pieces alone; 0: none; -1: with `refine 0` the least distance that leaves no loop",
		"the paper: by hand or computed, without a formula"},
	{"flow", OSSA_OPTION_CHOICE, FIELD(flow), 0, 0, "", OSSA_FLOW_CHOICES,
		"the linear system of a contraction step: that of the paper, or one with a third of its fill (implicit); auto: "
		"implicit, with `refine 0` least-squares",
		"the paper: least-squares"},
	{"pull", OSSA_OPTION_DOUBLE, FIELD(pull), 0, 1e6, "", "",
		"how strongly the first step contracts the surface: with `refine 0` W_L as printed, else the time of its flow, in "
		"squared sizes; 0: chosen",
		"the paper: by hand; Au et al. 2008: 0.001 sqrt(mean area), with which the first ten steps move nothing"},
	{"growth", OSSA_OPTION_DOUBLE, FIELD(growth), 0, 10, "", "",
		"s_L: the factor by which W_L grows from step to step, 1 or more; 0: 3, with `refine 0` 2",
		"Au et al. 2008: 2; ours: 3, fewer steps and fewer spurious branches"},
	{"attraction", OSSA_OPTION_DOUBLE, FIELD(attraction), 1e-6, 1e6, "", "",
		"W_H of the first step: how strongly vertices keep their position", "Au et al. 2008: 1"},
	{"volume", OSSA_OPTION_DOUBLE, FIELD(volume), 0, 1, "", "", "end the contraction at this share of the initial volume",
		"the paper: close to zero; Au et al. 2008: 1e-6"},
	{"steps", OSSA_OPTION_INT, FIELD(steps), 1, 1000, "", "", "most steps of the contraction", "ours: ends by itself before"},
	{"shape", OSSA_OPTION_DOUBLE, FIELD(shape), 0, 1e6, "", "",
		"w_a: the cost of a change of the shape when an edge is collapsed", "Au et al. 2008: 1"},
	{"sampling", OSSA_OPTION_DOUBLE, FIELD(sampling), 0, 1e6, "", "", "w_b: the cost of the long edges that a collapse makes",
		"Au et al. 2008: 0.1"},
	{"merge-distance", OSSA_OPTION_DOUBLE, FIELD(merge), 0, 100, "% of the diagonal", "",
		"collapse edges shorter than this first; 0: chosen", "the paper: by hand"},
	{"center", OSSA_OPTION_BOOL, FIELD(center), 0, 1, "", "",
		"move the nodes of the curve to the middle of the surface that they stand for", "the paper"},
	/* of rigs */
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
		"with `pieces separate`: a smaller piece is rigid: one bone at its center, a child of the nearest bone of the piece "
		"beside it. The size of a piece is the root mean square distance of its surface from its center. 0: none is rigid, "
		"100: all but the largest",
		"ours"},
	{"along-below", OSSA_OPTION_DOUBLE, FIELD(along_below), 0, 100, "% of the largest piece's size", "",
		"with `pieces separate`: a smaller piece gets no bone and moves with the nearest skin; 0: every piece gets bones. The "
		"default, without `bones`, is raised where more than 64 pieces would be rigid",
		"ours"},
	OSSAI_ROW_SPURS(FIELD(spurs), ""),
	OSSAI_ROW_BODY(FIELD(body)),
	OSSAI_ROWS_LANDMARKS(FIELD(landmarks)),
	OSSAI_ROW_RIGID_PIECES(FIELD(rigid_pieces)),
	OSSAI_ROW_PROPS(FIELD(props)),
	OSSAI_ROW_SYMMETRY(FIELD(symmetry)),
	OSSAI_ROW_WEIGHTS(FIELD(weights),
		": by heat, by distance over the surface (geodesic), or by the voxels that bones cover (coverage); least-squares needs "
		"motion, which this method has not; auto: heat, with `refine 0` geodesic (rigid: `influences 1`)",
		"the paper: geodesic"),
	OSSAI_ROW_POWER(FIELD(power), "the paper: 1"),
	OSSAI_ROW_INFLUENCES(FIELD(influences),
		"the paper: the closest control points, it does not say how many; 4, as engines "
		"support"),
	OSSAI_ROW_LOCAL(FIELD(local), "ours; `refine 0` leaves the paper's weights as they are"),
	{"refine", OSSA_OPTION_INT, FIELD(refine), 0, 1000, "rounds", "",
		"0: the procedure of the paper as printed, without our refinements; warnings say where it leaves a step "
		"open",
		"ours: joints where limbs begin, bend and end"},
};

static const ossa_option_group groups[] = {
	{"Skeleton", "bones|body", OSSAI_LANDMARK_NAMES "|symmetry|spurs|center"},
	{"Weights", "influences", "weights|power|local|rigid-pieces|props"},
	{"Pieces", "", "pieces|rigid-below|along-below|join-distance|split-distance"},
	{"Method", "", "refine|proxy|proxy-size|flow|pull|growth|attraction|volume|steps|shape|sampling|merge-distance"},
	{NULL, NULL, NULL},
};

static const ossa_option_table table = {"contraction", fields, sizeof fields / sizeof fields[0], &defaults,
	.size = sizeof(ossa_contraction_options), .cookie = OSSAI_COOKIE('c', 'o', ossa_contraction_options), .groups = groups};

static const ossa_option_table stage_table = {"contraction", fields, STAGE_FIELDS, &defaults,
	.size = sizeof(ossa_contraction_options), .cookie = OSSAI_COOKIE('c', 'o', ossa_contraction_options), .groups = groups};

ossa_contraction_options ossa_contraction_default(void) { return defaults; }
const ossa_option_table *ossa_contraction_option_table(void) { return &table; }
const ossa_option_table *ossa_contraction_stage_option_table(void) { return &stage_table; }

/* ---- options without effect ---- */

static void warn_unused(ossa_context *context, const ossa_contraction_options *o)
{
	static const char *const in_paper = "the paper does not use it: `refine 0`";
	static const char *const only_separate = "pieces are linked: `pieces separate`";
	const bool is_published = o->refine == 0;
	const bool by_distance = o->weights == OSSA_WEIGHTS_GEODESIC || (is_published && o->weights == OSSA_WEIGHTS_AUTO);
	const ossai_unused options[] = {{"spurs", is_published && o->spurs != defaults.spurs, in_paper},
		{"symmetry", is_published && o->symmetry == OSSA_SYMMETRY_ENFORCE, in_paper},
		{"split-distance", !is_published && o->split < 0, "only `refine 0` finds the distance"},
		{"join-distance", o->pieces == OSSA_PIECES_SEPARATE && o->join > 0, "`pieces separate` connects none"},
		{"rigid-below", o->pieces == OSSA_PIECES_LINK && o->rigid_below != defaults.rigid_below, only_separate},
		{"along-below", o->pieces == OSSA_PIECES_LINK && o->along_below != defaults.along_below, only_separate},
		{ossai_landmarks_first(&o->landmarks), ossai_landmarks_first(&o->landmarks) && (is_published || o->bones > 0),
			OSSAI_UNUSED_LANDMARKS},
		{ossai_landmarks_first(&o->landmarks), ossai_landmarks_first(&o->landmarks) && o->pieces == OSSA_PIECES_SEPARATE,
			"no piece that is rigged apart is a body: leave out `pieces separate`"},
		{"power", o->power != defaults.power && !by_distance, OSSAI_UNUSED_POWER}};
	ossai_warn_of_unused_options(context, sizeof options / sizeof options[0], options);
}

ossa_status ossai_contraction_begin(ossa_context *context, const ossa_mesh *mesh, ossai_contraction *c)
{
	OSSAI_TRY(ossa_options_check(context, &table, &c->own));
	OSSAI_TRY(ossai_still_check_weights(context, "contraction", c->own.weights));
	if (c->own.growth > 0 && c->own.growth < 1) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL,
			"contraction: growth is %g; it is 0, so that it is chosen, or 1 and more: W_L must not shrink", c->own.growth);
	}
	warn_unused(context, &c->own);
	if (c->own.refine == 0) ossai_contraction_warn_of_options(context, &c->own);
	c->still = (ossai_still_work){.context = context, .mesh = mesh};
	return OSSA_OK;
}

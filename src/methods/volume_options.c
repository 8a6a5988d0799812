/* methods/volume_options.c: the options of the method of volumes, as data, and which of them have
   no effect together. */
#include "methods/option_rows.h"
#include "methods/volume.h"

#include <ossa/volume_stages.h>

OSSAI_CHOICE_ENUM(ossa_symmetry_kind);
OSSAI_CHOICE_ENUM(ossa_body_kind);
OSSAI_CHOICE_ENUM(ossa_weights_kind);
/* a field of the kind OSSA_OPTION_POINT */
OSSAI_CHOICE_ENUM(ossa_root_kind);
_Static_assert(
	sizeof(ossa_root) == sizeof(ossa_choice_or_point) && offsetof(ossa_root, point) == offsetof(ossa_choice_or_point, point),
	"the layout of ossa_root differs");

static const ossa_volume_options defaults = {.cookie = OSSAI_COOKIE('v', 'o', ossa_volume_options),
	.exposure = 0.12,
	.closeness = 0.1,
	.min_fraction = 0.1,
	.max_fraction = 0.3,
	.tolerance = 0.02,
	.spurs = 5.5,
	.root = {.kind = OSSA_ROOT_CENTER},
	.levels = 1,
	.rigid_pieces = true,
	.props = true,
	.symmetry = OSSA_SYMMETRY_DETECT,
	.weights = OSSA_WEIGHTS_AUTO,
	.power = 1,
	.local = true,
	.refine = 1};

/* most bones that move one vertex, where the paper does not say */
enum { INFLUENCES = 4 };

#define FIELD(field) offsetof(ossa_volume_options, field)

/* the first STAGE_FIELDS options are those of the published stages */
enum { STAGE_FIELDS = 7 };

static const ossa_option fields[] = {
	{"voxel-size", OSSA_OPTION_DOUBLE, FIELD(voxel_size), 0, 1, "", "",
		"edge of a voxel, as a share of the longest side of the shape's box in its canonical frame (with `refine 0`: of the "
		"mesh's own box); 0: chosen so that 20 000 to 200 000 voxels are interior",
		"the paper: given by the user, 0.02 to 0.0025; ours: chosen"},
	{"exposure", OSSA_OPTION_DOUBLE, FIELD(exposure), 0, 1, "", "",
		"a voxel is on the medial surface where a cap of at least this share of its ball contains all that the balls of its "
		"neighbours leave uncovered: (1 - cos a) / 2 where the ball touches the skin at an angle of 2 a",
		"the paper names it without definition or value; ours: caps, without unevenness of the voxels"},
	{"closeness", OSSA_OPTION_DOUBLE, FIELD(closeness), 0.001, 1, "", "",
		"closeness of fit: add paths until what they leave uncovered is closer to them than this share of the heart radius",
		"the paper: 0.05 to 0.1"},
	{"min-fraction", OSSA_OPTION_DOUBLE, FIELD(min_fraction), 0, 10, "", "",
		"never split segments shorter than this share of the heart radius", "the paper: 0.1"},
	{"max-fraction", OSSA_OPTION_DOUBLE, FIELD(max_fraction), 0.001, 10, "", "",
		"always split segments longer than this share of the heart radius", "the paper: 0.3"},
	{"segments", OSSA_OPTION_INT, FIELD(segments), 0, 500, "", "",
		"number of segments; 0: as many as the fractions and the tolerance give", "the paper: unset"},
	{"tolerance", OSSA_OPTION_DOUBLE, FIELD(tolerance), 0, 100, "", "",
		"between `min-fraction` and `max-fraction`: split segments that leave their path by more than this share of the heart "
		"radius",
		"the paper names it without a value; ours: as many segments as in its table"},
	OSSAI_ROW_BONES(FIELD(bones), "ours"),
	OSSAI_ROW_SPURS(FIELD(spurs), ". 1.5 keeps the fingers of a whole body, with `voxel-size 0.004` for thin ones"),
	{"root", OSSA_OPTION_POINT, FIELD(root), 0, 0, "", "center|lowest|X,Y,Z",
		"where the root is: in the middle, at the lowest point of the curve, or nearest to a point",
		"the paper: in a deep segment; ours: the deepest, less its distance from the heart"},
	OSSAI_ROW_LEVELS(FIELD(levels)),
	OSSAI_ROW_BODY(FIELD(body)),
	OSSAI_ROWS_LANDMARKS(FIELD(landmarks)),
	OSSAI_ROW_RIGID_PIECES(FIELD(rigid_pieces)),
	OSSAI_ROW_PROPS(FIELD(props)),
	OSSAI_ROW_SYMMETRY(FIELD(symmetry)),
	OSSAI_ROW_WEIGHTS(FIELD(weights),
		"; least-squares needs motion, which this method does not take; auto: heat, with `refine 0` by the balls that cover "
		"the "
		"voxels "
		"(coverage)",
		"the paper: coverage"),
	OSSAI_ROW_POWER(FIELD(power), "ours"),
	{"influences", OSSA_OPTION_INT, FIELD(influences), 0, 8, "", "", "bones a vertex; 0: 4, paper: all",
		"the paper: all whose balls cover its voxel; ours: 4, as engines support"},
	OSSAI_ROW_LOCAL(FIELD(local), "ours"),
	{"refine", OSSA_OPTION_INT, FIELD(refine), 0, 1000, "rounds", "",
		"0: the stages of the paper, but for the departures in docs/volume.md; any other number: ours",
		"ours: tips of limbs on the surface, a clean curve, joints where limbs begin, bend and end"},
};

static const ossa_option_group groups[] = {
	{"Skeleton", "bones|body", OSSAI_LANDMARK_NAMES "|symmetry|spurs|root|levels|segments"},
	{"Weights", "influences", "weights|power|local|rigid-pieces|props"},
	{"Method", "", "refine|voxel-size|exposure|closeness|min-fraction|max-fraction|tolerance"},
	{NULL, NULL, NULL},
};

static const ossa_option_table table = {"volume", fields, sizeof fields / sizeof fields[0], &defaults,
	.size = sizeof(ossa_volume_options), .cookie = OSSAI_COOKIE('v', 'o', ossa_volume_options), .groups = groups};
static const ossa_option_table stage_table = {"volume", fields, STAGE_FIELDS, &defaults, .size = sizeof(ossa_volume_options),
	.cookie = OSSAI_COOKIE('v', 'o', ossa_volume_options), .groups = groups};

ossa_volume_options ossa_volume_default(void) { return defaults; }
const ossa_option_table *ossa_volume_option_table(void) { return &table; }
const ossa_option_table *ossa_volume_stage_option_table(void) { return &stage_table; }

/* ---- options without effect ---- */

static void warn_unused(ossa_context *context, const ossa_volume_options *o)
{
	static const char *const in_paper = "the paper does not use it: `refine 0`",
							 *const is_paper = "only the paper makes segments: `refine 0`";
	const bool is_published = o->refine == 0;
	const ossai_unused options[] = {{"spurs", is_published && o->spurs != defaults.spurs, in_paper},
		{"symmetry", is_published && o->symmetry == OSSA_SYMMETRY_ENFORCE, in_paper},
		{"bones", is_published && o->bones > 0, "the paper counts segments: `refine 0`"},
		{"segments", !is_published && o->segments != defaults.segments, is_paper},
		{"min-fraction", !is_published && o->min_fraction != defaults.min_fraction, is_paper},
		{"max-fraction", !is_published && o->max_fraction != defaults.max_fraction, is_paper},
		{"tolerance", !is_published && o->tolerance != defaults.tolerance, is_paper},
		{ossai_landmarks_first(&o->landmarks), ossai_landmarks_first(&o->landmarks) && (is_published || o->bones > 0),
			OSSAI_UNUSED_LANDMARKS},
		{"power", o->power != defaults.power && o->weights != OSSA_WEIGHTS_GEODESIC, OSSAI_UNUSED_POWER}};
	ossai_warn_of_unused_options(context, sizeof options / sizeof options[0], options);
}

/* the paper's anchors are as many as there are */
static int default_influences(const ossa_volume_options *o)
{
	const bool is_coverage = o->weights == OSSA_WEIGHTS_AUTO || o->weights == OSSA_WEIGHTS_COVERAGE;
	return o->refine == 0 && is_coverage ? 0 : INFLUENCES;
}

ossa_status ossai_volume_begin(ossa_context *context, const ossa_mesh *mesh, ossai_volume *v)
{
	const ossa_volume_options *o = &v->own;
	OSSAI_TRY(ossa_options_check(context, &table, o));
	const ossai_skeletal_options split = {
		.min_fraction = o->min_fraction, .max_fraction = o->max_fraction, .tolerance = o->tolerance};
	OSSAI_TRY(ossai_skeletal_options_check(context, &split));
	warn_unused(context, o);
	if (o->refine == 0) ossai_volume_warn_of_options(context, o);
	if (o->influences == 0) v->own.influences = default_influences(o);
	v->still = (ossai_still_work){.context = context, .mesh = mesh};
	return OSSA_OK;
}

/* methods/volume_options.c: the options of the method of volumes, as data, and what contradicts itself in them. */
#include "methods/volume_parts.h"

static const ossa_volume_options defaults = {.exposure = 0.12,
	.closeness = 0.1,
	.min_fraction = 0.1,
	.max_fraction = 0.3,
	.tolerance = 0.03,
	.spurs = 0.85,
	.root = "center",
	.levels = 1,
	.symmetry = 1,
	.weights = OSSA_WEIGHTS_AUTO,
	.power = 1,
	.influences = 4,
	.local = true,
	.refine = 1};

#define FIELD(field) offsetof(ossa_volume_options, field)

/* the first STAGE_FIELDS are those of the stages */
enum { STAGE_FIELDS = 8 };

static const ossa_option fields[] = {
	{"voxel-size", OSSA_OPTION_DOUBLE, FIELD(voxel_size), 0, 1, "", "",
		"edge of a voxel, as a share of the longest side of the shape's box in its canonical frame (with --refine 0: of the "
		"mesh's own box); 0: chosen so that 20 000 to 200 000 voxels are inside",
		"the paper: 0.01, also 0.005 and 0.02"},
	{"exposure", OSSA_OPTION_DOUBLE, FIELD(exposure), 0, 1, "", "",
		"a voxel is on the medial surface where a cap of at least this share of its ball holds all that the balls of its "
		"neighbours leave uncovered: (1 - cos a) / 2 where the ball touches the skin at an angle of 2 a",
		"the paper names it and tells no value"},
	{"closeness", OSSA_OPTION_DOUBLE, FIELD(closeness), 0.001, 1, "", "",
		"closeness of fit: add paths until what they leave uncovered is nearer than this share of the heart radius",
		"the paper: 0.05 to 0.1"},
	{"min-fraction", OSSA_OPTION_DOUBLE, FIELD(min_fraction), 0, 10, "", "",
		"never split segments shorter than this share of the heart radius", "the paper: 0.1"},
	{"max-fraction", OSSA_OPTION_DOUBLE, FIELD(max_fraction), 0.001, 10, "", "",
		"always split segments longer than this share of the heart radius", "the paper: 0.3"},
	{"segments", OSSA_OPTION_INT, FIELD(segments), 0, 500, "", "",
		"number of segments; 0: as many as the fractions and the tolerance give", "the paper: unset"},
	{"tolerance", OSSA_OPTION_DOUBLE, FIELD(tolerance), 0, 100, "", "",
		"between --min-fraction and --max-fraction: split segments that leave their path by more than this share of the heart "
		"radius",
		"the paper names it and tells no value"},
	{"adaptive", OSSA_OPTION_BOOL, FIELD(adaptive), 0, 1, "", "",
		"search for thin limbs again in voxels four times as fine, so that the fingers of a whole body are found; give enough "
		"--bones for them",
		"ours"},
	{"joints", OSSA_OPTION_CHOICE, FIELD(joints), 0, 0, "", "auto|segments|curve",
		"where joints are: between the segments of the skeletal graph, or on the path tree as a curve, at junctions, bends and "
		"narrow places; auto: segments where one of their options is given or with --refine 0, else curve",
		"the paper: segments"},
	{"bones", OSSA_OPTION_INT, FIELD(bones), 0, 500, "", "", "number of bones; 0: as many as the input needs", "ours"},
	{"spurs", OSSA_OPTION_DOUBLE, FIELD(spurs), 0, 100, "", "",
		"a branch is no limb where it protrudes from the body by less than this share of the body's radius there (joints on a "
		"curve)",
		"ours"},
	{"root", OSSA_OPTION_TEXT, FIELD(root), 0, 0, "", "center|lowest|X,Y,Z",
		"where the root is: in the middle, at the lowest end, or nearest to a point", "the paper: in a deep segment"},
	{"levels", OSSA_OPTION_INT, FIELD(levels), 1, 16, "", "",
		"levels of articulation: nested skeletons, each with about half of the bones of the one before", "ours: 1"},
	{"symmetry", OSSA_OPTION_CHOICE, FIELD(symmetry), 0, 0, "", "off|detect|enforce",
		"what to do with the symmetry of the shape: nothing, keep it where shape and curve have it, or make the bones "
		"symmetric in any case",
		"ours: detect"},
	{"weights", OSSA_OPTION_CHOICE, FIELD(weights), 0, 0, "", OSSA_WEIGHTS_CHOICES,
		"how vertices are bound to bones; auto: heat, with --refine 0 by the balls that cover the voxels (coverage)",
		"the paper: coverage"},
	{"power", OSSA_OPTION_DOUBLE, FIELD(power), 0.1, 16, "", "", "geodesic weights: 1 / distance to this power", "ours"},
	{"influences", OSSA_OPTION_INT, FIELD(influences), 1, 8, "", "", "most bones that move one vertex",
		"ours: 4, as engines take"},
	{"local", OSSA_OPTION_BOOL, FIELD(local), 0, 1, "", "", "keep the vertices of every bone one connected patch", "ours"},
	{"refine", OSSA_OPTION_INT, FIELD(refine), 0, 1000, "rounds", "", "0: the procedure of the paper, without our refinements",
		"ours: joints where limbs begin, bend and end"},
};

static const ossa_option_group groups[] = {
	{"Skeleton", "bones|symmetry", "spurs|root|levels|joints|segments"},
	{"Weights", "influences", "weights|power|local"},
	{"Method", "", "refine|voxel-size|adaptive|exposure|closeness|min-fraction|max-fraction|tolerance"},
	{NULL, NULL, NULL},
};

static const ossa_option_table table = {
	"volume", fields, sizeof fields / sizeof fields[0], &defaults, .size = sizeof(ossa_volume_options), .groups = groups};
static const ossa_option_table stage_table = {
	"volume", fields, STAGE_FIELDS, &defaults, .size = sizeof(ossa_volume_options), .groups = groups};

ossa_volume_options ossa_volume_default(void) { return defaults; }
const ossa_option_table *ossa_volume_option_table(void) { return &table; }
const ossa_option_table *ossa_volume_stage_option_table(void) { return &stage_table; }

/* ---- what goes together ---- */

static bool asks_for_segments(const ossa_volume_options *o)
{
	return o->segments > 0 || o->min_fraction != defaults.min_fraction || o->max_fraction != defaults.max_fraction ||
		o->tolerance != defaults.tolerance;
}

bool ossai_volume_uses_segments(const ossa_volume_options *o)
{
	if (o->refine == 0 || o->joints == OSSAI_VOLUME_JOINTS_SEGMENTS) return true;
	return o->joints == OSSAI_VOLUME_JOINTS_AUTO && asks_for_segments(o);
}

ossai_skeletal_options ossai_volume_skeletal_options(const ossa_volume_options *o)
{
	ossai_skeletal_options options = ossai_skeletal_options_default();
	options.min_fraction = o->min_fraction;
	options.max_fraction = o->max_fraction;
	options.tolerance = o->tolerance;
	options.segments = (size_t)o->segments;
	options.refine = o->refine > 0;
	return options;
}

ossa_status ossai_volume_options_check(ossa_context *context, const ossa_volume_options *o)
{
	OSSAI_TRY(ossa_options_check(context, &table, o));
	const ossai_skeletal_options split = ossai_volume_skeletal_options(o);
	OSSAI_TRY(ossai_skeletal_options_check(context, &split));
	if (o->refine == 0) return OSSA_OK;
	if (o->joints == OSSAI_VOLUME_JOINTS_CURVE && asks_for_segments(o)) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL,
			"segments, min-fraction, max-fraction and tolerance tell where joints between segments are, and joints on a curve "
			"are asked for: leave out those, or joints");
	}
	if (o->bones > 0 && ossai_volume_uses_segments(o)) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL,
			"bones is a number of joints on a curve, and joints between segments are asked for: give segments instead of it, "
			"or "
			"bones alone");
	}
	return OSSA_OK;
}

void ossai_volume_warn_unused(ossa_context *context, const ossa_volume_options *o)
{
	static const char *const in_paper = "the paper has none of it: --refine 0";
	const bool is_published = o->refine == 0, has_segments = ossai_volume_uses_segments(o);
	const char *why = is_published ? in_paper : "joints are between segments";
	const ossai_unused options[] = {{"spurs", has_segments && o->spurs != defaults.spurs, why},
		{"symmetry", has_segments && o->symmetry == OSSAI_SYMMETRY_ENFORCE, why},
		{"bones", is_published && o->bones > 0, "the paper's number is that of segments: --refine 0"},
		{"joints", is_published && o->joints == OSSAI_VOLUME_JOINTS_CURVE, in_paper},
		{"adaptive", is_published && o->adaptive, in_paper},
		{"power", o->power != defaults.power && o->weights != OSSA_WEIGHTS_GEODESIC, OSSAI_UNUSED_POWER}};
	ossai_tell_unused(context, sizeof options / sizeof options[0], options);
}

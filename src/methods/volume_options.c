/* methods/volume_options.c: the options of the method of volumes, as data, and what contradicts itself in them. */
#include "base/options.h"
#include "methods/volume_parts.h"

OSSAI_CHOICE_ENUM(ossa_symmetry_kind);
OSSAI_CHOICE_ENUM(ossa_weights_kind);
/* a POINT field */
OSSAI_CHOICE_ENUM(ossa_root_kind);
_Static_assert(
	sizeof(ossa_root) == sizeof(ossa_choice_or_point) && offsetof(ossa_root, point) == offsetof(ossa_choice_or_point, point),
	"ossa_root has another form");

static const ossa_volume_options defaults = {.cookie = OSSAI_COOKIE(ossa_volume_options),
	.exposure = 0.12,
	.closeness = 0.1,
	.min_fraction = 0.1,
	.max_fraction = 0.3,
	.tolerance = 0.03,
	.spurs = 0.85,
	.root = {.kind = OSSA_ROOT_CENTER},
	.levels = 1,
	.symmetry = OSSA_SYMMETRY_DETECT,
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
		"edge of a voxel, as a share of the longest side of the box around the shape, in axes of its own (--refine 0: the "
		"mesh's); 0: chosen so that 20 000 to 200 000 are inside",
		"the paper: 0.01, also 0.005 and 0.02"},
	{"exposure", OSSA_OPTION_DOUBLE, FIELD(exposure), 0, 1, "", "",
		"share of a voxel's ball in a cap that holds all that its neighbours' balls leave uncovered, from which on it is on "
		"the medial surface: "
		"(1 - cos a) / 2 where the ball touches the skin at an angle of 2 a",
		"the paper names it and tells no value"},
	{"closeness", OSSA_OPTION_DOUBLE, FIELD(closeness), 0.001, 1, "", "",
		"closeness of fit: paths are added until what they leave uncovered is nearer than this share of the heart radius",
		"the paper: 0.05 to 0.1"},
	{"min-fraction", OSSA_OPTION_DOUBLE, FIELD(min_fraction), 0, 10, "", "",
		"segments shorter than this share of the heart radius are never split", "the paper: 0.1"},
	{"max-fraction", OSSA_OPTION_DOUBLE, FIELD(max_fraction), 0.001, 10, "", "",
		"segments longer than this share of the heart radius are always split", "the paper: 0.3"},
	{"segments", OSSA_OPTION_INT, FIELD(segments), 0, 500, "", "",
		"number of segments; 0: as many as the fractions and the tolerance ask for", "the paper: unset"},
	{"tolerance", OSSA_OPTION_DOUBLE, FIELD(tolerance), 0, 100, "", "",
		"error tolerance: between the two fractions segments are split that leave their path by more than this share of the "
		"heart radius",
		"the paper names it and tells no value"},
	{"adaptive", OSSA_OPTION_BOOL, FIELD(adaptive), 0, 1, "", "",
		"look at thin limbs once more in voxels four times as fine, so that fingers of a full body are found; give --bones "
		"enough for them",
		"ours"},
	{"joints", OSSA_OPTION_CHOICE, FIELD(joints), 0, 0, "", "auto|segments|curve",
		"where joints are: between the segments of the skeletal graph, or on the path tree as a curve, at branchings, bends "
		"and "
		"narrow places; auto: segments where one of their parameters is given or --refine is 0, else curve",
		"the paper: segments"},
	{"bones", OSSA_OPTION_INT, FIELD(bones), 0, 500, "", "", "on a curve: number of bones; 0: as many as the shape tells",
		"ours"},
	{"spurs", OSSA_OPTION_DOUBLE, FIELD(spurs), 0, 100, "", "",
		"on a curve: a branch that reaches out of the body by less than this share of the body's radius there is no limb",
		"ours"},
	{"root", OSSA_OPTION_POINT, FIELD(root), 0, 0, "", "center|lowest|X,Y,Z",
		"where the root is: in the middle, at the lowest end, or nearest to a place", "the paper: in a deep segment"},
	{"levels", OSSA_OPTION_INT, FIELD(levels), 1, 16, "", "",
		"levels of articulation: nested skeletons, each with about half of the bones of the one before", "ours: 1"},
	{"symmetry", OSSA_OPTION_CHOICE, FIELD(symmetry), 0, 0, "", OSSA_SYMMETRY_CHOICES,
		"what becomes of the shape's symmetry: nothing, symmetric bones where shape and curve are, or symmetric bones in any "
		"case (on a curve)",
		"ours: detect"},
	{"weights", OSSA_OPTION_CHOICE, FIELD(weights), 0, 0, "", OSSA_WEIGHTS_CHOICES,
		"how vertices are tied to bones; auto: heat, with --refine 0 by the balls that cover the voxels",
		"the paper: coverage"},
	{"power", OSSA_OPTION_DOUBLE, FIELD(power), 0.1, 16, "", "", "geodesic weights: the power of 1 / distance", "ours"},
	{"influences", OSSA_OPTION_INT, FIELD(influences), 1, 8, "", "", "most bones that move one vertex",
		"ours: 4, as engines take"},
	{"local", OSSA_OPTION_BOOL, FIELD(local), 0, 1, "", "", "keep every bone's influence one connected patch", "ours"},
	{"refine", OSSA_OPTION_INT, FIELD(refine), 0, 1000, "rounds", "",
		"0: the paper's own procedure, and nothing that goes past it", "ours: joints where limbs begin, bend and end"},
};

static const ossa_option_table table = {
	"volume", fields, sizeof fields / sizeof fields[0], &defaults, OSSAI_COOKIE(ossa_volume_options)};
static const ossa_option_table stage_table = {"volume", fields, STAGE_FIELDS, &defaults, OSSAI_COOKIE(ossa_volume_options)};

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
		{"symmetry", has_segments && o->symmetry == OSSA_SYMMETRY_ENFORCE, why},
		{"bones", is_published && o->bones > 0, "the paper's number is that of segments: --refine 0"},
		{"joints", is_published && o->joints == OSSAI_VOLUME_JOINTS_CURVE, in_paper},
		{"adaptive", is_published && o->adaptive, in_paper},
		{"power", o->power != defaults.power && o->weights != OSSA_WEIGHTS_GEODESIC, OSSAI_UNUSED_POWER}};
	ossai_tell_unused(context, sizeof options / sizeof options[0], options);
}

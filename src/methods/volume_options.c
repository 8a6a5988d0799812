/* methods/volume_options.c: the options of the method of volumes, as data, and what contradicts itself in them. */
#include "methods/volume.h"

static const ossa_volume_options defaults = {.exposure = 0.12,
	.closeness = 0.1,
	.min_fraction = 0.1,
	.max_fraction = 0.3,
	.tolerance = 0.03,
	.spurs = 5.5,
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
enum { STAGE_FIELDS = 7 };

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
	{"bones", OSSA_OPTION_INT, FIELD(bones), 0, 500, "", "", "number of bones; 0: as many as the shape tells", "ours"},
	{"spurs", OSSA_OPTION_DOUBLE, FIELD(spurs), 0, 100, "% of the size", "",
		"a branch is spurious, and removed, where no tip along it has this persistence: how far the surface protrudes there. "
		"1.5 "
		"keeps the fingers of a whole body, with --voxel-size 0.004 for thin ones",
		"ours"},
	{"root", OSSA_OPTION_TEXT, FIELD(root), 0, 0, "", "center|lowest|X,Y,Z",
		"where the root is: in the middle, at the lowest end, or nearest to a place", "the paper: in a deep segment"},
	{"levels", OSSA_OPTION_INT, FIELD(levels), 1, 16, "", "",
		"levels of articulation: nested skeletons, each with about half of the bones of the one before", "ours: 1"},
	{"symmetry", OSSA_OPTION_CHOICE, FIELD(symmetry), 0, 0, "", "off|detect|enforce",
		"what becomes of the shape's symmetry: nothing, symmetric bones where shape and curve are, or symmetric bones in any "
		"case",
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

static const ossa_option_table table = {"volume", fields, sizeof fields / sizeof fields[0], &defaults};
static const ossa_option_table stage_table = {"volume", fields, STAGE_FIELDS, &defaults};

ossa_volume_options ossa_volume_default(void) { return defaults; }
const ossa_option_table *ossa_volume_option_table(void) { return &table; }
const ossa_option_table *ossa_volume_stage_option_table(void) { return &stage_table; }

/* ---- what goes together ---- */

static void warn_unused(ossa_context *context, const ossa_volume_options *o)
{
	static const char *const in_paper = "the paper has none of it: --refine 0",
							 *const is_paper = "the paper's segments: --refine 0 makes them";
	const bool is_published = o->refine == 0;
	const ossai_unused options[] = {{"spurs", is_published && o->spurs != defaults.spurs, in_paper},
		{"symmetry", is_published && o->symmetry == OSSAI_SYMMETRY_ENFORCE, in_paper},
		{"bones", is_published && o->bones > 0, "the paper's number is that of segments: --refine 0"},
		{"segments", !is_published && o->segments != defaults.segments, is_paper},
		{"closeness", !is_published && o->closeness != defaults.closeness, is_paper},
		{"min-fraction", !is_published && o->min_fraction != defaults.min_fraction, is_paper},
		{"max-fraction", !is_published && o->max_fraction != defaults.max_fraction, is_paper},
		{"tolerance", !is_published && o->tolerance != defaults.tolerance, is_paper},
		{"power", o->power != defaults.power && o->weights != OSSA_WEIGHTS_GEODESIC, OSSAI_UNUSED_POWER}};
	ossai_tell_unused(context, sizeof options / sizeof options[0], options);
}

ossa_status ossai_volume_begin(ossa_context *context, const ossa_mesh *mesh, ossai_volume *v)
{
	const ossa_volume_options *o = &v->own;
	OSSAI_TRY(ossa_options_check(context, &table, o));
	const ossai_skeletal_options split = {
		.min_fraction = o->min_fraction, .max_fraction = o->max_fraction, .tolerance = o->tolerance};
	OSSAI_TRY(ossai_skeletal_options_check(context, &split));
	warn_unused(context, o);
	v->recipe = (ossai_recipe){.context = context,
		.method = "volume",
		.mesh = mesh,
		.options = {.link_pieces = true, .influences = o->influences, .refine = o->refine}};
	return OSSA_OK;
}

/* methods/volume_options.c: the options of the method of volumes, as data. */
#include <ossa/volume.h>

static const ossa_volume_options defaults = {.exposure = 0.12,
	.closeness = 0.1,
	.min_fraction = 0.1,
	.max_fraction = 0.3,
	.tolerance = 0.03,
	.spurs = 1.2,
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
	{"root", OSSA_OPTION_TEXT, FIELD(root), 0, 0, "", "center|lowest|X,Y,Z",
		"where the root is: in the middle, at the lowest end, or nearest to a place", "the paper: in a deep segment"},
	{"levels", OSSA_OPTION_INT, FIELD(levels), 1, 16, "", "",
		"levels of articulation: nested skeletons, each with about half of the bones of the one before", "ours: 1"},
	{"symmetry", OSSA_OPTION_CHOICE, FIELD(symmetry), 0, 0, "", "off|detect|enforce",
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

static const ossa_option_table table = {"volume", fields, sizeof fields / sizeof fields[0], &defaults};
static const ossa_option_table stage_table = {"volume", fields, STAGE_FIELDS, &defaults};

ossa_volume_options ossa_volume_default(void) { return defaults; }
const ossa_option_table *ossa_volume_option_table(void) { return &table; }
const ossa_option_table *ossa_volume_stage_option_table(void) { return &stage_table; }

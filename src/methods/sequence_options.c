/* methods/sequence_options.c: the options of the method of mesh animations, as data. */
#include <ossa/sequence.h>

#include "methods/option_rows.h"

OSSAI_CHOICE_ENUM(ossa_parts_kind);
OSSAI_CHOICE_ENUM(ossa_weights_kind);
OSSAI_CHOICE_ENUM(ossa_symmetry_kind);

static const ossa_sequence_options defaults = {.cookie = OSSAI_COOKIE('s', 'e', ossa_sequence_options),
	.bones = 0,
	.variation = 0.99,
	.seeds = 0,
	.affinity_scale = 1,
	.geodesic = true,
	.alpha = 0.05,
	.parts = OSSA_PARTS_SPECTRAL,
	.weights = OSSA_WEIGHTS_AUTO,
	.weight_poses = 0,
	.worth = OSSAI_USUAL_WORTH,
	.influences = 4,
	.link_pieces = true,
	.local = true,
	.symmetry = OSSA_SYMMETRY_OFF,
	.refine = 60};

#define FIELD(field) offsetof(ossa_sequence_options, field)

static const ossa_option fields[] = {
	OSSAI_ROW_BONES(FIELD(bones), "the paper: by the variation"),
	{"variation", OSSA_OPTION_DOUBLE, FIELD(variation), 0.5, 1, "", "",
		"without `bones`: the share of the variation of distances that lies between parts, not within them; with `refine 0` "
		"of the sum of the affinity's eigenvalues; a higher share gives more bones",
		"the paper: about 0.99, of the eigenvalues"},
	{"seeds", OSSA_OPTION_DOUBLE, FIELD(seeds), 0, 100, "% of the vertices", "",
		"vertices whose motion is compared, at most 3000; 0: 1 %, but 300 to 1000, with `refine 0` 500 to 1000",
		"the paper: 0.3 to 1 %, of meshes of 4 000 to 53 000 vertices"},
	{"affinity-scale", OSSA_OPTION_DOUBLE, FIELD(affinity_scale), 0.01, 100, "", "",
		"factor of the scale S, the difference in motion at which seeds count as different",
		"the paper: 1, with `refine 0` in lengths in which the diagonal is 200; ours: of another affinity"},
	{"geodesic", OSSA_OPTION_BOOL, FIELD(geodesic), 0, 1, "", "",
		"assign triangles to the nearest seeds by distance over the surface, not by straight distance; with `refine 0` it is "
		"always straight distance",
		"the paper: straight"},
	{"alpha", OSSA_OPTION_DOUBLE, FIELD(alpha), 0, 100, "", "",
		"with `refine 0`: how strongly the boundary between two parts attracts their joint", "the paper: 0.05"},
	OSSAI_ROW_PARTS(FIELD(parts), "the paper: spectral"),
	OSSAI_ROW_WEIGHTS(
		FIELD(weights), "; auto: fitted to the frames by least squares, with `refine 0` as in the paper", "the paper: heat"),
	{"weight-poses", OSSA_OPTION_INT, FIELD(weight_poses), 0, 1000000, "", "",
		"number of frames over which heat weights are averaged; 0: as many as change them, at most 8, with `refine 0` all",
		"the paper: all"},
	OSSAI_ROW_WORTH(FIELD(worth), "without `bones`"),
	OSSAI_ROW_INFLUENCES(FIELD(influences), "ours: 4, as engines support"),
	OSSAI_ROW_LINK_PIECES(FIELD(link_pieces), "ours"),
	OSSAI_ROW_LOCAL(FIELD(local), "ours"),
	OSSAI_ROW_SYMMETRY_MOTION(FIELD(symmetry)),
	OSSAI_ROW_REFINE_MOTION(
		FIELD(refine), "the stages of the paper as printed, except for the departures listed in docs/sequence.md"),
};

static const ossa_option_group groups[] = {
	{"Skeleton", "bones", "variation|worth|symmetry"},
	{"Weights", "influences", "weights|weight-poses|local"},
	{"Pieces", "", "link-pieces"},
	{"Method", "", "refine|parts|seeds|affinity-scale|geodesic|alpha"},
	{NULL, NULL, NULL},
};

static const ossa_option_table table = {"sequence", fields, sizeof fields / sizeof fields[0], &defaults,
	.size = sizeof(ossa_sequence_options), .cookie = OSSAI_COOKIE('s', 'e', ossa_sequence_options), .groups = groups};

ossa_sequence_options ossa_sequence_default(void) { return defaults; }
const ossa_option_table *ossa_sequence_option_table(void) { return &table; }

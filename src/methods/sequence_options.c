/* methods/sequence_options.c: the options of the method of mesh animations, as data. */
#include <ossa/sequence.h>

#include "base/options.h"

OSSAI_CHOICE_ENUM(ossa_parts_kind);
OSSAI_CHOICE_ENUM(ossa_weights_kind);

static const ossa_sequence_options defaults = {.cookie = OSSAI_COOKIE(ossa_sequence_options),
	.bones = 0,
	.variation = 0.99,
	.seeds = 0,
	.affinity_scale = 1,
	.geodesic = true,
	.alpha = 0.05,
	.parts = OSSA_PARTS_SPECTRAL,
	.weights = OSSA_WEIGHTS_AUTO,
	.weight_poses = 0,
	.worth = 0.05,
	.influences = 4,
	.link_pieces = true,
	.local = true,
	.refine = 30};

#define FIELD(field) offsetof(ossa_sequence_options, field)

static const ossa_option fields[] = {
	{"bones", OSSA_OPTION_INT, FIELD(bones), 0, 500, "", "", "number of bones; 0: as many as the share of the variation needs",
		"the paper: by the variation"},
	{"variation", OSSA_OPTION_DOUBLE, FIELD(variation), 0.5, 1, "", "",
		"without a number of bones: the share of how much distances vary that lies between parts, not within them",
		"the paper: about 0.99"},
	{"seeds", OSSA_OPTION_DOUBLE, FIELD(seeds), 0, 100, "% of the vertices", "",
		"vertices at which motion is compared, at most 3000 of them; 0: 1 %, but 300 to 1000", "the paper: 0.3 to 1 %"},
	{"affinity-scale", OSSA_OPTION_DOUBLE, FIELD(affinity_scale), 0.01, 100, "", "",
		"factor of the scale S that tells near motion from far", "the paper: 1"},
	{"geodesic", OSSA_OPTION_BOOL, FIELD(geodesic), 0, 1, "", "",
		"give triangles to the nearest seeds over the surface, not through space", "the paper: through space"},
	{"alpha", OSSA_OPTION_DOUBLE, FIELD(alpha), 0, 100, "", "", "how much the boundary of two parts draws their joint",
		"the paper: 0.05"},
	{"parts", OSSA_OPTION_CHOICE, FIELD(parts), 0, 0, "", OSSA_PARTS_CHOICES,
		"how parts that move together are found: by merging faces, or from the affinities of seeds", "the paper: spectral"},
	{"weights", OSSA_OPTION_CHOICE, FIELD(weights), 0, 0, "", OSSA_WEIGHTS_CHOICES,
		"how vertices are tied to bones; auto: fitted to the frames by least squares, with --refine 0 as the paper does",
		"the paper: heat"},
	{"weight-poses", OSSA_OPTION_INT, FIELD(weight_poses), 0, 1000000, "", "",
		"how many frames heat weights are averaged over; 0: as many as change them", "the paper: all"},
	{"worth", OSSA_OPTION_DOUBLE, FIELD(worth), 0, 100, "% of the diagonal", "",
		"without a number of bones: bones go until each lowers the RMS by this; 0: as many as parts are found; --refine 0 does "
		"not use it",
		"ours: 0.05 finds about as many as artists' skeletons have joints that move"},
	{"influences", OSSA_OPTION_INT, FIELD(influences), 1, 8, "", "", "most bones that move one vertex",
		"ours: 4, as engines take"},
	{"link-pieces", OSSA_OPTION_BOOL, FIELD(link_pieces), 0, 1, "", "",
		"let a bone hold several separate pieces of the mesh that lie close together", "ours"},
	{"local", OSSA_OPTION_BOOL, FIELD(local), 0, 1, "", "", "keep every bone's influence one connected patch", "ours"},
	{"refine", OSSA_OPTION_INT, FIELD(refine), 0, 1000, "rounds", "",
		"most rounds of each refinement; 0: the paper's own procedure", "ours: ends by itself before"},
};

static const ossa_option_table table = {
	"sequence", fields, sizeof fields / sizeof fields[0], &defaults, OSSAI_COOKIE(ossa_sequence_options)};

ossa_sequence_options ossa_sequence_default(void) { return defaults; }
const ossa_option_table *ossa_sequence_option_table(void) { return &table; }

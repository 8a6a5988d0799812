/* methods/option_rows.h: rows of option tables that several methods have, so that each is described
   in one place.

   Place in the path: base/options -> here -> the option tables of the methods.
   `field` is the offset in the method's struct, `source` what its paper says. */
#ifndef OSSAI_METHODS_OPTION_ROWS_H
#define OSSAI_METHODS_OPTION_ROWS_H

#include "base/options.h"
#include "body/landmarks.h"
#include "motion/bone_worth.h"

#include <ossa/stages.h>

/* clang-format off */

#define OSSAI_ROW_BONES(field, source)                                                                                         \
	{"bones", OSSA_OPTION_INT, field, 0, 500, "", "", "number of bones; 0: as many as the input needs", source}

/* ---- motion ---- */

#define OSSAI_ROW_PARTS(field, source)                                                                                         \
	{"parts", OSSA_OPTION_CHOICE, field, 0, 0, "", OSSA_PARTS_CHOICES,                                                         \
		"how parts that move together are found: by merging faces (clusters) or by grouping seed vertices (spectral)", source}

#define OSSAI_ROW_LINK_PIECES(field, source)                                                                                   \
	{"link-pieces", OSSA_OPTION_BOOL, field, 0, 1, "", "",                                                                     \
		"let one bone move several pieces of the mesh that are close together", source}

#define OSSAI_ROW_SYMMETRY_MOTION(field)                                                                                       \
	{"symmetry", OSSA_OPTION_CHOICE, field, 0, 0, "", OSSA_SYMMETRY_CHOICES,                                                   \
		"what to do with a rest mesh that is symmetric vertex by vertex: nothing; make bones, joints and weights symmetric, "  \
		"on the evidence of both sides, where that costs at most 5 % of the error; or in any case. Not used with `refine 0`",  \
		"off: it makes a second draft, which one of nine characters keeps"}

/* published: what 0 means */
#define OSSAI_ROW_REFINE_MOTION(field, published)                                                                              \
	{"refine", OSSA_OPTION_INT, field, 0, 1000, "rounds", "", "most rounds of each refinement; 0: " published,                 \
		"ours: ends by itself before"}

/* without: the options in whose place --worth decides about the number of bones */
#define OSSAI_ROW_WORTH(field, without)                                                                                        \
	{"worth", OSSA_OPTION_DOUBLE, field, 0, 100, "% of the diagonal", "",                                                      \
		without ": remove bones until each that is left lowers the RMS error by at least this, or by a large part of what is "  \
				"left; 0: a bone for each part. Not used with `refine 0`",                                                                                    \
		"ours: 0.05 finds about as many as artists' skeletons have joints that move"}

/* ---- one mesh ---- */

#define OSSAI_ROW_SPURS(field, hint)                                                                                           \
	{"spurs", OSSA_OPTION_DOUBLE, field, 0, 100, "% of the size", "",                                                          \
		"a branch is spurious, and removed, where no tip along it has this persistence: about the length by which the "        \
		"surface protrudes there. 0 removes none: every bump and all noise of the curve get bones" hint, "ours"}

#define OSSAI_ROW_SYMMETRY(field)                                                                                              \
	{"symmetry", OSSA_OPTION_CHOICE, field, 0, 0, "", OSSA_SYMMETRY_CHOICES,                                                   \
		"what to do with the symmetry of the shape: nothing, keep it where shape and curve have it, or make the bones "        \
		"symmetric in any case", "ours: detect"}

#define OSSAI_ROW_BODY(field)                                                                                                  \
	{"body", OSSA_OPTION_CHOICE, field, 0, 0, "", OSSA_BODY_CHOICES,                                                           \
		"the body that the shape is: it gives bones, names and root", "ours"}

/* field: offset of an ossa_landmarks; the order is that of ossa_landmark */
#define OSSAI_ROW_LANDMARK(field, index, name, what)                                                                           \
	{name, OSSA_OPTION_POINT, (field) + (index) * sizeof(ossa_choice_or_point), 0, 0, "", OSSA_LANDMARK_CHOICES,               \
		"where " what " of a human body is; the joints are found again with it", "ours: by the shape"}

#define OSSAI_ROWS_LANDMARKS(field)                                                                                            \
	OSSAI_ROW_LANDMARK(field, 0, "chin", "the chin"),                                                                          \
	OSSAI_ROW_LANDMARK(field, 1, "groin", "the groin"),                                                                        \
	OSSAI_ROW_LANDMARK(field, 2, "left-elbow", "the left elbow"),                                                              \
	OSSAI_ROW_LANDMARK(field, 3, "right-elbow", "the right elbow"),                                                            \
	OSSAI_ROW_LANDMARK(field, 4, "left-wrist", "the left wrist"),                                                              \
	OSSAI_ROW_LANDMARK(field, 5, "right-wrist", "the right wrist"),                                                            \
	OSSAI_ROW_LANDMARK(field, 6, "left-knee", "the left knee"),                                                                \
	OSSAI_ROW_LANDMARK(field, 7, "right-knee", "the right knee")
#define OSSAI_LANDMARK_NAMES "chin|groin|left-elbow|right-elbow|left-wrist|right-wrist|left-knee|right-knee"
#define OSSAI_UNUSED_LANDMARKS "the skeleton follows no body plan: leave out `bones` and `refine 0`"

#define OSSAI_ROW_LEVELS(field)                                                                                                \
	{"levels", OSSA_OPTION_INT, field, 1, 16, "", "",                                                                          \
		"levels of articulation: nested skeletons, each with about half of the bones of the one before", "ours: 1"}

#define OSSAI_ROW_RIGID_PIECES(field)                                                                                          \
	{"rigid-pieces", OSSA_OPTION_BOOL, field, 0, 1, "", "",                                                                    \
		"pieces of the mesh that are likely to be rigid (eyes, buttons, armour) follow one bone each", "ours"}

#define OSSAI_ROW_PROPS(field)                                                                                                 \
	{"props", OSSA_OPTION_BOOL, field, 0, 1, "", "",                                                                           \
		"pieces of the mesh that hide the shape of the body (weapons, shields) are left out of it, and follow one bone each",  \
		"ours"}

#define OSSAI_ROW_POWER(field, source)                                                                                         \
	{"power", OSSA_OPTION_DOUBLE, field, 0.1, 16, "", "", "geodesic weights: 1 / distance to this power", source}

#define OSSAI_ROW_REFINE_STILL(field)                                                                                          \
	{"refine", OSSA_OPTION_INT, field, 0, 1000, "rounds", "", "0: the procedure of the paper, without our refinements",        \
		"ours: joints where limbs begin, bend and end"}

/* ---- weights ---- */

#define OSSAI_ROW_WEIGHTS(field, help, source)                                                                                 \
	{"weights", OSSA_OPTION_CHOICE, field, 0, 0, "", OSSA_WEIGHTS_CHOICES, "how vertices are bound to bones" help, source}

#define OSSAI_ROW_INFLUENCES(field, source)                                                                                    \
	{"influences", OSSA_OPTION_INT, field, 1, 8, "", "", "most bones that move one vertex", source}

#define OSSAI_ROW_LOCAL(field, source)                                                                                         \
	{"local", OSSA_OPTION_BOOL, field, 0, 1, "", "", "keep the vertices of every bone one connected patch", source}

/* clang-format on */

#endif

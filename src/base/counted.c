/* base/counted.c: what the counts of warnings count.

   Place in the path: below context.c.
   Input: a warning's code and count.
   Output: the word behind the count. docs/warnings.md explains the warnings;
   scripts/check_warnings compares both with the code. Codes that are not here count how often
   they were given, mostly once for each file. */
#include "base/counted.h"

#include <string.h>

static const struct {
	const char *code, *one, *many;
} counted[] = {
	{"alembic-skipped", "object", "objects"},
	{"attribute-not-finite", "value", "values"},
	{"averaged-colors", "vertex", "vertices"},
	{"bad-keys", "key", "keys"},
	{"bad-normal-index", "corner", "corners"},
	{"bad-tangents", "stretch", "stretches"},
	{"bad-texcoord-index", "corner", "corners"},
	{"beyond-the-paper", "place", "places"},
	{"cache-bytes-left", "byte", "bytes"},
	{"cache-frames-missing", "missing", "missing"},
	{"cache-times-dropped", "moment", "moments"},
	{"clips-left-out", "motion", "motions"},
	{"colors-clamped", "value", "values"},
	{"colors-merged", "vertex", "vertices"},
	{"constraints-dropped", "constraint", "constraints"},
	{"crowded-edge", "edge", "edges"},
	{"curve-outside", "point", "points"},
	{"degenerate-faces", "face", "faces"},
	{"double-keys", "key", "keys"},
	{"far-vertices", "vertex", "vertices"},
	{"fbx-faces", "face", "faces"},
	{"fbx-names", "name", "names"},
	{"fewer-bones", "fewer", "fewer"},
	{"fewer-levels", "fewer", "fewer"},
	{"fewer-seeds", "fewer", "fewer"},
	{"filled-holes", "hole", "holes"},
	{"hidden-limbs", "option", "options"},
	{"idle-bones", "bone", "bones"},
	{"image-missing", "image", "images"},
	{"influences-cut", "vertex", "vertices"},
	{"instances-ignored", "mesh", "meshes"},
	{"joints-as-floats", "vertex", "vertices"},
	{"joints-outside", "joint", "joints"},
	{"kinds-dropped", "joint", "joints"},
	{"limbs-lost", "limb", "limbs"},
	{"limits-dropped", "joint", "joints"},
	{"limits-forgotten", "joint", "joints"},
	{"limits-left", "joint", "joints"},
	{"limits-near", "joint", "joints"},
	{"limits-unmatched", "row", "rows"},
	{"lines-on-root", "primitive", "primitives"},
	{"loop-cut", "loop", "loops"},
	{"loops-dropped", "loop", "loops"},
	{"loose-vertices", "vertex", "vertices"},
	{"maya-faces", "face", "faces"},
	{"maya-names", "joint", "joints"},
	{"meshes-left-out", "mesh", "meshes"},
	{"meshes-on-root", "mesh", "meshes"},
	{"missing-joints", "joint", "joints"},
	{"missing-keys", "channel", "channels"},
	{"missing-tangents", "key", "keys"},
	{"mixed-faces", "face", "faces"},
	{"more-bones", "more", "more"},
	{"motion-unmatched", "bone", "bones"},
	{"names-changed", "name", "names"},
	{"nodes-moved", "node", "nodes"},
	{"outside-scene", "mesh", "meshes"},
	{"paper-joints", "joint", "joints"},
	{"paper-loops", "edge", "edges"},
	{"paper-options", "option", "options"},
	{"paper-pieces", "piece", "pieces"},
	{"paper-split", "loop", "loops"},
	{"parts-as-bones", "part", "parts"},
	{"past-limits", "frame", "frames"},
	{"pieces-along", "piece", "pieces"},
	{"polygon-overlaps", "polygon", "polygons"},
	{"pose-size", "pose", "poses"},
	{"rest-folds", "triangle", "triangles"},
	{"scale-dropped", "frame", "frames"},
	{"sequence-gaps", "missing", "missing"},
	{"sequence-longer", "file", "files"},
	{"shapes-dropped", "channel", "channels"},
	{"sides-exchanged", "file", "files"},
	{"skins-differ", "joint", "joints"},
	{"skipped-channels", "channel", "channels"},
	{"skipped-faces", "face", "faces"},
	{"skipped-lines", "element", "elements"},
	{"skipped-primitives", "primitive", "primitives"},
	{"text-encoding", "byte", "bytes"},
	{"unknown-interpolation", "key", "keys"},
	{"unexplained", "bone", "bones"},
	{"unnamed-bones", "bone", "bones"},
	{"unseen-pieces", "piece", "pieces"},
	{"unsure-pieces", "piece", "pieces"},
	{"unused-options", "option", "options"},
	{"vertices-matched", "vertex", "vertices"},
	{"voxel-parts", "voxel", "voxels"},
	{"weights-dropped", "weight", "weights"},
	{"weights-merged", "weight", "weights"},
	{"weights-not-one", "vertex", "vertices"},
	{"welded-vertices", "corner", "corners"},
};

const char *ossai_counted_word(const char *code, int64_t count)
{
	for (size_t i = 0; i < sizeof counted / sizeof counted[0]; i++) {
		if (strcmp(counted[i].code, code) == 0) return count == 1 ? counted[i].one : counted[i].many;
	}
	return "";
}

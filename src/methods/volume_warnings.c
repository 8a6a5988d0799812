/* methods/volume_warnings.c: where a published run of the method of volumes meets what its paper
   does not define, as warnings. Steps are those of L. Wade and R. Parent, Automated generation of
   control skeletons for use in animation, The Visual Computer 2002.

   Place in the path: before and between the published stages.
   Input: options, the work of the stages.
   Output: warnings. */
#include "methods/volume.h"

/* the paper's range of the closeness of fit, and the most that it takes for a fraction */
static const double CLOSENESS_LEAST = 0.05, CLOSENESS_MOST = 0.1, FRACTION_MOST = 1;

void ossai_volume_warn_of_options(ossa_context *context, const ossa_volume_options *o)
{
	const bool is_coverage = o->weights == OSSA_WEIGHTS_AUTO || o->weights == OSSA_WEIGHTS_COVERAGE;
	const bool is_close = o->closeness >= CLOSENESS_LEAST && o->closeness <= CLOSENESS_MOST;
	const char *said[] = {
		is_close ? NULL : "a closeness of fit outside 0.05 to 0.1 (3.3.1): finer makes spurious branches, coarser loses limbs",
		o->max_fraction > FRACTION_MOST ? "a max-fraction above 1 (3.4.1): no segment is long enough for it" : NULL,
		o->root.kind == OSSA_ROOT_CENTER ? NULL : "a root elsewhere than in a deep segment (3.4.2)",
		o->levels > 1 ? "levels of articulation, which the paper leaves to future work (5)" : NULL,
		is_coverage ? NULL : "weights by other than the segments that cover a voxel (3.4.3)",
		is_coverage && o->influences > 0 ? "not all anchors of a vertex (3.4.3): the largest are scaled to a sum of 1" : NULL};
	for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
		if (!said[i]) continue;
		ossai_warn(context, "paper-options", 1, "`refine 0` is the paper's procedure, but the options are not the paper's: %s",
			said[i]);
	}
}

void ossai_volume_warn_of_voxels(const ossai_volume *v)
{
	ossa_context *context = v->still.context;
	if (v->voxels.part_count > 1) {
		ossai_warn(context, "paper-pieces", (int64_t)v->voxels.part_count,
			"the paper's interior voxels form one 26-connected group (3.1), and these form %zu: paths and segments are found "
			"in "
			"the largest, and vertices outside it follow the segments of its nearest voxel",
			v->voxels.part_count);
	}
	if (!v->voxels.is_of_closed) {
		ossai_warn(context, "paper-surface", 1,
			"the paper fills what the outer cells do not reach (3.1), and the surface is not closed: cells that no face "
			"touches "
			"are inside where the winding number says so");
	}
}

void ossai_volume_warn_of_segments(const ossai_volume *v)
{
	if (v->graph.edge_count > 0) return;
	ossai_warn(v->still.context, "paper-segments", 1,
		"the medial surface has no two extreme points, for which the paper gives no path and no segment (3.3, 3.4): the rig "
		"has "
		"one bone");
}

/* methods/examples_warnings.c: see examples_warnings.h. Steps are those of S. Schaefer, C. Yuksel,
   Example-Based Skeleton Extraction, SGP 2007. */
#include "methods/examples_warnings.h"

/* the paper's most weights of a vertex; bones of a vertex that the elimination begins with at
   most */
enum { PAPER_INFLUENCES = 4, CHOICE_MOST = 64 };

void ossai_examples_warn_of_options(ossa_context *context, const ossa_examples_options *o)
{
	const char *of_parts = o->parts == OSSA_PARTS_SPECTRAL ? "parts by seeds in place of merged faces (3.2)" : NULL;
	const char *of_weights = o->weights != OSSA_WEIGHTS_AUTO && o->weights != OSSA_WEIGHTS_LEAST_SQUARES
		? "weights by where the bones are in place of least squares (4)"
		: NULL;
	const char *of_count = o->influences > PAPER_INFLUENCES ? "more than 4 weights a vertex (4)" : NULL;
	const char *of_local = o->local ? NULL : "no influence maps (4)";
	const char *said[] = {of_parts, of_weights, of_count, of_local};
	for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
		if (!said[i]) continue;
		ossai_warn(context, "paper-options", 1, "`refine 0` is the paper's procedure, but the options are not the paper's: %s",
			said[i]);
	}
}

void ossai_examples_warn_of_pieces(const ossai_moving_work *m)
{
	const uint32_t pieces = m->surface.piece_count;
	if (pieces < 2) return;
	ossai_warn(m->context, "paper-pieces", pieces,
		"the paper clusters one connected surface (3.2), and this has %u pieces: %s; a piece without the influence map (4) of "
		"any bone keeps its weights",
		pieces,
		m->surface.link_pieces ? "faces of different pieces that come close count as neighbors, for clusters and influence maps"
							   : "none is linked, so each has bones of its own");
}

void ossai_examples_warn_of_weights(const ossai_moving_work *m)
{
	const size_t equations = 3 * m->surface.pose_count;
	if (m->part_count > equations) {
		ossai_warn(m->context, "paper-weights", 1,
			"%zu pose%s %zu equations for the weights of %zu bones, which the paper's least squares (4) leave open: of all "
			"solutions the elimination begins with the one of least norm",
			m->surface.pose_count, m->surface.pose_count == 1 ? " gives" : "s give", equations, m->part_count);
	}
	if (m->part_count > CHOICE_MOST) {
		ossai_warn(m->context, "paper-weights", 1,
			"the paper's elimination (4) begins with all bones, 12 to 29 of them; of %zu it begins with the %d that follow the "
			"vertex best alone",
			m->part_count, (int)CHOICE_MOST);
	}
}

void ossai_examples_warn_of_joints(const ossai_moving_work *m)
{
	int64_t count = 0;
	for (size_t b = 0; b < m->tree.bone_count; b++) {
		const uint32_t pair = m->tree.pair[b];
		if (m->tree.parent[b] == OSSA_NONE) continue;
		count += pair == OSSA_NONE || !(m->graph.pairs[pair].mass > 0);
	}
	if (count == 0) return;
	ossai_warn(m->context, "paper-joints", count,
		"%lld of %zu joints are between bones that share no vertex, for which the paper's spanning tree (5.1) and joint (5.2) "
		"are not defined: bones that touch are joined, the others to the nearest, with the joint where they touch or at "
		"the center of the bone",
		(long long)count, m->tree.bone_count - 1);
}

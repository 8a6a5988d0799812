/* report/words.c: see words.h. */
#include "report/words.h"

#include <math.h>
#include <string.h>

static const ossai_metric_words metrics[] = {
	{"rms_percent", "Error", "how far the skin is off the shapes that it repeats, RMS over all frames, in % of the diagonal", 1,
		" %", -1, 0.3, 1, "more `--bones`; below is where and when the errors are"},
	{"max_percent", "Largest error", "of any vertex in any frame, in % of the diagonal", 1, " %", -1, 2, 5,
		"look at the worst frame below: cloth and hair follow no skeleton, elsewhere more `--bones` help"},
	{"accu_percent", "Mean error", "in % of the largest side: what some papers tell", 1, " %", 0, 0, 0, ""},
	{"normal_rms", "Shading", "RMS difference of unit normals: how differently light falls on the skin", 1, "", -1, 0.1, 0.25,
		"folds and bulges are smoothed away; more `--bones` where the skin bends"},
	{"joints_inside", "Joints inside", "share of the joints inside the surface, where they bend it evenly", 100, " %", 1, 1,
		0.8, "look at the joints outside; close holes of the mesh"},
	{"disconnected_supports", "Scattered weights",
		"bones whose weights are more than one patch; meshes of several pieces have some", 1, "", -1, 0, INFINITY,
		"look at their weights: `ossa render --color weights`"},
	{"max_influences", "Weights on a vertex", "the most bones that move one vertex; game engines take 4, some 8", 1, "", -1, 4,
		8, "`--influences 4` keeps the largest"},
	{"weight_sum_error", "Weights add up", "the largest difference of a vertex's weights from a sum of 1", 1, "", -1, 1e-5,
		1e-3, "bind the mesh again"},
	{"compression", "Smaller than its frames", "bytes of the frames over bytes of weights, joints and motion", 1, " times", 0,
		0, 0, ""},
};

size_t ossai_metric_words_count(void) { return sizeof metrics / sizeof metrics[0]; }

const ossai_metric_words *ossai_metric_words_at(size_t index)
{
	return index < ossai_metric_words_count() ? &metrics[index] : NULL;
}

ossai_verdict ossai_metric_judge(const ossai_metric_words *words, double value)
{
	if (words->better == 0 || isnan(value)) return OSSAI_VERDICT_NONE;
	if (words->better < 0 ? value <= words->good : value >= words->good) return OSSAI_VERDICT_GOOD;
	return (words->better < 0 ? value <= words->fair : value >= words->fair) ? OSSAI_VERDICT_FAIR : OSSAI_VERDICT_POOR;
}

/* metrics/metric_tables.c: every metric as data: its name, title, unit, meaning, and whether more
   or less of it is better.

   Input: a struct of metrics.
   Output: its values, as programs and as people read them.  Terminal, JSON, pages and the studio
   are made from these tables; docs/metrics.md defines the metrics, docs/report.md explains the
   limits. */
#include "base/format.h"
#include <ossa/metrics.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* the name of a member, and where it is */
#define MEMBER(type, member) .name = #member, .offset = offsetof(type, member)

static const char NO_FRAMES[] = "there are no frames to compare with";
static const char NO_MOTIONS[] = "the two rigs do not both have a motion of as many frames";
static const char OPEN_SURFACE[] = "the surface is not closed";
static const char NO_JOINT[] = "no joint moves a vertex";

/* ---- against frames ---- */

static const ossa_metric_field error_fields[] = {
	{MEMBER(ossa_metrics, rms_percent), .title = "RMS error", .unit = "% of the diagonal", .absent = NO_FRAMES,
		.help = "distance of the skin from the frames, root of the mean square over all frames and vertices", .better = -1,
		.good = 0.3, .fair = 1, .advice = "more `bones`; below is where and when the errors are"},
	{MEMBER(ossa_metrics, max_percent), .title = "Largest error", .unit = "% of the diagonal", .absent = NO_FRAMES,
		.help = "the largest distance of any vertex in any frame", .better = -1, .good = 2, .fair = 5,
		.advice = "look at the worst frame below: cloth and hair follow no skeleton, elsewhere more `bones` help"},
	{MEMBER(ossa_metrics, max_vertex), .type = OSSA_METRIC_INDEX, .title = "at vertex", .unit = "", .absent = NO_FRAMES,
		.help = "the vertex of the largest error, counted from 0", .detail_of = "max_percent"},
	{MEMBER(ossa_metrics, max_frame), .type = OSSA_METRIC_INDEX, .title = "in frame", .unit = "", .absent = NO_FRAMES,
		.help = "the frame of the largest error, shown counted from 1", .detail_of = "max_percent", .first = 1},
	{MEMBER(ossa_metrics, normal_rms), .title = "Normals", .unit = "", .absent = NO_FRAMES,
		.help = "difference of unit vertex normals, root of the mean square: how differently light falls on the skin",
		.better = -1, .good = 0.1, .fair = 0.25,
		.advice = "folds and bulges are smoothed away; more `bones` where the skin bends"},
	{MEMBER(ossa_metrics, accu_percent), .better = -1, .title = "Mean error (ACCU)", .unit = "% of the largest side",
		.absent = NO_FRAMES, .help = "mean distance of the skin from the frames: the number that some papers give"},
	{MEMBER(ossa_metrics, weight_sum_error), .title = "Weights off 1", .unit = "",
		.help = "the largest difference of a vertex's weights from a sum of 1", .better = -1, .good = 1e-5, .fair = 1e-3,
		.advice = "bind the mesh again"},
	{MEMBER(ossa_metrics, max_influences), .type = OSSA_METRIC_COUNT, .title = "Bones on a vertex", .unit = "",
		.help = "the most bones that move one vertex; game engines take 4, some 8", .better = -1, .good = 4, .fair = 8,
		.advice = "`influences 4` keeps the largest"},
	{MEMBER(ossa_metrics, disconnected_supports), .type = OSSA_METRIC_COUNT, .title = "Scattered weights", .unit = "bones",
		.help = "bones whose vertices are more than one connected patch; a mesh of several pieces has some", .better = -1,
		.good = 0, .fair = INFINITY, .advice = "look at their weights: `ossa render --color weights`"},
	{MEMBER(ossa_metrics, joints_inside), .title = "Joints inside", .unit = "%", .is_share = true,
		.absent = "the rig has no joints", .help = "share of the joints that are inside the surface at rest", .better = 1,
		.good = 1, .fair = 0.8, .advice = "look at the joints outside; close holes of the mesh"},
	{MEMBER(ossa_metrics, compression), .better = 1, .title = "Compression", .unit = "times", .absent = "the rig has no motion",
		.help = "bytes of the frames over bytes of weights, joints and motion"},
};

const ossa_metric_table *ossa_metrics_table(void)
{
	static const ossa_metric_table table = {"errors", "how well a rig repeats frames, and the state of its weights and joints",
		error_fields, COUNT_OF(error_fields)};
	return &table;
}

/* ---- against another skeleton ---- */

static const ossa_metric_field nearness_fields[] = {
	{MEMBER(ossa_nearness, truth_joints), .type = OSSA_METRIC_COUNT, .title = "True joints", .unit = "",
		.help = "joints of the other skeleton that are judged"},
	{MEMBER(ossa_nearness, true_to_ours), .title = "True to ours", .unit = "largest sides", .better = -1,
		.help = "mean distance of a true joint to the nearest of ours"},
	{MEMBER(ossa_nearness, cd_j2j), .better = -1, .title = "Joints to joints", .unit = "largest sides",
		.help = "mean distance between joints, both ways"},
	{MEMBER(ossa_nearness, cd_j2b), .better = -1, .title = "Joints to bones", .unit = "largest sides",
		.help = "mean distance from joints to the other's bones, both ways"},
	{MEMBER(ossa_nearness, cd_b2b), .better = -1, .title = "Bones to bones", .unit = "largest sides",
		.help = "mean distance between bones, both ways"},
	{MEMBER(ossa_nearness, joint_precision_5), .better = 1, .title = "Precision", .unit = "%", .is_share = true,
		.help = "share of our joints that are matched, one to one, within 5 % of the largest side"},
	{MEMBER(ossa_nearness, joint_recall_5), .better = 1, .title = "Recall", .unit = "%", .is_share = true,
		.help = "share of the true joints that are matched within 5 % of the largest side"},
	{MEMBER(ossa_nearness, jacc_percent), .better = -1, .title = "Joints in motion", .unit = "% of the largest side",
		.absent = NO_MOTIONS, .help = "mean distance of matched joints over all frames (JACC)"},
};

const ossa_metric_table *ossa_nearness_table(void)
{
	static const ossa_metric_table table = {
		"nearness", "how near a skeleton is to another one of the same shape", nearness_fields, COUNT_OF(nearness_fields)};
	return &table;
}

/* ---- bent joints ---- */

static const ossa_metric_field bend_fields[] = {
	{MEMBER(ossa_bend, joints), .type = OSSA_METRIC_COUNT, .title = "Joints bent", .unit = "",
		.help = "all but the root's and those that move no vertex"},
	{MEMBER(ossa_bend, volume_45_percent), .better = -1, .title = "Volume at 45 degrees", .unit = "% of the volume",
		.absent = OPEN_SURFACE, .help = "mean change of the enclosed volume when a joint is bent by 45 degrees"},
	{MEMBER(ossa_bend, volume_90_percent), .better = -1, .title = "Volume at 90 degrees", .unit = "% of the volume",
		.absent = OPEN_SURFACE, .help = "mean change of the enclosed volume when a joint is bent by 90 degrees"},
	{MEMBER(ossa_bend, volume_worst_percent), .better = -1, .title = "Volume, worst joint", .unit = "% of the volume",
		.absent = OPEN_SURFACE, .help = "the largest change of the volume by any joint at 90 degrees"},
	{MEMBER(ossa_bend, volume_worst_joint), .type = OSSA_METRIC_BONE, .title = "at joint", .unit = "", .absent = OPEN_SURFACE,
		.help = "the joint of the largest change of the volume", .detail_of = "volume_worst_percent"},
	{MEMBER(ossa_bend, crossing_rest_percent), .better = -1, .title = "Crossing at rest", .unit = "% of the faces",
		.help = "faces that cross others at rest; they are left out of the metrics below"},
	{MEMBER(ossa_bend, crossing_45_percent), .better = -1, .title = "Crossing at 45 degrees", .unit = "% of the faces",
		.absent = NO_JOINT, .help = "mean share of the faces that cross others when a joint is bent by 45 degrees"},
	{MEMBER(ossa_bend, crossing_90_percent), .better = -1, .title = "Crossing at 90 degrees", .unit = "% of the faces",
		.absent = NO_JOINT, .help = "mean share of the faces that cross others when a joint is bent by 90 degrees"},
	{MEMBER(ossa_bend, crossing_worst_percent), .better = -1, .title = "Crossing, worst joint", .unit = "% of the faces",
		.absent = NO_JOINT, .help = "the largest share of crossing faces by any joint at 90 degrees"},
	{MEMBER(ossa_bend, crossing_worst_joint), .type = OSSA_METRIC_BONE, .title = "at joint", .unit = "", .absent = NO_JOINT,
		.help = "the joint of the largest share of crossing faces", .detail_of = "crossing_worst_percent"},
	{MEMBER(ossa_bend, limbs), .type = OSSA_METRIC_COUNT, .title = "Limbs", .unit = "",
		.help = "chains of bones from the last junction to an end"},
	{MEMBER(ossa_bend, leak_percent), .better = -1, .title = "Weight bleeding", .unit = "% of the vertices",
		.help = "vertices of one limb with a weight above 0.001 on another"},
};

static const ossa_metric_field joint_bend_fields[] = {
	{MEMBER(ossa_joint_bend, volume_45_percent), .better = -1, .title = "Volume 45", .unit = "% of the volume",
		.absent = OPEN_SURFACE, .help = "change of the enclosed volume when this joint is bent by 45 degrees"},
	{MEMBER(ossa_joint_bend, volume_90_percent), .better = -1, .title = "Volume 90", .unit = "% of the volume",
		.absent = OPEN_SURFACE, .help = "change of the enclosed volume when this joint is bent by 90 degrees"},
	{MEMBER(ossa_joint_bend, crossing_45_percent), .better = -1, .title = "Crossing 45", .unit = "% of the faces",
		.absent = "the joint moves no vertex", .help = "share of the faces that cross others at 45 degrees"},
	{MEMBER(ossa_joint_bend, crossing_90_percent), .better = -1, .title = "Crossing 90", .unit = "% of the faces",
		.absent = "the joint moves no vertex", .help = "share of the faces that cross others at 90 degrees"},
};

const ossa_metric_table *ossa_bend_table(void)
{
	static const ossa_metric_table table = {
		"bend", "what becomes of the surface when joints are bent, one at a time", bend_fields, COUNT_OF(bend_fields)};
	return &table;
}

const ossa_metric_table *ossa_joint_bend_table(void)
{
	static const ossa_metric_table table = {
		"joint-bend", "the same of one joint", joint_bend_fields, COUNT_OF(joint_bend_fields)};
	return &table;
}

/* ---- values ---- */

const ossa_metric_table *ossa_metric_table_at(size_t index)
{
	const ossa_metric_table *tables[] = {
		ossa_metrics_table(), ossa_nearness_table(), ossa_bend_table(), ossa_joint_bend_table()};
	return index < COUNT_OF(tables) ? tables[index] : NULL;
}

const ossa_metric_field *ossa_metric_find(const ossa_metric_table *table, const char *name)
{
	for (size_t i = 0; table && name && i < table->count; i++) {
		if (strcmp(table->fields[i].name, name) == 0) return &table->fields[i];
	}
	return NULL;
}

double ossa_metric_value(const ossa_metric_field *field, const void *values)
{
	if (!field || !values) return NAN;
	const char *at = (const char *)values + field->offset;
	int64_t index = 0;
	switch (field->type) {
	case OSSA_METRIC_DOUBLE: return *(const double *)(const void *)at;
	case OSSA_METRIC_COUNT: return *(const int *)(const void *)at;
	case OSSA_METRIC_INDEX: index = *(const int64_t *)(const void *)at; break;
	case OSSA_METRIC_BONE: index = *(const int *)(const void *)at; break;
	}
	return index < 0 ? NAN : (double)index;
}

void ossa_metric_print(const ossa_metric_field *field, const void *values, char *text, size_t size)
{
	if (!text) return;
	const double value = ossa_metric_value(field, values), shown = field && field->is_share ? 100 * value : value;
	if (!isfinite(value)) snprintf(text, size, "-");
	else if (field->type != OSSA_METRIC_DOUBLE) ossai_format(text, size, "%.0f", value + field->first);
	/* large numbers keep all digits before the point */
	else if (fabs(shown) >= 1000 && fabs(shown) < 1e15) ossai_format(text, size, "%.0f", shown);
	else ossai_format(text, size, "%.4g", shown);
}

ossa_metric_verdict ossa_metric_judge(const ossa_metric_field *field, const void *values)
{
	const double value = ossa_metric_value(field, values);
	if (isnan(value) || !field->advice) return OSSA_METRIC_NOT_JUDGED;
	const double worse = -field->better; /* 1: higher is worse */
	if (worse * value <= worse * field->good) return OSSA_METRIC_GOOD;
	return worse * value <= worse * field->fair ? OSSA_METRIC_FAIR : OSSA_METRIC_POOR;
}

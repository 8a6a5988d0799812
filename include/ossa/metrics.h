/* ossa/metrics.h: how well a rig repeats the frames it was made from. One definition for command,
   report and studio. */
#ifndef OSSA_METRICS_H
#define OSSA_METRICS_H

#include <ossa/rig.h>
#include <ossa/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Errors of a motion against frames, and the state of the weights. Percent of the rest bounding
   box diagonal unless said. NAN where it does not apply. Vertices that no face uses are left
   out. */
typedef struct ossa_metrics {
	double rms_percent; /* sqrt(mean over frames and vertices of |e|^2) */
	double max_percent; /* largest |e| of any vertex in any frame */
	int64_t max_vertex; /* where, and when; -1 without frames */
	int64_t max_frame;
	double normal_rms;       /* RMS difference of unit vertex normals (area-weighted), absolute */
	double accu_percent;     /* mean |e| in percent of the largest bounding box side */
	double weight_sum_error; /* largest |sum of a vertex's weights - 1| */
	int max_influences;      /* most weights > 1e-6 on one vertex */
	/* bones whose vertices of weight > 1e-4 are more than one connected patch */
	int disconnected_supports;
	double joints_inside; /* share of joints inside the rest surface (winding number) */
	double compression;   /* bytes of the frames / bytes of rig and clip, as float data */
} ossa_metrics;

/* Measures `clip` (NULL: rig->clip) with `weights` (NULL: the rig's) against `frames` (NULL:
   weights and joints only).
   Errors: OSSA_ERROR_INPUT where frame or vertex counts differ, OSSA_ERROR_MEMORY.
   Cost: linear in frames x vertices. */
OSSA_API ossa_status ossa_rig_measure(ossa_context *context, const ossa_rig *rig, const ossa_weights *weights,
	const ossa_clip *clip, const ossa_frames *frames, ossa_metrics *metrics);

/* Errors by bone: the RMS over all frames of the vertices that follow each bone most, in percent of
   the rest's diagonal. rms_percent: B, the caller's; NAN for a bone that no vertex follows most.
   `weights` and `clip` as for ossa_rig_measure; `frames` is not NULL.
   Errors: as ossa_rig_measure.
   Cost: linear in frames x vertices. */
OSSA_API ossa_status ossa_rig_bone_errors(ossa_context *context, const ossa_rig *rig, const ossa_weights *weights,
	const ossa_clip *clip, const ossa_frames *frames, double *rms_percent);

/* Errors of one frame, over the vertices that faces use, in percent of the rest's diagonal. NAN,
   and -1, where there are none. */
typedef struct ossa_frame_error {
	double rms_percent;
	double max_percent;
	int64_t max_vertex; /* the first of the largest error */
} ossa_frame_error;

/* errors: F, the caller's. `weights` and `clip` as for ossa_rig_measure; of frames in memory
   ossa_frame_stream_of_frames makes a stream.
   Errors: OSSA_ERROR_INPUT where frame or vertex counts differ, those of reading frames,
   OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED.
   Threads: uses the context's; the same numbers for any.
   Cost: linear in frames x vertices; memory: of one frame. */
OSSA_API ossa_status ossa_rig_frame_errors(ossa_context *context, const ossa_rig *rig, const ossa_weights *weights,
	const ossa_clip *clip, ossa_frame_stream *frames, ossa_frame_error *errors);

/* The error of each vertex in one frame of `clip` (NULL: the rig's). target: V x 3, where the frame
   has them; percent: V, of the rest's diagonal, 0 where there is none.
   Errors: OSSA_ERROR_ARGUMENT (no such frame), OSSA_ERROR_INPUT, OSSA_ERROR_MEMORY. */
OSSA_API ossa_status ossa_rig_vertex_errors(ossa_context *context, const ossa_rig *rig, const ossa_weights *weights,
	const ossa_clip *clip, size_t frame, const float *target, float *percent);

/* ---- metrics as data: tables on a terminal, JSON, pages and forms are all made from these ---- */

typedef enum ossa_metric_type {
	OSSA_METRIC_DOUBLE, /* double; NAN where it does not apply */
	OSSA_METRIC_COUNT,  /* int; always applies */
	OSSA_METRIC_INDEX,  /* int64_t, from 0; -1 where there is none */
	OSSA_METRIC_BONE    /* int, the index of a bone; -1 where there is none */
} ossa_metric_type;

/* One metric. Programs read it by its name; people read its title, and its value as it is shown,
   with the unit. */
typedef struct ossa_metric_field {
	const char *name;  /* "rms_percent"; the key in JSON, which does not change */
	const char *title; /* "RMS error" */
	const char *unit;  /* of the value as it is shown: "% of the diagonal"; "" for none */
	const char *help;  /* what is measured, without the final stop */
	ossa_metric_type type;
	size_t offset; /* of the value in its struct */
	/* when it does not apply: "there are no frames"; NULL where it always does */
	const char *absent;
	/* the metric whose vertex, frame or bone this is: "max_percent"; NULL for none */
	const char *detail_of;
	bool is_share;     /* the value is 0 to 1 and shown as 0 to 100 % */
	int first;         /* how an index of 0 is shown: frames are counted from 1 */
	int better;        /* -1: lower is better, 1: higher is better, 0: neither */
	double good, fair; /* limits of the value for the verdicts, where there is an advice */
	/* what to do where it is not good, options in backquotes; NULL where it is not judged */
	const char *advice;
} ossa_metric_field;

/* All metrics of one struct, in the order in which they are shown. */
typedef struct ossa_metric_table {
	const char *name;  /* "errors" */
	const char *title; /* what the metrics measure, without the final stop */
	const ossa_metric_field *fields;
	size_t count;
} ossa_metric_table;

typedef enum ossa_metric_verdict {
	OSSA_METRIC_NOT_JUDGED,
	OSSA_METRIC_GOOD,
	OSSA_METRIC_FAIR,
	OSSA_METRIC_POOR
} ossa_metric_verdict;

/* The metrics of ossa_metrics. */
OSSA_API const ossa_metric_table *ossa_metrics_table(void);

/* Every table there is, by its index; NULL past the last. */
OSSA_API const ossa_metric_table *ossa_metric_table_at(size_t index);

/* The metric called `name`, or NULL. */
OSSA_API const ossa_metric_field *ossa_metric_find(const ossa_metric_table *table, const char *name);

/* The value; NAN where it does not apply. values: a struct of the field's table. */
OSSA_API double ossa_metric_value(const ossa_metric_field *field, const void *values);

/* Writes the value as it is shown, without its unit, cut to `size`: doubles with 4 significant
   digits, "-" where it does not apply. */
OSSA_API void ossa_metric_print(const ossa_metric_field *field, const void *values, char *text, size_t size);

/* Whether the value is good. The limits are ours (docs/report.md): they hint at problems and
   prove nothing. */
OSSA_API ossa_metric_verdict ossa_metric_judge(const ossa_metric_field *field, const void *values);

/* The distance of a skeleton to another one of the same shape, an artist's say. Of the other one
   those joints count whose bone moves a vertex and, where both have motion, that turn at least 10
   degrees against their parent in it; of ours all. Distances are divided by the largest side of the
   box around the other's mesh. NAN where it does not apply.
   Source: Z. Xu, Y. Zhou, E. Kalogerakis, C. Landreth, K. Singh, RigNet, 2020, for the cd_ and
   joint_ values. */
typedef struct ossa_nearness {
	int truth_joints;         /* of the other skeleton that count */
	double true_to_ours;      /* mean distance of its joints to the nearest of ours */
	double cd_j2j;            /* joints to joints: mean of both directions */
	double cd_j2b;            /* joints to bones */
	double cd_b2b;            /* bones to bones */
	double joint_precision_5; /* share of our joints that are matched, one to one, within 5 % */
	double joint_recall_5;    /* share of its joints that are */
	double jacc_percent;      /* mean distance of matched joints over all frames, in percent */
} ossa_nearness;

/* Compares the skeletons of `rig` and `truth` in their rest poses, and their motion where both have
   clips of as many frames.
   Errors: OSSA_ERROR_INPUT where `truth` has no joint to judge, OSSA_ERROR_MEMORY.
   Cost: cubic in the joints. */
OSSA_API ossa_status ossa_rig_nearness(
	ossa_context *context, const ossa_rig *rig, const ossa_rig *truth, ossa_nearness *nearness);

/* The metrics of ossa_nearness. */
OSSA_API const ossa_metric_table *ossa_nearness_table(void);

/* The change of the surface when one joint alone is bent: by 45 and by 90 degrees, each the mean
   of four poses, in both directions about the two axes of the bone's frame across it (x and z).
   NAN where the joint moves nothing. */
typedef struct ossa_joint_bend {
	double volume_45_percent,
		/* |volume - that at rest| in percent of it; NAN where the surface is not closed */
		volume_90_percent;
	/* share of the faces that cross another one which they do not at rest */
	double crossing_45_percent, crossing_90_percent;
} ossa_joint_bend;

/* Volume change, self-intersection and weight bleeding of a skin under bending. Faces that share
   a point are neighbours and never cross. A limb is a chain of bones from the last junction to a
   leaf. */
typedef struct ossa_bend {
	int joints;               /* that were bent: all but the root's and those that move no vertex */
	double volume_45_percent; /* mean over the joints */
	double volume_90_percent;
	double volume_worst_percent; /* of the worst joint at 90 degrees, and which */
	int volume_worst_joint;      /* -1: none */
	/* share of faces that cross others at rest: they do not count in the other shares */
	double crossing_rest_percent;
	double crossing_45_percent; /* mean over the joints */
	double crossing_90_percent;
	double crossing_worst_percent;
	int crossing_worst_joint;
	int limbs;
	/* weight bleeding: share of vertices with their largest weight on one limb and a weight >
	   1e-3 on another, except where the bones have the same parent */
	double leak_percent;
} ossa_bend;

/* Bends every joint of `rig` with `weights` (NULL: the rig's), skinned by linear blending. joints:
   B, or NULL.
   Errors: OSSA_ERROR_INPUT where the rig has no vertices or the weights do not fit,
   OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED.
   Threads: uses the context's.
   Cost: joints x faces x log. */
OSSA_API ossa_status ossa_rig_measure_bend(
	ossa_context *context, const ossa_rig *rig, const ossa_weights *weights, ossa_joint_bend *joints, ossa_bend *bend);

/* The metrics of ossa_bend and of ossa_joint_bend. */
OSSA_API const ossa_metric_table *ossa_bend_table(void);
OSSA_API const ossa_metric_table *ossa_joint_bend_table(void);

#ifdef __cplusplus
}
#endif
#endif

/* metrics/metrics.h: what is measured of a rig by itself, for who knows its errors already. */
#ifndef OSSAI_METRICS_METRICS_H
#define OSSAI_METRICS_METRICS_H

#include <ossa/metrics.h>

#include <math.h>

/* The root of the mean of squared errors, in % of the unit that they are in. square: their sum over
   `count` vertices, poses or areas. */
static inline double ossai_rms_percent(double square, double count) { return 100 * sqrt(square / count); }

/* Bytes of `frame_count` frames of the rig's vertices over those of its weights, joints and motion
   `clip` of as many frames. */
double ossai_rig_compression(const ossa_rig *rig, const ossa_weights *weights, const ossa_clip *clip, size_t frame_count);

/* ossa_rig_measure for frames that are read one at a time; NULL: none. Errors: as there, and those
   of reading frames. */
ossa_status ossai_rig_measure_stream(ossa_context *context, const ossa_rig *rig, const ossa_weights *weights,
	const ossa_clip *clip, ossa_frame_stream *frames, ossa_metrics *metrics);

/* Where nothing was measured: NAN, and -1 for what has a number. */
ossa_metrics ossai_no_metrics(void);

#endif

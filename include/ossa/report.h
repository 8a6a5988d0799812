/* ossa/report.h: what was done and how well, as data and as JSON. */
#ifndef OSSA_REPORT_H
#define OSSA_REPORT_H

#include <ossa/metrics.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Everything a run can tell of itself. Stage costs and warnings are taken from the context when it is written. */
typedef struct ossa_report {
	const ossa_rig *rig;     /* not owned */
	ossa_metrics hierarchy;  /* of the rigid hierarchy */
	ossa_metrics free_bones; /* of the unconstrained bones; rms_percent NAN where there are none */
	const double *bone_rms;  /* B: ossa_rig_bone_errors, or NULL; not owned */
	size_t frame_count;
	double wall_seconds; /* of the whole run so far */
	double cpu_seconds;
	size_t peak_resident_bytes; /* of the process, 0 where the system does not tell */
} ossa_report;

/* Measures `rig` against `frames` (may be NULL) and fills the report. */
OSSA_API ossa_status ossa_report_make(
	ossa_context *context, const ossa_rig *rig, const ossa_frames *frames, ossa_report *report);

/* The same of errors that are known already: of a motion that was fitted to frames one at a time, say. */
OSSA_API void ossa_report_fill(ossa_context *context, const ossa_rig *rig, size_t frame_count, const ossa_metrics *hierarchy,
	const ossa_metrics *free_bones, ossa_report *report);

/* The report as JSON text. `text` is the context's: give back with ossa_free. */
OSSA_API ossa_status ossa_report_json(ossa_context *context, const ossa_report *report, char **text);

/* Writes the report as JSON. Errors: OSSA_ERROR_WRITE. */
OSSA_API ossa_status ossa_report_write(ossa_context *context, const ossa_report *report, const char *path);

#ifdef __cplusplus
}
#endif
#endif

/* ossa/report.h: a report on a rig: as data, as JSON for machines, as a page for people. */
#ifndef OSSA_REPORT_H
#define OSSA_REPORT_H

#include <ossa/metrics.h>
#include <ossa/retarget.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The contents of a report. Stage costs and warnings are taken from the context when it is
   written. */
typedef struct ossa_report {
	const ossa_rig *rig;     /* not owned */
	ossa_metrics hierarchy;  /* of the rigid hierarchy */
	ossa_metrics free_bones; /* of the unconstrained bones; rms_percent NAN where there are none */
	const double *bone_rms;  /* B: ossa_rig_bone_errors, or NULL; not owned */
	size_t frame_count;
	double wall_seconds; /* of the whole run so far */
	double cpu_seconds;
	size_t peak_resident_bytes; /* of the process, 0 where the system does not report it */
	/* further contents of the page; NULL or 0 where it is not known; not owned */
	const char *input;      /* what the rig was made of, its title */
	const char *reason;     /* why this method, without the final stop */
	size_t key_frame_count; /* frames that skeleton and weights were made of; 0: all */
	/* the frames that the motion reproduces: errors by frame, and a picture of the worst one */
	ossa_frame_stream *frames;
	const ossa_nearness *nearness; /* to another skeleton */
	/* a motion that was carried over from another body, and the file that it is of */
	const ossa_retarget_facts *retarget;
	const char *motion;
} ossa_report;

/* Measures `rig` against `frames` (may be NULL) and fills the report. Of a skeleton without a
   mesh nothing is measured. */
OSSA_API ossa_status ossa_report_make(
	ossa_context *context, const ossa_rig *rig, const ossa_frames *frames, ossa_report *report);

/* The same of errors that are known already: of a motion that was fitted to frames one at a time,
   say. NULL: they are not known. */
OSSA_API void ossa_report_fill(ossa_context *context, const ossa_rig *rig, size_t frame_count, const ossa_metrics *hierarchy,
	const ossa_metrics *free_bones, ossa_report *report);

/* The report as JSON text.
   Ownership: `text` with ossa_free. */
OSSA_API ossa_status ossa_report_json(ossa_context *context, const ossa_report *report, char **text);

/* How a motion came over from another body as JSON text: the object that a report has as
   "retarget".
   Errors: OSSA_ERROR_MEMORY. Ownership: `text` with ossa_free. */
OSSA_API ossa_status ossa_retarget_json(ossa_context *context, const ossa_retarget_facts *facts, char **text);

/* The report as one HTML file (UTF-8, well-formed as XML) that holds all it needs: numbers in
   words, warnings and what to do about them, pictures, plots, the skeleton. It loads nothing else
   and runs no scripts. Draws some pictures and reads all frames once.
   Errors: those of reading frames, OSSA_ERROR_INPUT, OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED.
   `text` is the context's. */
OSSA_API ossa_status ossa_report_html(ossa_context *context, const ossa_report *report, char **text);

/* Writes the report: as HTML where the path ends in .html, .htm or .xhtml, else as JSON.
   Errors: OSSA_ERROR_WRITE; as ossa_report_html. */
OSSA_API ossa_status ossa_report_write(ossa_context *context, const ossa_report *report, const char *path);

#ifdef __cplusplus
}
#endif
#endif

/* ossa/method.h: the methods that make a rig, and one call that makes a rig of a mesh or of its motion by the method that suits it. */
#ifndef OSSA_METHOD_H
#define OSSA_METHOD_H

#include <ossa/metrics.h>
#include <ossa/options.h>
#include <ossa/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- which there are ---- */

/* A method, as people are told of it. A method that takes no motion rigs the shape at rest, and the motion is fitted to that rig. */
typedef struct ossa_method {
	const char *name;   /* "volume": as --method and ossa_rig.method have it */
	const char *title;  /* one or two words */
	const char *help;   /* one sentence in lower case, without the final stop: what becomes bones */
	const char *source; /* authors and years of its papers */
	bool takes_still;   /* makes a rig of one mesh that does not move */
	bool takes_motion;  /* makes a rig of frames */
	const ossa_option_table *(*option_table)(void);
} ossa_method;

/* The methods, in the order in which they are shown; NULL past the last. */
OSSA_API size_t ossa_method_count(void);
OSSA_API const ossa_method *ossa_method_at(size_t index);

/* The method of that name, or NULL. */
OSSA_API const ossa_method *ossa_method_find(const char *name);

/* What ossa_rig_options.method holds for a method: 1 for the first one; 0 for "auto"; -1 for an unknown name. */
OSSA_API int ossa_method_number(const char *name);

/* ---- how they work ---- */

/* The options of every method: a struct for each, which begins as the defaults. Typed code changes the structs in place. Texts are set by
   name, in every method that has an option of that name, and a method that lacks one of the names set is not chosen. */
typedef struct ossa_method_options ossa_method_options;

/* Errors: OSSA_ERROR_MEMORY.  Ownership: ossa_method_options_free, by the same context. */
OSSA_API ossa_status ossa_method_options_create(ossa_context *context, ossa_method_options **options);
OSSA_API void ossa_method_options_free(ossa_context *context, ossa_method_options *options);

/* The struct of a method, to be read or changed: an ossa_volume_options of "volume". NULL for an unknown name. */
OSSA_API void *ossa_method_options_of(ossa_method_options *options, const char *method);

/* How a rig is made. Start from ossa_rig_default(); ranges and help are in ossa_rig_option_table(). */
typedef struct ossa_rig_options {
	int method;     /* ossa_method_number of a method; 0: chosen by the input and by the options set */
	int reference;  /* the frame, from 1, whose shape is the rest pose; 0: that of the mesh */
	int key_frames; /* most frames that skeleton and weights are fitted to; the motion is fitted to all. 0: all */
	int names;      /* ossa_bone_names */
	const void *
		method_options; /* of the method named: its struct, such as an ossa_volume_options; NULL: as `methods` has it. Not owned */
	ossa_method_options *methods; /* of every method; NULL: the defaults. Not owned */
} ossa_rig_options;

OSSA_API ossa_rig_options ossa_rig_default(void);
OSSA_API const ossa_option_table *ossa_rig_option_table(void);

/* The option of that name: of the table above, or of the first method that has it. NULL where none has. */
OSSA_API const ossa_option *ossa_rig_option_find(const char *name);

/* Sets an option from text, wherever there is one of that name: in `options` and in its `methods`.
   Errors: OSSA_ERROR_ARGUMENT naming the option, its range and what was given. */
OSSA_API ossa_status ossa_rig_option_set(ossa_context *context, ossa_rig_options *options, const char *name, const char *text);

/* Refuses what is wrong for any input: a value out of its range, options that no method has together.
   Errors: OSSA_ERROR_ARGUMENT naming them. */
OSSA_API ossa_status ossa_rig_options_check(ossa_context *context, const ossa_rig_options *options);

/* ---- the rig ---- */

/* What a rig is made of. */
typedef struct ossa_rig_input {
	const ossa_mesh *mesh;     /* at rest */
	ossa_frame_stream *frames; /* how it moves; NULL: it does not */
} ossa_rig_input;

enum { OSSA_ATTEMPTS_MAX = 8 };

/* A method that was tried, and by what its rig was judged. */
typedef struct ossa_attempt {
	const ossa_method *method;
	double
		rms_percent; /* of frames: RMS of the rig's hierarchy over the key frames, % of the diagonal; NAN: there is no such rig */
	double inside;   /* of a still mesh, where several may be tried: share of its bones' length inside of the surface; NAN */
} ossa_attempt;

/* A rig and how it came about. */
typedef struct ossa_rig_result {
	ossa_rig *rig;
	const ossa_method *method;
	char reason[400]; /* why that method, without the final stop; "" where no other could be meant */
	size_t attempt_count;
	ossa_attempt attempts[OSSA_ATTEMPTS_MAX];
	size_t frame_count;     /* of the clip; 0: a still mesh */
	size_t key_frame_count; /* that skeleton and weights were fitted to */
	ossa_metrics
		hierarchy; /* over all frames; of more frames than key frames without normal_rms; of a still mesh what needs no frames */
	ossa_metrics free_bones; /* NAN where there are none */
	double *bone_rms;        /* B: of each bone's skin over all frames, ossa_rig_bone_errors; NULL for a still mesh */
} ossa_rig_result;

/* Makes a rig of a mesh, or of a mesh and its frames.
   Where no method is named: of frames every method that takes motion is tried, and the rig that follows them closest as a hierarchy stays,
   the first where they are about as close. Of one mesh contraction is tried; where it fails, or leaves more than 5 % of its bones' length
   outside of the surface (winding number), volume is, and stays where more of it is inside and no part of the shape is left without bones.
   Options set by name leave only the methods that have them all.
   Where there are more than `key_frames` frames, those that stand for all are chosen, the rig is made of them and then moved as every frame
   wants it, one frame after the other, so that memory does not grow with the frames.
   `options` NULL means the defaults; `result` NULL that nobody wants it: the rig is made and given back.
   Errors: those of the methods and of ossa_rig_fit_motion; OSSA_ERROR_ARGUMENT as ossa_rig_options_check, and where options leave no method
   for this input; OSSA_ERROR_INPUT where the method named needs motion and there is none.
   Ownership: ossa_rig_result_free; or take `rig` and set it NULL before.
   Warning "unexplained": bones whose skin is off by more than 1 % of the diagonal.
   Threads: the context's; the same bytes for any number. */
OSSA_API ossa_status ossa_rig_make(
	ossa_context *context, const ossa_rig_input *input, const ossa_rig_options *options, ossa_rig_result *result);

/* Gives back what was made. */
OSSA_API void ossa_rig_result_free(ossa_context *context, ossa_rig_result *result);

#ifdef __cplusplus
}
#endif
#endif

/* ossa/method.h: the methods that make a rig, and one call that chooses a method and makes a rig
   of a mesh or of its motion. */
#ifndef OSSA_METHOD_H
#define OSSA_METHOD_H

#include <ossa/landmarks.h>
#include <ossa/metrics.h>
#include <ossa/options.h>
#include <ossa/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- which there are ---- */

/* A method as a row of data, known everywhere by its name. A method that takes no motion rigs the
   shape at rest; where there are frames, their motion is then fitted to that rig. */
typedef struct ossa_method {
	/* "volume": what --method takes, and what ossa_rig_options.method and ossa_rig.method hold */
	const char *name;
	const char *title;  /* one or two words, as shown to people */
	const char *help;   /* one sentence in lower case, without the final stop: what becomes bones */
	const char *source; /* authors and years of its papers */
	bool takes_still;   /* it makes a rig of one mesh that does not move */
	bool takes_motion;  /* it makes a rig of frames */
	const ossa_option_table *(*option_table)(void);
} ossa_method;

/* The methods, in the order in which they are shown; NULL past the last. */
OSSA_API size_t ossa_method_count(void);
OSSA_API const ossa_method *ossa_method_at(size_t index);

/* The method of that name, or NULL. */
OSSA_API const ossa_method *ossa_method_find(const char *name);

/* ---- how they work ---- */

/* The options of all methods: one struct for each, filled with its defaults. Typed code writes
   into the structs. Texts are set by name (ossa_rig_option_set), in every method that has an
   option of that name; a method that lacks a name that was set is not chosen. */
typedef struct ossa_method_options ossa_method_options;

/* Errors: OSSA_ERROR_MEMORY.
   Ownership: ossa_method_options_free, by the same context. */
OSSA_API ossa_status ossa_method_options_create(ossa_context *context, ossa_method_options **options);
OSSA_API void ossa_method_options_free(ossa_context *context, ossa_method_options *options);

/* The struct of a method, to be read or changed: an ossa_volume_options of "volume". NULL for an
   unknown name. */
OSSA_API void *ossa_method_options_of(ossa_method_options *options, const char *method);

/* As a reference: the shape, of the mesh or of a frame, that is least far from all others. */
#define OSSA_REFERENCE_AUTO (-1)

/* How much is tried for a rig from motion: drafts are compared, and one is finished. */
typedef enum ossa_effort {
	OSSA_EFFORT_FAST,   /* one draft, by the first of the methods that could be tried */
	OSSA_EFFORT_NORMAL, /* one by each method, and the better one's bones are exchanged */
	OSSA_EFFORT_BEST    /* bones are exchanged in every draft, before they are compared, too */
} ossa_effort;

/* How the bones of a rig from motion move against each other. */
typedef enum ossa_articulation {
	/* as limbs; but where the rest shape is a human, and neither a number of bones nor a root nor
	   the paper's rig is asked for, they are joined as programs for humanoids expect, and those
	   that the motion is silent about are added */
	OSSA_ARTICULATION_AUTO,
	OSSA_ARTICULATION_LIMBS, /* a tree of joints that the motion shows: bones keep their lengths */
	/* of a face: every bone turns and moves freely against one, the head; its joint is in the
	   middle of its skin */
	OSSA_ARTICULATION_FACE
} ossa_articulation;

/* Which trees a rig has. */
typedef enum ossa_roots {
	OSSA_ROOTS_AUTO, /* one for each body that motion or shape show: people, props, a floor */
	OSSA_ROOTS_ONE   /* one for all */
} ossa_roots;

/* How a rig is made. Start from ossa_rig_default(); ranges and help are in
   ossa_rig_option_table(). The last two are not owned. */
typedef struct ossa_rig_options {
	uint32_t cookie; /* set by the default function; do not touch */
	/* the name of a method; "auto": chosen by the input and by the options that were set */
	char method[OSSA_OPTION_TEXT_SIZE];
	ossa_effort effort;             /* of a rig from motion */
	ossa_articulation articulation; /* likewise */
	/* the frame, from 1, whose shape is the rest pose; 0: that of the mesh; OSSA_REFERENCE_AUTO */
	int reference;
	/* most frames that skeleton and weights are fitted to; the motion is fitted to all. 0: all */
	int key_frames;
	ossa_bone_names names; /* what bones are called */
	/* twist bones of each segment of arms and legs (ossa_rig_add_twist); 0: none */
	int twist;
	/* of articulation, the rig among them (ossa_rig_find_levels); where the method makes levels of
	   its own, a text sets both, and those stay */
	int levels;
	/* of a rig from motion: the name of the bone that is the root; "" or "auto": the hips of the
	   body, "center": the bone in the middle of the shape */
	char root_bone[OSSA_OPTION_TEXT_SIZE];
	/* bodies that move independently of each other, or do not touch and are bodies by their shape,
	   are rigged each as if it were alone, and their trees stand under a root that stays where it
	   is and moves no vertex */
	ossa_roots roots;
	/* of a rig from motion: add the bones of the body that did not move, from the rest shape */
	bool complete;
	/* of a rig from motion: the body that the rest shape is, for names and root; of one mesh its
	   method has an option of that name, and a text sets both */
	ossa_body_kind body;
	/* likewise: points of a human, by which names, root and bones that are added are found; joints
	   that the motion shows stay where it puts them */
	ossa_landmarks landmarks;
	/* struct of the method that is named: an ossa_volume_options, say; another struct than that
	   is refused by its cookie. NULL: that of `methods` */
	const void *method_options;
	ossa_method_options *methods; /* structs of all methods; NULL: the defaults */
} ossa_rig_options;

OSSA_API ossa_rig_options ossa_rig_default(void);
OSSA_API const ossa_option_table *ossa_rig_option_table(void);

/* The option of that name: of the table above, or of the first method that has it. NULL where
   none has. */
OSSA_API const ossa_option *ossa_rig_option_find(const char *name);

/* Sets an option from text: in `options` itself, and in the struct of every method that has an
   option of that name.
   Errors: OSSA_ERROR_ARGUMENT naming the option, its range and what was given. */
OSSA_API ossa_status ossa_rig_option_set(ossa_context *context, ossa_rig_options *options, const char *name, const char *text);

/* Checks what can be checked before there is any input: every value is in its range, method_options
   is the struct of the method that is named, and some method has all options that were set.
   Errors: OSSA_ERROR_ARGUMENT naming the options, or the struct that is wanted and the one
   given. */
OSSA_API ossa_status ossa_rig_options_check(ossa_context *context, const ossa_rig_options *options);

/* ---- the rig ---- */

/* What a rig is made of. */
typedef struct ossa_rig_input {
	const ossa_mesh *mesh;     /* at rest */
	ossa_frame_stream *frames; /* its motion; NULL: it does not move */
} ossa_rig_input;

enum { OSSA_ATTEMPTS_MAX = 8 };

/* A method that was tried, and how its rig was judged. */
typedef struct ossa_attempt {
	const ossa_method *method;
	/* RMS of the hierarchy over the key frames, % of the diagonal: of several methods in their
	   drafts, of which the best is finished; NAN for a still mesh */
	double rms_percent;
	/* share of the bones' length inside of a still mesh; NAN where nothing else could be
	   tried, and for frames */
	double inside;
} ossa_attempt;

/* A rig, the method that made it, and the methods that were tried. */
typedef struct ossa_rig_result {
	ossa_rig *rig;
	const ossa_method *method;
	char reason[400]; /* why that method, without the final stop; "" where there was no choice */
	size_t attempt_count;
	ossa_attempt attempts[OSSA_ATTEMPTS_MAX];
	size_t frame_count;     /* of the clip; 0: a still mesh */
	size_t key_frame_count; /* that skeleton and weights were fitted to */
	/* over all frames, without normal_rms where not all are key frames; still: what needs no
	   frames */
	ossa_metrics hierarchy;
	ossa_metrics free_bones; /* NAN where there are none */
	/* B: RMS of each bone's skin over all frames, see ossa_rig_bone_errors; NULL for a still
	   mesh */
	double *bone_rms;
} ossa_rig_result;

/* Makes a rig of a mesh, or of a mesh and its frames. `options` NULL means the defaults. `result`
   may be NULL: the rig is then made, for its warnings and costs, and freed.
   Which method: the one that is named. Else, of frames, every method that takes motion is tried,
   and the rig whose hierarchy has the smallest error on the key frames is kept, the first one where
   two are about equal; `effort` says how often. Of a still mesh contraction is tried first; where
   it fails, or more than 5 % of its bones' length is outside of the surface (by the winding
   number), volume is tried too, and kept where more of it is inside and it leaves no part of the
   shape without bones. Options that
   were set by name rule out the methods that lack one of them. Long input: of more frames than
   `key_frames` a representative subset is chosen; the rig is made of it, and then its motion is
   fitted to every frame, one after the other. Only the clip's memory grows with the frames.
   Errors: the methods' and ossa_rig_fit_motion's; OSSA_ERROR_ARGUMENT as for
   ossa_rig_options_check, and where no method has all options that were set, or several have them
   and none is preferred; OSSA_ERROR_INPUT where the method named needs motion and there is none.
   Warnings: the methods' and "unexplained", of bones whose skin is off by more than 1 % of the
   diagonal.
   Ownership: ossa_rig_result_free; a caller who keeps the rig sets `rig` to NULL first.
   Threads: the context's; the same bytes for any number. */
OSSA_API ossa_status ossa_rig_make(
	ossa_context *context, const ossa_rig_input *input, const ossa_rig_options *options, ossa_rig_result *result);

/* Frees the result. */
OSSA_API void ossa_rig_result_free(ossa_context *context, ossa_rig_result *result);

#ifdef __cplusplus
}
#endif
#endif

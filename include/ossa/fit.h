/* ossa/fit.h: weights and joints for bones that are given: a skeleton of another program, a rig
   whose weights are to follow new frames, a rig of which a part is right and stays. */
#ifndef OSSA_FIT_H
#define OSSA_FIT_H

#include <ossa/options.h>
#include <ossa/rig.h>
#include <ossa/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- to a shape ---- */

/* How a skeleton is bound. Start from ossa_bind_default(). */
typedef struct ossa_bind_options {
	uint32_t cookie; /* set by the default function; do not touch */
	int influences;  /* most bones that move one vertex */
	bool place;      /* try other units, and where the motion begins, for one that lies elsewhere */
} ossa_bind_options;

OSSA_API ossa_bind_options ossa_bind_default(void);
OSSA_API const ossa_option_table *ossa_bind_option_table(void);

/* Makes a rig of `mesh` with the bones of `rig`, whose own mesh, if it has one, is not used: names,
   joints, limits, roles and motions, and weights by bone heat. A skeleton that does not lie in the
   mesh is scaled by the ratio of two usual units, or moved to where its motion begins, where it
   then does (warning "skeleton-placed"). Warning "idle-bones".
   Errors: OSSA_ERROR_INPUT (no bones, a mesh without faces, a skeleton that lies elsewhere),
   OSSA_ERROR_ARGUMENT, OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED.
   Ownership: ossa_rig_free.
   Threads: the context's; the same result for any number.
   Source: I. Baran, J. Popovic, Automatic Rigging and Animation of 3D Characters, 2007: bone
   heat. */
OSSA_API ossa_status ossa_rig_bind(
	ossa_context *context, const ossa_rig *rig, const ossa_mesh *mesh, const ossa_bind_options *options, ossa_rig **bound);

/* ---- to frames ---- */

/* What is solved for and how. Start from ossa_fit_default(). */
typedef struct ossa_fit_options {
	uint32_t cookie; /* set by the default function; do not touch */
	bool weights;
	bool joints; /* move them, but for the root's; bones keep their names and parents */
	bool motion; /* false: the motion is the rig's own clip, of as many frames */
	int influences;
	int key_frames; /* the most frames to fit to, chosen to represent all; 0: all */
	int refine;     /* rounds of each of the refinements, at most */
	bool local;     /* keep the vertices of every bone one connected patch in each piece */
	/* the most helper bones that are added under the given ones, where skin of one bone has motions
	   of its own; each lowers the RMS error by `worth` percent of the diagonal at least; 0: none */
	int add_bones;
	double worth;
} ossa_fit_options;

OSSA_API ossa_fit_options ossa_fit_default(void);
OSSA_API const ossa_option_table *ossa_fit_option_table(void);

/* What stays as it is. NULL: nothing. */
typedef struct ossa_fit_locks {
	/* V: the share of its weights that a vertex keeps: 1 all, 0.3 three tenths of each */
	const float *vertices;
	const uint8_t *weights; /* B: bones that keep all their weights, and get no other ones */
	const uint8_t *joints;  /* B */
} ossa_fit_locks;

typedef struct ossa_fit_facts {
	size_t key_frame_count;
	size_t vertices_changed; /* whose weights changed by more than 1e-4 */
	/* over the key frames, % of the diagonal: the rig's own weights, and now */
	double before_percent, rms_percent;
	size_t added_bones; /* helper bones, behind the given ones */
} ossa_fit_facts;

/* Solves for what `options` say in the rig, so that its bones reproduce the frames of a stream of
   its mesh. Weights, rotations and joints are fitted in turn, from the weights that the rig has;
   every few rounds vertices may take bones that are far away. Where the motion says nothing, of two
   bones that move alike, a vertex keeps the weights that it has. Helper bones come behind the given
   ones, are named after their parents ("hand_helper"), and stand still in the rig's motions, which
   stay: fit them with ossa_rig_fit_motion. free_clip is dropped. options, locks, facts may be NULL.
   Errors: OSSA_ERROR_INPUT (no faces, no bones, another number of vertices, no frames; without
   `motion` no clip of as many frames; joints, or weights and motion, of several bodies with a root
   each or of a face), OSSA_ERROR_ARGUMENT (shares that are not 0 to 1; add_bones without weights
   and motion), OSSA_ERROR_READ, OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED: the rig is then as it was.
   Threads: the context's; the same bytes for any number.
   Cost: for each round vertices x key frames x the square of the few bones near one. */
OSSA_API ossa_status ossa_rig_fit_weights(ossa_context *context, ossa_rig *rig, ossa_frame_stream *stream,
	const ossa_fit_options *options, const ossa_fit_locks *locks, ossa_fit_facts *facts);

#ifdef __cplusplus
}
#endif
#endif

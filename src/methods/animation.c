/* methods/animation.c: a rig from moving input of any length, by the method that suits it.

   Place in the path: a stream of frames -> here -> examples, sequence, refit.
   The start decides which minimum the refinement finds, and neither faces merged nor seeds grouped are the better start everywhere: where
   nobody chose, both are tried and what follows the frames closer stays (docs/results.md has the table). */
#include <ossa/shape.h>

#include "base/options.h"
#include "methods/motion_tell.h"

#include <math.h>
#include <string.h>

static const ossa_animation_options defaults = {.cookie = OSSAI_COOKIE(ossa_animation_options), .key_frames = 32};

#define FIELD(field) offsetof(ossa_animation_options, field)

static const ossa_option fields[] = {
	{"method", OSSA_OPTION_CHOICE, FIELD(method), 0, 0, "", OSSA_METHOD_CHOICES,
		"from poses (Schaefer & Yuksel 2007), from an animation (de Aguiar et al. 2008), or from the rest shape alone, "
		"contracted (Madaras) or by its volume (Wade & Parent 2002); "
		"auto: for moving input the first two are tried, and the rig that follows the frames closer stays; for one mesh one "
		"of the others, by what its surface is like",
		"ours: docs/results.md has the table"},
	{"reference", OSSA_OPTION_INT, FIELD(reference), 0, 1000000000, "", "",
		"the frame, from 1, whose shape is the rest pose; 0: that of the rest mesh", "de Aguiar et al. 2008: the first frame"},
	{"key-frames", OSSA_OPTION_INT, FIELD(key_frames), 0, 1000000, "frames", "",
		"skeleton and weights are fitted to at most so many frames that stand for all, the motion to every frame; 0: all",
		"ours: most frames repeat others"},
};

static const ossa_option_table table = {
	"animation", fields, sizeof fields / sizeof fields[0], &defaults, OSSAI_COOKIE(ossa_animation_options)};

ossa_animation_options ossa_animation_default(void) { return defaults; }
const ossa_option_table *ossa_animation_option_table(void) { return &table; }

/* how much of the time is over when the key frames are there, the first of two methods is done, the rig is made */
static const double share_keys = 0.05, share_half = 0.45, share_rig = 0.9;

/* of two rigs about as close the first stays: the second must be closer by this, % of the diagonal, and by this share */
static const double least_gain = 1e-3, least_gain_share = 0.01;

typedef struct making {
	ossa_context *context;
	const ossa_mesh *mesh; /* at rest */
	ossa_mesh *reference;  /* the mesh in the shape of the reference frame, or NULL */
	ossa_frame_stream *stream;
	ossa_animation_options options;
	ossa_method_options methods;
	ossa_frames *keys; /* the frames that the rig is made of */
	ossa_animation_rig *made;
} making;

/* ---- frames ---- */

static ossa_status take_reference(making *m)
{
	const size_t number = (size_t)m->options.reference, frames = ossa_frame_stream_frame_count(m->stream);
	if (number == 0) return OSSA_OK;
	if (number > frames || ossa_frame_stream_vertex_count(m->stream) != m->mesh->vertex_count) {
		return ossai_fail(
			m->context, OSSA_ERROR_ARGUMENT, NULL, "frame %zu cannot be the rest: there are %zu frames", number, frames);
	}
	OSSAI_TRY(ossa_mesh_copy(m->context, m->mesh, &m->reference));
	m->mesh = m->reference;
	return ossa_frame_stream_read(m->context, m->stream, number - 1, m->reference->positions);
}

static ossa_status take_keys(making *m)
{
	const size_t frames = ossa_frame_stream_frame_count(m->stream), wanted = (size_t)m->options.key_frames;
	ossai_plan_window(m->context, 0, share_keys);
	if (wanted == 0 || frames <= wanted) return ossa_frame_stream_frames(m->context, m->stream, 0, NULL, &m->keys);
	size_t count = 0, *indices = ossa_alloc(m->context, wanted, sizeof *indices);
	if (!indices) return ossa_context_error(m->context)->status;
	ossa_status status = ossa_frame_stream_choose(m->context, m->stream, m->mesh, wanted, indices, &count);
	if (status == OSSA_OK) status = ossa_frame_stream_frames(m->context, m->stream, count, indices, &m->keys);
	ossa_free(m->context, indices);
	return status;
}

/* ---- methods ---- */

/* RMS of the rig's hierarchy over the key frames */
static ossa_status key_rms(making *m, const ossa_rig *rig, double *rms)
{
	ossa_metrics metrics;
	OSSAI_TRY(ossa_rig_measure(m->context, rig, NULL, NULL, m->keys, &metrics));
	*rms = metrics.rms_percent;
	return OSSA_OK;
}

/* a rig of the rest shape alone, moved as the key frames want it */
static ossa_status rig_shape(making *m, ossa_rig **rig)
{
	ossa_frame_stream *keys = NULL;
	ossa_motion_fit *fit = NULL;
	ossa_shape_choice choice;
	OSSAI_TRY(ossa_rig_from_shape(m->context, m->mesh, (ossa_method)m->options.method, &m->methods, &choice, rig));
	ossa_status status = ossa_frame_stream_of_frames(m->context, m->keys, &keys);
	if (status == OSSA_OK) status = ossa_rig_fit_motion(m->context, *rig, keys, NULL, &fit);
	if (status == OSSA_OK) ossa_rig_take_motion(m->context, *rig, fit);
	ossa_motion_fit_free(m->context, fit);
	ossa_frame_stream_free(m->context, keys);
	if (status == OSSA_OK) return OSSA_OK;
	ossa_rig_free(m->context, *rig);
	*rig = NULL;
	return status;
}

static ossa_status make_by(making *m, ossa_method method, ossa_rig **rig)
{
	if (method == OSSA_METHOD_CONTRACTION || method == OSSA_METHOD_VOLUME) return rig_shape(m, rig);
	if (method == OSSA_METHOD_EXAMPLES) {
		return ossa_rig_from_examples(m->context, m->mesh, m->keys, m->methods.examples, rig);
	}
	return ossa_rig_from_sequence(m->context, m->mesh, m->keys, m->methods.sequence, rig);
}

static ossa_status try_method(making *m, ossa_method method, ossa_rig **rig)
{
	double unused, *rms = &unused;
	if (method == OSSA_METHOD_EXAMPLES) rms = &m->made->examples_rms;
	if (method == OSSA_METHOD_SEQUENCE) rms = &m->made->sequence_rms;
	OSSAI_TRY(make_by(m, method, rig));
	const ossa_status status = key_rms(m, *rig, rms);
	if (status == OSSA_OK) return OSSA_OK;
	ossa_rig_free(m->context, *rig);
	*rig = NULL;
	return status;
}

/* what was tried: a rig and what making it warned of */
typedef struct attempt {
	ossa_rig *rig;
	ossai_warnings *warnings;
} attempt;

static ossa_status attempt_method(making *m, ossa_method method, const ossai_warnings *before, attempt *tried)
{
	ossai_warnings_restore(m->context, before);
	OSSAI_TRY(try_method(m, method, &tried->rig));
	tried->warnings = ossai_warnings_save(m->context);
	return tried->warnings ? OSSA_OK : ossa_context_error(m->context)->status;
}

/* The second method may refuse what the first has rigged (nothing moves): the first then stays. */
static ossa_status try_in_turn(making *m, const ossai_warnings *before, attempt *first, attempt *second)
{
	ossai_plan_window(m->context, share_keys, share_half);
	OSSAI_TRY(attempt_method(m, OSSA_METHOD_EXAMPLES, before, first));
	ossai_plan_window(m->context, share_half, share_rig);
	const ossa_status status = attempt_method(m, OSSA_METHOD_SEQUENCE, before, second);
	return status == OSSA_ERROR_INPUT ? OSSA_OK : status;
}

static void take_closer(making *m, attempt *first, attempt *second)
{
	const double gain = second->rig ? m->made->examples_rms - m->made->sequence_rms : 0;
	attempt *closer = gain > least_gain && gain > least_gain_share * m->made->examples_rms ? second : first;
	ossai_warnings_restore(m->context, closer->warnings);
	m->made->rig = closer->rig;
	closer->rig = NULL;
}

static ossa_status try_both(making *m)
{
	attempt first = {NULL, NULL}, second = {NULL, NULL};
	ossai_warnings *before = ossai_warnings_save(m->context);
	if (!before) return ossa_context_error(m->context)->status;
	const ossa_status status = try_in_turn(m, before, &first, &second);
	if (status == OSSA_OK) take_closer(m, &first, &second);
	ossa_rig_free(m->context, first.rig);
	ossa_rig_free(m->context, second.rig);
	ossa_free(m->context, first.warnings);
	ossa_free(m->context, second.warnings);
	ossa_free(m->context, before);
	return status;
}

static ossa_status make_rig(making *m)
{
	if (m->options.method == OSSA_METHOD_AUTO) return try_both(m);
	ossai_plan_window(m->context, share_keys, share_rig);
	return try_method(m, (ossa_method)m->options.method, &m->made->rig);
}

/* ---- all frames ---- */

static ossa_status measure(making *m)
{
	ossa_rig *rig = m->made->rig;
	const ossa_weights *free_weights = rig->free_weights.vertex_count > 0 ? &rig->free_weights : &rig->weights;
	m->made->bone_rms = ossai_new(m->context, rig->skeleton.bone_count, sizeof *m->made->bone_rms);
	if (!m->made->bone_rms) return ossa_context_error(m->context)->status;
	OSSAI_TRY(ossa_rig_bone_errors(m->context, rig, NULL, NULL, m->keys, m->made->bone_rms));
	OSSAI_TRY(ossa_rig_measure(m->context, rig, NULL, NULL, m->keys, &m->made->hierarchy));
	return ossa_rig_measure(
		m->context, rig, free_weights, rig->free_clip, rig->free_clip ? m->keys : NULL, &m->made->free_bones);
}

/* what a fit tells of motion, beside what the metrics tell of weights and joints */
static void add_errors(const ossa_metrics *fit, ossa_metrics *metrics)
{
	metrics->rms_percent = fit->rms_percent;
	metrics->max_percent = fit->max_percent;
	metrics->max_vertex = fit->max_vertex;
	metrics->max_frame = fit->max_frame;
	metrics->accu_percent = fit->accu_percent;
	metrics->compression = fit->compression;
	metrics->normal_rms = NAN;
}

static ossa_status move_rig(making *m)
{
	ossa_rig *rig = m->made->rig;
	ossa_motion_options options = ossa_motion_default();
	options.free_motion = rig->free_clip != NULL;
	ossa_motion_fit *fit = NULL;
	OSSAI_TRY(ossa_rig_fit_motion(m->context, rig, m->stream, &options, &fit));
	add_errors(&fit->errors, &m->made->hierarchy);
	if (rig->free_clip) add_errors(&fit->free_errors, &m->made->free_bones);
	memcpy(m->made->bone_rms, fit->bone_rms, rig->skeleton.bone_count * sizeof *fit->bone_rms);
	ossa_rig_take_motion(m->context, rig, fit);
	ossa_motion_fit_free(m->context, fit);
	return OSSA_OK;
}

static ossa_status make(making *m)
{
	OSSAI_TRY(take_reference(m));
	OSSAI_TRY(take_keys(m));
	m->made->frame_count = ossa_frame_stream_frame_count(m->stream);
	m->made->key_frame_count = m->keys->frame_count;
	OSSAI_TRY(make_rig(m));
	ossai_plan_window(m->context, share_rig, 1);
	OSSAI_TRY(measure(m));
	if (m->made->key_frame_count < m->made->frame_count) OSSAI_TRY(move_rig(m));
	ossai_tell_unexplained(m->context, m->made->rig, m->made->bone_rms);
	return OSSA_OK;
}

ossa_status ossa_rig_from_animation(ossa_context *context, const ossa_mesh *mesh, ossa_frame_stream *stream,
	const ossa_animation_options *options, const ossa_method_options *methods, ossa_animation_rig *made)
{
	making m = {.context = context, .mesh = mesh, .stream = stream, .options = options ? *options : defaults, .made = made};
	if (methods) m.methods = *methods;
	*made = (ossa_animation_rig){.examples_rms = NAN, .sequence_rms = NAN};
	OSSAI_TRY(ossa_options_check(context, &table, &m.options));
	const ossa_status status = make(&m);
	ossai_plan_window(context, 0, 0);
	ossa_frames_free(context, m.keys);
	ossa_mesh_free(context, m.reference);
	if (status == OSSA_OK) return OSSA_OK;
	ossa_animation_rig_free(context, made);
	return status;
}

void ossa_animation_rig_free(ossa_context *context, ossa_animation_rig *made)
{
	ossa_rig_free(context, made->rig);
	ossa_free(context, made->bone_rms);
	made->rig = NULL;
	made->bone_rms = NULL;
}

/* import/collada/collada_animation.c: a <sampler> as keys over time: see collada.h.

   Place in the path: called by collada_clips.c for every channel.
   Input: INPUT, OUTPUT, INTERPOLATION, IN_TANGENT, OUT_TANGENT.
   Output: the times, values and control points of an ossai_asset_channel.
   Every key of a curve has its own interpolation: where they differ, straight stretches become
   curves with control points on the line, and keys that hold their value are marked. A Hermite
   curve is the Bezier curve with control points at a third of its tangents. */
#include "import/collada/collada.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum key_mode { MODE_LINEAR, MODE_STEP, MODE_BEZIER, MODE_HERMITE } key_mode;

/* A key by its place in the file. */
typedef struct key {
	double time;
	size_t index;
} key;

/* Control points or tangents of one side. */
typedef struct tangents {
	bool there;
	bool in_time;    /* pairs or a vector with the time in front; else values alone */
	bool time_first; /* one time for all values */
	ossai_accessor a;
} tangents;

/* Passed along while a channel is made. */
typedef struct curve_reader {
	ossai_dae *c;
	uint32_t sampler;
	size_t width;
	ossai_accessor times, values;
	size_t word_count; /* interpolations; 0: all linear */
	const ossai_word *words;
	tangents in, out;
	size_t key_count;
	key *keys;
	key_mode *modes; /* of each key */
	ossai_asset_channel *channel;
	int64_t odd_controls;
} curve_reader;

/* ---- sources ---- */

static ossa_status open_tangents(curve_reader *curve, const ossai_inputs *inputs, const char *semantic, tangents *t)
{
	const ossai_input *input = ossai_input_of(inputs, semantic);
	const size_t width = curve->values.width;
	if (!input || input->source == OSSA_NONE) return OSSA_OK;
	OSSAI_TRY(ossai_dae_accessor(curve->c, input->source, NULL, &t->a));
	t->in_time = t->a.width == 2 * width || t->a.width == width + 1;
	t->time_first = t->in_time && t->a.width == width + 1;
	t->there = (t->in_time || t->a.width == width) && t->a.count >= curve->values.count;
	return OSSA_OK;
}

/* without times or values (some writers leave sources out) there is nothing: values.width 0 */
static ossa_status open_curve(curve_reader *curve)
{
	ossai_dae *c = curve->c;
	ossai_inputs inputs;
	OSSAI_TRY(ossai_dae_inputs(c, curve->sampler, &inputs));
	const ossai_input *input = ossai_input_of(&inputs, "INPUT"), *output = ossai_input_of(&inputs, "OUTPUT");
	const ossai_input *interpolation = ossai_input_of(&inputs, "INTERPOLATION");
	if (!input || input->source == OSSA_NONE || !output || output->source == OSSA_NONE) return OSSA_OK;
	OSSAI_TRY(ossai_dae_accessor(c, input->source, NULL, &curve->times));
	OSSAI_TRY(ossai_dae_accessor(c, output->source, NULL, &curve->values));
	if (interpolation && interpolation->source != OSSA_NONE) {
		OSSAI_TRY(ossai_dae_words(c, interpolation->source, &curve->word_count, &curve->words));
	}
	OSSAI_TRY(open_tangents(curve, &inputs, "IN_TANGENT", &curve->in));
	return open_tangents(curve, &inputs, "OUT_TANGENT", &curve->out);
}

ossa_status ossai_dae_sampler_width(ossai_dae *c, uint32_t sampler, size_t *width)
{
	curve_reader curve = {.c = c, .sampler = sampler};
	OSSAI_TRY(open_curve(&curve));
	*width = curve.values.width;
	return OSSA_OK;
}

/* ---- keys ---- */

static int compare_keys(const void *left, const void *right)
{
	const key *a = left, *b = right;
	if (a->time != b->time) return a->time < b->time ? -1 : 1;
	return (a->index > b->index) - (a->index < b->index);
}

static bool key_is_finite(const curve_reader *curve, size_t index)
{
	bool good = isfinite(ossai_accessor_get(&curve->times, index, 0));
	for (size_t k = 0; good && k < curve->width; k++) {
		good = isfinite((float)ossai_accessor_get(&curve->values, index, k));
	}
	return good;
}

/* sorted by time, of equal times the last */
static ossa_status sort_keys(curve_reader *curve)
{
	ossai_dae *c = curve->c;
	const size_t count = curve->times.count < curve->values.count ? curve->times.count : curve->values.count;
	if (curve->times.count != curve->values.count) {
		ossai_warn(c->context, "keys-mismatch", 1, "%s, line %u: %zu times for %zu values; the rest is left out",
			c->source->path, c->xml.elements[curve->sampler].line, curve->times.count, curve->values.count);
	}
	curve->keys = ossai_arena_new(&c->arena, count, sizeof *curve->keys);
	if (!curve->keys) return ossai_dae_lost(c);
	for (size_t i = 0; i < count; i++) {
		if (key_is_finite(curve, i)) curve->keys[curve->key_count++] = (key){ossai_accessor_get(&curve->times, i, 0), i};
	}
	if (curve->key_count < count) {
		ossai_warn(c->context, "bad-keys", (int64_t)(count - curve->key_count),
			"%s, line %u: keys that are not finite are left out", c->source->path, c->xml.elements[curve->sampler].line);
	}
	if (curve->key_count > 1) qsort(curve->keys, curve->key_count, sizeof *curve->keys, compare_keys);
	size_t kept = 0;
	for (size_t i = 0; i < curve->key_count; i++) {
		if (i + 1 < curve->key_count && curve->keys[i + 1].time == curve->keys[i].time) continue;
		curve->keys[kept++] = curve->keys[i];
	}
	curve->key_count = kept;
	return OSSA_OK;
}

static key_mode mode_of(const curve_reader *curve, size_t index, int64_t *unknown, int64_t *bare)
{
	if (curve->word_count == 0) return MODE_LINEAR;
	/* some writers give one for all */
	const ossai_word word = curve->words[index < curve->word_count ? index : curve->word_count - 1];
	if (ossai_word_is(word, "LINEAR")) return MODE_LINEAR;
	if (ossai_word_is(word, "STEP")) return MODE_STEP;
	const bool bezier = ossai_word_is(word, "BEZIER"), hermite = ossai_word_is(word, "HERMITE");
	if ((bezier || hermite) && curve->in.there && curve->out.there) return bezier ? MODE_BEZIER : MODE_HERMITE;
	*(bezier || hermite ? bare : unknown) += 1;
	return MODE_LINEAR;
}

static ossa_status find_modes(curve_reader *curve)
{
	ossai_dae *c = curve->c;
	int64_t unknown = 0, bare = 0;
	curve->modes = ossai_arena_new(&c->arena, curve->key_count, sizeof *curve->modes);
	if (!curve->modes) return ossai_dae_lost(c);
	for (size_t i = 0; i < curve->key_count; i++) curve->modes[i] = mode_of(curve, curve->keys[i].index, &unknown, &bare);
	const unsigned line = c->xml.elements[curve->sampler].line;
	if (unknown) {
		ossai_warn(c->context, "unknown-interpolation", unknown,
			"%s, line %u: keys with interpolations other than LINEAR, STEP, BEZIER and HERMITE are taken as LINEAR",
			c->source->path, line);
	}
	if (bare) {
		ossai_warn(c->context, "missing-tangents", bare, "%s, line %u: keys of curves without tangents are taken as LINEAR",
			c->source->path, line);
	}
	return OSSA_OK;
}

/* ---- control points ---- */

/* Both ends of the stretch between two keys, in one component. */
typedef struct stretch {
	double t0, v0, t1, v1;
} stretch;

/* the control point beside an end as the file has it; false where that is no number */
static bool control_point(
	const tangents *t, key_mode mode, const stretch *s, bool at_end, size_t index, size_t k, double point[2])
{
	const double third = (s->t1 - s->t0) / 3, time = at_end ? s->t1 : s->t0, value = at_end ? s->v1 : s->v0;
	const double sign = at_end ? -1 : 1;
	const double x = !t->in_time ? 0 : ossai_accessor_get(&t->a, index, t->time_first ? 0 : 2 * k);
	const double y = ossai_accessor_get(&t->a, index, !t->in_time ? k : t->time_first ? 1 + k : 2 * k + 1);
	if (mode == MODE_BEZIER) {
		point[0] = t->in_time ? x : time + sign * third;
		point[1] = y;
	} else {
		point[0] = t->in_time ? time + sign * x / 3 : time + sign * third;
		point[1] = value + sign * y / 3;
	}
	if (!isfinite(point[0]) || !isfinite(point[1])) return false;
	/* a curve that goes back in time is invalid */
	point[0] = fmin(fmax(point[0], s->t0), s->t1);
	return true;
}

static void set_controls(curve_reader *curve, size_t from, size_t k)
{
	const ossai_asset_channel *channel = curve->channel;
	const size_t width = curve->width, to = from + 1;
	const stretch s = {channel->times[from], (double)channel->values[from * width + k], channel->times[to],
		(double)channel->values[to * width + k]};
	double *out = channel->controls + 4 * (from * width + k) + 2, *in = channel->controls + 4 * (to * width + k);
	const key_mode mode = curve->modes[from];
	if (mode == MODE_BEZIER || mode == MODE_HERMITE) {
		const bool good = control_point(&curve->out, mode, &s, false, curve->keys[from].index, k, out);
		if (good && control_point(&curve->in, mode, &s, true, curve->keys[to].index, k, in)) return;
		curve->odd_controls++;
	}
	out[0] = s.t0 + (s.t1 - s.t0) / 3;
	out[1] = s.v0 + (s.v1 - s.v0) / 3;
	in[0] = s.t1 - (s.t1 - s.t0) / 3;
	in[1] = s.v1 - (s.v1 - s.v0) / 3;
}

static ossa_status make_controls(curve_reader *curve)
{
	ossai_dae *c = curve->c;
	ossai_asset_channel *channel = curve->channel;
	const size_t width = curve->width, count = curve->key_count;
	channel->controls = ossai_arena_new(&c->asset->arena, count, 4 * width * sizeof *channel->controls);
	if (!channel->controls) return ossai_dae_lost(c);
	/* the outer sides of the first and the last key */
	for (size_t k = 0; k < width; k++) {
		const size_t last = (count - 1) * width + k;
		const double first_value = (double)channel->values[k], last_value = (double)channel->values[last];
		memcpy(channel->controls + 4 * k, (double[2]){channel->times[0], first_value}, 2 * sizeof(double));
		memcpy(channel->controls + 4 * last + 2, (double[2]){channel->times[count - 1], last_value}, 2 * sizeof(double));
	}
	for (size_t i = 0; i + 1 < count; i++) {
		for (size_t k = 0; k < width; k++) set_controls(curve, i, k);
	}
	if (curve->odd_controls) {
		ossai_warn(c->context, "bad-tangents", curve->odd_controls,
			"%s, line %u: stretches of curves have tangents that are not finite; they are taken as LINEAR", c->source->path,
			c->xml.elements[curve->sampler].line);
	}
	return OSSA_OK;
}

/* ---- the channel ---- */

static ossa_status set_interpolation(curve_reader *curve)
{
	ossai_asset_channel *channel = curve->channel;
	size_t steps = 0, curves = 0;
	/* the last key's has nothing to act on */
	const size_t stretches = curve->key_count > 1 ? curve->key_count - 1 : 1;
	for (size_t i = 0; i < stretches; i++) {
		steps += curve->modes[i] == MODE_STEP;
		curves += curve->modes[i] == MODE_BEZIER || curve->modes[i] == MODE_HERMITE;
	}
	channel->interpolation = steps == stretches ? OSSAI_STEP : curves > 0 ? OSSAI_BEZIER : OSSAI_LINEAR;
	if (curves > 0) OSSAI_TRY(make_controls(curve));
	if (steps == 0 || steps == stretches) return OSSA_OK;
	channel->holds = ossai_arena_new(&curve->c->asset->arena, curve->key_count, sizeof *channel->holds);
	if (!channel->holds) return ossai_dae_lost(curve->c);
	for (size_t i = 0; i < curve->key_count; i++) channel->holds[i] = curve->modes[i] == MODE_STEP;
	return OSSA_OK;
}

static ossa_status copy_keys(curve_reader *curve)
{
	ossai_arena *arena = &curve->c->asset->arena;
	ossai_asset_channel *channel = curve->channel;
	channel->times = ossai_arena_new(arena, curve->key_count, sizeof *channel->times);
	channel->values = ossai_arena_new(arena, curve->key_count, curve->width * sizeof *channel->values);
	if (!channel->times || !channel->values) return ossai_dae_lost(curve->c);
	for (size_t i = 0; i < curve->key_count; i++) {
		channel->times[i] = curve->keys[i].time;
		for (size_t k = 0; k < curve->width; k++) {
			channel->values[i * curve->width + k] = (float)ossai_accessor_get(&curve->values, curve->keys[i].index, k);
		}
	}
	channel->key_count = curve->key_count;
	channel->width = (uint32_t)curve->width;
	return OSSA_OK;
}

ossa_status ossai_dae_sampler(ossai_dae *c, uint32_t sampler, size_t width, ossai_asset_channel *channel)
{
	curve_reader curve = {.c = c, .sampler = sampler, .width = width, .channel = channel};
	OSSAI_TRY(open_curve(&curve));
	const size_t numbers = curve.values.count * width + curve.times.count;
	if (numbers > c->left.keys) {
		return ossai_dae_fail(c, sampler, "its channels have more keys than ossa takes from a file of this size");
	}
	c->left.keys -= numbers;
	OSSAI_TRY(sort_keys(&curve));
	channel->key_count = 0;
	if (curve.key_count == 0) return OSSA_OK;
	OSSAI_TRY(find_modes(&curve));
	OSSAI_TRY(copy_keys(&curve));
	return set_interpolation(&curve);
}

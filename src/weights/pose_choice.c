/* weights/pose_choice.c: see pose_choice.h. */
#include "weights/pose_choice.h"

#include <string.h>

/* The distances from every bone's end to this many others are measured; they show any rotation of
   any joint */
enum { ANCHORS_MAX = 6 };
/* poses closer than this to a chosen one (mean square of distances in rest diagonals) are
   duplicates */
static const double same_pose = 1e-8;

typedef struct chooser {
	const ossai_bone_segments *segments;
	const ossai_bone_motion *motion;
	size_t frame_count; /* rest, then the motion's poses */
	size_t anchor_count, feature_count;
	float *features;  /* frames x features */
	double *distance; /* frames: distance to the nearest chosen one */
	size_t *nearest;  /* frames: the index of that */
} chooser;

static void measure_frame(const chooser *c, size_t frame, float *features)
{
	const size_t pose = frame == 0 ? OSSAI_REST_POSE : frame - 1;
	for (size_t a = 0; a < c->anchor_count; a++) {
		const ossai_segment anchor = ossai_segment_posed(
			&c->segments->list[a * c->segments->count / c->anchor_count], c->motion, pose);
		for (size_t i = 0; i < c->segments->count; i++) {
			const ossai_segment s = ossai_segment_posed(&c->segments->list[i], c->motion, pose);
			*features++ = (float)ossai_distance(anchor.from, s.from);
			*features++ = (float)ossai_distance(anchor.from, s.to);
		}
	}
}

/* frames that are closer to `chosen` than to any chosen before are assigned to it; returns the one
   farthest from all */
static size_t update(chooser *c, size_t chosen, size_t index)
{
	size_t farthest = 0;
	const float *x = c->features + chosen * c->feature_count;
	for (size_t f = 0; f < c->frame_count; f++) {
		const float *y = c->features + f * c->feature_count;
		double sum = 0;
		for (size_t i = 0; i < c->feature_count; i++) sum += (double)(x[i] - y[i]) * (double)(x[i] - y[i]);
		sum /= (double)c->feature_count;
		if (index == 0 || sum < c->distance[f]) {
			c->distance[f] = sum;
			c->nearest[f] = index;
		}
		if (c->distance[f] > c->distance[farthest]) farthest = f;
	}
	return farthest;
}

static void choose(chooser *c, size_t wanted, size_t *frames, ossai_pose_choice *choice)
{
	for (size_t next = 0; choice->count < wanted;) {
		frames[choice->count] = next;
		next = update(c, next, choice->count++);
		if (!(c->distance[next] > same_pose)) break;
	}
	for (size_t f = 0; f < c->frame_count; f++) choice->share[c->nearest[f]] += 1 / (double)c->frame_count;
	/* in temporal order, the rest first */
	for (size_t i = 1; i < choice->count; i++) {
		const size_t frame = frames[i];
		const double share = choice->share[i];
		size_t at = i;
		for (; frames[at - 1] > frame; at--) {
			frames[at] = frames[at - 1];
			choice->share[at] = choice->share[at - 1];
		}
		frames[at] = frame;
		choice->share[at] = share;
	}
	for (size_t i = 0; i < choice->count; i++) choice->pose[i] = frames[i] == 0 ? OSSAI_REST_POSE : frames[i] - 1;
}

ossa_status ossai_pose_choose(ossai_arena *arena, const ossai_bone_segments *segments, const ossai_bone_motion *motion,
	size_t wanted, ossai_pose_choice *choice)
{
	chooser c = {.segments = segments, .motion = motion, .frame_count = 1};
	if (motion && wanted > 1) c.frame_count += motion->pose_count;
	wanted = wanted < 1 ? 1 : wanted < c.frame_count ? wanted : c.frame_count;
	*choice = (ossai_pose_choice){0};
	choice->pose = ossai_arena_new(arena, wanted, sizeof *choice->pose);
	choice->share = ossai_arena_zero(arena, wanted, sizeof *choice->share);
	if (!choice->pose || !choice->share) return ossa_context_error(arena->context)->status;
	c.anchor_count = segments->count < ANCHORS_MAX ? segments->count : ANCHORS_MAX;
	c.feature_count = 2 * c.anchor_count * segments->count;
	ossai_arena scratch = ossai_arena_begin(arena->context);
	c.features = ossai_arena_new(&scratch, c.frame_count, c.feature_count * sizeof *c.features);
	c.distance = ossai_arena_zero(&scratch, c.frame_count, sizeof *c.distance);
	c.nearest = ossai_arena_zero(&scratch, c.frame_count, sizeof *c.nearest);
	size_t *frames = ossai_arena_new(&scratch, wanted, sizeof *frames);
	const bool all = c.features && c.distance && c.nearest && frames;
	if (all) {
		for (size_t f = 0; f < c.frame_count; f++) measure_frame(&c, f, c.features + f * c.feature_count);
		choose(&c, wanted, frames, choice);
	}
	ossai_arena_end(&scratch);
	return all ? OSSA_OK : ossa_context_error(arena->context)->status;
}

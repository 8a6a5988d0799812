/* edit/plan_shape.c: see plan_parts.h: which bones changed their segments.

   Place in the path: part of a planned rig, without motion. A bone that is reversed, or begins in
   the middle of its old segment, covers what it did before: its weights need not be solved. */
#include "edit/plan_parts.h"

#include "weights/bone_segments.h"

#include <string.h>

/* of the diagonal: two positions coincide */
static const double SAME = 1e-6;

/* bones and their parents */
typedef struct shape {
	const ossa_bone *bones;
	uint32_t *first, *next;
} shape;

static ossa_status shape_make(ossai_arena *arena, const ossa_bone *bones, size_t count, shape *s)
{
	*s = (shape){bones, ossai_arena_new(arena, count, sizeof *s->first), ossai_arena_new(arena, count, sizeof *s->next)};
	if (!s->first || !s->next) return ossa_context_error(arena->context)->status;
	memset(s->first, 0xff, count * sizeof *s->first);
	for (size_t b = count; b-- > 0;) {
		if (bones[b].parent < 0) continue;
		s->next[b] = s->first[bones[b].parent];
		s->first[bones[b].parent] = (uint32_t)b;
	}
	return OSSA_OK;
}

/* the segments of a bone one by one: to the child, where there is none to the tail */
static ossai_segment segment_to(const shape *s, uint32_t bone, uint32_t child)
{
	const double *end = child != OSSA_NONE ? s->bones[child].joint : s->bones[bone].tail;
	return (ossai_segment){bone, ossai_v3_of(s->bones[bone].joint), ossai_v3_of(end)};
}

static bool covers_point(const shape *s, uint32_t bone, ossai_vec3 point, double near)
{
	uint32_t child = s->first[bone];
	do {
		const ossai_segment segment = segment_to(s, bone, child);
		if (ossai_distance(ossai_segment_nearest(&segment, point), point) <= near) return true;
		if (child != OSSA_NONE) child = s->next[child];
	} while (child != OSSA_NONE);
	return false;
}

/* whether all of bone `a` of one shape is on bone `b` of the other */
static bool covers(const shape *other, uint32_t b, const shape *s, uint32_t a, double near)
{
	uint32_t child = s->first[a];
	do {
		const ossai_segment segment = segment_to(s, a, child);
		for (int i = 0; i <= 2; i++) {
			if (!covers_point(other, b, ossai_lerp(segment.from, segment.to, 0.5 * i), near)) return false;
		}
		if (child != OSSA_NONE) child = s->next[child];
	} while (child != OSSA_NONE);
	return true;
}

ossa_status ossai_replan_shapes(const ossai_replan *r)
{
	shape before, after;
	const double near = SAME * r->diagonal;
	OSSAI_TRY(shape_make(r->arena, r->old->skeleton.bones, r->old->skeleton.bone_count, &before));
	OSSAI_TRY(shape_make(r->arena, r->bones, r->count, &after));
	for (uint32_t b = 0; b < r->count; b++) {
		const uint32_t kept = ossai_planned(r, b)->kept;
		r->is_reshaped[b] = kept == OSSA_NONE || !covers(&before, kept, &after, b, near) ||
			!covers(&after, b, &before, kept, near);
	}
	return OSSA_OK;
}

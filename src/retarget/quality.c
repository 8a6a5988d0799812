/* retarget/quality.c: see quality.h. */
#include "retarget/quality.h"

#include "base/order.h"
#include "retarget/align.h"
#include "retarget/legs.h"

#include <stdio.h>
#include <stdlib.h>

/* A segment: from the first joint of one part to that of another. */
typedef struct segment {
	ossa_body_part from, to;
	bool is_pair;
} segment;

static const segment segments[] = {
	{OSSA_PART_HIPS, OSSA_PART_NECK, false},
	{OSSA_PART_NECK, OSSA_PART_HEAD, false},
	{OSSA_PART_UPPER_ARM, OSSA_PART_LOWER_ARM, true},
	{OSSA_PART_LOWER_ARM, OSSA_PART_HAND, true},
	{OSSA_PART_FRONT_UPPER_LEG, OSSA_PART_FRONT_LOWER_LEG, true},
	{OSSA_PART_FRONT_LOWER_LEG, OSSA_PART_FRONT_FOOT, true},
	{OSSA_PART_UPPER_LEG, OSSA_PART_LOWER_LEG, true},
	{OSSA_PART_LOWER_LEG, OSSA_PART_FOOT, true},
	{OSSA_PART_FOOT, OSSA_PART_TOES, true},
	{OSSA_PART_BACK_UPPER_LEG, OSSA_PART_BACK_LOWER_LEG, true},
	{OSSA_PART_BACK_LOWER_LEG, OSSA_PART_BACK_FOOT, true},
};

/* of the leg's length: a joint of the foot that is no higher above where it stands is on the
   ground; what is no farther from where it should be has been kept */
static const double on_ground = 0.05;
static const double tail_of_errors = 0.95;

/* A foot's height and place over the frames of one body. */
typedef struct foot_path {
	uint32_t bone;
	double level;      /* of the joint where the foot stands */
	ossai_vec3 *joint; /* F */
} foot_path;

typedef struct measuring {
	ossai_arena *arena;
	const ossai_legs *legs;
	const ossai_actor *actor[2]; /* target, source */
	const ossa_clip *clip[2];
	double *worlds[2];
	size_t count, frame_count;
	uint32_t bone[OSSA_RETARGET_SEGMENTS][2][2]; /* by segment, body, end */
	double *angle;                               /* segments x F, degrees */
	size_t foot_count;
	foot_path foot[OSSAI_ACTOR_LEGS][2];
	ossa_retarget_facts *facts;
} measuring;

const char *ossa_retarget_segment_print(const ossa_retarget_segment *facts, char *text, size_t size)
{
	if (!facts) {
		snprintf(text, size, "%s", "");
		return text;
	}
	if (facts->from.part != OSSA_PART_HIPS) return ossa_role_print(facts->from, text, size);
	snprintf(text, size, "trunk");
	return text;
}

/* ---- what is measured ---- */

static void add_segment(measuring *m, const segment *s, int side)
{
	ossa_retarget_segment *facts = &m->facts->segments[m->count];
	if (m->count == OSSA_RETARGET_SEGMENTS) return;
	for (int body = 0; body < 2; body++) {
		const ossai_actor *a = m->actor[body];
		m->bone[m->count][body][0] = ossai_bone_of(&a->rig->skeleton, a->role, s->from, side);
		m->bone[m->count][body][1] = ossai_bone_of(&a->rig->skeleton, a->role, s->to, side);
		if (m->bone[m->count][body][0] == OSSA_NONE || m->bone[m->count][body][1] == OSSA_NONE) return;
	}
	facts->from = (ossa_role){.part = s->from, .side = side};
	facts->to = (ossa_role){.part = s->to, .side = side};
	m->count++;
}

static ossa_status add_foot(measuring *m, const ossai_leg_pair *pair)
{
	const ossai_actor_leg *leg[2] = {pair->own, pair->other};
	for (int body = 0; body < 2; body++) {
		foot_path *path = &m->foot[m->foot_count][body];
		path->bone = pair->has_toes ? leg[body]->limb.tip : leg[body]->limb.end;
		path->level = ossai_height_of(m->actor[body], ossai_rest_joint(m->actor[body], path->bone));
		path->joint = ossai_arena_new(m->arena, m->frame_count, sizeof *path->joint);
		if (!path->joint) return ossa_context_error(m->arena->context)->status;
	}
	if (!m->actor[1]->has_ground) m->foot[m->foot_count][1].level = pair->has_toes ? pair->toe_level : pair->ankle_level;
	m->foot_count++;
	return OSSA_OK;
}

static ossa_status begin(measuring *m)
{
	for (size_t i = 0; i < sizeof segments / sizeof segments[0]; i++) {
		add_segment(m, &segments[i], segments[i].is_pair ? 1 : 0);
		if (segments[i].is_pair) add_segment(m, &segments[i], -1);
	}
	for (size_t i = 0; i < m->legs->count; i++) OSSAI_TRY(add_foot(m, &m->legs->pair[i]));
	m->angle = ossai_arena_new(m->arena, m->count * m->frame_count, sizeof *m->angle);
	for (int body = 0; body < 2; body++) {
		m->worlds[body] = ossai_arena_new(m->arena, m->actor[body]->rig->skeleton.bone_count, 12 * sizeof **m->worlds);
		if (!m->worlds[body]) return ossa_context_error(m->arena->context)->status;
	}
	return m->angle ? OSSA_OK : ossa_context_error(m->arena->context)->status;
}

/* ---- frames ---- */

/* degrees between the directions of a segment in both bodies */
static double segment_angle(const measuring *m, size_t s)
{
	ossai_vec3 d[2];
	for (int body = 0; body < 2; body++) {
		const uint32_t *ends = m->bone[s][body];
		const ossai_vec3 along = ossai_sub(
			ossai_world_joint(m->worlds[body], ends[1]), ossai_world_joint(m->worlds[body], ends[0]));
		d[body] = ossai_unit(along, ossai_v3(0, 0, 0));
	}
	d[1] = ossai_carry_vector(m->actor[0], m->actor[1], d[1]);
	return 360 / OSSAI_PI * atan2(ossai_length(ossai_sub(d[0], d[1])), ossai_length(ossai_add(d[0], d[1])));
}

static double lowest_point(const ossai_actor *a, const double *worlds)
{
	double low = INFINITY;
	for (size_t i = 0; i < a->leg_count; i++) {
		for (size_t k = 0; k < a->leg[i].sole_count; k++) {
			const ossai_rigid world = ossai_rigid_of(worlds + 12 * (size_t)a->leg[i].sole[k].bone);
			low = fmin(low, ossai_height_of(a, ossai_rigid_point(&world, a->leg[i].sole[k].local)));
		}
	}
	return 100 * (low - a->ground) / a->height;
}

static void measure_frames(measuring *m)
{
	double lowest[2] = {INFINITY, INFINITY};
	for (size_t f = 0; f < m->frame_count; f++) {
		for (int body = 0; body < 2; body++) {
			ossa_rig_joint_matrices(m->actor[body]->rig, m->clip[body], f, m->worlds[body]);
			lowest[body] = fmin(lowest[body], lowest_point(m->actor[body], m->worlds[body]));
			for (size_t i = 0; i < m->foot_count; i++)
				m->foot[i][body].joint[f] = ossai_world_joint(m->worlds[body], m->foot[i][body].bone);
		}
		for (size_t s = 0; s < m->count; s++) m->angle[s * m->frame_count + f] = segment_angle(m, s);
	}
	m->facts->lowest_percent = lowest[0];
	m->facts->source_lowest_percent = m->actor[1]->has_ground ? lowest[1] : 0;
}

/* ---- facts ---- */

static double mean_and_tail(double *values, size_t count, double *tail)
{
	double sum = 0;
	qsort(values, count, sizeof *values, ossai_compare_doubles);
	for (size_t i = 0; i < count; i++) sum += values[i];
	*tail = count > 0 ? values[(size_t)(tail_of_errors * (double)(count - 1) + 0.5)] : 0;
	return count > 0 ? sum / (double)count : 0;
}

static void tell_segments(measuring *m)
{
	m->facts->segment_count = m->count;
	for (int body = 0; body < 2; body++) ossa_rig_joint_matrices(m->actor[body]->rig, NULL, 0, m->worlds[body]);
	for (size_t s = 0; s < m->count; s++) {
		ossa_retarget_segment *facts = &m->facts->segments[s];
		facts->rest = segment_angle(m, s);
		facts->mean = mean_and_tail(m->angle + s * m->frame_count, m->frame_count, &facts->p95);
	}
	m->facts->mean_degrees = mean_and_tail(m->angle, m->count * m->frame_count, &m->facts->p95_degrees);
}

static bool is_on_ground(const measuring *m, const foot_path *path, int body, size_t f)
{
	return ossai_height_of(m->actor[body], path->joint[f]) - path->level <= on_ground * m->actor[body]->leg_length;
}

/* mean speed of feet on the ground, in leg lengths per second */
static double slide_of(const measuring *m, int body)
{
	const ossai_actor *a = m->actor[body];
	double sum = 0;
	size_t count = 0;
	for (size_t i = 0; i < m->foot_count; i++) {
		const foot_path *path = &m->foot[i][body];
		for (size_t f = 1; f < m->frame_count; f++) {
			const double seconds = m->clip[body]->times[f] - m->clip[body]->times[f - 1];
			if (!is_on_ground(m, path, body, f - 1) || !is_on_ground(m, path, body, f) || !(seconds > 0)) continue;
			sum += ossai_length(ossai_level(a, ossai_sub(path->joint[f], path->joint[f - 1]))) / (seconds * a->leg_length);
			count++;
		}
	}
	return count > 0 ? sum / (double)count : 0;
}

/* runs of frames in which a foot of the source is on the ground, and those in which the target's is
   as high in the mean */
static void count_steps(measuring *m, size_t foot)
{
	const foot_path *own = &m->foot[foot][0], *other = &m->foot[foot][1];
	const double scale = m->actor[0]->leg_length / m->actor[1]->leg_length;
	double off = 0;
	size_t frames = 0;
	for (size_t f = 0; f <= m->frame_count; f++) {
		if (f < m->frame_count && is_on_ground(m, other, 1, f)) {
			const double high = ossai_height_of(m->actor[0], own->joint[f]) - own->level;
			off += fabs(high - scale * (ossai_height_of(m->actor[1], other->joint[f]) - other->level));
			frames++;
			continue;
		}
		m->facts->steps += frames > 0;
		m->facts->steps_kept += frames > 0 && off / (double)frames <= on_ground * m->actor[0]->leg_length;
		off = 0;
		frames = 0;
	}
}

ossa_status ossai_measure_retarget(
	ossai_arena *arena, const ossai_legs *legs, const ossa_clip *clip, ossa_retarget_facts *facts)
{
	measuring m = {.arena = arena,
		.legs = legs,
		.actor = {legs->target, legs->source},
		.clip = {clip, legs->source->rig->clip},
		.frame_count = clip->frame_count,
		.facts = facts};
	OSSAI_TRY(begin(&m));
	measure_frames(&m);
	tell_segments(&m);
	facts->slide = slide_of(&m, 0);
	facts->source_slide = slide_of(&m, 1);
	for (size_t i = 0; i < m.foot_count; i++) count_steps(&m, i);
	return OSSA_OK;
}

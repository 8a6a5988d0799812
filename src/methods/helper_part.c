/* methods/helper_part.c: see helper_part.h.

   Where one bone moves skin in two ways, a part of it has a motion of its own: the connected
   vertices around the worst one that this motion fits better. Motion and part are found in turn,
   as clusters of poses are. */
#include "methods/helper_part.h"

#include "math/rigid_fit.h"

#include <string.h>

/* rounds of motion and part; vertices of a chunk of work */
enum { ROUNDS = 8, VERTEX_GRAIN = 256 };

typedef struct search {
	const ossai_given *g;
	ossai_arena *arena;
	uint32_t *owner; /* V: the bone of the largest weight; OSSA_NONE where it is kept */
	double *error;   /* V: over all poses */
	double *gain;    /* V: of the part's motion */
	uint32_t *queue; /* V */
	uint8_t *before; /* V: members of the round before */
	size_t count;    /* of members */
	ossai_vec3 rest; /* their center */
	ossai_rigid *to; /* K: where their motion goes */
	ossai_helper_part now;
} search;

/* ---- errors ---- */

static double squared_gap(const ossai_posed_surface *surface, ossai_vec3 p, size_t v, size_t k)
{
	return ossai_length2(ossai_sub(p, ossai_pose_point(surface, v, k)));
}

static ossai_vec3 blended(const ossai_given *g, size_t v, size_t k)
{
	const ossai_bone_weights *w = &g->fit.weights;
	const ossai_vec3 p = ossai_rest_point(&g->surface, v);
	ossai_vec3 sum = {0, 0, 0};
	for (size_t i = v * w->width; i < v * w->width + w->count[v]; i++) {
		const ossai_rigid *moved = &g->fit.motion.rigid[w->bone[i] * g->surface.pose_count + k];
		sum = ossai_madd(sum, w->value[i], ossai_rigid_point(moved, p));
	}
	return sum;
}

static void find_errors(void *arg, size_t begin, size_t end)
{
	const search *s = arg;
	const ossai_posed_surface *surface = &s->g->surface;
	for (size_t v = begin; v < end; v++) {
		s->error[v] = 0;
		for (size_t k = 0; k < surface->pose_count && surface->used[v]; k++)
			s->error[v] += squared_gap(surface, blended(s->g, v, k), v, k);
	}
}

static void find_gains(void *arg, size_t begin, size_t end)
{
	const search *s = arg;
	const ossai_posed_surface *surface = &s->g->surface;
	for (size_t v = begin; v < end; v++) {
		s->gain[v] = s->error[v];
		for (size_t k = 0; k < surface->pose_count && s->owner[v] == s->now.bone; k++)
			s->gain[v] -= squared_gap(surface, ossai_rigid_point(&s->now.motion[k], ossai_rest_point(surface, v)), v, k);
	}
}

static void find_owners(const search *s)
{
	const ossai_given *g = s->g;
	const ossai_bone_weights *w = &g->fit.weights;
	for (size_t v = 0; v < w->vertex_count; v++) {
		size_t most = v * w->width;
		s->owner[v] = OSSA_NONE;
		if (!g->surface.used[v] || w->count[v] == 0 || ossai_weight_prior_keeps(&g->prior, v)) continue;
		for (size_t i = most; i < v * w->width + w->count[v]; i++) most = w->value[i] > w->value[most] ? i : most;
		s->owner[v] = w->bone[most];
	}
}

/* ---- the part of one bone ---- */

/* a bone's vertex of the largest error, SIZE_MAX where it has none; its vertices worse than their
   mean are the first part */
static size_t begin_part(search *s)
{
	const size_t count = s->g->surface.vertex_count;
	size_t worst = SIZE_MAX, owned = 0;
	double sum = 0;
	for (size_t v = 0; v < count; v++) {
		if (s->owner[v] != s->now.bone) continue;
		sum += s->error[v];
		owned++;
		if (worst == SIZE_MAX || s->error[v] > s->error[worst]) worst = v;
	}
	for (size_t v = 0; v < count; v++) s->gain[v] = s->error[v] - (owned > 0 ? sum / (double)owned : 0);
	return worst;
}

/* the members become the bone's vertices that gain and are connected with one of them */
static void take_connected(search *s, size_t seed)
{
	const ossai_posed_surface *surface = &s->g->surface;
	uint8_t *member = s->now.member;
	memset(member, 0, surface->vertex_count);
	s->count = 0;
	if (!(s->gain[seed] > 0)) return;
	member[seed] = 1;
	s->queue[s->count++] = (uint32_t)seed;
	for (size_t i = 0; i < s->count; i++) {
		const uint32_t v = s->queue[i];
		for (uint32_t e = surface->patch_start[v]; e < surface->patch_start[v + 1]; e++) {
			const uint32_t u = surface->patch_neighbor[e];
			if (member[u] || s->owner[u] != s->now.bone || !(s->gain[u] > 0)) continue;
			member[u] = 1;
			s->queue[s->count++] = u;
		}
	}
}

static ossai_vec3 posed_center(const search *s, size_t k)
{
	ossai_vec3 sum = {0, 0, 0};
	for (size_t i = 0; i < s->count; i++) sum = ossai_add(sum, ossai_pose_point(&s->g->surface, s->queue[i], k));
	return ossai_scale(sum, 1 / (double)s->count);
}

/* the rigid motion of the members (Horn 1987) */
static void fit_poses(void *arg, size_t begin, size_t end)
{
	const search *s = arg;
	const ossai_posed_surface *surface = &s->g->surface;
	for (size_t k = begin; k < end; k++) {
		const ossai_vec3 center = posed_center(s, k);
		double m[9] = {0};
		for (size_t i = 0; i < s->count; i++) {
			const ossai_vec3 p = ossai_sub(ossai_rest_point(surface, s->queue[i]), s->rest);
			const ossai_vec3 q = ossai_sub(ossai_pose_point(surface, s->queue[i], k), center);
			const double a[3] = {p.x, p.y, p.z}, b[3] = {q.x, q.y, q.z};
			for (size_t j = 0; j < 9; j++) m[j] += a[j / 3] * b[j % 3];
		}
		ossai_rigid *to = &s->to[k];
		to->r = ossai_quat_matrix(ossai_rigid_rotation(m));
		to->t = ossai_sub(center, ossai_mat3_mul_v(&to->r, s->rest));
	}
}

static void fit_motion(search *s, ossai_rigid *motion)
{
	s->to = motion;
	s->rest = (ossai_vec3){0, 0, 0};
	for (size_t i = 0; i < s->count; i++) s->rest = ossai_add(s->rest, ossai_rest_point(&s->g->surface, s->queue[i]));
	s->rest = ossai_scale(s->rest, 1 / (double)s->count);
	ossai_parallel_for(s->g->context, s->g->surface.pose_count, 1, fit_poses, s);
}

static void find_part(search *s)
{
	const size_t vertices = s->g->surface.vertex_count;
	const size_t seed = begin_part(s);
	s->now.gain = 0;
	if (seed == SIZE_MAX) return;
	take_connected(s, seed);
	for (int round = 0; round < ROUNDS && s->count > 0; round++) {
		memcpy(s->before, s->now.member, vertices);
		fit_motion(s, s->now.motion);
		ossai_parallel_for(s->g->context, vertices, VERTEX_GRAIN, find_gains, s);
		take_connected(s, seed);
		if (memcmp(s->before, s->now.member, vertices) == 0) break;
	}
	for (size_t i = 0; i < s->count; i++) s->now.gain += s->gain[s->queue[i]];
}

/* the bone's own motion was one for both; where nothing is left it stays */
static void fit_left(search *s, ossai_helper_part *part)
{
	const ossai_posed_surface *surface = &s->g->surface;
	s->count = 0;
	for (size_t v = 0; v < surface->vertex_count; v++) {
		if (s->owner[v] == part->bone && !part->member[v]) s->queue[s->count++] = (uint32_t)v;
	}
	const ossai_rigid *own = s->g->fit.motion.rigid + part->bone * surface->pose_count;
	memcpy(part->left, own, surface->pose_count * sizeof *own);
	if (s->count > 2) fit_motion(s, part->left);
}

/* ---- all bones ---- */

static ossa_status new_part(ossai_arena *arena, const ossai_given *g, ossai_helper_part *part)
{
	*part = (ossai_helper_part){.member = ossai_arena_zero(arena, g->surface.vertex_count, 1),
		.motion = ossai_arena_new(arena, g->surface.pose_count, sizeof *part->motion),
		.left = ossai_arena_new(arena, g->surface.pose_count, sizeof *part->left)};
	return part->member && part->motion && part->left ? OSSA_OK : ossa_context_error(arena->context)->status;
}

static ossa_status begin(ossai_arena *arena, const ossai_given *g, search *s)
{
	const size_t vertices = g->surface.vertex_count;
	*s = (search){.g = g,
		.arena = arena,
		.owner = ossai_arena_new(arena, vertices, sizeof *s->owner),
		.error = ossai_arena_new(arena, vertices, sizeof *s->error),
		.gain = ossai_arena_new(arena, vertices, sizeof *s->gain),
		.queue = ossai_arena_new(arena, vertices, sizeof *s->queue),
		.before = ossai_arena_new(arena, vertices, 1)};
	if (!s->owner || !s->error || !s->gain || !s->queue || !s->before) return ossa_context_error(arena->context)->status;
	return new_part(arena, g, &s->now);
}

ossa_status ossai_helper_part_find(ossai_arena *arena, const ossai_given *given, const uint8_t *tried, ossai_helper_part *part)
{
	search s;
	OSSAI_TRY(begin(arena, given, &s));
	OSSAI_TRY(new_part(arena, given, part));
	ossai_parallel_for(given->context, given->surface.vertex_count, VERTEX_GRAIN, find_errors, &s);
	find_owners(&s);
	for (uint32_t b = 0; b < given->tree.bone_count; b++) {
		s.now.bone = b;
		if (tried[b] || (given->prior.locked && given->prior.locked[b])) continue;
		find_part(&s);
		if (!(s.now.gain > part->gain)) continue;
		const ossai_helper_part spare = *part;
		*part = s.now;
		s.now = spare;
	}
	if (part->gain > 0) fit_left(&s, part);
	return OSSA_OK;
}

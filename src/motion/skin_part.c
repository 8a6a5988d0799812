/* motion/skin_part.c: see skin_part.h. */
#include "motion/skin_part.h"

#include "base/csr.h"
#include "math/rigid_fit.h"

/* rounds of motion and part; vertices of a chunk of work */
enum { ROUNDS = 8, VERTEX_GRAIN = 256 };

typedef struct search {
	const ossai_posed_surface *surface;
	const ossai_bone_weights *weights;
	const ossai_bone_motion *motion;
	const uint8_t *closed;
	uint32_t *owner;  /* V: the bone of the largest weight; OSSA_NONE where it is kept */
	ossai_csr own;    /* the vertices of each bone */
	double *error;    /* V: over all poses */
	double *gain;     /* V: of the part's motion */
	uint32_t *member; /* V: the last round in which it was in its bone's part; 0: in none */
	uint32_t *queue;  /* V, cut like `own`: the members of each bone's part */
	ossai_skin_part *parts;
} search;

/* ---- errors ---- */

static double squared_gap(const ossai_posed_surface *surface, ossai_vec3 p, size_t v, size_t k)
{
	return ossai_length2(ossai_sub(p, ossai_pose_point(surface, v, k)));
}

static ossai_vec3 blended(const search *s, size_t v, size_t k)
{
	const ossai_bone_weights *w = s->weights;
	const ossai_vec3 p = ossai_rest_point(s->surface, v);
	ossai_vec3 sum = {0, 0, 0};
	for (size_t i = v * w->width; i < v * w->width + w->count[v]; i++) {
		const ossai_rigid *moved = &s->motion->rigid[w->bone[i] * s->surface->pose_count + k];
		sum = ossai_madd(sum, w->value[i], ossai_rigid_point(moved, p));
	}
	return sum;
}

static void find_errors(void *arg, size_t begin, size_t end)
{
	const search *s = arg;
	for (size_t v = begin; v < end; v++) {
		s->error[v] = 0;
		for (size_t k = 0; k < s->surface->pose_count && s->surface->used[v]; k++)
			s->error[v] += squared_gap(s->surface, blended(s, v, k), v, k);
	}
}

static void find_owners(const search *s, const uint8_t *kept)
{
	const ossai_bone_weights *w = s->weights;
	for (size_t v = 0; v < w->vertex_count; v++) {
		size_t most = v * w->width;
		s->owner[v] = OSSA_NONE;
		if (!s->surface->used[v] || w->count[v] == 0 || (kept && kept[v])) continue;
		for (size_t i = most; i < v * w->width + w->count[v]; i++) most = w->value[i] > w->value[most] ? i : most;
		s->owner[v] = w->bone[most];
	}
}

/* ---- the part of one bone ---- */

/* a bone's vertex of the largest error; its vertices worse than their mean are the first part */
static uint32_t begin_part(const search *s, const uint32_t *own, size_t count)
{
	uint32_t worst = own[0];
	double sum = 0;
	for (size_t i = 0; i < count; i++) {
		sum += s->error[own[i]];
		if (s->error[own[i]] > s->error[worst]) worst = own[i];
	}
	for (size_t i = 0; i < count; i++) s->gain[own[i]] = s->error[own[i]] - sum / (double)count;
	return worst;
}

/* The members become the bone's vertices that gain and are connected with the seed. Returns
   whether they are others than in the round before. */
static bool take_connected(const search *s, uint32_t bone, uint32_t seed, uint32_t round, uint32_t *members, size_t *count)
{
	const ossai_posed_surface *surface = s->surface;
	const size_t before = *count;
	size_t same = 0, n = 0;
	*count = 0;
	if (!(s->gain[seed] > 0)) return true;
	same += s->member[seed] == round - 1;
	s->member[seed] = round;
	members[n++] = seed;
	for (size_t i = 0; i < n; i++) {
		const uint32_t v = members[i];
		for (uint32_t e = surface->patch_start[v]; e < surface->patch_start[v + 1]; e++) {
			const uint32_t u = surface->patch_neighbor[e];
			if (s->owner[u] != bone || s->member[u] == round || !(s->gain[u] > 0)) continue;
			same += s->member[u] == round - 1;
			s->member[u] = round;
			members[n++] = u;
		}
	}
	*count = n;
	return round == 1 || n != before || same != n;
}

/* the rigid motion of some vertices (Horn 1987) */
static void fit_motion(const ossai_posed_surface *surface, const uint32_t *vertex, size_t count, ossai_rigid *motion)
{
	ossai_vec3 rest = {0, 0, 0};
	for (size_t i = 0; i < count; i++) rest = ossai_add(rest, ossai_rest_point(surface, vertex[i]));
	rest = ossai_scale(rest, 1 / (double)count);
	for (size_t k = 0; k < surface->pose_count; k++) {
		ossai_vec3 center = {0, 0, 0};
		double m[9] = {0};
		for (size_t i = 0; i < count; i++) center = ossai_add(center, ossai_pose_point(surface, vertex[i], k));
		center = ossai_scale(center, 1 / (double)count);
		for (size_t i = 0; i < count; i++) {
			const ossai_vec3 p = ossai_sub(ossai_rest_point(surface, vertex[i]), rest);
			const ossai_vec3 q = ossai_sub(ossai_pose_point(surface, vertex[i], k), center);
			const double a[3] = {p.x, p.y, p.z}, b[3] = {q.x, q.y, q.z};
			for (size_t j = 0; j < 9; j++) m[j] += a[j / 3] * b[j % 3];
		}
		motion[k].r = ossai_quat_matrix(ossai_rigid_rotation(m));
		motion[k].t = ossai_sub(center, ossai_mat3_mul_v(&motion[k].r, rest));
	}
}

static void find_gains(const search *s, const uint32_t *own, size_t count, const ossai_rigid *motion)
{
	const ossai_posed_surface *surface = s->surface;
	for (size_t i = 0; i < count; i++) {
		const uint32_t v = own[i];
		s->gain[v] = s->error[v];
		for (size_t k = 0; k < surface->pose_count; k++)
			s->gain[v] -= squared_gap(surface, ossai_rigid_point(&motion[k], ossai_rest_point(surface, v)), v, k);
	}
}

static uint32_t find_part(const search *s, uint32_t bone, const uint32_t *own, size_t count, uint32_t *members)
{
	ossai_skin_part *part = &s->parts[bone];
	const uint32_t seed = begin_part(s, own, count);
	uint32_t round = 1;
	bool has_changed = take_connected(s, bone, seed, round, members, &part->count);
	while (has_changed && part->count > 0 && round <= ROUNDS) {
		fit_motion(s->surface, members, part->count, part->motion);
		find_gains(s, own, count, part->motion);
		has_changed = take_connected(s, bone, seed, ++round, members, &part->count);
	}
	for (size_t i = 0; i < part->count; i++) part->gain += s->gain[members[i]];
	return round;
}

/* The bone's own motion was one for both; where nothing is left it stays. Those that are left come
   behind the members. */
static void fit_left(const search *s, uint32_t bone, uint32_t last_round, const uint32_t *own, size_t count, uint32_t *members)
{
	const ossai_skin_part *part = &s->parts[bone];
	const size_t poses = s->surface->pose_count;
	size_t left = part->count;
	for (size_t i = 0; i < count; i++) {
		if (s->member[own[i]] != last_round) members[left++] = own[i];
	}
	for (size_t k = 0; k < poses; k++) part->left[k] = s->motion->rigid[bone * poses + k];
	if (left - part->count > 2) fit_motion(s->surface, members + part->count, left - part->count, part->left);
}

static void find_parts(void *arg, size_t begin, size_t end)
{
	const search *s = arg;
	for (size_t b = begin; b < end; b++) {
		const uint32_t *own = s->own.item + s->own.start[b];
		const size_t count = ossai_csr_size(&s->own, b);
		uint32_t *members = s->queue + s->own.start[b];
		s->parts[b].vertex = members;
		if (count == 0 || (s->closed && s->closed[b])) continue;
		const uint32_t last_round = find_part(s, (uint32_t)b, own, count, members);
		if (s->parts[b].gain > 0) fit_left(s, (uint32_t)b, last_round, own, count, members);
	}
}

/* ---- all bones ---- */

static ossa_status take_arrays(ossai_arena *arena, search *s)
{
	const size_t vertices = s->surface->vertex_count, bones = s->weights->bone_count, poses = s->surface->pose_count;
	ossai_rigid *rigid = ossai_arena_new(arena, 2 * bones, poses * sizeof *rigid);
	s->owner = ossai_arena_new(arena, vertices, sizeof *s->owner);
	s->error = ossai_arena_new(arena, vertices, sizeof *s->error);
	s->gain = ossai_arena_new(arena, vertices, sizeof *s->gain);
	s->member = ossai_arena_zero(arena, vertices, sizeof *s->member);
	s->queue = ossai_arena_new(arena, vertices, sizeof *s->queue);
	if (!rigid || !s->owner || !s->error || !s->gain || !s->member || !s->queue)
		return ossa_context_error(arena->context)->status;
	for (size_t b = 0; b < bones; b++) {
		s->parts[b] = (ossai_skin_part){.motion = rigid + 2 * b * poses, .left = rigid + (2 * b + 1) * poses};
	}
	return OSSA_OK;
}

ossa_status ossai_skin_parts_find(ossai_arena *arena, const ossai_posed_surface *surface, const ossai_bone_weights *weights,
	const ossai_bone_motion *motion, const uint8_t *kept, const uint8_t *closed, ossai_skin_part *parts)
{
	search s = {.surface = surface, .weights = weights, .motion = motion, .closed = closed, .parts = parts};
	OSSAI_TRY(take_arrays(arena, &s));
	ossai_parallel_for(arena->context, surface->vertex_count, VERTEX_GRAIN, find_errors, &s);
	find_owners(&s, kept);
	OSSAI_TRY(ossai_csr_of_keys(arena, weights->bone_count, surface->vertex_count, s.owner, &s.own));
	ossai_parallel_for(arena->context, weights->bone_count, 1, find_parts, &s);
	return OSSA_OK;
}

size_t ossai_skin_parts_best(const ossai_skin_part *parts, size_t count)
{
	size_t best = count;
	for (size_t b = 0; b < count; b++) {
		if (parts[b].gain > (best < count ? parts[best].gain : 0)) best = b;
	}
	return best;
}

void ossai_skin_part_hand_over(const ossai_skin_part *part, uint32_t bone, uint32_t to, ossai_bone_weights *weights)
{
	for (size_t i = 0; i < part->count; i++) {
		const size_t at = part->vertex[i] * weights->width;
		for (size_t j = at; j < at + weights->count[part->vertex[i]]; j++) {
			if (weights->bone[j] == bone) weights->bone[j] = (uint16_t)to;
		}
	}
}

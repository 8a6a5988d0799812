/* skeleton/naming/rest_parts.c: see rest_parts.h.

   The constants were chosen on the animations of 13 characters with artists' skeletons, each
   rigged with six settings; halving or doubling any of them changes the share of right names by
   2 % at most (docs/bodies.md). */
#include "skeleton/naming/rest_parts.h"

#include "skeleton/naming/connected_limbs.h"
#include "skeleton/naming/names.h"
#include "skeleton/naming/part_names.h"
#include "skeleton/naming/rest_chains.h"

#include <math.h>
#include <string.h>

/* Logarithms of the odds of a bone that is another one of its part, and of one that is a part which
   seldom moves alone. */
static const double REPEATED = -2.5, SELDOM = -1.5;

typedef struct matcher {
	ossai_arena *arena;
	const ossa_skeleton *rest;
	size_t count, rest_count;
	const ossai_shared_skin *skin;
	uint32_t *part; /* R: the first bone of the part */
	ossai_rest_chains chains;
	size_t *order; /* B: on the chain */
	ossai_rest_parts *found;
} matcher;

/* one chain, and the bones on it */
typedef struct chain_match {
	size_t state_count, count;
	uint32_t *state; /* bones of the rest shape's rig, from the trunk outward */
	uint32_t *bone;  /* of ours, in the order of their places */
	double *place;   /* of these: in states, see place_of */
	double *odds;    /* count x states: of the likeliest parts up to the bone */
	uint32_t *from;  /* count x states: the state before */
} chain_match;

/* ---- names ---- */

static const char *rest_name(const matcher *m, uint32_t bone) { return m->rest->bones[bone].name; }

static bool is_seldom(const ossa_bone *bone)
{
	const ossa_body_part part = bone->role.part;
	return part == OSSA_PART_CLAVICLE || part == OSSA_PART_TOES;
}

/* ---- parts ---- */

static void find_parts(matcher *m)
{
	for (uint32_t r = 0; r < m->rest_count; r++) {
		uint32_t first = 0;
		while (first < r && !ossai_names_are_alike(rest_name(m, first), rest_name(m, r))) first++;
		m->part[r] = first;
	}
}

/* ---- along a chain ---- */

static double overlap_of(const matcher *m, uint32_t bone, uint32_t rest)
{
	return m->skin->overlap[bone * m->rest_count + rest];
}

/* where a state meets the one before it, or begins; the chain may lead towards the root at first */
static ossai_vec3 begin_of(const matcher *m, const chain_match *c, size_t s)
{
	const ossa_bone *bones = m->rest->bones;
	const uint32_t own = c->state[s];
	if (s > 0 && bones[c->state[s - 1]].parent == (int32_t)own) return ossai_v3_of(bones[c->state[s - 1]].joint);
	const bool is_inward = s + 1 < c->state_count && bones[own].parent == (int32_t)c->state[s + 1];
	return ossai_v3_of(is_inward ? bones[own].tail : bones[own].joint);
}

static ossai_vec3 end_of(const matcher *m, const chain_match *c, size_t s)
{
	const ossa_bone *bones = m->rest->bones, *own = &bones[c->state[s]];
	if (s + 1 == c->state_count) return ossai_v3_of(own->tail);
	const uint32_t next = c->state[s + 1];
	if (own->parent == (int32_t)next) return ossai_v3_of(own->joint);
	return ossai_v3_of(bones[next].parent == (int32_t)c->state[s] ? bones[next].joint : own->tail);
}

/* 0 where a state begins, 1 at its end */
static double place_on(const matcher *m, const chain_match *c, size_t s, ossai_vec3 point)
{
	const ossai_vec3 begin = begin_of(m, c, s), along = ossai_sub(end_of(m, c, s), begin);
	const double square = ossai_length2(along);
	return square > 0 ? fmin(fmax(ossai_dot(ossai_sub(point, begin), along) / square, 0), 1) : 0;
}

/* where a bone's skin lies along the chain, in states */
static double place_of(const matcher *m, const chain_match *c, uint32_t bone)
{
	double sum = 0, moment = 0;
	for (size_t s = 0; s < c->state_count; s++) {
		const double skin = overlap_of(m, bone, c->state[s]);
		sum += skin;
		moment += skin * ((double)s + place_on(m, c, s, m->skin->center[bone]));
	}
	/* of a limb by its place in the tree: no skin says where */
	return sum > 0 ? moment / sum : 0;
}

static void take_bone(const matcher *m, chain_match *c, uint32_t bone)
{
	const double place = place_of(m, c, bone);
	size_t at = c->count++;
	for (; at > 0 && c->place[at - 1] > place; at--) {
		c->bone[at] = c->bone[at - 1];
		c->place[at] = c->place[at - 1];
	}
	c->bone[at] = bone;
	c->place[at] = place;
}

/* bones of one part by their numbers */
static void take_state(const matcher *m, chain_match *c, uint32_t r)
{
	size_t at = c->state_count++;
	for (; at > 0 && m->part[c->state[at - 1]] == m->part[r]; at--) {
		if (strcmp(rest_name(m, c->state[at - 1]), rest_name(m, r)) < 0) break;
		c->state[at] = c->state[at - 1];
	}
	c->state[at] = r;
}

static ossa_status take_chain(const matcher *m, ossai_arena *scratch, uint32_t chain, chain_match *c)
{
	*c = (chain_match){.state = ossai_arena_new(scratch, m->rest_count, sizeof *c->state),
		.bone = ossai_arena_new(scratch, m->count, sizeof *c->bone),
		.place = ossai_arena_new(scratch, m->count, sizeof *c->place)};
	if (!c->state || !c->bone || !c->place) return ossa_context_error(scratch->context)->status;
	for (uint32_t r = 0; r < m->rest_count; r++) {
		if (m->chains.of_rest[r] == chain) take_state(m, c, r);
	}
	for (uint32_t b = 0; b < m->count; b++) {
		if (m->chains.of_bone[b] == chain) take_bone(m, c, b);
	}
	c->odds = ossai_arena_new(scratch, c->count * c->state_count, sizeof *c->odds);
	c->from = ossai_arena_new(scratch, c->count * c->state_count, sizeof *c->from);
	return c->odds && c->from ? OSSA_OK : ossa_context_error(scratch->context)->status;
}

/* How many limbs a bone bears that begin further in than a state: bones that it is joined to, of
   chains that begin on a state before. A head bears no arms: what does, of a body whose chest and
   head are one, is the chest. */
static int count_beyond(const matcher *m, const chain_match *c, uint32_t bone, size_t s)
{
	int count = 0;
	const ossa_bone *own = m->skin->skeleton->bones;
	for (uint32_t b = 0; b < m->count; b++) {
		const bool is_joined = own[b].parent == (int32_t)bone || own[bone].parent == (int32_t)b;
		const uint32_t limb = m->chains.of_bone[b];
		if (!is_joined || limb == OSSA_NONE || limb == m->chains.of_rest[c->state[0]]) continue;
		size_t begins = 0;
		while (begins < c->state_count && m->rest->bones[limb].parent != (int32_t)c->state[begins]) begins++;
		count += begins < c->state_count && m->part[c->state[begins]] != m->part[c->state[s]] && begins < s;
	}
	return count;
}

/* whether the bone's joint is where it meets what is farther in: the tree may lead inward here */
static bool begins_inward(const matcher *m, const chain_match *c, uint32_t bone)
{
	const int32_t up = m->skin->skeleton->bones[bone].parent;
	if (up < 0) return false;
	return m->chains.of_bone[up] != m->chains.of_bone[bone] || place_of(m, c, (uint32_t)up) <= place_of(m, c, bone);
}

/* The logarithm of the likelihood of where a bone begins where it is the part of a state, but for a
   constant: Cauchy's distribution as wide as the segment, since a joint by motion may be anywhere
   on its limb. A shank that moves in two pieces has two joints at the knee: the lower one is no
   foot. How many bones a trunk has is up to the motion: its joints are no landmarks. */
static double joint_odds(const matcher *m, const chain_match *c, uint32_t bone, size_t s)
{
	if (c->state[0] == 0 || !begins_inward(m, c, bone)) return 0;
	const ossai_vec3 begin = begin_of(m, c, s), joint = ossai_v3_of(m->skin->skeleton->bones[bone].joint);
	const double length = ossai_distance(begin, end_of(m, c, s)), off = ossai_distance(joint, begin);
	return length > 0 ? -log(1 + off * off / (length * length)) : 0;
}

/* the logarithm of the likelihood of a bone's skin and joint where it is the part of a state */
static double score(const matcher *m, const chain_match *c, uint32_t bone, size_t s)
{
	double all = 0, own = 0;
	for (size_t t = 0; t < c->state_count; t++) {
		const double skin = overlap_of(m, bone, c->state[t]);
		all += skin;
		if (m->part[c->state[t]] == m->part[c->state[s]]) own += skin;
	}
	return log((all > 0 ? own / all : 0) + OSSAI_STRAY_SKIN) + (is_seldom(&m->rest->bones[c->state[s]]) ? SELDOM : 0) +
		OSSAI_LIMB_CROSSING * count_beyond(m, c, bone, s) + joint_odds(m, c, bone, s);
}

/* the trunk's first bone is the root's part, which every body has */
static bool may_begin(const matcher *m, const chain_match *c, size_t s)
{
	return c->state[0] != 0 || m->part[c->state[s]] == 0 || ossai_name_is_number(rest_name(m, 0));
}

static void score_all(const matcher *m, const chain_match *c)
{
	for (size_t i = 0; i < c->count; i++) {
		for (size_t s = 0; s < c->state_count; s++) {
			double best = i == 0 && may_begin(m, c, s) ? 0 : -INFINITY;
			uint32_t from = 0;
			for (uint32_t before = 0; i > 0 && before <= s; before++) {
				const double odds = c->odds[(i - 1) * c->state_count + before] + (before == s ? REPEATED : 0);
				if (!(odds > best)) continue;
				best = odds;
				from = before;
			}
			c->odds[i * c->state_count + s] = best + score(m, c, c->bone[i], s);
			c->from[i * c->state_count + s] = from;
		}
	}
}

static void trace_back(const matcher *m, const chain_match *c)
{
	uint32_t best = 0;
	if (c->count == 0 || ossai_name_is_number(rest_name(m, c->state[0]))) return;
	const double *last = c->odds + (c->count - 1) * c->state_count;
	for (uint32_t s = 1; s < c->state_count; s++) {
		if (last[s] > last[best]) best = s;
	}
	for (size_t i = c->count; i-- > 0;) {
		m->found->part[c->bone[i]].bone = m->part[c->state[best]];
		m->order[c->bone[i]] = i;
		best = c->from[i * c->state_count + best];
	}
}

static ossa_status match_chain(const matcher *m, uint32_t chain)
{
	ossai_arena scratch = ossai_arena_begin(m->arena->context);
	chain_match c;
	const ossa_status status = take_chain(m, &scratch, chain, &c);
	if (status == OSSA_OK) {
		score_all(m, &c);
		trace_back(m, &c);
	}
	ossai_arena_end(&scratch);
	return status;
}

/* ---- the whole ---- */

/* of the bones that are the root's part the one with most of the root's skin */
static uint32_t find_root(const matcher *m)
{
	uint32_t root = OSSA_NONE;
	double most = -1;
	for (uint32_t b = 0; b < m->count; b++) {
		if (m->found->part[b].bone != 0 || !(overlap_of(m, b, 0) > most)) continue;
		most = overlap_of(m, b, 0);
		root = b;
	}
	return root;
}

/* the hips are one bone: what else has most of their skin is spine, where there is one */
static void keep_one_root(const matcher *m)
{
	uint32_t spine = 0;
	while (spine < m->rest_count && m->rest->bones[spine].role.part != OSSA_PART_SPINE) spine++;
	if (spine == m->rest_count || m->rest->bones[0].role.part != OSSA_PART_HIPS) return;
	for (uint32_t b = 0; b < m->count; b++) {
		if (b != m->found->root && m->found->part[b].bone == 0) m->found->part[b].bone = m->part[spine];
	}
}

/* ---- numbers ---- */

/* B: steps in the tree from the root of the body; an array of the arena, or NULL */
static uint32_t *find_depths(const matcher *m)
{
	const ossa_bone *bones = m->skin->skeleton->bones;
	uint32_t *depth = ossai_arena_new(m->arena, m->count, sizeof *depth);
	if (!depth) return NULL;
	for (size_t b = 0; b < m->count; b++) depth[b] = OSSA_NONE;
	/* up from the root of the body, and from there down, as parents come before their children */
	int32_t up = m->found->root == OSSA_NONE ? 0 : (int32_t)m->found->root;
	for (uint32_t steps = 0; up >= 0; up = bones[up].parent) depth[up] = steps++;
	for (size_t b = 0; b < m->count; b++) {
		if (depth[b] == OSSA_NONE) depth[b] = depth[bones[b].parent] + 1;
	}
	return depth;
}

static bool is_before(const matcher *m, const uint32_t *depth, size_t a, size_t b)
{
	const bool is_through = m->found->part[a].bone == m->part[0] && m->rest->bones[0].role.number > 1;
	if (!is_through && depth[a] != depth[b]) return depth[a] < depth[b];
	/* bones that were hips may have their order from another chain */
	return m->order[a] != m->order[b] ? m->order[a] < m->order[b] : a < b;
}

/* parents before their children, else in the order along the chain; only that where the part goes
   on beyond the root on both sides, as a snake's spine does */
static ossa_status number_parts(const matcher *m)
{
	const uint32_t *depth = find_depths(m);
	if (!depth) return ossa_context_error(m->arena->context)->status;
	for (size_t b = 0; b < m->count; b++) {
		ossai_rest_part *own = &m->found->part[b];
		int before = 0, all = 0;
		for (size_t other = 0; other < m->count; other++) {
			if (m->found->part[other].bone != own->bone) continue;
			before += is_before(m, depth, other, b);
			all++;
		}
		if (own->bone != OSSA_NONE && (all > 1 || ossai_name_has_number(rest_name(m, own->bone)))) own->number = before + 1;
	}
	return OSSA_OK;
}

ossa_status ossai_rest_parts_find(
	ossai_arena *arena, const ossa_skeleton *rest, const ossai_shared_skin *skin, ossai_rest_parts *parts)
{
	*parts = (ossai_rest_parts){
		.root = OSSA_NONE, .part = ossai_arena_new(arena, skin->skeleton->bone_count, sizeof *parts->part)};
	matcher m = {
		.arena = arena, .rest = rest, .count = skin->skeleton->bone_count, .rest_count = rest->bone_count, .skin = skin};
	m.found = parts;
	m.part = ossai_arena_new(arena, m.rest_count, sizeof *m.part);
	m.order = ossai_arena_zero(arena, m.count, sizeof *m.order);
	if (!parts->part || !m.part || !m.order) return ossa_context_error(arena->context)->status;
	for (size_t b = 0; b < m.count; b++) parts->part[b] = (ossai_rest_part){.bone = OSSA_NONE};
	find_parts(&m);
	OSSAI_TRY(ossai_rest_chains_find(arena, rest, m.part, skin, &m.chains));
	for (uint32_t r = 0; r < m.rest_count; r++) {
		if (m.chains.of_rest[r] == r) OSSAI_TRY(match_chain(&m, r));
	}
	parts->root = find_root(&m);
	keep_one_root(&m);
	return number_parts(&m);
}

void ossai_rest_parts_name(const ossa_skeleton *rest, const ossai_rest_parts *parts, ossa_skeleton *skeleton)
{
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		const ossai_rest_part *part = &parts->part[b];
		ossa_bone *bone = &skeleton->bones[b];
		bone->role = (ossa_role){.part = OSSA_PART_NONE};
		/* numbers come last: the root's is a word */
		if (part->bone == OSSA_NONE) strcpy(bone->name, "root");
		if (part->bone == OSSA_NONE) continue;
		bone->role = rest->bones[part->bone].role;
		bone->role.number = part->number;
		ossai_part_name(rest->bones[part->bone].name, part->number, bone->name);
	}
	ossai_names_renumber(skeleton);
}

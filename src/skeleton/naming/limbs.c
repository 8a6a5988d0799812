/* skeleton/naming/limbs.c: see limbs.h. */
#include "skeleton/naming/limbs.h"

#include <stdio.h>
#include <string.h>

/* a first bone that begins before the one and ends after the other is the whole limb */
static const double whole_begins = 0.2, whole_ends = 0.75;
/* a last bone is an end alone if it begins after the one or has its center after the other; else it
   holds the lower part too */
static const double end_begins = 0.62, end_center = 0.8;
/* of a limb: the farthest that a bone may lie behind those before it */
static const double back_most = 0.1;
/* of a limb: bones of a pair correspond where their positions differ by less */
static const double pair_distance_most = 0.15;
/* of the diagonal: toes lie this much ahead of their foot */
static const double toes_ahead = 0.005;
/* a bone with less than this share of the surface of the one before is not a head, but something on
   it */
static const double head_least = 0.5;

/* limbs of a pair, and arms of a star, differ in length by at most this factor */
static const double alike_most = 1.7;
/* what is steep rises or falls at least this much per length of it: legs, upright trunks */
static const double steep_least = 0.5;

bool ossai_sizes_are_alike(double shorter, double longer) { return longer <= alike_most * shorter; }

bool ossai_is_steep(double height, double length) { return fabs(height) >= steep_least * length; }

/* ---- sides ---- */

int ossai_side_of_point(const ossai_naming *naming, ossai_vec3 p)
{
	const double offset = ossai_body_offset(naming->body, p);
	return fabs(offset) < naming->side_least ? 0 : offset > 0 ? 1 : -1;
}

int ossai_side_of(const ossai_naming *naming, uint32_t bone) { return ossai_side_of_point(naming, naming->body->center[bone]); }

const char *ossai_side_suffix(int side) { return side > 0 ? "_L" : side < 0 ? "_R" : ""; }

/* ---- tracing ---- */

void ossai_ends_clear(ossai_naming *naming)
{
	memset(naming->ends_below, 0, naming->body->bone_count * sizeof *naming->ends_below);
}

void ossai_end_mark(ossai_naming *naming, uint32_t end)
{
	for (uint32_t b = end; b != OSSA_NONE; b = naming->body->up[b]) naming->ends_below[b]++;
}

static bool belongs(const ossai_naming *naming, uint32_t bone, int side)
{
	if (bone == OSSA_NONE || bone == naming->body->anchor || naming->ends_below[bone] > 1) return false;
	return side == 0 || ossai_side_of(naming, bone) == side;
}

void ossai_limb_measure_reach(ossai_limb *limb, const ossai_body *body, double reach)
{
	const double lost = reach - limb->reach;
	for (size_t i = 0; i < limb->count; i++) {
		const uint32_t bone = limb->bones[i];
		limb->begin[i] = (lost + ossai_distance(limb->root, ossai_body_seam(body, bone))) / reach;
		limb->along[i] = (lost + ossai_distance(limb->root, body->center[bone])) / reach;
	}
}

void ossai_limb_measure_height(ossai_limb *limb, const ossai_body *body, double height)
{
	for (size_t i = 0; i < limb->count; i++) {
		limb->begin[i] = 1 - ossai_body_seam(body, limb->bones[i]).y / height;
		limb->along[i] = 1 - body->center[limb->bones[i]].y / height;
	}
}

void ossai_limb_balance(ossai_limb *a, ossai_limb *b)
{
	if (a->count != b->count) return;
	for (size_t i = 0; i < a->count; i++) {
		if (fabs(a->along[i] - b->along[i]) > pair_distance_most) return;
	}
	for (size_t i = 0; i < a->count; i++) {
		a->begin[i] = b->begin[i] = (a->begin[i] + b->begin[i]) / 2;
		a->along[i] = b->along[i] = (a->along[i] + b->along[i]) / 2;
	}
}

ossa_status ossai_limb_trace(ossai_naming *naming, uint32_t end, int side, ossai_limb *limb)
{
	const ossai_body *body = naming->body;
	*limb = (ossai_limb){.side = side, .trunk = end};
	for (uint32_t b = end; belongs(naming, b, side); b = body->up[b]) limb->count++;
	limb->bones = ossai_arena_new(naming->arena, limb->count, sizeof *limb->bones);
	limb->begin = ossai_arena_zero(naming->arena, limb->count, sizeof *limb->begin);
	limb->along = ossai_arena_zero(naming->arena, limb->count, sizeof *limb->along);
	if (!limb->bones || !limb->begin || !limb->along) return ossa_context_error(naming->arena->context)->status;
	for (size_t i = limb->count; i-- > 0; limb->trunk = body->up[limb->trunk]) limb->bones[i] = limb->trunk;
	if (limb->count == 0) return OSSA_OK;
	limb->root = ossai_body_seam(body, limb->bones[0]);
	limb->tip = body->tip[end];
	ossai_vec3 last = limb->root;
	for (size_t i = 0; i < limb->count; i++) {
		const ossai_vec3 next = i + 1 < limb->count ? ossai_body_seam(body, limb->bones[i + 1]) : limb->tip;
		limb->length += ossai_distance(last, next);
		limb->reach = fmax(limb->reach, ossai_distance(limb->root, body->tip[limb->bones[i]]));
		last = next;
	}
	return OSSA_OK;
}

ossa_status ossai_path_between(ossai_naming *naming, uint32_t a, uint32_t b, size_t *count, uint32_t **bones)
{
	const ossai_body *body = naming->body;
	uint32_t *path = ossai_arena_new(naming->arena, 2 * body->bone_count, sizeof *path);
	uint32_t *depth = ossai_arena_zero(naming->arena, body->bone_count, sizeof *depth);
	if (!path || !depth) return ossa_context_error(naming->arena->context)->status;
	for (size_t i = 1; i < body->bone_count; i++) depth[body->order[i]] = depth[body->up[body->order[i]]] + 1;
	size_t from_a = 0, from_b = 0;
	uint32_t *end = path + 2 * body->bone_count;
	while (a != b) {
		if (depth[a] >= depth[b]) {
			path[from_a++] = a;
			a = body->up[a];
		} else {
			*--end = b;
			b = body->up[b];
			from_b++;
		}
	}
	path[from_a++] = a;
	memmove(path + from_a, end, from_b * sizeof *path);
	*count = from_a + from_b;
	*bones = path;
	return OSSA_OK;
}

/* In the tree as the rig has it: a bone lies between leaves if some are in a child's subtree and
   some are not. */
uint32_t ossai_trunk_between(const ossai_naming *naming, size_t end_count, const uint32_t *ends, bool medial)
{
	const ossai_body *body = naming->body;
	uint32_t *below = naming->ends_below, best = OSSA_NONE;
	memset(below, 0, body->bone_count * sizeof *below);
	for (size_t i = 0; i < end_count; i++) below[ends[i]]++;
	for (size_t b = body->bone_count; b-- > 1;) below[body->skeleton->bones[b].parent] += below[b];
	for (uint32_t b = 0; b < body->bone_count; b++) {
		uint32_t most = (uint32_t)end_count - below[b];
		for (uint32_t at = body->neighbor_first[b]; at < body->neighbor_first[b + 1]; at++) {
			const uint32_t next = body->neighbors[at];
			if (body->skeleton->bones[b].parent != (int32_t)next && below[next] > most) most = below[next];
		}
		/* all leaves lie beyond one neighbour: not between them */
		if (most == end_count || (medial && ossai_side_of(naming, b) != 0)) continue;
		if (best == OSSA_NONE || body->share[b] > body->share[best]) best = b;
	}
	memset(below, 0, body->bone_count * sizeof *below);
	return best;
}

/* ---- names ---- */

static void set_name(ossai_naming *naming, uint32_t bone, const char *word, const char *region, size_t number, const char *side)
{
	char digits[24] = "";
	if (number > 0) snprintf(digits, sizeof digits, "_%02zu", number);
	snprintf(naming->names[bone], BONE_NAME_SIZE, "%s%s%s%s", word, region, digits, side);
}

void ossai_name_chain(ossai_naming *naming, const char *word, size_t count, const uint32_t *bones, const char *side)
{
	for (size_t i = 0; i < count; i++) set_name(naming, bones[i], word, "", i + 1, side);
}

enum { PART_WHOLE, PART_UPPER, PART_LOWER, PART_END, PART_NONE, PART_COUNT };

static int part_of(const ossai_limb *limb, size_t i, const ossai_limb_words *words)
{
	/* a bone behind an earlier one is a side branch, or the tree is wrong */
	for (size_t before = 0; before < i; before++) {
		if (limb->along[before] > limb->along[i] + back_most) return PART_NONE;
	}
	const bool last = i + 1 == limb->count;
	const double end = last ? 1 : limb->begin[i + 1];
	if (i == 0 && limb->begin[i] < whole_begins && end > whole_ends) return PART_WHOLE;
	if (limb->along[i] < words->upper_from) return PART_NONE;
	if (limb->along[i] < words->upper_until) return PART_UPPER;
	if (limb->along[i] < words->lower_until) return PART_LOWER;
	return last && limb->begin[i] < end_begins && limb->along[i] < end_center ? PART_LOWER : PART_END;
}

/* of several bones at the end the first is the foot, and the second of two the toes, if it lies
   ahead */
static const char *word_beyond(
	const ossai_naming *naming, const ossai_limb *limb, size_t i, size_t count, const char *word, ossai_vec3 front)
{
	const ossai_vec3 *center = naming->body->center;
	if (count != 2 || i == 0) return NULL;
	const double ahead = ossai_dot(front, ossai_sub(center[limb->bones[i]], center[limb->bones[i - 1]]));
	return ahead > toes_ahead ? word : NULL;
}

void ossai_limb_name(ossai_naming *naming, const ossai_limb *limb, const ossai_limb_words *words, ossai_vec3 front)
{
	const char *const word_of[PART_COUNT] = {words->whole, words->upper, words->lower, words->end, NULL};
	size_t count[PART_COUNT] = {0}, number[PART_COUNT] = {0};
	for (size_t i = 0; i < limb->count; i++) count[part_of(limb, i, words)]++;
	for (size_t i = 0; i < limb->count; i++) {
		const int part = part_of(limb, i, words);
		const char *word = word_of[part];
		number[part]++;
		if (part == PART_END && number[part] > 1) word = word_beyond(naming, limb, i, count[part], words->beyond, front);
		if (!word) continue;
		const size_t shown = part != PART_END && count[part] > 1 ? number[part] : 0;
		set_name(naming, limb->bones[i], word, words->region, shown, ossai_side_suffix(limb->side));
	}
}

uint32_t ossai_heavy_end(const ossai_naming *naming, uint32_t bone)
{
	const ossai_body *body = naming->body;
	for (;;) {
		uint32_t heaviest = OSSA_NONE;
		for (uint32_t at = body->neighbor_first[bone]; at < body->neighbor_first[bone + 1]; at++) {
			const uint32_t next = body->neighbors[at];
			if (next == body->up[bone] || ossai_side_of(naming, next) != 0) continue;
			if (heaviest == OSSA_NONE || body->beyond[next] > body->beyond[heaviest]) heaviest = next;
		}
		if (heaviest == OSSA_NONE) return bone;
		bone = heaviest;
	}
}

void ossai_name_head(ossai_naming *naming, const ossai_limb *limb)
{
	const double *share = naming->body->share;
	if (limb->count == 0) return;
	size_t head = limb->count - 1;
	/* what is beyond the head is a hat, a muzzle, a tongue, a crest: it keeps its number */
	while (head > 0 && share[limb->bones[head]] < head_least * share[limb->bones[head - 1]]) head--;
	ossai_name_chain(naming, "neck", head, limb->bones, "");
	set_name(naming, limb->bones[head], "head", "", 0, "");
}

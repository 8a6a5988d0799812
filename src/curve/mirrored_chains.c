/* curve/mirrored_chains.c: see mirrored_chains.h. */
#include "curve/mirrored_chains.h"

#include "base/search.h"
#include "query/nearest_point.h"

#include <ossa/mesh.h>
#include <stdlib.h>

/* Largest distance of a tip from the mirror image of its counterpart: a share of the size, and
   of the tip's distance from the plane, because a limb that is held differently moves its tip by a
   share of its length. Tried: 0.03 to 0.12 and 0 to 0.7, which changes no creature in its rest
   pose; without the first, limbs near the plane have next to no tolerance. */
static const double TIP_NEAR = 0.06;
static const double TIP_NEAR_SHARE = 0.35;

/* The ends beyond a chain, as the sum of their random numbers, and those of their counterparts. */
typedef struct beyond {
	uint64_t ends, images;
	uint32_t chain;
} beyond;

typedef struct matcher {
	const ossai_mirror *mirror;
	size_t count; /* of chains; an end has the number of its chain, the root this one */
	const ossai_vec3 *root;
	const ossai_branch *branch;
	size_t end_count;
	uint32_t *end;         /* E */
	uint32_t *counterpart; /* per number; OSSA_NONE: none, or no end */
	beyond *beyond;        /* C, by their ends' sum */
	uint64_t all;          /* ends' sum */
} matcher;

/* a pseudo-random number of 64 bits */
static uint64_t scramble(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

/* ---- ends ---- */

static ossai_vec3 tip_of(const matcher *m, uint32_t end) { return end == m->count ? *m->root : m->branch[end].tip; }

static void find_ends(matcher *m)
{
	for (uint32_t c = 0; c <= m->count; c++) {
		m->counterpart[c] = OSSA_NONE;
		if (c < m->count ? m->branch[c].is_leaf : m->root != NULL) m->end[m->end_count++] = c;
	}
}

/* pairs of ends, each the nearest to the other's mirror image, within the distance */
static ossa_status match_ends(ossai_arena *scratch, matcher *m)
{
	if (m->end_count == 0) return OSSA_OK;
	double *tips = ossai_arena_new(scratch, m->end_count, 3 * sizeof *tips);
	double *images = ossai_arena_new(scratch, m->end_count, 3 * sizeof *images);
	uint32_t *nearest = ossai_arena_new(scratch, m->end_count, sizeof *nearest);
	if (!tips || !images || !nearest) return ossa_context_error(scratch->context)->status;
	for (size_t i = 0; i < m->end_count; i++) {
		const ossai_vec3 tip = tip_of(m, m->end[i]);
		ossai_v3_store(tip, tips + 3 * i);
		ossai_v3_store(ossai_mirror_point(m->mirror, tip), images + 3 * i);
	}
	OSSAI_TRY(ossai_nearest_points(scratch->context, m->end_count, tips, m->end_count, images, nearest));
	for (size_t i = 0; i < m->end_count; i++) {
		const ossai_vec3 image = ossai_v3_of(images + 3 * i), tip = ossai_v3_of(tips + 3 * i);
		const double most = TIP_NEAR + TIP_NEAR_SHARE * ossai_distance(tip, image) / 2;
		if (nearest[nearest[i]] != i || !(ossai_distance(ossai_v3_of(tips + 3 * nearest[i]), image) < most)) continue;
		m->counterpart[m->end[i]] = m->end[nearest[i]];
	}
	/* within the distance of both */
	for (size_t i = 0; i < m->end_count; i++) {
		uint32_t *counterpart = &m->counterpart[m->end[i]];
		if (*counterpart != OSSA_NONE && m->counterpart[*counterpart] != m->end[i]) *counterpart = OSSA_NONE;
	}
	return OSSA_OK;
}

/* ---- chains ---- */

static int by_ends(const void *x, const void *y)
{
	const beyond *a = x, *b = y;
	if (a->ends != b->ends) return a->ends < b->ends ? -1 : 1;
	return a->chain < b->chain ? -1 : a->chain > b->chain;
}

/* sums of the numbers of the ends beyond each chain; a missing counterpart has a unique number */
static void sum_ends(matcher *m)
{
	for (size_t c = m->count; c-- > 0;) {
		beyond *own = &m->beyond[c];
		own->chain = (uint32_t)c;
		if (m->branch[c].is_leaf) {
			own->ends += scramble(c + 1);
			own->images += scramble(m->counterpart[c] == OSSA_NONE ? m->count + c + 2 : m->counterpart[c] + (uint64_t)1);
		}
		if (m->branch[c].parent == OSSA_NONE) {
			m->all += own->ends;
			continue;
		}
		m->beyond[m->branch[c].parent].ends += own->ends;
		m->beyond[m->branch[c].parent].images += own->images;
	}
	if (m->root) m->all += scramble(m->count + 1);
}

/* the first chain beyond which these ends lie; OSSA_NONE */
static uint32_t chain_before(const matcher *m, uint64_t ends)
{
	const beyond key = {.ends = ends};
	const size_t at = ossai_search(&key, m->beyond, m->count, sizeof key, by_ends);
	return at < m->count && m->beyond[at].ends == ends ? m->beyond[at].chain : OSSA_NONE;
}

static ossa_status match(ossai_arena *scratch, matcher *m, ossai_branch_image *image)
{
	m->end = ossai_arena_new(scratch, m->count + 1, sizeof *m->end);
	m->counterpart = ossai_arena_new(scratch, m->count + 1, sizeof *m->counterpart);
	m->beyond = ossai_arena_zero(scratch, m->count, sizeof *m->beyond);
	if (!m->end || !m->counterpart || !m->beyond) return ossa_context_error(scratch->context)->status;
	find_ends(m);
	OSSAI_TRY(match_ends(scratch, m));
	sum_ends(m);
	qsort(m->beyond, m->count, sizeof *m->beyond, by_ends);
	for (size_t i = 0; i < m->count; i++) {
		const beyond *own = &m->beyond[i];
		const uint32_t same = chain_before(m, own->images);
		const uint32_t turned = m->root ? chain_before(m, m->all - own->images) : OSSA_NONE;
		image[own->chain] = same != OSSA_NONE ? (ossai_branch_image){same, false}
											  : (ossai_branch_image){turned, turned != OSSA_NONE};
	}
	return OSSA_OK;
}

ossa_status ossai_mirrored_chains(ossai_arena *arena, const ossai_mirror *mirror, const ossai_vec3 *root, size_t count,
	const ossai_branch *branch, ossai_branch_image *image)
{
	for (size_t c = 0; c < count; c++) image[c] = (ossai_branch_image){OSSA_NONE, false};
	if (!mirror->exists) return OSSA_OK;
	ossai_arena scratch = ossai_arena_begin(arena->context);
	matcher m = {.mirror = mirror, .count = count, .root = root, .branch = branch};
	const ossa_status status = match(&scratch, &m, image);
	ossai_arena_end(&scratch);
	return status;
}

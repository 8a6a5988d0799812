/* medial/path_ends.c: which extreme points are ends of limbs, and where paths end: see path_work.h.

   The medial surface of a limb ends in a rim about its tip, and extreme points lie on it, to one side. So what a path has at its end that comes
   out of the balls before it by next to nothing goes, and the path is led on straight to the skin.
   The rim of a flat body lies far from the tree as well: only what comes out of the balls, measured straight, by as much as they are large is
   a limb; or a short one, stubby legs and ears, what comes out by less but does so alone, not along a rim. */
#include "medial/path_work.h"

#include <ossa/mesh.h>
#include <string.h>

/* How far out of the tree's balls a limb reaches at least, as a share of the ball that it is nearest to. */
static const double LIMB_OUT = 1.3;

/* What is thicker itself than that ball comes out by this share of the geometric mean of both, and where the ball is too small to be known by the other
   share of its own radius: corners of a sole do not. */
static const double LIMB_MEAN = 1.14, LIMB_OWN = 1.5, SMALL = 1.2;

/* Tips of what has a radius below the first of these stand out too far by the second, in voxels: they keep voxels whose centers are outside. */
static const double THIN = 1.5, THIN_TIP = 0.5;

/* A short limb comes out by less of that ball's radius, but by more of its own, it is no thinner than this share of the heart radius, and what is half as
   far out about its end spreads no farther from it than so many times as far as that is out: along the rim of a box it spreads everywhere. */
static const double SHORT_OUT = 0.78, SHORT_OWN = 2.4, SHORT_LEAST = 0.018, SHORT_SPREAD = 1.3;

/* What is measured between centers of voxels is this much off: tips lie so far beyond the last one, and so far before the one that ends a ball. */
static const double HALF_VOXEL = 0.5;

/* What comes less far out of a ball than this share of its radius, or than so many voxels, is no more of a limb. */
static const double IDLE_OUT = 0.6, IDLE_VOXELS = 1.5;

/* Neither is what comes back so near that balls meet, on a way that is longer than this many times the distance. */
static const double TURNED_BACK = 3, RETURN_RADII = 4;

/* Nor what is reached straight on from a ball at least twice as large, and by a way that is so many times as long: along the skin, as to the tip of a nose. */
static const double DETOUR = 1.5;

/* An end is led on over so many radii of its ball; that of a short limb keeps more of itself. */
static const double REACH_RADII = 2, SHORT_RADII = 1.5;

/* The direction of an end is that of the last so many radii of its ball, and voxels. */
static const double END_RADII = 1.5, END_VOXELS = 4;

static double radius_of(const ossai_path_work *work, uint32_t voxel) { return sqrt(work->voxels->distance2[voxel]); }

static double radius_at(const ossai_path_work *work, uint32_t m) { return radius_of(work, work->medial->voxel[m]); }

/* voxels from an end on, straight, as far as the shape goes but not farther than twice the ball there; `on` may be NULL: tells how many */
static size_t straight_on(const ossai_path_work *work, uint32_t voxel, ossai_vec3 direction, uint32_t *on)
{
	const ossai_voxels *voxels = work->voxels;
	const ossai_vec3 from = ossai_path_cell(work, voxel);
	const double most = REACH_RADII * radius_of(work, voxel) + 1;
	size_t count = 0;
	for (int k = 1; k <= most && ossai_length2(direction) > 0; k++) {
		const ossai_vec3 p = ossai_madd(from, k, direction);
		const int64_t x = llround(p.x), y = llround(p.y), z = llround(p.z);
		if (x < 0 || y < 0 || z < 0 || x >= voxels->size[0] || y >= voxels->size[1] || z >= voxels->size[2]) break;
		const uint32_t next = voxels->of_cell[((size_t)z * voxels->size[1] + (size_t)y) * voxels->size[0] + (size_t)x];
		if (next == OSSA_NONE) break;
		if (on) on[count] = next;
		count++;
	}
	return count;
}

/* where a path ends that is led on straight to the skin from its first voxel */
static ossai_vec3 tip_of(const ossai_path_work *work, size_t count, const uint32_t *path)
{
	const ossai_vec3 at = ossai_path_cell(work, work->medial->voxel[path[0]]);
	const double wanted = fmax(END_VOXELS, END_RADII * radius_at(work, path[0]));
	ossai_vec3 back = at;
	for (size_t i = 1; i < count && ossai_distance(at, back) < wanted; i++) {
		back = ossai_path_cell(work, work->medial->voxel[path[i]]);
	}
	const ossai_vec3 direction = ossai_unit(ossai_sub(at, back), ossai_v3(0, 0, 0));
	return ossai_madd(at, (double)straight_on(work, work->medial->voxel[path[0]], direction, NULL), direction);
}

/* the mean radius of what a path has outside of a ball */
static double radius_outside(const ossai_path_work *work, size_t count, const uint32_t *path, uint32_t center)
{
	const double ball = radius_of(work, center);
	double sum = 0;
	size_t i = 0;
	for (; i < count; i++) {
		const ossai_vec3 at = ossai_path_cell(work, work->medial->voxel[path[i]]);
		if (ossai_distance(ossai_path_cell(work, center), at) < ball) break;
		sum += radius_at(work, path[i]);
	}
	return i > 0 ? sum / (double)i : ball;
}

bool ossai_path_is_alone(ossai_path_work *work, uint32_t end)
{
	const ossai_vec3 from = ossai_path_cell(work, work->medial->voxel[end]);
	const double least = 0.5 * work->out.far[end], most = SHORT_SPREAD * work->out.far[end];
	uint32_t count = 1;
	work->seen[end] = ++work->look;
	work->queue[0] = end;
	for (uint32_t q = 0; q < count; q++) {
		const uint32_t m = work->queue[q];
		if (ossai_distance(from, ossai_path_cell(work, work->medial->voxel[m])) > most) return false;
		for (uint32_t i = work->start[m]; i < work->start[m + 1]; i++) {
			const uint32_t u = work->neighbor[i];
			if (work->seen[u] == work->look || work->out.far[u] < least) continue;
			work->seen[u] = work->look;
			work->queue[count++] = u;
		}
	}
	return true;
}

bool ossai_path_is_limb(
	const ossai_path_work *work, const ossai_path_tree *tree, bool is_short, size_t count, const uint32_t *path)
{
	if (!(work->out.far[path[0]] > 0)) return false;
	const ossai_vec3 tip = tip_of(work, count, path);
	double least = INFINITY;
	uint32_t nearest = tree->voxel[0];
	for (size_t i = 0; i < tree->node_count; i++) {
		const double out = ossai_distance(tip, ossai_path_cell(work, tree->voxel[i])) - radius_of(work, tree->voxel[i]);
		if (!(out < least)) continue;
		least = out;
		nearest = tree->voxel[i];
	}
	const double radius = radius_of(work, nearest), own = radius_outside(work, count, path, nearest);
	if (is_short) {
		const double out = own < THIN ? least : least + HALF_VOXEL, thick = own - HALF_VOXEL;
		return out >= SHORT_OUT * radius && out >= SHORT_OWN * thick && thick >= SHORT_LEAST * work->heart_radius;
	}
	if (own < THIN) least -= THIN_TIP;
	if (radius < SMALL && own > radius && least < LIMB_OWN * own) return false;
	return least >= LIMB_OUT * radius && least >= LIMB_MEAN * sqrt(radius * own);
}

/* whether the ball of one of the voxels after i holds nearly all of the ball of i */
static bool is_idle(const ossai_path_work *work, size_t count, const uint32_t *path, size_t i)
{
	const ossai_vec3 at = ossai_path_cell(work, work->medial->voxel[path[i]]);
	const double radius = radius_at(work, path[i]);
	for (size_t k = i + 1; k < count; k++) {
		const double ball = radius_at(work, path[k]);
		if (ball <= radius) continue;
		const double apart = ossai_distance(at, ossai_path_cell(work, work->medial->voxel[path[k]]));
		if (apart + radius - ball < fmax(IDLE_VOXELS, IDLE_OUT * ball)) return true;
		const double way = (double)(k - i);
		if (apart < radius + ball && way > TURNED_BACK * apart) return true;
		if (ball >= 2 * radius && apart + radius <= REACH_RADII * ball && way > DETOUR * apart) return true;
	}
	return false;
}

/* The last voxel of a path that lies in the ball of one much later on it: all up to there has gone out along the skin and come back. A few voxels more
   or less make no difference: every third is looked at. */
static size_t last_return(const ossai_path_work *work, size_t count, const uint32_t *path)
{
	size_t last = 0;
	for (size_t i = 0; i < count; i += 3) {
		const ossai_vec3 at = ossai_path_cell(work, work->medial->voxel[path[i]]);
		for (size_t k = i + 3; k < count; k += 3) {
			const double square = ossai_path_depth(work, path[k]), way = (double)(k - i);
			if (way * way <= square * RETURN_RADII * RETURN_RADII || square <= ossai_path_depth(work, path[i])) continue;
			if (ossai_length2(ossai_sub(ossai_path_cell(work, work->medial->voxel[path[k]]), at)) < square) last = i;
		}
	}
	return last;
}

/* The last voxel of a path from which the end of it, at `begin`, can be reached straight on: nothing beyond it goes, however evenly a limb tapers. */
static size_t last_near(const ossai_path_work *work, double reach, size_t count, const uint32_t *path, size_t begin)
{
	const ossai_vec3 end = ossai_path_cell(work, work->medial->voxel[path[begin]]);
	const double radius = radius_at(work, path[begin]);
	size_t last = begin;
	for (size_t i = begin + 1; i + 1 < count; i++) {
		const double apart = ossai_distance(end, ossai_path_cell(work, work->medial->voxel[path[i]]));
		if (apart + radius <= reach * radius_at(work, path[i])) last = i;
	}
	return last;
}

size_t ossai_path_idle_end(const ossai_path_work *work, bool is_short, size_t count, const uint32_t *path)
{
	const size_t back = last_return(work, count, path);
	const size_t most = last_near(work, is_short ? SHORT_RADII : REACH_RADII, count, path, back);
	size_t idle = back;
	while (idle < most && is_idle(work, count, path, idle)) idle++;
	return idle;
}

bool ossai_path_runs_along(const ossai_path_work *work, const ossai_path_tree *tree, size_t count, const uint32_t *path)
{
	for (size_t i = 0; i < count; i++) {
		if (work->out.far[path[i]] > 0) continue;
		return (double)(count - i) > RETURN_RADII * radius_of(work, tree->voxel[work->ball[path[i]]]);
	}
	return false;
}

/* ---- tips ---- */

typedef struct tips {
	uint32_t *degree, *child; /* nodes; child: the last one */
	uint32_t *count;          /* of an end: voxels on to its tip */
	size_t sum;
} tips;

static ossa_status find_ends(const ossai_path_work *work, const ossai_path_tree *tree, tips *t)
{
	const size_t count = tree->node_count;
	t->degree = ossai_arena_zero(work->scratch, count, sizeof *t->degree);
	t->child = ossai_arena_new(work->scratch, count, sizeof *t->child);
	t->count = ossai_arena_zero(work->scratch, count, sizeof *t->count);
	if (!t->degree || !t->child || !t->count) return ossa_context_error(work->scratch->context)->status;
	for (uint32_t i = 0; i < count; i++) {
		if (tree->parent[i] == OSSA_NONE) continue;
		t->degree[i]++;
		t->degree[tree->parent[i]]++;
		t->child[tree->parent[i]] = i;
	}
	return OSSA_OK;
}

/* the direction in which a path leaves at an end, which comes from its parent, or from its child where it is node 0 */
static ossai_vec3 direction_at(const ossai_path_work *work, const ossai_path_tree *tree, const tips *t, uint32_t end)
{
	const uint32_t *inward = end == 0 ? t->child : tree->parent;
	const ossai_vec3 at = ossai_path_cell(work, tree->voxel[end]);
	const double wanted = fmax(END_VOXELS, END_RADII * radius_of(work, tree->voxel[end]));
	ossai_vec3 back = at;
	for (uint32_t i = inward[end]; i != OSSA_NONE; i = inward[i]) {
		back = ossai_path_cell(work, tree->voxel[i]);
		if (t->degree[i] != 2 || ossai_distance(at, back) >= wanted) break;
	}
	return ossai_unit(ossai_sub(at, back), ossai_v3(0, 0, 0));
}

ossa_status ossai_path_reach_tips(ossai_arena *arena, const ossai_path_work *work, size_t root_count, ossai_path_tree *tree)
{
	const size_t count = tree->node_count;
	tips t = {0};
	OSSAI_TRY(find_ends(work, tree, &t));
	for (uint32_t i = 0; i < count; i++) {
		if (t.degree[i] != 1 || i < root_count) continue;
		t.count[i] = (uint32_t)straight_on(work, tree->voxel[i], direction_at(work, tree, &t, i), NULL);
		t.sum += t.count[i];
	}
	uint32_t *parent = ossai_arena_new(arena, count + t.sum, sizeof *parent);
	uint32_t *voxel = ossai_arena_new(arena, count + t.sum, sizeof *voxel);
	if (!parent || !voxel) return ossa_context_error(arena->context)->status;
	/* node 0 is the tip of the first end, and what was node 0 comes after the way there */
	const uint32_t shift = count > 0 ? t.count[0] : 0;
	if (shift > 0) straight_on(work, tree->voxel[0], direction_at(work, tree, &t, 0), voxel);
	for (uint32_t i = 0; i < shift / 2; i++) {
		const uint32_t swap = voxel[i];
		voxel[i] = voxel[shift - 1 - i];
		voxel[shift - 1 - i] = swap;
	}
	for (uint32_t i = 0; i < shift; i++) parent[i] = i == 0 ? OSSA_NONE : i - 1;
	for (uint32_t i = 0; i < count; i++) {
		voxel[shift + i] = tree->voxel[i];
		parent[shift + i] = tree->parent[i] != OSSA_NONE ? tree->parent[i] + shift
			: i == 0 && shift > 0                        ? shift - 1
														 : OSSA_NONE;
	}
	size_t end = shift + count;
	for (uint32_t i = 1; i < count; i++) {
		if (t.count[i] == 0) continue;
		straight_on(work, tree->voxel[i], direction_at(work, tree, &t, i), voxel + end);
		for (uint32_t k = 0; k < t.count[i]; k++, end++) parent[end] = k == 0 ? shift + i : (uint32_t)end - 1;
	}
	tree->node_count = end;
	tree->parent = parent;
	tree->voxel = voxel;
	return OSSA_OK;
}

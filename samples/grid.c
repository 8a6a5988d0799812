/* samples/grid.c: finds the bricks near the skin, samples them, and makes the samples
   well-composed.

   Place in the path: field -> grid -> skin.
   Input: a field that is a lower bound of distance.
   Output: samples whose zero set one vertex per cell can follow.
   Source of the repair: L. Latecki, U. Eckhardt, A. Rosenfeld, Well-Composed Sets, 1995: where no
   two inside corners of a cell touch only across a diagonal, the border of the inside is a
   2-manifold. */
#include "samples/grid.h"

#include <string.h>

/* ---- bricks ---- */

typedef struct brick_search {
	ossa_context *context;
	ossai_grid *grid;
} brick_search;

static ossa_status keep_brick(brick_search *search, const uint32_t at[3], const uint16_t *cones, size_t count)
{
	ossai_grid *grid = search->grid;
	OSSAI_TRY(ossai_reserve(search->context, &grid->bricks, &grid->brick_capacity, grid->brick_count, sizeof *grid->bricks));
	for (size_t i = 0; i < count; i++) {
		OSSAI_TRY(ossai_reserve(search->context, &grid->cones, &grid->cone_capacity, grid->cone_count, sizeof *grid->cones));
		grid->cones[grid->cone_count++] = cones[i];
	}
	grid->bricks[grid->brick_count++] = (ossai_brick){at[0], at[1], at[2], grid->cone_count - count, count};
	return OSSA_OK;
}

/* Descends an octree of `size` bricks a side, leaving out what is farther from the skin than the
   node reaches. The cones that cannot matter in a node are dropped; `cones` has capacity for twice
   the count for each level below. */
static ossa_status descend(brick_search *search, const uint32_t at[3], uint32_t size, uint16_t *cones, size_t count)
{
	const ossai_grid *grid = search->grid;
	const double step = grid->step, half = 0.5 * size * BRICK * step;
	const ossai_vec3 center = ossai_v3(grid->origin.x + at[0] * BRICK * step + half,
		grid->origin.y + at[1] * BRICK * step + half, grid->origin.z + at[2] * BRICK * step + half);
	// a cell of margin, so that every cell the skin passes has all its corners in bricks
	const double radius = sqrt(3) * (half + step);
	const double field = ossai_flesh_at(grid->flesh, cones, count, center, NULL);
	if (fabs(field) > radius) return OSSA_OK;
	uint16_t *kept = cones + count;
	const size_t kept_count = ossai_flesh_cull(grid->flesh, cones, count, center, radius, field, kept);
	if (size == 1) return keep_brick(search, at, kept, kept_count);
	for (uint32_t i = 0; i < 8; i++) {
		const uint32_t s = size / 2, child[3] = {at[0] + s * (i & 1), at[1] + s * (i >> 1 & 1), at[2] + s * (i >> 2)};
		OSSAI_TRY(descend(search, child, s, kept, kept_count));
	}
	return OSSA_OK;
}

/* the box of a piece's cones, in world space */
static void piece_bounds(const ossai_flesh *flesh, const uint16_t *cones, size_t count, ossai_vec3 *low, ossai_vec3 *high)
{
	*low = ossai_v3(1e30, 1e30, 1e30);
	*high = ossai_v3(-1e30, -1e30, -1e30);
	for (size_t i = 0; i < 2 * count; i++) {
		const flesh_cone *cone = &flesh->cones[cones[i / 2]];
		const flesh_limb *limb = &flesh->limbs[cone->limb];
		const ossai_vec3 c = ossai_madd(cone->a, i % 2 ? cone->length : 0, cone->direction);
		const double r = fmax(cone->radius, cone->radius - cone->slope * cone->length) + flesh->blend / 2;
		const double rx = r + fmax(0, limb->box.x), ry = r + fmax(0, limb->box.y), rz = r + fmax(0, limb->box.z);
		*low = ossai_v3(fmin(low->x, (c.x - rx) / limb->unscale.x), fmin(low->y, (c.y - ry) / limb->unscale.y),
			fmin(low->z, (c.z - rz) / limb->unscale.z));
		*high = ossai_v3(fmax(high->x, (c.x + rx) / limb->unscale.x), fmax(high->y, (c.y + ry) / limb->unscale.y),
			fmax(high->z, (c.z + rz) / limb->unscale.z));
	}
}

/* Places the grid: points lie half a step off the planes x, y, z = 0, so that mirrored flesh has a
   mirrored skin. Returns the side of the smallest octree that covers the box, in bricks. */
static uint32_t place_grid(ossai_grid *grid, ossai_vec3 low, ossai_vec3 high)
{
	const double side = BRICK * grid->step;
	grid->origin = ossai_v3((floor(low.x / side) - 1) * side + grid->step / 2,
		(floor(low.y / side) - 1) * side + grid->step / 2, (floor(low.z / side) - 1) * side + grid->step / 2);
	const double extent = fmax(high.x - grid->origin.x, fmax(high.y - grid->origin.y, high.z - grid->origin.z)) + side;
	uint32_t size = 1;
	while (size * side < extent) size *= 2;
	return size;
}

static ossa_status find_bricks(ossa_context *context, int piece, ossai_arena *arena, ossai_grid *grid)
{
	enum { LEVELS = 32 };
	const ossai_flesh *flesh = grid->flesh;
	uint16_t *cones = ossai_arena_new(arena, LEVELS * flesh->cone_count, sizeof *cones);
	if (!cones) return ossa_context_error(context)->status;
	size_t count = 0;
	for (size_t i = 0; i < flesh->cone_count; i++) {
		if (flesh->limbs[flesh->cones[i].limb].piece == piece) cones[count++] = (uint16_t)i;
	}
	ossai_vec3 low, high;
	piece_bounds(flesh, cones, count, &low, &high);
	const uint32_t size = place_grid(grid, low, high), root[3] = {0, 0, 0};
	brick_search search = {context, grid};
	return descend(&search, root, size, cones, count);
}

/* ---- looking up ---- */

static size_t hash(uint32_t x, uint32_t y, uint32_t z)
{
	uint64_t h = x * UINT64_C(0x9E3779B97F4A7C15) ^ y * UINT64_C(0xC2B2AE3D27D4EB4F) ^ z * UINT64_C(0x165667B19E3779F9);
	return (size_t)(h ^ h >> 29);
}

static ossa_status index_bricks(ossa_context *context, ossai_grid *grid)
{
	grid->slot_count = 16;
	while (grid->slot_count < 2 * grid->brick_count) grid->slot_count *= 2;
	grid->slots = ossai_new(context, grid->slot_count, sizeof *grid->slots);
	if (!grid->slots) return ossa_context_error(context)->status;
	memset(grid->slots, 0xff, grid->slot_count * sizeof *grid->slots);
	for (size_t i = 0; i < grid->brick_count; i++) {
		const ossai_brick *brick = &grid->bricks[i];
		size_t slot = hash(brick->x, brick->y, brick->z) & (grid->slot_count - 1);
		while (grid->slots[slot] != OSSA_NONE) slot = (slot + 1) & (grid->slot_count - 1);
		grid->slots[slot] = (uint32_t)i;
	}
	return OSSA_OK;
}

uint32_t ossai_grid_find(const ossai_grid *grid, uint32_t x, uint32_t y, uint32_t z)
{
	size_t slot = hash(x, y, z) & (grid->slot_count - 1);
	for (; grid->slots[slot] != OSSA_NONE; slot = (slot + 1) & (grid->slot_count - 1)) {
		const ossai_brick *brick = &grid->bricks[grid->slots[slot]];
		if (brick->x == x && brick->y == y && brick->z == z) return grid->slots[slot];
	}
	return OSSA_NONE;
}

void ossai_grid_block(const ossai_grid *grid, size_t index, float *block)
{
	const ossai_brick *at = &grid->bricks[index];
	for (uint32_t i = 0; i < 8; i++) {
		const uint32_t dx = i & 1, dy = i >> 1 & 1, dz = i >> 2;
		const uint32_t from = i ? ossai_grid_find(grid, at->x + dx, at->y + dy, at->z + dz) : (uint32_t)index;
		// beyond the bricks no cell is mixed: repeating the last value keeps it so
		const float *values = grid->values + BRICK_POINTS * (from == OSSA_NONE ? index : (size_t)from);
		const uint32_t edge = from == OSSA_NONE ? BRICK - 1 : 0;
		for (uint32_t z = dz * BRICK; z < (dz ? BLOCK : BRICK); z++) {
			for (uint32_t y = dy * BRICK; y < (dy ? BLOCK : BRICK); y++) {
				for (uint32_t x = dx * BRICK; x < (dx ? BLOCK : BRICK); x++) {
					const uint32_t lx = dx ? edge : x, ly = dy ? edge : y, lz = dz ? edge : z;
					block[x + BLOCK * (y + BLOCK * z)] = values[lx + BRICK * (ly + BRICK * lz)];
				}
			}
		}
	}
}

/* ---- samples ---- */

/* the point of a brick at steps from its corner, which need not be whole */
static ossai_vec3 brick_point(const ossai_grid *grid, const ossai_brick *brick, double x, double y, double z)
{
	return ossai_v3(grid->origin.x + grid->step * (brick->x * BRICK + x), grid->origin.y + grid->step * (brick->y * BRICK + y),
		grid->origin.z + grid->step * (brick->z * BRICK + z));
}

/* Samples one eighth of a brick. Where the skin is farther from its middle than any cell of its
   points reaches, the sign is all that counts. */
static void sample_eighth(const ossai_grid *grid, const ossai_brick *brick, int x0, int y0, int z0, float *values)
{
	enum { HALF = BRICK / 2 };
	const uint16_t *cones = grid->cones + brick->first_cone;
	const double middle = 0.5 * (HALF - 1), radius = sqrt(3) * (middle + 1) * grid->step;
	const ossai_vec3 center = brick_point(grid, brick, x0 + middle, y0 + middle, z0 + middle);
	const double field = ossai_flesh_at(grid->flesh, cones, brick->cone_count, center, NULL);
	uint16_t kept[FLESH_CONES];
	size_t count = 0;
	if (fabs(field) <= radius) {
		count = ossai_flesh_cull(grid->flesh, cones, brick->cone_count, center, radius, field, kept);
	}
	for (int i = 0; i < HALF * HALF * HALF; i++) {
		const int x = x0 + i % HALF, y = y0 + i / HALF % HALF, z = z0 + i / (HALF * HALF);
		const ossai_vec3 p = brick_point(grid, brick, x, y, z);
		values[x + BRICK * (y + BRICK * z)] = (float)(count ? ossai_flesh_at(grid->flesh, kept, count, p, NULL) : field);
	}
}

static void sample_bricks(void *arg, size_t begin, size_t end)
{
	ossai_grid *grid = arg;
	for (size_t i = begin; i < end; i++) {
		for (int k = 0; k < 8; k++) {
			sample_eighth(grid, &grid->bricks[i], BRICK / 2 * (k & 1), BRICK / 2 * (k >> 1 & 1), BRICK / 2 * (k >> 2),
				grid->values + i * BRICK_POINTS);
		}
	}
}

/* whether a cell has corners that touch only across a diagonal of a side, or two only across the
   cell's own */
static bool is_pinched(unsigned mask)
{
	static const unsigned char sides[6][4] = {
		{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}};
	for (int i = 0; i < 6; i++) {
		const unsigned a = mask >> sides[i][0] & 1, b = mask >> sides[i][1] & 1;
		const unsigned c = mask >> sides[i][2] & 1, d = mask >> sides[i][3] & 1;
		if (a == c && b == d && a != b) return true;
	}
	for (unsigned i = 0; i < 4; i++) {
		const unsigned pair = 1u << i | 1u << (7 - i);
		if (mask == pair || mask == (~pair & 0xff)) return true;
	}
	return false;
}

/* puts the outside corner of a cell that is nearest to the inside into it; false where it belongs
   to no brick */
static bool fill_corner(ossai_grid *grid, const ossai_brick *at, const float *block, int x, int y, int z)
{
	int best = -1;
	float nearest = INFINITY;
	for (int i = 0; i < 8; i++) {
		const float value = block[x + (i & 1) + BLOCK * (y + (i >> 1 & 1) + BLOCK * (z + (i >> 2)))];
		if (value < 0 || value >= nearest) continue;
		nearest = value;
		best = i;
	}
	const uint32_t px = (uint32_t)(x + (best & 1)), py = (uint32_t)(y + (best >> 1 & 1)), pz = (uint32_t)(z + (best >> 2));
	const uint32_t owner = ossai_grid_find(grid, at->x + px / BRICK, at->y + py / BRICK, at->z + pz / BRICK);
	if (owner == OSSA_NONE) return false;
	const size_t point = px % BRICK + BRICK * (py % BRICK + BRICK * (pz % BRICK));
	grid->values[owner * BRICK_POINTS + point] = (float)(-1e-3 * grid->step);
	return true;
}

/* Fills corners until no cell is pinched. Filling only adds to the inside, so it ends; where the
   flesh is thicker than a cell one sweep finds nothing to do. */
static void fill_pinches(ossai_grid *grid)
{
	bool pinched[256];
	for (unsigned mask = 0; mask < 256; mask++) pinched[mask] = is_pinched(mask);
	bool again = true;
	while (again) {
		again = false;
		for (size_t i = 0; i < grid->brick_count; i++) {
			float block[BLOCK_POINTS];
			ossai_grid_block(grid, i, block);
			for (int k = 0; k < BRICK_POINTS; k++) {
				const int x = k % BRICK, y = k / BRICK % BRICK, z = k / (BRICK * BRICK);
				if (!pinched[ossai_block_corners(block, x, y, z)]) continue;
				if (!fill_corner(grid, &grid->bricks[i], block, x, y, z)) continue;
				ossai_grid_block(grid, i, block);
				again = true;
			}
		}
	}
}

static ossa_status fill_grid(ossa_context *context, int piece, ossai_arena *arena, ossai_grid *grid)
{
	OSSAI_TRY(find_bricks(context, piece, arena, grid));
	OSSAI_TRY(index_bricks(context, grid));
	grid->values = ossai_new(context, grid->brick_count * BRICK_POINTS, sizeof *grid->values);
	if (!grid->values) return ossa_context_error(context)->status;
	ossai_parallel_for(context, grid->brick_count, 4, sample_bricks, grid);
	fill_pinches(grid);
	return OSSA_OK;
}

ossa_status ossai_grid_build(ossa_context *context, const ossai_flesh *flesh, int piece, double step, ossai_grid *grid)
{
	*grid = (ossai_grid){.flesh = flesh, .step = step};
	ossai_arena arena = ossai_arena_begin(context);
	const ossa_status status = fill_grid(context, piece, &arena, grid);
	ossai_arena_end(&arena);
	if (status != OSSA_OK) ossai_grid_free(context, grid);
	return status;
}

void ossai_grid_free(ossa_context *context, ossai_grid *grid)
{
	ossa_free(context, grid->bricks);
	ossa_free(context, grid->cones);
	ossa_free(context, grid->values);
	ossa_free(context, grid->slots);
	*grid = (ossai_grid){0};
}

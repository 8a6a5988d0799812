/* proxy/shell_field.c: the signed distance field on a shell's grid.

   Place in the path: part of shell_grid.
   Input: bricks with distances, signs and winding numbers.
   Output: a field that is negative inside: the signed distance, offset where parts are thin, with
   narrow gaps closed. */
#include "proxy/shell_grid.h"

#include <ossa/mesh.h>
#include <string.h>

enum {
	REACH = 2, /* radius, in steps, in which the local thickness is searched */
	WIDE = OSSAI_BRICK + 2 * REACH,
	WIDE_POINTS = WIDE * WIDE * WIDE
};
/* Half of the least thickness, in steps: half a cell's diagonal, so that no cell is missed. */
static const float THICKNESS = 0.87f;
/* Only points of a larger winding number have a depth: on the concave side of a bent sheet numbers
   are a little over a half. */
static const float SOLID_WINDING = 0.65f;
/* Gaps narrower than twice this, in steps, are closed: the grid does not resolve them. */
static const float CLOSING = 0.3f;
/* No value is closer to zero, in steps: a vertex at a grid point would belong to several edges. */
static const float LEAST = 0.03f;

static const int STRIDE[3] = {1, OSSAI_BRICK, OSSAI_BRICK *OSSAI_BRICK};

static float capped(float distance) { return distance < OSSAI_SHELL_FAR ? distance : OSSAI_SHELL_FAR; }

/* the depth of a point inside. On the concave side of a bent sheet winding numbers are a little
   over a half: that is no thickness */
static float depth_of(const ossai_brick *brick, int point)
{
	const bool is_solid = (brick->flags[point] & OSSAI_INSIDE) && fabsf(brick->winding[point]) > SOLID_WINDING;
	return is_solid ? capped(brick->distance[point]) : 0;
}

/* the depths of the enlarged block */
static void gather_depths(const ossai_surroundings *s, float *depths)
{
	for (int z = -REACH, i = 0; z < OSSAI_BRICK + REACH; z++) {
		for (int y = -REACH; y < OSSAI_BRICK + REACH; y++) {
			for (int x = -REACH; x < OSSAI_BRICK + REACH; x++, i++) {
				int point;
				const int m = ossai_shell_owner(x, y, z, &point);
				const ossai_brick *brick = s->brick[m];
				if (!brick) depths[i] = s->is_inside[m] ? OSSAI_SHELL_FAR : 0;
				else depths[i] = depth_of(brick, point);
			}
		}
	}
}

/* in place, the maximum over 5 values along an axis; values closer than 2 to the ends stay as they
   are */
static void largest_along(float *values, int stride)
{
	for (int line = 0; line < WIDE * WIDE; line++) {
		const int begin = stride == 1 ? line * WIDE : stride == WIDE ? line / WIDE * WIDE * WIDE + line % WIDE : line;
		float before[WIDE];
		for (int i = 0; i < WIDE; i++) before[i] = values[begin + i * stride];
		for (int i = REACH; i < WIDE - REACH; i++) {
			float most = before[i];
			for (int k = -REACH; k <= REACH; k++) most = before[i + k] > most ? before[i + k] : most;
			values[begin + i * stride] = most;
		}
	}
}

/* whether a brick has points outside that may be thickened */
static bool has_near_outside(const ossai_brick *brick)
{
	for (int i = 0; i < OSSAI_BRICK_POINTS; i++) {
		if (!(brick->flags[i] & OSSAI_INSIDE) && brick->distance[i] < 2 * THICKNESS) return true;
	}
	return false;
}

/* whether a point outside is in a gap: the surface is near, and the points before and after it
   along an axis are inside */
static bool is_in_gap(const ossai_surroundings *s, int point)
{
	if (!(s->brick[13]->distance[point] < CLOSING)) return false;
	for (int k = 0; k < 3; k++) {
		bool both = true;
		for (int step = -1; step <= 1 && both; step += 2) {
			int at[3] = {point % 8, point / 8 % 8, point / 64}, there;
			at[k] += step;
			const int m = ossai_shell_owner(at[0], at[1], at[2], &there);
			both = s->brick[m] ? (s->brick[m]->flags[there] & OSSAI_INSIDE) != 0 : s->is_inside[m];
		}
		if (both) return true;
	}
	return false;
}

/* never zero */
static float kept_off_zero(float field)
{
	if (field < 0) return field < -LEAST ? field : -LEAST;
	return field > LEAST ? field : LEAST;
}

/* the signed distance, offset where the part is thin; gaps are closed */
static void field_range(void *arg, size_t begin, size_t end)
{
	const ossai_shell_grid *grid = arg;
	float depths[WIDE_POINTS];
	for (size_t b = begin; b < end; b++) {
		ossai_brick *brick = grid->bricks[b];
		brick->thin_count = brick->near_count = 0;
		const bool may_lack = has_near_outside(brick);
		const ossai_surroundings s = ossai_shell_look_around(grid, brick);
		if (may_lack) {
			gather_depths(&s, depths);
			largest_along(depths, 1);
			largest_along(depths, WIDE);
			largest_along(depths, WIDE * WIDE);
		}
		for (int i = 0; i < OSSAI_BRICK_POINTS; i++) {
			const float distance = capped(brick->distance[i]);
			if (brick->flags[i] & OSSAI_INSIDE) {
				brick->field[i] = kept_off_zero(-distance);
				continue;
			}
			const int wide = i % 8 + REACH + WIDE * (i / 8 % 8 + REACH) + WIDE * WIDE * (i / 64 + REACH);
			const float depth = may_lack ? depths[wide] : OSSAI_SHELL_FAR,
						lacks = distance < OSSAI_SHELL_FAR ? THICKNESS - depth : 0;
			if (distance < THICKNESS) {
				brick->near_count++;
				brick->thin_count += depth > 0 && lacks > 0;
			}
			brick->field[i] = kept_off_zero(distance - (lacks > 0 ? lacks : 0));
			if (brick->field[i] > 0 && is_in_gap(&s, i)) {
				brick->field[i] = -LEAST;
				brick->thin_count++;
			}
		}
	}
}

/* thickening may extend to where there are no bricks */
static ossa_status add_rim(ossai_shell_grid *grid)
{
	for (size_t b = 0; b < grid->brick_count; b++) {
		for (int side = 0; side < 6; side++) {
			const int k = side / 2, up = side % 2, u = STRIDE[(k + 1) % 3], v = STRIDE[(k + 2) % 3];
			uint32_t at[3] = {grid->bricks[b]->at[0], grid->bricks[b]->at[1], grid->bricks[b]->at[2]};
			at[k] += up ? 1u : (uint32_t)-1;
			if (at[k] >= grid->size[k]) continue;
			const size_t cell = ossai_shell_cell(grid, at);
			if (grid->brick_of[cell] != OSSA_NONE || grid->outer_sides[cell] == 2) continue;
			bool is_reached = false;
			for (int i = 0; i < OSSAI_BRICK * OSSAI_BRICK; i++) {
				const int point = (up ? (OSSAI_BRICK - 1) * STRIDE[k] : 0) + i % OSSAI_BRICK * u + i / OSSAI_BRICK * v;
				is_reached |= grid->bricks[b]->field[point] < 0;
			}
			if (is_reached) OSSAI_TRY(ossai_shell_grid_add(grid, at));
		}
	}
	return OSSA_OK;
}

/* gaps that are closed count as thin parts */
static double thin_share(const ossai_shell_grid *grid)
{
	size_t near = 0, thin = 0;
	for (size_t b = 0; b < grid->brick_count; b++) {
		near += grid->bricks[b]->near_count;
		thin += grid->bricks[b]->thin_count;
	}
	return near ? (double)thin / (double)near : 0;
}

ossa_status ossai_shell_grid_make_field(ossai_shell_grid *grid, double *thin)
{
	ossai_parallel_for(grid->context, grid->brick_count, 4, field_range, grid);
	*thin = thin_share(grid);
	return add_rim(grid);
}

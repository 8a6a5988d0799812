/* proxy/shell_grid.h: a sparse grid of bricks around a surface: the distance of each point from the
   surface, the grid edges that it cuts, and which points it encloses.

   Place in the path: below shell.
   Input: oriented faces.
   Output: a signed distance field for isosurface.
   Lengths are in steps of the grid. */
#ifndef OSSAI_PROXY_SHELL_GRID_H
#define OSSAI_PROXY_SHELL_GRID_H

#include "query/winding_numbers.h"
#include "mesh/orient.h"

#include <ossa/mesh.h>

enum {
	OSSAI_BRICK = 8, /* points on a side of a brick */
	OSSAI_BRICK_POINTS = OSSAI_BRICK * OSSAI_BRICK * OSSAI_BRICK,
	OSSAI_BLOCK = OSSAI_BRICK + 2, /* a brick and one layer of points around it */
	OSSAI_BLOCK_POINTS = OSSAI_BLOCK * OSSAI_BLOCK * OSSAI_BLOCK,
	OSSAI_CUT = 7,    /* bits of flags: the surface cuts the edge to the next point in x, y, z */
	OSSAI_INSIDE = 8, /* bit of flags */
	/* bit of flags: the winding number is the point's own, not that of its component */
	OSSAI_KNOWN = 16
};

/* Points are numbered x + 8 y + 64 z. */
typedef struct ossai_brick {
	uint32_t at[3];                  /* in bricks */
	uint32_t first_face, face_count; /* in the grid's list */
	/* to the surface, exact near it; INFINITY: far away */
	float distance[OSSAI_BRICK_POINTS];
	uint32_t nearest[OSSAI_BRICK_POINTS]; /* the nearest face */
	float winding[OSSAI_BRICK_POINTS];
	float field[OSSAI_BRICK_POINTS]; /* negative inside the shell */
	/* components of points connected by edges of the brick that the surface does not cut */
	uint16_t part[OSSAI_BRICK_POINTS];
	uint8_t flags[OSSAI_BRICK_POINTS];
	uint16_t part_count;
	/* of points outside: near the surface, and of these at parts that are thin */
	uint16_t near_count, thin_count;
} ossai_brick;

typedef struct ossai_shell_grid {
	ossa_context *context;
	ossai_arena *arena;
	const ossai_oriented *surface;
	double *points;    /* the surface's, in steps from point 0 0 0 */
	ossai_vec3 origin; /* of point 0 0 0 */
	double step;
	uint32_t size[3];     /* in bricks; the outermost layer is outside */
	uint32_t *brick_of;   /* size x * size y * size z; OSSA_NONE where there is none */
	uint8_t *outer_sides; /* where there is no brick: 0 unknown, 1 outside, 2 inside */
	size_t brick_count, brick_capacity;
	ossai_brick **bricks;
	uint32_t *faces; /* the bricks' lists */
} ossai_shell_grid;

/* Lays a grid with the given step over the surface and fills in distances and cut edges. Arrays are
   the arena's. Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED.  Cost: linear in faces and in the
   surface's area in steps. */
ossa_status ossai_shell_grid_make(ossai_arena *arena, const ossai_oriented *surface, double step, ossai_shell_grid *grid);

/* Decides which points are inside, by the winding numbers of the surface: shell_inside.c. Errors:
   OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED. */
ossa_status ossai_shell_grid_fill(ossai_shell_grid *grid, const ossai_winding_tree *tree);

/* Distances in the field are clamped to this, in steps. */
#define OSSAI_SHELL_FAR 2.5f

/* Makes the field: the signed distance, offset where the surface encloses less than about a step on
   either side; gaps of less than half a step are closed: shell_field.c. thin: of the points near
   the surface, the share at parts that have an inside thinner than a step, and in gaps that are
   closed.  Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_shell_grid_make_field(ossai_shell_grid *grid, double *thin);

/* Adds a brick where there is none: all its points far away and outside. */
ossa_status ossai_shell_grid_add(ossai_shell_grid *grid, const uint32_t *at);

static inline size_t ossai_shell_cell(const ossai_shell_grid *grid, const uint32_t *at)
{
	return at[0] + (size_t)grid->size[0] * (at[1] + (size_t)grid->size[1] * at[2]);
}

/* The brick at brick coordinates moved by dx dy dz, or NULL. */
static inline ossai_brick *ossai_shell_neighbor(const ossai_shell_grid *grid, const ossai_brick *brick, int dx, int dy, int dz)
{
	const uint32_t at[3] = {brick->at[0] + (uint32_t)dx, brick->at[1] + (uint32_t)dy, brick->at[2] + (uint32_t)dz};
	if (at[0] >= grid->size[0] || at[1] >= grid->size[1] || at[2] >= grid->size[2]) return NULL;
	const uint32_t index = grid->brick_of[ossai_shell_cell(grid, at)];
	return index == OSSA_NONE ? NULL : grid->bricks[index];
}

/* A brick and its 26 neighbours, by 1 + dx + 3 (1 + dy) + 9 (1 + dz); NULL where there is none, and
   then the side on which all of it lies. */
typedef struct ossai_surroundings {
	const ossai_brick *brick[27];
	bool is_inside[27];
} ossai_surroundings;

ossai_surroundings ossai_shell_look_around(const ossai_shell_grid *grid, const ossai_brick *brick);

/* Which of the 27 bricks has the point, and its index there; coordinates from -8 to 15. */
static inline int ossai_shell_owner(int x, int y, int z, int *point)
{
	*point = (x & 7) + 8 * (y & 7) + 64 * (z & 7);
	return (x + 8) / 8 + 3 * ((y + 8) / 8) + 9 * ((z + 8) / 8);
}

#endif

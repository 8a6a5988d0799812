/* samples/skin_net.c: one vertex for each cell that the skin passes, one quad around each grid edge
   that it crosses (surface nets): see skin_net.h.

   Input: well-composed samples, so that every cell has one sheet of skin in it, and every edge of
   the net two quads: the skin is a closed 2-manifold by construction. Cuts leave a clean border.
   Source: S. Gibson, Constrained Elastic Surface Nets, 1998; well-composedness: see grid.c. */
#include "samples/skin_net.h"

#include <string.h>

/* ---- cells to vertices ---- */

/* mean of the points where the skin crosses the cell's edges, in steps from the cell's corner */
static ossai_vec3 crossing_mean(const float *block, int x, int y, int z)
{
	ossai_vec3 sum = {0, 0, 0};
	int count = 0;
	for (int i = 0; i < 8; i++) {
		const float a = block[x + (i & 1) + BLOCK * (y + (i >> 1 & 1) + BLOCK * (z + (i >> 2)))];
		for (int axis = 0; axis < 3; axis++) {
			if (i >> axis & 1) continue;
			const int j = i | 1 << axis;
			const float b = block[x + (j & 1) + BLOCK * (y + (j >> 1 & 1) + BLOCK * (z + (j >> 2)))];
			if ((a < 0) == (b < 0)) continue;
			const double t = (double)a / ((double)a - (double)b);
			double at[3] = {i & 1, i >> 1 & 1, i >> 2};
			at[axis] += t;
			sum = ossai_add(sum, ossai_v3_of(at));
			count++;
		}
	}
	return ossai_scale(sum, 1.0 / count);
}

/* Whether the cuts leave a cell: false where it is beyond one. On a cut's layer of cells only those
   stay that the skin enters from the kept side; `*cut` is then that cut, else -1. */
static bool is_kept(const skin_net *net, const ossai_creature *creature, const uint32_t cell[3], unsigned corners, int *cut)
{
	static const unsigned low_side[3] = {0x55, 0x33, 0x0f};
	*cut = -1;
	for (int i = 0; i < creature->cut_count; i++) {
		const creature_cut *c = &creature->cuts[i];
		const double origin[3] = {net->grid.origin.x, net->grid.origin.y, net->grid.origin.z};
		const double beyond = c->side * ((double)cell[c->axis] - floor((c->at - origin[c->axis]) / net->grid.step));
		if (beyond > 0) return false;
		if (beyond < 0) continue;
		const unsigned side = c->side > 0 ? low_side[c->axis] : 0xff & ~low_side[c->axis];
		if ((corners & side) == 0 || (corners & side) == side) return false;
		*cut = i;
	}
	return true;
}

static ossa_status add_vertices(ossa_context *context, const ossai_creature *creature, skin_net *net)
{
	const ossai_grid *grid = &net->grid;
	for (size_t i = 0; i < grid->brick_count; i++) {
		const ossai_brick *brick = &grid->bricks[i];
		float block[BLOCK_POINTS];
		ossai_grid_block(grid, i, block);
		for (uint32_t k = 0; k < BRICK_POINTS; k++) {
			const uint32_t x = k % BRICK, y = k / BRICK % BRICK, z = k / (BRICK * BRICK);
			const unsigned corners = ossai_block_corners(block, (int)x, (int)y, (int)z);
			if (corners == 0 || corners == 0xff) continue;
			const uint32_t cell[3] = {brick->x * BRICK + x, brick->y * BRICK + y, brick->z * BRICK + z};
			int cut;
			if (!is_kept(net, creature, cell, corners, &cut)) continue;
			OSSAI_TRY(ossai_reserve(context, &net->vertices, &net->vertex_capacity, net->vertex_count, sizeof *net->vertices));
			const ossai_vec3 inside = crossing_mean(block, (int)x, (int)y, (int)z);
			const ossai_vec3 steps = ossai_add(ossai_v3(cell[0], cell[1], cell[2]), inside);
			net->cell_vertex[i * BRICK_POINTS + k] = (uint32_t)net->vertex_count;
			net->vertices[net->vertex_count++] = (net_vertex){ossai_madd(grid->origin, grid->step, steps), (uint32_t)i, cut};
		}
	}
	return OSSA_OK;
}

/* ---- edges to quads ---- */

/* the vertex of the cell at an offset (0 or -1 each) from a point of a brick */
static uint32_t vertex_near(const skin_net *net, size_t index, const uint32_t point[3], const int offset[3])
{
	const ossai_brick *brick = &net->grid.bricks[index];
	const int x = (int)point[0] + offset[0], y = (int)point[1] + offset[1], z = (int)point[2] + offset[2];
	size_t owner = index;
	if (x < 0 || y < 0 || z < 0) {
		const uint32_t found = ossai_grid_find(&net->grid, brick->x - (x < 0), brick->y - (y < 0), brick->z - (z < 0));
		if (found == OSSA_NONE) return OSSA_NONE;
		owner = found;
	}
	const uint32_t local = ((uint32_t)x & (BRICK - 1)) +
		BRICK * (((uint32_t)y & (BRICK - 1)) + BRICK * ((uint32_t)z & (BRICK - 1)));
	return net->cell_vertex[owner * BRICK_POINTS + local];
}

/* the quad of the four cells around the edge from a point along `axis`; `outward`: the skin looks
   along the axis */
static ossa_status add_quad(ossa_context *context, skin_net *net, size_t index, const uint32_t point[3], int axis, bool outward)
{
	static const int around[4][2] = {{-1, -1}, {0, -1}, {0, 0}, {-1, 0}};
	uint32_t quad[4];
	int inner = 0;
	for (int i = 0; i < 4; i++) {
		int offset[3] = {0, 0, 0};
		offset[(axis + 1) % 3] = around[i][0];
		offset[(axis + 2) % 3] = around[i][1];
		const uint32_t vertex = vertex_near(net, index, point, offset);
		if (vertex == OSSA_NONE) return OSSA_OK;
		quad[outward ? i : 3 - i] = vertex;
		inner += net->vertices[vertex].cut < 0;
	}
	// a quad within a cut's layer would be a lid on it
	if (inner == 0) return OSSA_OK;
	OSSAI_TRY(ossai_reserve(context, &net->quads, &net->quad_capacity, net->quad_count, sizeof *net->quads));
	memcpy(net->quads[net->quad_count++], quad, sizeof quad);
	return OSSA_OK;
}

static ossa_status add_quads(ossa_context *context, skin_net *net)
{
	static const int stride[3] = {1, BLOCK, BLOCK * BLOCK};
	for (size_t i = 0; i < net->grid.brick_count; i++) {
		float block[BLOCK_POINTS];
		ossai_grid_block(&net->grid, i, block);
		for (uint32_t k = 0; k < BRICK_POINTS; k++) {
			const uint32_t point[3] = {k % BRICK, k / BRICK % BRICK, k / (BRICK * BRICK)};
			const float *at = block + point[0] + BLOCK * (point[1] + BLOCK * point[2]);
			for (int axis = 0; axis < 3; axis++) {
				if ((at[0] < 0) == (at[stride[axis]] < 0)) continue;
				OSSAI_TRY(add_quad(context, net, i, point, axis, at[0] < 0));
			}
		}
	}
	return OSSA_OK;
}

/* ---- nets of all pieces ---- */

void ossai_skin_nets_free(ossa_context *context, skin_nets *nets)
{
	for (int i = 0; i < nets->count; i++) {
		skin_net *net = &nets->pieces[i];
		ossa_free(context, net->cell_vertex);
		ossa_free(context, net->vertices);
		ossa_free(context, net->quads);
		ossai_grid_free(context, &net->grid);
	}
	ossai_arena_end(&nets->arena);
	*nets = (skin_nets){0};
}

static ossa_status build_net(ossa_context *context, const ossai_flesh *flesh, int piece, double step, skin_net *net)
{
	OSSAI_TRY(ossai_grid_build(context, flesh, piece, step, &net->grid));
	const size_t cells = net->grid.brick_count * BRICK_POINTS;
	net->cell_vertex = ossai_new(context, cells, sizeof *net->cell_vertex);
	if (!net->cell_vertex) return ossa_context_error(context)->status;
	memset(net->cell_vertex, 0xff, cells * sizeof *net->cell_vertex);
	OSSAI_TRY(add_vertices(context, flesh->creature, net));
	return add_quads(context, net);
}

static ossa_status fill_nets(ossa_context *context, const ossai_creature *creature, double step, skin_nets *nets)
{
	// a ball of 0.8 steps always holds a grid point or nearly so
	OSSAI_TRY(ossai_flesh_build(creature, 0.8 * step, &nets->arena, &nets->flesh));
	nets->pieces = ossai_arena_zero(&nets->arena, (size_t)creature->piece_count, sizeof *nets->pieces);
	if (!nets->pieces) return ossa_context_error(context)->status;
	nets->count = creature->piece_count;
	for (int i = 0; i < nets->count; i++) {
		OSSAI_TRY(build_net(context, &nets->flesh, i, step, &nets->pieces[i]));
		nets->vertex_count += nets->pieces[i].vertex_count;
		nets->quad_count += nets->pieces[i].quad_count;
	}
	return OSSA_OK;
}

ossa_status ossai_skin_nets_build(ossa_context *context, const ossai_creature *creature, double step, skin_nets *nets)
{
	*nets = (skin_nets){.arena = ossai_arena_begin(context)};
	const ossa_status status = fill_nets(context, creature, step, nets);
	if (status != OSSA_OK) ossai_skin_nets_free(context, nets);
	return status;
}

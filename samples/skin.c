/* samples/skin.c: one vertex for each cell that the skin passes, one quad around each grid edge
   that it crosses (surface nets), then a few rounds of smoothing along the field.

   Place in the path: grid -> skin -> rest mesh.
   Input: well-composed samples, so that every cell has one sheet of skin in it, and every edge of
   the net two quads: the skin is a closed 2-manifold by construction. Cuts leave a clean border.
   Source: S. Gibson, Constrained Elastic Surface Nets, 1998; well-composedness: see grid.c. */
#include "samples/skin.h"
#include "samples/grid.h"

#include <string.h>

enum { SMOOTHING_ROUNDS = 5, PROBE_FACES = 20000, STEP_TRIALS = 10 };

/* The flesh of one piece as a net of quads. */
typedef struct skin_net {
	ossai_grid grid;
	uint32_t *cell_vertex; /* brick_count x BRICK_POINTS, OSSA_NONE where the skin does not pass */
	size_t vertex_count, vertex_capacity;
	struct net_vertex *vertices;
	size_t quad_count, quad_capacity;
	uint32_t (*quads)[4]; /* counter-clockwise from outside */
} skin_net;

typedef struct net_vertex {
	ossai_vec3 at;
	uint32_t brick;
	int cut; /* the cut whose border it lies on, or -1 */
} net_vertex;

typedef struct skin_nets {
	ossai_arena arena; /* of the flesh */
	ossai_flesh flesh;
	int count;
	skin_net *pieces;
	size_t vertex_count, quad_count;
} skin_nets;

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

static void free_nets(ossa_context *context, skin_nets *nets)
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

static ossa_status build_nets(ossa_context *context, const ossai_creature *creature, double step, skin_nets *nets)
{
	*nets = (skin_nets){.arena = ossai_arena_begin(context)};
	const ossa_status status = fill_nets(context, creature, step, nets);
	if (status != OSSA_OK) free_nets(context, nets);
	return status;
}

/* ---- smoothing ---- */

typedef struct smoothing_job {
	const ossai_flesh *flesh;
	const ossai_creature *creature;
	skin_net *net;
	ossai_vec3 *sums; /* of neighbours, each as often as quads join it */
	uint32_t *counts;
	bool smooth; /* move towards the neighbours before going to the skin */
} smoothing_job;

static void sum_neighbours(smoothing_job *job)
{
	const skin_net *net = job->net;
	memset(job->sums, 0, net->vertex_count * sizeof *job->sums);
	memset(job->counts, 0, net->vertex_count * sizeof *job->counts);
	for (size_t i = 0; i < net->quad_count; i++) {
		for (int k = 0; k < 4; k++) {
			const uint32_t a = net->quads[i][k], b = net->quads[i][(k + 1) % 4];
			job->sums[a] = ossai_add(job->sums[a], net->vertices[b].at);
			job->sums[b] = ossai_add(job->sums[b], net->vertices[a].at);
			job->counts[a]++;
			job->counts[b]++;
		}
	}
}

/* one Newton step onto the skin, within the plane of the vertex's cut if it has one */
static void go_to_skin(const smoothing_job *job, net_vertex *vertex)
{
	const ossai_brick *brick = &job->net->grid.bricks[vertex->brick];
	double at[3], normal[3];
	ossai_vec3 gradient;
	ossai_v3_store(vertex->at, at);
	const creature_cut *cut = vertex->cut >= 0 ? &job->creature->cuts[vertex->cut] : NULL;
	if (cut) at[cut->axis] = cut->at;
	const double field = ossai_flesh_at(
		job->flesh, job->net->grid.cones + brick->first_cone, brick->cone_count, ossai_v3_of(at), &gradient);
	ossai_v3_store(gradient, normal);
	if (cut) normal[cut->axis] = 0;
	const double length2 = ossai_length2(ossai_v3_of(normal));
	// melted flesh can have a flat field: no step is longer than a cell's
	const double most = job->net->grid.step;
	const double move = fmax(-most, fmin(most, length2 > 0.01 ? -field / length2 : 0));
	vertex->at = ossai_madd(ossai_v3_of(at), move, ossai_v3_of(normal));
}

static void smooth_range(void *arg, size_t begin, size_t end)
{
	const smoothing_job *job = arg;
	for (size_t i = begin; i < end; i++) {
		net_vertex *vertex = &job->net->vertices[i];
		if (job->smooth && vertex->cut < 0) {
			vertex->at = ossai_lerp(vertex->at, ossai_scale(job->sums[i], 1.0 / job->counts[i]), 0.6);
		}
		go_to_skin(job, vertex);
	}
}

static ossa_status smooth_net(ossa_context *context, const skin_nets *nets, skin_net *net)
{
	ossai_arena arena = ossai_arena_begin(context);
	smoothing_job job = {.flesh = &nets->flesh, .creature = nets->flesh.creature, .net = net, .smooth = true};
	job.sums = ossai_arena_new(&arena, net->vertex_count, sizeof *job.sums);
	job.counts = ossai_arena_new(&arena, net->vertex_count, sizeof *job.counts);
	if (!job.sums || !job.counts) {
		ossai_arena_end(&arena);
		return ossa_context_error(context)->status;
	}
	for (int round = 0; round < SMOOTHING_ROUNDS; round++) {
		sum_neighbours(&job);
		ossai_parallel_for(context, net->vertex_count, 1024, smooth_range, &job);
	}
	job.smooth = false;
	for (int round = 0; round < 2; round++) ossai_parallel_for(context, net->vertex_count, 1024, smooth_range, &job);
	ossai_arena_end(&arena);
	return OSSA_OK;
}

/* ---- the skin ---- */

/* the heaviest weights, sorted, sum 1 as floats */
static void pack_weights(const double *weights, uint16_t *bones, float *values)
{
	double heaviest[SKIN_INFLUENCES] = {0}, sum = 0;
	for (int i = 0; i < SKIN_INFLUENCES; i++) bones[i] = 0;
	for (int b = 0; b < CREATURE_BONES; b++) {
		if (!(weights[b] > 1e-4)) continue;
		int at = SKIN_INFLUENCES;
		while (at > 0 && weights[b] > heaviest[at - 1]) at--;
		for (int k = SKIN_INFLUENCES - 1; k > at; k--) {
			heaviest[k] = heaviest[k - 1];
			bones[k] = bones[k - 1];
		}
		if (at == SKIN_INFLUENCES) continue;
		heaviest[at] = weights[b];
		bones[at] = (uint16_t)b;
	}
	for (int i = 0; i < SKIN_INFLUENCES; i++) sum += heaviest[i];
	double rest = 1;
	for (int i = SKIN_INFLUENCES - 1; i > 0; i--) {
		values[i] = (float)(heaviest[i] / sum);
		rest -= (double)values[i];
	}
	values[0] = (float)rest;
}

typedef struct skin_job {
	const skin_nets *nets;
	const skin_net *net;
	ossai_skin *skin;
	size_t first_vertex, first_triangle;
} skin_job;

static void fill_vertices(void *arg, size_t begin, size_t end)
{
	const skin_job *job = arg;
	for (size_t i = begin; i < end; i++) {
		const net_vertex *vertex = &job->net->vertices[i];
		const ossai_brick *brick = &job->net->grid.bricks[vertex->brick];
		const size_t v = job->first_vertex + i;
		double weights[CREATURE_BONES];
		ossai_flesh_weights(
			&job->nets->flesh, job->net->grid.cones + brick->first_cone, brick->cone_count, vertex->at, weights);
		pack_weights(weights, job->skin->bones + v * SKIN_INFLUENCES, job->skin->values + v * SKIN_INFLUENCES);
		job->skin->positions[3 * v] = (float)vertex->at.x;
		job->skin->positions[3 * v + 1] = (float)vertex->at.y;
		job->skin->positions[3 * v + 2] = (float)vertex->at.z;
	}
}

/* each quad along its shorter diagonal */
static void fill_triangles(const skin_job *job)
{
	const skin_net *net = job->net;
	for (size_t i = 0; i < net->quad_count; i++) {
		const uint32_t *q = net->quads[i];
		const double d02 = ossai_distance(net->vertices[q[0]].at, net->vertices[q[2]].at);
		const double d13 = ossai_distance(net->vertices[q[1]].at, net->vertices[q[3]].at);
		const int first = d02 <= d13 ? 0 : 1;
		static const int corners[6] = {0, 1, 2, 0, 2, 3};
		uint32_t *triangles = job->skin->triangles + 3 * (job->first_triangle + 2 * i);
		for (int k = 0; k < 6; k++) triangles[k] = (uint32_t)job->first_vertex + q[(corners[k] + first) % 4];
	}
}

static ossa_status fill_skin(ossa_context *context, skin_nets *nets, ossai_skin *skin)
{
	skin->vertex_count = nets->vertex_count;
	skin->triangle_count = 2 * nets->quad_count;
	skin->positions = ossai_new(context, skin->vertex_count, 3 * sizeof *skin->positions);
	skin->triangles = ossai_new(context, skin->triangle_count, 3 * sizeof *skin->triangles);
	skin->bones = ossai_new(context, skin->vertex_count, SKIN_INFLUENCES * sizeof *skin->bones);
	skin->values = ossai_new(context, skin->vertex_count, SKIN_INFLUENCES * sizeof *skin->values);
	if (!skin->positions || !skin->triangles || !skin->bones || !skin->values) return ossa_context_error(context)->status;
	skin_job job = {.nets = nets, .skin = skin};
	for (int i = 0; i < nets->count; i++) {
		skin_net *net = &nets->pieces[i];
		OSSAI_TRY(smooth_net(context, nets, net));
		job.net = net;
		ossai_parallel_for(context, net->vertex_count, 1024, fill_vertices, &job);
		fill_triangles(&job);
		job.first_vertex += net->vertex_count;
		job.first_triangle += 2 * net->quad_count;
	}
	return OSSA_OK;
}

/* Nets with about `faces` faces: tries steps until the count is within `tolerance`, or the best of
   the trials. The count goes with the inverse square of the step. */
static ossa_status nets_of_size(
	ossa_context *context, const ossai_creature *creature, double faces, double tolerance, double *step, skin_nets *nets)
{
	double best_step = *step, best_miss = 1e30;
	for (int trial = 0;; trial++) {
		const bool last = trial == STEP_TRIALS;
		if (last) *step = best_step;
		OSSAI_TRY(build_nets(context, creature, *step, nets));
		const double ratio = 2.0 * (double)nets->quad_count / faces, miss = fabs(ratio - 1);
		if (last || miss <= tolerance) return OSSA_OK;
		if (miss < best_miss) {
			best_miss = miss;
			best_step = *step;
		}
		*step *= sqrt(fmax(0.05, ratio));
		free_nets(context, nets);
	}
}

static ossa_status first_step(ossa_context *context, const ossai_creature *creature, double faces, double *step)
{
	ossai_arena arena = ossai_arena_begin(context);
	ossai_flesh flesh;
	const ossa_status status = ossai_flesh_build(creature, 0, &arena, &flesh);
	// a net has about 3 faces for each square of a step, and most of the cones' sides is inside others
	if (status == OSSA_OK) *step = sqrt(flesh.area / faces);
	ossai_arena_end(&arena);
	return status;
}

ossa_status ossai_skin_build(ossa_context *context, const ossai_creature *creature, int faces, ossai_skin *skin)
{
	*skin = (ossai_skin){0};
	double step;
	skin_nets nets;
	OSSAI_TRY(first_step(context, creature, faces < PROBE_FACES ? faces : PROBE_FACES, &step));
	if (faces > PROBE_FACES) {
		OSSAI_TRY(nets_of_size(context, creature, PROBE_FACES, 0.05, &step, &nets));
		step *= sqrt(2.0 * (double)nets.quad_count / faces);
		free_nets(context, &nets);
	}
	OSSAI_TRY(nets_of_size(context, creature, faces, faces > PROBE_FACES ? 0.05 : 0.02, &step, &nets));
	const ossa_status status = fill_skin(context, &nets, skin);
	free_nets(context, &nets);
	if (status != OSSA_OK) ossai_skin_free(context, skin);
	return status;
}

void ossai_skin_free(ossa_context *context, ossai_skin *skin)
{
	ossa_free(context, skin->positions);
	ossa_free(context, skin->triangles);
	ossa_free(context, skin->bones);
	ossa_free(context, skin->values);
	*skin = (ossai_skin){0};
}

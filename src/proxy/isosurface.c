/* proxy/isosurface.c: marching cubes over a grid's field: see isosurface.h.

   Sources: W. Lorensen and H. Cline, Marching Cubes, 1987; G. Nielson and B. Hamann, The Asymptotic
   Decider, 1991 (ambiguous faces of cells: adjacent cells decide alike).
   Departures: there is no case table: the loops of a cell are traced over its faces. Triangulations
   of loops have no edge within a face of the cell, so that no edge is used by more than two
   triangles. */
#include "proxy/isosurface.h"

#include <ossa/mesh.h>
#include <string.h>

enum { LOOP_MOST = 12 };
/* vertices keep this distance from the ends of their edges */
static const double END_MARGIN = 0.02;

static const int BLOCK_STRIDE[3] = {1, OSSAI_BLOCK, OSSAI_BLOCK *OSSAI_BLOCK};

static void gather_block(const ossai_surroundings *s, float *block)
{
	for (int z = -1, i = 0; z <= OSSAI_BRICK; z++) {
		for (int y = -1; y <= OSSAI_BRICK; y++) {
			for (int x = -1; x <= OSSAI_BRICK; x++, i++) {
				int point;
				const int m = ossai_shell_owner(x, y, z, &point);
				block[i] = s->brick[m] ? s->brick[m]->field[point] : s->is_inside[m] ? -OSSAI_SHELL_FAR : OSSAI_SHELL_FAR;
			}
		}
	}
}

/* ---- vertices ---- */

/* A brick's part of the isosurface: a vertex on each of its edges that changes sign (edges begin at
   the brick's points), then the centroids of loops. */
typedef struct cut_brick {
	uint32_t first_vertex, vertex_count, first_face, face_count;
	/* index of the first centroid, relative to the brick's first vertex */
	uint32_t first_centroid;
	/* of its first edge, relative to the brick's first vertex */
	uint16_t vertex_of_point[OSSAI_BRICK_POINTS];
	uint8_t edges_of_point[OSSAI_BRICK_POINTS]; /* bits: the edges that change sign */
} cut_brick;

typedef struct marching {
	const ossai_shell_grid *grid;
	cut_brick *bricks;         /* as the grid's */
	ossai_isosurface *surface; /* NULL while counting */
} marching;

static int block_of(int point)
{
	return 1 + point % 8 + OSSAI_BLOCK * (1 + point / 8 % 8) + OSSAI_BLOCK * OSSAI_BLOCK * (1 + point / 64);
}

static bool has_two_sides(const float *block)
{
	bool in = false, out = false;
	for (int i = 0; i < OSSAI_BLOCK_POINTS; i++) {
		in |= block[i] < 0;
		out |= block[i] > 0;
	}
	return in && out;
}

static void mark_edges(const float *block, cut_brick *own)
{
	uint32_t count = 0;
	for (int i = 0; i < OSSAI_BRICK_POINTS; i++) {
		const int at = block_of(i);
		unsigned edges = 0;
		own->vertex_of_point[i] = (uint16_t)count;
		for (int k = 0; k < 3; k++) {
			if ((block[at] < 0) == (block[at + BLOCK_STRIDE[k]] < 0)) continue;
			edges |= 1u << k;
			count++;
		}
		own->edges_of_point[i] = (uint8_t)edges;
	}
	own->vertex_count = own->first_centroid = count;
}

/* the parameter of a vertex along its edge: linear interpolation, except over holes and at thin
   parts */
static double share_of_edge(const ossai_surroundings *s, int point, int axis)
{
	const ossai_brick *own = s->brick[13];
	int there, at[3] = {point % 8, point / 8 % 8, point / 64};
	at[axis]++;
	const ossai_brick *other = s->brick[ossai_shell_owner(at[0], at[1], at[2], &there)];
	if (!other) return 0.5;
	const bool is_cut = own->flags[point] >> axis & 1;
	double a = own->field[point], b = other->field[there];
	if (!is_cut && ((own->flags[point] ^ other->flags[there]) & OSSAI_INSIDE)) {
		/* over a hole */
		a = -ossai_winding_margin(own->winding[point]);
		b = -ossai_winding_margin(other->winding[there]);
	}
	const double share = (a < 0) == (b < 0) ? 0.5 : a / (a - b);
	return fmin(1 - END_MARGIN, fmax(END_MARGIN, share));
}

static void place_vertices(const marching *job, const ossai_surroundings *s, const cut_brick *own)
{
	const ossai_shell_grid *grid = job->grid;
	const uint32_t *at = s->brick[13]->at;
	size_t vertex = own->first_vertex;
	for (int i = 0; i < OSSAI_BRICK_POINTS; i++) {
		for (int k = 0; k < 3; k++) {
			if (!(own->edges_of_point[i] >> k & 1)) continue;
			double p[3] = {8.0 * at[0] + i % 8, 8.0 * at[1] + i / 8 % 8, 8.0 * at[2] + i / 64};
			p[k] += share_of_edge(s, i, k);
			ossai_v3_store(ossai_madd(grid->origin, grid->step, ossai_v3_of(p)), job->surface->positions + 3 * vertex++);
		}
	}
}

/* ---- loops ---- */

/* Corners of a cell are numbered x + 2 y + 4 z. Edge 4 k + j runs along axis k; j has the sides of
   the other two axes, the lower axis in bit 0. Faces list their corners counterclockwise seen from
   outside. */
static const uint8_t FACES[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

static int edge_between(int a, int b)
{
	const int low = a < b ? a : b, axis = (a ^ b) == 1 ? 0 : (a ^ b) == 2 ? 1 : 2;
	const int u = axis == 0 ? low >> 1 & 1 : low & 1, v = axis == 2 ? low >> 1 & 1 : low >> 2 & 1;
	return 4 * axis + u + 2 * v;
}

/* the corner where an edge begins */
static int edge_corner(int edge)
{
	const int axis = edge / 4, u = edge & 1, v = edge >> 1 & 1;
	return axis == 0 ? 2 * u + 4 * v : axis == 1 ? u + 4 * v : u + 2 * v;
}

/* the two faces of the cell that an edge belongs to, as bits */
static unsigned edge_faces(int edge)
{
	const int axis = edge / 4, u = edge & 1, v = edge >> 1 & 1;
	const int u_axis = axis == 0 ? 1 : 0, v_axis = axis == 2 ? 1 : 2;
	return 1u << (2 * u_axis + u) | 1u << (2 * v_axis + v);
}

/* links the edges of each face, from where the boundary enters it to where it leaves it, around
   what is inside: after[edge] is the next edge of a loop */
static void link_edges(const float *corner, int8_t *after)
{
	memset(after, -1, 12);
	for (int face = 0; face < 6; face++) {
		const uint8_t *c = FACES[face];
		int in[2], out[2], ins = 0, outs = 0;
		for (int i = 0; i < 4; i++) {
			const bool a = corner[c[i]] < 0, b = corner[c[(i + 1) % 4]] < 0;
			if (!a && b) in[ins++] = edge_between(c[i], c[(i + 1) % 4]);
			if (a && !b) out[outs++] = edge_between(c[i], c[(i + 1) % 4]);
		}
		if (ins == 1) after[in[0]] = (int8_t)out[0];
		if (ins != 2) continue;
		/* corners 0 and 2 have one sign, 1 and 3 the other: the saddle's sign decides which pair is
		   connected */
		const float even = corner[c[0]] * corner[c[2]], odd = corner[c[1]] * corner[c[3]];
		const bool first_inside = corner[c[0]] < 0, joins_inside = first_inside ? even > odd : odd > even;
		/* around the face one meets out 0, in 0, out 1, in 1 where the first corner is inside, else
		   in 0, out 0, in 1, out 1 */
		const bool straight = first_inside == joins_inside;
		after[in[0]] = (int8_t)out[straight ? 0 : 1];
		after[in[1]] = (int8_t)out[straight ? 1 : 0];
	}
}

/* the corner of a loop from which a triangle fan has no edge within a face of the cell; -1: there
   is none */
static int fan_corner(const int8_t *loop, int count)
{
	for (int apex = 0; apex < count; apex++) {
		const unsigned faces = edge_faces(loop[apex]);
		bool is_free = true;
		for (int i = 2; i < count - 1 && is_free; i++) is_free = !(faces & edge_faces(loop[(apex + i) % count]));
		if (is_free) return apex;
	}
	return -1;
}

/* A cell as it is cut. */
typedef struct cut_cell {
	uint32_t vertex[12]; /* on its edges */
	uint32_t centroid;   /* the next free vertex for the centroid of a loop */
	size_t face;         /* the next free face */
} cut_cell;

static void put_face(const marching *job, cut_cell *cell, uint32_t a, uint32_t b, uint32_t c)
{
	const size_t face = cell->face++;
	if (!job->surface) return;
	uint32_t *t = job->surface->triangles + 3 * face;
	t[0] = a;
	t[1] = b;
	t[2] = c;
}

static void cut_loop(const marching *job, cut_cell *cell, const int8_t *loop, int count)
{
	const int apex = fan_corner(loop, count);
	if (apex >= 0) {
		for (int i = 1; i + 1 < count; i++) {
			put_face(job, cell, cell->vertex[loop[apex]], cell->vertex[loop[(apex + i) % count]],
				cell->vertex[loop[(apex + i + 1) % count]]);
		}
		return;
	}
	const uint32_t centroid = cell->centroid++;
	for (int i = 0; i < count; i++) put_face(job, cell, centroid, cell->vertex[loop[i]], cell->vertex[loop[(i + 1) % count]]);
	if (!job->surface) return;
	ossai_vec3 sum = {0, 0, 0};
	for (int i = 0; i < count; i++)
		sum = ossai_add(sum, ossai_v3_of(job->surface->positions + 3 * (size_t)cell->vertex[loop[i]]));
	ossai_v3_store(ossai_scale(sum, 1.0 / count), job->surface->positions + 3 * (size_t)centroid);
}

static void cut_loops(const marching *job, cut_cell *cell, int8_t *after)
{
	for (int first = 0; first < 12; first++) {
		int8_t loop[LOOP_MOST];
		int count = 0;
		for (int edge = first; after[edge] >= 0;) {
			const int next = after[edge];
			loop[count++] = (int8_t)edge;
			after[edge] = -1;
			edge = next;
		}
		if (count >= 3) cut_loop(job, cell, loop, count);
	}
}

/* ---- cells ---- */

/* the vertices on a cell's edges; the coordinates of its first corner in the brick begin at -1 */
static void find_vertices(
	const marching *job, const ossai_surroundings *s, int x, int y, int z, const int8_t *after, uint32_t *vertex)
{
	for (int edge = 0; edge < 12; edge++) {
		if (after[edge] < 0) continue;
		const int corner = edge_corner(edge), axis = edge / 4;
		int point;
		const ossai_brick *brick =
			s->brick[ossai_shell_owner(x + (corner & 1), y + (corner >> 1 & 1), z + (corner >> 2), &point)];
		const uint32_t *at = brick->at;
		const cut_brick *owner = &job->bricks[job->grid->brick_of[ossai_shell_cell(job->grid, at)]];
		const unsigned before = owner->edges_of_point[point] & ((1u << axis) - 1);
		vertex[edge] = owner->first_vertex + owner->vertex_of_point[point] + (before & 1) + (before >> 1 & 1);
	}
}

/* a cell that begins before the brick belongs to it where the bricks of its earlier corners do not
   exist */
static bool is_own_cell(const ossai_surroundings *s, int x, int y, int z)
{
	if (x >= 0 && y >= 0 && z >= 0) return true;
	for (int c = 0; c < 8; c++) {
		int point;
		const int m = ossai_shell_owner(x + (c & 1), y + (c >> 1 & 1), z + (c >> 2), &point);
		if (s->brick[m]) return m == 13;
	}
	return false;
}

static void cut_cells(const marching *job, const ossai_surroundings *s, const float *block, cut_brick *own)
{
	cut_cell cell = {.centroid = own->first_vertex + own->first_centroid, .face = own->first_face};
	for (int z = -1; z < OSSAI_BRICK; z++) {
		for (int y = -1; y < OSSAI_BRICK; y++) {
			for (int x = -1; x < OSSAI_BRICK; x++) {
				const int at = x + 1 + OSSAI_BLOCK * (y + 1) + OSSAI_BLOCK * OSSAI_BLOCK * (z + 1);
				float corner[8];
				int inside = 0;
				for (int c = 0; c < 8; c++) {
					corner[c] = block[at + (c & 1) + OSSAI_BLOCK * (c >> 1 & 1) + OSSAI_BLOCK * OSSAI_BLOCK * (c >> 2)];
					inside += corner[c] < 0;
				}
				if (inside == 0 || inside == 8 || !is_own_cell(s, x, y, z)) continue;
				int8_t after[12];
				link_edges(corner, after);
				if (job->surface) find_vertices(job, s, x, y, z, after, cell.vertex);
				cut_loops(job, &cell, after);
			}
		}
	}
	own->face_count = (uint32_t)(cell.face - own->first_face);
	own->vertex_count = cell.centroid - own->first_vertex;
}

/* counts, or, with `surface` set, makes vertices and faces */
static void cut_range(void *arg, size_t begin, size_t end)
{
	const marching *job = arg;
	float block[OSSAI_BLOCK_POINTS];
	for (size_t b = begin; b < end; b++) {
		cut_brick *own = &job->bricks[b];
		if (job->surface && own->face_count == 0 && own->vertex_count == 0) continue;
		const ossai_surroundings s = ossai_shell_look_around(job->grid, job->grid->bricks[b]);
		gather_block(&s, block);
		if (!has_two_sides(block)) continue;
		if (!job->surface) mark_edges(block, own);
		cut_cells(job, &s, block, own);
	}
}

/* positions first: centroids of loops use vertices of other bricks, too */
static void place_range(void *arg, size_t begin, size_t end)
{
	const marching *job = arg;
	for (size_t b = begin; b < end; b++) {
		if (job->bricks[b].vertex_count == 0) continue;
		const ossai_surroundings s = ossai_shell_look_around(job->grid, job->grid->bricks[b]);
		place_vertices(job, &s, &job->bricks[b]);
	}
}

static ossa_status count_surface(marching *job, ossai_arena *arena, ossai_isosurface *surface)
{
	size_t vertices = 0, faces = 0;
	for (size_t b = 0; b < job->grid->brick_count; b++) {
		cut_brick *own = &job->bricks[b];
		own->first_vertex = (uint32_t)vertices;
		own->first_face = (uint32_t)faces;
		vertices += own->vertex_count;
		faces += own->face_count;
	}
	if (vertices >= OSSA_NONE || faces >= OSSA_NONE / 3) {
		return ossai_fail(arena->context, OSSA_ERROR_LIMIT, NULL, "a shell of %zu faces is too large", faces);
	}
	*surface = (ossai_isosurface){.vertex_count = vertices, .face_count = faces};
	surface->positions = ossai_arena_new(arena, vertices, 3 * sizeof *surface->positions);
	surface->triangles = surface->positions ? ossai_arena_new(arena, faces, 3 * sizeof *surface->triangles) : NULL;
	return surface->triangles ? OSSA_OK : ossa_context_error(arena->context)->status;
}

ossa_status ossai_isosurface_make(ossai_shell_grid *grid, ossai_arena *arena, ossai_isosurface *surface)
{
	marching job = {.grid = grid};
	job.bricks = ossai_arena_zero(grid->arena, grid->brick_count, sizeof *job.bricks);
	if (!job.bricks) return ossa_context_error(grid->context)->status;
	ossai_parallel_for(grid->context, grid->brick_count, 4, cut_range, &job);
	OSSAI_TRY(count_surface(&job, arena, surface));
	job.surface = surface;
	ossai_parallel_for(grid->context, grid->brick_count, 4, place_range, &job);
	ossai_parallel_for(grid->context, grid->brick_count, 4, cut_range, &job);
	return OSSA_OK;
}

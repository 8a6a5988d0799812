/* mesh/laplacian.c: see laplacian.h. */
#include "mesh/laplacian.h"

#include "mesh/pairs.h"

#include <ossa/mesh.h>

enum { FACES_PER_RANGE = 4096 };

/* By how much a triangle's two shorter sides must exceed the longest, in mean edges; and the
   least weight of an edge (good ones have about 1), so that heat still reaches a vertex that has
   only such edges. */
static const double fatness = 1e-5, least_weight = 1e-6;

/* ---- the pattern ---- */

/* the three sides of all triangles, each with the corner that is opposite to it */
static size_t collect_sides(const ossai_laplacian *l, ossai_pair *sides)
{
	size_t count = 0;
	for (size_t f = 0; f < l->face_count; f++) {
		const uint32_t *t = l->triangles + 3 * f;
		for (uint32_t k = 0; k < 3; k++) {
			const uint32_t a = t[(k + 1) % 3], b = t[(k + 2) % 3];
			if (a != b) sides[count++] = ossai_pair_of(a, b, (uint32_t)(3 * f + k));
		}
	}
	return count;
}

static ossa_status take_arrays(ossai_arena *arena, size_t side_count, ossai_laplacian *l)
{
	l->start = ossai_arena_new(arena, l->vertex_count + 1, sizeof *l->start);
	l->row = ossai_arena_new(arena, l->vertex_count + l->edge_count, sizeof *l->row);
	l->value = ossai_arena_new(arena, l->vertex_count + l->edge_count, sizeof *l->value);
	l->mass = ossai_arena_new(arena, l->vertex_count, sizeof *l->mass);
	l->edge_entry = ossai_arena_new(arena, l->edge_count, sizeof *l->edge_entry);
	l->edge_start = ossai_arena_new(arena, l->edge_count + 1, sizeof *l->edge_start);
	l->edge_corner = ossai_arena_new(arena, side_count, sizeof *l->edge_corner);
	l->cotangent = ossai_arena_new(arena, l->face_count, 3 * sizeof *l->cotangent);
	l->length = ossai_arena_new(arena, l->face_count, 3 * sizeof *l->length);
	l->face_area = ossai_arena_new(arena, l->face_count, sizeof *l->face_area);
	const bool all = l->start && l->row && l->value && l->mass && l->edge_entry && l->edge_start && l->edge_corner &&
		l->cotangent && l->length && l->face_area;
	return all ? OSSA_OK : ossa_context_error(arena->context)->status;
}

/* columns: the diagonal, then the edges to larger vertices, which the sorted sides have in that
   order */
static void fill_pattern(const ossai_pair *sides, size_t side_count, ossai_laplacian *l)
{
	size_t edge = 0, side = 0;
	uint32_t entry = 0;
	for (uint32_t v = 0; v < l->vertex_count; v++) {
		l->start[v] = entry;
		l->row[entry++] = v;
		while (side < side_count && sides[side].first == v) {
			l->edge_entry[edge] = entry;
			l->edge_start[edge++] = (uint32_t)side;
			l->row[entry++] = sides[side].second;
			for (const size_t end = ossai_pairs_run_end(sides, side_count, side); side < end; side++) {
				l->edge_corner[side] = sides[side].tag;
			}
		}
	}
	l->start[l->vertex_count] = entry;
	l->edge_start[edge] = (uint32_t)side;
}

ossa_status ossai_laplacian_make(ossai_arena *arena, const ossai_mesh_view *mesh, ossai_laplacian *l)
{
	ossa_context *context = arena->context;
	const size_t vertex_count = mesh->vertex_count, face_count = mesh->face_count;
	*l = (ossai_laplacian){.vertex_count = vertex_count, .face_count = face_count, .triangles = mesh->triangles};
	if (face_count >= UINT32_MAX / 3 || vertex_count >= UINT32_MAX - 3 * face_count) {
		return ossai_fail(context, OSSA_ERROR_LIMIT, NULL, "%zu faces are too many to diffuse over", face_count);
	}
	ossai_pair *sides = ossai_new(context, face_count, 3 * sizeof *sides);
	if (!sides) return ossa_context_error(context)->status;
	const size_t count = collect_sides(l, sides);
	ossa_status status = ossai_pairs_sort(context, sides, count, vertex_count);
	for (size_t i = 0; status == OSSA_OK && i < count; i = ossai_pairs_run_end(sides, count, i)) l->edge_count++;
	if (status == OSSA_OK) status = take_arrays(arena, count, l);
	if (status == OSSA_OK) fill_pattern(sides, count, l);
	ossa_free(context, sides);
	return status;
}

/* ---- values ---- */

typedef struct fill_job {
	ossai_laplacian *laplacian;
	const double *positions;
	double longer; /* what every side is lengthened by */
} fill_job;

static void measure_sides(void *arg, size_t begin, size_t end)
{
	const fill_job *job = arg;
	ossai_laplacian *l = job->laplacian;
	for (size_t f = begin; f < end; f++) {
		for (uint32_t k = 0; k < 3; k++) {
			const uint32_t a = l->triangles[3 * f + (k + 1) % 3], b = l->triangles[3 * f + (k + 2) % 3];
			const double *p = job->positions + 3 * (size_t)a, *q = job->positions + 3 * (size_t)b;
			l->length[3 * f + k] = ossai_distance(ossai_v3_of(p), ossai_v3_of(q));
		}
	}
}

/* a <= b <= c */
static void sort_three(double side[3])
{
	for (int i = 0; i < 3; i++) {
		const int j = i == 1 ? 1 : 0;
		if (side[j] <= side[j + 1]) continue;
		const double swap = side[j];
		side[j] = side[j + 1];
		side[j + 1] = swap;
	}
}

/* the length that all sides must grow by until the flattest triangle is fat enough; where no side
   has a length all are 1 */
static double find_longer(const ossai_laplacian *l)
{
	double sum = 0, flattest = INFINITY;
	for (size_t f = 0; f < l->face_count; f++) {
		double side[3] = {l->length[3 * f], l->length[3 * f + 1], l->length[3 * f + 2]};
		sort_three(side);
		sum += side[0] + side[1] + side[2];
		const double excess = side[0] - (side[2] - side[1]);
		flattest = excess < flattest ? excess : flattest;
	}
	if (!(sum > 0)) return 1;
	const double wanted = fatness * sum / (3 * (double)l->face_count);
	return flattest < wanted ? wanted - flattest : 0;
}

/* area by Kahan's form of Heron's rule, which keeps its digits on needles */
static double area_of(double c, double b, double a)
{
	const double square = (a + (b + c)) * (c - (a - b)) * (c + (a - b)) * (a + (b - c));
	return square > 0 ? 0.25 * sqrt(square) : 0;
}

static void fill_faces(void *arg, size_t begin, size_t end)
{
	const fill_job *job = arg;
	ossai_laplacian *l = job->laplacian;
	for (size_t f = begin; f < end; f++) {
		double *length = l->length + 3 * f, side[3];
		for (int k = 0; k < 3; k++) side[k] = length[k] += job->longer;
		sort_three(side);
		const double area = area_of(side[0], side[1], side[2]);
		l->face_area[f] = area;
		/* the cosine rule over the sine rule; a face too small for an area by rounding passes
		   nothing on */
		for (int k = 0; k < 3; k++) {
			const double own = length[k], next = length[(k + 1) % 3], last = length[(k + 2) % 3];
			l->cotangent[3 * f + (size_t)k] = area > 0 ? (next * next + last * last - own * own) / (4 * area) : 0;
		}
	}
}

static void gather_edges(void *arg, size_t begin, size_t end)
{
	const fill_job *job = arg;
	ossai_laplacian *l = job->laplacian;
	for (size_t e = begin; e < end; e++) {
		double sum = 0;
		for (uint32_t i = l->edge_start[e]; i < l->edge_start[e + 1]; i++) sum += l->cotangent[l->edge_corner[i]];
		l->value[l->edge_entry[e]] = -(0.5 * sum > least_weight ? 0.5 * sum : least_weight);
	}
}

void ossai_laplacian_measure(ossa_context *context, const double *positions, ossai_laplacian *l)
{
	fill_job job = {l, positions, 0};
	ossai_parallel_for(context, l->face_count, FACES_PER_RANGE, measure_sides, &job);
	job.longer = find_longer(l);
	ossai_parallel_for(context, l->face_count, FACES_PER_RANGE, fill_faces, &job);
	for (size_t v = 0; v < l->vertex_count; v++) l->mass[v] = 0;
	for (size_t i = 0; i < 3 * l->face_count; i++) l->mass[l->triangles[i]] += l->face_area[i / 3] / 3;
}

void ossai_laplacian_fill(ossa_context *context, const double *positions, ossai_laplacian *l)
{
	ossai_laplacian_measure(context, positions, l);
	fill_job job = {l, positions, 0};
	ossai_parallel_for(context, l->edge_count, FACES_PER_RANGE, gather_edges, &job);
	for (size_t v = 0; v < l->vertex_count; v++) l->value[l->start[v]] = 0;
	for (size_t v = 0; v < l->vertex_count; v++) {
		for (uint32_t i = l->start[v] + 1; i < l->start[v + 1]; i++) {
			l->value[l->start[v]] -= l->value[i];
			l->value[l->start[l->row[i]]] -= l->value[i];
		}
	}
}

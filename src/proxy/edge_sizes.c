/* proxy/edge_sizes.c: see edge_sizes.h.

   The thickness at a vertex is the distance along a ray against the vertex's normal until it leaves
   through another face: the diameter of a round limb. A median over the neighbours removes outliers
   of single rays. */
#include "proxy/edge_sizes.h"

#include "query/face_tree.h"

/* Edge length as a share of the thickness: six edges around a round limb. */
static const double OF_THICKNESS = 0.5;
/* The smallest size, as a share of the largest: sheets have next to no thickness, and must not take
   all vertices. */
static const double LEAST = 0.4;
/* The largest difference of sizes of adjacent vertices, as a share of the length of the edge
   between them. */
static const double SLOPE = 0.3;
/* The most faces that a ray is tested against: on a clean surface it meets few; many coincident
   sheets must not make it slow. */
enum { FACES_MOST = 512 };
enum { SLOPE_ROUNDS = 12, SEARCH_ROUNDS = 40 };

double ossai_edge_length_for(double area, size_t vertices)
{
	return sqrt(2 * area / (sqrt(3) * (double)(vertices ? vertices : 1)));
}

typedef struct sizer {
	ossai_isotropic *remeshed;
	ossai_face_tree tree;
	double ray_length; /* length of the rays: what is thicker counts as thick */
	double *thickness; /* V */
	double *area;      /* V */
} sizer;

static ossai_vec3 vertex_normal(const ossai_half_edges *m, uint32_t v)
{
	const uint32_t first = m->out[v];
	ossai_vec3 sum = {0, 0, 0};
	uint32_t h = first;
	do {
		sum = ossai_add(sum, ossai_edge_normal(m, h / 3));
		h = ossai_edge_turn(m, h);
	} while (h != OSSA_NONE && h != first);
	return ossai_unit(sum, ossai_v3(0, 0, 0));
}

/* the parameter along the ray where it leaves through the face; INFINITY where it does not */
static double exit_parameter(const ossai_half_edges *target, uint32_t face, ossai_vec3 from, ossai_vec3 direction)
{
	const uint32_t *t = target->vertex + 3 * (size_t)face;
	const ossai_vec3 a = ossai_sub(ossai_edge_point(target, t[0]), from);
	const ossai_vec3 b = ossai_sub(ossai_edge_point(target, t[1]), from);
	const ossai_vec3 c = ossai_sub(ossai_edge_point(target, t[2]), from);
	const double ab = ossai_dot(direction, ossai_cross(a, b)), bc = ossai_dot(direction, ossai_cross(b, c));
	const double ca = ossai_dot(direction, ossai_cross(c, a)), sum = ab + bc + ca;
	if (!(ab >= 0 && bc >= 0 && ca >= 0 && sum > 0)) return INFINITY;
	return (bc * ossai_dot(a, direction) + ca * ossai_dot(b, direction) + ab * ossai_dot(c, direction)) / sum;
}

static double ray_thickness(const sizer *s, uint32_t v)
{
	const ossai_half_edges *m = &s->remeshed->mesh;
	const ossai_vec3 from = ossai_edge_point(m, v), direction = ossai_scale(vertex_normal(m, v), -1);
	double best = INFINITY;
	if (ossai_length2(direction) == 0) return best;
	ossai_face_walk walk = ossai_face_walk_begin(&s->tree, from, ossai_madd(from, s->ray_length, direction));
	const uint32_t *faces;
	size_t count, seen = 0;
	while (seen < FACES_MOST && ossai_face_walk_next(&s->tree, &walk, &faces, &count)) {
		seen += count;
		for (size_t i = 0; i < count; i++) {
			const double exit = exit_parameter(s->remeshed->target, faces[i], from, direction);
			/* not the faces around the vertex itself */
			if (exit > 1e-3 * s->ray_length && exit < best) best = exit;
		}
	}
	return best;
}

static double median_around(const ossai_half_edges *m, uint32_t v, const double *thickness)
{
	ossai_ring ring;
	double sorted[OSSAI_RING_MOST + 2];
	size_t count = 1;
	sorted[0] = thickness[v];
	ossai_ring_make(m, v, &ring);
	for (uint32_t i = 0; i < ring.count && i < OSSAI_RING_MOST; i++) {
		const double value = thickness[ring.neighbors[i]];
		size_t at = count++;
		for (; at > 0 && sorted[at - 1] > value; at--) sorted[at] = sorted[at - 1];
		sorted[at] = value;
	}
	return sorted[count / 2];
}

static ossa_status make_tree(ossai_arena *scratch, sizer *s)
{
	const ossai_half_edges *target = s->remeshed->target;
	const ossai_mesh_view mesh = ossai_view_of_doubles(
		target->vertex_count, target->positions, target->face_count, target->vertex);
	return ossai_face_tree_make(scratch, &mesh, &s->tree);
}

static void fill_thickness_range(void *arg, size_t begin, size_t end)
{
	const sizer *s = arg;
	for (size_t v = begin; v < end; v++) s->remeshed->moved[v] = ray_thickness(s, (uint32_t)v);
}

/* the size for a thickness when the largest size is `most` */
static double size_at(double thickness, double most)
{
	const double size = OF_THICKNESS * thickness;
	return size < LEAST * most ? LEAST * most : size > most ? most : size;
}

static double vertices_for(const sizer *s, double most)
{
	double sum = 0;
	for (size_t v = 0; v < s->remeshed->mesh.vertex_count; v++) {
		const double size = size_at(s->thickness[v], most);
		sum += s->area[v] / (size * size);
	}
	return sum * 2 / sqrt(3);
}

/* the largest size that yields about `wanted` vertices: at least `length`, which a surface without
   thin parts has */
static double find_largest(const sizer *s, double length, size_t wanted)
{
	double low = length, high = 1 / LEAST * length;
	for (int i = 0; i < SEARCH_ROUNDS; i++) {
		const double middle = 0.5 * (low + high);
		if (vertices_for(s, middle) > (double)wanted) low = middle;
		else high = middle;
	}
	return high;
}

static void limit_slopes(ossai_isotropic *e)
{
	const ossai_half_edges *m = &e->mesh;
	for (int round = 0; round < SLOPE_ROUNDS; round++) {
		size_t changed = 0;
		for (uint32_t h = 0; h < 3 * m->face_count; h++) {
			const uint32_t a = m->vertex[h], b = ossai_edge_end(m, h);
			const double most = e->size[a] + SLOPE * sqrt(ossai_edge_length2(m, h));
			if (e->size[b] > most * (1 + 1e-9)) {
				e->size[b] = most;
				changed++;
			}
		}
		if (changed == 0) return;
	}
}

ossa_status ossai_edge_sizes(ossai_isotropic *e, size_t wanted)
{
	const ossai_half_edges *m = &e->mesh;
	ossai_arena scratch = ossai_arena_begin(e->context);
	sizer s = {.remeshed = e};
	s.thickness = ossai_arena_new(&scratch, m->vertex_count, sizeof *s.thickness);
	s.area = s.thickness ? ossai_arena_zero(&scratch, m->vertex_count, sizeof *s.area) : NULL;
	ossa_status status = s.area ? make_tree(&scratch, &s) : ossa_context_error(e->context)->status;
	if (status == OSSA_OK) {
		double area = 0;
		for (uint32_t h = 0; h < 3 * m->face_count; h++) {
			const double share = ossai_length(ossai_edge_normal(m, h / 3)) / 6;
			s.area[m->vertex[h]] += share;
			area += share;
		}
		const double length = ossai_edge_length_for(area, wanted);
		s.ray_length = 1 / LEAST * length / OF_THICKNESS;
		ossai_parallel_for(e->context, m->vertex_count, 256, fill_thickness_range, &s);
		for (uint32_t v = 0; v < m->vertex_count; v++) s.thickness[v] = median_around(m, v, e->moved);
		const double largest = find_largest(&s, length, wanted);
		for (size_t v = 0; v < m->vertex_count; v++) e->size[v] = size_at(s.thickness[v], largest);
		limit_slopes(e);
	}
	ossai_arena_end(&scratch);
	return status;
}

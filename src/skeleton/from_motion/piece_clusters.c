/* skeleton/from_motion/piece_clusters.c: see piece_clusters.h. */
#include "skeleton/from_motion/piece_clusters.h"

#include "base/union_find.h"
#include "parts/face_clusters.h"

/* the RMS error with which rigid clusters follow a piece, as a share of its size */
static const double cluster_error = 0.01;

static ossa_status last_error(const ossai_piece_clusters *f) { return ossa_context_error(f->context)->status; }

/* ---- sizes ---- */

typedef struct moments {
	double area, square;
	ossai_vec3 sum;
} moments;

static void add_face(const ossai_posed_surface *s, size_t face, moments *to)
{
	for (size_t i = 0; i < 3; i++) {
		const ossai_vec3 p = ossai_rest_point(s, s->triangles[3 * face + i]);
		const double w = s->face_area[face] / 3;
		to->area += w;
		to->sum = ossai_madd(to->sum, w, p);
		to->square += w * ossai_length2(p);
	}
}

static double size_of(const moments *m)
{
	if (!(m->area > 0)) return 0;
	const double square = m->square / m->area - ossai_length2(m->sum) / (m->area * m->area);
	return square > 0 ? sqrt(square) : 0;
}

static ossa_status measure_pieces(ossai_piece_clusters *f)
{
	const ossai_posed_surface *s = &f->surface;
	moments *of = ossai_arena_zero(f->arena, s->piece_count, sizeof *of);
	f->piece_size = ossai_arena_new(f->arena, s->piece_count, sizeof *f->piece_size);
	if (!of || !f->piece_size) return last_error(f);
	for (size_t face = 0; face < s->face_count; face++) add_face(s, face, &of[s->piece_of_face[face]]);
	for (size_t p = 0; p < s->piece_count; p++) f->piece_size[p] = size_of(&of[p]);
	return OSSA_OK;
}

/* ---- clusters ---- */

/* Merges faces as long as rigid motions follow their piece: its size, not that of the whole, is
   the measure. */
static void merge_faces(
	ossai_piece_clusters *f, const ossai_merge_hierarchy *merges, double *error, double *total, uint32_t *set)
{
	const ossai_posed_surface *s = &f->surface;
	double *limit = total + s->piece_count;
	for (size_t face = 0; face < s->face_count; face++) {
		const uint32_t p = s->piece_of_face[face];
		const double most = cluster_error * f->piece_size[p];
		limit[p] += most * most * s->face_area[face] * (double)s->pose_count;
	}
	ossai_union_begin(set, s->face_count);
	for (size_t i = 0; i < merges->count; i++) {
		const ossa_merge *m = &merges->merges[i];
		const uint32_t p = s->piece_of_face[m->kept];
		const double added = m->error - error[m->kept] - error[m->gone];
		if (total[p] + added > limit[p]) {
			limit[p] = -1;
			continue;
		}
		total[p] += added;
		error[m->kept] = m->error;
		ossai_union_join(set, m->kept, m->gone);
	}
}

static void number_clusters(ossai_piece_clusters *f, uint32_t *set, uint32_t *number)
{
	for (uint32_t face = 0; face < f->surface.face_count; face++) number[face] = OSSA_NONE;
	for (uint32_t face = 0; face < f->surface.face_count; face++) {
		const uint32_t root = ossai_union_find(set, face);
		if (number[root] == OSSA_NONE) number[root] = (uint32_t)f->count++;
		f->cluster_of_face[face] = number[root];
	}
}

static ossa_status make_clusters(ossai_piece_clusters *f)
{
	const ossai_posed_surface *s = &f->surface;
	ossai_merge_hierarchy merges;
	OSSAI_TRY(ossai_face_clusters_make(f->context, f->arena, s, &merges));
	double *error = ossai_arena_zero(f->arena, s->face_count, sizeof *error);
	double *total = ossai_arena_zero(f->arena, s->piece_count, 2 * sizeof *total);
	uint32_t *set = ossai_arena_new(f->arena, s->face_count, sizeof *set);
	uint32_t *number = ossai_arena_new(f->arena, s->face_count, sizeof *number);
	f->cluster_of_face = ossai_arena_new(f->arena, s->face_count, sizeof *f->cluster_of_face);
	if (!error || !total || !set || !number || !f->cluster_of_face) return last_error(f);
	merge_faces(f, &merges, error, total, set);
	number_clusters(f, set, number);
	OSSAI_TRY(ossai_bone_motion_new(f->arena, f->count, s->pose_count, &f->motion));
	return ossai_bone_motion_from_clusters(f->context, s, f->cluster_of_face, &f->motion);
}

/* ---- how they move ---- */

/* where a vertex is in the world, in diagonals from the middle of the rest */
static ossai_vec3 world_point(const ossai_posed_surface *s, size_t vertex, size_t pose)
{
	const ossai_vec3 moved = ossai_scale(ossai_sub(s->pose_center[pose], s->rest_center), 1 / s->scale);
	return ossai_add(ossai_pose_point(s, vertex, pose), moved);
}

static void add_vertex(const ossai_piece_clusters *f, uint32_t vertex, double weight, uint32_t number)
{
	const ossai_posed_surface *s = &f->surface;
	const ossai_vec3 rest = ossai_rest_point(s, vertex);
	ossai_vec3 sum = {0, 0, 0};
	double square = 0, noise = 0;
	for (size_t k = 0; k < s->pose_count; k++) {
		const ossai_vec3 moved = ossai_sub(world_point(s, vertex, k), rest);
		const ossai_vec3 there = ossai_rigid_point(&f->motion.rigid[number * s->pose_count + k], rest);
		sum = ossai_add(sum, moved);
		square += ossai_length2(moved);
		noise += ossai_length2(ossai_sub(there, ossai_pose_point(s, vertex, k)));
	}
	const double count = (double)s->pose_count;
	/* the rest is a pose of its own */
	f->items[number].spread += weight * (square / (count + 1) - ossai_length2(sum) / ((count + 1) * (count + 1)));
	f->items[number].noise += weight * noise / count;
}

static ossa_status measure_clusters(ossai_piece_clusters *f)
{
	const ossai_posed_surface *s = &f->surface;
	moments *of = ossai_arena_zero(f->arena, f->count, sizeof *of);
	f->items = ossai_arena_zero(f->arena, f->count, sizeof *f->items);
	if (!of || !f->items) return last_error(f);
	for (size_t face = 0; face < s->face_count; face++) {
		const uint32_t c = f->cluster_of_face[face];
		f->items[c].piece = s->piece_of_face[face];
		add_face(s, face, &of[c]);
		for (size_t i = 0; i < 3; i++) add_vertex(f, s->triangles[3 * face + i], s->face_area[face] / 3, c);
	}
	for (size_t c = 0; c < f->count; c++) {
		ossai_piece_cluster *own = &f->items[c];
		const double share = of[c].area > 0 ? 1 / of[c].area : 0;
		own->area = of[c].area;
		own->size = size_of(&of[c]);
		own->center = ossai_scale(of[c].sum, share);
		own->noise = sqrt(fmax(own->noise * share, 0));
		own->spread = sqrt(fmax(own->spread * share, 0));
	}
	return OSSA_OK;
}

/* Where the centroids of clusters and pieces are in each pose, and in the rest, the last; about
   their mean. */
static ossa_status trace_centers(ossai_piece_clusters *f)
{
	const ossai_posed_surface *s = &f->surface;
	const size_t count = s->pose_count + 1;
	double *area = ossai_arena_zero(f->arena, s->piece_count, sizeof *area);
	f->piece_path = ossai_arena_zero(f->arena, s->piece_count, count * sizeof *f->piece_path);
	f->cluster_path = ossai_arena_zero(f->arena, f->count, count * sizeof *f->cluster_path);
	if (!area || !f->piece_path || !f->cluster_path) return last_error(f);
	for (size_t c = 0; c < f->count; c++) {
		const ossai_piece_cluster *own = &f->items[c];
		ossai_vec3 *path = f->cluster_path + c * count, mean = {0, 0, 0};
		for (size_t k = 0; k + 1 < count; k++) {
			const ossai_vec3 moved = ossai_scale(ossai_sub(s->pose_center[k], s->rest_center), 1 / s->scale);
			const ossai_vec3 there = ossai_rigid_point(&f->motion.rigid[c * s->pose_count + k], own->center);
			path[k] = ossai_sub(ossai_add(there, moved), own->center);
			mean = ossai_madd(mean, 1 / (double)count, path[k]);
		}
		area[own->piece] += own->area;
		for (size_t k = 0; k < count; k++) {
			path[k] = ossai_sub(path[k], mean);
			ossai_vec3 *whole = &f->piece_path[own->piece * count + k];
			*whole = ossai_madd(*whole, own->area, path[k]);
		}
	}
	for (size_t i = 0; i < s->piece_count * count; i++) {
		if (area[i / count] > 0) f->piece_path[i] = ossai_scale(f->piece_path[i], 1 / area[i / count]);
	}
	return OSSA_OK;
}

double ossai_piece_cluster_spread(const ossai_piece_clusters *clusters, uint32_t number, uint32_t a, uint32_t b)
{
	const size_t count = clusters->surface.pose_count + 1;
	double square = clusters->items[number].spread * clusters->items[number].spread;
	for (size_t k = 0; k < count; k++) {
		const ossai_vec3 shared = ossai_scale(
			ossai_add(clusters->piece_path[a * count + k], clusters->piece_path[b * count + k]), 0.5);
		const double both = ossai_dot(clusters->cluster_path[number * count + k], shared);
		square += (ossai_length2(shared) - 2 * both) / (double)count;
	}
	return fmax(square, 0);
}

ossa_status ossai_piece_clusters_make(
	ossa_context *context, ossai_arena *arena, const ossai_posed_surface *surface, ossai_piece_clusters *clusters)
{
	*clusters = (ossai_piece_clusters){.context = context, .arena = arena, .surface = *surface};
	clusters->surface.link_pieces = false;
	OSSAI_TRY(measure_pieces(clusters));
	OSSAI_TRY(make_clusters(clusters));
	OSSAI_TRY(measure_clusters(clusters));
	return trace_centers(clusters);
}

/* proxy/mirror.c: see mirror.h.

   A plane of symmetry passes through the centroid of the surface, so only its normal is sought:
   among the principal axes, and the differences of points at equal distances from the centroid. For
   each candidate sample points are reflected, and the mean distance of the reflected points to the
   surface is its error. The best candidates are refined by fitting the plane to pairs of points and
   their nearest points on the surface, as in iterative closest points (ICP).

   Limbs may be posed a little, so distances are clamped at DISTANCE_MOST: a moved arm does not
   outweigh a body that agrees. A flat shape lies close to its reflection in any plane along its
   flat side, so the error is also compared with the spread of the surface across the plane. */
#include "proxy/mirror.h"

#include "math/lanes.h"
#include "math/symmetric_eigen.h"
#include "query/clearance.h"

#include <stdlib.h>

/* Sample points that planes are judged by: few for all candidates, more for the best; and points
   that pairs are made of. */
enum { FEW_POINTS = 40, MANY_POINTS = 250, TIP_POINTS = 24, BEST = 4, FITS = 5 };

/* The plane is a symmetry where the mean distance of reflected points is below this share of the
   size, and of the spread across the plane. Distances are clamped at DISTANCE_MOST. Calibrated
   so that characters in a walking pose are symmetric, and coiled snakes are not. */
static const double MOST_ERROR = 0.012;
static const double MOST_OF_SPREAD = 0.15;
static const double DISTANCE_MOST = 0.08;

/* Errors within this of the best, in shares of the spread, are equal: the first candidate is taken,
   or rounding would choose among the planes of a regular shape. */
static const double TIE = 1e-4;

typedef struct candidate {
	ossai_vec3 normal;
	double offset, error, of_spread, off_share;
	uint32_t order;
} candidate;

typedef struct finder {
	const ossai_clearance *clearance;
	ossai_clearance own; /* where none is given */
	ossai_vec3 center;
	ossai_mat3 spread; /* second moments of the surface about the center */
	ossai_vec3 *points;
	size_t point_count; /* <= MANY_POINTS */
	/* of each point: the face nearest to its reflection in the plane before, where the next search
	   begins */
	uint32_t near[MANY_POINTS];
} finder;

/* centroid and second moments of the surface: each corner has a third of the area of its faces */
static void measure(const ossai_proxy *proxy, finder *f)
{
	double area = 0;
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < proxy->face_count; i++) {
			const uint32_t *t = proxy->triangles + 3 * i;
			ossai_vec3 p[3];
			for (int k = 0; k < 3; k++) p[k] = ossai_sub(ossai_v3_of(proxy->positions + 3 * (size_t)t[k]), f->center);
			const double third = ossai_length(ossai_cross(ossai_sub(p[1], p[0]), ossai_sub(p[2], p[0]))) / 6;
			for (int k = 0; k < 3; k++) {
				if (pass == 0) f->points[0] = ossai_madd(f->points[0], third, p[k]);
				const double x[3] = {p[k].x, p[k].y, p[k].z};
				for (int r = 0; pass == 1 && r < 9; r++) f->spread.m[r / 3][r % 3] += third * x[r / 3] * x[r % 3];
			}
			if (pass == 0) area += 3 * third;
		}
		if (!(area > 0)) return;
		if (pass == 0) f->center = ossai_scale(f->points[0], 1 / area);
	}
	for (int r = 0; r < 9; r++) f->spread.m[r / 3][r % 3] /= area;
}

/* The vertices, one coordinate after the other, and the square of the distance of each from the
   points that are sampled so far. */
typedef struct sampling {
	size_t count; /* a multiple of the lanes */
	double *x, *y, *z, *distance2;
} sampling;

/* lowers the distances by those from one more point; the largest that is left */
OSSAI_CLONES static double sample_point(const sampling *s, ossai_vec3 point)
{
	const ossai_lanes x = ossai_lanes_all(point.x), y = ossai_lanes_all(point.y), z = ossai_lanes_all(point.z);
	ossai_lanes most = ossai_lanes_all(0);
	for (size_t i = 0; i < s->count; i += OSSAI_LANES) {
		ossai_lanes dx, dy, dz, own;
		ossai_lanes_load(s->x + i, &dx);
		ossai_lanes_load(s->y + i, &dy);
		ossai_lanes_load(s->z + i, &dz);
		ossai_lanes_load(s->distance2 + i, &own);
		dx -= x;
		dy -= y;
		dz -= z;
		const ossai_lanes d = dx * dx + dy * dy + dz * dz;
		own = ossai_lanes_choose(d < own, d, own);
		most = ossai_lanes_choose(own > most, own, most);
		ossai_lanes_store(&own, s->distance2 + i);
	}
	const double low = most[0] > most[1] ? most[0] : most[1], high = most[2] > most[3] ? most[2] : most[3];
	return low > high ? low : high;
}

/* vertices that no face uses are never far from the samples, nor are those that fill the lanes */
static ossa_status begin_sampling(ossai_arena *scratch, const ossai_proxy *proxy, sampling *s)
{
	s->count = ossai_lanes_up(proxy->vertex_count);
	s->x = ossai_arena_zero(scratch, s->count, 4 * sizeof *s->x);
	if (!s->x) return ossa_context_error(scratch->context)->status;
	s->y = s->x + s->count;
	s->z = s->y + s->count;
	s->distance2 = s->z + s->count;
	for (size_t v = 0; v < proxy->vertex_count; v++) {
		s->x[v] = proxy->positions[3 * v];
		s->y[v] = proxy->positions[3 * v + 1];
		s->z[v] = proxy->positions[3 * v + 2];
	}
	for (size_t v = 0; v < s->count; v++) s->distance2[v] = -1;
	for (size_t i = 0; i < 3 * proxy->face_count; i++) s->distance2[proxy->triangles[i]] = INFINITY;
	return OSSA_OK;
}

/* farthest point sampling, from the vertex farthest from the centroid */
static ossa_status spread_points(ossai_arena *scratch, const ossai_proxy *proxy, finder *f)
{
	sampling s;
	OSSAI_TRY(begin_sampling(scratch, proxy, &s));
	size_t next = 0;
	double farthest = -1;
	for (size_t v = 0; v < proxy->vertex_count; v++) {
		const double d = ossai_length2(ossai_sub(ossai_v3_of(proxy->positions + 3 * v), f->center));
		if (s.distance2[v] < 0 || !(d > farthest)) continue;
		farthest = d;
		next = v;
	}
	for (f->point_count = 0; f->point_count < MANY_POINTS && farthest > 0; f->point_count++) {
		const ossai_vec3 p = ossai_v3_of(proxy->positions + 3 * next);
		f->points[f->point_count] = p;
		farthest = sample_point(&s, p);
		for (next = 0; farthest > 0 && s.distance2[next] != farthest;) next++;
	}
	return OSSA_OK;
}

static double spread_along(const finder *f, ossai_vec3 normal)
{
	return sqrt(fmax(0, ossai_dot(normal, ossai_mat3_mul_v(&f->spread, normal))));
}

static ossai_vec3 reflection(const candidate *c, ossai_vec3 p)
{
	return ossai_madd(p, 2 * (c->offset - ossai_dot(c->normal, p)), c->normal);
}

/* Points and the nearest surface points of their reflections, where those are close. */
typedef struct reflections {
	size_t count;
	ossai_vec3 from[MANY_POINTS], to[MANY_POINTS];
} reflections;

/* mean distance of `count` reflected points, sampled evenly from all; infinite as soon as it must
   exceed `most` */
static void measure_error(finder *f, size_t count, double most, candidate *c, reflections *found)
{
	const size_t used = count < f->point_count ? count : f->point_count;
	const double spread = spread_along(f, c->normal), most_sum = most * (double)used;
	double sum = 0;
	size_t off = 0;
	c->error = c->of_spread = INFINITY;
	found->count = 0;
	for (size_t i = 0; i < used; i++) {
		found->from[found->count] = f->points[i];
		/* a point that is farther than what is left to `most` ends it */
		const double distance = ossai_clearance_within(f->clearance, reflection(c, f->points[i]),
			fmin(DISTANCE_MOST, most_sum - sum), &found->to[found->count], &f->near[i]);
		if (distance <= DISTANCE_MOST) found->count++;
		off += distance > OSSAI_MIRROR_OFF;
		sum += fmin(DISTANCE_MOST, distance);
		if (sum > most_sum) return;
	}
	c->error = used ? sum / (double)used : INFINITY;
	c->off_share = used ? (double)off / (double)used : 1;
	c->of_spread = spread > 0 ? c->error / spread : INFINITY;
}

/* keeps the `BEST` smallest, in ascending order */
static void keep_best(double *best, double value)
{
	size_t k = BEST;
	for (; k > 0 && value < best[k - 1]; k--) {
		if (k < BEST) best[k] = best[k - 1];
	}
	if (k < BEST) best[k] = value;
}

/* fits the plane to pairs of points x and targets y, both about their common centroid: the sum of
   |y - x + 2 n (n.x)|^2 is 4 n^T (sum x y^T) n plus terms without n, so n is the eigenvector of the
   smallest eigenvalue */
static ossa_status fit(ossai_arena *scratch, const reflections *found, candidate *c)
{
	const size_t count = found->count;
	ossai_vec3 sum = {0, 0, 0};
	double pairs[9] = {0};
	for (size_t i = 0; i < count; i++) sum = ossai_add(sum, ossai_add(found->from[i], found->to[i]));
	if (count < 4) return OSSA_OK;
	const ossai_vec3 mean = ossai_scale(sum, 0.5 / (double)count);
	for (size_t i = 0; i < count; i++) {
		const ossai_vec3 a = ossai_sub(found->from[i], mean), b = ossai_sub(found->to[i], mean);
		const double x[3] = {a.x, a.y, a.z}, z[3] = {b.x, b.y, b.z};
		for (int r = 0; r < 9; r++) pairs[r] += x[r / 3] * z[r % 3] + x[r % 3] * z[r / 3];
	}
	ossai_eigen eigen;
	double vectors[9];
	OSSAI_TRY(ossai_eigen_make(scratch->context, scratch, 3, pairs, &eigen));
	OSSAI_TRY(ossai_eigen_vectors(scratch->context, &eigen, 3, vectors));
	ossai_vec3 normal = ossai_v3(vectors[2], vectors[5], vectors[8]);
	/* a fit that turns far away has found another plane, which is judged as a candidate of its
	   own */
	if (!(fabs(ossai_dot(normal, c->normal)) > 0.9)) return OSSA_OK;
	if (ossai_dot(normal, c->normal) < 0) normal = ossai_scale(normal, -1);
	c->normal = ossai_unit(normal, c->normal);
	c->offset = ossai_dot(c->normal, ossai_scale(sum, 0.5 / (double)count));
	return OSSA_OK;
}

static int by_error(const void *x, const void *y)
{
	const candidate *a = x, *b = y;
	if (a->of_spread != b->of_spread) return a->of_spread < b->of_spread ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

/* the principal axes, and differences of points that are equally far from the centroid */
static ossa_status gather(ossai_arena *scratch, finder *f, candidate *candidates, size_t *count)
{
	ossai_eigen eigen;
	double matrix[9], vectors[9];
	for (int r = 0; r < 9; r++) matrix[r] = f->spread.m[r / 3][r % 3];
	OSSAI_TRY(ossai_eigen_make(scratch->context, scratch, 3, matrix, &eigen));
	OSSAI_TRY(ossai_eigen_vectors(scratch->context, &eigen, 3, vectors));
	*count = 0;
	for (int k = 2; k >= 0; k--) candidates[(*count)++].normal = ossai_v3(vectors[k], vectors[3 + k], vectors[6 + k]);
	const size_t tips = f->point_count < TIP_POINTS ? f->point_count : TIP_POINTS;
	for (size_t i = 0; i < tips; i++) {
		for (size_t j = i + 1; j < tips; j++) {
			const double a = ossai_distance(f->points[i], f->center), b = ossai_distance(f->points[j], f->center);
			const ossai_vec3 across = ossai_sub(f->points[i], f->points[j]);
			/* counterparts are equally far from the centroid, which lies on the plane */
			if (fabs(a - b) < OSSAI_MIRROR_OFF && ossai_length(across) > OSSAI_MIRROR_OFF)
				candidates[(*count)++].normal = ossai_unit(across, across);
		}
	}
	double best[BEST];
	reflections found;
	for (size_t k = 0; k < BEST; k++) best[k] = INFINITY;
	for (size_t i = 0; i < *count; i++) {
		candidates[i].order = (uint32_t)i;
		candidates[i].offset = ossai_dot(candidates[i].normal, f->center);
		measure_error(f, FEW_POINTS, best[BEST - 1] * spread_along(f, candidates[i].normal), &candidates[i], &found);
		keep_best(best, candidates[i].of_spread);
	}
	return ossai_progress(scratch->context, 0.5);
}

/* refines the best candidates; takes the first of those that are as good as the best */
static ossa_status choose(ossai_arena *scratch, finder *f, candidate *candidates, size_t count, candidate *chosen)
{
	qsort(candidates, count, sizeof *candidates, by_error);
	const size_t best = count < BEST ? count : BEST;
	for (size_t i = 0; i < best; i++) {
		reflections found, moved;
		measure_error(f, MANY_POINTS, INFINITY, &candidates[i], &found);
		for (int step = 0; step < FITS; step++) {
			candidate next = candidates[i];
			OSSAI_TRY(fit(scratch, &found, &next));
			measure_error(f, MANY_POINTS, candidates[i].error, &next, &moved);
			if (!(next.error < candidates[i].error * (1 - 1e-3))) break;
			candidates[i] = next;
			found = moved;
		}
		OSSAI_TRY(ossai_progress(scratch->context, 0.5 + 0.5 * (double)i / (double)best));
	}
	qsort(candidates, best, sizeof *candidates, by_error);
	*chosen = candidates[0];
	for (size_t i = 1; i < best; i++) {
		const bool is_as_good = candidates[i].of_spread < candidates[0].of_spread + TIE;
		if (is_as_good && candidates[i].order < chosen->order) *chosen = candidates[i];
	}
	return OSSA_OK;
}

static ossa_status begin(ossai_arena *scratch, const ossai_proxy *proxy, const ossai_clearance *clearance, finder *f)
{
	*f = (finder){.clearance = clearance};
	for (size_t i = 0; i < MANY_POINTS; i++) f->near[i] = OSSA_NONE;
	f->points = ossai_arena_zero(scratch, MANY_POINTS, sizeof *f->points);
	if (!f->points) return ossa_context_error(scratch->context)->status;
	if (!clearance) {
		const ossai_mesh_view mesh = ossai_proxy_view(proxy);
		OSSAI_TRY(ossai_clearance_make(scratch, &mesh, false, &f->own));
		f->clearance = &f->own;
	}
	measure(proxy, f);
	return spread_points(scratch, proxy, f);
}

static void take(const candidate *c, ossai_mirror *mirror)
{
	mirror->normal = c->normal;
	mirror->offset = c->offset;
	mirror->error = c->error;
	mirror->off_share = c->off_share;
	mirror->exists = c->error <= MOST_ERROR && c->of_spread <= MOST_OF_SPREAD;
}

static ossa_status find(ossai_arena *scratch, const ossai_proxy *proxy, const ossai_clearance *clearance, ossai_mirror *mirror)
{
	finder f;
	candidate *candidates = ossai_arena_zero(scratch, 3 + TIP_POINTS * TIP_POINTS / 2, sizeof *candidates);
	if (!candidates) return ossa_context_error(scratch->context)->status;
	OSSAI_TRY(begin(scratch, proxy, clearance, &f));
	/* collinear points have infinitely many planes of symmetry */
	if (f.point_count < 4) return OSSA_OK;
	size_t count;
	OSSAI_TRY(gather(scratch, &f, candidates, &count));
	candidate best;
	OSSAI_TRY(choose(scratch, &f, candidates, count, &best));
	take(&best, mirror);
	return OSSA_OK;
}

ossa_status ossai_mirror_measure(
	ossai_arena *arena, const ossai_proxy *proxy, const ossai_clearance *clearance, ossai_mirror *mirror)
{
	finder f;
	reflections found;
	candidate own = {.normal = mirror->normal, .offset = mirror->offset};
	ossai_arena scratch = ossai_arena_begin(arena->context);
	const ossa_status status = begin(&scratch, proxy, clearance, &f);
	if (status == OSSA_OK) measure_error(&f, MANY_POINTS, INFINITY, &own, &found);
	if (status == OSSA_OK) take(&own, mirror);
	ossai_arena_end(&scratch);
	return status;
}

ossa_status ossai_mirror_find(
	ossai_arena *arena, const ossai_proxy *proxy, const ossai_clearance *clearance, ossai_mirror *mirror)
{
	*mirror = (ossai_mirror){.normal = {1, 0, 0}, .error = INFINITY, .off_share = 1};
	ossai_arena scratch = ossai_arena_begin(arena->context);
	const ossa_status status = find(&scratch, proxy, clearance, mirror);
	ossai_arena_end(&scratch);
	return status;
}

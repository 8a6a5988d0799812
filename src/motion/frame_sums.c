/* motion/frame_sums.c: see frame_sums.h. */
#include "motion/frame_sums.h"

#include "base/clones.h"

#include <string.h>

enum { LANES = OSSAI_TILE_FRAMES, VERTICES_PER_RANGE = 2048, VERTICES_PER_BLOCK = 64 };

/* ---- lists ---- */

static ossa_status take_arrays(ossai_arena *arena, size_t total, ossai_skin_lists *l)
{
	const size_t n = l->bone_count, used = l->used_count;
	l->used = ossai_arena_new(arena, used, sizeof *l->used);
	l->rest = ossai_arena_new(arena, used, sizeof *l->rest);
	l->first = ossai_arena_new(arena, used + 1, sizeof *l->first);
	l->bone = ossai_arena_new(arena, total, sizeof *l->bone);
	l->weight = ossai_arena_new(arena, total, sizeof *l->weight);
	l->share = ossai_arena_new(arena, total, sizeof *l->share);
	l->mass = ossai_arena_zero(arena, n, sizeof *l->mass);
	const bool all = l->used && l->rest && l->first && l->bone && l->weight && l->share && l->mass;
	return all ? OSSA_OK : ossa_context_error(arena->context)->status;
}

static void list_by_vertex(const ossai_posed_surface *surface, const ossai_bone_weights *weights, ossai_skin_lists *l)
{
	size_t at = 0, total = 0;
	for (size_t v = 0; v < surface->vertex_count; v++) {
		if (!surface->used[v]) continue;
		l->used[at] = (uint32_t)v;
		memcpy(l->rest[at], surface->rest + 3 * v, 3 * sizeof(double));
		l->rest[at][3] = 1;
		l->first[at++] = total;
		for (size_t i = 0; i < weights->count[v]; i++, total++) {
			l->bone[total] = weights->bone[v * weights->width + i];
			l->weight[total] = weights->value[v * weights->width + i];
		}
	}
	l->first[at] = total;
}

static ossa_status list_by_bone(ossai_arena *arena, ossai_skin_lists *l)
{
	const size_t total = l->first[l->used_count];
	OSSAI_TRY(ossai_csr_begin(arena, l->bone_count, &l->of_bone));
	for (size_t i = 0; i < total; i++) ossai_csr_count(&l->of_bone, l->bone[i]);
	OSSAI_TRY(ossai_csr_take_items(arena, &l->of_bone));
	for (size_t u = 0; u < l->used_count; u++) {
		for (size_t i = l->first[u]; i < l->first[u + 1]; i++) {
			const uint32_t to = ossai_csr_next(&l->of_bone, l->bone[i]);
			l->of_bone.item[to] = (uint32_t)u;
			for (size_t r = 0; r < 4; r++) {
				l->share[to][r] = l->weight[i] * l->rest[u][r];
				l->mass[l->bone[i]][r] += l->share[to][r];
			}
		}
	}
	return OSSA_OK;
}

ossa_status ossai_skin_lists_make(
	ossai_arena *arena, const ossai_posed_surface *surface, const ossai_bone_weights *weights, ossai_skin_lists *lists)
{
	size_t total = 0;
	*lists = (ossai_skin_lists){.bone_count = weights->bone_count, .used_count = surface->used_count};
	for (size_t v = 0; v < surface->vertex_count; v++) total += surface->used[v] ? weights->count[v] : 0;
	OSSAI_TRY(take_arrays(arena, total, lists));
	list_by_vertex(surface, weights, lists);
	return list_by_bone(arena, lists);
}

/* ---- ranges ---- */

/* One range's contribution to a tile. */
typedef struct range_sums {
	double a[LANES], b[LANES], c[LANES], d[LANES];
	double largest2[LANES];
	uint32_t worst[LANES];
} range_sums;

static size_t range_count(size_t used_count) { return (used_count - 1) / VERTICES_PER_RANGE + 1; }

size_t ossai_tile_scratch(size_t used_count, size_t tile_count)
{
	return tile_count * (range_count(used_count) * (sizeof(range_sums) / sizeof(double) + 1) + used_count);
}

/* ---- filling ---- */

typedef struct fill_job {
	const ossai_skin_lists *lists;
	const float *const *frames;
	float *positions;
	/* the first vertex of each frame as origin: small differences keep their digits */
	double from[3 * LANES];
	range_sums *ranges;
} fill_job;

static void interleave(const uint32_t *used, size_t count, const float *const *frames, float *positions)
{
	for (size_t k = 0; k < LANES; k++) {
		for (size_t u = 0; u < count; u++) {
			const float *p = frames[k] + 3 * (size_t)used[u];
			float *to = positions + 3 * LANES * u + k;
			to[0] = p[0];
			to[LANES] = p[1];
			to[2 * LANES] = p[2];
		}
	}
}

/* adds x, y, z and squares of each frame, all lanes of a coordinate together */
OSSAI_CLONES static void add_positions(
	size_t count, const float *positions, const double from[3 * LANES], double sums[6 * LANES])
{
	double sum[6 * LANES];
	memcpy(sum, sums, sizeof sum);
	for (size_t u = 0; u < count; u++, positions += 3 * LANES) {
		for (size_t i = 0; i < 3 * LANES; i++) {
			const double d = (double)positions[i] - from[i];
			sum[i] += d;
			sum[3 * LANES + i] += d * d;
		}
	}
	memcpy(sums, sum, sizeof sum);
}

static void fill_range(void *arg, size_t begin, size_t end)
{
	const fill_job *job = arg;
	range_sums *own = &job->ranges[begin / VERTICES_PER_RANGE];
	double sums[6 * LANES] = {0};
	for (size_t u = begin; u < end; u += VERTICES_PER_BLOCK) {
		const size_t count = end - u < VERTICES_PER_BLOCK ? end - u : VERTICES_PER_BLOCK;
		float *positions = job->positions + 3 * LANES * u;
		interleave(job->lists->used + u, count, job->frames, positions);
		add_positions(count, positions, job->from, sums);
	}
	memcpy(own->a, sums, sizeof own->a);
	memcpy(own->b, sums + LANES, sizeof own->b);
	memcpy(own->c, sums + 2 * LANES, sizeof own->c);
	for (size_t k = 0; k < LANES; k++) own->d[k] = sums[3 * LANES + k] + sums[4 * LANES + k] + sums[5 * LANES + k];
}

void ossai_tile_fill(ossa_context *context, const ossai_skin_lists *lists, const float *const *frames, double scale,
	ossai_frame_tile *tile, double *scratch)
{
	fill_job job = {.lists = lists, .frames = frames, .positions = tile->positions, .ranges = (range_sums *)scratch};
	for (size_t i = 0; i < 3 * LANES; i++) job.from[i] = (double)frames[i % LANES][3 * (size_t)lists->used[0] + i / LANES];
	ossai_parallel_for(context, lists->used_count, VERTICES_PER_RANGE, fill_range, &job);
	const double count = (double)lists->used_count;
	for (size_t k = 0; k < LANES; k++) {
		ossai_vec3 sum = {0, 0, 0};
		double square = 0;
		for (size_t r = 0; r < range_count(lists->used_count); r++) {
			const range_sums *own = &job.ranges[r];
			sum = ossai_add(sum, ossai_v3(own->a[k], own->b[k], own->c[k]));
			square += own->d[k];
		}
		const ossai_vec3 mean = ossai_scale(sum, 1 / count);
		const ossai_vec3 from = {job.from[k], job.from[LANES + k], job.from[2 * LANES + k]};
		tile->center[k] = ossai_add(from, mean);
		tile->square[k] = fmax(0, square - count * ossai_length2(mean)) / (scale * scale);
	}
}

/* ---- targets ---- */

typedef struct target_job {
	const ossai_skin_lists *lists;
	const ossai_frame_tile *tiles;
	size_t pose_count;
	double scale;
	double *c;
} target_job;

/* sums of share times position: 4 rows x 3 coordinates x 4 frames */
OSSAI_CLONES static void sum_bone(
	size_t count, const uint32_t *place, const double (*share)[4], const float *positions, double sums[4 * 3 * LANES])
{
	double s[4][3 * LANES] = {{0}};
	for (size_t n = 0; n < count; n++) {
		const float *q = positions + 3 * LANES * (size_t)place[n];
		double p[3 * LANES];
		for (size_t i = 0; i < 3 * LANES; i++) p[i] = (double)q[i];
		for (size_t r = 0; r < 4; r++) {
			for (size_t i = 0; i < 3 * LANES; i++) s[r][i] += share[n][r] * p[i];
		}
	}
	memcpy(sums, s, sizeof s);
}

/* item: a bone in a tile */
static void target_range(void *arg, size_t begin, size_t end)
{
	const target_job *job = arg;
	const ossai_skin_lists *l = job->lists;
	for (size_t item = begin; item < end; item++) {
		const size_t tile = item / l->bone_count, b = item % l->bone_count, first = LANES * tile;
		const size_t lanes = job->pose_count - first < LANES ? job->pose_count - first : LANES;
		double sums[4 * 3 * LANES];
		sum_bone(ossai_csr_size(&l->of_bone, b), l->of_bone.item + l->of_bone.start[b],
			(const double(*)[4])(l->share + l->of_bone.start[b]), job->tiles[tile].positions, sums);
		for (size_t k = 0; k < lanes; k++) {
			const ossai_vec3 center = job->tiles[tile].center[k];
			const double c[3] = {center.x, center.y, center.z};
			for (size_t i = 0; i < 12; i++) {
				const size_t r = i / 3, x = i % 3;
				const double sum = sums[(3 * r + x) * LANES + k] - l->mass[b][r] * c[x];
				job->c[((4 * b + r) * job->pose_count + first + k) * 3 + x] = sum / job->scale;
			}
		}
	}
}

void ossai_tile_targets(ossa_context *context, const ossai_skin_lists *lists, const ossai_frame_tile *tiles, size_t pose_count,
	double scale, double *c)
{
	target_job job = {lists, tiles, pose_count, scale, c};
	const size_t tile_count = (pose_count + LANES - 1) / LANES;
	ossai_parallel_for(context, tile_count * lists->bone_count, 1, target_range, &job);
}

/* ---- errors ---- */

typedef struct error_job {
	const ossai_skin_lists *lists;
	const ossai_frame_tile *tiles;
	size_t ranges_of_tile, tile_count, pose_count;
	double scale;
	const double *matrices; /* by tile: B x 12 x LANES */
	range_sums *ranges;     /* by tile */
	double *square;         /* by tile: U, sums over its poses */
	double *vertex_square;  /* V, or NULL */
} error_job;

/* squared errors of a block of vertices, in the frames' units */
OSSAI_CLONES static void block_errors(const ossai_skin_lists *l, size_t begin, size_t end, const float *positions,
	const double *matrices, double (*square)[LANES])
{
	for (size_t u = begin; u < end; u++) {
		double e[3 * LANES];
		const float *q = positions + 3 * LANES * u;
		for (size_t i = 0; i < 3 * LANES; i++) e[i] = -(double)q[i];
		for (size_t n = l->first[u]; n < l->first[u + 1]; n++) {
			const double *m = matrices + 12 * LANES * (size_t)l->bone[n];
			for (size_t column = 0; column < 4; column++) {
				const double a = l->weight[n] * l->rest[u][column];
				for (size_t i = 0; i < 3 * LANES; i++) e[i] += a * m[3 * LANES * column + i];
			}
		}
		for (size_t k = 0; k < LANES; k++) {
			square[u - begin][k] = e[k] * e[k] + e[LANES + k] * e[LANES + k] + e[2 * LANES + k] * e[2 * LANES + k];
		}
	}
}

OSSAI_CLONES static void add_errors(size_t count, double (*square)[LANES], double scale, range_sums *sums)
{
	const double unit = 1 / (scale * scale);
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < LANES; k++) {
			square[i][k] *= unit;
			sums->a[k] += square[i][k];
			sums->b[k] += sqrt(square[i][k]);
		}
	}
}

/* of as many frames as the tile has */
static void keep_squares(size_t count, double (*square)[LANES], size_t lanes, double *kept)
{
	for (size_t i = 0; i < count; i++) {
		kept[i] = 0;
		for (size_t k = 0; k < lanes; k++) kept[i] += square[i][k];
	}
}

static void find_worst(const ossai_skin_lists *l, size_t begin, size_t count, double (*square)[LANES], range_sums *sums)
{
	for (size_t k = 0; k < LANES; k++) {
		for (size_t i = 0; i < count; i++) {
			if (!(square[i][k] > sums->largest2[k])) continue;
			sums->largest2[k] = square[i][k];
			sums->worst[k] = l->used[begin + i];
		}
	}
}

/* item: a range of vertices in a tile */
static void error_range(void *arg, size_t item_begin, size_t item_end)
{
	const error_job *job = arg;
	const ossai_skin_lists *l = job->lists;
	for (size_t item = item_begin; item < item_end; item++) {
		const size_t tile = item / job->ranges_of_tile, first = item % job->ranges_of_tile * VERTICES_PER_RANGE;
		const size_t last = l->used_count - first < VERTICES_PER_RANGE ? l->used_count : first + VERTICES_PER_RANGE;
		const size_t lanes = job->pose_count - LANES * tile < LANES ? job->pose_count - LANES * tile : LANES;
		range_sums sums = {.a = {0}};
		for (size_t k = 0; k < LANES; k++) sums.worst[k] = l->used[first];
		for (size_t begin = first; begin < last; begin += VERTICES_PER_BLOCK) {
			const size_t end = last - begin < VERTICES_PER_BLOCK ? last : begin + VERTICES_PER_BLOCK;
			double square[VERTICES_PER_BLOCK][LANES];
			block_errors(l, begin, end, job->tiles[tile].positions, job->matrices + tile * l->bone_count * 12 * LANES, square);
			add_errors(end - begin, square, job->scale, &sums);
			keep_squares(end - begin, square, lanes, job->square + tile * l->used_count + begin);
			find_worst(l, begin, end - begin, square, &sums);
		}
		job->ranges[item] = sums;
	}
}

/* the maps of a tile in the frames' units: column, coordinate, frame */
static void fill_matrices(const ossai_frame_tile *tiles, double scale, const ossai_bone_motion *motion, double *matrices)
{
	const size_t poses = motion->pose_count;
	for (size_t tile = 0; LANES * tile < poses; tile++) {
		for (size_t b = 0; b < motion->bone_count; b++, matrices += 12 * LANES) {
			for (size_t k = 0; k < LANES; k++) {
				const size_t pose = LANES * tile + k < poses ? LANES * tile + k : poses - 1;
				const ossai_rigid *x = &motion->rigid[b * poses + pose];
				const ossai_vec3 t = ossai_madd(tiles[tile].center[k], scale, x->t);
				const double at[3] = {t.x, t.y, t.z};
				for (size_t i = 0; i < 9; i++) matrices[(3 * (i % 3) + i / 3) * LANES + k] = scale * x->r.m[i / 3][i % 3];
				for (size_t i = 0; i < 3; i++) matrices[(9 + i) * LANES + k] = at[i];
			}
		}
	}
}

static void join_ranges(const range_sums *ranges, size_t count, ossai_tile_errors *errors)
{
	memset(errors, 0, sizeof *errors);
	memcpy(errors->worst, ranges[0].worst, sizeof errors->worst);
	for (size_t r = 0; r < count; r++) {
		for (size_t k = 0; k < LANES; k++) {
			errors->square[k] += ranges[r].a[k];
			errors->sum[k] += ranges[r].b[k];
			if (!(ranges[r].largest2[k] > errors->largest2[k])) continue;
			errors->largest2[k] = ranges[r].largest2[k];
			errors->worst[k] = ranges[r].worst[k];
		}
	}
}

static void join_tiles(void *arg, size_t begin, size_t end)
{
	const error_job *job = arg;
	for (size_t tile = 0; tile < job->tile_count; tile++) {
		const double *square = job->square + tile * job->lists->used_count;
		for (size_t u = begin; u < end; u++) job->vertex_square[job->lists->used[u]] += square[u];
	}
}

void ossai_tile_errors_make(ossa_context *context, const ossai_skin_lists *lists, const ossai_frame_tile *tiles, double scale,
	const ossai_bone_motion *motion, double *matrices, double *scratch, ossai_tile_errors *errors, double *vertex_square)
{
	const size_t tile_count = (motion->pose_count + LANES - 1) / LANES, ranges = range_count(lists->used_count);
	fill_matrices(tiles, scale, motion, matrices);
	error_job job = {.lists = lists,
		.tiles = tiles,
		.ranges_of_tile = ranges,
		.tile_count = tile_count,
		.pose_count = motion->pose_count,
		.scale = scale,
		.matrices = matrices,
		.ranges = (range_sums *)scratch,
		.vertex_square = vertex_square};
	job.square = (double *)(job.ranges + tile_count * ranges);
	ossai_parallel_for(context, tile_count * ranges, 1, error_range, &job);
	if (vertex_square) ossai_parallel_for(context, lists->used_count, VERTICES_PER_RANGE, join_tiles, &job);
	for (size_t tile = 0; tile < tile_count; tile++) join_ranges(job.ranges + tile * ranges, ranges, &errors[tile]);
}

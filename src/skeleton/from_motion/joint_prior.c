/* skeleton/from_motion/joint_prior.c: see joint_prior.h. */
#include "skeleton/from_motion/joint_prior.h"

#include "skeleton/from_motion/contour.h"

/* Standard deviations of a joint from the center of its section, in the section's radius: along the
   limb and across it (docs/examples.md says how they were found). */
static const double along_deviation = 1, across_deviation = 0.5;

/* independent errors of a bone; the RMS (diagonals) below which errors mean nothing; and one that
   anybody sees */
static const double errors_of_bone = 3, least_rms = 1e-5, seen_rms = 0.01;

/* of Student's t: with more of them it is closer to a Gaussian */
static const double degrees_of_freedom = OSSAI_JOINT_PULLED * OSSAI_JOINT_PULLED;

/* the contour is where the joint's side has this share of the weights */
static const double level = 0.5;

/* a piece of the contour within a face, with the joint's side on its left */
typedef struct segment {
	ossai_vec3 from, to;
	double weight;
} segment;

typedef struct prior_build {
	const ossai_posed_surface *surface;
	const ossai_bone_weights *weights;
	const ossai_tree *tree;
	uint8_t *is_below; /* B: whether a bone is from the joint on */
	double *share;     /* V: weight of these bones */
	double *own;       /* V: of the joint's two bones */
	segment *segments; /* F */
	size_t count;
	const double *size; /* B: how large bones are */
} prior_build;

static void mark_below(const prior_build *build, uint32_t bone)
{
	const ossai_tree *tree = build->tree;
	for (size_t at = 0; at < tree->bone_count; at++) {
		const uint32_t b = tree->order[at], parent = tree->parent[b];
		build->is_below[b] = b == bone || (parent != OSSA_NONE && build->is_below[parent]);
	}
}

static void sum_weights(const prior_build *build, uint32_t bone)
{
	const ossai_bone_weights *w = build->weights;
	const uint32_t parent = build->tree->parent[bone];
	for (size_t v = 0; v < w->vertex_count; v++) {
		build->share[v] = build->own[v] = 0;
		for (size_t i = v * w->width; i < v * w->width + w->count[v]; i++) {
			if (build->is_below[w->bone[i]]) build->share[v] += w->value[i];
			if (w->bone[i] == bone || w->bone[i] == parent) build->own[v] += w->value[i];
		}
	}
}

static void cut_face(prior_build *build, const uint32_t *corner)
{
	ossai_contour_piece piece;
	double above[3], own[3];
	ossai_vec3 point[3];
	for (int c = 0; c < 3; c++) above[c] = build->share[corner[c]] - level;
	if (!ossai_contour_cut(above, &piece)) return;
	for (int c = 0; c < 3; c++) {
		own[c] = build->own[corner[c]];
		point[c] = ossai_rest_point(build->surface, corner[c]);
	}
	segment *s = &build->segments[build->count++];
	*s = (segment){ossai_contour_point(&piece, 0, point), ossai_contour_point(&piece, 1, point), 0};
	s->weight = 0.5 * (ossai_contour_value(&piece, 0, own) + ossai_contour_value(&piece, 1, own)) *
		ossai_distance(s->from, s->to);
}

/* the mean of the contour; the mass that it has */
static double find_center(const prior_build *build, ossai_vec3 *center)
{
	double mass = 0;
	ossai_vec3 sum = {0, 0, 0};
	for (size_t i = 0; i < build->count; i++) {
		const segment *s = &build->segments[i];
		sum = ossai_madd(sum, s->weight, ossai_lerp(s->from, s->to, 0.5));
		mass += s->weight;
	}
	if (mass > 0) *center = ossai_scale(sum, 1 / mass);
	return mass;
}

/* the mean distance from the center, and the direction across the section: of its area */
static double find_radius(const prior_build *build, ossai_vec3 center, double mass, ossai_vec3 *along)
{
	double radius = 0;
	ossai_vec3 area = {0, 0, 0};
	for (size_t i = 0; i < build->count; i++) {
		const segment *s = &build->segments[i];
		const ossai_vec3 from = ossai_sub(s->from, center), to = ossai_sub(s->to, center);
		const double length = ossai_distance(from, to);
		radius += s->weight * ossai_length(ossai_lerp(from, to, 0.5)) / mass;
		if (length > 0) area = ossai_madd(area, s->weight / length, ossai_cross(from, to));
	}
	*along = ossai_unit(area, ossai_v3(0, 0, 0));
	return radius;
}

ossai_joint_prior ossai_joint_prior_of_section(ossai_vec3 center, double radius, ossai_vec3 along)
{
	ossai_joint_prior prior = {.mean = center, .radius = radius};
	const double d[3] = {along.x, along.y, along.z};
	const double u = 1 / pow(across_deviation * radius, 2), v = 1 / pow(along_deviation * radius, 2);
	for (int i = 0; i < 9; i++) prior.precision[i] = (i % 4 == 0 ? u : 0) + (v - u) * d[i / 3] * d[i % 3];
	return prior;
}

ossai_joint_prior ossai_joint_prior_around(ossai_vec3 center, double deviation)
{
	const double p = 1 / (deviation * deviation);
	return (ossai_joint_prior){.mean = center, .precision = {p, 0, 0, 0, p, 0, 0, 0, p}};
}

static ossai_joint_prior find_prior(prior_build *build, uint32_t bone, ossai_vec3 shape, double doubt)
{
	ossai_vec3 center, along;
	mark_below(build, bone);
	sum_weights(build, bone);
	build->count = 0;
	for (size_t f = 0; f < build->surface->face_count; f++) cut_face(build, build->surface->triangles + 3 * f);
	const double mass = find_center(build, &center);
	const double radius = mass > 0 ? find_radius(build, center, mass, &along) : 0;
	if (radius > OSSAI_LEAST_SECTION) return ossai_joint_prior_of_section(center, radius, along);
	return ossai_joint_prior_around(shape, ossai_joint_doubt(build->size, bone, build->tree->parent[bone], doubt));
}

ossa_status ossai_joint_priors_make(ossa_context *context, const ossai_posed_surface *surface,
	const ossai_bone_weights *weights, const ossai_tree *tree, const ossai_vec3 *shape, double doubt, ossai_joint_prior *prior)
{
	const size_t n = tree->bone_count;
	ossai_arena scratch = ossai_arena_begin(context);
	prior_build build = {.surface = surface, .weights = weights, .tree = tree};
	build.is_below = ossai_arena_zero(&scratch, n, sizeof *build.is_below);
	build.share = ossai_arena_new(&scratch, surface->vertex_count, sizeof *build.share);
	build.own = ossai_arena_new(&scratch, surface->vertex_count, sizeof *build.own);
	build.segments = ossai_arena_new(&scratch, surface->face_count, sizeof *build.segments);
	build.size = ossai_bone_sizes(&scratch, surface, weights);
	const bool ready = build.is_below && build.share && build.own && build.segments && build.size;
	for (size_t at = 1; ready && at < n; at++) {
		const uint32_t bone = tree->order[at];
		prior[bone] = find_prior(&build, bone, shape[bone], doubt);
	}
	ossai_arena_end(&scratch);
	return ready ? OSSA_OK : ossa_context_error(context)->status;
}

/* ---- without a section ---- */

double *ossai_bone_sizes(ossai_arena *arena, const ossai_posed_surface *surface, const ossai_bone_weights *w)
{
	double *size = ossai_arena_zero(arena, w->bone_count, sizeof *size);
	double(*sum)[5] = ossai_arena_zero(arena, w->bone_count, sizeof *sum); /* 1, x, y, z, square */
	if (!size || !sum) return NULL;
	for (size_t v = 0; v < w->vertex_count; v++) {
		const ossai_vec3 p = ossai_rest_point(surface, v);
		const double terms[5] = {1, p.x, p.y, p.z, ossai_length2(p)};
		for (size_t i = v * w->width; i < v * w->width + w->count[v]; i++) {
			for (int e = 0; e < 5; e++) sum[w->bone[i]][e] += w->value[i] * terms[e];
		}
	}
	for (size_t b = 0; b < w->bone_count; b++) {
		const double *s = sum[b];
		if (s[0] > 0) size[b] = sqrt(fmax(0, s[4] / s[0] - ossai_length2(ossai_v3_of(s + 1)) / (s[0] * s[0])));
	}
	return size;
}

double ossai_joint_doubt(const double *size, uint32_t a, uint32_t b, double most)
{
	const double smaller = fmin(size[a], size[b]);
	return smaller > 0 ? fmin(smaller, most) : most;
}

/* ---- how likely ---- */

double ossai_joint_prior_distance2(const ossai_joint_prior *prior, ossai_vec3 x)
{
	const ossai_vec3 gap = ossai_sub(x, prior->mean);
	const double d[3] = {gap.x, gap.y, gap.z};
	double sum = 0;
	for (int i = 0; i < 9; i++) sum += d[i / 3] * prior->precision[i] * d[i % 3];
	return sum;
}

double ossai_joint_surprise(const ossai_joint_prior *prior, ossai_vec3 x)
{
	const double n = degrees_of_freedom;
	return 0.5 * (n + 3) * log1p(ossai_joint_prior_distance2(prior, x) / n);
}

double ossai_hierarchy_surprise(double error, double vertices, size_t poses, size_t bones)
{
	const double mean = error / (vertices * (double)poses);
	const double surprise = log(mean + least_rms * least_rms) + mean / (seen_rms * seen_rms);
	return 0.5 * 3 * errors_of_bone * (double)bones * surprise;
}

/* skeleton/from_motion/joint_prior.c: see joint_prior.h. */
#include "skeleton/from_motion/joint_prior.h"

/* Standard deviations of a joint from the center of its section, in the section's radius: along the
   limb and across it (docs/examples.md says how they were found). */
static const double along_deviation = 1, across_deviation = 0.5;

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

/* the point of the edge from corner `v` to `w` on the contour */
static ossai_vec3 cross_edge(const prior_build *build, uint32_t v, uint32_t w, double *own)
{
	const double t = (build->share[v] - level) / (build->share[v] - build->share[w]);
	*own += build->own[v] + t * (build->own[w] - build->own[v]);
	return ossai_lerp(ossai_rest_point(build->surface, v), ossai_rest_point(build->surface, w), t);
}

static void cut_face(prior_build *build, const uint32_t *corner)
{
	bool above[3];
	for (size_t i = 0; i < 3; i++) above[i] = build->share[corner[i]] > level;
	if (above[0] == above[1] && above[1] == above[2]) return;
	/* the corner that is alone on its side */
	const size_t i = above[0] == above[1] ? 2 : above[0] == above[2] ? 1 : 0;
	double own = 0;
	const ossai_vec3 p = cross_edge(build, corner[i], corner[(i + 1) % 3], &own);
	const ossai_vec3 q = cross_edge(build, corner[i], corner[(i + 2) % 3], &own);
	segment *s = &build->segments[build->count++];
	*s = above[i] ? (segment){p, q, 0} : (segment){q, p, 0};
	s->weight = own / 2 * ossai_distance(p, q);
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

static void set_precision(double across, double along, ossai_vec3 direction, double precision[9])
{
	const double d[3] = {direction.x, direction.y, direction.z}, u = 1 / (across * across), v = 1 / (along * along);
	for (int i = 0; i < 9; i++) precision[i] = (i % 4 == 0 ? u : 0) + (v - u) * d[i / 3] * d[i % 3];
}

static void find_prior(prior_build *build, uint32_t bone, double doubt, ossai_joint_prior *prior)
{
	ossai_vec3 along;
	mark_below(build, bone);
	sum_weights(build, bone);
	build->count = 0;
	for (size_t f = 0; f < build->surface->face_count; f++) cut_face(build, build->surface->triangles + 3 * f);
	const double mass = find_center(build, &prior->mean);
	prior->radius = mass > 0 ? find_radius(build, prior->mean, mass, &along) : 0;
	/* a section that is a point says nothing */
	if (prior->radius > 1e-6) {
		set_precision(across_deviation * prior->radius, along_deviation * prior->radius, along, prior->precision);
		return;
	}
	prior->radius = 0;
	set_precision(doubt, doubt, ossai_v3(0, 0, 0), prior->precision);
}

ossa_status ossai_joint_priors_make(ossa_context *context, const ossai_posed_surface *surface,
	const ossai_bone_weights *weights, const ossai_tree *tree, const ossai_vec3 *shape, double doubt, ossai_joint_prior *prior)
{
	ossai_arena scratch = ossai_arena_begin(context);
	prior_build build = {.surface = surface, .weights = weights, .tree = tree};
	build.is_below = ossai_arena_zero(&scratch, tree->bone_count, sizeof *build.is_below);
	build.share = ossai_arena_new(&scratch, surface->vertex_count, sizeof *build.share);
	build.own = ossai_arena_new(&scratch, surface->vertex_count, sizeof *build.own);
	build.segments = ossai_arena_new(&scratch, surface->face_count, sizeof *build.segments);
	const bool ready = build.is_below && build.share && build.own && build.segments;
	for (size_t at = 1; ready && at < tree->bone_count; at++) {
		const uint32_t bone = tree->order[at];
		prior[bone].mean = shape[bone];
		find_prior(&build, bone, doubt, &prior[bone]);
		if (prior[bone].radius == 0) prior[bone].mean = shape[bone];
	}
	ossai_arena_end(&scratch);
	return ready ? OSSA_OK : ossa_context_error(context)->status;
}

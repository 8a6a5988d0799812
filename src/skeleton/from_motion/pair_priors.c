/* skeleton/from_motion/pair_priors.c: see pair_priors.h. */
#include "skeleton/from_motion/pair_priors.h"

#include "skeleton/from_motion/contour.h"
#include "skeleton/from_motion/mirrored_graph.h"

/* sums over the contour of a pair, each part by its length and how much the two bones weigh
   there */
typedef struct pair_section {
	double mass, square;
	ossai_vec3 first, area, along; /* sums of points, of from x to, and of to - from */
} pair_section;

typedef struct pair_build {
	const ossai_posed_surface *surface;
	const ossai_bone_weights *weights;
	const ossai_bone_graph *graph;
	pair_section *sections;
	uint32_t *bones; /* 3 x width: those that weigh at a face */
	double (*value)[3];
	size_t count;
} pair_build;

static size_t find_bone(pair_build *build, uint32_t bone)
{
	size_t at = 0;
	while (at < build->count && build->bones[at] != bone) at++;
	if (at < build->count) return at;
	build->bones[at] = bone;
	for (int c = 0; c < 3; c++) build->value[at][c] = 0;
	build->count++;
	return at;
}

static void list_bones(pair_build *build, const uint32_t *corner)
{
	const ossai_bone_weights *w = build->weights;
	build->count = 0;
	for (int c = 0; c < 3; c++) {
		const size_t row = corner[c] * w->width;
		for (size_t i = row; i < row + w->count[corner[c]]; i++) build->value[find_bone(build, w->bone[i])][c] = w->value[i];
	}
}

static void add_piece(pair_section *s, ossai_vec3 from, ossai_vec3 to, double weight)
{
	const double length = ossai_distance(from, to);
	const ossai_vec3 middle = ossai_lerp(from, to, 0.5);
	s->mass += weight * length;
	s->square += weight * length * (ossai_length2(middle) + length * length / 12);
	s->first = ossai_madd(s->first, weight * length, middle);
	s->area = ossai_madd(s->area, weight, ossai_cross(from, to));
	s->along = ossai_madd(s->along, weight, ossai_sub(to, from));
}

static void cut_pair(pair_build *build, const ossai_vec3 point[3], size_t i, size_t j)
{
	ossai_contour_piece piece;
	const double *p = build->value[i], *q = build->value[j];
	const double gap[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]}, both[3] = {p[0] + q[0], p[1] + q[1], p[2] + q[2]};
	if (!ossai_contour_cut(gap, &piece)) return;
	const uint32_t pair = ossai_bone_graph_find(build->graph, build->bones[i], build->bones[j]);
	if (pair == OSSA_NONE) return;
	const double weight = 0.5 * (ossai_contour_value(&piece, 0, both) + ossai_contour_value(&piece, 1, both));
	const ossai_vec3 from = ossai_contour_point(&piece, 0, point), to = ossai_contour_point(&piece, 1, point);
	/* the same side is on the left in all faces: that of the pair's first bone */
	const bool is_first = build->bones[i] < build->bones[j];
	add_piece(&build->sections[pair], is_first ? from : to, is_first ? to : from, weight);
}

static void cut_face(pair_build *build, const uint32_t *corner)
{
	ossai_vec3 point[3];
	for (int c = 0; c < 3; c++) point[c] = ossai_rest_point(build->surface, corner[c]);
	list_bones(build, corner);
	for (size_t i = 0; i < build->count; i++) {
		for (size_t j = i + 1; j < build->count; j++) cut_pair(build, point, i, j);
	}
}

static ossai_joint_prior prior_of(const pair_section *s, const ossai_bone_pair *pair, const double *size, double doubt)
{
	const ossai_vec3 center = s->mass > 0 ? ossai_scale(s->first, 1 / s->mass) : pair->prior;
	const double square = s->mass > 0 ? s->square / s->mass - ossai_length2(center) : 0;
	if (square > OSSAI_LEAST_SECTION * OSSAI_LEAST_SECTION) {
		/* sum of (from - center) x (to - center) */
		const ossai_vec3 area = ossai_sub(s->area, ossai_cross(center, s->along));
		return ossai_joint_prior_of_section(center, sqrt(square), ossai_unit(area, ossai_v3(0, 0, 0)));
	}
	return ossai_joint_prior_around(pair->prior, ossai_joint_doubt(size, pair->a, pair->b, doubt));
}

ossa_status ossai_pair_priors_make(ossa_context *context, const ossai_posed_surface *surface, const ossai_bone_weights *weights,
	const ossai_bone_graph *graph, double doubt, ossai_joint_prior *prior)
{
	ossai_arena scratch = ossai_arena_begin(context);
	pair_build build = {.surface = surface, .weights = weights, .graph = graph};
	build.sections = ossai_arena_zero(&scratch, graph->pair_count, sizeof *build.sections);
	build.bones = ossai_arena_new(&scratch, 3 * weights->width, sizeof *build.bones);
	build.value = ossai_arena_new(&scratch, 3 * weights->width, sizeof *build.value);
	const double *size = ossai_bone_sizes(&scratch, surface, weights);
	const bool ready = build.sections && build.bones && build.value && size;
	for (size_t f = 0; ready && f < surface->face_count; f++) cut_face(&build, surface->triangles + 3 * f);
	for (size_t i = 0; ready && i < graph->pair_count; i++) {
		prior[i] = prior_of(&build.sections[i], &graph->pairs[i], size, doubt);
	}
	ossai_arena_end(&scratch);
	return ready ? OSSA_OK : ossa_context_error(context)->status;
}

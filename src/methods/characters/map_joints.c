/* methods/characters/map_joints.c: where a joint of one character is in another one.

   Place in the path: inside of characters, for draft and solve.
   A joint is between the skins of a bone and its parent. Around it one shape is about an affine map
   of the other: limbs differ in length and thickness. Vertices count by the product of both
   weights, and a little by either, so that rigid pieces have a map too. Where these vertices hardly
   determine it (a ring, a plane) the map is that similarity which fits best. */
#include "methods/characters/characters.h"

#include "math/affine.h"
#include "math/rigid_fit.h"

/* Shares of weights, without a unit: what a vertex counts that follows one of both alone, where one
   that follows both counts up to 1/4, and any vertex, so that a bone without skin has a map.
   Mean distance of joints of 6 still bodies (bones 0.7 to 1.3 times as long) from the true ones, %
   of the diagonal, biped, low quadruped, biped of rigid pieces: 0.032, 0.53, 0.36 from 1e-4 to
   1e-8; above it skin far from the joint counts: at 1e-3 0.047, 0.54, 0.36, at 1e-2 0.124, 0.59;
   at 0 rigid pieces have no joint: 1.66. */
static const double of_one = 1e-4, of_any = 1e-12;
/* The weight of the similarity, as a share of the mean spread of the vertices, which it replaces in
   directions that have less. By the same measure (biped, of_one 1e-3) the same from 1e-6 to 0.1:
   0.047 to 0.049; at 1, where it is as strong as the skin, 0.064. At 0 a plane has no map. */
static const double similar = 0.01;

/* weighted sums about the means: of the points of one shape, and of both */
typedef struct both_shapes {
	double weight;
	ossai_vec3 from, to;      /* means */
	ossai_mat3 square, cross; /* sum p p^T, sum q p^T */
} both_shapes;

static double count_of(const ossai_bone_weights *w, size_t v, uint32_t bone, uint32_t parent)
{
	const double own = ossai_bone_weight_of(w, v, bone);
	if (parent == OSSA_NONE) return own + of_any;
	const double other = ossai_bone_weight_of(w, v, parent);
	return own * other + of_one * (own + other) + of_any;
}

static void add_outer(double weight, ossai_vec3 a, ossai_vec3 b, ossai_mat3 *sum)
{
	const double x[3] = {a.x, a.y, a.z}, y[3] = {b.x, b.y, b.z};
	for (int i = 0; i < 9; i++) sum->m[i / 3][i % 3] += weight * x[i / 3] * y[i % 3];
}

static both_shapes sum_shapes(const ossai_posed_surface *from, const ossai_posed_surface *to, const ossai_bone_weights *weights,
	uint32_t bone, uint32_t parent)
{
	both_shapes s = {0};
	for (size_t v = 0; v < from->vertex_count; v++) {
		const double weight = from->used[v] ? count_of(weights, v, bone, parent) : 0;
		s.weight += weight;
		s.from = ossai_madd(s.from, weight, ossai_rest_point(from, v));
		s.to = ossai_madd(s.to, weight, ossai_rest_point(to, v));
	}
	s.from = ossai_scale(s.from, 1 / s.weight);
	s.to = ossai_scale(s.to, 1 / s.weight);
	for (size_t v = 0; v < from->vertex_count; v++) {
		if (!from->used[v]) continue;
		const double weight = count_of(weights, v, bone, parent);
		const ossai_vec3 p = ossai_sub(ossai_rest_point(from, v), s.from), q = ossai_sub(ossai_rest_point(to, v), s.to);
		add_outer(weight, p, p, &s.square);
		add_outer(weight, q, p, &s.cross);
	}
	return s;
}

static double trace(const ossai_mat3 *m) { return m->m[0][0] + m->m[1][1] + m->m[2][2]; }

/* s R of the best similarity */
static ossai_mat3 similarity_of(const both_shapes *s)
{
	double m[9];
	for (int i = 0; i < 9; i++) m[i] = s->cross.m[i % 3][i / 3];
	ossai_mat3 r = ossai_quat_matrix(ossai_rigid_rotation(m));
	const ossai_mat3 turned = ossai_mat3_transpose(&r), product = ossai_mat3_mul(&turned, &s->cross);
	const double scale = trace(&product) / trace(&s->square);
	for (int i = 0; i < 9; i++) r.m[i / 3][i % 3] *= scale;
	return r;
}

ossai_rigid ossai_map_around(const ossai_posed_surface *from, const ossai_posed_surface *to, const ossai_bone_weights *weights,
	uint32_t bone, uint32_t parent)
{
	const both_shapes s = sum_shapes(from, to, weights, bone, parent);
	const double spread = similar * trace(&s.square) / 3;
	ossai_rigid map = {ossai_mat3_identity(), {0, 0, 0}}, square = {s.square, {0, 0, 0}}, inverse;
	if (spread > 0) {
		const ossai_mat3 alike = similarity_of(&s);
		ossai_mat3 cross = s.cross;
		for (int i = 0; i < 3; i++) square.r.m[i][i] += spread;
		for (int i = 0; i < 9; i++) cross.m[i / 3][i % 3] += spread * alike.m[i / 3][i % 3];
		map.r = ossai_affine_inverse(&square, &inverse) ? ossai_mat3_mul(&cross, &inverse.r) : alike;
	}
	map.t = ossai_sub(s.to, ossai_mat3_mul_v(&map.r, s.from));
	return map;
}

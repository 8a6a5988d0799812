/* motion/mirrored_joints.c: see mirrored_joints.h.

   E(j) = j^T H j - 2 g^T j is the error of joints j, and P j = L j + c exchanges each joint for
   the mirror image of its counterpart's. Symmetric joints are those with P j = j. Where they
   minimise E they minimise (E(j) + E(P j)) / 2, whose minimum over all joints is symmetric: H' =
   (H + L H L) / 2,  g' = (g + L (g - H c)) / 2. */
#include "motion/mirrored_joints.h"

typedef struct exchange {
	const ossai_symmetry *symmetry;
	const ossai_tree *tree;
	size_t count;   /* joints */
	uint32_t *from; /* count: the joint that takes the place of each */
} exchange;

/* to = L from, of vectors whose numbers are `stride` apart */
static void apply(const exchange *e, const double *from, double *to, size_t stride)
{
	const ossai_vec3 n = e->symmetry->plane.normal;
	for (size_t i = 0; i < e->count; i++) {
		const double *in = from + 3 * e->from[i] * stride;
		ossai_vec3 v = ossai_v3(in[0], in[stride], in[2 * stride]);
		if (!ossai_is_lone(e->symmetry, e->tree->order[i + 1])) v = ossai_madd(v, -2 * ossai_dot(n, v), n);
		to[3 * i * stride] = v.x;
		to[(3 * i + 1) * stride] = v.y;
		to[(3 * i + 2) * stride] = v.z;
	}
}

static ossa_status find_exchange(ossai_arena *arena, const ossai_symmetry *s, const ossai_tree *tree, exchange *e)
{
	const size_t bones = tree->bone_count;
	*e = (exchange){s, tree, bones - 1, ossai_arena_new(arena, bones, sizeof *e->from)};
	uint32_t *at = ossai_arena_new(arena, bones, sizeof *at);
	if (!e->from || !at) return ossa_context_error(arena->context)->status;
	for (uint32_t i = 1; i < bones; i++) at[tree->order[i]] = i - 1;
	for (uint32_t i = 1; i < bones; i++) e->from[i - 1] = at[ossai_image_of(s, tree->order[i])];
	return OSSA_OK;
}

/* g - H c */
static void shift(const exchange *e, const double *full, const double *g, double *to)
{
	const size_t size = 3 * e->count;
	const ossai_mirror *plane = &e->symmetry->plane;
	const double c[3] = {
		2 * plane->offset * plane->normal.x, 2 * plane->offset * plane->normal.y, 2 * plane->offset * plane->normal.z};
	for (size_t i = 0; i < size; i++) {
		to[i] = g[i];
		for (size_t j = 0; j < size; j++) {
			if (!ossai_is_lone(e->symmetry, e->tree->order[j / 3 + 1])) to[i] -= full[i * size + j] * c[j % 3];
		}
	}
}

/* all of h, of a system in which no entry is always 0 */
static void copy_full(const ossai_joint_system *w, size_t size, double *full)
{
	for (size_t i = 0; i < size; i++) {
		for (size_t j = 0; j <= i; j++) full[i * size + j] = full[j * size + i] = *ossai_joint_system_entry(w, i, j);
	}
}

ossa_status ossai_joints_mirror(ossai_arena *arena, const ossai_symmetry *s, const ossai_joint_system *system)
{
	const size_t size = 3 * (system->sums->bone_count - 1);
	exchange e;
	OSSAI_TRY(find_exchange(arena, s, system->sums->tree, &e));
	double *full = ossai_arena_new(arena, size, size * sizeof *full), *rows = ossai_arena_new(arena, size, size * sizeof *rows);
	double *other = ossai_arena_new(arena, size, sizeof *other), *image = ossai_arena_new(arena, size, sizeof *image);
	if (!full || !rows || !other || !image) return ossa_context_error(arena->context)->status;
	copy_full(system, size, full);
	shift(&e, full, system->g, other);
	apply(&e, other, image, 1);
	for (size_t i = 0; i < size; i++) system->g[i] = 0.5 * (system->g[i] + image[i]);
	for (size_t i = 0; i < size; i++) apply(&e, full + i * size, rows + i * size, 1);
	for (size_t j = 0; j < size; j++) apply(&e, rows + j, full + j, size);
	for (size_t i = 0; i < size; i++) {
		for (size_t j = 0; j <= i; j++) {
			double *entry = ossai_joint_system_entry(system, i, j);
			*entry = 0.5 * (*entry + full[i * size + j]);
		}
	}
	return OSSA_OK;
}

/* edit/mirror_weights.c: see mirror_edit.h: the weights of a mirrored limb.

   A vertex is reflected, and the nearest face there gives its weights: the limb's weight there is
   its mirror image's here. The rest of the vertex's weight stays with its bones, except for those
   that are replaced. */
#include "edit/mirror_edit.h"

#include "query/face_tree.h"
#include "rig/weight_pairs.h"

#include <string.h>

typedef struct mirrored_skin {
	ossai_edit_state *state;
	const ossa_weights *before;
	const uint32_t *mirrored_of; /* of the bones before: now, or OSSA_NONE */
	const uint8_t *replaced;
	const uint32_t *now;
	uint32_t heir;
} mirrored_skin;

/* shares of the corners in the point of a face that is nearest to p */
static void corner_shares(const ossa_mesh *mesh, uint32_t face, ossai_vec3 p, double share[3])
{
	ossai_vec3 q[3];
	for (size_t i = 0; i < 3; i++)
		q[i] = ossai_v3_of_float(mesh->positions + 3 * (size_t)mesh->triangles[3 * (size_t)face + i]);
	const ossai_vec3 a = ossai_sub(q[1], q[0]), b = ossai_sub(q[2], q[0]), c = ossai_sub(p, q[0]);
	const double aa = ossai_dot(a, a), ab = ossai_dot(a, b), bb = ossai_dot(b, b), ac = ossai_dot(a, c), bc = ossai_dot(b, c);
	const double det = aa * bb - ab * ab;
	share[1] = det > 0 ? fmax((bb * ac - ab * bc) / det, 0) : 0;
	share[2] = det > 0 ? fmax((aa * bc - ab * ac) / det, 0) : 0;
	share[0] = fmax(1 - share[1] - share[2], 0);
	const double sum = share[0] + share[1] + share[2];
	for (int i = 0; i < 3; i++) share[i] /= sum;
}

static void skin_vertex(const mirrored_skin *s, size_t vertex, uint32_t face, ossai_vec3 opposite)
{
	const ossa_weights *w = s->before;
	const size_t width = (size_t)w->influences;
	const ossa_mesh *mesh = s->state->rig->mesh;
	ossai_weight_pairs pairs;
	pairs.count = 0;
	double share[3], limb = 0, others = 0, free = 0;
	corner_shares(mesh, face, opposite, share);
	for (size_t i = 0; i < 3; i++) {
		const size_t at = width * mesh->triangles[3 * (size_t)face + i];
		for (size_t k = at; k < at + width; k++) {
			const double value = share[i] * (double)w->values[k];
			if (!(value > 0) || s->mirrored_of[w->bones[k]] == OSSA_NONE) continue;
			ossai_weight_pairs_add(&pairs, s->mirrored_of[w->bones[k]], value);
			limb += value;
		}
	}
	for (size_t k = vertex * width; k < (vertex + 1) * width; k++) {
		*(s->replaced[w->bones[k]] ? &free : &others) += (double)w->values[k];
	}
	/* it has no weight on the mirror image, and had none on a replaced bone */
	if (limb == 0 && free == 0) return;
	for (size_t k = vertex * width; k < (vertex + 1) * width; k++) {
		if (!(w->values[k] > 0) || s->replaced[w->bones[k]] || limb >= 1) continue;
		ossai_weight_pairs_add(&pairs, s->now[w->bones[k]], (1 - limb) * (double)w->values[k] / others);
	}
	if (others == 0 && limb < 1) ossai_weight_pairs_add(&pairs, s->heir, 1 - limb);
	ossai_weight_pairs_sort(&pairs);
	ossai_weight_pairs_store_largest(&pairs, pairs.count, &s->state->rig->weights, vertex);
}

static ossa_status skin_all(ossai_arena *arena, const ossai_mirror *plane, const mirrored_skin *s)
{
	const ossa_mesh *mesh = s->state->rig->mesh;
	ossai_face_tree tree;
	if (mesh->triangle_count == 0) return OSSA_OK;
	uint32_t *no_group = ossai_arena_zero(arena, mesh->triangle_count, sizeof *no_group);
	if (!no_group) return ossa_context_error(arena->context)->status;
	const ossai_mesh_view view = ossai_view_of_mesh(mesh);
	OSSAI_TRY(ossai_face_tree_make(arena, &view, &tree));
	ossai_face_tree_set_groups(&tree, no_group);
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		const ossai_vec3 opposite = ossai_mirror_point(plane, ossai_v3_of_float(mesh->positions + 3 * v));
		const ossai_near_face near = ossai_face_tree_nearest(
			&tree, no_group, opposite, 1, (ossai_near_face){OSSA_NONE, INFINITY});
		if (near.face != OSSA_NONE) skin_vertex(s, v, near.face, opposite);
	}
	return OSSA_OK;
}

ossa_status ossai_mirror_weights(ossai_arena *arena, const ossai_mirror *plane, const ossa_weights *before,
	size_t mirrored_count, const ossai_mirrored_bone *images, const uint8_t *replaced, const uint32_t *now, uint32_t heir,
	ossai_edit_state *state)
{
	uint32_t *mirrored_of = ossai_arena_new(arena, UINT16_MAX + 1, sizeof *mirrored_of);
	if (!mirrored_of) return ossa_context_error(arena->context)->status;
	memset(mirrored_of, 0xff, (UINT16_MAX + 1) * sizeof *mirrored_of);
	for (size_t i = 0; i < mirrored_count; i++) mirrored_of[images[i].from] = images[i].image;
	if (before->influences > OSSAI_WEIGHT_PAIRS_MAX / 4) {
		return ossai_fail(arena->context, OSSA_ERROR_LIMIT, NULL, "%d weights a vertex are more than the %d that can be edited",
			before->influences, OSSAI_WEIGHT_PAIRS_MAX / 4);
	}
	const mirrored_skin s = {state, before, mirrored_of, replaced, now, heir};
	return skin_all(arena, plane, &s);
}

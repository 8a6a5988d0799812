/* skeleton/from_motion/piece_contacts.c: see piece_contacts.h. */
#include "skeleton/from_motion/piece_contacts.h"

#include "query/face_tree.h"

#include <stdlib.h>
#include <string.h>

typedef struct search {
	const ossai_piece_clusters *of;
	ossai_arena *arena;
	const uint8_t *is_still;
	ossai_piece_contact *contacts;
	size_t count;
} search;

static int compare_contacts(const void *a, const void *b)
{
	const ossai_piece_contact *x = a, *y = b;
	if (x->a != y->a) return x->a < y->a ? -1 : 1;
	if (x->b != y->b) return x->b < y->b ? -1 : 1;
	if (x->distance2 != y->distance2) return x->distance2 < y->distance2 ? -1 : 1;
	return x->face < y->face ? -1 : x->face > y->face;
}

static ossa_status find_contacts_to(search *f, bool is_still)
{
	const ossai_posed_surface *s = &f->of->surface;
	ossai_mesh_view view = ossai_posed_surface_view(s);
	uint32_t *triangles = ossai_arena_new(f->arena, s->face_count, 3 * sizeof *triangles);
	uint32_t *face_of = ossai_arena_new(f->arena, s->face_count, sizeof *face_of);
	uint32_t *group = ossai_arena_new(f->arena, s->face_count, sizeof *group);
	ossai_face_tree tree;
	size_t count = 0;
	if (!triangles || !face_of || !group) return ossa_context_error(f->arena->context)->status;
	for (uint32_t face = 0; face < s->face_count; face++) {
		if ((f->is_still[s->piece_of_face[face]] != 0) != is_still) continue;
		memcpy(triangles + 3 * count, s->triangles + 3 * (size_t)face, 3 * sizeof *triangles);
		face_of[count] = face;
		group[count++] = s->piece_of_face[face];
	}
	if (count == 0) return OSSA_OK;
	view.triangles = triangles;
	view.face_count = count;
	OSSAI_TRY(ossai_face_tree_make(f->arena, &view, &tree));
	ossai_face_tree_set_groups(&tree, group);
	for (uint32_t face = 0; face < s->face_count; face++) {
		const uint32_t piece = s->piece_of_face[face];
		if (f->is_still[piece]) continue;
		const uint32_t *t = s->triangles + 3 * (size_t)face;
		const ossai_vec3 center = ossai_scale(
			ossai_add(ossai_rest_point(s, t[0]), ossai_add(ossai_rest_point(s, t[1]), ossai_rest_point(s, t[2]))), 1.0 / 3);
		const ossai_near_face near = ossai_face_tree_nearest(
			&tree, group, center, piece, (ossai_near_face){OSSA_NONE, INFINITY});
		if (near.face == OSSA_NONE) continue;
		const uint32_t a = f->of->cluster_of_face[face], b = f->of->cluster_of_face[face_of[near.face]];
		f->contacts[f->count++] = (ossai_piece_contact){a < b ? a : b, a < b ? b : a, face, near.distance2};
	}
	return OSSA_OK;
}

ossa_status ossai_piece_contacts_find(ossa_context *context, ossai_arena *arena, const ossai_piece_clusters *clusters,
	const uint8_t *is_still, ossai_piece_contact **contacts, size_t *count)
{
	search f = {.of = clusters, .arena = arena, .is_still = is_still};
	*contacts = f.contacts = ossai_arena_new(arena, clusters->surface.face_count, 2 * sizeof *f.contacts);
	if (!f.contacts) return ossa_context_error(context)->status;
	OSSAI_TRY(find_contacts_to(&f, false));
	OSSAI_TRY(find_contacts_to(&f, true));
	ossai_piece_contacts_sort(f.contacts, f.count);
	*count = f.count;
	return OSSA_OK;
}

void ossai_piece_contacts_sort(ossai_piece_contact *contacts, size_t count)
{
	qsort(contacts, count, sizeof *contacts, compare_contacts);
}

size_t ossai_piece_contacts_alike(const ossai_piece_contact *first, size_t count)
{
	size_t end = 0;
	while (end < count && first[end].a == first->a && first[end].b == first->b) end++;
	return end;
}

ossai_vec3 ossai_piece_contacts_middle(const ossai_posed_surface *s, const ossai_piece_contact *first, size_t count)
{
	const double edge = sqrt(s->face_area[first->face]), reach = sqrt(first->distance2) + edge;
	ossai_vec3 sum = {0, 0, 0};
	double area = 0;
	for (size_t i = 0; i < count; i++) {
		if (first[i].distance2 > reach * reach) continue;
		const uint32_t *t = s->triangles + 3 * (size_t)first[i].face;
		const double w = s->face_area[first[i].face] + 1e-30;
		for (size_t k = 0; k < 3; k++) sum = ossai_madd(sum, w / 3, ossai_rest_point(s, t[k]));
		area += w;
	}
	return ossai_scale(sum, 1 / area);
}

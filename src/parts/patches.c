/* parts/patches.c: see patches.h. */
#include "parts/patches.h"

#include "base/csr.h"
#include "base/union_find.h"

#include <string.h>

enum { FACES_PER_RANGE = 256 };

typedef struct contact {
	uint32_t other; /* component */
	double length;  /* of the boundary between */
} contact;

typedef struct patcher {
	ossa_context *context;
	const ossai_posed_surface *surface;
	const ossai_seeds *seeds;
	const uint32_t *group_of_seed;
	size_t group_count;
	ossai_edge_graph graph;
	ossai_path_lengths field;
	uint32_t *group_of_face; /* F: by distance alone */
	double (*seed_point)[3];

	size_t component_count; /* connected faces of one group */
	uint32_t *component_of_face;
	double *area;            /* of each component */
	uint8_t *has_seed;       /* whether a seed of its group lies on it */
	uint32_t *main_of_group; /* the component that stands for each group; OSSA_NONE: none */
	uint32_t *owner;         /* its part, once it is settled */
	ossai_csr contacts_of;   /* each component: places in contacts */
	contact *contacts;
	size_t part_count;
	/* length of the boundary between each part and the current component; 0 in between */
	double *shared;
	uint32_t *assigned; /* components in the order in which they were assigned */
	size_t assigned_count;
	ossai_patches *patches;
} patcher;

/* ---- by distance ---- */

static double edge_length(const ossai_posed_surface *s, uint32_t a, uint32_t b)
{
	return ossai_distance(ossai_rest_point(s, a), ossai_rest_point(s, b));
}

/* Mean distance of a face's corners to a group. A corner that is nearer to another group is reached
   through the corners that are nearest to this one. */
static double mean_reach(const patcher *p, const uint32_t *t, uint32_t group)
{
	double sum = 0;
	for (int i = 0; i < 3; i++) {
		double best = INFINITY;
		for (int j = 0; j < 3; j++) {
			const uint32_t source = p->field.source[t[j]];
			if (source == OSSA_NONE || p->group_of_seed[source] != group) continue;
			best = fmin(best, p->field.distance[t[j]] + (i == j ? 0 : edge_length(p->surface, t[i], t[j])));
		}
		sum += best;
	}
	return sum;
}

static void assign_over_surface(patcher *p)
{
	ossai_path_lengths_add(&p->graph, p->seeds->count, p->seeds->vertex, 0, &p->field);
	for (size_t f = 0; f < p->surface->face_count; f++) {
		const uint32_t *t = p->surface->triangles + 3 * f;
		double best = INFINITY;
		p->group_of_face[f] = 0;
		for (int i = 0; i < 3; i++) {
			const uint32_t source = p->field.source[t[i]];
			if (source == OSSA_NONE) continue;
			const uint32_t group = p->group_of_seed[source];
			const double reach = mean_reach(p, t, group);
			if (!(reach < best) && !(reach == best && group < p->group_of_face[f])) continue;
			best = reach;
			p->group_of_face[f] = group;
		}
	}
}

/* The mean distance of the corners is at least that of the face's center and at most that and the
   corners' mean distance from it: only seeds within that of the nearest are measured in full. */
static uint32_t nearest_seed(const patcher *p, const uint32_t *t)
{
	ossai_vec3 corner[3], center = {0, 0, 0};
	for (int i = 0; i < 3; i++) {
		corner[i] = ossai_rest_point(p->surface, t[i]);
		center = ossai_madd(center, 1.0 / 3, corner[i]);
	}
	double radius = 0, nearest = INFINITY, best = INFINITY;
	for (int i = 0; i < 3; i++) radius += ossai_distance(corner[i], center) / 3;
	for (size_t i = 0; i < p->seeds->count; i++) {
		nearest = fmin(nearest, ossai_length2(ossai_sub(ossai_v3_of(p->seed_point[i]), center)));
	}
	const double reach = (sqrt(nearest) + radius) * (1 + 1e-9);
	uint32_t seed = 0;
	for (size_t i = 0; i < p->seeds->count; i++) {
		const ossai_vec3 point = ossai_v3_of(p->seed_point[i]);
		if (ossai_length2(ossai_sub(point, center)) > reach * reach) continue;
		double sum = 0;
		for (int j = 0; j < 3; j++) sum += ossai_distance(point, corner[j]);
		if (!(sum < best)) continue;
		best = sum;
		seed = (uint32_t)i;
	}
	return seed;
}

static void assign_range(void *arg, size_t begin, size_t end)
{
	const patcher *p = arg;
	for (size_t f = begin; f < end; f++) {
		p->group_of_face[f] = p->group_of_seed[nearest_seed(p, p->surface->triangles + 3 * f)];
	}
}

static ossa_status assign_faces(patcher *p, ossai_arena *scratch, bool geodesic)
{
	p->group_of_face = ossai_arena_new(scratch, p->surface->face_count, sizeof *p->group_of_face);
	p->seed_point = ossai_arena_new(scratch, p->seeds->count, sizeof *p->seed_point);
	if (!p->group_of_face || !p->seed_point) return ossa_context_error(p->context)->status;
	for (size_t i = 0; i < p->seeds->count; i++) {
		ossai_v3_store(ossai_rest_point(p->surface, p->seeds->vertex[i]), p->seed_point[i]);
	}
	if (!geodesic) {
		ossai_parallel_for(p->context, p->surface->face_count, FACES_PER_RANGE, assign_range, p);
		return OSSA_OK;
	}
	OSSAI_TRY(ossai_posed_surface_geodesics(scratch, p->surface, 0, &p->graph));
	OSSAI_TRY(ossai_path_lengths_make(scratch, &p->graph, &p->field));
	assign_over_surface(p);
	return OSSA_OK;
}

/* ---- components ---- */

static void number_components(patcher *p, uint32_t *parent)
{
	const ossai_posed_surface *s = p->surface;
	const uint32_t *group = p->group_of_face;
	ossai_union_begin(parent, s->face_count);
	for (size_t i = 0; i < s->adjacency.face_pair_count; i++) {
		const uint32_t *pair = s->adjacency.face_pairs + 2 * i;
		if (group[pair[0]] == group[pair[1]]) ossai_union_join(parent, pair[0], pair[1]);
	}
	for (size_t i = 0; s->link_pieces && i < s->link_count; i++) {
		const uint32_t *pair = s->links + 2 * i;
		if (group[pair[0]] == group[pair[1]]) ossai_union_join(parent, pair[0], pair[1]);
	}
	/* the root of a set is its smallest face */
	for (uint32_t f = 0; f < s->face_count; f++) {
		const uint32_t root = ossai_union_find(parent, f);
		p->component_of_face[f] = root == f ? (uint32_t)p->component_count++ : p->component_of_face[root];
	}
}

static ossa_status describe_components(patcher *p, ossai_arena *scratch)
{
	const ossai_posed_surface *s = p->surface;
	uint32_t *seed_group = ossai_arena_new(scratch, s->vertex_count, sizeof *seed_group);
	p->area = ossai_arena_zero(scratch, p->component_count, sizeof *p->area);
	p->has_seed = ossai_arena_zero(scratch, p->component_count, sizeof *p->has_seed);
	p->owner = ossai_arena_new(scratch, p->component_count, sizeof *p->owner);
	p->assigned = ossai_arena_new(scratch, p->component_count, sizeof *p->assigned);
	p->shared = ossai_arena_zero(scratch, p->component_count, sizeof *p->shared);
	if (!seed_group || !p->area || !p->has_seed || !p->owner || !p->assigned || !p->shared) {
		return ossa_context_error(p->context)->status;
	}
	memset(seed_group, 0xff, s->vertex_count * sizeof *seed_group);
	memset(p->owner, 0xff, p->component_count * sizeof *p->owner);
	for (size_t i = 0; i < p->seeds->count; i++) seed_group[p->seeds->vertex[i]] = p->group_of_seed[i];
	for (size_t f = 0; f < s->face_count; f++) {
		const uint32_t c = p->component_of_face[f], *t = s->triangles + 3 * f, group = p->group_of_face[f];
		p->area[c] += s->face_area[f];
		p->has_seed[c] |= seed_group[t[0]] == group || seed_group[t[1]] == group || seed_group[t[2]] == group;
	}
	return OSSA_OK;
}

/* ---- contacts ---- */

/* length of the edge that two faces share; between linked ones there is none, but they touch */
static double shared_length(const ossai_posed_surface *s, const uint32_t *pair)
{
	const uint32_t *a = s->triangles + 3 * (size_t)pair[0], *b = s->triangles + 3 * (size_t)pair[1];
	uint32_t shared[3];
	int count = 0;
	for (int i = 0; i < 3; i++) {
		if (a[i] == b[0] || a[i] == b[1] || a[i] == b[2]) shared[count++] = a[i];
	}
	return count < 2 ? 0 : edge_length(s, shared[0], shared[1]);
}

typedef struct contact_list {
	const uint32_t *pairs;
	size_t count;
} contact_list;

static ossa_status list_contacts(patcher *p, ossai_arena *scratch)
{
	const ossai_posed_surface *s = p->surface;
	const contact_list lists[2] = {
		{s->adjacency.face_pairs, s->adjacency.face_pair_count}, {s->links, s->link_pieces ? s->link_count : 0}};
	OSSAI_TRY(ossai_csr_begin(scratch, p->component_count, &p->contacts_of));
	for (int pass = 0; pass < 2; pass++) {
		for (int n = 0; n < 2; n++) {
			for (size_t i = 0; i < lists[n].count; i++) {
				const uint32_t *pair = lists[n].pairs + 2 * i;
				const uint32_t a = p->component_of_face[pair[0]], b = p->component_of_face[pair[1]];
				if (a == b) continue;
				if (pass == 0) {
					ossai_csr_count(&p->contacts_of, a);
					ossai_csr_count(&p->contacts_of, b);
					continue;
				}
				const double length = shared_length(s, pair);
				p->contacts[ossai_csr_next(&p->contacts_of, a)] = (contact){b, length};
				p->contacts[ossai_csr_next(&p->contacts_of, b)] = (contact){a, length};
			}
		}
		if (pass == 1) break;
		size_t contacts;
		OSSAI_TRY(ossai_csr_lay_out(p->context, &p->contacts_of, &contacts));
		p->contacts = ossai_arena_new(scratch, contacts, sizeof *p->contacts);
		if (!p->contacts) return ossa_context_error(p->context)->status;
	}
	return OSSA_OK;
}

/* ---- assigning components to parts ---- */

static void assign(patcher *p, uint32_t component, uint32_t part)
{
	p->owner[component] = part;
	p->assigned[p->assigned_count++] = component;
}

/* each group's part begins with its largest component that contains a seed */
static ossa_status assign_groups(patcher *p, ossai_arena *scratch)
{
	p->main_of_group = ossai_arena_new(scratch, p->group_count, sizeof *p->main_of_group);
	if (!p->main_of_group) return ossa_context_error(p->context)->status;
	memset(p->main_of_group, 0xff, p->group_count * sizeof *p->main_of_group);
	for (size_t f = 0; f < p->surface->face_count; f++) {
		const uint32_t c = p->component_of_face[f];
		uint32_t *best = &p->main_of_group[p->group_of_face[f]];
		if (*best == c) continue;
		const bool better = *best == OSSA_NONE || p->has_seed[c] > p->has_seed[*best] ||
			(p->has_seed[c] == p->has_seed[*best] && p->area[c] > p->area[*best]);
		if (better) *best = c;
	}
	for (size_t g = 0; g < p->group_count; g++) {
		if (p->main_of_group[g] != OSSA_NONE) assign(p, p->main_of_group[g], (uint32_t)p->part_count++);
		else p->patches->empty_groups++;
	}
	return OSSA_OK;
}

/* the part with which a component shares most boundary */
static uint32_t best_neighbour(patcher *p, uint32_t component)
{
	const uint32_t begin = p->contacts_of.start[component], end = p->contacts_of.start[component + 1];
	for (uint32_t i = begin; i < end; i++) {
		const uint32_t part = p->owner[p->contacts[i].other];
		if (part != OSSA_NONE) p->shared[part] += p->contacts[i].length;
	}
	uint32_t best = OSSA_NONE;
	double most = -1;
	for (uint32_t i = begin; i < end; i++) {
		const uint32_t part = p->owner[p->contacts[i].other];
		if (part == OSSA_NONE || p->shared[part] < most || (p->shared[part] == most && part >= best)) continue;
		best = part;
		most = p->shared[part];
	}
	for (uint32_t i = begin; i < end; i++) {
		const uint32_t part = p->owner[p->contacts[i].other];
		if (part != OSSA_NONE) p->shared[part] = 0;
	}
	return best;
}

/* Advances by rings of components around those assigned: all of a ring choose before any of them
   counts. `choice` is scratch. */
static void assign_neighbours(patcher *p, size_t first, uint32_t *choice)
{
	for (size_t end = p->assigned_count; first < end; end = p->assigned_count) {
		size_t ring = end;
		for (size_t i = first; i < end; i++) {
			const uint32_t c = p->assigned[i];
			for (uint32_t k = p->contacts_of.start[c]; k < p->contacts_of.start[c + 1]; k++) {
				const uint32_t other = p->contacts[k].other;
				if (p->owner[other] != OSSA_NONE || choice[other] != OSSA_NONE) continue;
				choice[other] = best_neighbour(p, other);
				p->assigned[ring++] = other;
			}
		}
		for (size_t i = end; i < ring; i++) p->owner[p->assigned[i]] = choice[p->assigned[i]];
		p->assigned_count = ring;
		first = end;
	}
}

/* components that are not connected to any seed become parts of their own, the largest component of
   each first */
static ossa_status assign_rest(patcher *p, ossai_arena *scratch, uint32_t *choice)
{
	ossai_heap largest = {ossai_arena_new(scratch, p->component_count, sizeof *largest.entries), 0};
	if (!largest.entries) return ossa_context_error(p->context)->status;
	for (uint32_t c = 0; c < p->component_count; c++) {
		if (p->owner[c] == OSSA_NONE) ossai_heap_push(&largest, -p->area[c], c);
	}
	for (; largest.count > 0; ossai_heap_pop(&largest)) {
		const uint32_t c = largest.entries[0].item;
		if (p->owner[c] != OSSA_NONE) continue;
		const size_t first = p->assigned_count;
		assign(p, c, (uint32_t)p->part_count++);
		p->patches->extra_parts++;
		assign_neighbours(p, first, choice);
	}
	return OSSA_OK;
}

static ossa_status assign_components(patcher *p, ossai_arena *scratch)
{
	OSSAI_TRY(assign_groups(p, scratch));
	uint32_t *choice = ossai_arena_new(scratch, p->component_count, sizeof *choice);
	if (!choice) return ossa_context_error(p->context)->status;
	memset(choice, 0xff, p->component_count * sizeof *choice);
	assign_neighbours(p, 0, choice);
	for (size_t f = 0; f < p->surface->face_count; f++) p->patches->moved_faces += choice[p->component_of_face[f]] != OSSA_NONE;
	return assign_rest(p, scratch, choice);
}

/* ---- result ---- */

static ossa_status number_parts(patcher *p, ossai_arena *scratch)
{
	const size_t faces = p->surface->face_count;
	uint32_t *number = ossai_arena_new(scratch, p->part_count, sizeof *number);
	if (!number) return ossa_context_error(p->context)->status;
	memset(number, 0xff, p->part_count * sizeof *number);
	for (uint32_t f = 0; f < faces; f++) {
		const uint32_t part = p->owner[p->component_of_face[f]];
		if (number[part] == OSSA_NONE) number[part] = (uint32_t)p->patches->part_count++;
		p->patches->part_of_face[f] = number[part];
	}
	for (size_t i = 0; i < p->seeds->count; i++) {
		const uint32_t component = p->main_of_group[p->group_of_seed[i]];
		p->patches->part_of_seed[i] = component == OSSA_NONE ? OSSA_NONE - 1 : number[p->owner[component]];
	}
	return ossai_place_seeds(p->context, p->surface, p->seeds, p->patches->part_of_face, p->patches->part_of_seed);
}

static ossa_status make(patcher *p, ossai_arena *scratch, bool geodesic)
{
	const size_t faces = p->surface->face_count;
	OSSAI_TRY(assign_faces(p, scratch, geodesic));
	OSSAI_TRY(ossai_progress(p->context, 0.7));
	uint32_t *parent = ossai_arena_new(scratch, faces, sizeof *parent);
	p->component_of_face = ossai_arena_new(scratch, faces, sizeof *p->component_of_face);
	if (!parent || !p->component_of_face) return ossa_context_error(p->context)->status;
	number_components(p, parent);
	OSSAI_TRY(describe_components(p, scratch));
	OSSAI_TRY(list_contacts(p, scratch));
	OSSAI_TRY(assign_components(p, scratch));
	return number_parts(p, scratch);
}

ossa_status ossai_patches_make(ossa_context *context, ossai_arena *arena, const ossai_posed_surface *surface,
	const ossai_seeds *seeds, const uint32_t *group_of_seed, size_t group_count, bool geodesic, ossai_patches *patches)
{
	*patches = (ossai_patches){0};
	patches->part_of_face = ossai_arena_new(arena, surface->face_count, sizeof *patches->part_of_face);
	patches->part_of_seed = ossai_arena_new(arena, seeds->count, sizeof *patches->part_of_seed);
	if (!patches->part_of_face || !patches->part_of_seed) return ossa_context_error(context)->status;
	patcher p = {.context = context,
		.surface = surface,
		.seeds = seeds,
		.group_of_seed = group_of_seed,
		.group_count = group_count,
		.patches = patches};
	ossai_arena scratch = ossai_arena_begin(context);
	const ossa_status status = make(&p, &scratch, geodesic);
	ossai_arena_end(&scratch);
	return status;
}

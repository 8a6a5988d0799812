/* mesh/orient.c: see orient.h. */
#include "mesh/orient.h"

#include "mesh/pairs.h"

#include <ossa/mesh.h>
#include <string.h>

/* An open patch is nearly closed where the square of its border's length is less than this times
   its area: a flat disc has 12.6, half a sphere 6.3, a tube with one open end 0.6. */
static const double NEARLY_CLOSED = 8;

typedef struct orienting {
	ossai_arena *scratch;
	ossai_oriented *made;
	/* 3 M: the corner whose edge is the other half of this corner's edge; OSSA_NONE: not exactly
	   one */
	uint32_t *mate;
	uint8_t *is_turned; /* M */
	uint32_t *queue;    /* M: faces in the order they were reached, patch by patch */
} orienting;

static uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
	return hash ^ hash >> 29;
}

/* a power of two, at least twice the items */
static size_t slots_for(size_t count)
{
	size_t slots = 16;
	while (slots < 2 * count) slots *= 2;
	return slots;
}

static uint32_t *new_slots(ossai_arena *scratch, size_t count)
{
	uint32_t *slots = ossai_arena_new(scratch, count, sizeof *slots);
	if (slots) memset(slots, 0xff, count * sizeof *slots);
	return slots;
}

/* points in the order in which faces first use them */
static ossa_status weld(ossai_arena *scratch, size_t vertex_count, const double *positions, size_t face_count,
	const uint32_t *triangles, ossai_oriented *made)
{
	const size_t slot_count = slots_for(vertex_count);
	uint32_t *slots = new_slots(scratch, slot_count);
	if (!slots) return ossa_context_error(scratch->context)->status;
	memset(made->point_of_vertex, 0xff, vertex_count * sizeof *made->point_of_vertex);
	for (size_t i = 0; i < 3 * face_count; i++) {
		const uint32_t v = triangles[i];
		if (made->point_of_vertex[v] != OSSA_NONE) continue;
		/* + 0.0: -0 is 0 */
		const double at[3] = {
			positions[3 * (size_t)v] + 0.0, positions[3 * (size_t)v + 1] + 0.0, positions[3 * (size_t)v + 2] + 0.0};
		uint64_t words[3], hash = 0;
		memcpy(words, at, sizeof at);
		for (int k = 0; k < 3; k++) hash = mix(hash, words[k]);
		size_t slot = hash & (slot_count - 1);
		while (slots[slot] != OSSA_NONE && !ossai_same_doubles(made->points + 3 * (size_t)slots[slot], at, 3)) {
			slot = (slot + 1) & (slot_count - 1);
		}
		if (slots[slot] == OSSA_NONE) {
			slots[slot] = (uint32_t)made->point_count;
			memcpy(made->points + 3 * made->point_count++, at, sizeof at);
		}
		made->point_of_vertex[v] = slots[slot];
	}
	return OSSA_OK;
}

static void sort_three(const uint32_t *t, uint32_t *sorted)
{
	const uint32_t low = t[0] < t[1] ? t[0] : t[1], high = t[0] < t[1] ? t[1] : t[0];
	sorted[0] = low < t[2] ? low : t[2];
	sorted[2] = high > t[2] ? high : t[2];
	sorted[1] = low < t[2] ? (high < t[2] ? high : t[2]) : low;
}

/* keeps faces of three points, and of those on the same three the first */
static ossa_status keep_faces(ossai_arena *scratch, size_t face_count, const uint32_t *triangles, ossai_oriented *made)
{
	const size_t slot_count = slots_for(face_count);
	uint32_t *slots = new_slots(scratch, slot_count);
	if (!slots) return ossa_context_error(scratch->context)->status;
	for (size_t f = 0; f < face_count; f++) {
		uint32_t *t = made->triangles + 3 * made->face_count, sorted[3], other[3];
		for (int k = 0; k < 3; k++) t[k] = made->point_of_vertex[triangles[3 * f + k]];
		if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
		sort_three(t, sorted);
		size_t slot = mix(mix(sorted[0], sorted[1]), sorted[2]) & (slot_count - 1);
		bool is_there = false;
		for (; slots[slot] != OSSA_NONE && !is_there; slot = (slot + 1) & (slot_count - 1)) {
			sort_three(made->triangles + 3 * (size_t)slots[slot], other);
			is_there = memcmp(sorted, other, sizeof sorted) == 0;
		}
		if (is_there) continue;
		slots[slot] = (uint32_t)made->face_count++;
	}
	return OSSA_OK;
}

static uint32_t next_corner(uint32_t corner) { return corner % 3 == 2 ? corner - 2 : corner + 1; }

static ossai_vec3 point_at(const ossai_oriented *made, uint32_t corner)
{
	return ossai_v3_of(made->points + 3 * (size_t)made->triangles[corner]);
}

/* pairs the corners whose edges exactly two faces share */
static ossa_status find_mates(orienting *o)
{
	const ossai_oriented *made = o->made;
	const size_t count = 3 * made->face_count;
	ossai_pair *pairs = ossai_arena_new(o->scratch, count, sizeof *pairs);
	if (!pairs) return ossa_context_error(o->scratch->context)->status;
	for (uint32_t c = 0; c < count; c++) {
		pairs[c] = ossai_pair_of(made->triangles[c], made->triangles[next_corner(c)], c);
		o->mate[c] = OSSA_NONE;
	}
	OSSAI_TRY(ossai_pairs_sort(o->scratch->context, pairs, count, made->point_count));
	o->made->is_closed = true;
	for (size_t i = 0, end; i < count; i = end) {
		end = ossai_pairs_run_end(pairs, count, i);
		if ((end - i) % 2 != 0) o->made->is_closed = false;
		if (end - i != 2) continue;
		o->mate[pairs[i].tag] = pairs[i + 1].tag;
		o->mate[pairs[i + 1].tag] = pairs[i].tag;
	}
	return OSSA_OK;
}

/* Sums over a patch: faces of one orientation, connected over edges of two faces. */
typedef struct patch_sums {
	double area, turned_area; /* turned_area: of faces that were turned */
	double border;            /* length of its edges without a mate */
	ossai_vec3 border_middle;
	double volume; /* enclosed between the border's centroid and the faces */
} patch_sums;

/* visits all faces of a patch from the first in the queue and orients them alike; returns the
   patch's end in the queue */
static size_t gather_patch(orienting *o, size_t begin, uint8_t *is_reached)
{
	const uint32_t *t = o->made->triangles;
	size_t end = begin + 1;
	for (size_t i = begin; i < end; i++) {
		const uint32_t face = o->queue[i];
		for (uint32_t c = 3 * face; c < 3 * face + 3; c++) {
			const uint32_t mate = o->mate[c];
			if (mate == OSSA_NONE) continue;
			/* neighbours agree where they run along their edge in opposite directions */
			const bool agrees = t[c] != t[mate];
			const uint32_t other = mate / 3;
			if (is_reached[other]) {
				if ((o->is_turned[face] ^ o->is_turned[other]) == agrees) o->made->is_closed = false;
				continue;
			}
			is_reached[other] = 1;
			o->is_turned[other] = agrees ? o->is_turned[face] : !o->is_turned[face];
			o->queue[end++] = other;
		}
	}
	return end;
}

static patch_sums sum_patch(const orienting *o, size_t begin, size_t end)
{
	const ossai_oriented *made = o->made;
	patch_sums s = {0};
	for (size_t i = begin; i < end; i++) {
		const uint32_t first = 3 * o->queue[i];
		for (uint32_t c = first; c < first + 3; c++) {
			if (o->mate[c] != OSSA_NONE) continue;
			const ossai_vec3 a = point_at(made, c), b = point_at(made, next_corner(c));
			const double length = ossai_distance(a, b);
			s.border += length;
			s.border_middle = ossai_madd(s.border_middle, 0.5 * length, ossai_add(a, b));
		}
	}
	s.border_middle = s.border > 0 ? ossai_scale(s.border_middle, 1 / s.border) : point_at(made, 3 * o->queue[begin]);
	for (size_t i = begin; i < end; i++) {
		const uint32_t first = 3 * o->queue[i];
		const ossai_vec3 a = ossai_sub(point_at(made, first), s.border_middle);
		const ossai_vec3 b = ossai_sub(point_at(made, first + 1), s.border_middle);
		const ossai_vec3 c = ossai_sub(point_at(made, first + 2), s.border_middle);
		const double area = 0.5 * ossai_length(ossai_cross(ossai_sub(b, a), ossai_sub(c, a)));
		const double volume = ossai_dot(a, ossai_cross(b, c)) / 6;
		s.area += area;
		if (o->is_turned[o->queue[i]]) s.turned_area += area;
		s.volume += o->is_turned[o->queue[i]] ? -volume : volume;
	}
	return s;
}

/* faces of a patch that look to the other side than most of it */
static size_t count_mixed(const orienting *o, size_t begin, size_t end)
{
	size_t turned = 0;
	for (size_t i = begin; i < end; i++) turned += o->is_turned[o->queue[i]];
	return 2 * turned < end - begin ? turned : end - begin - turned;
}

static void turn_patch(orienting *o, size_t begin, size_t end)
{
	for (size_t i = begin; i < end; i++) o->is_turned[o->queue[i]] ^= 1;
}

static ossa_status turn_patches(orienting *o)
{
	ossai_oriented *made = o->made;
	uint8_t *is_reached = ossai_arena_zero(o->scratch, made->face_count, 1);
	if (!is_reached) return ossa_context_error(o->scratch->context)->status;
	size_t begin = 0;
	for (uint32_t face = 0; face < made->face_count; face++) {
		if (is_reached[face]) continue;
		is_reached[face] = 1;
		o->queue[begin] = face;
		const size_t end = gather_patch(o, begin, is_reached);
		const patch_sums s = sum_patch(o, begin, end);
		made->area += s.area;
		made->mixed_faces += count_mixed(o, begin, end);
		const bool is_solid = s.border * s.border < NEARLY_CLOSED * s.area;
		if (is_solid ? s.volume < 0 : s.turned_area > 0.5 * s.area) turn_patch(o, begin, end);
		begin = end;
	}
	for (size_t f = 0; f < made->face_count; f++) {
		if (!o->is_turned[f]) continue;
		const uint32_t swap = made->triangles[3 * f + 1];
		made->triangles[3 * f + 1] = made->triangles[3 * f + 2];
		made->triangles[3 * f + 2] = swap;
	}
	return OSSA_OK;
}

/* winding numbers are whole where edges of many faces, too, are there as often in both
   directions; they have no mates */
static ossa_status check_crowded_edges(orienting *o)
{
	const ossai_oriented *made = o->made;
	size_t count = 0;
	for (size_t c = 0; c < 3 * made->face_count; c++) count += o->mate[c] == OSSA_NONE;
	ossai_pair *pairs = ossai_arena_new(o->scratch, count, sizeof *pairs);
	if (!pairs) return ossa_context_error(o->scratch->context)->status;
	count = 0;
	for (uint32_t c = 0; c < 3 * made->face_count; c++) {
		if (o->mate[c] != OSSA_NONE) continue;
		/* mates refer to corners before faces were flipped: a flipped face has its edges in the
		   other order */
		const uint32_t from = o->is_turned[c / 3] ? c - c % 3 + 2 - c % 3 : c;
		pairs[count++] = ossai_pair_of(made->triangles[from], made->triangles[next_corner(from)], from);
	}
	OSSAI_TRY(ossai_pairs_sort(o->scratch->context, pairs, count, made->point_count));
	for (size_t i = 0, end; i < count && o->made->is_closed; i = end) {
		end = ossai_pairs_run_end(pairs, count, i);
		int sum = 0;
		for (size_t k = i; k < end; k++) sum += made->triangles[pairs[k].tag] == pairs[k].first ? 1 : -1;
		if (sum != 0) o->made->is_closed = false;
	}
	return OSSA_OK;
}

static ossa_status orient_all(orienting *o)
{
	const size_t faces = o->made->face_count;
	o->mate = ossai_arena_new(o->scratch, faces, 3 * sizeof *o->mate);
	o->is_turned = o->mate ? ossai_arena_zero(o->scratch, faces, 1) : NULL;
	o->queue = o->is_turned ? ossai_arena_new(o->scratch, faces, sizeof *o->queue) : NULL;
	if (!o->queue) return ossa_context_error(o->scratch->context)->status;
	OSSAI_TRY(find_mates(o));
	OSSAI_TRY(turn_patches(o));
	return o->made->is_closed ? check_crowded_edges(o) : OSSA_OK;
}

ossa_status ossai_orient(ossai_arena *arena, size_t vertex_count, const double *positions, size_t face_count,
	const uint32_t *triangles, ossai_oriented *made)
{
	*made = (ossai_oriented){0};
	if (face_count >= OSSA_NONE / 3) {
		return ossai_fail(arena->context, OSSA_ERROR_LIMIT, NULL, "%zu faces are more than a shell can be made of", face_count);
	}
	made->points = ossai_arena_new(arena, vertex_count, 3 * sizeof *made->points);
	made->point_of_vertex = made->points ? ossai_arena_new(arena, vertex_count, sizeof *made->point_of_vertex) : NULL;
	/* one more: a face is written before it is known whether it is kept */
	made->triangles = made->point_of_vertex ? ossai_arena_new(arena, face_count + 1, 3 * sizeof *made->triangles) : NULL;
	if (!made->triangles) return ossa_context_error(arena->context)->status;
	ossai_arena scratch = ossai_arena_begin(arena->context);
	ossa_status status = weld(&scratch, vertex_count, positions, face_count, triangles, made);
	if (status == OSSA_OK) status = keep_faces(&scratch, face_count, triangles, made);
	if (status == OSSA_OK) status = orient_all(&(orienting){.scratch = &scratch, .made = made});
	ossai_arena_end(&scratch);
	return status;
}

/* scene/poses.c: whether a pose belongs to a rest mesh, and the order of numbered files: see
   poses.h.

   Place in the path: reading of frames.
   Input: two meshes; paths.
   Output: yes, or an error that names the difference; an order.
   Source of the least rotation: the two-pointer form of K. Booth, Lexicographically Least Circular
   Substrings, 1980. */
#include "scene/poses.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- polygons up to rotation ---- */

typedef struct polygon {
	const uint32_t *vertices;
	size_t size, start; /* start: where its least rotation begins */
} polygon;

/* where the lexicographically least rotation begins; linear also where vertices repeat */
static size_t least_rotation(const uint32_t *vertices, size_t size)
{
	size_t i = 0, j = 1, length = 0;
	while (i < size && j < size && length < size) {
		const uint32_t a = vertices[(i + length) % size], b = vertices[(j + length) % size];
		if (a == b) {
			length++;
			continue;
		}
		if (a > b) i += length + 1;
		else j += length + 1;
		if (i == j) j++;
		length = 0;
	}
	return i < j ? i : j;
}

static polygon polygon_at(const ossa_mesh *mesh, size_t index)
{
	const uint32_t first = mesh->polygon_start[index];
	const size_t size = mesh->polygon_start[index + 1] - first;
	const uint32_t *vertices = mesh->corner_vertex + first;
	return (polygon){vertices, size, least_rotation(vertices, size)};
}

static bool same_polygon(const polygon *a, const polygon *b)
{
	if (a->size != b->size) return false;
	for (size_t i = 0; i < a->size; i++) {
		if (a->vertices[(a->start + i) % a->size] != b->vertices[(b->start + i) % b->size]) return false;
	}
	return true;
}

static uint64_t polygon_hash(const polygon *p)
{
	uint64_t hash = p->size;
	for (size_t i = 0; i < p->size; i++) {
		hash = (hash ^ p->vertices[(p->start + i) % p->size]) * UINT64_C(0x9E3779B97F4A7C15);
		hash ^= hash >> 29;
	}
	return hash ^ hash >> 32;
}

/* ---- sets of polygons ---- */

/* An open hash table of the rest's polygons: each different one once, with how often the pose may
   still use it. */
typedef struct polygon_set {
	const ossa_mesh *mesh;
	size_t mask;
	uint32_t *polygon_of_slot; /* OSSA_NONE where empty */
	uint32_t *left_of_slot;
} polygon_set;

static size_t find_slot(const polygon_set *set, const polygon *p)
{
	size_t slot = (size_t)polygon_hash(p) & set->mask;
	for (; set->polygon_of_slot[slot] != OSSA_NONE; slot = (slot + 1) & set->mask) {
		const polygon other = polygon_at(set->mesh, set->polygon_of_slot[slot]);
		if (same_polygon(p, &other)) break;
	}
	return slot;
}

static ossa_status make_set(ossai_arena *arena, const ossa_mesh *mesh, polygon_set *set)
{
	size_t slots = 16;
	while (slots < 2 * mesh->polygon_count) slots *= 2;
	*set = (polygon_set){
		mesh, slots - 1, ossai_arena_new(arena, slots, sizeof(uint32_t)), ossai_arena_zero(arena, slots, sizeof(uint32_t))};
	if (!set->polygon_of_slot || !set->left_of_slot) return ossa_context_error(arena->context)->status;
	memset(set->polygon_of_slot, 0xFF, slots * sizeof(uint32_t));
	for (size_t i = 0; i < mesh->polygon_count; i++) {
		const polygon p = polygon_at(mesh, i);
		const size_t slot = find_slot(set, &p);
		if (set->polygon_of_slot[slot] == OSSA_NONE) set->polygon_of_slot[slot] = (uint32_t)i;
		set->left_of_slot[slot]++;
	}
	return OSSA_OK;
}

static ossa_status face_differs(ossa_context *context, const polygon *p, size_t index, const ossai_place *place)
{
	char corners[64];
	int used = 0;
	for (size_t i = 0; i < p->size && i < 4; i++) {
		used += snprintf(corners + used, sizeof corners - (size_t)used, "%s%u", i ? " " : "", (unsigned)p->vertices[i]);
	}
	return ossai_fail(context, OSSA_ERROR_INPUT, place,
		"face %zu (vertices %s%s, counted from 0) is not in the rest mesh: poses must have the faces of the rest; export all "
		"with "
		"the same settings, or ignore the faces of poses",
		index, corners, p->size > 4 ? " ..." : "");
}

static ossa_status compare_as_sets(
	ossa_context *context, const ossa_mesh *rest, const ossa_mesh *pose, const ossai_place *place)
{
	ossai_arena arena = ossai_arena_begin(context);
	polygon_set set;
	ossa_status status = make_set(&arena, rest, &set);
	for (size_t i = 0; i < pose->polygon_count && status == OSSA_OK; i++) {
		const polygon p = polygon_at(pose, i);
		const size_t slot = find_slot(&set, &p);
		if (set.left_of_slot[slot] > 0) set.left_of_slot[slot]--;
		else status = face_differs(context, &p, i, place);
	}
	ossai_arena_end(&arena);
	return status;
}

/* ---- polygons against triangles ---- */

static bool has_triangles_only(const ossa_mesh *mesh) { return mesh->corner_count == 3 * mesh->polygon_count; }

static uint64_t edge_key(uint32_t a, uint32_t b) { return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a; }

static int by_key(const void *x, const void *y)
{
	const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
	return a < b ? -1 : a > b;
}

/* Whether polygons are those that triangles were made of, whichever diagonals these have: as many
   triangles, and all edges of the polygons are theirs. Rigs of meshes of polygons may be stored in
   files of triangles. */
static ossa_status are_triangulated(ossa_context *context, const ossa_mesh *polygons, const ossa_mesh *triangles, bool *are)
{
	*are = false;
	/* of n corners n - 2 triangles are made */
	if (polygons->corner_count != 2 * polygons->polygon_count + triangles->polygon_count) return OSSA_OK;
	const size_t count = triangles->corner_count;
	const uint32_t *corner = triangles->corner_vertex;
	uint64_t *key = ossai_new(context, count, sizeof *key);
	if (!key) return ossa_context_error(context)->status;
	for (size_t i = 0; i < count; i++) key[i] = edge_key(corner[i], corner[i - i % 3 + (i + 1) % 3]);
	qsort(key, count, sizeof *key, by_key);
	*are = true;
	for (size_t p = 0; p < polygons->polygon_count && *are; p++) {
		const uint32_t begin = polygons->polygon_start[p], end = polygons->polygon_start[p + 1];
		for (uint32_t i = begin; i < end && *are; i++) {
			const uint64_t edge = edge_key(polygons->corner_vertex[i], polygons->corner_vertex[i + 1 < end ? i + 1 : begin]);
			*are = bsearch(&edge, key, count, sizeof *key, by_key) != NULL;
		}
	}
	ossa_free(context, key);
	return OSSA_OK;
}

static ossa_status compare_faces_of(
	ossa_context *context, const ossa_mesh *rest, const ossa_mesh *pose, const ossai_place *place)
{
	if (has_triangles_only(pose) != has_triangles_only(rest)) {
		bool are;
		OSSAI_TRY(has_triangles_only(rest) ? are_triangulated(context, pose, rest, &are)
										   : are_triangulated(context, rest, pose, &are));
		if (are) return OSSA_OK;
	}
	if (pose->polygon_count != rest->polygon_count) {
		return ossai_fail(context, OSSA_ERROR_INPUT, place,
			"has %zu faces, but the rest mesh %s has %zu: poses must be the same mesh", pose->polygon_count, rest->name,
			rest->polygon_count);
	}
	/* nearly all poses have the same bytes */
	const size_t starts = (rest->polygon_count + 1) * sizeof(uint32_t);
	if (pose->corner_count == rest->corner_count && memcmp(pose->polygon_start, rest->polygon_start, starts) == 0 &&
		memcmp(pose->corner_vertex, rest->corner_vertex, rest->corner_count * sizeof(uint32_t)) == 0) {
		return OSSA_OK;
	}
	return compare_as_sets(context, rest, pose, place);
}

ossa_status ossai_pose_check(
	ossa_context *context, const ossa_mesh *rest, const ossa_mesh *pose, const char *path, bool compare_faces)
{
	const ossai_place place = ossai_in_file(path);
	if (pose->vertex_count != rest->vertex_count) {
		return ossai_fail(context, OSSA_ERROR_INPUT, &place,
			"has %zu vertices, but the rest mesh %s has %zu: poses must be the same mesh", pose->vertex_count, rest->name,
			rest->vertex_count);
	}
	return compare_faces ? compare_faces_of(context, rest, pose, &place) : OSSA_OK;
}

/* ---- the order of vertices ---- */

/* an edge this many times as long as at rest, where the whole has not grown as much, does not
   connect neighbours */
static const double longest_stretch = 3;

/* the square of the diagonal of the box around the vertices that triangles use */
static double box_square(const ossa_mesh *mesh, const float *positions)
{
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, square = 0;
	for (size_t i = 0; i < 3 * mesh->triangle_count; i++) {
		for (int k = 0; k < 3; k++) {
			const double x = positions[3 * (size_t)mesh->triangles[i] + (size_t)k];
			low[k] = fmin(low[k], x);
			high[k] = fmax(high[k], x);
		}
	}
	for (int k = 0; k < 3 && mesh->triangle_count > 0; k++) square += (high[k] - low[k]) * (high[k] - low[k]);
	return square;
}

static double edge_square(const float *positions, uint32_t a, uint32_t b)
{
	double square = 0;
	for (size_t k = 0; k < 3; k++) {
		const double d = (double)positions[3 * (size_t)a + k] - positions[3 * (size_t)b + k];
		square += d * d;
	}
	return square;
}

bool ossai_pose_is_in_order(const ossa_mesh *rest, const float *positions)
{
	const double before = box_square(rest, rest->positions), growth = before > 0 ? box_square(rest, positions) / before : 1;
	const double most = longest_stretch * longest_stretch * fmax(1, growth);
	size_t edges = 0, stretched = 0;
	for (size_t t = 0; t < rest->triangle_count; t++) {
		const uint32_t *corners = rest->triangles + 3 * t;
		for (int i = 0; i < 3; i++) {
			const uint32_t a = corners[i], b = corners[(i + 1) % 3];
			const double own = edge_square(rest->positions, a, b);
			edges += own > 0;
			stretched += own > 0 && edge_square(positions, a, b) > most * own;
		}
	}
	return 2 * stretched <= edges;
}

/* ---- natural order ---- */

static size_t digit_run(const char *at)
{
	size_t size = 0;
	while (at[size] >= '0' && at[size] <= '9') size++;
	return size;
}

/* two runs of digits by value, of any length */
static int compare_digits(const char *a, size_t size_a, const char *b, size_t size_b)
{
	for (; size_a > 1 && *a == '0'; size_a--) a++;
	for (; size_b > 1 && *b == '0'; size_b--) b++;
	if (size_a != size_b) return size_a < size_b ? -1 : 1;
	return memcmp(a, b, size_a);
}

int ossai_natural_compare(const char *a, const char *b)
{
	const char *const first_a = a, *const first_b = b;
	while (*a && *b) {
		const size_t size_a = digit_run(a), size_b = digit_run(b);
		if (size_a && size_b) {
			const int order = compare_digits(a, size_a, b, size_b);
			if (order) return order;
			a += size_a;
			b += size_b;
		} else if (*a != *b) return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
		else {
			a++;
			b++;
		}
	}
	if (*a || *b) return *a ? 1 : -1;
	/* 01 and 1 have the same value */
	return strcmp(first_a, first_b);
}

/* stable merge of the sorted halves [begin, middle) and [middle, end) */
static void merge(const char *const *paths, size_t *order, size_t *scratch, size_t begin, size_t middle, size_t end)
{
	size_t i = begin, j = middle;
	for (size_t k = begin; k < end; k++) {
		const bool left = i < middle && (j == end || ossai_natural_compare(paths[order[i]], paths[order[j]]) <= 0);
		scratch[k] = left ? order[i++] : order[j++];
	}
	memcpy(order + begin, scratch + begin, (end - begin) * sizeof *order);
}

ossa_status ossai_natural_order(ossa_context *context, size_t count, const char *const *paths, size_t *order)
{
	size_t *scratch = ossai_new(context, count, sizeof *scratch);
	if (!scratch) return ossa_context_error(context)->status;
	for (size_t i = 0; i < count; i++) order[i] = i;
	for (size_t width = 1; width < count; width *= 2) {
		for (size_t begin = 0; begin + width < count; begin += 2 * width) {
			const size_t end = begin + 2 * width < count ? begin + 2 * width : count;
			merge(paths, order, scratch, begin, begin + width, end);
		}
	}
	ossa_free(context, scratch);
	return OSSA_OK;
}

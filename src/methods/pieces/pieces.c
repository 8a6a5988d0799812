/* methods/pieces/pieces.c: see pieces.h. */
#include "methods/pieces/pieces.h"

#include "surface/sheets.h"
#include "query/face_tree.h"

#include <ossa/contraction.h>

#include <stdlib.h>
#include <string.h>

/* faces of a piece from which the nearest other piece is sought, about so many */
enum { PROBES = 64 };
/* the most by which the center of a mirror image may be off, in sizes of the piece, and by which
   its size may differ, as a share of it (its area by twice that) */
static const double IMAGE_NEAR = 0.1, IMAGE_SIZE = 0.03;

/* ---- sizes ---- */

/* lists the faces of each piece, in their order */
static ossa_status list_faces(ossai_arena *arena, const ossai_posed_surface *s, ossai_pieces *p)
{
	p->count = s->piece_count;
	p->piece = ossai_arena_zero(arena, p->count, sizeof *p->piece);
	p->place = ossai_arena_new(arena, p->count, sizeof *p->place);
	p->faces = ossai_arena_new(arena, s->face_count, sizeof *p->faces);
	if (!p->piece || !p->place || !p->faces) return ossa_context_error(arena->context)->status;
	for (size_t f = 0; f < s->face_count; f++) p->piece[s->piece_of_face[f]].end++;
	uint32_t begin = 0;
	for (uint32_t i = 0; i < p->count; i++) {
		const uint32_t faces = p->piece[i].end;
		p->piece[i] = (ossai_piece){.number = i, .begin = begin, .end = begin, .on = OSSA_NONE, .image = OSSA_NONE};
		begin += faces;
	}
	for (uint32_t f = 0; f < s->face_count; f++) p->faces[p->piece[s->piece_of_face[f]].end++] = f;
	return OSSA_OK;
}

static void corners_of(const ossai_posed_surface *s, uint32_t face, ossai_vec3 corner[3])
{
	for (int k = 0; k < 3; k++) corner[k] = ossai_rest_point(s, s->triangles[3 * (size_t)face + (size_t)k]);
}

static void measure(const ossai_posed_surface *s, const uint32_t *faces, ossai_piece *piece)
{
	ossai_vec3 sum = {0, 0, 0}, corner[3];
	double square = 0, farthest = -1;
	for (uint32_t i = piece->begin; i < piece->end; i++) {
		const double area = s->face_area[faces[i]];
		corners_of(s, faces[i], corner);
		piece->area += area;
		for (int k = 0; k < 3; k++) sum = ossai_madd(sum, area / 3, corner[k]);
	}
	corners_of(s, faces[piece->begin], corner);
	piece->center = piece->area > 0 ? ossai_scale(sum, 1 / piece->area) : corner[0];
	for (uint32_t i = piece->begin; i < piece->end; i++) {
		corners_of(s, faces[i], corner);
		ossai_vec3 middle = {0, 0, 0};
		for (int k = 0; k < 3; k++) {
			const ossai_vec3 off = ossai_sub(corner[k], piece->center);
			middle = ossai_madd(middle, 1.0 / 3, off);
			square += s->face_area[faces[i]] / 12 * ossai_length2(off);
			if (!(ossai_length2(off) > farthest)) continue;
			farthest = ossai_length2(off);
			piece->farthest = corner[k];
		}
		square += s->face_area[faces[i]] * 0.75 * ossai_length2(middle);
	}
	piece->size = piece->area > 0 ? sqrt(square / piece->area) : 0;
}

/* largest first; equal ones by position, so that the order of the faces does not matter */
static int by_size(const void *left, const void *right)
{
	const ossai_piece *a = left, *b = right;
	if (a->size != b->size) return a->size > b->size ? -1 : 1;
	if (a->center.x != b->center.x) return a->center.x < b->center.x ? -1 : 1;
	if (a->center.y != b->center.y) return a->center.y < b->center.y ? -1 : 1;
	if (a->center.z != b->center.z) return a->center.z < b->center.z ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

/* sizes that differ in their last digits only become equal: an image must not change places with
   its original when both are turned */
static double round_size(double size)
{
	static const double STEPS = 1 << 20;
	return nearbyint(size * STEPS) / STEPS;
}

/* ---- roles ---- */

/* how many pieces may have bones: a common root takes one */
static size_t most_with_bones(const ossai_piece_limits *limits, const ossai_pieces *p)
{
	const size_t root = ossai_pieces_have_root(p) ? 1 : 0;
	const size_t most = limits->bones > root ? limits->bones - root : 1;
	return most < limits->most ? most : limits->most;
}

static bool is_as_large(const ossai_pieces *p, size_t larger, size_t smaller)
{
	return p->piece[larger].size - p->piece[smaller].size <= IMAGE_SIZE * p->piece[larger].size;
}

/* takes the bones from the smallest piece that has some */
static void take_bone(ossai_pieces *p)
{
	ossai_piece *last = &p->piece[p->skeletons + p->bones - 1];
	p->grounds -= last->is_ground;
	last->is_ground = false;
	last->role = OSSAI_PIECE_ALONG;
	if (p->bones > 0) p->bones--;
	else p->skeletons--;
	p->too_many++;
}

/* sheets that are larger than all other pieces: floors and walls around what is rigged. Where there
   are only sheets, they are what is rigged */
static ossa_status find_grounds(ossai_arena *arena, const ossai_posed_surface *s, ossai_pieces *p)
{
	bool is_sheet = true;
	for (p->grounds = 0; is_sheet && p->grounds < p->count && p->piece[p->grounds].size > 0; p->grounds += is_sheet) {
		const ossai_piece *piece = &p->piece[p->grounds];
		OSSAI_TRY(ossai_is_sheet(arena, s, piece->end - piece->begin, p->faces + piece->begin, &is_sheet));
	}
	if (is_sheet) p->grounds = 0;
	for (size_t i = 0; i < p->grounds; i++) p->piece[i].is_ground = true;
	return OSSA_OK;
}

/* the role of a piece by its size */
static ossai_piece_role role_of(const ossai_piece_limits *limits, const ossai_pieces *p, size_t place)
{
	const double size = p->piece[place].size, largest = p->piece[p->grounds].size;
	if (place == p->grounds) return OSSAI_PIECE_SKELETON;
	if (place < p->grounds) return OSSAI_PIECE_BONE;
	if (!(size > 0) || size < p->along_below * largest) return OSSAI_PIECE_ALONG;
	return size < limits->bone_below * largest ? OSSAI_PIECE_BONE : OSSAI_PIECE_SKELETON;
}

static void count_roles(const ossai_piece_limits *limits, ossai_pieces *p)
{
	p->skeletons = p->bones = 0;
	for (size_t i = 0; i < p->count; i++) {
		p->piece[i].role = role_of(limits, p, i);
		p->skeletons += p->piece[i].role == OSSAI_PIECE_SKELETON;
		p->bones += p->piece[i].role == OSSAI_PIECE_BONE;
	}
}

/* moves the grounds, which are the largest pieces, behind those with skeletons */
static void put_grounds_back(ossai_pieces *p)
{
	for (size_t i = 0; i < p->grounds; i++) {
		const ossai_piece ground = p->piece[0];
		memmove(p->piece, p->piece + 1, (p->grounds - 1 + p->skeletons) * sizeof ground);
		p->piece[p->grounds - 1 + p->skeletons] = ground;
	}
}

static void assign_roles(const ossai_piece_limits *limits, ossai_pieces *p)
{
	p->along_below = limits->along_below;
	p->too_many = p->too_small = 0;
	count_roles(limits, p);
	const size_t had = p->skeletons + p->bones;
	/* scales, cards of hair, rivets: nobody animates so many bones; the limit doubles, and from 0
	   it rises to the usual one first */
	const double usual = ossa_contraction_default().along_below / 100;
	while (p->bones - p->grounds > limits->most_rigid) {
		p->along_below = fmin(limits->bone_below, fmax(2 * p->along_below, usual));
		count_roles(limits, p);
	}
	p->too_small = had - p->skeletons - p->bones;
	put_grounds_back(p);
	/* the smallest lose theirs first: bones, then skeletons; of a pair of equal pieces both */
	while (p->skeletons + p->bones > most_with_bones(limits, p) && p->skeletons + p->bones > 1) {
		const size_t last = p->skeletons + p->bones - 1;
		const bool is_pair = last > 1 && is_as_large(p, last - 1, last) && !(last > 2 && is_as_large(p, last - 2, last));
		take_bone(p);
		if (is_pair) take_bone(p);
	}
}

ossa_status ossai_pieces_find(
	ossai_arena *arena, const ossai_posed_surface *surface, const ossai_piece_limits *limits, ossai_pieces *pieces)
{
	*pieces = (ossai_pieces){.count = 0};
	OSSAI_TRY(list_faces(arena, surface, pieces));
	for (size_t i = 0; i < pieces->count; i++) {
		measure(surface, pieces->faces, &pieces->piece[i]);
		pieces->piece[i].size = round_size(pieces->piece[i].size);
	}
	qsort(pieces->piece, pieces->count, sizeof *pieces->piece, by_size);
	OSSAI_TRY(find_grounds(arena, surface, pieces));
	assign_roles(limits, pieces);
	for (uint32_t i = 0; i < pieces->count; i++) pieces->place[pieces->piece[i].number] = i;
	return OSSA_OK;
}

void ossai_pieces_stiffen(ossai_pieces *p, size_t place)
{
	ossai_piece stiff = p->piece[place];
	stiff.role = OSSAI_PIECE_BONE;
	memmove(p->piece + place, p->piece + place + 1, (p->skeletons - 1 - place) * sizeof stiff);
	p->piece[--p->skeletons] = stiff;
	p->bones++;
	for (uint32_t i = 0; i < p->count; i++) p->place[p->piece[i].number] = i;
}

bool ossai_pieces_are_alike(const ossai_piece *a, const ossai_piece *b)
{
	const double size = fmax(a->size, b->size);
	return fabs(a->size - b->size) <= IMAGE_SIZE * size && fabs(a->area - b->area) <= 2 * IMAGE_SIZE * a->area;
}

bool ossai_pieces_are_images(const ossai_mirror *mirror, const ossai_piece *a, const ossai_piece *b)
{
	if (!mirror->exists || a->role != b->role || !ossai_pieces_are_alike(a, b)) return false;
	return ossai_distance(ossai_mirror_point(mirror, a->center), b->center) <= IMAGE_NEAR * fmax(a->size, b->size);
}

/* ---- attachment ---- */

typedef struct attachment {
	const ossai_posed_surface *surface;
	ossai_pieces *pieces;
	uint32_t *group; /* of faces: 1 where pieces can be attached */
	ossai_face_tree tree;
} attachment;

/* other pieces can be attached to those before `end` */
static void offer(attachment *h, size_t end)
{
	for (size_t f = 0; f < h->surface->face_count; f++) h->group[f] = h->pieces->place[h->surface->piece_of_face[f]] < end;
	ossai_face_tree_set_groups(&h->tree, h->group);
}

static ossai_near_face nearest_of(const attachment *h, const ossai_piece *piece)
{
	const uint32_t count = piece->end - piece->begin, step = count > PROBES ? count / PROBES : 1;
	ossai_near_face near = {OSSA_NONE, INFINITY};
	for (uint32_t i = piece->begin; i < piece->end; i += step) {
		for (int k = 0; k < 3; k++) {
			const uint32_t v = h->surface->triangles[3 * (size_t)h->pieces->faces[i] + (size_t)k];
			const ossai_near_face found = ossai_face_tree_nearest(
				&h->tree, h->group, ossai_rest_point(h->surface, v), 0, (ossai_near_face){OSSA_NONE, near.distance2});
			if (found.face != OSSA_NONE && found.distance2 < near.distance2) near = found;
		}
	}
	return near;
}

ossa_status ossai_pieces_attach(ossai_arena *arena, const ossai_posed_surface *surface, ossai_pieces *p)
{
	attachment h = {.surface = surface, .pieces = p};
	ossai_arena scratch = ossai_arena_begin(arena->context);
	const ossai_mesh_view mesh = ossai_posed_surface_view(surface);
	h.group = ossai_arena_new(&scratch, surface->face_count, sizeof *h.group);
	ossa_status status = h.group ? OSSA_OK : ossa_context_error(arena->context)->status;
	if (status == OSSA_OK) status = ossai_face_tree_make(&scratch, &mesh, &h.tree);
	for (size_t i = p->skeletons; status == OSSA_OK && i < p->count; i++) {
		ossai_piece *piece = &p->piece[i];
		if (i <= p->skeletons + p->bones) offer(&h, i);
		const ossai_near_face near = nearest_of(&h, piece);
		const bool is_near = !piece->is_ground && near.distance2 <= piece->size * piece->size;
		if (piece->role == OSSAI_PIECE_ALONG || is_near) piece->on = near.face;
		status = ossai_progress(arena->context, (double)i / (double)p->count);
	}
	ossai_arena_end(&scratch);
	return status;
}

/* ---- as meshes ---- */

static ossa_status copy_piece(ossai_arena *arena, ossai_arena *scratch, const ossa_mesh *mesh, const ossai_pieces *p,
	const ossai_piece *piece, uint32_t **vertices, ossa_mesh **result)
{
	const size_t faces = piece->end - piece->begin;
	uint32_t *triangles = ossai_arena_new(scratch, faces, 3 * sizeof *triangles);
	uint32_t *own = ossai_arena_new(scratch, mesh->vertex_count, sizeof *own);
	float *positions = ossai_arena_new(scratch, faces, 9 * sizeof *positions);
	*vertices = ossai_arena_new(arena, faces, 3 * sizeof **vertices);
	if (!triangles || !own || !positions || !*vertices) return ossa_context_error(arena->context)->status;
	uint32_t count = 0;
	for (size_t v = 0; v < mesh->vertex_count; v++) own[v] = OSSA_NONE;
	for (size_t i = 0; i < 3 * faces; i++) {
		const uint32_t v = mesh->triangles[3 * (size_t)p->faces[piece->begin + i / 3] + i % 3];
		if (own[v] == OSSA_NONE) {
			memcpy(positions + 3 * (size_t)count, mesh->positions + 3 * (size_t)v, 3 * sizeof *positions);
			(*vertices)[count] = v;
			own[v] = count++;
		}
		triangles[i] = own[v];
	}
	return ossa_mesh_create(arena->context, count, positions, faces, triangles, result);
}

ossa_status ossai_piece_mesh(ossai_arena *arena, const ossa_mesh *mesh, const ossai_pieces *pieces, size_t place,
	uint32_t **vertices, ossa_mesh **result)
{
	*result = NULL;
	ossai_arena scratch = ossai_arena_begin(arena->context);
	const ossa_status status = copy_piece(arena, &scratch, mesh, pieces, &pieces->piece[place], vertices, result);
	ossai_arena_end(&scratch);
	return status;
}

/* mesh/manifold.c: see manifold.h.

   Equal edges are found by sorting. Repeated faces are dropped; an edge of two faces joins them;
   an edge of more joins none, so that the faces at it become separate sheets. Then each piece
   gets one orientation, and every fan gets a vertex of its own. */
#include "mesh/manifold.h"

#include "mesh/pairs.h"

#include <stdlib.h>

typedef struct builder {
	size_t vertex_count, face_count;
	const double *positions;
	const uint32_t *triangles;
	ossai_pair *edges; /* sorted; the tag is the half-edge */
	size_t edge_count;
	uint8_t *dropped; /* F */
	uint8_t *turn;    /* F: 1 where the face must be flipped to agree with its piece */
	uint32_t *twin;   /* F x 3, of the input's half-edges, whichever way they run */
	uint32_t *queue;  /* F: faces in the order in which they were met, piece after piece */
	uint8_t *met;     /* F */
	ossai_manifold *made;
} builder;

static bool is_degenerate(const uint32_t *t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; }

static ossa_status gather_edges(ossai_arena *scratch, builder *b)
{
	b->dropped = ossai_arena_zero(scratch, b->face_count, 1);
	b->edges = b->dropped ? ossai_arena_new(scratch, b->face_count, 3 * sizeof *b->edges) : NULL;
	if (!b->edges) return ossa_context_error(scratch->context)->status;
	for (size_t f = 0; f < b->face_count; f++) {
		const uint32_t *t = b->triangles + 3 * f;
		if (is_degenerate(t)) {
			b->dropped[f] = 1;
			continue;
		}
		for (size_t k = 0; k < 3; k++) {
			b->edges[b->edge_count++] = ossai_pair_of(t[k], t[k == 2 ? 0 : k + 1], (uint32_t)(3 * f + k));
		}
	}
	return ossai_pairs_sort(scratch->context, b->edges, b->edge_count, b->vertex_count);
}

/* ---- repeated faces ---- */

static uint32_t far_corner(const builder *b, uint32_t half_edge) { return b->triangles[ossai_edge_before(half_edge)]; }

static int compare_far(const void *left, const void *right)
{
	const ossai_pair *a = left, *b = right;
	if (a->first != b->first) return a->first < b->first ? -1 : 1;
	return a->tag < b->tag ? -1 : a->tag > b->tag;
}

/* each face is tested at the edge of its two smallest vertices; `far` has the capacity of the
   largest run */
static void drop_doubles(builder *b, const ossai_pair *run, size_t size, ossai_pair *far)
{
	size_t count = 0;
	for (size_t i = 0; i < size; i++) {
		const uint32_t corner = far_corner(b, run[i].tag);
		if (corner > run[i].second) far[count++] = (ossai_pair){corner, 0, run[i].tag / 3};
	}
	if (count > 1) qsort(far, count, sizeof *far, compare_far);
	for (size_t i = 1; i < count; i++) {
		if (far[i].first == far[i - 1].first) b->dropped[far[i].tag] = 1;
	}
}

static ossa_status drop_double_faces(ossai_arena *scratch, builder *b)
{
	size_t most = 0;
	for (size_t begin = 0, end; begin < b->edge_count; begin = end) {
		end = ossai_pairs_run_end(b->edges, b->edge_count, begin);
		if (end - begin > most) most = end - begin;
	}
	ossai_pair *far = ossai_arena_new(scratch, most, sizeof *far);
	if (!far) return ossa_context_error(scratch->context)->status;
	for (size_t begin = 0, end; begin < b->edge_count; begin = end) {
		end = ossai_pairs_run_end(b->edges, b->edge_count, begin);
		if (end - begin > 1) drop_doubles(b, b->edges + begin, end - begin, far);
	}
	return OSSA_OK;
}

/* ---- connected faces and their orientation ---- */

static void join_run(builder *b, const ossai_pair *run, size_t size)
{
	uint32_t two[2] = {OSSA_NONE, OSSA_NONE};
	size_t count = 0;
	for (size_t i = 0; i < size; i++) {
		b->twin[run[i].tag] = OSSA_NONE;
		if (b->dropped[run[i].tag / 3]) continue;
		if (count < 2) two[count] = run[i].tag;
		count++;
	}
	b->made->border_edges += count == 1;
	b->made->crowded_edges += count > 2;
	if (count != 2) return;
	b->twin[two[0]] = two[1];
	b->twin[two[1]] = two[0];
}

/* adds the neighbours of a face to the queue, oriented as it is; an edge where that is impossible
   is cut */
static size_t meet_neighbors(builder *b, uint32_t face, size_t end)
{
	for (uint32_t h = 3 * face; h < 3 * face + 3; h++) {
		const uint32_t t = b->twin[h];
		if (t == OSSA_NONE) continue;
		/* two faces of one orientation have their edge in opposite directions */
		const uint8_t turn = b->turn[face] ^ (b->triangles[h] == b->triangles[t]);
		if (!b->met[t / 3]) {
			b->met[t / 3] = 1;
			b->turn[t / 3] = turn;
			b->queue[end++] = t / 3;
		} else if (b->turn[t / 3] != turn) {
			b->twin[h] = b->twin[t] = OSSA_NONE;
			b->made->twisted_edges++;
		}
	}
	return end;
}

static double face_volume(const builder *b, uint32_t face, ossai_vec3 origin)
{
	const uint32_t *t = b->triangles + 3 * (size_t)face;
	const ossai_vec3 x = ossai_sub(ossai_v3_of(b->positions + 3 * (size_t)t[0]), origin);
	const ossai_vec3 y = ossai_sub(ossai_v3_of(b->positions + 3 * (size_t)t[1]), origin);
	const ossai_vec3 z = ossai_sub(ossai_v3_of(b->positions + 3 * (size_t)t[2]), origin);
	return ossai_dot(x, ossai_cross(y, z));
}

/* orients a piece as most of its faces are, or outwards where it encloses a volume about its
   centroid */
static void turn_piece(builder *b, const uint32_t *faces, size_t count)
{
	ossai_vec3 middle = {0, 0, 0};
	size_t turned = 0;
	for (size_t i = 0; i < count; i++) {
		middle = ossai_add(middle, ossai_v3_of(b->positions + 3 * (size_t)b->triangles[3 * (size_t)faces[i]]));
		turned += b->turn[faces[i]];
	}
	b->made->mixed_faces += 2 * turned < count ? turned : count - turned;
	middle = ossai_scale(middle, 1 / (double)count);
	double volume = 0, size = 0;
	for (size_t i = 0; i < count; i++) {
		const double share = face_volume(b, faces[i], middle);
		volume += b->turn[faces[i]] ? -share : share;
		size += fabs(share);
	}
	/* an open sheet has next to no volume, whose sign means nothing */
	static const double LEAST_SHARE = 0.05;
	const bool is_decisive = fabs(volume) > LEAST_SHARE * size;
	const uint8_t other = is_decisive ? volume < 0 : 2 * turned > count;
	for (size_t i = 0; i < count; i++) {
		b->turn[faces[i]] ^= other;
		b->made->turned_faces += b->turn[faces[i]];
	}
}

static ossa_status join_faces(ossai_arena *scratch, builder *b)
{
	b->twin = ossai_arena_new(scratch, b->face_count, 3 * sizeof *b->twin);
	b->turn = b->twin ? ossai_arena_zero(scratch, b->face_count, 1) : NULL;
	b->met = b->turn ? ossai_arena_zero(scratch, b->face_count, 1) : NULL;
	b->queue = b->met ? ossai_arena_new(scratch, b->face_count, sizeof *b->queue) : NULL;
	if (!b->queue) return ossa_context_error(scratch->context)->status;
	for (size_t begin = 0, end; begin < b->edge_count; begin = end) {
		end = ossai_pairs_run_end(b->edges, b->edge_count, begin);
		join_run(b, b->edges + begin, end - begin);
	}
	for (uint32_t f = 0; f < b->face_count; f++) {
		if (b->dropped[f] || b->met[f]) continue;
		b->met[f] = 1;
		b->queue[0] = f;
		size_t end = 1;
		for (size_t i = 0; i < end; i++) end = meet_neighbors(b, b->queue[i], end);
		turn_piece(b, b->queue, end);
		b->made->piece_count++;
	}
	return OSSA_OK;
}

/* ---- the mesh ---- */

/* the mesh's half-edge for the half-edge `from` of the input; a flipped face has its second and
   third corner exchanged */
static uint32_t placed(const builder *b, const uint32_t *new_face, uint32_t from)
{
	const uint32_t face = from / 3, corner = from % 3;
	return 3 * new_face[face] + (b->turn[face] ? 2 - corner : corner);
}

static void place_faces(const builder *b, uint32_t *new_face, ossai_half_edges *mesh)
{
	uint32_t count = 0;
	for (size_t f = 0; f < b->face_count; f++) new_face[f] = b->dropped[f] ? OSSA_NONE : count++;
	b->made->dropped_faces = b->face_count - count;
	for (uint32_t h = 0; h < 3 * b->face_count; h++) {
		if (b->dropped[h / 3]) continue;
		const uint32_t to = placed(b, new_face, h), t = b->twin[h];
		/* a flipped half-edge begins where it ended */
		mesh->vertex[to] = b->triangles[b->turn[h / 3] ? ossai_edge_next(h) : h];
		mesh->twin[to] = t == OSSA_NONE ? OSSA_NONE : placed(b, new_face, t);
	}
	mesh->face_count = mesh->live_faces = count;
}

/* the first half-edge of the fan that begins with `h`, which at a border is the one without an
   opposite half-edge */
static uint32_t fan_begin(const ossai_half_edges *mesh, uint32_t h)
{
	uint32_t at = h;
	while (mesh->twin[at] != OSSA_NONE) {
		at = ossai_edge_next(mesh->twin[at]);
		if (at == h) break;
	}
	return at;
}

/* numbers the fans in the order of their first half-edges; returns their number */
static uint32_t number_fans(const ossai_half_edges *mesh, uint32_t *fan)
{
	uint32_t count = 0;
	for (size_t i = 0; i < 3 * mesh->face_count; i++) fan[i] = OSSA_NONE;
	for (uint32_t h = 0; h < 3 * mesh->face_count; h++) {
		if (fan[h] != OSSA_NONE) continue;
		const uint32_t first = fan_begin(mesh, h);
		uint32_t at = first;
		do {
			fan[at] = count;
			at = ossai_edge_turn(mesh, at);
		} while (at != OSSA_NONE && at != first);
		count++;
	}
	return count;
}

/* every fan gets a vertex */
static void place_vertices(const builder *b, const uint32_t *fan, ossai_half_edges *mesh)
{
	ossai_manifold *made = b->made;
	for (size_t v = 0; v < b->vertex_count; v++) made->of_vertex[v] = OSSA_NONE;
	for (uint32_t h = 0; h < 3 * mesh->face_count; h++) {
		const uint32_t from = mesh->vertex[h], number = fan[h];
		mesh->vertex[h] = number;
		if (number < mesh->vertex_count) {
			/* an open fan begins where there is no other face */
			if (mesh->twin[h] == OSSA_NONE) mesh->out[number] = h;
			continue;
		}
		mesh->vertex_count++;
		mesh->out[number] = h;
		made->vertex_of[number] = from;
		made->pinched_vertices += made->of_vertex[from] != OSSA_NONE;
		if (made->of_vertex[from] == OSSA_NONE) made->of_vertex[from] = number;
		ossai_v3_store(ossai_v3_of(b->positions + 3 * (size_t)from), mesh->positions + 3 * (size_t)number);
	}
	mesh->live_vertices = mesh->vertex_count;
}

static ossa_status make_mesh(ossai_arena *arena, ossai_arena *scratch, builder *b, ossai_half_edges *mesh)
{
	ossai_manifold *made = b->made;
	*mesh = (ossai_half_edges){0};
	OSSAI_TRY(ossai_half_edges_allocate_faces(arena, b->face_count, mesh));
	uint32_t *new_face = ossai_arena_new(scratch, b->face_count, sizeof *new_face);
	uint32_t *fan = new_face ? ossai_arena_new(scratch, b->face_count, 3 * sizeof *fan) : NULL;
	if (!fan) return ossa_context_error(arena->context)->status;
	place_faces(b, new_face, mesh);
	const uint32_t fan_count = number_fans(mesh, fan);
	OSSAI_TRY(ossai_half_edges_allocate_vertices(arena, fan_count, mesh));
	made->vertex_of = ossai_arena_new(arena, fan_count, sizeof *made->vertex_of);
	made->of_vertex = made->vertex_of ? ossai_arena_new(arena, b->vertex_count, sizeof *made->of_vertex) : NULL;
	if (!made->of_vertex) return ossa_context_error(arena->context)->status;
	place_vertices(b, fan, mesh);
	return OSSA_OK;
}

/* finds repeated faces, edges and pieces, and orients these */
static ossa_status build(ossai_arena *scratch, builder *b)
{
	if (b->face_count > UINT32_MAX / 3 - 1) {
		return ossai_fail(scratch->context, OSSA_ERROR_LIMIT, NULL, "%zu faces are more than can be handled", b->face_count);
	}
	OSSAI_TRY(gather_edges(scratch, b));
	OSSAI_TRY(drop_double_faces(scratch, b));
	return join_faces(scratch, b);
}

ossa_status ossai_manifold_make(ossai_arena *arena, size_t vertex_count, const double *positions, size_t face_count,
	const uint32_t *triangles, ossai_half_edges *mesh, ossai_manifold *made)
{
	*made = (ossai_manifold){0};
	builder b = {
		.vertex_count = vertex_count, .face_count = face_count, .positions = positions, .triangles = triangles, .made = made};
	ossai_arena scratch = ossai_arena_begin(arena->context);
	ossa_status status = build(&scratch, &b);
	if (status == OSSA_OK) status = make_mesh(arena, &scratch, &b, mesh);
	ossai_arena_end(&scratch);
	return status;
}

/* the half-edge's number once its face is turned over, which exchanges second and third corner */
static uint32_t turned_number(const builder *b, uint32_t h) { return b->turn[h / 3] ? h - h % 3 + (2 - h % 3) : h; }

/* the half-edges opposite to each other, once faces are turned over */
static void store_opposites(const builder *b, uint32_t *twin)
{
	for (uint32_t h = 0; h < 3 * b->face_count; h++) {
		const bool is_joined = !b->dropped[h / 3] && b->twin[h] != OSSA_NONE;
		twin[turned_number(b, h)] = is_joined ? turned_number(b, b->twin[h]) : OSSA_NONE;
	}
}

static bool has_doubles(const builder *b)
{
	for (size_t f = 0; f < b->face_count; f++) {
		if (b->dropped[f] && !is_degenerate(b->triangles + 3 * f)) return true;
	}
	return false;
}

static ossa_status keep_joins(ossai_arena *arena, const builder *b, ossai_face_joins *joins)
{
	joins->counts = *b->made;
	if (b->made->twisted_edges > 0 || has_doubles(b)) return OSSA_OK;
	joins->twin = ossai_arena_new(arena, b->face_count, 3 * sizeof *joins->twin);
	if (!joins->twin) return ossa_context_error(arena->context)->status;
	store_opposites(b, joins->twin);
	return OSSA_OK;
}

ossa_status ossai_manifold_orient(ossai_arena *arena, size_t vertex_count, const double *positions, size_t face_count,
	uint32_t *triangles, ossai_face_joins *joins)
{
	ossai_manifold made = {0};
	builder b = {
		.vertex_count = vertex_count, .face_count = face_count, .positions = positions, .triangles = triangles, .made = &made};
	ossai_arena scratch = ossai_arena_begin(arena->context);
	*joins = (ossai_face_joins){0};
	ossa_status status = build(&scratch, &b);
	if (status == OSSA_OK) status = keep_joins(arena, &b, joins);
	for (size_t f = 0; status == OSSA_OK && f < face_count; f++) {
		if (!b.turn[f]) continue;
		uint32_t *t = triangles + 3 * f;
		const uint32_t second = t[1];
		t[1] = t[2];
		t[2] = second;
	}
	ossai_arena_end(&scratch);
	return status;
}

ossa_status ossai_manifold_make_joined(ossai_arena *arena, size_t vertex_count, const double *positions, size_t face_count,
	const uint32_t *triangles, const ossai_face_joins *joins, ossai_half_edges *mesh, ossai_manifold *made)
{
	if (!joins->twin) return ossai_manifold_make(arena, vertex_count, positions, face_count, triangles, mesh, made);
	*made = joins->counts;
	made->turned_faces = made->mixed_faces = 0;
	builder b = {.vertex_count = vertex_count,
		.face_count = face_count,
		.positions = positions,
		.triangles = triangles,
		.twin = joins->twin,
		.made = made};
	ossai_arena scratch = ossai_arena_begin(arena->context);
	b.turn = ossai_arena_zero(&scratch, face_count, 1);
	b.dropped = b.turn ? ossai_arena_new(&scratch, face_count, 1) : NULL;
	ossa_status status = b.dropped ? OSSA_OK : ossa_context_error(arena->context)->status;
	for (size_t f = 0; b.dropped && f < face_count; f++) b.dropped[f] = is_degenerate(triangles + 3 * f);
	if (status == OSSA_OK) status = make_mesh(arena, &scratch, &b, mesh);
	ossai_arena_end(&scratch);
	return status;
}

/* export/gltf/glb_seams.c: where one mesh vertex needs several of the file's, because its corners
   differ in UV or normal.

   Place in the path: inside the GLB writer.
   Input: the mesh's corners.
   Output: ossai_glb_seams.  The mesh's vertices keep their numbers and what seams add comes after
   them, so a reader that knows the count restores the old order. */
#include "export/gltf/glb.h"
#include "scene/sets.h"

#include <string.h>

/* a corner's vertex, UVs and normal as bits; compared as bits, so that equal values under different
   indices meet */
enum { UV_BITS = 3, NORMAL_BITS = 4 };
typedef struct corner_key {
	uint32_t vertex;
	/* of each set 2 of UV and whether it is there, 3 of normal and whether it is there:
	   `word_count` of the search */
	uint32_t bits[UV_BITS * OSSA_SETS_MAX + NORMAL_BITS];
} corner_key;

typedef struct seam_search {
	const ossa_mesh *mesh;
	bool use_normals;
	size_t uv_count, word_count;
	uint32_t *origin, *corner, *vertex_of_corner;
	size_t count;
	uint32_t *table; /* file vertices after the mesh's own by hash; OSSA_NONE where free */
	size_t mask;
} seam_search;

static void find_key(const seam_search *search, size_t corner, corner_key *key)
{
	const ossa_mesh *mesh = search->mesh;
	key->vertex = mesh->corner_vertex[corner];
	memset(key->bits, 0, search->word_count * sizeof *key->bits);
	uint32_t *bits = key->bits;
	for (size_t set = 0; set < search->uv_count; set++, bits += UV_BITS) {
		const ossai_uvs uvs = ossai_uvs_at(mesh, set);
		if (uvs.of_corner[corner] == OSSA_NONE) continue;
		memcpy(bits, uvs.texcoords + (size_t)uvs.of_corner[corner] * 2, 8);
		bits[2] = 1;
	}
	if (search->use_normals && mesh->corner_normal[corner] != OSSA_NONE) {
		memcpy(bits, mesh->normals + (size_t)mesh->corner_normal[corner] * 3, 12);
		bits[3] = 1;
	}
}

static bool same_key(const seam_search *search, const corner_key *a, const corner_key *b)
{
	return a->vertex == b->vertex && memcmp(a->bits, b->bits, search->word_count * sizeof *a->bits) == 0;
}

static size_t hash_key(const seam_search *search, const corner_key *key)
{
	uint64_t hash = key->vertex;
	for (size_t i = 0; i < search->word_count; i++) {
		hash = (hash ^ key->bits[i]) * 0x9E3779B97F4A7C15u;
		hash ^= hash >> 29;
	}
	return (size_t)hash;
}

/* the file vertex among those after the mesh's own, made where it is not there yet */
static uint32_t split_vertex(seam_search *search, const corner_key *key, size_t corner)
{
	size_t slot = hash_key(search, key) & search->mask;
	for (; search->table[slot] != OSSA_NONE; slot = (slot + 1) & search->mask) {
		corner_key other;
		find_key(search, search->corner[search->table[slot]], &other);
		if (same_key(search, key, &other)) return search->table[slot];
	}
	const uint32_t made = (uint32_t)search->count++;
	search->table[slot] = made;
	search->origin[made] = key->vertex;
	search->corner[made] = (uint32_t)corner;
	return made;
}

/* the same UV and normal by their indices: values need not be compared */
static bool same_indices(const seam_search *search, size_t a, size_t b)
{
	const ossa_mesh *mesh = search->mesh;
	for (size_t i = 0; i + 1 < search->uv_count; i++) {
		if (mesh->more_uvs[i].corner_texcoord[a] != mesh->more_uvs[i].corner_texcoord[b]) return false;
	}
	return (!mesh->corner_texcoord || mesh->corner_texcoord[a] == mesh->corner_texcoord[b]) &&
		(!search->use_normals || mesh->corner_normal[a] == mesh->corner_normal[b]);
}

static bool same_attributes(const seam_search *search, size_t a, size_t b)
{
	if (same_indices(search, a, b)) return true;
	corner_key one, other;
	find_key(search, a, &one);
	find_key(search, b, &other);
	return same_key(search, &one, &other);
}

/* gives each vertex its first corner; returns how many corners differ from their vertex's first */
static size_t count_differing(seam_search *search)
{
	const ossa_mesh *mesh = search->mesh;
	size_t differing = 0;
	for (size_t c = 0; c < mesh->corner_count; c++) {
		uint32_t *first = &search->corner[mesh->corner_vertex[c]];
		if (*first == OSSA_NONE) *first = (uint32_t)c;
		search->vertex_of_corner[c] = same_attributes(search, c, *first) ? mesh->corner_vertex[c] : OSSA_NONE;
		differing += search->vertex_of_corner[c] == OSSA_NONE;
	}
	return differing;
}

/* capacity for at most `more` vertices after the mesh's own, and a table twice as large */
static ossa_status reserve(ossa_context *context, ossai_arena *arena, seam_search *search, size_t more)
{
	const size_t vertex_count = search->mesh->vertex_count;
	if (vertex_count + more >= OSSA_NONE) {
		return ossai_fail(
			context, OSSA_ERROR_LIMIT, NULL, "UV and normal seams would split the mesh into more than 2^32 vertices");
	}
	uint32_t *origin = ossai_arena_new(arena, vertex_count + more, sizeof *origin);
	uint32_t *corner = ossai_arena_new(arena, vertex_count + more, sizeof *corner);
	size_t size = 16;
	while (size < 2 * more) size *= 2;
	search->table = ossai_arena_new(arena, size, sizeof *search->table);
	if (!origin || !corner || !search->table) return ossa_context_error(context)->status;
	for (size_t v = 0; v < vertex_count; v++) origin[v] = (uint32_t)v;
	memcpy(corner, search->corner, vertex_count * sizeof *corner);
	memset(search->table, 0xff, size * sizeof *search->table);
	search->origin = origin;
	search->corner = corner;
	search->mask = size - 1;
	search->count = vertex_count;
	return OSSA_OK;
}

ossa_status ossai_glb_find_seams(
	ossa_context *context, ossai_arena *arena, const ossa_mesh *mesh, bool use_normals, ossai_glb_seams *seams)
{
	seam_search search = {.mesh = mesh, .use_normals = use_normals && mesh->corner_normal, .uv_count = ossai_uv_count(mesh)};
	search.word_count = UV_BITS * search.uv_count + NORMAL_BITS;
	search.corner = ossai_arena_new(arena, mesh->vertex_count, sizeof *search.corner);
	search.vertex_of_corner = ossai_arena_new(arena, mesh->corner_count, sizeof *search.vertex_of_corner);
	if (!search.corner || !search.vertex_of_corner) return ossa_context_error(context)->status;
	memset(search.corner, 0xff, mesh->vertex_count * sizeof *search.corner);
	OSSAI_TRY(reserve(context, arena, &search, count_differing(&search)));
	for (size_t c = 0; c < mesh->corner_count; c++) {
		if (search.vertex_of_corner[c] != OSSA_NONE) continue;
		corner_key key;
		find_key(&search, c, &key);
		search.vertex_of_corner[c] = split_vertex(&search, &key, c);
	}
	*seams = (ossai_glb_seams){search.count, search.origin, search.corner, search.vertex_of_corner};
	return OSSA_OK;
}

/* methods/characters/load.c: key frames of several characters, each in sizes of its own rest.

   Place in the path: inside of characters, before the draft.
   The squared errors of all are summed, so each is divided by its own size: else the largest
   character, or the one in the smallest unit, would be the only one that counts. */
#include "methods/characters/characters.h"

#include "math/rigid_fit.h"
#include "mesh/weld.h"
#include "scene/frame_stream.h"

#include <stdlib.h>
#include <string.h>

static size_t frames_of(const ossai_member *m)
{
	return m->character->frames ? ossa_frame_stream_frame_count(m->character->frames) : 0;
}

static ossa_status read_keys(const ossai_characters *c, ossai_member *m)
{
	m->mesh = *m->character->mesh;
	if (frames_of(m) == 0) return OSSA_OK;
	return ossai_frame_stream_take_keys(
		c->arena, m->character->frames, &m->mesh, (size_t)c->options->key_frames, &m->keys, &m->which);
}

/* ---- welds ---- */

static void mark_used(const ossa_mesh *mesh, uint8_t *used)
{
	memset(used, 0, mesh->vertex_count);
	for (size_t i = 0; i < 3 * mesh->triangle_count; i++) used[mesh->triangles[i]] = 1;
}

/* rests and key frames of all in a row */
static float *all_positions(const ossai_characters *c, size_t *count)
{
	const size_t numbers = 3 * c->members[0].mesh.vertex_count;
	*count = 0;
	for (size_t i = 0; i < c->count; i++) *count += 1 + (c->members[i].keys ? c->members[i].keys->frame_count : 0);
	float *all = ossai_new(c->context, *count, numbers * sizeof *all), *to = all;
	for (size_t i = 0; all && i < c->count; i++) {
		const ossai_member *m = &c->members[i];
		memcpy(to, m->mesh.positions, numbers * sizeof *to);
		to += numbers;
		if (!m->keys) continue;
		memcpy(to, m->keys->positions, m->keys->frame_count * numbers * sizeof *to);
		to += m->keys->frame_count * numbers;
	}
	return all;
}

/* A seam is one where its sides meet in all poses of all characters. */
static ossa_status weld(ossai_characters *c, const uint8_t *used)
{
	const ossa_mesh *mesh = &c->members[0].mesh;
	size_t count, others;
	uint32_t *first = ossai_arena_new(c->arena, mesh->vertex_count, sizeof *first);
	if (!first) return ossa_context_error(c->context)->status;
	float *all = all_positions(c, &count);
	if (!all) return ossa_context_error(c->context)->status;
	const ossa_status status = ossai_weld_vertices(
		c->context, mesh->vertex_count, used, all, count - 1, all + 3 * mesh->vertex_count, first, &others);
	ossa_free(c->context, all);
	c->first_of_vertex = first;
	return status;
}

/* ---- the order ---- */

static ossai_vec3 center_of(const uint8_t *used, size_t count, const float *positions)
{
	ossai_vec3 sum = {0, 0, 0};
	double all = 0;
	for (size_t v = 0; v < count; v++) {
		if (!used[v]) continue;
		sum = ossai_add(sum, ossai_v3_of_float(positions + 3 * v));
		all++;
	}
	return ossai_scale(sum, 1 / all);
}

/* the diagonal of the box */
static double size_of(const uint8_t *used, const ossa_mesh *mesh)
{
	ossai_vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		const ossai_vec3 p = ossai_v3_of_float(mesh->positions + 3 * v);
		if (!used[v]) continue;
		low = ossai_v3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
		high = ossai_v3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
	}
	return ossai_distance(low, high);
}

/* what the best rigid motion of the whole leaves in one pose, in sizes; the size comes in as its
   square */
static double motion_in(const uint8_t *used, const ossai_member *m, ossai_vec3 center, size_t k, double size2)
{
	const float *pose = m->keys->positions + 3 * k * m->mesh.vertex_count;
	const ossai_vec3 middle = center_of(used, m->mesh.vertex_count, pose);
	double square = 0, cross[9] = {0};
	for (size_t v = 0; v < m->mesh.vertex_count; v++) {
		double p[3], q[3];
		if (!used[v]) continue;
		ossai_v3_store(ossai_sub(ossai_v3_of_float(m->mesh.positions + 3 * v), center), p);
		ossai_v3_store(ossai_sub(ossai_v3_of_float(pose + 3 * v), middle), q);
		for (int i = 0; i < 9; i++) cross[i] += p[i / 3] * q[i % 3];
		for (int i = 0; i < 3; i++) square += p[i] * p[i] + q[i] * q[i];
	}
	return ossai_larger(square - 2 * ossai_rigid_lambda(cross), 0) / size2;
}

/* a vertex that moves by less than this, squared, in sizes, moves by rounding */
static const double least_motion = 1e-10;

static void find_motion(const uint8_t *used, ossai_characters *c, ossai_member *m)
{
	const double size = size_of(used, &m->mesh);
	const ossai_vec3 center = center_of(used, m->mesh.vertex_count, m->mesh.positions);
	m->motion = 0;
	for (size_t k = 0; m->keys && size > 0 && k < m->keys->frame_count; k++) {
		m->motion += motion_in(used, m, center, k, size * size);
	}
	const double coordinates = m->keys ? (double)m->keys->frame_count * (double)m->mesh.vertex_count : 0;
	m->moves = m->motion > least_motion * coordinates;
	c->moves |= m->moves;
}

static int by_motion(const void *a, const void *b)
{
	const ossai_member *m = a, *n = b;
	if (m->motion != n->motion) return m->motion > n->motion ? -1 : 1;
	return (m->index > n->index) - (m->index < n->index);
}

/* the order in which characters are given changes no sum */
static void sort_members(ossai_characters *c, const uint8_t *used)
{
	for (size_t i = 0; i < c->count; i++) find_motion(used, c, &c->members[i]);
	qsort(c->members, c->count, sizeof *c->members, by_motion);
}

ossa_status ossai_characters_load(ossai_characters *c)
{
	const ossa_mesh *mesh = c->members[0].character->mesh;
	for (size_t i = 0; i < c->count; i++) OSSAI_TRY(read_keys(c, &c->members[i]));
	/* the same of all, as their faces are */
	uint8_t *used = ossai_arena_new(c->arena, mesh->vertex_count, 1);
	if (!used) return ossa_context_error(c->context)->status;
	mark_used(mesh, used);
	sort_members(c, used);
	return weld(c, used);
}

ossa_status ossai_characters_place(ossai_characters *c)
{
	const ossa_mesh *base = c->members[c->base].character->mesh;
	for (size_t i = 0; i < c->count; i++) {
		ossai_member *m = &c->members[i];
		/* quads are cut along the shorter diagonal, which is another one in another shape */
		m->mesh.triangles = base->triangles;
		m->mesh.triangle_corners = base->triangle_corners;
		ossai_warn_about(c->context, "%s", m->name);
		const ossa_status status = ossai_posed_surface_make_welded(
			c->context, c->arena, &m->mesh, m->keys, true, c->first_of_vertex, &m->surface);
		ossai_warn_about(c->context, NULL);
		OSSAI_TRY(ossai_characters_blame(c, m, status));
	}
	return OSSA_OK;
}

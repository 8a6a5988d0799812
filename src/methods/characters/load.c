/* methods/characters/load.c: key frames of several characters, each in sizes of its own rest.

   Place in the path: inside of characters, before the draft.
   The squared errors of all are summed, so each is divided by its own size: else the largest
   character, or the one in the smallest unit, would be the only one that counts. */
#include "methods/characters/characters.h"

#include "math/rigid_fit.h"
#include "mesh/weld.h"
#include "scene/frame_stream.h"

#include <string.h>

static size_t frames_of(const ossai_member *m)
{
	return m->character->frames ? ossa_frame_stream_frame_count(m->character->frames) : 0;
}

/* the largest number for each with which all together are no more than is wanted; 0: all */
static size_t share_of_keys(const ossai_characters *c)
{
	const size_t wanted = (size_t)c->options->key_frames;
	size_t most = 0;
	for (size_t i = 0; i < c->count; i++) most = frames_of(&c->members[i]) > most ? frames_of(&c->members[i]) : most;
	for (size_t share = 1; wanted > 0 && share <= most; share++) {
		size_t sum = 0;
		for (size_t i = 0; i < c->count; i++) {
			const size_t own = frames_of(&c->members[i]);
			sum += own < share ? own : share;
		}
		if (sum > wanted) return share > 1 ? share - 1 : 1;
	}
	return 0;
}

static ossa_status read_keys(const ossai_characters *c, size_t share, ossai_member *m)
{
	const ossa_mesh *first = c->members[0].character->mesh;
	/* quads are cut along the shorter diagonal, which is another one in another shape */
	m->mesh = *m->character->mesh;
	m->mesh.triangles = first->triangles;
	m->mesh.triangle_corners = first->triangle_corners;
	if (frames_of(m) == 0) return OSSA_OK;
	return ossai_frame_stream_take_keys(c->arena, m->character->frames, &m->mesh, share, &m->keys, &m->which);
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
static ossa_status weld(ossai_characters *c)
{
	const ossa_mesh *mesh = &c->members[0].mesh;
	size_t count, others;
	uint8_t *used = ossai_arena_new(c->arena, mesh->vertex_count, 1);
	uint32_t *first = ossai_arena_new(c->arena, mesh->vertex_count, sizeof *first);
	if (!used || !first) return ossa_context_error(c->context)->status;
	mark_used(mesh, used);
	float *all = all_positions(c, &count);
	if (!all) return ossa_context_error(c->context)->status;
	const ossa_status status = ossai_weld_vertices(
		c->context, mesh->vertex_count, used, all, count - 1, all + 3 * mesh->vertex_count, first, &others);
	ossa_free(c->context, all);
	c->first_of_vertex = first;
	return status;
}

/* ---- the base ---- */

/* what one rigid motion of the whole leaves in each pose, summed */
static double motion_of(const ossai_posed_surface *s)
{
	double rest = 0, sum = 0;
	for (size_t v = 0; v < s->vertex_count; v++) rest += s->used[v] ? ossai_length2(ossai_rest_point(s, v)) : 0;
	for (size_t k = 0; k < s->pose_count; k++) {
		double m[9] = {0};
		for (size_t v = 0; v < s->vertex_count; v++) {
			const double *pose = s->poses + 3 * (v * s->pose_count + k);
			for (int i = 0; s->used[v] && i < 9; i++) m[i] += s->rest[3 * v + i / 3] * pose[i % 3];
		}
		sum += ossai_larger(rest + s->pose_square[k] - 2 * ossai_rigid_lambda(m), 0);
	}
	return sum;
}

/* one that does not move by more than rounding counts as still */
static const double least_motion = 1e-10;

static void find_base(ossai_characters *c)
{
	for (size_t i = 0; i < c->count; i++) {
		ossai_member *m = &c->members[i];
		m->motion = motion_of(&m->surface);
		c->moves |= m->motion > least_motion * (double)m->surface.used_count * (double)m->surface.pose_count;
		if (m->motion > c->members[c->base].motion) c->base = i;
	}
}

ossa_status ossai_characters_load(ossai_characters *c)
{
	const size_t share = share_of_keys(c);
	for (size_t i = 0; i < c->count; i++) OSSAI_TRY(read_keys(c, share, &c->members[i]));
	OSSAI_TRY(weld(c));
	for (size_t i = 0; i < c->count; i++) {
		ossai_member *m = &c->members[i];
		OSSAI_TRY(
			ossai_posed_surface_make_welded(c->context, c->arena, &m->mesh, m->keys, true, c->first_of_vertex, &m->surface));
	}
	find_base(c);
	return OSSA_OK;
}

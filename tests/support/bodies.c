/* tests/support/bodies.c: see bodies.h. */
#include "support/bodies.h"

#include "base/context.h"
#include "mesh/bounds.h"
#include "support/support.h"

#include <string.h>

enum { FACES = 1200, FLOOR_VERTICES = 8, FLOOR_FACES = 12 };

static const uint32_t floor_faces[3 * FLOOR_FACES] = {
	0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};

static void make_samples(test_bodies *t, const int *kinds, int frames)
{
	for (size_t i = 0; i < t->count; i++) {
		ossa_sample_options options = ossa_sample_default();
		options.kind = kinds[i];
		options.faces = FACES;
		options.frames = frames;
		/* of one kind each moves on its own */
		options.seed = (int)i;
		assert_ok(t->context, ossa_sample_create(t->context, &options, &t->sample[i]));
	}
}

/* where each is moved to along x: the first one stays */
static void find_places(const test_bodies *t, double gap, double *place)
{
	double edge = ossai_bounds_make(t->sample[0]->rig->mesh->vertex_count, t->sample[0]->rig->mesh->positions).minimum.x;
	for (size_t i = 0; i < t->count; i++) {
		const ossa_mesh *mesh = t->sample[i]->rig->mesh;
		const ossai_bounds b = ossai_bounds_make(mesh->vertex_count, mesh->positions);
		const double width = b.maximum.x - b.minimum.x;
		place[i] = edge - b.minimum.x;
		edge += width * (1 + gap);
	}
}

/* below the vertices so far */
static void put_floor(const float *positions, size_t count, float *to)
{
	ossai_vec3 low = {-1, INFINITY, -1}, high = {1, 0, 1};
	for (size_t v = 0; v < count; v++) {
		const float *p = positions + 3 * v;
		low.y = fmin(low.y, (double)p[1]);
		high.x = fmax(high.x, 1.0 + (double)p[0]);
	}
	for (size_t c = 0; c < FLOOR_VERTICES; c++) {
		to[3 * c] = (float)(c % 4 == 1 || c % 4 == 2 ? high.x : low.x);
		to[3 * c + 1] = (float)(c % 4 >= 2 ? low.y - 0.001 : low.y - 0.1);
		to[3 * c + 2] = (float)(c >= 4 ? high.z : low.z);
	}
}

static void put_vertices(const ossa_mesh *mesh, const float *from, double place, float *to)
{
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		to[3 * v] = (float)((double)from[3 * v] + place);
		to[3 * v + 1] = from[3 * v + 1];
		to[3 * v + 2] = from[3 * v + 2];
	}
}

static void join_meshes(test_bodies *t, const double *place, bool has_floor)
{
	size_t vertices = 0, faces = 0;
	for (size_t i = 0; i < t->count; i++) {
		t->first_vertex[i] = vertices;
		vertices += t->sample[i]->rig->mesh->vertex_count;
		faces += t->sample[i]->rig->mesh->triangle_count;
	}
	t->first_vertex[t->count] = vertices;
	ossai_arena arena = ossai_arena_begin(t->context);
	float *positions = ossai_arena_new(&arena, vertices + FLOOR_VERTICES, 3 * sizeof *positions);
	uint32_t *triangles = ossai_arena_new(&arena, faces + FLOOR_FACES, 3 * sizeof *triangles), *next = triangles;
	for (size_t i = 0; positions && triangles && i < t->count; i++) {
		const ossa_mesh *mesh = t->sample[i]->rig->mesh;
		put_vertices(mesh, mesh->positions, place[i], positions + 3 * t->first_vertex[i]);
		for (size_t k = 0; k < 3 * mesh->triangle_count; k++) *next++ = mesh->triangles[k] + (uint32_t)t->first_vertex[i];
	}
	assert_true(positions && triangles);
	put_floor(positions, vertices, positions + 3 * vertices);
	for (size_t k = 0; k < 3 * FLOOR_FACES; k++) *next++ = floor_faces[k] + (uint32_t)vertices;
	const size_t all = vertices + (has_floor ? FLOOR_VERTICES : 0), all_faces = faces + (has_floor ? FLOOR_FACES : 0);
	assert_ok(t->context, ossa_mesh_create(t->context, all, positions, all_faces, triangles, &t->mesh));
	ossai_arena_end(&arena);
}

static void join_frames(test_bodies *t, const double *place, bool has_floor)
{
	const size_t count = t->sample[0]->frames->frame_count, vertices = t->mesh->vertex_count, end = t->first_vertex[t->count];
	assert_ok(t->context, ossa_frames_create(t->context, count, vertices, 24, &t->frames));
	for (size_t k = 0; k < count; k++) {
		float *to = t->frames->positions + 3 * k * vertices;
		for (size_t i = 0; i < t->count; i++) {
			const ossa_mesh *mesh = t->sample[i]->rig->mesh;
			const float *from = t->sample[i]->frames->positions + 3 * k * mesh->vertex_count;
			put_vertices(mesh, from, place[i], to + 3 * t->first_vertex[i]);
		}
		if (has_floor) memcpy(to + 3 * end, t->mesh->positions + 3 * end, 3 * FLOOR_VERTICES * sizeof *to);
	}
}

test_bodies test_bodies_begin(int threads, size_t count, const int *kinds, double gap, bool has_floor, int frames)
{
	test_bodies t = {.context = test_context(threads), .count = count};
	double place[4];
	make_samples(&t, kinds, frames);
	find_places(&t, gap, place);
	join_meshes(&t, place, has_floor);
	join_frames(&t, place, has_floor);
	assert_ok(t.context, ossa_frame_stream_of_frames(t.context, t.frames, &t.stream));
	return t;
}

void test_bodies_end(test_bodies *t)
{
	ossa_frame_stream_free(t->context, t->stream);
	ossa_frames_free(t->context, t->frames);
	ossa_mesh_free(t->context, t->mesh);
	for (size_t i = 0; i < t->count; i++) ossa_sample_free(t->context, t->sample[i]);
	test_context_end(t->context);
}

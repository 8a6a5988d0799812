/* bench/bench_surface.c: the cost of the stages on the surface and of the metrics, and its growth
   with faces.

   A torus from 10 000 to 300 000 faces; the same faces as 63 pieces and as a soup of single
   triangles for the links. Seconds are of the processor, all threads together.
   `power` is the exponent p of seconds ~ faces^p against the smallest size of the same stage; 1
   is linear. */
#include "base/clock.h"
#include "base/context.h"
#include "math/vec.h"
#include "mesh/adjacency.h"
#include "query/winding_numbers.h"
#include "surface/links.h"
#include "mesh/normals.h"
#include "mesh/pieces.h"

#include <ossa/ossa.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES_MAX = 16, FRAMES = 20, BONES = 20 };

typedef struct surface {
	size_t vertex_count, face_count;
	float *positions;
	uint32_t *triangles;
} surface;

/* seconds of each stage at the smallest size */
typedef struct baseline {
	size_t faces;
	double seconds;
} baseline;

typedef struct bench {
	ossa_context *context;
	baseline first[STAGES_MAX];
	size_t stage;
} bench;

static void need(const bench *b, ossa_status status)
{
	if (status == OSSA_OK) return;
	fprintf(stderr, "%s\n", ossa_context_error(b->context)->message);
	exit(1);
}

static void show(bench *b, const char *name, size_t faces, double begin)
{
	const double seconds = ossai_cpu_seconds() - begin;
	baseline *first = &b->first[b->stage++];
	if (first->faces == 0) *first = (baseline){faces, seconds};
	printf("%-22s %9zu %10.4f %10.1f", name, faces, seconds, 1e9 * seconds / (double)faces);
	if (faces > first->faces) printf(" %8.2f", log(seconds / first->seconds) / log((double)faces / (double)first->faces));
	printf("\n");
}

/* `count` tori of about face_count faces in all, side by side; each touches none */
static surface make_tori(ossai_arena *arena, size_t face_count, size_t count)
{
	const size_t side = (size_t)sqrt((double)face_count / (double)count / 2);
	surface s = {count * side * side, count * side * side * 2, NULL, NULL};
	s.positions = ossai_arena_new(arena, s.vertex_count, 3 * sizeof *s.positions);
	s.triangles = ossai_arena_new(arena, s.face_count, 3 * sizeof *s.triangles);
	if (!s.positions || !s.triangles) exit(1);
	uint32_t *corner = s.triangles;
	for (size_t i = 0; i < s.vertex_count; i++) {
		const size_t torus = i / (side * side), x = i % side, y = i / side % side;
		const double u = 2 * OSSAI_PI * (double)x / (double)side, v = 2 * OSSAI_PI * (double)y / (double)side;
		s.positions[3 * i] = (float)((2 + cos(u)) * cos(v) + 6.1 * (double)(torus % 8));
		s.positions[3 * i + 1] = (float)((2 + cos(u)) * sin(v) + 6.1 * (double)(torus / 8));
		s.positions[3 * i + 2] = (float)sin(u);
		const uint32_t first = (uint32_t)(torus * side * side), a = (uint32_t)i;
		const uint32_t right = first + (uint32_t)(y * side + (x + 1) % side);
		const uint32_t up = first + (uint32_t)((y + 1) % side * side + x);
		const uint32_t both = first + (uint32_t)((y + 1) % side * side + (x + 1) % side);
		memcpy(corner, (uint32_t[]){a, right, both, a, both, up}, 6 * sizeof *corner);
		corner += 6;
	}
	return s;
}

/* every face with its own corners */
static surface make_soup(ossai_arena *arena, size_t face_count)
{
	const surface torus = make_tori(arena, face_count, 1);
	surface s = {3 * torus.face_count, torus.face_count, NULL, NULL};
	s.positions = ossai_arena_new(arena, s.vertex_count, 3 * sizeof *s.positions);
	s.triangles = ossai_arena_new(arena, s.face_count, 3 * sizeof *s.triangles);
	if (!s.positions || !s.triangles) exit(1);
	for (size_t i = 0; i < 3 * s.face_count; i++) {
		s.triangles[i] = (uint32_t)i;
		memcpy(s.positions + 3 * i, torus.positions + 3 * (size_t)torus.triangles[i], 3 * sizeof *s.positions);
	}
	return s;
}

static void bench_links(bench *b, const char *name, const surface *s)
{
	ossai_arena arena = ossai_arena_begin(b->context);
	ossai_adjacency adjacency;
	need(b, ossai_adjacency_make(b->context, &arena, s->vertex_count, s->face_count, s->triangles, &adjacency));
	uint32_t *piece_of_face = ossai_arena_new(&arena, s->face_count, sizeof *piece_of_face), count, *pairs;
	if (!piece_of_face) exit(1);
	need(b, ossai_pieces_make(b->context, s->vertex_count, s->face_count, s->triangles, piece_of_face, NULL, &count));
	size_t pair_count;
	const ossai_mesh_view mesh = ossai_view_of_floats(s->vertex_count, s->positions, s->face_count, s->triangles);
	const double begin = ossai_cpu_seconds();
	need(b, ossai_links_make(&arena, &mesh, adjacency.face_on_border, piece_of_face, count, &pairs, &pair_count));
	show(b, name, s->face_count, begin);
	ossai_arena_end(&arena);
}

static void bench_connections(bench *b, const surface *s)
{
	ossai_arena arena = ossai_arena_begin(b->context);
	ossai_adjacency adjacency;
	double begin = ossai_cpu_seconds();
	need(b, ossai_adjacency_make(b->context, &arena, s->vertex_count, s->face_count, s->triangles, &adjacency));
	show(b, "adjacency", s->face_count, begin);
	uint32_t *piece_of_face = ossai_arena_new(&arena, s->face_count, sizeof *piece_of_face), count;
	float *normals = ossai_arena_new(&arena, s->vertex_count, 3 * sizeof *normals);
	if (!piece_of_face || !normals) exit(1);
	begin = ossai_cpu_seconds();
	need(b, ossai_pieces_make(b->context, s->vertex_count, s->face_count, s->triangles, piece_of_face, NULL, &count));
	show(b, "pieces", s->face_count, begin);
	ossai_vertex_faces around;
	begin = ossai_cpu_seconds();
	need(b, ossai_vertex_faces_make(b->context, &arena, s->vertex_count, s->face_count, s->triangles, &around));
	show(b, "faces around vertices", s->face_count, begin);
	begin = ossai_cpu_seconds();
	ossai_vertex_normals(b->context, s->vertex_count, s->triangles, &around, s->positions, normals);
	show(b, "normals", s->face_count, begin);
	double points[3 * BONES], windings[BONES];
	for (int i = 0; i < 3 * BONES; i++) points[i] = 0.1 * i;
	begin = ossai_cpu_seconds();
	const ossai_mesh_view mesh = ossai_view_of_floats(s->vertex_count, s->positions, s->face_count, s->triangles);
	ossai_winding_numbers(b->context, &mesh, BONES, points, windings);
	show(b, "inside, 20 points", s->face_count, begin);
	ossai_arena_end(&arena);
}

/* a rig of bones in a row, each vertex on four of them, that stands still */
static void bench_measure(bench *b, const surface *s)
{
	ossa_mesh *mesh;
	ossa_rig *rig;
	ossa_frames *frames;
	need(b, ossa_mesh_create(b->context, s->vertex_count, s->positions, s->face_count, s->triangles, &mesh));
	need(b, ossa_rig_create(b->context, mesh, BONES, 4, &rig));
	need(b, ossa_clip_create(b->context, FRAMES, BONES, false, &rig->clip));
	need(b, ossa_frames_create(b->context, FRAMES, s->vertex_count, 24, &frames));
	for (int32_t i = 0; i < BONES; i++) {
		rig->skeleton.bones[i].parent = i - 1;
		rig->skeleton.bones[i].orientation[3] = 1;
	}
	for (size_t i = 0; i < (size_t)FRAMES * BONES; i++) rig->clip->rotations[4 * i + 3] = 1;
	for (size_t i = 0; i < 4 * s->vertex_count; i++) {
		rig->weights.bones[i] = (uint16_t)((i / 4 * BONES / s->vertex_count + i % 4) % BONES);
		rig->weights.values[i] = 0.25f;
	}
	ossa_metrics metrics;
	const double begin = ossai_cpu_seconds();
	need(b, ossa_rig_measure(b->context, rig, NULL, NULL, frames, &metrics));
	show(b, "measure, 20 frames", s->face_count, begin);
	ossa_frames_free(b->context, frames);
	ossa_rig_free(b->context, rig);
	ossa_mesh_free(b->context, mesh);
}

int main(void)
{
	bench b = {0};
	if (ossa_context_create(NULL, &b.context) != OSSA_OK) return 1;
	printf("%d threads\n%-22s %9s %10s %10s %8s\n", ossa_context_threads(b.context), "stage", "faces", "cpu s", "ns/face",
		"power");
	const size_t sizes[] = {10000, 30000, 100000, 300000};
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		ossai_arena arena = ossai_arena_begin(b.context);
		const surface whole = make_tori(&arena, sizes[i], 1), pieces = make_tori(&arena, sizes[i], 63);
		const surface soup = make_soup(&arena, sizes[i]);
		b.stage = 0;
		bench_connections(&b, &whole);
		bench_measure(&b, &whole);
		bench_links(&b, "links, 63 pieces", &pieces);
		bench_links(&b, "links, single faces", &soup);
		ossai_arena_end(&arena);
	}
	ossa_context_free(b.context);
	return 0;
}

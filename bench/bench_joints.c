/* bench/bench_joints.c: the cost of joints and motion from given parts: seed motion, boundaries,
   joints, lengths, descent.

   A creature of 20 000 and 100 000 faces over 175 frames with its true parts. Seconds are of the
   processor, all threads together; the least of three. */
#include "base/clock.h"
#include "motion/bone_lengths.h"
#include "motion/descent.h"
#include "motion/seed_motion.h"
#include "samples/samples.h"
#include "skeleton/from_motion/boundary_graph.h"
#include "skeleton/from_motion/variance_joints.h"

#include <stdio.h>
#include <stdlib.h>

enum { FRAMES = 175, TIMES = 3 };

typedef struct bench {
	ossa_context *context;
	ossai_arena arena;
	ossai_posed_surface surface;
	uint32_t *part_of_face;
	size_t parts;
	ossai_bone_graph graph;
	ossai_tree tree;
	uint32_t *seed, *part_of_seed; /* every sixteenth vertex */
	size_t seeds;
	ossai_bone_motion own, motion;
	double *length;
	ossai_joint *joints;
	ossai_vec3 *joint, *path;
} bench;

static void need(const bench *b, ossa_status status)
{
	if (status == OSSA_OK) return;
	fprintf(stderr, "%s\n", ossa_context_error(b->context)->message);
	exit(1);
}

static void *take(bench *b, size_t count, size_t size)
{
	void *block = ossai_arena_new(&b->arena, count, size);
	if (!block) need(b, OSSA_ERROR_MEMORY);
	return block;
}

static void find_graph(bench *b)
{
	need(b, ossai_boundary_graph_make(&b->arena, &b->surface, b->part_of_face, b->parts, &b->graph));
	need(b, ossai_boundary_tree_make(&b->arena, &b->surface, &b->graph, &b->tree));
}

static void find_own(bench *b)
{
	b->seeds = 0;
	for (uint32_t v = 0; v < b->surface.vertex_count; v += 16) {
		b->seed[b->seeds] = v;
		b->part_of_seed[b->seeds++] = b->graph.bone_of_vertex[v];
	}
	need(b, ossai_seed_motion_fit(b->context, &b->surface, b->seeds, b->seed, b->part_of_seed, &b->own));
}

static void find_joints(bench *b)
{
	const ossai_variance_evidence e = {&b->surface, &b->graph, &b->tree, &b->own, b->seeds, b->seed, b->part_of_seed};
	need(b, ossai_variance_joints_fit(b->context, &e, 0.05, b->joints));
}

static void find_lengths(bench *b)
{
	ossai_joint_paths(&b->graph, &b->tree, b->joints, &b->own, b->joint, b->path);
	ossai_bone_lengths_project(&b->tree, FRAMES, b->joint, b->path, b->length);
}

static void find_motion(bench *b)
{
	const ossai_hierarchy h = {&b->tree, b->joint, NULL};
	const ossai_descent_options options = ossai_descent_default();
	need(b, ossai_descent_fit(b->context, &h, b->path, &b->own, &options, &b->motion, NULL));
}

static void show(bench *b, const char *name, void (*stage)(bench *b))
{
	double least = INFINITY;
	for (int i = 0; i < TIMES; i++) {
		const double begin = ossai_cpu_seconds();
		stage(b);
		least = fmin(least, ossai_cpu_seconds() - begin);
	}
	printf("%-12s %8zu faces %3zu parts %4d frames %9.4f s\n", name, b->surface.face_count, b->parts, FRAMES, least);
}

static void make_parts(bench *b, const ossa_rig *rig)
{
	b->part_of_face = take(b, b->surface.face_count, sizeof *b->part_of_face);
	for (size_t f = 0; f < b->surface.face_count; f++) {
		/* the largest weight of the first corner */
		b->part_of_face[f] = rig->weights.bones[rig->mesh->triangles[3 * f] * (size_t)rig->weights.influences];
	}
}

static void run(ossa_context *context, int faces)
{
	ossa_sample_options options = ossa_sample_default();
	options.kind = OSSA_SAMPLE_BIPED;
	options.faces = faces;
	options.frames = FRAMES;
	ossa_sample *sample;
	bench b = {.context = context, .arena = ossai_arena_begin(context)};
	need(&b, ossa_sample_create(context, &options, &sample));
	need(&b, ossai_posed_surface_make(context, &b.arena, sample->rig->mesh, sample->frames, false, &b.surface));
	make_parts(&b, sample->rig);
	b.parts = sample->rig->skeleton.bone_count;
	b.seed = take(&b, b.surface.vertex_count, sizeof *b.seed);
	b.part_of_seed = take(&b, b.surface.vertex_count, sizeof *b.part_of_seed);
	b.length = take(&b, b.parts, sizeof *b.length);
	b.joints = take(&b, b.parts * b.parts, sizeof *b.joints);
	b.joint = take(&b, b.parts, sizeof *b.joint);
	b.path = take(&b, b.parts * FRAMES, sizeof *b.path);
	need(&b, ossai_bone_motion_new(&b.arena, b.parts, FRAMES, &b.own));
	need(&b, ossai_bone_motion_new(&b.arena, b.parts, FRAMES, &b.motion));
	show(&b, "boundaries", find_graph);
	show(&b, "seed motion", find_own);
	show(&b, "joints", find_joints);
	show(&b, "lengths", find_lengths);
	show(&b, "descent", find_motion);
	ossai_arena_end(&b.arena);
	ossa_sample_free(context, sample);
}

int main(void)
{
	ossa_context *context;
	if (ossa_context_create(NULL, &context) != OSSA_OK) return 1;
	run(context, 20000);
	run(context, 100000);
	ossa_context_free(context);
	return 0;
}

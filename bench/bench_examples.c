/* bench/bench_examples.c: the cost of the method of example poses, and its growth with faces and
   with poses.

   A quadruped of 27 bones whose flesh bulges and trembles a little, so that no rig reproduces it
   exactly and every refinement has work. Seconds are of the processor, all threads together, and of
   the method alone: files are measured by bench_read. `power` is the exponent p of seconds ~ size^p
   fitted to all sizes of a table; 1 is linear, the limit wanted is 1.15. The floor is a lower bound
   of any method: reading all positions once, in the same run. `MB` is the most that the method held
   at once; rest and frames, which the caller holds, come on top.

   usage: bench_examples [--million]      a single run of a million faces and 20 poses instead */
#include "base/clock.h"
#include "math/vec.h"
#include "samples/samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BONES = 27, STAGES_MAX = 8, SIZES_MAX = 4, FIXED_FACES = 10000, FIXED_POSES = 20, POWER_LIMIT_PERCENT = 115 };

/* what a size cost: seconds of each stage, of all together in the last place */
typedef struct cost {
	int size;
	double seconds[STAGES_MAX + 1];
} cost;

typedef struct bench {
	ossa_context *maker, *context; /* the second does the work that is measured */
	size_t stage_count;
} bench;

static void need(const ossa_context *context, ossa_status status)
{
	if (status == OSSA_OK) return;
	fprintf(stderr, "%s\n", ossa_context_error(context)->message);
	exit(1);
}

/* seconds to read all positions once */
static double read_once(const ossa_frames *frames)
{
	const size_t count = 3 * frames->frame_count * frames->vertex_count;
	const double begin = ossai_cpu_seconds();
	float sum[16] = {0};
	for (size_t i = 0; i + 16 <= count; i += 16) {
		for (size_t j = 0; j < 16; j++) sum[j] += frames->positions[i + j];
	}
	volatile float sink = 0;
	for (size_t j = 0; j < 16; j++) sink = sink + sum[j];
	return ossai_cpu_seconds() - begin;
}

static void show_head(const bench *b, const char *what)
{
	printf("%-9s", what);
	for (size_t s = 0; s < b->stage_count; s++) printf(" %10s", ossa_context_stage(b->context, s)->name);
	printf(" %9s %8s %11s %8s\n", "all", "MB", "ns/face*pose", "x floor");
}

static void show(const bench *b, const cost *c, const ossa_sample *sample)
{
	const double all = c->seconds[b->stage_count];
	const double work = (double)sample->rig->mesh->triangle_count * (double)sample->frames->frame_count;
	printf("%-9d", c->size);
	for (size_t s = 0; s <= b->stage_count; s++) printf(" %*.3f", s < b->stage_count ? 10 : 9, c->seconds[s]);
	printf(" %8.0f %12.0f %8.0f\n", (double)ossa_context_peak_bytes(b->context) / 1e6, 1e9 * all / work,
		all / read_once(sample->frames));
	fflush(stdout);
}

/* rigs a creature of so many faces and poses; `head` names the table's first column where it
   begins */
static void measure(bench *b, int faces, int poses, const char *head, cost *c)
{
	ossa_sample_options kind = ossa_sample_default();
	kind.faces = faces;
	kind.frames = poses;
	kind.bulge = 1;
	kind.noise = 0.02;
	ossa_sample *sample;
	need(b->maker, ossa_sample_create(b->maker, &kind, &sample));
	ossa_examples_options options = ossa_examples_default();
	options.bones = BONES;
	ossa_context_reset(b->context);
	ossa_rig *rig;
	const double begin = ossai_cpu_seconds();
	need(b->context, ossa_rig_from_examples(b->context, sample->rig->mesh, sample->frames, &options, &rig));
	const double all = ossai_cpu_seconds() - begin;
	b->stage_count = ossa_context_stage_count(b->context);
	if (b->stage_count > STAGES_MAX) b->stage_count = STAGES_MAX;
	for (size_t s = 0; s < b->stage_count; s++) c->seconds[s] = ossa_context_stage(b->context, s)->cpu_seconds;
	c->seconds[b->stage_count] = all;
	if (head) show_head(b, head);
	show(b, c, sample);
	ossa_rig_free(b->context, rig);
	ossa_sample_free(b->maker, sample);
}

/* slope of log seconds over log size */
static double power(const cost *costs, size_t count, size_t column)
{
	double x = 0, y = 0, xx = 0, xy = 0;
	for (size_t i = 0; i < count; i++) {
		const double u = log(costs[i].size), v = log(fmax(costs[i].seconds[column], 1e-9));
		x += u;
		y += v;
		xx += u * u;
		xy += u * v;
	}
	const double n = (double)count;
	return (n * xy - x * y) / (n * xx - x * x);
}

static void show_powers(const bench *b, const cost *costs, size_t count)
{
	printf("%-9s", "power");
	for (size_t s = 0; s <= b->stage_count; s++) printf(" %*.2f", s < b->stage_count ? 10 : 9, power(costs, count, s));
	const bool steep = power(costs, count, b->stage_count) > POWER_LIMIT_PERCENT / 100.0;
	printf("   %s\n\n", steep ? "STEEPER than 1.15" : "no steeper than 1.15");
}

static void grow_with_faces(bench *b)
{
	const int sizes[SIZES_MAX] = {10000, 30000, 100000, 300000};
	cost costs[SIZES_MAX];
	for (size_t i = 0; i < SIZES_MAX; i++) {
		costs[i].size = sizes[i];
		measure(b, sizes[i], FIXED_POSES, i == 0 ? "faces" : NULL, &costs[i]);
	}
	show_powers(b, costs, SIZES_MAX);
}

static void grow_with_poses(bench *b)
{
	const int sizes[SIZES_MAX] = {5, 20, 50, 200};
	cost costs[SIZES_MAX];
	for (size_t i = 0; i < SIZES_MAX; i++) {
		costs[i].size = sizes[i];
		measure(b, FIXED_FACES, sizes[i], i == 0 ? "poses" : NULL, &costs[i]);
	}
	show_powers(b, costs, SIZES_MAX);
}

static void rig_a_million(bench *b)
{
	cost c = {.size = 1000000};
	measure(b, c.size, FIXED_POSES, "faces", &c);
	printf("peak of the process, creature and frames included: %.2f GB\n", (double)ossai_peak_resident_bytes() / 1e9);
}

int main(int argc, char **argv)
{
	bench b = {0};
	if (ossa_context_create(NULL, &b.maker) != OSSA_OK || ossa_context_create(NULL, &b.context) != OSSA_OK) return 1;
	printf("%d threads, %d bones; %d poses where faces grow, %d faces where poses do; CPU seconds\n",
		ossa_context_threads(b.context), BONES, FIXED_POSES, FIXED_FACES);
	if (argc > 1 && strcmp(argv[1], "--million") == 0) {
		rig_a_million(&b);
	} else {
		grow_with_faces(&b);
		grow_with_poses(&b);
	}
	ossa_context_free(b.context);
	ossa_context_free(b.maker);
	return 0;
}

/* bench/bench_key_frames.c: errors on all frames of a rig that was made of few of them: evenly
   spread, chosen, or all.

   usage: bench_key_frames [ANIMATION BONES]; by default bipeds of 20 000 faces over 175 frames:
   one that moves all the time, one that moves in a tenth of the frames and hardly in the others.
   Errors are of all frames, in % of the diagonal; seconds of the processor. */
#include "base/clock.h"
#include "samples/samples.h"

#include <stdio.h>
#include <stdlib.h>

enum { FRAMES_MOST = 10000 };

typedef struct bench {
	ossa_context *context;
	const ossa_mesh *mesh;
	ossa_frame_stream *stream;
	int bones;
} bench;

static void need(const bench *b, ossa_status status)
{
	if (status == OSSA_OK) return;
	fprintf(stderr, "%s\n", ossa_context_error(b->context)->message);
	exit(1);
}

/* makes the rig of these frames, fits its motion to all */
static void run(const bench *b, const char *name, size_t count, const size_t *indices, double chosen_in)
{
	ossa_examples_options options = ossa_examples_default();
	ossa_frames *frames;
	ossa_rig *rig;
	ossa_motion_fit *fit;
	options.bones = b->bones;
	const double begin = ossai_cpu_seconds();
	need(b, ossa_frame_stream_frames(b->context, b->stream, count, indices, &frames));
	need(b, ossa_rig_from_examples(b->context, b->mesh, frames, &options, &rig));
	const double made = ossai_cpu_seconds();
	need(b, ossa_rig_fit_motion(b->context, rig, b->stream, NULL, &fit));
	printf("  %-8s %4zu frames  RMS %.4f  worst %6.3f   chosen %.2f s, made %6.2f s, fitted %.2f s\n", name, count,
		fit->errors.rms_percent, fit->errors.max_percent, chosen_in, made - begin, ossai_cpu_seconds() - made);
	ossa_motion_fit_free(b->context, fit);
	ossa_rig_free(b->context, rig);
	ossa_frames_free(b->context, frames);
}

static void compare(bench *b, const ossa_mesh *mesh, const ossa_frames *frames)
{
	static const size_t counts[] = {10, 20, 30, 40};
	static size_t indices[FRAMES_MOST];
	const size_t all = frames->frame_count;
	b->mesh = mesh;
	need(b, ossa_frame_stream_of_frames(b->context, frames, &b->stream));
	printf("%s: %zu faces, %zu frames\n", mesh->name, mesh->triangle_count, all);
	for (size_t i = 0; i < 4 && counts[i] < all; i++) {
		size_t count = counts[i];
		for (size_t k = 0; k < count; k++) indices[k] = k * (all - 1) / (count - 1);
		run(b, "even", count, indices, 0);
		const double begin = ossai_cpu_seconds();
		need(b, ossa_frame_stream_choose(b->context, b->stream, mesh, counts[i], indices, &count));
		run(b, "chosen", count, indices, ossai_cpu_seconds() - begin);
	}
	for (size_t f = 0; f < all && f < FRAMES_MOST; f++) indices[f] = f;
	run(b, "all", all < FRAMES_MOST ? all : FRAMES_MOST, indices, 0);
	ossa_frame_stream_free(b->context, b->stream);
}

/* most frames hardly leave the rest */
static void calm(const ossa_mesh *mesh, ossa_frames *frames)
{
	const size_t count = 3 * frames->vertex_count, all = frames->frame_count;
	for (size_t f = 0; f < all; f++) {
		if (f >= all / 3 && f < all / 3 + all / 10) continue;
		for (size_t i = 0; i < count; i++) {
			float *p = frames->positions + f * count + i;
			*p = mesh->positions[i] + 0.08f * (*p - mesh->positions[i]);
		}
	}
}

static void compare_samples(bench *b)
{
	for (int calmed = 0; calmed < 2; calmed++) {
		ossa_sample_options options = ossa_sample_default();
		ossa_sample *sample;
		options.kind = OSSA_SAMPLE_BIPED;
		options.faces = 20000;
		options.frames = 175;
		options.bulge = 2;
		options.noise = 0.1;
		need(b, ossa_sample_create(b->context, &options, &sample));
		if (calmed) calm(sample->rig->mesh, sample->frames);
		compare(b, sample->rig->mesh, sample->frames);
		ossa_sample_free(b->context, sample);
	}
}

int main(int count, char **words)
{
	bench b = {.bones = count > 2 ? atoi(words[2]) : 20};
	ossa_mesh *mesh = NULL;
	ossa_frames *frames = NULL;
	if (ossa_context_create(NULL, &b.context) != OSSA_OK) return 1;
	if (count > 1) {
		need(&b, ossa_read_animation(b.context, words[1], NULL, &mesh, &frames));
		if (frames) compare(&b, mesh, frames);
		ossa_frames_free(b.context, frames);
		ossa_mesh_free(b.context, mesh);
	} else compare_samples(&b);
	ossa_context_free(b.context);
	return 0;
}

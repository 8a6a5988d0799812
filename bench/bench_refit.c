/* bench/bench_refit.c: the cost of fitting a motion to long input: frames of a cache read, and read
   and fitted, each frame and all together.

   A biped whose motion is played forwards and backwards in a PC2 file. usage: bench_refit [FACES
   FRAMES FOLDER]; by default 20 000 faces and 400 frames in a temporary folder. With a FOLDER the
   files stay there: rig.glb and frames.pc2, for the command. Seconds are of the processor, all
   threads together. */
#include "base/clock.h"
#include "samples/samples.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POSES = 60 };

typedef struct bench {
	ossa_context *context;
	ossa_sample *sample;
	const char *folder;
	char path[2][4096];
} bench;

static void need(const bench *b, ossa_status status)
{
	if (status == OSSA_OK) return;
	fprintf(stderr, "%s\n", ossa_context_error(b->context)->message);
	exit(1);
}

static void put_32(uint32_t value, FILE *stream)
{
	for (int i = 0; i < 4; i++) fputc((int)(value >> 8 * i & 0xff), stream);
}

static void write_cache(const bench *b, uint32_t frames)
{
	const ossa_frames *poses = b->sample->frames;
	FILE *stream = fopen(b->path[1], "wb");
	if (!stream) exit(1);
	fwrite("POINTCACHE2", 1, 12, stream);
	put_32(1, stream);
	put_32((uint32_t)poses->vertex_count, stream);
	put_32(0, stream);
	put_32(0x3f800000, stream);
	put_32(frames, stream);
	for (uint32_t f = 0; f < frames; f++) {
		const uint32_t turn = f % (2 * POSES - 2), pose = turn < POSES ? turn : 2 * POSES - 2 - turn;
		fwrite(poses->positions + 3 * pose * poses->vertex_count, sizeof(float), 3 * poses->vertex_count, stream);
	}
	if (fclose(stream) != 0) exit(1);
}

static ossa_frame_stream *open_cache(const bench *b)
{
	ossa_frame_stream *stream;
	const char *path = b->path[1];
	need(b, ossa_frame_stream_open(b->context, b->sample->rig->mesh, 1, &path, false, NULL, &stream));
	return stream;
}

static void report(const bench *b, const char *what, double seconds, size_t frames)
{
	printf("%-24s %8.3f s  %8.3f ms a frame  peak %.1f MB\n", what, seconds, 1000 * seconds / (double)frames,
		(double)ossa_context_peak_bytes(b->context) / 1e6);
}

static void read_all(const bench *b)
{
	ossa_frame_stream *stream = open_cache(b);
	float *positions = ossa_alloc(b->context, ossa_frame_stream_vertex_count(stream), 3 * sizeof *positions);
	const double begin = ossai_cpu_seconds();
	for (size_t f = 0; f < ossa_frame_stream_frame_count(stream); f++) {
		need(b, ossa_frame_stream_read(b->context, stream, f, positions));
	}
	report(b, "read", ossai_cpu_seconds() - begin, ossa_frame_stream_frame_count(stream));
	ossa_free(b->context, positions);
	ossa_frame_stream_free(b->context, stream);
}

static void fit_all(const bench *b, bool free_motion)
{
	ossa_motion_options options = ossa_motion_default();
	options.free_motion = free_motion;
	ossa_frame_stream *stream = open_cache(b);
	ossa_motion_fit *fit;
	ossa_context_reset(b->context);
	const double begin = ossai_cpu_seconds();
	need(b, ossa_rig_fit_motion(b->context, b->sample->rig, stream, &options, &fit));
	report(b, free_motion ? "fitted, free too" : "fitted", ossai_cpu_seconds() - begin, ossa_frame_stream_frame_count(stream));
	for (size_t i = 0; i < ossa_context_stage_count(b->context); i++) {
		const ossa_stage_cost *stage = ossa_context_stage(b->context, i);
		printf("  %-22s %8.3f s\n", stage->name, stage->cpu_seconds);
	}
	printf("  RMS %.2e %% of the diagonal\n", fit->errors.rms_percent);
	ossa_motion_fit_free(b->context, fit);
	ossa_frame_stream_free(b->context, stream);
}

int main(int count, char **words)
{
	bench b = {.folder = count > 3 ? words[3] : test_folder()};
	ossa_sample_options options = ossa_sample_default();
	options.kind = OSSA_SAMPLE_BIPED;
	options.faces = count > 1 ? atoi(words[1]) : 20000;
	options.frames = POSES;
	options.bulge = 1;
	const uint32_t frames = count > 2 ? (uint32_t)atoi(words[2]) : 400;
	snprintf(b.path[0], sizeof b.path[0], "%s/rig.glb", b.folder);
	snprintf(b.path[1], sizeof b.path[1], "%s/frames.pc2", b.folder);
	if (ossa_context_create(NULL, &b.context) != OSSA_OK) return 1;
	need(&b, ossa_sample_create(b.context, &options, &b.sample));
	if (count > 3) need(&b, ossa_write_rig(b.context, b.sample->rig, b.path[0], NULL));
	write_cache(&b, frames);
	printf("%zu vertices, %zu bones, %u frames\n", b.sample->rig->mesh->vertex_count, b.sample->rig->skeleton.bone_count,
		(unsigned)frames);
	read_all(&b);
	fit_all(&b, false);
	fit_all(&b, true);
	ossa_sample_free(b.context, b.sample);
	ossa_context_free(b.context);
	return 0;
}

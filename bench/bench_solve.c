/* bench/bench_solve.c: the cost of an edit and of solving again: seconds of the processor and the
   change of the error, for every verb on some bones of rigs found from poses.

   usage: bench_solve [FACES [FRAMES]] (17000 faces, 24 frames). */
#include "base/clock.h"
#include "samples/samples.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(ossa_context *context, ossa_status status)
{
	if (status == OSSA_OK) return;
	fprintf(stderr, "%s\n", ossa_context_error(context)->message);
	exit(1);
}

/* the line, and solving, from a rig that was solved once; both are undone */
static void measure(ossa_context *context, ossa_editor *editor, const char *line, double *worst)
{
	const double begin = ossai_cpu_seconds();
	check(context, ossa_editor_do_line(context, editor, line));
	const double edited = ossai_cpu_seconds();
	check(context, ossa_editor_do_line(context, editor, "solve"));
	const double solved = ossai_cpu_seconds();
	const ossa_solve_facts *facts = ossa_editor_facts(editor);
	printf("  %-34.34s edit %.3f s, solve %.3f s  RMS %.4f -> %.4f %%  %3zu bones %5zu vertices\n", line, edited - begin,
		solved - edited, facts->before.rms_percent, facts->after.rms_percent, facts->bones_changed, facts->vertices_changed);
	*worst = fmax(*worst, solved - begin);
	check(context, ossa_editor_undo(context, editor));
	check(context, ossa_editor_undo(context, editor));
}

static void measure_kind(int kind, int faces, int frames)
{
	ossa_context *context = test_context(0);
	ossa_sample_options options = ossa_sample_default();
	ossa_sample *sample;
	ossa_rig *rig;
	ossa_editor *editor;
	char line[256];
	double worst = 0;
	options.kind = kind;
	options.faces = faces;
	options.frames = frames;
	options.bulge = 1;
	check(context, ossa_sample_create(context, &options, &sample));
	check(context, ossa_rig_from_examples(context, sample->rig->mesh, sample->frames, NULL, &rig));
	check(context, ossa_editor_create(context, rig, sample->frames, &editor));
	const double begin = ossai_cpu_seconds();
	check(context, ossa_editor_do_line(context, editor, "solve all"));
	printf("kind %d: %zu faces, %d frames, %zu bones; solve all, with the surface %.3f s\n", kind, rig->mesh->triangle_count,
		frames, rig->skeleton.bone_count, ossai_cpu_seconds() - begin);
	for (size_t b = 1; b < rig->skeleton.bone_count; b += 5) {
		const ossa_bone *bone = &rig->skeleton.bones[b], *up = &rig->skeleton.bones[bone->parent];
		snprintf(line, sizeof line, "split %s", bone->name);
		measure(context, editor, line, &worst);
		snprintf(line, sizeof line, "move %s %.6g %.6g %.6g", bone->name, 0.9 * bone->joint[0] + 0.1 * bone->tail[0],
			0.9 * bone->joint[1] + 0.1 * bone->tail[1], 0.9 * bone->joint[2] + 0.1 * bone->tail[2]);
		measure(context, editor, line, &worst);
		snprintf(line, sizeof line, "remove %s", bone->name);
		measure(context, editor, line, &worst);
		if (up->parent < 0) continue;
		snprintf(line, sizeof line, "forbid %s %s", bone->name, up->name);
		measure(context, editor, line, &worst);
	}
	printf("  worst %.3f s\n", worst);
	ossa_editor_free(context, editor);
	ossa_rig_free(context, rig);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

int main(int argc, char **argv)
{
	const int faces = argc > 1 ? atoi(argv[1]) : 17000, frames = argc > 2 ? atoi(argv[2]) : 24;
	static const int kinds[] = {OSSA_SAMPLE_QUADRUPED, OSSA_SAMPLE_BIPED, OSSA_SAMPLE_HAND};
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) measure_kind(kinds[i], faces, frames);
	return 0;
}

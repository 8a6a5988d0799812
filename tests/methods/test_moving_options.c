/* tests/methods/test_moving_options.c: every option of the methods for moving input changes the
   rig, or a warning says that it has no effect. */
#include "samples/samples.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

enum { SAMPLES = 2, FACES = 1000, FRAMES = 3 };

typedef union any_options {
	ossa_examples_options examples;
	ossa_sequence_options sequence;
} any_options;

typedef ossa_status (*rig_maker)(ossa_context *context, const ossa_sample *sample, const any_options *options, ossa_rig **rig);

typedef struct method {
	const ossa_option_table *table;
	rig_maker make;
} method;

static ossa_status by_examples(ossa_context *context, const ossa_sample *sample, const any_options *options, ossa_rig **rig)
{
	return ossa_rig_from_examples(context, sample->rig->mesh, sample->frames, &options->examples, rig);
}

static ossa_status by_sequence(ossa_context *context, const ossa_sample *sample, const any_options *options, ossa_rig **rig)
{
	return ossa_rig_from_sequence(context, sample->rig->mesh, sample->frames, &options->sequence, rig);
}

/* ---- values ---- */

/* far from the defaults; switches are turned */
static const struct {
	const char *name, *examples, *sequence;
} others[] = {{"bones", "3", "3"}, {"tolerance", "2", NULL}, {"parts", "spectral", "clusters"},
	{"weights", "geodesic", "geodesic"}, {"worth", "2", "2"}, {"influences", "1", "1"}, {"lloyd", "5", NULL},
	{"refine", "1", "1"}, {"variation", NULL, "0.7"}, {"seeds", NULL, "30"}, {"affinity-scale", NULL, "20"},
	{"alpha", NULL, "50"}, {"weight-poses", NULL, "1"}, {"symmetry", "enforce", "enforce"}};

static void change(ossa_context *context, const method *m, const ossa_option *option, any_options *options)
{
	const char *text = NULL;
	char now[16];
	ossa_option_print(option, options, now, sizeof now);
	if (option->type == OSSA_OPTION_BOOL) text = strcmp(now, "yes") == 0 ? "no" : "yes";
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
		if (strcmp(others[i].name, option->name) == 0) {
			text = m->make == by_examples ? others[i].examples : others[i].sequence;
		}
	}
	if (!text) fail_msg("this test knows no other value of --%s", option->name);
	assert_ok(context, ossa_option_set(context, m->table, options, option->name, text));
}

/* what the option is changed of */
static any_options base_of(ossa_context *context, const method *m, const ossa_option *option, bool refine)
{
	any_options options = {0};
	if (m->make == by_examples) options.examples = ossa_examples_default();
	else options.sequence = ossa_sequence_default();
	assert_ok(context, ossa_option_set(context, m->table, &options, "refine", refine ? "4" : "0"));
	/* heat is connected by itself, fitted weights are not */
	if (strcmp(option->name, "local") == 0)
		assert_ok(context, ossa_option_set(context, m->table, &options, "weights", "least-squares"));
	/* which of few bones blend most is the same by vertices and by area */
	if (strcmp(option->name, "area-weighting") == 0)
		assert_ok(context, ossa_option_set(context, m->table, &options, "bones", "20"));
	return options;
}

/* ---- rigs ---- */

static bool are_same(const ossa_rig *a, const ossa_rig *b)
{
	const size_t bones = a->skeleton.bone_count, slots = a->weights.vertex_count * (size_t)a->weights.influences;
	if (bones != b->skeleton.bone_count || a->weights.influences != b->weights.influences) return false;
	return memcmp(a->weights.bones, b->weights.bones, slots * sizeof *a->weights.bones) == 0 &&
		memcmp(a->weights.values, b->weights.values, slots * sizeof *a->weights.values) == 0 &&
		memcmp(a->clip->rotations, b->clip->rotations, a->clip->frame_count * bones * 4 * sizeof(double)) == 0;
}

static ossa_rig *rig_of(ossa_context *context, const method *m, const ossa_sample *sample, const any_options *options)
{
	ossa_rig *rig;
	ossa_context_reset(context);
	assert_ok(context, m->make(context, sample, options, &rig));
	return rig;
}

/* the rig of a sample that an option's is compared with: kept, as most options begin with the
   same */
typedef struct usual_rig {
	any_options options;
	ossa_rig *rig;
} usual_rig;

static const ossa_rig *usual_rig_of(
	ossa_context *context, const method *m, const ossa_sample *sample, const any_options *options, usual_rig *kept)
{
	if (kept->rig && memcmp(&kept->options, options, sizeof *options) == 0) return kept->rig;
	ossa_rig_free(context, kept->rig);
	kept->options = *options;
	kept->rig = rig_of(context, m, sample, options);
	assert_int_equal(test_warned(context, "unused-options"), 0);
	return kept->rig;
}

/* whether the option changes the rig of the sample, or a warning says that it has no effect */
static bool speaks(
	ossa_context *context, const method *m, const ossa_sample *sample, const ossa_option *option, bool refine, usual_rig *kept)
{
	any_options options = base_of(context, m, option, refine);
	const ossa_rig *usual = usual_rig_of(context, m, sample, &options, kept);
	change(context, m, option, &options);
	ossa_rig *other = rig_of(context, m, sample, &options);
	const bool is_reported = test_warned(context, "unused-options") == 1 &&
		strstr(test_warning_text(context, "unused-options"), option->name) != NULL;
	const bool has_part = !are_same(usual, other);
	ossa_rig_free(context, other);
	return is_reported || has_part;
}

static void no_option_is_ignored_in_silence(void **state)
{
	(void)state;
	static const int kinds[SAMPLES] = {OSSA_SAMPLE_BIPED, OSSA_SAMPLE_PIECES};
	const method methods[] = {{ossa_examples_option_table(), by_examples}, {ossa_sequence_option_table(), by_sequence}};
	ossa_context *context = test_context(0);
	ossa_sample *samples[SAMPLES];
	for (size_t i = 0; i < SAMPLES; i++) {
		ossa_sample_options options = ossa_sample_default();
		options.kind = kinds[i];
		options.faces = FACES;
		options.frames = FRAMES;
		options.bulge = 2;
		assert_ok(context, ossa_sample_create(context, &options, &samples[i]));
	}
	usual_rig kept[SAMPLES][2] = {0};
	for (size_t i = 0; i < 2 * (methods[0].table->count + methods[1].table->count); i++) {
		const bool refine = i % 2 == 1;
		/* a usual run has each option with refinement or without */
		if (!test_is_long() && refine == (i / 2 % 2 == 1)) continue;
		const method *m = &methods[i / 2 >= methods[0].table->count];
		const ossa_option *option = &m->table->options[i / 2 - (m == &methods[0] ? 0 : methods[0].table->count)];
		bool spoke = false;
		for (size_t k = 0; k < SAMPLES && !spoke; k++) spoke = speaks(context, m, samples[k], option, refine, &kept[k][refine]);
		if (!spoke) fail_msg("%s: --%s changes nothing (refine %d), without a warning", m->table->name, option->name, refine);
	}
	for (size_t i = 0; i < 2 * SAMPLES; i++) ossa_rig_free(context, kept[i / 2][i % 2].rig);
	for (size_t i = 0; i < SAMPLES; i++) ossa_sample_free(context, samples[i]);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(no_option_is_ignored_in_silence)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

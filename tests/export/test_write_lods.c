/* tests/export/test_write_lods.c: levels of detail in one file, levels of articulation of any rig,
   and what is refused. tests/command/test_lods.py looks into the files. */
#include "samples/samples.h"
#include "support/faults.h"
#include "support/support.h"

#include <ossa/lods.h>
#include <ossa/transfer.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct character {
	ossa_sample *fine, *coarse;
	ossa_rig *low; /* the coarse mesh with the fine one's rig */
} character;

static ossa_sample *sample_of(ossa_context *context, ossa_sample_kind kind, int faces)
{
	ossa_sample_options options = ossa_sample_default();
	options.kind = (int)kind;
	options.faces = faces;
	options.frames = 2;
	ossa_sample *sample;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	return sample;
}

static void begin(ossa_context *context, character *c)
{
	c->fine = sample_of(context, OSSA_SAMPLE_HAND, 2500);
	c->coarse = sample_of(context, OSSA_SAMPLE_HAND, 1000);
	assert_ok(context, ossa_rig_transfer(context, c->fine->rig, c->coarse->rig->mesh, NULL, &c->low, NULL));
	assert_ok(context, ossa_rig_find_levels(context, c->fine->rig, 3));
}

static void end(ossa_context *context, character *c)
{
	ossa_rig_free(context, c->low);
	ossa_sample_free(context, c->coarse);
	ossa_sample_free(context, c->fine);
	test_context_end(context);
}

/* ---- levels of articulation ---- */

static void any_rig_gets_levels(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	character c;
	begin(context, &c);
	ossa_rig *rig = c.fine->rig, *coarser;
	size_t before = rig->skeleton.bone_count;
	assert_int_equal(rig->level_count, 3);
	for (int level = 1; level < 3; level++) {
		assert_ok(context, ossa_rig_of_level(context, rig, level, &coarser));
		assert_ok(context, ossa_rig_validate(context, coarser));
		assert_true(coarser->skeleton.bone_count <= (before + 1) / 2);
		before = coarser->skeleton.bone_count;
		ossa_rig_free(context, coarser);
	}
	/* fewer or as many change nothing */
	uint8_t last[64];
	memcpy(last, rig->last_level, rig->skeleton.bone_count);
	assert_ok(context, ossa_rig_find_levels(context, rig, 2));
	assert_memory_equal(last, rig->last_level, rig->skeleton.bone_count);
	assert_fails(context, ossa_rig_find_levels(context, rig, 0), OSSA_ERROR_ARGUMENT, "1 to 16 levels of articulation, not 0");
	assert_fails(context, ossa_rig_find_levels(context, rig, 17), OSSA_ERROR_ARGUMENT, "not 17");
	end(context, &c);
}

/* both sides leave together */
static void sides_leave_together(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *biped = sample_of(context, OSSA_SAMPLE_BIPED, 2000);
	ossa_rig *rig = biped->rig;
	static const ossa_role arms[2] = {
		{.part = OSSA_PART_UPPER_ARM, .side = -1, .number = 1}, {.part = OSSA_PART_UPPER_ARM, .side = 1, .number = 1}};
	const size_t count = rig->skeleton.bone_count;
	for (size_t b = 0; b < count; b++) rig->skeleton.bones[b].role = (ossa_role){.part = OSSA_PART_NONE};
	/* any two bones may be a pair */
	rig->skeleton.bones[count - 1].role = arms[0];
	rig->skeleton.bones[count / 2].role = arms[1];
	assert_ok(context, ossa_rig_find_levels(context, rig, 4));
	assert_int_equal(rig->last_level[count - 1], rig->last_level[count / 2]);
	ossa_sample_free(context, biped);
	test_context_end(context);
}

/* ---- files ---- */

static void what_is_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	character c;
	begin(context, &c);
	const ossa_lod good[2] = {{.rig = c.fine->rig}, {.rig = c.low}};
	const char *path = test_path("lods.glb");
	assert_ok(context, ossa_write_lods(context, good, 2, path, NULL));
	assert_fails(context, ossa_write_lods(context, good, 2, test_path("lods.fbx"), NULL), OSSA_ERROR_ARGUMENT,
		"without levels of detail");
	assert_fails(context, ossa_write_lods(context, good, 0, path, NULL), OSSA_ERROR_ARGUMENT, "there are no levels");
	const struct {
		ossa_lod lods[2];
		ossa_status status;
		const char *words;
	} cases[] = {
		{{good[1], good[0]}, OSSA_ERROR_INPUT, "give them from fine to coarse"},
		{{good[0], {.rig = NULL}}, OSSA_ERROR_ARGUMENT, "level of detail 1 has no rig"},
		{{good[0], {.rig = c.low, .articulation = 3}}, OSSA_ERROR_ARGUMENT, "there is no level 3"},
		{{good[0], {.rig = c.low, .articulation = -1}}, OSSA_ERROR_ARGUMENT, "there is no level -1"},
		{{good[0], {.rig = c.low, .coverage = 1.5}}, OSSA_ERROR_ARGUMENT, "coverage of level of detail 1 is not 0 to 1"},
		{{good[0], {.rig = c.low, .coverage = NAN}}, OSSA_ERROR_ARGUMENT, "coverage of level of detail 1 is not 0 to 1"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_fails(context, ossa_write_lods(context, cases[i].lods, 2, path, NULL), cases[i].status, cases[i].words);
	/* another skeleton */
	snprintf(c.low->skeleton.bones[1].name, sizeof c.low->skeleton.bones[1].name, "stranger");
	assert_fails(
		context, ossa_write_lods(context, good, 2, path, NULL), OSSA_ERROR_INPUT, "has other bones than the finest one");
	end(context, &c);
}

/* the finest mesh and the skeleton are read from it as if there were no levels */
static void levels_are_no_part_of_the_rig(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	character c;
	begin(context, &c);
	const ossa_lod lods[2] = {{.rig = c.fine->rig, .coverage = 0.3}, {.rig = c.low, .articulation = 2}};
	ossa_rig *read;
	assert_ok(context, ossa_write_lods(context, lods, 2, test_path("lods.gltf"), NULL));
	assert_ok(context, ossa_read_rig(context, test_path("lods.gltf"), NULL, &read));
	assert_int_equal(read->mesh->vertex_count, c.fine->rig->mesh->vertex_count);
	assert_int_equal(read->skeleton.bone_count, c.fine->rig->skeleton.bone_count);
	assert_int_equal(read->level_count, 3);
	/* written again, its level has the rig that was read */
	assert_ok(context, ossa_write_rig(context, read, test_path("again.glb"), NULL));
	ossa_rig_free(context, read);
	end(context, &c);
}

typedef struct sweep {
	character c;
	ossa_lod lods[2];
	ossa_rig *read;
} sweep;

static ossa_status write_once(ossa_context *context, void *arg)
{
	const sweep *s = arg;
	return ossa_write_lods(context, s->lods, 2, test_path("sweep.glb"), NULL);
}

/* reads a file with levels and writes it with them */
static ossa_status write_again(ossa_context *context, void *arg)
{
	ossa_rig *rig;
	(void)arg;
	ossa_status status = ossa_read_rig(context, test_path("lods.glb"), NULL, &rig);
	if (status == OSSA_OK) status = ossa_write_rig(context, rig, test_path("sweep.glb"), NULL);
	ossa_rig_free(context, rig);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	sweep s;
	begin(context, &s.c);
	s.lods[0] = (ossa_lod){.rig = s.c.fine->rig};
	s.lods[1] = (ossa_lod){.rig = s.c.low, .articulation = 1};
	assert_ok(context, ossa_write_lods(context, s.lods, 2, test_path("lods.glb"), NULL));
	assert_true(test_allocation_sweep(write_once, &s, 60, 3) > 20);
	assert_true(test_allocation_sweep(write_again, &s, 40, 7) > 20);
	end(context, &s.c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_rig_gets_levels),
		cmocka_unit_test(sides_leave_together),
		cmocka_unit_test(what_is_refused),
		cmocka_unit_test(levels_are_no_part_of_the_rig),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

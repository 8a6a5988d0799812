/* tests/rig/test_take_weights.c: the weights that a mesh has of its own, for a rig that was carried
   to it. */
#include "support/compare.h"
#include "support/faults.h"
#include "support/support.h"

#include <ossa/transfer.h>
#include <string.h>

typedef struct pair {
	ossa_sample *fine, *coarse;
	ossa_rig *carried; /* the fine one's to the coarse mesh */
} pair;

static pair begin(ossa_context *context)
{
	pair p = {
		test_sample_of_kind(context, OSSA_SAMPLE_HAND, 2500, 1), test_sample_of_kind(context, OSSA_SAMPLE_HAND, 1000, 1), NULL};
	assert_ok(context, ossa_rig_transfer(context, p.fine->rig, p.coarse->rig->mesh, NULL, &p.carried, NULL));
	return p;
}

static void end(ossa_context *context, pair *p)
{
	ossa_rig_free(context, p->carried);
	ossa_sample_free(context, p->fine);
	ossa_sample_free(context, p->coarse);
	test_context_end(context);
}

static void weights_follow_names(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	pair p = begin(context);
	ossa_rig *own = p.coarse->rig;
	ossa_bone *bones = own->skeleton.bones;
	/* other names, in another order: the first two bones' are exchanged */
	char name[sizeof bones[1].name];
	memcpy(name, bones[1].name, sizeof name);
	memcpy(bones[1].name, bones[2].name, sizeof name);
	memcpy(bones[2].name, name, sizeof name);
	bool taken = false;
	assert_ok(context, ossa_rig_take_weights(context, p.carried, own, &taken));
	assert_true(taken);
	assert_ok(context, ossa_rig_validate(context, p.carried));
	for (size_t v = 0; v < own->mesh->vertex_count; v++) {
		for (size_t b = 0; b < own->skeleton.bone_count; b++) {
			const float weight = test_weight_of(&own->weights, v, b);
			assert_near((double)test_weight_named(p.carried, v, bones[b].name), (double)weight, 0);
		}
	}
	assert_no_warnings(context);
	end(context, &p);
}

/* a bone that moves nothing may have any name */
static void other_bones_change_nothing(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	pair p = begin(context);
	ossa_rig *own = p.coarse->rig;
	const size_t count = own->weights.vertex_count * (size_t)own->weights.influences;
	const uint16_t bone = own->weights.bones[0];
	strcpy(own->skeleton.bones[bone].name, "unheard_of");
	ossa_rig *before;
	assert_ok(context, ossa_rig_transfer(context, p.fine->rig, p.coarse->rig->mesh, NULL, &before, NULL));
	bool taken = true;
	assert_ok(context, ossa_rig_take_weights(context, p.carried, own, &taken));
	assert_false(taken);
	assert_int_equal(test_warned(context, "lod-weights"), 1);
	assert_non_null(strstr(test_warning_text(context, "lod-weights"), "unheard_of"));
	test_assert_same_weights(&p.carried->weights, &before->weights, 0);
	ossa_rig_free(context, before);
	/* all on the root, but where that is the bone without a name */
	memset(own->weights.bones, 0, count * sizeof *own->weights.bones);
	memset(own->weights.values, 0, count * sizeof *own->weights.values);
	for (size_t i = 0; i < count; i += (size_t)own->weights.influences) {
		own->weights.bones[i] = bone == 0;
		own->weights.values[i] = 1;
	}
	assert_ok(context, ossa_rig_take_weights(context, p.carried, own, &taken));
	assert_true(taken);
	assert_fails(context, ossa_rig_take_weights(context, p.carried, p.fine->rig, &taken), OSSA_ERROR_INPUT, "vertices");
	assert_false(taken);
	end(context, &p);
}

/* the sample's own memory fails, too */
static ossa_status take_once(ossa_context *context, void *arg)
{
	const ossa_rig *own = arg;
	ossa_rig *rig = NULL;
	bool taken;
	ossa_status status = ossa_rig_create(context, own->mesh, own->skeleton.bone_count, own->weights.influences, &rig);
	if (status != OSSA_OK) return status;
	memcpy(rig->skeleton.bones, own->skeleton.bones, own->skeleton.bone_count * sizeof *rig->skeleton.bones);
	for (size_t v = 0; v < own->weights.vertex_count; v++) rig->weights.values[v * (size_t)own->weights.influences] = 1;
	status = ossa_rig_take_weights(context, rig, own, &taken);
	ossa_rig_free(context, rig);
	return status;
}

static void memory_may_fail_anywhere(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_sample_of_kind(context, OSSA_SAMPLE_HAND, 1000, 1);
	assert_true(test_allocation_sweep(take_once, sample->rig, 100, 1) > 4);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(weights_follow_names), cmocka_unit_test(other_bones_change_nothing),
		cmocka_unit_test(memory_may_fail_anywhere)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* tests/rig/test_clusters.c: clusters of a literal merge hierarchy, at every level. */
#include "samples/samples.h"
#include "support/support.h"

#include <stdlib.h>

enum { CLUSTERS = 4 };

/* a tube whose faces are in four clusters in turn, which became (0 2), (1 3), (0 1) */
static ossa_sample *merged_tube(ossa_context *context)
{
	static const ossa_merge merges[CLUSTERS - 1] = {{0, 2, 1}, {1, 3, 2}, {0, 1, 4}};
	ossa_sample_options options = ossa_sample_default();
	options.kind = OSSA_SAMPLE_TUBE;
	options.faces = 1000;
	options.frames = 2;
	ossa_sample *sample = NULL;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	ossa_rig *rig = sample->rig;
	rig->merges = ossa_alloc(context, CLUSTERS - 1, sizeof *rig->merges);
	rig->face_clusters = ossa_alloc(context, rig->mesh->triangle_count, sizeof *rig->face_clusters);
	assert_true(rig->merges && rig->face_clusters);
	rig->merge_count = CLUSTERS - 1;
	for (size_t i = 0; i < rig->merge_count; i++) rig->merges[i] = merges[i];
	for (uint32_t f = 0; f < rig->mesh->triangle_count; f++) rig->face_clusters[f] = f % CLUSTERS;
	assert_ok(context, ossa_rig_validate(context, rig));
	return sample;
}

static void every_level_has_its_clusters(void **state)
{
	(void)state;
	static const uint32_t expected[CLUSTERS][CLUSTERS] = {{0, 0, 0, 0}, {0, 1, 0, 1}, {0, 1, 0, 2}, {0, 1, 2, 3}};
	ossa_context *context = test_context(1);
	ossa_sample *sample = merged_tube(context);
	const size_t faces = sample->rig->mesh->triangle_count;
	uint32_t *cluster = malloc(faces * sizeof *cluster);
	/* more than there are: those that are there */
	for (size_t wanted = 1; wanted <= CLUSTERS + 1; wanted++) {
		const size_t there = wanted < CLUSTERS ? wanted : CLUSTERS;
		size_t count = 0;
		assert_ok(context, ossa_rig_clusters(context, sample->rig, wanted, cluster, &count));
		assert_int_equal(count, there);
		/* either result may be unwanted */
		count = 0;
		assert_ok(context, ossa_rig_clusters(context, sample->rig, wanted, NULL, &count));
		assert_int_equal(count, there);
		for (size_t f = 0; f < faces; f++) assert_int_equal(cluster[f], expected[there - 1][f % CLUSTERS]);
	}
	free(cluster);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void parts_without_merges_are_as_they_are(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = merged_tube(context);
	const size_t faces = sample->rig->mesh->triangle_count;
	uint32_t *cluster = malloc(faces * sizeof *cluster);
	sample->rig->merge_count = 0;
	size_t count = 0;
	assert_ok(context, ossa_rig_clusters(context, sample->rig, 1, cluster, &count));
	assert_int_equal(count, CLUSTERS);
	ossa_free(context, sample->rig->face_clusters);
	sample->rig->face_clusters = NULL;
	assert_int_equal(ossa_rig_clusters(context, sample->rig, 1, cluster, NULL), OSSA_ERROR_INPUT);
	free(cluster);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_level_has_its_clusters),
		cmocka_unit_test(parts_without_merges_are_as_they_are),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* tests/support/examples.c: see examples.h. */
#include "support/examples.h"

#include "support/support.h"

ossa_sample *test_examples_sample(ossa_context *context, int kind, int faces, int frames, double bulge)
{
	ossa_sample_options options = ossa_sample_default();
	options.kind = kind;
	options.faces = faces;
	options.frames = frames;
	options.bulge = bulge;
	ossa_sample *sample = NULL;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	return sample;
}

ossa_sample *test_examples_quadruped(ossa_context *context)
{
	return test_examples_sample(context, OSSA_SAMPLE_QUADRUPED, 2000, 8, 1);
}

ossa_examples_options test_examples_bones(int bones)
{
	ossa_examples_options options = ossa_examples_default();
	options.bones = bones;
	return options;
}

ossa_rig *test_examples_rig(
	ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames, const ossa_examples_options *options)
{
	ossa_rig *rig = NULL;
	assert_ok(context, ossa_rig_from_examples(context, mesh, frames, options, &rig));
	assert_ok(context, ossa_rig_validate(context, rig));
	return rig;
}

ossa_metrics test_examples_measure(ossa_context *context, const ossa_rig *rig, const ossa_frames *frames)
{
	ossa_metrics metrics;
	assert_ok(context, ossa_rig_measure(context, rig, NULL, NULL, frames, &metrics));
	return metrics;
}

double test_examples_free_rms(ossa_context *context, const ossa_rig *rig, const ossa_frames *frames)
{
	ossa_metrics metrics;
	assert_ok(context, ossa_rig_measure(context, rig, &rig->free_weights, rig->free_clip, frames, &metrics));
	return metrics.rms_percent;
}

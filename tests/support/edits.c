/* tests/support/edits.c: see edits.h. */
#include "support/edits.h"

#include "samples/samples.h"
#include "math/vec.h"
#include "support/boxes.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ossa_rig *test_edits_rig(ossa_context *context, int kind, int faces, int frames)
{
	ossa_sample_options options = ossa_sample_default();
	ossa_sample *sample;
	options.kind = kind;
	options.faces = faces;
	options.frames = frames;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	ossa_rig *rig = sample->rig;
	sample->rig = NULL;
	ossa_sample_free(context, sample);
	return rig;
}

ossa_rig *test_edits_chain(ossa_context *context)
{
	static const test_box chain[] = {
		{"a", NULL, {0, 0, 0}, {1, 0, 0}, 0.2},
		{"b", "a", {1, 0, 0}, {3, 0, 0}, 0.2},
		{"c", "b", {3, 0, 0}, {4, 0, 0}, 0.2},
		{"d_L", "c", {4, 0, 0}, {4, 1, 0}, 0.2},
	};
	ossa_rig *rig;
	assert_ok(context, test_boxes_rig(context, sizeof chain / sizeof chain[0], chain, &rig));
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		ossa_bone *bone = &rig->skeleton.bones[b];
		const ossai_vec3 along = ossai_unit(ossai_sub(ossai_v3_of(bone->tail), ossai_v3_of(bone->joint)), ossai_v3(0, 1, 0));
		ossai_quat_store(ossai_quat_between(ossai_v3(0, 1, 0), along), bone->orientation);
	}
	return rig;
}

test_bytes test_rig_bytes(ossa_context *context, const ossa_rig *rig)
{
	const char *path = test_path("bytes.glb");
	assert_ok(context, ossa_write_rig(context, rig, path, NULL));
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	test_bytes made = {NULL, (size_t)ftell(file)};
	made.bytes = ossa_alloc(context, made.size, 1);
	assert_non_null(made.bytes);
	rewind(file);
	assert_int_equal(fread(made.bytes, 1, made.size, file), made.size);
	fclose(file);
	return made;
}

bool test_same_bytes(test_bytes a, test_bytes b) { return a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0; }

void test_edits_check(ossa_context *context, const ossa_rig *rig, const char *what)
{
	if (ossa_rig_validate(context, rig) == OSSA_OK) return;
	fail_msg("after \"%s\": %s", what, ossa_context_error(context)->message);
}

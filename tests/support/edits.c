/* tests/support/edits.c: see edits.h. */
#include "support/edits.h"

#include "samples/samples.h"
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

/* fuzz/fuzz_edit.c: any bytes as the lines of a log of edits, done to a small rig with motion:
   after edits the rig is valid, its log can be read again, and undoing gives the first rig. */
#include "edit/editor.h"
#include "fuzz.h"

#include <string.h>

enum { BONES = 4, FRAMES = 2, SIZE_MOST = 4000 };

/* a strip along x of one quad a bone: a, b, c in a row, d_L upwards at its end */
static ossa_rig *make_rig(ossa_context *context)
{
	static const char *const names[BONES] = {"a", "b", "c", "d_L"};
	float positions[3 * 2 * (BONES + 1)];
	uint32_t triangles[3 * 2 * BONES];
	ossa_mesh *mesh = NULL;
	ossa_rig *rig = NULL;
	for (size_t i = 0; i <= BONES; i++) {
		const float low[3] = {(float)i, -0.25F, 0.1F * (float)(i % 2)}, high[3] = {(float)i, 0.25F, 0};
		memcpy(positions + 6 * i, low, sizeof low);
		memcpy(positions + 6 * i + 3, high, sizeof high);
	}
	for (uint32_t i = 0; i < BONES; i++) {
		const uint32_t quad[6] = {2 * i, 2 * i + 2, 2 * i + 1, 2 * i + 1, 2 * i + 2, 2 * i + 3};
		memcpy(triangles + 6 * (size_t)i, quad, sizeof quad);
	}
	fuzz_require(ossa_mesh_create(context, 2 * (BONES + 1), positions, 2 * BONES, triangles, &mesh) == OSSA_OK, "no mesh");
	fuzz_require(ossa_rig_create(context, mesh, BONES, 2, &rig) == OSSA_OK, "no rig");
	ossa_mesh_free(context, mesh);
	for (int b = 0; b < BONES; b++) {
		ossa_bone *bone = &rig->skeleton.bones[b];
		*bone = (ossa_bone){.parent = b - 1, .joint = {b, 0, 0}, .tail = {b + 1, 0, 0}, .orientation = {0, 0, 0, 1}};
		strcpy(bone->name, names[b]);
	}
	rig->skeleton.bones[0].kind = OSSA_JOINT_ROOT;
	for (size_t v = 0; v < 2 * (BONES + 1); v++) {
		rig->weights.bones[2 * v] = (uint16_t)(v / 2 < BONES ? v / 2 : BONES - 1);
		rig->weights.values[2 * v] = 1;
	}
	fuzz_require(ossa_clip_of_rest(context, rig, FRAMES, 24, &rig->clip) == OSSA_OK, "no clip");
	ossa_turn_of_degrees((const double[3]){0, 20, 40}, rig->clip->rotations + 4 * (BONES + 1));
	return rig;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > SIZE_MOST) return 0;
	ossa_context *context = fuzz_begin();
	ossa_rig *rig = make_rig(context);
	ossa_editor *editor = NULL, *again = NULL;
	char *text = ossa_alloc(context, size + 64, 1), *log = NULL;
	fuzz_require(ossa_editor_create(context, rig, NULL, &editor) == OSSA_OK, "no editor");
	fuzz_require(ossa_editor_create(context, rig, NULL, &again) == OSSA_OK, "no editor");
	/* without the right first line nothing happens */
	const int head = snprintf(text, 64, "ossa edits 1: %d vertices, %d bones\n", 2 * (BONES + 1), BONES);
	memcpy(text + head, data, size);
	if (ossa_editor_replay(context, editor, text) != OSSA_OK)
		fuzz_require(ossa_context_error(context)->message[0], "no message");
	fuzz_require(ossa_rig_validate(context, ossa_editor_rig(editor)) == OSSA_OK, ossa_context_error(context)->message);
	fuzz_require(ossa_editor_log(context, editor, &log) == OSSA_OK, "no log");
	fuzz_require(ossa_editor_replay(context, again, log) == OSSA_OK, ossa_context_error(context)->message);
	fuzz_require(ossa_editor_done_count(again) == ossa_editor_done_count(editor), "the log does something else");
	while (ossa_editor_done_count(editor) > 0) {
		fuzz_require(ossa_editor_undo(context, editor) == OSSA_OK, "not undone");
		fuzz_require(ossa_rig_validate(context, ossa_editor_rig(editor)) == OSSA_OK, ossa_context_error(context)->message);
	}
	fuzz_require(ossa_editor_rig(editor)->skeleton.bone_count == BONES, "another rig");
	ossa_free(context, log);
	ossa_free(context, text);
	ossa_editor_free(context, again);
	ossa_editor_free(context, editor);
	ossa_rig_free(context, rig);
	fuzz_end(context);
	return 0;
}

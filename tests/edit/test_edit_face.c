/* tests/edit/test_edit_face.c: edits of a face, whose bones stay free to move. */
#include "rig/flatten.h"
#include "support/compare.h"
#include "support/support.h"

#include "samples/samples.h"

/* the RMS error of the motion that is fitted to the frames, % of the diagonal */
static double fitted_rms(ossa_context *context, const ossa_rig *rig, const ossa_frames *frames)
{
	ossa_frame_stream *stream;
	ossa_motion_fit *fit;
	assert_ok(context, ossa_frame_stream_of_frames(context, frames, &stream));
	assert_ok(context, ossa_rig_fit_motion(context, rig, stream, NULL, &fit));
	assert_non_null(fit->clip->translations);
	const double rms = fit->errors.rms_percent;
	ossa_motion_fit_free(context, fit);
	ossa_frame_stream_free(context, stream);
	return rms;
}

static void bones_of_a_face_stay_free(void **state)
{
	(void)state;
	/* what the bones that are left leave of the frames; bones that keep their lengths leave 0.1 */
	static const struct {
		const char *line;
		double rms;
	} edits[] = {{"split jaw 0.5", 1e-3}, {"connect mouth_l jaw", 1e-3}, {"root jaw", 1e-3}, {"add jaw 0 0 0.5", 1e-3},
		{"move cheek_l 0.2 0.4 0.2", 1e-3}, {"mirror mouth_l", 1e-3}, {"merge brow_l temple_l", 0.06},
		{"remove mouth_l", 0.06}};
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_sample_of_kind(context, OSSA_SAMPLE_FACE, 2000, 6);
	for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
		ossa_editor *editor;
		assert_ok(context, ossa_editor_create(context, sample->rig, NULL, &editor));
		assert_ok(context, ossa_editor_do_line(context, editor, edits[i].line));
		const ossa_rig *rig = ossa_editor_rig(editor);
		if (!ossai_skeleton_is_free(&rig->skeleton)) fail_msg("%s: not all bones move freely", edits[i].line);
		const double rms = fitted_rms(context, rig, sample->frames);
		if (!(rms < edits[i].rms)) fail_msg("%s: RMS %g", edits[i].line, rms);
		ossa_editor_free(context, editor);
	}
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* what keeps lengths is refused, and the rig stays */
static void faces_are_not_solved(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_sample_of_kind(context, OSSA_SAMPLE_FACE, 2000, 6);
	ossa_editor *editor;
	assert_ok(context, ossa_editor_create(context, sample->rig, sample->frames, &editor));
	assert_ok(context, ossa_editor_do_line(context, editor, "split jaw 0.5"));
	assert_fails(context, ossa_editor_do_line(context, editor, "solve"), OSSA_ERROR_INPUT, "bones of this face move freely");
	assert_true(ossai_skeleton_is_free(&ossa_editor_rig(editor)->skeleton));
	ossa_editor_free(context, editor);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(bones_of_a_face_stay_free), cmocka_unit_test(faces_are_not_solved)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

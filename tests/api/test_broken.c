/* tests/api/test_broken.c: meshes and rigs that a caller filled with errors: each call refuses them
   with a message, or works, and never reads beyond their arrays. */
#include "samples/samples.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct scene {
	ossa_context *context;
	ossa_sample *sample;
	ossa_rig *rig;
	ossa_frames *frames;
	ossa_frame_stream *stream;
	float *positions; /* V x 3 */
	double *numbers;  /* enough for each bone and frame */
} scene;

static scene begin(void)
{
	scene s = {.context = test_context(1)};
	ossa_sample_options options = ossa_sample_default();
	options.kind = OSSA_SAMPLE_BIPED;
	options.faces = 1000;
	options.frames = 3;
	assert_ok(s.context, ossa_sample_create(s.context, &options, &s.sample));
	s.rig = s.sample->rig;
	s.frames = s.sample->frames;
	assert_ok(s.context, ossa_frame_stream_of_frames(s.context, s.frames, &s.stream));
	s.positions = calloc(s.rig->mesh->vertex_count, 3 * sizeof *s.positions);
	s.numbers = calloc(1000, sizeof *s.numbers);
	return s;
}

static void end(scene *s)
{
	free(s->positions);
	free(s->numbers);
	ossa_frame_stream_free(s->context, s->stream);
	ossa_sample_free(s->context, s->sample);
	test_context_end(s->context);
}

/* ---- meshes ---- */

typedef void mesh_fault(ossa_mesh *mesh);

static void triangle_too_large(ossa_mesh *mesh) { mesh->triangles[5] = 0x7fffffff; }
static void no_positions(ossa_mesh *mesh) { mesh->positions = NULL; }
static void no_number(ossa_mesh *mesh) { mesh->positions[7] = NAN; }
static void no_triangles(ossa_mesh *mesh) { mesh->triangles = NULL; }

static void broken_meshes_are_refused(void **state)
{
	(void)state;
	static mesh_fault *const faults[] = {triangle_too_large, no_positions, no_number, no_triangles};
	scene s = begin();
	ossa_context *c = s.context;
	ossa_mesh *const whole = s.rig->mesh, *copy;
	ossa_rig *rig;
	ossa_rig_result made;
	ossa_mesh_facts facts;
	ossa_metrics metrics;
	ossa_report report;
	ossa_bend bend;
	ossa_picture *picture;
	ossa_editor *editor;
	ossa_motion_fit *fit;
	ossa_frame_error errors[3];
	char *text;
	for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
		assert_ok(c, ossa_mesh_copy(c, whole, &copy));
		ossa_mesh broken = *copy;
		faults[i](&broken);
#define REFUSED(call) assert_fails(c, call, OSSA_ERROR_INPUT, NULL)
		REFUSED(ossa_mesh_validate(c, &broken));
		REFUSED(ossa_mesh_inspect(c, &broken, &facts));
		REFUSED(ossa_rig_make(c, &(ossa_rig_input){&broken, NULL}, NULL, &made));
		REFUSED(ossa_rig_make(c, &(ossa_rig_input){&broken, s.stream}, NULL, &made));
		REFUSED(ossa_rig_from_contraction(c, &broken, NULL, &rig));
		REFUSED(ossa_rig_from_volume(c, &broken, NULL, &rig));
		REFUSED(ossa_rig_from_examples(c, &broken, s.frames, NULL, &rig));
		REFUSED(ossa_rig_from_sequence(c, &broken, s.frames, NULL, &rig));
		REFUSED(ossa_write_mesh(c, &broken, NULL, test_path("a.ply"), NULL));
		s.rig->mesh = &broken;
		REFUSED(ossa_rig_validate(c, s.rig));
		REFUSED(ossa_write_rig(c, s.rig, test_path("a.glb"), NULL));
		REFUSED(ossa_rig_measure(c, s.rig, NULL, NULL, s.frames, &metrics));
		REFUSED(ossa_rig_frame_errors(c, s.rig, NULL, NULL, s.stream, errors));
		REFUSED(ossa_rig_measure_bend(c, s.rig, NULL, NULL, &bend));
		REFUSED(ossa_picture_rig(c, s.rig, (const int[]){-1}, 1, NULL, &picture));
		REFUSED(ossa_editor_create(c, s.rig, NULL, &editor));
		REFUSED(ossa_rig_fit_motion(c, s.rig, s.stream, NULL, &fit));
		REFUSED(ossa_report_make(c, s.rig, s.frames, &report));
		ossa_report_fill(c, s.rig, 0, NULL, NULL, &report);
		REFUSED(ossa_report_json(c, &report, &text));
		REFUSED(ossa_report_html(c, &report, &text));
		REFUSED(ossa_rig_name_bones(c, s.rig, OSSA_NAMES_BODY));
		s.rig->mesh = whole;
		ossa_mesh_free(c, copy);
	}
	end(&s);
}

/* ---- rigs ---- */

typedef void rig_fault(ossa_rig *rig);

static void no_mesh(ossa_rig *rig) { rig->mesh = NULL; }
static void no_bones(ossa_rig *rig) { rig->skeleton.bones = NULL; }
static void no_weights(ossa_rig *rig) { rig->weights.values = NULL; }
static void child_before_parent(ossa_rig *rig) { rig->skeleton.bones[2].parent = 500; }
static void two_roots(ossa_rig *rig) { rig->skeleton.bones[3].parent = -1; }
static void bone_too_large(ossa_rig *rig) { rig->weights.bones[3] = 60000; }
static void other_vertices(ossa_rig *rig) { rig->weights.vertex_count = 5; }

/* everything that looks at vertices */
static void refuse_skin(scene *s, const ossa_rig *rig)
{
	ossa_context *c = s->context;
	ossa_metrics metrics;
	ossa_frame_error errors[3];
	ossa_bend bend;
	ossa_nearness near;
	ossa_holdout holdout;
	ossa_motion_fit *fit;
	ossa_frames *frames;
	ossa_editor *editor;
	ossa_report report;
	REFUSED(ossa_rig_validate(c, rig));
	REFUSED(ossa_write_rig(c, rig, test_path("a.glb"), NULL));
	REFUSED(ossa_rig_measure(c, rig, NULL, NULL, s->frames, &metrics));
	REFUSED(ossa_rig_bone_errors(c, rig, NULL, NULL, s->frames, s->numbers));
	REFUSED(ossa_rig_frame_errors(c, rig, NULL, NULL, s->stream, errors));
	REFUSED(ossa_rig_vertex_errors(c, rig, NULL, NULL, 0, s->positions, s->positions));
	REFUSED(ossa_rig_measure_bend(c, rig, NULL, NULL, &bend));
	REFUSED(ossa_rig_nearness(c, rig, s->rig, &near));
	REFUSED(ossa_rig_nearness(c, s->rig, rig, &near));
	REFUSED(ossa_holdout_measure(c, rig, s->frames, s->frames, &holdout));
	REFUSED(ossa_rig_fit_motion(c, rig, s->stream, NULL, &fit));
	REFUSED(ossa_rig_pose(c, rig, NULL, rig->clip, 0, s->positions));
	REFUSED(ossa_rig_frames(c, rig, rig->clip, &frames));
	REFUSED(ossa_editor_create(c, rig, NULL, &editor));
	REFUSED(ossa_report_make(c, rig, s->frames, &report));
}

/* and what looks at the skeleton alone */
static void refuse_skeleton(scene *s, ossa_rig *rig)
{
	ossa_context *c = s->context;
	const ossa_motion_edit edit = ossa_motion_edit_default(OSSA_MOTION_TURN, 1);
	const ossa_ik_goal goal = {.bone = 2};
	ossa_clip *clip;
	REFUSED(ossa_rig_name_bones(c, rig, OSSA_NAMES_BODY));
	REFUSED(ossa_rig_limit_influences(c, rig, 1));
	REFUSED(ossa_rig_find_limits(c, rig, 1));
	REFUSED(ossa_clip_of_rest(c, rig, 2, 24, &clip));
	REFUSED(ossa_motion_edit_apply(c, rig, NULL, 1, &edit, &clip));
	REFUSED(ossa_rig_reach(c, rig, &goal, rig->clip, 0, NULL));
}

static void broken_rigs_are_refused(void **state)
{
	(void)state;
	static rig_fault *const faults[] = {
		no_mesh, no_bones, no_weights, child_before_parent, two_roots, bone_too_large, other_vertices};
	scene s = begin();
	for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
		ossa_rig broken = *s.rig;
		const size_t bones = broken.skeleton.bone_count,
					 pairs = broken.weights.vertex_count * (size_t)broken.weights.influences;
		broken.skeleton.bones = malloc(bones * sizeof *broken.skeleton.bones);
		broken.weights.bones = malloc(pairs * sizeof *broken.weights.bones);
		ossa_bone *const own = broken.skeleton.bones;
		memcpy(own, s.rig->skeleton.bones, bones * sizeof *own);
		memcpy(broken.weights.bones, s.rig->weights.bones, pairs * sizeof *broken.weights.bones);
		faults[i](&broken);
		refuse_skin(&s, &broken);
		if (faults[i] != bone_too_large && faults[i] != other_vertices) refuse_skeleton(&s, &broken);
		free(own);
		free(broken.weights.bones);
	}
	end(&s);
}

static void choices_and_indices_that_are_not_there(void **state)
{
	(void)state;
	scene s = begin();
	ossa_frames *frames;
	const ossa_ik_goal goal = {.bone = 2, .chain = -1};
	assert_fails(s.context, ossa_rig_pose_by(s.context, s.rig, NULL, NULL, 0, (ossa_blend)9, s.positions), OSSA_ERROR_ARGUMENT,
		"no blending 9");
	assert_fails(s.context, ossa_rig_name_bones(s.context, s.rig, (ossa_bone_names)9), OSSA_ERROR_ARGUMENT, "kind 9");
	assert_fails(s.context, ossa_rig_reach(s.context, s.rig, &goal, s.rig->clip, 0, NULL), OSSA_ERROR_ARGUMENT, "-1 bones");
	for (size_t i = 0; i < 2; i++) {
		const size_t falling[] = {2, i + 1};
		assert_fails(
			s.context, ossa_frame_stream_frames(s.context, s.stream, 2, falling, &frames), OSSA_ERROR_ARGUMENT, "rise");
		assert_null(frames);
	}
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(broken_meshes_are_refused), cmocka_unit_test(broken_rigs_are_refused),
		cmocka_unit_test(choices_and_indices_that_are_not_there)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

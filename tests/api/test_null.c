/* tests/api/test_null.c: every function of the public headers with NULL for each pointer argument:
   it works, or names the argument that is NULL (ossa/status.h has the rule). The last test reads
   the headers, so that no function is left out. */
#include "samples/samples.h"
#include "support/support.h"

#include <ossa/contraction_stages.h>
#include <ossa/volume_stages.h>

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* something of every kind to call with */
static struct {
	ossa_context *c;
	ossa_sample *sample;
	ossa_rig *rig;
	ossa_mesh *mesh;
	ossa_frames *frames;
	ossa_clip *clip;
	ossa_frame_stream *stream;
	ossa_files *files;
	ossa_editor *editor;
	ossa_limits *limits;
	ossa_report report;
	ossa_picture *picture;
	const char *path;
} t;

static int set_up(void **state)
{
	(void)state;
	ossa_sample_options options = ossa_sample_default();
	options.kind = OSSA_SAMPLE_BIPED;
	options.faces = 1000;
	options.frames = 3;
	t.c = test_context(1);
	assert_ok(t.c, ossa_sample_create(t.c, &options, &t.sample));
	t.rig = t.sample->rig;
	t.mesh = t.rig->mesh;
	t.frames = t.sample->frames;
	assert_ok(t.c, ossa_clip_of_rest(t.c, t.rig, 3, 24, &t.clip));
	assert_ok(t.c, ossa_frame_stream_of_frames(t.c, t.frames, &t.stream));
	assert_ok(t.c, ossa_files_create(t.c, &t.files));
	assert_ok(t.c, ossa_editor_create(t.c, t.rig, NULL, &t.editor));
	assert_ok(t.c, ossa_report_make(t.c, t.rig, NULL, &t.report));
	ossa_picture_options small = ossa_picture_default();
	small.width = small.height = 16;
	assert_ok(t.c, ossa_picture_rig(t.c, t.rig, (const int[]){-1}, 1, &small, &t.picture));
	t.path = test_path("r.glb");
	assert_ok(t.c, ossa_write_rig(t.c, t.rig, t.path, NULL));
	const char *table = test_file("l.csv",
		"name,limit_x_min,limit_x_max,limit_y_min,limit_y_max,limit_z_min,limit_z_max\n"
		"hips,-1,1,-1,1,-1,1\n",
		0);
	assert_ok(t.c, ossa_read_limits(t.c, table, &t.limits));
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	ossa_limits_free(t.c, t.limits);
	ossa_picture_free(t.c, t.picture);
	ossa_editor_free(t.c, t.editor);
	ossa_files_free(t.files);
	ossa_frame_stream_free(t.c, t.stream);
	ossa_clip_free(t.c, t.clip);
	ossa_sample_free(t.c, t.sample);
	test_context_end(t.c);
	return 0;
}

/* a call without an argument that it needs, and the same without a context */
#define NEEDS(call) assert_fails(t.c, call, OSSA_ERROR_ARGUMENT, "is NULL")
#define NEEDS_CONTEXT(call) assert_int_equal(call, OSSA_ERROR_ARGUMENT)
/* a result that must be NULL after the failure of the call before */
#define GAVE_NULL(result) assert_null(result), (result) = (void *)1

static void error_curves(void **state)
{
	(void)state;
	ossa_error_curve *curve = (void *)1;
	const ossa_error_curve empty = {0};
	uint32_t cluster;
	NEEDS(ossa_error_curve_make(t.c, NULL, t.frames, NULL, 1, &curve));
	GAVE_NULL(curve);
	NEEDS(ossa_error_curve_make(t.c, t.mesh, NULL, NULL, 1, &curve));
	GAVE_NULL(curve);
	NEEDS(ossa_error_curve_make(t.c, t.mesh, t.frames, NULL, 1, NULL));
	NEEDS_CONTEXT(ossa_error_curve_make(NULL, t.mesh, t.frames, NULL, 1, &curve));
	NEEDS(ossa_error_curve_write(t.c, NULL, 0, t.path));
	NEEDS(ossa_error_curve_write(t.c, &empty, 0, NULL));
	NEEDS(ossa_error_curve_check(t.c, NULL));
	NEEDS(ossa_rig_clusters(t.c, NULL, 0, &cluster, NULL));
	ossa_error_curve_free(t.c, NULL);
}

static void contexts_and_files(void **state)
{
	(void)state;
	uint8_t *bytes = (void *)1;
	ossa_files *files = (void *)1;
	assert_int_equal(ossa_context_create(NULL, NULL), OSSA_ERROR_ARGUMENT);
	ossa_context_free(NULL);
	assert_int_equal(ossa_context_error(NULL)->status, OSSA_ERROR_ARGUMENT);
	assert_non_null(strstr(ossa_context_error(NULL)->message, "ossa_context_create"));
	assert_int_equal(ossa_context_warning_count(NULL) + ossa_context_stage_count(NULL), 0);
	assert_null(ossa_context_warning(NULL, 0));
	assert_null(ossa_context_stage(NULL, 0));
	assert_int_equal(ossa_context_bytes(NULL) + ossa_context_peak_bytes(NULL), 0);
	assert_int_equal(ossa_context_threads(NULL), 0);
	ossa_context_reset(NULL);
	assert_string_equal(ossa_warning_advice(NULL), "");
	assert_null(ossa_alloc(NULL, 1, 1));
	ossa_free(NULL, NULL);
	ossa_free(t.c, NULL);
	NEEDS_CONTEXT(ossa_files_create(NULL, &files));
	GAVE_NULL(files);
	NEEDS(ossa_files_create(t.c, NULL));
	assert_int_equal(ossa_files_add(NULL, "a", "b", 1), OSSA_ERROR_ARGUMENT);
	assert_fails(t.c, ossa_files_add(t.files, NULL, "b", 1), OSSA_ERROR_ARGUMENT, "name");
	assert_fails(t.c, ossa_files_add(t.files, "a", NULL, 1), OSSA_ERROR_ARGUMENT, "NULL");
	assert_int_equal(ossa_files_count(NULL), 0);
	assert_null(ossa_files_at(NULL, 0));
	assert_null(ossa_files_find(NULL, "a"));
	assert_null(ossa_files_find(t.files, NULL));
	assert_int_equal(ossa_files_take(NULL, "a", &bytes, NULL), OSSA_ERROR_ARGUMENT);
	NEEDS((bytes = (void *)1, ossa_files_take(t.files, NULL, &bytes, NULL)));
	GAVE_NULL(bytes);
	assert_fails(t.c, ossa_files_take(t.files, "a", NULL, NULL), OSSA_ERROR_ARGUMENT, "there is no file");
	ossa_files_free(NULL);
	ossa_context_use_files(NULL, NULL);
	ossa_context_use_files(t.c, NULL);
}

/* a file that is taken by nobody is gone */
static void bytes_that_nobody_wants(void **state)
{
	(void)state;
	size_t size = 0;
	ossa_context_use_files(t.c, t.files);
	assert_ok(t.c, ossa_write_mesh(t.c, t.mesh, NULL, "m.ply", NULL));
	assert_ok(t.c, ossa_files_take(t.files, "m.ply", NULL, &size));
	ossa_context_use_files(t.c, NULL);
	assert_true(size > 0 && !ossa_files_find(t.files, "m.ply"));
}

static ossa_status no_frame(void *user, size_t frame, float *positions)
{
	(void)user, (void)frame, (void)positions;
	return OSSA_ERROR_READ;
}

static void meshes_and_frames(void **state)
{
	(void)state;
	const float positions[9] = {0};
	const uint32_t triangle[3] = {0, 1, 2};
	float one[3];
	ossa_mesh *mesh = (void *)1;
	ossa_mesh_facts facts;
	bool adopted;
	const ossa_image image = {.bytes = (const uint8_t *)"", .size = 0};
	uint32_t size[2];
	ossa_frames *frames = (void *)1;
	ossa_frame_stream *stream = (void *)1;
	size_t indices[2];
	NEEDS_CONTEXT(ossa_mesh_create(NULL, 3, positions, 1, triangle, &mesh));
	GAVE_NULL(mesh);
	NEEDS(ossa_mesh_create(t.c, 3, NULL, 1, triangle, &mesh));
	NEEDS(ossa_mesh_create(t.c, 3, positions, 1, NULL, &mesh));
	GAVE_NULL(mesh);
	NEEDS(ossa_mesh_create(t.c, 3, positions, 1, triangle, NULL));
	NEEDS(ossa_mesh_triangulate(t.c, NULL));
	NEEDS(ossa_mesh_copy(t.c, NULL, &mesh));
	GAVE_NULL(mesh);
	NEEDS(ossa_mesh_copy(t.c, t.mesh, NULL));
	NEEDS(ossa_mesh_validate(t.c, NULL));
	ossa_mesh_free(NULL, NULL);
	ossa_mesh_forget(NULL);
	assert_int_equal(ossa_mesh_uv_set_count(NULL), 0);
	assert_false(ossa_image_measure(NULL, &image, &size[0], &size[1]));
	assert_false(ossa_image_measure(t.c, NULL, &size[0], &size[1]));
	assert_false(ossa_image_measure(t.c, &image, NULL, &size[1]));
	assert_false(ossa_image_measure(t.c, &image, &size[0], NULL));
	NEEDS(ossa_mesh_adopt(t.c, NULL, t.mesh, &adopted));
	NEEDS(ossa_mesh_adopt(t.c, t.mesh, NULL, &adopted));
	NEEDS(ossa_mesh_adopt(t.c, t.mesh, t.mesh, NULL));
	NEEDS(ossa_mesh_inspect(t.c, NULL, &facts));
	NEEDS(ossa_mesh_inspect(t.c, t.mesh, NULL));
	NEEDS(ossa_frames_create(t.c, 1, 1, 24, NULL));
	NEEDS(ossa_frames_validate(t.c, NULL));
	ossa_frames_free(NULL, NULL);
	NEEDS(ossa_frame_stream_of_frames(t.c, NULL, &stream));
	GAVE_NULL(stream);
	NEEDS(ossa_frame_stream_of_frames(t.c, t.frames, NULL));
	NEEDS(ossa_frame_stream_of_function(t.c, 1, 1, NULL, 24, NULL, NULL, &stream));
	GAVE_NULL(stream);
	NEEDS(ossa_frame_stream_of_function(t.c, 1, 1, NULL, 24, no_frame, NULL, NULL));
	assert_int_equal(ossa_frame_stream_frame_count(NULL) + ossa_frame_stream_vertex_count(NULL), 0);
	assert_null(ossa_frame_stream_times(NULL));
	assert_string_equal(ossa_frame_stream_name(NULL, 0), "");
	assert_string_equal(ossa_frame_stream_motion(NULL), "");
	assert_int_equal(ossa_frame_stream_take_count(NULL) + ossa_frame_stream_take(NULL, 0).frame_count, 0);
	assert_false(ossa_frame_stream_is_whole(NULL));
	NEEDS(ossa_frame_stream_read(t.c, NULL, 0, one));
	NEEDS(ossa_frame_stream_read(t.c, t.stream, 0, NULL));
	NEEDS(ossa_frame_stream_frames(t.c, NULL, 0, NULL, &frames));
	GAVE_NULL(frames);
	NEEDS(ossa_frame_stream_frames(t.c, t.stream, 0, NULL, NULL));
	NEEDS(ossa_frame_stream_choose(t.c, NULL, t.mesh, 2, indices, NULL));
	NEEDS(ossa_frame_stream_choose(t.c, t.stream, t.mesh, 2, NULL, NULL));
	assert_ok(t.c, ossa_frame_stream_choose(t.c, t.stream, NULL, 2, indices, NULL));
	ossa_frame_stream_free(NULL, NULL);
}

static void reading(void **state)
{
	(void)state;
	const char *const none[] = {t.path, NULL};
	ossa_mesh *mesh = (void *)1;
	ossa_frames *frames = (void *)1;
	ossa_rig *rig = (void *)1;
	ossa_clip *clip = (void *)1;
	ossa_frame_stream *stream = (void *)1;
	ossa_limits *limits = (void *)1;
	ossa_retarget_map *map = (void *)1;
	NEEDS(ossa_read_detect(t.c, NULL, NULL));
	NEEDS(ossa_read_contents(t.c, NULL, NULL, NULL, NULL));
	NEEDS(ossa_read_scene(t.c, NULL, NULL, NULL));
	assert_ok(t.c, ossa_read_scene(t.c, t.path, NULL, NULL));
	NEEDS(ossa_read_paths(t.c, NULL, NULL, NULL));
	assert_ok(t.c, ossa_read_paths(t.c, t.path, NULL, NULL));
	NEEDS(ossa_read_mesh(t.c, NULL, NULL, &mesh));
	GAVE_NULL(mesh);
	NEEDS(ossa_read_mesh(t.c, t.path, NULL, NULL));
	NEEDS_CONTEXT(ossa_read_mesh(NULL, t.path, NULL, &mesh));
	NEEDS(ossa_read_frames(t.c, t.mesh, 1, NULL, false, NULL, &frames));
	NEEDS(ossa_read_frames(t.c, t.mesh, 2, none, false, NULL, &frames));
	GAVE_NULL(frames);
	NEEDS(ossa_read_frames(t.c, t.mesh, 1, none, false, NULL, NULL));
	NEEDS(ossa_read_animation(t.c, NULL, NULL, &mesh, &frames));
	GAVE_NULL(mesh);
	GAVE_NULL(frames);
	assert_ok(t.c, ossa_read_animation(t.c, t.path, NULL, NULL, NULL));
	NEEDS(ossa_read_rig(t.c, NULL, NULL, &rig));
	GAVE_NULL(rig);
	NEEDS(ossa_read_rig(t.c, t.path, NULL, NULL));
	NEEDS(ossa_retarget_map_read(t.c, NULL, &map));
	GAVE_NULL(map);
	NEEDS(ossa_retarget_map_read(t.c, t.path, NULL));
	NEEDS(ossa_rig_set_roles(t.c, NULL, map));
	NEEDS(ossa_rig_set_roles(t.c, t.rig, NULL));
	ossa_retarget_map_free(NULL, NULL);
	size_t clip_count = 1;
	ossa_clip **clips = (void *)1;
	NEEDS(ossa_rig_retarget_all(t.c, NULL, t.rig, "x", NULL, &clip_count, &clips, NULL));
	GAVE_NULL(clips);
	NEEDS(ossa_rig_retarget_all(t.c, t.rig, NULL, "x", NULL, &clip_count, &clips, NULL));
	NEEDS(ossa_rig_retarget_all(t.c, t.rig, t.rig, NULL, NULL, &clip_count, &clips, NULL));
	NEEDS(ossa_rig_retarget_all(t.c, t.rig, t.rig, "x", NULL, NULL, &clips, NULL));
	NEEDS(ossa_rig_retarget_all(t.c, t.rig, t.rig, "x", NULL, &clip_count, NULL, NULL));
	uint32_t follows[64];
	NEEDS(ossa_rig_retarget_pairs(t.c, NULL, t.rig, "x", NULL, OSSA_RETARGET_NAMES, follows));
	NEEDS(ossa_rig_retarget_pairs(t.c, t.rig, NULL, "x", NULL, OSSA_RETARGET_NAMES, follows));
	NEEDS(ossa_rig_retarget_pairs(t.c, t.rig, t.rig, NULL, NULL, OSSA_RETARGET_NAMES, follows));
	NEEDS(ossa_rig_retarget_pairs(t.c, t.rig, t.rig, "x", NULL, OSSA_RETARGET_NAMES, NULL));
	NEEDS(ossa_rig_retarget(t.c, NULL, t.rig, "x", NULL, &clip, NULL));
	NEEDS(ossa_rig_retarget(t.c, t.rig, NULL, "x", NULL, &clip, NULL));
	NEEDS(ossa_rig_retarget(t.c, t.rig, t.rig, NULL, NULL, &clip, NULL));
	NEEDS(ossa_rig_retarget(t.c, t.rig, t.rig, "x", NULL, NULL, NULL));
	ossa_rig *carried = (void *)1;
	NEEDS(ossa_rig_transfer(t.c, NULL, t.mesh, NULL, &carried, NULL));
	GAVE_NULL(carried);
	NEEDS(ossa_rig_transfer(t.c, t.rig, NULL, NULL, &carried, NULL));
	NEEDS(ossa_rig_transfer(t.c, t.rig, t.mesh, NULL, NULL, NULL));
	assert_ok(t.c, ossa_rig_transfer(t.c, t.rig, t.mesh, NULL, &carried, NULL));
	bool taken = true;
	NEEDS(ossa_rig_take_weights(t.c, NULL, t.rig, &taken));
	assert_false(taken);
	NEEDS(ossa_rig_take_weights(t.c, carried, NULL, &taken));
	NEEDS(ossa_rig_take_weights(t.c, carried, t.rig, NULL));
	ossa_rig_free(t.c, carried);
	const ossa_lod lod = {.rig = t.rig};
	NEEDS(ossa_rig_find_levels(t.c, NULL, 2));
	NEEDS(ossa_write_lods(t.c, NULL, 1, t.path, NULL));
	NEEDS(ossa_write_lods(t.c, &lod, 1, NULL, NULL));
	NEEDS(ossa_read_motion(t.c, NULL, t.path, NULL, &clip));
	NEEDS(ossa_read_motion(t.c, t.rig, NULL, NULL, &clip));
	GAVE_NULL(clip);
	NEEDS(ossa_read_motion(t.c, t.rig, t.path, NULL, NULL));
	NEEDS(ossa_read_motions(t.c, NULL, t.path, NULL, &clip_count, &clips));
	NEEDS(ossa_read_motions(t.c, t.rig, NULL, NULL, &clip_count, &clips));
	NEEDS(ossa_read_motions(t.c, t.rig, t.path, NULL, NULL, &clips));
	NEEDS(ossa_read_motions(t.c, t.rig, t.path, NULL, &clip_count, NULL));
	assert_int_equal(clip_count, 0);
	NEEDS(ossa_read_limits(t.c, NULL, &limits));
	GAVE_NULL(limits);
	NEEDS(ossa_read_limits(t.c, t.path, NULL));
	NEEDS(ossa_rig_set_rest_pose(t.c, NULL, OSSA_REST_T));
	NEEDS(ossa_rig_set_limits(t.c, NULL, t.limits));
	NEEDS(ossa_rig_set_limits(t.c, t.rig, NULL));
	ossa_limits_free(NULL, NULL);
	NEEDS(ossa_frame_stream_open(t.c, t.mesh, 2, none, false, NULL, &stream));
	GAVE_NULL(stream);
	NEEDS(ossa_frame_stream_open(t.c, t.mesh, 1, none, false, NULL, NULL));
	NEEDS(ossa_frame_stream_open_animation(t.c, NULL, NULL, &mesh, &stream));
	NEEDS(ossa_frame_stream_open_animation(t.c, t.path, NULL, NULL, &stream));
	GAVE_NULL(stream);
	NEEDS(ossa_frame_stream_open_matched(t.c, NULL, NULL, 1, none, false, NULL, &stream));
	NEEDS(ossa_frame_stream_open_matched(t.c, t.mesh, NULL, 1, NULL, false, NULL, &stream));
	NEEDS(ossa_frame_stream_open_matched(t.c, t.mesh, t.path, 2, none, true, NULL, &stream));
	GAVE_NULL(stream);
	NEEDS(ossa_frame_stream_open_matched(t.c, t.mesh, NULL, 1, none, false, NULL, NULL));
}

static void writing(void **state)
{
	(void)state;
	ossa_volume_stages stages;
	ossa_contraction_stages steps;
	ossa_picture *picture = (void *)1;
	assert_false(ossa_write_is_numbered(NULL));
	NEEDS(ossa_write_detect(t.c, NULL, NULL));
	NEEDS(ossa_write_check(t.c, NULL));
	assert_false(ossa_write_keeps(NULL, NULL, "a.glb"));
	assert_false(ossa_write_keeps(t.mesh, NULL, NULL));
	ossa_write_options options = ossa_write_default();
	assert_null(ossa_target_find(NULL));
	assert_string_equal(ossa_target_endings(NULL), "");
	double degrees;
	NEEDS(ossa_rig_rest_angle(t.c, NULL, OSSA_REST_T, &degrees));
	NEEDS(ossa_rig_rest_angle(t.c, t.rig, OSSA_REST_T, NULL));
	NEEDS(ossa_target_check_rest(t.c, NULL, t.rig, OSSA_REST_KEEP));
	NEEDS(ossa_target_check_rest(t.c, ossa_target_at(0), NULL, OSSA_REST_KEEP));
	NEEDS(ossa_target_apply(t.c, NULL, "a.glb", &options));
	NEEDS(ossa_target_apply(t.c, ossa_target_at(0), NULL, &options));
	NEEDS(ossa_target_apply(t.c, ossa_target_at(0), "a.glb", NULL));
	NEEDS(ossa_write_rig(t.c, NULL, t.path, NULL));
	NEEDS(ossa_write_rig(t.c, t.rig, NULL, NULL));
	NEEDS(ossa_write_mesh(t.c, NULL, NULL, "a.ply", NULL));
	NEEDS(ossa_write_mesh(t.c, t.mesh, NULL, NULL, NULL));
	NEEDS(ossa_write_frames(t.c, NULL, NULL, "a.pc2", NULL));
	NEEDS(ossa_write_frames(t.c, NULL, t.frames, NULL, NULL));
	assert_fails(t.c, ossa_write_frames(t.c, NULL, t.frames, test_path("a_#.ply"), NULL), OSSA_ERROR_ARGUMENT, "mesh");
	NEEDS(ossa_volume_stages_make(t.c, NULL, NULL, &stages));
	ossa_volume_stages_free(t.c, &stages);
	ossa_volume_stages_free(t.c, NULL);
	NEEDS(ossa_volume_stages_make(t.c, t.mesh, NULL, NULL));
	NEEDS(ossa_volume_stages_write(t.c, NULL, "/tmp"));
	NEEDS(ossa_volume_stages_write(t.c, &stages, NULL));
	NEEDS(ossa_contraction_stages_make(t.c, NULL, NULL, &steps));
	ossa_contraction_stages_free(t.c, &steps);
	ossa_contraction_stages_free(t.c, NULL);
	NEEDS(ossa_contraction_stages_make(t.c, t.mesh, NULL, NULL));
	NEEDS(ossa_contraction_stages_write(t.c, NULL, "/tmp"));
	NEEDS(ossa_contraction_stages_write(t.c, &steps, NULL));
	NEEDS(ossa_picture_draw(t.c, NULL, (const int[]){0}, 1, NULL, &picture));
	NEEDS(ossa_picture_draw(t.c, &(ossa_picture_subject){0}, (const int[]){0}, 1, NULL, &picture));
	NEEDS(ossa_picture_rig(t.c, NULL, (const int[]){0}, 1, NULL, &picture));
	NEEDS(ossa_picture_rig(t.c, t.rig, NULL, 1, NULL, &picture));
	GAVE_NULL(picture);
	NEEDS(ossa_picture_rig(t.c, t.rig, (const int[]){0}, 1, NULL, NULL));
	NEEDS(ossa_picture_write(t.c, NULL, t.path));
	NEEDS(ossa_picture_write(t.c, t.picture, NULL));
	NEEDS(ossa_picture_png(t.c, NULL, NULL, NULL));
	ossa_picture_free(NULL, NULL);
}

static void reports(void **state)
{
	(void)state;
	char *text = (void *)1;
	ossa_report report, empty = {0};
	NEEDS(ossa_report_make(t.c, NULL, NULL, &report));
	NEEDS(ossa_report_make(t.c, t.rig, NULL, NULL));
	ossa_report_fill(t.c, t.rig, 0, NULL, NULL, &report);
	assert_true(report.rig == t.rig && isnan(report.hierarchy.rms_percent));
	ossa_report_fill(t.c, t.rig, 0, NULL, NULL, NULL);
	const ossa_retarget_facts facts = {.match = OSSA_RETARGET_NAMES};
	NEEDS(ossa_retarget_json(t.c, NULL, &text));
	NEEDS(ossa_retarget_json(t.c, &facts, NULL));
	NEEDS(ossa_report_json(t.c, NULL, &text));
	NEEDS(ossa_report_json(t.c, &empty, &text));
	GAVE_NULL(text);
	NEEDS(ossa_report_json(t.c, &t.report, NULL));
	NEEDS(ossa_report_html(t.c, NULL, &text));
	NEEDS(ossa_report_html(t.c, &empty, &text));
	GAVE_NULL(text);
	NEEDS(ossa_report_html(t.c, &t.report, NULL));
	NEEDS(ossa_report_write(t.c, NULL, "a.json"));
	NEEDS(ossa_report_write(t.c, &t.report, NULL));
}

static void methods(void **state)
{
	(void)state;
	ossa_rig *rig = (void *)1;
	ossa_motion_fit *fit = (void *)1;
	ossa_method_options *own = (void *)1;
	ossa_rig_options options = ossa_rig_default();
	ossa_rig_result made;
	assert_null(ossa_method_find(NULL));
	NEEDS_CONTEXT(ossa_method_options_create(NULL, &own));
	GAVE_NULL(own);
	NEEDS(ossa_method_options_create(t.c, NULL));
	ossa_method_options_free(NULL, NULL);
	assert_null(ossa_method_options_of(NULL, "volume"));
	assert_null(ossa_rig_option_find(NULL));
	NEEDS(ossa_rig_option_set(t.c, NULL, "method", "volume"));
	NEEDS(ossa_rig_option_set(t.c, &options, NULL, "volume"));
	NEEDS(ossa_rig_option_set(t.c, &options, "method", NULL));
	NEEDS(ossa_rig_options_check(t.c, NULL));
	NEEDS_CONTEXT(ossa_rig_make(NULL, &(ossa_rig_input){t.mesh, NULL}, NULL, &made));
	assert_fails(t.c, ossa_rig_make(t.c, NULL, NULL, NULL), OSSA_ERROR_ARGUMENT, "ossa_rig_input is NULL");
	assert_fails(t.c, ossa_rig_make(t.c, &(ossa_rig_input){0}, NULL, &made), OSSA_ERROR_ARGUMENT, "mesh");
	assert_null(made.rig);
	ossa_rig_result_free(t.c, NULL);
	NEEDS(ossa_rig_from_examples(t.c, NULL, t.frames, NULL, &rig));
	NEEDS(ossa_rig_from_examples(t.c, t.mesh, NULL, NULL, &rig));
	GAVE_NULL(rig);
	NEEDS(ossa_rig_from_examples(t.c, t.mesh, t.frames, NULL, NULL));
	NEEDS(ossa_rig_from_sequence(t.c, NULL, t.frames, NULL, &rig));
	NEEDS(ossa_rig_from_sequence(t.c, t.mesh, NULL, NULL, &rig));
	GAVE_NULL(rig);
	NEEDS(ossa_rig_from_sequence(t.c, t.mesh, t.frames, NULL, NULL));
	NEEDS(ossa_rig_from_contraction(t.c, NULL, NULL, &rig));
	GAVE_NULL(rig);
	NEEDS(ossa_rig_from_contraction(t.c, t.mesh, NULL, NULL));
	NEEDS(ossa_rig_from_volume(t.c, NULL, NULL, &rig));
	GAVE_NULL(rig);
	NEEDS(ossa_rig_from_volume(t.c, t.mesh, NULL, NULL));
	NEEDS(ossa_rig_fit_motion(t.c, NULL, t.stream, NULL, &fit));
	NEEDS(ossa_rig_fit_motion(t.c, t.rig, NULL, NULL, &fit));
	GAVE_NULL(fit);
	NEEDS(ossa_rig_fit_motion(t.c, t.rig, t.stream, NULL, NULL));
	ossa_motion_fit_warn(t.c, t.rig, NULL);
	ossa_motion_fit_warn(t.c, NULL, &(ossa_motion_fit){0});
	ossa_rig_take_motion(t.c, t.rig, NULL);
	ossa_rig_take_motion(t.c, NULL, &(ossa_motion_fit){0});
	ossa_motion_fit_free(t.c, NULL);
}

static void given_bones(void **state)
{
	(void)state;
	ossa_rig *rig = (void *)1;
	NEEDS_CONTEXT(ossa_rig_bind(NULL, t.rig, t.mesh, NULL, &rig));
	NEEDS(ossa_rig_bind(t.c, NULL, t.mesh, NULL, &rig));
	NEEDS(ossa_rig_bind(t.c, t.rig, NULL, NULL, &rig));
	GAVE_NULL(rig);
	NEEDS(ossa_rig_bind(t.c, t.rig, t.mesh, NULL, NULL));
	NEEDS(ossa_rig_fit_weights(t.c, NULL, t.stream, NULL, NULL, NULL));
	NEEDS(ossa_rig_fit_weights(t.c, t.rig, NULL, NULL, NULL, NULL));
	ossa_characters_result characters;
	const ossa_character character = {0};
	NEEDS(ossa_rig_make_characters(t.c, 1, NULL, NULL, &characters));
	NEEDS(ossa_rig_make_characters(t.c, 1, &character, NULL, &characters));
	assert_fails(t.c, ossa_rig_make_characters(t.c, 0, &character, NULL, &characters), OSSA_ERROR_ARGUMENT, "no characters");
	NEEDS(ossa_rig_make_characters(t.c, 1, &character, NULL, NULL));
	ossa_characters_result_free(t.c, NULL);
	NEEDS(ossa_frames_delta_mush(t.c, NULL, 3, t.frames));
	NEEDS(ossa_frames_delta_mush(t.c, t.mesh, 3, NULL));
	ossa_frame_stream *smooth = (void *)1;
	NEEDS_CONTEXT(ossa_frame_stream_delta_mush(NULL, t.mesh, 3, t.stream, &smooth));
	NEEDS(ossa_frame_stream_delta_mush(t.c, NULL, 3, t.stream, &smooth));
	NEEDS(ossa_frame_stream_delta_mush(t.c, t.mesh, 3, NULL, &smooth));
	GAVE_NULL(smooth);
	NEEDS(ossa_frame_stream_delta_mush(t.c, t.mesh, 3, t.stream, NULL));
	NEEDS(ossa_rig_add_shapes(t.c, NULL, t.stream, NULL, NULL, NULL));
	NEEDS(ossa_rig_add_shapes(t.c, t.rig, NULL, NULL, NULL, NULL));
	assert_int_equal(ossa_rig_shape_count(NULL), 0);
	assert_true(ossa_rig_shape_weight(NULL, 0, t.clip, 0) == 0);
	assert_true(ossa_rig_shape_weight(t.rig, SIZE_MAX, t.clip, 0) == 0);
}

static void rigs(void **state)
{
	(void)state;
	float *positions = ossa_alloc(t.c, t.mesh->vertex_count, 3 * sizeof *positions);
	ossa_rig *rig = (void *)1;
	ossa_frames *frames = (void *)1;
	double range[3][2], axis[3];
	assert_int_equal(ossa_joint_kind_of_name(NULL), OSSA_JOINT_UNKNOWN);
	NEEDS(ossa_rig_create(t.c, NULL, 1, 1, &rig));
	GAVE_NULL(rig);
	NEEDS(ossa_rig_create(t.c, t.mesh, 1, 1, NULL));
	assert_int_equal(ossa_rig_clip_count(NULL), 0);
	assert_null(ossa_rig_clip_at(NULL, 0));
	NEEDS(ossa_rig_set_clips(t.c, NULL, 0, NULL));
	NEEDS(ossa_rig_set_clips(t.c, t.rig, 1, NULL));
	assert_int_equal(ossa_rig_bone(NULL, "hips"), -1);
	assert_int_equal(ossa_rig_bone(t.rig, NULL), -1);
	NEEDS(ossa_rig_find_bone(t.c, NULL, "hips", NULL));
	NEEDS(ossa_rig_find_bone(t.c, t.rig, NULL, NULL));
	NEEDS(ossa_rig_validate(t.c, NULL));
	ossa_rig_joint_matrices(NULL, NULL, 0, axis);
	ossa_rig_joint_matrices(t.rig, NULL, 0, NULL);
	NEEDS(ossa_rig_pose(t.c, NULL, NULL, NULL, 0, positions));
	NEEDS(ossa_rig_pose(t.c, t.rig, NULL, NULL, 0, NULL));
	assert_ok(t.c, ossa_rig_pose(t.c, t.rig, NULL, NULL, 0, positions));
	NEEDS(ossa_rig_pose_by(t.c, NULL, NULL, NULL, 0, OSSA_BLEND_LINEAR, positions));
	NEEDS(ossa_rig_pose_by(t.c, t.rig, NULL, NULL, 0, OSSA_BLEND_LINEAR, NULL));
	NEEDS(ossa_rig_frames(t.c, NULL, t.clip, &frames));
	GAVE_NULL(frames);
	NEEDS(ossa_rig_frames(t.c, t.rig, t.clip, NULL));
	NEEDS(ossa_rig_find_limits(t.c, NULL, 1));
	NEEDS(ossa_rig_find_dependencies(t.c, NULL));
	NEEDS(ossa_rig_set_dependencies(t.c, NULL, 0, NULL));
	NEEDS(ossa_rig_set_dependencies(t.c, t.rig, 1, NULL));
	assert_int_equal(ossa_rig_dependency_of(NULL, 0), -1);
	assert_false(ossa_rig_turn_range(NULL, t.clip, 0, range));
	assert_false(ossa_rig_turn_range(t.rig, t.clip, SIZE_MAX, range));
	assert_false(ossa_rig_slide_range(NULL, t.clip, 0, range[0]));
	assert_false(ossa_rig_slide_range(t.rig, t.clip, SIZE_MAX, range[0]));
	assert_false(ossa_rig_slide_range(t.rig, t.clip, 0, NULL));
	assert_false(ossa_rig_bend_axis(NULL, t.clip, 0, axis));
	assert_false(ossa_rig_bend_axis(t.rig, t.clip, SIZE_MAX, axis));
	assert_int_equal(ossa_rig_past_limits(NULL, t.clip, 0, 0, 0).frame_count, 0);
	assert_int_equal(ossa_rig_past_limits(t.rig, t.clip, SIZE_MAX, 0, 0).frame_count, 0);
	assert_int_equal(ossa_rig_warn_past_limits(t.c, NULL, NULL, t.clip), 0);
	NEEDS(ossa_rig_limit_influences(t.c, NULL, 4));
	NEEDS(ossa_rig_of_level(t.c, NULL, 0, &rig));
	GAVE_NULL(rig);
	NEEDS(ossa_rig_of_level(t.c, t.rig, 0, NULL));
	NEEDS(ossa_rig_name_bones(t.c, NULL, OSSA_NAMES_BODY));
	ossa_rig_free(NULL, NULL);
	ossa_free(t.c, positions);
}

static void motions(void **state)
{
	(void)state;
	const ossa_motion_edit edit = ossa_motion_edit_default(OSSA_MOTION_TURN, 0);
	const ossa_ik_goal goal = {.bone = 1};
	ossa_clip *clip = (void *)1;
	double turn[4], degrees[3] = {0};
	NEEDS(ossa_clip_create(t.c, 1, 1, false, NULL));
	NEEDS(ossa_clip_copy(t.c, NULL, &clip));
	GAVE_NULL(clip);
	NEEDS(ossa_clip_copy(t.c, t.clip, NULL));
	NEEDS(ossa_clip_add_morphs(t.c, NULL, 1));
	NEEDS(ossa_clip_resample(t.c, NULL, 24, &clip));
	GAVE_NULL(clip);
	NEEDS(ossa_clip_resample(t.c, t.clip, 24, NULL));
	NEEDS(ossa_clip_part(t.c, NULL, 0, 1, &clip));
	GAVE_NULL(clip);
	NEEDS(ossa_clip_part(t.c, t.clip, 0, 1, NULL));
	NEEDS(ossa_rig_split_takes(t.c, NULL, t.stream));
	NEEDS(ossa_rig_split_takes(t.c, t.rig, NULL));
	NEEDS(ossa_clip_set_root_motion(t.c, NULL, t.clip, OSSA_ROOT_KEEP, &clip));
	GAVE_NULL(clip);
	NEEDS(ossa_clip_set_root_motion(t.c, t.rig, t.clip, OSSA_ROOT_KEEP, NULL));
	NEEDS(ossa_rig_add_root(t.c, NULL, NULL));
	NEEDS(ossa_clip_close_loop(t.c, NULL, t.clip, &clip, NULL));
	GAVE_NULL(clip);
	NEEDS(ossa_clip_close_loop(t.c, t.rig, t.clip, NULL, NULL));
	ossa_clip_free(NULL, NULL);
	NEEDS(ossa_clip_of_rest(t.c, NULL, 1, 24, &clip));
	GAVE_NULL(clip);
	NEEDS(ossa_clip_of_rest(t.c, t.rig, 1, 24, NULL));
	NEEDS(ossa_motion_edit_apply(t.c, NULL, t.clip, 1, &edit, &clip));
	NEEDS(ossa_motion_edit_apply(t.c, t.rig, t.clip, 1, NULL, &clip));
	GAVE_NULL(clip);
	NEEDS(ossa_motion_edit_apply(t.c, t.rig, t.clip, 1, &edit, NULL));
	ossa_turn_of_degrees(NULL, turn);
	ossa_turn_of_degrees(degrees, NULL);
	ossa_turn_about(NULL, 1, turn);
	ossa_turn_about(degrees, 1, NULL);
	ossa_rig_turn(NULL, t.clip, 0, 0, turn, degrees);
	assert_near(turn[3], 1, 0);
	ossa_rig_turn(t.rig, t.clip, SIZE_MAX, 0, turn, degrees);
	ossa_rig_turn(t.rig, t.clip, 0, 0, NULL, NULL);
	NEEDS(ossa_rig_reach(t.c, NULL, &goal, t.clip, 0, NULL));
	NEEDS(ossa_rig_reach(t.c, t.rig, NULL, t.clip, 0, NULL));
	NEEDS(ossa_rig_reach(t.c, t.rig, &goal, NULL, 0, NULL));
	NEEDS(ossa_rig_close_loops(t.c, NULL, NULL, NULL, t.clip, NULL));
	NEEDS(ossa_rig_close_loops(t.c, t.rig, NULL, NULL, NULL, NULL));
	assert_true(ossa_rig_loop_gap(NULL, NULL, 0, 0) == 0);
}

static void metrics(void **state)
{
	(void)state;
	ossa_metrics measured;
	ossa_frame_error errors[3];
	ossa_nearness near;
	ossa_holdout holdout;
	ossa_bend bend;
	char text[8] = "before";
	double values[64];
	const ossa_metric_field *field = &ossa_metrics_table()->fields[0];
	NEEDS(ossa_rig_measure(t.c, NULL, NULL, NULL, NULL, &measured));
	NEEDS(ossa_rig_measure(t.c, t.rig, NULL, NULL, NULL, NULL));
	NEEDS(ossa_rig_bone_errors(t.c, NULL, NULL, NULL, t.frames, values));
	NEEDS(ossa_rig_bone_errors(t.c, t.rig, NULL, NULL, NULL, values));
	NEEDS(ossa_rig_bone_errors(t.c, t.rig, NULL, NULL, t.frames, NULL));
	NEEDS(ossa_rig_frame_errors(t.c, NULL, NULL, NULL, t.stream, errors));
	NEEDS(ossa_rig_frame_errors(t.c, t.rig, NULL, NULL, NULL, errors));
	NEEDS(ossa_rig_frame_errors(t.c, t.rig, NULL, NULL, t.stream, NULL));
	NEEDS(ossa_rig_vertex_errors(t.c, NULL, NULL, NULL, 0, t.mesh->positions, t.mesh->positions));
	NEEDS(ossa_rig_vertex_errors(t.c, t.rig, NULL, NULL, 0, NULL, t.mesh->positions));
	NEEDS(ossa_rig_vertex_errors(t.c, t.rig, NULL, NULL, 0, t.mesh->positions, NULL));
	assert_null(ossa_metric_find(NULL, "rms_percent"));
	assert_null(ossa_metric_find(ossa_metrics_table(), NULL));
	assert_true(isnan(ossa_metric_value(NULL, &measured)) && isnan(ossa_metric_value(field, NULL)));
	ossa_metric_print(NULL, &measured, text, sizeof text);
	assert_string_equal(text, "-");
	ossa_metric_print(field, &measured, NULL, 0);
	assert_int_equal(ossa_metric_judge(NULL, NULL), OSSA_METRIC_NOT_JUDGED);
	NEEDS(ossa_rig_nearness(t.c, NULL, t.rig, &near));
	NEEDS(ossa_rig_nearness(t.c, t.rig, NULL, &near));
	NEEDS(ossa_rig_nearness(t.c, t.rig, t.rig, NULL));
	NEEDS(ossa_rig_measure_bend(t.c, NULL, NULL, NULL, &bend));
	assert_int_equal(bend.joints, 0);
	NEEDS(ossa_holdout_measure(t.c, NULL, t.frames, t.frames, &holdout));
	NEEDS(ossa_holdout_measure(t.c, t.rig, NULL, t.frames, &holdout));
	NEEDS(ossa_holdout_measure(t.c, t.rig, t.frames, NULL, &holdout));
	NEEDS(ossa_holdout_measure(t.c, t.rig, t.frames, t.frames, NULL));
}

static void options(void **state)
{
	(void)state;
	const ossa_option_table *table = ossa_rig_option_table();
	const char *const names[] = {"a"};
	ossa_rig_options rig = ossa_rig_default();
	char text[8] = "before";
	assert_null(ossa_option_find(NULL, "method"));
	assert_null(ossa_option_find(table, NULL));
	assert_null(ossa_option_group_find(NULL, "method", NULL));
	assert_null(ossa_option_group_find(table->groups, NULL, NULL));
	NEEDS(ossa_option_set(t.c, NULL, &rig, "method", "auto"));
	NEEDS(ossa_option_set(t.c, table, NULL, "method", "auto"));
	NEEDS(ossa_option_set(t.c, table, &rig, NULL, "auto"));
	NEEDS(ossa_option_set(t.c, table, &rig, "method", NULL));
	ossa_option_print(NULL, &rig, text, sizeof text);
	assert_string_equal(text, "");
	ossa_option_print(&table->options[0], NULL, text, sizeof text);
	ossa_option_print(&table->options[0], &rig, NULL, 0);
	NEEDS(ossa_options_check(t.c, NULL, &rig));
	NEEDS(ossa_options_check(t.c, table, NULL));
	assert_null(ossa_nearest_name(NULL, names, 1));
	assert_null(ossa_nearest_name("a", NULL, 1));
}

static void bodies(void **state)
{
	(void)state;
	const ossa_body body = {.kind = OSSA_BODY_HUMAN, .runner_up = OSSA_BODY_QUADRUPED};
	ossa_landmarks landmarks;
	size_t added = 1;
	char text[OSSA_BODY_TEXT] = "before";
	assert_int_equal(ossa_body_kind_of_name(NULL), OSSA_BODY_NONE);
	assert_int_equal(ossa_body_part_of_name(NULL), OSSA_PART_NONE);
	assert_false(ossa_body_is_known(NULL));
	assert_string_equal(ossa_body_print(NULL, text, sizeof text), "none");
	assert_string_equal(ossa_body_front_print(NULL, text, sizeof text), "");
	assert_null(ossa_odds_print(1, NULL, 0));
	assert_string_equal(ossa_retarget_segment_print(NULL, text, sizeof text), "");
	assert_null(ossa_body_print(&body, NULL, 0));
	assert_null(ossa_body_front_print(&body, NULL, 0));
	assert_null(ossa_role_print((ossa_role){.part = OSSA_PART_HEAD}, NULL, 0));
	NEEDS(ossa_landmarks_read(t.c, NULL, &landmarks));
	NEEDS(ossa_landmarks_read(t.c, t.path, NULL));
	NEEDS(ossa_rig_add_twist(t.c, NULL, 1, &added));
	assert_int_equal(added, 0);
}

static void edits(void **state)
{
	(void)state;
	ossa_edit edit = {.kind = OSSA_EDIT_PAINT, .face_count = 1};
	ossa_editor *editor = (void *)1;
	char *line = (void *)1;
	NEEDS(ossa_edit_print(t.c, NULL, &line));
	NEEDS(ossa_edit_print(t.c, &edit, &line));
	GAVE_NULL(line);
	NEEDS(ossa_edit_print(t.c, &edit, NULL));
	NEEDS(ossa_editor_do(t.c, t.editor, &edit));
	NEEDS(ossa_edit_parse(t.c, NULL, &edit));
	NEEDS(ossa_edit_parse(t.c, "solve", NULL));
	ossa_edit_clear(t.c, NULL);
	NEEDS(ossa_editor_create(t.c, NULL, NULL, &editor));
	GAVE_NULL(editor);
	NEEDS(ossa_editor_create(t.c, t.rig, NULL, NULL));
	ossa_editor_free(NULL, NULL);
	NEEDS(ossa_editor_do(t.c, NULL, &edit));
	NEEDS(ossa_editor_do(t.c, t.editor, NULL));
	NEEDS(ossa_editor_do_line(t.c, NULL, "solve"));
	NEEDS(ossa_editor_do_line(t.c, t.editor, NULL));
	NEEDS(ossa_editor_undo(t.c, NULL));
	NEEDS(ossa_editor_redo(t.c, NULL));
	assert_null(ossa_editor_rig(NULL));
	assert_int_equal(ossa_editor_done_count(NULL) + ossa_editor_undone_count(NULL), 0);
	assert_null(ossa_editor_line(NULL, 0));
	assert_false(ossa_editor_is_stale(NULL));
	assert_int_equal(ossa_editor_constraint_count(NULL), 0);
	assert_null(ossa_editor_constraint(NULL, 0).line);
	assert_null(ossa_editor_facts(NULL));
	NEEDS(ossa_editor_log(t.c, NULL, &line));
	GAVE_NULL(line);
	NEEDS(ossa_editor_log(t.c, t.editor, NULL));
	NEEDS(ossa_editor_replay(t.c, NULL, "solve"));
	NEEDS(ossa_editor_replay(t.c, t.editor, NULL));
	NEEDS(ossa_editor_write_log(t.c, NULL, "a"));
	NEEDS(ossa_editor_write_log(t.c, t.editor, NULL));
	NEEDS(ossa_editor_replay_file(t.c, NULL, "a"));
	NEEDS(ossa_editor_replay_file(t.c, t.editor, NULL));
}

/* ---- none is left out ---- */

static char *read_all(const char *path)
{
	enum { SIZE = 1 << 20 };
	char *text = calloc(1, SIZE);
	assert_true(test_read_bytes(path, text, SIZE) > 0);
	return text;
}

/* names in a header that follow OSSA_API and take arguments that can be NULL */
static void look_for_functions(const char *header, const char *here, size_t *count)
{
	for (const char *at = strstr(header, "\nOSSA_API "); at; at = strstr(at + 1, "\nOSSA_API ")) {
		const char *open = strchr(at, '('), *close = strchr(at, ')');
		const char *begin = open;
		while (begin > at && begin[-1] != ' ' && begin[-1] != '*') begin--;
		if (!memchr(open, '*', (size_t)(close - open))) continue;
		char name[80];
		snprintf(name, sizeof name, "%.*s(", (int)(open - begin), begin);
		if (!strstr(here, name)) fail_msg("no test calls %s with NULL", name);
		(*count)++;
	}
}

static void every_function_is_here(void **state)
{
	(void)state;
	char path[512];
	size_t count = 0;
	char *here = read_all(OSSA_SOURCE_DIR "/tests/api/test_null.c");
	DIR *folder = opendir(OSSA_SOURCE_DIR "/include/ossa");
	assert_non_null(folder);
	for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
		if (!strstr(entry->d_name, ".h") || strcmp(entry->d_name, "api.h") == 0) continue;
		snprintf(path, sizeof path, "%s/include/ossa/%.200s", OSSA_SOURCE_DIR, entry->d_name);
		char *header = read_all(path);
		look_for_functions(header, here, &count);
		free(header);
	}
	closedir(folder);
	free(here);
	assert_true(count > 120);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(contexts_and_files), cmocka_unit_test(error_curves),
		cmocka_unit_test(bytes_that_nobody_wants), cmocka_unit_test(meshes_and_frames), cmocka_unit_test(reading),
		cmocka_unit_test(writing), cmocka_unit_test(reports), cmocka_unit_test(methods), cmocka_unit_test(given_bones),
		cmocka_unit_test(rigs), cmocka_unit_test(motions), cmocka_unit_test(metrics), cmocka_unit_test(options),
		cmocka_unit_test(bodies), cmocka_unit_test(edits), cmocka_unit_test(every_function_is_here)};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}

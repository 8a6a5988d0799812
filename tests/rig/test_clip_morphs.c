/* tests/rig/test_clip_morphs.c: the weights of morph targets over a motion: from files into rigs,
   into other files and back, and in step with whatever changes the motion. */
#include "base/context.h"
#include "rig/clip_morphs.h"
#include "support/faults.h"
#include "support/gltf_file.h"
#include "support/morphs.h"
#include "support/rich_rig.h"
#include "support/support.h"

#include <math.h>
#include <ossa/clip.h>
#include <ossa/edit_motion.h>
#include <stdlib.h>
#include <string.h>

static ossa_rig *make_rig(ossa_context *context, size_t frames)
{
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, (int)frames, 4, &rig));
	test_add_morphs(context, rig->mesh);
	test_move_morphs(context, rig->mesh, rig->clip);
	assert_ok(context, ossa_rig_validate(context, rig));
	return rig;
}

static double weight_of(const ossa_clip *clip, size_t frame, size_t morph)
{
	assert_non_null(clip->morph_weights);
	return clip->morph_weights[frame * clip->morph_count + morph];
}

/* frame f of the clip is frame first + f of the motion that was made */
static void assert_weights(const ossa_clip *clip, size_t first)
{
	assert_int_equal(clip->morph_count, 3);
	for (size_t f = 0; f < clip->frame_count; f++) {
		for (size_t m = 0; m < 3; m++) assert_true(weight_of(clip, f, m) == test_morph_weight(m, first + f));
	}
}

static bool can_read(const char *format)
{
	for (size_t i = 0; i < ossa_read_format_count(); i++) {
		if (strcmp(ossa_read_format_at(i)->name, format) == 0) return true;
	}
	return false;
}

/* ---- poses ---- */

/* the mesh at rest has the weights at rest in it: a frame has the others in their place */
static void poses_have_them(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, 4);
	const size_t size = 3 * rig->mesh->vertex_count;
	float *posed = malloc(size * sizeof *posed), *wanted = malloc(size * sizeof *wanted), *rest = rig->mesh->positions;
	float *moved = malloc(size * sizeof *moved);
	assert_true(posed && wanted && moved);
	for (size_t f = 0; f < 4; f++) {
		assert_ok(context, ossa_rig_pose(context, rig, NULL, rig->clip, f, posed));
		memcpy(moved, rest, size * sizeof *moved);
		for (size_t m = 0; m < 3; m++) test_apply_morph(&rig->mesh->morphs[m], test_morph_weight(m, f), moved);
		ossa_clip bare;
		rig->mesh->positions = moved;
		assert_ok(context, ossa_rig_pose(context, rig, NULL, ossai_clip_for_frames(rig->clip, true, &bare), f, wanted));
		rig->mesh->positions = rest;
		for (size_t i = 0; i < size; i++) assert_near((double)posed[i], (double)wanted[i], 1e-6);
		for (size_t m = 0; m < 3; m++) assert_true(ossa_rig_shape_weight(rig, m, rig->clip, f) == test_morph_weight(m, f));
	}
	free(posed);
	free(wanted);
	free(moved);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* ---- files ---- */

/* exact samples through a file and back */
static void come_back(const char *name)
{
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, 5), *back;
	assert_ok(context, ossa_write_rig(context, rig, test_path(name), NULL));
	assert_ok(context, ossa_read_rig(context, test_path(name), NULL, &back));
	assert_int_equal(test_warned(context, "shapes-dropped"), 0);
	assert_int_equal(back->mesh->morph_count, 3);
	assert_int_equal(back->clip->frame_count, 5);
	for (size_t f = 0; f < 5; f++) {
		/* a target that moves nothing may go */
		for (size_t m = 0; m < 2; m++) assert_near(weight_of(back->clip, f, m), test_morph_weight(m, f), 1e-6);
	}
	for (size_t m = 0; m < 3; m++) assert_string_equal(back->mesh->morphs[m].name, rig->mesh->morphs[m].name);
	ossa_rig_free(context, back);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void gltf_has_them(void **state)
{
	(void)state;
	come_back("moving.glb");
	come_back("moving.gltf");
}

static void fbx_has_them(void **state)
{
	(void)state;
	if (!can_read("fbx")) skip();
	come_back("moving.fbx");
}

/* formats without say so */
static void others_say_so(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, 3);
	assert_ok(context, ossa_write_rig(context, rig, test_path("still.dae"), NULL));
	assert_int_equal(test_warned(context, "shapes-dropped"), 3);
	/* those that stay at rest are no loss */
	for (size_t f = 0; f < 3; f++) {
		for (size_t m = 0; m < 3; m++) rig->clip->morph_weights[3 * f + m] = rig->mesh->morphs[m].weight;
	}
	assert_ok(context, ossa_write_rig(context, rig, test_path("still.dae"), NULL));
	assert_int_equal(test_warned(context, "shapes-dropped"), 3);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* ---- a glTF file of another program ---- */

/* two objects whose targets have one name, two animations */

static const char *const scene =
	"{'scene':0,'scenes':[{'nodes':[0,1,2]}],"
	"'nodes':[{'name':'hips','translation':[0,0,0]},{'name':'face','mesh':0,'skin':0},{'name':'teeth','mesh':1,'skin':0}],"
	"'meshes':[{'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2},'indices':3,'targets':[{'POSITION':4},"
	"{'POSITION':5}]}],'weights':[0,0.5],'extras':{'targetNames':['smile','blink']}},"
	"{'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2},'indices':3,'targets':[{'POSITION':4}]}],"
	"'extras':{'targetNames':['smile']}}],"
	"'skins':[{'joints':[0]}],"
	"'animations':[{'name':'talk','samplers':[{'input':6,'output':7},{'input':8,'output':9},{'input':8,'output':10}],"
	"'channels':[{'sampler':0,'target':{'node':0,'path':'translation'}},{'sampler':1,'target':{'node':1,'path':'weights'}},"
	"{'sampler':2,'target':{'node':2,'path':'weights'}}]},"
	"{'name':'wink','samplers':[{'input':8,'output':11}],'channels':[{'sampler':0,'target':{'node':1,'path':'weights'}}]}]}";

/* teeth: the weights of their one target */
static const char *write_scene(const char *name, const float teeth[3])
{
	static const float ones[16] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0},
					   up[12] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};
	static const float aside[12] = {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, turns[2] = {0, 1}, steps[6] = {0, 0, 0, 4, 0, 0};
	static const float times[3] = {0, 0.25f, 1}, weights[6] = {0, 0.5f, 1, 0.5f, 0.25f, 0.5f},
					   wink[6] = {0, 0.5f, 0, 1, 0, 0.25f};
	static const uint8_t joints[16] = {0};
	static const uint16_t faces[6] = {0, 1, 2, 0, 2, 3};
	test_gltf file;
	test_gltf_begin_square(&file, scene);
	test_gltf_accessor(&file, joints, 4, TEST_U8, "VEC4");
	test_gltf_accessor(&file, ones, 4, TEST_F32, "VEC4");
	test_gltf_accessor(&file, faces, 6, TEST_U16, "SCALAR");
	test_gltf_accessor(&file, up, 4, TEST_F32, "VEC3");
	test_gltf_accessor(&file, aside, 4, TEST_F32, "VEC3");
	test_gltf_accessor(&file, turns, 2, TEST_F32, "SCALAR");
	test_gltf_accessor(&file, steps, 2, TEST_F32, "VEC3");
	test_gltf_accessor(&file, times, 3, TEST_F32, "SCALAR");
	test_gltf_accessor(&file, weights, 6, TEST_F32, "SCALAR");
	test_gltf_accessor(&file, teeth, 3, TEST_F32, "SCALAR");
	test_gltf_accessor(&file, wink, 6, TEST_F32, "SCALAR");
	return test_gltf_write_glb(&file, name);
}

static const float teeth_of_smile[3] = {0, 1, 0.25f}, other_teeth[3] = {0, 0.5f, 1};

static ossa_rig *read_all(ossa_context *context, const char *path)
{
	ossa_read_options options = ossa_read_default();
	ossa_rig *rig;
	strcpy(options.clip, "all");
	assert_ok(context, ossa_read_rig(context, path, &options, &rig));
	assert_ok(context, ossa_rig_validate(context, rig));
	return rig;
}

/* keys of targets are frames, too; an animation of targets alone is a motion */
static void assert_scene(const ossa_rig *rig)
{
	static const double wanted[2][3][2] = {{{0, 0.5}, {1, 0.5}, {0.25, 0.5}}, {{0, 0.5}, {0, 1}, {0, 0.25}}};
	assert_int_equal(ossa_rig_clip_count(rig), 2);
	assert_int_equal(rig->mesh->morph_count, 2);
	for (size_t i = 0; i < 2; i++) {
		const ossa_clip *clip = ossa_rig_clip_at(rig, i);
		assert_string_equal(clip->name, i == 0 ? "talk" : "wink");
		assert_int_equal(clip->frame_count, 3);
		assert_near(clip->times[1], 0.25, 1e-6);
		for (size_t f = 0; f < 3; f++) {
			for (size_t m = 0; m < 2; m++) assert_near(weight_of(clip, f, m), wanted[i][f][m], 1e-6);
		}
		assert_near(clip->root_positions[3], i == 0 ? 1 : 0, 1e-5);
	}
}

static void animations_are_read(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = read_all(context, write_scene("scene.glb", teeth_of_smile)), *back;
	assert_int_equal(test_warned(context, "shapes-dropped"), 0);
	assert_scene(rig);
	assert_int_equal(rig->mesh->morphs[0].count, 8);
	/* into the file that they are from, where they still are, and into a new one */
	assert_ok(context, ossa_write_rig(context, rig, test_path("kept.glb"), NULL));
	back = read_all(context, test_path("kept.glb"));
	assert_scene(back);
	ossa_rig_free(context, back);
	ossa_mesh_forget(rig->mesh);
	assert_ok(context, ossa_write_rig(context, rig, test_path("new.glb"), NULL));
	back = read_all(context, test_path("new.glb"));
	assert_scene(back);
	ossa_rig_free(context, back);
	assert_int_equal(test_warned(context, "shapes-dropped"), 0);
	if (can_read("fbx")) {
		assert_ok(context, ossa_write_rig(context, rig, test_path("scene.fbx"), NULL));
		back = read_all(context, test_path("scene.fbx"));
		assert_scene(back);
		ossa_rig_free(context, back);
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* a clip of targets alone leaves the bones of a kept file to others: it gets no channels of
   joints */
static void kept_animations_of_targets_move_no_bones(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = read_all(context, write_scene("alone.glb", teeth_of_smile));
	test_asset opened;
	assert_ok(context, ossa_write_rig(context, rig, test_path("alone-kept.glb"), NULL));
	assert_ok(context, test_asset_open(context, test_path("alone-kept.glb"), &opened));
	assert_int_equal(opened.asset.clip_count, 2);
	assert_string_equal(opened.asset.clips[1].name, "wink");
	assert_int_equal(opened.asset.clips[1].channel_count, 1);
	assert_int_equal(opened.asset.clips[1].channels[0].node, OSSA_NONE);
	test_asset_close(context, &opened);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* a motion that was cut, retimed and changed: the kept file follows it, other animations stay */
static void kept_files_follow_changed_motions(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = read_all(context, write_scene("changed.glb", teeth_of_smile)), *back;
	ossa_motion_edit edits[2] = {ossa_motion_edit_default(OSSA_MOTION_CROP, OSSA_ALL_BONES),
		ossa_motion_edit_default(OSSA_MOTION_RETIME, OSSA_ALL_BONES)};
	ossa_clip *clip;
	edits[0].first = 1;
	edits[0].last = 2;
	edits[1].factor = 0.5;
	assert_ok(context, ossa_motion_edit_apply(context, rig, NULL, 2, edits, &clip));
	ossa_clip_free(context, rig->clip);
	rig->clip = clip;
	clip->morph_weights[0] = 0.75;
	assert_ok(context, ossa_write_rig(context, rig, test_path("followed.glb"), NULL));
	back = read_all(context, test_path("followed.glb"));
	assert_int_equal(back->clip->frame_count, 2);
	assert_near(back->clip->times[1], 1.5, 1e-6);
	static const double wanted[2][2] = {{0.75, 0.5}, {0.25, 0.5}};
	for (size_t f = 0; f < 2; f++) {
		for (size_t m = 0; m < 2; m++) assert_near(weight_of(back->clip, f, m), wanted[f][m], 1e-6);
	}
	assert_int_equal(back->other_clips[0]->frame_count, 3);
	assert_near(weight_of(back->other_clips[0], 1, 1), 1, 1e-6);
	ossa_rig_free(context, back);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* some of the frames of a file: the rest is not played either */
static void chosen_frames_have_their_weights(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_read_options options = ossa_read_default();
	ossa_rig *rig, *back;
	options.frames = (ossa_range){2, 3, 1};
	assert_ok(context, ossa_read_rig(context, write_scene("chosen.glb", teeth_of_smile), &options, &rig));
	assert_ok(context, ossa_write_rig(context, rig, test_path("chosen-kept.glb"), NULL));
	assert_ok(context, ossa_read_rig(context, test_path("chosen-kept.glb"), NULL, &back));
	assert_int_equal(back->clip->frame_count, 2);
	for (size_t f = 0; f < 2; f++) assert_near(weight_of(back->clip, f, 0), weight_of(rig->clip, f, 0), 1e-6);
	assert_near(weight_of(back->clip, 0, 0), 1, 1e-6);
	ossa_rig_free(context, back);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* targets of one name that move in other ways are two */
static void targets_that_move_apart_stay_apart(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = read_all(context, write_scene("apart.glb", other_teeth));
	assert_int_equal(rig->mesh->morph_count, 3);
	for (size_t f = 0; f < 3; f++) {
		assert_near(weight_of(rig->clip, f, 0), (double)teeth_of_smile[f], 1e-6);
		assert_near(weight_of(rig->clip, f, 2), (double)other_teeth[f], 1e-6);
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* a motion that is fitted to such frames */
static void fitted_motions_have_them(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, 6);
	const char *path = test_path("old.glb");
	ossa_read_options options = ossa_read_default();
	options.morphs = OSSA_MORPHS_KEEP;
	assert_ok(context, ossa_write_rig(context, rig, path, NULL));
	for (int smoothed = 0; smoothed < 2; smoothed++) {
		ossa_frame_stream *file, *smooth, *stream;
		ossa_motion_fit *fit;
		ossa_motion_options wanted = ossa_motion_default();
		wanted.free_motion = true;
		assert_ok(context, ossa_frame_stream_open_matched(context, rig->mesh, NULL, 1, &path, false, &options, &file));
		assert_ok(context, ossa_frame_stream_delta_mush(context, rig->mesh, 1, file, &smooth));
		stream = smoothed ? smooth : file;
		assert_ok(context, ossa_rig_fit_motion(context, rig, stream, &wanted, &fit));
		assert_weights(fit->clip, 0);
		assert_weights(fit->free_clip, 0);
		ossa_motion_fit_free(context, fit);
		ossa_frame_stream_free(context, smooth);
		ossa_frame_stream_free(context, file);
	}
	/* a mesh whose targets have other names takes none, and a warning says so */
	ossa_frame_stream *stream;
	ossa_motion_fit *fit;
	rig->mesh->morphs[0].name[0]++;
	assert_ok(context, ossa_frame_stream_open_matched(context, rig->mesh, NULL, 1, &path, false, &options, &stream));
	assert_ok(context, ossa_rig_fit_motion(context, rig, stream, NULL, &fit));
	assert_null(fit->clip->morph_weights);
	ossa_motion_fit_free(context, fit);
	ossa_frame_stream_free(context, stream);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* a rig that is made from frames in which shapes are at rest */
static void new_rigs_have_them(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, 6);
	ossa_read_options options = ossa_read_default();
	ossa_frame_stream *stream;
	ossa_mesh *mesh;
	ossa_frames *frames;
	ossa_rig_result made;
	ossa_metrics metrics;
	assert_ok(context, ossa_write_rig(context, rig, test_path("old.glb"), NULL));
	options.morphs = OSSA_MORPHS_KEEP;
	assert_ok(context, ossa_frame_stream_open_animation(context, test_path("old.glb"), &options, &mesh, &stream));
	const ossa_rig_input input = {.mesh = mesh, .frames = stream};
	/* bones of a body that are added after errors are measured round them */
	ossa_rig_options limbs = ossa_rig_default();
	limbs.articulation = OSSA_ARTICULATION_LIMBS;
	assert_ok(context, ossa_rig_make(context, &input, &limbs, &made));
	assert_weights(made.rig->clip, 0);
	/* errors are of bones */
	assert_ok(context, ossa_frame_stream_frames(context, stream, 0, NULL, &frames));
	assert_true(frames->morphs_at_rest);
	assert_ok(context, ossa_rig_measure(context, made.rig, NULL, NULL, frames, &metrics));
	assert_near(metrics.rms_percent, made.hierarchy.rms_percent, 1e-9);
	frames->morphs_at_rest = false;
	assert_ok(context, ossa_rig_measure(context, made.rig, NULL, NULL, frames, &metrics));
	assert_true(metrics.rms_percent > made.hierarchy.rms_percent + 0.01);
	if (can_read("fbx")) {
		ossa_rig *back;
		assert_ok(context, ossa_write_rig(context, made.rig, test_path("made.fbx"), NULL));
		assert_ok(context, ossa_read_rig(context, test_path("made.fbx"), NULL, &back));
		for (size_t f = 0; f < 6; f++) assert_near(weight_of(back->clip, f, 0), test_morph_weight(0, f), 1e-6);
		ossa_rig_free(context, back);
	}
	assert_int_equal(test_warned(context, "shapes-dropped"), 0);
	ossa_frames_free(context, frames);
	ossa_frame_stream_free(context, stream);
	ossa_rig_result_free(context, &made);
	ossa_mesh_free(context, mesh);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* ---- what changes motions ---- */

static void parts_and_copies_have_them(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, 6);
	ossa_clip *clip, *finer;
	assert_ok(context, ossa_clip_copy(context, rig->clip, &clip));
	assert_weights(clip, 0);
	ossa_clip_free(context, clip);
	assert_ok(context, ossa_clip_part(context, rig->clip, 2, 3, &clip));
	assert_weights(clip, 2);
	ossa_clip_free(context, clip);
	ossa_motion_edit edits[2] = {ossa_motion_edit_default(OSSA_MOTION_CROP, OSSA_ALL_BONES),
		ossa_motion_edit_default(OSSA_MOTION_RETIME, OSSA_ALL_BONES)};
	edits[0].first = 1;
	edits[0].last = 4;
	edits[1].factor = 2;
	assert_ok(context, ossa_motion_edit_apply(context, rig, NULL, 2, edits, &clip));
	assert_weights(clip, 1);
	ossa_clip_free(context, clip);
	/* half way between two frames the mean */
	for (size_t f = 0; f < 6; f++) rig->clip->times[f] = (double)f;
	assert_ok(context, ossa_clip_resample(context, rig->clip, 2, &finer));
	assert_int_equal(finer->frame_count, 11);
	for (size_t f = 0; f < 11; f++) {
		const double wanted = 0.5 * (test_morph_weight(1, f / 2) + test_morph_weight(1, (f + 1) / 2));
		assert_near(weight_of(finer, f, 1), wanted, 1e-12);
	}
	ossa_clip_free(context, finer);
	assert_ok(context, ossa_clip_close_loop(context, rig, NULL, &clip, NULL));
	for (size_t m = 0; m < 3; m++) {
		assert_near(weight_of(clip, 0, m), weight_of(clip, 5, m), 1e-12);
		assert_near(weight_of(clip, 0, m), 0.5 * (test_morph_weight(m, 0) + test_morph_weight(m, 5)), 1e-12);
	}
	ossa_clip_free(context, clip);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* other bones, the same frames */
static void rigs_with_other_bones_have_them(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, 4);
	bool added;
	assert_ok(context, ossa_rig_add_root(context, rig, &added));
	assert_weights(rig->clip, 0);
	ossa_editor *editor;
	assert_ok(context, ossa_editor_create(context, rig, NULL, &editor));
	char line[160];
	snprintf(line, sizeof line, "remove %s", rig->skeleton.bones[rig->skeleton.bone_count - 1].name);
	assert_ok(context, ossa_editor_do_line(context, editor, line));
	assert_int_equal(ossa_editor_rig(editor)->skeleton.bone_count, rig->skeleton.bone_count - 1);
	assert_weights(ossa_editor_rig(editor)->clip, 0);
	ossa_editor_free(context, editor);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* motions of other rigs: by names, or with a warning */
static void other_faces_have_them_by_name(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, 3), *other = make_rig(context, 3);
	ossa_clip *clip;
	const ossa_morph first = other->mesh->morphs[0];
	other->mesh->morphs[0] = other->mesh->morphs[1];
	other->mesh->morphs[1] = first;
	strcpy(other->mesh->morphs[2].name, "brow");
	assert_ok(context, ossa_rig_retarget(context, other, rig, "rig", NULL, &clip, NULL));
	assert_int_equal(test_warned(context, "shapes-dropped"), 1);
	for (size_t f = 0; f < 3; f++) {
		assert_true(weight_of(clip, f, 0) == test_morph_weight(1, f));
		assert_true(weight_of(clip, f, 1) == test_morph_weight(0, f));
		assert_true(weight_of(clip, f, 2) == 0);
	}
	ossa_clip_free(context, clip);
	ossa_rig_free(context, other);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* columns of corrective shapes go with these */
static void dropped_shapes_take_their_columns(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, 4);
	ossa_driver *driver = &rig->mesh->morphs[1].driver;
	*driver = (ossa_driver){.axis = {1, 0, 0}, .to = 90};
	strcpy(driver->bone, rig->skeleton.bones[1].name);
	assert_ok(context, ossa_rig_validate(context, rig));
	ossai_rig_drop_shapes(context, rig);
	assert_int_equal(rig->mesh->morph_count, 2);
	assert_int_equal(rig->clip->morph_count, 2);
	for (size_t f = 0; f < 4; f++) {
		assert_true(weight_of(rig->clip, f, 0) == test_morph_weight(0, f));
		assert_true(weight_of(rig->clip, f, 1) == test_morph_weight(2, f));
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* ---- bad input ---- */

static void bad_weights_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, 3);
	float *positions = malloc(3 * rig->mesh->vertex_count * sizeof *positions);
	assert_non_null(positions);
	rig->clip->morph_weights[4] = NAN;
	assert_int_equal(ossa_rig_validate(context, rig), OSSA_ERROR_INPUT);
	assert_int_equal(ossa_context_error(context)->frame, 1);
	rig->clip->morph_weights[4] = test_morph_weight(1, 1);
	rig->clip->morph_count = 4;
	assert_int_equal(ossa_rig_validate(context, rig), OSSA_ERROR_INPUT);
	assert_int_equal(ossa_rig_pose(context, rig, NULL, rig->clip, 0, positions), OSSA_ERROR_INPUT);
	rig->clip->morph_count = 3;
	assert_int_equal(ossa_clip_add_morphs(context, rig->clip, SIZE_MAX / 2), OSSA_ERROR_LIMIT);
	assert_weights(rig->clip, 0);
	assert_ok(context, ossa_clip_add_morphs(context, rig->clip, 0));
	assert_null(rig->clip->morph_weights);
	assert_ok(context, ossa_rig_validate(context, rig));
	free(positions);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static ossa_status change(ossa_context *context, void *arg)
{
	const ossa_rig *rig = arg;
	ossa_clip *clip = NULL, *part = NULL, *finer = NULL;
	ossa_status status = ossa_clip_copy(context, rig->clip, &clip);
	if (status == OSSA_OK) status = ossa_clip_part(context, clip, 1, 2, &part);
	if (status == OSSA_OK) status = ossa_clip_resample(context, clip, 60, &finer);
	ossa_clip_free(context, finer);
	ossa_clip_free(context, part);
	ossa_clip_free(context, clip);
	if (status == OSSA_OK) status = ossa_rig_retarget(context, rig, rig, "rig", NULL, &clip, NULL);
	if (status == OSSA_OK) ossa_clip_free(context, clip);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, 3);
	test_allocation_sweep(change, rig, 40, 7);
	test_sweep_read_rig(write_scene("sweep.glb", other_teeth), 20);
	test_sweep_write(&(test_writing){.rig = rig}, "sweep.fbx", 5);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(poses_have_them),
		cmocka_unit_test(gltf_has_them),
		cmocka_unit_test(fbx_has_them),
		cmocka_unit_test(others_say_so),
		cmocka_unit_test(animations_are_read),
		cmocka_unit_test(kept_animations_of_targets_move_no_bones),
		cmocka_unit_test(kept_files_follow_changed_motions),
		cmocka_unit_test(chosen_frames_have_their_weights),
		cmocka_unit_test(targets_that_move_apart_stay_apart),
		cmocka_unit_test(fitted_motions_have_them),
		cmocka_unit_test(new_rigs_have_them),
		cmocka_unit_test(parts_and_copies_have_them),
		cmocka_unit_test(rigs_with_other_bones_have_them),
		cmocka_unit_test(other_faces_have_them_by_name),
		cmocka_unit_test(dropped_shapes_take_their_columns),
		cmocka_unit_test(bad_weights_are_refused),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

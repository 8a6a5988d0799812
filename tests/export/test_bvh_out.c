/* tests/export/test_bvh_out.c: the BVH writer, checked by an independent evaluation of the text:
   offsets and channels as the format describes them, rotations multiplied in the order in the
   file. */
#include "base/context.h"
#include "math/vec.h"
#include "support/compare.h"
#include "support/rich_rig.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JOINTS_MAX = 512 };

typedef struct joint {
	char name[64];
	int parent; /* -1 for the root */
	double offset[3], end[3];
	bool has_end;
	int channel_count;
	char channels[6]; /* x y z positions, X Y Z turns */
} joint;

typedef struct motion {
	int joint_count;
	joint joints[JOINTS_MAX];
	int frame_count, number_count;
	double frame_time, *numbers; /* frames x numbers */
} motion;

static char word[256];

static const char *next_word(FILE *stream)
{
	if (fscanf(stream, "%255s", word) != 1) word[0] = 0;
	return word;
}

static void expect(FILE *stream, const char *text) { assert_string_equal(next_word(stream), text); }

/* plain decimals only: there are readers that know no exponents */
static double next_number(FILE *stream)
{
	char *end;
	const double value = strtod(next_word(stream), &end);
	assert_true(word[0] && *end == 0);
	assert_int_equal(word[strspn(word, "-.0123456789")], 0);
	return value;
}

static void read_channels(FILE *stream, motion *m, joint *j)
{
	j->channel_count = (int)next_number(stream);
	assert_true(j->channel_count == 3 || j->channel_count == 6);
	for (int c = 0; c < j->channel_count; c++) {
		next_word(stream);
		const bool turns = strcmp(word + 1, "rotation") == 0;
		assert_true(turns || strcmp(word + 1, "position") == 0);
		assert_true(word[0] >= 'X' && word[0] <= 'Z');
		j->channels[c] = (char)(turns ? word[0] : word[0] + 'x' - 'X');
	}
	m->number_count += j->channel_count;
}

static void read_hierarchy(FILE *stream, motion *m)
{
	int open[JOINTS_MAX], depth = 0;
	bool in_end = false;
	expect(stream, "HIERARCHY");
	do {
		joint *top = depth > 0 ? &m->joints[open[depth - 1]] : NULL;
		next_word(stream);
		if (strcmp(word, "ROOT") == 0 || strcmp(word, "JOINT") == 0) {
			assert_int_equal(strcmp(word, "ROOT") == 0, m->joint_count == 0);
			joint *j = &m->joints[m->joint_count];
			snprintf(j->name, sizeof j->name, "%s", next_word(stream));
			j->parent = depth > 0 ? open[depth - 1] : -1;
			open[depth++] = m->joint_count++;
			expect(stream, "{");
		} else if (strcmp(word, "End") == 0) {
			expect(stream, "Site");
			expect(stream, "{");
			assert_false(top->has_end);
			in_end = top->has_end = true;
		} else if (strcmp(word, "OFFSET") == 0) {
			for (int k = 0; k < 3; k++) (in_end ? top->end : top->offset)[k] = next_number(stream);
		} else if (strcmp(word, "CHANNELS") == 0) {
			read_channels(stream, m, top);
		} else {
			assert_string_equal(word, "}");
			if (!in_end) depth--;
			in_end = false;
		}
	} while (depth > 0);
}

static motion *read_motion(const char *path)
{
	static motion m;
	free(m.numbers);
	memset(&m, 0, sizeof m);
	FILE *stream = fopen(path, "r");
	assert_non_null(stream);
	read_hierarchy(stream, &m);
	expect(stream, "MOTION");
	expect(stream, "Frames:");
	m.frame_count = (int)next_number(stream);
	expect(stream, "Frame");
	expect(stream, "Time:");
	m.frame_time = next_number(stream);
	const size_t count = (size_t)m.frame_count * (size_t)m.number_count;
	m.numbers = malloc(count * sizeof *m.numbers);
	for (size_t i = 0; i < count; i++) m.numbers[i] = next_number(stream);
	assert_string_equal(next_word(stream), "");
	fclose(stream);
	return &m;
}

static ossai_mat3 turn_about(char axis, double degrees)
{
	const double c = cos(degrees * OSSAI_PI / 180), s = sin(degrees * OSSAI_PI / 180);
	if (axis == 'X') return (ossai_mat3){{{1, 0, 0}, {0, c, -s}, {0, s, c}}};
	if (axis == 'Y') return (ossai_mat3){{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}};
	return (ossai_mat3){{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
}

/* world frames of all joints in a frame */
static void evaluate(const motion *m, int frame, ossai_rigid *world)
{
	const double *at = m->numbers + (size_t)frame * (size_t)m->number_count;
	for (int i = 0; i < m->joint_count; i++) {
		const joint *j = &m->joints[i];
		double place[3];
		ossai_rigid local = {ossai_mat3_identity(), {0, 0, 0}};
		memcpy(place, j->offset, sizeof place);
		for (int c = 0; c < j->channel_count; c++) {
			if (j->channels[c] >= 'x') place[j->channels[c] - 'x'] = *at++;
			else {
				const ossai_mat3 turn = turn_about(j->channels[c], *at++);
				local.r = ossai_mat3_mul(&local.r, &turn);
			}
		}
		local.t = ossai_v3_of(place);
		world[i] = j->parent < 0 ? local : ossai_rigid_mul(&world[j->parent], &local);
	}
}

static size_t bone_of(const ossa_rig *rig, const char *name)
{
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		if (strcmp(rig->skeleton.bones[b].name, name) == 0) return b;
	}
	fail_msg("there is no bone %s", name);
	return 0;
}

static double size_of(const ossa_rig *rig)
{
	double size = 0;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		const ossa_bone *bones = rig->skeleton.bones;
		size = fmax(size, ossai_distance(ossai_v3_of(bones[b].joint), ossai_v3_of(bones[0].joint)));
	}
	return size;
}

/* every joint and every end of a leaf is where `clip` has it in that frame, and turned from the
   rest pose as there */
static void assert_frame(const motion *m, int frame, const ossa_rig *rig, const ossa_clip *clip, size_t clip_frame)
{
	ossai_rigid world[JOINTS_MAX];
	double matrices[12 * JOINTS_MAX];
	const double tolerance = 1e-6 * size_of(rig);
	evaluate(m, frame, world);
	ossa_rig_joint_matrices(rig, clip, clip_frame, matrices);
	for (int i = 0; i < m->joint_count; i++) {
		const ossa_bone *bone = &rig->skeleton.bones[bone_of(rig, m->joints[i].name)];
		const ossai_rigid now = ossai_rigid_of(matrices + 12 * (bone - rig->skeleton.bones));
		const ossai_mat3 rest = ossai_quat_matrix(ossai_quat_of(bone->orientation));
		const ossai_vec3 tail = ossai_mat3_tmul_v(&rest, ossai_sub(ossai_v3_of(bone->tail), ossai_v3_of(bone->joint)));
		assert_near_vec3(world[i].t, now.t, tolerance);
		const ossai_vec3 end = ossai_rigid_point(&world[i], ossai_v3_of(m->joints[i].end));
		if (m->joints[i].has_end) assert_near_vec3(end, ossai_rigid_point(&now, tail), tolerance);
		const ossai_mat3 turned = ossai_mat3_mul(&world[i].r, &rest);
		for (int k = 0; k < 9; k++) assert_near(turned.m[k / 3][k % 3], now.r.m[k / 3][k % 3], 1e-6);
	}
}

static void assert_tree(const motion *m, const ossa_rig *rig)
{
	bool has_child[JOINTS_MAX] = {false};
	assert_int_equal(m->joint_count, rig->skeleton.bone_count);
	for (int i = 0; i < m->joint_count; i++) {
		const ossa_bone *bone = &rig->skeleton.bones[bone_of(rig, m->joints[i].name)];
		assert_true((bone->parent < 0) == (m->joints[i].parent < 0));
		if (bone->parent < 0) continue;
		assert_string_equal(m->joints[m->joints[i].parent].name, rig->skeleton.bones[bone->parent].name);
		has_child[m->joints[i].parent] = true;
	}
	for (int i = 0; i < m->joint_count; i++) assert_true(m->joints[i].has_end != has_child[i]);
}

static void joints_are_where_the_rig_has_them(void **state)
{
	(void)state;
	static const ossa_sample_kind kinds[] = {OSSA_SAMPLE_BIPED, OSSA_SAMPLE_QUADRUPED, OSSA_SAMPLE_HAND};
	ossa_context *context = test_context(1);
	for (size_t k = 0; k < 3; k++) {
		ossa_sample_options options = ossa_sample_default();
		ossa_sample *sample;
		options.kind = kinds[k];
		options.faces = 2000;
		options.frames = 12;
		assert_ok(context, ossa_sample_create(context, &options, &sample));
		assert_ok(context, ossa_write_rig(context, sample->rig, test_path("motion.bvh"), NULL));
		const motion *m = read_motion(test_path("motion.bvh"));
		assert_tree(m, sample->rig);
		assert_int_equal(m->frame_count, 12);
		assert_near(m->frame_time, sample->rig->clip->times[1], 1e-9);
		for (int f = 0; f < 12; f++) assert_frame(m, f, sample->rig, sample->rig->clip, (size_t)f);
		ossa_sample_free(context, sample);
	}
	/* of the hand's fingers alone */
	assert_int_equal(ossa_context_warning_count(context), 1);
	assert_int_equal(test_warned(context, "dependencies-left-out"), 3);
	test_context_end(context);
}

/* largest difference of a joint's position between two motions of the same rig, or of rigs with the
   same names */
static double largest_difference(const ossa_rig *a, const ossa_clip *clip, const ossa_rig *b, const ossa_clip *other)
{
	double m[12 * JOINTS_MAX], n[12 * JOINTS_MAX], most = 0;
	assert_int_equal(clip->frame_count, other->frame_count);
	for (size_t f = 0; f < clip->frame_count; f++) {
		ossa_rig_joint_matrices(a, clip, f, m);
		ossa_rig_joint_matrices(b, other, f, n);
		for (size_t i = 0; i < b->skeleton.bone_count; i++) {
			const ossai_rigid here = ossai_rigid_of(m + 12 * bone_of(a, b->skeleton.bones[i].name));
			most = fmax(most, ossai_distance(here.t, ossai_rigid_of(n + 12 * i).t));
		}
	}
	return most;
}

/* ossa's own reader sees the same joints, and the motion fits the rig that it is from */
static void what_is_written_is_read(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig, *back;
	ossa_clip *carried;
	const char *path = test_path("back.bvh");
	assert_ok(context, test_rich_rig(context, 1000, 7, 4, &rig));
	assert_ok(context, ossa_write_rig(context, rig, path, NULL));
	assert_ok(context, ossa_read_rig(context, path, NULL, &back));
	assert_int_equal(back->skeleton.bone_count, rig->skeleton.bone_count);
	assert_true(largest_difference(rig, rig->clip, back, back->clip) < 1e-6);
	assert_ok(context, ossa_read_motion(context, rig, path, NULL, &carried));
	assert_true(largest_difference(rig, rig->clip, rig, carried) < 1e-6);
	ossa_clip_free(context, carried);
	ossa_rig_free(context, back);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* turns of any size, also through gimbal lock, stay near the frame before: curves between them are
   smooth */
static void angles_do_not_leap(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 200, 4, &rig));
	ossa_clip *clip = rig->clip;
	for (size_t f = 0; f < clip->frame_count; f++) {
		/* bone 1 goes round about a slanted axis; bone 2 rocks about x through a quarter turn */
		double *q = clip->rotations + 4 * f * clip->bone_count;
		const ossai_vec3 axis = ossai_unit(ossai_v3(1, 2, -1), ossai_v3(0, 0, 0));
		ossai_quat_store(ossai_quat_axis_angle(axis, 0.05 * (double)f), q + 4);
		ossai_quat_store(ossai_quat_axis_angle(ossai_v3(1, 0, 0), 1.8 * sin(0.05 * (double)f)), q + 8);
	}
	assert_ok(context, ossa_write_rig(context, rig, test_path("round.bvh"), NULL));
	const motion *m = read_motion(test_path("round.bvh"));
	for (int f = 0; f < m->frame_count; f++) assert_frame(m, f, rig, clip, (size_t)f);
	for (int i = m->number_count; i < m->frame_count * m->number_count; i++) {
		assert_near(m->numbers[i], m->numbers[i - m->number_count], 30);
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* the order of a joint's turns, outermost first */
static void order_of(const motion *m, const char *name, char order[4])
{
	int count = 0;
	for (int i = 0; i < m->joint_count; i++) {
		for (int c = 0; strcmp(m->joints[i].name, name) == 0 && c < m->joints[i].channel_count; c++) {
			if (m->joints[i].channels[c] <= 'Z') order[count++] = m->joints[i].channels[c];
		}
	}
	assert_int_equal(count, 3);
	order[3] = 0;
}

/* Z X Y unless x, the second, passes a right angle; then no other axis has to move along */
static void orders_keep_away_from_gimbal_lock(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	char order[4];
	assert_ok(context, test_rich_rig(context, 1000, 60, 4, &rig));
	ossa_clip *clip = rig->clip;
	const ossa_bone *bones = rig->skeleton.bones;
	for (size_t f = 0; f < clip->frame_count; f++) {
		/* about the world's x at rest: bone 1 through the lock, a little aslant, bone 2 not as
		   far */
		for (size_t b = 1; b < 3; b++) {
			const ossai_vec3 axis = ossai_unit(ossai_v3(1, 0.05, 0.02), ossai_v3(1, 0, 0));
			const ossai_quat turn = ossai_quat_axis_angle(axis, (b == 1 ? 2.2 : 0.9) * sin(0.1 * (double)f));
			const ossai_quat above = ossai_quat_of(bones[bones[b].parent].orientation),
							 own = ossai_quat_of(bones[b].orientation);
			const ossai_quat local = ossai_quat_mul(ossai_quat_conjugate(above), ossai_quat_mul(turn, own));
			ossai_quat_store(ossai_quat_unit(local), clip->rotations + 4 * (f * clip->bone_count + b));
		}
	}
	assert_ok(context, ossa_write_rig(context, rig, test_path("lock.bvh"), NULL));
	const motion *m = read_motion(test_path("lock.bvh"));
	for (int f = 0; f < m->frame_count; f++) assert_frame(m, f, rig, clip, (size_t)f);
	order_of(m, bones[1].name, order);
	assert_int_not_equal(order[1], 'X');
	order_of(m, bones[2].name, order);
	assert_string_equal(order, "ZXY");
	/* bone 1's angles: y and z stay small */
	int at = 6;
	for (int i = 1; i < m->joint_count && strcmp(m->joints[i].name, bones[1].name) != 0; i++) at += m->joints[i].channel_count;
	order_of(m, bones[1].name, order);
	for (int f = 0; f < m->frame_count; f++) {
		for (int c = 0; c < 3; c++) {
			if (order[c] != 'X') assert_near(m->numbers[f * m->number_count + at + c], 0, 20);
		}
	}
	/* what is written is read */
	ossa_rig *back;
	assert_ok(context, ossa_read_rig(context, test_path("lock.bvh"), NULL, &back));
	assert_true(largest_difference(rig, rig->clip, back, back->clip) < 1e-6);
	ossa_rig_free(context, back);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void free_bones_have_positions(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	uint64_t seed = 3;
	assert_ok(context, test_rich_rig(context, 1000, 5, 4, &rig));
	const size_t count = 3 * 5 * rig->skeleton.bone_count;
	rig->clip->translations = ossa_alloc(context, count, sizeof(double));
	for (size_t i = 0; i < count; i++) rig->clip->translations[i] = test_random(&seed);
	assert_ok(context, ossa_write_rig(context, rig, test_path("free.bvh"), NULL));
	const motion *m = read_motion(test_path("free.bvh"));
	for (int i = 0; i < m->joint_count; i++) assert_int_equal(m->joints[i].channel_count, 6);
	for (int f = 0; f < 5; f++) assert_frame(m, f, rig, rig->clip, (size_t)f);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void skeletons_without_motion_rest(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	ossa_write_options options = ossa_write_default();
	assert_ok(context, test_rich_rig(context, 1000, 5, 4, &rig));
	ossa_clip *clip = rig->clip;
	rig->clip = NULL;
	/* other axes of joints change nothing: BVH has none */
	for (int axis = 0; axis < 3; axis++) {
		options.bone_axis = axis;
		assert_ok(context, ossa_write_rig(context, rig, test_path("rest.bvh"), &options));
		const motion *m = read_motion(test_path("rest.bvh"));
		assert_int_equal(m->frame_count, 1);
		assert_true(m->frame_time > 0);
		assert_frame(m, 0, rig, NULL, 0);
		for (int i = 3; i < m->number_count; i++) assert_near(m->numbers[i], 0, 1e-6);
	}
	rig->clip = clip;
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* a motion with holes is sampled at its own step; what was a frame is one still */
static void uneven_times_are_resampled(void **state)
{
	(void)state;
	static const double times[] = {1, 1.1, 1.2, 1.3, 1.6, 1.7, 1.75, 1.85, 1.95, 2.05, 2.15, 2.25};
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 12, 4, &rig));
	memcpy(rig->clip->times, times, sizeof times);
	assert_ok(context, ossa_write_rig(context, rig, test_path("uneven.bvh"), NULL));
	assert_int_equal(ossa_context_warning_count(context), 1);
	assert_string_equal(ossa_context_warning(context, 0)->code, "times-resampled");
	const motion *m = read_motion(test_path("uneven.bvh"));
	assert_near(m->frame_time, 0.1, 1e-9);
	assert_int_equal(m->frame_count, 14);
	for (int f = 0; f < 4; f++) assert_frame(m, f, rig, rig->clip, (size_t)f);
	assert_frame(m, 6, rig, rig->clip, 4);
	assert_frame(m, 7, rig, rig->clip, 5);
	/* the end is held */
	assert_frame(m, 13, rig, rig->clip, 11);
	/* half way from frame 3 to 4 the root is half way */
	const double *before = rig->clip->root_positions + 9, *after = before + 3;
	for (int k = 0; k < 3; k++) {
		const double two_thirds = before[k] + (after[k] - before[k]) * 2 / 3;
		assert_near(m->numbers[5 * m->number_count + k], two_thirds, 1e-6);
	}
	ossa_rig_free(context, rig);
	/* one frame of a thousandth second between hours: the file does not grow without end */
	ossa_sample *sample = test_sample_of_kind(context, OSSA_SAMPLE_TUBE, 1000, 12);
	rig = sample->rig;
	for (size_t f = 0; f < 12; f++) rig->clip->times[f] = (double)f * 10000;
	rig->clip->times[1] = 1e-3;
	rig->clip->times[2] = 2e-3;
	assert_ok(context, ossa_write_rig(context, rig, test_path("uneven.bvh"), NULL));
	FILE *stream = fopen(test_path("uneven.bvh"), "r");
	while (strcmp(next_word(stream), "Frames:") != 0) assert_true(word[0]);
	assert_int_equal(next_number(stream), 100001);
	fclose(stream);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* times as floats or as milliseconds are even */
static void jitter_is_no_unevenness(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 12, 4, &rig));
	for (int kind = 0; kind < 2; kind++) {
		for (size_t f = 0; f < 12; f++) {
			rig->clip->times[f] = kind == 0 ? (double)(float)((double)f / 30) : rint((double)f * 1000 / 30) / 1000;
		}
		assert_ok(context, ossa_write_rig(context, rig, test_path("jitter.bvh"), NULL));
		assert_int_equal(read_motion(test_path("jitter.bvh"))->frame_count, 12);
	}
	assert_int_equal(ossa_context_warning_count(context), 0);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* a row of bones as deep as there may be, and lengths in any unit */
static void long_chains_and_small_ones(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *empty;
	ossa_rig *rig;
	assert_ok(context, ossa_mesh_create(context, 0, NULL, 0, NULL, &empty));
	for (int power = -6; power <= 6; power += 4) {
		assert_ok(context, ossa_rig_create(context, empty, 300, 1, &rig));
		for (int b = 0; b < 300; b++) {
			ossa_bone *bone = &rig->skeleton.bones[b];
			snprintf(bone->name, sizeof bone->name, "b%d", b);
			bone->parent = b - 1;
			bone->orientation[3] = 1;
			bone->joint[1] = pow(10, power) * b / 300;
			bone->tail[1] = pow(10, power) * (b + 1) / 300;
		}
		assert_ok(context, ossa_write_rig(context, rig, test_path("chain.bvh"), NULL));
		const motion *m = read_motion(test_path("chain.bvh"));
		assert_tree(m, rig);
		assert_frame(m, 0, rig, NULL, 0);
		ossa_rig_free(context, rig);
	}
	ossa_mesh_free(context, empty);
	test_context_end(context);
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 4, 4, &rig));
	rig->clip->times[3] = 5;
	test_sweep_write(&(test_writing){.rig = rig}, "sweep.bvh", 9);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void a_full_disk_leaves_the_old_file(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 40, 4, &rig));
	test_full_disk(context, &(test_writing){.rig = rig}, "full.bvh", "full.bvh", 4096);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(joints_are_where_the_rig_has_them),
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(angles_do_not_leap),
		cmocka_unit_test(orders_keep_away_from_gimbal_lock),
		cmocka_unit_test(free_bones_have_positions),
		cmocka_unit_test(skeletons_without_motion_rest),
		cmocka_unit_test(uneven_times_are_resampled),
		cmocka_unit_test(jitter_is_no_unevenness),
		cmocka_unit_test(long_chains_and_small_ones),
		cmocka_unit_test(every_allocation_may_fail),
		cmocka_unit_test(a_full_disk_leaves_the_old_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* tests/methods/test_make_characters.c: one rig for several characters: a sample in three
   proportions, each of which moves some limbs, so that only together do they show all bones. */
#include "support/compare.h"
#include "support/faults.h"
#include "support/support.h"

#include <ossa/characters.h>
#include <ossa/motion.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 3, POSES = 8 };

/* characters with their truth */
typedef struct crowd {
	ossa_context *context;
	size_t count;
	ossa_sample *sample;
	ossa_rig *truth[MOST];
	ossa_frames *frames[MOST];
	ossa_character characters[MOST];
} crowd;

/* ---- a sample in other proportions ---- */

static double length_of(size_t which, const ossa_bone *bone)
{
	static const double limbs[] = {1, 0.85, 0.7}, rest[] = {1, 1.05, 0.9};
	const bool is_limb = strstr(bone->name, "arm") || strstr(bone->name, "hand") || strstr(bone->name, "thigh") ||
		strstr(bone->name, "shin") || strstr(bone->name, "foot") || strstr(bone->name, "toe");
	return is_limb ? limbs[which] : rest[which];
}

/* a point of a bone at rest, with the bone as many times as long */
static ossai_vec3 stretched(const ossa_bone *bone, const double to[3], double length, ossai_vec3 point)
{
	const ossai_vec3 joint = ossai_v3_of(bone->joint), from = ossai_sub(point, joint);
	const ossai_vec3 along = ossai_unit(ossai_sub(ossai_v3_of(bone->tail), joint), ossai_v3(0, 1, 0));
	return ossai_add(ossai_v3_of(to), ossai_madd(from, (length - 1) * ossai_dot(from, along), along));
}

/* the sample's rig with other joints, a mesh to match, and poses in which some bones turn */
static ossa_rig *shape_rig(ossa_context *context, const ossa_rig *from, size_t which)
{
	static const double size[] = {1, 95, 0.7};
	const size_t width = (size_t)from->weights.influences, vertices = from->mesh->vertex_count;
	ossa_rig *rig;
	assert_ok(context, ossa_rig_create(context, from->mesh, from->skeleton.bone_count, from->weights.influences, &rig));
	memcpy(rig->weights.bones, from->weights.bones, vertices * width * sizeof *rig->weights.bones);
	memcpy(rig->weights.values, from->weights.values, vertices * width * sizeof *rig->weights.values);
	for (size_t b = 0; b < from->skeleton.bone_count; b++) {
		const ossa_bone *old = &from->skeleton.bones[b];
		ossa_bone *bone = &rig->skeleton.bones[b];
		*bone = *old;
		if (old->parent < 0) continue;
		const ossa_bone *parent = &from->skeleton.bones[old->parent];
		ossai_v3_store(
			stretched(parent, rig->skeleton.bones[old->parent].joint, length_of(which, parent), ossai_v3_of(old->joint)),
			bone->joint);
	}
	for (size_t v = 0; v < vertices; v++) {
		ossai_vec3 sum = {0, 0, 0};
		for (size_t i = v * width; i < (v + 1) * width; i++) {
			const size_t b = from->weights.bones[i];
			const ossa_bone *bone = &from->skeleton.bones[b];
			sum = ossai_madd(sum, (double)from->weights.values[i],
				stretched(bone, rig->skeleton.bones[b].joint, length_of(which, bone),
					ossai_v3_of_float(from->mesh->positions + 3 * v)));
		}
		rig->mesh->positions[3 * v] = (float)(size[which] * sum.x);
		rig->mesh->positions[3 * v + 1] = (float)(size[which] * sum.y);
		rig->mesh->positions[3 * v + 2] = (float)(size[which] * sum.z);
	}
	for (size_t b = 0; b < from->skeleton.bone_count; b++) {
		for (int i = 0; i < 3; i++) {
			rig->skeleton.bones[b].joint[i] *= size[which];
			rig->skeleton.bones[b].tail[i] *= size[which];
		}
	}
	return rig;
}

/* the first moves its left limbs, the second its right ones, the third what is between */
static bool is_moved(size_t which, const ossa_bone *bone)
{
	const size_t length = strlen(bone->name);
	const bool is_left = strcmp(bone->name + length - 2, "-l") == 0, is_right = strcmp(bone->name + length - 2, "-r") == 0;
	return which == 0 ? is_left : which == 1 ? is_right : !is_left && !is_right;
}

static double random_number(uint32_t *state) { return test_random_bits(state) / 8388608.0 - 1; }

static void move_rig(ossa_context *context, ossa_rig *rig, size_t which)
{
	const size_t bones = rig->skeleton.bone_count;
	uint32_t state = (uint32_t)which + 1;
	assert_ok(context, ossa_clip_create(context, POSES, bones, false, &rig->clip));
	for (size_t k = 0; k < POSES; k++) {
		rig->clip->times[k] = (double)k;
		for (size_t i = 0; i < 3; i++) rig->clip->root_positions[3 * k + i] = rig->skeleton.bones[0].joint[i];
		for (size_t b = 0; b < bones; b++) {
			const ossa_bone *bone = &rig->skeleton.bones[b];
			const ossai_quat own = ossai_quat_of(bone->orientation);
			const ossai_quat up = bone->parent < 0
				? ossai_quat_identity()
				: ossai_quat_conjugate(ossai_quat_of(rig->skeleton.bones[bone->parent].orientation));
			const ossai_quat turn = ossai_quat_unit(
				(ossai_quat){0.4 * random_number(&state), 0.4 * random_number(&state), 0.4 * random_number(&state), 1});
			const ossai_quat rest = ossai_quat_mul(up, own);
			ossai_quat_store(
				is_moved(which, bone) ? ossai_quat_mul(rest, turn) : rest, rig->clip->rotations + 4 * (k * bones + b));
		}
	}
}

static crowd make_crowd(ossa_context *context, int kind, int faces, size_t count)
{
	crowd c = {.context = context, .count = count};
	ossa_sample_options options = ossa_sample_default();
	options.kind = kind;
	options.faces = faces;
	options.frames = 1;
	assert_ok(context, ossa_sample_create(context, &options, &c.sample));
	for (size_t i = 0; i < count; i++) {
		c.truth[i] = shape_rig(context, c.sample->rig, i);
		move_rig(context, c.truth[i], i);
		assert_ok(context, ossa_rig_frames(context, c.truth[i], NULL, &c.frames[i]));
		c.characters[i].mesh = c.truth[i]->mesh;
		assert_ok(context, ossa_frame_stream_of_frames(context, c.frames[i], &c.characters[i].frames));
	}
	return c;
}

static void end_crowd(crowd *c)
{
	for (size_t i = 0; i < c->count; i++) {
		ossa_frame_stream_free(c->context, c->characters[i].frames);
		ossa_frames_free(c->context, c->frames[i]);
		ossa_rig_free(c->context, c->truth[i]);
	}
	ossa_sample_free(c->context, c->sample);
}

/* ---- what is compared ---- */

/* the true bone whose weights are most alike */
static size_t true_bone(const ossa_rig *truth, const ossa_rig *rig, size_t bone)
{
	size_t best = 0;
	double least = INFINITY;
	for (size_t b = 0; b < truth->skeleton.bone_count; b++) {
		double sum = 0;
		for (size_t v = 0; v < rig->mesh->vertex_count; v++) {
			sum += fabs((double)test_weight_of(&rig->weights, v, bone) - (double)test_weight_of(&truth->weights, v, b));
		}
		if (!(sum < least)) continue;
		least = sum;
		best = b;
	}
	return best;
}

static double largest_weight_difference(const ossa_rig *truth, const ossa_rig *rig)
{
	double most = 0;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		const size_t same = true_bone(truth, rig, b);
		for (size_t v = 0; v < rig->mesh->vertex_count; v++) {
			const double own = (double)test_weight_of(&rig->weights, v, b),
						 other = (double)test_weight_of(&truth->weights, v, same);
			most = fmax(most, fabs(own - other));
		}
	}
	return most;
}

/* of the joints of bones but the root, % of the diagonal; the tree is the true one */
static double farthest_joint(const ossa_rig *truth, const ossa_rig *rig)
{
	double most = 0;
	assert_int_equal(rig->skeleton.bone_count, truth->skeleton.bone_count);
	for (size_t b = 1; b < rig->skeleton.bone_count; b++) {
		const ossa_bone *bone = &rig->skeleton.bones[b], *same = &truth->skeleton.bones[true_bone(truth, rig, b)];
		assert_int_equal(true_bone(truth, rig, (size_t)bone->parent), same->parent);
		most = fmax(most, ossai_distance(ossai_v3_of(bone->joint), ossai_v3_of(same->joint)));
	}
	return 100 * most / test_diagonal(rig->mesh);
}

static void assert_shared(const ossa_rig *a, const ossa_rig *b)
{
	const size_t pairs = a->weights.vertex_count * (size_t)a->weights.influences;
	assert_int_equal(a->skeleton.bone_count, b->skeleton.bone_count);
	assert_int_equal(a->weights.influences, b->weights.influences);
	assert_memory_equal(a->weights.bones, b->weights.bones, pairs * sizeof *a->weights.bones);
	assert_memory_equal(a->weights.values, b->weights.values, pairs * sizeof *a->weights.values);
	for (size_t i = 0; i < a->skeleton.bone_count; i++) {
		assert_string_equal(a->skeleton.bones[i].name, b->skeleton.bones[i].name);
		assert_int_equal(a->skeleton.bones[i].parent, b->skeleton.bones[i].parent);
		assert_int_equal(a->skeleton.bones[i].kind, b->skeleton.bones[i].kind);
	}
}

static void assert_same_rigs(const ossa_rig *a, const ossa_rig *b)
{
	assert_shared(a, b);
	assert_memory_equal(a->skeleton.bones, b->skeleton.bones, a->skeleton.bone_count * sizeof *a->skeleton.bones);
	if (!a->clip) return;
	assert_memory_equal(
		a->clip->rotations, b->clip->rotations, 4 * a->clip->frame_count * a->clip->bone_count * sizeof *a->clip->rotations);
}

static ossa_rig_options with_bones(ossa_context *context, ossa_method_options **methods, const char *bones)
{
	ossa_rig_options options = ossa_rig_default();
	assert_ok(context, ossa_method_options_create(context, methods));
	options.methods = *methods;
	if (bones) assert_ok(context, ossa_rig_option_set(context, &options, "bones", bones));
	return options;
}

/* ---- exact characters ---- */

static void only_together_they_show_all_bones(void **state)
{
	(void)state;
	static const int kinds[] = {OSSA_SAMPLE_BIPED, OSSA_SAMPLE_QUADRUPED};
	ossa_context *context = test_context(2);
	for (size_t kind = 0; kind < 2; kind++) {
		crowd c = make_crowd(context, kinds[kind], 2000, MOST);
		ossa_characters_result result;
		assert_ok(context, ossa_rig_make_characters(context, MOST, c.characters, NULL, &result));
		assert_int_equal(result.count, MOST);
		assert_true(result.carried_percent > 0.01 && result.solved_percent < 1e-3);
		for (size_t i = 0; i < MOST; i++) {
			const ossa_character_rig *made = &result.rigs[i];
			assert_ok(context, ossa_rig_validate(context, made->rig));
			assert_shared(result.rigs[0].rig, made->rig);
			assert_int_equal(made->frame_count, POSES);
			assert_true(made->hierarchy.rms_percent < 1e-3);
			assert_true(largest_weight_difference(c.truth[i], made->rig) < 3e-3);
			/* joints that the character does not move are by the others and the shape; the root of
			   the quadruped's truth is another bone, and so are its joints */
			assert_true(kind == 1 || farthest_joint(c.truth[i], made->rig) < 0.2);
		}
		ossa_characters_result_free(context, &result);
		end_crowd(&c);
	}
	test_context_end(context);
}

static void a_still_character_gets_joints_by_shape(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	crowd c = make_crowd(context, OSSA_SAMPLE_BIPED, 2000, MOST);
	ossa_characters_result result;
	ossa_frame_stream *stream = c.characters[1].frames;
	c.characters[1].frames = NULL;
	c.characters[1].name = "woman.obj";
	assert_ok(context, ossa_rig_make_characters(context, MOST, c.characters, NULL, &result));
	assert_int_equal(test_warned(context, "still-character"), 1);
	assert_non_null(strstr(test_warning_text(context, "still-character"), "woman.obj"));
	const ossa_character_rig *still = &result.rigs[1];
	assert_true(!still->rig->clip && still->frame_count == 0 && !still->bone_rms && isnan(still->solved_percent));
	assert_shared(result.rigs[0].rig, still->rig);
	/* the right limbs do not move, and are no bones; the joints of the left ones are near */
	size_t left = 0;
	for (size_t b = 1; b < still->rig->skeleton.bone_count; b++) {
		const ossa_bone *same = &c.truth[1]->skeleton.bones[true_bone(c.truth[1], still->rig, b)];
		const ossai_vec3 own = ossai_v3_of(still->rig->skeleton.bones[b].joint);
		if (!is_moved(0, same)) continue;
		left++;
		assert_true(ossai_distance(own, ossai_v3_of(same->joint)) < 0.002 * test_diagonal(still->rig->mesh));
	}
	assert_int_equal(left, 7);
	ossa_characters_result_free(context, &result);
	c.characters[1].frames = stream;
	end_crowd(&c);
	test_context_end(context);
}

static void nobody_needs_to_move(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	crowd c = make_crowd(context, OSSA_SAMPLE_BIPED, 2000, 2);
	ossa_character still[] = {{NULL, c.truth[0]->mesh, NULL}, {NULL, c.truth[1]->mesh, NULL}};
	ossa_characters_result result;
	assert_ok(context, ossa_rig_make_characters(context, 2, still, NULL, &result));
	assert_false(result.method->takes_motion);
	assert_true(isnan(result.solved_percent) && result.base == 0);
	assert_shared(result.rigs[0].rig, result.rigs[1].rig);
	assert_ok(context, ossa_rig_validate(context, result.rigs[1].rig));
	ossa_characters_result_free(context, &result);
	end_crowd(&c);
	test_context_end(context);
}

static void one_character_twice(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	crowd c = make_crowd(context, OSSA_SAMPLE_BIPED, 1200, 1);
	ossa_character twice[] = {c.characters[0], c.characters[0]};
	ossa_characters_result result;
	assert_ok(context, ossa_rig_make_characters(context, 2, twice, NULL, &result));
	assert_shared(result.rigs[0].rig, result.rigs[1].rig);
	for (size_t b = 0; b < result.rigs[0].rig->skeleton.bone_count; b++) {
		assert_near_array(3, result.rigs[0].rig->skeleton.bones[b].joint, result.rigs[1].rig->skeleton.bones[b].joint, 1e-4);
	}
	ossa_characters_result_free(context, &result);
	end_crowd(&c);
	test_context_end(context);
}

/* ---- what does not matter ---- */

static void order_and_threads_do_not_matter(void **state)
{
	(void)state;
	static const size_t orders[][MOST] = {{0, 1, 2}, {2, 0, 1}, {1, 2, 0}};
	const size_t count = test_is_long() ? 3 : 2;
	ossa_characters_result results[3];
	ossa_context *contexts[3];
	crowd crowds[3];
	for (size_t n = 0; n < count; n++) {
		ossa_character ordered[MOST];
		contexts[n] = test_context((int)n + 1);
		crowds[n] = make_crowd(contexts[n], OSSA_SAMPLE_BIPED, 1200, MOST);
		for (size_t i = 0; i < MOST; i++) ordered[i] = crowds[n].characters[orders[n][i]];
		assert_ok(contexts[n], ossa_rig_make_characters(contexts[n], MOST, ordered, NULL, &results[n]));
	}
	for (size_t n = 1; n < count; n++) {
		assert_int_equal(orders[n][results[n].base], results[0].base);
		for (size_t i = 0; i < MOST; i++) assert_same_rigs(results[0].rigs[orders[n][i]].rig, results[n].rigs[i].rig);
	}
	for (size_t n = 0; n < count; n++) {
		ossa_characters_result_free(contexts[n], &results[n]);
		end_crowd(&crowds[n]);
		test_context_end(contexts[n]);
	}
}

/* ---- bad input ---- */

static void refuse(
	const crowd *c, const ossa_character *characters, const ossa_rig_options *options, ossa_status status, const char *words)
{
	ossa_characters_result result;
	assert_fails(c->context, ossa_rig_make_characters(c->context, 2, characters, options, &result), status, words);
	assert_true(result.count == 0 && !result.rigs);
}

static void other_topologies_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	crowd c = make_crowd(context, OSSA_SAMPLE_TUBE, 1000, 2);
	ossa_sample *other = test_sample_of_kind(context, OSSA_SAMPLE_TUBE, 1500, 1);
	char words[80];
	ossa_character pair[] = {c.characters[0], c.characters[1]};
	pair[1].name = "woman.obj";
	pair[1].mesh = other->rig->mesh;
	snprintf(words, sizeof words, "woman.obj has %zu vertices and character 1 has %zu", other->rig->mesh->vertex_count,
		c.truth[0]->mesh->vertex_count);
	refuse(&c, pair, NULL, OSSA_ERROR_INPUT, words);
	pair[1].mesh = c.truth[1]->mesh;
	/* another order of faces, and one face that is no face of the first */
	uint32_t *corners = c.truth[1]->mesh->corner_vertex, *triangles = c.truth[1]->mesh->triangles;
	for (size_t i = 0; i < 3; i++) {
		const uint32_t kept = corners[i];
		corners[i] = triangles[i] = corners[3 + i];
		corners[3 + i] = triangles[3 + i] = kept;
	}
	refuse(&c, pair, NULL, OSSA_ERROR_INPUT, "in another order");
	corners[0] = triangles[0] = corners[30];
	refuse(&c, pair, NULL, OSSA_ERROR_INPUT, "not of one topology");
	ossa_sample_free(context, other);
	end_crowd(&c);
	test_context_end(context);
}

static void options_of_one_shape_are_refused(void **state)
{
	(void)state;
	static const char *const set[][2] = {
		{"symmetry", "detect"}, {"twist", "1"}, {"reference", "1"}, {"articulation", "face"}, {"refine", "0"}};
	ossa_context *context = test_context(1);
	crowd c = make_crowd(context, OSSA_SAMPLE_TUBE, 1000, 2);
	for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
		ossa_method_options *methods;
		ossa_rig_options options = with_bones(context, &methods, NULL);
		assert_ok(context, ossa_rig_option_set(context, &options, set[i][0], set[i][1]));
		refuse(&c, c.characters, &options, OSSA_ERROR_ARGUMENT, set[i][0]);
		ossa_method_options_free(context, methods);
	}
	ossa_character none[2] = {c.characters[0], {0}};
	refuse(&c, none, NULL, OSSA_ERROR_ARGUMENT, "the mesh of character 2 is NULL");
	end_crowd(&c);
	test_context_end(context);
}

/* ---- memory ---- */

static ossa_status make_in_sweep(ossa_context *context, void *arg)
{
	const crowd *c = arg;
	ossa_character characters[2] = {c->characters[0], c->characters[1]};
	ossa_characters_result result;
	ossa_frame_stream *streams[2] = {NULL, NULL};
	ossa_rig_options options = ossa_rig_default();
	ossa_status status = OSSA_OK;
	/* test_make_moving has memory fail while a body is looked for, which takes most of the time */
	options.body = OSSA_BODY_NONE;
	for (size_t i = 0; i < 2 && status == OSSA_OK; i++) {
		status = ossa_frame_stream_of_frames(context, c->frames[i], &streams[i]);
		characters[i].frames = streams[i];
	}
	if (status == OSSA_OK) status = ossa_rig_make_characters(context, 2, characters, &options, &result);
	if (status == OSSA_OK) ossa_characters_result_free(context, &result);
	for (size_t i = 0; i < 2; i++) ossa_frame_stream_free(context, streams[i]);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	crowd c = make_crowd(context, OSSA_SAMPLE_PIECES, 1000, 2);
	test_allocation_sweep(make_in_sweep, &c, 40, 397);
	end_crowd(&c);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(only_together_they_show_all_bones),
		cmocka_unit_test(a_still_character_gets_joints_by_shape), cmocka_unit_test(nobody_needs_to_move),
		cmocka_unit_test(one_character_twice), cmocka_unit_test(order_and_threads_do_not_matter),
		cmocka_unit_test(other_topologies_are_refused), cmocka_unit_test(options_of_one_shape_are_refused),
		cmocka_unit_test(every_allocation_may_fail)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

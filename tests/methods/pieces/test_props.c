/* tests/methods/pieces/test_props.c: what a body holds, wears or stands on is found by its shape,
   and the body is rigged as if it were alone. */
#include "support/compare.h"
#include "support/pieces.h"
#include "support/still.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FACES = 2400, PROXY = 3000 };

typedef struct armed {
	ossa_context *context;
	ossa_sample *body;
	test_shape *shape; /* the body, then what it holds */
	double height;
} armed;

static armed armed_begin(int threads, int kind)
{
	armed t = {.context = test_context(threads), .shape = test_shape_new()};
	t.body = test_sample(t.context, kind, FACES);
	const ossa_mesh *mesh = t.body->rig->mesh;
	double low = INFINITY, high = -INFINITY;
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		low = fmin(low, mesh->positions[3 * v + 1]);
		high = fmax(high, mesh->positions[3 * v + 1]);
	}
	t.height = high - low;
	test_pieces_add(t.shape, mesh, 0, 0, 0);
	return t;
}

static void armed_end(armed *t)
{
	free(t->shape);
	ossa_sample_free(t->context, t->body);
	test_context_end(t->context);
}

/* from and to: of its box, from the end of a bone of the sample, in heights */
static void add_box(armed *t, const char *bone, ossai_vec3 from, ossai_vec3 to)
{
	const ossai_vec3 at = ossai_v3_of(test_bone(t->body->rig, bone)->tail);
	test_shape_box(t->shape, ossai_madd(at, t->height, from), ossai_madd(at, t->height, to), true);
}

/* a guard at the hand, and a blade, which points ahead */
static void add_sword(armed *t, const char *hand)
{
	add_box(t, hand, ossai_v3(-0.06, -0.014, 0.045), ossai_v3(0.06, 0.014, 0.065));
	add_box(t, hand, ossai_v3(-0.02, -0.006, 0.06), ossai_v3(0.02, 0.006, 0.5));
}

static void add_shield(armed *t) { add_box(t, "hand-l", ossai_v3(-0.16, -0.18, 0.03), ossai_v3(0.14, 0.18, 0.06)); }

static void add_base(armed *t) { add_box(t, "foot-l", ossai_v3(-0.5, -0.05, -0.4), ossai_v3(0.3, -0.01, 0.3)); }

static ossa_rig *rig_of(armed *t, bool props, bool by_volume)
{
	ossa_mesh *mesh = test_pieces_mesh(t->context, t->shape);
	ossa_rig *rig;
	ossa_context_reset(t->context);
	if (by_volume) {
		ossa_volume_options options = ossa_volume_default();
		options.props = props;
		assert_ok(t->context, ossa_rig_from_volume(t->context, mesh, &options, &rig));
	} else {
		ossa_contraction_options options = ossa_contraction_default();
		options.props = props;
		options.proxy_size = PROXY;
		assert_ok(t->context, ossa_rig_from_contraction(t->context, mesh, &options, &rig));
	}
	assert_ok(t->context, ossa_rig_validate(t->context, rig));
	ossa_mesh_free(t->context, mesh);
	return rig;
}

/* its bones and the weights of its skin are those of the body alone; all else follows one bone */
static void assert_as_alone(const ossa_rig *rig, const ossa_rig *alone)
{
	const ossa_weights *own = &rig->weights, *body = &alone->weights;
	assert_int_equal(rig->skeleton.bone_count, alone->skeleton.bone_count);
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		assert_string_equal(rig->skeleton.bones[b].name, alone->skeleton.bones[b].name);
		assert_true(
			ossai_distance(ossai_v3_of(rig->skeleton.bones[b].joint), ossai_v3_of(alone->skeleton.bones[b].joint)) < 1e-6);
	}
	assert_int_equal(own->influences, body->influences);
	for (size_t i = 0; i < body->vertex_count * (size_t)body->influences; i++) {
		assert_true(fabsf(own->values[i] - body->values[i]) < 1e-5F);
		if (body->values[i] > 1e-4F) assert_int_equal(own->bones[i], body->bones[i]);
	}
	for (size_t v = body->vertex_count; v < own->vertex_count; v++) assert_true(own->values[v * (size_t)own->influences] == 1);
}

/* the part of the body that vertices from `first` on follow */
static ossa_body_part part_of(const ossa_rig *rig, size_t first, int *side)
{
	const ossa_bone *bone = &rig->skeleton.bones[rig->weights.bones[first * (size_t)rig->weights.influences]];
	*side = bone->role.side;
	return bone->role.part;
}

static void the_body_is_rigged_as_if_alone(void **state)
{
	(void)state;
	for (int by_volume = 0; by_volume < 2; by_volume++) {
		armed t = armed_begin(2, OSSA_SAMPLE_BIPED);
		ossa_rig *alone = rig_of(&t, true, by_volume);
		const size_t own = t.shape->vertex_count;
		assert_int_equal(test_warned(t.context, "props"), 0);
		const size_t props = by_volume ? 2 : 4;
		add_sword(&t, "hand-r");
		if (props > 2) add_shield(&t);
		if (props > 2) add_base(&t);
		ossa_rig *rig = rig_of(&t, true, by_volume);
		assert_int_equal(test_warned(t.context, "props"), props);
		assert_as_alone(rig, alone);
		int side[4];
		ossa_body_part part[4];
		for (size_t i = 0; i < props; i++) part[i] = part_of(rig, own + 8 * i, &side[i]);
		/* guard and blade follow the right hand, the shield the left one */
		for (size_t i = 0; i < 2; i++) assert_true(part[i] == OSSA_PART_HAND && side[i] == -1);
		if (props > 2) assert_true(part[2] == OSSA_PART_HAND && side[2] == 1);
		if (props > 2) assert_true(part[3] == OSSA_PART_FOOT || part[3] == OSSA_PART_TOES);
		ossa_rig_free(t.context, rig);
		ossa_rig_free(t.context, alone);
		armed_end(&t);
	}
}

/* in a hand, which it does not hide */
static void a_grip_follows_with_the_blade(void **state)
{
	(void)state;
	armed t = armed_begin(2, OSSA_SAMPLE_BIPED);
	const size_t own = t.shape->vertex_count;
	add_box(&t, "hand-r", ossai_v3(-0.012, -0.012, -0.06), ossai_v3(0.012, 0.012, 0.05));
	add_sword(&t, "hand-r");
	ossa_rig *rig = rig_of(&t, true, false);
	assert_true(test_warned(t.context, "props") >= 2);
	for (size_t v = own; v < t.shape->vertex_count; v++) {
		int side;
		assert_int_equal(part_of(rig, v, &side), OSSA_PART_HAND);
		assert_int_equal(side, -1);
		assert_true(rig->weights.values[v * (size_t)rig->weights.influences] == 1);
	}
	ossa_rig_free(t.context, rig);
	armed_end(&t);
}

static void a_quadruped_stands_on_a_base(void **state)
{
	(void)state;
	armed t = armed_begin(2, OSSA_SAMPLE_QUADRUPED);
	ossa_rig *alone = rig_of(&t, true, false);
	test_shape_box(t.shape, ossai_v3(-0.54, -0.055, -1.2), ossai_v3(0.54, 0.006, 1.3), true);
	ossa_rig *rig = rig_of(&t, true, false);
	assert_int_equal(rig->body.kind, OSSA_BODY_QUADRUPED);
	assert_int_equal(test_warned(t.context, "props"), 1);
	assert_as_alone(rig, alone);
	ossa_rig_free(t.context, rig);
	ossa_rig_free(t.context, alone);
	armed_end(&t);
}

/* its legs are pieces of their own, which touch the base and bend all the same */
static void pieces_that_bend_do_not_follow_a_prop(void **state)
{
	(void)state;
	armed t = armed_begin(2, OSSA_SAMPLE_PIECES);
	ossa_rig *alone = rig_of(&t, true, false);
	const float *positions = t.body->rig->mesh->positions;
	ossai_vec3 low = ossai_v3(INFINITY, INFINITY, INFINITY), high = ossai_scale(low, -1);
	for (size_t v = 0; v < t.body->rig->mesh->vertex_count; v++) {
		const ossai_vec3 p = ossai_v3_of_float(positions + 3 * v);
		low = ossai_v3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
		high = ossai_v3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
	}
	const double top = low.y + 0.005 * t.height;
	test_shape_box(t.shape, ossai_v3(low.x, low.y - 0.04 * t.height, low.z - 0.4 * t.height),
		ossai_v3(high.x, top, high.z + 0.4 * t.height), true);
	ossa_rig *rig = rig_of(&t, true, false);
	assert_int_equal(test_warned(t.context, "props"), 1);
	assert_as_alone(rig, alone);
	ossa_rig_free(t.context, rig);
	ossa_rig_free(t.context, alone);
	armed_end(&t);
}

/* the other one is its prop, though both are copies of each other */
static void one_of_two_bodies_is_rigged(void **state)
{
	(void)state;
	armed t = armed_begin(2, OSSA_SAMPLE_BIPED);
	ossa_rig *alone = rig_of(&t, true, false);
	const double beside = 1.3 * t.height;
	test_pieces_add(t.shape, t.body->rig->mesh, beside, 0, 0);
	ossa_rig *rig = rig_of(&t, true, false);
	assert_int_equal(test_warned(t.context, "props"), 1);
	assert_int_equal(rig->body.kind, OSSA_BODY_HUMAN);
	assert_int_equal(rig->skeleton.bone_count, alone->skeleton.bone_count);
	const double moved = rig->skeleton.bones[0].joint[0] - alone->skeleton.bones[0].joint[0] > beside / 2 ? beside : 0;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		const ossai_vec3 joint = ossai_sub(ossai_v3_of(rig->skeleton.bones[b].joint), ossai_v3(moved, 0, 0));
		assert_true(ossai_distance(joint, ossai_v3_of(alone->skeleton.bones[b].joint)) < 1e-3 * t.height);
	}
	ossa_rig_free(t.context, rig);
	ossa_rig_free(t.context, alone);
	armed_end(&t);
}

static void add_box_at(test_shape *shape, ossai_vec3 at, ossai_vec3 half)
{
	test_shape_box(shape, ossai_sub(at, half), ossai_add(at, half), true);
}

/* of boxes, as toys are: a weapon that has the size of a forearm is no third one */
static void a_weapon_may_look_like_a_limb(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	test_shape *shape = test_shape_new();
	add_box_at(shape, ossai_v3(0, 1.15, 0), ossai_v3(0.2, 0.28, 0.11));
	add_box_at(shape, ossai_v3(0, 1.62, 0), ossai_v3(0.12, 0.14, 0.12));
	add_box_at(shape, ossai_v3(0, 0.82, 0), ossai_v3(0.17, 0.08, 0.1));
	for (int side = -1; side <= 1; side += 2) {
		add_box_at(shape, ossai_v3(0.36 * side, 1.33, 0), ossai_v3(0.17, 0.06, 0.06));
		add_box_at(shape, ossai_v3(0.68 * side, 1.33, 0), ossai_v3(0.17, 0.05, 0.05));
		add_box_at(shape, ossai_v3(0.91 * side, 1.33, 0), ossai_v3(0.08, 0.06, 0.03));
		add_box_at(shape, ossai_v3(0.1 * side, 0.58, 0), ossai_v3(0.08, 0.2, 0.08));
		add_box_at(shape, ossai_v3(0.1 * side, 0.22, 0), ossai_v3(0.07, 0.19, 0.07));
		add_box_at(shape, ossai_v3(0.1 * side, 0.03, 0.05), ossai_v3(0.07, 0.04, 0.13));
	}
	const size_t own = shape->vertex_count;
	add_box_at(shape, ossai_v3(-0.93, 1.33, 0.19), ossai_v3(0.05, 0.05, 0.17));
	ossa_mesh *mesh = test_pieces_mesh(context, shape);
	ossa_contraction_options options = ossa_contraction_default();
	ossa_rig *rig;
	int side;
	assert_ok(context, ossa_rig_from_contraction(context, mesh, &options, &rig));
	assert_int_equal(test_warned(context, "props"), 1);
	assert_int_equal(rig->body.kind, OSSA_BODY_HUMAN);
	assert_int_equal(part_of(rig, own, &side), OSSA_PART_HAND);
	assert_int_equal(side, -1);
	ossa_rig_free(context, rig);
	ossa_mesh_free(context, mesh);
	free(shape);
	test_context_end(context);
}

static void props_are_rigid_by_any_weights(void **state)
{
	(void)state;
	armed t = armed_begin(2, OSSA_SAMPLE_BIPED);
	const size_t own = t.shape->vertex_count;
	add_sword(&t, "hand-r");
	ossa_mesh *mesh = test_pieces_mesh(t.context, t.shape);
	ossa_volume_options options = ossa_volume_default();
	ossa_rig *rig;
	options.weights = OSSA_WEIGHTS_COVERAGE;
	assert_ok(t.context, ossa_rig_from_volume(t.context, mesh, &options, &rig));
	assert_int_equal(test_warned(t.context, "props"), 2);
	for (size_t v = own; v < mesh->vertex_count; v++) {
		int side;
		assert_true(rig->weights.values[v * (size_t)rig->weights.influences] == 1);
		assert_int_equal(part_of(rig, v, &side), OSSA_PART_HAND);
	}
	ossa_rig_free(t.context, rig);
	ossa_mesh_free(t.context, mesh);
	armed_end(&t);
}

static void nothing_is_left_out_on_demand(void **state)
{
	(void)state;
	armed t = armed_begin(2, OSSA_SAMPLE_BIPED);
	add_sword(&t, "hand-r");
	ossa_rig *rig = rig_of(&t, false, false);
	assert_int_equal(test_warned(t.context, "props"), 0);
	assert_true(rig->body.score < 20);
	ossa_rig_free(t.context, rig);
	armed_end(&t);
}

/* what explains a limb is none: the hands of a robot, eyes, a hat that hides nothing */
static void parts_of_the_body_stay(void **state)
{
	(void)state;
	armed t = armed_begin(2, OSSA_SAMPLE_PIECES);
	ossa_rig *rig = rig_of(&t, true, false), *same = rig_of(&t, false, false);
	assert_memory_equal(rig->skeleton.bones, same->skeleton.bones, same->skeleton.bone_count * sizeof *same->skeleton.bones);
	ossa_rig_free(t.context, same);
	ossa_rig_free(t.context, rig);
	armed_end(&t);
	t = armed_begin(2, OSSA_SAMPLE_BIPED);
	add_box(&t, "head", ossai_v3(-0.07, -0.05, -0.07), ossai_v3(0.07, 0.06, 0.07));
	rig = rig_of(&t, true, false);
	assert_int_equal(test_warned(t.context, "props"), 0);
	ossa_rig_free(t.context, rig);
	armed_end(&t);
}

/* in any order, moved and scaled */
static void the_answer_is_one(void **state)
{
	(void)state;
	ossa_rig *first = NULL;
	armed t = armed_begin(1, OSSA_SAMPLE_BIPED);
	add_sword(&t, "hand-r");
	ossa_mesh *mesh = test_pieces_mesh(t.context, t.shape);
	test_mesh_to_grid(mesh);
	const ossai_mat3 same = ossai_mat3_identity();
	ossa_mesh *moved = test_mesh_moved(t.context, mesh), *shuffled = test_mesh_shuffled(t.context, mesh, &same);
	ossa_mesh *const all[] = {mesh, moved, shuffled};
	ossa_contraction_options options = ossa_contraction_default();
	options.proxy_size = PROXY;
	for (size_t i = 0; i < 3; i++) {
		ossa_rig *rig;
		assert_ok(t.context, ossa_rig_from_contraction(t.context, all[i], &options, &rig));
		if (!first) first = rig;
		assert_int_equal(rig->skeleton.bone_count, first->skeleton.bone_count);
		for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
			const double *joint = rig->skeleton.bones[b].joint;
			const ossai_vec3 at = i == 1 ? test_point_moved_back(joint) : ossai_v3_of(joint);
			assert_string_equal(rig->skeleton.bones[b].name, first->skeleton.bones[b].name);
			assert_true(ossai_distance(at, ossai_v3_of(first->skeleton.bones[b].joint)) < 0.01 * t.height);
		}
		if (rig != first) ossa_rig_free(t.context, rig);
		ossa_mesh_free(t.context, all[i]);
	}
	assert_int_equal(test_warned(t.context, "props"), 3 * 2);
	ossa_rig_free(t.context, first);
	armed_end(&t);
}

/* sets are tried beside each other, and some for nothing */
static void threads_change_nothing(void **state)
{
	(void)state;
	armed t[2];
	ossa_rig *rig[2];
	for (int i = 0; i < 2; i++) {
		t[i] = armed_begin(i == 0 ? 1 : 5, OSSA_SAMPLE_BIPED);
		add_sword(&t[i], "hand-r");
		add_shield(&t[i]);
		add_base(&t[i]);
		rig[i] = rig_of(&t[i], true, false);
		assert_int_equal(test_warned(t[i].context, "props"), 4);
	}
	const ossa_weights *own = &rig[0]->weights, *other = &rig[1]->weights;
	const size_t bones = rig[0]->skeleton.bone_count, pairs = own->vertex_count * (size_t)own->influences;
	assert_int_equal(rig[1]->skeleton.bone_count, bones);
	assert_memory_equal(rig[0]->skeleton.bones, rig[1]->skeleton.bones, bones * sizeof *rig[0]->skeleton.bones);
	assert_memory_equal(own->values, other->values, pairs * sizeof *own->values);
	assert_memory_equal(own->bones, other->bones, pairs * sizeof *own->bones);
	for (int i = 0; i < 2; i++) {
		ossa_rig_free(t[i].context, rig[i]);
		armed_end(&t[i]);
	}
}

static ossa_status rig_in(ossa_context *context, void *arg)
{
	ossa_contraction_options options = ossa_contraction_default();
	ossa_rig *rig;
	options.proxy_size = 600;
	const ossa_status status = ossa_rig_from_contraction(context, arg, &options, &rig);
	ossa_rig_free(context, rig);
	return status;
}

static void memory_may_end_anywhere(void **state)
{
	(void)state;
	armed t = armed_begin(1, OSSA_SAMPLE_BIPED);
	add_sword(&t, "hand-r");
	ossa_mesh *mesh = test_pieces_mesh(t.context, t.shape);
	test_allocation_sweep(rig_in, mesh, 0, test_is_long() ? 37 : 401);
	ossa_mesh_free(t.context, mesh);
	armed_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_body_is_rigged_as_if_alone),
		cmocka_unit_test(a_grip_follows_with_the_blade),
		cmocka_unit_test(a_quadruped_stands_on_a_base),
		cmocka_unit_test(pieces_that_bend_do_not_follow_a_prop),
		cmocka_unit_test(one_of_two_bodies_is_rigged),
		cmocka_unit_test(a_weapon_may_look_like_a_limb),
		cmocka_unit_test(props_are_rigid_by_any_weights),
		cmocka_unit_test(threads_change_nothing),
		cmocka_unit_test(nothing_is_left_out_on_demand),
		cmocka_unit_test(parts_of_the_body_stay),
		cmocka_unit_test(the_answer_is_one),
		cmocka_unit_test(memory_may_end_anywhere),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

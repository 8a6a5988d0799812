/* tests/import/alembic/test_alembic_xform.c: transforms of Alembic files as nodes and channels,
   and instances. */
#include "support/alembic_scene.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>

/* ---- transforms ---- */

/* /outer/inner/shape, and a second mesh at /outer/group/second */
static ogawa_bytes make_hierarchy(const alembic_xform *outer, const alembic_xform *inner)
{
	ogawa_bytes file = ogawa_begin();
	const alembic_form form = {.stored = 1, .positions.is_constant = 1};
	ogawa_list in = ogawa_object(alembic_make_xform(&file, inner));
	ogawa_add_object(&in, "shape", NULL, 1, alembic_make_mesh(&file, &form, false));
	ogawa_list group = ogawa_object(0);
	ogawa_add_object(&group, "second", NULL, 1, alembic_make_mesh(&file, &form, false));
	ogawa_list out = ogawa_object(alembic_make_xform(&file, outer));
	const uint64_t in_position = ogawa_close_object(&file, &in), group_position = ogawa_close_object(&file, &group);
	ogawa_add_object(&out, "inner", NULL, 2, in_position);
	ogawa_add_object(&out, "group", NULL, 0, group_position);
	ogawa_list top = ogawa_object(0);
	const uint64_t out_position = ogawa_close_object(&file, &out);
	ogawa_add_object(&top, "outer", NULL, 2, out_position);
	alembic_finish(&file, &top);
	return file;
}

static const alembic_xform no_ops = {.samples = 1};

/* what an op does to a point, from its definition */
static ossai_vec3 apply_op(const ossai_op *op, ossai_vec3 p)
{
	const double *v = op->values;
	switch (op->kind) {
	case OSSAI_OP_TRANSLATE: return ossai_add(p, ossai_v3_of(v));
	case OSSAI_OP_SCALE: return ossai_v3(p.x * v[0], p.y * v[1], p.z * v[2]);
	case OSSAI_OP_MATRIX:
		return ossai_v3(v[0] * p.x + v[1] * p.y + v[2] * p.z + v[3], v[4] * p.x + v[5] * p.y + v[6] * p.z + v[7],
			v[8] * p.x + v[9] * p.y + v[10] * p.z + v[11]);
	case OSSAI_OP_TURN:
	case OSSAI_OP_ROTATE: break;
	}
	const ossai_quat q = op->kind == OSSAI_OP_ROTATE
		? ossai_quat_of(v)
		: ossai_quat_axis_angle(ossai_unit(ossai_v3_of(v), ossai_v3(0, 0, 0)), v[3] * OSSAI_PI / 180);
	const ossai_mat3 m = ossai_quat_matrix(q);
	return ossai_mat3_mul_v(&m, p);
}

static void check_point(const ossai_asset_node *node, ossai_vec3 p, double x, double y, double z)
{
	for (size_t i = node->op_count; i-- > 0;) p = apply_op(&node->ops[i], p);
	assert_near(p.x, x, 1e-12);
	assert_near(p.y, y, 1e-12);
	assert_near(p.z, z, 1e-12);
}

static void transforms_become_nodes(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	/* move, turn about y by 90 degrees, turn about x, y and z, scale: the last is done first */
	const alembic_xform outer = {
		.op_count = 3, .width = 10, .samples = 1, .ops = {16, 32, 0}, .values = {1, 2, 3, 0, 2, 0, 90, 2, 3, 4}};
	const alembic_xform inner = {.op_count = 4,
		.width = 19,
		.samples = 1,
		.ops = {64, 80, 96 | 1, 48},
		.as_array = true,
		.values = {90, 90, 90,
			/* x to y, y to z, z to x, then moved: rows are where the axes go */
			0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 5, 6, 7, 1}};
	ogawa_bytes file = make_hierarchy(&outer, &inner);
	ossai_source source;
	ossai_asset asset;
	assert_ok(context, alembic_open(context, &file, &source, &asset));
	assert_int_equal(asset.node_count, 2);
	assert_string_equal(asset.nodes[0].name, "outer");
	assert_int_equal(asset.nodes[0].parent, OSSA_NONE);
	assert_int_equal(asset.nodes[1].parent, 0);
	assert_int_equal(asset.nodes[1].op_count, 4);
	/* (1,1,1) scaled (2,3,4), turned about y: x = z, z = -x, moved */
	check_point(&asset.nodes[0], ossai_v3(1, 1, 1), 5, 5, 1);
	/* (1,0,0): matrix (5,7,7); about z: (-7,5,7); about y: (7,5,7); about x: (7,-7,5) */
	check_point(&asset.nodes[1], ossai_v3(1, 0, 0), 7, -7, 5);
	assert_int_equal(asset.mesh_count, 2);
	assert_string_equal(asset.meshes[0].mesh->name, "shape");
	assert_int_equal(asset.meshes[0].node, 1);
	assert_string_equal(asset.meshes[1].mesh->name, "second");
	assert_int_equal(asset.meshes[1].node, 0);
	assert_int_equal(asset.clip_count, 0);
	ossai_asset_close(&asset);
	ogawa_free(&file);
	test_context_end(context);
}

static void a_transform_may_stand_alone(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const alembic_xform inner = {.op_count = 1, .width = 3, .samples = 1, .ops = {16}, .values = {1, 2, 3}, .alone = true};
	ogawa_bytes file = make_hierarchy(&inner, &inner);
	ossai_source source;
	ossai_asset asset;
	assert_ok(context, alembic_open(context, &file, &source, &asset));
	assert_int_equal(asset.nodes[0].parent, OSSA_NONE);
	assert_int_equal(asset.nodes[1].parent, OSSA_NONE);
	ossai_asset_close(&asset);
	ogawa_free(&file);
	file = make_hierarchy(&no_ops, &no_ops);
	assert_ok(context, alembic_open(context, &file, &source, &asset));
	assert_int_equal(asset.nodes[1].op_count, 0);
	assert_int_equal(asset.nodes[1].parent, 0);
	ossai_asset_close(&asset);
	ogawa_free(&file);
	test_context_end(context);
}

static const ossai_asset_channel *find_channel(const ossai_asset *asset, uint32_t node, uint32_t op)
{
	for (size_t i = 0; i < asset->clips[0].channel_count; i++) {
		const ossai_asset_channel *channel = &asset->clips[0].channels[i];
		if (channel->node == node && channel->op == op) return channel;
	}
	return NULL;
}

static void moving_transforms_become_channels(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	/* move (moves), turn (its angle), scale (stays), matrix (its shift) */
	const alembic_xform outer = {.op_count = 3,
		.width = 10,
		.samples = 3,
		.ops = {16, 32, 0},
		.sampling = 2,
		.values = {1, 2, 3, 0, 1, 0, 10, 2, 2, 2, 1, 2, 4, 0, 1, 0, 20, 2, 2, 2, 1, 2, 5, 0, 1, 0, 350, 2, 2, 2}};
	/* turn about an axis that changes */
	const alembic_xform inner = {
		.op_count = 2, .width = 5, .samples = 2, .ops = {32, 64}, .sampling = 1, .values = {1, 0, 0, 90, 30, 0, 0, 3, 90, 30}};
	ogawa_bytes file = make_hierarchy(&outer, &inner);
	ossai_source source;
	ossai_asset asset;
	assert_ok(context, alembic_open(context, &file, &source, &asset));
	assert_int_equal(asset.clip_count, 1);
	assert_int_equal(asset.clips[0].channel_count, 3);
	const ossai_asset_channel *move = find_channel(&asset, 0, 0), *turn = find_channel(&asset, 0, 1);
	assert_true(move && move->first == 0 && move->width == 3 && move->key_count == 3);
	assert_near(move->times[2], 1.5, 1e-12);
	assert_memory_equal(move->values, ((const float[]){1, 2, 3, 1, 2, 4, 1, 2, 5}), 36);
	assert_true(turn && turn->first == 3 && turn->width == 1);
	assert_memory_equal(turn->values, ((const float[]){10, 20, 350}), 12);
	const ossai_asset_channel *spin = find_channel(&asset, 1, 0);
	assert_true(spin && spin->first == 0 && spin->width == 4 && spin->key_count == 2);
	assert_int_equal(asset.nodes[1].ops[0].kind, OSSAI_OP_ROTATE);
	assert_near(spin->values[0], sqrt(0.5), 1e-7);
	assert_near(spin->values[6], sqrt(0.5), 1e-7);
	check_point(&asset.nodes[1], ossai_v3(0, 1, 0), 0, -0.5, sqrt(0.75));
	ossai_asset_close(&asset);
	ogawa_free(&file);
	test_context_end(context);
}

static void bad_transforms_are_refused(void **state)
{
	(void)state;
	static const struct {
		alembic_xform form;
		const char *words;
	} bad[] = {
		{{.op_count = 1, .width = 2, .samples = 1, .ops = {16}},
			"/outer/inner: has 2 numbers in sample 1; its operations need 3"},
		{{.op_count = 1, .width = 3, .samples = 1, .ops = {112}}, "operation 0 of no known kind"},
		{{.op_count = 1, .width = 3, .samples = 1, .ops = {16}, .values = {0, (double)INFINITY, 0}}, "not finite"},
		{{.op_count = 1, .width = 16, .samples = 1, .ops = {48}, .values = {1, 0, 0, 0.5}}, "last column is not 0 0 0 1"},
	};
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		ogawa_bytes file = make_hierarchy(&no_ops, &bad[i].form);
		alembic_refused(&file, OSSA_ERROR_INPUT, bad[i].words);
		ogawa_free(&file);
	}
}

/* ---- instances ---- */

/* /outer/shape and /copy, an instance of `path`; and inside of outer an instance of `inner_path` */
static ogawa_bytes make_instances(const char *path, const char *inner_path)
{
	ogawa_bytes file = ogawa_begin();
	const alembic_form form = {0};
	const alembic_xform move = {.op_count = 1, .width = 3, .samples = 1, .ops = {16}, .values = {1, 2, 3}};
	ogawa_list out = ogawa_object(alembic_make_xform(&file, &move));
	ogawa_add_object(&out, "shape", NULL, 1, alembic_make_mesh(&file, &form, false));
	if (inner_path) ogawa_add_object(&out, "again", "isInstance=1", 0, alembic_make_instance(&file, inner_path));
	ogawa_list top = ogawa_object(0);
	const uint64_t out_position = ogawa_close_object(&file, &out);
	ogawa_add_object(&top, "outer", NULL, 2, out_position);
	ogawa_add_object(&top, "copy", "isInstance=1", 0, alembic_make_instance(&file, path));
	alembic_finish(&file, &top);
	return file;
}

static void instances_are_copies(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ogawa_bytes file = make_instances("/outer", NULL);
	ossai_source source;
	ossai_asset asset;
	assert_ok(context, alembic_open(context, &file, &source, &asset));
	assert_int_equal(asset.node_count, 2);
	assert_string_equal(asset.nodes[1].name, "copy");
	assert_int_equal(asset.nodes[1].op_count, 1);
	assert_int_equal(asset.mesh_count, 2);
	assert_int_equal(asset.meshes[1].node, 1);
	alembic_check_shape(context, asset.meshes[1].mesh);
	ossai_asset_close(&asset);
	ogawa_free(&file);
	file = make_instances("/outer/shape", NULL);
	assert_ok(context, alembic_open(context, &file, &source, &asset));
	assert_int_equal(asset.mesh_count, 2);
	assert_int_equal(asset.meshes[1].node, OSSA_NONE);
	assert_string_equal(asset.meshes[1].mesh->name, "copy");
	ossai_asset_close(&asset);
	ogawa_free(&file);
	test_context_end(context);
}

static void instances_of_nothing_are_refused(void **state)
{
	(void)state;
	static const struct {
		const char *path, *inner, *words;
	} bad[] = {
		{"/outer/nobody", NULL, "/copy: is an instance of /outer/nobody, which is not in the file"},
		{"/copy", NULL, "which is an instance itself"},
		{"/outer/again/shape", "/outer/shape", "which is an instance itself or inside one"},
		{"", NULL, "an instance, but of nothing"},
		{"/outer", "/outer", "/outer/again: is its own ancestor"},
		{"/", NULL, "/copy: is its own ancestor"},
	};
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		ogawa_bytes file = make_instances(bad[i].path, bad[i].inner);
		alembic_refused(&file, OSSA_ERROR_INPUT, bad[i].words);
		ogawa_free(&file);
	}
}

/* each of the levels holds two instances of the one below: 2^40 objects in some kilobytes */
static void instances_do_not_multiply_without_end(void **state)
{
	(void)state;
	ogawa_bytes file = ogawa_begin();
	const alembic_form form = {0};
	ogawa_list top = ogawa_object(0);
	ogawa_list base = ogawa_object(0);
	ogawa_add_object(&base, "shape", NULL, 1, alembic_make_mesh(&file, &form, false));
	ogawa_add_object(&top, "l0", NULL, 0, ogawa_close_object(&file, &base));
	for (int i = 1; i <= 40; i++) {
		char below[16], name[16];
		snprintf(below, sizeof below, "/l%d", i - 1);
		snprintf(name, sizeof name, "l%d", i);
		ogawa_list level = ogawa_object(0);
		ogawa_add_object(&level, "a", "isInstance=1", 0, alembic_make_instance(&file, below));
		ogawa_add_object(&level, "b", "isInstance=1", 0, alembic_make_instance(&file, below));
		ogawa_add_object(&top, name, NULL, 0, ogawa_close_object(&file, &level));
	}
	alembic_finish(&file, &top);
	ossa_context *context = test_context(1);
	ossai_source source;
	ossai_asset asset;
	assert_fails(context, alembic_open(context, &file, &source, &asset), OSSA_ERROR_LIMIT, "export it without instances");
	assert_true(ossa_context_peak_bytes(context) < (size_t)256 << 20);
	test_context_end(context);
	ogawa_free(&file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(transforms_become_nodes),
		cmocka_unit_test(a_transform_may_stand_alone),
		cmocka_unit_test(moving_transforms_become_channels),
		cmocka_unit_test(bad_transforms_are_refused),
		cmocka_unit_test(instances_are_copies),
		cmocka_unit_test(instances_of_nothing_are_refused),
		cmocka_unit_test(instances_do_not_multiply_without_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

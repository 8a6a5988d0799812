/* tests/export/gltf/test_glb.c: rigs through a GLB file and back, constructs of other writers,
   and malicious files. */
#include "base/context.h"
#include "math/vec.h"
#include "support/compare.h"
#include "support/gltf_file.h"
#include "support/rich_rig.h"
#include "support/support.h"

#include <jansson.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void assert_same_bones(const ossa_rig *a, const ossa_rig *b)
{
	assert_int_equal(a->skeleton.bone_count, b->skeleton.bone_count);
	for (size_t i = 0; i < a->skeleton.bone_count; i++) {
		const ossa_bone *x = &a->skeleton.bones[i], *y = &b->skeleton.bones[i];
		assert_string_equal(x->name, y->name);
		assert_int_equal(x->parent, y->parent);
		assert_int_equal(x->kind, y->kind);
		assert_true(x->turn_degrees == y->turn_degrees);
		assert_true(x->fit_residual == y->fit_residual);
		for (int k = 0; k < 3; k++) {
			assert_near(x->joint[k], y->joint[k], 1e-9);
			assert_true(x->tail[k] == y->tail[k]);
			assert_true(x->axis[k] == y->axis[k]);
		}
		const double turn = ossai_quat_dot(ossai_quat_of(x->orientation), ossai_quat_of(y->orientation));
		assert_near(fabs(turn), 1, 1e-9);
	}
}

static void assert_same_surface(const ossa_mesh *a, const ossa_mesh *b)
{
	assert_int_equal(a->vertex_count, b->vertex_count);
	assert_memory_equal(a->positions, b->positions, a->vertex_count * 3 * sizeof *a->positions);
	assert_memory_equal(a->colors, b->colors, a->vertex_count * 4 * sizeof *a->colors);
	assert_int_equal(a->triangle_count, b->triangle_count);
	assert_int_equal(a->material_count, b->material_count);
	for (size_t m = 0; m < a->material_count; m++) assert_string_equal(a->materials[m], b->materials[m]);
}

/* triangles come back sorted by material; for each material the same ones in the same order, with
   the same UVs */
static void assert_same_triangles(const ossa_mesh *a, const ossa_mesh *b)
{
	size_t t = 0, polygon = 0;
	for (uint32_t material = 0; material <= a->material_count; material++) {
		polygon = 0;
		for (size_t i = 0; i < a->triangle_count; i++) {
			while (a->triangle_corners[3 * i] >= a->polygon_start[polygon + 1]) polygon++;
			const uint32_t own = a->polygon_material[polygon] == OSSA_NONE ? (uint32_t)a->material_count
																		   : a->polygon_material[polygon];
			if (own != material) continue;
			assert_int_equal(b->polygon_material[t], a->polygon_material[polygon]);
			for (size_t k = 0; k < 3; k++) {
				assert_int_equal(a->triangles[3 * i + k], b->triangles[3 * t + k]);
				const float *uv = a->texcoords + 2 * (size_t)a->corner_texcoord[a->triangle_corners[3 * i + k]];
				const float *other = b->texcoords + 2 * (size_t)b->corner_texcoord[b->triangle_corners[3 * t + k]];
				assert_near(uv[0], other[0], 1e-6f);
				assert_near(uv[1], other[1], 1e-6f);
			}
			t++;
		}
	}
	assert_int_equal(t, b->triangle_count);
}

static void check_round_trip(int influences, bool leaf_bones)
{
	ossa_context *context = test_context(1);
	ossa_write_options options = ossa_write_default();
	ossa_rig *rig, *back;
	options.leaf_bones = leaf_bones;
	assert_ok(context, test_rich_rig(context, 1000, 6, influences, &rig));
	assert_ok(context, ossa_write_rig(context, rig, test_path("rich.glb"), &options));
	assert_ok(context, ossa_read_rig(context, test_path("rich.glb"), NULL, &back));
	assert_string_equal(rig->method, back->method);
	assert_same_bones(rig, back);
	test_assert_same_weights(&rig->weights, &back->weights, 2e-7F);
	assert_same_surface(rig->mesh, back->mesh);
	assert_same_triangles(rig->mesh, back->mesh);
	assert_non_null(back->clip);
	assert_int_equal(rig->clip->frame_count, back->clip->frame_count);
	assert_null(back->clip->translations);
	const double difference = test_largest_difference(context, rig, back, NULL);
	if (difference > 1e-6) fail_msg("vertices differ by %g of the diagonal", difference);
	assert_int_equal(ossa_context_warning_count(context), 0);
	ossa_rig_free(context, rig);
	ossa_rig_free(context, back);
	test_context_end(context);
}

static void rig_comes_back(void **state)
{
	(void)state;
	check_round_trip(4, true);
	check_round_trip(4, false);
}

static void six_influences_come_back(void **state)
{
	(void)state;
	check_round_trip(6, true);
}

static void free_bones_come_back(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig, *back;
	assert_ok(context, test_rich_rig(context, 1000, 4, 4, &rig));
	assert_ok(context, test_rich_rig_slides(context, rig));
	assert_ok(context, ossa_write_rig(context, rig, test_path("free.glb"), NULL));
	assert_ok(context, ossa_read_rig(context, test_path("free.glb"), NULL, &back));
	assert_non_null(back->clip->translations);
	assert_true(test_largest_difference(context, rig, back, NULL) < 1e-6);
	ossa_rig_free(context, rig);
	ossa_rig_free(context, back);
	test_context_end(context);
}

static void read_and_written_again_is_the_same(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig, *back;
	ossa_mesh *mesh;
	assert_ok(context, test_rich_rig(context, 1000, 4, 4, &rig));
	assert_ok(context, ossa_write_rig(context, rig, test_path("one.glb"), NULL));
	assert_ok(context, ossa_read_rig(context, test_path("one.glb"), NULL, &back));
	assert_ok(context, ossa_read_mesh(context, test_path("one.glb"), NULL, &mesh));
	assert_int_equal(mesh->vertex_count, rig->mesh->vertex_count);
	assert_memory_equal(mesh->triangles, back->mesh->triangles, mesh->triangle_count * 3 * sizeof *mesh->triangles);
	ossa_mesh_free(context, mesh);
	ossa_rig_free(context, rig);
	assert_ok(context, ossa_write_rig(context, back, test_path("two.glb"), NULL));
	assert_ok(context, ossa_read_rig(context, test_path("two.glb"), NULL, &rig));
	test_assert_same_weights(&rig->weights, &back->weights, 2e-7F);
	for (size_t i = 0; i < rig->weights.vertex_count * (size_t)rig->weights.influences; i++) {
		assert_true(rig->weights.values[i] == back->weights.values[i]);
	}
	assert_same_bones(rig, back);
	assert_true(test_largest_difference(context, rig, back, NULL) < 1e-7);
	ossa_rig_free(context, rig);
	ossa_rig_free(context, back);
	test_context_end(context);
}

/* far from the origin and in millimetres, the shape of the error must stay that of floats */
static void far_and_large_rigs_come_back(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig, *back;
	assert_ok(context, test_rich_rig(context, 1000, 4, 4, &rig));
	for (size_t i = 0; i < rig->mesh->vertex_count * 3; i++) rig->mesh->positions[i] *= 1e6f;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		for (int k = 0; k < 3; k++) {
			rig->skeleton.bones[b].joint[k] *= 1e6;
			rig->skeleton.bones[b].tail[k] *= 1e6;
		}
	}
	for (size_t i = 0; i < rig->clip->frame_count * 3; i++) rig->clip->root_positions[i] *= 1e6;
	assert_ok(context, ossa_write_rig(context, rig, test_path("large.glb"), NULL));
	assert_ok(context, ossa_read_rig(context, test_path("large.glb"), NULL, &back));
	assert_true(test_largest_difference(context, rig, back, NULL) < 1e-6);
	ossa_rig_free(context, rig);
	ossa_rig_free(context, back);
	test_context_end(context);
}

/* ---- files of other writers ---- */

/* the binary chunk of the base file: a quad between two joints, three keys of a quarter turn */
typedef struct base_data {
	float positions[12];
	uint8_t joints[16], weights[16];
	uint16_t indices[6];
	float inverse[32], times[3], rotations[12];
} base_data;

static base_data make_data(void)
{
	base_data data = {.positions = {0, 0, 0, 1, 0, 0, 1, 2, 0, 0, 2, 0}, .indices = {0, 1, 2, 0, 2, 3}, .times = {0, 0.5f, 1}};
	for (int v = 0; v < 4; v++) {
		data.joints[4 * v] = v >= 2;
		data.weights[4 * v] = 255;
	}
	for (int j = 0; j < 2; j++) {
		for (int k = 0; k < 4; k++) data.inverse[16 * j + 5 * k] = 1;
	}
	data.inverse[16 + 13] = -1;
	for (int k = 0; k < 3; k++) {
		data.rotations[4 * k + 2] = (float)sin(k * OSSAI_PI / 8);
		data.rotations[4 * k + 3] = (float)cos(k * OSSAI_PI / 8);
	}
	return data;
}

/* the child joint is listed before its parent, and a plain node is between them */
static const char base_text[] =
	"{'asset':{'version':'2.0'},'scene':0,'scenes':[{'nodes':[0,1]}],"
	"'nodes':[{'mesh':0,'skin':0},{'name':'root','children':[2]},{'translation':[0,0.5,0],'children':[3]},"
	"{'name':'arm','translation':[0,0.5,0]}],"
	"'meshes':[{'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2},'indices':3}]}],"
	"'skins':[{'joints':[1,3],'inverseBindMatrices':4}],"
	"'animations':[{'samplers':[{'input':5,'output':6}],'channels':[{'sampler':0,'target':{'node':3,'path':'rotation'}}]}],"
	"'buffers':[{'byteLength':280}],"
	"'bufferViews':[{'buffer':0,'byteLength':48},{'buffer':0,'byteOffset':48,'byteLength':16},"
	"{'buffer':0,'byteOffset':64,'byteLength':16},{'buffer':0,'byteOffset':80,'byteLength':12},"
	"{'buffer':0,'byteOffset':92,'byteLength':128},{'buffer':0,'byteOffset':220,'byteLength':12},"
	"{'buffer':0,'byteOffset':232,'byteLength':48}],"
	"'accessors':[{'bufferView':0,'componentType':5126,'count':4,'type':'VEC3'},"
	"{'bufferView':1,'componentType':5121,'count':4,'type':'VEC4'},"
	"{'bufferView':2,'componentType':5121,'normalized':true,'count':4,'type':'VEC4'},"
	"{'bufferView':3,'componentType':5123,'count':6,'type':'SCALAR'},"
	"{'bufferView':4,'componentType':5126,'count':2,'type':'MAT4'},"
	"{'bufferView':5,'componentType':5126,'count':3,'type':'SCALAR'},"
	"{'bufferView':6,'componentType':5126,'count':3,'type':'VEC4'}]}";

static const char *write_glb(const char *name, const json_t *root, const base_data *data)
{
	static uint8_t bytes[16384];
	char *text = json_dumps(root, JSON_COMPACT);
	const uint32_t text_size = (uint32_t)((strlen(text) + 3) & ~(size_t)3), size = sizeof *data;
	const uint32_t header[5] = {0x46546C67, 2, 28 + text_size + size, text_size, 0x4E4F534A}, chunk[2] = {size, 0x004E4942};
	memset(bytes, ' ', sizeof bytes);
	memcpy(bytes, header, 20);
	memcpy(bytes + 20, text, strlen(text));
	memcpy(bytes + 20 + text_size, chunk, 8);
	memcpy(bytes + 28 + text_size, data, size);
	free(text);
	return test_file(name, bytes, 28 + text_size + size);
}

/* the base file after changes: pairs of path and value, ended by NULL */
static const char *changed_file(const char *const *changes, const base_data *data)
{
	json_t *root = test_json(base_text);
	for (; changes && changes[0]; changes += 2) test_json_change(root, changes[0], changes[1]);
	const char *path = write_glb("changed.glb", root, data);
	json_decref(root);
	return path;
}

/* where vertex 2, at (1, 2, 0), is in a frame */
static void assert_vertex(ossa_context *context, const ossa_rig *rig, size_t frame, double x, double y, double z)
{
	float p[3 * 64];
	assert_true(rig->mesh->vertex_count <= 64);
	assert_ok(context, ossa_rig_pose(context, rig, NULL, rig->clip, frame, p));
	if (fabs((double)p[6] - x) + fabs((double)p[7] - y) + fabs((double)p[8] - z) > 1e-5) {
		fail_msg("frame %zu: (%g, %g, %g) instead of (%g, %g, %g)", frame, (double)p[6], (double)p[7], (double)p[8], x, y, z);
	}
}

static ossa_rig *read_changed(ossa_context *context, const char *const *changes, const base_data *data)
{
	ossa_rig *rig;
	assert_ok(context, ossa_read_rig(context, changed_file(changes, data), NULL, &rig));
	return rig;
}

static void nodes_between_joints_are_folded_in(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const base_data data = make_data();
	ossa_rig *rig = read_changed(context, NULL, &data);
	assert_int_equal(rig->skeleton.bone_count, 2);
	assert_string_equal(rig->skeleton.bones[1].name, "arm");
	assert_near(rig->skeleton.bones[1].joint[1], 1, 1e-9);
	assert_int_equal(rig->clip->frame_count, 3);
	assert_null(rig->clip->translations);
	assert_vertex(context, rig, 0, 1, 2, 0);
	/* (1, 1) from the arm's joint, turned by 45 and 90 degrees about z */
	assert_vertex(context, rig, 1, 0, 1 + sqrt(2), 0);
	assert_vertex(context, rig, 2, -1, 2, 0);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void joints_may_come_before_their_parents(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	base_data data = make_data();
	float swap[16];
	memcpy(swap, data.inverse, sizeof swap);
	memcpy(data.inverse, data.inverse + 16, sizeof swap);
	memcpy(data.inverse + 16, swap, sizeof swap);
	for (int v = 0; v < 4; v++) data.joints[4 * v] = v < 2;
	ossa_rig *rig = read_changed(context, (const char *[]){"skins/0/joints", "[3,1]", NULL}, &data);
	assert_string_equal(rig->skeleton.bones[0].name, "root");
	assert_vertex(context, rig, 2, -1, 2, 0);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* an armature of centimetres, turned from Z up: bones stay rigid, and rest and motion share one
   space */
static void scaled_and_turned_armatures_are_folded_in(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const base_data data = make_data();
	ossa_rig *rig = read_changed(context,
		(const char *[]){"nodes/0",
			"{'scale':[100,100,100],'rotation':[0.70710678118654752,0,0,0.70710678118654752],'children':[1,4]}", "nodes/4",
			"{'mesh':0,'skin':0}", NULL},
		&data);
	/* y becomes z, and all is a hundred times larger */
	assert_near(rig->skeleton.bones[1].joint[2], 100, 1e-4);
	assert_true(fabsf(rig->mesh->positions[6] - 100) + fabsf(rig->mesh->positions[8] - 200) < 1e-3f);
	assert_vertex(context, rig, 0, 100, 0, 200);
	float p[12];
	assert_ok(context, ossa_rig_pose(context, rig, NULL, rig->clip, 2, p));
	assert_true(fabsf(p[6] + 100) + fabsf(p[7]) + fabsf(p[8] - 200) < 1e-3f);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void steps_and_splines_are_exact_at_keys(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const base_data data = make_data();
	ossa_rig *rig = read_changed(context, (const char *[]){"animations/0/samplers/0/interpolation", "'STEP'", NULL}, &data);
	assert_vertex(context, rig, 1, 0, 1 + sqrt(2), 0);
	ossa_rig_free(context, rig);
	/* one key: the value is the middle one of the three */
	rig = read_changed(context,
		(const char *[]){"animations/0/samplers/0/interpolation", "'CUBICSPLINE'", "accessors/5/count", "1", NULL}, &data);
	assert_int_equal(rig->clip->frame_count, 1);
	assert_vertex(context, rig, 0, 0, 1 + sqrt(2), 0);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void several_roots_get_one_above_them(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const base_data data = make_data();
	ossa_rig *rig = read_changed(context,
		(const char *[]){
			"nodes/1", "{'name':'root'}", "nodes/2", "{}", "nodes/3", "{'name':'arm','translation':[0,1,0]}", NULL},
		&data);
	assert_int_equal(rig->skeleton.bone_count, 3);
	assert_int_equal(rig->skeleton.bones[2].parent, 0);
	assert_int_equal(ossa_context_warning_count(context), 2);
	assert_string_equal(ossa_context_warning(context, 0)->code, "added-root");
	/* the file's own root wanted the name too */
	assert_string_equal(ossa_context_warning(context, 1)->code, "names-changed");
	assert_string_not_equal(rig->skeleton.bones[0].name, rig->skeleton.bones[1].name);
	assert_vertex(context, rig, 2, -1, 2, 0);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void strips_sparse_values_and_strides_are_read(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	base_data data = make_data();
	ossa_mesh *mesh;
	/* a strip of the first four indices */
	memcpy(data.indices, (uint16_t[]){0, 1, 3, 2, 1, 0}, sizeof data.indices);
	const char *path = changed_file(
		(const char *[]){"meshes/0/primitives/0/mode", "5", "accessors/3/count", "4", "nodes/0/skin", "null", NULL}, &data);
	assert_ok(context, ossa_read_mesh(context, path, NULL, &mesh));
	assert_int_equal(mesh->triangle_count, 2);
	assert_memory_equal(mesh->triangles, ((uint32_t[]){0, 1, 3, 1, 2, 3}), 6 * sizeof(uint32_t));
	ossa_mesh_free(context, mesh);
	/* vertex 1 moves to the first position of view 0's tail: index from the indices (5: value 0; 4:
	   value 1), value from position 2 */
	path = changed_file((const char *[]){"accessors/0/sparse",
							"{'count':1,'indices':{'bufferView':3,'byteOffset':8,'componentType':5123},"
							"'values':{'bufferView':0,'byteOffset':24}}",
							"nodes/0/skin", "null", "nodes/0/scale", "[2,2,2]", "nodes/0/translation", "[0,0,5]", NULL},
		&data);
	assert_ok(context, ossa_read_mesh(context, path, NULL, &mesh));
	assert_memory_equal(mesh->positions + 3, ((float[]){2, 4, 5}), 12);
	assert_memory_equal(mesh->positions + 6, ((float[]){2, 4, 5}), 12);
	ossa_mesh_free(context, mesh);
	/* every other of the eight halves of the positions' view: stride 24, two elements */
	path = changed_file((const char *[]){"bufferViews/0/byteStride", "24", "accessors/0/count", "2", "accessors/3/count", "3",
							"nodes/0/skin", "null", "meshes/0/primitives/0/attributes", "{'POSITION':0}", NULL},
		&data);
	assert_fails(context, ossa_read_mesh(context, path, NULL, &mesh), OSSA_ERROR_INPUT, "but there are 2 vertices");
	assert_null(mesh);
	test_context_end(context);
}

static void what_is_wrong_is_said(void **state)
{
	(void)state;
	static const struct {
		const char *changes[5], *words;
	} cases[] = {
		{{"accessors/0/count", "5"}, "5 elements from byte 0 on are not in the 48 bytes"},
		{{"accessors/0/count", "1e18"}, NULL},
		{{"accessors/0/count", "-1"}, "\"count\" must be a whole number"},
		{{"accessors/0/type", "'VEC2'"}, "VEC2 where elements of 3 numbers are needed"},
		{{"accessors/0/componentType", "1"}, "is no component type"},
		{{"accessors/1/componentType", "5120"}, "must hold unsigned integers"},
		{{"bufferViews/0/byteOffset", "240"}, "reaches past the 280 bytes"},
		{{"bufferViews/0/byteOffset", "9007199254740991"}, "reaches past"},
		{{"bufferViews/0/byteStride", "0"}, "every 0 bytes"},
		{{"bufferViews/0/buffer", "null"}, "has no buffer"},
		{{"buffers/0/byteLength", "300"}, "says 300 bytes, there are 280"},
		{{"buffers/0/uri", "'../other.bin'"}, "outside the file's own folder"},
		{{"buffers/0/uri", "'data:;base64,*'"}, "not base64"},
		{{"asset/version", "'1.0'"}, "version 1.0"},
		{{"nodes/3/children", "[1]"}, "its nodes form a loop"},
		{{"nodes/3/children", "[2]"}, "node 2 has two parents"},
		{{"nodes/3/children", "[99]"}, "a child that is not there"},
		{{"nodes/0/skin", "null", "skins", "null"}, "holds no skinned mesh"},
		{{"nodes/0/skin", "7"}, "there are only 1 skins"},
		{{"skins/0/joints", "[1,1]"}, "is two joints"},
		{{"skins/0/joints", "[1]"}, "follows joint 1, but there are 1"},
		{{"skins/0/joints", "[]"}, "skin 0 has no joints"},
		{{"accessors/4/count", "1"}, "1 inverse bind matrices for 2 joints"},
		{{"meshes/0/primitives/0/attributes/WEIGHTS_0", "null"}, "no WEIGHTS_0"},
		{{"meshes/0/primitives/0/attributes/JOINTS_0", "null"}, "has a skin but no joints and weights (JOINTS_0"},
		{{"animations/0/channels/0/sampler", "3"}, "has no sampler"},
		{{"accessors/6/count", "2"}, "2 values for 3 keys"},
	};
	ossa_context *context = test_context(1);
	base_data data = make_data();
	ossa_rig *rig;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const ossa_status status = ossa_read_rig(context, changed_file(cases[i].changes, &data), NULL, &rig);
		assert_fails(context, status, status == OSSA_ERROR_LIMIT ? status : OSSA_ERROR_INPUT, cases[i].words);
		assert_null(rig);
	}
	/* of lines alone there is no mesh; the joints are a skeleton */
	ossa_mesh *mesh;
	const char *lines = changed_file((const char *[]){"meshes/0/primitives/0/mode", "1", NULL}, &data);
	assert_fails(context, ossa_read_mesh(context, lines, NULL, &mesh), OSSA_ERROR_INPUT, "holds no triangles");
	assert_ok(context, ossa_read_rig(context, lines, NULL, &rig));
	assert_int_equal(rig->mesh->vertex_count, 0);
	assert_int_equal(rig->skeleton.bone_count, 2);
	assert_string_equal(ossa_context_warning(context, 0)->code, "skipped-primitives");
	ossa_rig_free(context, rig);
	data.positions[4] = NAN;
	assert_fails(context, ossa_read_rig(context, changed_file(NULL, &data), NULL, &rig), OSSA_ERROR_INPUT,
		"element 1 is not a finite number");
	data = make_data();
	memset(data.inverse, 0, 64);
	assert_fails(context, ossa_read_rig(context, changed_file(NULL, &data), NULL, &rig), OSSA_ERROR_INPUT, "has no inverse");
	data = make_data();
	data.indices[4] = 4;
	assert_fails(
		context, ossa_read_rig(context, changed_file(NULL, &data), NULL, &rig), OSSA_ERROR_INPUT, "index 4 of accessor 3 is 4");
	test_context_end(context);
}

/* a small file whose accessors without data claim more than any memory */
static void empty_claims_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const base_data data = make_data();
	ossa_rig *rig;
	const char *changes[] = {"accessors/0", "{'componentType':5126,'count':4000000000,'type':'VEC3'}", NULL};
	assert_fails(
		context, ossa_read_rig(context, changed_file(changes, &data), NULL, &rig), OSSA_ERROR_LIMIT, "asks for far more");
	test_context_end(context);
}

static void every_truncation_is_survived(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const base_data data = make_data();
	static uint8_t bytes[16384];
	const size_t size = test_read_bytes(changed_file(NULL, &data), bytes, sizeof bytes);
	for (size_t cut = 1; cut < size; cut += 3) {
		ossa_rig *rig;
		const ossa_status result = ossa_read_rig(context, test_file("cut.glb", bytes, cut), NULL, &rig);
		assert_int_equal(result, OSSA_ERROR_INPUT);
		assert_null(rig);
	}
	test_context_end(context);
}

/* ---- files of other programs, malicious or just odd ---- */

static size_t read_tree(ossa_context *context, const char *folder)
{
	size_t count = 0;
	DIR *stream = opendir(folder);
	for (struct dirent *entry; stream && (entry = readdir(stream));) {
		char path[2048];
		if (entry->d_name[0] == '.') continue;
		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		struct stat status;
		if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
			count += read_tree(context, path);
			continue;
		}
		ossa_mesh *mesh;
		ossa_rig *rig;
		if (ossa_read_mesh(context, path, NULL, &mesh) == OSSA_OK) assert_ok(context, ossa_mesh_validate(context, mesh));
		if (ossa_read_rig(context, path, NULL, &rig) == OSSA_OK) assert_ok(context, ossa_rig_validate(context, rig));
		ossa_mesh_free(context, mesh);
		ossa_rig_free(context, rig);
		count++;
	}
	if (stream) closedir(stream);
	return count;
}

static void hostile_files_are_survived(void **state)
{
	(void)state;
	static const char *const folders[] = {
		"hostile/gltf_validator", "hostile/cgltf", "hostile/tinygltf", "hostile/assimp/glTF2"};
	for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
		const char *folder = test_corpus(folders[i]);
		if (!folder) continue;
		ossa_context_options options = ossa_context_default();
		options.memory_limit = (size_t)1 << 30;
		ossa_context *context;
		assert_int_equal(ossa_context_create(&options, &context), OSSA_OK);
		assert_true(read_tree(context, folder) > 0);
		test_context_end(context);
	}
}

/* the first frame of a character that others baked to frames by their own reader */
static void real_characters_are_read(void **state)
{
	(void)state;
	const char *folder = test_corpus("characters/cesium_man/CesiumMan.glb");
	if (!folder) return;
	ossa_context *context = test_context(0);
	ossa_rig *rig;
	assert_ok(context, ossa_read_rig(context, folder, NULL, &rig));
	assert_int_equal(rig->skeleton.bone_count, 19);
	float *p = ossa_alloc(context, rig->mesh->vertex_count, 3 * sizeof *p), low[3], high[3];
	assert_ok(context, ossa_rig_pose(context, rig, NULL, rig->clip, 0, p));
	for (size_t i = 0; i < rig->mesh->vertex_count * 3; i++) {
		if (i < 3 || p[i] < low[i % 3]) low[i % 3] = p[i];
		if (i < 3 || p[i] > high[i % 3]) high[i % 3] = p[i];
	}
	static const float expected_low[3] = {-0.451f, -0.008f, -0.194f}, expected_high[3] = {0.462f, 1.442f, 0.302f};
	for (int k = 0; k < 3; k++) {
		assert_near(low[k], expected_low[k], 1e-3f);
		assert_near(high[k], expected_high[k], 1e-3f);
	}
	ossa_free(context, p);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* ---- faults ---- */

static void every_allocation_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 3, 6, &rig));
	test_sweep_write(&(test_writing){.rig = rig}, "sweep.glb", 20);
	const char *path = test_path("sweep.glb");
	assert_ok(context, ossa_write_rig(context, rig, path, NULL));
	test_sweep_read_rig(path, 50);
	test_sweep_read_mesh(path, 20);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rig_comes_back),
		cmocka_unit_test(six_influences_come_back),
		cmocka_unit_test(free_bones_come_back),
		cmocka_unit_test(read_and_written_again_is_the_same),
		cmocka_unit_test(far_and_large_rigs_come_back),
		cmocka_unit_test(nodes_between_joints_are_folded_in),
		cmocka_unit_test(joints_may_come_before_their_parents),
		cmocka_unit_test(scaled_and_turned_armatures_are_folded_in),
		cmocka_unit_test(steps_and_splines_are_exact_at_keys),
		cmocka_unit_test(several_roots_get_one_above_them),
		cmocka_unit_test(strips_sparse_values_and_strides_are_read),
		cmocka_unit_test(what_is_wrong_is_said),
		cmocka_unit_test(empty_claims_are_refused),
		cmocka_unit_test(every_truncation_is_survived),
		cmocka_unit_test(hostile_files_are_survived),
		cmocka_unit_test(real_characters_are_read),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

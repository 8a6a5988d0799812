/* tests/export/gltf/test_glb_out.c: contents of a glTF file besides a rig: frames as morph
   targets, skeletons alone, limits. The file is parsed here, not by ossa's reader. */
#include "base/context.h"
#include "support/rich_rig.h"
#include "support/support.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* a GLB in memory */
typedef struct glb {
	char bytes[1 << 21];
	size_t size, binary_size;
	const char *binary;
	json_t *json;
} glb;

static uint32_t number_at(const char *bytes)
{
	uint32_t value;
	memcpy(&value, bytes, 4);
	return value;
}

static glb *open_glb(const char *path)
{
	static glb file;
	file.size = test_read_bytes(path, file.bytes, sizeof file.bytes);
	assert_true(file.size > 20 && file.size < sizeof file.bytes);
	assert_int_equal(number_at(file.bytes + 8), file.size);
	const size_t length = number_at(file.bytes + 12);
	file.json = json_loadb(file.bytes + 20, length, 0, NULL);
	assert_non_null(file.json);
	const bool has_binary = file.size > 20 + length;
	file.binary = has_binary ? file.bytes + 28 + length : NULL;
	file.binary_size = has_binary ? number_at(file.bytes + 20 + length) : 0;
	return &file;
}

static json_t *item_of(const glb *file, const char *list, size_t index)
{
	return json_array_get(json_object_get(file->json, list), index);
}

static size_t whole(const json_t *object, const char *key) { return (size_t)json_integer_value(json_object_get(object, key)); }

static const char *view_bytes(const glb *file, const json_t *holder)
{
	const json_t *view = item_of(file, "bufferViews", whole(holder, "bufferView"));
	assert_true(whole(view, "byteOffset") + whole(view, "byteLength") <= file->binary_size);
	return file->binary + whole(view, "byteOffset");
}

/* the vectors of an accessor, sparse or not; returns how many */
static size_t vectors_of(const glb *file, size_t index, float *out)
{
	const json_t *accessor = item_of(file, "accessors", index), *sparse = json_object_get(accessor, "sparse");
	const size_t count = whole(accessor, "count");
	assert_string_equal(json_string_value(json_object_get(accessor, "type")), "VEC3");
	if (!sparse) memcpy(out, view_bytes(file, accessor) + whole(accessor, "byteOffset"), count * 12);
	else memset(out, 0, count * 12);
	for (size_t i = 0; i < whole(sparse, "count"); i++) {
		const json_t *indices = json_object_get(sparse, "indices");
		const char *at = view_bytes(file, indices);
		size_t vertex = number_at(at + 4 * i);
		if (whole(indices, "componentType") == 5123) {
			uint16_t small;
			memcpy(&small, at + 2 * i, 2);
			vertex = small;
		}
		assert_true(vertex < count);
		memcpy(out + 3 * vertex, view_bytes(file, json_object_get(sparse, "values")) + 12 * i, 12);
	}
	return count;
}

/* frames in which nothing, a little and everything moves */
static ossa_frames *make_frames(ossa_context *context, const ossa_mesh *mesh)
{
	ossa_frames *frames;
	const size_t size = 3 * mesh->vertex_count;
	assert_ok(context, ossa_frames_create(context, 3, mesh->vertex_count, 10, &frames));
	for (size_t f = 0; f < 3; f++) {
		float *to = frames->positions + f * size;
		memcpy(to, mesh->positions, size * sizeof *to);
		const size_t moved = f == 0 ? 0 : f == 1 ? 30 : size;
		for (size_t i = 0; i < moved; i++) to[i] += (float)sin((double)(i * f)) * 0.1F;
	}
	return frames;
}

static void assert_target_is_frame(const glb *file, const ossa_mesh *mesh, const ossa_frames *frames, size_t frame)
{
	static float base[30000], deltas[30000], normals[30000], turns[30000];
	const json_t *primitive = json_array_get(json_object_get(item_of(file, "meshes", 0), "primitives"), 0);
	const json_t *target = json_array_get(json_object_get(primitive, "targets"), frame);
	const json_t *attributes = json_object_get(primitive, "attributes");
	const size_t count = vectors_of(file, whole(attributes, "POSITION"), base);
	assert_true(count >= mesh->vertex_count);
	assert_int_equal(vectors_of(file, whole(target, "POSITION"), deltas), count);
	vectors_of(file, whole(attributes, "NORMAL"), normals);
	vectors_of(file, whole(target, "NORMAL"), turns);
	for (size_t i = 0; i < 3 * mesh->vertex_count; i++) {
		const float expected = frames->positions[3 * frame * mesh->vertex_count + i];
		assert_near(base[i] + deltas[i], expected, 1e-7F);
	}
	for (size_t i = 0; i < count; i++) {
		double length = 0;
		for (size_t k = 0; k < 3; k++) length += pow((double)normals[3 * i + k] + (double)turns[3 * i + k], 2);
		assert_near(length, 1, 1e-5);
	}
	/* few vertices are stored as few */
	const json_t *accessor = item_of(file, "accessors", whole(target, "POSITION"));
	assert_true((json_object_get(accessor, "sparse") != NULL) == (frame < 2));
}

static void frames_become_morph_targets(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 2, 4, &rig));
	ossa_frames *frames = make_frames(context, rig->mesh);
	assert_ok(context, ossa_write_frames(context, rig->mesh, frames, test_path("morph.glb"), NULL));
	const glb *file = open_glb(test_path("morph.glb"));
	for (size_t f = 0; f < 3; f++) assert_target_is_frame(file, rig->mesh, frames, f);
	const json_t *names = json_object_get(json_object_get(item_of(file, "meshes", 0), "extras"), "targetNames");
	assert_string_equal(json_string_value(json_array_get(names, 2)), "frame_0003");
	/* at each key one target is whole */
	const json_t *sampler = json_array_get(json_object_get(item_of(file, "animations", 0), "samplers"), 0);
	const char *weights = view_bytes(file, item_of(file, "accessors", whole(sampler, "output")));
	const char *times = view_bytes(file, item_of(file, "accessors", whole(sampler, "input")));
	assert_null(json_object_get(sampler, "interpolation"));
	for (size_t i = 0; i < 9; i++) {
		float weight, time;
		memcpy(&weight, weights + 4 * i, 4);
		memcpy(&time, times + 4 * (i / 3), 4);
		assert_true(weight == (i % 4 == 0 ? 1 : 0));
		assert_near((double)time, (double)(i / 3) / 10, 1e-6);
	}
	json_decref(file->json);
	ossa_frames_free(context, frames);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* and ossa's own reader gives frames, skeletons alone and limits back */
static void what_is_written_is_read(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig, *back, bare;
	ossa_mesh *mesh, *empty;
	ossa_frames *again;
	assert_ok(context, test_rich_rig(context, 1000, 3, 8, &rig));
	ossa_frames *frames = make_frames(context, rig->mesh);
	assert_ok(context, ossa_write_frames(context, rig->mesh, frames, test_path("back.gltf"), NULL));
	assert_ok(context, ossa_read_animation(context, test_path("back.gltf"), NULL, &mesh, &again));
	assert_int_equal(again->vertex_count, frames->vertex_count);
	assert_int_equal(again->frame_count, 3);
	for (size_t i = 0; i < 9 * frames->vertex_count; i++) {
		assert_near(again->positions[i], frames->positions[i], 1e-6F);
	}
	assert_ok(context, ossa_rig_find_limits(context, rig, 5));
	assert_ok(context, ossa_mesh_create(context, 0, NULL, 0, NULL, &empty));
	bare = *rig;
	bare.mesh = empty;
	bare.weights.vertex_count = 0;
	bare.merge_count = 0;
	assert_ok(context, ossa_write_rig(context, &bare, test_path("back.glb"), NULL));
	assert_ok(context, ossa_read_rig(context, test_path("back.glb"), NULL, &back));
	assert_int_equal(back->skeleton.bone_count, rig->skeleton.bone_count);
	assert_int_equal(back->clip->frame_count, 3);
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		const ossa_bone *one = &rig->skeleton.bones[b], *other = &back->skeleton.bones[b];
		assert_string_equal(one->name, other->name);
		assert_memory_equal(one->limits, other->limits, sizeof one->limits);
		assert_memory_equal(one->tail, other->tail, sizeof one->tail);
	}
	ossa_rig_free(context, back);
	ossa_mesh_free(context, empty);
	ossa_frames_free(context, again);
	ossa_mesh_free(context, mesh);
	ossa_frames_free(context, frames);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void frames_that_cannot_be_targets_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh;
	ossa_frames *frames;
	static const float corners[] = {0, 0, 0, 3e38F, 0, 0, 0, 1, 0};
	assert_ok(context, ossa_mesh_create(context, 3, corners, 1, (uint32_t[]){0, 1, 2}, &mesh));
	assert_ok(context, ossa_frames_create(context, 40000, 3, 24, &frames));
	assert_fails(context, ossa_write_frames(context, mesh, frames, test_path("m.glb"), NULL), OSSA_ERROR_LIMIT, "40000 frames");
	assert_fails(context, ossa_write_frames(context, NULL, frames, test_path("m.glb"), NULL), OSSA_ERROR_ARGUMENT, "the mesh");
	frames->frame_count = 2;
	frames->positions[9 + 3] = -3e38F;
	assert_fails(context, ossa_write_frames(context, mesh, frames, test_path("m.glb"), NULL), OSSA_ERROR_LIMIT, "frame 2");
	frames->frame_count = 0;
	assert_fails(context, ossa_write_frames(context, mesh, frames, test_path("m.glb"), NULL), OSSA_ERROR_LIMIT, "0 frames");
	assert_null(fopen(test_path("m.glb"), "rb"));
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void skeletons_are_written_without_a_mesh(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig, bare;
	ossa_mesh *empty;
	assert_ok(context, test_rich_rig(context, 1000, 2, 4, &rig));
	assert_ok(context, ossa_mesh_create(context, 0, NULL, 0, NULL, &empty));
	bare = *rig;
	bare.mesh = empty;
	bare.weights.vertex_count = 0;
	bare.merge_count = 0;
	assert_ok(context, ossa_write_rig(context, &bare, test_path("bare.glb"), NULL));
	const glb *file = open_glb(test_path("bare.glb"));
	assert_int_equal(json_array_size(json_object_get(file->json, "nodes")), rig->skeleton.bone_count);
	assert_null(json_object_get(file->json, "skins"));
	assert_null(json_object_get(file->json, "meshes"));
	assert_int_equal(
		json_array_size(json_object_get(item_of(file, "animations", 0), "channels")), rig->skeleton.bone_count + 1);
	json_decref(file->json);
	/* without motion there is no binary part */
	bare.clip = NULL;
	assert_ok(context, ossa_write_rig(context, &bare, test_path("bare.glb"), NULL));
	file = open_glb(test_path("bare.glb"));
	assert_null(file->binary);
	assert_null(json_object_get(file->json, "buffers"));
	json_decref(file->json);
	ossa_mesh_free(context, empty);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* those that were set, and of other joints what the motion needs; nothing of the root, and nothing
   without motion */
static void limits_are_in_the_extras(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig, *back;
	double found[3][2];
	assert_ok(context, test_rich_rig(context, 1000, 2, 4, &rig));
	ossa_bone *bone = &rig->skeleton.bones[2];
	bone->has_limits = true;
	for (int k = 0; k < 6; k++) bone->limits[k / 2][k % 2] = k % 2 ? 10.5 + k : -20.25 - k;
	ossa_write_options options = ossa_write_default();
	options.limit_slack = 7;
	assert_true(ossa_rig_turn_range(rig, NULL, 1, found));
	for (int k = 0; k < 6; k++) found[k / 2][k % 2] += k % 2 ? 7 : -7;
	assert_ok(context, ossa_write_rig(context, rig, test_path("limits.glb"), &options));
	assert_ok(context, ossa_read_rig(context, test_path("limits.glb"), NULL, &back));
	const ossa_bone *bones = back->skeleton.bones;
	assert_true(!bones[0].has_limits && bones[1].has_limits && bones[2].has_limits);
	assert_true(bones[1].limits_of_motion && !bones[2].limits_of_motion);
	for (int k = 0; k < 6; k++) assert_true(bones[1].limits[k / 2][k % 2] == found[k / 2][k % 2]);
	assert_memory_equal(bones[2].limits, bone->limits, sizeof bone->limits);
	ossa_rig_free(context, back);
	ossa_clip_free(context, rig->clip);
	rig->clip = NULL;
	assert_ok(context, ossa_write_rig(context, rig, test_path("limits.glb"), NULL));
	const glb *file = open_glb(test_path("limits.glb"));
	for (size_t b = 0; b < 3; b++) {
		const json_t *extras = json_object_get(json_object_get(item_of(file, "nodes", 1 + b), "extras"), "ossa");
		const json_t *limits = json_object_get(extras, "limits");
		assert_non_null(extras);
		assert_true((limits != NULL) == (b == 2));
		for (size_t k = 0; limits && k < 6; k++) {
			assert_true(json_number_value(json_array_get(json_array_get(limits, k / 2), k % 2)) == bone->limits[k / 2][k % 2]);
		}
	}
	json_decref(file->json);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* nothing in a file depends on when or how often it is written */
static void writing_again_gives_the_same_bytes(void **state)
{
	(void)state;
	static char first[1 << 21];
	ossa_context *context = test_context(2);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 2, 8, &rig));
	ossa_frames *frames = make_frames(context, rig->mesh);
	for (int i = 0; i < 4; i++) {
		if (i < 2) assert_ok(context, ossa_write_rig(context, rig, test_path("again.glb"), NULL));
		else assert_ok(context, ossa_write_frames(context, rig->mesh, frames, test_path("again.glb"), NULL));
		const glb *file = open_glb(test_path("again.glb"));
		if (i % 2 == 0) memcpy(first, file->bytes, file->size);
		else assert_memory_equal(first, file->bytes, file->size);
		json_decref(file->json);
	}
	ossa_frames_free(context, frames);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 2, 4, &rig));
	ossa_frames *frames = make_frames(context, rig->mesh);
	test_sweep_write(&(test_writing){.mesh = rig->mesh, .frames = frames}, "sweep.glb", 20);
	test_sweep_write(&(test_writing){.rig = rig}, "sweep.gltf", 20);
	test_sweep_write(&(test_writing){.mesh = rig->mesh, .frames = frames}, "sweep-#.gltf", 20);
	ossa_frames_free(context, frames);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* a .bin of the name is replaced where the .gltf that is replaced says that it is its own, and
   never else: the new one has another name */
static void buffers_of_others_stay(void **state)
{
	(void)state;
	static const struct {
		const char *gltf; /* NULL: none */
		bool is_own;
	} cases[] = {{NULL, false}, {"{\"buffers\": [{\"uri\": \"an%20other.bin\"}]}", false}, {"no JSON", false}, {"[]", false},
		{"{\"buffers\": [{\"uri\": 3}, {}, 7]}", false}, {"{\"buffers\": [{}, {\"uri\": \"a%20b.bin\"}]}", true},
		{"{\"buffers\": [{\"uri\": \"a b.bin\"}]}", true}, {"{\"buffers\": [{\"uri\": \"./a%20b.bin\"}]}", true}};
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 2, 4, &rig));
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const char *binary = test_file("a b.bin", "numbers", 0), *text = test_path("a b.gltf");
		remove(text);
		remove(test_path("a b-2.bin"));
		if (cases[i].gltf) test_file("a b.gltf", cases[i].gltf, 0);
		assert_ok(context, ossa_write_check(context, text));
		/* what was written is its own the second time */
		for (int round = 0; round < 2; round++) {
			ossa_rig *back;
			assert_ok(context, ossa_write_rig(context, rig, text, NULL));
			assert_ok(context, ossa_read_rig(context, text, NULL, &back));
			assert_int_equal(back->mesh->vertex_count, rig->mesh->vertex_count);
			ossa_rig_free(context, back);
			assert_int_equal(access(test_path("a b-2.bin"), F_OK), cases[i].is_own ? -1 : 0);
			assert_int_equal(access(test_path("a b-3.bin"), F_OK), -1);
			if (!cases[i].is_own) test_assert_holds(binary, "numbers");
		}
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* a hundred of them are an error */
static void names_of_buffers_end(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 2, 4, &rig));
	for (int i = 1; i < 100; i++) {
		char name[32];
		snprintf(name, sizeof name, i > 1 ? "many-%d.bin" : "many.bin", i);
		test_file(name, "numbers", 0);
	}
	const char *text = test_path("many.gltf");
	assert_fails(context, ossa_write_check(context, text), OSSA_ERROR_WRITE, "give the output another name");
	assert_fails(context, ossa_write_rig(context, rig, text, NULL), OSSA_ERROR_WRITE, "give the output another name");
	assert_int_equal(access(text, F_OK), -1);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* where only the .gltf has room, neither of the pair is there; the old ones stay */
static void pairs_are_whole_on_a_full_disk(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 2, 4, &rig));
	test_full_disk(context, &(test_writing){.rig = rig}, "pair.gltf", "pair.bin", 20000);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_become_morph_targets),
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(frames_that_cannot_be_targets_are_refused),
		cmocka_unit_test(skeletons_are_written_without_a_mesh),
		cmocka_unit_test(limits_are_in_the_extras),
		cmocka_unit_test(writing_again_gives_the_same_bytes),
		cmocka_unit_test(every_allocation_may_fail),
		cmocka_unit_test(buffers_of_others_stay),
		cmocka_unit_test(names_of_buffers_end),
		cmocka_unit_test(pairs_are_whole_on_a_full_disk),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

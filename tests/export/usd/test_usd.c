/* tests/export/usd/test_usd.c: the USD writer, checked by an independent evaluation of the text:
   UsdSkel by its schemas, matrices for row vectors, joints named by their paths. */
#include "base/context.h"
#include "math/vec.h"
#include "support/rich_rig.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[1 << 23];

static void load(const char *path)
{
	text[test_read_bytes(path, text, sizeof text - 1)] = 0;
	assert_int_equal(strncmp(text, "#usda 1.0\n", 10), 0);
}

/* what is behind the first "DECLARATION = "; NULL where there is none */
static char *value_of(const char *declaration)
{
	char key[256];
	snprintf(key, sizeof key, " %s = ", declaration);
	char *at = strstr(text, key);
	return at ? at + strlen(key) : NULL;
}

/* all numbers up to the end of the line */
static size_t numbers_at(const char *at, double *out, size_t capacity)
{
	size_t count = 0;
	assert_non_null(at);
	while (*at && *at != '\n') {
		if (!strchr("-.0123456789", *at)) {
			at++;
			continue;
		}
		char *end;
		assert_true(count < capacity);
		out[count++] = strtod(at, &end);
		assert_ptr_not_equal(at, end);
		at = end;
	}
	return count;
}

static size_t numbers_of(const char *declaration, double *out, size_t capacity)
{
	return numbers_at(value_of(declaration), out, capacity);
}

/* the numbers of sample `index`, without its time; the time apart */
static size_t sample_of(const char *declaration, size_t index, double *time, double *out, size_t capacity)
{
	char key[128];
	snprintf(key, sizeof key, "%s.timeSamples", declaration);
	const char *at = value_of(key);
	assert_non_null(at);
	assert_int_equal(at[0], '{');
	for (size_t i = 0; i <= index; i++) {
		at = strchr(at, '\n') + 1;
		at += strspn(at, " ");
		assert_int_not_equal(*at, '}');
	}
	char *end;
	*time = strtod(at, &end);
	assert_int_equal(*end, ':');
	return numbers_at(end, out, capacity);
}

enum { JOINTS_MAX = 256, NUMBERS_MAX = 1 << 16 };

typedef struct figure {
	size_t joint_count;
	char joints[JOINTS_MAX][512];
	int parents[JOINTS_MAX];
	ossai_rigid bind[JOINTS_MAX], rest[JOINTS_MAX];
	size_t point_count, influences;
	double points[NUMBERS_MAX], bones[NUMBERS_MAX], weights[NUMBERS_MAX];
} figure;

static double numbers[NUMBERS_MAX];

static void read_joints(figure *f)
{
	char *at = value_of("uniform token[] joints"), *end = strchr(at, '\n');
	f->joint_count = 0;
	while ((at = strchr(at, '"')) && at < end) {
		char *close = strchr(at + 1, '"');
		const size_t j = f->joint_count++;
		snprintf(f->joints[j], sizeof f->joints[j], "%.*s", (int)(close - at - 1), at + 1);
		at = close + 1;
		f->parents[j] = -1;
		const char *slash = strrchr(f->joints[j], '/');
		for (size_t p = 0; slash && p < j; p++) {
			const size_t length = (size_t)(slash - f->joints[j]);
			if (strncmp(f->joints[p], f->joints[j], length) == 0 && f->joints[p][length] == 0) f->parents[j] = (int)p;
		}
		assert_true((f->parents[j] < 0) == (slash == NULL));
	}
}

static void read_matrices(const char *declaration, size_t count, ossai_rigid *out)
{
	assert_int_equal(numbers_of(declaration, numbers, NUMBERS_MAX), 16 * count);
	for (size_t j = 0; j < count; j++) {
		const double *m = numbers + 16 * j;
		assert_true(m[3] == 0 && m[7] == 0 && m[11] == 0 && m[15] == 1);
		/* p' = p M */
		for (int k = 0; k < 9; k++) out[j].r.m[k / 3][k % 3] = m[4 * (k % 3) + k / 3];
		out[j].t = ossai_v3_of(m + 12);
	}
}

static figure *read_figure(const char *path)
{
	static figure f;
	load(path);
	read_joints(&f);
	read_matrices("uniform matrix4d[] bindTransforms", f.joint_count, f.bind);
	read_matrices("uniform matrix4d[] restTransforms", f.joint_count, f.rest);
	f.point_count = numbers_of("point3f[] points", f.points, NUMBERS_MAX) / 3;
	const size_t pairs = numbers_of("int[] primvars:skel:jointIndices", f.bones, NUMBERS_MAX);
	assert_int_equal(numbers_of("float[] primvars:skel:jointWeights", f.weights, NUMBERS_MAX), pairs);
	numbers_of("elementSize", numbers, 1);
	f.influences = (size_t)numbers[0];
	assert_int_equal(pairs, f.point_count * f.influences);
	return &f;
}

/* local transforms of a frame, or the rest pose */
static void read_pose(const figure *f, int frame, ossai_rigid *local)
{
	double time;
	memcpy(local, f->rest, f->joint_count * sizeof *local);
	if (frame < 0) return;
	assert_int_equal(sample_of("quatf[] rotations", (size_t)frame, &time, numbers, NUMBERS_MAX), 4 * f->joint_count);
	for (size_t j = 0; j < f->joint_count; j++) {
		const double *q = numbers + 4 * j;
		local[j].r = ossai_quat_matrix((ossai_quat){q[1], q[2], q[3], q[0]});
	}
	assert_int_equal(sample_of("float3[] translations", (size_t)frame, &time, numbers, NUMBERS_MAX), 3 * f->joint_count);
	for (size_t j = 0; j < f->joint_count; j++) local[j].t = ossai_v3_of(numbers + 3 * j);
}

/* v' = sum of w world(j) bind(j)^-1 v against the rig's own */
static void assert_pose(ossa_context *context, const figure *f, int frame, const ossa_rig *rig)
{
	ossai_rigid world[JOINTS_MAX];
	read_pose(f, frame, world);
	for (size_t j = 0; j < f->joint_count; j++) {
		if (f->parents[j] >= 0) world[j] = ossai_rigid_mul(&world[f->parents[j]], &world[j]);
	}
	float *expected = ossa_alloc(context, f->point_count, 3 * sizeof *expected);
	assert_int_equal(f->point_count, rig->mesh->vertex_count);
	assert_ok(
		context, ossa_rig_pose(context, rig, NULL, frame < 0 ? NULL : rig->clip, frame < 0 ? 0 : (size_t)frame, expected));
	for (size_t v = 0; v < f->point_count; v++) {
		ossai_vec3 sum = {0, 0, 0};
		for (size_t k = v * f->influences; k < (v + 1) * f->influences; k++) {
			const size_t j = (size_t)f->bones[k];
			const ossai_rigid back = ossai_rigid_inverse(&f->bind[j]), skin = ossai_rigid_mul(&world[j], &back);
			sum = ossai_madd(sum, f->weights[k], ossai_rigid_point(&skin, ossai_v3_of(f->points + 3 * v)));
		}
		assert_near_vec3(sum, ossai_v3_of_float(expected + 3 * v), 1e-5);
	}
	ossa_free(context, expected);
}

static void poses_are_the_rigs(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (int influences = 4; influences <= 6; influences += 2) {
		ossa_rig *rig;
		assert_ok(context, test_rich_rig(context, 1000, 6, influences, &rig));
		assert_ok(context, ossa_write_rig(context, rig, test_path("rig.usda"), NULL));
		const figure *f = read_figure(test_path("rig.usda"));
		assert_int_equal(f->joint_count, rig->skeleton.bone_count);
		for (int frame = -1; frame < 6; frame++) assert_pose(context, f, frame, rig);
		ossa_rig_free(context, rig);
	}
	assert_int_equal(ossa_context_warning_count(context), 0);
	test_context_end(context);
}

static void free_bones_and_ends(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	uint64_t seed = 5;
	ossa_write_options options = ossa_write_default();
	options.leaf_bones = true;
	assert_ok(context, test_rich_rig(context, 1000, 3, 4, &rig));
	const size_t bones = rig->skeleton.bone_count;
	rig->clip->translations = ossa_alloc(context, 9 * bones, sizeof(double));
	for (size_t i = 0; i < 9 * bones; i++) rig->clip->translations[i] = test_random(&seed);
	assert_ok(context, ossa_write_rig(context, rig, test_path("ends.usda"), &options));
	const figure *f = read_figure(test_path("ends.usda"));
	for (int frame = -1; frame < 3; frame++) assert_pose(context, f, frame, rig);
	/* ends are at the tails */
	size_t ends = 0;
	for (size_t j = bones; j < f->joint_count; j++, ends++) {
		const ossa_bone *bone = &rig->skeleton.bones[f->parents[j]];
		assert_near_vec3(f->bind[j].t, ossai_v3_of(bone->tail), 1e-9);
		assert_string_equal(f->joints[j] + strlen(f->joints[j]) - 4, "_end");
	}
	assert_int_equal(ends, 5);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static size_t count_of(const char *words)
{
	size_t count = 0;
	for (const char *at = text; (at = strstr(at, words)); at++) count++;
	return count;
}

/* polygons, UVs and normals by corners, materials by polygons */
static void meshes_keep_what_they_have(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 2, 4, &rig));
	ossa_mesh *mesh = rig->mesh;
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("mesh.usda"), NULL));
	load(test_path("mesh.usda"));
	assert_int_equal(numbers_of("int[] faceVertexCounts", numbers, NUMBERS_MAX), mesh->polygon_count);
	for (size_t p = 0; p < mesh->polygon_count; p++) {
		assert_true(numbers[p] == mesh->polygon_start[p + 1] - mesh->polygon_start[p]);
	}
	assert_int_equal(numbers_of("int[] faceVertexIndices", numbers, NUMBERS_MAX), mesh->corner_count);
	for (size_t c = 0; c < mesh->corner_count; c++) assert_true(numbers[c] == mesh->corner_vertex[c]);
	assert_int_equal(numbers_of("point3f[] points", numbers, NUMBERS_MAX), 3 * mesh->vertex_count);
	for (size_t i = 0; i < 3 * mesh->vertex_count; i++) assert_true((float)numbers[i] == mesh->positions[i]);
	assert_int_equal(numbers_of("int[] primvars:st:indices", numbers, NUMBERS_MAX), mesh->corner_count);
	for (size_t c = 0; c < mesh->corner_count; c++) assert_true(numbers[c] == mesh->corner_texcoord[c]);
	assert_int_equal(numbers_of("texCoord2f[] primvars:st", numbers, NUMBERS_MAX), 2 * mesh->texcoord_count);
	for (size_t i = 0; i < 2 * mesh->texcoord_count; i++) assert_true((float)numbers[i] == mesh->texcoords[i]);
	assert_int_equal(numbers_of("color3f[] primvars:displayColor", numbers, NUMBERS_MAX), 3 * mesh->vertex_count);
	/* every polygon is in one subset: two materials and those without */
	static bool met[1 << 16];
	size_t subsets = 0, total = 0;
	for (char *at = text; (at = strstr(at, " int[] indices = ")); at++, subsets++) {
		const size_t count = numbers_at(at, numbers, NUMBERS_MAX);
		for (size_t i = 0; i < count; i++) {
			const size_t p = (size_t)numbers[i];
			assert_true(p < mesh->polygon_count && !met[p]);
			assert_true(mesh->polygon_material[p] == (subsets == 2 ? OSSA_NONE : subsets));
			met[p] = true;
		}
		total += count;
	}
	assert_int_equal(subsets, 3);
	assert_int_equal(total, mesh->polygon_count);
	assert_int_equal(count_of("def Material \"skin__soft_\""), 1);
	assert_int_equal(count_of("SkelRoot"), 0);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* some corners without UV get one that is there; normals are there for all corners or for none */
static void missing_attributes_are_reported(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh;
	static const float corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
	assert_ok(context, ossa_mesh_create(context, 4, corners, 2, (uint32_t[]){0, 1, 2, 1, 3, 2}, &mesh));
	mesh->corner_texcoord = ossa_alloc(context, 6, 4);
	mesh->corner_normal = ossa_alloc(context, 6, 4);
	mesh->texcoords = ossa_alloc(context, 1, 8);
	mesh->normals = ossa_alloc(context, 1, 12);
	mesh->texcoord_count = mesh->normal_count = 1;
	mesh->normals[2] = 1;
	mesh->texcoords[0] = 0.25F;
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("n.usda"), NULL));
	load(test_path("n.usda"));
	assert_int_equal(numbers_of("normal3f[] primvars:normals", numbers, NUMBERS_MAX), 3);
	assert_int_equal(numbers_of("int[] primvars:normals:indices", numbers, NUMBERS_MAX), 6);
	assert_int_equal(ossa_context_warning_count(context), 0);
	mesh->corner_texcoord[4] = mesh->corner_normal[3] = OSSA_NONE;
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("n.usda"), NULL));
	load(test_path("n.usda"));
	assert_null(value_of("normal3f[] primvars:normals"));
	assert_string_equal(ossa_context_warning(context, 0)->code, "normals-left-out");
	assert_int_equal(numbers_of("int[] primvars:st:indices", numbers, NUMBERS_MAX), 6);
	assert_true(numbers[3] == 0 && numbers[4] == 1);
	assert_int_equal(numbers_of("texCoord2f[] primvars:st", numbers, NUMBERS_MAX), 4);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void axes_units_and_times_are_reported(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	double time, first[3];
	ossa_write_options options = ossa_write_default();
	assert_ok(context, test_rich_rig(context, 1000, 4, 4, &rig));
	for (size_t f = 0; f < 4; f++) rig->clip->times[f] = (double)(float)((double)f / 30);
	assert_ok(context, ossa_write_rig(context, rig, test_path("t.usda"), NULL));
	load(test_path("t.usda"));
	assert_true(count_of("timeCodesPerSecond = 30\n") == 1 && count_of("endTimeCode = 3\n") == 1);
	assert_true(count_of("upAxis = \"Y\"\n") == 1 && count_of("metersPerUnit = 1\n") == 1);
	numbers_of("point3f[] points", numbers, NUMBERS_MAX);
	memcpy(first, numbers, sizeof first);
	options.up = OSSA_UP_Z;
	options.unit = 0.01;
	rig->clip->times[3] = 1;
	rig->clip->times[0] = -0.5;
	assert_ok(context, ossa_write_rig(context, rig, test_path("t.usda"), &options));
	load(test_path("t.usda"));
	assert_true(count_of("upAxis = \"Z\"\n") == 1 && count_of("metersPerUnit = 0.01\n") == 1);
	numbers_of("point3f[] points", numbers, NUMBERS_MAX);
	assert_near(numbers[2], 100 * first[1], 1e-3);
	assert_near(numbers[1], -100 * first[2], 1e-3);
	/* uneven times are not moved: 24 codes a second from the first on */
	for (size_t f = 0; f < 4; f++) {
		sample_of("quatf[] rotations", f, &time, numbers, NUMBERS_MAX);
		assert_near(time / 24, rig->clip->times[f] + 0.5, 1e-6);
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void frames_are_points_over_time(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh;
	ossa_frames *frames;
	static const float corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
	assert_ok(context, ossa_mesh_create(context, 3, corners, 1, (uint32_t[]){0, 1, 2}, &mesh));
	assert_ok(context, ossa_frames_create(context, 3, 3, 10, &frames));
	for (size_t i = 0; i < 27; i++) frames->positions[i] = (float)i * 0.1F;
	assert_ok(context, ossa_write_frames(context, mesh, frames, test_path("f.usda"), NULL));
	load(test_path("f.usda"));
	for (size_t f = 0; f < 3; f++) {
		double time;
		assert_int_equal(sample_of("point3f[] points", f, &time, numbers, NUMBERS_MAX), 9);
		assert_true(time == (double)f);
		for (size_t i = 0; i < 9; i++) assert_true((float)numbers[i] == frames->positions[9 * f + i]);
	}
	assert_fails(context, ossa_write_frames(context, NULL, frames, test_path("f.usda"), NULL), OSSA_ERROR_ARGUMENT, "the mesh");
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* names that USD does not take are changed and stay different, however many of them become the
   same */
static void names_stay_different(void **state)
{
	(void)state;
	static const char *const names[] = {"a-b", "a_b", "a_b_2", "a--b", "2", "_2", "-", "--", "a_b-2"};
	static const char *const found[] = {"a_b", "a_b_2", "a_b_2_2", "a__b", "_2", "_2_2", "_", "__", "a_b_2_3"};
	ossa_context *context = test_context(1);
	ossa_mesh *empty;
	ossa_rig *rig;
	assert_ok(context, ossa_mesh_create(context, 0, NULL, 0, NULL, &empty));
	assert_ok(context, ossa_rig_create(context, empty, 9, 1, &rig));
	for (int b = 0; b < 9; b++) {
		strcpy(rig->skeleton.bones[b].name, names[b]);
		rig->skeleton.bones[b].parent = b > 0 ? 0 : -1;
		rig->skeleton.bones[b].orientation[3] = 1;
	}
	assert_ok(context, ossa_write_rig(context, rig, test_path("names.usda"), NULL));
	load(test_path("names.usda"));
	static figure f;
	read_joints(&f);
	assert_int_equal(f.joint_count, 9);
	for (int b = 0; b < 9; b++) {
		const char *slash = strrchr(f.joints[b], '/');
		assert_string_equal(slash ? slash + 1 : f.joints[b], found[b]);
	}
	/* a skeleton alone has no mesh */
	assert_int_equal(count_of("def Mesh"), 0);
	ossa_rig_free(context, rig);
	ossa_mesh_free(context, empty);
	test_context_end(context);
}

static void endless_chains_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *empty;
	ossa_rig *rig;
	assert_ok(context, ossa_mesh_create(context, 0, NULL, 0, NULL, &empty));
	assert_ok(context, ossa_rig_create(context, empty, 20000, 1, &rig));
	for (int b = 0; b < 20000; b++) {
		snprintf(rig->skeleton.bones[b].name, 64, "bone_number_%d", b);
		rig->skeleton.bones[b].parent = b - 1;
		rig->skeleton.bones[b].orientation[3] = 1;
	}
	assert_fails(context, ossa_write_rig(context, rig, test_path("chain.usda"), NULL), OSSA_ERROR_LIMIT, "chains of bones");
	assert_null(fopen(test_path("chain.usda"), "r"));
	ossa_rig_free(context, rig);
	ossa_mesh_free(context, empty);
	test_context_end(context);
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 2, 4, &rig));
	ossa_write_options options = ossa_write_default();
	options.leaf_bones = true;
	test_sweep_write(&(test_writing){.rig = rig, .options = &options}, "sweep.usda", 9);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void a_full_disk_leaves_the_old_file(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 2, 4, &rig));
	test_full_disk(context, &(test_writing){.rig = rig}, "full.usda", "full.usda", 4096);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(poses_are_the_rigs),
		cmocka_unit_test(free_bones_and_ends),
		cmocka_unit_test(meshes_keep_what_they_have),
		cmocka_unit_test(missing_attributes_are_reported),
		cmocka_unit_test(axes_units_and_times_are_reported),
		cmocka_unit_test(frames_are_points_over_time),
		cmocka_unit_test(names_stay_different),
		cmocka_unit_test(endless_chains_are_refused),
		cmocka_unit_test(every_allocation_may_fail),
		cmocka_unit_test(a_full_disk_leaves_the_old_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

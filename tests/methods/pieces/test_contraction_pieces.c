/* tests/methods/pieces/test_contraction_pieces.c: pieces of a mesh that are rigged apart: each
   as it would be alone, under a common root; eyes and buttons; the number of bones of each, of
   hundreds too; floors; mirrored pieces; messages. */
#include "samples/samples.h"
#include "support/shapes.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FACES = 1200, PROXY = 600 };

static ossa_contraction_options apart(void)
{
	ossa_contraction_options options = ossa_contraction_default();
	options.pieces = 1;
	options.proxy_size = PROXY;
	return options;
}

static ossa_sample *make_sample(ossa_context *context, int kind)
{
	ossa_sample_options options = ossa_sample_default();
	ossa_sample *sample;
	options.kind = kind;
	options.faces = FACES;
	options.frames = 1;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	return sample;
}

/* a creature somewhere, into what there is already */
static void add_mesh(test_shape *s, const ossa_mesh *mesh, double x, double y, double z)
{
	assert_true(s->vertex_count + mesh->vertex_count <= TEST_SHAPE_VERTICES);
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		const double by[3] = {x, y, z};
		float *to = s->positions + 3 * (s->vertex_count + v);
		for (size_t k = 0; k < 3; k++) to[k] = (float)(mesh->positions[3 * v + k] + by[k]);
	}
	for (size_t i = 0; i < 3 * mesh->triangle_count; i++) {
		s->triangles[3 * s->face_count + i] = (uint32_t)s->vertex_count + mesh->triangles[i];
	}
	s->vertex_count += mesh->vertex_count;
	s->face_count += mesh->triangle_count;
}

static ossa_mesh *mesh_of(ossa_context *context, const test_shape *s)
{
	ossa_mesh *mesh;
	assert_ok(context, ossa_mesh_create(context, s->vertex_count, s->positions, s->face_count, s->triangles, &mesh));
	return mesh;
}

static ossa_rig *rig_of(ossa_context *context, const ossa_mesh *mesh, const ossa_contraction_options *options)
{
	ossa_rig *rig;
	ossa_context_reset(context);
	assert_ok(context, ossa_rig_from_contraction(context, mesh, options, &rig));
	assert_ok(context, ossa_rig_validate(context, rig));
	return rig;
}

static size_t count_prefix(const ossa_rig *rig, const char *prefix)
{
	size_t count = 0;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		count += strncmp(rig->skeleton.bones[b].name, prefix, strlen(prefix)) == 0;
	}
	return count;
}

/* the bones that the prefix begins move no vertex outside of first .. end, and no others any
   inside */
static void assert_own_weights(const ossa_rig *rig, const char *prefix, size_t first, size_t end)
{
	const ossa_weights *w = &rig->weights;
	const size_t width = (size_t)w->influences;
	for (size_t i = 0; i < w->vertex_count * width; i++) {
		const bool is_own = strncmp(rig->skeleton.bones[w->bones[i]].name, prefix, strlen(prefix)) == 0;
		if (w->values[i] > 0 && is_own != (i / width >= first && i / width < end)) {
			fail_msg("vertex %zu follows %s by %g", i / width, rig->skeleton.bones[w->bones[i]].name, w->values[i]);
		}
	}
}

/* bones of the prefix are those of the rig of the piece alone, moved */
static void assert_as_alone(const ossa_rig *rig, const char *prefix, const ossa_rig *alone, const double by[3])
{
	assert_int_equal(count_prefix(rig, prefix), alone->skeleton.bone_count);
	for (size_t b = 0; b < alone->skeleton.bone_count; b++) {
		char name[128];
		snprintf(name, sizeof name, "%s%s", prefix, alone->skeleton.bones[b].name);
		const int32_t found = ossa_rig_bone(rig, name);
		if (found < 0) fail_msg("no bone %s", name);
		for (int k = 0; k < 3; k++) {
			const double off = rig->skeleton.bones[found].joint[k] - by[k] - alone->skeleton.bones[b].joint[k];
			if (!(fabs(off) < 1e-3)) fail_msg("%s is %g off", name, off);
		}
	}
}

/* ---- two animals ---- */

static void each_is_rigged_as_if_alone(void **state)
{
	(void)state;
	/* steps of floats: translations by these are exact */
	const double by[3] = {4, 0, 0.5}, here[3] = {0, 0, 0};
	ossa_context *context = test_context(2);
	ossa_sample *biped = make_sample(context, OSSA_SAMPLE_BIPED), *animal = make_sample(context, OSSA_SAMPLE_QUADRUPED);
	test_shape *s = test_shape_new();
	add_mesh(s, animal->rig->mesh, 0, 0, 0);
	add_mesh(s, biped->rig->mesh, by[0], by[1], by[2]);
	const size_t first = animal->rig->mesh->vertex_count;
	ossa_mesh *both = mesh_of(context, s);
	ossa_contraction_options options = apart();
	ossa_rig *rig = rig_of(context, both, &options);
	assert_no_warnings(context);
	/* the common root moves nothing, and is on the ground between the two */
	const ossa_bone *root = rig->skeleton.bones;
	assert_string_equal(root->name, "root");
	assert_true(root->joint[0] > 1 && root->joint[0] < 3);
	assert_near(root->joint[1], 0, 0.05);
	assert_int_equal(rig->skeleton.bones[1].parent, 0);
	assert_int_equal(rig->skeleton.bones[2].parent, 0);
	assert_true(rig->skeleton.bones[3].parent > 0);
	/* the larger one comes first: they are nearly as large */
	const bool swapped = count_prefix(rig, "piece_1_thigh") > 0;
	const char *of_animal = swapped ? "piece_2_" : "piece_1_", *of_biped = swapped ? "piece_1_" : "piece_2_";
	assert_own_weights(rig, of_animal, 0, first);
	assert_own_weights(rig, of_biped, first, both->vertex_count);
	ossa_rig *alone = rig_of(context, animal->rig->mesh, &options);
	assert_as_alone(rig, of_animal, alone, here);
	ossa_rig_free(context, alone);
	alone = rig_of(context, biped->rig->mesh, &options);
	assert_as_alone(rig, of_biped, alone, by);
	assert_true(swapped || count_prefix(rig, "piece_2_thigh") > 0);
	ossa_rig_free(context, alone);
	ossa_rig_free(context, rig);
	ossa_mesh_free(context, both);
	free(s);
	ossa_sample_free(context, animal);
	ossa_sample_free(context, biped);
	test_context_end(context);
}

/* as many bones as requested, in proportion to what the shapes suggest; what one cannot use the
   other gets */
static void bones_are_shared_out(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *octopus = make_sample(context, OSSA_SAMPLE_OCTOPUS), *tube = make_sample(context, OSSA_SAMPLE_TUBE);
	test_shape *s = test_shape_new();
	add_mesh(s, octopus->rig->mesh, 0, 0, 0);
	add_mesh(s, tube->rig->mesh, 0, 3, 0);
	ossa_mesh *both = mesh_of(context, s);
	ossa_contraction_options options = apart();
	ossa_rig *rig = rig_of(context, both, &options);
	const size_t all = rig->skeleton.bone_count, of_octopus = count_prefix(rig, "piece_1_");
	assert_true(of_octopus > 20 && all - of_octopus > 3);
	ossa_rig_free(context, rig);
	static const int WANTED[] = {1, 37};
	for (size_t i = 0; i < sizeof WANTED / sizeof WANTED[0]; i++) {
		options.bones = WANTED[i];
		rig = rig_of(context, both, &options);
		assert_int_equal(rig->skeleton.bone_count, WANTED[i]);
		const size_t part = count_prefix(rig, "piece_1_");
		if (WANTED[i] > 20) assert_near((double)part / WANTED[i], (double)of_octopus / (double)all, 0.1);
		assert_true((test_warned(context, "pieces-along") > 0) == (WANTED[i] < 3));
		ossa_rig_free(context, rig);
	}
	options.bones = 20;
	options.refine = 0;
	rig = rig_of(context, both, &options);
	assert_int_equal(rig->skeleton.bone_count, 20);
	ossa_rig_free(context, rig);
	ossa_mesh_free(context, both);
	free(s);
	ossa_sample_free(context, tube);
	ossa_sample_free(context, octopus);
	test_context_end(context);
}

/* ---- eyes and buttons ---- */

/* a biped's skin near a point: of the vertices at this height and side the one farthest to the
   front */
static ossai_vec3 front_of(const ossa_mesh *mesh, double x, double y, double near)
{
	ossai_vec3 front = {0, 0, -INFINITY};
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		const ossai_vec3 p = ossai_v3_of_float(mesh->positions + 3 * v);
		if (fabs(p.x - x) < near && fabs(p.y - y) < near && p.z > front.z) front = p;
	}
	assert_true(isfinite(front.z));
	return front;
}

/* the weights of a piece's vertices are all alike, and those of bones of the body */
static void assert_goes_along(const ossa_rig *rig, size_t first, size_t end)
{
	const size_t width = (size_t)rig->weights.influences;
	for (size_t v = first; v < end; v++) {
		assert_memory_equal(rig->weights.values + v * width, rig->weights.values + first * width, width * sizeof(float));
		assert_memory_equal(rig->weights.bones + v * width, rig->weights.bones + first * width, width * sizeof(uint16_t));
	}
	assert_int_not_equal(strncmp(rig->skeleton.bones[rig->weights.bones[first * width]].name, "piece", 5), 0);
}

static void eyes_are_rigid_and_buttons_go_along(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *biped = make_sample(context, OSSA_SAMPLE_BIPED);
	const ossa_mesh *body = biped->rig->mesh;
	test_shape *s = test_shape_new();
	add_mesh(s, body, 0, 0, 0);
	const ossai_vec3 face = front_of(body, 0.05, 1.78, 0.06);
	for (int side = -1; side <= 1; side += 2) {
		const ossai_vec3 eye = ossai_v3(side * 0.05, face.y, face.z);
		test_shape_ball(s, eye, 0.03, 6, INFINITY);
		test_shape_ball(s, ossai_v3(eye.x, eye.y, eye.z + 0.03), 0.012, 4, INFINITY);
	}
	const size_t buttons = s->vertex_count;
	for (int i = 0; i < 2; i++) test_shape_ball(s, front_of(body, 0, 1.3 - 0.1 * i, 0.06), 0.004, 3, INFINITY);
	ossa_mesh *mesh = mesh_of(context, s);
	ossa_contraction_options options = apart();
	options.proxy_size = 1000;
	ossa_rig *rig = rig_of(context, mesh, &options);
	/* the body keeps its names, and each eye is a child of the head, each pupil of its eye */
	assert_int_equal(count_prefix(rig, "piece_"), 4);
	assert_true(count_prefix(rig, "thigh") > 0 && strcmp(rig->skeleton.bones[0].name, "root") != 0);
	for (int side = 0; side < 2; side++) {
		const int32_t eye = ossa_rig_bone(rig, side ? "piece_2_L" : "piece_2_R");
		const int32_t pupil = ossa_rig_bone(rig, side ? "piece_4_L" : "piece_4_R");
		assert_true(eye > 0 && pupil > 0);
		assert_near(rig->skeleton.bones[eye].joint[0], side ? 0.05 : -0.05, 1e-3);
		assert_int_equal(rig->skeleton.bones[pupil].parent, eye);
		assert_string_equal(rig->skeleton.bones[rig->skeleton.bones[eye].parent].name, "head");
	}
	const size_t half = buttons + (mesh->vertex_count - buttons) / 2;
	assert_goes_along(rig, buttons, half);
	assert_goes_along(rig, half, mesh->vertex_count);
	ossa_rig_free(context, rig);
	/* all of them, if one likes; or none */
	options.along_below = 0;
	rig = rig_of(context, mesh, &options);
	assert_int_equal(count_prefix(rig, "piece_"), 6);
	ossa_rig_free(context, rig);
	options.along_below = options.rigid_below = 20;
	rig = rig_of(context, mesh, &options);
	assert_int_equal(count_prefix(rig, "piece_"), 0);
	ossa_rig_free(context, rig);
	ossa_mesh_free(context, mesh);
	free(s);
	ossa_sample_free(context, biped);
	test_context_end(context);
}

/* ---- hundreds ---- */

static void add_vertex(test_shape *s, double x, double y, double z)
{
	const double p[3] = {x, y, z};
	for (int k = 0; k < 3; k++) s->positions[3 * s->vertex_count + (size_t)k] = (float)p[k];
	s->vertex_count++;
}

/* a bent strip of 20 faces, as hair and grass are made of: from a position, along x and up, of the
   given length */
static void add_strip(test_shape *s, ossai_vec3 from, double length, double lean)
{
	const uint32_t first = (uint32_t)s->vertex_count;
	for (uint32_t i = 0; i <= 10; i++) {
		const double t = length * i / 10;
		for (int side = 0; side < 2; side++) {
			add_vertex(s, from.x + lean * t * t, from.y + t, from.z + (side - 0.5) * 0.1 * length);
		}
	}
	for (uint32_t i = 0; i < 10; i++) {
		const uint32_t a = first + 2 * i, faces[6] = {a, a + 1, a + 3, a, a + 3, a + 2};
		memcpy(s->triangles + 3 * s->face_count, faces, sizeof faces);
		s->face_count += 2;
	}
}

static size_t told_pieces(const ossa_rig *rig) { return rig->pieces.skeletons + rig->pieces.rigid + rig->pieces.along; }

static void grass_has_no_more_bones_than_engines_take(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	test_shape *s = test_shape_new();
	for (int i = 0; i < 300; i++) add_strip(s, ossai_v3(i % 20, 0, i / 20), 1 + 0.001 * i, 0.2 + 0.001 * (i % 7));
	ossa_mesh *mesh = mesh_of(context, s);
	ossa_contraction_options options = apart();
	options.proxy_size = 100;
	ossa_rig *rig = rig_of(context, mesh, &options);
	assert_true(rig->skeleton.bone_count > 150 && rig->skeleton.bone_count <= 256);
	assert_int_equal(told_pieces(rig), 300);
	/* what is counted adds up, and says which option changes it */
	assert_int_equal(test_warned(context, "pieces-along"), (int64_t)rig->pieces.along);
	assert_non_null(strstr(test_warning_text(context, "pieces-along"), "`bones N`"));
	size_t told = 0, made = 0, over = 0;
	const char *text = test_warning_text(context, "fewer-bones");
	assert_int_equal(
		sscanf(text, "the shapes of the pieces suggest %zu bones, and %zu are made: %zu would", &told, &made, &over), 3);
	assert_int_equal(made, rig->skeleton.bone_count);
	assert_int_equal(told - made, over);
	assert_int_equal(test_warned(context, "fewer-bones"), (int64_t)over);
	/* which pieces a warning is about */
	assert_non_null(strstr(test_warning_text(context, "proxy-shell"), "piece_1, near (19."));
	assert_non_null(strstr(test_warning_text(context, "proxy-shell"), " more: the surface does not"));
	ossa_rig_free(context, rig);
	ossa_mesh_free(context, mesh);
	free(s);
	test_context_end(context);
}

/* hair on a head: the body has the bones that it has without, whether cards are small or large */
static void hair_takes_no_bones_of_the_body(void **state)
{
	(void)state;
	static const double LENGTH[] = {0.06, 0.5};
	ossa_context *context = test_context(2);
	ossa_sample *biped = make_sample(context, OSSA_SAMPLE_BIPED);
	ossa_contraction_options options = apart();
	options.proxy_size = 500;
	ossa_rig *alone = rig_of(context, biped->rig->mesh, &options);
	for (size_t k = 0; k < (test_is_long() ? 2 : 1); k++) {
		test_shape *s = test_shape_new();
		add_mesh(s, biped->rig->mesh, 0, 0, 0);
		for (int i = 0; i < 300; i++) {
			add_strip(s, ossai_v3(-0.1 + 0.01 * (i % 20), 1.9, -0.07 + 0.01037 * (i / 20)), LENGTH[k] * (1 + 0.001 * i), 0.5);
		}
		ossa_mesh *mesh = mesh_of(context, s);
		options.proxy_size = k == 0 ? 500 : 120;
		ossa_rig *rig = rig_of(context, mesh, &options);
		const size_t of_hair = count_prefix(rig, "piece_") - count_prefix(rig, "piece_1_");
		assert_true(rig->skeleton.bone_count <= 256);
		assert_int_equal(told_pieces(rig), 301);
		if (k == 0) {
			/* cards go along with the head, and the body keeps its names */
			assert_int_equal(rig->skeleton.bone_count, alone->skeleton.bone_count);
			assert_true(ossa_rig_bone(rig, "head") >= 0);
			assert_int_equal(test_warned(context, "pieces-along"), 300);
			assert_non_null(strstr(test_warning_text(context, "pieces-along"), "`along-below "));
		} else {
			assert_true(of_hair > 150);
			assert_true(count_prefix(rig, "piece_1_") >= 10);
		}
		ossa_rig_free(context, rig);
		ossa_mesh_free(context, mesh);
		free(s);
	}
	ossa_rig_free(context, alone);
	ossa_sample_free(context, biped);
	test_context_end(context);
}

/* if more bones are asked for than pieces with bones can use, those without are reported too: all
   pieces are accounted for */
static void counts_of_pieces_and_bones_add_up(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	test_shape *s = test_shape_new();
	test_shape_ball(s, ossai_v3(0, 0, 0), 2, 8, INFINITY);
	for (int i = 0; i < 280; i++) test_shape_ball(s, ossai_v3(3 + i % 20, i / 20, 0), 0.1 + 0.0001 * i, 3, INFINITY);
	ossa_mesh *mesh = mesh_of(context, s);
	ossa_contraction_options options = apart();
	options.bones = 400;
	options.proxy_size = 100;
	ossa_rig *rig = rig_of(context, mesh, &options);
	size_t wanted = 0, made = 0, all = 0, have = 0, along = 0;
	const char *text = test_warning_text(context, "fewer-bones");
	assert_int_equal(
		sscanf(text, "%zu bones were wanted and %zu made: of %zu pieces %zu have bones", &wanted, &made, &all, &have), 4);
	assert_int_equal(made, rig->skeleton.bone_count);
	assert_int_equal(test_warned(context, "fewer-bones"), (int64_t)(wanted - made));
	assert_int_equal(sscanf(strchr(text, ';'), "; %zu move with them", &along), 1);
	assert_int_equal(all, 281);
	assert_int_equal(have, rig->pieces.skeletons + rig->pieces.rigid);
	assert_int_equal(have + along, all);
	assert_int_equal(test_warned(context, "pieces-along"), (int64_t)along);
	ossa_rig_free(context, rig);
	ossa_mesh_free(context, mesh);
	free(s);
	test_context_end(context);
}

/* ---- floors ---- */

static void add_floor(test_shape *s, double y, double half)
{
	const uint32_t a = (uint32_t)s->vertex_count, faces[6] = {a, a + 1, a + 3, a, a + 3, a + 2};
	for (int i = 0; i < 4; i++) add_vertex(s, i % 2 ? half : -half, y, i / 2 ? half : -half);
	memcpy(s->triangles + 3 * s->face_count, faces, sizeof faces);
	s->face_count += 2;
}

/* a floor below a character, however large, is one bone beside it: the character has the bones,
   names and small pieces that it has without */
static void a_floor_is_not_what_is_rigged(void **state)
{
	(void)state;
	static const double HALF[] = {3, 300};
	ossa_context *context = test_context(2);
	ossa_sample *biped = make_sample(context, OSSA_SAMPLE_BIPED);
	const ossa_mesh *body = biped->rig->mesh;
	ossa_contraction_options options = apart();
	ossa_rig *alone = rig_of(context, body, &options);
	for (size_t k = 0; k < 3; k++) {
		test_shape *s = test_shape_new();
		add_mesh(s, body, 0, 0, 0);
		test_shape_ball(s, front_of(body, 0, 1.78, 0.06), 0.04, 5, INFINITY);
		/* the last is a slab with two sides */
		if (k < 2) add_floor(s, -0.001, HALF[k]);
		else test_shape_box(s, ossai_v3(-4, -0.1, -4), ossai_v3(4, -0.01, 4), true);
		ossa_mesh *mesh = mesh_of(context, s);
		ossa_rig *rig = rig_of(context, mesh, &options);
		assert_int_equal(rig->pieces.skeletons, 1);
		assert_int_equal(rig->pieces.rigid, 2);
		assert_int_equal(rig->skeleton.bone_count, alone->skeleton.bone_count + 3);
		for (size_t b = 0; b < alone->skeleton.bone_count; b++) {
			if (ossa_rig_bone(rig, alone->skeleton.bones[b].name) < 0) fail_msg("no bone %s", alone->skeleton.bones[b].name);
		}
		const int32_t floor = ossa_rig_bone(rig, "piece_2"), nose = ossa_rig_bone(rig, "piece_3");
		assert_true(floor > 0 && nose > 0);
		assert_int_equal(rig->skeleton.bones[floor].parent, 0);
		assert_string_equal(rig->skeleton.bones[0].name, "root");
		assert_string_equal(rig->skeleton.bones[rig->skeleton.bones[nose].parent].name, "head");
		ossa_rig_free(context, rig);
		ossa_mesh_free(context, mesh);
		free(s);
	}
	ossa_rig_free(context, alone);
	ossa_sample_free(context, biped);
	test_context_end(context);
}

/* sheets that are all there is are rigged, and one that is small beside a ball does not stand below
   it */
static void sheets_alone_are_rigged(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	for (int with_ball = 0; with_ball < 2; with_ball++) {
		test_shape *s = test_shape_new();
		add_floor(s, 0, 1);
		if (with_ball) test_shape_ball(s, ossai_v3(0, 5, 0), 3, 8, INFINITY);
		else add_floor(s, 2, 1.5);
		ossa_mesh *mesh = mesh_of(context, s);
		ossa_contraction_options options = apart();
		options.proxy_size = 200;
		ossa_rig *rig = rig_of(context, mesh, &options);
		assert_int_equal(rig->pieces.skeletons, 2);
		ossa_rig_free(context, rig);
		ossa_mesh_free(context, mesh);
		free(s);
	}
	test_context_end(context);
}

/* ---- images ---- */

/* for each bone that ends with _L there is one with _R, its image across x = 0 */
static size_t assert_sides(const ossa_rig *rig)
{
	size_t count = 0;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		char name[64];
		memcpy(name, rig->skeleton.bones[b].name, sizeof name);
		const size_t length = strlen(name);
		if (length < 3 || strcmp(name + length - 2, "_L") != 0) continue;
		name[length - 1] = 'R';
		const int32_t other = ossa_rig_bone(rig, name);
		if (other < 0) fail_msg("%s has no other side", rig->skeleton.bones[b].name);
		const double *left = rig->skeleton.bones[b].joint, *right = rig->skeleton.bones[other].joint;
		if (!(left[0] > 0 && fabs(left[0] + right[0]) < 1e-2)) {
			fail_msg("%s at %g, the other at %g", rig->skeleton.bones[b].name, left[0], right[0]);
		}
		assert_near(left[1], right[1], 1e-2);
		assert_near(left[2], right[2], 1e-2);
		count++;
	}
	return count;
}

static void images_get_images(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *robot = make_sample(context, OSSA_SAMPLE_PIECES);
	ossa_contraction_options options = apart();
	options.proxy_size = 200;
	ossa_rig *rig = rig_of(context, robot->rig->mesh, &options);
	/* arms, legs, feet, hands: six pairs of pieces */
	assert_true(assert_sides(rig) >= 6);
	ossa_rig_free(context, rig);
	/* the same with a number of bones, of which pairs have as many on both sides */
	options.bones = 36;
	rig = rig_of(context, robot->rig->mesh, &options);
	assert_int_equal(rig->skeleton.bone_count, 36);
	assert_true(assert_sides(rig) >= 6);
	ossa_rig_free(context, rig);
	ossa_sample_free(context, robot);
	test_context_end(context);
}

/* a round head has many planes of symmetry: that of its eyes decides left and right */
static void eyes_of_a_ball_are_left_and_right(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	test_shape *s = test_shape_new();
	test_shape_ball(s, ossai_v3(0, 1, 0), 1, 12, INFINITY);
	for (int side = -1; side <= 1; side += 2) test_shape_ball(s, ossai_v3(0.35 * side, 1.3, 0.9), 0.08, 6, INFINITY);
	ossa_mesh *mesh = mesh_of(context, s);
	ossa_contraction_options options = apart();
	ossa_rig *rig = rig_of(context, mesh, &options);
	const int32_t left = ossa_rig_bone(rig, "piece_2_L"), right = ossa_rig_bone(rig, "piece_2_R");
	assert_true(left > 0 && right > 0);
	assert_true(rig->skeleton.bones[left].joint[0] > 0.3 && rig->skeleton.bones[right].joint[0] < -0.3);
	ossa_rig_free(context, rig);
	ossa_mesh_free(context, mesh);
	free(s);
	test_context_end(context);
}

/* a rig that is renamed, as by `ossa convert --names body`, keeps its pieces distinct */
static void pieces_keep_their_names_in_new_ones(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *biped = make_sample(context, OSSA_SAMPLE_BIPED);
	test_shape *s = test_shape_new();
	add_mesh(s, biped->rig->mesh, 0, 0, 0);
	add_mesh(s, biped->rig->mesh, 3, 0, 0);
	test_shape_ball(s, front_of(biped->rig->mesh, 0, 1.78, 0.06), 0.05, 5, INFINITY);
	ossa_mesh *mesh = mesh_of(context, s);
	ossa_contraction_options options = apart();
	ossa_rig *rig = rig_of(context, mesh, &options);
	const size_t bones = rig->skeleton.bone_count;
	char(*before)[64] = calloc(bones, sizeof *before);
	assert_non_null(before);
	for (size_t b = 0; b < bones; b++) memcpy(before[b], rig->skeleton.bones[b].name, sizeof *before);
	/* parts of the body that somebody numbered are found again */
	const int32_t head = ossa_rig_bone(rig, "piece_2_head");
	assert_true(head > 0);
	snprintf(rig->skeleton.bones[head].name, sizeof rig->skeleton.bones[head].name, "piece_2_bone_99");
	assert_ok(context, ossa_rig_name_bones(context, rig, OSSA_NAMES_BODY));
	for (size_t b = 0; b < bones; b++) assert_string_equal(rig->skeleton.bones[b].name, before[b]);
	assert_ok(context, ossa_rig_validate(context, rig));
	free(before);
	ossa_rig_free(context, rig);
	ossa_mesh_free(context, mesh);
	free(s);
	ossa_sample_free(context, biped);
	test_context_end(context);
}

/* ---- progress ---- */

enum { HEARD = 4000 };

/* fractions heard of one stage */
typedef struct listener {
	const char *stage;
	size_t count;
	double heard[HEARD];
} listener;

static bool listen(void *user, const char *stage, double fraction)
{
	listener *l = user;
	if (strcmp(stage, l->stage) == 0 && l->count < HEARD) l->heard[l->count++] = fraction;
	return true;
}

static void assert_moves_on(const ossa_mesh *mesh, const char *stage)
{
	listener *l = calloc(1, sizeof *l);
	assert_non_null(l);
	l->stage = stage;
	ossa_context_options wanted = ossa_context_default();
	wanted.progress = listen;
	wanted.progress_user = l;
	ossa_context *context;
	assert_int_equal(ossa_context_create(&wanted, &context), OSSA_OK);
	ossa_contraction_options options = apart();
	options.proxy_size = 150;
	options.symmetry = 0;
	ossa_rig *rig;
	assert_ok(context, ossa_rig_from_contraction(context, mesh, &options, &rig));
	const double begin = l->heard[0], end = l->heard[l->count - 1], half = l->heard[l->count / 2];
	assert_true(l->count >= 10 && end > begin);
	if (!(half > begin + 0.25 * (end - begin) && half < begin + 0.75 * (end - begin))) {
		fail_msg("%s goes from %g to %g, and is at %g at half of its progress", stage, begin, end, half);
	}
	ossa_rig_free(context, rig);
	ossa_context_free(context);
	free(l);
}

/* ten things alike: a stage moves on with each of them, and does not stand still behind the
   first */
static void progress_goes_over_all_pieces(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	test_shape *s = test_shape_new();
	for (int i = 0; i < 10; i++) test_shape_box(s, ossai_v3(0, 3 * i, 0), ossai_v3(4 + 0.1 * i, 3 * i + 1, 1), true);
	ossa_mesh *mesh = mesh_of(context, s);
	static const char *const STAGES[] = {"proxy", "contraction", "curve", "weights"};
	for (size_t i = 0; i < sizeof STAGES / sizeof STAGES[0]; i++) assert_moves_on(mesh, STAGES[i]);
	ossa_mesh_free(context, mesh);
	free(s);
	test_context_end(context);
}

/* ---- the rest ---- */

static void options_that_have_no_part_are_told(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *tube = make_sample(context, OSSA_SAMPLE_TUBE);
	ossa_contraction_options options = apart();
	options.join = 5;
	ossa_rig_free(context, rig_of(context, tube->rig->mesh, &options));
	assert_non_null(strstr(test_warning_text(context, "unused-options"), "`join-distance`"));
	options = apart();
	options.pieces = 0;
	options.rigid_below = 5;
	ossa_rig_free(context, rig_of(context, tube->rig->mesh, &options));
	assert_non_null(strstr(test_warning_text(context, "unused-options"), "`rigid-below`"));
	ossa_sample_free(context, tube);
	test_context_end(context);
}

/* two boxes, a small one, a face of no area */
static ossa_mesh *make_boxes(ossa_context *context)
{
	test_shape *s = test_shape_new();
	test_shape_box(s, ossai_v3(0, 0, 0), ossai_v3(4, 1, 1), true);
	test_shape_box(s, ossai_v3(0, 3, 0), ossai_v3(4, 4, 1), true);
	test_shape_box(s, ossai_v3(1, 1.05, 0.4), ossai_v3(1.2, 1.25, 0.6), true);
	static const float line[] = {0, 5, 0, 1, 5, 0, 2, 5, 0};
	memcpy(s->positions + 3 * s->vertex_count, line, sizeof line);
	for (uint32_t k = 0; k < 3; k++) s->triangles[3 * s->face_count + k] = (uint32_t)s->vertex_count + k;
	s->vertex_count += 3;
	s->face_count++;
	ossa_mesh *mesh = mesh_of(context, s);
	free(s);
	return mesh;
}

static ossa_status sweep_body(ossa_context *context, void *arg)
{
	ossa_rig *rig;
	ossa_contraction_options options = apart();
	options.proxy_size = 150;
	options.bones = 9;
	const ossa_status status = ossa_rig_from_contraction(context, arg, &options, &rig);
	if (status == OSSA_OK) ossa_rig_free(context, rig);
	else assert_null(rig);
	return status;
}

/* without a number of bones, and renamed */
static ossa_status sweep_names(ossa_context *context, void *arg)
{
	ossa_rig *rig;
	ossa_contraction_options options = apart();
	options.proxy_size = 150;
	ossa_status status = ossa_rig_from_contraction(context, arg, &options, &rig);
	if (status == OSSA_OK) status = ossa_rig_name_bones(context, rig, OSSA_NAMES_BODY);
	ossa_rig_free(context, rig);
	return status;
}

static void memory_may_fail_anywhere(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = make_boxes(context);
	assert_true(test_allocation_sweep(sweep_body, mesh, 10, 97) > 200);
	ossa_mesh_free(context, mesh);
	test_shape *s = test_shape_new();
	add_floor(s, -0.1, 9);
	for (int i = 0; i < 2; i++) test_shape_box(s, ossai_v3(0, 3 * i, 0), ossai_v3(4, 3 * i + 1, 1), true);
	mesh = mesh_of(context, s);
	free(s);
	assert_true(test_allocation_sweep(sweep_names, mesh, 10, 97) > 200);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void the_same_bytes_for_any_threads(void **state)
{
	(void)state;
	ossa_rig *rigs[2];
	ossa_context *contexts[2];
	for (int i = 0; i < 2; i++) {
		contexts[i] = test_context(i == 0 ? 1 : 3);
		ossa_mesh *mesh = make_boxes(contexts[i]);
		ossa_contraction_options options = apart();
		options.proxy_size = 300;
		rigs[i] = rig_of(contexts[i], mesh, &options);
		ossa_mesh_free(contexts[i], mesh);
	}
	const size_t bones = rigs[0]->skeleton.bone_count, pairs = rigs[0]->weights.vertex_count * 4;
	assert_int_equal(bones, rigs[1]->skeleton.bone_count);
	assert_memory_equal(rigs[0]->skeleton.bones, rigs[1]->skeleton.bones, bones * sizeof(ossa_bone));
	assert_memory_equal(rigs[0]->weights.values, rigs[1]->weights.values, pairs * sizeof(float));
	/* the small box is rigid and a child of the first long one */
	const int32_t small = ossa_rig_bone(rigs[0], "piece_3");
	assert_true(small > 0 && rigs[0]->skeleton.bones[rigs[0]->skeleton.bones[small].parent].joint[1] < 1);
	for (int i = 0; i < 2; i++) {
		ossa_rig_free(contexts[i], rigs[i]);
		test_context_end(contexts[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(each_is_rigged_as_if_alone), cmocka_unit_test(bones_are_shared_out),
		cmocka_unit_test(eyes_are_rigid_and_buttons_go_along), cmocka_unit_test(images_get_images),
		cmocka_unit_test(grass_has_no_more_bones_than_engines_take), cmocka_unit_test(hair_takes_no_bones_of_the_body),
		cmocka_unit_test(counts_of_pieces_and_bones_add_up), cmocka_unit_test(a_floor_is_not_what_is_rigged),
		cmocka_unit_test(sheets_alone_are_rigged), cmocka_unit_test(eyes_of_a_ball_are_left_and_right),
		cmocka_unit_test(progress_goes_over_all_pieces), cmocka_unit_test(pieces_keep_their_names_in_new_ones),
		cmocka_unit_test(options_that_have_no_part_are_told), cmocka_unit_test(memory_may_fail_anywhere),
		cmocka_unit_test(the_same_bytes_for_any_threads)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

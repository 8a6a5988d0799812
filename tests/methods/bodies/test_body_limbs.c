/* tests/methods/bodies/test_body_limbs.c: parts of a figure that come off as it moves, and what a
   figure carries. */
#include "math/vec.h"
#include "methods/bodies/bodies.h"
#include "support/compare.h"
#include "support/support.h"

#include "samples/samples.h"

#include <math.h>
#include <string.h>

enum { FACES = 2400, FRAMES = 10, BOX_VERTICES = 8, BOX_FACES = 12, PARTS_MOST = 5 };

static const uint32_t box_faces[3 * BOX_FACES] = {
	0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};

/* A biped some of whose limbs are pieces of their own, each a little smaller, so that no vertex is
   another's, that move away from where they were; and a box that moves likewise. */
typedef struct loose {
	ossa_context *context;
	ossa_sample *sample;
	ossa_mesh *mesh;
	ossa_frames *frames;
	double height;
	size_t limb_count;
	const char *limb[PARTS_MOST]; /* the bones where they begin */
	uint32_t *from;               /* by vertex: the sample's */
	uint8_t *part;                /* by vertex: 0: the trunk, 1 + the number of its limb */
} loose;

static void store(ossai_vec3 v, float *to)
{
	to[0] = (float)v.x;
	to[1] = (float)v.y;
	to[2] = (float)v.z;
}

/* the limb that a bone of the sample is of */
static uint8_t limb_of(const loose *t, int32_t bone)
{
	const ossa_bone *bones = t->sample->rig->skeleton.bones;
	for (; bone >= 0; bone = bones[bone].parent) {
		for (size_t i = 0; i < t->limb_count; i++) {
			if (strcmp(bones[bone].name, t->limb[i]) == 0) return (uint8_t)(1 + i);
		}
	}
	return 0;
}

static uint16_t main_bone(const ossa_weights *w, size_t v)
{
	size_t best = v * (size_t)w->influences;
	for (size_t i = best; i < (v + 1) * (size_t)w->influences; i++) {
		if (w->values[i] > w->values[best]) best = i;
	}
	return w->bones[best];
}

static uint8_t limb_of_face(const loose *t, const uint32_t *corner)
{
	const uint8_t a = limb_of(t, main_bone(&t->sample->rig->weights, corner[0]));
	const uint8_t b = limb_of(t, main_bone(&t->sample->rig->weights, corner[1]));
	return a == b ? a : limb_of(t, main_bone(&t->sample->rig->weights, corner[2]));
}

/* how far a part is from where it was in a frame */
static ossai_vec3 drift(const loose *t, uint8_t part, size_t frame, double far)
{
	const double at = (double)(frame + 1);
	if (part == 0) return (ossai_vec3){0, 0, 0};
	return ossai_v3(far * t->height * sin(1.3 * at + part), far * t->height * sin(2.1 * at + 2.0 * part),
		far * t->height * sin(0.7 * at + 3.0 * part));
}

/* The vertices of each limb are copies, toward the middle of these by 2 %. */
static void cut(loose *t, ossai_vec3 box, double half, ossai_arena *arena)
{
	const ossa_mesh *mesh = t->sample->rig->mesh;
	const size_t vertices = mesh->vertex_count, faces = mesh->triangle_count, parts = t->limb_count + 1;
	uint32_t *copy = ossai_arena_new(arena, vertices, parts * sizeof *copy);
	uint32_t *triangles = ossai_arena_new(arena, faces + BOX_FACES, 3 * sizeof *triangles);
	float *positions = ossai_arena_new(arena, vertices * parts + BOX_VERTICES, 3 * sizeof *positions);
	ossai_vec3 sum[PARTS_MOST + 1] = {{0, 0, 0}};
	double number[PARTS_MOST + 1] = {0};
	size_t count = 0;
	t->from = ossai_arena_new(arena, vertices * parts + BOX_VERTICES, sizeof *t->from);
	t->part = ossai_arena_new(arena, vertices * parts + BOX_VERTICES, 1);
	assert_true(copy && triangles && positions && t->from && t->part);
	for (size_t i = 0; i < vertices * parts; i++) copy[i] = OSSA_NONE;
	for (size_t k = 0; k < 3 * faces; k++) {
		const uint32_t v = mesh->triangles[k];
		const uint8_t part = limb_of_face(t, mesh->triangles + k / 3 * 3);
		uint32_t *own = &copy[v * parts + part];
		if (*own == OSSA_NONE) {
			*own = (uint32_t)count++;
			t->from[*own] = v;
			t->part[*own] = part;
			sum[part] = ossai_add(sum[part], ossai_v3_of_float(mesh->positions + 3 * (size_t)v));
			number[part]++;
		}
		triangles[k] = *own;
	}
	for (size_t v = 0; v < count; v++) {
		const ossai_vec3 own = ossai_v3_of_float(mesh->positions + 3 * (size_t)t->from[v]);
		const ossai_vec3 middle = ossai_scale(sum[t->part[v]], 1 / number[t->part[v]]);
		const ossai_vec3 at = t->part[v] ? ossai_lerp(own, middle, 0.02) : own;
		store(at, positions + 3 * v);
	}
	for (size_t c = 0; c < BOX_VERTICES && half > 0; c++) {
		const double x = c % 4 == 1 || c % 4 == 2 ? half : -half, y = c % 4 >= 2 ? half : -half, z = c >= 4 ? half : -half;
		store(ossai_add(box, ossai_v3(x, y, z)), positions + 3 * (count + c));
		t->from[count + c] = OSSA_NONE;
		t->part[count + c] = (uint8_t)parts;
	}
	for (size_t k = 0; k < 3 * BOX_FACES; k++) triangles[3 * faces + k] = (uint32_t)count + box_faces[k];
	const size_t more = half > 0;
	assert_ok(t->context,
		ossa_mesh_create(t->context, count + more * BOX_VERTICES, positions, faces + more * BOX_FACES, triangles, &t->mesh));
}

static void move(loose *t, double far)
{
	const size_t vertices = t->mesh->vertex_count, own = t->sample->rig->mesh->vertex_count;
	const float *rest = t->sample->rig->mesh->positions;
	assert_ok(t->context, ossa_frames_create(t->context, FRAMES, vertices, 24, &t->frames));
	for (size_t i = 0; i < FRAMES * vertices; i++) {
		const size_t k = i / vertices, v = i % vertices, from = t->from[v];
		const ossai_vec3 at = ossai_v3_of_float(t->mesh->positions + 3 * v);
		ossai_vec3 by = drift(t, t->part[v], k, far);
		if (from != OSSA_NONE)
			by = ossai_add(by,
				ossai_sub(ossai_v3_of_float(t->sample->frames->positions + 3 * (k * own + from)),
					ossai_v3_of_float(rest + 3 * from)));
		store(ossai_add(at, by), t->frames->positions + 3 * i);
	}
}

/* half: of the box; 0: there is none. far: how far limbs come off, in heights. */
static loose loose_begin(size_t limbs, const char *const *limb, ossai_vec3 box, double half, double far, ossai_arena *arena)
{
	loose t = {.context = arena->context, .limb_count = limbs};
	ossa_sample_options options = ossa_sample_default();
	options.kind = OSSA_SAMPLE_BIPED;
	options.faces = FACES;
	options.frames = FRAMES;
	for (size_t i = 0; i < limbs; i++) t.limb[i] = limb[i];
	assert_ok(t.context, ossa_sample_create(t.context, &options, &t.sample));
	double low = INFINITY, high = -INFINITY;
	for (size_t v = 0; v < t.sample->rig->mesh->vertex_count; v++) {
		low = fmin(low, t.sample->rig->mesh->positions[3 * v + 1]);
		high = fmax(high, t.sample->rig->mesh->positions[3 * v + 1]);
	}
	t.height = high - low;
	cut(&t, box, half, arena);
	move(&t, far);
	return t;
}

static void loose_end(loose *t)
{
	ossa_frames_free(t->context, t->frames);
	ossa_mesh_free(t->context, t->mesh);
	ossa_sample_free(t->context, t->sample);
}

/* ---- tests ---- */

static const ossai_vec3 nowhere = {0, 0, 0};

/* how many bodies there are, and whether limbs are said to be joined */
static void assert_bodies(const loose *t, ossa_body_kind kind, size_t wanted, int64_t joined)
{
	ossai_arena arena = ossai_arena_begin(t->context);
	ossai_body_parts parts;
	assert_ok(t->context, ossai_body_parts_find(&arena, t->mesh, t->frames, kind, &parts));
	assert_int_equal(parts.count, wanted == 1 ? 0 : wanted);
	assert_int_equal(test_warned(t->context, "limbs-apart"), joined);
	size_t vertices = 0;
	for (size_t i = 0; i < parts.count; i++) vertices += parts.items[i].mesh->vertex_count;
	if (parts.count > 0) assert_int_equal(vertices, t->mesh->vertex_count);
	ossai_arena_end(&arena);
}

static void limbs_come_off(void **state)
{
	(void)state;
	static const char *const limbs[] = {"thigh-r", "thigh-l", "upperarm-l"};
	for (size_t count = test_is_long() ? 1 : 3; count <= 3; count++) {
		ossa_context *context = test_context(2);
		ossai_arena arena = ossai_arena_begin(context);
		loose t = loose_begin(count, limbs, nowhere, 0, 0.15, &arena);
		assert_bodies(&t, OSSA_BODY_AUTO, 1, (int64_t)count);
		loose_end(&t);
		ossai_arena_end(&arena);
		test_context_end(context);
	}
}

static void motion_alone_decides_on_demand(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossai_arena arena = ossai_arena_begin(context);
	loose t = loose_begin(2, (const char *const[]){"thigh-r", "upperarm-l"}, nowhere, 0, 0.15, &arena);
	assert_bodies(&t, OSSA_BODY_NONE, 3, 0);
	loose_end(&t);
	ossai_arena_end(&arena);
	test_context_end(context);
}

static ossai_vec3 hand_of(const ossa_rig *rig) { return ossai_v3_of(rig->skeleton.bones[ossa_rig_bone(rig, "hand-l")].tail); }

/* at a hand, and at the feet, of a tenth to a quarter of the height */
static void what_is_carried_stays_apart(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample_options options = ossa_sample_default();
	ossa_sample *sample;
	options.kind = OSSA_SAMPLE_BIPED;
	options.faces = FACES;
	options.frames = 1;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	const ossai_vec3 place[] = {hand_of(sample->rig), ossai_v3_of(sample->rig->skeleton.bones[11].joint)};
	for (size_t i = 0; i < (test_is_long() ? 4 : 2); i++) {
		ossai_arena arena = ossai_arena_begin(context);
		loose t = loose_begin(0, NULL, place[i % 2], i < 2 ? 0.1 : 0.25, 0.3, &arena);
		assert_bodies(&t, OSSA_BODY_AUTO, 2, 0);
		loose_end(&t);
		ossai_arena_end(&arena);
	}
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* a box in a hand, or one elsewhere that is larger than the figure, and a leg that comes off */
static void a_limb_is_no_prop(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossai_arena arena = ossai_arena_begin(context);
	loose t = loose_begin(1, (const char *const[]){"thigh-r"}, nowhere, 0, 0.15, &arena);
	const ossai_vec3 hand = hand_of(t.sample->rig);
	loose_end(&t);
	const ossai_vec3 place[] = {hand, {30, 0, 0}};
	const double half[] = {0.15, 5};
	for (size_t i = 0; i < 2; i++) {
		t = loose_begin(1, (const char *const[]){"thigh-r"}, place[i], half[i], 0.15, &arena);
		/* warnings of one context add up */
		assert_bodies(&t, OSSA_BODY_AUTO, 2, (int64_t)i + 1);
		loose_end(&t);
	}
	ossai_arena_end(&arena);
	test_context_end(context);
}

/* the rig is that of a whole human, and the same for any number of threads */
static void the_rig_is_whole(void **state)
{
	(void)state;
	ossa_rig_result made[2];
	ossa_context *context[2];
	for (int i = 0; i < 2; i++) {
		const ossa_rig_options options = ossa_rig_default();
		context[i] = test_context(1 + 2 * i);
		ossai_arena arena = ossai_arena_begin(context[i]);
		loose t = loose_begin(1, (const char *const[]){"thigh-r"}, nowhere, 0, 0.05, &arena);
		ossa_frame_stream *stream;
		assert_ok(t.context, ossa_frame_stream_of_frames(t.context, t.frames, &stream));
		assert_ok(t.context, ossa_rig_make(t.context, &(ossa_rig_input){t.mesh, stream}, &options, &made[i]));
		assert_ok(t.context, ossa_rig_validate(t.context, made[i].rig));
		ossa_frame_stream_free(t.context, stream);
		loose_end(&t);
		ossai_arena_end(&arena);
	}
	const ossa_skeleton *one = &made[0].rig->skeleton, *three = &made[1].rig->skeleton;
	const char *const names[] = {"pelvis", "thigh_R", "calf_R", "thigh_L", "head", "upperarm_L"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) assert_true(ossa_rig_bone(made[0].rig, names[i]) >= 0);
	assert_int_equal(test_warned(context[0], "limbs-apart"), 1);
	assert_int_equal(one->bone_count, three->bone_count);
	assert_memory_equal(one->bones, three->bones, one->bone_count * sizeof *one->bones);
	for (int i = 0; i < 2; i++) {
		ossa_rig_result_free(context[i], &made[i]);
		test_context_end(context[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limbs_come_off),
		cmocka_unit_test(motion_alone_decides_on_demand),
		cmocka_unit_test(what_is_carried_stays_apart),
		cmocka_unit_test(a_limb_is_no_prop),
		cmocka_unit_test(the_rig_is_whole),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* tests/methods/test_name_bones.c: names of body parts for rigs without roles, by their rest
   shapes: of known skeletons, moved, rotated, mirrored, shuffled; and of shapes that are no
   bodies. */
#include "math/vec.h"
#include "samples/samples.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

enum { BONES_MAX = 64 };

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* names before and after, by bone */
typedef struct naming {
	size_t count;
	char before[BONES_MAX][64], after[BONES_MAX][64];
} naming;

static void remember(const ossa_rig *rig, char names[BONES_MAX][64])
{
	assert_true(rig->skeleton.bone_count <= BONES_MAX);
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) memcpy(names[b], rig->skeleton.bones[b].name, 64);
}

/* names the rig and checks what holds for all names */
static void name_rig(ossa_context *context, ossa_rig *rig, naming *names)
{
	names->count = rig->skeleton.bone_count;
	remember(rig, names->before);
	assert_ok(context, ossa_rig_name_bones(context, rig, OSSA_NAMES_BODY));
	assert_ok(context, ossa_rig_validate(context, rig));
	remember(rig, names->after);
}

static const char *name_of(const naming *names, const char *before)
{
	for (size_t b = 0; b < names->count; b++) {
		if (strcmp(names->before[b], before) == 0) return names->after[b];
	}
	fail_msg("there is no bone %s", before);
	return NULL;
}

static bool has_number(const char *name) { return strncmp(name, "bone_", 5) == 0 || strcmp(name, "root") == 0; }

/* pairs of words, the bone's own name and the one expected, "#" for a number; "x-l y_L" holds for
   the right side too */
static void assert_names(const naming *names, const char *const *expected)
{
	for (; expected[0]; expected += 2) {
		char bone[64], name[64];
		for (int side = 0; side < 2; side++) {
			snprintf(bone, sizeof bone, "%s", expected[0]);
			snprintf(name, sizeof name, "%s", expected[1]);
			const size_t length = strlen(bone), end = strlen(name);
			const bool paired = length > 2 && strcmp(bone + length - 2, "-l") == 0;
			if (side == 1 && !paired) break;
			if (side == 1) bone[length - 1] = 'r';
			if (side == 1 && name[end - 1] == 'L') name[end - 1] = 'R';
			const char *found = name_of(names, bone);
			if (strcmp(name, "#") == 0 ? has_number(found) : strcmp(found, name) == 0) continue;
			fail_msg("%s is called %s, not %s", bone, found, name);
		}
	}
}

/* ---- known skeletons ---- */

static ossa_rig *make_sample(ossa_context *context, int kind)
{
	ossa_sample_options options = ossa_sample_default();
	options.kind = kind;
	options.faces = 2500;
	options.frames = 1;
	ossa_sample *sample;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	ossa_rig *rig = sample->rig;
	sample->rig = NULL;
	ossa_sample_free(context, sample);
	return rig;
}

static const char *const sample_biped[] = {"hips", "pelvis", "spine", "spine_01", "chest", "spine_02", "neck", "neck", "head",
	"head", "upperarm-l", "upperarm_L", "forearm-l", "lowerarm_L", "hand-l", "hand_L", "thigh-l", "thigh_L", "shin-l", "calf_L",
	"foot-l", "foot_L", "toe-l", "toe_L", NULL};
static const char *const sample_quadruped[] = {"hips", "pelvis", "spine-1", "spine_01", "spine-2", "spine_02", "chest",
	"spine_03", "neck-1", "neck_01", "neck-2", "neck_02", "head", "head", "tail-1", "tail_01", "tail-4", "tail_04",
	"upperarm-l", "upperleg_front_L", "forearm-l", "lowerleg_front_L", "wrist-l", "foot_front_L", "forepaw-l", "toe_front_L",
	"thigh-l", "upperleg_back_L", "shin-l", "lowerleg_back_L", "hock-l", "foot_back_L", "hindpaw-l", "toe_back_L", NULL};
static const char *const sample_hand[] = {"palm", "hand", "thumb-1", "thumb_01", "thumb-3", "thumb_03", "index-1", "index_01",
	"index-2", "index_02", "middle-1", "middle_01", "ring-2", "ring_02", "little-1", "pinky_01", "little-3", "pinky_03", NULL};
static const char *const sample_octopus[] = {"mantle", "body", "arm-1-1", "arm_1_01_L", "arm-1-4", "arm_1_04_L", "arm-2-1",
	"arm_2_01_L", "arm-5-3", "arm_4_03_R", "arm-8-2", "arm_1_02_R", NULL};
static const char *const sample_snake[] = {
	"head", "spine_12", "neck-4", "spine_11", "body", "spine_07", "tail-1", "spine_06", "tail-6", "spine_01", NULL};
static const char *const sample_pieces[] = {"hips", "pelvis", "spine", "spine_01", "chest", "spine_02", "head", "head",
	"upperarm-l", "upperarm_L", "forearm-l", "lowerarm_L", "hand-l", "hand_L", "thigh-l", "thigh_L", "shin-l", "calf_L",
	"foot-l", "foot_L", NULL};
/* a tube is no body */
static const char *const sample_tube[] = {"tube-1", "#", "tube-2", "#", "tube-4", "#", NULL};
static const char *const *const samples[] = {[OSSA_SAMPLE_TUBE] = sample_tube,
	[OSSA_SAMPLE_BIPED] = sample_biped,
	[OSSA_SAMPLE_QUADRUPED] = sample_quadruped,
	[OSSA_SAMPLE_HAND] = sample_hand,
	[OSSA_SAMPLE_OCTOPUS] = sample_octopus,
	[OSSA_SAMPLE_SNAKE] = sample_snake,
	[OSSA_SAMPLE_PIECES] = sample_pieces};
enum { SAMPLES = sizeof samples / sizeof samples[0] };

/* the names of a sample as it is, found once */
static const naming *names_of(ossa_context *context, int kind)
{
	static naming names[SAMPLES];
	if (names[kind].count == 0) {
		ossa_rig *rig = make_sample(context, kind);
		name_rig(context, rig, &names[kind]);
		ossa_rig_free(context, rig);
	}
	return &names[kind];
}

static void every_sample_is_named_as_by_eye(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (int kind = 0; kind < SAMPLES; kind++) assert_names(names_of(context, kind), samples[kind]);
	test_context_end(context);
}

static void numbers_are_given_where_they_are_asked_for(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_sample(context, OSSA_SAMPLE_BIPED);
	assert_ok(context, ossa_rig_name_bones(context, rig, OSSA_NAMES_NUMBERS));
	assert_string_equal(rig->skeleton.bones[0].name, "root");
	assert_string_equal(rig->skeleton.bones[7].name, "bone_07");
	assert_ok(context, ossa_rig_validate(context, rig));
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* ---- the same body elsewhere ---- */

/* position -> size * turn about +Y * mirror in x * position + offset, for mesh and joints */
typedef struct placement {
	double degrees, size, offset[3];
	bool mirrored;
} placement;

static ossai_vec3 place(const placement *p, ossai_vec3 x)
{
	const double angle = p->degrees * OSSAI_PI / 180;
	if (p->mirrored) x.x = -x.x;
	const ossai_vec3 turned = {x.x * cos(angle) + x.z * sin(angle), x.y, x.z * cos(angle) - x.x * sin(angle)};
	return ossai_madd(ossai_v3_of(p->offset), p->size, turned);
}

static void place_rig(ossa_rig *rig, const placement *p)
{
	for (size_t v = 0; v < rig->mesh->vertex_count; v++) {
		float *at = rig->mesh->positions + 3 * v;
		const ossai_vec3 to = place(p, ossai_v3_of_float(at));
		at[0] = (float)to.x;
		at[1] = (float)to.y;
		at[2] = (float)to.z;
	}
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		ossa_bone *bone = &rig->skeleton.bones[b];
		/* hinges' axes are not turned here */
		bone->kind = b == 0 ? OSSA_JOINT_ROOT : OSSA_JOINT_BALL;
		memset(bone->axis, 0, sizeof bone->axis);
		ossai_v3_store(place(p, ossai_v3_of(bone->joint)), bone->joint);
		ossai_v3_store(place(p, ossai_v3_of(bone->tail)), bone->tail);
	}
}

/* left and right exchanged in a name's end */
static void exchange_side(char *name)
{
	char *end = name + strlen(name) - 1;
	if (end > name && end[-1] == '_' && (*end == 'L' || *end == 'R')) *end = *end == 'L' ? 'R' : 'L';
}

static void check_placements(int kind, size_t count, const placement *placements)
{
	ossa_context *context = test_context(1);
	const naming *names = names_of(context, kind);
	naming placed;
	for (size_t i = 0; i < count; i++) {
		ossa_rig *other = make_sample(context, kind);
		place_rig(other, &placements[i]);
		name_rig(context, other, &placed);
		for (size_t b = 0; b < names->count; b++) {
			if (placements[i].mirrored) exchange_side(placed.after[b]);
			assert_string_equal(names->after[b], placed.after[b]);
		}
		ossa_rig_free(context, other);
	}
	test_context_end(context);
}

/* a turned octopus or snake has no front, so that +Z decides: those are moved and scaled only */
static void names_do_not_depend_on_placement(void **state)
{
	(void)state;
	static const placement placements[] = {{0, 100, {30, -50, 7}, false}, {0, 0.001, {0, 0, 0}, false},
		{20, 1, {1, 2, 3}, false}, {90, 1, {1, 2, 3}, false}, {137, 1, {1, 2, 3}, false}, {180, 1, {1, 2, 3}, false},
		{270, 1, {1, 2, 3}, false}};
	for (int kind = 0; kind < SAMPLES; kind += test_is_long() ? 1 : 2) {
		const bool has_front = kind == OSSA_SAMPLE_BIPED || kind == OSSA_SAMPLE_QUADRUPED || kind == OSSA_SAMPLE_PIECES ||
			kind == OSSA_SAMPLE_HAND;
		/* a biped also turned */
		const size_t turned = test_is_long() ? COUNT(placements) : kind == OSSA_SAMPLE_BIPED ? 3 : 1;
		check_placements(kind, has_front ? turned : 1, placements);
	}
}

static void mirrored_bodies_exchange_left_and_right(void **state)
{
	(void)state;
	static const placement mirrored[] = {{0, 1, {0, 0, 0}, true}, {65, 3, {1, 0, 1}, true}};
	static const int kinds[] = {
		OSSA_SAMPLE_BIPED, OSSA_SAMPLE_QUADRUPED, OSSA_SAMPLE_PIECES, OSSA_SAMPLE_HAND, OSSA_SAMPLE_SNAKE};
	for (int i = 0; i < (test_is_long() ? 5 : 2); i++) check_placements(kinds[i], 1, mirrored + i % 2);
}

/* the rig with vertices and triangles in the opposite order */
static void reverse_order(ossa_context *context, ossa_rig *rig)
{
	const size_t vertices = rig->mesh->vertex_count, triangles = rig->mesh->triangle_count;
	const size_t pairs = (size_t)rig->weights.influences;
	const ossa_weights from = rig->weights;
	float *positions = ossa_alloc(context, vertices, 3 * sizeof *positions);
	uint32_t *corners = ossa_alloc(context, triangles, 3 * sizeof *corners);
	uint16_t *bones = ossa_alloc(context, vertices, pairs * sizeof *bones);
	float *values = ossa_alloc(context, vertices, pairs * sizeof *values);
	assert_true(positions && corners && bones && values);
	for (size_t v = 0; v < vertices; v++) {
		const size_t to = vertices - 1 - v;
		memcpy(positions + 3 * to, rig->mesh->positions + 3 * v, 3 * sizeof *positions);
		memcpy(bones + to * pairs, from.bones + v * pairs, pairs * sizeof *bones);
		memcpy(values + to * pairs, from.values + v * pairs, pairs * sizeof *values);
	}
	for (size_t t = 0; t < triangles; t++) {
		for (size_t k = 0; k < 3; k++)
			corners[3 * (triangles - 1 - t) + k] = (uint32_t)vertices - 1 - rig->mesh->triangles[3 * t + k];
	}
	ossa_mesh *mesh;
	assert_ok(context, ossa_mesh_create(context, vertices, positions, triangles, corners, &mesh));
	ossa_mesh_free(context, rig->mesh);
	rig->mesh = mesh;
	memcpy(from.bones, bones, vertices * pairs * sizeof *bones);
	memcpy(from.values, values, vertices * pairs * sizeof *values);
	ossa_free(context, positions);
	ossa_free(context, corners);
	ossa_free(context, bones);
	ossa_free(context, values);
}

/* only sums change, in their last digits */
static void names_do_not_depend_on_order(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (int kind = 0; kind < SAMPLES; kind += test_is_long() ? 1 : 3) {
		const naming *names = names_of(context, kind);
		ossa_rig *other = make_sample(context, kind);
		naming shuffled;
		reverse_order(context, other);
		name_rig(context, other, &shuffled);
		for (size_t b = 0; b < names->count; b++) assert_string_equal(names->after[b], shuffled.after[b]);
		ossa_rig_free(context, other);
	}
	test_context_end(context);
}

/* ---- faults ---- */

static void a_skeleton_without_a_mesh_has_numbers(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh;
	ossa_rig *rig;
	assert_ok(context, ossa_mesh_create(context, 0, NULL, 0, NULL, &mesh));
	assert_ok(context, ossa_rig_create(context, mesh, 3, 1, &rig));
	rig->skeleton.bones[0].parent = -1;
	assert_ok(context, ossa_rig_name_bones(context, rig, OSSA_NAMES_BODY));
	assert_string_equal(rig->skeleton.bones[2].name, "bone_02");
	ossa_rig_free(context, rig);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_sample_is_named_as_by_eye),
		cmocka_unit_test(numbers_are_given_where_they_are_asked_for),
		cmocka_unit_test(names_do_not_depend_on_placement),
		cmocka_unit_test(mirrored_bodies_exchange_left_and_right),
		cmocka_unit_test(names_do_not_depend_on_order),
		cmocka_unit_test(a_skeleton_without_a_mesh_has_numbers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* tests/metrics/test_bend.c: bends with known results, and a creature's against posing by the
   rig's own skinning and all pairs of faces. */
#include "metrics/weight_bleeding.h"
#include "rig/turns.h"
#include "samples/samples.h"
#include "support/support.h"
#include "query/crossings.h"
#include "mesh/bounds.h"

#include <stdio.h>
#include <string.h>

#define assert_close(value, expected) assert_near((value), (expected), 2e-5 * (1 + fabs((double)(expected))))

/* ---- literal rigs ---- */

/* a box around the origin from -1 to 1 */
static const float CUBE[] = {-1, -1, -1, 1, -1, -1, 1, 1, -1, -1, 1, -1, -1, -1, 1, 1, -1, 1, 1, 1, 1, -1, 1, 1};
static const uint32_t CUBE_FACES[] = {
	0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};

/* bones in a row, all joints at the origin, no weights yet: two slots a vertex, of bones 0 and 1 */
static ossa_rig *make_rig(
	ossa_context *context, size_t vertices, const float *positions, size_t faces, const uint32_t *triangles)
{
	ossa_mesh *mesh;
	ossa_rig *rig;
	assert_ok(context, ossa_mesh_create(context, vertices, positions, faces, triangles, &mesh));
	assert_ok(context, ossa_rig_create(context, mesh, 2, 2, &rig));
	ossa_mesh_free(context, mesh);
	for (size_t b = 0; b < 2; b++) {
		ossa_bone *bone = &rig->skeleton.bones[b];
		snprintf(bone->name, sizeof bone->name, "bone-%zu", b);
		bone->parent = (int32_t)b - 1;
		bone->orientation[3] = 1;
	}
	return rig;
}

/* `share` of a vertex on bone 1, the rest on bone 0 */
static void set_share(ossa_rig *rig, size_t vertex, float share)
{
	rig->weights.bones[2 * vertex] = 0;
	rig->weights.bones[2 * vertex + 1] = 1;
	rig->weights.values[2 * vertex] = 1 - share;
	rig->weights.values[2 * vertex + 1] = share;
}

static ossa_rig *cube_of_share(ossa_context *context, float share)
{
	ossa_rig *rig = make_rig(context, 8, CUBE, 12, CUBE_FACES);
	for (size_t v = 0; v < 8; v++) set_share(rig, v, share);
	return rig;
}

/* all at a share s: the plane across the axis shrinks by 1 - 2 s (1 - s) (1 - cos of the bend) */
static void volume_is_lost_as_the_formula_says(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	const float shares[] = {1, 0.5F, 0.25F};
	for (size_t i = 0; i < 3; i++) {
		ossa_rig *rig = cube_of_share(context, shares[i]);
		ossa_bend bend;
		ossa_joint_bend joints[2];
		assert_ok(context, ossa_rig_measure_bend(context, rig, NULL, joints, &bend));
		const double s = shares[i], lost = 100 * 2 * s * (1 - s);
		assert_close(bend.volume_45_percent, lost * (1 - sqrt(0.5)));
		assert_close(bend.volume_90_percent, lost);
		assert_close(joints[1].volume_90_percent, lost);
		assert_true(isnan(joints[0].crossing_90_percent));
		assert_int_equal(bend.joints, 1);
		assert_true(bend.crossing_90_percent == 0 && bend.crossing_rest_percent == 0 && bend.leak_percent == 0);
		assert_int_equal(bend.limbs, 1);
		assert_int_equal(bend.crossing_worst_joint, -1);
		ossa_rig_free(context, rig);
	}
	test_context_end(context);
}

/* inward faces, other units, far from the origin: the same numbers */
static void units_and_sides_do_not_matter(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = cube_of_share(context, 0.5F);
	for (size_t v = 0; v < 8; v++) {
		for (size_t k = 0; k < 3; k++) rig->mesh->positions[3 * v + k] = 1024 * rig->mesh->positions[3 * v + k] + 1e6F;
	}
	for (size_t k = 0; k < 3; k++) rig->skeleton.bones[1].joint[k] = 1e6;
	for (size_t f = 0; f < 12; f++) {
		const uint32_t first = rig->mesh->triangles[3 * f];
		rig->mesh->triangles[3 * f] = rig->mesh->triangles[3 * f + 1];
		rig->mesh->triangles[3 * f + 1] = first;
	}
	ossa_bend bend;
	assert_ok(context, ossa_rig_measure_bend(context, rig, NULL, NULL, &bend));
	assert_close(bend.volume_90_percent, 50);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void what_is_open_has_no_volume(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_bend bend;
	/* one face fewer; then whole, with every face on vertices of its own, as at the seams of a
	   file */
	ossa_rig *open = make_rig(context, 8, CUBE, 11, CUBE_FACES);
	for (size_t v = 0; v < 8; v++) set_share(open, v, 0.5F);
	assert_ok(context, ossa_rig_measure_bend(context, open, NULL, NULL, &bend));
	assert_true(isnan(bend.volume_45_percent) && isnan(bend.volume_90_percent) && isnan(bend.volume_worst_percent));
	assert_int_equal(bend.volume_worst_joint, -1);
	assert_true(bend.crossing_90_percent == 0);
	ossa_rig_free(context, open);
	float positions[36 * 3];
	uint32_t faces[36];
	for (uint32_t i = 0; i < 36; i++) {
		memcpy(positions + 3 * (size_t)i, CUBE + 3 * (size_t)CUBE_FACES[i], 3 * sizeof(float));
		faces[i] = i;
	}
	ossa_rig *seams = make_rig(context, 36, positions, 12, faces);
	for (size_t v = 0; v < 36; v++) set_share(seams, v, 0.5F);
	assert_ok(context, ossa_rig_measure_bend(context, seams, NULL, NULL, &bend));
	assert_close(bend.volume_90_percent, 50);
	ossa_rig_free(context, seams);
	test_context_end(context);
}

/* a fixed cube and a small one that rotates into it: the crossing faces can be worked out on
   paper */
static void crossings_are_counted(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	float positions[48];
	uint32_t faces[72];
	memcpy(positions, CUBE, sizeof CUBE);
	/* half as large, at (3, 0.1, 0.2), with its joint at (2, 1.4, 0): -90 degrees about z bring it
	   to (0.7, 0.4, 0.2), its sides at x = 0.2 and 1.2, y = -0.1 and 0.9, z = -0.3 and 0.7; the
	   other turns leave it outside */
	for (size_t v = 0; v < 8; v++) {
		positions[24 + 3 * v] = 0.5F * CUBE[3 * v] + 3;
		positions[24 + 3 * v + 1] = 0.5F * CUBE[3 * v + 1] + 0.1F;
		positions[24 + 3 * v + 2] = 0.5F * CUBE[3 * v + 2] + 0.2F;
	}
	for (uint32_t i = 0; i < 36; i++) {
		faces[i] = CUBE_FACES[i];
		faces[36 + i] = CUBE_FACES[i] + 8;
	}
	ossa_rig *rig = make_rig(context, 16, positions, 24, faces);
	for (size_t v = 0; v < 16; v++) set_share(rig, v, v < 8 ? 0 : 1);
	rig->skeleton.bones[1].joint[0] = 2;
	rig->skeleton.bones[1].joint[1] = 1.4;
	ossa_bend bend;
	assert_ok(context, ossa_rig_measure_bend(context, rig, NULL, NULL, &bend));
	assert_close(bend.volume_90_percent, 0);
	assert_true(bend.crossing_rest_percent == 0);
	/* in one pose of four: both faces of the large one's side x = 1, and both of each of the four
	   sides that go through it */
	assert_close(bend.crossing_90_percent, 100.0 * 10 / 24 / 4);
	assert_int_equal(bend.crossing_worst_joint, 1);
	/* where they cross at rest already nothing is new */
	for (size_t v = 8; v < 16; v++) rig->mesh->positions[3 * v] -= 2.4F;
	assert_ok(context, ossa_rig_measure_bend(context, rig, NULL, NULL, &bend));
	assert_close(bend.crossing_rest_percent, 100.0 * 10 / 24);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* ---- limbs ---- */

/* root 0 with 1-2, on which 5 and 6 hang, and 3-4: three limbs */
static const int32_t PARENTS[] = {-1, 0, 1, 0, 3, 2, 2};

static double bleeding_of(ossa_context *context, uint16_t first, uint16_t second, float share)
{
	ossa_bone bones[7] = {0};
	for (size_t b = 0; b < 7; b++) bones[b].parent = PARENTS[b];
	ossa_skeleton skeleton = {7, bones};
	uint16_t names[] = {second, first};
	float values[] = {share, 1 - share};
	const ossa_weights weights = {1, 2, names, values};
	const uint8_t used = 1;
	int limbs;
	double bleeding;
	assert_ok(context, ossai_weight_bleeding_measure(context, &skeleton, &weights, &used, &limbs, &bleeding));
	assert_int_equal(limbs, 3);
	return bleeding;
}

static void weights_leak_between_limbs_apart(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	/* along a limb, and to and from bones between junctions: none */
	assert_true(bleeding_of(context, 3, 4, 0.4F) == 0);
	assert_true(bleeding_of(context, 3, 0, 0.4F) == 0 && bleeding_of(context, 0, 4, 0.4F) == 0);
	assert_true(bleeding_of(context, 5, 1, 0.4F) == 0 && bleeding_of(context, 2, 6, 0.4F) == 0 &&
		bleeding_of(context, 1, 4, 0.4F) == 0);
	/* beside each other on one bone: they meet there; elsewhere a leak */
	assert_true(bleeding_of(context, 5, 6, 0.4F) == 0);
	assert_true(bleeding_of(context, 3, 5, 0.4F) == 1 && bleeding_of(context, 4, 6, 0.4F) == 1 &&
		bleeding_of(context, 6, 4, 0.4F) == 1);
	/* a little is none */
	assert_true(bleeding_of(context, 4, 5, 0.0011F) == 1 && bleeding_of(context, 4, 5, 0.0009F) == 0);
	test_context_end(context);
}

/* ---- a creature, plainly ---- */

static ossa_sample *make_sample(ossa_context *context, int kind, int faces)
{
	ossa_sample_options options = ossa_sample_default();
	ossa_sample *sample;
	options.kind = kind;
	options.faces = faces;
	options.frames = 1;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	return sample;
}

/* the rig with one joint bent in its only frame */
static void bend_clip(ossa_rig *rig, size_t joint, ossai_vec3 axis, double radians)
{
	const ossa_bone *bones = rig->skeleton.bones;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		ossai_quat local = ossai_rest_rotation(bones, b);
		if (b == joint) local = ossai_quat_mul(local, ossai_quat_axis_angle(axis, radians));
		ossai_quat_store(local, rig->clip->rotations + 4 * b);
	}
	memcpy(rig->clip->root_positions, bones[0].joint, sizeof bones[0].joint);
}

static double volume_of(const ossa_mesh *mesh, const float *positions)
{
	double sum = 0;
	for (size_t f = 0; f < mesh->triangle_count; f++) {
		const uint32_t *t = mesh->triangles + 3 * f;
		const ossai_vec3 p = ossai_v3_of_float(positions + 3 * (size_t)t[0]),
						 q = ossai_v3_of_float(positions + 3 * (size_t)t[1]);
		sum += ossai_dot(p, ossai_cross(q, ossai_v3_of_float(positions + 3 * (size_t)t[2]))) / 6;
	}
	return sum;
}

static bool share_point(const uint32_t *a, const uint32_t *b)
{
	for (int i = 0; i < 9; i++) {
		if (a[i / 3] == b[i % 3]) return true;
	}
	return false;
}

/* faces that cross others by all pairs, but those marked in `before`; marks them in `now` */
static size_t crossing_faces(const ossa_mesh *mesh, const float *positions, const uint8_t *before, uint8_t *now)
{
	size_t count = 0;
	memset(now, 0, mesh->triangle_count);
	for (size_t f = 0; f < mesh->triangle_count; f++) {
		for (size_t g = f + 1; g < mesh->triangle_count; g++) {
			if (share_point(mesh->triangles + 3 * f, mesh->triangles + 3 * g)) continue;
			if (ossai_faces_cross(positions, mesh->triangles, f, g)) now[f] = now[g] = 1;
		}
	}
	for (size_t f = 0; f < mesh->triangle_count; f++) count += now[f] && !(before && before[f]);
	return count;
}

/* the same numbers from ossa_rig_pose and all pairs */
static void check_joint(ossa_context *context, ossa_rig *rig, size_t joint, const ossa_joint_bend *found)
{
	enum { FACES = 1200, VERTICES = 700 };
	static float posed[3 * VERTICES];
	static uint8_t before[FACES], now[FACES];
	const ossa_mesh *mesh = rig->mesh;
	assert_true(mesh->vertex_count <= VERTICES && mesh->triangle_count <= FACES);
	crossing_faces(mesh, mesh->positions, NULL, before);
	const double volume = volume_of(mesh, mesh->positions);
	for (int k = 1; k <= 2; k++) {
		double lost = 0, crossing = 0;
		for (int pose = 0; pose < 4; pose++) {
			const ossai_vec3 axis = pose < 2 ? ossai_v3(1, 0, 0) : ossai_v3(0, 0, 1);
			bend_clip(rig, joint, axis, (pose % 2 ? -1 : 1) * k * OSSAI_PI / 4);
			assert_ok(context, ossa_rig_pose(context, rig, NULL, rig->clip, 0, posed));
			lost += 25 * fabs(volume_of(mesh, posed) / volume - 1);
			crossing += 25 * (double)crossing_faces(mesh, posed, before, now) / (double)mesh->triangle_count;
		}
		assert_near(lost, k == 1 ? found->volume_45_percent : found->volume_90_percent, 1e-3);
		/* faces that barely meet may round either way: two in all four poses */
		const double other = k == 1 ? found->crossing_45_percent : found->crossing_90_percent;
		assert_near(crossing, other, 25.0 * 2 / (double)mesh->triangle_count);
	}
}

static void a_creature_bends_as_its_skinning_does(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *sample = make_sample(context, OSSA_SAMPLE_HAND, 1000);
	ossa_joint_bend joints[64];
	ossa_bend bend;
	assert_ok(context, ossa_rig_measure_bend(context, sample->rig, NULL, joints, &bend));
	assert_true(bend.joints > 10 && bend.crossing_90_percent > 0.1 && bend.volume_90_percent > 0.1);
	double sum = 0;
	for (size_t b = 1; b < sample->rig->skeleton.bone_count; b++) {
		sum += joints[b].crossing_90_percent;
		if (b % 5 == 1) check_joint(context, sample->rig, b, &joints[b]);
	}
	assert_close(bend.crossing_90_percent, sum / bend.joints);
	assert_close(bend.crossing_worst_percent, joints[bend.crossing_worst_joint].crossing_90_percent);
	assert_close(bend.volume_worst_percent, joints[bend.volume_worst_joint].volume_90_percent);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void threads_change_nothing(void **state)
{
	(void)state;
	ossa_bend bends[2];
	for (int i = 0; i < 2; i++) {
		ossa_context *context = test_context(i ? 3 : 1);
		ossa_sample *sample = make_sample(context, OSSA_SAMPLE_BIPED, 5000);
		memset(&bends[i], 0, sizeof bends[i]);
		assert_ok(context, ossa_rig_measure_bend(context, sample->rig, NULL, NULL, &bends[i]));
		assert_true(bends[i].leak_percent == 0 && bends[i].limbs >= 5);
		ossa_sample_free(context, sample);
		test_context_end(context);
	}
	for (size_t i = 0; i < ossa_bend_table()->count; i++) {
		const ossa_metric_field *field = &ossa_bend_table()->fields[i];
		const size_t size = field->type == OSSA_METRIC_DOUBLE ? sizeof(double) : sizeof(int);
		assert_memory_equal((char *)&bends[0] + field->offset, (char *)&bends[1] + field->offset, size);
	}
}

/* ---- what goes wrong ---- */

static void nothing_to_bend_is_reported(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, 8, CUBE, 0, NULL);
	ossa_bend bend;
	assert_fails(context, ossa_rig_measure_bend(context, rig, NULL, NULL, &bend), OSSA_ERROR_INPUT, "no faces");
	assert_true(isnan(bend.crossing_45_percent));
	ossa_rig_free(context, rig);
	rig = cube_of_share(context, 0.5F);
	rig->weights.bones[3] = 7;
	assert_fails(context, ossa_rig_measure_bend(context, rig, NULL, NULL, &bend), OSSA_ERROR_INPUT, "bone 7");
	ossa_rig_free(context, rig);
	/* a joint that moves nothing, and then no joint at all */
	rig = cube_of_share(context, 0);
	assert_ok(context, ossa_rig_measure_bend(context, rig, NULL, NULL, &bend));
	assert_true(bend.joints == 0 && isnan(bend.crossing_90_percent) && isnan(bend.volume_90_percent));
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static ossa_status bend_body(ossa_context *context, void *arg)
{
	const ossa_sample *sample = arg;
	ossa_bend bend;
	return ossa_rig_measure_bend(context, sample->rig, NULL, NULL, &bend);
}

static void memory_may_end_anywhere(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = make_sample(context, OSSA_SAMPLE_TUBE, 1000);
	assert_true(test_allocation_sweep(bend_body, sample, 1000, 1) > 10);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(volume_is_lost_as_the_formula_says),
		cmocka_unit_test(units_and_sides_do_not_matter),
		cmocka_unit_test(what_is_open_has_no_volume),
		cmocka_unit_test(crossings_are_counted),
		cmocka_unit_test(weights_leak_between_limbs_apart),
		cmocka_unit_test(a_creature_bends_as_its_skinning_does),
		cmocka_unit_test(threads_change_nothing),
		cmocka_unit_test(nothing_to_bend_is_reported),
		cmocka_unit_test(memory_may_end_anywhere),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

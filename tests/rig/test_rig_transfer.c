/* tests/rig/test_rig_transfer.c: rigs carried to other meshes: creatures of other resolutions
   against their own truth, limbs that touch, pieces that are near nothing, seams, and what is
   refused. */
#include "samples/samples.h"
#include "support/compare.h"
#include "support/support.h"

#include <ossa/transfer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- creatures ---- */

static ossa_sample *sample_of(ossa_context *context, ossa_sample_kind kind, int faces)
{
	ossa_sample_options options = ossa_sample_default();
	options.kind = (int)kind;
	options.faces = faces;
	options.frames = 3;
	ossa_sample *sample;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	return sample;
}

static double weight_of(const ossa_weights *weights, size_t vertex, size_t bone)
{
	double sum = 0;
	for (size_t i = vertex * (size_t)weights->influences; i < (vertex + 1) * (size_t)weights->influences; i++) {
		if (weights->bones[i] == bone) sum += (double)weights->values[i];
	}
	return sum;
}

/* the share of its weight that a vertex has on other bones, mean over the vertices */
static double difference(const ossa_rig *a, const ossa_rig *b)
{
	double sum = 0;
	assert_int_equal(a->mesh->vertex_count, b->mesh->vertex_count);
	for (size_t v = 0; v < a->mesh->vertex_count; v++) {
		for (size_t bone = 0; bone < a->skeleton.bone_count; bone++) {
			sum += fabs(weight_of(&a->weights, v, bone) - weight_of(&b->weights, v, bone)) / 2;
		}
	}
	return sum / (double)a->mesh->vertex_count;
}

static void check_facts(const ossa_mesh *mesh, const ossa_transfer_facts *facts)
{
	const size_t unsure = facts->inpainted_count + facts->nearest_count;
	assert_int_equal(facts->sure_count + unsure + facts->loose_count, mesh->vertex_count);
	assert_int_equal(facts->far_count + facts->turned_count, unsure);
}

static void check_copy(ossa_context *context, ossa_sample_kind kind, double most, int from, int to)
{
	ossa_sample *a = sample_of(context, kind, from), *b = sample_of(context, kind, to);
	ossa_rig *made;
	ossa_transfer_facts facts;
	assert_ok(context, ossa_rig_transfer(context, a->rig, b->rig->mesh, NULL, &made, &facts));
	assert_ok(context, ossa_rig_validate(context, made));
	check_facts(made->mesh, &facts);
	assert_true(difference(made, b->rig) <= most);
	assert_int_equal(made->clip->frame_count, a->rig->clip->frame_count);
	assert_memory_equal(made->skeleton.bones, a->rig->skeleton.bones, made->skeleton.bone_count * sizeof *made->skeleton.bones);
	ossa_rig_free(context, made);
	ossa_sample_free(context, a);
	ossa_sample_free(context, b);
}

static void coarser_and_finer_copies_have_their_own_weights(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	/* the creature's own weights jump where limbs leave the body, and its surface there depends on
	   the resolution */
	const struct {
		ossa_sample_kind kind;
		double most;
	} copies[] = {{OSSA_SAMPLE_TUBE, 0.002}, {OSSA_SAMPLE_HAND, 0.015}, {OSSA_SAMPLE_BIPED, 0.03}};
	for (size_t i = 0; i < sizeof copies / sizeof *copies; i++) {
		check_copy(context, copies[i].kind, copies[i].most, 10000, 1000);
		check_copy(context, copies[i].kind, copies[i].most, 3000, 12000);
	}
	test_context_end(context);
}

static void the_same_mesh_has_the_same_weights(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *a = sample_of(context, OSSA_SAMPLE_BIPED, 4000);
	ossa_rig *made;
	ossa_transfer_facts facts;
	assert_ok(context, ossa_rig_transfer(context, a->rig, a->rig->mesh, NULL, &made, &facts));
	assert_no_warnings(context);
	assert_int_equal(facts.sure_count, a->rig->mesh->vertex_count);
	assert_true(difference(made, a->rig) < 1e-5);
	ossa_rig_free(context, made);
	ossa_sample_free(context, a);
	test_context_end(context);
}

/* ---- any number of threads; faces that look inwards ---- */

static ossa_rig *transfer_on(int threads, bool turned, ossa_context **context, ossa_sample **a, ossa_sample **b)
{
	*context = test_context(threads);
	*a = sample_of(*context, OSSA_SAMPLE_HAND, 8000);
	*b = sample_of(*context, OSSA_SAMPLE_HAND, 1500);
	ossa_mesh *mesh, *from = (*b)->rig->mesh;
	for (size_t f = 0; turned && f < from->triangle_count; f++) {
		const uint32_t corner = from->triangles[3 * f];
		from->triangles[3 * f] = from->triangles[3 * f + 1];
		from->triangles[3 * f + 1] = corner;
	}
	assert_ok(*context,
		ossa_mesh_create(*context, from->vertex_count, from->positions, from->triangle_count, from->triangles, &mesh));
	ossa_rig *made;
	ossa_transfer_options options = ossa_transfer_default();
	/* some are inpainted */
	options.distance = 0.2;
	ossa_transfer_facts facts;
	assert_ok(*context, ossa_rig_transfer(*context, (*a)->rig, mesh, &options, &made, &facts));
	assert_true(facts.inpainted_count > 0 && facts.sure_count > facts.inpainted_count);
	ossa_mesh_free(*context, mesh);
	return made;
}

static void weights_depend_neither_on_threads_nor_on_sides(void **state)
{
	(void)state;
	ossa_context *contexts[4];
	ossa_sample *from[4], *to[4];
	ossa_rig *made[4];
	for (int i = 0; i < 4; i++) made[i] = transfer_on(i == 3 ? 2 : 1 + 2 * i, i == 3, &contexts[i], &from[i], &to[i]);
	for (int i = 1; i < 4; i++) {
		const size_t pairs = made[0]->mesh->vertex_count * (size_t)made[0]->weights.influences;
		if (i < 3) {
			assert_memory_equal(made[i]->weights.bones, made[0]->weights.bones, pairs * sizeof(uint16_t));
			assert_memory_equal(made[i]->weights.values, made[0]->weights.values, pairs * sizeof(float));
		} else {
			assert_true(difference(made[i], made[0]) < 1e-3);
		}
	}
	for (int i = 0; i < 4; i++) {
		ossa_rig_free(contexts[i], made[i]);
		ossa_sample_free(contexts[i], from[i]);
		ossa_sample_free(contexts[i], to[i]);
		test_context_end(contexts[i]);
	}
}

/* ---- limbs that touch ---- */

enum { TUBES_MOST = 20000 };

/* a mesh while it is put together */
typedef struct builder {
	size_t vertex_count, face_count;
	float positions[3 * TUBES_MOST];
	uint32_t triangles[3 * TUBES_MOST];
} builder;

/* a closed tube about y of this radius around x, from 0 to `length` */
static void add_tube(builder *b, double x, double radius, double length, uint32_t sides, uint32_t rings)
{
	const uint32_t first = (uint32_t)b->vertex_count;
	for (uint32_t ring = 0; ring <= rings; ring++) {
		for (uint32_t side = 0; side < sides; side++) {
			const double angle = 2 * OSSAI_PI * side / sides;
			float *p = b->positions + 3 * b->vertex_count++;
			p[0] = (float)(x + radius * cos(angle));
			p[1] = (float)(length * ring / rings);
			p[2] = (float)(radius * sin(angle));
		}
	}
	for (uint32_t ring = 0; ring < rings; ring++) {
		for (uint32_t side = 0; side < sides; side++) {
			const uint32_t a = first + ring * sides + side, next = first + ring * sides + (side + 1) % sides;
			const uint32_t corners[6] = {a, a + sides, next, next, a + sides, next + sides};
			memcpy(b->triangles + 3 * b->face_count, corners, sizeof corners);
			b->face_count += 2;
		}
	}
	for (uint32_t side = 1; side + 1 < sides; side++) {
		const uint32_t top = first + rings * sides;
		const uint32_t corners[6] = {first, first + side, first + side + 1, top, top + side + 1, top + side};
		memcpy(b->triangles + 3 * b->face_count, corners, sizeof corners);
		b->face_count += 2;
	}
}

static ossa_mesh *mesh_of(ossa_context *context, const builder *b)
{
	ossa_mesh *mesh;
	assert_ok(context, ossa_mesh_create(context, b->vertex_count, b->positions, b->face_count, b->triangles, &mesh));
	return mesh;
}

static builder *new_builder(void)
{
	builder *b = calloc(1, sizeof *b);
	assert_non_null(b);
	return b;
}

/* two tubes of radius 1 around x = -1 and 1, which touch along x = 0; each is wholly of one bone.
   `gap` moves the tubes apart, or into each other */
static ossa_mesh *two_tubes(ossa_context *context, uint32_t sides, uint32_t rings, double radius, double gap)
{
	builder *b = new_builder();
	add_tube(b, -1 - gap / 2, radius, 8, sides, rings);
	add_tube(b, 1 + gap / 2, radius, 8, sides, rings);
	ossa_mesh *mesh = mesh_of(context, b);
	free(b);
	return mesh;
}

static ossa_rig *rig_of_tubes(ossa_context *context, uint32_t sides, uint32_t rings)
{
	ossa_mesh *mesh = two_tubes(context, sides, rings, 1, 0);
	ossa_rig *rig;
	assert_ok(context, ossa_rig_create(context, mesh, 3, 2, &rig));
	ossa_mesh_free(context, mesh);
	for (size_t b = 0; b < 3; b++) {
		ossa_bone *bone = &rig->skeleton.bones[b];
		snprintf(bone->name, sizeof bone->name, "bone_%zu", b);
		bone->parent = b == 0 ? -1 : 0;
		bone->kind = b == 0 ? OSSA_JOINT_ROOT : OSSA_JOINT_UNKNOWN;
		bone->joint[0] = bone->tail[0] = b == 0 ? 0 : b == 1 ? -1 : 1;
		bone->tail[1] = 8;
		bone->orientation[3] = 1;
	}
	for (size_t v = 0; v < rig->mesh->vertex_count; v++) {
		rig->weights.bones[2 * v] = v < rig->mesh->vertex_count / 2 ? 1 : 2;
		rig->weights.values[2 * v] = 1;
	}
	assert_ok(context, ossa_rig_validate(context, rig));
	return rig;
}

static void limbs_that_touch_do_not_bleed(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_rig *rig = rig_of_tubes(context, 24, 20);
	/* the same, coarser, finer with a phase, thinner, wider into each other, apart */
	const struct {
		uint32_t sides, rings;
		double radius, gap;
		bool is_into;
	} copies[] = {{24, 20, 1, 0, false}, {8, 5, 1, 0, false}, {50, 41, 1, 0, false}, {24, 20, 0.95, 0, false},
		{31, 20, 1.05, 0, true}, {24, 20, 1, 0.1, false}, {24, 20, 1, -0.1, true}};
	for (size_t i = 0; i < sizeof copies / sizeof *copies; i++) {
		ossa_mesh *mesh = two_tubes(context, copies[i].sides, copies[i].rings, copies[i].radius, copies[i].gap);
		ossa_rig *made;
		assert_ok(context, ossa_rig_transfer(context, rig, mesh, NULL, &made, NULL));
		for (size_t v = 0; v < mesh->vertex_count; v++) {
			/* the flat ends of both tubes are in one plane and look the same way: where a tube's
			   rim is inside of the other tube they are alike */
			const double y = (double)mesh->positions[3 * v + 1];
			if (copies[i].is_into && (y == 0 || y == 8)) continue;
			assert_near(weight_of(&made->weights, v, v < mesh->vertex_count / 2 ? 1 : 2), 1, 1e-6);
		}
		ossa_rig_free(context, made);
		ossa_mesh_free(context, mesh);
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* ---- pieces, seams, loose vertices ---- */

/* a button far in front of the left tube, and a vertex of no face beside the right one */
static void what_is_near_nothing_takes_the_nearest(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = rig_of_tubes(context, 24, 20), *made;
	builder *b = new_builder();
	add_tube(b, -1, 1, 8, 24, 20);
	add_tube(b, 1, 1, 8, 24, 20);
	const size_t button = b->vertex_count;
	add_tube(b, -1, 0.1, 0.1, 6, 1);
	for (size_t v = button; v < b->vertex_count; v++) b->positions[3 * v + 2] += 2;
	const size_t loose = b->vertex_count++;
	b->positions[3 * loose] = 3;
	ossa_mesh *mesh = mesh_of(context, b);
	free(b);
	ossa_transfer_facts facts;
	assert_ok(context, ossa_rig_transfer(context, rig, mesh, NULL, &made, &facts));
	check_facts(mesh, &facts);
	assert_int_equal(facts.unsure_pieces, 1);
	assert_int_equal(facts.nearest_count, loose - button);
	assert_int_equal(facts.far_count, loose - button);
	assert_int_equal(facts.loose_count, 1);
	assert_int_equal(test_warned(context, "unsure-pieces"), 1);
	assert_int_equal(test_warned(context, "far-vertices"), (int64_t)(loose - button));
	for (size_t v = button; v < loose; v++) assert_near(weight_of(&made->weights, v, 1), 1, 1e-6);
	assert_near(weight_of(&made->weights, loose, 2), 1, 1e-6);
	ossa_rig_free(context, made);
	ossa_mesh_free(context, mesh);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* every face with corners of its own, as STL has them */
static void vertices_of_a_seam_have_the_same_weights(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *a = sample_of(context, OSSA_SAMPLE_BIPED, 4000), *b = sample_of(context, OSSA_SAMPLE_BIPED, 1000);
	const ossa_mesh *whole = b->rig->mesh;
	const size_t corners = 3 * whole->triangle_count;
	float *positions = malloc(3 * corners * sizeof *positions);
	uint32_t *triangles = malloc(corners * sizeof *triangles);
	assert_true(positions && triangles);
	for (uint32_t i = 0; i < corners; i++) {
		triangles[i] = i;
		memcpy(positions + 3 * i, whole->positions + 3 * whole->triangles[i], 3 * sizeof *positions);
	}
	ossa_mesh *soup;
	assert_ok(context, ossa_mesh_create(context, corners, positions, whole->triangle_count, triangles, &soup));
	ossa_transfer_options options = ossa_transfer_default();
	options.angle = 2;
	ossa_rig *of_whole, *of_soup;
	assert_ok(context, ossa_rig_transfer(context, a->rig, whole, &options, &of_whole, NULL));
	assert_ok(context, ossa_rig_transfer(context, a->rig, soup, &options, &of_soup, NULL));
	for (size_t i = 0; i < corners; i++) {
		for (size_t bone = 0; bone < a->rig->skeleton.bone_count; bone++) {
			assert_near(weight_of(&of_soup->weights, i, bone), weight_of(&of_whole->weights, whole->triangles[i], bone), 2e-3);
		}
	}
	free(positions);
	free(triangles);
	ossa_rig_free(context, of_whole);
	ossa_rig_free(context, of_soup);
	ossa_mesh_free(context, soup);
	ossa_sample_free(context, a);
	ossa_sample_free(context, b);
	test_context_end(context);
}

/* ---- places ---- */

static ossa_mesh *moved_copy(ossa_context *context, const ossa_mesh *mesh, double scale, double x)
{
	ossa_mesh *copy;
	assert_ok(context, ossa_mesh_copy(context, mesh, &copy));
	for (size_t i = 0; i < 3 * copy->vertex_count; i++) {
		copy->positions[i] = (float)(scale * (double)copy->positions[i] + (i % 3 == 0 ? x : 0));
	}
	return copy;
}

static void another_place_is_refused_or_aligned(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *a = sample_of(context, OSSA_SAMPLE_BIPED, 3000);
	ossa_rig *made;
	ossa_transfer_facts facts;
	ossa_transfer_options options = ossa_transfer_default();
	const struct {
		double scale, x;
		const char *words;
	} wrong[] = {{1, 50, "`place align` moves"}, {100, 0, "`input-unit`"}, {0.01, 0, "`input-unit`"}};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		ossa_mesh *mesh = moved_copy(context, a->rig->mesh, wrong[i].scale, wrong[i].x);
		options.place = OSSA_PLACE_CHECK;
		assert_fails(
			context, ossa_rig_transfer(context, a->rig, mesh, &options, &made, NULL), OSSA_ERROR_INPUT, wrong[i].words);
		assert_null(made);
		options.place = OSSA_PLACE_KEEP;
		assert_ok(context, ossa_rig_transfer(context, a->rig, mesh, &options, &made, NULL));
		ossa_rig_free(context, made);
		options.place = OSSA_PLACE_ALIGN;
		assert_ok(context, ossa_rig_transfer(context, a->rig, mesh, &options, &made, &facts));
		assert_near(facts.scale, wrong[i].scale, 1e-4 * wrong[i].scale);
		assert_true(difference(made, a->rig) < 1e-3);
		/* the skin of the moved rig is the moved skin */
		float *moved = malloc(6 * mesh->vertex_count * sizeof *moved), *old = moved + 3 * mesh->vertex_count;
		assert_non_null(moved);
		assert_ok(context, ossa_rig_pose(context, made, &a->rig->weights, made->clip, 2, moved));
		assert_ok(context, ossa_rig_pose(context, a->rig, NULL, a->rig->clip, 2, old));
		for (size_t k = 0; k < 3 * mesh->vertex_count; k++) {
			assert_near(moved[k], wrong[i].scale * (double)old[k] + (k % 3 == 0 ? wrong[i].x : 0), 1e-3 * (1 + wrong[i].scale));
		}
		free(moved);
		ossa_rig_free(context, made);
		ossa_mesh_free(context, mesh);
	}
	ossa_sample_free(context, a);
	test_context_end(context);
}

static void a_turned_mesh_is_refused_by_its_axis(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = rig_of_tubes(context, 12, 10), *made;
	ossa_mesh *mesh;
	assert_ok(context, ossa_mesh_copy(context, rig->mesh, &mesh));
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		float *p = mesh->positions + 3 * v, y = p[1];
		p[1] = -p[2];
		p[2] = y;
	}
	assert_fails(context, ossa_rig_transfer(context, rig, mesh, NULL, &made, NULL), OSSA_ERROR_INPUT, "`input-up`");
	ossa_transfer_options options = ossa_transfer_default();
	options.place = OSSA_PLACE_ALIGN;
	assert_fails(context, ossa_rig_transfer(context, rig, mesh, &options, &made, NULL), OSSA_ERROR_INPUT, "proportions");
	ossa_mesh_free(context, mesh);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void what_has_no_surface_is_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = rig_of_tubes(context, 12, 10), *made, *bare;
	ossa_mesh *points, *spoilt;
	const float one[3] = {0, 0, 0};
	assert_ok(context, ossa_mesh_create(context, 1, one, 0, NULL, &points));
	assert_fails(context, ossa_rig_transfer(context, rig, points, NULL, &made, NULL), OSSA_ERROR_INPUT, "mesh has no faces");
	assert_ok(context, ossa_rig_create(context, points, 1, 1, &bare));
	bare->skeleton.bones[0].parent = -1;
	assert_fails(context, ossa_rig_transfer(context, bare, rig->mesh, NULL, &made, NULL), OSSA_ERROR_INPUT, "rig has no faces");
	assert_ok(context, ossa_mesh_copy(context, rig->mesh, &spoilt));
	spoilt->positions[4] = NAN;
	assert_fails(context, ossa_rig_transfer(context, rig, spoilt, NULL, &made, NULL), OSSA_ERROR_INPUT, NULL);
	ossa_transfer_options options = ossa_transfer_default();
	options.distance = -1;
	assert_fails(context, ossa_rig_transfer(context, rig, rig->mesh, &options, &made, NULL), OSSA_ERROR_ARGUMENT, "distance");
	ossa_mesh_free(context, points);
	ossa_mesh_free(context, spoilt);
	ossa_rig_free(context, bare);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void one_triangle_is_enough(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = rig_of_tubes(context, 12, 10), *made;
	/* on the outer side of the right tube */
	const float positions[9] = {2, 1, 0, 2, 2, 0, 2, 1, 0.1f};
	const uint32_t triangle[3] = {0, 1, 2};
	ossa_mesh *mesh;
	assert_ok(context, ossa_mesh_create(context, 3, positions, 1, triangle, &mesh));
	assert_ok(context, ossa_rig_transfer(context, rig, mesh, NULL, &made, NULL));
	for (size_t v = 0; v < 3; v++) assert_near(weight_of(&made->weights, v, 2), 1, 1e-6);
	ossa_rig_free(context, made);
	ossa_mesh_free(context, mesh);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* faces on both sides of the same vertices have no normal between them: only the distance counts */
static void a_card_with_two_sides_is_sure(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = rig_of_tubes(context, 12, 10), *made;
	const float positions[12] = {1.9f, 1, 0.3f, 1.9f, 2, 0.3f, 2.1f, 1, 0.2f, 2.1f, 2, 0.2f};
	const uint32_t triangles[12] = {0, 1, 2, 2, 1, 3, 2, 1, 0, 3, 1, 2};
	ossa_mesh *mesh;
	ossa_transfer_facts facts;
	assert_ok(context, ossa_mesh_create(context, 4, positions, 4, triangles, &mesh));
	assert_ok(context, ossa_rig_transfer(context, rig, mesh, NULL, &made, &facts));
	assert_int_equal(facts.sure_count, 4);
	for (size_t v = 0; v < 4; v++) assert_near(weight_of(&made->weights, v, 2), 1, 1e-6);
	ossa_rig_free(context, made);
	ossa_mesh_free(context, mesh);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* ---- memory ---- */

typedef struct sweep {
	const ossa_rig *rig;
	const ossa_mesh *mesh;
	ossa_transfer_options options;
} sweep;

static ossa_status transfer_once(ossa_context *context, void *arg)
{
	const sweep *s = arg;
	ossa_rig *made;
	const ossa_status status = ossa_rig_transfer(context, s->rig, s->mesh, &s->options, &made, NULL);
	if (status != OSSA_OK) assert_null(made);
	ossa_rig_free(context, made);
	return status;
}

static void lack_of_memory_is_an_error(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *a = sample_of(context, OSSA_SAMPLE_HAND, 2000), *b = sample_of(context, OSSA_SAMPLE_HAND, 1000);
	sweep s = {a->rig, b->rig->mesh, ossa_transfer_default()};
	/* some are inpainted; the rig moves */
	s.options.distance = 0.2;
	s.options.place = OSSA_PLACE_ALIGN;
	assert_true(test_allocation_sweep(transfer_once, &s, 300, 1) > 60);
	ossa_sample_free(context, a);
	ossa_sample_free(context, b);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(coarser_and_finer_copies_have_their_own_weights),
		cmocka_unit_test(the_same_mesh_has_the_same_weights),
		cmocka_unit_test(weights_depend_neither_on_threads_nor_on_sides),
		cmocka_unit_test(limbs_that_touch_do_not_bleed),
		cmocka_unit_test(what_is_near_nothing_takes_the_nearest),
		cmocka_unit_test(vertices_of_a_seam_have_the_same_weights),
		cmocka_unit_test(another_place_is_refused_or_aligned),
		cmocka_unit_test(a_turned_mesh_is_refused_by_its_axis),
		cmocka_unit_test(what_has_no_surface_is_refused),
		cmocka_unit_test(one_triangle_is_enough),
		cmocka_unit_test(a_card_with_two_sides_is_sure),
		cmocka_unit_test(lack_of_memory_is_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

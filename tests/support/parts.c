/* tests/support/parts.c: see parts.h. */
#include "support/parts.h"

#include "motion/seed_motion.h"
#include "skeleton/from_motion/boundary_graph.h"
#include "support/support.h"

/* the bone with the most weight at a face's corners */
static uint32_t part_of(const ossa_rig *rig, size_t face)
{
	const ossa_weights *w = &rig->weights;
	double sum[64] = {0};
	uint32_t best = 0;
	for (size_t i = 0; i < 3; i++) {
		const size_t at = rig->mesh->triangles[3 * face + i] * (size_t)w->influences;
		for (size_t j = 0; j < (size_t)w->influences; j++) sum[w->bones[at + j]] += (double)w->values[at + j];
	}
	for (uint32_t b = 1; b < rig->skeleton.bone_count; b++) best = sum[b] > sum[best] ? b : best;
	return best;
}

/* the largest weight of a vertex that is its part's bone's */
static float weight_in_part(const test_parts *p, size_t vertex)
{
	const ossa_weights *w = &p->sample->rig->weights;
	float most = 0;
	for (size_t i = vertex * (size_t)w->influences; i < (vertex + 1) * (size_t)w->influences; i++) {
		if (w->bones[i] == p->graph.bone_of_vertex[vertex]) most = fmaxf(most, w->values[i]);
	}
	return most;
}

/* seeds as the paper wants them, where skin is rigid: the vertices of each part with nearly its
   largest weight, and of these TEST_PART_SEEDS, evenly by index */
static void choose_seeds(test_parts *p)
{
	const size_t vertices = p->t.s.vertex_count;
	p->seed_vertex = ossai_arena_new(&p->t.arena, p->count * TEST_PART_SEEDS, sizeof *p->seed_vertex);
	p->part_of_seed = ossai_arena_new(&p->t.arena, p->count * TEST_PART_SEEDS, sizeof *p->part_of_seed);
	assert_true(p->seed_vertex && p->part_of_seed);
	for (uint32_t b = 0; b < p->count; b++) {
		float most = 0;
		size_t rigid = 0, passed = 0, taken = 0;
		for (size_t v = 0; v < vertices; v++) {
			if (p->graph.bone_of_vertex[v] == b) most = fmaxf(most, weight_in_part(p, v));
		}
		for (size_t v = 0; v < vertices; v++) {
			rigid += p->graph.bone_of_vertex[v] == b && weight_in_part(p, v) >= 0.99F * most;
		}
		for (uint32_t v = 0; v < vertices && taken < TEST_PART_SEEDS; v++) {
			if (p->graph.bone_of_vertex[v] != b || weight_in_part(p, v) < 0.99F * most) continue;
			if (passed++ * TEST_PART_SEEDS / rigid < taken && rigid > TEST_PART_SEEDS) continue;
			p->seed_vertex[p->seed_count] = v;
			p->part_of_seed[p->seed_count++] = b;
			taken++;
		}
	}
}

test_parts test_parts_make(int threads, const ossa_sample_options *options)
{
	test_parts p = {.t = {.context = test_context(threads)}};
	test_surface *t = &p.t;
	assert_ok(t->context, ossa_sample_create(t->context, options, &p.sample));
	const ossa_rig *rig = p.sample->rig;
	assert_ok(t->context, ossa_mesh_copy(t->context, rig->mesh, &t->mesh));
	t->frames = p.sample->frames;
	p.sample->frames = NULL;
	t->arena = ossai_arena_begin(t->context);
	assert_ok(t->context, ossai_posed_surface_make(t->context, &t->arena, t->mesh, t->frames, false, &t->s));
	p.count = rig->skeleton.bone_count;
	p.part_of_face = ossai_arena_new(&t->arena, t->s.face_count, sizeof *p.part_of_face);
	assert_non_null(p.part_of_face);
	for (size_t f = 0; f < t->s.face_count; f++) p.part_of_face[f] = part_of(rig, f);
	assert_ok(t->context, ossai_boundary_graph_make(&t->arena, &t->s, p.part_of_face, p.count, &p.graph));
	assert_ok(t->context, ossai_boundary_tree_make(&t->arena, &t->s, &p.graph, &p.tree));
	assert_ok(t->context, ossai_bone_motion_new(&t->arena, p.count, t->s.pose_count, &p.motion));
	choose_seeds(&p);
	assert_ok(t->context, ossai_seed_motion_fit(t->context, &t->s, p.seed_count, p.seed_vertex, p.part_of_seed, &p.motion));
	return p;
}

void test_parts_end(test_parts *parts)
{
	ossa_sample_free(parts->t.context, parts->sample);
	test_surface_end(&parts->t);
}

bool test_parts_joint(const test_parts *parts, uint32_t a, uint32_t b, double degrees, ossai_vec3 *joint)
{
	const ossa_bone *bones = parts->sample->rig->skeleton.bones;
	if (bones[a].parent != (int32_t)b && bones[b].parent != (int32_t)a) return false;
	const ossa_bone *lower = &bones[bones[a].parent == (int32_t)b ? a : b];
	*joint = ossai_scale(ossai_sub(ossai_v3_of(lower->joint), parts->t.s.rest_center), 1 / parts->t.s.scale);
	return lower->turn_degrees >= degrees;
}

double test_parts_side(const test_parts *parts)
{
	double side = 0;
	for (size_t axis = 0; axis < 3; axis++) {
		double low = INFINITY, high = -INFINITY;
		for (size_t v = 0; v < parts->t.s.vertex_count; v++) {
			low = fmin(low, parts->t.s.rest[3 * v + axis]);
			high = fmax(high, parts->t.s.rest[3 * v + axis]);
		}
		side = fmax(side, high - low);
	}
	return side;
}

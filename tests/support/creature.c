/* tests/support/creature.c: see creature.h. */
#include "support/creature.h"

#include "rig/pose.h"
#include "support/support.h"

static ossai_vec3 to_units(const ossai_posed_surface *s, const double *point)
{
	return ossai_scale(ossai_sub(ossai_v3_of(point), s->rest_center), 1 / s->scale);
}

static void take_bones(test_creature *c)
{
	const ossa_skeleton *skeleton = &c->rig->skeleton;
	assert_ok(c->t.context, ossai_tree_new(&c->t.arena, skeleton->bone_count, &c->tree));
	c->joint = ossai_arena_new(&c->t.arena, skeleton->bone_count, sizeof *c->joint);
	c->tail = ossai_arena_new(&c->t.arena, skeleton->bone_count, sizeof *c->tail);
	assert_non_null(c->joint);
	assert_non_null(c->tail);
	c->tree.root = 0;
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		c->tree.parent[b] = b == 0 ? OSSA_NONE : (uint32_t)skeleton->bones[b].parent;
		c->tree.pair[b] = OSSA_NONE;
		c->joint[b] = to_units(&c->t.s, skeleton->bones[b].joint);
		c->tail[b] = to_units(&c->t.s, skeleton->bones[b].tail);
	}
	ossai_tree_sort(&c->tree);
}

/* x = center + scale rest goes to R x + t = pose center + scale pose */
static void take_motion(test_creature *c)
{
	const ossai_posed_surface *s = &c->t.s;
	const size_t bones = c->tree.bone_count;
	assert_ok(c->t.context, ossai_bone_motion_new(&c->t.arena, bones, s->pose_count, &c->motion));
	double *matrices = ossai_arena_new(&c->t.arena, bones, 12 * sizeof *matrices);
	assert_non_null(matrices);
	for (size_t k = 0; k < s->pose_count; k++) {
		ossai_skin_matrices(c->rig, c->rig->clip, k, matrices);
		for (size_t b = 0; b < bones; b++) {
			const double *m = matrices + 12 * b;
			ossai_rigid *x = &c->motion.rigid[b * s->pose_count + k];
			for (int i = 0; i < 9; i++) x->r.m[i / 3][i % 3] = m[i / 3 * 4 + i % 3];
			const ossai_vec3 center = ossai_add(ossai_mat3_mul_v(&x->r, s->rest_center), ossai_v3(m[3], m[7], m[11]));
			x->t = ossai_scale(ossai_sub(center, s->pose_center[k]), 1 / s->scale);
		}
	}
}

static void take_weights(test_creature *c)
{
	const ossa_weights *from = &c->rig->weights;
	const size_t width = (size_t)from->influences;
	assert_ok(c->t.context, ossai_bone_weights_new(&c->t.arena, from->vertex_count, c->tree.bone_count, width, &c->weights));
	for (size_t i = 0; i < from->vertex_count * width; i++) {
		if (!(from->values[i] > 0)) continue;
		const size_t v = i / width, at = v * width + c->weights.count[v]++;
		c->weights.bone[at] = from->bones[i];
		c->weights.value[at] = from->values[i];
	}
}

test_creature test_creature_make(int threads, ossa_sample_kind kind, int faces, int frames)
{
	test_creature c = {.t = test_surface_sample(threads, kind, faces, frames)};
	ossa_sample_options options = ossa_sample_default();
	ossa_sample *sample = NULL;
	options.kind = kind;
	options.faces = faces;
	options.frames = frames;
	assert_ok(c.t.context, ossa_sample_create(c.t.context, &options, &sample));
	c.rig = sample->rig;
	sample->rig = NULL;
	ossa_sample_free(c.t.context, sample);
	take_bones(&c);
	take_motion(&c);
	take_weights(&c);
	return c;
}

void test_creature_end(test_creature *creature)
{
	ossa_rig_free(creature->t.context, creature->rig);
	test_surface_end(&creature->t);
}

double test_creature_replay(test_creature *creature, const ossai_bone_weights *weights)
{
	return test_rms_percent(&creature->t.s, test_blend_error(&creature->t, weights, &creature->motion));
}

/* tests/motion/test_frame_sums.c: sums over frames in tiles against those over a posed surface, and
   errors against blending each vertex. */
#include "motion/frame_sums.h"
#include "support/support.h"

#include <samples/samples.h>

#include <math.h>
#include <string.h>

typedef struct fixture {
	ossa_context *context;
	ossai_arena arena;
	ossa_sample *sample;
	ossai_posed_surface surface;
	ossai_bone_weights weights;
	ossai_skin_lists lists;
	ossai_frame_tile tiles[3];
	double *scratch;
} fixture;

enum { FRAMES = 10 };

static void read_weights(const ossa_weights *from, const ossai_posed_surface *surface, ossai_bone_weights *to)
{
	for (size_t v = 0; v < from->vertex_count; v++) {
		double sum = 0;
		for (size_t i = 0; i < to->width; i++) sum += (double)from->values[v * to->width + i];
		for (size_t i = 0; i < to->width && surface->used[v]; i++) {
			const size_t at = v * to->width + to->count[v];
			if (!(from->values[v * to->width + i] > 0)) continue;
			to->bone[at] = from->bones[v * to->width + i];
			to->value[at] = (double)from->values[v * to->width + i] / sum;
			to->count[v]++;
		}
	}
}

static void begin(fixture *f)
{
	ossa_sample_options options = ossa_sample_default();
	options.kind = OSSA_SAMPLE_BIPED;
	options.faces = 6000;
	options.frames = FRAMES;
	options.bulge = 2;
	*f = (fixture){.context = test_context(2)};
	f->arena = ossai_arena_begin(f->context);
	assert_ok(f->context, ossa_sample_create(f->context, &options, &f->sample));
	const ossa_rig *rig = f->sample->rig;
	assert_ok(f->context, ossai_posed_surface_make(f->context, &f->arena, rig->mesh, f->sample->frames, true, &f->surface));
	assert_ok(f->context,
		ossai_bone_weights_new(
			&f->arena, rig->mesh->vertex_count, rig->skeleton.bone_count, (size_t)rig->weights.influences, &f->weights));
	read_weights(&rig->weights, &f->surface, &f->weights);
	assert_ok(f->context, ossai_skin_lists_make(&f->arena, &f->surface, &f->weights, &f->lists));
	f->scratch = ossai_arena_new(&f->arena, ossai_tile_scratch(f->lists.used_count, 3), sizeof(double));
	for (size_t t = 0; t < 3; t++) {
		const float *frames[4];
		for (size_t k = 0; k < 4; k++) {
			const size_t frame = 4 * t + k < FRAMES ? 4 * t + k : FRAMES - 1;
			frames[k] = f->sample->frames->positions + 3 * frame * rig->mesh->vertex_count;
		}
		f->tiles[t].positions = ossai_arena_new(&f->arena, f->lists.used_count, 12 * sizeof(float));
		ossai_tile_fill(f->context, &f->lists, frames, f->surface.scale, &f->tiles[t], f->scratch);
	}
}

static void end(fixture *f)
{
	ossai_arena_end(&f->arena);
	ossa_sample_free(f->context, f->sample);
	test_context_end(f->context);
}

static void targets_are_those_of_the_moments(void **state)
{
	(void)state;
	fixture f;
	ossai_moments moments;
	begin(&f);
	assert_ok(f.context, ossai_moments_make(f.context, &f.surface, &f.weights, &moments));
	double *c = ossai_arena_new(&f.arena, f.weights.bone_count, FRAMES * 12 * sizeof *c);
	ossai_tile_targets(f.context, &f.lists, f.tiles, FRAMES, f.surface.scale, c);
	const double much = (double)f.surface.used_count;
	for (size_t i = 0; i < f.weights.bone_count * FRAMES * 12; i++) assert_near(c[i], moments.c[i], 1e-12 * much);
	for (size_t k = 0; k < FRAMES; k++) {
		const ossai_frame_tile *tile = &f.tiles[k / 4];
		assert_near_vec3(tile->center[k % 4], f.surface.pose_center[k], 1e-9);
		assert_near(tile->square[k % 4], f.surface.pose_square[k], 1e-12 * much);
	}
	ossai_moments_end(&moments);
	end(&f);
}

/* some motion, for which errors are large */
static void make_motion(ossai_bone_motion *motion)
{
	for (size_t b = 0; b < motion->bone_count; b++) {
		for (size_t k = 0; k < FRAMES; k++) {
			const ossai_vec3 axis = ossai_v3(0.1 * (double)b, 0.2, 0.05 * (double)k);
			motion->rigid[b * FRAMES + k] = (ossai_rigid){
				ossai_quat_matrix(ossai_quat_exp(axis)), ossai_v3(0.01 * (double)b, 0, 0.02)};
		}
	}
}

static void errors_are_those_of_every_vertex(void **state)
{
	(void)state;
	fixture f;
	ossai_bone_motion motion;
	ossai_tile_errors errors[3];
	begin(&f);
	const size_t bones = f.weights.bone_count;
	assert_ok(f.context, ossai_bone_motion_new(&f.arena, bones, FRAMES, &motion));
	make_motion(&motion);
	double *matrices = ossai_arena_new(&f.arena, 3 * bones, 48 * sizeof *matrices);
	double *summed = ossai_arena_zero(&f.arena, f.surface.vertex_count, sizeof *summed), total = 0;
	ossai_tile_errors_make(f.context, &f.lists, f.tiles, f.surface.scale, &motion, matrices, f.scratch, errors, summed);
	for (size_t k = 0; k < FRAMES; k++) {
		double square = 0, sum = 0, largest2 = 0;
		size_t worst = 0;
		for (size_t v = 0; v < f.surface.vertex_count; v++) {
			if (!f.surface.used[v]) continue;
			ossai_vec3 p = {0, 0, 0};
			for (size_t i = 0; i < f.weights.count[v]; i++) {
				const ossai_rigid *x = &motion.rigid[f.weights.bone[v * f.weights.width + i] * FRAMES + k];
				p = ossai_madd(
					p, f.weights.value[v * f.weights.width + i], ossai_rigid_point(x, ossai_rest_point(&f.surface, v)));
			}
			const double e2 = ossai_length2(ossai_sub(p, ossai_pose_point(&f.surface, v, k)));
			square += e2;
			sum += sqrt(e2);
			if (e2 > largest2) worst = v;
			largest2 = fmax(largest2, e2);
		}
		const ossai_tile_errors *e = &errors[k / 4];
		assert_near(e->square[k % 4], square, 1e-10 * square);
		assert_near(e->sum[k % 4], sum, 1e-10 * sum);
		assert_near(e->largest2[k % 4], largest2, 1e-10 * largest2);
		assert_int_equal(e->worst[k % 4], worst);
		total += square;
	}
	/* no frame counts twice, though the last tile is not full */
	assert_true(FRAMES % 4 != 0);
	for (size_t v = 0; v < f.surface.vertex_count; v++) total -= summed[v];
	assert_near(total, 0, 1e-10 * (double)FRAMES);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(targets_are_those_of_the_moments),
		cmocka_unit_test(errors_are_those_of_every_vertex),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* tests/support/surfaces.h: posed surfaces for tests of the stages: literal ones, grids,
   creatures; and a chain of bones with known weights, motion and joints that a surface can be
   posed by, exactly and in double precision. */
#ifndef OSSA_TEST_SURFACES_H
#define OSSA_TEST_SURFACES_H

#include "samples/samples.h"
#include "skeleton/tree.h"
#include "weights/bone_weights.h"

/* A posed surface and the objects that it refers to. */
typedef struct test_surface {
	ossa_context *context;
	ossai_arena arena; /* for the test's own arrays, too */
	ossa_mesh *mesh;
	ossa_frames *frames;
	ossai_posed_surface s;
} test_surface;

/* The RMS in percent of the diagonal for a sum of squared errors. */
static inline double test_rms_percent(const ossai_posed_surface *surface, double squared_error)
{
	return 100 * sqrt(squared_error / ((double)surface->used_count * (double)surface->pose_count));
}

/* `poses` is K x V x 3; NULL: K times the rest. */
test_surface test_surface_make(int threads, size_t vertex_count, const float *positions, size_t face_count,
	const uint32_t *triangles, size_t pose_count, const float *poses);

/* A bent sheet of columns x rows squares along x, each cut in two; all poses are the rest. */
test_surface test_surface_grid(int threads, size_t columns, size_t rows, size_t pose_count);

/* Rings of a square tube of side 2 around the x axis, at x = 0, 1, 2, 3, one after the other; in
   its one pose it is at rest. */
enum { TEST_TUBE_RINGS = 4, TEST_TUBE_CORNERS = 4 };
test_surface test_surface_square_tube(void);

test_surface test_surface_sample(int threads, ossa_sample_kind kind, int faces, int frames);
void test_surface_end(test_surface *surface);

/* Moves every vertex of every pose by up to this, at random. */
void test_surface_shake(test_surface *surface, double amount, uint64_t seed);

/* The number of connected components of the clusters, over shared edges: as many as there are
   clusters where each of them is connected. `part` is scratch of F. */
size_t test_count_parts(const ossai_posed_surface *s, const uint32_t *cluster_of_face, uint32_t *part);

/* -1 .. 1 */
double test_random(uint64_t *state);
ossai_vec3 test_random_point(uint64_t *state, double reach);
ossai_quat test_random_turn(uint64_t *state, double most_radians);

/* Bones in a row along x, each the child of the one before; blended linearly from one's center to
   the next one's. */
typedef struct test_chain {
	ossai_bone_weights weights;
	/* each bone turns about its joint by up to half a radian about any axis */
	ossai_bone_motion motion;
	ossai_tree tree;
	ossai_vec3 *joint; /* halfway between the centers; the root's at its own center */
} test_chain;

/* Makes a chain for a surface and poses the surface by it, exactly. Arrays are in the surface's
   arena. */
test_chain test_chain_make(test_surface *surface, size_t bones, uint64_t seed);

/* Sets the poses to the blend of weights and motion. */
void test_surface_blend(test_surface *surface, const ossai_bone_weights *weights, const ossai_bone_motion *motion);

/* ossai_blend_error with its scratch */
double test_blend_error(test_surface *surface, const ossai_bone_weights *weights, const ossai_bone_motion *motion);

/* Asserts that the weights of every vertex with faces are positive, fall, and sum to 1, and that
   others have none. */
void test_assert_simplex(const ossai_posed_surface *s, const ossai_bone_weights *w);

#endif

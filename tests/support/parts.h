/* tests/support/parts.h: creatures cut into parts by their true weights: input for tests of the
   stages after the parts. */
#ifndef OSSA_TEST_PARTS_H
#define OSSA_TEST_PARTS_H

#include "skeleton/from_motion/bone_graph.h"
#include "support/surfaces.h"

/* of each part, where it has so many vertices that move with it alone */
enum { TEST_PART_SEEDS = 24 };

/* A creature, its parts (bone b is part b), and the first results from them. Arrays are in the
   surface's arena. */
typedef struct test_parts {
	test_surface t;
	ossa_sample *sample; /* its frames are the surface's */
	size_t count;
	uint32_t *part_of_face;
	ossai_bone_graph graph;
	ossai_tree tree;
	size_t seed_count;
	uint32_t *seed_vertex, *part_of_seed; /* seed_count */
	ossai_bone_motion motion;             /* of the seeds */
} test_parts;

test_parts test_parts_make(int threads, const ossa_sample_options *options);
void test_parts_end(test_parts *parts);

/* The true joint between two parts, normalised; false where neither bone is the other's parent or
   the joint turns by less than `degrees`. */
bool test_parts_joint(const test_parts *parts, uint32_t a, uint32_t b, double degrees, ossai_vec3 *joint);

/* the longest side of the box at rest, normalised */
double test_parts_side(const test_parts *parts);

#endif

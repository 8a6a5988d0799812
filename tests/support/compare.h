/* tests/support/compare.h: compares two rigs: their weights, and their vertices in every frame. */
#ifndef OSSA_TEST_COMPARE_H
#define OSSA_TEST_COMPARE_H

#include "samples/samples.h"

#include <ossa/ossa.h>

/* The diagonal of the box around a mesh: what differences are shares of. */
double test_diagonal(const ossa_mesh *mesh);

/* The weight of a bone on a vertex; and of the bone of that name (0 where there is none). */
float test_weight_of(const ossa_weights *weights, size_t vertex, size_t bone);
float test_weight_named(const ossa_rig *rig, size_t vertex, const char *bone);

/* Asserts that every weight of `a` is that of the same bone in `b`. */
void test_assert_same_weights(const ossa_weights *a, const ossa_weights *b, float tolerance);

/* The largest distance of a vertex between two rigs, in the rest pose and in all frames of their
   clips, as a share of the diagonal of `a`. `match`: the vertex of `b` for each of `a`; NULL: the
   same. */
double test_largest_difference(ossa_context *context, const ossa_rig *a, const ossa_rig *b, const uint32_t *match);

/* How many kinds of samples there are; and one of them. */
enum { TEST_SAMPLE_KINDS = OSSA_SAMPLE_SLIDES + 1 };
ossa_sample *test_sample_of_kind(ossa_context *context, int kind, int faces, int frames);

#endif

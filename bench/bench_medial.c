/* bench/bench_medial.c: the cost from voxels to a skeleton, and its growth with voxels: the medial
   surface, the path tree that covers it, and the assignment of voxels to the tree's nodes.

   Two creatures and a ball, which fills the most of its grid. Seconds are of the processor, all
   threads together; `ns` are those of all three for a voxel, `power` is the exponent p of seconds
   ~ voxels^p against the smallest grid of the same surface; 1 is linear. */
#include "base/clock.h"
#include "grids.h"
#include "medial/node_shares.h"

enum { FACES = 20000, KINDS = 3 };
static const char *const kinds[KINDS] = {"quadruped", "octopus", "ball"};
static const double EXPOSURE = 0.12, CLOSENESS = 0.1;

static ossa_mesh *make_mesh(ossa_context *context, int kind)
{
	if (kind == 2) return bench_ball(context);
	ossa_sample *sample = bench_creature(context, kind == 0 ? OSSA_SAMPLE_QUADRUPED : OSSA_SAMPLE_OCTOPUS, FACES);
	ossa_mesh *made;
	bench_need(context, ossa_mesh_copy(context, sample->rig->mesh, &made));
	ossa_sample_free(context, sample);
	return made;
}

/* seconds of the three */
typedef struct costs {
	double medial, tree, shares;
} costs;

static costs bench_stages(ossai_arena *arena, const ossai_voxels *v, size_t *medial_count, size_t *node_count)
{
	ossai_medial medial;
	ossai_path_tree tree;
	ossai_voxel_rows rows;
	uint32_t *node_of_voxel;
	costs c;
	const double begin = ossai_cpu_seconds();
	bench_need(arena->context, ossai_medial_make(arena, v, EXPOSURE, &medial));
	c.medial = ossai_cpu_seconds() - begin;
	bench_need(arena->context, ossai_path_tree_make(arena, v, &medial, CLOSENESS, &tree));
	c.tree = ossai_cpu_seconds() - begin - c.medial;
	bench_need(arena->context, ossai_voxel_rows_make(arena, v, &rows));
	bench_need(arena->context, ossai_node_shares(arena, v, &rows, &tree, OSSAI_SHARE_BITS, &node_of_voxel));
	c.shares = ossai_cpu_seconds() - begin - c.medial - c.tree;
	*medial_count = medial.count;
	*node_count = tree.node_count;
	return c;
}

static void bench_size(
	ossai_arena *arena, const ossai_posed_surface *surface, const char *name, double size, bench_growth *first)
{
	const ossai_voxel_options options = {.size = size};
	ossai_voxels v;
	size_t medial_count, node_count;
	bench_need(arena->context, ossai_voxels_make_peeled(arena, surface, &options, &v));
	const costs c = bench_stages(arena, &v, &medial_count, &node_count);
	const double seconds = c.medial + c.tree + c.shares, count = (double)v.count;
	printf("%-10s %9zu %8zu %6zu %8.4f %8.4f %8.4f %7.1f", name, v.count, medial_count, node_count, c.medial, c.tree, c.shares,
		1e9 * seconds / count);
	bench_print_power(first, count, seconds);
	printf("\n");
}

static void bench_mesh(ossa_context *context, int kind)
{
	/* of the longest side */
	static const double sizes[] = {1 / 62.0, 1 / 126.0, 1 / 254.0, 1 / 510.0};
	bench_grids(context, kinds[kind], make_mesh(context, kind), sizeof sizes / sizeof sizes[0], sizes, bench_size);
}

int main(void)
{
	return bench_kinds("surface       voxels   medial  nodes medial s   tree s shares s ns each  power", KINDS, bench_mesh);
}

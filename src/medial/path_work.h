/* medial/path_work.h: what the files that grow a path tree share: the medial voxels as a graph,
   searches over it, coverage.

   Place in the path: inside path_tree.c. Depths and lengths are in voxels. */
#ifndef OSSAI_MEDIAL_PATH_WORK_H
#define OSSAI_MEDIAL_PATH_WORK_H

#include "base/heap.h"
#include "voxels/neighbors.h"
#include "medial/path_tree.h"

/* One search: the distance of each medial voxel from the sources. */
typedef struct ossai_search {
	ossai_heap heap;
	size_t capacity;
	double *distance; /* M */
} ossai_search;

typedef struct ossai_path_work {
	ossai_arena *scratch;
	const ossai_voxels *voxels;
	const ossai_medial *medial;
	ossai_neighbors around;
	uint32_t *start, *neighbor; /* M + 1; medial voxels */
	uint8_t *step;              /* per neighbour: its index among the 26 */
	bool by_length;             /* the weight of a step counts with its length */
	uint32_t heart;             /* medial voxel */
	double heart_radius;        /* voxels */
	ossai_search from_heart, out, deep;
	uint32_t *from; /* M: the next voxel on the deepest path to the tree */
	uint32_t *node; /* M: of the tree, or OSSA_NONE */
	/* M: the node whose ball covers it, or from which the shortest path to it leaves; OSSA_NONE
	   where none */
	uint32_t *ball;
	/* M + 1: itself where it is not covered, else one that comes later: see next_open */
	uint32_t *open;
	uint32_t *path;  /* M + 1: medial voxels of the path that is being added */
	uint32_t *row;   /* rows of the grid + 1: the first medial voxel of each */
	uint32_t *order; /* M: medial voxels, the farthest from the heart first */
	size_t extreme_count;
	uint32_t *extreme; /* medial voxels */
	uint32_t *group;   /* M, of extreme points: the representative of their group */
} ossai_path_work;

/* squared distance of a medial voxel to the outside */
static inline double ossai_path_depth(const ossai_path_work *work, uint32_t m)
{
	return work->voxels->distance2[work->medial->voxel[m]];
}

/* the cell of an interior voxel as a position */
static inline ossai_vec3 ossai_path_cell(const ossai_path_work *work, uint32_t voxel)
{
	uint32_t at[3];
	ossai_voxel_at(work->voxels, voxel, at);
	return ossai_v3(at[0], at[1], at[2]);
}

/* ---- path_search.c ---- */

/* Nothing is reached. Arrays are the arena's. */
ossa_status ossai_search_begin(ossai_arena *scratch, size_t count, ossai_search *search);

/* A path to m has been found that is shorter than any before. */
ossa_status ossai_search_reach(ossai_arena *scratch, ossai_search *search, uint32_t m, double distance);

/* Takes the nearest voxel that is not settled; false where there is none. */
bool ossai_search_settle(ossai_search *search, uint32_t *m);

/* The graph. */
ossa_status ossai_path_link(ossai_path_work *work);

/* The heart, paths from there, and the longest of them. */
ossa_status ossai_path_find_heart(ossai_path_work *work);

/* Extreme points: local maxima of the distance from the heart, the farthest first, one of those
   that touch. Those whose persistence is less than `least`, in voxels, are of the group of a
   farther one: the members of a group are tried until one is served. */
ossa_status ossai_path_find_extremes(ossai_path_work *work, double least);

/* ---- path_cover.c ---- */

/* Nothing is covered. */
ossa_status ossai_path_cover_begin(ossai_path_work *work);

/* The ball of a node of the tree, which is at m, covers medial voxels. Cost: the rows of cells
   that it crosses. */
ossa_status ossai_path_cover(ossai_path_work *work, uint32_t node, uint32_t m);

/* Updates the distances from covered voxels after more were covered. */
ossa_status ossai_path_walk_out(ossai_path_work *work);

/* ---- path_order.c ---- */

/* Nodes of a tree (`from`: parents in any order; places) in an order from `root` outwards, their
   new parents, and their distances. `order`, `parent` and `distance` have an entry for each. */
ossa_status ossai_path_order(ossai_arena *scratch, size_t count, const uint32_t *from, const ossai_vec3 *position,
	uint32_t root, uint32_t *order, uint32_t *parent, double *distance);

/* Makes the end farthest from node 0 node 0. Where node 0 ends a path of its own, that path is
   removed. */
ossa_status ossai_path_from_end(ossai_path_work *work, ossai_path_tree *tree);

/* ---- path_tree.c ---- */

/* Arrays, the graph. Those of the tree live as long as the work. */
ossa_status ossai_path_begin(ossai_path_work *work, ossai_path_tree *tree);

/* No node, nothing covered, nothing searched. */
ossa_status ossai_path_restart(ossai_path_work *work, ossai_path_tree *tree);

/* A node at medial voxel m. */
ossa_status ossai_path_add_node(ossai_path_work *work, ossai_path_tree *tree, uint32_t m, uint32_t parent);

#endif

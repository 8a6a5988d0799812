/* methods/volume_published.c: the stages of L. Wade and R. Parent, Automated generation of control
   skeletons for use in animation, The Visual Computer 2002, as printed.

   Input: the mesh in its own axes.
   Output: bones between the segments of a skeletal graph, weights by the voxels that these cover.
   Departures: the paper does not define its medial surface; ours is that of medial/medial.h. The
   others, and what the paper leaves open, are in docs/volume.md. */
#include "methods/volume.h"

ossa_status ossai_volume_published_prepare(ossai_volume *v) { return ossai_still_prepare(&v->still); }

/* section 3.1: the cells that faces touch or enclose */
ossa_status ossai_volume_published_voxels(ossai_volume *v)
{
	ossai_still_work *still = &v->still;
	ossai_voxel_options options = ossai_voxel_options_default();
	options.size = v->own.voxel_size;
	OSSAI_TRY(ossai_voxels_make(still->arena, &still->surface, &options, &v->voxels));
	ossai_volume_warn_of_voxels(v);
	return OSSA_OK;
}

/* section 3.2: the ridges of their distance field, the discrete medial surface */
ossa_status ossai_volume_medial(ossai_volume *v)
{
	ossai_still_work *still = &v->still;
	return ossai_medial_make(still->arena, &v->voxels, v->own.exposure, &v->medial);
}

/* section 3.3: paths from extreme points, deep inside, until they cover the medial surface;
   smoothed */
ossa_status ossai_volume_published_paths(ossai_volume *v)
{
	ossai_still_work *still = &v->still;
	OSSAI_TRY(ossai_path_tree_make(still->arena, &v->voxels, &v->medial, v->own.closeness, &v->paths));
	return ossai_path_tree_smooth(still->arena, OSSAI_VOLUME_SMOOTHING, &v->paths);
}

/* the paths and the other options may not allow as many segments as are wanted */
static void warn_of_count(const ossai_volume *v)
{
	const size_t wanted = (size_t)v->own.segments, made = v->graph.edge_count;
	if (wanted == 0 || made == wanted) return;
	if (made > wanted) {
		ossai_warn(v->still.context, "more-bones", (int64_t)(made - wanted),
			"%zu segments were wanted and %zu made: each chain between two junctions or ends has at least one; a larger "
			"`closeness` finds fewer ends",
			wanted, made);
	} else {
		ossai_warn(v->still.context, "fewer-bones", (int64_t)(wanted - made),
			"%zu segments were wanted and %zu made: one more would be shorter than `min-fraction` or improve the fit by less "
			"than `tolerance`; lower these, or `max-fraction`",
			wanted, made);
	}
}

/* section 3.4.1: chains of the path tree, split until segments are short and straight */
ossa_status ossai_volume_published_segments(ossai_volume *v)
{
	ossai_still_work *still = &v->still;
	const ossai_skeletal_options options = {
		.min_fraction = v->own.min_fraction,
		.max_fraction = v->own.max_fraction,
		.tolerance = v->own.tolerance,
		.segments = (size_t)v->own.segments,
	};
	OSSAI_TRY(ossai_skeletal_graph_make(still->arena, &v->paths, &options, &v->graph));
	warn_of_count(v);
	ossai_volume_warn_of_segments(v);
	return OSSA_OK;
}

/* section 3.4.2: a joint between every two segments; leaving out the last splits gives coarser
   levels */
ossa_status ossai_volume_published_skeleton(ossai_volume *v)
{
	ossai_still_work *still = &v->still;
	const size_t levels = (size_t)v->own.levels;
	const ossai_vec3 up = ossai_v3(0, 1, 0);
	const ossai_vec3 point = ossai_scale(
		ossai_sub(ossai_v3_of(v->own.root.point), still->surface.rest_center), 1 / still->surface.scale);
	ossai_volume_bones bones;
	OSSAI_TRY(ossai_volume_bones_make(still->arena, &v->paths, &v->graph, v->own.root.kind,
		v->own.root.kind == OSSA_ROOT_LOWEST ? up : point, levels, &bones));
	v->tree = bones.tree;
	v->joint = bones.joint;
	v->tail = bones.tail;
	v->bone_frame = bones.frame;
	if (levels == 1) return OSSA_OK;
	v->last_level = ossai_arena_new(still->arena, bones.tree.bone_count, 1);
	if (!v->last_level) return ossa_context_error(still->context)->status;
	for (size_t b = 0; b < bones.tree.bone_count; b++) v->last_level[b] = (uint8_t)(levels - 1 - bones.level[b]);
	return OSSA_OK;
}

ossa_status ossai_volume_published_balls(ossai_volume *v, size_t *count, ossai_anchor_ball **balls)
{
	const ossai_path_tree *paths = &v->paths;
	const ossai_skeletal_graph *graph = &v->graph;
	ossai_anchor_ball *list = ossai_arena_new(v->still.arena, paths->node_count + 2 * graph->edge_count, sizeof *list);
	if (!list) return ossa_context_error(v->still.context)->status;
	size_t made = 0;
	/* in the order of the path, where balls overlap the one before */
	for (uint32_t e = 0; e < graph->edge_count; e++) {
		list[made++] = (ossai_anchor_ball){paths->voxel[graph->edge[2 * (size_t)e]], e};
	}
	for (size_t i = 0; i < paths->node_count; i++) {
		const uint32_t e = graph->edge_count > 0 ? graph->edge_of_node[i] : 0;
		if (graph->edge_count == 0 || !graph->is_vertex[i]) list[made++] = (ossai_anchor_ball){paths->voxel[i], e};
	}
	for (uint32_t e = 0; e < graph->edge_count; e++) {
		list[made++] = (ossai_anchor_ball){paths->voxel[graph->edge[2 * (size_t)e + 1]], e};
	}
	*count = made;
	*balls = list;
	return OSSA_OK;
}

/* the segments, undivided by the root's joint; a tree of one node has one of no length */
static ossa_status list_segments(ossai_volume *v, ossai_bone_segments *segments)
{
	const ossai_skeletal_graph *graph = &v->graph;
	const size_t count = v->tree.bone_count;
	*segments = (ossai_bone_segments){.bone_count = count, .count = count};
	segments->list = ossai_arena_new(v->still.arena, count, sizeof *segments->list);
	if (!segments->list) return ossa_context_error(v->still.context)->status;
	segments->list[0] = (ossai_segment){0, v->joint[0], v->tail[0]};
	for (uint32_t e = 0; e < graph->edge_count; e++) {
		const uint32_t *ends = graph->edge + 2 * (size_t)e;
		segments->list[e] = (ossai_segment){e, v->paths.node[ends[0]], v->paths.node[ends[1]]};
	}
	return OSSA_OK;
}

/* section 3.4.3: vertices follow the segments whose balls cover their voxels */
static ossa_status weigh_by_balls(ossai_volume *v)
{
	ossai_bone_segments segments;
	ossai_anchor_ball *balls = NULL;
	size_t count = 0;
	OSSAI_TRY(list_segments(v, &segments));
	OSSAI_TRY(ossai_volume_published_balls(v, &count, &balls));
	return ossai_volume_weigh_by_coverage(v, count, balls, &segments);
}

ossa_status ossai_volume_published_weights(ossai_volume *v)
{
	ossai_still_work *still = &v->still;
	if (v->own.weights == OSSA_WEIGHTS_AUTO || v->own.weights == OSSA_WEIGHTS_COVERAGE) return weigh_by_balls(v);
	const ossai_proxy_options options = ossai_proxy_default();
	OSSAI_TRY(ossai_proxy_make(still->arena, &still->surface, &options, &still->proxy));
	return ossai_volume_weigh_by_distance(v);
}

/* the paper's frames have z along the bone and the rig's have y; in both x is normal to the plane
   of the bone and its parent */
void ossai_volume_published_frames(const ossai_volume *v, ossa_rig *rig)
{
	for (size_t i = 0; i < rig->skeleton.bone_count; i++) {
		const ossai_mat3 *f = &v->bone_frame[v->tree.order[i]];
		ossai_mat3 own;
		for (int k = 0; k < 3; k++) {
			own.m[k][0] = f->m[k][0];
			own.m[k][1] = f->m[k][2];
			own.m[k][2] = -f->m[k][1];
		}
		ossai_quat_store(ossai_mat3_quat(&own), rig->skeleton.bones[i].orientation);
	}
}

/* weights/bone_segments.h: bones as line segments, at rest and in poses: the input of weights by
   distance.

   Place in the path: skeleton/rest_weights fills them -> here -> heat, geodesic_weights. */
#ifndef OSSAI_WEIGHTS_BONE_SEGMENTS_H
#define OSSAI_WEIGHTS_BONE_SEGMENTS_H

#include "surface/interior.h"
#include "weights/bone_weights.h"

typedef struct ossai_segment {
	uint32_t bone;
	ossai_vec3 from, to; /* may be one point */
} ossai_segment;

/* Every bone has one segment or more, in the units of the posed surface; those of a bone need not
   be connected. */
typedef struct ossai_bone_segments {
	size_t bone_count;
	size_t count;
	ossai_segment *list;
} ossai_bone_segments;

/* The position of a segment in pose `pose` of its bone's motion; pose OSSAI_REST_POSE: at rest. */
static inline ossai_segment ossai_segment_posed(const ossai_segment *segment, const ossai_bone_motion *motion, size_t pose)
{
	if (pose == OSSAI_REST_POSE) return *segment;
	const ossai_rigid *x = &motion->rigid[segment->bone * motion->pose_count + pose];
	return (ossai_segment){segment->bone, ossai_rigid_point(x, segment->from), ossai_rigid_point(x, segment->to)};
}

/* The point of the segment that is nearest to `point`. */
static inline ossai_vec3 ossai_segment_nearest(const ossai_segment *segment, ossai_vec3 point)
{
	return ossai_nearest_on_segment(segment->from, segment->to, point);
}

/* Errors: OSSA_ERROR_ARGUMENT where there is no bone, or more than weights can index. */
ossa_status ossai_bone_segments_check(ossa_context *context, const ossai_bone_segments *segments);

#endif

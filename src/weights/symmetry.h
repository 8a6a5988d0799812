/* weights/symmetry.h: weights and bones that are the same on both sides of a plane.

   Place in the path: mirror_counterparts, first bones -> here -> residuals, least_squares, motion,
   skeleton/from_motion, methods/moving_symmetry.
   Input: a plane, the mirror counterpart of each vertex, the mirror image of each bone.
   Output: weights shared by counterparts, joints that are mirror images.

   Poses that are not symmetric are used with their mirror images: in the mirrored pose a vertex is
   where the mirror image of its counterpart is. Reflection keeps lengths, so the error of a vertex
   in the mirrored pose is that of its counterpart in the pose itself, with the bones exchanged for
   their images: no pose is copied, and the evidence of both sides is one Gram matrix
   (residuals.c), one system of joints (motion/mirrored_joints.h), one cost of a bone
   (motion/prune.c). */
#ifndef OSSAI_WEIGHTS_SYMMETRY_H
#define OSSAI_WEIGHTS_SYMMETRY_H

#include "proxy/mirror.h"
#include "weights/bone_weights.h"

typedef struct ossai_symmetry {
	ossai_mirror plane; /* in the surface's units */
	/* V of the surface that has this symmetry: a vertex of `counterparts_of`; itself: on the plane;
	   OSSA_NONE: none */
	const uint32_t *counterpart;
	/* that surface, or the one that it stands for: then counterparts are evidence alone */
	const ossai_posed_surface *counterparts_of;
	/* B: the bone of the other side; itself: a central bone; OSSA_NONE: a bone of vertices without
	   counterparts, which has none. Shared by the symmetries of a surface and of what stands for
	   it. */
	uint32_t *image;
} ossai_symmetry;

/* The surface's symmetry where both of a pair of vertices are its own, else NULL. */
static inline const ossai_symmetry *ossai_shared_symmetry(const ossai_posed_surface *surface)
{
	const ossai_symmetry *s = surface->symmetry;
	return s && s->counterparts_of->poses == surface->poses ? s : NULL;
}

static inline bool ossai_is_central(const ossai_symmetry *s, uint32_t bone) { return s->image[bone] == bone; }
static inline bool ossai_is_lone(const ossai_symmetry *s, uint32_t bone) { return s->image[bone] == OSSA_NONE; }

/* The image of a bone; of a lone one, and without a symmetry (NULL), itself. */
static inline uint32_t ossai_image_of(const ossai_symmetry *s, uint32_t bone)
{
	return !s || s->image[bone] == OSSA_NONE ? bone : s->image[bone];
}

/* Where the joint of the image lies, if the bone's lies there; lone bones stay where they are. */
static inline ossai_vec3 ossai_joint_image(const ossai_symmetry *s, uint32_t bone, ossai_vec3 joint)
{
	return ossai_is_lone(s, bone) ? joint : ossai_mirror_point(&s->plane, joint);
}

/* Whether a vertex may not use a bone: vertices with a counterpart would need its image. */
static inline bool ossai_is_one_sided(const ossai_symmetry *s, size_t vertex, uint32_t bone)
{
	return s->counterpart[vertex] != OSSA_NONE && ossai_is_lone(s, bone);
}

/* Whether a vertex gets the weights of its counterpart. */
static inline bool ossai_takes_from_counterpart(const ossai_symmetry *s, size_t vertex)
{
	return s && s->counterpart[vertex] < vertex;
}

/* Gives both of a pair of vertices the weights of the first, and vertices on the plane the mean of
   their own and the mirrored ones. Nothing where the surface has no symmetry of its own. */
void ossai_share_weights(const ossai_posed_surface *surface, ossai_bone_weights *weights);

/* Makes joints (B) mirror images of each other, each pair by its mean; those of central bones move
   to the plane. */
void ossai_share_joints(const ossai_symmetry *s, size_t bone_count, ossai_vec3 *joint);

/* For the caller that removes a bone and gives its number to the last one. NULL: nothing. */
void ossai_symmetry_renumber(const ossai_symmetry *s, size_t gone, size_t last);

/* The surface's plane in the mesh's units: normal . x = offset; one that does not exist where it
   has no symmetry. */
ossai_mirror ossai_symmetry_plane(const ossai_posed_surface *surface);

/* The motion of the bones in the mirrored poses: M X_image M. Lone bones: their own. `to` is made
   for as many bones and poses. */
void ossai_mirrored_motion(const ossai_symmetry *s, const ossai_bone_motion *from, size_t first, ossai_bone_motion *to);

#endif

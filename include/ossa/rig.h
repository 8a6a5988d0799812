/* ossa/rig.h: the rig: mesh, skeleton, weights and motion in one value. Every method makes one
   and every export writes one. */
#ifndef OSSA_RIG_H
#define OSSA_RIG_H

#include <ossa/body.h>
#include <ossa/frames.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kind of a joint, from its motion (docs/examples.md, Kinds of joints): the number of
   independent axes that it turns about by more than its motion is unsure, or that it slides
   (docs/roots.md, Bodies that slide). */
typedef enum ossa_joint_kind {
	OSSA_JOINT_UNKNOWN = 0, /* there was no motion */
	/* of bone 0; and of its children where several bodies stand under a common root, bone 0, that
	   moves no vertex: each of them moves freely */
	OSSA_JOINT_ROOT,
	OSSA_JOINT_WELDED, /* never turns against its parent */
	OSSA_JOINT_HINGE,  /* turns about `axis` only */
	OSSA_JOINT_BALL,
	/* turns about `axis`, which its parent holds, and then `second_axis`, which it holds itself:
	   rotation against rest = R(axis) R(second_axis), as of a cardan joint */
	OSSA_JOINT_UNIVERSAL,
	OSSA_JOINT_FREE, /* turns and moves against its parent, as the bones of a face do */
	/* slides along `axis` only, and never turns against its parent, as of a piston or a drawer */
	OSSA_JOINT_PRISMATIC
} ossa_joint_kind;

/* A kind's name in files and reports: "unknown", "root", "welded", "hinge", "ball", "universal",
   "free", "prismatic". */
OSSA_API const char *ossa_joint_kind_name(ossa_joint_kind kind);

/* The kind of that name; OSSA_JOINT_UNKNOWN where there is none (NULL included). */
OSSA_API ossa_joint_kind ossa_joint_kind_of_name(const char *name);

/* An axis of a frame. */
typedef enum ossa_axis { OSSA_AXIS_X, OSSA_AXIS_Y, OSSA_AXIS_Z } ossa_axis;

/* One bone with the joint where it meets its parent. Positions are in the mesh's own units and
   axes, at rest. */
typedef struct ossa_bone {
	char name[64]; /* unique, [A-Za-z0-9_-] */
	/* index of the parent, less than the bone's own; -1 for the root, which is bone 0 */
	int32_t parent;
	ossa_joint_kind kind;
	/* what it is in a recognized body; PART_NONE where that is not known */
	ossa_role role;
	/* where the bone meets its parent; for the root from motion the center of its own patch, or of
	   the hips' part of it */
	double joint[3];
	/* the other end: the children's joint (mean of several); a leaf's farthest own point */
	double tail[3];
	/* x y z w, unit: world rotation of the joint's frame at rest, +Y along the bone */
	double orientation[4];
	/* HINGE, UNIVERSAL, PRISMATIC: unit axis in world space at rest; else 0 */
	double axis[3];
	double second_axis[3]; /* UNIVERSAL: the same, square to `axis` at rest; else 0 */
	/* standard deviation of its turns, of a hinge about its axis, by the errors of the vertices
	   that they are known from, degrees; 0: not known. Files do not hold it */
	double turn_deviation;
	/* largest turn against the rest pose relative to the parent over all frames */
	double turn_degrees;
	bool has_limits; /* the joint's range is known: from motion, from a file or set by hand */
	/* has_limits, and they are the range of a motion, not set by a file or by hand */
	bool limits_of_motion;
	/* degrees: least and largest turn against the rest pose about the frame's own x, y, z axes,
	   where local rotation = rest Rz Ry Rx; -360 to 360, least <= 0 <= largest; 0 where
	   !has_limits */
	double limits[3][2];
	/* UNIVERSAL: the same about `axis` and `second_axis` where they are known so; else 0, and they
	   follow from `limits` */
	double axis_limits[2][2];
	/* PRISMATIC with has_limits: least and largest displacement along `axis` against the rest pose,
	   mesh units, least <= 0 <= largest, and `limits` are 0; else 0 */
	double slide_limits[2];
	/* RMS distance over frames between the joint's positions by its two unconstrained bones, mesh
	   units */
	double fit_residual;
	/* standard deviation of the joint by all that is known: bodies from one mesh by shape and plan,
	   rigs from motion by motion and shape; the root of the sum of the variances along three axes,
	   mesh units: about 68 % of the joints that artists place are nearer; 0: not known */
	double deviation;
	/* x y z w, x y z: rotation and then translation in world space that bring the bone from rest
	   to the pose that the mesh was modelled in; 0: that is the rest pose (ossa/rest_pose.h) */
	double modelled[7];
} ossa_bone;

typedef struct ossa_skeleton {
	size_t bone_count;
	ossa_bone *bones; /* parents before children */
} ossa_skeleton;

/* V x influences pairs of bone and weight: sorted from the largest, >= 0, sum 1; unused slots are
   bone 0, weight 0. */
typedef struct ossa_weights {
	size_t vertex_count;
	int influences;  /* pairs per vertex */
	uint16_t *bones; /* V x influences */
	float *values;   /* V x influences */
} ossa_weights;

/* Motion. Local transforms relative to the parent joint's frame (glTF's node transform): the
   world frame of bone b is parent's world * translate(t) * rotate(q), and at rest t, q follow
   from joints and orientations. */
typedef struct ossa_clip {
	char name[64];
	size_t frame_count;
	size_t bone_count;
	double *times;          /* F seconds, strictly increasing */
	double *rotations;      /* F x B x 4, x y z w, unit, local, sign continuous over frames */
	double *root_positions; /* F x 3: the root joint in world space */
	/* F x B x 3 local, or NULL: rest offsets (constant bone lengths). For free bones, for joints
	   that slide (OSSA_JOINT_PRISMATIC, or any of a file), for those of a face, and for roots of
	   several bodies: the other bones then have their rest offsets here */
	double *translations;
	/* the first of the mesh's morph targets, whose weights the motion has: at most as many as there
	   are; those after these are at rest */
	size_t morph_count;
	/* F x morph_count, finite: the weight of each target in place of the one at rest, or NULL: all
	   are at rest. That of a target with a driver is not used: the driver says it */
	double *morph_weights;
} ossa_clip;

/* One merge of the clustering's hierarchy: cutting it after any number of merges gives a level of
   articulation. */
typedef struct ossa_merge {
	uint32_t kept, gone; /* the clusters (named by their smallest face) that become `kept` */
	/* rigid error of the union: summed over poses, unit diagonal x unit area */
	double error;
} ossa_merge;

/* A loop of the shape, or a joint of a mechanism whose joints form a loop, that was cut so that the
   bones are a tree (ossa/loops.h closes it in a pose). */
typedef struct ossa_loop {
	double center[3]; /* position, in the mesh's units */
	int32_t bones[2]; /* the bones on both sides: a constraint between them closes the loop again */
} ossa_loop;

/* A dependent bone: a hinge whose angle is a linear function of another joint's, as of coupled
   pistons, wheels, the joints of a finger, and twist bones:
     angle of `bone` = ratio * angle of `driver` + offset,
   angles against the rest pose, that of `bone` about its `axis`, followed over the frames beyond
   full circles (docs/examples.md, Dependent bones). */
typedef struct ossa_dependency {
	/* a hinge, and a hinge, or a ball or universal joint with `driver_axis`; a bone has at most one
	   driver, which is not driven itself */
	int32_t bone, driver;
	double ratio; /* not 0 */
	double offset_degrees;
	/* RMS over the frames of the difference of both sides; 0: not known */
	double error_degrees;
	/* RMS distance over all vertices and frames by which the skin moves where the bone is driven,
	   to first order, mesh units: driving it adds the square to the mean squared error of a motion
	   that was fitted */
	double cost;
	/* 0: the driver is a hinge, and its angle about its own axis drives. Else a unit vector in
	   world space at rest: the driver is a ball or universal joint, not the root, and what drives
	   is the twist of its turn q about this axis, 2 atan2(q.xyz * axis, q.w): q = swing twist =
	   twist swing' with the same twist, both swings about axes square to this one. Near a swing of
	   180 degrees the twist means nothing: an error of q counts there 1 / cos(swing / 2) times */
	double driver_axis[3];
} ossa_dependency;

/* Counts of separately rigged pieces of a mesh: with a skeleton, rigid with one bone, moving
   along with another piece. */
typedef struct ossa_piece_roles {
	size_t skeletons, rigid, along;
} ossa_piece_roles;

/* A rig owns everything in it. Optional parts are NULL or 0. With a mesh of no vertices it is a
   skeleton alone, as in motion files (BVH). */
typedef struct ossa_rig {
	char method[32]; /* what made it: "examples", "file" ... */
	ossa_mesh *mesh; /* at rest */
	ossa_skeleton skeleton;
	ossa_weights weights;
	ossa_clip *clip; /* the motion, or NULL */
	/* further motions of the same bones: all clips of a file but the first that was asked for */
	size_t other_clip_count;
	ossa_clip **other_clips;
	ossa_clip *free_clip; /* examples: the unconstrained bones' motion, or NULL */
	/* the weights that belong to free_clip (vertex_count 0: the rig's own) */
	ossa_weights free_weights;
	size_t merge_count;
	/* clustered faces: the merge hierarchy, cheapest first: all of it, or where `face_clusters` is
	   there its end */
	ossa_merge *merges;
	/* F: the cluster that each face is in before the first of `merges`, named by its smallest face.
	   NULL: each face is one; without merges: not known. Parts of seeds, which are not merged:
	   those that the method began with */
	uint32_t *face_clusters;
	size_t loop_count;
	ossa_loop *loops;        /* loops that were cut */
	ossa_piece_roles pieces; /* contraction of separate pieces; else all 0 */
	/* levels of articulation, the rig itself among them; 0: not known */
	int level_count;
	ossa_body body; /* what was recognized in the shape */
	/* B: the coarsest level that still has the bone: 0 this rig alone, level_count - 1 all; or
	   NULL */
	uint8_t *last_level;
	size_t dependency_count;
	ossa_dependency *dependencies; /* dependent bones, in the order of bones */
} ossa_rig;

/* Makes an empty rig around a copy of `mesh` with `bone_count` zeroed bones and `influences`
   weights a vertex, no clip.
   Ownership: ossa_rig_free. */
OSSA_API ossa_status ossa_rig_create(
	ossa_context *context, const ossa_mesh *mesh, size_t bone_count, int influences, ossa_rig **rig);

/* Makes a clip of zeroed arrays; `with_translations` adds the per-bone ones.
   Ownership: ossa_clip_free. */
OSSA_API ossa_status ossa_clip_create(
	ossa_context *context, size_t frame_count, size_t bone_count, bool with_translations, ossa_clip **clip);
/* Gives a clip zeroed weights of the first `morph_count` morph targets in place of those that it
   has; 0: none.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT; the clip is then as it was. */
OSSA_API ossa_status ossa_clip_add_morphs(ossa_context *context, ossa_clip *clip, size_t morph_count);
OSSA_API void ossa_clip_free(ossa_context *context, ossa_clip *clip);

/* A deep copy.
   Ownership: ossa_clip_free. */
OSSA_API ossa_status ossa_clip_copy(ossa_context *context, const ossa_clip *clip, ossa_clip **copy);

/* The motions of a rig: 0 is its `clip`, then `other_clips`; without a clip there are none. */
OSSA_API size_t ossa_rig_clip_count(const ossa_rig *rig);
OSSA_API const ossa_clip *ossa_rig_clip_at(const ossa_rig *rig, size_t index);

/* Gives a rig these motions in place of all it has but free_clip: the first becomes its `clip`. It
   takes the clips, not the array; after a failure it takes none.
   Errors: OSSA_ERROR_MEMORY. */
OSSA_API ossa_status ossa_rig_set_clips(ossa_context *context, ossa_rig *rig, size_t count, ossa_clip *const *clips);

/* The index of the bone of that name, or -1. */
OSSA_API int32_t ossa_rig_bone(const ossa_rig *rig, const char *name);

/* The bone that a person means by a name: exactly that one; else the only one whose name is equal
   but for the case of letters and . - or : in place of _.
   Errors: OSSA_ERROR_ARGUMENT naming the nearest name; OSSA_ERROR_MEMORY. */
OSSA_API ossa_status ossa_rig_find_bone(ossa_context *context, const ossa_rig *rig, const char *name, size_t *bone);

/* Checks every rule written beside the fields, weights and quaternions to 1e-6.
   Errors: OSSA_ERROR_INPUT naming the fault. */
OSSA_API ossa_status ossa_rig_validate(ossa_context *context, const ossa_rig *rig);

/* World matrices of all joints in a frame of `clip`: B x 12 doubles, rows of [R | t]. `clip` NULL
   gives the rest pose. */
OSSA_API void ossa_rig_joint_matrices(const ossa_rig *rig, const ossa_clip *clip, size_t frame, double *matrices);

/* Skinned vertex positions (linear blend) in a frame: V x 3 floats, for `weights` of the same
   vertex count (NULL: the rig's).
   Errors: OSSA_ERROR_MEMORY.
   Threads: uses the context's. */
OSSA_API ossa_status ossa_rig_pose(ossa_context *context, const ossa_rig *rig, const ossa_weights *weights,
	const ossa_clip *clip, size_t frame, float *positions);

/* How the bones of a vertex are blended. */
typedef enum ossa_blend {
	/* linear: the weighted mean of the positions by each bone, as in every program and format */
	OSSA_BLEND_LINEAR,
	/* dual quaternions: the blend of rigid motions is rigid, so twisted and bent joints keep
	   their thickness. The sign of each bone's quaternion is the one nearer to that of the
	   vertex's first bone */
	OSSA_BLEND_DUAL_QUATERNIONS
} ossa_blend;

/* The same with a choice of blending. */
OSSA_API ossa_status ossa_rig_pose_by(ossa_context *context, const ossa_rig *rig, const ossa_weights *weights,
	const ossa_clip *clip, size_t frame, ossa_blend blend, float *positions);

/* The rig's vertices in all frames of `clip` (NULL: its own): F x V, with the clip's times.
   Errors: OSSA_ERROR_ARGUMENT where there is no clip, OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT.
   Ownership: ossa_frames_free. */
OSSA_API ossa_status ossa_rig_frames(ossa_context *context, const ossa_rig *rig, const ossa_clip *clip, ossa_frames **frames);

/* Sets the limits of every bone that has none: the range of its turns in all clips of the rig,
   `slack_degrees` wider on both sides (limits_of_motion), of a joint that slides the range of its
   slide, if it has one;
   without a clip, and of joints that never turn in it, +-180 degrees about the bone and +-90 across
   it. Angles are followed continuously over small steps, beyond full circles too; from a frame more
   than 90 degrees away from the one before the angles nearest to rest are taken.
   Errors: OSSA_ERROR_ARGUMENT (a slack that is not a number from 0 on). */
OSSA_API ossa_status ossa_rig_find_limits(ossa_context *context, ossa_rig *rig, double slack_degrees);

/* How far a bone turns against its rest pose over the frames of `clip` (NULL: the rig's): least <=
   0 <= largest, in degrees about the frame's own x, y, z axes, followed from frame to frame as
   ossa_rig_find_limits does. False, and zeros, where it never turns.
   Cost: linear in frames. */
OSSA_API bool ossa_rig_turn_range(const ossa_rig *rig, const ossa_clip *clip, size_t bone, double range[3][2]);

/* How far a joint slides along its axis against its rest pose over the frames of `clip` (NULL: the
   rig's): least <= 0 <= largest, mesh units. False, and zeros, where it does not slide.
   Cost: linear in frames. */
OSSA_API bool ossa_rig_slide_range(const ossa_rig *rig, const ossa_clip *clip, size_t bone, double range[2]);

/* The axis about which a bone bends, unit, in the joint's own frame: a hinge's, else the one about
   which it turns most over the frames of `clip` (NULL: the rig's); its direction is that of the
   larger range of motion. False, and zeros, where neither kind nor motion has one.
   Cost: linear in frames. */
OSSA_API bool ossa_rig_bend_axis(const ossa_rig *rig, const ossa_clip *clip, size_t bone, double axis[3]);

/* The amount by which a motion exceeds the limits of a bone. */
typedef struct ossa_limit_facts {
	/* frames beyond a limit by more than a hundredth of a degree, of a joint that slides by more
	   than 1e-5 of its range */
	size_t frame_count;
	double most_degrees;  /* beyond it, about one axis */
	double most_distance; /* beyond it, of a joint that slides: mesh units */
	size_t most_frame;
} ossa_limit_facts;

/* Measures the frames first..last of `clip` (NULL: the rig's). All zero where the bone has no
   limits. */
OSSA_API ossa_limit_facts ossa_rig_past_limits(
	const ossa_rig *rig, const ossa_clip *clip, size_t bone, size_t first, size_t last);

/* Warns of bones that exceed their limits by more, or for more frames, in `clip` than in `before`
   (NULL: at all): warning "past-limits" with the number of bones, naming the one that turns, and
   the one that slides, farthest beyond. Both clips have as many frames. Returns the number of
   bones. */
OSSA_API size_t ossa_rig_warn_past_limits(
	ossa_context *context, const ossa_rig *rig, const ossa_clip *before, const ossa_clip *clip);

/* Keeps at most `influences` weights of every vertex, the largest, and makes their sum 1 again.
   Lossy: warning "influences-cut" with the number of vertices and the largest weight that was
   removed. */
OSSA_API ossa_status ossa_rig_limit_influences(ossa_context *context, ossa_rig *rig, int influences);

/* The rig of a coarser level of articulation: level 0 is the rig itself, `level_count` - 1 the
   coarsest. Its bones are those of the rig whose last level is `level` or more, with their names,
   joints, frames and limits, so that one motion moves all levels; weights and children of the
   others go to their nearest ancestor in that level. The motion is kept: rotations in the world
   stay the same.
   Errors: OSSA_ERROR_ARGUMENT (the rig does not have the level), OSSA_ERROR_MEMORY.
   Ownership: ossa_rig_free. */
OSSA_API ossa_status ossa_rig_of_level(ossa_context *context, const ossa_rig *rig, int level, ossa_rig **coarser);

/* Which faces moved together where `wanted` clusters are left (0: as many as bones):
   cluster_of_face (F), numbered by their smallest faces. A file holds the last 512 levels; fewer
   clusters than pieces, or others than the parts of seeds, there are not: `cluster_count` is how
   many there are.
   Errors: OSSA_ERROR_INPUT where the rig does not have them, OSSA_ERROR_MEMORY. */
OSSA_API ossa_status ossa_rig_clusters(
	ossa_context *context, const ossa_rig *rig, size_t wanted, uint32_t *cluster_of_face, size_t *cluster_count);

enum { OSSA_TWIST_MAX = 8 };

/* Adds `count` (1 to OSSA_TWIST_MAX) twist bones to every upper and lower arm and leg of a rig
   whose bones have roles: upperarm_twist_01_L and so on, at the end of the list, children of the
   segment's bone and evenly along it. Its weights are split linearly along the segment, from the
   bone itself at its joint to the last twist bone at its end, and those of other bones do not
   change; so no pose changes until a twist bone is turned. Segments that have twist bones are
   passed over. added: receives the number of bones.
   Errors: OSSA_ERROR_ARGUMENT, OSSA_ERROR_LIMIT, OSSA_ERROR_MEMORY; the rig is then as it was. */
OSSA_API ossa_status ossa_rig_add_twist(ossa_context *context, ossa_rig *rig, int count, size_t *added);

/* How bones are called. */
typedef enum ossa_bone_names {
	/* body parts where the shape allows to find them (thigh_L, spine_01), else numbers */
	OSSA_NAMES_BODY,
	OSSA_NAMES_NUMBERS, /* root, bone_01, bone_02 ... */
	/* those of other programs, for a human's bones (docs/conventions.md) */
	OSSA_NAMES_MIXAMO, /* mixamorig_Hips, mixamorig_LeftArm */
	OSSA_NAMES_UNREAL, /* pelvis, upperarm_l */
	OSSA_NAMES_VRM,    /* hips, leftUpperArm */
	OSSA_NAMES_UNITY,  /* Hips, LeftUpperArm */
	OSSA_NAMES_GODOT,  /* Hips, LeftUpperArm; of the thumb as in VRM */
	OSSA_NAMES_RIGIFY  /* DEF-spine, DEF-upper_arm_L */
} ossa_bone_names;

/* The choices of an option `names`, in the order of ossa_bone_names. */
#define OSSA_NAMES_CHOICES "body|numbers|mixamo|unreal|vrm|unity|godot|rigify"

/* Gives every bone a new name: body parts by the roles that the bones have, else by the rig that
   the rest shape alone has, which gives them roles too, else by rules (docs/formats.md). Names of
   other programs are understood: bones of a file that are called by one of their conventions, or
   by plain words, are renamed by what these say; to body parts only where the shape shows none.
   Of another program's names bones without one keep theirs: warning "unnamed-bones".
   Errors: OSSA_ERROR_INPUT (the rig is not whole), OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED; the
   names are then as they were.
   Cost: numbers, and rigs with roles: little; else that of a rig of the mesh by contraction. */
OSSA_API ossa_status ossa_rig_name_bones(ossa_context *context, ossa_rig *rig, ossa_bone_names style);

/* Frees a rig. NULL is allowed. */
OSSA_API void ossa_rig_free(ossa_context *context, ossa_rig *rig);

#ifdef __cplusplus
}
#endif
#endif

/* ossa/target.h: what programs expect of a file that is made for them. */
#ifndef OSSA_TARGET_H
#define OSSA_TARGET_H

#include <ossa/rest_pose.h>
#include <ossa/write.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A program that files are made for, and how (docs/conventions.md). */
typedef struct ossa_target {
	const char *name;      /* "unreal" */
	const char *title;     /* "Unreal Engine" */
	ossa_bone_names names; /* BODY: it takes any */
	ossa_up up;            /* of formats that say which axis points up */
	double unit;           /* metres; of formats that say it */
	ossa_axis bone_axis;   /* which axis of a joint's frame points along the bone */
	bool leaf_bones;       /* it wants an end joint on every leaf */
	/* that it reads, named as in ossa_write_format, the best first: "fbx|obj" */
	const char *formats;
	/* an ossa_rest_pose that it expects of humans, T or A; KEEP: any */
	int rest_pose;
} ossa_target;

/* The choices of an option `for`; "any": no program. */
#define OSSA_TARGET_CHOICES "any|unreal|unity|godot|blender|maya|mixamo"

/* Programs in the order of the choices, without "any". */
OSSA_API size_t ossa_target_count(void);
OSSA_API const ossa_target *ossa_target_at(size_t index);

/* The program of that name, or NULL. */
OSSA_API const ossa_target *ossa_target_find(const char *name);

/* Sets axes, unit, joint frames and end joints of `options` as the program expects them in the
   format of the path's ending; what that format fixes by its specification, as glTF its axes and
   unit, stays. A format that the program does not read is a warning, "unread-format", which names
   those that it reads.
   Errors: OSSA_ERROR_ARGUMENT (no format has the ending). */
OSSA_API ossa_status ossa_target_apply(
	ossa_context *context, const ossa_target *target, const char *path, ossa_write_options *options);

/* Says where a human is at rest in another pose than the program expects: arms that are nearer to
   the A than to the T, or the other way round, are a warning, "rest-pose". rest_pose: that the file
   is to be written in; what was chosen is not warned of. Nothing is changed, as a pose changes the
   mesh.
   Errors: OSSA_ERROR_MEMORY. */
OSSA_API ossa_status ossa_target_check_rest(
	ossa_context *context, const ossa_target *target, const ossa_rig *rig, int rest_pose);

/* The endings of the format that suits the program best, as in ossa_write_format: ".fbx". */
OSSA_API const char *ossa_target_endings(const ossa_target *target);

#ifdef __cplusplus
}
#endif
#endif

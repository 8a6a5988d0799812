/* export/urdf/urdf.h: what the files of the URDF writer share. */
#ifndef OSSAI_EXPORT_URDF_H
#define OSSAI_EXPORT_URDF_H

#include "base/context.h"
#include "export/export.h"
#include "export/markup.h"
#include "math/vec.h"

/* How a link moves against its parent. */
typedef enum ossai_urdf_type {
	OSSAI_URDF_FIXED,
	OSSAI_URDF_REVOLUTE,
	OSSAI_URDF_CONTINUOUS, /* revolute without limits */
	OSSAI_URDF_FLOATING,
	OSSAI_URDF_PRISMATIC
} ossai_urdf_type;

/* A link with the joint that attaches it to its parent. */
typedef struct ossai_urdf_link {
	uint32_t parent; /* OSSA_NONE for the base, which has no joint */
	ossai_urdf_type type;
	ossai_rigid origin; /* of its frame in the parent's, where the joint's angle is 0 */
	double axis[3];     /* in its own frame */
	double limits[2];   /* radians, metres */
} ossai_urdf_link;

/* A link as a body of one density, in its own frame. */
typedef struct ossai_urdf_solid {
	double mass; /* kilograms; 0 where its faces do not enclose a volume */
	double center[3];
	double inertia[6]; /* about the center: xx xy xz yy yz zz */
} ossai_urdf_solid;

typedef struct ossai_urdf {
	ossa_context *context;
	ossai_arena arena;
	const ossa_rig *rig;
	const char *path;
	const ossa_write_options *options;
	/* links of the bones, with their numbers; then the links between the axes of a joint, in the
	   order of the bones; the base is the last */
	size_t link_count;
	ossai_urdf_link *links;
	char (*names)[64], (*joints)[64]; /* by link; the base has no joint */
	const char **meshes;              /* by bone: the name of a file beside, or NULL */
	ossai_urdf_solid *solids;         /* by bone */
	ossai_markup markup;
} ossai_urdf;

/* Fills links and names. Warning "balls-split". Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_urdf_link_bones(ossai_urdf *file);

/* A bone's frame at rest in the rig's space. */
ossai_rigid ossai_urdf_rest(const ossa_bone *bone);

/* What a mesh in the rig's space is in a frame of it. Errors: OSSA_ERROR_MEMORY,
   OSSA_ERROR_LIMIT. */
ossa_status ossai_urdf_weigh(ossa_context *context, const ossa_mesh *mesh, const ossai_rigid *frame, ossai_urdf_solid *solid);

/* Writes the meshes of the links, and fills their names and solids. Call it in a batch with the
   file. Warning "skin-split". Errors: OSSA_ERROR_WRITE, OSSA_ERROR_MEMORY. */
ossa_status ossai_urdf_write_meshes(ossai_urdf *file);

#endif

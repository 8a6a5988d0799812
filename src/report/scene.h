/* report/scene.h: what a picture shows, in one pose at a time: surface, bones and colours in unit
   space.

   Place in the path: pictures, between a rig and the camera.
   Input: a rig, a motion, a frame.
   Output: solids. */
#ifndef OSSAI_REPORT_SCENE_H
#define OSSAI_REPORT_SCENE_H

#include "math/vec.h"
#include "report/bones.h"
#include "report/solid.h"
#include "mesh/normals.h"
#include <ossa/picture.h>

enum { OSSAI_SCENE_REST = -1 };

/* Arrays live in the arena that it was made in. */
typedef struct ossai_scene {
	ossa_context *context;
	ossa_picture_subject subject; /* its clip is never NULL where there is one */
	ossa_picture_color color;
	ossai_vec3 center; /* unit space: (p - center) * scale */
	double scale;
	ossai_vertex_faces around;
	ossai_solid solid;
	ossai_posed_bones bones;
	float *bone_points; /* joints and tails to draw */
	size_t bone_point_count;
	double *rest_joints, *posed_joints; /* B x 12 */
	float *values;                      /* V: what a ramp shows, or NULL */
	float *target;                      /* V x 3: of errors */
	/* of the values in the frame that is loaded, of vertices in faces */
	double largest;
	int loaded;       /* frame */
	bool has_normals; /* of that frame */
} ossai_scene;

/* Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_scene_make(ossa_context *context, ossai_arena *arena, const ossa_picture_subject *subject,
	const ossa_picture_options *options, ossai_scene *scene);

/* Poses surface and bones and finds the values: a frame, or OSSAI_SCENE_REST. Errors: those of
   reading frames, OSSA_ERROR_MEMORY. */
ossa_status ossai_scene_load(ossai_scene *scene, int frame);

/* Makes what drawing needs besides: normals, and colours where they follow values, with `top` at
   the ramp's end. */
void ossai_scene_finish(ossai_scene *scene, double top);

#endif

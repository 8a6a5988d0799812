/* ossa/landmarks.h: points of a human body that a person has set, where the joints are then found
   again: the options `chin`, `groin`, `left-elbow` ... of the methods for one mesh, and of all rigs
   from motion. */
#ifndef OSSA_LANDMARKS_H
#define OSSA_LANDMARKS_H

#include <ossa/options.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Left and right are the body's own. Elbows, wrists and knees are those joints, inside of the limb;
   a point on its surface gives the place along the limb. */
typedef enum ossa_landmark {
	OSSA_LANDMARK_CHIN,
	OSSA_LANDMARK_GROIN, /* where the legs part */
	OSSA_LANDMARK_LEFT_ELBOW,
	OSSA_LANDMARK_RIGHT_ELBOW,
	OSSA_LANDMARK_LEFT_WRIST,
	OSSA_LANDMARK_RIGHT_WRIST,
	OSSA_LANDMARK_LEFT_KNEE,
	OSSA_LANDMARK_RIGHT_KNEE,
	OSSA_LANDMARK_COUNT
} ossa_landmark;

#define OSSA_LANDMARK_CHOICES "auto|X,Y,Z"

/* Points in the mesh's axes and units; choice 0: not set, 1: set. Zeroed: none is. */
typedef struct ossa_landmarks {
	ossa_choice_or_point point[OSSA_LANDMARK_COUNT];
} ossa_landmarks;

/* A landmark's name as an option: "chin", "left-elbow"; NULL past the last. Files may also have
   "elbow_L" or "left_elbow". */
OSSA_API const char *ossa_landmark_name(ossa_landmark landmark);

/* Reads a JSON file: an object of names and points of three numbers, {"chin": [0, 1.6, 0.1],
   "wrist_L": [...]}, or one that has this object as "landmarks".
   Errors: OSSA_ERROR_INPUT (names that are none, or twice; points that are not three finite
   numbers; no landmark at all), OSSA_ERROR_READ, OSSA_ERROR_MEMORY. */
OSSA_API ossa_status ossa_landmarks_read(ossa_context *context, const char *path, ossa_landmarks *landmarks);

#ifdef __cplusplus
}
#endif
#endif

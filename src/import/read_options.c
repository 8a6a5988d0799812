/* import/read_options.c: the options of reading, as data. */
#include <ossa/read.h>

#include "base/options.h"

OSSAI_CHOICE_ENUM(ossa_up);
OSSAI_CHOICE_ENUM(ossa_morphs);

static const ossa_read_options read_defaults = {.cookie = OSSAI_COOKIE('r', 'e', ossa_read_options), .frames_per_second = 0};

ossa_read_options ossa_read_default(void) { return read_defaults; }

const ossa_option_table *ossa_read_option_table(void)
{
	static const ossa_option options[] = {
		{"fps", OSSA_OPTION_DOUBLE, offsetof(ossa_read_options, frames_per_second), 0, 100000, "frames per second", "",
			"sample motion at this rate; poses from separate files are as far apart. 0: at the file's own keys, at 24 where it "
			"has no times",
			"0: what the file holds; 24: film"},
		{"clip", OSSA_OPTION_TEXT, offsetof(ossa_read_options, clip), 0, 0, "", "NAME",
			"the animation by its name or number from 1 on, else the first; rig and convert take a list or all",
			"one motion at a time"},
		{"frames", OSSA_OPTION_RANGE, offsetof(ossa_read_options, frames), 0, 0, "", "FIRST:LAST:STEP",
			"the frames to take, counted from 1, both ends included: 10:50:2, 10:, 7", "all"},
		{"input-up", OSSA_OPTION_CHOICE, offsetof(ossa_read_options, input_up), 0, 0, "", "file|y|z",
			"the axis that points up in the input; file: as it says, else y", "files of most formats do not say"},
		{"input-unit", OSSA_OPTION_DOUBLE, offsetof(ossa_read_options, input_unit), 0, 1e6, "metres", "",
			"length of one unit of the input; 0: as it says, else 1", "files of most formats do not say"},
		{"ignore-pose-faces", OSSA_OPTION_BOOL, offsetof(ossa_read_options, ignore_pose_faces), 0, 1, "", "",
			"take only the vertices of poses, whatever their faces are",
			"off: differing faces show that a pose is of another mesh"},
		{"keep-vertices", OSSA_OPTION_BOOL, offsetof(ossa_read_options, keep_vertices), 0, 1, "", "",
			"keep all vertices of an animated file, also those that coincide in every frame (convert always does)",
			"off: seams of UVs and normals do not cut the surface that is rigged"},
		{"morphs", OSSA_OPTION_CHOICE, offsetof(ossa_read_options, morphs), 0, 0, "", "auto|frames|keep",
			"morph targets that move beside the joints of a skin: in the frames, or kept out of them (a glTF file keeps their "
			"motion); auto: ossa rig keeps them, else in the frames",
			"auto: a face stays a face; bones solved from its shapes only come near them"},
	};
	static const ossa_option_group groups[] = {
		{"Input", "frames|clip", "fps|input-up|input-unit|ignore-pose-faces|keep-vertices|morphs"},
		{NULL, NULL, NULL},
	};
	static const ossa_option_table table = {"read", options, sizeof options / sizeof options[0], &read_defaults,
		.size = sizeof(ossa_read_options), .cookie = OSSAI_COOKIE('r', 'e', ossa_read_options), .groups = groups};
	return &table;
}

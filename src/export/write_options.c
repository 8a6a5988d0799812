/* export/write_options.c: the options of writing, as data.

   Place in the path: beside the registry (write.c).
   Output: defaults and the table that command, help and manual read. */
#include "base/context.h"
#include "base/options.h"

#include <ossa/rest_pose.h>
#include <ossa/write.h>
#include <stddef.h>

OSSAI_CHOICE_ENUM(ossa_up);
OSSAI_CHOICE_ENUM(ossa_axis);
OSSAI_CHOICE_ENUM(ossa_collada_version);
OSSAI_CHOICE_ENUM(ossa_image_names);

static const ossa_write_options defaults = {.cookie = OSSAI_COOKIE('w', 'r', ossa_write_options),
	.up = OSSA_UP_Y,
	.unit = 1,
	.bone_axis = OSSA_AXIS_Y,
	.collada = OSSA_COLLADA_AUTO,
	.limit_slack = 5,
	.rest_pose = OSSA_REST_KEEP,
	.author = "unknown"};

static const ossa_option option_list[] = {
	{"up", OSSA_OPTION_CHOICE, offsetof(ossa_write_options, up), 0, 0, "", "file|y|z",
		"the axis that points up in the output; file: ossa's own, y", "y: glTF's, Maya's and Unity's"},
	{"unit", OSSA_OPTION_DOUBLE, offsetof(ossa_write_options, unit), 1e-6, 1e6, "metres", "",
		"length of one unit of the output: 0.01 for centimetres", "1: glTF's"},
	{"bone-axis", OSSA_OPTION_CHOICE, offsetof(ossa_write_options, bone_axis), 0, 0, "", "x|y|z",
		"the axis of a joint's frame that points along the bone", "y: Blender's; x: Maya's"},
	{"leaf-bones", OSSA_OPTION_BOOL, offsetof(ossa_write_options, leaf_bones), 0, 0, "", "",
		"add an end joint to every leaf bone, so that programs show its length",
		"ours: off, because an end joint moves nothing and counts as a bone; without it importers guess a leaf's length"},
	{"free-bones", OSSA_OPTION_BOOL, offsetof(ossa_write_options, free_bones), 0, 0, "", "",
		"write the bones without the constraints of a hierarchy; they can also move apart", "the paper's errors are of these"},
	{"collada", OSSA_OPTION_CHOICE, offsetof(ossa_write_options, collada), 0, 0, "", "1.5|1.4.1|auto",
		"version of Collada files: 1.5 holds joint limits, 1.4.1 images that most programs find",
		"auto: 1.4.1 with images, else 1.5"},
	{"limit-slack", OSSA_OPTION_DOUBLE, offsetof(ossa_write_options, limit_slack), 0, 180, "degrees", "",
		"how much wider joint limits are, on both sides, than the motion that they were found from; limits of the input stay",
		"ours: 5, poses seldom reach a joint's end"},
	{"rest-pose", OSSA_OPTION_INT, offsetof(ossa_write_options, rest_pose), OSSA_REST_KEEP, 1e9, "", OSSA_REST_POSE_CHOICES,
		"the pose at rest: an exact T or A, a frame of the motion, or as it was modelled",
		"keep; t: VRM's and Unity's, a: 45 degrees lower"},
	{"keep-skin", OSSA_OPTION_BOOL, offsetof(ossa_write_options, keep_skin), 0, 0, "", "",
		"of a glTF file that is rigged again: the old joints stay, as plain nodes that move nothing", "off: they are replaced"},
	{"image-names", OSSA_OPTION_CHOICE, offsetof(ossa_write_options, image_names), 0, 0, "", "keep|output",
		"files of images beside the output: keep their names, with a number where another file has one, or begin with the "
		"output's name and write over",
		"keep; in a batch output: its results depend on no order"},
	{"author", OSSA_OPTION_TEXT, offsetof(ossa_write_options, author), 0, 0, "", "NAME",
		"of VRM: who made the model; by default no one else may use it", "VRM: every file names its author"},
};

static const ossa_option_group groups[] = {
	{"Output", "rest-pose", "up|unit|bone-axis|leaf-bones|free-bones|collada|limit-slack|keep-skin|image-names|author"},
	{NULL, NULL, NULL},
};

static const ossa_option_table option_table = {"write", option_list, sizeof option_list / sizeof option_list[0], &defaults,
	.size = sizeof(ossa_write_options), .cookie = OSSAI_COOKIE('w', 'r', ossa_write_options), .groups = groups};

ossa_write_options ossa_write_default(void) { return defaults; }

const ossa_option_table *ossa_write_option_table(void) { return &option_table; }

/* report/picture_options.c: the options of pictures as a table.

   Place in the path: pictures, first. */
#include "report/picture_options.h"

#include "base/options.h"
#include "report/raster.h"

enum { COLUMNS_MAX = 1024 };

OSSAI_CHOICE_ENUM(ossa_axis);
OSSAI_CHOICE_ENUM(ossa_picture_color);

static const ossa_picture_options defaults = {.cookie = OSSAI_COOKIE('p', 'i', ossa_picture_options),
	.width = 1200,
	.height = 900,
	.azimuth = 35,
	.elevation = 14,
	.views = 1,
	.up = OSSA_AXIS_Y,
	.color = OSSA_PICTURE_AUTO,
	.skeleton = true,
	.legend = true};

#define FIELD(name) offsetof(ossa_picture_options, name)
static const ossa_option fields[] = {
	{"width", OSSA_OPTION_INT, FIELD(width), 16, OSSAI_RASTER_SIDE_MAX, "pixels", "", "width of one view", ""},
	{"height", OSSA_OPTION_INT, FIELD(height), 16, OSSAI_RASTER_SIDE_MAX, "pixels", "", "height of one view", ""},
	{"azimuth", OSSA_OPTION_DOUBLE, FIELD(azimuth), -360, 360, "degrees", "",
		"where the camera stands around the up axis; 0 looks at the front", "three quarters: shows depth"},
	{"elevation", OSSA_OPTION_DOUBLE, FIELD(elevation), -90, 90, "degrees", "", "height of the camera above the horizon", ""},
	{"views", OSSA_OPTION_INT, FIELD(views), 1, OSSAI_PICTURE_VIEWS_MAX, "", "",
		"number of views, turned evenly about the up axis", ""},
	{"up", OSSA_OPTION_CHOICE, FIELD(up), 0, 2, "", "x|y|z", "axis that points up", "glTF's"},
	{"color", OSSA_OPTION_CHOICE, FIELD(color), 0, 7, "", "bones|plain|weights|error|clusters|roles|materials|auto",
		"colours of the surface: one for each bone, none (plain), the weights of one bone, the distance of every vertex from "
		"the frames that the motion should reproduce, one for each cluster of faces that moved together, one for each part "
		"and side of a body (roles), with rings as large as joints are unsure, or its own (materials): colours, textures, "
		"alpha, normal maps; auto: materials where the mesh has such, else bones",
		""},
	{"skeleton", OSSA_OPTION_BOOL, FIELD(skeleton), 0, 1, "", "", "draw bones and joints on the surface, the root yellow", ""},
	{"transparent", OSSA_OPTION_BOOL, FIELD(transparent), 0, 1, "", "", "leave out the background", ""},
	{"columns", OSSA_OPTION_INT, FIELD(columns), 0, COLUMNS_MAX, "", "",
		"pictures on one row of the sheet; 0: all frames of a view, or all views of a single frame", ""},
	{"legend", OSSA_OPTION_BOOL, FIELD(legend), 0, 1, "", "", "show what the colours of weights, errors and roles mean", ""},
	{"error-top", OSSA_OPTION_DOUBLE, FIELD(error_top), 0, 1e9, "% of the diagonal", "",
		"the error of the last colour of the ramp; 0: the largest of the frames shown", "to compare pictures"},
	{"clusters", OSSA_OPTION_INT, FIELD(clusters), 0, 512, "", "",
		"with `color clusters`: how many clusters are left of the merging; 0: as many as the rig has bones", ""},
};

ossa_picture_options ossa_picture_default(void) { return defaults; }

const ossa_option_table *ossa_picture_option_table(void)
{
	static const ossa_option_group groups[] = {
		{"Picture", "color|width|height", "skeleton|transparent|columns|legend|error-top|clusters"},
		{"Camera", "views|azimuth", "elevation|up"},
		{NULL, NULL, NULL},
	};
	static const ossa_option_table table = {"picture", fields, sizeof fields / sizeof fields[0], &defaults,
		.size = sizeof(ossa_picture_options), .cookie = OSSAI_COOKIE('p', 'i', ossa_picture_options), .groups = groups};
	return &table;
}

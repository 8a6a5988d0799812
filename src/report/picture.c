/* report/picture.c: rigs as pictures: the surface in its bones' colours, the skeleton over it, frames and views on a sheet.

   Place in the path: after the rig.  In: ossa_rig.  Out: ossa_picture.
   Open this file first, then camera.h (framing), raster.h (what is seen), shade.h (light), bones.h (the skeleton). */
#include "report/bones.h"
#include "report/camera.h"
#include "report/ground.h"
#include "report/palette.h"
#include "report/shade.h"
#include "report/text.h"
#include "surface/bounds.h"
#include "surface/normals.h"
#include <ossa/picture.h>

#include <stdio.h>
#include <string.h>

enum { VERTICES_PER_RANGE = 4096, VIEWS_MAX = 64, COLUMNS_MAX = 1024, REST = -1, NOT_LOADED = -2 };

/* pixels of the largest sheet: 2^28, a gigabyte */
static const double sheet_pixels_max = 268435456;
static const ossai_light plain_light = {0.60f, 0.57f, 0.52f};
static const ossai_light caption_light = {0.11f, 0.115f, 0.13f};

/* ---- options ---- */

static const ossa_picture_options defaults = {.width = 1200,
	.height = 900,
	.azimuth = 35,
	.elevation = 14,
	.views = 1,
	.up = 1,
	.color = OSSA_PICTURE_BONES,
	.skeleton = true};

#define FIELD(name) offsetof(ossa_picture_options, name)
static const ossa_option fields[] = {
	{"width", OSSA_OPTION_INT, FIELD(width), 16, OSSAI_RASTER_SIDE_MAX, "pixels", "", "width of one view", ""},
	{"height", OSSA_OPTION_INT, FIELD(height), 16, OSSAI_RASTER_SIDE_MAX, "pixels", "", "height of one view", ""},
	{"azimuth", OSSA_OPTION_DOUBLE, FIELD(azimuth), -360, 360, "degrees", "",
		"where the camera stands about the up axis; 0 looks at the front", "three quarters: shows depth"},
	{"elevation", OSSA_OPTION_DOUBLE, FIELD(elevation), -90, 90, "degrees", "", "how far the camera stands above the horizon",
		""},
	{"views", OSSA_OPTION_INT, FIELD(views), 1, VIEWS_MAX, "", "", "views evenly turned about the up axis", ""},
	{"up", OSSA_OPTION_CHOICE, FIELD(up), 0, 2, "", "x|y|z", "axis that points up", "glTF's"},
	{"color", OSSA_OPTION_CHOICE, FIELD(color), 0, 1, "", "bones|plain", "colour of the surface", ""},
	{"skeleton", OSSA_OPTION_BOOL, FIELD(skeleton), 0, 1, "", "", "draw bones and joints over the surface, the root in yellow",
		""},
	{"transparent", OSSA_OPTION_BOOL, FIELD(transparent), 0, 1, "", "", "leave out the background", ""},
	{"columns", OSSA_OPTION_INT, FIELD(columns), 0, COLUMNS_MAX, "", "",
		"pictures on one row of the sheet; 0: all frames of a view, or all views of a single frame", ""},
};

ossa_picture_options ossa_picture_default(void) { return defaults; }

const ossa_option_table *ossa_picture_option_table(void)
{
	static const ossa_option_table table = {"picture", fields, sizeof fields / sizeof fields[0], &defaults};
	return &table;
}

/* ---- a pose in unit space ---- */

/* What is drawn, in one pose at a time. Arrays live in the arena. */
typedef struct scene {
	ossa_context *context;
	const ossa_rig *rig;
	ossa_picture_options options;
	ossai_vec3 center; /* unit space: (p - center) * scale */
	double scale;
	ossai_vertex_faces around;
	ossai_solid solid;
	ossai_posed_bones bones;
	float *bone_points; /* joints and tails that are drawn */
	size_t bone_point_count;
	double *rest_joints, *posed_joints; /* B x 12 */
	int loaded;                         /* frame */
	bool has_normals;                   /* of that frame */
	ossai_encoding encoding;
} scene;

typedef struct color_job {
	const ossa_weights *weights;
	const ossai_color *bone_colors;
	ossai_light *lights;
} color_job;

/* vertices by the blend of their bones' colours */
static void color_range(void *arg, size_t begin, size_t end)
{
	const color_job *job = arg;
	const size_t influences = (size_t)job->weights->influences;
	for (size_t v = begin; v < end; v++) {
		ossai_color mix = {0, 0, 0};
		for (size_t i = v * influences; i < (v + 1) * influences; i++) {
			const ossai_color color = job->bone_colors[job->weights->bones[i]];
			const float weight = job->weights->values[i];
			mix = (ossai_color){mix.l + weight * color.l, mix.a + weight * color.a, mix.b + weight * color.b};
		}
		job->lights[v] = ossai_color_light(mix);
	}
}

static ossa_status color_vertices(scene *s)
{
	const size_t vertices = s->rig->mesh->vertex_count;
	if (s->options.color == OSSA_PICTURE_PLAIN) {
		for (size_t v = 0; v < vertices; v++) s->solid.colors[v] = plain_light;
		return OSSA_OK;
	}
	ossai_color *bone_colors = ossai_new(s->context, s->rig->skeleton.bone_count, sizeof *bone_colors);
	if (!bone_colors) return ossa_context_error(s->context)->status;
	ossai_palette_bones(&s->rig->skeleton, bone_colors);
	color_job job = {&s->rig->weights, bone_colors, s->solid.colors};
	ossai_parallel_for(s->context, vertices, VERTICES_PER_RANGE, color_range, &job);
	ossa_free(s->context, bone_colors);
	return OSSA_OK;
}

/* which bones are drawn, and which of them end: those that move something, and the way to them from the root */
static ossa_status find_shown(ossai_arena *arena, scene *s)
{
	const size_t bones = s->rig->skeleton.bone_count, pairs = s->rig->weights.vertex_count * (size_t)s->rig->weights.influences;
	uint8_t *shown = ossai_arena_zero(arena, bones, sizeof *shown);
	uint8_t *ends = shown ? ossai_arena_new(arena, bones, sizeof *ends) : NULL;
	if (!ends) return ossa_context_error(s->context)->status;
	memset(ends, 1, bones);
	shown[0] = 1;
	for (size_t i = 0; i < pairs; i++) shown[s->rig->weights.bones[i]] |= s->rig->weights.values[i] > 0;
	for (size_t b = bones - 1; b > 0; b--) {
		const int32_t parent = s->rig->skeleton.bones[b].parent;
		shown[parent] |= shown[b];
		ends[parent] &= (uint8_t)!shown[b];
	}
	s->bones.shown = shown;
	s->bones.ends = ends;
	return OSSA_OK;
}

static ossa_status make_scene(
	ossa_context *context, ossai_arena *arena, const ossa_rig *rig, const ossa_picture_options *options, scene *s)
{
	const size_t vertices = rig->mesh->vertex_count, bones = rig->skeleton.bone_count;
	*s = (scene){.context = context, .rig = rig, .options = *options, .loaded = NOT_LOADED};
	s->solid = (ossai_solid){.vertex_count = vertices,
		.triangle_count = rig->mesh->triangle_count,
		.triangles = rig->mesh->triangles,
		.lit_count = rig->mesh->triangle_count};
	s->bones.skeleton = &rig->skeleton;
	s->solid.positions = ossai_arena_new(arena, vertices, 3 * sizeof(float));
	s->solid.normals = s->solid.positions ? ossai_arena_new(arena, vertices, 3 * sizeof(float)) : NULL;
	s->solid.colors = s->solid.normals ? ossai_arena_new(arena, vertices, sizeof *s->solid.colors) : NULL;
	s->bones.joints = s->solid.colors ? ossai_arena_new(arena, bones, 3 * sizeof(float)) : NULL;
	s->bones.tails = s->bones.joints ? ossai_arena_new(arena, bones, 3 * sizeof(float)) : NULL;
	s->bone_points = s->bones.tails ? ossai_arena_new(arena, bones, 6 * sizeof(float)) : NULL;
	s->rest_joints = s->bone_points ? ossai_arena_new(arena, bones, 12 * sizeof(double)) : NULL;
	s->posed_joints = s->rest_joints ? ossai_arena_new(arena, bones, 12 * sizeof(double)) : NULL;
	if (!s->posed_joints) return ossa_context_error(context)->status;
	OSSAI_TRY(find_shown(arena, s));
	OSSAI_TRY(ossai_vertex_faces_make(context, arena, vertices, rig->mesh->triangle_count, rig->mesh->triangles, &s->around));
	const ossai_bounds box = ossai_bounds_make(vertices, rig->mesh->positions);
	s->center = ossai_lerp(box.minimum, box.maximum, 0.5);
	s->scale = box.diagonal > 0 ? 1 / box.diagonal : 1;
	ossa_rig_joint_matrices(rig, NULL, 0, s->rest_joints);
	ossai_encoding_fill(&s->encoding);
	return color_vertices(s);
}

typedef struct unit_job {
	const scene *scene;
	float *positions;
} unit_job;

static void store_unit(const scene *s, ossai_vec3 p, float *unit)
{
	const ossai_vec3 q = ossai_scale(ossai_sub(p, s->center), s->scale);
	unit[0] = (float)q.x;
	unit[1] = (float)q.y;
	unit[2] = (float)q.z;
}

static void unit_range(void *arg, size_t begin, size_t end)
{
	const unit_job *job = arg;
	for (size_t v = begin; v < end; v++) {
		store_unit(job->scene, ossai_v3_of_float(job->positions + 3 * v), job->positions + 3 * v);
	}
}

/* each bone's joint and tail where its matrix takes them */
static void pose_bones(scene *s)
{
	s->bone_point_count = 0;
	for (size_t b = 0; b < s->rig->skeleton.bone_count; b++) {
		const ossa_bone *bone = &s->rig->skeleton.bones[b];
		const ossai_rigid rest = ossai_rigid_of(s->rest_joints + 12 * b), posed = ossai_rigid_of(s->posed_joints + 12 * b);
		const ossai_vec3 local = ossai_mat3_tmul_v(&rest.r, ossai_sub(ossai_v3_of(bone->tail), rest.t));
		store_unit(s, posed.t, s->bones.joints + 3 * b);
		store_unit(s, ossai_rigid_point(&posed, local), s->bones.tails + 3 * b);
		if (!s->bones.shown[b]) continue;
		memcpy(s->bone_points + 3 * s->bone_point_count++, s->bones.joints + 3 * b, 3 * sizeof(float));
		if (s->bones.ends[b]) memcpy(s->bone_points + 3 * s->bone_point_count++, s->bones.tails + 3 * b, 3 * sizeof(float));
	}
}

/* poses surface and bones */
static ossa_status load_frame(scene *s, int frame)
{
	if (s->loaded == frame) return OSSA_OK;
	const ossa_clip *clip = frame == REST ? NULL : s->rig->clip;
	const size_t index = frame == REST ? 0 : (size_t)frame;
	s->loaded = NOT_LOADED;
	s->has_normals = false;
	OSSAI_TRY(ossa_rig_pose(s->context, s->rig, NULL, clip, index, s->solid.positions));
	unit_job job = {s, s->solid.positions};
	ossai_parallel_for(s->context, s->solid.vertex_count, VERTICES_PER_RANGE, unit_range, &job);
	ossa_rig_joint_matrices(s->rig, clip, index, s->posed_joints);
	pose_bones(s);
	s->loaded = frame;
	return OSSA_OK;
}

static void load_normals(scene *s)
{
	if (s->has_normals) return;
	ossai_vertex_normals(
		s->context, s->solid.vertex_count, s->solid.triangles, &s->around, s->solid.positions, s->solid.normals);
	s->has_normals = true;
}

/* ---- the sheet ---- */

/* Cells of the sheet: frame f in view v is cell v * frame_count + f. */
typedef struct sheet {
	const int *frames;
	size_t frame_count, view_count, columns;
	ossai_camera cameras[VIEWS_MAX];
	ossa_picture *picture;
} sheet;

static bool has_captions(const sheet *sh) { return sh->frame_count > 1; }

static double caption_height(const ossa_picture_options *o)
{
	const double height = 0.024 * o->height;
	return height < 9 ? 9 : height;
}

/* a margin of a twentieth all around, and room for the caption below */
static ossai_window find_window(const sheet *sh, const ossa_picture_options *o)
{
	const double margin = 0.055 * (o->width < o->height ? o->width : o->height);
	const double caption = has_captions(sh) && o->height >= 96 ? 2 * caption_height(o) : 0;
	return (ossai_window){margin, margin, o->width - margin, o->height - margin - caption};
}

/* The cameras of all views, from all frames. */
static ossa_status frame_all(scene *s, sheet *sh)
{
	const ossai_window window = find_window(sh, &s->options);
	ossai_framing framings[VIEWS_MAX];
	for (size_t v = 0; v < sh->view_count; v++) {
		const double turn = 360.0 * (double)v / (double)sh->view_count;
		framings[v] = ossai_framing_begin(&window, s->options.azimuth + turn, s->options.elevation, s->options.up);
	}
	for (size_t f = 0; f < sh->frame_count; f++) {
		OSSAI_TRY(load_frame(s, sh->frames[f]));
		const size_t bone_points = s->options.skeleton ? s->bone_point_count : 0;
		for (size_t v = 0; v < sh->view_count; v++) {
			ossai_framing_add(&framings[v], s->solid.vertex_count, s->solid.positions);
			ossai_framing_add(&framings[v], bone_points, s->bone_points);
		}
	}
	ossai_framing_cameras(framings, sh->view_count, &window, sh->cameras);
	/* what no number holds, no picture shows */
	if (sh->cameras[0].distance < 1e9) return OSSA_OK;
	return ossai_fail(
		s->context, OSSA_ERROR_INPUT, NULL, "the pose reaches more than 10^9 times as far as the rest shape; check the clip");
}

static void draw_caption(scene *s, ossai_pixel *pixels, int frame)
{
	char text[32];
	if (frame == REST) snprintf(text, sizeof text, "rest");
	else snprintf(text, sizeof text, "frame %d", frame + 1);
	const size_t width = (size_t)s->options.width, height = (size_t)s->options.height;
	const double letters = caption_height(&s->options), wide = ossai_text_width(text, letters);
	const double left = round(((double)width - wide) / 2), top = round((double)height - 2.1 * letters);
	for (size_t y = top > 2 ? (size_t)top - 2 : 0; y < height; y++) {
		for (size_t x = 0; x < width; x++) {
			const double cover = ossai_text_coverage(text, letters, (double)x + 0.5 - left, (double)y + 0.5 - top);
			if (cover <= 0) continue;
			ossai_pixel *p = &pixels[y * width + x];
			const float c = (float)cover, rest = 1 - c;
			*p = (ossai_pixel){c * caption_light.r + rest * p->r, c * caption_light.g + rest * p->g,
				c * caption_light.b + rest * p->b, c + rest * p->coverage};
		}
	}
}

typedef struct store_job {
	const scene *scene;
	const ossai_pixel *pixels;
	uint8_t *first; /* the cell's upper left byte on the sheet */
	size_t stride;
} store_job;

static void store_rows(void *arg, size_t begin, size_t end)
{
	const store_job *job = arg;
	const size_t width = (size_t)job->scene->options.width;
	const ossai_encoding *encoding = &job->scene->encoding;
	for (size_t y = begin; y < end; y++) {
		for (size_t x = 0; x < width; x++) {
			const ossai_pixel *p = &job->pixels[y * width + x];
			uint8_t *to = job->first + y * job->stride + 4 * x;
			const double inverse = p->coverage > 0 ? 1 / (double)p->coverage : 0;
			to[0] = ossai_encode(encoding, p->r * inverse);
			to[1] = ossai_encode(encoding, p->g * inverse);
			to[2] = ossai_encode(encoding, p->b * inverse);
			to[3] = (uint8_t)(fmin(p->coverage, 1) * 255 + 0.5);
		}
	}
}

static ossa_status draw_cell(scene *s, sheet *sh, ossai_canvas *canvas, size_t frame, size_t view, const ossai_ground *ground)
{
	const ossai_camera *camera = &sh->cameras[view];
	const ossai_light *background = s->options.transparent ? NULL : &ossai_background;
	OSSAI_TRY(ossai_canvas_surface(s->context, canvas, camera, s->options.up, &s->solid, background, ground));
	if (s->options.skeleton) {
		ossai_arena arena = ossai_arena_begin(s->context);
		ossai_solid bones;
		ossa_status status = ossai_bones_solid(&arena, &s->bones, camera, &bones);
		if (status == OSSA_OK) status = ossai_canvas_overlay(s->context, canvas, camera, s->options.up, &bones);
		ossai_arena_end(&arena);
		OSSAI_TRY(status);
	}
	if (has_captions(sh) && s->options.height >= 96) draw_caption(s, canvas->pixels, sh->frames[frame]);
	const size_t cell = view * sh->frame_count + frame, stride = 4 * sh->picture->width;
	const size_t row = cell / sh->columns * (size_t)s->options.height, column = cell % sh->columns * (size_t)s->options.width;
	store_job job = {s, canvas->pixels, sh->picture->pixels + row * stride + 4 * column, stride};
	ossai_parallel_for(s->context, (size_t)s->options.height, 16, store_rows, &job);
	return ossai_progress(s->context, (double)(frame * sh->view_count + view + 1) / (double)(sh->frame_count * sh->view_count));
}

/* where the ground is: under the pose's own lowest point, for example poses are seldom sculpted on one floor */
static double lowest_point(const scene *s)
{
	double lowest = HUGE_VAL;
	for (size_t v = 0; v < s->solid.vertex_count; v++) {
		lowest = fmin(lowest, s->solid.positions[3 * v + (size_t)s->options.up]);
	}
	return lowest;
}

static ossa_status draw_frame(scene *s, sheet *sh, ossai_canvas *canvas, size_t frame)
{
	OSSAI_TRY(load_frame(s, sh->frames[frame]));
	load_normals(s);
	ossai_arena arena = ossai_arena_begin(s->context);
	ossai_ground ground;
	/* seen from below or along it there is no ground */
	const bool has_ground = s->options.elevation > 1;
	ossa_status status = OSSA_OK;
	if (has_ground) status = ossai_ground_make(s->context, &arena, &s->solid, s->options.up, lowest_point(s), &ground);
	for (size_t view = 0; view < sh->view_count && status == OSSA_OK; view++) {
		status = draw_cell(s, sh, canvas, frame, view, has_ground ? &ground : NULL);
	}
	ossai_arena_end(&arena);
	return status;
}

static ossa_status draw_sheet(ossa_context *context, const ossa_rig *rig, const ossa_picture_options *options, sheet *sh)
{
	ossai_arena arena = ossai_arena_begin(context);
	scene s;
	ossai_canvas canvas;
	ossa_status status = make_scene(context, &arena, rig, options, &s);
	if (status == OSSA_OK) status = frame_all(&s, sh);
	if (status == OSSA_OK) status = ossai_canvas_make(&arena, (size_t)options->width, (size_t)options->height, &canvas);
	for (size_t f = 0; f < sh->frame_count && status == OSSA_OK; f++) status = draw_frame(&s, sh, &canvas, f);
	ossai_arena_end(&arena);
	return status;
}

/* ---- the public calls ---- */

static ossa_status check_frames(ossa_context *context, const ossa_rig *rig, const int *frames, size_t frame_count)
{
	if (frame_count == 0) return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "no frame to draw; -1 is the rest pose");
	const size_t there = rig->clip ? rig->clip->frame_count : 0;
	for (size_t i = 0; i < frame_count; i++) {
		if (frames[i] == REST || (frames[i] >= 0 && (size_t)frames[i] < there)) continue;
		if (there == 0) {
			return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL,
				"frame %d is not there: the rig does not move; only the rest pose, -1, can be drawn", frames[i]);
		}
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL,
			"frame %d is not there: the clip has the frames 0 to %zu, and -1 is the rest pose", frames[i], there - 1);
	}
	return OSSA_OK;
}

static ossa_status make_picture(ossa_context *context, size_t width, size_t height, ossa_picture **picture)
{
	ossa_picture *made = ossai_new(context, 1, sizeof *made);
	if (!made) return ossa_context_error(context)->status;
	/* zeroed: the last row of the sheet may not be full */
	*made = (ossa_picture){width, height, ossa_alloc(context, width * height, 4)};
	if (!made->pixels) {
		ossa_free(context, made);
		return ossa_context_error(context)->status;
	}
	*picture = made;
	return OSSA_OK;
}

/* cells that nothing is drawn to */
static void fill_background(ossa_picture *picture)
{
	ossai_encoding encoding;
	ossai_encoding_fill(&encoding);
	const uint8_t pixel[4] = {ossai_encode(&encoding, ossai_background.r), ossai_encode(&encoding, ossai_background.g),
		ossai_encode(&encoding, ossai_background.b), 255};
	for (size_t i = 0; i < picture->width * picture->height; i++) memcpy(picture->pixels + 4 * i, pixel, 4);
}

ossa_status ossa_picture_rig(ossa_context *context, const ossa_rig *rig, const int *frames, size_t frame_count,
	const ossa_picture_options *options, ossa_picture **picture)
{
	*picture = NULL;
	const ossa_picture_options o = options ? *options : defaults;
	OSSAI_TRY(ossa_options_check(context, ossa_picture_option_table(), &o));
	OSSAI_TRY(check_frames(context, rig, frames, frame_count));
	OSSAI_TRY(ossa_rig_validate(context, rig));
	if (rig->mesh->vertex_count == 0) {
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL,
			"the rig is a skeleton alone: it has no vertices to draw; give a rig with its mesh");
	}
	sheet sh = {.frames = frames, .frame_count = frame_count, .view_count = (size_t)o.views};
	const size_t cells = frame_count * sh.view_count, one_row = frame_count > 1 ? frame_count : sh.view_count;
	sh.columns = o.columns > 0 ? (size_t)o.columns : one_row;
	if (sh.columns > cells) sh.columns = cells;
	const size_t rows = (cells - 1) / sh.columns + 1;
	if ((double)sh.columns * o.width * (double)rows * o.height > sheet_pixels_max) {
		return ossai_fail(context, OSSA_ERROR_LIMIT, NULL,
			"a sheet of %zu x %zu pictures of %d x %d pixels is too large; ask for fewer frames or a smaller size", sh.columns,
			rows, o.width, o.height);
	}
	OSSAI_TRY(make_picture(context, sh.columns * (size_t)o.width, rows * (size_t)o.height, &sh.picture));
	if (!o.transparent) fill_background(sh.picture);
	ossai_stage_begin(context, "picture");
	const ossa_status status = draw_sheet(context, rig, &o, &sh);
	ossai_stage_end(context);
	if (status != OSSA_OK) ossa_picture_free(context, sh.picture);
	else *picture = sh.picture;
	return status;
}

void ossa_picture_free(ossa_context *context, ossa_picture *picture)
{
	if (!picture) return;
	ossa_free(context, picture->pixels);
	ossa_free(context, picture);
}

/* report/picture.c: draws rigs: the surface, the skeleton over it, frames and views on a sheet.

   Place in the path: after the rig.
   Input: ossa_rig. Output: ossa_picture.
   Open this file first, then scene.h (the pose), camera.h (framing), raster.h (what is seen),
   shade.h (light), bones.h (the skeleton). */
#include "report/camera.h"
#include "base/format.h"
#include "report/ground.h"
#include "report/legend.h"
#include "report/picture_options.h"
#include "report/roles.h"
#include "report/scene.h"
#include "report/shade.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { VIEWS_MAX = OSSAI_PICTURE_VIEWS_MAX, REST = OSSAI_SCENE_REST };

/* pixels of the largest sheet: 2^28, a gigabyte */
static const double sheet_pixels_max = 268435456;
/* smaller cells have no text */
static const int captioned_height = 96, legend_height = 120, legend_width = 160;

/* ---- the sheet ---- */

/* Cells of the sheet: frame f in view v is cell v * frame_count + f. */
typedef struct sheet {
	ossa_picture_options options;
	const int *frames;
	size_t frame_count, view_count, columns;
	ossai_camera cameras[VIEWS_MAX];
	ossai_encoding encoding;
	size_t row_count; /* of the legend of roles */
	ossai_legend_row *rows;
	ossa_picture *picture;
} sheet;

static bool has_ramp(const sheet *sh)
{
	return sh->options.color == OSSA_PICTURE_WEIGHTS || sh->options.color == OSSA_PICTURE_ERROR;
}

static bool has_captions(const sheet *sh) { return sh->frame_count > 1 && sh->options.height >= captioned_height; }

static bool has_legend(const sheet *sh)
{
	const ossa_picture_options *o = &sh->options;
	return (has_ramp(sh) || o->color == OSSA_PICTURE_ROLES) && o->legend && o->height >= legend_height &&
		o->width >= legend_width;
}

static double caption_height(const ossa_picture_options *o)
{
	const double height = 0.024 * o->height;
	return height < 9 ? 9 : height;
}

/* a margin of a twentieth all around, and space for the legend above and the caption below */
static ossai_window find_window(const sheet *sh)
{
	const ossa_picture_options *o = &sh->options;
	const double margin = 0.055 * (o->width < o->height ? o->width : o->height), letters = caption_height(o);
	const double caption = has_captions(sh) ? 2 * letters : 0;
	const double legend = has_legend(sh) && has_ramp(sh) ? ossai_legend_height(letters) : 0;
	const double list = has_legend(sh) && sh->row_count > 0 ? ossai_list_width(letters, sh->rows, sh->row_count) : 0;
	return (ossai_window){
		fmax(margin, fmin(list, 0.5 * o->width)), fmax(margin, legend), o->width - margin, o->height - margin - caption};
}

/* The cameras of all views, from all frames, and the largest value in them. */
static ossa_status frame_all(ossai_scene *s, sheet *sh)
{
	const ossa_picture_options *o = &sh->options;
	const ossai_window window = find_window(sh);
	ossai_framing framings[VIEWS_MAX];
	for (size_t v = 0; v < sh->view_count; v++) {
		const double turn = 360.0 * (double)v / (double)sh->view_count;
		framings[v] = ossai_framing_begin(&window, o->azimuth + turn, o->elevation, o->up);
	}
	for (size_t f = 0; f < sh->frame_count; f++) {
		OSSAI_TRY(ossai_scene_load(s, sh->frames[f]));
		const size_t bone_points = o->skeleton ? s->bone_point_count : 0;
		for (size_t v = 0; v < sh->view_count; v++) {
			ossai_framing_add(&framings[v], s->solid.vertex_count, s->solid.positions);
			ossai_framing_add(&framings[v], bone_points, s->bone_points);
		}
		if (has_ramp(sh)) sh->picture->largest = fmax(sh->picture->largest, s->largest);
	}
	ossai_framing_cameras(framings, sh->view_count, &window, sh->cameras);
	/* positions that are not finite cannot be drawn */
	if (sh->cameras[0].distance < 1e9) return OSSA_OK;
	return ossai_fail(
		s->context, OSSA_ERROR_INPUT, NULL, "the pose reaches more than 10^9 times as far as the rest shape; check the clip");
}

/* the value of the ramp's last colour */
static void choose_top(sheet *sh)
{
	const ossa_picture_options *o = &sh->options;
	if (o->color == OSSA_PICTURE_WEIGHTS) sh->picture->ramp_top = 1;
	if (o->color == OSSA_PICTURE_ERROR) sh->picture->ramp_top = o->error_top > 0 ? o->error_top : sh->picture->largest;
}

static void draw_words(const ossai_scene *s, const sheet *sh, ossai_pixel *pixels, int frame)
{
	const ossa_picture_options *o = &sh->options;
	const ossai_cell cell = {pixels, (size_t)o->width, (size_t)o->height, caption_height(o), o->transparent};
	char text[80], top[32];
	if (frame == REST) snprintf(text, sizeof text, "rest");
	else snprintf(text, sizeof text, "frame %d", frame + 1);
	if (has_captions(sh)) ossai_cell_caption(&cell, text);
	if (!has_legend(sh)) return;
	if (sh->row_count > 0) {
		ossai_cell_list(&cell, sh->rows, sh->row_count);
		return;
	}
	const bool error = o->color == OSSA_PICTURE_ERROR;
	if (error) ossai_format(text, sizeof text, "error, largest %.3g %% of diagonal", s->largest);
	else snprintf(text, sizeof text, "weights, %s", s->bones.skeleton->bones[s->subject.bone].name);
	ossai_format(top, sizeof top, "%.3g%s", sh->picture->ramp_top, error ? " %" : "");
	ossai_cell_legend(&cell, text, "0", top);
}

typedef struct store_job {
	const sheet *sheet;
	const ossai_pixel *pixels;
	uint8_t *first; /* the cell's upper left byte on the sheet */
} store_job;

static void store_rows(void *arg, size_t begin, size_t end)
{
	const store_job *job = arg;
	const size_t width = (size_t)job->sheet->options.width, stride = 4 * job->sheet->picture->width;
	const ossai_encoding *encoding = &job->sheet->encoding;
	for (size_t y = begin; y < end; y++) {
		for (size_t x = 0; x < width; x++) {
			const ossai_pixel *p = &job->pixels[y * width + x];
			uint8_t *to = job->first + y * stride + 4 * x;
			const double inverse = p->coverage > 0 ? 1 / (double)p->coverage : 0;
			to[0] = ossai_encode(encoding, p->r * inverse);
			to[1] = ossai_encode(encoding, p->g * inverse);
			to[2] = ossai_encode(encoding, p->b * inverse);
			to[3] = (uint8_t)(fmin(p->coverage, 1) * 255 + 0.5);
		}
	}
}

static ossa_status draw_doubts(ossai_scene *s, ossai_canvas *canvas, const ossai_camera *camera, ossai_arena *arena)
{
	ossai_solid rings;
	OSSAI_TRY(ossai_doubts_solid(arena, &s->bones, s->scale, camera, &rings));
	return rings.triangle_count > 0 ? ossai_canvas_overlay(s->context, canvas, camera, 0, &rings) : OSSA_OK;
}

static ossa_status draw_cell(
	ossai_scene *s, sheet *sh, ossai_canvas *canvas, size_t frame, size_t view, const ossai_ground *ground)
{
	const ossa_picture_options *o = &sh->options;
	const ossai_camera *camera = &sh->cameras[view];
	const ossai_light *background = o->transparent ? NULL : &ossai_background;
	OSSAI_TRY(ossai_canvas_surface(s->context, canvas, camera, o->up, &s->solid, background, ground));
	if (o->skeleton) {
		ossai_arena arena = ossai_arena_begin(s->context);
		ossai_solid bones;
		ossa_status status = ossai_bones_solid(&arena, &s->bones, camera, &bones);
		if (status == OSSA_OK) status = ossai_canvas_overlay(s->context, canvas, camera, o->up, &bones);
		if (status == OSSA_OK && o->color == OSSA_PICTURE_ROLES) status = draw_doubts(s, canvas, camera, &arena);
		ossai_arena_end(&arena);
		OSSAI_TRY(status);
	}
	draw_words(s, sh, canvas->pixels, sh->frames[frame]);
	const size_t cell = view * sh->frame_count + frame, stride = 4 * sh->picture->width;
	const size_t row = cell / sh->columns * (size_t)o->height, column = cell % sh->columns * (size_t)o->width;
	store_job job = {sh, canvas->pixels, sh->picture->pixels + row * stride + 4 * column};
	ossai_parallel_for(s->context, (size_t)o->height, 16, store_rows, &job);
	return ossai_progress(s->context, (double)(frame * sh->view_count + view + 1) / (double)(sh->frame_count * sh->view_count));
}

/* the ground: under the pose's own lowest point, since example poses are seldom sculpted on one
   floor */
static double lowest_point(const ossai_scene *s, int up)
{
	double lowest = HUGE_VAL;
	for (size_t v = 0; v < s->solid.vertex_count; v++) {
		lowest = fmin(lowest, s->solid.positions[3 * v + (size_t)up]);
	}
	return lowest;
}

static ossa_status draw_frame(ossai_scene *s, sheet *sh, ossai_canvas *canvas, size_t frame)
{
	const int up = sh->options.up;
	OSSAI_TRY(ossai_scene_load(s, sh->frames[frame]));
	ossai_scene_finish(s, sh->picture->ramp_top);
	ossai_arena arena = ossai_arena_begin(s->context);
	ossai_ground ground;
	/* from below or along it the ground is invisible */
	const bool has_ground = sh->options.elevation > 1;
	ossa_status status = OSSA_OK;
	if (has_ground) status = ossai_ground_make(s->context, &arena, &s->solid, up, lowest_point(s, up), &ground);
	for (size_t view = 0; view < sh->view_count && status == OSSA_OK; view++) {
		status = draw_cell(s, sh, canvas, frame, view, has_ground ? &ground : NULL);
	}
	ossai_arena_end(&arena);
	return status;
}

static ossa_status list_roles(ossai_arena *arena, const ossai_scene *s, sheet *sh)
{
	sh->rows = ossai_arena_new(arena, s->bones.skeleton->bone_count, sizeof *sh->rows);
	if (!sh->rows) return ossa_context_error(s->context)->status;
	sh->row_count = ossai_role_rows(s->bones.skeleton, sh->rows);
	return OSSA_OK;
}

static ossa_status draw_sheet(ossa_context *context, const ossa_picture_subject *subject, sheet *sh)
{
	ossai_arena arena = ossai_arena_begin(context);
	ossai_scene s;
	ossai_canvas canvas;
	const size_t width = (size_t)sh->options.width, height = (size_t)sh->options.height;
	ossai_encoding_fill(&sh->encoding);
	ossa_status status = ossai_scene_make(context, &arena, subject, &sh->options, &s);
	if (status == OSSA_OK && sh->options.color == OSSA_PICTURE_ROLES) status = list_roles(&arena, &s, sh);
	if (status == OSSA_OK) status = frame_all(&s, sh);
	choose_top(sh);
	if (status == OSSA_OK) status = ossai_canvas_make(&arena, width, height, &canvas);
	for (size_t f = 0; f < sh->frame_count && status == OSSA_OK; f++) status = draw_frame(&s, sh, &canvas, f);
	ossai_arena_end(&arena);
	return status;
}

/* ---- the public calls ---- */

static ossa_status check_frames(
	ossa_context *context, const ossa_picture_subject *subject, const int *frames, size_t frame_count)
{
	if (frame_count == 0) return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "no frame to draw; -1 is the rest pose");
	const ossa_clip *clip = subject->clip ? subject->clip : subject->rig->clip;
	const size_t there = clip ? clip->frame_count : 0;
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

/* errors need frames, as many as the motion has */
static ossa_status check_errors(
	ossa_context *context, const ossa_picture_subject *subject, const int *frames, size_t frame_count)
{
	const ossa_clip *clip = subject->clip ? subject->clip : subject->rig->clip;
	if (!subject->frames)
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "errors are drawn against frames, and none are given");
	const size_t there = ossa_frame_stream_frame_count(subject->frames), keys = clip ? clip->frame_count : 0;
	const size_t vertices = ossa_frame_stream_vertex_count(subject->frames);
	if (there != keys || vertices != subject->rig->mesh->vertex_count) {
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL,
			"there are %zu frames of %zu vertices to draw errors against, but the motion has %zu of %zu", there, vertices, keys,
			subject->rig->mesh->vertex_count);
	}
	for (size_t i = 0; i < frame_count; i++) {
		if (frames[i] != REST) continue;
		return ossai_fail(
			context, OSSA_ERROR_ARGUMENT, NULL, "the rest pose corresponds to no frame and has no error; choose frames");
	}
	return OSSA_OK;
}

static ossa_status check_roles(ossa_context *context, const ossa_rig *rig)
{
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		if (rig->skeleton.bones[b].role.part != OSSA_PART_NONE) return OSSA_OK;
	}
	return ossai_fail(context, OSSA_ERROR_INPUT, NULL,
		"no bone of the rig is known to be a part of a body; rig it with a body that has bones of its own (`body`), or show "
		"`color bones`");
}

static ossa_status check_subject(ossa_context *context, const ossa_picture_subject *subject, const int *frames,
	size_t frame_count, const ossa_picture_options *options)
{
	const ossa_rig *rig = subject->rig;
	OSSAI_TRY(ossa_options_check(context, ossa_picture_option_table(), options));
	OSSAI_TRY(check_frames(context, subject, frames, frame_count));
	OSSAI_TRY(ossa_rig_validate(context, rig));
	if (rig->mesh->vertex_count == 0) {
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL,
			"the rig is a skeleton alone: it has no vertices to draw; give a rig with its mesh");
	}
	if (subject->clip && subject->clip->bone_count != rig->skeleton.bone_count) {
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "the motion has %zu bones, but the rig has %zu",
			subject->clip->bone_count, rig->skeleton.bone_count);
	}
	if (options->color == OSSA_PICTURE_WEIGHTS && subject->bone >= rig->skeleton.bone_count) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "bone %zu has no weights: the rig has %zu bones", subject->bone,
			rig->skeleton.bone_count);
	}
	if (options->color == OSSA_PICTURE_ROLES) OSSAI_TRY(check_roles(context, rig));
	return options->color == OSSA_PICTURE_ERROR ? check_errors(context, subject, frames, frame_count) : OSSA_OK;
}

static ossa_status make_picture(ossa_context *context, size_t width, size_t height, ossa_picture **picture)
{
	ossa_picture *made = ossai_new(context, 1, sizeof *made);
	if (!made) return ossa_context_error(context)->status;
	/* zeroed: the last row of the sheet may not be full */
	*made = (ossa_picture){width, height, ossa_alloc(context, width * height, 4), 0, 0};
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

/* how cells lie on the sheet */
static ossa_status lay_out(ossa_context *context, sheet *sh)
{
	const ossa_picture_options *o = &sh->options;
	const size_t cells = sh->frame_count * sh->view_count, one_row = sh->frame_count > 1 ? sh->frame_count : sh->view_count;
	sh->columns = o->columns > 0 ? (size_t)o->columns : one_row;
	if (sh->columns > cells) sh->columns = cells;
	const size_t rows = (cells - 1) / sh->columns + 1;
	if ((double)sh->columns * o->width * (double)rows * o->height > sheet_pixels_max) {
		return ossai_fail(context, OSSA_ERROR_LIMIT, NULL,
			"a sheet of %zu x %zu pictures of %d x %d pixels is too large; ask for fewer frames or a smaller size", sh->columns,
			rows, o->width, o->height);
	}
	OSSAI_TRY(make_picture(context, sh->columns * (size_t)o->width, rows * (size_t)o->height, &sh->picture));
	if (!o->transparent) fill_background(sh->picture);
	return OSSA_OK;
}

ossa_status ossa_picture_draw(ossa_context *context, const ossa_picture_subject *subject, const int *frames, size_t frame_count,
	const ossa_picture_options *options, ossa_picture **picture)
{
	if (picture) *picture = NULL;
	OSSAI_NEED(context, subject, picture);
	if (frame_count > 0) OSSAI_NEED(context, frames);
	OSSAI_NEED(context, subject->rig);
	sheet sh = {.options = options ? *options : ossa_picture_default(), .frames = frames, .frame_count = frame_count};
	OSSAI_TRY(check_subject(context, subject, frames, frame_count, &sh.options));
	sh.view_count = (size_t)sh.options.views;
	if (sh.options.color == OSSA_PICTURE_AUTO) {
		sh.options.color = ossai_looks_are_there(subject->rig->mesh) ? OSSA_PICTURE_MATERIALS : OSSA_PICTURE_BONES;
	}
	OSSAI_TRY(lay_out(context, &sh));
	ossai_stage_begin(context, "picture");
	const ossa_status status = draw_sheet(context, subject, &sh);
	ossai_stage_end(context);
	if (status != OSSA_OK) ossa_picture_free(context, sh.picture);
	else *picture = sh.picture;
	return status;
}

ossa_status ossa_picture_rig(ossa_context *context, const ossa_rig *rig, const int *frames, size_t frame_count,
	const ossa_picture_options *options, ossa_picture **picture)
{
	const ossa_picture_subject subject = {.rig = rig};
	return ossa_picture_draw(context, &subject, frames, frame_count, options, picture);
}

void ossa_picture_free(ossa_context *context, ossa_picture *picture)
{
	if (!picture) return;
	ossa_free(context, picture->pixels);
	ossa_free(context, picture);
}

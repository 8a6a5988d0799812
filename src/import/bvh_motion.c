/* import/bvh_motion.c: the frames of a BVH file: see bvh.h.

   Place in the path: after the hierarchy.
   Input: the text behind MOTION, the columns that the hierarchy states.
   Output: the asset's one clip. */
#include "import/bvh_parts.h"

#include "import/registry.h"

#include <string.h>
#include <strings.h>

/* the frames that MOTION states; the most frames that the bytes after it can hold */
typedef struct bvh_motion {
	int64_t stated;
	size_t capacity;
	double step; /* seconds */
} bvh_motion;

/* "Frames:" or "Frame Time:", with or without blanks around the colon */
static ossa_status read_label(ossai_bvh_reader *reader, const char *label)
{
	ossai_text *text = &reader->text;
	const size_t size = strlen(label);
	ossai_text_space(text, 0);
	if ((size_t)(text->end - text->at) < size || strncasecmp(text->at, label, size) != 0) {
		return ossai_bvh_unexpected(reader, ossai_bvh_next_word(text), label);
	}
	text->at += size;
	ossai_text_blanks(text);
	if (!ossai_text_ended(text) && *text->at == ':') text->at++;
	ossai_text_blanks(text);
	return OSSA_OK;
}

static ossa_status read_motion_head(ossai_bvh_reader *reader, bvh_motion *motion)
{
	ossai_text *text = &reader->text;
	float step = 0;
	OSSAI_TRY(read_label(reader, "Frames"));
	if (!ossai_text_integer(text, &motion->stated) || motion->stated < 0) {
		return ossai_text_fail(text, "the number of frames must stand behind \"Frames:\"");
	}
	OSSAI_TRY(read_label(reader, "Frame Time"));
	OSSAI_TRY(ossai_text_numbers(text, "Frame Time", 1, &step));
	motion->step = (double)step;
	if (!(motion->step > 0)) {
		const ossai_place place = ossai_text_place(text);
		motion->step = 1 / OSSAI_DEFAULT_RATE;
		ossai_warn(text->context, "bvh-frame-time", 1, "%s: the frame time is %g: frames are taken at %g a second", place.file,
			(double)step, OSSAI_DEFAULT_RATE);
	}
	/* a number takes a byte and a blank */
	const size_t numbers = ((size_t)(text->end - text->at) + 1) / 2;
	motion->capacity = reader->column_count > 0 ? numbers / reader->column_count : 0;
	if ((int64_t)motion->capacity > motion->stated) motion->capacity = (size_t)motion->stated;
	return OSSA_OK;
}

/* the destination of a column's numbers */
typedef struct bvh_target {
	float *values;
	size_t stride;
} bvh_target;

static ossa_status no_memory(const ossai_bvh_reader *reader) { return ossa_context_error(reader->text.context)->status; }

/* the channel of an op; the position's holds all three values, those without a column at the
   OFFSET */
static ossa_status add_clip_channel(
	ossai_bvh_reader *reader, ossai_asset_clip *clip, const ossai_bvh_column *column, size_t frames, double *times)
{
	const uint32_t width = column->op == 0 ? 3 : 1;
	const double *rest = reader->asset->nodes[column->node].ops[0].values;
	float *values = ossai_arena_zero(&reader->asset->arena, frames, width * sizeof *values);
	if (!values) return no_memory(reader);
	for (size_t i = 0; column->op == 0 && i < 3 * frames; i++) values[i] = (float)rest[i % 3];
	clip->channels[clip->channel_count++] = (ossai_asset_channel){.node = column->node,
		.op = column->op,
		.first = column->op == 0 ? 0 : 3,
		.width = width,
		.interpolation = OSSAI_LINEAR,
		.key_count = frames,
		.times = times,
		.values = values};
	return OSSA_OK;
}

/* the channels of all columns; columns of one position share one */
static ossa_status make_channels(
	ossai_bvh_reader *reader, ossai_asset_clip *clip, const bvh_motion *motion, bvh_target *targets)
{
	ossai_arena *arena = &reader->asset->arena;
	double *times = ossai_arena_new(arena, motion->capacity, sizeof *times);
	clip->channels = ossai_arena_new(arena, reader->column_count, sizeof *clip->channels);
	if (!times || !clip->channels) return no_memory(reader);
	for (size_t f = 0; f < motion->capacity; f++) times[f] = (double)f * motion->step;
	const ossai_asset_channel *position = NULL;
	for (size_t c = 0; c < reader->column_count; c++) {
		const ossai_bvh_column *column = &reader->columns[c];
		const bool shares = column->op == 0 && position && position->node == column->node;
		if (!shares) OSSAI_TRY(add_clip_channel(reader, clip, column, motion->capacity, times));
		if (column->op == 0 && !shares) position = &clip->channels[clip->channel_count - 1];
		const ossai_asset_channel *own = column->op == 0 ? position : &clip->channels[clip->channel_count - 1];
		targets[c] = (bvh_target){own->values + (column->op == 0 ? column->axis : 0), own->width};
	}
	return OSSA_OK;
}

/* one frame, usually a line; `whole` false where the file ends before or in it */
static ossa_status read_frame(ossai_bvh_reader *reader, const bvh_target *targets, size_t frame, bool *whole)
{
	ossai_text *text = &reader->text;
	*whole = false;
	for (size_t c = 0; c < reader->column_count; c++) {
		ossai_text_space(text, 0);
		if (ossai_text_ended(text)) return OSSA_OK;
		OSSAI_TRY(ossai_text_numbers(text, "motion", 1, targets[c].values + frame * targets[c].stride));
	}
	*whole = true;
	ossai_text_blanks(text);
	if (ossai_text_ended(text) || ossai_is_line_end(*text->at)) return OSSA_OK;
	return ossai_text_fail(text,
		"frame %zu does not end with its line: the hierarchy has %zu channels, so lines have more or fewer numbers", frame + 1,
		reader->column_count);
}

static ossa_status read_frames(
	ossai_bvh_reader *reader, const bvh_motion *motion, const bvh_target *targets, ossai_asset_clip *clip)
{
	ossai_text *text = &reader->text;
	size_t count = 0;
	for (bool whole = true; count < motion->capacity; count++) {
		OSSAI_TRY(read_frame(reader, targets, count, &whole));
		if (!whole) break;
	}
	for (size_t i = 0; i < clip->channel_count; i++) clip->channels[i].key_count = count;
	ossai_text_space(text, 0);
	if ((int64_t)count < motion->stated) {
		ossai_warn(text->context, "bvh-frames", 1, "%s: states %lld frames but holds %zu whole ones: these are taken",
			text->name, (long long)motion->stated, count);
	} else if (!ossai_text_ended(text)) {
		ossai_warn(text->context, "bvh-frames", 1, "%s, line %lld: there is more after the %zu frames stated: it is left out",
			text->name, (long long)text->line, count);
	}
	return OSSA_OK;
}

ossa_status ossai_bvh_read_motion(ossai_bvh_reader *reader)
{
	ossai_asset *asset = reader->asset;
	bvh_motion motion = {0};
	OSSAI_TRY(read_motion_head(reader, &motion));
	bvh_target *targets = ossai_arena_new(&asset->arena, reader->column_count, sizeof *targets);
	ossai_asset_clip *clip = ossai_arena_zero(&asset->arena, 1, sizeof *clip);
	if (!targets || !clip) return no_memory(reader);
	OSSAI_TRY(make_channels(reader, clip, &motion, targets));
	OSSAI_TRY(read_frames(reader, &motion, targets, clip));
	if (clip->channel_count == 0 || clip->channels[0].key_count == 0) return OSSA_OK;
	char name[64];
	ossai_name_of_path(name, asset->path);
	clip->name = ossai_asset_text(asset, name, strlen(name));
	if (!clip->name) return no_memory(reader);
	asset->clips = clip;
	asset->clip_count = 1;
	return OSSA_OK;
}

/* export/caches.c: point caches: PC2 (little-endian, even steps) and MDD (big-endian, a time for
   each frame).

   Place in the path: writers of the registry.
   Input: checked frames.
   Output: a .pc2 or .mdd that Blender's Mesh Cache reads. PC2 has no times in seconds: its frames
   count from 0 in steps of 1. */
#include "export/bytes.h"
#include "export/export.h"
#include "base/file.h"

#include <stdio.h>

typedef void (*put_u32)(uint8_t *bytes, uint32_t value);

static void write_u32(FILE *stream, uint32_t value, put_u32 put)
{
	uint8_t bytes[4];
	put(bytes, value);
	fwrite(bytes, 1, 4, stream);
}

static void write_floats(FILE *stream, const float *values, size_t count, put_u32 put)
{
	uint8_t bytes[4096];
	for (size_t begin = 0; begin < count; begin += sizeof bytes / 4) {
		const size_t some = count - begin < sizeof bytes / 4 ? count - begin : sizeof bytes / 4;
		for (size_t i = 0; i < some; i++) put(bytes + 4 * i, ossai_bytes_of_float(values[begin + i]));
		fwrite(bytes, 4, some, stream);
	}
}

/* both formats use signed 32-bit counts */
static ossa_status begin(ossa_context *context, const ossa_frames *frames, const char *path, ossai_output *output)
{
	const ossai_place place = ossai_in_file(path);
	if (frames->vertex_count <= INT32_MAX && frames->frame_count <= INT32_MAX) return ossai_output_begin(context, path, output);
	return ossai_fail(context, OSSA_ERROR_LIMIT, &place, "a point cache holds at most 2^31 - 1 vertices and frames");
}

ossa_status ossai_pc2_write_frames(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames, const char *path,
	const ossa_write_options *options)
{
	(void)mesh, (void)options;
	ossai_output output;
	OSSAI_TRY(begin(context, frames, path, &output));
	static const float start_and_rate[2] = {0, 1};
	fwrite("POINTCACHE2", 1, 12, output.stream);
	write_u32(output.stream, 1, ossai_bytes_put_u32);
	write_u32(output.stream, (uint32_t)frames->vertex_count, ossai_bytes_put_u32);
	write_floats(output.stream, start_and_rate, 2, ossai_bytes_put_u32);
	write_u32(output.stream, (uint32_t)frames->frame_count, ossai_bytes_put_u32);
	write_floats(output.stream, frames->positions, frames->frame_count * frames->vertex_count * 3, ossai_bytes_put_u32);
	return ossai_output_commit(&output);
}

ossa_status ossai_mdd_write_frames(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames, const char *path,
	const ossa_write_options *options)
{
	(void)mesh, (void)options;
	ossai_output output;
	OSSAI_TRY(begin(context, frames, path, &output));
	write_u32(output.stream, (uint32_t)frames->frame_count, ossai_bytes_put_u32_big);
	write_u32(output.stream, (uint32_t)frames->vertex_count, ossai_bytes_put_u32_big);
	for (size_t f = 0; f < frames->frame_count; f++) {
		write_u32(output.stream, ossai_bytes_of_float((float)frames->times[f]), ossai_bytes_put_u32_big);
	}
	write_floats(output.stream, frames->positions, frames->frame_count * frames->vertex_count * 3, ossai_bytes_put_u32_big);
	return ossai_output_commit(&output);
}

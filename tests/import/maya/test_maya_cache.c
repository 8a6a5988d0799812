/* tests/import/maya/test_maya_cache.c: Maya caches: one file and one for each frame, 32 and 64
   bits, channels, the XML; and broken files. The files are made here, from the layout alone. */
#include "import/maya/maya_cache.h"
#include "support/streams.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- a writer ---- */

typedef struct buffer {
	unsigned char bytes[8192];
	size_t size;
	bool is_wide;
} buffer;

static void put(buffer *b, const void *bytes, size_t size)
{
	assert_true(b->size + size <= sizeof b->bytes);
	memcpy(b->bytes + b->size, bytes, size);
	b->size += size;
}

static void put_number(buffer *b, uint64_t number, size_t size)
{
	for (size_t i = size; i-- > 0;) put(b, &(unsigned char){(unsigned char)(number >> 8 * i)}, 1);
}

/* a wide chunk has four unused bytes after its tag, which must be ignored */
static void put_head(buffer *b, const char *tag, size_t size)
{
	put(b, tag, 4);
	if (b->is_wide) put(b, "\xAB\xCD\xEF\x01", 4);
	put_number(b, size, b->is_wide ? 8 : 4);
}

static void put_chunk(buffer *b, const char *tag, const void *bytes, size_t size)
{
	static const unsigned char zeros[8];
	const size_t align = b->is_wide ? 8 : 4;
	put_head(b, tag, size);
	put(b, bytes, size);
	put(b, zeros, (align - size % align) % align);
}

static void put_whole(buffer *b, const char *tag, uint32_t number)
{
	const unsigned char bytes[4] = {
		(unsigned char)(number >> 24), (unsigned char)(number >> 16), (unsigned char)(number >> 8), (unsigned char)number};
	put_chunk(b, tag, bytes, 4);
}

static void put_group(buffer *b, const char *type, const buffer *content)
{
	put_head(b, b->is_wide ? "FOR8" : "FOR4", content->size + 4);
	put(b, type, 4);
	put(b, content->bytes, content->size);
}

static void put_header(buffer *b, int first, int last)
{
	buffer content = {.is_wide = b->is_wide};
	put_chunk(&content, "VRSN", "0.1", 4);
	put_whole(&content, "STIM", (uint32_t)first);
	put_whole(&content, "ETIM", (uint32_t)last);
	put_group(b, "CACH", &content);
}

/* a channel whose coordinate i is base + i */
static void put_channel(buffer *b, const char *name, const char *tag, uint32_t vertices, float base)
{
	buffer values = {0};
	for (uint32_t i = 0; i < 3 * vertices; i++) {
		const float value = base + (float)i;
		const double wide = (double)value;
		uint64_t bits = 0;
		uint32_t narrow = 0;
		memcpy(&bits, &wide, 8);
		memcpy(&narrow, &value, 4);
		put_number(&values, tag[0] == 'D' ? bits : narrow, tag[0] == 'D' ? 8 : 4);
	}
	put_chunk(b, "CHNM", name, strlen(name) + 1);
	put_whole(b, "SIZE", vertices);
	put_chunk(b, tag, values.bytes, values.size);
}

/* the two meshes of the cache at a time: front with 2 vertices, back with 3 */
static void put_frame(buffer *b, const char *tag, int ticks, bool with_time)
{
	buffer content = {.is_wide = b->is_wide};
	if (with_time) put_whole(&content, "TIME", (uint32_t)ticks);
	put_channel(&content, "front", tag, 2, (float)ticks);
	put_channel(&content, "back", tag, 3, (float)ticks + 100);
	/* what holds no vectors is passed over */
	put_chunk(&content, "CHNM", "mass", 5);
	put_whole(&content, "SIZE", 1);
	put_chunk(&content, "FBCA", "\x3F\x80\0\0", 4);
	put_group(b, "MYCH", &content);
}

static const int all_ticks[3] = {250, 500, 750};

static buffer one_file(bool is_wide, const char *tag)
{
	buffer b = {.is_wide = is_wide};
	put_header(&b, 250, 750);
	for (int i = 0; i < 3; i++) put_frame(&b, tag, all_ticks[i], true);
	return b;
}

static buffer frame_file(bool is_wide, int ticks)
{
	buffer b = {.is_wide = is_wide};
	put_header(&b, ticks, ticks);
	put_frame(&b, "FVCA", ticks, false);
	return b;
}

static const char *write_buffer(const char *name, const buffer *b) { return test_file(name, b->bytes, b->size); }

/* ---- reading ---- */

static void make_folder(const char *name) { assert_int_equal(mkdir(test_path(name), 0777), 0); }

/* frames at these ticks, with the back before the front where `swapped` */
static void check_frames(
	ossa_context *context, size_t path_count, const char *const *paths, size_t count, const int *ticks, bool swapped)
{
	ossa_frames *frames;
	assert_ok(context, ossa_read_frames(context, NULL, path_count, paths, false, NULL, &frames));
	assert_ok(context, ossa_frames_validate(context, frames));
	assert_int_equal(frames->frame_count, count);
	assert_int_equal(frames->vertex_count, 5);
	test_stream_agrees(context, NULL, path_count, paths, NULL, frames);
	for (size_t f = 0; f < count; f++) {
		const float *p = frames->positions + 15 * f, *front = swapped ? p + 9 : p, *back = swapped ? p : p + 6;
		for (int i = 0; i < 6; i++) assert_true(front[i] == (float)(ticks[f] + i));
		for (int i = 0; i < 9; i++) assert_true(back[i] == (float)(ticks[f] + 100 + i));
		assert_near(frames->times[f], (ticks[f] - ticks[0]) / 6000.0, 1e-9);
	}
	ossa_frames_free(context, frames);
}

static void refused(const char *path, ossa_status expected, const char *words)
{
	ossa_context *context = test_context(1);
	ossa_frames *frames = (ossa_frames *)1;
	assert_fails(context, ossa_read_frames(context, NULL, 1, &path, false, NULL, &frames), expected, words);
	assert_null(frames);
	test_context_end(context);
}

static void one_file_holds_all_frames(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (int form = 0; form < 4; form++) {
		const buffer b = one_file(form & 1, form & 2 ? "DVCA" : "FVCA");
		assert_true(ossai_maya_detect(b.bytes, b.size));
		const char *path = write_buffer(form & 1 ? "one.mcx" : "one.mc", &b);
		check_frames(context, 1, &path, 3, all_ticks, false);
	}
	assert_int_equal(ossa_context_warning_count(context), 0);
	test_context_end(context);
}

static void frames_before_zero_have_times(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const int ticks[] = {-500, -250, 0};
	buffer b = {0};
	put_header(&b, -500, 0);
	/* their order in the file is not their order in time */
	put_frame(&b, "FVCA", 0, true);
	put_frame(&b, "FVCA", -500, true);
	put_frame(&b, "FVCA", -250, true);
	const char *path = write_buffer("before.mc", &b);
	check_frames(context, 1, &path, 3, ticks, false);
	test_context_end(context);
}

static void files_of_frames_are_found_beside_each_other(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	static const struct {
		const char *name;
		int ticks;
	} files[] = {{"many/runFrame-1.mc", -250}, {"many/runFrame2.mc", 500}, {"many/runFrame2Tick125.mc", 625},
		{"many/runFrame10.mc", 2500}, {"many/rerunFrame1.mc", 250}, {"many/runFrame3.mcx", 750},
		{"many/runFrame4.mc.bak", 1000}};
	make_folder("many");
	for (size_t i = 0; i < 7; i++) {
		const buffer b = frame_file(i == 5, files[i].ticks);
		write_buffer(files[i].name, &b);
	}
	const int ticks[] = {-250, 500, 625, 2500};
	for (size_t i = 0; i < 4; i++) {
		const char *path = test_path(files[i].name);
		check_frames(context, 1, &path, 4, ticks, false);
	}
	/* several of them name the same cache */
	const char *paths[] = {test_path("many/runFrame#.mc"), test_path("many/runFrame2Tick125.mc")};
	check_frames(context, 2, paths, 4, ticks, false);
	paths[0] = test_path("many/rerunFrame1.mc");
	check_frames(context, 1, paths, 1, (const int[]){250}, false);
	assert_int_equal(ossa_context_warning_count(context), 0);
	/* one that was removed after it was checked, and a broken one */
	write_buffer("many/runFrame2.mc", &(buffer){.bytes = "FOR4", .size = 4});
	refused(test_path("many/runFrame10.mc"), OSSA_ERROR_INPUT, "many/runFrame2.mc, byte 0: has no whole header");
	test_context_end(context);
}

/* ---- the XML ---- */

static const char *description(const char *type, const char *format, const char *first, const char *second, int end)
{
	static char text[2048];
	snprintf(text, sizeof text,
		"<?xml version=\"1.0\"?>\n<Autodesk_Cache_File>\n<cacheType Type=\"%s\" Format=\"%s\"/>\n<time Range=\"250-%d\"/>\n"
		"<cacheTimePerFrame TimePerFrame=\"250\"/>\n<extra>a &amp; b</extra>\n<Channels>\n"
		"<channel0 ChannelName=\"%s\" ChannelType=\"FloatVectorArray\" ChannelInterpretation=\"positions\" "
		"SamplingType=\"Regular\" "
		"SamplingRate=\"250\" StartTime=\"250\" EndTime=\"%d\"/>\n"
		"<channel1 ChannelName=\"mass\" ChannelType=\"FloatArray\" ChannelInterpretation=\"mass\"/>\n"
		"<channel2 ChannelName=\"arrows\" ChannelType=\"FloatVectorArray\" ChannelInterpretation=\"normals\"/>\n"
		"<channel3 ChannelName=\"%s\" ChannelType=\"DoubleVectorArray\" ChannelInterpretation=\"Points\"/>\n"
		"</Channels>\n</Autodesk_Cache_File>\n",
		type, format, end, first, end, second);
	return text;
}

static const char *write_description(const char *name, const char *type, const char *format, const char *first, int end)
{
	return test_file(name, description(type, format, first, strcmp(first, "back") == 0 ? "front" : "back", end), 0);
}

static void the_description_names_files_and_channels(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	make_folder("xml");
	const buffer one = one_file(false, "FVCA"), wide = one_file(true, "DVCA");
	write_buffer("xml/a.mc", &one);
	write_buffer("xml/b.mcx", &wide);
	for (int i = 0; i < 3; i++) {
		char name[64];
		snprintf(name, sizeof name, "xml/cFrame%d.mcx", i + 1);
		const buffer b = frame_file(true, all_ticks[i]);
		write_buffer(name, &b);
	}
	const char *paths[] = {write_description("xml/a.xml", "OneFile", "mcc", "back", 750), test_path("xml/a.mc"),
		write_description("xml/b.xml", "OneFile", "mcx", "front", 750),
		write_description("xml/c.xml", "OneFilePerFrame", "mcx", "back", 750), test_path("xml/cFrame2.mcx")};
	for (size_t i = 0; i < 5; i++) check_frames(context, 1, &paths[i], 3, all_ticks, i != 2);
	/* the XML and its file are one cache */
	check_frames(context, 2, paths, 3, all_ticks, true);
	assert_int_equal(ossa_context_warning_count(context), 0);
	paths[0] = write_description("xml/c.xml", "OneFilePerFrame", "mcx", "back", 1500);
	check_frames(context, 1, paths, 3, all_ticks, true);
	assert_string_equal(ossa_context_warning(context, 0)->code, "cache-frames-missing");
	assert_int_equal(ossa_context_warning(context, 0)->count, 3);
	test_context_end(context);
}

static void descriptions_that_fit_nothing_are_refused(void **state)
{
	(void)state;
	make_folder("bad");
	const buffer one = one_file(false, "FVCA");
	write_buffer("bad/a.mc", &one);
	refused(write_description("bad/none.xml", "OneFile", "mcc", "back", 750), OSSA_ERROR_READ, "bad/none.mc: cannot be opened");
	refused(write_description("bad/none.xml", "OneFilePerFrame", "mcc", "back", 750), OSSA_ERROR_INPUT,
		"there is no file noneFrame1.mc");
	refused(
		write_description("bad/a.xml", "TwoFiles", "mcc", "back", 750), OSSA_ERROR_INPUT, "a.xml, line 3: cacheType's Type");
	refused(write_description("bad/a.xml", "OneFile", "f3d", "back", 750), OSSA_ERROR_INPUT, "neither mcc nor mcx");
	refused(write_description("bad/a.xml", "OneFile", "mcc", "side", 750), OSSA_ERROR_INPUT,
		"channel \"side\" of the XML is not in");
	refused(
		test_file("bad/a.xml", description("OneFile", "mcc", "back", "back", 750), 0), OSSA_ERROR_INPUT, "in the XML twice");
	refused(test_file("bad/a.xml",
				"<?xml version=\"1.0\"?><Autodesk_Cache_File><cacheType Type=\"OneFile\" Format=\"mcc\"/>"
				"</Autodesk_Cache_File>",
				0),
		OSSA_ERROR_INPUT, "names no channel of positions");
	refused(test_file("bad/a.xml", "<Autodesk_Cache_File><cacheType", 0), OSSA_ERROR_INPUT, "a.xml");
}

/* ---- what does not fit together ---- */

static void times_that_not_all_channels_have_are_left_out(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	buffer b = {0}, content = {0};
	put_header(&b, 250, 1250);
	for (int i = 0; i < 3; i++) put_frame(&b, "FVCA", all_ticks[i], true);
	put_whole(&content, "TIME", 600);
	put_channel(&content, "back", "FVCA", 3, 0);
	put_group(&b, "MYCH", &content);
	/* the same time again: the last one counts */
	put_frame(&b, "FVCA", 750, true);
	const char *path = write_buffer("uneven.mc", &b);
	check_frames(context, 1, &path, 3, all_ticks, false);
	assert_string_equal(ossa_context_warning(context, 0)->code, "cache-times-dropped");
	assert_int_equal(ossa_context_warning(context, 0)->count, 3);
	/* it should last two frames longer */
	assert_string_equal(ossa_context_warning(context, 1)->code, "cache-frames-missing");
	assert_int_equal(ossa_context_warning(context, 1)->count, 2);
	test_context_end(context);
	b = (buffer){0};
	put_header(&b, 0, 0);
	for (int i = 0; i < 2; i++) {
		content = (buffer){0};
		put_whole(&content, "TIME", (uint32_t)i);
		put_channel(&content, i ? "a" : "b", "FVCA", 1, 0);
		put_group(&b, "MYCH", &content);
	}
	refused(write_buffer("never.mc", &b), OSSA_ERROR_INPUT, "no time in common");
}

static void channels_that_are_no_mesh_are_refused(void **state)
{
	(void)state;
	buffer b = {0}, content = {0};
	put_header(&b, 250, 500);
	put_frame(&b, "FVCA", 250, true);
	put_whole(&content, "TIME", 500);
	put_channel(&content, "front", "FVCA", 2, 0);
	put_channel(&content, "back", "FVCA", 4, 0);
	put_group(&b, "MYCH", &content);
	refused(
		write_buffer("grows.mc", &b), OSSA_ERROR_INPUT, "grows.mc: channel \"back\" has 3 vertices at first and 4 in frame 2");
	b = (buffer){0};
	put_header(&b, 250, 500);
	refused(write_buffer("empty.mc", &b), OSSA_ERROR_INPUT, "holds no positions");
	content = (buffer){0};
	put_channel(&content, "none", "FVCA", 0, 0);
	put_group(&b, "MYCH", &content);
	refused(write_buffer("empty.mc", &b), OSSA_ERROR_INPUT, "holds no vertices");
	content = (buffer){0};
	put_chunk(&content, "CHNM", "a", 2);
	put_whole(&content, "SIZE", 0x55555556);
	put_chunk(&content, "FVCA", "0123456789ab", 12);
	put_group(&b, "MYCH", &content);
	refused(write_buffer("short.mc", &b), OSSA_ERROR_INPUT, "holds fewer vectors than it says");
	content = (buffer){0};
	b = (buffer){0};
	put_header(&b, 250, 250);
	put_channel(&content, "a", "DVCA", 1, NAN);
	put_group(&b, "MYCH", &content);
	refused(write_buffer("nan.mc", &b), OSSA_ERROR_INPUT, "frame 1, vertex 0: the position is not finite");
}

/* ---- harm ---- */

/* opens bytes as a cache and reads all of it; whatever comes must be finite */
static ossa_status read_all(ossa_context *context, const unsigned char *bytes, size_t size)
{
	/* a copy of that size, so that a step beyond is noticed */
	unsigned char *copy = malloc(size ? size : 1);
	assert_non_null(copy);
	memcpy(copy, bytes, size);
	const ossai_source source = {.path = "memory", .bytes = copy, .size = size};
	ossai_cache cache;
	ossa_status status = ossai_maya_open(context, &source, &cache);
	if (status == OSSA_OK) {
		float *positions = calloc(3 * cache.vertex_count, sizeof *positions);
		assert_non_null(positions);
		for (size_t f = 0; f < cache.frame_count && status == OSSA_OK; f++) {
			status = ossai_cache_frame(context, &cache, f, positions);
			for (size_t i = 0; status == OSSA_OK && i < 3 * cache.vertex_count; i++) assert_true(isfinite(positions[i]));
		}
		free(positions);
		ossai_cache_close(context, &cache);
	}
	free(copy);
	return status;
}

static void truncations_lose_frames_or_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (int wide = 0; wide < 2; wide++) {
		const buffer b = one_file(wide, "FVCA");
		size_t whole = 0;
		for (size_t size = 0; size <= b.size; size++) {
			const ossa_status status = read_all(context, b.bytes, size);
			assert_true(status == OSSA_OK || status == OSSA_ERROR_INPUT);
			whole += status == OSSA_OK;
		}
		/* the ends of the frames, and what is padding there */
		assert_in_range(whole, 3, 60);
	}
	/* a file that ends before its time says so */
	assert_string_equal(ossa_context_warning(context, 0)->code, "cache-frames-missing");
	test_context_end(context);
}

static void no_byte_can_harm(void **state)
{
	(void)state;
	static const unsigned char masks[] = {0xFF, 0x80, 0x01, 0x20};
	ossa_context *context = test_context(1);
	for (int wide = 0; wide < 2; wide++) {
		buffer b = one_file(wide, "DVCA");
		for (size_t i = 0; i < b.size; i++) {
			for (size_t k = 0; k < sizeof masks; k++) {
				b.bytes[i] ^= masks[k];
				const ossa_status status = read_all(context, b.bytes, b.size);
				assert_true(status == OSSA_OK || status == OSSA_ERROR_INPUT);
				b.bytes[i] ^= masks[k];
			}
		}
	}
	assert_true(ossa_context_peak_bytes(context) < (size_t)1 << 20);
	test_context_end(context);
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	make_folder("sweep");
	const buffer one = one_file(true, "FVCA");
	write_buffer("sweep/a.mcx", &one);
	for (int i = 0; i < 2; i++) {
		const buffer b = frame_file(false, all_ticks[i]);
		write_buffer(i ? "sweep/bFrame2.mc" : "sweep/bFrame1.mc", &b);
	}
	const char *paths[] = {write_description("sweep/a.xml", "OneFile", "mcx", "back", 750), test_path("sweep/bFrame1.mc")};
	test_sweep_read_frames(NULL, 2, paths, 61);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_file_holds_all_frames),
		cmocka_unit_test(frames_before_zero_have_times),
		cmocka_unit_test(files_of_frames_are_found_beside_each_other),
		cmocka_unit_test(the_description_names_files_and_channels),
		cmocka_unit_test(descriptions_that_fit_nothing_are_refused),
		cmocka_unit_test(times_that_not_all_channels_have_are_left_out),
		cmocka_unit_test(channels_that_are_no_mesh_are_refused),
		cmocka_unit_test(truncations_lose_frames_or_are_refused),
		cmocka_unit_test(no_byte_can_harm),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

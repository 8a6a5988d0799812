/* tests/report/test_html.c: the report as a page: well-formed, self-contained, and complete
   about what there is and is not. */
#include "base/context.h"
#include "support/support.h"

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* a bar of `bones` unit cubes' tops in a row: a strip of quads along x, a bone for each, parents to
   the left */
static ossa_rig *strip(ossa_context *context, size_t bones, size_t frames)
{
	const size_t columns = bones + 1;
	float *positions = malloc(6 * columns * sizeof *positions);
	uint32_t *triangles = calloc(6 * bones, sizeof *triangles);
	for (size_t v = 0; v < 2 * columns; v++) {
		memcpy(positions + 3 * v, (float[]){(float)(v % columns), (float)(v / columns), 0}, 3 * sizeof *positions);
	}
	for (size_t b = 0; b < bones; b++) {
		const uint32_t a = (uint32_t)b, c = (uint32_t)(b + columns);
		memcpy(triangles + 6 * b, (uint32_t[]){a, a + 1, c, a + 1, c + 1, c}, 6 * sizeof *triangles);
	}
	ossa_mesh *mesh;
	ossa_rig *rig;
	assert_ok(context, ossa_mesh_create(context, 2 * columns, positions, 2 * bones, triangles, &mesh));
	assert_ok(context, ossa_rig_create(context, mesh, bones, 1, &rig));
	ossa_mesh_free(context, mesh);
	free(positions);
	free(triangles);
	for (size_t b = 0; b < bones; b++) {
		ossa_bone *bone = &rig->skeleton.bones[b];
		snprintf(bone->name, sizeof bone->name, "bone_%03zu", b);
		bone->parent = (int32_t)b - 1;
		bone->kind = b ? OSSA_JOINT_BALL : OSSA_JOINT_ROOT;
		bone->joint[0] = (double)b;
		bone->tail[0] = (double)b + 1;
		bone->orientation[3] = 1;
	}
	for (size_t v = 0; v < 2 * columns; v++) {
		rig->weights.bones[v] = (uint16_t)(v % columns < bones ? v % columns : bones - 1);
		rig->weights.values[v] = 1;
	}
	if (frames == 0) return rig;
	assert_ok(context, ossa_clip_create(context, frames, bones, false, &rig->clip));
	for (size_t i = 0; i < frames * bones; i++) rig->clip->rotations[4 * i + 3] = 1;
	for (size_t f = 0; f < frames; f++) rig->clip->times[f] = (double)f;
	return rig;
}

/* every frame at rest but vertex 1 in frame `when`, which is off by `off` */
static ossa_frames *frames_off(ossa_context *context, const ossa_rig *rig, size_t when, float off)
{
	ossa_frames *frames;
	const size_t size = 3 * rig->mesh->vertex_count;
	assert_ok(context, ossa_frames_create(context, rig->clip->frame_count, rig->mesh->vertex_count, 24, &frames));
	for (size_t f = 0; f < frames->frame_count; f++) {
		memcpy(frames->positions + size * f, rig->mesh->positions, size * sizeof(float));
	}
	frames->positions[size * when + 3 + 2] += off;
	return frames;
}

/* the page of a rig and its frames (or NULL), the costs of the run left out: they never are the
   same */
static char *page_of(ossa_context *context, const ossa_rig *rig, const ossa_frames *frames, const char *input)
{
	ossa_report report;
	char *text = NULL;
	assert_ok(context, ossa_report_make(context, rig, frames, &report));
	report.wall_seconds = report.cpu_seconds = 0;
	report.peak_resident_bytes = 0;
	report.input = input;
	if (frames) assert_ok(context, ossa_frame_stream_of_frames(context, frames, &report.frames));
	assert_ok(context, ossa_report_html(context, &report, &text));
	ossa_frame_stream_free(context, report.frames);
	return text;
}

/* well-formed, and nothing in it asks for anything that is not in it */
static xmlDoc *read_page(const char *text)
{
	xmlDoc *document = xmlReadMemory(
		text, (int)strlen(text), "page", NULL, XML_PARSE_NONET | XML_PARSE_HUGE | XML_PARSE_NOERROR);
	if (!document) {
		const xmlError *error = xmlGetLastError();
		fail_msg("line %d: %s", error ? error->line : 0, error ? error->message : "");
	}
	static const char *const outside[] = {
		"http:", "https:", "url(", "@import", "<script", "javascript", "href=", "<link", "<iframe", "//"};
	/* base 64 may say anything */
	char *plain = malloc(strlen(text) + 1), *to = plain;
	for (const char *at = text; *at;) {
		const char *data = strstr(at, ";base64,");
		const size_t length = data ? (size_t)(data - at) : strlen(at);
		memcpy(to, at, length);
		to += length;
		at += length;
		if (data) at = strchr(at, '"');
	}
	*to = 0;
	for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
		if (strstr(plain, outside[i])) fail_msg("the page has %s", outside[i]);
	}
	assert_null(strstr(plain, "nan"));
	assert_null(strstr(plain, "(null)"));
	free(plain);
	return document;
}

static size_t count_of(const char *text, const char *part)
{
	size_t count = 0;
	for (const char *at = text; (at = strstr(at, part)); at += strlen(part)) count++;
	return count;
}

/* the bytes behind ";base64," */
static uint8_t *decode(const char *at, size_t *size)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint8_t *bytes = malloc(strlen(at));
	uint32_t bits = 0;
	int count = 0;
	*size = 0;
	for (; strchr(digits, *at) && *at; at++) {
		bits = bits << 6 | (uint32_t)(strchr(digits, *at) - digits);
		count += 6;
		if (count < 8) continue;
		count -= 8;
		bytes[(*size)++] = (uint8_t)(bits >> count);
	}
	return bytes;
}

/* every picture is a PNG of the size that the page gives it, and holds something */
static size_t check_pictures(const char *text)
{
	size_t count = 0;
	for (const char *at = text; (at = strstr(at, "<img width=\"")); count++) {
		char *end;
		const unsigned long width = strtoul(at + 12, &end, 10), height = strtoul(end + strlen("\" height=\""), NULL, 10);
		at = strstr(at, ";base64,") + 8;
		size_t size;
		uint8_t *bytes = decode(at, &size);
		png_image image = {.version = PNG_IMAGE_VERSION};
		assert_true(png_image_begin_read_from_memory(&image, bytes, size));
		assert_true(image.width == width && image.height == height);
		image.format = PNG_FORMAT_RGBA;
		uint8_t *pixels = malloc(PNG_IMAGE_SIZE(image));
		assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
		size_t seen = 0;
		for (size_t i = 0; i < width * height; i++) seen += pixels[4 * i + 3] > 200;
		assert_true(seen > 300);
		free(pixels);
		free(bytes);
	}
	return count;
}

static void a_moving_rig_is_reported_whole(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_rig *rig = strip(context, 4, 3);
	ossa_frames *frames = frames_off(context, rig, 1, 0.1f);
	char *text = page_of(context, rig, frames, "walk & <run>.obj");
	xmlFreeDoc(read_page(text));
	assert_non_null(strstr(text, "<h1>walk &amp; &lt;run&gt;.obj</h1>"));
	assert_non_null(
		strstr(text, "A rig of 4 bones for a mesh of 10 vertices and 8 faces in 1 piece, moving through 3 frames."));
	/* 0.1 of sqrt(17) */
	assert_non_null(strstr(text, "2.425 %<small>at vertex 1, in frame 2</small>"));
	assert_non_null(strstr(text, "<title>frame 2: RMS 0.767 %, largest 2.43 %</title>"));
	assert_non_null(strstr(text, "Frame 2, that of the largest error"));
	for (size_t i = 0; i < ossa_metrics_table()->count; i++)
		assert_non_null(strstr(text, ossa_metrics_table()->fields[i].title));
	assert_non_null(strstr(text, "None: nothing had to be repaired"));
	assert_int_equal(count_of(text, "<tr><th scope=\"row\" style="), 4);
	/* two of the rest, two of the worst frame, two joints that are not next to each other */
	assert_int_equal(check_pictures(text), 6);
	ossa_free(context, text);
	ossa_frames_free(context, frames);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void names_and_warnings_are_escaped(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = strip(context, 2, 0);
	strcpy(rig->method, "<i>&\"'");
	ossai_warn(context, "names-changed", 2, "the name <script>\"&' of L\xf6we \x02");
	ossai_warn(context, "unheard-of", 1, "new");
	char *text = page_of(context, rig, NULL, "of a person/<title><b>\xff");
	xmlDoc *document = read_page(text);
	xmlChar *words = xmlNodeGetContent(xmlDocGetRootElement(document));
	assert_non_null(strstr((char *)words, "the name <script>\"&' of L?we ?"));
	assert_non_null(strstr((char *)words, "What to do: nothing; give safe names before the export to keep them."));
	assert_non_null(strstr((char *)words, "<title><b>?: rig report"));
	assert_non_null(strstr((char *)words, "<i>&\"'"));
	assert_non_null(strstr((char *)words, "2 names"));
	xmlFree(words);
	xmlFreeDoc(document);
	ossa_free(context, text);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* the last picture is of a joint that is bent, not of the rest */
static void assert_bent(ossa_context *context, const ossa_rig *rig, const char *text)
{
	const char *last = text;
	for (const char *at = text; (at = strstr(at, "<img width=\"")); at++) last = at;
	char *end;
	ossa_picture_options options = ossa_picture_default();
	options.width = (int)strtol(last + 12, &end, 10);
	options.height = (int)strtol(end + strlen("\" height=\""), NULL, 10);
	options.transparent = true;
	options.skeleton = options.legend = false;
	const int rest = -1;
	ossa_picture *picture;
	assert_ok(context, ossa_picture_rig(context, rig, &rest, 1, &options, &picture));
	size_t size, rest_size;
	uint8_t *bytes = decode(strstr(last, ";base64,") + 8, &size), *rest_bytes;
	assert_ok(context, ossa_picture_png(context, picture, &rest_bytes, &rest_size));
	assert_false(size == rest_size && memcmp(bytes, rest_bytes, size) == 0);
	free(bytes);
	ossa_free(context, rest_bytes);
	ossa_picture_free(context, picture);
}

static void a_still_rig_has_no_errors(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = strip(context, 3, 0);
	for (size_t b = 1; b < rig->skeleton.bone_count; b++) rig->skeleton.bones[b].kind = OSSA_JOINT_UNKNOWN;
	char *text = page_of(context, rig, NULL, NULL);
	xmlFreeDoc(read_page(text));
	assert_non_null(strstr(text, "<h1>mesh</h1>"));
	assert_non_null(strstr(text, "without motion"));
	assert_non_null(strstr(text, "There are no frames to compare with"));
	assert_null(strstr(text, "Where the errors are"));
	assert_null(strstr(text, "worst frame</h2>"));
	assert_null(strstr(text, "Largest error"));
	/* no columns of what only motion has */
	assert_null(strstr(text, ">Kind<"));
	assert_null(strstr(text, ">About x<"));
	assert_non_null(strstr(text, "Joints inside"));
	assert_int_equal(check_pictures(text), 3);
	assert_bent(context, rig, text);
	ossa_free(context, text);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static const char SKELETON[] =
	"HIERARCHY\nROOT hips\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nJOINT knee\n{\nOFFSET 0 -1 "
	"0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 -1 0\n}\n}\n}\n"
	"MOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0 0 0 0\n0 0 0 30 0 0\n";

static void a_skeleton_alone_has_neither_skin_nor_pictures(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, ossa_read_rig(context, test_file("skeleton.bvh", SKELETON, 0), NULL, &rig));
	char *text = page_of(context, rig, NULL, "skeleton.bvh");
	xmlFreeDoc(read_page(text));
	assert_non_null(strstr(text, "A rig of 2 bones without a mesh, moving through 2 frames."));
	assert_non_null(strstr(text, "A skeleton alone has no skin"));
	assert_null(strstr(text, "<img"));
	assert_non_null(strstr(text, "0 to 30"));
	ossa_free(context, text);
	char *json;
	ossa_report report;
	assert_ok(context, ossa_report_make(context, rig, NULL, &report));
	assert_ok(context, ossa_report_json(context, &report, &json));
	assert_non_null(strstr(json, "\"rms_percent\": null"));
	ossa_free(context, json);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* many bones: the worst of them as bars, all in the table; many frames: columns that say that they
   stand for several */
static void large_rigs_stay_readable(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_rig *rig = strip(context, 500, 1);
	ossa_frames *frames = frames_off(context, rig, 0, 2);
	char *text = page_of(context, rig, frames, "many bones");
	xmlFreeDoc(read_page(text));
	assert_int_equal(count_of(text, "<tr><th scope=\"row\" style="), 500);
	/* and one stage: the measuring */
	assert_int_equal(count_of(text, "<g class=\"bar\">"), 24 + 1);
	assert_non_null(strstr(text, "The 476 other bones are at 0 % or less"));
	/* one frame makes no plot over frames */
	assert_null(strstr(text, "<h3>By frame</h3>"));
	ossa_free(context, text);
	ossa_frames_free(context, frames);
	ossa_rig_free(context, rig);
	rig = strip(context, 2, 2000);
	frames = frames_off(context, rig, 1234, 0.5f);
	text = page_of(context, rig, frames, "many frames");
	xmlFreeDoc(read_page(text));
	assert_non_null(strstr(text, "Each column shows the least and the largest of up to 4 frames."));
	assert_non_null(strstr(text, "<title>frame 1235: "));
	assert_true(strlen(text) < 2000000);
	ossa_free(context, text);
	ossa_frames_free(context, frames);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* a run's own page differs by its seconds; everything else is the same */
static void threads_do_not_matter(void **state)
{
	(void)state;
	char *pages[2];
	for (int i = 0; i < 2; i++) {
		ossa_context *context = test_context(i == 0 ? 1 : 4);
		ossa_rig *rig = strip(context, 4, 3);
		ossa_frames *frames = frames_off(context, rig, 2, 0.3f);
		char *text = page_of(context, rig, frames, "same");
		*strstr(text, "<h2>How it was made</h2>") = 0;
		pages[i] = strdup(text);
		ossa_free(context, text);
		ossa_frames_free(context, frames);
		ossa_rig_free(context, rig);
		test_context_end(context);
	}
	assert_string_equal(pages[0], pages[1]);
	free(pages[0]);
	free(pages[1]);
}

static void the_ending_decides(void **state)
{
	(void)state;
	static const struct {
		const char *name, *begin;
	} files[] = {{"a.html", "<!DOCTYPE html>"}, {"a.HTM", "<!DOCTYPE html>"}, {"a.json", "{"}, {"html", "{"}};
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	ossa_report report;
	assert_ok(context, ossa_read_rig(context, test_file("skeleton.bvh", SKELETON, 0), NULL, &rig));
	assert_ok(context, ossa_report_make(context, rig, NULL, &report));
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
		char begin[32] = "";
		assert_ok(context, ossa_report_write(context, &report, test_path(files[i].name)));
		FILE *file = fopen(test_path(files[i].name), "rb");
		assert_true(fread(begin, 1, strlen(files[i].begin), file) > 0);
		fclose(file);
		assert_string_equal(begin, files[i].begin);
	}
	assert_fails(context, ossa_report_write(context, &report, test_path("none/a.html")), OSSA_ERROR_WRITE, "none/a.html");
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void frames_of_another_shape_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = strip(context, 2, 3);
	ossa_frames *frames = frames_off(context, rig, 0, 0);
	ossa_report report;
	char *text;
	assert_ok(context, ossa_report_make(context, rig, frames, &report));
	frames->frame_count = 2;
	assert_ok(context, ossa_frame_stream_of_frames(context, frames, &report.frames));
	assert_fails(context, ossa_report_html(context, &report, &text), OSSA_ERROR_INPUT, "2 frames");
	assert_null(text);
	ossa_frame_stream_free(context, report.frames);
	ossa_frames_free(context, frames);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static ossa_status make_page(ossa_context *context, void *arg)
{
	void **parts = arg;
	ossa_report report;
	char *text = NULL;
	OSSAI_TRY(ossa_report_make(context, parts[0], parts[1], &report));
	if (parts[1]) OSSAI_TRY(ossa_frame_stream_of_frames(context, parts[1], &report.frames));
	const ossa_status status = ossa_report_html(context, &report, &text);
	ossa_frame_stream_free(context, report.frames);
	ossa_free(context, text);
	return status;
}

static void allocations_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, ossa_read_rig(context, test_file("skeleton.bvh", SKELETON, 0), NULL, &rig));
	assert_true(test_allocation_sweep(make_page, (void *[]){rig, NULL}, SIZE_MAX, 1) >= 3);
	ossa_rig_free(context, rig);
	/* pictures take their time */
	rig = strip(context, 2, 2);
	ossa_frames *frames = frames_off(context, rig, 1, 0.2f);
	assert_true(test_allocation_sweep(make_page, (void *[]){rig, frames}, 0, 29) > 100);
	ossa_frames_free(context, frames);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_moving_rig_is_reported_whole),
		cmocka_unit_test(names_and_warnings_are_escaped),
		cmocka_unit_test(a_still_rig_has_no_errors),
		cmocka_unit_test(a_skeleton_alone_has_neither_skin_nor_pictures),
		cmocka_unit_test(large_rigs_stay_readable),
		cmocka_unit_test(threads_do_not_matter),
		cmocka_unit_test(the_ending_decides),
		cmocka_unit_test(frames_of_another_shape_are_refused),
		cmocka_unit_test(allocations_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

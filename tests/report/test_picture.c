/* tests/report/test_picture.c: properties of pictures, and their files. */
#include "report/camera.h"
#include "support/support.h"

#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a small rig made by hand: a tube of three bones along Y that bends about Z ---- */

enum { TUBE_RINGS = 25, TUBE_SIDES = 16, TUBE_BONES = 3, TUBE_FRAMES = 4 };

static ossa_mesh *tube_mesh(ossa_context *context, double scale, double offset)
{
	static float positions[TUBE_RINGS * TUBE_SIDES * 3];
	static uint32_t triangles[(TUBE_RINGS - 1) * TUBE_SIDES * 2 * 3];
	size_t at = 0;
	for (uint32_t ring = 0; ring < TUBE_RINGS; ring++) {
		for (uint32_t side = 0; side < TUBE_SIDES; side++) {
			const double angle = 2 * 3.14159265358979 * side / TUBE_SIDES;
			float *p = positions + 3 * (ring * TUBE_SIDES + side);
			p[0] = (float)(0.3 * cos(angle) * scale + offset);
			p[1] = (float)(3.0 * ring / (TUBE_RINGS - 1) * scale);
			p[2] = (float)(-0.3 * sin(angle) * scale);
			const uint32_t a = ring * TUBE_SIDES + side, b = ring * TUBE_SIDES + (side + 1) % TUBE_SIDES;
			const uint32_t pair[6] = {a, b, a + TUBE_SIDES, b, b + TUBE_SIDES, a + TUBE_SIDES};
			if (ring + 1 < TUBE_RINGS) memcpy(triangles + at, pair, sizeof pair);
			at += 6;
		}
	}
	ossa_mesh *mesh = NULL;
	assert_ok(context,
		ossa_mesh_create(
			context, TUBE_RINGS * TUBE_SIDES, positions, sizeof triangles / sizeof triangles[0] / 3, triangles, &mesh));
	return mesh;
}

/* the bone of a height, and how much of the next one */
static void tube_weights(ossa_rig *rig)
{
	for (size_t v = 0; v < rig->mesh->vertex_count; v++) {
		const double height = 3.0 * (double)(v / TUBE_SIDES) / (TUBE_RINGS - 1);
		/* blends over 0.4 around the joints at 1 and 2 */
		double second = (height - 0.8) / 0.4;
		uint16_t bone = 0;
		if (height > 1.5) {
			second -= 2.5;
			bone = 1;
		}
		second = second < 0 ? 0 : second > 1 ? 1 : second;
		const int swap = second > 0.5;
		rig->weights.bones[2 * v] = (uint16_t)(bone + swap);
		rig->weights.bones[2 * v + 1] = (uint16_t)(second == 0 || second == 1 ? 0 : bone + !swap);
		rig->weights.values[2 * v] = (float)(swap ? second : 1 - second);
		rig->weights.values[2 * v + 1] = 1 - rig->weights.values[2 * v];
	}
}

static void tube_clip(ossa_context *context, ossa_rig *rig, double scale, double offset)
{
	const size_t bones = rig->skeleton.bone_count;
	assert_ok(context, ossa_clip_create(context, TUBE_FRAMES, bones, false, &rig->clip));
	for (size_t f = 0; f < TUBE_FRAMES; f++) {
		rig->clip->times[f] = (double)f / 24;
		rig->clip->root_positions[3 * f] = offset;
		rig->clip->root_positions[3 * f + 1] = 0.5 * scale;
		for (size_t b = 0; b < bones; b++) {
			double *q = rig->clip->rotations + 4 * (f * bones + b);
			const double half = b == 0 ? 0 : 0.2 * (double)f;
			q[2] = sin(half);
			q[3] = cos(half);
		}
	}
}

/* handles: bones past the third, each as long as the one before, that move nothing */
static ossa_rig *tube_rig_with(ossa_context *context, double scale, double offset, int handles)
{
	ossa_mesh *mesh = tube_mesh(context, scale, offset);
	ossa_rig *rig = NULL;
	assert_ok(context, ossa_rig_create(context, mesh, (size_t)(TUBE_BONES + handles), 2, &rig));
	ossa_mesh_free(context, mesh);
	for (int b = 0; b < TUBE_BONES + handles; b++) {
		ossa_bone *bone = &rig->skeleton.bones[b];
		snprintf(bone->name, sizeof bone->name, "bone_%d", b);
		bone->parent = b - 1;
		bone->kind = b == 0 ? OSSA_JOINT_ROOT : OSSA_JOINT_BALL;
		bone->joint[0] = bone->tail[0] = offset;
		bone->joint[1] = (b == 0 ? 0.5 : b) * scale;
		bone->tail[1] = (b + 1) * scale;
		bone->orientation[0] = bone->orientation[1] = bone->orientation[2] = 0;
		bone->orientation[3] = 1;
	}
	tube_weights(rig);
	tube_clip(context, rig, scale, offset);
	assert_ok(context, ossa_rig_validate(context, rig));
	return rig;
}

static ossa_rig *tube_rig(ossa_context *context, double scale, double offset)
{
	return tube_rig_with(context, scale, offset, 0);
}

static ossa_picture_options small_picture(void)
{
	ossa_picture_options options = ossa_picture_default();
	options.width = 96;
	options.height = 80;
	return options;
}

/* ---- pictures ---- */

static void same_bytes_for_any_threads(void **state)
{
	(void)state;
	const int threads[] = {1, 2, 3, 8}, frames[] = {-1, 3};
	ossa_picture *first = NULL;
	ossa_context *first_context = NULL;
	for (int i = 0; i < 4; i++) {
		ossa_context *context = test_context(threads[i]);
		ossa_rig *rig = tube_rig(context, 1, 0);
		ossa_picture_options options = small_picture();
		options.views = 2;
		options.height = 128;
		ossa_picture *picture = NULL;
		assert_ok(context, ossa_picture_rig(context, rig, frames, 2, &options, &picture));
		ossa_rig_free(context, rig);
		if (i == 0) {
			first = picture;
			first_context = context;
			continue;
		}
		assert_memory_equal(first->pixels, picture->pixels, 4 * first->width * first->height);
		ossa_picture_free(context, picture);
		test_context_end(context);
	}
	ossa_picture_free(first_context, first);
	test_context_end(first_context);
}

static void sheets_have_their_size(void **state)
{
	(void)state;
	static const struct {
		size_t frames;
		int views, columns;
		size_t across, down;
	} sheets[] = {{1, 1, 0, 1, 1}, {3, 1, 0, 3, 1}, {3, 2, 0, 3, 2}, {1, 3, 0, 3, 1}, {3, 1, 2, 2, 2}, {2, 1, 9, 2, 1}};
	const int frames[] = {-1, 0, 2};
	ossa_context *context = test_context(1);
	ossa_rig *rig = tube_rig(context, 1, 0);
	for (size_t i = 0; i < sizeof sheets / sizeof sheets[0]; i++) {
		ossa_picture_options options = small_picture();
		options.views = sheets[i].views;
		options.columns = sheets[i].columns;
		ossa_picture *picture = NULL;
		assert_ok(context, ossa_picture_rig(context, rig, frames, sheets[i].frames, &options, &picture));
		assert_int_equal(picture->width, sheets[i].across * 96);
		assert_int_equal(picture->height, sheets[i].down * 80);
		/* opaque up to the last, empty cell */
		for (size_t p = 0; p < picture->width * picture->height; p++) assert_int_equal(picture->pixels[4 * p + 3], 255);
		ossa_picture_free(context, picture);
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void bad_requests_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = tube_rig(context, 1, 0);
	ossa_picture *picture = NULL;
	ossa_picture_options options = small_picture();
	const int late[] = {0, TUBE_FRAMES}, early[] = {-2}, rest[] = {-1};
	assert_fails(context, ossa_picture_rig(context, rig, late, 2, &options, &picture), OSSA_ERROR_ARGUMENT,
		"frame 4 is not there: the clip has the frames 0 to 3");
	assert_null(picture);
	assert_fails(context, ossa_picture_rig(context, rig, early, 1, &options, &picture), OSSA_ERROR_ARGUMENT, "frame -2");
	assert_fails(context, ossa_picture_rig(context, rig, rest, 0, &options, &picture), OSSA_ERROR_ARGUMENT, "no frame");
	options.width = 1 << 20;
	assert_fails(context, ossa_picture_rig(context, rig, rest, 1, &options, &picture), OSSA_ERROR_ARGUMENT, "`width`");
	options.width = options.height = 4096;
	options.views = 64;
	assert_fails(context, ossa_picture_rig(context, rig, rest, 1, &options, &picture), OSSA_ERROR_LIMIT, "too large");
	ossa_clip_free(context, rig->clip);
	rig->clip = NULL;
	const int moving[] = {0};
	options = small_picture();
	assert_fails(context, ossa_picture_rig(context, rig, moving, 1, &options, &picture), OSSA_ERROR_ARGUMENT, "does not move");
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* the box of what is drawn in a cell of a transparent sheet */
typedef struct drawn_box {
	size_t left, top, right, bottom, count;
} drawn_box;

static drawn_box find_drawn(const ossa_picture *picture, size_t x_begin, size_t y_begin, size_t width, size_t height)
{
	drawn_box box = {width, height, 0, 0, 0};
	for (size_t y = 0; y < height; y++) {
		for (size_t x = 0; x < width; x++) {
			if (picture->pixels[4 * ((y_begin + y) * picture->width + x_begin + x) + 3] == 0) continue;
			box.count++;
			if (x < box.left) box.left = x;
			if (x > box.right) box.right = x;
			if (y < box.top) box.top = y;
			if (y > box.bottom) box.bottom = y;
		}
	}
	return box;
}

static void all_cells_hold_the_whole_shape(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_rig *rig = tube_rig(context, 1, 0);
	for (int up = 0; up < 3; up++) {
		ossa_picture_options options = small_picture();
		options.views = 4;
		options.up = up;
		options.elevation = 0;
		options.transparent = true;
		const int frames[] = {-1, 3};
		ossa_picture *picture = NULL;
		assert_ok(context, ossa_picture_rig(context, rig, frames, 2, &options, &picture));
		size_t widest = 0, highest = 0;
		for (size_t cell = 0; cell < 8; cell++) {
			const drawn_box box = find_drawn(picture, cell % 2 * 96, cell / 2 * 80, 96, 80);
			assert_true(box.count > 50);
			assert_in_range(box.left, 1, 95);
			assert_in_range(box.top, 1, 79);
			assert_in_range(box.right, 0, 94);
			assert_in_range(box.bottom, 0, 78);
			if (box.right - box.left > widest) widest = box.right - box.left;
			if (box.bottom - box.top > highest) highest = box.bottom - box.top;
		}
		/* and the largest of them fills its cell */
		assert_true(widest > 0.75 * 96 || highest > 0.75 * 80);
		ossa_picture_free(context, picture);
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static bool is_yellow(const uint8_t *p) { return p[0] > p[2] + 100 && p[1] > p[2] + 60; }

static void skeleton_is_drawn_over_the_surface(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = tube_rig(context, 1, 0);
	size_t yellow[2] = {0, 0};
	for (int skeleton = 0; skeleton < 2; skeleton++) {
		ossa_picture_options options = small_picture();
		options.width = options.height = 200;
		options.color = OSSA_PICTURE_PLAIN;
		options.skeleton = skeleton != 0;
		const int rest[] = {-1};
		ossa_picture *picture = NULL;
		assert_ok(context, ossa_picture_rig(context, rig, rest, 1, &options, &picture));
		for (size_t p = 0; p < picture->width * picture->height; p++) yellow[skeleton] += is_yellow(picture->pixels + 4 * p);
		ossa_picture_free(context, picture);
	}
	/* the root's joint lies inside the tube, and shows */
	assert_int_equal(yellow[0], 0);
	assert_true(yellow[1] > 20);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* an animator's handles neither show nor shrink the picture */
static void bones_that_move_nothing_are_left_out(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const int frames[] = {-1, 2};
	ossa_picture *pictures[2];
	for (int i = 0; i < 2; i++) {
		ossa_rig *rig = tube_rig_with(context, 1, 0, 4 * i);
		const ossa_picture_options options = small_picture();
		assert_ok(context, ossa_picture_rig(context, rig, frames, 2, &options, &pictures[i]));
		ossa_rig_free(context, rig);
	}
	assert_memory_equal(pictures[0]->pixels, pictures[1]->pixels, 4 * pictures[0]->width * pictures[0]->height);
	for (int i = 0; i < 2; i++) ossa_picture_free(context, pictures[i]);
	test_context_end(context);
}

/* mean difference of two pictures' bytes */
static double difference(const ossa_picture *a, const ossa_picture *b)
{
	double sum = 0;
	for (size_t i = 0; i < 4 * a->width * a->height; i++) sum += abs(a->pixels[i] - b->pixels[i]);
	return sum / (double)(4 * a->width * a->height);
}

static void units_and_place_do_not_matter(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	const double scales[] = {1, 1.0 / 1048576, 65536, 1}, offsets[] = {0, 0, 0, 4096};
	/* exact but where the coordinates themselves are rounded */
	const double allowed[] = {0, 0, 0, 0.4};
	ossa_picture *first = NULL;
	for (int i = 0; i < 4; i++) {
		ossa_rig *rig = tube_rig(context, scales[i], offsets[i]);
		ossa_picture_options options = small_picture();
		const int frame[] = {2};
		ossa_picture *picture = NULL;
		assert_ok(context, ossa_picture_rig(context, rig, frame, 1, &options, &picture));
		if (i == 0) first = picture;
		else {
			assert_true(difference(first, picture) <= allowed[i]);
			ossa_picture_free(context, picture);
		}
		ossa_rig_free(context, rig);
	}
	ossa_picture_free(context, first);
	test_context_end(context);
}

/* one bone over a few literal triangles: a point, a line, a flat square, one far from the origin */
static void poor_shapes_give_pictures(void **state)
{
	(void)state;
	static const float shapes[4][12] = {
		{1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3},
		{0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 3},
		{0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1},
		{1e6f, 1e6f, 1e6f, 1e6f + 1, 1e6f, 1e6f, 1e6f + 1, 1e6f + 1, 1e6f, 1e6f, 1e6f + 1, 1e6f},
	};
	const uint32_t triangles[6] = {0, 1, 2, 0, 2, 3};
	ossa_context *context = test_context(1);
	for (int shape = 0; shape < 4; shape++) {
		ossa_mesh *mesh = NULL;
		ossa_rig *rig = NULL;
		assert_ok(context, ossa_mesh_create(context, 4, shapes[shape], 2, triangles, &mesh));
		assert_ok(context, ossa_rig_create(context, mesh, 1, 1, &rig));
		ossa_bone *bone = &rig->skeleton.bones[0];
		*bone = (ossa_bone){.name = "root", .parent = -1, .kind = OSSA_JOINT_ROOT, .orientation = {0, 0, 0, 1}};
		for (int k = 0; k < 3; k++) bone->joint[k] = bone->tail[k] = shapes[shape][k];
		for (int v = 0; v < 4; v++) rig->weights.values[v] = 1;
		const int rest[] = {-1};
		ossa_picture_options options = small_picture();
		options.views = 2;
		ossa_picture *picture = NULL;
		assert_ok(context, ossa_picture_rig(context, rig, rest, 1, &options, &picture));
		size_t yellow = 0;
		for (size_t p = 0; p < picture->width * picture->height; p++) yellow += is_yellow(picture->pixels + 4 * p);
		assert_true(yellow > 0);
		ossa_picture_free(context, picture);
		ossa_rig_free(context, rig);
		ossa_mesh_free(context, mesh);
	}
	test_context_end(context);
}

/* ---- files ---- */

static void png_holds_the_same_pixels(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = tube_rig(context, 1, 0);
	for (int transparent = 0; transparent < 2; transparent++) {
		ossa_picture_options options = small_picture();
		options.transparent = transparent != 0;
		const int rest[] = {-1};
		ossa_picture *picture = NULL;
		assert_ok(context, ossa_picture_rig(context, rig, rest, 1, &options, &picture));
		const char *path = test_path("tube.png");
		assert_ok(context, ossa_picture_write(context, picture, path));
		png_image image = {.version = PNG_IMAGE_VERSION};
		assert_true(png_image_begin_read_from_file(&image, path));
		assert_int_equal(image.width, picture->width);
		assert_int_equal(image.height, picture->height);
		assert_int_equal((image.format & PNG_FORMAT_FLAG_ALPHA) != 0, transparent);
		image.format = PNG_FORMAT_RGBA;
		uint8_t *pixels = malloc(PNG_IMAGE_SIZE(image));
		assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
		assert_memory_equal(pixels, picture->pixels, 4 * picture->width * picture->height);
		free(pixels);
		ossa_picture_free(context, picture);
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void unwritable_paths_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	uint8_t pixels[4] = {1, 2, 3, 255};
	const ossa_picture picture = {.width = 1, .height = 1, .pixels = pixels};
	assert_fails(context, ossa_picture_write(context, &picture, "/nonexistent/folder/a.png"), OSSA_ERROR_WRITE, "a.png");
	test_context_end(context);
}

static ossa_status sweep_picture(ossa_context *context, void *arg)
{
	const ossa_rig *rig = arg;
	ossa_picture_options options = small_picture();
	options.width = options.height = 32;
	const int frames[] = {-1, 1};
	ossa_picture *picture = NULL;
	ossa_status status = ossa_picture_rig(context, rig, frames, 2, &options, &picture);
	if (status == OSSA_OK) status = ossa_picture_write(context, picture, test_path("sweep.png"));
	ossa_picture_free(context, picture);
	return status;
}

static void failing_allocations_are_survived(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = tube_rig(context, 1, 0);
	assert_true(test_allocation_sweep(sweep_picture, rig, 200, 1) > 20);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_bytes_for_any_threads),
		cmocka_unit_test(sheets_have_their_size),
		cmocka_unit_test(bad_requests_are_refused),
		cmocka_unit_test(all_cells_hold_the_whole_shape),
		cmocka_unit_test(skeleton_is_drawn_over_the_surface),
		cmocka_unit_test(bones_that_move_nothing_are_left_out),
		cmocka_unit_test(units_and_place_do_not_matter),
		cmocka_unit_test(poor_shapes_give_pictures),
		cmocka_unit_test(png_holds_the_same_pixels),
		cmocka_unit_test(unwritable_paths_are_refused),
		cmocka_unit_test(failing_allocations_are_survived),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* tests/support/volumes.c: see volumes.h. */
#include "support/volumes.h"

#include "support/support.h"

#include <string.h>

/* ---- shapes ---- */

static void add(test_volume *volume, test_volume_part part)
{
	assert_true(volume->count < sizeof volume->part / sizeof *volume->part);
	volume->part[volume->count++] = part;
}

static void add_cone(test_volume *volume, ossai_vec3 a, ossai_vec3 b, double radius, double radius2)
{
	add(volume, (test_volume_part){.kind = TEST_CONE, .a = a, .b = b, .radius = radius, .radius2 = radius2});
}

test_volume test_volume_ball(double radius) { return test_volume_capsule(0, radius); }

test_volume test_volume_capsule(double length, double radius)
{
	test_volume volume = {0};
	add(&volume, (test_volume_part){.kind = TEST_CAPSULE, .a = {-length / 2, 0, 0}, .b = {length / 2, 0, 0}, .radius = radius});
	return volume;
}

test_volume test_volume_box(double x, double y, double z)
{
	test_volume volume = {0};
	add(&volume, (test_volume_part){.kind = TEST_BOX, .a = {-x / 2, -y / 2, -z / 2}, .b = {x / 2, y / 2, z / 2}});
	return volume;
}

test_volume test_volume_torus(double radius, double tube)
{
	test_volume volume = {0};
	add(&volume, (test_volume_part){.kind = TEST_TORUS, .a = {0, 0, 0}, .b = {0, 0, 1}, .radius = radius, .radius2 = tube});
	return volume;
}

test_volume test_volume_octopus(void)
{
	test_volume volume = {0};
	add_cone(&volume, ossai_v3(0, 0.1, 0), ossai_v3(0, 0.3, 0), 0.2, 0.22);
	for (int i = 0; i < 8; i++) {
		const double angle = 0.13 + i * OSSAI_PI / 4, c = cos(angle), s = sin(angle);
		const ossai_vec3 hip = ossai_v3(0.1 * c, 0, 0.1 * s), knee = ossai_v3(0.5 * c, -0.05, 0.5 * s);
		add_cone(&volume, hip, knee, 0.08, 0.05);
		add_cone(&volume, knee, ossai_v3(0.75 * c, -0.3, 0.75 * s), 0.05, 0.035);
		add_cone(&volume, ossai_v3(0.75 * c, -0.3, 0.75 * s), ossai_v3(c, -0.4, s), 0.035, 0.02);
	}
	return volume;
}

test_volume test_volume_person(void)
{
	test_volume volume = {0};
	/* a flat body: three capsules side by side, and shoulders */
	add_cone(&volume, ossai_v3(-0.1, 0.9, 0), ossai_v3(-0.1, 1.35, 0), 0.09, 0.09);
	add_cone(&volume, ossai_v3(0, 0.9, 0), ossai_v3(0, 1.4, 0), 0.1, 0.1);
	add_cone(&volume, ossai_v3(0.1, 0.9, 0), ossai_v3(0.1, 1.35, 0), 0.09, 0.09);
	add_cone(&volume, ossai_v3(0, 1.4, 0), ossai_v3(0, 1.55, 0), 0.05, 0.05);
	add_cone(&volume, ossai_v3(0, 1.62, 0.01), ossai_v3(0, 1.68, 0.01), 0.1, 0.1);
	for (int side = -1; side <= 1; side += 2) {
		add_cone(&volume, ossai_v3(side * 0.17, 1.38, 0), ossai_v3(side * 0.45, 1.3, 0), 0.055, 0.045);
		add_cone(&volume, ossai_v3(side * 0.45, 1.3, 0), ossai_v3(side * 0.72, 1.28, 0.05), 0.045, 0.035);
		add_cone(&volume, ossai_v3(side * 0.1, 0.9, 0), ossai_v3(side * 0.12, 0.5, 0.02), 0.09, 0.06);
		add_cone(&volume, ossai_v3(side * 0.12, 0.5, 0.02), ossai_v3(side * 0.13, 0.06, 0), 0.06, 0.045);
		add_cone(&volume, ossai_v3(side * 0.13, 0.05, 0), ossai_v3(side * 0.14, 0.04, 0.16), 0.045, 0.03);
	}
	return volume;
}

/* ---- inside of shapes ---- */

static bool in_cone(const test_volume_part *part, ossai_vec3 p)
{
	const ossai_vec3 along = ossai_sub(part->b, part->a);
	const double length2 = ossai_length2(along), end = part->kind == TEST_CONE ? part->radius2 : part->radius;
	double t = length2 > 0 ? ossai_dot(ossai_sub(p, part->a), along) / length2 : 0;
	t = fmin(1, fmax(0, t));
	return ossai_distance(p, ossai_madd(part->a, t, along)) <= part->radius + t * (end - part->radius);
}

static bool in_box(const test_volume_part *part, ossai_vec3 p)
{
	return p.x >= part->a.x && p.x <= part->b.x && p.y >= part->a.y && p.y <= part->b.y && p.z >= part->a.z && p.z <= part->b.z;
}

static bool in_torus(const test_volume_part *part, ossai_vec3 p)
{
	const ossai_vec3 from = ossai_sub(p, part->a), axis = ossai_unit(part->b, ossai_v3(0, 0, 1));
	const double height = ossai_dot(from, axis), away = ossai_length(ossai_madd(from, -height, axis)) - part->radius;
	return sqrt(height * height + away * away) <= part->radius2;
}

/* a ball around a part: most points are in none of these, which is quickly seen */
typedef struct part_ball {
	ossai_vec3 center;
	double radius2; /* squared */
} part_ball;

static part_ball ball_of(const test_volume_part *part)
{
	const ossai_vec3 middle = ossai_lerp(part->a, part->b, 0.5);
	const double half = ossai_distance(part->a, part->b) / 2, most = half + part->radius + part->radius2 + 1e-6;
	/* b is the axis of a torus */
	if (part->kind == TEST_TORUS) return (part_ball){part->a, (most - half) * (most - half)};
	return (part_ball){middle, most * most};
}

static bool in_volume(const test_volume *volume, const part_ball *balls, ossai_vec3 p)
{
	bool inside = false;
	for (size_t i = 0; i < volume->count; i++) {
		const test_volume_part *part = &volume->part[i];
		const ossai_vec3 from = ossai_sub(p, balls[i].center);
		if (ossai_length2(from) > balls[i].radius2) continue;
		if (part->kind == TEST_HOLE) inside = inside && !in_box(part, p);
		else if (part->kind == TEST_BOX) inside = inside || in_box(part, p);
		else if (part->kind == TEST_TORUS) inside = inside || in_torus(part, p);
		else inside = inside || in_cone(part, p);
	}
	return inside;
}

/* ---- grids ---- */

static double length_of(uint32_t a, uint32_t b) { return a < b ? (b - a) * (double)(b - a) : (a - b) * (double)(a - b); }

/* squared distances of all cells, one axis after the other; O(cells x side) */
static void spread(const uint32_t *size, int axis, const double *from, double *to)
{
	const size_t stride = axis == 0 ? 1 : axis == 1 ? size[0] : (size_t)size[0] * size[1];
	const size_t cells = (size_t)size[0] * size[1] * size[2];
	for (size_t c = 0; c < cells; c++) {
		const uint32_t here = (uint32_t)(c / stride % size[axis]);
		const size_t line = c - here * stride;
		to[c] = from[c];
		for (uint32_t i = here; i-- > 0 && length_of(i, here) < to[c];) {
			to[c] = fmin(to[c], from[line + i * stride] + length_of(i, here));
		}
		for (uint32_t i = here + 1; i < size[axis] && length_of(i, here) < to[c]; i++) {
			to[c] = fmin(to[c], from[line + i * stride] + length_of(i, here));
		}
	}
}

/* empties all but the largest set of cells that touch; returns how many sets there were */
static size_t keep_largest(ossai_arena *arena, const uint32_t *size, uint8_t *inside)
{
	const size_t cells = (size_t)size[0] * size[1] * size[2];
	uint32_t *part = ossai_arena_zero(arena, cells, sizeof *part), *stack = ossai_arena_new(arena, cells, sizeof *stack);
	assert_true(part && stack);
	uint32_t parts = 0, largest = 0;
	size_t most = 0;
	for (size_t first = 0; first < cells; first++) {
		if (!inside[first] || part[first]) continue;
		size_t waiting = 1, count = 0;
		part[first] = ++parts;
		stack[0] = (uint32_t)first;
		while (waiting > 0) {
			const int64_t c = stack[--waiting];
			count++;
			for (int i = 0; i < 27; i++) {
				const int64_t u = c + i % 3 - 1 + ((int64_t)(i / 3 % 3 - 1) + (int64_t)(i / 9 - 1) * size[1]) * size[0];
				if (!inside[u] || part[u]) continue;
				part[u] = parts;
				stack[waiting++] = (uint32_t)u;
			}
		}
		if (count > most) largest = parts;
		if (count > most) most = count;
	}
	for (size_t c = 0; c < cells; c++) inside[c] = inside[c] && part[c] == largest;
	return parts;
}

/* makes voxels of the marked cells: the largest connected set, numbered, with distances */
static ossai_voxels finish(ossai_arena *arena, const uint32_t *size, uint8_t *inside)
{
	const size_t cells = (size_t)size[0] * size[1] * size[2];
	ossai_voxels voxels = {.size = {size[0], size[1], size[2]}};
	for (size_t c = 0; c < cells; c++) voxels.count += inside[c];
	voxels.left_out = voxels.count;
	voxels.part_count = keep_largest(arena, size, inside);
	voxels.count = 0;
	for (size_t c = 0; c < cells; c++) voxels.count += inside[c];
	voxels.left_out -= voxels.count;
	voxels.cell = ossai_arena_new(arena, voxels.count, sizeof *voxels.cell);
	voxels.of_cell = ossai_arena_new(arena, cells, sizeof *voxels.of_cell);
	voxels.distance2 = ossai_arena_new(arena, voxels.count, sizeof *voxels.distance2);
	double *a = ossai_arena_new(arena, cells, sizeof *a), *b = ossai_arena_new(arena, cells, sizeof *b);
	assert_true(voxels.cell && voxels.of_cell && voxels.distance2 && a && b);
	for (size_t c = 0; c < cells; c++) a[c] = inside[c] ? 1e18 : 0;
	spread(size, 0, a, b);
	spread(size, 1, b, a);
	spread(size, 2, a, b);
	size_t count = 0;
	for (size_t c = 0; c < cells; c++) {
		voxels.of_cell[c] = inside[c] ? (uint32_t)count : UINT32_MAX;
		if (!inside[c]) continue;
		voxels.cell[count] = (uint32_t)c;
		voxels.distance2[count++] = (uint32_t)b[c];
	}
	return voxels;
}

ossai_voxels test_voxels_of(ossai_arena *arena, const test_volume *volume, const ossai_mat3 *turn, double size)
{
	/* the rotated shape's box: points of a coarse grid that are inside, and a margin */
	enum { COARSE = 120 };
	const double reach = 2;
	part_ball balls[sizeof volume->part / sizeof *volume->part];
	for (size_t i = 0; i < volume->count; i++) balls[i] = ball_of(&volume->part[i]);
	ossai_vec3 low = {1e9, 1e9, 1e9}, high = {-1e9, -1e9, -1e9};
	for (int i = 0; i < COARSE * COARSE * COARSE; i++) {
		const ossai_vec3 p = ossai_scale(ossai_v3(i % COARSE - COARSE / 2 + 0.5, i / COARSE % COARSE - COARSE / 2 + 0.5,
											 i / COARSE / COARSE - COARSE / 2 + 0.5),
			2 * reach / COARSE);
		if (!in_volume(volume, balls, ossai_mat3_tmul_v(turn, p))) continue;
		low = ossai_v3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
		high = ossai_v3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
	}
	const double coarse = 2 * reach / COARSE;
	const ossai_vec3 side = ossai_add(ossai_sub(high, low), ossai_v3(coarse, coarse, coarse));
	const double step = size * fmax(side.x, fmax(side.y, side.z));
	const double sides[3] = {side.x, side.y, side.z};
	uint32_t cells[3];
	for (int i = 0; i < 3; i++) cells[i] = (uint32_t)ceil((sides[i] + coarse) / step) + 2;
	const ossai_vec3 origin = ossai_sub(low, ossai_v3(step + coarse, step + coarse, step + coarse));
	uint8_t *inside = ossai_arena_zero(arena, (size_t)cells[0] * cells[1] * cells[2], 1);
	assert_non_null(inside);
	size_t c = 0;
	for (uint32_t z = 0; z < cells[2]; z++) {
		for (uint32_t y = 0; y < cells[1]; y++) {
			for (uint32_t x = 0; x < cells[0]; x++, c++) {
				if (x == 0 || y == 0 || z == 0 || x + 1 == cells[0] || y + 1 == cells[1] || z + 1 == cells[2]) continue;
				inside[c] = in_volume(volume, balls, ossai_mat3_tmul_v(turn, ossai_madd(origin, step, ossai_v3(x, y, z))));
			}
		}
	}
	ossai_voxels voxels = finish(arena, cells, inside);
	voxels.step = step;
	voxels.origin = origin;
	return voxels;
}

ossai_voxels test_voxels_drawn(ossai_arena *arena, uint32_t columns, uint32_t rows, uint32_t layers, const char *is_inside)
{
	const uint32_t cells[3] = {columns + 2, rows + 2, layers + 2};
	assert_int_equal(strlen(is_inside), (size_t)columns * rows * layers);
	uint8_t *inside = ossai_arena_zero(arena, (size_t)cells[0] * cells[1] * cells[2], 1);
	assert_non_null(inside);
	for (uint32_t i = 0; i < columns * rows * layers; i++) {
		const uint32_t x = i % columns, y = i / columns % rows, z = i / columns / rows;
		inside[((z + 1) * cells[1] + y + 1) * cells[0] + x + 1] = is_inside[i] == '#';
	}
	ossai_voxels voxels = finish(arena, cells, inside);
	voxels.step = 1;
	voxels.origin = ossai_v3(-1, -1, -1);
	return voxels;
}

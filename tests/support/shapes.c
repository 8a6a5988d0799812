/* tests/support/shapes.c: see shapes.h. */
#include "support/shapes.h"

#include "support/support.h"

#include <ossa/mesh.h>
#include <stdlib.h>
#include <string.h>

test_shape *test_shape_new(void) { return calloc(1, sizeof(test_shape)); }

static const uint32_t BOX_FACES[36] = {
	0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};

void test_shape_box(test_shape *s, ossai_vec3 low, ossai_vec3 high, bool is_closed)
{
	for (uint32_t c = 0; c < 8; c++) {
		float *p = s->positions + 3 * (s->vertex_count + c);
		p[0] = (float)(c % 4 == 1 || c % 4 == 2 ? high.x : low.x);
		p[1] = (float)(c % 4 >= 2 ? high.y : low.y);
		p[2] = (float)(c >= 4 ? high.z : low.z);
	}
	for (size_t k = 0; k < 36; k++) {
		if (!is_closed && k / 6 == 1) continue;
		s->triangles[3 * s->face_count + k - (is_closed || k < 6 ? 0 : 6)] = BOX_FACES[k] + (uint32_t)s->vertex_count;
	}
	s->vertex_count += 8;
	s->face_count += is_closed ? 12 : 10;
}

void test_shape_ball(test_shape *s, ossai_vec3 center, double radius, uint32_t rings, double top)
{
	const uint32_t sides = 2 * rings, first = (uint32_t)s->vertex_count;
	for (uint32_t i = 0; i <= rings; i++) {
		for (uint32_t k = 0; k < sides; k++) {
			const double u = OSSAI_PI * i / rings, v = 2 * OSSAI_PI * k / sides;
			float *p = s->positions + 3 * s->vertex_count++;
			p[0] = (float)(center.x + radius * sin(u) * cos(v));
			p[1] = (float)(center.y + radius * sin(u) * sin(v));
			p[2] = (float)(center.z + (i == 0 ? radius : i == rings ? -radius : radius * cos(u)));
			if (i == 0 || i == rings) p[0] = (float)center.x, p[1] = (float)center.y;
		}
	}
	for (uint32_t i = 0; i < rings; i++) {
		for (uint32_t k = 0; k < sides; k++) {
			const uint32_t a = first + i * sides + k, b = first + i * sides + (k + 1) % sides, c = a + sides, d = b + sides;
			if (s->positions[3 * (size_t)a + 2] > top) continue;
			uint32_t *t = s->triangles + 3 * s->face_count;
			if (i > 0) memcpy(t, (uint32_t[]){a, c, b}, sizeof *t * 3), t += 3, s->face_count++;
			if (i + 1 < rings) memcpy(t, (uint32_t[]){b, c, d}, sizeof *t * 3), s->face_count++;
		}
	}
}

void test_shape_soup(test_shape *s, bool turn)
{
	test_shape *from = test_shape_new();
	memcpy(from, s, sizeof *from);
	for (uint32_t i = 0; i < 3 * s->face_count; i++) {
		memcpy(s->positions + 3 * (size_t)i, from->positions + 3 * (size_t)from->triangles[i], 3 * sizeof(float));
		s->triangles[i] = i % 3 && turn && i / 3 % 2 ? 3 - i % 3 + i / 3 * 3 : i;
	}
	s->vertex_count = 3 * s->face_count;
	free(from);
}

void test_shape_human(test_shape *s)
{
	test_shape_box(s, ossai_v3(-0.2, 0.85, -0.1), ossai_v3(0.2, 1.5, 0.1), true);
	test_shape_box(s, ossai_v3(-0.05, 1.45, -0.05), ossai_v3(0.05, 1.6, 0.05), true);
	test_shape_box(s, ossai_v3(-0.12, 1.58, -0.12), ossai_v3(0.12, 1.85, 0.12), true);
	for (int side = -1; side <= 1; side += 2) {
		test_shape_box(s, ossai_v3(side * 0.12 - 0.06, 0, -0.06), ossai_v3(side * 0.12 + 0.06, 0.9, 0.06), true);
		const double in = side * 0.15, out = side * 0.85;
		test_shape_box(s, ossai_v3(fmin(in, out), 1.36, -0.05), ossai_v3(fmax(in, out), 1.46, 0.05), true);
	}
}

ossa_mesh *test_shape_mesh(ossa_context *context, test_shape *s)
{
	ossa_mesh *mesh = NULL;
	assert_ok(context, ossa_mesh_create(context, s->vertex_count, s->positions, s->face_count, s->triangles, &mesh));
	free(s);
	return mesh;
}

test_surface test_shape_surface(int threads, const test_shape *s)
{
	return test_surface_make(threads, s->vertex_count, s->positions, s->face_count, s->triangles, 1, NULL);
}

uint32_t test_nearest_outside(const ossai_voxels *v, uint32_t voxel)
{
	uint32_t at[3];
	ossai_voxel_at(v, voxel, at);
	int64_t best = INT64_MAX;
	for (int64_t reach = 1; reach * reach <= best; reach++) {
		/* the shell of cells at this distance along an axis */
		for (int64_t z = -reach; z <= reach; z++) {
			for (int64_t y = -reach; y <= reach; y++) {
				const bool is_side = z == -reach || z == reach || y == -reach || y == reach;
				for (int64_t x = -reach; x <= reach; x += is_side ? 1 : 2 * reach) {
					const int64_t p[3] = {at[0] + x, at[1] + y, at[2] + z};
					if (p[0] < 0 || p[1] < 0 || p[2] < 0 || p[0] >= v->size[0] || p[1] >= v->size[1] || p[2] >= v->size[2])
						continue;
					const size_t cell = (size_t)p[0] + v->size[0] * ((size_t)p[1] + (size_t)v->size[1] * (size_t)p[2]);
					if (v->of_cell[cell] == OSSA_NONE && x * x + y * y + z * z < best) best = x * x + y * y + z * z;
				}
			}
		}
	}
	return (uint32_t)best;
}

void test_check_voxels(const ossai_voxels *v)
{
	const size_t cells = (size_t)v->size[0] * v->size[1] * v->size[2];
	size_t count = 0, errors = 0;
	for (size_t c = 0; c < cells; c++) {
		const size_t x = c % v->size[0], y = c / v->size[0] % v->size[1], z = c / v->size[0] / v->size[1];
		if (v->of_cell[c] == OSSA_NONE) continue;
		errors += x == 0 || y == 0 || z == 0 || x + 1 == v->size[0] || y + 1 == v->size[1] || z + 1 == v->size[2];
		errors += v->of_cell[c] != count || v->cell[count] != c;
		count++;
	}
	assert_int_equal(errors, 0);
	assert_int_equal(count, v->count);
	assert_true(v->count > 0);
	assert_true(v->part_count == 1 ? v->left_out == 0 : v->left_out > 0);
	for (uint32_t i = 0; i < v->count; i += 1 + (uint32_t)v->count / 500) {
		assert_int_equal(v->distance2[i], test_nearest_outside(v, i));
	}
}

ossai_voxels test_shape_voxels_of(test_surface *t, double size)
{
	ossai_voxel_options options = ossai_voxel_options_default();
	options.size = size;
	ossai_voxels v;
	assert_ok(t->context, ossai_voxels_make(&t->arena, &t->s, &options, &v));
	test_check_voxels(&v);
	return v;
}

ossai_voxels test_shape_voxels(const test_shape *s, double size, test_surface *t)
{
	*t = test_shape_surface(1, s);
	return test_shape_voxels_of(t, size);
}

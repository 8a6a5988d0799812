/* tests/support/pieces.c: see pieces.h. */
#include "support/pieces.h"

#include "support/support.h"

#include <string.h>

ossa_contraction_options test_pieces_options(void)
{
	ossa_contraction_options options = ossa_contraction_default();
	options.pieces = 1;
	options.proxy_size = TEST_PIECES_PROXY;
	return options;
}

ossa_sample *test_pieces_sample(ossa_context *context, int kind)
{
	ossa_sample_options options = ossa_sample_default();
	ossa_sample *sample;
	options.kind = kind;
	options.faces = 1200;
	options.frames = 1;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	return sample;
}

/* a creature somewhere, into what there is already */
void test_pieces_add(test_shape *s, const ossa_mesh *mesh, double x, double y, double z)
{
	assert_true(s->vertex_count + mesh->vertex_count <= TEST_SHAPE_VERTICES);
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		const double by[3] = {x, y, z};
		float *to = s->positions + 3 * (s->vertex_count + v);
		for (size_t k = 0; k < 3; k++) to[k] = (float)(mesh->positions[3 * v + k] + by[k]);
	}
	for (size_t i = 0; i < 3 * mesh->triangle_count; i++) {
		s->triangles[3 * s->face_count + i] = (uint32_t)s->vertex_count + mesh->triangles[i];
	}
	s->vertex_count += mesh->vertex_count;
	s->face_count += mesh->triangle_count;
}

ossa_mesh *test_pieces_mesh(ossa_context *context, const test_shape *s)
{
	ossa_mesh *mesh;
	assert_ok(context, ossa_mesh_create(context, s->vertex_count, s->positions, s->face_count, s->triangles, &mesh));
	return mesh;
}

ossa_rig *test_pieces_rig(ossa_context *context, const ossa_mesh *mesh, const ossa_contraction_options *options)
{
	ossa_rig *rig;
	ossa_context_reset(context);
	assert_ok(context, ossa_rig_from_contraction(context, mesh, options, &rig));
	assert_ok(context, ossa_rig_validate(context, rig));
	return rig;
}

size_t test_pieces_count(const ossa_rig *rig, const char *prefix)
{
	size_t count = 0;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		count += strncmp(rig->skeleton.bones[b].name, prefix, strlen(prefix)) == 0;
	}
	return count;
}

/* the bones that the prefix begins move no vertex outside of first .. end, and no others any
   inside */
void test_pieces_assert_own(const ossa_rig *rig, const char *prefix, size_t first, size_t end)
{
	const ossa_weights *w = &rig->weights;
	const size_t width = (size_t)w->influences;
	for (size_t i = 0; i < w->vertex_count * width; i++) {
		const bool is_own = strncmp(rig->skeleton.bones[w->bones[i]].name, prefix, strlen(prefix)) == 0;
		if (w->values[i] > 0 && is_own != (i / width >= first && i / width < end)) {
			fail_msg("vertex %zu follows %s by %g", i / width, rig->skeleton.bones[w->bones[i]].name, w->values[i]);
		}
	}
}

static void add_vertex(test_shape *s, double x, double y, double z)
{
	const double p[3] = {x, y, z};
	for (int k = 0; k < 3; k++) s->positions[3 * s->vertex_count + (size_t)k] = (float)p[k];
	s->vertex_count++;
}

/* a bent strip of 20 faces, as hair and grass are made of: from a position, along x and up, of the
   given length */
void test_pieces_add_strip(test_shape *s, ossai_vec3 from, double length, double lean)
{
	const uint32_t first = (uint32_t)s->vertex_count;
	for (uint32_t i = 0; i <= 10; i++) {
		const double t = length * i / 10;
		for (int side = 0; side < 2; side++) {
			add_vertex(s, from.x + lean * t * t, from.y + t, from.z + (side - 0.5) * 0.1 * length);
		}
	}
	for (uint32_t i = 0; i < 10; i++) {
		const uint32_t a = first + 2 * i, faces[6] = {a, a + 1, a + 3, a, a + 3, a + 2};
		memcpy(s->triangles + 3 * s->face_count, faces, sizeof faces);
		s->face_count += 2;
	}
}

void test_pieces_add_floor(test_shape *s, double y, double half)
{
	const uint32_t a = (uint32_t)s->vertex_count, faces[6] = {a, a + 1, a + 3, a, a + 3, a + 2};
	for (int i = 0; i < 4; i++) add_vertex(s, i % 2 ? half : -half, y, i / 2 ? half : -half);
	memcpy(s->triangles + 3 * s->face_count, faces, sizeof faces);
	s->face_count += 2;
}

ossai_vec3 test_pieces_front(const ossa_mesh *mesh, double x, double y, double near)
{
	ossai_vec3 front = {0, 0, -INFINITY};
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		const ossai_vec3 p = ossai_v3_of_float(mesh->positions + 3 * v);
		if (fabs(p.x - x) < near && fabs(p.y - y) < near && p.z > front.z) front = p;
	}
	assert_true(isfinite(front.z));
	return front;
}

/* methods/reference.c: see reference.h. */
#include "methods/reference.h"

#include "math/rigid_fit.h"

/* another shape must be nearer to all by this share, so that rounding does not decide */
static const double least_gain = 1e-6;

typedef struct shapes {
	const ossa_mesh *mesh;
	const ossa_frames *frames;
	size_t vertices;
	double *center; /* (K + 1) x 3 */
	double *square; /* K + 1: sum |p - center|^2 */
} shapes;

static const float *shape_at(const shapes *s, size_t shape)
{
	return shape == 0 ? s->mesh->positions : s->frames->positions + (shape - 1) * 3 * s->vertices;
}

static void measure(const shapes *s, size_t shape)
{
	const float *p = shape_at(s, shape);
	double *center = s->center + 3 * shape;
	s->square[shape] = center[0] = center[1] = center[2] = 0;
	for (size_t i = 0; i < 3 * s->vertices; i++) center[i % 3] += p[i] / (double)s->vertices;
	for (size_t i = 0; i < 3 * s->vertices; i++) s->square[shape] += (p[i] - center[i % 3]) * (p[i] - center[i % 3]);
}

/* |a|^2 + |b|^2 - 2 max tr(R sum a b^T) */
static double distance2(const shapes *s, size_t one, size_t other)
{
	const float *p = shape_at(s, one), *q = shape_at(s, other);
	const double *a = s->center + 3 * one, *b = s->center + 3 * other;
	double m[9] = {0};
	for (size_t v = 0; v < s->vertices; v++, p += 3, q += 3) {
		const double x = p[0] - a[0], y = p[1] - a[1], z = p[2] - a[2], u = q[0] - b[0], w = q[1] - b[1], t = q[2] - b[2];
		m[0] += x * u, m[1] += x * w, m[2] += x * t;
		m[3] += y * u, m[4] += y * w, m[5] += y * t;
		m[6] += z * u, m[7] += z * w, m[8] += z * t;
	}
	return fmax(s->square[one] + s->square[other] - 2 * ossai_rigid_lambda(m), 0);
}

static ossa_status choose(ossa_context *context, const shapes *s, double *sum, size_t *chosen)
{
	const size_t count = s->frames->frame_count + 1;
	for (size_t i = 0; i < count; i++) measure(s, i);
	for (size_t i = 0; i < count; i++) {
		OSSAI_TRY(ossai_ask(context));
		for (size_t j = i + 1; j < count; j++) {
			const double apart = distance2(s, i, j);
			sum[i] += apart;
			sum[j] += apart;
		}
	}
	for (size_t i = 1; i < count; i++) {
		if (sum[i] < sum[*chosen] * (1 - least_gain)) *chosen = i;
	}
	return OSSA_OK;
}

ossa_status ossai_reference_choose(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames, size_t *chosen)
{
	const size_t count = frames->frame_count + 1;
	ossai_arena arena = ossai_arena_begin(context);
	shapes s = {.mesh = mesh, .frames = frames, .vertices = mesh->vertex_count};
	s.center = ossai_arena_new(&arena, count, 3 * sizeof *s.center);
	s.square = ossai_arena_new(&arena, count, sizeof *s.square);
	double *sum = ossai_arena_zero(&arena, count, sizeof *sum);
	*chosen = 0;
	const ossa_status status = s.center && s.square && sum ? choose(context, &s, sum, chosen)
														   : ossa_context_error(context)->status;
	ossai_arena_end(&arena);
	return status;
}

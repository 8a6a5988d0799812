/* surface/inside.c: the generalised winding number as a sum of solid angles.

   Place in the path: metrics.  In: a surface and points.  Out: winding numbers.
   Sources: A. Van Oosterom and J. Strackee, The Solid Angle of a Plane Triangle, 1983 (a face's half angle is the
   argument of a complex number); A. Jacobson, L. Kavan and O. Sorkine-Hornung, Robust Inside-Outside Segmentation, 2013.
   The arguments are summed by multiplying the complex numbers and counting the passes over the negative real axis:
   one arc tangent a point instead of one a face. */
#include "surface/inside.h"
#include "math/vec.h"

typedef struct winding_job {
	size_t face_count;
	const uint32_t *triangles;
	const float *positions;
	const double *points;
	double *numbers;
} winding_job;

typedef struct complex_turn {
	double re, im;
	double turns; /* whole turns passed so far */
} complex_turn;

/* the number whose argument is half the solid angle of the face, over the product of the corner distances; 0 where
   the point is a corner */
static void half_angle(const winding_job *job, const uint32_t *triangle, ossai_vec3 point, double *re, double *im)
{
	const ossai_vec3 a = ossai_sub(ossai_v3_of_float(job->positions + 3 * (size_t)triangle[0]), point);
	const ossai_vec3 b = ossai_sub(ossai_v3_of_float(job->positions + 3 * (size_t)triangle[1]), point);
	const ossai_vec3 c = ossai_sub(ossai_v3_of_float(job->positions + 3 * (size_t)triangle[2]), point);
	const double la = ossai_length(a), lb = ossai_length(b), lc = ossai_length(c);
	*re = la * lb * lc + ossai_dot(a, b) * lc + ossai_dot(b, c) * la + ossai_dot(c, a) * lb;
	*im = ossai_dot(a, ossai_cross(b, c));
}

/* sum' = sum * (re + i im), of which only the argument matters */
static void turn_by(complex_turn *sum, double re, double im)
{
	const double size = fabs(re) + fabs(im);
	if (!(size > 0)) return;
	re /= size;
	im /= size;
	/* + 0.0: never -0, of which the arc tangent is on the other side */
	const double next_re = sum->re * re - sum->im * im, next_im = sum->re * im + sum->im * re + 0.0;
	/* arguments lie in (-pi, pi]: a sum of two that leaves it comes out on the other side of the real axis */
	const bool whole = next_im == 0 && sum->re < 0 && re < 0;
	if (sum->im >= 0 && im >= 0 && (next_im < 0 || whole)) sum->turns += 1;
	if (sum->im < 0 && im < 0 && next_im >= 0) sum->turns -= 1;
	const double scale = 1 / (fabs(next_re) + fabs(next_im));
	sum->re = next_re * scale;
	sum->im = next_im * scale;
}

static void winding_range(void *arg, size_t begin, size_t end)
{
	const winding_job *job = arg;
	for (size_t p = begin; p < end; p++) {
		const ossai_vec3 point = ossai_v3_of(job->points + 3 * p);
		complex_turn sum = {1, 0, 0};
		for (size_t f = 0; f < job->face_count; f++) {
			double re, im;
			half_angle(job, job->triangles + 3 * f, point, &re, &im);
			turn_by(&sum, re, im);
		}
		/* half angles: a full sphere is 2 pi of them */
		job->numbers[p] = sum.turns + atan2(sum.im, sum.re) / (2 * OSSAI_PI);
	}
}

void ossai_winding_numbers(ossa_context *context, size_t face_count, const uint32_t *triangles, const float *positions,
	size_t point_count, const double *points, double *numbers)
{
	winding_job job = {face_count, triangles, positions, points, numbers};
	ossai_parallel_for(context, point_count, 1, winding_range, &job);
}

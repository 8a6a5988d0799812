/* surface/normals.c: area-weighted vertex normals, each gathered from the faces around it.

   Place in the path: metrics and pictures.  In: positions, triangles.  Out: unit vectors.
   Gathering computes every face's normal three times, but every vertex writes only its own and all threads can work. */
#include "surface/normals.h"
#include "math/vec.h"

enum { VERTICES_PER_RANGE = 2048 };

typedef struct normals_job {
	const uint32_t *triangles;
	const ossai_vertex_faces *around;
	const float *positions;
	float *normals;
} normals_job;

/* twice the area along the normal */
static ossai_vec3 face_normal(const uint32_t *triangle, const float *positions)
{
	const ossai_vec3 a = ossai_v3_of_float(positions + 3 * (size_t)triangle[0]);
	const ossai_vec3 b = ossai_v3_of_float(positions + 3 * (size_t)triangle[1]);
	const ossai_vec3 c = ossai_v3_of_float(positions + 3 * (size_t)triangle[2]);
	return ossai_cross(ossai_sub(b, a), ossai_sub(c, a));
}

static void normals_range(void *arg, size_t begin, size_t end)
{
	const normals_job *job = arg;
	for (size_t v = begin; v < end; v++) {
		ossai_vec3 sum = ossai_v3(0, 0, 0);
		for (uint32_t i = job->around->start[v]; i < job->around->start[v + 1]; i++) {
			sum = ossai_add(sum, face_normal(job->triangles + 3 * (size_t)job->around->faces[i], job->positions));
		}
		const ossai_vec3 unit = ossai_unit(sum, ossai_v3(0, 0, 0));
		job->normals[3 * v] = (float)unit.x;
		job->normals[3 * v + 1] = (float)unit.y;
		job->normals[3 * v + 2] = (float)unit.z;
	}
}

void ossai_vertex_normals(ossa_context *context, size_t vertex_count, const uint32_t *triangles,
	const ossai_vertex_faces *around, const float *positions, float *normals)
{
	normals_job job = {triangles, around, positions, normals};
	ossai_parallel_for(context, vertex_count, VERTICES_PER_RANGE, normals_range, &job);
}

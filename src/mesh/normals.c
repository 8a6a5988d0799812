/* mesh/normals.c: area-weighted vertex normals, each gathered from the faces around it.

   Place in the path: metrics and pictures.
   Input: positions, triangles.
   Output: unit vectors.
   Gathering computes every face's normal three times, but every vertex writes only its own and
   all threads can work. */
#include "mesh/normals.h"

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

ossai_vec3 ossai_vertex_normal(
	const uint32_t *triangles, const ossai_vertex_faces *around, const float *positions, size_t vertex)
{
	ossai_vec3 sum = ossai_v3(0, 0, 0);
	for (uint32_t i = around->start[vertex]; i < around->start[vertex + 1]; i++) {
		sum = ossai_add(sum, face_normal(triangles + 3 * (size_t)around->faces[i], positions));
	}
	return ossai_unit(sum, ossai_v3(0, 0, 0));
}

ossai_vec3 ossai_vertex_normal_of_faces(const ossai_vec3 *face_normals, const ossai_vertex_faces *around, size_t vertex)
{
	ossai_vec3 sum = ossai_v3(0, 0, 0);
	for (uint32_t i = around->start[vertex]; i < around->start[vertex + 1]; i++) {
		sum = ossai_add(sum, face_normals[around->faces[i]]);
	}
	return ossai_unit(sum, ossai_v3(0, 0, 0));
}

typedef struct faces_job {
	const uint32_t *triangles;
	const float *positions;
	ossai_vec3 *normals;
} faces_job;

static void faces_range(void *arg, size_t begin, size_t end)
{
	const faces_job *job = arg;
	for (size_t f = begin; f < end; f++) job->normals[f] = face_normal(job->triangles + 3 * f, job->positions);
}

void ossai_face_normals(
	ossa_context *context, size_t face_count, const uint32_t *triangles, const float *positions, ossai_vec3 *normals)
{
	faces_job job = {triangles, positions, normals};
	ossai_parallel_for(context, face_count, 2 * VERTICES_PER_RANGE, faces_range, &job);
}

static void normals_range(void *arg, size_t begin, size_t end)
{
	const normals_job *job = arg;
	for (size_t v = begin; v < end; v++) {
		const ossai_vec3 normal = ossai_vertex_normal(job->triangles, job->around, job->positions, v);
		job->normals[3 * v] = (float)normal.x;
		job->normals[3 * v + 1] = (float)normal.y;
		job->normals[3 * v + 2] = (float)normal.z;
	}
}

void ossai_vertex_normals(ossa_context *context, size_t vertex_count, const uint32_t *triangles,
	const ossai_vertex_faces *around, const float *positions, float *normals)
{
	normals_job job = {triangles, around, positions, normals};
	ossai_parallel_for(context, vertex_count, VERTICES_PER_RANGE, normals_range, &job);
}

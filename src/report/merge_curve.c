/* report/merge_curve.c: errors against the number of bones, from the merge hierarchy.

   Place in the path: the report.
   Input: a rig's merges.
   Output: a curve.
   A merge has the rigid error of the union (parts/rigid_error.h: a sum over poses of integrals over
   the surface, unit diagonal). The error of a level is the sum over its clusters, which a merge
   increases by the difference of the union's error and those of its two parts. */
#include "report/html.h"
#include "math/vec.h"
#include "mesh/bounds.h"
#include "metrics/metrics.h"

#include <math.h>

/* of the rest, unit diagonal; 0 where there is none */
static double unit_area(const ossa_mesh *mesh)
{
	const double diagonal = ossai_bounds_make(mesh->vertex_count, mesh->positions).diagonal;
	double area = 0;
	for (size_t f = 0; f < mesh->triangle_count; f++) {
		ossai_vec3 p[3];
		for (int k = 0; k < 3; k++) p[k] = ossai_v3_of_float(mesh->positions + 3 * (size_t)mesh->triangles[3 * f + (size_t)k]);
		area += 0.5 * ossai_length(ossai_cross(ossai_sub(p[1], p[0]), ossai_sub(p[2], p[0])));
	}
	return diagonal > 0 ? area / (diagonal * diagonal) : 0;
}

/* how many clusters there were before the first merge: faces, or in a file, which holds the end of
   the hierarchy, clusters of them */
static size_t first_count(const ossa_rig *rig)
{
	const size_t faces = rig->mesh->triangle_count;
	size_t count = 0;
	if (!rig->face_clusters) return faces;
	for (size_t f = 0; f < faces; f++) count += rig->face_clusters[f] == f;
	return count;
}

ossa_status ossai_merge_curve(ossa_context *context, const ossa_rig *rig, size_t pose_count, size_t capacity, double *parts,
	double *errors, size_t *count)
{
	const size_t faces = rig->mesh->triangle_count, first = first_count(rig);
	const double whole = unit_area(rig->mesh) * (double)pose_count;
	*count = 0;
	if (rig->merge_count == 0 || rig->merge_count >= first || !(whole > 0)) return OSSA_OK;
	/* by the smallest face of each cluster */
	double *error = ossa_alloc(context, faces, sizeof *error), total = 0;
	if (!error) return ossa_context_error(context)->status;
	const size_t least = first - rig->merge_count, levels = rig->merge_count < capacity ? rig->merge_count : capacity;
	for (size_t i = 0; i < rig->merge_count; i++) {
		const ossa_merge *merge = &rig->merges[i];
		total += merge->error - error[merge->kept] - error[merge->gone];
		error[merge->kept] = merge->error;
		error[merge->gone] = 0;
		const size_t level = rig->merge_count - 1 - i;
		if (level >= levels) continue;
		parts[level] = (double)(least + level);
		errors[level] = ossai_rms_percent(fmax(total, 0), whole);
	}
	ossa_free(context, error);
	*count = levels;
	return OSSA_OK;
}

/* toy/toy.c: one bone for every mesh.

   Input: a mesh.
   Output: a rig whose root is at the mean of the vertices, points up, and moves all of them. */
#include "toy/toy.h"

#include "base/context.h"

#include <math.h>
#include <string.h>

/* the mean of the vertices, and the diagonal of the box around them */
static double measure(const ossa_mesh *mesh, double mean[3])
{
	double square = 0;
	for (size_t k = 0; k < 3; k++) {
		double low = INFINITY, high = -INFINITY, sum = 0;
		for (size_t v = 0; v < mesh->vertex_count; v++) {
			const double at = (double)mesh->positions[3 * v + k];
			low = fmin(low, at);
			high = fmax(high, at);
			sum += at;
		}
		mean[k] = sum / (double)mesh->vertex_count;
		square += (high - low) * (high - low);
	}
	return sqrt(square);
}

ossa_status ossa_rig_from_toy(ossa_context *context, const ossa_mesh *mesh, const ossa_toy_options *options, ossa_rig **rig)
{
	const ossa_toy_options own = options ? *options : ossa_toy_default();
	if (rig) *rig = NULL;
	OSSAI_NEED(context, mesh, rig);
	OSSAI_TRY(ossa_options_check(context, ossa_toy_option_table(), &own));
	if (mesh->triangle_count == 0) return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "the mesh has no faces");
	OSSAI_TRY(ossa_rig_create(context, mesh, 1, 1, rig));
	strcpy((*rig)->method, "toy");
	ossa_bone *bone = &(*rig)->skeleton.bones[0];
	strcpy(bone->name, "toy");
	bone->parent = -1;
	bone->kind = OSSA_JOINT_ROOT;
	bone->orientation[3] = 1;
	const double diagonal = measure(mesh, bone->joint);
	memcpy(bone->tail, bone->joint, sizeof bone->tail);
	bone->tail[1] += 0.01 * own.length * diagonal;
	for (size_t v = 0; v < mesh->vertex_count; v++) (*rig)->weights.values[v] = 1;
	return OSSA_OK;
}

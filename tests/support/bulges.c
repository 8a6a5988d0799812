/* tests/support/bulges.c: see bulges.h. */
#include "support/bulges.h"

#include "rig/shapes.h"
#include "scene/mesh.h"
#include "support/compare.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

ossa_sample *test_bulges_sample(ossa_context *context, int faces)
{
	ossa_sample_options options = ossa_sample_default();
	ossa_sample *sample;
	options.kind = OSSA_SAMPLE_BIPED;
	options.faces = faces;
	options.frames = 24;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	return sample;
}

static double weight_of(const ossa_weights *weights, size_t vertex, int32_t bone)
{
	double sum = 0;
	for (size_t i = vertex * (size_t)weights->influences; i < (vertex + 1) * (size_t)weights->influences; i++)
		sum += weights->bones[i] == bone ? (double)weights->values[i] : 0;
	return sum;
}

/* of a vertex that the bone or its parent moves: 1 at the joint, 0 at 6 % of the diagonal from
   it */
static double nearness(const ossa_rig *rig, size_t vertex, int32_t bone, double diagonal)
{
	const ossa_bone *own = &rig->skeleton.bones[bone];
	const double distance = ossai_distance(ossai_v3_of_float(rig->mesh->positions + 3 * vertex), ossai_v3_of(own->joint));
	if (weight_of(&rig->weights, vertex, bone) + weight_of(&rig->weights, vertex, own->parent) == 0) return 0;
	return fmax(1 - distance / (0.06 * diagonal), 0);
}

static double farthest_angle(const ossa_rig *rig, int32_t bone)
{
	double farthest = 0;
	for (size_t f = 0; f < rig->clip->frame_count; f++) {
		const double angle = ossai_driver_angle(rig, (size_t)bone, rig->skeleton.bones[bone].axis, rig->clip, f);
		farthest = fabs(angle) > fabs(farthest) ? angle : farthest;
	}
	return farthest;
}

size_t test_bulges_add(ossa_context *context, ossa_rig *rig, const char *bone, const char *name, double from, double share)
{
	const int32_t b = ossa_rig_bone(rig, bone);
	const double diagonal = test_diagonal(rig->mesh), height = share * diagonal;
	size_t count = 0;
	ossa_morph *morph;
	assert_true(b > 0 && rig->skeleton.bones[b].kind == OSSA_JOINT_HINGE);
	for (size_t v = 0; v < rig->mesh->vertex_count; v++) count += nearness(rig, v, b, diagonal) > 0;
	assert_true(count > 10);
	assert_ok(context, ossai_morphs_add(context, rig->mesh, name, count, &morph));
	const ossai_vec3 joint = ossai_v3_of(rig->skeleton.bones[b].joint);
	for (size_t v = 0, at = 0; v < rig->mesh->vertex_count; v++) {
		if (!(nearness(rig, v, b, diagonal) > 0)) continue;
		const ossai_vec3 out = ossai_unit(ossai_sub(ossai_v3_of_float(rig->mesh->positions + 3 * v), joint), joint);
		const double delta[3] = {out.x, out.y, out.z};
		for (size_t k = 0; k < 3; k++) morph->deltas[3 * at + k] = (float)(height * nearness(rig, v, b, diagonal) * delta[k]);
		morph->vertices[at++] = (uint32_t)v;
	}
	const double farthest = farthest_angle(rig, b);
	snprintf(morph->driver.bone, sizeof morph->driver.bone, "%s", bone);
	memcpy(morph->driver.axis, rig->skeleton.bones[b].axis, sizeof morph->driver.axis);
	morph->driver.from = from * farthest;
	morph->driver.to = farthest;
	assert_ok(context, ossa_rig_validate(context, rig));
	return rig->mesh->morph_count - 1;
}

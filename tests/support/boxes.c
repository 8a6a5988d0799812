/* tests/support/boxes.c: see boxes.h. */
#include "support/boxes.h"

#include "math/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CORNERS = 8, TRIANGLES = 12 };

static const uint32_t faces[TRIANGLES][3] = {{0, 1, 3}, {0, 3, 2}, {4, 6, 7}, {4, 7, 5}, {0, 4, 5}, {0, 5, 1}, {2, 3, 7},
	{2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 5, 7}, {1, 7, 3}};

static void fill_box(const test_box *box, float *positions)
{
	const ossai_vec3 joint = ossai_v3_of(box->joint), tail = ossai_v3_of(box->tail);
	const ossai_vec3 along = ossai_unit(ossai_sub(tail, joint), ossai_v3(0, 1, 0));
	const ossai_vec3 helper = fabs(along.y) < 0.9 ? ossai_v3(0, 1, 0) : ossai_v3(0, 0, 1);
	const ossai_vec3 side = ossai_unit(ossai_cross(helper, along), ossai_v3(1, 0, 0)), other = ossai_cross(along, side);
	for (int c = 0; c < CORNERS; c++) {
		ossai_vec3 p = ossai_lerp(joint, tail, c & 4 ? 0.98 : 0.02);
		p = ossai_madd(p, c & 1 ? box->radius : -box->radius, side);
		p = ossai_madd(p, c & 2 ? box->radius : -box->radius, other);
		positions[3 * c] = (float)p.x;
		positions[3 * c + 1] = (float)p.y;
		positions[3 * c + 2] = (float)p.z;
	}
}

static int32_t find_parent(const test_box *boxes, size_t bone)
{
	if (!boxes[bone].parent) return -1;
	for (size_t b = 0; b < bone; b++) {
		if (strcmp(boxes[b].name, boxes[bone].parent) == 0) return (int32_t)b;
	}
	fprintf(stderr, "boxes: %s has no parent %s before it\n", boxes[bone].name, boxes[bone].parent);
	abort();
}

static void fill_rig(size_t count, const test_box *boxes, ossa_rig *rig)
{
	for (size_t b = 0; b < count; b++) {
		ossa_bone *bone = &rig->skeleton.bones[b];
		snprintf(bone->name, sizeof bone->name, "%s", boxes[b].name);
		bone->parent = find_parent(boxes, b);
		bone->kind = bone->parent < 0 ? OSSA_JOINT_ROOT : OSSA_JOINT_BALL;
		memcpy(bone->joint, boxes[b].joint, sizeof bone->joint);
		memcpy(bone->tail, boxes[b].tail, sizeof bone->tail);
		bone->orientation[3] = 1;
		for (size_t v = b * CORNERS; v < (b + 1) * CORNERS; v++) {
			rig->weights.bones[v] = (uint16_t)b;
			rig->weights.values[v] = 1;
		}
	}
}

ossa_status test_boxes_rig(ossa_context *context, size_t count, const test_box *boxes, ossa_rig **rig)
{
	float *positions = calloc(count * CORNERS, 3 * sizeof *positions);
	uint32_t *triangles = calloc(count * TRIANGLES, 3 * sizeof *triangles);
	if (!positions || !triangles) abort();
	for (size_t b = 0; b < count; b++) {
		fill_box(&boxes[b], positions + 3 * b * CORNERS);
		for (size_t i = 0; i < 3 * TRIANGLES; i++)
			triangles[3 * b * TRIANGLES + i] = (uint32_t)(b * CORNERS) + faces[i / 3][i % 3];
	}
	ossa_mesh *mesh = NULL;
	*rig = NULL;
	ossa_status status = ossa_mesh_create(context, count * CORNERS, positions, count * TRIANGLES, triangles, &mesh);
	if (status == OSSA_OK) status = ossa_rig_create(context, mesh, count, 1, rig);
	if (status == OSSA_OK) fill_rig(count, boxes, *rig);
	ossa_mesh_free(context, mesh);
	free(positions);
	free(triangles);
	return status;
}

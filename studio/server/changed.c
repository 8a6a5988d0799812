/* studio/server/changed.c: how many vertices the edits of one job have changed.

   Place in the path: behind the job "edit". Solving counts what it changes itself; what edits
   before it have changed at once, as painted faces, counts here too. Bones are the same where
   their names are. */
#include "server.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float least = 1e-4f; /* of a weight's change, as in ossa_solve_facts */

typedef struct comparison {
	const ossa_weights *now;
	size_t bone_count;
	int32_t *now_of_old; /* by names; -1: the bone is gone */
	float *sums;         /* a weight for each bone: zeros between two vertices */
} comparison;

bool studio_weights_copy(const ossa_rig *rig, studio_weights_before *before)
{
	const size_t pairs = rig->weights.vertex_count * (size_t)rig->weights.influences;
	const size_t bones = rig->skeleton.bone_count;
	*before = (studio_weights_before){.weights = rig->weights, .bone_count = bones};
	before->weights.bones = malloc(pairs * sizeof *before->weights.bones + 1);
	before->weights.values = malloc(pairs * sizeof *before->weights.values + 1);
	before->names = calloc(bones + 1, sizeof *before->names);
	if (!before->weights.bones || !before->weights.values || !before->names) {
		studio_weights_free(before);
		return false;
	}
	memcpy(before->weights.bones, rig->weights.bones, pairs * sizeof *before->weights.bones);
	memcpy(before->weights.values, rig->weights.values, pairs * sizeof *before->weights.values);
	for (size_t b = 0; b < bones; b++) memcpy(before->names[b], rig->skeleton.bones[b].name, sizeof before->names[b]);
	return true;
}

void studio_weights_free(studio_weights_before *before)
{
	free(before->weights.bones);
	free(before->weights.values);
	free(before->names);
	*before = (studio_weights_before){0};
}

/* whether a bone's weight at the vertex is another one; clears the sums */
static bool is_changed(const comparison *c, const ossa_weights *old, size_t vertex)
{
	const size_t first_old = vertex * (size_t)old->influences, first_now = vertex * (size_t)c->now->influences;
	bool changed = false;
	for (int i = 0; i < c->now->influences; i++) c->sums[c->now->bones[first_now + i]] += c->now->values[first_now + i];
	for (int i = 0; i < old->influences; i++) {
		const int32_t bone = c->now_of_old[old->bones[first_old + i]];
		const float value = old->values[first_old + i];
		if (bone >= 0) c->sums[bone] -= value;
		else changed = changed || value > least;
	}
	for (int i = 0; i < c->now->influences; i++) {
		float *sum = &c->sums[c->now->bones[first_now + i]];
		changed = changed || fabsf(*sum) > least;
		*sum = 0;
	}
	for (int i = 0; i < old->influences; i++) {
		const int32_t bone = c->now_of_old[old->bones[first_old + i]];
		if (bone < 0) continue;
		changed = changed || fabsf(c->sums[bone]) > least;
		c->sums[bone] = 0;
	}
	return changed;
}

int64_t studio_weights_changed(const studio_weights_before *before, const ossa_rig *rig)
{
	const size_t vertices = rig->weights.vertex_count;
	comparison c = {.now = &rig->weights, .bone_count = rig->skeleton.bone_count};
	if (!before->names || before->weights.vertex_count != vertices) return -1;
	c.now_of_old = malloc((before->bone_count + 1) * sizeof *c.now_of_old);
	c.sums = calloc(c.bone_count + 1, sizeof *c.sums);
	int64_t count = c.now_of_old && c.sums ? 0 : -1;
	for (size_t b = 0; count == 0 && b < before->bone_count; b++) c.now_of_old[b] = ossa_rig_bone(rig, before->names[b]);
	for (size_t v = 0; count >= 0 && v < vertices; v++) count += is_changed(&c, &before->weights, v);
	free(c.now_of_old);
	free(c.sums);
	return count;
}

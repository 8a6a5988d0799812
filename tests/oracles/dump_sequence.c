/* tests/oracles/dump_sequence.c: runs the published stages for mesh animations and prints their
   results, for sequence.py to compute again.

   usage: dump_sequence BONES REST FRAME...
   BONES 0: as many as the eigenvalues give. Prints one JSON object; lengths are in diagonals, every
   shape is centered at its centroid. */
#include "methods/sequence.h"

#include "oracles/dump.h"
#include "support/support.h"

#include <ossa/ossa.h>
#include <ossa/sequence.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

static json_t *point_of(ossai_vec3 point) { return dump_numbers(3, (const double[3]){point.x, point.y, point.z}); }

static json_t *points(size_t count, const ossai_vec3 *point)
{
	json_t *list = json_array();
	for (size_t i = 0; i < count; i++) json_array_append_new(list, point_of(point[i]));
	return list;
}

/* a row each: nine numbers of the rotation by rows, then the translation */
static json_t *motions(const ossai_bone_motion *motion)
{
	json_t *list = json_array();
	for (size_t i = 0; i < motion->bone_count * motion->pose_count; i++) {
		const ossai_rigid *x = &motion->rigid[i];
		double row[12] = {[9] = x->t.x, x->t.y, x->t.z};
		for (size_t k = 0; k < 9; k++) row[k] = x->r.m[k / 3][k % 3];
		json_array_append_new(list, dump_numbers(12, row));
	}
	return list;
}

static json_t *weights(const ossai_bone_weights *w)
{
	json_t *list = json_array();
	for (size_t v = 0; v < w->vertex_count; v++) {
		json_t *row = json_array();
		for (size_t i = 0; i < w->count[v]; i++) {
			json_array_append_new(row, json_integer(w->bone[v * w->width + i]));
			json_array_append_new(row, json_real(w->value[v * w->width + i]));
		}
		json_array_append_new(list, row);
	}
	return list;
}

static void dump_parts(const ossai_sequence *s, json_t *to)
{
	const ossai_spectral_parts *p = &s->moving.spectral;
	const ossai_posed_surface *surface = &s->moving.surface;
	json_object_set_new(to, "triangles", dump_indices(3 * surface->face_count, surface->triangles));
	json_object_set_new(to, "seeds", dump_indices(p->seeds.count, p->seeds.vertex));
	json_object_set_new(to, "group_of_seed", dump_indices(p->seeds.count, p->group_of_seed));
	json_object_set_new(to, "part_of_seed", dump_indices(p->seeds.count, p->part_of_seed));
	json_object_set_new(to, "group_count", json_integer((json_int_t)p->group_count));
	json_object_set_new(to, "scale", json_real(p->scale));
	json_object_set_new(to, "eigenvalues", dump_numbers(p->eigenvalue_count, p->eigenvalues));
	json_object_set_new(to, "part_of_face", dump_indices(s->moving.surface.face_count, p->part_of_face));
	json_object_set_new(to, "moved_faces", json_integer((json_int_t)p->moved_faces));
}

static void dump_tree(const ossai_sequence *s, json_t *to)
{
	const ossai_moving_work *m = &s->moving;
	json_object_set_new(to, "root", json_integer(m->tree.root));
	json_object_set_new(to, "parent", dump_indices(m->tree.bone_count, m->tree.parent));
	json_object_set_new(to, "marker_vertex", dump_indices(s->marker_count, s->marker_vertex));
	json_object_set_new(to, "marker_part", dump_indices(s->marker_count, s->marker_part));
	json_object_set_new(to, "part_motion", motions(&m->fit.motion));
}

static void dump_joints(const ossai_sequence *s, json_t *to)
{
	const ossai_moving_work *m = &s->moving;
	json_t *found = json_array(), *prior = json_array();
	for (size_t b = 0; b < m->tree.bone_count; b++) {
		const uint32_t pair = m->tree.pair[b];
		const bool is_root = pair == OSSA_NONE;
		json_array_append_new(found, point_of(is_root ? m->graph.center[b] : m->joint_of_pair[pair].position));
		json_array_append_new(prior, point_of(is_root ? m->graph.center[b] : m->graph.pairs[pair].prior));
	}
	json_object_set_new(to, "joint_found", found);
	json_object_set_new(to, "prior", prior);
	json_object_set_new(to, "joint", points(m->tree.bone_count, m->joint));
	json_object_set_new(to, "position", points(m->tree.bone_count * m->surface.pose_count, s->position));
}

static ossa_status run(ossai_sequence *s, json_t *to)
{
	ossai_moving_work *m = &s->moving;
	OSSAI_TRY(OSSAI_STAGE(m->context, "prepare", ossai_moving_prepare(m)));
	OSSAI_TRY(OSSAI_STAGE(m->context, "parts", ossai_moving_published_parts(m)));
	dump_parts(s, to);
	OSSAI_TRY(OSSAI_STAGE(m->context, "tree", ossai_sequence_tree(s)));
	dump_tree(s, to);
	OSSAI_TRY(OSSAI_STAGE(m->context, "joints", ossai_sequence_joints(s)));
	dump_joints(s, to);
	OSSAI_TRY(OSSAI_STAGE(m->context, "motion", ossai_sequence_motion(s)));
	json_object_set_new(to, "motion", motions(&m->fit.motion));
	OSSAI_TRY(OSSAI_STAGE(m->context, "weights", ossai_sequence_weights(s)));
	json_object_set_new(to, "weights", weights(&m->fit.weights));
	return OSSA_OK;
}

int main(int count, char **words)
{
	if (count < 4) return 2;
	ossa_context *context = test_context(0);
	ossa_sequence_options own = ossa_sequence_default();
	ossa_mesh *mesh;
	ossa_frames *frames = NULL;
	own.refine = 0;
	own.bones = atoi(words[1]);
	ossa_status status = ossa_read_mesh(context, words[2], NULL, &mesh);
	if (status == OSSA_OK) {
		status = ossa_read_frames(context, mesh, (size_t)count - 3, (const char *const *)words + 3, true, NULL, &frames);
	}
	json_t *to = json_object();
	if (status == OSSA_OK) {
		ossai_pipeline pipeline;
		const ossai_plan_step no_plan[] = {{NULL, 0}};
		ossai_pipeline_begin(context, no_plan, &pipeline);
		ossai_sequence work;
		ossai_sequence_begin(context, mesh, frames, &own, &work);
		work.moving.arena = &pipeline.arena;
		status = ossai_pipeline_end(&pipeline, run(&work, to), NULL);
	}
	if (status != OSSA_OK) fprintf(stderr, "dump_sequence: %s\n", ossa_context_error(context)->message);
	else json_dumpf(to, stdout, JSON_COMPACT | JSON_REAL_PRECISION(17));
	json_decref(to);
	ossa_frames_free(context, frames);
	if (mesh) ossa_mesh_free(context, mesh);
	test_context_end(context);
	return status == OSSA_OK ? 0 : 1;
}

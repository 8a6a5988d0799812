/* tests/oracles/dump_contraction.c: runs contraction as published and prints its stages and the
   rig, for contraction.py to compute again.

   usage: dump_contraction POINTS SPLIT MESH
   POINTS: control points; SPLIT: the splitting distance, in % of the diagonal. Prints one JSON
   object in the units of the mesh. */
#include "oracles/dump.h"
#include "support/support.h"

#include <ossa/contraction_stages.h>
#include <ossa/ossa.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

static void dump_stages(const ossa_contraction_stages *s, json_t *to)
{
	json_object_set_new(to, "triangles", dump_indices(3 * s->face_count, s->triangles));
	json_object_set_new(to, "graph_vertices", dump_indices(s->mesh_vertex_count, s->graph_vertices));
	json_object_set_new(to, "pieces", json_integer((json_int_t)s->piece_count));
	json_object_set_new(to, "joins", dump_indices(2 * s->join_count, s->joins));
	json_object_set_new(to, "split_distance", json_real(s->split_distance));
	json_object_set_new(to, "splits", dump_indices(2 * s->split_count, s->splits));
	json_object_set_new(to, "positions", dump_numbers(3 * (s->step_count + 1) * s->vertex_count, s->positions));
	json_object_set_new(to, "pulls", dump_numbers(s->step_count + 1, s->pulls));
	json_object_set_new(to, "volume_shares", dump_numbers(s->step_count + 1, s->volume_shares));
	json_object_set_new(to, "points", dump_numbers(3 * s->point_count, s->points));
	json_object_set_new(to, "centers", dump_numbers(3 * s->point_count, s->centers));
	json_object_set_new(to, "volumes", dump_numbers(s->point_count, s->volumes));
	json_object_set_new(to, "graph_points", dump_indices(s->vertex_count, s->graph_points));
	json_object_set_new(to, "curve", dump_indices(2 * s->curve_count, s->curve));
	json_object_set_new(to, "cuts", dump_indices(2 * s->cut_count, s->cuts));
	json_object_set_new(to, "root", json_integer((json_int_t)s->root));
}

static void dump_rig(const ossa_rig *rig, json_t *to)
{
	const ossa_weights *w = &rig->weights;
	const size_t slots = w->vertex_count * (size_t)w->influences;
	json_t *joints = json_array(), *parents = json_array(), *bones = json_array(), *values = json_array();
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		json_array_append_new(joints, dump_numbers(3, rig->skeleton.bones[b].joint));
		json_array_append_new(parents, json_integer(rig->skeleton.bones[b].parent));
	}
	for (size_t i = 0; i < slots; i++) {
		json_array_append_new(bones, json_integer(w->bones[i]));
		json_array_append_new(values, json_real((double)w->values[i]));
	}
	json_object_set_new(to, "joints", joints);
	json_object_set_new(to, "parents", parents);
	json_object_set_new(to, "influences", json_integer(w->influences));
	json_object_set_new(to, "weight_bones", bones);
	json_object_set_new(to, "weight_values", values);
}

int main(int count, char **words)
{
	if (count != 4) return 2;
	ossa_context *context = test_context(0);
	ossa_contraction_options own = ossa_contraction_default();
	ossa_contraction_stages stages = {.positions = NULL};
	ossa_rig *rig = NULL;
	ossa_mesh *mesh = NULL;
	json_t *to = json_object();
	own.refine = 0;
	own.bones = atoi(words[1]);
	own.split = atof(words[2]);
	ossa_status status = ossa_read_mesh(context, words[3], NULL, &mesh);
	if (status == OSSA_OK) status = ossa_contraction_stages_make(context, mesh, &own, &stages);
	if (status == OSSA_OK) status = ossa_rig_from_contraction(context, mesh, &own, &rig);
	if (status == OSSA_OK) {
		dump_stages(&stages, to);
		dump_rig(rig, to);
		json_dumpf(to, stdout, JSON_COMPACT | JSON_REAL_PRECISION(17));
	} else fprintf(stderr, "dump_contraction: %s\n", ossa_context_error(context)->message);
	json_decref(to);
	ossa_contraction_stages_free(context, &stages);
	ossa_rig_free(context, rig);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
	return status == OSSA_OK ? 0 : 1;
}

/* tests/quality/joint_trials.c: joints of one mesh for many weights of their energy; for
   scripts/calibrate_joints.

   usage: joint_trials TRIALS MESH...

   TRIALS: lines of a number of bones (0: as many as save their price), then bend, narrowing, price,
   noise, least_radius, last_bone (skeleton/from_curve/joint_energy.h). Prints one JSON object for
   each mesh: {"mesh": PATH, "trials": [[[parent, joint, tail] of each bone]]}. The curve is made
   once a mesh: what takes time does not depend on the weights. */
#include "methods/contraction.h"

#include <ossa/read.h>

#include <stdio.h>
#include <stdlib.h>

typedef struct trial {
	size_t bones;
	ossai_joint_weights weights;
} trial;

static bool read_trial(FILE *file, trial *t)
{
	ossai_joint_weights *w = &t->weights;
	return fscanf(file, "%zu %lf %lf %lf %lf %lf %lf", &t->bones, &w->bend, &w->narrowing, &w->price, &w->noise,
			   &w->least_radius, &w->last_bone) == 7;
}

static void print_point(const ossai_posed_surface *s, ossai_vec3 point)
{
	const ossai_vec3 p = ossai_madd(s->rest_center, s->scale, point);
	printf(",%.9g,%.9g,%.9g", p.x, p.y, p.z);
}

static void print_bones(const ossai_contraction *c)
{
	for (size_t b = 0; b < c->bones.tree.bone_count; b++) {
		const uint32_t parent = c->bones.tree.parent[b];
		printf("%s[%d", b > 0 ? "," : "", parent == OSSA_NONE ? -1 : (int)parent);
		print_point(&c->still.surface, c->bones.joint[b]);
		print_point(&c->still.surface, c->bones.tail[b]);
		printf("]");
	}
}

static ossa_status make_tree(ossai_contraction *c)
{
	OSSAI_TRY(ossai_still_prepare(&c->still));
	OSSAI_TRY(ossai_contraction_refined_proxy(c));
	OSSAI_TRY(ossai_contraction_refined_contract(c));
	return ossai_contraction_refined_curve(c);
}

static ossa_status print_trials(ossai_contraction *c, FILE *trials)
{
	trial t;
	for (bool is_first = true; read_trial(trials, &t); is_first = false) {
		ossai_curve_bones_options options = ossai_curve_bones_default();
		options.bones = t.bones;
		options.symmetry = c->own.symmetry;
		options.weights = t.weights;
		const ossai_still_work *s = &c->still;
		OSSAI_TRY(ossai_curve_bones_place(s->arena, &s->proxy, &s->curve, s->root, &s->mirror, &options, &c->bones));
		printf("%s[", is_first ? "" : ",\n");
		print_bones(c);
		printf("]");
	}
	return OSSA_OK;
}

static ossa_status try_mesh(ossa_context *context, const char *path, FILE *trials)
{
	ossa_mesh *mesh;
	OSSAI_TRY(ossa_read_mesh(context, path, NULL, &mesh));
	ossai_contraction work = {.own = ossa_contraction_default()};
	ossai_arena arena = ossai_arena_begin(context);
	ossa_status status = ossai_contraction_begin(context, mesh, &work);
	work.still.arena = &arena;
	if (status == OSSA_OK) status = make_tree(&work);
	if (status == OSSA_OK) {
		printf("{\"mesh\": \"%s\", \"trials\": [\n", path);
		status = print_trials(&work, trials);
		printf("]}\n");
	}
	ossai_arena_end(&arena);
	ossa_mesh_free(context, mesh);
	return status;
}

int main(int argc, char **argv)
{
	FILE *trials = argc > 2 ? fopen(argv[1], "r") : NULL;
	if (!trials) {
		fprintf(stderr, "usage: joint_trials TRIALS MESH...\n");
		return EXIT_FAILURE;
	}
	ossa_context *context;
	ossa_status status = ossa_context_create(NULL, &context);
	for (int i = 2; i < argc && status == OSSA_OK; i++) {
		rewind(trials);
		status = try_mesh(context, argv[i], trials);
	}
	if (status != OSSA_OK) fprintf(stderr, "joint_trials: %s\n", ossa_context_error(context)->message);
	ossa_context_free(context);
	fclose(trials);
	return status == OSSA_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* tests/quality/joint_trials.c: joints of one mesh for many weights of their energy; for
   scripts/calibrate_joints.

   usage: joint_trials TRIALS MESH...

   TRIALS: lines of a number of bones (0: as many as save their price), then bend, narrowing, price,
   noise, least_radius, last_bone (skeleton/from_curve/joint_energy.h). Prints one JSON object for
   each mesh: {"mesh": PATH, "trials": [[[parent, joint, tail] of each bone]]}. The curve is made
   once a mesh: what takes time does not depend on the weights. */
#include "curves_of_meshes.h"

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

/* user: the file of the trials */
static ossa_status try_curve(ossai_contraction *c, const char *path, void *user)
{
	rewind(user);
	printf("{\"mesh\": \"%s\", \"trials\": [\n", path);
	OSSAI_TRY(print_trials(c, user));
	printf("]}\n");
	return OSSA_OK;
}

int main(int argc, char **argv)
{
	FILE *trials = argc > 2 ? fopen(argv[1], "r") : NULL;
	if (!trials) {
		fprintf(stderr, "usage: joint_trials TRIALS MESH...\n");
		return EXIT_FAILURE;
	}
	const int status = print_curves("joint_trials", argc - 2, argv + 2, try_curve, trials);
	fclose(trials);
	return status;
}

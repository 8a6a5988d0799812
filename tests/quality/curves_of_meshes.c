/* tests/quality/curves_of_meshes.c: see curves_of_meshes.h. */
#include "curves_of_meshes.h"

#include <ossa/read.h>

#include <stdio.h>
#include <stdlib.h>

static ossa_status make_curve(ossai_contraction *c)
{
	OSSAI_TRY(ossai_still_prepare(&c->still));
	OSSAI_TRY(ossai_contraction_refined_proxy(c));
	OSSAI_TRY(ossai_contraction_refined_contract(c));
	return ossai_contraction_refined_curve(c);
}

static ossa_status print_curve(ossa_context *context, const char *path, curve_printer print, void *user)
{
	ossa_mesh *mesh;
	OSSAI_TRY(ossa_read_mesh(context, path, NULL, &mesh));
	ossai_contraction work = {.own = ossa_contraction_default()};
	ossai_arena arena = ossai_arena_begin(context);
	ossa_status status = ossai_contraction_begin(context, mesh, &work);
	work.still.arena = &arena;
	if (status == OSSA_OK) status = make_curve(&work);
	if (status == OSSA_OK) status = print(&work, path, user);
	ossai_arena_end(&arena);
	ossa_mesh_free(context, mesh);
	return status;
}

int print_curves(const char *program, int count, char **paths, curve_printer print, void *user)
{
	ossa_context *context;
	ossa_status status = ossa_context_create(NULL, &context);
	for (int i = 0; i < count && status == OSSA_OK; i++) status = print_curve(context, paths[i], print, user);
	if (status != OSSA_OK) fprintf(stderr, "%s: %s\n", program, ossa_context_error(context)->message);
	ossa_context_free(context);
	return status == OSSA_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

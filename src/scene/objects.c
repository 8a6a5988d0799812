/* scene/objects.c: the objects that a mesh was made of: copied, checked, moved.

   Place in the path: beside ossa_mesh.
   Input and output: ossa_mesh. */
#include "scene/objects.h"
#include "base/scan.h"
#include "math/affine.h"

#include <math.h>
#include <string.h>

void ossai_objects_free(ossa_context *context, ossa_mesh *mesh)
{
	ossa_free(context, mesh->objects);
	ossa_free(context, mesh->polygon_object);
	mesh->objects = NULL;
	mesh->polygon_object = NULL;
	mesh->object_count = 0;
}

ossa_status ossai_objects_copy(ossa_context *context, const ossa_mesh *mesh, ossa_mesh *copy)
{
	if (mesh->object_count == 0) return OSSA_OK;
	copy->objects = ossai_new(context, mesh->object_count, sizeof *copy->objects);
	copy->polygon_object = ossai_new(context, mesh->polygon_count, sizeof *copy->polygon_object);
	if (!copy->objects || !copy->polygon_object) return ossa_context_error(context)->status;
	memcpy(copy->objects, mesh->objects, mesh->object_count * sizeof *copy->objects);
	if (mesh->polygon_count > 0)
		memcpy(copy->polygon_object, mesh->polygon_object, mesh->polygon_count * sizeof *copy->polygon_object);
	copy->object_count = mesh->object_count;
	return OSSA_OK;
}

static ossa_status check(ossa_context *context, const ossa_object *object, size_t index)
{
	const double *m = object->transform;
	const ossai_rigid map = ossai_rigid_of(m);
	ossai_rigid inverse;
	if (!memchr(object->name, 0, sizeof object->name))
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "the name of object %zu is not terminated", index);
	if (!(m[12] == 0 && m[13] == 0 && m[14] == 0 && m[15] == 1))
		return ossai_fail(
			context, OSSA_ERROR_INPUT, NULL, "object %s: the last row of its transform is not 0 0 0 1", object->name);
	if (ossai_affine_is_finite(&map) && ossai_affine_inverse(&map, &inverse)) return OSSA_OK;
	return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "object %s: its transform has no inverse", object->name);
}

ossa_status ossai_objects_check(ossa_context *context, const ossa_mesh *mesh)
{
	if (mesh->object_count == 0 && !mesh->polygon_object) return OSSA_OK;
	if (!mesh->objects || (!mesh->polygon_object && mesh->polygon_count > 0))
		return ossai_fail(
			context, OSSA_ERROR_INPUT, NULL, "the mesh is not whole: it has no objects, or they have no polygons");
	for (size_t i = 0; i < mesh->object_count; i++) OSSAI_TRY(check(context, &mesh->objects[i], i));
	if (ossai_all_below(mesh->polygon_object, mesh->polygon_count, mesh->object_count, false)) return OSSA_OK;
	return ossai_fail(
		context, OSSA_ERROR_INPUT, NULL, "a polygon is of an object that is not there: there are %zu", mesh->object_count);
}

ossa_object *ossai_objects_moved(ossai_arena *arena, const ossa_mesh *mesh, const ossai_rigid *map)
{
	ossai_rigid back = ossai_affine_identity();
	ossa_object *moved = ossai_arena_new(arena, mesh->object_count, sizeof *moved);
	ossai_affine_inverse(map, &back);
	for (size_t i = 0; moved && i < mesh->object_count; i++) {
		moved[i] = mesh->objects[i];
		const ossai_rigid own = ossai_rigid_of(moved[i].transform), first = ossai_rigid_mul(map, &own);
		const ossai_rigid last = ossai_rigid_mul(&first, &back);
		ossai_rigid_store(&last, moved[i].transform);
	}
	return moved;
}

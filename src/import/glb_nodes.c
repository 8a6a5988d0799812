/* import/glb_nodes.c: the node tree of a glTF file.

   Place in the path: below the GLB reader's parts.  In: the JSON's nodes.  Out: parents, an order with parents first, local and
   world transforms at rest.  A node with two parents or a loop is refused; nothing recurses.
   Source: glTF 2.0 specification, 3.5. */
#include "import/glb_document.h"

ossai_rigid ossai_gltf_local(const ossai_gltf_transform *transform)
{
	if (transform->is_matrix) return transform->matrix;
	ossai_rigid map = {ossai_quat_matrix(ossai_quat_unit(transform->rotation)), transform->translation};
	const double scale[3] = {transform->scale.x, transform->scale.y, transform->scale.z};
	for (int row = 0; row < 3; row++) {
		for (int column = 0; column < 3; column++) map.r.m[row][column] *= scale[column];
	}
	return map;
}

bool ossai_gltf_invert(const ossai_rigid *map, ossai_rigid *inverse)
{
	const double det = ossai_mat3_det(&map->r);
	if (!isfinite(det) || fabs(det) < 1e-280) return false;
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			/* the cofactor of [j][i]; its sign comes with the cyclic indices */
			const int r0 = (j + 1) % 3, r1 = (j + 2) % 3, c0 = (i + 1) % 3, c1 = (i + 2) % 3;
			inverse->r.m[i][j] = (map->r.m[r0][c0] * map->r.m[r1][c1] - map->r.m[r0][c1] * map->r.m[r1][c0]) / det;
		}
	}
	inverse->t = ossai_scale(ossai_mat3_mul_v(&inverse->r, map->t), -1);
	return true;
}

static ossai_gltf_transform read_transform(const json_t *item)
{
	double m[16], t[3] = {0, 0, 0}, q[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
	ossai_gltf_transform transform = {.is_matrix = ossai_gltf_numbers(item, "matrix", 16, m)};
	if (transform.is_matrix) {
		for (int row = 0; row < 3; row++) {
			for (int column = 0; column < 3; column++) transform.matrix.r.m[row][column] = m[4 * column + row];
		}
		transform.matrix.t = ossai_v3(m[12], m[13], m[14]);
	}
	ossai_gltf_numbers(item, "translation", 3, t);
	ossai_gltf_numbers(item, "rotation", 4, q);
	ossai_gltf_numbers(item, "scale", 3, s);
	transform.translation = ossai_v3_of(t);
	transform.rotation = ossai_quat_of(q);
	transform.scale = ossai_v3_of(s);
	return transform;
}

static ossa_status read_children(ossai_gltf *document, ossai_gltf_nodes *nodes)
{
	for (size_t n = 0; n < nodes->count; n++) nodes->parent[n] = OSSA_NONE;
	for (size_t n = 0; n < nodes->count; n++) {
		const json_t *children = json_object_get(ossai_gltf_item(document, "nodes", n), "children");
		for (size_t i = 0; i < json_array_size(children); i++) {
			const double child = json_number_value(json_array_get(children, i));
			if (!json_is_number(json_array_get(children, i)) || !(child >= 0 && child < (double)nodes->count)) {
				return ossai_gltf_fail(document, "node %zu has a child that is not there", n);
			}
			if (nodes->parent[(size_t)child] != OSSA_NONE) return ossai_gltf_fail(document, "node %.0f has two parents", child);
			nodes->parent[(size_t)child] = (uint32_t)n;
		}
	}
	return OSSA_OK;
}

/* breadth first from the roots; what is not reached hangs in a loop */
static ossa_status sort_nodes(ossai_gltf *document, ossai_gltf_nodes *nodes)
{
	size_t reached = 0;
	for (size_t n = 0; n < nodes->count; n++) {
		if (nodes->parent[n] == OSSA_NONE) nodes->order[reached++] = (uint32_t)n;
	}
	for (size_t at = 0; at < reached; at++) {
		const json_t *children = json_object_get(ossai_gltf_item(document, "nodes", nodes->order[at]), "children");
		for (size_t i = 0; i < json_array_size(children); i++) {
			nodes->order[reached++] = (uint32_t)json_number_value(json_array_get(children, i));
		}
	}
	return reached == nodes->count ? OSSA_OK : ossai_gltf_fail(document, "its nodes form a loop");
}

ossa_status ossai_gltf_read_nodes(ossai_gltf *document, ossai_gltf_nodes *nodes)
{
	ossai_arena *arena = &document->arena;
	nodes->count = ossai_gltf_length(document, "nodes");
	nodes->parent = ossai_arena_new(arena, nodes->count, sizeof *nodes->parent);
	nodes->order = ossai_arena_new(arena, nodes->count, sizeof *nodes->order);
	nodes->rest = ossai_arena_new(arena, nodes->count, sizeof *nodes->rest);
	nodes->world = ossai_arena_new(arena, nodes->count, sizeof *nodes->world);
	if (!nodes->parent || !nodes->order || !nodes->rest || !nodes->world) return ossa_context_error(document->context)->status;
	OSSAI_TRY(read_children(document, nodes));
	OSSAI_TRY(sort_nodes(document, nodes));
	for (size_t i = 0; i < nodes->count; i++) {
		const uint32_t n = nodes->order[i];
		nodes->rest[n] = read_transform(ossai_gltf_item(document, "nodes", n));
		const ossai_rigid local = ossai_gltf_local(&nodes->rest[n]);
		nodes->world[n] = nodes->parent[n] == OSSA_NONE ? local : ossai_rigid_mul(&nodes->world[nodes->parent[n]], &local);
	}
	return OSSA_OK;
}

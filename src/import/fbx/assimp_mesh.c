/* import/fbx/assimp_mesh.c: meshes, skins and shapes out of assimp's scene.

   Place in the path: inside the FBX reader.
   Input: the aiMesh of each node.
   Output: one ossai_asset_mesh for each node that has any.

   The parts of a mesh become one again (assimp_weld.c).
   FBX binds joints in the scene's space and assimp gives it in the mesh's: a skinned mesh is
   transformed into the scene's space, so that it stands upright in its bind pose wherever its
   joints are at rest. */
#include "import/fbx/assimp_looks.h"
#include "import/fbx/assimp_parts.h"
#include "scene/sets.h"

#include <string.h>

static ossa_status no_memory(const ossai_assimp_parts *p) { return ossa_context_error(p->reader->context)->status; }

/* the scene's space where the parts have bones, else the node's own */
static void find_map(ossai_assimp_parts *p, uint32_t node)
{
	bool is_skinned = false;
	ossai_rigid back;
	for (unsigned i = 0; i < p->node->mNumMeshes; i++) is_skinned = is_skinned || ossai_parts_mesh(p, i)->mNumBones > 0;
	p->map = is_skinned ? p->reader->world[node] : ossai_affine_identity();
	if (!ossai_affine_inverse(&p->map, &back)) p->map = ossai_affine_identity();
	p->is_mirrored = ossai_mat3_det(&p->map.r) < 0;
}

/* ---- the mesh ---- */

static size_t uv_count(const struct aiMesh *mesh)
{
	size_t count = 0;
	while (count < OSSA_SETS_MAX && mesh->mTextureCoords[count]) count++;
	return count;
}

static size_t color_count(const struct aiMesh *mesh)
{
	size_t count = 0;
	while (count < OSSA_SETS_MAX && mesh->mColors[count]) count++;
	return count;
}

static ossa_status put_vertices(const ossai_assimp_parts *p, ossai_builder *builder)
{
	for (size_t v = 0; v < p->vertex_count; v++) {
		uint32_t own;
		const struct aiMesh *mesh = ossai_parts_mesh_of(p, p->raw_of_vertex[v], &own);
		const struct aiVector3D *place = mesh->mVertices + own;
		const ossai_vec3 moved = ossai_rigid_point(&p->map, ossai_v3(place->x, place->y, place->z));
		OSSAI_TRY(ossai_builder_vertex(builder, (float[3]){(float)moved.x, (float)moved.y, (float)moved.z}));
		if (!mesh->mColors[0]) continue;
		const struct aiColor4D *color = mesh->mColors[0] + own;
		OSSAI_TRY(ossai_builder_color(builder, (float[4]){color->r, color->g, color->b, color->a}));
		for (size_t set = 1; set < color_count(mesh); set++) {
			color = mesh->mColors[set] + own;
			OSSAI_TRY(ossai_builder_color_set(builder, set, (float[4]){color->r, color->g, color->b, color->a}));
		}
	}
	return OSSA_OK;
}

/* further sets: the corner is the last, with a UV of its own */
static ossa_status put_more_uvs(ossai_builder *builder, const struct aiMesh *mesh, uint32_t own)
{
	for (size_t set = 1; set < uv_count(mesh); set++) {
		const struct aiVector3D *uv = mesh->mTextureCoords[set] + own;
		const uint32_t index = (uint32_t)builder->mesh->more_uvs[set - 1].texcoord_count;
		OSSAI_TRY(ossai_builder_uv(builder, set, uv->x, uv->y));
		OSSAI_TRY(ossai_builder_corner_uv(builder, set, index));
	}
	return OSSA_OK;
}

/* as the file says, which assimp does not give */
static void name_sets(const ossai_assimp_parts *p, uint32_t node, ossa_mesh *mesh)
{
	for (size_t set = 0; set < ossai_uv_count(mesh); set++) {
		const ossai_word name = ossai_fbx_uv_name(&p->reader->weights, p->reader->model_of_node[node], set);
		if (name.size > 0) ossai_name_copy(ossai_uv_slot_of(mesh, set).name, name);
	}
}

/* every corner has its own UV and normal */
static ossa_status put_corner(
	const ossai_assimp_parts *p, ossai_builder *builder, const struct aiMesh *mesh, uint32_t own, uint32_t vertex)
{
	uint32_t texcoord = OSSA_NONE, normal = OSSA_NONE;
	if (mesh->mTextureCoords[0]) {
		const struct aiVector3D *uv = mesh->mTextureCoords[0] + own;
		texcoord = (uint32_t)builder->mesh->texcoord_count;
		OSSAI_TRY(ossai_builder_texcoord(builder, uv->x, uv->y));
	}
	if (mesh->mNormals) {
		const struct aiVector3D *n = mesh->mNormals + own;
		const ossai_vec3 moved = ossai_affine_normal(&p->map.r, ossai_v3(n->x, n->y, n->z));
		normal = (uint32_t)builder->mesh->normal_count;
		OSSAI_TRY(ossai_builder_normal(builder, (float[3]){(float)moved.x, (float)moved.y, (float)moved.z}));
	}
	OSSAI_TRY(ossai_builder_corner(builder, vertex, texcoord, normal));
	return put_more_uvs(builder, mesh, own);
}

static ossa_status put_faces(const ossai_assimp_parts *p, ossai_builder *builder, size_t part)
{
	const struct aiMesh *mesh = ossai_parts_mesh(p, part);
	for (unsigned f = 0; f < mesh->mNumFaces; f++) {
		const struct aiFace *face = &mesh->mFaces[f];
		if (face->mNumIndices < 3) {
			p->reader->lines++;
			continue;
		}
		for (unsigned i = 0; i < face->mNumIndices; i++) {
			const uint32_t own = face->mIndices[p->is_mirrored ? face->mNumIndices - 1 - i : i];
			if (own >= mesh->mNumVertices) return ossai_asset_fail(p->reader->asset, "a face has a vertex that is not there");
			OSSAI_TRY(put_corner(p, builder, mesh, own, p->vertex_of_raw[p->first_of_part[part] + own]));
		}
		OSSAI_TRY(ossai_builder_polygon(builder));
	}
	return OSSA_OK;
}

/* assimp's scene knows a material by its number */
static ossa_status put_material(const ossai_assimp_parts *p, ossai_builder *builder, size_t part, uint32_t *rows)
{
	const unsigned *index = &ossai_parts_mesh(p, part)->mMaterialIndex;
	if (*index >= p->reader->scene->mNumMaterials) return OSSA_OK;
	const char *name = p->reader->looks[*index].name;
	OSSAI_TRY(
		ossai_builder_material(builder, (ossai_word){(const char *)index, sizeof *index}, (ossai_word){name, strlen(name)}));
	rows[builder->material] = *index;
	return OSSA_OK;
}

static ossa_status put_all(const ossai_assimp_parts *p, ossai_builder *builder, uint32_t *rows)
{
	OSSAI_TRY(put_vertices(p, builder));
	for (size_t i = 0; i < p->node->mNumMeshes; i++) {
		OSSAI_TRY(put_material(p, builder, i, rows));
		OSSAI_TRY(put_faces(p, builder, i));
	}
	return OSSA_OK;
}

static ossa_status make_mesh(const ossai_assimp_parts *p, uint32_t node, ossai_asset_mesh *out)
{
	ossai_builder builder;
	const char *name = p->node->mName.data[0] ? p->node->mName.data : ossai_parts_mesh(p, 0)->mName.data;
	name = ossai_fbx_whole_name(&p->reader->apart, name);
	/* no more materials than parts */
	out->material_rows = ossai_arena_new(&p->reader->asset->arena, p->node->mNumMeshes, sizeof *out->material_rows);
	if (!out->material_rows) return no_memory(p);
	memset(out->material_rows, 0xff, p->node->mNumMeshes * sizeof *out->material_rows);
	OSSAI_TRY(ossai_builder_begin(p->reader->context, p->reader->source, OSSAI_PARTS_ALL, &builder));
	OSSAI_TRY(ossai_builder_end(&builder, put_all(p, &builder, out->material_rows), &out->mesh));
	ossai_name_copy(out->mesh->name, (ossai_word){name, strlen(name)});
	name_sets(p, node, out->mesh);
	return OSSA_OK;
}

/* ---- skin and shapes ---- */

/* a vertex with more weights than a rig can have keeps the largest, in the order of the joints */
static size_t largest_pairs(const ossai_assimp_parts *p, uint32_t raw, ossai_influence kept[OSSAI_INFLUENCES_MAX])
{
	size_t count = 0;
	for (size_t i = p->pairs_of.start[raw]; i < p->pairs_of.start[raw + 1]; i++) {
		if (count < OSSAI_INFLUENCES_MAX) {
			kept[count++] = p->pairs[i];
			continue;
		}
		size_t least = 0;
		for (size_t k = 1; k < count; k++) least = kept[k].weight < kept[least].weight ? k : least;
		if (!(p->pairs[i].weight > kept[least].weight)) continue;
		memmove(kept + least, kept + least + 1, (count - 1 - least) * sizeof *kept);
		kept[count - 1] = p->pairs[i];
	}
	return count;
}

static ossa_status make_weights(const ossai_assimp_parts *p, ossai_asset_mesh *mesh)
{
	ossai_arena *arena = &p->reader->asset->arena;
	mesh->influences = 1;
	for (size_t v = 0; v < p->vertex_count; v++) {
		const uint32_t raw = p->raw_of_vertex[v];
		const size_t count = ossai_csr_size(&p->pairs_of, raw);
		if (count > mesh->influences) mesh->influences = count < OSSAI_INFLUENCES_MAX ? count : OSSAI_INFLUENCES_MAX;
	}
	mesh->joints = ossai_arena_zero(arena, p->vertex_count, mesh->influences * sizeof *mesh->joints);
	mesh->weights = ossai_arena_zero(arena, p->vertex_count, mesh->influences * sizeof *mesh->weights);
	if (!mesh->joints || !mesh->weights) return no_memory(p);
	for (size_t v = 0; v < p->vertex_count; v++) {
		ossai_influence kept[OSSAI_INFLUENCES_MAX];
		const size_t count = largest_pairs(p, p->raw_of_vertex[v], kept);
		for (size_t k = 0; k < count; k++) {
			mesh->joints[v * mesh->influences + k] = kept[k].joint;
			mesh->weights[v * mesh->influences + k] = (float)kept[k].weight;
		}
	}
	return OSSA_OK;
}

static ossa_status make_skin(const ossai_assimp_parts *p, ossai_asset_mesh *mesh)
{
	ossai_asset *asset = p->reader->asset;
	mesh->skin = OSSA_NONE;
	if (p->joint_count == 0) return OSSA_OK;
	ossai_asset_skin *skin = &asset->skins[asset->skin_count];
	skin->joints = ossai_arena_new(&asset->arena, p->joint_count, sizeof *skin->joints);
	skin->inverse_bind = ossai_arena_new(&asset->arena, p->joint_count, sizeof *skin->inverse_bind);
	if (!skin->joints || !skin->inverse_bind) return no_memory(p);
	memcpy(skin->joints, p->joints, p->joint_count * sizeof *skin->joints);
	memcpy(skin->inverse_bind, p->inverse_bind, p->joint_count * sizeof *skin->inverse_bind);
	skin->joint_count = p->joint_count;
	mesh->skin = (uint32_t)asset->skin_count++;
	return make_weights(p, mesh);
}

/* the name of a shape, from the first part that has it */
static const char *shape_name(const ossai_assimp_parts *p, size_t target)
{
	for (unsigned i = 0; i < p->node->mNumMeshes; i++) {
		if (target < ossai_parts_mesh(p, i)->mNumAnimMeshes) return ossai_parts_mesh(p, i)->mAnimMeshes[target]->mName.data;
	}
	return "";
}

static ossa_status make_targets(const ossai_assimp_parts *p, ossai_asset_mesh *mesh)
{
	const int64_t model = p->reader->model_of_node[mesh->node];
	ossai_arena *arena = &p->reader->asset->arena;
	p->reader->unplaced += model == OSSAI_FBX_ROOT && p->reader->weights.channel_count > 0 && p->target_count > 0;
	mesh->targets = ossai_arena_zero(arena, p->target_count, sizeof *mesh->targets);
	if (!mesh->targets) return no_memory(p);
	for (size_t t = 0, step = 0; t < p->target_count; t++) {
		ossai_asset_target *target = &mesh->targets[t];
		const char *name = shape_name(p, t);
		step = t > 0 && strcmp(name, shape_name(p, t - 1)) == 0 ? step + 1 : 0;
		target->weight = ossai_fbx_weight(&p->reader->weights, model, name, step);
		target->name = ossai_asset_text(p->reader->asset, name, strlen(name));
		target->deltas = ossai_arena_new(arena, p->vertex_count, 3 * sizeof *target->deltas);
		if (!target->name || !target->deltas) return no_memory(p);
		for (size_t v = 0; v < p->vertex_count; v++) {
			float *delta = target->deltas + 3 * v;
			ossai_parts_shape(p, p->raw_of_vertex[v], t, delta);
			const ossai_vec3 moved = ossai_mat3_mul_v(&p->map.r, ossai_v3_of_float(delta));
			delta[0] = (float)moved.x;
			delta[1] = (float)moved.y;
			delta[2] = (float)moved.z;
		}
	}
	mesh->target_count = p->target_count;
	return OSSA_OK;
}

/* ---- all meshes ---- */

static ossa_status read_parts(ossai_assimp_parts *p, uint32_t node)
{
	ossai_asset *asset = p->reader->asset;
	ossai_asset_mesh *mesh = &asset->meshes[asset->mesh_count];
	OSSAI_TRY(ossai_parts_number(p));
	find_map(p, node);
	OSSAI_TRY(ossai_parts_sort_pairs(p));
	OSSAI_TRY(ossai_parts_weld(p));
	OSSAI_TRY(make_mesh(p, node, mesh));
	mesh->node = node;
	/* where its vertices were in their own axes */
	mesh->has_axes = true;
	mesh->axes = p->map;
	mesh->own_count = mesh->mesh->vertex_count;
	asset->mesh_count++;
	p->reader->mesh_of_node[node] = (uint32_t)asset->mesh_count - 1;
	OSSAI_TRY(make_skin(p, mesh));
	return make_targets(p, mesh);
}

/* whether anything of a node's meshes is a surface */
static bool has_faces(const ossai_assimp *reader, const struct aiNode *node)
{
	for (unsigned i = 0; i < node->mNumMeshes; i++) {
		if (node->mMeshes[i] >= reader->scene->mNumMeshes) return true;
		const struct aiMesh *mesh = reader->scene->mMeshes[node->mMeshes[i]];
		for (unsigned f = 0; f < mesh->mNumFaces; f++) {
			if (mesh->mFaces[f].mNumIndices >= 3) return true;
		}
	}
	return false;
}

static ossa_status read_node_mesh(ossai_assimp *reader, uint32_t node)
{
	ossai_assimp_parts p = {.reader = reader, .node = reader->nodes[node], .scratch = ossai_arena_begin(reader->context)};
	const ossa_status status = read_parts(&p, node);
	for (size_t j = 0; j < p.joint_count; j++) reader->joint_of_node[p.joints[j]] = OSSA_NONE;
	ossai_arena_end(&p.scratch);
	ossa_free(reader->context, p.joints);
	ossa_free(reader->context, p.inverse_bind);
	return status;
}

ossa_status ossai_assimp_read_meshes(ossai_assimp *reader)
{
	ossai_asset *asset = reader->asset;
	size_t count = 0;
	for (size_t n = 0; n < reader->node_count; n++) count += reader->nodes[n]->mNumMeshes > 0;
	asset->meshes = ossai_arena_zero(&asset->arena, count, sizeof *asset->meshes);
	asset->skins = ossai_arena_zero(&asset->arena, count, sizeof *asset->skins);
	if (!asset->meshes || !asset->skins) return ossa_context_error(reader->context)->status;
	for (uint32_t n = 0; n < reader->node_count; n++) {
		if (has_faces(reader, reader->nodes[n])) OSSAI_TRY(read_node_mesh(reader, n));
	}
	return OSSA_OK;
}
